"""Exact values for a non-standard ace or dealer rule, hands unsplit (document 000's game).

If only opening aces can be softened, the order of cards matters: a hand is its state in the hand
table together with its cards. The dealer is played out in every order of cards.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from upcard.core.actions import Action
from upcard.core.cards import ACE, RANKS, TEN, Rank, rank_name
from upcard.core.errors import NoExactValueError, NotationError, UnsupportedRuleError
from upcard.core.hands import BUST_LIMIT, EMPTY_HAND, AceRule, hand_table
from upcard.exact import composition, insurance, solver_results, supported_rules
from upcard.exact.composition import natural_rank
from upcard.exact.kernels.dealer_hands import DealerArrays, fill_looking_dealer
from upcard.exact.kernels.hand_sets import UNITS
from upcard.rules import predicates, settings
from upcard.rules.model import Rules
from upcard.rules.payoffs import natural_ev
from upcard.rules.settings import EngineName
from upcard.strategy.chart import Strategy


class _Hands(NamedTuple):
    """Hands of two cards or more, the fewest cards first; entry 0 is unused."""

    number_of: dict[tuple[int, int], int]
    counts: NDArray[np.float64]
    state: list[int]
    total: NDArray[np.int64]
    cards: list[int]
    next_hand: list[tuple[int, ...]]
    """Hand after one more card of each rank, 0 if it busts."""


@lru_cache(maxsize=8)
def _enumerate(ace_rule: AceRule, shoe: composition.Counts) -> _Hands:
    table = hand_table(ace_rule)
    index: dict[tuple[int, int], int] = {}
    found: list[tuple[int, tuple[int, ...]]] = [(0, (0,) * 11)]
    for first, second in composition.TWO_CARD_HANDS:
        counts = [0] * 11
        counts[first] += 1
        counts[second] += 1
        state = table.state_of((first, second))
        index[state, UNITS[first] + UNITS[second]] = len(found)
        found.append((state, tuple(counts)))
    rows: list[tuple[int, ...]] = [(0,) * 11]
    position = 1
    while position < len(found):  # grows while it is walked
        state, counts_now = found[position]
        code = sum(UNITS[rank] * counts_now[rank] for rank in RANKS)
        row = [0] * 11
        for rank in RANKS:
            after = table.next_state[state][rank]
            if table.total[after] > BUST_LIMIT or counts_now[rank] >= shoe[rank]:
                continue
            key = (after, code + UNITS[rank])
            if key not in index:
                index[key] = len(found)
                more = (*counts_now[:rank], counts_now[rank] + 1, *counts_now[rank + 1 :])
                found.append((after, more))
            row[rank] = index[key]
        rows.append(tuple(row))
        position += 1
    states = [state for state, _ in found]
    return _Hands(
        number_of=index,
        counts=np.array([counts_now for _, counts_now in found], dtype=np.float64),
        state=states,
        total=np.array([table.total[state] for state in states], dtype=np.int64),
        cards=[sum(counts_now) for _, counts_now in found],
        next_hand=rows,
    )


class _Against(NamedTuple):
    """Values against one upcard, by hand."""

    upcard: Rank
    matching: Rank
    """Rank that makes a natural of the upcard, 0 if there is none."""
    net: NDArray[np.float64]
    natural: NDArray[np.float64]
    best: NDArray[np.float64]


class NonstandardSolver:
    """Values of hands under `rules` on `shoe`, before the round's cards are dealt."""

    splits_name = "no splits"

    def __init__(self, rules: Rules, shoe: tuple[float, ...]) -> None:
        supported_rules.check_solvable(rules, EngineName.NONSTANDARD)
        if any(count != int(count) for count in shoe):
            raise NoExactValueError("in this house values are known for whole cards only")
        self.rules = rules
        self.shoe: composition.Counts = tuple(map(int, shoe))
        self.shoe_name = composition.describe_shoe(self.shoe)
        self._solved: dict[Rank, list[dict[Action, float]]] = {}
        self.table = hand_table(rules.ace_rule)
        self.hands = _enumerate(rules.ace_rule, self.shoe)
        self._payoffs = supported_rules.payoffs_of(rules)
        self._takes_all = supported_rules.counts_naturals(rules)
        self._dealer = DealerArrays(
            next_state=np.array(self.table.next_state, dtype=np.int32),
            total=np.array(self.table.total, dtype=np.int64),
            is_soft=np.array(self.table.is_soft, dtype=np.bool_),
            was_softened=np.array(self.table.was_softened, dtype=np.bool_),
            hits_soft_17=int(rules.soft_17 is settings.Soft17.HIT),
            stops_ahead=int(rules.dealer_rule is settings.DealerRule.UNTIL_AHEAD),
            pushes_22=int(rules.pushes_22),
        )

    def find(self, ranks: tuple[Rank, ...]) -> int:
        """Return the number of a hand with `ranks` in this order, 0 if it is bust."""
        code = sum(UNITS[rank] for rank in ranks)
        return self.hands.number_of.get((self.table.state_of(ranks), code), 0)

    def against(self, upcard: Rank) -> list[dict[Action, float]]:
        """Return the values of every hand's actions, before the dealer's natural is known."""
        if upcard not in self._solved:
            self._solved[upcard] = self._solve(upcard)
        return self._solved[upcard]

    def _solve(self, upcard: Rank) -> list[dict[Action, float]]:
        hands = self.hands
        shoe = np.array(self.shoe, dtype=np.float64)
        shoe[upcard] -= 1
        net, natural = np.zeros((2, len(hands.state)))
        fill_looking_dealer(
            *(shoe, hands.counts, hands.total, upcard, self._dealer, self._payoffs.nets),
            *(net, natural),
        )
        against = _Against(
            upcard=upcard,
            matching=natural_rank(upcard),
            net=net,
            natural=natural,
            best=np.zeros_like(net),
        )
        values: list[dict[Action, float]] = [{} for _ in hands.state]
        for hand in range(len(hands.state) - 1, 0, -1):
            values[hand] = self._values(hand, shoe - hands.counts[hand], against)
            against.best[hand] = max(values[hand].values())
        if self._takes_all:
            return values
        is_natural = (hands.total == BUST_LIMIT) & (np.array(hands.cards) == 2)
        lost = np.where(is_natural, 0.0, natural).tolist()
        return [
            {action: ev - loss for action, ev in found.items()}
            for found, loss in zip(values, lost, strict=True)
        ]

    def _values(
        self, hand: int, left: NDArray[np.float64], against: _Against
    ) -> dict[Action, float]:
        hands, rules = self.hands, self.rules
        total, cards = int(hands.total[hand]), hands.cards[hand]
        cards_left = float(left[1:].sum())
        if total == BUST_LIMIT and cards == 2:
            return {Action.STAND: natural_ev(rules, float(against.natural[hand]))}
        if left.min() < 0 or cards_left < 2:
            return {Action.STAND: 0.0}
        stand = self._stand(hand, against)
        if total == BUST_LIMIT:
            return {Action.STAND: self._value_21(hand, against)}
        hit = double = taken = 0.0
        for rank in RANKS:
            if left[rank] <= 0:
                continue
            chance = float(left[rank]) / cards_left
            after = hands.next_hand[hand][rank]
            if after:
                hit += chance * float(against.best[after])
                double += chance * self._stand(after, against)
            else:
                lost = 1.0
                if against.matching and not self._takes_all:
                    matching = float(left[against.matching] - (rank == against.matching))
                    lost -= matching / (cards_left - 1)
                    taken += chance * (1 - lost)
                hit -= chance * lost
                double -= chance * lost
        values = {Action.HIT: hit}
        if predicates.may_stand(rules, total=total):
            values[Action.STAND] = stand
        is_soft = self.table.is_soft[hands.state[hand]]
        if predicates.may_double(rules, total=total, is_soft=is_soft, cards=cards):
            stake = rules.double_stake
            taken *= self._payoffs.natural_takes_busted
            values[Action.DOUBLE] = stake * double - (stake - 1) * taken
        if predicates.may_surrender(rules, upcard=against.upcard, cards=cards):
            natural = float(against.natural[hand])
            values[Action.SURRENDER] = supported_rules.surrender_value(rules, natural)
        return values

    def _stand(self, hand: int, against: _Against) -> float:
        """Return the kernel value of standing, less a natural's take of all bets."""
        natural, is_21 = float(against.natural[hand]), self.hands.total[hand] == BUST_LIMIT
        loss = natural if self._takes_all else 0.0
        if is_21 and self._payoffs.always_wins_21:
            return 1 - (natural - loss)
        if self.rules.natural_ties_21 and is_21:
            loss = 0.0
        return float(against.net[hand]) - loss

    def _value_21(self, hand: int, against: _Against) -> float:
        """Return the value of a 21 that is not a natural: it may win at once."""
        if self.rules.player_21 is not settings.Player21.WINS:
            return self._stand(hand, against)
        has_natural = float(against.natural[hand])
        ties = self.rules.natural_ties_21 or not self._takes_all
        return 1 - has_natural - (0.0 if ties else has_natural)

    def values(
        self, ranks: tuple[Rank, ...], upcard: Rank, *, pair: Rank = 0
    ) -> dict[Action, float]:
        """Return the value of each legal action of a hand, which is never split."""
        has_looked = predicates.looks_before_answer(self.rules, upcard=upcard, cards=len(ranks))
        asked = solver_results.AskedHand(ranks, upcard, pair, has_looked)
        found = self._find_values(asked)
        return {action: self._finish(value, asked) for action, value in found.items()}

    def _find_values(self, asked: solver_results.AskedHand) -> dict[Action, float]:
        ranks, upcard = asked.ranks, asked.upcard
        number = self.find(ranks)
        if not number:
            msg = f"hand {' '.join(map(rank_name, ranks))} is bust by the ace rule of this house"
            raise NotationError(msg)
        return self.against(upcard)[number]

    def value_answer(self, asked: solver_results.AskedHand, action: Action) -> float | None:
        """Return the value of one answer, in the middle of a round."""
        value = self._find_values(asked).get(action)
        return None if value is None else self._finish(value, asked)

    def _finish(self, value: float, asked: solver_results.AskedHand) -> float:
        """Convert a value before any look to one after a look without a natural, if any."""
        if not asked.has_looked:
            return value
        natural = self.natural_probability(asked.ranks, asked.upcard)
        is_natural = sorted(asked.ranks) == [ACE, TEN]
        lost = natural * (-natural_ev(self.rules, 1.0) if is_natural else 1.0)
        return (value + lost) / solver_results.chance_of_no_natural(natural)

    def outcome_probabilities(
        self, asked: solver_results.AskedHand, action: Action
    ) -> solver_results.OutcomeProbabilities | None:
        """Return win, push and lose by standing; for other actions they are unknown."""
        total = self.table.total[self.table.state_of(asked.ranks)]
        if action is not Action.STAND or total == BUST_LIMIT:
            return None
        found = self._finals(asked)
        ending = solver_results.compare(
            self.rules, total, found.by_total.items(), bust=found.bust, natural=found.natural
        )
        return ending.finish(is_conditional=asked.has_looked)

    def dealer_outcomes(self, asked: solver_results.AskedHand) -> solver_results.DealerOutcomes:
        """Return the probabilities of the dealer's result against this hand."""
        found = self._finals(asked)
        whole = solver_results.chance_of_no_natural(found.natural) if asked.has_looked else 1.0
        shares = {total: share / whole for total, share in found.by_total.items()}
        return solver_results.DealerOutcomes.of(
            [shares.get(total, 0.0) for total in range(17, BUST_LIMIT + 1)],
            natural=0.0 if asked.has_looked else found.natural,
            bust=(found.bust + found.by_total.get(BUST_LIMIT + 1, 0.0)) / whole,
            below=math.fsum(share for total, share in shares.items() if total < 17),
        )

    def _finals(self, asked: solver_results.AskedHand) -> DealerFinals:
        total = self.table.total[self.table.state_of(asked.ranks)]
        left = composition.remove_cards(self.shoe, (*asked.ranks, asked.upcard))
        return play_dealer_out(self.rules, asked.upcard, left, total)

    def natural_probability(self, ranks: tuple[Rank, ...], upcard: Rank) -> float:
        """Return the chance of a dealer's natural, given the hand and the upcard."""
        matching = natural_rank(upcard)
        left = composition.remove_cards(self.shoe, (*ranks, upcard))
        return left[matching] / sum(left) if matching else 0.0

    def upcard_probabilities(self) -> dict[Rank, float]:
        """Return the chance of each upcard."""
        return {up: self.shoe[up] / sum(self.shoe) for up in RANKS if self.shoe[up]}

    def value_rounds(self) -> dict[Rank, insurance.RoundValue]:
        """Return the value of a round by upcard, with insurance and even money answered."""
        return {up: self.value_round(up) for up in self.upcard_probabilities()}

    def describe_assumptions(self, offers: insurance.Offers) -> tuple[str, ...]:
        """Return the assumptions behind the value of a game, one sentence each."""
        return (
            supported_rules.FIRST_ROUND,
            "Hands are distinguished by their cards and, if the ace rule needs it, by their order.",
            *insurance.describe_offers(self.rules, None, offers),
        )

    def free_chart(self) -> Strategy:
        """Refuse: hands are not split."""
        raise UnsupportedRuleError(EngineName.NONSTANDARD, "free_chart", "no hand is free")

    def chart(self) -> Strategy:
        """Refuse: hands of one total differ."""
        raise UnsupportedRuleError(
            EngineName.NONSTANDARD,
            f"ace_rule={self.rules.ace_rule}",
            supported_rules.NO_CHART,
        )

    def value_round(self, upcard: Rank) -> insurance.RoundValue:
        """Return the value of a round given the upcard, with insurance and even money answered."""
        insured = openings = self.value_openings(upcard)
        if upcard == ACE and insurance.looks_for_insurance(self.rules):
            looking = NonstandardSolver(insurance.rules_after_look(self.rules), self.shoe)
            insured = looking.value_openings(upcard)
        hands = []
        for (ranks, chance, ev), (_, _, insured_ev) in zip(openings, insured, strict=True):
            natural, is_natural = self.natural_probability(ranks, upcard), set(ranks) == {ACE, TEN}
            hands.append(insurance.InsuranceHand(chance, natural, is_natural, ev, insured_ev))
        return insurance.value_round(self.rules, upcard, hands, insurance.Taking.BEST)

    def value_openings(self, upcard: Rank) -> list[tuple[tuple[Rank, Rank], float, float]]:
        """Return the two-card hands with their chances and values, without insurance."""
        values = self.against(upcard)
        return [
            (ranks, chance, max(values[self.find(ranks)].values()))
            for ranks, chance in composition.deal_two_cards(self.shoe, (upcard,))
        ]


