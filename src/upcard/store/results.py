"""Sums of rounds, saved by session and by situation, so that totals need not read all rounds.

The transaction that books a round, or saves a judgement of one, updates the sums. They are exact,
so they equal a new count to the last digit.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, fields
from fractions import Fraction
from functools import cache
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Self, TypeVar

from upcard.store.files import StoreDamagedError, StoreError, reading, tell
from upcard.store.records import read_amount, read_amounts, read_numbers, write_amount

if TYPE_CHECKING:
    import sqlite3

    from upcard.store.database import Store

    _Key = tuple[Any, ...]
    _Select = Callable[[str], Iterable[Any]]
    _Sums = TypeVar("_Sums", bound="ExactSums")


NOTHING: Final = Fraction(0)


@dataclass(slots=True)
class ExactSums:
    """Sums whose fields are columns of the store: counts are numbers, chips exact texts."""

    @classmethod
    @cache
    def columns(cls) -> dict[str, bool]:
        """Return the names of the sums, and whether each is a count."""
        return {field.name: isinstance(field.default, int) for field in fields(cls)}

    @classmethod
    def read(cls, cells: Iterable[Any]) -> Self:
        """Make the sums from their columns. Raises: StoreDamagedError; ValueError; TypeError."""
        kinds = zip(cls.columns().values(), cells, strict=True)
        return cls(*(int(cell) if is_count else read_amount(cell) for is_count, cell in kinds))

    def write(self) -> Iterator[int | str]:
        """Iterate over the columns."""
        for name, is_count in self.columns().items():
            cell = getattr(self, name)
            yield cell if is_count else write_amount(cell)

    def __add__(self, other: Self) -> Self:
        names = self.columns()
        return type(self)(*(getattr(self, name) + getattr(other, name) for name in names))


@dataclass(slots=True)
class SessionSums(ExactSums):
    """Sums of the rounds of a session: the person's own bets, nets and decisions, in chips.

    The squares and products are those of each round. They give the variance of luck, for the luck
    of a round is its net, less its bets times the value of the game, plus its cost.
    """

    rounds: int = 0
    won: int = 0
    lost: int = 0
    decisions: int = 0
    judged: int = 0
    mistakes: int = 0
    bets: Fraction = NOTHING
    net: Fraction = NOTHING
    cost: Fraction = NOTHING
    bets_squared: Fraction = NOTHING
    net_squared: Fraction = NOTHING
    cost_squared: Fraction = NOTHING
    bets_net: Fraction = NOTHING
    bets_cost: Fraction = NOTHING
    net_cost: Fraction = NOTHING

    def count(self, bets: Fraction, net: Fraction, cost: Fraction, times: int = 1) -> None:
        """Add `times` rounds with the same bets, net and cost; a negative number subtracts them."""
        self.rounds += times
        self.won += times * (net > 0)
        self.lost += times * (net < 0)
        self.bets += times * bets
        self.net += times * net
        self.bets_squared += times * bets * bets
        self.net_squared += times * net * net
        self.bets_net += times * bets * net
        if cost:
            self.cost += times * cost
            self.cost_squared += times * cost * cost
            self.bets_cost += times * bets * cost
            self.net_cost += times * net * cost

    def squared_luck(self, value: Fraction) -> Fraction:
        """Return the sum of the squares of each round's luck, at the value of the game."""
        return (
            self.net_squared
            + self.cost_squared
            + 2 * self.net_cost
            + value * value * self.bets_squared
            - 2 * value * (self.bets_net + self.bets_cost)
        )


@dataclass(slots=True)
class SituationSums(ExactSums):
    """Sums of judged decisions of one kind, in chips; the squares are those of each decision."""

    asked: int = 0
    mistakes: int = 0
    cost: Fraction = NOTHING
    cost_squared: Fraction = NOTHING

    def count(self, cost: Fraction, times: int = 1) -> None:
        """Add a decision; negative `times` subtract it."""
        self.asked += times
        self.mistakes += times * (cost > 0)
        self.cost += times * cost
        self.cost_squared += times * cost * cost


