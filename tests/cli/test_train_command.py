"""`upcard train` line by line: by a pipe, as JSON, on a terminal; its faults."""

from __future__ import annotations

import io
import os
import subprocess
import weakref
from dataclasses import fields

import pytest
from driving import PROGRAM, Source, finish, open_terminal, read_lines, talk

from upcard.answers.drill_question import QuestionAnswer, write_seconds
from upcard.answers.drill_report import DrillReport, DrillVerdict
from upcard.cli.app import run
from upcard.cli.play.train import HELP, train
from upcard.drills.catalogue import DRILL_NAMES, OPTIONS, DrillOptions
from upcard.drills.drill_run import DrillMemory, DrillRun, DrillSetup
from upcard.drills.session_plan import READY
from upcard.line.console import Console
from upcard.rules.model import Rules
from upcard.store.database import open_in_memory

ASKED = "how many units?"


@pytest.fixture(autouse=True)
def own_memory(monkeypatch, tmp_path):
    """Each test begins with nothing answered."""
    monkeypatch.setenv("UPCARD_DATA", str(tmp_path))


def read_as_json(monkeypatch, folder, words, answers):
    """Return the JSON lines of the same session with nothing answered before it."""
    monkeypatch.setenv("UPCARD_DATA", str(folder))
    return read_lines(talk([*words, "--json"], answers).out)


def test_questions_answers_and_a_summary_in_words(monkeypatch, tmp_path):
    words, answers = ["train", "strategy", "--seed", "1"], ["stand", "h", "nonsense", "?", "s"]
    answer = talk(words, answers)
    assert (answer.code, answer.err) == (0, "")
    assert answer.out.count("EV: ") == 3
    found = read_as_json(monkeypatch, tmp_path / "2", words, answers)
    judged = [one for one in found if one["type"] == "judged"]
    assert len(judged) == 3
    assert all(f"{one['text']} {one['reason']}" in answer.out for one in judged)
    assert all(line in answer.out for line in (*HELP, *found[-1]["lines"][3:]))
    assert "'nonsense'" in answer.out


def test_the_json_lines_have_the_answers_that_the_browser_has():
    lines = read_lines(talk(["train", "strategy", "--seed", "1", "--json"], ["s"]).out)
    for kind, answer in (("asked", QuestionAnswer), ("judged", DrillVerdict)):
        found = next(one for one in lines if one["type"] == kind)
        assert {one.name for one in fields(answer)} <= set(found)
    assert {one.name for one in fields(DrillReport)} <= set(lines[-1])
    assert [one["action"] for one in lines[2]["answers"]] != []


@pytest.mark.slow
def test_a_session_is_left_and_resumed_and_says_what_it_is_in_money():
    words = ["train", "--ready", "--seed", "3", "--json"]
    for rounds, answers in ((1, ["1", "stand"]), (2, ["1", "stand"])):
        answer = talk(words, answers)
        assert (answer.code, answer.err) == (0, "")
        found = read_lines(answer.out)
        assert "judged" not in {one["type"] for one in found}
        ready = found[-1]["ready"]
        assert (ready["rounds"], ready["of"], ready["is_ready"]) == (rounds, 200, False)
    assert {one["asked"] for one in ready["parts"]} == {"bet", "chart play"}
    assert ready["errors_per_hour"] > ready["win_per_hour"] > 0
    lines = talk(["train", "--ready"], ["1"]).out
    assert "Dealer: " in lines
    assert "round 3 of 200, " in lines


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["bet", "--ready"], "leave out bet"),
        (["--ready", "--questions", "5"], "--questions 5"),
        (["--ready", "--rules", "INF"], "INF"),
        (["bet", "--bankroll", "500"], "takes no --bankroll"),
        (["--ready", "--bankroll", "much"], "--bankroll"),
        (["bet", "--clock", "4"], "--clock"),
        (["bet", "--sound"], "JSON and pipes have none"),
        (["hands", "--house", "switch"], "drill of hands cannot honour SWITCH"),
        (["dealer-mistakes", "--house", "switch"], "drill of dealer mistakes cannot honour SWITCH"),
        (["--ready", "--house", "switch"], "drill of ready cannot honour SWITCH"),
        (["deviations", "--house", "double-exposure"], "cannot honour shows_hole=true"),
    ],
)
def test_what_no_session_takes_is_refused_in_a_line(words, why):
    answer = talk(["train", *words], [])
    assert (answer.code, answer.out) == (2, "")
    assert why in answer.err


