"""The exact edge of a game, of two games, and the worth of every switch of the rules."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from upcard.core.errors import as_sentence
from upcard.core.numbers import with_minus
from upcard.rules.model import Rules
from upcard.session.choice import Edge
from upcard.session.choice import find_edge as compute_edge
from upcard.web.reading import list_turned
from upcard.web.showing import topic_of, wants_json
from upcard.web.site import site_of

if TYPE_CHECKING:
    from starlette.requests import Request


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


_PATIENCE_SECONDS: Final = 0.8
_AT_ONCE: Final = 4
"""Games that wait for the solver at a time: a turned switch comes before the others."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EffectView:
    """One switch, turned. `change` is None where the edge is not known, or not yet."""

    switch: str
    """The rule in words."""
    option: str
    """The option that it is turned to, in words."""
    rules: str
    edge: EdgeView | None
    """The exact edge with it."""
    change: EdgeChange | None
    """Worth of turning it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EffectsView:
    """All switches, the best for the player first; those not computed yet are left out."""

    effects: tuple[EffectView, ...]
    """A row for each switch and option."""
    of: int
    """Number of games that are one switch away."""

    @property
    def is_complete(self) -> bool:
        """Whether every game is computed."""
        return len(self.effects) == self.of

    @property
    def idle(self) -> tuple[str, ...]:
        """The switches that change nothing."""
        return tuple(
            f"{one.switch}: {one.option}"
            for one in self.effects
            if one.change is not None and not one.change.ev
        )


async def find_effects(request: Request, rules: Rules) -> EffectsView:
    """Return the effects that are known; for JSON, all of them."""
    patience = None if wants_json(request) else _PATIENCE_SECONDS
    present = await find_edge(request, rules, what="effects", patience=patience)
    turned = list_turned(rules)
    found: list[EffectView] = []
    missed = 0
    for switch, option, other in turned:
        edge = await find_edge(request, other, what="", patience=patience)
        if edge is None:
            patience = 0
            missed += 1
            if missed == _AT_ONCE:
                break
            continue
        found.append(
            EffectView(
                switch=switch,
                option=option,
                rules=str(other),
                edge=edge,
                change=compare_edges(present, edge),
            )
        )
    found.sort(key=lambda one: -one.change.ev if one.change else 1)
    return EffectsView(effects=tuple(found), of=len(turned))
