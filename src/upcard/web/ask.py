"""Pages of the questions of `upcard.answers.questions`: each field is a field of the form."""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import partial
from http import HTTPStatus
from typing import Annotated, Any, Final

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from upcard.answers.questions import QUESTIONS, Asking, NamedQuestion, Sheet
from upcard.core.errors import BlackjackError, as_sentence
from upcard.core.fields import AskedField, read_asked
from upcard.core.figure import join_tables
from upcard.core.numbers import fields_of
from upcard.rules.describe import name_game
from upcard.rules.model import Rules
from upcard.services import not_found
from upcard.web.endpoints import Game, Others, endpoint
from upcard.web.reading import Fields, RefusedError, SheetFieldView, try_rules, view_field
from upcard.web.showing import FILE_POLICY, address, address_of, patience_of, show, wants
from upcard.web.site import PRACTICE, site_of

_KEPT_SECONDS: Final = 10
"""Seconds for which an answer that changes stays."""
_FILES: Final = {
    "tables.csv": "text/csv; charset=utf-8",
    "picture.svg": "image/svg+xml",
    "card.html": "text/html; charset=utf-8",
    "answer.txt": "text/plain; charset=utf-8",
}
"""The files of answers, and their types."""


def _name_fields(*, is_saved: bool | None = None) -> set[str]:
    return {
        one.name
        for question in QUESTIONS.values()
        for one in _list_fields(question)
        if is_saved is None or is_saved is (one.field.save is not None)
    }


def _list_fields(question: NamedQuestion) -> list[AskedField]:
    return [one for one in question.fields if one.field.is_for_pages]


