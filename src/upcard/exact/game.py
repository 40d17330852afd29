"""The whole game on a shoe: every upcard, every hand, weighed by their chances."""

from __future__ import annotations

from itertools import combinations_with_replacement
from typing import TYPE_CHECKING, Final

from upcard.core.actions import Action
from upcard.core.cards import RANKS, TEN
from upcard.rules.settings import EvenMoney, HoleCard, SplitBy, Surrender

if TYPE_CHECKING:
    from collections.abc import Iterator

    from upcard.core.cards import Rank
    from upcard.exact.finite import ShoeSolver
    from upcard.exact.solution import UpcardSolution

TWO_CARD_HANDS: Final = tuple(combinations_with_replacement(RANKS, 2))


def value_against(solution: UpcardSolution) -> float:
    """Return the value of a round given the upcard, before the dealer looks."""
    return sum(
        chance * opening_value(solution, ranks, pair=pair)
        for ranks, pair, chance in opening_hands(solution)
    )


def value_game(solver: ShoeSolver) -> tuple[float, dict[Rank, float]]:
    """Return the value of a round, and by upcard."""
    cards = sum(solver.shoe)
    by_upcard = {
        upcard: value_against(solution) for upcard, solution in solver.against_all().items()
    }
    ev = sum(solver.shoe[upcard] / cards * value for upcard, value in by_upcard.items())
    return ev, by_upcard


def opening_hands(
    solution: UpcardSolution,
) -> Iterator[tuple[tuple[Rank, Rank], Rank, float]]:
    """Go through two-card hands: ranks, the rank if it is a pair to the rules, and its chance."""
    solver = solution.solver
    left = list(solver.shoe)
    left[solution.upcard] -= 1
    cards = sum(left)
    for first, second in TWO_CARD_HANDS:
        if first != second:
            chance = 2 * left[first] * left[second] / (cards * (cards - 1))
            if chance:
                yield (first, second), 0, chance
            continue
        chance = left[first] * (left[first] - 1) / (cards * (cards - 1))
        if not chance:
            continue
        if first == TEN and solver.rules.split_by is SplitBy.RANK:
            same = _chance_of_equal_faces(solution)
            yield (first, second), first, chance * same
            yield (first, second), 0, chance * (1 - same)
        else:
            yield (first, second), first, chance


def _chance_of_equal_faces(solution: UpcardSolution) -> float:
    """Return the chance that two ten-valued cards have one face, in full decks less the upcard."""
    tens = solution.solver.shoe[TEN]
    if solution.upcard != TEN:
        return (tens / 4 - 1) / (tens - 1)
    others = 3 * (tens / 4) * (tens / 4 - 1)
    of_the_upcard = (tens / 4 - 1) * (tens / 4 - 2)
    return (others + of_the_upcard) / ((tens - 1) * (tens - 2))


def opening_value(solution: UpcardSolution, ranks: tuple[Rank, Rank], *, pair: Rank) -> float:
    """Return the value of an opening hand before the dealer looks, played best or by the chart."""
    solver = solution.solver
    hand = solver.hands.find(ranks)
    values = solution.values(hand, pair=pair)
    if solution.is_natural(hand):
        return solution.before_look(values[Action.STAND], hand)
    if solver.strategy is None:
        return solution.before_look(max(values.values()), hand)
    action = solver.strategy.decide(
        total=int(solver.hands.total[hand]),
        is_soft=bool(solver.hands.is_soft[hand]),
        pair_rank=pair if Action.SPLIT in values else 0,
        upcard=solution.upcard,
        legal=values,
    )
    return solution.before_look(values[action], hand)


def describe_assumptions(solver: ShoeSolver) -> tuple[str, ...]:
    """Say what the value of a game assumes, one sentence each."""
    rules = solver.rules
    notes = ["It is the value of the first round after a shuffle, with one spot in play."]
    if rules.insurance:
        notes.append("Insurance is not taken.")
    if rules.even_money is not EvenMoney.NEVER:
        notes.append("Even money is not taken.")
    if rules.hole_card is HoleCard.NO_PEEK and rules.insurance:
        notes.append(
            "Taking insurance would also make the dealer look before doubles and splits; that is"
            " not counted."
        )
    if rules.surrender is Surrender.EARLY:
        notes.append("Early surrender is decided before the dealer looks.")
    return tuple(notes)
