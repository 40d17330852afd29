"""Paths of a bank under bet ramps, as the ramp page shows them."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from upcard._version import __version__
from upcard.analysis.ramp_report import RampAnswer, with_error, write_figure
from upcard.analysis.ruin_paths import PathsAnswer
from upcard.charts.plot_data import read_paths_plot
from upcard.core.errors import BlackjackError, as_sentence
from upcard.core.numbers import with_minus
from upcard.simulation.bank_paths import BankPlan, play_paths
from upcard.simulation.job import KERNEL_VERSION
from upcard.simulation.run_state import finite
from upcard.web.plots import HALF, WIDTHS, Band, Lines, PlotLine, draw_lines
from upcard.web.ramp_view import RampFaults, RampForm, answer_ramp

if TYPE_CHECKING:
    from upcard.analysis.count_rows import CountedRun
    from upcard.analysis.figures import Betting

_HOURS: Final = 100.0
"""Length of a trip that is not given."""
_ALL_ROUNDS: Final = 4_000_000
_LEAST_PATHS: Final = 100
_MOST_PATHS: Final = 1_000
_MOST_ROUNDS: Final = 100_000
_ROWS: Final = 10
_DIGITS: Final = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class BankView:
    """The paths of a bank under one ramp. Amounts are in money."""

    title: str
    """Name of the ramp."""
    words: str
    """The outcome of the paths in words."""
    paths: int
    """Number of paths."""
    bands: tuple[tuple[float, ...], ...]
    """At each place the bank that 5, 25, 50, 75 and 95% of the paths are under."""
    ruined: float
    """Share of the paths that lost the whole bankroll, 0 to 1."""
    ruined_interval: tuple[float, float]
    """A 95% interval around `ruined`."""
    formula: float
    """Share of ruined paths by the formula, for the EV of their own rounds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PathsView:
    """The banks over a trip, one for each ramp; `problem` says why there is none."""

    problem: str
    """Why there are no paths; empty if there are some."""
    across: str
    """Unit of the places: rounds, or hours."""
    places: tuple[float, ...]
    """The places along a path at which `bands` are given."""
    banks: tuple[BankView, ...]
    """The paths of each ramp."""

    @property
    def svgs(self) -> tuple[str, ...]:
        """The banks as bands, all on the same scale."""
        amounts = [amount for bank in self.banks for band in bank.bands for amount in band]
        extent = (min(0.0, *amounts), max(amounts))
        widths = WIDTHS if len(self.banks) == 1 else HALF
        return tuple(
            draw_lines(
                Lines(
                    title=bank.title,
                    across=self.across,
                    write_x=_write_amount,
                    write_y=_write_amount,
                    bands=[self._band(bank, 0, 4, "is-outer"), self._band(bank, 1, 3, "is-inner")],
                    lines=[
                        PlotLine(
                            [(x, band[2]) for x, band in zip(self.places, bank.bands, strict=True)]
                        )
                    ],
                    levels=[(bank.bands[0][2], "")],
                    extent=extent,
                ),
                widths,
            )
            for bank in self.banks
        )

    def _band(self, bank: BankView, low: int, high: int, tone: str) -> Band:
        pairs = zip(self.places, bank.bands, strict=True)
        return Band([(place, band[low], band[high]) for place, band in pairs], tone)

    @property
    def rows(self) -> list[tuple[str, list[list[str]]]]:
        """A few of the places with the amounts of each bank, as text."""
        last = len(self.places) - 1
        chosen = sorted({round(last * row / _ROWS) for row in range(_ROWS + 1)})
        return [
            (
                _write_amount(self.places[place]),
                [[f"{amount:,.0f}" for amount in bank.bands[place]] for bank in self.banks],
            )
            for place in chosen
        ]


def play_banks(run: CountedRun, form: RampForm, other: RampForm | None) -> PathsView:
    """Play paths of the bank with the ramp of a form, and with a second one.

    Path K plays the rounds of chunk K of a run with the same seed, as `upcard bankroll` does.
    """
    answers = [answer_ramp(run, one) for one in (form, other) if one is not None]
    try:
        return _view_paths([one for one in answers if not isinstance(one, RampFaults)])
    except BlackjackError as error:
        return PathsView(problem=as_sentence(str(error)), across="", places=(), banks=())


def _view_paths(answers: list[RampAnswer]) -> PathsView:
    asked = answers[0].question
    rounds = round((asked.hours or _HOURS) * asked.rounds_per_hour)
    problem = ""
    if not 1 <= rounds <= _MOST_ROUNDS:
        problem = f"Paths have 1 to {_MOST_ROUNDS:,} rounds; this trip has {rounds:,}."
    elif any(finite(one.plans[-1].bankroll) is None for one in answers):
        problem = "No bank is enough for these bets, so there are no paths of one."
    if problem:
        return PathsView(problem=problem, across="", places=(), banks=())
    names = ("This ramp", "The pinned ramp") if len(answers) > 1 else ("Bank",)
    played = [_play(name, answer, rounds) for name, answer in zip(names, answers, strict=True)]
    return PathsView(
        problem="",
        across="hours",
        places=tuple(mark / asked.rounds_per_hour for mark in played[0][1]),
        banks=tuple(bank for bank, _ in played),
    )


def _play(name: str, answer: RampAnswer, rounds: int) -> tuple[BankView, tuple[int, ...]]:
    plan, job = answer.plans[-1], answer.run.job
    goal = answer.question.goal
    paths = play_paths(
        BankPlan(
            job=job.replace(version=__version__, kernel_version=KERNEL_VERSION),
            ramp=plan.ramp,
            bankroll=_round(plan.bankroll),
            unit=_round(plan.unit),
            goal=None if goal is None else _round(goal),
            rounds=rounds,
            paths=min(max(_ALL_ROUNDS // rounds, _LEAST_PATHS), _MOST_PATHS),
        ),
        workers=1,
    )
    found = PathsAnswer(paths=paths)
    plot = read_paths_plot(found)
    share, low, high = plot.ruined[-1]
    words = (
        f"{share:.1%} of {paths.plan.paths:,} banks were ruined. {_write_formulas(answer, found)}"
        f" Half of them end between {plot.bands[-1][1]:,.0f} and {plot.bands[-1][3]:,.0f}."
    )
    bank = BankView(
        title=name,
        words=words,
        paths=paths.plan.paths,
        bands=plot.bands,
        ruined=share,
        ruined_interval=(low, high),
        formula=plot.formula[-1],
    )
    return bank, plot.marks


def _write_formulas(answer: RampAnswer, found: PathsAnswer) -> str:
    """Write the formula's ruin by the EV of the paths, and by that of the run if it is shown."""
    formula, pace = found.comparisons[0].formula, answer.question.rounds_per_hour

    def write_ev(betting: Betting) -> str:
        return f"{with_error(pace * betting.ev, pace * betting.standard_error)} an hour"

    words = f"The formula gives {write_figure(formula)} for the EV of their rounds,"
    words += f" {write_ev(found.betting)}"
    for figure in answer.figures[-1]:
        if figure.name == formula.name:
            ev = write_ev(answer.plans[-1].betting)
            words += f", and {write_figure(figure)} for the EV of the run, {ev}"
    return f"{words}."


def _round(amount: float) -> Fraction:
    """Return an amount in a few digits, so that it can be counted in whole chips."""
    return Fraction(f"{amount:.{_DIGITS}g}")


def _write_amount(amount: float) -> str:
    return with_minus(f"{amount + 0.0:,.6g}")
