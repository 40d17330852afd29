"""Bots: the interface `Decider`, and players by a chart and by a count.

`CountingPlayer` is the readable twin of the simulator's compiled counter. It counts the cards that
a `ShoeTracker` sees; a hole card that is never turned up counts at the end of the round.

A bet depends on the betting count and the undealt cards before the deal. A play or insurance
depends on the playing count of the cards seen at that moment, and on the cards undealt then. The
hole card, dealt but not seen, is no longer in the shoe.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Final, Protocol, Unpack

from upcard.core.actions import Action
from upcard.core.cards import Card, Rank
from upcard.core.errors import IllegalActionError, UnsupportedRuleError
from upcard.players.seen_cards import CountedShoe, ShoeTracker, require_upcard
from upcard.rules.model import Rules
from upcard.rules.payoffs import average_natural_pay
from upcard.rules.predicates import why_not_split
from upcard.strategy.count_system import CountSystem
from upcard.table.events import Event, RoundStarted
from upcard.table.state import Phase, TableView

if TYPE_CHECKING:
    from upcard.strategy.chart import ChartHand, Strategy
    from upcard.strategy.deviations import Deviation, Deviations
    from upcard.strategy.ramp import BetRamp
    from upcard.table.rounds import Table


class Decider(Protocol):
    """A person, a bot or a script that answers the table."""

    def decide(self, view: TableView, legal: tuple[Action, ...]) -> Action:
        """Choose one of `legal` for `view.hand`, the active hand."""


def upcard_rank(view: TableView, who: str) -> Rank:
    """Return the rank of the dealer's upcard, the only card by which it decides."""
    if view.upcard is None or view.rules.shows_hole:
        require_upcard(view.rules, who)
        raise IllegalActionError(f"{who}: the upcard is not dealt")
    return view.upcard.rank


class ChartPlayer:
    """Plays every hand by a chart, from its total and the dealer's face-up cards.

    A swap of second cards is answered by what two cards are worth, if the chart has it.
    Insurance, and even money with it, is taken only if the chart takes insurance.
    """

    def __init__(self, strategy: Strategy, *, name: str = "Chart") -> None:
        self.name = name
        self.strategy = strategy
        self._look_up = strategy.decide

    def decide(self, view: TableView, legal: tuple[Action, ...]) -> Action:
        """Return the action of the chart for the active hand."""
        if Action.SWITCH in legal:
            first, second = (hand.cards for hand in view.hands)
            return self.strategy.answer_swap(
                (first[0].rank, first[1].rank),
                (second[0].rank, second[1].rank),
                upcard_rank(view, self.name),
                average_natural_pay(view.rules),
            )
        hand, up, hole = view.hands[view.active], view.upcard, view.hole
        return self._look_up(
            total=hand.total,
            is_soft=hand.is_soft,
            pair_rank=hand.cards[0].rank if _is_played_as_pair(view, legal) else 0,
            doubles=hand.doubles,
            upcard=up.rank if up is not None else upcard_rank(view, self.name),
            hole=0 if hole is None else hole.rank,
            legal=legal,
        )

    def __str__(self) -> str:
        return self.name


def _is_played_as_pair(view: TableView, legal: tuple[Action, ...]) -> bool:
    """Whether the active hand is a pair to the chart: splits are offered now, later or before."""
    if Action.SPLIT in legal:
        return True
    hand, rules = view.hands[view.active], view.rules
    if not hand.is_pair:
        return False
    if view.phase is not Phase.SURRENDER:  # where splits come first, the hand was already asked
        return hand.declined_split
    return why_not_split(rules, hand.cards, all_hands=len(view.hands)) is None


@lru_cache(maxsize=64)
def basic_chart(rules: Rules) -> Strategy:
    """Return the best total-dependent chart for `rules`; its title names the decks it is for.

    Approximation: if the finite-deck solver has no chart (a non-standard ace or dealer rule), it is
    the chart of an infinite deck, and its title says so.
    """
    from upcard.cache.exact import basic_strategy
    from upcard.exact.infinite import as_infinite

    try:
        return basic_strategy(rules)
    except UnsupportedRuleError:
        return basic_strategy(as_infinite(rules))


def basic_player(rules: Rules) -> ChartPlayer:
    """Return a player who follows `basic_chart`."""
    return ChartPlayer(basic_chart(rules), name="Basic")


_UNIT: Final = Fraction(1)
_INSURANCE: Final = (Action.INSURANCE, Action.NO_INSURANCE, Action.EVEN_MONEY, Action.NO_EVEN_MONEY)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reason:
    """The reason for a decision: the count at that moment and the change it caused."""

    action: Action
    count: int
    running: Fraction
    cards_left: int
    deviation: Deviation | None = None
    """The play that changed the chart's action, if any."""
    insurance: int | None = None
    """The index that decided about insurance or even money, if any."""

    def __str__(self) -> str:
        at = f"count {self.count:+d} (running {self.running}, {self.cards_left} cards left)"
        by = "as the chart" if self.insurance is None else f"insurance >= {self.insurance}"
        return f"{self.action}: {at}, {by if self.deviation is None else self.deviation}"


