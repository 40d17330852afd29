"""The table: sit down, bet, answer, and what is around it. Every move names a version."""

from __future__ import annotations

import asyncio
import hashlib
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from http import HTTPStatus
from typing import Annotated, Final

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from upcard.answers.hand import HandAnswer, Verdict, explain_advice
from upcard.core.errors import BlackjackError, NotationError, as_sentence
from upcard.core.fields import FieldFaultsError
from upcard.core.numbers import fields_of
from upcard.players.seen_cards import Knowledge
from upcard.rules.model import Rules
from upcard.rules.side_bet_files import shipped_side_bets
from upcard.services import UnavailableError
from upcard.services.open_seat import OpenSeat
from upcard.session import choice, coaching, first_hand, report
from upcard.session.plan import PRACTICE
from upcard.store import files, round_codes
from upcard.web.endpoints import Others, Version, endpoint
from upcard.web.reading import Fields, RefusedError, read_query, refuse
from upcard.web.showing import address, parts_of, show, wants_json
from upcard.web.site import site_of
from upcard.web.table.start import TEXTS, answer_start, read_game, read_table
from upcard.web.table.view import MOVED_ON, TablePage, view_seat


@dataclass(frozen=True, slots=True, kw_only=True)
class WhyView:
    """The reasons for the question at hand, or for what was answered."""

    table: str
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
    words: str
    """How the table stood, as sentences."""
    goes_on: bool
    """Whether an unfinished hand of it is saved."""
    rules: str
    worst: tuple[report.WorstHand, ...]
    """The hands with the costliest mistakes, at most three."""
    drill: str
    """Address of a drill of the mistakes of today; empty in practice, and without any."""


# ---- sitting down


@endpoint("POST /tables", answer="303 to the table")
async def sit_down(request: Request, *, form: Annotated[dict[str, str], TEXTS]) -> Response:
    """Open a table and go to it; on the start page if something is wrong with the form."""
    site = site_of(request)
    try:
        plan, terms = read_table(form, site.rules, saves=site.store is not None)
        _set_coach(request, terms.coach, terms.knows)
        one = await site.tables.open(plan, terms)
    except files.StoreBusyError:
        raise
    except BlackjackError as error:
        faults = choice.write_faults(error) if isinstance(error, FieldFaultsError) else {}
        faults = {name: as_sentence(words) for name, words in faults.items()}
        words = " ".join(faults.values()) or as_sentence(str(error))
        if wants_json(request):
            status = HTTPStatus.UNPROCESSABLE_ENTITY
            raise RefusedError(status, "invalid", words, faults) from None
        rules, _ = read_game(form, site.rules)
        problem = "" if faults else words
        return await answer_start(request, rules, form, problem=problem, faults=faults)
    chosen = replace(plan, keeps=terms.keep != PRACTICE)  # a seed is for once
    await asyncio.to_thread(choice.save_last_plan, site.store, chosen)
    return RedirectResponse(_address(one), HTTPStatus.SEE_OTHER)


@endpoint("GET /first-hands", page="first", view=first_hand.LessonPlace)
async def show_first_hands(request: Request) -> Response:
    """Show the steps of the first hands, and which are done."""
    view = await asyncio.to_thread(first_hand.find_place, site_of(request).store)
    return show(request, "first", view, title=view.title)


@endpoint("POST /first-hands", answer="303 to the table")
async def begin_first_hands(request: Request) -> Response:
    """Sit down for the first hands, where they were left."""
    one = await site_of(request).tables.open_first_hands()
    return RedirectResponse(_address(one), HTTPStatus.SEE_OTHER)


def _address(one: OpenSeat) -> str:
    """Return the address of a table's page.

    That of a practice table names its rules: it outlives the table, and offers them again.
    """
    session = one.session
    rules = "" if session.kept is not None else str(session.rules)
    return address(f"/t/{one.name}", r=rules)


