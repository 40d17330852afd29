"""The real program in a pseudo-terminal: started, played by keys, killed, started again."""

from __future__ import annotations

import fcntl
import os
import re
import select
import shlex
import signal
import struct
import subprocess
import sys
import termios
import time
from contextlib import suppress

import pexpect
import pytest

from campaign.books import check_books
from upcard.store.database import open_store
from upcard.store.history import read_rounds
from upcard.store.sessions import find_open_rounds

_ESCAPES = re.compile(r"\x1b\[[0-9;?<>=]*[a-zA-Z]|\x1b[()][A-Z0-9]|\x1b[=>]")
SIZES = [(24, 80), (45, 140)]


class Screen:
    """The program in a terminal, with what it wrote as plain words."""

    def __init__(self, *arguments, size=(24, 80), **environment):
        self.terminal = pexpect.spawn(
            sys.executable,
            ["-m", "upcard", *arguments],
            env=os.environ | {"TERM": "xterm-256color"} | environment,
            dimensions=size,
            encoding="utf-8",
            timeout=90,
        )
        self.written = ""

    def wait_for(self, *words):
        """Read until one of these has been written since the last key."""
        while not any(one in self.plain for one in words):
            self.written += self.terminal.read_nonblocking(1 << 16, timeout=90)

    @property
    def plain(self):
        return _ESCAPES.sub("", self.written)

    def press(self, keys):
        self.written = ""
        self.terminal.send(keys)

    def end(self):
        """Wait for its end; return the exit code and the last words."""
        self.terminal.expect(pexpect.EOF)
        self.terminal.close()
        return self.terminal.exitstatus, _ESCAPES.sub("", self.written + self.terminal.before)


@pytest.mark.slow
@pytest.mark.parametrize("size", SIZES, ids=["80x24", "140x45"])
def test_a_hand_is_played_by_keys(size):
    screen = Screen("play", "--cards", "TS 9H 8D 7C 9S", "--rules", "6D", size=size)
    screen.wait_for("Enter bets 10")
    screen.press("\r")
    screen.wait_for("against")
    screen.press("s")
    screen.wait_for("You win 10.")
    screen.press("q")
    screen.wait_for("decisions right")
    screen.press("q")
    code, words = screen.end()
    assert code == 0
    assert "Balance 110 after 1 round, net +10." in words
    assert "Traceback" not in words


@pytest.mark.slow
def test_alone_it_opens_the_start_screen_with_the_edge():
    screen = Screen()
    screen.wait_for("choose a table")
    screen.wait_for("House edge  0.40287%")
    screen.press("q")
    assert screen.end()[0] == 0


@pytest.mark.slow
def test_ctrl_c_ends_it_with_the_balance():
    screen = Screen("play")
    screen.wait_for("Enter bets 10")
    screen.press("\x03")
    code, words = screen.end()
    assert code == 0
    assert "Balance 100 after 0 rounds, net 0." in words


@pytest.mark.slow
@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGHUP], ids=["kill", "closed"])
def test_a_hand_survives_its_program(end):
    for _ in range(20):  # a hand may be over before anything is asked
        screen = Screen("play", "--rules", "6D NOINS")
        screen.wait_for("Enter bets")
        screen.press("\r")
        screen.wait_for("stand", "You win", "You lose", "Push")
        os.kill(screen.terminal.pid, end)
        screen.end()
        with open_store() as store:
            left = list(find_open_rounds(store))
        if left:
            break
    assert left, "no hand was left unfinished in twenty starts"
    again = Screen("play", "--rules", "6D NOINS")
    again.wait_for("left unfinished")
    again.press("s")
    again.wait_for("Enter opens")
    again.press("\r")
    again.wait_for("Enter bets")
    again.press("q")
    assert again.end()[0] == 0
    with open_store() as store:
        assert not list(find_open_rounds(store))
        assert list(read_rounds(store))[-1].number == left[0].number
        check_books(store)


@pytest.mark.slow
def test_where_no_glyph_can_be_written_it_is_seven_bits_by_itself():
    screen = Screen("play", "--cards", "TS 9H 8D 7C 9S", PYTHONIOENCODING="latin-1")
    screen.wait_for("Enter bets 10")
    screen.press("\r")
    screen.wait_for("against")
    assert screen.plain.isascii()
    screen.press("s")
    screen.wait_for("You win 10.")
    screen.press("q")
    screen.wait_for("key continues")
    screen.press("q")
    assert screen.end()[0] == 0


