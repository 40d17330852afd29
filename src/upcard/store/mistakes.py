"""Mistakes by situation, at the tables of one set of rules, as heat maps show them."""

from __future__ import annotations

import math
from collections import Counter
from typing import NamedTuple

from upcard.rules.model import Rules
from upcard.store.database import Store
from upcard.store.sessions import write_rules
from upcard.store.statistics import (
    collect_costs,
    deviation_of,
    read_played,
    read_wrong,
    sum_situations,
)


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
