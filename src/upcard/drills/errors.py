"""The errors of drills."""

from __future__ import annotations

from upcard.core.errors import BlackjackError


class DrillError(BlackjackError):
    """A drill that cannot be made, or an answer that cannot be read."""
