"""View models as JSON: dataclasses become objects, exact fractions texts."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from enum import Enum
from fractions import Fraction
from typing import Any, Final

from upcard.core.cards import Card

API_VERSION: Final = 1
"""Grows when a name of the JSON changes its meaning or goes; new names may come at any time."""


def as_json(value: Any) -> Any:  # noqa: ANN401 (any view model, and JSON)
    """Return a view model as what JSON has; an infinite number is the text "infinite"."""
    if isinstance(value, Enum):
        return value.value
    if value is None or isinstance(value, str | bool | int):
        return value
    if isinstance(value, float):
        if math.isfinite(value):
            return value
        return "infinite" if value > 0 else "-infinite"
    if dataclasses.is_dataclass(value):
        return {one.name: as_json(getattr(value, one.name)) for one in dataclasses.fields(value)}
    if isinstance(value, Mapping):
        return {str(key): as_json(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [as_json(item) for item in value]
    if isinstance(value, Fraction | Card):
        return str(value)
    raise TypeError(f"a view model has no {type(value).__name__}")
