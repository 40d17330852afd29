"""Every entry of the full screen's palette, run by keys while a hand is in progress.

The program runs in a forked process on a pseudo-terminal. Through a pipe it says what it shows:
its screen, the answers that are open, the entries of the palette, and each round that is settled.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import pty
import select
import signal
import struct
import sys
import termios
import time
from typing import TYPE_CHECKING, Any, Final, NoReturn

from campaign.bystanders import die_with_parent
from campaign.case import FindingError
from campaign.games import write_table
from campaign.visit_scene import take_turn
from upcard.answers.questions import QUESTIONS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from campaign.visit_scene import Scene

_ENTRIES: Final = 8
_PATIENCE: Final = 60.0
_LONGEST_ANSWER: Final = 15.0
"""Seconds that a question is waited for; then its page is left."""
_MOST_CHOICES: Final = 8
_TABLE: Final = "TableScreen"
_PALETTE: Final = "CommandPalette"
_LOOK_SECONDS: Final = 0.02
_QUIT: Final = "Quit"
_CONTROL_P: Final = b"\x10"
_ESCAPE: Final = b"\x1b"


def visit_screen(scene: Scene, turn: int) -> None:
    """Run entries of the palette in turn while a hand is in progress, then kill the program.

    Raises: FindingError.
    """
    screen = _Program(scene)
    try:
        screen.deal()
        entries = screen.list_entries()
        for title in take_turn(entries, turn, _ENTRIES):
            screen.deal()
            if screen.run_entry(title):
                scene.case.count("entries of the palette in mid-hand")
            if not screen.is_alive:  # the last program to close the store removes its log
                scene.forget_log()
            scene.look(f"the palette's {title!r}")
            screen.go_back()
            if scene.case.rng.random() < 0.7:
                screen.play()
        screen.deal()
        screen.play()
    finally:
        screen.kill()
    scene.check()


class _Program:
    """The program on its terminal; started again where an entry has left it."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.words = ["play", *write_table(scene.rules, scene.case.rng)]
        self._process = 0
        self._start()

    def _start(self) -> None:
        self.state: dict[str, Any] = {}
        self.ran: list[str] = []
        self.answered = 0
        self.written, self._said = b"", b""
        self._reading, saying = os.pipe()
        self._process, self._terminal = pty.fork()
        if self._process == 0:
            os.close(self._reading)
            _run_program(self.words, self.scene, saying)
        os.close(saying)
        fcntl.ioctl(self._terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
        self.scene.forget_log()
        if not self._wait(lambda: self.state.get("screen") == _TABLE, "the table"):
            msg = f"upcard {' '.join(self.words)} ended at its start: {self.written[-800:]!r}"
            raise FindingError(msg)

    @property
    def is_alive(self) -> bool:
        """Whether the program has not ended."""
        return self._process != 0

    def kill(self) -> None:
        """Kill the program, and hear what it said until then."""
        if not self._process:
            return
        with contextlib.suppress(ProcessLookupError):
            os.kill(self._process, signal.SIGKILL)
        self._end()

    def _end(self) -> None:
        while self._hear(0.05):
            pass
        _, status = os.waitpid(self._process, 0)
        self._process = 0
        os.close(self._terminal)
        os.close(self._reading)
        if not os.WIFSIGNALED(status) and os.waitstatus_to_exitcode(status):
            msg = f"upcard {' '.join(self.words)} ended by itself: {self.written[-600:]!r}"
            self.scene.faults.append(msg)

    def _hear(self, seconds: float) -> bool:
        """Take what the program writes and says; False if it does neither any more."""
        ready = select.select([self._terminal, self._reading], [], [], seconds)[0]
        is_open = bool(ready)
        if self._terminal in ready:
            try:
                self.written = (self.written + os.read(self._terminal, 1 << 16))[-4000:]
            except OSError:  # the terminal's other end is closed
                is_open = self._reading in ready
        if self._reading in ready:
            data = os.read(self._reading, 1 << 16)
            is_open = bool(data)
            *lines, self._said = (self._said + data).split(b"\n")
            for line in lines:
                self._take(json.loads(line))
        return is_open

    def _take(self, told: dict[str, Any]) -> None:
        if "settled" in told:
            self.scene.settled[told["settled"]] = told["net"]
        self.ran += [told["ran"]] if "ran" in told else []
        self.answered += "answered" in told
        if "screen" in told:
            self.state = told

    def _wait(self, condition: Callable[[], bool], what: str, seconds: float = _PATIENCE) -> bool:
        """Wait for something; a finding if it does not come within a minute."""
        until = time.monotonic() + seconds
        while not condition():
            if not self._process:
                return False
            is_open = self._hear(0.05)
            if not is_open and os.waitid(
                os.P_PID, self._process, os.WEXITED | os.WNOHANG | os.WNOWAIT
            ):
                self._end()
                return False
            if time.monotonic() > until:
                if seconds < _PATIENCE:
                    return False
                shown = f"{self.state}: {self.written[-800:]!r}"
                msg = f"upcard {' '.join(self.words)}: {what} does not come\n{shown}\n not there"
                raise FindingError(msg)
        return True

    def _send(self, keys: bytes) -> None:
        if self.is_alive:
            os.write(self._terminal, keys)

    def _press(self, keys: bytes, seconds: float = 2.0) -> None:
        """Press a key, and wait until what is shown has changed."""
        before = self.state
        self._send(keys)
        self._wait(lambda: self.state is not before, "a change", seconds)

    def deal(self) -> None:
        """Bet until a hand asks something."""
        for _ in range(100):
            if not self.is_alive:
                self._start()
            if self.state["screen"] != _TABLE:
                self.go_back()
            elif self.state["keys"]:
                return
            else:
                self._press(b"\r")
        msg = f"no hand asks anything in 100 rounds: {self.state}"
        raise FindingError(msg)

    def play(self) -> None:
        """Play the hand to its end at random."""
        while self.is_alive and self.state["screen"] == _TABLE and self.state["keys"]:
            self._press(self.scene.case.rng.choice(self.state["keys"]).encode())

    def list_entries(self) -> list[str]:
        """Open the palette, and return its entries, the questions first."""
        self._press(_CONTROL_P)
        self._wait(lambda: bool(self.state.get("entries")), "the list of the palette")
        entries: list[str] = self.state["entries"]
        self.go_back()
        titles = {question.title for question in QUESTIONS.values()}
        return sorted(dict.fromkeys(entries), key=lambda title: title not in titles)

    def run_entry(self, title: str) -> bool:
        """Run an entry by its name; False if it is not offered now."""
        self._press(_CONTROL_P)
        if not self._wait(lambda: self.state["screen"] == _PALETTE, "the palette", 10.0):
            return False
        self._send(title.encode())
        self._wait(lambda: self.state.get("typed") == title, "the name", 10.0)
        for _ in range(12):  # down to it, where names that are alike come first
            if self._wait(lambda: self.state.get("hit") == title, "the entry", 2.0):
                break
            self._send(b"\x1b[B")
        else:
            return False
        count, answered = len(self.ran), self.answered
        self._send(b"\r")
        self._wait(lambda: len(self.ran) > count, "the entry to run", 10.0)
        has_run = len(self.ran) > count
        self._wait(lambda: self.state["screen"] not in (_PALETTE, _TABLE), "what it shows", 1.0)
        for _ in range(_MOST_CHOICES):  # the first text of each
            if self.state["screen"] != "ChoicePage":
                break
            self._press(b"\r")
        if self.state["screen"] == "QuestionPage":
            self._wait(lambda: self.answered > answered, "an answer", _LONGEST_ANSWER)
        if title == _QUIT and has_run:
            self._wait(lambda: not self.is_alive, "the end")
        return has_run

    def go_back(self) -> None:
        """Close what an entry has opened; start the program again where the table was left."""
        for _ in range(8):
            if not self.is_alive or self.state["screen"] == _TABLE:
                break
            if self.state["screen"] == "StartScreen":
                break
            self._press(_ESCAPE, 1.0)
        if self.is_alive and self.state["screen"] != _TABLE:
            self.kill()
        if not self.is_alive:
            self.scene.case.count("programs started again")
            self._start()


def _run_program(words: list[str], scene: Scene, saying: int) -> NoReturn:
    """Run the full screen in this forked process, and say what it shows."""
    status = 1
    try:
        die_with_parent()
        for number in (signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        os.environ |= {"UPCARD_DATA": str(scene.path.parent), "TERM": "xterm-256color"}
        _report(lambda **told: os.write(saying, f"{json.dumps(told)}\n".encode()))
        # A worker has closed the standard input that it was given.
        for place, (name, mode) in enumerate((("stdin", "r"), ("stdout", "w"), ("stderr", "w"))):
            stream = os.fdopen(place, mode, encoding="utf-8", closefd=False)
            setattr(sys, name, stream)
            setattr(sys, f"__{name}__", stream)
        from upcard.cli.app import run

        status = run(words)
    except BaseException:
        import traceback

        os.write(2, traceback.format_exc().encode())
    finally:
        os._exit(status)


def _report(say: Callable[..., object]) -> None:
    """Have the program say what it shows, and what it settles."""
    from upcard.answers.questions import NamedQuestion
    from upcard.session.game_session import GameSession
    from upcard.tui.app import UpcardApp

    entries: list[str] = []

    def listed(app: Any, screen: Any) -> Iterator[Any]:
        entries.clear()
        for command in commands(app, screen):
            entries.append(command.title)
            yield command._replace(callback=_tell_run(command, say))

    def mounted(app: Any) -> None:
        mount(app)
        last: dict[str, Any] = {}

        def look() -> None:
            found = _look(app, entries)
            if found != last:
                last.clear()
                last.update(found)
                say(**found)

        app.set_interval(_LOOK_SECONDS, look)

    def booked(session: GameSession) -> None:
        book(session)
        if session.kept is not None:
            say(settled=session.kept.last_round, net=str(session.net))

    def asked(question: NamedQuestion, *args: Any, **values: Any) -> Any:
        try:
            return ask(question, *args, **values)
        finally:
            say(answered=question.name)

    commands, mount = UpcardApp.get_system_commands, UpcardApp.on_mount
    book, ask = vars(GameSession)["_book"], NamedQuestion.ask
    for owner, name, instead in (
        (UpcardApp, "get_system_commands", listed),
        (UpcardApp, "on_mount", mounted),
        (GameSession, "_book", booked),
        (NamedQuestion, "ask", asked),
    ):
        setattr(owner, name, instead)


def _tell_run(command: Any, say: Callable[..., object]) -> Callable[[], object]:
    def run() -> object:
        say(ran=command.title)
        return command.callback()

    return run


def _look(app: Any, entries: Iterable[str]) -> dict[str, Any]:
    """Return what the program shows."""
    from textual.command import CommandList
    from textual.widgets import Input

    from upcard.session.table_view import KEYS

    screen, session = app.screen, app.seat and app.seat.session
    found: dict[str, Any] = {"screen": type(screen).__name__, "keys": [], "rounds": 0}
    if session is not None:
        found["keys"] = [KEYS[action] for action in session.options]
        found["rounds"] = session.bank.rounds
        found["acts"] = len(session.events)
    if found["screen"] == _PALETTE:
        found["entries"] = list(entries)
        for line in screen.query(Input):  # none while the palette is being put up
            found["typed"] = line.value
        for options in screen.query(CommandList):
            at = options.highlighted
            if at is not None and at < options.option_count:
                hit = options.get_option_at_index(at).hit
                text = getattr(hit, "match_display", None) or hit.display
                found["hit"] = getattr(text, "plain", str(text))
    return found
