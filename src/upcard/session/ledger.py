"""Verdicts of a session by round, as they come."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from upcard.session.practice import PracticeTable
from upcard.table.events import Acted, Event, RoundStarted
from upcard.table.rounds import CardList, RoundRecord

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction

    from upcard.coach.judgement import Judgement
    from upcard.core.cards import Card
    from upcard.rules.model import Rules
    from upcard.session.game_session import GameSession


@dataclass(slots=True)
class LedgerRound:
    """Verdicts on one round, and how it ended."""

    judged: dict[int, Judgement] = field(default_factory=dict)
    """By the number of the answer in the round, of all players."""
    net: Fraction | None = None
    """None until the round is over."""
    record: RoundRecord | None = None
    """The round itself, where it is not saved."""


class Ledger:
    """Rounds of a session by their number; a verdict may come after its round has ended."""

    def __init__(self) -> None:
        self.rounds: dict[int, LedgerRound] = {}

    def judge(self, number: int, step: int, judgement: Judgement) -> None:
        """Take in the verdict on an answer of a round."""
        self._round(number).judged[step] = judgement

    def drop(self, number: int) -> None:
        """Forget a round, which is void."""
        self.rounds.pop(number, None)

    def take_back(self, number: int, answers: int) -> None:
        """Forget the end of a round, and the verdicts on all but its first answers."""
        found = self._round(number)
        found.net = None
        found.judged = {step: one for step, one in found.judged.items() if step < answers}

    def finish(self, number: int, session: GameSession) -> None:
        """Take in how a round ended; one that is not saved stays here, to be reviewed."""
        found = self._round(number)
        found.net = session.net
        if isinstance(session.table, PracticeTable):
            found.record = record_played(session.rules, session.events, session.table.cards)

    def _round(self, number: int) -> LedgerRound:
        return self.rounds.setdefault(number, LedgerRound())


def record_played(rules: Rules, events: Sequence[Event], cards: Sequence[Card]) -> RoundRecord:
    """Return a round from its events and its cards in the order dealt."""
    bets = next(event.bets for event in events if isinstance(event, RoundStarted))
    return RoundRecord(
        rules=rules,
        bets=tuple(bets),
        actions=tuple(event.action for event in events if isinstance(event, Acted)),
        source=CardList(tuple(cards)),
    )
