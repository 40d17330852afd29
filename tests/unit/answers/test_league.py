"""A league survives every player, names their faults, and prices decisions exactly."""

from __future__ import annotations

import os
import re
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

import upcard
from upcard import RulesError
from upcard.answers.league import priced_play
from upcard.answers.league.player_process import Limits, PlayerFaultError, PlayerProcess
from upcard.answers.league.priced_play import League, draw_page, play_league
from upcard.core import figure

pytestmark = pytest.mark.skipif(os.name != "posix", reason="it ends players by POSIX signals")

RULES = upcard.Rules.parse("6D H17 LS")
QUICK = Limits(seconds=0.5, memory=1024)
HEAD = "from upcard import Player\nimport os, sys, time\n\n\nclass P(Player):\n"
HIT = f"{HEAD}    def hit(self, hand):\n"
ANN = f"{HIT}        return hand.total < 15\n"
# What a player does, from line 7 on, and what is said about it.
FAULTS = {
    "hang": ("time.sleep(1000)", "line 7: no answer in 0.5 s (round"),
    "stubborn": (
        "try:\n            while True: pass\n        finally: self.hit(hand)",
        "line 8: no answer in 0.5 s",
    ),
    "swallow": (
        "try: raise KeyboardInterrupt\n        except BaseException: time.sleep(1000)",
        "line 8: no answer in 0.5 s",
    ),
    "forks": ("return os.fork() == 0", "line 7: PermissionError: os.fork: a player"),
    "shell": ("os.system('sleep 1000 &')", "line 7: PermissionError: os.system"),
    "kills": ("os.kill(os.getppid(), 9)", "line 7: PermissionError: os.kill"),
    "exits": ("os._exit(0)", "line 7: SystemExit: os._exit(0)"),
    "leaves": ("sys.exit()", "line 7: SystemExit"),
    "raises": ("return {}[hand.total]", "line 7: KeyError: "),
    "interrupts": ("raise KeyboardInterrupt", "line 7: KeyboardInterrupt"),
    "memory": ("return bytearray(10 * 2**30)", "line 7: MemoryError"),
    # It waits then: else it ends by its own answer, and which is seen first depends on the machine.
    "closes": (
        "os.closerange(3, 99)\n        time.sleep(1000)",
        "its process closed the pipe of its answers",
    ),
    "crashes": (
        "import ctypes\n        ctypes.string_at(0)",
        "line 8: its process ended by SIG",
    ),
    "forges": (
        "for n in range(3, 9):\n            try: os.write(n, b'7')\n            except OSError: 0",
        "it wrote to the pipe of its answers",
    ),
}
FILES = {name: (f"{HIT}        {code}\n", words) for name, (code, words) in FAULTS.items()} | {
    "init": (
        f"{HEAD}    def __init__(self):\n        while True: pass\n",
        "line 7: no answer in 0.5",
    ),
    "illegal": (
        f"{HEAD}    def decide(self, view, legal):\n        return 'banana'\n",
        "line 6: decide() returned 'banana' for ",
    ),
    "syntax": ("def f(:\n", "line 1: SyntaxError: invalid syntax (not played)"),
    "two": (f"{ANN}class Q(P): pass\n", "2 players are in it: name one"),
    "nothing": ("x = 1\n", "no player is in it: write a class"),
}
PRINTS = (
    f'{HIT}        print(\'{{"answer": "stand"}}\' * 999)\n        sys.stderr.write("noise")\n'
    "        os.write(1, b'noise')\n        return hand.total < 15\n"
)


TABLE = upcard.Table(RULES, upcard.table.ScriptedShoe("T 6 2 T"))
TABLE.start()
QUESTION = (TABLE.view(), TABLE.legal_actions())


@pytest.fixture
def process(tmp_path):
    """A player that closes all its files when it is asked."""
    write(tmp_path, closes=f"{HIT}        os.closerange(0, 99)\n")
    process = PlayerProcess(tmp_path / "closes.py", QUICK)
    yield process
    process.close()


