"""A run's integers follow from job and goal; workers, order and accidents leave no trace."""

from __future__ import annotations

import random
import threading
from concurrent.futures import BrokenExecutor, Executor, Future

import pytest
from fake_rounds import (
    CHUNK,
    make_fake_job,
    make_state,
    play_and_die,
    play_and_die_once,
    play_everything,
    play_fake,
    play_slowly,
)
from hypothesis import given
from hypothesis import strategies as st

from upcard.core.errors import RulesError
from upcard.rules.model import Rules
from upcard.simulation.executors import Crew, ExecutorKind
from upcard.simulation.job import Engine, RunError, make_job
from upcard.simulation.run import (
    RunInterruptedError,
    Workers,
    play_chunks,
    resume,
    resume_run,
    simulate,
    start_run,
)
from upcard.simulation.run_state import (
    MOST_ROUNDS,
    Goal,
    Keeper,
    load_run_document,
    make_document,
)
from upcard.strategy.count_system import load_system
from upcard.strategy.ramp import parse_ramp

RAMP = parse_ramp("-1:1 0:2 1:4", load_system("hi-lo"), decks=6)


def play(state, **workers):
    return start_run(state, Workers(play=play_fake, **workers))


class Jumbled(Executor):
    """Finishes what it was given in a random order, only when somebody must wait, and fails."""

    def __init__(self, seed, *, failures=0.0):
        self.random = random.Random(seed)
        self.failures = failures
        self.pending = []
        self.most = 0

    def submit(self, function, /, *arguments):
        future = Future()
        self.pending.append((future, function, arguments))
        self.most = max(self.most, len(self.pending))
        if len(self.pending) > 1 and self.random.random() < 0.5:
            self.finish_one()
        return future

    def finish_one(self):
        future, function, arguments = self.pending.pop(self.random.randrange(len(self.pending)))
        if future.set_running_or_notify_cancel():
            if self.random.random() < self.failures:
                future.set_exception(BrokenExecutor())
            else:
                future.set_result(function(*arguments))


def play_jumbled(state, seed, *, workers, failures=0.0):
    executor = Jumbled(seed, failures=failures)

    def count():
        while executor.pending and executor.random.random() < 0.7:
            executor.finish_one()
        return workers

    crew = Crew(
        lambda: executor,
        lambda chunks: [play_fake(state.job, *one) for one in chunks],
        count=count,
    )
    executor.shutdown = lambda **_: None
    # Whoever waits for a future must find one that is done.
    from upcard.simulation import run as loop

    real = loop.wait

    def wait(futures, **options):
        while executor.pending and not any(future.done() for future in futures):
            executor.finish_one()
        return real(futures, **options)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(loop, "wait", wait)
        patch.setattr(loop, "MOST_LOSSES", 10**6)
        patch.setattr(loop, "MOST_LOSSES_AT_FIRST", 10**6)
        play_chunks(state, crew)
    return executor


@pytest.mark.parametrize("workers", [1, 2, 20])
@pytest.mark.parametrize("rounds", [1, CHUNK - 1, CHUNK, CHUNK + 1, 25 * CHUNK + 7])
def test_threads_leave_no_trace(workers, rounds):
    run = play(make_state(rounds), count=workers)
    assert run.rounds == rounds == run.tally.seen
    assert make_document(run) == make_document(play_everything(rounds))


@pytest.mark.slow
def test_processes_leave_no_trace():
    run = play(make_state(9 * CHUNK + 1), count=2, executor=ExecutorKind.PROCESSES)
    assert make_document(run) == make_document(play_everything(9 * CHUNK + 1))


@pytest.mark.slow
@given(
    chunks=st.integers(1, 40),
    rest=st.integers(0, CHUNK - 1),
    until=st.one_of(st.none(), st.floats(0.002, 0.02)),
    workers=st.integers(1, 9),
    seed=st.integers(0, 2**32),
    failures=st.sampled_from([0.0, 0.2]),
)
def test_order_and_accidents_leave_no_trace(*, chunks, rest, until, workers, seed, failures):
    rounds = chunks * CHUNK - rest
    state = make_state(rounds, until=until)
    executor = play_jumbled(state, seed, workers=workers, failures=failures)
    assert make_document(state) == make_document(play_everything(rounds, until=until))
    if not failures:
        assert executor.most <= 2 * workers


