"""`render_chart`: a chart as a picture, as a web page, as text, and as data."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from html import escape
from importlib.resources import files
from itertools import zip_longest
from math import ceil
from typing import TYPE_CHECKING, Final

from upcard.charts.facts import ChartFacts, Values, printable, write_json
from upcard.charts.layout import MARKS, ChartBlock, ChartCell, Layout, Mark, lay_out
from upcard.charts.palette import DARK_PAGE, LIGHT_PAGE, PAINTS, PageColors, Paint
from upcard.core.actions import Action
from upcard.core.errors import NotationError
from upcard.core.numbers import with_minus
from upcard.rules.model import Rules
from upcard.strategy.chart import Strategy

if TYPE_CHECKING:
    from upcard.analysis.indices.plays import Index, IndexQuestion
    from upcard.analysis.indices.rows import Indices
    from upcard.core.figure import AnswerTable
    from upcard.exact.solver_results import BonusPlay

_FITS: Final = 'style="max-width: 100%; height: auto"'
_MARGIN: Final = 36
_SVG_NAME_WIDTH: Final = 62
CELL_WIDTH: Final = 46
_GUTTER: Final = 44
_HEADER: Final = 52
"""Height of a block's name and upcards."""
_BLOCK_GAP: Final = 26
SPACING: Final = 2
_CORNER: Final = 13
"""Legs of the triangle in the colour of the second choice."""
_LEGEND_STEP: Final = 34
_LINE: Final = 20
_LINE_CHARS: Final = 140
"""Characters that fit in a line even in a wide sans-serif font."""

_SVG_STYLE: Final = """\
    text { font-family: system-ui, sans-serif; fill: %(ink)s; }
    .heading { font-size: 25px; font-weight: 700; }
    .line { font-size: 14px; fill: %(muted)s; }
    .block { font-size: 17px; font-weight: 700; }
    .upcard, .name { font-size: 14px; font-weight: 600; }
    .words { font-size: 15px; }
"""
FORMATS: Final = ("text", "svg", "html", "json", "tsv")
_WIDTH: Final = 80
_NAME_WIDTH: Final = 6
_GAP: Final = "    "
RESET: Final = "\x1b[0m"


def escape_svg(text: str) -> str:
    """Write text as XML takes it, which refuses controls; xml.sax would import a client of HTTP."""
    return escape(printable(text), quote=False)


def write_text(kind: str, x: float, y: float, text: str, fill: str = "") -> str:
    """Write text in the style of its kind, and in the colour `fill` if given."""
    paint = f' style="fill:{fill}"' if fill else ""
    place = f'x="{round(x, 1):g}" y="{round(y, 1):g}"'
    return f'<text class="{kind}" {place}{paint}>{escape_svg(text)}</text>'


def write_picture(  # noqa: PLR0913 (each is named in the call)
    kind: str,
    width: int,
    height: int,
    *body: str,
    style: str,
    title: str,
    about: str = "",
) -> str:
    """Write a picture that stands alone, scaled to the width of its place but not beyond its own.

    Its rules, one a line, are limited to its class: a page may have more pictures.
    """
    size = f'viewBox="0 0 {width} {height}" width="{width}" height="{height}" {_FITS}'
    scoped = ""
    for line in style.splitlines():
        selectors, _, rest = line.partition("{")
        limited = ", ".join(f".upcard-{kind} {one.strip()}" for one in selectors.split(","))
        scoped += f"    {limited} {{{rest}\n"
    return "\n".join(
        (
            f'<svg class="upcard-{kind}" xmlns="http://www.w3.org/2000/svg" {size} role="img"',
            f' aria-labelledby="{kind}-title {kind}-about">',
            f'<title id="{kind}-title">{escape_svg(title)}</title>',
            f'<desc id="{kind}-about">{escape_svg(about)}</desc>',
            f"<style>\n{scoped}</style>",
            *body,
            "</svg>\n",
        )
    )


