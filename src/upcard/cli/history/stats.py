"""`upcard stats`: results split into best play, errors and luck, and the leaks."""

import sys
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import PurePath
from typing import Final

import click

from upcard.answers import played
from upcard.cache.exact import basic_strategy
from upcard.charts.heat_map import HeatMap, draw_heat_html, draw_heat_svg, draw_heat_text
from upcard.cli import options, output
from upcard.core import errors, figure
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
@options.value(
    "--rounds-per-hour",
    "N",
    "Rounds played per hour, for the leaks (default: that of `upcard money`, or 100).",
    callback=options.check_pace,
)
@options.flag("--chart", "Draw the chart with your mistakes on it instead.")
@options.rules_options
@options.file_option(
    "-o", "--output", "path", help="With --chart: write it to FILE.svg, .html or .txt."
)
@partial(output.ascii_option, words="With --chart: 7-bit characters only.")
@options.table_options
def stats_command(  # noqa: PLR0913 (one parameter an option)
    *,
    rounds_per_hour: float | None,
    chart: bool,
    house: str | None,
    rules: str | None,
    path: str | None,
    form: output.Form,
) -> None:
    """Split your results, over all the rounds that you have played, into play, errors and luck.

    The net is the value of best play, less the cost of errors, plus luck. The value of a house is
    computed exactly once, which can take a few seconds; errors are those that the coach judged.

    --chart shows where the mistakes were: the optimal chart of the house that you played most, or
    of --house or --rules, with each cell shaded by the chips lost there.
    """
    hourly = rounds_per_hour or float(money.load_pace().hands_per_hour)
    if chart:
        if form.csv is not None:
            raise click.UsageError("--csv with --chart: it writes houses and leaks")
        show_mistake_map(house=house, rules=rules, hourly=hourly, path=path, as_json=form.as_json)
        return
    of_chart = {"--house": house, "--rules": rules, "-o": path}
    given = [name for name, value in of_chart.items() if value is not None]
    given += ["--ascii"] * output.asked_for_ascii()
    if given:
        raise click.UsageError(f"{given[0]} without --chart: it is for the chart of mistakes")
    with database.open_for_reading() as store:
        found = statistics.add_up(
            store, value_of=statistics.game_value, rounds_per_hour=hourly, watch=_show_progress
        )
    answer = played.answer_statistics(found, hourly)
    tables = answer.tables()
    form.write(lambda: _show(answer, tables), lambda: answer, lambda: tables)


def _show_progress(done: int, total: int) -> None:
    if total >= _LONG and sys.stderr.isatty():
        click.echo(f"\r{done:,} of {total:,} rounds added up", err=True, nl=done == total)


def _show(found: played.StatsAnswer, tables: Sequence[figure.AnswerTable]) -> None:
    if found.why_none:
        hint = "upcard history lists them." if found.rounds_without_bets else _PLAY
        output.echo_topic("", f"{found.why_none} {hint}", width=0)
        return
    sums = dict(found.summary)
    won, lost, even = sums["Won"], sums["Lost"], sums["Even"]
    output.echo_topic("Rounds", f"{sums['Rounds']}: {won} won, {lost} lost, {even} even")
    output.echo_topic("Bets", f"{sums['Bet']} chips before doubles and splits")
    click.echo()
    output.echo_columns([(part.title, part.text, part.note) for part in found.parts], left=(0, 2))
    houses, leaks, *side_bets = tables
    if len(found.houses) > 1:
        click.echo()
        names = (output.shorten(str(name), _LONGEST_HOUSE) for name, *_ in houses.rows)
        rows = ((name, *rest) for name, (_, *rest) in zip(names, houses.rows, strict=True))
        output.echo_table(replace(houses, rows=tuple(rows)))
    for table in side_bets:
        click.echo(f"\n{table.title}")
        output.echo_table(table)
    if leaks.rows:
        reason, hour = found.why_no_rate, f", and in an hour of {found.rounds_per_hour:g} rounds"
        click.echo(f"\n{leaks.title}{'' if reason else hour}")
        output.echo_table(leaks)
        if reason:
            click.echo(reason)
    click.echo()
    output.echo_topics(found.notes)
    output.echo_topic("What you know", "upcard mastery: the chart as a map, by day, and your goal")


def show_mistake_map(
    *, house: str | None, rules: str | None, hourly: float, path: str | None, as_json: bool
) -> None:
    """Draw the chart of mistakes, or write its figures as JSON."""
    kind = _choose_kind(path, as_json=as_json)
    with database.open_for_reading() as store:
        chosen = _choose_rules(store, house, rules)
        if chosen is None:
            if as_json:
                output.echo_json({"rules": None, "rounds": 0, "cells": [], "others": []})
            else:
                click.echo(f"No round for chips has been saved yet. {_PLAY}")
            return
        found = statistics.find_mistakes(store, chosen, watch=_show_progress)
    if as_json:
        output.echo_json(played.answer_mistakes(chosen, found, hourly))
        return
    rate = None if statistics.why_no_rate(found.coached_rounds) else hourly / found.coached_rounds
    heat = played.lay_out_mistakes(chosen, basic_strategy(chosen), found)
    text = _draw(heat, kind, per_hour=rate)
    if path is None:
        output.echo_text(text)
    else:
        output.write_file(path, output.plain(text) if kind == "txt" else text)


def _choose_kind(path: str | None, *, as_json: bool) -> str:
    ascii_only = output.asked_for_ascii()
    kind = "txt" if path is None else PurePath(path).suffix.lower().lstrip(".")
    if kind not in _ENDINGS:
        raise errors.RulesError(f"-o {path!r}: the name ends with .{', .'.join(_ENDINGS)}")
    if as_json and (path is not None or ascii_only):
        msg = f"--json with {'-o' if path is not None else '--ascii'}: give one of them"
        raise click.UsageError(msg)
    if ascii_only and kind != "txt":
        raise click.UsageError(f"--ascii with -o {path!r}: it is for text")
    return kind


def _choose_rules(store: database.Store, house: str | None, rules: str | None) -> Rules | None:
    """Return the given rules, or those played most; None if no chips were played for."""
    wanted = None if house is None and rules is None else options.choose_rules(house, rules)
    games = statistics.count_played(store)
    if wanted is None or not games:
        return games[0][0] if games else None
    for one, _ in games:
        if sessions.write_rules(one) == sessions.write_rules(wanted):
            return wanted
    names = ", ".join(one.name or f"'{one}'" for one, _ in games)
    raise errors.RulesError(f"no round for chips was played by '{wanted}': you have played {names}")


def _draw(heat_map: HeatMap, kind: str, *, per_hour: float | None) -> str:
    if kind == "svg":
        return draw_heat_svg(heat_map)
    if kind == "html":
        return draw_heat_html(heat_map, per_hour=per_hour)
    return draw_heat_text(heat_map, per_hour=per_hour, color=output.wants_color())
