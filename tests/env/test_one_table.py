import gymnasium
import numpy as np
import pytest
from random_play import make

from upcard.core.cards import DECK
from upcard.core.errors import EmptyShoeError, IllegalActionError, RulesError
from upcard.env.blackjack import unseen_shares
from upcard.env.observations import (
    BET_CELL,
    DOUBLE,
    FIRST_BET,
    HIT,
    INSURE,
    SETTLED_CELL,
    SPLIT,
    STAND,
    SURRENDER,
    Stage,
)
from upcard.players.seen_cards import SeenCards
from upcard.rules.model import Rules
from upcard.table.events import Dealt


def play(env, cards, *actions):
    """Play a script; return the observations, the rewards and the last info."""
    observation, info = env.reset(options={"cards": cards})
    seen, rewards = [observation], []
    for action in actions:
        observation, reward, is_over, _, info = env.step(action)
        seen.append(observation)
        rewards.append(reward)
    assert is_over
    return seen, rewards, info


def test_the_reward_is_the_net_in_initial_bets_in_the_last_step():
    env = make("6D LS", bets=(10,))
    assert play(env, "T 6 8 T 5", STAND)[1] == [-1.0]
    assert play(env, "5 6 6 T T 9", DOUBLE)[1] == [2.0]
    assert play(env, "T T 6 8", SURRENDER)[1] == [-0.5]
    assert play(env, "2 T 3 8 4 T 9", HIT, HIT, STAND)[1] == [0.0, 0.0, 1.0]


def test_a_natural_at_6_5_pays_exactly_what_the_table_pays():
    assert play(make("6D 6:5", bets=("2.5",)), "A 6 T T", STAND)[1] == [1.2]


@pytest.mark.parametrize(("cards", "reward"), [("A 6 T T", 1.5), ("9 T 9 A", -1.0)])
def test_a_round_without_a_question_asks_one_that_only_0_answers(cards, reward):
    env = make("6D")
    observation, info = env.reset(options={"cards": cards})
    assert info["action_mask"].tolist() == [1, 0, 0, 0, 0, 0]
    assert observation[-1] == Stage.SETTLED
    with pytest.raises(IllegalActionError, match="the round is over, and 0 ends it"):
        env.step(HIT)
    assert env.step(0)[1:3] == (reward, True)


def test_split_hands_are_played_one_by_one_and_the_observation_counts_those_that_wait():
    seen, rewards, info = play(make("6D"), "8 6 8 T 3 2 T 5 T", SPLIT, DOUBLE, HIT, STAND)
    fields = [tuple(one[[0, 3, 5, 6]]) for one in seen]  # total, pair, split, waiting
    assert fields[:4] == [(16, 8, 0, 0), (11, 0, 1, 1), (10, 0, 1, 0), (15, 0, 1, 0)]
    assert rewards == [0, 0, 0, 3.0]
    assert info["hands"] == (2.0, 1.0)
    assert info["credit"] == (3.0, 2.0, 1.0, 1.0)


def test_insurance_is_credited_with_the_side_bet_only():
    _, rewards, info = play(make("6D"), "T A 9 T", INSURE)
    assert rewards == [0.0]
    assert info["hands"] == (-1.0,)
    assert info["credit"][0] == 1.0
    _, rewards, info = play(make("6D"), "T A 9 7", INSURE, STAND)
    assert info["credit"] == (-0.5, 1.0)
    assert rewards[-1] == 0.5


def test_even_money_has_the_number_of_insurance():
    assert play(make("6D"), "A A T T", INSURE)[1][-1] == 1.0
    assert play(make("6D"), "A A T T", STAND)[1][-1] == 0.0


def test_0_declines_every_separate_offer():
    seen, _, _ = play(make("lott"), "8 8 6 T 9", STAND, STAND)
    assert [one[-1] for one in seen] == [Stage.SPLIT, Stage.PLAY, Stage.SETTLED]
    seen, _, _ = play(make("6D ES"), "T A 6 8", STAND, STAND, STAND)
    assert [one[-1] for one in seen[:3]] == [Stage.INSURANCE, Stage.SURRENDER, Stage.PLAY]


