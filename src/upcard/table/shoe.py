"""Sources of cards: shuffled decks with a cut card, an infinite deck, or a script.

A shoe is a sequence of cards with a position. Only `draw` shows the cards, one at a time.
"""

import random
from collections.abc import Iterable
from typing import Protocol, Self

from upcard.core.cards import FACES, SUITS, TEN, Card, parse_cards
from upcard.core.errors import EmptyShoeError, NotationError
from upcard.core.numbers import read_seed
from upcard.rules.model import Rules
from upcard.rules.settings import HoleCard, Shuffle
from upcard.table.state import order_deal


class Shoe(Protocol):
    """A sequence of cards, dealt from `position` on."""

    position: int
    """Index of the next card; lower it to deal the last cards of this round again."""

    @property
    def has_cut_card(self) -> bool:
        """Whether the cards are shuffled when the cut card has come out."""

    @property
    def cards_left(self) -> int | None:
        """Number of cards that can still be drawn; None if they never run out."""

    def draw(self) -> Card:
        """Take the next card. Raises: EmptyShoeError if none is left."""

    def start_round(self) -> bool:
        """Prepare for a round; True if the cards were shuffled for it."""


class ScriptedShoe:
    """Cards in a known order, dealt once."""

    has_cut_card = False

    def __init__(self, cards: str | Iterable[Card | str]) -> None:
        self.cards = parse_cards(cards)
        self.position = 0

    @classmethod
    def stack(
        cls,
        rules: Rules,
        *,
        hand: str | Iterable[Card | str],
        upcard: Card | str,
        hole: Card | str = "",
        then: str | Iterable[Card | str] = "",
    ) -> Self:
        """Put the opening of one hand in the house's order, and then the cards drawn.

        A house without a hole card takes none: its dealer's second card is in `then`, after the
        cards that the player draws.

        >>> from upcard.rules.model import Rules
        >>> shoe = ScriptedShoe.stack(Rules(), hand="T 6", upcard="9", hole="7", then="5")
        >>> " ".join(map(str, shoe.cards))
        'T 9 6 7 5'
        """
        has_hole = rules.hole_card is not HoleCard.NONE
        if hole and not has_hole:
            raise NotationError(
                f"hole {str(hole)!r}: this house deals no hole card; the dealer's second card is"
                " in then, after the cards that the player draws"
            )
        needed = {"hand": (hand, 2), "upcard": (upcard, 1), "hole": (hole, int(has_hole))}
        found = {}
        for name, (given, number) in needed.items():
            found[name] = parse_cards([given] if isinstance(given, Card) else given)
            if len(found[name]) != number:
                cards = "one card" if number == 1 else f"{number} cards"
                raise NotationError(f"{name} {str(given)!r}: {cards}, not {len(found[name])}")
        drawn = iter([*found["hole"], *parse_cards(then)])
        opening = order_deal(rules, found["hand"], found["upcard"][0], drawn)
        return cls([*opening, *drawn])

    @property
    def cards_left(self) -> int:
        """Number of cards left in the script."""
        return len(self.cards) - self.position

    def draw(self) -> Card:
        """Take the next card of the script."""
        if self.position == len(self.cards):
            msg = f"card {self.position + 1} was needed, the script has {self.position}"
            raise EmptyShoeError(msg)
        self.position += 1
        return self.cards[self.position - 1]

    def start_round(self) -> bool:
        """Continue the script; it is never shuffled."""
        return False