def test_a_slow_chunk_does_not_let_the_others_run_away():
    state = make_state(10**9)
    started = []
    while (chunk := state.next_missing(started, window=16)) is not None:
        started.append(chunk)
    assert started == list(range(16))
    for chunk in started[1:]:
        state.receive(chunk, play_fake(state.job, chunk, CHUNK))
    assert state.next_missing(started[:1], window=16) is None
    assert state.rounds == 0
    state.receive(0, play_fake(state.job, 0, CHUNK))
    assert state.rounds == 16 * CHUNK
    assert state.next_missing([], window=16) == 16


def test_a_short_chunk_that_waits_is_played_again_when_the_run_is_extended():
    state = make_state(2500)
    state.receive(2, play_fake(state.job, 2, 500))
    state.change_goal(Goal(rounds=5000))
    for chunk in range(5):
        state.receive(chunk, play_fake(state.job, chunk, CHUNK))
    assert make_document(state) == make_document(play_everything(5000))


@pytest.mark.parametrize("chunk", [0, 2, 3])
def test_chunks_after_the_end_are_passed_over(chunk):
    state = play_everything(2500)
    before = make_document(state)
    state.receive(chunk, play_fake(state.job, chunk, 500))
    assert make_document(state) == before


def test_until_stops_at_the_first_chunk_that_is_precise_enough():
    target = 0.01
    state = play_everything(None, until=target)
    assert state.estimate().standard_error <= target
    before = play_everything(state.rounds - CHUNK)
    assert before.estimate().standard_error > target
    for workers in (2, 20):
        run = play(make_state(None, until=target), count=workers)
        assert make_document(run) == make_document(state)


def test_until_ends_at_the_most_rounds_where_it_is_not_reached():
    run = play(make_state(2500, until=1e-9))
    assert (run.rounds, run.is_complete) == (2500, True)


def test_a_ramp_decides_the_error_that_until_looks_at():
    job = make_fake_job(counts=True)
    flat = play(make_state(None, until=0.02, job=job))
    spread = play(make_state(None, until=0.02, job=job, ramp=RAMP))
    assert spread.standard_error <= 0.02
    assert spread.rounds > flat.rounds


@pytest.mark.slow
def test_a_killed_worker_costs_nothing_but_time(tmp_path, monkeypatch):
    marker = tmp_path / "marker"
    monkeypatch.setenv("UPCARD_TEST_MARKER", str(marker))
    workers = Workers(count=2, executor=ExecutorKind.PROCESSES, play=play_and_die_once)
    run = start_run(make_state(12 * CHUNK), workers)
    assert marker.exists()
    assert make_document(run) == make_document(play_everything(12 * CHUNK))


@pytest.mark.slow
def test_workers_that_always_die_are_given_up():
    workers = Workers(count=2, executor=ExecutorKind.PROCESSES, play=play_and_die)
    with pytest.raises(RunError, match="workers were lost 2 times in a row"):
        start_run(make_state(12 * CHUNK), workers)


def test_what_a_chunk_raises_comes_through():
    def fail(job, chunk, rounds):
        msg = "no such game"
        raise RulesError(msg)

    with pytest.raises(RulesError, match="no such game"):
        start_run(make_state(5000), Workers(play=fail))


class Interrupting:
    """Presses Ctrl-C when so many rounds are added up."""

    def __init__(self, rounds):
        self.rounds = rounds

    def __call__(self, progress):
        if progress.run.rounds >= self.rounds:
            raise KeyboardInterrupt


