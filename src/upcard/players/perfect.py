"""`PerfectPlayer` and `RoundValuer`: play and bets of those who know every card that has gone."""

from __future__ import annotations

import math
import random
from dataclasses import replace
from functools import cached_property, lru_cache
from itertools import combinations_with_replacement
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from upcard.cache.entry import SavedQuestion
from upcard.cache.recall import program_stamp, recall
from upcard.core.actions import Action
from upcard.core.cards import RANKS
from upcard.core.errors import (
    EmptyShoeError,
    IllegalActionError,
    NoExactValueError,
    UnsupportedRuleError,
)
from upcard.exact import position, supported_rules
from upcard.exact.solve import expected_value
from upcard.exact.solver_results import best_action
from upcard.players.bots import ChartPlayer, ShoeWatcher, basic_player
from upcard.players.evaluation import value_answers
from upcard.players.question import Question, read_question
from upcard.players.seen_cards import CardsSeen, Composition, SeenCards, compose, require_upcard
from upcard.rules.engines import check
from upcard.rules.predicates import most_hands_of
from upcard.rules.settings import EngineName

if TYPE_CHECKING:
    from upcard.rules.model import Rules
    from upcard.strategy.chart import Strategy
    from upcard.table.state import TableView

_WHO: Final = "perfect player"


class PerfectPlayer(ShoeWatcher):
    """Gives the answer with the highest exact value for the cards not seen; insurance too.

    Splits are valued as `upcard solve` does by default (CDZ-). Where the cards left could run out
    in a split, it is valued for as many hands as they are enough for; a hand without any exact
    value is played by the best chart.

    >>> from upcard.rules.model import Rules
    >>> from upcard.table.rounds import Table
    >>> table = Table(Rules.parse("6D"), "T T T 6 7")
    >>> player = PerfectPlayer(table.rules)
    >>> player.watch(table)
    >>> state = table.start()
    >>> player.decide(table.view(), table.legal_actions())
    <Action.STAND: 'stand'>
    """

    def __init__(self, rules: Rules) -> None:
        """Sit down at a freshly shuffled shoe.

        Raises: UnsupportedRuleError for rules under which an answer has no exact value.
        """
        require_upcard(rules, _WHO, reads_hole=True)
        supported_rules.check_solvable(rules)
        for rank in RANKS:
            refusal = position.find_unvalued(rules, rank)
            if refusal and most_hands_of(rules, rank) != 1:
                raise UnsupportedRuleError(_WHO, *refusal)
        self._rules = rules
        self._shoe: SeenCards = SeenCards(rules)

    def compose(self) -> Composition:
        """Return the cards not seen."""
        seen = CardsSeen.of(()) if self._rules.is_infinite else self._shoe.look()
        return compose(self._rules, seen, "")

    def decide(self, view: TableView, legal: tuple[Action, ...]) -> Action:
        """Return the best answer; of equal ones that which stakes least.

        Raises: IllegalActionError if it does not watch the table.
        """
        if self._shoe.cards_left == self._shoe.cards > 0:
            raise IllegalActionError(f"{_WHO} has seen no card of this shoe: call watch(table)")
        values = value_legal(read_question(view, legal), self.compose())
        return best_action(values) if values else self._chart.decide(view, legal)

    @cached_property
    def _chart(self) -> ChartPlayer:
        return basic_player(self._rules)

    def __str__(self) -> str:
        return "Perfect"


def value_legal(question: Question, unseen: Composition) -> dict[Action, float]:
    """Return the exact value of each legal answer; none if the cards left could run out.

    A split is valued for as many hands as the cards left are enough for.
    """
    try:
        values = value_answers(question, unseen, splits=supported_rules.SplitPlay.CDZ).ev
    except NoExactValueError:
        return {}
    most = question.most_hands or 0
    while Action.SPLIT in question.legal and Action.SPLIT not in values and most > 2:
        most -= 1
        fewer = replace(question, most_hands=most)
        values = value_answers(fewer, unseen, splits=supported_rules.SplitPlay.CDZ).ev
    return values


def check_valued(rules: Rules, chart: Strategy, who: str) -> None:
    """Refuse rules whose rounds have no value by the cards left, or always the same."""
    PerfectPlayer(rules)  # refuses rules
    check(rules, EngineName.ROUND_VALUES, who)
    value_round(rules, chart, [int(cards) for cards in rules.full_shoe.counts[1:]])