class ShuffledShoe:
    """Decks shuffled by `rng` and dealt to the cut card; then the remaining cards are shuffled in.

    Without `rng` it uses the operating system's entropy. The shuffle is Fisher and Yates', drawn
    from `rng.random()`, which Python keeps the same for a seed across versions.
    """

    has_cut_card = True

    def __init__(self, rules: Rules, rng: random.Random | None = None) -> None:
        """Fill the shoe for `rules`; the first round shuffles it."""
        self._rng = rng or random.SystemRandom()
        self._cards = list(rules.full_shoe.cards)
        self.position = len(self._cards)
        self.shuffles = 0
        """Number of times that all the cards have been shuffled."""
        self._round_start = self.position
        self._has_run_out = False
        is_fresh_each_round = rules.shuffle is Shuffle.EVERY_ROUND
        self._cut = 0 if is_fresh_each_round else int(len(self._cards) * rules.penetration)

    @property
    def cards_left(self) -> int:
        """Number of cards not dealt yet."""
        return len(self._cards) - self.position

    @property
    def is_cut_out(self) -> bool:
        """Whether the cut card has come out, so that the next round shuffles."""
        return self._has_run_out or self.position >= self._cut

    def start_round(self) -> bool:
        """Shuffle if the cut card has come out; True if so."""
        is_due = self.is_cut_out
        if is_due:
            self._has_run_out = False
            self._shuffle(len(self._cards))
            self.shuffles += 1
            self.position = 0
        self._round_start = self.position
        return is_due

    def draw(self) -> Card:
        """Take the next card; an empty shoe takes the discards of earlier rounds back, shuffled."""
        if self.position == len(self._cards):
            self._take_discards_back()
        card = self._cards[self.position]
        self.position += 1
        return card

    def _take_discards_back(self) -> None:
        self._has_run_out = True  # the cut card is out, whatever is left now
        on_table = self._cards[self._round_start :]
        if not self._round_start:
            msg = f"all {len(self._cards)} cards are on the table: the round cannot continue"
            raise EmptyShoeError(msg)
        discards = self._cards[: self._round_start]
        # The cards on the table keep their place in front, as if dealt from a new shoe.
        self._cards = on_table + discards
        self.position = len(on_table)
        self._round_start = 0
        self._shuffle(len(discards))

    def _shuffle(self, count: int) -> None:
        cards, draw = self._cards, self._rng.random
        start = len(cards) - count
        for last in range(len(cards) - 1, start, -1):
            other = start + int(draw() * (last - start + 1))
            cards[last], cards[other] = cards[other], cards[last]


class InfiniteShoe:
    """Independent cards: ten-valued with the probability in the rules, else one of nine ranks."""

    cards_left = None
    has_cut_card = False
    is_cut_out = False
    shuffles = 0

    def __init__(self, rules: Rules, rng: random.Random | None = None) -> None:
        self._rng = rng or random.SystemRandom()
        self._ten_probability = float(rules.ten_probability)
        self._cards: list[Card] = []
        self.position = 0

    def draw(self) -> Card:
        """Draw a card; faces and suits of one rank are equally likely."""
        if self.position == len(self._cards):
            self._cards.append(self._make_card())
        self.position += 1
        return self._cards[self.position - 1]

    def _make_card(self) -> Card:
        draw = self._rng.random
        is_ten = draw() < self._ten_probability
        faces = FACES[TEN - 1 :] if is_ten else FACES[: TEN - 1]
        return Card(faces[int(draw() * len(faces))] + SUITS[int(draw() * len(SUITS))])

    def start_round(self) -> bool:
        """Forget the cards of the last round: there is nothing to shuffle."""
        del self._cards[: self.position]
        self.position = 0
        return False


def open_shoe(rules: Rules, shoe: Shoe | str | None) -> Shoe:
    """Return the shoe that is given, of the cards of a text, or (None) shuffled for `rules`."""
    if isinstance(shoe, str):
        return ScriptedShoe(shoe)
    return make_shoe(rules) if shoe is None else shoe


def make_shoe(rules: Rules, rng: random.Random | None = None) -> ShuffledShoe | InfiniteShoe:
    """Make the shoe for `rules`; without `rng` it uses the operating system's entropy."""
    return InfiniteShoe(rules, rng) if rules.is_infinite else ShuffledShoe(rules, rng)


def make_stream(seed: int | None, purpose: str) -> random.Random:
    """Make a stream of its own for each purpose, so that a bot's chance moves no card.

    Without a seed it is the operating system's entropy.
    """
    return random.SystemRandom() if seed is None else random.Random(f"{read_seed(seed)} {purpose}")


def make_practice_shoe(rules: Rules, *, seed: int | None = None, cards: str | None = None) -> Shoe:
    """Make the shoe of `--cards` or `--seed`: the same cards for every front-end."""
    if cards is not None:
        return ScriptedShoe(cards)
    return make_shoe(rules, make_stream(seed, "shoe"))
