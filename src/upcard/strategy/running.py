"""`RunningCount`: a counter at work, one card after another."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from upcard.core.errors import NotationError, quote
from upcard.core.numbers import exact_number

if TYPE_CHECKING:
    from upcard.core.cards import Card
    from upcard.strategy.counting import CountSystem


class RunningCount:
    """The running counts of a system: one to play by, one to bet by (with its side count).

    Approximation: none. Both are exact fractions, so that no rounding happens before `convert`.

    >>> from upcard.core.cards import parse_cards
    >>> from upcard.strategy.counting import load_system
    >>> count = RunningCount(load_system("hi-lo"), decks=6)
    >>> for card in parse_cards("5 6 2 K 4"):
    ...     count.see(card)
    >>> str(count.running), count.play_count(cards_left=26)
    ('3', 6)
    """

    __slots__ = ("_betting", "_running", "_scale", "_start", "_tags", "decks", "system")

    def __init__(self, system: CountSystem, decks: int) -> None:
        """Start to count a freshly shuffled shoe of so many decks."""
        self.system = system
        self.decks = decks
        # Sums are kept in whole units of 1/scale, which is exact and quick.
        self._scale = system.scale
        self._start = int(system.initial_count(decks) * self._scale)
        self._tags: dict[Card, tuple[int, int]] = {}
        self.reset()

    @property
    def running(self) -> Fraction:
        """The running count that plays go by."""
        return Fraction(self._running, self._scale)

    @property
    def betting(self) -> Fraction:
        """The running count that bets go by."""
        return Fraction(self._betting, self._scale)

    def reset(self) -> None:
        """Start again: the shoe was shuffled."""
        self._running = self._betting = self._start

    def see(self, card: Card) -> None:
        """Count a card that has come to light.

        Raises: NotationError for a seven without a suit, if the system counts red ones only.
        """
        try:
            play, bet = self._tags[card]
        except KeyError:
            play = int(self.system.tag(card) * self._scale)
            bet = int(self.system.betting_tag(card) * self._scale)
            self._tags[card] = (play, bet)
        self._running += play
        self._betting += bet

    def bet_count(self, cards_left: int) -> int:
        """Return the whole count to bet by, with so many cards undealt."""
        return self.system.convert(self.betting, cards_left)

    def play_count(self, cards_left: int) -> int:
        """Return the whole count to play by, with so many cards undealt."""
        return self.system.convert(self.running, cards_left)


def read_count(text: str) -> Fraction:
    """Read a running count that a person has typed.

    Raises: NotationError.
    """
    count = exact_number(text)
    if count is None:
        msg = f"count {quote(text)}: write a number such as 3, -2 or 1/2"
        raise NotationError(msg)
    return count
