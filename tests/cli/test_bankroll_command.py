"""`upcard bankroll`: tables, files, runs and faults."""

from __future__ import annotations

import csv
import json

import pytest
from driving import pipe, talk

BARE = {"PYTHONIOENCODING": "ascii", "PATH": "", "UPCARD_CACHE": "off"}
GAME = ["bankroll", "--count", "hi-lo", "--ramp", "1-8", "--seed", "1"]
SMALL = [*GAME, "--bankroll", "60", "--rounds", "500", "--paths", "200"]


def ask(*arguments):
    answer = talk(arguments)
    assert (answer.code, answer.err) == (0, "")
    return answer.out


def read(*arguments):
    return json.loads(ask(*arguments, "--json"))


@pytest.fixture(scope="module", autouse=True)
def is_compiled():
    """Compile first: that takes long enough for a line about the progress."""
    talk([*GAME, "--bankroll", "9", "--rounds", "9", "--paths", "2"])


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Runs: counted with a ramp, and one of the table engine."""
    made = tmp_path_factory.mktemp("runs")
    ask(
        *("simulate", "--rules", "6D LS", "--count", "hi-lo", "--ramp", "1-4", "--indices", "i18"),
        *("--spots", "2", "--rounds", "1000", "--seed", "9", "-o", str(made / "run.json")),
    )
    talk(["simulate", "--player", "mimic", "--rounds", "50", "-o", str(made / "table.json")])
    few = ("--bankroll", "9", "--rounds", "9", "--paths", "2")
    talk(["bankroll", str(made / "run.json"), *few])  # compiles the walk on two spots
    return made


@pytest.mark.slow
def test_it_says_how_often_a_bank_is_ruined_and_what_formulas_say():
    out = ask(*SMALL, "--goal", "50")
    assert max(map(len, out.splitlines())) < 80
    for words in (
        ": 6D S17 PEEK DOA DAS SP4 NRSA NS 3:2",
        "Hi-Lo",
        "60; the goal is to win 50",
        "200 of at most 500 rounds, seed 1",
        "100,000: EV",
        "the bank does not cover the bets before the deal",
        "barriers moved",
        "95% interval",
        "to be ruined some day",
        "agree within errors",
        "Rounds to ruin",
        "Rounds to the goal",
        "Paths by the bank at the end:",
        "at the goal",
    ):
        assert words in out, words


def test_json_has_what_the_table_says():
    document = read(*SMALL)
    shares = document["shares"]
    assert sum(share["paths"] for share in shares.values()) == 200
    assert document["comparisons"][0]["formula"]["inputs"]["rounds"] == 500
    ruined = shares["ruined"]
    low, high = ruined["interval_95"]
    assert low < ruined["share"] < high
    assert f"{100 * low:.3f}% and {100 * high:.3f}%" in " ".join(ask(*SMALL).split())


def test_the_same_seed_gives_the_same_on_any_workers():
    assert ask(*SMALL, "--workers", "1") == ask(*SMALL, "--workers", "3")
    other = ["2" if word == "1" else word for word in SMALL]
    assert read(*other)["dealt"] != read(*SMALL)["dealt"]


def test_a_unit_makes_units_money():
    units, money = read(*SMALL), read(*SMALL[:-5], "600", *SMALL[-4:], "--unit", "10")
    assert money["bankroll"] == 600
    assert money["shares"] == units["shares"]
    assert money["dealt"]["ev"] == pytest.approx(10 * units["dealt"]["ev"])


def test_hours_are_rounds():
    words = [*GAME, "--bankroll", "60", "--paths", "50", "--hours", "2.5"]
    assert read(*words)["rounds"] == 250
    assert read(*words, "--rounds-per-hour", "60")["rounds"] == 150
    assert "250 rounds (2.5 hours of 100)" in ask(*words)


@pytest.mark.slow
def test_a_run_brings_its_game_ramp_and_seed(folder):
    words = ["--bankroll", "30", "--rounds", "100", "--paths", "20"]
    run = read("bankroll", str(folder / "run.json"), *words)
    told = read(
        *("bankroll", "--rules", "6D LS", "--count", "hi-lo", "--ramp", "1-4", "--indices", "i18"),
        *("--spots", "2", "--seed", "9", *words),
    )
    assert run == told
    changed = read("bankroll", str(folder / "run.json"), *words, "--ramp", "1-2", "--seed", "3")
    assert (changed["ramp"], changed["seed"], changed["spots"]) == ("3:1 4:2", 3, 2)


def test_wonging_is_told():
    out = ask(*SMALL, "--enter", "2", "--leave", "0")
    assert "sits down at +2, leaves below 0" in out


def test_flat_bets_need_no_count():
    out = ask("bankroll", "--bankroll", "20", "--rounds", "200", "--paths", "20", "--seed", "1")
    assert "flat bets" in out
    assert "1 unit in every round" in out


def test_csv_has_a_line_for_every_path(tmp_path):
    file = tmp_path / "paths.csv"
    document = read(*SMALL, "--csv", str(file))
    rows = list(csv.DictReader(file.read_text().splitlines()))
    assert len(rows) == 200
    ruined = [row for row in rows if row["ending"] == "ruined"]
    assert len(ruined) == document["shares"]["ruined"]["paths"]
    mean = sum(float(row["final"]) for row in rows) / 200
    assert mean == pytest.approx(document["spreads"]["final"]["mean"])
    for row in rows:
        assert float(row["lowest"]) <= float(row["final"]) <= float(row["highest"])


@pytest.mark.slow
@pytest.mark.parametrize("suffix", ["svg", pytest.param("png", marks=pytest.mark.slow), "txt"])
def test_the_paths_are_drawn(tmp_path, suffix):
    files = [tmp_path / f"{name}.{suffix}" for name in ("one", "two")]
    for file in files:
        ask(*SMALL, "--goal", "50", "--plot", str(file))
    assert files[0].read_bytes() == files[1].read_bytes()
    if suffix != "png":
        text = files[0].read_text(encoding="utf-8")
        assert "banks ruined in 500 rounds" in text
        assert "ruined" in text
        assert "formula" in text
    if suffix == "svg":
        drawn = '<polyline class="plot-line is-formula" points="'
        assert drawn in text, "the formula is drawn, not only named"


def test_the_screen_is_drawn_on():
    out = ask(*SMALL, "--plot", "-")
    assert "the middle 90% of the paths" in out
    assert max(map(len, out.splitlines())) <= 80


@pytest.mark.slow
def test_plain_terminals_get_plain_characters():
    answer = pipe([*SMALL, "--plot", "-"], env=BARE)
    assert (answer.code, answer.err) == (0, "")
    assert "+-" in answer.out
    assert answer.out.isascii()


FAULTS = {
    "no bank": (["--ramp", "1-8"], "--bankroll"),
    "a bank of nothing": (["--bankroll", "0"], "number over 0"),
    "a bank of words": (["--bankroll", "much"], "'much'"),
    "two limits": (["--bankroll", "9", "--rounds", "9", "--hours", "9"], "give one of them"),
    "a pace without hours": (["--bankroll", "9", "--rounds-per-hour", "9"], "give --hours too"),
    "minutes": (["--bankroll", "9", "--hours", "0.001"], "not one round"),
    "a ramp without a count": (["--bankroll", "9", "--ramp", "1-8"], "needs a count"),
    "a small bank": (["--bankroll", "9", "--unit", "10"], "does not cover the least bet, 10"),
    "one path": (["--bankroll", "9", "--paths", "1"], "1 paths: 2 to 1,000,000"),
    "two screens": (["--bankroll", "9", "--json", "--plot", "-"], "both want the screen"),
    "another suffix": (["--bankroll", "9", "--plot", "paths.gif"], "must end in"),
    "no folder": (["--bankroll", "9", "--csv", "/no/such/paths.csv"], "can be written"),
    "no run": (["nothing.json", "--bankroll", "9"], "No such file"),
    "house and rules": (
        ["--bankroll", "9", "--house", "european", "--rules", "6D"],
        "not both",
    ),
    "rules of the table": (["--house", "deshmukh", "--bankroll", "9"], "cannot honour ace_rule"),
}


@pytest.mark.parametrize(("arguments", "words"), FAULTS.values(), ids=FAULTS)
def test_what_cannot_be_is_refused_in_a_line(arguments, words):
    answer = talk(["bankroll", *arguments])
    assert (answer.code, answer.out) == (2, "")
    assert words in answer.err
    assert answer.err.count("\n") == 1


@pytest.mark.slow
def test_a_game_beside_a_run_is_refused(folder):
    beside = {"--rules": "6D", "--house": "european", "--count": "ko", "--indices": "i18"}
    beside |= {"--spots": "1", "--enter": "0", "--leave": "0"}
    for option in beside.items():
        answer = talk(["bankroll", str(folder / "run.json"), "--bankroll", "9", *option])
        assert answer.code == 2
        assert option[0] in answer.err
        assert "the run says which game is played" in answer.err


@pytest.mark.slow
def test_a_run_at_the_table_is_refused(folder):
    answer = talk(["bankroll", str(folder / "table.json"), "--bankroll", "9"])
    assert answer.code == 2
    assert "table engine" in answer.err
