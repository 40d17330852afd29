"""Side bets for the simulator: their outcomes, and tables by which its loop finds them.

`SideBet.find_rows` decides every entry of a table, so that the loop pays what the table pays.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate, combinations_with_replacement, permutations, product
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from upcard.core.cards import FACES, TEN, Card
from upcard.core.errors import UnsupportedRuleError
from upcard.core.hands import BUST_LIMIT
from upcard.kernels.jit import Bytes
from upcard.rules import side_bets
from upcard.rules.model import Rules
from upcard.rules.predicates import busts_live, may_act_doubled
from upcard.rules.side_bets import SideBet, bets_on_hidden
from upcard.simulation.kernels import loop_codes, side_results
from upcard.simulation.kernels.game import KINDS, RANK_OF_KIND, LoweredGame

_ENGINE: Final = "simulator"
_SUITS: Final = "DHCS"
"""Suits in the order of a deck, red ones first."""
_RED_SUITS: Final = 2
_SEVEN: Final = 6
_MOST_OUTCOMES: Final = 255
_MOST_SIZE: Final = 32
"""More than the cards of any dealer's hand."""
_LOOK_OF: Final = {
    "player1": side_results.PLAYER_1,
    "player2": side_results.PLAYER_2,
    side_bets.UPCARD: side_results.UPCARD,
    side_bets.HOLE: side_results.HOLE,
    side_bets.NEXT: side_results.NEXT,
}
_GROUP_WORDS: Final = ("same_rank", "same_value", "same_suit", "same_colour", "run", "between")
_MOST_SQUARES: Final = 2**62


def write_card(number: int, *, has_red_7: bool = False) -> int:
    """Return the byte of a card of a deck, numbered by suit and face."""
    suit, face = divmod(number, len(FACES))
    kind, ten = min(face, TEN - 1), max(face - TEN + 1, 0)
    if has_red_7 and kind == _SEVEN and suit < _RED_SUITS:
        kind = loop_codes.RED_7
    return kind | suit << side_results.SUIT_SHIFT | ten << side_results.FACE_SHIFT


_DECK: Final = tuple(Card(f"{face}{suit}") for suit, face in product(_SUITS, FACES))
CARD_OF_BYTE: Final = {
    write_card(number, has_red_7=has_red_7): card
    for number, card in enumerate(_DECK)
    for has_red_7 in (False, True)
}
"""Cards by their bytes."""


class SideBetOutcome(NamedTuple):
    """A possible result of a side bet."""

    name: str
    net: Fraction
    """Per unit bet."""


@lru_cache(maxsize=128)
def list_outcomes(bet: SideBet) -> tuple[SideBetOutcome, ...]:
    """Return the outcomes of a bet, the loss first.

    Raises: UnsupportedRuleError for more than a byte can number.
    """
    found = dict.fromkeys(_outcome(bet, rows) for rows in _row_sets(bet))
    if len(found) > _MOST_OUTCOMES:
        reason = f"it has {len(found)} outcomes, and {_MOST_OUTCOMES} are counted"
        raise UnsupportedRuleError(_ENGINE, f"side bet {bet.code}", reason)
    return tuple(found)


def _row_sets(bet: SideBet) -> Iterator[tuple[int, ...]]:
    numbers = range(len(bet.rows))
    for size in range((len(bet.for_each) or 1) + 1):
        yield from combinations_with_replacement(numbers, size)


def _outcome(bet: SideBet, rows: Iterable[int]) -> SideBetOutcome:
    ordered = tuple(sorted(rows))
    return SideBetOutcome(bet.name_rows(ordered), bet.pays(ordered))


@lru_cache(maxsize=128)
def number_results(bet: SideBet) -> dict[tuple[str, Fraction], int]:
    """Return the number of the outcome for each name of rows, with its net, as a table says it."""
    numbers = {outcome: number for number, outcome in enumerate(list_outcomes(bet))}
    return {
        (bet.name_rows(order), bet.pays(order)): numbers[_outcome(bet, rows)]
        for rows in _row_sets(bet)
        for order in permutations(rows)
    }


