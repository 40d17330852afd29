"""`SeededShoe`: the shoes of an environment, shuffled by the simulator's generator."""

from __future__ import annotations

import random
from typing import Final

import numpy as np
from numpy.typing import NDArray

from upcard.core.cards import FACES, RANKS, Card
from upcard.core.errors import EmptyShoeError
from upcard.core.numbers import read_seed
from upcard.kernels.randomness import STATE_WORDS, draw_independently, seed_state, shuffle
from upcard.rules.model import Rules
from upcard.rules.settings import Shuffle

_CHUNK: Final = np.uint64(2**63)
"""No simulation has a chunk with this number."""
_AHEAD: Final = 12
_RED_FIRST: Final = "DHCS"
"""The simulator counts the first two sevens of a deck as red."""
_DECK: Final = tuple(Card(face + suit) for suit in _RED_FIRST for face in FACES)
_OF_RANK: Final = tuple(
    tuple(number for number, card in enumerate(_DECK) if card.rank == rank) for rank in RANKS
)
"""The cards of each rank, ace to ten, by their number in the deck."""


class SeededShoe:
    """Shoes 0, 1, 2, ... of a seed, the next of them when the cut card has come out.

    Shoe `j` is shuffled by the generator `seed_state(seed, 2**63, j)` of the simulator. Where the
    cards are shuffled every round, and with an infinite deck, every round has a shoe of its own.
    """

    def __init__(self, rules: Rules, seed: int) -> None:
        """Prepare shoe 0; the first round shuffles it. Raises: RulesError for an invalid seed."""
        self._seed = np.uint64(read_seed(seed))
        self._is_infinite = rules.is_infinite
        self._is_fresh = rules.is_infinite or rules.shuffle is Shuffle.EVERY_ROUND
        self._deck = np.array([*range(len(_DECK))] * (rules.decks or 0), np.uint8)
        self._cut = int(len(self._deck) * rules.penetration)
        tens = rules.ten_probability
        weights = 9 * tens.numerator, tens.denominator - tens.numerator
        self._weights = np.array(weights, np.int64)
        self._state = np.zeros(STATE_WORDS, np.uint64)
        self._faces = random.Random(self._seed.item())
        self._numbers: list[int] = []
        """The cards of this shoe so far, by their number in the deck."""
        self._ahead: list[int] = []
        self._round_start = 0
        self._has_run_out = False
        self.has_cut_card = not rules.is_infinite
        self.shuffles = 0
        """Number of shoes so far."""
        self.position = 0

    @property
    def cards_left(self) -> int | None:
        """Number of cards not dealt yet; None if they never run out."""
        return None if self._is_infinite else len(self._numbers) - self.position

    @property
    def is_cut_out(self) -> bool:
        """Whether the next round has another shoe."""
        if self._has_run_out or not self.shuffles:
            return True
        return self.position > 0 if self._is_fresh else self.position >= self._cut

    def end(self) -> None:
        """Leave the rest of this shoe: the next round has another."""
        self._has_run_out = True

    def start_round(self) -> bool:
        """Shuffle the next shoe if this one is at its end; True if cards were shuffled."""
        is_due = self.is_cut_out
        if is_due:
            with np.errstate(over="ignore"):  # without machine code, NumPy reports the wrap
                seed_state(self._state, self._seed, _CHUNK, np.uint64(self.shuffles))
            self._ahead.clear()
            self._numbers = [] if self._is_infinite else self._shuffled(self._deck)
            self._has_run_out = False
            self.shuffles += 1
            self.position = 0
        self._round_start = self.position
        return is_due and not self._is_infinite

    def draw(self) -> Card:
        """Take the next card; an empty shoe takes the discards of earlier rounds back, once.

        Raises: EmptyShoeError if all the cards are on the table.
        """
        if self.position == len(self._numbers):
            self._numbers += [self._draw_one()] if self._is_infinite else self._take_discards_back()
        self.position += 1
        return _DECK[self._numbers[self.position - 1]]

    def _shuffled(self, numbers: NDArray[np.uint8]) -> list[int]:
        cards = numbers.copy()
        with np.errstate(over="ignore"):
            shuffle(cards, 0, len(cards), len(cards), self._state)
        shuffled: list[int] = cards.tolist()
        return shuffled

    def _take_discards_back(self) -> list[int]:
        if self._has_run_out or not self._round_start:
            size = len(self._deck)
            raise EmptyShoeError(f"all {size} cards are on the table: the round cannot go on")
        self._has_run_out = True
        return self._shuffled(np.array(self._numbers[: self._round_start], np.uint8))

    def _draw_one(self) -> int:
        """Draw from the infinite deck; face and suit come from another generator."""
        if not self._ahead:
            kinds = np.zeros(_AHEAD, np.uint8)
            with np.errstate(over="ignore"):
                draw_independently(kinds, 0, _AHEAD, self._weights, self._state)
            self._ahead = kinds[::-1].tolist()
        alike = _OF_RANK[self._ahead.pop()]
        return alike[int(self._faces.random() * len(alike))]
