"""Plays for the bonuses of a 21: where a bonus in reach makes a hit better than a chart's answer.

Printed charts of Spanish 21 mark them in their cells: "stand, but hit with four cards or more",
"double, but hit with five", "stand, but hit 6 7 of spades". Here they follow from the values of the
hands.
"""

from collections.abc import Iterator
from typing import Final

import numpy as np

from upcard.core.actions import Action
from upcard.core.cards import UPCARD_ORDER, rank_name
from upcard.exact import finite_hands
from upcard.exact.finite_shoe import PreparedShoe
from upcard.exact.solver_results import BonusPlay
from upcard.rules import predicates
from upcard.strategy.chart import HAND_LABELS, PAIR_LABELS, Strategy, hand_of_row

SUIT_KINDS: Final = ("mixed", "of one suit", "of spades")
"""Kinds of the suits of two cards, in the order of the solver."""
_MOST_CARDS: Final = 8


def find_bonus_plays(prepared: PreparedShoe, strategy: Strategy) -> tuple[BonusPlay, ...]:
    """Find the hands that a chart stands on or doubles and a bonus makes worth a hit, row by row.

    Numbers of cards are counted where hitting is better on average over all hands of the total with
    as many cards, weighted by their chances in the best play.
    """
    found: list[BonusPlay] = []
    solutions = {one.upcard: one for one in finite_hands.solve_starts(prepared).values()}
    for upcard in UPCARD_ORDER:
        if upcard in solutions:
            found += _by_cards(solutions[upcard], strategy)
            found += _by_suits(solutions[upcard], strategy)
    return tuple(found)


def _charted(
    solution: finite_hands.UpcardSolution, strategy: Strategy, total: int, *, is_soft: bool
) -> Action:
    """Return the chart's answer to a hand of three or more cards."""
    rules, upcard = solution.prepared.rules, solution.upcard
    may_double = predicates.may_double(rules, cards=3, total=total, is_soft=is_soft)
    legal = (Action.HIT, Action.STAND, *((Action.DOUBLE,) if may_double else ()))
    return strategy.decide(total=total, is_soft=is_soft, pair_rank=0, upcard=upcard, legal=legal)


def _by_cards(solution: finite_hands.UpcardSolution, strategy: Strategy) -> Iterator[BonusPlay]:
    hands, raw, up = solution.prepared.hands, solution.raw, rank_name(solution.upcard)
    reach = finite_hands.reach_of_hits(solution)
    for label in HAND_LABELS:
        if label in PAIR_LABELS:
            continue
        total, is_soft, _ = hand_of_row(label)
        charted = _charted(solution, strategy, total, is_soft=is_soft)
        if charted is Action.HIT:
            continue
        others = raw.stand if charted is Action.STAND else raw.double
        fewest, gain = 0, 0.0
        for cards in range(_MOST_CARDS, 2, -1):
            of_row = (hands.total == total) & (hands.is_soft == is_soft) & (hands.cards == cards)
            weight = reach[of_row]
            if not weight.sum():
                continue
            gained = float(weight @ (raw.hit[of_row] - others[of_row]) / weight.sum())
            if gained <= 0:
                break
            fewest, gain = cards, gained
        if fewest:
            when = f"with {fewest} or more cards"
            yield BonusPlay(hand=label, upcard=up, charted=charted, when=when, gain=gain)


def _by_suits(solution: finite_hands.UpcardSolution, strategy: Strategy) -> Iterator[BonusPlay]:
    hands, raw, up = solution.prepared.hands, solution.raw, rank_name(solution.upcard)
    for hand in solution.suited_hands:
        total, is_soft, _ = hands.facts[hand]
        if _charted(solution, strategy, total, is_soft=is_soft) is not Action.STAND:
            continue
        stand = raw.stand.item(hand)
        hits = (hit for _, hit in solution.hits_by_suit(hand))
        better = [(kind, hit - stand) for kind, hit in enumerate(hits) if hit > stand]
        if better:
            kind, gain = better[0]
            ranks = np.repeat(np.arange(11), hands.counts[hand].astype(int)).tolist()
            cards = " ".join(map(rank_name, ranks))
            when = SUIT_KINDS[kind] if kind else "of any suits"
            yield BonusPlay(hand=cards, upcard=up, charted=Action.STAND, when=when, gain=gain)
