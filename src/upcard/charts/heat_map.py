"""The heat map of mistakes: its layout, drawn as a picture, as a page and as text.

The letters are the chart's and show the right play; the shade shows the loss. Shades are distinct
in lightness alone; text shows them by a mark before the letters.
"""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from html import escape
from typing import Final, NamedTuple, TypeAlias

from upcard.analysis.grades import count_grades
from upcard.charts import palette, render
from upcard.charts.facts import ChartFacts
from upcard.charts.layout import ChartCell, ChartRow, Layout, is_two_cards, lay_out
from upcard.charts.render import write_text
from upcard.core.errors import NotationError
from upcard.core.figure import align

Key: TypeAlias = tuple[str, str]
"""A row's label and the column's key (`A`, `2` to `9`, `T`; with both dealer cards `4`, `A7`)."""

WORST_SHOWN: Final = 10
SHARES: Final = (1 / 27, 1 / 9, 1 / 3, 1.0)
"""The upper limit of each shade, as a share of the loss in the costliest cell: a few mistakes cost
most, so each shade is three times the one before."""
MARKS: Final = (".", "1", "2", "3", "4")
"""The mark before the letters in text: asked and always right, then by level."""
SHADES: Final = (
    palette.Paint("#f1f5ee", palette.DARK_INK, 231, 16),
    palette.Paint("#fbd0a0", palette.DARK_INK, 222, 16),
    palette.Paint("#ef9a52", palette.DARK_INK, 209, 16),
    palette.Paint("#b84a12", palette.LIGHT_INK, 130, 231),
    palette.Paint("#5e1600", palette.LIGHT_INK, 52, 231),
)
SHADES_ON_DARK: Final = (
    palette.Paint("#1d3029", "#c9d6d0", 236, 250),
    palette.Paint("#4d3219", "#ffe9d2", 58, 230),
    palette.Paint("#8a4f1a", "#ffffff", 94, 231),
    palette.Paint("#d98032", palette.DARK_INK, 173, 16),
    palette.Paint("#ffd09a", palette.DARK_INK, 223, 16),
)
"""The same on a dark page, where more is lighter."""
_WIDTH: Final = 79


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
        asked, wrong, cost, variance = other
        return Heat(
            self.asked + asked, self.wrong + wrong, self.cost + cost, self.variance + variance
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
    """Arrange the map; `others` are places that no chart has, by name."""
    places = {f"{label} v {key}": heat for (label, key), heat in heats.items()}
    # Mistakes after a double are in the cells of the same hands.
    chart = lay_out(replace(facts, strategy=replace(facts.strategy, doubled=())))
    missing = places.keys() - {cell.place for _, cell in _list_cells(chart)}
    if missing:
        raise NotationError(
            *(f"a mistake at {one}: there is no such cell" for one in sorted(missing))
        )
    most = max((heat.cost for heat in heats.values()), default=0.0)
    first, *others_of_chart = (_heat_part(part, places, most) for part in (chart, *chart.below))
    layout = replace(first, below=tuple(others_of_chart))
    used = {cell.level for _, cell in _list_cells(layout)}
    legend = tuple((level, words) for level, words in enumerate(_explain(most)) if level in used)
    return HeatMap(layout=layout, legend=legend, worst=tuple(_find_worst(layout, places, others)))


def _list_cells(chart: Layout) -> Iterator[tuple[ChartRow, ChartCell]]:
    """Iterate over the cells of a chart and those below it, with their rows."""
    for part in (chart, *chart.below):
        for block in part.blocks:
            yield from ((row, cell) for row in block.rows for cell in row.cells)


def _heat_part(part: Layout, places: Mapping[str, Heat], most: float) -> Layout:
    hard, soft, pairs = (
        replace(block, rows=tuple(_heat_row(row, places, most) for row in block.rows))
        for block in part.blocks
    )
    return replace(part, blocks=(hard, soft, pairs))


def _heat_row(row: ChartRow, places: Mapping[str, Heat], most: float) -> ChartRow:
    cells = (_heat_cell(cell, places.get(cell.place), most) for cell in row.cells)
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
    layout: Layout, places: Mapping[str, Heat], others: Mapping[str, Heat]
) -> Iterator[Worst]:
    found = [Worst(name=name, right="", place="", heat=heat) for name, heat in others.items()]
    for row, cell in _list_cells(layout):
        if (heat := places.get(cell.place)) is not None:
            kind = "" if is_two_cards(cell.place.split()[0]) else "hard "
            name, right = f"{kind}{row.name} v {cell.upcard}", cell.mark.words
            found.append(Worst(name=name, right=right, place=cell.place, heat=heat))
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
        heat, right = worst.heat, worst.right or "-"
        costs = [heat.cost]
        if per_hour is not None:
            costs += [heat.cost * per_hour, heat.deviation * per_hour]
        counts = (str(heat.asked), count_grades(heat.wrong))
        rows.append((worst.name, right, *counts, *map(write_cost, costs)))
    return tuple(rows)


