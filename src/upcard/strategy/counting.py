"""`CountSystem`: what a card counter adds up and divides by, as a value.

Ten systems come with upcard as commented TOML files; a user's own file can be named instead.

    tags     what each card seen adds to the running count
    start    the running count after a shuffle: start_constant + start_per_deck x decks
    true     the count that decides: running count / decks left, made whole (`Rounding`)
    running  the running count itself decides (unbalanced systems)

A side count of aces is folded into the betting count as a balanced tag: with `side_aces` = s each
ace left above a thirteenth of the cards left is worth s, which equals adding s/13 for every card
seen and subtracting s for every ace seen.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from functools import cache
from math import floor, lcm
from typing import Any, Final, Self

from upcard.core.cards import ACE, CARDS_PER_DECK, DECK, Card
from upcard.core.errors import NotationError, RulesError, quote
from upcard.core.numbers import exact_number
from upcard.core.user_files import could_be_file, expand_user, or_path, read_user_file
from upcard.strategy.files import names_in, read_data_file
from upcard.strategy.system_files import read_toml, write_toml

RANKS_PER_SUIT: Final = 13
_RED_SUITS: Final = ("D", "H")
_HALF: Final = Fraction(1, 2)
_MOST_TAG: Final = 20
_MOST_START: Final = 1000
_MOST_SCALE: Final = 10_000


class CountBy(StrEnum):
    """The count that decides bets and plays."""

    TRUE = "true"
    RUNNING = "running"


class Rounding(StrEnum):
    """How a true count is rounded to a whole number."""

    FLOOR = "floor"
    """Down: -0.5 becomes -1."""
    TRUNCATE = "truncate"
    """Towards zero: -0.5 becomes 0."""
    ROUND = "round"
    """To the nearest; halves away from zero: -0.5 becomes -1."""


class DeckEstimate(StrEnum):
    """How exactly the counter estimates the decks that are left."""

    EXACT = "exact"
    """To the card."""
    HALF = "half"
    """To the nearest half deck, ties up, at least a half."""
    WHOLE = "whole"
    """To the nearest deck, ties up, at least one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CountSystem:
    """A counting system. Two are equal when they count the same, whatever their names are.

    Numbers can be int, Fraction or text ("1/2"); they are stored as exact fractions.

    Raises: RulesError naming every faulty setting.

    >>> load_system("hi-lo").convert(Fraction(7), cards_left=130)
    2
    """

    name: str = field(compare=False)
    title: str = field(compare=False)
    source: str = field(compare=False)
    about: str = field(default="", compare=False)
    tags: tuple[Fraction, ...]
    """Change of the count when a card of a rank is seen, by rank; entry 0 is unused and 0."""
    red_7: Fraction | None = None
    """Tag of a red seven, if it differs from that of a black one."""
    side_aces: Fraction = Fraction(0)
    """Gain of the betting count for each ace left above a 13th of the cards left; 0: none."""
    by: CountBy = CountBy.TRUE
    start_per_deck: Fraction = Fraction(0)
    start_constant: Fraction = Fraction(0)
    rounding: Rounding = Rounding.FLOOR
    decks_left: DeckEstimate = DeckEstimate.EXACT
    ramp_from: Fraction = Fraction(1)
    """The count up to which a ramp such as `1-8` bets its minimum (with `ramp_from_per_deck`)."""
    ramp_from_per_deck: Fraction = Fraction(0)
    ramp_step: Fraction = Fraction(1)
    """The number of counts in one step of a ramp (with `ramp_step_per_deck`)."""
    ramp_step_per_deck: Fraction = Fraction(0)

    def __post_init__(self) -> None:
        """Make numbers exact and convert words to members of their sets, then check."""
        faults = [*_coerce(self), *_find_faults(self)]
        if faults:
            raise RulesError(*faults)
        if self.red_7 == self.tags[7]:
            object.__setattr__(self, "red_7", None)

    def __str__(self) -> str:
        """Write the name."""
        return self.name

    def replace(self, **changes: Any) -> Self:
        """Return a copy with some settings changed.

        Raises: RulesError for an unknown setting or a faulty one.
        """
        unknown = [name for name in changes if name not in SYSTEM_SETTINGS]
        if unknown:
            msg = f"no such setting: {', '.join(unknown)}; one of {', '.join(SYSTEM_SETTINGS)}"
            raise RulesError(msg)
        return dataclasses.replace(self, **changes)

    def to_toml(self) -> str:
        """Write the system as a TOML file; `read_system` reads it back."""
        return write_toml(self)

    @property
    def scale(self) -> int:
        """The smallest whole number that makes every tag and start whole, side count included."""
        numbers = (*self.tags, self.red_7 or 0, self.start_per_deck, self.start_constant)
        side = self.side_aces / RANKS_PER_SUIT
        return lcm(*(Fraction(number).denominator for number in (*numbers, side)))

    @property
    def deck_sum(self) -> Fraction:
        """The sum of the tags of one deck: 0 if the system is balanced."""
        return sum((self.tag(card) for card in DECK), Fraction(0))

    def initial_count(self, decks: int) -> Fraction:
        """Return the running count after a shuffle of the given number of decks."""
        return self.start_constant + self.start_per_deck * decks

    def ramp_start(self, decks: int) -> int:
        """Return the count up to which a ramp bets its minimum, for a number of decks."""
        return floor(self.ramp_from + self.ramp_from_per_deck * decks + _HALF)

    def ramp_stride(self, decks: int) -> int:
        """Return the number of counts in a step of a ramp, for a number of decks; at least 1."""
        return max(1, floor(self.ramp_step + self.ramp_step_per_deck * decks + _HALF))

    def tag(self, card: Card) -> Fraction:
        """Return the change of the playing count when `card` is seen.

        Raises: NotationError for a seven without a suit, if only red ones count.
        """
        if card.rank == 7 and self.red_7 is not None:
            if not card.suit:
                msg = f"cannot count a 7 without a suit: {self.name} counts red sevens, write 7H"
                raise NotationError(msg)
            return self.red_7 if card.suit in _RED_SUITS else self.tags[7]
        return self.tags[card.rank]

    def betting_tag(self, card: Card) -> Fraction:
        """Return the change of the betting count when `card` is seen: its tag and the side count's.

        Raises: NotationError, as `tag` does.
        """
        share = self.side_aces / RANKS_PER_SUIT
        return self.tag(card) + (share - self.side_aces if card.rank == ACE else share)

    def estimate_decks(self, cards_left: int) -> Fraction:
        """Return the number of decks left as the counter estimates it; no cards count as one."""
        decks = Fraction(max(cards_left, 1), CARDS_PER_DECK)
        if self.decks_left is DeckEstimate.HALF:
            return max(_HALF, Fraction(floor(2 * decks + _HALF), 2))
        if self.decks_left is DeckEstimate.WHOLE:
            return max(Fraction(1), Fraction(floor(decks + _HALF)))
        return decks

    def convert(self, running: Fraction, cards_left: int) -> int:
        """Convert a running count to the whole count that decisions use.

        It is the true count; in systems without one, the running count rounded down.
        """
        if self.by is CountBy.RUNNING:
            return floor(running)
        return _round(running / self.estimate_decks(cards_left), self.rounding)


