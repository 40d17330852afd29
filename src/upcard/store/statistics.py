"""Breakdown of results: best play, errors and luck, over time and by situation.

For each round, net = bets x value of the game + value of its side bets - cost of errors + luck. The
values are the exact ones of best play and of each side bet from a fresh shoe; the cost is the
coach's for each decision; luck is the rest. Rounds are independent enough that the squares of their
luck add up to its variance, so the band comes from the rounds and assumes nothing about the game,
nor about how its main and side bets go together.

No sum is saved: each is computed from rounds and judgements, all read in one state of the store.
SQLite groups equal bets and nets, and their sums are exact fractions.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from fractions import Fraction
from functools import lru_cache
from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING, Annotated, Any, Final, NamedTuple, TypeAlias, TypeVar

from upcard.analysis.grades import grades_of, write_grades
from upcard.core import figure
from upcard.core.errors import EmptyShoeError, RulesError, UnsupportedRuleError
from upcard.core.numbers import fields_of
from upcard.core.wager import Wager
from upcard.rules.model import Rules
from upcard.store import files, records, sessions
from upcard.store.database import Store

if TYPE_CHECKING:
    from upcard.rules.side_bets import SideBet

_NOTHING: Final = Fraction(0)
FEWEST_FOR_A_RATE: Final = 100
"""Rounds needed for an hourly rate: with fewer, one hand would be most of it."""
_MOST_POINTS: Final = 240
Sums = TypeVar("Sums", "PlaySums", "_SideSums")
_Ratio: TypeAlias = tuple[int, int]
"""A number as `float.as_integer_ratio` returns it; the denominator is a power of two."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SideBetResults:
    """Sums of a side bet, or of all of them. Amounts are in chips."""

    bet: Annotated[str, figure.text(title="token", is_shown=False)]
    """Its token in the rules notation; empty for all of them."""
    title: Annotated[str, figure.text(title="bet")]
    """The bet in words."""
    rounds: Annotated[int, figure.number()]
    """Number of rounds in which it was placed, on any hand."""
    bets: Annotated[int, figure.number()]
    """How often it was placed."""
    won: Annotated[int, figure.number()]
    """How often it won."""
    staked: Annotated[Fraction, figure.amount()]
    """Chips placed."""
    expected: Annotated[float | None, figure.signed(unit="chips")]
    """Chips placed times its exact value in a fresh shoe; None for a bet without one."""
    net: Annotated[Fraction, figure.signed(digits=1, unit="chips")]
    """Chips won or lost."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Results:
    """Sums of rounds. Amounts are in chips; best play is known only with values."""

    rounds: int
    """Number of rounds for chips."""
    won: int
    """Rounds with a net over 0."""
    lost: int
    """Rounds with a net under 0."""
    initial_bets: Fraction
    """Bets before doubles and splits."""
    net: Fraction
    """Chips won or lost."""
    decisions: int
    """Number of decisions."""
    judged: int
    """Number of judged decisions; errors in others count as luck."""
    mistakes: int
    """Number of mistakes among them."""
    grades: dict[str, int]
    """Number of the mistakes of each grade."""
    error_cost: float
    """Cost of the mistakes, 0 or more."""
    best_play: float | None
    """Bets times the value of their games; None if one of them has no exact value."""
    luck: float | None
    """net - best_play - side.expected + error_cost."""
    luck_deviation: float | None
    """One standard deviation of `luck`; None below two rounds."""
    side: SideBetResults
    """The sums of all side bets."""
    side_bets: tuple[SideBetResults, ...]
    """Those of each side bet, the most chips placed first; empty if none was."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Leak:
    """A class of decisions and the cost of its mistakes."""

    category: str
    """The class of decisions."""
    decisions: int
    """Number of decisions that were judged."""
    mistakes: int
    """Number of mistakes among them."""
    grades: dict[str, int]
    """Number of the mistakes of each grade."""
    cost: float
    """Cost in chips, 0 or more."""
    per_hour: float
    """Cost in chips per hour, at the given rounds per hour."""
    cost_deviation: float
    """One standard deviation of `cost`: mistakes occur at random, as hands do."""
    per_hour_deviation: float
    """One standard deviation of `per_hour`."""

    @property
    def wrong(self) -> str:
        """The mistakes by their grades, in words."""
        return write_grades(self.grades)


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


