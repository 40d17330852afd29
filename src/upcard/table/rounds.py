"""Rounds: `Table` deals one after another, `play_round` a script, `RoundRecord` one again.

Each of these is a record: a round in the history, a code, a simulated round, an unfinished hand.
Its cards, questions, results and alternatives are computed by playing it.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple, Protocol

from upcard.core import errors, figure
from upcard.core.actions import Action, Outcome, parse_action, parse_answers
from upcard.core.cards import Card
from upcard.core.wager import Wager
from upcard.rules.house import RulesLike, as_rules, reads_rules
from upcard.rules.model import Rules
from upcard.table.engine import apply, deal
from upcard.table.events import Event, RoundStarted, Shuffled
from upcard.table.legal import legal_actions
from upcard.table.shoe import ScriptedShoe, Shoe, open_shoe
from upcard.table.side_stakes import SideResult
from upcard.table.state import (
    OWN_OFFERS,
    Bets,
    RoundState,
    TableView,
    read_wagers,
    start_round,
    view,
    wagers_of,
)


class Table:
    """A table with its shoe. Listeners are called with every event, in order.

    >>> from upcard.rules.model import Rules
    >>> from upcard.table.shoe import ScriptedShoe
    >>> table = Table(Rules.parse("6D"), ScriptedShoe("T 6 8 T 9"))
    >>> table.start([10]).hands[0].total
    18
    """

    def __init__(self, rules: RulesLike, shoe: Shoe | str | None = None) -> None:
        """Open a table with a shoe or the text of its cards, in the order in which they are dealt.

        Without a `shoe`, one is shuffled by the operating system's entropy.
        """
        self.rules = as_rules(rules)
        self.shoe = open_shoe(self.rules, shoe)
        self.listeners: list[Callable[[Event], object]] = []
        self.cards: list[Card] = []
        """Cards of the current or last round, in the order dealt."""
        self._state: RoundState | None = None
        self._legal: tuple[RoundState, tuple[Action, ...]] | None = None
        self._view: tuple[RoundState, TableView] | None = None

    @property
    def state(self) -> RoundState:
        """The round in progress, or the last one.

        Raises: IllegalActionError before the first round.

        >>> from upcard.rules.model import Rules
        >>> from upcard.table.shoe import ScriptedShoe
        >>> table = Table(Rules(), ScriptedShoe("T 6 8 T 9"))
        >>> table.start() == table.state
        True
        """
        if self._state is None:
            raise errors.IllegalActionError("no round has been started at this table")
        return self._state

    @property
    def is_playing(self) -> bool:
        """Whether a round is in progress.

        >>> from upcard.rules.model import Rules
        >>> Table(Rules()).is_playing
        False
        """
        return self._state is not None and not self._state.is_over

    def view(self) -> TableView:
        """Return the public part of the round.

        >>> from upcard.rules.model import Rules
        >>> from upcard.table.shoe import ScriptedShoe
        >>> table = Table(Rules(), ScriptedShoe("T 6 8 T 9"))
        >>> state = table.start()
        >>> str(table.view().upcard), [str(card) for card in table.view().hand.cards]
        ('6', ['T', '8'])
        """
        state = self.state
        if self._view is None or self._view[0] is not state:
            self._view = state, view(state)
        return self._view[1]

    def legal_actions(self) -> tuple[Action, ...]:
        """Return the actions that are legal now.

        >>> from upcard.rules.model import Rules
        >>> from upcard.table.shoe import ScriptedShoe
        >>> table = Table(Rules.parse("6D LS"), ScriptedShoe("T 6 8 T 9"))
        >>> state = table.start()
        >>> print(*table.legal_actions())
        hit stand double surrender
        """
        state = self.state
        if self._legal is None or self._legal[0] is not state:
            self._legal = state, legal_actions(state)
        return self._legal[1]

    def start(self, bets: Bets = (1,)) -> RoundState:
        """Place bets, one a spot, and deal; return the state at the first question or the end.

        Raises: RulesError for a bad bet; IllegalActionError while a round is in progress.

        >>> from upcard.rules.model import Rules
        >>> from upcard.table.shoe import ScriptedShoe
        >>> table = Table(Rules(), ScriptedShoe("T A 6 8 K T 9"))
        >>> [hand.total for hand in table.start([10, "2.5"]).hands]
        [18, 21]
        """
        if self.is_playing:
            raise errors.IllegalActionError("a round is in progress at this table: finish it first")
        state = start_round(self.rules, bets)
        self.cards.clear()
        was_shuffled = self.shoe.start_round()
        if self.listeners:
            if was_shuffled:
                self._tell((Shuffled(self.shoe.cards_left),))
            self._tell((RoundStarted(wagers_of(state)),))
        return self._deal(state)

    def act(self, action: Action | str) -> RoundState:
        """Act on the active hand, and deal the cards that follow.

        Raises: IllegalActionError, with the round unchanged.

        >>> from upcard.core.actions import Action
        >>> from upcard.rules.model import Rules
        >>> from upcard.table.shoe import ScriptedShoe
        >>> table = Table(Rules(), ScriptedShoe("T 6 8 T 9"))
        >>> state = table.start([10])
        >>> str(table.act(Action.STAND).net)
        '10'
        """
        state, events = apply(self.state, parse_action(action))
        self._tell(events)
        return self._deal(state)

    def take_over(self, state: RoundState, cards: Iterable[Card]) -> None:
        """Take over a round that was played from this table's shoe; listeners hear nothing of it.

        >>> from upcard.rules.model import Rules
        >>> from upcard.table.shoe import ScriptedShoe
        >>> shoe = ScriptedShoe("T 6 8 T 9")
        >>> first, second = Table(Rules(), shoe), Table(Rules(), shoe)
        >>> second.take_over(first.start(), first.cards)
        >>> second.view().hand.total
        18
        """
        self._state = state
        self.cards[:] = cards

    def _deal(self, state: RoundState) -> RoundState:
        self._state = state
        draw, cards, listeners = self.shoe.draw, self.cards, self.listeners
        while state.pending:
            try:
                card = draw()
            except errors.EmptyShoeError:
                self._state = None  # the round is void; no bet of it was settled
                raise
            cards.append(card)
            state, events = deal(state, card)
            if listeners:
                self._tell(events)
        self._state = state
        return state

    def _tell(self, events: Iterable[Event]) -> None:
        for event in events:
            for listener in self.listeners:
                listener(event)


@dataclass(frozen=True, slots=True, kw_only=True)
class HandResult:
    """Result of a hand. `bet` is the final bet and `net` what it won or lost, in chips."""

    cards: tuple[Card, ...]
    total: int
    is_natural: bool
    outcome: Outcome
    bet: Fraction
    net: Fraction
    spot: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DealerResult:
    """All the dealer's cards, the hole card included, in deal order."""

    cards: tuple[Card, ...]
    total: int
    is_natural: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundResult(figure.Displayed):
    """A settled round. `net` is over all hands, insurance and side bets included, in chips.

    `unasked` are unused decisions, `cards_left` cards not dealt.
    """

    hands: tuple[HandResult, ...]
    dealer: DealerResult
    insurance_net: Fraction
    net: Fraction
    events: tuple[Event, ...]
    unasked: tuple[Action, ...]
    cards_left: tuple[Card, ...]
    side: tuple[SideResult, ...] = ()
    """The side bets, in the order settled."""

    def table(self) -> figure.AnswerTable:
        """Return the hands, the dealer's last."""
        dealer = self.dealer
        rows: list[tuple[figure.Value, ...]] = [
            (f"hand {place}", _write(hand.cards), hand.total, str(hand.outcome), hand.bet, hand.net)
            for place, hand in enumerate(self.hands, start=1)
        ]
        if self.insurance_net:
            rows.append(("insurance", "", None, "", None, self.insurance_net))
        rows.append(("dealer", _write(dealer.cards), dealer.total, "", None, None))
        text, amount = figure.text, figure.amount
        columns = (
            *(text("hand"), text("cards"), figure.number("total"), text("outcome")),
            *(amount("bet"), amount("net")),
        )
        return figure.make_table("Round", columns, rows, (("net", amount("net").write(self.net)),))


