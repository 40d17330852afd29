"""`upcard stats --chart`: the cells of the chart in which mistakes cost chips."""

from __future__ import annotations

from pathlib import PurePath
from typing import Final

import click

from upcard.charts.plots.heat_map import HeatMap
from upcard.charts.plots.heat_map_html import draw_heat_html
from upcard.charts.plots.heat_map_svg import draw_heat_svg
from upcard.charts.plots.heat_map_text import draw_heat_text
from upcard.cli.options import choose_rules
from upcard.cli.output import asked_for_ascii, echo_json, echo_text, plain, wants_color, write_file
from upcard.core.errors import RulesError
from upcard.exact.solve import basic_strategy
from upcard.rules.model import Rules
from upcard.session.mistake_map import lay_out_mistakes, write_mistakes
from upcard.store.database import Store, open_for_reading
from upcard.store.mistakes import count_played, find_mistakes
from upcard.store.sessions import write_rules
from upcard.store.statistics import why_no_rate
from upcard.strategy.chart import HARD_LABELS

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
        echo_json(write_mistakes(chosen, found, per_hour) | {"rounds_per_hour": hourly})
        return
    rate = None if why_no_rate(found.coached_rounds) else per_hour
    text = _draw(lay_out_mistakes(chosen, basic_strategy(chosen), found), kind, per_hour=rate)
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


def _draw(heat_map: HeatMap, kind: str, *, per_hour: float | None) -> str:
    if kind == "svg":
        return draw_heat_svg(heat_map)
    if kind == "html":
        return draw_heat_html(heat_map, per_hour=per_hour)
    return draw_heat_text(heat_map, per_hour=per_hour, color=wants_color())
