"""Hands on an infinite deck: the dealer's totals, every first action, and splits.

On an infinite deck the halves are independent, and all pairs of one rank are alike: a resplit is
worth as much now as later, so the order of the halves and the cards of the others do not matter.
Two numbers remain: halves that wait for a second card, and splits allowed.

A result has two parts: its value if the dealer has no natural, weighted by the odds of that, and
the loss to a natural. Doubling doubles the first; how much of the second counts depends on the
house (`Stake`). Once the dealer has looked, only the first part remains, with odds of 1.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from typing import Final, NamedTuple, TypeAlias

from upcard.core import errors, hands
from upcard.core.actions import Action
from upcard.core.cards import ACE, RANKS, TEN, Rank
from upcard.exact.solver_results import ROUNDING_ERROR
from upcard.exact.supported_rules import drawing_states
from upcard.rules import predicates, settings
from upcard.rules.model import Rules
from upcard.rules.payoffs import natural_ev
from upcard.strategy.chart import Strategy

BUST: Final = hands.BUST_LIMIT + 1
_PARTNER: Final = {ACE: TEN, TEN: ACE}


class DealerProbabilities(NamedTuple):
    """Probabilities of the dealer's result; they sum to 1."""

    totals: tuple[float, ...]
    """By final total, 0 to 21, without naturals."""
    bust: float
    natural: float
    """0 once the dealer has looked and has no natural."""


def rank_odds(rules: Rules) -> tuple[float, ...]:
    """Return the probability of drawing each rank, 1 to 10 (entry 0 is unused)."""
    share = float(_low_share(rules))
    return (0.0, *(share for _ in range(ACE, TEN)), float(rules.ten_probability))


def natural_odds(rules: Rules, upcard: Rank) -> float:
    """Return the probability that the dealer's second card makes a natural, before any look."""
    partner = _PARTNER.get(upcard)
    return rank_odds(rules)[partner] if partner else 0.0


def dealer_outcomes(
    rules: Rules, upcard: Rank, *, player_total: int | None = None
) -> DealerProbabilities:
    """Return the probabilities of the dealer's result, without naturals once the dealer has looked.

    Only a dealer who stops when ahead needs `player_total`.

    Raises: RulesError if it is needed and missing.
    """
    if rules.dealer_rule is not settings.DealerRule.UNTIL_AHEAD:
        player_total = None
    elif player_total is None:
        raise errors.RulesError("the odds of a dealer who stops when ahead: player_total is needed")
    table = hands.hand_table(rules.ace_rule)
    odds = rank_odds(rules)
    reached = [0.0] * len(table.total)
    first = table.next_state[hands.EMPTY_HAND][upcard]
    for rank, share in _second_card(rules, upcard):
        reached[table.next_state[first][rank]] += share
    finals = [0.0] * (BUST + 1)
    draws = drawing_states(rules, player_total)
    for state in growth_order(rules.ace_rule):
        share = reached[state]
        if not share:
            continue
        if draws[state]:
            for rank, after in enumerate(table.next_state[state][1:], start=1):
                reached[after] += share * odds[rank]
        else:
            finals[min(table.total[state], BUST)] += share
    natural = 0.0 if predicates.dealer_peeks(rules, upcard) else natural_odds(rules, upcard)
    return DealerProbabilities(tuple(finals[:BUST]), finals[BUST], natural)


@lru_cache(maxsize=4)
def growth_order(ace_rule: hands.AceRule) -> tuple[int, ...]:
    """Return all states in an order in which every card leads to a later one."""
    table = hands.hand_table(ace_rule)

    def least(state: int) -> int:
        """Return the total with a soft ace as 1: every card increases it."""
        return table.total[state] - 10 * table.is_soft[state]

    return tuple(sorted(range(len(table.total)), key=least))


def _low_share(rules: Rules) -> Fraction:
    return (1 - rules.ten_probability) / 9


