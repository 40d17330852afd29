"""The worth of every switch: the exact edge of each game that is one switch away."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from upcard.web.edge_view import EdgeChange, EdgeView, compare_edges, find_edge
from upcard.web.showing import wants_json
from upcard.web.switches import list_turned

if TYPE_CHECKING:
    from starlette.requests import Request

    from upcard.rules.model import Rules

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
