"""Pages of the questions of `upcard.answers.topics`: each field is a field of the form."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from http import HTTPStatus
from typing import TYPE_CHECKING, Annotated, Any, Final

from starlette.routing import Route

from upcard.answers.topics import TOPICS, Sheet, Topic
from upcard.core.errors import BlackjackError, as_sentence
from upcard.rules.describe import name_game
from upcard.web.endpoints import Game, Others, endpoint
from upcard.web.reading import Fields, not_found, try_rules
from upcard.web.showing import patience_of, show, topic_of, wants
from upcard.web.site import site_of

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetFieldView:
    """A field of the form."""

    name: str
    """Name of the field."""
    about: str
    """Help for the field."""
    choices: tuple[str, ...]
    """The texts to choose from; empty where any can be typed."""
    text: str
    """The text as it was typed."""
    problem: str
    """Fault of the text; empty if it has none."""


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
    fields: tuple[SheetFieldView, ...]
    """The fields of the question beside the game."""
    answer: Sheet | None
    """The answer; None until it is computed, and where there is none."""
    problem: str
    """Why there is no answer; empty if there is one."""


@endpoint(page="topic", view=SheetView)
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
    topic = TOPICS.get(request.path_params["topic"])
    if topic is None:
        raise not_found(f"There is no such question; there are {', '.join(TOPICS)}.")
    read, problem = try_rules(r)
    rules = read or site_of(request).rules
    values, faults = _read(topic, fields)
    answer = None
    if not (problem or faults) and wants(request, "answer"):
        try:
            answer = await site_of(request).desk.ask(
                (topic.name, rules, *values.items()),
                partial(topic.ask, rules, **values),
                topic=topic_of(request, topic.name),
                patience=patience_of(request),
                may_be_saved=True,
            )
        except BlackjackError as error:
            problem = as_sentence(str(error))
    view = SheetView(
        topic=topic.name,
        name=name_game(rules) if topic.takes_rules else "",
        title=topic.title,
        about=topic.about,
        rules=str(rules),
        fields=tuple(
            SheetFieldView(
                name=one.name,
                about=one.field.help,
                choices=one.field.choices,
                text=fields.text(one.name),
                problem=faults.get(one.name, ""),
            )
            for one in topic.fields
        ),
        answer=answer,
        problem=problem,
    )
    is_wrong = bool(problem or faults)
    return show(
        request,
        "topic",
        view,
        title=topic.title,
        say=problem or " ".join(faults.values()),
        rules=view.rules,
        status=HTTPStatus.UNPROCESSABLE_ENTITY if is_wrong else HTTPStatus.OK,
    )


def _read(topic: Topic, fields: Fields) -> tuple[dict[str, Any], dict[str, str]]:
    """Return the values of the fields, and the sentences about those that are wrong."""
    values, faults = {}, {}
    for one in topic.fields:
        try:
            values[one.name] = one.read(fields.text(one.name))
        except BlackjackError as error:
            faults[one.name] = as_sentence(str(error))
    return values, faults


ROUTES: Final = (Route("/ask/{topic}", show_topic),)
