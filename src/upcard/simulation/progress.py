"""Progress of a run: the share that is done, the time left, and both in words."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from upcard.simulation.run import RunProgress


def measure_progress(progress: RunProgress) -> float:
    """Return the share of a run that is done, 0 to 1; errors shrink with the root of the rounds."""
    state = progress.state
    shares = [0.0]
    if state.goal.rounds is not None:
        shares.append(state.rounds / state.goal.rounds)
    estimate = state.estimate()
    if state.goal.until is not None and estimate is not None and estimate.standard_error > 0:
        shares.append((state.goal.until / estimate.standard_error) ** 2)
    return min(1.0, max(shares))


def measure_time_left(progress: RunProgress) -> float | None:
    """Return the seconds until a run is done; None if they are not known, or it is done."""
    done = measure_progress(progress)
    if not 0 < done < 1 or not progress.played:
        return None
    return progress.state.rounds * (1 - done) / done * progress.seconds / progress.played


def describe(progress: RunProgress) -> str:
    """Write rounds, rate, EV with its error, and the time left."""
    state = progress.state
    estimate = state.estimate()
    words = [f"{write_amount(state.rounds)} rounds"]
    if progress.seconds > 0 and progress.played:
        words.append(f"{write_amount(progress.played / progress.seconds)}/s")
        left = measure_time_left(progress)
        if left is not None:
            words.append(f"{write_time(left)} left")
    if estimate is not None and not math.isnan(estimate.standard_error):
        words.append(f"EV {estimate.ev:+.3%} +-{estimate.standard_error:.3%}")
    return "  ".join(words)


def write_amount(number: float) -> str:
    """Write a number in three figures: 123, 12.3k, 1.23M."""
    for size, letter in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if number >= size:
            return f"{number / size:.3g}{letter}" if number < 999.5 * size else f"{number:.3g}"
    return f"{number:.0f}"


def write_time(seconds: float) -> str:
    """Write a remaining time, roughly."""
    if seconds < 60:
        return f"{math.ceil(seconds)} s"
    if seconds < 3600:
        return f"{math.ceil(seconds / 60)} min"
    return f"{seconds / 3600:.1f} h"
