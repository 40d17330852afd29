"""The question for the running count: when it can be asked, and how it is written."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from upcard.core.errors import RulesError, quote
from upcard.core.numbers import whole_number
from upcard.core.user_files import is_user_file
from upcard.players.shoe_tracker import count_decks
from upcard.rules.settings import Shuffle

if TYPE_CHECKING:
    from upcard.rules.model import Rules

DEFAULT_EVERY: Final = 3
"""After how many rounds the count is asked for by default."""
MOST_EVERY: Final = 99


def countable_decks(rules: Rules) -> int:
    """Return the number of decks that a person can count. Raises: as `CountCheck`."""
    decks = count_decks(rules)
    if rules.shuffle is Shuffle.EVERY_ROUND:
        raise RulesError("the cards are shuffled before every round, so there is nothing to count")
    return decks


def read_ask_count(text: str) -> tuple[str, int]:
    """Read `SYSTEM` or `SYSTEM:N`: the name or file of a system, and after how many rounds to ask.

    Raises: RulesError for an N that is not 1 to 99.
    """
    name, colon, rounds = text.rpartition(":")
    if not colon or is_user_file(text):
        return text, DEFAULT_EVERY
    every = whole_number(rounds)
    if every is None or not 1 <= every <= MOST_EVERY:
        raise RulesError(
            f"{quote(text)}: write a number of rounds, 1 to {MOST_EVERY}, after the colon"
        )
    return name, every
