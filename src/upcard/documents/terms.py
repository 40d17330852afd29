"""Inputs of a dialogue: the terms, and side requests."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction

from upcard.rules.model import Rules
from upcard.table.bet_limits import WHOLE_CHIPS


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
