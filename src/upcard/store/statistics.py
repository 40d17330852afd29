"""Results taken apart: what best play was worth, what errors cost, and luck with its band.

Of a round, net = bets x value of the game - cost of errors + luck. The value is that of the game
played best from a fresh shoe, exact; the cost is what the coach said of each decision; luck is
the rest. Rounds are independent enough that the squares of their luck add up to its variance, so
the band comes from the rounds themselves and assumes nothing about the game.
"""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from upcard.store.history import read_rounds
from upcard.store.learning import read_judgements

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from upcard.rules.model import Rules
    from upcard.store.database import Store
    from upcard.store.learning import JudgedDecision
    from upcard.store.records import StoredRound


@dataclass(frozen=True, slots=True, kw_only=True)
class Results:
    """Rounds added up. Amounts are in chips; what best play was worth is known only with values."""

    rounds: int
    won: int
    lost: int
    initial_bets: Fraction
    net: Fraction
    decisions: int
    judged: int
    """How many of the decisions the coach has judged; the errors of others count as luck."""
    mistakes: int
    error_cost: float
    """What the mistakes cost, 0 or more."""
    best_play: float | None
    """Bets times the value of their games; None if no exact method values one of them."""
    luck: float | None
    """net - best_play + error_cost."""
    luck_deviation: float | None
    """One standard deviation of `luck`; None below two rounds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Leak:
    """A class of decisions and what its mistakes cost."""

    category: str
    decisions: int
    mistakes: int
    cost: float
    """In chips, 0 or more."""
    per_hour: float
    """In chips an hour, at the rounds an hour that were asked for."""


class Statistics(NamedTuple):
    """All that `upcard stats` tells."""

    total: Results
    by_house: dict[str, Results]
    """By the house's name, or the rules in notation where they are one's own."""
    leaks: tuple[Leak, ...]
    """The dearest first."""
    without_bets: int
    """Rounds in houses without bets: they are in nothing else here."""


class _Outcome(NamedTuple):
    """What one round adds to the results."""

    house: str
    bet: Fraction
    net: Fraction
    value: float | None
    decisions: int
    judged: int
    mistakes: int
    cost: float


def add_up(
    store: Store, *, value_of: Callable[[Rules], float | None], rounds_per_hour: float
) -> Statistics:
    """Add up all settled rounds: the person's own bets, net and decisions.

    `value_of` is the value of a game per initial bet, played best; None where it is not known.
    Leaks are relative to the rounds of the sessions in which the coach judged anything.
    """
    judged = group_judgements(store)
    coached = {session for session, _ in judged}
    outcomes: list[_Outcome] = []
    counted: list[list[JudgedDecision]] = []
    without_bets = coached_rounds = 0
    for stored in read_rounds(store):
        if not stored.session.rules.betting:
            without_bets += 1
            continue
        coached_rounds += stored.session.id in coached
        said = judged_of(stored, judged)
        counted.append(said)
        outcomes.append(_weigh(stored, said, value_of(stored.session.rules)))
    houses = dict.fromkeys(item.house for item in outcomes)
    return Statistics(
        _sum(outcomes),
        {house: _sum([item for item in outcomes if item.house == house]) for house in houses},
        _find_leaks(counted, coached_rounds, rounds_per_hour),
        without_bets,
    )


def group_judgements(store: Store) -> dict[tuple[int, int], list[JudgedDecision]]:
    """Read all judgements, by session and number of the round in it."""
    judged: dict[tuple[int, int], list[JudgedDecision]] = defaultdict(list)
    for item in read_judgements(store):
        judged[item.session_id, item.number].append(item)
    return judged


def judged_of(
    stored: StoredRound, judged: Mapping[tuple[int, int], list[JudgedDecision]]
) -> list[JudgedDecision]:
    """Return what was said of the person's own answers in a round."""
    own = set(stored.own_answers)
    said = judged.get((stored.session.id, stored.number), [])
    return [item for item in said if item.judgement.step in own]


def _weigh(stored: StoredRound, said: list[JudgedDecision], value: float | None) -> _Outcome:
    costs = [item.judgement.cost_chips for item in said]
    return _Outcome(
        str(stored.session.rules),
        stored.initial_bet,
        stored.net,
        value,
        len(stored.own_answers),
        len(said),
        sum(cost > 0 for cost in costs),
        sum(costs),
    )


def _sum(outcomes: list[_Outcome]) -> Results:
    bets = sum((item.bet for item in outcomes), start=Fraction(0))
    net = sum((item.net for item in outcomes), start=Fraction(0))
    error_cost = sum(item.cost for item in outcomes)
    lucks = [
        float(item.net) - float(item.bet) * item.value + item.cost
        for item in outcomes
        if item.value is not None
    ]
    is_known = len(lucks) == len(outcomes)
    luck = math.fsum(lucks) if is_known else None
    return Results(
        rounds=len(outcomes),
        won=sum(item.net > 0 for item in outcomes),
        lost=sum(item.net < 0 for item in outcomes),
        initial_bets=bets,
        net=net,
        decisions=sum(item.decisions for item in outcomes),
        judged=sum(item.judged for item in outcomes),
        mistakes=sum(item.mistakes for item in outcomes),
        error_cost=error_cost,
        best_play=None if luck is None else float(net) - luck + error_cost,
        luck=luck,
        luck_deviation=(
            math.sqrt(math.fsum(each * each for each in lucks))
            if is_known and len(lucks) > 1
            else None
        ),
    )


def _find_leaks(
    judged: Iterable[list[JudgedDecision]], rounds: int, rounds_per_hour: float
) -> tuple[Leak, ...]:
    found: dict[str, list[float]] = defaultdict(list)
    for items in judged:
        for item in items:
            found[item.judgement.category].append(item.judgement.cost_chips)
    leaks = [
        Leak(
            category=category,
            decisions=len(costs),
            mistakes=sum(cost > 0 for cost in costs),
            cost=math.fsum(costs),
            per_hour=math.fsum(costs) / rounds * rounds_per_hour if rounds else 0.0,
        )
        for category, costs in found.items()
    ]
    return tuple(sorted(leaks, key=lambda leak: (-leak.cost, leak.category)))
