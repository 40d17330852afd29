"""`upcard houses`: the built-in houses."""

from __future__ import annotations

import json

import click

from upcard.cli.output import fields_of
from upcard.cli.rules.rules import notation
from upcard.rules.house import house_names, load_house


@click.command(
    "houses",
    epilog="\b\nExamples:\n  upcard houses\n  upcard houses --json\n  upcard rules helsinki",
)
@click.option("--json", "as_json", is_flag=True, help="Write one JSON list.")
def command(*, as_json: bool) -> None:
    """List the houses that come with upcard; use their names with --house and --rules.

    `upcard rules NAME` shows the rules of a house and their source.
    """
    houses = [load_house(name) for name in house_names()]
    if as_json:
        rows = [
            {
                **fields_of(house, "name", "title", "source"),
                "about": " ".join(house.about.split()),
                "rules": notation(house.rules),
            }
            for house in houses
        ]
        click.echo(json.dumps(rows, indent=2))
        return
    from rich.console import Console
    from rich.table import Table

    table = Table(box=None, padding=(0, 2, 1, 0), header_style="bold")
    table.add_column("House", no_wrap=True, style="bold")
    table.add_column("What it is")
    for house in houses:
        table.add_row(house.name, f"{house.title}\n[dim]{notation(house.rules)}[/dim]")
    console = Console(highlight=False)
    with console.capture() as capture:
        console.print(table)
    # Rich pads every line with blanks.
    for line in capture.get().splitlines():
        click.echo(line.rstrip())
    click.echo("Play one: upcard play --house NAME. Its rules in words: upcard rules NAME.")