def write_cost(cost: float) -> str:
    """Write chips that were lost, in short form: `12`, `1.3`, `0.04`."""
    if cost >= 99.95:
        return f"{cost:.0f}"
    if cost >= 0.95:
        return f"{cost:.1f}"
    return f"{cost:.2f}" if cost >= 0.005 else "<0.01"


_KEY_STEP = 32
_draw_box = partial(render.draw_box, line=palette.LIGHT_PAGE.line)


def draw_heat_svg(heat_map: HeatMap) -> str:
    """Draw hard totals and the legend on the left, soft totals and pairs on the right."""
    return render.draw_svg(heat_map.layout, _HeatFill(heat_map))


class _HeatFill(render.ChartFill):
    """The boxes of a heat map: each level of loss has its shade."""

    kind = "heat"
    style = """\
    .mark { font-size: 15px; font-weight: 700; }
    .unasked { font-size: 15px; fill: %(muted)s; }
    .figure { font-size: 10.5px; }
    .upcard, .mark, .unasked, .figure { text-anchor: middle; }
    .name, .of { text-anchor: end; }
"""
    legend_gap = 26

    def __init__(self, heat_map: HeatMap) -> None:
        super().__init__(heat_map.layout)
        self.row_height = 36
        self.legend_height = (len(heat_map.legend) + 1) * _KEY_STEP
        self._heat_map = heat_map

    def of_part(self, layout: Layout) -> _HeatFill:
        return _HeatFill(replace(self._heat_map, layout=layout))

    @property
    def captions(self) -> Iterable[str]:
        return (self.layout.letters, *self.layout.captions)

    @property
    def about(self) -> str:
        worst = "; ".join(
            f"{item.name}: {item.heat.cost:.2f} chips lost"
            f" by {len(item.heat.wrong)} of {item.heat.asked}"
            for item in self._heat_map.worst
        )
        return f"Most was lost at {worst}." if worst else ""

    def draw_cell(self, cell: ChartCell, x: int, y: int) -> str:
        height = self.row_height
        middle, center = x + render.CELL_WIDTH / 2, y + height / 2 + 5
        if cell.level is None:
            letters = write_text("unasked", middle, center, cell.mark.text)
            return (
                render.draw_box(x, y, height, palette.LIGHT_PAGE.paper, palette.LIGHT_PAGE.line)
                + letters
            )
        paint = SHADES[cell.level]
        baseline = y + 16 if cell.figure else center
        box = _draw_box(x, y, height, paint.fill)
        box += write_text("mark", middle, baseline, cell.mark.text, paint.ink)
        if cell.figure:
            box += write_text("figure", middle, y + height - 7, cell.figure, paint.ink)
        return box

    def draw_legend(self, x: int, y: int) -> Iterator[str]:
        keys = [("never asked", palette.LIGHT_PAGE.paper)]
        keys += [(words, SHADES[level].fill) for level, words in self._heat_map.legend]
        for number, (words, fill) in enumerate(keys):
            top = y + number * _KEY_STEP
            yield _draw_box(x, top, 28, fill)
            yield write_text("words", x + render.CELL_WIDTH + 10, top + 19, words)


