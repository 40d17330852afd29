"""Exact values for a shoe with known cards: the solver of standard houses."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from upcard.core.actions import Action
from upcard.core.cards import RANKS, TEN
from upcard.core.errors import UnsupportedRuleError
from upcard.exact.finite_outcomes import FiniteOutcomes
from upcard.exact.finite_rules import ENGINE, FULL_MEMORY, SplitPlay, counts_naturals
from upcard.exact.game import describe_assumptions, value_round
from upcard.exact.outcome_probabilities import answer_probabilities
from upcard.exact.prepared_shoe import PreparedShoe
from upcard.exact.results import DealerOutcomes
from upcard.exact.shoe import describe_shoe
from upcard.exact.solution import solve_upcards
from upcard.exact.total_dependent import best_chart
from upcard.rules.predicates import looks_before_all_answers, needs_equal_faces

if TYPE_CHECKING:
    from collections.abc import Iterable

    from upcard.core.cards import Rank
    from upcard.exact.insurance import Offers, RoundValue
    from upcard.exact.outcome_probabilities import OutcomeProbabilities
    from upcard.exact.solution import UpcardSolution
    from upcard.rules.model import Rules
    from upcard.strategy.chart import Strategy

_FULL_DECKS_TENS: Final = 16


class FiniteSolver:
    """Values of hands dealt from `shoe`, which holds all the round's cards before the deal.

    Raises: as `PreparedShoe` does.
    """

    def __init__(  # noqa: PLR0913 (each is named in the call)
        self,
        rules: Rules,
        shoe: tuple[float, ...],
        *,
        splits: SplitPlay = SplitPlay.CDZ,
        strategy: Strategy | None = None,
        upcards: Iterable[Rank] = RANKS,
        pairs: Iterable[Rank] = RANKS,
        further_pairs: float | None = None,
    ) -> None:
        """Prepare the shoe; values are computed on demand."""
        self.rules = rules
        self.strategy = strategy
        self.splits = splits
        self.prepared = PreparedShoe(
            rules,
            shoe,
            splits=SplitPlay.CDZ if splits in FULL_MEMORY else splits,
            strategy=strategy,
            upcards=upcards,
            pairs=pairs,
            further_pairs=further_pairs,
        )
        self._solutions: dict[Rank, UpcardSolution] = {}

    @property
    def shoe_name(self) -> str:
        """The cards before the deal, in words."""
        return describe_shoe(tuple(map(int, self.prepared.shoe)))

    @property
    def splits_name(self) -> str:
        """Name of the play of split hands."""
        return "chart" if self.strategy is not None else self.splits

    @property
    def is_given_no_natural(self) -> bool:
        """Whether `values` assume that the dealer has looked and has no natural."""
        return looks_before_all_answers(self.rules)

    def against(self, upcard: Rank) -> UpcardSolution:
        """Return the solution against one upcard; those of all upcards are prepared together."""
        if not self._solutions:
            self._solutions = solve_upcards(self.prepared)
        return self._solutions[upcard]

    def values(
        self, ranks: tuple[Rank, ...], upcard: Rank, *, pair: Rank = 0
    ) -> dict[Action, float]:
        """Return the value of each answer that the rules allow a hand."""
        if pair:
            self._check_faces(pair)
        solution = self.against(upcard)
        hand = self.prepared.hands.find(ranks)
        values = solution.values(hand, pair=pair)
        if self.splits in FULL_MEMORY and Action.SPLIT in values:
            from upcard.exact.full_memory import split_with_full_memory

            values[Action.SPLIT] = split_with_full_memory(
                solution, pair, at_once=self.splits is SplitPlay.FULL_AT_ONCE
            )
        finish = solution.given_no_natural if self.is_given_no_natural else solution.before_look
        return {action: finish(value, hand) for action, value in values.items()}

    def value_answer(
        self,
        ranks: tuple[Rank, ...],
        upcard: Rank,
        action: Action,
        *,
        pair: Rank = 0,
        has_looked: bool,
    ) -> float | None:
        """Return the value of one answer, in the middle of a round."""
        solution = self.against(upcard)
        hand = self.prepared.hands.find(ranks)
        match action:
            case Action.STAND:
                value = float(solution.raw.stand[hand])
            case Action.HIT:
                value = float(solution.raw.hit[hand])
            case Action.DOUBLE:
                value = float(solution.raw.double[hand])
            case Action.SPLIT:
                value = solution.split_value(pair)
            case _:
                return None
        natural = solution.natural_probability(hand)
        if has_looked:
            return value / (1 - natural)
        return value if counts_naturals(self.rules) else value - natural

    def outcome_probabilities(
        self, ranks: tuple[Rank, ...], upcard: Rank, action: Action, *, has_looked: bool
    ) -> OutcomeProbabilities | None:
        """Return win, push and lose by an action."""
        endings = FiniteOutcomes(self.against(upcard))
        return answer_probabilities(
            endings, self.prepared.hands.find(ranks), action, is_conditional=has_looked
        )

    def dealer_outcomes(
        self, ranks: tuple[Rank, ...], upcard: Rank, *, has_looked: bool
    ) -> DealerOutcomes:
        """Return the probabilities of the dealer's result."""
        hand = self.prepared.hands.find(ranks)
        chances, natural = FiniteOutcomes(self.against(upcard)).dealer(hand)
        bust = 1 - sum(chances) - natural
        if has_looked:
            chances = [chance / (1 - natural) for chance in chances]
            bust, natural = bust / (1 - natural), 0.0
        return DealerOutcomes.of(chances, natural=natural, bust=bust)

    def natural_probability(self, ranks: tuple[Rank, ...], upcard: Rank) -> float:
        """Return the chance of a dealer's natural, given the hand and the upcard."""
        return self.against(upcard).natural_probability(self.prepared.hands.find(ranks))

    def upcard_probabilities(self) -> dict[Rank, float]:
        """Return the chance of each upcard."""
        shoe = self.prepared.shoe
        return {upcard: shoe[upcard] / sum(shoe) for upcard in self.prepared.upcards}

    def value_rounds(self) -> dict[Rank, RoundValue]:
        """Return the value of a round by upcard, with insurance and even money answered."""
        self._check_faces(TEN)
        return {up: value_round(self.against(up)) for up in self.prepared.upcards}

    def describe_assumptions(self, offers: Offers) -> tuple[str, ...]:
        """Return the assumptions behind the value of a game, one sentence each."""
        return describe_assumptions(self.rules, self.strategy, offers)

    def chart(self) -> Strategy:
        """Return the best total-dependent chart."""
        return best_chart(self.prepared)

    def _check_faces(self, pair: Rank) -> None:
        """Refuse a shoe whose remaining ten-valued faces are unknown, if they matter."""
        by_face = needs_equal_faces(self.rules, pair)
        is_known = self.prepared.further_pairs is not None
        if by_face and not is_known and self.prepared.shoe[TEN] % _FULL_DECKS_TENS:
            reason = "which ten-valued faces have left the shoe matters, and ranks do not show it"
            raise UnsupportedRuleError(ENGINE, "split_by=rank", reason)
