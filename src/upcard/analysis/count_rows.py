"""Rounds by count, as shares and moments, read from a run's document.

Bets move no cards. So rounds simulated at one unit show, count by count, what any bet wins there
and how much that varies.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Final, TypeAlias

import numpy as np

from upcard.analysis.bet_terms import BetTerms
from upcard.core.cards import RANKS
from upcard.core.errors import AnalysisError
from upcard.rules import predicates
from upcard.rules.model import Rules
from upcard.simulation import run_state
from upcard.simulation.job import Job
from upcard.simulation.tally import DEALT, Tally, check_ramp, estimate_flat, join_counts
from upcard.strategy.count_system import CountSystem
from upcard.strategy.ramp import BetRamp, parse_ramp

_RARE: Final = 0.001
"""Share of all rounds below which counts are shown together; the files have all counts."""
Moments: TypeAlias = tuple[float, float, float, float]
"""Means of a round's net, its square, cube and fourth power."""
DEFAULT_SPREAD: Final = 8.0
"""Ratio of the largest to the least bet where neither a ramp nor a spread is given."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CountRow:
    """The rounds that began at one count, with one unit bet on every spot."""

    label: str
    """The count, or `<= -10` and `>= 10` for the ends of the tally, which include more."""
    count: int
    seen: int
    """Rounds dealt at this count, including those sat out by the run's own player."""
    rounds: int
    """Rounds played at this count."""
    moments: Moments
    """Of the net over all spots, in units; zeros if no round was played."""
    added: float
    """Mean units added by doubling, splitting and insurance."""
    side_evs: tuple[float, ...] = ()
    """By side bet: the mean net of a round, one unit on every spot."""
    products: tuple[tuple[float, ...], ...] = ()
    """Means of the products of two nets, of the main bet, first, and the side bets."""

    def weigh_side(self, bet: float, side: Sequence[float]) -> tuple[float, float]:
        """Return what side bets add to the mean of the net with a main bet, and its square."""
        if not (placed := [(place, units) for place, units in enumerate(side) if units]):
            return 0.0, 0.0
        mean = math.fsum(units * self.side_evs[place] for place, units in placed)
        crossed = math.fsum(units * self.products[0][place + 1] for place, units in placed)
        own = math.fsum(
            one * two * self.products[a + 1][b + 1] for a, one in placed for b, two in placed
        )
        return mean, 2 * bet * crossed + own

    @property
    def ev(self) -> float:
        """Mean net of a round, in units, over all spots."""
        return self.moments[0]

    @property
    def variance(self) -> float:
        """Variance of a round's net, in units squared."""
        return max(self.moments[1] - self.moments[0] ** 2, 0.0)

    @property
    def sd(self) -> float:
        """Standard deviation of a round's net, in units."""
        return math.sqrt(self.variance)

    @property
    def standard_error(self) -> float:
        """Standard error of `ev`; infinite for fewer than two rounds."""
        return math.sqrt(self.variance / self.rounds) if self.rounds > 1 else math.inf


@dataclass(frozen=True, kw_only=True)
class CountedGame:
    """A game by count: one row per count, lowest first, without gaps."""

    rows: tuple[CountRow, ...]
    spots: int
    shoes: int
    flat_ev: float
    """EV of one unit on every spot in every round dealt, per initial bet."""
    flat_error: float
    """Standard error of `flat_ev`."""
    side: tuple[str, ...] = ()
    """Short names of the side bets."""
    most_added: float | None
    """Most units that a round can add to its first bets; None for no limit."""

    @cached_property
    def seen(self) -> int:
        """Rounds dealt."""
        return sum(row.seen for row in self.rows)

    @cached_property
    def played(self) -> int:
        """Rounds played."""
        return sum(row.rounds for row in self.rows)

    @property
    def sits_out(self) -> bool:
        """Whether the run's own player sat rounds out."""
        return self.played < self.seen

    def frequency(self, row: CountRow) -> float:
        """Return the share of the rounds dealt that began at a row's count."""
        return row.seen / self.seen

    def share_error(self, variance: float) -> float:
        """Return the standard error of a mean over counts, given its variance over rounds.

        The counts of one shoe are correlated, so only shoes count as independent. That is an upper
        bound: exact if a shoe had one count from its first round to its last.
        """
        return math.sqrt(max(variance, 0.0) / max(self.shoes, 1))

    def frequency_error(self, row: CountRow) -> float:
        """Return the standard error of `frequency`, by `share_error`."""
        share = self.frequency(row)
        return self.share_error(share * (1 - share))


def read_rows(tally: Tally, rules: Rules | None = None) -> CountedGame:
    """Read a tally count by count, with all depths of the shoe together.

    With `rules` the most that a round can add to its bets is known, which bounds its error.
    """
    by_net = tally.rounds[:, 1].sum(axis=0)
    seen = tally.rounds.sum(axis=(0, 1, 3))
    added = tally.added[:, 1].sum(axis=0)
    if not by_net.any():
        raise AnalysisError("no round of this run was played: there is nothing to bet on")
    nets = tally.nets.astype(np.float64) / tally.unit
    sums = by_net @ np.stack([nets**power for power in (1, 2, 3, 4)], axis=1)
    rounds = by_net.sum(axis=1)
    filled = np.flatnonzero(seen)
    joint = None if tally.side is None else list(join_counts(tally))
    rows = []
    for index in range(int(filled[0]), int(filled[-1]) + 1):
        number = int(rounds[index])
        one, two, three, four = (float(each) / max(number, 1) for each in sums[index])
        rows.append(
            CountRow(
                label=_label(tally, index),
                count=tally.least_count + index,
                seen=int(seen[index]),
                rounds=number,
                moments=(one, two, three, four),
                added=float(added[index]) / 2 / max(number, 1),
                side_evs=() if joint is None else joint[index].means()[1:],
                products=() if joint is None else joint[index].mean_products(),
            )
        )
    # As the rows: with luck, if it was taken out of the EV of the run.
    flat = estimate_flat(replace(tally, luck=None), seats=DEALT)
    return CountedGame(
        rows=tuple(rows),
        spots=tally.spots,
        shoes=tally.shoes,
        flat_ev=flat.ev,
        flat_error=flat.standard_error,
        side=() if tally.side is None else tally.side.codes,
        most_added=None if rules is None else most_added(rules, tally.spots),
    )


