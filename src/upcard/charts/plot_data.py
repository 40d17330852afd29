"""The data of simulation pictures as plain numbers: by count, convergence, sessions, a bank.

Pictures and their text forms are drawn from these values, so both show the same.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final

from upcard.charts.facts import printable
from upcard.core import errors, figure, user_files
from upcard.simulation.betting_sessions import QUANTILES, BettingSession, SessionPlan, find_quantile
from upcard.simulation.tally import Tally, estimate_counts

if TYPE_CHECKING:
    from upcard.analysis.cards_gone import CardsGone
    from upcard.analysis.ruin_paths import PathsAnswer

SIGMAS: Final = 1.96
"""Standard errors on each side of an error bar or band, for 95% confidence."""
FEWEST_ROUNDS: Final = 100
"""A count that occurred less often is drawn without an EV, only with its frequency."""
LEAST_SHARE: Final = 5e-4
"""Rarer counts are left out, and the picture says so."""
MOST_LINES: Final = 100
"""More lines than this make a picture unreadable: the bands show the rest."""
FEW_LINES: Final = 25
"""Number of lines drawn over the bands in that case, the first ones."""
_SIGNS: Final = str.maketrans({"-": "−", "<": "≤", ">": "≥", "=": ""})
_STEPS: Final = 250
"""Most places along a path that have quantiles."""
_MOST_PATHS: Final = 40
"""Number of paths of a bank that are drawn, the first ones."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlotCaption:
    """The words around a picture."""

    title: str
    about: tuple[str, ...]
    source: str
    """Rules, seed, rounds: the settings that reproduce the picture."""


class Side(StrEnum):
    """The side that the rounds at a count favour, as far as the 95% interval shows."""

    PLAYER = "for the player"
    HOUSE = "for the house"
    UNKNOWN = "not settled yet"


@dataclass(frozen=True, slots=True, kw_only=True)
class CountPoint:
    """The rounds at one count."""

    label: str
    """The count, with ≤ or ≥ where it includes those beyond it."""
    share: float
    """Share of all the rounds played."""
    ev: float | None
    """Per initial bet at unit bets; None where too few rounds were played."""
    error: float
    """Half the length of a 95% interval around `ev`."""

    @property
    def side(self) -> Side:
        """The side that the count favours; unknown if the interval includes 0."""
        if self.ev is None or abs(self.ev) <= self.error:
            return Side.UNKNOWN
        return Side.PLAYER if self.ev > 0 else Side.HOUSE


