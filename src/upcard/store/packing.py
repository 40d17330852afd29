"""Numbers, chips and rules packed into bytes, for codes: `Writer` and `Reader`.

A number is written in groups of seven bits, the lowest first, each but the last with 128 added.
Rules are the settings that differ from the common six-deck game. The tables below are part of the
form of a code: they grow at their ends and never change otherwise, or old codes would lie.
"""

from __future__ import annotations

from enum import StrEnum
from fractions import Fraction
from typing import Any, Final

from upcard.core.errors import NotationError, RulesError
from upcard.core.hands import AceRule
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

_MOST_BITS: Final = 256

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


class Writer:
    """Bytes in the making."""

    def __init__(self) -> None:
        """Begin with none."""
        self.data = bytearray()

    def number(self, value: int) -> None:
        """Write a whole number, 0 or more.

        Raises: NotationError for one that is too long for a code.
        """
        if value.bit_length() > _MOST_BITS:
            msg = f"a number of {value.bit_length()} bits is too long for a code"
            raise NotationError(msg)
        while value > 127:
            self.data.append(value & 127 | 128)
            value >>= 7
        self.data.append(value)

    def fraction(self, value: Fraction) -> None:
        """Write a fraction, 0 or more: a whole number doubled, others doubled and 1 more."""
        is_broken = value.denominator != 1
        self.number(2 * value.numerator + is_broken)
        if is_broken:
            self.number(value.denominator)

    def fractions(self, values: tuple[Fraction, ...]) -> None:
        """Write some fractions, at least one; if all are equal, once."""
        same = len(set(values)) == 1
        self.number(2 * len(values) + same)
        for value in values[:1] if same else values:
            self.fraction(value)

    def rules(self, rules: Rules) -> None:
        """Write the settings that differ from the common game: how many, then each."""
        written = [
            (index, getattr(rules, name), words)
            for index, (name, common, words) in enumerate(SETTINGS)
            if getattr(rules, name) != common
        ]
        self.number(len(written))
        for index, value, words in written:
            self.number(index)
            self._setting(value, words)

    def _setting(self, value: object, words: tuple[StrEnum, ...]) -> None:
        match value:
            case StrEnum():
                self.number(words.index(value))
            case bool():
                self.number(int(value))
            case Fraction():
                self.fraction(value)
            case int():
                self.number(value)
            case _:  # None: no limit, no such rule, no end of cards
                self.number(0)


class Reader:
    """Reads what a `Writer` wrote.

    Raises: NotationError where the bytes end early or say what cannot be.
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

    def rest(self) -> bytes:
        """Read all that is left."""
        return self.take(len(self._data) - self._next)

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
