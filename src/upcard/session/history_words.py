"""The history in words and as JSON: rounds as rows, results split, and the notes on them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from upcard.analysis.grades import write_grades
from upcard.coach.judgement import write_chips
from upcard.core.numbers import format_chips, signed, to_json
from upcard.rules.model import Rules
from upcard.session.plan import DEFAULT_NAME, name_of
from upcard.store.learning import RoundCost
from upcard.store.records import SettledRound
from upcard.store.statistics import METHOD, Results, Statistics
from upcard.table.state import prepare

HEADINGS: Final = ("round", "when", "house", "hand", "outcome", "bet", "net", "bankroll", "cost")
LEFT: Final = 5
"""How many of the columns are flush left."""
_LONGEST_HOUSE: Final = 12


def row_of(stored: SettledRound, cost: RoundCost) -> tuple[str, ...]:
    """Return a round as the columns of `HEADINGS`; its time is local.

    The last column is what mistakes cost, in chips; empty where there is none.
    """
    hands, name = stored.own_hands, name_of(stored.session.rules)
    return (
        str(stored.id),
        f"{stored.settled_at.astimezone():%m-%d %H:%M}",
        name if len(name) <= _LONGEST_HOUSE else f"{name[: _LONGEST_HOUSE - 3]}...",
        write_hand(stored),
        ", ".join(str(hand.outcome) for hand in hands),
        format_chips(stored.initial_bet),
        signed(stored.net),
        format_chips(stored.bankroll),
        write_chips(cost.cost) if cost.mistakes else "",
    )


def write_hand(stored: SettledRound) -> str:
    """Write one's own hand and the upcard: `TC 6D 9H v 9C`; several hands by their number."""
    up = prepare(stored.session.rules, len(stored.record.bets)).up_index
    hands = stored.own_hands
    mine = " ".join(map(str, hands[0].cards)) if len(hands) == 1 else f"{len(hands)} hands"
    return f"{mine} v {stored.dealer[up]}"


def split_results(found: Statistics) -> list[tuple[str, str, str]]:
    """Return the parts of the net in chips, each with its name and a note."""
    total = found.total
    errors = ("Errors cost", f"{-total.error_cost + 0.0:+.2f}", describe_judged(found))
    net = ("Net", signed(total.net), "chips")
    if total.best_play is None or total.luck is None:
        return [errors, net]
    return [
        ("Best play was worth", f"{total.best_play:+.2f}", ""),
        errors,
        ("Luck", f"{total.luck:+.2f}", describe_luck(total)),
        net,
    ]


def describe_judged(found: Statistics) -> str:
    """Write how many decisions were judged, and the wrong ones among them by their grades."""
    total = found.total
    if not total.judged:
        return "no decision was judged: switch the coach on"
    wrong = write_grades(total.grades) or "no mistake"
    return f"{wrong} in {total.judged} of {total.decisions} decisions"


def describe_luck(total: Results) -> str:
    """Write one standard deviation of the luck, and how many of it this is; empty if unknown."""
    deviation = total.luck_deviation
    if deviation is None:
        return ""
    if not deviation:
        return "one SD is ± 0.00"
    return f"one SD is ± {deviation:.2f}; this is {(total.luck or 0.0) / deviation:+.1f} of it"


def name_played(house: str) -> str:
    """Return the name under which the results of a house are shown."""
    return DEFAULT_NAME if house == str(Rules()) else house


def list_notes(found: Statistics) -> Iterator[tuple[str, str]]:
    """Iterate over what the figures rest on and leave out: topics and texts."""
    total = found.total
    if total.best_play is None:
        unknown = [name for name, results in found.by_house.items() if results.best_play is None]
        yield "Not split up", f"no exact method values {'; '.join(unknown)}"
    else:
        yield "Best play", f"the bets times the value of each house: {METHOD}"
    if any(leak.mistakes for leak in found.leaks):
        yield "±", "one standard deviation: what chance alone does to it, from your rounds"
    if total.judged < total.decisions and total.best_play is not None:
        left = total.decisions - total.judged
        yield "Not judged", f"{left} decisions: what they cost is in the luck"
    if found.without_bets:
        yield "Left out", f"{found.without_bets} rounds in houses without bets"


def write_statistics(found: Statistics, rounds_per_hour: float) -> dict[str, Any]:
    """Return all figures as JSON."""
    document: dict[str, Any] = to_json(
        {
            "total": found.total,
            "by_house": found.by_house,
            "leaks": found.leaks,
            "rounds_per_hour": rounds_per_hour,
            "rounds_without_bets": found.without_bets,
            "coached_rounds": found.coached_rounds,
            "method": METHOD,
        }
    )
    return document