def _write(cards: Iterable[Card]) -> str:
    return " ".join(map(str, cards))


@reads_rules
def play_round(
    rules: Rules,
    cards: str | Iterable[Card | str],
    *,
    decisions: str | Iterable[Action | str] = (),
    bets: Bets = (1,),
) -> RoundResult:
    """Play one round from `cards` in the house's deal order and `decisions` in the order asked.

    A switch, early surrender before a peek, and a split that is a separate offer are declined by
    any other decision, which then answers the next question.

    Raises: NotationError, RulesError (bets), IllegalActionError, EmptyShoeError (too few cards),
    OutOfDecisionsError.

    >>> from upcard.rules.house import load_house
    >>> rules = load_house("deshmukh").rules
    >>> str(play_round(rules, "AC KD 9H 8S", bets=[10]).net)
    '10'
    """
    shoe = ScriptedShoe(cards)
    table = Table(rules, shoe)
    events: list[Event] = []
    table.listeners.append(events.append)
    answers = parse_answers(decisions)
    state = table.start(bets)
    given = 0
    while not state.is_over:
        action = _next_answer(state, answers[given:])
        given += action in answers[given : given + 1]
        state = table.act(action)
    left = shoe.cards[shoe.position :]
    return summarize_round(state, events, unasked=answers[given:], cards_left=left)


