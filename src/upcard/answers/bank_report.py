"""Paths of a bank for people: a sentence, the tables, the ends by amount, and a line per path."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from upcard._version import __version__
from upcard.analysis import figures, ruin_paths
from upcard.charts.palette import choose_step
from upcard.core import errors, figure, numbers
from upcard.core.figure import AnswerTable, make_table
from upcard.core.number_texts import read_number
from upcard.simulation.bank_paths import BankPlan, play_paths
from upcard.simulation.betting_sessions import QUANTILES
from upcard.simulation.job import KERNEL_VERSION, read_ramp
from upcard.simulation.kernels.bank_walk import AT_GOAL, PLAYING, RUINED

if TYPE_CHECKING:
    from upcard.answers.ramp_report import RampAnswer
    from upcard.simulation.run_state import Run
    from upcard.strategy.ramp import BetRamp


_STEPS: Final = 10
_DIGITS: Final = 6
_TAIL: Final = 0.01
"""Share of the banks at each end that is shown together."""
_ENDINGS: Final = {PLAYING: "time", RUINED: "ruined", AT_GOAL: "goal"}
_SPREADS: Final = {
    "final": "Bank at the end",
    "lowest": "Lowest point",
    "highest": "Highest point",
    "rounds": "Rounds",
    "rounds_to_ruin": "Rounds to ruin",
    "rounds_to_goal": "Rounds to the goal",
}


def simulate_bankroll(
    run: Run,
    bankroll: float,
    *,
    ramp: str | BetRamp | None = None,
    seed: int | None = None,
    workers: int | None = None,
    **plan: Any,
) -> ruin_paths.PathsAnswer:
    """Play the paths of a bank in the game of a run, as `Run.bankroll` says."""
    changes = {} if seed is None else {"seed": seed}
    job = run.job.replace(version=__version__, kernel_version=KERNEL_VERSION, **changes)
    for name in plan.keys() & {"unit", "goal"}:
        plan[name] = None if plan[name] is None else read_number(plan[name], name, over=0)
    if odd := sorted(plan.keys() - {"unit", "goal", "rounds", "paths"}):
        msg = f"{odd[0]} is not an option of a bankroll: goal, paths, ramp, rounds, seed, unit"
        raise errors.RulesError(msg)
    own = run.own_ramp if ramp is None else read_ramp(ramp, job)
    found = BankPlan(job=job, ramp=own, bankroll=read_number(bankroll, "bankroll"), **plan)
    return ruin_paths.PathsAnswer(paths=play_paths(found, workers=workers))


def describe_bank(found: ruin_paths.PathsAnswer, answer: RampAnswer) -> str:
    """Say how many banks of a ramp were ruined, what the formula says, and where half of them end.

    The formula is stated for the EV of the paths, and for that of the run where its figures have
    it: the same formula with two estimates of one number.
    """
    from upcard.answers.ramp_report import write_hour

    formula, pace = found.comparisons[0].formula, answer.question.rounds_per_hour
    final = dict(zip(QUANTILES, found.spreads["final"].quantiles, strict=True))

    def write_ev(betting: figures.Betting) -> str:
        ev = numbers.with_error(pace * betting.ev, pace * betting.standard_error)
        return f"{ev} in {write_hour(pace)}"

    words = (
        f"{found.ruined.value:.1%} of {found.ruined.of:,} banks were ruined. The formula gives"
        f" {formula.text} for the EV of their rounds, {write_ev(found.betting)}"
    )
    if (figure := answer.plan_answers[-1].figures.get(formula.name)) is not None:
        ev = write_ev(answer.plans[-1].given)
        words += f", and {figure.text} for the EV of the run, {ev}"
    return f"{words}. Half of them end between {final[0.25]:,.0f} and {final[0.75]:,.0f}."


@dataclass(frozen=True, slots=True, kw_only=True)
class BankView:
    """The paths of a bank under one ramp. Amounts are in money."""

    title: str
    words: str
    bands: tuple[tuple[float, ...], ...]
    """At each place the bank that 5, 25, 50, 75 and 95% of the paths are under."""
    notes: tuple[str, ...]
    """Whether the paths and the formula agree, and why not, a sentence each."""
    outcome: ruin_paths.PathsAnswer
    """The outcome as `upcard bankroll --json` writes it."""


def play_bank(
    title: str, answer: RampAnswer, rounds: int, paths: int
) -> tuple[BankView, tuple[int, ...]]:
    """Play paths of the bank of the last ramp; return them, and the rounds at their places.

    Path K plays the rounds of chunk K of a run with the same seed, as `upcard bankroll` does.
    """
    from upcard.charts.plot_data import read_paths_plot

    plan, job, goal = answer.plans[-1], answer.run.job, answer.question.goal
    played = play_paths(
        BankPlan(
            job=job.replace(version=__version__, kernel_version=KERNEL_VERSION),
            ramp=plan.ramp,
            bankroll=_round(plan.bankroll),
            unit=_round(plan.unit),
            goal=None if goal is None else _round(goal),
            rounds=rounds,
            paths=paths,
        ),
        workers=1,
    )
    found = ruin_paths.PathsAnswer(paths=played)
    plot = read_paths_plot(found)
    bank = BankView(
        title=title,
        words=describe_bank(found, answer),
        bands=plot.bands,
        notes=tuple(found.notes()),
        outcome=found,
    )
    return bank, plot.marks


def _round(amount: float) -> Fraction:
    # In a few digits, so that it can be counted in whole chips.
    return Fraction(f"{amount:.{_DIGITS}g}")


def tabulate_spreads(answer: ruin_paths.PathsAnswer) -> AnswerTable:
    """Return the mean and the quantiles over the paths of the bank and of the rounds."""
    names = {f"{share:g}": "median" if share == 0.5 else f"{share:.0%}" for share in QUANTILES}
    quantiles = (figure.label(*name) for name in names.items())
    rows = (
        (_SPREADS[name], *map(_write_amount, (spread.mean, *spread.quantiles)))
        for name, spread in answer.spreads.items()
    )
    columns = (figure.text("spread", ""), figure.label("mean"), *quantiles)
    return make_table("Over the paths", columns, rows)


def count_ends(answer: ruin_paths.PathsAnswer) -> list[tuple[str, int]]:
    """Count the paths by final bank, with ruin first and the goal last."""
    paths = answer.paths
    rows = [("ruined", answer.ruined.number)]
    left = paths.money(paths.final[paths.ending == PLAYING])
    if len(left):
        rows += _gather(left)
    if paths.plan.goal is not None:
        rows.append(("at the goal", answer.at_goal.number))
    return rows


def _gather(banks: np.ndarray[tuple[int], np.dtype[np.float64]]) -> Iterator[tuple[str, int]]:
    """Count banks in steps of 1, 2 or 5 with zeros; outliers go into the last steps."""
    low, high = (float(each) for each in np.quantile(banks, (_TAIL, 1 - _TAIL)))
    step = choose_step((high - low) / _STEPS)
    first, last = math.floor(low / step), max(math.floor(high / step), math.floor(low / step))
    places = np.clip(np.floor(banks / step).astype(int), first, last)
    for place in range(first, last + 1):
        start, end = f"{place * step:,.10g}", f"{(place + 1) * step:,.10g}"
        label = f"{start} to {end}"
        if place == first and float(banks.min()) < place * step:
            label = f"under {end}"
        elif place == last and float(banks.max()) >= (place + 1) * step:
            label = f"{start} and more"
        yield label, int((places == place).sum())


def tabulate_paths(answer: ruin_paths.PathsAnswer) -> AnswerTable:
    """Return a row per path: how and when it ended, and its amounts in money."""
    paths = answer.paths
    names = ("final", "lowest", "highest")
    columns = (figure.number("path"), figure.text("ending"), figure.number("rounds"))
    amounts = (paths.money(getattr(paths, name)) for name in names)
    rows: Iterator[tuple[Any, ...]] = (
        (number, _ENDINGS[int(ending)], int(rounds), *(f"{each:.12g}" for each in banks))
        for number, (ending, rounds, *banks) in enumerate(
            zip(paths.ending, paths.rounds, *amounts, strict=True)
        )
    )
    return make_table("Every path", (*columns, *map(figure.label, names)), rows)


def _write_amount(amount: float) -> str:
    return f"{amount + 0.0:,.0f}" if abs(amount) >= 1000 else f"{amount + 0.0:,.4g}"
