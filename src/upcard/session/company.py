"""The company at a table: bots at spots, with their betting."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from upcard.players.betting_systems import BettingSystem, make_betting
from upcard.players.bots import CountingPlayer, Decider
from upcard.session.plan import SeatPlan, TablePlan, read_company
from upcard.simulation.registry import check_player, make_player

if TYPE_CHECKING:
    import random
    from collections.abc import Sequence

    from upcard.core.cards import Card
    from upcard.rules.model import Rules
    from upcard.table.rounds import Table

_MOST_UNITS: Final = 100
"""The most units that a bot bets: a martingale would have no end."""


def check_company(text: str, rules: Rules) -> None:
    """Check that company can sit at a table with these rules; no chart is worked out."""
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
    """Sit the company of a plan down, in the order of dealing."""
    return [
        seat_companion(seat, plan.rules, unit=plan.bet, rng=rng)
        for seat in plan.seats
        if seat is not None
    ]


def seat_companion(
    seat: SeatPlan, rules: Rules, *, unit: Fraction, rng: random.Random | None = None
) -> Companion:
    """Sit a bot down; one that needs a chart works it out, which can take seconds."""
    decider = make_player(seat.player, rules, rng)
    if isinstance(decider, CountingPlayer) and not seat.betting:
        return Companion(
            name=str(seat), decider=decider, betting=decider, unit=unit, bets_units=True
        )
    limit = unit * _MOST_UNITS
    betting = make_betting(seat.betting or "flat", unit=unit, limit=limit, rng=rng)
    return Companion(name=str(seat), decider=decider, betting=betting, unit=unit)