@pytest.mark.slow
def test_without_colours_and_in_seven_bits_it_is_all_there():
    screen = Screen("play", "--ascii", "--cards", "TS 9H 8D 7C 9S", NO_COLOR="1")
    screen.wait_for("Enter bets 10")
    screen.press("\r")
    screen.wait_for("against")
    assert screen.plain.isascii()
    assert not re.search(r"\x1b\[[0-9;]*38;2;(?!(\d+);\1;\1)", screen.written)
    screen.press("s")
    screen.wait_for("You win 10.")
    screen.press("q")
    screen.wait_for("key continues")
    screen.press("q")
    assert screen.end()[0] == 0


@pytest.mark.slow
@pytest.mark.parametrize(
    "number", [signal.SIGTERM, pytest.param(signal.SIGHUP, marks=pytest.mark.slow)]
)
def test_a_signal_ends_the_program_and_gives_the_terminal_back(number):
    """S4.6: the terminal stayed on the screen of the program."""
    screen = Screen("play", "--practice")
    screen.wait_for("Enter bets 10")
    screen.terminal.kill(number)
    screen.terminal.expect(pexpect.EOF)
    assert "\x1b[?1049l" in screen.terminal.before
    screen.terminal.close()
    assert screen.terminal.exitstatus == 128 + number


