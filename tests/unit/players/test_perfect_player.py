"""The perfect player: every card that has gone counts, and each answer is the exact best."""

import random
from collections import Counter

import pytest

import upcard
from upcard import Action, IllegalActionError, UnsupportedRuleError
from upcard.core.cards import RANKS, parse_cards, rank_name
from upcard.players.perfect import PerfectPlayer
from upcard.simulation.registry import make_player
from upcard.table import Table, make_shoe
from upcard.table.events import Dealt
from upcard.table.state import Phase


def sit_down(rules, seed):
    table = Table(rules, make_shoe(rules, random.Random(seed)))
    player = PerfectPlayer(rules)
    player.watch(table)
    return table, player


def play_round(table, player, check=lambda view, action: None):
    state = table.start()
    while state.legal:
        action = player.decide(table.view(), state.legal)
        check(table.view(), action)
        state = table.act(action)


@pytest.mark.parametrize("text", ["6D S17", "2D H17 LS NDAS", "1D ENHC SP2 PEN60", "1D SP4 D10"])
def test_every_answer_is_that_of_solve_with_the_cards_seen(text):
    rules = upcard.Rules.parse(text)
    table, player = sit_down(rules, f"perfect {text}")
    compared = Counter()

    def check(view, action):
        hand = view.hand
        if hand.split_rank or view.phase not in (Phase.PLAY, Phase.INSURANCE):
            return
        unseen = list(player.compose().unseen)
        for rank in (*(card.rank for card in hand.cards), view.upcard.rank):
            unseen[rank] += 1
        shoe = [int(unseen[rank]) for rank in RANKS]
        ranks = "".join(rank_name(card.rank) for card in hand.cards)
        found = upcard.solve(rules, ranks, rank_name(view.upcard.rank), shoe=shoe)
        if view.phase is Phase.INSURANCE:
            assert (action in (Action.INSURANCE, Action.EVEN_MONEY)) == (found.insurance_ev > 1e-12)
        elif not found.missing:
            assert action is found.best
        compared[view.phase] += 1

    for _ in range(60):
        play_round(table, player, check)
    assert compared[Phase.PLAY] > 40
    assert compared[Phase.INSURANCE] > 0


@pytest.mark.parametrize("text", ["1D", "2D ENHC", "1D PEN95", "4D CSM"])
def test_between_rounds_it_knows_the_cards_of_the_shoe(text):
    rules = upcard.Rules.parse(text)
    table, player = sit_down(rules, text)
    for _ in range(60):
        play_round(table, player)
        player.finish_round(table.state.dealer)  # as it does when the next round starts
        left = Counter(card.rank for card in table.shoe._cards[table.shoe.position :])
        assert player.compose().unseen == (0, *(left[rank] for rank in RANKS))


@pytest.mark.parametrize(
    ("gone", "best"), [("", Action.HIT), ("5 5 4 5 4 4 6 4 3 5 4 2 5 3 2 5", Action.STAND)]
)
def test_sixteen_against_a_ten_stands_when_small_cards_have_gone(gone, best):
    table = Table("6D", "T T 6 9 T")
    player = PerfectPlayer(table.rules)
    player.watch(table)
    for card in parse_cards(gone):
        player.hear(Dealt(0, card, 0))
    table.start()
    assert player.decide(table.view(), table.legal_actions()) is best


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("6D SPINF", "SPINF"),
        ("pontoon-au", "natural_takes=busted-and-one"),
        ("6D ENHC NOINS shows_upcard=false", "shows_upcard=false"),
    ],
)
def test_rules_that_leave_an_answer_without_a_value_are_refused_by_name(text, reason):
    with pytest.raises(UnsupportedRuleError, match=reason):
        make_player("perfect", upcard.Rules.parse(text))


def test_a_player_who_sees_no_card_says_so():
    table = Table("6D", "T 9 6 7 5")
    player = PerfectPlayer(table.rules)
    table.start()
    with pytest.raises(IllegalActionError, match="watch"):
        player.decide(table.view(), table.legal_actions())


@pytest.mark.slow
def test_a_run_is_the_same_on_any_number_of_workers():
    asked = {"player": "perfect", "rounds": 5_100, "seed": 2}
    rules = "2D CSM SP1 D10"  # two chunks
    one, two = (upcard.simulate(rules, **asked, workers=workers) for workers in (1, 2))
    assert one.job == two.job
    assert one.tally == two.tally
