"""`upcard train`: drills of strategy, deviations and counting, on the screen or line by line."""

from __future__ import annotations

import sys
from math import isfinite
from typing import Any

import click

from upcard.cli.options import (
    any_seed_option,
    choose_rules,
    indices_option,
    positive_option,
    ramp_option,
    rules_options,
)
from upcard.cli.output import ascii_option, asked_for_ascii
from upcard.cli.streams import can_show_screen
from upcard.cli.train.line import train
from upcard.documents.console import Console
from upcard.drills.catalogue import CATALOGUE, DrillMemory, DrillOptions, read_name
from upcard.drills.drill import DrillError
from upcard.drills.drill_run import DrillSetup
from upcard.store.database import Store, open_store


class TrainCommand(click.Command):
    """A command whose help page lists the drills."""

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list, then the examples."""
        with formatter.section("Drills"):
            listed = [(name.replace(" ", "-"), one.about) for name, one in CATALOGUE.items()]
            formatter.write_dl(listed)
        super().format_epilog(ctx, formatter)


@click.command(
    "train",
    cls=TrainCommand,
    epilog="\b\nExamples:\n"
    "  upcard train\n"
    "  upcard train strategy --house european --class soft,pair\n"
    "  upcard train countdown --system ko --group 2\n"
    "  upcard train strategy --mistakes\n"
    '  upcard train deviations --rules "6D LS" --indices i18+fab4 --questions 50\n'
    "  upcard train bet --ramp 1-12 --minutes 5\n"
    '  echo "h s d" | tr " " "\\n" | upcard train strategy --seed 1 --json',
)
@click.argument("drill", required=False)
@rules_options
@click.option(
    "--class", "classes", metavar="NAMES", help="Hands: hard,soft,pair,surrender (default: all)."
)
@click.option(
    "--system", metavar="NAME|FILE", help="Counting system, see upcard counts (default: hi-lo)."
)
@indices_option
@ramp_option
@click.option(
    "--group", type=click.IntRange(1, 3), metavar="N", help="Cards of a countdown at a time."
)
@click.option(
    "--mistakes",
    is_flag=True,
    help="Only questions that you answered wrong, at the table or in the drill.",
)
@positive_option("--questions", help="Stop after N questions.")
@click.option(
    "--minutes", type=click.FloatRange(0, min_open=True), metavar="M", help="Stop after M minutes."
)
@any_seed_option("--seed", help="Choose the questions with this seed.")
@click.option("--line", is_flag=True, help="Drill line by line instead of on a full screen.")
@ascii_option
@click.option("--json", "as_json", is_flag=True, help="Write questions and verdicts as JSON lines.")
def command(
    *,
    drill: str | None,
    house: str | None,
    rules: str | None,
    line: bool,
    as_json: bool,
    **options: Any,
) -> None:
    """Practise until mistakes stop costing money; without DRILL, choose from a menu.

    Questions are chosen by how often a hand occurs, times how often you answer it wrong, times the
    cost of that; your decisions at the table count too. Answers are saved. The best answers are
    computed for the given rules (default: 6D S17 PEEK DOA DAS SP4 NRSA NS 3:2).
    """
    minutes = options["minutes"]
    if minutes is not None and not isfinite(minutes):
        raise click.UsageError(f"--minutes {minutes}: how long to drill, such as 5 or 2.5")
    names = ("classes", "system", "indices", "ramp", "group", "mistakes")
    drill_options = DrillOptions(
        rules=choose_rules(house, rules), **{name: options.pop(name) for name in names}
    )
    name = None if drill is None else read_name(drill)
    if name is not None:
        drill_options.check(name)
        drill_options.about(name)
    with open_store() as store:
        if line or as_json or not can_show_screen():
            _train_by_lines(name, drill_options, store, as_json=as_json, **options)
        else:
            _train_on_screen(name, drill_options, store, **options)


def _train_by_lines(
    name: str | None, drill_options: DrillOptions, store: Store, **options: Any
) -> None:
    as_json = options.pop("as_json")
    setup = DrillSetup(options=drill_options, memory=DrillMemory(store), **options)
    train(name, setup, Console.of_process(ascii_only=asked_for_ascii()), as_json=as_json)


def _train_on_screen(
    name: str | None, drill_options: DrillOptions, store: Store, **options: Any
) -> None:
    """Show the screen, and print its summary afterwards."""
    from upcard.tui.app import UpcardApp
    from upcard.tui.appearance import needs_ascii
    from upcard.tui.keymap import read_keymap
    from upcard.tui.screen_options import ScreenOptions

    setup = DrillSetup(options=drill_options, memory=DrillMemory(store), **options)
    ascii_only = asked_for_ascii() or needs_ascii(sys.stdout.encoding)
    opening = ScreenOptions(train=setup, drill=name, ascii_only=ascii_only)
    app = UpcardApp(opening, store, read_keymap())
    app.show()
    if app.ended is None:
        return
    for text in app.ended.summary:
        click.echo(text)
    if app.ended.fault is not None:
        raise DrillError(app.ended.fault)
