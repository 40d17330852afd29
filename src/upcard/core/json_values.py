"""Cards, actions and exact amounts as values of JSON."""

from __future__ import annotations

from enum import StrEnum
from fractions import Fraction
from typing import Any

from upcard.core.cards import Card
from upcard.core.chip_format import format_chips


def to_json(value: object) -> Any:  # noqa: ANN401 (what json.dumps takes)
    """Return a value as JSON; a fraction without an exact decimal is a text (`10/3`)."""
    match value:
        case Card() | StrEnum():
            return str(value)
        case Fraction():
            text = format_chips(value)
            return text if "/" in text else (float(text) if "." in text else int(text))
        case dict():
            return {key: to_json(item) for key, item in value.items()}
        case tuple() | list():
            return [to_json(item) for item in value]
    return value
