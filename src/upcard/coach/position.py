"""One hand against one upcard, as each exact solver sees it, behind one face: `Position`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from upcard.core.cards import TEN
from upcard.exact.nonstandard_rules import is_nonstandard
from upcard.rules.predicates import needs_equal_faces

if TYPE_CHECKING:
    from upcard.coach.outcome_probabilities import DealerTotals, OutcomeProbabilities
    from upcard.coach.question import Question
    from upcard.coach.seen_cards import Composition
    from upcard.core.actions import Action
    from upcard.core.cards import Rank


class Position(Protocol):
    """The exact values of one hand in one state of knowledge."""

    natural: float
    """The chance that the dealer has a natural, as if he had not looked."""

    def stand(self) -> float:
        """EV of standing, per initial bet."""

    def hit(self) -> float:
        """EV of one card and the best play after it."""

    def double(self) -> float:
        """EV of a doubled bet and one card."""

    def split(self, most: int | None) -> float:
        """EV of splitting into `most` hands at most."""

    def chances(self, action: Action) -> OutcomeProbabilities | None:
        """Return win, push and lose by an action; None where they are not known."""

    def dealer(self) -> DealerTotals:
        """Return how the dealer ends."""


def open_position(
    question: Question, cards: Composition, *, splits: str, has_looked: bool
) -> Position:
    """Return the hand's position, solved when it is asked.

    Raises: NoExactValueError or UnsupportedRuleError if it has no exact value.
    """
    rules = question.rules
    if rules.is_infinite:
        from upcard.coach.infinite import InfinitePosition

        return InfinitePosition(question, has_looked=has_looked)
    if is_nonstandard(rules):
        from upcard.coach.nonstandard import NonstandardPosition

        return NonstandardPosition(question, cards, has_looked=has_looked)
    from upcard.coach.finite import FinitePosition

    return FinitePosition(question, cards, splits=splits, has_looked=has_looked)


def pair_cards_unseen(question: Question, cards: Composition, rank: Rank) -> float:
    """Return how many unseen cards would make a further pair of the question's hand."""
    if needs_equal_faces(question.rules, rank):
        of_face = cards.tens_like(question.cards[0].face)
        return cards.unseen[TEN] / 4 if of_face is None else float(of_face)
    return cards.unseen[rank]
