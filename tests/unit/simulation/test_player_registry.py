"""Players by name, and one suite that every one of them must pass in every house."""

from __future__ import annotations

import random
import subprocess
import sys

import pytest

import upcard
from upcard import NotationError, RulesError, UnsupportedRuleError
from upcard.players.bots import basic_chart, sit_down
from upcard.simulation.job import RunError
from upcard.simulation.registry import check_player, load_player, make_player, player_names
from upcard.simulation.run import simulate
from upcard.table import Table, make_shoe

# A registered player runs by its name, or as written here if the name wants details.
SAMPLES = {
    "chart:FILE": "chart:mine.tsv",
    "computer:P12,HIGHEST,PHIGH": "computer:1,17,0.5",
    "FILE.py:CLASS": "ann.py:Ann",
}
BY_UPCARD = {"chart:FILE", "counter", "lott-simple"}
REFUSED = {
    ("perfect", "sydney"): "natural_takes=busted-and-one",
    ("counter", "spanish-21"): "6D48",
    ("counter", "pontoon-au"): "6D48",
    ("perfect", "pontoon-au"): "natural_takes",
}
ANN = """
from upcard import Player

class Ann(Player):
    def hit(self, hand):
        return hand.total < 15
"""
RULES = upcard.Rules.parse("6D LS")


@pytest.fixture
def chart_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "mine.tsv"
    file.write_text(str(basic_chart(RULES)), encoding="utf-8")
    (tmp_path / "ann.py").write_text(ANN, encoding="utf-8")
    return file


def test_every_name_has_a_line():
    assert all(player_names().values())


@pytest.mark.fast_cases(2)
@pytest.mark.parametrize("house", upcard.house_names())
@pytest.mark.parametrize("name", player_names())
def test_every_player_answers_legally_in_every_house(name, house, chart_file):
    rules = upcard.house(house)
    rng = random.Random(f"{name} {house}")
    if name == "counter" and rules.is_infinite:
        with pytest.raises(UnsupportedRuleError, match="never run out"):
            make_player(name, rules, rng)
        return
    loaded = load_player(SAMPLES.get(name, name))
    if rules.shows_hole and name in BY_UPCARD:
        with pytest.raises(RulesError, match="shows_hole=true"):
            make_player(loaded, rules, rng)
        return
    if (name, house) in REFUSED:
        with pytest.raises(UnsupportedRuleError, match=REFUSED[name, house]):
            make_player(loaded, rules, rng)
        return
    player = make_player(loaded, rules, rng)
    table = Table(rules, make_shoe(rules, rng))
    sit_down(player, table)
    for _ in range(200):
        table.start([2] * (1 if rules.max_spots == 1 else 2))
        while table.is_playing:
            legal = table.legal_actions()
            answer = player.decide(table.view(), legal)
            assert answer in legal
            table.act(answer)
    assert str(player)


@pytest.mark.parametrize("house", upcard.house_names())
def test_a_seed_repeats_a_session_in_every_house(house):
    rules = upcard.house(house)
    sessions = []
    for _ in range(2):
        rng = random.Random(4)
        player = make_player("computer:0.5,20,0.5", rules, rng)
        table = Table(rules, make_shoe(rules, rng))
        events = []
        table.listeners.append(events.append)
        for _ in range(20):
            table.start([1] * rules.min_spots)
            while table.is_playing:
                table.act(player.decide(table.view(), table.legal_actions()))
        sessions.append(events)
    assert sessions[0] == sessions[1]


@pytest.mark.parametrize("name", ["MIMIC", " Lott ", "Computer: 1, 17, 0.5 ", "Never-Bust"])
def test_names_are_read_in_any_case(name):
    make_player(name, RULES)


@pytest.mark.parametrize("name", ["", "dealer", "basi", "lott simple", "computer1,17,0.5"])
def test_unknown_names_are_refused_with_what_is_possible(name):
    with pytest.raises(RulesError) as error:
        make_player(name, RULES)
    for known in player_names():
        assert known in str(error.value)


