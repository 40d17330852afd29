"""`TableTerms`: how many tables are played and observed; `StepResult`: what a step fills."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

NEXT_STEP, SAME_STEP, DISABLED = range(3)
"""When a table begins its next episode."""
FIRST_BET: Final = 6
RANKS: Final = 10
HAND_COLUMNS: Final = 8


class TableTerms(NamedTuple):
    """How the tables are played, and what of them is observed."""

    seeds: NDArray[np.uint64]
    """By table."""
    stakes: NDArray[np.int64]
    """By choice of bet: times a net in 1/unit, and divided by `divisor`, the reward."""
    divisor: int
    mode: int
    """NEXT_STEP, SAME_STEP or DISABLED."""
    is_fresh: int
    """Whether every round has a shoe of its own."""
    by_shoe: int
    """Whether an episode lasts until the cut card."""
    actions: int
    hands: NDArray[np.float32]
    """By cell * HAND_COLUMNS: what is observed of a hand and its question."""
    columns: int
    """Numbers in a row of an observation."""
    most_waiting: int
    has_cards: int
    has_spot: int
    has_count: int
    has_composition: int
    decks: int
    seen: NDArray[np.int64]
    """n * RANKS: cards seen before the round since the shuffle; for the composition only."""
    credit: NDArray[np.float64]
    """n * (most_answers + 1): what each answer of a round that ended is credited with."""
    credits: NDArray[np.int64]
    """n: the number of these."""
    hand_numbers: NDArray[np.int64]
    nets: NDArray[np.float64]
    """n * most_hands: the net of each hand."""


class StepResult(NamedTuple):
    """Arrays that a step fills: one row or entry for each table."""

    rewards: NDArray[np.float64]
    over: NDArray[np.bool_]
    ended: NDArray[np.bool_]
    """Whether a round has ended."""
    masks: NDArray[np.int8]
    cells: NDArray[np.int64]
    """Empty if cells are not observed."""
    rows: NDArray[np.float32]
    """Empty if cells are observed."""
    final_masks: NDArray[np.int8]
    """As above, but before the next episode; for SAME_STEP only, as the next two."""
    final_cells: NDArray[np.int64]
    final_rows: NDArray[np.float32]