class DecisionKind(NamedTuple):
    """A kind of decision: its rules, its situation, and its class of leaks."""

    rules: str
    situation: str
    """Name by the coach: `hard 16 v T`."""
    category: str


_TOLD_EVERY: Final = 20_000
_ROUND: Final = "bets, own, actions, own_answers, net"
"""The columns of `_read_played`."""
_ROUNDS: Final = (
    f"SELECT session_id, number, {_ROUND}, step, situation, category, cost_chips FROM rounds"  # noqa: S608
    " LEFT JOIN judgements USING (session_id, number)"
)
_TABLES: Final[dict[type[ExactSums], tuple[str, tuple[str, ...]]]] = {
    SessionSums: ("results", ("session_id",)),
    SituationSums: ("situations", DecisionKind._fields),
}
"""The table of each kind of sums, and the columns of its key."""


class SessionResults(NamedTuple):
    """Sums of a session, with its house and rules as the store writes them."""

    session_id: int
    house: str
    rules: str
    sums: SessionSums


class _Judged(NamedTuple):
    step: int
    name: str
    category: str
    cost: float


class _Played(NamedTuple):
    """Contribution of one round, without judgements."""

    bets: Fraction
    net: Fraction
    decisions: int
    own_steps: frozenset[int] | None
    """Numbers of the person's own answers; None if all are."""

    def choose_own(self, said: Iterable[_Judged]) -> list[_Judged]:
        """Return the judgements of the person's own answers."""
        steps = self.own_steps
        return [item for item in said if steps is None or item.step in steps]


def create_tables(db: sqlite3.Connection) -> None:
    """Create the tables: counts are numbers, chips exact texts."""
    db.execute(
        "CREATE TABLE results (session_id INTEGER PRIMARY KEY REFERENCES sessions,"
        f" {_declare(SessionSums)})"
    )
    db.execute(
        "CREATE TABLE situations (rules TEXT NOT NULL, situation TEXT NOT NULL,"
        f" category TEXT NOT NULL, {_declare(SituationSums)},"
        " PRIMARY KEY (rules, situation, category)) WITHOUT ROWID"
    )


def _declare(kind: type[ExactSums]) -> str:
    columns = kind.columns().items()
    return ", ".join(
        f"{name} {'INTEGER' if is_count else 'TEXT'} NOT NULL" for name, is_count in columns
    )


def fill_tables(db: sqlite3.Connection) -> None:
    """Count all rounds of an older file, except those that cannot be read."""
    sessions, situations = _count_all(db.execute)

    def run(statement: str, *values: object) -> None:
        db.execute(statement, values)

    for session_id, sums in sessions.items():
        _write(run, sums, session_id)
    for kind, found in situations.items():
        _write(run, found, *kind)


def add_round(store: Store, session_id: int, number: int, *, times: int = 1) -> None:
    """Add a settled round with its judgements, inside a change; with -1 times, subtract it.

    Does nothing for a round that is not settled.
    """
    where = "WHERE session_id = ? AND number = ?"
    query = (
        f"SELECT {_ROUND}, rules, rounds.id FROM rounds JOIN sessions ON sessions.id = session_id"  # noqa: S608
    )
    row = store.row(f"{query} {where}", session_id, number)
    if row is None:
        return
    query = "SELECT step, situation, category, cost_chips FROM judgements"
    said = store.rows(f"{query} {where}", session_id, number)
    with reading(f"round {row[6]}"):
        played = _read_played(row[:5])
        own = played.choose_own(_Judged(*line) for line in said)
        costs = [Fraction(item.cost) for item in own]
    sums = _read(store, SessionSums, f"session {session_id}", session_id)
    sums.count(played.bets, played.net, sum(costs, start=NOTHING), times)
    sums.decisions += times * played.decisions
    sums.judged += times * len(own)
    sums.mistakes += times * sum(cost > 0 for cost in costs)
    _write(store.run, sums, session_id)
    for item, cost in zip(own, costs, strict=True):
        kind = DecisionKind(row[5], item.name, item.category)
        found = _read(store, SituationSums, repr(kind.situation), *kind)
        found.count(cost, times)
        _write(store.run, found, *kind)


