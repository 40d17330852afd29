"""What can go wrong, as one tree of exceptions.

BlackjackError
  NotationError        a text that should name cards, rules or a chart does not
    UserFileError      a file that a user named, which cannot be read
  RulesError           rules that cannot be played: settings that clash, a faulty house file
    UnsupportedRuleError  an engine that cannot honour a rule refuses it
  IllegalActionError   an action the rules do not allow here
  AnalysisError        a question that a run's numbers cannot answer (analysis)
  RunError             a run that cannot go on as asked (simulate)
  StoreError           a store that cannot be read or written (store)
  EmptyShoeError       no card is left to deal
  OutOfDecisionsError  a scripted round asked for one more decision than it was given
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from typing import Any, Self

    from upcard.core.actions import Action

_LONGEST_QUOTE: Final = 300


def quote(value: object) -> str:
    """Write what was asked as Python does, for an error; the middle of a long text is left out.

    >>> quote("6D"), len(quote("9" * 5000)) < 320
    ("'6D'", True)
    """
    text = repr(value)
    if len(text) <= _LONGEST_QUOTE:
        return text
    half = _LONGEST_QUOTE // 2
    return f"{text[:half]} ... {text[-half:]}"


class BlackjackError(Exception):
    """Root of every error that upcard raises on purpose."""


class RulesError(BlackjackError):
    """Rules that cannot be played; `faults` lists every reason found.

    The message joins the faults, so one attempt shows all of them.
    """

    def __init__(self, *faults: str) -> None:
        """Keep `faults`, one sentence each."""
        self.faults = faults
        super().__init__("; ".join(faults))


class NotationError(RulesError):
    """A text that does not follow the notation for cards, rules, charts or numbers."""


class UserFileError(NotationError):
    """A user's file that cannot be read; `file` names it, `reason` says why."""

    def __init__(
        self, file: object, reason: str, what: str = "file", *, is_read: bool = False
    ) -> None:
        """Say which `file` it is and `what` it should be; `is_read` if only its content is bad."""
        self.file = str(file)
        self.reason = reason
        self.what = what
        self.is_read = is_read
        shown = quote(self.file)
        super().__init__(
            f"{self.file}: {reason}" if is_read else f"cannot read the {what} {shown}: {reason}"
        )

    def __reduce__(self) -> tuple[Any, ...]:
        """Travel between processes by what it was made of, not by its message."""
        return partial(type(self), is_read=self.is_read), (self.file, self.reason, self.what)


class UnsupportedRuleError(RulesError):
    """A rule that this engine cannot honour; `rule` names it."""

    def __init__(self, engine: str, rule: str, reason: str) -> None:
        """Say which `engine` refuses which `rule`, and why."""
        self.engine = engine
        self.rule = rule
        self.reason = reason
        super().__init__(f"the {engine} cannot honour {rule}: {reason}")

    def __reduce__(self) -> tuple[type[Self], tuple[str, str, str]]:
        """Travel between processes by what it was made of, not by its message."""
        return type(self), (self.engine, self.rule, self.reason)


class IllegalActionError(BlackjackError):
    """An action that is not legal at this point of the round.

    `action` is what was asked for, `reason` why it is refused, `legal` what is possible; None and
    empty where the error is about something else.
    """

    def __init__(
        self,
        message: str,
        *,
        action: Action | None = None,
        reason: str = "",
        legal: tuple[Action, ...] = (),
    ) -> None:
        """Keep the parts of a refusal beside its message."""
        super().__init__(message)
        self.action = action
        self.reason = reason
        self.legal = legal


class EmptyShoeError(BlackjackError):
    """A card was needed and none is left."""


class OutOfDecisionsError(BlackjackError):
    """A scripted round needed one more decision than it was given."""
