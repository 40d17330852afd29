"""The best bet ramp in whole chips.

With chips the size of the bets matters. Two questions have an answer:

- The least bet is given: the whole-chip ramp with the highest SCORE.
- A bank and a Kelly fraction are given: the whole-chip ramp with the highest certainty equivalent,
  its least bet free. In any amounts that would be the ramp of the highest SCORE with just the risk
  of ruin of that fraction; for chips with at most a risk, the fraction is lowered until they have
  it (`best_chips_at_risk`).

In both, the best bet of a count is the multiple of a chip nearest to (e / m) / s, between the
bounds, with one number s for all counts: the objective is the largest of a family of functions,
each of which is a sum over counts. So the optimum is among the ramps for all s, which are all
tried.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from upcard.analysis.betting import bet_by_count
from upcard.analysis.errors import AnalysisError
from upcard.analysis.measures import kelly_of_risk
from upcard.analysis.optimum import BetBlock, means, pool, spread_bets, square_of_di
from upcard.analysis.ruin import risk_of_ruin

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from upcard.analysis.count_rows import CountedGame

_MOST_STEPS: Final = 1_000_000
_SLACK: Final = 1e-9
_NARROWINGS: Final = 6
_HALVINGS: Final = 8
"""A fraction to the third digit: between neighbours the chips hardly ever differ."""
_CONVERGED: Final = 1e-13
"""Each step gains a bank's worth of rounds, so three or four steps are enough."""


def best_chips_from(game: CountedGame, spread: float, *, least: int, first: int = 0) -> list[float]:
    """Find the bets, in chips, with the highest SCORE from `least` chips to `spread` times that.

    Raises: AnalysisError if no bets win, or if the chips are too small to distinguish.
    """
    blocks = pool(game, first)
    most = _most(spread, least)

    bets = _sweep(blocks, (least, most), (0.0, math.inf), square_of_di)
    if not square_of_di(*means(blocks, bets)):
        msg = f"no ramp of {least} to {most} chips wins: spread further, or sit out low counts"
        raise AnalysisError(msg)
    return spread_bets(blocks, bets, game)


def best_chips(
    game: CountedGame, spread: float, *, bankroll: float, kelly: float, first: int = 0
) -> list[float]:
    """Find the bets, in chips, with the highest certainty equivalent for a bank of chips.

    Raises: AnalysisError if it is better not to play, or if the chips are too small to distinguish.
    """
    blocks = pool(game, first)
    bank = kelly * bankroll
    worths: dict[int, float] = {}

    def bound(least: int) -> float:
        """Value the best bets of any amounts over `least` chips, an upper bound for whole chips."""
        if least not in worths:
            worths[least] = _relaxed_worth(blocks, least, spread, bank)
        return worths[least]

    # Above the largest of the counts' own best bets, a larger least bet only costs.
    top = max(1, math.ceil(2 * bank * max(block.ratio for block in blocks)))
    _limit(top, 1)
    best = _best_equivalent(blocks, 1, top, bank)
    worth = equivalent(*means(blocks, best), bank=bank)
    orders: tuple[range, ...] = ()
    if max(best) > _most(spread, min(best)):  # otherwise the spread has no effect
        best, worth = [], -math.inf
        start = _peak(bound, top)
        orders = (range(start, top + 1), range(start - 1, 0, -1))
    # The bound is concave in the least bet: once it is below the best found, it stays there.
    for leasts in orders:
        for least in leasts:
            if bound(least) < worth:
                break
            bets = _best_equivalent(blocks, least, _most(spread, least), bank)
            reached = equivalent(*means(blocks, bets), bank=bank)
            if reached > worth:
                best, worth = bets, reached
    if worth <= 0:
        raise AnalysisError(
            "even the smallest bets in whole chips are too large for this bank, as their certainty"
            " equivalent is negative: take smaller chips, a larger bank, or sit out low counts"
        )
    return spread_bets(blocks, best, game)


def best_chips_at_risk(
    game: CountedGame, spread: float, *, bankroll: float, risk: float, first: int = 0
) -> list[float]:
    """Find the bets, in chips, of the highest Kelly fraction that have at most a risk of ruin.

    Bets with at most the risk of the fraction k are worth playing with k / 2: so they exist if that
    has an answer, and the fraction is between these two.

    Raises: AnalysisError if no bets have so low a risk, or if the chips are too small to
    distinguish.
    """

    def find(kelly: float) -> tuple[list[float], bool]:
        bets = best_chips(game, spread, bankroll=bankroll, kelly=kelly, first=first)
        betting = bet_by_count(game, bets)
        found = risk_of_ruin(ev=betting.ev, variance=betting.variance, bankroll=bankroll)
        return bets, found <= risk

    high = kelly_of_risk(risk=risk)
    best, holds = find(high)
    if holds:
        return best
    low = high / 2
    try:
        best, _ = find(low)
    except AnalysisError as error:
        raise AnalysisError(
            f"no bets in whole chips have a risk of ruin of at most {100 * risk:.4g}%: take smaller"
            " chips, a larger bank, or sit out low counts"
        ) from error
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        bets, holds = find(middle)
        if holds:
            best, low = bets, middle
        else:
            high = middle
    return best


