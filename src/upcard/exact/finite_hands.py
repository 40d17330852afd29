"""Hands on a shoe with known cards: all of them against one upcard, splits, and opening rounds."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator
from functools import cached_property, lru_cache
from typing import Final, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from upcard.core.actions import Action
from upcard.core.cards import ACE, RANKS, TEN, Card, Rank, rank_name
from upcard.core.hands import BUST_LIMIT
from upcard.core.long_work import check
from upcard.exact import composition, insurance, solver_results
from upcard.exact.composition import natural_rank, start_of
from upcard.exact.finite_shoe import PreparedShoe, doubles_of
from upcard.exact.kernels import dealer_hands, ended_hands, hand_sets, player_values, split_values
from upcard.exact.solver_results import best_action
from upcard.exact.supported_rules import (
    FULL_MEMORY,
    SplitPlay,
    counts_naturals,
    surrender_value,
)
from upcard.rules import bonuses as bonus_cards
from upcard.rules import predicates
from upcard.rules.model import Rules
from upcard.rules.payoffs import natural_ev
from upcard.strategy.chart import Strategy

_LEARN: Final = {
    SplitPlay.CDZ: split_values.LEARN_NOTHING,
    SplitPlay.CDP1: split_values.LEARN_FIRST,
    SplitPlay.CDP: split_values.LEARN_EACH,
    SplitPlay.CDP_EXACT: split_values.LEARN_AND_KEEP,
}
_KERNEL_ACTIONS: Final = {
    Action.STAND: player_values.STAND,
    Action.HIT: player_values.HIT,
    Action.DOUBLE: player_values.DOUBLE,
    Action.SURRENDER: player_values.SURRENDER,
}


class _SplitWay(NamedTuple):
    """Plans for the hands of a split pair."""

    plan: player_values.HandPlan
    doubles: bool
    played: NDArray[np.int32]
    standing: NDArray[np.int32]


class UpcardSolution:
    """Values of every hand against one upcard, and against the hole card if it is seen.

    `values` are those of the kernels: if a dealer's natural does not take all bets, they include
    only the cases without one, not divided by their chance. Those of a shoe for free hands are what
    hands without a stake win.
    """

    def __init__(self, prepared: PreparedShoe, upcard: Rank, hole: Rank = 0) -> None:
        check()
        self.prepared = prepared
        self.upcard = upcard
        self.hole = hole
        self.start = start_of(upcard, hole)
        self.payoffs = prepared.payoffs_against(upcard)
        self._order = order = hands_holding(() if prepared.rules.busts_live else prepared.holding)
        arrays, payoffs = prepared.hands.arrays, self.payoffs
        standing = self._standing(0) if prepared.rules.busts_live else order
        size = len(prepared.hands.codes)
        self.matching = 0 if hole else natural_rank(upcard)
        self.shoe = np.array(prepared.shoe, dtype=np.float64)
        for rank in self.start:
            self.shoe[rank] -= 1
        self.raw = player_values.make_values(size, payoffs)
        for values in self.raw:
            values[:] = 0.0
        self.plan = player_values.empty_plan(size, payoffs)
        self._ways: dict[Rank, _SplitWay] = {}
        self._prepared_splits: set[Rank] = set()
        self._cards: float = self.shoe.sum().item()
        self._splits: dict[Rank, float] = {}
        self._surrenders = predicates.may_surrender(prepared.rules, upcard=upcard, cards=2)
        prepared.totals.require(_mark(prepared), (self.start,))
        if prepared.strategy is not None:
            _follow(prepared, (upcard, hole), self.plan, after_split=0)
        of_hand = prepared.totals.removed.of_hand
        player_values.fill_stand(self.outcomes, of_hand, standing, arrays, payoffs, self.raw)
        self._evaluate(payoffs, self.plan, self.raw)

    def _standing(self, rank: Rank) -> NDArray[np.int32]:
        """Return the hands with `rank` (0: all) whose value of standing is needed."""
        hands = self.prepared.hands.arrays if self.prepared.rules.busts_live else None
        if hands is None:
            return hands_with(rank)
        busts = hands.total > BUST_LIMIT
        if rank:
            busts &= hands.counts[:, rank] >= 1
        return np.concatenate([np.flatnonzero(busts).astype(np.int32), hands_with(rank)])

    def _evaluate(
        self,
        payoffs: player_values.Payoffs,
        plan: player_values.HandPlan,
        values: player_values.Values,
    ) -> None:
        """Find the best plan, or follow the one of a chart."""
        prepared = self.prepared
        use = player_values.CHOOSE
        if prepared.strategy is not None:
            has_rows = bool(prepared.strategy.doubled)
            use = player_values.FOLLOW if has_rows else player_values.FOLLOW_CHART
        player_values.evaluate_hands(
            *(self.shoe, self.matching, self._order, prepared.hands.arrays, prepared.doubles),
            *(payoffs, use, plan, values),
        )

    @property
    def outcomes(self) -> NDArray[np.float64]:
        """The chances of the dealer's totals, by set of removed cards."""
        return self.prepared.totals.outcomes[self.start]

    def natural_probability(self, hand: int) -> float:
        """Return the chance of a dealer's natural, given the hand and the upcard."""
        if not self.matching:
            return float(self.start == (ACE, TEN))
        hands, rank = self.prepared.hands, self.matching
        there: float = self.shoe.item(rank) - hands.counts.item(hand, rank)
        return max(there, 0.0) / (self._cards - hands.facts[hand][2])

    @cached_property
    def naturals(self) -> NDArray[np.float64]:
        """The chance of a dealer's natural, by the player's hand; 0 without cards left."""
        left = self.shoe - self.prepared.hands.counts
        there = left[:, self.matching] if self.matching else np.zeros(len(left))
        cards = left.sum(axis=1)
        chances: NDArray[np.float64] = np.divide(
            there, cards, out=np.zeros(len(left)), where=cards > 0
        )
        return chances

    @property
    def surrenders(self) -> NDArray[np.float64]:
        """Kernel values of a late surrender, by hand."""
        natural, taken = self.naturals, self.prepared.payoffs.natural_takes_all
        values: NDArray[np.float64] = -0.5 * (1 - natural) - taken * natural
        return values

    @cached_property
    def _without_surrender(self) -> tuple[player_values.HandPlan, player_values.Values]:
        """Plan and values of hands that may not surrender later, as those of a split may not."""
        payoffs = self.payoffs
        if not payoffs.surrenders or self.prepared.strategy is not None:
            return self.plan, self.raw
        plan = player_values.empty_plan(len(self.raw.stand), payoffs)
        values = player_values.Values(*map(np.copy, self.raw))
        self._evaluate(payoffs._replace(surrenders=0), plan, values)
        return plan, values

    @cached_property
    def plan_without_double(self) -> player_values.HandPlan:
        """The unsplit optimum without doubling or surrender."""
        _, raw = self._without_surrender
        hits = (raw.hit > raw.stand) | (self.prepared.hands.total < self.prepared.payoffs.min_stand)
        choice = np.where(hits, player_values.HIT, player_values.STAND).astype(np.int8)
        suited = np.array(
            [
                [hit > raw.stand[hand] for _, hit in self.hits_by_suit(hand)]
                for hand in self.suited_hands
            ]
        ).reshape(self.plan.suited.shape)
        return self.plan._replace(opening=choice, later=choice, suited=suited.astype(np.int8))

    @cached_property
    def suited_hands(self) -> dict[int, int]:
        """Hands whose suits matter, with their row of `Payoffs.suited_chances`."""
        return {hand: row for row, hand in enumerate(self.payoffs.suited.tolist())}

    def hits_by_suit(self, hand: int) -> list[tuple[float, float]]:
        """Return the chance of each kind of suits, and the kernel value of a hit with it."""
        hit = self.raw.hit.item(hand)
        if hand not in self.suited_hands:
            return [(1.0, hit)]
        payoffs, row, hands = self.payoffs, self.suited_hands[hand], self.prepared.hands
        rank = payoffs.suited_needs.item(row)
        after = hands.next_hand.item(hand, rank)
        chance = (self.shoe.item(rank) - hands.counts.item(hand, rank)) / (
            self._cards - hands.facts[hand][2]
        )
        unit = chance * self._chance_of_pay(after)
        chances, extras = payoffs.suited_chances[row].tolist(), payoffs.suited_extras[row].tolist()
        mean = math.fsum(share * extra for share, extra in zip(chances, extras, strict=True))
        return [
            (share, hit + unit * (extra - mean))
            for share, extra in zip(chances, extras, strict=True)
        ]

    def _chance_of_pay(self, hand: int) -> float:
        # Outside a kernel it is a number of NumPy's, and so is what is compared with it.
        return float(player_values.chance_of_pay(hand, self.payoffs, self.raw))

    def way_of(self, rank: Rank) -> _SplitWay:
        """Return the plan for the hands of a split pair, and the hands that it can reach."""
        if rank not in self._ways:
            self._ways[rank] = self._find_way(rank)
        return self._ways[rank]

    def _find_way(self, rank: Rank) -> _SplitWay:
        prepared = self.prepared
        doubles = predicates.may_double_after_split(prepared.rules, rank)
        plan = self._without_surrender[0] if doubles else self.plan_without_double
        order = hands_with(rank)
        if predicates.gets_one_card(prepared.rules, rank):
            two_cards = order[prepared.hands.cards[order] == 2]
            return _SplitWay(plan, doubles, order[:0], two_cards)  # there is no decision
        if prepared.strategy is not None:
            plan = self.plan._replace(opening=plan.opening.copy(), later=plan.later.copy())
            _follow(prepared, (self.upcard, self.hole), plan, after_split=rank)
        elif prepared.splits is not SplitPlay.CDZ:
            # The kernel finds its own actions, and may reach any hand.
            learnt = player_values.HandPlan(*map(np.copy, plan))
            return _SplitWay(learnt, doubles, order, self._standing(rank))
        is_asked = prepared.payoffs.doubled or prepared.payoffs.natural_takes_busted
        if is_asked or prepared.rules.busts_live:  # what is reached is not looked for
            return _SplitWay(plan, doubles, order, self._standing(rank))
        first_card = int(prepared.hands.next_hand[0, rank])
        played, standing = split_values.find_reached(first_card, order, prepared.hands.arrays, plan)
        return _SplitWay(plan, doubles, played, standing)

    def mark_split(self, rank: Rank, wanted: NDArray[np.bool_]) -> None:
        """Mark the sets of removed cards that splitting a pair of this rank needs."""
        if self._uses_full_memory:
            return  # it has sets of its own
        contexts = self.prepared.contexts_of(rank)
        for solution, _ in self._split_hands(rank):
            split_values.mark_sets(contexts, solution.way_of(rank).standing, wanted)
        self._prepared_splits.add(rank)

    @cached_property
    def free(self) -> UpcardSolution:
        """The same for the free hands of a split."""
        return UpcardSolution(self.prepared.for_free_hands, self.upcard, self.hole)

    def _split_hands(self, rank: Rank) -> list[tuple[UpcardSolution, NDArray[np.float64]]]:
        """Return the solutions for the hands of a split, each with the orders that count them.

        Where the first hand differs from the others, it has the first of two.
        """
        orders = split_values.count_split_orders(self.prepared.most_hands(rank))
        is_free = self.prepared.splits_free(rank)
        if is_free or predicates.takes_first(self.prepared.rules):
            return [(self, orders.first), (self.free if is_free else self, orders.others)]
        return [(self, orders.every)]

    def split_value(self, rank: Rank) -> float:
        """Return the value of splitting a pair of this rank, over all its hands."""
        if self._uses_full_memory:
            from upcard.exact.full_memory.values import value_split

            return value_split(self.prepared, self.upcard, rank)
        if rank not in self._splits:
            self._splits[rank] = self._work_out_split(rank)
        return self._splits[rank]

    @property
    def _uses_full_memory(self) -> bool:
        return self.prepared.splits in FULL_MEMORY and self.prepared.strategy is None

    def _work_out_split(self, rank: Rank) -> float:
        totals = self.prepared.totals
        if rank not in self._prepared_splits:
            wanted = totals.no_sets()
            self.mark_split(rank, wanted)
            totals.require(wanted, (self.start,))
        losses = (float(predicates.takes_first(self.prepared.rules)), 0.0)
        parts = [
            one.value_split_hands(rank, orders, spot_loss)
            for (one, orders), spot_loss in zip(self._split_hands(rank), losses, strict=False)
        ]
        if self.matching and predicates.counts_together(self.prepared.rules):
            parts.append(self._all_end(rank))
        return math.fsum(parts)

    def _all_end(self, rank: Rank) -> float:
        """Return the chance that no hand of a split is left for the dealer's natural to take."""
        prepared, way = self.prepared, self.way_of(rank)
        arrays = prepared.hands.arrays
        shoe, first_card = self.shoe.copy(), int(prepared.hands.next_hand[0, rank])
        shoe[rank] -= 2
        is_pair = np.arange(len(shoe)) == rank
        most = prepared.most_hands(rank)
        ended = (
            ended_hands.count_endings(
                *(first_card, hands_with(rank)[::-1], arrays, prepared.doubles * way.doubles),
                *(self.payoffs, way.plan, predicates.gets_one_card(prepared.rules, rank), seconds),
            )
            for seconds in (~is_pair, is_pair)
        )
        plain, paired = (ended_hands.list_endings(one, first_card, arrays) for one in ended)
        orders = split_values.count_split_orders(most).every
        return ended_hands.chance_that_all_end(shoe, rank, self.matching, (plain, paired), orders)

    def value_split_hands(self, rank: Rank, orders: NDArray[np.float64], spot_loss: float) -> float:
        """Return the value of the hands of a split that `orders` count.

        `spot_loss` is what a natural takes of the spot through them: 1 if theirs is the original
        bet, else 0.
        """
        prepared, way = self.prepared, self.way_of(rank)
        hands, rules = prepared.hands, prepared.rules
        learn = _LEARN[SplitPlay.CDZ if prepared.strategy is not None else prepared.splits]
        natural = split_values.NO_NATURAL
        if predicates.makes_natural(rules, rank):
            natural = hands.find((ACE, TEN))
        split = split_values.SplitHands(
            rank=rank,
            first_card=int(hands.next_hand[0, rank]),
            natural=natural,
            played=way.played,
            standing=way.standing,
            may_double=prepared.doubles if way.doubles else np.zeros_like(way.plan.opening),
        )
        split_payoffs = prepared.payoffs._replace(
            surrenders=0, spot_loss=spot_loss, busts_live=self.payoffs.busts_live
        )
        shoe = self.shoe.copy()
        shoe[rank] -= 2
        return float(
            split_values.evaluate_split(
                shoe,
                self.matching,
                prepared.pair_cards_after(rank, self.start),
                split,
                self.outcomes,
                prepared.contexts_of(rank),
                hands.arrays,
                split_payoffs,
                learn,
                way.plan,
                orders,
                player_values.make_values(len(hands.codes), prepared.payoffs),
            )
        )

    def values(self, hand: int, *, pair: Rank = 0) -> dict[Action, float]:
        """Return the kernel value of each legal next action of a hand.

        `pair` is the rank if the hand is a pair that may be split, else 0.
        """
        prepared, raw = self.prepared, self.raw
        rules = prepared.rules
        total, _, cards = prepared.hands.facts[hand]
        may_double = prepared.doubles.item(hand)
        if self.is_natural(hand):
            # The table pays a natural without asking; published tables include the values of
            # hitting and doubling it, so they are here for comparison.
            natural = self.natural_probability(hand)
            uncounted = 0.0 if counts_naturals(rules) else natural * natural_ev(rules, 1.0)
            values = {
                Action.STAND: natural_ev(rules, natural) - uncounted,
                Action.HIT: raw.hit.item(hand),
            }
            if may_double:
                values[Action.DOUBLE] = raw.double.item(hand)
            return values
        if total == BUST_LIMIT or (rules.charlie is not None and cards >= rules.charlie):
            return {Action.STAND: raw.best.item(hand)}
        values = {Action.HIT: raw.hit.item(hand)}
        if predicates.may_stand(rules, total=total):
            values[Action.STAND] = raw.stand.item(hand)
        if may_double:
            values[Action.DOUBLE] = raw.double.item(hand)
        if pair and prepared.most_hands(pair) >= 2:
            values[Action.SPLIT] = self.split_value(pair)
        if predicates.may_surrender(rules, upcard=self.upcard, cards=cards):
            values[Action.SURRENDER] = surrender_value(rules, self.natural_probability(hand))
        return values

    def doubled_values(self, hand: int, doubles: int) -> dict[Action, float]:
        """Return the kernel value of each answer to a hand that has doubled so often."""
        payoffs, rules = self.payoffs, self.prepared.rules
        hands, raw = self.prepared.hands, self.raw
        total, _, cards = hands.facts[hand]
        is_over = total == BUST_LIMIT or (rules.charlie is not None and cards >= rules.charlie)
        if total == BUST_LIMIT and payoffs.doubled:  # its win stays, its bonus does not
            return {Action.STAND: raw.doubled.item(doubles - 1, hand)}
        stake = payoffs.double_stake * 2 ** (doubles - 1)
        values = {Action.STAND: stake * raw.stand.item(hand)}
        if is_over:
            return values
        if doubles < rules.max_doubles:
            values[Action.DOUBLE] = player_values.value_redouble(
                *(hand, self.shoe, self.matching, doubles, 2 * stake, hands.arrays, payoffs, raw),
            )
        if rules.rescue:
            values[Action.SURRENDER] = -0.5 * stake * (1 - self.natural_probability(hand))
        return values

    def hit_value(self, hand: int, suits: tuple[str, ...]) -> float:
        """Return the kernel value of a hit; unknown suits count with their chances."""
        if hand not in self.suited_hands or not suits or not all(suits):
            return self.raw.hit.item(hand)
        is_suited = len(set(suits)) == 1
        kind = is_suited + (is_suited and suits[0] == bonus_cards.SPADES)
        return self.hits_by_suit(hand)[kind][1]

    def stand_value(self, hand: int, suits: tuple[str, ...]) -> float:
        """Return the kernel value of standing; a 21 with known suits is paid by them."""
        stand, bonuses = self.raw.stand.item(hand), self.prepared.rules.bonuses
        total, _, cards = self.prepared.hands.facts[hand]
        if bonuses is None or total != BUST_LIMIT or len(suits) != cards or not all(suits):
            return stand
        ranks = np.repeat(range(11), self.prepared.hands.counts[hand].astype(int)).tolist()
        held = [Card(f"{rank_name(rank)}{suit}") for rank, suit in zip(ranks, suits, strict=True)]
        pays = float(bonuses.pay_of(held, upcard=self.upcard, is_split=False))
        more = pays - self.payoffs.pays_21.item(hand)
        return stand + more * self._chance_of_pay(hand)

    def best_value(self, hand: int, *, pair: Rank = 0) -> float:
        """Return the best of the `values` of an opening hand."""
        prepared = self.prepared
        if self.is_natural(hand):
            return self.values(hand)[Action.STAND]
        best: float = self.raw.best.item(hand)
        others = []
        if pair and prepared.most_hands(pair) >= 2:
            others.append(self.split_value(pair))
        if self._surrenders:
            others.append(surrender_value(prepared.rules, self.natural_probability(hand)))
        if hand in self.suited_hands and others:
            values = self.values(hand)
            values.pop(Action.HIT)
            others.extend(values.values())
            return math.fsum(chance * max(hit, *others) for chance, hit in self.hits_by_suit(hand))
        return max(best, *others) if others else best

    def is_natural(self, hand: int) -> bool:
        """Whether a hand is ace and ten."""
        total, _, cards = self.prepared.hands.facts[hand]
        return total == BUST_LIMIT and cards == 2

    def before_look(self, value: float, hand: int) -> float:
        """Convert a kernel value to the value of the round before the dealer's natural is known."""
        rules, is_free = self.prepared.rules, not self.prepared.payoffs.stake
        if not self.matching or counts_naturals(rules) or is_free:
            return value
        tied = natural_ev(rules, 1.0) if self.is_natural(hand) else -1.0
        return value + self.natural_probability(hand) * tied

    def finish(self, value: float, hand: int, *, has_looked: bool) -> float:
        """Convert a kernel value to one after a look without a natural, or before any look."""
        if has_looked:
            return value / solver_results.chance_of_no_natural(self.natural_probability(hand))
        return self.before_look(value, hand)