SYSTEM_SETTINGS: Final = tuple(item.name for item in dataclasses.fields(CountSystem))
_TEXTS: Final = ("name", "title", "source", "about")
_WORDS: Final[dict[str, type[StrEnum]]] = {
    "by": CountBy,
    "rounding": Rounding,
    "decks_left": DeckEstimate,
}


def _round(number: Fraction, rounding: Rounding) -> int:
    match rounding:
        case Rounding.FLOOR:
            return floor(number)
        case Rounding.TRUNCATE:
            return int(number)
        case Rounding.ROUND:
            size = floor(abs(number) + _HALF)
            return size if number >= 0 else -size


def _coerce(system: CountSystem) -> Iterator[str]:
    """Convert the given values to the types of the settings; yield a sentence for each fault."""
    for name in SYSTEM_SETTINGS:
        value = getattr(system, name)
        if name in _TEXTS:
            if not isinstance(value, str) or not (value.strip() or name == "about"):
                yield f"{name} must be a text"
        elif name in _WORDS:
            kind = _WORDS[name]
            if value not in list(kind):
                yield f"{name}: {value!r} is not one of {', '.join(kind)}"
            else:
                object.__setattr__(system, name, kind(value))
        elif name == "tags":
            exact = tuple(map(exact_number, value)) if isinstance(value, tuple | list) else ()
            if len(exact) != 11 or None in exact:
                yield "tags: one number for each rank, ace to ten, behind an unused 0"
                exact = (Fraction(0),) * 11
            object.__setattr__(system, name, exact)
        elif value is not None or name != "red_7":
            number = exact_number(value)
            if number is None:
                yield f"{name}: {value!r} is not a number"
            object.__setattr__(system, name, number or Fraction(0))