def value_round(rules: Rules, chart: Strategy | None, shoe: list[int]) -> float:
    """Return the exact EV of a round by a chart, or the best play, from a shoe's cards by rank.

    Where they could run out it is that of a game with fewer hands from a pair.

    Raises: EmptyShoeError if they could run out without splits.
    """
    while True:
        try:
            return expected_value(rules, strategy=chart, shoe=shoe)
        except EmptyShoeError:
            if rules.max_hands in (None, 1):
                raise
            most = rules.max_hands - 1
            names = (*_OF_THREE * (most < 3), *_OF_TWO * (most < 2))
            changes = dict.fromkeys(_LIMITS) | dict.fromkeys(names, False)
            rules = rules.replace(max_hands=most, **changes)


_LIMITS: Final = ("max_ace_hands", "max_total_hands")
_OF_THREE: Final = ("resplit_aces",)
_OF_TWO: Final = ("hit_split_aces", "double_split_aces")


_SHOES: Final = 500
"""Shoes whose exact values an estimate goes by."""
_MARGIN: Final = 6
"""Standard errors of an estimate from 0 up to which the exact value is computed."""
_RIDGE: Final = 1e-6
_CLASSES: Final = 400
_PRODUCTS: Final = np.array(list(combinations_with_replacement(range(11), 3)))
_Numbers = NDArray[np.float64]


class RoundValuer(ShoeWatcher):
    """Knows what the next round by a chart is worth, before the deal and by every card gone.

    The value is an estimate: the polynomial of the third degree, in the shares of the ranks and in
    1 / cards left, that is closest to the exact values of shoes dealt at random. Where it is so
    near to 0 that its sign may be wrong, the exact value takes its place.
    """

    def __init__(self, rules: Rules, chart: Strategy) -> None:
        """Sit down at a freshly shuffled shoe."""
        self._rules, self._chart = rules, chart
        self._shoe: SeenCards = SeenCards(rules)
        *weights, self.error = _find_weights(rules, chart)
        self._weights = np.array(weights)

    def bet_count(self) -> int:
        """Return the value of the next round in quarters of a percent, rounded down."""
        self._settle_up()
        is_full = self._shoe.is_shuffle_due(self._table)
        seen = CardsSeen.of(()) if is_full else self._shoe.look()
        unseen = compose(self._rules, seen, "").unseen
        return math.floor(_CLASSES * self.value([int(cards) for cards in unseen[1:]]))

    def value(self, shoe: list[int]) -> float:
        """Return the value of a round from the cards of a shoe, by rank."""
        value = float(_multiply(self._rules, shoe) @ self._weights)
        if abs(value) <= _MARGIN * self.error:
            try:
                return value_round(self._rules, self._chart, shoe)
            except EmptyShoeError:
                pass  # no exact value: the estimate stands
        return value


def _multiply(rules: Rules, shoes: ArrayLike) -> _Numbers:
    """Return the terms of the polynomial for shoes, by rank along the last axis."""
    cards = np.asarray(shoes, dtype=np.float64)
    full = np.array(rules.full_shoe.counts[1:], dtype=np.float64)
    left = cards.sum(axis=-1, keepdims=True)
    size = full.sum()
    # All of them are of the size of 1, so that the ridge is alike for all terms.
    shares = math.sqrt(size) * (cards / left - full / size)[..., :-1]
    factors = np.concatenate((np.ones_like(left), (size / left - 1) / 3, shares), axis=-1)
    terms: _Numbers = factors[..., _PRODUCTS].prod(axis=-1)
    return terms


@lru_cache(maxsize=4)
def _find_weights(rules: Rules, chart: Strategy) -> tuple[float, ...]:
    """Return the weights of the terms, and the standard error of an estimate."""

    def compute() -> tuple[float, ...]:
        rng, cards = random.Random("round values"), rules.full_shoe.cards
        shoes: list[list[int]] = []
        values: list[float] = []
        while len(shoes) < _SHOES:
            gone = rng.randrange(int(len(cards) * rules.penetration) or 1)
            ranks = [card.rank for card in rng.sample(cards, len(cards) - gone)]
            shoe = [ranks.count(rank) for rank in RANKS]
            try:
                values.append(value_round(rules, chart, shoe))
            except EmptyShoeError:
                continue
            shoes.append(shoe)
        terms = _multiply(rules, shoes)
        square = terms.T @ terms
        square += _RIDGE * square.trace() / len(square) * np.eye(len(square))
        hat = np.linalg.solve(square, terms.T)
        weights = hat @ values
        apart = (np.array(values) - terms @ weights) / (1 - np.einsum("ij,ji->i", terms, hat))
        return (*weights.tolist(), float(np.sqrt(np.mean(apart**2))))

    asked = (program_stamp(("players", "table")), str(chart))
    return recall(SavedQuestion("rounds", rules, asked, tuple[float, ...], compute))
