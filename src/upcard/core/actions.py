"""The actions of a player, and the outcomes of a hand."""

from enum import StrEnum
from typing import Final

from upcard.core.errors import IllegalActionError


class Action(StrEnum):
    """An answer to the table; its text is the word that the player types."""

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
        """Whether this answer declines an offer."""
        return self.value.startswith("no ")

    @property
    def offer(self) -> str:
        """The name of what is accepted or declined: `split` for both answers to that offer."""
        return self.value.removeprefix("no ")

    @property
    def verb(self) -> str:
        """The action as a verb: `split`, `take insurance`, `decline surrender`."""
        if self.declines:
            return f"decline {self.offer}"
        return f"take {self}" if self in (Action.INSURANCE, Action.EVEN_MONEY) else self.value


LETTERS: Final = {
    Action.HIT: "h",
    Action.STAND: "s",
    Action.DOUBLE: "d",
    Action.SPLIT: "p",
    Action.SURRENDER: "r",
}
"""The letter of each action that is not the answer to an offer."""


class Outcome(StrEnum):
    """The outcome of a hand."""

    WIN = "win"
    NATURAL = "natural"
    PUSH = "push"
    LOSE = "lose"
    BUST = "bust"
    SURRENDER = "surrender"


SPELLINGS: Final = {"stick": Action.STAND, "stay": Action.STAND, "double down": Action.DOUBLE} | {
    action.value: action for action in Action
}
"""Every word that names an action."""


def parse_action(text: str) -> Action:
    """Read the word of an action, in any case; hyphens and underscores count as blanks."""
    if isinstance(text, Action):
        return text
    word = " ".join(str(text).lower().replace("-", " ").replace("_", " ").split())
    action = SPELLINGS.get(word)
    if action is None:
        raise IllegalActionError(f"unknown action {str(text)!r}: one of {', '.join(Action)}")
    return action
