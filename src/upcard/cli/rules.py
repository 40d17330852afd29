"""`upcard rules` and `upcard houses`: every setting in plain words; the houses."""

from collections.abc import Sequence

import click

from upcard.answers import rules
from upcard.cli import options, output

_ENGINE_WIDTH = 24


@click.command(
    "rules",
    epilog='\b\nExamples:\n  upcard rules "6D H17 LS"\n  upcard rules european LS\n'
    "  upcard rules my-house.toml --json",
)
@click.argument("text", nargs=-1, required=True)
@options.json_option
def rules_command(text: tuple[str, ...], *, as_json: bool) -> None:
    """Explain the rules TEXT: notation, a house's name, or the path of a house's TOML file.

    A house may be followed by notation that changes it. All faults of a text or a file are reported
    at once. The last table lists the engines that support the rules, and what the others refuse.
    """
    answer = rules.explain_rules(*rules.read_rules(" ".join(text)))
    if as_json:
        output.echo_json(answer)
        return
    click.echo(answer.rules)
    if answer.house is not None and not answer.is_changed:
        output.echo_topic("House", answer.house.title)
        output.echo_topic("Source", answer.house.source)
        output.echo_topic("About", answer.house.about)
    if answer.rules != answer.notation:
        output.echo_topic("In notation", answer.notation)
    click.echo()
    output.echo_topics(answer.in_words)
    click.echo("\nWhich engine honours these rules:")
    for engine in answer.engines:
        output.echo_topic(f"  {engine.engine}", engine.sentence, width=_ENGINE_WIDTH)


@click.command(
    "houses",
    epilog="\b\nExamples:\n  upcard houses\n  upcard houses --json\n  upcard rules helsinki",
)
@options.table_options
def houses_command(form: output.Form) -> None:
    """List the houses that come with upcard; use their names with --house and --rules.

    `upcard rules NAME` shows the rules of a house and their source.
    """
    houses = rules.list_houses()
    table = rules.tabulate_houses(houses)
    form.write(lambda: _list(houses), lambda: houses, lambda: [table])


def _list(houses: Sequence[rules.HouseAnswer]) -> None:
    from rich.console import Console
    from rich.table import Table

    table = Table(box=None, padding=(0, 2, 1, 0), header_style="bold")
    table.add_column("House", no_wrap=True, style="bold")
    table.add_column("What it is")
    for house in houses:
        table.add_row(house.name, f"{house.title}\n[dim]{house.rules}[/dim]")
    console = Console(highlight=False)
    with console.capture() as capture:
        console.print(table)
    # Rich pads every line with blanks.
    for line in capture.get().splitlines():
        click.echo(line.rstrip())
    click.echo("Play one: upcard play --house NAME. Its rules in words: upcard rules NAME.")
