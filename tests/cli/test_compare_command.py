"""`upcard compare`: text, CSV, JSON, saved runs and faults."""

from __future__ import annotations

import csv
import json

import pytest
from driving import read_json, talk

import upcard

PAIR = ["6D S17 DAS", "6D H17 DAS LS"]
BETS = ["--count", "hi-lo", "--rounds", "300k", "--seed", "1", "--spread", "1-8"]


def ask(*words):
    answer = talk(["compare", *words])
    assert answer.err == ""
    assert answer.code == 0
    return answer.out


def test_two_games_side_by_side_and_the_sentence_that_decides():
    lines = ask(*PAIR).splitlines()
    assert (
        "Game A            6D S17 PEEK DOA DAS SP4 NRSA NS 3:2: Six decks, dealer stands" in lines
    )
    assert "  A        0.4029%           0.0000%                  0" in lines
    assert "  B     16    10      H         Rs                       0.0601" in lines
    sentence = "Play A: it costs 0.1243% of the bet less than B, and your chart stays as it is."
    assert lines[0] == "Which game to play"
    assert sentence in lines


@pytest.mark.slow
def test_json_is_that_of_the_python_function():
    assert read_json("compare", *PAIR, "--json") == upcard.compare_games(PAIR).to_json()


@pytest.mark.slow
def test_houses_and_files_are_games_too(tmp_path):
    house = tmp_path / "mine.toml"
    house.write_text('title = "Mine"\nsource = "x"\nabout = "y"\nrules = "2D H17"\n')
    games = read_json("compare", "downtown", str(house), "6D", "--json")["games"]
    assert [game["rules"] for game in games[:2]] == ["downtown", str(upcard.Rules.parse("2D H17"))]


def test_the_chart_that_is_known_comes_from_a_file(tmp_path):
    chart = tmp_path / "mine.tsv"
    chart.write_text(str(upcard.basic_strategy("6D H17 DAS LS")))
    games = read_json("compare", *PAIR, "--strategy", str(chart), "--json")["games"]
    assert [game["cells_changed"] for game in games] == [4, 0]


@pytest.mark.slow
def test_figures_with_a_count_are_those_of_upcard_ramp(tmp_path):
    words = ["--bankroll", "5000", "--chip", "5", "-o", str(tmp_path)]
    out = ask(*PAIR, *BETS, *words)
    assert (
        out.index("Exact, in percent")
        < out.index("\nBets in A")
        < out.index("With the count, an hour")
    )
    assert out.count("Exact, in percent") == out.count("With the count") == 1
    games = read_json("compare", *PAIR, *BETS, *words, "--json")["games"]
    for game, name in zip(games, "ab", strict=True):
        terms = ["--spread", "1-8", "--bankroll", "5000", "--chip", "5", "--json"]
        plan = read_json("ramp", str(tmp_path / f"{name}.json"), *terms)["plans"][-1]
        assert game["plan"] == plan
        assert game["ev_per_hour"] == plan["figures"]["ev_per_hour"]["value"]


@pytest.mark.slow
def test_several_counts_are_compared_in_one_game(tmp_path):
    words = ["6D S17", "--count", "hi-lo, ko", *BETS[2:], "--indices", "4", "-o", str(tmp_path)]
    text = ask(*words)
    assert "6D S17 PEEK DOA DAS SP4 NRSA NS 3:2, an hour of 100 rounds:\n  count" in text
    assert "Learn " in text or "too close to call" in text
    assert "Bets by ko" in text
    assert {one.name for one in tmp_path.iterdir()} == {"hi-lo.json", "ko.json"}
    assert ask(*words) == text


@pytest.mark.slow
def test_csv_has_every_table_and_every_cell():
    """One table with a column `table`: tables of different widths are no CSV."""
    head, *rows = csv.reader(ask("6D S17 DAS", "helsinki", "--csv", "-").splitlines())
    assert head[:6] == ["table", "name", "rules", "house_edge", "chart_cost", "cells_changed"]
    assert {len(row) for row in rows} == {len(head)}
    games, *others = dict.fromkeys(row[0] for row in rows)
    changed = [row for row in rows if row[0] == others[0]]
    assert len(changed) == int([row for row in rows if row[0] == games][1][5]) == 21
    assert "and 1 more: --csv has all of them." in ask("6D S17 DAS", "helsinki")


