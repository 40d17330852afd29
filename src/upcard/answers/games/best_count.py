"""The best tags of a level for a game, beside the systems that come with upcard, and simulated.

The best tags, Hi-Lo and the best of the other systems of the level are played from the same seed,
so that they are dealt the same shoes. A difference is taken block by block, and its error is that
of the mean over the blocks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from math import sqrt
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import numpy as np

from upcard.analysis import best_tags, efficiencies
from upcard.analysis.best_tags import FREE, Floats, TagGoal
from upcard.analysis.count_rows import DEFAULT_SPREAD
from upcard.analysis.figures import Measurement
from upcard.analysis.indices.search import indices
from upcard.answers.games.side_by_side import BLOCK, ROUNDS, block_evs
from upcard.answers.ramp_report import analyse_ramp
from upcard.core import figure, numbers
from upcard.core.cards import RANKS, rank_name
from upcard.core.errors import AnalysisError, UnsupportedRuleError
from upcard.simulation import run as runner
from upcard.simulation.job import Engine, make_job
from upcard.simulation.run_state import Goal, Run, measure_progress
from upcard.simulation.tally import estimate_flat
from upcard.strategy.count_system import CountBy, CountSystem, load_system, system_names

if TYPE_CHECKING:
    from upcard.rules.model import Rules
    from upcard.simulation.run_state import RunProgress

_ROUNDS: Final = 100_000_000
"""Rounds of each system by default, if the kernel plays them."""
_BLOCKS: Final = 40
"""Fewest blocks of a run, whose spread is the error of a difference."""
_HI_LO: Final = "hi-lo"
_Watch: TypeAlias = Callable[[str, float], None]
_SCORE: Final = ("score", "SCORE", 2)
_MEASURES: Final = dict.fromkeys(TagGoal, _SCORE) | {TagGoal.PLAYING: ("flat_ev", "flat EV", 4)}
"""Name, title and digits of what is simulated."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RatedCount:
    """A counting system, and what it is worth."""

    system: CountSystem
    tags: tuple[Fraction | int, ...]
    """Tags of the ranks, ace to ten; that of the sevens is the mean of their colours."""
    betting_correlation: float
    playing_efficiency: float
    insurance_correlation: float
    growth_estimate: float | None
    """SCORE by linear estimates; None for other counts than true counts of the tags alone, and
    where a decision is not one hand against an upcard."""
    score: Measurement | None = None
    """The SCORE that was simulated; None for a system that was not, and for plays alone."""
    flat_ev: Measurement | None = None
    """For plays alone, the EV of flat bets that was simulated."""
    behind: Measurement | None = None
    """How much less that is than with the best tags."""
    json_keys = """
        name=system.name tags=tags_by_rank betting_correlation playing_efficiency
        insurance_correlation growth_estimate score=score.value?score
        score_error=score.standard_error?score flat_ev=flat_ev.value?flat_ev
        flat_ev_error=flat_ev.standard_error?flat_ev behind=behind.value?behind
        behind_error=behind.standard_error?behind
    """

    @property
    def tags_by_rank(self) -> dict[str, Fraction | int]:
        """Tags by rank; that of the sevens is the mean of their colours."""
        return dict(zip(map(rank_name, RANKS), self.tags, strict=True))

    @property
    def measured(self) -> Measurement | None:
        """The figure that was simulated; None for a system that was not."""
        return self.score or self.flat_ev


