"""The hands that a side bet pays, compiled once; their chances in any shoe are one contraction.

A hand is a row of places in a pool of numbers of cards: 52 by face and suit, 13 by face, 10 by
rank. A bet uses the coarsest that it needs, so that one of ranks only has few hands. The chance of
a hand is a product of falling factorials: `ways * c (c - 1) ... / (N (N - 1) ...)`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import combinations_with_replacement, product
from math import comb, factorial, prod
from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from upcard.core.cards import ACE, DECK, FACES, RANKS, SUITS, TEN, Card, Rank
from upcard.core.errors import RulesError, UnsupportedRuleError
from upcard.core.hands import EMPTY_HAND, NO_STATE, hand_table
from upcard.exact.composition import CardShoe
from upcard.exact.supported_rules import drawing_states
from upcard.rules.model import Rules
from upcard.rules.settings import DealerRule
from upcard.rules.side_bets import ANY_TEN, HOLE, NEXT, PayRow, SideBet, Test

Floats: TypeAlias = NDArray[np.float64]
Places: TypeAlias = tuple[int, ...]

ENGINE: Final = "exact values of side bets"
_FACES: Final = len(DECK)
"""Place in the pool of the first face."""
_RANKS: Final = _FACES + len(FACES)
_FACE_OF: Final = np.array([*(place % 13 for place in range(52)), *range(13), *[13] * 10])
"""Face of each place in the pool; 13 for a rank."""
_UNSEEN, _ACE, _TEN, _OTHER, _NATURAL, _NONE = range(6)
"""Knowledge in a hand about the dealer's two cards: none of them is in it, one is, or both are."""
_MOST_HANDS: Final = 2_500_000
_MOST_SUITED: Final = 200_000


class Pool(NamedTuple):
    """The cards of a shoe as contractions need them."""

    counts: Floats
    """Numbers of cards by card, face and rank; chances of an infinite deck."""
    size: int | None
    """Number of cards; None for an infinite deck."""
    shoe: CardShoe | None


def pool_shoe(shoe: CardShoe) -> Pool:
    """Return the pool of a shoe."""
    ranks = shoe.ranks()
    counts = np.array((*shoe.cards, *shoe.faces(), *ranks[1:]), dtype=np.float64)
    return Pool(counts, sum(ranks), shoe)


def pool_infinite(rules: Rules) -> Pool:
    """Return the pool of an infinite deck."""
    ten = float(rules.ten_probability)
    ranks = [*[(1 - ten) / 9] * 9, ten]
    faces = [*ranks[:9], *[ten / 4] * 4]
    return Pool(np.array([*[one / 4 for one in faces] * 4, *faces, *ranks]), None, None)


