"""`Refusal`: why an action is not legal now, in parts that every screen words its own way."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from upcard.core.actions import Action
from upcard.core.errors import IllegalActionError

if TYPE_CHECKING:
    from upcard.core.cards import Card
    from upcard.table.hand import Hand


class Refusal(NamedTuple):
    """One action that cannot be taken, why not, and which can; its text is one line."""

    action: Action
    reason: str
    legal: tuple[Action, ...] = ()
    hand: Hand | None = None
    """The active hand; None if the reason does not depend on it."""
    upcard: Card | None = None
    """The dealer's upcard, where the house shows it."""

    def __str__(self) -> str:
        """Write it as `cannot split AD 7S (soft 18) v 4S: it is not a pair. Legal: hit, stand`."""
        legal = f". Legal: {', '.join(self.legal)}" if self.legal else ""
        return f"{self.without_legal}{legal}"

    @property
    def without_legal(self) -> str:
        """The same without the actions that are legal, where they are shown elsewhere."""
        hand = "" if self.hand is None else f" {self.hand}"
        upcard = "" if self.upcard is None else f" v {self.upcard}"
        return f"cannot {self.verb}{hand}{upcard}: {self.reason}"

    @property
    def verb(self) -> str:
        """What cannot be done, as a verb: `split`, `take insurance`, `decline surrender`."""
        if self.action.declines:
            return f"decline {self.action.removeprefix('no ')}"
        is_side_bet = self.action in (Action.INSURANCE, Action.EVEN_MONEY)
        return f"take {self.action}" if is_side_bet else str(self.action)

    def to_error(self) -> IllegalActionError:
        """Return the error that refuses the action, with these parts."""
        return IllegalActionError(
            str(self), action=self.action, reason=self.reason, legal=self.legal
        )
