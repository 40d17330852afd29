"""The start page: choose a game, see its exact edge and its rules in words."""

from __future__ import annotations

from dataclasses import dataclass
from http import HTTPStatus
from typing import TYPE_CHECKING, Final

from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from upcard.core.errors import BlackjackError, as_sentence
from upcard.rules.describe import describe_rules, name_game
from upcard.rules.house import house_names, load_house
from upcard.rules.model import Rules
from upcard.web.edge_view import EdgeView, find_edge
from upcard.web.play_form import PlayFormView, view_play_form
from upcard.web.reading import Fields, read_query
from upcard.web.showing import address, patience_of, show
from upcard.web.site import site_of

if TYPE_CHECKING:
    from starlette.requests import Request


@dataclass(frozen=True, slots=True, kw_only=True)
class StartView:
    """The game that the other pages go by."""

    rules: str
    notation: str
    name: str
    """The game in words: the title of its house, or its main rules."""
    about: str
    """A few sentences about the house; empty for rules of your own."""
    house: str
    """Name of the house; empty for rules of your own."""
    is_default: bool
    """Whether these are the rules that upcard uses by default."""
    houses: tuple[tuple[str, str], ...]
    in_words: tuple[tuple[str, str], ...]
    edge: EdgeView | None
    """The exact edge; None while it is computed."""
    play: PlayFormView
    """The form that opens a table."""
    problem: str


async def show_start(request: Request) -> Response:
    """Show the start page for the game of the address."""
    fields = read_query(request)
    if "house" in fields:  # the form without a script
        name = fields.text("house")
        return RedirectResponse(address("/", r=name), HTTPStatus.SEE_OTHER)
    rules, problem = site_of(request).rules, ""
    if fields.text("r"):
        try:
            rules = Rules.parse(fields.text("r"))
        except BlackjackError as error:
            problem = as_sentence(str(error))
    return await answer_start(request, rules, fields, problem=problem)


async def answer_start(request: Request, rules: Rules, fields: Fields, *, problem: str) -> Response:
    """Answer with the start page; `problem` is what is wrong with the `fields`."""
    edge = await find_edge(request, rules, patience=patience_of(request))
    is_house = rules.name in house_names()
    view = StartView(
        rules=str(rules),
        notation=str(rules.replace(name="")),
        name=name_game(rules),
        about=" ".join(load_house(rules.name).about.split()) if is_house else "",
        house=rules.name if is_house else "",
        is_default=rules == Rules(),
        houses=tuple((name, load_house(name).title) for name in house_names()),
        in_words=tuple(describe_rules(rules)),
        edge=edge,
        play=await view_play_form(request, rules, fields),
        problem=problem,
    )
    return show(
        request,
        "start",
        view,
        title="upcard",
        say=problem or (f"{view.name}. {edge.title} {edge.figure}." if edge else ""),
        rules=view.rules if not problem and "r" in fields else "",
        status=HTTPStatus.UNPROCESSABLE_ENTITY if problem else HTTPStatus.OK,
    )


ROUTES: Final = (Route("/", show_start),)
