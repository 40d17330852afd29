"""Between hands: the count question."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from upcard.core.errors import NotationError
from upcard.core.sentences import as_sentence
from upcard.strategy.running import read_count
from upcard.tui.action_bar import Key
from upcard.tui.typed import TypedNumber

if TYPE_CHECKING:
    from collections.abc import Iterator

    from upcard.session.count_check import CountCheck

COUNT_SIGNS: Final = ("+", "-", ".", "/")
HINT: Final = "Type the running count, such as -2; Enter answers, Esc skips."


class CountEntry(TypedNumber):
    """The answer to the count question, as it is typed."""

    def __init__(self, check: CountCheck | None) -> None:
        """Ask what `check` asks; nothing without one."""
        super().__init__(COUNT_SIGNS)
        self._check = check

    @property
    def question(self) -> str:
        """The question between rounds; empty if there is no question now."""
        return "" if self._check is None else self._check.question

    def wordings(self) -> Iterator[str]:
        """Word the question with what is typed, the longest first."""
        system = "" if self._check is None else str(self._check.system)
        for words in (self.question, f"Running count ({system})?", "Running count?"):
            yield f"{words} {self.typed}_"

    @property
    def keys(self) -> list[Key]:
        """The keys that answer."""
        enter = f"answer {self.typed}" if self.typed else "skip"
        return [
            Key("table.deal", "Enter", enter),
            *([Key("escape", "Esc", "skip")] if self.typed else []),
        ]

    def answer(self) -> tuple[str, str]:
        """Give the answer that is typed, or skip; return why it is refused, and the remark."""
        if self._check is None or not self.typed:
            self.skip()
            return "", ""
        try:
            said = read_count(self.typed)
        except NotationError as error:
            return as_sentence(str(error)), ""
        self.cancel()
        return "", str(self._check.answer(said))

    def skip(self) -> None:
        """Leave the question without an answer."""
        self.cancel()
        if self._check is not None:
            self._check.skip()
