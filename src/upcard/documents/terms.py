"""Inputs of a dialogue: terms, chips, the count, and side requests."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from upcard.table.bet_limits import WHOLE_CHIPS

if TYPE_CHECKING:
    import random
    from collections.abc import Callable
    from fractions import Fraction

    from upcard.rules.model import Rules
    from upcard.strategy.counting import CountSystem


class BankAccount(Protocol):
    """Chips for a dialogue, None in a house without bets, and the score."""

    @property
    def balance(self) -> Fraction | None:
        """Chips, including those on the table."""

    @property
    def brought(self) -> Fraction:
        """Chips brought to the table."""

    @property
    def free(self) -> Fraction | None:
        """Chips, without those on the table."""

    @property
    def on_table(self) -> Fraction:
        """Bets of an unfinished hand."""

    @property
    def is_broke(self) -> bool:
        """Whether no chips are left in a house with bets."""

    @property
    def rounds(self) -> int:
        """Number of rounds settled."""

    @property
    def wins(self) -> int:
        """Number of rounds won."""

    @property
    def losses(self) -> int:
        """Number of rounds lost."""

    @property
    def ties(self) -> int:
        """Number of rounds with a net of 0."""

    @property
    def net(self) -> Fraction:
        """Net of all rounds."""

    @property
    def standing(self) -> str:
        """Chips left; in a house without bets, the score."""

    def bring(self, chips: Fraction) -> None:
        """Start a match with this number of chips; the score continues."""

    def summarize(self, unit: str) -> str:
        """Describe how the session ended; `unit` is the word for a round."""


class CountQuestion(Protocol):
    """A question for the running count."""

    @property
    def question(self) -> str:
        """Text of the question."""

    @property
    def system(self) -> CountSystem:
        """Counting system of the question."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """Settings from the command line; None or empty if left open."""

    rules: Rules
    title: str
    notation: str
    rng: random.Random
    chips: Fraction | None = None
    bet: Fraction | None = None
    """Fixed bet for every round and hand; if None, the player is asked."""
    hands: int | None = None
    unit: Fraction = WHOLE_CHIPS
    """Smallest bet on a hand; every bet is a multiple of it."""
    limit: Fraction | None = None
    """Largest bet on a hand."""
    bot: str = ""
    """The bot as written on the command line; empty if a person plays."""
    is_practice: bool = False
    """Whether the game is practice and is not saved."""
    company: tuple[str | None, ...] = ()
    """Player of each spot, None for the person; empty if the person is alone."""

    @property
    def player_spots(self) -> tuple[int, ...]:
        """The person's spots at a table with company."""
        return tuple(spot for spot, name in enumerate(self.company) if name is None)


@dataclass(slots=True, kw_only=True)
class SideRequests:
    """Requests besides an answer; the game fills in those that it supports."""

    explain: Callable[[], str] = field(default=lambda: "There is no coach at this table.")
    """Values of the answers to the current question."""
    why_no_undo: Callable[[], str] = field(default=lambda: "Nothing can be taken back here.")
    """Reason why the last answer cannot be taken back; empty if it can."""
    add_seed: Callable[[str], str] = field(default=lambda _: "Nothing is mixed in here.")
    """Mix words into the shuffle; returns the result as text."""
    bring: Callable[[Fraction], object] | None = None
    """Continue with this number of chips, if chips are saved."""
    bring_more: Callable[[], object] = field(default=lambda: None)
    """Bring chips when the smallest bets are not covered."""
