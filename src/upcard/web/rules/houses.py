"""The houses: all of them with their edge, one with its rules in words, and some side by side."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Final

from starlette.requests import Request
from starlette.responses import Response

from upcard.answers import rules
from upcard.answers.edge import EdgeAnswer
from upcard.rules.house import house_names, load_house
from upcard.services import not_found
from upcard.web import endpoints, showing
from upcard.web.rules.edge import find_edge

_PATIENCE_SECONDS: Final = 0.8


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedHouse:
    """A house of the list."""

    house: rules.HouseAnswer
    """The house."""
    edge: EdgeAnswer | None
    is_ticked: bool
    """Whether it is one of the compared houses."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HousesView:
    """All houses, in alphabetical order, and the ticked ones side by side."""

    houses: tuple[ListedHouse, ...]
    """All houses."""
    compared: rules.HousesAnswer | None
    """None if fewer than two are ticked."""
    problem: str
    is_complete: bool
    """Whether every edge is computed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OneHouseView:
    """A house: its rules and its edge."""

    game: rules.ExplainedRules
    edge: EdgeAnswer | None


@endpoints.endpoint("GET /houses", page="houses", view=HousesView)
async def show_houses(
    request: Request,
    *,
    compare: Annotated[tuple[str, ...], "a house to compare with others; once for each"] = (),
) -> Response:
    """Show all houses; those that the address names side by side."""
    ticked, problem = _read_ticked(compare)
    # The page asks for the list again until every edge is known.
    patience = None if showing.wants_json(request) else _PATIENCE_SECONDS
    edges: dict[str, EdgeAnswer | None] = {}
    for name in sorted(house_names(), key=lambda name: name not in ticked):
        played = load_house(name).rules
        edges[name] = await find_edge(request, played, what=name, patience=patience)
        if edges[name] is None:
            patience = 0  # the others come with the second request
    compared = None
    if len(ticked) > 1:
        compared = rules.compare_houses(
            [load_house(name) for name in ticked], [edges[name] for name in ticked]
        )
    view = HousesView(
        houses=tuple(
            ListedHouse(house=house, edge=edges[house.name], is_ticked=house.name in ticked)
            for house in rules.list_houses()
        ),
        compared=compared,
        problem=problem,
        is_complete=all(edges.values()),
    )
    titles = [house.title for house in compared.houses] if compared else []
    title = " against ".join(titles) if len(titles) == 2 else "Houses"
    return showing.show(request, "houses", view, title=title, fault=problem)


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


@endpoints.endpoint("GET /houses/{name}", page="house", view=OneHouseView)
async def show_house(request: Request) -> Response:
    """Show one house."""
    name = request.path_params["name"]
    if name not in house_names():
        raise not_found(_say_unknown(name))
    house = load_house(name)
    edge = await find_edge(request, house.rules, patience=showing.patience_of(request))
    view = OneHouseView(game=rules.explain_rules(house.rules), edge=edge)
    return showing.show(request, "house", view, title=house.title, rules=name)
