"""`ChartPlayer` follows a strategy chart; `basic_player` follows the optimal one for the rules."""

from __future__ import annotations

from functools import lru_cache

from upcard.core.actions import Action
from upcard.core.errors import UnsupportedRuleError
from upcard.players.interface import upcard_rank
from upcard.rules.model import Rules
from upcard.rules.predicates import why_not_split
from upcard.strategy.chart import Strategy
from upcard.table.state import Phase
from upcard.table.view import TableView


class ChartPlayer:
    """Plays every hand by a chart, from its total and the dealer's upcard.

    Insurance, and even money with it, is taken only if the chart takes insurance.
    """

    def __init__(self, strategy: Strategy, *, name: str = "Chart") -> None:
        """Follow `strategy`."""
        self.name = name
        self.strategy = strategy
        self._look_up = strategy.decide

    def decide(self, view: TableView, legal: tuple[Action, ...]) -> Action:
        """Return the action of the chart for the active hand.

        Raises: UnsupportedRuleError if the house hides the upcard; IllegalActionError if none of
        the chart's answers is `legal`.
        """
        hand = view.hands[view.active]
        up = view.upcard
        return self._look_up(
            total=hand.total,
            is_soft=hand.is_soft,
            pair_rank=hand.cards[0].rank if _is_played_as_pair(view, legal) else 0,
            upcard=up.rank if up is not None else upcard_rank(view, self.name),
            legal=legal,
        )

    def __str__(self) -> str:
        """Write the name."""
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

    Raises: UnsupportedRuleError for a rule that neither solver supports.
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
