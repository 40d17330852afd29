"""Values of games, computed exactly once for each version and then saved."""

from __future__ import annotations

from upcard._version import __version__
from upcard.core.errors import EmptyShoeError, UnsupportedRuleError
from upcard.rules.model import Rules
from upcard.store.database import Store
from upcard.store.sessions import write_rules

METHOD = "exact, best play from a fresh shoe, splits CDZ-, insurance not taken"


def game_value(store: Store, rules: Rules) -> float | None:
    """Return the value of a game per initial bet of one spot, for the player; None if unknown.

    The first call for a game takes up to a few seconds.
    """
    written = write_rules(rules)
    query = "SELECT ev FROM game_values WHERE rules = ? AND method = ? AND version = ?"
    row = store.row(query, written, METHOD, __version__)
    if row is not None:
        return None if row[0] is None else float(row[0])
    from upcard.cache.exact import expected_value

    try:
        ev: float | None = expected_value(rules, splits="CDZ-")
    except (UnsupportedRuleError, EmptyShoeError):
        ev = None
    if store.is_read_only:
        return ev
    with store.change():
        found = {"rules": written, "ev": ev, "method": METHOD, "version": __version__}
        store.insert("game_values", replace=True, **found)
    return ev
