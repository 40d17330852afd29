"""The table: sit down, bet, answer, and what is around it. Every move names a version."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from http import HTTPStatus
from typing import TYPE_CHECKING, Final

from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from upcard.answers.hand import HandAnswer, Verdict, explain_advice
from upcard.coach.seen_cards import Knowledge
from upcard.core.errors import BlackjackError, NotationError, as_sentence
from upcard.rules.model import Rules
from upcard.session.choice import write_plan
from upcard.session.coaching import CoachVoice
from upcard.store.bankroll import save_setting
from upcard.store.files import StoreBusyError
from upcard.store.round_codes import encode_round
from upcard.web.reading import Fields, RefusedError, read_form, read_query
from upcard.web.showing import address, parts_of, show, wants_json
from upcard.web.site import site_of
from upcard.web.table.book import OpenSeat
from upcard.web.table.start import START_CHOICE, answer_start, read_play
from upcard.web.table.view import MOVED_ON, TablePage, view_seat

if TYPE_CHECKING:
    from starlette.requests import Request

    from upcard.web.table.seats import TakenSeat


@dataclass(frozen=True, slots=True, kw_only=True)
class WhyView:
    """The reasons for the question at hand, or for what was answered."""

    table: str
    """Name of the table."""
    version: int
    values: HandAnswer
    """The values of the question, with the verdict on the answer that was given."""
    mistakes: tuple[Verdict, ...]
    """Verdicts on the mistakes of the round, if there are several."""


_SOON_SECONDS: Final = 0.04
"""Wait for the coach before a move is answered."""
_LONG_SECONDS: Final = 10.0
"""Wait for the coach where their values are what is asked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftView:
    """A table that was left."""

    table: str
    """Name of the table."""
    words: str
    """How the table stood, as sentences."""
    goes_on: bool
    """Whether an unfinished hand of it is saved."""


# ---- sitting down


async def sit_down(request: Request) -> Response:
    """Open a table and go to it; on the start page if something is wrong with the form."""
    site = site_of(request)
    fields = await read_form(request)
    try:
        plan, chips = read_play(fields, site.rules)
        _set_coach(request, fields)
        one = await site.tables.open(plan, chips=chips)
    except StoreBusyError:
        raise
    except BlackjackError as error:
        words = as_sentence(str(error))
        if wants_json(request):
            raise RefusedError(HTTPStatus.UNPROCESSABLE_ENTITY, "invalid", words) from None
        rules = site.rules
        with suppress(BlackjackError):
            rules = Rules.parse(fields.text("rules")) if fields.text("rules") else rules
        return await answer_start(request, rules, fields, problem=words)
    if site.store is not None:
        store = site.store
        await asyncio.to_thread(save_setting, store, START_CHOICE, write_plan(plan))
    return RedirectResponse(_address(one), HTTPStatus.SEE_OTHER)


def _address(one: OpenSeat) -> str:
    """Return the address of a table's page.

    That of a practice table names its rules: it outlives the table, and offers them again.
    """
    session = one.seat.session
    rules = "" if session.kept is not None else str(session.rules)
    return address(f"/t/{one.seat.name}", r=rules)


async def _find(request: Request) -> OpenSeat:
    """Return the table of an address."""
    try:
        return await site_of(request).tables.find(request.path_params["table"])
    except RefusedError as refusal:
        if refusal.status is HTTPStatus.GONE:
            with suppress(BlackjackError):
                text = read_query(request).text("r")
                refusal.rules = str(Rules.parse(text)) if text else ""
        raise


def _set_coach(request: Request, fields: Fields) -> None:
    """Take when the coach speaks and what they go by."""
    tables = site_of(request).tables
    for name, values in (("coach", CoachVoice), ("knows", Knowledge)):
        text = fields.text(name)
        if text and text not in tuple(values):
            raise NotationError(f"{name} {text[:40]!r}: one of {', '.join(values)}")
    tables.voice = CoachVoice(fields.text("coach") or tables.voice)
    tables.knows = Knowledge(fields.text("knows") or tables.knows)


# ---- the table


async def show_table(request: Request) -> Response:
    """Show a table as it stands, or how it stood when it was left."""
    book = site_of(request).tables
    name = request.path_params["table"]
    left = book.words_of_left(name)
    if left and not name.startswith("s"):
        return _show_left(request, name, left)
    try:
        one = await _find(request)
    except RefusedError:
        if left:
            return _show_left(request, name, left)
        raise
    waits = "coach" in parts_of(request)
    await book.wait_for_coach(one, _LONG_SECONDS if waits else 0.0)
    async with one.lock:
        return await _answer(request, one)


