"""The whole game on a shoe: every upcard and hand, weighted by their chances."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator
from itertools import combinations_with_replacement
from typing import Final

from upcard.core.actions import Action
from upcard.core.cards import ACE, RANKS, TEN, Rank
from upcard.exact.insurance import (
    InsuranceHand,
    Offers,
    RoundValue,
    Taking,
    describe_offers,
    looks_for_insurance,
    taking_of,
    value_round,
)
from upcard.exact.prepared_shoe import PreparedShoe
from upcard.exact.solution import UpcardSolution
from upcard.rules.model import Rules
from upcard.rules.predicates import needs_equal_faces
from upcard.rules.settings import Surrender
from upcard.strategy.chart import Strategy

TWO_CARD_HANDS: Final = tuple(combinations_with_replacement(RANKS, 2))


def value_opening_round(solution: UpcardSolution) -> RoundValue:
    """Return the value of a round given the upcard, with insurance and even money answered."""
    prepared, upcard = solution.prepared, solution.upcard
    taking = taking_of(prepared.strategy)
    insured = solution
    *_, last = shoes_that_ask(prepared, upcard)
    if last is not prepared:
        insured = UpcardSolution(last, upcard)
    hands = []
    for ranks, pair, chance in opening_hands(solution):
        hand = prepared.hands.find(ranks)
        ev = insured_ev = opening_value(solution, hand, pair=pair)
        if insured is not solution:
            insured_ev = opening_value(insured, hand, pair=pair)
        natural = solution.natural_probability(hand) if upcard == ACE else 0.0  # for offers only
        hands.append(InsuranceHand(chance, natural, solution.is_natural(hand), ev, insured_ev))
    return value_round(prepared.rules, upcard, hands, taking)


def shoes_that_ask(prepared: PreparedShoe, upcard: Rank) -> list[PreparedShoe]:
    """Return the shoe, and the same with a look if insurance leads to one, as rounds ask them."""
    is_insured = upcard == ACE and taking_of(prepared.strategy) is not Taking.NEVER
    if is_insured and looks_for_insurance(prepared.rules):
        return [prepared, prepared.with_look()]
    return [prepared]


def deal_two_cards(
    shoe: tuple[float, ...], upcard: Rank
) -> Iterator[tuple[tuple[Rank, Rank], float]]:
    """Iterate over the two-card hands possible with an upcard, with their chances."""
    left = list(shoe)
    left[upcard] -= 1
    cards = math.fsum(left)
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


def opening_value(solution: UpcardSolution, hand: int, *, pair: Rank) -> float:
    """Return the value of an opening hand before the look, with the best play or by the chart."""
    prepared = solution.prepared
    if prepared.strategy is None:
        return solution.before_look(solution.best_value(hand, pair=pair), hand)
    values = solution.values(hand, pair=pair)
    action = Action.STAND
    if not solution.is_natural(hand):
        action = follow(solution, prepared.strategy, hand, pair, values)
    return solution.before_look(values[action], hand)


def follow(
    solution: UpcardSolution, strategy: Strategy, hand: int, pair: Rank, legal: Collection[Action]
) -> Action:
    """Return a chart's action for an opening hand."""
    total, is_soft, _ = solution.prepared.hands.facts[hand]
    return strategy.decide(
        total=total,
        is_soft=is_soft,
        pair_rank=pair if Action.SPLIT in legal else 0,
        upcard=solution.upcard,
        legal=legal,
    )


def describe_assumptions(
    rules: Rules, strategy: Strategy | None, offers: Offers
) -> tuple[str, ...]:
    """Return the assumptions behind the value of a game, one sentence each."""
    notes = ["It is the value of the first round after a shuffle, with one spot in play."]
    notes.extend(describe_offers(rules, strategy, offers))
    if rules.surrender is Surrender.EARLY:
        notes.append("Early surrender is decided before the dealer looks.")
    return tuple(notes)
