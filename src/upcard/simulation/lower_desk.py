"""Lower rules for the tables of a vector environment: legal answers instead of a chart."""

from __future__ import annotations

from typing import Final

import numpy as np

from upcard.kernels import codes, desk_codes
from upcard.kernels.game import LoweredGame
from upcard.rules.model import Rules
from upcard.simulation.decision_table import (
    ACTION_CODES,
    ROWS,
    fill_red_7,
    find_cells,
    number_cell,
)
from upcard.simulation.job import Job
from upcard.simulation.lower import lower
from upcard.strategy.chart import HAND_LABELS, Strategy
from upcard.strategy.count_system import CountSystem

_INFINITE_AHEAD: Final = (8, 4)
"""Cards of an infinite deck that are drawn at once, and more of them for each spot."""
_ANY_CHART: Final = Strategy(cells=(("S",) * 10,) * len(HAND_LABELS))


def lower_desk(rules: Rules, *, system: CountSystem | None = None, spots: int = 1) -> LoweredGame:
    """Lower a game whose player is asked: `choice` has a bit for each legal answer of a cell.

    Raises: UnsupportedRuleError for a rule or count that the kernel cannot honour.
    """
    game = lower(Job(rules=rules, strategy=_ANY_CHART, seed=0, system=system, spots=spots)).game
    bits = np.zeros(len(game.choice), np.uint16)
    for cell in find_cells(rules):
        for action in cell.legal:
            bits[cell.number] |= 1 << ACTION_CODES[action]
    for row in range(ROWS):
        number = number_cell(codes.EARLY, row, desk_codes.INSURANCE_KIND)
        bits[number] = 1 << codes.STAND | 1 << codes.INSURE
    fill_red_7(bits)
    ahead = game.shuffled_ahead
    if rules.is_infinite:
        ahead = _INFINITE_AHEAD[0] + spots * _INFINITE_AHEAD[1]
    return game._replace(choice=bits, shuffled_ahead=ahead)
