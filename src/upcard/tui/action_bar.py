"""The bottom line: what can be done now, each with its key, and each to be clicked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from textual.content import Content
from textual.widgets import Static

from upcard.core.actions import Action

if TYPE_CHECKING:
    from collections.abc import Iterable

KEYS: Final = {
    Action.HIT: "h",
    Action.STAND: "s",
    Action.DOUBLE: "d",
    Action.SPLIT: "p",
    Action.SURRENDER: "r",
    Action.INSURANCE: "i",
    Action.NO_INSURANCE: "n",
    Action.EVEN_MONEY: "i",
    Action.NO_EVEN_MONEY: "n",
    Action.NO_SPLIT: "n",
    Action.NO_SURRENDER: "n",
}
"""The key of each answer. Where two share one, no house asks for both at once."""
ANSWER_KEYS: Final = tuple(dict.fromkeys(KEYS.values()))


class Key(NamedTuple):
    """A key as it is shown: the key as Textual names it, how it is written, what it does."""

    key: str
    cap: str
    words: str


def answer_keys(options: Iterable[Action]) -> list[Key]:
    """Return the keys of the answers that can be given."""
    return [Key(KEYS[action], KEYS[action].upper(), str(action)) for action in options]


def find_answer(key: str, options: Iterable[Action]) -> Action | None:
    """Return the answer among `options` that a key stands for; `y` takes what is offered."""
    possible = tuple(options)
    offers = bool(possible) and possible[-1].declines
    if key == "y" and offers:
        return possible[0]
    return next((action for action in possible if KEYS[action] == key), None)


def meant_by(key: str) -> Action | None:
    """Return the answer that a key would stand for if it were legal."""
    return next((action for action, known in KEYS.items() if known == key), None)


class ActionBar(Static):
    """Shows keys; a click on one presses it."""

    def show(self, keys: Iterable[Key], right: Iterable[Key] = ()) -> None:
        """Show the keys of the moment, and on the right those that always work."""
        left = [self._cap(key) for key in keys]
        fixed = [self._cap(key) for key in right]
        line = Content(" ").join(left)
        room = (self.size.width or self.app.size.width - 2) - line.cell_length
        while fixed:
            end = Content(" ").join(fixed)
            if end.cell_length < room:
                line = line + Content(" " * (room - end.cell_length)) + end
                break
            fixed.pop(0)  # the answers come first, and help and the way out last
        self.update(line)

    def _cap(self, key: Key) -> Content:
        return Content.from_markup(
            f"[@click=screen.press('{key.key}')][bold reverse]$cap[/] $words[/]",
            cap=f" {key.cap} ",
            words=key.words,
        )