class DealerFinals(NamedTuple):
    """The dealer's results against one hand, as parts of the whole."""

    by_total: dict[int, float]
    """Totals of 21 and less, without naturals, and 22 if it differs from other busts."""
    bust: float
    natural: float


def play_dealer_out(
    rules: Rules, upcard: Rank, unseen: tuple[int, ...], player_total: int
) -> DealerFinals:
    """Play the dealer out against a hand; `unseen` are the cards left, including the hole card."""
    table = hand_table(rules.ace_rule)
    looks = rules.dealer_rule is settings.DealerRule.UNTIL_AHEAD
    draws = supported_rules.drawing_states(rules, player_total if looks else None)
    finals: dict[int, float] = {}
    natural = 0.0
    start = (table.next_state[EMPTY_HAND][upcard], 1, unseen)
    layer: dict[tuple[int, int, tuple[int, ...]], float] = {start: 1.0}
    while layer:
        following: dict[tuple[int, int, tuple[int, ...]], float] = {}
        for (state, cards, left), share in layer.items():
            whole = sum(left)
            for rank in RANKS:
                if not left[rank]:
                    continue
                after = table.next_state[state][rank]
                part = share * left[rank] / whole
                if cards == 1 and table.total[after] == BUST_LIMIT:
                    natural += part
                elif draws[after]:
                    rest = (*left[:rank], left[rank] - 1, *left[rank + 1 :])
                    key = (after, cards + 1, rest)
                    following[key] = following.get(key, 0.0) + part
                else:
                    total = table.total[after]
                    finals[total] = finals.get(total, 0.0) + part
        layer = following
    most = supported_rules.most_dealer_total(rules)
    bust = math.fsum(share for total, share in finals.items() if total > most)
    by_total = {total: share for total, share in finals.items() if total <= most}
    return DealerFinals(by_total, bust, natural)
