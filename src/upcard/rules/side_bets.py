"""Side bets as data: the rows of a pay table, and which of them cards fit.

A bet looks at named cards (`player1`, `player2`, `upcard`, `hole`, `next1`), or at the `dealer`'s
final hand. The first row that fits decides; if no row fits, the bet loses. `side_bet_files` reads
bets from TOML; the format is described in docs/side-bets.md.
"""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from fractions import Fraction
from functools import cache, cached_property
from itertools import permutations
from typing import Any, Final, NamedTuple, TypeAlias

from upcard.core import above
from upcard.core.cards import ACE, DECK, FACES, SUITS, TEN, Card
from upcard.core.figure import AnswerTable, Displayed
from upcard.core.hands import BUST_LIMIT
from upcard.core.numbers import format_chips, write_letters

PLAYER_CARDS: Final = ("player1", "player2")
DEALER: Final = "dealer"
UPCARD: Final = "upcard"
HOLE: Final = "hole"
NEXT: Final = "next1"
CARD_NAMES: Final = (*PLAYER_CARDS, UPCARD, HOLE, NEXT)
"""Names of single cards; the first card after the deal is `next1`."""
ANY_TEN: Final = "X"
"""In `ranks` and `last`: any ten-valued card; `T` is the ten itself."""
RED: Final = "DH"
LOST: Final = -1
"""In place of a row's number: no row fits."""

Looked: TypeAlias = Sequence[Card]
Test: TypeAlias = Callable[[Looked], bool]


_ALIKE: Final[dict[str, Callable[[Card], object]]] = {
    "same_rank": lambda card: card.face,
    "same_value": lambda card: card.rank,
    "same_suit": lambda card: card.suit,
    "same_colour": lambda card: card.suit in RED,
}
"""Property that all cards of a group share, by word."""
RUN: Final = "run"
GROUP_WORDS: Final = (*_ALIKE, RUN)
"""Words about a group of cards; those of a row with one number are about the same group."""
SUIT_WORDS: Final = ("same_suit", "same_colour")
WORDS: Final = (
    *GROUP_WORDS,
    *("ranks", "exact", "total", "ace", "between", "dealer_natural", "size", "last"),
)
"""All words that a row can have, beside `name`, `cards`, `pays` and `push`."""


class Span(NamedTuple):
    """A range of whole numbers: `20`, `19-21`, `22+`."""

    least: int
    most: int | None

    def __contains__(self, number: object) -> bool:
        """Whether a number is in the range."""
        return isinstance(number, int) and self.least <= number <= (self.most or number)

    def __str__(self) -> str:
        """Write it as in a file."""
        if self.most is None:
            return f"{self.least}+"
        return str(self.least) if self.most == self.least else f"{self.least}-{self.most}"


def hand_total(cards: Looked, *, ace_is_1: bool = False) -> int:
    """Return the total of cards as a hand, one ace 11 where that does not bust."""
    hard = sum(card.rank for card in cards)
    has_ace = any(card.rank == ACE for card in cards)
    return hard + 10 * (has_ace and not ace_is_1 and hard + 10 <= BUST_LIMIT)


def _is_between(cards: Looked, ranks_between: Span) -> bool:
    """Whether the last card's rank is strictly between the other two, aces high."""
    first, second, last = ((FACES.index(card.face) or len(FACES)) for card in cards)
    low, high = min(first, second), max(first, second)
    return low < last < high and high - low - 1 in ranks_between


def _fits_ranks(faces: str, ranks: Sequence[str]) -> bool:
    """Whether faces can be assigned to ranks, `X` taking any ten-valued one, in any order."""
    return len(faces) == len(ranks) and could_fit_ranks(faces, ranks)


def could_fit_ranks(faces: str, ranks: Sequence[str]) -> bool:
    """Whether faces can be assigned to different ranks, some of which may be left."""
    left = list(ranks)
    for face in faces:
        wanted = face if face in left else ANY_TEN if face in FACES[TEN - 1 :] else ""
        if wanted not in left:
            return False
        left.remove(wanted)
    return True


