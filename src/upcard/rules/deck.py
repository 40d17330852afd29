"""The cards of a deck, and of the full shoe of one or more decks.

Two kinds of deck are known, by their number of cards: 52, and 48, from which the four tens are
taken out; jacks, queens and kings stay (Spanish 21). Everything that depends on the cards of a game
asks `Rules.full_shoe`; what is about the ordinary deck alone asks `STANDARD_DECK`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from upcard.core.cards import DECK, FACES, RANKS, SUITS, TEN, Card

DECK_SIZE: Final = len(DECK)
"""Cards of an ordinary deck."""
SHORT_DECK_SIZE: Final = DECK_SIZE - len(SUITS)
"""Cards of a deck without the tens."""
DECK_SIZES: Final = (SHORT_DECK_SIZE, DECK_SIZE)


@dataclass(frozen=True, slots=True)
class FullShoe:
    """All the cards of whole decks, before the first is dealt; a deck is the shoe of one.

    >>> from upcard.rules.deck import FullShoe
    >>> shoe = FullShoe(6, 48)
    >>> str(shoe), shoe.size, shoe.counts[10], FullShoe().size
    ('6D48', 288, 72, 52)
    """

    decks: int = 1
    """Number of decks."""
    deck_size: int = DECK_SIZE
    """Cards of each deck, 52 or 48."""
    cards: tuple[Card, ...] = field(init=False, repr=False, compare=False)
    """Every card, deck by deck; in a deck clubs, diamonds, hearts and spades, each from the ace."""
    counts: tuple[int, ...] = field(init=False, repr=False, compare=False)
    """Number of cards of each rank. Shape: 11 entries, entry 0 unused."""
    faces: tuple[int, ...] = field(init=False, repr=False, compare=False)
    """Number of cards of each face. Shape: 13 entries, ace to king; no ten in a deck of 48."""

    def __post_init__(self) -> None:
        """List and count the cards."""
        missing = FACES[TEN - 1] if self.deck_size == SHORT_DECK_SIZE else ""
        cards = [card for card in DECK if card.face != missing] * self.decks
        ranks, faces = [card.rank for card in cards], [card.face for card in cards]
        object.__setattr__(self, "cards", tuple(cards))
        object.__setattr__(self, "counts", (0, *map(ranks.count, RANKS)))
        object.__setattr__(self, "faces", tuple(map(faces.count, FACES)))

    @property
    def size(self) -> int:
        """Number of cards."""
        return self.decks * self.deck_size

    @property
    def ten_faces(self) -> int:
        """Number of faces that are worth ten, all equally frequent: 4, or 3 without the tens."""
        return sum(count > 0 for count in self.faces[TEN - 1 :])

    def __str__(self) -> str:
        """Write the decks in the rules notation: `6D`, `6D48`."""
        return f"{self.decks}D{'' if self.deck_size == DECK_SIZE else self.deck_size}"

    @property
    def in_words(self) -> str:
        """The number of decks: `6 decks`, `1 deck`, `6 decks of 48`."""
        kind = "" if self.deck_size == DECK_SIZE else f" of {self.deck_size}"
        return f"{self.decks} deck{'s' * (self.decks != 1)}{kind}"


@lru_cache(maxsize=32)
def full_shoe(decks: int = 1, deck_size: int = DECK_SIZE) -> FullShoe:
    """Return the full shoe of some decks, made once."""
    return FullShoe(decks, deck_size)


STANDARD_DECK: Final = full_shoe()
"""The ordinary deck of 52 cards."""