def list_serving():
    """Return the processes of players that this one has started and that still run."""
    found = []
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            line = (status.parent / "cmdline").read_text()
        except OSError:
            continue
        parent = status.read_text().rpartition(")")[2].split()[1]
        if "player_process import serve" in line and int(parent) == os.getpid():
            found.append(status.parent.name)
    return found


def play(folder, rounds=30, rules=RULES, limits=QUICK, **options):
    return play_league(str(folder), rules, rounds=rounds, seed=1, limits=limits, **options)


def rows_of(league):
    return {row["player"]: row for row in league.to_json()["players"]}


def write(folder, **texts):
    for name, text in texts.items():
        (folder / f"{name}.py").write_text(text, encoding="utf-8")


@pytest.mark.slow
def test_every_fault_is_named_and_disturbs_no_other(tmp_path, capfd):
    write(tmp_path, ann=ANN)
    alone = rows_of(play(tmp_path))["ann.py"]
    write(tmp_path, prints=PRINTS, zoe=ANN, **{name: text for name, (text, _) in FILES.items()})
    (tmp_path / "folder.py").mkdir()
    (tmp_path / "latin.py").write_bytes(b"x = '\xe9'")
    before = list_serving()
    league = play(tmp_path)
    assert list_serving() == before
    assert capfd.readouterr() == ("", "")
    rows = rows_of(league)
    for name in ("ann.py", "zoe.py", "prints.py"):
        assert {**rows[name], "player": "", "milliseconds": 0} == {
            **alone,
            "player": "",
            "milliseconds": 0,
        }
    remarks = {}
    for about, text in league.remarks:
        remarks.setdefault(about, text)
    more = {"folder": ("", "Is a directory (not played)"), "latin": ("", "it is not UTF-8 text")}
    for name, (_, words) in (FILES | more).items():
        assert words in remarks.pop(f"{name}.py")
        assert rows[f"{name}.py"]["chart_ev"] is None
    assert remarks == {}
    assert league.is_complete
    best = league.players.rows[:3]
    assert {row[0] for row in best} == {"ann.py", "zoe.py", "prints.py"}


def test_every_round_with_a_fault_is_counted_and_loses_its_bet(tmp_path):
    """Faults of one kind are told once, with how many more there are."""
    fails = ANN.replace("return", "assert hand.total not in (12, 13)\n        return")
    write(tmp_path, fails=fails)
    league = play(tmp_path, rounds=30, limits=Limits(seconds=5, memory=1024))
    (row,) = rows_of(league).values()
    ((_, text),) = [one for one in league.remarks if "AssertionError" in one[1]]
    first, more = re.search(r"\(round ([0-9]+) and ([0-9]+) more\)", text).groups()
    assert row["lost_rounds"] == int(more) + 1 > 2
    assert 1 <= int(first) <= 30
    assert row["rounds"] == 30


@pytest.mark.slow
def test_a_fault_loses_the_bet_of_its_round_and_the_player_goes_on(tmp_path):
    fails = ANN.replace("return", "assert hand.total != 14\n        return")
    write(tmp_path, ann=ANN, fails=fails)
    rows = rows_of(play(tmp_path, rounds=80))
    ann, other = rows["ann.py"], rows["fails.py"]
    assert 0 < other["lost_rounds"] < 40
    assert other["rounds"] == ann["rounds"] == 80
    assert other["ev"] < ann["ev"]
    assert other["regret_per_100"] > ann["regret_per_100"]


@pytest.mark.slow
def test_the_rounds_are_those_of_the_simulator(tmp_path):
    init = "    def __init__(self, rng):\n        self.rng = rng\n\n    def hit("
    chance = ANN.replace("    def hit(", init).replace("hand.total < 15", "self.rng.random() < 0.4")
    write(tmp_path, ann=ANN, chance=chance)
    rows = rows_of(play(tmp_path, rounds=300))
    for name in ("ann.py", "chance.py"):
        run = upcard.simulate(RULES, player=str(tmp_path / name), rounds=300, seed=1)
        assert rows[name]["ev"] == pytest.approx(run.ev, abs=1e-12)


