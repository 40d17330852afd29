"""The whole game on a shoe: every upcard and hand, weighted by their chances."""

from __future__ import annotations

from itertools import combinations_with_replacement
from typing import TYPE_CHECKING, Final

from upcard.core.actions import Action
from upcard.core.cards import RANKS, TEN
from upcard.exact.insurance import (
    InsuranceHand,
    Offers,
    RoundValue,
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
    from upcard.rules.model import Rules
    from upcard.strategy.chart import Strategy

TWO_CARD_HANDS: Final = tuple(combinations_with_replacement(RANKS, 2))


def value_round(solution: UpcardSolution) -> RoundValue:
    """Return the value of a round given the upcard, with insurance and even money answered."""
    prepared = solution.prepared
    openings = [
        (ranks, pair, chance, opening_value(solution, ranks, pair=pair))
        for ranks, pair, chance in opening_hands(solution)
    ]
    ev = sum(chance * value for _, _, chance, value in openings)
    taking = taking_of(prepared.strategy)
    if taking is Taking.NEVER or not offers_insurance(prepared.rules, solution.upcard):
        return RoundValue(ev, Offers())
    insured = None
    if looks_for_insurance(prepared.rules):
        insured = UpcardSolution(prepared.with_look(), solution.upcard)
    hands = []
    for ranks, pair, chance, value in openings:
        hand = prepared.hands.find(ranks)
        hands.append(
            InsuranceHand(
                chance=chance,
                natural=solution.natural_probability(hand),
                is_natural=solution.is_natural(hand),
                ev=value,
                insured_ev=value if insured is None else opening_value(insured, ranks, pair=pair),
            )
        )
    offers = answer_offers(prepared.rules, hands, taking)
    return RoundValue(ev + offers.gain, offers)


def value_against(solution: UpcardSolution) -> float:
    """Return the value of a round given the upcard, before the dealer looks."""
    return value_round(solution).ev


def deal_two_cards(
    shoe: tuple[float, ...], upcard: Rank
) -> Iterator[tuple[tuple[Rank, Rank], float]]:
    """Iterate over the two-card hands possible with an upcard, with their chances."""
    left = list(shoe)
    left[upcard] -= 1
    cards = sum(left)
    for first, second in TWO_CARD_HANDS:
        if first == second:
            chance = left[first] * (left[first] - 1) / (cards * (cards - 1))
        else:
            chance = 2 * left[first] * left[second] / (cards * (cards - 1))
        if chance:
            yield (first, second), chance


def opening_hands(solution: UpcardSolution) -> Iterator[tuple[tuple[Rank, Rank], Rank, float]]:
    """Iterate over two-card hands: ranks, the rank if they are a pair, and the chance."""
    prepared = solution.prepared
    for (first, second), chance in deal_two_cards(prepared.shoe, solution.upcard):
        if first != second:
            yield (first, second), 0, chance
        elif needs_equal_faces(prepared.rules, first):
            same = _chance_of_equal_faces(solution)
            yield (first, second), first, chance * same
            yield (first, second), 0, chance * (1 - same)
        else:
            yield (first, second), first, chance


def _chance_of_equal_faces(solution: UpcardSolution) -> float:
    """Return the chance that two ten-valued cards have one face, in full decks less the upcard."""
    tens = solution.prepared.shoe[TEN]
    if solution.upcard != TEN:
        return (tens / 4 - 1) / (tens - 1)
    others = 3 * (tens / 4) * (tens / 4 - 1)
    of_the_upcard = (tens / 4 - 1) * (tens / 4 - 2)
    return (others + of_the_upcard) / ((tens - 1) * (tens - 2))


def opening_value(solution: UpcardSolution, ranks: tuple[Rank, Rank], *, pair: Rank) -> float:
    """Return the value of an opening hand before the look, with the best play or by the chart."""
    prepared = solution.prepared
    hand = prepared.hands.find(ranks)
    values = solution.values(hand, pair=pair)
    if solution.is_natural(hand):
        return solution.before_look(values[Action.STAND], hand)
    if prepared.strategy is None:
        return solution.before_look(max(values.values()), hand)
    action = prepared.strategy.decide(
        total=int(prepared.hands.total[hand]),
        is_soft=bool(prepared.hands.is_soft[hand]),
        pair_rank=pair if Action.SPLIT in values else 0,
        upcard=solution.upcard,
        legal=values,
    )
    return solution.before_look(values[action], hand)


def describe_assumptions(
    rules: Rules, strategy: Strategy | None, offers: Offers
) -> tuple[str, ...]:
    """Return the assumptions behind the value of a game, one sentence each."""
    notes = ["It is the value of the first round after a shuffle, with one spot in play."]
    notes.extend(describe_offers(rules, strategy, offers))
    if rules.surrender is Surrender.EARLY:
        notes.append("Early surrender is decided before the dealer looks.")
    return tuple(notes)
