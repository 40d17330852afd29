"""Results: best play, errors and luck, the curve, leaks, and the mistake map."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Annotated, Final

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from upcard.answers import played
from upcard.answers.asked import stats
from upcard.answers.best_chart import OtherChart, as_other_chart
from upcard.charts import heat_map, layout
from upcard.charts.svg_plots import Band, Panel, PlotLine, draw_panels
from upcard.core.errors import BlackjackError
from upcard.core.fields import list_fields, read_asked
from upcard.rules.model import Rules
from upcard.store import statistics as saved
from upcard.store.database import Store
from upcard.store.files import StoreError
from upcard.strategy.chart import Strategy
from upcard.web import endpoints, site
from upcard.web.showing import address, patience_of, show

_WIDEST: Final = 3.0
"""Standard deviations of luck that the gauge shows to both sides."""
_PACE: Final = next(one for one in list_fields(stats.answer) if one.name == "rounds_per_hour")
_NOTHING: Final = "No round for chips has been saved yet. Play some, and your results will be here."


@dataclass(frozen=True, slots=True, kw_only=True)
class MapView:
    """The mistake map of one set of rules."""

    house: str
    """The rules."""
    upcards: tuple[str, ...]
    blocks: tuple[layout.ChartBlock, ...]
    """Hard totals, soft totals and pairs, each cell with what was lost in it."""
    below: tuple[OtherChart, ...]
    """The same for other hands of a dealer who shows both cards."""
    legend: tuple[tuple[int, str], ...]
    """The shades: level and words."""
    worst: tuple[tuple[str, ...], ...]
    """The costliest places as a table, the names of its columns first."""
    drills: tuple[str, ...]
    """For each of these places the address of a drill of its hands; empty where there is none."""
    mistakes: str
    """The address of a drill of all mistakes."""
    notes: tuple[str, ...]
    """Notes on what the map counts and leaves out, a sentence each."""
    figures: played.MistakesAnswer


@dataclass(frozen=True, slots=True, kw_only=True)
class StatsView:
    """All results."""

    why_none: str = ""
    pace: str = ""
    """Rounds per hour."""
    problem: str = ""
    is_ready: bool = False
    statistics: played.StatsAnswer | None = None
    """The results; None until they are computed, and where there are none."""
    curve: tuple[saved.CurvePoint, ...] = ()
    """The net after more and more rounds, and its parts there."""
    maps: tuple[tuple[str, str], ...] = ()
    """The rules that have a map, by their address and in words."""
    map: MapView | None = None
    """The mistake map of the rules in the address; None without one."""
    map_problem: str = ""
    """Why there is no map; empty if there is one."""

    @property
    def svg(self) -> str:
        """The curve, drawn; empty for less than two rounds."""
        return _draw_curve(self.curve) if len(self.curve) > 2 else ""

    @property
    def has_luck(self) -> bool:
        """Whether the curve shows best play and luck."""
        return bool(self.curve) and self.curve[-1].without_luck is not None

    @property
    def bars(self) -> list[tuple[float, float, float]]:
        """The costs of the leaks as bars up to 100, with the ends of one deviation."""
        spans = [
            (leak.cost, max(leak.cost - leak.cost_deviation, 0.0), leak.cost + leak.cost_deviation)
            for leak in (self.statistics.costly if self.statistics else ())
        ]
        most = max((high for *_, high in spans), default=0.0) or 1.0
        return [
            (round(100 * cost / most, 2), round(100 * low / most, 2), round(100 * high / most, 2))
            for cost, low, high in spans
        ]

    @property
    def luck_place(self) -> float:
        """The place of the luck on a gauge from 0 to 100."""
        luck = (self.statistics and self.statistics.luck) or 0.0
        luck = max(-_WIDEST, min(_WIDEST, luck))
        return round(50 + 50 * luck / _WIDEST, 1)


def view_map(rules: Rules, strategy: Strategy, found: saved.Mistakes, hourly: float) -> MapView:
    """Return the mistake map of a game; `hourly` is the number of rounds per hour."""
    per_hour = hourly / found.coached_rounds if found.coached_rounds else 0.0
    heat = played.lay_out_mistakes(rules, strategy, found)
    house, shown = str(rules), rules.shows_hole  # no drill asks about both dealer cards
    rate = None if saved.why_no_rate(found.coached_rounds) else per_hour
    return MapView(
        house=house,
        upcards=heat.layout.upcards,
        blocks=heat.layout.blocks,
        below=tuple(map(as_other_chart, heat.layout.below)),
        legend=heat.legend,
        worst=heat_map.list_worst(heat, per_hour=rate) if heat.worst else (),
        drills=tuple(
            address("/drills", r=house, cell=one.place) if one.place and not shown else ""
            for one in heat.worst
        ),
        mistakes=address("/drills", r=house, mistakes="ever"),
        notes=tuple(heat.layout.captions),
        figures=played.answer_mistakes(rules, found, hourly),
    )


def _draw_curve(curve: tuple[saved.CurvePoint, ...]) -> str:
    """Draw the net; and best play, play without luck and its band if they are known."""

    def follow(name: str, tone: str) -> PlotLine:
        return PlotLine([(point.rounds, getattr(point, name)) for point in curve], tone)

    lines, bands = [follow("net", "is-net")], []
    if curve[-1].without_luck is not None:
        lines[:0] = [follow("best_play", "is-best"), follow("without_luck", "is-skill")]
        for tone, times in (("is-outer", 2), ("is-inner", 1)):
            spans = []
            for point in curve:
                middle, half = point.without_luck or 0.0, times * (point.luck_deviation or 0.0)
                spans.append((point.rounds, middle - half, middle + half))
            bands.append(Band(spans, tone))
    return draw_panels(
        [Panel(title="Chips", across="Rounds", lines=lines, bands=bands, height=220)]
    )


@endpoints.endpoint("GET /stats", page="stats", view=StatsView)
async def show_stats(
    request: Request,
    *,
    rounds_per_hour: Annotated[str, _PACE.field.help] = "",
    pace: Annotated[str, "`rounds_per_hour`, as it was called"] = "",
    house: Annotated[str, "rules that were played, for the map of mistakes"] = "",
) -> Response:
    """Show the results of all rounds."""
    store = site.site_of(request).store
    if store is None:
        view = StatsView(why_none=site.PRACTICE, is_ready=True)
    else:
        view = await _look_at(request, store, rounds_per_hour or pace, house)
    return show(request, "stats", view, title="Results", say=view.why_none, fault=view.problem)


async def _look_at(request: Request, store: Store, pace: str, house: str) -> StatsView:
    asked, faults = read_asked([_PACE], {_PACE.name: pace})
    hourly = stats.choose_pace(asked.get(_PACE.name))
    problem = faults.get(_PACE.name, "")
    values: dict[Rules, float | None] = {}
    games = [rules for rules, _ in await run_in_threadpool(saved.count_played, store)]
    for rules in games:
        found = await _find_value(request, rules)
        if found is None:
            return StatsView(pace=f"{hourly:g}", problem=problem)
        values[rules] = found[0]
    if not values:
        return StatsView(why_none=_NOTHING, is_ready=True)
    statistics, curve = await run_in_threadpool(_add_up, store, values, hourly)
    chosen = next((rules for rules in games if str(rules) == house), None)
    heat: MapView | None = None
    why = ""
    if house and chosen is None:
        why = f"No round for chips was played by {house[:80]!r}: this is the map of another house."
    try:
        heat = await _find_map(request, store, chosen or games[0], hourly)
    except StoreError:
        raise
    except BlackjackError as error:
        why = f"There is no map: {error}."
    return StatsView(
        pace=f"{hourly:g}",
        problem=problem,
        is_ready=True,
        statistics=played.answer_statistics(statistics, hourly),
        curve=tuple(curve),
        maps=tuple((str(rules), played.name_played(str(rules))) for rules in games),
        map=heat,
        map_problem=why,
    )


async def _find_value(request: Request, rules: Rules) -> tuple[float | None] | None:
    """Return the value of a game in a tuple; None if it takes too long for a page."""
    return await site.site_of(request).solver.ask(
        ("value", rules),
        lambda: (saved.game_value(rules),),
        part=f"value {rules}",
        patience=patience_of(request),
    )


def _add_up(
    store: Store, values: dict[Rules, float | None], hourly: float
) -> tuple[saved.Statistics, list[saved.CurvePoint]]:
    with store.reading() as state:
        statistics = saved.add_up(state, value_of=values.get, rounds_per_hour=hourly)
        return statistics, saved.read_curve(state, values.get)


async def _find_map(request: Request, store: Store, rules: Rules, hourly: float) -> MapView | None:
    """Return the mistake map; None while its chart is computed."""
    strategy = await site.site_of(request).solver.ask(
        ("strategy", rules),
        lambda: played.find_strategy(rules),
        part="map",
        patience=patience_of(request),
        may_be_saved=True,
    )
    if strategy is None:
        return None
    mistakes: saved.Mistakes = await run_in_threadpool(saved.find_mistakes, store, rules)
    return await run_in_threadpool(partial(view_map, rules, strategy, mistakes, hourly))
