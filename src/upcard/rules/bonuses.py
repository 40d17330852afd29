"""Bonuses for a 21: by its number of cards, and for 6 7 8 and 7 7 7 by their suits.

Spanish 21 and Pontoon pay them to a 21 that wins at once and was not doubled. As text theirs are
`5=3:2/6=2:1/7=3:1/678=3:2-2:1-3:1/777=3:2-2:1-3:1`, or `usual` for short: the last number of cards
means that many or more; the three cards pay mixed, of one suit, and all spades, or by their number
where they are not named. `777v7=100:1` is what three sevens of one suit pay against a dealer's
seven, in a hand that was not split.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, NamedTuple, Self

from upcard.core.cards import SUIT_NAMES, Card, Rank
from upcard.core.numbers import exact_number

SEVEN: Final = 7
_USUAL: Final = "/5=3:2/6=2:1/7=3:1/678=3:2-2:1-3:1/777=3:2-2:1-3:1/"
_SHORT: Final = "/usual/"
SPADES: Final = "S"
_PART: Final = re.compile(r"([1-9][0-9]*|777V7)=([0-9:-]+)")
_PAYS: Final = re.compile(r"[0-9]+:[0-9]+")
_FEWEST: Final = 3
_MOST: Final = 21
_MOST_PAID: Final = 10_000
_ONE: Final = Fraction(1)


class BySuit(NamedTuple):
    """Pay of three cards, by their suits."""

    mixed: Fraction = _ONE
    suited: Fraction = _ONE
    spades: Fraction = _ONE

    def pay_of(self, suits: Sequence[str]) -> Fraction:
        """Return what cards of these suits pay; unknown suits, which are empty, are mixed."""
        if not all(suits) or len(set(suits)) > 1:
            return self.mixed
        return self.spades if suits[0] == SPADES else self.suited


_PLAIN: Final = BySuit()


@dataclass(frozen=True, slots=True)
class Bonuses:
    """Pays of a 21, per unit bet; `Bonuses.parse` reads the text that `str` writes.

    >>> str(Bonuses.parse("5=3:2/6=2:1/678=3:2-2:1-3:1"))
    '5=3:2/6=2:1/678=3:2-2:1-3:1'
    """

    by_cards: tuple[tuple[int, Fraction], ...] = ()
    """Numbers of cards, ascending, each with its pay; more cards than the last pay as the last."""
    of_678: BySuit = _PLAIN
    of_777: BySuit = _PLAIN
    suited_777_v_7: Fraction | None = None

    @classmethod
    def parse(cls, text: str) -> Self | None:
        """Read bonuses; None if the text is not in their form."""
        parts: dict[str, tuple[Fraction, ...]] = {}
        written = text.upper().replace(" ", "")
        for part in f"/{written}/".replace(_SHORT.upper(), _USUAL)[1:-1].split("/"):
            match = _PART.fullmatch(part)
            pays = tuple(map(_read_pay, match[2].split("-"))) if match else ()
            read = tuple(pay for pay in pays if pay is not None)
            is_by_suit = match is not None and match[1] in ("678", "777")
            if match is None or len(read) != (3 if is_by_suit else 1) or len(read) != len(pays):
                return None
            if match[1] in parts:
                return None
            parts[match[1]] = read
        named = {name: BySuit(*parts.pop(name)) for name in ("678", "777") if name in parts}
        (super_pay,) = parts.pop("777V7", (None,))
        by_cards = tuple(sorted((int(number), pay) for number, (pay,) in parts.items()))
        if any(not _FEWEST <= number <= _MOST for number, _ in by_cards):
            return None
        of_three = cls(by_cards).of_three
        return cls(by_cards, named.get("678", of_three), named.get("777", of_three), super_pay)

    def __str__(self) -> str:
        parts: list[tuple[str, tuple[Fraction, ...]]] = []
        parts += [(str(number), (pay,)) for number, pay in self.by_cards]
        named = (("678", self.of_678), ("777", self.of_777))
        parts += [(name, tuple(pays)) for name, pays in named if pays != self.of_three]
        if self.suited_777_v_7 is not None:
            parts.append(("777v7", (self.suited_777_v_7,)))
        text = "/".join(f"{name}={'-'.join(map(_write_pay, pays))}" for name, pays in parts)
        return f"/{text}/".replace(_USUAL, _SHORT)[1:-1]

    def __format__(self, spec: str) -> str:
        return format(str(self), spec)

    @property
    def of_three(self) -> BySuit:
        """Pay of three cards by their number, whatever their suits."""
        return BySuit(*(self._pay_of_number(_FEWEST),) * 3)

    def by_suit(self, ranks: Sequence[Rank]) -> BySuit | None:
        """Return what these cards pay by their suits; None if suits do not matter to them."""
        match sorted(ranks):
            case [6, 7, 8]:
                return self.of_678
            case [7, 7, 7]:
                return self.of_777
        return None

    def pay_of_ranks(self, ranks: Sequence[Rank]) -> Fraction:
        """Return what a 21 of these ranks pays, of mixed suits."""
        if (pays := self.by_suit(ranks)) is not None:
            return pays.mixed
        return self._pay_of_number(len(ranks))

    def _pay_of_number(self, cards: int) -> Fraction:
        pays = [pay for number, pay in self.by_cards if number <= cards]
        return pays[-1] if pays else _ONE

    def pay_of(self, cards: Sequence[Card], *, upcard: Rank, is_split: bool) -> Fraction:
        """Return what a 21 of these cards pays, if it was not doubled."""
        ranks = [card.rank for card in cards]
        pays = self.by_suit(ranks)
        if pays is None:
            return self.pay_of_ranks(ranks)
        suits = [card.suit for card in cards]
        is_super = ranks == [SEVEN] * 3 and upcard == SEVEN and not is_split
        if is_super and self.suited_777_v_7 is not None and all(suits) and len(set(suits)) == 1:
            return self.suited_777_v_7
        return pays.pay_of(suits)

    @property
    def pays(self) -> tuple[Fraction, ...]:
        """All that a 21 may pay."""
        super_pay = () if self.suited_777_v_7 is None else (self.suited_777_v_7,)
        by_cards = (pay for _, pay in self.by_cards)
        return (*by_cards, *self.of_678, *self.of_777, *super_pay)

    @property
    def uneven_pays(self) -> tuple[Fraction, ...]:
        """The pays that are not even money, ascending."""
        return tuple(sorted({*self.pays} - {_ONE}))

    def name_of(self, cards: Sequence[Card]) -> str:
        """Name what the bonus of a 21 is for: `6 7 8 of spades`, `21 of 5 cards`."""
        ranks = sorted(card.rank for card in cards)
        if self.by_suit(ranks) is None:
            return f"21 of {len(cards)} cards"
        suits = {card.suit for card in cards}
        of_suit = "" if len(suits) > 1 or "" in suits else f" of {SUIT_NAMES[min(suits)].lower()}"
        return f"{' '.join(map(str, ranks))}{of_suit}"

    def say(self) -> Iterator[str]:
        """Say in words what is paid, a part of a sentence each."""
        last = len(self.by_cards) - 1
        for place, (number, pay) in enumerate(self.by_cards):
            more = " or more" if place == last else ""
            yield f"{_write_pay(pay)} for a 21 of {number}{more} cards"
        for name, pays in (("6 7 8", self.of_678), ("7 7 7", self.of_777)):
            if pays != self.of_three:
                mixed, suited, spades = map(_write_pay, pays)
                yield f"{mixed} for {name}, {suited} of one suit, {spades} of spades"
        if self.suited_777_v_7 is not None:
            most = _write_pay(self.suited_777_v_7)
            yield f"{most} for 7 7 7 of one suit against a 7 in a hand that was not split"


def _read_pay(text: str) -> Fraction | None:
    pay = exact_number(text.replace(":", "/")) if _PAYS.fullmatch(text) else None
    return pay if pay is not None and 0 < pay <= _MOST_PAID else None


def _write_pay(pay: Fraction) -> str:
    return f"{pay.numerator}:{pay.denominator}"
