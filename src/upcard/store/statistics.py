"""Breakdown of results: the value of best play, the cost of errors, and luck with its band.

For each round, net = bets x value of the game - cost of errors + luck. The value is the exact one
of best play from a fresh shoe; the cost is the coach's for each decision; luck is the rest. Rounds
are independent enough that the squares of their luck add up to its variance, so the band comes from
the rounds and assumes nothing about the game.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, NamedTuple

from upcard.analysis.grades import grades_of
from upcard.rules.model import Rules
from upcard.store.database import Store
from upcard.store.errors import reading
from upcard.store.results import read_own_steps, read_results, read_situations
from upcard.store.sessions import read_rules
from upcard.store.sums import SessionSums, SituationSums

FEWEST_FOR_A_RATE: Final = 100
"""Rounds needed for an hourly rate: with fewer, one hand would be most of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Results:
    """Sums of rounds. Amounts are in chips; best play is known only with values."""

    rounds: int
    won: int
    lost: int
    initial_bets: Fraction
    net: Fraction
    decisions: int
    judged: int
    """Number of judged decisions; errors in others count as luck."""
    mistakes: int
    grades: dict[str, int]
    """Number of the mistakes of each grade."""
    error_cost: float
    """Cost of the mistakes, 0 or more."""
    best_play: float | None
    """Bets times the value of their games; None if one of them has no exact value."""
    luck: float | None
    """net - best_play + error_cost."""
    luck_deviation: float | None
    """One standard deviation of `luck`; None below two rounds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Leak:
    """A class of decisions and the cost of its mistakes."""

    category: str
    decisions: int
    mistakes: int
    grades: dict[str, int]
    """Number of the mistakes of each grade."""
    cost: float
    """Cost in chips, 0 or more."""
    per_hour: float
    """Cost in chips per hour, at the given rounds per hour."""
    cost_deviation: float
    """One standard deviation of `cost`: mistakes occur at random, as hands do."""
    per_hour_deviation: float


class Statistics(NamedTuple):
    """All figures of `upcard stats`."""

    total: Results
    by_house: dict[str, Results]
    """By the house's name, or by the notation of custom rules."""
    leaks: tuple[Leak, ...]
    """Most expensive first."""
    without_bets: int
    """Rounds in houses without bets, which are not included elsewhere."""
    coached_rounds: int
    """Rounds of the sessions with any judgement, the base of rates."""


class Wrong(NamedTuple):
    """A wrong decision in a settled round."""

    rules: Rules
    situation: str
    category: str
    cost: float
    """Cost per initial bet."""


class Played(NamedTuple):
    """Sums of all sessions by one set of rules."""

    rules: Rules
    sums: SessionSums
    coached_rounds: int
    """Rounds of the sessions with any judgement."""


def read_played(store: Store) -> list[Played]:
    """Read the results of each set of rules, oldest first. Raises: StoreDamagedError."""
    found: dict[tuple[str, str], Played] = {}
    for item in read_results(store):
        written = item.rules, item.house
        if written not in found:
            with reading(f"session {item.session_id}"):
                found[written] = Played(read_rules(*written), SessionSums(), 0)
        before = found[written]
        found[written] = before._replace(
            sums=before.sums + item.sums,
            coached_rounds=before.coached_rounds + (item.sums.rounds if item.sums.judged else 0),
        )
    return list(found.values())


def add_up(
    store: Store, *, value_of: Callable[[Rules], float | None], rounds_per_hour: float
) -> Statistics:
    """Add up all settled rounds: the person's own bets, net and decisions.

    `value_of` returns the value of a game per initial bet, with best play; None if it is unknown.
    Leaks are relative to the rounds of the sessions with any judgement.

    Raises: StoreDamagedError.
    """
    houses: dict[str, list[_Weighed]] = defaultdict(list)
    without_bets = coached_rounds = 0
    with store.reading() as state:
        all_played = read_played(state)
        categories = sum_situations(state, "category", lambda rules: rules.betting)
        wrong = read_wrong(state, lambda rules: rules.betting)
    for played in all_played:
        if not played.rules.betting:
            without_bets += played.sums.rounds
            continue
        coached_rounds += played.coached_rounds
        houses[str(played.rules)].append(_Weighed(played.sums, value_of(played.rules)))
    by_house = collect_costs((str(one.rules), one.cost) for one in wrong)
    by_category = collect_costs((one.category, one.cost) for one in wrong)
    return Statistics(
        _sum([item for items in houses.values() for item in items], (one.cost for one in wrong)),
        {house: _sum(items, by_house.get(house, ())) for house, items in houses.items()},
        _find_leaks(categories, by_category, coached_rounds / rounds_per_hour),
        without_bets,
        coached_rounds,
    )