def read_results(store: Store) -> list[SessionResults]:
    """Read the sums of all sessions with settled rounds, the oldest session first.

    Raises: StoreDamagedError naming a round that could not be counted.
    """
    with store.reading() as state:
        rows = state.rows(
            f"SELECT session_id, house, sessions.rules, {', '.join(SessionSums.columns())}"  # noqa: S608
            " FROM results"
            " JOIN sessions ON sessions.id = session_id ORDER BY session_id"
        )
        found = [
            SessionResults(number, house, rules, _make(SessionSums, f"session {number}", cells))
            for number, house, rules, *cells in rows
        ]
        count = state.rows("SELECT count(*) FROM rounds")[0][0]
        if sum(item.sums.rounds for item in found) != count:
            _name_fault(state)
    return found


def read_situations(store: Store) -> dict[DecisionKind, SituationSums]:
    """Read the sums of all kinds of decisions. Raises: StoreDamagedError."""
    columns = ", ".join((*DecisionKind._fields, *SituationSums.columns()))
    rows = store.rows(f"SELECT {columns} FROM situations")  # noqa: S608
    return {DecisionKind(*row[:3]): _make(SituationSums, repr(row[1]), row[3:]) for row in rows}


def check_results(store: Store) -> None:
    """Count all rounds again and compare the saved sums. Raises: StoreError for a difference."""
    with store.reading() as state:
        sessions, situations = _count_all(state.each)
        kept = {item.session_id: item.sums for item in read_results(state)}
        told = {kind: item for kind, item in read_situations(state).items() if item.asked}
    for number in sessions | kept:
        if sessions.get(number) != kept.get(number):
            raise StoreError(f"the saved results of session {number} are not those of its rounds")
    for kind in situations | told:
        if situations.get(kind) != told.get(kind):
            what = f"{kind.situation!r} by {kind.rules}"
            raise StoreError(f"the saved results of {what} are not those of its rounds")


def _name_fault(store: Store) -> None:
    for number, *row in store.rows(f"SELECT id, {_ROUND} FROM rounds ORDER BY id"):  # noqa: S608
        with reading(f"round {number}"):
            _read_played(tuple(row))
    raise StoreDamagedError("the store is damaged: the saved results are not those of the rounds")


# --- all rounds ---


def _read_played(row: tuple[Any, ...]) -> _Played:
    """Read the contribution of a round from its bets, own spots, answers, own answers, and net."""
    bets, player_spots, actions, own_answers, net = row
    laid, answers = read_amounts(bets), own_answers if player_spots else actions
    mine = read_numbers(player_spots) or range(len(laid))
    return _Played(
        sum((laid[spot] for spot in mine), start=NOTHING),
        read_amount(net),
        answers.count(",") + 1 if answers else 0,
        read_own_steps(player_spots, own_answers),
    )


def read_own_steps(player_spots: str, own_answers: str) -> frozenset[int] | None:
    """Read the numbers of the person's own answers in a round; None if all are."""
    return frozenset(read_numbers(own_answers)) if player_spots else None


