"""A table to sit down at: the rules with a title, hands, bet and company."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from upcard.core.errors import RulesError
from upcard.rules.house import house_names, load_house
from upcard.rules.model import Rules
from upcard.session.company import read_company
from upcard.table.bet_limits import BUY_IN, DEFAULT_BET, WHOLE_CHIPS

if TYPE_CHECKING:
    from fractions import Fraction

    from upcard.session.company import SeatPlan
    from upcard.store.records import SavedRound

DEFAULT_CHIPS: Final = BUY_IN
DEFAULT_TITLE: Final = "Blackjack, the six-deck game"
DEFAULT_NAME: Final = "six decks"
"""The name of the default game, where a house has a name."""
OWN_NAME: Final = "own rules"


def choose_table(house: str | None = None, rules: str | None = None) -> tuple[Rules, str]:
    """Return the rules asked for and a title for them; the default game's where nothing was.

    Raises: RulesError if both are given, or for what is no house; NotationError for no rules.
    """
    if house is not None and rules is not None:
        msg = "give --house or --rules, not both; --rules may begin with a house: 'european LS'"
        raise RulesError(msg)
    if house is not None:
        found = load_house(house)
        return found.rules, f"{found.title} ({found.name})"
    chosen = Rules() if rules is None else Rules.parse(rules)
    return chosen, title_of(chosen)


def title_of(rules: Rules) -> str:
    """Return what a table with these rules is called."""
    if rules == Rules():
        return DEFAULT_TITLE
    if rules.name not in house_names():
        return "Blackjack by rules of your own"
    found = load_house(rules.name)
    changed = "" if found.rules == rules else ", changed"
    return f"{found.title} ({found.name}{changed})"


def name_of(rules: Rules) -> str:
    """Return the short name of a table with these rules: its house's, or `six decks`."""
    return DEFAULT_NAME if rules == Rules() else rules.name or OWN_NAME


@dataclass(frozen=True, slots=True, kw_only=True)
class TablePlan:
    """How to sit down at a table.

    Raises: RulesError if the house does not take that many hands, with those of the company.
    """

    rules: Rules
    title: str
    hands: int = 1
    """How many hands the person plays each round."""
    bet: Fraction = DEFAULT_BET
    """The bet to begin with, in chips; the unit of the company too."""
    unit: Fraction = WHOLE_CHIPS
    """The smallest bet on a hand; every bet of the person's is a multiple of it."""
    limit: Fraction | None = None
    """The most that a hand may bet; None if there is no limit."""
    company: str = ""
    """Who sits at the other spots, as `read_company` reads it."""

    def __post_init__(self) -> None:
        spots = self.hands + sum(seat is not None for seat in read_company(self.company))
        most = self.rules.max_spots
        if not self.hands >= 1 or spots > most:
            name = self.rules.name or "these rules"
            limit = "1 hand" if most == 1 else f"1 to {most} hands"
            others = spots - self.hands
            beside = f" beside {others} of the company" if others else ""
            hands = "1 hand" if self.hands == 1 else f"{self.hands} hands"
            msg = f"{hands}{beside}: in {name} it is {limit} a round"
            raise RulesError(msg)

    @property
    def seats(self) -> tuple[SeatPlan | None, ...]:
        """Who plays each spot, in the order of dealing; None for the person's own."""
        found: list[SeatPlan | None] = []
        for seat in read_company(self.company):
            found.extend([seat] if seat is not None else [None] * self.hands)
        return tuple(found)

    @property
    def player_spots(self) -> tuple[int, ...]:
        """The spots that the person plays."""
        return tuple(spot for spot, seat in enumerate(self.seats) if seat is None)


def plan_of(left: SavedRound) -> TablePlan:
    """Return the table that a hand was left at.

    Raises: RulesError if its company cannot be read any more.
    """
    rules = left.session.rules
    plan = TablePlan(
        rules=rules,
        title=title_of(rules),
        hands=len(left.player_spots),
        bet=left.bets[left.player_spots[0]],
        company=left.session.company,
    )
    if plan.player_spots != left.player_spots or len(plan.seats) != len(left.bets):
        msg = f"its company {left.session.company!r} does not fit its {len(left.bets)} bets"
        raise RulesError(msg)
    return plan
