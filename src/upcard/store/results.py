"""What rounds add up to, kept by session and by situation: nobody reads them all to know a sum.

The transaction that books a round, or keeps a judgement of one, brings the sums up to date. They
are exact, so what is kept equals what is counted again, to the last digit.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, fields
from fractions import Fraction
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from upcard.store.amounts import read_amount, read_amounts, read_numbers, write_amount
from upcard.store.damage import reading
from upcard.store.errors import StoreDamagedError, StoreError
from upcard.store.progress import tell

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Iterable, Iterator

    from upcard.store.database import Store

    _Key = tuple[Any, ...]

_NOTHING: Final = Fraction(0)
_TOLD_EVERY: Final = 20_000


@dataclass(slots=True)
class Sums:
    """Rounds of a session added up: the person's own bets, nets and decisions, in chips.

    The squares and products are those of each round. The variance of luck is made of them, for
    the luck of a round is its net, less its bets times the value of the game, plus its cost.
    """

    rounds: int = 0
    won: int = 0
    lost: int = 0
    decisions: int = 0
    judged: int = 0
    mistakes: int = 0
    bets: Fraction = _NOTHING
    net: Fraction = _NOTHING
    cost: Fraction = _NOTHING
    bets_squared: Fraction = _NOTHING
    net_squared: Fraction = _NOTHING
    cost_squared: Fraction = _NOTHING
    bets_net: Fraction = _NOTHING
    bets_cost: Fraction = _NOTHING
    net_cost: Fraction = _NOTHING

    def count(self, bets: Fraction, net: Fraction, cost: Fraction, times: int = 1) -> None:
        """Add rounds with the same bets, net and cost; less than 0 times takes them back."""
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

    def __add__(self, other: object) -> Sums:
        """Add up two sessions."""
        if not isinstance(other, Sums):
            return NotImplemented
        return Sums(*(getattr(self, name) + getattr(other, name) for name in _SUMS))

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
class SituationSums:
    """Judged decisions of one kind added up, in chips; the squares are those of each decision."""

    asked: int = 0
    mistakes: int = 0
    cost: Fraction = _NOTHING
    cost_squared: Fraction = _NOTHING

    def count(self, cost: Fraction, times: int = 1) -> None:
        """Add a decision; less than 0 times takes it back."""
        self.asked += times
        self.mistakes += times * (cost > 0)
        self.cost += times * cost
        self.cost_squared += times * cost * cost

    def __add__(self, other: object) -> SituationSums:
        """Add up two kinds."""
        if not isinstance(other, SituationSums):
            return NotImplemented
        return SituationSums(*(getattr(self, name) + getattr(other, name) for name in _SITUATION))


class SessionResults(NamedTuple):
    """The sums of a session, with its house and rules as the store writes them."""

    session_id: int
    house: str
    rules: str
    sums: Sums


class Situation(NamedTuple):
    """A kind of decision: by which rules, what was asked, and its class of leaks."""

    rules: str
    name: str
    """`hard 16 v T`, as the coach calls it."""
    category: str


class _Judged(NamedTuple):
    """What the coach said of one decision."""

    step: int
    name: str
    category: str
    cost: float


class _Played(NamedTuple):
    """What one round adds, whatever was said of it."""

    bets: Fraction
    net: Fraction
    decisions: int
    own_steps: frozenset[int] | None
    """The person's own answers, by their number; None if all are."""

    def choose_own(self, said: Iterable[_Judged]) -> list[_Judged]:
        """Return what was said of the person's own answers."""
        steps = self.own_steps
        return [item for item in said if steps is None or item.step in steps]


_SUMS: Final = tuple(field.name for field in fields(Sums))
_SITUATION: Final = tuple(field.name for field in fields(SituationSums))


def create_tables(db: sqlite3.Connection) -> None:
    """Make the tables: counts are numbers, chips exact texts."""
    columns = (f"{name} {'INTEGER' if _is_count(name) else 'TEXT'} NOT NULL" for name in _SUMS)
    db.execute(
        "CREATE TABLE results (session_id INTEGER PRIMARY KEY REFERENCES sessions,"
        f" {', '.join(columns)})"
    )
    columns = (f"{name} {'INTEGER' if _is_count(name) else 'TEXT'} NOT NULL" for name in _SITUATION)
    db.execute(
        "CREATE TABLE situations (rules TEXT NOT NULL, situation TEXT NOT NULL,"
        f" category TEXT NOT NULL, {', '.join(columns)},"
        " PRIMARY KEY (rules, situation, category)) WITHOUT ROWID"
    )


