"""The form of bets by the count and of the bank behind them, for every question about bets.

Commands, pages and Python's keywords follow from its fields; in `RampQuestion` its ramp is read.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Annotated, Any, Final, Literal

from upcard.core.errors import NotationError, RulesError, quote
from upcard.core.fields import Field, FieldClashError, FormTerms, list_fields
from upcard.core.number_texts import read_float, read_share, read_spread, read_whole, whole_of
from upcard.core.numbers import fields_of
from upcard.core.user_files import read_typed
from upcard.strategy.ramp import BetRamp

# What a slider moves through, in order; the empty text is a field that is not used.
_SPREADS: Final = tuple(f"1-{most}" for most in (*range(1, 17), 20, 24, 32))
_COUNTS: Final = ("", *map(str, range(-4, 5)), "best")
_BANKS: Final = tuple(
    str(digit * 10**power) for power in (3, 4, 5) for digit in (1, 2, 3, 4, 5, 6, 8)
)
_RISKS: Final = ("", *(f"{share}%" for share in ("0.1", "0.5", *range(1, 11), 13.5, 20)))
_HOURS: Final = ("", *map(str, (4, 8, 20, 40, 100, 200, 500, 1000)))


def read_wong(text: str) -> int | Literal["best"]:
    """Read the lowest count to bet at, or `best`."""
    if text.strip().lower() == "best":
        return "best"
    count = whole_of(text)
    if count is None:
        msg = f"wong {quote(text)}: write the lowest count to bet at, such as -1, or best"
        raise NotationError(msg)
    return count


def _amount(name: str, help: str, ruler: tuple[str, ...] = ()) -> Field:  # noqa: A002 (the field's own name)
    read = partial(read_float, what=name, over=0)
    return Field(read, help, "N", ruler=ruler)


def _share(name: str, metavar: str, example: str, help: str, **more: Any) -> Field:  # noqa: A002
    read = partial(read_float, read=read_share, what=name, example=example)
    return Field(read, f"{help}, such as {example}.", metavar, **more)


@dataclass(frozen=True, slots=True, kw_only=True)
class BetTerms(FormTerms):
    """Bets by the count, and the bank behind them. Amounts are money, or units without any."""

    spread: Annotated[
        float | None,
        Field(read_spread, "Find the best ramp with this spread: 1-12.", "A-B", ruler=_SPREADS),
    ] = None
    ramp: Annotated[
        str | BetRamp | None,
        Field(
            str,
            "Take this ramp: 1-8, 1,1,2,4,8, 1:1 2:4; a command reads a file too.",
            paste=partial(read_typed, what="ramp", example="its pairs, such as 1:1 2:4"),
        ),
    ] = None
    bankroll: Annotated[float | None, _amount("bankroll", "Bankroll for the bets.", _BANKS)] = None
    risk: Annotated[
        float | None,
        _share(
            *("risk", "P", "5%", "Risk of ruin to aim at (full Kelly: 13.5%)"),
            title="Risk of ruin",
            ruler=_RISKS,
        ),
    ] = None
    kelly: Annotated[
        float | None,
        _share("kelly", "F", "1/2", "Fraction of full Kelly to aim at", title="Kelly fraction"),
    ] = None
    unit: Annotated[float | None, _amount("unit", "Value of a unit, the smallest bet.")] = None
    chip: Annotated[float | None, _amount("chip", "Find the best ramp in whole chips too.")] = None
    levels: Annotated[
        int | None,
        Field(
            partial(read_whole, what="levels", least=1, example="4"),
            "Most different bets of the best ramp, such as 4.",
            "N",
            title="Different bets",
        ),
    ] = None
    wong: Annotated[
        int | Literal["best"] | None,
        Field(
            read_wong,
            "Bet only at counts of N or more; best finds N.",
            "N|best",
            title="Bet only from count",
            ruler=_COUNTS,
        ),
    ] = None
    goal: Annotated[float | None, _amount("goal", "Stop after winning this amount.")] = None
    hours: Annotated[float | None, _amount("hours", "Stop after N hours.", _HOURS)] = None
    rounds_per_hour: Annotated[
        float | None,
        _amount("rounds per hour", "Rounds an hour, sat out or not (default: as in upcard money)."),
    ] = None

    def __post_init__(self) -> None:
        if self.ramp is not None and self.spread is not None:
            msg = "give {ramp} or {spread}: a ramp as it is, or the best ramp"
            raise FieldClashError(msg)

    def given(self) -> dict[str, Any]:
        """Return the terms that are given, as `Run.ramp` and `compare_games` take them."""
        return {name: value for name, value in fields_of(self).items() if value is not None}


def read_terms(**terms: Any) -> BetTerms:
    """Return the form with these terms; None is not given, and numbers may be texts.

    Raises: RulesError for an unknown term, or terms that clash; NotationError.
    """
    known = {one.name: one for one in list_fields(BetTerms)}
    given = {name: term for name, term in terms.items() if term is not None}
    if odd := sorted(given.keys() - known):
        raise RulesError(f"{odd[0]} is not an option of a ramp: {', '.join(sorted(known))}")
    read = {
        name: known[name].take(term) if isinstance(term, str | bool) else term
        for name, term in given.items()
    }
    return BetTerms(**read)