def test_an_illegal_action_is_refused_with_the_reason_of_the_table():
    env = make("6D")
    env.reset(options={"cards": "T 6 8 T"})
    before = env.table.state
    with pytest.raises(IllegalActionError, match=r"cannot split T 8 \(18\) v 6: it is not a pair"):
        env.step(SPLIT)
    with pytest.raises(IllegalActionError, match=r"0 \(stand\), 1 \(hit\), 2 \(double\)|hit"):
        env.step(9)
    with pytest.raises(IllegalActionError, match="whole number from 0 to 5"):
        env.step(-1)
    assert env.table.state is before


def test_an_illegal_action_can_stand_in_for_0():
    env = make("6D", illegal="stand")
    env.reset(options={"cards": "T 6 8 T 5"})
    _, reward, is_over, _, info = env.step(SPLIT)
    assert (reward, is_over, info["illegal"]) == (-1.0, True, True)
    env.reset(options={"cards": "T 6 8 T 5"})
    assert "illegal" not in env.step(STAND)[4]


def test_a_step_after_the_end_asks_for_a_reset():
    env = make("6D", illegal="stand")
    play(env, "T 6 8 T 5", STAND)
    with pytest.raises(IllegalActionError, match="the episode is over: call reset"):
        env.step(0)


def test_a_bet_is_the_first_question_and_the_reward_is_in_its_unit():
    env = make("6D", bets=(1, "2.5", 8), observation="hand")
    seen, rewards, info = play(env, "T 6 8 T T", FIRST_BET + 1, STAND)
    assert seen[0].tolist() == [0.0] * 8
    assert rewards == [0.0, 2.5]
    assert info["credit"] == (2.5, 2.5)
    _, rewards, _ = play(env, "A 6 T T", FIRST_BET + 2)  # a natural asks nothing more
    assert rewards == [12.0]


def test_a_bet_of_0_sits_out_while_another_player_takes_the_cards():
    env = make("6D", bets=(0, 1), episode="shoe", count="hi-lo")
    observation, _ = env.reset(options={"cards": "T 6 8 T T 5 5 5 5 5 5 5"})
    observation, reward, is_over, _, info = env.step(FIRST_BET)
    assert (reward, is_over, info["hands"]) == (0.0, False, ())
    assert observation[-3] == Stage.BET
    assert observation[-1] == pytest.approx(6 - 5 / 52)


def test_an_action_that_is_no_bet_is_refused_where_a_bet_is_asked():
    env = make("6D", bets=(1, 2))
    env.reset(seed=1)
    with pytest.raises(
        IllegalActionError, match=r"asks for a bet. Legal: 6 \(bet 1\), 7 \(bet 2\)"
    ):
        env.step(HIT)


def test_the_shoe_lasts_over_resets_until_it_is_shuffled():
    env = make("1D", composition=True)
    env.reset(seed=3)
    for _ in range(3):
        env.step(STAND)
        env.reset()
    assert env.table.shoe.shuffles == 1
    assert env.table.shoe.position > 8
    env.reset(options={"shuffle": True})
    assert (env.table.shoe.shuffles, env.table.shoe.position) == (2, 4)


def test_an_episode_of_a_shoe_pays_every_round_and_ends_at_the_cut_card():
    env = make("2D PEN50", episode="shoe", illegal="stand", count="hi-lo")
    env.reset(seed=8)
    is_over, rounds = False, 0
    while not is_over:
        _, _, is_over, _, info = env.step(STAND)
        if "hands" in info:
            rounds += 1
            assert is_over or env.table.shoe.shuffles == 1
    assert rounds > 5
    assert env.table.shoe.position >= 52
    env.reset()
    assert env.table.shoe.shuffles == 2


def test_the_count_of_a_bet_includes_every_card_of_the_rounds_before():
    env = make("6D", bets=(1, 2), episode="shoe", count="hi-lo")
    env.reset(options={"cards": "2 T 3 4 T 6 6 6 6 6 6"})  # busts before the hole card is shown
    env.step(FIRST_BET)
    observation, *_ = env.step(HIT)
    assert observation[-2:].tolist() == [0.0, pytest.approx(6 - 5 / 52)]  # 2 3 T T, not the hole
    observation, *_ = env.step(STAND)
    assert observation[-3] == Stage.BET


