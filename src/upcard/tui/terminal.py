"""The terminal of the full screen: its bytes, its signals, and how it is given back.

The terminal is the person's. Whatever goes wrong in the app, in Textual or in one of its threads,
the program ends, and the terminal echoes and shows what was on it before.
"""

from __future__ import annotations

import codecs
import os
import select
import signal
import termios
import threading
import time
from asyncio import AbstractEventLoop
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Final

from textual._xterm_parser import BRACKETED_PASTE_END, BRACKETED_PASTE_START, XTermParser
from textual.drivers.linux_driver import LinuxDriver
from textual.events import Resize
from textual.message import Message

from upcard.core.long_work import wakeup_file

if TYPE_CHECKING:
    from upcard.tui.app import UpcardApp

_ENDING: Final = frozenset({signal.SIGINT, signal.SIGTERM, signal.SIGHUP})
_OF_THE_DRIVER: Final = (signal.SIGTSTP, signal.SIGCONT)
"""Textual answers them from the first driver on, and takes the terminal, to the process's end."""
_SIGNAL_STATUS: Final = 128
_FAILED_STATUS: Final = 2
_PATIENCE_SECONDS: Final = 2.0
_PASTE_SECONDS: Final = 1.0
_TICK_SECONDS: Final = 0.1
_MOST_CELLS: Final = 1000
"""Longest side of a screen: a larger one is rubbish that looks like a terminal's report."""
_NO_SHELL: Final = "There is no shell here that could continue the program: Ctrl-Z does nothing."
_GIVE_BACK: Final = b"".join(
    (
        b"\x18",  # ends a sequence that was cut off
        b"\x1b[?2026l\x1b[?2004l\x1b[?2048l\x1b[?7h",
        b"\x1b[?1000l\x1b[?1003l\x1b[?1015l\x1b[?1006l\x1b[?1016l",
        b"\x1b[<u\x1b[0m\x1b[?1049l\x1b[?25h\x1b[?1004l",
    )
)


class TerminalDriver(LinuxDriver):
    """Reads keys whatever bytes come, and can give the terminal back without the app."""

    has_terminal = False
    _is_continued = False

    def _sigtstp_application(self, *_: object) -> None:
        """Give the terminal back, stop, and take it again when a shell continues the program.

        The whole process group stops, as by Ctrl-Z of the terminal itself: a shell that started
        `make play` waits for make. Where no shell could continue the group, the system ignores this
        signal, and the screen is drawn again.
        """
        if not self._auto_restart:  # another program has the terminal
            _stop_the_group()
            return
        self.suspend_application_mode()
        self._must_signal_resume = True
        self._is_continued = False
        _stop_the_group()
        if not self.has_terminal:
            self.resume_application_mode()
        if not self._is_continued:
            self._app.call_later(self._app.notify, _NO_SHELL)

    def _sigcont_application(self, *_: object) -> None:
        """Take the terminal."""
        self._is_continued = True
        super()._sigcont_application()

    def start_application_mode(self) -> None:
        """Take the terminal; from the program itself if SIGCONT comes without Ctrl-Z before."""
        if self.has_terminal:
            self.suspend_application_mode()
        self.has_terminal = True
        super().start_application_mode()  # type: ignore[no-untyped-call]

    def stop_application_mode(self) -> None:
        """Give the terminal back."""
        super().stop_application_mode()
        self.has_terminal = False

    def give_back(self) -> None:
        """Give the terminal back if the app has not; never wait."""
        self.exit_event.set()
        if not self.has_terminal:
            return
        self.has_terminal = False
        with suppress(OSError, termios.error):
            if self.attrs_before is not None:
                termios.tcsetattr(self.fileno, termios.TCSANOW, self.attrs_before)
            if select.select([], [2], [], 0)[1]:  # the standard error, as Textual
                os.write(2, _GIVE_BACK)

    def run_input_thread(self) -> None:
        """Read keys until the screen ends; ignore what is neither text nor a key."""
        decode = codecs.getincrementaldecoder("utf-8")("ignore").decode
        parser, last, heard = XTermParser(), "", time.monotonic()
        while not self.exit_event.is_set():
            text = ""
            if select.select([self.fileno], [], [], _TICK_SECONDS)[0]:
                text = decode(os.read(self.fileno, 4096))
                if not text:
                    self.exit_event.wait(_TICK_SECONDS / 10)  # the terminal may have closed
            if text:
                heard = time.monotonic()
                last = last[last.rfind(BRACKETED_PASTE_START) :] + text
                if BRACKETED_PASTE_END in last:
                    last = last[-len(BRACKETED_PASTE_END) :]
            elif BRACKETED_PASTE_START in last and time.monotonic() - heard > _PASTE_SECONDS:
                text, last = BRACKETED_PASTE_END, ""  # a paste without an end takes no more keys
            for character in text:
                if not self._passes_on(parser.feed(character)):
                    parser = XTermParser()
            if not self._passes_on(parser.tick()):
                parser = XTermParser()

    def _passes_on(self, messages: Iterable[Message]) -> bool:
        """Pass on the messages that a parser finds; False if it cannot read its input."""
        try:
            for message in messages:
                self.process_message(message)
        except Exception:  # noqa: BLE001 (a number that is not a character, a mouse on no screen ...)
            return False
        return True

    def process_message(self, message: Message) -> None:
        """Pass on a message, unless it reports a screen that cannot be."""
        if isinstance(message, Resize) and not all(0 < n <= _MOST_CELLS for n in message.size):
            return
        super().process_message(message)


