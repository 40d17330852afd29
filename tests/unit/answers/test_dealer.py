"""How the dealer ends: chances by upcard and over all rounds, and tables for people."""

from __future__ import annotations

from dataclasses import replace

import pytest

from upcard.answers.asked import dealer
from upcard.answers.questions import QUESTIONS
from upcard.core.errors import BlackjackError
from upcard.core.figure import AnswerTable, ColumnKind, TableColumn
from upcard.rules.model import Rules


def ends(rules, **fields):
    (table,) = dealer.answer(Rules.parse(rules), **fields).tables
    names = [column.name for column in table.columns[1:]]
    return {row[0]: dict(zip(names, row[1:], strict=True)) for row in table.rows}


def play_dealer(hand, chance, odds, found, *, first=False):
    """Draw cards of an infinite deck to 17: a twin that knows neither tables nor sums."""
    total = sum(hand) + 10 * (1 in hand and sum(hand) < 12)
    if len(hand) == 2 and total == 21:
        found["natural"] = found.get("natural", 0) + chance
    elif total >= 17:
        name = "bust" if total > 21 else str(total)
        found[name] = found.get(name, 0) + chance
    else:
        for rank, share in odds.items():
            play_dealer((*hand, rank), chance * share, odds, found)


def test_the_chances_over_all_rounds_are_those_of_plain_drawing():
    odds = {rank: (4 if rank == 10 else 1) / 13 for rank in range(1, 11)}
    found = {}
    for rank, share in odds.items():
        play_dealer((rank,), share, odds, found)
    for rules in ("INF", "INF ENHC"):
        assert ends(rules)["all"] == pytest.approx(found, abs=1e-12)


@pytest.mark.parametrize("rules", ["1D H17", "6D", "8D ENHC"])
def test_the_chances_of_a_row_sum_to_1_and_naturals_are_those_of_the_deal(rules):
    found = ends(rules)
    assert all(sum(row.values()) == pytest.approx(1, abs=1e-13) for row in found.values())
    decks = int(rules[0])
    naturals = 2 * (4 * decks) * (16 * decks) / (52 * decks * (52 * decks - 1))
    assert found["all"]["natural"] == pytest.approx(naturals, abs=1e-14)


def test_a_look_changes_the_rows_of_an_ace_and_a_ten_only():
    looks, waits = ends("6D"), ends("6D ENHC")
    assert {upcard for upcard in looks if looks[upcard] != pytest.approx(waits[upcard])} == {
        "T",
        "A",
    }
    assert looks["A"]["natural"] == 0 != waits["A"]["natural"]


def test_cards_out_of_the_shoe_change_the_chances_and_missing_upcards_have_no_row():
    found = ends("1D", shoe="1D less 5 5 5 5")
    assert "5" not in found
    assert found["6"]["bust"] > ends("1D")["6"]["bust"]
    with pytest.raises(BlackjackError):
        ends("1D", shoe="six decks")


def test_the_fields_of_a_question_are_read_from_its_signature():
    (shoe,) = QUESTIONS["dealer"].fields
    assert (shoe.name, shoe.default, shoe.read(""), shoe.read("1D")) == ("shoe", None, None, "1D")
    assert shoe.field.help


TABLE = AnswerTable(
    title="Made up",
    columns=(
        TableColumn(name="hand", title="hand"),
        TableColumn(name="ev", title="EV", kind=ColumnKind.EV, digits=4),
        TableColumn(name="share", title="share", kind=ColumnKind.SHARE),
        TableColumn(name="rounds", title="rounds", kind=ColumnKind.NUMBER, digits=0),
    ),
    rows=(("16 v T", -0.53467, 0.25, 12345), ("none", None, 1 / 3, None)),
)


def test_a_last_column_of_texts_is_wrapped_where_the_table_is_too_wide():
    columns = (TableColumn(name="engine", title="engine"), TableColumn(name="why", title="why"))
    words = "It knows hands by their cards, not by their order."
    table = replace(TABLE, columns=columns, rows=(("full memory", words), ("table", "Yes.")))
    wrapped = [
        "engine       why",
        "full memory  It knows hands by their",
        "             cards, not by their order.",
        "table        Yes.",
    ]
    assert table.lines(40) == wrapped
    assert table.lines(10) == table.lines(len("full memory") + 2 + 20)  # no narrower than that


def test_a_table_is_written_by_the_kinds_of_its_columns():
    assert TABLE.lines(60) == [
        "hand         EV    share  rounds",
        "16 v T  −0.5347  25.000%  12,345",
        "none             33.333%",
    ]
    assert TABLE.cells[0][1:] == [("−0.5347", "−0.5"), ("25.000%", "25.0%"), ("12,345", "12,345")]


def test_a_narrow_table_has_fewer_digits_down_to_one():
    assert TABLE.lines(28)[1] == "16 v T  −0.53  25.0%  12,345"
    assert TABLE.lines(1) == TABLE.lines(26)


def test_a_table_as_csv_has_names_and_unrounded_values():
    lines = TABLE.to_csv().splitlines()
    assert (lines[0], lines[2]) == ("hand,ev,share,rounds", f"none,,{1 / 3!r},")
