"""Keys of every screen: letters work in both cases, and a key without an effect says why."""

from __future__ import annotations

from collections.abc import Awaitable, Iterable
from dataclasses import replace
from typing import Any, ClassVar, Final, cast

from textual.binding import ActiveBinding, Binding, BindingType
from textual.events import Key as KeyPress
from textual.screen import Screen

_MOVES_FOCUS: Final = ("app.focus_next", "app.focus_previous")


class Keyed:
    """Mixin of all screens: `say_of_key` reports a key that has no effect now."""

    def __init_subclass__(cls, **options: Any) -> None:
        bindings = cls.__dict__.get("BINDINGS")
        if bindings is not None:
            cls.BINDINGS = list(bind_both_cases(bindings))  # type: ignore[attr-defined]
        super().__init_subclass__(**options)

    WHERE_KEYS_ARE: ClassVar[str] = ""
    """Sentence about the place where keys are listed (default: `?`, or the bottom line)."""

    def on_key(self, event: KeyPress) -> Awaitable[None] | None:
        """Report a key that is not bound here, or whose action is disabled now."""
        found = self.find_binding(event.key)
        if found is None:
            self.say_of_key(self.write_unknown(event.key, event.character))
        elif not found.enabled:
            self.say_of_key(self.why_disabled(found.binding))
        return None

    async def action_press(self, key: str) -> None:
        """Run the action of a binding's id, or press a key: a click on the bottom line."""
        screen = cast("Screen[Any]", self)
        for found in screen.active_bindings.values():
            if found.binding.id == key:
                await screen.app.run_action(found.binding.action, found.node)
                return
        screen.app.simulate_key(key)

    def why_disabled(self, binding: Binding) -> str:
        """Return why an action for which `check_action` is None is not possible now."""
        raise NotImplementedError(binding)

    def write_unknown(self, key: str, character: str | None = None) -> str:
        """Write that a key means nothing: `X means nothing here. ? lists the keys.`."""
        listed = "? lists the keys." if self.is_bound("question_mark") else ""
        where = self.WHERE_KEYS_ARE or listed or "The keys are at the bottom."
        return f"{name_key(key, character)} means nothing here. {where}"

    def is_bound(self, key: str) -> bool:
        """Whether a key is bound on this screen."""
        return self.find_binding(key) is not None

    def find_binding(self, key: str) -> ActiveBinding | None:
        """Return what a key is bound to; None if it has no effect on this screen."""
        screen = cast("Screen[Any]", self)
        found = screen.active_bindings.get(key)
        moves = found is not None and found.binding.action in _MOVES_FOCUS
        return None if moves and len(screen.focus_chain) < 2 else found

    def say_of_key(self, words: str) -> None:
        """Report the effect of the last key."""
        raise NotImplementedError


def bind_both_cases(bindings: Iterable[BindingType]) -> Iterable[Binding]:
    """Return bindings in which every letter is bound in upper case too."""
    for binding in bindings:
        made = binding if isinstance(binding, Binding) else Binding(*binding)
        keys = [key.strip() for key in made.key.split(",")]
        upper = [key.upper() for key in keys if len(key) == 1 and key.islower()]
        both = [*keys, *(key for key in upper if key not in keys)]
        yield replace(made, key=",".join(both))


def name_key(key: str, character: str | None = None) -> str:
    """Return a key as it is written on a keyboard: `X`, `F5`, `Page up`, `Ctrl-X`."""
    if character and character.isprintable() and character.strip():
        return character.upper() if character.isascii() else "That key"
    words = key.replace("pageup", "page up").replace("pagedown", "page down")
    *held, last = words.replace("_", " ").split("+")
    return "-".join(part[:1].upper() + part[1:] for part in (*held, last))
