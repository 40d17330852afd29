"""Charts compared with the best play: values and costs of cells, and hands where cards matter."""

from __future__ import annotations

import math
from dataclasses import replace

from upcard.core.actions import Action
from upcard.core.cards import ACE, RANKS, UPCARD_ORDER, Rank, rank_name
from upcard.core.errors import UnsupportedRuleError
from upcard.exact.best_action import best_action
from upcard.exact.game import follow, opening_hands, value_opening_round
from upcard.exact.infinite import InfiniteSolver
from upcard.exact.insurance import looks_for_insurance
from upcard.exact.prepared_shoe import PreparedShoe
from upcard.exact.results import CellCost, CompositionException
from upcard.exact.shoe import ShoeLike, read_shoe
from upcard.exact.solution import UpcardSolution
from upcard.exact.supported_rules import FINITE
from upcard.exact.total_dependent import best_chart
from upcard.rules.model import Rules
from upcard.rules.predicates import looks_before_answer
from upcard.strategy.chart import HAND_LABELS, UPCARD_LABELS, Strategy, row_label

_WORTH_NAMING = 1e-9


def costliest_cells(
    rules: Rules, strategy: Strategy, *, shoe: ShoeLike = None
) -> tuple[CellCost, ...]:
    """Return the cells of a chart with a cost, worst first.

    Each cell is corrected alone, to that of the best total-dependent chart, and the chart is valued
    again, exactly: its cost is the change of the game's EV.

    Raises: as `solve` does.
    """
    prepared = _prepare(rules, shoe)
    counts = prepared.shoe
    best = best_chart(prepared)
    cards = math.fsum(counts)
    costs = []
    for column, (upcard, letter) in enumerate(zip(UPCARD_ORDER, UPCARD_LABELS, strict=True)):
        if not counts[upcard]:
            continue
        charted = _value(prepared, strategy, upcard)
        for row, label in enumerate(HAND_LABELS):
            cell, better = strategy.cells[row][column], best.cells[row][column]
            if cell == better:
                continue
            mended = _value(prepared, _with_cell(strategy, row, column, better), upcard)
            cost = (mended - charted) * counts[upcard] / cards
            if cost > _WORTH_NAMING:
                costs.append(
                    CellCost(hand=label, upcard=letter, cell=cell, better=better, cost=cost)
                )
    return tuple(sorted(costs, key=lambda cost: -cost.cost))


def composition_exceptions(
    rules: Rules, strategy: Strategy, *, shoe: ShoeLike = None
) -> tuple[CompositionException, ...]:
    """Return the two-card hands that gain from composition-dependent play, most valuable first.

    Raises: as `solve` does.
    """
    prepared = _prepare(rules, shoe)
    counts = prepared.shoe
    cards = math.fsum(counts)
    found = []
    for upcard in prepared.upcards:
        looks = upcard == ACE and strategy.takes_insurance and looks_for_insurance(rules)
        solution = UpcardSolution(prepared.with_look() if looks else prepared, upcard)
        for ranks, pair, chance in opening_hands(solution):
            hand = prepared.hands.find(ranks)
            if solution.is_natural(hand):
                continue
            values = solution.values(hand, pair=pair)
            better = best_action(values)
            charted = follow(solution, strategy, hand, pair, values)
            gain = values[better] - values[charted]
            if charted is not better and gain > _WORTH_NAMING:
                found.append(
                    CompositionException(
                        hand=" ".join(map(rank_name, sorted(ranks, reverse=True))),
                        upcard=rank_name(upcard),
                        charted=charted,
                        better=better,
                        gain=gain,
                        gain_per_round=gain * chance * counts[upcard] / cards,
                    )
                )
    return tuple(sorted(found, key=lambda exception: -exception.gain_per_round))


def _prepare(rules: Rules, shoe: ShoeLike) -> PreparedShoe:
    if rules.is_infinite:
        reason = "cells are weighed by the cards of a shoe; name 1D to 8D"
        raise UnsupportedRuleError(FINITE.name, "INF", reason)
    return PreparedShoe(rules, read_shoe(shoe, rules))


def _value(prepared: PreparedShoe, strategy: Strategy, upcard: Rank) -> float:
    return value_opening_round(UpcardSolution(prepared.with_strategy(strategy), upcard)).ev


def _with_cell(strategy: Strategy, row: int, column: int, cell: str) -> Strategy:
    cells = [list(written) for written in strategy.cells]
    cells[row][column] = cell
    return replace(strategy, cells=tuple(map(tuple, cells)))


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
    has_looked = looks_before_answer(rules, cards=2)
    sums: dict[str, dict[Action, float]] = {}
    weights: dict[str, float] = {}
    for ranks, pair, chance in opening_hands(solution):
        hand = hands.find(ranks)
        total, is_soft = int(hands.total[hand]), bool(hands.is_soft[hand])
        label = row_label(total, is_soft=is_soft, pair_rank=pair)
        weight = chance * (1 - solution.natural_probability(hand) if has_looked else 1)
        if label not in HAND_LABELS or not weight:
            continue
        weights[label] = weights.get(label, 0.0) + weight
        row = sums.setdefault(label, {})
        for action, value in solution.values(hand, pair=pair).items():
            row[action] = row.get(action, 0.0) + weight * solution.finish(
                value, hand, has_looked=has_looked
            )
    return {
        label: {action: total / weights[label] for action, total in row.items()}
        for label, row in sums.items()
    }
