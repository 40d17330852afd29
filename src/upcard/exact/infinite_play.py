"""Value of playing a hand against one upcard of an infinite deck, without splits and offers.

A result has two parts: its value if the dealer has no natural, weighted by the odds of that, and
the loss to a natural. Doubling doubles the first; how much of the second counts depends on the
house (`Stake`). Once the dealer has looked, only the first part remains, with odds of 1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from upcard.core.actions import Action
from upcard.core.hands import BUST_LIMIT, hand_table
from upcard.exact.dealer import dealer_outcomes, growth_order, rank_odds
from upcard.rules.settings import DealerRule, NaturalTakes, Player21

if TYPE_CHECKING:
    from collections.abc import Callable

    from upcard.core.cards import Rank
    from upcard.rules.model import Rules


class FacedUpcard(NamedTuple):
    """One upcard as the player's hands face it, and the odds that follow from it."""

    upcard: Rank
    natural: float
    """Odds of a dealer's natural that has not been ruled out."""
    scores: tuple[float, ...]
    """Net of a unit bet by total 0 to 21 without a dealer's natural; times its odds."""
    natural_scores: tuple[float, ...]
    """Net of a unit bet by total 0 to 21 against a dealer's natural; times its odds."""

    @property
    def no_natural(self) -> float:
        """Odds that the dealer has no natural."""
        return 1 - self.natural


class Stake(NamedTuple):
    """Bets that a dealer's natural takes of a hand, undoubled and doubled."""

    single: int
    doubled: int


def stake_of(rules: Rules, *, is_split: bool) -> Stake:
    """Return what a natural takes of a hand.

    If it takes one original bet a spot, a split hand's part is settled for all halves at once.
    """
    if rules.natural_takes is NaturalTakes.ALL:
        return Stake(1, 2)
    return Stake(0, 0) if is_split else Stake(1, 1)


def face(rules: Rules, upcard: Rank) -> FacedUpcard:
    """Compute the values of all final totals against an upcard."""
    looks_at_player = rules.dealer_rule is DealerRule.UNTIL_AHEAD
    outcomes = dealer_outcomes(rules, upcard, player_total=0 if looks_at_player else None)
    scores = []
    for total in range(BUST_LIMIT + 1):
        if looks_at_player:
            outcomes = dealer_outcomes(rules, upcard, player_total=total)
        lower, higher = sum(outcomes.totals[:total]), sum(outcomes.totals[total + 1 :])
        scores.append(outcomes.bust + lower - higher)
    lost = [-outcomes.natural] * BUST_LIMIT
    at_21 = 0.0 if rules.natural_ties_21 else -outcomes.natural
    return FacedUpcard(upcard, outcomes.natural, tuple(scores), (*lost, at_21))


Choose: TypeAlias = "Callable[[int, tuple[Action, ...]], Action]"
"""A fixed chart's action for a hand's state, among the legal actions."""


class Playing(NamedTuple):
    """Values of playing on, by the hand's state; 0 for a bust or unreachable state."""

    stand: tuple[float, ...]
    hit: tuple[float, ...]
    double: tuple[float, ...]
    finished_21: float
    """Value of a finished 21."""
    choose: Choose | None = None
    """The chart that is followed; None for the best play."""

    def value(self, state: int, *, may_double: bool, may_hit: bool = True) -> float:
        """Return the value of a hand, played best or by the chart."""
        values = {Action.STAND: self.stand[state]}
        if may_hit:
            values[Action.HIT] = self.hit[state]
        if may_double:
            values[Action.DOUBLE] = self.double[state]
        if self.choose is None:
            return max(values.values())
        return values[self.choose(state, tuple(values))]


def work_out_playing(
    rules: Rules,
    facing: FacedUpcard,
    stake: Stake,
    *,
    doubles_later: bool,
    choose: Choose | None = None,
) -> Playing:
    """Compute backwards from the highest totals; `doubles_later` allows any number of cards.

    `choose` is a chart to follow; None for the best play.
    """
    table = hand_table(rules.ace_rule)
    odds = rank_odds(rules)
    count = len(table.total)
    stand, hit, double = [0.0] * count, [0.0] * count, [0.0] * count
    hit_to, double_to = [0.0] * count, [0.0] * count
    finished_21 = _finished_21(rules, facing, stake)
    for state in reversed(growth_order(rules.ace_rule)):
        total = table.total[state]
        if total > BUST_LIMIT:
            hit_to[state] = -facing.no_natural - stake.single * facing.natural
            double_to[state] = -2 * facing.no_natural - stake.doubled * facing.natural
            continue
        score, natural_score = facing.scores[total], facing.natural_scores[total]
        stand[state] = score + stake.single * natural_score
        double_to[state] = 2 * score + stake.doubled * natural_score
        for rank, after in enumerate(table.next_state[state][1:], start=1):
            hit[state] += odds[rank] * hit_to[after]
            double[state] += odds[rank] * double_to[after]
        if total == BUST_LIMIT and rules.player_21 is not Player21.ASKED:
            hit_to[state] = finished_21
        else:
            values = {Action.STAND: stand[state], Action.HIT: hit[state]}
            if doubles_later:
                values[Action.DOUBLE] = double[state]
            if choose is None:
                hit_to[state] = max(values.values())
            else:
                hit_to[state] = values[choose(state, tuple(values))]
    return Playing(tuple(stand), tuple(hit), tuple(double), finished_21, choose)


def _finished_21(rules: Rules, facing: FacedUpcard, stake: Stake) -> float:
    """Return the value of a 21 that stands automatically or wins at once.

    If it wins at once when the dealer's two cards are under 21, a later decision implies a natural,
    against which standing is best.
    """
    natural_part = stake.single * facing.natural_scores[BUST_LIMIT]
    if rules.player_21 is Player21.WINS:
        return facing.no_natural + natural_part
    return facing.scores[BUST_LIMIT] + natural_part
