"""A file that version 0.1 wrote: it opens, replays, and shows the same, to the last digit.

`data/memory-0.1.json` is what that version told of it.
"""

import dataclasses
import gzip
import json
from fractions import Fraction
from pathlib import Path

import pytest

from upcard.store.bankroll import bankroll_of, check_books, free_chips_of, load_setting, read_runs
from upcard.store.database import open_store
from upcard.store.history import read_rounds, read_shoes, replay_stored, row_of
from upcard.store.kept_table import KeptTable
from upcard.store.learning import load_drill, read_judgements
from upcard.store.round_codes import decode_round
from upcard.store.sessions import find_open_rounds, write_rules
from upcard.store.statistics import add_up, count_played, find_mistakes

DATA = Path(__file__).with_name("data")


@pytest.fixture(scope="module")
def told():
    """What version 0.1 told of the file."""
    return json.loads((DATA / "memory-0.1.json").read_text())


@pytest.fixture
def old(path):
    path.parent.mkdir()
    path.write_bytes(gzip.decompress((DATA / "memory-0.1.db.gz").read_bytes()))
    with open_store(path) as store:
        yield store


def test_chips_rounds_and_shoes_are_the_same(old, told):
    check_books(old)
    assert {name: str(bankroll_of(old, name)) for name in told["bankrolls"]} == told["bankrolls"]
    assert str(free_chips_of(old)) == told["free"]
    rounds = list(read_rounds(old))
    for stored, before in zip(rounds, told["rounds"], strict=True):
        row = row_of(stored)
        assert decode_round(row["code"]) == decode_round(before["code"])
        assert (
            row | {"code": before["code"]}
        ).items() >= before.items()  # later versions tell more
    assert [str(shoe.commitment) for shoe in read_shoes(old)] == told["shoes"]
    for stored in rounds:
        replay_stored(stored)
    assert load_drill(old, "basic") == {"asked": 4}
    assert load_setting(old, "look") == {"theme": "paper"}
    assert [run.summary for run in read_runs(old)] == [{"ev": -0.004}]


def compare(results, told):
    """The figures of a page of results, and those of version 0.1, which added up floats."""
    found = dataclasses.asdict(results)
    assert sum(found.pop("grades").values()) == found["mistakes"]  # later versions tell more
    assert found.keys() == told.keys()
    for name, value in told.items():
        if name in ("initial_bets", "net"):
            assert found[name] == Fraction(value)
        else:
            assert found[name] == pytest.approx(value, rel=1e-12)


def test_results_luck_and_leaks_are_the_same(old, told):
    """S2-3: kept sums, counted once from the rounds of the older file."""
    found = add_up(
        old,
        value_of=lambda rules: -0.005 if rules.decks == 6 else -0.003,
        rounds_per_hour=100,
    )
    compare(found.total, told["total"])
    assert list(found.by_house) == list(told["by_house"])
    for name, results in found.by_house.items():
        compare(results, told["by_house"][name])
    assert found.without_bets == told["without_bets"]
    leaks = [
        [leak.category, leak.decisions, leak.mistakes, leak.cost, leak.per_hour]
        for leak in found.leaks
    ]
    assert [leak[:3] for leak in leaks] == [leak[:3] for leak in told["leaks"]]
    for leak, before in zip(leaks, told["leaks"], strict=True):
        assert leak[3:] == pytest.approx(before[3:], rel=1e-12)


def test_mistakes_by_situation_are_the_same(old, told):
    played = count_played(old)
    assert [[write_rules(rules), count] for rules, count in played] == told["played"]
    for rules, _ in played:
        rounds, coached, decisions, situations = told["mistakes"][write_rules(rules)]
        found = find_mistakes(old, rules)
        assert [found.rounds, found.coached_rounds, found.decisions] == [rounds, coached, decisions]
        counts = [[item.name, item.asked, len(item.wrong)] for item in found.situations]
        assert counts == [item[:3] for item in situations]
        for item, before in zip(found.situations, situations, strict=True):
            assert item.cost == pytest.approx(before[3], rel=1e-12)


def test_the_hand_that_was_left_goes_on(old, told):
    (found,) = find_open_rounds(old)
    assert [found.session.id, found.number, list(found.actions)] == told["open"][0]
    with KeptTable.resume(old, found) as table:
        while table.is_playing:
            table.act(table.state.legal[-1])
    check_books(old)


def test_the_luck_is_that_of_the_rounds_one_by_one(old):
    """The sums of squares and products give what adding up each round's luck gives."""
    value = -0.00411
    costs = {}
    for item in read_judgements(old):
        key = item.session_id, item.number
        costs.setdefault(key, {})[item.judgement.step] = item.judgement.cost_chips
    lucks = []
    for stored in read_rounds(old):
        if stored.session.rules.betting:
            said = costs.get((stored.session.id, stored.number), {})
            cost = sum(chips for step, chips in said.items() if step in stored.own_answers)
            lucks.append(float(stored.net) - float(stored.initial_bet) * value + cost)
    total = add_up(old, value_of=lambda _: value, rounds_per_hour=100).total
    assert total.luck == pytest.approx(sum(lucks), rel=1e-12)
    assert total.luck_deviation == pytest.approx(sum(each**2 for each in lucks) ** 0.5, rel=1e-12)
