"""Input and output of line games: prompts, repeated questions, glyphs, colours, end of input."""

from __future__ import annotations

import io
import os
import re
import select
import shutil
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Final, TextIO, TypeVar

from upcard.core.cards import SUIT_GLYPHS, Card, to_ascii, write_face
from upcard.core.long_work import wakeup_file

T = TypeVar("T")

_RED: Final = "\x1b[31m"
_DIM: Final = "\x1b[2m"
_BOLD: Final = "\x1b[1m"
_RESET: Final = "\x1b[0m"
_YES: Final = ("y", "yes")
_NO: Final = ("n", "no")


class SessionOverError(Exception):
    """The input has ended or was interrupted. Not a fault."""


class UndoAskedError(Exception):
    """The player took back the last answer, which is possible. Not a fault."""


class AskAgainError(Exception):
    """An answer that settles nothing; its text is shown before the question is repeated."""


@dataclass(slots=True, kw_only=True)
class Console:
    """A pair of streams and their format.

    `echo` repeats every answer, for input that is not typed visibly; `color` paints suits;
    `ascii_only` keeps the output to 7 bits.
    """

    source: TextIO
    sink: TextIO
    echo: bool = False
    color: bool = False
    ascii_only: bool = False
    in_words: bool = False
    """Whether cards are written as words, `ten of diamonds`, as screen readers need them."""
    height: int | None = None
    """Lines of the terminal; longer text pauses there until Enter. None to never pause."""

    @classmethod
    def of_process(cls, *, ascii_only: bool = False, in_words: bool = False) -> Console:
        """Make the console of this process, with colours only on a terminal that supports them."""
        for stream in (sys.stdin, sys.stdout):
            reconfigure = getattr(stream, "reconfigure", None)
            if reconfigure is not None:
                reconfigure(errors="replace")
        is_terminal = sys.stdout.isatty()
        wants_color = not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
        return cls(
            source=sys.stdin,
            sink=sys.stdout,
            echo=not sys.stdin.isatty(),
            color=is_terminal and wants_color,
            ascii_only=ascii_only or not _can_write_glyphs(sys.stdout),
            in_words=in_words,
            height=shutil.get_terminal_size().lines if is_terminal and sys.stdin.isatty() else None,
        )

    def say(self, *lines: str) -> None:
        """Write lines; an empty one if none is given."""
        for line in lines or ("",):
            self.sink.write(self._plain(line) + "\n")

    def ring(self) -> None:
        """Ring the bell of the terminal."""
        self.sink.write("\a")

    def show(self, text: str) -> None:
        """Write text of many lines, a screenful at a time on a terminal."""
        lines = text.splitlines()
        full = len(lines) if self.height is None else max(self.height - 2, 1)
        while len(lines) > full:
            self.say("\n".join(lines[:full]))
            del lines[:full]
            self.ask(self.dim("Enter for more "))
        self.say("\n".join(lines))

    def ask(self, prompt: str) -> str:
        """Write a prompt and read one line, without the blanks around it."""
        self.sink.write(self._plain(prompt))
        self.sink.flush()
        line = ""
        with suppress(KeyboardInterrupt), self._repeats_after_a_stop(prompt):
            if self._is_terminal:
                _wait_for_input(self.source)
            line = self.source.readline()  # Ctrl-C counts as the end of input
        if not line:
            if prompt and not prompt.endswith("\n"):
                self.say()
            raise SessionOverError
        answer = "".join(filter(str.isprintable, line.replace("\t", " "))).strip()
        if self.echo:
            self.say(answer)
        return answer

    @contextmanager
    def _repeats_after_a_stop(self, prompt: str) -> Iterator[None]:
        """Write the prompt again when the program continues after Ctrl-Z."""
        if not self._is_terminal:
            yield
            return

        def write_again(*_: object) -> None:
            self.sink.write(self._plain(prompt))
            self.sink.flush()

        before = signal.signal(signal.SIGCONT, write_again)
        try:
            yield
        finally:
            signal.signal(signal.SIGCONT, before)

    @property
    def _is_terminal(self) -> bool:
        """Whether this is a terminal whose signals this thread receives (never on Windows)."""
        is_main = threading.current_thread() is threading.main_thread()
        return is_main and self.source.isatty() and hasattr(signal, "SIGCONT")

    def ask_until(self, prompt: str, read: Callable[[str], T]) -> T:
        """Ask until `read` accepts the answer; show the message of each refusal."""
        while True:
            answer = self.ask(prompt)
            try:
                return read(answer)
            except AskAgainError as reply:
                self.show(str(reply))

    def ask_yes_no(self, prompt: str, *, default: bool | None = None) -> bool:
        """Ask a yes or no question; Enter takes the default, if any."""

        def read(answer: str) -> bool:
            word = answer.lower()
            if word in _YES or word in _NO:
                return word in _YES
            if not word and default is not None:
                return default
            raise AskAgainError("Please answer yes or no (y or n).")

        return self.ask_until(prompt, read)

    def card(self, card: Card | None) -> str:
        """Write a card with its suit's glyph: `10♦`, or `10D` in ASCII; `??` face down.

        In words it is `ten of diamonds`, and `face down`.
        """
        if self.in_words:
            return "face down" if card is None else card.in_words
        if card is None:
            return "??"
        face = write_face(card.face)
        return self._paint(card, face + SUIT_GLYPHS.get(card.suit, ""))

    def suit(self, card: Card) -> str:
        """Write a card's suit as a glyph, or a letter in ASCII; nothing if it has none."""
        return self._paint(card, SUIT_GLYPHS.get(card.suit, ""))

    def _paint(self, card: Card, text: str) -> str:
        return self._style(_RED, text) if card.suit in ("D", "H") else text

    def bold(self, text: str) -> str:
        """Write text bold if colours are on."""
        return self._style(_BOLD, text)

    def dim(self, text: str) -> str:
        """Write text faint if colours are on."""
        return self._style(_DIM, text)

    def _style(self, code: str, text: str) -> str:
        return f"{code}{text}{_RESET}" if self.color else text

    def _plain(self, text: str) -> str:
        if self.ascii_only:
            return to_ascii(text)
        encoding = getattr(self.sink, "encoding", None) or "utf-8"
        return text.encode(encoding, "replace").decode(encoding)


def _can_write_glyphs(stream: TextIO) -> bool:
    try:
        "♠╭▒·".encode(stream.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def width(text: str) -> int:
    """Return how many columns text takes, without colour codes."""
    return len(re.sub(r"\x1b\[\d*m", "", text))


def pad(text: str, columns: int) -> str:
    """Pad text with blanks to a width."""
    return text + " " * (columns - width(text))


def _wait_for_input(source: TextIO) -> None:
    """Wait until a terminal has a line to read, or a signal arrives.

    Ctrl-C after Python's last check for signals, or in another thread, does not interrupt
    `readline`, but it does write to the wakeup file.
    """
    try:
        file = source.fileno()
    except io.UnsupportedOperation:
        return  # not a file of the system: nothing to wait for
    with wakeup_file() as woken:
        while file not in select.select([file, woken], [], [])[0]:
            os.read(woken, 64)  # a handler that raised would have ended the wait
