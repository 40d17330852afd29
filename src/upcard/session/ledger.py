"""Verdicts of a session by round, as they come."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from upcard.core.errors import IllegalActionError
from upcard.table.events import Acted, RoundStarted
from upcard.table.record import CardList, RoundRecord
from upcard.table.shoe import ScriptedShoe, make_shoe
from upcard.table.table import Table

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from fractions import Fraction

    from upcard.coach.judgement import Judgement
    from upcard.coach.seen_cards import SeenCards
    from upcard.core.actions import Action
    from upcard.core.cards import Card
    from upcard.rules.model import Rules
    from upcard.session.game_session import GameSession
    from upcard.table.events import Event
    from upcard.table.shoe import Shoe
    from upcard.table.state import RoundState


class _Mark(NamedTuple):
    """The round before an answer, and how many cards were dealt by then."""

    state: RoundState
    dealt: int


class Before(NamedTuple):
    """The state that an answer in practice is taken back to."""

    seen: SeenCards | None
    events: int
    answers: int


class PracticeTable(Table):
    """A table whose last answer can be taken back, the end of the round with it."""

    def __init__(self, rules: Rules, shoe: Shoe) -> None:
        super().__init__(rules, shoe)
        self._marks: list[_Mark] = []

    def start(self, bets: Iterable[Fraction | int | str] = (1,)) -> RoundState:
        """Place bets, one a spot, and deal; the answers of the last round are settled then."""
        state = super().start(bets)
        self._marks.clear()
        return state

    @property
    def answers(self) -> int:
        """How many answers of this round can be taken back."""
        return len(self._marks)

    def act(self, action: Action) -> RoundState:
        """Answer for the active hand, and deal what is due."""
        mark = _Mark(self.state, len(self.cards))
        state = super().act(action)
        self._marks.append(mark)
        return state

    def undo(self) -> RoundState:
        """Take the last answer back, with the cards that it brought; listeners hear nothing of it.

        Raises: IllegalActionError if there is none.
        """
        if not self._marks:
            raise IllegalActionError("cannot undo: no answer of this round is left to take back")
        mark = self._marks.pop()
        self.shoe.position -= len(self.cards) - mark.dealt
        del self.cards[mark.dealt :]
        self._state = mark.state
        return mark.state


def make_stream(seed: int | None, purpose: str) -> random.Random:
    """Make a stream of its own for each purpose, so that a bot's chance moves no card.

    Without a seed it is the operating system's entropy.
    """
    return random.SystemRandom() if seed is None else random.Random(f"{seed} {purpose}")


def make_practice_shoe(rules: Rules, *, seed: int | None = None, cards: str | None = None) -> Shoe:
    """Make the shoe of `--cards` or `--seed`: the same cards for every front-end.

    Raises: NotationError for cards that are none.
    """
    if cards is not None:
        return ScriptedShoe(cards)
    return make_shoe(rules, make_stream(seed, "shoe"))


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
