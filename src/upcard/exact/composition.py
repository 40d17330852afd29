"""The cards of a shoe and of hands, read from text, and the two-card hands dealt from a shoe."""

import math
import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations_with_replacement
from typing import Final, TypeAlias

from upcard.core.cards import ACE, RANKS, TEN, Card, Rank, parse_cards, rank_name, read_rank
from upcard.core.errors import NotationError, RulesError, quote
from upcard.core.hands import BUST_LIMIT
from upcard.core.numbers import whole_number
from upcard.rules.deck import DECK_SIZE, SHORT_DECK_SIZE, full_shoe
from upcard.rules.model import Rules
from upcard.rules.settings import MOST_DECKS, SplitBy
from upcard.strategy.chart import HAND_LABELS, HARD_LABELS

Counts: TypeAlias = tuple[int, ...]
"""Eleven entries: the number of cards of each rank, entry 0 unused."""
ShoeLike: TypeAlias = str | Mapping[int | str, int] | Iterable[int] | None

TWO_CARD_HANDS: Final = tuple(combinations_with_replacement(RANKS, 2))
MOST_CARDS: Final = full_shoe(MOST_DECKS).size
_LESS: Final = re.compile(
    rf"\s*([0-9]+)\s*D({SHORT_DECK_SIZE})?\s*(?:less\s+(.*))?", re.IGNORECASE | re.DOTALL
)
_NUMBERS: Final = re.compile(r"\s*[0-9]+(?:[\s,]+[0-9]+){9}\s*")
_POSSIBLE: Final = (
    "write '6D', '6D48', '6D less T T 5', ten numbers of cards (ace, 2 to 9, ten-valued), or a"
    " mapping of ranks to numbers"
)


def read_shoe(shoe: ShoeLike, rules: Rules) -> Counts:
    """Read a shoe; None is the full decks of `rules`."""
    if shoe is None:
        return rules.full_shoe.counts
    if isinstance(shoe, str):
        counts = _read_text(shoe, rules)
    elif isinstance(shoe, Mapping):
        counts = _read_mapping(shoe)
    else:
        counts = (0, *shoe) if hasattr(shoe, "__iter__") else ()
    is_whole = all(type(count) is int and count >= 0 for count in counts)
    if len(counts) != 11 or not is_whole or not 0 < sum(counts) <= MOST_CARDS:
        raise NotationError(f"a shoe of {quote(shoe)}: {_POSSIBLE}; from 1 to {MOST_CARDS} cards")
    return counts


def remove_cards(counts: Counts, ranks: Iterable[Rank]) -> Counts:
    """Return the shoe without these cards."""
    left = list(counts)
    for rank in ranks:
        left[rank] -= 1
        if left[rank] < 0:
            there = counts[rank]
            raise RulesError(
                f"the shoe has {there} card{'' if there == 1 else 's'} of rank {rank_name(rank)},"
                " and more are asked for"
            )
    return tuple(left)


def deal_two_cards(
    shoe: tuple[float, ...], upcard: Rank
) -> Iterator[tuple[tuple[Rank, Rank], float]]:
    """Iterate over the two-card hands possible with an upcard, with their chances."""
    left = list(shoe)
    left[upcard] -= 1
    cards = math.fsum(left)
    for first, second in TWO_CARD_HANDS:
        if first == second:
            chance = left[first] * (left[first] - 1) / (cards * (cards - 1))
        else:
            chance = 2 * left[first] * left[second] / (cards * (cards - 1))
        if chance:
            yield (first, second), chance


def describe_shoe(counts: Counts, deck_size: int = DECK_SIZE) -> str:
    """Write a shoe as full decks less the missing cards, or as numbers by rank."""
    for decks in range(1, MOST_DECKS + 1):
        full = full_shoe(decks, deck_size)
        missing = [full.counts[rank] - counts[rank] for rank in RANKS]
        if min(missing) >= 0:
            names = " ".join(rank_name(rank) for rank in RANKS for _ in range(missing[rank - 1]))
            return f"{full} less {names}" if names else str(full)
    return " ".join(str(counts[rank]) for rank in RANKS)


