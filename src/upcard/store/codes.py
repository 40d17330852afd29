"""A round as a short text that another person can play again: rules, cards, bets and answers.

Two kinds: with the key of its shoe, from which the cards after the round follow too, so that it can
be played on otherwise; or, while its shoe is in play, with the cards that were dealt and no more.
The form is described in docs/saved-games.md.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from upcard.core.actions import Action
from upcard.core.cards import FACES, SUITS, Card
from upcard.core.errors import NotationError
from upcard.fair.shoe import KEY_BYTES, KeyedShoe, Place
from upcard.rules.house import house_names, load_house
from upcard.rules.validation import MOST_SPOTS
from upcard.store.base58 import read_base58, write_base58
from upcard.store.packing import Reader, Writer
from upcard.table.shoe import ScriptedShoe

if TYPE_CHECKING:
    from fractions import Fraction

    from upcard.rules.model import Rules
    from upcard.store.records import StoredRound
    from upcard.table.shoe import Shoe

_KEYED: Final = 1
_LISTED: Final = 2
_CHECK_BYTES: Final = 2
_MOST_CARDS: Final = 250
# Part of the form: a new action comes at the end. 0 stands for none.
ACTIONS: Final = (
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
_CARDS: Final = tuple(face + suit for suit in (*SUITS, "") for face in FACES)


@dataclass(frozen=True, slots=True, kw_only=True)
class CodedRound:
    """What a code says. Either `key` and `place` are there, or `cards`."""

    rules: Rules
    bets: tuple[Fraction, ...]
    actions: tuple[Action, ...]
    key: bytes = b""
    """The key of the shoe, `KEY_BYTES` long; empty where cards are listed."""
    place: Place = Place()  # noqa: RUF009 (a named tuple)
    cards: tuple[Card, ...] = ()

    @property
    def has_shoe(self) -> bool:
        """Whether the cards after those of the round are known, so that it can be played on."""
        return bool(self.key)

    def make_shoe(self) -> Shoe:
        """Make the shoe that deals the round again."""
        if self.key:
            return KeyedShoe(self.rules, self.key, self.place)
        return ScriptedShoe(self.cards)


def code_of(stored: StoredRound) -> CodedRound:
    """Say what a code says of a stored round: the shoe's key, once it may be told."""
    rules, bets, actions = stored.session.rules, stored.bets, stored.actions
    if stored.key is None:
        return CodedRound(rules=rules, bets=bets, actions=actions, cards=stored.cards)
    return CodedRound(rules=rules, bets=bets, actions=actions, key=stored.key, place=stored.place)


def encode_round(coded: CodedRound) -> str:
    """Write a round as a code: about 35 characters for a hand of the common game."""
    out = Writer()
    out.number(_KEYED if coded.key else _LISTED)
    out.rules(coded.rules)
    if coded.key:
        out.data += coded.key
        out.number(coded.place.shuffle)
        out.number(coded.place.dealt)
    else:
        out.number(len(coded.cards))
        out.data += bytes(_CARDS.index(str(card)) for card in coded.cards)
    out.fractions(coded.bets)
    numbers = [1 + ACTIONS.index(action) for action in coded.actions]
    numbers += [0] * (len(numbers) % 2)
    out.data += bytes(
        first * 16 + second for first, second in zip(numbers[::2], numbers[1::2], strict=True)
    )
    return write_base58(bytes(out.data) + _check(bytes(out.data)))


def decode_round(code: str) -> CodedRound:
    """Read a code; nothing is played yet.

    Raises: NotationError for what is no code, saying what is wrong with it.
    """
    data = read_base58(code)
    if len(data) <= _CHECK_BYTES or _check(data[:-_CHECK_BYTES]) != data[-_CHECK_BYTES:]:
        msg = f"code {_shorten(code)!r} is mistyped or not whole: its check letters do not fit"
        raise NotationError(msg)
    coded = _read(Reader(data[:-_CHECK_BYTES]))
    if encode_round(coded) != "".join(code.split()):
        msg = f"code {_shorten(code)!r} is not written as upcard writes codes"
        raise NotationError(msg)
    return coded


def _read(source: Reader) -> CodedRound:
    kind = source.number()
    if kind not in (_KEYED, _LISTED):
        msg = f"a code of kind {kind}: this upcard knows {_KEYED} and {_LISTED}"
        raise NotationError(msg)
    rules = _name_house(source.rules())
    key, place = b"", Place()
    cards: tuple[Card, ...] = ()
    if kind == _KEYED:
        key = source.take(KEY_BYTES)
        place = Place(source.number(), source.number())
        KeyedShoe(rules, key, place)  # refuses a place that cannot be
    else:
        cards = _read_cards(source)
    return CodedRound(
        rules=rules,
        bets=source.fractions(MOST_SPOTS),
        actions=_read_actions(source.rest()),
        key=key,
        place=place,
        cards=cards,
    )


def _read_actions(data: bytes) -> tuple[Action, ...]:
    numbers = [half for pair in data for half in divmod(pair, 16)]
    if numbers and not numbers[-1]:
        numbers.pop()
    unknown = [number for number in numbers if not 1 <= number <= len(ACTIONS)]
    if unknown:
        msg = f"a code with answer {unknown[0]}, which this upcard does not know"
        raise NotationError(msg)
    return tuple(ACTIONS[number - 1] for number in numbers)


def _read_cards(source: Reader) -> tuple[Card, ...]:
    count = source.number()
    if not 1 <= count <= _MOST_CARDS:
        msg = f"a code with {count} cards: 1 to {_MOST_CARDS} can be"
        raise NotationError(msg)
    numbers = source.take(count)
    if max(numbers) >= len(_CARDS):
        msg = f"a code with card {max(numbers)}, which no deck has"
        raise NotationError(msg)
    return tuple(Card(_CARDS[number]) for number in numbers)


def _name_house(rules: Rules) -> Rules:
    """Give rules that are a house's the name of the house."""
    for name in house_names():
        if load_house(name).rules == rules:
            return rules.replace(name=name)
    return rules


def _check(data: bytes) -> bytes:
    return hashlib.sha256(data).digest()[:_CHECK_BYTES]


def _shorten(code: str) -> str:
    return code if len(code) <= 60 else f"{code[:57]}..."
