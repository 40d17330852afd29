"""`Refusal`: why an action is not legal now, in parts that each screen can put in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from upcard.core.actions import Action
from upcard.core.errors import IllegalActionError

if TYPE_CHECKING:
    from upcard.core.cards import Card
    from upcard.table.hand import Hand


class Refusal(NamedTuple):
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
        return f"cannot {self.verb}{hand}{upcard}: {self.reason}"

    @property
    def verb(self) -> str:
        """The refused action as a verb: `split`, `take insurance`, `decline surrender`."""
        if self.action.declines:
            return f"decline {self.action.removeprefix('no ')}"
        is_side_bet = self.action in (Action.INSURANCE, Action.EVEN_MONEY)
        return f"take {self.action}" if is_side_bet else str(self.action)

    def to_error(self) -> IllegalActionError:
        """Return the error for this refusal."""
        return IllegalActionError(
            str(self), action=self.action, reason=self.reason, legal=self.legal
        )
