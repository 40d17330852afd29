"""Why: the reasons for an advice, and what would change it once that is worked out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from upcard.tui.coach_words import write_changes, write_why
from upcard.tui.pages import TextPage

if TYPE_CHECKING:
    from collections.abc import Sequence

    from upcard.coach.advice import Advice
    from upcard.coach.sensitivity import Changes
    from upcard.core.actions import Action
    from upcard.tui.appearance import Appearance
    from upcard.tui.background import Background
    from upcard.tui.table_drawing import Styles


class WhyPage(TextPage):
    """A page about one advice."""

    def __init__(  # noqa: PLR0913 (the last two are named in the call)
        self,
        advice: Advice,
        look: Appearance,
        styles: Styles,
        background: Background,
        *,
        answer: Action | None = None,
        verdicts: Sequence[Text] = (),
    ) -> None:
        """Show the reasons at once; ask in `background` for what would change the best answer.

        After an `answer` the page begins with the verdict on it. `verdicts` on a whole round stand
        first.
        """
        from upcard.coach.explanation import explain

        lines = write_why(advice, explain(advice, answer), look, styles, answer=answer)
        above = [*verdicts, Text()] if verdicts else []
        super().__init__("Why", [*above, *lines], closes="w")
        self._advice = advice
        self._styles = styles
        self._background = background

    def on_mount(self) -> None:
        """Ask what would change the answer: a dozen shoes are solved for it."""
        from upcard.coach.sensitivity import find_changes

        advice = self._advice
        self._background.submit(lambda: find_changes(advice), self._tell, self._miss)

    def _tell(self, changes: Changes) -> None:
        if self.is_mounted:
            self.add(["", *write_changes(changes, self._advice, self._styles)])

    def _miss(self, error: Exception) -> None:
        if self.is_mounted:
            self.add(["", f"What would change it is not known: {error}"])
