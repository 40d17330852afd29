"""Chips on both sides of a session: what is left, what is at stake, what was won and lost."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from fractions import Fraction

from upcard.core.actions import Action
from upcard.core.numbers import format_chips, signed
from upcard.players.play_rounds import extra_bet, free_chips
from upcard.table.legal import Refusal
from upcard.table.state import TableView


@dataclass(slots=True, kw_only=True)
class Bank:
    """The player's chips, None in a house without bets, and the score of the session.

    Chips of practice are those that were brought plus the nets. A profile's chips are shared with
    its other tables: `look` reads them, while the score stays that of this session.
    """

    balance: Fraction | None
    read_chips: Callable[[], Fraction] | None = field(default=None, compare=False, repr=False)
    """Reads the chips of a profile: those free to bet and those on this table. None in practice."""
    brought: Fraction = field(default=Fraction(0), init=False)
    net: Fraction = field(default=Fraction(0), init=False)
    rounds: int = field(default=0, init=False)
    wins: int = field(default=0, init=False)
    losses: int = field(default=0, init=False)
    ties: int = field(default=0, init=False)
    on_table: Fraction = field(default=Fraction(0), init=False)
    """The bets of a hand that is left unfinished. They are part of `balance` and not free."""

    def __post_init__(self) -> None:
        self.brought = self.balance or Fraction(0)

    @property
    def is_broke(self) -> bool:
        """Whether no chip is left in a house where one needs them."""
        return self.balance is not None and self.balance <= 0

    def look(self) -> None:
        """Read the chips again: another terminal may have won or lost some of the same profile."""
        if self.balance is not None and self.read_chips is not None:
            self.balance = self.read_chips()

    def bring(self, chips: Fraction) -> None:
        """Start again with this many chips, as for a new match; the score goes on."""
        self.balance = chips
        self.brought = chips

    def add(self, chips: Fraction) -> None:
        """Add chips that were brought to the table; the score goes on."""
        self.balance = (self.balance or Fraction(0)) + chips
        self.brought += chips
        self.look()

    def settle(self, net: Fraction) -> None:
        """Book what a round won or lost, in chips."""
        self._book(net, 1)
        self.look()

    def undo(self, net: Fraction) -> None:
        """Take a round back that was booked with this net."""
        self._book(net, -1)

    def _book(self, net: Fraction, times: int) -> None:
        if self.balance is not None:
            self.balance += net * times
        self.net += net * times
        self.rounds += times
        self.wins += times * (net > 0)
        self.losses += times * (net < 0)
        self.ties += times * (not net)

    @property
    def free(self) -> Fraction | None:
        """The chips without those on the table; None in a house without bets."""
        return None if self.balance is None else self.balance - self.on_table

    @property
    def standing(self) -> str:
        """Say what is left; in a house without bets, the score."""
        if self.free is None:
            return f"Won {self.wins}, lost {self.losses}, tied {self.ties}"
        table = f", and {format_chips(self.on_table)} on the table" if self.on_table else ""
        return f"Balance {format_chips(self.free)}{table}"

    def summarize(self, unit: str) -> str:
        """Say where the session ended; `unit` is what a round is called."""
        self.look()
        rounds = f"{self.rounds} {unit}{'' if self.rounds == 1 else 's'}"
        net = "" if self.balance is None else f", net {signed(self.net)}"
        comma = "," if self.on_table else ""
        return f"{self.standing}{comma} after {rounds}{net}."

    def can_bet(self, bet: Fraction, hands: int = 1) -> bool:
        """Whether the chips cover a bet on each of `hands` hands."""
        return self.balance is None or bet * hands <= self.balance

    def refuse_uncovered(
        self,
        view: TableView,
        action: Action,
        legal: tuple[Action, ...],
        spots: Collection[int] | None = None,
    ) -> Refusal:
        """Refuse an action that the chips do not cover; `legal` are those that they do.

        `spots` are the player's, all if None.
        """
        left = free_chips(view, self.balance or Fraction(0), spots)
        needed = format_chips(Fraction(extra_bet(action, view.hand)))
        reason = f"it takes {needed} more chips and you have {format_chips(left)} left"
        return Refusal(action, reason, legal)
