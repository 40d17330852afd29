"""A table for practice: nothing is kept, and an answer can be taken back."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from upcard.core.errors import IllegalActionError
from upcard.table.session import Table

if TYPE_CHECKING:
    from upcard.core.actions import Action
    from upcard.core.cards import Card
    from upcard.rules.model import Rules
    from upcard.table.shoe import Shoe
    from upcard.table.state import RoundState


class RewindShoe:
    """A shoe that takes cards of this round back, to deal them again in the same order."""

    def __init__(self, shoe: Shoe) -> None:
        """Deal from `shoe`."""
        self.source = shoe
        self._dealt: list[Card] = []
        self._returned: list[Card] = []

    @property
    def has_cut_card(self) -> bool:
        """Whether the cards are shuffled when the cut card has come out."""
        return bool(getattr(self.source, "has_cut_card", False))

    @property
    def cards_left(self) -> int | None:
        """How many cards are undealt; None if they never run out."""
        left = self.source.cards_left
        return None if left is None else left + len(self._returned)

    @property
    def dealt(self) -> int:
        """How many cards of this round are dealt."""
        return len(self._dealt)

    def draw(self) -> Card:
        """Take the next card.

        Raises: EmptyShoeError.
        """
        card = self._returned.pop() if self._returned else self.source.draw()
        self._dealt.append(card)
        return card

    def start_round(self) -> bool:
        """Prepare for a round; True if the cards were shuffled for it."""
        self._dealt.clear()
        was_shuffled = self.source.start_round()
        if was_shuffled:
            self._returned.clear()
        return was_shuffled

    def take_back(self, dealt: int) -> None:
        """Take all cards of this round back but the first `dealt`."""
        self._returned.extend(reversed(self._dealt[dealt:]))
        del self._dealt[dealt:]


class _Mark(NamedTuple):
    """Where an answer was given."""

    state: RoundState
    dealt: int


class PracticeTable(Table):
    """A table whose last answer can be taken back, the end of the round with it."""

    def __init__(self, rules: Rules, shoe: Shoe) -> None:
        """Sit down at a table that deals from `shoe`."""
        self.rewind_shoe = RewindShoe(shoe)
        super().__init__(rules, self.rewind_shoe)
        self._marks: list[_Mark] = []

    @property
    def answers(self) -> int:
        """How many answers of this round can be taken back."""
        return len(self._marks)

    def act(self, action: Action) -> RoundState:
        """Answer for the hand that is asked, and deal what is due.

        Raises: IllegalActionError, with the round as it was.
        """
        mark = _Mark(self.state, self.rewind_shoe.dealt)
        state = super().act(action)
        self._marks.append(mark)
        return state

    def undo(self) -> RoundState:
        """Take the last answer back, with the cards that it brought; listeners are not told.

        Raises: IllegalActionError if there is none.
        """
        if not self._marks:
            msg = "cannot undo: no answer of this round is left to take back"
            raise IllegalActionError(msg)
        mark = self._marks.pop()
        self.rewind_shoe.take_back(mark.dealt)
        self._state = mark.state
        return mark.state

    def _deal(self, state: RoundState) -> RoundState:
        if not state.dealer and not any(hand.cards for hand in state.hands):
            self._marks.clear()
        return super()._deal(state)
