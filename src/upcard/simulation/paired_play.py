"""Value of index plays: every round they touch is replayed the other way, with the same cards.

A play of the job's deviations is probed by reversing it: where it applies it is ignored, and the
other way round; all else is played by the job. Or it is taken back: the chart's answer is given
where the play is the reason for the job's answer. The gain is summed by the playing count at which
the play first came up, in whole numbers that add up in any order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from math import lcm
from typing import Final, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from upcard.core.actions import Action
from upcard.core.errors import RulesError
from upcard.rules import predicates
from upcard.simulation.executors import count_cores, run_on_threads
from upcard.simulation.job import Job
from upcard.simulation.kernel_rounds import RoundSums, play_rounds
from upcard.simulation.kernels import loop_codes
from upcard.simulation.kernels.game import Probe
from upcard.simulation.lower import ACTION_CODES, DecisionCell, fill_red_7, find_cells, lower
from upcard.simulation.tally import Tally
from upcard.strategy.chart import first_legal, put_in
from upcard.strategy.deviations import Deviation, Deviations
from upcard.strategy.ramp import BetRamp

INSURANCE: Final = 0
"""Row of `ProbeSums.sums` for insurance."""
_SUMS: Final = 6
_MOST_NUMBERS: Final = 255
_MOST_BET: Final = 1000
"""With larger bets, sums of squares of some 10^10 rounds could exceed 64 bits."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ProbeSums:
    """Gains from reversing plays, by playing count; those of taking insurance in row `INSURANCE`.

    Shape of `sums`: (plays + 1, counts, 6). The six are rounds in which the play came up, sum and
    sum of squares of the gain at one unit, both again at the round's own bet, and the sum of what
    the other way adds to the square of the round's net, at one unit.
    """

    unit: int
    """Gains are whole numbers of 1/unit of a bet."""
    bet_unit: int
    """The round's own bets are whole numbers of 1/bet_unit of a unit."""
    least_count: int
    """Count of the first column."""
    rounds: int
    sums: NDArray[np.int64]
    tally: Tally
    """The rounds as the job plays them, as `play_chunk` returns for the same chunks."""

    def __add__(self, other: ProbeSums) -> ProbeSums:
        ours = (self.unit, self.bet_unit, self.least_count, self.sums.shape)
        theirs = (other.unit, other.bet_unit, other.least_count, other.sums.shape)
        if ours != theirs:
            raise RulesError(f"sums of different probes cannot be added: {ours} and {theirs}")
        rounds, sums = self.rounds + other.rounds, self.sums + other.sums
        return replace(self, rounds=rounds, sums=sums, tally=self.tally + other.tally)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ProbeSums):
            return NotImplemented
        ours = (self.unit, self.bet_unit, self.least_count, self.rounds, self.tally)
        theirs = (other.unit, other.bet_unit, other.least_count, other.rounds, other.tally)
        return ours == theirs and np.array_equal(self.sums, other.sums)

    __hash__ = None  # type: ignore[assignment]  # it holds arrays


