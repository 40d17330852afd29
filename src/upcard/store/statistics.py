"""Breakdown of results: best play, errors and luck, over time and by situation.

For each round, net = bets x value of the game - cost of errors + luck. The value is the exact one
of best play from a fresh shoe; the cost is the coach's for each decision; luck is the rest. Rounds
are independent enough that the squares of their luck add up to its variance, so the band comes from
the rounds and assumes nothing about the game.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, NamedTuple

from upcard._version import __version__
from upcard.analysis.grades import grades_of
from upcard.core.errors import EmptyShoeError, UnsupportedRuleError
from upcard.rules.model import Rules
from upcard.store.database import Store
from upcard.store.files import reading
from upcard.store.results import (
    SessionSums,
    SituationSums,
    read_own_steps,
    read_results,
    read_round_results,
    read_situations,
)
from upcard.store.sessions import read_rules, write_rules

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


class MistakeSituation(NamedTuple):
    """Sums of one situation, named as the coach does. Units: chips."""

    name: str
    """`hard 16 v T`."""
    asked: int
    wrong: tuple[float, ...]
    """Costs of the mistakes, per initial bet."""
    cost: float
    deviation: float
    """One standard deviation of `cost`."""


class Mistakes(NamedTuple):
    """A person's judged decisions by one set of rules."""

    rounds: int
    coached_rounds: int
    """Rounds of the sessions with any judgement."""
    decisions: int
    situations: tuple[MistakeSituation, ...]
    """Most expensive first."""

    @property
    def judged(self) -> int:
        """Number of judged decisions."""
        return sum(situation.asked for situation in self.situations)

    @property
    def wrong(self) -> tuple[float, ...]:
        """Costs of the mistakes, per initial bet."""
        return tuple(cost for situation in self.situations for cost in situation.wrong)

    @property
    def cost(self) -> float:
        """Cost of the mistakes, in chips."""
        return math.fsum(situation.cost for situation in self.situations)


def count_played(store: Store) -> list[tuple[Rules, int]]:
    """Return the rules played for chips and their rounds, most rounds first.

    Raises: StoreDamagedError.
    """
    rules: dict[str, Rules] = {}
    rounds: Counter[str] = Counter()
    for played in read_played(store):
        if played.rules.betting:
            written = write_rules(played.rules)
            rules[written] = played.rules
            rounds[written] += played.sums.rounds
    return [(rules[written], count) for written, count in rounds.most_common()]


def find_mistakes(store: Store, rules: Rules) -> Mistakes:
    """Add up the judged decisions of all rounds by these rules, for houses of any name.

    Raises: StoreDamagedError.
    """
    plain = rules.replace(name="")
    rounds = coached_rounds = decisions = 0
    with store.reading() as state:
        all_played = read_played(state)
        found = sum_situations(state, "situation", lambda theirs: theirs == plain)
        every = read_wrong(state, lambda theirs: theirs.replace(name="") == plain)
    for played in all_played:
        if played.rules.replace(name="") == plain:
            rounds += played.sums.rounds
            coached_rounds += played.coached_rounds
            decisions += played.sums.decisions
    wrong = collect_costs((one.situation, one.cost) for one in every)
    situations = [
        MistakeSituation(
            name, sums.asked, tuple(wrong.get(name, ())), float(sums.cost), deviation_of(sums)
        )
        for name, sums in found.items()
    ]
    situations.sort(key=lambda situation: (-situation.cost, situation.name))
    return Mistakes(rounds, coached_rounds, decisions, tuple(situations))


_MOST_POINTS: Final = 240


class CurvePoint(NamedTuple):
    """Sums after a number of rounds. Units: chips."""

    rounds: int
    net: float
    best_play: float | None
    """The value of best play; None if a game has no exact value."""
    without_luck: float | None
    """Best play less the cost of the errors: what the net would be without luck."""
    luck_deviation: float | None
    """One standard deviation of the luck."""


def read_curve(store: Store, value_of: Callable[[Rules], float | None]) -> list[CurvePoint]:
    """Read the curve of all rounds for chips, session by session, thinned to a few hundred points.

    `value_of` returns the value of a game per initial bet; the last point has the sums of `add_up`.

    Raises: StoreDamagedError.
    """
    with store.reading() as state:
        sessions = []
        for item in read_results(state):
            with reading(f"session {item.session_id}"):
                rules = read_rules(item.rules, item.house)
            if rules.betting and item.sums.rounds:
                sessions.append((item.session_id, value_of(rules), item.sums.rounds))
        total = sum(rounds for _, _, rounds in sessions)
        is_known = all(value is not None for _, value, _ in sessions)
        every = math.ceil(total / _MOST_POINTS)
        points = [_point(0, 0.0, 0.0, 0.0, 0.0, is_known=is_known)]
        rounds = 0
        net = best = cost = squares = 0.0
        for session_id, value, _ in sessions:
            for result in read_round_results(state, session_id):
                rounds += 1
                won, expected = float(result.net), float(result.bets) * (value or 0.0)
                net, best, cost = net + won, best + expected, cost + result.cost
                squares += (won - expected + result.cost) ** 2
                if rounds % every == 0 or rounds == total:
                    points.append(_point(rounds, net, best, cost, squares, is_known=is_known))
    return points if rounds else []


def _point(  # noqa: PLR0913 (the sums of one point)
    rounds: int, net: float, best: float, cost: float, squares: float, *, is_known: bool
) -> CurvePoint:
    if not is_known:
        return CurvePoint(rounds, net, None, None, None)
    return CurvePoint(rounds, net, best, best - cost, math.sqrt(squares))


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
