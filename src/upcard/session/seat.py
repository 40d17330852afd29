"""`Seat`: the whole conversation at a table, in its order; front-ends paint its updates.

A round goes so: what is owed of the last one is booked; the running count is asked for, if it is
time; the bet is compared with the ramp and placed; the cards are dealt; the coach is asked about
each question before it is answered; at the end the hole card is counted, a shoe that is over is
revealed, and the next bet is fitted to the chips. A round that needs a card where none is left is
void: the bets are back, and no answer of it counts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

from upcard.core.actions import Action
from upcard.core.errors import (
    BlackjackError,
    EmptyShoeError,
    IllegalActionError,
    NotationError,
    RulesError,
)
from upcard.core.wager import Wager, WagerLike, read_wager, type_wager
from upcard.fair.seeds import Reveal
from upcard.players.seen_cards import Knowledge
from upcard.rules.model import Rules
from upcard.session.betting import TableBetting, bring_chips
from upcard.session.coaching import CoachQueue, CoachVoice, TableCoach
from upcard.session.count_check import BetRemark, CountCheck, CountRemark
from upcard.session.game_session import GameSession, seat_all
from upcard.session.plan import DEFAULT_CHIPS, PlayTerms, TablePlan, plan_of
from upcard.store import bankroll, records, sessions
from upcard.strategy.count_system import read_count
from upcard.table.events import DealerDealt, Event, Revealed, RoundEnded, RoundStarted
from upcard.table.legal import Refusal
from upcard.table.shoe import Shoe, make_practice_shoe, make_stream

if TYPE_CHECKING:
    from upcard.answers.hand import Verdict
    from upcard.session.first_hand import FirstHands
    from upcard.store.database import Store


_NO_COMMITMENT: Final = "practice has no commitment to the cards"
_A_ROUND: Final = 10_000
"""Versions of one round; it has fewer answers."""


class Due(StrEnum):
    """The next step, for which the table waits."""

    ANSWER = "answer"
    COUNT = "count"
    """The running count, before the next bet; it can be skipped."""
    BET = "bet"
    CHIPS = "chips"
    """More chips, or fewer hands: the smallest bets are not covered."""
    NOTHING = "nothing"
    """The table is over."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Update:
    """The result of a call; `refusal` and `fault` say that nothing has changed, and why."""

    version: int
    """Number of the table as it stands; it grows with every change."""
    due: Due
    """The next step."""
    events: tuple[Event, ...] = ()
    """All that happened at the table, in order."""
    ends_round: bool = False
    """Whether the round ended with this."""
    refusal: Refusal | None = None
    """Why an answer is not possible."""
    fault: BlackjackError | None = None
    """Why anything else is not possible."""
    void: EmptyShoeError | None = None
    """Which card was missing; the round does not count."""
    bet_remark: BetRemark | None = None
    """The bet of the ramp, where another one was placed."""
    count_remark: CountRemark | None = None
    """The count that was asked for, and whether the answer was right."""
    reveal: Reveal | None = None
    """The seeds of a shoe that is over."""
    brought: Fraction = Fraction(0)
    """Chips that were brought."""
    notes: tuple[str, ...] = ()
    """Messages about the next bet, such as one lowered to the chips."""

    @property
    def why_void(self) -> str:
        """Why the round does not count; empty if it does."""
        return "" if self.void is None else f"{self.void}; this round does not count"