def _is_count(name: str) -> bool:
    return name in ("rounds", "won", "lost", "decisions", "asked", "judged", "mistakes")


def fill_tables(db: sqlite3.Connection) -> None:
    """Count all rounds of an older file; those that cannot be read are left out."""
    sessions, situations = _count_all(db)

    def run(statement: str, *values: object) -> None:
        db.execute(statement, values)

    for session_id, sums in sessions.items():
        _write_sums(run, session_id, sums)
    for kind, found in situations.items():
        _write_situation(run, kind, found)


def add_round(store: Store, session_id: int, number: int, *, times: int = 1) -> None:
    """Add a settled round with what was said of it, inside a change; -1 times takes it back.

    Nothing is done for a round that is not settled.
    """
    row = store.row(
        "SELECT bets, own, actions, own_answers, net, rules, rounds.id FROM rounds"
        " JOIN sessions ON sessions.id = session_id WHERE session_id = ? AND number = ?",
        session_id,
        number,
    )
    if row is None:
        return
    said = store.rows(
        "SELECT step, situation, category, cost_chips FROM judgements"
        " WHERE session_id = ? AND number = ?",
        session_id,
        number,
    )
    with reading(f"round {row[6]}"):
        played = _read_played(row[:5])
        own = played.choose_own(_Judged(*line) for line in said)
        costs = [Fraction(item.cost) for item in own]
    sums = _read_sums(store, session_id)
    sums.count(played.bets, played.net, sum(costs, start=_NOTHING), times)
    sums.decisions += times * played.decisions
    sums.judged += times * len(own)
    sums.mistakes += times * sum(cost > 0 for cost in costs)
    _write_sums(store.run, session_id, sums)
    for item, cost in zip(own, costs, strict=True):
        kind = Situation(row[5], item.name, item.category)
        found = _read_situation(store, kind)
        found.count(cost, times)
        _write_situation(store.run, kind, found)


def read_results(store: Store) -> list[SessionResults]:
    """Read the sums of all sessions with settled rounds, the oldest session first.

    Raises: StoreDamagedError, which names a round that could not be counted.
    """
    rows = store.rows(
        f"SELECT session_id, house, sessions.rules, {', '.join(_SUMS)} FROM results"  # noqa: S608
        " JOIN sessions ON sessions.id = session_id ORDER BY session_id"
    )
    found = [
        SessionResults(number, house, rules, _make_sums(number, tuple(cells)))
        for number, house, rules, *cells in rows
    ]
    count = store.rows("SELECT count(*) FROM rounds")[0][0]
    if sum(item.sums.rounds for item in found) != count:
        _name_fault(store)
    return found


def read_situations(store: Store) -> dict[Situation, SituationSums]:
    """Read the sums of all kinds of decisions.

    Raises: StoreDamagedError.
    """
    rows = store.rows(
        f"SELECT rules, situation, category, {', '.join(_SITUATION)} FROM situations"  # noqa: S608
    )
    return {Situation(*row[:3]): _make_situation(row[1], row[3:]) for row in rows}


def check_results(store: Store) -> None:
    """Count all rounds again and compare with what is kept.

    Raises: StoreError naming what differs.
    """
    with store.reading() as db:
        sessions, situations = _count_all(db)
    kept = {item.session_id: item.sums for item in read_results(store)}
    for number in sessions | kept:
        if sessions.get(number) != kept.get(number):
            msg = f"the results kept of session {number} are not those of its rounds"
            raise StoreError(msg)
    told = {kind: item for kind, item in read_situations(store).items() if item.asked}
    for kind in situations | told:
        if situations.get(kind) != told.get(kind):
            msg = f"the results kept of {kind.name!r} by {kind.rules} are not those of its rounds"
            raise StoreError(msg)


def _name_fault(store: Store) -> None:
    from upcard.store.history import read_rounds

    for _ in read_rounds(store):
        pass
    msg = "the store is damaged: the results kept are not those of the rounds"
    raise StoreDamagedError(msg)


# --- all rounds ---


