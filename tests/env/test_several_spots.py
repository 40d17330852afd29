"""Several spots of one player in one environment; `tests/env/test_vector_spots.py` has many."""

import random
import re

import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from random_play import answer, draw_cards, draw_rules, make
from test_table_and_env import change_what_is_hidden, options_for, play_script

import upcard
from upcard.core.errors import EmptyShoeError, RulesError
from upcard.env.observations import (
    DOUBLE,
    FIRST_BET,
    HIT,
    INSURE,
    LAYOUTS,
    SPLIT,
    STAND,
    SURRENDER,
    Stage,
    find_action,
)
from upcard.env.oracle import ExactValues
from upcard.env.policy_charts import chart_of, chart_policy
from upcard.table.rounds import play_round

SEEDS = range(30)


def play(env, cards, *actions):
    """Play a script; return the observations, the last reward and the last info."""
    observation, info = env.reset(options={"cards": cards})
    seen, rewards = [observation], []
    for action in actions:
        observation, reward, is_over, _, info = env.step(action)
        seen.append(observation)
        rewards.append(reward)
    assert is_over
    assert not any(rewards[:-1])
    return seen, rewards[-1], info


def draw_spotted(seed, rng):
    """Draw rules and as many spots as they take, at most three."""
    rules = draw_rules(seed)
    return rules, rng.randint(rules.min_spots, min(3, rules.max_spots))


@pytest.mark.fast_cases(2)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_several_spots_pass_gymnasiums_check_with_every_observation(layout, capsys):
    check_env(make("6D", spots=3, observation=layout, illegal="stand"))


def test_a_swap_is_an_answer_of_both_hands():
    env = make("switch", observation="dict")
    with pytest.raises(RulesError, match="spots=1: the rules take 2"):
        make("switch", spots=1)
    # ace-ten and 6 5 become T 5 and 6 A
    seen, reward, info = play(env, "T 6 9 A 5 T", INSURE, STAND, STAND)
    assert seen[0]["switch"].tolist() == [10, 1, 6, 5]
    assert seen[0]["hand"][-1] == Stage.SWITCH
    assert not any(one["switch"].any() for one in seen[1:])
    assert [one["hand"][0] for one in seen] == [21, 15, 17, 17]
    assert (reward, info["hands"], info["credit"]) == (-2.0, (-1.0, -1.0), (-2.0, -1.0, -1.0))


def test_both_dealer_cards_are_observed_where_both_are_shown():
    env = make("double-exposure", observation="dict")
    observation, _ = env.reset(options={"cards": "T 6 9 T"})
    assert (observation["hand"][2], observation["hole"].tolist()) == (6, [10])
    assert observation in env.observation_space


def test_spots_are_asked_in_turn_and_a_split_stays_at_its_spot():
    env = make("6D", spots=2)
    #            8 T 6 8 9 hole; the split, a double, a hit; the dealer draws a ten
    seen, reward, info = play(env, "8 T 6 8 9 T 3 2 T 5 T", SPLIT, DOUBLE, HIT, STAND, STAND)
    fields = [tuple(one[[0, 3, 5, 6, 8]]) for one in seen]  # total, pair, split, waiting, spot
    assert fields[:5] == [
        (16, 8, 0, 1, 0),
        (11, 0, 1, 2, 0),
        (10, 0, 1, 1, 0),
        (15, 0, 1, 1, 0),
        (19, 0, 0, 0, 1),
    ]
    assert info["hands"] == (2.0, 1.0, 1.0)
    assert info["credit"] == (3.0, 2.0, 1.0, 1.0, 1.0)
    assert reward == 4.0


def test_insurance_is_asked_of_each_spot_and_credited_with_its_own_side_bet():
    env = make("6D", spots=3)
    seen, reward, info = play(env, "T A 9 A 9 T 8 T", STAND, INSURE, INSURE)
    stages = [(one[-2], one[-1]) for one in seen]  # stage, spot
    assert stages == [(1, 0), (1, 1), (1, 2), (5, 2)]
    assert [one[6] for one in seen] == [1, 2, 1, 0]  # the natural of spot 1 waits for nothing
    assert info["hands"] == (-1.0, 1.0, -1.0)
    assert info["credit"] == (0.0, 1.0, 1.0)  # even money decides about its hand
    assert reward == 0.0


