"""`CreditBook`: which answers of a round decided about which hands."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from upcard.core.actions import Action
from upcard.env.actions import INSURE, SPLIT
from upcard.env.questions import EnvQuestion, Stage


class CreditBook:
    """The answers of a round; each gets the net of what it decided about.

    An answer about a hand decides about that hand and all that are split from it; insurance about
    the side bet; a bet about the round.
    """

    def __init__(self) -> None:
        """Begin with the one hand of the deal."""
        self._answers = 0
        self._of_hands: list[list[int]] = [[]]
        """The answers that decided about each hand."""
        self._of_round: list[int] = []
        self._of_insurance: list[int] = []

    def note(self, question: EnvQuestion, code: int) -> None:
        """Add an answer, by its number in the environment."""
        number = self._answers
        self._answers += 1
        if question.view is None or question.stage is Stage.SETTLED:
            self._of_round.append(number)
        elif Action.INSURANCE in question.legal:
            if code == INSURE:
                self._of_insurance.append(number)
        else:
            hand = question.view.active
            self._of_hands[hand].append(number)
            if code == SPLIT:
                self._of_hands.insert(hand, [*self._of_hands[hand]])

    def share_out(self, nets: Sequence[Fraction], insurance_net: Fraction) -> tuple[float, ...]:
        """Return what each answer gets, in order; `nets` are those of the hands, none sat out."""
        credit = [Fraction(0)] * self._answers
        if nets:
            for number in self._of_insurance:
                credit[number] += insurance_net
            for number in self._of_round:
                credit[number] += sum(nets) + insurance_net
            for owners, net in zip(self._of_hands, nets, strict=True):
                for number in owners:
                    credit[number] += net
        return tuple(map(float, credit))
