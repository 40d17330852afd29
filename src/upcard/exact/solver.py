"""`Solver`: the protocol of exact values, and the choice of a solver for given rules.

There are three: for an infinite deck, for a shoe with known cards, and for houses with a
non-standard ace or dealer rule. A solver is bound to rules and, unless the deck is infinite, to a
shoe.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

from upcard.core.cards import RANKS
from upcard.core.errors import UnsupportedRuleError
from upcard.exact import finite_rules, infinite_rules, nonstandard_rules
from upcard.exact.finite_rules import SplitPlay
from upcard.exact.unsupported import check_supported

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from upcard.core.actions import Action
    from upcard.core.cards import Rank
    from upcard.exact.insurance import Offers, RoundValue
    from upcard.exact.outcome_probabilities import OutcomeProbabilities
    from upcard.exact.results import DealerOutcomes
    from upcard.rules.model import Rules
    from upcard.strategy.chart import Strategy


class Solver(Protocol):
    """Exact values of a house, per initial bet, for the player.

    Hands are the ranks of their cards, in the order dealt. `pair` is the rank of a pair that may be
    split, else 0. `has_looked`: it is known that the dealer has no natural; if not, naturals count.
    """

    @property
    def rules(self) -> Rules:
        """Rules of the solver."""

    @property
    def shoe_name(self) -> str:
        """The cards before the deal, in words."""

    @property
    def splits_name(self) -> str:
        """Name of the play of split hands."""

    @property
    def is_given_no_natural(self) -> bool:
        """Whether `values` assume that the dealer has looked and has no natural."""

    def values(
        self, ranks: tuple[Rank, ...], upcard: Rank, *, pair: Rank = 0
    ) -> dict[Action, float]:
        """Return the value of each legal action of a hand, with the best play afterwards."""

    def value_answer(
        self,
        ranks: tuple[Rank, ...],
        upcard: Rank,
        action: Action,
        *,
        pair: Rank = 0,
        has_looked: bool,
    ) -> float | None:
        """Return the value of one answer in the middle of a round; None if it is unknown."""

    def outcome_probabilities(
        self, ranks: tuple[Rank, ...], upcard: Rank, action: Action, *, has_looked: bool
    ) -> OutcomeProbabilities | None:
        """Return win, push and lose by an answer; None if they are unknown."""

    def dealer_outcomes(
        self, ranks: tuple[Rank, ...], upcard: Rank, *, has_looked: bool
    ) -> DealerOutcomes:
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


class ExactEngine(NamedTuple):
    """A method for exact values: its name, and what it does not support."""

    name: str
    find_unsupported: Callable[[Rules], Iterator[tuple[str, str]]]
    """Settings that it cannot honour, with the reasons."""


INFINITE = ExactEngine(infinite_rules.ENGINE, infinite_rules.find_unsupported)
FINITE = ExactEngine(finite_rules.ENGINE, finite_rules.find_unsupported)
NONSTANDARD = ExactEngine(nonstandard_rules.ENGINE, nonstandard_rules.find_unsupported)
ENGINES = (INFINITE, FINITE, NONSTANDARD)


def choose_engine(rules: Rules) -> ExactEngine:
    """Return the engine for these rules, even if it does not support all of them."""
    if rules.is_infinite:
        return INFINITE
    return NONSTANDARD if nonstandard_rules.is_nonstandard(rules) else FINITE


def check_solvable(rules: Rules) -> None:
    """Refuse rules that their solver does not support.

    Raises: UnsupportedRuleError naming the rule.
    """
    engine = choose_engine(rules)
    check_supported(engine.name, engine.find_unsupported(rules))


def choose_solver(  # noqa: PLR0913 (each is named in the call)
    rules: Rules,
    shoe: tuple[float, ...] | None,
    *,
    splits: SplitPlay = SplitPlay.CDZ,
    strategy: Strategy | None = None,
    upcards: Iterable[Rank] = RANKS,
    pairs: Iterable[Rank] = RANKS,
    further_pairs: float | None = None,
) -> Solver:
    """Return the solver for rules and the cards before the deal (None for an infinite deck).

    A finite shoe is prepared for `upcards` and for splits of the ranks in `pairs`; `further_pairs`
    is the number of unseen cards that make another pair of tens, if faces are known.

    Raises: UnsupportedRuleError for a rule without an exact method; EmptyShoeError if cards could
    run out; NoExactValueError for parts of cards in a non-standard house.
    """
    engine = choose_engine(rules)
    if engine is INFINITE or shoe is None:
        from upcard.exact.infinite import InfiniteSolver

        return InfiniteSolver(rules, strategy)
    if engine is NONSTANDARD:
        from upcard.exact.nonstandard import NonstandardSolver

        if strategy is not None:
            raise UnsupportedRuleError(engine.name, "strategy", nonstandard_rules.NO_CHART)
        return NonstandardSolver(rules, shoe)
    from upcard.exact.finite import FiniteSolver

    return FiniteSolver(
        rules,
        shoe,
        splits=splits,
        strategy=strategy,
        upcards=upcards,
        pairs=pairs,
        further_pairs=further_pairs,
    )
