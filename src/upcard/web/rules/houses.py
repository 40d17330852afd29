"""The houses: all of them with their edge, one with its rules in words, and some side by side."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from http import HTTPStatus
from typing import TYPE_CHECKING, Final

from starlette.routing import Route

from upcard.analysis.engines import find_engines
from upcard.answers.edge import EdgeAnswer, EdgeChange, compare_edges
from upcard.rules.describe import describe_rules
from upcard.rules.house import House, house_names, load_house
from upcard.web.reading import not_found, read_query
from upcard.web.rules.edge import find_edge
from upcard.web.showing import patience_of, show, wants_json

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenView:
    """A setting in notation."""

    text: str
    """The setting: `H17`."""
    differs: bool
    """Whether a compared house does not have it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedHouse:
    """One of the houses that are compared."""

    name: str
    """Name of the house, as fields take it."""
    title: str
    """Name of the house for people."""
    notation: tuple[TokenView, ...]
    edge: EdgeAnswer | None
    """None until it is computed."""
    change: EdgeChange | None
    """Worth of this house against the first one; None for the first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TopicView:
    """A topic of the rules, with the sentence of each house."""

    topic: str
    """The topic: `Dealer`, `Doubling` and so on."""
    sentences: tuple[str, ...]
    """A sentence for each house, in the order of `houses`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparisonView:
    """Houses side by side: the topics in which they differ, and those that are the same."""

    houses: tuple[ComparedHouse, ...]
    """The compared houses, the first as the measure."""
    differing: tuple[TopicView, ...]
    """The topics in which they differ."""
    same: tuple[tuple[str, str], ...]
    """The other topics, each with the sentence that all share."""


def compare_houses(houses: list[House], edges: list[EdgeAnswer | None]) -> ComparisonView:
    """Compare two houses or more, given the edges that are known by now."""
    described = [describe_rules(house.rules) for house in houses]
    differing, same = [], []
    for rows in zip(*described, strict=True):
        topic, sentence = rows[0]
        if len(set(rows)) > 1:
            sentences = tuple(sentence for _, sentence in rows)
            differing.append(TopicView(topic=topic, sentences=sentences))
        else:
            same.append((topic, sentence))
    notations = [str(house.rules.replace(name="")).split() for house in houses]
    shared = Counter(token for notation in notations for token in set(notation))
    return ComparisonView(
        houses=tuple(
            ComparedHouse(
                name=house.name,
                title=house.title,
                notation=tuple(
                    TokenView(text=token, differs=shared[token] < len(houses)) for token in notation
                ),
                edge=edge,
                change=compare_edges(edges[0], edge) if house is not houses[0] else None,
            )
            for house, edge, notation in zip(houses, edges, notations, strict=True)
        ),
        differing=tuple(differing),
        same=tuple(same),
    )


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
    edge: EdgeAnswer | None
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
    edges: dict[str, EdgeAnswer | None] = {}
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


def _look_at(house: House, edge: EdgeAnswer | None, *, is_ticked: bool = False) -> HouseView:
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
