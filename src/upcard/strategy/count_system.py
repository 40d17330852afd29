"""`CountSystem`: what a card counter adds up and divides by; its files, and a running count.

Ten systems come with upcard as commented TOML files; you can name a file of your own instead.

    tags     what each card seen adds to the running count
    start    the running count after a shuffle: start_constant + start_per_deck x decks
    true     the count that decides: running count / decks left, made whole (`Rounding`)
    running  the running count itself decides (unbalanced systems)

A side count of aces is folded into the betting count as a balanced tag: with `side_aces` = s each
ace left above a thirteenth of the cards left is worth s, which equals adding s/13 for every card
seen and subtracting s for every ace seen; in decks of 48 cards it is a twelfth.

A file has these keys and tables; numbers are whole, decimal or texts such as "1/2":

    title, source, about      texts; about is optional
    name                      name of the system (default: the name of its file)
    by                        "true" (default) or "running"
    rounding                  of a true count: "floor" (default), "truncate", "round"
    decks_left                as estimated: "exact" (default), "half", "whole"
    deck_size                 cards of the decks it counts: 52 (default), 48 without the tens
    side_aces                 worth of each extra ace left, for bets
    [tags]                    A, 2 to 9, T, and red_7 where red sevens differ
    [start]                   constant, per_deck
    [ramp]                    from, from_per_deck, step, step_per_deck
"""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from functools import cache, partial
from math import floor, lcm
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Self, TypeAlias

from upcard.core import figure
from upcard.core.cards import ACE, RANKS, Card, rank_name
from upcard.core.errors import NotationError, RulesError, UnsupportedRuleError, quote, write_faults
from upcard.core.number_texts import read_number
from upcard.core.numbers import exact_number
from upcard.core.user_files import could_be_file, expand_user, or_path, parse_toml, read_user_file
from upcard.rules.deck import DECK_SIZE, DECK_SIZES, FullShoe, full_shoe

if TYPE_CHECKING:
    from upcard.rules.model import Rules

    Fault: TypeAlias = tuple[str, str, str]  # table, key, sentence

