"""What can go wrong with memory.

StoreError
  StoreDamagedError   the file is no store, or damaged; it is left as it is
  StoreNewerError     a newer upcard made it; it is left as it is
  NotCoveredError     the chips do not cover a bet
"""

from __future__ import annotations

from upcard.core.errors import BlackjackError


class StoreError(BlackjackError):
    """Memory that cannot be opened, read or written."""


class StoreDamagedError(StoreError):
    """A file that is no store of upcard's, or not whole any more."""


class StoreNewerError(StoreError):
    """A file of a newer upcard, with tables that this one does not know."""


class NotCoveredError(StoreError):
    """A bet that the chips do not cover: those on the other tables of a profile are not free."""