class Seat:
    """A person's seat at a table: every call returns an `Update`.

    All calls belong to one thread. A fault of the disk raises `StoreError`; what was dealt stays
    dealt, and is booked before the next round.
    """

    def __init__(  # noqa: PLR0913 (each is named in the call)
        self,
        session: GameSession,
        coaching: CoachQueue | None = None,
        *,
        check: CountCheck | None = None,
        rounds: int | None = None,
        then: str = "",
        guide: FirstHands | None = None,
    ) -> None:
        """Sit at `session`; `check` asks for the count, and the rest is as in `TableBetting`.

        A `guide` leads through its hands: it refuses answers that its step does not ask for.
        """
        self.session = session
        self.coaching = CoachQueue(session) if coaching is None else coaching
        self.betting = TableBetting(session, rounds=rounds, then=then, check=check)
        self.guide = guide
        self.brought = Fraction(0)
        """Chips that were brought for it; less than 0 were taken home."""
        self.version = 0
        self.shows_hole_card = True
        """Whether a hole card that a round did not need is turned up after it."""
        self._shows_end = False
        """Whether a round has ended whose end is not in an update yet."""
        session.listeners.append(self._hear)

    @property
    def due(self) -> Due:
        """The next step, for which the table waits."""
        if self.session.options:
            return Due.ANSWER
        if self.betting.is_over:
            return Due.NOTHING
        if self.betting.question:
            return Due.COUNT
        return Due.BET if self.betting.shortage is None else Due.CHIPS

    def begin(self) -> Update:
        """Sit down: tell what was played of a round found unfinished, or prepare the first bet."""
        events = tuple(self.session.events)
        if not events:
            return self._change(notes=tuple(self.betting.begin()))
        for event in events:
            self._hear(event)
        return self._go_on(events)

    def bet(self, said: WagerLike) -> Update:
        """Place a bet, and side bets, on each hand; deal up to the first question, or the end."""
        if (left := self._finish_left()) is not None:
            return left
        if (fault := self.why_no_round()) is not None:
            return self._refuse(fault)
        session = self.session
        try:
            wager = self.read_bet(said)
        except (NotationError, RulesError) as error:
            return self._refuse(error)
        if reason := session.why_not_bet(wager):
            return self._refuse(RulesError(reason))
        self.coaching.start_round()
        remark = self.betting.begin_round(wager.main)
        try:
            session.place(wager)
        except EmptyShoeError as error:
            return self._void(error, bet_remark=remark)
        self.betting.entry.accept(wager)
        return self._go_on(tuple(session.events), bet_remark=remark)

    def read_bet(self, said: WagerLike) -> Wager:
        """Read the bets of a hand, as they are typed or as values."""
        codes = [bet.code for bet in self.session.rules.side_bets]
        if isinstance(said, str):
            return type_wager(said, codes)
        return read_wager(said).in_order(codes)

    def why_no_round(self) -> BlackjackError | None:
        """Return why no round can begin now; None if one can."""
        if self.session.is_playing:
            return IllegalActionError("a round is in progress: finish it first")
        if self.betting.is_over:
            return IllegalActionError(self.betting.ending)
        if self.guide is not None and self.guide.step.is_over:
            return IllegalActionError("your first hands are played: leave the table")
        if self.betting.question:
            return IllegalActionError("the running count is asked first: answer it or skip it")
        return None

    def act(self, action: Action) -> Update:
        """Answer for the active hand, and play up to the next question, or the end."""
        if self.guide is not None and (astray := self.guide.refuse(action)) is not None:
            return self._as_it_is(refusal=astray)
        try:
            answered = self.session.act(action)
        except EmptyShoeError as error:
            return self._void(error)
        if isinstance(answered, Refusal):
            return self._as_it_is(refusal=answered)
        self.coaching.note(action)
        return self._go_on(answered)

    def answer_count(self, said: Fraction | str | None) -> Update:
        """Answer the count question, by a text or a number; None or an empty text skips it."""
        count, check = self.betting.count, self.betting.check
        if check is None or not self.betting.question:
            return self._refuse(IllegalActionError("the running count is not asked now"))
        if said is None or said == "":
            count.skip()
            return self._change()
        try:
            number = said if isinstance(said, Fraction) else read_count(said)
        except NotationError as error:
            return self._refuse(error)
        count.cancel()
        return self._change(count_remark=check.answer(number))

    def undo(self) -> Update:
        """Take the last answer back, in practice; `events` are what is left of the round."""
        try:
            self.session.undo()
        except IllegalActionError as error:
            return self._refuse(error)
        self._shows_end = False
        self.coaching.take_back()
        self.betting.take_back()
        return self._go_on(tuple(self.session.events))

    def play_hands(self, hands: int) -> Update:
        """Play another number of hands from the next round on."""
        if (left := self._finish_left()) is not None:
            return left
        if self.guide is not None:
            return self._refuse(IllegalActionError("the first hands are played one at a time"))
        try:
            self.session.play_hands(hands)
        except (IllegalActionError, RulesError) as error:
            return self._refuse(error)
        return self._change(notes=tuple(self.betting.begin()))

    def play_fewer(self) -> Update:
        """Play as many hands as the chips cover."""
        return self._finish_left() or self._change(notes=tuple(self.betting.play_fewer()))

    def bring_chips(self) -> Update:
        """Bring chips where the smallest bets are not covered."""
        if (left := self._finish_left()) is not None:
            return left
        try:
            brought = bring_chips(self.session)
        except IllegalActionError as error:
            return self._refuse(error)
        return self._change(brought=brought, notes=tuple(self.betting.begin()))

    def add_seed(self, text: str) -> Update:
        """Mix a text of yours into the shoes to come; before its first card, into this one.

        An empty text takes yours out.
        """
        if (kept := self.session.kept) is None:
            return self._refuse(IllegalActionError(f"{_NO_COMMITMENT}, so no seed of yours either"))
        shoe, words = kept.fair_shoe, text.strip()
        before = shoe.next_player_seed
        try:
            shoe.add_player_seed(words)
        except NotationError as error:
            return self._refuse(error)
        if words and shoe.player_seed != words and shoe.next_commitment is None:
            shoe.add_player_seed(before)
            msg = "the next shoe gets a new commitment: add your words once that is shown"
            return self._refuse(NotationError(msg))
        return self._as_it_is()

    def end_shoe(self) -> Update:
        """End the shoe between rounds, and reveal its seeds."""
        if (kept := self.session.kept) is None:
            nothing = f"{_NO_COMMITMENT}, so there is nothing to reveal"
            return self._refuse(IllegalActionError(nothing))
        try:
            return self._change(reveal=kept.end_shoe())
        except IllegalActionError as error:
            return self._refuse(error)

    def leave(self, *report: str, saved: str = "") -> str:
        """Leave; return the balance, the `report`, and `saved` if a hand is left unfinished."""
        session = self.session
        is_left = session.is_playing and session.kept is not None
        if is_left:
            session.bank.on_table = session.on_table
        words = [session.bank.summarize("round"), *report, saved if is_left else ""]
        session.close()
        return " ".join(filter(None, words))

    def collect(self) -> list[Verdict]:
        """Judge the answers whose value is known by now."""
        verdicts = self.coaching.collect()
        if self.guide is not None:
            self.guide.keep_place()
        return verdicts

    def choose_voice(self, voice: CoachVoice) -> CoachVoice:
        """Return when the coach speaks at this table: as the guide has it, or else `voice`."""
        return voice if self.guide is None else self.guide.voice

    # ---- the order of a round

    def _finish_left(self) -> Update | None:
        """Continue where a fault of the disk stopped; None if nothing is left of it.

        It comes first, in place of the call.
        """
        heard = len(self.session.events)
        try:
            if not self.session.settle_owed():
                return None
        except EmptyShoeError as error:
            return self._void(error)
        return self._go_on(tuple(self.session.events[heard:]))

    def _hear(self, event: Event) -> None:
        if isinstance(event, RoundStarted):
            self._shows_end = False
        elif isinstance(event, RoundEnded):
            self._shows_end = True

    def _go_on(self, events: tuple[Event, ...], *, bet_remark: BetRemark | None = None) -> Update:
        """Ask the coach about the question that stands, or end the round."""
        if self.session.options:
            self.coaching.ask()
        if not self._shows_end:
            return self._change(events=events, bet_remark=bet_remark)
        self._shows_end = False
        self._count_hole_card()
        reveal, kept = None, self.session.kept
        if kept is not None and kept.fair_shoe.is_over:
            reveal = kept.end_shoe()
        ending = {"ends_round": True, "reveal": reveal, "notes": tuple(self.betting.begin())}
        return self._change(events=events, bet_remark=bet_remark, **ending)

    def _count_hole_card(self) -> None:
        """Let the coach and the count see a hole card that is shown after the round only."""
        if not self.shows_hole_card:
            return
        session = self.session
        was_hidden = any(isinstance(e, DealerDealt) and e.card is None for e in session.events)
        if was_hidden and not any(isinstance(e, Revealed) for e in session.events):
            for watcher in (session.coach, self.betting.check):
                if watcher is not None:
                    watcher.finish_round(session.state.dealer)

    def _void(self, error: EmptyShoeError, *, bet_remark: BetRemark | None = None) -> Update:
        events = tuple(self.session.events)
        return self._change(events=events, void=error, bet_remark=bet_remark)

    # ---- updates

    def _change(self, **parts: Any) -> Update:
        self._next_version()
        if self.guide is not None:
            self.guide.keep_place()
        return self._as_it_is(**parts)

    def _refuse(self, fault: BlackjackError) -> Update:
        return self._as_it_is(fault=fault)

    def _as_it_is(self, **parts: Any) -> Update:
        return replace(Update(version=self.version, due=self.due), **parts)

    def _next_version(self) -> None:
        """Give the table as it stands now a number.

        In a saved round it follows from the round and its answers, so that a page from before a
        restart of the server is known as up to date, or as old.
        """
        kept = self.session.kept
        self.version += 1
        if kept is not None and self.session.events:
            place = kept.round_number * _A_ROUND + len(kept.actions)
            self.version = max(self.version, place)


