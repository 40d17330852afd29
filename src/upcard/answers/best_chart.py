"""The best chart of a game, and what differs from another chart."""

from __future__ import annotations

from dataclasses import dataclass, replace

from upcard.charts.facts import ChartFacts
from upcard.charts.layout import (
    ChangedCell,
    ChartBlock,
    ChartList,
    Layout,
    Mark,
    compare_charts,
    lay_out,
)
from upcard.core.errors import BlackjackError
from upcard.core.numbers import count_of, fields_of


@dataclass(frozen=True, slots=True, kw_only=True)
class OtherChart:
    """A chart below the first: for other hands of the dealer, or those that the house paid for."""

    heading: str
    """Heading of the chart."""
    upcards: tuple[str, ...]
    """Its columns."""
    blocks: tuple[ChartBlock, ...]
    legend: tuple[Mark, ...]
    """Its marks."""
    captions: tuple[str, ...]
    """Sentences about the chart."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChartAnswer:
    """A chart; `changed` compares it with another one."""

    upcards: tuple[str, ...] = ()
    """Its columns."""
    upcards_are: str = ""
    """The meaning of the columns."""
    blocks: tuple[ChartBlock, ...] = ()
    legend: tuple[Mark, ...] = ()
    """The marks that the chart uses."""
    captions: tuple[str, ...] = ()
    """Assumptions of the chart, a sentence each."""
    lists: tuple[ChartList, ...] = ()
    """Plays that no cell shows: the hits that bonuses are for."""
    below: tuple[OtherChart, ...] = ()
    """Charts below it: for other hands of the dealer, for hands that the house has paid for."""
    changed: tuple[ChangedCell, ...] = ()
    """The cells that differ from the other chart; empty without one."""
    changed_words: str = ""
    """The number of changed cells as a sentence; empty without another chart."""
    why_none: str = ""


def as_other_chart(part: Layout, *, blocks: tuple[ChartBlock, ...] | None = None) -> OtherChart:
    """Return a chart below another one."""
    return OtherChart(
        blocks=blocks or part.blocks, **fields_of(part, "heading", "upcards", "legend", "captions")
    )


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
    if not isinstance(other, ChartFacts):
        pass
    elif other.strategy.columns != facts.strategy.columns:
        words = "The charts do not compare: one goes by the upcard, the other by both dealer cards."
    else:
        changed = compare_charts(other.strategy, facts.strategy)
        words = _count(len(changed), is_before=is_before)
    return ChartAnswer(
        upcards=layout.upcards,
        upcards_are=layout.upcards_are,
        blocks=_note_changes(layout.blocks, changed),
        legend=layout.legend,
        captions=layout.captions,
        lists=layout.lists,
        below=tuple(
            as_other_chart(one, blocks=_note_changes(one.blocks, () if one.is_apart else changed))
            for one in layout.below
        ),
        changed=changed,
        changed_words=words,
    )


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
