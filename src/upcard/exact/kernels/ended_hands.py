"""The chance that all hands of a split end before the dealer, who then shows a natural.

How much a natural takes of a spot can depend on that. Hands of a split draw from one shoe, so they
are not independent. The ways in which a hand ends are counted by the cards that it draws. With m_r
cards of each rank r and n in all, one sequence has the chance

    (s_1)_m1 ... (s_10)_m10 / (S)_n,   (s)_m = s (s - 1) ... (s - m + 1),

where the shoe has s_r cards of the rank and S in all, whichever hands draw them. Two groups of
hands that draw a and b cards of a rank with s cards are joined by

    (s)_(a+b) = sum over j of (-1)^j j! / (s)_j  C(a, j) (s)_a  C(b, j) (s)_b,

which counts j cards as drawn by both groups (inclusion and exclusion). So the ways of one group
meet those of the other by the j of each rank, instead of each meeting all. The sums for one number
of such cards in all alternate in sign, and each bounds the rest (Bonferroni), so that those of many
cards are not needed.
"""

import math
from collections.abc import Sequence
from itertools import accumulate
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from upcard.core.cards import RANKS
from upcard.core.hands import BUST_LIMIT
from upcard.exact.kernels.hand_sets import HandArrays
from upcard.exact.kernels.player_values import DOUBLE, HIT, HandPlan, Payoffs
from upcard.kernels.jit import Floats, Integers, kernel