def _count_all(
    select: _Select,
) -> tuple[dict[int, SessionSums], dict[DecisionKind, SituationSums]]:
    """Count all readable rounds, session by session, without loading them all."""
    sessions: dict[int, SessionSums] = {}
    situations: dict[DecisionKind, SituationSums] = defaultdict(SituationSums)
    rules: dict[int, str] = dict(select("SELECT id, rules FROM sessions"))
    for number, rounds in groupby(_read_all(select), key=itemgetter(0)):
        sums = sessions[number] = SessionSums()
        # The same few bets, nets and situations occur many times: each is added up once.
        alike: Counter[_Key] = Counter()
        best: Counter[tuple[str, str]] = Counter()
        known: dict[_Key, _Played] = {}
        for _, key, played, own in rounds:
            known[key] = played
            cost = NOTHING
            for item in own:
                if item.cost:
                    one = Fraction(item.cost)
                    cost += one
                    sums.mistakes += one > 0
                    situations[DecisionKind(rules[number], item.name, item.category)].count(one)
                else:
                    best[item.name, item.category] += 1
            sums.judged += len(own)
            if cost:
                sums.decisions += played.decisions
                sums.count(played.bets, played.net, cost)
            else:
                alike[key] += 1
        for key, times in alike.items():
            played = known[key]
            sums.decisions += times * played.decisions
            sums.count(played.bets, played.net, NOTHING, times)
        for names, times in best.items():
            situations[DecisionKind(rules[number], *names)].asked += times
    return sessions, situations


class RoundOutcome(NamedTuple):
    """The person's bets before the deal, net, and cost of the mistakes of one round, in chips."""

    bets: Fraction
    net: Fraction
    cost: float


def read_round_results(store: Store, session_id: int) -> Iterator[RoundOutcome]:
    """Iterate over the readable rounds of a session, in the order played."""
    rows = store.rows(f"{_ROUNDS} WHERE session_id = ? ORDER BY number, step", session_id)
    for _, _, played, own in _group(rows):
        yield RoundOutcome(played.bets, played.net, math.fsum(item.cost for item in own))


def _read_all(select: _Select) -> Iterator[tuple[int, _Key, _Played, list[_Judged]]]:
    """Read each round's session, its contribution, and the judgements of its own answers."""
    total = next(iter(select("SELECT count(*) FROM rounds")))[0]
    rows = select(f"{_ROUNDS} ORDER BY session_id, number, step")
    for done, found in enumerate(_group(rows)):
        if done % _TOLD_EVERY == 0:
            tell("rounds added up", done, total)
        yield found
    tell("rounds added up", total, total)


def _group(
    rows: Iterable[tuple[Any, ...]],
) -> Iterator[tuple[int, _Key, _Played, list[_Judged]]]:
    """Group the rows of `_ROUNDS` by round, without those that cannot be read."""
    known: dict[_Key, _Played] = {}
    for (session, _), lines in groupby(rows, key=itemgetter(0, 1)):
        said = []
        key: _Key = ()
        for line in lines:
            key = line[2:7]
            if line[7] is not None:
                said.append(_Judged(*line[7:]))
        played = known.get(key)
        if played is None:
            try:
                with reading("a round"):
                    played = _read_played(key)
            except StoreDamagedError:
                continue
            if len(known) < _TOLD_EVERY:
                known[key] = played
        yield session, key, played, played.choose_own(said) if said else said


# --- rows ---


def _read(store: Store, kind: type[_Sums], what: str, *key: object) -> _Sums:
    table, columns = _TABLES[kind]
    where = " AND ".join(f"{column} = ?" for column in columns)
    row = store.row(f"SELECT {', '.join(kind.columns())} FROM {table} WHERE {where}", *key)  # noqa: S608
    return kind() if row is None else _make(kind, what, row)


def _make(kind: type[_Sums], what: str, cells: Iterable[Any]) -> _Sums:
    with reading(f"the results of {what}"):
        return kind.read(cells)


def _write(run: Callable[..., object], sums: ExactSums, *key: object) -> None:
    cells = (*key, *sums.write())
    marks = ", ".join("?" * len(cells))
    run(f"INSERT OR REPLACE INTO {_TABLES[type(sums)][0]} VALUES ({marks})", *cells)  # noqa: S608
