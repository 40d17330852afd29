"""`Wager`: the bets of one hand before the deal, main and side, read and written here only.

A wager is typed as `10 21+3 2 pp 1`, written in records as `10;21+3=2;pp=1`, and in JSON as
`{"bet": "10", "side": {"21+3": "2", "pp": "1"}}`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Final, NamedTuple, Self, TypeAlias

from upcard.core.errors import NotationError, RulesError, UserFileError, quote
from upcard.core.number_texts import read_chips
from upcard.core.numbers import exact_number, format_chips
from upcard.core.user_files import parse_json

MOST_CHIPS: Final = 10**12

SideStakes: TypeAlias = tuple[tuple[str, Fraction], ...]
"""Short names of side bets, in lower case, with the chips on them; each is over 0."""


class Wager(NamedTuple):
    """The bets of one hand before the deal, in chips."""

    main: Fraction
    side: SideStakes = ()

    @property
    def total(self) -> Fraction:
        """Chips of all bets."""
        return sum((chips for _, chips in self.side), self.main) if self.side else self.main

    def on(self, code: str) -> Fraction:
        """Return the chips on a side bet; 0 if it is not placed."""
        return dict(self.side).get(code, Fraction(0))

    def in_order(self, codes: Iterable[str]) -> Self:
        """Return the wager with its side bets in the order of a house's.

        Raises: RulesError for a side bet that is not one of `codes`.
        """
        if not self.side:
            return self
        known = tuple(codes)
        for code, _ in self.side:
            if code not in known:
                has = f"this house has {', '.join(known)}" if known else "this house has none"
                raise RulesError(f"side bet {quote(code)}: {has}")
        placed = dict(self.side)
        return self._replace(side=tuple((code, placed[code]) for code in known if code in placed))

    def __str__(self) -> str:
        """Write it as it is typed."""
        sides = (f"{code} {format_chips(chips)}" for code, chips in self.side)
        return " ".join((format_chips(self.main), *sides))


WagerLike: TypeAlias = Wager | Fraction | int | str | Mapping[str, object]
"""A wager: itself, chips for a main bet alone, or a text, or an object as in JSON."""


def read_wager(bet: WagerLike) -> Wager:
    """Read a wager exactly.

    Raises: RulesError for amounts that are not over 0 and at most 10**12 chips, and for other text.

    >>> read_wager("10 21+3 2 pp 1")
    Wager(main=Fraction(10, 1), side=(('21+3', Fraction(2, 1)), ('pp', Fraction(1, 1))))
    """
    if isinstance(bet, Wager):
        return Wager(*_check(bet.main, bet.side))
    if isinstance(bet, Mapping):
        return _read_object(bet)
    try:
        return _read_plain(bet)
    except TypeError:  # a list, say, which the cache cannot look up
        raise _refuse(bet) from None


def read_bet(bet: Fraction | int | str) -> Fraction:
    """Read the chips of one bet exactly; refuses what `read_wager` refuses."""
    return read_wager(bet).main


@lru_cache(maxsize=1024, typed=True)
def _read_plain(bet: Fraction | int | str) -> Wager:
    if isinstance(bet, str) and len(words := bet.replace(",", " ").split()) > 1:
        if len(words) % 2 == 0:
            raise _refuse(bet)
        sides = zip(words[1::2], words[2::2], strict=True)
        return Wager(*_check(words[0], tuple(sides)))
    return Wager(*_check(bet, ()))


def _read_object(data: Mapping[str, object]) -> Wager:
    unknown = [key for key in data if key not in ("bet", "side")]
    side = data.get("side", {})
    if unknown or "bet" not in data or not isinstance(side, Mapping):
        raise _refuse(dict(data))
    return Wager(*_check(data["bet"], tuple(side.items())))


def _refuse(bet: object) -> RulesError:
    return RulesError(f"a bet of {quote(bet)}: write a number of chips, such as 10 or 2.5")


def _check(main: object, side: Iterable[tuple[object, object]]) -> tuple[Fraction, SideStakes]:
    """Return the chips of a wager, read exactly; side bets of 0 are left out."""
    sides: dict[str, Fraction] = {}
    for name, chips in side:
        code = str(name).lower()
        if code in sides:
            raise RulesError(f"side bet {quote(code)} is placed twice: write it once")
        sides[code] = _read_amount(chips, f"{quote(code)} of ", least_is_0=True)
    placed = tuple((code, chips) for code, chips in sides.items() if chips)
    return _read_amount(main, ""), placed


def _read_amount(chips: object, name: str, *, least_is_0: bool = False) -> Fraction:
    exact, kind = exact_number(chips), f"side bet {name}" if name else "a bet of "
    if exact is None:
        raise RulesError(f"{kind}{quote(chips)}: write a number of chips, such as 10 or 2.5")
    if not (0 < exact <= MOST_CHIPS or (least_is_0 and exact == 0)):
        raise RulesError(f"{kind}{chips}: bets are over 0 and at most {MOST_CHIPS}")
    return exact


def type_wager(text: str, codes: Collection[str]) -> Wager:
    """Read a wager as it is typed: `10`, `10 21+3 2 pp 1`, or an object as in JSON.

    Raises: NotationError for other text, and for a side bet that the house does not have.
    """
    if text.lstrip().startswith("{"):
        try:
            return read_wager(parse_json(text, "bet")).in_order(codes)
        except (RulesError, UserFileError) as error:
            raise NotationError(str(error)) from None
    words = text.replace(",", " ").split()
    if len(words) % 2 == 0:
        if not words:
            return Wager(read_chips(text))
        example = f", such as 10 {next(iter(codes))} 2" if codes else ""
        form = f"write the bet, then each side bet and its chips{example}"
        raise NotationError(f"bet {quote(text)}: {form}")
    sides = {}
    for code, chips in zip(words[1::2], words[2::2], strict=True):
        if code.lower() in sides:
            raise NotationError(f"side bet {quote(code)} is placed twice: write it once")
        sides[code.lower()] = read_chips(chips, f"side bet {code}")
    try:
        return Wager(read_chips(words[0]), tuple(sides.items())).in_order(codes)
    except RulesError as error:
        raise NotationError(str(error)) from None


def write_record(wager: Wager) -> str:
    """Write a wager without blanks: `10`, `5/2`, `10;21+3=2`."""
    return ";".join((str(wager.main), *(f"{code}={chips}" for code, chips in wager.side)))


def read_record(text: str) -> Wager | None:
    """Read a wager as `write_record` writes it; None for any other text."""
    main, *sides = text.split(";")
    pairs = [side.rpartition("=")[::2] for side in sides]
    found = [exact_number(chips) for chips in (main, *(chips for _, chips in pairs))]
    if None in found or not all(code for code, _ in pairs):
        return None
    codes = (code for code, _ in pairs)
    return Wager(Fraction(found[0] or 0), tuple(zip(codes, map(Fraction, found[1:]), strict=True)))  # type: ignore[arg-type]
