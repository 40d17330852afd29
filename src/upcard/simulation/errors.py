"""The errors of runs, in addition to those of their rules."""

from __future__ import annotations

from upcard.core.errors import BlackjackError


class RunError(BlackjackError):
    """A run that cannot be read, saved, or continued."""


class VersionsDifferError(RunError):
    """Rounds of one version were asked of another; the two are never mixed."""
