"""The count of a player at the table, and the cards that were not seen."""

from __future__ import annotations

import math
from collections.abc import Iterable

from upcard.coach.question import SeenCards, compose
from upcard.core.cards import CARDS_PER_DECK, RANKS, Card
from upcard.core.errors import UnsupportedRuleError
from upcard.players.bots import ShoeTracker, count_decks
from upcard.rules.model import Rules
from upcard.simulation.lower import count_range
from upcard.strategy.count_system import RunningCount, load_system
from upcard.table.events import Event


class ShoeCount:
    """The count of a system and the decks left, as a player at the table knows them.

    Raises: RulesError for an unknown system; UnsupportedRuleError for cards that never run out.
    """

    def __init__(self, rules: Rules, system: str) -> None:
        """Count with a system by its name or file."""
        decks = count_decks(rules)
        counted = load_system(system)
        self.range = count_range(counted, decks)
        """The smallest and the largest count that is distinguished."""
        self._count = RunningCount(counted, decks)
        self._shoe = ShoeTracker(decks, see=self._count.see, forget=self._count.reset)

    def hear(self, event: Event) -> None:
        """Process an event of the table."""
        self._shoe.hear(event)

    def finish_round(self, dealer_cards: Iterable[Card]) -> None:
        """Count the dealer's cards that were not seen before."""
        self._shoe.finish_round(dealer_cards)

    def look(self, *, is_bet: bool) -> tuple[int, float]:
        """Return the count for the next bet or answer, and the number of decks undealt."""
        left = self._shoe.cards_left
        count = self._count.bet_count(left) if is_bet else self._count.play_count(left)
        least, most = self.range
        return min(max(count, least), most), left / CARDS_PER_DECK


def unseen_shares(rules: Rules, seen: SeenCards) -> list[float]:
    """Return the share of each rank, ace to ten, among the cards that were not seen.

    All are 0 at the end of a round that has shown the last card.
    """
    known = seen.look()
    if known.cards == (rules.decks or 0) * CARDS_PER_DECK:
        return [0.0] * len(RANKS)
    unseen = compose(rules, known, "").unseen
    cards = math.fsum(unseen)
    return [unseen[rank] / cards for rank in RANKS]


def require_shoe(rules: Rules, what: str) -> None:
    """Refuse an infinite deck, which has no composition. Raises: UnsupportedRuleError."""
    if rules.is_infinite:
        raise UnsupportedRuleError(what, "INF", "its cards never run out; name 1D to 8D")
