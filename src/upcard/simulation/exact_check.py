"""Comparison of a run with the exact value of its chart, if there is one."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Final

from upcard.core.errors import BlackjackError
from upcard.rules.settings import DealerRule, Shuffle
from upcard.simulation.estimates import DEALT, estimate_flat
from upcard.simulation.job import Job
from upcard.simulation.tally import Tally

SUSPICIOUS_Z: Final = 4.0
_TELLING_ERRORS: Final = 2.0
_EXACT_DECIMALS: Final = 13
"""Digits of an exact value in a run: NumPy versions sum in different orders, so that the last bits
differ, and a run must have the same bytes with all of them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExactCheck:
    """The exact solver's value of a simulated game with flat bets, or the reason for having none.

    All dealt rounds count, including those sat out: they are the same game.
    """

    exact_ev: float | None
    """EV of the first round after a shuffle, per initial bet; None if there is no exact value."""
    difference: float | None = None
    """Simulated minus exact EV."""
    standard_error: float | None = None
    """Standard error of the difference."""
    is_fresh: bool = False
    """Whether every round is a first one, so that the two must agree."""
    reason: str = ""
    """Reason for having no exact value."""

    @property
    def z(self) -> float | None:
        """Difference in standard errors; None unless the two must agree."""
        if not self.is_fresh or self.difference is None or not self.standard_error:
            return None
        return self.difference / self.standard_error

    @property
    def is_suspicious(self) -> bool:
        """Whether the two differ by more than chance explains."""
        return self.z is not None and abs(self.z) > SUSPICIOUS_Z

    @property
    def cut_card_effect(self) -> float | None:
        """Effect of playing on until the cut card; None unless that is the difference."""
        return None if self.is_fresh else self.difference

    @property
    def is_told_from_chance(self) -> bool:
        """Whether the difference is at least two standard errors."""
        if self.difference is None or not self.standard_error:
            return False
        return abs(self.difference) >= _TELLING_ERRORS * self.standard_error

    def to_json(self) -> dict[str, Any]:
        """Return all fields as JSON values."""
        return {
            "ev": self.exact_ev,
            "is_same_game": self.is_fresh,
            "difference": self.difference,
            "standard_error": self.standard_error,
            "z": self.z,
            "cut_card_effect": self.cut_card_effect,
            "reason": self.reason or None,
        }


def check_exactly(job: Job, tally: Tally) -> ExactCheck:
    """Compare a run's flat EV with the exact EV of its chart on a fresh shoe."""
    from upcard.cache.exact import expected_value

    reason = find_obstacle(job)
    if reason:
        return ExactCheck(exact_ev=None, reason=reason)
    try:
        exact_ev = expected_value(job.rules, strategy=job.strategy)
    except BlackjackError as error:
        return ExactCheck(exact_ev=None, reason=str(error))
    exact_ev = round(exact_ev, _EXACT_DECIMALS)
    if not math.isfinite(exact_ev):
        return ExactCheck(exact_ev=None, reason="its value is infinite")
    flat = estimate_flat(tally, seats=DEALT)
    is_known = flat.rounds > 1
    return ExactCheck(
        exact_ev=exact_ev,
        difference=flat.ev - exact_ev if is_known else None,
        standard_error=flat.standard_error if is_known else None,
        is_fresh=job.rules.shuffle is Shuffle.EVERY_ROUND,
    )


def find_obstacle(job: Job) -> str:
    """Return why a job has no exact value; empty if it may have one.

    The spots of a round share the dealer and the cards, but each alone is worth the same: the cards
    ahead in a shuffled shoe do not depend on how many were taken before. Rules by which one spot's
    cards affect another's are the exception.
    """
    rules = job.rules
    if job.strategy is None:
        return f"player {job.player} follows no chart"
    if job.deviations is not None:
        return "with index plays a hand is not played by the chart alone"
    if job.spots > 1 and rules.dealer_rule is not DealerRule.TO_17:
        return "with several spots, what the dealer draws depends on all of them"
    if job.spots > 1 and rules.max_total_hands is not None:
        return "with several spots, a split at one takes hands from the others"
    return ""
