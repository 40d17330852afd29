"""Compare upcard with other programs, each in turn with it, by processor time.

This builds and downloads nothing: give the programs that you have built; the others are skipped.

--farmer   E. Farmer's analyzer (C++, GPL): github.com/possibly-wrong/blackjack, cloned to FOLDER.
           g++ -O3 -march=native -I FOLDER/src -o farmer_values \\
             benchmarks/farmer_values.cpp FOLDER/src/blackjack.cpp
--freebj   FreeBJ (Rust, MIT): github.com/kevin-lesenechal/freebj.
           RUSTFLAGS="-C target-cpu=native" cargo build --release
--bjnb     blackjack.py of H. Hoppe's notebook (Numba): github.com/hhoppe/blackjack.
           pip install numba hhoppe-tools matplotlib more-itertools tqdm ipython, in any
           environment; name its interpreter with --bjnb-python. The file is run up to
           its simulator on the processor, as its later parts download.

Whole games are those of 1, 2, 6 and 8 decks and of four shoes with 52 to 234 cards gone, S17, DAS,
splits to four hands, best play by CDZ-. upcard knows nothing of the shoe when it begins, and is
loaded; the other program's time is that of its classes alone.
Simulators play 6D S17 DAS LS PEN75, one spot, flat bets, on one thread; upcard plays the same
chunks by both of its loops. Their own basic strategy decides.
"""

from __future__ import annotations

import argparse
import contextlib
import itertools
import random
import sys
import time
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Final, NamedTuple

from benchmarks.other_programs import (
    ProgramError,
    Sample,
    ask_farmer,
    count_errors,
    fingerprint,
    open_bjnb,
    play_freebj,
)
from benchmarks.solver import deplete
from benchmarks.timing import describe_machine

if TYPE_CHECKING:
    from collections.abc import Sequence

    from benchmarks.other_programs import Simulator
    from upcard.simulation.job import Job

PROGRAMS: Final = {
    "farmer": "E. Farmer's analyzer",
    "freebj": "FreeBJ",
    "bjnb": "H. Hoppe's notebook",
}
_TOLERANCE: Final = 1e-12
_MOST_ERRORS: Final = 4
_CHUNK: Final = 1_000_000
_SHOES: Final = 4
LOOPS: Final = {"shoe by shoe": False, "shoes side by side": True}
"""Our loops, and whether a run counts as long."""


class Row(NamedTuple):
    """A comparison: its ratios by turn, above 1 where upcard is the faster one."""

    program: str
    task: str
    theirs: str
    ours: str
    ratios: tuple[float, ...]
    agreement: str
    agrees: bool


def compare_games(path: Path, turns: int) -> list[Row]:
    """Value whole games by Farmer's program and by upcard in turn."""
    rng = random.Random(1)
    games = {f"{decks} deck{'s' * (decks > 1)}": [_list_cards(decks)] for decks in (1, 2, 6, 8)}
    games[f"{_SHOES} depleted shoes"] = [deplete(rng) for _ in range(_SHOES)]
    return [_compare_game(path, name, shoes, turns) for name, shoes in games.items()]


def _list_cards(decks: int) -> list[int]:
    return [4 * decks] * 9 + [16 * decks]


def _compare_game(path: Path, name: str, shoes: Sequence[Sequence[int]], turns: int) -> Row:
    _value_shoes(shoes)  # compiles
    theirs, ours, apart = [], [], 0.0
    for _ in range(turns):
        evs, seconds = ask_farmer(path, shoes)
        theirs.append(seconds)
        start = time.process_time()
        values = _value_shoes(shoes)
        ours.append(time.process_time() - start)
        gaps = (abs(ev - value) for ev, value in zip(evs, values, strict=True))
        apart = max(apart, *gaps)
    return Row(
        PROGRAMS["farmer"],
        name,
        f"{median(theirs) * 1e3:.0f} ms",
        f"{median(ours) * 1e3:.0f} ms",
        tuple(one / other for one, other in zip(theirs, ours, strict=True)),
        f"at most {apart:.0e}",
        apart <= _TOLERANCE,
    )


def _value_shoes(shoes: Sequence[Sequence[int]]) -> list[float]:
    import upcard
    from upcard.exact.finite_shoe import dealer_totals

    rules = upcard.Rules.parse("6D S17 DAS NOINS")  # the other program has no insurance
    values = []
    for cards in shoes:
        dealer_totals.cache_clear()
        values.append(upcard.solve_game(rules, shoe=cards).ev)
    return values


def compare_simulators(
    simulators: dict[str, Simulator], turns: int, rounds: int, job: Job
) -> list[Row]:
    """Play the same game by every simulator and by both of our loops in turn."""
    theirs: dict[str, list[Sample]] = {name: [] for name in simulators}
    ours: dict[str, list[Sample]] = {loop: [] for loop in LOOPS}
    for turn in range(turns + 1):
        samples = {loop: _play_ours(job, turn, rounds, is_long=LOOPS[loop]) for loop in LOOPS}
        if turn == 0:
            continue  # compiled now
        for loop in LOOPS:
            ours[loop].append(samples[loop])
        for name, play in simulators.items():
            theirs[name].append(play(rounds, turn))
    rows = []
    for name, loop in itertools.product(simulators, LOOPS):
        errors = count_errors(ours[loop], theirs[name])
        rows.append(
            Row(
                PROGRAMS[name],
                f"rounds, upcard {loop}",
                f"{median(one.rate for one in theirs[name]) / 1e6:.2f} M a second",
                f"{median(one.rate for one in ours[loop]) / 1e6:.2f} M a second",
                tuple(
                    mine.rate / other.rate
                    for mine, other in zip(ours[loop], theirs[name], strict=True)
                ),
                f"{errors:+.1f} standard errors",
                abs(errors) <= _MOST_ERRORS,
            )
        )
    return rows


