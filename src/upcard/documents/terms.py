"""What a dialogue is given to talk about: terms, chips, the count, what may be asked for."""

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
    """The chips that a dialogue speaks of, None in a house without bets, and the score."""

    @property
    def balance(self) -> Fraction | None:
        """The chips, those on the table included."""

    @property
    def brought(self) -> Fraction:
        """What was brought to the table."""

    @property
    def free(self) -> Fraction | None:
        """The chips without those on the table."""

    @property
    def on_table(self) -> Fraction:
        """The bets of a hand that is left unfinished."""

    @property
    def is_broke(self) -> bool:
        """Whether no chip is left in a house where one needs them."""

    @property
    def rounds(self) -> int:
        """How many rounds were settled."""

    @property
    def wins(self) -> int:
        """How many rounds were won."""

    @property
    def losses(self) -> int:
        """How many rounds were lost."""

    @property
    def ties(self) -> int:
        """How many rounds won and lost nothing."""

    @property
    def net(self) -> Fraction:
        """What all rounds won or lost."""

    @property
    def standing(self) -> str:
        """What is left; in a house without bets, the score."""

    def bring(self, chips: Fraction) -> None:
        """Start a match with this many chips; the score goes on."""

    def summarize(self, unit: str) -> str:
        """Say where the session ended; `unit` is what a round is called."""


class CountQuestion(Protocol):
    """A question for the running count."""

    @property
    def question(self) -> str:
        """What is asked."""

    @property
    def system(self) -> CountSystem:
        """The system whose count is asked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """What the command line has settled; None and empty where it left a question open."""

    rules: Rules
    title: str
    notation: str
    rng: random.Random
    chips: Fraction | None = None
    bet: Fraction | None = None
    """One bet for every round and hand; nobody is asked then."""
    hands: int | None = None
    unit: Fraction = WHOLE_CHIPS
    """The smallest bet on a hand; every bet is a multiple of it."""
    limit: Fraction | None = None
    """The most that may be bet on a hand."""
    bot: str = ""
    """The bot that plays as it was written, empty if a person does."""
    is_practice: bool = False
    """Whether nothing of the person's game is kept."""
    company: tuple[str | None, ...] = ()
    """Who plays each spot, None for the person; empty if nobody else sits there."""

    @property
    def player_spots(self) -> tuple[int, ...]:
        """The person's spots where there is company."""
        return tuple(spot for spot, name in enumerate(self.company) if name is None)


@dataclass(slots=True, kw_only=True)
class SideRequests:
    """What a person may ask for beside an answer; the game fills in what there is."""

    explain: Callable[[], str] = field(default=lambda: "There is no coach at this table.")
    """Why: what the answers to the question at hand are worth."""
    why_no_undo: Callable[[], str] = field(default=lambda: "Nothing can be taken back here.")
    """Empty if the last answer can be taken back."""
    add_seed: Callable[[str], str] = field(default=lambda _: "Nothing is mixed in here.")
    """Mix words into the shuffle; returns what came of it."""
    bring: Callable[[Fraction], object] | None = None
    """Have so many chips from now on, where they are kept."""
    bring_more: Callable[[], object] = field(default=lambda: None)
    """Bring chips to a table at which the smallest bets are not covered."""