class ShoeWatcher:
    """A player who follows the cards of a shoe.

    It must receive the table's events: `watch(table)`, or `hear` as a listener.
    """

    _shoe: ShoeTracker
    _table: Table | None = None

    def watch(self, table: Table) -> None:
        """Listen to a table from now on, and look at the hole card at the end of its rounds."""
        self._table = table
        table.listeners.append(self.hear)

    def hear(self, event: Event) -> None:
        """Process an event of the table."""
        if isinstance(event, RoundStarted):
            self._settle_up()
        self._shoe.hear(event)

    def finish_round(self, dealer_cards: Iterable[Card]) -> None:
        """Count a hole card that was never turned up; `dealer_cards` are all cards of the dealer.

        Not needed after `watch`: the player reads the cards of the table. A second call changes
        nothing.
        """
        self._shoe.finish_round(dealer_cards)

    def _settle_up(self) -> None:
        """See the hole card of a round that is over, if it was not turned up."""
        if not self._shoe.has_unshown:
            return
        if self._table is None:
            raise IllegalActionError(
                "the hole card of the last round was not turned up:"
                " call finish_round(dealer_cards), or watch(table)"
            )
        self.finish_round(self._table.state.dealer)


def sit_down(player: Decider, table: Table) -> None:
    """Let a player who follows the cards watch a table; others need nothing."""
    if isinstance(player, ShoeWatcher):
        player.watch(table)


class CountingPlayer(ChartPlayer, ShoeWatcher):
    """Follows a chart and its deviations by its own count, and bets by a ramp.

    It can also be the betting system of `play_rounds`.

    >>> from upcard.rules.model import Rules
    >>> from upcard.strategy.count_system import load_system
    >>> from upcard.core.cards import Card
    >>> from upcard.players.bots import basic_chart
    >>> from upcard.table.events import Dealt
    >>> rules = Rules.parse("6D")
    >>> player = CountingPlayer(basic_chart(rules), load_system("hi-lo"), rules=rules)
    >>> player.hear(Dealt(0, Card("5"), 5))
    >>> str(player.running), player.cards_left, player.bet_count()
    ('1', 311, 0)
    """

    def __init__(  # noqa: PLR0913 (each is named in the call)
        self,
        strategy: Strategy,
        system: CountSystem,
        *,
        rules: Rules,
        deviations: Deviations | None = None,
        ramp: BetRamp | None = None,
        name: str = "Counting",
    ) -> None:
        """Sit down at a freshly shuffled shoe; without a `ramp` every bet is one unit."""
        super().__init__(strategy, name=name)
        self._shoe: CountedShoe = CountedShoe(rules, system)
        if deviations is not None:
            deviations.require_system(system)
        self.system = system
        self.deviations = deviations
        self.ramp = ramp
        self.rules = rules
        self.last_reason: Reason | None = None
        self._look_up = self._look_up_by_count

    @property
    def running(self) -> Fraction:
        """The running count for plays."""
        return self._shoe.count.running

    @property
    def betting(self) -> Fraction:
        """The running count for bets."""
        return self._shoe.count.betting

    @property
    def cards_left(self) -> int:
        """The number of undealt cards, which every player can see from the discards."""
        return self._shoe.cards_left

    def bet_count(self) -> int:
        """Return the count for the next bet.

        It is that of a full shoe if the cut card has come out: the shuffle is public before bets
        are. That is known only at a watched table that shuffles; at others a shuffle counts when
        its event arrives.
        """
        self._settle_up()
        return self._shoe.bet_count(self._table)

    def next_bet(self) -> Fraction:
        """Return the next bet, in units; 0 sits the round out. The call changes nothing."""
        return _UNIT if self.ramp is None else self.ramp.bet(self.bet_count())

    def record(self, net: Fraction) -> None:
        """Ignore the net of a round: a counter bets by the count."""

    def decide(self, view: TableView, legal: tuple[Action, ...]) -> Action:
        """Return the action of the chart and its deviations; a swap does not go by the count."""
        self.last_reason = None
        return super().decide(view, legal)

    def _look_up_by_count(self, *, legal: Collection[Action], **hand: Unpack[ChartHand]) -> Action:
        count = self._shoe.count.play_count(self.cards_left)
        insurance = used = None
        if self.deviations is None:
            action = self.strategy.decide(legal=legal, **hand)
        else:
            action = self.deviations.decide(self.strategy, count=count, legal=legal, **hand)
            used = self.deviations.find_used(self.strategy, count=count, legal=legal, **hand)
            insurance = self.deviations.insurance if action in _INSURANCE else None
        self.last_reason = Reason(
            action=action,
            count=count,
            running=self.running,
            cards_left=self.cards_left,
            deviation=used,
            insurance=insurance,
        )
        return action
