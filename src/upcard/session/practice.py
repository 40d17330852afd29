"""A table for practice: nothing is saved, and an answer can be taken back."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, NamedTuple

from upcard.core.errors import IllegalActionError
from upcard.core.numbers import read_seed
from upcard.table.rounds import Table
from upcard.table.shoe import ScriptedShoe, Shoe, make_shoe

if TYPE_CHECKING:
    from collections.abc import Iterable
    from fractions import Fraction

    from upcard.coach.seen_cards import SeenCards
    from upcard.core.actions import Action
    from upcard.rules.model import Rules
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
        """Take the last answer back, with the cards it brought; listeners hear nothing of it."""
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
    return random.SystemRandom() if seed is None else random.Random(f"{read_seed(seed)} {purpose}")


def make_practice_shoe(rules: Rules, *, seed: int | None = None, cards: str | None = None) -> Shoe:
    """Make the shoe of `--cards` or `--seed`: the same cards for every front-end."""
    if cards is not None:
        return ScriptedShoe(cards)
    return make_shoe(rules, make_stream(seed, "shoe"))
