"""Numbers of a table at a desk: its fields, its status, and how its answers are written down."""

from __future__ import annotations

from typing import Final

FIELDS: Final = 16
(
    BEGIN,
    POSITION,
    READY,
    GIVEN,
    STATUS,
    CELL,
    WAITING,
    HIDES,
    NET,
    HANDS,
    INSURED,
    BET,
    PAIR,
    DRAWN,
    LAST,
    SPOT,
) = range(FIELDS)
"""Fields of a table: cards dealt before the round, and now; cards ready; answers of the round; its
status; the cell of the question, or of the last hand; hands waiting;
whether the hole card is face down; net, number of hands and net of insurance, which at a question
is the number of insured hands; the choice of bet; where the hand's second card is, and where the
cards it drew begin and end; its spot."""

OVER, BETTING, ASKED, SETTLED, DUE, ENDED = range(6)
"""Status of a table: it waits for a reset, a bet, an answer, or the one answer of a round that was
over at once; in a step, its round is to be played, or has just ended."""

INSURANCE_KIND: Final = 15
"""Stands for the upcard in the cell of an insurance question."""
CELL_MASK: Final = (1 << 16) - 1
PLACE_SHIFT: Final = 16
"""An entry of `trail` is the cell, and from this bit on what `LEVEL_SHIFT` describes."""
LEVEL_SHIFT: Final = 24
"""Bits 16 to 23 of an entry: the number of finished hands, or the spot of an offer; from bit 24:
the hands that wait to be played, or 1 for even money."""