@dataclass(frozen=True, slots=True, kw_only=True)
class BestCount(figure.Displayed):
    """The best tags of a level, and the systems of that level."""

    rules: Rules
    goal: TagGoal
    level: str
    sums: bool
    """Whether tags that do not add up to 0 were allowed."""
    spread: float
    counts: tuple[RatedCount, ...]
    """The best tags first, then the other systems, best first."""
    per_deck: int
    """Sum of the best tags over a deck, which the count loses for each deck seen."""
    unit: int
    """Number of the best tags that count 1."""
    rounds: int
    """Rounds of each system that was simulated; 0 if none was."""
    seed: int
    is_whole: bool = True
    """Whether the simulation was not interrupted."""
    json_keys = "goal level spread unbalanced=sums rules per_deck unit rounds seed systems=counts"

    @property
    def best(self) -> RatedCount:
        """The best tags."""
        return self.counts[0]

    def table(self) -> figure.AnswerTable:
        """Return a row for each system."""
        name, title, digits = _MEASURES[self.goal]
        make = figure.percent if self.goal is TagGoal.PLAYING else figure.real
        columns = [
            figure.text("system"),
            figure.label("tags", "tags, A to T"),
            figure.real("betting_correlation", "BC"),
            figure.real("playing_efficiency", "PE"),
            figure.real("insurance_correlation", "IC"),
            figure.real("growth_estimate", "growth", digits=2),
            make(name, title, digits=digits, error=f"{name}_error"),
            make(f"{name}_error", is_shown=False),
            make("behind", "less than the best", digits=digits, error="behind_error"),
            make("behind_error", is_shown=False),
        ]
        rows = (
            (
                one.system.name,
                " ".join(numbers.with_minus(f"{float(tag):g}") for tag in one.tags),
                *(one.betting_correlation, one.playing_efficiency, one.insurance_correlation),
                one.growth_estimate,
                *(one.measured or (None, None)),
                *(one.behind or (None, None)),
            )
            for one in self.counts
        )
        return figure.make_table(self.best.system.title, columns, rows)

    def tables(self) -> Iterator[figure.AnswerTable]:
        """Iterate over the same as two tables: figures, and simulations, best first."""
        whole = self.table()
        figures, simulated = slice(0, 6), slice(6, None)
        yield figure.make_table(
            "Figures", whole.columns[figures], (row[figures] for row in whole.rows)
        )
        pairs = zip(self.counts, whole.rows, strict=True)
        if rows := [(one.measured.value, row) for one, row in pairs if one.measured]:
            rows.sort(key=itemgetter(0), reverse=True)
            yield figure.make_table(
                "Simulated",
                (whole.columns[0], *whole.columns[simulated]),
                ((row[0], *row[simulated]) for _, row in rows),
            )

    def sentences(self) -> Iterator[tuple[str, str]]:
        """Iterate over the topics of what the table means, and their texts."""
        how = {
            TagGoal.BETTING: "the highest betting correlation that tags of this level have",
            TagGoal.PLAYING: "the highest playing efficiency that was found, by Griffin's method",
            TagGoal.GROWTH: "the highest growth that was found",
        }[self.goal]
        yield "Best", f"{how}, {'any sum' if self.sums else 'a sum of 0'} over a deck."
        if self.per_deck:
            less = f"{abs(self.per_deck)} {'less' if self.per_deck > 0 else 'more'}"
            words = "for each deck seen; the true count divides it by decks left."
            yield "Count", f"the tags, and {less} {words}"
        if self.unit != 1:
            yield "Unit", f"{self.unit} of the best tags count 1, as in the file of --toml."
        if twins := [one.system.name for one in self.counts[1:] if one.tags == self.best.tags]:
            yield "Known", f"these are the tags of {', '.join(twins)}."
        spread = f"1-{self.spread:g}"
        if self.best.growth_estimate is not None:
            yield "Growth", f"SCORE with bets {spread} by linear estimates, of true counts alone."
        if not self.rounds:
            return
        plays = "the chart" if self.goal is TagGoal.BETTING else "exact indices"
        what = f"with the best ramp {spread} and {plays}"
        if self.goal is TagGoal.PLAYING:
            what = f"EV at flat bets with {plays}"
        how = f"{self.rounds:,} rounds each, the same shoes; seed {self.seed}."
        yield _MEASURES[self.goal][1], f"{what}; {how}"


def find_best_count(  # noqa: PLR0913 (each is named in the call)
    rules: Rules,
    goal: str,
    *,
    level: str = "1",
    sums: bool = False,
    spread: float = DEFAULT_SPREAD,
    every: bool = False,
    rounds: int | None = None,
    seed: int = 1,
    workers: int | None = None,
    watch: _Watch = lambda _what, _share: None,
) -> BestCount:
    """Find the best tags of a level for a goal, and simulate them beside others.

    With `every` all systems of the level are simulated, else Hi-Lo and the best of them. `rounds`
    are those of each system (default: 100 million); 0 simulates nothing. Ctrl-C
    ends the simulation with the systems so far.

    Raises: as `find_best_system`; UnsupportedRuleError for rules without indices.
    """
    best = best_tags.find_best_tags(
        *(rules, goal),
        level=level,
        sums=sums,
        spread=spread,
        watch=lambda share: watch("search", share),
    )
    estimate = None
    with suppress(UnsupportedRuleError):  # other goals need no decisions
        estimate = best_tags.make_worth(rules, TagGoal.GROWTH, spread)

    def rate(system: CountSystem, tags: Sequence[Fraction | int] = ()) -> RatedCount:
        growth = None
        if estimate is not None and _counts_tags_alone(system):
            growth = float(estimate(np.array([system.tags[1:]], dtype=float))[0])
        return RatedCount(
            system=system,
            tags=tuple(tags or (system.mean_tag(rank_name(rank)) for rank in RANKS)),
            betting_correlation=efficiencies.betting_correlation(system, rules),
            playing_efficiency=efficiencies.playing_efficiency(system),
            insurance_correlation=efficiencies.insurance_correlation(system),
            growth_estimate=growth,
        )

    others = [
        rate(system)
        for system in map(load_system, system_names())
        if system.deck_size == rules.deck_size
        and (level == FREE or system.name == _HI_LO or best_tags.level_of(system) == int(level))
    ]
    others.sort(key=lambda one: -_value(one, TagGoal(goal)))
    found = BestCount(
        rules=rules,
        goal=TagGoal(goal),
        level=level,
        sums=sums,
        spread=spread,
        counts=(rate(best.system, best.tags), *others),
        per_deck=best.per_deck,
        unit=best.unit,
        rounds=0,
        seed=seed,
    )
    return (
        found
        if rounds == 0
        else _simulate(found, every=every, rounds=rounds, workers=workers, watch=watch)
    )


