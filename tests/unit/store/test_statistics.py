"""Results taken apart; judgements, drills and runs; what is exported."""

import csv
import io
import json
from fractions import Fraction

import pytest

from campaign.books import check_books, read_judgements
from upcard import Action, Rules
from upcard.store.bankroll import add_run, load_object, read_runs, save_object
from upcard.store.files import StoreDamagedError
from upcard.store.history import (
    COLUMNS,
    read_rounds,
    row_of,
    write_csv,
    write_json_lines,
)
from upcard.store.learning import record_judgement
from upcard.store.records import JudgementRecord, read_actions, read_amount, read_cards
from upcard.store.round_codes import decode_round
from upcard.store.statistics import add_up, game_value


def judge(table, cost, category="soft doubles"):
    """Judge the last decision of a table."""
    judgement = JudgementRecord(
        step=len(table.actions) - 1,
        situation="A6 v 3",
        category=category,
        chosen=table.actions[-1],
        best=Action.DOUBLE if cost else table.actions[-1],
        cost_ev=cost / 10,
        cost_chips=cost,
        method="exact, fresh shoe",
    )
    record_judgement(table.store, table.session, table.round_number, judgement)
    return judgement


def play_judged(table, costs):
    """Play rounds by standing, and judge the first decision of each that has one."""
    judged = []
    left = list(costs)
    while left:
        state = table.start([10])
        while not state.is_over:
            state = table.act(Action.STAND if Action.STAND in state.legal else state.legal[-1])
            if left and len(table.actions) == 1:
                judged.append(judge(table, left.pop(0)))
    return judged


def add_up_at(store, value, hourly=100.0):
    return add_up(store, value_of=lambda _: value, rounds_per_hour=hourly)


def test_an_empty_store_adds_up_to_nothing(quick_store):
    found = add_up_at(quick_store, -0.01)
    assert (found.total.rounds, found.total.net, found.total.luck_deviation) == (0, 0, None)
    assert (found.by_house, found.leaks, found.without_bets) == ({}, (), 0)


def test_the_net_is_best_play_less_errors_plus_luck(quick_store, sit):
    table = sit(quick_store, "vegas-strip")
    play_judged(table, [0, 1.5, 0, 2.25, 0])
    rounds = list(read_rounds(quick_store))
    total = add_up_at(quick_store, -0.005).total
    assert total.rounds == len(rounds)
    assert total.net == sum(stored.net for stored in rounds)
    assert total.initial_bets == 10 * len(rounds)
    assert total.best_play == pytest.approx(-0.05 * len(rounds))
    assert total.error_cost == 3.75
    assert total.luck == pytest.approx(float(total.net) - total.best_play + 3.75)
    assert (total.judged, total.mistakes) == (5, 2)
    assert total.decisions == sum(len(stored.record.actions) for stored in rounds) >= 5
    costs = {item.number: item.judgement.cost_chips for item in read_judgements(quick_store)}
    lucks = [float(item.net) + 0.05 + costs.get(item.number, 0) for item in rounds]
    assert total.luck_deviation == pytest.approx(sum(each**2 for each in lucks) ** 0.5)


def test_leaks_are_chips_an_hour_and_the_dearest_comes_first(quick_store, sit, play):
    play(sit(quick_store), rounds=50)  # a session without the coach does not count
    table = sit(quick_store)
    play_judged(table, [1, 0, 3])
    state = table.start([10])
    while not state.is_over:
        state = table.act(state.legal[0])
    if table.actions:
        judge(table, 5.0, "hard 16")
    rounds = sum(stored.session.id == table.session.id for stored in read_rounds(quick_store))
    leaks = {leak.category: leak for leak in add_up_at(quick_store, 0.0, 60).leaks}
    soft = leaks["soft doubles"]
    assert (soft.decisions, soft.mistakes, soft.cost) == (3, 2, 4)
    assert soft.per_hour == pytest.approx(4 / rounds * 60)
    if table.actions:
        assert next(iter(leaks)) == "hard 16"