def read_wrong(store: Store, is_wanted: Callable[[Rules], bool]) -> list[Wrong]:
    """Read the person's own wrong decisions by wanted rules. Raises: StoreDamagedError."""
    rows = store.rows(
        "SELECT sessions.rules, sessions.house, situation, category, cost_ev, step, own,"
        " own_answers FROM judgements JOIN sessions ON session_id = sessions.id"
        " JOIN rounds USING (session_id, number) WHERE cost_chips > 0"
    )
    games = {game: read_rules(*game) for game in {row[:2] for row in rows}}
    wanted = {game: rules for game, rules in games.items() if is_wanted(rules)}
    return [
        Wrong(wanted[row[:2]], *row[2:5]) for row in rows if row[:2] in wanted and _is_own(*row[5:])
    ]


def _is_own(step: int, player_spots: str, own_answers: str) -> bool:
    steps = read_own_steps(player_spots, own_answers)
    return steps is None or step in steps


def collect_costs(pairs: Iterable[tuple[str, float]]) -> dict[str, list[float]]:
    """Collect costs by their names."""
    found: dict[str, list[float]] = defaultdict(list)
    for name, cost in pairs:
        found[name].append(cost)
    return dict(found)


class _Weighed(NamedTuple):
    """Rounds by one set of rules, and the value of their game."""

    sums: SessionSums
    value: float | None


def _sum(items: list[_Weighed], wrong: Iterable[float]) -> Results:
    total = sum((item.sums for item in items), start=SessionSums())
    luck = squares = None
    if all(item.value is not None for item in items):
        values = [(item.sums, Fraction(item.value or 0.0)) for item in items]
        luck = sum((one.net - one.bets * value + one.cost for one, value in values), Fraction(0))
        squares = sum((one.squared_luck(value) for one, value in values), start=Fraction(0))
    return Results(
        rounds=total.rounds,
        won=total.won,
        lost=total.lost,
        initial_bets=total.bets,
        net=total.net,
        decisions=total.decisions,
        judged=total.judged,
        mistakes=total.mistakes,
        grades=grades_of(wrong),
        error_cost=float(total.cost),
        best_play=None if luck is None else float(total.net - luck + total.cost),
        luck=None if luck is None else float(luck),
        luck_deviation=(None if squares is None or total.rounds < 2 else math.sqrt(squares)),
    )


def _find_leaks(
    categories: dict[str, SituationSums], wrong: dict[str, list[float]], hours: float
) -> tuple[Leak, ...]:
    leaks = [
        _make_leak(category, sums, wrong.get(category, ()), hours)
        for category, sums in categories.items()
    ]
    return tuple(sorted(leaks, key=lambda leak: (-leak.cost, leak.category)))


def sum_situations(
    store: Store, name: str, is_wanted: Callable[[Rules], bool]
) -> dict[str, SituationSums]:
    """Add up the judged decisions by wanted rules, by a name of `DecisionKind`.

    Raises: StoreDamagedError.
    """
    found: dict[str, SituationSums] = defaultdict(SituationSums)
    wanted: dict[str, bool] = {}
    for kind, sums in read_situations(store).items():
        if kind.rules not in wanted:
            with reading(f"the results of {kind.situation!r}"):
                wanted[kind.rules] = is_wanted(read_rules(kind.rules, ""))
        if wanted[kind.rules] and sums.asked:
            found[getattr(kind, name)] += sums
    return found


def _make_leak(category: str, sums: SituationSums, wrong: Iterable[float], hours: float) -> Leak:
    cost, deviation = float(sums.cost), deviation_of(sums)
    return Leak(
        category=category,
        decisions=sums.asked,
        mistakes=sums.mistakes,
        grades=grades_of(wrong),
        cost=cost,
        per_hour=cost / hours if hours else 0.0,
        cost_deviation=deviation,
        per_hour_deviation=deviation / hours if hours else 0.0,
    )


def deviation_of(sums: SituationSums) -> float:
    """Return one standard deviation of a cost, in chips.

    The number of mistakes is nearly that of rare random events: then the squares of their costs add
    up to the variance of their sum.
    """
    return math.sqrt(sums.cost_squared)


def why_no_rate(rounds: int) -> str:
    """Return why there is no hourly rate after this number of rounds; empty if there is."""
    if rounds >= FEWEST_FOR_A_RATE:
        return ""
    are = "round is" if rounds == 1 else "rounds are"
    return f"{rounds} {are} too few for a rate an hour: it takes {FEWEST_FOR_A_RATE}."
