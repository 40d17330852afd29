"""`upcard policy`: document 002's BlackJack(p), solved."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from typing import Final

import click

from upcard.cli.options import file_option
from upcard.cli.output import write_file
from upcard.documents.mdp import Policy, policy

_UPCARDS: Final = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "A")
_ACTIONS: Final = "HSDP"


@click.command(
    "policy",
    # So that a negative P reaches the solver, which refuses it by its value.
    context_settings={"ignore_unknown_options": True},
    epilog="\b\nExamples:\n  upcard policy 4/13\n  upcard policy 0.3 -o Policy.txt\n"
    "  upcard policy 0.5 --ev\n  upcard policy 4/13 --json",
)
@click.argument("p", metavar="P")
@file_option("-o", "--output", help="Write to this file instead of the screen.")
@click.option("--ev", is_flag=True, help="Add the values of the game and of each action.")
@click.option("--json", "as_json", is_flag=True, help="Write one JSON object, values in full.")
def command(p: str, *, output: str | None, ev: bool, as_json: bool) -> None:
    """Solve BlackJack(p): an infinite deck where a card is worth ten with probability P.

    P is a decimal or a fraction from 0 to 1, such as 0.3 or 4/13. Each of the 33 rows has a hand, a
    TAB and the best first action (H hit, S stand, D double, P split) against 2 to 10 and an ace.
    """
    solved = policy(p)
    if as_json:
        text = json.dumps(solved.to_json(), indent=2) + "\n"
    elif ev:
        text = str(solved) + "\n" + "\n".join(_value_lines(solved)) + "\n"
    else:
        text = str(solved)
    write_file(output or "-", text)


def _value_lines(solved: Policy) -> Iterator[str]:
    """Write the values as a table of 80 columns, a line for each hand and action."""
    yield f"Value of the game: {_write_ev(solved.ev, 6).strip()} per unit bet, played so."
    yield "Value of each first action by upcard, per unit bet (more digits: --json):"
    yield ""
    yield f"{'hand':<6}  " + "".join(f"{upcard:>7}" for upcard in _UPCARDS)
    for label, _ in solved:
        columns = [solved.values(label, upcard) for upcard in _UPCARDS]
        shown = label
        for letter in _ACTIONS:
            if letter not in columns[0]:
                continue
            cells = "".join(f"{_write_ev(column[letter], 3):>7}" for column in columns)
            yield f"{shown:<6}{letter} {cells}"
            shown = ""


def _write_ev(ev: float, digits: int) -> str:
    if math.isinf(ev):
        return "infinite" if digits > 3 else "inf"
    # Adding zero turns -0.0 into 0.0.
    return f"{round(ev, digits) + 0.0:+.{digits}f}"