def _add_ratios(ratios: Sequence[_Ratio]) -> Fraction:
    """Add numbers exactly, much faster than as fractions."""
    scale = max((denominator for _, denominator in ratios), default=1)
    return Fraction(sum(number * (scale // denominator) for number, denominator in ratios), scale)


def _add_fields(kind: type[Sums], found: Iterable[Sums]) -> Sums:
    """Add sums field by field."""
    total = kind()
    for one in found:
        for each in fields(one):
            setattr(total, each.name, getattr(total, each.name) + getattr(one, each.name))
    return total


def _add_squares(ratios: Sequence[_Ratio]) -> Fraction:
    return _add_ratios([(number**2, denominator**2) for number, denominator in ratios])


@dataclass(slots=True)
class PlaySums:
    """Exact sums of rounds: the person's own bets, nets and decisions, in chips.

    The squares and products are those of each round. They give the variance of luck, for the luck
    of a round is its net, less the worth of its side bets, less its main bets times the value of
    the game, plus its cost. In them, a net is without that worth.
    """

    rounds: int = 0
    won: int = 0
    lost: int = 0
    decisions: int = 0
    bets: Fraction = _NOTHING
    net: Fraction = _NOTHING
    side: Fraction = _NOTHING
    """Worth of the side bets."""
    cost: Fraction = _NOTHING
    bets_squared: Fraction = _NOTHING
    net_squared: Fraction = _NOTHING
    cost_squared: Fraction = _NOTHING
    bets_net: Fraction = _NOTHING
    bets_cost: Fraction = _NOTHING
    net_cost: Fraction = _NOTHING

    def count(self, bets: Fraction, net: Fraction, times: int, side: Fraction = _NOTHING) -> None:
        """Add `times` rounds with the same bets and net, and side bets worth `side`."""
        self.rounds += times
        self.won += times * (net > 0)
        self.lost += times * (net < 0)
        self.bets += times * bets
        self.net += times * net
        self.side += times * side
        net -= side
        self.bets_squared += times * bets * bets
        self.net_squared += times * net * net
        self.bets_net += times * bets * net

    def add_costs(self, bets: Fraction, net: Fraction, costs: Sequence[_Ratio]) -> None:
        """Add the costs of mistakes of counted rounds with the same bets and net, less `side`."""
        cost = _add_ratios(costs)
        self.cost += cost
        self.cost_squared += _add_squares(costs)
        self.bets_cost += bets * cost
        self.net_cost += net * cost

    def squared_luck(self, value: Fraction) -> Fraction:
        """Return the sum of the squares of each round's luck, at the value of the game."""
        return (
            self.net_squared
            + self.cost_squared
            + 2 * self.net_cost
            + value * value * self.bets_squared
            - 2 * value * (self.bets_net + self.bets_cost)
        )


class Wrong(NamedTuple):
    """A wrong decision of the person's in a settled round."""

    session_id: int
    number: int
    """Number of the round in its session."""
    bets: Fraction
    """The person's main bets of that round before the deal, in chips."""
    net: Fraction
    """The person's net of that round less the worth of the side bets, in chips."""
    situation: str
    category: str
    cost: _Ratio
    """Cost in chips."""
    ev: float
    """Cost per initial bet."""


@dataclass(slots=True)
class _SideSums:
    """Sums of a side bet in rounds by one set of rules."""

    rounds: int = 0
    bets: int = 0
    won: int = 0
    staked: Fraction = _NOTHING
    net: Fraction = _NOTHING


@dataclass(slots=True)
class Played:
    """All rounds by one set of rules, with the person's own judged decisions."""

    rules: Rules
    sums: PlaySums = field(default_factory=PlaySums)
    coached_rounds: int = 0
    """Rounds of the sessions with any judgement."""
    asked: Counter[tuple[str, str]] = field(default_factory=Counter)
    """Number of judged decisions by situation, as the coach names it, and class of leaks."""
    wrong: list[Wrong] = field(default_factory=list)
    side: dict[str, _SideSums] = field(default_factory=lambda: defaultdict(_SideSums))
    """By the short names of its side bets."""
    with_side: int = 0
    """Number of rounds with a side bet."""


_ROUNDS_AT_ONCE: Final = 20_000
_LEAST_ID: Final = -(2**63)
_RANGE: Final = "rounds.id > ? AND rounds.id <= ?"
_OWN: Final = "(own = '' OR instr(',' || own_answers || ',', ',' || step || ',') > 0)"
"""Whether a judged decision is the person's own."""
_ANSWERS: Final = "CASE WHEN own = '' THEN actions ELSE own_answers END"
_ALIKE: Final = (
    "SELECT session_id, bets, own, net, count(*), min(id), sum(CASE WHEN answers = '' THEN 0"  # noqa: S608
    " ELSE 1 + length(answers) - length(replace(answers, ',', '')) END) FROM (SELECT id,"
    f" session_id, bets, own, net, {_ANSWERS} AS answers FROM rounds WHERE {_RANGE})"
    " GROUP BY session_id, bets, own, net"
)
_ASKED: Final = (
    "SELECT session_id, situation, category, count(*) FROM rounds JOIN judgements"  # noqa: S608
    f" USING (session_id, number) WHERE {_RANGE} AND {_OWN}"
    " GROUP BY session_id, situation, category"
)
_WRONG: Final = (
    "SELECT session_id, number, bets, own, net, situation, category, cost_chips, cost_ev, id"  # noqa: S608
    " FROM judgements JOIN rounds USING (session_id, number)"
    f" WHERE cost_chips > 0 AND {_OWN} ORDER BY session_id, number"
)

_SIDE: Final = (
    "SELECT session_id, own, hands, id FROM rounds"  # noqa: S608
    f" WHERE instr(bets, ';') > 0 AND {_RANGE}"
)

Watch = Callable[[int, int], object]
"""Called with the rounds that were added up, and all of them."""


def read_played(store: Store, *, watch: Watch | None = None) -> list[Played]:
    """Add up all settled rounds by their rules, the oldest first."""
    with store.reading() as state:
        games = _read_games(state)
        rounds: Counter[int] = Counter()
        # Rounds by the same rules with the same bets and net: how many, and the number of one.
        alike: dict[tuple[int, str, str, str], tuple[Played, int, int]] = {}
        coached: set[int] = set()
        for above, to in _split_rounds(state, watch):
            for session_id, bets, own, net, times, first, answers in state.rows(_ALIKE, above, to):
                if session_id not in games:
                    raise files.damaged(f"round {first}: there is no session {session_id}")
                game = games[session_id]
                game.sums.decisions += answers
                rounds[session_id] += times
                key = id(game), bets, own, net
                _, before, first_of_all = alike.get(key, (game, 0, first))
                alike[key] = game, before + times, first_of_all
            for session_id, situation, category, times in state.rows(_ASKED, above, to):
                games[session_id].asked[situation, category] += times
                coached.add(session_id)
            for session_id, own, hands, first in state.rows(_SIDE, above, to):
                with files.reading(f"round {first}"):
                    mine, entries = records.read_numbers(own), records.read_entries(hands)
                    _add_side(games[session_id], mine, entries)
        for one in _read_wrong(state, {number: game.rules for number, game in games.items()}):
            games[one.session_id].wrong.append(one)
    for (_, bets, own, net), (game, times, first) in alike.items():
        with files.reading(f"round {first}"):
            placed = _read_own_bets(bets, own)
            worth = _worth(placed, game.rules)
            game.sums.count(placed.main, records.read_amount(net), times, worth)
    for session_id in coached:
        games[session_id].coached_rounds += rounds[session_id]
    found = {id(game): game for game in games.values() if game.sums.rounds}
    for game in found.values():
        _add_costs(game)
    return list(found.values())


def _add_side(game: Played, own: tuple[int, ...], entries: list[dict[str, Any]]) -> None:
    """Add the person's side bets of a round, whose hands are `entries`."""
    results = [one for one in records.read_side(entries) if not own or one.spot in own]
    game.with_side += bool(results)
    for code in {one.code for one in results}:
        game.side[code].rounds += 1
    for one in results:
        sums = game.side[one.code]
        sums.bets += 1
        sums.won += one.net > 0
        sums.staked += one.stake
        sums.net += one.net


def _add_costs(game: Played) -> None:
    costs: dict[tuple[Fraction, Fraction], list[_Ratio]] = defaultdict(list)
    for _, same_round in groupby(game.wrong, key=attrgetter("session_id", "number")):
        first, *others = same_round
        cost = first.cost
        if others:
            cost = _add_ratios([cost, *(one.cost for one in others)]).as_integer_ratio()
        costs[first.bets, first.net].append(cost)
    for (bets, net), rounds in costs.items():
        game.sums.add_costs(bets, net, rounds)


def _read_games(state: Store) -> dict[int, Played]:
    """Return the empty sums of each session's rules; sessions by the same rules share theirs."""
    games: dict[tuple[str, str], Played] = {}
    found = {}
    for number, rules, house in state.rows("SELECT id, rules, house FROM sessions ORDER BY id"):
        if (rules, house) not in games:
            with files.reading(f"session {number}"):
                games[rules, house] = Played(sessions.read_rules(rules, house))
        found[number] = games[rules, house]
    return found


def _split_rounds(state: Store, watch: Watch | None) -> Iterator[tuple[int, int]]:
    """Iterate over ranges of the rounds' numbers in the store, to show the progress."""
    ((total,),) = state.rows("SELECT count(*) FROM rounds")
    query = "SELECT id FROM rounds WHERE id > ? ORDER BY id LIMIT 1 OFFSET ?"
    above = _LEAST_ID
    for done in range(0, total, _ROUNDS_AT_ONCE):
        count = min(_ROUNDS_AT_ONCE, total - done)
        ((to,),) = state.rows(query, above, count - 1)
        yield above, to
        above = to
        if watch is not None:
            watch(done + count, total)


def _read_wrong(state: Store, rules: Mapping[int, Rules]) -> Iterator[Wrong]:
    """Iterate over the wrong decisions of sessions; `rules` are those of each."""
    for row in state.each(_WRONG):
        session_id, number, bets, own, net, situation, category, chips, ev, first = row
        if session_id not in rules:
            continue
        with files.reading(f"round {first}"):
            placed = _read_own_bets(bets, own)
            won = _read_amount(net) - _worth(placed, rules[session_id])
            cost = float(chips).as_integer_ratio()
        yield Wrong(session_id, number, placed.main, won, situation, category, cost, ev)


_read_amount: Final = lru_cache(maxsize=_ROUNDS_AT_ONCE)(records.read_amount)


@lru_cache(maxsize=_ROUNDS_AT_ONCE)
def _read_own_bets(bets: str, own: str) -> Wager:
    placed = records.read_bets(bets)
    mine = [placed[spot] for spot in records.read_numbers(own) or range(len(placed))]
    side: dict[str, Fraction] = defaultdict(Fraction)
    for code, chips in (one for wager in mine for one in wager.side):
        side[code] += chips
    return Wager(sum((wager.main for wager in mine), start=_NOTHING), tuple(side.items()))


def _worth(placed: Wager, rules: Rules) -> Fraction:
    """Return the exact value of side bets in a fresh shoe; a bet without one counts 0."""
    if not placed.side:
        return _NOTHING
    known = {bet.code: bet for bet in rules.side_bets}
    return sum(
        (chips * Fraction(side_bet_value(known[code], rules) or 0) for code, chips in placed.side),
        start=_NOTHING,
    )


def add_up(
    store: Store,
    *,
    value_of: Callable[[Rules], float | None],
    rounds_per_hour: float,
    watch: Watch | None = None,
) -> Statistics:
    """Add up all settled rounds: the person's own bets, net and decisions.

    `value_of` returns the value of a game per initial bet, with best play; None if it is unknown.
    Leaks are relative to the rounds of the sessions with any judgement. `watch` is called with the
    rounds that were added up, and all of them.
    """
    played = read_played(store, watch=watch)
    games = [game for game in played if game.rules.betting]
    weighed = [(game, value_of(game.rules)) for game in games]
    houses: dict[str, list[tuple[Played, float | None]]] = defaultdict(list)
    for game, value in weighed:
        houses[str(game.rules)].append((game, value))
    coached_rounds = sum(game.coached_rounds for game in games)
    hours = coached_rounds / rounds_per_hour
    return Statistics(
        _sum(weighed),
        {house: _sum(items) for house, items in houses.items()},
        tuple(_make_leak(sums, hours) for sums in _sum_decisions(games, 1)),
        sum(game.sums.rounds for game in played if not game.rules.betting),
        coached_rounds,
    )


def _sum(items: list[tuple[Played, float | None]]) -> Results:
    total = _add_fields(PlaySums, (game.sums for game, _ in items))
    wrong = [one.ev for game, _ in items for one in game.wrong]
    best_play = luck = squares = None
    side, side_bets = _sum_side([game for game, _ in items])
    if side.expected is not None and all(value is not None for _, value in items):
        values = [(game.sums, Fraction(value or 0.0)) for game, value in items]
        best_play = float(sum((one.bets * value for one, value in values), _NOTHING))
        luck = sum(
            (one.net - one.side - one.bets * value + one.cost for one, value in values), _NOTHING
        )
        squares = sum((one.squared_luck(value) for one, value in values), start=_NOTHING)
    return Results(
        **fields_of(total, "rounds", "won", "lost", "net", "decisions"),
        initial_bets=total.bets,
        judged=sum(game.asked.total() for game, _ in items),
        mistakes=len(wrong),
        grades=grades_of(wrong),
        error_cost=float(total.cost),
        best_play=best_play,
        luck=None if luck is None else float(luck),
        luck_deviation=None if squares is None or total.rounds < 2 else math.sqrt(squares),
        side=side,
        side_bets=side_bets,
    )


def _sum_side(games: list[Played]) -> tuple[SideBetResults, tuple[SideBetResults, ...]]:
    """Add up the side bets of games: all of them, and each that is called and paid alike."""
    found: dict[SideBet, list[tuple[_SideSums, float | None]]] = defaultdict(list)
    for game in games:
        known = {bet.code: bet for bet in game.rules.side_bets}
        for code, sums in game.side.items():
            found[known[code]].append((sums, side_bet_value(known[code], game.rules)))
    each = [
        _make_side(str(bet), bet.title, sums, sum(one.rounds for one, _ in sums))
        for bet, sums in found.items()
    ]
    each.sort(key=lambda one: (-one.staked, one.bet))
    rounds = sum(game.with_side for game in games)
    everything = [one for sums in found.values() for one in sums]
    return _make_side("", "All side bets", everything, rounds), tuple(each)


def _make_side(
    bet: str, title: str, sums: list[tuple[_SideSums, float | None]], rounds: int
) -> SideBetResults:
    expected = [
        None if value is None else one.staked * Fraction(value) for one, value in sums if one.staked
    ]
    known = [one for one in expected if one is not None]
    total = _add_fields(_SideSums, (one for one, _ in sums))
    return SideBetResults(
        bet=bet,
        title=title,
        rounds=rounds,
        **fields_of(total, "bets", "won", "staked", "net"),
        expected=float(sum(known, _NOTHING)) if len(known) == len(expected) else None,
    )


@dataclass(slots=True)
class AnsweredQuestions:
    """Judged decisions of one kind."""

    name: str
    """Their situation as the coach names it, `hard 16 v T`, or their class."""
    asked: int = 0
    mistakes: list[Wrong] = field(default_factory=list)

    @property
    def wrong(self) -> tuple[float, ...]:
        """Costs of the mistakes, per initial bet."""
        return tuple(one.ev for one in self.mistakes)

    @property
    def cost(self) -> float:
        """Cost of the mistakes, in chips."""
        return float(_add_ratios([one.cost for one in self.mistakes]))

    @property
    def deviation(self) -> float:
        """One standard deviation of the cost.

        The number of mistakes is nearly that of rare random events: then the squares of their costs
        add up to the variance of their sum.
        """
        return math.sqrt(_add_squares([one.cost for one in self.mistakes]))


def _sum_decisions(games: Iterable[Played], kind: int) -> list[AnsweredQuestions]:
    """Add up judged decisions by their situation (0) or their class (1), the costliest first."""
    found: dict[str, AnsweredQuestions] = {}
    for game in games:
        for names, times in game.asked.items():
            found.setdefault(names[kind], AnsweredQuestions(names[kind])).asked += times
        for one in game.wrong:
            name = (one.situation, one.category)[kind]
            found.setdefault(name, AnsweredQuestions(name)).mistakes.append(one)
    return sorted(found.values(), key=lambda one: (-one.cost, one.name))


def _make_leak(sums: AnsweredQuestions, hours: float) -> Leak:
    cost, deviation = sums.cost, sums.deviation
    return Leak(
        category=sums.name,
        decisions=sums.asked,
        mistakes=len(sums.mistakes),
        grades=grades_of(sums.wrong),
        cost=cost,
        per_hour=cost / hours if hours else 0.0,
        cost_deviation=deviation,
        per_hour_deviation=deviation / hours if hours else 0.0,
    )


def why_no_rate(rounds: int) -> str:
    """Return why there is no hourly rate after this number of rounds; empty if there is."""
    if rounds >= FEWEST_FOR_A_RATE:
        return ""
    are = "round is" if rounds == 1 else "rounds are"
    return f"{rounds} {are} too few for a rate an hour: it takes {FEWEST_FOR_A_RATE}."


class Mistakes(NamedTuple):
    """A person's judged decisions by one set of rules."""

    rounds: int
    coached_rounds: int
    """Rounds of the sessions with any judgement."""
    decisions: int
    situations: tuple[AnsweredQuestions, ...]
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
    """Return the rules played for chips and their rounds, most rounds first."""
    games: dict[str, Rules] = {}
    rounds: Counter[str] = Counter()
    for rules, count in _count_rounds(store).values():
        written = sessions.write_rules(rules)
        games[written] = rules
        rounds[written] += count
    return [(games[written], count) for written, count in rounds.most_common()]


def _count_rounds(store: Store) -> dict[int, tuple[Rules, int]]:
    """Return the rules and number of rounds of each session for chips, the oldest first."""
    found = {}
    for number, written, house, count in store.rows(
        "SELECT session_id, rules, house, count(*) FROM rounds"
        " JOIN sessions ON sessions.id = session_id GROUP BY session_id ORDER BY session_id"
    ):
        with files.reading(f"session {number}"):
            rules = sessions.read_rules(written, house)
        if rules.betting:
            found[number] = rules, count
    return found


def find_mistakes(store: Store, rules: Rules, *, watch: Watch | None = None) -> Mistakes:
    """Add up the judged decisions of all rounds by these rules, for houses of any name.

    `watch` is called with the rounds that were added up, and all of them.
    """
    plain = rules.replace(name="")
    played = read_played(store, watch=watch)
    games = [game for game in played if game.rules.replace(name="") == plain]
    return Mistakes(
        sum(game.sums.rounds for game in games),
        sum(game.coached_rounds for game in games),
        sum(game.sums.decisions for game in games),
        tuple(_sum_decisions(games, 0)),
    )


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """Sums after a number of rounds. Units: chips."""

    rounds: int
    """Number of rounds."""
    net: float
    """Chips won or lost."""
    best_play: float | None
    """The value of best play and of the side bets; None if one has no exact value."""
    without_luck: float | None
    """Best play less the cost of the errors: what the net would be without luck."""
    luck_deviation: float | None
    """One standard deviation of the luck."""


def read_curve(store: Store, value_of: Callable[[Rules], float | None]) -> list[CurvePoint]:
    """Read the curve of all rounds for chips, session by session, thinned to a few hundred points.

    `value_of` returns the value of a game per initial bet; the last point has the sums of `add_up`.
    """
    with store.reading() as state:
        counted = _count_rounds(state)
        values = {rules: value_of(rules) for rules, _ in counted.values()}
        total = sum(count for _, count in counted.values())
        rules = {number: one for number, (one, _) in counted.items()}
        is_known = None not in values.values() and not _has_unknown_side(state, rules)
        every = math.ceil(total / _MOST_POINTS)
        points = [CurvePoint(0, 0.0, 0.0, 0.0, 0.0)]
        costs: dict[tuple[int, int], list[float]] = defaultdict(list)
        for one in _read_wrong(state, rules):
            costs[one.session_id, one.number].append(one.cost[0] / one.cost[1])
        rounds = 0
        net = best = lost = squares = 0.0
        for session_id, number, bets, own, booked, first in state.each(
            "SELECT session_id, number, bets, own, net, id FROM rounds ORDER BY session_id, number"
        ):
            if session_id not in counted:
                continue
            with files.reading(f"round {first}"):
                placed, won = _read_own_bets(bets, own), float(_read_amount(booked))
                game = rules[session_id]
                expected = float(placed.main) * (values[game] or 0.0) + float(_worth(placed, game))
            cost = math.fsum(costs.get((session_id, number), ()))
            rounds += 1
            net, best, lost = net + won, best + expected, lost + cost
            squares += (won - expected + cost) ** 2
            if rounds % every == 0 or rounds == total:
                points.append(CurvePoint(rounds, net, best, best - lost, math.sqrt(squares)))
    if not is_known:
        points = [CurvePoint(one.rounds, one.net, None, None, None) for one in points]
    return points if rounds else []


def _has_unknown_side(state: Store, rules: Mapping[int, Rules]) -> bool:
    """Return whether the person placed a side bet that has no exact value."""
    unknown = {
        (number, bet.code)
        for number, game in rules.items()
        for bet in game.side_bets
        if side_bet_value(bet, game) is None
    }
    return bool(unknown) and any(
        (number, code) in unknown
        for number, bets, own in state.rows(
            "SELECT DISTINCT session_id, bets, own FROM rounds WHERE instr(bets, ';') > 0"
        )
        for code, _ in _read_own_bets(bets, own).side
    )


METHOD = "exact, best play from a fresh shoe, splits CDZ-, insurance not taken"


def game_value(rules: Rules) -> float | None:
    """Return the value of a game per initial bet of one spot, for the player; None if unknown.

    The first call for a game takes up to a few seconds.
    """
    from upcard.cache.exact import expected_value

    try:
        return expected_value(rules, splits="CDZ-")
    except (UnsupportedRuleError, EmptyShoeError):
        return None


@lru_cache(maxsize=256)
def side_bet_value(bet: SideBet, rules: Rules) -> float | None:
    """Return the value of a side bet per chip in a fresh shoe, for the player; None if unknown."""
    from upcard.exact.side.bet_values import value_bet

    try:
        return value_bet(bet, None, rules).ev
    except (UnsupportedRuleError, RulesError):
        return None
