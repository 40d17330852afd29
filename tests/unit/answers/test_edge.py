"""Sentences of the edge: of a game, of a change of rules, of a chart, of a card that leaves."""

import math

import pytest

import upcard
from upcard.answers.edge import (
    EffectsAnswer,
    answer_edge,
    answer_effects,
    answer_game,
    answer_removal,
    compare_edges,
)

LOSES = "You lose {} of every 100 bet: about {} an hour at 10 a hand, 100 hands an hour."
EVEN = "You get back what you bet, to less than a cent of every 100."
EDGES = {
    "a loss": (-0.0040287, "", "House edge", "0.40287%", LOSES.format("40 cents", "4.03")),
    "a cent": (-0.0001, "", "House edge", "0.01000%", LOSES.format("1 cent", "0.10")),
    "more": (-0.0135, "", "House edge", "1.35000%", LOSES.format("1.35", "13.50")),
    "a gain": (
        *(0.0012731, "", "Your edge", "0.12731%"),
        LOSES.format("13 cents", "1.27").replace("lose", "win"),
    ),
    "even": (0.0, "", "House edge", "0.00000%", EVEN),
    "endless": (math.inf, "", "Your edge", "infinite", "You win without end."),
    "not known": (None, "no solver has it", "House edge", "not known", "No solver has it."),
}


@pytest.mark.parametrize(("ev", "why", "title", "text", "sentence"), EDGES.values(), ids=EDGES)
def test_an_edge_is_said_from_the_players_side(ev, why, title, text, sentence):
    edge = answer_edge(ev, why)
    assert (edge.title, edge.text, edge.sentence) == (title, text, sentence)
    assert edge.house_edge == (None if ev is None else -ev)


@pytest.mark.parametrize(
    ("ev", "sentence"),
    [
        (-0.0387676, "You lose 3.9 rounds in 100 more than you win."),
        (0.01, "You win 1.0 rounds in 100 more than you lose."),
    ],
)
def test_a_game_without_bets_is_told_in_rounds(ev, sentence):
    assert answer_edge(ev, has_bets=False).sentence == sentence


def test_a_game_that_is_won_without_end_is_written():
    edge = answer_edge(math.inf)
    assert (edge.text, edge.ev_text, edge.house_text) == ("infinite", "infinite", "−infinite")


CHANGES = {
    "better": (-0.02, -0.01, "good", "+1.00000%", "1.00000% better for you: about 10.00 an hour."),
    "worse": (-0.01, -0.02, "bad", "−1.00000%", "1.00000% worse for you: about 10.00 an hour."),
    "a rounding error": (-0.01, -0.01 - 1e-10, "same", "no change", "It changes nothing."),
    "without end": (math.inf, math.inf, "same", "no change", "It changes nothing."),
}


@pytest.mark.parametrize(
    ("before", "after", "tone", "text", "sentence"), CHANGES.values(), ids=CHANGES
)
def test_a_change_is_worth_the_difference(before, after, tone, text, sentence):
    change = compare_edges(answer_edge(before), answer_edge(after))
    assert (change.tone, change.text, change.sentence) == (tone, text, sentence)
    assert change.ev == (0 if tone == "same" else after - before)


def test_a_change_from_an_unknown_edge_is_not_known():
    assert compare_edges(None, answer_edge(0.1)) is None
    assert compare_edges(answer_edge(0.1), answer_edge(None, "no solver has it")) is None


def test_effects_come_best_first_and_name_the_idle_switches():
    rules = upcard.Rules()
    turned = [("a", rules, answer_edge(-0.02)), ("b", rules, answer_edge(-0.01))]
    turned.append(("c", rules, answer_edge(0.01)))
    answer = answer_effects(answer_edge(-0.01), turned, of=3)
    assert [game.name for game in answer.games] == ["c", "b", "a"]
    assert (answer.idle, answer.is_complete) == (("b",), True)
    assert not EffectsAnswer(games=answer.games, of=4).is_complete


