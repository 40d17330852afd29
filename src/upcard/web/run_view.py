"""A run as pages show it: its settings, its figures, what the exact value says, and its plots."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from upcard.analysis.ramp_report import with_error
from upcard.charts.plot_data import (
    ConvergencePlot,
    ConvergencePoint,
    CountPoint,
    Side,
    read_convergence_plot,
    read_count_plot,
)
from upcard.core.errors import BlackjackError
from upcard.core.numbers import with_minus
from upcard.rules.describe import name_game
from upcard.simulation.job import Engine, Job
from upcard.simulation.run_state import finite, read_job, read_own_ramp, read_tally, write_amount
from upcard.simulation.tally import DEALT, Tally, estimate_counts, estimate_flat, estimate_ramp
from upcard.web.plots import Band, Bar, Bars, Lines, PlotLine, draw_bars, draw_lines, write_percent

if TYPE_CHECKING:
    from collections.abc import Iterator

    from upcard.strategy.ramp import BetRamp
    from upcard.web.runs import RunLook

_TONES = {Side.PLAYER: "is-good", Side.HOUSE: "is-bad", Side.UNKNOWN: "is-open"}


@dataclass(frozen=True, slots=True, kw_only=True)
class FigureView:
    """A number with its error. Shares are of a bet, or of a unit with a ramp."""

    name: str
    """Name of the number, in words."""
    value: float | None
    """The number; None if it is not known."""
    standard_error: float | None
    figure: str
    """Both as text."""
    about: str = ""
    """Unit of the number, or a remark."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CountView:
    """The rounds at one count, with flat bets."""

    label: str
    """The count, with ≤ or ≥ where it includes those beyond it."""
    share: float
    """Share of the rounds, 0 to 1."""
    ev: float | None
    """EV per bet; None if it is not known."""
    standard_error: float | None
    bet: str
    """Bet of the run's ramp; empty without one."""
    words: tuple[str, str]
    """Share and EV as text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckView:
    """The exact value of the same game."""

    title: str
    """Heading of the check."""
    figure: str
    """The exact EV in percent, as text; empty if there is none."""
    sentence: str
    """How the run compares with it, or why it cannot."""
    is_suspicious: bool
    """Whether the difference is too large for chance."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunResults:
    """The results of a run so far. Errors of points are half of a 95% interval."""

    figures: tuple[FigureView, ...]
    """The main figures."""
    check: CheckView | None
    """The comparison with the exact value; None before the run has ended."""
    by_count: tuple[CountView, ...]
    """The rounds by count; empty for a run without one."""
    common_counts: tuple[CountPoint, ...]
    """The counts that are drawn; rare ones are left out."""
    settling: tuple[ConvergencePoint, ...]
    """The EV so far, after more and more rounds."""
    exact: tuple[float, str] | None
    """The exact EV that it settles at, and what it is of; None if it is not known."""
    per: str
    """Unit of these EVs."""

    @property
    def count_svg(self) -> str:
        """EV and frequency by count, drawn; empty without a count."""
        return _draw_counts(self.common_counts) if self.common_counts else ""

    @property
    def settling_svg(self) -> str:
        """The EV over the rounds, drawn; empty for fewer than two points."""
        if len(self.settling) < 2:
            return ""
        return _draw_settling(self.settling, self.per, self.exact)


def describe_run(document: dict[str, Any], job: Job) -> list[tuple[str, str]]:
    """Describe the settings of a run, a topic and a text each."""
    player = "the chart saved with the run" if job.player is None else f"player {job.player}"
    rows = [("Game", name_game(job.rules)), ("Played by", player)]
    if job.system is not None:
        rows.append(("Count", f"{job.system.title}, {job.system.by} count"))
    if job.deviations is not None:
        rows.append(("Index plays", job.deviations.name or "of your own"))
    if document["ramp"] is not None:
        rows.append(("Ramp", f"{document['ramp']} (count:units)"))
    if job.spots > 1:
        rows.append(("Spots", str(job.spots)))
    if job.enter is not None or job.leave is not None:
        enter = "seated from the start" if job.enter is None else f"sits down at {job.enter:+d}"
        leave = "stays" if job.leave is None else f"gets up under {job.leave:+d}"
        rows.append(("Wonging", f"{enter}, {leave}"))
    rows.append(("Goal", _describe_goal(document["goal"])))
    if job.engine is Engine.TABLE:
        rows.append(("Engine", "the table, which supports every rule"))
    rows.append(("Seed", str(job.seed)))
    return rows


