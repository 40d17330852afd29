"""Values of every first action of a hand, against one upcard of an infinite deck.

A result has two parts: its value if the dealer has no natural, weighted by the odds of that, and
the loss to a natural. Doubling doubles the first; how much of the second counts depends on the
house (`Stake`). Once the dealer has looked, only the first part remains, with odds of 1.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import NamedTuple, TypeAlias

from upcard.core.actions import Action
from upcard.core.cards import RANKS, TEN, Rank
from upcard.core.hands import BUST_LIMIT, EMPTY_HAND, hand_table
from upcard.exact.dealer import dealer_outcomes, growth_order, natural_odds, rank_odds
from upcard.exact.splits import Half, split_value
from upcard.rules.model import Rules
from upcard.rules.predicates import (
    dealer_peeks,
    gets_one_card,
    makes_natural,
    may_double,
    may_double_later,
    may_surrender,
    most_hands,
    most_hands_of,
    needs_equal_faces,
    surrender_ev,
    surrenders_before_look,
)
from upcard.rules.settings import DealerRule, NaturalTakes, Player21
from upcard.strategy.chart import Strategy

_FACES_WORTH_TEN = 4


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
        lower, higher = math.fsum(outcomes.totals[:total]), math.fsum(outcomes.totals[total + 1 :])
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
        return _play(values, state, self.choose)


def _play(values: dict[Action, float], state: int, choose: Choose | None) -> float:
    return max(values.values()) if choose is None else values[choose(state, tuple(values))]


def work_out_playing(
    rules: Rules,
    facing: FacedUpcard,
    stake: Stake,
    *,
    doubles_later: bool,
    choose: Choose | None,
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
            hit_to[state] = _play(values, state, choose)
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


class UpcardValues:
    """Values of all actions against one upcard, per unit bet.

    Once the dealer has looked, they assume that there is no natural (`facing.natural` is 0).
    """

    __slots__ = ("_playing", "_splits", "_table", "facing", "rules", "strategy", "upcard")

    def __init__(self, rules: Rules, upcard: Rank, strategy: Strategy | None = None) -> None:
        """Compute the values of final totals; the others follow on demand.

        Hands are played best from their second decision on, or by `strategy`.
        """
        self.strategy = strategy
        self.rules = rules
        self.upcard = upcard
        self.facing = face(rules, upcard)
        self._table = hand_table(rules.ace_rule)
        self._playing: dict[tuple[Stake, bool], Playing] = {}
        self._splits: dict[Rank, float] = {}

    def first_values(
        self, state: int, *, pair_rank: Rank = 0, cards: int = 2
    ) -> dict[Action, float]:
        """Return the value of each answer to a hand that was not split.

        `pair_rank` is 0 unless the hand may be split. Surrender before the dealer looks is not
        included (`surrenders_before_look`).
        """
        rules, playing = self.rules, self._play(0)
        values = {Action.HIT: playing.hit[state], Action.STAND: playing.stand[state]}
        if self._may_double(state, 0, cards):
            values[Action.DOUBLE] = playing.double[state]
        if pair_rank and most_hands(rules) != 1:
            values[Action.SPLIT] = self._split(pair_rank)
        if may_surrender(rules, cards=cards) and not self.surrenders_before_look:
            values[Action.SURRENDER] = surrender_ev(rules, self.facing.natural)
        return values

    @property
    def surrenders_before_look(self) -> bool:
        """Whether surrender is offered before the dealer looks for a natural."""
        return surrenders_before_look(self.rules, self.upcard)

    def before_look(self, value: float) -> float:
        """Convert a value after the dealer's look to one before it."""
        if not dealer_peeks(self.rules, self.upcard):
            return value
        natural = natural_odds(self.rules, self.upcard)
        return (1 - natural) * value - natural if natural < 1 else -1.0

    def natural_value(self) -> float:
        """Return the value of the player's natural, which ties with the dealer's."""
        return self.facing.no_natural * float(self.rules.natural_pays)

    def finished_21(self) -> float:
        """Return the value of a finished 21, in a hand that was not split."""
        return self._play(0).finished_21

    def _play(self, split_rank: Rank) -> Playing:
        """Return the values of playing on in a hand split from `split_rank` (0: unsplit)."""
        rules = self.rules
        stake = stake_of(rules, is_split=bool(split_rank))
        doubles_later = may_double_later(rules, split_rank)
        key = (stake, doubles_later)
        if key not in self._playing:
            self._playing[key] = work_out_playing(
                rules,
                self.facing,
                stake,
                doubles_later=doubles_later,
                choose=None if self.strategy is None else self._follow,
            )
        return self._playing[key]

    def _follow(self, state: int, legal: tuple[Action, ...]) -> Action:
        """Return the chart's action for a hand that is not split now."""
        if self.strategy is None:
            return Action.STAND
        return self.strategy.decide(
            total=self._table.total[state],
            is_soft=self._table.is_soft[state],
            pair_rank=0,
            upcard=self.upcard,
            legal=legal,
        )

    def _may_double(self, state: int, split_rank: Rank, cards: int = 2) -> bool:
        return may_double(
            self.rules,
            cards=cards,
            total=self._table.total[state],
            is_soft=self._table.is_soft[state],
            split_rank=split_rank,
        )

    def _split(self, rank: Rank) -> float:
        if rank not in self._splits:
            self._splits[rank] = self._work_out_split(rank)
        return self._splits[rank]

    def _work_out_split(self, rank: Rank) -> float:
        rules = self.rules
        odds = rank_odds(rules)
        second = {other: self._half_value(rank, other) for other in RANKS}
        pair_odds = (1 - rules.ten_probability) / 9
        if rank == TEN:
            pair_odds = rules.ten_probability
            if needs_equal_faces(rules, rank):
                pair_odds /= _FACES_WORTH_TEN
        others = math.fsum(odds[other] * second[other] for other in RANKS if other != rank)
        others += (odds[rank] - float(pair_odds)) * second[rank]
        half = Half(others, second[rank], Fraction(pair_odds))
        always = self.strategy is not None
        most = most_hands_of(rules, rank)
        value = split_value(half, splits_left=None if most is None else most - 2, always=always)
        if rules.natural_takes is NaturalTakes.ORIGINAL:
            value -= self.facing.natural  # one original bet, for any number of hands
        return value

    def _half_value(self, split_rank: Rank, rank: Rank) -> float:
        """Return the value of a half whose second card is `rank`, if it is not split again."""
        rules, table, playing = self.rules, self._table, self._play(split_rank)
        state = table.next_state[table.next_state[EMPTY_HAND][split_rank]][rank]
        if table.total[state] == BUST_LIMIT:
            if makes_natural(rules, split_rank):
                return self.natural_value()
            if rules.player_21 is not Player21.ASKED:
                return playing.finished_21
        return playing.value(
            state,
            may_double=self._may_double(state, split_rank),
            may_hit=not gets_one_card(rules, split_rank),
        )
