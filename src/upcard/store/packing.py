"""Codes as version 0.1 wrote them, which are still read: numbers packed into bytes, in base 58.

A number is written in groups of seven bits, the lowest first, each but the last with 128 added.
Rules are the settings that differ from the common six-deck game. The tables below are part of the
form and never change.
"""

from __future__ import annotations

import hashlib
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

from upcard.core.actions import Action
from upcard.core.cards import FACES, SUITS, Card
from upcard.core.errors import NotationError, RulesError
from upcard.core.hands import AceRule
from upcard.fair.shoe import KEY_BYTES, KeyedCards, Place
from upcard.rules.model import Rules
from upcard.rules.settings import (
    DealerRule,
    DealOrder,
    DoubleOn,
    EvenMoney,
    HoleCard,
    NaturalTakes,
    Player21,
    Shuffle,
    Soft17,
    SplitBy,
    SplitNaturals,
    Surrender,
    TurnOrder,
)
from upcard.rules.validation import MOST_SPOTS
from upcard.table.record import CardList, RoundRecord

if TYPE_CHECKING:
    from enum import StrEnum

_ALPHABET: Final = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
_DIGITS: Final = {letter: digit for digit, letter in enumerate(_ALPHABET)}
_LONGEST: Final = 400
_CHECK_BYTES: Final = 2
_KEYED: Final = 1
_LISTED: Final = 2
_MOST_BITS: Final = 256
_MOST_CARDS: Final = 250
CARDS: Final = tuple(Card(face + suit) for suit in (*SUITS, "") for face in FACES)
# 0 stands for none.
_ACTIONS: Final = (
    Action.HIT,
    Action.STAND,
    Action.DOUBLE,
    Action.SPLIT,
    Action.SURRENDER,
    Action.INSURANCE,
    Action.NO_INSURANCE,
    Action.EVEN_MONEY,
    Action.NO_EVEN_MONEY,
    Action.NO_SPLIT,
    Action.NO_SURRENDER,
)

# name, what it is in the common game, and for words all there are, in the order of their numbers.
SETTINGS: Final[tuple[tuple[str, Any, tuple[StrEnum, ...]], ...]] = (
    ("decks", 6, ()),
    ("ten_probability", Fraction(4, 13), ()),
    ("shuffle", Shuffle.CUT_CARD, (Shuffle.CUT_CARD, Shuffle.EVERY_ROUND)),
    ("penetration", Fraction(3, 4), ()),
    ("ace_rule", AceRule.BEST, (AceRule.BEST, AceRule.ONE_SOFTENED)),
    ("soft_17", Soft17.STAND, (Soft17.STAND, Soft17.HIT)),
    ("dealer_rule", DealerRule.TO_17, (DealerRule.TO_17, DealerRule.UNTIL_AHEAD)),
    ("hole_card", HoleCard.PEEK, (HoleCard.PEEK, HoleCard.NO_PEEK, HoleCard.NONE)),
    ("shows_upcard", True, ()),
    ("natural_takes", NaturalTakes.ALL, (NaturalTakes.ALL, NaturalTakes.ORIGINAL)),
    ("natural_pays", Fraction(3, 2), ()),
    ("natural_ties_21", False, ()),
    ("player_21", Player21.STANDS, (Player21.STANDS, Player21.ASKED, Player21.WINS)),
    ("charlie", None, ()),
    (
        "double_on",
        DoubleOn.ANY_TWO,
        (
            DoubleOn.ANY_TWO,
            DoubleOn.HARD_9_TO_11,
            DoubleOn.HARD_10_TO_11,
            DoubleOn.ANY_NUMBER,
            DoubleOn.NEVER,
        ),
    ),
    ("double_after_split", True, ()),
    ("split_by", SplitBy.VALUE, (SplitBy.VALUE, SplitBy.RANK)),
    ("max_hands", 4, ()),
    ("max_total_hands", None, ()),
    ("resplit_aces", False, ()),
    ("hit_split_aces", False, ()),
    ("double_split_aces", False, ()),
    (
        "split_naturals",
        SplitNaturals.NEVER,
        (SplitNaturals.NEVER, SplitNaturals.ON_TENS, SplitNaturals.ALWAYS),
    ),
    ("surrender", Surrender.NONE, (Surrender.NONE, Surrender.LATE, Surrender.EARLY)),
    ("insurance", True, ()),
    ("even_money", EvenMoney.INSTEAD, (EvenMoney.NEVER, EvenMoney.INSTEAD, EvenMoney.FIRST)),
    (
        "turn_order",
        TurnOrder.HAND_BY_HAND,
        (TurnOrder.HAND_BY_HAND, TurnOrder.ROUND_ROBIN, TurnOrder.SPLITS_FIRST),
    ),
    (
        "deal_order",
        DealOrder.CASINO,
        (DealOrder.CASINO, DealOrder.HANDS_UP_HOLE, DealOrder.HANDS_HOLE_UP),
    ),
    ("betting", True, ()),
    ("max_spots", 7, ()),
)


