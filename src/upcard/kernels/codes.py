"""Numbers that stand for something between the simulator's loop and its callers."""

from __future__ import annotations

from typing import Final

ACE: Final = 0
TEN: Final = 9
RED_7: Final = 10
"""Kinds of cards: 0 to 9 are ace to ten."""

STAND, HIT, DOUBLE, SPLIT, SURRENDER, NOT_ASKED = range(6)
"""The actions of a hand; one that is not asked stands."""
INSURE: Final = 5
"""The answer that takes insurance or even money at a desk, where 0 declines every offer."""
FIRST_DEVIATION: Final = 8
"""From this number on: the number of a deviation, whose answer depends on the count."""

FIRST_TWO, LATER, SPLIT_MORE, SPLIT_FULL, SPLIT_LATER, ACES_MORE, ACES_FULL, ACES_LATER, EARLY = (
    range(9)
)
"""Contexts of a question: two cards, or more; after a split, with another one possible or not."""
CONTEXTS: Final = 9

NATURAL, EVEN_MONEY, SURRENDERED = 100, 101, 102
"""Codes used in place of a hand's total where it has none; a bust hand has 0."""

LOG_ROUND, LOG_ANSWER, LOG_HAND, LOG_INSURANCE, LOG_CARD, LOG_END = range(6)
"""Kinds of entries of a log, its first field.

Their values: cards dealt before, count, seat, shoe; hand, question, answer; spot, net, bets; net;
kind; net, half bets added.
"""
LOG_FIELDS: Final = 5
ASKED_EVEN_MONEY, ASKED_INSURANCE, ASKED_SURRENDER, ASKED_PLAY = range(4)

DONE, TOO_MANY_HANDS, TOO_FEW_CARDS, LOG_FULL = range(4)
"""The ways in which the loop ends."""
