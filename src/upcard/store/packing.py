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
_LONGEST: Final = 400
_CHECK_BYTES: Final = 2
_KEYED: Final = 1
_LISTED: Final = 2
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
    whole, check = data[:-_CHECK_BYTES], data[-_CHECK_BYTES:]
    if not whole or hashlib.sha256(whole).digest()[:_CHECK_BYTES] != check:
        msg = f"code {shorten(code)!r} is mistyped or not whole: its check letters do not fit"
        raise NotationError(msg)
    try:
        return _Reader(whole).record()
    except (RulesError, ValueError, IndexError, ZeroDivisionError) as error:
        msg = f"code {shorten(code)!r} is not a round that this upcard knows: {error}"
        raise NotationError(msg) from None


def shorten(code: str) -> str:
    """Return a code as a message quotes it."""
    return code if len(code) <= 60 else f"{code[:57]}..."


def _read_base58(letters: str) -> bytes:
    if len(letters) > _LONGEST:
        msg = f"a code of {len(letters)} characters: no code has more than {_LONGEST}"
        raise NotationError(msg)
    number = 0
    for letter in letters:
        if letter not in _ALPHABET:
            msg = f"code {shorten(letters)!r}: {letter!r} is in no code"
            raise NotationError(msg)
        number = number * len(_ALPHABET) + _ALPHABET.index(letter)
    return number.to_bytes((number.bit_length() + 7) // 8, "big")


class _Reader:
    """Reads packed numbers, chips, cards, actions and rules.

    Raises: IndexError where the bytes end early; ValueError, ZeroDivisionError and RulesError
    where they have no meaning.
    """

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._next = 0

    def record(self) -> RoundRecord:
        kind = self._number(_LISTED + 1)
        rules = self._rules()
        source: KeyedCards | CardList
        if kind == _KEYED:
            source = KeyedCards(self._take(KEY_BYTES), Place(self._number(), self._number()))
        else:
            source = CardList(tuple(CARDS[number] for number in self._take(self._number())))
        bets = self._bets()
        halves = [half for pair in self._data[self._next :] for half in divmod(pair, 16) if half]
        actions = tuple(_ACTIONS[half - 1] for half in halves)
        return RoundRecord(rules=rules, bets=bets, source=source, actions=actions)

    def _take(self, count: int) -> bytes:
        start, self._next = self._next, self._next + count
        if self._next > len(self._data):
            msg = "it ends too early"
            raise IndexError(msg)
        return self._data[start : self._next]

    def _number(self, limit: int | None = None) -> int:
        value = shift = 0
        while True:
            group = self._take(1)[0]
            value |= (group & 127) << shift
            shift += 7
            if group < 128:
                break
        if limit is not None and value >= limit:
            msg = f"{value} where less than {limit} is known"
            raise ValueError(msg)
        return value

    def _fraction(self) -> Fraction:
        numerator, is_broken = divmod(self._number(), 2)
        return Fraction(numerator, self._number() if is_broken else 1)

    def _bets(self) -> tuple[Fraction, ...]:
        count, are_same = divmod(self._number(2 * MOST_SPOTS + 2), 2)
        if are_same:
            return (self._fraction(),) * count
        return tuple(self._fraction() for _ in range(count))

    def _rules(self) -> Rules:
        changes: dict[str, Any] = {name: common for name, common, _ in SETTINGS}
        for _ in range(self._number(len(SETTINGS) + 1)):
            name, common, words = SETTINGS[self._number(len(SETTINGS))]
            changes[name] = self._setting(common, words)
        return Rules(**changes)

    def _setting(self, common: object, words: tuple[StrEnum, ...]) -> object:
        if words:
            return words[self._number(len(words))]
        if isinstance(common, bool):
            return bool(self._number(2))
        return self._fraction() if isinstance(common, Fraction) else self._number() or None
