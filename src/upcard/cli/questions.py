"""The questions of `upcard.answers.questions` as commands: options, text, CSV, JSON, pictures."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, Final

import click
from click.shell_completion import CompletionItem

from upcard.answers.questions import AnswerInterruptedError, Asking, NamedQuestion, Sheet
from upcard.cli import options, output, progress, streams
from upcard.core.cards import to_ascii
from upcard.core.fields import AskedField, FieldClashError
from upcard.rules.house import house_names
from upcard.rules.model import Rules

if TYPE_CHECKING:
    from upcard.charts.plots import Plot

_ROWS_SHOWN: Final = 20
"""Rows of a table for people; files have all."""
_REST: Final = "rest"


def make_command(question: NamedQuestion) -> click.Command:
    """Return the command of a question, with an option for each of its fields.

    Like all commands it takes rules, unless it finds them, and writes text, CSV or JSON.
    """

    def ask(*, formats: output.Formats, **given: Any) -> None:
        names = {"--plot": "plot", question.page_option: "card", "-o": "path"}
        files = {option: given.pop(name, None) for option, name in names.items()}
        if question.saves:  # in place of the screen
            formats = formats._replace(path=files["-o"] or "-")
            files["-o"] = None
        _ask(question, formats, files, given)

    command: Any = options.cache_option(options.table_options(ask))
    if question.writes:
        command = options.file_option("-o", "--output", "path", help=question.writes)(command)
    if question.prints:
        words = "Write a page to print (HTML)."
        command = options.file_option(question.page_option, "card", help=words)(command)
    if question.plots:
        words = "Draw a picture: a file .svg, .png or .txt, or - for the screen."
        command = options.file_option("--plot", help=words)(command)
    if question.saves:
        words = "Write to this file instead of the screen."
        command = options.file_option("-o", "--output", "path", help=words)(command)
    for one in reversed(question.fields):
        if not one.field.is_word:
            command = options.make_option(one)(command)
    if question.takes_rules and not question.is_by_games:
        command = options.rules_options(command)
    for one in reversed(question.fields):
        if one.field.is_word:
            command = _make_argument(one.name, one)(command)
        elif one.field.takes_rest:
            command = _make_argument(_REST, None)(command)
    examples = question.examples if question.needs_words else ("", *question.examples)
    lines = "\n".join(f"  upcard {question.name} {one}".rstrip() for one in examples)
    if question.plots or _find_format(question):  # which are drawn on the screen too
        command = output.ascii_option(command)
    make = click.command(
        question.name,
        cls=options.ListingCommand,
        lists=lambda: dict(_list_texts(question)),
        context_settings={
            "ignore_unknown_options": any(one.field.takes_minus for one in question.fields)
        },
        epilog=f"\b\nExamples:\n{lines}",
        help=question.help,
    )
    made: click.Command = make(command)
    return made


def _list_texts(question: NamedQuestion) -> Iterator[tuple[str, Mapping[str, str]]]:
    for one in question.fields:
        if one.field.listed is not None:
            heading, find = one.field.listed
            yield heading, find()


def _make_argument(name: str, one: AskedField | None) -> Callable[..., Any]:
    if one is None:
        return click.argument(name, metavar="", nargs=-1)

    def complete(_: click.Context, __: click.Parameter, begun: str) -> list[CompletionItem]:
        """Return the names that begin so; a file is completed by the shell."""
        describe = one.field.describe
        found = [
            CompletionItem(name, help=describe and describe(name))
            for name in one.field.choices or one.field.suggestions
            if name.startswith(begun.lower())
        ]
        return found or [CompletionItem(begun, type="file")]

    def read(ctx: click.Context, param: click.Parameter, words: Sequence[str]) -> Any:  # noqa: ANN401
        return options.reading(one.read_words)(ctx, param, words) if words else None

    return click.argument(
        name, metavar=one.field.metavar, nargs=-1, shell_complete=complete, callback=read
    )


def _ask(
    question: NamedQuestion,
    formats: output.Formats,
    files: dict[str, str | None],
    given: dict[str, Any],
) -> None:
    for one in question.fields if formats.as_json else ():
        if one.field.in_json and given[one.name]:
            raise click.UsageError(f"{one.option} with --json: the JSON has {one.field.in_json}")
    _check_files({"--csv": formats.csv, **files}, formats)
    is_drawn = _choose_format(question, formats, given)
    rest = given.pop(_REST, ())
    _take_rest(question, rest, given)
    house, rules = given.pop("house", None), given.pop("rules", None)
    values = {name: value for name, value in given.items() if value is not None}
    is_given = house is not None or rules is not None
    game = options.choose_rules(house, rules)
    shown: list[Sheet] = []

    def write_early(sheet: Sheet) -> None:
        if not (formats.csv or formats.as_json):
            shown.append(sheet)
            write_sheet(sheet)

    try:
        with progress.LiveTask() as live:
            asking = Asking(
                watch=live.move,
                early=write_early,
                wants_result=formats.as_json,
                is_saved=formats.path != "-",
                has_color=is_drawn and formats.path == "-" and output.wants_color(),
            )
            sheet = question.ask(game, is_given=is_given, asking=asking, **values)
    except FieldClashError as error:
        options_of = {one.name: one.option for one in question.fields}
        options_of["game"] = "--rules" if house is None else "--house"
        words = error.write(lambda name: options_of.get(name, f"--{name}"))
        raise click.UsageError(words) from None
    except AnswerInterruptedError as interruption:
        _say_interrupted(question, str(interruption))
    _refuse_missing(question, sheet, files, formats)
    text = None if question.writes else sheet.text  # which is beside the answer there
    put = _write_drawn if is_drawn else output.write_file
    formats.write(
        lambda: write_sheet(sheet, *shown) if text is None else put(formats.path, text()),
        lambda: sheet if sheet.result is None else sheet.result,
        lambda: sheet.tables if sheet.data is None else sheet.data,
    )
    if (path := files["--plot"]) is not None and sheet.plot is not None:
        _draw(sheet.plot(), path)
    for path, write in zip([*files.values()][1:], (sheet.card, sheet.text), strict=True):
        if path is not None and write is not None:
            output.write_file(path, write())
    if sheet.interrupted:
        _say_interrupted(question, sheet.interrupted)


def _find_format(question: NamedQuestion) -> AskedField | None:
    return next((one for one in question.fields if one.field.is_format), None)


def _choose_format(question: NamedQuestion, formats: output.Formats, given: dict[str, Any]) -> bool:
    """Settle the format of a text, if there is a choice; return whether it is drawn for people."""
    one = _find_format(question)
    if one is None:
        return False
    chosen, (drawn, *others) = given[one.name], one.field.choices
    if formats.as_json:
        if chosen not in (None, "json"):
            raise click.UsageError(f"--json with {one.option} {chosen}: give one of them")
        chosen = "json" if "json" in others else drawn
    elif chosen is None:
        known = {"": drawn, ".txt": drawn, **{f".{name}": name for name in others}}
        ending = PurePath(formats.path).suffix.lower()
        if ending not in known:
            raise click.UsageError(
                f"-o {formats.path!r}: no {question.name} is written as {ending}; the name ends"
                f" with {', '.join(filter(None, known))}, or {one.option} says how"
            )
        chosen = known[ending]
    if output.asked_for_ascii() and chosen != drawn:
        raise click.UsageError(f"--ascii with {one.option} {chosen}: it is for {drawn}")
    given[one.name] = chosen
    return bool(chosen == drawn)


def _write_drawn(path: str, text: str) -> None:
    """Write what is drawn for people as the screen shows it, or to a file."""
    if path == "-":
        output.echo_text(text)
    else:
        output.write_file(path, to_ascii(text) if output.asked_for_ascii() else text)


def _check_files(files: dict[str, str | None], formats: output.Formats) -> None:
    """Refuse output that could not be written, before anything is computed; `-` is the screen."""
    output.refuse_two_screens(files, as_json=formats.as_json)
    if formats.as_json and output.asked_for_ascii():
        raise click.UsageError("--ascii with --json: it is for text")
    for option, path in (*files.items(), ("-o", formats.path)):
        if path != "-":
            options.check_writable(option, path)
    if (plot := files["--plot"]) not in (None, "-"):
        from upcard.charts.plots import check_plot_file

        check_plot_file(plot)


def _refuse_missing(
    question: NamedQuestion, sheet: Sheet, files: dict[str, str | None], formats: output.Formats
) -> None:
    """Refuse output that an answer does not have, before anything is written."""
    wanted = files if formats.as_json or formats.path == "-" else files | {"-o": formats.path}
    made = dict(zip(files, (sheet.plot, sheet.card, sheet.text), strict=True))
    why = "" if sheet.tables else f": {' '.join(sheet.findings)}"
    for option, path in wanted.items():
        if path is not None and made[option] is None:
            raise click.UsageError(f"{option}: this answer of upcard {question.name} has none{why}")
    if sheet.file_name and (formats.as_json or formats.csv):
        option = "--json" if formats.as_json else "--csv"
        raise click.UsageError(f"{option}: this answer is a file of its own, {sheet.file_name}")


def _take_rest(question: NamedQuestion, rest: Sequence[str], given: dict[str, Any]) -> None:
    """Add words that belong to no option to the field that takes them, if it was given."""
    if not rest:
        return
    taker = next(one for one in question.fields if one.field.takes_rest)
    if not given[taker.name]:
        msg = f"unexpected {' '.join(rest)!r}: rules go behind --rules or {taker.option}"
        raise click.UsageError(msg)
    given[taker.name] = (*given[taker.name], *taker.read_words(rest))


def _draw(picture: Plot, path: str) -> None:
    """Draw the picture of an answer in a file, or on the screen below an empty line."""
    if path == "-":
        from upcard.charts.plots import draw_text

        click.echo()
        output.echo_text(draw_text(picture))
        return
    from upcard.charts.plots import write_plot

    write_plot(picture, path)


def _say_interrupted(question: NamedQuestion, words: str) -> None:
    click.echo(f"upcard {question.name}: interrupted; {words}", err=True)
    raise click.exceptions.Exit(streams.INTERRUPTED)


def _describe(rules: str) -> str:
    """Write the game of a sheet in its notation, after its name if it has one."""
    game, more, rest = rules.partition(";")
    if game.partition(" ")[0] in house_names():  # else it is in notation already
        game = output.describe(Rules.parse(game))
    return f"{game}{more}{rest}"


def write_sheet(sheet: Sheet, *shown: Sheet) -> None:
    """Write the sentences, tables and figures of an answer, without what was shown before."""
    facts = {one for before in shown for one in before.facts}
    titles = {one.title for before in shown for one in before.tables}
    if not shown:
        output.echo_heading(*filter(None, (sheet.title, _describe(sheet.rules))))
    for sentence in sheet.findings:
        output.echo_topic("", sentence, width=0)
    if sheet.findings:
        click.echo()
    if new := [one for one in sheet.facts if one not in facts]:
        output.echo_topics(new)
        click.echo()
    for table in sheet.tables:
        if table.rows and table.title not in titles:
            if table.title not in ("", sheet.title):
                click.echo(f"{output.plain(table.title)}:")
            most = len(table.rows) if sheet.shows_all else _ROWS_SHOWN
            output.echo_table(replace(table, rows=table.rows[:most]))
            if (more := len(table.rows) - most) > 0:
                click.echo(f"  and {more:,} more: --csv has all of them.")
            click.echo()
    output.echo_figures(sheet.figures)
    output.echo_topics(sheet.notes)
    if sheet.sentences:
        output.echo_topic("Assumed", " ".join(sheet.sentences))
