"""`--csv` of every command: one table that every reader takes, never empty."""

from __future__ import annotations

import csv
import io

import pytest
from driving import talk
from marks import slow_except

from upcard.cli.output import Formats
from upcard.core.errors import RulesError

COMMANDS = {
    "a side bet": ["sidebet", "over-13", "--rules", "6D"],
    "side bets": ["sidebet"],
    "statistics": ["stats"],
    "mastery": ["mastery"],
    "dealer": ["dealer"],
    "find": ["find", "--place", "las vegas"],
    "games": ["compare", "6D S17", "6D H17"],
    "a perfect score": ["bench", "score", "--player", "basic", "--rules", "INF"],
    "a score": ["bench", "score", "--player", "mimic", "--rules", "INF"],
    "one player twice": ["bench", "score", *["--player", "mimic"] * 2, "--rules", "INF"],
    "a history": ["history"],
    "houses": ["houses"],
    "counts": ["counts"],
}


@pytest.mark.parametrize("name", slow_except(COMMANDS.keys() - {"side bets", "games"}, COMMANDS))
def test_csv_has_rows_of_one_width_below_their_names(name, tmp_path):
    """`stats`, `mastery` and a side bet wrote tables of several widths; `bench score` nothing."""
    talk(["play", "--line", "--house", "vegas-strip"], ["10", "s", "s", "s", "s", "s"] * 3)
    answer = talk([*COMMANDS[name], "--csv", "-"])
    assert (answer.code, answer.err) == (0, "")
    head, *rows = csv.reader(io.StringIO(answer.out, newline=""))
    assert len(head) == len(set(head)) > 1
    assert all(head)
    assert {len(row) for row in rows} <= {len(head)}
    file = tmp_path / "table.csv"
    talk([*COMMANDS[name], "--csv", str(file)])
    assert file.read_text(encoding="utf-8") == answer.out


def test_an_answer_without_a_table_says_so():
    with pytest.raises(RulesError, match="--csv: this answer has no table"):
        Formats("-", as_json=False).write_tables(list)