def read_packed(code: str) -> RoundRecord:
    """Read a code of version 0.1, without blanks.

    Raises: NotationError for anything else.
    """
    data = _read_base58(code)
    if len(data) <= _CHECK_BYTES or _check(data[:-_CHECK_BYTES]) != data[-_CHECK_BYTES:]:
        msg = f"code {_shorten(code)!r} is mistyped or not whole: its check letters do not fit"
        raise NotationError(msg)
    reader = _Reader(data[:-_CHECK_BYTES])
    kind = reader.number()
    if kind not in (_KEYED, _LISTED):
        msg = f"a code of kind {kind}: this upcard knows {_KEYED} and {_LISTED}"
        raise NotationError(msg)
    rules = reader.rules()
    source: KeyedCards | CardList
    if kind == _KEYED:
        source = KeyedCards(reader.take(KEY_BYTES), Place(reader.number(), reader.number()))
    else:
        source = CardList(reader.cards())
    bets = reader.fractions(MOST_SPOTS)
    return RoundRecord(rules=rules, bets=bets, source=source, actions=reader.actions())


def _read_base58(letters: str) -> bytes:
    if len(letters) > _LONGEST:
        msg = f"a code of {len(letters)} characters: no code has more than {_LONGEST}"
        raise NotationError(msg)
    number = 0
    for letter in letters:
        if letter not in _DIGITS:
            msg = f"code {_shorten(letters)!r}: {letter!r} is in no code"
            raise NotationError(msg)
        number = number * len(_ALPHABET) + _DIGITS[letter]
    return number.to_bytes((number.bit_length() + 7) // 8, "big")


def _check(data: bytes) -> bytes:
    return hashlib.sha256(data).digest()[:_CHECK_BYTES]


def _shorten(code: str) -> str:
    return code if len(code) <= 60 else f"{code[:57]}..."


class _Reader:
    """Reads packed numbers, chips, cards, actions and rules.

    Raises: NotationError where the bytes end early or have no meaning.
    """

    def __init__(self, data: bytes) -> None:
        """Begin at the first byte."""
        self._data = data
        self._next = 0

    def take(self, count: int) -> bytes:
        """Read so many bytes as they are."""
        taken = self._data[self._next : self._next + count]
        if len(taken) < count:
            msg = "a code that ends too early: copy all of it"
            raise NotationError(msg)
        self._next += count
        return taken

    def number(self) -> int:
        """Read a whole number."""
        value = shift = 0
        while True:
            group = self.take(1)[0]
            value |= (group & 127) << shift
            shift += 7
            if group < 128:
                return value
            if shift > _MOST_BITS + 6:
                msg = "a code with a number that no round has"
                raise NotationError(msg)

    def fraction(self) -> Fraction:
        """Read a fraction."""
        doubled = self.number()
        denominator = self.number() if doubled % 2 else 1
        if not denominator:
            msg = "a code with a fraction of nothing"
            raise NotationError(msg)
        return Fraction(doubled // 2, denominator)

    def fractions(self, most: int) -> tuple[Fraction, ...]:
        """Read some fractions, `most` at the most."""
        count, same = divmod(self.number(), 2)
        if not 1 <= count <= most:
            msg = f"a code with {count} bets: 1 to {most} can be"
            raise NotationError(msg)
        if same:
            return (self.fraction(),) * count
        return tuple(self.fraction() for _ in range(count))

    def cards(self) -> tuple[Card, ...]:
        """Read a number of cards, then a byte for each."""
        count = self.number()
        if not 1 <= count <= _MOST_CARDS:
            msg = f"a code with {count} cards: 1 to {_MOST_CARDS} can be"
            raise NotationError(msg)
        numbers = self.take(count)
        if max(numbers) >= len(CARDS):
            msg = f"a code with card {max(numbers)}, which no deck has"
            raise NotationError(msg)
        return tuple(CARDS[number] for number in numbers)

    def actions(self) -> tuple[Action, ...]:
        """Read the rest as actions, half a byte each; the last half may be 0."""
        numbers = [half for pair in self._data[self._next :] for half in divmod(pair, 16)]
        if numbers and not numbers[-1]:
            numbers.pop()
        unknown = [number for number in numbers if not 1 <= number <= len(_ACTIONS)]
        if unknown:
            msg = f"a code with answer {unknown[0]}, which this upcard does not know"
            raise NotationError(msg)
        return tuple(_ACTIONS[number - 1] for number in numbers)

    def rules(self) -> Rules:
        """Read rules."""
        changes: dict[str, Any] = {name: common for name, common, _ in SETTINGS}
        for _ in range(self._limited(len(SETTINGS) + 1, "settings")):
            name, common, words = SETTINGS[self._limited(len(SETTINGS), "setting")]
            changes[name] = self._setting(name, common, words)
        try:
            return Rules(**changes)
        except RulesError as error:
            msg = f"a code with rules that cannot be: {error}"
            raise NotationError(msg) from None

    def _setting(self, name: str, common: object, words: tuple[StrEnum, ...]) -> object:
        if words:
            return words[self._limited(len(words), name)]
        if isinstance(common, bool):
            return bool(self._limited(2, name))
        if isinstance(common, Fraction):
            return self.fraction()
        return self.number() or None

    def _limited(self, limit: int, what: str) -> int:
        number = self.number()
        if number >= limit:
            msg = f"a code with {what} {number}, which this upcard does not know"
            raise NotationError(msg)
        return number
