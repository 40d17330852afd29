"""Tables with company: only the person's own chips move, and all is found again as it was."""

import csv
import io
import json
import random
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_rules import any_rules

from campaign.books import check_books, replay_stored
from upcard import Action, EmptyShoeError
from upcard.fair.fair_shoe import FairShoe
from upcard.store.bankroll import bankroll_of, deposit, free_chips_of
from upcard.store.database import open_in_memory, open_store
from upcard.store.files import NotCoveredError, StoreDamagedError, StoreError
from upcard.store.history import (
    check_reveal,
    make_reveal,
    read_round,
    read_rounds,
    read_rounds_of_shoe,
    read_shoes,
    row_of,
    write_csv,
    write_json_lines,
)
from upcard.store.kept_table import KeptTable
from upcard.store.learning import record_judgement
from upcard.store.records import JudgementRecord
from upcard.store.round_codes import decode_round
from upcard.store.sessions import find_open_rounds
from upcard.store.statistics import add_up
from upcard.table.settle import insurance_of_spots, net_of_spots
from upcard.table.state import read_wagers

COMPANY = "basic; you; mimic martingale"


def spot_asked(state):
    return state.hands[state.active].spot


def judge(table, step, cost):
    """Record a judgement of one answer of the round in progress, or the last one."""
    judgement = JudgementRecord(
        step=step,
        situation="hard 16 v T",
        category="hard hits",
        chosen=table.actions[step],
        best=table.actions[step],
        cost_ev=cost / 10,
        cost_chips=cost,
        method="made up",
    )
    record_judgement(table.store, table.session, table.round_number, judgement)


@pytest.mark.slow
@settings(max_examples=60)
@given(any_rules(), st.integers(0, 2**32))
def test_only_own_chips_move_whatever_the_rules(rules, seed):
    rng = random.Random(seed)
    spots = rng.randint(1, min(rules.max_spots, 4))
    with open_in_memory() as store:
        deposit(store, 10**6)
        shoe = FairShoe(rules, seeds=lambda: rng.randbytes(32))
        table = KeptTable.sit_down(store, rules, shoe=shoe, company=COMPANY)
        nets, decisions = [], 0
        for _ in range(3):
            player_spots = sorted(rng.sample(range(spots), rng.randint(1, spots)))
            bets = [
                Fraction(rng.randint(1, 9)) if i in player_spots else 10**9 for i in range(spots)
            ]
            asked = []
            try:
                state = table.start(bets, player_spots=player_spots)
                assert table.player_spots == tuple(player_spots)
                while not state.is_over:
                    asked.append(spot_asked(state))
                    state = table.act(rng.choice(state.legal))
                    # What the company lays never counts as the person's.
                    assert state.is_over or free_chips_of(store) > 10**6 - 3000
            except EmptyShoeError:
                continue
            nets.append(sum(net_of_spots(state)[spot] for spot in player_spots))
            mine = [step for step, spot in enumerate(asked) if spot in player_spots]
            decisions += len(mine) * rules.betting
            stored = read_round(store, table.last_round)
            assert (stored.record.bets, stored.player_spots) == (
                read_wagers(bets),
                tuple(player_spots),
            )
            assert stored.own_answers == tuple(mine)
            assert stored.net == nets[-1]
            side = sum(insurance_of_spots(state)[spot] for spot in player_spots)
            assert stored.insurance_net == side
            assert sum(hand.net for hand in stored.own_hands) + side == stored.net
            assert [hand.cards for hand in stored.hands] == [hand.cards for hand in state.hands]
            assert stored.initial_bet == sum(bets[spot] for spot in player_spots)
        table.close()
        rounds = list(read_rounds(store))
        assert [stored.net for stored in rounds] == nets
        assert bankroll_of(store) == 10**6 + (sum(nets) if rules.betting else 0)
        check_books(store)
        found = add_up(store, value_of=lambda _: 0.0, rounds_per_hour=100).total
        assert found.decisions == decisions
        assert found.net == (sum(nets) if rules.betting else 0)
        for stored in rounds:
            assert stored.session.company == COMPANY
            end = replay_stored(stored)[-1]
            assert end.net == sum(hand.net for hand in stored.hands) + sum(insurance_of_spots(end))
        for shoe in read_shoes(store):
            rows = read_rounds_of_shoe(store, shoe.id)
            assert check_reveal(make_reveal(shoe, rows)) == len(rows)


