"""The errors of the coach."""

from __future__ import annotations

from upcard.core.errors import BlackjackError


class NoExactValueError(BlackjackError):
    """A question for whose answers no exact value is known; the coach does not guess."""
