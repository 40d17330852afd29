"""The bottom line: what can be done now, each with its key, and each to be clicked."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from textual.binding import Binding
from textual.content import Content
from textual.widgets import Static

from upcard.core.actions import Action
from upcard.session.table_view import ANSWER_KEYS, KEYS

if TYPE_CHECKING:
    from upcard.tui.app import UpcardApp

_IDS: Final = {one.key: one.id for one in ANSWER_KEYS}

SELDOM: Final = 1
"""The weight of a key that is the first to be left out where the bar has no room."""
SOMETIMES: Final = 2
WHY: Final = 4
_LEAVE: Final = 3
_ANSWER: Final = 5
_ALWAYS: Final = 6


class Key(NamedTuple):
    """A key as it is shown: its binding's id or its name, how it is written, what it does."""

    key: str
    cap: str
    words: str
    weight: int = _ANSWER
    """The lighter, the sooner it is left out."""
    short: str | None = None
    """Its effect in fewer words, for a bar without room."""

    @property
    def width(self) -> int:
        """How many columns it takes."""
        return len(self.cap) + 2 + (len(self.words) + 1 if self.words else 0)


HELP_KEY: Final = Key("help", "?", "help", _ALWAYS)
LEAVE_KEY: Final = Key("leave", "Q", "leave", _LEAVE, "")
TABLE_KEYS: Final = (
    Key("view.why", "W", "why", weight=WHY),
    Key("table.coach", "C", "coach", weight=SELDOM),
    HELP_KEY,
    LEAVE_KEY,
)
"""Keys that the table always shows."""
_SHORT: Final = {
    Action.DOUBLE: "dbl.",
    Action.SURRENDER: "surr.",
    Action.NO_SURRENDER: "no",
    Action.INSURANCE: "insure",
    Action.NO_INSURANCE: "no",
    Action.EVEN_MONEY: "even",
    Action.NO_EVEN_MONEY: "no",
    Action.NO_SPLIT: "no",
}


def answer_keys(options: Iterable[Action]) -> list[Key]:
    """Return the keys of the answers that can be given."""
    return [
        Key(_IDS[KEYS[action]], KEYS[action].upper(), str(action), _ANSWER, _SHORT.get(action))
        for action in options
    ]


def meant_by(binding: Binding) -> Action | None:
    """Return the answer that a binding would give if it were legal."""
    return next((one for one, key in KEYS.items() if binding.action == f"answer({key!r})"), None)


def fit_keys(keys: Sequence[Key], room: int) -> list[Key]:
    """Return the keys that have room: the least important are left out first, `?` never is.

    Where some are left out, `?` is for more.
    """
    shown = list(keys)
    for take_step, weights in _STEPS:
        while _width(shown) > room and take_step(shown, weights):
            pass
    return shown


def _width(keys: Sequence[Key]) -> int:
    return sum(key.width for key in keys) + max(len(keys) - 1, 0)


def _leave_out(keys: list[Key], weights: Collection[int]) -> bool:
    """Leave out the lightest key of these weights, the last one first; False if there is none."""
    lightest = min((key.weight for key in keys if key.weight in weights), default=None)
    if lightest is None:
        return False
    del keys[max(place for place, key in enumerate(keys) if key.weight == lightest)]
    keys[:] = [key._replace(words="more") if key == HELP_KEY else key for key in keys]
    return True


def _shorten(keys: list[Key], weights: Collection[int]) -> bool:
    """Write one key of these weights shorter, the first one first; False if there is none."""
    for place, key in enumerate(keys):
        if key.weight in weights and key.short is not None and key.words != key.short:
            keys[place] = key._replace(words=key.short)
            return True
    return False


def _strip(keys: list[Key], weights: Collection[int]) -> bool:
    """Leave nothing but the caps of the keys of these weights; False if nothing changes."""
    before = list(keys)
    keys[:] = [key._replace(words="") if key.weight in weights else key for key in keys]
    return keys != before


_STEPS: Final = (
    (_leave_out, (SELDOM, SOMETIMES)),
    (_shorten, (_LEAVE,)),
    (_shorten, (_ANSWER,)),
    (_strip, (_LEAVE, WHY, _ALWAYS)),
    (_strip, (_ANSWER,)),
    (_leave_out, (_LEAVE, WHY, _ANSWER)),
)
"""Ways to gain room, in their order, and the weights of the keys that each concerns."""


class ActionBar(Static):
    """Shows keys; a click on one presses it."""

    app: UpcardApp

    def show(self, keys: Iterable[Key], right: Iterable[Key] = ()) -> None:
        """Show the keys of the moment, and on the right those that always work."""
        left, fixed = ([self._remap(key) for key in part] for part in (keys, right))
        room = self.size.width or self.app.size.width - 2
        shown = fit_keys([*left, *fixed], room)
        names = {key.key for key in fixed}
        line = self._write([key for key in shown if key.key not in names])
        end = self._write([key for key in shown if key.key in names])
        gap = " " * max(room - line.cell_length - end.cell_length, 0)
        self.update(line + Content(gap) + end)

    def _remap(self, key: Key) -> Key:
        """Return a key with the cap that the keymap gives its binding."""
        return key._replace(cap=self.app.caps.get(key.key, key.cap))

    def _write(self, keys: Iterable[Key]) -> Content:
        return Content(" ").join(self._cap(key) for key in keys)

    def _cap(self, key: Key) -> Content:
        words = f" {key.words}" if key.words else ""
        return Content.from_markup(
            f"[@click=screen.press('{key.key}')][bold reverse]$cap[/]$words[/]",
            cap=f" {key.cap} ",
            words=words,
        )
