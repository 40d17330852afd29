import random

import gymnasium
import numpy as np
import pytest
from random_play import answer, make

import upcard
from upcard.core.errors import RulesError, UnsupportedRuleError
from upcard.env.observations import DOUBLE, FIRST_BET, HIT, INSURE, SPLIT, STAND, SURRENDER
from upcard.env.oracle import ExactValues


def oracle(rules="6D", *, values_bets=False, **options):
    return ExactValues(make(rules, **options), values_bets=values_bets)


def test_the_values_are_those_of_solve_and_the_regret_is_what_the_answer_loses():
    env = oracle("6D H17 LS")
    _, info = env.reset(options={"cards": "T T 6 8 A 3"})
    solved = upcard.solve(upcard.Rules.parse("6D H17 LS"), "T6", "T").ev
    values = [solved[name] for name in ("stand", "hit", "double")]
    assert info["ev"][:3] == pytest.approx(values, abs=1e-12)
    assert info["ev"][SURRENDER] == -0.5
    assert np.isnan(info["ev"][[SPLIT, INSURE]]).all()
    assert info["best"] == SURRENDER
    *_, info = env.step(HIT)
    assert info["regret"] == pytest.approx(-0.5 - solved["hit"])
    assert "round_regret" not in info
    assert info["best"] == STAND
    lost = info["ev"][STAND] - info["ev"][HIT]
    *_, info = env.step(HIT)
    assert info["regret"] == lost
    *_, info = env.step(STAND)
    assert info["regret"] == 0.0
    assert info["round_regret"] == pytest.approx(-0.5 - solved["hit"] + lost)


def test_the_values_know_the_cards_seen_in_the_shoe_and_not_the_hole_card():
    env = oracle("1D", episode="shoe")
    _, info = env.reset(options={"cards": "2 T 3 5 T T  T 6 6 9 T T"})
    *_, info = env.step(HIT)
    *_, info = env.step(STAND)  # the dealer turns up 5 and draws
    seen = upcard.solve(upcard.Rules.parse("1D"), "T6", "6", shoe="1D less 2 3 T 5 T T").ev
    assert info["ev"][STAND] == pytest.approx(seen["stand"], abs=1e-12)


def test_the_regret_of_a_round_of_the_shoe_is_its_own():
    env = oracle("1D", episode="shoe")
    _, info = env.reset(options={"cards": "2 T 3 5 T  T 6 6 9 T"})
    rounds, regrets = [], []
    for action in (STAND, STAND):
        *_, info = env.step(action)
        regrets.append(info["regret"])
        rounds.append(info["round_regret"])
    assert rounds == regrets
    assert regrets[0] > regrets[1] == 0


def test_insurance_is_a_decision_with_a_regret_of_its_own():
    env = oracle("6D")
    _, info = env.reset(options={"cards": "T A 9 5 5"})
    assert info["best"] == STAND
    *_, info = env.step(INSURE)
    assert info["regret"] == pytest.approx(0.5 - 1.5 * 95 / 309)


def test_an_illegal_action_that_stands_in_for_0_is_judged_as_0():
    env = oracle("6D", illegal="stand")
    env.reset(options={"cards": "5 6 6 T T"})
    *_, info = env.step(SPLIT)
    solved = upcard.solve(upcard.Rules(), "56", "6").ev
    assert info["regret"] == pytest.approx(solved["double"] - solved["stand"])


def test_a_settled_round_has_its_net_as_the_value():
    env = oracle("6D")
    _, info = env.reset(options={"cards": "A 6 T T"})
    assert (info["ev"][STAND], info["best"]) == (1.5, STAND)
    *_, info = env.step(0)
    assert (info["regret"], info["round_regret"]) == (0.0, 0.0)


def test_values_are_in_the_unit_of_the_reward():
    env = oracle("6D", bets=(1, 8))
    _, info = env.reset(options={"cards": "5 6 6 T T 9"})
    assert (info["best"], np.isnan(info["ev"]).all()) == (-1, True)
    *_, info = env.step(FIRST_BET + 1)
    assert info["regret"] == 0.0
    solved = upcard.solve(upcard.Rules(), "56", "6").ev
    assert info["ev"][DOUBLE] == pytest.approx(8 * solved["double"])


@pytest.mark.slow
def test_bets_have_the_exact_value_of_the_next_round():
    env = oracle("2D", bets=(0, 1, 4), values_bets=True)
    _, info = env.reset(seed=1)
    ev = upcard.expected_value(upcard.Rules.parse("2D"))
    assert info["ev"][FIRST_BET:] == pytest.approx([0.0, ev, 4 * ev])
    assert info["best"] == FIRST_BET
    *_, info = env.step(FIRST_BET + 2)
    assert info["regret"] == pytest.approx(-4 * ev)


def test_what_has_no_exact_value_is_refused():
    with pytest.raises(RulesError, match=r"exact values are for upcard/Blackjack-v1"):
        ExactValues(gymnasium.make("upcard/SuttonBarto-v0"))
    with pytest.raises(UnsupportedRuleError, match="shows_upcard"):
        oracle("seven-hands shows_upcard=false")
    with pytest.raises(UnsupportedRuleError, match="'cell' cannot honour shows_hole=true"):
        make("double-exposure", observation="cell")
    with pytest.raises(UnsupportedRuleError, match="'sutton-barto' cannot honour switch=true"):
        make("switch", observation="sutton-barto")
    with pytest.raises(RulesError, match="no split play is called 'CDX'"):
        ExactValues(make("6D"), splits="CDX")


@pytest.mark.slow
@pytest.mark.parametrize("rules", ["6D H17 LS", "1D ENHC CSM", "lott", "double-exposure"])
def test_play_by_the_best_answers_has_no_regret(rules):
    env = oracle(rules)
    _, info = env.reset(seed=2)
    for _ in range(250):
        _, _, is_over, _, info = env.step(info["best"])
        assert info["regret"] == 0.0
        if is_over:
            assert info["round_regret"] == 0.0
            _, info = env.reset()


@pytest.mark.slow
def test_the_gap_to_the_optimum_is_the_mean_regret():
    """The performance-difference lemma; a tenth of the answers is random."""
    rules, rounds, rng = "INF S17 SP1", 12_000, random.Random(5)
    env = oracle(rules)
    _, info = env.reset(seed=9)
    rewards, regrets = np.zeros(rounds), np.zeros(rounds)
    for number in range(rounds):
        is_over = False
        while not is_over:
            action = answer(rng, info["action_mask"]) if rng.random() < 0.1 else info["best"]
            _, reward, is_over, _, info = env.step(action)
        rewards[number], regrets[number] = reward, info["round_regret"]
        _, info = env.reset()
    by_reward = upcard.expected_value(upcard.Rules.parse(rules)) - rewards.mean()
    errors = np.array([rewards.std(), regrets.std()]) / rounds**0.5
    assert errors[1] < errors[0] / 4
    assert abs(by_reward - regrets.mean()) < 4 * np.hypot(*errors)