@dataclass(frozen=True, slots=True, kw_only=True)
class CountPlot(figure.Pictured):
    """EV and frequency by count."""

    caption: PlotCaption
    count_name: str
    points: tuple[CountPoint, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ConvergencePoint:
    """The estimate after a number of rounds."""

    rounds: int
    ev: float
    """EV over these rounds."""
    error: float
    """Half the length of a 95% interval around `ev`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ConvergencePlot(figure.Pictured):
    """The estimated EV over the course of the rounds."""

    caption: PlotCaption
    per: str
    """The unit of the EV: per initial bet, or per round in units."""
    is_percent: bool
    points: tuple[ConvergencePoint, ...]
    exact: float | None
    exact_name: str
    """The rounds that it is the EV of: every round, or only the first after a shuffle."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Path:
    """One bank over time, from its start."""

    rounds: Sequence[int]
    banks: tuple[float, ...]
    """The bank after each of `rounds`."""
    is_ruined: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Banks:
    """Banks over time that begin with the same amount."""

    start: float
    marks: tuple[int, ...]
    """The rounds at which `bands` are given, 0 first."""
    bands: tuple[tuple[float, ...], ...]
    """For each mark the bank at the shares of `QUANTILES`; an ended path stays at its last bank."""
    paths: tuple[Path, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemPanel(Banks):
    """The sessions of one betting system. Amounts are in chips."""

    name: str
    note: str
    ruined: int


@dataclass(frozen=True, slots=True, kw_only=True)
class BankrollPlot(figure.Pictured):
    """Chips against rounds, a panel for each betting system."""

    caption: PlotCaption
    rounds: int
    panels: tuple[SystemPanel, ...]

    @property
    def extent(self) -> tuple[float, float]:
        """The range of chips in the panels: from 0, unless no session ever comes close to it."""
        chips = [path.banks for panel in self.panels for path in panel.paths]
        low, high = min(map(min, chips)), max(map(max, chips))
        room = 0.03 * (high - low) or 1.0
        return (0.0 if low < high / 2 else low - room), high + room


@dataclass(frozen=True, slots=True, kw_only=True)
class PathsPlot(Banks, figure.Pictured):
    """The bank of a plan over time, and ruin compared with the formula. Amounts are in money."""

    caption: PlotCaption
    rounds: int
    goal: float | None
    ruined: tuple[tuple[float, float, float], ...]
    """For each mark the share of the paths ruined so far, and its 95% interval."""
    formula: tuple[float, ...]

    @property
    def extent(self) -> tuple[float, float]:
        """The range of the banks, 0 included."""
        low = min(0.0, *(min(path.banks) for path in self.paths))
        high = max(*(max(path.banks) for path in self.paths), *(band[-1] for band in self.bands))
        return low, high + 0.03 * (high - low)


@dataclass(frozen=True, slots=True, kw_only=True)
class DepthPlot:
    """EV of a round by cards gone: mean, 5 % and 95 % of the shoes."""

    caption: PlotCaption
    points: tuple[tuple[int, float, float, float], ...]


def read_depth_plot(found: CardsGone) -> DepthPlot:
    """Read EV by cards gone."""
    sampled = next(
        (f"{row.shoes} shoes a depth" for row in found.rows if not row.is_exact), "exact"
    )
    about = "What a round is worth by perfect play: the mean over shoes, and 90% of the shoes."
    source = f"{found.rules} · {sampled} · seed {found.seed}"
    return DepthPlot(
        caption=PlotCaption(title="EV by cards gone", about=(about,), source=source),
        points=tuple((row.gone, row.ev, row.low, row.high) for row in found.rows),
    )


def read_count_plot(document: dict[str, Any]) -> CountPlot:
    """Read EV and frequency by count from the document of a run."""
    tally = Tally.from_json(_part(document, "tally"))
    system = _part(document, "job").get("system")
    if system is None:
        msg = "this run did not count, so there is nothing to draw by count; run it with a count"
        raise errors.RulesError(msg)
    found = estimate_counts(tally)
    points = tuple(
        CountPoint(
            label=typeset_count(row.label),
            share=row.share,
            ev=row.flat.ev if row.flat.rounds >= FEWEST_ROUNDS else None,
            error=SIGMAS * row.flat.standard_error if row.flat.rounds >= FEWEST_ROUNDS else 0.0,
        )
        for row in found
        if row.share >= LEAST_SHARE
    )
    if not points:
        raise errors.RulesError("this run has no rounds to draw")
    about = "What a round was worth at one unit flat, with 95% intervals; below, how often."
    if len(points) < len(found):
        about += f" Counts in under {LEAST_SHARE:.2%} of the rounds are left out."
    title = "EV and frequency by count"
    caption = PlotCaption(title=title, about=(about,), source=_source(document))
    return CountPlot(caption=caption, count_name=_system_title(system), points=points)


def read_convergence_plot(document: dict[str, Any]) -> ConvergencePlot:
    """Read the progress of the estimate from the document of a run."""
    try:
        points = tuple(
            ConvergencePoint(rounds=int(rounds), ev=float(ev), error=SIGMAS * float(error))
            for rounds, ev, error in document.get("progress") or ()
            if int(rounds) > 0 and error is not None and math.isfinite(error)
        )
    except (TypeError, ValueError):
        msg = "not the document of a run: its progress is not a list of rounds, EV and error"
        raise errors.RulesError(msg) from None
    if not points:
        why = "this run recorded no estimates along the way"
        raise errors.RulesError(f"{why}, so there is no convergence to draw")
    has_ramp = document.get("ramp") is not None
    # The exact value is that of flat bets on a fresh shoe.
    check = document.get("exact") or {}
    exact = None if has_ramp else check.get("ev")
    is_fresh = check.get("cut_card_effect") is None
    return ConvergencePlot(
        caption=PlotCaption(
            title="How the estimate settled",
            about=("The EV so far, and the band that holds the true one 95% of the time.",),
            source=_source(document),
        ),
        per="units per round" if has_ramp else "% of the initial bet",
        is_percent=not has_ramp,
        points=points,
        exact=None if exact is None else float(exact),
        exact_name="exact" if is_fresh else "exact, first round of a shoe",
    )


def read_bankroll_plot(
    runs: Sequence[tuple[SessionPlan, Sequence[BettingSession]]],
) -> BankrollPlot:
    """Read the chips of sessions, a series for each betting system."""
    if not runs or not all(sessions for _, sessions in runs):
        raise errors.RulesError("there are no sessions to draw")
    plan, first = runs[0]
    rounds = max(plan.rounds for plan, _ in runs)
    stake, unit = _write_number(float(plan.stake)), _write_number(float(plan.unit))
    limit = "no limit" if plan.limit is None else f"limit {_write_number(float(plan.limit))}"
    panels = tuple(_panel(plan, sessions, rounds) for plan, sessions in runs)
    title = f"{len(first)} sessions by {len(runs)} betting systems"
    if len(runs) == 1:
        title = f"{plan.betting}: {panels[0].ruined} of {len(first)} sessions ruined"
    terms = (
        f"{stake} chips, at most {rounds} rounds, player {plan.player}; a unit of {unit}, {limit}."
        " Ruined: the next bet was not covered."
    )
    bands = _say_what_bands_are(max(len(sessions) for _, sessions in runs))
    source = f"{plan.rules} · seed {plan.seed}"
    caption = PlotCaption(title=title[0].upper() + title[1:], about=(terms, bands), source=source)
    return BankrollPlot(caption=caption, rounds=rounds, panels=panels)


def _panel(plan: SessionPlan, sessions: Sequence[BettingSession], rounds: int) -> SystemPanel:
    paths: list[Path] = []
    for session in sessions:
        if session.path is None:
            msg = "the paths of these sessions were not recorded: play them with keep_paths"
            raise errors.RulesError(msg)
        chips = (float(session.stake), *session.path)
        paths.append(Path(rounds=range(len(chips)), banks=chips, is_ruined=session.is_ruined))
    ruined = sum(path.is_ruined for path in paths)
    mean = math.fsum(path.banks[-1] for path in paths) / len(paths)
    count = min(rounds, _STEPS)
    steps = tuple(round(step * rounds / count) for step in range(count + 1))
    bands = []
    for step in steps:
        ordered = sorted(path.banks[min(step, len(path.banks) - 1)] for path in paths)
        bands.append(tuple(find_quantile(ordered, share) for share in QUANTILES))
    return SystemPanel(
        name=plan.betting,
        note=f"{ruined} of {len(paths)} ruined, {mean:,.1f} chips left on average",
        ruined=ruined,
        start=float(plan.stake),
        paths=tuple(paths),
        marks=steps,
        bands=tuple(bands),
    )


def _say_what_bands_are(sessions: int) -> str:
    if sessions <= MOST_LINES:
        return "Grey: the middle 90% of the sessions."
    return f"Grey: the middle 90% and the middle 50% of the sessions; lines: the first {FEW_LINES}."


def read_paths_plot(answer: PathsAnswer) -> PathsPlot:
    """Read the paths of a bank, and the formula for its ruin."""
    import numpy as np

    paths, plan = answer.paths, answer.paths.plan
    banks = paths.money(paths.kept)
    marks, shares, formula, _ = answer.trace_ruin()
    bands = np.quantile(banks, QUANTILES, axis=0).T
    ramp = "flat bets" if plan.ramp is None else f"ramp {plan.ramp}"
    system = "" if plan.job.system is None else f", {plan.job.system.title}"
    of = answer.ruined.of
    bank = f"A bank of {float(plan.bankroll):,.10g}, a unit of {float(plan.unit):,.10g}"
    drawn = f"{of:,} paths" if len(banks) == of else f"the first {len(banks):,} of {of:,} paths"
    lines = f"lines: the first {min(_MOST_PATHS, of)}"
    bands_are = f"Grey: the middle 90% and the middle 50% of {drawn}; {lines}."
    goal = None if plan.goal is None else float(plan.bankroll + plan.goal)
    ends = "with a cross if ruined" if goal is None else "with a cross if ruined, at the goal"
    dashed_are = (
        f"Dashed: the bank at the start{'' if goal is None else f', and the goal of {goal:,.10g}'}."
        f" A path ends {ends}, or when its rounds are played."
    )
    return PathsPlot(
        caption=PlotCaption(
            title=f"{answer.ruined.value:.2%} of {of:,} banks ruined in {plan.rounds:,} rounds",
            about=(f"{bank}, {ramp}{system}.", bands_are, dashed_are),
            source=f"{plan.job.rules} · seed {plan.job.seed}",
        ),
        rounds=plan.rounds,
        start=float(plan.bankroll),
        goal=goal,
        marks=tuple(marks.tolist()),
        bands=tuple(tuple(band) for band in bands.tolist()),
        paths=tuple(_take_paths(answer)),
        ruined=tuple((share.value, *share.interval) for share in shares),
        formula=tuple(formula),
    )


def _take_paths(answer: PathsAnswer) -> Iterator[Path]:
    paths = answer.paths
    banks, finals = paths.money(paths.kept), paths.money(paths.final)
    for path in range(min(_MOST_PATHS, len(banks))):
        last = int(paths.rounds[path])
        walked = paths.marks < last
        yield Path(
            rounds=(*paths.marks[walked].tolist(), last),
            banks=(*banks[path][walked].tolist(), float(finals[path])),
            is_ruined=bool(paths.is_ruined[path]),
        )


def _part(document: dict[str, Any], name: str) -> dict[str, Any]:
    part = document.get(name)
    if not isinstance(part, dict):
        raise errors.RulesError(f"not the document of a run: it has no {name!r}")
    return part


def _source(document: dict[str, Any]) -> str:
    ramp = [] if document.get("ramp") is None else [f"ramp {document['ramp']}"]
    rounds, seed = f"{int(document.get('rounds', 0)):,} rounds", f"seed {document.get('seed')}"
    return printable(" · ".join((str(document.get("rules", "")), *ramp, rounds, seed)))


def _system_title(system: object) -> str:
    try:
        read = user_files.parse_toml(str(system), "the counting system")
    except errors.UserFileError:
        return printable(str(system))
    return printable(str(read.get("title") or read.get("name") or "running"))


def _write_number(number: float) -> str:
    return f"{number:g}" if abs(number) < 1e6 else f"{number:,.0f}"


def typeset_count(label: str) -> str:
    """Write the label of a count in signs: `≤−3` for `<= -3`."""
    return label.translate(_SIGNS).replace(" ", "")