async def _find(request: Request) -> OpenSeat:
    try:
        return await site_of(request).tables.find(request.path_params["table"])
    except UnavailableError as error:
        refusal = refuse(error)
        if refusal.status is HTTPStatus.GONE:
            with suppress(BlackjackError):
                text = read_query(request).text("r")
                refusal.rules = str(Rules.parse(text)) if text else ""
        raise refusal from None


def _set_coach(request: Request, coach: str | None, knows: str | None) -> None:
    """Take when the coach speaks and what they go by."""
    tables = site_of(request).tables
    for name, text, values in (("coach", coach, coaching.CoachVoice), ("knows", knows, Knowledge)):
        if text and text not in tuple(values):
            raise NotationError(f"{name} {text[:40]!r}: one of {', '.join(values)}")
    tables.voice = coaching.CoachVoice(coach or tables.voice)
    tables.knows = Knowledge(knows or tables.knows)


# ---- the table


@endpoint("GET /t/{table}", page="table", view=TablePage)
async def show_table(request: Request) -> Response:
    """Show a table as it stands, or how it stood when it was left."""
    tables = site_of(request).tables
    name = request.path_params["table"]
    left = tables.find_left(name)
    if left and not name.startswith("s"):
        return _show_left(request, name, left)
    try:
        one = await _find(request)
    except UnavailableError:
        if left:
            return _show_left(request, name, left)
        raise
    waits = "coach" in parts_of(request)
    await tables.wait_for_coach(one, _LONG_SECONDS if waits else 0.0)
    async with tables.hold(one):
        return await _answer(request, one)


@endpoint("GET /t/{table}/coach", page="table", view=TablePage)
async def show_coach(request: Request, *, v: Version = None) -> Response:
    """Show the table with the coach's words, which are waited for."""
    one = await _find(request)
    _check_version(v, one)
    await site_of(request).tables.wait_for_coach(one, _LONG_SECONDS)
    _check_version(v, one)
    async with site_of(request).tables.hold(one):
        return await _answer(request, one)


@endpoint("POST /t/{table}/coach", page="table", view=TablePage)
async def change_coach(
    request: Request,
    *,
    coach: Annotated[str, "when the coach speaks: `silent`, `before` or `after`"] = "",
    knows: Annotated[str, "the cards that the coach takes as known: `fresh` or `seen`"] = "",
) -> Response:
    """Let the coach speak at another moment, or go by other cards."""
    tables = site_of(request).tables
    one = await _find(request)

    def change() -> None:
        session, before = one.session, tables.knows
        _set_coach(request, coach, knows)
        if session.coach is not None and tables.knows is not before:
            session.coach.knows = tables.knows
            if session.options:
                one.coaching.ask()
        tables.save_coach()

    async with tables.hold(one):
        return await _carry_out(request, one, change)


async def _move(
    request: Request, version: str | None, make: Callable[[OpenSeat], object]
) -> Response:
    """Make a move: nothing is played for an old version, or twice."""
    one = await _find(request)
    async with site_of(request).tables.hold(one):
        if not _is_present(version, one):
            return await _answer(request, one, problem=MOVED_ON, error="old-version")
        return await _carry_out(request, one, lambda: make(one))


_SIDE: Final = "side."
SIDE_BETS: Final = Others(
    "a side bet",
    "chips on a side bet of the house on each hand, by its short name: `side.pp=1`",
    lambda: tuple(dict.fromkeys(f"{_SIDE}{one.code}" for one in shipped_side_bets())),
)
"""The side bets of a table."""


@endpoint("POST /t/{table}/bet", page="table", view=TablePage)
async def place_bet(
    request: Request,
    *,
    v: Version = None,
    bet: Annotated[str, "chips on each hand"] = "",
    sent: Annotated[Fields, SIDE_BETS],
) -> Response:
    """Bet and deal."""

    def place(seat: OpenSeat) -> None:
        # One that the house does not have is refused there, not ignored here.
        own = [f"{_SIDE}{one.code}" for one in seat.session.rules.side_bets]
        names = dict.fromkeys((*own, *SIDE_BETS.names()))
        seat.place(bet, {name.removeprefix(_SIDE): sent.text(name) for name in names})

    return await _move(request, v, place)


