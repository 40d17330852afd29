"""The errors of this room."""

from __future__ import annotations

from upcard.core.errors import BlackjackError


class NoExactValueError(BlackjackError):
    """A question for whose answers no exact value is known; the coach does not guess."""


class DrillError(BlackjackError):
    """A drill that cannot be made, or an answer that is none."""