def probe_rounds(  # noqa: PLR0913 (each is named in the call)
    job: Job,
    plays: tuple[Deviation, ...],
    *,
    rounds: int,
    ramp: BetRamp | None = None,
    as_chart: bool = False,
    workers: int | None = None,
    watch: Callable[[int], None] | None = None,
) -> ProbeSums:
    """Play a run of `rounds` rounds with reversed plays, on threads; return all sums.

    With `as_chart` they are taken back instead: see `probe_chunk`. `workers` (default: all cores)
    changes no sum; `watch` is called with the number of rounds done. Ctrl-C ends it
    with the sums so far, which are of fewer rounds.
    """
    workers = count_cores() if workers is None else workers
    if rounds < 1 or workers < 1:
        raise RulesError(f"{rounds} rounds and {workers} workers: 1 or more of each")
    most = job.chunk_rounds
    sizes = ((chunk, min(most, rounds - chunk * most)) for chunk in range(-(-rounds // most)))
    total: ProbeSums | None = None

    def take(sums: ProbeSums) -> None:
        nonlocal total
        total = sums if total is None else total + sums
        if watch is not None:
            watch(total.rounds)

    probe = partial(probe_chunk, job, plays, ramp=ramp, as_chart=as_chart)
    try:
        run_on_threads((partial(probe, *size) for size in sizes), workers, take=take)
    except KeyboardInterrupt:
        if total is None:
            raise
    return cast("ProbeSums", total)  # there was a round


def probe_chunk(  # noqa: PLR0913 (each is named in the call)
    job: Job,
    plays: tuple[Deviation, ...],
    chunk: int,
    rounds: int,
    ramp: BetRamp | None = None,
    *,
    as_chart: bool = False,
) -> ProbeSums:
    """Play the first `rounds` rounds of a chunk, and again with each of `plays` reversed.

    With `as_chart` a play is taken back: where it is the reason that the job's answer is not the
    chart's (`Deviations.find_used`), the chart's answer is given. Then the sums of plays of one
    cell add up to their joint loss, while a reversed play is compared with what the others do.

    `plays` are among those of `job.deviations`; row n + 1 of the sums is about play n. Two that
    affect the same question take two passes over the same cards. Surrender before the dealer looks
    is not probed: its row stays 0.

    Where an empty shoe takes its discards back, and where every round is shuffled, another way to
    play a round may change the cards of later ones, and the tally with them.
    """
    passes = _lower_probe(job, plays, ramp, as_chart=as_chart)
    lowered = lower(job)
    counts = lowered.shape[2]
    sums = np.zeros((len(plays) + 1, counts, _SUMS), np.int64)
    tally: Tally | None = None
    for one in passes:
        own = np.zeros((len(one.plays) + 1, counts, _SUMS), np.int64)
        played = RoundSums.zeros(lowered)
        play_rounds(
            job,
            lowered._replace(game=lowered.game._replace(by_count=one.by_count)),
            chunk,
            rounds,
            sums=played,
            probe=Probe(one.number, one.choice, own, one.bets),
        )
        for number, play in enumerate(one.plays, start=1):
            sums[play + 1] = own[number]
        if tally is None:
            sums[INSURANCE] = own[INSURANCE]
            tally = played.to_tally(lowered, job)
    return ProbeSums(
        unit=lowered.game.unit,
        bet_unit=passes[0].bet_unit,
        least_count=lowered.game.least_count,
        rounds=rounds,
        sums=sums,
        tally=cast("Tally", tally),  # insurance alone takes a pass too
    )


class _ProbePass(NamedTuple):
    """One pass: plays of which no two affect one question."""

    plays: tuple[int, ...]
    """Their indices among the probed plays; number n of the kernel is entry n - 1."""
    number: NDArray[np.uint8]
    choice: NDArray[np.uint16]
    by_count: NDArray[np.uint8]
    bets: NDArray[np.int64]
    bet_unit: int


@lru_cache(maxsize=8)
def _lower_probe(
    job: Job, plays: tuple[Deviation, ...], ramp: BetRamp | None, *, as_chart: bool
) -> tuple[_ProbePass, ...]:
    own = () if job.deviations is None else job.deviations.plays
    for play in plays:
        if play not in own:
            raise RulesError(f"cannot ask about {str(play)!r}: the job does not play it")
    game = lower(job).game
    counts = range(game.least_count, game.most_count + 1)
    bets, bet_unit = _lower_bets(ramp, counts)
    other = _take_back if as_chart else _answer
    cells = [cell for cell in find_cells(job.rules) if cell.context != loop_codes.EARLY]
    turned = [dict(_find_changes(job, cells, play, counts, other)) for play in plays]
    passes = []
    for places in _share_out([frozenset(cells) for cells in turned]):
        number = np.zeros(len(game.choice), np.uint8)
        choice = np.full(len(game.choice), loop_codes.NOT_ASKED, np.uint16)
        rows: list[tuple[int, ...]] = []
        first = loop_codes.FIRST_DEVIATION + len(game.by_count) // len(counts)
        for own_number, place in enumerate(places, start=1):
            for cell, answers in turned[place].items():
                number[cell] = own_number
                if answers not in rows:
                    rows.append(answers)
                choice[cell] = first + rows.index(answers)
        fill_red_7(number)
        fill_red_7(choice)
        by_count = np.concatenate([game.by_count, np.array(rows, np.uint8).ravel()])
        passes.append(_ProbePass(places, number, choice, by_count, bets, bet_unit))
    return tuple(passes)


def _find_changes(
    job: Job,
    cells: list[DecisionCell],
    play: Deviation,
    counts: range,
    other: Callable[[Job, DecisionCell, int, Deviation], Action],
) -> Iterator[tuple[int, tuple[int, ...]]]:
    """Iterate over the `cells` that a play affects, with the other answers by count.

    Questions whose answer does not depend on the play at any count are left out.
    """
    for cell in cells:
        if cell.hand["upcard"] != play.upcard or play not in _plays_of(job, cell):
            continue
        own = [_answer(job, cell, count) for count in counts]
        others = [other(job, cell, count, play) for count in counts]
        if own != others:
            yield cell.number, tuple(ACTION_CODES[action] for action in others)


def _plays_of(job: Job, cell: DecisionCell) -> tuple[Deviation, ...]:
    return () if job.deviations is None else job.deviations.in_cell(**cell.hand)


def _take_back(job: Job, cell: DecisionCell, count: int, play: Deviation) -> Action:
    """Return the chart's answer if this play is the reason for a different one."""
    deviations = cast("Deviations", job.deviations)  # the play is among them
    legal = cell.legal
    offers = predicates.surrenders_before_look(job.rules, cell.hand["upcard"])
    if offers and cell.context == loop_codes.FIRST_TWO:
        # A hand that declined to surrender before the look did so by a separate play.
        legal = (*legal, Action.SURRENDER)
    used = deviations.find_used(job.chart, **cell.hand, count=count, legal=legal)
    if used != play:
        return _answer(job, cell, count)
    return job.chart.decide(**cell.hand, legal=cell.legal)


def _answer(job: Job, cell: DecisionCell, count: int, turned: Deviation | None = None) -> Action:
    """Return the job's answer; with a play `turned` round."""
    options = job.chart.options(**cell.hand)
    for play in _plays_of(job, cell):
        holds = play.holds(count) is not (play == turned)
        options = put_in(options, play.action, play.otherwise, holds)
    return cast("Action", first_legal(options, cell.legal))  # and an answer to every question


def _share_out(cells: list[frozenset[int]]) -> list[tuple[int, ...]]:
    """Put plays that share no question into one pass, in order."""
    passes: list[tuple[list[int], set[int]]] = [([], set())]
    for place, own in enumerate(cells):
        for places, taken in passes:
            if not own & taken and len(places) < _MOST_NUMBERS:
                break
        else:
            places, taken = [], set()
            passes.append((places, taken))
        places.append(place)
        taken |= own
    return [tuple(places) for places, _ in passes]


def _lower_bets(ramp: BetRamp | None, counts: range) -> tuple[NDArray[np.int64], int]:
    """Return the bet of each count in whole numbers, and how many make a unit."""
    if ramp is None:
        return np.ones(len(counts), np.int64), 1
    bets = [ramp.bet(count) for count in counts]
    unit = lcm(*(bet.denominator for bet in bets))
    if max(bets) * unit > _MOST_BET:
        raise RulesError(f"ramp {ramp}: its bets take more than {_MOST_BET} steps of 1/{unit} unit")
    return np.array([int(bet * unit) for bet in bets], np.int64), unit