class LoweredSide(NamedTuple):
    """The side bets of a house for the loop."""

    tables: side_results.SideTables
    bets: tuple[SideBet, ...]
    unit: int
    """Nets are whole numbers of 1/unit of a bet."""


def find_side_unit(bets: Iterable[SideBet]) -> int:
    """Return the unit of which the nets of all outcomes are whole numbers."""
    return math.lcm(*(outcome.net.denominator for bet in bets for outcome in list_outcomes(bet)))


def find_unsupported_bets(rules: Rules) -> Iterator[tuple[str, str]]:
    """Iterate over the side bets that the compiled loop cannot settle, with the reasons."""
    for bet in rules.side_bets:
        if bet.if_drawn:
            yield f"side bet {bet.code}", "it does not follow which hand draws a card"
        elif bet.is_on_dealer and not all(_is_short(row) for row in bet.rows if _is_grouped(row)):
            reason = "it knows the cards of a dealer's hand of three at most; name its size"
            yield f"side bet {bet.code}", reason


def _is_grouped(row: side_bets.PayRow) -> bool:
    return any(row.get(word) is not None for word in (*_GROUP_WORDS, "ranks", "exact"))


def _is_short(row: side_bets.PayRow) -> bool:
    size = row.get("size")
    cards = row.get("ranks") or row.get("exact")
    most = len(cards) if cards else None if size is None else size.most
    return most is not None and most <= side_results.SHORT


class _LookUp(NamedTuple):
    """Outcomes by looks, an axis each, with the numbers of values that occur by axis."""

    looks: tuple[int, ...]
    classes: tuple[tuple[int, ...], ...]
    """By axis: the class of each of the values 0 to 255."""
    outcomes: Bytes


def lower_side_bets(
    rules: Rules,
    game: LoweredGame,
    deck: Bytes,
    chunk_rounds: int,
    bonus_of: Bytes,
    worths: NDArray[np.int32],
) -> LoweredSide:
    """Lower the side bets of a house, which may have none, and what else only some houses have.

    Raises: UnsupportedRuleError for pays whose squares do not fit the sums of a chunk.
    """
    bets = rules.side_bets
    unit = find_side_unit(bets)
    all_nets = (outcome.net for bet in bets for outcome in list_outcomes(bet))
    most = max(all_nets, default=Fraction(0)) * unit * game.spots
    if most**2 * chunk_rounds > _MOST_SQUARES:
        reason = f"its sums do not hold a pay of {int(most):,} units of 1/{unit}"
        raise UnsupportedRuleError(_ENGINE, "a side bet", reason)
    width = max((len(list_outcomes(bet)) for bet in bets), default=1)
    net = np.full((len(bets), width), -unit, np.int64)
    for place, bet in enumerate(bets):
        nets = [int(outcome.net * unit) for outcome in list_outcomes(bet)]
        net[place, : len(nets)] = nets
    by_bet = [table for bet in bets for table in _tabulate(bet, game)]
    tables = list({id(table): table for table in by_bet}.values())
    places = [next(place for place, one in enumerate(tables) if one is table) for table in by_bet]
    first = _starts(len(table.looks) for table in tables)
    starts = _starts(table.outcomes.size for table in tables)
    offsets = [
        np.array(classes, np.int32) * stride
        for table in tables
        for classes, stride in zip(table.classes, _strides(table.outcomes), strict=True)
    ]
    outcomes = _join([table.outcomes.ravel() for table in tables], np.uint8)
    plays_out, needs_second, needs_next = bets_on_hidden(bets)
    return LoweredSide(
        side_results.SideTables(
            deck=deck,
            bonus_of=bonus_of,
            asks_doubled=int(may_act_doubled(rules, 1)),
            busts_live=sum(busts_live(rules, up) << kind for kind, up in enumerate(RANK_OF_KIND)),
            worths=worths,
            plays_out=int(plays_out),
            needs_second=int(needs_second),
            needs_next=int(needs_next),
            bets=len(bets),
            width=width,
            looks=np.array([first[place + end] for place in places for end in (0, 1)], np.int64),
            look=np.array([look for table in tables for look in table.looks], np.int64),
            offset=_join(offsets, np.int32),
            start=starts[places],
            outcome=outcomes,
            pays=np.packbits(outcomes != 0, bitorder="little"),
            net=net.ravel(),
        ),
        bets,
        unit,
    )


