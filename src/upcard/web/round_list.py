"""Rounds of the history as rows of a page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from upcard.analysis.grades import grade_of
from upcard.coach.judgement import write_chips
from upcard.core.errors import as_sentence
from upcard.core.numbers import format_chips, signed
from upcard.session.plan import name_of
from upcard.store.history import DamagedRound
from upcard.store.learning import cost_of_round
from upcard.store.round_codes import encode_round
from upcard.table.state import prepare

if TYPE_CHECKING:
    from upcard.core.cards import Card
    from upcard.store.database import Store
    from upcard.store.records import SettledRound


@dataclass(frozen=True, slots=True, kw_only=True)
class CardName:
    """A card by its letters and in words."""

    name: str
    """`TH`; without a suit `T`."""
    words: str
    """`ten of hearts`."""

    @property
    def face(self) -> str:
        """The rank as players write it."""
        return "10" if self.name.startswith("T") else self.name[0]

    @property
    def suit(self) -> str:
        """The letter of the suit; empty without one."""
        return self.name[1:].lower()


@dataclass(frozen=True, slots=True, kw_only=True)
class HandRow:
    """One of the person's hands."""

    cards: tuple[CardName, ...]
    """Its cards at the end."""
    outcome: str
    """How it ended: `win`, `lose`, `push`, `natural`, `bust`, `surrender`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundRow:
    """A settled round. Units: chips."""

    round: int
    """Its number in the history: `/history/{number}` reviews it."""
    settled_at: str
    """Date and time with the zone, in ISO 8601."""
    when: str
    """Local date and time."""
    house: str
    """Name of the house, or `own rules`."""
    rules: str
    hands: tuple[HandRow, ...]
    """Your hands at the end."""
    upcard: CardName | None
    """The dealer's upcard; None if the round cannot be read."""
    bet: str
    """The initial bets."""
    net: str
    """Net with its sign."""
    tone: str
    """`good`, `bad` or `even`."""
    bankroll: str
    """Your chips after the round."""
    judged: int
    """Number of answers that the coach judged."""
    mistakes: int
    """Number of mistakes among them."""
    cost: str
    """Cost of the mistakes; empty without one."""
    grade: str
    """The worst of them: `slip`, `mistake` or `blunder`; empty without one."""
    code: str
    """The round as text: `/h/{code}` and `upcard replay` read it."""
    problem: str = ""
    """Why the round cannot be read; then all the rest is empty."""


def name_card(card: Card) -> CardName:
    """Return a card as a page shows it."""
    return CardName(name=str(card), words=card.in_words)


def list_round(store: Store, stored: SettledRound | DamagedRound) -> RoundRow:
    """Return a round as a row."""
    if isinstance(stored, DamagedRound):
        return _list_damaged(stored)
    cost = cost_of_round(store, stored)
    rules = stored.session.rules
    up = prepare(rules, len(stored.record.bets)).up_index
    return RoundRow(
        round=stored.id,
        settled_at=stored.settled_at.isoformat(),
        when=f"{stored.settled_at.astimezone():%Y-%m-%d %H:%M}",
        house=name_of(rules),
        rules=str(rules),
        hands=tuple(
            HandRow(cards=tuple(map(name_card, hand.cards)), outcome=str(hand.outcome))
            for hand in stored.own_hands
        ),
        upcard=name_card(stored.dealer[up]),
        bet=format_chips(stored.initial_bet),
        net=signed(stored.net),
        tone="good" if stored.net > 0 else "bad" if stored.net < 0 else "even",
        bankroll=format_chips(stored.bankroll),
        judged=cost.judged,
        mistakes=cost.mistakes,
        cost=write_chips(cost.cost) if cost.mistakes else "",
        grade=grade_of(max(cost.wrong)).value if cost.wrong else "",
        code=encode_round(stored.record),
    )


def _list_damaged(damaged: DamagedRound) -> RoundRow:
    return RoundRow(
        round=damaged.id,
        settled_at="",
        when="",
        house="",
        rules="",
        hands=(),
        upcard=None,
        bet="",
        net="",
        tone="even",
        bankroll="",
        judged=0,
        mistakes=0,
        cost="",
        grade="",
        code="",
        problem=as_sentence(damaged.reason),
    )
