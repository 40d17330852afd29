"""A provably fair shoe: committed to before the first card, revealed after its last.

Before a session the house shows a commitment to the rules and to the secret server seeds of all
its shoes; the player may then add a seed of their own; after each shoe its server seed is revealed
and the order of the cards can be recomputed. docs/fair-shuffle.md specifies the method to the
byte; `verify_shuffle.py` is a second, independent program for it and shares no code with this
one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final, NamedTuple

from upcard.core.cards import FACES, SUITS, TEN, Card
from upcard.core.errors import EmptyShoeError, NotationError
from upcard.fair import seeds as fair_seeds
from upcard.fair.seeds import SHOES_OF_A_CHAIN, Commitment, Reveal, SeedChain, Stream
from upcard.rules.settings import Shuffle

if TYPE_CHECKING:
    from upcard.rules.model import Rules

MOST_SHUFFLES: Final = 2**32


class Place(NamedTuple):
    """The place of a round's first card among the cards of a key."""

    shuffle: int = 0
    """The number of the shuffle, from 0; with an infinite deck, the number of the round."""
    dealt: int = 0
    """The number of cards of the shuffle dealt before the round."""


class KeyedCards(NamedTuple):
    """The cards from a place of a key on: a source of cards for a recorded round."""

    key: bytes
    """The key of the shoe, `KEY_BYTES` long."""
    place: Place = Place()

    def make_shoe(self, rules: Rules) -> KeyedShoe:
        """Create the shoe that deals from there."""
        return KeyedShoe(rules, self.key, self.place)


class FairState(NamedTuple):
    """The state from which a `FairShoe` resumes with the round at `place`; the seeds are secret."""

    seeds: SeedChain
    number: int
    """The number of the shoe within its commitment, from 1."""
    player_seed: str
    place: Place
    next_player_seed: str

    def make_shoe(self, rules: Rules) -> FairShoe:
        """Recreate the shoe that `FairShoe.prepare_round` described, at that round."""
        return FairShoe(rules, state=self)


class KeyedShoe:
    """The cards that a key fixes, from a place on; shuffled again when they are used up."""

    has_cut_card = True

    def __init__(self, rules: Rules, key: bytes, place: Place = Place()) -> None:  # noqa: B008
        self.rules = rules
        self._key = key
        self._size = 0 if rules.is_infinite else rules.full_shoe.size
        is_fresh_each_round = rules.shuffle is Shuffle.EVERY_ROUND
        self._cut = 0 if is_fresh_each_round else int(self._size * rules.penetration)
        if not (0 <= place.shuffle < MOST_SHUFFLES and 0 <= place.dealt < max(self._cut, 1)):
            raise NotationError(
                f"no round begins at card {place.dealt} of shuffle {place.shuffle}: with these"
                f" rules it is card 0 to {max(self._cut, 1) - 1}, shuffle 0 to {MOST_SHUFFLES - 1}"
            )
        self.place = place
        """The place where the round in progress began; between rounds, that of the last one."""
        self._has_begun = False
        self._took_back = False
        self._cards: list[Card] = []
        self.position = place.dealt
        self._stream = Stream(key, place.shuffle)

    @property
    def cards_left(self) -> int | None:
        """The number of undealt cards; None if they never run out."""
        return None if self.rules.is_infinite else self._size - self.position

    @property
    def is_used_up(self) -> bool:
        """Whether the next round needs another shuffle; never before the first."""
        return self._has_begun and (self._took_back or self.position >= self._cut)

    @property
    def next_place(self) -> Place:
        """The place where the next round begins; read it between rounds only."""
        if not self._has_begun:
            return self.place
        if self.is_used_up:
            return Place(self.place.shuffle + 1, 0)
        return Place(self.place.shuffle, self.position)

    def start_round(self) -> bool:
        """Go to the next place; return True if the cards were shuffled for it."""
        place = self.next_place
        if place.dealt == 0 or not self._has_begun:
            self._stream = Stream(self._key, place.shuffle)
            self._cards = list(self.rules.full_shoe.cards[: self._size])
            self._stream.shuffle(self._cards)
        self.place = place
        self.position = place.dealt
        self._has_begun = True
        self._took_back = False
        return place.dealt == 0 and not self.rules.is_infinite

    def draw(self) -> Card:
        """Take the next card; an empty shoe shuffles the discards of earlier rounds back in."""
        if self.position == len(self._cards):
            if self.rules.is_infinite:
                self._cards.append(self._make_card())
            else:
                self._take_discards_back()
        self.position += 1
        return self._cards[self.position - 1]

    def _make_card(self) -> Card:
        share = self.rules.ten_probability
        is_ten = self._stream.below(share.denominator) < share.numerator
        faces = FACES[TEN - 1 :] if is_ten else FACES[: TEN - 1]
        return Card(faces[self._stream.below(len(faces))] + SUITS[self._stream.below(len(SUITS))])

    def _take_discards_back(self) -> None:
        start = self.place.dealt
        if self._took_back or not start:
            msg = f"all {self._size} cards are on the table: the round cannot continue"
            raise EmptyShoeError(msg)
        discards = self._cards[:start]
        Stream(self._key, self.place.shuffle, part=1).shuffle(discards)
        self._cards = self._cards[start:] + discards
        self.position = self._size - start
        self._took_back = True


