"""Search in the history: rounds by house, mistakes, cost and date, newest first, page by page."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from typing import Final, NamedTuple

from upcard.store.amounts import read_amount
from upcard.store.database import Store
from upcard.store.errors import StoreDamagedError, reading
from upcard.store.history import ROUNDS, read_row
from upcard.store.records import SettledRound
from upcard.store.schema import write_moment
from upcard.store.sessions import read_rules

_JUDGED: Final = "judgements.session_id = rounds.session_id AND judgements.number = rounds.number"
_COST: Final = f"(SELECT sum(cost_chips) FROM judgements WHERE {_JUDGED})"  # noqa: S608
_PAGE: Final = 500
_FROM: Final = " FROM rounds JOIN sessions ON sessions.id = rounds.session_id"


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundSearch:
    """A search for rounds; by default it finds all."""

    house: str = ""
    """Name of a house, or the notation of custom rules."""
    with_mistakes: bool = False
    category: str = ""
    """Class of a mistake in the round, as leaks name it."""
    situations: tuple[str, ...] | None = None
    """Situations of a decision in the round, as the coach names them; None for any."""
    cost_over: Fraction = Fraction(0)
    """The mistakes of the round cost more chips than this."""
    since: datetime | None = None
    before: datetime | None = None


class DamagedRound(NamedTuple):
    """A round that cannot be read."""

    id: int
    reason: str


class Found(NamedTuple):
    """Sums of the rounds that a search finds. Units: chips."""

    rounds: int
    net: Fraction
    mistakes: int
    """Rounds with a mistake."""
    cost: float
    first: int
    """Number of the oldest one; 0 if there are none."""
    last: int


def find_page(
    store: Store, search: RoundSearch, count: int, *, below: int = 0, above: int = 0
) -> list[SettledRound | DamagedRound]:
    """Return at most `count` rounds, newest first: the newest ones, or next to a round's number.

    With `below` they are older than that round, with `above` newer. A damaged row is a
    `DamagedRound`.
    """
    which, values = _where(store, search)
    order = "DESC"
    if above:
        which, order = f"{which} AND rounds.id > ?", "ASC"
        values.append(above)
    elif below:
        which = f"{which} AND rounds.id < ?"
        values.append(below)
    rows = store.rows(f"{ROUNDS} WHERE {which} ORDER BY rounds.id {order} LIMIT ?", *values, count)
    found: list[SettledRound | DamagedRound] = []
    for row in rows:
        try:
            found.append(read_row(row))
        except StoreDamagedError as error:
            found.append(DamagedRound(row[6], str(error)))
    return found[::-1] if above else found


def find_rounds(store: Store, search: RoundSearch) -> Iterator[SettledRound]:
    """Iterate over all rounds that a search finds, oldest first. Raises: StoreDamagedError."""
    above = 0
    while page := find_page(store, search, _PAGE, above=above):
        for one in reversed(page):
            if isinstance(one, DamagedRound):
                raise StoreDamagedError(one.reason)
            yield one
        above = page[0].id


def count_found(store: Store, search: RoundSearch) -> Found:
    """Add up the rounds that a search finds. Raises: StoreDamagedError."""
    which, values = _where(store, search)
    net, rounds = Fraction(0), 0
    rows = store.rows(
        f"SELECT net, count(*), min(rounds.id){_FROM} WHERE {which} GROUP BY net", *values
    )
    for text, times, number in rows:
        with reading(f"round {number}"):
            net += read_amount(text) * times
        rounds += times
    row = store.row(f"SELECT min(rounds.id), max(rounds.id){_FROM} WHERE {which}", *values)
    first, last = row or (0, 0)
    costs = store.rows(  # added up here, since each SQLite rounds a sum in its own way
        f"SELECT rounds.id, cost_chips{_FROM} JOIN judgements ON {_JUDGED}"
        f" WHERE {which} AND cost_chips > 0",
        *values,
    )
    mistakes = len({number for number, _ in costs})
    cost = math.fsum(cost for _, cost in costs)
    return Found(rounds, net, mistakes, cost, first or 0, last or 0)


def list_houses(store: Store) -> list[str]:
    """Return the houses and custom rules that were played, most rounds first."""
    rounds: dict[str, int] = defaultdict(int)
    for name, house, rules in _name_houses(store):
        row = store.row(
            f"SELECT count(*){_FROM} WHERE sessions.house = ? AND sessions.rules = ?", house, rules
        )
        rounds[name] += row[0] if row else 0
    return sorted((name for name, count in rounds.items() if count), key=lambda name: -rounds[name])


def list_categories(store: Store) -> list[str]:
    """Return the classes of decisions in which a mistake was made, in alphabetical order."""
    rows = store.rows("SELECT DISTINCT category FROM judgements WHERE cost_chips > 0 ORDER BY 1")
    return [text for (text,) in rows]


def list_situations(store: Store) -> list[str]:
    """Return the situations of all judged decisions, as the coach names them."""
    return [text for (text,) in store.rows("SELECT DISTINCT situation FROM situations")]


def _name_houses(store: Store) -> Iterator[tuple[str, str, str]]:
    """Iterate over the rules of all sessions: their name, and the house and rules as saved."""
    for house, rules in store.rows("SELECT DISTINCT house, rules FROM sessions"):
        try:
            with reading("a session"):
                yield str(read_rules(rules, house)), house, rules
        except StoreDamagedError:
            continue  # its rounds report the damage


def _where(store: Store, search: RoundSearch) -> tuple[str, list[object]]:
    """Return the condition of a search in SQL, and its values."""
    parts: list[str] = ["1"]
    values: list[object] = []
    if search.house:
        pairs = [
            (house, rules) for name, house, rules in _name_houses(store) if name == search.house
        ]
        either = " OR ".join(["(sessions.house = ? AND sessions.rules = ?)"] * len(pairs))
        parts.append(f"({either or '0'})")
        values += [text for pair in pairs for text in pair]
    if search.with_mistakes or search.category or search.situations is not None:
        condition, more = _judged(search)
        parts.append(condition)
        values += more
    if search.cost_over:
        parts.append(f"{_COST} > ?")
        values.append(float(search.cost_over))
    for moment, sign in ((search.since, ">="), (search.before, "<")):
        if moment is not None:
            parts.append(f"settled_at {sign} ?")
            values.append(write_moment(moment))
    return " AND ".join(parts), values


def _judged(search: RoundSearch) -> tuple[str, list[object]]:
    """Return the condition that one decision of the round fulfils."""
    parts, values = [_JUDGED], list[object]()
    if search.with_mistakes or search.category:
        parts.append("cost_chips > 0")
    if search.category:
        parts.append("category = ?")
        values.append(search.category)
    if search.situations is not None:
        parts.append(f"situation IN ({', '.join('?' * len(search.situations))})")
        values += search.situations
    return f"EXISTS (SELECT 1 FROM judgements WHERE {' AND '.join(parts)})", values  # noqa: S608
