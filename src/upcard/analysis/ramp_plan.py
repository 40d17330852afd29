"""A plan: the best bet ramp, in any amounts or whole chips, the unit's value, and the bank.

A round at count c with the bet b wins e(c) b on average and m(c) b^2 in the square. If the size of
the unit is free, the best bets by Kelly, by SCORE and by risk of ruin are the same: those that make
(mean)^2 / (mean square) largest. They are b(c) = k e(c) / m(c), bounded by the least and the
largest bet, with one number k for all counts.

The result is the best of all ramps that never fall as the count rises. Counts whose e(c) / m(c)
falls, as for those that came up only a few times, share one bet (`pool`).

Source: B. Harris, The Theory of Optimal Betting Spreads; the pooling is isotonic regression,
R. Barlow and others, Statistical Inference under Order Restrictions, chapter 1.

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

With at most some different bets (`levels`), neighbouring counts share one: they are joined as in
the best ramp of any amounts, and the bets of the joined counts are found as above. Source: N.
Haiminen, A. Gionis and K. Laasonen, Algorithms for Unimodal Segmentation (2008): joining the pooled
blocks loses nothing.

Two of unit, bank and risk determine the third. Risk of ruin and Kelly fraction are equivalent: bets
that start as the fraction k of full Kelly, and are never resized, lose the bank with the chance
exp(-2 / k).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from upcard.analysis import figures
from upcard.analysis.bet_terms import BetTerms
from upcard.analysis.found_bets import Finding, count_choice
from upcard.core.errors import AnalysisError
from upcard.core.numbers import ROUNDS_PER_HOUR, count_of
from upcard.strategy.ramp import BetRamp

if TYPE_CHECKING:
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


def pool(
    game: CountedGame, first: int = 0, *, spread: float = 1.0, levels: int | None = None
) -> list[BetBlock]:
    """Merge the rows from `first` on into blocks, until `ratio` rises from block to block.

    With `levels` into at most that number: those of the best ramp from 1 to `spread` units.
    """
    blocks: list[BetBlock] = []
    for row in game.rows[first:]:
        share = row.rounds / game.seen
        new = BetBlock(rows=1, gain=share * row.moments[0], square=share * row.moments[1])
        while blocks and (not new.square or not blocks[-1].square or blocks[-1].ratio >= new.ratio):
            new = _join([blocks.pop(), new])
        blocks.append(new)
    return blocks if levels is None else _join_levels(blocks, spread, levels)


def _join(blocks: Sequence[BetBlock]) -> BetBlock:
    return BetBlock(
        rows=sum(block.rows for block in blocks),
        gain=math.fsum(block.gain for block in blocks),
        square=math.fsum(block.square for block in blocks),
    )


def _join_levels(blocks: list[BetBlock], spread: float, levels: int) -> list[BetBlock]:
    """Join neighbours into at most `levels` blocks: those of the ramp with the highest SCORE.

    For one number k the best joined blocks make sum(m (b - k e / m)^2) smallest, which is found
    from block to block; the k of the best ramp is its own (mean square) / mean.
    """
    if len(blocks) <= levels:
        return blocks
    best, reached = [_join(blocks)], 0.0
    for start in _candidates(blocks, spread):
        k = start
        for _ in range(_NARROWINGS):
            joined = _split_at(blocks, k, spread, levels)
            bets = [min(max(k * block.ratio, 1.0), spread) for block in joined]
            mean, square = means(joined, bets)
            if (worth := square_of_di(mean, square)) > reached:
                best, reached = joined, worth
            if mean <= 0 or math.isclose(k, square / mean):
                break
            k = square / mean
    return best


def _split_at(blocks: list[BetBlock], k: float, spread: float, levels: int) -> list[BetBlock]:
    """Return the best blocks of neighbours for a k."""
    whole: list[tuple[float, list[BetBlock]]] = [(0.0, []), *[(math.inf, [])] * len(blocks)]
    for _ in range(levels):
        longer = list(whole)  # with a block more
        for end in range(1, len(blocks) + 1):
            gain = square = 0.0
            for start in range(end - 1, -1, -1):
                gain, square = gain + blocks[start].gain, square + blocks[start].square
                bet = min(max(k * gain / square if square else 0.0, 1.0), spread)
                cost = whole[start][0] + square * bet * bet - 2 * k * gain * bet
                if cost < longer[end][0]:
                    longer[end] = cost, [*whole[start][1], _join(blocks[start:end])]
        whole = longer
    return whole[-1][1]


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


def best_bets(
    game: CountedGame, spread: float, *, first: int = 0, levels: int | None = None
) -> list[float]:
    """Find the best bets from 1 to `spread` units for the rows from `first` on, in any amounts.

    Between two values of k at which a count meets a bound, the best k is a quotient of two sums
    over the bounded counts. So all candidates are known, and the best of them is the optimum. Bets
    are rounded to `FINENESS`.
    """
    blocks = pool(game, first, spread=spread, levels=levels)
    best: list[float] = []
    for k in _candidates(blocks, spread):
        bets = [min(max(k * block.ratio, 1.0), spread) for block in blocks]
        # If no bound is met every size is as good: rounding must not make it the largest.
        if not best or weigh(blocks, bets) > weigh(blocks, best) * (1 + _EVEN):
            best = bets
    if not weigh(blocks, best):
        few = "" if levels is None else f" (with at most {count_of(levels, 'bet')})"
        raise AnalysisError(_no_gain(blocks, spread) + few)
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
    mean, _ = means(blocks, [spread if block.gain > 0 else 1.0 for block in blocks])
    if all(block.gain <= 0 for block in blocks):
        return "no count that is played wins: the best bet is nothing"
    return (
        f"no ramp with a spread of 1-{spread:g} wins, as the best loses {-mean:.4f} units a round:"
        " spread further, or sit out low counts (--wong)"
    )


_MOST_STEPS: Final = 1_000_000
_SLACK: Final = 1e-9
_NARROWINGS: Final = 6
_HALVINGS: Final = 8
"""A fraction to the third digit: between neighbours the chips hardly ever differ."""
_CONVERGED: Final = 1e-13
"""Each step gains a bank's worth of rounds, so three or four steps are enough."""


