"""Mistakes by situation, at the tables of one set of rules: what a heat map adds up."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from typing import TYPE_CHECKING, NamedTuple

from upcard.store.damage import reading
from upcard.store.results import read_situations
from upcard.store.sessions import read_rules, write_rules
from upcard.store.statistics import deviation_of, read_played
from upcard.store.sums import SituationSums

if TYPE_CHECKING:
    from upcard.rules.model import Rules
    from upcard.store.database import Store


class MistakeSituation(NamedTuple):
    """One situation, as the coach calls it, and what came of it. Units: chips."""

    name: str
    """`hard 16 v T`."""
    asked: int
    mistakes: int
    cost: float
    deviation: float
    """One standard deviation of `cost`."""


class Mistakes(NamedTuple):
    """The judged decisions of a person by one set of rules."""

    rounds: int
    coached_rounds: int
    """Rounds of the sessions in which the coach judged anything."""
    decisions: int
    situations: tuple[MistakeSituation, ...]
    """The dearest first."""

    @property
    def judged(self) -> int:
        """How many of the decisions the coach has judged."""
        return sum(situation.asked for situation in self.situations)

    @property
    def mistakes(self) -> int:
        """How many of those cost something."""
        return sum(situation.mistakes for situation in self.situations)

    @property
    def cost(self) -> float:
        """What they cost, in chips."""
        return math.fsum(situation.cost for situation in self.situations)


def count_played(store: Store) -> list[tuple[Rules, int]]:
    """Return the rules that were played for chips, with their rounds, those played most first.

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
    """Add up the judged decisions of all rounds by these rules, whatever their house is called.

    Raises: StoreDamagedError.
    """
    plain = rules.replace(name="")
    rounds = coached_rounds = decisions = 0
    for played in read_played(store):
        if played.rules.replace(name="") == plain:
            rounds += played.sums.rounds
            coached_rounds += played.coached_rounds
            decisions += played.sums.decisions
    found: dict[str, SituationSums] = defaultdict(SituationSums)
    are_ours: dict[str, bool] = {}
    for kind, sums in read_situations(store).items():
        if kind.rules not in are_ours:
            with reading(f"the results of {kind.name!r}"):
                are_ours[kind.rules] = read_rules(kind.rules, "") == plain
        if are_ours[kind.rules] and sums.asked:
            found[kind.name] += sums
    situations = [
        MistakeSituation(name, sums.asked, sums.mistakes, float(sums.cost), deviation_of(sums))
        for name, sums in found.items()
    ]
    situations.sort(key=lambda situation: (-situation.cost, situation.name))
    return Mistakes(rounds, coached_rounds, decisions, tuple(situations))
