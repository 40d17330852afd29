"""Two charts compared, cell by cell."""

from __future__ import annotations

from typing import NamedTuple

from upcard.charts.layout import MARKS, Mark
from upcard.strategy.chart import HAND_LABELS, UPCARD_LABELS, Strategy


class ChangedCell(NamedTuple):
    """A cell that differs between two charts."""

    hand: str
    """Label of the row."""
    upcard: str
    before: Mark
    after: Mark


def compare_charts(before: Strategy, after: Strategy) -> tuple[ChangedCell, ...]:
    """Return the cells that differ, in the order of the chart."""
    return tuple(
        ChangedCell(hand, upcard, MARKS[old], MARKS[new])
        for hand, old_row, new_row in zip(HAND_LABELS, before.cells, after.cells, strict=True)
        for upcard, old, new in zip(UPCARD_LABELS, old_row, new_row, strict=True)
        if old != new
    )
