"""`upcard bench`: the questions as lines of JSON, scores and differences, and what is refused."""

from __future__ import annotations

import csv
import json

import pytest
from driving import pipe, talk
from test_stats_chart import play

import upcard


def answer_all(path, answer):
    lines = talk(["bench", "--rules", "2D LS"]).out.splitlines()
    asked = [json.loads(line) for line in lines]
    rows = [json.dumps({"id": one["id"], "answer": answer(one)}) for one in asked]
    path.write_text("\n".join(rows), encoding="utf-8")
    return asked


@pytest.mark.slow
def test_questions_are_lines_of_json_and_answers_are_scored(tmp_path):
    file = tmp_path / "answers.jsonl"
    asked = answer_all(file, lambda one: f"I would {one['legal'][0]}.")
    assert len(asked) == 550
    assert all(list(one) == ["id", "prompt", "legal"] for one in asked)
    told = json.loads(talk(["bench", "score", str(file), "--rules", "2D LS", "--json"]).out)
    score = upcard.score_player("2D LS", {one["id"]: one["legal"][0] for one in asked})
    assert told["regret_per_100"] == score.regret_per_100 > 10
    assert told["legal"] == 550
    assert told["money_per_hour"] == pytest.approx(10 * told["regret_per_100"])  # 100 hands at 10
    assert told["answers"][0] == score.answers[0]._asdict()
    assert len(told["answers"]) == 550
    shown = pipe(["bench", "score", "-", "--rules", "2D LS"], file.read_bytes()).out
    assert f"regret {score.regret_per_100:.4f} bets in 100 rounds, about" in shown


def test_the_worst_answers_are_csv_and_two_players_are_compared(tmp_path):
    words = ["bench", "score", "--player", "mimic", "--worst", "3", "--rules", "2D LS"]
    rows = list(csv.reader(talk([*words, "--csv", "-"]).out.splitlines()))
    assert [len(rows), rows[0][0], rows[1][0]] == [4, "hand", "T6 v 5"]
    chart = tmp_path / "best.tsv"
    chart.write_text(str(upcard.basic_strategy("2D LS")), encoding="utf-8")
    told = json.loads(talk([*words, "--strategy", str(chart), "--json"]).out)
    assert told["figures"][0]["value"] == pytest.approx(
        upcard.score_player("2D LS", "mimic").regret_per_100
        - upcard.score_player("2D LS", "basic").regret_per_100
    )


def test_as_many_answers_are_shown_as_were_asked_for():
    """More than 20 were cut, and the rest was promised in a file that `--csv` writes."""
    shown = talk(["bench", "score", "--player", "mimic", "--worst", "40", "--rules", "INF"]).out
    assert sum(line.startswith("  ") and line.endswith("%") for line in shown.splitlines()) == 40


def test_questions_are_a_table_and_json_too():
    lines = talk(["bench", "--rules", "INF"]).out.splitlines()
    assert json.loads(talk(["bench", "--rules", "INF", "--json"]).out) == [*map(json.loads, lines)]
    rows = list(csv.reader(talk(["bench", "--rules", "INF", "--csv", "-"]).out.splitlines()))
    assert {row[0] for row in rows[1:]} == {json.loads(line)["id"] for line in lines}


def test_a_history_is_scored_by_its_judged_decisions():
    play("6D", 20, cost=0.5)
    shown = talk(["bench", "score", "--history", "--json"]).out
    told = json.loads(shown)
    judged = sum(one["frequency"] for one in told["answers"] if one["kind"] == "legal") * 20
    assert told["regret_per_100"] == pytest.approx(100 * 0.05 * judged / 20)
    assert told["missing"] == 0


@pytest.mark.parametrize(
    ("words", "fault"),
    [
        (["nope"], "score"),
        (["score"], "0 players"),
        (["score", "a", "b", "c"], "3 players"),
        (["score", "none.jsonl"], "none.jsonl"),
        (["score", "--player", "zz"], "'zz'"),
        (["score", "--history"], "judged"),
        (["score", "--history", "--player", "mimic"], "--history"),
        (["score", "--history", "--long"], "--history"),
        (
            ["score", "--player", "mimic", "--csv", "-", "--json"],
            "both want the screen; name a file",
        ),
        (["--player", "mimic"], "without score"),
        (["--worst", "3"], "without score"),
        (["--history"], "without score"),
        (["--strategy", "a.tsv"], "without score"),
        (["score", "--worst", "0"], "--worst"),
        (["score", "--worst", "x"], "--worst"),
        (["score", "--strategy", "none.tsv"], "none.tsv"),
        (["score", "--player", "mimic", "--csv", "no/such/file"], "no/such/file"),
        (["score", "--player", "a", "--player", "b", "--strategy", "c"], "3 players"),
        (["--rules", "NOPE"], "NOPE"),
    ],
)
def test_what_cannot_be_scored_is_refused_in_a_line(words, fault):
    answer = talk(["bench", *words])
    assert (answer.code, answer.out) == (2, "")
    assert fault in answer.err
    assert answer.err.count("\n") == 1 or answer.err.startswith("Usage")