async def show_coach(request: Request) -> Response:
    """Show the table with the coach's words, which are waited for."""
    one = await _find_version(request)
    await site_of(request).tables.wait_for_coach(one, _LONG_SECONDS)
    _check_version(read_query(request), one)
    async with one.lock:
        return await _answer(request, one)


async def change_coach(request: Request) -> Response:
    """Let the coach speak at another moment, or go by other cards."""
    book = site_of(request).tables
    fields = await read_form(request)
    one = await _find(request)

    def change() -> None:
        desk, before = one.seat.session.desk, book.knows
        _set_coach(request, fields)
        if desk is not None and book.knows is not before:
            desk.knows = book.knows
            if one.seat.session.options:
                one.seat.coaching.ask()
        book.save_coach()

    async with one.lock:
        return await _carry_out(request, one, change)


def _move(make: Callable[[TakenSeat, Fields], object]) -> Callable[[Request], Awaitable[Response]]:
    """Return the handler of a move: nothing is played for an old version, or twice."""

    async def answer(request: Request) -> Response:
        fields = await read_form(request)
        one = await _find(request)
        async with one.lock:
            if not _is_present(fields, one):
                return await _answer(request, one, problem=MOVED_ON, error="old-version")
            return await _carry_out(request, one, lambda: make(one.seat, fields))

    return answer


async def _carry_out(request: Request, one: OpenSeat, work: Callable[[], object]) -> Response:
    """Do the work of a move and answer with the table then. The caller holds the lock."""
    book = site_of(request).tables
    one.seat.touch()
    waits = book.voice is not CoachVoice.SILENT
    try:
        # The answer is not sent before the disk has all of it: the coach's verdicts too.
        await book.run(one, work, syncs=not waits)
    except StoreBusyError:
        raise
    except BlackjackError as error:
        return await _answer(request, one, problem=as_sentence(str(error)), error="refused")
    if waits:
        await book.wait_for_coach(one, _SOON_SECONDS, is_held=True)
    if wants_json(request) or parts_of(request):
        return await _answer(request, one)
    return RedirectResponse(_address(one), HTTPStatus.SEE_OTHER)


async def leave_table(request: Request) -> Response:
    """Leave a table; in practice a hand in progress is lost, so that is asked first."""
    book = site_of(request).tables
    fields = await read_form(request)
    name = request.path_params["table"]
    left = book.words_of_left(name)
    if left:  # a repeated request
        return _show_left(request, name, left)
    one = await _find(request)
    async with one.lock:
        session = one.seat.session
        if not _is_present(fields, one):
            return await _answer(request, one, problem=MOVED_ON, error="old-version")
        if session.is_playing and session.kept is None and fields.text("sure") != "1":
            words = "In practice an unfinished hand is lost: leave again to leave all the same."
            return await _answer(request, one, problem=words, error="unsure")
        words = await book.leave(one)
    if wants_json(request):
        return _show_left(request, name, words)
    return RedirectResponse(f"/t/{name}/left", HTTPStatus.SEE_OTHER)


async def show_left(request: Request) -> Response:
    """Show how a table stood when it was left."""
    name = request.path_params["table"]
    words = site_of(request).tables.words_of_left(name)
    if not words:
        return RedirectResponse(f"/t/{name}", HTTPStatus.SEE_OTHER)
    return _show_left(request, name, words)


def _show_left(request: Request, name: str, words: str) -> Response:
    view = LeftView(table=name, words=words, goes_on="on the table" in words)
    return show(request, "left", view, title="You have left the table", say=words)


# ---- reasons


async def show_why(request: Request) -> Response:
    """Show the reasons for the question at hand, or for what was answered."""
    return await _explain(request, wants_changes=False)


async def show_changes(request: Request) -> Response:
    """Show the reasons, and what would change the answer: a dozen shoes are solved for it."""
    return await _explain(request, wants_changes=True)


