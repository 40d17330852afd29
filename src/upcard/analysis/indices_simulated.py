"""What plays gain by count in simulated rounds, each played both ways on the same cards."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from upcard.analysis.indices_curves import Curve, fit_index, gain_over_chart
from upcard.analysis.indices_rows import MOST_ERRORS, Simulated
from upcard.core.actions import Action
from upcard.simulate.jobs import make_job
from upcard.simulate.probing import INSURANCE, probe_rounds
from upcard.strategy.deviations import Deviations

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from upcard.analysis.indices_curves import Gain
    from upcard.analysis.indices_questions import Question
    from upcard.analysis.indices_rows import IndexRow
    from upcard.rules.model import Rules
    from upcard.simulate.probing import ProbeSums
    from upcard.strategy.chart import Strategy
    from upcard.strategy.counting import CountSystem
    from upcard.strategy.ramp import BetRamp


def simulate_plays(  # noqa: PLR0913 (each is named in the call)
    rules: Rules,
    chart: Strategy,
    system: CountSystem,
    rows: Sequence[IndexRow],
    curves: dict[Question, Curve],
    *,
    rounds: int,
    seed: int,
    ramp: BetRamp | None = None,
    width: float,
    prefers: bool = False,
    workers: int | None = None,
    watch: Callable[[float], None] | None = None,
) -> list[Simulated | None]:
    """Return what the simulation says of each row; None where it cannot ask.

    All plays are played at their exact index, and turned round one at a time. Lines are fitted
    within `width` of it. With `prefers` the simulated index is played whether it contradicts the
    exact one or not.

    Raises: as `make_job` and `probe_rounds` do.
    """
    plays = {
        place: row.question.make_play(row.exact.index, at_or_above=row.exact.at_or_above)
        for place, row in enumerate(rows)
        if row.question.action is not Action.INSURANCE
    }
    deviations = Deviations(plays=tuple(plays.values()))
    job = make_job(rules, chart, seed=seed, count=system, indices=deviations, engine="kernel")
    sums = probe_rounds(
        job,
        deviations.plays,
        rounds=rounds,
        ramp=ramp,
        workers=workers,
        watch=None if watch is None else lambda done: watch(done / rounds),
    )
    number = {place: order for order, place in enumerate(plays, start=1)}
    return [
        _read(row, curves[row.question], sums, number.get(place, INSURANCE), ramp, width, prefers)
        for place, row in enumerate(rows)
    ]


def _read(  # noqa: PLR0913, PLR0917 (private)
    row: IndexRow,
    exact: Curve,
    sums: ProbeSums,
    number: int,
    ramp: BetRamp | None,
    width: float,
    prefers: bool,  # noqa: FBT001
) -> Simulated | None:
    rounds = int(sums.sums[number, :, 0].sum())
    if not rounds:
        return None
    flat = read_curve(row, exact, sums, number, 1, sums.unit)
    fit = fit_index(flat, row.exact, width=width, tolerance=row.tolerance)
    found, apart = (None, None) if fit is None else fit
    contradicts = apart is not None and abs(apart) > MOST_ERRORS
    played = found if found is not None and (prefers or contradicts) else row.exact

    def gain(curve: Curve) -> Gain:
        return gain_over_chart(
            curve, played.index, at_or_above=played.at_or_above, chart_acts=row.chart_acts
        )

    with_ramp = None
    if ramp is not None:
        with_ramp = gain(read_curve(row, exact, sums, number, 3, sums.unit * sums.bet_unit))
    return Simulated(
        index=found, errors_apart=apart, rounds=rounds, gain=gain(flat), ramp_gain=with_ramp
    )


def read_curve(  # noqa: PLR0913, PLR0917 (private)
    row: IndexRow, exact: Curve, sums: ProbeSums, number: int, column: int, unit: int
) -> Curve:
    """Turn the sums of a play into the curve of its action, for the counts of the exact curve.

    `column` is the first of the two columns of sums that are meant. Counts beyond the exact
    curve's ends are put with them.
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
        # What was measured is to turn the play round: where it acts, that is to act no more.
        acts = (counts >= row.exact.index) == row.exact.at_or_above
        gained = np.where(acts, -gained, gained)
    spread = squares - np.divide(gained**2, hits, out=np.zeros(len(counts)), where=hits > 0)
    return Curve(
        counts,
        exact.exact_counts,
        hits / sums.rounds,
        gained / unit / sums.rounds,
        np.maximum(spread, 0.0) / unit**2 / sums.rounds**2,
    )
