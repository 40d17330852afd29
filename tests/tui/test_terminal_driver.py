"""The terminal of the full screen: signals wake and end the program, no byte does."""

import asyncio
import contextlib
import os
import signal
import threading
import time
from types import SimpleNamespace

import pytest
from screen_driver import drive, plan_for, press
from textual.app import App
from textual.events import Key, Resize

from upcard.store.files import StoreError
from upcard.tui.app import ScreenOptions, UpcardApp

terminal = pytest.importorskip("upcard.tui.terminal", reason="no terminal of POSIX")

PATIENCE_SECONDS = 20
ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def an_app(**parts):
    return SimpleNamespace(
        exit=parts.pop("exit", lambda: None), ended_by=None, _driver=None, **parts
    )


async def is_woken():
    """Sleep as a program without events does; whether a signal to another thread ended that."""
    loop = asyncio.get_running_loop()
    answered, over = threading.Event(), asyncio.Event()
    found = []

    def signal_itself():
        time.sleep(0.1)  # by now the loop sleeps
        signal.pthread_kill(threading.get_ident(), signal.SIGCONT)
        found.append(answered.wait(PATIENCE_SECONDS))
        loop.call_soon_threadsafe(over.set)

    before = signal.signal(signal.SIGCONT, lambda *_: answered.set())
    thread = threading.Thread(target=signal_itself)
    thread.start()
    try:
        await over.wait()
    finally:
        signal.signal(signal.SIGCONT, before)
        thread.join()
    return found[0]


async def is_woken_by_the_program():
    with terminal.watched_terminal(an_app(), asyncio.get_running_loop()):
        return await is_woken()


def test_a_signal_that_another_thread_gets_is_answered():
    """After Ctrl-Z and `fg` the screen stayed empty, one time in ten on a busy machine."""
    assert asyncio.run(is_woken_by_the_program())


def test_afterwards_signals_wake_nothing_and_their_handlers_are_those_of_before():
    before = [signal.getsignal(number) for number in ENDING]
    asyncio.run(is_woken_by_the_program())
    assert signal.set_wakeup_fd(-1) == -1
    assert [signal.getsignal(number) for number in ENDING] == before


def test_afterwards_the_terminal_is_not_taken_again():
    """A program that was continued while it ended failed, or left the terminal without an echo."""

    async def run_screen():
        with terminal.watched_terminal(an_app(), asyncio.get_running_loop()):
            for number in numbers:  # as Textual's driver does
                signal.signal(number, lambda number, _: taken.append(number))

    numbers, taken = (signal.SIGTSTP, signal.SIGCONT), []
    before = [signal.getsignal(number) for number in numbers]
    asyncio.run(run_screen())
    signal.raise_signal(signal.SIGCONT)
    assert [signal.getsignal(number) for number in numbers] == before
    assert taken == []


@pytest.mark.parametrize("number", ENDING)
def test_a_signal_asks_the_app_to_end_and_interrupts_nothing(number):
    """A KeyboardInterrupt in the middle of a task of Textual was printed, and once lost."""

    async def ends():
        over = asyncio.Event()
        app = an_app(exit=over.set)
        with terminal.watched_terminal(app, asyncio.get_running_loop()):
            signal.raise_signal(number)
            await asyncio.wait_for(over.wait(), PATIENCE_SECONDS)
        return app.ended_by

    assert asyncio.run(ends()) == number


def keys_of(*strokes):
    """Return the keys that the driver hears when these bytes are typed, one after another."""
    heard = []

    class Hears(terminal.TerminalDriver):
        def send_message(self, message):
            heard.append(message)

    async def make():
        return Hears(App())

    handlers = {number: signal.getsignal(number) for number in (signal.SIGTSTP, signal.SIGCONT)}
    driver = asyncio.run(make())
    for number, handler in handlers.items():
        signal.signal(number, handler)
    driver.fileno, typing = os.pipe()
    thread = threading.Thread(target=driver.run_input_thread)
    thread.start()
    try:
        for stroke in (*strokes, b"."):
            os.write(typing, stroke)
            time.sleep(0.02)  # read apart, as they are typed
        end = time.monotonic() + PATIENCE_SECONDS
        while not any(isinstance(one, Key) and one.character == "." for one in heard):
            assert thread.is_alive(), "the keys are heard no more"
            assert time.monotonic() < end, heard
            time.sleep(0.01)
    finally:
        driver.exit_event.set()
        thread.join()
        os.close(typing)
        os.close(driver.fileno)
    assert not any(isinstance(one, Resize) for one in heard)
    return [one.key for one in heard[:-1] if isinstance(one, Key)]