def _describe_goal(goal: dict[str, Any]) -> str:
    ends = []
    if goal["rounds"] is not None:
        ends.append(f"{goal['rounds']:,} rounds")
    if goal["until"] is not None:
        ends.append(f"an error of {goal['until']:.4%}".rstrip("0"))
    return " or ".join(ends)


def look_at_results(document: dict[str, Any]) -> RunResults | None:
    """Return the results of a document; None before the first round."""
    job = read_job(document)
    ramp = read_own_ramp(document, job)
    tally = read_tally(document, job, ramp)
    if tally is None:
        return None
    settling = _read_settling(document)
    return RunResults(
        figures=(*_figures(job, tally, ramp), *_compare(document["exact"])),
        check=_look_at_check(document),
        by_count=tuple(_rows(tally, ramp)) if job.system is not None else (),
        common_counts=_read_common_counts(document),
        settling=() if settling is None else settling.points,
        exact=_find_exact(settling),
        per="of a bet" if ramp is None else "of a unit a round",
    )


def _figures(job: Job, tally: Tally, ramp: BetRamp | None) -> list[FigureView]:
    flat, dealt = estimate_flat(tally), estimate_flat(tally, seats=DEALT)
    found = []
    if ramp is not None:
        quoted = estimate_ramp(tally, ramp)
        name = "EV of a round dealt, with the ramp"
        found.append(_share(name, quoted.ev, quoted.standard_error, "of a unit"))
    if flat.rounds:
        found.append(_share("EV with flat bets", flat.ev, flat.standard_error, "of the bet"))
    where = "over all rounds dealt" if tally.played != tally.seen else ""
    found.append(_share("House edge", -dealt.ev, dealt.standard_error, where))
    spots = f", over {job.spots} spots" if job.spots > 1 else ""
    deviation = flat.standard_deviation
    found.append(
        _number("SD of a round", finite(deviation), f"{deviation:.4f}", f"of a bet{spots}")
    )
    found.append(_number("Rounds", tally.seen, f"{tally.seen:,}", _say_played(tally)))
    if tally.shoes and tally.shoes < tally.seen:
        rounds = tally.seen / tally.shoes
        found.append(_number("Rounds a shoe", rounds, f"{rounds:.1f}", f"{tally.shoes:,} shoes"))
    cards = tally.cards / max(tally.seen, 1)
    found.append(_number("Cards a round", cards, f"{cards:.3f}", ""))
    return found


def _compare(check: dict[str, Any] | None) -> Iterator[FigureView]:
    """Iterate over what the exact value shows of a run."""
    if check is None or check["ev"] is None:
        return
    effect, z = check["cut_card_effect"], check["z"]
    if effect is not None:
        yield _share("Cut-card effect", effect, check["standard_error"], "and chance")
    if z is not None:
        figure = with_minus(f"{z:+.2f}")
        yield _number("z", z, figure, "standard errors from the exact value")


def _say_played(tally: Tally) -> str:
    return "" if tally.played == tally.seen else f"{tally.played:,} of them played"


def _share(name: str, value: float, error: float, about: str) -> FigureView:
    ev, spread = finite(value), finite(error)
    return FigureView(
        name=name, value=ev, standard_error=spread, figure=write_share(ev, spread), about=about
    )


def _number(name: str, value: float | None, figure: str, about: str) -> FigureView:
    return FigureView(name=name, value=value, standard_error=None, figure=figure, about=about)