def test_the_same_seed_asks_the_same_of_somebody_new(tmp_path, monkeypatch):
    outs = []
    for folder in ("one", "two"):
        monkeypatch.setenv("UPCARD_DATA", str(tmp_path / folder))
        out = talk(["train", "strategy", "--seed", "4", "--json"], ["s"] * 5).out
        outs.append([one for one in read_lines(out) if one["type"] in ("asked", "judged")])
    assert outs[0] == outs[1]


@pytest.mark.fast_cases(2)
@pytest.mark.parametrize("name", [name for name in DRILL_NAMES if name != READY])
def test_every_drill_writes_one_object_a_question(name):
    """A session of ready judges nothing before its end, and has a test of its own."""
    words = ["train", name.replace(" ", "-"), "--rules", "6D LS", "--seed", "2", "--json"]
    answers = ["stand", "no insurance", "insurance", "1", "hit", "2", "0", "stand"] * 3
    answer = talk(words, answers)
    assert (answer.code, answer.err) == (0, "")
    found = read_lines(answer.out)
    kinds = [one["type"] for one in found]
    assert kinds[0] == "started"
    assert kinds[-1] == "ended"
    asked = [one for one in found if one["type"] == "asked"]
    judged = [one for one in found if one["type"] == "judged"]
    assert len(asked) == len(judged) + 1
    assert found[-1]["asked"] == len(judged)
    assert found[-1]["right"] == sum(one["is_right"] for one in judged)
    assert found[-1]["cost"] == pytest.approx(sum(one["cost"] for one in judged))
    for one in judged:
        assert one["cost"] >= 0
        assert not (one["is_right"] and one["cost"])
    assert len(judged) + kinds.count("refused") == len(answers)


def test_right_answers_can_be_read_from_what_was_judged():
    """Somebody who learns the answers by heart is right the next time."""
    words = ["train", "bet", "--ramp", "1-12", "--seed", "3", "--json", "--questions", "1"]
    first = read_lines(talk(words, ["99"]).out)
    right = next(one["right"] for one in first if one["type"] == "judged")
    text = next(one["text"] for one in first if one["type"] == "asked")
    for _ in range(8):
        found = read_lines(talk(words, [right]).out)
        if next(one["text"] for one in found if one["type"] == "asked") == text:
            assert next(one["is_right"] for one in found if one["type"] == "judged")
            return
    pytest.fail("a mistake is asked again within four answers")


def test_hands_are_played_on_and_their_end_is_told(monkeypatch, tmp_path):
    words = ["train", "hands", "--seed", "1", "--questions", "3"]
    answer = talk(words, ["s"] * 12)
    assert answer.code == 0
    assert answer.out.count("Dealer: ") == 3
    found = read_as_json(monkeypatch, tmp_path / "2", words, ["s"] * 12)
    ends = [one["hand"] for one in found if one.get("hand") is not None]
    assert len(ends) == 3
    assert all(f"{one['dealer_text']} {one['text']}\n" in answer.out for one in ends)
    assert all(one["outcomes"] for one in ends)


def test_without_a_name_it_asks_which():
    answer = talk(["train"], ["99", "chess", "true-count", "3"])
    assert answer.code == 0
    for number, name in enumerate(DRILL_NAMES, start=1):
        assert f"{number} {name}: " in answer.out
    assert "'chess'" in answer.out
    lines = read_lines(talk(["train", "--json"], ["8", "1"]).out)
    assert [one["name"] for one in lines[0]["drills"]] == list(DRILL_NAMES)
    assert [one["name"] for one in lines[0]["drills"] if one["asked"]] == ["true count"]
    assert (lines[0]["type"], lines[1]["drill"]) == ("drills", "bet")
    assert all(f"({one['text']})" in talk(["train"]).out for one in lines[0]["drills"][:7])


