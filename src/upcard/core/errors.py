"""What can go wrong, as one tree of exceptions.

BlackjackError
  NotationError        a text that should name cards, rules or a chart does not
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

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Self


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
    """An action that is not legal at this point of the round."""


class EmptyShoeError(BlackjackError):
    """A card was needed and none is left."""


class OutOfDecisionsError(BlackjackError):
    """A scripted round needed one more decision than it was given."""
