"""The solver of standard houses: exact values for a shoe with known cards.

Its arithmetic is in `finite_hands`; here hands and questions are found in those solutions.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final, Unpack

from upcard.core.actions import Action
from upcard.core.cards import RANKS, TEN, Rank
from upcard.core.errors import UnsupportedRuleError
from upcard.core.hands import BUST_LIMIT
from upcard.exact import composition, finite_charts, insurance, solver_results, supported_rules
from upcard.exact.composition import start_of
from upcard.exact.finite_hands import (
    UpcardSolution,
    shoes_that_ask,
    solve_starts,
    value_opening_round,
    value_seen_rounds,
)
from upcard.exact.finite_shoe import PreparedShoe
from upcard.exact.kernels.dealer_hands import NATURAL_COLUMN, Start
from upcard.exact.kernels.player_values import DOUBLE, HIT, STAND, SURRENDER
from upcard.exact.supported_rules import FIRST_ROUND, FULL_MEMORY, SplitPlay
from upcard.rules import predicates
from upcard.rules.model import Rules
from upcard.rules.settings import EngineName
from upcard.strategy.chart import Strategy

if TYPE_CHECKING:
    from upcard.exact.solve import SolverOptions

_ACTIONS: Final = {
    STAND: Action.STAND,
    HIT: Action.HIT,
    DOUBLE: Action.DOUBLE,
    SURRENDER: Action.SURRENDER,
}


class FiniteOutcomes(solver_results.HandOutcomes):
    """Results of hands on one solved shoe, played by the solution's own plan."""

    def __init__(self, solution: UpcardSolution) -> None:
        super().__init__()
        self.solution = solution
        self.prepared = solution.prepared

    def dealer(self, hand: int) -> tuple[list[float], float, float]:
        """Return the chances of the dealer's 17 to 21, a natural and a bust, by hand (0: none).

        After 21 comes 22 if it differs from other busts.
        """
        chances = [float(chance) for chance in self.solution.outcomes[hand]]
        natural = chances.pop(NATURAL_COLUMN)
        # Where the dealer cannot bust, the others sum to 1 but for rounding.
        return chances, natural, max(1 - math.fsum(chances) - natural, 0.0)

    def stand(self, hand: int) -> solver_results.Ending:
        """Return the result of a hand that stands, or that won at once."""
        rules, hands = self.prepared.rules, self.prepared.hands
        chances, natural, bust = self.dealer(hand)
        total, cards = int(hands.total[hand]), int(hands.cards[hand])
        if total > BUST_LIMIT:
            won = bust if self.solution.payoffs.busts_live else 0.0
            return solver_results.Ending(win=won, lose=1 - won - natural, natural=natural)
        if rules.charlie is not None and cards >= rules.charlie:
            return solver_results.win_at_once(rules, natural)
        return solver_results.compare(
            rules, total, enumerate(chances, start=17), bust=bust, natural=natural
        )

    def next_action(self, hand: int) -> Action:
        """Return the action of the plan."""
        if self.prepared.hands.total[hand] >= BUST_LIMIT:
            return Action.STAND
        return _ACTIONS[int(self.solution.plan.later[hand])]

    def next_cards(self, hand: int) -> Iterator[tuple[float, int, float]]:
        """Iterate over one more card: chance, hand (-1 for a bust), then a natural's chance."""
        hands, matching = self.prepared.hands, self.solution.matching
        left = self.solution.shoe - hands.counts[hand]
        cards = float(left[1:].sum())
        for rank in RANKS:
            if left[rank] <= 0:
                continue
            after = int(hands.next_hand[hand, rank])
            natural = 0.0
            if after < 0 and matching:
                natural = max(float(left[matching] - (rank == matching)), 0.0) / (cards - 1)
            yield float(left[rank]) / cards, after, natural


