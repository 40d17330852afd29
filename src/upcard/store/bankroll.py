"""Chips: the bankroll of a profile, its deposits, and its bets on open rounds.

One row holds the bankroll of a profile. It changes only inside a transaction that has the file's
write lock, so that two terminals of one profile never overwrite each other; bets on open rounds are
not free to be bet elsewhere.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Final

from upcard.store.amounts import read_amount, write_amount
from upcard.store.errors import NotCoveredError, StoreError, reading
from upcard.store.results import check_results
from upcard.store.schema import now

if TYPE_CHECKING:
    from upcard.store.database import Store

PROFILE: Final = "main"
"""Default profile."""
_LONGEST_NAME: Final = 40
_AT_RISK: Final = (
    "at_risk FROM open_rounds JOIN sessions ON sessions.id = session_id"
    " JOIN profiles ON profiles.id = profile_id WHERE profiles.name = ?"
)


def bankroll_of(store: Store, profile: str = PROFILE) -> Fraction:
    """Return the bankroll of a profile, including chips on its tables; 0 for a new one."""
    found = store.row("SELECT bankroll FROM profiles WHERE name = ?", profile)
    with reading(f"profile {profile!r}"):
        return read_amount(found[0]) if found else Fraction(0)


def bankrolls_of(store: Store) -> dict[str, Fraction]:
    """Return the bankroll of each profile, the oldest profile first. Raises: StoreDamagedError."""
    names = store.rows("SELECT name FROM profiles ORDER BY id")
    return {name: bankroll_of(store, name) for (name,) in names}


def free_chips_of(store: Store, profile: str = PROFILE, *, besides: int = 0) -> Fraction:
    """Return the bankroll of a profile less its bets on open rounds.

    The open round of the session `besides` does not count.
    """
    # One statement: a round that is settled between two would count twice, or not at all.
    query = (
        f"SELECT bankroll, NULL FROM profiles WHERE name = ? UNION ALL SELECT NULL, {_AT_RISK}"  # noqa: S608
        " AND session_id != ?"
    )
    free = Fraction(0)
    for bankroll, bet in store.rows(query, profile, profile, besides):
        with reading(f"profile {profile!r}"):
            free += read_amount(bankroll) if bet is None else -read_amount(bet)
    return free


def chips_on_tables(store: Store, profile: str = PROFILE) -> Fraction:
    """Return the chips of a profile on its open rounds."""
    bets = store.rows(f"SELECT {_AT_RISK}", profile)
    return sum((read_amount(text) for (text,) in bets), start=Fraction(0))


def deposit(
    store: Store, amount: Fraction | int | str, *, profile: str = PROFILE, reason: str = "brought"
) -> Fraction:
    """Add chips to a profile, or withdraw them; return the new bankroll.

    Raises: NotCoveredError for withdrawing more than is free; StoreError.
    """
    try:
        chips = Fraction(amount)
    except (ValueError, ZeroDivisionError):
        raise StoreError(f"{amount!r} is no amount of chips: write a number, such as 100") from None
    with store.change():
        number = find_profile(store, profile)
        free = free_chips_of(store, profile)
        if chips < 0 and free + chips < 0:
            raise NotCoveredError(f"cannot take {-chips} chips from {profile!r}: {free} are free")
        amount = write_amount(chips)
        store.insert("deposits", profile_id=number, amount=amount, reason=reason, made_at=now())
        return change_bankroll(store, number, chips)


def find_profile(store: Store, name: str) -> int:
    """Return the number of a profile; inside a change, create it if needed.

    Raises: StoreError for an invalid name.
    """
    if not name.strip() or not name.isprintable() or len(name) > _LONGEST_NAME:
        raise StoreError(f"profile {name!r}: a name has 1 to {_LONGEST_NAME} printable characters")
    found = store.row("SELECT id FROM profiles WHERE name = ?", name)
    if found:
        return int(found[0])
    return store.insert("profiles", name=name, bankroll="0", created_at=now())


def change_bankroll(store: Store, profile_id: int, amount: Fraction) -> Fraction:
    """Book an amount, inside a change; return the new bankroll."""
    found = store.row("SELECT bankroll FROM profiles WHERE id = ?", profile_id)
    if found is None:
        raise StoreError(f"there is no profile number {profile_id}")
    left = read_amount(found[0]) + amount
    store.run("UPDATE profiles SET bankroll = ? WHERE id = ?", write_amount(left), profile_id)
    return left


def check_books(store: Store) -> None:
    """Compare every bankroll with deposits and results, and all sums with the rounds.

    Raises: StoreError naming the profile or the session that differs.
    """
    with store.reading() as state:
        for number, name, bankroll in state.rows("SELECT id, name, bankroll FROM profiles"):
            amounts = state.rows(
                "SELECT amount FROM deposits WHERE profile_id = ? UNION ALL"
                " SELECT booked FROM rounds JOIN sessions ON sessions.id = session_id"
                " WHERE profile_id = ?",
                number,
                number,
            )
            due = sum((read_amount(amount) for (amount,) in amounts), start=Fraction(0))
            if due != read_amount(bankroll):
                msg = f"the bankroll of {name!r} is {bankroll}, and its rounds add up to {due}"
                raise StoreError(msg)
        check_results(state)
