"""BlackJack(p), document 002's game, as an environment and as a finite decision process."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final, NamedTuple, TypeAlias

from upcard.core import cards, errors, hands
from upcard.core.actions import Action
from upcard.documents.mdp import mdp_rules, policy
from upcard.env.blackjack import BlackjackEnv
from upcard.env.observations import DOUBLE, HIT, SPLIT, STAND
from upcard.exact.infinite_hands import rank_odds
from upcard.exact.solver_results import AskedHand

Transition: TypeAlias = tuple[float, int, float, bool]
"""Probability, next state, reward, and whether the round is over."""

_HANDS: Final = hands.hand_table(hands.AceRule.BEST)
_HAND_OF: Final = {
    (total, _HANDS.is_soft[hand]): hand
    for hand, total in enumerate(_HANDS.total)
    if hand != hands.EMPTY_HAND
}
_NATURAL_PAYS: Final = 1.5


class BlackJackPEnv(BlackjackEnv):
    """BlackJack(p): a card is worth ten with probability `p`.

    The other options are those of `BlackjackEnv`.
    """

    def __init__(self, p: str | float | Fraction = "4/13", **options: Any) -> None:
        super().__init__(mdp_rules(p), **options)


class MdpState(NamedTuple):
    """A hand and the upcard, as the first entries of the observation `hand` have them."""

    total: int
    is_soft: bool
    upcard: cards.Rank
    pair: cards.Rank
    """Rank of a pair, which may be split, else 0."""
    has_two_cards: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class MdpModel:
    """The decision process of BlackJack(p). States are numbered from 0; the last is the end."""

    numbers: dict[MdpState, int]
    """The number of each state, without the end."""
    P: dict[int, dict[int, list[Transition]]]
    """`P[state][action]`: actions are 0 stand, 1 hit, 2 double, 3 split."""
    start: list[Transition]
    """The deal; a round that is over at once, by a player's natural, has its reward."""


def model(p: str | float | Fraction = "4/13") -> MdpModel:
    """Return BlackJack(p) as states, actions, transitions and rewards.

    A split ends the round with its exact value: twice that of a hand which may be split again
    without end, the fixed point that `upcard.policy` solves.
    """
    return _ModelBuilder(p).build()


class _ModelBuilder:
    def __init__(self, p: str | float | Fraction) -> None:
        self.policy = policy(p)
        if not math.isfinite(self.policy.ev):
            raise errors.NoExactValueError(f"p = {self.policy.p}: endless splits pay without limit")
        solution = self.policy.solution
        self.odds = rank_odds(solution.rules)
        self.dealer = {up: solution.dealer_outcomes(AskedHand((), up)) for up in cards.RANKS}
        self.numbers: dict[MdpState, int] = {}
        for upcard in cards.RANKS:
            for state in _list_states(upcard):
                self.numbers.setdefault(state, len(self.numbers))
        self.end = len(self.numbers)

    def build(self) -> MdpModel:
        return MdpModel(
            numbers=self.numbers,
            P={number: self.actions(state) for state, number in self.numbers.items()}
            | {self.end: {STAND: [(1.0, self.end, 0.0, True)]}},
            start=[*self.deal()],
        )

    def actions(self, state: MdpState) -> dict[int, list[Transition]]:
        hit, double = [], []
        for rank, total, is_soft in self.draws(state):
            chance = self.odds[rank]
            if total > hands.BUST_LIMIT:
                hit.append((chance, self.end, -1.0, True))
                double.append((chance, self.end, -2.0, True))
                continue
            double += self.stand(total, state.upcard, chance, bet=2.0)
            if total == hands.BUST_LIMIT:
                hit += self.stand(total, state.upcard, chance)
            else:
                after = MdpState(total, is_soft, state.upcard, 0, has_two_cards=False)
                hit.append((chance, self.numbers[after], 0.0, False))
        actions = {STAND: self.stand(state.total, state.upcard, 1.0), HIT: hit}
        if state.has_two_cards:
            actions[DOUBLE] = double
        if state.pair:
            values = self.policy.solution.values(
                (state.pair, state.pair), state.upcard, pair=state.pair
            )
            actions[SPLIT] = [(1.0, self.end, values[Action.SPLIT], True)]
        return actions

    def draws(self, state: MdpState) -> Iterator[tuple[cards.Rank, int, bool]]:
        """Yield each rank with the total that it makes, and whether that is soft."""
        for rank in cards.RANKS:
            if self.odds[rank]:
                after = _HANDS.next_state[_HAND_OF[state[:2]]][rank]
                yield rank, _HANDS.total[after], _HANDS.is_soft[after]

    def stand(
        self, total: int, upcard: cards.Rank, chance: float, *, bet: float = 1.0
    ) -> list[Transition]:
        """Return the ends of a hand, by the dealer's result."""
        outcomes = self.dealer[upcard]
        finals = dict(zip(range(17, 22), outcomes, strict=False))
        wins = outcomes.bust + math.fsum(share for final, share in finals.items() if final < total)
        ends = {bet: wins, 0.0: finals.get(total, 0.0)}
        ends[-bet] = 1.0 - math.fsum(ends.values())
        return [(chance * share, self.end, reward, True) for reward, share in ends.items()]

    def deal(self) -> Iterator[Transition]:
        for upcard in cards.RANKS:
            natural = self.dealer[upcard].natural
            for first in cards.RANKS:
                for second in cards.RANKS:
                    chance = self.odds[upcard] * self.odds[first] * self.odds[second]
                    hand = _HANDS.state_of((first, second))
                    if not chance:
                        continue
                    if _HANDS.total[hand] == hands.BUST_LIMIT:
                        yield chance * natural, self.end, 0.0, True
                        yield chance * (1 - natural), self.end, _NATURAL_PAYS, True
                    else:
                        pair = first if first == second else 0
                        state = _state_of(hand, upcard, pair, has_two_cards=True)
                        yield chance, self.numbers[state], 0.0, False


def _list_states(upcard: cards.Rank) -> Iterator[MdpState]:
    """Yield the hands in question, those of two cards first."""
    for first in cards.RANKS:
        for second in cards.RANKS:
            hand = _HANDS.state_of((first, second))
            if _HANDS.total[hand] < hands.BUST_LIMIT:
                yield _state_of(hand, upcard, first if first == second else 0, has_two_cards=True)
    for hand, total in enumerate(_HANDS.total):
        if hand != hands.EMPTY_HAND and total < hands.BUST_LIMIT:
            yield _state_of(hand, upcard, 0, has_two_cards=False)


def _state_of(hand: int, upcard: cards.Rank, pair: cards.Rank, *, has_two_cards: bool) -> MdpState:
    return MdpState(_HANDS.total[hand], _HANDS.is_soft[hand], upcard, pair, has_two_cards)
