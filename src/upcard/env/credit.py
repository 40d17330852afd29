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
"""The side bet of spot 0; that of spot `k` is `INSURANCE - k`."""


_NOTHING: Final = Fraction(0)


def target_of(question: EnvQuestion) -> int:
    """Return what an answer decides about: ROUND, a side bet, or the index of the active hand."""
    view = question.view
    if view is None or question.stage is Stage.SETTLED:
        return ROUND
    return INSURANCE - view.hand.spot if Action.INSURANCE in question.legal else view.active


def share_credit(
    answers: Sequence[tuple[int, int]], nets: Sequence[Fraction], insurance_nets: Sequence[Fraction]
) -> tuple[float, ...]:
    """Return the net of what each answer decided about, in order.

    An answer about a hand decides about that hand and all that are split from it. `answers` have
    their target and the number of the action; `nets` are those of the hands, none if the round was
    sat out, and `insurance_nets` those of the side bets, one a spot.
    """
    credit = [_NOTHING] * len(answers)
    if not nets:
        return tuple(map(float, credit))
    of_hands: list[list[int]] = [[] for _ in insurance_nets]
    for number, (target, code) in enumerate(answers):
        if target == ROUND:
            credit[number] = sum((*nets, *insurance_nets), _NOTHING)
        elif target <= INSURANCE:
            if code == INSURE:
                credit[number] = insurance_nets[INSURANCE - target]
        else:
            of_hands[target].append(number)
            if code == SPLIT:
                of_hands.insert(target, [*of_hands[target]])
    for owners, net in zip(of_hands, nets, strict=True):
        for number in owners:
            credit[number] += net
    return tuple(map(float, credit))
