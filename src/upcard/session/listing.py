"""Rounds of memory as rows of a list: what a history shows of each."""

from __future__ import annotations

from typing import Final

from upcard.coach.judgement import write_chips
from upcard.core.numbers import format_chips, signed
from upcard.session.plan import name_of
from upcard.store.learning import RoundCost
from upcard.store.records import SettledRound
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
