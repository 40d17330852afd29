"""`upcard stats --chart`: mistakes on the chart of the house played most, and every fault."""

import csv
import json
import xml.etree.ElementTree as ET

import pytest
from driving import talk

from upcard import Action, Rules
from upcard.answers.played import find_cell
from upcard.coach.adviser import Coach
from upcard.fair.fair_shoe import FairShoe
from upcard.players.question import HandClass
from upcard.store.bankroll import deposit
from upcard.store.database import open_store
from upcard.store.history import read_rounds
from upcard.store.kept_table import KeptTable
from upcard.store.learning import record_judgement
from upcard.store.records import JudgementRecord
from upcard.strategy.chart import HAND_LABELS


def play(notation, rounds, *, bets=(10,), player_spots=None, cost=0.0, seed=0):
    """Play by standing; each own answer is judged, and costs so much."""
    number = iter(range(seed, 10**6))
    rules = Rules.parse(notation)
    with open_store() as store:
        deposit(store, 10_000)
        shoe = FairShoe(rules, seeds=lambda: next(number).to_bytes(32, "big"))
        with KeptTable.sit_down(store, rules, shoe=shoe) as table:
            for _ in range(rounds):
                state = table.start(bets, player_spots=player_spots)
                while not state.is_over:
                    situation = situation_of(table)
                    state = table.act(
                        Action.STAND if Action.STAND in state.legal else state.legal[-1]
                    )
                    judge(store, table, situation, cost)


def situation_of(table):
    rules = table.rules
    return Coach(rules).advise(table.view(), table.legal_actions()).question.key


def judge(store, table, situation, cost):
    record_judgement(
        store,
        table.session,
        table.round_number,
        JudgementRecord(
            step=len(table.actions) - 1,
            situation=situation,
            category="made up",
            chosen=table.actions[-1],
            best=table.actions[-1],
            cost_ev=cost / 10,
            cost_chips=cost,
            method="made up",
        ),
    )


def show(*arguments):
    answer = talk(["stats", "--chart", *map(str, arguments)])
    assert (answer.code, answer.err) == (0, "")
    assert all(len(line) <= 80 for line in answer.out.splitlines())
    return answer.out


def read(*arguments):
    return json.loads(show(*arguments, "--json"))


def test_nothing_played_is_said_so(tmp_path):
    said = "No round for chips has been saved yet. Play some: upcard play"
    assert show() == f"Your results\n\n{said}\n\n"
    assert read() == {"rules": None, "rounds": 0, "cells": [], "others": []}
    assert show("--csv", "-").startswith("name,hand,upcard,asked,")
    for name in ("map.svg", "map.html", "map.txt"):
        refused = talk(["stats", "--chart", "-o", str(tmp_path / name)])
        assert (refused.code, refused.out) == (2, "")
        assert refused.err.endswith(f" {said}\n")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_the_house_played_most_is_drawn_and_its_mistakes_add_up():
    play("vegas-strip", 12, cost=1.5)
    play("1D H17 NOINS", 5, cost=7.0, seed=500)
    out = show()
    assert out.startswith("vegas-strip: where mistakes cost chips\n4D S17")
    found = read()
    with open_store() as store:
        rounds = [stored for stored in read_rounds(store) if stored.session.house]
    decisions = sum(len(stored.record.actions) for stored in rounds)
    assert (found["house"], found["rounds"]) == ("vegas-strip", 12)
    assert found["decisions"] == found["judged"] == found["mistakes"] == decisions
    assert found["cost"] == pytest.approx(1.5 * decisions)
    places = [*found["cells"], *found["others"]]
    assert sum(place["asked"] for place in places) == decisions
    assert sum(place["cost"] for place in places) == pytest.approx(found["cost"])
    for place in places:
        assert place["cost"] == pytest.approx(1.5 * place["asked"])
        assert place["per_hour"] == pytest.approx(place["cost"] / 12 * 100)
    hourly = read("--rounds-per-hour", 50)
    assert hourly["cells"][0]["per_hour"] == pytest.approx(found["cells"][0]["per_hour"] / 2)
    assert f"{decisions} of {decisions} decisions in 12 rounds were judged" in out


