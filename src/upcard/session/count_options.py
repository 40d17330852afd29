"""`CountOptions`: a count question and a ramp as they were asked for, made into a `CountCheck`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from upcard.core.cards import parse_cards
from upcard.core.errors import BlackjackError, RulesError
from upcard.session.count_question import read_ask_count

if TYPE_CHECKING:
    from fractions import Fraction

    from upcard.session.count_check import CountCheck
    from upcard.session.plan import TablePlan

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
