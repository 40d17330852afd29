"""Mistakes by situation, at the tables of one set of rules: what a heat map adds up."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from typing import TYPE_CHECKING, NamedTuple

from upcard.store.history import read_rounds
from upcard.store.sessions import write_rules
from upcard.store.statistics import group_judgements, judged_of

if TYPE_CHECKING:
    from upcard.rules.model import Rules
    from upcard.store.database import Store
    from upcard.store.records import Session


class Situation(NamedTuple):
    """One situation, as the coach calls it, and what came of it. Units: chips."""

    name: str
    """`hard 16 v T`."""
    asked: int
    mistakes: int
    cost: float


class Mistakes(NamedTuple):
    """The judged decisions of a person by one set of rules."""

    rounds: int
    coached_rounds: int
    """Rounds of the sessions in which the coach judged anything."""
    decisions: int
    situations: tuple[Situation, ...]
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
    """Return the rules that were played for chips, with their rounds, those played most first."""
    name_of = _Namer()
    rules: dict[str, Rules] = {}
    rounds: Counter[str] = Counter()
    for stored in read_rounds(store):
        if stored.session.rules.betting:
            written = name_of(stored.session)
            rules[written] = stored.session.rules
            rounds[written] += 1
    return [(rules[written], count) for written, count in rounds.most_common()]


class _Namer:
    """Writes the rules of a session, once for each: that takes longer than to read a round."""

    def __init__(self) -> None:
        self._written: dict[int, str] = {}

    def __call__(self, session: Session) -> str:
        if session.id not in self._written:
            self._written[session.id] = write_rules(session.rules)
        return self._written[session.id]


def find_mistakes(store: Store, rules: Rules) -> Mistakes:
    """Add up the judged decisions of all rounds by these rules, whatever their house is called."""
    judged = group_judgements(store)
    coached = {session for session, _ in judged}
    written, name_of = write_rules(rules), _Namer()
    costs: dict[str, list[float]] = defaultdict(list)
    rounds = coached_rounds = decisions = 0
    for stored in read_rounds(store):
        if name_of(stored.session) != written:
            continue
        rounds += 1
        coached_rounds += stored.session.id in coached
        decisions += len(stored.own_answers)
        for item in judged_of(stored, judged):
            costs[item.judgement.situation].append(item.judgement.cost_chips)
    found = [
        Situation(name, len(lost), sum(cost > 0 for cost in lost), math.fsum(lost))
        for name, lost in costs.items()
    ]
    found.sort(key=lambda situation: (-situation.cost, situation.name))
    return Mistakes(rounds, coached_rounds, decisions, tuple(found))
