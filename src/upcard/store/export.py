"""Rounds as plain rows, for JSON lines and CSV."""

from __future__ import annotations

import csv
import io
import json
import textwrap
from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Any, Final

from upcard.analysis.grades import grades_of, write_grades
from upcard.store.amounts import write_actions, write_amounts, write_cards
from upcard.store.codes import encode_round
from upcard.store.database import Store
from upcard.store.learning import RoundCost, cost_of_round
from upcard.store.records import SettledRound, StoredHand
from upcard.store.sessions import write_rules

COLUMNS: Final = (
    *("round", "session", "profile", "player", "company", "house", "rules", "shoe", "commitment"),
    *("started_at", "settled_at", "bets", "own", "cards", "actions", "hands", "others", "dealer"),
    *("insurance_net", "net", "bankroll", "code", "mistakes", "cost", "grades"),
)


def row_of(stored: SettledRound, cost: RoundCost | None = None) -> dict[str, Any]:
    """Return a round as JSON values; chips without an exact decimal are texts (`10/3`).

    Without `cost`, or with no judged decision, `mistakes`, `cost` and `grades` are null.
    """
    session = stored.session
    found = cost if cost is not None and cost.judged else None
    return {
        "round": stored.id,
        "session": session.id,
        "profile": session.profile,
        "player": session.player,
        "company": session.company or None,
        "house": session.house or None,
        "rules": write_rules(session.rules),
        "shoe": stored.shoe_id,
        "commitment": str(stored.commitment),
        "started_at": stored.started_at.isoformat(),
        "settled_at": stored.settled_at.isoformat(),
        "bets": [plain_amount(bet) for bet in stored.bets],
        "own": list(stored.player_spots),
        "cards": write_cards(stored.cards),
        "actions": list(map(str, stored.actions)),
        "hands": [_hand_of(hand) for hand in stored.own_hands],
        "others": [_hand_of(hand) for hand in stored.hands if hand.spot not in stored.player_spots],
        "dealer": write_cards(stored.dealer),
        "insurance_net": plain_amount(stored.insurance_net),
        "net": plain_amount(stored.net),
        "bankroll": plain_amount(stored.bankroll),
        "code": encode_round(stored.record),
        "mistakes": None if found is None else found.mistakes,
        "cost": None if found is None else found.cost,
        "grades": None if found is None else grades_of(found.wrong),
    }


def _hand_of(hand: StoredHand) -> dict[str, Any]:
    return {
        "spot": hand.spot,
        "cards": write_cards(hand.cards),
        "total": hand.total,
        "outcome": str(hand.outcome),
        "bet": plain_amount(hand.bet),
        "net": plain_amount(hand.net),
    }


def write_json_lines(store: Store, rounds: Iterable[SettledRound]) -> Iterator[str]:
    """Write each round of a store as a line of JSON."""
    for stored in rounds:
        yield json.dumps(row_of(stored, cost_of_round(store, stored))) + "\n"


def write_json(store: Store, rounds: Iterable[SettledRound], rest: dict[str, Any]) -> Iterator[str]:
    """Write one JSON object: the rounds, one at a time, then the other keys."""
    yield '{\n  "rounds": ['
    before = "\n"
    for stored in rounds:
        yield before + textwrap.indent(_dump(row_of(stored, cost_of_round(store, stored))), "    ")
        before = ",\n"
    yield "]" if before == "\n" else "\n  ]"
    for name, value in rest.items():
        yield f",\n  {json.dumps(name)}: {textwrap.indent(_dump(value), '  ').lstrip()}"
    yield "\n}\n"


def _dump(value: object) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False)


def write_csv(store: Store, rounds: Iterable[SettledRound]) -> Iterator[str]:
    """Write a line of column names, then one for each round; hands are `cards: outcome net`."""
    yield _csv_line(COLUMNS)
    for stored in rounds:
        row = row_of(stored, cost_of_round(store, stored))
        row |= {
            "bets": write_amounts(stored.bets),
            "actions": write_actions(stored.actions),
            "own": " ".join(str(spot) for spot in row["own"]),
            "hands": _write_hands(row["hands"]),
            "others": _write_hands(row["others"]),
            "grades": write_grades(row["grades"] or {}),
        }
        yield _csv_line(row[name] for name in COLUMNS)


def _write_hands(hands: Iterable[dict[str, Any]]) -> str:
    return "; ".join(f"{hand['cards']}: {hand['outcome']} {hand['net']}" for hand in hands)


def _csv_line(cells: Iterable[object]) -> str:
    sink = io.StringIO()
    csv.writer(sink, lineterminator="\n").writerow("" if cell is None else cell for cell in cells)
    return sink.getvalue()


def plain_amount(amount: Fraction) -> int | float | str:
    """Return chips as a number if it is exact, otherwise as text."""
    if amount.denominator == 1:
        return amount.numerator
    rest = amount.denominator
    for prime in (2, 5):
        while rest % prime == 0:
            rest //= prime
    return float(amount) if rest == 1 else str(amount)
