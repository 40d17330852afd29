"""Measure what docs/performance.md states.

python -m benchmarks             all figures, the median of 5 runs
python -m benchmarks --runs 3    quicker
python -m benchmarks --memory    instead, the user's memory with 1,000,000 rounds in it
python -m benchmarks --json      for a program
"""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING, Final

from benchmarks.coach import measure_medians
from benchmarks.cuda import find_reason, measure_device
from benchmarks.environments import (
    FIRST_STEP,
    compare_environments,
    compare_rewards,
    measure_environments,
)
from benchmarks.jobs import (
    COMMAND,
    measure_command,
    measure_compiling,
    measure_import,
    measure_interpreter,
    measure_table,
)
from benchmarks.lockstep import measure_lockstep, print_gains
from benchmarks.memory import ROUNDS, measure_memory
from benchmarks.screen import measure_screen
from benchmarks.simulator import (
    measure_simulation_memory,
    measure_simulator,
)
from benchmarks.solver import (
    measure_peak_memory,
    measure_saved,
    measure_solver,
)
from benchmarks.timing import describe_machine, measure, run_yardstick
from benchmarks.values import measure_values
from benchmarks.web import measure_crowd, measure_web, measure_weights, write_crowd

if TYPE_CHECKING:
    from collections.abc import Iterator

    from benchmarks.timing import Figure

_ROUNDS: Final = 4_000
_FIRST_CALLS: Final = 3
_COMMANDS: Final = (
    ("--help",),
    ("policy", "4/13"),
    ("solve", "T6", "v", "9"),
    ("edge",),
    ("chart",),
)
_SIMULATE: Final = ["simulate", "--rounds", "1000", "--seed", "1"]
_DEFAULT_GAME: Final = "6D S17 PEEK DOA DAS SP4 NRSA NS 3:2"


def collect(runs: int) -> Iterator[dict[str, Figure]]:
    """Measure everything; yield figures by what they are for, some at a time."""
    yield {
        "yardstick": measure(run_yardstick, runs=runs),
        "python, doing nothing": measure_interpreter(runs),
    }
    imported, has_numbers = measure_import(runs)
    yield {f"import upcard ({'with' if has_numbers else 'without'} numpy or numba)": imported}
    for words in _COMMANDS:
        yield {f"upcard {' '.join(words)}": measure_command(*words, runs=runs)}
    yield measure_saved(runs)
    compiled = measure_compiling(COMMAND, ["edge"], runs=min(runs, _FIRST_CALLS))
    yield {"upcard edge, compiling first": compiled}
    yield {f"exact: {name}": figure for name, figure in measure_solver(runs).items()}
    yield {"a round at the table, chart player": measure_table(_DEFAULT_GAME, _ROUNDS, runs)}
    yield {"upcard simulate, compiling first": measure_compiling(COMMAND, _SIMULATE)}
    rounds = measure_simulator(runs)
    yield {f"a simulated round, {name}": figure for name, figure in rounds.items()}
    yield {f"13 fields: {name}": figure for name, figure in measure_values(runs).items()}
    yield {"many tables, compiling first": measure_compiling(FIRST_STEP)}
    yield measure_environments(runs)
    yield dict(measure_medians())
    yield measure_screen(runs)
    yield measure_web(runs)


def collect_memory() -> dict[str, float]:
    """Measure memory, in MB; nothing where the system does not tell."""
    peaks = {
        "upcard edge, most memory": measure_peak_memory(compiles=False),
        "upcard edge, compiling first, most memory": measure_peak_memory(compiles=True),
        "upcard simulate, 1 M rounds, most memory": measure_simulation_memory(1_000_000),
        "upcard simulate, 50 M rounds, most memory": measure_simulation_memory(50_000_000),
    }
    return {name: peak for name, peak in peaks.items() if peak is not None}


def write_rate(name: str, figure: Figure) -> str:
    """Write how many go into a second, where that is asked for."""
    if name.startswith(("a round", "a simulated round", "a step")):
        return f"  {1 / figure.seconds:,.0f} a second"
    if name.endswith("shoes"):
        return f"  {1 / figure.seconds:,.1f} a second"
    return ""


