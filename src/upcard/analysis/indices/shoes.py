"""Shoes left by a count: the expected cards, given the running count.

With pool N_k cards of kind k, N in all, tags g_k with mean m, and a running count that leaves n
cards of tag sum T unseen, the least-squares (for normal counts: the conditional) expectation of
the cards left is

    n_k = N_k (n/N + (g_k - m) (T - n m) / Q),    Q = sum over kinds of N_k (g_k - m)^2

so every count at every depth leaves, to scale, a full shoe *tilted* by one number, the tilt
t = (N/n) (T - n m) / Q: N_k (1 + t (g_k - m)) cards of kind k. Hands are dealt from that full
shoe: cards not seen, and discards of which only the count is known, are all one pool.

Dealt so, the tags of the n cards are right on average only. The gain F(t) is nearly the mean of the
gain V at a known count over tilts of variance v = (N-n) / (n Q); so, to second order,
V = F - v F'' / 2. In one deck that moves an index by half a count, in six by a tenth.

Source: the removal of cards in proportion to their tags is that of Peter Griffin, The Theory of
Blackjack (1979), where the best linear estimate of an effect from a count is derived.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import floor, lcm
from typing import Final, cast

import numpy as np
from numpy.typing import NDArray

from upcard.core.cards import CARDS_PER_DECK, DECK, RANKS, TEN
from upcard.exact.composition import Counts, full_decks
from upcard.rules.model import Rules
from upcard.strategy.count_system import CountBy, CountSystem, DeckEstimate, Rounding

Floats = NDArray[np.float64]

_MOST_TILT: Final = 0.5
"""At least this share of every rank stays, so that pairs can still be split in one deck."""
_WIDEST: Final = 0.36
"""Largest tilt considered, in standard deviations of a tag; Hi-Lo: some 16 true counts."""
_NODES: Final = 31
_NUDGE: Final = 1e-9


@dataclass(frozen=True)
class CountedShoes:
    """Shoes that a count can leave in a game, by their tilt."""

    rules: Rules
    system: CountSystem

    @property
    def decks(self) -> int:
        """Decks in the game; a counted game is not infinite."""
        return self.rules.decks or 1

    @property
    def cards(self) -> int:
        """Cards of the full shoe."""
        return CARDS_PER_DECK * self.decks

    @cached_property
    def tags(self) -> Floats:
        """Mean tag of a card of each rank, by rank; red and black sevens are one rank here."""
        tags = np.zeros(len(RANKS) + 1)
        for rank in RANKS:
            own = [float(self.system.tag(card)) for card in DECK if card.rank == rank]
            tags[rank] = math.fsum(own) / len(own)
        return tags

    @cached_property
    def mean_tag(self) -> float:
        """Mean tag of a card of the full shoe: 0 in a balanced system."""
        return float(self.system.deck_sum) / CARDS_PER_DECK

    @cached_property
    def square_sum(self) -> float:
        """Sum over the cards of the full shoe of the squares of tag less mean tag."""
        tags = [float(self.system.tag(card)) for card in DECK]
        return self.decks * math.fsum((tag - self.mean_tag) ** 2 for tag in tags)

    @property
    def spread(self) -> float:
        """Standard deviation of a card's tag; Hi-Lo: 0.877."""
        return float((self.square_sum / self.cards) ** 0.5)

    @cached_property
    def tilts(self) -> Floats:
        """Evenly spaced tilts over all that matter."""
        slope = np.abs(self.tags[1:] - self.mean_tag).max()
        most = min(_WIDEST / self.spread, _MOST_TILT / slope)
        return np.linspace(-most, most, _NODES)

    @cached_property
    def step(self) -> float:
        """Least difference between two running counts."""
        numbers = (*self.system.tags, self.system.red_7 or 0)
        return 1 / lcm(*(getattr(number, "denominator", 1) for number in numbers))

    def shoe(self, tilt: float) -> Counts:
        """Return the full shoe, tilted: fractions of cards, for the solver's kernels."""
        full = full_decks(self.decks)
        counts = tuple(
            full[rank] * (1 + tilt * (float(self.tags[rank]) - self.mean_tag)) if rank else 0
            for rank in range(len(RANKS) + 1)
        )
        # The kernels count cards in floating point; only splits need whole numbers of a rank.
        return cast("Counts", counts)

    def tilt_before_deal(self, running: Floats, cards_left: int) -> Floats:
        """Return the tilt of running counts with `cards_left` cards unseen."""
        total = self.cards * self.mean_tag
        start = float(self.system.initial_count(self.decks))
        return (self.cards / cards_left * (total - running + start) - total) / self.square_sum

    def tilt_at_decision(self, running: Floats, seen: Floats, cards: Floats, left: int) -> Floats:
        """Return the tilt of a shoe whose cards, less a hand's own, have the tags the count says.

        `running` includes the round's `cards` cards seen, whose tags add up to `seen`; `left` cards
        were unseen before the deal.
        """
        total = self.cards * self.mean_tag
        start = float(self.system.initial_count(self.decks))
        unseen = total - running + start
        pool = (self.cards - cards) / (left - cards)
        return (pool * unseen - total + seen) / self.square_sum

    def tilt_variance(self, cards: Floats, left: int) -> Floats:
        """Return how much the tilt of the unseen cards varies if only their pool is known."""
        unseen = left - cards
        pool = self.cards - cards
        return (pool - unseen) / unseen * pool / (pool - 1) / self.square_sum

    def share_of_tens(self, tilt: float, seen: Sequence[float]) -> float:
        """Return the share of ten-valued cards among the unseen, with `seen` cards of each rank.

        The tilt is that of the full shoe whose other cards have the tags of the count; the pool of
        the formula above is the one without the cards seen.
        """
        pool = np.array(full_decks(self.decks), dtype=np.float64) - np.array(seen)
        cards = pool.sum()
        wanted = self.cards * self.mean_tag + tilt * self.square_sum - self.tags @ np.array(seen)
        mean = (self.tags @ pool) / cards
        # Squares about the pool's own mean, from those about the full shoe's.
        within = self.square_sum - float(np.array(seen) @ (self.tags - self.mean_tag) ** 2)
        within -= cards * (mean - self.mean_tag) ** 2
        own = (wanted - mean * cards) / within
        return float(pool[TEN] * (1 + own * (self.tags[TEN] - mean)) / cards)

    def expected_running(self, cards_left: int) -> float:
        """Return the mean running count with `cards_left` cards unseen."""
        start = float(self.system.initial_count(self.decks))
        return start + (self.cards - cards_left) * self.mean_tag

    def running_counts(self, cards_left: int) -> tuple[Floats, Floats]:
        """Return running counts before a deal, with their chances by the normal distribution."""
        dealt = self.cards - cards_left
        mean = self.expected_running(cards_left)
        variance = self.square_sum * dealt * cards_left / (self.cards * (self.cards - 1))
        reach = floor(5 * variance**0.5 / self.step) + 1
        start = float(self.system.initial_count(self.decks))
        middle = round((mean - start) / self.step)
        running = start + self.step * np.arange(middle - reach, middle + reach + 1)
        chances = np.exp(-((running - mean) ** 2) / (2 * max(variance, 1e-12)))
        return running, chances / chances.sum()

    def read_counts(self, running: Floats, cards_left: Floats) -> tuple[Floats, NDArray[np.int64]]:
        """Return the counts for decisions, before and after rounding."""
        if self.system.by is CountBy.RUNNING:
            exact = running
        else:
            decks = np.maximum(cards_left, 1) / CARDS_PER_DECK
            if self.system.decks_left is DeckEstimate.HALF:
                decks = np.maximum(np.floor(2 * decks + 0.5), 1) / 2
            elif self.system.decks_left is DeckEstimate.WHOLE:
                decks = np.maximum(np.floor(decks + 0.5), 1)
            exact = running / decks
        match self.system.rounding:
            case Rounding.FLOOR:
                whole = np.floor(exact + _NUDGE)
            case Rounding.TRUNCATE:
                whole = np.trunc(exact + np.copysign(_NUDGE, exact))
            case Rounding.ROUND:
                whole = np.copysign(np.floor(np.abs(exact) + 0.5 + _NUDGE), exact)
        return exact, whole.astype(np.int64)
