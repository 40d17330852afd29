"""Types of the table in `rules.setting_table`: a setting, its words and its menu."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass, field
from enum import StrEnum
from fractions import Fraction
from typing import Any, Final, NamedTuple

from upcard.core.numbers import exact_number

OTHER: Final = object()
"""Key in `Setting.sentences` for values without a sentence of their own."""
_KIND_NAMES: Final = {bool: "true or false", int: "a whole number", Fraction: "a fraction"}


class Words(NamedTuple):
    """The words of the notation for a setting."""

    place: int
    """Position in the canonical notation."""
    values: Mapping[str, Any] = {}
    """Value of this setting for each word, or changes of several settings."""
    is_usual: bool = True
    """Whether a word is written even for the default."""
    vocabulary: str = ""
    """The words as messages list them, if some are patterns such as `SP4`."""


class Menu(NamedTuple):
    """A question of the start screen about a setting."""

    place: int
    name: str
    options: Mapping[str, Any]
    """Value of this setting for each text on the screen, or changes of several settings."""


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting of `Rules`."""

    name: str
    default: Any
    _: KW_ONLY
    kind: type = field(init=False)
    """Type of its values: that of the default, int if that is None."""
    is_optional: bool = False
    """Whether None is a value."""
    least: int | Fraction = 0
    most: int | Fraction = 0
    words: Words | None = None
    menu: Menu | None = None
    topic: str = ""
    """Heading of its sentence in a description; empty if `describe` places the sentence."""
    sentences: Mapping[Any, str] = field(default_factory=dict)
    """Meaning of each value; `{}` stands for the value."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "kind", int if self.default is None else type(self.default))

    @property
    def kinds(self) -> tuple[type, ...]:
        """Types that a value may have."""
        return (self.kind, type(None)) if self.is_optional else (self.kind,)

    def changes(self, value: object) -> dict[str, Any]:
        """Return the changes that a word or an option of a menu makes."""
        return value if isinstance(value, dict) else {self.name: value}

    def is_out_of_range(self, value: object) -> bool:
        """Whether a number is outside the range."""
        if type(value) is not self.kind or not isinstance(value, int | Fraction) or not self.most:
            return False
        return not self.least <= value <= self.most

    def say(self, value: object) -> str:
        """Return the meaning of a value, as a sentence or a part of one."""
        text = self.sentences.get(value)
        return self.sentences.get(OTHER, "").format(value) if text is None else text

    def coerce(self, value: object) -> object:
        """Convert a value from its written form to the setting's own type.

        Text names members of enumerations; fractions are written `3/2` or `3:2`. Other values are
        returned unchanged, for validation to report.
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
        """Describe the possible values in words."""
        kind = self.kind
        words = list(map(str, kind)) if issubclass(kind, StrEnum) else [_KIND_NAMES[kind]]
        if self.is_optional:
            words.append("none")
        return words[0] if len(words) == 1 else "one of " + ", ".join(words)