_RED_SUITS: Final = ("D", "H")
_HALF: Final = Fraction(1, 2)
_MOST_TAG: Final = 1000
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
    """Gain of the betting count for each ace left above its share of the cards left; 0: none."""
    deck_size: int = DECK_SIZE
    """Cards of the decks that it counts, by which a true count divides: 52, or 48 without tens."""
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
        """Return a copy with some settings changed."""
        unknown = [name for name in changes if name not in SYSTEM_SETTINGS]
        if unknown:
            possible = ", ".join(SYSTEM_SETTINGS)
            raise RulesError(f"no such setting: {', '.join(unknown)}; one of {possible}")
        return dataclasses.replace(self, **changes)

    def to_toml(self) -> str:
        """Write the system as a TOML file; `read_system` reads it back."""
        lines = [f"{key} = {_write_text(getattr(self, key))}" for key in _TEXTS]
        lines.append(f'by = "{self.by}"')
        if self.by == "true":
            lines += [f'rounding = "{self.rounding}"', f'decks_left = "{self.decks_left}"']
        if self.deck_size != DECK_SIZE:
            lines.append(f"deck_size = {self.deck_size}")
        if self.side_aces:
            lines.append(f"side_aces = {_write_number(self.side_aces)}")
        tags = dict(zip(_RANK_KEYS, self.tags[1:], strict=True))
        lines += ["", "[tags]", *(f"{key} = {_write_number(tag)}" for key, tag in tags.items())]
        if self.red_7 is not None:
            lines.append(f"red_7 = {_write_number(self.red_7)}")
        for table in ("start", "ramp"):
            numbers = {key: getattr(self, f"{table}_{key}") for key in _TABLES[table]}
            lines += ["", f"[{table}]"]
            lines += [f"{key} = {_write_number(number)}" for key, number in numbers.items()]
        return "\n".join(lines) + "\n"

    @property
    def scale(self) -> int:
        """The smallest whole number that makes every tag and start whole, side count included."""
        numbers = (*self.tags, self.red_7 or 0, self.start_per_deck, self.start_constant)
        side = self.side_aces / self.suit
        return lcm(*(Fraction(number).denominator for number in (*numbers, side)))

    @property
    def deck_sum(self) -> Fraction:
        """The sum of the tags of one deck: 0 if the system is balanced."""
        return sum((self.tag(card) for card in self.deck.cards), Fraction(0))

    @property
    def deck(self) -> FullShoe:
        """The deck that it counts."""
        return full_shoe(1, self.deck_size)

    @property
    def suit(self) -> int:
        """Number of cards of a suit, one of which is an ace."""
        return self.deck.size // self.deck.counts[ACE]

    def require_deck(self, rules: Rules) -> None:
        """Refuse rules whose decks have other cards than those it counts.

        A count that is balanced over 52 cards is not balanced over 48, and its start, indices and
        ramp are those of its own deck.
        """
        if rules.deck_size != self.deck_size:
            raise UnsupportedRuleError(
                f"count {self.name}",
                str(rules.full_shoe),
                f"its tags are for decks of {self.deck_size} cards, and add up to"
                f" {_write_number(sum(map(self.tag, rules.full_deck.cards), Fraction(0)))} over one"
                f" of {rules.deck_size}; a TOML file of your own with deck_size ="
                f" {rules.deck_size} counts these",
            )

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
        """Return the change of the playing count when `card` is seen."""
        if card.rank == 7 and self.red_7 is not None:
            if not card.suit:
                why = f"{self.name} counts red sevens, write 7H"
                raise NotationError(f"cannot count a 7 without a suit: {why}")
            return self.red_7 if card.suit in _RED_SUITS else self.tags[7]
        return self.tags[card.rank]

    def mean_tag(self, name: str) -> Fraction:
        """Return the tag of a rank by its letter, the mean of its colours."""
        return (self.tag(Card(f"{name}H")) + self.tag(Card(f"{name}S"))) / 2

    def betting_tag(self, card: Card) -> Fraction:
        """Return the change of the betting count when `card` is seen: tag and side count."""
        share = self.side_aces / self.suit
        return self.tag(card) + (share - self.side_aces if card.rank == ACE else share)

    def estimate_decks(self, cards_left: int) -> Fraction:
        """Return the number of decks left as the counter estimates it; no cards count as one."""
        decks = Fraction(max(cards_left, 1), self.deck_size)
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

    def bin_of(self, count: int) -> tuple[Fraction, ...]:
        """Return the count and the ends of those that `convert` makes it."""
        at = Fraction(count)
        if self.rounding is Rounding.ROUND:
            return at, at - _HALF, at + _HALF
        if self.rounding is Rounding.TRUNCATE and count <= 0:
            return (at, at - 1) if count else (at, at - 1, at + 1)
        return at, at + 1


SYSTEM_SETTINGS: Final = tuple(item.name for item in dataclasses.fields(CountSystem))
_WORDS: Final = {"by": CountBy, "rounding": Rounding, "decks_left": DeckEstimate}


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
        elif name == "deck_size":
            if type(value) is not int or value not in DECK_SIZES:
                yield f"deck_size: {value!r} is not {' or '.join(map(str, DECK_SIZES))}"
                object.__setattr__(system, name, DECK_SIZE)
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


