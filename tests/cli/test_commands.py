"""Every command: help with an example, exit codes, one clear line for a fault."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from driving import PROGRAM, pipe, talk

import upcard

FAULTS = {
    "unknown command": ["nonsense"],
    "unknown option": ["play", "--nonsense"],
    "unknown house": ["play", "--house", "nowhere"],
    "unknown token": ["rules", "6D", "FOO"],
    "clashing tokens": ["play", "--rules", "6D S17 H17"],
    "house and rules": ["play", "--house", "european", "--rules", "6D"],
    "no such card": ["play", "--cards", "8D XX"],
    "bet of nothing": ["play", "--bet", "0"],
    "endless bet": ["play", "--bet", "inf"],
    "huge bet": ["play", "--bet", "1e999999999"],
    "bet over the chips": ["play", "--bet", "200"],
    "bets over the chips": ["play", "--bet", "20", "--hands", "7"],
    "bet over the limit": ["play", "--bet", "20", "--limit", "10"],
    "bet where there are none": ["play", "--house", "roanoke", "--bet", "10"],
    "chips where there are none": ["play", "--house", "roanoke", "--chips", "10"],
    "too many hands": ["play", "--hands", "8"],
    "no hands": ["play", "--hands", "0"],
    "two hands of one": ["play", "--house", "deshmukh", "--hands", "2"],
    "no rounds": ["play", "--rounds", "0"],
    "seed that is none": ["play", "--seed", "x"],
    "seed under 0": ["play", "--seed", "-1"],
    "seed too large": ["play", "--seed", str(2**64)],
    "seed of a drill under 0": ["train", "strategy", "--seed", "-1"],
    "unknown player": ["play", "--player", "nobody"],
    "unknown betting": ["play", "--player", "mimic", "--betting", "nothing"],
    "betting of a person": ["play", "--betting", "flat"],
    "betting without bets": [
        "play",
        "--house",
        "roanoke",
        "--player",
        "mimic",
        "--betting",
        "flat",
    ],
    "computer out of range": ["play", "--player", "computer:2,17,0.5"],
    "p over one": ["policy", "1.5"],
    "p under zero": ["policy", "-1"],
    "p not a number": ["policy", "nan"],
    "p missing": ["policy"],
    "p divided by zero": ["policy", "1/0"],
    "two of p": ["policy", "4/13", "0.3"],
    "policy on two screens": ["policy", "4/13", "--csv", "-", "--json"],
    "policy without such an option": ["policy", "4/13", "--rules", "6D"],
    "policy into a folder": ["policy", "4/13", "-o", "/"],
    "policy into nowhere": ["policy", "4/13", "-o", "/nowhere/Policy.txt"],
    "house file missing": ["rules", "nowhere.toml"],
}


@pytest.mark.parametrize("arguments", FAULTS.values(), ids=FAULTS)
def test_fault_is_one_line_on_stderr_and_exit_code_2(arguments) -> None:
    answer = talk(arguments)
    assert answer.code == 2
    assert answer.out == ""
    assert answer.err.count("\n") == 1
    assert answer.err.startswith("upcard")
    assert "Traceback" not in answer.err


COMMANDS = ["play", "edge", "chart", "solve", "removal", "policy", "houses", "rules"]


@pytest.mark.parametrize("command", COMMANDS)
def test_help_has_an_example(command) -> None:
    answer = talk([command, "--help"])
    assert answer.code == 0
    assert f"  upcard {command}" in answer.out.partition("Examples:")[2]


def test_help_names_every_command_and_has_an_example() -> None:
    answer = talk(["--help"])
    assert answer.code == 0
    assert all(f"\n  {command} " in answer.out for command in COMMANDS)
    assert "upcard policy 4/13" in answer.out.partition("Examples:")[2]


def test_help_imports_no_room_of_the_game() -> None:
    code = (
        "import sys; from upcard.cli.app import run; run(['--help']);"
        "heavy = [m for m in sys.modules if m.startswith(('rich', 'num', 'upcard.t', 'upcard.e'))];"
        "sys.exit(len(heavy))"
    )
    assert (
        subprocess.run([sys.executable, "-c", code], capture_output=True, check=False).returncode
        == 0
    )


def test_version() -> None:
    assert talk(["--version"]).out == f"upcard {upcard.__version__}\n"


def test_exit_codes_of_a_real_process() -> None:
    assert pipe(["houses"]).code == 0
    assert pipe(["houses", "--nonsense"]).code == 2


@pytest.mark.slow
def test_closed_pipe_is_quiet() -> None:
    # Far more than a pipe holds, so that writing continues after the reader has left.
    bot = "play --player mimic --bet 1 --chips 1000000 --rounds 2000 --seed 1"
    command = f"{' '.join(map(_quote, PROGRAM))} {bot} | head -1"
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", command], capture_output=True, check=False
    )
    assert done.stdout == b"Blackjack, the six-deck game\n"
    assert done.stderr == b""
    assert done.returncode == 0


def test_full_disk_is_a_clear_line() -> None:
    with open("/dev/full", "w") as full:  # noqa: PTH123 (a device)
        done = subprocess.run(
            [*PROGRAM, "policy", "4/13"], stdout=full, stderr=subprocess.PIPE, check=False
        )
    assert done.returncode == 2
    assert done.stderr.count(b"\n") == 1


def _quote(word: str) -> str:
    import shlex

    return shlex.quote(word)


# upcard alone.


@pytest.mark.slow
def test_without_a_terminal_the_default_game_is_explained() -> None:
    answer = pipe([])
    assert answer.code == 0
    assert "6D S17 PEEK DOA DAS SP4 NRSA NS 3:2" in answer.out
    assert "dealer draws to 17 and stands on soft 17" in answer.out
    assert "\nWorth             −0.40287% of every bet by the best play, exactly\n" in answer.out
    assert "\nHouse edge        0.40287%\n" in answer.out
    assert "\n   16  S  S  S  S  S  H  H  H  H  H " in answer.out
    assert "house edge 0.406%" in answer.out
    assert "upcard play --house european" in answer.out
    assert "\x1b" not in answer.out
    assert max(map(len, answer.out.splitlines())) <= 80


# houses.


def test_houses_lists_every_house() -> None:
    answer = talk(["houses"])
    assert answer.code == 0
    assert all(f"\n  {name} " in answer.out for name in upcard.house_names())
    assert max(map(len, answer.out.splitlines())) <= 80


def test_houses_as_json_say_their_source_and_read_back() -> None:
    houses = json.loads(talk(["houses", "--json"]).out)
    assert [house["name"] for house in houses] == list(upcard.house_names())
    for house in houses:
        assert house["source"]
        assert upcard.Rules.parse(house["rules"]) == upcard.house(house["name"])


# rules.


def test_rules_prints_the_canonical_form_first_and_plain_words() -> None:
    answer = talk(["rules", "ls 6d h17"])
    assert answer.out.splitlines()[0] == "6D H17 PEEK DOA DAS SP4 NRSA LS 3:2"
    assert "hits soft 17" in answer.out
    assert "give up half your bet, after the dealer has looked" in " ".join(answer.out.split())


def test_rules_of_a_house_say_title_and_source() -> None:
    answer = talk(["rules", "deshmukh"])
    assert "BLACK JACK, chips with hit and stand" in answer.out
    assert "Document 000" in answer.out


def test_rules_as_json_hold_every_setting() -> None:
    from upcard.rules.model import RULE_NAMES

    told = json.loads(talk(["rules", "european", "LS", "--json"]).out)
    assert told["rules"] == "european LS"
    assert list(told["settings"]) == list(RULE_NAMES)
    assert told["settings"]["natural_pays"] == "1.5"
    assert told["settings"]["surrender"] == "late"


def test_rules_reads_a_house_file(tmp_path) -> None:
    file = tmp_path / "my house.toml"
    file.write_text('title = "Mine"\nsource = "Me"\nabout = "Small"\nrules = "1D H17"\n')
    answer = talk(["rules", str(file)])
    assert answer.code == 0
    assert "Mine" in answer.out
    assert "hits soft 17" in answer.out
    assert talk(["play", "--house", str(file)], ["q"]).out.startswith("Mine (my house)\n")


def test_rules_shows_all_faults_of_a_house_file(tmp_path) -> None:
    file = tmp_path / "bad.toml"
    file.write_text('title = "Bad"\nrules = "1D FOO H17 S17"\n[settings]\ndecks = 99\nwrong = 1\n')
    answer = talk(["rules", str(file)])
    assert answer.code == 2
    assert answer.err.count("\n") == 1
    for fault in ("source", "about", "FOO", "S17", "wrong"):
        assert fault in answer.err


# policy.


def test_policy_is_the_table_of_the_document() -> None:
    answer = talk(["policy", "4/13"])
    lines = answer.out.splitlines()
    assert answer.out.endswith("\n")
    assert len(lines) == 33
    assert lines[0] == "5\tH H H H H H H H H H"
    assert all(len(line.split("\t")[1].split(" ")) == 10 for line in lines)


def test_policy_writes_a_file(tmp_path) -> None:
    file = tmp_path / "Policy.txt"
    answer = talk(["policy", "0.3", "-o", str(file)])
    assert answer == (0, "", "")
    assert file.read_text() == talk(["policy", "0.3"]).out


def test_policy_with_values_begins_with_the_table_and_fits_the_screen() -> None:
    answer = talk(["policy", "4/13", "--ev"])
    assert answer.out.startswith(talk(["policy", "4/13"]).out)
    assert "Value of the game: -0.006230 per unit bet" in answer.out
    assert max(len(line.expandtabs()) for line in answer.out.splitlines()) <= 80


def test_policy_tells_infinite_values() -> None:
    answer = talk(["policy", "0.5", "--ev"])
    assert "Value of the game: infinite" in answer.out
    row = next(line for line in answer.out.splitlines() if line.startswith("1010  H"))
    assert row


def test_values_that_are_asked_for_are_in_the_csv_too():
    plain, valued = (talk(["policy", "4/13", *ev, "--csv", "-"]).out for ev in ((), ("--ev",)))
    assert len(valued.splitlines()) > 3 * len(plain.splitlines())
    assert valued.startswith("table,hand,")


def test_policy_writes_its_json_and_its_table_beside_the_file(tmp_path) -> None:
    file = tmp_path / "policy.json"
    assert talk(["policy", "4/13", "--json", "-o", str(file)]) == (0, "", "")
    assert file.read_text() == talk(["policy", "4/13", "--json"]).out
    answer = talk(["policy", "4/13", "--csv", "-", "-o", str(file)])
    assert answer.out == talk(["policy", "4/13", "--csv", "-"]).out
    assert file.read_text() == talk(["policy", "4/13"]).out


def test_policy_as_json() -> None:
    told = json.loads(talk(["policy", "4/13", "--json"]).out)
    assert told["p"] == "4/13"
    assert len(told["rows"]) == 33


def test_interrupt_ends_quietly(monkeypatch) -> None:
    def interrupted(_p: str) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("upcard.answers.asked.best_actions.policy", interrupted)
    assert talk(["policy", "4/13"]) == (130, "", "")


@pytest.mark.parametrize("words", [["policy", "4/13"], ["chart", "--rules", "INF"]])
def test_a_dash_for_a_file_is_standard_output(words, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert talk([*words, "-o", "-"]).out == talk(words).out != ""
    assert list(tmp_path.iterdir()) == []
