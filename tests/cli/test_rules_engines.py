"""`upcard rules` says which engine honours what: "yes" plays or solves, "no" really refuses."""

from __future__ import annotations

import json

import pytest
from driving import talk
from hypothesis import given, settings
from hypothesis import strategies as st
from marks import slow_except
from random_rules import any_rules

import upcard
from upcard.answers.rules import explain_rules, find_engines
from upcard.core.cards import RANKS
from upcard.core.errors import EmptyShoeError, UnsupportedRuleError
from upcard.core.numbers import to_json
from upcard.exact.composition import read_shoe
from upcard.exact.finite import FiniteSolver
from upcard.exact.full_memory import values
from upcard.exact.full_memory.values import Cost
from upcard.exact.infinite import InfiniteSolver
from upcard.exact.nonstandard import NonstandardSolver
from upcard.exact.supported_rules import SplitPlay
from upcard.exact.switch import SwitchSolver
from upcard.rules.house import house_names
from upcard.rules.model import Rules
from upcard.rules.settings import EngineName
from upcard.simulation import table_engine
from upcard.simulation.job import Engine, Job
from upcard.simulation.kernel_rounds import play_chunk
from upcard.simulation.kernels.game import MOST_HANDS
from upcard.strategy.chart import DEALER_LABELS, PAIR_LABELS, ROWS, UPCARD_LABELS, Strategy

CHARTS = {
    columns: Strategy(
        cells=tuple(("P" if label in PAIR_LABELS[:9] else "S",) * len(columns) for label in labels),
        columns=columns,
    )
    for columns, labels in ROWS.items()
}
ENGINES = (
    *(EngineName.TABLE, EngineName.SIMULATOR, EngineName.INFINITE, EngineName.FINITE),
    *(EngineName.FULL_MEMORY, EngineName.NONSTANDARD, EngineName.SWITCH),
)


def answers(rules):
    return {answer.engine: answer for answer in find_engines(rules)}


def play(rules, engine):
    """Play a few rounds by what every house allows."""
    job = Job(
        rules=rules,
        strategy=CHARTS[DEALER_LABELS if rules.shows_hole else UPCARD_LABELS]
        if engine is Engine.KERNEL
        else None,
        player=None if engine is Engine.KERNEL else "lott",
        seed=1,
        spots=min(2, rules.max_spots),
        engine=engine,
    )
    assert play_chunk(job, 0, 25).seen == 25


def solve_finite(rules):
    shoe, hole = read_shoe(None, rules), 6 * rules.shows_hole
    assert FiniteSolver(rules, shoe, upcards=(9,), pairs=(), hole=hole).values((10, 6), 9)


def solve_odd(rules):
    solver = NonstandardSolver(rules, read_shoe(None, rules))
    assert solver.find((10, 6))


def remember(rules):
    """Put every pair to full memory, but for the minutes of work behind its refusals."""
    shoe = read_shoe(None, rules)
    splits = SplitPlay.FULL_AT_ONCE
    solver = FiniteSolver(rules, shoe, upcards=(9,), pairs=RANKS, splits=splits).prepared
    for rank in solver.splits_of:
        values.value_split(solver, 9, rank)


WORK = {
    EngineName.TABLE: lambda rules: play(rules, Engine.TABLE),
    EngineName.SIMULATOR: lambda rules: play(rules, Engine.KERNEL),
    EngineName.INFINITE: lambda rules: InfiniteSolver(rules, hole=6 * rules.shows_hole).values(
        "T6", "9"
    ),
    EngineName.FINITE: solve_finite,
    EngineName.NONSTANDARD: solve_odd,
    EngineName.SWITCH: lambda rules: SwitchSolver(rules, rules.full_shoe.counts).values((10, 6), 9),
}


def check(rules, engine):
    """Hold an engine's answer against what it does."""
    answer = answers(rules)[engine]
    refused = None
    try:
        WORK[engine](rules)
    except UnsupportedRuleError as error:
        refused = error
    except EmptyShoeError:
        if rules.decks != 1:  # one deck may run out, whatever the rules
            raise
    assert answer.honours == (refused is None), (answer, refused)
    assert answer.honours == (not answer.refuses)
    if refused is not None:
        assert refused.engine == engine
        assert refused.rule == answer.refuses[0].rule
        assert str(refused).endswith(answer.refuses[0].reason)