def _second_card(rules: Rules, upcard: Rank) -> list[tuple[Rank, float]]:
    """Return the odds of each second card that makes no natural, given so after a look.

    Computed in fractions, so that an ace up has its limit if all cards are tens.
    """
    low = _low_share(rules)
    shares = dict.fromkeys(RANKS, low) | {TEN: rules.ten_probability}
    partner = _PARTNER.get(upcard)
    if partner:
        del shares[partner]
    if predicates.dealer_peeks(rules, upcard):
        if upcard == ACE:
            shares = dict.fromkeys(shares, Fraction(1, 9))
        else:
            shares = {rank: share / (1 - low) for rank, share in shares.items()}
    return [(rank, float(share)) for rank, share in shares.items()]


class Half(NamedTuple):
    """One half of a split pair, before its second card."""

    others: float
    """Value if the second card makes no pair that may be split again, times its odds."""
    pair: float
    """Value of a new pair that is not split again."""
    pair_odds: Fraction
    """Odds that the second card makes a new pair."""


def split_value(half: Half, *, splits_left: int | None, always: bool = False) -> float:
    """Return the value of the two halves of a pair just split; infinite where resplits diverge.

    `splits_left` counts the splits still allowed after this one; None for no limit. New pairs are
    split if that is better, or `always`.
    """
    if splits_left is None:
        return 2 * _endless(half, always=always)
    odds = float(half.pair_odds)
    # values[f] is the value of f halves that wait for a card, with the splits left.
    plain = half.others + odds * half.pair
    values = [waiting * plain for waiting in range(splits_left + 3)]
    for left in range(1, splits_left + 1):
        resplit, values = values, [0.0]
        for waiting in range(1, splits_left + 3 - left):
            rest = values[waiting - 1]
            again = resplit[waiting + 1]
            paired = again if always else max(half.pair + rest, again)
            values.append(half.others + (1 - odds) * rest + odds * paired)
    return values[2]


def _endless(half: Half, *, always: bool) -> float:
    """Return the value of one half with unlimited resplits.

    A split makes two halves, each a pair again with probability q: the number of hands is a
    branching process, and v = others + 2 q v. From q = 1/2 on it grows without end, and so does the
    value, if one more split is an advantage; the equation's own solution has the wrong sign there.
    """
    plain = half.others + float(half.pair_odds) * half.pair
    gain = 2 * plain - half.pair
    if gain <= ROUNDING_ERROR and not always:
        return plain
    shrinking = 1 - 2 * half.pair_odds
    if shrinking <= 0:
        return plain if abs(gain) <= ROUNDING_ERROR else math.copysign(math.inf, gain)
    return half.others / float(shrinking)


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
    if rules.natural_takes is settings.NaturalTakes.ALL:
        return Stake(1, 2)
    return Stake(0, 0) if is_split else Stake(1, 1)