GAMES = {
    "its value": ("6D", "Expected value", "−0.40287% of the bet"),
    "its edge": ("helsinki", "Your edge", "0.12731%"),
    "splits": ("6D", "Splits", "CDZ-: split hands are played by the optimum for unsplit hands"),
    "no splits": ("roanoke", "Splits", "no splits: no hand can be split"),
    "the best chart": (
        "6D",
        "Best chart",
        "−0.40592%, by totals alone: 0.00305% behind the best play",
    ),
    "a chart as good": (
        "INF",
        "Best chart",
        "worth as much: totals say everything on an infinite deck",
    ),
    "even money": (
        "INF 6:5 even_money=instead",
        "Insurance",
        "+0.06162% of that, even money with it; without them it is −1.86463%",
    ),
    "no bets": (
        "roanoke",
        "Assumed",
        "There are no bets: a round won counts 1, a round lost −1.",
    ),
}


@pytest.mark.parametrize(("rules", "topic", "text"), GAMES.values(), ids=GAMES)
def test_a_game_is_worth_so_much(rules, topic, text):
    words = dict(answer_game(upcard.Rules.parse(rules)).in_words)
    assert words[topic].endswith(text)


def test_a_game_without_a_chart_says_why():
    answer = answer_game(upcard.house("deshmukh"))
    assert (answer.best_chart.ev, answer.best_chart.distance_to_best) == (None, None)
    assert dict(answer.in_words)["Best chart"] == f"none: {answer.best_chart.why_none}"


@pytest.mark.slow
def test_a_chart_is_compared_with_the_best_play_and_the_best_chart():
    rules = upcard.Rules.parse("1D")
    best = upcard.basic_strategy(rules)
    answer = answer_game(rules, strategy=best, strategy_name="best.tsv")
    words = dict(answer.in_words)
    assert words["Played by"].startswith("the chart best.tsv")
    assert words["Best chart"] == f"{answer.ev_text}, +0.00000% against this chart"
    assert words["Best play"].endswith("% against this chart")
    assert words["Cells"] == "none costs anything against the best chart"
    assert answer.tabulate_costs().rows == ()
    spoilt = upcard.Strategy.parse(str(best).replace("\n11\tDh\tDh", "\n11\tDh\tS", 1))
    answer = answer_game(rules, strategy=spoilt, strategy_name="mine.tsv")
    [cell] = answer.strategy.costliest_cells
    assert answer.tabulate_costs().rows[0][:4] == (cell.hand, cell.upcard, cell.cell, cell.better)
    assert answer.strategy.distance_to_best_chart == pytest.approx(cell.cost)


def test_a_given_shoe_is_named_and_rules_are_switched_in_it():
    rules = upcard.Rules.parse("1D")
    shoe = "1D less 5"
    answer = answer_game(rules, shoe=shoe, switches=[("S17", rules)])
    assert dict(answer.in_words)["Shoe"] == shoe
    table = answer.tabulate_compared()
    assert [row["rule"] for row in table.to_dicts()] == ["as it is", "S17"]
    assert table.to_dicts()[1]["change_text"] == "no change"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rules", "is_fixed", "play"),
    [
        ("1D NDAS", False, "the best for every shoe, so the sum is not 0"),
        ("1D SP1", False, "no splits, no hand can be split."),
        ("1D NDAS", True, "Weighed by the cards there are, the changes sum to 0."),
    ],
)
def test_the_sum_of_the_effects_of_removal_is_explained(rules, is_fixed, play):
    game = upcard.Rules.parse(rules)
    chart = upcard.basic_strategy(game) if is_fixed else None
    answer = answer_removal(game, strategy=chart)
    assert play in answer.play
    assert (abs(answer.weighted_sum) < 1e-10) is is_fixed
    assert answer.table().to_dicts()[-1]["cards"] == 52