@pytest.mark.slow
def test_what_is_asked_for_is_what_is_drilled():
    for words, about in [
        (["running-count", "--system", "ko", "--rules", "2D"], "ko 2D"),
        (["bet", "--ramp", "1-12"], "hi-lo 6D 1:1 2:3 3:6 4:9 5:12"),
        (["deviations", "--indices", "fab4", "--rules", "6D LS"], "hi-lo fab4"),
        (["strategy", "--house", "european"], "european"),
    ]:
        started = read_lines(talk(["train", *words, "--json"]).out)[0]
        assert started["about"].endswith(about)
    items = {
        one["item"]
        for one in read_lines(
            talk(["train", "strategy", "--class", "soft", "--json"], ["h"] * 9).out
        )
        if one["type"] == "asked"
    }
    assert all(item.startswith("soft ") for item in items)
    groups = read_lines(talk(["train", "countdown", "--group", "3", "--json"]).out)[1]["groups"]
    assert {len(group) for group in groups} == {3}


@pytest.mark.parametrize(
    ("words", "fault"),
    [
        (["chess"], "no drill is called 'chess': one of strategy, hands"),
        (["strategy", "--system", "ko"], "strategy takes no --system: it takes --class"),
        (["hands", "--ramp", "1-8"], "hands takes no --ramp: it takes --class"),
        (["countdown", "--class", "soft"], "countdown takes no --class: it takes --system, --gr"),
        (["true-count", "--group", "2"], "true count takes no --group: it takes --system"),
        (["bet", "--indices", "i18"], "bet takes no --indices: it takes --system, --ramp"),
        (["strategy", "--class", "hard,big"], "no class of hands is called 'big'"),
        (["strategy", "--class", "surrender"], "ask no such question"),
        (
            ["countdown", "--group", "4"],
            "'--group': '4': write a whole number from 1 to 3, such as 2",
        ),
        (
            ["countdown", "--group", ""],
            "'--group': '': write a whole number from 1 to 3, such as 2",
        ),
        (["strategy", "--class", ""], "no class of hands is called ''"),
        (["ready", "--bankroll", ""], "'--bankroll': bankroll '': write a number over 0"),
        (["countdown", "--rules", "INF"], "cannot honour INF"),
        (["true-count", "--system", "ko"], "ko decides by the running count"),
        (["deviations", "--system", "zen"], "no index plays for the count zen come with upcard"),
        (["deviations", "--indices", "none.txt"], "none.txt"),
        (["bet", "--ramp", "8-1"], "the larger bet comes second"),
        (["bet", "--system", "nix"], "no counting system is called 'nix'"),
        (["strategy", "--rules", "6D 7D"], "'7D' contradicts '6D'"),
        (["strategy", "--minutes", "0"], "'--minutes': minutes '0': write a number over 0"),
        (["strategy", "--minutes", "nan"], "'--minutes': minutes 'nan': write a number over 0"),
        (
            ["strategy", "--questions", "0"],
            "'--questions': questions '0': write a whole number at least 1",
        ),
    ],
)
def test_faults_are_one_line_and_exit_code_2(words, fault, capsys):
    assert run(["train", *words]) == 2
    shown = capsys.readouterr()
    assert fault in shown.err
    assert len(shown.err.splitlines()) == 1


def test_help_lists_the_drills_and_has_an_example():
    out = talk(["train", "--help"]).out
    assert "  upcard train" in out.partition("Examples:")[2]
    for name in DRILL_NAMES:
        assert name.replace(" ", "-") in out
    assert all(f"  {option.option}" in out for option in OPTIONS.values())


def test_ctrl_c_ends_with_the_summary_and_every_answer_kept():
    answer = talk(["train", "bet", "--seed", "1"], ["1", "2"], interrupts=True)
    assert answer.code == 0
    assert read_lines(talk(["train", "bet", "--json"]).out)[0]["answers"] == 2
    assert answer.out.count(ASKED) == 3


def test_ctrl_c_does_not_break_a_judgement_off(monkeypatch):
    """It comes while the answer is judged: that one is kept before the session ends."""
    import _thread
    import time

    answer = DrillRun.answer

    def interrupted(self, text, **options):
        _thread.interrupt_main()
        time.sleep(0.05)
        return answer(self, text, **options)

    with monkeypatch.context() as patch:
        patch.setattr(DrillRun, "answer", interrupted)
        ended = talk(["train", "bet", "--seed", "1"], ["1", "2", "3"])
    assert ended.code == 0
    assert read_lines(talk(["train", "bet", "--json"]).out)[0]["answers"] == 1


def test_a_pipe_is_seven_bits_with_ascii(tmp_path):
    words = ["train", "countdown", "--ascii", "--seed", "1"]
    script = "from upcard.cli.play.train import train_command; train_command()"
    arguments = [PROGRAM[0], "-c", script, *words[1:]]
    done = subprocess.run(
        arguments,
        input=b"3\n",
        capture_output=True,
        check=True,
        timeout=60,
        env=os.environ | {"UPCARD_DATA": str(tmp_path)},
    )
    assert done.stdout.isascii()
    assert b" | " in done.stdout


