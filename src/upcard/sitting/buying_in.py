"""Chips to sit down with: what the profile has, or what somebody wants to have."""

from __future__ import annotations

from typing import TYPE_CHECKING

from upcard.sitting.plan import DEFAULT_CHIPS
from upcard.store.bankroll import PROFILE, deposit, free_chips_of

if TYPE_CHECKING:
    from fractions import Fraction

    from upcard.store.database import Store


def buy_in(store: Store, chips: Fraction | None = None) -> Fraction:
    """Have `chips` free to play with, or without them whatever there is; return what was brought.

    The difference is brought to the table, or taken home (less than 0), and kept as such. Who has
    nothing and asks for nothing brings 100.

    Raises: StoreError.
    """
    free = free_chips_of(store)
    wanted = chips
    if wanted is None:
        wanted = free if free > 0 else DEFAULT_CHIPS
    brought = wanted - free
    if brought:
        deposit(store, brought, reason="brought" if brought > 0 else "taken home")
    return brought


def has_bought_in(store: Store) -> bool:
    """Whether chips were ever brought: who sits down for the first time is told nothing of it."""
    found = store.row(
        "SELECT 1 FROM deposits JOIN profiles ON profiles.id = profile_id WHERE profiles.name = ?",
        PROFILE,
    )
    return found is not None