def solve_starts(prepared: PreparedShoe) -> dict[dealer_hands.Start, UpcardSolution]:
    """Solve against all known cards of the dealer, preparing the splits of each together."""
    starts = prepared.starts
    prepared.totals.require(_mark(prepared), starts)
    solutions = {start: UpcardSolution(prepared, *start) for start in starts}
    for start, solution in solutions.items():
        wanted = prepared.totals.no_sets()
        for rank in prepared.splits_of:
            solution.mark_split(rank, wanted)
        prepared.totals.require(wanted, (start,))
    return solutions


def hands_with(rank: Rank) -> NDArray[np.int32]:
    """Return the hands of two or more cards that hold `rank` (0: all), most cards first."""
    return hands_holding((rank,) if rank else ())


@lru_cache(maxsize=4096)
def hands_holding(ranks: tuple[Rank, ...]) -> NDArray[np.int32]:
    """Return the hands of two or more cards that hold all `ranks`, most cards first."""
    hands = hand_sets.player_hands()
    wanted = hands.cards >= 2
    for rank in set(ranks):
        wanted &= hands.counts[:, rank] >= ranks.count(rank)
    return np.flatnonzero(wanted)[::-1].astype(np.int32)


def _mark(prepared: PreparedShoe) -> NDArray[np.bool_]:
    """Mark the hands that are valued, and the empty hand and single cards with them."""
    marked = np.ones(len(prepared.hands.codes), dtype=np.bool_)
    if prepared.holding and not prepared.rules.busts_live:
        marked[:] = False
        marked[hands_holding(prepared.holding)] = True
    return marked


