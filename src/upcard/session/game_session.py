"""`GameSession`: a person at a table: chips, company, a coach; saved or practice."""

from __future__ import annotations

import copy
import dataclasses
import random
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Final, NamedTuple, Self

from upcard.core.actions import Action
from upcard.core.cards import Card
from upcard.core.errors import EmptyShoeError, IllegalActionError, RulesError
from upcard.core.wager import WagerLike, read_wager
from upcard.players.betting_systems import BettingSystem, make_betting
from upcard.players.bots import CountingPlayer, Decider, ShoeWatcher, sit_down
from upcard.players.play_rounds import Bank, covered_actions, free_chips
from upcard.rules.model import Rules
from upcard.rules.settings import Shuffle
from upcard.session.plan import SeatPlan, TablePlan, read_company
from upcard.simulation.registry import check_player, make_player
from upcard.store.records import SavedRound
from upcard.table.bet_limits import why_not_bet
from upcard.table.events import Acted, Event, RoundStarted, Shuffled
from upcard.table.legal import Refusal, find_refusal
from upcard.table.rounds import CardList, RoundRecord, Table
from upcard.table.settle import net_of_spots
from upcard.table.shoe import Shoe, make_shoe
from upcard.table.state import Bets, RoundState

if TYPE_CHECKING:
    from upcard.coach.judgement import Advice, Judgement
    from upcard.players.seen_cards import SeenCards
    from upcard.session.coaching import AdviceRequest, TableCoach
    from upcard.store.database import Store
    from upcard.store.kept_table import KeptTable


class Before(NamedTuple):
    """The state that an answer in practice is taken back to."""

    seen: SeenCards | None
    events: int
    answers: int


class PracticeTable(Table):
    """A table whose last answer can be taken back, the end of the round with it."""

    def __init__(self, rules: Rules, shoe: Shoe) -> None:
        super().__init__(rules, shoe)
        self._marks: list[tuple[RoundState, int]] = []
        """The round before each answer, and how many cards were dealt by then."""

    def start(self, bets: Bets = (1,)) -> RoundState:
        """Place bets, one a spot, and deal; the answers of the last round are settled then."""
        state = super().start(bets)
        self._marks.clear()
        return state

    @property
    def answers(self) -> int:
        """How many answers of this round can be taken back."""
        return len(self._marks)

    def act(self, action: Action | str) -> RoundState:
        """Answer for the active hand, and deal what is due."""
        mark = self.state, len(self.cards)
        state = super().act(action)
        self._marks.append(mark)
        return state

    def undo(self) -> RoundState:
        """Take the last answer back, with the cards it brought; listeners hear nothing of it."""
        if not self._marks:
            raise IllegalActionError("cannot undo: no answer of this round is left to take back")
        before, dealt = self._marks.pop()
        self.shoe.position -= len(self.cards) - dealt
        del self.cards[dealt:]
        self._state = before
        return before


