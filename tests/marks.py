"""Marks for the values of a parametrized test."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterable


def slow_except(quick: Iterable[object], values: Iterable[object]) -> list[object]:
    """Mark all of the values as slow but the quick ones, which speak for the others."""
    return [one if one in quick else pytest.param(one, marks=pytest.mark.slow) for one in values]
