"""A chart compared with another one: the cells that changed, and their number in words."""

from dataclasses import replace

import pytest

from upcard.answers import best_chart
from upcard.answers.best_chart import answer_chart
from upcard.cache.exact import basic_strategy
from upcard.charts.facts import ChartFacts
from upcard.core.errors import NotationError
from upcard.core.numbers import to_json
from upcard.rules.model import Rules
from upcard.strategy.chart import WORTH_LABELS, WORTH_OF_BET


def facts(rules):
    return ChartFacts(strategy=basic_strategy(Rules.parse(rules)))


@pytest.mark.parametrize(
    ("rules", "other", "is_before", "changed", "words"),
    [
        ("INF", None, False, 0, ""),
        ("INF", "INF", True, 0, "The chart stays the same."),
        ("INF", "INF", False, 0, "The charts are the same."),
        ("INF H17", "INF", True, 4, "4 cells of the chart change."),
        ("INF H17", "INF", False, 4, "4 cells of the chart differ."),
    ],
)
def test_changed_cells_are_counted_and_marked(rules, other, is_before, changed, words):
    found = answer_chart(facts(rules), None if other is None else facts(other), is_before=is_before)
    assert (len(found.changed), found.changed_words) == (changed, words)
    marked = [
        (row.name, cell.upcard, cell.was, cell.mark.words)
        for block in found.blocks
        for row in block.rows
        for cell in row.cells
        if cell.was
    ]
    assert marked == [(one.hand, one.upcard, one.before, one.after) for one in found.changed]


def test_a_chart_of_both_dealer_cards_has_parts_and_is_compared_with_its_like():
    found = answer_chart(facts("INF UP2 H17"), facts("INF UP2"), is_before=False)
    assert [len(part.upcards) for part in (found, *found.below)] == [8, 9, 9]
    marked = [
        (row.name, cell.upcard)
        for part in (found, *found.below)
        for block in part.blocks
        for row in block.rows
        for cell in row.cells
        if cell.was
    ]
    assert sorted(marked) == sorted((one.hand, one.upcard) for one in found.changed)
    assert marked
    other = answer_chart(facts("INF UP2"), facts("INF"), is_before=False)
    assert other.changed == ()
    assert other.changed_words.startswith("The charts do not compare")


def test_a_game_without_a_chart_says_why():
    found = answer_chart(NotationError("no chart"))
    assert (found.why_none, found.blocks) == ("no chart", ())


def test_a_cell_is_the_same_for_programs():
    cell = to_json(answer_chart(facts("INF LS")))["blocks"][0]["rows"][11]["cells"][8]
    assert cell["mark"] == {
        "text": "Rh",
        "first": "surrender",
        "second": "hit",
        "words": "surrender, else hit",
    }
    assert (cell["place"], cell["upcard"], cell["was"]) == ("16 v T", "10", "")


def test_what_two_cards_are_worth_is_a_table_in_percent():
    chart = basic_strategy(Rules.parse("INF"))
    assert list(best_chart._tabulate_worths(chart)) == []
    worths = tuple((WORTH_OF_BET * number // 1000,) * 10 for number in range(len(WORTH_LABELS)))
    (table,) = best_chart._tabulate_worths(replace(chart, worths=worths))
    assert [row[1] for row in table.rows] == [number / 10 for number in range(len(WORTH_LABELS))]
    assert table.texts()[13][:2] == (WORTH_LABELS[13][1:], "+1.3")
