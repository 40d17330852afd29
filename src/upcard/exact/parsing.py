"""Parsing of hands and upcards."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from upcard.core.cards import ACE, RANKS, TEN, Card, Rank, parse_cards
from upcard.core.errors import NotationError
from upcard.strategy.chart import HAND_LABELS, HARD_LABELS, UPCARD_LABELS

_COMPACT: Final = re.compile(r"(?:(?:10|[2-9TJQKA])[CDHS♣♦♥♠]?)+")
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


def read_upcard(upcard: str | Rank) -> Rank:
    """Return the rank of an upcard given as a card, a chart's column or a rank.

    Raises: NotationError for anything else.
    """
    if isinstance(upcard, str):
        return Card(upcard).rank
    if upcard not in RANKS:
        msg = f"upcard {upcard!r}: a rank from {ACE} (ace) to {TEN}, or {' '.join(UPCARD_LABELS)}"
        raise NotationError(msg)
    return upcard


def _split_label(label: str) -> tuple[Card, ...]:
    """Return the two cards of a soft or pair row."""
    first = label[: len(label) // 2]
    return (Card(first), Card(label[len(first) :]))
