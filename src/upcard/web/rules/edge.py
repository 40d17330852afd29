"""The exact edge of a game, the worth of every switch and the best chart, asked by pages."""

from __future__ import annotations

from typing import Final

from starlette.requests import Request

from upcard.answers.edge import EdgeAnswer, EffectsAnswer, answer_effects
from upcard.answers.edge import find_edge as compute_edge
from upcard.charts.facts import ChartFacts
from upcard.core.errors import BlackjackError
from upcard.rules.model import Rules
from upcard.web import reading, showing, site

_PATIENCE_SECONDS: Final = 0.8
_AT_ONCE: Final = 4
"""Games that wait for the solver at a time: a turned switch comes before the others."""


async def find_edge(
    request: Request, rules: Rules, *, what: str = "edge", patience: float | None = None
) -> EdgeAnswer | None:
    """Return the exact edge; None if it takes longer than `patience` seconds."""
    return await site.site_of(request).solver.ask(
        ("edge", rules),
        lambda: compute_edge(rules),
        part=what,
        patience=patience,
        may_be_saved=True,
    )


async def find_effects(request: Request, rules: Rules) -> EffectsAnswer:
    """Return the effects that are known; for JSON, all of them."""
    patience = None if showing.wants_json(request) else _PATIENCE_SECONDS
    present = await find_edge(request, rules, what="effects", patience=patience)
    turned = reading.list_turned(rules)
    found: list[tuple[str, Rules, EdgeAnswer]] = []
    missed = 0
    for switch, option, other in turned:
        edge = await find_edge(request, other, what="", patience=patience)
        if edge is not None:
            found.append((f"{switch}: {option}", other, edge))
            continue
        patience = 0
        missed += 1
        if missed == _AT_ONCE:
            break
    return answer_effects(present, found, of=len(turned))


async def find_chart_facts(
    request: Request, rules: Rules, *, what: str = "chart", patience: float | None = None
) -> ChartFacts | BlackjackError | None:
    """Return the best chart with the values of its cells, or why there is none.

    None if it takes longer than `patience` seconds.
    """

    def compute() -> ChartFacts | BlackjackError:
        from upcard.answers.best_chart import find_chart  # the first page needs none

        try:
            return find_chart(rules)
        except BlackjackError as error:
            return error

    return await site.site_of(request).solver.ask(
        ("chart", rules), compute, part=what, patience=patience, may_be_saved=True
    )
