"""Paths of a bank: the simulator's rounds one after another, with bets by the count.

A tally works for every ramp, but not for the order of the rounds, on which ruin depends. So a path
is walked round by round: path `k` of a seed plays the rounds of chunk `k` of a run with that seed,
and after each million those of another chunk. Nothing depends on the workers.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from typing import Final

import numpy as np
from numpy.typing import NDArray

from upcard.core.errors import RulesError
from upcard.kernels import bankroll
from upcard.simulation.bank_plan import BankPlan, Walker, lower_plan
from upcard.simulation.executors import MOST_WORKERS, count_cores
from upcard.simulation.job import KERNEL_CHUNK
from upcard.simulation.kernel_rounds import play_rounds
from upcard.simulation.round_sums import RoundSums
from upcard.simulation.tally import Tally

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]

MOST_KEPT: Final = 10_000
"""Number of paths, from the first, whose marks are recorded."""
_BLOCK: Final = KERNEL_CHUNK
_NEXT_BLOCK: Final = 1 << 32
"""Distance between the chunk numbers of one path: more than there are paths."""
_FIRST_PIECE: Final = 1 << 14
_GROWTH: Final = 4
_BATCH_ROUNDS: Final = 1 << 21
_MOST_BATCH: Final = 256


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class BankPaths:
    """Results of paths, an entry per path; amounts are whole numbers of `chip`."""

    plan: BankPlan
    chip: Fraction
    """Value of a chip; all amounts are multiples of it."""
    ending: Integers
    """PLAYING at the end of time, RUINED or AT_GOAL, as in `kernels.bankroll`."""
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

    Raises: RulesError for an invalid number; UnsupportedRuleError for a rule that the kernel cannot
    honour; EmptyShoeError if a round needs more cards than there are.
    """
    number = count_cores() if workers is None else workers
    if not 1 <= number <= MOST_WORKERS:
        raise RulesError(f"{number} workers: 1 to {MOST_WORKERS}")
    walker = lower_plan(plan)
    table = _PathTable(plan, walker)
    size = max(1, min(_BATCH_ROUNDS // plan.rounds, _MOST_BATCH))
    batches = iter(range(0, plan.paths, size))
    stop = threading.Event()
    with ThreadPoolExecutor(number, thread_name_prefix="upcard") as pool:
        try:
            waiting = {
                pool.submit(table.play, first, size, stop) for first in islice(batches, 2 * number)
            }
            while waiting:
                finished, waiting = wait(waiting, return_when=FIRST_COMPLETED)
                for future in finished:
                    future.result()
                    first = next(batches, None)
                    if first is not None:
                        waiting.add(pool.submit(table.play, first, size, stop))
                if watch is not None:
                    watch(table.finished)
        finally:
            stop.set()
    return table.read()


class _PathTable:
    """Results of all paths, filled batch by batch."""

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
                ending = self._walk(outcomes, begin, state, kept)
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

    def _walk(
        self, outcomes: NDArray[np.int32], begin: int, state: Integers, kept: Integers
    ) -> int:
        walker = self.walker
        return bankroll.walk(
            outcomes,
            begin,
            len(outcomes),
            walker.gains,
            walker.costs,
            walker.lowered.shape[3],
            walker.lowered.game.least_net,
            walker.least_cost,
            walker.goal,
            state,
            walker.marks,
            kept,
        )

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
    net_sum = walker.bets @ (rounds @ values)
    return float(net_sum), float(walker.bets**2 @ (rounds @ values**2))
