"""One drill: `POST /drills/NAME` begins it, `/d/ID` is its page at every step."""

from __future__ import annotations

from dataclasses import dataclass
from http import HTTPStatus
from typing import TYPE_CHECKING, Final

from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from upcard.core.errors import BlackjackError, as_sentence
from upcard.drills.catalogue import DRILL_NAMES, MISTAKE_PERIODS, find_start
from upcard.drills.desk import DrillDesk, DrillStep
from upcard.store.files import StoreBusyError
from upcard.web.drill_book import RunningDrill, slug_of
from upcard.web.drill_form import read_drill_form
from upcard.web.drill_view import AgainView, DrillView, look_at_drill
from upcard.web.errors import RefusedError, not_found
from upcard.web.reading import read_form
from upcard.web.showing import parts_of, patience_of, show, wants_json
from upcard.web.site import site_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from starlette.requests import Request


_NAMES: Final = {slug_of(name): name for name in DRILL_NAMES}
_OLD: Final = "That was answered already: this is what is asked now."


@dataclass(frozen=True, slots=True, kw_only=True)
class GoneView:
    """A drill that is no longer open."""

    name: str
    """Name of the drill in words."""
    words: str
    """Why it is no longer open, and what became of its answers."""


async def begin_drill(request: Request) -> Response:
    """Begin a drill with the options of the form."""
    name = _NAMES.get(request.path_params["name"])
    if name is None:
        words = f"There is no drill of that name: one of {', '.join(_NAMES)}."
        raise not_found(words)
    site = site_of(request)
    drill_form, faults = read_drill_form(await read_form(request), site.rules)
    if not faults:
        fault = await site.drills.work(lambda: drill_form.options.why_not(name))
        faults = {"drill": as_sentence(fault)} if fault else {}
    if faults:
        words = " ".join(faults.values())
        raise RefusedError(HTTPStatus.UNPROCESSABLE_ENTITY, "invalid", words, faults)
    drill = site.drills.open(name, drill_form)
    return RedirectResponse(f"/d/{drill.id}", HTTPStatus.SEE_OTHER)


async def show_drill(request: Request) -> Response:
    """Show a drill at its present step."""
    drill = _find(request)
    if drill is None:
        return _show_gone(request)
    return await _show(request, drill, patience=patience_of(request))


async def answer_drill(request: Request) -> Response:
    """Judge the answer of the form, and go on as the drill does."""
    fields = await read_form(request)
    text = fields.text("text")
    return await _change(request, fields.text("v"), lambda desk: desk.answer(text), typed=text)


async def go_on_with_drill(request: Request) -> Response:
    """Turn to the next cards, or go on after a verdict."""
    fields = await read_form(request)

    def go_on(desk: DrillDesk) -> None:
        if desk.step is DrillStep.SHOWING:
            desk.turn()
        else:
            desk.go_on()

    return await _change(request, fields.text("v"), go_on)


async def end_drill(request: Request) -> Response:
    """End the drill with its report."""
    fields = await read_form(request)
    return await _change(request, fields.text("v"), lambda desk: desk.end())


async def pause_drill(request: Request) -> Response:
    """Stop at right verdicts too, or go on at once."""
    fields = await read_form(request)

    def toggle(desk: DrillDesk) -> None:
        desk.goes_on_at_once = not desk.goes_on_at_once

    return await _change(request, fields.text("v"), toggle)


async def _change(
    request: Request, version: str, make: Callable[[DrillDesk], object], *, typed: str = ""
) -> Response:
    drill = _find(request)
    if drill is None:
        return _show_gone(request)
    status, problem = HTTPStatus.OK, ""
    try:
        if not await drill.change(version, make):
            status, problem = HTTPStatus.CONFLICT, _OLD
    except StoreBusyError:
        raise
    except BlackjackError as error:
        status, problem = HTTPStatus.UNPROCESSABLE_ENTITY, as_sentence(str(error))
    if status is HTTPStatus.OK and not wants_json(request) and not parts_of(request):
        return RedirectResponse(f"/d/{drill.id}", HTTPStatus.SEE_OTHER)
    is_refused = status is HTTPStatus.UNPROCESSABLE_ENTITY
    return await _show(
        request, drill, status=status, problem=problem, typed=typed if is_refused else ""
    )