def test_houses_are_listed_separately_and_unknown_values_are_named(quick_store, sit, play):
    play(sit(quick_store, "vegas-strip"), rounds=3)
    play(sit(quick_store, "2D H17"), rounds=2)
    play(sit(quick_store, "6D betting=false"), rounds=4, bets=(1,))
    found = add_up(
        quick_store,
        value_of=lambda rules: None if rules.decks == 2 else 0.01,
        rounds_per_hour=100,
    )
    assert {name: item.rounds for name, item in found.by_house.items()} == {
        "vegas-strip": 3,
        str(Rules.parse("2D H17")): 2,
    }
    assert found.without_bets == 4
    assert found.total.luck is found.total.best_play is None
    assert found.by_house["vegas-strip"].best_play == pytest.approx(0.3)


def test_the_value_of_a_game_is_the_exact_one():
    assert game_value(Rules.parse("roanoke")) == pytest.approx(-0.03876763839771564)


def test_a_game_without_an_exact_method_has_no_value():
    assert game_value(Rules.parse("6D charlie=5 dealer_rule=until-ahead max_spots=1 SP1")) is None


def test_a_judgement_reads_back_and_a_later_one_replaces_it(quick_store, sit):
    table = sit(quick_store)
    judged = play_judged(table, [2])
    (item,) = read_judgements(quick_store)
    assert item.judgement == judged[0]
    record_judgement(quick_store, table.session, item.number, judged[0])
    assert len(read_judgements(quick_store)) == 1
    check_books(quick_store)


def test_drills_and_runs_read_back(quick_store, tmp_path):
    assert load_object(quick_store, "drill", "basic") is None
    save_object(quick_store, "drill", "basic", {"A6 v 3": [3, 1]})
    save_object(quick_store, "drill", "basic", {"A6 v 3": [4, 1]})
    assert load_object(quick_store, "drill", "basic") == {"A6 v 3": [4, 1]}
    add_run(quick_store, tmp_path / "run.json", {"ev": -0.004})
    add_run(quick_store, tmp_path / "run.json", {"ev": -0.005})
    assert read_runs(quick_store) == [(tmp_path / "run.json", {"ev": -0.005})]


def test_rounds_are_exported_whole(quick_store, sit, play):
    play(sit(quick_store, "vegas-strip"), rounds=6, bets=("2.5", 10))
    rounds = list(read_rounds(quick_store))
    lines = [json.loads(line) for line in write_json_lines(quick_store, rounds)]
    assert lines == [row_of(stored) for stored in rounds]
    for line, stored in zip(lines, rounds, strict=True):
        assert tuple(line) == COLUMNS
        assert line["bets"] == ["2.5", "10"]
        assert decode_round(line["code"]).result.net == stored.net == Fraction(str(line["net"]))
    rows = list(csv.DictReader(io.StringIO("".join(write_csv(quick_store, rounds)))))
    assert [row["code"] for row in rows] == [line["code"] for line in lines]
    assert [row["actions"] for row in rows] == [", ".join(line["actions"]) for line in lines]


@pytest.mark.parametrize(
    ("read", "text"),
    [(read_amount, "ten"), (read_amount, "1/0"), (read_actions, "fold"), (read_cards, "1X")],
)
def test_what_cannot_be_in_a_store_is_damage(read, text):
    with pytest.raises(StoreDamagedError, match="the store is damaged"):
        read(text)


def test_hands_and_drills_that_cannot_be_read_are_damage(quick_store, sit, play):
    play(sit(quick_store))
    quick_store.run("UPDATE rounds SET hands = '[{}]'")
    with pytest.raises(StoreDamagedError, match="are not hands"):
        list(read_rounds(quick_store))
    save_object(quick_store, "drill", "basic", {})
    quick_store.run("UPDATE objects SET value = '[]'")
    with pytest.raises(StoreDamagedError, match="drill 'basic' is not a JSON object"):
        load_object(quick_store, "drill", "basic")
