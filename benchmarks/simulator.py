"""What the simulator takes: rounds a second, two threads against one, memory."""

from __future__ import annotations

import sys
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from benchmarks.timing import Figure, measure, run_python

if TYPE_CHECKING:
    from collections.abc import Callable

ROUNDS: Final = 8_000_000
_RULES: Final = "6D S17 DAS LS PEN75"
_COUNTED: Final[dict[str, Any]] = {"count": "hi-lo", "ramp": "1-8", "indices": "i18"}
_GAMES: Final[dict[str, dict[str, Any]]] = {
    "flat": {},
    "Hi-Lo, 1-8, I18": _COUNTED,
    "Hi-Lo, 1-8, I18, two threads": {**_COUNTED, "workers": 2},
    "three spots": {"spots": 3},
    "flat, with 21+3": {"rules": _RULES + " +21+3(9)"},
}
_PEAK: Final = """
import resource, sys
from upcard.cli.app import run
run(["simulate", "--rounds", sys.argv[1], "--seed", "1", "--count", "hi-lo", "--json"])
print()
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


def measure_simulator(runs: int) -> dict[str, Figure]:
    """Time a round of each game in this process, after a first call that may compile."""
    import upcard

    rules = upcard.Rules.parse(_RULES)
    chart = upcard.basic_strategy(rules)
    figures = {}
    for name, options in _GAMES.items():
        settings = {"rules": rules, "workers": 1, **options}
        job: Callable[[], object] = partial(
            upcard.simulate, strategy=chart, rounds=ROUNDS, seed=1, **settings
        )
        whole = measure(job, runs=runs)
        figures[name] = Figure(whole.seconds / ROUNDS, whole.yardsticks / ROUNDS)
    return figures


def measure_simulation_memory(rounds: int) -> float | None:
    """Return the most memory, in MB, that a counted run of so many rounds holds."""
    if sys.platform == "win32":
        return None
    most = int(run_python(_PEAK, [str(rounds)]).split()[-1])
    return most / (1e6 if sys.platform == "darwin" else 1e6 / 1024)