@lru_cache(maxsize=256)
def _alike(
    rules: Rules, after_split: Rank
) -> tuple[list[tuple[int, bool, bool]], NDArray[np.int32], NDArray[np.int64]]:
    """Return hands that a chart cannot distinguish: kinds, the hands, and the kind of each.

    A kind is a total, whether it is soft, and whether it may double.
    """
    hands = hand_sets.player_hands()
    order = hands_with(after_split)
    may = doubles_of(rules)
    if after_split and not predicates.may_double_after_split(rules, after_split):
        may = np.zeros_like(may)
    codes = hands.total[order] * 4 + hands.is_soft[order] * 2 + (may[order] > 0)
    unique, of_hand = np.unique(codes, return_inverse=True)
    kinds = [(code >> 2, bool(code & 2), bool(code & 1)) for code in unique.tolist()]
    return kinds, order, of_hand


def _follow(
    prepared: PreparedShoe,
    dealer: tuple[Rank, Rank],
    plan: player_values.HandPlan,
    *,
    after_split: Rank,
) -> None:
    """Fill in the strategy's action for every hand, unsplit or after a split.

    `dealer` is the upcard, and the hole card if it is seen.
    """
    strategy, (upcard, hole) = prepared.strategy, dealer
    if strategy is None:
        return
    kinds, hands, of_hand = _alike(prepared.rules, after_split)
    actions = np.empty(len(kinds), dtype=np.int8)
    surrenders = prepared.payoffs.surrenders and not after_split
    for number, (total, is_soft, double) in enumerate(kinds):
        legal = (
            Action.HIT,
            *((Action.STAND,) if predicates.may_stand(prepared.rules, total=total) else ()),
            *((Action.DOUBLE,) if double else ()),
            *((Action.SURRENDER,) if surrenders else ()),
        )
        action = strategy.decide(
            total=total, is_soft=is_soft, pair_rank=0, upcard=upcard, hole=hole, legal=legal
        )
        actions[number] = _KERNEL_ACTIONS[action]
    plan.later[hands] = actions[of_hand]
    plan.opening[hands] = plan.later[hands]
    plan.suited[:] = plan.opening[prepared.payoffs_against(upcard).suited][:, np.newaxis]
    if strategy.doubled:
        _follow_doubled(prepared, dealer, plan)


