"""What can go wrong with a run, beside its rules."""

from __future__ import annotations

from upcard.core.errors import BlackjackError


class RunError(BlackjackError):
    """A run that cannot be read, kept, or carried on."""


class VersionsDifferError(RunError):
    """Rounds of one version were asked of another; the two are never mixed."""
