"""A number that is typed key by key, without a field of its own."""

from __future__ import annotations

from typing import Final

_LONGEST: Final = 12
_NAMES: Final = {"full_stop": "."}


class TypedNumber:
    """The typed part of a number; Enter reads its value."""

    def __init__(self, signs: tuple[str, ...]) -> None:
        """Take digits, and each of the `signs` once."""
        self.typed = ""
        self._signs = signs

    def type(self, key: str) -> bool:
        """Take a key in; False if it is not part of a number."""
        character = _NAMES.get(key, key)
        if character == "backspace" and self.typed:
            self.typed = self.typed[:-1]
            return True
        is_sign = character in self._signs and character not in self.typed
        if not character.isdecimal() and not is_sign:
            return False
        if len(self.typed) < _LONGEST:
            self.typed += character
        return True

    def cancel(self) -> bool:
        """Forget what was typed; False if nothing was."""
        had, self.typed = bool(self.typed), ""
        return had
