"""`EnvQuestion`: what an environment asks, from public information only; and its cell."""

from __future__ import annotations

from enum import IntEnum
from typing import Final, NamedTuple

from upcard.core.actions import Action
from upcard.kernels import codes
from upcard.kernels.game import KINDS
from upcard.rules.predicates import hands_left
from upcard.simulation.lower import PAIR_ROWS, ROWS, find_context, number_cell
from upcard.table.state import Phase, TableView


class Stage(IntEnum):
    """The kind of a question."""

    BET = 0
    INSURANCE = 1
    """Insurance or even money."""
    SURRENDER = 2
    """Surrender as a separate offer."""
    SPLIT = 3
    """A split as a separate offer."""
    PLAY = 4
    SETTLED = 5
    """Nothing: the round was over at once, or the episode is."""


_STAGES: Final = {
    Phase.INSURANCE: Stage.INSURANCE,
    Phase.SURRENDER: Stage.SURRENDER,
    Phase.SPLIT: Stage.SPLIT,
    Phase.PLAY: Stage.PLAY,
}
SETTLED_CELL, BET_CELL = 0, 1
"""No hand has these cells."""
CELLS: Final = codes.CONTEXTS * ROWS * KINDS
_INSURANCE_KIND: Final = KINDS - 1


class EnvQuestion(NamedTuple):
    """A question and the public state of the table."""

    stage: Stage
    view: TableView | None
    """None before the deal."""
    legal: tuple[Action, ...] = ()
    """Answers that the table takes; empty for a bet, and for a settled round."""


def ask(view: TableView, legal: tuple[Action, ...]) -> EnvQuestion:
    """Return the question of a table; that of a settled round if there are no answers."""
    if not legal:
        return EnvQuestion(Stage.SETTLED, view)
    return EnvQuestion(_STAGES[view.phase], view, legal)


def find_cell(question: EnvQuestion) -> int:
    """Return the number of the question in the simulator's tables, from 0 to `CELLS` - 1.

    Bets, insurance and settled rounds have cells that the simulator does not use.
    """
    view = question.view
    if view is None:
        return BET_CELL
    if question.stage is Stage.SETTLED or view.upcard is None:
        return SETTLED_CELL
    hand = view.hand
    row = PAIR_ROWS + hand.cards[0].rank - 1 if hand.is_pair else hand.arithmetic_state
    kind = view.upcard.rank - 1
    if question.stage in (Stage.INSURANCE, Stage.SURRENDER):
        if question.stage is Stage.INSURANCE:
            kind = _INSURANCE_KIND
        return number_cell(codes.EARLY, row, kind)
    return number_cell(_context(view), row, kind)


def _context(view: TableView) -> int:
    hand = view.hand
    has_room = True
    if hand.is_split:
        of_spot = sum(other.spot == hand.spot for other in view.hands)
        has_room = hands_left(view.rules, spot_hands=of_spot, all_hands=len(view.hands)) != 0
    return find_context(len(hand.cards), hand.split_rank, has_room=has_room)
