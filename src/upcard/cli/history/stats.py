"""`upcard stats`: results split into best play, errors and luck, and the leaks."""

from __future__ import annotations

from functools import cache, partial

import click

from upcard.analysis.plan import ROUNDS_PER_HOUR
from upcard.cli.history.mistake_map import show_mistake_map
from upcard.cli.options import check_pace, file_option, json_option, rules_options
from upcard.cli.output import (
    ascii_option,
    asked_for_ascii,
    echo_columns,
    echo_json,
    echo_topic,
    shorten,
)
from upcard.core.chip_format import format_chips, signed
from upcard.session.results_words import list_notes, name_played, split_results, write_statistics
from upcard.store.database import open_for_reading
from upcard.store.statistics import Results, Statistics, add_up, why_no_rate
from upcard.store.values import game_value

_LONGEST_HOUSE = 30


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
    help="Rounds played per hour, for the leaks (default: 100).",
)
@click.option("--chart", is_flag=True, help="Draw the chart with your mistakes on it instead.")
@rules_options
@file_option("-o", "--output", help="With --chart: write it to FILE.svg, .html or .txt.")
@partial(ascii_option, words="With --chart: 7-bit characters only.")
@json_option
def command(  # noqa: PLR0913 (one parameter an option)
    *,
    rounds_per_hour: float | None,
    chart: bool,
    house: str | None,
    rules: str | None,
    output: str | None,
    as_json: bool,
) -> None:
    """Split your results, over all the rounds that you have played, into play, errors and luck.

    The net is the value of best play, less the cost of errors, plus luck. The value of a house is
    computed exactly once, which can take a few seconds; errors are those that the coach judged.

    --chart shows where the mistakes were: the optimal chart of the house that you played most, or
    of --house or --rules, with each cell shaded by the chips lost there.
    """
    hourly = ROUNDS_PER_HOUR if rounds_per_hour is None else rounds_per_hour
    of_chart = {
        "--house": house,
        "--rules": rules,
        "-o": output,
        "--ascii": asked_for_ascii() or None,
    }
    if chart:
        show_mistake_map(house=house, rules=rules, hourly=hourly, output=output, as_json=as_json)
        return
    given = [name for name, value in of_chart.items() if value is not None]
    if given:
        raise click.UsageError(f"{given[0]} without --chart: it is for the chart of mistakes")
    with open_for_reading() as store:
        value_of = cache(lambda rules: game_value(store, rules))
        found = add_up(store, value_of=value_of, rounds_per_hour=hourly)
    if as_json:
        echo_json(write_statistics(found, hourly))
        return
    _show(found, hourly)


def _show(found: Statistics, hourly: float) -> None:
    if not found.total.rounds:
        if found.without_bets:
            click.echo(f"{found.without_bets} rounds, all in houses without bets: no chips to")
            click.echo("split up. upcard history lists them.")
        else:
            click.echo("No round has been saved yet. Play some: upcard play")
        return
    _show_results(found.total)
    if len(found.by_house) > 1:
        _show_houses(found.by_house)
    _show_leaks(found, hourly)
    _show_notes(found)


def _show_results(total: Results) -> None:
    tied = total.rounds - total.won - total.lost
    echo_topic("Rounds", f"{total.rounds}: {total.won} won, {total.lost} lost, {tied} even")
    echo_topic("Bets", f"{format_chips(total.initial_bets)} chips before doubles and splits")
    click.echo()
    echo_columns(split_results(total), left=(0, 2))


def _show_houses(houses: dict[str, Results]) -> None:
    click.echo()
    rows = [("house", "rounds", "best play", "errors", "luck", "SD", "net")]
    for house, results in sorted(houses.items(), key=lambda item: -item[1].rounds):
        name = name_played(house)
        rows.append(
            (
                shorten(name, _LONGEST_HOUSE),
                str(results.rounds),
                _amount(results.best_play),
                _amount(-results.error_cost),
                _amount(results.luck),
                "-" if results.luck_deviation is None else f"{results.luck_deviation:.1f}",
                signed(results.net),
            )
        )
    echo_columns(rows)


def _amount(amount: float | None) -> str:
    return "-" if amount is None else f"{amount + 0.0:+.1f}"


def _show_leaks(found: Statistics, hourly: float) -> None:
    costly = [leak for leak in found.leaks if leak.mistakes]
    if not costly:
        return
    reason = why_no_rate(found.coached_rounds)
    click.echo(f"\nLeaks, in chips{'' if reason else f', and in an hour of {hourly:g} rounds'}")
    heads = ("decisions", "asked", "mistakes", "cost", "±")
    rows: list[tuple[str, ...]] = [heads if reason else (*heads, "an hour", "±")]
    for leak in costly:
        cells = (leak.category, str(leak.decisions), str(leak.mistakes))
        amounts = [leak.cost, leak.cost_deviation]
        if not reason:
            amounts += [leak.per_hour, leak.per_hour_deviation]
        rows.append((*cells, *(f"{amount:.2f}" for amount in amounts)))
    echo_columns(rows)
    if reason:
        click.echo(reason)


def _show_notes(found: Statistics) -> None:
    click.echo()
    for topic, text in list_notes(found):
        echo_topic(topic, text)
