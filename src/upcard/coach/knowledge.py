"""Which cards a coach takes for known."""

from __future__ import annotations

from enum import StrEnum


class Knowledge(StrEnum):
    """Which cards the coach takes for known."""

    FRESH = "fresh"
    """A fresh shoe, less the hands of this spot and the upcard: what a chart is for."""
    SEEN = "seen"
    """Every card that came to light since the last shuffle, at all spots."""
