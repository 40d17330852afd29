"""`Solver`: the protocol of exact values, and the choice of a solver for given rules.

A solver is bound to rules and, unless the deck is infinite, to a shoe.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, TypedDict, Unpack

from upcard.core.errors import UnsupportedRuleError
from upcard.exact.supported_rules import INFINITE, NO_CHART, NONSTANDARD, choose_engine

if TYPE_CHECKING:
    from upcard.core.actions import Action
    from upcard.core.cards import Rank
    from upcard.exact.finite_rules import SplitPlay
    from upcard.exact.insurance import Offers, RoundValue
    from upcard.exact.outcome_probabilities import OutcomeProbabilities
    from upcard.exact.results import AskedHand, DealerOutcomes
    from upcard.rules.model import Rules
    from upcard.strategy.chart import Strategy


class Solver(Protocol):
    """Exact values of a house, per initial bet, for the player."""

    @property
    def rules(self) -> Rules:
        """Rules of the solver."""

    @property
    def shoe_name(self) -> str:
        """The cards before the deal, in words."""

    @property
    def splits_name(self) -> str:
        """Name of the play of split hands."""

    def values(
        self, ranks: tuple[Rank, ...], upcard: Rank, *, pair: Rank = 0
    ) -> dict[Action, float]:
        """Return the value of each legal action of a hand, with the best play afterwards.

        They assume no natural if the dealer has looked by then (`looks_before_answer`).

        Raises: NoExactValueError if the look finds a natural for certain.
        """

    def value_answer(self, asked: AskedHand, action: Action) -> float | None:
        """Return the value of one answer in the middle of a round; None if it is unknown."""

    def outcome_probabilities(
        self, asked: AskedHand, action: Action
    ) -> OutcomeProbabilities | None:
        """Return win, push and lose by an answer; None if they are unknown."""

    def dealer_outcomes(self, asked: AskedHand) -> DealerOutcomes:
        """Return the probabilities of the dealer's result, next to a hand."""

    def natural_probability(self, ranks: tuple[Rank, ...], upcard: Rank, /) -> float:
        """Return the chance of a dealer's natural, ignoring any look."""

    def upcard_probabilities(self) -> dict[Rank, float]:
        """Return the chance of each upcard."""

    def value_rounds(self) -> dict[Rank, RoundValue]:
        """Return the value of a round by upcard, with insurance and even money answered."""

    def describe_assumptions(self, offers: Offers) -> tuple[str, ...]:
        """Return the assumptions behind the value of a game, one sentence each."""

    def chart(self) -> Strategy:
        """Return the best chart by totals.

        Raises: UnsupportedRuleError if a chart cannot distinguish the hands.
        """


class SolverOptions(TypedDict, total=False):
    """Options of `choose_solver`; only a finite shoe needs others than `strategy`."""

    splits: SplitPlay
    """Play of split hands (default: CDZ-)."""
    strategy: Strategy | None
    """Chart to follow (default: the best play)."""
    upcards: tuple[Rank, ...]
    """Upcards that the shoe is prepared for (default: all)."""
    pairs: tuple[Rank, ...]
    """Ranks whose splits it is prepared for (default: all)."""
    further_pairs: float | None
    """Number of unseen cards that make another pair of tens, if faces are known."""


def choose_solver(
    rules: Rules, shoe: tuple[float, ...] | None, **options: Unpack[SolverOptions]
) -> Solver:
    """Return the solver for rules and the cards before the deal (None for an infinite deck).

    Raises: UnsupportedRuleError for a rule without an exact method; EmptyShoeError if cards could
    run out; NoExactValueError for parts of cards in a non-standard house.
    """
    engine = choose_engine(rules)
    if engine is INFINITE or shoe is None:
        from upcard.exact.infinite import InfiniteSolver

        return InfiniteSolver(rules, options.get("strategy"))
    if engine is NONSTANDARD:
        from upcard.exact.nonstandard import NonstandardSolver

        if options.get("strategy") is not None:
            raise UnsupportedRuleError(engine.name, "strategy", NO_CHART)
        return NonstandardSolver(rules, shoe)
    from upcard.exact.finite import FiniteSolver

    return FiniteSolver(rules, shoe, **options)
