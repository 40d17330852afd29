"""`Player`: document 003's player, who turns offers down or accepts them; made to be subclassed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from upcard.core.actions import Action
from upcard.core.errors import IllegalActionError

if TYPE_CHECKING:
    from collections.abc import Callable
    from fractions import Fraction

    from upcard.table.hand import Hand
    from upcard.table.view import TableView

HITS_UP_TO: Final = 16


class Player:
    """A player to whom the table makes offers, one after another (document 003).

    Unless a subclass says otherwise, even money, insurance, surrender, splits and doubles are
    rejected, and a hit is accepted on 16 or less, as the dealer would. Who rejects everything
    stands. During an offer `self.table` is what the player may see: `self.table.upcard`.

    >>> class Bold(Player):
    ...     def hit(self, hand):
    ...         return hand.total < 19
    """

    name: str = "Player"
    _table: TableView | None = None

    def __init__(self, name: str = "") -> None:
        """Give the player a `name`, if it shall have another than its class."""
        if name:
            self.name = name

    @property
    def table(self) -> TableView:
        """What the player may see of the table now.

        Raises: IllegalActionError before the player sits at one.
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
        """The hands that the player holds, split halves next to each other; none between rounds."""
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

        The order: even money, insurance, surrender, split, double, hit. Declining all of them is
        to stand, or to turn down what was offered on its own.
        """
        self._table = view
        hand = view.hands[view.active]
        offers: tuple[tuple[Action, Callable[[Hand], bool]], ...] = (
            (Action.EVEN_MONEY, self.even_money),
            (Action.INSURANCE, self.insurance),
            (Action.SURRENDER, self.surrender),
            (Action.SPLIT, self.split),
            (Action.DOUBLE, self.double_down),
            (Action.HIT, self.hit),
        )
        for action, accepts in offers:
            if action in legal and accepts(hand):
                return action
        return next(action for action in legal if action is Action.STAND or action.declines)

    def __str__(self) -> str:
        """Write the name and the hands: `Ann: 8D 5H (13) bet 1 | 8S T (18) bet 1`."""
        return f"{self.name}: {' | '.join(map(write_hand, self.hands)) or 'no hand'}"


def write_hand(hand: Hand) -> str:
    """Write a hand and its bet: `8D 5H (13) bet 1`."""
    return f"{hand if hand.cards else 'empty'} bet {write_chips(hand.bet)}"


def write_chips(amount: Fraction) -> str:
    """Write chips as people do: `10`, `2.5`."""
    return str(amount if amount.denominator == 1 else float(amount))
