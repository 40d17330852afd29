"""`upcard bench`: questions with exact frequencies, answers in words, and their prices."""

from __future__ import annotations

from fractions import Fraction
from math import fsum
from random import Random

import pytest

import upcard
from upcard.answers import bench
from upcard.answers.bench import bench_questions, compare_scores, read_answer, read_score
from upcard.coach.adviser import Coach
from upcard.core.actions import Action
from upcard.core.errors import (
    BlackjackError,
    NoExactValueError,
    NotationError,
    UnsupportedRuleError,
)
from upcard.exact.infinite_hands import natural_odds
from upcard.rules.house import house_names
from upcard.rules.model import Rules
from upcard.rules.settings import HoleCard, Surrender
from upcard.strategy.chart import HAND_LABELS, UPCARD_LABELS, Strategy


def find(rules, name):
    is_long = "+" in name or name.index(" ") > 2
    return next(one for one in bench_questions(rules, long=is_long) if one.id == name)


def chance_of_natural(asked):
    """The chance that the next card makes the dealer's natural, by hand."""
    up, decks = asked.upcard.rank, asked.rules.decks
    other = {1: 10, 10: 1}.get(up)
    if other is None or decks is None:
        return natural_odds(asked.rules, up)
    gone = sum(card.rank == other for card in asked.cards)
    return (decks * (16 if other == 10 else 4) - gone) / (52 * decks - 3)


@pytest.mark.parametrize(
    "text", ["INF ENHC LS NOINS", "INF OBO ES NOINS", "6D H17 LS NOINS", "1D ES NOINS"]
)
def test_the_starts_add_up_to_the_value_of_the_game(text):
    """Frequencies and values of the starts, with naturals, make the EV of the solver."""
    rules = Rules.parse(text)
    peeks = rules.hole_card is HoleCard.PEEK and rules.surrender is not Surrender.EARLY
    total = []
    for one in bench_questions(rules):
        natural = chance_of_natural(one.asked)
        dealt = one.frequency / (1 - natural if peeks else 1)
        if one.legal == ("stand",):
            total.append(dealt * (1 - natural) * 1.5)
            continue
        total.append(one.frequency * max(one.ev.values()))
        total.append(one.frequency - dealt)  # rounds that a natural ends before the question
    assert len(bench_questions(rules)) == 550
    assert fsum(total) == pytest.approx(upcard.expected_value(rules), abs=1e-12)


@pytest.mark.slow
def test_a_chart_loses_its_regret_where_its_mistakes_lead_to_no_other_hand(monkeypatch):
    """The solver values the whole game by the chart: the regret is what it loses, to rounding."""
    monkeypatch.setattr(bench, "_RAREST", 0.0)
    monkeypatch.setattr(bench, "_list_questions", bench._list_questions.__wrapped__)
    rules = Rules.parse("INF H17 SP1 LS NOINS")
    best = upcard.basic_strategy(rules)
    changes = {("16", "10"): "S", ("12", "2"): "S", ("A7", "9"): "S", ("11", "6"): "H"}
    cells = [list(row) for row in best.cells]
    for (label, up), cell in changes.items():
        cells[HAND_LABELS.index(label)][UPCARD_LABELS.index(up)] = cell
    chart = Strategy(cells=tuple(map(tuple, cells)))
    lost = upcard.expected_value(rules) - upcard.expected_value(rules, strategy=chart)
    score = upcard.score_player(rules, chart, long=True)
    assert score.regret_per_100 / 100 == pytest.approx(lost, abs=1e-12)
    assert lost > 0.002
    # Two aces that may not be split have the row AA, so that the best chart loses nothing.
    costly = [one.id for one in upcard.score_player(rules, best, long=True).answers if one.cost]
    assert costly == []
    assert upcard.score_player("INF H17 LS", "basic").regret_per_100 == 0