class GameSession:
    """One person at a table. Bots at other spots answer automatically, at once.

    Make one with `keep`, `resume` or `practise`; close it, or use it in a `with`. The events of
    the table reach `listeners`, and stay in `events` until the next round.
    """

    def __init__(  # noqa: PLR0913 (each is named in the call)
        self,
        plan: TablePlan,
        table: Table,
        *,
        coach: TableCoach | None,
        companions: Sequence[Companion],
        chips: Fraction = Fraction(0),
        kept: KeptTable | None = None,
    ) -> None:
        """Take what `keep`, `resume` and `practise` have prepared; `chips` are of practice."""
        self.plan = plan
        self.rules = plan.rules
        self.table = table
        self.kept = kept
        self.coach = coach
        self.bank = Bank(balance=chips if plan.rules.betting else None)
        if kept is not None and plan.rules.betting:
            self.bank = Bank(balance=kept.free_chips, read_chips=lambda: kept.free_chips)
        self.player_spots = plan.player_spots
        self.listeners = table.listeners
        self.events: list[Event] = []
        self.ledger: defaultdict[int, LedgerRound] = defaultdict(LedgerRound)
        """Rounds by their number; a verdict may come after its round has ended."""
        self.net: Fraction | None = None
        """The net of the person in the last round; None while one is played."""
        others = iter(companions)
        self.seats = tuple(None if seat is None else next(others) for seat in plan.seats)
        self.why_final = ""
        """Why answers are not taken back at this table; empty if practice allows it."""
        self.is_void = False
        """Whether the last round ended without a card to deal: it does not count."""
        self.when_void: list[Callable[[], object]] = []
        """Called when a round becomes void."""
        self._answers = 0
        self._before: list[Before] = []
        self._options: tuple[RoundState, Fraction | None, tuple[Action, ...]] | None = None
        """The answers of a state that the chips cover."""
        table.listeners.append(self._hear)
        for companion in companions:
            companion.watch(table)

    @classmethod
    def keep(
        cls,
        store: Store,
        plan: TablePlan,
        *,
        coach: TableCoach | None = None,
        rng: random.Random | None = None,
    ) -> Self:
        """Sit down at a table that remembers, with the chips of the profile.

        Bots that need a chart work it out here, which can take seconds.
        """
        from upcard.store.kept_table import KeptTable

        companions = seat_all(plan, rng)
        table = KeptTable.sit_down(store, plan.rules, company=plan.company)
        return cls(plan, table, coach=coach, companions=companions, kept=table)

    @classmethod
    def resume(
        cls,
        store: Store,
        left: SavedRound,
        plan: TablePlan,
        *,
        coach: TableCoach | None = None,
        rng: random.Random | None = None,
    ) -> Self:
        """Sit down at a round that was left unfinished, with the shoe and the company it had.

        What was seen of the shoe before is seen again; the company's betting begins again.
        """
        from upcard.store.kept_table import KeptTable

        companions = seat_all(plan, rng)
        table = KeptTable.resume(store, left)
        session = cls(plan, table, coach=coach, companions=companions, kept=table)
        session._catch_up(left)
        return session

    @classmethod
    def practise(
        cls,
        plan: TablePlan,
        *,
        chips: Fraction,
        shoe: Shoe | None = None,
        coach: TableCoach | None = None,
        rng: random.Random | None = None,
    ) -> Self:
        """Sit down with practice chips; nothing is saved, and answers can be taken back."""
        companions = seat_all(plan, rng)
        table = PracticeTable(plan.rules, make_shoe(plan.rules) if shoe is None else shoe)
        return cls(plan, table, chips=chips, coach=coach, companions=companions)

    @property
    def is_playing(self) -> bool:
        """Whether a round is in progress."""
        return self.table.is_playing

    @property
    def state(self) -> RoundState:
        """The round in progress, or the last one."""
        return self.table.state

    @property
    def options(self) -> tuple[Action, ...]:
        """The answers that the rules allow and the chips cover; none between rounds."""
        if not self.is_playing or not self.table.legal_actions():
            return ()
        stands = self._options
        if stands is None or stands[0] is not self.state or stands[1] != self.bank.balance:
            # A full disk may have stopped the company in front of one of its hands.
            is_own = self.table.view().hand.spot in self.player_spots
            covered = self._covered() if is_own else ()
            stands = self._options = self.state, self.bank.balance, covered
        return stands[2]

    def play_hands(self, hands: int) -> None:
        """Play this many hands from the next round on."""
        if self.is_playing or (self.kept is not None and self.kept.is_owed):
            msg = f"cannot play {hands} hands: the round in progress comes first"
            raise IllegalActionError(msg)
        if hands == self.plan.hands:
            return
        self.plan = dataclasses.replace(self.plan, hands=hands)
        self.player_spots = self.plan.player_spots
        others = iter([seat for seat in self.seats if seat is not None])
        self.seats = tuple(None if seat is None else next(others) for seat in self.plan.seats)
        self._before.clear()

    def place(self, bet: WagerLike) -> RoundState:
        """Place a wager on each of the person's hands, deal, and play up to the first question."""
        self.settle_owed()
        if not self.is_playing:
            self.bank.look()
        if reason := self.why_not_bet(bet):
            raise RulesError(reason)
        wager = read_wager(bet)
        bets = tuple(
            Fraction(1) if not self.rules.betting else (wager if seat is None else seat.next_bet())
            for seat in self.seats
        )
        if not self.is_playing:
            self.events.clear()
            self._before.clear()
            self._answers = 0
            self.is_void = False
        with self._voiding():
            if self.kept is not None:
                self.kept.start(bets, player_spots=self.player_spots)
            else:
                self.table.start(bets)
            self.net = None
            return self._go_on()

    def settle_owed(self) -> bool:
        """Continue where a disk fault stopped the company or the booking; False if nowhere."""
        if self.kept is None:
            return False
        if self.is_playing and not self.options:
            with self._voiding():
                self._go_on()
            return True
        if not self.kept.is_owed:
            return False
        self.kept.book()
        self._book()
        return True

    def why_not_bet(self, bet: WagerLike) -> str:
        """Say why bets cannot be placed on each hand; empty if they can."""
        plan, hands = self.plan, len(self.player_spots)
        try:
            wager = read_wager(bet).in_order(one.code for one in self.rules.side_bets)
        except RulesError as error:
            return str(error)
        return why_not_bet(wager, self.bank.balance, hands=hands, unit=plan.unit, limit=plan.limit)

    @property
    def on_table(self) -> Fraction:
        """The chips the person has on the round in progress: doubles, splits and insurance too."""
        balance = self.bank.balance
        if not self.is_playing or balance is None:
            return Fraction(0)
        return balance - free_chips(self.table.view(), balance, self.player_spots)

    def act(self, action: Action) -> tuple[Event, ...] | Refusal:
        """Answer for the active hand, and let the company play up to the next question.

        Returns the events that follow, or why the answer is refused, and nothing has changed.
        """
        if (refusal := self.find_refusal(action)) is not None:
            return refusal
        if isinstance(self.table, PracticeTable):
            seen = None if self.coach is None else copy.deepcopy(self.coach.seen)
            self._before.append(Before(seen, len(self.events), self.table.answers))
        told = len(self.events)
        with self._voiding():
            self._act(action)
            self._go_on()
        return tuple(self.events[told:])

    def find_refusal(self, action: Action) -> Refusal | None:
        """Return why an answer is not possible now; None if it is."""
        options = self.options
        if action in options:
            return None
        if not options:
            return Refusal(action, "no hand is asked now")
        refusal = find_refusal(self.table.state, action)
        if refusal is None:
            return self.bank.refuse_uncovered(self.table.view(), action, options, self.player_spots)
        # The rules may allow more than the chips cover: name what is really open.
        return dataclasses.replace(refusal, legal=options)

    def ask(self) -> AdviceRequest | None:
        """Write down the question that the person is asked, for the coach; None if there is none.

        Call it before `act`: it captures the cards seen so far.
        """
        if self.coach is None or not self.options:
            return None
        view, number = self.table.view(), self._round_number
        return self.coach.ask(view, self.options, step=self._answers, round_number=number)

    @property
    def _round_number(self) -> int:
        return self.bank.rounds + 1 if self.kept is None else self.kept.round_number

    def judge(self, asked: AdviceRequest, advice: Advice, action: Action) -> Judgement:
        """Judge an answer to a question, and keep what it cost."""
        judgement = advice.judge(action)
        self.ledger[asked.round_number].judged[asked.step] = judgement
        if self.kept is not None:
            from upcard.session.coaching import keep_judgement

            keep_judgement(self.kept, asked, advice, judgement)
        return judgement

    @contextmanager
    def _voiding(self) -> Iterator[None]:
        """Forget a round that needs a card where none is left: no answer of it counts."""
        try:
            yield
        except EmptyShoeError:
            self.is_void = True
            self.net = None
            self._before.clear()
            self.ledger.pop(self._round_number, None)
            for tell in self.when_void:
                tell()
            raise

    @property
    def can_undo(self) -> bool:
        """Whether an answer can be taken back: in practice, alone at the table."""
        return not self.why_no_undo

    @property
    def why_no_undo(self) -> str:
        """Why no answer can be taken back; empty if one can."""
        if self.kept is not None:
            return "cannot undo: this game is saved; only practice takes answers back"
        if self.why_final:
            return f"cannot undo: {self.why_final}"
        if any(self.seats):
            return "cannot undo: there is company, which has played on"
        if self.is_void:
            return "cannot undo: the last round does not count, and your bet is back"
        return "" if self._before else "cannot undo: no answer of this round is left to take back"

    def undo(self) -> RoundState:
        """Take the person's last answer of this round back, and all that came of it.

        Listeners hear nothing of it: `events` is what is left of the round.
        """
        if not self.can_undo or not isinstance(self.table, PracticeTable):
            raise IllegalActionError(self.why_no_undo)
        if self.net is not None:
            self.bank.undo(self.net)
            self.net = None
        before = self._before.pop()
        while self.table.answers > before.answers:
            self.table.undo()
        self._answers = before.answers
        found = self.ledger[self._round_number]
        found.net = None
        found.judged = {step: one for step, one in found.judged.items() if step < before.answers}
        del self.events[before.events :]
        if self.coach is not None and before.seen is not None:
            self.coach.seen = before.seen
        return self.table.state

    def close(self) -> None:
        """Leave the table. A round in progress stays open, to be resumed."""
        if self.kept is not None:
            self.kept.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _hear(self, event: Event) -> None:
        self.events.append(event)
        if self.coach is not None:
            self.coach.hear(event)

    def _act(self, action: Action) -> None:
        self.table.act(action)
        self._answers += 1

    def _covered(self) -> tuple[Action, ...]:
        legal = self.table.legal_actions()
        if self.bank.balance is None:
            return legal
        return covered_actions(self.table.view(), legal, self.bank.balance, self.player_spots)

    def _go_on(self) -> RoundState:
        """Answer for the company, and where only one answer is left, until the person is asked."""
        table = self.table
        while table.is_playing:
            view, legal = table.view(), table.legal_actions()
            seat = self.seats[view.hand.spot]
            if seat is not None:
                self._act(legal[0] if len(legal) == 1 else seat.decider.decide(view, legal))
                continue
            options = self._covered()
            if len(options) > 1:
                return table.state
            self._act(options[0])
        self._book()
        return table.state

    def _book(self) -> None:
        nets = self._add_up()
        found = self.ledger[self._round_number]
        found.net = self.net
        if self.kept is None:  # a round that is not saved stays here, to be reviewed
            events = self.events
            found.record = RoundRecord(
                rules=self.rules,
                bets=tuple(next(one.bets for one in events if isinstance(one, RoundStarted))),
                actions=tuple(one.action for one in events if isinstance(one, Acted)),
                source=CardList(tuple(self.table.cards)),
            )
        self.bank.settle(self.net or Fraction(0))
        for spot, seat in enumerate(self.seats):
            if seat is not None:
                seat.record(nets[spot])

    def _catch_up(self, left: SavedRound) -> None:
        """Hear what was dealt from the shoe before, then the round that was found."""
        if self.kept is None:
            return
        for events, dealer in _replay_shoe_in_play(self.kept):
            self._tell(events)
            for seat in self.seats:
                if seat is not None:
                    seat.finish_round(dealer)
        self.events.clear()
        self._tell(left.record.events)
        self._answers = len(left.record.actions)
        if self.is_playing:
            self._go_on()
        else:
            self._add_up()  # the chips have it already

    def _tell(self, events: Iterable[Event]) -> None:
        for event in events:
            for listener in self.listeners:
                listener(event)

    def _add_up(self) -> tuple[Fraction, ...]:
        """Find what the person's spots brought, and return what each spot did."""
        nets = net_of_spots(self.table.state)
        self.net = sum((nets[spot] for spot in self.player_spots), start=Fraction(0))
        return nets


