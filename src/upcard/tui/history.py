"""The saved rounds on the screen, to be reviewed one by one."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, ClassVar, Final

from rich.text import Text
from textual.app import ComposeResult
from textual.screen import Screen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from upcard.analysis.grades import grade_of
from upcard.session.history_words import HEADINGS, LEFT, row_of
from upcard.session.review import Source, source_of
from upcard.store.database import Store
from upcard.store.history import RoundSearch, read_round, read_rounds
from upcard.store.learning import RoundCost, cost_of_round
from upcard.tui.action_bar import ActionBar, Key
from upcard.tui.bindings import HISTORY
from upcard.tui.keys import Keyed
from upcard.tui.requests import OpenReplay

if TYPE_CHECKING:
    from upcard.tui.app import UpcardApp

_MOST: Final = 500
"""Rounds that are listed; `upcard history` has them all."""
_REVIEW: Final = Key("enter", "Enter", "review it")
_LEAVE: Final = Key("leave", "Q", "back")


class HistoryScreen(Keyed, Screen[None]):
    """Lists the newest rounds, the newest first."""

    BINDINGS: ClassVar = [*HISTORY]
    app: UpcardApp

    def __init__(self, store: Store) -> None:
        super().__init__()
        self._store = store
        self._only_mistakes = False
        self._listed: list[int] = []
        """The rounds that are listed, the newest first."""

    def compose(self) -> ComposeResult:
        """Lay it out: headings, rounds, keys."""
        yield Static(id="head")
        yield Static(id="columns")
        yield OptionList(id="rounds")
        yield Static(id="message")
        yield ActionBar(id="foot")

    def on_mount(self) -> None:
        """Read the rounds."""
        self._fill()
        self.query_one(OptionList).focus()
        self.call_after_refresh(self.draw)

    def _fill(self) -> None:
        found = read_rounds(self._store, RoundSearch(with_mistakes=self._only_mistakes), last=_MOST)
        rounds = list(found)[::-1]
        costs = [cost_of_round(self._store, stored) for stored in rounds]
        rows = [row_of(stored, cost) for stored, cost in zip(rounds, costs, strict=True)]
        widths = [max(map(len, column)) for column in zip(HEADINGS, *rows, strict=True)]
        listed = self.query_one(OptionList)
        listed.clear_options()
        listed.add_options(
            Option(self._color(_write(row, widths), row[-1], cost), id=row[0])
            for row, cost in zip(rows, costs, strict=True)
        )
        self.query_one("#columns", Static).update(Text(_write(HEADINGS, widths), "bold"))
        self._listed = [stored.id for stored in rounds]
        message = ""
        if rows:
            listed.highlighted = 0
        elif self._only_mistakes:
            message = "The coach has found no mistake in your rounds."
        else:
            message = "No round has been saved yet: play some that are not practice."
        self.query_one("#message", Static).update(message)

    def _color(self, line: str, cell: str, cost: RoundCost) -> Text:
        """Write a line whose last cell, the cost, has the style of the worst answer."""
        text = Text(line, no_wrap=True)
        if cell:
            text.stylize(self.app.inks.of_grade(grade_of(max(cost.wrong))), -len(cell))
        return text

    def draw(self) -> None:
        """Draw what depends on the theme."""
        if not self.query("#foot"):
            return
        inks = self.app.inks
        which = "with mistakes, " if self._only_mistakes else ""
        words = Text("Your rounds", inks.active).append(f"  {which}the newest first", inks.muted)
        self.query_one("#head", Static).update(words)
        turn = "all rounds" if self._only_mistakes else "only mistakes"
        self.query_one(ActionBar).show((_REVIEW, Key("history.mistakes", "M", turn), _LEAVE))

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Review a round; of those with mistakes only the mistakes, and then the older ones'."""
        number = int(event.option.id or 0)
        if self._only_mistakes:
            older = self._listed[self._listed.index(number) :]
            rounds = [partial(self._find, one) for one in older]
            self.post_message(OpenReplay(rounds, asks_first=True))
        else:
            self.post_message(OpenReplay([partial(self._find, number)]))

    def _find(self, number: int) -> Source:
        return source_of(self._store, read_round(self._store, number), cards="fresh")

    def action_turn_mistakes(self) -> None:
        """List only the rounds with mistakes, or all."""
        self._only_mistakes = not self._only_mistakes
        self._fill()
        self.draw()

    def say_of_key(self, words: str) -> None:
        """Say something about the last key."""
        self.query_one("#message", Static).update(words)

    def action_leave(self) -> None:
        """Go back."""
        self.app.pop_screen()


def _write(cells: Sequence[str], widths: Sequence[int]) -> str:
    return "  ".join(
        f"{cell:<{width}}" if number < LEFT else f"{cell:>{width}}"
        for number, (cell, width) in enumerate(zip(cells, widths, strict=True))
    )
