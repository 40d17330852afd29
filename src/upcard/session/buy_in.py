"""Chips to sit down with, and chips brought to a table that has too few."""

from __future__ import annotations

from typing import TYPE_CHECKING

from upcard.core.errors import IllegalActionError
from upcard.core.numbers import format_chips
from upcard.session.plan import DEFAULT_CHIPS
from upcard.store.bankroll import deposit, free_chips_of
from upcard.table.bet_limits import WHY_NOT_BROUGHT, Shortage, find_shortage

if TYPE_CHECKING:
    from fractions import Fraction

    from upcard.session.game_session import GameSession
    from upcard.store.database import Store


def buy_in(store: Store, chips: Fraction | None = None) -> Fraction:
    """Have `chips` free to play with, or without them whatever there is; return what was brought.

    The difference is brought to the table, or taken home (less than 0), and saved as such. Who has
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


def tell_buy_in(store: Store, chips: Fraction | None = None) -> str:
    """Do as `buy_in` does, and say what was brought or taken home; empty if nothing was."""
    brought = buy_in(store, chips)
    verb = "bring" if brought > 0 else "take home"
    return f"You {verb} {format_chips(abs(brought))} chips." if brought else ""


def shortage_at(session: GameSession) -> Shortage | None:
    """Return what is missing for the smallest bet on each hand; None if nothing, or mid-round."""
    if session.is_playing:
        return None
    return find_shortage(
        session.bank.balance, hands=len(session.player_spots), unit=session.plan.unit
    )


def bring_chips(session: GameSession) -> Fraction:
    """Bring chips to a table at which the smallest bets are not covered; return how many.

    Raises: IllegalActionError while they are covered, and during a round; StoreError.
    """
    if not session.is_playing:
        session.bank.look()
    shortage = shortage_at(session)
    if shortage is None:
        raise IllegalActionError(WHY_NOT_BROUGHT)
    if session.kept is not None:
        deposit(session.kept.store, shortage.brings, reason="brought")
    session.bank.add(shortage.brings)
    return shortage.brings


def has_bought_in(store: Store) -> bool:
    """Whether chips were ever brought; the first time is not announced."""
    return store.row("SELECT 1 FROM deposits") is not None
