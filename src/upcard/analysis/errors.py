"""The error of this package."""

from __future__ import annotations

from upcard.core.errors import BlackjackError


class AnalysisError(BlackjackError):
    """A question that a run cannot answer, or contradictory settings."""
