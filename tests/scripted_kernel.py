"""Rounds of the compiled simulator from cards in a known order, to compare it with the table."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from upcard.simulation.kernels import loop_codes
from upcard.simulation.kernels.game import KINDS
from upcard.simulation.kernels.side_tables import CARD_OF_BYTE
from upcard.simulation.lower import lower
from upcard.simulation.run_rounds import record_rounds

if TYPE_CHECKING:
    from collections.abc import Sequence

    from upcard.core.cards import Card
    from upcard.simulation.job import Job
    from upcard.simulation.run_rounds import KernelRound


def record_script(job: Job, cards: Sequence[Card]) -> tuple[KernelRound, ...]:
    """Play as many rounds as are complete from all the cards of a shoe."""
    lowered = lower(job)
    size = len(lowered.game.deck)
    assert len(cards) == size, f"{len(cards)} cards: the simulator's shoe has {size}"
    has_red_7 = job.system is not None and job.system.red_7 is not None
    if lowered.side is not None:
        bytes_of = CARD_OF_BYTE.items()  # a red seven's own kind after its plain one
        byte_of = {card: byte for byte, card in bytes_of if has_red_7 or byte % KINDS < 10}
        in_full = np.array([byte_of[card] for card in cards], np.uint8)
        return tuple(record_rounds(job, 0, 0, size, in_full))
    kinds = [
        loop_codes.RED_7
        if has_red_7 and card.rank == 7 and card.suit in ("D", "H")
        else card.rank - 1
        for card in cards
    ]
    return tuple(record_rounds(job, 0, 0, size, np.array(kinds, np.uint8)))