def write_share(value: float | None, error: float | None) -> str:
    """Write a share in percent, with its error if known."""
    if value is None:
        return "not known"
    text = with_error(100 * value, None if error is None else 100 * error, "%")
    return with_minus(text)


def _rows(tally: Tally, ramp: BetRamp | None) -> list[CountView]:
    rows = []
    for row in estimate_counts(tally):
        ev, error = finite(row.flat.ev), finite(row.flat.standard_error)
        rows.append(
            CountView(
                label=with_minus(row.label),
                share=row.share,
                ev=ev,
                standard_error=error,
                bet="" if ramp is None else f"{float(ramp.bet(row.count)):g}",
                words=(f"{row.share:.3%}", write_share(ev, error)),
            )
        )
    return rows


def _look_at_check(document: dict[str, Any]) -> CheckView | None:
    """Return what the exact value says of a finished run; None before."""
    from upcard.simulation.tally import SUSPICIOUS_Z

    check = document["exact"]
    if check is None:
        return None
    if check["ev"] is None:
        words = f"There is none to compare with: {check['reason']}."
        return CheckView(title="Exact value", figure="", sentence=words, is_suspicious=False)
    figure = with_minus(f"{check['ev']:+.4%}")
    gap = write_share(check["difference"], check["standard_error"])
    if not check["is_same_game"]:
        words = (
            f"That is the first round of a shoe. Playing on until the cut card: {gap} from it,"
            " the cut-card effect and chance."
        )
        return CheckView(title="Exact value", figure=figure, sentence=words, is_suspicious=False)
    z = check["z"]
    words = f"Simulated less exact: {gap}"
    words += "." if z is None else with_minus(f", z = {z:+.2f}.")
    is_suspicious = z is not None and abs(z) > SUSPICIOUS_Z
    if is_suspicious:
        words += " Chance differs by that much once in 16,000 runs: please report it."
    return CheckView(
        title="Exact value", figure=figure, sentence=words, is_suspicious=is_suspicious
    )


def _read_common_counts(document: dict[str, Any]) -> tuple[CountPoint, ...]:
    try:
        return read_count_plot(document).points
    except BlackjackError:  # it did not count
        return ()


def _read_settling(document: dict[str, Any]) -> ConvergencePlot | None:
    try:
        return read_convergence_plot(document)
    except BlackjackError:  # too early
        return None


def _find_exact(settling: ConvergencePlot | None) -> tuple[float, str] | None:
    if settling is None or settling.exact is None:
        return None
    return settling.exact, settling.exact_name


def _draw_counts(points: tuple[CountPoint, ...]) -> str:
    evs = [
        Bar(
            point.ev,
            point.error,
            _TONES[point.side],
            f"{point.label}: {write_share(point.ev, None)}, {point.side}",
        )
        for point in points
    ]
    shares = [Bar(point.share, 0.0, "is-plain", f"{point.share:.2%}") for point in points]
    return draw_bars(
        [point.label for point in points],
        (
            Bars(
                title="EV of a bet at this count, with 95% intervals", bars=evs, write=write_percent
            ),
            Bars(title="Share of the rounds", bars=shares, write=write_percent, height=70),
        ),
    )


def _draw_settling(
    points: tuple[ConvergencePoint, ...], per: str, exact: tuple[float, str] | None
) -> str:
    return draw_lines(
        Lines(
            title=f"EV so far, {per}, with its 95% interval",
            across="rounds",
            write_x=write_amount,
            write_y=write_percent,
            bands=(Band([(one.rounds, one.ev - one.error, one.ev + one.error) for one in points]),),
            lines=(PlotLine([(one.rounds, one.ev) for one in points]),),
            levels=() if exact is None else (exact,),
            height=180,
        )
    )


def is_counted(look: RunLook) -> bool:
    """Whether bets by count can be tried on a run."""
    return look.document["job"]["system"] is not None and bool(look.document["rounds"])