@pytest.mark.slow
def test_regret_agrees_with_the_exact_value_of_the_chart(tmp_path):
    write(tmp_path, ann=ANN)
    [row] = rows_of(play(tmp_path, rounds=4000)).values()
    assert row["chart_ev"] == upcard.value_of(str(tmp_path / "ann.py"), RULES)
    lost = 100 * (upcard.expected_value(RULES) - row["chart_ev"])
    assert abs(row["regret_per_100"] - lost) < 4 * row["regret_error"]
    assert abs(row["ev"] - row["chart_ev"]) < 4 * row["standard_error"]


@pytest.mark.slow
@pytest.mark.parametrize("house", sorted(set(upcard.house_names()) - {"switch"}))
def test_every_house_has_a_league(house, tmp_path):
    write(tmp_path, ann=ANN)
    league = play(tmp_path, rounds=50, rules=upcard.house(house))
    [row] = rows_of(league).values()
    assert (row["rounds"], row["lost_rounds"]) == (50, 0)
    assert (row["regret_per_100"] is None) == any(about == "note" for about, _ in league.remarks)


def test_a_league_plays_one_spot(tmp_path):
    write(tmp_path, ann=ANN)
    with pytest.raises(RulesError, match="these rules take 2"):
        play(tmp_path, rounds=50, rules=upcard.house("switch"))


def test_a_house_without_exact_values_is_ranked_by_ev_and_says_so(tmp_path):
    write(tmp_path, ann=ANN, bold=ANN.replace("15", "21"))
    hidden = upcard.house("seven-hands").replace(shows_upcard=False)
    league = play(tmp_path, rounds=60, rules=hidden)
    assert [row[0] for row in league.players.rows] == ["ann.py", "bold.py"]
    assert any("no exact EV" in text and "shows_upcard" in text for _, text in league.remarks)


def test_all_answers_together_have_a_limit(process):
    process.seconds = 60 * QUICK.seconds
    with pytest.raises(PlayerFaultError, match=r"its answers took 60 times the 0.5 s of one"):
        process.decide(*QUESTION)
    with pytest.raises(PlayerFaultError, match="no answer any more"):
        process.decide(*QUESTION)


@pytest.mark.slow
def test_ctrl_c_ends_with_what_was_played(tmp_path):
    write(tmp_path, ann=ANN, bob=ANN, carl=ANN)

    def stop(share):
        if share > 0.5:
            raise KeyboardInterrupt

    before = list_serving()
    league = play(tmp_path, watch=stop)
    assert list_serving() == before
    assert not league.is_complete
    rows = rows_of(league)
    assert (rows["ann.py"]["rounds"], rows["bob.py"]["rounds"]) == (30, 16)
    assert league.remarks[-1] == ("interrupted", "not played to the end: bob.py, carl.py")


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda place: place, "no \\*.py is in it"),
        (lambda place: place / "none", "is not a folder of players"),
        (lambda place: "\0", "is not a folder of players"),
    ],
)
def test_a_folder_without_players_is_refused(make, words, tmp_path):
    (tmp_path / ".hidden.py").write_text(ANN)
    with pytest.raises(RulesError, match=words):
        play(make(tmp_path))


@pytest.mark.slow
def test_the_page_is_whole_and_escapes_what_players_write(tmp_path):
    write(tmp_path, ann=ANN, evil=f"{HIT}        raise ValueError('<script>')\n")
    (tmp_path / "<b>.py").write_text(ANN)
    league = play(tmp_path)
    text = draw_page(league)
    page = ET.fromstring(text.removeprefix("<!DOCTYPE html>"))  # noqa: S314 (our own)
    tags = [element.tag.rpartition("}")[2] for element in page.iter()]
    cells = {element.text for element in page.iter() if element.tag.endswith(("}td", "}th"))}
    assert not {"script", "link", "img"} & set(tags)
    assert {"ann.py", "evil.py", "<b>.py", *league.players.headings} <= cells
    assert tags.count("tr") == 4
    assert "ValueError: <script> (round" in "".join(page.itertext())
    assert 'content="light dark"' in text
    assert "width=device-width" in text


