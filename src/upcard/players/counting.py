"""`CountingPlayer`: bets and plays by the count, from public information only.

The readable twin of the simulator's compiled counter. Cards count as follows:

- the running count restarts at each shuffle, and when an empty shoe takes the discards back: then
  only the cards on the table are counted;
- a card counts when it is dealt face up;
- the hole card counts when it is turned up or, if it never is, at the end of the round.

A bet depends on the betting count and the undealt cards before the deal; a play or insurance on
the playing count of the cards seen at that moment and the cards undealt then. The hole card, dealt
but not seen, is no longer in the shoe.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, Unpack

from upcard.core.actions import Action
from upcard.core.cards import CARDS_PER_DECK, Card
from upcard.core.errors import IllegalActionError
from upcard.players.chart import ChartPlayer
from upcard.players.shoe_tracker import ShoeTracker, count_decks
from upcard.rules.model import Rules
from upcard.rules.settings import Shuffle
from upcard.strategy.chart import ChartHand, Strategy
from upcard.strategy.count_system import CountSystem, RunningCount
from upcard.strategy.deviations import Deviation, Deviations
from upcard.strategy.ramp import BetRamp
from upcard.table.events import Event, RoundStarted
from upcard.table.shoe import Shoe
from upcard.table.table import Table

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
        """Write the reason in words."""
        at = f"count {self.count:+d} (running {self.running}, {self.cards_left} cards left)"
        if self.deviation is not None:
            return f"{self.action}: {at}, {self.deviation}"
        if self.insurance is not None:
            return f"{self.action}: {at}, insurance >= {self.insurance}"
        return f"{self.action}: {at}, as the chart"


def is_shuffle_due(
    rules: Rules, shoe: Shoe, seen: ShoeTracker, cards_left: int | None = None
) -> bool:
    """Return whether the cards are shuffled before the next deal, as every player can see.

    The cut card is out, the shoe ran out, or it was ended and replaced by a full one.
    `cards_left` is the number of undealt cards (default: as `seen`).
    """
    left = seen.cards_left if cards_left is None else cards_left
    if not shoe.has_cut_card:
        return False
    if rules.shuffle is Shuffle.EVERY_ROUND or seen.has_run_out:
        return True
    full = (rules.decks or 0) * CARDS_PER_DECK
    if shoe.cards_left == full > left:
        return True
    return full - left >= int(full * rules.penetration)


class CountingPlayer(ChartPlayer):
    """Follows a chart and its deviations by its own count, and bets by a ramp.

    It must receive the table's events: `watch(table)`, or `hear` as a listener. It can also be the
    betting system of `play_rounds`.

    Raises: UnsupportedRuleError for an infinite deck or a hidden upcard; RulesError for deviations
    that are for another count.

    >>> from upcard.rules.model import Rules
    >>> from upcard.strategy.count_system import load_system
    >>> from upcard.core.cards import Card
    >>> from upcard.players.chart import basic_chart
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
        decks = count_decks(rules)
        if deviations is not None:
            deviations.require_system(system)
        self.system = system
        self.deviations = deviations
        self.ramp = ramp
        self.rules = rules
        self.last_reason: Reason | None = None
        self._look_up = self._look_up_by_count
        self._count = RunningCount(system, decks)
        self._shoe = ShoeTracker(rules.decks, see=self._count.see, forget=self._count.reset)
        self._table: Table | None = None

    @property
    def running(self) -> Fraction:
        """The running count for plays."""
        return self._count.running

    @property
    def betting(self) -> Fraction:
        """The running count for bets."""
        return self._count.betting

    @property
    def cards_left(self) -> int:
        """The number of undealt cards, which every player can see from the discards."""
        return self._shoe.cards_left

    def watch(self, table: Table) -> None:
        """Listen to a table from now on, and look at the hole card at the end of its rounds."""
        self._table = table
        table.listeners.append(self.hear)

    def hear(self, event: Event) -> None:
        """Process an event of the table.

        Raises: IllegalActionError if a round starts and the hole card of the last one is unknown:
        not turned up, and not reported; NotationError for a card that cannot be counted.
        """
        if isinstance(event, RoundStarted):
            self._settle_up()
        self._shoe.hear(event)

    def finish_round(self, dealer_cards: Iterable[Card]) -> None:
        """Count a hole card that was never turned up; `dealer_cards` are all cards of the dealer.

        Not needed after `watch`: the player reads the cards of the table. A second call changes
        nothing.
        """
        self._shoe.finish_round(dealer_cards)

    def bet_count(self, cards_left: int | None = None) -> int:
        """Return the count for the next bet.

        It is that of a full shoe if the cut card has come out: the shuffle is public before bets
        are. That is known only at a watched table that shuffles; at others a shuffle counts when
        its event arrives.
        """
        left = self.cards_left if cards_left is None else cards_left
        self._settle_up()
        if self._is_shuffle_due(left):
            start = self.system.initial_count(self._count.decks)
            return self.system.convert(start, self._shoe.cards)
        return self._count.bet_count(left)

    def next_bet(self, cards_left: int | None = None) -> Fraction:
        """Return the next bet, in units; 0 sits the round out. The call changes nothing."""
        return _UNIT if self.ramp is None else self.ramp.bet(self.bet_count(cards_left))

    def record(self, net: Fraction) -> None:
        """Ignore the net of a round: a counter bets by the count."""

    def _look_up_by_count(self, *, legal: Collection[Action], **hand: Unpack[ChartHand]) -> Action:
        count = self._count.play_count(self.cards_left)
        insurance = None
        used = None
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

    def _is_shuffle_due(self, left: int) -> bool:
        """Whether the cut card is out at a table that shuffles."""
        return self._table is not None and is_shuffle_due(
            self.rules, self._table.shoe, self._shoe, left
        )
