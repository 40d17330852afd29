"""The layout `hand` in each of the simulator's cells."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from upcard.core.cards import ACE
from upcard.env.actions import SPLIT
from upcard.env.observations import HAND_FIELDS
from upcard.env.questions import CELLS, Stage
from upcard.kernels import codes
from upcard.kernels.desk_codes import INSURANCE_KIND
from upcard.kernels.game import KINDS, LoweredGame
from upcard.simulation.lower import HANDS, PAIR_ROWS, ROWS

_TWO_CARDS: Final = (
    *(codes.FIRST_TWO, codes.EARLY, codes.SPLIT_MORE, codes.SPLIT_FULL),
    *(codes.ACES_MORE, codes.ACES_FULL),
)
_NOT_SPLIT: Final = (codes.FIRST_TWO, codes.LATER, codes.EARLY)


def list_cell_rows(game: LoweredGame) -> NDArray[np.float32]:
    """Return what `HAND_FIELDS` show in a cell, without the hands that wait.

    `game.choice` has the bits of the legal answers. Shape: (CELLS, fields).
    """
    rows = np.zeros((CELLS, len(HAND_FIELDS)), np.float32)
    for cell in range(CELLS):
        context, rest = divmod(cell, ROWS * KINDS)
        row, kind = divmod(rest, KINDS)
        pair = max(row - PAIR_ROWS + 1, 0)
        state = HANDS.state_of((pair, pair)) if pair else row
        stage = Stage.PLAY
        if context == codes.EARLY:
            stage = Stage.INSURANCE if kind == INSURANCE_KIND else Stage.SURRENDER
        is_shown = stage is not Stage.PLAY or (int(game.choice[cell]) >> SPLIT) & 1
        rows[cell] = (
            HANDS.total[state],
            HANDS.is_soft[state],
            ACE if stage is Stage.INSURANCE else kind + 1,
            pair if is_shown else 0,
            context in _TWO_CARDS,
            context not in _NOT_SPLIT,
            0,
            stage,
        )
    return rows
