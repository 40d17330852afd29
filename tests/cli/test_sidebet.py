"""`upcard sidebet`: lists, values, JSON, CSV, and what it refuses."""

import csv
import json

import pytest

from upcard.cli.app import run
from upcard.rules.side_bet_files import load_side_bet, shipped_side_bets


def ask(capsys, *words):
    assert run(["sidebet", *words]) == 0
    return capsys.readouterr().out


def test_a_bet_in_json(capsys):
    found = json.loads(ask(capsys, "21+3", "flat", "--decks", "8", "--removal", "--json"))
    assert found["edge"] == pytest.approx(0.027360, abs=5e-7)
    assert found["hit"] == pytest.approx(sum(row["probability"] for row in found["rows"]))
    assert [set(row) for row in found["rows"]] == [{"name", "probability", "pays"}] * 4
    assert set(found["removal"]) == set("A23456789TJQK")
    assert found["standard_deviation"] == pytest.approx(2.9632, abs=1e-4)
    assert found["fresh_edge"] == found["edge"]


def test_suits_of_the_shoe_matter(capsys):
    with_suits = json.loads(ask(capsys, "pp(25/12/6)", "--shoe", "6D less QH QH QH", "--json"))
    without = json.loads(ask(capsys, "pp(25/12/6)", "--shoe", "6D less Q Q Q", "--json"))
    assert with_suits["edge"] != without["edge"]
    assert with_suits["shoe"] == "6D less QH QH QH"


def test_a_bet_in_words(capsys):
    text = ask(capsys, "buster", "--rules", "6D H17", "--count", "--pen", "80%", "--removal")
    for words in ("6.2143% of the bet", "the dealer always plays out", "true count", "With 80% of"):
        assert words in " ".join(text.split())


@pytest.mark.parametrize("option", ["--removal", "--count"])
@pytest.mark.parametrize("shoe", ["6D less T T T T T T T T", "6D less QH QH A"])
def test_everything_about_a_bet_is_of_the_shoe_that_is_named(capsys, option, shoe):
    bet = load_side_bet("over-13")
    words = ["over", "13", "--shoe", shoe, option, "--json"]
    found, fresh = (json.loads(ask(capsys, *line)) for line in (words, [*words[:2], *words[4:]]))
    key = option.removeprefix("--")
    assert found[key] != fresh[key]
    assert found["edge"] == bet.value(shoe).edge
    if option == "--removal":
        assert found[key] == bet.removal(shoe).by_card
    else:
        assert found[key]["slope"] == bet.count(shoe).slope
        assert found[key]["begins"] == bet.count(shoe).begins


@pytest.mark.slow
def test_the_list_names_every_bet(capsys):
    text = ask(capsys)
    assert "+21+3(9)" in text
    found = json.loads(ask(capsys, "--json"))
    assert all(f"  {bet['name']} " in text and bet["token"] in text for bet in found)
    assert len(found) == sum(line.startswith("  ") for line in text.splitlines()) - 1 - 1
    assert {"name", "token", "title", "edge", "rules"} == set(found[0])


def test_the_list_has_the_exact_edge_in_the_game_of_the_pay_table_or_in_six_decks(capsys):
    listed = {one["name"]: one for one in json.loads(ask(capsys, "--json"))}
    for bet in shipped_side_bets():
        one = listed[bet.name]
        assert one["rules"].split()[0] == (bet.game or "6D").split()[0]
        assert one["edge"] == pytest.approx(bet.value(None, bet.game or "6D").edge, abs=1e-15)


def test_csv_has_the_rows(capsys):
    rows = list(csv.DictReader(ask(capsys, "over 13", "--csv", "-").splitlines()))
    assert list(rows[0])[:4] == ["table", "name", "probability", "pays"]
    assert (rows[0]["table"], rows[0]["name"], rows[0]["pays"]) == (
        "What it pays",
        "over 13",
        "1.0",
    )


def test_a_file(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.toml").write_text(
        'title = "Mine"\nsource = "x"\ncards = ["player1"]\n'
        'win = [{name = "A", ranks = ["A"], pays = 12}]'
    )
    assert json.loads(ask(capsys, "mine.toml", "--json"))["edge"] == pytest.approx(0, abs=1e-15)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["nix"], "no side bet is called 'nix'"),
        (["nix.toml"], "nix.toml"),
        (["--removal"], "name it"),
        (["over-13", "--pen", "80%"], "--pen is about --count"),
        (
            ["over-13", "--count", "--pen", "180%"],
            "'--pen': '180%': write a share over 0, at most 1",
        ),
        (["over-13", "--decks", "2", "--rules", "6D"], "--decks with"),
        (["over-13", "--shoe", "6D less XX"], "unknown card"),
        (["over-13", "--shoe", "1D less QH QH"], "QH"),
        (["over-13", "--rules", "INF", "--removal"], "INF"),
        (["over-13", "--json", "--csv", "-"], "both want the screen"),
    ],
)
def test_what_cannot_be_done_is_refused_in_one_line(capsys, words, message):
    assert run(["sidebet", *words]) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1


def test_rules_say_their_side_bets(capsys):
    assert run(["rules", "6D +21+3(9)"]) == 0
    assert "Side bets         21+3, one pay: straight flush 9:1" in capsys.readouterr().out
    assert run(["rules", "6D +21+3(9)", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["settings"]["side_bets"] == ["+21+3(9)"]
