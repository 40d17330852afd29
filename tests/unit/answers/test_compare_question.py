"""Games side by side as a question of the pages: the same comparison, and charts laid over."""

from __future__ import annotations

import pytest

from upcard.answers.asked import compare
from upcard.answers.games.side_by_side import compare_counts, compare_games
from upcard.answers.games.sweep import sweep_games
from upcard.answers.questions import QUESTIONS, Asking
from upcard.cache.exact import basic_strategy
from upcard.core.errors import BlackjackError, RulesError
from upcard.rules.model import Rules
from upcard.strategy.chart import HAND_LABELS

FIELDS = {one.name: one for one in QUESTIONS["compare"].fields}
RULES = Rules.parse("6D S17")


def ask(rules, **values):
    """Ask as a page does, which waits for seconds."""
    return QUESTIONS["compare"].ask(rules, asking=Asking(is_patient=False), **values)


@pytest.mark.slow
def test_the_answer_is_the_comparison_with_the_chosen_game_first():
    asked = FIELDS["games"].read("6D H17 LS, downtown")
    sheet = ask(RULES, games=asked)
    found = compare_games([RULES, "6D H17 LS", "downtown"])
    assert sheet.findings == found.sentences
    assert list(sheet.tables[:2]) == found.tables()
    assert [name for name, _ in sheet.facts] == ["Game A", "Game B", "Game C"]


def test_a_chart_is_laid_over_the_known_one_where_it_changes():
    sheet = ask(RULES, games=("6D H17",))
    table = sheet.tables[-1]
    assert table.title == "Your chart, and what changes in B"
    rows = {row[0]: row[1:] for row in table.rows}
    assert set(rows) == {"11", "A7", "A8"}
    known, other = basic_strategy(RULES), basic_strategy(Rules.parse("6D H17"))
    for hand, shown in rows.items():
        laid = [
            a if a == b else f"{a} → {b}"
            for a, b in zip(
                *(chart.cells[HAND_LABELS.index(hand)] for chart in (known, other)), strict=True
            )
        ]
        assert list(shown) == laid


@pytest.mark.slow
def test_charts_for_both_dealer_cards_show_the_columns_that_change():
    sheet = ask(Rules.parse("double-exposure"), games=("double-exposure-reno",))
    changed = {row[2] for row in sheet.tables[1].rows if row[0] == "B"}
    title = "Your chart, and what changes in B"
    table = next(one for one in sheet.tables if one.title == title)
    assert {column.name for column in table.columns} == {"hand", *changed}
    assert sum(" → " in str(cell) for row in table.rows for cell in row) == len(
        [row for row in sheet.tables[1].rows if row[0] == "B"]
    )


@pytest.mark.slow
def test_a_count_simulates_with_a_fixed_seed(monkeypatch):
    monkeypatch.setattr(compare, "ROUNDS", 200_000)
    values = {"count": "hi-lo", "indices": "i18", "spread": "1-8", "bankroll": "5000", "chip": "5"}
    given = {name: FIELDS[name].read(text) for name, text in values.items()}
    sheet = ask(RULES, games=("6D H17", "6D48"), **given)
    found = compare_games(
        [RULES, "6D H17", "6D48"],
        **values | {"bankroll": 5000, "chip": 5},
        rounds=200_000,
        seed=1,
    )
    assert sheet.findings == found.sentences
    assert found.tables()[2] in sheet.tables
    assert sheet.sentences[0].startswith("C (6D48 S17 ")
    assert " is left out: the count hi-lo cannot honour 6D48" in sheet.sentences[0]


def test_a_game_without_a_chart_lays_nothing_over():
    sheet = ask(Rules.parse("deshmukh"), games=("6D", "6D H17"))
    assert [table.title for table in sheet.tables][-1] == "Cells of your chart that change, in bets"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("count", "nope"),
        ("spread", "x"),
        ("bankroll", "-5"),
        ("risk", "x"),
        ("wong", "x"),
        ("indices", "mine.txt"),
        ("ramp", __file__),
        ("strategy", __file__),
        ("count", "mine.toml"),
    ],
)
def test_a_faulty_field_is_refused(name, text):
    with pytest.raises(BlackjackError):
        FIELDS[name].read(text)


def test_bets_without_a_count_are_refused():
    with pytest.raises(RulesError, match="bankroll is for counting"):
        ask(RULES, bankroll=5000.0)


@pytest.mark.slow
def test_a_sweep_is_its_table_with_the_games_named(monkeypatch):
    monkeypatch.setattr(compare, "ROUNDS", 200_000)
    sweep, count = "pen=60,80 spread=8,12", FIELDS["count"].read("hi-lo")
    sheet = ask(RULES, games=("2D H17",), count=count, sweep=sweep)
    found = sweep_games([RULES, "2D H17"], sweep, count="hi-lo", rounds=200_000, seed=1)
    assert sheet.findings == (found.sentence,)
    assert sheet.facts == (("Game A", str(RULES)), ("Game B", "2D H17"))
    assert sheet.tables == (found.table(),)
    assert sheet.sentences == found.notes


def test_a_sweep_without_a_count_is_refused():
    with pytest.raises(RulesError, match="for counting"):
        ask(RULES, sweep="pen=60")
    with pytest.raises(BlackjackError):
        ask(RULES, sweep="x")


@pytest.mark.slow
def test_counts_are_compared_in_the_chosen_game(monkeypatch):
    monkeypatch.setattr(compare, "ROUNDS", 200_000)
    counts = FIELDS["count"].read("hi-lo, ko")
    sheet = ask(RULES, count=counts, indices="18")
    found = compare_counts(RULES, ["hi-lo", "ko"], rounds=200_000, seed=1, indices=18)
    assert (sheet.findings, list(sheet.tables)) == (found.sentences, found.tables())


def test_counts_are_compared_in_no_other_game():
    with pytest.raises(RulesError, match="one game"):
        ask(RULES, games=("8D",), count=FIELDS["count"].read("hi-lo, ko"))


def test_a_sweep_of_several_counts_is_refused():
    with pytest.raises(RulesError, match="one count"):
        ask(RULES, count=FIELDS["count"].read("hi-lo, ko"), sweep="pen=60")