class Terminal(Source):
    """Answers as typed by somebody who takes five seconds for each line."""

    def __init__(self, answers, clock):
        super().__init__(answers)
        self._clock = clock

    def readline(self, size=-1, /):
        self._clock[0] += 5
        return super().readline(size)


def in_memory():
    """Return a memory whose store is closed with it: Python 3.13 warns of those that never are."""
    store = open_in_memory()
    memory = DrillMemory(store)
    weakref.finalize(memory, store.close)
    return memory


def test_on_a_terminal_enter_turns_the_cards_and_the_time_is_taken():
    clock = [0.0]
    out = io.StringIO()
    memory = in_memory()
    setup = DrillSetup(
        options=DrillOptions(rules=Rules.parse("6D"), group=3),
        memory=memory,
        seed=1,
        questions=1,
        clock=lambda: clock[0],
    )
    right = "1"
    console = Console(source=Terminal([""] * 18 + [right], clock), sink=out, height=24)
    train("countdown", setup, console)
    assert "Enter begins" in out.getvalue()
    assert f"It took {write_seconds(90)}: " in out.getvalue()
    assert memory.load("countdown", "hi-lo 6D").record("countdown 3").best_seconds == 90.0


def test_the_time_ends_it_with_the_answer_that_is_due():
    clock = [0.0]
    out = io.StringIO()
    setup = DrillSetup(
        options=DrillOptions(rules=Rules.parse("6D")),
        memory=in_memory(),
        seed=1,
        minutes=0.2,
        clock=lambda: clock[0],
    )
    train("bet", setup, Console(source=Terminal(["1"] * 9, clock), sink=out))
    assert out.getvalue().count(ASKED) == 3


@pytest.mark.slow
def test_the_full_screen_opens_on_a_terminal_and_leaves_its_summary(tmp_path):
    terminal = open_terminal(["train", "bet"], UPCARD_DATA=str(tmp_path))
    terminal.expect("how many units")
    terminal.send("1\r")
    terminal.expect("is right|, not 1")
    terminal.send("q")
    terminal.expect("In all: 1 answer")
    assert finish(terminal) == 0


@pytest.mark.slow
def test_a_screen_that_cannot_go_on_says_why_afterwards(tmp_path):
    words = ["train", "strategy", "--class", "surrender"]
    terminal = open_terminal(words, UPCARD_DATA=str(tmp_path))
    terminal.expect("ask no such question")
    assert finish(terminal) == 2


@pytest.mark.slow
def test_line_stays_with_lines_on_a_terminal(tmp_path):
    terminal = open_terminal(["train", "bet", "--line"], UPCARD_DATA=str(tmp_path))
    terminal.expect("how many units\\? ")
    terminal.sendline("1")
    terminal.expect("is right|, not 1")
    terminal.sendintr()
    terminal.expect("In all: 1 answer")
    assert finish(terminal) == 0


def test_only_my_mistakes_is_refused_as_long_as_there_are_none():
    answer = talk(["train", "strategy", "--mistakes"], ["h"])
    assert (answer.code, answer.out) == (2, "")
    assert answer.err.count("strategy") == 1


def test_only_my_mistakes_asks_what_was_answered_wrong():
    options = ["train", "strategy", "--seed", "3", "--json"]
    out = read_lines(talk([*options, "--questions", "4"], ["s"] * 4).out)
    wrong = {one["item"] for one in out if one["type"] == "judged" and not one["is_right"]}
    assert wrong
    out = read_lines(talk([*options, "--mistakes", "--questions", "6"], ["s"] * 6).out)
    assert out[0]["only_mistakes"] is True
    assert {one["item"] for one in out if one["type"] == "asked"} <= wrong


def test_with_sound_the_bell_of_the_terminal_rings_where_an_answer_is_wrong():
    out = io.StringIO()
    options = DrillOptions(rules=Rules.parse("6D"), sound=True)
    setup = DrillSetup(options=options, memory=in_memory(), seed=1, questions=2)
    train("bet", setup, Console(source=Source(["99", "99"]), sink=out, height=24))
    assert out.getvalue().count("\a") == 2
