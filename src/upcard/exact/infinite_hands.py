"""Values of every first action of a hand, against one upcard of an infinite deck."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from upcard.core.actions import Action
from upcard.core.cards import RANKS, TEN
from upcard.core.hands import BUST_LIMIT, EMPTY_HAND, hand_table
from upcard.exact.dealer import natural_odds, rank_odds
from upcard.exact.infinite_play import face, stake_of, work_out_playing
from upcard.exact.splits import Half, split_value
from upcard.rules.predicates import (
    dealer_peeks,
    gets_one_card,
    makes_natural,
    may_double,
    may_double_later,
    may_surrender,
    most_hands,
    most_hands_of,
    needs_equal_faces,
    surrender_ev,
    surrenders_before_look,
)
from upcard.rules.settings import NaturalTakes, Player21

if TYPE_CHECKING:
    from upcard.core.cards import Rank
    from upcard.exact.infinite_play import Playing, Stake
    from upcard.rules.model import Rules
    from upcard.strategy.chart import Strategy

_FACES_WORTH_TEN = 4


class UpcardValues:
    """Values of all actions against one upcard, per unit bet.

    Once the dealer has looked for a natural, they assume that there is none (`Facing.natural` is
    0).
    """

    __slots__ = ("_playing", "_splits", "_table", "facing", "rules", "strategy", "upcard")

    def __init__(self, rules: Rules, upcard: Rank, strategy: Strategy | None = None) -> None:
        """Compute the values of final totals; the others follow on demand.

        Hands are played best from their second decision on, or by `strategy`.
        """
        self.strategy = strategy
        self.rules = rules
        self.upcard = upcard
        self.facing = face(rules, upcard)
        self._table = hand_table(rules.ace_rule)
        self._playing: dict[tuple[Stake, bool], Playing] = {}
        self._splits: dict[Rank, float] = {}

    def first_values(
        self, state: int, *, pair_rank: Rank = 0, cards: int = 2
    ) -> dict[Action, float]:
        """Return the value of each answer to a hand that was not split.

        `pair_rank` is 0 unless the hand may be split. Surrender before the dealer looks is not
        included (`surrenders_before_look`).
        """
        rules, playing = self.rules, self._play(0)
        values = {Action.HIT: playing.hit[state], Action.STAND: playing.stand[state]}
        if self._may_double(state, 0, cards):
            values[Action.DOUBLE] = playing.double[state]
        if pair_rank and most_hands(rules) != 1:
            values[Action.SPLIT] = self._split(pair_rank)
        if may_surrender(rules, cards=cards) and not self.surrenders_before_look:
            values[Action.SURRENDER] = surrender_ev(rules, self.facing.natural)
        return values

    @property
    def surrenders_before_look(self) -> bool:
        """Whether surrender is offered before the dealer looks for a natural."""
        return surrenders_before_look(self.rules, self.upcard)

    def before_look(self, value: float) -> float:
        """Convert a value after the dealer's look to one before it."""
        if not dealer_peeks(self.rules, self.upcard):
            return value
        natural = natural_odds(self.rules, self.upcard)
        return (1 - natural) * value - natural if natural < 1 else -1.0

    def natural_value(self) -> float:
        """Return the value of the player's natural, which ties with the dealer's."""
        return self.facing.no_natural * float(self.rules.natural_pays)

    def finished_21(self) -> float:
        """Return the value of a finished 21, in a hand that was not split."""
        return self._play(0).finished_21

    def _play(self, split_rank: Rank) -> Playing:
        """Return the values of playing on in a hand split from `split_rank` (0: unsplit)."""
        rules = self.rules
        stake = stake_of(rules, is_split=bool(split_rank))
        doubles_later = may_double_later(rules, split_rank)
        key = (stake, doubles_later)
        if key not in self._playing:
            self._playing[key] = work_out_playing(
                rules,
                self.facing,
                stake,
                doubles_later=doubles_later,
                choose=None if self.strategy is None else self._follow,
            )
        return self._playing[key]

    def _follow(self, state: int, legal: tuple[Action, ...]) -> Action:
        """Return the chart's action for a hand that is not split now."""
        if self.strategy is None:
            return Action.STAND
        return self.strategy.decide(
            total=self._table.total[state],
            is_soft=self._table.is_soft[state],
            pair_rank=0,
            upcard=self.upcard,
            legal=legal,
        )

    def _may_double(self, state: int, split_rank: Rank, cards: int = 2) -> bool:
        return may_double(
            self.rules,
            cards=cards,
            total=self._table.total[state],
            is_soft=self._table.is_soft[state],
            split_rank=split_rank,
        )

    def _split(self, rank: Rank) -> float:
        if rank not in self._splits:
            self._splits[rank] = self._work_out_split(rank)
        return self._splits[rank]

    def _work_out_split(self, rank: Rank) -> float:
        rules = self.rules
        odds = rank_odds(rules)
        second = {other: self._half_value(rank, other) for other in RANKS}
        pair_odds = (1 - rules.ten_probability) / 9
        if rank == TEN:
            pair_odds = rules.ten_probability
            if needs_equal_faces(rules, rank):
                pair_odds /= _FACES_WORTH_TEN
        others = sum(odds[other] * second[other] for other in RANKS if other != rank)
        others += (odds[rank] - float(pair_odds)) * second[rank]
        half = Half(others, second[rank], Fraction(pair_odds))
        always = self.strategy is not None
        value = split_value(half, splits_left=self._splits_left(rank), always=always)
        if rules.natural_takes is NaturalTakes.ORIGINAL:
            value -= self.facing.natural  # one original bet, for any number of hands
        return value

    def _splits_left(self, rank: Rank) -> int | None:
        """Return how many splits the rules allow after the first; None for no limit."""
        most = most_hands_of(self.rules, rank)
        return None if most is None else most - 2

    def _half_value(self, split_rank: Rank, rank: Rank) -> float:
        """Return the value of a half whose second card is `rank`, if it is not split again."""
        rules, table, playing = self.rules, self._table, self._play(split_rank)
        state = table.next_state[table.next_state[EMPTY_HAND][split_rank]][rank]
        if table.total[state] == BUST_LIMIT:
            if makes_natural(rules, split_rank):
                return self.natural_value()
            if rules.player_21 is not Player21.ASKED:
                return playing.finished_21
        return playing.value(
            state,
            may_double=self._may_double(state, split_rank),
            may_hit=not gets_one_card(rules, split_rank),
        )