def test_early_surrender_is_asked_of_each_spot_before_the_look():
    env = make("6D ES NOINS", spots=2)
    seen, reward, info = play(env, "T T T 6 9 A", SURRENDER, STAND)
    assert [(one[-2], one[-1], one[6]) for one in seen[:2]] == [(2, 0, 1), (2, 1, 0)]
    assert info["hands"] == info["credit"] == (-0.5, -1.0)
    assert reward == -1.5


def test_an_original_bet_of_each_spot_is_lost_to_a_natural_without_a_hole_card():
    env = make("6D OBO", spots=2)
    _, reward, info = play(env, "5 8 T 6 8 T T T A", DOUBLE, SPLIT, STAND, STAND)
    assert info["hands"] == (-1.0, -1.0, 0.0)
    assert info["credit"][:2] == (-1.0, -1.0)
    assert reward == -2.0


def test_every_spot_gets_the_bet_and_the_reward_is_in_its_unit():
    env = make("6D", spots=2, bets=(0, 1, "2.5"), observation="dict", episode="shoe")
    env.reset(options={"cards": "A T 6 T 9 T T" + " 5" * 20})
    observation, *_ = env.step(FIRST_BET + 2)
    assert observation["spot"].tolist() == [1.0]  # the natural of spot 0 is not asked
    assert list(observation) == ["hand", "cards", "spot"]
    _, reward, _, _, info = env.step(STAND)
    assert (reward, info["hands"], info["credit"]) == (6.25, (3.75, 2.5), (6.25, 2.5))
    _, reward, _, _, info = env.step(FIRST_BET)  # sits out: another player plays both spots
    assert (reward, info["hands"], info["credit"]) == (0.0, (), (0.0,))
    assert env.table.shoe.position == 7 + 12  # 20 at both spots, and the dealer


def test_a_round_without_a_question_ends_on_0_with_several_spots_too():
    seen, reward, info = play(make("6D", spots=2), "A A T T T 9", STAND)
    assert seen[0][7] == Stage.SETTLED
    assert (reward, info["hands"], info["credit"]) == (3.0, (1.5, 1.5), (3.0,))


def test_the_text_has_a_line_for_each_spot():
    env = make("6D", spots=2, render_mode="ansi")
    env.reset(options={"cards": "8 T 6 8 9 T 3 2"})
    env.step(SPLIT)
    assert env.render().splitlines()[1:] == [
        "dealer: 6 ? (6)",
        "spot 1: > 8 3 (11) | 8 2 (10)",
        "spot 2: T 9 (19)",
    ]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"spots": 0}, "spots=0: the rules take 1 to 7"),
        ({"spots": 8}, "spots=8: the rules take 1 to 7"),
        ({"spots": 1.5}, "spots=1.5: the rules take 1 to 7"),
        ({"spots": 2, "rules": "roanoke"}, "spots=2: the rules take 1"),
    ],
)
def test_a_number_of_spots_that_the_rules_do_not_take_is_refused(options, message):
    with pytest.raises(RulesError, match=re.escape(message)):
        make(**options)


def test_a_chart_is_not_asked_of_several_spots():
    with pytest.raises(RulesError, match="has 2 spots: a chart is asked with spots=1"):
        chart_of(lambda *_: 0, make("6D", spots=2))


@pytest.mark.fast_cases(3)
@pytest.mark.parametrize("seed", SEEDS)
def test_masks_rewards_and_credit_of_several_spots_are_those_of_the_table(seed):
    rng = random.Random(seed)
    rules, spots = draw_spotted(seed, rng)
    bet = rng.choice((1, 7, "2.5"))
    env = make(rules, **options_for(rules), bets=(bet,), spots=spots)
    for _ in range(4):
        cards = draw_cards(rng, 120)
        try:
            answers, reward, info = play_script(env, cards, rng)
        except EmptyShoeError:
            continue
        decisions = [find_action(code, question.legal) for question, code in answers]
        played = play_round(
            rules, cards, decisions=[one for one in decisions if one], bets=env.bets * spots
        )
        assert reward == float(played.net / env.bets[0])
        nets = [float(hand.net / env.bets[0]) for hand in played.hands]
        assert info["hands"] == tuple(nets)
        # The first answer about the hands of each spot, and all side bets, add up to the reward.
        credited, met = 0.0, set()
        for (question, code), credit in zip(answers, info["credit"], strict=True):
            if question.stage is Stage.SETTLED:
                assert credit == pytest.approx(reward, abs=1e-12)
            elif question.stage is Stage.INSURANCE and "even money" not in question.legal:
                credited += credit
                assert credit == 0 or code == INSURE
            elif question.view.hand.spot not in met:
                met.add(question.view.hand.spot)
                credited += credit
        unasked = {hand.spot for hand in played.hands} - met
        credited += sum(
            net for net, hand in zip(nets, played.hands, strict=True) if hand.spot in unasked
        )
        assert credited == pytest.approx(reward, abs=1e-12)