def _most(spread: float, least: int) -> int:
    return max(math.floor(spread * least + _SLACK), least)


def equivalent(mean: float, square: float, *, bank: float) -> float:
    """Return the certainty equivalent of a round; `bank` is the Kelly fraction of the bankroll."""
    return mean - (square - mean**2) / (2 * bank)


def _best_equivalent(blocks: Sequence[BetBlock], least: int, most: int, bank: float) -> list[int]:
    """Find the whole bets of the highest certainty equivalent between two bounds.

    As mean^2 is the largest of 2 t mean - t^2 over t, the best bets are those nearest to (bank + t)
    times each block's ratio, for one t from 0 to the largest possible mean.
    """

    def mean_at(mean: float) -> float:
        bets = [_nearest(block.ratio * (bank + mean), least, most) for block in blocks]
        return means(blocks, bets)[0]

    # That t is the mean of its own bets, and these increase with t: so it is between the limits of
    # iterating from both ends.
    low, high = 0.0, math.fsum(most * block.gain for block in blocks if block.gain > 0)
    for _ in range(_NARROWINGS):
        low, high = max(low, mean_at(low)), min(high, mean_at(high))
    scales = (1 / (bank + high * (1 + _SLACK)), 1 / (bank + low * (1 - _SLACK)))
    return _sweep(
        blocks, (least, most), scales, lambda mean, square: equivalent(mean, square, bank=bank)
    )


def _sweep(
    blocks: Sequence[BetBlock],
    bounds: tuple[int, int],
    scales: tuple[float, float],
    worth: Callable[[float, float], float],
) -> list[int]:
    """Find the best of the ramps nearest to ratio / s, with s falling through `scales`.

    At each s where a block's bet increases by a chip, mean and mean square change by a term each.

    Raises: AnalysisError for too many chips.
    """
    least, most = bounds
    low, high = scales
    bets = [_nearest(block.ratio / high, least, most) for block in blocks]
    ends = [_nearest(block.ratio / low, least, most) if low else most for block in blocks]
    rises = sorted(
        (
            (block.ratio / (bet + 0.5), place)
            for place, block in enumerate(blocks)
            if block.ratio > 0
            for bet in range(bets[place], _limit(ends[place], bets[place]))
        ),
        reverse=True,
    )
    mean, square = means(blocks, bets)
    best, at = worth(mean, square), 0
    current = list(bets)
    for number, (_, place) in enumerate(rises, start=1):
        block, bet = blocks[place], current[place]
        current[place] = bet + 1
        mean += block.gain
        square += (2 * bet + 1) * block.square
        reached = worth(mean, square)
        if reached > best:
            best, at = reached, number
    for _, place in rises[:at]:
        bets[place] += 1
    return bets


def _nearest(target: float, least: int, most: int) -> int:
    return min(max(math.floor(target + 0.5), least), most)


def _limit(end: int, start: int) -> int:
    if end - start > _MOST_STEPS:
        msg = f"bets of {end} chips: name a larger chip, for these make no difference"
        raise AnalysisError(msg)
    return end


def _relaxed_worth(blocks: Sequence[BetBlock], least: int, spread: float, bank: float) -> float:
    """Return the highest certainty equivalent of bets of any amounts over a least bet.

    The certainty equivalent is concave, so iterating from one mean to the next ends at its maximum.
    """
    mean = worth = 0.0
    while True:
        targets = [block.ratio * (bank + mean) for block in blocks]
        bets = [min(max(target, least), spread * least) for target in targets]
        mean, square = means(blocks, bets)
        reached, worth = worth, equivalent(mean, square, bank=bank)
        if abs(reached - worth) <= _CONVERGED * abs(worth):
            return worth + 10 * _CONVERGED * abs(worth)


def _peak(function: Callable[[int], float], top: int) -> int:
    """Find the maximum of a concave function of 1 to `top`."""
    low, high = 1, top
    while low < high:
        middle = (low + high) // 2
        if function(middle) < function(middle + 1):
            low = middle + 1
        else:
            high = middle
    return low
