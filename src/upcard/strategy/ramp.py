"""`BetRamp`: the bet at each count, as a value.

    1-8            from 1 to 8 units: the minimum up to the count where the system's ramps begin,
                   then in proportion, the maximum four steps later, in whole units
    1,1,2,4,8      the bet below that count, the bet at it, then one per step
    1:1 2:2 5:8    from each count on (below the first as at it); as `str(ramp)` writes it
    my-ramp.txt    a file with a count and a bet on each line; `#` begins a comment

A bet of 0 sits the round out. Side bets follow a semicolon each, with their units and the count
from which on they are placed, in rounds that are not sat out:

    1-8; 21+3 1 from 4             one unit from 4 on
    1-8; pp 1 from 3, 2 from 6     two units from 6 on; without `from`: at every count
"""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise
from math import floor
from typing import Final, NamedTuple

from upcard.core.errors import NotationError, RulesError, quote
from upcard.core.numbers import exact_number, whole_number
from upcard.core.user_files import could_be_file, is_user_file, or_path, read_user_file
from upcard.core.wager import SideStakes, Wager
from upcard.strategy.count_system import CountSystem

STEPS_TO_TOP: Final = 4
_MOST_BET: Final = 1_000_000
MOST_COUNT: Final = 1000
"""Largest count of any system; the ends of a ramp are within it."""
_HALF: Final = Fraction(1, 2)


class SideRamp(NamedTuple):
    """The units on a side bet by count."""

    code: str
    """Short name of the bet, in lower case."""
    steps: tuple[tuple[int | None, Fraction], ...]
    """Counts in rising order, each with the units from there on; None first for all counts."""

    def bet(self, count: int) -> Fraction:
        """Return the units at a count."""
        units = Fraction(0)
        for start, bet in self.steps:
            if start is None or count >= start:
                units = bet
        return units

    def __str__(self) -> str:
        """Write it as in a ramp: `21+3 1 from 4, 2 from 6`."""
        steps = (f"{bet}" if start is None else f"{bet} from {start}" for start, bet in self.steps)
        return f"{self.code} {', '.join(steps)}"


_SIDE_STEP: Final = re.compile(r"(\S+)(?:\s+from\s+(\S+))?", re.IGNORECASE)


def read_side_ramp(text: str) -> SideRamp:
    """Read the side bet of a ramp. Raises: NotationError for other text."""
    where = f"ramp: side bet {quote(text.strip())}"
    code, _, rest = text.strip().partition(" ")
    steps: list[tuple[int | None, Fraction]] = []
    for part in rest.split(","):
        found = _SIDE_STEP.fullmatch(part.strip())
        bet = exact_number(found[1]) if found else None
        start = whole_number(found[2]) if found and found[2] else None
        is_odd = bet is None or not 0 <= bet <= _MOST_BET or (found and found[2] and start is None)
        if bet is None or is_odd or (start is not None and abs(start) > MOST_COUNT):
            example = "21+3 1 from 4, or 21+3 1 from 4, 2 from 6"
            form = f"write its name, the units and the count, such as {example}"
            raise NotationError(f"{where}: {form}")
        before = steps[-1][0] if steps else None
        if steps and (start is None or (before is not None and start <= before)):
            raise NotationError(f"{where}: its counts go up")
        steps.append((start, bet))
    if not any(bet for _, bet in steps):
        raise NotationError(f"{where} is never placed")
    return SideRamp(code.lower(), tuple(steps))


