"""Paths of a bank: a plan, and simulated rounds one after another, with bets by the count.

A tally works for every ramp, but not for the order of the rounds, on which ruin depends. So a path
is walked round by round: path `k` of a seed plays the rounds of chunk `k` of a run with that seed,
and after each million those of another chunk. Nothing depends on the workers.

Amounts are whole chips here: a chip is the largest 1/n of the currency that divides all bets, nets,
the bank and the goal.
"""

import math
import threading
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from upcard.core.errors import RulesError
from upcard.kernels.jit import Floats, Integers
from upcard.simulation.executors import MOST_WORKERS, count_cores, run_on_threads
from upcard.simulation.job import KERNEL_CHUNK, Engine, Job
from upcard.simulation.kernel_rounds import RoundSums, play_rounds
from upcard.simulation.kernels import bank_walk as bankroll
from upcard.simulation.lower import Lowered, lower
from upcard.simulation.tally import Tally, check_ramp
from upcard.strategy.ramp import BetRamp

LEAST_PATHS: Final = 2
"""A single path shows neither risk nor error."""
MOST_PATHS: Final = 1_000_000
MOST_ROUNDS: Final = 10**9
MARKS: Final = 250
"""Most moments of a path that are recorded."""
MOST_KEPT: Final = 10_000
"""Number of paths, from the first, whose marks are recorded."""
_BLOCK: Final = KERNEL_CHUNK
_NEXT_BLOCK: Final = 1 << 32
"""Distance between the chunk numbers of one path: more than there are paths."""
_FIRST_PIECE: Final = 1 << 14
_GROWTH: Final = 4
_BATCH_ROUNDS: Final = 1 << 21
_MOST_BATCH: Final = 256
_MOST_CHIPS: Final = 2**62