def _join(arrays: list[NDArray[Any]], kind: type[np.integer]) -> NDArray[Any]:
    return np.concatenate([np.zeros(0, kind), *arrays])


def _strides(table: Bytes) -> list[int]:
    return [math.prod(table.shape[axis + 1 :]) for axis in range(table.ndim)]


def _starts(sizes: Iterable[int]) -> NDArray[np.int64]:
    return np.array([0, *accumulate(sizes)], np.int64)


def _tabulate(bet: SideBet, game: LoweredGame) -> tuple[_LookUp, _LookUp]:
    """Return the tables of a bet: for any hand of the dealer, and for a short one."""
    if not bet.is_on_dealer:
        table = _tabulate_cards(bet)
        return table, table
    is_hole_first = bool(game.has_hole and game.hole_at < game.up_at)
    long = _tabulate_long(bet, game)
    if not any(_is_grouped(row) for row in bet.rows):
        return long, long
    return long, _tabulate_short(bet, game, is_hole_first=is_hole_first)


def _sort_cards(bet: SideBet) -> tuple[list[Card], list[int]]:
    """Return a card of each class that a bet distinguishes, and the class of each byte."""
    classes: dict[tuple[str, str], Card] = {}
    numbers = [0] * side_results.BYTES
    for byte, card in CARD_OF_BYTE.items():
        face = card.face if bet.needs_faces else FACES[card.rank - 1]
        key = (face, card.suit if bet.needs_suits else "")
        classes.setdefault(key, card)
        numbers[byte] = list(classes).index(key)
    return list(classes.values()), numbers


@lru_cache(maxsize=64)
def _tabulate_cards(bet: SideBet) -> _LookUp:
    """Return the table of a bet on named cards."""
    cards, numbers = _sort_cards(bet)
    looks = [_LOOK_OF[name] for name in bet.names]
    classes = [numbers] * len(looks)
    naturals = (False, True) if bet.needs_natural else (False,)
    rows = np.stack([_find_all(bet, cards, has_natural=one) for one in naturals], axis=-1)
    if bet.needs_natural:
        looks.append(side_results.NATURAL)
        classes = [*classes, list(range(side_results.BYTES))]
    else:
        rows = rows[..., 0]
    return _compress(looks, classes, rows)