def load_system(name: str | CountSystem) -> CountSystem:
    """Load a system by name (in any case), or a user's TOML file by its path; or return it."""
    if isinstance(name, CountSystem):
        return name
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
    """
    # Decimals stay text, to be read exactly.
    data = parse_toml(text, where, parse_float=str)
    settings: dict[str, Any] = {"name": name or "unnamed"}
    faults = list(_read_data(data, settings))
    tried = {"title": "?", "source": "?", "tags": (0,) * 11, **settings}
    try:
        # Valid settings are checked together even if other keys are faulty, to report all faults.
        system = CountSystem(**tried)
    except RulesError as error:
        faults.extend((*_find_key(fault), fault) for fault in error.faults)
    else:
        if system.deck_sum and "start" not in data and not faults:
            faults.append(("tags", "", _ask_start(system)))
    if faults:
        raise NotationError(*write_faults(where, faults, partial(_find_line, text)))
    return system


def _ask_start(system: CountSystem) -> str:
    """Ask for the start of a count that ends elsewhere than it begins."""
    total = _write_number(system.deck_sum)
    return (
        f"[tags] of a deck add up to {total}, not 0, and there is no start: an unbalanced count"
        f" needs it. Write [start] with per_deck = {_write_number(-system.deck_sum)} for a count"
        f" that ends at 0, per_deck = 0 for one that begins there; or mend the tags"
    )


class RunningCount:
    """The running counts of a system: one for plays, one for bets (with its side count).

    Approximation: none. Both are exact fractions, so nothing is rounded before `convert`.

    >>> from upcard.core.cards import parse_cards
    >>> from upcard.strategy.count_system import load_system
    >>> count = RunningCount(load_system("hi-lo"), decks=6)
    >>> for card in parse_cards("5 6 2 K 4"):
    ...     count.see(card)
    >>> str(count.running), count.play_count(cards_left=26)
    ('3', 6)
    """

    __slots__ = ("_betting", "_running", "_scale", "_start", "_tags", "decks", "system")

    def __init__(self, system: CountSystem, decks: int) -> None:
        """Start to count a freshly shuffled shoe of the given number of decks."""
        self.system = system
        self.decks = decks
        # Sums are in whole units of 1/scale, which is exact and fast.
        self._scale = system.scale
        self._start = int(system.initial_count(decks) * self._scale)
        self._tags: dict[Card, tuple[int, int]] = {}
        self.reset()

    @property
    def running(self) -> Fraction:
        """The running count for plays."""
        return Fraction(self._running, self._scale)

    @property
    def betting(self) -> Fraction:
        """The running count for bets."""
        return Fraction(self._betting, self._scale)

    def reset(self) -> None:
        """Start again after a shuffle."""
        self._running = self._betting = self._start

    def see(self, card: Card) -> None:
        """Count a card that has been seen."""
        try:
            play, bet = self._tags[card]
        except KeyError:
            play = int(self.system.tag(card) * self._scale)
            bet = int(self.system.betting_tag(card) * self._scale)
            self._tags[card] = (play, bet)
        self._running += play
        self._betting += bet

    def bet_count(self, cards_left: int) -> int:
        """Return the whole count for bets, with `cards_left` cards undealt."""
        return self.system.convert(self.betting, cards_left)

    def play_count(self, cards_left: int) -> int:
        """Return the whole count for plays, with `cards_left` cards undealt."""
        return self.system.convert(self.running, cards_left)


def read_count(text: str) -> Fraction:
    """Read a running count from a user's text."""
    return read_number(text, "count", example="3, -2 or 1/2")


_HERE: Final = Path(__file__).parent


def names_in(folder: str, suffix: str) -> tuple[str, ...]:
    """Return the names of the data files in a folder of this package, without their suffix."""
    names = (file.name for file in (_HERE / folder).iterdir())
    return tuple(sorted(name.removesuffix(suffix) for name in names if name.endswith(suffix)))


def read_data_file(folder: str, name: str) -> str:
    """Read a data file of this package."""
    return (_HERE / folder / name).read_text(encoding="utf-8")


_TEXTS: Final = ("name", "title", "source", "about")
_NEEDED: Final = ("title", "source")
_CHOICES: Final = ("by", "rounding", "decks_left", "deck_size")
_RANK_KEYS: Final = tuple(rank_name(rank) for rank in RANKS)
_TABLES: Final = {
    "tags": (*_RANK_KEYS, "red_7"),
    "start": ("constant", "per_deck"),
    "ramp": ("from", "from_per_deck", "step", "step_per_deck"),
}
_KEYS: Final = (*_TEXTS, *_CHOICES, "side_aces", *_TABLES)


