"""The edges of the start screen, worked out in a thread, each game once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from upcard.session.edge import find_edge

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Future

    from upcard.rules.model import Rules
    from upcard.session.edge import Edge
    from upcard.tui.background import Background


class Edges:
    """Knows the edges that were asked for; the newest question is answered first."""

    def __init__(self, background: Background, changed: Callable[[], None]) -> None:
        self._background = background
        self._changed = changed
        self._known: dict[Rules, Edge] = {}
        self._wanted: Rules | None = None
        self._work: Future[Edge] | None = None

    def find(self, rules: Rules) -> Edge | None:
        """Return the edge of these rules; None until it is known."""
        return self._known.get(rules)

    def want(self, rules: Rules) -> None:
        """Ask for an edge; one that was asked for before and not begun is not wanted any more."""
        if rules in self._known or rules == self._wanted:
            return
        if self._work is not None:
            self._work.cancel()
        self._wanted = rules
        self._work = self._background.submit(
            lambda: find_edge(rules), lambda edge: self._learn(rules, edge)
        )

    def _learn(self, rules: Rules, edge: Edge) -> None:
        self._known[rules] = edge
        self._changed()