def open_seat(  # noqa: PLR0913 (three are named in the call)
    plan: TablePlan,
    store: Store | None,
    coach: TableCoach | None,
    terms: PlayTerms | None = None,
    *,
    buys_in: bool = True,
    shoe: Shoe | None = None,
    queue: Callable[[GameSession], CoachQueue] = CoachQueue,
) -> Seat:
    """Take a seat at a new table with its company; it is saved if `plan` has it so and `store` can.

    The `terms` say which chips, seeds and cards are brought, and how many rounds are played;
    without `buys_in` the house asks for the chips later. `shoe` is for practice, instead of theirs.
    `queue` makes what asks the coach.

    Raises: FieldFaultsError, if the count or the ramp of the plan cannot be; BlackjackError.
    """
    brings, brought = PlayTerms() if terms is None else terms, Fraction(0)
    check = CountCheck.of(plan, brings.cards)
    if store is None or not plan.keeps:
        shoe = shoe or make_practice_shoe(plan.rules, seed=brings.seed, cards=brings.cards)
        rng, chips = make_stream(brings.seed, "company"), brings.chips or DEFAULT_CHIPS
        session = GameSession.practise(plan, chips=chips, shoe=shoe, coach=coach, rng=rng)
    else:
        if plan.rules.betting and buys_in:
            brought = bankroll.buy_in(store, brings.chips)
        session = GameSession.keep(store, plan, coach=coach, rng=make_stream(None, "company"))
        if session.kept is not None and brings.player_seed:
            session.kept.fair_shoe.add_player_seed(brings.player_seed)
    seat = Seat(session, queue(session), check=check, rounds=brings.rounds)
    seat.brought = brought
    return seat


