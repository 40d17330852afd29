"""Suits and faces for the cards of a question, which have none of their own."""

from __future__ import annotations

import random

from upcard.core.cards import DECK, Card


def dress(card: Card, rng: random.Random) -> Card:
    """Return a card that a card without a suit stands for."""
    return rng.choice([one for one in DECK if stands_for(card, one)])


def stands_for(card: Card, one: Card) -> bool:
    """Whether a card of a question, which has no suit, stands for one of the deck."""
    if card.suit:
        return one is card
    # T without a suit is any ten-valued card; where faces matter the others are written.
    return one.rank == card.rank and card.face in ("T", one.face)
