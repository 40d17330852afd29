"""Errors of runs."""

from __future__ import annotations

from upcard.core.errors import BlackjackError


class RunError(BlackjackError):
    """A run that cannot be read, saved, or continued."""


class VersionsDifferError(RunError):
    """Rounds of different versions would be mixed."""


class WorkerLostError(RunError):
    """A worker was lost before it had handed over its chunk: another may play it."""
