"""The count question and the ramp that a person asks for, made into a `CountCheck`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from upcard.core.cards import parse_cards
from upcard.core.errors import BlackjackError, RulesError, quote
from upcard.core.numbers import whole_number
from upcard.core.user_files import is_user_file
from upcard.players.shoe_tracker import count_decks
from upcard.rules.settings import Shuffle

if TYPE_CHECKING:
    from fractions import Fraction

    from upcard.rules.model import Rules
    from upcard.session.count_check import CountCheck
    from upcard.session.plan import TablePlan


DEFAULT_EVERY: Final = 3
"""After how many rounds the count is asked for by default."""
MOST_EVERY: Final = 99


def countable_decks(rules: Rules) -> int:
    """Return the number of decks that a person can count. Raises: as `CountCheck`."""
    decks = count_decks(rules)
    if rules.shuffle is Shuffle.EVERY_ROUND:
        raise RulesError("the cards are shuffled before every round, so there is nothing to count")
    return decks


def read_ask_count(text: str) -> tuple[str, int]:
    """Read `SYSTEM` or `SYSTEM:N`: the name or file of a system, and after how many rounds to ask.

    Raises: RulesError for an N that is not 1 to 99.
    """
    name, colon, rounds = text.rpartition(":")
    if not colon or is_user_file(text):
        return text, DEFAULT_EVERY
    every = whole_number(rounds)
    if every is None or not 1 <= every <= MOST_EVERY:
        raise RulesError(
            f"{quote(text)}: write a number of rounds, 1 to {MOST_EVERY}, after the colon"
        )
    return name, every


_DEFAULT_SYSTEM: Final = "hi-lo"


@dataclass(frozen=True, slots=True, kw_only=True)
class CountOptions:
    """The questions and remarks about the count that you asked for; None for those you did not."""

    ask: str | None = None
    """`SYSTEM` or `SYSTEM:N`."""
    ramp: str | None = None
    """The ramp that bets are compared with."""
    unit: Fraction | None = None
    """Smallest bet as it was asked for, in chips: then it is the unit of the ramp."""

    def make(self, plan: TablePlan, *, cards: str | None = None) -> CountCheck | None:
        """Return what asks for the count and checks the bets; None if neither is wanted.

        `cards` are those that will be dealt, if they are listed.

        Raises: RulesError naming the option, for what cannot be read, asked or counted.
        """
        if self.ask is None and self.ramp is None:
            return None
        from upcard.session.count_check import CountCheck
        from upcard.strategy.count_system import load_system
        from upcard.strategy.ramp import parse_ramp

        listed = () if cards is None else parse_cards(cards)
        option = "check-bets" if self.ask is None else "ask-count"
        try:
            name, every = _DEFAULT_SYSTEM, None
            if self.ask is not None:
                name, every = read_ask_count(self.ask)
            system = load_system(name)
            check = CountCheck(plan.rules, system, every=every)
            for card in listed:
                system.tag(card)  # some systems count only cards with suits
            option = "check-bets"
            if self.ramp is not None:
                check.ramp = parse_ramp(self.ramp, system, decks=plan.rules.decks or 1)
                check.unit = plan.bet if self.unit is None else plan.unit
        except BlackjackError as error:
            raise RulesError(f"--{option}: {error}") from None
        return check