@pytest.mark.parametrize(
    ("strokes", "keys"),
    [
        ((b"\xe9", b"s"), ["s"]),
        ((b"\xff\xfeh", b"s"), ["h", "s"]),
        ((b"\xc3", b"s"), ["s"]),
        ((b"\xc3", b"\xa9"), ["é"]),
        ((b"h\xe2\x99s",), ["h", "s"]),
        ((b"\x1b[1114112us",), ["s"]),
        ((b"\x1b[48;0;0;0;0ts",), ["s"]),
        ((b"\x1b[48;9999;9999;1;1ts",), ["s"]),
        ((b"\x1b[<0;5;5Ms",), ["s"]),
        pytest.param((b"\x1b[200~h", b"\x1b[201~s"), ["s"], id="a paste is not a key, and ends"),
    ],
)
def test_what_is_no_text_and_no_key_is_ignored(strokes, keys):
    """Fault 6: one such byte ended the thread that reads keys, and the terminal was dead."""
    assert keys_of(*strokes) == keys


@pytest.mark.parametrize("is_continued", [True, False], ids=["by a shell", "by nothing"])
def test_ctrl_z_stops_all_of_the_process_group_and_takes_the_terminal_again(
    is_continued, monkeypatch
):
    """Only the game stopped: the shell that waited for `make play` had no prompt."""
    done, words = [], []
    handlers = {number: signal.getsignal(number) for number in (signal.SIGTSTP, signal.SIGCONT)}

    class Takes(terminal.TerminalDriver):
        def start_application_mode(self):
            self.has_terminal = True
            done.append("take")

        def stop_application_mode(self):
            self.has_terminal = False
            done.append("give back")

    def stop(group, number):
        done.append((group, number, signal.getsignal(number)))
        if is_continued:
            signal.raise_signal(signal.SIGCONT)

    async def press_ctrl_z():
        app = App()
        monkeypatch.setattr(app, "call_later", lambda _, text: words.append(text))
        driver = Takes(app)
        driver.has_terminal = True
        signal.raise_signal(signal.SIGTSTP)
        assert signal.getsignal(signal.SIGTSTP) == driver._sigtstp_application

    monkeypatch.setattr(terminal.os, "killpg", stop)
    monkeypatch.setattr(terminal.os, "kill", lambda *_: None)  # never stop the tests
    try:
        asyncio.run(press_ctrl_z())
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
    assert done == ["give back", (0, signal.SIGTSTP, signal.SIG_DFL), "take"]
    assert bool(words) != is_continued


def test_a_paste_that_never_ends_takes_the_keys_for_a_moment_only(monkeypatch):
    monkeypatch.setattr(terminal, "_PASTE_SECONDS", 0)
    monkeypatch.setattr(terminal, "_TICK_SECONDS", 0.001)
    assert keys_of(b"\x1b[200~", b"s") == ["s"]


def fail_on_screen(error):
    """Return the app after `error` was raised where a key is answered."""
    kept = []

    async def play(pilot, app):
        kept.append(app)

        def fail():
            raise error

        app.action_turn_theme = fail
        app.screen.action_answer = lambda _: fail()
        await press(pilot, "enter", "s")

    opening = ScreenOptions(plan=plan_for("6D"), keep="practice", cards="TS 9H 8D 7C 9S")
    with contextlib.suppress(type(error)):
        drive(play, opening)
    return kept[0]


def test_a_fault_of_the_screen_is_a_sentence_that_names_its_place():
    words = str(fail_on_screen(ValueError("seven")).tell_failure())
    assert words.startswith("the full screen failed")
    assert "ValueError: seven." in words
    assert "Nothing saved is lost" in words


def test_an_error_that_explains_itself_stays_as_it_is():
    error = StoreError("the disk is full")
    assert fail_on_screen(error).tell_failure() is error


def test_without_a_fault_there_is_nothing_to_say():
    assert UpcardApp(ScreenOptions(), None).tell_failure() is None
