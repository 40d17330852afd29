"""The exact edge of a game, and the difference between two, as pages show them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from upcard.core.errors import BlackjackError
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
    figure: str
    sentence: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EdgeChange:
    """Worth of a change of rules to the player."""

    ev: float
    figure: str
    sentence: str
    tone: str
    """`good`, `bad` or `same`, for the player."""


async def find_edge(
    request: Request, rules: Rules, *, what: str = "edge", patience: float | None = None
) -> EdgeView | None:
    """Return the exact edge; None if it takes longer than `patience` seconds.

    Raises: RefusedError, as `SolverDesk.ask` does.
    """

    def compute() -> EdgeView:
        from upcard.exact.solve import expected_value

        try:
            return describe_edge(expected_value(rules))
        except BlackjackError as error:
            return EdgeView(ev=None, title="House edge", figure="not known", sentence=str(error))

    topic = topic_of(request, what)
    return await site_of(request).desk.ask(("edge", rules), compute, topic=topic, patience=patience)


def describe_edge(ev: float) -> EdgeView:
    """Put an EV into words, as the start screen does."""
    is_house = ev <= 0
    return EdgeView(
        ev=ev,
        title="House edge" if is_house else "Your edge",
        figure=f"{abs(ev):.4%}",
        sentence=f"You {'lose' if is_house else 'win'} {abs(ev):.5f} of a bet, exactly.",
    )


def compare_edges(before: EdgeView | None, after: EdgeView | None) -> EdgeChange | None:
    """Return the difference between two edges; None if one of them is not known."""
    if before is None or after is None or before.ev is None or after.ev is None:
        return None
    change = 0.0 if before.ev == after.ev else after.ev - before.ev
    if abs(change) < _SAME:
        return EdgeChange(ev=0.0, figure="0.0000%", sentence="It changes nothing.", tone="same")
    figure = f"{change:+.4%}".replace("-", "−")
    whom = "better" if change > 0 else "worse"
    return EdgeChange(
        ev=change,
        figure=figure,
        sentence=f"{abs(change):.4%} {whom} for you.",
        tone="good" if change > 0 else "bad",
    )
