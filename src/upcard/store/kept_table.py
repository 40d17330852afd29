"""`KeptTable`: a table that saves each start, answer and settlement. Nothing settled is lost."""

import json
from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import suppress
from fractions import Fraction
from typing import Final, Self, cast

from upcard.core.actions import Action, parse_action
from upcard.core.errors import EmptyShoeError, IllegalActionError
from upcard.core.wager import Wager
from upcard.fair.fair_shoe import FairShoe, FairState
from upcard.fair.seeds import Reveal
from upcard.players.play_rounds import extra_bet
from upcard.rules.model import Rules
from upcard.store import files, records, sessions
from upcard.store.bankroll import change_bankroll, free_chips_of
from upcard.store.database import Store
from upcard.table import legal, rounds, settle
from upcard.table.events import Event
from upcard.table.state import Bets, RoundState, start_round, wagers_of

_MOVED: Final = "session_id, number, shoe_id, shuffle, dealt, bets, own, actions, started_at"


class KeptTable(rounds.Table):
    """A `Table` with a fair shoe that saves its rounds as they are played.

    Bets are saved before a card is dealt, each answer before it is carried out, and a finished
    round is booked with the bankroll in one transaction. So `resume` finds the round as it was,
    whenever the process ends. Listeners get events once they are saved: no result is reported
    that is not on the disk. Make one with `sit_down` or `resume`; close it, or use it in a `with`.
    """

    def __init__(
        self, store: Store, session: records.SessionRecord, lock: files.Lock, shoe: FairShoe
    ) -> None:
        super().__init__(session.rules, shoe)
        self.store = store
        self.session = session
        self.fair_shoe = shoe
        self.last_round: int | None = None
        """Number in the store of the last booked round."""
        self._lock = lock
        self.player_spots: tuple[int, ...] = ()
        """The person's spots in the current or last round; empty before the first."""
        self._number: int | None = None
        self._actions: list[Action] = []
        self._spots_asked: list[int] = []
        self._is_booked = True
        self._untold: list[Event] = []

    @classmethod
    def sit_down(
        cls,
        store: Store,
        rules: Rules,
        *,
        player: str = "person",
        company: str = "",
        shoe: FairShoe | None = None,
    ) -> Self:
        """Start a session; the default `shoe` uses the operating system's entropy.

        `company` describes the others at the table, in the front-end's words, for resuming.
        """
        if shoe is not None and shoe.rules != rules:
            raise files.StoreError(f"the shoe is one of {shoe.rules}, the table plays {rules}")
        session, lock = sessions.start_session(store, rules, player=player, company=company)
        return cls(store, session, lock, FairShoe(rules) if shoe is None else shoe)

    @classmethod
    def resume(cls, store: Store, open_round: records.SavedRound) -> Self:
        """Resume an unfinished round after its last answer; book it if it is over."""
        session = open_round.session
        lock = sessions.lock_of(store, session.id)
        if not lock.take():
            raise files.StoreError(f"session {session.id} is being played in another terminal")
        try:
            found = _require_open_round(store, session)
            table = cls(store, session, lock, cast("FairShoe", found.record.make_shoe()))
            table._replay(found)
        except BaseException:
            lock.release()
            raise
        return table

    @property
    def free_chips(self) -> Fraction:
        """Chips not on other tables, as of the start of a round in progress."""
        return free_chips_of(self.store, besides=self.session.id)

    @property
    def round_number(self) -> int:
        """Number in its session of the current or last round."""
        if self._number is None:
            raise IllegalActionError("no round has been started at this table")
        return self._number

    @property
    def actions(self) -> tuple[Action, ...]:
        """Answers of the current or last round."""
        return tuple(self._actions)

    def start(
        self, bets: Bets = (1,), *, player_spots: Collection[int] | None = None
    ) -> RoundState:
        """Place bets, one a spot, save them, and deal.

        `player_spots`, counted from 0, are the person's (default: all); the others are the
        company's, whose chips are neither at risk nor booked.
        """
        if self.is_playing:
            raise IllegalActionError("a round is in progress at this table: finish it first")
        self.book()
        laid = wagers_of(start_round(self.rules, bets))
        mine = _choose_own(player_spots, len(laid))
        state = self.fair_shoe.prepare_round()
        self._number = self._save_start(state, laid, mine)
        self.player_spots = mine
        return self._begin(laid)

    def act(self, action: Action | str) -> RoundState:
        """Save an answer for the active hand, carry it out, and deal the cards due."""
        state, action = self.state, parse_action(action)
        refusal = legal.find_refusal(state, action)
        if refusal is not None:
            raise refusal.to_error()
        hand = state.hands[state.active]
        is_own = hand.spot in self.player_spots
        extra = Fraction(extra_bet(self.rules, action, hand) if is_own else 0)
        self._save_answer(action, extra)
        return self._carry_out(action)

    @property
    def is_owed(self) -> bool:
        """Whether a round is over but could not be booked or reported, as on a full disk."""
        return not self._is_booked and not self.is_playing

    def end_shoe(self) -> Reveal:
        """End the shoe between rounds and reveal its seeds."""
        if self.is_playing:
            raise IllegalActionError("the shoe ends between rounds: finish this one first")
        self.book()
        return self._end_shoe()

    def _end_shoe(self) -> Reveal:
        """End the shoe, whose seeds may be shown once that is recorded."""
        with self.store.change():
            sessions.end_shoe_in_play(self.store, self.session.id, records.now())
        return self.fair_shoe.end_shoe()

    def close(self) -> None:
        """Leave the table. A round in progress stays open and can be resumed."""
        try:
            sessions.end_session(self.store, self.session)
        finally:
            self._lock.release()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _replay(self, found: records.SavedRound) -> None:
        self._number, self.player_spots = found.number, found.player_spots
        with suppress(EmptyShoeError):  # a void round is dropped
            self._begin(found.record.bets)
            for action in found.record.actions:
                self._carry_out(action)

    def _begin(self, bets: tuple[Wager, ...]) -> RoundState:
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
            self._delete_void()
            # Its cards are in no record, so the places of later rounds would show a gap.
            self._end_shoe()
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
        """Book the last round if needed, then report its events.

        After a failure this is repeated before the next round.
        """
        if self.is_owed:
            self.last_round = self._settle()
            self._is_booked = True
        self._tell_listeners()

    def _save_start(
        self, state: FairState, bets: Sequence[Wager], player_spots: tuple[int, ...]
    ) -> int:
        """Save the bets of a round, before its first card is dealt; return its number.

        Those of `player_spots` are at risk; the others are the company's, whose chips are not
        tracked.
        """
        store, session = self.store, self.session
        has_bets = session.rules.betting
        at_risk = sum((bets[spot].total for spot in player_spots if has_bets), start=Fraction(0))
        with store.change():
            if store.row("SELECT 1 FROM open_rounds WHERE session_id = ?", session.id):
                raise files.StoreError(f"session {session.id} has an open round: finish it first")
            free = free_chips_of(store)
            if at_risk > free:
                raise files.NotCoveredError(f"bets of {at_risk} chips: {free} are free")
            shoe_id = self._find_shoe(state)
            last = store.row("SELECT max(number) FROM rounds WHERE session_id = ?", session.id)
            number = 1 + ((last and last[0]) or 0)
            store.insert(
                "open_rounds",
                session_id=session.id,
                number=number,
                shoe_id=shoe_id,
                **state.place._asdict(),
                bets=records.write_bets(bets),
                own="" if len(player_spots) == len(bets) else records.write_numbers(player_spots),
                actions="",
                at_risk=records.write_amount(at_risk),
                started_at=records.now(),
            )
        return number

    def _find_shoe(self, state: FairState) -> int:
        """Return the number of the shoe in play; a new one ends the last."""
        store, session, seeds = self.store, self.session, state.seeds
        server_seed = seeds.seed(state.number).hex()
        query = (
            "SELECT id, number, server_seed FROM shoes WHERE session_id = ? ORDER BY number DESC"
        )
        last = store.row(query, session.id)
        if last and last[2] == server_seed:
            statement = "UPDATE shoes SET next_player_seed = ? WHERE id = ?"
            store.run(statement, state.next_player_seed, last[0])
            return int(last[0])
        moment = records.now()
        sessions.end_shoe_in_play(store, session.id, moment)
        return store.insert(
            "shoes",
            session_id=session.id,
            number=1 + (last[1] if last else 0),
            commitment=str(seeds.commitment),
            server_seed=server_seed,
            player_seed=state.player_seed,
            next_player_seed=state.next_player_seed,
            chain_seed=seeds.secret.hex(),
            chain_number=state.number,
            committed_rules=seeds.rules,
            started_at=moment,
        )

    def _save_answer(self, action: Action, extra: Fraction) -> None:
        """Save an answer before it is carried out; it adds `extra` chips."""
        store, session = self.store, self.session
        with store.change():
            before = records.write_actions(self._actions)
            query = "SELECT at_risk FROM open_rounds WHERE session_id = ? AND actions = ?"
            row = store.row(query, session.id, before)
            if row is None:
                answers = f"the answers {before or 'none'!r}"
                raise files.StoreError(f"session {session.id} has no open round with {answers}")
            at_risk = Fraction(row[0])
            if session.rules.betting:
                free = free_chips_of(store)
                at_risk += extra
                if extra and extra > free:
                    msg = f"cannot {action.verb}: it takes {extra} more chips, {free} are free"
                    raise files.NotCoveredError(msg)
            statement = "UPDATE open_rounds SET actions = ?, at_risk = ? WHERE session_id = ?"
            after = records.write_actions([*self._actions, action])
            store.run(statement, after, records.write_amount(at_risk), session.id)

    def _settle(self) -> int:
        """Book a finished round: history and bankroll in one transaction.

        Return its number in the store, as in `upcard history`.
        """
        store, session, state = self.store, self.session, self.state
        player_spots = self.player_spots
        hands = [
            {
                "spot": hand.spot,
                "cards": records.write_cards(hand.cards),
                "total": hand.total,
                "outcome": str(outcome),
                "bet": records.write_amount(hand.stake),
                "net": records.write_amount(net),
            }
            for hand, (outcome, net) in zip(state.hands, state.results, strict=True)
        ]
        hands += map(records.write_side, state.side.results)
        nets, side_bets = settle.net_of_spots(state), settle.insurance_of_spots(state)
        net = sum((nets[spot] for spot in player_spots), start=Fraction(0))
        insurance_net = sum((side_bets[spot] for spot in player_spots), start=Fraction(0))
        own_answers = [step for step, spot in enumerate(self._spots_asked) if spot in player_spots]
        is_alone = len(player_spots) == len(nets)
        booked = net if session.rules.betting else Fraction(0)
        with store.change():
            if store.row("SELECT 1 FROM open_rounds WHERE session_id = ?", session.id) is None:
                raise files.StoreError(f"session {session.id} has no open round to settle")
            left = change_bankroll(store, booked)
            number = store.run(
                f"INSERT INTO rounds ({_MOVED}, own_answers, cards, hands, dealer, insurance_net,"  # noqa: S608
                f" net, booked, bankroll, settled_at) SELECT {_MOVED}, ?, ?, ?, ?, ?, ?, ?, ?, ?"
                " FROM open_rounds WHERE session_id = ?",
                "" if is_alone else records.write_numbers(own_answers),
                records.write_cards(self.cards),
                json.dumps(hands),
                records.write_cards(state.dealer),
                *map(records.write_amount, (insurance_net, net, booked, left)),
                records.now(),
                session.id,
            )
            store.run("DELETE FROM open_rounds WHERE session_id = ?", session.id)
        return number

    def _delete_void(self) -> None:
        """Delete a round that cannot continue, with all cards on the table: no bet was settled."""
        store, number = self.store, self.session.id
        with store.change():
            row = store.row("SELECT number FROM open_rounds WHERE session_id = ?", number)
            if row:
                statement = "DELETE FROM judgements WHERE session_id = ? AND number = ?"
                store.run(statement, number, row[0])
                store.run("DELETE FROM open_rounds WHERE session_id = ?", number)


def _choose_own(player_spots: Collection[int] | None, spots: int) -> tuple[int, ...]:
    if player_spots is None:
        return tuple(range(spots))
    if not player_spots or not set(player_spots) <= set(range(spots)):
        which = "0" if spots == 1 else f"0 to {spots - 1}"
        msg = f"player_spots={sorted(player_spots)}: name one or more of the spots {which}"
        raise files.StoreError(msg)
    return tuple(sorted(set(player_spots)))


def _require_open_round(store: Store, session: records.SessionRecord) -> records.SavedRound:
    found = sessions.read_open_round(store, session.id)
    if found is None:
        raise files.StoreError(f"session {session.id} has no open round any more")
    return found