class ChartFill:
    """The boxes of a chart: each action has its colour, and the legend explains the letters."""

    kind = "chart"
    style = """\
    .mark { font-size: 16px; font-weight: 700; }
    .second { font-size: 12px; font-weight: 400; }
    .figure { font-size: 10.5px; }
    .upcard, .mark, .figure { text-anchor: middle; }
    .name, .of { text-anchor: end; }
"""
    legend_gap = _BLOCK_GAP + 14
    legend_height = 0
    """Height that the legend needs, if it may be longer than the blocks beside it."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.row_height = 40 if layout.has_figures else 31

    def of_part(self, layout: Layout) -> ChartFill:
        """Return what fills a chart below this one."""
        return ChartFill(layout)

    @property
    def captions(self) -> Iterable[str]:
        """The paragraphs below the chart."""
        lists = (f"{one.heading} {'; '.join(one.lines)}." for one in self.layout.lists)
        return (" ".join(self.layout.captions), *lists)

    @property
    def about(self) -> str:
        """Description of the boxes."""
        return f"{self.layout.letters}."

    def draw_cell(self, cell: ChartCell, x: int, y: int) -> str:
        """Draw a box with letters, and the figure below them."""
        height = self.row_height
        baseline = y + (17 if cell.figure else height / 2 + 5.5)
        figure = ""
        if cell.figure:
            ink = PAINTS[cell.mark.first].ink
            figure = write_text("figure", x + CELL_WIDTH / 2, y + height - 8, cell.figure, ink)
        return _draw_mark(cell.mark, x, y, height, baseline) + figure

    def draw_legend(self, x: int, y: int) -> Iterator[str]:
        """Explain the marks in two columns, line by line as on the page."""
        height = 28
        for number, mark in enumerate(self.layout.legend):
            step, column = divmod(number, 2)
            left, top = x + column * 5 * CELL_WIDTH, y + step * _LEGEND_STEP
            yield _draw_mark(mark, left, top, height, top + height / 2 + 5.5)
            yield write_text("words", left + CELL_WIDTH + 10, top + height / 2 + 5, mark.words)


def draw_svg(layout: Layout, fill: ChartFill | None = None) -> str:
    """Draw a chart and those below it."""
    fill = fill or ChartFill(layout)
    width = 2 * _MARGIN + 2 * _width_of_block(layout) + _GUTTER
    body, y = _draw_blocks(layout, fill, _MARGIN + 22)
    for other in layout.below:
        more, y = _draw_blocks(other, fill.of_part(other), y + fill.legend_gap)
        body += more
    total = y - _LINE + _MARGIN - 8
    columns = f"Rows: the player's hand. Columns: the {layout.upcards_are}."
    below = [
        words
        for other in layout.below
        for words in (f"{other.heading}:", f"{other.letters}.", *other.captions)
    ]
    about = (*layout.subheadings, columns, fill.about, *layout.captions, *below)
    return write_picture(
        fill.kind,
        width,
        total,
        f'<rect width="{width}" height="{total}" rx="10" fill="{LIGHT_PAGE.paper}"/>',
        *body,
        style=(_SVG_STYLE + fill.style) % LIGHT_PAGE._asdict(),
        title=layout.heading,
        about=" ".join(filter(None, about)),
    )


def _width_of_block(layout: Layout) -> int:
    return _SVG_NAME_WIDTH + len(layout.upcards) * CELL_WIDTH


def _draw_blocks(layout: Layout, fill: ChartFill, y: int) -> tuple[list[str], int]:
    """Draw hard totals and the legend on the left, soft totals and pairs on the right.

    `y` is where the first line is; that of another line below the chart is returned.
    """
    hard, soft, pairs = layout.blocks
    right = _MARGIN + _width_of_block(layout) + _GUTTER
    body: list[str] = []
    for line in textwrap.wrap(layout.heading, 78):
        body.append(write_text("heading", _MARGIN, y, line))
        y += 30
    for subheading in layout.subheadings:
        for line in textwrap.wrap(subheading, _LINE_CHARS):
            body.append(write_text("line", _MARGIN, y - 2, line))
            y += _LINE
    below_hard = y + _HEADER + len(hard.rows) * fill.row_height + fill.legend_gap
    below_soft = y + _HEADER + len(soft.rows) * fill.row_height + _BLOCK_GAP
    below_pairs = below_soft + _HEADER + len(pairs.rows) * fill.row_height
    body += _svg_block(layout, fill, hard, _MARGIN, y)
    body += _svg_block(layout, fill, soft, right, y)
    legend_height = fill.legend_height
    if pairs.rows:
        body += _svg_block(layout, fill, pairs, right, below_soft)
    else:
        legend_height = _LEGEND_STEP * ceil(len(layout.legend) / 2)
    body += fill.draw_legend(_MARGIN + _SVG_NAME_WIDTH, below_hard)

    y = max(below_pairs, below_hard + legend_height) + 34
    for caption in fill.captions:
        for line in textwrap.wrap(caption, _LINE_CHARS):
            body.append(write_text("line", _MARGIN, y, line))
            y += _LINE
    return body, y


def _svg_block(layout: Layout, fill: ChartFill, block: ChartBlock, x: int, y: int) -> Iterator[str]:
    cells = x + _SVG_NAME_WIDTH
    yield write_text("block", cells, y + 20, block.name)
    edge = cells + len(layout.upcards) * CELL_WIDTH
    yield write_text("line of", edge - SPACING, y + 20, layout.upcards_are)
    for column, upcard in enumerate(layout.upcards):
        yield write_text("upcard", cells + (column + 0.5) * CELL_WIDTH, y + _HEADER - 8, upcard)
    for number, row in enumerate(block.rows):
        top = y + _HEADER + number * fill.row_height
        yield write_text("name", cells - 10, top + fill.row_height / 2 + 5, row.name)
        for column, cell in enumerate(row.cells):
            box = fill.draw_cell(cell, cells + column * CELL_WIDTH, top)
            yield f"<g><title>{escape_svg(cell.hint)}</title>{box}</g>"


def draw_box(x: int, y: int, height: int, fill: str, line: str = "") -> str:
    """Draw a box in the middle of a cell, with a line around it if it has a colour."""
    place = f'x="{x + SPACING / 2:g}" y="{y + SPACING / 2:g}"'
    size = f'width="{CELL_WIDTH - SPACING}" height="{height - SPACING}" rx="4"'
    edge = f' stroke="{line}"' if line else ""
    return f'<rect {place} {size}{edge} fill="{fill}"/>'


def _draw_mark(mark: Mark, x: int, y: int, height: int, baseline: float) -> str:
    """Draw a box in the first action's colour, its top right corner in that of the second."""
    paint = PAINTS[mark.first]
    corner = second = ""
    if mark.second is not None:
        left, top = x + CELL_WIDTH - SPACING / 2 - _CORNER, y + SPACING / 2
        path = f"M{left:g} {top:g}h{_CORNER - 4}q4 0 4 4v{_CORNER - 4}z"
        corner = f'<path d="{path}" fill="{PAINTS[mark.second].fill}"/>'
        second = f'<tspan class="second">{mark.text[1:]}</tspan>'
    middle = f'x="{x + CELL_WIDTH / 2:g}" y="{baseline:g}"'
    letters = f'<text class="mark" {middle} style="fill:{paint.ink}">{mark.text[0]}{second}</text>'
    return draw_box(x, y, height, paint.fill) + corner + letters