def start_where(table, wanted, bets, player_spots):
    """Start rounds until a question is as wanted; those before are played to the end."""
    while True:
        state = table.start(bets, player_spots=player_spots)
        while not state.is_over:
            if wanted(state):
                return state
            state = table.act(Action.STAND if Action.STAND in state.legal else state.legal[-1])


def test_an_unfinished_round_has_its_own_spots_and_its_company_again(path, sit):
    with open_store(path) as store, sit(store, "6D NOINS", company=COMPANY) as table:
        state = start_where(table, lambda state: spot_asked(state) == 1, [50, 10, 70], [1])
        before, actions = bankroll_of(table.store), table.actions
        assert free_chips_of(store) == before - 10
    with open_store(path) as store:
        (found,) = find_open_rounds(store)
        assert (found.record.bets, found.player_spots) == (read_wagers((50, 10, 70)), (1,))
        assert found.session.company == COMPANY
        with KeptTable.resume(store, found) as table:
            assert (table.state, table.player_spots, table.actions) == (state, (1,), actions)
            assert table.session.company == COMPANY
            while not state.is_over:
                state = table.act(Action.STAND)
            stored = read_round(store, table.last_round)
            assert stored.net == net_of_spots(state)[1]
            assert stored.own_answers == (len(actions),)
            assert bankroll_of(store) == before + stored.net
        check_books(store)


def test_a_double_of_the_company_takes_no_chips_and_an_own_one_does(quick_store, sit):
    table = sit(quick_store, "6D NOINS", chips=100)

    def can_double(spot):
        return lambda state: spot_asked(state) == spot and Action.DOUBLE in state.legal

    start_where(table, can_double(0), [10**6, 10], [1])
    before = free_chips_of(quick_store)
    table.act(Action.DOUBLE)
    if table.is_playing:
        assert free_chips_of(quick_store) == before
    while table.is_playing:
        table.act(Action.STAND)
    start_where(table, can_double(1), [10**6, 10], [1])
    deposit(quick_store, -(bankroll_of(table.store) - 10 - 9))
    with pytest.raises(NotCoveredError, match="cannot double: it takes 10 more chips, 9 are free"):
        table.act(Action.DOUBLE)
    deposit(quick_store, 1)
    table.act(Action.DOUBLE)
    check_books(quick_store)


def test_statistics_are_of_own_bets_nets_and_decisions(quick_store, sit):
    table = sit(quick_store, "6D NOINS", company=COMPANY)
    costs, own_answers = 0.0, 0
    for _ in range(30):
        state = table.start([500, 10, 700], player_spots=[1])
        asked = []
        while not state.is_over:
            asked.append(spot_asked(state))
            state = table.act(Action.STAND)
        for step, spot in enumerate(asked):
            judge(table, step, 1.0 if spot == 1 else 1000.0)
        costs += asked.count(1)
        own_answers += asked.count(1)
    rounds = list(read_rounds(quick_store))
    found = add_up(quick_store, value_of=lambda _: -0.01, rounds_per_hour=60)
    total = found.total
    assert (total.rounds, total.initial_bets) == (30, 300)
    assert total.net == sum(stored.net for stored in rounds)
    assert (total.decisions, total.judged, total.mistakes) == (own_answers,) * 3
    assert total.error_cost == costs
    assert sum(total.grades.values()) == own_answers
    assert total.best_play == pytest.approx(-3)
    assert total.luck == pytest.approx(float(total.net) + 3 + costs)
    (leak,) = found.leaks
    assert (leak.decisions, leak.cost) == (own_answers, costs)
    assert leak.per_hour == pytest.approx(costs / 30 * 60)


