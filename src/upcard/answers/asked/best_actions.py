"""BlackJack(p), document 002, as a question: the best first action for every hand."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from typing import Annotated, Final

from upcard.answers.questions import Sheet
from upcard.core import figure
from upcard.core.fields import Field
from upcard.documents.mdp import Policy, policy, read_probability
from upcard.strategy.chart import UPCARD_LABELS

_LETTERS: Final = "HSDP"


def answer(
    *,
    p: Annotated[
        Fraction,
        Field(
            read_probability,
            "Probability of a card worth ten, 0 to 1, such as 0.3 or 4/13.",
            "P",
            typed="4/13",
            is_word=True,
            takes_minus=True,  # so that the reader refuses it by its value
        ),
    ],
    ev: Annotated[bool, Field(bool, "Add the values of the game and of each action.")] = False,
) -> Sheet[Policy]:
    """Return the actions of an infinite deck where a card is worth ten with probability P.

    The deck is infinite, and a card is worth ten with probability P. Each of the 33 rows has a
    hand, a TAB and the best first action (H hit, S stand, D double, P split) against 2 to 10 and an
    ace.
    """
    solved = policy(p)
    letters, worth = solved.table(), f"{_write_ev(solved.ev, 6)} per unit bet, played so."

    def write() -> str:
        return "\n".join((str(solved), *_write_values(solved, worth), "")) if ev else str(solved)

    return Sheet(
        title=f"BlackJack({solved.p})",
        facts=(("Value of the game", worth),) if ev else (),
        tables=(letters, _tabulate_values(solved)) if ev else (letters,),
        sentences=("H hit, S stand, D double, P split: the best first action.",),
        result=solved,
        text=write,
    )


def _list_values(solved: Policy) -> Iterator[tuple[str, str, list[float]]]:
    """Yield each hand and legal action with its values by upcard."""
    for hand, _ in solved:
        columns = [solved.values(hand, upcard) for upcard in UPCARD_LABELS]
        for letter in filter(columns[0].__contains__, _LETTERS):
            yield hand, letter, [column[letter] for column in columns]


def _tabulate_values(solved: Policy) -> figure.AnswerTable:
    columns = (
        *(figure.text("hand"), figure.text("action")),
        *(figure.real(f"v_{upcard}", upcard, digits=3) for upcard in UPCARD_LABELS),
    )
    rows: list[tuple[figure.Value, ...]] = [
        (hand, letter, *values) for hand, letter, values in _list_values(solved)
    ]
    return figure.make_table("Value of each first action, per unit bet", columns, rows)


def _write_values(solved: Policy, worth: str) -> Iterator[str]:
    """Write the values as a table of 80 columns, a line for each hand and action."""
    yield f"Value of the game: {worth}"
    yield "Value of each first action by upcard, per unit bet (more digits: --json):"
    yield ""
    yield f"{'hand':<6}  " + "".join(f"{upcard:>7}" for upcard in UPCARD_LABELS)
    before = ""
    for hand, letter, values in _list_values(solved):
        cells = "".join(f"{_write_ev(value, 3):>7}" for value in values)
        yield f"{hand if hand != before else '':<6}{letter} {cells}"
        before = hand


def _write_ev(ev: float, digits: int) -> str:
    if math.isinf(ev):
        return "infinite" if digits > 3 else "inf"
    # Adding zero turns -0.0 into 0.0.
    return f"{round(ev, digits) + 0.0:+.{digits}f}"
