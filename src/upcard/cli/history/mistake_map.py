"""`upcard stats --chart`: the cells of the chart in which mistakes cost chips."""

from __future__ import annotations

from dataclasses import replace
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, Final

import click

from upcard.charts.facts import ChartFacts
from upcard.charts.plots.heat_map import Heat, lay_out_heat
from upcard.charts.plots.heat_map_html import draw_heat_html
from upcard.charts.plots.heat_map_svg import draw_heat_svg
from upcard.charts.plots.heat_map_text import draw_heat_text
from upcard.cli.options import choose_rules
from upcard.cli.output import (
    asked_for_ascii,
    echo_json,
    echo_text,
    fields_of,
    plain,
    wants_color,
    write_file,
)
from upcard.coach.question import HandClass
from upcard.core.errors import RulesError
from upcard.exact.solve import basic_strategy
from upcard.store.database import open_for_reading
from upcard.store.mistakes import count_played, find_mistakes
from upcard.store.sessions import write_rules
from upcard.store.statistics import why_no_rate
from upcard.strategy.chart import HAND_LABELS, HARD_LABELS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from upcard.charts.plots.heat_map import HeatMap
    from upcard.rules.model import Rules
    from upcard.store.database import Store
    from upcard.store.mistakes import Mistakes, MistakeSituation

_ENDINGS: Final = ("svg", "html", "txt")
_LEAST_TOTAL, _MOST_TOTAL = int(HARD_LABELS[0]), int(HARD_LABELS[-1])


def show_mistake_map(
    *, house: str | None, rules: str | None, hourly: float, output: str | None, as_json: bool
) -> None:
    """Draw the chart of mistakes, or write its figures as JSON.

    Raises: RulesError for rules that were never played, or another type of file;
    UnsupportedRuleError if they have no exact chart.
    """
    kind = _choose_kind(output, as_json=as_json)
    with open_for_reading() as store:
        chosen = _choose_rules(store, house, rules)
        if chosen is None:
            _say_empty(as_json=as_json)
            return
        found = find_mistakes(store, chosen)
    per_hour = hourly / found.coached_rounds if found.coached_rounds else 0.0
    if as_json:
        echo_json(_to_json(chosen, found, per_hour) | {"rounds_per_hour": hourly})
        return
    rate = None if why_no_rate(found.coached_rounds) else per_hour
    text = _draw(_lay_out(chosen, found), kind, per_hour=rate)
    if output is None:
        echo_text(text)
    else:
        write_file(output, plain(text) if kind == "txt" else text)


def _choose_kind(output: str | None, *, as_json: bool) -> str:
    ascii_only = asked_for_ascii()
    kind = "txt" if output is None else PurePath(output).suffix.lower().lstrip(".")
    if kind not in _ENDINGS:
        raise RulesError(f"-o {output!r}: the name ends with .{', .'.join(_ENDINGS)}")
    if as_json and (output is not None or ascii_only):
        msg = f"--json with {'-o' if output is not None else '--ascii'}: give one of them"
        raise click.UsageError(msg)
    if ascii_only and kind != "txt":
        raise click.UsageError(f"--ascii with -o {output!r}: it is for text")
    return kind


def _choose_rules(store: Store, house: str | None, rules: str | None) -> Rules | None:
    """Return the given rules, or those played most; None if no chips were played for."""
    wanted = None if house is None and rules is None else choose_rules(house, rules)
    played = count_played(store)
    if wanted is None or not played:
        return played[0][0] if played else None
    for one, _ in played:
        if write_rules(one) == write_rules(wanted):
            return wanted
    names = ", ".join(one.name or f"'{one}'" for one, _ in played)
    raise RulesError(f"no round for chips was played by '{wanted}': you have played {names}")


def _say_empty(*, as_json: bool) -> None:
    if as_json:
        echo_json({"rules": None, "rounds": 0, "cells": [], "others": []})
        return
    click.echo("No round for chips has been saved yet. Play some: upcard play")


# --- from situations to cells ---