async def _show(  # noqa: PLR0913 (each is named in the call)
    request: Request,
    drill: RunningDrill,
    *,
    patience: float | None = None,
    status: HTTPStatus = HTTPStatus.OK,
    problem: str = "",
    typed: str = "",
) -> Response:
    desk = await drill.desk(patience)
    again: tuple[AgainView, ...] = ()
    if desk is not None and (desk.step is DrillStep.OVER or drill.fault):
        again = await site_of(request).drills.work(lambda: _find_again(drill, desk))
    view = look_at_drill(drill, desk, again=again, problem=problem, typed=typed)
    return show(
        request,
        "drill",
        view,
        title=f"{_title(view)} ({view.name})",
        say=_say(view),
        rules=str(drill.form.options.rules),
        status=status,
    )


def _find(request: Request) -> RunningDrill | None:
    return site_of(request).drills.find(request.path_params["id"])


def _show_gone(request: Request) -> Response:
    slug = request.path_params["id"].rpartition("-")[0]
    if slug not in _NAMES:
        words = "There is no drill at this address."
        raise not_found(words)
    words = (
        "This drill is no longer open: the server was started again, or many drills were opened"
        " since. Every answer is saved."
        if site_of(request).store is not None
        else "This drill is no longer open. This is practice: its answers were not saved."
    )
    if wants_json(request):
        raise RefusedError(HTTPStatus.GONE, "gone", words)
    view = GoneView(name=_NAMES[slug], words=words)
    return show(
        request, "drill_gone", view, title="No longer open", say=words, status=HTTPStatus.GONE
    )


def _find_again(drill: RunningDrill, desk: DrillDesk) -> tuple[AgainView, ...]:
    """Return the drills that may follow: mistakes of today, of 30 days, and the same again."""
    drill_form = drill.form
    found = []
    for mistakes, words in MISTAKE_PERIODS.items():
        since = find_start(mistakes)
        if since is None:
            continue
        count = len(desk.run.memory.find_mistakes(desk.run.drill, since))
        fields = drill_form.fields(mistakes=mistakes)
        found.append(AgainView(words=words.capitalize(), mistakes=count, fields=fields))
    return (
        *found,
        AgainView(words="The same drill again", mistakes=None, fields=drill_form.fields()),
    )


def _title(view: DrillView) -> str:
    if view.step == DrillStep.PREPARING:
        return "Preparing the drill"
    return "How it went" if view.step == DrillStep.OVER else view.ask


def _say(view: DrillView) -> str:
    """Say what happened and what is asked, for the status line."""
    if view.problem:
        return view.problem
    words = []
    if view.verdict is not None and view.step in (DrillStep.ASKING, DrillStep.JUDGED):
        words.append(view.verdict.sentence)
        words.append(view.verdict.after)
    if view.step == DrillStep.OVER and view.report is not None:
        words += view.report.lines[1:2]
    elif view.step == DrillStep.ASKING:
        words += [f"{fan.name}: {fan.words}." for fan in (view.dealer, *view.hands) if fan]
        words += [f"{name} {text}." for name, text in view.facts]
        words.append(view.ask)
    elif view.showing is not None:
        cards = [card.in_words for card in view.showing.cards if card is not None]
        words.append(", ".join(cards) or f"{view.text}. {view.showing.words}.")
    elif view.step == DrillStep.JUDGED and view.ending:
        words.append(view.ending)
    return " ".join(filter(None, words))


ROUTES: Final = (
    Route("/drills/{name}", begin_drill, methods=["POST"]),
    Route("/d/{id}", show_drill, methods=["GET"]),
    Route("/d/{id}/answer", answer_drill, methods=["POST"]),
    Route("/d/{id}/next", go_on_with_drill, methods=["POST"]),
    Route("/d/{id}/pause", pause_drill, methods=["POST"]),
    Route("/d/{id}/end", end_drill, methods=["POST"]),
)