def best_chips_from(
    game: CountedGame, spread: float, *, least: int, first: int = 0, levels: int | None = None
) -> list[float]:
    """Find the bets, in chips, with the highest SCORE from `least` chips to `spread` times that."""
    blocks = pool(game, first, spread=spread, levels=levels)
    most = _most(spread, least)

    bets = _sweep(blocks, (least, most), (0.0, math.inf), square_of_di)
    if not square_of_di(*means(blocks, bets)):
        msg = f"no ramp of {least} to {most} chips wins: spread further, or sit out low counts"
        raise AnalysisError(msg)
    return spread_bets(blocks, bets, game)


def best_chips(  # noqa: PLR0913 (each is named in the call)
    game: CountedGame,
    spread: float,
    *,
    bankroll: float,
    kelly: float,
    first: int = 0,
    levels: int | None = None,
) -> list[float]:
    """Find the bets, in chips, with the highest certainty equivalent for a bank of chips."""
    blocks = pool(game, first, spread=spread, levels=levels)
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


def best_chips_at_risk(  # noqa: PLR0913 (each is named in the call)
    game: CountedGame,
    spread: float,
    *,
    bankroll: float,
    risk: float,
    first: int = 0,
    levels: int | None = None,
) -> list[float]:
    """Find the bets, in chips, of the highest Kelly fraction that have at most a risk of ruin.

    Bets with at most the risk of the fraction k are worth playing with k / 2: so they exist if that
    has an answer, and the fraction is between these two.
    """

    def find(kelly: float) -> tuple[list[float], bool]:
        bets = best_chips(game, spread, bankroll=bankroll, kelly=kelly, first=first, levels=levels)
        betting = figures.bet_by_count(game, bets)
        found = figures.risk_of_ruin(ev=betting.ev, variance=betting.variance, bankroll=bankroll)
        return bets, found <= risk

    high = figures.kelly_of_risk(risk=risk)
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


_FULL_KELLY: Final = 1.0
_IN_CHIPS: Final = "whole chips"

# Squares of amounts, and their ratios, stay far from the bounds of a float.
_LEAST: Final = 1e-12
_MOST: Final = 1e18


@dataclass(frozen=True, slots=True, kw_only=True)
class RampQuestion(BetTerms):
    """A question about a run: its terms with the ramp read, or the spread chosen, one of them."""

    ramp: BetRamp | None = None
    rounds_per_hour: float = float(ROUNDS_PER_HOUR)
    """Rounds seen, including those sat out."""

    def __post_init__(self) -> None:
        for name in ("bankroll", "kelly", "unit", "chip", "goal", "hours", "rounds_per_hour"):
            amount = getattr(self, name)
            if amount is not None and not 0 < amount < math.inf:
                raise AnalysisError(f"{name} {amount:g}: it must be over 0")
            if amount is not None and not _LEAST <= amount <= _MOST:
                raise AnalysisError(f"{name} {amount:g}: it must be from {_LEAST:g} to {_MOST:g}")
        if self.risk is not None and not 0 < self.risk < 1:
            raise AnalysisError(f"risk {self.risk:g}: a risk of ruin is over 0 and under 100%")
        if self.levels is not None and self.levels < 1:
            raise AnalysisError(f"levels {self.levels}: at least 1 bet")
        if self.spread is not None and not 1 <= self.spread < math.inf:
            msg = f"spread {self.spread:g}: the largest bet is 1 or more times the least"
            raise AnalysisError(msg)
        if faults := _find_clashes(self):
            raise AnalysisError("; ".join(faults))


