"""`upcard rules` and `upcard houses`: every setting in plain words; the houses."""

import json
from typing import Any

import click

from upcard.analysis.engines import find_engines
from upcard.cli.output import echo_topic
from upcard.core.numbers import fields_of, to_json
from upcard.core.user_files import is_user_file
from upcard.rules.describe import describe_rules
from upcard.rules.house import House, house_names, load_house
from upcard.rules.model import RULE_NAMES, Rules

_ENGINE_WIDTH = 24


@click.command(
    "rules",
    epilog='\b\nExamples:\n  upcard rules "6D H17 LS"\n  upcard rules european LS\n'
    "  upcard rules my-house.toml --json",
)
@click.argument("text", nargs=-1, required=True)
@click.option("--json", "as_json", is_flag=True, help="Write one JSON object.")
def rules_command(text: tuple[str, ...], *, as_json: bool) -> None:
    """Explain the rules TEXT: notation, a house's name, or the path of a house's TOML file.

    A house may be followed by notation that changes it. All faults of a text or a file are reported
    at once. The last table lists the engines that support the rules, and what the others refuse.
    """
    rules, house = read_rules(" ".join(text))
    if as_json:
        click.echo(json.dumps(_to_json(rules, house), indent=2))
        return
    click.echo(str(rules))
    if house is not None:
        echo_topic("House", house.title)
        echo_topic("Source", house.source)
        echo_topic("About", " ".join(house.about.split()))
    if str(rules) != notation(rules):
        echo_topic("In notation", notation(rules))
    click.echo()
    write_description(rules)
    click.echo()
    _write_engines(rules)


def read_rules(text: str) -> tuple[Rules, House | None]:
    """Read notation, a house's name or a file's path; return the house too if it is unchanged."""
    wanted = text.strip()
    words = wanted.split()
    is_one_file = len(words) == 1 and wanted.lower().endswith(".toml")
    if wanted.lower() in house_names() or is_one_file or is_user_file(wanted):
        house = load_house(wanted)
        return house.rules, house
    return Rules.parse(wanted), None


def notation(rules: Rules) -> str:
    """Write rules without the name of a house."""
    return str(rules.replace(name=""))


def write_description(rules: Rules) -> None:
    """Write every setting in plain words, on 80 columns."""
    for topic, sentence in describe_rules(rules):
        echo_topic(topic, sentence)


def _write_engines(rules: Rules) -> None:
    click.echo("Which engine honours these rules:")
    for answer in find_engines(rules):
        if answer.is_honoured:
            text = f"yes; {answer.limit}" if answer.limit else "yes"
        else:
            text = "no. " + "; ".join(f"{rule}: {reason}" for rule, reason in answer.refusals)
        echo_topic(f"  {answer.engine}", text, width=_ENGINE_WIDTH)


def _to_json(rules: Rules, house: House | None) -> dict[str, Any]:
    return {
        "rules": str(rules),
        "notation": notation(rules),
        "house": None if house is None else fields_of(house, "name", "title", "source"),
        "settings": {name: to_json(getattr(rules, name)) for name in RULE_NAMES},
        "description": dict(describe_rules(rules)),
        "engines": [
            {
                "engine": answer.engine,
                "about": answer.about,
                "honours": answer.is_honoured,
                "refuses": [{"rule": rule, "reason": reason} for rule, reason in answer.refusals],
                "limit": answer.limit or None,
            }
            for answer in find_engines(rules)
        ],
    }


@click.command(
    "houses",
    epilog="\b\nExamples:\n  upcard houses\n  upcard houses --json\n  upcard rules helsinki",
)
@click.option("--json", "as_json", is_flag=True, help="Write one JSON list.")
def houses_command(*, as_json: bool) -> None:
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
