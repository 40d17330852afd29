"""`upcard stats`: results split into best play, errors and luck, and the leaks."""

import sys
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import PurePath
from typing import Final

import click

from upcard.analysis.ramp_plan import ROUNDS_PER_HOUR
from upcard.answers import played
from upcard.answers.result_tables import tabulate_statistics
from upcard.cache.exact import basic_strategy
from upcard.charts.heat_map import HeatMap, draw_heat_html, draw_heat_svg, draw_heat_text
from upcard.cli.options import check_pace, choose_rules, file_option, rules_options, table_options
from upcard.cli.output import (
    ascii_option,
    asked_for_ascii,
    echo_columns,
    echo_json,
    echo_result,
    echo_table,
    echo_text,
    echo_topic,
    plain,
    shorten,
    wants_color,
    write_file,
)
from upcard.core.errors import RulesError
from upcard.core.figure import AnswerTable
from upcard.rules.model import Rules
from upcard.store import database, money, sessions, statistics

_LONGEST_HOUSE = 30
_LONG: Final = 50_000
"""Rounds that take long enough to show the progress."""
_PLAY: Final = "Play some: upcard play"
_ENDINGS: Final = ("svg", "html", "txt")


@click.command(
    "stats",
    epilog="\b\nExamples:\n  upcard stats\n  upcard stats --rounds-per-hour 60\n"
    "  upcard stats --chart\n  upcard stats --chart --house vegas-strip -o mistakes.svg",
)
@click.option(
    "--rounds-per-hour",
    type=float,
    callback=check_pace,
    metavar="N",
    help="Rounds played per hour, for the leaks (default: that of `upcard money`, or 100).",
)
@click.option("--chart", is_flag=True, help="Draw the chart with your mistakes on it instead.")
@rules_options
@file_option("-o", "--output", help="With --chart: write it to FILE.svg, .html or .txt.")
@partial(ascii_option, words="With --chart: 7-bit characters only.")
@table_options
def stats_command(  # noqa: PLR0913 (one parameter an option)
    *,
    rounds_per_hour: float | None,
    chart: bool,
    house: str | None,
    rules: str | None,
    output: str | None,
    csv: str | None,
    as_json: bool,
) -> None:
    """Split your results, over all the rounds that you have played, into play, errors and luck.

    The net is the value of best play, less the cost of errors, plus luck. The value of a house is
    computed exactly once, which can take a few seconds; errors are those that the coach judged.

    --chart shows where the mistakes were: the optimal chart of the house that you played most, or
    of --house or --rules, with each cell shaded by the chips lost there.
    """
    chosen = None if rounds_per_hour is not None else money.find_pace()
    hourly = rounds_per_hour or (float(chosen.hands_per_hour) if chosen else ROUNDS_PER_HOUR)
    if chart:
        if csv is not None:
            raise click.UsageError("--csv with --chart: it writes houses and leaks")
        show_mistake_map(house=house, rules=rules, hourly=hourly, output=output, as_json=as_json)
        return
    of_chart = {"--house": house, "--rules": rules, "-o": output}
    given = [name for name, value in of_chart.items() if value is not None]
    given += ["--ascii"] * asked_for_ascii()
    if given:
        raise click.UsageError(f"{given[0]} without --chart: it is for the chart of mistakes")
    with database.open_for_reading() as store:
        found = statistics.add_up(
            store, value_of=statistics.game_value, rounds_per_hour=hourly, watch=_show_progress
        )
    answer = played.answer_statistics(found, hourly)
    tables = tabulate_statistics(answer)
    echo_result(
        lambda: _show(answer, tables),
        lambda: answer,
        lambda: tables,
        csv=csv,
        as_json=as_json,
    )


def _show_progress(done: int, total: int) -> None:
    """Show the progress of a long history on a terminal."""
    if total >= _LONG and sys.stderr.isatty():
        click.echo(f"\r{done:,} of {total:,} rounds added up", err=True, nl=done == total)


def _show(found: played.StatsAnswer, tables: Sequence[AnswerTable]) -> None:
    if found.why_none:
        hint = "upcard history lists them." if found.rounds_without_bets else _PLAY
        echo_topic("", f"{found.why_none} {hint}", width=0)
        return
    sums = dict(found.summary)
    won, lost, even = sums["Won"], sums["Lost"], sums["Even"]
    echo_topic("Rounds", f"{sums['Rounds']}: {won} won, {lost} lost, {even} even")
    echo_topic("Bets", f"{sums['Bet']} chips before doubles and splits")
    click.echo()
    echo_columns([(part.title, part.text, part.note) for part in found.parts], left=(0, 2))
    houses, leaks = tables
    if len(found.houses) > 1:
        click.echo()
        names = (shorten(str(name), _LONGEST_HOUSE) for name, *_ in houses.rows)
        rows = ((name, *rest) for name, (_, *rest) in zip(names, houses.rows, strict=True))
        echo_table(replace(houses, rows=tuple(rows)))
    if leaks.rows:
        reason, hour = found.why_no_rate, f", and in an hour of {found.rounds_per_hour:g} rounds"
        click.echo(f"\n{leaks.title}{'' if reason else hour}")
        echo_table(leaks)
        if reason:
            click.echo(reason)
    click.echo()
    for topic, text in found.notes:
        echo_topic(topic, text)
    echo_topic("What you know", "upcard mastery: the chart as a map, by day, and your goal")


def show_mistake_map(
    *, house: str | None, rules: str | None, hourly: float, output: str | None, as_json: bool
) -> None:
    """Draw the chart of mistakes, or write its figures as JSON."""
    kind = _choose_kind(output, as_json=as_json)
    with database.open_for_reading() as store:
        chosen = _choose_rules(store, house, rules)
        if chosen is None:
            _say_empty(as_json=as_json)
            return
        found = statistics.find_mistakes(store, chosen, watch=_show_progress)
    if as_json:
        echo_json(played.answer_mistakes(chosen, found, hourly))
        return
    rate = None if statistics.why_no_rate(found.coached_rounds) else hourly / found.coached_rounds
    heat = played.lay_out_mistakes(chosen, basic_strategy(chosen), found)
    text = _draw(heat, kind, per_hour=rate)
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


def _choose_rules(store: database.Store, house: str | None, rules: str | None) -> Rules | None:
    """Return the given rules, or those played most; None if no chips were played for."""
    wanted = None if house is None and rules is None else choose_rules(house, rules)
    games = statistics.count_played(store)
    if wanted is None or not games:
        return games[0][0] if games else None
    for one, _ in games:
        if sessions.write_rules(one) == sessions.write_rules(wanted):
            return wanted
    names = ", ".join(one.name or f"'{one}'" for one, _ in games)
    raise RulesError(f"no round for chips was played by '{wanted}': you have played {names}")


def _say_empty(*, as_json: bool) -> None:
    if as_json:
        echo_json({"rules": None, "rounds": 0, "cells": [], "others": []})
        return
    click.echo(f"No round for chips has been saved yet. {_PLAY}")


def _draw(heat_map: HeatMap, kind: str, *, per_hour: float | None) -> str:
    if kind == "svg":
        return draw_heat_svg(heat_map)
    if kind == "html":
        return draw_heat_html(heat_map, per_hour=per_hour)
    return draw_heat_text(heat_map, per_hour=per_hour, color=wants_color())
