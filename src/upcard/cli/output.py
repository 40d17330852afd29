"""Numbers, topics and files in the output of commands."""

from __future__ import annotations

import json
import os
import sys
import textwrap
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeVar

import click

from upcard.core import cards, errors, figure, numbers, shared_files
from upcard.rules.model import Rules

Function = TypeVar("Function", bound="Callable[..., Any]")

WIDTH: Final = 79
_ASCII: Final = "upcard.ascii"
TOPIC_WIDTH: Final = 18


def describe(rules: Rules) -> str:
    """Write rules in their notation, after the name of their house if they have one."""
    name, notation = str(rules), rules.notation
    return name if name == notation else f"{name}: {notation}"


def echo_topic(topic: str, text: str, *, width: int = TOPIC_WIDTH) -> None:
    """Write a topic of the given width and its text, wrapped next to it."""
    for line in textwrap.wrap(
        plain(text),
        WIDTH,
        initial_indent=f"{plain(topic):<{width}}",
        subsequent_indent=" " * width,
        break_on_hyphens=False,
    ):
        click.echo(line)


def echo_topics(topics: Iterable[tuple[str, str]]) -> None:
    """Write topics and their texts."""
    for topic, text in topics:
        echo_topic(topic, text)


def echo_figures(figures: Iterable[figure.Figure]) -> None:
    """Write numbers with their units, a topic each."""
    echo_topics((one.title, f"{one.text} {one.unit}".rstrip()) for one in figures)


def echo_heading(*parts: str) -> None:
    """Write a wrapped first line, bold on a terminal; then an empty one."""
    for line in textwrap.wrap(": ".join(parts), WIDTH, break_on_hyphens=False):
        click.echo(click.style(plain(line), bold=True) if wants_color() else plain(line))
    click.echo()


def echo_columns(
    rows: Sequence[Sequence[str]], *, left: Collection[int] = (0,), indent: int = 2
) -> None:
    """Write rows of cells in columns: those with the numbers `left` flush left, others right."""
    for line in figure.align([[plain(cell) for cell in row] for row in rows], left):
        click.echo(f"{' ' * indent}{line}".rstrip())


def echo_table(table: figure.AnswerTable) -> None:
    """Write a table without its title, with fewer digits where the screen is too narrow."""
    for line in table.lines(WIDTH - 2, plain):
        echo_text(f"  {line}\n")


def echo_json(document: object, path: str = "-") -> None:
    """Write a document, or an answer, as JSON, on the screen or to a file."""
    told = numbers.to_json(document)
    write_file(path, json.dumps(told, indent=2, ensure_ascii=False, allow_nan=False) + "\n")


class Formats(NamedTuple):
    """How a result is written: its tables as CSV, and a document as JSON, or as text."""

    csv: str | None
    as_json: bool
    path: str = "-"
    """The file of the JSON, and of an answer that is one text; `-` is the screen."""

    def write(
        self,
        text: Callable[[], object],
        document: Callable[[], object],
        tables: Callable[[], Iterable[figure.AnswerTable]],
    ) -> None:
        """Write a result: `text` writes it for people. CSV on standard output stands there alone.

        Several tables are one there, with a first column `table`.
        """
        if self.write_tables(tables) and self.path == "-":
            return
        if self.as_json:
            echo_json(document(), self.path)
        else:
            text()

    def write_tables(self, tables: Callable[[], Iterable[figure.AnswerTable]]) -> bool:
        """Write tables as CSV to a file, if one was given; True if that is standard output.

        Raises: RulesError if there is no table.
        """
        if self.csv is None:
            return False
        refuse_two_screens({"--csv": self.csv}, as_json=self.as_json)
        found = list(tables())
        if not found:
            raise errors.RulesError("--csv: this answer has no table; --json has all of it")
        write_file(self.csv, (found[0] if len(found) == 1 else figure.join_tables(found)).to_csv())
        return self.csv == "-"


def refuse_two_screens(files: Mapping[str, str | None], *, as_json: bool) -> None:
    """Refuse two outputs on standard output; `files` are options with their files."""
    screens = [f"{option} -" for option, path in files.items() if path == "-"]
    screens += ["--json"] * as_json
    if len(screens) > 1:
        msg = f"{screens[0]} with {screens[1]}: both want the screen; name a file"
        raise click.UsageError(msg)


def write_file(path: str, texts: str | Iterable[str]) -> None:
    """Write a text, or several in order, to a file as a whole; `-` is standard output.

    Raises: RulesError, and the file is then what it was.
    """
    lines = [texts] if isinstance(texts, str) else texts
    if path == "-":
        for text in lines:
            click.echo(text, nl=False)
        return
    from upcard.store.files import is_store

    if is_store(Path(path)):
        raise errors.RulesError(f"cannot write {path!r}: it holds your saved games; name another")
    try:
        shared_files.write_whole(Path(path), (text.encode() for text in lines))
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise errors.RulesError(f"cannot write {path!r}: {reason}") from None


def ascii_option(function: Function) -> Function:
    """Add `--ascii` to a command; `plain` and `asked_for_ascii` return whether it was given."""

    def keep(context: click.Context, _: click.Parameter, value: bool) -> None:  # noqa: FBT001
        context.meta[_ASCII] = value

    words = "Write 7-bit characters only."
    option = click.option("--ascii", is_flag=True, callback=keep, expose_value=False, help=words)
    return option(function)


def asked_for_ascii() -> bool:
    """Whether the command was given `--ascii`."""
    context = click.get_current_context(silent=True)
    return context is not None and context.meta.get(_ASCII, False)


def plain(text: str) -> str:
    """Return text for people: negative numbers with minus signs, and without glyphs if asked.

    It has 7 bits, too, if standard output cannot show glyphs.
    """
    text = numbers.with_minus_signs(text)
    if text.isascii() or not (asked_for_ascii() or not _takes_glyphs()):
        return text
    return cards.to_ascii(text)


def echo_text(text: str) -> None:
    """Write text that may have glyphs and ends with a line break."""
    click.echo(plain(text), nl=False)


def _takes_glyphs() -> bool:
    try:
        "−×–∞".encode(getattr(sys.stdout, "encoding", None) or "ascii")
    except (LookupError, UnicodeEncodeError):
        return False
    return True


def wants_color() -> bool:
    """Whether standard output is a terminal that wants colours."""
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    return sys.stdout.isatty()