_TOTAL_BITS: Final = 6
_TOTAL_MASK: Final = (1 << _TOTAL_BITS) - 1
_BITS: Final = (0, *((2 * (BUST_LIMIT // rank + 1)).bit_length() for rank in RANKS))
"""Bits for the cards of each rank that two hands can draw."""
_SHIFTS: Final = (0, *accumulate(_BITS[1:-1], initial=_TOTAL_BITS))
_SHARED_SHIFT: Final = _SHIFTS[-1] + _BITS[-1]
_FEW_SHARED: Final = 8
"""Most cards of both groups at first; sums for more are tiny in full shoes."""
_NEGLIGIBLE: Final = 1e-16


class Endings(NamedTuple):
    """The ways in which a group of hands ends, by the cards that it draws."""

    cards: Integers
    """The number of cards in all, of each rank, and of both groups, in the bits of one number."""
    ways: Floats
    """How many orders of these cards end so."""


@kernel
def count_endings(
    first_card: int,
    order: NDArray[np.int32],
    hands: HandArrays,
    may_double: NDArray[np.int8],
    payoffs: Payoffs,
    plan: HandPlan,
    one_card: bool,  # noqa: FBT001 (compiled)
    seconds: NDArray[np.bool_],
) -> Floats:
    """Return in how many ways a hand of a split ends before the dealer plays (hands x ranks).

    It ends with a card that makes it bust, if busted bets are lost, or 21, which wins. `seconds`
    says which ranks its second card has; `order` has the fewest cards first.
    """
    size = hands.cards.shape[0]
    reach, ended = np.zeros(size), np.zeros((size, 11))
    reach[first_card] = 1.0
    for position in range(-1, order.shape[0]):
        hand = first_card if position < 0 else order[position]
        if reach[hand] <= 0.0:
            continue
        hits = 1.0
        doubles = 0.0
        if position >= 0:
            action = plan.opening[hand] if hands.cards[hand] == 2 else plan.later[hand]
            if action == DOUBLE and not may_double[hand]:
                action = HIT
            hits = 1.0 if action == HIT else 0.0
            doubles = 1.0 if action == DOUBLE else 0.0
            for pair in range(payoffs.suited.shape[0] if hands.cards[hand] == 2 else 0):
                if payoffs.suited[pair] == hand:
                    hits = 0.0
                    for suits in range(payoffs.suited_chances.shape[1]):
                        if plan.suited[pair, suits] == HIT:
                            hits += payoffs.suited_chances[pair, suits]
        draws = hits + doubles
        if draws == 0.0 or (one_card and position >= 0):
            continue
        for rank in range(1, 11):
            if position < 0 and not seconds[rank]:
                continue
            after = hands.next_hand[hand, rank]
            if after < 0:
                ended[hand, rank] = draws * reach[hand] * payoffs.natural_takes_busted
            elif hands.total[after] == 21 and payoffs.always_wins_21:
                ended[hand, rank] = draws * reach[hand]
            else:
                reach[after] += hits * reach[hand]
    return ended


def list_endings(ended: Floats, first_card: int, hands: HandArrays) -> Endings:
    """Return endings by the cards that are drawn after the first."""
    before, last = np.nonzero(ended)
    drawn = (hands.counts[before] - hands.counts[first_card]).astype(np.int64)
    drawn[np.arange(len(last)), last] += 1
    places = np.array([0, *(1 + (1 << shift) for shift in _SHIFTS[1:])])
    return _merge(drawn @ places, ended[before, last])


def chance_that_all_end(
    shoe: Floats, rank: int, matching: int, kinds: tuple[Endings, Endings], split_orders: Floats
) -> float:
    """Return the chance that all hands of a split end, and the dealer has a natural.

    `shoe` is without the upcard and both pair cards; `matching` makes the natural. `kinds` are the
    endings of a hand whose second card does not make a pair, and does; `split_orders` have rows as
    in `SplitOrders`.
    """
    chance = 0.0
    groups: dict[tuple[int, int], Endings] = {}
    shared: dict[tuple[float, int, int, int], Endings] = {}
    for made, pairs, *ended in split_orders:
        left, before = shoe.copy(), sum(ended) / made
        for out in (*(rank,) * int(made - 2), matching):
            before *= max(left[out], 0.0) / max(left.sum(), 1.0)
            left[out] -= 1
        paired = [int(hand < pairs) for hand in range(int(made))]
        if not before or any(not len(kinds[is_pair].ways) for is_pair in paired):
            continue
        halves = [(len(half), sum(half)) for half in np.array_split(np.array(paired), 2)]
        for hands, pairs_of in halves:
            members = [kinds[1]] * pairs_of + [kinds[0]] * (hands - pairs_of)
            groups.setdefault((hands, pairs_of), _join(members))
        most = _FEW_SHARED
        while True:
            for half in halves:
                key = (made, *half, most)
                if key not in shared:
                    shared[key] = _share(groups[half], left, most)
            first, other = (shared[made, *half, most] for half in halves)
            sums = before * _meet(first, other, left)
            if abs(sums[most:]).max() < _NEGLIGIBLE:
                break
            most += _FEW_SHARED // 2
        chance += sums.sum().item()
    return chance


@kernel
def _merge(cards: Integers, ways: Floats) -> Endings:
    """Add up the ways of equal cards."""
    size = 2 * cards.shape[0] + 1
    slots = np.full(size, -1, np.int32)
    unique, sums = np.empty_like(cards), np.zeros_like(ways)
    found = 0
    for row in range(cards.shape[0]):
        slot = cards[row] % size
        while slots[slot] >= 0 and unique[slots[slot]] != cards[row]:
            slot = (slot + 1) % size
        if slots[slot] < 0:
            slots[slot] = found
            unique[found] = cards[row]
            found += 1
        sums[slots[slot]] += ways[row]
    return Endings(unique[:found].copy(), sums[:found].copy())


def _join(hands: Sequence[Endings]) -> Endings:
    """Return the endings of one hand or two together."""
    if len(hands) == 1:
        return hands[0]
    first, other = hands
    cards = np.add.outer(first.cards, other.cards).ravel()
    return _merge(cards, np.multiply.outer(first.ways, other.ways).ravel())


def _count(cards: Integers, rank: int) -> Integers:
    """Return how many cards of a rank there are."""
    counts: Integers = cards >> _SHIFTS[rank] & (1 << _BITS[rank]) - 1
    return counts


def _falling(cards: float, drawn: int) -> float:
    """Return the falling factorial (s)_m."""
    return math.prod(cards - before for before in range(drawn))


def _share(endings: Endings, shoe: Floats, most: int) -> Endings:
    """Return the sums over the endings by the cards j of each rank, at most `most` in all."""
    cards, ways = endings
    for rank in RANKS:
        drawn = _count(cards, rank)
        numbers = range(int(drawn.max()) + 1)
        orders = [_falling(shoe.item(rank), number) for number in numbers]
        factors = np.array([[math.comb(a, j) * orders[a] for j in numbers] for a in numbers])
        choices = np.minimum(drawn, most - (cards >> _SHARED_SHIFT)) + 1
        rows = np.repeat(np.arange(len(cards)), choices)
        both = np.arange(len(rows)) - (np.cumsum(choices) - choices)[rows]
        ways = ways[rows] * factors[drawn[rows], both]
        cards = cards[rows] - (drawn[rows] - both << _SHIFTS[rank]) + (both << _SHARED_SHIFT)
        cards, ways = _merge(cards, ways)
    order = np.argsort(cards)
    return Endings(cards[order], ways[order])


def _meet(first: Endings, other: Endings, shoe: Floats) -> Floats:
    """Return the parts of the chance that both groups end, by the number of shared cards."""
    terms = np.zeros((11, 1 << max(_BITS)))
    for rank in RANKS:
        most = int(min(_count(one.cards, rank).max() for one in (first, other)))
        for j in range(most + 1):
            ways = _falling(shoe.item(rank), j)
            terms[rank, j] = (-1) ** j * math.factorial(j) / ways if ways else 0.0
    total = shoe[1:].sum().item()
    orders = [max(_falling(total, drawn), 0.0) for drawn in range(2 << _TOTAL_BITS)]
    chances = np.array([1 / one if one else 0.0 for one in orders])
    parts: Floats = _meet_sorted(first, other, terms, chances)
    return parts


@kernel
def _meet_sorted(first: Endings, other: Endings, terms: Floats, chances: Floats) -> Floats:
    """Return the sums by shared cards; `terms` are their factors by rank and number."""
    parts = np.zeros(2 << _TOTAL_BITS)
    least = 0
    for row in range(first.cards.shape[0]):
        shared = first.cards[row] >> _TOTAL_BITS
        while least < other.cards.shape[0] and other.cards[least] >> _TOTAL_BITS < shared:
            least += 1
        met = 0.0
        place = least
        while place < other.cards.shape[0] and other.cards[place] >> _TOTAL_BITS == shared:
            drawn = (first.cards[row] & _TOTAL_MASK) + (other.cards[place] & _TOTAL_MASK)
            met += other.ways[place] * chances[drawn]
            place += 1
        if met != 0.0:
            met *= first.ways[row]
            for rank in range(1, 11):
                both = (first.cards[row] >> _SHIFTS[rank]) & ((1 << _BITS[rank]) - 1)
                met *= terms[rank, both]
            parts[first.cards[row] >> _SHARED_SHIFT] += met
    return parts
