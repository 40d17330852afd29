"""The actions of a player, and the outcomes of a hand."""

from collections.abc import Iterable, Sequence
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
    SWITCH = "switch"
    NO_SWITCH = "no switch"

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
        if self is Action.NO_SWITCH:
            return "keep"
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


SPELLINGS: Final = {
    "stick": Action.STAND,
    "stay": Action.STAND,
    "double down": Action.DOUBLE,
    "swap": Action.SWITCH,
    "keep": Action.NO_SWITCH,
} | {action.value: action for action in Action}
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


_MOST_WORDS: Final = 3


def parse_answers(answers: str | Iterable[Action | str]) -> tuple[Action, ...]:
    """Read answers in the order asked: a list, or a text such as `hit stand`, `no insurance, hit`.

    In a text, blanks or commas are between them.
    """
    if not isinstance(answers, str):
        return tuple(map(parse_action, answers))
    found: list[Action] = []
    for part in answers.split(","):
        words = part.split()
        while words:
            action, used = _parse_first(words)
            found.append(action)
            del words[:used]
    if not found:
        raise IllegalActionError(f"no answer in {answers!r}: write some, such as 'hit stand'")
    return tuple(found)


def _parse_first(words: Sequence[str]) -> tuple[Action, int]:
    """Read the longest answer that the words begin with, and say how many it took."""
    for count in range(min(_MOST_WORDS, len(words)), 1, -1):
        try:
            return parse_action(" ".join(words[:count])), count
        except IllegalActionError:
            continue
    return parse_action(words[0]), 1
