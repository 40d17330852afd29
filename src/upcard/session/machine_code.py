"""Machine code that is compiled ahead by a process of low priority, so that commands need not wait.

What the next commands need is the exact solver, the simulator and the walk of a bank. Numba caches
their machine code on disk, for this machine and these sources.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from fractions import Fraction
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Final

from upcard.cache import recall
from upcard.core.errors import BlackjackError
from upcard.core.shared_files import write_whole
from upcard.rules.model import Rules

if TYPE_CHECKING:
    from subprocess import Popen

NOTICE: Final = "Getting the solver and simulator ready in the background: about a minute."
_LOWEST: Final = 19
"""Niceness of the process: it takes the time that no other process wants."""
_WINDOWS_FLAGS: Final = ("CREATE_NO_WINDOW", "IDLE_PRIORITY_CLASS")
_started: list[Popen[bytes]] = []


def compile_soon() -> str:
    """Start to compile in the background what this machine lacks; return the sentence about it.

    It is empty if nothing is lacking, and where UPCARD_CACHE is off. A second process that compiles
    ends at once. Front-ends ask for it where a person looks at a terminal.
    """
    if recall.is_off() or not sys.executable or _started or _is_done():
        return ""
    import subprocess
    from subprocess import DEVNULL, Popen

    # On Windows a console of its own, where no Ctrl-C of the game's arrives; names of Windows only.
    flags = sum(getattr(subprocess, name, 0) for name in _WINDOWS_FLAGS)
    command = [sys.executable, "-P", "-m", "upcard", "cache", "--compile"]
    try:
        process = Popen(  # noqa: S603 (this program)
            command,
            stdin=DEVNULL,
            stdout=DEVNULL,
            stderr=DEVNULL,
            start_new_session=True,
            creationflags=flags,
        )
        if hasattr(os, "setpriority"):
            os.setpriority(os.PRIO_PROCESS, process.pid, _LOWEST)
    except OSError:
        return ""
    _started.append(process)
    return NOTICE


def is_compiling() -> bool:
    """Whether the process that `compile_soon` started still works."""
    return any(process.poll() is None for process in _started)


def compile_now(tell: Callable[[str], object]) -> bool:
    """Compile what this machine lacks; `tell` is called with the name of each part.

    Returns False if another process does it already.
    """
    from filelock import FileLock, Timeout

    mark = _mark()
    try:
        mark.parent.mkdir(parents=True, exist_ok=True)
        with FileLock(f"{mark}.lock", blocking=False):
            for name, use in _list_parts():
                tell(name)
                use()
            write_whole(mark, ["\n".join(_list_code()).encode()])
    except Timeout:
        return False
    return True


def _mark() -> Path:
    """Return the file that says what was compiled, for these sources, this Python and place."""
    from importlib.metadata import version

    from upcard.kernels import SOURCES, stamp_sources

    parts = (
        stamp_sources(SOURCES),
        sys.version,
        version("numba"),
        str(Path(__file__).resolve()),
        os.environ.get("NUMBA_CACHE_DIR", ""),
    )
    name = sha256("\n".join(parts).encode()).hexdigest()[:16]
    return recall.cache_folder() / f"compiled-{name}"


def _is_done() -> bool:
    """Whether all was compiled, and is there still."""
    with suppress(OSError, BlackjackError):
        written = _mark().read_text(encoding="utf-8").split("\n")
        return all(map(os.path.exists, written))
    return False


def _list_code() -> Iterator[str]:
    """Iterate over files with machine code, one of each part."""
    from upcard.exact.kernels.player_values import evaluate_hands, fill_reach
    from upcard.kernels.jit import find_code
    from upcard.simulation.kernels import bank_walk, simulator
    from upcard.simulation.kernels.lockstep.whole_shoes import play_shoes

    kernels = (evaluate_hands, fill_reach, simulator.simulate, play_shoes, bank_walk.walk)
    places = (find_code(kernel) for kernel in kernels)
    yield from (place for place in places if place is not None)


def _list_parts() -> Iterator[tuple[str, Callable[[], object]]]:
    """Iterate over the parts by name, each with a small piece of its work."""
    from upcard.exact.solve import basic_strategy, solve_game
    from upcard.simulation.bank_paths import BankPlan, play_paths
    from upcard.simulation.job import make_job
    from upcard.simulation.kernel_rounds import RoundSums, play_chunk, play_whole_shoes
    from upcard.simulation.lower import lower

    rules = Rules.parse("2D")
    flat, counted = make_job(rules, seed=1), make_job(rules, seed=1, count="hi-lo")
    bank = BankPlan(job=flat, ramp=None, bankroll=Fraction(1000), rounds=100, paths=100)
    yield "the exact solver", partial(solve_game, rules)
    yield "the solver's charts", partial(basic_strategy, rules)
    yield "the simulator", partial(play_chunk, flat, 0, 100)
    yield "the simulator with a count", partial(play_chunk, counted, 0, 100)
    yield "the walk of a bank", partial(play_paths, bank, workers=1)
    for job, name in ((flat, "long simulations"), (counted, "long simulations with a count")):
        yield name, partial(play_whole_shoes, job, 0, 10_000, RoundSums.zeros(lower(job)))