def _find_clashes(question: RampQuestion) -> list[str]:
    has = {name: getattr(question, name) is not None for name in RampQuestion.__dataclass_fields__}
    clashes = []
    if has["ramp"] == has["spread"]:
        clashes.append("give a ramp or a spread, one of them: a ramp as it is, or the best ramp")
    if has["risk"] and has["kelly"]:
        clashes.append("give a risk or a Kelly fraction: each decides the other")
    if has["bankroll"] and has["unit"] and has["risk"]:
        clashes.append("give two of bankroll, unit and risk: they decide the third")
    if has["chip"] and has["ramp"]:
        clashes.append("whole chips are for the best ramp of a spread; a ramp is played as given")
    if has["levels"] and has["ramp"]:
        clashes.append("levels are for the best ramp of a spread; a ramp is played as given")
    if has["chip"] and not has["bankroll"] and not has["unit"]:
        clashes.append("whole chips need a bankroll or a unit, in the same money as the chip")
    chips = question.unit / question.chip if question.chip and question.unit else 1.0
    if round(chips) < 1 or not math.isclose(chips, round(chips), rel_tol=1e-9):
        clashes.append(f"a unit of {question.unit:g} is not whole chips of {question.chip:g}")
    return clashes


@dataclass(frozen=True, slots=True, kw_only=True)
class RampPlan:
    """A ramp played with a bank. `betting` and `bankroll` are in money."""

    title: str
    """How the bets are rounded: `as given`, `any amounts`, or `whole chips`."""
    ramp: BetRamp
    unit: float
    """Value of one unit of the ramp."""
    unit_error: float
    """Its standard error; 0 for a unit that was given."""
    betting: figures.Betting
    """Its errors count that the bets were found from the same rounds, if they were."""
    given: figures.Betting
    """The same with the errors of these bets as they are, as if they had been given."""
    ev_slope: tuple[float, ...]
    """Change of the EV a round with the mean net of each count, one unit bet: the bets, and what
    they move if they were found."""
    bankroll: float
    """Infinite if no bank is enough."""
    kelly: float
    """Kelly fraction of the certainty equivalent."""
    first: int
    """First row that is played."""


def make_plans(game: CountedGame, question: RampQuestion) -> list[RampPlan]:
    """Plan the given ramp, or the best one in any amounts and, if requested, in chips."""
    if question.ramp is not None:
        given = [float(question.ramp.bet(row.count)) for row in game.rows]
        if question.ramp.side and question.wong == "best":
            raise AnalysisError("wong best weighs main bets only: name the lowest count to bet at")

        def play_from(first: int) -> list[float]:
            return [0.0] * first + given[first:]

        first = choose_first(game, question, play_from)
        return [_settle(game, question, play_from(first), title="as given", first=first)]

    spread = question.spread or 1.0

    def find(first: int) -> list[float]:
        return best_bets(game, spread, first=first, levels=question.levels)

    first = choose_first(game, question, find)
    bets = find(first)
    plans = [_settle(game, question, bets, title="any amounts", first=first)]
    if question.chip is not None:
        plans.append(_plan_chips(game, question, spread, question.chip))
    return plans


def choose_first(
    game: CountedGame,
    question: RampQuestion,
    find: Callable[[int], Sequence[float]],
    worth: Callable[[float, float], float] = square_of_di,
) -> int:
    """Return the row at which play starts; the best one has the highest `worth`."""
    if (wong := question.wong) is None:
        return 0
    if game.sits_out:
        raise AnalysisError(
            "this run sat rounds out itself (its enter and leave): when to play is decided in it;"
            " run again without them to choose afterwards"
        )
    if wong == "best":
        return best_first(game, find, worth)
    lowest, highest = game.rows[0], game.rows[-1]
    if wong > highest.count:
        msg = f"wong {wong}: the highest count that came up or is distinguished is {highest.label}"
        raise AnalysisError(msg)
    if wong <= lowest.count and lowest.label.startswith("<"):
        msg = f"wong {wong}: counts {lowest.label} are merged; from {lowest.count + 1} on"
        raise AnalysisError(msg)
    return max(wong - lowest.count, 0)


