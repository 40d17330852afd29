"""Values of a chart's cells: those of two-card hands, weighted by their chances."""

from __future__ import annotations

from typing import TYPE_CHECKING

from upcard.core.cards import RANKS, rank_name
from upcard.exact.game import opening_hands
from upcard.exact.infinite import InfiniteSolver
from upcard.exact.prepared_shoe import PreparedShoe
from upcard.exact.shoe import read_shoe
from upcard.exact.solution import UpcardSolution
from upcard.rules.predicates import surrenders_before_look
from upcard.rules.settings import HoleCard
from upcard.strategy.chart import HAND_LABELS, row_label

if TYPE_CHECKING:
    from upcard.core.actions import Action
    from upcard.exact.shoe import ShoeLike
    from upcard.rules.model import Rules


def cell_values(
    rules: Rules, *, shoe: ShoeLike = None
) -> dict[tuple[str, str], dict[Action, float]]:
    """Return EVs per initial bet by row label and upcard letter, with the best play afterwards.

    A row stands for its two-card hands, weighted by their chances. As in `solve`, they assume no
    natural once the dealer has looked. Cells whose hands cannot occur are left out.

    Raises: as `solve` does.
    """
    if rules.is_infinite:
        solution = InfiniteSolver(rules)
        return {
            (label, rank_name(up)): solution.values(label, up)
            for label in HAND_LABELS
            for up in RANKS
        }
    prepared = PreparedShoe(rules, read_shoe(shoe, rules))
    return {
        (label, rank_name(up)): evs
        for up in prepared.upcards
        for label, evs in _column(UpcardSolution(prepared, up)).items()
    }


def _column(solution: UpcardSolution) -> dict[str, dict[Action, float]]:
    prepared = solution.prepared
    rules, hands = prepared.rules, prepared.hands
    is_early = surrenders_before_look(rules, solution.upcard)
    has_looked = rules.hole_card is HoleCard.PEEK and not is_early
    finish = solution.given_no_natural if has_looked else solution.before_look
    sums: dict[str, dict[Action, float]] = {}
    weights: dict[str, float] = {}
    for ranks, pair, chance in opening_hands(solution):
        hand = hands.find(ranks)
        total, is_soft = int(hands.total[hand]), bool(hands.is_soft[hand])
        label = row_label(total, is_soft=is_soft, pair_rank=pair)
        if label not in HAND_LABELS:
            continue
        weight = chance * (1 - solution.natural_probability(hand) if has_looked else 1)
        weights[label] = weights.get(label, 0.0) + weight
        row = sums.setdefault(label, {})
        for action, value in solution.values(hand, pair=pair).items():
            row[action] = row.get(action, 0.0) + weight * finish(value, hand)
    return {
        label: {action: total / weights[label] for action, total in row.items()}
        for label, row in sums.items()
        if weights[label]
    }
