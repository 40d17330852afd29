"""A side bet has one price: the list, the command, the page, JSON, Python and the palette agree."""

import json

import pytest

import upcard
from upcard.answers.asked import sidebet
from upcard.answers.questions import QUESTIONS
from upcard.cli.app import run
from upcard.drills.side_bet_drills import SideBetDrill
from upcard.exact.side.bet_values import choose_game
from upcard.rules.model import Rules
from upcard.rules.side_bet_files import load_side_bet, shipped_side_bets

NAMES = [bet.name for bet in shipped_side_bets()]
MADE_FOR_ONE = [bet.name for bet in shipped_side_bets() if bet.game]
BUST_IT = """
title = "Bust It, 15-10-8-6-3"
source = "a table without tens"
game = "8D48"
cards = ["dealer"]
win = [
  {name = "suited 8-8-8", ranks = ["8", "8", "8"], same_suit = 3, pays = 200},
  {name = "8-8-8 of one colour", ranks = ["8", "8", "8"], same_colour = 3, pays = 50},
  {name = "by a 6", total = "22+", size = 3, last = "6", pays = 15},
  {name = "by a 7", total = "22+", size = 3, last = "7", pays = 10},
  {name = "by an 8", total = "22+", size = 3, last = "8", pays = 8},
  {name = "by a 9", total = "22+", size = 3, last = "9", pays = 6},
  {name = "by a ten", total = "22+", size = 3, last = "X", pays = 3},
]
"""


@pytest.fixture
def own_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "own.toml").write_text(BUST_IT)
    return "own.toml"


def ask_command(capsys, *words):
    assert run(["sidebet", *words]) == 0
    return capsys.readouterr().out


def edges_at_every_door(capsys, client, name):
    """Return the house edge that each door says, in percent with four digits."""
    spoken = ask_command(capsys, name)
    document = json.loads(ask_command(capsys, name, "--json"))
    bet = load_side_bet(name)
    # The game of this site is an infinite deck: a bet without a game of its own is priced in it.
    asked = {"bet": name} if bet.game else {"bet": name, "r": "6D"}
    headers = {"Accept": "application/json"}
    shown = client.get("/ask/sidebet", params=asked, headers=headers).json()
    page = client.get("/ask/sidebet", params=asked)  # JSON has waited for the answer
    palette = QUESTIONS["sidebet"].ask(Rules(), is_given=False, bet=bet)
    edge = upcard.side_bet(name).value().edge
    words = palette.findings[0].split(":")[0]
    assert words in " ".join(spoken.split())
    assert words in page.text
    assert words in shown["answer"]["findings"][0]
    assert document["edge"] == document["fresh_edge"] == edge
    assert document["rules"] == shown["answer"]["rules"].partition(";")[0] == palette.rules
    assert f"{abs(100 * edge):.4f}%" in words
    assert ("The player gains" in words) is (edge < 0)
    return edge


@pytest.mark.fast_cases(3)
@pytest.mark.parametrize(
    "name", [*MADE_FOR_ONE, *(one for one in NAMES if one not in MADE_FOR_ONE)]
)
def test_every_door_says_one_price_of_a_shipped_bet(capsys, client, name):
    edge = edges_at_every_door(capsys, client, name)
    bet = load_side_bet(name)
    listed = sidebet._list_one(bet)
    assert listed.edge == pytest.approx(edge, rel=1e-12)
    assert listed.rules.split()[0] == (bet.game or "6D")


def test_every_door_says_one_price_of_an_own_file(capsys, client, own_file):
    assert 100 * edges_at_every_door(capsys, client, own_file) == pytest.approx(8.0064, abs=5e-5)


@pytest.mark.parametrize("name", MADE_FOR_ONE)
def test_a_bet_for_one_game_says_so_and_favours_no_player(capsys, name):
    bet = load_side_bet(name)
    text = " ".join(ask_command(capsys, name).split())
    assert "The house has" in text
    assert f"It is priced in {bet.game}, the game that its pay table is made for." in text


def test_given_rules_come_before_those_of_the_file(capsys, client, own_file):
    name = "match-the-dealer-2d"
    in_six = load_side_bet(name).value(None, "6D").edge
    assert json.loads(ask_command(capsys, name, "--rules", "6D", "--json"))["edge"] == in_six
    assert json.loads(ask_command(capsys, name, "--decks", "6", "--json"))["edge"] == in_six
    text = " ".join(ask_command(capsys, name, "--rules", "6D").split())
    assert "Its pay table is made for 2D: there the house edge is 3.3124%." in text
    asked = {"bet": name, "r": "6D"}
    client.get("/ask/sidebet", params=asked, headers={"Accept": "application/json"})
    page = client.get("/ask/sidebet", params=asked).text
    assert "The player gains 21.6617%" in page
    assert "there the house edge is 3.3124%" in page
    # Without tens, as the file says, in another number of decks.
    found = json.loads(ask_command(capsys, own_file, "--decks", "6", "--json"))
    assert found["rules"].startswith("6D48 ")


def test_a_form_sends_only_a_game_that_was_given(client):
    path = "/ask/sidebet?bet=match-the-dealer-2d"
    assert 'name="r"' not in client.get(path).text.partition("<main")[2]
    assert 'type="hidden" name="r"' in client.get(f"{path}&r=6D").text
    assert 'type="hidden" name="r"' in client.get("/ask/dealer").text


def test_a_shoe_names_the_decks_where_no_rules_do(own_file):
    bet = load_side_bet("match-the-dealer-6d")
    assert choose_game(bet, shoe="8D less 5 5").decks == 8
    assert sidebet.price(bet, None, "8D less 5 5").fresh_edge == bet.value(None, "8D").edge
    assert choose_game(load_side_bet(own_file), shoe="6D48 less 5").deck_size == 48
    assert choose_game(bet, "2D", shoe="8D less 5 5").decks == 2


@pytest.mark.slow
def test_a_house_that_offers_a_bet_prices_it_in_its_own_game():
    house = Rules.parse("8D +MD(19/4)")
    (bet,) = house.side_bets
    assert bet.game == "2D"
    assert choose_game(bet, beside=house) is house
    sheet = QUESTIONS["sidebet"].ask(house, is_given=False, bet=bet)
    assert sheet.findings[0].startswith("The player gains")
    assert not any("made for" in sentence for sentence in sheet.findings)
    # A drill asks for what a bet costs: one by which the house loses is not asked about.
    assert f"side bet cost {bet.name}" not in [
        item.key for item in SideBetDrill(house, kind="side bet cost").items()
    ]


def test_other_pays_of_a_shipped_bet_are_for_no_game():
    assert load_side_bet("MD(13/4)").game == ""


def test_the_game_of_a_file_travels_in_the_token_of_a_record(own_file):
    from upcard.rules.side_bets import as_written

    bet = load_side_bet(own_file)
    assert load_side_bet(str(as_written(bet))).value().edge == bet.value().edge


def test_a_game_that_cannot_be_read_is_refused_with_the_file(capsys, own_file, tmp_path):
    (tmp_path / own_file).write_text(BUST_IT.replace("8D48", "8Q"))
    assert run(["sidebet", own_file]) == 2
    error = capsys.readouterr().err
    assert "own.toml" in error
    assert "game '8Q'" in error
    assert error.count("\n") == 1


def test_a_count_in_decks_of_48_divides_by_decks_of_48():
    bet = load_side_bet("match-the-dealer-8d48")
    count = bet.count()
    weights = {name: 8 * 4 * (1 if name in "A23456789JQK" else 0) for name in count.tags}
    assert sum(weights[name] * tag for name, tag in count.tags.items()) == 0
