"""Players by name, and one suite that every one of them must pass in every house."""

from __future__ import annotations

import random

import pytest

import upcard
from upcard import NotationError, RulesError, UnsupportedRuleError
from upcard.players.chart import basic_chart
from upcard.simulation.registry import make_player, player_names
from upcard.table import Table, make_shoe

# A registered player runs by its name, or as written here if the name wants details.
SAMPLES = {"chart:FILE": "chart:mine.tsv", "computer:P12,HIGHEST,PHIGH": "computer:1,17,0.5"}
RULES = upcard.Rules.parse("6D LS")


@pytest.fixture
def chart_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "mine.tsv"
    file.write_text(str(basic_chart(RULES)), encoding="utf-8")
    return file


def test_every_name_has_a_line():
    assert all(player_names().values())


@pytest.mark.fast_cases(5)
@pytest.mark.parametrize("house", upcard.house_names())
@pytest.mark.parametrize("name", player_names())
def test_every_player_answers_legally_in_every_house(name, house, chart_file):
    rules = upcard.house(house)
    rng = random.Random(f"{name} {house}")
    if name == "counter" and rules.is_infinite:
        with pytest.raises(UnsupportedRuleError, match="never run out"):
            make_player(name, rules, rng)
        return
    player = make_player(SAMPLES.get(name, name), rules, rng)
    table = Table(rules, make_shoe(rules, rng))
    for _ in range(200):
        table.start([2] * (1 if rules.max_spots == 1 else 2))
        while table.is_playing:
            legal = table.legal_actions()
            answer = player.decide(table.view(), legal)
            assert answer in legal
            table.act(answer)
    assert str(player)


@pytest.mark.parametrize("house", upcard.house_names())
def test_a_seed_repeats_a_session_in_every_house(house):
    rules = upcard.house(house)
    sessions = []
    for _ in range(2):
        rng = random.Random(4)
        player = make_player("computer:0.5,20,0.5", rules, rng)
        table = Table(rules, make_shoe(rules, rng))
        events = []
        table.listeners.append(events.append)
        for _ in range(20):
            table.start([1])
            while table.is_playing:
                table.act(player.decide(table.view(), table.legal_actions()))
        sessions.append(events)
    assert sessions[0] == sessions[1]


@pytest.mark.parametrize("name", ["MIMIC", " Lott ", "Computer: 1, 17, 0.5 ", "Never-Bust"])
def test_names_are_read_in_any_case(name):
    make_player(name, RULES)


@pytest.mark.parametrize("name", ["", "dealer", "basi", "lott simple", "computer1,17,0.5"])
def test_unknown_names_are_refused_with_what_is_possible(name):
    with pytest.raises(RulesError) as error:
        make_player(name, RULES)
    for known in player_names():
        assert known in str(error.value)


@pytest.mark.parametrize("name", ["computer", "computer:", "computer:1,17", "computer:1,17,0.5,2"])
def test_the_computer_says_which_numbers_it_needs(name):
    with pytest.raises(RulesError, match="three numbers"):
        make_player(name, RULES)


def test_the_computers_bad_numbers_are_named():
    with pytest.raises(RulesError, match=r"'1.5'.*'x'"):
        make_player("computer:1.5,17,x", RULES)


@pytest.mark.parametrize("name", ["mimic:2", "basic:", "lott:x"])
def test_players_without_numbers_take_none(name):
    with pytest.raises(RulesError, match="takes nothing after a colon"):
        make_player(name, RULES)


@pytest.mark.parametrize("name", ["basic", "lott-simple", "chart:x.tsv"])
def test_players_who_decide_by_the_upcard_refuse_a_house_that_hides_it(name):
    rules = upcard.house("seven-hands").replace(shows_upcard=False)
    with pytest.raises(UnsupportedRuleError, match="shows_upcard"):
        make_player(name, rules)
    make_player("mimic", rules)


def test_a_chart_file_is_read(chart_file):
    player = make_player(f"chart:{chart_file}", RULES)
    assert player.strategy == basic_chart(RULES)
    assert str(player) == "mine"


def test_a_faulty_chart_is_refused_with_all_its_faults(chart_file):
    text = chart_file.read_text(encoding="utf-8")
    chart_file.write_text(text.replace("\nAA\t", "\nXX\t"), encoding="utf-8")
    with pytest.raises(NotationError) as error:
        make_player(f"chart:{chart_file}", RULES)
    assert len(error.value.faults) == 2
    assert all(str(chart_file) in fault for fault in error.value.faults)


@pytest.mark.parametrize("file", ["", "no-such-file.tsv", "a\0b"])
def test_a_chart_that_cannot_be_read_is_refused(file, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(RulesError, match="chart"):
        make_player(f"chart:{file}", RULES)


def test_a_chart_that_is_no_text_is_refused(tmp_path):
    (tmp_path / "picture").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(RulesError, match="it is not UTF-8 text"):
        make_player(f"chart:{tmp_path / 'picture'}", RULES)
    with pytest.raises(RulesError, match="cannot read the chart"):
        make_player(f"chart:{tmp_path}", RULES)
