"""Insurance by the count, exactly: the running count at which it gains, by cards left.

The dealer shows an ace, and of the other cards seen only the tags are known (and your own two, if
they are named). Every choice of k cards of the pool is equally likely to be those seen, so that all
shoes with a count are weighed as they occur. Cards of one tag are one group: m cards of tag t have
the generating polynomial (1 + x y^t)^m, in which the power of x is the number of cards seen and
that of y their tags. With W' the product over the pool *less one ten* of tag t, the polynomial of
the whole pool is W = W' (1 + x y^t), and of the shoes with k cards seen and tags s a given ten is
left in the share W'[k, s] / W[k, s]. With T tens in the pool and n cards left, the hole card is a
ten with probability T W'[k, s] / (n W[k, s]), and insurance gains above 1/3.

All terms are positive, so sums in floating point lose nothing: the error is a few 1e-15.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import comb, lcm
from typing import Final

import numpy as np
from numpy.typing import NDArray

from upcard.cache.entry import SavedQuestion
from upcard.cache.recall import program_stamp, recall
from upcard.core import errors, figure, long_work
from upcard.core.cards import TEN, Card, parse_cards
from upcard.rules.deck import full_shoe
from upcard.rules.model import Rules
from upcard.rules.settings import MOST_DECKS
from upcard.strategy.count_system import CountBy, CountSystem, load_system

Floats = NDArray[np.float64]

_EVEN: Final = 1e-11
"""Gains up to this are rounding errors of an even bet."""
_TASK: Final = "insurance"
_MOST_CELLS: Final = 30_000_000
"""Numbers of cards times sums of tags: a quarter of a gigabyte."""


@dataclass(frozen=True, slots=True, kw_only=True)
class InsuranceRow:
    """Insurance with one number of cards left. Gains are per initial bet, given the ace."""

    cards_left: int
    """Cards not seen, the hole card included."""
    least: float | None
    """The lowest running count at which insurance gains; None if it gains at none."""
    losing: tuple[float, ...]
    """Higher running counts at which it does not gain."""
    even: float | None
    """Running count at which it is even, by a line from the count below `least`; None if `least`
    has none below."""
    gain: float
    """Mean gain of a player who insures at the counts that gain."""
    perfect_gain: float
    """Mean gain of a player who knows the number of tens left."""
    json_keys = "cards_left from=least not_at=losing even gain perfect_gain"


@dataclass(frozen=True, slots=True, kw_only=True)
class InsuranceCounts(figure.Displayed):
    """The running counts from which to insure."""

    system: CountSystem
    decks: int
    hand: tuple[Card, ...]
    """Your own two cards, or none: then only their tags are known."""
    rows: tuple[InsuranceRow, ...]
    """By cards left, most first."""
    json_keys = "count=system.name decks hand rows"

    def full_table(self) -> figure.AnswerTable:
        """Return a row for every number of cards left, as programs read them."""
        columns = (
            figure.number("cards_left"),
            *(figure.signed("from"), figure.text("not_at"), figure.signed("even")),
            *(figure.ev("gain"), figure.ev("perfect_gain")),
        )
        rows = (
            (one.cards_left, one.least, losing, one.even, one.gain, one.perfect_gain)
            for one in self.rows
            for losing in [write_counts(one.losing)]
        )
        return figure.make_table(self.title, columns, rows)

    @property
    def title(self) -> str:
        """The question in words."""
        hand = f", {' '.join(map(str, self.hand))} in hand" if self.hand else ""
        shoe = full_shoe(self.decks, self.system.deck_size)
        return f"Insurance by {self.system.name}, {shoe.in_words}{hand}"

    def table(self) -> figure.AnswerTable:
        """Return a row for each run of numbers of cards left with the same counts."""
        rows = []
        for run in _runs(self.rows):
            most, last = run[0].cards_left, run[-1].cards_left
            left = f"{most}" if most == last else f"{most} to {last}"
            counts = "never" if run[0].least is None else write_counts([run[0].least])
            rows.append((left, counts, write_counts(run[0].losing)))
        columns = [figure.text("cards_left"), figure.label("from")]
        if any(one.losing for one in self.rows):
            columns.append(figure.label("not_at", "but not at"))
        return figure.make_table(self.title, columns, (row[: len(columns)] for row in rows))

    @property
    def half_way(self) -> InsuranceRow:
        """The row with half of the cards left."""
        cards = full_shoe(self.decks, self.system.deck_size).size
        return next(row for row in self.rows if 2 * row.cards_left == cards)

    def sentences(self) -> Iterator[tuple[str, str]]:
        """Iterate over the topics of what the table means, and their texts."""
        start = write_counts([float(self.system.initial_count(self.decks))])
        known = "your own two" if self.hand else "your own two, whatever they are"
        yield "Running count", f"from its start, {start}, with the dealer's ace and {known}."
        yield "Cards left", "those not seen, the hole card included."
        half = self.half_way
        where = f"with {half.cards_left} cards left"
        if half.even is not None:
            true = half.even * self.system.deck_size / half.cards_left
            at = f"insurance is even at a running count of {half.even:+.2f}"
            by = "" if self.system.by is CountBy.RUNNING else f", a true count of {true:+.2f}"
            yield "Half-way", f"{where} {at}{by}."
        gain, most = (figure.write_percent(one) for one in (half.gain, half.perfect_gain))
        yield "Gain", f"of a bet, for each ace up {where}: {gain}; knowing every ten left: {most}."


def write_counts(counts: Iterable[float]) -> str:
    """Write counts with their signs, separated by blanks."""
    return " ".join(f"{count:+g}" if count else "0" for count in counts)


def _runs(rows: Iterable[InsuranceRow]) -> Iterator[list[InsuranceRow]]:
    run: list[InsuranceRow] = []
    for row in rows:
        if run and (run[0].least, run[0].losing) != (row.least, row.losing):
            yield run
            run = []
        run.append(row)
    yield run


def insurance_counts(
    count: str | CountSystem = "hi-lo", *, decks: int = 6, hand: str = ""
) -> InsuranceCounts:
    """Find the lowest running count at which insurance gains, by cards left, or recall it.

    The running count is that of the system, from its own start, and includes every card seen: the
    dealer's ace and your own two. `hand` names your own two, such as "T 6".

    Raises: RulesError for an unknown count or decks that are not 1 to 8; NotationError for a hand
    that is not two cards, or a seven without a suit where red sevens count differently.
    """
    system = load_system(count)
    if not 1 <= decks <= MOST_DECKS:
        raise errors.RulesError(f"decks {decks}: 1 to {MOST_DECKS}")
    cards = parse_cards(hand if {" ", ","} & {*hand} else [*hand])
    if len(cards) not in (0, 2):
        raise errors.NotationError(f"hand {errors.quote(hand)}: your own two cards, as T 6")

    shoe = full_shoe(decks, system.deck_size)
    sums = int(shoe.size * sum(abs(system.tag(card)) for card in shoe.cards) * _scale(system))
    if sums > _MOST_CELLS:
        reason = f"its tags have {sums:,} sums over all cards, more than {_MOST_CELLS:,}"
        raise errors.UnsupportedRuleError("insurance table", f"count {system.name}", reason)

    def find() -> tuple[InsuranceRow, ...]:
        with long_work.following(_TASK) as tell:
            return _find_rows(system, decks, cards, tell)

    rules = Rules(decks=decks, deck_size=system.deck_size)
    asked = (program_stamp(("analysis",)), repr(system), " ".join(map(str, cards)))
    rows = recall(SavedQuestion("insurance", rules, asked, tuple[InsuranceRow, ...], find))
    return InsuranceCounts(system=system, decks=decks, hand=cards, rows=rows)


def _find_rows(
    system: CountSystem, decks: int, hand: Sequence[Card], tell: Callable[[str, float], None]
) -> tuple[InsuranceRow, ...]:
    scale = _scale(system)
    groups = Counter[tuple[int, bool]]()
    for card in system.deck.cards:
        groups[int(system.tag(card) * scale), card.rank == TEN] += decks
    known = (Card("A"), *hand)
    running = system.initial_count(decks) + sum(map(system.tag, known))
    for card in known:
        groups[int(system.tag(card) * scale), card.rank == TEN] -= 1
    pool = [(tag, is_ten, number) for (tag, is_ten), number in groups.items()]
    perfect = _Shoes([(int(is_ten), is_ten, number) for _, is_ten, number in pool], tell)
    shoes = _Shoes(pool, tell)
    rows = []
    for seen in range(0 if hand else 2, shoes.cards):
        sums, chances, gains = shoes.look(seen)
        counts = float(running) + sums / scale
        is_gain = gains > _EVEN
        first = int(is_gain.argmax()) if is_gain.any() else len(counts)
        even = None
        if 0 < first < len(counts):
            below, above = gains[first - 1 : first + 1]
            share = above / (above - below)
            even = float(counts[first] - share * (counts[first] - counts[first - 1]))
        _, with_chances, with_tens = perfect.look(seen)
        rows.append(
            InsuranceRow(
                cards_left=shoes.cards - seen,
                least=float(counts[first]) if first < len(counts) else None,
                losing=tuple(counts[first:][~is_gain[first:]].tolist()),
                even=even,
                gain=float(chances @ np.maximum(gains, 0)),
                perfect_gain=float(with_chances @ np.maximum(with_tens, 0)),
            )
        )
    return tuple(rows)


def _scale(system: CountSystem) -> int:
    """Return the smallest whole number that makes every playing tag whole."""
    return lcm(*(system.tag(card).denominator for card in system.deck.cards))


class _Shoes:
    """All shoes that a pool of cards leaves, by the number and the tags of the cards seen."""

    def __init__(
        self, pool: Sequence[tuple[int, bool, int]], tell: Callable[[str, float], None]
    ) -> None:
        """Take groups of cards: tag, whether they are tens, number."""
        self.cards = sum(number for _, _, number in pool)
        self._tens = sum(number for _, is_ten, number in pool if is_ten)
        others = Counter[int]()
        for tag, is_ten, number in pool:
            others[tag] += number - is_ten
        ten = next(tag for tag, is_ten, _ in pool if is_ten)
        ways, self._low, done = np.ones((1, 1)), min(ten, 0), 0
        # The widest groups come last, when they widen the array once.
        for tag, number in sorted(others.items(), key=lambda one: abs(one[0])):
            tell(f"{self.cards} cards", done / self.cards)
            ways = _multiply(ways, number, tag)
            self._low += min(0, number * tag)
            done += number
        self._left = _place(ways, 0, max(0, -ten), abs(ten))
        """With one ten certainly left."""
        self._all = self._left + _place(ways, 1, max(0, ten), abs(ten))

    def look(self, seen: int) -> tuple[NDArray[np.int64], Floats, Floats]:
        """Return the sums of tags of `seen` cards, their chances, and the gains of insurance."""
        ways = self._all[seen]
        there = np.flatnonzero(ways)
        tens = self._tens * self._left[seen, there] / ways[there]
        gains = (3 * tens / (self.cards - seen) - 1) / 2
        return there + self._low, ways[there] / float(comb(self.cards, seen)), gains


def _multiply(ways: Floats, number: int, tag: int) -> Floats:
    """Multiply by (1 + x y^tag)^number; column 0 is the least sum."""
    seen, width = ways.shape
    product = np.zeros((seen + number, width + number * abs(tag)))
    for chosen in range(number + 1):
        shift = tag * chosen if tag >= 0 else -tag * (number - chosen)
        product[chosen : chosen + seen, shift : shift + width] += float(comb(number, chosen)) * ways
    return product


def _place(ways: Floats, row: int, column: int, wider: int) -> Floats:
    """Return an array of one row and `wider` columns more, with the ways from a place on."""
    return np.pad(ways, ((row, 1 - row), (column, wider - column)))
