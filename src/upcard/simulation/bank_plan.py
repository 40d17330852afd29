"""`BankPlan`: a bank, its bets by count and its end; `Walker`: the same in whole chips.

A chip is the largest 1/n of the currency that divides all bets, nets, the bank and the goal.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from upcard.core.errors import RulesError
from upcard.simulation.estimates import check_ramp
from upcard.simulation.job import Engine, Job
from upcard.simulation.lower import Lowered, lower
from upcard.simulation.round_sums import RoundSums
from upcard.strategy.ramp import BetRamp

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]

LEAST_PATHS: Final = 2
"""A single path shows neither risk nor error."""
MOST_PATHS: Final = 1_000_000
MOST_ROUNDS: Final = 10**9
MARKS: Final = 250
"""Most moments of a path that are recorded."""
_MOST_CHIPS: Final = 2**62


@dataclass(frozen=True, slots=True, kw_only=True)
class BankPlan:
    """A bank, its bets by count, and when a path of it ends. All amounts are in one currency.

    Raises: RulesError listing the invalid settings.
    """

    job: Job
    ramp: BetRamp | None
    """Bets in units; None for one unit in every round."""
    bankroll: Fraction
    unit: Fraction = Fraction(1)
    """The value of a unit."""
    goal: Fraction | None = None
    """Amount to win, in addition to the bank."""
    rounds: int
    """Most rounds of a path, including those sat out."""
    paths: int

    def __post_init__(self) -> None:
        faults = [
            f"a {name} of {_write(amount)}: an amount over 0"
            for name in ("bankroll", "unit", "goal")
            if (amount := getattr(self, name)) is not None and amount <= 0
        ]
        faults += [
            f"{number} {name}: {least} to {most:,}"
            for name, number, least, most in (
                ("paths", self.paths, LEAST_PATHS, MOST_PATHS),
                ("rounds of a path", self.rounds, 1, MOST_ROUNDS),
            )
            if not least <= number <= most
        ]
        if self.job.engine is not Engine.KERNEL:
            faults.append(
                "paths of a bank are played by the kernel, and this job is one for the table"
                " engine: sessions play at the table"
            )
        if self.ramp is not None and self.job.system is None:
            faults.append("a ramp needs a count to bet by, such as count hi-lo")
        if faults:
            raise RulesError(*faults)

    def bet(self, count: int) -> Fraction:
        """Return the money bet on each spot at a count."""
        return self.unit if self.ramp is None else self.unit * self.ramp.bet(count)


class Walker(NamedTuple):
    """A plan in whole chips, for the kernels."""

    lowered: Lowered
    chip: Fraction
    gains: Integers
    costs: Integers
    least_cost: int
    bank: int
    goal: int
    marks: Integers
    bets: Floats
    """Currency won per net of 1, by count."""


def lower_plan(plan: BankPlan) -> Walker:
    """Convert a plan to whole chips.

    Raises: RulesError if the bank covers no bet, the amounts are too fine, or the ramp
    distinguishes counts that the kernel does not.
    """
    job = plan.job
    lowered = lower(job)
    _, seats, counts, nets = lowered.shape
    size = len(lowered.game.depth)
    # The depth of a round does not matter here.
    game = lowered.game._replace(depth=np.zeros(size, np.int64))
    lowered = Lowered(game, (1, seats, counts, nets))
    if plan.ramp is not None:
        empty = RoundSums.zeros(lowered)
        check_ramp(empty.to_tally(lowered, job), plan.ramp)
    bets = [plan.bet(game.least_count + place) for place in range(counts)]
    least = job.spots * min(bet for bet in bets if bet)
    if plan.bankroll < least:
        raise RulesError(
            f"a bank of {_write(plan.bankroll)} does not cover the least bet, {_write(least)} on"
            f" {job.spots} spot{'s' if job.spots > 1 else ''}"
        )
    gains = [bet / game.unit for bet in bets]
    amounts = [*gains, plan.bankroll, *(() if plan.goal is None else (plan.goal,))]
    chip = Fraction(1, math.lcm(*(amount.denominator for amount in amounts)))
    whole = [int(gain / chip) for gain in gains]
    bank, most = int(plan.bankroll / chip), max(whole) * -game.least_net * plan.rounds
    goal = _MOST_CHIPS if plan.goal is None else bank + int(plan.goal / chip)
    if bank + most >= _MOST_CHIPS or (plan.goal is not None and goal >= _MOST_CHIPS):
        raise RulesError(
            "these amounts cannot be counted in whole chips: name a bank, a unit and a ramp in"
            " fewer digits, or fewer rounds"
        )
    costs = [gain * game.unit * job.spots for gain in whole]
    # Rounds that are sat out by the count come first in the table, and cost nothing.
    idle = [0] * counts
    return Walker(
        lowered=lowered,
        chip=chip,
        gains=np.array(idle + whole, np.int64),
        costs=np.array(idle + costs, np.int64),
        least_cost=min(cost for cost in costs if cost),
        bank=bank,
        goal=goal,
        marks=_choose_marks(plan.rounds),
        bets=np.array([float(gain) for gain in gains]),
    )


def _choose_marks(rounds: int) -> Integers:
    number = min(rounds, MARKS)
    return np.array([step * rounds // number for step in range(number + 1)], np.int64)


def _write(amount: Fraction) -> str:
    return f"{float(amount):,.10g}"
