"""`RunningCount`: a running count, updated card by card."""

from __future__ import annotations

from fractions import Fraction

from upcard.core.cards import Card
from upcard.core.errors import NotationError, quote
from upcard.core.numbers import exact_number
from upcard.strategy.counting import CountSystem


class RunningCount:
    """The running counts of a system: one for plays, one for bets (with its side count).

    Approximation: none. Both are exact fractions, so nothing is rounded before `convert`.

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
        """Start to count a freshly shuffled shoe of the given number of decks."""
        self.system = system
        self.decks = decks
        # Sums are in whole units of 1/scale, which is exact and fast.
        self._scale = system.scale
        self._start = int(system.initial_count(decks) * self._scale)
        self._tags: dict[Card, tuple[int, int]] = {}
        self.reset()

    @property
    def running(self) -> Fraction:
        """The running count for plays."""
        return Fraction(self._running, self._scale)

    @property
    def betting(self) -> Fraction:
        """The running count for bets."""
        return Fraction(self._betting, self._scale)

    def reset(self) -> None:
        """Start again after a shuffle."""
        self._running = self._betting = self._start

    def see(self, card: Card) -> None:
        """Count a card that has been seen.

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
        """Return the whole count for bets, with `cards_left` cards undealt."""
        return self.system.convert(self.betting, cards_left)

    def play_count(self, cards_left: int) -> int:
        """Return the whole count for plays, with `cards_left` cards undealt."""
        return self.system.convert(self.running, cards_left)


def read_count(text: str) -> Fraction:
    """Read a running count from a user's text.

    Raises: NotationError.
    """
    count = exact_number(text)
    if count is None:
        raise NotationError(f"count {quote(text)}: write a number such as 3, -2 or 1/2")
    return count
