"""Strategy charts and heat maps as pages show them: real tables, with marked cells."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from upcard.charts.facts import UPCARD_LETTERS, ChartFacts
from upcard.charts.layout import ChartRow, Layout, Mark, compare_charts, lay_out, write_hand
from upcard.core.errors import BlackjackError
from upcard.strategy.chart import HAND_LABELS

_LISTED = 12
"""Changed cells that are listed in words; more are outlined only."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkView:
    """The letters of a cell: the action, and the one where the first is not allowed."""

    text: str
    """All letters of the mark: `H`, `Dh`, `Rs`."""
    first: str
    """Letter of the best action."""
    second: str
    """Letter of the action to take where the first is not allowed; empty without one."""
    words: str
    """The mark in words: `double, else hit`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CellView:
    """One hand against one upcard."""

    mark: MarkView
    """The best action; in a mistake map, that of the chart."""
    hint: str
    """The cell in words, with its figures if it has some."""
    upcard: str
    """The upcard as the chart writes it: `2` to `10`, `A`."""
    place: str
    """The hand and the upcard as an address has them: `16 v T`."""
    was: str
    """The mark of the other chart, in words; empty if it is the same."""
    figure: str
    """A number in small type; empty where there is none."""
    level: int | None
    """The shade in a heat map, 0 where nothing was lost; None where the play was never asked."""
    href: str
    """The address that the cell opens; empty where there is none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RowView:
    """One hand against ten upcards."""

    name: str
    """The hand as the chart writes it: `16`, `A,7`, `8,8`."""
    cells: tuple[CellView, ...]
    """A cell for each upcard, in the order of `upcards` of the chart."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BlockView:
    """Hard totals, soft totals or pairs."""

    name: str
    """Heading of the block."""
    rows: tuple[RowView, ...]
    """A row for each hand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangedView:
    """A cell that differs from the other chart."""

    hand: str
    """The hand as the chart writes it."""
    upcard: str
    """The upcard as the chart writes it."""
    before: str
    """The mark of the other chart, in words."""
    after: str
    """The mark of this chart, in words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChartView:
    """A chart; `changed` compares it with another one."""

    upcards: tuple[str, ...]
    """Headings of the columns."""
    blocks: tuple[BlockView, ...]
    """Hard totals, soft totals and pairs."""
    legend: tuple[MarkView, ...]
    """The marks that the chart uses."""
    captions: tuple[str, ...]
    """Assumptions of the chart, a sentence each."""
    changed: tuple[ChangedView, ...]
    """The cells that differ from the other chart; empty without one."""
    changed_words: str
    """The number of changed cells as a sentence; empty without another chart."""
    why_none: str = ""

    @property
    def listed(self) -> tuple[ChangedView, ...]:
        """The changed cells that are listed in words."""
        return self.changed[:_LISTED]

    @property
    def unlisted(self) -> int:
        """Number of changed cells that are outlined only."""
        return len(self.changed) - len(self.listed)


def look_at_chart(
    facts: ChartFacts | BlackjackError,
    other: ChartFacts | BlackjackError | None,
    *,
    is_before: bool,
) -> ChartView:
    """Return a chart as it is shown, compared with an `other` one if given.

    `is_before` says that the other one was shown before.
    """
    if isinstance(facts, BlackjackError):
        return ChartView(
            upcards=(),
            blocks=(),
            legend=(),
            captions=(),
            changed=(),
            changed_words="",
            why_none=str(facts),
        )
    layout = lay_out(facts)
    changed: tuple[ChangedView, ...] = ()
    words = ""
    if isinstance(other, ChartFacts):
        changed = tuple(
            ChangedView(
                hand=write_hand(cell.hand),
                upcard=cell.upcard,
                before=cell.before.words,
                after=cell.after.words,
            )
            for cell in compare_charts(other.strategy, facts.strategy)
        )
        words = _count(len(changed), is_before=is_before)
    return ChartView(
        upcards=layout.upcards,
        blocks=view_blocks(
            layout, before={(cell.hand, cell.upcard): cell.before for cell in changed}
        ),
        legend=tuple(_mark(mark) for mark in layout.legend),
        captions=layout.captions,
        changed=changed,
        changed_words=words,
    )


def view_blocks(
    layout: Layout,
    *,
    before: Mapping[tuple[str, str], str] | None = None,
    open_place: Callable[[str], str] | None = None,
) -> tuple[BlockView, ...]:
    """Return the blocks of a chart or of a heat map.

    `before` has the marks of another chart, by hand and upcard, in words; `open_place` gives the
    address that a cell with a loss opens.
    """
    labels = iter(HAND_LABELS)
    return tuple(
        BlockView(
            name=block.name,
            rows=tuple(
                _view_row(row, next(labels), layout.upcards, before or {}, open_place)
                for row in block.rows
            ),
        )
        for block in layout.blocks
    )


def _view_row(
    row: ChartRow,
    label: str,
    upcards: tuple[str, ...],
    before: Mapping[tuple[str, str], str],
    open_place: Callable[[str], str] | None,
) -> RowView:
    cells = []
    for letter, upcard, cell in zip(UPCARD_LETTERS, upcards, row.cells, strict=True):
        place = f"{label} v {letter}"
        cells.append(
            CellView(
                mark=_mark(cell.mark),
                hint=cell.hint,
                upcard=upcard,
                place=place,
                was=before.get((row.name, upcard), ""),
                figure=cell.figure,
                level=cell.level,
                href=open_place(place) if open_place is not None and cell.level else "",
            )
        )
    return RowView(name=row.name, cells=tuple(cells))


def _mark(mark: Mark) -> MarkView:
    return MarkView(text=mark.text, first=mark.text[0], second=mark.text[1:], words=mark.words)


def _count(changed: int, *, is_before: bool) -> str:
    if not changed:
        return "The chart stays the same." if is_before else "The charts are the same."
    cells = f"{changed} cell{'' if changed == 1 else 's'} of the chart"
    return f"{cells} {'change' if is_before else 'differ'}{'s' * (changed == 1)}."
