"""A CUDA device plays what the direct loop plays; the device is numba's simulator, without a GPU.

With NUMBA_ENABLE_CUDASIM=0 these tests run on the GPU of the machine.
"""

import sys
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import pytest
from hypothesis import given, settings
from random_jobs import SENSIBLE, any_job, fit_lockstep

from upcard.core.errors import RulesError, UnsupportedRuleError
from upcard.rules.model import Rules
from upcard.simulation import executors, run
from upcard.simulation.cuda_chunks import CudaRounds, plan_device
from upcard.simulation.executors import Crew, Device, read_device
from upcard.simulation.job import Engine, Job, RunError
from upcard.simulation.kernel_rounds import play_chunk
from upcard.simulation.run import Workers, extend_goal, resume_run, simulate, start_run
from upcard.simulation.run_state import Goal, Run, find_place
from upcard.strategy.chart import Strategy
from upcard.strategy.count_system import load_system
from upcard.strategy.deviations import load_deviations

pytest.importorskip("numba_cuda")
# Seeds are mixed without a carry; the simulator's threads do not know that we know.
pytestmark = pytest.mark.filterwarnings("ignore:overflow encountered:RuntimeWarning")

HI_LO, KO = load_system("hi-lo"), load_system("ko")
I18 = load_deviations("i18", HI_LO)
CUDA = Workers(device=Device.CUDA)


def make_job(notation, **changes):
    return Job(rules=Rules.parse(notation), strategy=SENSIBLE, seed=5, **changes)


def compare_tallies(job, chunks):
    """Play chunks on the device at the same time, and one by one in the direct loop."""
    played = CudaRounds(job).play(chunks)
    for tally, (chunk, rounds) in zip(played, chunks, strict=True):
        assert tally == play_chunk(job, chunk, rounds)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("notation", "changes"),
    [
        ("6D S17 DAS", {}),
        ("2D H17 OBO ES SP8 RSA HSA", {"system": KO}),
        ("1D H17 LS PEN100", {"system": HI_LO, "deviations": I18, "enter": 1, "leave": 0}),
        ("4D ENHC PEN90", {"system": HI_LO}),
        ("8D CSM", {}),
        ("INF(4/13) SPINF", {}),
        ("1D 4CC(2:1) DANY OBO", {"system": HI_LO}),
        ("INF SP1", {}),
    ],
)
def test_a_device_adds_up_what_the_direct_loop_does(notation, changes):
    compare_tallies(make_job(notation, **changes), [(0, 200), (7, 1), (8, 61)])


@pytest.mark.slow
@settings(max_examples=25)
@given(any_job(is_counted=True))
def test_a_device_counts_any_game_as_the_direct_loop_does(job):
    """Its automaton is compared with that loop over thousands of rounds in test_whole_shoes.py."""
    compare_tallies(fit_lockstep(job), [(0, 60), (3, 20)])


@pytest.mark.slow
@settings(max_examples=25)
@given(any_job(is_counted=False))
def test_a_device_plays_any_game_as_the_direct_loop_does(job):
    compare_tallies(fit_lockstep(job), [(0, 60), (3, 20)])


@pytest.mark.slow
def test_a_run_on_a_device_is_the_run_on_the_cores():
    job = make_job("6D", system=HI_LO, chunk_rounds=97)
    runs = [
        start_run(Run(job, Goal(rounds=400)), workers).to_json()
        for workers in (CUDA, Workers(count=1))
    ]
    assert runs[0] == runs[1]


@pytest.mark.slow
@pytest.mark.parametrize("devices_in_turn", [(Device.CPU, Device.CUDA), (Device.CUDA, Device.CPU)])
def test_a_run_goes_on_on_another_device(devices_in_turn, tmp_path):
    job = make_job("6D LS", chunk_rounds=90)
    first, second = (Workers(device=device) for device in devices_in_turn)
    start_run(Run(job, Goal(rounds=200)), first, output=tmp_path / "run.json")
    resume_run(tmp_path / "run.json", second, lambda state: extend_goal(state, extend=150))
    start_run(Run(job, Goal(rounds=350)), Workers(), output=tmp_path / "cores.json")
    one, other = (find_place(tmp_path / name).read_bytes() for name in ("run.json", "cores.json"))
    assert one == other


@pytest.mark.slow
def test_a_device_splits_no_hand_more_often_than_the_direct_loop():
    chart = Strategy.parse(str(SENSIBLE).replace("1010" + "\tS" * 10, "1010" + "\tP" * 10))
    assert chart.cell("1010", 6) == "P"
    job = make_job("INF(9/10) SPINF").replace(strategy=chart)
    with pytest.raises(UnsupportedRuleError, match="SPINF: a hand was split into more than 16"):
        CudaRounds(job).play([(0, 300)])


@pytest.mark.parametrize(
    ("job", "message"),
    [
        (make_job("6D", spots=2), "cannot honour 2 spots: its rounds have one; --device cpu"),
        (make_job("6D", engine=Engine.TABLE), "cannot honour engine table: the table is Python"),
        (
            make_job("6D", engine=Engine.TABLE).replace(strategy=None, player="mimic"),
            "cannot honour player mimic: players are Python code",
        ),
        (make_job("6D UP2 NOINS"), "cannot honour shows_hole=true: a hole card that players see"),
        (make_job("6D W21 BON"), "cannot honour bonuses=usual: bonuses by suit need the cards"),
        (make_job("6D SWITCH NOINS", spots=2), "cannot honour switch=true: its rounds have one"),
        (
            Job(
                rules=Rules.parse("6D split_by=rank"),
                strategy=SENSIBLE,
                seed=1,
                engine=Engine.TABLE,
            ),
            "cannot honour split_by=rank: its tens are all alike",
        ),
    ],
)
def test_what_a_device_cannot_play_is_refused_by_name(job, message):
    with pytest.raises(UnsupportedRuleError, match=message):
        plan_device(job)


