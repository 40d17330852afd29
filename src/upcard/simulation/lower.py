"""Lower a `Job` to the arrays of the simulator's kernel."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from upcard.core.cards import ACE, RANKS
from upcard.core.hands import BUST_LIMIT
from upcard.kernels.codes import RED_7
from upcard.kernels.game import KINDS, MOST_HANDS, LoweredGame
from upcard.rules.model import Rules
from upcard.rules.predicates import dealer_draws, natural_beats_surrender, surrenders_before_look
from upcard.rules.settings import DealOrder, EvenMoney, HoleCard, NaturalTakes, Shuffle
from upcard.simulation.count_table import lower_count, no_count
from upcard.simulation.decision_table import HANDS, PAIR_ROWS, ROWS, lower_decisions
from upcard.simulation.job import Job
from upcard.simulation.support import check_supported

DEPTHS: Final = 8
RANK_OF_KIND: Final = (*range(1, 11), 7)
_PAIRS: Final = [HANDS.state_of((rank, rank)) for rank in RANKS]
_STATES: Final = [*range(PAIR_ROWS), *_PAIRS]
"""The hand state of each row; for a pair, that of its total."""
_INFINITE_SHOE: Final = 1024
_INFINITE_CUT: Final = 960
_NEVER: Final = 10**6
_MOST_CELLS: Final = 2_000_000


class Lowered(NamedTuple):
    """A job as the kernel's input, and the shape of its tally."""

    game: LoweredGame
    shape: tuple[int, int, int, int]
    """Depths, 2, counts, nets."""


@lru_cache(maxsize=32)
def lower(job: Job) -> Lowered:
    """Lower a job.

    Raises: UnsupportedRuleError for a rule or count that the kernel cannot honour.
    """
    rules, spots = job.rules, job.spots
    check_supported(rules)
    deck = _deck(rules, has_red_7=job.system is not None and job.system.red_7 is not None)
    size = len(deck)
    count = no_count(size) if job.system is None else lower_count(job.system, rules.decks, size)
    counts = count.most_count - count.least_count + 1
    decisions = lower_decisions(job, count.least_count, count.most_count)
    unit = math.lcm(2, rules.natural_pays.denominator)
    least_net, nets = _net_range(rules, spots, unit)
    is_fresh = rules.shuffle is Shuffle.EVERY_ROUND and not rules.is_infinite
    cut = _INFINITE_CUT if rules.is_infinite else int(size * rules.penetration)
    tens = rules.ten_probability
    totals = [HANDS.total[state] for state in _STATES]
    after = np.zeros((ROWS, KINDS), np.uint8)
    for row, state in enumerate(_STATES):
        # A bust hand takes no card.
        after[row, : len(RANK_OF_KIND)] = [max(HANDS.next_state[state][r], 0) for r in RANK_OF_KIND]
    depths = 1 if is_fresh or rules.is_infinite else DEPTHS
    if depths * 2 * counts * nets > _MOST_CELLS:
        depths = 1
    is_casino = rules.deal_order is DealOrder.CASINO
    has_hole = rules.hole_card is HoleCard.PEEK
    hole_first = has_hole and rules.deal_order is DealOrder.HANDS_HOLE_UP
    up_at = spots if is_casino else 2 * spots + hole_first
    hole_at = 2 * spots + (not hole_first) if has_hole else up_at
    game = LoweredGame(
        deck=deck,
        weights=np.array([9 * tens.numerator, tens.denominator - tens.numerator], np.int64),
        next_row=after.ravel(),
        opening=_openings(),
        total=np.array([total if total <= BUST_LIMIT else 0 for total in totals], np.uint8),
        stops=_dealer_stops(rules),
        pair_kind=np.maximum(np.arange(ROWS) - PAIR_ROWS, 0).astype(np.uint8),
        choice=decisions.choice,
        by_count=decisions.by_count,
        insures=decisions.insures,
        tags=count.tags,
        factor=count.factor,
        depth=np.minimum(np.arange(size, dtype=np.int64) * depths // max(cut, 1), depths - 1),
        rows=ROWS,
        counts=counts,
        least_count=count.least_count,
        most_count=count.most_count,
        add_positive=count.add_positive,
        add_negative=count.add_negative,
        start_count=count.start_count,
        cut=_NEVER if is_fresh else cut,
        is_fresh=int(is_fresh),
        is_infinite=int(rules.is_infinite),
        shuffled_ahead=min(size, (4 + 4 * spots) if is_fresh else cut + 12 + 8 * spots),
        spots=spots,
        first_step=1 if is_casino else 2,
        second_at=spots + 1 if is_casino else 1,
        up_at=up_at,
        hole_at=hole_at,
        dealt=2 * spots + 1 + has_hole,
        has_hole=int(has_hole),
        takes_original=int(rules.natural_takes is NaturalTakes.ORIGINAL),
        insurance=int(rules.insurance),
        even_money=(EvenMoney.NEVER, EvenMoney.INSTEAD, EvenMoney.FIRST).index(rules.even_money),
        early_surrender=int(surrenders_before_look(rules, ACE)),
        natural_beats_surrender=int(natural_beats_surrender(rules)),
        max_hands=MOST_HANDS + 1 if rules.max_hands is None else rules.max_hands,
        unit=unit,
        natural_pays=int(rules.natural_pays * unit),
        least_net=least_net,
        enter=_NEVER if job.enter is None else job.enter,
        leave=-_NEVER if job.leave is None else job.leave,
        starts_seated=int(job.enter is None),
    )
    return Lowered(game, (depths, 2, counts, nets))


def _deck(rules: Rules, *, has_red_7: bool) -> NDArray[np.uint8]:
    if rules.decks is None:
        return np.zeros(_INFINITE_SHOE, np.uint8)
    kinds = [min(number % 13, 9) for number in range(52)]
    if has_red_7:
        for place in [place for place, kind in enumerate(kinds) if kind == 6][:2]:
            kinds[place] = RED_7
    return np.array(kinds * rules.decks, np.uint8)


def _net_range(rules: Rules, spots: int, unit: int) -> tuple[int, int]:
    """Return the least net of a round and the number of nets, in 1/unit of a bet."""
    hands = MOST_HANDS if rules.max_hands is None else rules.max_hands
    most = max(2 * hands * unit, int(rules.natural_pays * unit)) + unit
    return -most * spots, 2 * most * spots + 1


def _dealer_stops(rules: Rules) -> NDArray[np.uint8]:
    draws = [
        dealer_draws(rules, HANDS.total[state], is_soft=HANDS.is_soft[state]) for state in _STATES
    ]
    return np.logical_not(draws).astype(np.uint8)


def _openings() -> NDArray[np.uint8]:
    rows = np.zeros((KINDS, KINDS), np.uint8)
    for first, rank in enumerate(RANK_OF_KIND):
        for second, other in enumerate(RANK_OF_KIND):
            is_pair = rank == other
            rows[first, second] = PAIR_ROWS + rank - 1 if is_pair else HANDS.state_of((rank, other))
    return rows.ravel()
