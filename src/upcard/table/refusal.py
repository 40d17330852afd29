"""`Refusal`: why an action is not legal now, in parts that each screen can put in words."""

from __future__ import annotations

from dataclasses import dataclass

from upcard.core.actions import Action
from upcard.core.cards import Card
from upcard.core.errors import IllegalActionError
from upcard.table.hand import Hand


@dataclass(frozen=True, slots=True)
class Refusal:
    """An action that is refused, the reason, and the legal ones; its text is one line."""

    action: Action
    reason: str
    legal: tuple[Action, ...] = ()
    hand: Hand | None = None
    """The active hand; None if the reason does not depend on it."""
    upcard: Card | None = None
    """The dealer's upcard, if the house shows it."""

    def __str__(self) -> str:
        """Write it as `cannot split AD 7S (soft 18) v 4S: it is not a pair. Legal: hit, stand`."""
        legal = f". Legal: {', '.join(self.legal)}" if self.legal else ""
        return f"{self.without_legal}{legal}"

    @property
    def without_legal(self) -> str:
        """The text without the legal actions, for screens that show them elsewhere."""
        hand = "" if self.hand is None else f" {self.hand}"
        upcard = "" if self.upcard is None else f" v {self.upcard}"
        return f"cannot {self.action.verb}{hand}{upcard}: {self.reason}"

    def to_error(self) -> IllegalActionError:
        """Return the error for this refusal."""
        return IllegalActionError(
            str(self), action=self.action, reason=self.reason, legal=self.legal
        )