@pytest.mark.slow
def test_after_few_rounds_no_rate_is_told(monkeypatch):
    """F19: after two rounds it said "an hour 142 chips" of one hand."""
    play("vegas-strip", 12, cost=1.5)
    out = show()
    assert "12 rounds are too few for a rate an hour: it takes 100." in " ".join(out.split())
    assert "an hour  " not in out
    monkeypatch.setattr("upcard.store.statistics.FEWEST_FOR_A_RATE", 12)
    out = show()
    assert "an hour    SD" in out
    assert "Rates are over 12 rounds; SD is one standard deviation of a rate." in out
    for place in read()["cells"]:
        # Each of the mistakes cost 1.5.
        assert place["cost_deviation"] == pytest.approx(1.5 * place["mistakes"] ** 0.5)
        assert place["per_hour_deviation"] == pytest.approx(place["cost_deviation"] / 12 * 100)


@pytest.mark.parametrize(("fewest", "has_rate"), [(13, False), (12, True), (1, True)])
def test_there_is_a_rate_from_a_number_of_rounds_on(monkeypatch, fewest, has_rate):
    monkeypatch.setattr("upcard.store.statistics.FEWEST_FOR_A_RATE", fewest)
    play("INF NOINS SP1", 12, cost=1.5)
    out = " ".join(show().split())
    assert ("an hour SD" in out) is has_rate
    assert ("Rates are over 12 rounds" in out) is has_rate
    assert (f"12 rounds are too few for a rate an hour: it takes {fewest}." in out) is not has_rate


def test_another_house_can_be_asked_for_by_name_or_by_rules():
    play("vegas-strip", 6)
    play("1D H17 NOINS", 3, cost=7.0, seed=500)
    assert read("--rules", "1D H17 NOINS")["rounds"] == 3
    assert show("--rules", "1D H17 NOINS").startswith("1D H17")
    assert read("--house", "vegas-strip")["rounds"] == 6
    assert read("--rules", str(Rules.parse("vegas-strip").replace(name="")))["rounds"] == 6


def test_with_company_only_ones_own_decisions_are_on_it():
    play("6D NOINS", 10, bets=(50, 10, 70), player_spots=[1], cost=2.0)
    found = read()
    with open_store() as store:
        own = sum(len(stored.own_answers) for stored in read_rounds(store))
    assert found["decisions"] == found["judged"] == own
    assert found["cost"] == pytest.approx(2.0 * own)


@pytest.mark.slow
def test_it_is_written_to_files(tmp_path):
    play("vegas-strip", 6, cost=1.0)
    for name in ("map.svg", "map.html", "map.txt"):
        assert show("-o", tmp_path / name) == ""
    root = ET.fromstring((tmp_path / "map.svg").read_text())  # noqa: S314 (our own)
    assert len(root.findall("{http://www.w3.org/2000/svg}g")) == 330
    assert "<table>" in (tmp_path / "map.html").read_text()
    assert (tmp_path / "map.txt").read_text() == show()
    assert show("--ascii").isascii()


def test_every_output_of_the_map_is_written(tmp_path):
    """Each was refused: CSV, 7 bits of the results, JSON in a file, a name without an ending."""
    play("INF NOINS SP1", 6, cost=1.0)
    found = read()
    head, *rows = csv.reader(show("--csv", "-").splitlines())
    assert head[:4] == ["name", "hand", "upcard", "asked"]
    places = [*found["cells"], *found["others"]]
    assert {(row[0], int(row[3]), float(row[5])) for row in rows} == {
        (one["name"], one["asked"], one["cost"]) for one in places
    }
    plain = talk(["stats", "--ascii"])
    assert (plain.code, plain.out.isascii(), "Luck" in plain.out) == (0, True, True)
    for name, words, text in (
        ("map", (), show()),
        ("map.json", ("--json",), show("--json")),
        ("map.txt", ("--format", "svg"), talk(["stats", "--chart", "--format", "svg"]).out),
    ):
        assert show("-o", tmp_path / name, *words) == ""
        assert (tmp_path / name).read_text() == text