def test_an_interrupted_run_is_kept_and_goes_on(tmp_path):
    path = tmp_path / "run.json"
    workers = Workers(count=2, play=play_slowly, watch=Interrupting(4 * CHUNK))
    with pytest.raises(RunInterruptedError) as caught:
        start_run(make_state(20 * CHUNK), workers, output=path)
    so_far = caught.value.run
    assert 4 * CHUNK <= so_far.rounds < 20 * CHUNK
    assert not so_far.is_complete
    assert make_document(so_far)["tally"] == make_document(play_everything(so_far.rounds))["tally"]
    document = load_run_document(path)
    assert document["rounds"] == so_far.rounds
    assert document["chunks"]["done"] >= 4
    start_run(make_state(20 * CHUNK), Workers(play=play_fake), output=path)
    fresh = tmp_path / "fresh.json"
    start_run(make_state(20 * CHUNK), Workers(play=play_fake), output=fresh)
    assert path.read_bytes() == fresh.read_bytes()


def test_a_run_that_another_process_finishes_meanwhile_is_read_as_that_left_it(tmp_path):
    """The lock is free only once the file is whole, so the file is read with the lock."""
    path = tmp_path / "run.json"
    workers = Workers(count=1, play=play_fake, watch=Interrupting(4 * CHUNK))
    with pytest.raises(RunInterruptedError):
        start_run(make_state(20 * CHUNK), workers, output=path)

    class Late(Keeper):
        def __init__(self, place):
            resume_run(path, Workers(play=play_fake), lambda state: state.goal)
            super().__init__(place)

    keeper, state = Late.resume(path)
    keeper.close()
    assert (state.rounds, state.is_complete) == (20 * CHUNK, True)


@pytest.mark.parametrize("executor", ["threads", None])
def test_a_run_is_stopped_from_another_thread_and_goes_on(tmp_path, executor):
    stop = threading.Event()

    def play_and_stop(job, chunk, rounds):
        if chunk == 4:
            stop.set()  # in a worker's thread: this one is waiting for a chunk
        return play_slowly(job, chunk, rounds)

    path = None if executor is None else tmp_path / "run.json"
    workers = Workers(count=2, executor=executor, play=play_and_stop, stop=stop)
    so_far = start_run(make_state(20 * CHUNK), workers, output=path)
    assert 4 * CHUNK <= so_far.rounds < 20 * CHUNK
    assert not so_far.is_complete
    whole = play_everything(20 * CHUNK)
    if path is None:
        start_run(so_far, Workers(play=play_fake))
        assert make_document(so_far) == make_document(whole)
        return
    assert load_run_document(path) == so_far.document()
    assert not load_run_document(path)["is_complete"]
    resume_run(path, Workers(play=play_fake), lambda state: state.goal)
    fresh = tmp_path / "fresh.json"
    start_run(make_state(20 * CHUNK), Workers(play=play_fake), output=fresh)
    assert path.read_bytes() == fresh.read_bytes()


def test_a_run_that_is_stopped_before_its_first_chunk_has_no_rounds(tmp_path):
    stop = threading.Event()
    stop.set()
    path = tmp_path / "run.json"
    run = start_run(make_state(20 * CHUNK), Workers(play=play_fake, stop=stop), output=path)
    assert (run.rounds, run.is_complete) == (0, False)
    assert load_run_document(path)["rounds"] == 0
    assert resume_run(path, Workers(play=play_fake), lambda state: state.goal).is_complete


def test_progress_is_reported_and_grows():
    seen = []
    play(make_state(5500), count=1, watch=lambda progress: seen.append(progress.run.rounds))
    assert (seen[0], seen[-1]) == (0, 5500)
    assert len(seen) > 2
    assert seen == sorted(seen)


