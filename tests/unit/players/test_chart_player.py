"""The player who follows a chart, and the chart worked out for the rules."""

from __future__ import annotations

import random

import pytest

import upcard
from upcard import Action, UnsupportedRuleError
from upcard.documents.lott import DealerMimic, make_hand
from upcard.players.betting_systems import make_betting
from upcard.players.bots import ChartPlayer, basic_chart, basic_player
from upcard.players.play_rounds import play_rounds
from upcard.strategy.chart import HAND_LABELS, Strategy
from upcard.table import Phase, ScriptedShoe, Table, make_shoe

RULES = upcard.Rules.parse("6D LS")
PLAY = (Action.HIT, Action.STAND, Action.DOUBLE)


def chart(takes_insurance=False, **rows):
    """Make a chart that stands on everything but for the named rows (`h16` is hard 16)."""
    cells = [(rows.get(f"h{label}", rows.get(label, "S")),) * 10 for label in HAND_LABELS]
    return Strategy(cells=tuple(cells), takes_insurance=takes_insurance)


def ask(strategy, cards, legal=PLAY, *, up="9", phase=Phase.PLAY, rules=RULES):
    table = Table(rules, ScriptedShoe(f"2 {up} 3 7"))
    table.start()
    hand = make_hand(cards)
    view = table.view()._replace(hands=(hand,), phase=phase, active=0)
    return ChartPlayer(strategy).decide(view, legal)


@pytest.mark.parametrize(
    ("rows", "cards", "legal", "answer"),
    [
        ({"h16": "H"}, "T 6", PLAY, Action.HIT),
        ({"h16": "H"}, "T 7", PLAY, Action.STAND),
        ({"A5": "H"}, "A 5", PLAY, Action.HIT),
        ({"A5": "H"}, "T 6", PLAY, Action.STAND),
        ({"h16": "H"}, "2 4 T", PLAY, Action.HIT),
        ({"h11": "Dh"}, "5 6", PLAY, Action.DOUBLE),
        ({"h11": "Dh"}, "5 6", PLAY[:2], Action.HIT),
        ({"A7": "Ds"}, "A 7", PLAY[:2], Action.STAND),
        ({"88": "P", "h16": "H"}, "8 8", (*PLAY, Action.SPLIT), Action.SPLIT),
        ({"88": "P", "h16": "H"}, "8 8", PLAY, Action.HIT),
        ({"h16": "Rh"}, "T 6", (*PLAY, Action.SURRENDER), Action.SURRENDER),
        ({"h16": "Rh"}, "T 6", PLAY, Action.HIT),
    ],
)
def test_hands_are_played_as_the_chart_says(rows, cards, legal, answer):
    assert ask(chart(**rows), cards, legal) is answer


@pytest.mark.parametrize(
    ("takes", "legal", "answer"),
    [
        (False, (Action.INSURANCE, Action.NO_INSURANCE), Action.NO_INSURANCE),
        (True, (Action.INSURANCE, Action.NO_INSURANCE), Action.INSURANCE),
        (False, (Action.EVEN_MONEY, Action.NO_EVEN_MONEY), Action.NO_EVEN_MONEY),
        (True, (Action.EVEN_MONEY, Action.NO_EVEN_MONEY), Action.EVEN_MONEY),
    ],
)
def test_insurance_and_even_money_go_together(takes, legal, answer):
    strategy = chart(takes_insurance=takes)
    assert ask(strategy, "A K", legal, up="A", phase=Phase.INSURANCE) is answer


@pytest.mark.parametrize(
    ("rows", "cards", "answer"),
    [
        ({"h16": "Rh"}, "T 6", Action.SURRENDER),
        ({"h15": "Rh"}, "T 6", Action.NO_SURRENDER),
        ({"88": "P", "h16": "Rh"}, "8 8", Action.NO_SURRENDER),
        ({"88": "Rp"}, "8 8", Action.SURRENDER),
    ],
)
def test_surrender_on_its_own_is_answered_by_the_chart(rows, cards, answer):
    legal = (Action.SURRENDER, Action.NO_SURRENDER)
    assert ask(chart(**rows), cards, legal, phase=Phase.SURRENDER) is answer