def _next_answer(state: RoundState, answers: tuple[Action, ...]) -> Action:
    legal = legal_actions(state)
    if not answers:
        hand = state.hands[state.active]
        msg = f"the table asks about {hand} and no decision is left. Legal: {', '.join(legal)}"
        raise errors.OutOfDecisionsError(msg)
    if state.phase in OWN_OFFERS and answers[0] not in legal and not answers[0].declines:
        return next(action for action in legal if action.declines)
    return answers[0]


def summarize_round(
    state: RoundState,
    events: Iterable[Event] = (),
    *,
    unasked: Iterable[Action] = (),
    cards_left: Iterable[Card] = (),
) -> RoundResult:
    """Summarize a round that is over."""
    hands = tuple(
        HandResult(
            cards=hand.cards,
            total=hand.total,
            is_natural=hand.is_natural,
            outcome=outcome,
            bet=hand.stake,
            net=net,
            spot=hand.spot,
        )
        for hand, (outcome, net) in zip(state.hands, state.results, strict=True)
    )
    dealer = DealerResult(
        cards=state.dealer, total=state.dealer_total, is_natural=state.dealer_has_natural
    )
    return RoundResult(
        hands=hands,
        dealer=dealer,
        insurance_net=state.insurance.net,
        net=state.net,
        events=tuple(events),
        unasked=tuple(unasked),
        cards_left=tuple(cards_left),
        side=state.side.results,
    )


class CardSource(Protocol):
    """Source of the cards of a recorded round: a value that makes its shoe."""

    def make_shoe(self, rules: Rules) -> Shoe:
        """Make the shoe that deals the round again."""


class CardList(NamedTuple):
    """The cards of a round in the order dealt; later cards are unknown."""

    cards: tuple[Card, ...]

    def make_shoe(self, rules: Rules) -> Shoe:  # noqa: ARG002 (the cards are enough)
        """Make a shoe of these cards only."""
        return ScriptedShoe(self.cards)


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundRecord:
    """A round as rules, bets, source of cards and actions; it may break off before its end.

    >>> from upcard.core.actions import Action
    >>> from upcard.core.cards import parse_cards
    >>> from upcard.core.wager import read_wager
    >>> from upcard.rules.model import Rules
    >>> record = RoundRecord(
    ...     rules=Rules.parse("6D"),
    ...     bets=(read_wager(10),),
    ...     source=CardList(parse_cards("T 9 8 8")),
    ...     actions=(Action.STAND,),
    ... )
    >>> str(record.result.net)
    '10'
    """

    rules: Rules
    bets: tuple[Wager, ...]
    """Bets of each spot before the deal, side bets included."""
    source: CardSource
    actions: tuple[Action, ...] = ()
    """Actions for all spots, in the order asked."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "bets", read_wagers(self.bets))

    def make_shoe(self) -> Shoe:
        """Make the shoe that deals the round."""
        return self.source.make_shoe(self.rules)

    def play(self, *listeners: Callable[[Event], object]) -> tuple[RoundState, ...]:
        """Play the round; return its state at each question, then where it ends or breaks off."""
        table = Table(self.rules, self.make_shoe())
        table.listeners.extend(listeners)
        try:
            return (table.start(self.bets), *map(table.act, self.actions))
        except errors.BlackjackError as error:
            raise errors.NotationError(f"the round cannot be played: {error}") from None

    @property
    def events(self) -> tuple[Event, ...]:
        """All events of the round, in order."""
        events: list[Event] = []
        self.play(events.append)
        return tuple(events)

    @property
    def result(self) -> RoundResult:
        """Result of the round."""
        events: list[Event] = []
        end = self.play(events.append)[-1]
        if not end.is_over:
            msg = f"the round breaks off after {len(self.actions)} answers: its end is unknown"
            raise errors.NotationError(msg)
        return summarize_round(end, events)