@dataclass(frozen=True, slots=True, kw_only=True)
class BetRamp:
    """The bet of each count, in units: `bets[i]` at count `least + i`, the ends beyond them.

    Two are equal when they bet the same: repetitions at the ends are dropped.

    >>> ramp = BetRamp(least=1, bets=(Fraction(1), Fraction(2), Fraction(4)))
    >>> str(ramp), str(ramp.bet(-7)), str(ramp.bet(9))
    ('1:1 2:2 3:4', '1', '4')
    """

    least: int
    bets: tuple[Fraction, ...]
    side: tuple[SideRamp, ...] = ()
    json_keys = str

    def __post_init__(self) -> None:
        """Convert bets to exact numbers, check them, and drop repetitions at the ends."""
        exact = [exact_number(bet) for bet in self.bets]
        faults = list(_find_faults(self.least, exact))
        if faults:
            raise RulesError(*faults)
        bets = [bet for bet in exact if bet is not None]
        while len(bets) > 1 and bets[-1] == bets[-2]:
            del bets[-1]
        repeated = 0
        while repeated + 1 < len(bets) and bets[repeated] == bets[repeated + 1]:
            repeated += 1
        # A flat bet is the same from any count on.
        least = self.least + repeated if len(bets) > 1 else 0
        object.__setattr__(self, "least", least)
        object.__setattr__(self, "bets", tuple(bets[repeated:]))

    def __str__(self) -> str:
        """Write count and bet where the bet changes; `parse_ramp` reads it back."""
        return "; ".join((self._write_main(), *map(str, self.side)))

    def _write_main(self) -> str:
        changes = [f"{self.least}:{self.bets[0]}"]
        for count, (last, bet) in enumerate(pairwise(self.bets), start=self.least + 1):
            if bet != last:
                changes.append(f"{count}:{bet}")
        return " ".join(changes)

    @property
    def spread(self) -> Fraction:
        """The largest bet divided by the smallest; rounds sat out do not count."""
        played = [bet for bet in self.bets if bet]
        return max(played) / min(played)

    def bet(self, count: int) -> Fraction:
        """Return the bet at a count, in units; 0 sits the round out."""
        return self.bets[min(max(count - self.least, 0), len(self.bets) - 1)]

    def side_bets(self, count: int) -> SideStakes:
        """Return the side bets at a count, in units; none in a round that is sat out."""
        if not self.side or not self.bet(count):
            return ()
        placed = ((one.code, one.bet(count)) for one in self.side)
        return tuple((code, units) for code, units in placed if units)

    def wager(self, count: int) -> Wager:
        """Return the bet and the side bets at a count, in units."""
        return Wager(self.bet(count), self.side_bets(count))

    @property
    def ends(self) -> tuple[int, int]:
        """The counts below and beyond which nothing changes."""
        steps = [count for one in self.side for count, _ in one.steps if count is not None]
        last = self.least + len(self.bets) - 1
        return min([self.least, *(count - 1 for count in steps)]), max([last, *steps])


def _find_faults(least: int, bets: list[Fraction | None]) -> Iterator[str]:
    if type(least) is not int or abs(least) > MOST_COUNT:
        yield f"a ramp begins at a whole count from -{MOST_COUNT} to {MOST_COUNT}, not {least!r}"
    if not bets:
        yield "a ramp without bets"
    elif any(bet is None or not 0 <= bet <= _MOST_BET for bet in bets):
        yield f"the bets of a ramp are numbers of units, 0 to {_MOST_BET}"
    elif not any(bets):
        yield "a ramp that never bets: at least one bet must be over 0"
    elif len(bets) > 2 * MOST_COUNT + 1:
        yield f"a ramp of {len(bets)} counts: {2 * MOST_COUNT + 1} at most"


def parse_ramp(
    text: str | BetRamp, system: CountSystem, *, decks: int, side: Collection[str] | None = None
) -> BetRamp:
    """Read a ramp: `1-8`, `1,1,2,4,8`, pairs such as `1:1 2:4`, or the path of a file of pairs.

    A ramp is returned as it is. `side` are the short names of the side bets that it may place; None
    where there are main bets only.

    Where the first two begin, and how large their steps are, depends on the system and, if it is
    unbalanced, on the number of decks.

    >>> from upcard.strategy.count_system import load_system
    >>> print(parse_ramp("1-8", load_system("hi-lo"), decks=6))
    1:1 2:2 3:4 4:6 5:8
    """
    if isinstance(text, BetRamp):
        ramp = text
    else:
        main, *bets = str(text).split(";")
        ramp = _with_side(_parse_main(main.strip(), system, decks=decks), bets)
    for one in ramp.side:
        if side is None:
            raise RulesError(f"ramp {quote(str(ramp))}: it is about main bets only here")
        if one.code not in side:
            has = f"this house has {', '.join(side)}" if side else "this house has none"
            raise RulesError(f"ramp: side bet {quote(one.code)}: {has}")
    return ramp