def _follow_doubled(
    prepared: PreparedShoe, dealer: tuple[Rank, Rank], plan: player_values.HandPlan
) -> None:
    """Fill in the action of the strategy's rows for every hand that has doubled."""
    strategy, rules = cast("Strategy", prepared.strategy), prepared.rules
    kinds, hands, of_hand = _alike(rules, 0)
    for times, row in enumerate(plan.doubled, start=1):
        again = (Action.DOUBLE,) if times < rules.max_doubles else ()
        rescue = (Action.SURRENDER,) if rules.rescue else ()
        actions = [
            strategy.decide(
                total=total,
                is_soft=is_soft,
                pair_rank=0,
                upcard=dealer[0],
                hole=dealer[1],
                legal=(Action.STAND, *again, *rescue),
                doubles=times,
            )
            for total, is_soft, _ in kinds
        ]
        row[hands] = np.array([_KERNEL_ACTIONS[one] for one in actions], dtype=np.int8)[of_hand]


def value_opening_round(solution: UpcardSolution) -> insurance.RoundValue:
    """Return the value of a round given the upcard, with insurance and even money answered."""
    prepared, upcard = solution.prepared, solution.upcard
    taking = insurance.taking_of(prepared.strategy)
    *_, last = shoes_that_ask(prepared, upcard)
    insured = solution if last is prepared else UpcardSolution(last, upcard)
    hands = []
    for ranks, pair, chance in opening_hands(solution):
        hand = prepared.hands.find(ranks)
        ev = insured_ev = opening_value(solution, hand, pair=pair)
        if insured is not solution:
            insured_ev = opening_value(insured, hand, pair=pair)
        natural = solution.natural_probability(hand) if upcard == ACE else 0.0  # for offers only
        hands.append(
            insurance.InsuranceHand(chance, natural, solution.is_natural(hand), ev, insured_ev)
        )
    return insurance.value_round(prepared.rules, upcard, hands, taking)


