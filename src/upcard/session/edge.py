"""The exact edge of a game in words, for a page on which rules are chosen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from upcard.core.errors import BlackjackError

if TYPE_CHECKING:
    from upcard.rules.model import Rules

WORKING: Final = ("House edge  ...", "Working it out.")
"""Title and sentence until the edge is known."""


class Edge(NamedTuple):
    """The value of a game, or the reason why it is unknown."""

    ev: float | None
    why_none: str = ""

    @property
    def title(self) -> str:
        """The edge in a few words: `House edge  0.4181%`."""
        if self.ev is None:
            return "House edge  not known"
        return f"{'House' if self.ev <= 0 else 'Your'} edge  {abs(self.ev):.4%}"

    @property
    def sentence(self) -> str:
        """The edge as a sentence, or why it is unknown."""
        if self.ev is None:
            return self.why_none
        return f"You {'lose' if self.ev <= 0 else 'win'} {abs(self.ev):.5f} of a bet, exactly"

    def change_from(self, before: Edge | None) -> float | None:
        """Return how much better it is for the player than `before`; None if that is unknown."""
        if self.ev is None or before is None or before.ev is None:
            return None
        return self.ev - before.ev


def find_edge(rules: Rules) -> Edge:
    """Compute the edge of a game; this can take seconds."""
    from upcard.cache.exact import expected_value

    try:
        return Edge(expected_value(rules))
    except BlackjackError as error:
        return Edge(None, str(error))


def peek_edge(rules: Rules) -> Edge | None:
    """Return the edge of a game at once if its value is saved; None if it would be computed."""
    from upcard.cache.recall import peek

    return peek(lambda: find_edge(rules))


def write_change(change: float) -> str:
    """Write what a change of the rules is worth: `This change: +0.1400% for you`."""
    return f"This change: {change:+.4%} for you"