_OTHERS: Final = Others(
    "those of the question",
    "a field of the question by its `name`, such as `shoe=6D less 5`",
    _name_fields,
)
_SAVED: Final = Others(
    "those of the question that are saved",
    "a field with `is_saved`, such as `goal=0.1% by friday`",
    partial(_name_fields, is_saved=True),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetView:
    """A question about a game, and its answer."""

    question: str
    """Name of the question, as the address has it."""
    name: str
    """The game in words: the title of its house, or its main rules; empty if it is to be found."""
    title: str
    """The question in words."""
    about: str
    """The question as an instruction."""
    rules: str
    keeps_rules: bool
    """Whether the form sends the game on: not one that was not given, where the answer has one."""
    fields: tuple[SheetFieldView, ...]
    """The fields of the question beside the game."""
    answer: Sheet | None
    """The answer; None until it is computed, and where there is none."""
    files: dict[str, str]
    """Addresses of the files of the answer, by their names."""
    problem: str


@endpoint("GET /ask/{question}", page="question", view=SheetView)
async def show_question(
    request: Request, *, r: Game = None, fields: Annotated[Fields, _OTHERS]
) -> Response:
    """Show a question about a game, and its answer, or lead to a page of its own."""
    if (question := _find_question(request)).is_elsewhere:
        return RedirectResponse(_lead(question, r, fields), HTTPStatus.SEE_OTHER)
    asked = _read_request(request, r, fields)
    rules = asked.rules
    answer, problem = None, asked.problem
    if not (problem or asked.faults) and wants(request, "answer"):
        try:
            answer = await asked.answer(request)
        except BlackjackError as error:
            problem = as_sentence(str(error))
    view = SheetView(
        question=question.name,
        name=name_game(rules) if question.takes_rules else "",
        **fields_of(question, "title", "about"),
        rules=str(rules),
        keeps_rules=_keeps_rules(asked),
        fields=tuple(
            view_field(one, _text_of(one, fields), asked.faults.get(one.name, ""))
            for one in _list_fields(question)
        ),
        answer=answer,
        files={} if answer is None else asked.name_files(answer),
        problem=problem,
    )
    fault = problem or " ".join(asked.faults.values())
    return show(request, "question", view, title=question.title, fault=fault, rules=view.rules)


def _lead(question: NamedQuestion, r: str | None, fields: Fields) -> str:
    texts = {one.name: fields.text(one.name) for one in _list_fields(question)}
    return address_of(question, r=r or "", **texts)


def _keeps_rules(asked: AskedQuestion) -> bool:
    question = asked.question
    if question.has_own_game:  # a game that is typed into a field takes the place of that one
        return asked.is_given and not question.is_by_games
    return question.takes_rules


@endpoint("GET /ask/{question}/{file}", answer="a file: csv, svg, html or txt")
async def download_answer(
    request: Request, *, r: Game = None, fields: Annotated[Fields, _OTHERS]
) -> Response:
    """Answer with the tables of an answer, its picture, a page to print, or its own text."""
    if (question := _find_question(request)).is_elsewhere:
        raise not_found(f"This question has a page of its own: {_lead(question, r, fields)}.")
    asked, file = _read_request(request, r, fields), request.path_params["file"]
    if problem := asked.problem or " ".join(asked.faults.values()):
        raise RefusedError(HTTPStatus.UNPROCESSABLE_ENTITY, "invalid", problem)
    answer = await asked.answer(request)
    if answer is None:
        raise RefusedError(HTTPStatus.SERVICE_UNAVAILABLE, "busy", "Ask again.")
    known = _list_files(answer)
    if file not in known:
        raise not_found(f"This answer is saved as {', '.join(known) or 'no file'}.")
    content = await run_in_threadpool(_draw_file, answer, file)
    name = f"{asked.question.name}-{file}"
    if file == "answer.txt" and answer.file_name:
        name = answer.file_name
    headers = {
        "Content-Disposition": f'inline; filename="{name}"',
        "Content-Security-Policy": FILE_POLICY,
    }
    return Response(content, headers=headers, media_type=_FILES[file])


@endpoint("POST /ask/{question}", answer="303 to the question")
async def save_field(
    request: Request, *, r: Game = None, fields: Annotated[Fields, _SAVED]
) -> Response:
    """Save a field of a question, such as a goal, and show the question."""
    question = _find_question(request)
    rules = try_rules(r)[0] or site_of(request).rules
    values, faults = _read(question, fields, is_saved=True)
    problem = " ".join(faults.values())
    if site_of(request).store is None:
        problem = "Practice saves nothing."
    if problem:
        raise RefusedError(HTTPStatus.UNPROCESSABLE_ENTITY, "invalid", problem)
    for one in question.fields:
        if one.field.save is not None and values[one.name] is not None:
            await run_in_threadpool(one.field.save, values[one.name])
    site_of(request).solver.forget()
    return RedirectResponse(address(f"/ask/{question.name}", r=str(rules)), HTTPStatus.SEE_OTHER)


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedQuestion:
    """A question as a request asks it."""

    question: NamedQuestion
    rules: Rules
    is_given: bool
    """Whether the game was given for the question; else it is that of the site."""
    texts: dict[str, str]
    """The fields as they were sent."""
    values: dict[str, Any]
    """The same, read."""
    faults: dict[str, str]
    """Faults of fields, by their names."""
    problem: str

    async def answer(self, request: Request) -> Sheet | None:
        """Return the answer; None if it is not there while the page waits."""
        question, rules = self.question, self.rules
        moment = int(time.monotonic() / _KEPT_SECONDS) if question.changes else 0
        return await site_of(request).solver.ask(
            # Equal rules may have two names, which an answer says.
            (question.name, rules, rules.name, self.is_given, *self.values.items(), moment),
            partial(
                question.ask,
                rules,
                is_given=self.is_given,
                asking=Asking(is_patient=False),
                **self.values,
            ),
            part=question.name,
            patience=patience_of(request),
            may_be_saved=not (question.simulates or question.changes),
        )

    def name_files(self, answer: Sheet) -> dict[str, str]:
        """Return the addresses of the files of an answer."""
        path, fields = f"/ask/{self.question.name}", dict(self.texts)
        if self.is_given or not self.question.has_own_game:
            fields["r"] = str(self.rules)
        return {file: address(f"{path}/{file}", **fields) for file in _list_files(answer)}


def _read_request(request: Request, r: str | None, fields: Fields) -> AskedQuestion:
    question = _find_question(request)
    read, problem = try_rules(r)
    values, faults = _read(question, fields)
    if question.is_about_you and site_of(request).store is None:
        problem = PRACTICE
    return AskedQuestion(
        question=question,
        rules=read or site_of(request).rules,
        is_given=read is not None,
        texts={one.name: _text_of(one, fields) for one in _list_fields(question)},
        values=values,
        faults=faults,
        problem=problem,
    )


def _text_of(one: AskedField, fields: Fields) -> str:
    """Return the text of a field; where there must be one, that of the field at first."""
    return fields.text(one.name) or (one.field.typed if one.needs_text else "")


def _list_files(answer: Sheet) -> list[str]:
    there = (answer.tables or answer.data, answer.plot, answer.card, answer.text)
    return [name for name, one in zip(_FILES, there, strict=True) if one]


def _draw_file(answer: Sheet, file: str) -> str:
    if file == "card.html" and answer.card is not None:
        return answer.card()
    if file == "answer.txt" and answer.text is not None:
        return answer.text()
    if file == "picture.svg" and answer.plot is not None:
        from upcard.charts.panels import draw_svg

        return draw_svg(answer.plot())
    tables = answer.tables if answer.data is None else answer.data
    return (tables[0] if len(tables) == 1 else join_tables(tables)).to_csv()


def _find_question(request: Request) -> NamedQuestion:
    question = QUESTIONS.get(request.path_params["question"])
    if question is None:
        raise not_found(f"There is no such question; there are {', '.join(QUESTIONS)}.")
    return question


def _read(
    question: NamedQuestion, fields: Fields, *, is_saved: bool = False
) -> tuple[dict[str, Any], dict[str, str]]:
    asked = [one for one in _list_fields(question) if (one.field.save is not None) is is_saved]
    return read_asked(asked, {one.name: _text_of(one, fields) for one in asked})
