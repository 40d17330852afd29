"""Options that several commands share, and how their texts are read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeVar

import click

from upcard.core.errors import NotationError, RulesError

if TYPE_CHECKING:
    from collections.abc import Callable

    from upcard.rules.model import Rules
    from upcard.strategy.chart import Strategy

    Function = TypeVar("Function", bound=Callable[..., Any])

_FAULTS_SHOWN: Final = 2


def rules_options(function: Function) -> Function:
    """Give a command `--house` and `--rules`; `choose_rules` reads them."""
    house = click.option(
        "--house", metavar="NAME", help="A house (see upcard houses) or a TOML file of one."
    )
    rules = click.option("--rules", metavar="TEXT", help='Rules in notation, such as "6D H17 LS".')
    return house(rules(function))


def splits_option(function: Function) -> Function:
    """Give a command `--splits`, the name of a split play."""
    words = "How split hands are played: CDZ- (unless told), CDP1, CDP or CDP-exact."
    return click.option("--splits", metavar="NAME", help=words)(function)


def shoe_option(function: Function) -> Function:
    """Give a command `--shoe`, the cards before the deal."""
    words = 'Cards before the deal, such as "6D less T T 5", or ten numbers, ace to ten.'
    return click.option("--shoe", metavar="TEXT", help=words)(function)


def json_option(function: Function) -> Function:
    """Give a command `--json`."""
    words = "Write one JSON object, numbers in full."
    return click.option("--json", "as_json", is_flag=True, help=words)(function)


def choose_rules(house: str | None, rules: str | None) -> Rules:
    """Return the rules asked for; the default game's where nothing was.

    Raises: RulesError if both are given, or for what is no house or no rules.
    """
    from upcard.rules.house import load_house
    from upcard.rules.model import Rules

    if house is not None and rules is not None:
        msg = "give --house or --rules, not both; --rules may begin with a house: 'european LS'"
        raise RulesError(msg)
    if house is not None:
        return load_house(house).rules
    return Rules() if rules is None else Rules.parse(rules)


def read_strategy_file(path: str) -> Strategy:
    """Read a chart as `str(Strategy)` prints it.

    Raises: NotationError naming the file and its first faults.
    """
    from upcard.strategy.chart import Strategy

    try:
        with open(path, encoding="utf-8") as file:  # noqa: PTH123 (as typed)
            return Strategy.parse(file.read())
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "it is no text in UTF-8"
        msg = f"cannot read {path!r}: {reason}"
        raise NotationError(msg) from None
    except NotationError as error:
        shown = list(error.faults[:_FAULTS_SHOWN])
        rest = len(error.faults) - len(shown)
        if rest:
            shown.append(f"and {rest} more")
        msg = f"{path!r} is no chart: {'; '.join(shown)}"
        raise NotationError(msg) from None
