"""Chunks on a CUDA device: what fits it, its memory, and the passes that fill a chunk."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from typing import Any, Final, NamedTuple

import numpy as np

from upcard.core.errors import UnsupportedRuleError
from upcard.rules.engines import find_refusals
from upcard.rules.settings import EngineName
from upcard.simulation.job import Engine, Job, RunError
from upcard.simulation.kernel_rounds import RoundSums, refuse_ending
from upcard.simulation.kernels.game import ROUNDS_A_FRESH_SHOE, LoweredGame
from upcard.simulation.kernels.lockstep import automaton as steps
from upcard.simulation.lower import Lowered, lower
from upcard.simulation.tally import Tally

_SHARED_BYTES: Final = 48 * 1024
"""Shared memory that a block may have on every device."""
_BLOCK_SIZES: Final = (128, 96, 64, 32)
_MOST_CARDS_A_HAND: Final = 22
_MOST_HARD_TOTAL: Final = 31
"""Of a hand that took one card at 21, aces as 1."""
_MEMORY_BYTES: Final = 2**28
_MOST_CHUNKS: Final = 256
_NO_FAILURE: Final = 2**62


class DevicePlan(NamedTuple):
    """The memory of a job on a device."""

    lowered: Lowered
    automaton: steps.Automaton
    threads: int
    """Of a block; each plays its own shoes."""
    places: int
    """Bytes of shared memory for the cards of a shoe."""
    has_sums: bool
    """Whether a block adds up in shared memory."""
    most_rounds: int
    """No shoe has more rounds."""

    @property
    def shared_bytes(self) -> int:
        """Bytes of shared memory of a block."""
        sums = 4 * self.rows * len(self.automaton.net_of) if self.has_sums else 0
        return sums + self.threads * self.places

    @property
    def rows(self) -> int:
        """Depths, seats and counts of the tally."""
        depths, seats, counts, _ = self.lowered.shape
        return depths * seats * counts

    @property
    def cells(self) -> int:
        """Numbers of the tally."""
        return self.rows * self.lowered.shape[3]

    @property
    def chunks(self) -> int:
        """Chunks that are played at a time."""
        return max(1, min(_MOST_CHUNKS, _MEMORY_BYTES // (8 * (self.cells + self.rows))))


@lru_cache(maxsize=8)
def plan_device(job: Job) -> DevicePlan:
    """Plan the memory of a job on a CUDA device."""
    if job.player is not None:
        raise _refuse(f"player {job.player}", "players are Python code, and it plays a chart")
    for rule, reason in find_refusals(job.rules, EngineName.CUDA):
        raise _refuse(rule, reason)
    if job.engine is Engine.TABLE:
        raise _refuse("engine table", "the table is Python code")
    if job.without_luck:
        raise _refuse("without luck", "its loop leaves the luck of the cards in")
    if job.spots > 1:
        raise _refuse(f"{job.spots} spots", "its rounds have one")
    lowered = lower(job)
    game = lowered.game
    try:
        automaton = steps.build_automaton(game, lowered.busts_live)
    except steps.NoFitError as error:
        raise _refuse("this game", str(error)) from None
    places = _count_places(game)
    plan = DevicePlan(
        lowered=lowered,
        automaton=automaton,
        threads=max(size for size in _BLOCK_SIZES if size * places <= _SHARED_BYTES),
        places=places,
        has_sums=True,
        most_rounds=ROUNDS_A_FRESH_SHOE if game.is_fresh else -(-game.cut // game.dealt),
    )
    return plan if plan.shared_bytes <= _SHARED_BYTES else plan._replace(has_sums=False)


def _refuse(what: str, reason: str) -> UnsupportedRuleError:
    return UnsupportedRuleError(EngineName.CUDA, what, f"{reason}; --device cpu plays it")


def _count_places(game: LoweredGame) -> int:
    """Return how many cards of a shoe a round may look at, those not ready included."""
    hands = game.max_hands + 1
    begin = 0 if game.is_fresh else game.cut
    reach = _MOST_CARDS_A_HAND * hands
    size = len(game.deck)
    if game.is_infinite:
        return max(size, begin + reach)
    if begin + _count_cards(game, hands) <= size:
        return size
    # The discards come behind the shoe.
    return begin + max(size, reach)


def _count_cards(game: LoweredGame, hands: int) -> int:
    """Return the most cards that `hands` hands can have, from the smallest cards of the shoe."""
    values = np.where(game.deck == 10, 7, game.deck + 1)
    return int(np.searchsorted(np.cumsum(np.sort(values)), hands * _MOST_HARD_TOTAL, side="right"))


class CudaRounds:
    """Plays chunks of one job on the device of this process."""

    def __init__(self, job: Job) -> None:
        self.job = job
        self.plan = plan = plan_device(job)
        game, automaton = plan.lowered.game, plan.automaton
        width = int(game.deck.max()) + 1 if not game.is_infinite else 10
        draw = np.ascontiguousarray(
            automaton.draw.reshape(-1, steps.DRAWN_KINDS)[:, :width]
        ).ravel()
        with _device_errors():
            self._tables = (_to_device(game), _to_device(automaton), _to_device(draw), width)

    def play(self, chunks: Sequence[tuple[int, int]]) -> list[Tally]:
        """Play the first rounds of chunks, given as pairs of chunk and rounds, at the same time."""
        with _device_errors():
            return self._play(chunks)

    def _play(self, chunks: Sequence[tuple[int, int]]) -> list[Tally]:
        from numba import cuda

        # The last passes are small, which is not a mistake to warn of.
        cuda.config.CUDA_LOW_OCCUPANCY_WARNINGS = 0
        from upcard.simulation.kernels.lockstep.cuda import FAILURES, shoes_kernel

        plan = self.plan
        kernel = shoes_kernel(
            plan.threads, is_counted=self.job.system is not None, has_sums=plan.has_sums
        )
        number = len(chunks)
        rounds = np.array([rounds for _, rounds in chunks])
        pieces = np.zeros((number, 4), np.int64)
        pieces[:, 0] = [chunk for chunk, _ in chunks]
        tally = cuda.to_device(np.zeros((number, plan.cells), np.int64))
        added = cuda.to_device(np.zeros((number, plan.rows), np.int64))
        totals = cuda.to_device(np.zeros((number, 3), np.int64))
        failures = cuda.to_device(np.full(number, _NO_FAILURE))
        left = rounds.copy()
        while left.any():
            # These shoes certainly fit into the rounds left; the last one of a chunk is cut short.
            pieces[:, 1] += pieces[:, 2]
            pieces[:, 2] = np.where(left > 0, np.maximum(left // plan.most_rounds, 1), 0)
            pieces[:, 3] = left
            blocks = -(-int(pieces[:, 2].max()) // plan.threads)
            with np.errstate(over="ignore"):
                kernel[(blocks, number), plan.threads, 0, plan.shared_bytes](
                    *(*self._tables, np.uint64(self.job.seed), cuda.to_device(pieces)),
                    *(tally, added, totals, failures),
                )
            first = int(failures.copy_to_host().min())
            if first != _NO_FAILURE:
                refuse_ending(first % FAILURES, self.job, plan.lowered)
            left = rounds - totals.copy_to_host()[:, 2]
        sums = zip(*(array.copy_to_host() for array in (tally, added, totals)), strict=True)
        return [RoundSums(*parts).to_tally(plan.lowered, self.job) for parts in sums]


@contextmanager
def _device_errors() -> Iterator[None]:
    """Turn what the driver and the compiler of the device raise into RunErrors."""
    try:
        yield
    except Exception as error:
        if not type(error).__module__.startswith(("numba.cuda.", "cuda.")):
            raise
        reason = " ".join(str(error).split()) or type(error).__name__
        msg = f"the CUDA device failed: {reason}. --device cpu plays on the cores"
        raise RunError(msg) from error


def _to_device(value: Any) -> Any:  # noqa: ANN401 (an array, a number, or a tuple of them)
    from numba import cuda

    if isinstance(value, np.ndarray):
        # The simulator looks for arrays among the arguments, but not within tuples.
        return value if cuda.config.ENABLE_CUDASIM else cuda.to_device(value)
    if isinstance(value, tuple):
        return type(value)(*map(_to_device, value))
    return value
