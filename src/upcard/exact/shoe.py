"""Cards of a shoe by rank: full decks, or what is left of them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final, TypeAlias

from upcard.core.cards import RANKS, Rank, parse_cards, rank_name, read_rank
from upcard.core.errors import NotationError, RulesError, quote
from upcard.core.numbers import whole_number
from upcard.rules.model import Rules
from upcard.rules.settings import MOST_DECKS

Counts: TypeAlias = tuple[int, ...]
"""Eleven entries: the number of cards of each rank, entry 0 unused."""
ShoeLike: TypeAlias = str | Mapping[int | str, int] | Iterable[int] | None

MOST_CARDS: Final = MOST_DECKS * 52
_LESS: Final = re.compile(r"\s*([0-9]+)\s*D\s*(?:less\s+(.*))?", re.IGNORECASE | re.DOTALL)
_NUMBERS: Final = re.compile(r"\s*[0-9]+(?:[\s,]+[0-9]+){9}\s*")
_POSSIBLE: Final = (
    "write '6D', '6D less T T 5', ten numbers of cards (ace, 2 to 9, ten-valued), or a mapping"
    " of ranks to numbers"
)


def read_shoe(shoe: ShoeLike, rules: Rules) -> Counts:
    """Read a shoe; None is the full decks of `rules`.

    Raises: NotationError if it is invalid or empty, or if more cards leave it than it has.
    """
    if shoe is None:
        return full_decks(rules.decks or 1)
    if isinstance(shoe, str):
        counts = _read_text(shoe)
    elif isinstance(shoe, Mapping):
        counts = _read_mapping(shoe)
    else:
        counts = (0, *shoe)
    is_whole = all(type(count) is int and count >= 0 for count in counts)
    if len(counts) != 11 or not is_whole or not 0 < sum(counts) <= MOST_CARDS:
        raise NotationError(f"a shoe of {quote(shoe)}: {_POSSIBLE}; from 1 to {MOST_CARDS} cards")
    return counts


def full_decks(decks: int) -> Counts:
    """Return the cards of `decks` full decks."""
    return (0, *(4 * decks for _ in range(9)), 16 * decks)


def remove_cards(counts: Counts, ranks: Iterable[Rank]) -> Counts:
    """Return the shoe without these cards. Raises: RulesError naming a rank with too few cards."""
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


def describe_shoe(counts: Counts) -> str:
    """Write a shoe as full decks less the missing cards, or as numbers by rank."""
    for decks in range(1, 9):
        full = full_decks(decks)
        missing = [full[rank] - counts[rank] for rank in RANKS]
        if min(missing) >= 0:
            names = " ".join(rank_name(rank) for rank in RANKS for _ in range(missing[rank - 1]))
            return f"{decks}D less {names}" if names else f"{decks}D"
    return " ".join(str(counts[rank]) for rank in RANKS)


def _read_text(text: str) -> Counts:
    if _NUMBERS.fullmatch(text):
        numbers = [whole_number(word) for word in text.replace(",", " ").split()]
        return (0, *(MOST_CARDS + 1 if number is None else number for number in numbers))
    match = _LESS.fullmatch(text)
    decks = whole_number(match[1]) if match else None
    if match is None or decks is None or not 1 <= decks <= MOST_DECKS:
        raise NotationError(f"a shoe of {quote(text)}: {_POSSIBLE}")
    cards = parse_cards(match[2] or "")
    try:
        return remove_cards(full_decks(decks), (card.rank for card in cards))
    except RulesError as error:
        raise NotationError(f"a shoe of {quote(text)}: {error}") from None


def _read_mapping(shoe: Mapping[int | str, int]) -> Counts:
    counts = [0] * 11
    for name, count in shoe.items():
        counts[read_rank(name, "a shoe with rank")] += count
    return tuple(counts)
