"""Other programs, as their own authors built them: what each is asked, and its processor time.

Nothing of theirs is here: a program is asked through its own input and read by its own output.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import math
import subprocess
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Final, NamedTuple, Protocol, cast

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_MOST_SECONDS: Final = 600
_BJNB_END: Final = "\ndef monte_carlo_house_edge_cpu("
_BJNB: Final = """
import contextlib, importlib.util, json, os, sys, time
from importlib.machinery import SourceFileLoader
path, end = sys.argv[1:]
with open(path, encoding="utf-8") as file:
    source = file.read().partition(end)[0]
sys.path.insert(0, os.path.dirname(os.path.abspath(path)))
spec = importlib.util.spec_from_loader("bjnb", SourceFileLoader("bjnb", path))
module = sys.modules["bjnb"] = importlib.util.module_from_spec(spec)
with contextlib.redirect_stdout(sys.stderr):
    exec(compile(source, path, "exec"), module.__dict__)
rules = module.Rules(num_decks=6, hit_soft17=False, late_surrender=True, cut_card=234)
create = module.default_shoes_creator(rules)
for line in sys.stdin:
    hands, first = map(int, line.split())
    start = time.process_time()
    with contextlib.redirect_stdout(sys.stderr):
        ev, played, deviation = module.run_simulations(
            rules, module.Strategy(), hands, create, False, True, start_shoe_index=first
        )
    taken = time.process_time() - start
    print(json.dumps([float(ev), int(played), float(deviation), taken]), flush=True)
"""
"""Runs the part of the notebook before `monte_carlo_house_edge_cpu`: what follows downloads."""
_BJNB_SHOES: Final = 1_000_000
"""Shoes between the first ones of two turns: more than a turn plays."""


class ProgramError(Exception):
    """A program cannot be run, or its output is not the expected one."""


class Sample(NamedTuple):
    """Rounds that were played, and what they took."""

    ev: float
    deviation: float
    """The standard deviation of a round."""
    rounds: int
    seconds: float
    """Of processor time."""

    @property
    def rate(self) -> float:
        """Rounds a second of processor time."""
        return self.rounds / self.seconds


class Simulator(Protocol):
    """A program that plays 6D S17 DAS LS PEN75 with flat bets, each turn other shoes."""

    def __call__(self, rounds: int, turn: int) -> Sample: ...


def measure_child(command: Sequence[str], text: str, folder: str) -> tuple[str, float]:
    """Run a program to its end; return its output and its processor time, start included.

    Raises: ProgramError with the last line of its errors if it fails.
    """
    import resource

    def count_seconds() -> float:
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        return usage.ru_utime + usage.ru_stime

    before = count_seconds()
    try:
        done = subprocess.run(
            command,
            input=text,
            cwd=folder,
            capture_output=True,
            text=True,
            timeout=_MOST_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise ProgramError(f"{command[0]} cannot be run: {error}") from None
    if done.returncode:
        raise ProgramError(f"{command[0]} failed: {_last_line(done.stderr)}")
    return done.stdout, count_seconds() - before


def _last_line(text: str) -> str:
    return (text.strip().splitlines() or ["it printed no error"])[-1]


def ask_farmer(path: Path, shoes: Sequence[Sequence[int]]) -> tuple[list[float], float]:
    """Return the EVs of S17 DAS, CDZ-, and the processor time of his classes alone.

    `shoes` are the cards by rank, from aces to tens. Raises: ProgramError.
    """
    lines = "".join(" ".join(map(str, cards)) + "\n" for cards in shoes)
    with tempfile.TemporaryDirectory() as folder:
        output, _ = measure_child([str(path)], lines, folder)
    try:
        evs, seconds = zip(*(map(float, line.split()) for line in output.splitlines()), strict=True)
    except ValueError:
        evs, seconds = (), ()
    if len(evs) != len(shoes):
        raise ProgramError(f"{path} wrote no EV and seconds a shoe: was it built as --help says?")
    return list(evs), sum(seconds)


def play_freebj(path: Path) -> Simulator:
    """Return FreeBJ as a simulator; its start, some milliseconds, is included."""

    def play(rounds: int, turn: int) -> Sample:  # noqa: ARG001 (its shoes differ in every run)
        options = "-j 1 -d 6 -p 234 --ahc --s17 --das --db-any2 --lsurr --max-splits 4"
        command = [str(path), "-n", str(rounds), *options.split()]
        with tempfile.TemporaryDirectory() as folder:
            output, seconds = measure_child(command, "", folder)
        try:
            result = json.loads(output)
            return Sample(result["ev"], result["stddev"], result["rounds"], seconds)
        except (ValueError, KeyError, TypeError):
            raise ProgramError(f"{path} printed no JSON with ev, stddev and rounds") from None

    return play


@contextmanager
def open_bjnb(path: Path, python: str) -> Iterator[Simulator]:
    """Open the simulator of H. Hoppe's notebook, loaded and compiled: its start does not count.

    Raises: ProgramError.
    """
    with tempfile.TemporaryFile("w+") as errors, contextlib.ExitStack() as stack:
        try:
            process = subprocess.Popen(
                [python, "-c", _BJNB, str(path), _BJNB_END],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
            )
        except OSError as error:
            raise ProgramError(f"{python} cannot be run: {error}") from None
        stack.enter_context(process)
        stack.callback(process.kill)
        questions, answers = cast("IO[str]", process.stdin), cast("IO[str]", process.stdout)

        def play(rounds: int, turn: int) -> Sample:
            with contextlib.suppress(BrokenPipeError):  # its last error says why
                questions.write(f"{rounds} {turn * _BJNB_SHOES}\n")
                questions.flush()
            line = answers.readline()
            if not line:
                process.wait()
                errors.seek(0)
                raise ProgramError(f"{path} failed: {_last_line(errors.read())}")
            ev, played, deviation, seconds = json.loads(line)
            return Sample(ev, deviation, played, seconds)

        play(100_000, 0)  # compiles
        yield play


def count_errors(ours: Sequence[Sample], theirs: Sequence[Sample]) -> float:
    """Return how many standard errors the EVs of two programs are apart."""
    (ev, error), (other, other_error) = _pool(ours), _pool(theirs)
    return (other - ev) / math.hypot(error, other_error)


def _pool(samples: Sequence[Sample]) -> tuple[float, float]:
    rounds = sum(one.rounds for one in samples)
    ev = math.fsum(one.ev * one.rounds for one in samples) / rounds
    squares = math.fsum(one.deviation**2 * one.rounds for one in samples) / rounds
    return ev, math.sqrt(squares / rounds)


def fingerprint(path: Path) -> str:
    """Return the first digits of a file's SHA-256: what was run, as programs tell no commit."""
    return hashlib.sha256(path.read_bytes()).hexdigest()[:12]