@dataclass(frozen=True, slots=True, kw_only=True)
class BankPlan:
    """A bank, its bets by count, and when a path of it ends. All amounts are in one currency."""

    job: Job
    ramp: BetRamp | None
    """Bets in units; None for one unit in every round."""
    bankroll: Fraction
    unit: Fraction = Fraction(1)
    goal: Fraction | None = None
    """Amount to win, in addition to the bank."""
    rounds: int = 100_000
    """Most rounds of a path, including those sat out."""
    paths: int = 1000

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
    """Convert a plan to whole chips."""
    job = plan.job
    lowered = lower(job)
    _, seats, counts, nets = lowered.shape
    size = len(lowered.game.depth)
    # The depth of a round does not matter here.
    game = lowered.game._replace(depth=np.zeros(size, np.int64))
    lowered = Lowered(game, (1, seats, counts, nets))
    if plan.ramp is not None and plan.ramp.side:
        raise RulesError(
            f"ramp {plan.ramp}: a bank is walked by main bets only; `upcard ramp` has the risk of"
            " ruin with side bets"
        )
    if plan.ramp is not None:
        check_ramp(RoundSums.zeros(lowered).to_tally(lowered, job), plan.ramp)
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
    marks = min(plan.rounds, MARKS)
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
        marks=np.array([step * plan.rounds // marks for step in range(marks + 1)], np.int64),
        bets=np.array([float(gain) for gain in gains]),
    )


def _write(amount: Fraction) -> str:
    return f"{float(amount):,.10g}"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class BankPaths:
    """Results of paths, an entry per path; amounts are whole numbers of `chip`."""

    plan: BankPlan
    chip: Fraction
    """Value of a chip; all amounts are multiples of it."""
    ending: Integers
    """PLAYING at the end of time, RUINED or AT_GOAL, as in `simulation.kernels.bank_walk`."""
    rounds: Integers
    """Rounds walked, including those sat out."""
    final: Integers
    lowest: Integers
    """Least amount of the bank, its start included."""
    highest: Integers
    marks: Integers
    """Rounds after which the bank was recorded; the first is 0."""
    kept: Integers
    """Bank after the rounds of `marks`, for the first paths; after an end it stays the same."""
    tally: Tally
    """All rounds dealt for the paths, those after an end too: their number depends on no bet."""
    dealt: Integers
    """Rounds of `tally` by path."""
    net_sum: Floats
    """Their nets with the bets of the ramp, in the currency."""
    square_sum: Floats
    """Squares of these nets."""

    @property
    def is_ruined(self) -> NDArray[np.bool_]:
        """Ruined paths."""
        return np.asarray(self.ending == bankroll.RUINED)

    @property
    def is_at_goal(self) -> NDArray[np.bool_]:
        """Paths that reached the goal."""
        return np.asarray(self.ending == bankroll.AT_GOAL)

    def money(self, chips: Integers) -> Floats:
        """Convert whole chips to the currency."""
        return np.asarray(chips / self.chip.denominator)

    def count_ruined(self, rounds: Integers) -> Integers:
        """Count the paths that were ruined within each number of rounds."""
        return np.searchsorted(np.sort(self.rounds[self.is_ruined]), rounds, side="right")


def play_paths(
    plan: BankPlan, *, workers: int | None = None, watch: Callable[[int], None] | None = None
) -> BankPaths:
    """Play every path of a plan on threads (default: all cores).

    `watch` is called with the number of paths finished so far.
    """
    number = count_cores() if workers is None else workers
    if not 1 <= number <= MOST_WORKERS:
        raise RulesError(f"{number} workers: 1 to {MOST_WORKERS}")
    played = _PlayedPaths(plan, lower_plan(plan))
    size = max(1, min(_BATCH_ROUNDS // plan.rounds, _MOST_BATCH))
    stop = threading.Event()

    def report(_: None) -> None:
        if watch is not None:
            watch(played.finished)

    batches = (partial(played.play, first, size, stop) for first in range(0, plan.paths, size))
    try:
        run_on_threads(batches, number, take=report)
    finally:
        stop.set()
    return played.read()


class _PlayedPaths:
    def __init__(self, plan: BankPlan, walker: Walker) -> None:
        self.plan, self.walker = plan, walker
        self.finished = 0
        self._lock = threading.Lock()
        self._paths = np.zeros((plan.paths, bankroll.FIELDS), np.int64)
        self._paths[:, (bankroll.BANK, bankroll.LOWEST, bankroll.HIGHEST)] = walker.bank
        self._ending = np.zeros(plan.paths, np.int64)
        self._dealt = np.zeros(plan.paths, np.int64)
        self._sums = np.zeros((plan.paths, 2))
        self._kept = np.zeros((min(plan.paths, MOST_KEPT), len(walker.marks)), np.int64)
        self._played = RoundSums.zeros(walker.lowered)

    def play(self, first: int, size: int, stop: threading.Event) -> None:
        """Play `size` paths from `first` on, or fewer if there are no more."""
        total = RoundSums.zeros(self.walker.lowered)
        last = min(first + size, self.plan.paths)
        for path in range(first, last):
            if stop.is_set():
                return
            self._play_path(path, total, stop)
        with self._lock:
            self._played.add(total)
            self.finished += last - first

    def _play_path(self, path: int, total: RoundSums, stop: threading.Event) -> None:
        plan, walker, lowered = self.plan, self.walker, self.walker.lowered
        state = self._paths[path]
        kept = self._kept[path] if path < len(self._kept) else np.empty(len(walker.marks), np.int64)
        kept[0] = walker.bank
        state[bankroll.MARK] = 1
        ending, block = bankroll.PLAYING, 0
        while (
            ending == bankroll.PLAYING
            and state[bankroll.ROUNDS] < plan.rounds
            and not stop.is_set()
        ):
            chunk = path + block * _NEXT_BLOCK
            length = min(plan.rounds - block * _BLOCK, _BLOCK)
            piece, begin = min(_FIRST_PIECE, length), 0
            while True:
                if length <= 2 * piece:
                    piece = length
                played, outcomes = RoundSums.zeros(lowered), np.zeros(piece, np.int32)
                play_rounds(plan.job, lowered, chunk, piece, sums=played, outcomes=outcomes)
                ending = bankroll.walk(
                    *(outcomes, begin, len(outcomes), walker.gains, walker.costs),
                    *(lowered.shape[3], lowered.game.least_net, walker.least_cost, walker.goal),
                    *(state, walker.marks, kept),
                )
                if ending != bankroll.PLAYING or piece == length or stop.is_set():
                    break
                # The same rounds again and more: a shoe can only be started at its first card.
                begin, piece = piece, min(piece * _GROWTH, length)
            total.add(played)
            self._dealt[path] += piece
            self._sums[path] += _sum_nets(walker, played.tally)
            block += 1
        kept[state[bankroll.MARK] :] = state[bankroll.BANK]
        self._ending[path] = ending

    def read(self) -> BankPaths:
        """Return the results of all paths."""
        walker, paths = self.walker, self._paths
        return BankPaths(
            plan=self.plan,
            chip=walker.chip,
            ending=self._ending,
            rounds=paths[:, bankroll.ROUNDS],
            final=paths[:, bankroll.BANK],
            lowest=paths[:, bankroll.LOWEST],
            highest=paths[:, bankroll.HIGHEST],
            marks=walker.marks,
            kept=self._kept,
            tally=self._played.to_tally(walker.lowered, self.plan.job),
            dealt=self._dealt,
            net_sum=self._sums[:, 0],
            square_sum=self._sums[:, 1],
        )


def _sum_nets(walker: Walker, tally: Integers) -> tuple[float, float]:
    """Return the sums of the nets and of their squares, with the bets of the plan."""
    _, seats, counts, nets = walker.lowered.shape
    rounds = tally.reshape(seats, counts, nets)[1]
    least = walker.lowered.game.least_net
    values = np.arange(least, least + nets, dtype=np.int64)
    return float(walker.bets @ (rounds @ values)), float(walker.bets**2 @ (rounds @ values**2))
