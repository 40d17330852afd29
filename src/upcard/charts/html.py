"""The chart as a web page: real tables, light and dark, printable, with no external resources."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Final

from upcard.charts.palette import DARK_PAGE, LIGHT_PAGE, PAINTS, PageColors

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from upcard.charts.layout import ChartBlock, ChartCell, Layout, Mark

_STYLE: Final = """\
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink);
  font: 16px/1.45 system-ui, sans-serif; }
main { max-width: 74rem; margin: 0 auto; padding: 1.5rem clamp(.5rem, 2.5vw, 2rem); }
h1 { margin: 0; font-size: 1.6rem; line-height: 1.25; text-wrap: balance; }
.line { margin: .25rem 0 0; color: var(--muted); font-size: .9rem; }
.chart { display: grid; gap: 1rem 2.5rem; margin: 1rem 0;
  grid-template-columns: repeat(auto-fit, minmax(min(100%, 27rem), 1fr)); }
table { width: 100%; table-layout: fixed; border-collapse: separate; border-spacing: 2px; }
caption { padding: .5rem 0 .25rem; font-size: 1.1rem; font-weight: 700; text-align: left; }
caption small { float: right; padding: .2rem 2px 0; color: var(--muted); font-weight: 400; }
th { padding: 0; font-size: .9rem; font-weight: 600; font-variant-numeric: tabular-nums; }
thead th:first-child { width: 3.4rem; }
thead th:first-child { padding-right: .5rem; color: var(--muted); font-weight: 400;
  text-align: right; }
tbody th { padding-right: .5rem; text-align: right; white-space: nowrap; }
td.mark, .key { height: 1.95rem; padding: 0; border-radius: 4px; text-align: center;
  line-height: 1.1; font-weight: 700; print-color-adjust: exact;
  -webkit-print-color-adjust: exact; }
.mark small { font-size: .75em; font-weight: 400; }
.mark span { display: block; padding-top: .1rem; font-size: .66rem; font-weight: 400;
  font-variant-numeric: tabular-nums; letter-spacing: -.01em; }
.figures td.mark { height: 2.5rem; }
.legend { display: grid; grid-template-columns: repeat(auto-fill, minmax(13rem, 1fr));
  gap: .4rem 1rem; margin: 1.4rem 0 0 3.4rem; padding: 0; list-style: none; }
.legend li { display: flex; align-items: center; gap: .6rem; }
.key { display: inline-block; flex: none; width: 2.7rem; height: 1.75rem; line-height: 1.75rem; }
details { margin-top: 1rem; border-top: 1px solid var(--line); padding-top: .75rem; }
summary { cursor: pointer; font-weight: 600; }
dl { display: grid; grid-template-columns: minmax(7rem, max-content) 1fr; gap: .25rem 1rem;
  font-size: .9rem; }
dt { color: var(--muted); }
dd { margin: 0; }
@media (max-width: 30rem) { .legend { margin-left: 0; } .mark span { font-size: .5rem; }
  thead th:first-child { width: 2.6rem; } }
@page { size: landscape; margin: 10mm; }
@media print {
  main { max-width: none; padding: 0; }
  body { font-size: 12px; }
  h1 { font-size: 1.2rem; }
  .line { margin: 0; font-size: .75rem; }
  .chart { grid-template-columns: 1fr 1fr; gap: 0 1.5rem; margin: 0 0 .5rem; }
  caption { padding: .25rem 0 0; font-size: .9rem; }
  td.mark { height: 1.5rem; }
  .figures td.mark { height: 1.65rem; line-height: 1; }
  .mark span { padding: 0; font-size: .56rem; }
  table, .legend { break-inside: avoid; }
  th { font-size: .8rem; }
  .legend { grid-template-columns: 1fr 1fr; margin-top: .8rem; }
  details { display: none; }
}
"""


def draw_html(layout: Layout) -> str:
    """Draw the page; the rules in words can be unfolded."""
    hard, soft, pairs = layout.blocks
    kind = "chart figures" if layout.has_figures else "chart"
    return "\n".join(
        (
            "<!DOCTYPE html>",
            '<html lang="en" xmlns="http://www.w3.org/1999/xhtml">',
            '<head><meta charset="utf-8"/>',
            '<meta name="viewport" content="width=device-width, initial-scale=1"/>',
            '<meta name="color-scheme" content="light dark"/>',
            f"<title>{escape(layout.heading)}</title>",
            f"<style>\n{''.join(_write_colors(layout))}{_STYLE}</style></head>",
            f"<body><main><h1>{escape(layout.heading)}</h1>",
            *(f'<p class="line">{escape(line)}</p>' for line in layout.subheadings),
            f'<div class="{kind}"><div>',
            *_draw_table(layout, hard),
            *_draw_legend(layout),
            "</div><div>",
            *_draw_table(layout, soft),
            *_draw_table(layout, pairs),
            "</div></div>",
            f'<p class="line">{escape(" ".join(layout.captions))}</p>',
            *_draw_rules(layout),
            "</main></body></html>\n",
        )
    )


def _write_colors(layout: Layout) -> Iterator[str]:
    yield f":root {{ color-scheme: light dark; {_variables(LIGHT_PAGE)} }}\n"
    yield "@media (prefers-color-scheme: dark) { @media screen {\n"
    yield f"  :root {{ {_variables(DARK_PAGE)} }}\n}} }}\n"
    yield from write_mark_colors(layout.legend)


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
    columns = f"<small>{escape(layout.upcards_are)}</small>"
    yield f"<table><caption>{escape(block.name)} {columns}</caption>"
    upcards = "".join(f'<th scope="col">{upcard}</th>' for upcard in layout.upcards)
    yield f'<thead><tr><th scope="col">hand</th>{upcards}</tr></thead><tbody>'
    for row in block.rows:
        cells = "".join(_draw_cell(cell) for cell in row.cells)
        yield f'<tr><th scope="row">{escape(row.name)}</th>{cells}</tr>'
    yield "</tbody></table>"


def _draw_cell(cell: ChartCell) -> str:
    figure = f"<span>{escape(cell.figure)}</span>" if cell.figure else ""
    return (
        f'<td class="mark {cell.mark.text}" title="{escape(cell.hint)}">'
        f"{_write_mark(cell.mark)}{figure}</td>"
    )


def _write_mark(mark: Mark) -> str:
    second = f"<small>{mark.text[1:]}</small>" if mark.second else ""
    return mark.text[0] + second


def _draw_legend(layout: Layout) -> Iterator[str]:
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