def test_a_device_takes_no_other_workers_and_begins_no_file(tmp_path):
    rules = Rules.parse("6D")
    for options in ({"workers": 2}, {"executor": "threads"}, {"cluster": "tcp://x:1"}):
        (name,) = options
        with pytest.raises(RulesError, match=rf"{name} .*device cuda plays the rounds itself"):
            simulate(
                rules, SENSIBLE, rounds=9, device="cuda", output=tmp_path / "run.json", **options
            )
    assert not list(tmp_path.iterdir())


def test_devices_are_told_by_name():
    assert read_device("CUDA") is Device.CUDA
    with pytest.raises(RulesError, match="no device is called 'gpu': one of cpu, cuda"):
        simulate(Rules.parse("6D"), SENSIBLE, rounds=9, device="gpu")


def test_without_the_extra_a_device_says_what_to_install(monkeypatch):
    monkeypatch.setattr(executors, "find_spec", lambda name: None)
    with pytest.raises(RunError, match=r"needs numba-cuda: pip install 'upcard\[cuda\]'"):
        simulate(Rules.parse("6D"), SENSIBLE, rounds=9, device="cuda")


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (RuntimeError("no driver"), "no CUDA device was found: it takes an NVIDIA GPU"),
        (None, "the CUDA toolkit, .* was not found: pip install"),
    ],
)
def test_a_machine_without_a_device_says_what_is_missing(error, message, monkeypatch):
    from numba import cuda

    monkeypatch.setattr(cuda, "is_available", lambda: False)
    monkeypatch.setattr(cuda, "cuda_error", lambda: error)
    with pytest.raises(RunError, match=message):
        simulate(Rules.parse("6D"), SENSIBLE, rounds=9, device="cuda")


def test_a_machine_whose_toolkit_cannot_be_loaded_says_what_is_missing(monkeypatch):
    class NoToolkit:
        def find_spec(self, name, path, target=None):
            if name == "numba.cuda":
                raise RuntimeError('Failure finding "libcudart.so.13"')

    monkeypatch.delattr("numba.cuda", raising=False)
    monkeypatch.delitem(sys.modules, "numba.cuda", raising=False)
    monkeypatch.setattr(sys, "meta_path", [NoToolkit(), *sys.meta_path])
    with pytest.raises(RunError, match=r"the CUDA toolkit, .* was not found: pip install"):
        simulate(Rules.parse("6D"), SENSIBLE, rounds=9, device="cuda")


def test_a_numpy_without_what_the_compiler_needs_is_named(monkeypatch):
    """Found on an H200: with NumPy 2.5 the first kernel ended in a traceback."""
    from numba import cuda

    def fail(name):
        raise AttributeError("module 'numpy' has no attribute 'row_stack'")

    monkeypatch.setattr(cuda, "is_available", lambda: True)
    monkeypatch.setattr(cuda.config, "ENABLE_CUDASIM", False)
    monkeypatch.setattr(executors, "import_module", fail)
    with pytest.raises(RunError, match=r"with NumPy .*row_stack.*: pip install 'numpy<2.5'"):
        simulate(Rules.parse("6D"), SENSIBLE, rounds=9, device="cuda")


def test_a_driver_that_fails_ends_the_run_without_a_traceback(monkeypatch):
    from numba import cuda
    from numba.cuda.cudadrv.driver import CudaAPIError

    def fail(array):
        raise CudaAPIError(2, "CUDA_ERROR_OUT_OF_MEMORY")

    rounds = CudaRounds(make_job("6D"))
    monkeypatch.setattr(cuda, "to_device", fail)
    with pytest.raises(RunError, match=r"the CUDA device failed: .*OUT_OF_MEMORY"):
        rounds.play([(0, 10)])


def test_a_device_plays_many_chunks_in_one_call():
    job = make_job("6D", chunk_rounds=10)
    tally, calls = play_chunk(job, 0, 10), []

    def play(chunks):
        calls.append([chunk for chunk, _ in chunks])
        return [tally] * len(chunks)

    state = Run(job, Goal(rounds=90))
    crew = Crew(partial(ThreadPoolExecutor, 1), play, count=lambda: 1, batch=4)
    run.play_chunks(state, crew)
    crew.close()
    assert calls == [[0, 1, 2, 3], [4, 5, 6, 7], [8]]
    assert state.rounds == 90


def test_chunks_that_end_together_are_added_up_without_packing_them(monkeypatch):
    def refuse(tally):
        raise AssertionError("packed")

    monkeypatch.setattr("upcard.simulation.tally.pack", refuse)
    job = make_job("6D", chunk_rounds=10)
    tally = play_chunk(job, 0, 10)

    def play(chunks):
        return [tally] * len(chunks)

    state = Run(job, Goal(rounds=400))
    crew = Crew(partial(ThreadPoolExecutor, 1), play, count=lambda: 1, batch=20)
    run.play_chunks(state, crew)
    crew.close()
    assert state.rounds == 400