@dataclass(frozen=True)
class Payouts:
    """The hands of a bet that pay, those of most cards first; of the dealer's hand, all."""

    places: tuple[NDArray[np.int64], ...]
    """Of the first card, the second ...: places in the pool; fewer where hands have fewer cards."""
    ways: Floats
    """Number of orders of each hand."""
    outcome: NDArray[np.int64]
    """Number of its outcome if the dealer has no natural."""
    with_natural: NDArray[np.int64] | None
    """The same if the dealer has one; None where that does not matter."""
    dealer: NDArray[np.int64]
    """Knowledge in each hand about the dealer's cards, where naturals matter."""
    outcomes: tuple[tuple[int, ...], ...]
    """Numbers of the rows that pay together; none for a bet that loses."""
    is_all: bool
    """Whether losing hands are among them."""

    @cached_property
    def _drawn(self) -> tuple[Floats, ...]:
        return _count_earlier(self.places)

    @cached_property
    def _drawn_faces(self) -> tuple[Floats, ...]:
        return _count_earlier([_FACE_OF[one] for one in self.places])

    @cached_property
    def _drawn_tens(self) -> tuple[Floats, ...]:
        return _count_earlier([_is_ten(one) for one in self.places], only=1)

    def weigh(self, pool: Pool) -> Floats:
        """Return the chance of each outcome, in the order of `outcomes`.

        Raises: RulesError for a shoe of too few cards.
        """
        chances = self.ways.copy()
        if not self.is_all and pool.size is not None:
            needed = len(self.places) + 2 * (self.with_natural is not None)
            if pool.size < needed:
                msg = f"the shoe has {pool.size} cards: fewer than the {needed} that the bet needs"
                raise RulesError(msg)
        for number, (places, drawn) in enumerate(zip(self.places, self._drawn, strict=True)):
            part = chances[: len(places)]
            if pool.size is None:
                part *= pool.counts[places]
            else:
                part *= (pool.counts[places] - drawn) / max(pool.size - number, 1)
        if pool.shoe is not None and (pool.shoe.gone_tens or any(pool.shoe.gone)):
            self._average_suits(chances, pool.shoe)
        size = len(self.outcomes)
        if self.with_natural is None:
            found = _add_up(self.outcome, chances, size)
        else:
            natural = chances * self._naturals(pool)
            found = _add_up(self.outcome, chances - natural, size)
            found += _add_up(self.with_natural, natural, size)
        if self.is_all and abs(found.sum() - 1) > 1e-9:
            msg = f"the shoe has {pool.size} cards: too few for every hand of the dealer"
            raise RulesError(msg)
        return found

    def _average_suits(self, chances: Floats, shoe: CardShoe) -> None:
        """Average over the suits and faces of cards that are gone.

        With u random cards of C gone, the mean of a product of falling factorials of degree m is
        that of all C times the falling factorials of C - u and C of degree m, as of any m places in
        a shuffled order.
        """
        faces = [sum(shoe.cards[place::13]) for place in range(13)]
        of_face, gone = np.array([*faces, 0.0]), np.array([*shoe.gone, 0.0])
        tens = float(sum(faces[9:]) - sum(shoe.gone[9:]))
        by_card = zip(self.places, self._drawn_faces, self._drawn_tens, strict=True)
        for places, face_drawn, ten_drawn in by_card:
            part, face = chances[: len(places)], _FACE_OF[places]
            if any(shoe.gone):
                is_card = places < _FACES
                left = of_face[face] - face_drawn
                part *= np.where(is_card, (left - gone[face]) / np.where(left > 0, left, 1), 1)
            if shoe.gone_tens:
                left = tens - ten_drawn
                share = (left - shoe.gone_tens) / np.where(left > 0, left, 1)
                part *= np.where(_is_ten(places) == 1, share, 1)

    def _naturals(self, pool: Pool) -> Floats:
        counts = pool.counts[_RANKS:]
        ace, ten = (np.full(len(self.ways), counts[rank - 1]) for rank in (ACE, TEN))
        left = 1.0
        if pool.size is not None:
            for places in self.places:
                face = _FACE_OF[places]
                ace -= np.where(places == _RANKS, 1, face == 0)
                ten -= np.where(places == _RANKS + 9, 1, (face >= 9) & (face < 13))
            left = pool.size - len(self.places)
        both = 2 * ace * ten / (left * (left - (pool.size is not None)) or 1)
        zero = np.zeros_like(both)
        given: Floats = np.choose(
            self.dealer, [both, ten / (left or 1), ace / (left or 1), zero, zero + 1, zero]
        )
        return given


def _add_up(outcome: NDArray[np.int64], chances: Floats, size: int) -> Floats:
    return np.bincount(outcome, chances, size).astype(np.float64)


def _is_ten(places: NDArray[np.int64]) -> NDArray[np.int64]:
    """Say of cards and faces whether they count ten; of ranks the chance needs no average."""
    face = _FACE_OF[places]
    return ((face >= 9) & (face < 13)).astype(np.int64)


def _count_earlier(
    columns: Sequence[NDArray[np.int64]], only: int | None = None
) -> tuple[Floats, ...]:
    """Count for each card the equal ones before it in its hand; `only` those of one value."""
    found = []
    for number, column in enumerate(columns):
        wanted = column if only is None else only
        equal = np.zeros(len(column))
        for earlier in columns[:number]:
            equal += earlier[: len(column)] == wanted
        found.append(equal)
    return tuple(found)


def compile_bet(bet: SideBet, rules: Rules) -> Payouts:
    """Return the hands that a bet pays; the rules say how the dealer plays.

    Raises: UnsupportedRuleError for a bet whose cards depend on how hands are played, and for one
    with too many hands.
    """
    if bet.if_drawn:
        reason = f"whether {NEXT} is drawn depends on how the hand is played; simulate it"
        raise UnsupportedRuleError(ENGINE, f"side bet {bet.name}, if_drawn", reason)
    if not bet.is_on_dealer:
        return _compile_cards(bet)
    if rules.dealer_rule is not DealerRule.TO_17:
        reason = "the dealer's final hand depends on the player's"
        raise UnsupportedRuleError(ENGINE, f"dealer_rule={rules.dealer_rule}", reason)
    dealer = Rules(soft_17=rules.soft_17, ace_rule=rules.ace_rule, max_hands=1)
    return _compile_dealer(bet, dealer)