_CARD: Final = '<main class="card">'
PAGE_HEAD: Final = (
    "<!DOCTYPE html>",
    '<html lang="en" xmlns="http://www.w3.org/1999/xhtml">',
    '<head><meta charset="utf-8"/>',
    '<meta name="viewport" content="width=device-width, initial-scale=1"/>',
)


def draw_html(layout: Layout) -> str:
    """Draw the page; the rules in words can be unfolded."""
    body = (*_page_chart(layout), *_draw_rules(layout))
    return _draw_page("<main>", layout.heading, layout.subheadings, layout.marks, body)


def draw_index_card(found: Indices) -> str:
    """Draw a page to print with index plays, one a line, in the order of the rows."""
    heading, *lines = found.deviations.title.splitlines()
    rows = (
        (str(row.question), "".join(_draw_play(row.question, row.index)))
        for row in found.rows
        if row.index is not None
    )
    table = write_table("", ("hand", "play", "from", "else"), rows)
    return _draw_page(_CARD, heading, lines, MARKS.values(), table)


def draw_card(table: AnswerTable, lines: Iterable[str]) -> str:
    """Draw a page to print with a table, its title as the heading, and lines of text."""
    rows = (
        (name, "".join(f"<td>{escape(text)}</td>" for text in texts))
        for name, *texts in table.texts()
    )
    return _draw_page(_CARD, table.title, lines, (), write_table("", table.headings, rows))