@dataclass(frozen=True, slots=True, kw_only=True)
class PayRow:
    """One row of a pay table: what must hold, and what it pays."""

    name: str
    pays: Fraction
    """Paid to one; 0 for a row that returns the bet."""
    cards: tuple[str, ...]
    """Names of the cards it looks at, in order."""
    words: tuple[tuple[str, Any], ...]
    """Words with their values as `side_bet_files` reads them; all must hold."""

    def get(self, word: str) -> Any:  # noqa: ANN401 (each word has a type of its own)
        """Return the value of a word; None if the row does not have it."""
        return dict(self.words).get(word)

    def make_test(self) -> Test:
        """Return a function that says whether cards fit, apart from `dealer_natural`."""
        words, tests = dict(self.words), list[Test]()
        groups: dict[int, list[str]] = {}
        for word in GROUP_WORDS:
            if word in words:
                groups.setdefault(words[word], []).append(word)
        tests += (_in_some_group(number, members) for number, members in groups.items())
        if "ranks" in words:
            wanted = words["ranks"]
            tests.append(lambda cards: _fits_ranks("".join(card.face for card in cards), wanted))
        if "exact" in words:
            exact = sorted(map(str, words["exact"]))
            tests.append(lambda cards: sorted(map(str, cards)) == exact)
        if "total" in words:
            totals, ace_is_1 = words["total"], words.get("ace") == 1
            tests.append(lambda cards: hand_total(cards, ace_is_1=ace_is_1) in totals)
        if "between" in words:
            tests.append(lambda cards: _is_between(cards, words["between"]))
        if "size" in words:
            tests.append(lambda cards: len(cards) in words["size"])
        if "last" in words:
            tests.append(lambda cards: _fits_ranks(cards[-1].face, [words["last"]]))
        if len(tests) == 1:
            return tests[0]
        return lambda cards: all(test(cards) for test in tests)


def _in_some_group(number: int, words: Sequence[str]) -> Test:
    alike = tuple(words)
    return lambda cards: could_be_group(cards, 0, number, alike)


def could_be_group(cards: Looked, more: int, number: int, words: tuple[str, ...]) -> bool:
    """Whether some of these cards, with this number of any others, can be a group for all words."""
    if more >= number:
        return True
    keys, has_run = _key_cards(words), RUN in words
    least = number - more
    found: dict[object, int] = {}
    for card in cards:
        key = keys[card]
        # The places of a run as bits; else the number of cards.
        found[key] = now = (
            found.get(key, 0) | _PLACES[card.face] if has_run else found.get(key, 0) + 1
        )
        if now >= least and not has_run:
            return True
    if not has_run or number > len(FACES):
        return False
    full = (1 << number) - 1
    starts = range(len(FACES) + 2 - number)
    return any(
        (places >> start & full).bit_count() >= least
        for places in found.values()
        for start in starts
    )


_PLACES: Final = {face: 1 << place for place, face in enumerate(FACES)} | {
    FACES[0]: 1 | 1 << len(FACES)
}
"""Places of a face in a sequence, as bits: an ace is low and high."""


@cache
def _key_cards(words: tuple[str, ...]) -> dict[Card, object]:
    """Return what must be one for the cards of a group, by card, suits unknown or not."""
    every = (*DECK, *map(Card, FACES))
    alike = [_ALIKE[word] for word in words if word != RUN]
    return {card: tuple(of(card) for of in alike) for card in every}


class Published(NamedTuple):
    """A published figure of a bet, in percent of the bet, with the digits that were printed."""

    rules: str
    """Notation of the game, such as `6D` or `6D H17`."""
    edge: Decimal
    source: str
    hit: Decimal | None = None
    standard_deviation: Decimal | None = None
    """In bets."""


