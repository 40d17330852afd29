"""`simulate` and `resume`: play many rounds and return a `Run` with the results.

The integers of a run follow from its job and its goal. Workers, interruptions and the kind of
executor change only how long it takes.
"""

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, wait
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from functools import partial
from itertools import chain
from pathlib import Path
from threading import Event
from typing import Any, Final

from upcard.core import errors, long_work
from upcard.core.number_texts import read_error, read_rounds
from upcard.rules.house import reads_rules
from upcard.rules.model import Rules
from upcard.simulation import executors, registry, run_state, tally
from upcard.simulation.job import Engine, Job, RunError, make_job, read_ramp
from upcard.simulation.run_state import Goal, Keeper, Run, RunProgress, check_same_run, find_place
from upcard.strategy import chart, count_system, deviations
from upcard.strategy.ramp import BetRamp

MOST_LOSSES: Final = 5
"""Number of times in a row that workers may be lost without a finished chunk in between."""
MOST_LOSSES_AT_FIRST: Final = 1
"""The same before the first finished chunk: such workers will hardly start the next time."""
_AHEAD: Final = 4
_LEAST_WINDOW: Final = 16
_FINISH_SECONDS: Final = 10.0


def play_chunks(
    run: Run,
    crew: executors.Crew,
    *,
    keeper: Keeper | None = None,
    watch: Callable[[RunProgress], None] | None = None,
    stop: Event | None = None,
) -> None:
    """Play the chunks that a run still needs, or until `stop` is set.

    The chunks under way at the stop are added too.
    """
    shift = _Shift(run, crew, keeper, watch)
    shift.report()
    try:
        while not run.is_complete:
            long_work.check()
            if stop is not None and stop.is_set():
                shift.finish()
                return
            shift.hand_out()
            if done := shift.wait_for_some():
                shift.take_in(done)
                shift.report()
    except KeyboardInterrupt:
        shift.finish()
        raise
    finally:
        shift.drop()


@dataclass(eq=False)
class _Shift:
    """One process's part of a run: chunks under way, and rounds played."""

    run: Run
    crew: executors.Crew
    keeper: Keeper | None
    watch: Callable[[RunProgress], None] | None
    under_way: dict[Future[Sequence[tally.Tally | bytes]], list[int]] = field(default_factory=dict)
    played: int = 0
    losses: int = 0
    start: float = field(default_factory=time.monotonic)

    def report(self) -> None:
        if self.watch is not None:
            self.watch(RunProgress(self.run, self.played, time.monotonic() - self.start))

    def hand_out(self) -> None:
        workers, most = self.crew.workers, self.crew.batch
        window = max(_LEAST_WINDOW, _AHEAD * workers * most)
        taken = set(chain.from_iterable(self.under_way.values()))
        # Twice the workers, so that none waits for this process.
        while len(self.under_way) < 2 * workers:
            batch: list[int] = []
            while len(batch) < most:
                if (chunk := self.run.next_missing(taken, window=window)) is None:
                    break
                batch.append(chunk)
                taken.add(chunk)
            if not batch:
                return
            try:
                future = self.crew.submit([(chunk, self.run.size(chunk)) for chunk in batch])
            except Exception as error:
                if not executors.is_worker_lost(error):
                    raise
                self.count_loss()
                self.replace_executor()
                taken.clear()
                continue
            self.under_way[future] = batch

    def wait_for_some(self) -> set[Future[Sequence[tally.Tally | bytes]]]:
        """Wait for a chunk, or until the file must be written, and write it then."""
        left = None if self.keeper is None else self.keeper.seconds_left
        done, _ = wait(self.under_way, timeout=left, return_when=FIRST_COMPLETED)
        if not done and self.keeper is not None:
            self.keeper.save_rest(self.run)
        return done

    def take_in(self, done: Iterable[Future[Sequence[tally.Tally | bytes]]]) -> None:
        lost: list[BaseException] = []
        # In their order: the next chunk is added up at once, others are packed until their turn.
        for future in sorted(done, key=self.under_way.__getitem__):
            batch = self.under_way.pop(future)
            if (error := future.exception()) is None:
                self.losses = 0
                for chunk, result in zip(batch, future.result(), strict=True):
                    self.receive(chunk, result)
            elif executors.is_worker_lost(error):
                lost.append(error)
            else:
                raise error
        if lost:
            self.count_loss()
        if any(isinstance(error, BrokenExecutor) for error in lost):
            self.replace_executor()

    def receive(self, chunk: int, result: tally.Tally | bytes) -> None:
        self.played += self.run.size(chunk)
        self.run.receive(chunk, result)
        if self.keeper is not None:
            self.keeper.keep(self.run)

    def replace_executor(self) -> None:
        """Continue with new workers; unfinished chunks are handed out again."""
        self.crew.replace_executor()
        self.drop()

    def count_loss(self) -> None:
        self.losses += 1
        if self.losses > (MOST_LOSSES if self.played else MOST_LOSSES_AT_FIRST):
            raise RunError(
                f"workers were lost {self.losses} times in a row: killed, out of memory or unable"
                " to start (a program that starts processes needs if __name__ == '__main__')"
            )

    def finish(self) -> None:
        """Add the chunks under way; those not started are dropped."""
        running = [future for future in self.under_way if not future.cancel()]
        done, _ = wait(running, timeout=_FINISH_SECONDS)
        finished = [
            future for future in done if not future.cancelled() and future.exception() is None
        ]
        self.take_in(finished)
        self.report()

    def drop(self) -> None:
        for future in self.under_way:
            future.cancel()
        self.under_way.clear()


