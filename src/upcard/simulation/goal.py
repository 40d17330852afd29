"""`Goal`: when a run is done, decided on chunks in order, so independent of the workers."""

from __future__ import annotations

from dataclasses import dataclass
from types import NoneType
from typing import TYPE_CHECKING, Any, Final

from upcard.core.errors import RulesError
from upcard.simulation.json_values import take

if TYPE_CHECKING:
    from upcard.simulation.estimates import Estimate

MOST_ROUNDS: Final = 10**13
"""With this many rounds no sum of squares exceeds 64 bits."""


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