_STYLE: Final = """\
body { margin: 0; background: %(paper)s; color: %(ink)s;
  font: 16px/1.45 system-ui, sans-serif; }
main { max-width: 74rem; margin: 0 auto; padding: 1rem; }
svg { width: 100%%; height: auto; }
table { margin: 0 auto; border-collapse: collapse; font-variant-numeric: tabular-nums; }
caption { padding: .5rem; font-weight: 700; }
th, td { padding: .2rem .8rem; border-bottom: 1px solid %(line)s; text-align: right; }
th:nth-child(-n+2), td:nth-child(2) { text-align: left; }
"""


def draw_heat_html(heat_map: HeatMap, *, per_hour: float | None) -> str:
    """Draw the page; hovering over a cell shows its loss.

    `per_hour` converts a chip lost to chips an hour; None omits that column.
    """
    return "\n".join(
        (
            *render.PAGE_HEAD,
            f"<title>{escape(heat_map.layout.heading)}</title>",
            f"<style>\n{_STYLE % palette.LIGHT_PAGE._asdict()}</style></head>",
            f"<body><main>{draw_heat_svg(heat_map)}",
            *_draw_worst(heat_map, per_hour),
            "</main></body></html>\n",
        )
    )


def _draw_worst(heat_map: HeatMap, per_hour: float | None) -> Iterator[str]:
    if not heat_map.worst:
        return
    heads, *rows = list_worst(heat_map, per_hour=per_hour)
    cells = ((name, "".join(f"<td>{escape(one)}</td>" for one in rest)) for name, *rest in rows)
    yield from render.write_table("Where most was lost, in chips", heads, cells)


def draw_heat_text(heat_map: HeatMap, *, per_hour: float | None, color: bool = False) -> str:
    """Draw the blocks side by side and the worst places below.

    `per_hour` converts a chip lost to chips an hour; None omits that column.
    """
    pen, lines = _HeatPen(heat_map, color=color), list[str]()
    for part in (heat_map.layout, *heat_map.layout.below):
        lines += [*[""] * bool(lines), *render.write_head(part, pen), ""]
        lines += [*render.place_side_by_side(part, pen), ""]
        for caption in (part.letters, *part.captions):
            lines.extend(textwrap.wrap(caption, _WIDTH))
    if heat_map.worst:
        lines.extend(("", *_list_worst(heat_map, per_hour)))
    return "".join(f"{line.rstrip()}\n" for line in lines)


class _HeatPen(render.ChartPen):
    """Shades the letters by the chips lost, and writes the level before them."""

    def __init__(self, heat_map: HeatMap, *, color: bool) -> None:
        super().__init__(color=color)
        self._levels = heat_map.legend

    def cell(self, cell: ChartCell, width: int) -> render.Line:
        if cell.level is None:
            return render.Line(self.dim(f" {cell.mark.text:<2}"), width)
        text = f"{MARKS[cell.level]}{cell.mark.text:<2}"
        return render.Line(self.paint(text, SHADES[cell.level]), width)

    def draw_legend(self, layout: Layout, room: int) -> list[render.Line]:
        del layout, room  # the letters are below, and every level needs a line
        keys = [(self.paint(f" {MARKS[one]} ", SHADES[one]), words) for one, words in self._levels]
        lines = [render.Line(f"  {key}{words}", 5 + len(words)) for key, words in keys]
        never = "     never asked: no mark"
        return [render.Line(), *lines, render.Line(never, len(never))]


def _list_worst(heat_map: HeatMap, per_hour: float | None) -> Iterator[str]:
    yield "Where most was lost, in chips"
    columns = list(zip(*list_worst(heat_map, per_hour=per_hour), strict=True))
    if sum(2 + max(map(len, column)) for column in columns) > _WIDTH:
        del columns[1]  # the chart above has the right play
    left = range(len(columns) - (4 if per_hour is None else 6) + 1)
    yield from (f"  {line}" for line in align(list(zip(*columns, strict=True)), left))
