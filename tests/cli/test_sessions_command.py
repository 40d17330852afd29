"""`upcard sessions`: what it prints, writes and refuses."""

import csv
import json
from dataclasses import fields

import pytest
from driving import read_json, talk

from upcard.answers.asked.bets import banks, stakes
from upcard.core.figure import write_ev
from upcard.simulation import betting_sessions
from upcard.simulation.bank_paths import BankPlan

QUICK = ["sessions", "--rules", "6D", "--player", "mimic", "--seed", "1"]
FEW = [*QUICK, "--sessions", "4", "--rounds", "30"]


def cells(out, heading, label):
    """Return the cells of a row in the table that begins with the heading's line."""
    table = out.partition(heading)[2].partition("\n\n")[0]
    return next(line.split()[1:] for line in table.splitlines() if line.split()[:1] == [label])


@pytest.mark.slow
def test_it_prints_length_and_peak_with_mean_and_deviation_as_the_documents_simulator():
    answer = talk([*QUICK, "--betting", "martingale"])
    assert (answer.code, answer.err) == (0, "")
    series = read_json(*QUICK, "--betting", "martingale")["series"][0]
    summary = series["summary"]
    assert len(series["sessions"]) == 50
    length, peak, net = summary["length"], summary["peak"], summary["net"]
    expected = [
        *(length["mean"], length["standard_deviation"]),
        *(peak["mean"], peak["standard_deviation"]),
        *(net["mean"], net["standard_error"]),
    ]
    row = cells(answer.out, "\n  betting", "martingale")
    assert row == [
        *(write_ev(number, 2, sign="") for number in expected),
        f"{summary['ruined']['mean']:.1%}",
    ]
    assert "50, of at most 250 rounds" in answer.out


def test_betting_is_flat_and_a_stake_is_100_units_unless_told():
    document = read_json(*FEW, "--unit", "5")
    assert [item["betting"] for item in document["series"]] == ["flat"]
    assert (document["stake"], document["unit"], document["limit"]) == ("500", "5", None)
    assert document["series"][0]["summary"]["largest_bet"] == "5"


def test_several_betting_systems_have_a_line_each_on_the_same_shoes():
    names = ["flat", "martingale", "cancellation:1,2,3,4,5,6,7,8,9,10"]
    betting = [word for name in names for word in ("--betting", name)]
    answer = talk([*FEW, "--stake", "5000", *betting])
    assert answer.out.count("\n  flat ") == answer.out.count("\n  cancellation:... ") == 3
    assert max(map(len, answer.out.splitlines())) <= 80
    first = [series["sessions"][0] for series in read_json(*FEW, *betting)["series"]]
    assert first[0]["losing_streak"] == first[1]["losing_streak"]


def test_rows_fit_a_terminal_whatever_the_chips():
    words = [*FEW, "--betting", "cancellation:1,2,3,4,5,6,7,8", "--limit", "500"]
    answer = talk([*words, "--stake", "99999999", "--unit", "50"])
    assert answer.code == 0
    assert max(map(len, answer.out.splitlines())) <= 80


def test_every_option_counts():
    plain = read_json(*FEW, "--betting", "martingale")
    for more in (
        ["--rules", "6D H17"],
        ["--house", "lott"],
        ["--player", "never-bust"],
        ["--betting", "fibonacci"],
        ["--sessions", "3"],
        ["--rounds", "20"],
        ["--stake", "30"],
        ["--unit", "2"],
        ["--limit", "4"],
        ["--seed", "2"],
    ):
        words = [*FEW, "--betting", "martingale"]
        option = more[0]
        if option == "--house":
            words = [word for word in words if word not in ("--rules", "6D")]
        elif option in words:
            place = words.index(option)
            words = words[:place] + words[place + 2 :]
        other = read_json(*words, *more)
        assert other["series"][0]["sessions"] != plain["series"][0]["sessions"], more


def test_without_a_seed_one_is_drawn_and_shown():
    words = [word for word in FEW if word not in ("--seed", "1")]
    document = read_json(*words)
    again = read_json(*words, "--seed", str(document["seed"]))
    assert again == document


def test_json_holds_what_is_needed_to_repeat_it():
    document = read_json(*FEW)
    wanted = {"rules", "player", "seed", "version", "rounds", "sessions", "stake", "series"}
    assert wanted <= set(document)
    assert document["sessions"] == document["sessions_asked"] == 4


def test_a_single_session_has_no_deviation():
    answer = talk([*QUICK, "--sessions", "1", "--rounds", "5"])
    assert cells(answer.out, "\n  betting", "flat")[1] != "0.00"
    summary = read_json(*QUICK, "--sessions", "1", "--rounds", "5")["series"][0]["summary"]
    assert summary["length"] == {
        "mean": 5.0,
        "standard_deviation": None,
        "standard_error": None,
    }


