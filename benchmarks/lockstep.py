"""What playing shoes side by side gains: a chunk by both loops in turn, and by two threads at once.

python -m benchmarks.lockstep              9 turns of each game
python -m benchmarks.lockstep --runs 3     quicker
"""

from __future__ import annotations

import argparse
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from statistics import median
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from benchmarks.timing import on_one_processor

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from upcard.simulation.job import Job

ROUNDS: Final = 1_000_000
"""Rounds of a measurement: short ones, so that the fastest is one with little else running."""
_RULES: Final = "6D S17 DAS LS PEN75"
_I18: Final = "Hi-Lo, 1-8, I18"
_GAMES: Final[dict[str, tuple[str, dict[str, Any]]]] = {
    "flat": (_RULES, {}),
    "Hi-Lo": (_RULES, {"count": "hi-lo"}),
    _I18: (_RULES, {"count": "hi-lo", "indices": "i18"}),
    "flat, CSM": ("6D S17 DAS LS CSM", {}),
}
"""Rules and what the player counts; the bets of a ramp are reckoned from the sums of a run."""
_THREADS: Final = 2


class Gain(NamedTuple):
    """How many rounds a way to play gets done in the time that another takes for one."""

    rate: float
    """Rounds a second, the median of all turns."""
    ratios: tuple[float, ...]
    """By turn: the machine may be busier in another."""
    of_fastest: float
    """The ratio of the fastest turns of each."""

    def __str__(self) -> str:
        least, most = min(self.ratios), max(self.ratios)
        return (
            f"{self.rate / 1e6:6.1f} M rounds a second   {median(self.ratios):.2f} times"
            f" ({least:.2f} to {most:.2f}), fastest turns {self.of_fastest:.2f}"
        )


def measure_lockstep(runs: int) -> dict[str, Gain]:
    """Play each game by both loops in turn, then by one thread and by two, a chunk each.

    Both loops are timed by the processor time of this thread, on one processor; the threads from
    start to end.
    """
    gains = {}
    for name, (rules, options) in _GAMES.items():
        job = _make_job(rules, **options)
        with on_one_processor():
            gains[f"side by side, {name}"] = _compare(
                partial(_play, job, is_long=False),
                partial(_play, job, is_long=True),
                time.thread_time,
                runs,
            )
    flat, counted = (
        _make_job(rules, **options) for rules, options in (_GAMES["flat"], _GAMES[_I18])
    )
    with on_one_processor():
        gains[f"side by side, {_I18} against flat"] = _compare(
            lambda: _play(flat, is_long=True) > 0,  # not the same shoes
            lambda: _play(counted, is_long=True) > 0,
            time.thread_time,
            runs,
        )
    for name in ("flat", _I18):
        rules, options = _GAMES[name]
        job = _make_job(rules, **options)
        with ThreadPoolExecutor(_THREADS) as threads:
            gains[f"side by side, {name}, two threads"] = _compare(
                partial(_play_chunks, job, map),
                partial(_play_chunks, job, threads.map),
                time.perf_counter,
                runs,
                rounds=_THREADS * ROUNDS,
            )
    return gains


def _make_job(rules: str, **options: Any) -> Job:
    import upcard
    from upcard.simulation.job import make_job

    parsed = upcard.Rules.parse(rules)
    return make_job(parsed, upcard.basic_strategy(parsed), seed=1, **options)


def _play(job: Job, chunk: int = 0, *, is_long: bool) -> int:
    from upcard.simulation.kernel_rounds import ROUNDS_TO_COMPILE, play_chunk

    tally = play_chunk(job, chunk, ROUNDS, run_rounds=ROUNDS_TO_COMPILE if is_long else 0)
    return tally.shoes


def _play_chunks(job: Job, play: Callable[..., Any]) -> list[int]:
    return list(play(lambda chunk: _play(job, chunk, is_long=True), range(_THREADS)))


def _compare(
    slower: Callable[[], object],
    faster: Callable[[], object],
    clock: Callable[[], float],
    runs: int,
    rounds: int = ROUNDS,
) -> Gain:
    if slower() != faster():  # compiles, and fills what is computed once only
        msg = "both ways must play the same shoes"
        raise RuntimeError(msg)
    before, after = [], []
    for _ in range(runs):
        before.append(_time(slower, clock))
        after.append(_time(faster, clock))
    return Gain(
        rounds / median(after),
        tuple(one / other for one, other in zip(before, after, strict=True)),
        min(before) / min(after),
    )


def _time(job: Callable[[], object], clock: Callable[[], float]) -> float:
    start = clock()
    job()
    return clock() - start


def print_gains(gains: dict[str, Gain]) -> None:
    """Print a line for each way to play."""
    for name, gain in gains.items():
        print(f"{name:43}{gain}")


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="Measure what playing side by side gains.")
    parser.add_argument("--runs", type=int, default=9, help="turns of each game (9)")
    print_gains(measure_lockstep(parser.parse_args(arguments).runs))


if __name__ == "__main__":
    main()