@pytest.mark.parametrize("name", ["computer", "computer:", "computer:1,17", "computer:1,17,0.5,2"])
def test_the_computer_says_which_numbers_it_needs(name):
    with pytest.raises(RulesError, match="three numbers"):
        make_player(name, RULES)


def test_the_computers_bad_numbers_are_named():
    with pytest.raises(RulesError, match=r"'1.5'.*'x'"):
        make_player("computer:1.5,17,x", RULES)


@pytest.mark.parametrize("name", ["mimic:2", "basic:", "lott:x"])
def test_players_without_numbers_take_none(name):
    with pytest.raises(RulesError, match="takes nothing after a colon"):
        make_player(name, RULES)


@pytest.mark.parametrize("name", ["basic", "lott-simple", "chart:x.tsv"])
def test_players_who_decide_by_the_upcard_refuse_a_house_that_hides_it(name):
    rules = upcard.house("seven-hands").replace(shows_upcard=False)
    with pytest.raises(UnsupportedRuleError, match="shows_upcard"):
        make_player(name, rules)
    make_player("mimic", rules)


def test_a_chart_file_is_read(chart_file):
    player = make_player(f"chart:{chart_file}", RULES)
    assert player.strategy == basic_chart(RULES)
    assert str(player) == "mine"


def test_a_faulty_chart_is_refused_with_all_its_faults(chart_file):
    text = chart_file.read_text(encoding="utf-8")
    chart_file.write_text(text.replace("\nAA\t", "\nXX\t"), encoding="utf-8")
    with pytest.raises(NotationError, match=r"is not a chart: line 34: .*; row AA is missing"):
        make_player(f"chart:{chart_file}", RULES)


