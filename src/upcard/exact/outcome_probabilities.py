"""Probabilities of a win, a push and a loss: how hands end, and sums of such ends."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from upcard.core.actions import Action
from upcard.core.hands import BUST_LIMIT
from upcard.rules.settings import HoleCard, Player21

if TYPE_CHECKING:
    from collections.abc import Iterable

    from upcard.exact.finite_outcomes import FiniteOutcomes
    from upcard.exact.infinite_outcomes import InfiniteOutcomes
    from upcard.rules.model import Rules


@dataclass(frozen=True, slots=True, kw_only=True)
class OutcomeProbabilities:
    """How often a hand wins, ties and loses; they sum to 1, whatever is at stake."""

    win: float
    push: float
    lose: float

    def __str__(self) -> str:
        """Write them in percent."""
        return f"win {self.win:.1%}, push {self.push:.1%}, lose {self.lose:.1%}"


class Ending(NamedTuple):
    """Chances of a hand's end, in parts of the whole, that may be summed and weighed."""

    win: float = 0.0
    push: float = 0.0
    lose: float = 0.0
    natural: float = 0.0
    """The part in which the dealer has a natural that takes the bet."""
    natural_push: float = 0.0
    natural_win: float = 0.0

    def plus(self, other: Ending, share: float) -> Ending:
        """Return the sum with a share of another."""
        return Ending(*(mine + share * theirs for mine, theirs in zip(self, other, strict=True)))

    def finish(self, *, is_conditional: bool) -> OutcomeProbabilities:
        """Return the chances; given that there is no natural, or with it counted."""
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


def answer_probabilities(
    endings: FiniteOutcomes | InfiniteOutcomes, hand: int, action: Action, *, is_conditional: bool
) -> OutcomeProbabilities | None:
    """Return win, push and lose by an answer; None for one that is not one hand's end."""
    if action is Action.STAND:
        ending = endings.stand(hand)
    elif action in (Action.HIT, Action.DOUBLE):
        ending = endings.draw(hand, plays_on=action is Action.HIT)
    else:
        return None
    return ending.finish(is_conditional=is_conditional)


def compare(
    rules: Rules, total: int, by_total: Iterable[tuple[int, float]], *, bust: float, natural: float
) -> Ending:
    """Return the end of a hand left to stand, or of a 21 that won at once; parts of the whole.

    `by_total` are the dealer's totals with their chances, his natural apart.
    """
    is_21 = total == BUST_LIMIT
    # Where he peeks, his natural has ended the round before a hand can reach 21.
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
