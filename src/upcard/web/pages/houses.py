"""The houses: all of them with their edge, and one with its rules in words."""

from __future__ import annotations

from dataclasses import dataclass
from http import HTTPStatus
from typing import TYPE_CHECKING, Final

from starlette.routing import Route

from upcard.analysis.engines import find_engines
from upcard.rules.describe import describe_rules
from upcard.rules.house import House, house_names, load_house
from upcard.web.edge_view import EdgeView, find_edge
from upcard.web.errors import not_found
from upcard.web.house_comparison import ComparisonView, compare_houses
from upcard.web.reading import read_query
from upcard.web.showing import patience_of, show, wants_json

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

_PATIENCE_SECONDS: Final = 0.8


@dataclass(frozen=True, slots=True, kw_only=True)
class HouseView:
    """A house; `edge` is None until it is computed."""

    name: str
    """Name of the house, as fields take it."""
    title: str
    """Name of the house for people."""
    about: str
    """A few sentences about the house."""
    source: str
    """Origin of the rules."""
    rules: str
    notation: str
    edge: EdgeView | None
    """The exact edge."""
    is_ticked: bool = False
    """Whether it is one of the compared houses."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HousesView:
    """All houses, in alphabetical order, and the ticked ones side by side."""

    houses: tuple[HouseView, ...]
    """All houses."""
    compared: ComparisonView | None
    """None if fewer than two are ticked."""
    problem: str
    is_complete: bool
    """Whether every edge is computed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineView:
    """Whether an engine honours the rules, and what it refuses."""

    engine: str
    """Name of the engine."""
    about: str
    """Work of the engine, in a line."""
    honours: bool
    """Whether it supports all settings of the rules."""
    refuses: tuple[str, ...]
    """The settings that it does not support, each with the reason."""
    limit: str
    """Refusal that depends on the cards; empty if there is none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OneHouseView:
    """A house with its rules in words."""

    house: HouseView
    """The house."""
    in_words: tuple[tuple[str, str], ...]
    engines: tuple[EngineView, ...]
    """The engines, and whether they support the rules."""


async def show_houses(request: Request) -> Response:
    """Show all houses; those that the address names side by side."""
    ticked, problem = _read_ticked(read_query(request).texts("compare"))
    # The page asks for the list again until every edge is known.
    patience = None if wants_json(request) else _PATIENCE_SECONDS
    edges: dict[str, EdgeView | None] = {}
    for name in sorted(house_names(), key=lambda name: name not in ticked):
        rules = load_house(name).rules
        edges[name] = await find_edge(request, rules, what=name, patience=patience)
        if edges[name] is None:
            patience = 0  # the others come with the second request
    compared = None
    if len(ticked) > 1:
        compared = compare_houses(
            [load_house(name) for name in ticked], [edges[name] for name in ticked]
        )
    view = HousesView(
        houses=tuple(
            _look_at(load_house(name), edges[name], is_ticked=name in ticked)
            for name in house_names()
        ),
        compared=compared,
        problem=problem,
        is_complete=all(edges.values()),
    )
    titles = [house.title for house in compared.houses] if compared else []
    return show(
        request,
        "houses",
        view,
        title=" against ".join(titles) if len(titles) == 2 else "Houses",
        say=problem,
        status=HTTPStatus.UNPROCESSABLE_ENTITY if problem else HTTPStatus.OK,
    )


def _read_ticked(names: tuple[str, ...]) -> tuple[tuple[str, ...], str]:
    """Return the houses of these names, and what is wrong with the others."""
    known = tuple(name for name in names if name in house_names())
    unknown = next((name for name in names if name not in house_names()), "")
    if unknown:
        return known, _say_unknown(unknown)
    if len(known) == 1:
        return known, f"Only {load_house(known[0]).title} is ticked: tick another house too."
    return known, ""


def _say_unknown(name: str) -> str:
    return f"No house is called {name[:80]!r}. The houses are {', '.join(house_names())}."


async def show_house(request: Request) -> Response:
    """Show one house."""
    name = request.path_params["name"]
    if name not in house_names():
        raise not_found(_say_unknown(name))
    house = load_house(name)
    edge = await find_edge(request, house.rules, patience=patience_of(request))
    view = OneHouseView(
        house=_look_at(house, edge),
        in_words=tuple(describe_rules(house.rules)),
        engines=tuple(
            EngineView(
                engine=answer.engine,
                about=answer.about,
                honours=answer.is_honoured,
                refuses=tuple(f"{rule}: {reason}" for rule, reason in answer.refusals),
                limit=answer.limit,
            )
            for answer in find_engines(house.rules)
        ),
    )
    return show(request, "house", view, title=house.title, rules=name)


def _look_at(house: House, edge: EdgeView | None, *, is_ticked: bool = False) -> HouseView:
    return HouseView(
        name=house.name,
        title=house.title,
        about=" ".join(house.about.split()),
        source=house.source,
        rules=str(house.rules),
        notation=str(house.rules.replace(name="")),
        edge=edge,
        is_ticked=is_ticked,
    )


ROUTES: Final = (Route("/houses", show_houses), Route("/houses/{name}", show_house))
