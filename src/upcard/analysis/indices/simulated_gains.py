"""Gains of plays by count in simulated rounds, each played both ways on the same cards."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from upcard.analysis.indices import plays as index_plays
from upcard.analysis.indices.plays import Index, IndexQuestion
from upcard.analysis.indices.rows import MOST_ERRORS, IndexRow, Simulated
from upcard.rules.model import Rules
from upcard.simulation.job import make_job
from upcard.simulation.paired_play import INSURANCE, ProbeSums, probe_rounds
from upcard.strategy.chart import Strategy
from upcard.strategy.count_system import CountSystem
from upcard.strategy.deviations import Deviations
from upcard.strategy.ramp import BetRamp


def simulate_plays(  # noqa: PLR0913 (each is named in the call)
    rules: Rules,
    chart: Strategy,
    system: CountSystem,
    rows: Sequence[IndexRow],
    curves: dict[IndexQuestion, index_plays.Curve],
    *,
    rounds: int,
    seed: int,
    ramp: BetRamp | None = None,
    width: float,
    prefers: bool = False,
    workers: int | None = None,
    watch: Callable[[float], None] | None = None,
) -> tuple[list[Simulated | None], int]:
    """Return the simulated result of each row, None if it cannot be probed, and the rounds played.

    They are fewer after Ctrl-C, and plays that share a cell may have no result then.

    All plays are played at their exact index, and reversed one at a time. Lines are fitted within
    `width` of it. With `prefers` the simulated index is used even if it does not contradict the
    exact one. Plays that share a cell are played again at their final indices, and taken back one
    at a time, for the gain of each over the chart.
    """
    cells = Counter((row.question.hand, row.question.upcard) for row in rows)
    shared = [
        place for place, row in enumerate(rows) if cells[row.question.hand, row.question.upcard] > 1
    ]
    # Insurance is not a play of a hand.
    hands = [place for place, row in enumerate(rows) if row.question != index_plays.INSURANCE]
    runs = 2 if shared else 1

    def probe(indices: Sequence[Index], asked: Sequence[int], *, as_chart: bool) -> ProbeSums:
        at = [(place, indices[place]) for place in hands]
        plays = {
            place: rows[place].question.make_play(one.index, at_or_above=one.at_or_above)
            for place, one in at
        }
        deviations = Deviations(plays=tuple(plays.values()))
        return probe_rounds(
            make_job(rules, chart, seed=seed, count=system, indices=deviations, engine="kernel"),
            tuple(plays[place] for place in asked),
            rounds=rounds,
            ramp=ramp,
            as_chart=as_chart,
            workers=workers,
            watch=None if watch is None else lambda done: watch((as_chart + done / rounds) / runs),
        )

    sums = probe([row.exact for row in rows], hands, as_chart=False)
    number = {place: order for order, place in enumerate(hands, start=1)}
    read = [
        _read(row, curves[row.question], sums, number.get(place, INSURANCE), ramp, width, prefers)
        for place, row in enumerate(rows)
    ]
    simulated = [one for one, _ in read]
    if sums.rounds < rounds:
        simulated = [None if place in shared else one for place, one in enumerate(simulated)]
    elif shared:
        sums = probe([played for _, played in read], shared, as_chart=True)
        for order, place in enumerate(shared, start=1):
            if (one := simulated[place]) is not None:
                gain, with_ramp = _read_gains(sums, order, ramp)
                simulated[place] = replace(one, gain=gain, ramp_gain=with_ramp)
    return simulated, sums.rounds


def _read(  # noqa: PLR0913, PLR0917 (private)
    row: IndexRow,
    exact: index_plays.Curve,
    sums: ProbeSums,
    number: int,
    ramp: BetRamp | None,
    width: float,
    prefers: bool,  # noqa: FBT001
) -> tuple[Simulated | None, Index]:
    """Return the simulated result of a row, and the index to play by."""
    if not (rounds := int(sums.sums[number, :, 0].sum())):
        return None, row.exact
    flat = read_curve(row, exact, sums, number, 1, sums.unit)
    fit = index_plays.fit_index(flat, row.exact, width=width, tolerance=row.tolerance)
    found, apart = (None, None) if fit is None else fit
    contradicts = apart is not None and abs(apart) > MOST_ERRORS
    played = found if found is not None and (prefers or contradicts) else row.exact

    def gain(curve: index_plays.Curve) -> index_plays.Gain:
        return index_plays.gain_over_chart(curve, played, chart_acts=row.chart_acts)

    with_ramp = None
    if ramp is not None:
        with_ramp = gain(read_curve(row, exact, sums, number, 3, sums.unit * sums.bet_unit))
    simulated = Simulated(
        index=found,
        errors_apart=apart,
        rounds=rounds,
        gain=gain(flat),
        ramp_gain=with_ramp,
        added_square=_add_squares(row, sums, number) / rounds,
    )
    return simulated, played


def _add_squares(row: IndexRow, sums: ProbeSums, number: int) -> float:
    """Return what the action adds to the squares of all rounds in which the question came up."""
    counts = np.arange(sums.least_count, sums.least_count + sums.sums.shape[1])
    acts = ((counts >= row.exact.index) == row.exact.at_or_above) & (number != INSURANCE)
    added = sums.sums[number, :, 5]
    return float(np.where(acts, -added, added).sum()) / sums.unit**2


def _read_gains(
    sums: ProbeSums, number: int, ramp: BetRamp | None
) -> tuple[index_plays.Gain, index_plays.Gain | None]:
    """Return the gain over the chart of a play that was taken back, flat and with the ramp."""
    hits, *columns = sums.sums[number].sum(axis=0).tolist()

    def gain(lost: int, squares: int, unit: int) -> index_plays.Gain:
        spread = squares - lost**2 / hits if hits else 0.0
        scale = index_plays.PER / unit / sums.rounds
        return index_plays.Gain(-lost * scale, math.sqrt(max(spread, 0.0)) * scale)

    flat = gain(columns[0], columns[1], sums.unit)
    if ramp is None:
        return flat, None
    return flat, gain(columns[2], columns[3], sums.unit * sums.bet_unit)


def read_curve(  # noqa: PLR0913, PLR0917 (private)
    row: IndexRow, exact: index_plays.Curve, sums: ProbeSums, number: int, column: int, unit: int
) -> index_plays.Curve:
    """Convert the sums of a play to the curve of its action, for the counts of the exact curve.

    `column` is the first of the two columns of sums to read. Counts beyond the exact curve's ends
    are added to them.
    """
    counts = exact.counts
    theirs = np.arange(sums.least_count, sums.least_count + sums.sums.shape[1])
    place = np.clip(theirs - counts[0], 0, len(counts) - 1)
    own = sums.sums[number]
    hits, gained, squares = (
        np.bincount(place, own[:, part].astype(np.float64), minlength=len(counts))
        for part in (0, column, column + 1)
    )
    if number != INSURANCE:
        # The measured gain is that of reversing the play: where it acts, of not acting.
        acts = (counts >= row.exact.index) == row.exact.at_or_above
        gained = np.where(acts, -gained, gained)
    spread = squares - np.divide(gained**2, hits, out=np.zeros(len(counts)), where=hits > 0)
    return index_plays.Curve(
        counts,
        exact.exact_counts,
        hits / sums.rounds,
        gained / unit / sums.rounds,
        np.maximum(spread, 0.0) / unit**2 / sums.rounds**2,
    )
