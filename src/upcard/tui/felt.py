"""The felt: the widget that shows dealer and hands, in whatever room there is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text
from textual.widget import Widget

from upcard.tui.table_drawing import draw_table

if TYPE_CHECKING:
    from upcard.tui.table_drawing import Scene


class Felt(Widget):
    """Draws a scene again when it or the size changes."""

    def __init__(self, *, id: str) -> None:  # noqa: A002 (Textual's name for it)
        """Start with nothing on the table."""
        super().__init__(id=id)
        self._scene: Scene | None = None

    def show(self, scene: Scene | None) -> None:
        """Show a scene; None clears the table."""
        self._scene = scene
        self.refresh()

    def render(self) -> Text:
        """Draw it, in the middle of the room."""
        if self._scene is None:
            return Text()
        width, height = self.size
        lines = draw_table(self._scene, width=width, height=height)
        above = max(height - len(lines), 0) // 2
        return Text("\n").join([*[Text()] * above, *lines[:height]])