@dataclass(frozen=True, kw_only=True)
class SideBet(Displayed):
    """A side bet: its pay table and the cards it looks at.

    A value: two bets are equal when they are called and paid alike.
    """

    name: str
    """Name of a shipped bet, such as `21+3-flat`; for others that of their file."""
    code: str
    """Short name in notation and at the table, in lower case: `21+3`, `pp`."""
    title: str = field(compare=False)
    source: str = field(compare=False)
    cards: tuple[str, ...]
    """Names of the cards it looks at, or only `dealer`."""
    for_each: tuple[str, ...] = ()
    """Cards each of which is tried together with `cards`; the payments are added."""
    rows: tuple[PayRow, ...]
    after: tuple[Card, ...] = ()
    """Cards that are out when it is offered: it is priced, but not placed before the deal."""
    game: str = field(default="", compare=False)
    """Notation of the game that the pay table is made for; empty if for any."""
    if_drawn: bool = False
    """Whether `next1` counts only if the player's first hand draws it."""
    is_shipped: bool = field(default=False, compare=False)
    path: str = field(default="", compare=False)
    """Path of the file it was read from, for a bet that is not shipped."""
    published: tuple[Published, ...] = field(default=(), compare=False)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Names of all the cards it looks at, in the order that `find_rows` takes them."""
        return (*self.cards, *self.for_each)

    @property
    def is_on_dealer(self) -> bool:
        """Whether it looks at the dealer's final hand, so that the dealer always plays out."""
        return self.cards == (DEALER,)

    @cached_property
    def needs_natural(self) -> bool:
        """Whether a row asks for a dealer's natural."""
        return self._has("dealer_natural")

    @property
    def needs_hole(self) -> bool:
        """Whether it needs the dealer's second card."""
        return self.is_on_dealer or self.needs_natural or HOLE in self.names

    @cached_property
    def needs_suits(self) -> bool:
        """Whether the suits of cards matter."""
        return self._has(*SUIT_WORDS, "exact")

    @cached_property
    def needs_faces(self) -> bool:
        """Whether a king differs from another ten-valued card."""
        ranks = [one for row in self.rows for one in (*(row.get("ranks") or ()), row.get("last"))]
        has_ten = not set(FACES[TEN - 1 :]).isdisjoint(ranks)
        return has_ten or self._has("same_rank", "run", "between", "exact")

    def alike_places(self) -> list[tuple[int, ...]]:
        """Return the places of cards that no row distinguishes."""
        classes: dict[tuple[object, ...], list[int]] = {}
        for place, name in enumerate(self.names):
            kind: tuple[object, ...] = (name in self.for_each,)
            for row in () if name in self.for_each else self.rows:
                is_third = row.get("between") is not None and row.cards[-1:] == (name,)
                kind += (name in row.cards, is_third)
            if self.needs_natural:
                kind += (name in (UPCARD, HOLE),)
            classes.setdefault(kind, []).append(place)
        return [tuple(one) for one in classes.values()]

    def list_turns(self) -> Iterator[dict[str, str]]:
        """Iterate over the exchanges of suits that change no row."""
        exact = [sorted(map(str, row.get("exact"))) for row in self.rows if row.get("exact")]
        has_colour = self._has("same_colour")
        for order in permutations(SUITS):
            new = dict(zip(SUITS, order, strict=True))
            if has_colour and len({new[suit] in RED for suit in RED}) > 1:
                continue
            if all(sorted(one[0] + new[one[1]] for one in cards) == cards for cards in exact):
                yield new

    def _has(self, *words: str) -> bool:
        return any(row.get(word) is not None for row in self.rows for word in words)

    @cached_property
    def _tests(self) -> tuple[tuple[Test, tuple[int, ...] | None, bool | None], ...]:
        """For each row: its test, the places of its cards (None: all), whether it needs a natural.

        A place of -1 is the card of `for_each` that is tried.
        """
        found = []
        for row in self.rows:
            known = {name: place for place, name in enumerate(self.cards)}
            places = tuple(known.get(name, -1) for name in row.cards)
            looked = None if row.cards == self.cards else places
            found.append((row.make_test(), looked, row.get("dealer_natural")))
        return tuple(found)

    def find_rows(
        self, cards: Sequence[Card | None], *, has_natural: bool = False
    ) -> tuple[int, ...]:
        """Return the numbers of the rows that pay, one for each of `for_each`; empty if it loses.

        `cards` are those of `names`, or the dealer's final hand; None for one that is not dealt.
        """
        if not self.for_each:
            row = self._find_row(cards, has_natural)
            return () if row == LOST else (row,)
        size = len(self.cards)
        rows = (self._find_row((*cards[:size], one), has_natural) for one in cards[size:])
        return tuple(row for row in rows if row != LOST)

    def _find_row(self, cards: Sequence[Card | None], has_natural: bool) -> int:  # noqa: FBT001
        for number, (test, places, natural) in enumerate(self._tests):
            if natural is not None and natural is not has_natural:
                continue
            looked = cards if places is None else [cards[place] for place in places]
            if None not in looked and test(looked):  # type: ignore[arg-type]
                return number
        return LOST

    def pays(self, rows: Iterable[int]) -> Fraction:
        """Return the net per unit bet of rows that `find_rows` returns."""
        found = tuple(rows)
        return sum((self.rows[row].pays for row in found), Fraction(0)) if found else Fraction(LOST)

    def name_rows(self, rows: Iterable[int]) -> str:
        """Return the names of rows that `find_rows` returns: `straight`, `lost`."""
        return " and ".join(self.rows[row].name for row in rows) or "lost"

    def table(self) -> AnswerTable:
        """Return its pay table, with chances in its own game, or else in six decks."""
        found: AnswerTable = self.value().table()
        return found

    def value(self, shoe: Any = None, rules: Any = None) -> Any:  # noqa: ANN401 (made above)
        """Return its exact value from a shoe (default: the full shoe of the rules).

        Without rules it is that in the game of its pay table, `game`, or in six decks.
        A shoe is a text such as `6D less QH QH T`, a mapping, or 10 or 52 numbers of cards.

        Raises: NotationError for a faulty shoe, RulesError for one of too few cards, and
        UnsupportedRuleError for a bet that depends on how hands are played.
        """
        return above().value_side_bet(self, shoe, rules)

    def removal(self, shoe: Any = None, rules: Any = None) -> Any:  # noqa: ANN401
        """Return how its EV changes as each card leaves the shoe. Raises: as `value` does."""
        return above().remove_from_side_bet(self, shoe, rules)

    def count(self, shoe: Any = None, rules: Any = None, **options: Any) -> Any:  # noqa: ANN401
        """Return the best count for it and what that earns, with `penetration` dealt.

        Raises: as `value` does.
        """
        return above().count_side_bet(self, shoe, rules, **options)

    def __str__(self) -> str:
        """Write its token of the rules notation."""
        return write_token(self)


