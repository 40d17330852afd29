"""Rows of a side bet that no cards reach, since an earlier row always takes them.

For each row a search looks for one hand that reaches it, card by card. It leaves a branch as soon
as an earlier row takes every hand there, or the row itself fits none: two cards of a suit are
enough for `same_suit = 2`, whatever comes next. Cards that no word distinguishes are tried once,
and suits that can be exchanged in one order. What is tried is counted, and bounded.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from typing import Any, Final

from upcard.core.cards import FACES, SUITS, TEN, Card
from upcard.rules.side_bets import (
    GROUP_WORDS,
    PayRow,
    SideBet,
    Span,
    Test,
    could_be_group,
    could_fit_ranks,
    hand_total,
)

MOST_TRIED: Final = 150_000
"""Most tests of a row for one file, about half a second. A row whose search ends here counts as
reached: it may never pay, but its chance is computed with the others."""
_PATTERNS: Final = ("C", "CS", "CD", "CSDH", "CDSH", "CCSD", "CCDS")
"""Suits that are tried for a dealer's final hand, over and over."""


@dataclass
class Work:
    """The tests of rows so far, and whether a search was given up."""

    tried: int = 0
    is_over: bool = field(default=False)

    def add(self) -> None:
        """Count one test. Raises: _TooMuchError for the first that is too much."""
        self.tried += 1
        if self.tried > MOST_TRIED:
            self.is_over = True
            raise _TooMuchError


class _TooMuchError(Exception):
    """The search was given up."""


def find_unreachable(bet: SideBet, work: Work | None = None) -> list[PayRow]:
    """Return the rows that no cards reach, because an earlier row always takes them.

    `work` gets the number of tests that this took.
    """
    work = work or Work()
    if bet.is_on_dealer:
        return _find_on_dealer(bet, work)
    found = []
    for number, row in enumerate(bet.rows):
        wanted = row.get("dealer_natural")
        naturals = (False, True) if bet.needs_natural and wanted is None else (bool(wanted),)
        try:
            if not any(_Search(bet, number, one, work).finds() for one in naturals):
                found.append(row)
        except _TooMuchError:
            break
    return found


class _SearchedRow:
    """A row as the search needs it: its test, and the places of the cards that it looks at."""

    def __init__(self, bet: SideBet, row: PayRow, size: int) -> None:
        known = {name: place for place, name in enumerate(bet.cards)}
        every = tuple(range(size))
        chosen = tuple(known.get(name, size - 1) for name in row.cards)
        self.places = every if row.cards == bet.cards else chosen
        self.row = row
        words = {word: value for word, value in row.words if word != "dealer_natural"}
        by_size: dict[int, list[str]] = {}
        for word in GROUP_WORDS:
            if word in words:
                by_size.setdefault(words[word], []).append(word)
        self.groups = {number: tuple(some) for number, some in by_size.items()}
        self._others = [(_COULD[word], words[word]) for word in words if word in _COULD]
        self.is_by_groups = words.keys() <= set(GROUP_WORDS)
        """Whether cards that fit still fit when more are dealt."""

    @cached_property
    def test(self) -> Test:
        return self.row.make_test()

    def takes(self, hand: Sequence[Card | None], work: Work) -> bool:
        """Whether every hand with these cards fits, as far as the cards that are dealt say."""
        looked = [card for place in self.places if (card := hand[place]) is not None]
        if len(looked) < len(self.places) and not self.is_by_groups:
            return False
        work.add()
        return self.test(looked)

    def could_fit(self, hand: Sequence[Card | None], work: Work) -> bool:
        """Whether some hand with these cards can fit; False only if none does."""
        looked = [card for place in self.places if (card := hand[place]) is not None]
        left = len(self.places) - len(looked)
        work.add()
        if not left:
            return self.test(looked)
        return all(
            could_be_group(looked, left, number, words) for number, words in self.groups.items()
        ) and all(could(looked, left, value) for could, value in self._others)


def _could_total(looked: Sequence[Card], left: int, totals: Span) -> bool:
    hard = sum(card.rank for card in looked)
    is_over = totals.most is not None and hard + left > totals.most
    return not is_over and hard + TEN * (left + 1) >= totals.least


def _could_ranks(looked: Sequence[Card], _: int, ranks: Sequence[str]) -> bool:
    return could_fit_ranks("".join(card.face for card in looked), ranks)


def _could_exact(looked: Sequence[Card], _: int, cards: Sequence[Card]) -> bool:
    return not Counter(looked) - Counter(cards)


_COULD: Final[dict[str, Callable[[Sequence[Card], int, Any], bool]]] = {
    "total": _could_total,
    "ranks": _could_ranks,
    "exact": _could_exact,
}
"""Whether cards can be part of a hand that fits, by word, with the number of cards left."""


