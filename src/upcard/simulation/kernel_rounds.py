"""`play_chunk`, a piece of a run: calls of the compiled loops, their sums and their errors.

The lockstep plays what the direct loop would, about twice as fast, and is compiled apart from it.
What it does not hold is left to the direct loop: rounds of several spots, side bets, logs, probes,
scripts and results in their order, and the last rounds of a chunk, of which it is not certain that
a whole shoe fits.
"""

from dataclasses import replace
from functools import lru_cache
from typing import Final, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from upcard.core.errors import EmptyShoeError, UnsupportedRuleError
from upcard.kernels.jit import Integers, is_compiled
from upcard.simulation.job import ENGINE, Engine, Job, check_versions
from upcard.simulation.kernels import loop_codes, simulator
from upcard.simulation.kernels.game import MOST_HANDS, ROUNDS_A_FRESH_SHOE, Probe
from upcard.simulation.kernels.lockstep.automaton import (
    Automaton,
    NoFitError,
    build_automaton,
    build_with_luck,
)
from upcard.simulation.kernels.lockstep.lane_luck import LuckSteps, make_lanes_luck
from upcard.simulation.kernels.lockstep.lanes import LANES, check_fit, make_lanes
from upcard.simulation.kernels.lockstep.whole_shoes import play_shoes
from upcard.simulation.kernels.luck import PRODUCTS, LuckCall, open_luck
from upcard.simulation.kernels.randomness import STATE_WORDS
from upcard.simulation.kernels.references import (
    MEAN_BITS,
    References,
    build_references,
    fits_references,
)
from upcard.simulation.kernels.shoes import count_room_cards, make_room
from upcard.simulation.kernels.side_results import LOOKS, SideCall, count_products
from upcard.simulation.lower import Lowered, lower
from upcard.simulation.tally import LuckSums, SideSums, Tally

_TOTALS: Final = 3
ROUNDS_TO_LOAD: Final = 6_000_000
"""Fewer rounds gain less in lockstep than it takes to load its machine code and its automaton.

On one thread of an AMD Zen 3, new processes called `play_chunk` both ways in turn. The calls took
0.37 s and 0.40 s of the processor for 4 million flat rounds, 0.50 and 0.47 for 6, 0.57 and 0.50 for
8; with the Illustrious 18 they took 0.64 and 0.73 s for 6 million and 0.77 and 0.73 for 8 (medians
of five).
"""
ROUNDS_TO_COMPILE: Final = 30_000_000
"""A run of this length compiles the lockstep where the machine does not have it yet."""


class RoundSums(NamedTuple):
    """Flat sums of the loop."""

    tally: Integers
    """Rounds by depth, seat, count and net."""
    added: Integers
    """Half bets added, by depth, seat and count."""
    totals: Integers
    """Shoes, cards, and rounds of the last call."""
    side: tuple[Integers, Integers] | None = None
    """`SideCall.counts` and `SideCall.products`; None for a house without side bets."""
    luck: LuckCall | None = None
    """The sums without luck; None if it stays in."""

    @classmethod
    def zeros(cls, lowered: Lowered, tables: References | None = None) -> Self:
        """Return the sums of no rounds; with the references of the game, without luck."""
        depths, seats, counts, nets = lowered.shape
        rows = depths * seats * counts
        tally, added, totals = (np.zeros(size, np.int64) for size in (rows * nets, rows, _TOTALS))
        luck = None if tables is None else open_luck(tables, lowered.game.unit, rows, counts)
        if lowered.side is None:
            return cls(tally, added, totals, None, luck)
        bets, width = len(lowered.side.bets), lowered.side.tables.width
        sizes = rows * bets * width, rows * count_products(bets)
        outcomes, products = (np.zeros(size, np.int64) for size in sizes)
        return cls(tally, added, totals, (outcomes, products), luck)

    def open_side(self, lowered: Lowered) -> SideCall | None:
        """Return the side bets of a call of the loop, which adds to these sums."""
        if lowered.side is None or self.side is None:
            return None
        tables = lowered.side.tables
        return SideCall(
            tables,
            np.zeros(count_room_cards(lowered.game), np.uint8),
            np.zeros(STATE_WORDS, np.uint64),
            np.zeros(LOOKS, np.int64),
            np.zeros(tables.bets, np.int64),
            *self.side,
        )

    def to_tally(self, lowered: Lowered, job: Job) -> Tally:
        """Shape the flat sums into a tally."""
        game = lowered.game
        return Tally(
            unit=game.unit,
            least_net=game.least_net,
            least_count=game.least_count,
            spots=job.spots,
            rounds=self.tally.reshape(lowered.shape),
            added=self.added.reshape(lowered.shape[:3]),
            shoes=int(self.totals[0]),
            cards=int(self.totals[1]),
            side=self._to_side_sums(lowered),
            luck=self._to_luck_sums(lowered),
        )

    def _to_side_sums(self, lowered: Lowered) -> SideSums | None:
        if lowered.side is None or not lowered.side.bets or self.side is None:
            return None
        sums = SideSums.of(lowered.side.bets, lowered.shape[:3])
        return replace(
            sums,
            counts=self.side[0].reshape(sums.counts.shape),
            products=self.side[1].reshape(sums.products.shape),
        )

    def _to_luck_sums(self, lowered: Lowered) -> LuckSums | None:
        if self.luck is None:
            return None
        bits, slots = self.luck.tables.bits + MEAN_BITS, lowered.shape[2] + 1
        nets = np.arange(lowered.shape[3]) + lowered.game.least_net
        rounds = self.tally.reshape(lowered.shape)
        return LuckSums(
            bits=bits,
            product_bits=bits - self.luck.shift,
            luck=((rounds @ nets) << bits) - self.luck.sums.reshape(lowered.shape[:3]),
            products=self.luck.products.astype(np.int64).reshape(PRODUCTS, slots, slots),
        )

    def add(self, other: Self) -> None:
        """Add the sums of other rounds."""
        self.tally[:] += other.tally
        self.added[:] += other.added
        self.totals[:] += other.totals
        for ours, theirs in zip(self.side or (), other.side or (), strict=True):
            ours[:] += theirs
        if self.luck is not None and other.luck is not None:
            self.luck.sums[:] += other.luck.sums
            self.luck.products[:] += other.luck.products


