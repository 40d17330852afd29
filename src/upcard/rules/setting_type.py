"""What is written down of each setting of `Rules`: a row of `rules.setting_table`."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from upcard.core.numbers import exact_number

if TYPE_CHECKING:
    from collections.abc import Mapping

OTHER: Final = object()
"""In `Setting.sentences`: any value that has none of its own."""
_KIND_NAMES: Final = {bool: "true or false", int: "a whole number", Fraction: "a fraction"}


class Words(NamedTuple):
    """The words that the notation has for a setting."""

    place: int
    """Where they stand in the canonical notation."""
    values: Mapping[str, Any] = {}
    """What each word sets: a value of this setting, or changes of several."""
    is_usual: bool = True
    """Whether a word is written even where it says nothing new."""
    vocabulary: str = ""
    """The words as messages list them, where some are patterns such as `SP4`."""


class Menu(NamedTuple):
    """What the start screen offers for a setting."""

    place: int
    name: str
    options: Mapping[str, Any]
    """By what the screen shows: a value of this setting, or changes of several."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """One setting of `Rules`."""

    name: str
    kind: type
    default: Any
    is_optional: bool = False
    """Whether it may be None."""
    least: int | Fraction = 0
    most: int | Fraction = 0
    words: Words | None = None
    menu: Menu | None = None
    topic: str = ""
    """Under what its sentence stands in a description; empty if `describe` puts it in another."""
    sentences: Mapping[Any, str] = field(default_factory=dict)
    """What a value means; `{}` stands for the value."""

    @property
    def kinds(self) -> tuple[type, ...]:
        """The types that a value may have."""
        return (self.kind, type(None)) if self.is_optional else (self.kind,)

    def changes(self, value: object) -> dict[str, Any]:
        """Return what a word or an option of a menu sets."""
        return value if isinstance(value, dict) else {self.name: value}

    def is_out_of_range(self, value: object) -> bool:
        """Whether a value of the right type is a number outside the range."""
        if type(value) is not self.kind or not isinstance(value, int | Fraction) or not self.most:
            return False
        return not self.least <= value <= self.most

    def say(self, value: object) -> str:
        """Return what a value means, in a sentence or a part of one."""
        text = self.sentences.get(value)
        return self.sentences.get(OTHER, "").format(value) if text is None else text

    def coerce(self, value: object) -> object:
        """Turn a value as people and files write it into the setting's own type.

        Texts name members of the closed sets, fractions are written `3/2` or `3:2`; whatever
        cannot be turned is returned as it came, for validation to name.
        """
        if type(value) in self.kinds:
            return value
        if value == "none" and self.is_optional:
            return None
        if issubclass(self.kind, StrEnum) and isinstance(value, str):
            word = value.lower().replace("_", "-")
            return self.kind(word) if word in list(self.kind) else value
        if self.kind is Fraction and type(value) in (int, str):
            number = exact_number(str(value).replace(":", "/"))
            return value if number is None else number
        return value

    @property
    def possible(self) -> str:
        """Say in words which values it may have."""
        kind = self.kind
        words = list(map(str, kind)) if issubclass(kind, StrEnum) else [_KIND_NAMES[kind]]
        if self.is_optional:
            words.append("none")
        return words[0] if len(words) == 1 else "one of " + ", ".join(words)