def test_csv_has_a_line_for_every_session(tmp_path):
    file = tmp_path / "all.csv"
    words = [*FEW, "--betting", "flat", "--betting", "martingale"]
    assert talk([*words, "--csv", str(file)]).code == 0
    rows = list(csv.DictReader(file.read_text(encoding="utf-8").splitlines()))
    assert [row["betting"] for row in rows] == ["flat"] * 4 + ["martingale"] * 4
    sessions = read_json(*words)["series"][1]["sessions"]
    for row, session in zip(rows[4:], sessions, strict=True):
        assert {key: row[key] for key in session} == {key: str(session[key]) for key in session}


@pytest.mark.slow
@pytest.mark.parametrize("name", ["a.svg", "a.png", "a.txt"])
def test_a_plot_is_written_to_a_file(name, tmp_path):
    assert talk([*FEW, "--plot", str(tmp_path / name)]).code == 0
    assert (tmp_path / name).stat().st_size > 1000


def test_a_plot_is_drawn_on_the_screen_in_ascii_if_asked():
    answer = talk([*FEW, "--plot", "-"])
    assert "░" in answer.out
    answer = talk([*FEW, "--plot", "-", "--ascii"])
    assert answer.out.isascii()
    assert "the middle 90% of the sessions" in answer.out
    assert max(map(len, answer.out.splitlines())) <= 80


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["--house", "roanoke"], "no bets in roanoke"),
        (["--betting", "martingal"], "'martingal'"),
        (["--player", "nobody"], "'nobody'"),
        (["--stake", "0"], "--stake"),
        (["--stake", "2", "--unit", "5"], "does not cover"),
        (["--unit", "5", "--limit", "2"], "under the unit"),
        (["--betting", "cancellation", "--stake", "5"], "covered no session's first bet"),
        (["--sessions", "0"], "--sessions"),
        (["--rounds", "0"], "--rounds"),
        (["--json", "--ascii"], "--ascii with --json"),
        (["--json", "--plot", "-"], "--plot - with --json"),
        (["--plot", "a.pdf"], "must end in"),
        (["--plot", "nowhere/a.svg"], "no file can be written there"),
        (["--csv", "nowhere/a.csv"], "nowhere/a.csv"),
    ],
)
def test_what_cannot_be_is_one_clear_line(words, reason):
    start = ["sessions", "--sessions", "2", "--rounds", "5", "--player", "mimic"]
    answer = talk([*start, *words])
    assert answer.code == 2
    assert reason in answer.err
    assert len(answer.err.splitlines()) == 1


def test_a_file_that_cannot_be_drawn_is_refused_before_anything_is_played(monkeypatch):
    monkeypatch.setattr(
        betting_sessions, "play_sessions", lambda *_, **__: pytest.fail("it was played")
    )
    assert talk([*FEW, "--plot", "a.pdf"]).code == 2
    assert talk([*FEW, "--csv", "nowhere/a.csv"]).code == 2


def test_an_interrupt_keeps_the_sessions_that_are_whole(monkeypatch):
    play = betting_sessions.play_sessions

    def interrupted(plan, **options):
        for session in play(plan, **options):
            if session.number == 3 and plan.betting == "martingale":
                raise KeyboardInterrupt
            yield session

    monkeypatch.setattr(betting_sessions, "play_sessions", interrupted)
    answer = talk([*FEW, "--betting", "flat", "--betting", "martingale"])
    assert answer.code == 130
    assert "2 of 4, of at most 30 rounds" in answer.out
    answer = talk([*FEW, "--betting", "martingale", "--json"])
    document = json.loads(answer.out)
    assert (document["sessions"], document["sessions_asked"]) == (2, 4)


def test_an_interrupt_before_the_first_session_ends_quietly(monkeypatch):
    def interrupted(_plan, **_options):
        raise KeyboardInterrupt
        yield

    monkeypatch.setattr(betting_sessions, "play_sessions", interrupted)
    assert talk(FEW) == (130, "", "")


def test_numbers_that_are_written_twice_are_the_same():
    """The question repeats them, so that its help loads no simulator."""
    assert (stakes._SESSIONS, stakes._ROUNDS) == (
        betting_sessions.SESSIONS,
        betting_sessions.ROUNDS,
    )
    plan = {one.name: one.default for one in fields(BankPlan)}
    assert (plan["rounds"], plan["paths"]) == (banks._ROUNDS, banks._PATHS)