def _read_text(text: str, rules: Rules) -> Counts:
    if _NUMBERS.fullmatch(text):
        numbers = [whole_number(word) for word in text.replace(",", " ").split()]
        return (0, *(MOST_CARDS + 1 if number is None else number for number in numbers))
    match = _LESS.fullmatch(text)
    decks = whole_number(match[1]) if match else None
    if match is None or decks is None or not 1 <= decks <= MOST_DECKS:
        raise NotationError(f"a shoe of {quote(text)}: {_POSSIBLE}")
    cards = parse_cards(match[3] or "")
    shoe = full_shoe(decks, SHORT_DECK_SIZE if match[2] else DECK_SIZE)
    if shoe.deck_size != rules.deck_size and not (match[2] and rules.split_by is SplitBy.VALUE):
        asked = full_shoe(decks, rules.deck_size)
        raise NotationError(
            f"a shoe of {quote(text)}: the decks of these rules have {rules.deck_size} cards; write"
            f" '{asked}', or ten numbers of cards"
        )
    try:
        return remove_cards(shoe.counts, (card.rank for card in cards))
    except RulesError as error:
        raise NotationError(f"a shoe of {quote(text)}: {error}") from None


def _read_mapping(shoe: Mapping[int | str, int]) -> Counts:
    counts = [0] * 11
    for name, count in shoe.items():
        counts[read_rank(name, "a shoe with rank")] += count
    return tuple(counts)


_COMPACT: Final = re.compile(r"(?:(?:10|[2-9TJQKA])[CDHS♣♦♥♠]?)+")
_TOTAL: Final = re.compile(r"(?:(hard|soft)\s*)?([0-9]{1,2})", re.IGNORECASE)
_ONE_CARD: Final = re.compile(r"(?:10|[2-9TJQKA])[CDHS♣♦♥♠]?")


def read_hand(hand: str | Iterable[Rank]) -> tuple[tuple[Rank, ...], bool]:
    """Return a hand's ranks, and whether all its cards may have one face.

    A hard total stands for any two cards that make it and are not a pair.
    """
    if not isinstance(hand, str):
        ranks = tuple(hand) if hasattr(hand, "__iter__") else ()
        if len(ranks) < 2 or any(rank not in RANKS for rank in ranks):
            raise NotationError(f"hand {hand!r}: two or more ranks, each from 1 (ace) to 10")
        return ranks, len(set(ranks)) == 1
    label = hand.strip().upper()
    if label in HARD_LABELS:
        total = int(label)
        low = 2 if total - 2 <= TEN and total != 4 else total - TEN
        return (low, total - low), False
    if label in HAND_LABELS:
        cards = _split_label(label)
    elif _COMPACT.fullmatch(label):
        cards = parse_cards(_ONE_CARD.findall(label))
    else:
        cards = parse_cards(label)
    if len(cards) < 2:
        msg = f"hand {hand!r}: write two or more cards, as T6, or a row of a chart, as 16 or 88"
        raise NotationError(msg)
    return tuple(card.rank for card in cards), len({card.face for card in cards}) == 1


def read_total(text: str) -> tuple[str, ...]:
    """Return the hands of two cards of a total, as `16`, `hard 16` or `soft 18`.

    Empty if the text is not a total. A bare number of one digit is one, since it is not a hand.

    >>> read_total("16"), read_total("soft 18"), read_total("88")
    (('T 6', '9 7', '8 8'), ('A 7',), ())
    """
    match = _TOTAL.fullmatch(text.strip())
    if match is None:
        return ()
    kind, total = match[1], int(match[2])
    if not kind and not int(HARD_LABELS[0]) <= total <= BUST_LIMIT:
        return ()
    if kind and kind.lower() == "soft":
        pairs = [(ACE, total - BUST_LIMIT + TEN)]
    else:
        pairs = [(total - low, low) for low in range(2, total // 2 + 1)]
    hands = tuple(
        f"{rank_name(high)} {rank_name(low)}"
        for high, low in pairs
        if 1 <= low <= TEN and high <= TEN
    )
    if not hands:
        raise NotationError(f"hand {text!r}: two cards make hard 4 to 20, or soft 12 to 21")
    return hands


def _split_label(label: str) -> tuple[Card, ...]:
    """Return the two cards of a soft or pair row."""
    first = label[: len(label) // 2]
    return (Card(first), Card(label[len(first) :]))