WRITTEN: Final = "+bet:"
"""Begins a token that has a whole bet in it, for records that must not depend on a file."""
MOST_WRITTEN: Final = 20_000
"""Most characters of a whole bet, before it is packed in its token."""
MOST_LETTERS: Final = len(WRITTEN) + 4 * (MOST_WRITTEN + 100) // 3
"""Most characters of such a token: packing may add some bytes to text that is all noise."""


def write_pays(bet: SideBet) -> str:
    """Write what the rows of a bet pay, in their order: `25/12/6`; one number if all pay alike."""
    pays = [format_chips(row.pays) for row in bet.rows if row.pays]
    return pays[0] if len(pays) > 1 and len(set(pays)) == 1 else "/".join(pays)


def write_token(bet: SideBet) -> str:
    """Write the token of a bet in the rules notation: `+PP(25/12/6)`, `+my-bet.toml`."""
    if bet.is_shipped:
        return f"+{bet.code.upper()}({write_pays(bet)})"
    if bet.path and not re.search(r"[\s,]", bet.path):
        return f"+{bet.path}"
    return WRITTEN + write_letters(zlib.compress(write_whole(bet).encode(), 9))


def write_whole(bet: SideBet) -> str:
    """Write a whole bet, with all its rows, as a record has it."""
    return json.dumps({"name": bet.name, **_to_data(bet)}, separators=(",", ":"))


