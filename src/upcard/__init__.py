"""upcard: play, learn, solve and simulate blackjack under any house rules.

Heavy packages are imported when one of their names is first used, so `import upcard` stays light.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from upcard._version import __version__
from upcard.core import provide as _provide
from upcard.core.long_work import listen as _listen

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from upcard.analysis.indices.rows import Indices
    from upcard.analysis.indices.search import indices
    from upcard.analysis.player_chart import value_of
    from upcard.analysis.ruin_paths import PathsAnswer
    from upcard.answers.bench import bench_questions, score_player
    from upcard.answers.edge import ev_table
    from upcard.answers.games.comparison import GameComparison
    from upcard.answers.games.side_by_side import compare_counts, compare_games
    from upcard.answers.notebook import Rows
    from upcard.answers.questions import ask
    from upcard.answers.ramp_report import RampAnswer
    from upcard.core.actions import Action, Outcome
    from upcard.core.cards import Card
    from upcard.core.errors import (
        BlackjackError,
        EmptyShoeError,
        IllegalActionError,
        NotationError,
        OutOfDecisionsError,
        RulesError,
        UnsupportedRuleError,
    )
    from upcard.core.figure import AnswerTable, Displayed, Pictured, TableColumn
    from upcard.core.long_work import Report
    from upcard.documents.lott import Game, Player
    from upcard.documents.mdp import Policy, policy
    from upcard.exact.composition import ShoeLike
    from upcard.exact.side.bet_counts import SideBetCount
    from upcard.exact.side.bet_values import SideBetRemoval, SideBetValue
    from upcard.exact.solve import (
        basic_strategy,
        dealer_outcomes,
        effects_of_removal,
        expected_value,
        solve,
        solve_game,
    )
    from upcard.exact.solver_results import DealerOutcomes, GameValue, HandValue
    from upcard.rules.house import House, RulesLike, house, house_names, load_house
    from upcard.rules.model import Rules
    from upcard.rules.side_bet_files import side_bet, side_bet_names
    from upcard.rules.side_bets import SideBet
    from upcard.simulation.run import resume, simulate
    from upcard.simulation.run_state import Run
    from upcard.store.history import history
    from upcard.strategy.chart import Strategy
    from upcard.strategy.ramp import BetRamp
    from upcard.table.rounds import RoundResult, Table, play_round

__all__ = [
    "Action",
    "AnswerTable",
    "BlackjackError",
    "Card",
    "DealerOutcomes",
    "EmptyShoeError",
    "Game",
    "GameComparison",
    "GameValue",
    "HandValue",
    "House",
    "IllegalActionError",
    "Indices",
    "NotationError",
    "OutOfDecisionsError",
    "Outcome",
    "Player",
    "Policy",
    "RoundResult",
    "Rules",
    "RulesError",
    "Run",
    "SideBet",
    "Strategy",
    "Table",
    "UnsupportedRuleError",
    "__version__",
    "ask",
    "basic_strategy",
    "bench_questions",
    "compare_counts",
    "compare_games",
    "dealer_outcomes",
    "effects_of_removal",
    "ev_table",
    "expected_value",
    "history",
    "house",
    "house_names",
    "indices",
    "load_house",
    "play_round",
    "policy",
    "resume",
    "score_player",
    "side_bet",
    "side_bet_names",
    "simulate",
    "solve",
    "solve_game",
    "value_of",
]

_HOME = {
    "Action": "core.actions",
    "AnswerTable": "core.figure",
    "BlackjackError": "core.errors",
    "Card": "core.cards",
    "DealerOutcomes": "exact.solver_results",
    "EmptyShoeError": "core.errors",
    "Game": "documents.lott",
    "GameComparison": "answers.games.comparison",
    "GameValue": "exact.solver_results",
    "HandValue": "exact.solver_results",
    "House": "rules.house",
    "IllegalActionError": "core.errors",
    "Indices": "analysis.indices.rows",
    "NotationError": "core.errors",
    "OutOfDecisionsError": "core.errors",
    "Outcome": "core.actions",
    "Player": "documents.lott",
    "Policy": "documents.mdp",
    "RoundResult": "table.rounds",
    "Rules": "rules.model",
    "RulesError": "core.errors",
    "Run": "simulation.run_state",
    "SideBet": "rules.side_bets",
    "Strategy": "strategy.chart",
    "Table": "table.rounds",
    "UnsupportedRuleError": "core.errors",
    "basic_strategy": "exact.solve",
    "bench_questions": "answers.bench",
    "compare_counts": "answers.games.side_by_side",
    "ask": "answers.questions",
    "compare_games": "answers.games.side_by_side",
    "dealer_outcomes": "exact.solve",
    "effects_of_removal": "exact.solve",
    "ev_table": "answers.edge",
    "expected_value": "exact.solve",
    "history": "store.history",
    "house": "rules.house",
    "house_names": "rules.house",
    "indices": "analysis.indices.search",
    "load_house": "rules.house",
    "play_round": "table.rounds",
    "policy": "documents.mdp",
    "resume": "simulation.run",
    "score_player": "answers.bench",
    "side_bet": "rules.side_bet_files",
    "side_bet_names": "rules.side_bet_files",
    "simulate": "simulation.run",
    "solve": "exact.solve",
    "solve_game": "exact.solve",
    "value_of": "analysis.player_chart",
}


def __getattr__(name: str) -> Any:  # noqa: ANN401
    """Import a public name from its module when it is first used."""
    home = _HOME.get(name)
    if home is None:
        raise AttributeError(f"module 'upcard' has no attribute {name!r}")
    found = getattr(import_module(f"upcard.{home}"), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    """List the public names."""
    return sorted(__all__)


def _show(report: Report) -> None:
    """Show long work on a terminal or in a notebook, whichever program uses upcard."""
    from upcard.cli.progress import show

    show(report)


class _Above:
    """Functions of packages above those of the results that call them, imported when asked for."""

    def write_html(self, value: Displayed) -> str:
        from upcard.answers.notebook import write_html

        return write_html(value)

    def draw_picture(self, value: Pictured) -> str:
        from upcard.answers.notebook import draw_picture

        return draw_picture(value)

    def export_arrow(self, columns: Sequence[TableColumn], batches: Iterator[Rows]) -> object:
        from upcard.answers.notebook import export_arrow

        return export_arrow(columns, batches)

    def value_side_bet(self, bet: SideBet, shoe: ShoeLike, rules: RulesLike | None) -> SideBetValue:
        from upcard.exact.side.bet_values import value_bet

        return value_bet(bet, shoe, rules)

    def remove_from_side_bet(
        self, bet: SideBet, shoe: ShoeLike, rules: RulesLike | None
    ) -> SideBetRemoval:
        from upcard.exact.side.bet_values import effects_of_removal

        return effects_of_removal(bet, shoe, rules)

    def count_side_bet(
        self, bet: SideBet, shoe: ShoeLike, rules: RulesLike | None, /, **options: Any
    ) -> SideBetCount:
        from upcard.exact.side.bet_counts import count_bet

        return count_bet(bet, shoe, rules, **options)

    def tabulate_figures(self, run: Run) -> AnswerTable:
        from upcard.answers.run_results import tabulate_figures

        return tabulate_figures(run)

    def analyse_ramp(self, run: Run, ramp: str | BetRamp | None, /, **question: Any) -> RampAnswer:
        from upcard.answers.ramp_report import analyse_ramp

        return analyse_ramp(run, ramp, **question)

    def simulate_bankroll(self, run: Run, bankroll: float, /, **plan: Any) -> PathsAnswer:
        from upcard.answers.bank_report import simulate_bankroll

        return simulate_bankroll(run, bankroll, **plan)


_listen(_show)
_provide(_Above())