def test_unjudged_rounds_say_so():
    rules = Rules.parse("vegas-strip")
    with open_store() as store:
        deposit(store, 100)
        with KeptTable.sit_down(store, rules) as table:
            state = table.start([10])
            while not state.is_over:
                state = table.act(state.legal[-1])
    assert "Switch the coach on" in show()
    assert "Where most was lost" not in show()


# --- situations and cells ---


@pytest.mark.parametrize(
    ("situation", "cell"),
    [
        ("hard 16 v T", ("16", "T")),
        ("surrender 16 v T", ("16", "T")),
        ("hard 4 v 2", ("5", "2")),
        ("soft A7 v 9", ("A7", "9")),
        ("surrender A7 v A", ("A7", "A")),
        ("pair 88 v A", ("88", "A")),
        ("pair TT v 6", ("1010", "6")),
        ("surrender TT v 6", ("1010", "6")),
        ("pair AA v T", ("AA", "T")),
        ("hard 20 v T", None),
        ("soft soft 12 v 3", None),
        ("insurance 20 v A", None),
        ("even money 21 v A", None),
    ],
)
def test_situations_are_found_on_the_chart(situation, cell):
    assert find_cell(situation) == cell


def test_every_cell_of_the_chart_can_be_reached():
    labels = [label if label != "1010" else "TT" for label in HAND_LABELS]
    kinds = (HandClass.HARD, HandClass.SOFT, HandClass.PAIR)
    reached = {find_cell(f"{kind} {label} v 5")[0] for kind in kinds for label in labels}
    assert reached == set(HAND_LABELS)


def test_insurance_is_one_place_for_all_hands():
    play("vegas-strip", 40, cost=1.0)
    others = [place["name"] for place in read()["others"]]
    assert others.count("insurance v A") == 1


# --- faults ---

FAULTS = {
    "rules never played": (["--chart", "--rules", "2D"], "you have played vegas-strip"),
    "both": (["--chart", "--house", "european", "--rules", "2D"], "give --house or --rules"),
    "no house": (["--chart", "--house", "nowhere"], "nowhere"),
    "an unknown ending": (["--chart", "-o", "map.png"], "the name ends with .txt, .svg, .html"),
    "another format than JSON": (["--chart", "--json", "--format", "svg"], "--json with --format"),
    "an unknown format": (["--chart", "--format", "png"], "choose one of text, svg, html"),
    "json and ascii": (["--chart", "--json", "--ascii"], "--ascii with --json"),
    "an ascii picture": (["--chart", "--ascii", "-o", "map.svg"], "--ascii with --format svg"),
    "two on the screen": (["--chart", "--json", "--csv", "-"], "both want the screen"),
    "a house without a chart": (["--house", "european"], "--house without --chart"),
    "rules without a chart": (["--rules", "6D"], "--rules without --chart"),
    "a picture without a chart": (["-o", "map.svg"], "-o without --chart"),
    "a format without a chart": (["--format", "html"], "--format without --chart"),
    "a text without a chart": (["-o", "map.txt"], "-o without --chart"),
    "a word": (["more"], "unexpected extra argument"),
}


@pytest.mark.parametrize("case", FAULTS)
def test_a_fault_is_one_line_and_exit_code_2(case):
    play("vegas-strip", 1)
    words, expected = FAULTS[case]
    answer = talk(["stats", *words])
    assert (answer.code, answer.out) == (2, "")
    assert answer.err.count("\n") == 1
    assert expected in answer.err


def test_a_house_that_no_method_charts_is_said_so():
    rules = Rules.parse("deshmukh")
    with open_store() as store:
        deposit(store, 100)
        with KeptTable.sit_down(store, rules) as table:
            state = table.start([10])
            while not state.is_over:
                state = table.act(state.legal[-1])
    answer = talk(["stats", "--chart"])
    assert answer.code == 2
    assert "a chart by totals does not distinguish hands" in answer.err
