"""`KeptTable`: a table that saves its rounds. Nothing settled is lost if the process dies."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from contextlib import suppress
from fractions import Fraction
from typing import Self, cast

from upcard.core.actions import Action
from upcard.core.errors import EmptyShoeError, IllegalActionError
from upcard.fair.fair_shoe import FairShoe
from upcard.fair.seeds import Reveal
from upcard.players.play_rounds import extra_bet
from upcard.rules.model import Rules
from upcard.store.bankroll import PROFILE, bankroll_of, free_chips_of
from upcard.store.database import Store
from upcard.store.errors import StoreError
from upcard.store.locks import Lock
from upcard.store.records import SavedRound, SessionRecord
from upcard.store.rounds import (
    Begun,
    begin_round,
    end_shoe,
    record_action,
    settle_round,
    void_round,
)
from upcard.store.sessions import end_session, lock_of, read_open_round, start_session
from upcard.table.events import Event
from upcard.table.legal import find_refusal
from upcard.table.rounds import Table
from upcard.table.state import RoundState, start_round


class KeptTable(Table):
    """A `Table` with a fair shoe that saves its rounds as they are played.

    Bets are saved before a card is dealt, each answer before it is carried out, and a finished
    round is booked with the bankroll in one transaction. So `resume` finds the round as it was,
    whenever the process ends. Listeners get events once they are saved: no result is reported
    that is not on the disk. Make one with `sit_down` or `resume`; close it, or use it in a `with`.
    """

    def __init__(self, store: Store, session: SessionRecord, lock: Lock, shoe: FairShoe) -> None:
        super().__init__(session.rules, shoe)
        self.store = store
        self.session = session
        self.fair_shoe = shoe
        self.last_round: int | None = None
        """Number in the store of the last booked round."""
        self._lock = lock
        self._begun: Begun | None = None
        self._actions: list[Action] = []
        self._spots_asked: list[int] = []
        self._is_booked = True
        self._untold: list[Event] = []

    @classmethod
    def sit_down(  # noqa: PLR0913 (each is named in the call)
        cls,
        store: Store,
        rules: Rules,
        *,
        profile: str = PROFILE,
        player: str = "person",
        company: str = "",
        shoe: FairShoe | None = None,
    ) -> Self:
        """Start a session of a profile; the default `shoe` uses the operating system's entropy.

        `company` describes the others at the table, in the front-end's words, for resuming.

        Raises: StoreError for a shoe of other rules.
        """
        if shoe is not None and shoe.rules != rules:
            raise StoreError(f"the shoe is one of {shoe.rules}, the table plays {rules}")
        session, lock = start_session(store, rules, profile=profile, player=player, company=company)
        return cls(store, session, lock, FairShoe(rules) if shoe is None else shoe)

    @classmethod
    def resume(cls, store: Store, open_round: SavedRound) -> Self:
        """Resume an unfinished round after its last answer; book it if it is over.

        Raises: StoreError if another terminal has resumed it, or if it was finished.
        """
        session = open_round.session
        lock = lock_of(store, session.id)
        if not lock.take():
            raise StoreError(f"session {session.id} is being played in another terminal")
        try:
            found = _require_open_round(store, session)
            table = cls(store, session, lock, cast("FairShoe", found.record.make_shoe()))
            table._replay(found)
        except BaseException:
            lock.release()
            raise
        return table

    @property
    def bankroll(self) -> Fraction:
        """Bankroll of the profile, including chips on the table."""
        return bankroll_of(self.store, self.session.profile)

    @property
    def free_chips(self) -> Fraction:
        """Chips of the profile not on other tables, as of the start of a round in progress."""
        return free_chips_of(self.store, self.session.profile, besides=self.session.id)

    @property
    def round_number(self) -> int:
        """Number in its session of the current or last round.

        Raises: IllegalActionError before the first round.
        """
        if self._begun is None:
            raise IllegalActionError("no round has been started at this table")
        return self._begun.number

    @property
    def player_spots(self) -> tuple[int, ...]:
        """The person's spots in the current or last round; empty before the first."""
        return () if self._begun is None else self._begun.player_spots

    @property
    def actions(self) -> tuple[Action, ...]:
        """Answers of the current or last round."""
        return tuple(self._actions)

    def start(
        self,
        bets: Iterable[Fraction | int | str] = (1,),
        *,
        player_spots: Collection[int] | None = None,
    ) -> RoundState:
        """Place bets, one a spot, save them, and deal.

        `player_spots`, counted from 0, are the person's (default: all); the others are the
        company's, whose chips are neither at risk nor booked.

        Raises: as `Table.start` does; NotCoveredError; StoreError, also for invalid spots.
        """
        if self.is_playing:
            raise IllegalActionError("a round is in progress at this table: finish it first")
        self.book()
        laid = tuple(hand.bet for hand in start_round(self.rules, bets).hands)
        mine = _choose_own(player_spots, len(laid))
        state = self.fair_shoe.prepare_round()
        self._begun = begin_round(self.store, self.session, state, laid, player_spots=mine)
        return self._begin(laid)

    def act(self, action: Action) -> RoundState:
        """Save an answer for the active hand, carry it out, and deal the cards due.

        Raises: as `Table.act` does; NotCoveredError; StoreError; the round is then unchanged.
        """
        state = self.state
        refusal = find_refusal(state, action)
        if refusal is not None:
            raise refusal.to_error()
        hand = state.hands[state.active]
        extra = Fraction(extra_bet(action, hand) if hand.spot in self.player_spots else 0)
        record_action(self.store, self.session, [*self._actions, action], extra=extra)
        return self._carry_out(action)

    @property
    def is_owed(self) -> bool:
        """Whether a round is over but could not be booked or reported, as on a full disk."""
        return not self._is_booked and not self.is_playing

    def end_shoe(self) -> Reveal:
        """End the shoe between rounds and reveal its seeds.

        Raises: IllegalActionError while a round is in progress.
        """
        if self.is_playing:
            raise IllegalActionError("the shoe ends between rounds: finish this one first")
        self.book()
        end_shoe(self.store, self.session)
        return self.fair_shoe.end_shoe()

    def close(self) -> None:
        """Leave the table. A round in progress stays open and can be resumed."""
        try:
            end_session(self.store, self.session)
        finally:
            self._lock.release()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _replay(self, found: SavedRound) -> None:
        """Replay an open round; a void one is dropped."""
        self._begun = Begun(found.number, found.player_spots)
        with suppress(EmptyShoeError):
            self._begin(found.bets)
            for action in found.actions:
                self._carry_out(action)

    def _begin(self, bets: tuple[Fraction, ...]) -> RoundState:
        self._actions = []
        self._spots_asked = []
        self._is_booked = False
        return self._finish(lambda: super(KeptTable, self).start(bets))

    def _carry_out(self, action: Action) -> RoundState:
        state = self.state
        self._actions.append(action)
        self._spots_asked.append(state.hands[state.active].spot)
        return self._finish(lambda: super(KeptTable, self).act(action))

    def _finish(self, play: Callable[[], RoundState]) -> RoundState:
        try:
            state = play()
        except EmptyShoeError:
            self._is_booked = True  # the round is void: there is nothing to book
            void_round(self.store, self.session)
            # Its cards are in no record, so the places of later rounds would show a gap.
            end_shoe(self.store, self.session)
            self.fair_shoe.end_shoe()
            self._tell_listeners()
            raise
        self.book()
        return state

    def _tell(self, events: Iterable[Event]) -> None:
        """Queue events until they are saved."""
        self._untold.extend(events)

    def _tell_listeners(self) -> None:
        events, self._untold = self._untold, []
        super()._tell(events)

    def book(self) -> None:
        """Book the last round if needed, then report its events. Raises: StoreError.

        After a failure this is repeated before the next round.
        """
        if self.is_owed:
            asked = enumerate(self._spots_asked)
            self.last_round = settle_round(
                self.store,
                self.session,
                self.state,
                cards=self.cards,
                player_spots=self.player_spots,
                own_answers=[step for step, spot in asked if spot in self.player_spots],
            )
            self._is_booked = True
        self._tell_listeners()


def _choose_own(player_spots: Collection[int] | None, spots: int) -> tuple[int, ...]:
    if player_spots is None:
        return tuple(range(spots))
    if not player_spots or not set(player_spots) <= set(range(spots)):
        which = "0" if spots == 1 else f"0 to {spots - 1}"
        msg = f"player_spots={sorted(player_spots)}: name one or more of the spots {which}"
        raise StoreError(msg)
    return tuple(sorted(set(player_spots)))


def _require_open_round(store: Store, session: SessionRecord) -> SavedRound:
    found = read_open_round(store, session.id)
    if found is None:
        raise StoreError(f"session {session.id} has no open round any more")
    return found