def merge_rows(rows: Sequence[CountRow], label: str) -> CountRow:
    """Merge rows under a label, at the count of the last."""
    rounds = sum(row.rounds for row in rows)

    def merge(each: Iterable[Sequence[float]]) -> tuple[float, ...]:
        """Return the means over all rounds."""
        by_place = zip(*each, strict=True)
        return tuple(
            math.fsum(row.rounds * value for row, value in zip(rows, values, strict=True))
            / max(rounds, 1)
            for values in by_place
        )

    one, two, three, four, added = merge((*row.moments, row.added) for row in rows)
    size = range(len(rows[0].products))
    return CountRow(
        label=label,
        count=rows[-1].count,
        seen=sum(row.seen for row in rows),
        rounds=rounds,
        moments=(one, two, three, four),
        added=added,
        side_evs=merge(row.side_evs for row in rows),
        products=tuple(merge(row.products[place] for row in rows) for place in size),
    )


def most_added(rules: Rules, spots: int = 1) -> float | None:
    """Return the most units that a round can add to one unit on every spot; None for no limit.

    A spot becomes as many hands as its pair may, every one is doubled, and insurance takes half a
    unit. Hands that the house pays for are doubled too, on totals whose double is not free.
    """
    most = 0
    for rank in RANKS:
        hands = predicates.most_hands_of(rules, rank)
        if hands is None:
            return None
        split = 0 if predicates.splits_free(rules, rank) else hands - 1
        most = max(most, split + hands * ((rules.double_stake << rules.max_doubles - 1) - 1))
    return spots * (most + 0.5)


def _label(tally: Tally, index: int) -> str:
    count = tally.least_count + index
    if tally.rounds.shape[2] == 1:
        return "all"
    if index == 0:
        return f"<= {count}"
    return f">= {count}" if index == tally.rounds.shape[2] - 1 else str(count)


def gather_rare(game: CountedGame, bets: Sequence[Sequence[float]]) -> list[tuple[int, CountRow]]:
    """Return the rows with their places, the rare ones of both ends merged.

    Only rows with the same `bets` are merged; each of these has a bet per row.
    """
    rows, by_row = game.rows, list(zip(*bets, strict=True))
    low, high = _count_rare(game, rows, by_row), _count_rare(game, rows[::-1], by_row[::-1])
    if low + high >= len(rows):
        return list(enumerate(rows))
    last = len(rows) - high
    shown = list(enumerate(rows))[low:last]
    if low:
        shown[0] = (low, merge_rows(rows[: low + 1], f"<= {rows[low].count}"))
    if high:
        shown[-1] = (last - 1, merge_rows(rows[last - 1 :], f">= {rows[last - 1].count}"))
    return shown


def _count_rare(
    game: CountedGame, rows: Sequence[CountRow], bets: Sequence[tuple[float, ...]]
) -> int:
    """Count the rows of an end that are merged into the next one."""
    share, number = 0.0, 0
    for place, row in enumerate(rows[:-1]):
        share += game.frequency(row)
        if share >= _RARE or bets[place + 1] != bets[0]:
            break
        number = place + 1
    return number


@dataclass(frozen=True, slots=True, kw_only=True)
class CountedRun:
    """A run with a count, by count."""

    job: Job
    system: CountSystem
    tally: Tally
    game: CountedGame
    ramp: BetRamp | None

    def parse_ramp(self, ramp: str | BetRamp) -> BetRamp:
        """Read a ramp for this run's system and decks."""
        if self.job.rules.decks is None:
            raise AnalysisError("an infinite deck has no count to bet by")
        codes = [bet.code for bet in self.job.rules.side_bets]
        read = parse_ramp(ramp, self.system, decks=self.job.rules.decks, side=codes)
        check_ramp(self.tally, read)
        return read

    def choose_bets(self, terms: BetTerms) -> dict[str, BetRamp | float]:
        """Return the bets of terms for this run: a `ramp`, or the `spread` of the best one.

        The default is the run's own ramp, or else the best ramp with a spread of 1-8; what is asked
        of the best ramp only does not mean the run's own.
        """
        if terms.ramp is not None:
            return {"ramp": self.parse_ramp(terms.ramp)}
        is_best = (terms.chip, terms.levels) != (None, None)
        if terms.spread is None and self.ramp is not None and not is_best:
            return {"ramp": self.ramp}
        return {"spread": DEFAULT_SPREAD if terms.spread is None else terms.spread}


def read_run(path: str | Path) -> CountedRun:
    """Read a run's file."""
    document = run_state.load_run_document(path)
    with run_state.naming_file(path):
        return read_document(document)


def read_document(document: dict[str, Any]) -> CountedRun:
    """Read a run's document."""
    job = run_state.read_job(document)
    if job.system is None:
        raise AnalysisError("this run counted nothing: run again with --count hi-lo")
    ramp = run_state.read_own_ramp(document, job)
    if (tally := run_state.read_tally(document, job, ramp)) is None:
        raise AnalysisError("this run has no rounds yet: carry it on with --resume")
    return CountedRun(
        job=job, system=job.system, tally=tally, game=read_rows(tally, job.rules), ramp=ramp
    )
