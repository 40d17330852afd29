"""Options that several commands share, and readers of their values."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from functools import partial, wraps
from pathlib import Path
from typing import Any, Final, TypeVar

import click

from upcard.cli import output, streams
from upcard.core import errors, number_texts, numbers
from upcard.core.fields import AskedField, list_fields
from upcard.rules.house import load_house
from upcard.rules.model import Rules

Function = TypeVar("Function", bound=Callable[..., Any])
Value = TypeVar("Value")

_MOST_ROWS: Final = 10**12
"""Larger than any number of stored rounds and shoes; SQLite's integers end at 2**63."""
_MOST_LISTED: Final = 20
"""Choices that the help of an option lists."""


class ListingCommand(click.Command):
    """A command whose help page lists texts with a line about each, by their headings."""

    def __init__(
        self, *names: Any, lists: Callable[[], dict[str, Mapping[str, str]]], **more: Any
    ) -> None:
        super().__init__(*names, **more)
        self._lists = lists

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the lists, then the examples."""
        for heading, lines in self._lists().items():
            with formatter.section(heading):
                formatter.write_dl(list(lines.items()))
        super().format_epilog(ctx, formatter)


def _compute_all(ctx: click.Context, _: click.Parameter, given: bool) -> None:  # noqa: FBT001
    """Leave saved values alone until the command ends."""
    if given:
        from upcard.cache.recall import bypass_cache  # commands without saved values do not need it

        ctx.with_resource(bypass_cache())


def flag(
    name: str, words: str, *, to: str | None = None, **more: Any
) -> Callable[[Function], Function]:
    """Return an option without a value; `to` is its parameter, if that is not its name."""
    return click.option(*filter(None, (name, to)), is_flag=True, help=words, **more)


def value(
    name: str, metavar: str, words: str, *, to: str | None = None, **more: Any
) -> Callable[[Function], Function]:
    """Return an option with a value, which `metavar` stands for in the help."""
    return click.option(*filter(None, (name, to)), metavar=metavar, help=words, **more)


def choice(
    name: str, names: Sequence[str], words: str, *, case_sensitive: bool = False, **more: Any
) -> Callable[[Function], Function]:
    """Return an option with one of some names."""
    kind = click.Choice(names, case_sensitive=case_sensitive)
    return click.option(name, type=kind, help=words, **more)


def reading(read: Callable[[str], Value]) -> Callable[..., Value | None]:
    """Return a callback that reads an option's text, and reports its fault as click does."""

    def call(ctx: click.Context, param: click.Parameter, written: str | None) -> Value | None:
        try:
            return None if written is None else read(written)
        except errors.BlackjackError as error:
            raise click.BadParameter(str(error), ctx, param) from None

    return call


def form_options(form: Callable[..., Any]) -> Callable[[Function], Function]:
    """Add an option for each field of a form to a command."""

    def add(function: Function) -> Function:
        for one in reversed(list_fields(form)):
            function = make_option(one)(function)
        return function

    return add


def make_option(one: AskedField) -> Callable[..., Any]:
    """Return the option of a field."""
    field = one.field
    if field.sets:
        return flag(one.option, field.help, to=one.name, flag_value=field.sets)
    if field.is_mark and one.default is False:
        return flag(one.option, field.help, to=one.name)
    words = one.hint if 0 < len(field.choices) < _MOST_LISTED else field.help
    read = reading(one.field.read) if not field.many else _read_each(one)
    more = {"multiple": True} if field.many else {}
    return value(one.option, field.metavar, words, to=one.name, callback=read, **more)


def _read_each(one: AskedField) -> Callable[..., Any]:
    read = reading(one.read_word)

    def call(ctx: click.Context, param: click.Parameter, texts: Sequence[str]) -> Any:  # noqa: ANN401
        return tuple(value for text in texts for value in read(ctx, param, text) or ()) or None

    return call


any_whole: Final = reading(number_texts.read_whole)
"""Reads a whole number of any size."""


def read_from(least: int, most: int | None = None) -> Callable[..., int | None]:
    """Return a callback that reads a whole number in a range."""
    return reading(partial(number_texts.read_whole, least=least, most=most))


positive_option = partial(click.option, callback=read_from(1), metavar="N")
"""Return an option with a whole number from 1."""
place_option = partial(click.option, callback=read_from(0), metavar="N")
"""Return an option with a whole number from 0."""
any_seed_option = partial(
    click.option,
    metavar="N",
    callback=reading(lambda text: numbers.read_seed(number_texts.read_whole(text))),
)
"""Return an option with the seed of a random generator."""
file_option = partial(click.option, callback=streams.output_file, metavar="FILE")
"""Return an option with the name of a file to write."""
workers_option = positive_option("--workers", help="Number of workers (default: all cores).")
cache_option = click.option(
    "--no-cache",
    is_flag=True,
    expose_value=False,
    callback=_compute_all,
    help="Compute: neither read nor write saved values (upcard cache).",
)
json_option = flag("--json", "Write one JSON object, numbers in full.", to="as_json")
csv_option = file_option("--csv", help="Write the table as CSV, numbers in full; - is the screen.")


def table_options(function: Callable[..., None]) -> Callable[..., None]:
    """Add `--csv` and `--json` to a command that lists something; it gets them as its `formats`."""

    @wraps(function)
    def call(*words: Any, csv: str | None, as_json: bool, **given: Any) -> None:
        function(*words, formats=output.Formats(csv, as_json), **given)

    return csv_option(json_option(call))


def rules_options(function: Function) -> Function:
    """Add `--house` and `--rules` to a command; `choose_rules` reads them."""
    house = value("--house", "NAME", "A house (see upcard houses) or a TOML file of one.")
    rules = value("--rules", "TEXT", 'Rules in notation, such as "6D H17 LS".')
    return house(rules(function))


def choose_rules(house: str | None, rules: str | None, default: Rules | None = None) -> Rules:
    """Return the given rules, or the `default` ones: without them, those of the default game."""
    if house is not None and rules is not None:
        msg = "give --house or --rules, not both; --rules may begin with a house: 'european LS'"
        raise errors.RulesError(msg)
    if house is not None:
        return load_house(house).rules
    return (default or Rules()) if rules is None else Rules.parse(rules)


read_row: Final = read_from(1, _MOST_ROWS)
"""Reads a number of rounds or shoes that a store can hold."""


def check_writable(option: str, path: str | None) -> None:
    """Refuse a file that cannot be written, before spending time on its content."""
    if path is None:
        return
    place = Path(path)
    if place.is_dir() or not os.access(place.absolute().parent, os.W_OK):
        raise errors.RulesError(f"{option} {path!r}: no file can be written there")