def as_written(bet: SideBet) -> SideBet:
    """Return a bet whose token does not depend on a file, for records."""
    return replace(bet, path="")


def _to_data(bet: SideBet) -> dict[str, Any]:
    rows = []
    for row in bet.rows:
        paid = {"push": True} if not row.pays else {"pays": str(row.pays)}
        cards = {} if row.cards == bet.cards else {"cards": list(row.cards)}
        words = {word: _plain(value) for word, value in row.words}
        rows.append({"name": row.name, **words, **cards, **paid})
    data = {
        "title": bet.title,
        "source": bet.source,
        "code": bet.code,
        "cards": list(bet.cards),
        "for_each": list(bet.for_each),
        "win": rows,
        "after": [str(card) for card in bet.after],
        "game": bet.game,
        "if_drawn": bet.if_drawn,
    }
    return {key: value for key, value in data.items() if value}


def _plain(value: object) -> object:
    if isinstance(value, Span):
        return str(value)
    return [str(one) for one in value] if isinstance(value, tuple) else value


class Seen(NamedTuple):
    """Public cards of one spot and the dealer, for bets to be settled by."""

    cards: Mapping[str, Card]
    """The cards that are public, by their names."""
    is_complete: bool = False
    """Whether no further card can come: what is not in `cards` is not dealt."""
    dealer: tuple[Card, ...] | None = None
    """The dealer's final hand; None until it is known."""
    has_natural: bool | None = None
    """Whether the dealer has a natural; None until it is public."""


def settle_bet(bet: SideBet, seen: Seen) -> tuple[int, ...] | None:
    """Return the rows that pay, as `SideBet.find_rows` does; None while a hidden card can matter.

    The answer depends on public cards only: it is the same for every hidden card.
    """
    if bet.is_on_dealer:
        if seen.dealer is None:
            return None
        return bet.find_rows(seen.dealer, has_natural=bool(seen.has_natural))
    names = tuple(dict.fromkeys((*bet.names, *((UPCARD, HOLE) if bet.needs_natural else ()))))
    unknown = [name for name in names if name not in seen.cards]
    if seen.is_complete or not unknown:
        cards = [seen.cards.get(name) for name in bet.names]
        return bet.find_rows(cards, has_natural=bool(seen.has_natural))
    if len(unknown) > 1:
        return None
    found = {
        bet.find_rows([cards[name] for name in bet.names], has_natural=natural)
        for cards, natural in _complete(seen, unknown[0])
    }
    return found.pop() if len(found) == 1 else None


def _complete(seen: Seen, unknown: str) -> Iterable[tuple[Mapping[str, Card], bool]]:
    """Iterate over what the one unknown card can be, and whether the dealer has a natural then."""
    for card in DECK:
        cards = {**seen.cards, unknown: card}
        natural = bool(seen.has_natural)
        if unknown == HOLE and UPCARD in cards:
            natural = {cards[UPCARD].rank, card.rank} == {ACE, TEN}
            if seen.has_natural not in (None, natural):
                continue
        yield cards, natural


def bets_on_hidden(bets: Iterable[SideBet]) -> tuple[bool, bool, bool]:
    """Say whether bets need the dealer's final hand, the second card, and `next1` in all rounds."""
    found = tuple(bets)
    return (
        any(bet.is_on_dealer for bet in found),
        any(bet.needs_hole for bet in found),
        any(NEXT in bet.names and not bet.if_drawn for bet in found),
    )
