"""`render_chart`: a strategy in any of the formats."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from upcard.charts.data import write_json
from upcard.charts.facts import ChartFacts, Values
from upcard.charts.html import draw_html
from upcard.charts.layout import lay_out
from upcard.charts.svg import draw_svg
from upcard.charts.text import draw_text
from upcard.core.errors import NotationError
from upcard.rules.model import Rules
from upcard.strategy.chart import Strategy

FORMATS: Final = ("text", "svg", "html", "json", "tsv")


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
    color: bool = False,
) -> str:
    """Draw a strategy as `text`, `svg` or `html`, or write it as `json` or `tsv`.

    `title` replaces the strategy's own. `values` are EVs per initial bet by row label and upcard
    letter; `numbers` shows one in every cell of a picture: "ev", or the "cost" of the second-best
    play. `ev` is that of the whole game, `notes` state the assumptions behind the numbers. `color`
    is for text. TSV is `str(strategy)`: cells and insurance only.

    Raises: NotationError for an unknown format, or an option that the format does not have.
    """
    if format not in FORMATS:
        raise NotationError(f"unknown chart format {format!r}: one of {', '.join(FORMATS)}")
    if numbers is not None and format in ("json", "tsv"):
        msg = f"numbers={numbers!r} with format {format!r}: figures are drawn in text, svg and html"
        raise NotationError(msg)
    if color and format != "text":
        raise NotationError(f"color with format {format!r}: it is for text")
    if title is not None:
        strategy = Strategy(
            cells=strategy.cells, title=title, takes_insurance=strategy.takes_insurance
        )
    if format == "tsv":
        return str(strategy)
    facts = ChartFacts(
        strategy=strategy, rules=rules, ev=ev, values=values or {}, notes=tuple(notes)
    )
    if format == "json":
        return write_json(facts)
    layout = lay_out(facts, numbers=numbers)
    if format == "svg":
        return draw_svg(layout)
    if format == "html":
        return draw_html(layout)
    return draw_text(layout, color=color)
