"""The drill of deviations: no verdict contradicts the values that are printed with it."""

from __future__ import annotations

import random

import pytest

import upcard
from upcard.core.actions import Action
from upcard.drills.catalogue import DrillOptions
from upcard.rules.model import Rules
from upcard.strategy.count_system import load_system
from upcard.strategy.deviations import Deviations, load_deviations

_RULES = (
    "1D H17 D10 NDAS",
    "6D S17 DAS",
    "8D ENHC",
    "1D S17",
    "1D H17 DAS",
    "2D H17",
    "2D S17 NDAS",
    "2D H17 LS",
    "6D H17 LS",
    "6D H17 NDAS",
    "6D S17 LS DAS",
    "8D S17 DAS LS",
    "8D H17 OBO",
    "6D ES S17",
    "2D ENHC H17",
)
_SEEDS = 60


def _make(rules, system="hi-lo", indices=None):
    options = DrillOptions(rules=rules, system=system, indices=indices)
    return options.make("deviations")


@pytest.mark.fast_cases(3)
@pytest.mark.parametrize("rules", _RULES)
def test_no_verdict_contradicts_its_values(rules):
    drill = _make(Rules.parse(rules))
    keys = [item.key for item in drill.items()]
    for seed in range(_SEEDS):
        rng = random.Random(seed)
        prompt = drill.ask(keys[seed % len(keys)], rng)
        for choice in prompt.choices:
            feedback = drill.check(prompt, choice)
            _check(drill, prompt, feedback)


def _check(drill, prompt, feedback):
    ev = dict(feedback.ev)
    if feedback.right not in ev:
        return
    assert feedback.is_right == (feedback.answer == feedback.right)
    assert feedback.cost >= 0
    if ev[feedback.right] >= max(ev.values()) - 1e-9:
        return
    # Within the count, which is that of a whole bin: its other end says so.
    count = prompt.count
    question = drill._question(prompt.item, prompt.cards, prompt.upcard)
    ends = [drill._advise(question, end) for end in (count + 1,)]
    assert any(
        end is not None and end.ev[Action(feedback.right)] >= max(end.ev.values()) - 1e-9
        for end in ends
    ), (prompt.item, count, ev, feedback.right)


def test_what_contradicts_says_for_whom_the_set_is_made():
    drill = _make(Rules.parse("1D H17 D10 NDAS"))
    for seed in range(200):
        prompt = drill.ask("11 v A  D >= 1", random.Random(seed))
        if prompt.count == 0:
            break
    feedback = drill.check(prompt, "double")
    assert feedback.is_right
    assert feedback.note == (
        "i18 says hit, but is made for 4 to 8 decks, S17, DAS, PEEK: here double is better."
    )
    assert drill.check(prompt, "hit").cost > 0.05


def test_a_set_knows_for_whom_it_is_made():
    six = Rules.parse("6D S17 DAS LS")
    for name in ("i18", "fab4", "i18+fab4"):
        plays = load_deviations(name)
        assert plays.note_game(six) == ""
        again = Deviations.parse(str(plays))
        assert again.made_for == plays.made_for != ""
        note = plays.note_game(Rules.parse("2D H17 DAS LS"))
        assert name in note
        assert "this game is not 4 to 8 decks, S17:" in note
    assert Deviations.parse("16 v T S >= 0 else H").note_game(six) == ""


@pytest.mark.parametrize("rounding", ["floor", "truncate", "round"])
def test_the_bin_of_a_count_has_the_counts_that_become_it(rounding):
    from dataclasses import replace
    from fractions import Fraction

    from upcard.strategy.count_system import Rounding

    system = replace(load_system("hi-lo"), rounding=Rounding(rounding))
    for count in range(-4, 5):
        at, *ends = system.bin_of(count)
        assert at == count
        low, high = min([at, *ends]), max([at, *ends])
        for tenth in range(-60, 61):
            running = Fraction(tenth, 10)
            if system.convert(running, 52) == count:
                assert low <= running <= high
            elif low < running < high:
                pytest.fail(f"{running} is not {count}")


@pytest.mark.slow
@pytest.mark.parametrize("rules", ["2D H17 LS", "1D H17"])
def test_every_result_names_a_set_of_another_game(rules):
    """Where a set of a book is used in a game that it is not made for, the words say so."""
    run = upcard.simulate(rules, count="hi-lo", indices="i18", rounds=20_000, seed=1)
    from upcard.answers.run_results import describe_settings

    told = " ".join(text for _, text in describe_settings(run.job, None))
    assert "i18 are made for 4 to 8 decks" in told
    assert any("i18 are made for" in note for note in run.ramp("1-8").all_notes())
    found = upcard.compare_games([rules, "6D S17 DAS"], count="hi-lo", indices="i18", rounds=20_000)
    noted = [note for note in found.notes if "are made for" in note]
    assert len(noted) == 1
    assert "some are wrong in A. A number instead" in noted[0]
