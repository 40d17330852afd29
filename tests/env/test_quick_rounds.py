"""Rounds along known positions against the table, which repeats each of them."""

import random

import numpy as np
import pytest
from random_play import answer, draw_cards, draw_rules, make

import upcard
from upcard.core.errors import EmptyShoeError, IllegalActionError
from upcard.env import quick_rounds
from upcard.env.observations import SPLIT
from upcard.env.quick_rounds import PositionGraph, graph_of
from upcard.rules.engines import find_refusals
from upcard.rules.settings import EngineName

SEEDS = range(40)
LAYOUTS = ("hand", "cell", "sutton-barto")


def make_both(rules, **options):
    """Make an environment that plays along positions, and one that sits at the table."""
    quick, slow = (make(rules, **options) for _ in range(2))
    assert slow.last is None
    return quick, slow


def agree(one, two):
    """Compare what two environments returned, to the last bit and type."""
    *one, its = one
    *two, others = two
    assert np.array_equal(one[0], two[0])
    assert type(one[0]) is type(two[0])
    assert one[1:] == two[1:]
    assert its.keys() == others.keys()
    assert all(np.array_equal(its[key], others[key]) for key in its)


def play_both(envs, rng, rounds, **reset):
    """Play the same random rounds in both; a script may end too early in both."""
    for number in range(rounds):
        options = reset.get("options") or ({"shuffle": True} if rng.random() < 0.1 else None)
        seed = reset.get("seed") if number == 0 else None
        first = [env.reset(seed=seed, options=options) for env in envs]
        agree(*first)
        mask, is_over, splits = first[0][1]["action_mask"], False, 0
        while not is_over and rng.random() < 0.97:
            code = answer(rng, mask)
            if code == SPLIT:
                splits += 1
                code = SPLIT if splits < 6 else 0
            steps = [env.step(code) for env in envs]
            agree(*steps)
            _, _, is_over, _, info = steps[0]
            mask = info["action_mask"]
            assert np.array_equal(mask, envs[0].action_masks())


@pytest.mark.fast_cases(6)
@pytest.mark.parametrize("seed", SEEDS)
def test_rounds_along_positions_are_those_of_the_table(seed):
    rng = random.Random(seed)
    rules = draw_rules(seed)
    layout = rng.choice(LAYOUTS)
    if layout == "cell" and any(find_refusals(rules, EngineName.CELLS)):
        layout = "hand"
    envs = make_both(rules, observation=layout, bets=(rng.choice((1, "2.5")),))
    play_both(envs, rng, 60 if seed < 6 else 400, seed=seed)
    for _ in range(4):
        cards = draw_cards(rng)
        try:
            play_both(envs, rng, 1, options={"cards": cards})
        except EmptyShoeError:
            continue
    play_both(envs, rng, 3)
    has_suits = rules.suited_natural_pays is not None or rules.bonuses is not None
    assert (envs[0]._quick is None) == (has_suits or rules.shows_hole)
    assert envs[1]._quick is None


@pytest.mark.fast_cases(2)
@pytest.mark.parametrize("rules", ["6D S17 DAS LS", "lott", "roanoke", "1D CSM", "INF", "european"])
def test_the_table_can_be_asked_at_any_time(rules):
    rng = random.Random(3)
    for number in range(12):
        quick, slow = make_both(rules)
        play_both((quick, slow), rng, number % 4 + 1, seed=number)
        if number % 2:
            agree(quick.reset(), slow.reset())
        assert quick.table.state == slow.table.state
        assert quick.table.cards == slow.table.cards
        assert quick.table.shoe.position == slow.table.shoe.position
        assert quick.question == slow.question
        assert quick.last == slow.last
        play_both((quick, slow), rng, 3)


def test_what_the_table_refuses_is_refused_with_its_reason():
    quick, slow = make_both("6D", illegal="raise")
    for env in (quick, slow):
        env.reset(options={"cards": "T 6 8 T 9"})
        with pytest.raises(IllegalActionError, match="it is not a pair"):
            env.step(SPLIT)
    agree(quick.step(1), slow.step(1))


def test_an_empty_script_voids_the_round():
    for env in make_both("6D"):
        env.reset(options={"cards": "T 6 8 T"})
        with pytest.raises(EmptyShoeError):
            env.step(1)
        with pytest.raises(IllegalActionError):
            env.step(0)
        env.reset(seed=1)


def test_environments_of_the_same_rules_share_their_positions():
    rules = upcard.Rules.parse("6D LS")
    make(rules).reset(seed=1)
    known = graph_of(rules, "hand")._known
    assert graph_of(upcard.Rules.parse("6D LS"), "hand")._known is known
    assert len(known) > 3


def test_positions_are_forgotten_when_there_are_too_many(monkeypatch):
    monkeypatch.setattr(quick_rounds, "_MOST_POSITIONS", 50)
    rules = upcard.Rules.parse("2D H17")
    quick, slow = make_both(rules)
    graph = quick._quick._graph = PositionGraph(rules, "hand")
    play_both((quick, slow), random.Random(1), 40, seed=1)
    assert len(graph._known) <= 51
