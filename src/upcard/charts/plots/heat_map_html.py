"""The heat map as a page: the picture, and the costliest places as a table."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import Final

from upcard.charts.palette import LIGHT_PAGE
from upcard.charts.plots.heat_map import HeatMap, list_worst
from upcard.charts.plots.heat_map_svg import draw_heat_svg

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
            "<!DOCTYPE html>",
            '<html lang="en" xmlns="http://www.w3.org/1999/xhtml">',
            '<head><meta charset="utf-8"/>',
            '<meta name="viewport" content="width=device-width, initial-scale=1"/>',
            f"<title>{escape(heat_map.layout.heading)}</title>",
            f"<style>\n{_STYLE % LIGHT_PAGE._asdict()}</style></head>",
            f"<body><main>{draw_heat_svg(heat_map)}",
            *_draw_worst(heat_map, per_hour),
            "</main></body></html>\n",
        )
    )


def _draw_worst(heat_map: HeatMap, per_hour: float | None) -> Iterator[str]:
    if not heat_map.worst:
        return
    heads, *rows = list_worst(heat_map, per_hour=per_hour)
    yield "<table><caption>Where most was lost, in chips</caption>"
    names = "".join(f'<th scope="col">{escape(name)}</th>' for name in heads)
    yield f"<thead><tr>{names}</tr></thead><tbody>"
    for name, *cells in rows:
        columns = "".join(f"<td>{escape(cell)}</td>" for cell in cells)
        yield f'<tr><th scope="row">{escape(name)}</th>{columns}</tr>'
    yield "</tbody></table>"
