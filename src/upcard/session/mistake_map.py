"""The mistake map: judged decisions on the cells of the chart, as a layout and as JSON."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, Final

from upcard.analysis.grades import count_grades, grades_of
from upcard.charts.facts import UPCARD_LETTERS, ChartFacts
from upcard.charts.heat_map import Heat, HeatMap, lay_out_heat
from upcard.charts.layout import write_hand
from upcard.coach.question import HandClass
from upcard.core.errors import NotationError
from upcard.rules.model import Rules
from upcard.store.sessions import write_rules
from upcard.store.statistics import Mistakes, MistakeSituation, why_no_rate
from upcard.strategy.chart import HAND_LABELS, HARD_LABELS, Strategy

_LEAST_TOTAL: Final = int(HARD_LABELS[0])


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


def situations_of(cell: str, situations: Iterable[str]) -> tuple[str, ...]:
    """Return those situations that belong to a cell of the chart, written `16 v T`."""
    label, _, letter = cell.partition(" v ")
    if label not in HAND_LABELS or letter not in UPCARD_LETTERS:
        msg = f"no cell {cell[:40]!r} of the chart: write one such as '16 v T' or 'A7 v 9'"
        raise NotationError(msg)
    return tuple(one for one in situations if find_cell(one) == (label, letter))


def name_cell(cell: str) -> str:
    """Write a cell of the chart as players do: `hard 16 v 10`, `A7 v 9`; empty if there is none."""
    label, _, letter = cell.partition(" v ")
    kind = "hard " if label in HARD_LABELS else ""
    upcard = "10" if letter == "T" else letter
    return f"{kind}{write_hand(label)} v {upcard}" if letter else ""


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
        heat = Heat(item.asked, [*item.wrong], item.cost, item.deviation**2)
        cell = find_cell(item.name)
        if cell is not None:
            cells[cell] = cells.get(cell, Heat(0, [], 0.0)) + heat
        else:
            name = _name_other(item.name)
            others[name] = others.get(name, Heat(0, [], 0.0)) + heat
    return cells, others


def lay_out_mistakes(rules: Rules, strategy: Strategy, found: Mistakes) -> HeatMap:
    """Arrange the mistakes on the best chart of the rules."""
    cells, others = sort_places(found.situations)
    name, notation = str(rules), str(rules.replace(name=""))
    title = f"{name}: where mistakes cost chips" + ("" if name == notation else f"\n{notation}")
    facts = ChartFacts(
        strategy=replace(strategy, title=title), rules=rules, notes=tuple(note_mistakes(found))
    )
    return lay_out_heat(facts, cells, others=others)


def note_mistakes(found: Mistakes) -> Iterable[str]:
    """Iterate over what the map rests on, in sentences."""
    wrong = count_grades(found.wrong) or "no mistake"
    yield (
        f"{found.judged} of {found.decisions} decisions in {found.rounds} rounds were judged:"
        f" {wrong}, {found.cost:.2f} chips lost."
    )
    if not found.judged:
        yield "Switch the coach on to have your decisions judged."
    elif found.wrong:
        yield why_no_rate(found.coached_rounds) or (
            f"Rates are over {found.coached_rounds} rounds; SD is one standard deviation of a rate."
        )
    yield "The letters are the best chart by totals; the coach judges by the hand's cards."


def write_mistakes(rules: Rules, found: Mistakes, per_hour: float) -> dict[str, Any]:
    """Return the figures of the map as JSON; `per_hour` converts a chip lost to chips an hour."""
    cells, others = sort_places(found.situations)

    def tell(heat: Heat) -> dict[str, Any]:
        return {
            "asked": heat.asked,
            "mistakes": len(heat.wrong),
            "grades": grades_of(heat.wrong),
            "cost": heat.cost,
            "cost_deviation": heat.deviation,
            "per_hour": heat.cost * per_hour,
            "per_hour_deviation": heat.deviation * per_hour,
        }

    return {
        "house": rules.name or None,
        "rules": write_rules(rules),
        "rounds": found.rounds,
        "coached_rounds": found.coached_rounds,
        "decisions": found.decisions,
        "judged": found.judged,
        "mistakes": len(found.wrong),
        "grades": grades_of(found.wrong),
        "cost": found.cost,
        "cells": [
            {"hand": label, "upcard": letter} | tell(heat)
            for (label, letter), heat in sorted(cells.items(), key=lambda item: -item[1].cost)
        ],
        "others": [
            {"situation": name} | tell(heat)
            for name, heat in sorted(others.items(), key=lambda item: -item[1].cost)
        ],
    }
