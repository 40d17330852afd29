"""Replay: the table plays every round of a run again, and says so when it comes out otherwise."""

from __future__ import annotations

from dataclasses import replace
from functools import cache, partial

import numpy as np
import pytest
from fake_rounds import CHUNK, play_everything
from marks import slow_except

from upcard.core.actions import Action
from upcard.core.errors import RulesError
from upcard.players.bots import basic_chart
from upcard.rules.model import Rules
from upcard.simulation import run_rounds
from upcard.simulation.job import Engine, Job
from upcard.simulation.kernel_rounds import play_chunk
from upcard.simulation.run_rounds import (
    ReplayMismatchError,
    choose_round,
    count_rounds,
    count_shoes,
    replay_shoe,
)
from upcard.simulation.table_engine import Decision
from upcard.strategy.count_system import load_system
from upcard.strategy.deviations import load_deviations
from upcard.strategy.ramp import parse_ramp

HI_LO = load_system("hi-lo")
COUNTED = {"system": HI_LO, "deviations": load_deviations("i18", HI_LO)}


def make_job(notation, *, engine=Engine.KERNEL, **changes):
    rules = Rules.parse(notation)
    strategy = None if "player" in changes else basic_chart(rules)
    settings = {"strategy": strategy, "seed": 11, "engine": engine, "chunk_rounds": 5000}
    return Job(rules=rules, **(settings | changes))


def replay_all(job, rounds, *, chunk=0, ramp=None):
    shoes = count_shoes(job, chunk, rounds)
    return [replay_shoe(job, chunk, shoe, rounds=rounds, ramp=ramp) for shoe in range(shoes)]


JOBS = {
    "a count": partial(make_job, "2D LS", **COUNTED),
    "spots and a seat": partial(
        make_job, "2D OBO RSA HSA PEN90", spots=3, system=load_system("hi-opt-2"), enter=1, leave=0
    ),
    "red sevens": partial(make_job, "1D H17 ES", system=load_system("red-7"), leave=-3),
    "a shoe dealt to its end": partial(make_job, "1D PEN100", spots=4, **COUNTED),
    "a shuffle every round": partial(make_job, "6D CSM", system=load_system("ko"), spots=2),
    "an infinite deck": partial(make_job, "INF ENHC 6:5", spots=2),
    "the table": partial(make_job, "2D LS", engine=Engine.TABLE, **COUNTED),
    "the table, seated by the count": partial(
        make_job, "lott", engine=Engine.TABLE, player="lott-simple", system=HI_LO, enter=2, leave=1
    ),
    "a player by chance": partial(
        make_job, "roanoke", engine=Engine.TABLE, player="computer:1,17,0.5"
    ),
    "the table without end": partial(make_job, "mdp", engine=Engine.TABLE),
}


@cache
def find_job(name):
    return JOBS[name]()


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("name", slow_except([*JOBS.keys() - {"an infinite deck"}], JOBS))
def test_the_rounds_of_all_shoes_are_those_of_the_chunk(name):
    """Seats, counts and nets of the replayed rounds add up to the tally, to the last integer."""
    job, rounds = find_job(name), 421
    tally = play_chunk(job, 2, rounds)
    sums = np.zeros_like(tally.rounds.sum(axis=0))
    added = cards = 0
    for shoe, replayed in enumerate(replay_all(job, rounds, chunk=2)):
        assert [one.number for one in replayed] == list(range(1, len(replayed) + 1)), shoe
        for one in replayed:
            net = int(one.state.net * tally.unit) - tally.least_net
            sums[int(one.is_seated), one.count - tally.least_count, net] += 1
            added += 2 * one.added
            cards += len(one.cards)
    assert (sums == tally.rounds.sum(axis=0)).all()
    assert (added, cards) == (tally.added.sum(), tally.cards)


@pytest.mark.parametrize("rounds", [1, 2, 11, 12, 40])
def test_a_chunk_may_end_in_the_middle_of_a_shoe(rounds):
    for name in ("a count", "an infinite deck", "the table"):
        assert sum(map(len, replay_all(find_job(name), rounds))) == rounds