def make_flat_job() -> Job:
    """Return the game that all simulators play."""
    import upcard
    from upcard.simulation.job import make_job

    rules = upcard.Rules.parse("6D S17 DAS LS PEN75")
    return make_job(rules, upcard.basic_strategy(rules), seed=1)


def _play_ours(job: Job, turn: int, rounds: int, *, is_long: bool) -> Sample:
    from upcard.simulation.kernel_rounds import ROUNDS_TO_COMPILE, play_chunk
    from upcard.simulation.tally import estimate_flat

    chunks = -(-rounds // _CHUNK)
    run_rounds = ROUNDS_TO_COMPILE if is_long else 0
    start = time.process_time()
    first, *others = (
        play_chunk(job, chunk, min(rounds, _CHUNK), run_rounds=run_rounds)
        for chunk in range(turn * chunks, (turn + 1) * chunks)
    )
    taken = time.process_time() - start
    estimate = estimate_flat(sum(others, start=first))
    return Sample(estimate.ev, estimate.standard_deviation, estimate.rounds, taken)


def write_table(rows: Sequence[Row]) -> str:
    """Write the rows as a Markdown table."""
    lines = [
        "| program | task | theirs | upcard | ratio | over the turns | difference |",
        "|---|---|---|---|---|---|---|",
    ]
    for row in rows:
        least, most = min(row.ratios), max(row.ratios)
        fields = (
            *(row.program, row.task, row.theirs, row.ours),
            f"{median(row.ratios):.2f}",
            f"{least:.2f} to {most:.2f}",
            row.agreement if row.agrees else f"**DIFFER**: {row.agreement}",
        )
        lines.append(f"| {' | '.join(fields)} |")
    return "\n".join(lines)


def describe_run(paths: dict[str, Path], turns: int, rounds: int) -> str:
    """Describe when, where and on what a run was made."""
    from importlib.metadata import version

    from upcard import __version__

    programs = ", ".join(f"{PROGRAMS[name]} {fingerprint(path)}" for name, path in paths.items())
    return (
        f"{describe_machine()}, {turns} turns, {rounds:,} rounds a turn;"
        f" upcard {__version__}, Numba {version('numba')};"
        f" SHA-256 of the others: {programs}"
    )


def _read_path(text: str) -> Path:
    path = Path(text)
    if not path.is_file():
        raise argparse.ArgumentTypeError(f"{text} is not a file: give the path of the program")
    return path.resolve()


def _read_count(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text} is not a whole number from 1")
    return int(text)


def main(arguments: Sequence[str] | None = None) -> int:
    """Compare and print; return 1 if values differ."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.others",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    for name, title in PROGRAMS.items():
        parser.add_argument(f"--{name}", type=_read_path, metavar="PATH", help=title)
    parser.add_argument("--bjnb-python", default=sys.executable, metavar="PATH", help="this one")
    parser.add_argument("--turns", type=_read_count, default=7, help="of each comparison (7)")
    parser.add_argument(
        "--rounds", type=_read_count, default=4 * _CHUNK, help="of a simulator's turn (4,000,000)"
    )
    options = parser.parse_args(arguments)
    found = {name: getattr(options, name) for name in PROGRAMS}
    paths = {name: path for name, path in found.items() if path is not None}
    if not paths:
        return _refuse("no program to compare with: give --farmer, --freebj or --bjnb")
    for name in (name for name in PROGRAMS if name not in paths):
        print(f"skipped: {PROGRAMS[name]}, as there is no --{name}")
    rows: list[Row] = []
    try:
        with contextlib.ExitStack() as stack:
            if "farmer" in paths:
                rows += compare_games(paths["farmer"], options.turns)
            simulators = open_simulators(paths, options.bjnb_python, stack)
            if simulators:
                rows += compare_simulators(
                    simulators, options.turns, options.rounds, make_flat_job()
                )
    except ProgramError as error:
        return _refuse(str(error))
    print(describe_run(paths, options.turns, options.rounds), write_table(rows), sep="\n\n")
    return 0 if all(row.agrees for row in rows) else 1


def open_simulators(
    paths: dict[str, Path], python: str, stack: contextlib.ExitStack
) -> dict[str, Simulator]:
    """Return the simulators among the programs by their names. Raises: ProgramError."""
    simulators = {}
    if "freebj" in paths:
        simulators["freebj"] = play_freebj(paths["freebj"])
    if "bjnb" in paths:
        simulators["bjnb"] = stack.enter_context(open_bjnb(paths["bjnb"], python))
    return simulators


def _refuse(reason: str) -> int:
    print(f"python -m benchmarks.others: {reason}", file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main())
