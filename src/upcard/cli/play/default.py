"""`upcard` without a command: the game on a terminal, otherwise a page on the default game."""

from __future__ import annotations

import sys

import click

from upcard._version import __version__
from upcard.cache.exact import basic_strategy, expected_value
from upcard.charts.render import render_chart
from upcard.cli.line.options import PlayOptions
from upcard.cli.output import echo_text, echo_topic, wants_color, write_percent
from upcard.cli.rules.rules import write_description
from upcard.cli.streams import can_show_screen
from upcard.rules.model import Rules

_HINT = "For another house: upcard houses, then upcard play --house NAME."


def start() -> None:
    """Open the full screen on a terminal, the line game on a dumb one, or print a page."""
    if can_show_screen():
        from upcard.tui.app import run_table
        from upcard.tui.screen_options import ScreenOptions

        run_table(ScreenOptions())
    elif sys.stdin.isatty() and sys.stdout.isatty():
        from upcard.cli.line.launch import play

        play(PlayOptions(hint=_HINT))
    else:
        _print_page()


def _print_page() -> None:
    rules = Rules()
    ev, chart = expected_value(rules), basic_strategy(rules)
    of_chart = expected_value(rules, strategy=chart)
    click.echo(f"upcard {__version__}: the open blackjack workbench.\n")
    click.echo(f"The default game: {rules}\n")
    write_description(rules)
    click.echo()
    echo_topic("Worth", f"{write_percent(ev)} of every bet by the best play, exactly")
    echo_topic("House edge", write_percent(-ev, sign=""))
    click.echo()
    echo_text(render_chart(chart, format="text", rules=rules, ev=of_chart, color=wants_color()))
    click.echo(
        "\nWhere to go next:\n"
        "  upcard play                    play this game\n"
        "  upcard play --house european   play another house (upcard houses lists them)\n"
        "  upcard solve T6 v 9            what every answer to a hand is worth\n"
        "  upcard edge --compare H17 6:5  what the game is worth, and what rules change\n"
        "  upcard chart -o chart.svg      the chart as a picture, for any rules\n"
        '  upcard rules "6D H17 LS"       rules in plain words\n'
        "  upcard --help                  all commands"
    )