def a_league(rows, remarks=()):
    """Return a league without playing it."""
    columns = (figure.text("player"), figure.percent("ev"))
    return League(
        rules=RULES,
        seed=1,
        rounds=9,
        ranked_by="EV",
        players=figure.AnswerTable(title="<i>Players</i>", columns=columns, rows=tuple(rows)),
        remarks=tuple(remarks),
        is_complete=True,
    )


def test_nothing_that_players_write_is_markup_on_the_page():
    """A name, a fault and the player whom it is about; a fault that is markup was not noticed."""
    evil = "<script>alert('&amp;\"')</script>"
    text = draw_page(a_league([(f"{evil}.py", 0.5)], [(f"{evil} who", f"{evil} said")]))
    assert "<script" not in text
    assert "<i>Players" not in text
    page = ET.fromstring(text.removeprefix("<!DOCTYPE html>"))  # noqa: S314 (our own)
    told = "".join(page.itertext())
    for shown in (f"{evil}.py", f"{evil} who", f"{evil} said", "<i>Players</i>"):
        assert shown in told


def test_the_page_has_a_row_for_every_player():
    """Three of 33 students had none."""
    text = draw_page(a_league([(f"p{number}.py", -number / 100) for number in range(333)]))
    assert text.count("<tr>") == 334
    assert "p332.py" in text
    assert "rows more" not in text


class Ranked:
    """A player of a league, as far as its place in the table goes by it."""

    def __init__(self, name, exact_ev, regret, ev):
        self.name, self.exact_ev, self.regret, self.ev = name, exact_ev, regret, ev


@pytest.mark.parametrize(
    ("players", "order", "words"),
    [
        # The samples say the opposite of the exact values.
        ([("a", -0.02747, 0.011, 0.1), ("b", -0.02087, 0.019, -0.1)], "ba", "exact EV"),
        (
            [("a", -0.03, 0.001, 0.1), ("b", None, 0.01, 0.2), ("c", -0.01, 0.02, -1)],
            "cba",
            "exact EV, or where there is none, EV of best play less regret",
        ),
        (
            [("a", None, 0.02, 0.1), ("b", None, 0.01, -0.1), ("x", None, None, None)],
            "bax",
            "regret",
        ),
        ([("a", None, None, -0.1), ("b", None, None, 0.1)], "ba", "EV"),
        ([("x", None, None, None), ("a", -0.5, None, -0.9)], "ax", "exact EV"),
        (
            [("a", None, None, -0.1), ("b", -0.05, None, -0.9)],
            "ba",
            "exact EV, or where there is none, EV",
        ),
    ],
)
def test_the_order_goes_by_the_exact_value_where_there_is_one(players, order, words):
    """A sample decided although the exact value stood beside it."""
    found = [Ranked(*player) for player in players]
    assert priced_play._rank(found, RULES) == words
    assert "".join(player.name for player in found) == order


@pytest.mark.slow
def test_a_file_that_runs_first_changes_none_that_plays_later(tmp_path):
    """It wrote another player, and a fault, into the files that were read after it."""
    write(tmp_path, bob=f"{HIT}        return hand.total < 12\n", zoe=ANN)
    spoils = "import pathlib\nfor name in ('bob', 'zoe'):\n"
    spoils += f"    pathlib.Path({str(tmp_path)!r}, name + '.py').write_text('spoilt(')\n"
    write(tmp_path, ann=spoils + ANN)
    rows = rows_of(play(tmp_path, rounds=3, rules=upcard.house("seven-hands")))
    assert (tmp_path / "zoe.py").read_text() == "spoilt("
    assert {name: row["lost_rounds"] for name, row in rows.items()} == dict.fromkeys(rows, 0)
    assert {name: row["rounds"] for name, row in rows.items()} == dict.fromkeys(rows, 3)


def test_a_process_that_is_gone_is_replaced_twice(process):
    for words in ("closed", "closed", "closed", "no answer any more: 3 processes ended"):
        with pytest.raises(PlayerFaultError, match=words):
            process.decide(*QUESTION)
    assert process.close() == (0, "")
