"""A table to sit down at: the rules with a title, hands, bet and company."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Final, NamedTuple

from upcard.core.cards import Card
from upcard.core.errors import RulesError
from upcard.players.betting import BettingSystem, betting_names, make_betting
from upcard.players.counting import CountingPlayer
from upcard.players.interface import Decider
from upcard.rules.house import house_names, load_house
from upcard.rules.model import Rules
from upcard.simulation.registry import check_player, make_player
from upcard.store.records import SavedRound
from upcard.table.bet_limits import BUY_IN, DEFAULT_BET, WHOLE_CHIPS
from upcard.table.table import Table

YOU: Final = "you"
_MOST_UNITS: Final = 100
"""The most units that a bot bets: a martingale would have no end."""


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

    Raises: RulesError for an empty place, or two of yours. Players and betting
    systems are not checked before they are made.
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
        raise RulesError(
            f"company {text!r}: you sit at one place; --hands says how many hands you play"
        )
    return tuple(seats) if mine else (None, *seats)


def check_company(text: str, rules: Rules) -> None:
    """Check that company can sit at a table with these rules; no chart is worked out.

    Raises: RulesError, NotationError or UnsupportedRuleError with the reason.
    """
    for seat in filter(None, read_company(text)):
        check_player(seat.player, rules)
        make_betting(seat.betting or "flat")


@dataclass(slots=True, kw_only=True)
class Companion:
    """A bot at a spot; its chips are not limited, only what it won is shown."""

    name: str
    decider: Decider
    betting: BettingSystem
    unit: Fraction
    bets_units: bool = False
    """Whether the betting is in units, as a counter's ramp is, not in chips."""
    net: Fraction = field(default=Fraction(0), init=False)

    def next_bet(self) -> Fraction:
        """Return the next bet, in chips; one that would be 0 is a unit, as it keeps its spot."""
        bet = self.betting.next_bet()
        if self.bets_units:
            bet *= self.unit
        return bet or self.unit

    def record(self, net: Fraction) -> None:
        """Take in what its spot won or lost, in chips."""
        self.net += net
        self.betting.record(net)

    def finish_round(self, dealer: Sequence[Card]) -> None:
        """See all the dealer's cards of a round that was played before it sat down."""
        if isinstance(self.decider, CountingPlayer):
            self.decider.finish_round(dealer)

    def watch(self, table: Table) -> None:
        """Look at what happens at the table, if that matters to it."""
        if isinstance(self.decider, CountingPlayer):
            self.decider.watch(table)


def seat_all(plan: TablePlan, rng: random.Random | None) -> list[Companion]:
    """Sit the company of a plan down, in the order of dealing. Raises: as `seat_companion` does."""
    return [
        seat_companion(seat, plan.rules, unit=plan.bet, rng=rng)
        for seat in plan.seats
        if seat is not None
    ]


def seat_companion(
    seat: SeatPlan, rules: Rules, *, unit: Fraction, rng: random.Random | None = None
) -> Companion:
    """Sit a bot down; one that needs a chart works it out, which can take seconds.

    Raises: RulesError for what is no player or no betting system; UnsupportedRuleError.
    """
    decider = make_player(seat.player, rules, rng)
    if isinstance(decider, CountingPlayer) and not seat.betting:
        return Companion(
            name=str(seat), decider=decider, betting=decider, unit=unit, bets_units=True
        )
    limit = unit * _MOST_UNITS
    betting = make_betting(seat.betting or "flat", unit=unit, limit=limit, rng=rng)
    return Companion(name=str(seat), decider=decider, betting=betting, unit=unit)


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
        raise RulesError(
            "give --house or --rules, not both; --rules may begin with a house: 'european LS'"
        )
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
            raise RulesError(f"{hands}{beside}: in {name} it is {limit} a round")

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
        raise RulesError(
            f"its company {left.session.company!r} does not fit its {len(left.bets)} bets"
        )
    return plan