def _read_data(data: dict[str, Any], settings: dict[str, Any]) -> Iterator[Fault]:
    """Store the settings of the file in `settings`; yield place and description of each fault."""
    for key, value in data.items():
        if key not in _KEYS:
            yield "", key, f"unknown key {key!r}: one of {', '.join(_KEYS)}"
        elif key in _CHOICES:
            settings[key] = value
        elif key == "side_aces":
            yield from _read_number("", key, value, key, settings)
        elif key in _TEXTS:
            if isinstance(value, str) and (value.strip() or key == "about"):
                settings[key] = value.strip()
            else:
                yield "", key, f"{key!r} must be a text"
    for key in _NEEDED:
        if key not in data:
            yield "", "", f"key {key!r} is missing"
    if "tags" in data:
        yield from _read_table("tags", data["tags"], settings)
    else:
        yield "", "", "table 'tags' is missing"
    for table in ("start", "ramp"):
        yield from _read_table(table, data.get(table, {}), settings)


def _read_table(table: str, numbers: object, settings: dict[str, Any]) -> Iterator[Fault]:
    if not isinstance(numbers, dict):
        yield "", table, f"{table!r} must be a table"
        return
    keys = _TABLES[table]
    for key in numbers:
        if key not in keys:
            yield table, key, f"unknown key {key!r} in [{table}]: one of {', '.join(keys)}"
    tags: dict[str, Any] = {}
    for key in keys:
        if key in numbers:
            setting = key if table == "tags" else f"{table}_{key}"
            into = tags if key in _RANK_KEYS else settings
            yield from _read_number(table, key, numbers[key], setting, into)
        elif key in _RANK_KEYS:
            yield "", "tags", f"[tags] has no {key}: every rank needs a tag, 0 if it counts nothing"
    if table == "tags":
        settings["tags"] = (Fraction(0), *(tags.get(key, Fraction(0)) for key in _RANK_KEYS))


def _read_number(
    table: str, key: str, value: object, setting: str, settings: dict[str, Any]
) -> Iterator[Fault]:
    number = exact_number(value)
    if number is None:
        yield table, key, f'{key} = {quote(value)} is not a number (whole, decimal, or "1/2")'
    else:
        settings[setting] = number


def _find_key(fault: str) -> tuple[str, str]:
    """Return table and key of the setting that a message of `CountSystem` begins with."""
    setting = re.split(r"[: ]", fault, maxsplit=1)[0]
    table, _, key = setting.partition("_")
    if table in ("start", "ramp"):
        return table, key
    return ("tags", setting) if setting == "red_7" else ("", setting)


def _find_line(text: str, table: str, key: str) -> str:
    """Describe the line of a key in a TOML text, or its name if no line can be found."""
    if not key:
        return ""
    written = re.compile(rf"\s*[\"']?{re.escape(key)}[\"']?\s*=")
    header = re.compile(rf"\s*\[\s*[\"']?{re.escape(table or key)}[\"']?\s*\]")
    inside = not table
    for number, line in enumerate(text.splitlines(), start=1):
        if header.match(line):
            if not table:
                return f", line {number}"
            inside = True
        elif line.lstrip().startswith("["):
            inside = False
        elif inside and written.match(line):
            return f", line {number}"
    return f", key {f'{table}.' if table else ''}{key}"


def _write_text(text: str) -> str:
    # JSON's escapes are those of TOML, except for one control character that JSON leaves as is.
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007F")


def _write_number(number: Fraction) -> str:
    if number.denominator == 1:
        return str(number.numerator)
    if number.denominator in (2, 4, 5, 10):
        return str(float(number))
    return f'"{number}"'


def tabulate_systems(systems: Iterable[CountSystem], keys: Sequence[str]) -> figure.AnswerTable:
    """Return counting systems with the tag of each rank, the mean of its colours."""
    tag = figure.make_maker(figure.ColumnKind.TAG)
    columns = (figure.text("system"), *map(tag, keys), tag("deck"), figure.label("decides"))
    rows: Iterable[tuple[figure.Value, ...]] = (
        (one.name, *map(one.mean_tag, keys), one.deck_sum, one.by + " + aces" * bool(one.side_aces))
        for one in systems
    )
    return figure.make_table("Counting systems", columns, rows)
