"""The exact edge of a game, and the difference between two, as pages show them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from upcard.core.errors import as_sentence
from upcard.core.numbers import with_minus
from upcard.session.edge import Edge
from upcard.session.edge import find_edge as compute_edge
from upcard.web.showing import topic_of
from upcard.web.site import site_of

if TYPE_CHECKING:
    from starlette.requests import Request

    from upcard.rules.model import Rules

_SAME: Final = 1e-9
"""Smaller differences are rounding errors of the solver."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EdgeView:
    """The edge of a game, or why there is none."""

    ev: float | None
    """EV of a round per initial bet, for the player."""
    title: str
    """`House edge` or `Your edge`."""
    figure: str
    """The edge in percent of the initial bet, as text, or `not known`."""
    sentence: str
    """The edge as a sentence, or the reason why it is not known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EdgeChange:
    """Worth of a change of rules to the player."""

    ev: float
    """Change of the EV of a round per initial bet; above 0 is better for the player."""
    figure: str
    """The change in percent with its sign: `−0.2173%`."""
    sentence: str
    """The change in words: `0.2173% worse for you.`."""
    tone: str
    """`good`, `bad` or `same`, for the player."""


async def find_edge(
    request: Request, rules: Rules, *, what: str = "edge", patience: float | None = None
) -> EdgeView | None:
    """Return the exact edge; None if it takes longer than `patience` seconds."""
    topic = topic_of(request, what)
    edge = await site_of(request).desk.ask(
        ("edge", rules),
        lambda: compute_edge(rules),
        topic=topic,
        patience=patience,
        may_be_saved=True,
    )
    return None if edge is None else look_at_edge(edge)


def look_at_edge(edge: Edge) -> EdgeView:
    """Return an edge in the words of the start screen."""
    title, _, figure = edge.title.partition("  ")
    return EdgeView(ev=edge.ev, title=title, figure=figure, sentence=as_sentence(edge.sentence))


def compare_edges(before: EdgeView | None, after: EdgeView | None) -> EdgeChange | None:
    """Return the difference between two edges; None if one of them is not known."""
    if before is None or after is None:
        return None
    change = Edge(after.ev).change_from(Edge(before.ev))
    if change is None:
        return None
    if before.ev == after.ev or abs(change) < _SAME:
        return EdgeChange(ev=0.0, figure="0.0000%", sentence="It changes nothing.", tone="same")
    figure = with_minus(f"{change:+.4%}")
    whom = "better" if change > 0 else "worse"
    return EdgeChange(
        ev=change,
        figure=figure,
        sentence=f"{abs(change):.4%} {whom} for you.",
        tone="good" if change > 0 else "bad",
    )
