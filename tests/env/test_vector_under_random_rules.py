"""Many tables in compiled code against single tables under random rules: masks, ends and credit."""

from __future__ import annotations

import os
import random

import pytest
from gymnasium.vector import AutoresetMode
from marks import slow_except
from random_jobs import choose_vector_rules
from random_rules import ODD_VALUES, vary
from vector_twins import Twins
from without_compiler import run_without_compiler

from upcard.core.errors import UnsupportedRuleError
from upcard.env import vector
from upcard.rules import engines
from upcard.rules.engines import find_refusals
from upcard.rules.model import Rules
from upcard.rules.settings import EngineName

JIT = os.environ.get("NUMBA_DISABLE_JIT", "0") in ("", "0")
MODES = tuple(AutoresetMode)
LAYOUTS = ("hand", "cards", "dict")


def draw_supported(seed):
    """Draw rules that the simulator knows."""
    return choose_vector_rules(random.Random(seed).choice)


def play(seed, steps):
    """Play random rules in one of the modes, with as much observed as the rules allow."""
    rng = random.Random(seed)
    rules = draw_supported(seed)
    options = {"observation": rng.choice(LAYOUTS)}
    if not rules.is_infinite and rng.random() < 0.7:
        options |= {"count": rng.choice(("hi-lo", "ko", "red-7")), "composition": True}
        if rules.deck_size == 48:  # no count that comes with upcard is for it
            del options["count"]
    if not rules.is_infinite and rng.random() < 0.3:
        options["episode"] = "shoe"
    options["bets"] = rng.choice(((1,), (1, 3), (0, "2.5", 1)))
    return Twins(rules, rng.choice(MODES), tables=6, seed=seed, **options).play(steps)


@pytest.mark.parametrize("spots", slow_except([1], [1, 3]))
@pytest.mark.parametrize("words", ["P22 FD9-11 FSNT RSA", "P22 FDANY DANY FSANY OBO D3X SP8"])
def test_many_tables_pay_free_bets_as_single_tables_do(words, spots):
    rules = Rules.parse(f"1D DAS {words}")
    Twins(rules, MODES[0], tables=6, seed=5, spots=spots).play(150 if JIT else 40)


REFUSED = [
    case
    for case in ODD_VALUES
    if set(find_refusals(vary(*case), EngineName.VECTOR))
    > set(find_refusals(vary(*case), EngineName.SIMULATOR))
]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "value"), REFUSED)
def test_a_rule_that_many_tables_refuse_is_one_that_they_would_play_wrongly(
    name, value, monkeypatch
):
    rules = vary(name, value, decks=2)
    monkeypatch.setattr(vector, "check", lambda *_: None)
    monkeypatch.setattr(engines, "check", lambda *_: None)

    def play_twins():
        for seed in range(4):
            Twins(rules, MODES[0], tables=6, seed=seed).play(150)

    with pytest.raises((AssertionError, UnsupportedRuleError)):
        play_twins()


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(40 if JIT else 4))
def test_many_tables_are_single_tables_under_random_rules(seed):
    play(seed, 80 if JIT else 40)


@pytest.mark.slow
@pytest.mark.skipif(not JIT, reason="this is the run without machine code")
def test_many_tables_agree_without_machine_code_too():
    run_without_compiler(__file__, "-m", "slow or not slow")