@pytest.mark.fast_cases(3)
@pytest.mark.parametrize("seed", SEEDS)
def test_no_observation_of_several_spots_depends_on_a_card_that_is_not_shown(seed):
    """Two worlds: another hole card and another order of the shoe, the same public cards."""
    rng = random.Random(seed)
    rules, spots = draw_spotted(seed, rng)
    first, second = (make(rules, **options_for(rules), spots=spots) for _ in range(2))
    for _ in range(12):
        script = draw_cards(rng, 80).split()
        actions = []
        try:
            seen = [first.reset(options={"cards": " ".join(script)})]
            for _ in range(rng.randrange(2 * spots)):
                if first.question.stage is Stage.SETTLED:
                    break
                actions.append(answer(rng, seen[-1][1]["action_mask"]))
                observation, *_, info = first.step(actions[-1])
                seen.append((observation, info))
        except EmptyShoeError:
            continue
        other = change_what_is_hidden(rules, first.table, script, rng)
        if first.question.stage is Stage.SETTLED or other is None:
            continue
        same = [second.reset(options={"cards": " ".join(other)})]
        for action in actions:
            observation, *_, info = second.step(action)
            same.append((observation, info))
        for (one, its), (two, others) in zip(seen, same, strict=True):
            assert all(np.array_equal(one[key], two[key]) for key in one)
            assert np.array_equal(its["action_mask"], others["action_mask"])
            assert its.keys() == others.keys() == {"action_mask"}


def test_the_value_of_each_answer_knows_the_cards_of_the_other_spots():
    env = ExactValues(make("1D", spots=2))
    _, info = env.reset(options={"cards": "T 5 6 6 6 T T T T"})
    solved = upcard.solve(upcard.Rules.parse("1D"), "T6", "6", shoe="1D less 5 6").ev
    assert info["ev"][STAND] == pytest.approx(solved["stand"], abs=1e-12)
    *_, info = env.step(info["best"])
    assert info["regret"] == 0.0
    assert info["best"] == DOUBLE


@pytest.mark.slow
@pytest.mark.parametrize("rules", ["6D H17 ES", "1D ENHC CSM"])
def test_play_by_the_best_answers_has_no_regret_at_several_spots(rules):
    env = ExactValues(make(rules, spots=2))
    _, info = env.reset(seed=2)
    for _ in range(120):
        _, _, is_over, _, info = env.step(info["best"])
        assert info["regret"] == 0.0
        if is_over:
            _, info = env.reset()


@pytest.mark.slow
def test_bets_at_several_spots_are_worth_so_much_more():
    env = ExactValues(make("2D", bets=(1, 4), spots=3), values_bets=True)
    _, info = env.reset(seed=1)
    ev = upcard.expected_value(upcard.Rules.parse("2D"))
    assert info["ev"][FIRST_BET:] == pytest.approx([3 * ev, 12 * ev])


@pytest.mark.slow
def test_the_mean_reward_of_several_spots_is_the_exact_value_of_each():
    rules, spots = upcard.Rules.parse("INF S17 SP1"), 3
    chart = upcard.basic_strategy(rules)
    env = make(rules, spots=spots)
    decide = chart_policy(chart, env)
    rewards = []
    _, info = env.reset(seed=6)
    while len(rewards) < 8000:
        _, reward, is_over, _, info = env.step(decide(None, info["action_mask"]))
        if is_over:
            rewards.append(reward)
            _, info = env.reset()
    error = np.std(rewards) / len(rewards) ** 0.5
    assert abs(np.mean(rewards) - spots * upcard.expected_value(rules, strategy=chart)) < 4 * error
