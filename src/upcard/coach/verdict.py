"""Verdicts as sentences for every front-end: the action, the better one, the grade, the cost."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from upcard.coach.question import HandClass
from upcard.core.actions import Action
from upcard.core.cards import TEN, rank_name
from upcard.exact.solver_results import NEARLY_EQUAL

if TYPE_CHECKING:
    from upcard.coach.judgement import Judgement

_DID: Final = {
    Action.HIT: "hit",
    Action.STAND: "stood on",
    Action.DOUBLE: "doubled",
    Action.SPLIT: "split",
    Action.SURRENDER: "surrendered",
    Action.INSURANCE: "took insurance with",
    Action.NO_INSURANCE: "declined insurance with",
    Action.EVEN_MONEY: "took even money with",
    Action.NO_EVEN_MONEY: "declined even money with",
    Action.NO_SPLIT: "did not split",
    Action.NO_SURRENDER: "did not surrender",
}


def write_verdict(judgement: Judgement, *, has_bets: bool = True) -> str:
    """Write a verdict, such as `You doubled 12 v 5. Stand was better: a blunder, 0.21 of a bet.`.

    The cost in chips follows if the house `has_bets`.
    """
    return f"{write_answer(judgement)} {write_outcome(judgement, has_bets=has_bets)}"


def write_answer(judgement: Judgement) -> str:
    """Write what was answered: `You doubled 12 v 5.`."""
    return f"You {_DID[judgement.chosen]} {name_hand(judgement)}."


def write_outcome(judgement: Judgement, *, has_bets: bool = True) -> str:
    """Write the second half of a verdict: that it was right, or the better action and the cost."""
    if judgement.is_right:
        return "That was right."
    return f"{write_better(judgement)}: {write_cost(judgement, has_bets=has_bets)}"


def write_better(judgement: Judgement) -> str:
    """Write what was better than a mistake: `Stand was better`."""
    return f"{str(judgement.best).capitalize()} was better"


def write_cost(judgement: Judgement, *, has_bets: bool = True) -> str:
    """Write the grade and the cost of a wrong answer: `a blunder, 0.21 of a bet, 2.1 chips.`."""
    amount = write_chips(judgement.chips)
    chips = f", {amount} chip{'' if amount == '1' else 's'}" if has_bets else ""
    return f"a {judgement.grade}, {write_bets(judgement.cost)}{chips}."


def write_bets(cost: float) -> str:
    """Write a cost with two significant digits: `0.0063 of a bet`, `1.61 bets`."""
    return f"{cost:.{decimals_for(cost, least=2)}f} {'bets' if cost > 1 else 'of a bet'}"


def name_hand(judgement: Judgement) -> str:
    """Name a hand and the upcard as players do: `12 v 5`, `soft 18 v A`, `8,8 v 10`."""
    label = judgement.label
    upcard = "10" if judgement.upcard == TEN else rank_name(judgement.upcard)
    if judgement.hand_class is HandClass.EVEN_MONEY:
        return f"a natural v {upcard}"
    if len(label) == 2 and label[0] == label[1] and label != "11":
        card = "10" if label[0] == "T" else label[0]
        return f"{card},{card} v {upcard}"
    if label.startswith("A") and label[1:].isdecimal():
        return f"soft {11 + int(label[1:])} v {upcard}"
    return f"{label} v {upcard}"


def decimals_for(gap: float, *, least: int, digits: int = 2) -> int:
    """Return the decimals for `digits` significant digits of a gap, or `least`.

    Two numbers with that gap then never look alike, with one digit or more. A gap of rounding
    error, or of 1 or more, takes the least.
    """
    size = abs(gap)
    if not NEARLY_EQUAL < size < 1:
        return least
    return max(least, digits - 1 - math.floor(math.log10(size)))


def write_chips(chips: float) -> str:
    """Write an amount of chips with as many digits as needed, two at most."""
    text = f"{chips:.2f}"
    return "under 0.01" if text == "0.00" and chips > 0 else text.removesuffix(".00")
