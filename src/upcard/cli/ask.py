"""Commands made from the questions of `upcard.answers.topics`: each field is an option."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from upcard.cli import options, output

if TYPE_CHECKING:
    from upcard.answers.topics import Sheet, Topic


def make_command(topic: Topic) -> click.Command:
    """Return the command of a question, with an option for each of its fields.

    Like all commands it takes rules, and writes text, CSV or JSON.
    """

    def ask(
        *, house: str | None, rules: str | None, as_csv: bool, as_json: bool, **values: Any
    ) -> None:
        if as_csv and as_json:
            raise click.UsageError("--csv and --json: choose one")
        given = {name: value for name, value in values.items() if value is not None}
        sheet = topic.answer(options.choose_rules(house, rules), **given)
        if as_json:
            output.echo_json(sheet)
        elif as_csv:
            for table in sheet.tables:
                click.echo(output.write_csv(table.to_csv_rows()), nl=False)
        else:
            write_sheet(sheet)

    ask = options.json_option(ask)
    ask = click.option("--csv", "as_csv", is_flag=True, help="Write CSV, numbers in full.")(ask)
    ask = options.cache_option(ask)
    for one in reversed(topic.fields):
        ask = click.option(
            f"--{one.name.replace('_', '-')}",
            metavar=one.field.metavar,
            help=one.field.help,
            callback=options.reading(one.field.read),
        )(ask)
    examples = f'\b\nExamples:\n  upcard {topic.name}\n  upcard {topic.name} --rules "2D H17" --csv'
    make = click.command(topic.name, epilog=examples, help=topic.about)
    return make(options.rules_options(ask))


def write_sheet(sheet: Sheet) -> None:
    """Write the tables, figures and sentences of an answer."""
    output.echo_heading(sheet.title, sheet.rules)
    for table in sheet.tables:
        click.echo(f"{output.plain(table.title)}:")
        for line in table.lines(output.WIDTH - 2):
            output.echo_text(f"  {line}\n")
        click.echo()
    for figure in sheet.figures:
        output.echo_topic(figure.title, f"{figure.text} {figure.unit}".rstrip())
    output.echo_topic("Assumed", " ".join(sheet.sentences))