def _refuse(bet: SideBet, hands: int) -> UnsupportedRuleError:
    reason = f"its rows distinguish {hands:,} hands, too many; simulate it"
    return UnsupportedRuleError(ENGINE, f"side bet {bet.name}", reason)


def _kinds_of(bet: SideBet) -> tuple[int, tuple[Card, ...]]:
    """Return the first place in the pool of the cards that a bet distinguishes, and these cards."""
    if bet.needs_suits:
        return 0, DECK
    clubs = DECK[: len(FACES)]
    return (_FACES, clubs) if bet.needs_faces else (_RANKS, clubs[:TEN])


@lru_cache(maxsize=64)
def _compile_cards(bet: SideBet) -> Payouts:
    first, cards = _kinds_of(bet)
    classes = bet.alike_places()
    hands_of = [comb(len(cards) + len(one) - 1, len(one)) for one in classes]
    if prod(hands_of) > _MOST_HANDS:
        raise _refuse(bet, prod(hands_of))
    groups = [
        np.array(list(combinations_with_replacement(range(len(cards)), len(one))))
        for one in classes
    ]
    grid = np.indices(hands_of).reshape(len(groups), -1)
    hands = np.empty((grid.shape[1], len(bet.names)), dtype=np.int64)
    ways = np.ones(len(hands))
    for names, group, chosen in zip(classes, groups, grid, strict=True):
        hands[:, list(names)] = group[chosen]
        repeats = [1 + column for column in _count_earlier(list(group.T))]
        ways *= (factorial(len(names)) / np.prod(repeats, axis=0))[chosen]
    turns = _turns(bet) if bet.needs_suits else [np.arange(len(cards))]
    code = np.min([_turn_hands(turn, groups, grid) for turn in turns], axis=0)
    _, example, same = np.unique(code, return_index=True, return_inverse=True)
    looked = [[cards[place] for place in hand] for hand in hands[example].tolist()]
    numbers: dict[tuple[int, ...], int] = {(): 0}
    found = [_number(numbers, bet, looked, natural=False)[same]]
    if bet.needs_natural:
        found.append(_number(numbers, bet, looked, natural=True)[same])
    pays = np.any(found, axis=0)
    hands = hands[pays]
    return Payouts(
        places=tuple(np.ascontiguousarray(first + column) for column in hands.T),
        ways=ways[pays],
        outcome=found[0][pays],
        with_natural=found[1][pays] if bet.needs_natural else None,
        dealer=_see_dealer(bet, hands, cards),
        outcomes=tuple(numbers),
        is_all=False,
    )


def _number(
    numbers: dict[tuple[int, ...], int],
    bet: SideBet,
    hands: Iterable[Sequence[Card]],
    *,
    natural: bool,
) -> NDArray[np.int64]:
    """Return the numbers of the outcomes of hands; new ones are added to `numbers`."""
    rows = (tuple(sorted(bet.find_rows(hand, has_natural=natural))) for hand in hands)
    return np.array([numbers.setdefault(row, len(numbers)) for row in rows], dtype=np.int64)