def _read_played(row: tuple[Any, ...]) -> _Played:
    """Read what a round adds from its bets, own spots, answers, own answers, and net."""
    bets, own, actions, own_answers, net = row
    laid, answers = read_amounts(bets), own_answers if own else actions
    mine = read_numbers(own) or range(len(laid))
    return _Played(
        sum((laid[spot] for spot in mine), start=_NOTHING),
        read_amount(net),
        answers.count(",") + 1 if answers else 0,
        frozenset(read_numbers(own_answers)) if own else None,
    )


def _count_all(
    db: sqlite3.Connection,
) -> tuple[dict[int, Sums], dict[Situation, SituationSums]]:
    """Count all rounds that can be read, session by session, without holding them."""
    sessions: dict[int, Sums] = {}
    situations: dict[Situation, SituationSums] = defaultdict(SituationSums)
    rules = dict(db.execute("SELECT id, rules FROM sessions"))
    for number, rounds in groupby(_read_all(db), key=itemgetter(0)):
        sums = sessions[number] = Sums()
        # The same few bets, nets and situations come again and again: each is added up once.
        alike: Counter[_Key] = Counter()
        best: Counter[tuple[str, str]] = Counter()
        known: dict[_Key, _Played] = {}
        for _, key, played, own in rounds:
            known[key] = played
            cost = _NOTHING
            for item in own:
                if item.cost:
                    one = Fraction(item.cost)
                    cost += one
                    sums.mistakes += one > 0
                    situations[Situation(rules[number], item.name, item.category)].count(one)
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
            sums.count(played.bets, played.net, _NOTHING, times)
        for names, times in best.items():
            situations[Situation(rules[number], *names)].asked += times
    return sessions, situations


def _read_all(db: sqlite3.Connection) -> Iterator[tuple[int, _Key, _Played, list[_Judged]]]:
    """Read the session of each round, what it adds, and what was said of its own answers."""
    total = db.execute("SELECT count(*) FROM rounds").fetchone()[0]
    rows = db.execute(
        "SELECT session_id, number, bets, own, actions, own_answers, net, step, situation,"
        " category, cost_chips FROM rounds LEFT JOIN judgements USING (session_id, number)"
        " ORDER BY session_id, number, step"
    )
    known: dict[_Key, _Played] = {}
    for done, ((session, _), lines) in enumerate(groupby(rows, key=itemgetter(0, 1))):
        if done % _TOLD_EVERY == 0:
            tell("rounds added up", done, total)
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
    tell("rounds added up", total, total)


# --- rows ---


def _read_sums(store: Store, session_id: int) -> Sums:
    row = store.row(
        f"SELECT {', '.join(_SUMS)} FROM results WHERE session_id = ?",  # noqa: S608
        session_id,
    )
    return Sums() if row is None else _make_sums(session_id, row)


def _make_sums(session_id: int, row: tuple[Any, ...]) -> Sums:
    with reading(f"the results of session {session_id}"):
        return Sums(*_read_cells(_SUMS, row))


def _read_situation(store: Store, kind: Situation) -> SituationSums:
    row = store.row(
        f"SELECT {', '.join(_SITUATION)} FROM situations"  # noqa: S608
        " WHERE rules = ? AND situation = ? AND category = ?",
        *kind,
    )
    return SituationSums() if row is None else _make_situation(kind.name, row)


def _make_situation(name: str, row: tuple[Any, ...]) -> SituationSums:
    with reading(f"the results of {name!r}"):
        return SituationSums(*_read_cells(_SITUATION, row))


def _read_cells(names: tuple[str, ...], row: tuple[Any, ...]) -> Iterator[Any]:
    for name, cell in zip(names, row, strict=True):
        yield int(cell) if _is_count(name) else read_amount(cell)


def _write_sums(run: Callable[..., object], session_id: int, sums: Sums) -> None:
    marks = ", ".join("?" * (1 + len(_SUMS)))
    run(f"INSERT OR REPLACE INTO results VALUES ({marks})", session_id, *_cells_of(sums, _SUMS))  # noqa: S608


def _write_situation(run: Callable[..., object], kind: Situation, found: SituationSums) -> None:
    marks = ", ".join("?" * (len(kind) + len(_SITUATION)))
    run(f"INSERT OR REPLACE INTO situations VALUES ({marks})", *kind, *_cells_of(found, _SITUATION))  # noqa: S608


def _cells_of(sums: Sums | SituationSums, names: tuple[str, ...]) -> Iterator[int | str]:
    for name in names:
        cell = getattr(sums, name)
        yield cell if _is_count(name) else write_amount(cell)
