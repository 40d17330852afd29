"""`upcard ramp`: tables, files, formulas and faults."""

from __future__ import annotations

import csv
import json
import subprocess
import sys

import pytest
from driving import talk
from unit.analysis.made_games import make_document, make_tally

from upcard.core.figure import write_ev


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Runs of a made-up game: counted, with a ramp, losing, wonged, and without a count."""
    made = tmp_path_factory.mktemp("runs")
    big = make_tally(10**9, slope=0.006)
    documents = {
        "run": make_document(big),
        "ramped": make_document(big, ramp="1:1 2:2 3:4 4:6 5:8"),
        "losing": make_document(make_tally(10**9, slope=0.001)),
        "wonged": make_document(make_tally(10**9, unseated=0.3), enter=1),
        "flat": make_document(system=None),
        "three": make_document(make_tally(10**9, slope=0.006, spots=3), spots=3),
    }
    for name, document in documents.items():
        (made / f"{name}.json").write_text(json.dumps(document))
    (made / "no.json").write_text("{}")
    (made / "torn.json").write_text(json.dumps(documents["run"])[:-50])
    changed = documents["run"] | {"ramp": "1:1 2:2"}
    (made / "edited.json").write_text(json.dumps(changed))
    return made


def ask(folder, *arguments, run="run"):
    return talk(["ramp", str(folder / f"{run}.json"), *arguments])


def read(folder, *arguments, run="run"):
    answer = ask(folder, *arguments, "--json", run=run)
    assert (answer.code, answer.err) == (0, "")
    return json.loads(answer.out)


FAULTS = {
    "no file": ("nothing", [], "No such file"),
    "no run": ("no", [], "is not a run"),
    "a torn run": ("torn", [], "is not a run"),
    "an edited run": ("edited", [], "damaged or was edited"),
    "a run without a count": ("flat", [], "counted nothing: run again with --count hi-lo"),
    "a ramp and a spread": ("run", ["--ramp", "1-8", "--spread", "1-8"], "--ramp or --spread"),
    "risk and kelly": ("run", ["--risk", "5%", "--kelly", "1"], "each decides the other"),
    "all of three": (
        "run",
        ["--risk", "5%", "--unit", "5", "--bankroll", "1000"],
        "give two of bankroll, unit and risk",
    ),
    "chips of a ramp": ("run", ["--ramp", "1-8", "--chip", "5", "--unit", "5"], "best ramp"),
    "chips of nothing": ("run", ["--chip", "5"], "need a bankroll or a unit"),
    "a wrong spread": ("run", ["--spread", "12"], "such as 1-12"),
    "a falling spread": ("run", ["--spread", "12-1"], "such as 1-12"),
    "a wrong ramp": ("run", ["--ramp", "much"], "ramp 'much'"),
    "a wrong count": ("run", ["--wong", "low"], "such as -1, or best"),
    "a count too high": ("run", ["--wong", "40"], "highest count"),
    "a wrong risk": ("run", ["--risk", "some"], "'--risk': risk 'some'"),
    "a risk of 5": ("run", ["--risk", "5"], "under 100%"),
    "a wrong kelly": ("run", ["--kelly", "x"], "'--kelly': kelly 'x'"),
    "a wrong bank": ("run", ["--bankroll", "x"], "write a number over 0, such as 5000 or 2.5"),
    "no bank": ("run", ["--bankroll", "0"], "over 0"),
    "no time": ("run", ["--hours", "nan"], "over 0"),
    "explained to a program": ("run", ["--explain", "--json"], "has every formula"),
    "a run that wonged": ("wonged", ["--wong", "1"], "sat rounds out itself"),
    "no ramp that wins": ("losing", ["--spread", "1-12"], "no ramp with a spread of 1-12 wins"),
    "a losing ramp with a bank": (
        "losing",
        ["--ramp", "1-8", "--bankroll", "1000"],
        "ruin is certain",
    ),
    "a file that cannot be written": ("run", ["--csv", "/"], "no file can be written there"),
}


def test_a_run_has_to_be_named():
    answer = talk(["ramp", "--spread", "1-8"])
    assert (answer.code, answer.out, answer.err.count("\n")) == (2, "", 1)
    assert "RUN.json" in answer.err


@pytest.mark.slow
@pytest.mark.parametrize(("run", "arguments", "told"), FAULTS.values(), ids=FAULTS)
def test_fault_is_one_line_that_says_what_is_wrong(folder, run, arguments, told):
    answer = ask(folder, *arguments, run=run)
    assert (answer.code, answer.out) == (2, "")
    assert answer.err.count("\n") == 1
    assert told in answer.err


WIDE = {
    "as it is": [],
    "money": ["--spread", "1-12", "--bankroll", "10000", "--risk", "5%"],
    "chips": ["--spread", "1-12", "--bankroll", "1000000", "--chip", "25", "--wong", "best"],
    "everything": [
        *("--bankroll", "10000", "--chip", "5", "--goal", "5000", "--hours", "100", "--explain"),
    ],
    "a ramp": ["--ramp", "1-8", "--unit", "25", "--bankroll", "20000", "--wong", "1"],
}


@pytest.mark.slow
@pytest.mark.parametrize("arguments", WIDE.values(), ids=WIDE)
@pytest.mark.parametrize("run", ["run", "ramped"])
def test_nothing_is_wider_than_the_screen(folder, run, arguments):
    answer = ask(folder, *arguments, run=run)
    assert (answer.code, answer.err) == (0, "")
    assert max(map(len, answer.out.splitlines())) <= 80
    assert [line for line in answer.out.splitlines() if line != line.rstrip()] == []


def test_the_runs_own_ramp_is_taken_unless_another_is_asked_for(folder):
    assert read(folder, run="ramped")["plans"][0]["ramp"] == "1:1 2:2 3:4 4:6 5:8"
    assert read(folder, "--ramp", "1-4", run="ramped")["plans"][0]["ramp"] == "2:1 3:2 4:3 5:4"
    best = read(folder, "--spread", "1-8", run="ramped")["plans"][0]
    assert best["title"] == "any amounts"
    assert best == read(folder)["plans"][0]


def test_the_best_ramp_can_be_given_back(folder):
    """What is printed as the ramp is what --ramp takes, and it comes to the same."""
    out = ask(folder, "--spread", "1-12").out
    line = next(line for line in out.splitlines() if line.startswith("For --ramp"))
    ramp = line.partition("--ramp")[2].strip()
    again = read(folder, "--ramp", ramp)["plans"][0]
    best = read(folder, "--spread", "1-12")["plans"][0]
    score = best["figures"]["score"]["value"]
    assert again["figures"]["score"]["value"] == pytest.approx(score, rel=1e-12)


def test_shares_may_be_written_as_percent_fraction_or_decimal(folder):
    units = {
        read(folder, "--bankroll", "1000", *words)["plans"][0]["unit"]
        for words in (["--kelly", "1/2"], ["--kelly", "0.5"], ["--kelly", "50%"])
    }
    assert len(units) == 1
    percent, decimal = (
        read(folder, "--bankroll", "1000", "--risk", risk)["plans"][0] for risk in ("5%", "0.05")
    )
    assert percent == decimal


def test_the_json_has_every_figure_with_formula_and_error(folder):
    document = read(folder, "--bankroll", "10000", "--goal", "5000", "--hours", "50")
    figures = document["plans"][0]["figures"]
    wanted = {
        *("ev", "sd", "variance", "ev_per_100", "sd_per_100", "ev_per_hour", "sd_per_hour"),
        *("average_bet", "initial", "action", "ev_per_bet", "ev_per_action", "played"),
        *("score", "di", "n0", "certainty_equivalent_per_hour", "rounds_to_double"),
        *("risk_of_ruin", "risk_before_goal", "risk_in_time", "risk_before_goal_in_time"),
        *("chance_ahead", "chance_of_goal_in_time"),
        *("bankroll_for_5_percent", "bankroll_for_1_percent"),
    }
    assert figures.keys() == wanted
    for figure in figures.values():
        assert figure["standard_error"] is not None
        assert figure["formula"]
        assert figure["source"]
    assert document["house_edge"] == pytest.approx(0.005, abs=1e-5)
    assert sum(row["frequency"] for row in document["by_count"]) == pytest.approx(1)


def test_explain_shows_every_formula_with_its_numbers(folder):
    arguments = ("--bankroll", "10000", "--goal", "5000", "--hours", "50")
    out = " ".join(ask(folder, *arguments, "--explain").out.split())
    figures = read(folder, *arguments)["plans"][0]["figures"]
    for name, figure in figures.items():
        if name not in ("ev_per_hour", "sd_per_hour"):  # an hour of 100 rounds is told once
            assert figure["formula"] in out
            assert figure["source"] in out
    assert "bankroll = 10000" in out


def test_the_table_by_count_can_be_a_file(folder, tmp_path):
    target = tmp_path / "counts.csv"
    ask(folder, "--bankroll", "10000", "--chip", "5", "--csv", str(target))
    with target.open() as file:
        rows = list(csv.DictReader(file))
    document = read(folder, "--bankroll", "10000", "--chip", "5")
    assert [int(row["count"]) for row in rows] == [row["count"] for row in document["by_count"]]
    assert [float(row["ev_all_spots"]) for row in rows] == pytest.approx(
        [row["ev_all_spots"] for row in document["by_count"]]
    )
    for column, plan in zip(("bet", "bet_in_chips"), document["plans"], strict=True):
        assert [float(row[column]) for row in rows] == pytest.approx(plan["bets"])


def test_ev_over_several_spots_is_not_called_what_simulate_calls_ev_per_bet(folder, tmp_path):
    """F2: both tables said "EV %", and both files `ev`, of numbers that differ by the spots."""
    target = tmp_path / "three.csv"
    out = ask(folder, "--csv", str(target), run="three").out
    assert "By count before the deal, a unit on each of 3 spots" in out
    assert max(map(len, out.splitlines())) <= 80
    assert "EV %, all spots" in out
    assert "EV %, all spots" not in ask(folder).out
    (names, *_) = target.read_text().splitlines()
    assert "ev_all_spots,ev_all_spots_standard_error,variance_all_spots,added_all_spots" in names
    assert ",ev," not in names


def test_rare_counts_are_told_together(folder):
    """Counts of -9 and less are 0.17 % of the rounds, those of -10 and less under 0.1 %."""
    table = ask(folder).out.partition("By count")[2].partition("Results of the ramp")[0]
    labels = [line[2:8].strip() for line in table.splitlines()[2:] if line]
    assert (labels[0], labels[1], labels[-1]) == ("<= −9", "−8", ">= 9")
    rows = read(folder)["by_count"]
    low = 100 * sum(row["frequency"] for row in rows if row["count"] <= -9)
    assert f"  {low:.3f} ± " in table.splitlines()[2]
    won = sum(row["ev_all_spots"] * row["rounds"] for row in rows if row["count"] <= -9)
    ev = 100 * won / sum(row["rounds"] for row in rows if row["count"] <= -9)
    assert f" {write_ev(ev, 3, sign='')} ± " in table.splitlines()[2]


def test_counts_that_are_bet_apart_are_told_apart(folder):
    table = ask(folder, "--ramp", "-9:1 8:1 9:2 10:3").out
    assert [line.split()[:2] for line in table.splitlines() if line.startswith("  >= 10")]


def test_hours_are_told_apart_where_they_are_not_100_rounds(folder):
    assert "EV 100 rounds (an hour)" in ask(folder).out
    out = ask(folder, "--rounds-per-hour", "60").out
    assert "EV 100 rounds  " in out
    assert "EV an hour" in out


def test_a_losing_ramp_says_that_ruin_is_certain(folder):
    out = ask(folder, "--ramp", "1-8", "--unit", "5", "--bankroll", "1000", run="losing").out
    assert "ruin is certain" in out
    assert "100%" in out
    unbanked = ask(folder, "--ramp", "1-8", run="losing").out
    assert "no bank is enough" in unbanked
    assert "never" in unbanked


def test_a_run_that_wonged_says_so(folder):
    out = ask(folder, "--ramp", "1-8", run="wonged").out
    assert "sits down at +1" in out


def test_no_compiler_is_started(folder):
    """The answer is at once: nothing compiled, and no pictures, are imported."""
    program = (
        "import sys; from upcard.cli.app import run;"
        f"assert run(['ramp', {str(folder / 'run.json')!r}, '--chip', '5', '--unit', '5']) == 0;"
        "heavy = [name for name in ('numba', 'rich', 'resvg_py', 'distributed')"
        " if name in sys.modules];"
        "sys.exit(' '.join(heavy) or 0)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=False)
    assert (done.returncode, done.stderr.decode()) == (0, "")
