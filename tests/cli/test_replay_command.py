"""`upcard replay`: a shoe as a list, a round with its reasons, and every fault in one line."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest
from driving import talk

from upcard.core.cards import to_ascii
from upcard.core.numbers import with_minus_signs
from upcard.simulation.run_rounds import ReplayMismatchError
from upcard.simulation.run_state import load_run_document, make_document, restore_run, save_document

RUNS = {
    "counted": "--rules 6D;LS --count hi-lo --ramp 1-8 --indices i18+fab4",
    "wonged": "--rules 2D --count red-7 --enter -3 --leave -4 --spots 3",
    "flat": "--rules 2D;CSM",
    "house": "--house deshmukh --player mimic",
}
ROUNDS = 700


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("runs")
    for name, options in RUNS.items():
        words = [word.replace(";", " ") for word in options.split()]
        file = str(made / f"{name}.json")
        answer = talk(["simulate", *words, "--rounds", str(ROUNDS), "--seed", "8", "-o", file])
        assert answer.code == 0, answer.err
    (made / "no.json").write_text("{}")
    text = (made / "flat.json").read_text()
    (made / "edited.json").write_text(text.replace('"seed": 8', '"seed": 9'))
    document = load_run_document(made / "flat.json")
    state = restore_run(document)
    state.job = state.job.replace(version="0.0.1")
    save_document(made / "old.json", make_document(state))
    return made


def ask(folder, *arguments, run="counted"):
    return talk(["replay", str(folder / f"{run}.json"), *map(str, arguments)])


def read(folder, *arguments, run="counted"):
    answer = ask(folder, *arguments, "--json", run=run)
    assert (answer.code, answer.err) == (0, "")
    return json.loads(answer.out)


# --- a list of rounds ---


@pytest.mark.slow
@pytest.mark.parametrize("run", RUNS)
def test_a_shoe_is_a_list_of_its_rounds(folder, run):
    out = ask(folder, "--shoe", 1, run=run).out
    told = read(folder, "--shoe", 1, run=run)
    lines = out.splitlines()
    heading = next(number for number, line in enumerate(lines) if line.split()[:1] == ["round"])
    assert all(len(line) <= 79 for line in lines)
    assert len(lines) - heading - 1 == len(told["rounds"])
    for line, one in zip(lines[heading + 1 :], told["rounds"], strict=True):
        words = line.split()
        assert words[:2] == [str(one["round"]), str(one["dealt"])]
        assert len(words[-1]) == len(one["cards"])
        if one["bet"] != "0":
            assert to_ascii(words[-2].removeprefix("+")) == one["net"]
        else:
            assert (words[-2], one["net"]) == ("out", "0")


@pytest.mark.slow
def test_the_nets_of_all_shoes_are_the_ev_of_the_run(folder):
    document = load_run_document(folder / "counted.json")
    shoes = document["shoes"]
    nets = [
        Fraction(one["net"])
        for shoe in range(shoes)
        for one in read(folder, "--shoe", shoe)["rounds"]
    ]
    assert len(nets) == ROUNDS
    assert float(sum(nets) / ROUNDS) == document["ev"]


@pytest.mark.slow
def test_who_sits_out_has_neither_bet_nor_net(folder):
    rounds = read(folder, "--shoe", 0, run="wonged")["rounds"]
    assert {one["seated"] for one in rounds} == {True, False}
    assert {one["bet"] for one in rounds if not one["seated"]} == {"0"}
    number = next(one["round"] for one in rounds if not one["seated"])
    out = " ".join(ask(folder, "--shoe", 0, "--round", number, run="wonged").out.split())
    assert "Bet none: not seated at this count; others play for one unit on each of 3 spots" in out
    assert "Net 0: sat out" in out


@pytest.mark.slow
def test_a_ramp_may_sit_out_too(tmp_path):
    file = tmp_path / "run.json"
    options = ["--count", "hi-lo", "--ramp", "0:0 1:2", "--rounds", "60", "--seed", "1"]
    assert talk(["simulate", "--rules", "1D", *options, "-o", str(file)]).code == 0
    rounds = read(tmp_path, "--shoe", 1, run="run")["rounds"]
    number = next(one["round"] for one in rounds if one["bet"] == "0")
    out = " ".join(ask(tmp_path, "--shoe", 1, "--round", number, run="run").out.split())
    assert "the ramp sits this count out" in out


# --- one round ---


@pytest.mark.slow
def test_a_round_shows_count_bet_cards_reasons_and_payment(folder):
    shoe = read(folder, "--shoe", 2)
    rounds = [
        read(folder, "--shoe", 2, "--round", one["round"])["rounds"][0] for one in shoe["rounds"]
    ]
    deviations = 0
    for one in rounds:
        out = " ".join(ask(folder, "--shoe", 2, "--round", one["round"]).out.split())
        assert f"Round {one['round']} of shoe 2, chunk 0, seed 8" in out
        assert f"{one['dealt']} cards dealt, running count " in out
        assert f"by the ramp {shoe['ramp']}" in out
        for step in one["steps"]:
            if step["type"] != "decision":
                continue
            said = f"{step['action']}: count {step['count']:+d} (running {step['running']},"
            said = with_minus_signs(said)
            assert f"{said} {step['cards_left']} cards left)" in out
            if step["deviation"]:
                deviations += 1
                assert with_minus_signs(step["deviation"].replace("  ", " ")) in out
        assert "the table reached the same count" in out
    assert deviations


@pytest.mark.slow
def test_a_rounds_steps_are_its_cards_and_payments(folder):
    one = read(folder, "--shoe", 1, "--round", 5)["rounds"][0]
    dealt = [step for step in one["steps"] if step["type"] in ("dealt", "dealer_dealt")]
    assert len(dealt) == len(one["cards"])
    hands = sum(Fraction(hand["net"]) for hand in one["hands"])
    assert hands + Fraction(one["insurance_net"]) == Fraction(one["net"])
    assert [step["net"] for step in one["steps"] if step["type"] == "round_ended"] == [one["net"]]
    assert sorted(one["cards"]) == sorted(
        [card for hand in one["hands"] for card in hand["cards"]] + one["dealer"]
    )


def test_cards_of_the_table_engine_have_their_suits(folder):
    answer = ask(folder, "--shoe", 0, "--round", 1, run="house")
    told = read(folder, "--shoe", 0, "--round", 1, run="house")
    assert all(len(card) == 2 for card in told["rounds"][0]["cards"])
    out = " ".join(answer.out.split())
    assert ", player mimic" in out
    assert "dealt again from the run's seed" in out


@pytest.mark.slow
def test_without_a_count_no_count_is_shown(folder):
    out = ask(folder, "--shoe", 0, "--round", 1, run="flat").out
    assert "count " not in out.partition("Checked")[0]
    assert read(folder, "--shoe", 0, run="flat")["rounds"][0]["count"] is None


# --- faults ---

FAULTS = {
    "no shoe": ("counted", [], "say which shoe of chunk 0: --shoe 0 to --shoe "),
    "a shoe too far": ("counted", ["--shoe", 99], "there is no shoe 99: chunk 0 has "),
    "a round too far": ("counted", ["--shoe", 0, "--round", 99], "there is no round 99: this shoe"),
    "round 0": ("counted", ["--shoe", 0, "--round", 0], "'0': write a whole number at least 1"),
    "a chunk too far": ("counted", ["--chunk", 1, "--shoe", 0], "this run has 1 chunk, number 0"),
    "a shoe of the table": ("house", ["--shoe", 99], "chunk 0 has 3 shoes, 0 to 2"),
    "no file": ("nothing", ["--shoe", 0], "No such file"),
    "no run": ("no", ["--shoe", 0], "is not a run"),
    "an edited run": ("edited", ["--shoe", 0], "damaged or was edited"),
    "another version": ("old", ["--shoe", 0], "this run was made by upcard 0.0.1"),
}


@pytest.mark.slow
@pytest.mark.parametrize("case", FAULTS)
def test_a_fault_is_one_line_and_exit_code_2(folder, case):
    run, words, expected = FAULTS[case]
    answer = ask(folder, *words, run=run)
    assert answer.code == 2
    assert answer.out == ""
    assert answer.err.count("\n") == 1
    assert expected in answer.err


def test_a_mismatch_is_an_error_that_says_so(folder, monkeypatch):
    def replay(*_, **__):
        msg = "in round 1 of shoe 0 in chunk 0 ...: this is a bug in upcard"
        raise ReplayMismatchError(msg)

    monkeypatch.setattr("upcard.session.run_replay.replay_shoe", replay)
    answer = ask(folder, "--shoe", 0)
    assert (answer.code, answer.out) == (2, "")
    assert "this is a bug in upcard" in answer.err


def test_help_says_what_the_source_is():
    text = " ".join(talk(["replay", "--help"]).out.split())
    assert "SOURCE is the file of a run" in text
    assert "upcard replay RUN.json --shoe 0 --round 7" in text
