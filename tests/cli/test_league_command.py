"""`upcard league`: what it prints, writes and refuses, and how it ends."""

from __future__ import annotations

import csv
import json
import os
import signal
import subprocess
import time

import pytest
from driving import PROGRAM, read_json, talk

pytestmark = pytest.mark.skipif(os.name != "posix", reason="it ends players by POSIX signals")

ANN = "from upcard import Player\nclass P(Player):\n    def hit(self, hand):\n"
LIKE_ANN = f"{ANN}        return hand.total < 15\n"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    place = tmp_path / "players"
    place.mkdir()
    (place / "ann.py").write_text(LIKE_ANN)
    (place / "raises.py").write_text(f"{ANN}        print('noise')\n        return 1 / 0\n")
    return place


@pytest.mark.slow
def test_the_table_is_the_same_on_the_screen_and_in_every_file(folder, tmp_path):
    words = ["league", "players", "--rules", "6D H17", "--rounds", "40", "--seed", "1"]
    answer = talk([*words, "--csv", "league.csv", "--html", "league.html"])
    assert (answer.code, answer.err) == (0, "")
    assert "40 rounds each, from the same shoes (seed 1)" in answer.out
    assert "raises.py         line 5: ZeroDivisionError: division by zero (round" in answer.out
    found = read_json(*words)
    rows = list(csv.DictReader((tmp_path / "league.csv").read_text().splitlines()))
    assert [row["player"] for row in rows] == ["ann.py", "raises.py"]
    for row, player in zip(rows, found["players"], strict=True):
        shown = {name: "" if value is None else str(value) for name, value in player.items()}
        assert {**row, "milliseconds": ""} == {**shown, "milliseconds": ""}
    assert found["remarks"][0]["about"] == "raises.py"
    assert (found["is_complete"], found["seed"], found["rounds"]) == (True, 1, 40)
    page = (tmp_path / "league.html").read_text()
    assert ">raises.py</td>" in page


@pytest.mark.slow
def test_what_no_file_and_no_terminal_takes_is_left_out(folder):
    name = os.fsdecode(b"a\xff\x1b[31m.py")
    (folder / name).write_text(f"{ANN}        raise ValueError('\\ud800 \\x1b[2J')\n")
    answer = talk(["league", "players", "--rounds", "9", "--html", "page.html", "--csv", "t.csv"])
    assert (answer.code, answer.err) == (0, "")
    assert "line 4: ValueError: ? ?[2J" in " ".join(answer.out.split())
    assert "a??[31m.py" in answer.out


@pytest.mark.slow
@pytest.mark.parametrize("words", [["--seed", "7654321"], ["--seed=7654321"]])
def test_no_player_finds_the_seed_on_a_command_line_or_in_its_own_process(words, folder):
    """Who knows the seed knows every card that is dealt."""
    if not os.path.exists("/proc/self/cmdline"):  # noqa: PTH110
        pytest.skip("no command lines to read here")
    looks = "import os\nseen = [*os.environ.items(), *__import__('sys').orig_argv]\n"
    looks += "for one in (os.getppid(), os.getpid()):\n"
    looks += "    seen.append(open(f'/proc/{one}/cmdline').read().replace(chr(0), ' '))\n"
    looks += "assert '7654321' not in str(seen), 'found'\nassert '*' in seen[-2], seen[-2]\n"
    (folder / "looks.py").write_text(looks + LIKE_ANN)
    command = [*PROGRAM, "league", "players", "--rounds", "3", *words, "--json"]
    found = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    assert found["seed"] == 7654321
    assert [one for one in found["remarks"] if one["about"] == "looks.py"] == []


@pytest.mark.slow
def test_what_players_print_is_shown_when_asked(folder):
    words = ["league", "players", "--rounds", "5", "--seed", "1", "--json"]
    quiet, loud = (
        subprocess.run([*PROGRAM, *words, *more], capture_output=True, text=True, check=True)
        for more in ([], ["--show-output"])
    )
    assert quiet.stderr == ""
    assert set(loud.stderr.split()) == {"noise"}
    assert json.loads(quiet.stdout)["players"][0]["player"] == "ann.py"
    assert json.loads(loud.stdout)["remarks"] == json.loads(quiet.stdout)["remarks"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["nowhere"], "'nowhere' is not a folder of players"),
        (["empty"], "no *.py is in it"),
        (["players", "--rules", "6X"], "6X"),
        (["players", "--rounds", "0"], "--rounds"),
        (["players", "--time-limit", "0"], "--time-limit"),
        (["players", "--time-limit", "nan"], "--time-limit"),
        (["players", "--memory-limit", "1"], "--memory-limit"),
        (["players", "--seed", "-1"], "seed"),
        (["players", "--csv", "no/such/file"], "no file can be written there"),
        (["players", "--html", "players"], "no file can be written there"),
        ([], "FOLDER"),
        (["players", "--player", "ann.py"], "'ann.py'"),
        (["--player", "players/ann.py"], "ann.py"),
        (["--player", "counter:zen"], "counter:zen"),
        (["--player", "perfect"], "perfect"),
        (["--player", "nobody"], "nobody"),
        (["--strategy", "none.tsv"], "none.tsv"),
        (["players", "players"], "'players players' is not"),
        (["players", "--csv", "-", "--html", "-"], "both want the screen"),
        (["players", "--house", "nowhere"], "nowhere"),
        (["players", "--rounds", "1000001"], "--rounds"),
        (["players", "--nonsense"], "--nonsense"),
    ],
)
def test_nonsense_is_one_line(words, message, folder, tmp_path):
    (tmp_path / "empty").mkdir()
    answer = talk(["league", *words])
    assert (answer.code, answer.out) == (2, "")
    assert message in answer.err
    assert answer.err.count("\n") == 1


@pytest.mark.slow
def test_ctrl_c_writes_the_table_and_leaves_nothing_running(folder, tmp_path):
    """The second player hangs; its process is in a group of its own."""
    (folder / "zoe.py").write_text(
        "import os, time, pathlib\n"
        f"{ANN}        pathlib.Path('pid').write_text(str(os.getpid()))\n        time.sleep(99)\n"
    )
    running = subprocess.Popen(
        [*PROGRAM, "league", "players", "--rounds", "30", "--time-limit", "60"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    until = time.monotonic() + 60
    while not (tmp_path / "pid").exists() and time.monotonic() < until:
        time.sleep(0.1)
    time.sleep(0.3)
    running.send_signal(signal.SIGINT)
    out, err = running.communicate(timeout=30)
    assert (running.returncode, err.count("\n")) == (130, 1)
    assert err.startswith("upcard league: interrupted; the same command with --seed ")
    assert "ann.py" in out
    assert "not played to the end: zoe.py" in " ".join(out.split())
    with pytest.raises(ProcessLookupError):
        os.kill(int((tmp_path / "pid").read_text()), 0)
