"""The progress of a run as pages show it, in numbers and in words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from upcard.core.numbers import with_minus

if TYPE_CHECKING:
    from upcard.simulation.run_state import RunProgress


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgressView:
    """How far a run is. `words` has the same as finished text, by name."""

    rounds: int
    """Number of rounds played."""
    of: int | None
    """Rounds of the goal; None if it is an error to reach."""
    share: float
    """Share that is done, 0 to 1."""
    rate: float | None
    """Rounds per second."""
    seconds: float
    """Seconds that it has run."""
    left: float | None
    """Seconds left, estimated."""
    ev: float | None
    """EV per round of a bet, or of a unit with a ramp; None without rounds."""
    standard_error: float | None
    words: dict[str, str]
    """Texts by name: `rounds`, `rate`, `left`, `ev` and `error`."""


def look_at_progress(progress: RunProgress) -> ProgressView:
    """Return the progress of a run."""
    from upcard.simulation.run_state import (
        finite,
        measure_progress,
        measure_time_left,
        write_amount,
        write_time,
    )

    state, seconds = progress.run, progress.seconds
    estimate = state.estimate()
    ev = None if estimate is None else finite(estimate.ev)
    error = None if estimate is None else finite(estimate.standard_error)
    rate = progress.played / seconds if seconds > 0 and progress.played else None
    left = measure_time_left(progress)
    return ProgressView(
        rounds=state.rounds,
        of=state.goal.rounds,
        share=measure_progress(progress),
        rate=rate,
        seconds=seconds,
        left=left,
        ev=ev,
        standard_error=error,
        words={
            "rounds": f"{state.rounds:,}",
            "rate": "" if rate is None else f"{write_amount(rate)} a second",
            "left": "" if left is None else f"{write_time(left)} left",
            "ev": write_ev(ev),
            "error": "" if error is None else f"± {error:.4%}",
        },
    )


def write_ev(ev: float | None) -> str:
    """Write an EV in percent of a bet, or of a unit."""
    return "…" if ev is None else with_minus(f"{ev + 0.0:+.4%}")