@endpoint("POST /t/{table}/count", page="table", view=TablePage)
async def answer_count(
    request: Request,
    *,
    v: Version = None,
    count: Annotated[str, "the running count that you answer"] = "",
    skip: Annotated[bool, "`1` skips the question about the count"] = False,
) -> Response:
    """Answer the question about the running count."""
    return await _move(request, v, lambda seat: seat.answer_count("" if skip else count))


@endpoint("POST /t/{table}/act", page="table", view=TablePage)
async def act(
    request: Request,
    *,
    v: Version = None,
    do: Annotated[str, "one of `session.asked.answers`"] = "",
) -> Response:
    """Answer the question."""
    return await _move(request, v, lambda seat: seat.act(do))


@endpoint("POST /t/{table}/undo", page="table", view=TablePage)
async def undo(request: Request, *, v: Version = None) -> Response:
    """Take an answer back, in practice."""
    return await _move(request, v, lambda seat: seat.undo())


@endpoint("POST /t/{table}/hands", page="table", view=TablePage)
async def play_hands(
    request: Request,
    *,
    v: Version = None,
    hands: Annotated[str, "the number of hands that you play"] = "",
) -> Response:
    """Play this number of hands."""
    return await _move(request, v, lambda seat: seat.play_hands(hands))


@endpoint("POST /t/{table}/chips", page="table", view=TablePage)
async def bring_chips(request: Request, *, v: Version = None) -> Response:
    """Bring chips when they run out."""
    return await _move(request, v, lambda seat: seat.bring_chips())


@endpoint("POST /t/{table}/seed", page="table", view=TablePage)
async def add_seed(
    request: Request, *, v: Version = None, text: Annotated[str, "a seed of your own"] = ""
) -> Response:
    """Add a seed of your own."""
    return await _move(request, v, lambda seat: seat.add_seed(text))


@endpoint("POST /t/{table}/end-shoe", page="table", view=TablePage)
async def end_shoe(request: Request, *, v: Version = None) -> Response:
    """End the shoe and reveal its seed."""
    return await _move(request, v, lambda seat: seat.end_shoe())


async def _carry_out(request: Request, one: OpenSeat, work: Callable[[], object]) -> Response:
    """Do the work of a move and answer with the table then. The caller holds the lock."""
    tables = site_of(request).tables
    one.touched = time.monotonic()
    waits = tables.voice is not coaching.CoachVoice.SILENT
    try:
        # The answer is not sent before the disk has all of it: the coach's verdicts too.
        await tables.run(one, work, syncs=not waits)
    except files.StoreBusyError:
        raise
    except BlackjackError as error:
        return await _answer(request, one, problem=as_sentence(str(error)), error="refused")
    if waits:
        await tables.wait_for_coach(one, _SOON_SECONDS, is_held=True)
    if wants_json(request) or parts_of(request):
        return await _answer(request, one)
    return RedirectResponse(_address(one), HTTPStatus.SEE_OTHER)


@endpoint("POST /t/{table}/leave", page="left", view=LeftView)
async def leave_table(
    request: Request,
    *,
    v: Version = None,
    sure: Annotated[bool, "`1` to lose an unfinished practice hand"] = False,
) -> Response:
    """Leave a table; in practice a hand in progress is lost, so that is asked first."""
    tables = site_of(request).tables
    name = request.path_params["table"]
    left = tables.find_left(name)
    if left:  # a repeated request
        return _show_left(request, name, left)
    one = await _find(request)
    async with one.lock:
        if left := tables.find_left(name):  # another window was faster
            return _show_left(request, name, left)
        session = one.session
        if not _is_present(v, one):
            return await _answer(request, one, problem=MOVED_ON, error="old-version")
        is_lost = session.is_playing and session.kept is None and one.seat.guide is None
        if is_lost and not sure:
            words = "In practice an unfinished hand is lost: leave again to leave all the same."
            return await _answer(request, one, problem=words, error="unsure")
        left = await tables.leave(one)
    if wants_json(request):
        return _show_left(request, name, left)
    return RedirectResponse(f"/t/{name}/left", HTTPStatus.SEE_OTHER)


