"""What is measured."""

from __future__ import annotations

import os
import random
import statistics
import tempfile
from functools import partial
from typing import TYPE_CHECKING, Final
from unittest import mock

from benchmarks.timing import Figure, measure, run_python, run_yardstick, time_once

if TYPE_CHECKING:
    from collections.abc import Sequence

COMMAND: Final = "from upcard.cli import main; main()"
_IMPORT: Final = """
import sys, time
start = time.perf_counter()
import upcard
print(time.perf_counter() - start, int(bool({"numpy", "numba"} & set(sys.modules))))
"""


def measure_import(runs: int) -> tuple[Figure, bool]:
    """Time `import upcard` in fresh interpreters; tell whether it brings a number library along."""
    taken, heavy, yardsticks = [], False, []
    run_python(_IMPORT)  # writes the compiled files
    for _ in range(runs):
        yardsticks.append(time_once(run_yardstick))
        seconds, has_numbers = run_python(_IMPORT).split()
        taken.append(float(seconds))
        heavy = heavy or has_numbers == "1"
    median = statistics.median(taken)
    return Figure(median, median / statistics.median(yardsticks)), heavy


def measure_command(*arguments: str, runs: int) -> Figure:
    """Time a whole `upcard` command, start of the interpreter included."""
    return measure(lambda: run_python(COMMAND, arguments), runs=runs)


def measure_compiling(code: str, arguments: Sequence[str] = (), *, runs: int = 1) -> Figure:
    """Time code in an interpreter that finds no machine code, so that all it needs is compiled."""
    taken, yardsticks = [], []
    for _ in range(runs):
        yardsticks.append(time_once(run_yardstick))
        with (
            tempfile.TemporaryDirectory() as folder,
            mock.patch.dict(os.environ, {"NUMBA_CACHE_DIR": folder}),
        ):
            taken.append(time_once(partial(run_python, code, arguments)))
    median = statistics.median(taken)
    return Figure(median, median / statistics.median(yardsticks))


def measure_interpreter(runs: int) -> Figure:
    """Time an interpreter that does nothing: no command can be faster."""
    return measure(lambda: run_python("pass"), runs=runs)


def measure_table(rules_text: str, rounds: int, runs: int) -> Figure:
    """Time rounds at the table with a chart player, bets flat; the figure is for one round."""
    import upcard
    from upcard.players.betting_systems import make_betting
    from upcard.players.play_rounds import play_rounds
    from upcard.simulation.registry import make_player
    from upcard.table import Table, make_shoe

    rules = upcard.Rules.parse(rules_text)
    player = make_player("basic", rules)

    def play() -> None:
        table = Table(rules, make_shoe(rules, random.Random(1)))
        for _ in play_rounds(table, player, betting=make_betting("flat"), rounds=rounds):
            pass

    total = measure(play, runs=runs)
    return Figure(total.seconds / rounds, total.yardsticks / rounds)
