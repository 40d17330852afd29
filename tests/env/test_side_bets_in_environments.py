"""Side bets as part of the bet of an environment."""

import pytest

from upcard.core.errors import RulesError, UnsupportedRuleError
from upcard.env.blackjack import BlackjackEnv
from upcard.env.exact_rewards import NET, REWARDS
from upcard.env.vector import BlackjackVectorEnv


def test_a_bet_places_side_bets_and_the_reward_has_their_nets():
    env = BlackjackEnv("6D", side_bets=("21+3 flat", "buster"), bets=(1, "1 21+3 2 bust 0.5"))
    total = placed = 0.0
    for seed in range(200):
        _, info = env.reset(seed=seed)
        bet = 6 + seed % 2
        assert info["action_mask"][bet]
        _, reward, over, _, info = env.step(bet)
        while not over:
            _, reward, over, _, info = env.step(0)
        if seed % 2:
            assert set(info["side"]) == {"21+3", "bust"}
            insured = env.table.state.insurance.net
            assert reward == pytest.approx(
                sum(info["hands"]) + sum(info["side"].values()) + float(insured)
            )
            total += info["side"]["21+3"]
            placed += 2
        else:
            assert "side" not in info
            assert reward == pytest.approx(sum(info["hands"]))
    assert -2 * placed < total < 9 * placed


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"bets": ("1 21+3 1",)}, "this house has none"),
        ({"side_bets": "21+3-flat"}, "give a sequence"),
        ({"side_bets": ("nope",)}, "no side bet is called"),
        *(
            ({"side_bets": ("buster",), "bets": ("1 bust 1",), "rewards": rewards}, "not of side")
            for rewards in REWARDS
            if rewards != NET
        ),
    ],
)
def test_what_cannot_be_is_refused(options, words):
    with pytest.raises(RulesError, match=words):
        BlackjackEnv("6D", **options)


def test_many_tables_refuse_side_bets_by_name():
    with pytest.raises(UnsupportedRuleError, match="side bets"):
        BlackjackVectorEnv(2, "6D +21+3(9)")
