"""`Player`: document 003's player, who accepts or declines offers; made to be subclassed."""

from __future__ import annotations

import inspect
from difflib import get_close_matches
from typing import Any, Final

from upcard.core.actions import Action
from upcard.core.errors import IllegalActionError
from upcard.core.numbers import write_chips
from upcard.table.state import Hand, TableView

HITS_UP_TO: Final = 16
OFFERS: Final = {
    Action.EVEN_MONEY: "even_money",
    Action.INSURANCE: "insurance",
    Action.SURRENDER: "surrender",
    Action.SPLIT: "split",
    Action.DOUBLE: "double_down",
    Action.HIT: "hit",
}
"""The method that answers each offer, in document 003's order."""
_CLOSE: Final = 0.7
"""Similarity of two names, from 0 to 1, from which one is taken for a misspelling."""


class Player:
    """A player to whom the table makes offers, one after another (document 003).

    By default even money, insurance, surrender, splits and doubles are declined, and a hit is
    accepted on 16 or less, like the dealer. Declining everything stands. During an offer
    `self.table` is the visible part of the table: `self.table.upcard`.

    >>> class Bold(Player):
    ...     def hit(self, hand):
    ...         return hand.total < 19
    """

    name: str = "Player"
    _table: TableView | None = None

    def __init_subclass__(cls, **options: Any) -> None:
        """Refuse a subclass with a misspelled offer, which the table would never make.

        Raises: TypeError naming the method that was probably meant.
        """
        super().__init_subclass__(**options)
        for written, method in vars(cls).items():
            if written.startswith("_") or hasattr(Player, written) or not _takes_a_hand(method):
                continue
            meant = get_close_matches(written, OFFERS.values(), n=1, cutoff=_CLOSE)
            if meant:
                raise TypeError(
                    f"{cls.__name__}.{written}(): did you mean {meant[0]}()? The table calls"
                    f" {', '.join(OFFERS.values())}; begin a method of your own with _"
                )

    def __init__(self, name: str = "") -> None:
        """Give the player a `name` (default: that of the class)."""
        if name:
            self.name = name

    @property
    def table(self) -> TableView:
        """The visible part of the table.

        Raises: IllegalActionError before the player has joined a table.
        """
        if self._table is None:
            msg = f"{self.name} sits at no table yet: it is seen from the first offer on"
            raise IllegalActionError(msg)
        return self._table

    @table.setter
    def table(self, view: TableView) -> None:
        self._table = view

    @property
    def hands(self) -> tuple[Hand, ...]:
        """The player's hands, split halves next to each other; empty between rounds."""
        return self._table.hands if self._table else ()

    def new_game(self) -> None:
        """Forget the last round's table and hands."""
        self._table = None

    def even_money(self, hand: Hand) -> bool:  # noqa: ARG002
        """Whether to be paid 1:1 at once for a natural against an ace."""
        return False

    def insurance(self, hand: Hand) -> bool:  # noqa: ARG002
        """Whether to bet half as much again that the dealer has a natural."""
        return False

    def surrender(self, hand: Hand) -> bool:  # noqa: ARG002
        """Whether to give up half the bet; only some houses offer it."""
        return False

    def split(self, hand: Hand) -> bool:  # noqa: ARG002
        """Whether to make two hands of a pair, with a second bet."""
        return False

    def double_down(self, hand: Hand) -> bool:  # noqa: ARG002
        """Whether to double the bet for exactly one more card."""
        return False

    def hit(self, hand: Hand) -> bool:
        """Whether to take one more card."""
        return hand.total <= HITS_UP_TO

    def decide(self, view: TableView, legal: tuple[Action, ...]) -> Action:
        """Make the legal offers in document 003's order; the first that is accepted counts.

        The order: even money, insurance, surrender, split, double, hit. Declining all of them
        stands, or declines a separate offer.

        Raises: TypeError if a method returns something other than True or False.
        """
        self._table = view
        hand = view.hands[view.active]
        for action, offer in OFFERS.items():
            if action in legal and self._accepts(offer, hand):
                return action
        return next(action for action in legal if action is Action.STAND or action.declines)

    def _accepts(self, offer: str, hand: Hand) -> bool:
        answer = getattr(self, offer)(hand)
        if answer not in (True, False):
            msg = f"{type(self).__name__}.{offer}() returned {answer!r}: return True or False"
            raise TypeError(msg)
        return bool(answer)

    def __str__(self) -> str:
        """Write the name and the hands: `Ann: 8D 5H (13) bet 1 | 8S T (18) bet 1`."""
        return f"{self.name}: {' | '.join(map(write_hand, self.hands)) or 'no hand'}"


def _takes_a_hand(method: object) -> bool:
    """Whether a method takes one argument besides `self`, as offers do."""
    return inspect.isfunction(method) and len(inspect.signature(method).parameters) == 2


def write_hand(hand: Hand) -> str:
    """Write a hand and its bet: `8D 5H (13) bet 1`."""
    return f"{hand if hand.cards else 'empty'} bet {write_chips(hand.bet)}"
