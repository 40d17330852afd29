"""Players with a rule of thumb: the dealer's mimic, never bust, document 003's simple player."""

from __future__ import annotations

from typing import Final

from upcard.core.cards import ACE
from upcard.documents.lott.player import Player
from upcard.players.bots import upcard_rank
from upcard.rules.predicates import DEALER_STANDS_ON, dealer_draws
from upcard.table.state import Hand

_FIRST_STIFF: Final = 12
_GOOD_SOFT: Final = 18
_LAST_WEAK_UPCARD: Final = 6


class DealerMimic(Player):
    """Plays like the dealer of the house: draws to 17, soft 17 by the rules, declines offers."""

    name = "Mimic"

    def hit(self, hand: Hand) -> bool:
        """Hit under 17, and a soft 17 if the dealer does."""
        return dealer_draws(self.table.rules, hand.total, is_soft=hand.is_soft)


class NeverBust(Player):
    """Never risks a bust: stands on hard 12 and soft 18 or more, hits everything else."""

    name = "Never-bust"

    def hit(self, hand: Hand) -> bool:
        """Hit hands that no card can bust, up to a soft 17."""
        if hand.is_soft:
            return hand.total < _GOOD_SOFT
        return hand.total < _FIRST_STIFF


class SimpleBlackjackPlayer(Player):
    """Document 003's SimpleBlackjackPlayer, poor on purpose.

    No insurance, no even money; splits aces and eights only. 9 or less and soft 12 to 16 hit; 10
    and 11 hit against 2 to 6 and double against 7 to ace; hard 12 to 16 stand against 2 to 6
    and hit against 7 to ace; 17 and more stand.

    Source: the table of document 003's strategy chapter, which takes precedence over its sentence
    that would double every 11 or less.
    """

    name = "Simple"

    def split(self, hand: Hand) -> bool:
        """Split aces and eights."""
        return hand.cards[0].rank in (ACE, 8)

    def double_down(self, hand: Hand) -> bool:
        """Double 10 and 11 against 7 to ace."""
        return hand.total in (10, 11) and not self._faces_weak_upcard()

    def hit(self, hand: Hand) -> bool:
        """Hit under 12, soft hands under 17, and stiff hands against 7 to ace."""
        if hand.total < _FIRST_STIFF:
            return True
        if hand.total >= DEALER_STANDS_ON:
            return False
        return hand.is_soft or not self._faces_weak_upcard()

    def _faces_weak_upcard(self) -> bool:
        return ACE < upcard_rank(self.table, self.name) <= _LAST_WEAK_UPCARD
