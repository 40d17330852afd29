"""Whole shoes in lockstep: the same whole numbers as the direct loop's, whatever is played."""

import os
import random
from threading import Event

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_jobs import SENSIBLE, any_job, fit_lockstep
from without_compiler import run_without_compiler

from upcard.core.errors import UnsupportedRuleError
from upcard.exact.solve import basic_strategy
from upcard.kernels.jit import is_compiled
from upcard.rules.model import Rules
from upcard.simulation import kernel_rounds
from upcard.simulation import kernel_rounds as round_sums
from upcard.simulation import kernel_rounds as whole_shoes
from upcard.simulation.job import Job
from upcard.simulation.kernel_rounds import (
    RoundSums,
    describe_loop,
    find_misfit,
    play_chunk,
    play_rounds,
    play_whole_shoes,
    plays_side_by_side,
)
from upcard.simulation.kernels.lockstep import lanes
from upcard.simulation.kernels.lockstep import whole_shoes as lockstep
from upcard.simulation.kernels.lockstep.automaton import NoFitError, build_automaton
from upcard.simulation.lower import lower
from upcard.simulation.run import Workers, resume, simulate, start_run
from upcard.simulation.run_rounds import record_rounds
from upcard.simulation.run_state import Goal, Run
from upcard.strategy.chart import CELLS, DOUBLED_LABELS, HAND_LABELS, PAIR_LABELS, Strategy
from upcard.strategy.count_system import load_system
from upcard.strategy.deviations import Deviations, load_deviations

JIT = os.environ.get("NUMBA_DISABLE_JIT", "0") in ("", "0")
ROUNDS = 4_000 if JIT else 500
EXAMPLES = 120 if JIT else 8
HI_LO, KO = load_system("hi-lo"), load_system("ko")
COUNTED = {"system": HI_LO, "deviations": load_deviations("i18", HI_LO)}
SPLITTER = Strategy.parse(
    "\n".join(
        [
            *(f"{total} H H H H H H H H H H" for total in range(5, 20)),
            *(f"A{rank} H H H H H H H H H H" for rank in range(2, 10)),
            *(f"{rank}{rank} P P P P P P P P P P" for rank in range(2, 11)),
            "AA P P P P P P P P P P",
            "# insurance: yes",
        ]
    )
)
DOUBLER = Strategy(
    cells=tuple(("P" if label in PAIR_LABELS else "Dh",) * 10 for label in HAND_LABELS),
    doubled=(("Dr",) * 10,) * len(DOUBLED_LABELS),
)
HI_LO_48 = HI_LO.replace(deck_size=48)
PLAIN_CELLS = [cell for cell in CELLS if "p" not in cell.lower()]
STANDS = Deviations.parse(
    "16 v A S >= 0\n16 v T S >= 1\n12 v 6 S >= 2\nA7 v T S >= 1\n15 v T S >= -1"
)


def make_job(notation, **changes):
    return Job(rules=Rules.parse(notation), **({"strategy": SENSIBLE, "seed": 11} | changes))


def make_wild_job(notation, system=HI_LO, **changes):
    """Make a job whose chart gives every answer somewhere and insures, with low indices on top."""
    rng = random.Random(notation)

    def cell(label):
        return rng.choice(CELLS if label in PAIR_LABELS else PLAIN_CELLS)

    cells = tuple(tuple(cell(label) for _ in range(10)) for label in HAND_LABELS)
    rows = ([rng.choice(("S", "Rs", "Ds", "Dr")) for _ in range(10)] for _ in DOUBLED_LABELS)
    chart = Strategy(cells=cells, takes_insurance=True, doubled=tuple(map(tuple, rows)))
    job = make_job(notation, strategy=chart, system=system)
    return job.replace(deviations=STANDS, **changes)


def check_same(job, chunk, rounds):
    """Compare whole shoes and a tail with the direct loop; return the rounds in lockstep."""
    lowered = lower(job)
    direct, both = RoundSums.zeros(lowered), RoundSums.zeros(lowered)
    play_rounds(job, lowered, chunk, rounds, sums=direct)
    shoes = play_whole_shoes(job, chunk, rounds, both)
    in_lockstep = int(both.totals[2])
    assert both.tally.sum() == in_lockstep <= rounds
    if in_lockstep < rounds:
        play_rounds(job, lowered, chunk, rounds - in_lockstep, sums=both, first_shoe=shoes)
    assert (both.tally == direct.tally).all()
    assert (both.added == direct.added).all()
    assert both.totals[:2].tolist() == direct.totals[:2].tolist()
    return in_lockstep