def _draw_page(
    main: str, heading: str, lines: Iterable[str], marks: Iterable[Mark], body: Iterable[str]
) -> str:
    """Draw a page that stands alone, with the colours of the marks."""
    style = files(__package__).joinpath("chart_page.css").read_text("utf-8")
    colors = "".join((*_write_page_colors(), *write_mark_colors(marks)))
    return "\n".join(
        (
            *PAGE_HEAD,
            '<meta name="color-scheme" content="light dark"/>',
            f"<title>{escape(heading)}</title>",
            f"<style>\n{colors}{style}</style></head>",
            f"<body>{main}<h1>{escape(heading)}</h1>",
            *(f'<p class="line">{escape(line)}</p>' for line in lines),
            *body,
            "</main></body></html>\n",
        )
    )


def _draw_play(question: IndexQuestion, index: Index) -> Iterator[str]:
    mark = next((one for one in MARKS.values() if one.first is question.action), None)
    kind = "" if mark is None else f' class="mark {mark.text}"'
    otherwise = "hit" if question.action is Action.STAND else "as the chart"
    sign = "" if index.at_or_above else "below "
    yield f"<td{kind}>{escape(str(question.action))}</td>"
    yield f"<td>{sign}{with_minus(format(index.index, '+d'))}</td><td>{otherwise}</td>"


def _page_chart(layout: Layout) -> Iterator[str]:
    """Draw the tables of a chart, and below them those of the others."""
    hard, soft, pairs = layout.blocks
    yield f'<div class="{"chart figures" if layout.has_figures else "chart"}"><div>'
    yield from _draw_table(layout, hard)
    yield from _page_legend(layout)
    yield "</div><div>"
    for block in (soft, pairs):
        if block.rows:
            yield from _draw_table(layout, block)
    yield "</div></div>"
    yield f'<p class="line">{escape(" ".join(layout.captions))}</p>'
    for one in layout.lists:
        lines = "".join(f"<li>{escape(line)}</li>" for line in one.lines)
        yield f'<p class="line">{escape(one.heading)}</p><ul class="list">{lines}</ul>'
    for other in layout.below:
        yield f"<h2>{escape(other.heading)}</h2>"
        yield from _page_chart(other)


def _write_page_colors() -> Iterator[str]:
    yield f":root {{ color-scheme: light dark; {_variables(LIGHT_PAGE)} }}\n"
    yield "@media (prefers-color-scheme: dark) { @media screen {\n"
    yield f"  :root {{ {_variables(DARK_PAGE)} }}\n}} }}\n"


def write_mark_colors(marks: Iterable[Mark]) -> Iterator[str]:
    """Return a rule of CSS for each mark, with the colours of its cells."""
    for mark in marks:
        paint = PAINTS[mark.first]
        fill = paint.fill
        if mark.second is not None:
            # The corner has the colour of the second choice, as in the SVG.
            fill = f"linear-gradient(225deg, {PAINTS[mark.second].fill} 9px, {fill} 9.5px)"
        yield f".{mark.text} {{ background: {fill}; color: {paint.ink}; }}\n"


def _variables(page: PageColors) -> str:
    return " ".join(f"--{name}: {color};" for name, color in page._asdict().items())


def _draw_table(layout: Layout, block: ChartBlock) -> Iterator[str]:
    caption = f"{escape(block.name)} <small>{escape(layout.upcards_are)}</small>"
    rows = ((row.name, "".join(map(_draw_cell, row.cells))) for row in block.rows)
    yield from write_table(caption, ("hand", *layout.upcards), rows)


def write_table(
    caption: str, heads: Iterable[str], rows: Iterable[tuple[str, str]]
) -> Iterator[str]:
    """Write a table of HTML; each row is its name and the markup of its cells."""
    names = "".join(f'<th scope="col">{escape(name)}</th>' for name in heads)
    yield f"<table><caption>{caption}</caption>"
    yield f"<thead><tr>{names}</tr></thead><tbody>"
    for name, cells in rows:
        yield f'<tr><th scope="row">{escape(name)}</th>{cells}</tr>'
    yield "</tbody></table>"


