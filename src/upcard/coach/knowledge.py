"""Cards that a coach takes as known."""

from __future__ import annotations

from enum import StrEnum


class Knowledge(StrEnum):
    """Cards that the coach takes as known."""

    FRESH = "fresh"
    """A fresh shoe, less the hands of this spot and the upcard, as in a chart."""
    SEEN = "seen"
    """Every card shown since the last shuffle, at all spots."""