def write_device(runs: int) -> str:
    """Measure a CUDA device and write its rates, or why they are not measured."""
    reason = find_reason()
    if reason is not None:
        return f"not measured: {reason}"
    rates = measure_device(runs, million_rounds=1000)
    return ", ".join(f"{name} {rate.device:,.0f} a second" for name, rate in rates.items())


def write_seconds(seconds: float) -> str:
    """Write a duration in a unit that suits it."""
    if seconds >= 1:
        return f"{seconds:.2f} s"
    if seconds >= 1e-3:
        return f"{seconds * 1e3:.1f} ms"
    if seconds >= 1e-6:
        return f"{seconds * 1e6:.2f} µs"
    return f"{seconds * 1e9:.1f} ns"


def print_memory(runs: int, rounds: int, *, as_json: bool) -> None:
    """Measure commands with a long history, and print what they take."""
    costs = measure_memory(runs, rounds=rounds)
    if as_json:
        print(json.dumps({name: cost.to_json() for name, cost in costs.items()}, indent=2))
        return
    print(f"{describe_machine()}, median of {runs},")
    print(f"with a history of {rounds:,} rounds")
    for name, cost in costs.items():
        seconds, yardsticks = cost.figure
        print(f"{name:45}{write_seconds(seconds):>11}{yardsticks:14.3g}{cost.megabytes:8.0f} MB")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="Measure what docs/performance.md states.")
    parser.add_argument("--runs", type=int, default=5, help="runs of each; their median counts (5)")
    parser.add_argument("--json", action="store_true", help="write one JSON object")
    parser.add_argument("--memory", action="store_true", help="commands with a long history")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="of that history (1,000,000)")
    options = parser.parse_args()
    if options.runs < 1:
        parser.error("--runs starts at 1")
    if options.memory:
        print_memory(options.runs, options.rounds, as_json=options.json)
        return
    report = not options.json
    if report:
        print(f"{describe_machine()}, median of {options.runs}", flush=True)
    # First, while this process is small: Linux counts what it holds as its children's.
    memory = collect_memory()
    for name, peak in memory.items() if report else ():
        print(f"{name:45}{peak:8.0f} MB", flush=True)
    # Before whole runs, which then play side by side too.
    gains = measure_lockstep(options.runs)
    if report:
        print_gains(gains)
    figures: dict[str, Figure] = {}
    for some in collect(options.runs):
        figures |= some
        for name, figure in some.items() if report else ():
            took = f"{write_seconds(figure.seconds):>11}{figure.yardsticks:14.3g}"
            print(f"{name:45}{took}{write_rate(name, figure)}", flush=True)
    weights, crowd, ratios = measure_weights(), measure_crowd(), compare_environments(figures)
    costs = compare_rewards(figures)
    if options.json:
        document: dict[str, object] = {name: figure._asdict() for name, figure in figures.items()}
        document |= {name: {"megabytes": peak} for name, peak in memory.items()}
        document |= {name: {"kilobytes": weight} for name, weight in weights.items()}
        document |= {f"{name}, against theirs": {"times": ratios[name]} for name in ratios}
        document |= {f"{name}, against net rewards": {"times": costs[name]} for name in costs}
        document |= {name: gain._asdict() for name, gain in gains.items()}
        document["web: many saved tables"] = crowd
        print(json.dumps(document, indent=2))
        return
    for name, weight in weights.items():
        print(f"{name:45}{weight:8.1f} kB")
    for name, ratio in ratios.items():
        print(f"{name}: {ratio:,.1f} times as fast as Gymnasium's own")
    for name, ratio in costs.items():
        print(f"{name}: {ratio:.2f} times as fast as with net rewards")
    print(f"web: many saved tables: {write_crowd(crowd)}")
    print(f"a simulated round on a CUDA device: {write_device(options.runs)}")
    print("The last column is in yardsticks: compare that one between machines.")


if __name__ == "__main__":
    main()