@pytest.mark.parametrize("file", ["", "no-such-file.tsv", "a\0b"])
def test_a_chart_that_cannot_be_read_is_refused(file, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(RulesError, match="chart"):
        make_player(f"chart:{file}", RULES)


def test_a_chart_that_is_no_text_is_refused(tmp_path):
    (tmp_path / "picture").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(RulesError, match="it is not UTF-8 text"):
        make_player(f"chart:{tmp_path / 'picture'}", RULES)
    with pytest.raises(RulesError, match="cannot read the chart"):
        make_player(f"chart:{tmp_path}", RULES)


# Players in a file.

LOTT = upcard.house("lott")


@pytest.fixture
def write_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def write(text, name="ann.py"):
        file = tmp_path / name
        file.write_text(text, encoding="utf-8")
        return file

    return write


def play(name, **options):
    return simulate(LOTT, player=name, rounds=100, seed=1, **options)


def test_a_player_is_a_file_or_a_class_in_it_by_three_names(write_file):
    write_file(ANN)
    evs = {play(name).ev for name in ("ann.py", "ann.py:Ann", "ann:Ann")}
    assert len(evs) == 1
    assert evs != {play("lott").ev}


def test_a_function_named_decide_is_a_player(write_file):
    write_file("def decide(view, legal):\n    return 'stand' if 'stand' in legal else legal[-1]")
    stands = play("ann.py").ev
    write_file(ANN.replace("hand.total < 15", "False"))
    assert play("ann.py").ev == stands


FAULTY_FILES = {
    "no player": ("x = 1", "bad.py", "no player is in it: write a class that is a Player"),
    "two": (
        f"{ANN}class Bob(Ann): pass",
        "bad.py",
        "2 players are in it: name one, such as bad.py:A",
    ),
    "another": (ANN, "bad.py:Bob", "no player in it is called 'Bob': it has Ann"),
    "no syntax": ("class Ann(\n", "bad.py", r"bad.py: line 1: SyntaxError: '\(' was never closed"),
    "an error": ("x = 1\ny = z", "bad.py", "bad.py: line 2: NameError: name 'z' is not defined"),
    "an exit": ("import sys\nsys.exit(3)", "bad.py", "bad.py: line 2: SystemExit: 3"),
    "a misspelled offer": (ANN.replace("def hit", "def hitt"), "bad.py", r"did you mean hit\(\)"),
    "arguments": (
        "class Ann:\n    def __init__(self, x): pass\n    def decide(self, view, legal): pass",
        "bad.py",
        r"player 'bad.py:Ann': Ann\(\) needs x: give a default",
    ),
    "an error later": (ANN.replace("< 15", "/ 0"), "bad.py", "bad.py: line 6: ZeroDivisionError"),
    "no answer": (
        "class Ann:\n    def decide(self, view, legal): return 'jump'",
        "bad.py",
        r"line 2: decide\(\) returned 'jump' for .*Legal: ",
    ),
    "no such file": (ANN, "other.py", "cannot read the player file 'other.py': No such file"),
    "no such module": (ANN, "other:Ann", "no player is called 'other:Ann'"),
}


@pytest.mark.parametrize(("text", "name", "words"), FAULTY_FILES.values(), ids=FAULTY_FILES)
def test_a_fault_of_a_player_file_is_one_line(write_file, text, name, words):
    write_file(text, "bad.py")
    with pytest.raises(upcard.BlackjackError, match=words) as caught:
        play(name)
    assert "\n" not in str(caught.value)


def test_a_player_may_warn_and_show_its_lines(write_file):
    write_file(
        "import inspect, linecache, os, sys, warnings\n"
        f"{ANN}"
        "here = {'module_globals': globals()}\n"
        "assert inspect.getsource(Ann).startswith('class Ann')\n"
        "os.unlink(__file__)\n"
        "warnings.warn_explicit('old', UserWarning, __file__, 1, **here)\n"
        "linecache.lazycache('other.py', globals())\n"
        "assert __spec__.loader.get_source(__name__).startswith('import inspect')\n"
    )
    with pytest.warns(UserWarning, match="old"):
        assert play("ann.py").rounds


def test_a_player_gets_the_random_numbers_of_the_table(write_file):
    write_file(
        "class Ann:\n"
        "    def __init__(self, rng): self.rng = rng\n"
        "    def decide(self, view, legal): return self.rng.choice(legal)\n"
    )
    assert play("ann.py").ev == play("ann.py").ev


def test_only_a_file_that_is_named_runs(write_file):
    write_file(f"{ANN}print('it ran')")
    for text in ("ann.py", "ann.py:Ann", "ann:Ann", "ann.py:Ann@0123456789abcdef"):
        for read in (make_player, check_player):
            with pytest.raises(RulesError, match="runs only where you name it: give --player ann"):
                read(text, LOTT)


def test_a_run_saves_the_hash_of_the_file_and_goes_on_with_that_file(write_file):
    write_file(ANN)
    run = play("ann.py", output="run.json")
    assert run.job.player.startswith("ann.py:Ann@")
    assert play("ann.py", output="run.json").ev == run.ev
    write_file(f"{ANN}# another")
    with pytest.raises(RunError, match=r"holds another run: player ann\.py:Ann@"):
        play("ann.py", output="run.json")


@pytest.mark.slow
def test_a_player_in_a_file_plays_in_worker_processes(write_file):
    write_file(ANN)
    one, two = (
        simulate(LOTT, player="ann.py", rounds=10_000, seed=1, workers=2, executor=executor)
        for executor in ("threads", "processes")
    )
    assert one.tally == two.tally


@pytest.mark.slow
def test_a_saved_run_never_runs_a_file(write_file):
    """In a new process, which has not loaded the file."""
    write_file(f"{ANN}print('it ran')")
    words = ["-m", "upcard", "simulate", "--house", "lott", "--rounds", "200", "--seed", "1"]
    made = call(*words, "--player", "ann.py", "-o", "run.json")
    assert (made.returncode, made.stdout.startswith("it ran")) == (0, True)
    for more in (["--resume", "run.json"], ["--extend", "100", "run.json"]):
        done = call("-m", "upcard", "simulate", *more)
        assert (done.returncode, done.stdout) == (2, "")
        assert "runs only where you name it: give --player ann.py:Ann" in done.stderr
    script = "import upcard.simulation.run as r; r.resume('run.json', extend=100)"
    assert "it ran" not in call("-c", script).stdout
    done = call("-m", "upcard", "simulate", "--extend", "100", "run.json", "--player", "ann.py")
    assert done.returncode == 0


def call(*words):
    return subprocess.run([sys.executable, *words], capture_output=True, text=True, check=False)
