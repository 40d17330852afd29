import random

import gymnasium
import numpy as np
import pytest
from random_play import answer

import upcard
from upcard.core.cards import UPCARD_ORDER
from upcard.core.errors import NoExactValueError
from upcard.env.blackjack_p import MdpState, model
from upcard.strategy.chart import HAND_LABELS, UPCARD_LABELS

LETTERS = "SHDP"


def iterate_values(transitions):
    """Value iteration, as in any textbook."""
    values = np.zeros(len(transitions))
    while True:
        before = values.copy()
        for state, actions in transitions.items():
            values[state] = max(action_value(values, ways) for ways in actions.values())
        if np.abs(values - before).max() < 1e-14:
            return values


def action_value(values, ways):
    return sum(chance * (reward + (not over) * values[then]) for chance, then, reward, over in ways)


def state_of(label, upcard):
    if label == "AA":
        return MdpState(12, True, upcard, 1, True)
    if label.startswith("A"):
        return MdpState(11 + int(label[1:]), True, upcard, 0, True)
    if len(label) > 1 and label[: len(label) // 2] * 2 == label and label != "11":
        rank = int(label[: len(label) // 2])
        return MdpState(2 * rank, False, upcard, rank, True)
    return MdpState(int(label), False, upcard, 0, True)


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("p", ["4/13", "0.2", "0.02"])
def test_value_iteration_on_the_model_finds_document_002s_policy(p):
    found, solved = model(p), upcard.policy(p)
    values = iterate_values(found.P)
    for label in HAND_LABELS:
        for name, rank in zip(UPCARD_LABELS, UPCARD_ORDER, strict=True):
            actions = found.P[found.numbers[state_of(label, rank)]]
            ours = {LETTERS[code]: action_value(values, ways) for code, ways in actions.items()}
            assert ours == pytest.approx(solved.values(label, name), abs=1e-12)
    assert action_value(values, found.start) == pytest.approx(solved.ev, abs=1e-12)


def test_the_chances_of_every_action_and_of_the_deal_sum_to_1():
    found = model("1/3")
    for ways in (found.start, *(ways for one in found.P.values() for ways in one.values())):
        assert sum(chance for chance, *_ in ways) == pytest.approx(1)


def test_the_environment_visits_only_states_and_actions_of_the_model():
    found, rng = model("4/13"), random.Random(3)
    env = gymnasium.make("upcard/BlackJackP-v0").unwrapped
    observation, info = env.reset(seed=4)
    for _ in range(400):
        total, is_soft, upcard_rank, pair, has_two, is_split, _, stage = map(int, observation)
        mask = info["action_mask"]
        if stage == 4 and not is_split:
            number = found.numbers[MdpState(total, bool(is_soft), upcard_rank, pair, bool(has_two))]
            assert sorted(found.P[number]) == np.flatnonzero(mask).tolist()
        observation, _, is_over, _, info = env.step(answer(rng, mask))
        if is_over:
            observation, info = env.reset()


def test_a_p_at_which_splits_pay_without_limit_has_no_model():
    with pytest.raises(NoExactValueError, match="p = 1/2: endless splits pay without limit"):
        model(0.5)
