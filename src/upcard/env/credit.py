"""Which answers of a round decided about which hands."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Final

from upcard.core.actions import Action
from upcard.env.actions import INSURE, SPLIT
from upcard.env.questions import EnvQuestion, Stage

ROUND: Final = -1
"""A bet, and 0 where the round was over at once, decide about the round."""
INSURANCE: Final = -2


def target_of(question: EnvQuestion) -> int:
    """Return what an answer decides about: ROUND, INSURANCE, or the index of the active hand."""
    if question.view is None or question.stage is Stage.SETTLED:
        return ROUND
    return INSURANCE if Action.INSURANCE in question.legal else question.view.active


def share_credit(
    answers: Sequence[tuple[int, int]], nets: Sequence[Fraction], insurance_net: Fraction
) -> tuple[float, ...]:
    """Return the net of what each answer decided about, in order.

    An answer about a hand decides about that hand and all that are split from it. `answers` have
    their target and the number of the action; `nets` are those of the hands, none if the round was
    sat out.
    """
    credit = [Fraction(0)] * len(answers)
    if not nets:
        return tuple(map(float, credit))
    of_hands: list[list[int]] = [[]]
    for number, (target, code) in enumerate(answers):
        if target == ROUND:
            credit[number] = sum(nets) + insurance_net
        elif target == INSURANCE:
            if code == INSURE:
                credit[number] = insurance_net
        else:
            of_hands[target].append(number)
            if code == SPLIT:
                of_hands.insert(target, [*of_hands[target]])
    for owners, net in zip(of_hands, nets, strict=True):
        for number in owners:
            credit[number] += net
    return tuple(map(float, credit))
