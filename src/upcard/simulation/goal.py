"""`Goal`: when a run is done, decided on chunks in order, so independent of the workers."""

from __future__ import annotations

import re
from dataclasses import dataclass
from types import NoneType
from typing import Any, Final

from upcard.core.errors import NotationError, RulesError, quote
from upcard.core.numbers import exact_number
from upcard.simulation.estimates import Estimate
from upcard.simulation.json_values import take

MOST_ROUNDS: Final = 10**13
"""With this many rounds no sum of squares exceeds 64 bits."""
_AMOUNT: Final = re.compile(
    r"([0-9][0-9_,]*(?:\.[0-9]+)?(?:e[0-9]{1,2})?)\s*([kmgb]?)", re.IGNORECASE
)
_THOUSANDS: Final = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "b": 10**9}
_SHARE: Final = re.compile(
    r"([0-9]{1,20}(?:\.[0-9]{0,20})?(?:e-?[0-9]{1,2})?|\.[0-9]{1,20}(?:e-?[0-9]{1,2})?)\s*(%?)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Goal:
    """Play `rounds` rounds, or until the standard error is small enough, whichever comes first.

    Raises: RulesError for an invalid number, or if both are missing.
    """

    rounds: int | None = None
    """Most rounds; None for no limit."""
    until: float | None = None
    """Standard error of the quoted EV that ends the run; None to end by `rounds` only."""

    def __post_init__(self) -> None:
        if self.rounds is None and self.until is None:
            msg = "a run needs an end: rounds, or a standard error to reach (until), or both"
            raise RulesError(msg)
        if self.rounds is not None and not 1 <= self.rounds <= MOST_ROUNDS:
            raise RulesError(f"{self.rounds:,} rounds: a run has 1 to {MOST_ROUNDS:,}")
        if self.until is not None and not 0 < self.until < 1:
            msg = f"until {self.until:g}: the standard error to reach is over 0 and under 1 (100%)"
            raise RulesError(msg)

    def chunk_size(self, chunk: int, chunk_rounds: int) -> int:
        """Return how many rounds a chunk has: the last may be shorter, those after it have 0."""
        most = MOST_ROUNDS if self.rounds is None else self.rounds
        return max(0, min(chunk_rounds, most - chunk * chunk_rounds))

    def is_reached(self, estimate: Estimate) -> bool:
        """Whether an estimate is precise enough."""
        return self.until is not None and estimate.standard_error <= self.until

    @property
    def expected_rounds(self) -> int:
        """About how many rounds a run with this goal takes, as if a bet's SD were 1."""
        limits = [] if self.rounds is None else [self.rounds]
        if self.until is not None:
            limits.append(int(min(self.until**-2, MOST_ROUNDS)))
        return min(limits)

    def to_json(self) -> dict[str, Any]:
        """Write the goal; `from_json` reads it back."""
        return {"rounds": self.rounds, "until": self.until}

    @classmethod
    def from_json(cls, document: dict[str, Any]) -> Goal:
        """Read what `to_json` wrote. Raises: RulesError if it is not a goal."""
        try:
            until = take(document, "until", int, float, NoneType)
            return cls(
                rounds=take(document, "rounds", int, NoneType),
                until=None if until is None else float(until),
            )
        except (ValueError, OverflowError) as error:
            raise RulesError(f"this is no goal of a run: {error}") from None


def read_rounds(text: str) -> int:
    """Read a number of rounds: 1000000, 1_000_000, 1e6, 1M, 2.5M, 10G.

    Raises: NotationError if it is invalid.
    """
    if match := _AMOUNT.fullmatch(text.strip()):
        amount = exact_number(match[1].replace("_", "").replace(",", ""))
        whole = None if amount is None else amount * _THOUSANDS[match[2].lower()]
        if whole is not None and whole.denominator == 1:
            return whole.numerator
    raise NotationError(f"{quote(text)} is no number of rounds: write 1000000, 1e6, 2.5M or 1G")


def read_share(text: str) -> float:
    """Read a share of a bet: 0.01% or 0.0001. Raises: NotationError if it is invalid."""
    if match := _SHARE.fullmatch(text.strip()):
        share = exact_number(match[1])
        if share is not None:
            return float(share / (100 if match[2] else 1))
    raise NotationError(f"{quote(text)} is no share of a bet: write 0.01% or 0.0001")
