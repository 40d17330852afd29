"""Cards and their ranks, and the 7-bit characters that stand for their glyphs.

A rank is an int from 1 (ace) to 10 (any ten-valued card): the ten values that matter to
the arithmetic. A card adds the face and, where cards are displayed, the suit.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final, Self, TypeAlias, cast

from upcard.core.errors import NotationError

Rank: TypeAlias = int

ACE: Final = 1
TEN: Final = 10
RANKS: Final = tuple(range(1, 11))
UPCARD_ORDER: Final = (2, 3, 4, 5, 6, 7, 8, 9, 10, 1)
FACES: Final = "A23456789TJQK"
SUITS: Final = "CDHS"
SUIT_NAMES: Final = {"C": "Clubs", "D": "Diamonds", "H": "Hearts", "S": "Spades"}
SUIT_GLYPHS: Final = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}

_NAMES: Final = (
    *("ace", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("jack", "queen", "king"),
)
FACE_NAMES: Final = dict(zip(FACES, _NAMES, strict=True))

_RANK_OF_FACE: Final = {face: min(index, TEN) for index, face in enumerate(FACES, start=1)}


class Card:
    """A playing card, written as face and suit: `Card("8D")`, `Card("10H")`, `Card("T")`.

    The suit may be left out where only the rank matters; `T` without a suit stands for any
    ten-valued card. Equal cards are the same object.

    Raises: NotationError if the text names no card.

    >>> Card("10h"), Card("KS").rank, Card("A").rank
    (Card('TH'), 10, 1)
    """

    __slots__ = ("face", "rank", "suit")

    face: str
    rank: Rank
    suit: str

    def __new__(cls, text: str) -> Self:
        """Find the card that `text` names, in any case."""
        try:
            return cast("Self", _CARDS[text])
        except (KeyError, TypeError):
            pass
        wanted = str(text).strip().upper().replace("10", "T", 1)
        for suit, glyph in SUIT_GLYPHS.items():
            wanted = wanted.replace(glyph, suit)
        card = _CARDS.get(wanted)
        if card is None:
            raise NotationError(
                f"unknown card {str(text)!r}: write a face ({' '.join(FACES)}, ten as T or 10)"
                f" and, if it matters, a suit ({' '.join(SUITS)}), as in 8D"
            )
        return cast("Self", card)

    def __setattr__(self, name: str, value: Any) -> None:  # noqa: ANN401
        raise AttributeError(f"cards cannot be changed (tried to set {name})")

    def __repr__(self) -> str:
        return f"Card({str(self)!r})"

    def __str__(self) -> str:
        return self.face + self.suit

    @property
    def in_words(self) -> str:
        """The card in words: `ten of diamonds`, `ten` without a suit."""
        face = FACE_NAMES[self.face]
        return f"{face} of {SUIT_NAMES[self.suit].lower()}" if self.suit else face

    def __reduce__(self) -> tuple[type[Card], tuple[str]]:
        """Copy and unpickle to the one object of this card."""
        return (Card, (str(self),))


def _make_card(face: str, suit: str) -> Card:
    card: Card = object.__new__(Card)
    object.__setattr__(card, "face", face)
    object.__setattr__(card, "suit", suit)
    object.__setattr__(card, "rank", _RANK_OF_FACE[face])
    return card


_CARDS: Final[dict[str, Card]] = {
    face + suit: _make_card(face, suit) for face in FACES for suit in ("", *SUITS)
}

DECK: Final[tuple[Card, ...]] = tuple(_CARDS[face + suit] for suit in SUITS for face in FACES)


def parse_cards(cards: str | Iterable[Card | str]) -> tuple[Card, ...]:
    """Read cards from a text ("AC KD 9H", separated by blanks or commas) or from an iterable."""
    if isinstance(cards, str) or not isinstance(cards, Iterable):
        cards = str(cards).replace(",", " ").split()
    return tuple(card if isinstance(card, Card) else Card(card) for card in cards)


def read_rank(rank: str | Card | Rank, what: str = "rank") -> Rank:
    """Read a rank: a number from 1 (ace) to 10, or a card of it, as `A`, `T`, `10` or `KS`.

    `what` names it in the message.

    >>> read_rank(10), read_rank("10"), read_rank("T"), read_rank("A")
    (10, 10, 10, 1)
    """
    if isinstance(rank, str | Card):
        return Card(str(rank)).rank
    if rank not in RANKS:
        names = ", ".join(map(rank_name, RANKS))
        raise NotationError(f"{what} {rank!r}: a rank from {ACE} (ace) to {TEN}, or {names}")
    return int(rank)


def rank_name(rank: Rank) -> str:
    """Write a rank as one letter: `A`, `2` to `9`, `T`."""
    return FACES[rank - 1]


def write_face(face: str | Rank) -> str:
    """Write a face or a rank as players do: `A`, `2` to `10`, `J`, `Q`, `K`.

    >>> write_face("T"), write_face(10), write_face("K"), write_face(1)
    ('10', '10', 'K', 'A')
    """
    name = face if isinstance(face, str) else rank_name(face)
    return "10" if name == "T" else name


_ASCII: Final = {
    **str.maketrans("−–—×≤≥·", "---x<>|"),
    # Boxes, bars, whiskers and shades of pictures; the shares of a column in eighths.
    **str.maketrans("╭╮╰╯└┤│┊─┄◂▸●░▒█▁▂▃▄▅▆▇", "+++++||:--<>o.:#1234567"),
    **{ord(glyph): suit for suit, glyph in SUIT_GLYPHS.items()},
    ord("±"): "+-",
    ord("→"): "->",
    ord("…"): "...",
    ord("∞"): "inf",
}


def to_ascii(text: str) -> str:
    """Write a text in 7 bits; what has no counterpart becomes a question mark.

    >>> to_ascii("10♦ ± 0.5")
    '10D +- 0.5'
    """
    return text.translate(_ASCII).encode("ascii", "replace").decode("ascii")
