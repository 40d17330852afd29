"""Judgements of the coach: saved with each decision, and added up for a round or a situation."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING, NamedTuple

from upcard.rules.model import Rules
from upcard.rules.notation import parse_rules
from upcard.store import files, records

if TYPE_CHECKING:
    from upcard.store.database import Store


def record_judgement(
    store: Store, session: records.SessionRecord, number: int, judgement: records.JudgementRecord
) -> None:
    """Save the judgement of a decision in round `number`; a later one replaces it."""
    columns = asdict(judgement) | {"session_id": session.id, "number": number}
    with store.change():
        store.insert("judgements", replace=True, **columns, made_at=records.now())


class RoundCost(NamedTuple):
    """The coach's findings in one round."""

    judged: int
    wrong: tuple[float, ...]
    """Costs of the mistakes, per initial bet."""
    cost: float
    """Cost of the mistakes, in chips."""

    @property
    def mistakes(self) -> int:
        """Number of mistakes."""
        return len(self.wrong)

    @property
    def grade(self) -> str:
        """Grade of the costliest mistake; empty without one."""
        from upcard.analysis.grades import grade_of

        return grade_of(max(self.wrong)).value if self.wrong else ""


def cost_of_round(store: Store, stored: records.SettledRound) -> RoundCost:
    """Return the judged decisions of a round, the mistakes, and their cost."""
    query = "SELECT cost_chips, cost_ev FROM judgements WHERE session_id = ? AND number = ?"
    costs = store.rows(query, stored.session.id, stored.number)
    # Added up here, since each SQLite rounds a sum in its own way.
    total = math.fsum(chips for chips, _ in costs)
    return RoundCost(len(costs), tuple(cost for chips, cost in costs if chips > 0), total)


def read_days(store: Store, rules: Rules) -> Iterator[tuple[str, bool, float]]:
    """Return the moment of each judged decision by these rules, whether it was wrong, its cost.

    The cost is per initial bet; only settled rounds count.
    """
    for text in _list_rules(store, rules):
        for moment, chips, ev in store.rows(
            "SELECT made_at, cost_chips, cost_ev FROM judgements"
            " JOIN rounds USING (session_id, number) JOIN sessions ON sessions.id = session_id"
            " WHERE sessions.rules = ?",
            text,
        ):
            yield moment, chips > 0, ev


def _list_rules(store: Store, rules: Rules) -> Iterator[str]:
    """Return the texts under which these rules are saved, whatever their house is called."""
    plain = rules.replace(name="")
    for (text,) in store.rows("SELECT DISTINCT rules FROM sessions"):
        with files.reading(f"the rules {text!r}"):
            is_same = parse_rules(text) == plain
        if is_same:
            yield text


def read_decisions(
    store: Store, rules: Rules, *, newest: int, since: str = ""
) -> dict[str, tuple[int, int, float]]:
    """Add up the newest judged decisions of each situation, in settled rounds by these rules.

    Returns their number, that of the mistakes, and the cost of these per initial bet.
    With `since`, a time as `upcard.store.records.now` writes it, only of rounds settled after it.
    """
    found: dict[str, list[tuple[float, float]]] = defaultdict(list)
    for text in _list_rules(store, rules):
        rows = store.rows(
            "SELECT situation, cost_chips, cost_ev FROM ("
            " SELECT situation, cost_chips, cost_ev, row_number() OVER ("
            "  PARTITION BY situation ORDER BY rounds.id DESC, step DESC) AS place"
            " FROM judgements JOIN rounds USING (session_id, number)"
            " JOIN sessions ON sessions.id = session_id"
            " WHERE sessions.rules = ? AND settled_at >= ?)"
            " WHERE place <= ?",
            text,
            since,
            newest,
        )
        for situation, chips, ev in rows:
            found[situation].append((chips, ev))
    return {
        name: (len(costs), sum(chips > 0 for chips, _ in costs), math.fsum(ev for _, ev in costs))
        for name, costs in found.items()
    }
