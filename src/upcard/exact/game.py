"""The whole game on a shoe: every upcard, every hand, weighed by their chances."""

from __future__ import annotations

from itertools import combinations_with_replacement
from typing import TYPE_CHECKING, Final, NamedTuple

from upcard.core.actions import Action
from upcard.core.cards import ACE, RANKS, TEN
from upcard.exact.insurance import (
    InsuranceHand,
    Offers,
    Taking,
    answer_offers,
    describe_offers,
    looks_for_insurance,
    taking_of,
)
from upcard.exact.solution import UpcardSolution
from upcard.rules.predicates import needs_equal_faces, offers_insurance
from upcard.rules.settings import Surrender

if TYPE_CHECKING:
    from collections.abc import Iterator

    from upcard.core.cards import Rank
    from upcard.exact.finite import ShoeSolver
    from upcard.exact.shoe import Counts

TWO_CARD_HANDS: Final = tuple(combinations_with_replacement(RANKS, 2))


class RoundValue(NamedTuple):
    """What a round is worth given the upcard, before the dealer looks; what of it offers are."""

    ev: float
    offers: Offers


def value_round(solution: UpcardSolution) -> RoundValue:
    """Return the value of a round given the upcard, insurance and even money answered."""
    solver = solution.solver
    openings = [
        (ranks, pair, chance, opening_value(solution, ranks, pair=pair))
        for ranks, pair, chance in opening_hands(solution)
    ]
    ev = sum(chance * value for _, _, chance, value in openings)
    taking = taking_of(solver.strategy)
    if taking is Taking.NEVER or not offers_insurance(solver.rules, solution.upcard):
        return RoundValue(ev, Offers())
    insured = None
    if looks_for_insurance(solver.rules):
        insured = UpcardSolution(solver.with_look(), solution.upcard)
    hands = []
    for ranks, pair, chance, value in openings:
        hand = solver.hands.find(ranks)
        hands.append(
            InsuranceHand(
                chance=chance,
                natural=solution.natural_probability(hand),
                is_natural=solution.is_natural(hand),
                ev=value,
                insured_ev=value if insured is None else opening_value(insured, ranks, pair=pair),
            )
        )
    offers = answer_offers(solver.rules, hands, taking)
    return RoundValue(ev + offers.gain, offers)


def value_against(solution: UpcardSolution) -> float:
    """Return the value of a round given the upcard, before the dealer looks."""
    return value_round(solution).ev


def value_game(solver: ShoeSolver) -> dict[Rank, RoundValue]:
    """Return the value of a round by upcard."""
    return {upcard: value_round(solution) for upcard, solution in solver.against_all().items()}


def weigh_rounds(shoe: Counts, rounds: dict[Rank, RoundValue]) -> tuple[float, float]:
    """Return the value of a game from those by upcard, and what of it offers are."""
    cards = sum(shoe)
    ev = sum(shoe[upcard] / cards * value.ev for upcard, value in rounds.items())
    return ev, shoe[ACE] / cards * offers_in(rounds).gain


def offers_in(rounds: dict[Rank, RoundValue]) -> Offers:
    """Return what insurance and even money make of the round with an ace up, if there is one."""
    return rounds[ACE].offers if ACE in rounds else Offers()


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
        if needs_equal_faces(solver.rules, first):
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


def describe_assumptions(solver: ShoeSolver, offers: Offers) -> tuple[str, ...]:
    """Say what the value of a game assumes, one sentence each."""
    rules = solver.rules
    notes = ["It is the value of the first round after a shuffle, with one spot in play."]
    notes.extend(describe_offers(rules, solver.strategy, offers))
    if rules.surrender is Surrender.EARLY:
        notes.append("Early surrender is decided before the dealer looks.")
    return tuple(notes)