@pytest.mark.parametrize("own", [[0], [1], [0, 2], [0, 1, 2]])
def test_insurance_and_side_bets_of_the_company_are_not_booked(quick_store, sit, own):
    """Everyone insures and bets on the side; each spot has chips of its own size."""
    table = sit(quick_store, "1D +PP(25/12/6) +BUST(2/2/4/12/50/250)", 100_000, company=COMPANY)
    bets = ["10 pp 1", "300 pp 20 bust 5", "7000 bust 400"]
    insured = 0
    for _ in range(60):
        before = bankroll_of(quick_store)
        state = table.start(bets, player_spots=own)
        while not state.is_over:
            wanted = (Action.INSURANCE, Action.NO_EVEN_MONEY, Action.STAND)
            state = table.act(next(one for one in wanted if one in state.legal))
        stored = read_round(quick_store, table.last_round)
        insurance = insurance_of_spots(state)
        insured += sum(insurance) != sum(insurance[spot] for spot in own)
        assert stored.insurance_net == sum(insurance[spot] for spot in own)
        assert stored.net == sum(net_of_spots(state)[spot] for spot in own)
        side = sum(one.net for one in stored.own_side)
        assert side == sum(state.side.net_of(spot) for spot in own)
        hands = sum(hand.net for hand in stored.own_hands)
        assert stored.net == hands + stored.insurance_net + side
        assert bankroll_of(quick_store) == before + stored.net
        row = row_of(stored)
        assert Fraction(str(row["insurance_net"])) == stored.insurance_net
        assert {one["spot"] for one in row["side_bets"]} <= set(own)
        (line,) = csv.DictReader(io.StringIO("".join(write_csv(quick_store, [stored]))))
        assert line["side_bets"].count(";") + bool(line["side_bets"]) == len(stored.own_side)
    assert bool(insured) is (len(own) < 3)
    check_books(quick_store)


def test_mistakes_in_houses_without_bets_are_no_leaks(quick_store, sit):
    table = sit(quick_store, "6D betting=false", chips=0)
    start_where(table, lambda state: True, [1], [0])
    table.act(Action.STAND)
    judge(table, 0, 5.0)
    found = add_up(quick_store, value_of=lambda _: 0.0, rounds_per_hour=100)
    assert (found.leaks, found.without_bets) == ((), len(list(read_rounds(quick_store))))


def test_own_and_others_hands_are_distinguished_in_exports(quick_store, sit, play):
    table = sit(quick_store, "6D NOINS", company=COMPANY)
    state = start_where(table, lambda state: spot_asked(state) == 0, [5, "2.5", 7], [1])
    while not state.is_over:
        state = table.act(Action.STAND)
    play(table, bets=(3,))
    *_, stored, alone = read_rounds(quick_store)
    row = row_of(stored)
    assert (row["company"], row["own"], row["bets"]) == (COMPANY, [1], ["5", "2.5", "7"])
    assert [hand["spot"] for hand in row["hands"]] == [1]
    assert [hand["spot"] for hand in row["others"]] == [0, 2]
    assert Fraction(str(row["net"])) == net_of_spots(state)[1]
    assert decode_round(row["code"]).result.net == state.net
    assert row_of(alone)["others"] == []
    assert [json.loads(line) for line in write_json_lines(quick_store, [stored])] == [row]
    (line,) = csv.DictReader(io.StringIO("".join(write_csv(quick_store, [stored]))))
    assert (line["own"], line["hands"].count(";"), line["others"].count(";")) == ("1", 0, 1)


def test_own_spots_must_be_there(quick_store, sit):
    table = sit(quick_store)
    assert table.player_spots == ()
    for player_spots in ([], [3], [-1], [0, 3]):
        with pytest.raises(StoreError, match="name one or more of the spots 0 to 2"):
            table.start([1, 2, 3], player_spots=player_spots)
    with pytest.raises(StoreError, match=r"name one or more of the spots 0$"):
        table.start([1], player_spots=[1])
    assert quick_store.rows("SELECT * FROM open_rounds") == []
    table.start([1, 2, 3], player_spots=(2, 0, 2))
    assert table.player_spots == (0, 2)


def test_without_own_all_spots_are_the_persons(quick_store, sit, play):
    table = play(sit(quick_store), rounds=3, bets=(5, 10))
    rounds = list(read_rounds(quick_store))
    assert {stored.player_spots for stored in rounds} == {(0, 1)} == {table.player_spots}
    assert all(stored.own_answers == tuple(range(len(stored.record.actions))) for stored in rounds)
    assert all(stored.own_hands == stored.hands for stored in rounds)
    assert quick_store.rows("SELECT DISTINCT own, own_answers FROM rounds") == [("", "")]


def test_own_spots_that_are_no_numbers_are_damage(quick_store, sit, play):
    play(sit(quick_store))
    quick_store.run("UPDATE rounds SET own = 'all'")
    with pytest.raises(StoreDamagedError, match="'all' are not numbers"):
        list(read_rounds(quick_store))
