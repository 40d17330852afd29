"""Reader of version 0.1's codes: numbers packed into bytes, in base 58.

A number is written in groups of seven bits, the lowest first, each but the last with 128 added.
Rules are the settings that differ from the common six-deck game, by their places in
`rules.settings`: its order is part of the format.
"""

from __future__ import annotations

import hashlib
from enum import StrEnum
from fractions import Fraction
from typing import Any, Final

from upcard.core.actions import Action
from upcard.core.cards import FACES, SUITS, Card
from upcard.core.errors import NotationError, RulesError
from upcard.fair.fair_shoe import KeyedCards, Place
from upcard.fair.seeds import KEY_BYTES
from upcard.rules.model import Rules
from upcard.rules.settings import MOST_SPOTS, SETTINGS, Setting
from upcard.table.rounds import CardList, RoundRecord

_ALPHABET: Final = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
_LONGEST: Final = 400
_CHECK_BYTES: Final = 2
_KEYED: Final = 1
_LISTED: Final = 2
CARDS: Final = tuple(Card(face + suit) for suit in (*SUITS, "") for face in FACES)
# 0 stands for None.
_ACTIONS: Final = (
    *(Action.HIT, Action.STAND, Action.DOUBLE, Action.SPLIT, Action.SURRENDER),
    *(Action.INSURANCE, Action.NO_INSURANCE, Action.EVEN_MONEY, Action.NO_EVEN_MONEY),
    *(Action.NO_SPLIT, Action.NO_SURRENDER),
)

_SETTINGS: Final = tuple(SETTINGS.values())


def read_packed(code: str) -> RoundRecord:
    """Read a code of version 0.1, without blanks. Raises: NotationError for anything else."""
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
    """Shorten a code for a message."""
    return code if len(code) <= 60 else f"{code[:57]}..."


def _read_base58(letters: str) -> bytes:
    if len(letters) > _LONGEST:
        msg = f"a code of {len(letters)} characters: no code has more than {_LONGEST}"
        raise NotationError(msg)
    number = 0
    for letter in letters:
        if letter not in _ALPHABET:
            raise NotationError(f"code {shorten(letters)!r}: {letter!r} is in no code")
        number = number * len(_ALPHABET) + _ALPHABET.index(letter)
    return number.to_bytes((number.bit_length() + 7) // 8, "big")


class _Reader:
    """Reads packed numbers, chips, cards, actions and rules.

    Raises: IndexError if the bytes end early; ValueError, ZeroDivisionError and RulesError for
    invalid values.
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
            raise IndexError("it ends too early")
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
            raise ValueError(f"{value} where less than {limit} is known")
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
        changes: dict[str, Any] = {setting.name: setting.default for setting in _SETTINGS}
        for _ in range(self._number(len(_SETTINGS) + 1)):
            setting = _SETTINGS[self._number(len(_SETTINGS))]
            changes[setting.name] = self._value(setting)
        return Rules(**changes)

    def _value(self, setting: Setting) -> object:
        kind = setting.kind
        if issubclass(kind, StrEnum):
            return list(kind)[self._number(len(kind))]
        if kind is bool:
            return bool(self._number(2))
        return self._fraction() if kind is Fraction else self._number() or None
