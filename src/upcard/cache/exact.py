"""The exact solvers behind saved values: what every front-end asks.

The functions are those of `upcard.exact.solve`, with the same arguments, results and errors; call
those to compute. A question that was asked before is answered by its saved value, without loading
the solver, so that the `seconds` of a game are those of the computation that was saved.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import wraps
from inspect import signature
from typing import Any, Final, ParamSpec, TypeAlias, TypeVar, cast, get_type_hints

from upcard.cache.entry import SavedQuestion
from upcard.cache.recall import peek, recall
from upcard.core.cards import Rank, read_rank
from upcard.core.errors import BlackjackError
from upcard.exact import composition
from upcard.exact import solve as solver
from upcard.exact.solver_results import Asked, EffectsOfRemoval, GameValue, SplitSaver, save_splits
from upcard.rules.house import as_rules
from upcard.rules.model import Rules
from upcard.rules.payoffs import pays_by_suit
from upcard.rules.side_bets import SideBet, as_written
from upcard.strategy.chart import Strategy, load_strategy

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")
_Change: TypeAlias = Callable[[Rules, Result], Result]


def _read_hand(rules: Rules, hand: str | tuple[Rank, ...]) -> object:
    ranks = solver.read_dealt_hand(hand)
    return (*ranks, composition.read_suits(rules, hand)) if pays_by_suit(rules) else ranks


def _read_shown(rules: Rules, card: str | Rank | None, what: str) -> object:
    """Return the rank of a card that the dealer shows, with its suit where it may be refused."""
    if card is None:
        return None
    rank = read_rank(card, what)
    return str(card) if pays_by_suit(rules) and isinstance(card, str) else rank


_READERS: Final[dict[str, Callable[[Rules, Any], object]]] = {
    "hand": _read_hand,
    "doubles": lambda _, doubles: doubles,
    "upcard": lambda rules, upcard: _read_shown(rules, upcard, "upcard"),
    "hole": lambda rules, hole: _read_shown(rules, hole, "hole card"),
    "shoe": solver.read_cards,
    "splits": lambda _, splits: str(solver.read_split_play(splits)),
    # All that a chart plays, as text: values do not depend on its title.
    "strategy": lambda _, chart: None if chart is None else str(chart),
    "sees_hole": lambda _, share: float(share),
    "hands": lambda _, hands: hands,
}
"""How the arguments besides the rules are written into the question, by name."""


def _keep(_: Rules, result: Result) -> Result:
    return result


def _saved(
    kind: str,
    compute: Callable[Arguments, Result],
    *,
    before: _Change[Result] = _keep,
    after: _Change[Result] = _keep,
) -> Callable[Arguments, Result]:
    """Return a function of the solver behind saved values of this kind.

    `before` changes a result that is saved, and `after` one that is returned.
    """

    @wraps(compute)
    def ask(*arguments: Arguments.args, **options: Arguments.kwargs) -> Result:
        given = signature(compute).bind(*arguments, **options)
        given.apply_defaults()
        named = given.arguments
        rules = named["rules"] = as_rules(named["rules"])
        if isinstance(shoe := named.get("shoe"), Iterator):
            named["shoe"] = tuple(shoe)  # it is read twice
        if (strategy := named.get("strategy")) is not None:
            named["strategy"] = load_strategy(strategy)
        try:
            asked = tuple(
                read(rules, named[name]) for name, read in _READERS.items() if name in named
            )
        except BlackjackError:
            return compute(*given.args, **given.kwargs)  # refused by the solver, in its words

        def compute_saving_splits() -> Result:
            with save_splits(_SPLITS):
                return before(rules, compute(*given.args, **given.kwargs))

        of = get_type_hints(compute)["return"]
        return after(rules, recall(SavedQuestion(kind, rules, asked, of, compute_saving_splits)))

    return ask


def _saved_in_game(compute: Callable[Arguments, float]) -> Callable[Arguments, float]:
    """Return `expected_value`, which is saved with the rest of its game."""

    @wraps(compute)
    def ask(*arguments: Arguments.args, **options: Arguments.kwargs) -> float:
        game: GameValue = cast("Any", solve_game)(*arguments, **options)
        return game.ev

    return ask


def _recall_split(rules: Rules, asked: Asked, value: float) -> float:
    return recall(SavedQuestion("split", rules, asked, float, lambda: value))


_SPLITS: Final = SplitSaver(
    lambda rules, asked: peek(lambda: _recall_split(rules, asked, math.nan)), _recall_split
)


def _drop_rules(rules: Rules, chart: Strategy) -> Strategy:
    return replace(chart, title=chart.title.removeprefix(str(rules)))


def _add_rules(rules: Rules, chart: Strategy) -> Strategy:
    """Begin the title with the rules, by the name that they have now."""
    return replace(chart, title=f"{rules}{chart.title}")


solve = _saved("hand", solver.solve)
solve_game = _saved("game", solver.solve_game)
expected_value = _saved_in_game(solver.expected_value)
dealer_outcomes = _saved("dealer", solver.dealer_outcomes)
effects_of_removal = _saved(
    "removal",
    solver.effects_of_removal,
    after=lambda rules, effects: EffectsOfRemoval(effects, rules),
)
basic_strategy = _saved("chart", solver.basic_strategy, before=_drop_rules, after=_add_rules)
free_strategy = _saved("free", solver.free_strategy, before=_drop_rules, after=_add_rules)
opening_values = _saved("openings", solver.opening_values)
cell_values = _saved("cells", solver.cell_values)
costliest_cells = _saved("costs", solver.costliest_cells)
composition_exceptions = _saved("exceptions", solver.composition_exceptions)
bonus_plays = _saved("bonus", solver.bonus_plays)


def side_bet_edge(bet: SideBet, rules: Rules) -> float:
    """Return the house edge of a side bet in full decks. Raises: as `value_bet` does."""

    def compute() -> float:
        from upcard.exact.side import bet_values  # loads the solver

        return bet_values.value_bet(bet, None, rules).edge

    game = rules.main_game
    return recall(SavedQuestion("sidebet", game, (str(as_written(bet)),), float, compute))