def value_seen_rounds(prepared: PreparedShoe) -> dict[Rank, insurance.RoundValue]:
    """Return the value of a round by upcard where the hole card is seen too."""
    solutions = solve_starts(prepared)
    evs = {start: value_opening_round(one).ev for start, one in solutions.items()}
    evs[ACE, TEN] = _value_natural(prepared)
    shoe, rounds = prepared.shoe, {}
    for upcard in prepared.upcards:
        holes = {rank: shoe[rank] - (rank == upcard) for rank in RANKS if shoe[rank] > 0}
        parts = (cards * evs.get(start_of(upcard, hole), 0.0) for hole, cards in holes.items())
        ev = math.fsum(parts) / math.fsum(holes.values())
        rounds[upcard] = insurance.RoundValue(ev, insurance.Offers())
    return rounds


def _value_natural(prepared: PreparedShoe) -> float:
    """Return the value of a round that a dealer's natural ends before the players act."""
    if not prepared.shoe[ACE] * prepared.shoe[TEN]:
        return 0.0
    tied = natural_ev(prepared.rules, 1.0)
    dealt = composition.deal_two_cards(prepared.shoe, (ACE, TEN))
    return math.fsum(chance * (tied if set(hand) == {ACE, TEN} else -1.0) for hand, chance in dealt)


