"""The exact solvers behind saved values: what every front-end asks.

The functions are those of `upcard.exact.solve` and `upcard.exact.chart_values`, with the same
arguments, results and errors. Call those to compute.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias, TypeVar

from upcard.cache.entry import SavedQuestion
from upcard.cache.recall import peek, recall
from upcard.core.actions import Action
from upcard.core.cards import Rank, read_rank
from upcard.core.errors import BlackjackError
from upcard.exact import solve as solver
from upcard.exact.composition import ShoeLike, full_decks, read_hand
from upcard.exact.solve import choose_solver
from upcard.exact.solver_results import (
    Asked,
    CellCost,
    CompositionException,
    DealerOutcomes,
    GameValue,
    HandValue,
    SplitSaver,
    save_splits,
)
from upcard.exact.supported_rules import SplitPlay
from upcard.rules.model import Rules
from upcard.strategy.chart import HARD_LABELS, Strategy

Result = TypeVar("Result")
Values: TypeAlias = dict[Action, float]
CellValues: TypeAlias = dict[tuple[str, str], Values]
OpeningCards: TypeAlias = tuple[tuple[Rank, ...], Rank, Rank]
"""Ranks of a hand, the upcard, and the rank of a pair that may be split, else 0."""


@dataclass(frozen=True, slots=True)
class _SavedChart:
    """A chart as it is saved: its title begins with the rules, by the name of who asks."""

    cells: tuple[tuple[str, ...], ...]
    takes_insurance: bool
    about: str
    """The rest of the title."""


def solve(
    rules: Rules,
    hand: str,
    upcard: str | Rank,
    *,
    shoe: ShoeLike = None,
    splits: str = SplitPlay.CDZ,
) -> HandValue:
    """Return the value of every legal action of a hand, as `upcard.exact.solve.solve`."""
    cards = _freeze(shoe)

    def read() -> tuple[Any, ...] | None:
        if hand.strip() in HARD_LABELS:
            return None  # refused: a total is no hand
        ranks, are_equal_faces = read_hand(hand)
        asked = [list(ranks), are_equal_faces, read_rank(upcard, "upcard")]
        return (*asked, *_read(rules, splits, cards))

    return _recall(
        "hand",
        rules,
        read,
        HandValue,
        lambda: solver.solve(rules, hand, upcard, shoe=cards, splits=splits),
    )


def solve_game(
    rules: Rules,
    *,
    splits: str = SplitPlay.CDZ,
    strategy: Strategy | None = None,
    shoe: ShoeLike = None,
) -> GameValue:
    """Return the value of a round, as `upcard.exact.solve.solve_game`.

    Its `seconds` are those of the computation that was saved.
    """
    cards = _freeze(shoe)
    return _recall(
        "game",
        rules,
        lambda: (*_read(rules, splits, cards), _write_chart(strategy)),
        GameValue,
        lambda: solver.solve_game(rules, splits=splits, strategy=strategy, shoe=cards),
    )


def expected_value(
    rules: Rules,
    *,
    splits: str = SplitPlay.CDZ,
    strategy: Strategy | None = None,
    shoe: ShoeLike = None,
) -> float:
    """Return the EV of a round, as `upcard.exact.solve.expected_value`."""
    return solve_game(rules, splits=splits, strategy=strategy, shoe=shoe).ev


def dealer_outcomes(rules: Rules, upcard: str | Rank, *, shoe: ShoeLike = None) -> DealerOutcomes:
    """Return the dealer's chances, as `upcard.exact.solve.dealer_outcomes`."""
    cards = _freeze(shoe)
    return _recall(
        "dealer",
        rules,
        lambda: (read_rank(upcard, "upcard"), *_read(rules, SplitPlay.CDZ, cards)),
        DealerOutcomes,
        lambda: solver.dealer_outcomes(rules, upcard, shoe=cards),
    )


def effects_of_removal(
    rules: Rules, *, splits: str = SplitPlay.CDZ, strategy: Strategy | None = None
) -> dict[str, float]:
    """Return the effect of each rank's removal, as `upcard.exact.solve.effects_of_removal`."""
    return _recall(
        "removal",
        rules,
        lambda: (*_read(rules, splits, None), _write_chart(strategy)),
        dict[str, float],
        lambda: solver.effects_of_removal(rules, splits=splits, strategy=strategy),
    )