def _find_faults(system: CountSystem) -> Iterator[str]:
    for name in ("tags", "red_7", "side_aces"):
        value = getattr(system, name)
        numbers = value if isinstance(value, tuple) else (value or Fraction(0),)
        if any(abs(number) > _MOST_TAG for number in numbers):
            yield f"{name}: numbers are from -{_MOST_TAG} to {_MOST_TAG}"
    if system.tags[0]:
        yield "tags: entry 0 is unused and must be 0"
    if system.side_aces < 0:
        yield "side_aces: 0 or more, what an extra ace left is worth"
    for name in SYSTEM_SETTINGS:
        if name.startswith(("start_", "ramp_")) and abs(getattr(system, name)) > _MOST_START:
            yield f"{name}: numbers are from -{_MOST_START} to {_MOST_START}"
    if system.scale > _MOST_SCALE:
        yield f"tags: too fine, whole only in units of 1/{system.scale} (most: 1/{_MOST_SCALE})"
    if system.by is CountBy.RUNNING:
        if system.rounding is not Rounding.FLOOR:
            yield "rounding clashes with by=running: a running count is not divided"
        if system.decks_left is not DeckEstimate.EXACT:
            yield "decks_left clashes with by=running: a running count is not divided"


@cache
def system_names() -> tuple[str, ...]:
    """Return the names of the systems that come with upcard, in alphabetical order."""
    return names_in("systems", ".toml")


def load_system(name: str) -> CountSystem:
    """Load a system by name (in any case), or a user's TOML file by its path.

    Raises: RulesError listing all the faults of a file, each with its line or key, or the
    names that exist.
    """
    wanted = str(name).strip()
    if wanted.lower() in system_names():
        return _load_built_in(wanted.lower())
    if not could_be_file(wanted, ".toml"):
        raise RulesError(
            f"no counting system is called {quote(wanted)}: one of {', '.join(system_names())}"
            + or_path(".toml file")
        )
    text = read_user_file(wanted, "counting system")
    return read_system(text, name=expand_user(wanted).stem, where=wanted)


@cache
def _load_built_in(name: str) -> CountSystem:
    text = read_data_file("systems", f"{name}.toml")
    return read_system(text, name=name, where=f"{name}.toml")


def read_system(text: str, *, name: str = "", where: str = "counting system") -> CountSystem:
    """Read a system from the text of a TOML file; `where` names it in messages.

    A key `name` in the file takes precedence over the argument.

    Raises: NotationError listing all the faults at once, each with its line or key.
    """
    return CountSystem(**read_toml(text, name=name, where=where, check=CountSystem))
