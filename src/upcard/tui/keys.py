"""Keys of every screen: letters work in both cases, and a key that means nothing says so."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Final, cast

from textual.binding import Binding

if TYPE_CHECKING:
    from collections.abc import Awaitable, Iterable

    from textual.binding import BindingType
    from textual.events import Key as KeyPress
    from textual.screen import Screen

_MOVES_FOCUS: Final = ("app.focus_next", "app.focus_previous")


class Keyed:
    """Mixin of all screens. A screen says by `say_of_key` what a key that means nothing is."""

    def __init_subclass__(cls, **options: Any) -> None:
        """Bind each letter of `BINDINGS` in both cases."""
        bindings = cls.__dict__.get("BINDINGS")
        if bindings is not None:
            cls.BINDINGS = list(bind_both_cases(bindings))  # type: ignore[attr-defined]
        super().__init_subclass__(**options)

    WHERE_KEYS_ARE: ClassVar[str] = ""
    """Where the keys of a screen are listed; by default behind `?`, or at the bottom."""

    def on_key(self, event: KeyPress) -> Awaitable[None] | None:
        """Say so where a key means nothing here."""
        if not self.is_bound(event.key):
            self.say_of_key(self.write_unknown(event.key, event.character))
        return None

    def write_unknown(self, key: str, character: str | None = None) -> str:
        """Write that a key means nothing: `X means nothing here. ? lists the keys.`."""
        listed = "? lists the keys." if self.is_bound("question_mark") else ""
        where = self.WHERE_KEYS_ARE or listed or "The keys are at the bottom."
        return f"{name_key(key, character)} means nothing here. {where}"

    def is_bound(self, key: str) -> bool:
        """Whether a key does something on this screen."""
        screen = cast("Screen[Any]", self)
        found = screen.active_bindings.get(key)
        if found is None:
            return False
        return found.binding.action not in _MOVES_FOCUS or len(screen.focus_chain) > 1

    def say_of_key(self, words: str) -> None:
        """Say something about a key that was pressed."""
        raise NotImplementedError


def bind_both_cases(bindings: Iterable[BindingType]) -> Iterable[Binding]:
    """Return bindings in which every letter is bound in upper case too."""
    for binding in bindings:
        made = binding if isinstance(binding, Binding) else Binding(*binding)
        keys = [key.strip() for key in made.key.split(",")]
        upper = [key.upper() for key in keys if len(key) == 1 and key.islower()]
        yield Binding(
            ",".join([*keys, *(key for key in upper if key not in keys)]),
            made.action,
            made.description,
            show=made.show,
            key_display=made.key_display,
            priority=made.priority,
            tooltip=made.tooltip,
            id=made.id,
        )


def name_key(key: str, character: str | None = None) -> str:
    """Return a key as it is written on a keyboard: `X`, `F5`, `Page up`, `Ctrl-X`."""
    if character and character.isprintable() and character.strip():
        return character.upper() if character.isascii() else "That key"
    words = key.replace("pageup", "page up").replace("pagedown", "page down")
    *held, last = words.replace("_", " ").split("+")
    return "-".join(part[:1].upper() + part[1:] for part in (*held, last))
