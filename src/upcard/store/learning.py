"""Judgements of the coach, and progress of drills."""

from __future__ import annotations

import json
import math
from collections import defaultdict
from dataclasses import asdict, fields
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from upcard.rules.notation import read_saved_rules
from upcard.store.bankroll import PROFILE, find_profile
from upcard.store.files import reading
from upcard.store.records import (
    JudgementRecord,
    SessionRecord,
    SettledRound,
    read_actions,
    read_object,
)
from upcard.store.results import add_round
from upcard.store.schema import now

if TYPE_CHECKING:
    from upcard.rules.model import Rules
    from upcard.store.database import Store


_JUDGEMENT: Final = tuple(field.name for field in fields(JudgementRecord))


class JudgedDecision(NamedTuple):
    """A judgement with its session and the round's number in the session."""

    session_id: int
    number: int
    judgement: JudgementRecord


def record_judgement(
    store: Store, session: SessionRecord, number: int, judgement: JudgementRecord
) -> None:
    """Save the judgement of a decision in round `number`; a later one replaces it."""
    with store.change():
        add_round(store, session.id, number, times=-1)
        columns = asdict(judgement) | {"session_id": session.id, "number": number}
        store.insert("judgements", replace=True, **columns, made_at=now())
        add_round(store, session.id, number)


class RoundCost(NamedTuple):
    """The coach's findings in one round."""

    judged: int
    """Number of judged decisions."""
    wrong: tuple[float, ...]
    """Costs of the mistakes, per initial bet."""
    cost: float
    """Cost of the mistakes, in chips."""

    @property
    def mistakes(self) -> int:
        """Number of mistakes."""
        return len(self.wrong)


def cost_of_round(store: Store, stored: SettledRound) -> RoundCost:
    """Return the judged decisions of a round, the mistakes, and their cost."""
    query = "SELECT cost_chips, cost_ev FROM judgements WHERE session_id = ? AND number = ?"
    costs = store.rows(query, stored.session.id, stored.number)
    # Added up here, since each SQLite rounds a sum in its own way.
    total = math.fsum(chips for chips, _ in costs)
    return RoundCost(len(costs), tuple(cost for chips, cost in costs if chips > 0), total)


class DecisionTally(NamedTuple):
    """Sum of the judged decisions of one situation."""

    asked: int
    wrong: int
    lost: float
    """Cost of the mistakes, per initial bet."""


def read_decisions(
    store: Store, rules: Rules, *, newest: int, since: str = ""
) -> dict[str, DecisionTally]:
    """Add up the newest judged decisions of each situation, in settled rounds by these rules.

    With `since`, a time as `upcard.store.schema.now` writes it, only of rounds settled after it.

    Raises: StoreDamagedError.
    """
    plain = rules.replace(name="")
    found: dict[str, list[tuple[float, float]]] = defaultdict(list)
    for (text,) in store.rows("SELECT DISTINCT rules FROM sessions"):
        with reading(f"the rules {text!r}"):
            is_other = read_saved_rules(text) != plain
        if is_other:
            continue
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
        situation: DecisionTally(
            len(costs), sum(chips > 0 for chips, _ in costs), math.fsum(ev for _, ev in costs)
        )
        for situation, costs in found.items()
    }


def read_judgements(store: Store) -> list[JudgedDecision]:
    """Read all judgements of settled rounds, in the order of the decisions.

    Raises: StoreDamagedError.
    """
    rows = store.rows(
        f"SELECT session_id, number, {', '.join(_JUDGEMENT)} FROM judgements"  # noqa: S608
        " JOIN rounds USING (session_id, number) ORDER BY rounds.id, step"
    )
    found = []
    for session, number, *row in rows:
        columns: dict[str, Any] = dict(zip(_JUDGEMENT, row, strict=True))
        step = columns["step"]
        with reading(f"the judgement of answer {step} in round {number} of session {session}"):
            for name in ("chosen", "best"):
                columns[name] = read_actions(columns[name])[0]
        found.append(JudgedDecision(session, number, JudgementRecord(**columns)))
    return found


def save_drill(
    store: Store, name: str, progress: dict[str, Any], *, profile: str = PROFILE
) -> None:
    """Save the progress of a drill, any JSON value; inside a change, as part of it."""
    text = json.dumps(progress, allow_nan=False)
    number = find_profile(store, profile)
    store.run("INSERT OR REPLACE INTO drills VALUES (?, ?, ?, ?)", number, name, text, now())


def load_drill(store: Store, name: str, *, profile: str = PROFILE) -> dict[str, Any] | None:
    """Return the progress of a drill; None if it was never started. Raises: StoreDamagedError."""
    row = store.row(
        "SELECT progress FROM drills JOIN profiles ON profiles.id = profile_id"
        " WHERE profiles.name = ? AND drills.name = ?",
        profile,
        name,
    )
    return None if row is None else read_object(row[0], f"drill {name!r}")