@dataclass(slots=True)
class LedgerRound:
    """Verdicts on one round, and how it ended."""

    judged: dict[int, Judgement] = field(default_factory=dict)
    """By the number of the answer in the round, of all players."""
    net: Fraction | None = None
    """None until the round is over."""
    record: RoundRecord | None = None
    """The round itself, where it is not saved."""


def _replay_shoe_in_play(table: KeptTable) -> Iterator[tuple[tuple[Event, ...], tuple[Card, ...]]]:
    """Tell the settled rounds of the shoe in play: the events of each, and the dealer's cards.

    A shoe that is shuffled every round has none, as nothing of it is left to know.
    """
    from upcard.store.history import read_rounds_in_play

    rules = table.rules
    if rules.shuffle is not Shuffle.CUT_CARD or rules.is_infinite:
        return
    shuffled: tuple[Event, ...] = (Shuffled(rules.full_shoe.size),)
    for stored in read_rounds_in_play(table.store, table.session):
        events = list(shuffled)
        end = stored.record.play(events.append)[-1]
        yield tuple(events), end.dealer
        shuffled = ()


_MOST_UNITS: Final = 100
"""The most units that a bot bets: a martingale would have no end."""


def check_company(text: str, rules: Rules) -> None:
    """Check that company can sit at a table with these rules; no chart is worked out."""
    for seat in filter(None, read_company(text)):
        check_player(seat.player, rules)
        make_betting(seat.betting or "flat")