def basic_strategy(rules: Rules, *, shoe: ShoeLike = None) -> Strategy:
    """Return the best chart by totals, as `upcard.exact.solve.basic_strategy`."""
    cards = _freeze(shoe)

    def compute() -> _SavedChart:
        chart = solver.basic_strategy(rules, shoe=cards)
        return _SavedChart(
            chart.cells, chart.takes_insurance, chart.title.removeprefix(f"{rules}: ")
        )

    saved = _recall(
        "chart", rules, lambda: _read(rules, SplitPlay.CDZ, cards), _SavedChart, compute
    )
    return Strategy(
        cells=saved.cells, title=f"{rules}: {saved.about}", takes_insurance=saved.takes_insurance
    )


def cell_values(rules: Rules, *, shoe: ShoeLike = None) -> CellValues:
    """Return the EVs of a chart's cells, as `upcard.exact.chart_values.cell_values`."""
    cards = _freeze(shoe)

    def compute() -> CellValues:
        from upcard.exact.chart_values import cell_values

        return cell_values(rules, shoe=cards)

    return _recall("cells", rules, lambda: _read(rules, SplitPlay.CDZ, cards), CellValues, compute)


def costliest_cells(
    rules: Rules, strategy: Strategy, *, shoe: ShoeLike = None
) -> tuple[CellCost, ...]:
    """Return the cells of a chart with a cost, as `upcard.exact.chart_values.costliest_cells`."""
    cards = _freeze(shoe)

    def compute() -> tuple[CellCost, ...]:
        from upcard.exact.chart_values import costliest_cells

        return costliest_cells(rules, strategy, shoe=cards)

    return _recall(
        "costs",
        rules,
        lambda: (*_read(rules, SplitPlay.CDZ, cards), _write_chart(strategy)),
        tuple[CellCost, ...],
        compute,
    )


def composition_exceptions(
    rules: Rules, strategy: Strategy, *, shoe: ShoeLike = None
) -> tuple[CompositionException, ...]:
    """Return hands to play by cards, as `upcard.exact.chart_values.composition_exceptions`."""
    cards = _freeze(shoe)

    def compute() -> tuple[CompositionException, ...]:
        from upcard.exact.chart_values import composition_exceptions

        return composition_exceptions(rules, strategy, shoe=cards)

    return _recall(
        "exceptions",
        rules,
        lambda: (*_read(rules, SplitPlay.CDZ, cards), _write_chart(strategy)),
        tuple[CompositionException, ...],
        compute,
    )


def opening_values(rules: Rules, hands: tuple[OpeningCards, ...]) -> tuple[Values, ...]:
    """Return the values of hands from a full shoe, by one solution of all of them.

    Raises: as `upcard.exact.solve.choose_solver` does.
    """

    def compute() -> tuple[Values, ...]:
        full = None if rules.is_infinite else full_decks(rules.decks or 1)
        solution = choose_solver(rules, full)
        return tuple(solution.values(ranks, up, pair=pair) for ranks, up, pair in hands)

    return _recall("openings", rules, lambda: (hands,), tuple[Values, ...], compute)


def _recall(
    kind: str,
    rules: Rules,
    read: Callable[[], tuple[Any, ...] | None],
    form: Any,  # noqa: ANN401 (the type of the result)
    compute: Callable[[], Result],
) -> Result:
    """Ask for a result; `read` returns what it depends on, None if it is not saved."""
    try:
        asked = read()
    except BlackjackError:
        asked = None  # the solver refuses it in its own words
    if asked is None:
        return compute()

    def compute_saving_splits() -> Result:
        with save_splits(_SPLITS):
            return compute()

    return recall(SavedQuestion(kind, rules, asked, form, compute_saving_splits))


def _find_split(rules: Rules, asked: Asked) -> float | None:
    return peek(lambda: _recall_split(rules, asked, math.nan))


def _recall_split(rules: Rules, asked: Asked, value: float) -> float:
    return recall(SavedQuestion("split", rules, asked, float, lambda: value))


_SPLITS: Final = SplitSaver(_find_split, _recall_split)


def _read(rules: Rules, splits: str, shoe: ShoeLike) -> tuple[Any, ...]:
    """Return the split play and the cards before the deal."""
    counts = solver.read_cards(rules, shoe)
    return str(solver.read_split_play(splits)), None if counts is None else list(counts)


def _write_chart(strategy: Strategy | None) -> str | None:
    """Return all that a chart plays, as text; values do not depend on its title."""
    return None if strategy is None else str(strategy)


def _freeze(shoe: ShoeLike) -> ShoeLike:
    """Return a shoe that can be read twice."""
    return shoe if shoe is None or isinstance(shoe, str | Mapping) else tuple(shoe)