@endpoint("GET /t/{table}/left", page="left", view=LeftView)
async def show_left(request: Request) -> Response:
    """Show how a table stood when it was left."""
    name = request.path_params["table"]
    left = site_of(request).tables.find_left(name)
    if left is None:
        return RedirectResponse(f"/t/{name}", HTTPStatus.SEE_OTHER)
    return _show_left(request, name, left)


def _show_left(request: Request, name: str, left: report.LeftTable) -> Response:
    drills = site_of(request).store is not None and left.worst
    view = LeftView(
        table=name,
        **fields_of(left, "words", "rules", "worst"),
        goes_on="on the table" in left.words,
        drill=address("/drills", r=left.rules, mistakes="today") if drills else "",
    )
    title = "You have left the table"
    return show(request, "left", view, title=title, say=left.words, rules=left.rules)


# ---- reasons


@endpoint("GET /t/{table}/why", page="why", view=WhyView)
async def show_why(request: Request, *, v: Version = None) -> Response:
    """Show the reasons for the question at hand, or for what was answered."""
    return await _explain(request, v, wants_changes=False)


@endpoint("GET /t/{table}/changes", page="why", view=WhyView)
async def show_changes(request: Request, *, v: Version = None) -> Response:
    """Show the reasons, and what would change the answer: a dozen shoes are solved for it."""
    return await _explain(request, v, wants_changes=True)


async def _explain(request: Request, version: str | None, *, wants_changes: bool) -> Response:
    tables = site_of(request).tables
    one = await _find(request)
    _check_version(version, one)
    await tables.wait_for_coach(one, _LONG_SECONDS)
    async with tables.hold(one):
        explained, why_none = one.coaching.to_explain, one.coaching.why_no_value
        wrong = tuple(verdict for verdict in one.coaching.verdicts if verdict.is_mistake)
        shown, is_asked = one.seat.version, bool(one.session.options)
    if explained is None:
        words = f"No value: {why_none}" if why_none else "Nothing has been asked yet."
        raise RefusedError(HTTPStatus.UNPROCESSABLE_ENTITY, "nothing-to-explain", words)
    advice, answer = explained
    values: HandAnswer = await asyncio.to_thread(
        explain_advice, advice, answer, has_changes=wants_changes
    )
    mistakes = wrong if len(wrong) > 1 and not is_asked else ()
    view = WhyView(table=one.name, version=shown, values=values, mistakes=mistakes)
    return show(request, "why", view, title=f"Why: {values.question}", say=values.sentence)


# ---- versions and answers


def _is_present(version: str | None, one: OpenSeat) -> bool:
    return version == str(one.seat.version)


def _check_version(version: str | None, one: OpenSeat) -> None:
    if version is not None and not _is_present(version, one):
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
    tables = site_of(request).tables
    view: TablePage = await tables.run(
        one,
        lambda: view_seat(
            one, tables.voice, review=_find_review(one), problem=problem, error=error
        ),
    )
    title, rules = one.session.plan.title, str(one.session.rules)
    status = _STATUS[error]
    answer = show(request, "table", view, title=title, say=view.said, rules=rules, status=status)
    mark = f'"{view.version}-{hashlib.sha256(answer.body).hexdigest()[:16]}"'
    answer.headers["ETag"] = mark
    if request.method == "GET" and request.headers.get("if-none-match") == mark:
        return Response(status_code=HTTPStatus.NOT_MODIFIED, headers={"ETag": mark})
    return answer


def _find_review(seat: OpenSeat) -> str:
    """Return the address at which the last round is reviewed; empty if there is none."""
    session = seat.session
    if session.is_playing or session.net is None:
        return ""
    if session.kept is not None:
        number = session.kept.last_round
        return f"/history/{number}"
    record = session.ledger[session.bank.rounds].record
    return "" if record is None else f"/h/{round_codes.encode_round(record)}"
