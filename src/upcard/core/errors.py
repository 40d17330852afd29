"""The errors of upcard, as one tree of exceptions.

BlackjackError
  NotationError        a text that should name cards, rules or a chart does not
    UserFileError      a file that a user named, which cannot be read
  RulesError           rules that cannot be played: settings that clash, a faulty house file
    UnsupportedRuleError  an engine that cannot honour a rule refuses it
  IllegalActionError   an action the rules do not allow here
  AnalysisError        a question that a run's numbers cannot answer (analysis)
  RunError             a run that cannot continue as asked (simulate)
  StoreError           a store that cannot be read or written (store)
  ScreenError          the full screen failed by a fault of its own (tui)
  EmptyShoeError       no card is left to deal
  TooMuchWorkError     an exact value that would take too long or too much memory
  OutOfDecisionsError  a scripted round asked for one more decision than it was given
  MissingExtraError    packages that are not installed, with the way to install them
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Final, Self

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from upcard.core.actions import Action

_LONGEST_QUOTE: Final = 300


def quote(value: object) -> str:
    """Return the `repr` of a value for an error message, the middle of a long one left out.

    >>> quote("6D"), len(quote("9" * 5000)) < 320
    ("'6D'", True)
    """
    text = repr(value)
    if len(text) <= _LONGEST_QUOTE:
        return text
    half = _LONGEST_QUOTE // 2
    return f"{text[:half]} ... {text[-half:]}"


LONGEST_MESSAGE: Final = 2000
"""Most characters of an error's message: it may quote what a person wrote, however long that is."""
MOST_LINES: Final = 20
"""Most lines of a message, and most faults that it lists."""
_LONGEST_FAULT: Final = 400


def shorten(text: str, most: int = LONGEST_MESSAGE) -> str:
    """Return a text of at most `most` characters and `MOST_LINES` lines, the middle left out.

    >>> shorten("as it was"), len(shorten("9" * 5000))
    ('as it was', 2000)
    """
    lines = text.splitlines()
    if len(lines) > MOST_LINES:
        half = (MOST_LINES - 1) // 2
        left = len(lines) - 2 * half
        text = "\n".join((*lines[:half], f"... ({left:,} lines more)", *lines[-half:]))
    if len(text) <= most:
        return text
    gap = " ... "
    first = 2 * (most - len(gap)) // 3
    return f"{text[:first]}{gap}{text[first + len(gap) - most :]}"


def join_faults(faults: Sequence[str]) -> str:
    """Join faults to one message; of many or long ones it has the first, and their number."""
    whole = "; ".join(faults)
    if len(faults) <= MOST_LINES and len(whole) <= LONGEST_MESSAGE:
        return whole
    if len(faults) == 1:
        return shorten(whole)
    shown: list[str] = []
    room = LONGEST_MESSAGE - len("; and 1,000,000,000 more")
    for fault in faults[:MOST_LINES]:
        short = shorten(fault, _LONGEST_FAULT)
        room -= len(short) + len("; ")
        if room < 0:
            break
        shown.append(short)
    more = len(faults) - len(shown)
    return "; ".join((*shown, *[f"and {more:,} more"] * bool(more)))


def write_faults(
    where: str, faults: Iterable[tuple[str, ...]], locate: Callable[..., str]
) -> Iterator[str]:
    """Yield the faults of a text, each after its line, which `locate` finds by what precedes it.

    Only those that a message shows are located: each takes a search through the whole text.
    """
    for number, (*place, fault) in enumerate(faults):
        yield f"{where}{locate(*place) if number < MOST_LINES else ''}: {fault}"


class BlackjackError(Exception):
    """Root of every error that upcard raises on purpose; its message has a bounded length."""

    def __str__(self) -> str:
        """Return the message, the middle of a long one left out."""
        return shorten(super().__str__())


class RulesError(BlackjackError):
    """Rules that cannot be played; `faults` lists all the reasons.

    The message joins the faults, so that one attempt shows them all, or the first of many.
    """

    def __init__(self, *faults: str) -> None:
        self.faults = faults
        super().__init__(join_faults(faults))


class NotationError(RulesError):
    """A text that does not follow the notation for cards, rules, charts or numbers."""


class UserFileError(NotationError):
    """A user's file that cannot be read; `file` names it, `reason` says why."""

    def __init__(
        self, file: object, reason: str, what: str = "file", *, is_read: bool = False
    ) -> None:
        """Name the `file` and `what` it should be; `is_read` if only its content is faulty."""
        self.file = str(file)
        self.reason = reason
        self.what = what
        self.is_read = is_read
        shown = quote(self.file)
        super().__init__(
            f"{self.file}: {reason}" if is_read else f"cannot read the {what} {shown}: {reason}"
        )

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the arguments of the error, not its message."""
        return partial(type(self), is_read=self.is_read), (self.file, self.reason, self.what)


class UnsupportedRuleError(RulesError):
    """A rule that an engine does not support; `rule` names it."""

    def __init__(self, engine: str, rule: str, reason: str) -> None:
        self.engine = engine
        self.rule = rule
        self.reason = reason
        super().__init__(f"the {engine} cannot honour {rule}: {reason}")

    def __reduce__(self) -> tuple[type[Self], tuple[str, str, str]]:
        return type(self), (self.engine, self.rule, self.reason)


class IllegalActionError(BlackjackError):
    """An action that is not legal at this point of the round.

    `action` is the refused action, `reason` why it is refused, `legal` the possible actions; None
    and empty where the error is about something else.
    """

    def __init__(
        self,
        message: str,
        *,
        action: Action | None = None,
        reason: str = "",
        legal: tuple[Action, ...] = (),
    ) -> None:
        super().__init__(message)
        self.action = action
        self.reason = reason
        self.legal = legal


class AnalysisError(BlackjackError):
    """A question that a run cannot answer, or contradictory settings."""


class NoExactValueError(BlackjackError):
    """No exact value is known for any answer to a question; the coach does not guess."""


class EmptyShoeError(BlackjackError):
    """A card was needed and none is left."""


class TooMuchWorkError(BlackjackError):
    """An exact value that would take too long, or too much memory, on this machine."""


class OutOfDecisionsError(BlackjackError):
    """A scripted round needed one more decision than it was given."""


def as_sentence(text: str) -> str:
    """Write a reason as a sentence: a capital letter, and a full stop unless it ends with one."""
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "?", "!")) else ".")


class MissingExtraError(BlackjackError):
    """A function needs packages that are not installed; the message says how to install them."""
