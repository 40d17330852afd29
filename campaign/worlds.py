"""Two shoes that agree on every public card and differ in every hidden one."""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import TYPE_CHECKING, Final

from upcard.core.cards import DECK
from upcard.core.hands import hand_table
from upcard.rules.settings import HoleCard, Player21
from upcard.table.shoe import ScriptedShoe
from upcard.table.state import HOLE, UPCARD

if TYPE_CHECKING:
    import random
    from collections.abc import Sequence

    from upcard.core.cards import Card
    from upcard.rules.model import Rules
    from upcard.table.state import RoundState

_MOST_CARDS: Final = 150
"""As many as a few rounds need; a case costs less with fewer."""
_TRIES: Final = 60


class WorldShoe(ScriptedShoe):
    """Cards in a known order, with notes of where in it the round began and how far it went."""

    has_cut_card = True

    def __init__(self, cards: Sequence[Card]) -> None:
        super().__init__(cards)
        self.round_began = 0
        self.furthest = 0
        """The number of cards that were ever dealt; an answer taken back hides none of them."""

    def draw(self) -> Card:
        """Take the next card of the script."""
        card = super().draw()
        self.furthest = max(self.furthest, self.position)
        return card

    def start_round(self) -> bool:
        """Note where the round begins; the cards are never shuffled."""
        self.round_began = self.position
        return super().start_round()


def shuffle_world(rules: Rules, rng: random.Random) -> list[Card]:
    """Return the first cards of a shoe of these rules, in a random order."""
    # An infinite deck runs no more out of cards than eight decks do in a round.
    cards = _shoe_of(rules.decks or 8)
    return rng.sample(cards, min(len(cards), _MOST_CARDS))


@cache
def _shoe_of(decks: int) -> tuple[Card, ...]:
    return tuple(DECK) * decks


def exchange_hidden(
    shoe: WorldShoe,
    state: RoundState | None,
    rng: random.Random,
    *,
    has_looked: bool,
    was_shown: bool = False,
) -> list[Card] | None:
    """Return the cards of the other world: another one in every place that nobody may know.

    `state` is the round in progress, None between rounds. Where the dealer's natural has been
    answered in public, both dealers have one or neither has. With `was_shown`, the dealer's cards
    were shown in an end of the round that was taken back. None if there is no such world.
    """
    hidden = list(range(max(shoe.position, shoe.furthest), len(shoe.cards)))
    if state is not None and not was_shown:
        hidden += _hidden_dealer_cards(shoe, state)
    for _ in range(_TRIES):
        cards = _derange(shoe.cards, hidden, rng)
        if cards is None:
            return None
        if state is None or not (has_looked or _wins_at_once(state)):
            return cards
        if _would_be_natural(cards, shoe, state) == _would_be_natural(shoe.cards, shoe, state):
            return cards
    return None


def _dealer_places(shoe: WorldShoe, state: RoundState) -> list[int]:
    opening = [at for at, target in enumerate(state.setup.deal) if target in (UPCARD, HOLE)]
    return [shoe.round_began + at for at in opening]


def _hidden_dealer_cards(shoe: WorldShoe, state: RoundState) -> list[int]:
    if state.is_revealed or (state.rules.hole_card is HoleCard.NONE and state.rules.shows_upcard):
        return []
    return [
        place
        for at, place in enumerate(_dealer_places(shoe, state))
        if place < shoe.position and not (state.rules.shows_upcard and at == state.setup.up_index)
    ]


def _wins_at_once(state: RoundState) -> bool:
    """Whether a hand of 21 has shown whether the dealer has 21: it wins at once if not (000)."""
    return state.rules.player_21 is Player21.WINS and any(hand.total == 21 for hand in state.hands)


def _would_be_natural(cards: Sequence[Card], shoe: WorldShoe, state: RoundState) -> bool:
    table = hand_table(state.rules.ace_rule)
    first_two = [cards[place] for place in _dealer_places(shoe, state)]
    return table.total[table.state_of(card.rank for card in first_two)] == 21


def _derange(cards: Sequence[Card], places: list[int], rng: random.Random) -> list[Card] | None:
    """Move the cards of these places among them so that none keeps an equal card."""
    if len(places) < 2:
        return None
    mixed = rng.sample(places, len(places))
    ordered = sorted(mixed, key=lambda place: str(cards[place]))
    most = max(Counter(str(cards[place]) for place in places).values())
    if 2 * most > len(places):
        return None
    step = rng.randint(most, len(places) - most)
    moved = list(cards)
    for at, place in enumerate(ordered):
        moved[place] = cards[ordered[(at + step) % len(ordered)]]
    return moved