@pytest.fixture
def always(monkeypatch):
    """Play every chunk in lockstep, however short the run."""
    monkeypatch.setattr(kernel_rounds, "ROUNDS_TO_LOAD", 0)
    monkeypatch.setattr(whole_shoes, "ROUNDS_TO_COMPILE", 0)


def test_a_counters_rounds_side_by_side_are_those_of_the_direct_loop():
    assert check_same(make_job("6D S17 DAS LS PEN75", **COUNTED), 3, ROUNDS) > ROUNDS * 0.8


@pytest.mark.parametrize(
    ("notation", "changes"),
    [
        ("1D H17 PEN95 LS SP8 RSA", {"enter": 1, "leave": -1}),
        ("2D ENHC ES SP2", {}),
        ("1D OBO PEN95 SP4", {"strategy": SPLITTER}),
    ],
)
def test_a_seat_that_waits_a_hole_card_and_split_hands_are_the_same_in_lockstep(notation, changes):
    assert check_same(make_job(notation, **(COUNTED | changes)), 0, ROUNDS // 2) > ROUNDS // 8


# Further cases need another variant of the direct loop, which takes 5 s to compile.
@pytest.mark.fast_cases(8)
@pytest.mark.parametrize(
    ("notation", "changes"),
    [
        ("1D DANY RSA HSA ES PEN95", {}),
        ("2D DANY RSA HSA LS PEN95 even_money=never", {"system": KO}),
        ("1D OBO DANY RSA HSA LS PEN95", {}),
        ("1D ENHC DANY LS PEN95 6:5", {"enter": 0, "leave": 0}),
        ("1D CSM ES", {"system": KO}),
        ("2D48 DANY LS PEN95", {"system": KO.replace(deck_size=48)}),
        ("1D ENHC PEN100 SP8 RSA HSA", {"strategy": SPLITTER}),
        ("1D OBBO 5CC(2:1) DANY RSA HSA SP8 LS PEN95", {}),
        ("2D 4CC(1:2) RE RD2 DANY SP8 PEN95", {}),
        ("1D BB1 W21 DANY RSA HSA SP8 SPA3 LSX INS(5:2) PEN95", {}),
        ("1D OBBO D3X BJL T17-19 MS15 DH ES10 PEN95", {}),
        ("1D D3X BJW TALL ES10 NS8 PEN95", {}),
        ("1D P22 FDANY FSNT DANY RSA HSA LS PEN95", {}),
        ("1D OBO D3X FDANY FSANY SP8 RSA HSA PEN95", {}),
        ("1D RE RD2 DANY RSA HSA LS double_split_aces=true PEN95", {}),
        ("2D RE RD3 DANY SP8 NOINS PEN95", {"strategy": DOUBLER}),
        ("1D OBO RD2 DANY SP8 PEN95", {"strategy": DOUBLER}),
        ("1D P22 ZOMBIE DANY SP8 RSA HSA PEN95", {}),
        ("1D ZOMBIE ENHC RD2 DANY SP8 PEN95", {"strategy": DOUBLER}),
        ("2D48 W21 RE RD2 DANY NOINS PEN95 BON(4=3:2/6=2:1)", {"system": HI_LO_48}),
    ],
)
def test_play_that_gives_every_answer_is_the_same_in_lockstep(notation, changes):
    """What few players do: double hands that may bust, insure, surrender often, hit split aces."""
    assert check_same(make_wild_job(notation, **changes), 0, ROUNDS) > ROUNDS // 4


@pytest.mark.slow
@pytest.mark.parametrize(
    "words", ["", "ZOMBIE", "RE RD2 DANY", "FDANY FSANY", "OBO 6CC(2:1)", "W21"]
)
def test_long_rounds_take_the_same_cards_whether_suits_are_known_or_not(words):
    """A round that needs more cards than are ready is played first with those in their places."""
    job = make_job(f"2D CSM SP8 RSA HSA {words}", strategy=SPLITTER)
    check_same(job, 0, 5 * ROUNDS)
    lowered = lower(job)
    direct = RoundSums.zeros(lowered)
    play_rounds(job, lowered, 0, ROUNDS, sums=direct)
    nets = len(direct.tally) // len(direct.added)
    recorded = np.zeros(nets, np.int64)
    for one in record_rounds(job, 0, 0, ROUNDS):
        recorded[one.net - lowered.game.least_net] += 1
    assert recorded.tolist() == direct.tally.reshape(-1, nets).sum(axis=0).tolist()


def test_a_shoe_is_played_side_by_side_only_where_its_most_rounds_fit():
    job = make_job("6D S17 DAS LS PEN75", **COUNTED)
    lowered = lower(job)
    most = -(-lowered.game.cut // lowered.game.dealt)
    room = (most - 1, most)
    assert [play_whole_shoes(job, 0, rounds, RoundSums.zeros(lowered)) for rounds in room] == [0, 1]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("notation", "least"),
    [
        ("6D S17 DAS LS PEN75", 0.9),
        ("1D H17 PEN95", 0.9),
        ("8D OBO ES RSA SP8", 0.9),
        ("8D OBO RSA SP8 SPA2", 0.9),
        ("2D ENHC NS 6:5", 0.9),
        ("6D CSM LS", 0.6),
        ("INF ES", 0.8),
    ],
)
def test_a_charts_rounds_side_by_side_are_those_of_the_direct_loop(notation, least):
    rounds = 20_000 if JIT else 600
    in_lockstep = check_same(make_job(notation), 0, rounds)
    if JIT:
        assert in_lockstep > rounds * least


@pytest.mark.slow
@settings(max_examples=EXAMPLES)
@given(any_job(is_counted=True), st.integers(0, 2**20), st.integers(1, ROUNDS))
def test_any_counters_rounds_are_the_same_in_lockstep(job, chunk, rounds):
    check_same(fit_lockstep(job), chunk, rounds)


@pytest.mark.slow
@settings(max_examples=EXAMPLES // 2)
@given(any_job(is_counted=False), st.integers(0, 2**20), st.integers(1, ROUNDS))
def test_any_charts_rounds_are_the_same_in_lockstep(job, chunk, rounds):
    check_same(fit_lockstep(job), chunk, rounds)


@pytest.mark.slow
@pytest.mark.usefixtures("always")
def test_a_run_in_lockstep_is_the_direct_one_byte_for_byte_also_stopped_resumed_and_extended(
    tmp_path, monkeypatch
):
    job = make_job("6D S17 LS", **COUNTED).replace(chunk_rounds=20_000)
    path = tmp_path / "run.json"
    stop = Event()

    def stop_early(progress):
        if progress.played:
            stop.set()

    state = Run(job, Goal(rounds=150_000), None)
    stopped = start_run(state, Workers(count=2, watch=stop_early, stop=stop), output=path)
    assert 0 < stopped.rounds < 150_000
    resume(path)
    extended = resume(path, extend=35_000, workers=2)

    monkeypatch.setattr(kernel_rounds, "ROUNDS_TO_LOAD", 10**12)
    direct = tmp_path / "direct.json"
    start_run(Run(job, Goal(rounds=185_000), None), Workers(count=1), output=direct)
    assert path.read_bytes() == direct.read_bytes()
    assert extended.rounds == 185_000


@pytest.mark.slow
@pytest.mark.usefixtures("always")
def test_every_round_but_a_few_of_a_chunk_is_played_side_by_side(monkeypatch):
    lengths = []

    def note_rounds(job, lowered, chunk, rounds, **options):
        lengths.append(rounds)
        return play_rounds(job, lowered, chunk, rounds, **options)

    monkeypatch.setattr(kernel_rounds, "play_rounds", note_rounds)
    for notation in ("6D", "1D H17", "INF", "6D CSM"):
        simulate(Rules.parse(notation), SENSIBLE, rounds=1_000_000, seed=1, workers=1)
    assert len(lengths) == 4
    assert max(lengths) < 1_000


@pytest.mark.slow
def test_short_runs_and_what_does_not_fit_are_left_to_the_direct_loop(monkeypatch):
    spots = make_job("6D", spots=2)
    assert find_misfit(spots) == "rounds of several spots"
    assert find_misfit(make_job("6D")) is None
    assert find_misfit(make_job("6D W21 RE BON(5=3:2)")) is None
    shown = make_job("6D UP2", strategy=basic_strategy("6D UP2"))
    assert find_misfit(shown) == "a hole card that players see"
    assert find_misfit(make_job("6D W21 BON")) == "bonuses by suit need the cards of each round"
    assert not plays_side_by_side(spots, 10**9)
    monkeypatch.setattr(whole_shoes, "is_compiled", lambda *_: False)
    assert not plays_side_by_side(make_job("6D"), whole_shoes.ROUNDS_TO_COMPILE - 1)
    assert plays_side_by_side(make_job("6D"), whole_shoes.ROUNDS_TO_COMPILE)
    monkeypatch.setattr(whole_shoes, "is_compiled", lambda *_: True)
    assert plays_side_by_side(make_job("6D"), round_sums.ROUNDS_TO_LOAD)
    with pytest.raises(NoFitError, match="several spots"):
        play_whole_shoes(spots, 0, 100, RoundSums.zeros(lower(spots)))


def test_a_run_is_told_how_it_was_played_and_why(monkeypatch):
    monkeypatch.setattr(whole_shoes, "is_compiled", lambda *_: False)
    many, job = round_sums.ROUNDS_TO_LOAD, make_job("6D")
    assert describe_loop(job, many - 1) == "shoe by shoe"
    assert describe_loop(make_job("6D", spots=2), many) == "shoe by shoe: rounds of several spots"
    assert describe_loop(job, many) == "shoe by shoe: the loop of long runs is not compiled yet"
    monkeypatch.setattr(whole_shoes, "is_compiled", lambda *_: True)
    assert describe_loop(job, many) == "shoes side by side"


def test_more_rows_of_sums_than_a_lanes_word_holds_do_not_fit(monkeypatch):
    game = lower(make_job("6D", **COUNTED)).game
    lanes.make_lanes(game, build_automaton(game, 0), 1296)
    monkeypatch.setattr(lanes, "MOST_ROWS", 1295)
    with pytest.raises(NoFitError, match="1296 rows"):
        lanes.make_lanes(game, build_automaton(game, 0), 1296)


@pytest.mark.slow
@pytest.mark.usefixtures("always")
def test_a_round_that_fails_side_by_side_fails_as_in_the_direct_loop():
    job = make_job("8D SPINF RSA HSA", strategy=SPLITTER)
    sums = RoundSums.zeros(lower(job))
    rounds = 400_000 if JIT else 100
    if JIT:
        assert play_whole_shoes(job, 0, rounds, sums) == 0
        assert not any(part.any() for part in sums if part is not None)
        with pytest.raises(UnsupportedRuleError, match="split into more than 16"):
            play_chunk(job, 0, rounds, run_rounds=rounds)


@pytest.mark.parametrize(
    ("goal", "least", "most"),
    [
        (Goal(rounds=10**7), 10**7, 10**7),
        (Goal(until=1e-4), 9 * 10**7, 10**8),
        (Goal(rounds=10**6, until=1e-4), 10**6, 10**6),
    ],
)
def test_a_goal_knows_about_how_many_rounds_it_takes(goal, least, most):
    assert least <= goal.expect_rounds() <= most


@pytest.mark.slow
@pytest.mark.skipif(not JIT, reason="there is no machine code")
def test_a_variant_counts_as_compiled_once_it_is():
    check_same(make_job("6D"), 0, 1_000)
    assert is_compiled(lockstep.play_shoes, np.zeros(1, np.int64))
    assert not is_compiled(type("Fresh", (), {"signatures": []})(), None)


@pytest.mark.slow
@pytest.mark.skipif(not JIT, reason="this is that run")
def test_the_lockstep_agrees_without_the_compiler():
    said = run_without_compiler(__file__, "-m", "slow or not slow", "-k", "counters or charts")
    assert "10 passed" in said
