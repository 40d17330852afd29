"""The dealer's pace: events of the table shown one by one, or all at once."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Final

from textual.screen import Screen
from textual.timer import Timer

from upcard.table.events import DealerDealt, Dealt, Event, Revealed

_SECONDS: Final = 0.07
"""Between two cards: a round of one hand is dealt in a quarter of a second."""
_SHOWN: Final = (Dealt, DealerDealt, Revealed)


class Dealing:
    """Hands events on in the order they came; those that show a card wait for their moment."""

    def __init__(
        self, screen: Screen[None], show: Callable[[Event], None], draw: Callable[[], None]
    ) -> None:
        """Put events on the table by `show`, and `draw` it after each card and at the end."""
        self._screen = screen
        self._show = show
        self._draw = draw
        self._waiting: deque[Event] = deque()
        self._timer: Timer | None = None

    @property
    def is_going_on(self) -> bool:
        """Whether there is something left to show."""
        return bool(self._waiting)

    def hear(self, event: Event) -> None:
        """Take an event in, to be shown by `go`."""
        self._waiting.append(event)

    def go(self, *, animate: bool) -> None:
        """Show what has come in, one by one or at once."""
        if not animate:
            self.finish()
            return
        self._step()

    def finish(self) -> None:
        """Show all that is left at once."""
        self._stop()
        while self._waiting:
            self._show(self._waiting.popleft())
        self._draw()

    def clear(self) -> None:
        """Forget what has not been shown."""
        self._stop()
        self._waiting.clear()

    def _stop(self) -> None:
        if self._timer is not None:
            self._timer.stop()
            self._timer = None

    def _step(self) -> None:
        """Show up to the next card, then wait."""
        self._timer = None
        while self._waiting:
            event = self._waiting.popleft()
            self._show(event)
            if isinstance(event, _SHOWN) and self._waiting:
                self._draw()
                self._timer = self._screen.set_timer(_SECONDS, self._step)
                return
        self._draw()
