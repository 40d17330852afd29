"""Results: best play, errors and luck, the curve, leaks, and the mistake map."""

from __future__ import annotations

from functools import partial
from http import HTTPStatus
from typing import TYPE_CHECKING, Final

from starlette.concurrency import run_in_threadpool
from starlette.routing import Route

from upcard.analysis.ramp_plan import ROUNDS_PER_HOUR
from upcard.core.errors import BlackjackError, as_sentence
from upcard.core.numbers import exact_number
from upcard.session.history_words import name_played
from upcard.store.files import StoreError
from upcard.store.statistics import (
    CurvePoint,
    Mistakes,
    Statistics,
    add_up,
    count_played,
    find_mistakes,
    game_value,
    read_curve,
)
from upcard.web.pages.history import PRACTICE
from upcard.web.reading import read_query
from upcard.web.showing import patience_of, show, topic_of
from upcard.web.site import site_of
from upcard.web.stats_view import MapView, StatsView, view_map, view_nothing, view_statistics

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from upcard.rules.model import Rules
    from upcard.store.database import Store
    from upcard.strategy.chart import Strategy

_MOST_PACE: Final = 1_000_000
_NOTHING: Final = "No round for chips has been saved yet. Play some, and your results will be here."


async def show_stats(request: Request) -> Response:
    """Show the results of all rounds."""
    store = site_of(request).store
    if store is None:
        return show(request, "stats", view_nothing(PRACTICE), title="Results", say=PRACTICE)
    view = await _look_at(request, store)
    status = HTTPStatus.UNPROCESSABLE_ENTITY if view.problem else HTTPStatus.OK
    say = view.problem or view.why_none
    return show(request, "stats", view, title="Results", say=say, status=status)


async def _look_at(request: Request, store: Store) -> StatsView:
    fields = read_query(request)
    hourly, problem = _read_pace(fields.text("pace"))
    values: dict[Rules, float | None] = {}
    for rules, _ in await run_in_threadpool(count_played, store):
        found = await _find_value(request, rules)
        if found is None:
            return view_nothing(pace=f"{hourly:g}", problem=problem)
        values[rules] = found[0]
    if not values:
        return view_nothing(_NOTHING)
    statistics, curve = await run_in_threadpool(_add_up, store, values, hourly)
    chosen, maps, why = await run_in_threadpool(_choose_map, store, fields.text("house"))
    heat: MapView | None = None
    try:
        heat = await _find_map(request, store, chosen, hourly)
    except BlackjackError as error:
        if isinstance(error, StoreError):
            raise
        why = f"There is no map: {error}."
    return view_statistics(
        statistics,
        curve,
        rounds_per_hour=hourly,
        maps=maps,
        heat=heat,
        map_problem=why,
        problem=problem,
    )


async def _find_value(request: Request, rules: Rules) -> tuple[float | None] | None:
    """Return the value of a game in a tuple; None if it takes too long for a page."""

    def compute() -> tuple[float | None]:
        return (game_value(rules),)

    topic = topic_of(request, f"value {rules}")
    return await site_of(request).desk.ask(
        ("value", rules), compute, topic=topic, patience=patience_of(request)
    )


def _add_up(
    store: Store, values: dict[Rules, float | None], hourly: float
) -> tuple[Statistics, list[CurvePoint]]:
    with store.reading() as state:
        statistics = add_up(state, value_of=values.get, rounds_per_hour=hourly)
        return statistics, read_curve(state, values.get)


def _choose_map(store: Store, house: str) -> tuple[Rules, tuple[tuple[str, str], ...], str]:
    """Return the rules of the map, those that can be chosen, and what is wrong with the choice."""
    played = [rules for rules, _ in count_played(store)]
    maps = tuple((str(rules), name_played(str(rules))) for rules in played)
    chosen = next((rules for rules in played if str(rules) == house), None)
    why = ""
    if house and chosen is None:
        why = f"No round for chips was played by {house[:80]!r}: this is the map of another house."
    return chosen or played[0], maps, why


async def _find_map(request: Request, store: Store, rules: Rules, hourly: float) -> MapView | None:
    """Return the mistake map; None while its chart is computed."""

    def compute() -> Strategy:
        from upcard.cache.exact import basic_strategy

        return basic_strategy(rules)

    strategy = await site_of(request).desk.ask(
        ("strategy", rules),
        compute,
        topic=topic_of(request, "map"),
        patience=patience_of(request),
        may_be_saved=True,
    )
    if strategy is None:
        return None
    mistakes: Mistakes = await run_in_threadpool(find_mistakes, store, rules)
    return await run_in_threadpool(partial(view_map, rules, strategy, mistakes, hourly))


def _read_pace(text: str) -> tuple[float, str]:
    """Return the rounds per hour, and what is wrong with the text."""
    if not text:
        return ROUNDS_PER_HOUR, ""
    pace = exact_number(text)
    if pace is None or not 1 <= pace <= _MOST_PACE:
        words = f"{text[:40]!r} rounds per hour: write a number from 1 to {_MOST_PACE:,}"
        return ROUNDS_PER_HOUR, as_sentence(words)
    return float(pace), ""


ROUTES: Final = (Route("/stats", show_stats),)