async def _explain(request: Request, *, wants_changes: bool) -> Response:
    book = site_of(request).tables
    one = await _find_version(request)
    await book.wait_for_coach(one, _LONG_SECONDS)
    async with one.lock:
        explained, why_none = one.seat.coaching.to_explain, one.seat.coaching.why_no_value
        version, mistakes = one.seat.version, _mistakes(one.seat)
    if explained is None:
        words = f"No value: {why_none}" if why_none else "Nothing has been asked yet."
        raise RefusedError(HTTPStatus.UNPROCESSABLE_ENTITY, "nothing-to-explain", words)
    advice, answer = explained
    view = await asyncio.to_thread(
        lambda: WhyView(
            table=one.seat.name,
            version=version,
            values=explain_advice(advice, answer, has_changes=wants_changes),
            mistakes=mistakes,
        )
    )
    return show(
        request, "why", view, title=f"Why: {view.values.question}", say=view.values.sentence
    )


def _mistakes(seat: TakenSeat) -> tuple[Verdict, ...]:
    wrong = (
        [] if seat.session.options else [one for one in seat.coaching.verdicts if one.is_mistake]
    )
    return tuple(wrong) if len(wrong) > 1 else ()


# ---- versions and answers


def _is_present(fields: Fields, one: OpenSeat) -> bool:
    return fields.text("v") == str(one.seat.version)


async def _find_version(request: Request) -> OpenSeat:
    """Return the table of a question about one version."""
    one = await _find(request)
    _check_version(read_query(request), one)
    return one


def _check_version(fields: Fields, one: OpenSeat) -> None:
    if "v" in fields and not _is_present(fields, one):
        raise RefusedError(HTTPStatus.CONFLICT, "old-version", MOVED_ON)


_STATUS: Final[Mapping[str, HTTPStatus]] = {
    "": HTTPStatus.OK,
    "old-version": HTTPStatus.CONFLICT,
    "unsure": HTTPStatus.CONFLICT,
    "refused": HTTPStatus.UNPROCESSABLE_ENTITY,
}


async def _answer(
    request: Request, one: OpenSeat, *, problem: str = "", error: str = ""
) -> Response:
    """Answer with the table as it stands. The caller holds the lock."""
    book = site_of(request).tables
    view: TablePage = await book.run(
        one,
        lambda: view_seat(
            one.seat,
            book.voice,
            review=_find_review(one.seat),
            problem=problem,
            error=error,
        ),
    )
    session = one.seat.session
    answer = show(
        request,
        "table",
        view,
        title=session.plan.title,
        say=view.said,
        rules=str(session.rules),
        status=_STATUS[error],
    )
    mark = f'"{view.version}-{hashlib.sha256(answer.body).hexdigest()[:16]}"'
    answer.headers["ETag"] = mark
    if request.method == "GET" and request.headers.get("if-none-match") == mark:
        return Response(status_code=HTTPStatus.NOT_MODIFIED, headers={"ETag": mark})
    return answer


def _find_review(seat: TakenSeat) -> str:
    """Return the address at which the last round is reviewed; empty if there is none."""
    session = seat.session
    if session.is_playing or session.net is None:
        return ""
    if session.kept is not None:
        number = session.kept.last_round
        return f"/history/{number}"
    record = session.ledger.rounds[session.bank.rounds].record
    return "" if record is None else f"/h/{encode_round(record)}"


def _read_answer(form: Fields) -> str:
    """Return the answer to the count question; empty to skip it."""
    return "" if "skip" in form else form.text("count")


_AT: Final = "/t/{table}"
_MOVES: Final[dict[str, Callable[[TakenSeat, Fields], object]]] = {
    "bet": lambda seat, form: seat.place(form.text("bet")),
    "count": lambda seat, form: seat.answer_count(_read_answer(form)),
    "act": lambda seat, form: seat.act(form.text("do")),
    "undo": lambda seat, _: seat.undo(),
    "hands": lambda seat, form: seat.play_hands(form.text("hands")),
    "chips": lambda seat, _: seat.bring_chips(),
    "seed": lambda seat, form: seat.add_seed(form.text("text")),
    "end-shoe": lambda seat, _: seat.end_shoe(),
}
ROUTES: Final = (
    Route("/tables", sit_down, methods=["POST"]),
    Route(_AT, show_table, methods=["GET"]),
    Route(f"{_AT}/left", show_left, methods=["GET"]),
    Route(f"{_AT}/coach", show_coach, methods=["GET"]),
    Route(f"{_AT}/coach", change_coach, methods=["POST"]),
    Route(f"{_AT}/why", show_why, methods=["GET"]),
    Route(f"{_AT}/changes", show_changes, methods=["GET"]),
    Route(f"{_AT}/leave", leave_table, methods=["POST"]),
    *(Route(f"{_AT}/{name}", _move(make), methods=["POST"]) for name, make in _MOVES.items()),
)