class _Search:
    """The search for one hand that reaches a row."""

    def __init__(self, bet: SideBet, number: int, natural: bool, work: Work) -> None:  # noqa: FBT001
        one_each = replace(bet, for_each=bet.for_each[:1])
        size = len(one_each.names)
        seen = [
            row for row in bet.rows[: number + 1] if row.get("dealer_natural") in (None, natural)
        ]
        self._looking = replace(one_each, rows=tuple(seen))
        *self._earlier, self._row = (_SearchedRow(bet, row, size) for row in seen)
        self._work = work
        self._order = [place for alike in self._looking.alike_places() for place in alike]
        firsts = {alike[0] for alike in self._looking.alike_places()}
        self._begins = [place in firsts for place in self._order]
        self._kinds = tuple(_list_kinds(self._looking))
        self._turns = tuple(self._looking.list_turns())
        self._next_suits: dict[str, str] = {}

    def finds(self) -> bool:
        hand: list[Card | None] = [None] * len(self._order)
        return self._row.could_fit(hand, self._work) and self._deal(hand, 0, 0, "")

    def _deal(self, hand: list[Card | None], number: int, first: int, suits: str) -> bool:
        if number == len(self._order):
            return True
        place = self._order[number]
        begin = 0 if self._begins[number] else first
        for kind in range(begin, len(self._kinds)):
            card = self._kinds[kind]
            now = suits if card.suit in suits else suits + card.suit
            if now != suits and card.suit not in self._list_next(suits):
                continue
            hand[place] = card
            if (
                self._row.could_fit(hand, self._work)
                and not any(
                    place in row.places and row.takes(hand, self._work) for row in self._earlier
                )
                and self._deal(hand, number + 1, kind, now)
            ):
                return True
        hand[place] = None
        return False

    def _list_next(self, suits: str) -> str:
        """Return the suits to try beside those in the hand: one of those that can be exchanged."""
        if suits not in self._next_suits:
            fixed = [turn for turn in self._turns if all(turn[suit] == suit for suit in suits)]
            self._next_suits[suits] = "".join(
                suit
                for suit in SUITS
                if suit == min((turn[suit] for turn in fixed), key=SUITS.index)
            )
        return self._next_suits[suits]


def _list_kinds(bet: SideBet) -> Iterator[Card]:
    """Iterate over the cards that the rows of a bet distinguish, by face and then by suit."""
    has_suits = any({"same_suit", "exact"} & {word for word, _ in row.words} for row in bet.rows)
    suits = SUITS if has_suits else "CD" if bet.needs_suits else "C"  # the first of each colour
    for face in FACES if bet.needs_faces else FACES[:TEN]:
        for suit in suits:
            yield Card(face + suit)


def _find_on_dealer(bet: SideBet, work: Work) -> list[PayRow]:
    naturals = (False, True) if bet.needs_natural else (False,)
    reached: set[int] = set()
    for cards in _dealer_hands(bet):
        for has_natural in naturals:
            reached.update(bet.find_rows(cards, has_natural=has_natural))
        if len(reached) == len(bet.rows):
            return []
        try:
            work.tried += len(bet.rows) - 1
            work.add()
        except _TooMuchError:
            return []
    return [row for number, row in enumerate(bet.rows) if number not in reached]


def _dealer_hands(bet: SideBet) -> Iterator[tuple[Card, ...]]:
    """Iterate over the final hands of dealers of both kinds, with suits where a row has some."""
    final = {_by_value(faces) for faces in _final_faces()}
    for row in bet.rows:
        cards = row.get("exact") or ()
        for place, last in enumerate(cards):
            hand = (*cards[:place], *cards[place + 1 :], last)
            if _by_value("".join(card.face for card in hand)) in final:
                yield hand
    for faces in _final_faces():
        for suits in _PATTERNS if bet.needs_suits else _PATTERNS[:1]:
            yield tuple(Card(face + suits[place % len(suits)]) for place, face in enumerate(faces))


def _by_value(faces: str) -> tuple[str, str]:
    """Return a hand without the order of its cards before the last, all ten-valued ones alike."""
    alike = faces.translate(str.maketrans(FACES[TEN:], FACES[TEN - 1] * len(FACES[TEN:])))
    return "".join(sorted(alike[:-1])), alike[-1]


@cache
def _final_faces() -> tuple[str, ...]:
    """Return final hands by faces, the shortest first; the faces of tens only among three cards.

    No word depends on the order of cards before the last, so that each is there once.
    """
    found: dict[tuple[str, str], str] = {}
    open_hands = {""}
    while open_hands:
        longer = {
            "".join(sorted(hand)) + face
            for hand in open_hands
            for face in (FACES if len(hand) < 3 else FACES[:TEN])
        }
        open_hands = set()
        for hand in sorted(longer):
            cards = [Card(one) for one in hand]
            total = hand_total(cards)
            is_soft_17 = total == 17 and hand_total(cards, ace_is_1=True) == 7
            if len(hand) > 1 and total >= 17:
                found.setdefault(("".join(sorted(hand[:-1])), hand[-1]), hand)
            if len(hand) < 2 or total < 17 or is_soft_17:
                open_hands.add("".join(sorted(hand)))
    return tuple(found.values())