def test_where_nothing_splits_a_pair_is_surrendered_as_its_total():
    rules = upcard.Rules.parse("6D ES SP1")
    legal = (Action.SURRENDER, Action.NO_SURRENDER)
    strategy = chart(**{"88": "P", "h16": "Rh"})
    answer = ask(strategy, "8 8", legal, phase=Phase.SURRENDER, rules=rules)
    assert answer is Action.SURRENDER


@pytest.mark.parametrize(
    ("tokens", "cards", "answer"),
    [
        ("", "K K", Action.SURRENDER),
        ("", "K Q", Action.SURRENDER),
        ("split_by=rank", "K K", Action.SURRENDER),
        ("split_by=rank", "K Q", Action.NO_SURRENDER),
        ("max_total_hands=2 max_spots=1", "K K", Action.SURRENDER),
        ("max_total_hands=1 max_spots=1", "K K", Action.NO_SURRENDER),
    ],
)
def test_only_what_may_be_split_in_a_moment_is_surrendered_as_a_pair(tokens, cards, answer):
    rules = upcard.Rules.parse(f"6D ES {tokens}")
    legal = (Action.SURRENDER, Action.NO_SURRENDER)
    strategy = chart(**{"1010": "Rh"})
    assert ask(strategy, cards, legal, phase=Phase.SURRENDER, rules=rules) is answer


@pytest.mark.parametrize(
    ("cell", "answer"), [("H", Action.HIT), ("Dh", Action.DOUBLE), ("P", Action.STAND)]
)
def test_a_pair_whose_split_was_declined_is_played_by_the_rest_of_its_row(cell, answer):
    """A cell that splits leaves the row of the total, here hard 8 that stands."""
    rules = upcard.Rules.parse("6D SP4 turn_order=splits-first")
    table = Table(rules, ScriptedShoe("4 9 4 7 2 3"))
    table.start()
    table.act(Action.NO_SPLIT)
    player = ChartPlayer(chart(**{"44": cell, "h10": "H"}))
    assert player.decide(table.view(), table.legal_actions()) is answer
    table.act(Action.HIT)
    assert player.decide(table.view(), table.legal_actions()) is Action.HIT


@pytest.mark.parametrize(
    ("cell", "answer"),
    [("P", Action.SPLIT), ("Rp", Action.SPLIT), ("H", Action.NO_SPLIT), ("Dh", Action.NO_SPLIT)],
)
def test_a_split_on_its_own_is_answered_by_the_chart(cell, answer):
    legal = (Action.SPLIT, Action.NO_SPLIT)
    assert ask(chart(**{"88": cell}), "8 8", legal, phase=Phase.SPLIT) is answer


def test_a_hidden_upcard_is_refused():
    rules = upcard.house("seven-hands").replace(shows_upcard=False)
    with pytest.raises(UnsupportedRuleError, match="shows_upcard=false"):
        ask(chart(), "T 6", up="2", rules=rules)


def test_basic_is_the_best_chart_for_the_rules_and_decks_and_is_kept():
    assert basic_chart(RULES) is basic_chart(upcard.Rules.parse("6D LS"))
    # Three or more cards of a 16 have used up small ones: in six decks they stand against a ten.
    assert basic_chart(RULES).cell("16", 10) == "Rs"
    assert basic_chart(upcard.Rules.parse("6D")).cell("16", 10) == "H"
    assert basic_player(RULES).strategy is basic_chart(RULES)


def test_basic_for_document_002_is_its_own_table():
    """Document 002's sample at p = 4/13."""
    assert basic_chart(upcard.house("mdp")).cell("AA", 1) == "H"
    assert [basic_chart(upcard.house("mdp")).cell("12", up) for up in range(2, 7)] == list("HHSSS")


def test_rules_that_the_solver_cannot_honour_are_refused():
    with pytest.raises(UnsupportedRuleError, match="charlie"):
        basic_player(RULES.replace(charlie=5, hole_card="none", natural_takes="original"))


@pytest.mark.slow
def test_basic_loses_less_than_the_mimic():
    """5,000 rounds: -25 and -275 are to be expected, each within 80 (one standard deviation)."""
    rules = upcard.Rules.parse("6D")
    nets = []
    for player in (basic_player(rules), DealerMimic()):
        table = Table(rules, make_shoe(rules, random.Random(11)))
        played = play_rounds(table, player, betting=make_betting("flat"), rounds=5_000)
        nets.append(sum(one.net for one in played))
    assert nets[0] > -150 > nets[1]
