"""The keys of the answers: one table for every front-end that reads keys."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

from upcard.core.actions import LETTERS, Action


class AnswerKey(NamedTuple):
    """A key that answers: the id by which a keymap moves it, its name and its effect."""

    key: str
    id: str
    name: str
    effect: str


ANSWER_KEYS: Final = (
    AnswerKey("h", "answer.hit", "Hit", "Take a card"),
    AnswerKey("s", "answer.stand", "Stand", "Take no more cards"),
    AnswerKey("d", "answer.double", "Double", "Double the bet and take one card"),
    AnswerKey("p", "answer.split", "Split", "Play a pair as two hands"),
    AnswerKey("r", "answer.surrender", "Surrender", "Give up half of the bet"),
    AnswerKey("i", "answer.insure", "Insure", "Take insurance or even money"),
    AnswerKey("n", "answer.no", "No", "Decline an offer"),
)
YES: Final = AnswerKey("y", "answer.yes", "Yes", "Take what is offered")
KEYS: Final = LETTERS | {
    Action.INSURANCE: "i",
    Action.NO_INSURANCE: "n",
    Action.EVEN_MONEY: "i",
    Action.NO_EVEN_MONEY: "n",
    Action.NO_SPLIT: "n",
    Action.NO_SURRENDER: "n",
}
"""The key of each answer. Where two share one, no house asks for both at once."""


def find_answer(key: str, options: Iterable[Action]) -> Action | None:
    """Return the answer among `options` that a key stands for; `y` takes what is offered."""
    possible = tuple(options)
    if key == YES.key and possible and possible[-1].declines:
        return possible[0]
    return next((action for action in possible if KEYS[action] == key), None)
