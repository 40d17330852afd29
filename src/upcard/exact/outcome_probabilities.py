"""Probabilities of a win, a push and a loss, and their sums."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from upcard.core.actions import Action
from upcard.core.errors import NoExactValueError
from upcard.core.hands import BUST_LIMIT
from upcard.rules.model import Rules
from upcard.rules.settings import HoleCard, Player21


@dataclass(frozen=True, slots=True, kw_only=True)
class OutcomeProbabilities:
    """Probabilities of a win, a tie and a loss, for any stake; they sum to 1."""

    win: float
    push: float
    lose: float

    def __str__(self) -> str:
        """Write the probabilities in percent."""
        return f"win {self.win:.1%}, push {self.push:.1%}, lose {self.lose:.1%}"


def chance_of_no_natural(natural: float) -> float:
    """Return the chance that the dealer's look finds no natural.

    Raises: NoExactValueError if it finds one for certain.
    """
    if natural >= 1:
        raise NoExactValueError("the dealer has a natural for certain: you are not asked")
    return 1 - natural


class Ending(NamedTuple):
    """Chances of a hand's results, as parts of the whole, which can be added and weighted."""

    win: float = 0.0
    push: float = 0.0
    lose: float = 0.0
    natural: float = 0.0
    """Part in which the dealer has a natural that takes the bet."""
    natural_push: float = 0.0
    natural_win: float = 0.0

    def plus(self, other: Ending, share: float) -> Ending:
        """Return the sum with a share of another."""
        return Ending(*(mine + share * theirs for mine, theirs in zip(self, other, strict=True)))

    def finish(self, *, is_conditional: bool) -> OutcomeProbabilities:
        """Return the chances, including naturals or given that there is none."""
        if is_conditional:
            whole = self.win + self.push + self.lose
            return OutcomeProbabilities(
                win=self.win / whole, push=self.push / whole, lose=self.lose / whole
            )
        return OutcomeProbabilities(
            win=self.win + self.natural_win,
            push=self.push + self.natural_push,
            lose=self.lose + self.natural,
        )


class HandOutcomes(ABC):
    """Results of hands against one upcard; hands are numbered by the solver."""

    def __init__(self) -> None:
        self.known: dict[int, Ending] = {}

    @abstractmethod
    def stand(self, hand: int) -> Ending:
        """Return the result of a hand that stands, or that won at once."""

    @abstractmethod
    def next_action(self, hand: int) -> Action:
        """Return the action of a hand of three or more cards."""

    @abstractmethod
    def next_cards(self, hand: int) -> Iterator[tuple[float, int, float]]:
        """Iterate over one more card: chance, hand (-1 for a bust), then a natural's chance."""

    def answer(self, hand: int, action: Action, *, has_looked: bool) -> OutcomeProbabilities | None:
        """Return win, push and lose by an answer; None if it is not the end of one hand."""
        if action not in (Action.STAND, Action.HIT, Action.DOUBLE):
            return None
        return self._act(hand, action).finish(is_conditional=has_looked)

    def _act(self, hand: int, action: Action) -> Ending:
        if action is Action.STAND:
            return self.stand(hand)
        ending = Ending()
        for share, after, natural in self.next_cards(hand):
            if after < 0:
                end = Ending(lose=1 - natural, natural=natural)
            else:
                end = self._play(after) if action is Action.HIT else self.stand(after)
            ending = ending.plus(end, share)
        return ending

    def _play(self, hand: int) -> Ending:
        if hand not in self.known:
            self.known[hand] = self._act(hand, self.next_action(hand))
        return self.known[hand]


def compare(
    rules: Rules, total: int, by_total: Iterable[tuple[int, float]], *, bust: float, natural: float
) -> Ending:
    """Return the result of a hand that stands, or of a 21 that won at once; parts of the whole.

    `by_total` are the dealer's totals with their chances, without naturals.
    """
    is_21 = total == BUST_LIMIT
    # With a peek, a natural has ended the round before a hand can reach 21.
    ties = is_21 and rules.natural_ties_21 and rules.hole_card is not HoleCard.PEEK
    if is_21 and rules.player_21 is Player21.WINS:
        win, push, lose = 1 - natural, 0.0, 0.0
    else:
        win, push, lose = bust, 0.0, 0.0
        for reached, chance in by_total:
            if reached < total:
                win += chance
            elif reached == total:
                push += chance
            else:
                lose += chance
    if ties:
        return Ending(win, push, lose, natural_push=natural)
    return Ending(win, push, lose, natural)