def find_cell(situation: str) -> tuple[str, str] | None:
    """Return the cell of the chart for a situation of the coach; None if it has none.

    `hard 16 v T` and `surrender 16 v T` are the cell 16 v T.
    """
    name, _, letter = situation.rpartition(" v ")
    kinds = (HandClass.HARD, HandClass.SOFT, HandClass.PAIR, HandClass.SURRENDER)
    label = next((name.removeprefix(f"{kind} ") for kind in kinds if name.startswith(kind)), "")
    if label == "TT":
        return "1010", letter
    if label.isdecimal() and label not in HAND_LABELS:
        total = int(label)
        return (HARD_LABELS[0], letter) if total < _LEAST_TOTAL else None
    return (label, letter) if label in HAND_LABELS else None


def _name_other(situation: str) -> str:
    """Name a situation outside the chart; insurance is one for all hands."""
    name, _, letter = situation.rpartition(" v ")
    upcard = "10" if letter == "T" else letter
    for kind in (HandClass.INSURANCE, HandClass.EVEN_MONEY):
        if name.startswith(kind):
            return f"{kind} v {upcard}"
    return f"{name} v {upcard}"


def sort_places(
    situations: Iterable[MistakeSituation],
) -> tuple[dict[tuple[str, str], Heat], dict[str, Heat]]:
    """Add up situations by the chart's cells, and those outside the chart by name."""
    cells: dict[tuple[str, str], Heat] = {}
    others: dict[str, Heat] = {}
    for item in situations:
        heat = Heat(item.asked, item.mistakes, item.cost, item.deviation**2)
        cell = find_cell(item.name)
        if cell is not None:
            cells[cell] = cells.get(cell, Heat(0, 0, 0.0)) + heat
        else:
            name = _name_other(item.name)
            others[name] = others.get(name, Heat(0, 0, 0.0)) + heat
    return cells, others


# --- the picture ---


def _lay_out(rules: Rules, found: Mistakes) -> HeatMap:
    cells, others = sort_places(found.situations)
    name, notation = str(rules), str(rules.replace(name=""))
    title = f"{name}: where mistakes cost chips" + ("" if name == notation else f"\n{notation}")
    strategy = replace(basic_strategy(rules), title=title)
    facts = ChartFacts(strategy=strategy, rules=rules, notes=tuple(_notes(found)))
    return lay_out_heat(facts, cells, others=others)


def _notes(found: Mistakes) -> Iterable[str]:
    mistakes = f"{found.mistakes} mistake{'s' * (found.mistakes != 1)}"
    yield (
        f"{found.judged} of {found.decisions} decisions in {found.rounds} rounds were judged:"
        f" {mistakes}, {found.cost:.2f} chips lost."
    )
    if not found.judged:
        yield "Switch the coach on to have your decisions judged."
    elif found.mistakes:
        yield why_no_rate(found.coached_rounds) or (
            f"Rates are over {found.coached_rounds} rounds; SD is one standard deviation of a rate."
        )
    yield "The letters are the best chart by totals; the coach judges by the hand's cards."


def _draw(heat_map: HeatMap, kind: str, *, per_hour: float | None) -> str:
    if kind == "svg":
        return draw_heat_svg(heat_map)
    if kind == "html":
        return draw_heat_html(heat_map, per_hour=per_hour)
    return draw_heat_text(heat_map, per_hour=per_hour, color=wants_color())


def _to_json(rules: Rules, found: Mistakes, per_hour: float) -> dict[str, Any]:
    cells, others = sort_places(found.situations)

    def tell(heat: Heat) -> dict[str, Any]:
        return {
            **fields_of(heat, "asked", "mistakes", "cost"),
            "cost_deviation": heat.deviation,
            "per_hour": heat.cost * per_hour,
            "per_hour_deviation": heat.deviation * per_hour,
        }

    return {
        "house": rules.name or None,
        "rules": write_rules(rules),
        **fields_of(found, "rounds", "coached_rounds", "decisions", "judged", "mistakes", "cost"),
        "cells": [
            {"hand": label, "upcard": letter} | tell(heat)
            for (label, letter), heat in sorted(cells.items(), key=lambda item: -item[1].cost)
        ],
        "others": [
            {"situation": name} | tell(heat)
            for name, heat in sorted(others.items(), key=lambda item: -item[1].cost)
        ],
    }
