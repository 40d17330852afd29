"""Measure simulations on a CUDA device: its own rate, and that of a whole run.

python -m benchmarks.cuda                   20 G rounds flat, and with a count
python -m benchmarks.cuda --rounds 1000     1,000 M rounds
python -m benchmarks.cuda --json            for a program
"""

from __future__ import annotations

import argparse
import json
import statistics
from typing import Any, Final, NamedTuple

from benchmarks.timing import time_once

_RULES: Final = "6D S17 DAS LS PEN75"
GAMES: Final[dict[str, dict[str, Any]]] = {
    "flat": {},
    "Hi-Lo, 1-8, I18": {"count": "hi-lo", "ramp": "1-8", "indices": "i18"},
}


class Rate(NamedTuple):
    """Rounds a second: while the device plays, and of the whole run with adding up."""

    device: float
    run: float


def find_reason() -> str | None:
    """Return why nothing can be measured on this machine; None if it can."""
    from upcard.simulation.executors import require_cuda
    from upcard.simulation.job import RunError

    try:
        require_cuda()
    except RunError as error:
        return str(error)
    from numba import cuda

    return "numba's simulator is not a device" if cuda.config.ENABLE_CUDASIM else None


def measure_device(runs: int, *, million_rounds: int) -> dict[str, Rate]:
    """Time each game after a first call that compiles; return the medians."""
    import upcard
    from upcard.simulation.cuda_chunks import CudaRounds
    from upcard.simulation.job import make_job

    rules = upcard.Rules.parse(_RULES)
    chart = upcard.basic_strategy(rules)
    rates = {}
    for name, options in GAMES.items():
        settings = {key: value for key, value in options.items() if key != "ramp"}
        job = make_job(rules, chart, seed=1, **settings)
        device = CudaRounds(job)
        batch = [(chunk, job.chunk_rounds) for chunk in range(device.plan.chunks)]
        device.play(batch)
        played = [time_once(lambda: device.play(batch)) for _ in range(runs)]  # noqa: B023
        rounds = million_rounds * 1_000_000
        whole = [
            time_once(
                lambda: upcard.simulate(
                    rules,
                    chart,
                    rounds=rounds,  # noqa: B023
                    seed=1,
                    device="cuda",
                    **options,  # noqa: B023
                )
            )
            for _ in range(runs)
        ]
        rates[name] = Rate(
            len(batch) * job.chunk_rounds / statistics.median(played),
            rounds / statistics.median(whole),
        )
    return rates


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="Measure simulations on a CUDA device.")
    parser.add_argument("--runs", type=int, default=5, help="runs of each; their median counts (5)")
    parser.add_argument("--rounds", type=int, default=20_000, metavar="M", help="millions (20000)")
    parser.add_argument("--json", action="store_true", help="write one JSON object")
    options = parser.parse_args()
    if min(options.runs, options.rounds) < 1:
        parser.error("--runs and --rounds start at 1")
    reason = find_reason()
    if reason is not None:
        print(json.dumps({"not measured": reason}) if options.json else f"not measured: {reason}")
        return
    from numba import cuda

    name = cuda.get_current_device().name
    rates = measure_device(options.runs, million_rounds=options.rounds)
    if options.json:
        games = {game: rate._asdict() for game, rate in rates.items()}
        print(json.dumps({"device": str(name), "rounds a second": games}, indent=2))
        return
    print(f"{name}, median of {options.runs}")
    for game, rate in rates.items():
        print(f"{game:20}{rate.device:20,.0f} rounds a second on the device")
        print(f"{game:20}{rate.run:20,.0f} of the whole run of {options.rounds:,} M rounds")


if __name__ == "__main__":
    main()
