"""What can go wrong, as one tree of exceptions.

BlackjackError
  NotationError        a text that should name cards, rules or a chart does not
  RulesError           rules that cannot be played: settings that clash, a faulty house file
    UnsupportedRuleError  an engine that cannot honour a rule refuses it
  IllegalActionError   an action the rules do not allow here
  EmptyShoeError       no card is left to deal
  OutOfDecisionsError  a scripted round asked for one more decision than it was given
"""

from __future__ import annotations


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
        super().__init__(f"the {engine} cannot honour {rule}: {reason}")


class IllegalActionError(BlackjackError):
    """An action that is not legal at this point of the round."""


class EmptyShoeError(BlackjackError):
    """A card was needed and none is left."""


class OutOfDecisionsError(BlackjackError):
    """A scripted round needed one more decision than it was given."""