def test_counts_beyond_those_that_are_distinguished_are_the_last_of_them(monkeypatch):
    def count_all():
        env = make("1D", bets=(0, 1), episode="shoe", count="hi-lo")
        env.reset(seed=2)
        return [env.step(FIRST_BET)[0][-2] for _ in range(6)]

    counts = count_all()
    assert min(counts) < -1
    assert max(counts) > 1
    monkeypatch.setattr("upcard.env.blackjack.count_range", lambda *_: (-1, 1))
    assert count_all() == [min(max(count, -1), 1) for count in counts]


def test_a_hole_card_that_was_not_turned_is_counted_when_the_round_is_over():
    """At the table it is turned up for everyone, after a bust too."""
    options = {"bets": (1, 2), "episode": "shoe", "count": "hi-lo", "composition": True}
    env = make("1D", **options)
    env.reset(options={"cards": "T T 6 4 T" + 47 * " 7"})
    env.step(FIRST_BET)
    observation, reward, _, _, info = env.step(HIT)  # 26, against a ten and the hole card
    assert (reward, info["hands"]) == (-1.0, (-1.0,))
    running = -1 - 1 + 1 - 1 + 1
    decks = (52 - 5) / 52
    expected = [running // decks, decks, *(share / 47 for share in SHARES)]
    assert observation[-12:].tolist() == pytest.approx(expected)


SHARES = (4, 4, 4, 3, 4, 3, 4, 4, 4, 13)
"""Cards of each rank, ace to ten, that are left of a deck without T T 6 4 T."""


def test_the_same_seed_deals_the_same_cards():
    first, second = make("6D", illegal="stand"), make("6D", illegal="stand")
    for env in (first, second):
        env.reset(seed=11)
    for action in (1, 0, 3, 2, 0, 1, 0, 0, 0):
        steps = [env.step(action) for env in (first, second)]
        assert np.array_equal(steps[0][0], steps[1][0])
        assert steps[0][1:3] == steps[1][1:3]
        if steps[0][2]:
            for env in (first, second):
                env.reset()
    assert first.table.cards == second.table.cards
    second.reset(seed=12)
    assert first.table.shoe._numbers != second.table.shoe._numbers


def test_a_reset_in_the_middle_of_a_round_leaves_its_cards_dealt():
    env = make("6D")
    env.reset(seed=1, options={"shuffle": True})
    dealt = env.table.shoe.position
    env.reset()
    assert env.table.shoe.position == 2 * dealt


def test_unknown_reset_options_and_too_few_cards_are_refused():
    env = make("6D")
    with pytest.raises(RulesError, match="reset option 'card': the options are cards and shuffle"):
        env.reset(options={"card": "T"})
    with pytest.raises(EmptyShoeError):
        env.reset(options={"cards": "T 6 8"})
    env.reset(seed=1)


def test_bets_and_settled_rounds_have_cells_of_their_own():
    env = make("6D", bets=(1, 2), observation="cell")
    seen, _, _ = play(env, "A 6 T T", FIRST_BET)
    assert seen == [BET_CELL, SETTLED_CELL]


def test_the_text_shows_the_table_and_nothing_hidden(capsys):
    env = make("6D", render_mode="ansi")
    env.reset(options={"cards": "8 6 8 T 3 2 T T"})
    env.step(SPLIT)
    assert env.render().splitlines()[1:] == ["dealer: 6 ? (6)", "player: > 8 3 (11) | 8 2 (10)"]
    assert capsys.readouterr().out == ""


def test_human_rendering_prints_each_step(capsys):
    env = make("6D", render_mode="human")
    play(env, "T 6 8 T 5", STAND)
    assert "dealer: 6 ? (6)" in capsys.readouterr().out


def test_rendering_without_a_mode_warns():
    env = make("6D")
    env.reset(seed=1)
    with pytest.warns(UserWarning, match="needs a mode"):
        assert env.render() is None


def test_the_space_of_actions_grows_with_the_bets():
    assert make("6D").action_space == gymnasium.spaces.Discrete(6)
    assert make("6D", bets=(1, 2, 4)).action_space == gymnasium.spaces.Discrete(9)


def test_all_shares_are_zero_once_every_card_has_been_seen():
    rules = Rules.parse("1D")
    seen = SeenCards(rules)
    for card in DECK:
        seen.hear(Dealt(0, card, 0))
    assert unseen_shares(rules, seen) == [0.0] * 10
