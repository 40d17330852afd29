"""The houses: all of them with their edge, and one with its rules in words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from starlette.routing import Route

from upcard.analysis.engines import find_engines
from upcard.rules.describe import describe_rules
from upcard.rules.house import House, house_names, load_house
from upcard.web.edge_view import EdgeView, find_edge
from upcard.web.errors import not_found
from upcard.web.showing import patience_of, show, wants_json

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

_PATIENCE_SECONDS: Final = 0.8


@dataclass(frozen=True, slots=True, kw_only=True)
class HouseView:
    """A house; `edge` is None until it is computed."""

    name: str
    title: str
    about: str
    source: str
    rules: str
    notation: str
    edge: EdgeView | None


@dataclass(frozen=True, slots=True, kw_only=True)
class HousesView:
    """All houses, in alphabetical order."""

    houses: tuple[HouseView, ...]
    is_complete: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineView:
    """Whether an engine honours the rules, and what it refuses."""

    engine: str
    about: str
    honours: bool
    refuses: tuple[str, ...]
    limit: str


@dataclass(frozen=True, slots=True, kw_only=True)
class OneHouseView:
    """A house with its rules in words."""

    house: HouseView
    in_words: tuple[tuple[str, str], ...]
    engines: tuple[EngineView, ...]


async def show_houses(request: Request) -> Response:
    """Show all houses."""
    # The page asks for the list again until every edge is known.
    patience = None if wants_json(request) else _PATIENCE_SECONDS
    houses = []
    for name in house_names():
        house = load_house(name)
        edge = await find_edge(request, house.rules, what=name, patience=patience)
        if edge is None:
            patience = 0  # the others come with the second request
        houses.append(_look_at(house, edge))
    view = HousesView(houses=tuple(houses), is_complete=all(house.edge for house in houses))
    return show(request, "houses", view, title="Houses")


async def show_house(request: Request) -> Response:
    """Show one house. Raises: RefusedError if there is none of this name."""
    name = request.path_params["name"]
    if name not in house_names():
        words = f"No house is called {name[:80]!r}. The houses are {', '.join(house_names())}."
        raise not_found(words)
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


def _look_at(house: House, edge: EdgeView | None) -> HouseView:
    return HouseView(
        name=house.name,
        title=house.title,
        about=" ".join(house.about.split()),
        source=house.source,
        rules=str(house.rules),
        notation=str(house.rules.replace(name="")),
        edge=edge,
    )


ROUTES: Final = (Route("/houses", show_houses), Route("/houses/{name}", show_house))