def _turn_hands(
    turn: NDArray[np.int64], groups: Sequence[NDArray[np.int64]], grid: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Return the numbers of hands after an exchange of suits; `grid` has those of their groups."""
    code = np.zeros(grid.shape[1], dtype=np.int64)
    for group, chosen in zip(groups, grid, strict=True):
        weights = len(turn) ** np.arange(group.shape[1])[::-1]
        numbers = np.searchsorted(group @ weights, np.sort(turn[group], axis=1) @ weights)
        code = code * len(group) + numbers[chosen]
    return code


def _turns(bet: SideBet) -> Iterator[NDArray[np.int64]]:
    """Iterate over the exchanges of suits that change no row, as places of the exchanged cards."""
    for new in bet.list_turns():
        yield np.array([DECK.index(Card(one.face + new[one.suit])) for one in DECK])


def _see_dealer(bet: SideBet, hands: NDArray[np.int64], cards: Sequence[Card]) -> NDArray[np.int64]:
    if not bet.needs_natural:
        return np.zeros(0, dtype=np.int64)
    ranks = np.array([card.rank for card in cards])
    seen = [
        ranks[hands[:, bet.names.index(name)]] for name in ("upcard", HOLE) if name in bet.names
    ]
    if not seen:
        return np.full(len(hands), _UNSEEN)
    if len(seen) == 1:
        return np.where(seen[0] == ACE, _ACE, np.where(seen[0] == TEN, _TEN, _OTHER))
    is_natural = (np.minimum(*seen) == ACE) & (np.maximum(*seen) == TEN)
    return np.where(is_natural, _NATURAL, _NONE)


@lru_cache(maxsize=8)
def _final_hands(rules: Rules) -> tuple[tuple[Places, Rank, int], ...]:
    """Return the dealer's final hands: ranks before the last card, the last, and their orders."""
    next_state, draws = hand_table(rules.ace_rule).next_state, drawing_states(rules, None)
    final: Counter[tuple[Places, Rank]] = Counter()
    still: Counter[tuple[Places, int]] = Counter({((), EMPTY_HAND): 1})
    while still:
        longer: Counter[tuple[Places, int]] = Counter()
        for (ranks, state), orders in still.items():
            for rank in RANKS:
                after = next_state[state][rank]
                if ranks and (after == NO_STATE or not draws[after]):
                    final[ranks, rank] += orders
                else:
                    longer[tuple(sorted((*ranks, rank))), after] += orders
        still = longer
    return tuple((ranks, last, orders) for (ranks, last), orders in final.items())


@lru_cache(maxsize=64)
def _compile_dealer(bet: SideBet, rules: Rules) -> Payouts:
    fine = [_coarsen(row) for row in bet.rows if _is_fine(bet, row)]
    found: list[tuple[Places, float, tuple[int, ...]]] = []
    suited = 0
    for ranks, last, orders in _final_hands(rules):
        natural = len(ranks) == 1 and {*ranks, last} == {ACE, TEN}
        cards = [Card(FACES[rank - 1] + SUITS[0]) for rank in (*ranks, last)]
        if not any(test(cards) for test in fine):
            places = tuple(_RANKS + rank - 1 for rank in (*ranks, last))
            found.append((places, orders, bet.find_rows(cards, has_natural=natural)))
            continue
        for places, ways in _deal_kinds(ranks, last, has_suits=bet.needs_suits):
            suited += 1
            if suited > _MOST_SUITED:
                raise _refuse(bet, suited)
            first = 0 if bet.needs_suits else _FACES
            cards = [DECK[place - first] for place in places]
            found.append((places, orders * ways, bet.find_rows(cards, has_natural=natural)))
    found.sort(key=lambda one: -len(one[0]))
    numbers: dict[tuple[int, ...], int] = {(): 0}
    outcome = [numbers.setdefault(tuple(sorted(rows)), len(numbers)) for *_, rows in found]
    longest = len(found[0][0])
    return Payouts(
        places=tuple(
            np.array([places[number] for places, *_ in found if len(places) > number])
            for number in range(longest)
        ),
        ways=np.array([ways for _, ways, _ in found], dtype=np.float64),
        outcome=np.array(outcome, dtype=np.int64),
        with_natural=None,
        dealer=np.zeros(0, dtype=np.int64),
        outcomes=tuple(numbers),
        is_all=True,
    )


def _is_fine(bet: SideBet, row: PayRow) -> bool:
    """Whether a row asks for suits or faces."""
    alone = replace(bet, rows=(row,))
    return alone.needs_suits or alone.needs_faces


def _coarsen(row: PayRow) -> Test:
    """Return a test by ranks alone that fits wherever a row can."""
    words = []
    for word, value in row.words:
        if word == "same_rank":
            words.append(("same_value", value))
        elif word in ("ranks", "exact"):
            wanted = [one.face if isinstance(one, Card) else one for one in value]
            words.append(("ranks", tuple(ANY_TEN if one in "TJQK" else one for one in wanted)))
        elif word == "last":
            words.append((word, ANY_TEN if value in "TJQK" else value))
        elif word in ("total", "ace", "size", "same_value"):
            words.append((word, value))
    return replace(row, words=tuple(words)).make_test()


def _deal_kinds(ranks: Places, last: Rank, *, has_suits: bool) -> Iterator[tuple[Places, int]]:
    """Iterate over what the cards of a dealer's hand can be, with the number of their orders."""
    faces = {rank: tuple(range(rank - 1, rank if rank < TEN else 13)) for rank in RANKS}
    kinds = {
        rank: tuple(13 * suit + face for suit in range(4) for face in own)
        if has_suits
        else tuple(_FACES + face for face in own)
        for rank, own in faces.items()
    }
    groups = [
        list(combinations_with_replacement(kinds[rank], number))
        for rank, number in Counter(ranks).items()
    ]
    for chosen in product(*groups):
        ways = prod(
            factorial(len(group)) // prod(map(factorial, Counter(group).values()))
            for group in chosen
        )
        for end in kinds[last]:
            yield (*(place for group in chosen for place in group), end), ways