def test_points_are_kept_eight_for_each_doubling():
    run = play(make_state(40 * CHUNK))
    kept = [point.rounds // CHUNK for point in run.points]
    assert kept == [*range(1, 17), 18, 20, 22, 24, 26, 28, 30, 32, 36, 40]
    assert run.points[-1].ev == run.ev


@pytest.mark.parametrize(
    ("goal", "words"),
    [
        ({}, "a run needs an end"),
        ({"rounds": 0}, "0 rounds: a run has 1 to"),
        ({"rounds": MOST_ROUNDS + 1}, "a run has 1 to 10,000,000,000,000"),
        ({"until": 0.0}, "over 0 and under 1"),
        ({"until": 1.0}, "over 0 and under 1"),
    ],
)
def test_goals_that_cannot_be_are_refused(goal, words):
    with pytest.raises(RulesError, match=words):
        Goal(**goal)


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"indices": "i18"}, "index plays need a count"),
        ({"player": "mimic", "indices": "i18", "count": "hi-lo"}, "follows none"),
        ({"engine": "abacus"}, "no engine is called 'abacus': one of kernel, table"),
        ({"engine": "kernel", "player": "mimic"}, "needs engine table"),
        ({"count": "nonsense"}, "no counting system is called"),
        ({"spots": 8}, "8 spots"),
        ({"enter": 1}, "enter needs a count"),
        ({"seed": -1}, "a seed is a whole number"),
        ({"seed": 1.5}, "seed 1.5: a seed is a whole number"),
        ({"seed": True}, "seed True: a seed is a whole number"),
    ],
)
def test_jobs_that_cannot_be_are_refused(asked, words):
    with pytest.raises(RulesError, match=words):
        make_job(Rules(), **asked)


def test_a_chart_and_a_player_clash():
    with pytest.raises(RulesError, match="give one of them"):
        make_job(Rules(), make_fake_job().strategy, player="mimic")


def test_a_player_who_follows_a_chart_is_kept_as_that_chart(tmp_path):
    path = tmp_path / "stands.tsv"
    chart = make_fake_job().strategy
    path.write_text(str(chart), encoding="utf-8")
    job = make_job(Rules(), player=f"chart:{path}", count="hi-lo", indices="i18")
    assert (job.engine, job.player, job.strategy) == (Engine.TABLE, None, chart)
    mimic = make_job(Rules(), player="mimic")
    assert (mimic.engine, mimic.player, mimic.strategy) == (Engine.TABLE, "mimic", None)


def test_a_ramp_needs_a_count():
    with pytest.raises(RulesError, match="a ramp needs a count"):
        simulate(Rules(), make_fake_job().strategy, rounds=1, ramp="1-8")


def test_rules_that_the_kernel_does_not_know_go_to_the_table():
    rules = Rules.parse("6D hole_card=no-peek")
    assert make_job(rules, make_fake_job().strategy).engine is Engine.TABLE
    assert make_job(Rules(), make_fake_job().strategy).engine is Engine.KERNEL
    with pytest.raises(RulesError, match="cannot honour hole_card=no-peek"):
        make_job(rules, make_fake_job().strategy, engine="kernel")


def test_a_drawn_seed_differs_each_time_and_is_shown():
    seeds = {make_job(Rules(), make_fake_job().strategy).seed for _ in range(5)}
    assert len(seeds) == 5


def test_extending_adds_to_what_was_asked_or_is_there(tmp_path):
    path = tmp_path / "run.json"
    start_run(make_state(2500), Workers(play=play_fake), output=path)
    with pytest.raises(RulesError, match="extend by 0"):
        resume(path, extend=0)
    assert play_everything(2500).to_json() == path.read_text(encoding="utf-8")


def test_a_run_says_what_it_is_in_a_line():
    run = play(make_state(2000, job=make_fake_job(7)))
    assert str(run).startswith("6D S17 PEEK DOA DAS SP4 NRSA NS 3:2: 2,000 rounds, seed 7: EV ")


def test_a_run_without_rounds_says_so():
    with pytest.raises(RulesError, match="no round of this run is finished"):
        _ = make_state(5).ev


@pytest.mark.slow
def test_the_kernel_comes_to_the_same_on_one_and_on_three_threads():
    rules = Rules.parse("6D H17 LS")
    options = {"rounds": 2_100_000, "seed": 9, "count": "hi-lo", "ramp": "1-8", "indices": "i18"}
    one, three = (simulate(rules, workers=workers, **options) for workers in (1, 3))
    assert one.to_json() == three.to_json()
    assert one.rounds == 2_100_000
    assert one.tally.seen == 2_100_000
