"""A table to sit down at: the rules with a title, hands, bet and company."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Final, NamedTuple, cast

from upcard.core.errors import RulesError
from upcard.core.numbers import count_of
from upcard.core.wager import SideStakes, Wager
from upcard.players.betting_systems import betting_names
from upcard.rules.describe import DEFAULT_NAME
from upcard.rules.house import house_names, load_house
from upcard.rules.model import Rules
from upcard.rules.predicates import say_hands
from upcard.table.bet_limits import BUY_IN, DEFAULT_BET, WHOLE_CHIPS

if TYPE_CHECKING:
    from upcard.store.records import SavedRound


YOU: Final = "you"
DEFAULT_CHIPS: Final = BUY_IN
DEFAULT_TITLE: Final = "Blackjack, the six-deck game"
OWN_NAME: Final = "own rules"


class SeatPlan(NamedTuple):
    """A player for a spot, and a betting system."""

    player: str
    betting: str = ""
    """Empty: the betting of the player, which is flat except for a counter."""

    def __str__(self) -> str:
        """Write it as `read_company` reads it."""
        return f"{self.player} {self.betting}".rstrip()


def read_company(text: str) -> tuple[SeatPlan | None, ...]:
    """Read who sits where, in the order of dealing: `basic; you; mimic martingale`.

    Seats are parted by semicolons: a player as `--player` has it, then a betting system if it is
    not flat. `you` is the person's place (None), the first one unless it is named.
    """
    seats: list[SeatPlan | None] = []
    for part in text.split(";") if text.strip() else ():
        words = part.split()
        if not words:
            raise RulesError(f"company {text!r}: the place between two semicolons is empty")
        if words == [YOU]:
            seats.append(None)
            continue
        has_betting = len(words) > 1 and words[-1].partition(":")[0].lower() in betting_names()
        player = " ".join(words[:-1] if has_betting else words)
        seats.append(SeatPlan(player, words[-1] if has_betting else ""))
    mine = seats.count(None)
    if mine > 1:
        msg = f"company {text!r}: you sit at one place; --hands says how many hands you play"
        raise RulesError(msg)
    return tuple(seats) if mine else (None, *seats)


def choose_table(house: str | None = None, rules: str | None = None) -> tuple[Rules, str]:
    """Return the rules asked for and a title for them; the default game's where nothing was."""
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


FEWEST: Final = cast("int", None)
"""As few hands as the rules allow."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TablePlan:
    """A table to sit down at, as it is chosen by options, in a form or on the start screen."""

    rules: Rules = field(default_factory=Rules)
    title: str = ""
    """Title of the table (default: that of the rules)."""
    hands: int = FEWEST
    """How many hands the person plays each round (default: as few as the rules allow)."""
    bet: Fraction = DEFAULT_BET
    """The bet to begin with, in chips; the unit of the company too."""
    side: SideStakes = ()
    """The side bets to begin with, on each hand."""
    unit: Fraction = WHOLE_CHIPS
    """The smallest bet on a hand; every bet of the person's is a multiple of it."""
    limit: Fraction | None = None
    """The most that a hand may bet; None if there is no limit."""
    company: str = ""
    """Who sits at the other spots, as `read_company` reads it."""
    keeps: bool = True
    """Whether the rounds are saved."""
    count: str = ""
    """The count question, as `--ask-count` writes it; empty if none is asked."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "side", self.wager.side)
        least, most = self.rules.min_spots, self.rules.max_spots
        if self.hands is FEWEST:
            object.__setattr__(self, "hands", least)
        if not self.title:
            object.__setattr__(self, "title", title_of(self.rules))
        spots = self.hands + sum(seat is not None for seat in read_company(self.company))
        if self.hands < least or spots > most:
            name, limit = self.rules.name or "these rules", say_hands(self.rules)
            others = spots - self.hands
            beside = f" beside {others} of the company" if others else ""
            hands = count_of(self.hands, "hand")
            raise RulesError(f"{hands}{beside}: in {name} it is {limit} a round")

    @property
    def wager(self) -> Wager:
        """The bets to begin with, on each hand."""
        return Wager(self.bet, self.side).in_order(bet.code for bet in self.rules.side_bets)

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
    """Return the table that a hand was left at."""
    rules, bets = left.session.rules, left.record.bets[left.player_spots[0]]
    plan = TablePlan(
        rules=rules,
        hands=len(left.player_spots),
        bet=bets.main,
        side=bets.side,
        company=left.session.company,
    )
    if plan.player_spots != left.player_spots or len(plan.seats) != len(left.record.bets):
        msg = f"its company {left.session.company!r} does not fit its {len(left.record.bets)} bets"
        raise RulesError(msg)
    return plan
