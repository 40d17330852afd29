"""The layout of a heat map of mistakes: a chart whose cells show the losses in them.

The letters are the chart's and show the right play; the shade shows the loss. Shades are distinct
in lightness alone, and in text by a mark before the letters.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final, NamedTuple, TypeAlias

from upcard.analysis.grades import count_grades
from upcard.charts.facts import UPCARD_LETTERS, ChartFacts
from upcard.charts.layout import ChartCell, ChartRow, Layout, lay_out
from upcard.charts.palette import DARK_INK, LIGHT_INK, Paint
from upcard.core.errors import NotationError
from upcard.strategy.chart import HAND_LABELS, HARD_LABELS, UPCARD_LABELS

Key: TypeAlias = tuple[str, str]
"""A row's label and the upcard's letter (`A`, `2` to `9`, `T`)."""

WORST_SHOWN: Final = 10
SHARES: Final = (1 / 27, 1 / 9, 1 / 3, 1.0)
"""The upper limit of each shade, as a share of the loss in the costliest cell: a few mistakes cost
most, so each shade is three times the one before."""
MARKS: Final = (".", "1", "2", "3", "4")
"""The mark before the letters in text: asked and always right, then by level."""
SHADES: Final = (
    Paint("#f1f5ee", DARK_INK, 231, 16),
    Paint("#fbd0a0", DARK_INK, 222, 16),
    Paint("#ef9a52", DARK_INK, 209, 16),
    Paint("#b84a12", LIGHT_INK, 130, 231),
    Paint("#5e1600", LIGHT_INK, 52, 231),
)
SHADES_ON_DARK: Final = (
    Paint("#1d3029", "#c9d6d0", 236, 250),
    Paint("#4d3219", "#ffe9d2", 58, 230),
    Paint("#8a4f1a", "#ffffff", 94, 231),
    Paint("#d98032", DARK_INK, 173, 16),
    Paint("#ffd09a", DARK_INK, 223, 16),
)
"""The same on a dark page, where more is lighter."""


class Heat(NamedTuple):
    """The results of the decisions in one place. Units: chips, 0 or more."""

    asked: int
    wrong: list[float]
    """Costs of the mistakes, per initial bet."""
    cost: float
    variance: float = 0.0
    """The square of one standard deviation of the cost."""

    @property
    def deviation(self) -> float:
        """One standard deviation of the cost, in chips."""
        return math.sqrt(self.variance)

    def __add__(self, other: object) -> Heat:
        if not isinstance(other, Heat):
            return NotImplemented
        return Heat(
            self.asked + other.asked,
            self.wrong + other.wrong,
            self.cost + other.cost,
            self.variance + other.variance,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Worst:
    """A place and its loss."""

    name: str
    right: str
    """The right play in words; empty where no chart has it."""
    place: str
    """Its cell, such as `16 v T`; empty where no chart has it."""
    heat: Heat


@dataclass(frozen=True, slots=True, kw_only=True)
class HeatMap:
    """A heat map, ready to be drawn."""

    layout: Layout
    """The chart, whose cells have a level and show what was lost."""
    legend: tuple[tuple[int, str], ...]
    """Each level that occurs, and what it means."""
    worst: tuple[Worst, ...]
    """The costliest places, at most `WORST_SHOWN`, including those that are on no chart."""


def lay_out_heat(
    facts: ChartFacts, heats: Mapping[Key, Heat], *, others: Mapping[str, Heat]
) -> HeatMap:
    """Arrange the map; `others` are places that no chart has, by name.

    Raises: NotationError naming the places that do not belong to a cell.
    """
    letters = dict.fromkeys(UPCARD_LETTERS)
    faults = [
        f"a mistake at {label!r} v {letter!r}: there is no such cell"
        for label, letter in heats
        if label not in HAND_LABELS or letter not in letters
    ]
    if faults:
        raise NotationError(*faults)
    chart = lay_out(facts)
    most = max((heat.cost for heat in heats.values()), default=0.0)
    labels = iter(HAND_LABELS)
    hard, soft, pairs = (
        replace(block, rows=tuple(_heat_row(row, next(labels), heats, most) for row in block.rows))
        for block in chart.blocks
    )
    layout = replace(chart, blocks=(hard, soft, pairs))
    used = {cell.level for block in layout.blocks for row in block.rows for cell in row.cells}
    return HeatMap(
        layout=layout,
        legend=tuple((level, words) for level, words in enumerate(_explain(most)) if level in used),
        worst=tuple(_find_worst(layout, heats, others)),
    )


def _heat_row(row: ChartRow, label: str, heats: Mapping[Key, Heat], most: float) -> ChartRow:
    cells = (
        _heat_cell(cell, heats.get((label, letter)), most)
        for letter, cell in zip(UPCARD_LETTERS, row.cells, strict=True)
    )
    return replace(row, cells=tuple(cells))


def _heat_cell(cell: ChartCell, heat: Heat | None, most: float) -> ChartCell:
    if heat is None:
        return replace(cell, hint=f"{cell.hint}. Never asked")
    hint = f"{cell.hint}. Asked {heat.asked}, {count_grades(heat.wrong) or 'no mistake'}"
    if heat.cost <= 0:
        return replace(cell, hint=hint, level=0)
    cost = write_cost(heat.cost)
    level = find_level(heat.cost, most)
    return replace(cell, hint=f"{hint}, cost {cost} chips", figure=cost, level=level)


def find_level(cost: float, most: float) -> int:
    """Return the shade of a cost where the costliest cell costs `most`: 0 for none, 1 to 4."""
    if cost <= 0:
        return 0
    return next(level for level, share in enumerate(SHARES, start=1) if cost <= most * share)


def _explain(most: float) -> Iterator[str]:
    yield "asked, no mistake"
    for share in SHARES:
        yield f"up to {write_cost(most * share)} chips lost"


def _find_worst(
    layout: Layout, heats: Mapping[Key, Heat], others: Mapping[str, Heat]
) -> Iterator[Worst]:
    found = [Worst(name=name, right="", place="", heat=heat) for name, heat in others.items()]
    in_order = (row for block in layout.blocks for row in block.rows)
    rows = dict(zip(HAND_LABELS, in_order, strict=True))
    for (label, letter), heat in heats.items():
        column = UPCARD_LETTERS.index(letter)
        kind = "hard " if label in HARD_LABELS else ""
        name = f"{kind}{rows[label].name} v {UPCARD_LABELS[column]}"
        right = rows[label].cells[column].mark.words
        found.append(Worst(name=name, right=right, place=f"{label} v {letter}", heat=heat))
    lost = [item for item in found if item.heat.cost > 0]
    yield from sorted(lost, key=lambda item: (-item.heat.cost, item.name))[:WORST_SHOWN]


def write_heat_colors() -> Iterator[str]:
    """Iterate over rules of CSS for the shades, for light and dark pages: `heat-0` to `heat-4`."""
    for level, (light, dark) in enumerate(zip(SHADES, SHADES_ON_DARK, strict=True)):
        fill = f"light-dark({light.fill}, {dark.fill})"
        ink = f"light-dark({light.ink}, {dark.ink})"
        yield f".heat-{level} {{ background: {fill}; color: {ink}; }}\n"


def list_worst(heat_map: HeatMap, *, per_hour: float | None) -> tuple[tuple[str, ...], ...]:
    """Return the costliest places as a table, names of the columns first.

    `per_hour` converts a chip lost to chips an hour; None omits that column and its standard
    deviation.
    """
    heads = ("hand", "right play", "asked", "mistakes", "cost")
    rows: list[tuple[str, ...]] = [heads if per_hour is None else (*heads, "an hour", "SD")]
    for worst in heat_map.worst:
        heat = worst.heat
        cells = (
            worst.name,
            worst.right or "-",
            str(heat.asked),
            count_grades(heat.wrong),
            write_cost(heat.cost),
        )
        rates = () if per_hour is None else (heat.cost * per_hour, heat.deviation * per_hour)
        rows.append((*cells, *map(write_cost, rates)))
    return tuple(rows)


def write_cost(cost: float) -> str:
    """Write chips that were lost, in short form: `12`, `1.3`, `0.04`."""
    if cost >= 99.95:
        return f"{cost:.0f}"
    if cost >= 0.95:
        return f"{cost:.1f}"
    return f"{cost:.2f}" if cost >= 0.005 else "<0.01"