def plays_side_by_side(job: Job, rounds: int) -> bool:
    """Whether a run that still needs `rounds` rounds plays whole shoes in lockstep.

    It does so where the machine has the lockstep compiled, and compiles it for
    `ROUNDS_TO_COMPILE` rounds.
    """
    if find_misfit(job) is not None:
        return False
    luck, flat = True if job.without_luck else None, _flat(job, np.empty(0, np.int64))
    return rounds >= ROUNDS_TO_COMPILE or is_compiled(play_shoes, luck, flat)


def describe_loop(job: Job, rounds: int) -> str:
    """Describe how a run of the kernel that needed `rounds` rounds was played, and why so."""
    if rounds < ROUNDS_TO_LOAD:
        return "shoe by shoe"
    if (misfit := find_misfit(job)) is not None:
        return f"shoe by shoe: {misfit}"
    if not plays_side_by_side(job, rounds):
        return "shoe by shoe: the loop of long runs is not compiled yet"
    return "shoes side by side"


def find_misfit(job: Job) -> str | None:
    """Return why the lockstep does not hold a job of the kernel; None if it does."""
    if job.rules.side_bets:
        return "side bets need the cards of each round"
    automaton = _lower_automaton(job)
    if job.without_luck and not isinstance(automaton, NoFitError):
        try:
            _lower_luck(job)
        except NoFitError as error:
            return str(error)
    return str(automaton) if isinstance(automaton, NoFitError) else None