@pytest.mark.slow
@settings(max_examples=150)
@given(any_rules(), st.sampled_from(tuple(WORK)))
def test_yes_is_played_or_solved_and_no_is_the_engines_own_refusal(rules, engine):
    check(rules, engine)


QUICK = set(house_names()) - {"pontoon-au", "spanish-21", "switch", "zombie"}
"""Houses that need no variant of the simulator of their own, which takes 7 s to compile."""


@pytest.mark.parametrize("engine", WORK)
@pytest.mark.parametrize("house", slow_except(QUICK, house_names()))
def test_the_answers_about_every_house_are_true(house, engine):
    check(upcard.house(house), engine)


@pytest.mark.slow
@settings(max_examples=40)
@given(any_rules())
def test_full_memory_says_what_it_refuses_of_some_pair(rules):
    check_memory(rules.replace(decks=1, ten_probability="4/13", ace_rule="best"))


@pytest.mark.parametrize("notation", ["1D SP2", "1D SP1", "6D SP4", "1D SP3 split_by=rank"])
def test_full_memory_knows_decks_and_hands_but_no_faces(notation):
    check_memory(Rules.parse(notation))


def check_memory(rules):
    answer = answers(rules)[EngineName.FULL_MEMORY]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(values, "solve_split", lambda *_: 0.0)
        patch.setattr(values, "check_one", lambda *_, **__: Cost(1.0, 1.0))
        patch.setattr(values, "_known", {})
        try:
            remember(rules)
            refused = None
        except EmptyShoeError:
            refused = None  # one deck may run out, whatever the rules
        except UnsupportedRuleError as error:
            refused = error
    assert answer.honours == (refused is None), (answer, refused)
    if refused is not None:
        assert any(str(refused).endswith(one.reason) for one in answer.refuses)


def test_only_one_rule_of_a_house_is_enough_to_be_refused_by_name():
    told = answers(Rules.parse("6D max_total_hands=7 split_by=rank"))[EngineName.SIMULATOR]
    assert [one.rule for one in told.refuses] == ["split_by=rank", "max_total_hands=7"]


@pytest.mark.slow
@given(any_rules())
def test_exact_values_of_decks_are_not_those_of_an_infinite_deck(rules):
    honoured = {engine for engine, answer in answers(rules).items() if answer.honours}
    of_decks = {EngineName.FINITE, EngineName.FULL_MEMORY, EngineName.NONSTANDARD}
    assert not honoured & (of_decks if rules.is_infinite else {EngineName.INFINITE})


def test_limits_are_those_of_the_engines():
    told = answers(Rules.parse("6D SPINF"))
    assert told[EngineName.TABLE].limit.endswith(f"more than {table_engine.MOST_HANDS}")
    assert told[EngineName.SIMULATOR].limit.endswith(f"more than {MOST_HANDS}")
    assert not any(answer.limit for answer in find_engines(Rules()))


# --- what is shown ---


@pytest.mark.slow
@settings(max_examples=40)
@given(any_rules())
def test_the_table_has_every_engine_on_80_columns(rules):
    answer = talk(["rules", str(rules)])
    assert answer.code == 0
    table = answer.out.partition("Which engine honours these rules:\n")[2]
    assert all(len(line) < 80 for line in table.splitlines())
    text = " ".join(table.split())
    found = explain_rules(rules).engines
    assert tuple(one.engine for one in found) == ENGINES
    for one in found:
        assert " ".join(f"{one.engine} {one.sentence}".split()) in text


def test_json_has_the_same_answers():
    told = json.loads(talk(["rules", "lott", "--json"]).out)
    assert told == to_json(explain_rules(upcard.house("lott")))


def test_no_compiler_is_started():
    """Explaining rules is at once."""
    import subprocess
    import sys

    code = (
        "import sys; from upcard.cli.app import run; run(['rules', 'lott']);"
        "sys.exit(' '.join(m for m in ('numba', 'numpy', 'rich') if m in sys.modules) or 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)
    assert (done.returncode, done.stderr.decode()) == (0, "")
