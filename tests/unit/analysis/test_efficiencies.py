"""Playing efficiency and the correlations of decisions, against published ones."""

from __future__ import annotations

from fractions import Fraction
from math import erf, exp, pi, sqrt

import pytest

from upcard.analysis import efficiencies
from upcard.core.actions import Action
from upcard.core.cards import rank_name
from upcard.core.errors import UnsupportedRuleError
from upcard.exact.solve import solve
from upcard.rules.model import Rules
from upcard.simulation.run import simulate
from upcard.strategy.count_system import CountSystem, load_system

PUBLISHED = {
    "hi-lo": 0.51,
    "ko": 0.55,
    "hi-opt-1": 0.61,
    "hi-opt-2": 0.67,
    "omega-2": 0.67,
    "zen": 0.63,
    "wong-halves": 0.56,
    "uston-apc": 0.69,
}
EARLY = Rules.parse("6D ES")


def count(*tags):
    return CountSystem(name="mine", title="t", source="s", tags=(0, *tags))


GREATEST = count(51, 60, 85, 125, 169, 122, 117, 43, -52, -180)


@pytest.mark.parametrize(
    ("system", "efficiency"),
    [(count(0, 1, 2, 2, 3, 2, 2, 1, -1, -3), 0.690), (GREATEST, 0.703)],
)
def test_the_two_greatest_efficiencies_of_griffin(system, efficiency):
    """Source: Peter Griffin, The Theory of Blackjack, chapter 4."""
    assert round(efficiencies.playing_efficiency(system), 3) == efficiency


@pytest.mark.parametrize("name", PUBLISHED)
def test_the_efficiencies_of_the_systems_are_close_to_published_ones(name):
    found = efficiencies.playing_efficiency(load_system(name))
    assert found == pytest.approx(PUBLISHED[name], abs=0.0115)


def test_the_greatest_of_all_tags_by_this_definition_is_one_in_a_thousand_higher():
    ours = efficiencies.playing_efficiency(count(52, 64, 87, 119, 155, 122, 112, 47, -37, -180))
    assert round(ours, 4) == 0.7039
    assert ours - efficiencies.playing_efficiency(GREATEST) == pytest.approx(0.0013, abs=1e-4)


def test_scale_and_sign_of_the_tags_change_nothing():
    hi_lo = load_system("hi-lo")
    turned = hi_lo.replace(tags=tuple(-3 * tag for tag in hi_lo.tags))
    same = efficiencies.playing_efficiency(hi_lo)
    assert efficiencies.playing_efficiency(turned) == pytest.approx(same, abs=1e-12)


def test_the_correlations_of_early_surrender_against_an_ace():
    """Zenfighter prints .7843, .8266, .7247, with weights that are not exact."""
    table = efficiencies.tabulate_decisions(load_system("hi-lo"), EARLY).to_dicts()
    cell = {"upcard": "A", "action": "surrender"}
    found = {row["hand"]: row["correlation"] for row in table if cell.items() <= row.items()}
    assert [round(found[hand], 4) for hand in ("T6", "T5", "T4")] == [0.7809, 0.8254, 0.7237]


def test_the_effects_are_those_of_hands_solved_one_by_one():
    rules = Rules.parse("2D LS")
    found = {
        (one.hand, one.upcard, one.action): one for one in efficiencies.decision_effects(rules)
    }
    order = [Action.HIT, Action.STAND, Action.DOUBLE, Action.SPLIT, Action.SURRENDER]

    def gain(hand, upcard, action, shoe=None):
        values = solve(rules, hand, rank_name(upcard), shoe=shoe).ev
        rest = [values[one] for one in order[: order.index(action)] if one in values]
        return values[action] - max(rest)

    for place in [
        *[("T6", 10, Action.SURRENDER), ("A7", 2, Action.DOUBLE), ("T2", 4, Action.STAND)],
        *[("99", 7, Action.SPLIT), ("65", 1, Action.DOUBLE)],
    ]:
        whole = gain(*place)
        assert found[place].gain == pytest.approx(whole, abs=1e-12)
        for rank in (1, 5, 10):
            effect = gain(*place, shoe=f"2D less {rank_name(rank)}") - whole
            assert found[place].effects[rank - 1] == pytest.approx(effect, abs=1e-12)


@pytest.mark.parametrize("pays", ["1:1", "2:1", "5:2", "3:1"])
def test_the_effects_on_insurance_are_those_of_what_it_pays(pays):
    rules = Rules.parse(f"2D INS({pays})")
    (found,) = efficiencies._insure(rules)
    won = Fraction(pays.replace(":", "/"))

    def gain(tens, cards):
        return (won * tens / cards - Fraction(cards - tens, cards)) / 2

    whole = gain(32, 103)  # without the dealer's ace
    assert found.gain == pytest.approx(float(whole), abs=1e-15)
    for rank, effect in enumerate(found.effects, start=1):
        assert effect == pytest.approx(float(gain(32 - (rank == 10), 102) - whole), abs=1e-15)


def test_the_linear_gain_is_the_mean_of_what_a_normal_gain_is_above_0():
    for mean, deviation in [(-0.02, 0.05), (0.1, 0.04), (0.0, 1.0), (-0.3, 0.2)]:
        x = abs(mean) / deviation
        above = exp(-x * x / 2) / sqrt(2 * pi) - x * (1 - erf(x / sqrt(2))) / 2
        assert efficiencies.linear_gain(mean, deviation) == pytest.approx(deviation * above)
    assert efficiencies.linear_gain(-1.0, 0.0) == efficiencies.linear_gain(-1.0, 1e-3) == 0


@pytest.mark.parametrize(("rules", "rule"), [("INF", "INF"), ("6D UP2", "shows_hole=true")])
def test_rules_without_such_decisions_are_refused(rules, rule):
    with pytest.raises(UnsupportedRuleError, match=rule):
        efficiencies.decision_effects(Rules.parse(rules))


def test_the_simulator_refuses_tags_that_its_integers_cannot_hold():
    with pytest.raises(UnsupportedRuleError, match=r"count mine: it has tags of up to 180"):
        simulate(Rules(), rounds=1000, count=GREATEST)


def test_the_efficiency_of_a_count_of_48_cards_is_that_of_its_deck():
    short = count(-1, 1, 1, 1, 1, 1, 1, 0, 0, -1).replace(deck_size=48)
    fewer = count(0, 1, 1, 1, 1, 1, 1, 0, 0, -2).replace(deck_size=48)
    assert 0.4 < efficiencies.playing_efficiency(short) < efficiencies.playing_efficiency(fewer) < 1