DEFAULT_ROUNDS: Final = {Engine.KERNEL: 10_000_000, Engine.TABLE: 50_000}
"""Rounds of a run without a number of rounds or another goal."""


class RunInterruptedError(KeyboardInterrupt):
    """Ctrl-C ended a run; `run` has the results so far, saved if it has a file."""

    def __init__(self, run: Run, path: Path | None = None) -> None:
        self.run = run
        done = f"interrupted after {run.rounds:,} of {run.expected_rounds:,} rounds"
        rest = f"run = upcard.resume({str(path)!r})"
        if path is None:
            rest = "import sys; run = upcard.resume(sys.last_value.run) (output=FILE saves a run)"
        super().__init__(f"{done}; to play the rest: {rest}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Workers:
    """Workers of a run and its observers; they change no result."""

    count: int | None = None
    """Number of chunks at a time (default: the cores)."""
    executor: str | Executor | None = None
    """`threads`, `processes` or an executor (default: threads, or `table_executor`)."""
    table_executor: executors.ExecutorKind = executors.ExecutorKind.THREADS
    """Kind for several chunks of the table engine. It is Python: threads wait for one another, but
    processes may only be started by a program with `if __name__ == "__main__"`."""
    cluster: str | None = None
    """The address of a Dask scheduler."""
    device: executors.Device = executors.Device.CPU
    """The device that plays the rounds; a CUDA device has no other workers."""
    watch: Callable[[RunProgress], None] | None = None
    """Called after each finished chunk."""
    announce: Callable[[Job], None] | None = None
    """Called before the first chunk."""
    stop: Event | None = None
    """Set it from any thread to end the run after the chunks under way. The run returns with
    `is_complete` false, its file is complete, and it can be resumed."""
    play: executors.PlayChunk | None = None
    """Function that plays a chunk (default: `kernel_rounds.play_chunk`)."""

    def check(self, job: Job) -> None:
        """Refuse a job that these workers cannot play, before its file is begun."""
        if self.device is not executors.Device.CUDA:
            return
        given = {"workers": self.count, "executor": self.executor, "cluster": self.cluster}
        for name, value in given.items():
            if value is not None:
                msg = f"{name} {value}: device {self.device} plays the rounds itself: leave it out"
                raise errors.RulesError(msg)
        executors.check_cuda(job)

    def open(self, run: Run) -> executors.Crew:
        """Get the workers for a run."""
        if self.device is executors.Device.CUDA:
            return executors.open_cuda_crew(run.job)
        from upcard.simulation.kernel_rounds import play_chunk  # the kernel is heavy

        kind = self.executor
        if kind is None:
            is_long = run.size(run.full + 1) > 0
            is_table = run.job.engine is Engine.TABLE
            kind = self.table_executor if is_table and is_long else executors.ExecutorKind.THREADS
        left = run.expected_rounds - run.rounds
        play = self.play or partial(play_chunk, run_rounds=left)
        return executors.open_crew(
            run.job, play, workers=self.count, executor=kind, cluster=self.cluster
        )


@reads_rules
def simulate(  # noqa: PLR0913 (each is named in the call)
    rules: Rules,
    strategy: chart.Strategy | str | None = None,
    *,
    rounds: str | float | None = None,
    seed: int | None = None,
    count: str | count_system.CountSystem | None = None,
    ramp: str | BetRamp | None = None,
    indices: str | deviations.Deviations | None = None,
    workers: int | None = None,
    spots: int | None = None,
    enter: int | None = None,
    leave: int | None = None,
    until: str | float | None = None,
    player: str | None = None,
    bets: str | None = None,
    engine: str | None = None,
    without_luck: bool = False,
    executor: str | Executor | None = None,
    cluster: str | None = None,
    device: str = executors.Device.CPU,
    output: str | Path | None = None,
    watch: Callable[[RunProgress], None] | None = None,
) -> Run:
    """Simulate rounds by a chart (default: the optimal chart) and return the run.

    `rounds` is their number (`"100M"` too), `until` the standard error at which to stop (default:
    10 million rounds). `strategy` is a chart or its file; `count`, `ramp` and `indices` are names,
    texts, files or values; `player` is a name, or a class in a file, which is run: `ann.py:Ann`;
    `bets="perfect"` counts what the next round is worth, in 0.25% of a bet. `without_luck` takes
    the cards' luck out of the EV. `workers` (default: all cores) and `device`, `cpu` or `cuda`,
    change no result. `output` saves the run while it plays. `watch` gets its progress.

    Raises: RulesError for invalid options; UnsupportedRuleError if no engine can honour a rule;
    RunError for a file that cannot be used; RunInterruptedError, a KeyboardInterrupt, on Ctrl-C.

    >>> from upcard import Rules
    >>> run = simulate(Rules.parse("6D H17 LS"), rounds=200_000, seed=1)
    >>> run.rounds, -0.02 < run.ev < 0.01, f"{run.standard_error:.3%}"
    (200000, True, '0.256%')
    """
    job = make_job(
        rules,
        strategy,
        seed=seed,
        count=count,
        indices=indices,
        spots=spots,
        enter=enter,
        leave=leave,
        player=None if player is None else registry.load_player(player),
        bets=bets,
        engine=engine,
        without_luck=without_luck,
    )
    if rounds is None and until is None:
        rounds = DEFAULT_ROUNDS[job.engine]
    run = Run(job, Goal(**_read_amounts(rounds=rounds, until=until)), read_ramp(ramp, job))
    with hire(device, watch, count=workers, executor=executor, cluster=cluster) as crew:
        return start_run(run, crew, output=output)


def resume(  # noqa: PLR0913 (each is named in the call)
    run: str | Path | Run,
    *,
    extend: str | float | None = None,
    until: str | float | None = None,
    workers: int | None = None,
    executor: str | Executor | None = None,
    cluster: str | None = None,
    device: str = executors.Device.CPU,
    watch: Callable[[RunProgress], None] | None = None,
) -> Run:
    """Continue a run, or that in a file, until its goal, or a new one, is met; return the run.

    `extend` adds rounds to its goal; `until` is a new standard error to reach.

    >>> from upcard import simulate
    >>> resume(simulate("6D", rounds="100k", seed=1), extend="50k").rounds
    150000
    """
    given = _read_amounts(extend=extend, until=until)
    with hire(device, watch, count=workers, executor=executor, cluster=cluster) as crew:
        if not isinstance(run, Run):
            return resume_run(run, crew, lambda there: extend_goal(there, **given))
        crew.check(run.job)
        goal = extend_goal(run, **given)
        if goal != run.goal:
            run.change_goal(goal)
        return _play(run, crew, None)


@contextmanager
def hire(
    device: str, watch: Callable[[RunProgress], None] | None, **options: Any
) -> Iterator[Workers]:
    """Make the workers of a run, which reports to the listener of long work if nothing watches."""
    with long_work.following(long_work.SIMULATION) as tell:

        def show(progress: RunProgress) -> None:
            tell(run_state.describe(progress), run_state.measure_progress(progress))

        yield Workers(device=executors.read_device(device), watch=watch or show, **options)


def _read_amounts(until: str | float | None, **rounds: str | float | None) -> dict[str, Any]:
    named = {name: None if text is None else read_rounds(text) for name, text in rounds.items()}
    return {**named, "until": None if until is None else read_error(until)}


def start_run(run: Run, workers: Workers, *, output: str | Path | None = None) -> Run:
    """Play a run from its start, or continue that in `output`."""
    workers.check(run.job)
    if output is None:
        return _play(run, workers, None)
    place = find_place(output)
    if not place.exists():
        return _play(run, workers, Keeper.start(place, run))

    def adopt_goal(there: Run) -> Goal:
        check_same_run(output, there, run)
        refuse_fewer_rounds(output, there, run.goal)
        return run.goal

    return resume_run(place, workers, adopt_goal)


def resume_run(path: str | Path, workers: Workers, choose_goal: Callable[[Run], Goal]) -> Run:
    """Play on what a file holds, with the goal that `choose_goal` sets for it."""
    keeper, run = Keeper.resume(path)
    with keeper.closing_on_error():
        workers.check(run.job)
        goal = choose_goal(run)
        if goal != run.goal:
            run.change_goal(goal)
            keeper.save(run)  # from now on the file says what it is going for
    return _play(run, workers, keeper)


def refuse_fewer_rounds(path: str | Path, there: Run, goal: Goal) -> None:
    """Refuse a goal of fewer rounds than a run has."""
    if goal.rounds is not None and goal.rounds < there.rounds:
        raise errors.RulesError(
            f"'{path}' holds {there.rounds:,} rounds of this run, more than the {goal.rounds:,}"
            " asked for: nothing is thrown away"
        )


def extend_goal(run: Run, *, extend: int | None = None, until: float | None = None) -> Goal:
    """Return a run's goal, or a new one: `extend` more rounds, or another standard error.

    Rounds are added to those of the goal, or, if the run has reached its standard error, to those
    played.
    """
    if extend is None and until is None:
        return run.goal
    if extend is not None and extend < 1:
        raise errors.RulesError(f"extend by {extend}: 1 round or more")
    goal = run.goal
    is_short = goal.rounds is None or (run.is_complete and run.rounds < goal.rounds)
    base = run.rounds if is_short or goal.rounds is None else goal.rounds
    return Goal(rounds=None if extend is None else base + extend, until=until)


def _play(run: Run, workers: Workers, keeper: Keeper | None) -> Run:
    try:
        try:
            if not run.is_complete:
                if workers.announce is not None:
                    workers.announce(run.job)
                with closing(workers.open(run)) as crew:
                    play_chunks(run, crew, keeper=keeper, watch=workers.watch, stop=workers.stop)
        finally:
            if keeper is not None:
                keeper.save_rest(run)
        if keeper is not None and run.is_complete:
            keeper.save(run, run.check)  # the exact value may take seconds
    except KeyboardInterrupt:
        raise RunInterruptedError(run, None if keeper is None else keeper.path) from None
    finally:
        if keeper is not None:
            keeper.close()
    return run
