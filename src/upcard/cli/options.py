"""Options that several commands share, and readers of their values."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click

from upcard.core.errors import BlackjackError, NotationError, RulesError, quote
from upcard.core.user_files import read_user_file
from upcard.rules.house import load_house
from upcard.rules.model import Rules
from upcard.strategy.chart import Strategy

if TYPE_CHECKING:
    from collections.abc import Callable
    from fractions import Fraction

    Function = TypeVar("Function", bound=Callable[..., Any])

_MOST_ROWS: Final = 10**12
"""Larger than any number of stored rounds and shoes; SQLite's integers end at 2**63."""
_MOST_PACE: Final = 1_000_000
_FAULTS_SHOWN: Final = 2


def rules_options(function: Function) -> Function:
    """Add `--house` and `--rules` to a command; `choose_rules` reads them."""
    house = click.option(
        "--house", metavar="NAME", help="A house (see upcard houses) or a TOML file of one."
    )
    rules = click.option("--rules", metavar="TEXT", help='Rules in notation, such as "6D H17 LS".')
    return house(rules(function))


def splits_option(function: Function) -> Function:
    """Add `--splits`, the name of a split play, to a command."""
    words = "How split hands are played: CDZ- (default), CDP1, CDP or CDP-exact."
    return click.option("--splits", metavar="NAME", help=words)(function)


def shoe_option(function: Function) -> Function:
    """Add `--shoe`, the cards before the deal, to a command."""
    words = 'Cards before the deal, such as "6D less T T 5", or ten numbers, ace to ten.'
    return click.option("--shoe", metavar="TEXT", help=words)(function)


def rounding_options(function: Function) -> Function:
    """Add `--rounding` and `--decks-left`, the options of true counts, to a command."""
    rounding = click.option(
        "--rounding",
        type=click.Choice(["floor", "truncate", "round"], case_sensitive=False),
        help="Rounding of the true count (default: that of the system).",
    )
    decks_left = click.option(
        "--decks-left",
        type=click.Choice(["exact", "half", "whole"], case_sensitive=False),
        help="Precision of the estimate of the decks left.",
    )
    return rounding(decks_left(function))


def seed_option(function: Function) -> Function:
    """Add `--seed` to a command."""
    words = "Seed of the random numbers (default: a random one)."
    return click.option("--seed", type=click.IntRange(min=0), metavar="N", help=words)(function)


def workers_option(function: Function) -> Function:
    """Add `--workers` to a command."""
    words = "Number of workers (default: all cores)."
    return click.option("--workers", type=click.IntRange(min=1), metavar="N", help=words)(function)


def json_option(function: Function) -> Function:
    """Add `--json` to a command."""
    words = "Write one JSON object, numbers in full."
    return click.option("--json", "as_json", is_flag=True, help=words)(function)


def choose_rules(house: str | None, rules: str | None) -> Rules:
    """Return the given rules (default: the default game's).

    Raises: RulesError if both are given, or if they are invalid.
    """
    if house is not None and rules is not None:
        msg = "give --house or --rules, not both; --rules may begin with a house: 'european LS'"
        raise RulesError(msg)
    if house is not None:
        return load_house(house).rules
    return Rules() if rules is None else Rules.parse(rules)


def read_chips(ctx: click.Context, param: click.Parameter, written: str | None) -> Fraction | None:
    """Read an amount of chips exactly. Raises: click.BadParameter if it is invalid."""
    from upcard.core.chip_format import read_chips as read

    if written is None:
        return None
    try:
        return read(written, "the amount")
    except BlackjackError as error:
        raise click.BadParameter(str(error), ctx, param) from None


def limit_row(ctx: click.Context, param: click.Parameter, number: int | None) -> int | None:
    """Refuse a number of rounds or shoes that no store can hold. Raises: click.BadParameter."""
    if number is not None and number > _MOST_ROWS:
        msg = f"{quote(number)} is more than can be stored"
        raise click.BadParameter(msg, ctx, param)
    return number


def check_pace(ctx: click.Context, param: click.Parameter, pace: float | None) -> float | None:
    """Check rounds per hour: 1 to a million. Ranges of click let `nan` pass."""
    if pace is not None and not 1 <= pace <= _MOST_PACE:
        msg = f"{pace:g} is not in the range 1 to {_MOST_PACE:,} rounds per hour"
        raise click.BadParameter(msg, ctx, param)
    return pace


def check_writable(option: str, path: str) -> None:
    """Refuse a file that cannot be written, before spending time on its content.

    Raises: RulesError naming the option.
    """
    place = Path(path)
    if place.is_dir() or not os.access(place.absolute().parent, os.W_OK):
        msg = f"{option} {path!r}: no file can be written there"
        raise RulesError(msg)


def read_strategy_file(path: str) -> Strategy:
    """Read a chart in the format of `str(Strategy)`.

    Raises: UserFileError for a file that cannot be read; NotationError with its first faults.
    """
    text = read_user_file(path, "chart")
    try:
        return Strategy.parse(text)
    except NotationError as error:
        shown = list(error.faults[:_FAULTS_SHOWN])
        rest = len(error.faults) - len(shown)
        if rest:
            shown.append(f"and {rest} more")
        msg = f"{path!r} is no chart: {'; '.join(shown)}"
        raise NotationError(msg) from None
