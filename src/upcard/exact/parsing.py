"""Parsing of hands and upcards."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from upcard.core.cards import ACE, RANKS, TEN, Card, Rank, parse_cards, rank_name
from upcard.core.errors import NotationError
from upcard.core.hands import BUST_LIMIT
from upcard.strategy.chart import HAND_LABELS, HARD_LABELS

_COMPACT: Final = re.compile(r"(?:(?:10|[2-9TJQKA])[CDHS♣♦♥♠]?)+")
_TOTAL: Final = re.compile(r"(?:(hard|soft)\s*)?([0-9]{1,2})", re.IGNORECASE)
_ONE_CARD: Final = re.compile(r"(?:10|[2-9TJQKA])[CDHS♣♦♥♠]?")


def read_hand(hand: str | Iterable[Rank]) -> tuple[tuple[Rank, ...], bool]:
    """Return a hand's ranks, and whether all its cards may have one face.

    A hard total stands for any two cards that make it and are not a pair.

    Raises: NotationError unless it is a hand of two or more cards.
    """
    if not isinstance(hand, str):
        ranks = tuple(hand)
        if len(ranks) < 2 or any(rank not in RANKS for rank in ranks):
            raise NotationError(f"hand {ranks!r}: two or more ranks, each from 1 (ace) to 10")
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

    Empty if the text is no total. A bare number of one digit is one, since it is no hand.

    Raises: NotationError for a total that no two cards make.

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