def face(rules: Rules, upcard: Rank) -> FacedUpcard:
    """Compute the values of all final totals against an upcard."""
    looks_at_player = rules.dealer_rule is settings.DealerRule.UNTIL_AHEAD
    outcomes = dealer_outcomes(rules, upcard, player_total=0 if looks_at_player else None)
    scores = []
    for total in range(hands.BUST_LIMIT + 1):
        if looks_at_player:
            outcomes = dealer_outcomes(rules, upcard, player_total=total)
        lower, higher = math.fsum(outcomes.totals[:total]), math.fsum(outcomes.totals[total + 1 :])
        scores.append(outcomes.bust + lower - higher)
    lost = [-outcomes.natural] * hands.BUST_LIMIT
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
    rules: Rules, facing: FacedUpcard, stake: Stake, *, doubles_later: bool, choose: Choose | None
) -> Playing:
    """Compute backwards from the highest totals; `doubles_later` allows any number of cards.

    `choose` is a chart to follow; None for the best play.
    """
    table = hands.hand_table(rules.ace_rule)
    odds = rank_odds(rules)
    count = len(table.total)
    stand, hit, double = [0.0] * count, [0.0] * count, [0.0] * count
    hit_to, double_to = [0.0] * count, [0.0] * count
    finished_21 = _finished_21(rules, facing, stake)
    for state in reversed(growth_order(rules.ace_rule)):
        total = table.total[state]
        if total > hands.BUST_LIMIT:
            hit_to[state] = -facing.no_natural - stake.single * facing.natural
            double_to[state] = -2 * facing.no_natural - stake.doubled * facing.natural
            continue
        score, natural_score = facing.scores[total], facing.natural_scores[total]
        stand[state] = score + stake.single * natural_score
        double_to[state] = 2 * score + stake.doubled * natural_score
        for rank, after in enumerate(table.next_state[state][1:], start=1):
            hit[state] += odds[rank] * hit_to[after]
            double[state] += odds[rank] * double_to[after]
        if total == hands.BUST_LIMIT and rules.player_21 is not settings.Player21.ASKED:
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
    natural_part = stake.single * facing.natural_scores[hands.BUST_LIMIT]
    if rules.player_21 is settings.Player21.WINS:
        return facing.no_natural + natural_part
    return facing.scores[hands.BUST_LIMIT] + natural_part


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
        self._table = hands.hand_table(rules.ace_rule)
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
        if pair_rank and predicates.most_hands(rules) != 1:
            values[Action.SPLIT] = self._split(pair_rank)
        may = predicates.may_surrender(rules, upcard=self.upcard, cards=cards)
        if may and not self.surrenders_before_look:
            values[Action.SURRENDER] = predicates.surrender_ev(rules, self.facing.natural)
        return values

    @property
    def surrenders_before_look(self) -> bool:
        """Whether surrender is offered before the dealer looks for a natural."""
        return predicates.surrenders_before_look(self.rules, self.upcard)

    def before_look(self, value: float) -> float:
        """Convert a value after the dealer's look to one before it."""
        if not predicates.dealer_peeks(self.rules, self.upcard):
            return value
        natural = natural_odds(self.rules, self.upcard)
        return (1 - natural) * value - natural if natural < 1 else -1.0

    def natural_value(self) -> float:
        """Return the value of the player's natural."""
        return natural_ev(self.rules, self.facing.natural)

    def finished_21(self) -> float:
        """Return the value of a finished 21, in a hand that was not split."""
        return self._play(0).finished_21

    def _play(self, split_rank: Rank) -> Playing:
        """Return the values of playing on in a hand split from `split_rank` (0: unsplit)."""
        rules = self.rules
        stake = stake_of(rules, is_split=bool(split_rank))
        doubles_later = predicates.may_double_later(rules, split_rank)
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
        return predicates.may_double(
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
        pair_odds = _low_share(rules)
        if rank == TEN:
            pair_odds = rules.ten_probability
            if predicates.needs_equal_faces(rules, rank):
                pair_odds /= _FACES_WORTH_TEN
        others = math.fsum(odds[other] * second[other] for other in RANKS if other != rank)
        others += (odds[rank] - float(pair_odds)) * second[rank]
        half = Half(others, second[rank], Fraction(pair_odds))
        always = self.strategy is not None
        most = predicates.most_hands_of(rules, rank)
        value = split_value(half, splits_left=None if most is None else most - 2, always=always)
        if rules.natural_takes is settings.NaturalTakes.ORIGINAL:
            value -= self.facing.natural  # one original bet, for any number of hands
        return value

    def _half_value(self, split_rank: Rank, rank: Rank) -> float:
        """Return the value of a half whose second card is `rank`, if it is not split again."""
        rules, table, playing = self.rules, self._table, self._play(split_rank)
        state = table.next_state[table.next_state[hands.EMPTY_HAND][split_rank]][rank]
        if table.total[state] == hands.BUST_LIMIT:
            if predicates.makes_natural(rules, split_rank):
                return self.natural_value()
            if rules.player_21 is not settings.Player21.ASKED:
                return playing.finished_21
        return playing.value(
            state,
            may_double=self._may_double(state, split_rank),
            may_hit=not predicates.gets_one_card(rules, split_rank),
        )