def _draw_cell(cell: ChartCell) -> str:
    figure = f"<span>{escape(cell.figure)}</span>" if cell.figure else ""
    start = f'<td class="mark {cell.mark.text}" title="{escape(cell.hint)}">'
    return f"{start}{_write_mark(cell.mark)}{figure}</td>"


def _write_mark(mark: Mark) -> str:
    second = f"<small>{mark.text[1:]}</small>" if mark.second else ""
    return mark.text[0] + second


def _page_legend(layout: Layout) -> Iterator[str]:
    yield '<ul class="legend" aria-label="Legend">'
    for mark in layout.legend:
        key = f'<span class="mark key {mark.text}">{_write_mark(mark)}</span>'
        yield f"<li>{key} {escape(mark.words)}</li>"
    yield "</ul>"


def _draw_rules(layout: Layout) -> Iterator[str]:
    if not layout.rules_in_words:
        return
    yield "<details><summary>The rules in words</summary><dl>"
    for topic, sentence in layout.rules_in_words:
        yield f"<dt>{escape(topic)}</dt><dd>{escape(sentence)}</dd>"
    yield "</dl></details>"


@dataclass(frozen=True, slots=True)
class Line:
    """A line and its displayed width: escape sequences take no room."""

    text: str = ""
    width: int = 0

    def __add__(self, other: Line) -> Line:
        return Line(self.text + other.text, self.width + other.width)

    def padded(self, width: int) -> str:
        """Fill up with blanks."""
        return self.text + " " * (width - self.width)


def draw_text(layout: Layout, *, color: bool = False) -> str:
    """Draw the blocks side by side, or below one another if the cells have figures."""
    pen = ChartPen(color=color)
    place = _stack if layout.has_figures else place_side_by_side
    captions = textwrap.wrap(" ".join(layout.captions), _WIDTH)
    lines = [*write_head(layout, pen), *place(layout, pen), *captions]
    for one in layout.lists:
        lines += ["", one.heading, *(f"  {line}" for line in one.lines)]
    drawn = "".join(f"{line.rstrip()}\n" for line in lines)
    return "\n".join((drawn, *(draw_text(other, color=color) for other in layout.below)))


class ChartPen:
    """Writes with colours or without: a chart, whose letters have the colour of the play."""

    def __init__(self, *, color: bool) -> None:
        self.has_color = color

    def bold(self, text: str) -> str:
        """Write text in bold."""
        return f"\x1b[1m{text}{RESET}" if self.has_color else text

    def dim(self, text: str) -> str:
        """Write text that is less important."""
        return f"\x1b[2m{text}{RESET}" if self.has_color else text

    def paint(self, text: str, paint: Paint) -> str:
        """Write text on a fill."""
        if not self.has_color:
            return text
        return f"\x1b[38;5;{paint.xterm_ink};48;5;{paint.xterm_fill}m{text}{RESET}"

    def mark(self, mark: Mark, width: int) -> Line:
        """Write a mark on its colour; the letter is in the same column for every mark."""
        return Line(self.paint(f" {mark.text:<2}".center(width), PAINTS[mark.first]), width)

    def cell(self, cell: ChartCell, width: int) -> Line:
        """Write the letters of a cell."""
        return self.mark(cell.mark, width)

    def draw_legend(self, layout: Layout, room: int) -> list[Line]:
        """Explain the marks; if there is room, say what the columns are."""
        legend = list(_text_legend(layout, self))
        room -= len(legend)
        if room > 1:
            hint = f"Columns: the {layout.upcards_are}"
            legend.insert(0, Line(hint, len(hint)))
        if room > 0:
            legend.insert(0, Line())
        return legend


def write_head(layout: Layout, pen: ChartPen) -> Iterator[str]:
    """Write the heading and the subheadings."""
    yield from (pen.bold(line) for line in textwrap.wrap(layout.heading, _WIDTH))
    for subheading in layout.subheadings:
        yield from textwrap.wrap(subheading, _WIDTH)


def place_side_by_side(layout: Layout, pen: ChartPen) -> Iterator[str]:
    """Put hard totals and the legend on the left, soft totals and pairs on the right."""
    hard, soft, pairs = (list(_text_block(layout, block, pen)) for block in layout.blocks)
    right = [*soft, Line(), *pairs] if layout.blocks[2].rows else soft
    left = [*hard, *pen.draw_legend(layout, len(right) - len(hard))]
    width = max(line.width for line in left)
    for one, other in zip_longest(left, right, fillvalue=Line()):
        yield one.padded(width) + _GAP + other.text


