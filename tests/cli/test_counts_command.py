"""`upcard counts`, `ceiling` and `best-count`: what they write, and what they refuse."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from upcard.cli.app import cli, run
from upcard.strategy.count_system import load_system, read_system, system_names
from upcard.strategy.deviations import Deviations, load_deviations


def counts(*words):
    return ask("counts", *words)


def ask(*words):
    result = CliRunner().invoke(cli, words, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout


@pytest.mark.slow
def test_the_list_has_every_system_with_its_tags():
    rows = {line.split()[0]: line.split()[1:] for line in counts().splitlines() if line.strip()}
    assert [name for name in system_names() if name not in rows] == []
    assert rows["wong-halves"] == [
        *("−1", "+0.5", "+1", "+1", "+1.5", "+1", "+0.5", "0", "−0.5", "−1"),
        *("0", "true"),
    ]
    assert rows["ko"][-2:] == ["+4", "running"]
    assert rows["uston-apc"][-3:] == ["true", "+", "aces"]
    assert [one["name"] for one in json.loads(counts("--json"))] == list(system_names())


@pytest.mark.slow
def test_one_system_says_what_it_is_made_of():
    text = " ".join(counts("hi-opt-2").split())
    assert load_system("hi-opt-2").source in text
    assert "+2 for each ace left above a 13th" in text
    assert "0 with 6 decks; balanced" in text
    assert "none come with upcard" in text
    text = " ".join(counts("red-7", "--rules", "1D").split())
    assert "−2 with 1 deck; unbalanced, +2 a deck" in text
    assert "Red sevens +1" in text


@pytest.mark.slow
def test_json_has_the_numbers_in_full():
    """Hi-Lo follows the tens by 52 / sqrt(10 x 468)."""
    document = json.loads(counts("hi-lo", "--rules", "1D", "--json"))
    assert document["insurance_correlation"] == pytest.approx(52 / (10 * 468) ** 0.5)
    assert document["betting_correlation"] == pytest.approx(0.968, abs=0.007)
    assert document["deviations"] == ["fab4", "i18"]
    assert (document["start"], document["ramp_from"], document["ramp_step"]) == ("0", 1, 1)
    assert document["tags"] == dict(
        zip("A23456789T", ["-1", *["1"] * 5, "0", "0", "0", "-1"], strict=True)
    )


@pytest.mark.slow
def test_a_side_count_of_aces_counts_for_bets():
    """Richard Reid: .982 with it; .91 is published without."""
    document = json.loads(counts("hi-opt-2", "--rules", "1D", "--json"))
    assert document["betting_correlation"] == pytest.approx(0.982, abs=0.007)


@pytest.mark.slow
def test_what_is_written_can_be_read(tmp_path):
    text = counts("ko", "--toml")
    assert read_system(text) == load_system("ko")
    file = tmp_path / "mine.toml"
    file.write_text(text.replace('"ko"', '"mine"'), encoding="utf-8")
    assert json.loads(counts(str(file), "--json"))["name"] == "mine"
    hi_lo = load_system("hi-lo")
    assert Deviations.parse(counts("hi-lo", "--indices", "i18+fab4")) == load_deviations(
        "i18+fab4", hi_lo
    )


@pytest.mark.parametrize(
    ("words", "fault"),
    [
        ("counts nix", "no counting system is called 'nix': one of ace-five"),
        ("counts no.toml", "cannot read the counting system 'no.toml'"),
        ("counts hi-lo ko", "no counting system is called 'hi-lo ko'"),
        ("counts --rules 1D", "--rules is about one system: name it"),
        ("counts --house european", "--house is about one system: name it"),
        ("counts --toml", "--toml is about one system: name it"),
        ("counts --indices i18", "--indices is about one system: name it"),
        ("counts --decisions", "--decisions is about one system: name it"),
        ("counts hi-lo --toml --json", "--json: this answer is a file of its own, hi-lo.toml"),
        ("counts hi-lo --indices i18 --csv -", "--csv: this answer is a file of its own, i18.txt"),
        (
            "counts hi-lo --indices i18 --rules 1D",
            "--rules with --indices: a file is written alone",
        ),
        ("counts hi-lo --toml --house european", "--house with --toml: a file is written alone"),
        ("counts hi-lo --toml --decisions", "--decisions with --toml: a file is written"),
        ("counts hi-lo --indices i18 --toml", "--toml with --indices: a file is written"),
        ("counts zen --indices i18", "not for zen"),
        ("counts hi-lo --indices nix", "no deviations are called 'nix'"),
        ("counts hi-lo --rules INF", "cannot honour INF"),
        ("counts hi-lo --rules 6D48", "its tags are for decks of 52 cards"),
        ("counts hi-lo --rules 6D,7D", "'7D' contradicts '6D'"),
        ("ceiling nix", "no counting system is called 'nix'"),
        ("ceiling hi-lo --toml", "No such option"),
        ("ceiling hi-lo --rules 2D,CSM", "cannot honour CSM"),
        ("ceiling hi-lo --rules INF", "cannot honour INF"),
        ("ceiling hi-lo --rounds 0", "0 rounds and"),
        ("ceiling hi-lo --rounds -1", "rounds '-1': write a whole number at least 0"),
        ("ceiling hi-lo --workers 0", "number of workers '0'"),
        ("ceiling hi-lo --seed x", "seed 'x'"),
        ("best-count nix", "'nix': choose one of betting, playing, growth"),
        ("best-count --level 7", "'7': choose one of 1, 2, 3, free"),
        ("best-count --toml --rounds 1M", "--toml with --rounds: it writes the system"),
        ("best-count --toml --all", "--toml with --all: it writes the system"),
        ("best-count --toml --seed 1", "--toml with --seed: it writes the system"),
        ("best-count --rules INF", "cannot honour INF"),
        ("best-count --rules CSM", "cannot honour CSM"),
        ("best-count growth --spread 8", "such as 1-12"),
    ],
)
def test_faults_are_one_line_and_exit_code_2(words, fault, capsys):
    assert run([word.replace(",", " ") for word in words.split()]) == 2
    error = capsys.readouterr().err
    assert fault in error
    assert len(error.splitlines()) == 1


MOVED = {
    "--ceiling": "upcard ceiling",
    "--rounds": "upcard ceiling and upcard best-count",
    "--seed": "upcard ceiling and upcard best-count",
    "--workers": "upcard ceiling and upcard best-count",
    **dict.fromkeys(
        ("--best", "--level", "--unbalanced", "--all", "--spread"), "upcard best-count"
    ),
}


@pytest.mark.parametrize("option", MOVED)
def test_an_option_that_moved_names_the_command_that_has_it(option, capsys):
    assert run(["counts", "hi-lo", option, "--json"]) == 2
    told = f"upcard counts: {option} is an option of {MOVED[option]} now\n"
    assert capsys.readouterr().err == told


@pytest.mark.slow
def test_the_decisions_are_twenty_for_people_and_all_for_programs():
    words = ["hi-lo", "--decisions", "--rules", "1D SP1"]
    text = counts(*words)
    assert "  hand       v  action     correlation" in text
    document = json.loads(counts(*words, "--json"))
    assert round(document["playing_efficiency"], 2) == 0.51
    rows = document["decisions"]
    assert f"all {len(rows):,} decisions" in " ".join(text.split())
    first = rows[0]
    assert (first["hand"], first["upcard"], first["action"]) == ("insurance", "A", "insurance")
    assert first["correlation"] == pytest.approx(document["insurance_correlation"], abs=1e-12)
    assert len(counts(*words, "--csv", "-").splitlines()) == len(rows) + 1


def test_insurance_is_a_table_for_people_and_rows_for_programs():
    words = ["insurance", "--count", "hi-lo", "--decks", "1", "--hand", "T 6"]
    text = CliRunner().invoke(cli, words, catch_exceptions=False).output
    assert "  43 to 22       +2\n" in text
    assert "with 26 cards left insurance is even at a running count of" in " ".join(text.split())
    document = json.loads(CliRunner().invoke(cli, [*words, "--json"]).output)
    rows = {row["cards_left"]: row["from"] for row in document["rows"]}
    assert [*rows] == [*range(49, 0, -1)]
    assert (rows[49], rows[44], rows[43], rows[1]) == (None, 3, 2, 1)
    lines = CliRunner().invoke(cli, [*words, "--csv", "-"]).output.splitlines()
    assert lines[0] == "cards_left,from,not_at,even,gain,perfect_gain"
    assert len(lines) == 50


def test_insurance_is_a_card_to_print(tmp_path):
    card = tmp_path / "card.html"
    words = ["insurance", "--count", "hi-lo", "--decks", "1", "--card", str(card)]
    assert CliRunner().invoke(cli, words, catch_exceptions=False).exit_code == 0
    page = card.read_text()
    assert "<h1>Insurance by hi-lo, 1 deck</h1>" in page
    assert '<tr><th scope="row">47 to 39</th><td>+2</td></tr>' in page


@pytest.mark.parametrize(
    ("words", "fault"),
    [
        (["--decks", "9"], "the number of decks '9': write a whole number from 1 to 8"),
        (["--decks", "2", "--rules", "6D"], "--decks with --rules"),
        (["--rules", "6D NOINS"], "this game offers none"),
        (["--rules", "6D INS(5:2)"], "it is for 2:1"),
        (["--hand", "T 6 2"], "your own two cards, as T 6"),
        (["--count", "nix"], "no counting system is called 'nix'"),
    ],
)
def test_faults_of_insurance_are_one_line_and_exit_code_2(words, fault, capsys):
    assert run(["insurance", *words]) == 2
    error = capsys.readouterr().err
    assert fault in error
    assert len(error.splitlines()) == 1


@pytest.mark.slow
def test_the_ceiling_has_shares_of_every_system_on_the_same_rounds(monkeypatch):
    monkeypatch.setattr("upcard.strategy.count_system.system_names", lambda: ("hi-lo", "ko"))
    asked = ("--rules", "1D S17", "--rounds", "120", "--seed", "1", "--workers", "1")
    document = json.loads(ask("ceiling", "hi-lo", *asked, "--json"))
    share = document["share_of_perfect"]
    assert 0 < share["playing"] < 1
    assert 0 < share["error"] < 1
    assert share["betting"] <= 1
    assert share["rounds"] >= 120
    assert document["name"] == "hi-lo"
    rows = ask("ceiling", *asked, "--csv", "-").splitlines()
    assert rows[0] == "system,playing,playing_error,betting,betting_error,bets_from"
    assert [row.split(",")[0] for row in rows[1:]] == ["hi-lo", "ko"]
    assert float(rows[1].split(",")[1]) == share["playing"]


@pytest.mark.slow
@pytest.mark.usefixtures("saved_values")  # each rated count asks for the same
def test_the_best_tags_are_rows_beside_the_systems_of_their_level():
    asked = ("best-count", "growth", "--level", "2", "--rounds", "0", "--seed", "3")
    document = json.loads(ask(*asked, "--json"))
    assert document["goal"] == "growth"
    names = [one["name"] for one in document["systems"]]
    assert names == ["best-growth-2", "zen", "omega-2", "hi-lo", "hi-opt-2"]
    best, zen = document["systems"][:2]
    assert best["growth_estimate"] > zen["growth_estimate"]
    rows = ask(*asked, "--csv", "-").splitlines()
    assert rows[0].startswith("system,tags,betting_correlation,playing_efficiency")
    assert [row.split(",")[0] for row in rows[1:]] == names
    (head,) = (line for line in ask(*asked).splitlines() if line.startswith("  system "))
    assert "SCORE" not in head


@pytest.mark.slow
@pytest.mark.usefixtures("saved_values")  # each rated count asks for the same
def test_the_best_tags_are_a_file_for_count(tmp_path):
    path = tmp_path / "best.toml"
    path.write_text(ask("best-count", "--unbalanced", "--toml"))
    assert "correlation 0.9" in counts(str(path), "--rules", "6D S17")