@dataclass(slots=True, kw_only=True)
class Companion:
    """A bot at a spot; its chips are not limited, only what it won is shown."""

    name: str
    decider: Decider
    betting: BettingSystem
    unit: Fraction
    bets_units: bool = False
    """Whether the betting is in units, as a counter's ramp is, not in chips."""
    net: Fraction = field(default=Fraction(0), init=False)

    def next_bet(self) -> Fraction:
        """Return the next bet, in chips; one that would be 0 is a unit, as it keeps its spot."""
        bet = self.betting.next_bet()
        if self.bets_units:
            bet *= self.unit
        return bet or self.unit

    def record(self, net: Fraction) -> None:
        """Take in what its spot won or lost, in chips."""
        self.net += net
        self.betting.record(net)

    def finish_round(self, dealer: Sequence[Card]) -> None:
        """See all the dealer's cards of a round that was played before it sat down."""
        if isinstance(self.decider, ShoeWatcher):
            self.decider.finish_round(dealer)

    def watch(self, table: Table) -> None:
        """Look at what happens at the table, if that matters to it."""
        sit_down(self.decider, table)


def seat_all(plan: TablePlan, rng: random.Random | None) -> list[Companion]:
    """Sit the company of a plan down, in the order of dealing."""
    seats = filter(None, plan.seats)
    return [seat_companion(seat, plan.rules, unit=plan.bet, rng=rng) for seat in seats]


def seat_companion(
    seat: SeatPlan, rules: Rules, *, unit: Fraction, rng: random.Random | None = None
) -> Companion:
    """Sit a bot down; one that needs a chart works it out, which can take seconds."""
    name, decider = str(seat), make_player(seat.player, rules, rng)
    if isinstance(decider, CountingPlayer) and not seat.betting:
        return Companion(name=name, decider=decider, betting=decider, unit=unit, bets_units=True)
    limit = unit * _MOST_UNITS
    betting = make_betting(seat.betting or "flat", unit=unit, limit=limit, rng=rng)
    return Companion(name=name, decider=decider, betting=betting, unit=unit)