def shoes_that_ask(prepared: PreparedShoe, upcard: Rank) -> list[PreparedShoe]:
    """Return the shoe, and the same with a look if insurance leads to one, as rounds ask them."""
    taking = insurance.taking_of(prepared.strategy) if upcard == ACE else insurance.Taking.NEVER
    if taking is not insurance.Taking.NEVER and insurance.looks_for_insurance(prepared.rules):
        return [prepared, prepared.with_look()]
    return [prepared]


def opening_hands(solution: UpcardSolution) -> Iterator[tuple[tuple[Rank, Rank], Rank, float]]:
    """Iterate over two-card hands: ranks, the rank if they are a pair, and the chance."""
    prepared = solution.prepared
    for (first, second), chance in composition.deal_two_cards(prepared.shoe, solution.start):
        if first != second:
            yield (first, second), 0, chance
        elif predicates.needs_equal_faces(prepared.rules, first):
            same = _chance_of_equal_faces(solution)
            yield (first, second), first, chance * same
            yield (first, second), 0, chance * (1 - same)
        else:
            yield (first, second), first, chance


def reach_of_hits(solution: UpcardSolution) -> NDArray[np.float64]:
    """Return the chance of each hand to be reached by hits, in the best play; 1 for openings."""
    prepared = solution.prepared
    reach = np.zeros(len(prepared.hands.codes))
    for ranks, pair, chance in opening_hands(solution):
        hand = prepared.hands.find(ranks)
        values = solution.values(hand, pair=pair)
        if prepared.hands.total[hand] < BUST_LIMIT and best_action(values) is Action.HIT:
            reach[hand] += chance
    opening = np.full_like(solution.plan.opening, player_values.HIT)
    order = hands_with(0)[::-1].copy()
    player_values.fill_reach(
        *(solution.shoe, order, prepared.hands.arrays),
        *(solution.plan._replace(opening=opening), reach),
    )
    return reach


