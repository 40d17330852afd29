"""The environment against the table, under random rules and random play."""

import random

import numpy as np
import pytest
from random_jobs import choose_vector_rules
from random_play import answer, draw_cards, draw_rules, make

from upcard.core.errors import EmptyShoeError
from upcard.env.observations import CODES, SPLIT, STAND, Stage, find_action, find_cell
from upcard.simulation.lower import find_cells
from upcard.table.rounds import play_round
from upcard.table.state import HOLE, UPCARD, prepare

SEEDS = range(60)


def options_for(rules):
    """Observe as much as the rules allow."""
    options = {"observation": "dict"}
    if not rules.is_infinite:
        options["composition"] = True
        if rules.shows_upcard and not rules.shows_hole and rules.deck_size == 52:
            options["count"] = "hi-lo"
    return options


def play_script(env, cards, rng):
    """Play a script to its end; return the answers with what was asked, and the last step."""
    observation, info = env.reset(options={"cards": cards})
    answers, is_over = [], False
    while not is_over:
        question = env.question
        assert observation in env.observation_space
        assert set(np.flatnonzero(info["action_mask"])) == (
            {CODES[action] for action in question.legal} or {STAND}
        )
        action = answer(rng, info["action_mask"])
        if action == SPLIT and len(question.view.hands) > 6:
            action = STAND
        answers.append((question, action))
        observation, reward, is_over, _, info = env.step(action)
    return answers, reward, info


@pytest.mark.fast_cases(5)
@pytest.mark.parametrize("seed", SEEDS[::3])
def test_masks_rewards_and_credit_are_those_of_the_table(seed):
    rng = random.Random(seed)
    rules = draw_rules(seed)
    env = make(rules, **options_for(rules), bets=(rng.choice((1, 7, "2.5")),))
    for _ in range(6):
        cards = draw_cards(rng)
        try:
            answers, reward, info = play_script(env, cards, rng)
        except EmptyShoeError:
            continue
        decisions = [find_action(code, question.legal) for question, code in answers]
        played = play_round(
            rules, cards, decisions=[one for one in decisions if one], bets=env.bets * env.spots
        )
        assert reward == float(played.net / env.bets[0])
        nets = [hand.net / env.bets[0] for hand in played.hands]
        assert info["hands"] == tuple(map(float, nets))
        first = next(
            (
                credit
                for (question, _), credit in zip(answers, info["credit"], strict=True)
                if question.stage is not Stage.INSURANCE or "even money" in question.legal
            ),
            sum(info["hands"]),
        )
        assert first + float(played.insurance_net / env.bets[0]) == pytest.approx(reward, abs=1e-12)


@pytest.mark.fast_cases(2)
@pytest.mark.parametrize("seed", SEEDS[1::6])
def test_a_cell_has_the_legal_answers_of_the_simulators_table(seed):
    rng = random.Random(seed)
    rules = choose_vector_rules(random.Random(seed).choice)
    legal = {cell.number: set(cell.legal) for cell in find_cells(rules)}
    env = make(rules, observation="cell")
    for _ in range(25):
        answers, *_ = play_script(env, draw_cards(rng, 200), rng)
        for question, _ in answers:
            if question.stage not in (Stage.INSURANCE, Stage.SETTLED):
                assert legal[find_cell(question)] == set(question.legal)


@pytest.mark.fast_cases(6)
@pytest.mark.parametrize("seed", SEEDS[2::3])
def test_no_observation_depends_on_a_card_that_is_not_shown(seed):
    """Two worlds: another hole card and another order of the shoe, the same public cards."""
    rng = random.Random(seed)
    rules = draw_rules(seed)
    first, second = (make(rules, **options_for(rules)) for _ in range(2))
    compared = 0
    for _ in range(12):
        script = draw_cards(rng).split()
        actions, seen, info = [], [], None
        try:
            seen.append(first.reset(options={"cards": " ".join(script)}))
            for _ in range(rng.randrange(3)):
                if first.question.stage is Stage.SETTLED:
                    break
                actions.append(answer(rng, seen[-1][1]["action_mask"]))
                observation, _, _, _, info = first.step(actions[-1])
                seen.append((observation, info))
        except EmptyShoeError:
            continue
        other = change_what_is_hidden(rules, first.table, script, rng)
        if first.question.stage is Stage.SETTLED or other is None:
            continue
        same = [second.reset(options={"cards": " ".join(other)})]
        for action in actions:
            observation, _, _, _, info = second.step(action)
            same.append((observation, info))
        for (one, its), (two, others) in zip(seen, same, strict=True):
            assert all(np.array_equal(one[key], two[key]) for key in one)
            assert np.array_equal(its["action_mask"], others["action_mask"])
            assert its.keys() == others.keys() == {"action_mask"}
        compared += 1
    assert compared


def change_what_is_hidden(rules, table, script, rng):
    """Deal other cards where no card is shown; None if the dealer's look would differ."""
    dealt = len(table.cards)
    state = table.state
    targets = prepare(rules, len(state.insurance.bets)).deal
    hidden = [*range(dealt, len(script))]
    if HOLE in targets and not state.is_revealed:
        hidden.append(targets.index(HOLE))
    if not rules.shows_upcard and not state.is_revealed:
        hidden.append(targets.index(UPCARD))
    cards = [script[place] for place in hidden]
    rng.shuffle(cards)
    other = list(script)
    for place, card in zip(hidden, cards, strict=True):
        other[place] = card
    natural = has_natural(targets, script), has_natural(targets, other)
    return other if natural[0] == natural[1] else None


def has_natural(targets, cards):
    dealer = [cards[place][0] for place, target in enumerate(targets) if target in (UPCARD, HOLE)]
    return len(dealer) == 2 and "A" in dealer and any(face in "TJQK" for face in dealer)
