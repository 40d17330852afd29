"""Errors of saved games.

StoreError
  StoreDamagedError   the file is not a store, or damaged; it is unchanged
  StoreNewerError     a newer upcard made it; it is unchanged
  NotCoveredError     the chips do not cover a bet
"""

from __future__ import annotations

from upcard.core.errors import BlackjackError


class StoreError(BlackjackError):
    """The database cannot be opened, read or written."""


class StoreDamagedError(StoreError):
    """The file is not a store of upcard, or is damaged."""


class StoreNewerError(StoreError):
    """The file is of a newer upcard, with unknown tables."""


class NotCoveredError(StoreError):
    """The free chips do not cover a bet; those on other tables of the profile are not free."""