def test_bets_are_those_of_the_ramp_and_nets_are_in_its_units():
    job = find_job("a count")
    ramp = parse_ramp("-1:0 0:1 1:5", HI_LO, decks=2)
    flat = [one for shoe in replay_all(job, 300) for one in shoe]
    bet = [one for shoe in replay_all(job, 300, ramp=ramp) for one in shoe]
    assert {one.bet for one in bet} == {0, 1, 5}
    for one, other in zip(flat, bet, strict=True):
        assert other.bet == ramp.bet(other.count)
        assert other.net == one.net * other.bet


def test_who_is_not_seated_bets_nothing():
    rounds = [one for shoe in replay_all(find_job("spots and a seat"), 300) for one in shoe]
    assert {one.is_seated for one in rounds} == {False, True}
    assert all(bool(one.bet) is one.is_seated for one in rounds)
    assert all(one.net == 0 for one in rounds if not one.is_seated)


def test_decisions_carry_their_reasons():
    rounds = [one for shoe in replay_all(find_job("a count"), 400) for one in shoe]
    decisions = [step for one in rounds for step in one.steps if isinstance(step, Decision)]
    assert all(step.reason.action is step.action for step in decisions)
    assert any(step.reason.deviation is not None for step in decisions)
    assert any(step.reason.insurance is not None for step in decisions)


# --- the check can fail ---


def change(one, what):
    match what:
        case "count":
            return replace(one, count=one.count + 1)
        case "seat":
            return replace(one, is_seated=not one.is_seated)
        case "net":
            return replace(one, net=one.net + 1)
        case "insurance":
            return replace(one, insurance_net=one.insurance_net + 1)
        case "hands":
            return replace(one, hands=(one.hands[0]._replace(bets=3), *one.hands[1:]))
        case "added":
            return replace(one, added=one.added + 1)
        case "decisions":
            other = one.answers[0]._replace(action=Action.NO_SPLIT)
            return replace(one, answers=(other, *one.answers[1:]))
        case "more":
            return replace(one, cards=one.cards[:-1])
        case "fewer":
            return replace(one, cards=(*one.cards, one.cards[0]))


@pytest.mark.parametrize(
    "what", ["count", "seat", "net", "added", "insurance", "hands", "decisions", "more", "fewer"]
)
def test_a_difference_is_said_to_be_a_bug_and_where(monkeypatch, what):
    job = make_job("6D", **COUNTED)
    real = run_rounds.record_shoe

    def record(*arguments, **named):
        rounds = list(real(*arguments, **named))
        place = next(index for index, one in enumerate(rounds) if one.answers)
        rounds[place] = change(rounds[place], what)
        return tuple(rounds)

    monkeypatch.setattr(run_rounds, "record_shoe", record)
    with pytest.raises(ReplayMismatchError) as caught:
        replay_shoe(job, 0, 1, rounds=500)
    assert f" {what}" in str(caught.value)
    assert " of shoe 1 in chunk 0 " in str(caught.value)
    assert "this is a bug in upcard" in str(caught.value)


# --- what there is not ---


@pytest.mark.parametrize(
    "name", ["a count", "the table", "a shuffle every round", "a player by chance"]
)
def test_a_shoe_that_is_not_there_is_refused_with_those_that_are(name):
    job = find_job(name)
    shoes = count_shoes(job, 0, 300)
    assert replay_shoe(job, 0, shoes - 1, rounds=300)
    with pytest.raises(RulesError, match=f"chunk 0 has {shoes} shoes, 0 to {shoes - 1}"):
        replay_shoe(job, 0, shoes, rounds=300)


def test_a_round_that_is_not_there_is_refused_with_those_that_are():
    rounds = replay_shoe(find_job("a count"), 0, 0, rounds=300)
    last = len(rounds)
    assert choose_round(rounds, last).number == last
    for number in (0, last + 1):
        with pytest.raises(RulesError, match=f"this shoe has {last}, 1 to {last}"):
            choose_round(rounds, number)


def test_a_chunk_has_the_rounds_of_the_run_and_no_others():
    state = play_everything(2 * CHUNK + 7)
    assert [count_rounds(state, chunk) for chunk in range(3)] == [CHUNK, CHUNK, 7]
    with pytest.raises(RulesError, match="no chunk 3: this run has 3 chunks, 0 to 2"):
        count_rounds(state, 3)
