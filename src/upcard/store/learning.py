"""Judgements of the coach, and progress of drills."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

from upcard.core.errors import UserFileError
from upcard.core.user_files import parse_json
from upcard.rules.notation import read_saved_rules
from upcard.store.amounts import read_actions
from upcard.store.bankroll import PROFILE, find_profile
from upcard.store.damage import damaged, reading
from upcard.store.records import JudgementRecord, SessionRecord, SettledRound
from upcard.store.results import add_round
from upcard.store.schema import now

if TYPE_CHECKING:
    from upcard.rules.model import Rules
    from upcard.store.database import Store


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
        store.run(
            "INSERT OR REPLACE INTO judgements VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            session.id,
            number,
            judgement.step,
            judgement.situation,
            judgement.category,
            str(judgement.chosen),
            str(judgement.best),
            judgement.cost_ev,
            judgement.cost_chips,
            judgement.method,
            now(),
        )
        add_round(store, session.id, number)


class RoundCost(NamedTuple):
    """The coach's findings in one round."""

    judged: int
    """Number of judged decisions."""
    mistakes: int
    cost: float
    """Cost of the mistakes, in chips."""


def cost_of_round(store: Store, stored: SettledRound) -> RoundCost:
    """Return the judged decisions of a round, the mistakes, and their cost."""
    row = store.row(
        "SELECT count(*), sum(cost_chips > 0), sum(cost_chips) FROM judgements"
        " WHERE session_id = ? AND number = ?",
        stored.session.id,
        stored.number,
    )
    judged, mistakes, cost = row or (0, 0, 0.0)
    return RoundCost(judged, mistakes or 0, float(cost or 0.0))


class DecisionTally(NamedTuple):
    """Sum of the judged decisions of one situation."""

    asked: int
    wrong: int
    lost: float
    """Cost of the mistakes, per initial bet."""


def read_decisions(store: Store, rules: Rules, *, newest: int) -> dict[str, DecisionTally]:
    """Add up the newest judged decisions of each situation, in settled rounds by these rules.

    Raises: StoreDamagedError.
    """
    plain = rules.replace(name="")
    texts = [
        text for (text,) in store.rows("SELECT DISTINCT rules FROM sessions") if _is_by(text, plain)
    ]
    found: dict[str, DecisionTally] = {}
    for text in texts:
        rows = store.rows(
            "SELECT situation, count(*), sum(cost_chips > 0), sum(cost_ev) FROM ("
            " SELECT situation, cost_chips, cost_ev, row_number() OVER ("
            "  PARTITION BY situation ORDER BY rounds.id DESC, step DESC) AS place"
            " FROM judgements JOIN rounds USING (session_id, number)"
            " JOIN sessions ON sessions.id = session_id WHERE sessions.rules = ?)"
            " WHERE place <= ? GROUP BY situation",
            text,
            newest,
        )
        for situation, asked, wrong, lost in rows:
            before = found.get(situation, DecisionTally(0, 0, 0.0))
            found[situation] = DecisionTally(
                before.asked + asked, before.wrong + wrong, before.lost + lost
            )
    return found


def _is_by(text: str, plain: Rules) -> bool:
    with reading(f"the rules {text!r}"):
        return read_saved_rules(text) == plain


def read_judgements(store: Store) -> list[JudgedDecision]:
    """Read all judgements of settled rounds, in the order of the decisions.

    Raises: StoreDamagedError.
    """
    rows = store.rows(
        "SELECT session_id, number, step, situation, category, chosen, best, cost_ev, cost_chips,"
        " method FROM judgements JOIN rounds USING (session_id, number) ORDER BY rounds.id, step"
    )
    return [_read_decision(row) for row in rows]


def _read_decision(row: tuple[Any, ...]) -> JudgedDecision:
    session, number, step = row[:3]
    with reading(f"the judgement of answer {step} in round {number} of session {session}"):
        return JudgedDecision(session, number, _read_judgement(row[2:]))


def _read_judgement(row: tuple[Any, ...]) -> JudgementRecord:
    step, situation, category, chosen, best, cost_ev, cost_chips, method = row
    return JudgementRecord(
        step=step,
        situation=situation,
        category=category,
        chosen=read_actions(chosen)[0],
        best=read_actions(best)[0],
        cost_ev=cost_ev,
        cost_chips=cost_chips,
        method=method,
    )


def save_drill(
    store: Store, name: str, progress: dict[str, Any], *, profile: str = PROFILE
) -> None:
    """Save the progress of a drill, any JSON value."""
    text = json.dumps(progress, allow_nan=False)
    with store.change():
        store.run(
            "INSERT OR REPLACE INTO drills VALUES (?, ?, ?, ?)",
            find_profile(store, profile),
            name,
            text,
            now(),
        )


def load_drill(store: Store, name: str, *, profile: str = PROFILE) -> dict[str, Any] | None:
    """Return the progress of a drill; None if it was never started. Raises: StoreDamagedError."""
    row = store.row(
        "SELECT progress FROM drills JOIN profiles ON profiles.id = profile_id"
        " WHERE profiles.name = ? AND drills.name = ?",
        profile,
        name,
    )
    return None if row is None else read_object(row[0], f"drill {name!r}")


def read_object(text: str, what: str) -> dict[str, Any]:
    """Read a JSON object of the store. Raises: StoreDamagedError naming `what` it is."""
    try:
        found = parse_json(text, what)
    except UserFileError:
        found = None
    if not isinstance(found, dict):
        raise damaged(f"{what} is no JSON object")
    return found