def _with_side(ramp: BetRamp, side: list[str]) -> BetRamp:
    found = tuple(map(read_side_ramp, side))
    codes = [one.code for one in found]
    for code in codes:
        if codes.count(code) > 1:
            raise NotationError(f"ramp: side bet {quote(code)} is there twice: write it once")
    return replace(ramp, side=found) if found else ramp


def _parse_main(wanted: str, system: CountSystem, *, decks: int) -> BetRamp:
    start, stride = system.ramp_start(decks), system.ramp_stride(decks)
    low, dash, high = (part.strip() for part in wanted.partition("-"))
    least, most = _read_units(low), _read_units(high)
    if dash and least is not None and most is not None:
        return _spread(wanted, least, most, start, stride)
    listed = [_read_units(entry.strip()) for entry in wanted.split(",")]
    units = [bet for bet in listed if bet is not None]
    if len(units) == len(listed):
        bets = units[:1]
        for bet in units[1:]:
            bets += [bet] * stride
        return _make(wanted, start - 1, tuple(bets))
    if ":" in wanted and not is_user_file(wanted):
        return read_pairs(wanted)
    if not could_be_file(wanted):
        raise NotationError(
            f"ramp {quote(wanted)}: write a spread such as 1-8, bets such as 1,1,2,4,8,"
            " pairs of count and bet such as 1:1 2:4" + or_path("file of such pairs")
        )
    lines = read_user_file(wanted, "ramp").splitlines()
    rows = [(number, line.partition("#")[0].split()) for number, line in enumerate(lines, 1)]
    return _from_pairs([(f"line {number}", row) for number, row in rows if row], wanted)


def read_pairs(text: str) -> BetRamp:
    """Read pairs such as `1:1 2:4`, as `str` of a ramp writes them; never a file."""
    text, *side = text.split(";")
    pairs = [(f"pair {quote(word)}", word.split(":")) for word in text.replace(",", " ").split()]
    return _with_side(_from_pairs(pairs, f"ramp {quote(text)}"), side)


def _read_units(word: str) -> Fraction | None:
    """Read a number of units without a sign: digits, optionally with a point or a slash."""
    return exact_number(word) if word[:1].isdigit() else None


def _spread(text: str, low: Fraction, high: Fraction, start: int, stride: int) -> BetRamp:
    """Bet `low` up to `start`, then in proportion, rounded half up to whole units, up to `high`."""
    if high < low:
        raise NotationError(f"ramp {quote(text)}: the larger bet comes second, as in {high}-{low}")
    length = STEPS_TO_TOP * stride
    bets = [max(low, Fraction(floor(high * step / length + _HALF))) for step in range(length)]
    return _make(text, start, (*(min(bet, high) for bet in bets), high))


def _from_pairs(pairs: list[tuple[str, list[str]]], where: str) -> BetRamp:
    read: list[tuple[int, Fraction]] = []
    faults: list[str] = []
    for place, words in pairs:
        bet = exact_number(words[1]) if len(words) == 2 else None
        count = whole_number(words[0])
        if bet is None or count is None or abs(count) > MOST_COUNT:
            shown = quote(" ".join(words))
            faults.append(f"{where}: {place}: {shown} is not a count and a bet, such as 2 and 4")
        elif read and count <= read[-1][0]:
            faults.append(f"{where}: {place}: counts go up, and {count} follows {read[-1][0]}")
        else:
            read.append((count, bet))
    if not pairs:
        faults.append(f"{where}: no line has a count and a bet")
    if faults:
        raise NotationError(*faults)
    bets: list[Fraction] = []
    for (count, bet), (after, _) in pairwise([*read, (read[-1][0] + 1, Fraction(0))]):
        bets += [bet] * (after - count)
    return _make(where, read[0][0], tuple(bets))


def _make(where: str, least: int, bets: tuple[Fraction, ...]) -> BetRamp:
    try:
        return BetRamp(least=least, bets=bets)
    except RulesError as error:
        raise NotationError(*(f"{where}: {fault}" for fault in error.faults)) from None
