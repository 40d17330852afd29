"""The best bet ramp: the one with the highest SCORE under a spread, in any amounts.

A round at count c with the bet b wins e(c) b on average and m(c) b^2 in the square. If the size of
the unit is free, the best bets by Kelly, by SCORE and by risk of ruin are the same: those that make
(mean)^2 / (mean square) largest. They are b(c) = k e(c) / m(c), bounded by the least and the
largest bet, with one number k for all counts.

The result is the best of all ramps that never fall as the count rises. Counts whose e(c) / m(c)
falls, as for those that came up only a few times, share one bet (`pool`).

Source: B. Harris, The Theory of Optimal Betting Spreads; the pooling is isotonic regression,
R. Barlow and others, Statistical Inference under Order Restrictions, chapter 1.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from upcard.analysis.errors import AnalysisError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from upcard.analysis.count_rows import CountedGame

FINENESS: Final = 1000
"""Bets in any amount are multiples of a thousandth of the least bet."""

_EVEN: Final = 1e-12


@dataclass(frozen=True, slots=True, kw_only=True)
class BetBlock:
    """Neighbouring counts with one bet."""

    rows: int
    """Number of rows of the game."""
    gain: float
    """Mean net per round seen, one unit bet in the block."""
    square: float
    """Mean square of the net per round seen, one unit bet in the block."""

    @property
    def ratio(self) -> float:
        """Quantity to which the best bet is proportional."""
        return self.gain / self.square if self.square else 0.0


def pool(game: CountedGame, first: int = 0) -> list[BetBlock]:
    """Merge the rows from `first` on into blocks, until `ratio` rises from block to block."""
    blocks: list[BetBlock] = []
    for row in game.rows[first:]:
        share = row.rounds / game.seen
        new = BetBlock(rows=1, gain=share * row.moments[0], square=share * row.moments[1])
        while blocks and (not new.square or not blocks[-1].square or blocks[-1].ratio >= new.ratio):
            last = blocks.pop()
            gain, square = last.gain + new.gain, last.square + new.square
            new = BetBlock(rows=last.rows + new.rows, gain=gain, square=square)
        blocks.append(new)
    return blocks


def spread_bets(
    blocks: Sequence[BetBlock], bets: Sequence[float], game: CountedGame
) -> list[float]:
    """Return the bets of blocks by row of the game, 0 for the rows before the first block."""
    flat = [bet for block, bet in zip(blocks, bets, strict=True) for _ in range(block.rows)]
    return [0.0] * (len(game.rows) - len(flat)) + flat


def weigh(blocks: Sequence[BetBlock], bets: Sequence[float]) -> float:
    """Return (mean)^2 / (mean square), which increases with SCORE; 0 for bets that do not win."""
    return square_of_di(*means(blocks, bets))


def square_of_di(mean: float, square: float) -> float:
    """Return (mean)^2 / (mean square); 0 if the mean is not positive."""
    return mean**2 / square if mean > 0 else 0.0


def means(blocks: Sequence[BetBlock], bets: Sequence[float]) -> tuple[float, float]:
    """Return the mean and the mean square of the net of a round seen."""
    pairs = list(zip(blocks, bets, strict=True))
    mean = math.fsum(bet * block.gain for block, bet in pairs)
    return mean, math.fsum(bet * bet * block.square for block, bet in pairs)


def best_bets(game: CountedGame, spread: float, *, first: int = 0) -> list[float]:
    """Find the best bets from 1 to `spread` units for the rows from `first` on, in any amounts.

    Between two values of k at which a count meets a bound, the best k is a quotient of two sums
    over the bounded counts. So all candidates are known, and the best of them is the optimum. Bets
    are rounded to `FINENESS`.

    Raises: AnalysisError if no bets win.
    """
    blocks = pool(game, first)
    best: list[float] = []
    for k in _candidates(blocks, spread):
        bets = [min(max(k * block.ratio, 1.0), spread) for block in blocks]
        # If no bound is met every size is as good: rounding must not make it the largest.
        if not best or weigh(blocks, bets) > weigh(blocks, best) * (1 + _EVEN):
            best = bets
    if not weigh(blocks, best):
        raise AnalysisError(_no_gain(blocks, spread))
    # A bound stays as it is: off it, the loss would be of first order.
    fine = [bet if bet == spread else round(bet * FINENESS) / FINENESS for bet in best]
    return spread_bets(blocks, fine, game)


def _candidates(blocks: Sequence[BetBlock], spread: float) -> Iterator[float]:
    rising = [block.ratio for block in blocks if block.ratio > 0]
    turns = sorted({bound / ratio for ratio in rising for bound in (1.0, spread)})
    yield from turns or [1.0]
    for low, high in pairwise(turns):
        middle = (low + high) / 2
        gain = square = 0.0
        for block in blocks:
            bet = min(max(middle * block.ratio, 1.0), spread)
            if bet in (1.0, spread):
                gain += bet * block.gain
                square += bet * bet * block.square
        if gain and low < square / gain < high:
            yield square / gain


def best_first(
    game: CountedGame,
    find: Callable[[int], Sequence[float]],
    worth: Callable[[float, float], float] = square_of_di,
) -> int:
    """Find the row of highest worth from which to play, sitting out the counts below.

    `find(first)` returns the bets of all rows when play starts at row `first`; `worth` values their
    mean and mean square, over 0 if they are worth playing.

    Raises: AnalysisError if no bets win from any row.
    """
    sums = [[row.rounds * moment / game.seen for moment in row.moments[:2]] for row in game.rows]
    single = [BetBlock(rows=1, gain=gain, square=square) for gain, square in sums]
    best, at, refusal = 0.0, 0, ""
    for first in range(len(game.rows)):
        if not any(row.rounds for row in game.rows[first:]):
            break
        try:
            reached = worth(*means(single, find(first)))
        except AnalysisError as error:
            refusal = refusal or str(error)
            continue
        if reached > best:
            best, at = reached, first
    if not best:
        raise AnalysisError(refusal or "no count wins: the best bet is nothing")
    return at


def _no_gain(blocks: Sequence[BetBlock], spread: float) -> str:
    bets = [spread if block.gain > 0 else 1.0 for block in blocks]
    mean, _ = means(blocks, bets)
    if all(block.gain <= 0 for block in blocks):
        return "no count that is played wins: the best bet is nothing"
    return (
        f"no ramp with a spread of 1-{spread:g} wins, as the best loses {-mean:.4f} units a round:"
        " spread further, or sit out low counts (--wong)"
    )
