"""Any round by its code, and one's own rounds by their number: every question, and what if."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING, Final

from starlette.concurrency import run_in_threadpool
from starlette.routing import Route

from upcard.core.errors import BlackjackError, NotationError, as_sentence
from upcard.session.review import Replaying, Review, Source, parse_answers, source_of
from upcard.store.files import StoreBusyError, StoreDamagedError, StoreError
from upcard.store.history import read_round
from upcard.store.round_codes import decode_round
from upcard.web.errors import RefusedError, not_found
from upcard.web.pages.history import PRACTICE
from upcard.web.question_view import QuestionView, StepPlace
from upcard.web.reading import Fields, read_query
from upcard.web.review_view import view_review, view_waiting
from upcard.web.showing import patience_of, show, topic_of
from upcard.web.site import site_of

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from upcard.store.database import Store

_MOST_DIGITS: Final = 12
_END: Final = "end"


async def show_code(request: Request) -> Response:
    """Show a round by its code."""
    code = "".join(request.path_params["code"].split())
    try:
        record = await run_in_threadpool(decode_round, code)
    except NotationError as error:
        words = as_sentence(str(error))
        raise not_found(words) from None
    return await _show(request, Source(record=record, code=code), StepPlace(path=f"/h/{code}"))


async def show_round(request: Request) -> Response:
    """Show a round of the history."""
    number = request.path_params["number"]
    store = site_of(request).store
    if store is None:
        raise not_found(PRACTICE)
    if not (number.isascii() and number.isdecimal() and len(number) <= _MOST_DIGITS):
        words = f"A round of the history has a number, not {number[:40]!r}."
        raise not_found(words)
    cards = "seen" if read_query(request).text("cards") == "seen" else ""
    try:
        source = await run_in_threadpool(_find, store, int(number), cards or "fresh")
    except (StoreBusyError, StoreDamagedError):
        raise
    except StoreError as error:
        words = as_sentence(str(error))
        raise not_found(words) from None
    return await _show(request, source, StepPlace(path=f"/history/{int(number)}", cards=cards))


def _find(store: Store, number: int, cards: str) -> Source:
    return source_of(store, read_round(store, number), cards=cards)


async def _show(request: Request, source: Source, here: StepPlace) -> Response:
    title = f"Round {source.stored.id}" if source.stored is not None else "A round"
    rules = str(source.record.rules)
    try:
        played = await _review(request, source, here)
    except BlackjackError as error:
        words = as_sentence(str(error))
        raise RefusedError(HTTPStatus.UNPROCESSABLE_ENTITY, "not-a-round", words) from None
    if played is None:
        view = view_waiting(source, here)
        return show(request, "review", view, title=title, rules=rules)
    fields = read_query(request)
    replaying, problem = await _follow(request, source, here, played, fields)
    if replaying.at is not None:
        here = StepPlace(
            path=here.path, cards=here.cards, at=replaying.at, instead=fields.text("instead")
        )
    view = view_review(source, here, replaying, problem=problem)
    status = HTTPStatus.UNPROCESSABLE_ENTITY if problem else HTTPStatus.OK
    said = problem or (f"{view.end.words}." if view.question is None else _say(view.question))
    return show(request, "review", view, title=title, say=said, rules=rules, status=status)


def _say(question: QuestionView) -> str:
    return f"Question {question.number}: {question.words}. {question.verdict}"


async def _review(
    request: Request, source: Source, here: StepPlace, *, at: int | None = None, instead: str = ""
) -> Review | None:
    """Review a round, as played or with other answers; None if that takes too long for a page."""
    answers = parse_answers(instead) if instead else ()
    key = ("review", source.code, source.player_spots, here.cards, at, answers)
    return await site_of(request).desk.ask(
        key,
        lambda: source.review(at, answers),
        topic=topic_of(request, "review"),
        patience=patience_of(request),
    )


async def _follow(
    request: Request, source: Source, here: StepPlace, played: Review, fields: Fields
) -> tuple[Replaying, str]:
    """Go to the place that an address names; return what is wrong with it too."""
    instead = fields.text("instead")
    try:
        at = _read_place(fields.text("at"), len(played.answers))
        if not instead:
            return Replaying(played, played, place=at - 1), ""
        _check_other(played, at)
        other = await _review(request, source, here, at=at, instead=instead)
        if other is None:
            return Replaying(
                played, played, place=at - 1
            ), "The coach is still working it out. Ask again."
        place = _read_place(fields.text("place") or _END, len(other.answers))
        return Replaying(played, other, at=at, place=place - 1), ""
    except BlackjackError as error:
        return Replaying(played, played), as_sentence(str(error))


def _read_place(text: str, questions: int) -> int:
    """Return the number of a question, or one more for the end."""
    if not text:
        return 1
    if text == _END:
        return questions + 1
    number = int(text) if text.isascii() and text.isdecimal() and len(text) < _MOST_DIGITS else 0
    if not 1 <= number <= questions + 1:
        which = f"questions 1 to {questions} and its end" if questions else "no question"
        msg = f"there is no question {text[:40]!r}: the round has {which}"
        raise NotationError(msg)
    return number


def _check_other(played: Review, at: int) -> None:
    """Refuse other answers where none can be given, or where they would show a hidden card."""
    if played.net is None:
        msg = "this round is not finished: other answers would show cards that are face down"
        raise NotationError(msg)
    if at > len(played.answers):
        msg = "nothing is asked at the end: say before which question, such as at=1"
        raise NotationError(msg)


ROUTES: Final = (Route("/h/{code}", show_code), Route("/history/{number}", show_round))