def chances_of_doubled(solution: UpcardSolution) -> NDArray[np.float64]:
    """Return the chance that a first double makes each hand, in the best play."""
    hands = solution.prepared.hands
    doubling = np.where(solution.plan.later == player_values.DOUBLE, reach_of_hits(solution), 0.0)
    for ranks, pair, chance in opening_hands(solution):
        hand = hands.find(ranks)
        if best_action(solution.values(hand, pair=pair)) is Action.DOUBLE:
            doubling[hand] += chance
    made = np.zeros(len(hands.codes))
    for hand in np.flatnonzero(doubling).tolist():
        left = solution.shoe - hands.counts[hand]
        for rank in RANKS:
            if (after := hands.next_hand.item(hand, rank)) >= 0 and left[rank] > 0:
                made[after] += doubling[hand] * left[rank] / left.sum()
    return made


def _chance_of_equal_faces(solution: UpcardSolution) -> float:
    """Return the chance that two ten-valued cards have one face, in full decks less the upcard."""
    tens, faces = solution.prepared.shoe[TEN], solution.prepared.rules.full_deck.ten_faces
    if solution.upcard != TEN:
        return (tens / faces - 1) / (tens - 1)
    others = (faces - 1) * (tens / faces) * (tens / faces - 1)
    of_the_upcard = (tens / faces - 1) * (tens / faces - 2)
    return (others + of_the_upcard) / ((tens - 1) * (tens - 2))


def opening_value(solution: UpcardSolution, hand: int, *, pair: Rank) -> float:
    """Return the value of an opening hand before the look, with the best play or by the chart."""
    prepared = solution.prepared
    if prepared.strategy is None:
        return solution.before_look(solution.best_value(hand, pair=pair), hand)
    values = solution.values(hand)
    legal = [*values, Action.SPLIT] if prepared.most_hands(pair) >= 2 else [*values]
    is_natural = solution.is_natural(hand)
    action = Action.STAND if is_natural else follow(solution, prepared.strategy, hand, pair, legal)
    value = solution.split_value(pair) if action is Action.SPLIT else values[action]
    return solution.before_look(value, hand)


def follow(
    solution: UpcardSolution, strategy: Strategy, hand: int, pair: Rank, legal: Collection[Action]
) -> Action:
    """Return a chart's action for an opening hand."""
    total, is_soft, _ = solution.prepared.hands.facts[hand]
    return strategy.decide(
        total=total,
        is_soft=is_soft,
        pair_rank=pair if Action.SPLIT in legal else 0,
        upcard=solution.upcard,
        hole=solution.hole,
        legal=legal,
    )
