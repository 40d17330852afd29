"""`upcard indices`: the table, the file that simulate reads, JSON, and what is refused."""

from __future__ import annotations

import json

import pytest
from driving import talk

from upcard.analysis.indices import search
from upcard.strategy.count_system import load_system
from upcard.strategy.deviations import load_deviations

FAST = ("--plays", "15 v T, insurance", "--rounds", "2M", "--seed", "1")


def run(*words):
    answer = talk(["indices", *words])
    assert answer.code == 0, answer.err
    return answer.out


@pytest.mark.slow
def test_the_table_has_both_indices_and_gains_with_their_errors():
    text = run("--rules", "6D LS", *FAST)
    assert text.split("\n\n")[1].split()[:3] == ["play", "exact", "simulated"]
    row = next(line for line in text.splitlines() if "15 v T  R >= 0" in line)
    assert row.count("±") == 2
    assert "2,000,000 rounds, seed 1." in text
    assert "the least whole count whose gain is above 0" in " ".join(text.split())
    assert max(map(len, text.splitlines())) <= 80


@pytest.mark.slow
def test_with_a_ramp_the_table_still_fits():
    text = run("--rules", "6D LS", "--ramp", "1-8", *FAST)
    assert "with ramp" in text
    assert max(map(len, text.splitlines())) <= 80


@pytest.mark.slow
def test_exact_indices_need_no_rounds():
    text = run("--method", "exact", "--plays", "16 v T, 19 v T")
    assert "16 v T  S >= 0 else H" in text
    assert "simulated" not in text
    assert "No index          from −10 to +10: 19 v T." in text


@pytest.mark.slow
def test_the_file_is_read_by_simulate(tmp_path):
    path = tmp_path / "mine.txt"
    run("--rules", "6D LS", "-o", str(path), *FAST)
    plays = load_deviations(str(path), load_system("hi-lo"))
    assert plays.insurance == 3
    assert "15 v T  R >= 0" in map(str, plays.plays)
    text = path.read_text()
    assert "# Indices for 6D S17 PEEK DOA DAS SP4 NRSA LS 3:2" in text
    assert "# 2,000,000 rounds simulated, seed 1" in text


@pytest.mark.slow
def test_json_has_everything_in_full():
    document = json.loads(run("--rules", "6D LS", "--ramp", "1-8", "--json", *FAST))
    assert document["format"] == "upcard indices"
    assert (document["seed"], document["rounds"], document["rounding"]) == (1, 2_000_000, "floor")
    row = next(row for row in document["rows"] if row["cell"] == "insurance")
    assert row["index"] == 3
    assert row["exact"]["crossing"] == pytest.approx(3.03, abs=0.03)
    assert row["simulated"]["gain_error"] > 0
    assert row["simulated"]["ramp_gain_error"] > row["simulated"]["gain_error"]


@pytest.mark.slow
def test_rounding_changes_the_index():
    """Where the gain changes its sign stays, but for what falls into a whole count."""
    words = ("--rules", "6D LS", "--method", "exact", "--plays", "15 v A", "--json")
    rows = {
        rounding: json.loads(run(*words, "--rounding", rounding))["rows"][0]
        for rounding in ("floor", "truncate", "round")
    }
    crossings = [row["exact"]["crossing"] for row in rows.values()]
    assert max(crossings) - min(crossings) < 0.2
    assert rows["round"]["index"] == 2


@pytest.mark.slow
def test_plays_to_learn_have_shares_a_card_and_a_file(tmp_path):
    card, plays = tmp_path / "card.html", tmp_path / "plays.txt"
    words = ("--method", "exact", "--plays", "16 v T, insurance", "--learn", "2", "--ramp", "1-8")
    text = run(*words, "--card", str(card), "-o", str(plays))
    assert text.split("\n\n")[1].splitlines()[0].split() == [
        *("play", "exact", "floor", "truncate", "round", "with", "ramp", "so", "far")
    ]
    assert "Each play adds most to those above it." in " ".join(text.split())
    assert max(map(len, text.splitlines())) <= 80
    assert len(load_deviations(str(plays), load_system("hi-lo")).plays) == 1
    page = card.read_text()
    assert ">16 v T</th>" in page
    assert "insurance" in page
    document = json.loads(run(*words, "--json"))
    shares = [row["share_so_far"] for row in document["rows"]]
    assert shares == sorted(shares)
    assert 0 < shares[0] < shares[-1] <= 1
    assert document["gain_of_all_per_100"] > 0
    assert set(document["rows"][0]["exact"]["rounded"]) == {"floor", "truncate", "round"}


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--learn", "3", "--method", "simulation"), "goes by exact gains"),
        (("--rules", "6D CSM"), "no count to go by"),
        (("--plays", "16 v Q"), "write all, a set"),
        (("--method", "exact", "--seed", "1"), "seed is for the simulation"),
        (("--count", "nothing"), "no counting system"),
        (("--house", "deshmukh"), "cannot honour"),
        (("-o", "/no/such/folder/mine.txt"), "no file can be written there"),
        (("--ramp", "x"), "ramp 'x'"),
        (("--count", "ko", "--rounding", "round"), "rounding clashes"),
        (("--method", "exact", "--workers", "2"), "--workers is for the simulation"),
        (("--method", "best"), "choose one of both, exact, simulation"),
        (("--rounding", "up"), "choose one of floor, truncate, round"),
        (("--decks-left", "third"), "choose one of exact, half, whole"),
        (("--learn", "0"), "at least 1, such as 18"),
        (("--bankroll", "100"), "need a ramp, and the method both"),
        (("--bankroll", "x"), "--bankroll"),
        (("--rounds", "0"), "0 rounds"),
        (("--rules", "6D", "--house", "lott"), "--house or --rules"),
        (("--card", "/no/such/folder/c.html"), "no file can be written there"),
        (("--csv", "-", "--json"), "both want the screen"),
        (("-o", "-", "--json"), "both want the screen"),
        (("more",), "unexpected extra argument"),
    ],
)
def test_what_cannot_be_is_refused(words, message):
    answer = talk(["indices", *words])
    assert (answer.code, answer.out) == (2, "")
    assert message in answer.err
    assert len(answer.err.splitlines()) == 1


def test_ctrl_c_writes_the_indices_of_the_rounds_so_far(monkeypatch):
    found = search.indices("6D", method="exact", plays="16vT")

    def interrupt(*_, **__):
        raise search.IndicesInterruptedError(found, 1000)

    monkeypatch.setattr(search, "indices", interrupt)
    answer = talk(["indices"])
    assert answer.code == 130
    assert "16 v T  S >= 0 else H" in answer.out
    assert answer.err == "upcard indices: interrupted; these are the plays of 0 rounds\n"