@pytest.mark.slow
def test_frequencies_are_those_of_the_cards():
    """By hand: T42 v T is drawn from T4, T2 and 42; two halves of a split, each with a 3."""
    cards = Fraction(104)
    dealt = 2 * Fraction(32 * 31 * 8 * 8) / (cards * 103 * 102 * 101)  # T, T and one more, then one
    drawn = 3 * dealt * (1 - Fraction(8, 100))
    assert find("2D", "T42 v T").frequency == pytest.approx(float(drawn), abs=1e-15)
    pair = Fraction(8 * 7 * 8, cards * 103 * 102) * Fraction(8, 101)
    assert find("2D", "8+3 v 6").frequency == pytest.approx(float(2 * pair), abs=1e-15)


@pytest.mark.slow
def test_the_halves_of_a_free_split_are_two_questions():
    """Where both are paid for, they are one question, which comes up twice as often."""
    paid, free = (find("INF FSNT P22", name) for name in ("8+T v 6", "free 8+T v 6"))
    both = find("INF P22", "8+T v 6")
    assert paid.frequency == free.frequency == pytest.approx(both.frequency / 2, abs=1e-15)
    assert paid.ev == both.ev
    assert free.ev[Action.STAND] > paid.ev[Action.STAND]
    assert free.ev[Action.DOUBLE] < paid.ev[Action.STAND] < free.ev[Action.STAND] < 1
    assert (paid.asked.is_free, free.asked.is_free) == (False, True)
    assert "split pair of 8, the one with your bet." in paid.prompt
    assert "split pair of 8, the one that the house has paid for." in free.prompt


@pytest.mark.slow
def test_hands_of_the_long_set_are_reached_by_the_best_answers():
    long = bench_questions("6D LS", long=True)
    assert {one.id for one in bench_questions("6D LS")} < {one.id for one in long}
    later = long[550:]
    assert all(one.frequency >= 1 / 20_000 for one in later)
    assert len({one.id for one in long}) == len(long)
    half = find("6D LS", "8+3 v 6")
    assert half.ev[Action.DOUBLE] > 0
    assert "split pair of 8" in half.prompt


class CoachPlayer:
    """Answers as the coach advises at the table, from what a player sees there."""

    def __init__(self, rules):
        self.coach = Coach(rules)

    def decide(self, view, legal):
        return self.coach.advise(view, legal).best


REFUSED = {
    "double-exposure": "shows_hole=true",
    "double-exposure-reno": "shows_hole=true",
    "pontoon-au": "busted-and-one",
    "switch": "switch",
}
"""Houses that a bench does not ask about, with the rule."""
USUAL = {
    *("atlantic-city", "double-deck", "downtown", "helsinki", "las-vegas"),
    *("six-to-five", "sydney", "united-kingdom", "vegas-strip", "free-bet"),
}
"""Houses whose rules `6D ES`, european, single-deck and free-bet-any have too."""


@pytest.mark.fast_cases(2)
@pytest.mark.parametrize(("name", "rule"), REFUSED.items())
def test_a_house_that_is_not_asked_about_is_refused_by_name(name, rule):
    with pytest.raises(BlackjackError, match=rule):
        upcard.score_player(name, "mimic", long=True)


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["6D ES", "lott", *sorted(set(house_names()) - {"lott", *REFUSED, *USUAL})]
)
def test_the_table_asks_what_was_valued(name):
    """So the coach's answers at the table cost nothing; other halves of splits are seen there."""
    score = upcard.score_player(name, CoachPlayer(Rules.parse(name)), long=True)
    costly = [one.id for one in score.answers if one.cost and "+" not in one.id]
    assert costly == []
    assert score.regret_per_100 < 0.01


@pytest.mark.slow
def test_a_house_whose_split_hands_have_no_value_is_refused_with_the_rule():
    with pytest.raises(NoExactValueError, match="busted-and-one"):
        upcard.score_player("6D BB1", "mimic", long=True)