def prepare_company(plan: TablePlan) -> None:
    """Work out how the company of a table plays, so that no fault of it comes later: seconds."""
    seat_all(plan, None)


@dataclass(frozen=True, slots=True)
class LeftHand:
    """A hand left unfinished in the history of a profile."""

    found: records.SavedRound

    @property
    def rules(self) -> Rules:
        """The rules it is played by."""
        return self.found.session.rules

    @property
    def plan(self) -> TablePlan:
        """The table that it was left at."""
        return plan_of(self.found)

    @property
    def announcement(self) -> str:
        """The sentence that announces it."""
        return f"A hand was left unfinished: {self.plan.title}{self._stake}. It continues first."

    def why_kept(self, reason: str) -> str:
        """Say that it cannot continue now, and why."""
        hand = f"A hand was left unfinished ({self.rules}{self._stake})"
        return f"{hand} and cannot continue now: {reason}. It stays as it is."

    @property
    def _stake(self) -> str:
        if not self.rules.betting:
            return ""
        player_spots = self.found.player_spots
        each = "" if len(player_spots) == 1 else f" on each of {len(player_spots)} hands"
        return f", bet {self.found.record.bets[player_spots[0]]}{each}"

    def resume(
        self,
        store: Store,
        *,
        knows: Knowledge | str,
        then: str = "",
        queue: Callable[[GameSession], CoachQueue] = CoachQueue,
    ) -> Seat:
        """Sit down at it, with its shoe, its company and a coach; it stands where it was left."""
        coach, rng = TableCoach(self.rules, knows=knows), make_stream(None, "company")
        session = GameSession.resume(store, self.found, self.plan, coach=coach, rng=rng)
        return Seat(session, queue(session), then=then)


def find_left_hands(store: Store) -> Iterator[LeftHand]:
    """Find the hands of the profile that were left unfinished, the oldest first."""
    for found in list(sessions.find_open_rounds(store)):
        yield LeftHand(found)
