"""The best chart of a game, and what differs from another chart."""

from __future__ import annotations

from dataclasses import dataclass, replace

from upcard.charts.facts import ChartFacts
from upcard.charts.layout import ChangedCell, ChartBlock, Layout, Mark, compare_charts, lay_out
from upcard.core.errors import BlackjackError
from upcard.core.numbers import count_of


@dataclass(frozen=True, slots=True, kw_only=True)
class FreeChart:
    """The chart for hands that the house has paid for."""

    heading: str
    """Heading of the chart."""
    blocks: tuple[ChartBlock, ...]
    captions: tuple[str, ...]
    """Sentences about the chart."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChartAnswer:
    """A chart; `changed` compares it with another one."""

    upcards: tuple[str, ...] = ()
    blocks: tuple[ChartBlock, ...] = ()
    legend: tuple[Mark, ...] = ()
    """The marks that the chart uses, and that of free hands."""
    captions: tuple[str, ...] = ()
    """Assumptions of the chart, a sentence each."""
    free: FreeChart | None = None
    """The chart for hands that the house has paid for; null in a house without free splits."""
    changed: tuple[ChangedCell, ...] = ()
    """The cells that differ from the other chart; empty without one."""
    changed_words: str = ""
    """The number of changed cells as a sentence; empty without another chart."""
    why_none: str = ""


def answer_chart(
    facts: ChartFacts | BlackjackError,
    other: ChartFacts | BlackjackError | None = None,
    *,
    is_before: bool = False,
) -> ChartAnswer:
    """Return a chart, compared with an `other` one if given.

    `is_before` says that the other one was shown before.
    """
    if isinstance(facts, BlackjackError):
        return ChartAnswer(why_none=str(facts))
    layout = lay_out(facts)
    changed: tuple[ChangedCell, ...] = ()
    words = ""
    if isinstance(other, ChartFacts):
        changed = compare_charts(other.strategy, facts.strategy)
        words = _count(len(changed), is_before=is_before)
    return ChartAnswer(
        upcards=layout.upcards,
        blocks=_note_changes(layout.blocks, changed),
        legend=layout.marks,
        captions=layout.captions,
        free=None if layout.free is None else _answer_free(layout.free),
        changed=changed,
        changed_words=words,
    )


def _answer_free(layout: Layout) -> FreeChart:
    return FreeChart(heading=layout.heading, blocks=layout.blocks, captions=layout.captions)


def _note_changes(
    blocks: tuple[ChartBlock, ...], changed: tuple[ChangedCell, ...]
) -> tuple[ChartBlock, ...]:
    """Return the blocks with the mark of the other chart in the cells that changed."""
    before = {(one.hand, one.upcard): one.before for one in changed}
    return tuple(
        replace(
            block,
            rows=tuple(
                replace(
                    row,
                    cells=tuple(
                        replace(cell, was=before.get((row.name, cell.upcard), ""))
                        for cell in row.cells
                    ),
                )
                for row in block.rows
            ),
        )
        for block in blocks
    )


def _count(changed: int, *, is_before: bool) -> str:
    if not changed:
        return "The chart stays the same." if is_before else "The charts are the same."
    cells = f"{count_of(changed, 'cell')} of the chart"
    return f"{cells} {'change' if is_before else 'differ'}{'s' * (changed == 1)}."