def _text_block(layout: Layout, block: ChartBlock, pen: ChartPen) -> Iterator[Line]:
    name = block.name.split()[0]
    upcards = "".join(f" {upcard:<2}" for upcard in layout.upcards)
    yield Line(pen.bold(f"{name:<{_NAME_WIDTH}}{upcards}"), _NAME_WIDTH + len(upcards))
    for row in block.rows:
        line = Line(f"{row.name:>{_NAME_WIDTH - 1}} ", _NAME_WIDTH)
        for cell in row.cells:
            line += pen.cell(cell, 3)
        yield line


def _text_legend(layout: Layout, pen: ChartPen) -> Iterator[Line]:
    """Write the plain marks in one column, those with a second choice in another."""
    plain = [mark for mark in layout.legend if mark.second is None]
    double = [mark for mark in layout.legend if mark.second is not None]
    for one, other in zip_longest(plain, double):
        line = Line() if one is None else _explain(one, pen)
        if other is not None:
            line = Line(line.padded(11), 11) + _explain(other, pen)
        yield line


def _explain(mark: Mark, pen: ChartPen) -> Line:
    return pen.mark(mark, 3) + Line(f" {mark.words}", len(mark.words) + 1)


def _stack(layout: Layout, pen: ChartPen) -> Iterator[str]:
    """Put the blocks below one another, every row with a line of figures."""
    for block in layout.blocks:
        yield ""
        upcards = "".join(f" {upcard:<2}".center(7) for upcard in layout.upcards)
        yield pen.bold(f"{block.name.split()[0]:<{_NAME_WIDTH}}{upcards}")
        for row in block.rows:
            line = Line(f"{row.name:>{_NAME_WIDTH - 1}} ", _NAME_WIDTH)
            for cell in row.cells:
                line += pen.cell(cell, 7)
            yield line.text
            yield " " * _NAME_WIDTH + "".join(pen.dim(cell.figure.center(7)) for cell in row.cells)
    yield ""
    yield from (line.text for line in _text_legend(layout, pen))


def render_chart(  # noqa: PLR0913 (each is named in the call)
    strategy: Strategy,
    *,
    format: str,  # noqa: A002 (the word that the command line has for it)
    title: str | None = None,
    rules: Rules | None = None,
    ev: float | None = None,
    values: Values | None = None,
    numbers: str | None = None,
    notes: Iterable[str] = (),
    free: Strategy | None = None,
    bonus_plays: tuple[BonusPlay, ...] = (),
    color: bool = False,
) -> str:
    """Draw a strategy as `text`, `svg` or `html`, or write it as `json` or `tsv`.

    `title` replaces the strategy's own. `values` are EVs per initial bet by row label and
    `column_key`; `numbers` shows one in every cell of a picture: "ev", or the "cost" of the second-
    best play. `ev` is that of the whole game, `notes` state the assumptions behind the numbers.
    `free` is the chart for hands that the house has paid for, drawn below, `bonus_plays` are hits
    that bonuses are for, listed. `color` is for text. TSV is `str(strategy)`.
    """
    if format not in FORMATS:
        raise NotationError(f"unknown chart format {format!r}: one of {', '.join(FORMATS)}")
    if numbers is not None and format in ("json", "tsv"):
        drawn = "figures are drawn in text, svg and html"
        raise NotationError(f"numbers={numbers!r} with format {format!r}: {drawn}")
    if color and format != "text":
        raise NotationError(f"color with format {format!r}: it is for text")
    if title is not None:
        strategy = replace(strategy, title=title)
    if format == "tsv":
        return str(strategy)
    known, noted = values or {}, tuple(notes)
    facts = ChartFacts(
        strategy=strategy,
        rules=rules,
        ev=ev,
        values=known,
        notes=noted,
        free=free,
        bonus_plays=bonus_plays,
    )
    if format == "json":
        return write_json(facts)
    layout = lay_out(facts, numbers=numbers)
    if format == "text":
        return draw_text(layout, color=color)
    return draw_svg(layout) if format == "svg" else draw_html(layout)