def _counts_tags_alone(system: CountSystem) -> bool:
    return system.by is CountBy.TRUE and not system.side_aces and system.red_7 is None


def _value(one: RatedCount, goal: TagGoal) -> float:
    """Return what systems are ordered by."""
    if goal is TagGoal.GROWTH:
        return one.growth_estimate or 0.0
    return one.betting_correlation if goal is TagGoal.BETTING else one.playing_efficiency


def _simulate(found: BestCount, *, every: bool, rounds: int | None, **crew: Any) -> BestCount:
    """Play the best tags and others, but not those that count the same tags."""
    best, *others = found.counts
    new = [one for one in others if one.tags != best.tags or not _counts_tags_alone(one.system)]
    wanted = [one for one in new[1:] if every or one.system.name == _HI_LO]
    chosen = [best, *new[:1], *wanted]
    raced, name = dict[str, RatedCount](), _MEASURES[found.goal][0]
    measured: Measurement | None = None
    try:
        for one in chosen:
            run = _play(found, one.system, rounds, **crew)
            rounds = run.rounds
            own, blocks = _measure(found, run)
            behind = None
            if one is best:
                measured, first = own, blocks
            elif measured is not None and own is not None:
                apart = first - blocks
                error = float(apart.std(ddof=1)) / sqrt(len(apart)) if len(apart) > 1 else None
                behind = Measurement(measured.value - own.value, error)
            figures: dict[str, Any] = {name: own}
            raced[one.system.name] = replace(one, behind=behind, **figures)
    except KeyboardInterrupt:
        if not raced:
            raise
    return replace(
        found,
        counts=tuple(raced.get(one.system.name, one) for one in found.counts),
        rounds=rounds or 0,
        is_whole=len(raced) == len(chosen),
    )


def _play(
    found: BestCount, system: CountSystem, rounds: int | None, workers: int | None, watch: _Watch
) -> Run:
    """Play a system in blocks of rounds, with exact indices if plays matter."""
    plays = None
    if found.goal is not TagGoal.BETTING:
        plays = indices(
            *(found.rules,),
            count=system,
            method="exact",
            saves=True,
            watch=lambda _what, share: watch(f"indices, {system.name}", share),
        ).deviations
    job = make_job(found.rules, seed=found.seed, count=system, indices=plays)
    is_kernel = job.engine is Engine.KERNEL
    rounds = rounds or (_ROUNDS if is_kernel else ROUNDS[job.engine])
    if is_kernel:
        job = job.replace(chunk_rounds=max(min(BLOCK, rounds // _BLOCKS), 1))
    run = Run(job, Goal(rounds=rounds), keeps_blocks=True)

    def show(progress: RunProgress) -> None:
        watch(system.name, measure_progress(progress))

    with runner.hire("cpu", show, count=workers) as crew:
        return runner.start_run(run, crew)


def _measure(found: BestCount, run: Run) -> tuple[Measurement | None, Floats]:
    """Return what a run shows, and the same by block, to first order; None if no ramp wins."""
    if found.goal is TagGoal.PLAYING:
        flat = estimate_flat(run.tally)
        sums = np.array((run.blocks or [])[: run.full], float)
        evs = sums.sum(axis=1) / (run.job.chunk_rounds * run.tally.unit)
        return Measurement(flat.ev, flat.standard_error), evs
    try:
        answer = analyse_ramp(run, spread=found.spread)
    except AnalysisError:
        return None, np.empty(0)
    figures = answer.plan_answers[-1].figures
    score, ev = figures["score"], figures["ev_per_hour"].value
    # SCORE goes with the square of EV, and does not move with the best ramp.
    slope = 2 * score.value / ev if ev else 0.0
    blocks = block_evs(run, answer, answer.plans[-1].betting.bets)
    return Measurement(score.value, score.standard_error), slope * blocks
