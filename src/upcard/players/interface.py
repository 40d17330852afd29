"""`Decider`: the one small interface of everything that plays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from upcard.core.errors import UnsupportedRuleError

if TYPE_CHECKING:
    from upcard.core.actions import Action
    from upcard.core.cards import Rank
    from upcard.rules.model import Rules
    from upcard.table.view import TableView


class Decider(Protocol):
    """A person, a bot or a script that answers the table."""

    def decide(self, view: TableView, legal: tuple[Action, ...]) -> Action:
        """Choose one of `legal` for `view.hand`, the active hand."""


def require_upcard(rules: Rules, who: str) -> None:
    """Refuse rules that hide the upcard from a player who decides by it.

    Raises: UnsupportedRuleError.
    """
    if not rules.shows_upcard:
        raise UnsupportedRuleError(who, "shows_upcard=false", "it decides by the dealer's upcard")


def upcard_rank(view: TableView, who: str) -> Rank:
    """Return the rank of the dealer's upcard.

    Raises: UnsupportedRuleError if the house hides it.
    """
    if view.upcard is None:
        raise UnsupportedRuleError(who, "shows_upcard=false", "it decides by the dealer's upcard")
    return view.upcard.rank