@pytest.mark.slow
def test_a_game_that_cannot_be_compared_is_named_and_the_others_go_on():
    out = ask("6D", "deshmukh", "8D")
    flat = " ".join(out.split())
    assert "B (deshmukh) is left out: the non-standard solver cannot honour" in flat
    assert json.loads(ask("6D", "deshmukh", "8D", "--json"))["left_out"][0]["name"] == "B"


@pytest.mark.parametrize(
    ("words", "fault"),
    {
        "one game": (["6D"], "1 game to compare"),
        "two of which one is left out": (["6D", "deshmukh"], "two games or more"),
        "a faulty game": (["6D", "nonsense"], "unknown token"),
        "no file": (["6D", "no.toml"], "no.toml"),
        "a ramp and a spread": ([*PAIR, *BETS, "--ramp", "1-4"], "--ramp or --spread"),
        "bets without a count": ([*PAIR, "--bankroll", "5"], "bankroll is for counting"),
        "a folder without a count": ([*PAIR, "-o", "x"], "output is for counting"),
        "no chart": ([*PAIR, "--strategy", "no.tsv"], "cannot read the chart"),
        "counts in two games": ([*PAIR, "--count", "hi-lo,ko"], "name one GAME"),
        "a count twice": (["6D", "--count", "ko,ko"], "each once"),
        "no plays": ([*PAIR, "--count", "ko", "--indices", "0"], "indices 0: a number of plays"),
        "indices of another count": (
            [*PAIR, "--count", "ko", "--indices", "i18"],
            "upcard indices --count ko -o FILE computes those",
        ),
    }.values(),
)
def test_a_faulty_request_is_refused_in_a_line(words, fault):
    answer = talk(["compare", *words])
    assert (answer.code, answer.out) == (2, "")
    assert fault in answer.err
    assert answer.err.count("\n") == 1


@pytest.mark.slow
def test_an_interruption_shows_the_games_that_are_done_and_how_to_continue(tmp_path, monkeypatch):
    from upcard.cli import progress

    def stop(_self, what, _share):
        if what.startswith("C: "):
            raise KeyboardInterrupt

    monkeypatch.setattr(progress.LiveTask, "move", stop)
    answer = talk(["compare", *PAIR, "2D", *BETS, "-o", str(tmp_path)])
    assert answer.code == 130
    assert "With the count, an hour of 100 rounds:" in answer.out
    assert "interrupted; the same command continues with the runs in" in answer.err
    monkeypatch.undo()
    assert "left_out" in ask(*PAIR, "2D", *BETS, "-o", str(tmp_path), "--json")


SWEEP = ["--count", "hi-lo", "--rounds", "300k", "--seed", "1", "--sweep", "pen=60,75"]


@pytest.mark.slow
def test_a_sweep_is_one_table_and_takes_words_among_the_games(tmp_path):
    words = ["2D H17", *SWEEP, "spread=8,12", "-o", str(tmp_path)]
    out = ask(*words)
    assert "\nGame A            2D H17\n" in out
    assert out.count("\n  A ") == 4
    found = read_json("compare", *words, "--json")
    assert [one["spread"] for one in found["games"]] == [8, 12, 8, 12]
    assert len(ask(*words, "--csv", "-").splitlines()) == 5


@pytest.mark.parametrize(
    ("words", "fault"),
    [
        (["6D", "--sweep", "pen=60"], "--sweep is for counting"),
        (["6D", *SWEEP, "--strategy", "mine.tsv"], "--strategy with --sweep"),
        (["6D", *SWEEP, "spread=x"], "spread '1-x'"),
        (["6D", *SWEEP, "spread=8", "--ramp", "1-8"], "leave out the other spread or ramp"),
    ],
)
def test_a_faulty_sweep_is_refused_in_a_line(words, fault):
    answer = talk(["compare", *words])
    assert (answer.code, answer.out) == (2, "")
    assert fault in answer.err


@pytest.mark.slow
def test_an_interrupted_sweep_says_how_to_continue(tmp_path, monkeypatch):
    from upcard.cli import progress

    def stop(_self, what, _share):
        if what.startswith("A75: "):
            raise KeyboardInterrupt

    monkeypatch.setattr(progress.LiveTask, "move", stop)
    answer = talk(["compare", "6D", *SWEEP, "-o", str(tmp_path)])
    assert answer.code == 130
    assert "the same command continues with the runs in" in answer.err
