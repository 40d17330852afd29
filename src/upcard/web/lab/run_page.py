"""A run: its progress while it is played, then its results by count; stop, continue, extend."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from http import HTTPStatus
from typing import TYPE_CHECKING, Annotated, Any, Final

from starlette.concurrency import run_in_threadpool
from starlette.responses import RedirectResponse, Response, StreamingResponse
from starlette.routing import Route

from upcard.analysis.ramp_report import with_error
from upcard.charts import plot_data
from upcard.core.errors import BlackjackError, NotationError, as_sentence
from upcard.core.numbers import to_json, with_minus
from upcard.rules.describe import describe_rules, name_game
from upcard.simulation.job import Engine, Job
from upcard.simulation.run_state import finite, read_job, read_own_ramp, read_tally, write_amount
from upcard.simulation.tally import DEALT, Tally, estimate_counts, estimate_flat, estimate_ramp
from upcard.strategy.ramp import BetRamp
from upcard.web.endpoints import endpoint
from upcard.web.lab.desk import ProgressView, RunDesk, RunLook, Status
from upcard.web.lab.page import RunRow, check_rounds, view_row
from upcard.web.plots import Band, Bar, Bars, Lines, PlotLine, draw_bars, draw_lines, write_percent
from upcard.web.showing import show
from upcard.web.site import site_of

if TYPE_CHECKING:
    from starlette.requests import Request


_TONES = {
    plot_data.Side.PLAYER: "is-good",
    plot_data.Side.HOUSE: "is-bad",
    plot_data.Side.UNKNOWN: "is-open",
}


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
    common_counts: tuple[plot_data.CountPoint, ...]
    """The counts that are drawn; rare ones are left out."""
    settling: tuple[plot_data.ConvergencePoint, ...]
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
    words = f"Simulated minus exact: {gap}"
    words += "." if z is None else with_minus(f", z = {z:+.2f}.")
    is_suspicious = z is not None and abs(z) > SUSPICIOUS_Z
    if is_suspicious:
        words += " Chance differs by that much once in 16,000 runs: please report it."
    return CheckView(
        title="Exact value", figure=figure, sentence=words, is_suspicious=is_suspicious
    )


def _read_common_counts(document: dict[str, Any]) -> tuple[plot_data.CountPoint, ...]:
    try:
        return plot_data.read_count_plot(document).points
    except BlackjackError:  # it did not count
        return ()


def _read_settling(document: dict[str, Any]) -> plot_data.ConvergencePlot | None:
    try:
        return plot_data.read_convergence_plot(document)
    except BlackjackError:  # too early
        return None


def _find_exact(settling: plot_data.ConvergencePlot | None) -> tuple[float, str] | None:
    if settling is None or settling.exact is None:
        return None
    return settling.exact, settling.exact_name


def _draw_counts(points: tuple[plot_data.CountPoint, ...]) -> str:
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
    points: tuple[plot_data.ConvergencePoint, ...], per: str, exact: tuple[float, str] | None
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


_EVENT_SECONDS: Final = 0.25
_QUIET_SECONDS: Final = 15.0


@dataclass(frozen=True, slots=True, kw_only=True)
class RunView:
    """A run as it is now."""

    name: str
    """Name of the run, as its address has it."""
    title: str
    """The count and the game."""
    rules: str
    status: Status
    """The status as a word for programs."""
    status_words: str
    """The status in words."""
    is_active: bool
    """Whether it is played, or waits."""
    has_count: bool
    """Whether bets by count can be tried on it."""
    chunks: int
    """Number of chunks that are finished; their shoes can be replayed."""
    settings: tuple[tuple[str, str], ...]
    """The settings of the run: topic and text."""
    in_words: tuple[tuple[str, str], ...]
    progress: ProgressView | None
    """How far it is; None if it is not running."""
    results: RunResults | None
    """The results so far; None before the first round."""
    words: str
    """Why it failed."""
    extend_problem: str
    """Why no rounds can be added; empty if they can."""
    extend_text: str
    """The text of the field for the rounds to add."""
    is_kept: bool
    """Whether its file outlasts the server."""


@endpoint(page="run", view=RunView)
async def show_run(request: Request) -> Response:
    """Show a run."""
    return await _show(request)


@endpoint(answer="303 to the run")
async def stop_run(request: Request) -> Response:
    """Stop a run; it keeps what it has."""
    name = request.path_params["name"]
    runs = site_of(request).runs

    def stop() -> None:
        runs.stop(name)
        runs.wait(name)

    await run_in_threadpool(stop)
    return _back(name)


@endpoint(answer="303 to the run")
async def go_on(request: Request) -> Response:
    """Play on until the goal."""
    name = request.path_params["name"]
    await run_in_threadpool(site_of(request).runs.go_on, name)
    return _back(name)


@endpoint(answer="303 to the run")
async def extend_run(
    request: Request, *, rounds: Annotated[str, "rounds, such as `100M`"] = ""
) -> Response:
    """Add rounds to the goal and play on."""
    from upcard.simulation.run_state import read_rounds

    name = request.path_params["name"]
    try:
        more = check_rounds(read_rounds(rounds))
    except NotationError as error:
        return await _show(request, problem=as_sentence(str(error)), text=rounds)
    runs = site_of(request).runs
    await run_in_threadpool(lambda: runs.go_on(name, extend=more))
    return _back(name)


@dataclass(frozen=True, slots=True, kw_only=True)
class DeleteView:
    """A run that is about to be deleted, with its results."""

    run: RunRow
    """The run."""
    file: str
    """The file that goes, in the folder of the data."""
    is_kept: bool
    """Whether there is such a file; False in practice."""


@endpoint(page="run_delete", view=DeleteView)
async def ask_to_delete(request: Request) -> Response:
    """Ask whether a run is to be deleted."""
    site, name = site_of(request), request.path_params["name"]
    row = view_row(await run_in_threadpool(site.runs.summarize, name))
    view = DeleteView(run=row, file=f"runs/{name}.json", is_kept=site.store is not None)
    return show(request, "run_delete", view, title="Delete a run", say=f"Delete {row.title}?")


@endpoint(answer="303 to the lab")
async def delete_run(request: Request) -> Response:
    """Delete a run."""
    await run_in_threadpool(site_of(request).runs.delete, request.path_params["name"])
    return RedirectResponse("/lab", HTTPStatus.SEE_OTHER)


@endpoint(answer="server-sent events")
async def follow_run(request: Request) -> Response:
    """Stream the progress of a run until it ends."""
    runs, name = site_of(request).runs, request.path_params["name"]
    await run_in_threadpool(runs.look, name)
    return StreamingResponse(_tell(runs, name), media_type="text/event-stream")


async def _tell(runs: RunDesk, name: str) -> AsyncIterator[str]:
    last: ProgressView | None = None
    told = time.monotonic()
    while True:
        status, progress = runs.follow(name)
        if status is None:
            break
        if progress is not None and progress != last:
            last, told = progress, time.monotonic()
            yield _event("progress", to_json(progress), progress.rounds)
        elif time.monotonic() - told > _QUIET_SECONDS:
            told = time.monotonic()
            yield ":\n\n"
        await asyncio.sleep(_EVENT_SECONDS)
    if not runs.is_closing:
        look = await run_in_threadpool(runs.look, name)
        yield _event(str(look.status), {"words": look.words}, look.document["rounds"])


def _event(kind: str, data: dict[str, Any], rounds: int) -> str:
    return f"event: {kind}\nid: {rounds}\ndata: {json.dumps(data, allow_nan=False)}\n\n"


async def _show(request: Request, *, problem: str = "", text: str = "") -> Response:
    site = site_of(request)
    look = await run_in_threadpool(site.runs.look, request.path_params["name"])
    view = await run_in_threadpool(_look_at, look, problem, text, is_kept=site.store is not None)
    say = problem or f"{view.title}: {view.status_words}"
    return show(
        request,
        "run",
        view,
        title=view.title,
        say=say,
        rules=view.rules,
        status=HTTPStatus.UNPROCESSABLE_ENTITY if problem else HTTPStatus.OK,
    )


def _look_at(look: RunLook, problem: str, text: str, *, is_kept: bool) -> RunView:
    # The simulator is heavy, and the first page does not wait for it.
    from upcard.simulation.run_state import read_job

    document = look.document
    job = read_job(document)
    count = "Flat bets" if job.system is None else job.system.title
    return RunView(
        name=look.name,
        title=f"{count}: {name_game(job.rules)}",
        rules=str(job.rules),
        status=look.status,
        status_words=_say_status(look),
        is_active=look.status in (Status.WAITING, Status.RUNNING),
        has_count=is_counted(look),
        chunks=document["chunks"]["done"],
        settings=tuple(describe_run(document, job)),
        in_words=tuple(describe_rules(job.rules)),
        progress=look.progress,
        results=look_at_results(document),
        words=look.words,
        extend_problem=problem,
        extend_text=text or f"{document['rounds'] or 1_000_000}",
        is_kept=is_kept,
    )


def _say_status(look: RunLook) -> str:
    match look.status:
        case Status.WAITING:
            return f"Waiting: {look.ahead} run{'s' * (look.ahead != 1)} before it."
        case Status.RUNNING:
            return "Running."
        case Status.STOPPED:
            return "Stopped. It has the rounds so far, and can continue."
        case Status.DONE:
            return "Done."
        case _:
            return "Failed."


def _back(name: str) -> Response:
    return RedirectResponse(f"/runs/{name}", HTTPStatus.SEE_OTHER)


ROUTES: Final = (
    Route("/runs/{name}", show_run, methods=["GET"]),
    Route("/runs/{name}/events", follow_run, methods=["GET"]),
    Route("/runs/{name}/stop", stop_run, methods=["POST"]),
    Route("/runs/{name}/go-on", go_on, methods=["POST"]),
    Route("/runs/{name}/delete", ask_to_delete, methods=["GET"]),
    Route("/runs/{name}/delete", delete_run, methods=["POST"]),
    Route("/runs/{name}/extend", extend_run, methods=["POST"]),
)
