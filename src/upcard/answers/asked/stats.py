"""Your results as a question: play, errors and luck of all rounds, or a map of your mistakes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import Annotated, Final

from upcard.answers import played
from upcard.answers.questions import QUESTIONS, Asking, Sheet
from upcard.charts.heat_map import HeatMap, draw_heat_html, draw_heat_svg, draw_heat_text
from upcard.core import figure
from upcard.core.errors import RulesError
from upcard.core.fields import Field, FieldClashError, choice, refuse_given
from upcard.core.number_texts import read_float
from upcard.rules.model import Rules
from upcard.store import money, sessions, statistics
from upcard.store.database import Store, open_for_reading

_LONG: Final = 50_000
"""Rounds that take long enough to show the progress."""
_LONGEST_HOUSE: Final = 26
_PLAY: Final = "Play some: upcard play"
_NO_ROUND: Final = f"No round for chips has been saved yet. {_PLAY}"
_KNOWN: Final = ("What you know", "upcard mastery: the chart as a map, by day, and your goal")
_TEXT: Final = "text"
_PACE: Final = Field(
    partial(read_float, what="the rounds per hour", least=1, most=10**6, example="80"),
    "Rounds played per hour, for the leaks (default: that of upcard money, or 100).",
    "N",
)
_CHART: Final = Field(bool, "Draw the chart with your mistakes on it instead.")
_FORMAT: Final = choice(
    (_TEXT, "svg", "html"),
    "With --chart: the format (default: by the ending of -o, or text).",
    is_format=True,
    is_for_pages=False,
)


def choose_pace(given: float | None) -> float:
    """Return the rounds of an hour: those given, or those of the saved pace."""
    return given or float(money.load_pace().hands_per_hour)


def answer(  # noqa: PLR0913 (one parameter a field)
    rules: Rules,
    *,
    is_given: bool = True,
    rounds_per_hour: Annotated[float | None, _PACE] = None,
    chart: Annotated[bool, _CHART] = False,
    format: Annotated[str, _FORMAT] = _TEXT,  # noqa: A002 (the option's name)
    asking: Asking,
) -> Sheet[played.StatsAnswer | played.MistakesAnswer]:
    """Return the results of all the rounds that you have played.

    All the rounds that you have played count. The net is the value of best play, less the cost of
    errors, plus luck. The value of a house is computed exactly once, which can take a few seconds;
    errors are those that the coach judged.

    --chart shows where the mistakes were: the optimal chart of the house that you played most, or
    of --house or --rules, with each cell shaded by the chips lost there.
    """
    hourly = choose_pace(rounds_per_hour)
    if chart:
        return _map_mistakes(rules if is_given else None, format, hourly, asking)
    if asking.is_saved:
        raise FieldClashError("-o without {chart}: it is for the chart of mistakes")
    text = "{} without {chart}: it is for the chart of mistakes"
    refuse_given(text, game=is_given, format=format != _TEXT)
    return _split_net(hourly, asking)


def _split_net(hourly: float, asking: Asking) -> Sheet[played.StatsAnswer]:
    value, watch = statistics.game_value, partial(_report, asking)
    with open_for_reading() as store:
        found = statistics.add_up(store, value_of=value, rounds_per_hour=hourly, watch=watch)
    split = played.answer_statistics(found, hourly)
    sheet = Sheet(title=QUESTIONS["stats"].title, result=split, data=split.tables(), shows_all=True)
    if split.why_none:
        hint = "upcard history lists them." if split.rounds_without_bets else _PLAY
        return replace(sheet, findings=(f"{split.why_none} {hint}",))
    sums = dict(split.summary)
    results = f"{sums['Won']} won, {sums['Lost']} lost, {sums['Even']} even"
    no_rate = split.why_no_rate if split.costly else ""
    return replace(
        sheet,
        facts=(
            ("Rounds", f"{sums['Rounds']}: {results}"),
            ("Bets", f"{sums['Bet']} chips before doubles and splits"),
        ),
        tables=tuple(_list_tables(split)),
        notes=((("An hour", no_rate),) if no_rate else ()) + (*split.notes, _KNOWN),
    )


def _report(asking: Asking, done: int, total: int) -> None:
    if total >= _LONG:
        asking.watch(f"{done:,} of {total:,} rounds added up", done / total)


def _list_tables(split: played.StatsAnswer) -> Iterator[figure.AnswerTable]:
    """Yield the tables for people: parts, houses where there are several, side bets, leaks."""
    chips = figure.signed("chips", unit="chips", least_digits=2)
    columns = (figure.text("part"), chips, figure.text("note", ""))
    exact = {"net": split.total.net}
    parts = ((one.title, exact.get(one.name, one.value), one.note) for one in split.parts)
    yield figure.make_table("Where the net comes from", columns, parts)
    houses, leaks, *side_bets = split.tables()
    if len(split.houses) > 1:
        rows = ((figure.shorten(str(name), _LONGEST_HOUSE), *rest) for name, *rest in houses.rows)
        yield replace(houses, rows=tuple(rows))
    yield from side_bets
    hour = "" if split.why_no_rate else f", and in an hour of {split.rounds_per_hour:g} rounds"
    yield replace(leaks, title=leaks.title + hour)


def _map_mistakes(
    given: Rules | None, kind: str, hourly: float, asking: Asking
) -> Sheet[played.MistakesAnswer]:
    title = QUESTIONS["stats"].title
    with open_for_reading() as store:
        chosen = _choose_rules(store, given)
        if chosen is None:
            data, none = (played.tabulate_places(()),), played.MistakesAnswer()
            return Sheet(title=title, findings=(_NO_ROUND,), result=none, data=data)
        found = statistics.find_mistakes(store, chosen, watch=partial(_report, asking))
    split = played.answer_mistakes(chosen, found, hourly)
    rate = None if statistics.why_no_rate(found.coached_rounds) else hourly / found.coached_rounds
    heat = played.lay_out_mistakes(chosen, played.find_strategy(chosen), found)
    draw: dict[str, Callable[[HeatMap], str]] = {
        "text": partial(draw_heat_text, per_hour=rate, color=asking.has_color),
        "svg": draw_heat_svg,
        "html": partial(draw_heat_html, per_hour=rate),
    }
    return Sheet(
        title=title,
        rules=str(chosen),
        tables=(played.tabulate_places((*split.cells, *split.others)),),
        sentences=tuple(heat.layout.captions),
        result=split,
        shows_all=True,
        text=lambda: draw[kind](heat),
        card=lambda: draw["html"](heat),
    )


def _choose_rules(store: Store, wanted: Rules | None) -> Rules | None:
    """Return the given rules, or those played most; None if no chips were played for."""
    games = statistics.count_played(store)
    if wanted is None or not games:
        return games[0][0] if games else None
    for one, _ in games:
        if sessions.write_rules(one) == sessions.write_rules(wanted):
            return wanted
    names = ", ".join(one.name or f"'{one}'" for one, _ in games)
    raise RulesError(f"no round for chips was played by '{wanted}': you have played {names}")
