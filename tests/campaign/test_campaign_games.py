"""Campaigns play every house and every side bet that is registered, and so the next one too."""

import ast
import random
from collections import Counter
from pathlib import Path

import pytest

from campaign import browsers, games, kills_play
from campaign.games import FEATURES, list_features, list_games
from campaign.secrecy import _choose_rules
from upcard.rules import house
from upcard.rules.house import house_names, read_house
from upcard.rules.model import Rules
from upcard.rules.side_bet_files import read_side_bet, shipped_side_bets, side_bet_names
from upcard.store.bankroll import deposit
from upcard.store.database import open_in_memory

CAMPAIGN = Path(games.__file__).parent
PLACED = {bet.name for bet in shipped_side_bets() if not bet.after}
# Texts to be mutated, and a game that the slow loop of simulations plays.
NAMING = ("text_examples.py", "mutation.py", "kills_simulation.py")


def test_every_house_and_every_side_bet_is_played():
    found = list_games()
    assert {rules.name for rules in found if not rules.side_bets} >= set(house_names())
    assert {bet.name for rules in found for bet in rules.side_bets} == PLACED
    assert {name for rules in found for name in list_features(rules)} == set(FEATURES)


def test_every_house_that_can_have_side_bets_is_played_with_some():
    able = {
        name
        for name in house_names()
        if games.add_side_bets(house.house(name), shipped_side_bets()).side_bets
    }
    assert {rules.name for rules in list_games() if rules.side_bets} >= able


NEW_HOUSE = """title = "New"
source = "a test"
about = "A house of tomorrow."
rules = "3D H17 LS"
"""
NEW_BET = """title = "Queens"
source = "a test"
code = "queens"
cards = ["player1", "player2"]
win = [{name = "queens", ranks = ["Q", "Q"], pays = 100}]
"""


def test_the_next_house_and_the_next_side_bet_are_played_by_themselves(monkeypatch):
    new = read_house(NEW_HOUSE, name="new", where="new.toml").rules
    bet = read_side_bet(NEW_BET, name="queens", where="queens.toml")
    monkeypatch.setattr(games, "house_names", lambda: (*house_names(), "new"))
    monkeypatch.setattr(games, "house", lambda name: new if name == "new" else house.house(name))
    monkeypatch.setattr(games, "shipped_side_bets", lambda: (*shipped_side_bets(), bet))
    list_games.cache_clear()
    try:
        found = list_games()
        assert new in found
        assert any(bet in rules.side_bets for rules in found)
    finally:
        list_games.cache_clear()


def test_no_campaign_names_a_house_or_a_side_bet_by_hand():
    known = {*house_names(), *side_bet_names()}
    named = {
        (path.name, node.value)
        for path in CAMPAIGN.glob("*.py")
        if path.name not in NAMING
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and node.value in known
    }
    assert not named, "take games from campaign/games.py"


class Sent:
    """A browser that notes the rules it is asked for, and is refused."""

    def __init__(self):
        self.rules = []

    async def ask(self, path, form=None):
        text = form["rules"]
        if form.get("side_bets"):
            text = str(Rules.parse(text).replace(side_bets=form["side_bets"].split()))
        self.rules.append(Rules.parse(text))
        return browsers.Answer(422, b"", b"")


def of_sessions(rng):
    with open_in_memory() as store:
        deposit(store, 10**7)
        while True:
            with kills_play.sit_down(store, rng) as session:
                yield session.rules


def of_browsers(rng):
    while True:
        sent = Sent()
        with pytest.raises(StopIteration):
            browsers.sit_down(sent, rng).send(None)
        yield sent.rules[0]


def of_secrecy(rng):
    while True:
        yield _choose_rules(rng, games=1)


@pytest.mark.parametrize("choose", [of_sessions, of_browsers, of_secrecy])
def test_a_campaign_sits_down_at_every_game(choose):
    """Sessions are those of kills, disk and processes; browsers those of browser and crowd."""
    chosen, left = choose(random.Random(1)), set(list_games())
    seen = Counter()
    while left and sum(seen.values()) < 40 * len(list_games()):
        rules = next(chosen)
        seen[rules] += 1
        left.discard(rules)
    assert not left


def test_bets_of_every_side_bet_are_placed():
    rng = random.Random(1)
    for rules in list_games():
        codes = {bet.code for bet in rules.side_bets}
        assert {code for _ in range(40) for code, _ in games.choose_wager(rules, rng).side} == codes
        assert set(games.answer_json({"side_bets": sorted(codes)}, rng).split()[1::2]) <= codes
