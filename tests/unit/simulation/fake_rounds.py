"""A game without cards for the tests of runs: chunks of made-up rounds, fast and reproducible."""

from __future__ import annotations

import os
import signal
import sys
import time
from pathlib import Path

import numpy as np

from upcard.rules.model import Rules
from upcard.simulation.executors import ExecutorKind
from upcard.simulation.job import Job
from upcard.simulation.run import Workers, start_run
from upcard.simulation.run_state import Goal, Run
from upcard.simulation.tally import Tally
from upcard.strategy.chart import Strategy
from upcard.strategy.count_system import load_system

CHUNK = 1000
STANDS = Strategy(cells=(("S",) * 10,) * 33)


def make_fake_job(seed=1, *, counts=False, **changes):
    system = load_system("hi-lo") if counts else None
    job = Job(rules=Rules(), strategy=STANDS, seed=seed, system=system, chunk_rounds=CHUNK)
    return job.replace(**changes)


def make_state(rounds=None, *, until=None, job=None, ramp=None):
    return Run(job or make_fake_job(), Goal(rounds=rounds, until=until), ramp)


def play_fake(job, chunk, rounds):
    rng = np.random.default_rng([job.seed, chunk])
    net = rng.integers(-2, 4, rounds)
    net[rng.random(rounds) < 0.4] = -2
    count = rng.integers(-3, 4, rounds)
    seat = np.ones(rounds, int) if job.enter is None else (count >= job.enter).astype(int)
    table = np.zeros((1, 2, 7, 6), np.int64)
    np.add.at(table, (0, seat, count + 3, net + 2), 1)
    return Tally(
        unit=2,
        least_net=-2,
        least_count=-3,
        spots=job.spots,
        rounds=table,
        added=table.sum(axis=3) // 10,
        shoes=rounds // 40,
        cards=5 * rounds,
    )


def play_slowly(job, chunk, rounds):
    time.sleep(0.01)
    return play_fake(job, chunk, rounds)


def play_and_die_once(job, chunk, rounds):
    """Kill this worker in chunk 3, unless it was done before."""
    marker = Path(os.environ["UPCARD_TEST_MARKER"])
    if chunk == 3 and not marker.exists():
        marker.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return play_fake(job, chunk, rounds)


def play_and_die(job, chunk, rounds):
    os.kill(os.getpid(), signal.SIGKILL)


def play_everything(rounds, *, until=None, job=None, ramp=None):
    """Play a run in the plainest way: chunk after chunk, in this thread."""
    state = make_state(rounds, until=until, job=job, ramp=ramp)
    chunk = 0
    while not state.is_complete:
        size = state.size(chunk)
        state.receive(chunk, play_fake(state.job, chunk, size))
        chunk += 1
    return state


if __name__ == "__main__":
    # A run that a test kills: python fake_rounds.py FILE ROUNDS [threads|processes]
    start_run(
        make_state(int(sys.argv[2])),
        Workers(count=3, executor=(*sys.argv[3:], ExecutorKind.THREADS)[0], play=play_slowly),
        output=sys.argv[1],
    )
