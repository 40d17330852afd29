"""The rules editor: switches, the exact edge, the chart, and two games side by side."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from http import HTTPStatus
from typing import Annotated, Final

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from upcard.answers.best_chart import ChartAnswer, answer_chart, write_chart
from upcard.answers.edge import ComparedGame, EdgeAnswer, EffectsAnswer, compare_edges
from upcard.answers.rules import RulesAnswer, answer_rules
from upcard.rules.describe import name_game
from upcard.rules.house import house_names, load_house
from upcard.rules.model import Rules
from upcard.services import not_found
from upcard.web import endpoints, reading, site
from upcard.web.rules.edge import find_chart_facts, find_edge, find_effects
from upcard.web.showing import FILE_POLICY, address, patience_of, show, wants

_DOWNLOADS: Final = {
    "svg": "image/svg+xml",
    "html": "text/html; charset=utf-8",
    "tsv": "text/tab-separated-values; charset=utf-8",
    "json": "application/json",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class RulesView:
    """A game, its switches, its edge and its chart. Parts not asked for, or not ready, are None."""

    game: RulesAnswer
    houses: tuple[tuple[str, str], ...]
    switches: tuple[reading.SwitchView, ...]
    """The rules that can be changed, with their options."""
    edge: EdgeAnswer | None
    other: ComparedGame | None
    """The game that this one is compared with; `change` is the worth of this game against it."""
    is_before: bool
    """Whether that is the game before the last change; else the one of the field `with`."""
    chart: ChartAnswer | None
    problem: str
    """Fault of the rules that were typed; the shown ones are then the default."""
    typed: str
    """The text of the field for the rules."""
    compared: str
    """The text of the field for a second game."""
    compared_problem: str
    """Fault of the rules typed for the second game; empty if there is none."""
    effects: EffectsAnswer | None
    """The worth of every switch, if the address asks for it."""
    with_effects: str
    """Address of this page with the worth of every switch."""


@endpoints.endpoint("GET /rules", page="rules", view=RulesView)
async def show_rules(  # noqa: PLR0913 (one parameter a field)
    request: Request,
    *,
    r: endpoints.Game = None,
    was: Annotated[str, "rules before the last change; changed cells are marked"] = "",
    with_: Annotated[str, "a second game beside the first"] = "",
    effects: Annotated[bool, "`1` for the worth of every switch"] = False,
    house: Annotated[str | None, "a house"] = None,
    switches: Annotated[reading.Fields, endpoints.SWITCHES],
) -> Response:
    """Show a game; switches in the address are carried out first."""
    read, problem = reading.try_rules(r)
    rules = read or site.site_of(request).rules
    changed = None if problem else _apply(switches, house, rules)
    if changed is not None:
        was = str(rules) if changed != rules else ""
        to = address("/rules", r=str(changed), was=was, **{"with": with_})
        return RedirectResponse(to, HTTPStatus.SEE_OTHER)
    named, compared_problem = reading.try_rules(with_)
    before, _ = reading.try_rules(was)
    other = named or (before if before != rules else None)
    edge, other_edge, chart = await _look_at(request, rules, other, is_before=named is None)
    compared = None
    if other is not None:
        change = compare_edges(other_edge, edge)
        compared = ComparedGame(
            name=name_game(other), rules=str(other), edge=other_edge, change=change
        )
    is_asked = effects and wants(request, "effects")
    view = RulesView(
        game=answer_rules(rules),
        houses=tuple((name, load_house(name).title) for name in house_names()),
        switches=reading.list_switches(rules),
        edge=edge,
        other=compared,
        is_before=named is None,
        chart=chart,
        problem=problem,
        typed=(r or "") if problem else str(rules),
        compared=with_,
        compared_problem=compared_problem,
        effects=await find_effects(request, rules) if is_asked else None,
        with_effects=address("/rules", r=str(rules), effects="1"),
    )
    fault, game = problem or compared_problem, view.game
    return show(
        request, "rules", view, title=game.name, say=_say(view), fault=fault, rules=game.rules
    )


@endpoints.endpoint("GET /rules/chart.{kind}", answer="a file: svg, html, tsv or json")
async def download_chart(
    request: Request,
    *,
    r: endpoints.Game = None,
    show_: Annotated[bool, "`1` to show it, for printing"] = False,
) -> Response:
    """Answer with the chart as a file."""
    kind = request.path_params["kind"]
    if kind not in _DOWNLOADS:
        raise not_found(f"A chart is saved as {', '.join(_DOWNLOADS)}.")
    rules = Rules.parse(r) if r else site.site_of(request).rules
    write = partial(write_chart, rules, kind)
    drawn = await site.site_of(request).solver.ask(
        ("chart", rules, rules.name, kind), write, may_be_saved=True
    )
    how = "inline" if show_ else "attachment"
    headers = {
        "Content-Disposition": f'{how}; filename="chart.{kind}"',
        "Content-Security-Policy": FILE_POLICY,
    }
    return Response(drawn, headers=headers, media_type=_DOWNLOADS[kind])


def _apply(switches: reading.Fields, house: str | None, rules: Rules) -> Rules | None:
    """Return the game with the house or the switches of the form; None if there are none."""
    if house is not None and house != rules.name:
        return load_house(house).rules if house in house_names() else Rules()
    return reading.read_switches(switches, rules)


async def _look_at(
    request: Request, rules: Rules, other: Rules | None, *, is_before: bool
) -> tuple[EdgeAnswer | None, EdgeAnswer | None, ChartAnswer | None]:
    """Return the edges of both games and the chart, as far as they are asked for and ready."""
    patience = patience_of(request)
    edge = other_edge = chart = None
    if wants(request, "edge"):
        edge = await find_edge(request, rules, patience=patience)
        if other is not None:
            other_edge = await find_edge(request, other, what="other", patience=patience)
    if wants(request, "chart"):
        facts = await find_chart_facts(request, rules, patience=patience)
        others = None
        if other is not None and facts is not None:
            others = await find_chart_facts(request, other, what="other", patience=patience)
        if facts is not None and (other is None or others is not None):
            chart = answer_chart(facts, others, is_before=is_before)
    return edge, other_edge, chart


def _say(view: RulesView) -> str:
    """Say what changed, for the status line."""
    if view.edge is None:
        return ""
    words = [f"{view.edge.title} {view.edge.text}."]
    if view.other is not None and view.other.change is not None:
        words.append(view.other.change.sentence)
    if view.chart is not None:
        words.append(view.chart.changed_words)
    return " ".join(filter(None, words))