LEADER = """
import os, signal, subprocess, sys
signal.signal(signal.SIGHUP, {})
game = subprocess.Popen([sys.executable, "-m", "upcard", "play"])
print("started", game.pid, flush=True)
print(game.wait(), file=open(sys.argv[1], "w"))
"""
"""Leads the session and outlives its terminal, as `make play` does."""
DIRECT = """
import os, sys
print("started", os.getpid(), flush=True)
os.execv(sys.executable, [sys.executable, "-m", "upcard", "play"])
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    "program",
    [LEADER.format("lambda *_: None"), LEADER.format("signal.SIG_IGN"), DIRECT],
    ids=["untold", "ignored", "told"],
)
def test_the_game_ends_with_its_terminal(program, tmp_path):
    """It continued reading the end of its input, with a whole processor core, for ever."""
    told = tmp_path / "status"
    terminal = pexpect.spawn(
        sys.executable,
        ["-c", program, str(told)],
        env=os.environ | {"TERM": "xterm-256color"},
        dimensions=(24, 80),
        encoding="utf-8",
        timeout=90,
    )
    terminal.expect(r"started (\d+)")
    game = int(terminal.match[1])
    terminal.expect("Enter bets")
    os.close(terminal.child_fd)
    try:
        for _ in range(200):
            if game == terminal.pid:
                if os.waitpid(game, os.WNOHANG)[0]:
                    return
            elif told.exists() and told.read_text():
                assert told.read_text().strip() in ("129", "-1")
                return
            time.sleep(0.1)
        pytest.fail("the game continues without its terminal")
    finally:
        for process in (game, terminal.pid):
            with suppress(ProcessLookupError, ChildProcessError):
                os.kill(process, signal.SIGKILL)


GAMES = {
    "table": (["play", "--practice"], "Enter bets 10"),
    "drills": (["train"], "drills by what mistakes cost"),
    "line": (["play", "--practice", "--line"], "Your bet [10]:"),
    "drill by lines": (["train", "strategy", "--line", "--seed", "1"], "(hit, stand"),
}
BEFORE = {
    "nothing": "{}",
    "sh": "sh -c '{}; true'",
    "bash": "bash -c '{}; true'",
    "make": "make -f play.mk play",
    "python": f"{shlex.quote(sys.executable)} launch.py",
    "a pipe": "{} | cat",
}
"""What the shell starts, and what stands between it and the game, as `make play` does."""
SHELLS = {"sh": ["/bin/sh", "-i"], "bash": ["/bin/bash", "--norc", "--noprofile", "-i"]}


def open_shell(shell):
    screen = Screen.__new__(Screen)
    program, *options = SHELLS[shell]
    screen.terminal = pexpect.spawn(
        program,
        options,
        env=os.environ | {"TERM": "xterm-256color", "PS1": "ready> ", "ENV": ""},
        dimensions=(24, 80),
        encoding="utf-8",
        timeout=90,
    )
    screen.written = ""
    screen.wait_for("ready>")
    return screen


@pytest.mark.slow
@pytest.mark.parametrize(
    ("shell", "before", "game"),
    [
        *(("sh", "nothing", game) for game in GAMES),
        *(("bash", before, "table") for before in BEFORE if before != "a pipe"),
        *(("bash", "sh", game) for game in GAMES if game != "table"),
        ("sh", "make", "table"),
        ("bash", "a pipe", "line"),
    ],
)
def test_ctrl_z_gives_the_prompt_back_and_fg_draws_the_screen_again(
    shell, before, game, tmp_path, monkeypatch
):
    """F26: nothing happened. Later only the game stopped, and what waited for it never did."""
    arguments, prompt = GAMES[game]
    program = [sys.executable, "-m", "upcard", *arguments]
    monkeypatch.chdir(tmp_path)
    (tmp_path / "play.mk").write_text(f"play:\n\t@true && exec {shlex.join(program)}\n")
    (tmp_path / "launch.py").write_text(f"import subprocess\nsubprocess.run({program!r})\n")
    screen = open_shell(shell)
    screen.press(BEFORE[before].format(shlex.join(program)) + "\r")
    screen.wait_for(prompt)
    has_screen = "--line" not in arguments
    for _ in range(2):
        screen.press("\x1a")
        screen.wait_for("ready>")
        assert ("\x1b[?1049l" in screen.written) == has_screen
        assert ("\x1b[?25h" in screen.written) == has_screen
        screen.press("fg\r")
        screen.wait_for(prompt)
        assert ("\x1b[?1049h" in screen.written) == has_screen
    screen.press("q" if has_screen else "q\r")
    screen.wait_for("ready>")
    screen.press("exit\r")
    screen.end()


@pytest.mark.slow
def test_a_hand_is_the_same_one_after_ctrl_z_under_another_program(tmp_path):
    screen = open_shell("bash")
    game = ["-m", "upcard", "play", "--cards", "TS 9H 8D 7C 9S", "--rules", "6D"]
    screen.press(f"sh -c {shlex.quote(shlex.join([sys.executable, *game]) + '; true')}\r")
    screen.wait_for("Enter bets 10")
    screen.press("\r")
    screen.wait_for("S  stand")
    screen.press("\x1a")
    screen.wait_for("ready>")
    screen.press("jobs\r")
    screen.wait_for("Stopped")
    screen.press("bg\r")  # it may not read the terminal there, and stops again
    screen.wait_for("ready>")
    time.sleep(0.5)
    screen.press("fg\r")
    screen.wait_for("S  stand")
    screen.press("s")
    screen.wait_for("You win 10.")
    screen.press("\x03")
    screen.wait_for("ready>")
    screen.press("exit\r")
    screen.end()


@pytest.mark.slow
@pytest.mark.parametrize(
    "program",
    [("-m", "upcard"), ("-c", "import subprocess, sys; subprocess.run(sys.argv[1:])")],
    ids=["alone", "under another"],
)
def test_ctrl_z_where_no_shell_can_continue_it_changes_nothing(program):
    """A terminal of its own, as of `xterm -e` or `ssh -t`: the game stopped for ever."""
    more = () if program[0] == "-m" else (sys.executable, "-m", "upcard")
    screen = OwnTerminal(*program, *more, "play", "--practice")
    screen.wait_for("Enter bets")
    for _ in range(2):
        screen.press(b"\x1a")
        screen.wait_for("Enter bets", seconds=20)
        screen.wait_for("no shell", seconds=20)
    screen.press(b"?")
    screen.wait_for("Esc", seconds=20)
    screen.press(b"\x03")
    assert screen.end()[0] == 0


FAULTY = """
import sys, time
import upcard.tui.table as table
from textual.drivers.linux_driver import LinuxDriver
def fail(*_):
    raise ValueError("seven")
{}
from upcard.cli import main
main()
"""
FAULTS = {
    "app": "table.TableScreen.action_answer = fail",
    "driver": "table.TableScreen.action_answer = LinuxDriver.stop_application_mode = fail",
    "asleep": "table.TableScreen.action_answer = lambda *_: time.sleep(600)",
}


class OwnTerminal:
    """A pseudo-terminal that outlives the program, to look at how it is given back."""

    def __init__(self, *arguments):
        self.written = b""
        self.ours, self.its = os.openpty()
        fcntl.ioctl(self.ours, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        self.before = termios.tcgetattr(self.its)
        self.process = subprocess.Popen(
            [sys.executable, *arguments],
            stdin=self.its,
            stdout=self.its,
            stderr=self.its,
            env=os.environ | {"TERM": "xterm-256color"},
            start_new_session=True,
        )

    def press(self, keys):
        self.written = b""
        os.write(self.ours, keys)

    def wait_for(self, *words, seconds=90):
        """Read until one of these is written, or without words until the program ends."""
        end = time.monotonic() + seconds
        while not any(word in self.plain for word in words):
            has_ended = self.process.poll() is not None
            while select.select([self.ours], [], [], 0.05)[0]:
                self.written += os.read(self.ours, 1 << 16)
            if has_ended:
                assert not words, self.plain
                return
            assert time.monotonic() < end, self.plain

    @property
    def plain(self):
        return _ESCAPES.sub("", self.written.decode(errors="replace"))

    def end(self):
        """Wait for its end; return the exit code and the last words."""
        try:
            self.wait_for(seconds=30)
            assert termios.tcgetattr(self.its) == self.before
            assert b"\x1b[?1049l" in self.written
            assert self.written.rfind(b"\x1b[?25h") > self.written.rfind(b"\x1b[?25l")
            assert "Traceback" not in self.plain
            return self.process.returncode, self.plain
        finally:
            self.process.kill()
            self.process.wait()
            os.close(self.ours)
            os.close(self.its)


def start_a_hand(*program):
    """Play until a hand is asked about."""
    for _ in range(20):  # a hand may be over before anything is asked
        screen = OwnTerminal(*program, "play", "--rules", "6D NOINS")
        screen.wait_for("Enter bets")
        screen.press(b"\r")
        screen.wait_for("S  stand", "You win", "You lose", "Push")
        if "S  stand" in screen.plain:
            return screen
        screen.process.kill()
        screen.process.wait()
    return pytest.fail("no hand was asked about in twenty starts")


@pytest.mark.slow
@pytest.mark.parametrize("fault", FAULTS)
def test_whatever_goes_wrong_the_terminal_is_given_back_and_the_hand_kept(fault):
    screen = start_a_hand("-c", FAULTY.format(FAULTS[fault]))
    screen.press(b"s")
    if fault == "asleep":
        time.sleep(0.5)
        screen.process.send_signal(signal.SIGTERM)
    code, words = screen.end()
    if fault == "asleep":
        assert code == 128 + signal.SIGTERM
    else:
        assert code == 2
        assert "upcard: the full screen failed" in words
        assert "ValueError: seven" in words
    with open_store() as store:
        assert len(list(find_open_rounds(store))) == 1


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_bytes_that_are_no_text_change_nothing_and_a_signal_ends_it_with_the_hand_kept(number):
    """Fault 6: E9 ended the screen, not the process, and the terminal stayed without an echo."""
    screen = start_a_hand("-m", "upcard")
    screen.press(b"\xe9")
    screen.press(b"\xff\xfe\x00\x1b[1114112u\x1b[48;0;0;0;0t\xc3")
    screen.press(b"?")
    screen.wait_for("Esc")
    screen.process.send_signal(number)
    code, _ = screen.end()
    assert code == 128 + number
    with open_store() as store:
        assert len(list(find_open_rounds(store))) == 1


@pytest.mark.slow
def test_a_sigcont_that_nothing_stopped_leaves_the_terminal_as_it_was():
    """Textual took the terminal twice, and gave back what it had set itself."""
    screen = OwnTerminal("-m", "upcard", "play", "--practice")
    screen.wait_for("Enter bets")
    screen.press(b"")
    screen.process.send_signal(signal.SIGCONT)
    screen.wait_for("Enter bets")
    screen.press(b"\x03")
    assert screen.end()[0] == 0