def _settle(
    game: CountedGame, question: RampQuestion, bets: Sequence[float], *, title: str, first: int
) -> RampPlan:
    """Derive the missing one of unit, bank and risk."""
    unit, bankroll = question.unit, question.bankroll
    if unit is None and bankroll is not None:
        betting = figures.bet_by_count(game, bets, _place_side(game, question, bets))
        kelly = _choose_kelly(question)
        ev, variance = betting.ev, betting.variance
        unit = figures.kelly_unit(ev=ev, variance=variance, bankroll=bankroll, kelly=kelly)
        if not unit:
            raise AnalysisError(
                f"this ramp loses {-betting.ev:.4f} units a round, so that no unit has a risk of"
                f" ruin of {figures.risk_of_kelly(kelly=kelly):.1%}: ruin is certain; name a unit"
                " to see the rest"
            )
    unit = 1.0 if unit is None else unit
    return _plan(game, question, bets, unit=unit, title=title, first=first)


def _plan_chips(game: CountedGame, question: RampQuestion, spread: float, chip: float) -> RampPlan:
    if question.unit is not None:
        least = round(question.unit / chip)

        def find(first: int) -> list[float]:
            return best_chips_from(game, spread, least=least, first=first, levels=question.levels)

        first = choose_first(game, question, find)
    else:
        kelly = _choose_kelly(question)
        bank = (question.bankroll or 0.0) / chip

        def find(first: int) -> list[float]:
            levels = question.levels
            if question.risk is None:
                return best_chips(
                    game, spread, bankroll=bank, kelly=kelly, first=first, levels=levels
                )
            return best_chips_at_risk(
                game, spread, bankroll=bank, risk=question.risk, first=first, levels=levels
            )

        def worth(mean: float, square: float) -> float:
            return equivalent(mean, square, bank=kelly * bank)

        first = choose_first(game, question, find, worth)
    return _plan(game, question, find(first), unit=chip, title=_IN_CHIPS, first=first)


def _plan(  # noqa: PLR0913 (what a plan is made of)
    game: CountedGame,
    question: RampQuestion,
    bets: Sequence[float],
    *,
    unit: float,
    title: str,
    first: int,
) -> RampPlan:
    given = figures.bet_by_count(game, bets, _place_side(game, question, bets)).scale(unit)
    kelly = _choose_kelly(question)
    bank = question.bankroll
    betting, error, slope = given, 0.0, given.bets
    is_in_chips = title == _IN_CHIPS
    if (finding := _describe_finding(question, given, kelly, in_chips=is_in_chips)) is not None:
        found = count_choice(game, given, finding)
        betting, slope = found.betting, found.ev_slope
        is_sized = bank is not None and question.unit is None
        error = found.least_error if is_sized and not is_in_chips else 0.0
    if bank is None:
        bank = figures.kelly_bankroll(ev=betting.ev, variance=betting.variance, kelly=kelly)
    ramp, least = question.ramp, 1
    if is_in_chips:
        # The ramp is in units of the least bet, as every other one: never in chips.
        least = round((question.unit or min(bet for bet in given.bets if bet)) / unit)
    if ramp is None or first:
        exact = tuple(Fraction(bet).limit_denominator(FINENESS) / least for bet in bets)
        ramp = BetRamp(least=game.rows[0].count, bets=exact, side=() if ramp is None else ramp.side)
    return RampPlan(
        title=title,
        ramp=ramp,
        unit=unit * least,
        unit_error=error,
        betting=betting,
        given=given,
        ev_slope=slope,
        bankroll=bank,
        kelly=kelly,
        first=first,
    )


def _describe_finding(
    question: RampQuestion, given: figures.Betting, kelly: float, *, in_chips: bool
) -> Finding | None:
    """Say how bets in money were found from the rounds; None if they were given."""
    is_sized = question.unit is None and question.bankroll is not None
    if question.ramp is not None and not is_sized:
        return None
    least, spread = min(bet for bet in given.bets if bet), question.spread or 1.0
    most, is_free = spread * least, is_sized
    if in_chips and question.chip is not None:
        chips = round(least / question.chip)
        most, is_free = _most(spread, chips) * question.chip, is_sized and chips > 1
    return Finding(
        bank=kelly * (question.bankroll or 0.0) if is_sized else None,
        bounds=(least, most) if question.ramp is None else None,
        is_least_free=is_free,
    )


def _place_side(
    game: CountedGame, question: RampQuestion, bets: Sequence[float]
) -> list[list[float]]:
    """Return the side bets of a given ramp by row, where there is a main bet."""
    ramp = question.ramp
    if ramp is None or not ramp.side:
        return []
    by_row = [
        dict(ramp.side_bets(row.count) if bet else ())
        for row, bet in zip(game.rows, bets, strict=True)
    ]
    return [[float(placed.get(code, 0)) for code in game.side] for placed in by_row]


def _choose_kelly(question: RampQuestion) -> float:
    if question.kelly is not None:
        return question.kelly
    return _FULL_KELLY if question.risk is None else figures.kelly_of_risk(risk=question.risk)
