"""Side bets of a round: placed with the main bet, settled as soon as their cards are public.

A bet is settled before its cards are complete where no hidden card can change it, and never by a
hidden card: two rounds that look alike settle alike.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

from upcard.core.cards import ACE, TEN, Card
from upcard.core.errors import NotationError
from upcard.core.wager import SideStakes, Wager
from upcard.rules.model import Rules

if TYPE_CHECKING:
    from upcard.rules.side_bets import Seen, SideBet
    from upcard.table.state import RoundState


class SideResult(NamedTuple):
    """A settled side bet; chips."""

    spot: int
    code: str
    row: str
    """Name of the row that paid, `straight`; `lost` if none did."""
    stake: Fraction
    net: Fraction


class SideBets(NamedTuple):
    """The side bets of a round. All of it is public."""

    stakes: tuple[SideStakes, ...] = ()
    """Side bets of each spot as they were placed; empty if there are none at the table."""
    results: tuple[SideResult, ...] = ()
    """Settled bets, in the order settled."""
    opening: tuple[tuple[Card, ...], ...] = ()
    """The first two cards of each spot, once they are dealt."""
    drawn: tuple[tuple[int, Card], ...] = ()
    """First card that each spot drew, as pairs of spot and card."""
    next_card: Card | None = None
    """First card dealt after the opening cards, to whichever hand, or turned up for a bet."""
    has_natural: bool | None = None
    """Whether the dealer has a natural; None until that is public."""

    @property
    def net(self) -> Fraction:
        """Won or lost on the settled bets."""
        return sum((one.net for one in self.results), Fraction(0))

    @property
    def is_open(self) -> bool:
        """Whether a bet waits for cards."""
        return bool(self.stakes) and sum(map(len, self.stakes)) > len(self.results)

    def net_of(self, spot: int) -> Fraction:
        """Return what a spot won or lost on its settled bets."""
        return sum((one.net for one in self.results if one.spot == spot), Fraction(0))

    def placed(self, spot: int) -> Fraction:
        """Return the chips that a spot has placed, settled bets included."""
        stakes = self.stakes[spot] if self.stakes else ()
        return sum((chips for _, chips in stakes), Fraction(0))


class SideNeeds(NamedTuple):
    """The side bets of a house, and what they need in every round, placed or not."""

    bets: Mapping[str, SideBet]
    plays_out: bool
    needs_second: bool
    needs_next: bool
    """Whether a card is turned up where no hand took one after the deal."""


NO_SIDE_BETS: Final = SideBets()
NO_NEEDS: Final = SideNeeds({}, False, False, False)


@lru_cache(maxsize=64)
def side_needs(rules: Rules) -> SideNeeds:
    """Return what the side bets of a house need."""
    if not rules.side_bets:
        return NO_NEEDS
    from upcard.rules.side_bets import bets_on_hidden

    return SideNeeds({bet.code: bet for bet in rules.side_bets}, *bets_on_hidden(rules.side_bets))


def place_side_bets(rules: Rules, wagers: Iterable[Wager]) -> SideBets:
    """Return the side bets of wagers, one for each spot."""
    stakes = tuple(wager.in_order(side_needs(rules).bets).side for wager in wagers)
    return SideBets(stakes) if any(stakes) else NO_SIDE_BETS


def settle_open(state: RoundState, *, is_complete: bool = False) -> SideBets:
    """Return the side bets of a round with those settled that public cards decide.

    `is_complete`: the dealer's hand is final, and no further card comes.

    Raises: NotationError for a card without the suit, or the face, that a bet needs.
    """
    side = state.side
    if not side.opening:
        side = side._replace(opening=tuple(hand.cards for hand in state.hands))
    settled = {(one.spot, one.code) for one in side.results}
    found: list[SideResult] = []
    for spot, stakes in enumerate(side.stakes):
        for code, stake in stakes:
            if (spot, code) in settled:
                continue
            bet = side_needs(state.rules).bets[code]
            result = _settle(bet, _look(state, side, bet, spot, is_complete), spot, stake)
            found.extend([result] if result is not None else [])
    return side._replace(results=(*side.results, *found))


def _settle(bet: SideBet, seen: Seen, spot: int, stake: Fraction) -> SideResult | None:
    from upcard.rules.side_bets import settle_bet

    for card in (*seen.cards.values(), *(seen.dealer or ())):
        if not card.suit and (bet.needs_suits or (bet.needs_faces and card.face == "T")):
            raise NotationError(
                f"card {card} has no suit, and the side bet {bet.code} needs it: write cards such"
                " as 8D"
            )
    rows = settle_bet(bet, seen)
    if rows is None:
        return None
    return SideResult(spot, bet.code, bet.name_rows(rows), stake, stake * bet.pays(rows))


def _look(state: RoundState, side: SideBets, bet: SideBet, spot: int, is_complete: bool) -> Seen:  # noqa: FBT001
    from upcard.rules.side_bets import HOLE, NEXT, PLAYER_CARDS, UPCARD, Seen

    cards: dict[str, Card] = dict(zip(PLAYER_CARDS, side.opening[spot], strict=False))
    dealer, up = state.dealer, state.setup.up_index
    if state.rules.shows_upcard or state.is_revealed or is_complete:
        cards[UPCARD] = dealer[up]
    is_shown = state.is_revealed or is_complete or len(state.shown_dealer_cards) > 1
    if is_shown and len(dealer) > 1:
        cards[HOLE] = dealer[1 - up]
    following = dict(side.drawn).get(spot) if bet.if_drawn else side.next_card
    if following is not None:
        cards[NEXT] = following
    has_natural = side.has_natural
    if HOLE in cards:
        has_natural = {card.rank for card in dealer[:2]} == {ACE, TEN}
    return Seen(cards, is_complete, dealer if is_complete else None, has_natural)