class FiniteSolver:
    """Values of hands dealt from `shoe`, which holds all the round's cards before the deal."""

    def __init__(
        self, rules: Rules, shoe: tuple[float, ...], **options: Unpack[SolverOptions]
    ) -> None:
        """Prepare the shoe; values are computed on demand."""
        self.rules = rules
        self.splits = options.get("splits", SplitPlay.CDZ)
        self.prepared = PreparedShoe(rules, shoe, **options)
        self._solutions: dict[Start, UpcardSolution] = {}

    @property
    def shoe_name(self) -> str:
        """The cards before the deal, in words."""
        return composition.describe_shoe(tuple(map(int, self.prepared.shoe)), self.rules.deck_size)

    @property
    def splits_name(self) -> str:
        """Name of the play of split hands."""
        return "chart" if self.prepared.strategy is not None else self.splits

    def against(self, upcard: Rank) -> UpcardSolution:
        """Return the solution against one upcard; those of all upcards are prepared together."""
        supported_rules.check_hole(self.rules, self.prepared.hole)
        if not self._solutions:
            self._solutions = solve_starts(self.prepared)
        start = start_of(upcard, self.prepared.hole)
        if start not in self._solutions:  # a natural
            self._solutions[start] = UpcardSolution(self.prepared, *start)
        return self._solutions[start]

    def values(
        self, ranks: tuple[Rank, ...], upcard: Rank, *, pair: Rank = 0
    ) -> dict[Action, float]:
        """Return the value of each answer that the rules allow a hand."""
        if pair:
            self._check_faces(pair)
        has_looked = predicates.looks_before_answer(self.rules, upcard=upcard, cards=len(ranks))
        solution, hand = self._find(solver_results.AskedHand(ranks, upcard, pair, has_looked))
        return {
            action: solution.finish(value, hand, has_looked=has_looked)
            for action, value in solution.values(hand, pair=pair).items()
        }

    def value_answer(self, asked: solver_results.AskedHand, action: Action) -> float | None:
        """Return the value of one answer, in the middle of a round."""
        solution, hand = self._find(asked)
        raw = solution.raw
        value: float | None
        if asked.doubles:
            value = solution.doubled_values(hand, asked.doubles).get(action)
        elif action is Action.HIT:
            value = solution.hit_value(hand, asked.suits)
        elif action is Action.STAND:
            value = solution.stand_value(hand, asked.suits)
        elif action is Action.SPLIT:
            value = solution.split_value(asked.pair)
        else:
            value = raw.double.item(hand) if action is Action.DOUBLE else None
        if value is None:
            return None
        return solution.finish(value, hand, has_looked=asked.has_looked)

    def outcome_probabilities(
        self, asked: solver_results.AskedHand, action: Action
    ) -> solver_results.OutcomeProbabilities | None:
        """Return win, push and lose by an action."""
        is_raised = action is Action.DOUBLE or (asked.doubles and action is not Action.STAND)
        if is_raised and predicates.may_act_doubled(self.rules, 1):
            return None
        solution, hand = self._find(asked)
        return FiniteOutcomes(solution).answer(hand, action, has_looked=asked.has_looked)

    def dealer_outcomes(self, asked: solver_results.AskedHand) -> solver_results.DealerOutcomes:
        """Return the probabilities of the dealer's result."""
        solution, hand = self._find(asked)
        chances, natural, bust = FiniteOutcomes(solution).dealer(hand)
        bust += math.fsum(chances[5:])
        del chances[5:]
        if asked.has_looked:
            chances = [chance / (1 - natural) for chance in chances]
            bust, natural = bust / (1 - natural), 0.0
        return solver_results.DealerOutcomes.of(chances, natural=natural, bust=bust)

    def _find(self, asked: solver_results.AskedHand) -> tuple[UpcardSolution, int]:
        solution = self.against(asked.upcard)
        if asked.is_free:
            solution = solution.free
        hand = self.prepared.hands.find(asked.ranks)
        if asked.has_looked:
            solver_results.chance_of_no_natural(solution.natural_probability(hand))
        return solution, hand

    def natural_probability(self, ranks: tuple[Rank, ...], upcard: Rank) -> float:
        """Return the chance of a dealer's natural, given the hand and the upcard."""
        return self.against(upcard).natural_probability(self.prepared.hands.find(ranks))

    def upcard_probabilities(self) -> dict[Rank, float]:
        """Return the chance of each upcard."""
        shoe = self.prepared.shoe
        return {upcard: shoe[upcard] / math.fsum(shoe) for upcard in self.prepared.upcards}

    def value_rounds(self) -> dict[Rank, insurance.RoundValue]:
        """Return the value of a round by upcard, with insurance and even money answered."""
        self._check_faces(TEN)
        if self.splits in FULL_MEMORY and self.prepared.strategy is None:
            from upcard.exact.full_memory.values import value_splits

            prepared = self.prepared
            value_splits({up: shoes_that_ask(prepared, up) for up in prepared.upcards})
        if self.rules.shows_hole:
            return value_seen_rounds(self.prepared)
        return {up: value_opening_round(self.against(up)) for up in self.prepared.upcards}

    def describe_assumptions(self, offers: insurance.Offers) -> tuple[str, ...]:
        """Return the assumptions behind the value of a game, one sentence each."""
        answered = insurance.describe_offers(self.rules, self.prepared.strategy, offers)
        is_early = predicates.is_early_surrender(self.rules)
        early = ("Early surrender is decided before the dealer looks.",) if is_early else ()
        follows = self.prepared.free_strategy is not None and self.prepared.free_splits
        free = ("Free hands follow the chart too.",) if follows else ()
        chart = self.prepared.strategy
        left_open = () if chart is None else chart.left_open
        return (FIRST_ROUND, *free, *left_open, *answered, *early)

    def chart(self) -> Strategy:
        """Return the best total-dependent chart."""
        return finite_charts.best_chart(self.prepared)

    def free_chart(self) -> Strategy:
        """Return the best total-dependent chart for free hands after a split: only wins count.

        Raises: UnsupportedRuleError if the house has no free splits.
        """
        if not self.prepared.free_splits:
            raise UnsupportedRuleError(
                EngineName.FINITE, "free_chart", "no hand of this house is free"
            )
        return finite_charts.best_free_chart(self.prepared)

    def _check_faces(self, pair: Rank) -> None:
        """Refuse a shoe whose remaining ten-valued faces are unknown, if they matter."""
        by_face = predicates.needs_equal_faces(self.rules, pair)
        is_known = self.prepared.further_pairs is not None
        if by_face and not is_known and self.prepared.shoe[TEN] % self.rules.full_deck.counts[TEN]:
            reason = "which ten-valued faces have left the shoe matters, and ranks do not show it"
            raise UnsupportedRuleError(EngineName.FINITE, "split_by=rank", reason)