def _stop_the_group() -> None:
    """Stop this process and the others of its group, until a shell continues them."""
    before = signal.signal(signal.SIGTSTP, signal.SIG_DFL)
    try:
        os.killpg(0, signal.SIGTSTP)
    finally:
        signal.signal(signal.SIGTSTP, before)


class Watch:
    """A thread that ends the program by a signal, a closed terminal or a failure, always.

    The system may give a signal to any thread, and Python answers it in the main one, which may be
    asleep or busy: this thread wakes it, asks the app to end, and ends the process if it does not.
    SIGHUP goes only to the leader of a session, and to the rest when the leader ends: `make play`
    is such a leader, and waits for the game; so the terminal itself is watched too.
    """

    def __init__(self, app: UpcardApp, loop: AbstractEventLoop, woken: int) -> None:
        self._app, self._loop, self._woken = app, loop, woken
        self._asked, self._ask = os.pipe()
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run, name="terminal", daemon=True)
        self._thread.start()

    def fail(self) -> None:
        """Give the app a moment to end after a failure."""
        os.write(self._ask, b"!")

    def close(self) -> None:
        """Stop watching: the app has ended."""
        self._over.set()
        os.write(self._ask, b".")
        self._thread.join()
        os.close(self._ask)
        os.close(self._asked)

    def _run(self) -> None:
        poll = select.poll()
        poll.register(self._woken, select.POLLIN)
        poll.register(self._asked, select.POLLIN)
        if os.isatty(0):
            poll.register(0, 0)  # waits for nothing but the end of the terminal
        while not self._over.is_set():
            for file, _ in poll.poll():
                if file == 0:
                    self._end(_SIGNAL_STATUS + signal.SIGHUP)
                elif file == self._asked:
                    self._end(_FAILED_STATUS)
                else:
                    self._hear(os.read(self._woken, 64))

    def _hear(self, numbers: bytes) -> None:
        """Wake the loop for every signal, and end the app for those that end it."""
        with suppress(RuntimeError):  # the loop has just been closed
            self._loop.call_soon_threadsafe(lambda: None)
            for number in _ENDING.intersection(numbers):
                self._app.ended_by = number
                self._loop.call_soon_threadsafe(self._app.exit)
                self._end(_SIGNAL_STATUS + number)

    def _end(self, status: int) -> None:
        """End the process if the app does not end alone. All that was played is saved."""
        if self._over.wait(_PATIENCE_SECONDS):
            return
        driver = self._app._driver  # noqa: SLF001 (Textual has no public name for it)
        if isinstance(driver, TerminalDriver):
            driver.give_back()
        failure = self._app.tell_failure()
        with suppress(OSError):
            if failure is not None and select.select([], [2], [], 0)[1]:
                os.write(2, f"upcard: {failure}\n".encode(errors="replace"))
        os._exit(status)


@contextmanager
def watched_terminal(app: UpcardApp, loop: AbstractEventLoop) -> Iterator[None]:
    """Let signals end the app, not interrupt it, and give the terminal back in any case.

    A signal that was ignored when the program started stays ignored.
    """
    before = {number: signal.getsignal(number) for number in _ENDING}
    outside = {number: signal.getsignal(number) for number in _OF_THE_DRIVER}
    with wakeup_file() as woken:
        app.guard = watch = Watch(app, loop, woken)
        for number, handler in before.items():
            if handler is not signal.SIG_IGN:
                signal.signal(number, lambda *_: None)  # `watch` hears it
        try:
            yield
        finally:
            for number, handler in outside.items():
                signal.signal(number, handler)
            driver = app._driver  # noqa: SLF001
            if isinstance(driver, TerminalDriver):
                driver.give_back()
            app.guard = None
            watch.close()
            for number, handler in before.items():
                signal.signal(number, handler)
