"""Pages of the questions of `upcard.answers.topics`: each field is a field of the form."""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import partial
from http import HTTPStatus
from typing import Annotated, Any, Final

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from upcard.answers.topics import TOPICS, Sheet, Topic
from upcard.core.errors import BlackjackError, as_sentence
from upcard.core.numbers import fields_of
from upcard.rules.describe import name_game
from upcard.web.endpoints import Game, Others, endpoint
from upcard.web.reading import Fields, RefusedError, not_found, try_rules
from upcard.web.showing import address, patience_of, show, topic_of, wants
from upcard.web.site import site_of

_KEPT_SECONDS: Final = 10
"""Seconds for which an answer that changes stays."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetFieldView:
    """A field of the form."""

    name: str
    about: str
    """Help for the field."""
    choices: tuple[str, ...]
    """The texts to choose from; empty where any can be typed."""
    no_choice: str
    """Name of the empty text among the choices."""
    is_saved: bool
    """Whether `POST` saves it; `GET` does not read it."""
    text: str
    """The text as it was typed."""
    problem: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetView:
    """A question about a game, and its answer."""

    topic: str
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
    problem: str


@endpoint("GET /ask/{topic}", page="topic", view=SheetView)
async def show_topic(
    request: Request,
    *,
    r: Game = None,
    fields: Annotated[
        Fields,
        Others(
            "those of the question",
            "a field of the question by its `name`, such as `shoe=6D less 5`",
            lambda: {one.name for topic in TOPICS.values() for one in topic.fields},
        ),
    ],
) -> Response:
    """Show a question about a game, and its answer."""
    topic = _find_topic(request)
    read, problem = try_rules(r)
    rules, is_given = read or site_of(request).rules, read is not None
    values, faults = _read(topic, fields)
    answer = None
    moment = int(time.monotonic() / _KEPT_SECONDS) if topic.changes else 0
    if not (problem or faults) and wants(request, "answer"):
        try:
            answer = await site_of(request).desk.ask(
                (topic.name, rules, is_given, *values.items(), moment),
                partial(topic.ask, rules, is_given=is_given, **values),
                topic=topic_of(request, topic.name),
                patience=patience_of(request),
                may_be_saved=not topic.simulates,
            )
        except BlackjackError as error:
            problem = as_sentence(str(error))
    view = SheetView(
        topic=topic.name,
        name=name_game(rules) if topic.takes_rules else "",
        **fields_of(topic, "title", "about"),
        rules=str(rules),
        keeps_rules=topic.takes_rules and (is_given or not topic.has_own_game),
        fields=tuple(
            SheetFieldView(
                name=one.name,
                about=one.field.help,
                **fields_of(one.field, "choices", "no_choice"),
                is_saved=one.field.save is not None,
                text=fields.text(one.name),
                problem=faults.get(one.name, ""),
            )
            for one in topic.fields
        ),
        answer=answer,
        problem=problem,
    )
    fault = problem or " ".join(faults.values())
    return show(request, "topic", view, title=topic.title, fault=fault, rules=view.rules)


@endpoint("POST /ask/{topic}", answer="303 to the question")
async def save_field(
    request: Request,
    *,
    r: Game = None,
    fields: Annotated[
        Fields,
        Others(
            "those of the question that are saved",
            "a field with `is_saved`, such as `goal=0.1% by friday`",
            lambda: {
                one.name for topic in TOPICS.values() for one in topic.fields if one.field.save
            },
        ),
    ],
) -> Response:
    """Save a field of a question, such as a goal, and show the question."""
    topic = _find_topic(request)
    rules = try_rules(r)[0] or site_of(request).rules
    values, faults = _read(topic, fields, is_saved=True)
    problem = " ".join(faults.values())
    if site_of(request).store is None:
        problem = "Practice saves nothing."
    if problem:
        raise RefusedError(HTTPStatus.UNPROCESSABLE_ENTITY, "invalid", problem)
    for one in topic.fields:
        if one.field.save is not None and values[one.name] is not None:
            await run_in_threadpool(one.field.save, values[one.name])
    site_of(request).desk.forget()
    return RedirectResponse(address(f"/ask/{topic.name}", r=str(rules)), HTTPStatus.SEE_OTHER)


def _find_topic(request: Request) -> Topic:
    topic = TOPICS.get(request.path_params["topic"])
    if topic is None:
        raise not_found(f"There is no such question; there are {', '.join(TOPICS)}.")
    return topic


def _read(
    topic: Topic, fields: Fields, *, is_saved: bool = False
) -> tuple[dict[str, Any], dict[str, str]]:
    values, faults = {}, {}
    for one in topic.fields:
        if (one.field.save is not None) is not is_saved:
            continue
        try:
            values[one.name] = one.read(fields.text(one.name))
        except BlackjackError as error:
            faults[one.name] = as_sentence(str(error))
    return values, faults
