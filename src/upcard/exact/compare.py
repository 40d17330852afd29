"""Charts compared with the best play: the cost of a cell, and hands where exact cards matter."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from upcard.core.cards import ACE, UPCARD_ORDER, rank_name
from upcard.core.errors import UnsupportedRuleError
from upcard.exact.best_action import best_action
from upcard.exact.game import follow, opening_hands, value_against
from upcard.exact.insurance import looks_for_insurance
from upcard.exact.prepared_shoe import PreparedShoe
from upcard.exact.shoe import read_shoe
from upcard.exact.solution import UpcardSolution
from upcard.exact.support import FINITE
from upcard.exact.total_dependent import best_chart
from upcard.strategy.chart import HAND_LABELS, UPCARD_LABELS

if TYPE_CHECKING:
    from upcard.core.actions import Action
    from upcard.core.cards import Rank
    from upcard.exact.shoe import ShoeLike
    from upcard.rules.model import Rules
    from upcard.strategy.chart import Strategy

_WORTH_NAMING = 1e-9


@dataclass(frozen=True, slots=True, kw_only=True)
class CellCost:
    """Cost of one cell of a chart per round, compared with the same chart with the best cell."""

    hand: str
    upcard: str
    cell: str
    better: str
    cost: float
    """Cost per round and initial bet; 0.01 is one percent of a bet."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CompositionException:
    """A two-card hand whose best play depends on its cards, not only its total."""

    hand: str
    upcard: str
    charted: Action
    better: Action
    gain: float
    """Gain per initial bet, when the hand occurs."""
    gain_per_round: float


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
    cards = sum(counts)
    costs = []
    for column, upcard in enumerate(UPCARD_ORDER):
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
                    CellCost(
                        hand=label,
                        upcard=UPCARD_LABELS[column],
                        cell=cell,
                        better=better,
                        cost=cost,
                    )
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
    cards = sum(counts)
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
    return value_against(UpcardSolution(prepared.with_strategy(strategy), upcard))


def _with_cell(strategy: Strategy, row: int, column: int, cell: str) -> Strategy:
    cells = [list(written) for written in strategy.cells]
    cells[row][column] = cell
    return replace(strategy, cells=tuple(map(tuple, cells)))