class FairShoe(KeyedShoe):
    """A shoe for a `Table`, with a commitment to every shuffle before it is dealt.

    The server seeds of all its shoes are fixed when it is created; `commitment` binds them and the
    rules, and is shown before a player chooses a seed. A shoe ends when the cut card has come out,
    or by `end_shoe`; one that is shuffled every round, or never runs out, ends by `end_shoe` only.

    >>> from upcard.rules.model import Rules
    >>> shoe = FairShoe(Rules.parse("6D"), player_seed="my own words")
    >>> shown = shoe.commitment
    >>> shoe.start_round(), shoe.cards_left
    (True, 312)
    >>> reveal = shoe.end_shoe()
    >>> reveal.check(shown)
    """

    def __init__(
        self,
        rules: Rules,
        *,
        player_seed: str = "",
        seeds: Callable[[], bytes] = fair_seeds.new_server_seed,
        state: FairState | None = None,
    ) -> None:
        """Draw one secret from `seeds`, which fixes the server seeds of all shoes.

        With a `state` nothing is drawn: the seeds are those of the state.
        """
        self.rules = rules
        self.reveals: list[Reveal] = []
        self._draw_secret = seeds
        if state is None:
            state = FairState(self._draw_chain(), 1, player_seed, Place(), player_seed)
        self._seeds, self.number = state.seeds, state.number
        """The number of the shoe in play within its commitment, from 1."""
        self.player_seed = fair_seeds.read_player_seed(state.player_seed)
        """The player's seed that is mixed into the shoe in play."""
        self.next_player_seed = fair_seeds.read_player_seed(state.next_player_seed)
        """The player's seed that will be mixed into the shoe after this one."""
        super().__init__(rules, self.key, state.place)

    @property
    def commitment(self) -> Commitment:
        """The commitment of the shoe in play; before the first round, that of the first shoe."""
        return self._seeds.commitment

    @property
    def next_commitment(self) -> Commitment | None:
        """The commitment of the shoe after this one; None if a new one is drawn for it."""
        return None if self.number == SHOES_OF_A_CHAIN else self.commitment

    @property
    def key(self) -> bytes:
        """The key of the shoe in play: a secret, as the server seed is, until the shoe ends."""
        return self._reveal.key

    @property
    def is_over(self) -> bool:
        """Whether the next round begins another shoe; read it between rounds only."""
        return self.is_used_up and self.rules.shuffle is Shuffle.CUT_CARD

    def add_player_seed(self, text: str) -> None:
        """Mix a text into the shoes from the next on; before its first round, into this one too."""
        self.next_player_seed = fair_seeds.read_player_seed(text)
        if not self._has_begun and self.place == Place():
            self.player_seed = self.next_player_seed
            super().__init__(self.rules, self.key)

    def end_shoe(self) -> Reveal:
        """End the shoe and reveal its seeds; between rounds only, because no card stays hidden.

        If the commitment has no shoe left, a new one is drawn. The player's seed, which is known by
        then, is not used with it: they can add it again.
        """
        reveal = self._reveal
        self.reveals.append(reveal)
        if self.number < SHOES_OF_A_CHAIN:
            self.number += 1
        else:
            self._seeds, self.number = self._draw_chain(), 1
            self.next_player_seed = ""
        self.player_seed = self.next_player_seed
        super().__init__(self.rules, self.key)
        return reveal

    def prepare_round(self) -> FairState:
        """End the shoe if it is over, and return the state that the next round begins from."""
        if self.is_over:
            self.end_shoe()
        return FairState(
            self._seeds, self.number, self.player_seed, self.next_place, self.next_player_seed
        )

    def start_round(self) -> bool:
        """Prepare for a round; return True if the cards were shuffled for it."""
        self.prepare_round()
        return super().start_round()

    @property
    def _reveal(self) -> Reveal:
        return Reveal(
            server_seed=self._seeds.seed(self.number),
            player_seed=self.player_seed,
            number=self.number,
            rules=self._seeds.rules,
        )

    def _draw_chain(self) -> SeedChain:
        return SeedChain(self._draw_secret(), self.rules.notation)