def _find_all(bet: SideBet, cards: Sequence[Card], *, has_natural: bool) -> Bytes:
    """Return the outcome of every way to deal the cards of a bet."""
    outcomes = {outcome: number for number, outcome in enumerate(list_outcomes(bet))}
    if len(bet.for_each) > 1:
        # Each is tried for itself: the tables of one give that of all.
        single = replace(bet, for_each=bet.for_each[:1])
        own = _find_rows(single, cards, has_natural=has_natural)
        size, axes = len(bet.cards), len(bet.names)
        tried = range(axes - size)
        parts = [
            own.reshape(own.shape[:size] + tuple(len(cards) if one == each else 1 for one in tried))
            for each in tried
        ]
        base = len(bet.rows) + 1
        mixed = sum(part * base**each for each, part in enumerate(parts))
        known, places = np.unique(mixed, return_inverse=True)
        found = []
        for code in known.tolist():
            rows = [code // base**each % base - 1 for each in range(len(parts))]
            found.append(outcomes[_outcome(bet, [row for row in rows if row >= 0])])
        return np.array(found, np.uint8)[places].reshape(mixed.shape)
    own = _find_rows(bet, cards, has_natural=has_natural)
    number = [outcomes[_outcome(bet, ())]]
    number += [outcomes[_outcome(bet, (row,))] for row in range(len(bet.rows))]
    return np.array(number, np.uint8)[own]


def _find_rows(bet: SideBet, cards: Sequence[Card], *, has_natural: bool) -> NDArray[np.int64]:
    """Return for every way to deal cards the number of the row that fits, from 1; 0 for none."""
    axes = len(bet.names)
    rows = np.zeros((len(cards),) * axes, np.int64)
    is_ordered = bool(bet.for_each) or any(
        row.cards != bet.cards or row.get("between") is not None for row in bet.rows
    )
    every = range(len(cards))
    ways = product(every, repeat=axes) if is_ordered else combinations_with_replacement(every, axes)
    for way in ways:
        found = bet.find_rows([cards[place] for place in way], has_natural=has_natural)
        if found:
            for order in (way,) if is_ordered else set(permutations(way)):
                rows[order] = found[0] + 1
    return rows


def _compress(looks: Sequence[int], classes: Sequence[Sequence[int]], outcomes: Bytes) -> _LookUp:
    """Merge the values of each look that make no difference."""
    merged = []
    for axis, numbers in enumerate(classes):
        slices = np.moveaxis(outcomes, axis, 0).reshape(outcomes.shape[axis], -1)
        _, first, places = np.unique(slices, axis=0, return_index=True, return_inverse=True)
        last = len(places) - 1
        merged.append(tuple(int(places.ravel()[min(number, last)]) for number in numbers))
        outcomes = np.take(outcomes, first, axis=axis)
    return _LookUp(tuple(looks), tuple(merged), np.ascontiguousarray(outcomes))


def _number_hand(bet: SideBet, hand: Sequence[Card]) -> int:
    """Return the outcome of a bet on the dealer's final hand."""
    natural = len(hand) == 2 and side_bets.hand_total(hand) == BUST_LIMIT
    return list_outcomes(bet).index(_outcome(bet, bet.find_rows(hand, has_natural=natural)))


def _tabulate_long(bet: SideBet, game: LoweredGame) -> _LookUp:
    """Return the table by row, number of cards and last card of the dealer's hand.

    One hand stands for all that are alike in these. Rows about groups of cards fit short hands
    only, which have their own table.
    """
    cards, numbers = _sort_cards(bet)
    outcomes = np.zeros((game.rows, _MOST_SIZE, len(cards)), np.uint8)
    tens = [card for card in cards if card.rank == TEN]
    plain = [card for card in cards if card.rank != TEN]
    open_hands: dict[int, tuple[Card, ...]] = {}
    for first, second in product(cards, repeat=2):
        row = int(game.opening[(first.rank - 1) * KINDS + second.rank - 1])
        open_hands.setdefault(row, (first, second))
        outcomes[row, 2, cards.index(second)] = _number_hand(bet, (first, second))
    for size in range(3, _MOST_SIZE):
        longer: dict[int, tuple[Card, ...]] = {}
        for row, hand in open_hands.items():
            if game.stops[row]:
                continue
            for card in (*plain, *tens):
                after = int(game.next_row[row * KINDS + card.rank - 1])
                longer.setdefault(after, (*hand, card))
                if game.stops[after]:
                    outcomes[after, size, cards.index(card)] = _number_hand(bet, (*hand, card))
        open_hands = longer
    looks = (side_results.ROW, side_results.SIZE, side_results.LAST)
    every = range(side_results.BYTES)
    return _compress(looks, (every, every, numbers), outcomes)


def _tabulate_short(bet: SideBet, game: LoweredGame, *, is_hole_first: bool) -> _LookUp:
    """Return the table by the two or three cards of the dealer's hand."""
    cards, numbers = _sort_cards(bet)
    none = len(cards)
    outcomes = np.zeros((none, none, none + 1), np.uint8)
    for up, hole in product(range(none), repeat=2):
        hand = (cards[hole], cards[up]) if is_hole_first else (cards[up], cards[hole])
        row = int(game.opening[(hand[0].rank - 1) * KINDS + hand[1].rank - 1])
        if game.stops[row]:
            outcomes[up, hole, none] = _number_hand(bet, hand)
            continue
        for third, card in enumerate(cards):
            if game.stops[game.next_row[row * KINDS + card.rank - 1]]:
                outcomes[up, hole, third] = _number_hand(bet, (*hand, card))
    thirds = [*numbers[: side_results.NO_CARD], none]
    looks = (side_results.UPCARD, side_results.HOLE, side_results.THIRD)
    return _compress(looks, (numbers, numbers, thirds), outcomes)