def test_a_prompt_tells_all_that_matters():
    prompt = find("6D H17 LS", "T6 v T").prompt
    for words in (
        *("6 decks", "hits soft 17", "10 and 6: a hard 16", "The dealer shows 10", "no natural"),
        "Answer with one of these and nothing else: hit, stand, double, surrender.",
    ):
        assert words in prompt or words.replace("10 and 6", "6 and 10") in prompt
    assert "no natural." not in find("6D ENHC", "T6 v T").prompt.rpartition("shows")[2]


@pytest.mark.parametrize(
    ("text", "action"),
    [
        *(("HIT", "hit"), ("I would hit.", "hit"), ("h", "hit"), ("R", "surrender")),
        *(("Double down!", "double"), ("I'm doubling", "double"), ("**Stand**", "stand")),
        *(("stay", "stand"), ("splitting", "split"), ("I surrender; it is best", "surrender")),
        *(("hit or stand", None), ("Don\u2019t hit", None), ("not split", None), ("", None)),
        *(("hello", None), (None, None), (3, None), (["hit"], None), ("I understand", None)),
        *(("no split", None), ("stand, never hit", None), ("s t", None)),
    ],
)
def test_an_answer_is_read_for_what_it_means(text, action):
    assert read_answer(text) == (action and Action(action))


def test_bad_lines_are_named_and_the_rest_is_scored():
    lines = (
        '{"id": "T6 v 6", "answer": "hit"}',
        "nonsense",
        '{"id": "T6 v 6", "answer": "stand"}',
        "",
        '{"id": "zz", "answer": "hit"}',
        '{"id": ["T6 v 6"], "answer": "hit"}',
        '{"id": "T5 v 6"}',
        "[1]",
        '{"id": "T5 v T", "answer": "hit or stand"}',
        '{"id": "T5 v 9", "answer": "surrender"}',
    )
    score = read_score("\r\n".join(lines), Rules.parse("6D"), name="x")
    assert [fault.split(":")[0] for fault in score.faults] == [
        f"x, line {number}" for number in (2, 3, 5, 6, 7, 8)
    ]
    assert score.counts == {
        "legal": 1,
        "illegal": 1,
        "unreadable": 1,
        "missing": 547,
        "right": 0,
    }
    asked = find("6D", "T6 v 6")
    cost = asked.ev[Action.STAND] - asked.ev[Action.HIT]
    assert score.regret_per_100 == pytest.approx(100 * cost * asked.frequency, abs=1e-12)
    assert score.most_regret_per_100 > 60
    assert fsum(score.shares.values()) == pytest.approx(1)
    with pytest.raises(NotationError, match="line 1"):
        read_score("nonsense", Rules.parse("6D"), name="x")


def test_the_difference_of_two_players_adds_up():
    one, other = (upcard.score_player("6D", name) for name in ("mimic", "never-bust"))
    sheet = compare_scores(one, other)
    differences = [row[-1] for row in sheet.tables[0].rows]
    assert differences == sorted(differences, reverse=True)
    assert 100 * fsum(differences) == pytest.approx(one.regret_per_100 - other.regret_per_100)
    assert sheet.figures[0].value == pytest.approx(one.regret_per_100 - other.regret_per_100)
    assert compare_scores(one, one).tables == ()


def test_a_counter_sees_the_cards_of_one_round():
    """Asked in any order, it answers from a fresh shoe each time."""
    questions = list(bench_questions("6D LS"))
    player = upcard.simulation.registry.make_player("counter", Rules.parse("6D LS"))
    first = {one.id: bench.ask(player, one.asked) for one in questions}
    Random(1).shuffle(questions)
    assert {one.id: bench.ask(player, one.asked) for one in questions} == first


def test_a_house_that_hides_the_upcard_is_refused():
    rules = Rules.parse("6D NOINS hole_card=no-peek shows_upcard=false")
    with pytest.raises(UnsupportedRuleError, match="bench"):
        bench_questions(rules)
