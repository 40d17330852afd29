"""What a player may answer, and how a hand may end."""

from __future__ import annotations

from enum import StrEnum

from upcard.core.errors import IllegalActionError


class Action(StrEnum):
    """An answer to the table; its text is the word a person types."""

    HIT = "hit"
    STAND = "stand"
    DOUBLE = "double"
    SPLIT = "split"
    SURRENDER = "surrender"
    INSURANCE = "insurance"
    NO_INSURANCE = "no insurance"
    EVEN_MONEY = "even money"
    NO_EVEN_MONEY = "no even money"
    NO_SPLIT = "no split"
    NO_SURRENDER = "no surrender"

    @property
    def declines(self) -> bool:
        """Whether this answer turns an offer down."""
        return self.value.startswith("no ")


class Outcome(StrEnum):
    """How a hand ended."""

    WIN = "win"
    NATURAL = "natural"
    PUSH = "push"
    LOSE = "lose"
    BUST = "bust"
    SURRENDER = "surrender"


_SPELLINGS = {
    "stick": Action.STAND,
    "stay": Action.STAND,
    "double down": Action.DOUBLE,
} | {action.value: action for action in Action}


def parse_action(text: str) -> Action:
    """Read an action's word, in any case; hyphens and underscores count as blanks.

    Raises: IllegalActionError if there is no such action.
    """
    if isinstance(text, Action):
        return text
    word = " ".join(str(text).lower().replace("-", " ").replace("_", " ").split())
    action = _SPELLINGS.get(word)
    if action is None:
        msg = f"unknown action {str(text)!r}: one of {', '.join(Action)}"
        raise IllegalActionError(msg)
    return action
