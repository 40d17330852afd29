"""The questions of `upcard.answers.topics` as commands, pages and pages of the screen."""

from __future__ import annotations

import csv
import json

import pytest
from driving import talk

from upcard.answers.topics import TOPICS
from upcard.rules.model import Rules


@pytest.mark.parametrize("name", [name for name in TOPICS if name not in ("sidebet", "compare")])
def test_a_question_is_a_command_with_text_csv_and_json(name):
    game = ["--rules", "2D"] if TOPICS[name].takes_rules else []
    sheet = TOPICS[name].ask(Rules.parse("2D"))
    shown = talk([name, *game]).out
    for table in sheet.tables:
        assert all(line in shown for line in table.lines(77))
    told = json.loads(talk([name, *game, "--json"]).out)
    assert [table["rows"] for table in told["tables"]] == [
        [list(row) for row in table.rows] for table in sheet.tables
    ]
    head, *rows = csv.reader(talk([name, *game, "--csv", "-"]).out.splitlines())
    assert {len(row) for row in rows} == {len(head)}
    first = dict(zip(head, rows[0], strict=True))
    if len(sheet.tables) > 1:  # one table with all of them: a reader takes no two
        titles = [row[0] for row in rows]
        assert head[0] == "table"
        assert titles == [table.title for table in sheet.tables for _ in table.rows]
    for column, cell in zip(sheet.tables[0].columns, sheet.tables[0].rows[0], strict=True):
        assert first[column.name] == ("" if cell is None else str(cell))


@pytest.mark.parametrize(
    "words",
    [
        ["--shoe", "nonsense"],
        ["--rules", "NOPE"],
        ["--house", "deshmukh"],
        ["--csv", "-", "--json"],
        ["more"],
    ],
)
def test_what_cannot_be_asked_is_refused_in_a_line(words):
    answer = talk(["dealer", *words])
    assert (answer.code, answer.out) == (2, "")
    assert answer.err.count("\n") == 1 or answer.err.startswith("Usage")
