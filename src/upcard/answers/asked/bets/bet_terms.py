"""The form of bets by the count and of the bank behind them, for every question about bets."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Annotated, Any, Literal

from upcard.answers.ramp_report import read_spread, read_wong
from upcard.core import numbers
from upcard.core.fields import Field, FieldClashError, FormTerms
from upcard.core.number_texts import read_number, read_share, read_whole
from upcard.core.user_files import read_typed


def _read_amount(text: str, name: str) -> float:
    return float(read_number(text, name, over=0))


def _read_risk(text: str) -> float:
    return float(read_share(text, "risk"))


def _read_kelly(text: str) -> float:
    return float(read_share(text, "kelly", example="1/2"))


def _amount(name: str, help: str) -> Field:  # noqa: A002 (the field's own name)
    return Field(partial(_read_amount, name=name), help, "N")


@dataclass(frozen=True, slots=True, kw_only=True)
class BetTerms(FormTerms):
    """Bets by the count, and the bank behind them. Amounts are money, or units without any."""

    spread: Annotated[
        float | None,
        Field(read_spread, "Find the best ramp with this spread, such as 1-12.", "A-B"),
    ] = None
    ramp: Annotated[
        str | None,
        Field(
            str,
            "Take this ramp: 1-8, 1,1,2,4,8, 1:1 2:4, or a file.",
            paste=partial(read_typed, what="ramp", example="its pairs, such as 1:1 2:4"),
        ),
    ] = None
    wong: Annotated[
        int | Literal["best"] | None,
        Field(read_wong, "Bet only at counts of N or more.", "N|best"),
    ] = None
    bankroll: Annotated[float | None, _amount("bankroll", "Bankroll for the bets.")] = None
    risk: Annotated[
        float | None,
        Field(
            _read_risk,
            "Target risk of ruin, such as 5%.",
            "P",
        ),
    ] = None
    kelly: Annotated[
        float | None,
        Field(
            _read_kelly,
            "Target fraction of full Kelly, such as 1/2.",
            "F",
        ),
    ] = None
    unit: Annotated[float | None, _amount("unit", "Value of a unit, the smallest bet.")] = None
    chip: Annotated[float | None, _amount("chip", "Find the best ramp in whole chips too.")] = None
    levels: Annotated[
        int | None,
        Field(
            partial(read_whole, what="levels", least=1),
            "Most different bets of the best ramp, such as 4.",
            "N",
        ),
    ] = None
    goal: Annotated[float | None, _amount("goal", "Stop after winning this amount.")] = None
    hours: Annotated[float | None, _amount("hours", "Stop after N hours.")] = None
    rounds_per_hour: Annotated[
        float | None,
        _amount(
            "rounds per hour",
            "Rounds per hour, sat out or not (default: as in upcard money).",
        ),
    ] = None

    def __post_init__(self) -> None:
        if self.ramp is not None and self.spread is not None:
            msg = "give {ramp} or {spread}: a ramp as it is, or the best ramp"
            raise FieldClashError(msg)

    def given(self) -> dict[str, Any]:
        """Return the terms that are given, as `Run.ramp` and `compare_games` take them."""
        found = numbers.fields_of(self)
        return {name: value for name, value in found.items() if value is not None}