def play_whole_shoes(job: Job, chunk: int, rounds: int, sums: RoundSums) -> int:
    """Play whole shoes of a chunk, as many as surely fit into `rounds`; return their number.

    The sums receive their rounds, and `totals` the number of these. They are not touched if a
    round fails: then the direct loop meets the same round, and raises.
    """
    lowered = lower(job)
    game = lowered.game
    automaton = _lower_automaton(job)
    if isinstance(automaton, NoFitError):
        raise automaton
    played, lanes_luck = RoundSums.zeros(lowered, sums.luck and sums.luck.tables), None
    if played.luck is not None:
        automaton, steps = _lower_luck(job)
        lanes_luck = make_lanes_luck(played.luck, steps, LANES)
    lanes = make_lanes(game, automaton, len(sums.added))
    with np.errstate(over="ignore"):
        ending = play_shoes(
            *(game, automaton, lanes, np.uint64(job.seed), np.uint64(chunk), rounds),
            ROUNDS_A_FRESH_SHOE if game.is_fresh else -(-game.cut // game.dealt),  # at most
            *(*played[:3], lanes_luck, _flat(job, played.totals)),
        )
    if ending != loop_codes.DONE:
        return 0
    sums.add(played)
    shoes = int(played.totals[0])
    return shoes // ROUNDS_A_FRESH_SHOE if game.is_fresh else shoes


@lru_cache(maxsize=32)
def _lower_automaton(job: Job) -> Automaton | NoFitError:
    lowered = lower(job)
    depths, seats, counts, _ = lowered.shape
    try:
        automaton = build_automaton(lowered.game, lowered.busts_live)
        check_fit(lowered.game, depths * seats * counts)
    except NoFitError as error:
        return error
    return automaton


@lru_cache(maxsize=8)
def refer(job: Job) -> References:
    """Return the references of a job."""
    lowered = lower(job)
    if job.rules.is_infinite and not fits_references(lowered.game):
        reason = f"an infinite deck with tens of {job.rules.ten_probability} is too fine for it"
        raise UnsupportedRuleError(ENGINE, "without luck", reason)
    bonus_of = None if lowered.side is None else lowered.side.tables.bonus_of
    return build_references(lowered.game, lowered.busts_live, bonus_of)


@lru_cache(maxsize=8)
def _lower_luck(job: Job) -> tuple[Automaton, LuckSteps]:
    lowered = lower(job)
    return build_with_luck(lowered.game, lowered.busts_live, refer(job))


def _flat(job: Job, array: Integers) -> Integers | None:
    """Return the last argument of the loops: None if the player counts."""
    return array if job.system is None else None


def play_rounds(  # noqa: PLR0913 (what is not asked for is not compiled in)
    job: Job,
    lowered: Lowered,
    chunk: int,
    rounds: int,
    *,
    sums: RoundSums,
    first_shoe: int = 0,
    script: NDArray[np.uint8] | None = None,
    log: Integers | None = None,
    probe: Probe | None = None,
    outcomes: NDArray[np.int32] | None = None,
) -> bool:
    """Play rounds of a chunk and add them up; return whether the log, if any, was long enough.

    `lowered` is the job's, or a similar one; `simulation.kernels.simulator` describes the arrays.
    """
    # Compiling takes seconds, so there are few variants: one for all logs, and a faster one for
    # players who do not count.
    is_plain = log is None and probe is None and outcomes is None
    with np.errstate(over="ignore"):
        ending = simulator.simulate(
            lowered.game,
            make_room(lowered.game),
            (np.uint64(job.seed), np.uint64(chunk), np.uint64(first_shoe)),
            rounds,
            *sums[:3],
            script,
            log,
            probe,
            None if job.spots == 1 and log is None else sums.totals,
            outcomes,
            sums.totals if is_plain and job.system is None else None,
            sums.open_side(lowered),
            sums.luck,
        )
    refuse_ending(ending, job, lowered)
    return ending != loop_codes.LOG_FULL


def refuse_ending(ending: int, job: Job, lowered: Lowered) -> None:
    """Refuse rounds that a loop could not play to their end."""
    if ending == loop_codes.TOO_MANY_HANDS:
        reason = (
            f"a hand was split into more than {MOST_HANDS}, the most it holds: simulate"
            " with SP8, or with --engine table"
        )
        raise UnsupportedRuleError(ENGINE, "SPINF", reason)
    if ending == loop_codes.TOO_FEW_CARDS:
        raise EmptyShoeError(
            f"a round of {job.spots} spots needed more than the {len(lowered.game.deck)} cards"
            " there are: the round cannot continue"
        )


def play_chunk(job: Job, chunk: int, rounds: int, *, run_rounds: int = 0) -> Tally:
    """Play the first `rounds` rounds of a chunk.

    `run_rounds`, those that the run still needs, decides how they are played, and changes no
    result: see `whole_shoes.plays_side_by_side`.
    """
    check_versions(job.version, job.kernel_version, "the job comes from")
    if job.engine is Engine.TABLE:
        from upcard.simulation.table_engine import play_table_chunk

        return play_table_chunk(job, chunk, rounds)
    lowered = lower(job)
    sums = RoundSums.zeros(lowered, refer(job) if job.without_luck else None)
    shoes = 0
    if run_rounds >= ROUNDS_TO_LOAD and plays_side_by_side(job, run_rounds):
        shoes = play_whole_shoes(job, chunk, rounds, sums)
    left = rounds - int(sums.totals[2])
    if left > 0:
        play_rounds(job, lowered, chunk, left, sums=sums, first_shoe=shoes)
    return sums.to_tally(lowered, job)
