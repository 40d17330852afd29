"""Games side by side: what each costs or earns, the cells that change, and which one to play.

Every game is played by its own best chart; the chart that the player knows has its price there.
With a count, each game is simulated from the same seed, so that games with the same cards are dealt
the same shoes. The difference of two such games is taken block by block, and its error is that of
the mean over the blocks; where the shoes differ, the errors of both are combined as independent.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Final

import numpy as np

from upcard.analysis.bet_terms import BetTerms, read_terms
from upcard.analysis.count_rows import DEFAULT_SPREAD, read_document
from upcard.answers.edge import answer_edge
from upcard.answers.games.comparison import (
    SAME,
    ComparisonInterruptedError,
    GameComparison,
    LeftOutGame,
    RankedGame,
    join,
    word_choice,
)
from upcard.answers.ramp_report import RampAnswer, answer_ramp, settle
from upcard.cache import exact
from upcard.core import errors, numbers
from upcard.core.actions import Action
from upcard.core.errors import AnalysisError
from upcard.core.number_texts import read_rounds, whole_of
from upcard.exact import solve as solver
from upcard.exact.solver_results import CellCost, difference
from upcard.rules.describe import name_game
from upcard.rules.house import RulesLike, as_rules
from upcard.rules.model import Rules
from upcard.rules.settings import Surrender
from upcard.simulation import run as runner
from upcard.simulation.job import Engine, Job, draw_seed, make_job
from upcard.simulation.lower import lower
from upcard.simulation.run_state import (
    Goal,
    Run,
    RunProgress,
    find_place,
    load_run_document,
    make_document,
    read_job,
)
from upcard.strategy.chart import Strategy, load_strategy
from upcard.strategy.count_system import CountSystem, load_system
from upcard.strategy.deviations import Deviations, load_deviations
from upcard.strategy.ramp import parse_ramp

MOST_COUNTS: Final = 12
NAMES: Final = "ABCDEFGH"
"""Names of the games, in the order in which they were given."""
ROUNDS: Final = {Engine.KERNEL: 40_000_000, Engine.TABLE: 50_000}
"""Rounds of each game by default: with them eight games of the kernel take less than a minute."""
BLOCK: Final = 100_000
"""Rounds of a block, over which a difference is taken."""
_FEWEST_BLOCKS: Final = 10
"""With fewer blocks their spread says little about an error."""
Watch = Callable[[str, RunProgress], None]


@dataclass(kw_only=True)
class GameUnderWay:
    """A game under way."""

    name: str
    rules: Rules
    chart: Strategy
    """The best chart."""
    game: RankedGame
    job: Job | None = None
    has_plays_left_out: bool = False
    """Whether plays that surrender are left out, as the house has no surrender."""
    run: Run | None = None
    answer: RampAnswer | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CountedPlay:
    """How a game is simulated, and what is asked of the run."""

    system: CountSystem
    plays: Deviations | int | None
    """Index plays, or the number of those to find: the ones that gain most."""
    terms: BetTerms
    seed: int
    rounds: int | None
    """Rounds of each game; None for those of its engine."""
    folder: Path | None
    workers: int | None

    @classmethod
    def read(  # noqa: PLR0913 (each is named in the call)
        cls,
        first: Rules,
        *,
        count: str | CountSystem,
        indices: str | int | Deviations | None = None,
        rounds: str | float | None = None,
        seed: int | None = None,
        workers: int | None = None,
        output: str | Path | None = None,
        **terms: Any,
    ) -> CountedPlay:
        """Read the terms, and refuse those of bets that would be faulty in the `first` game."""
        system = load_system(count)
        read, bets = read_terms(**terms), {}
        if read.ramp is not None:
            codes = [bet.code for bet in first.side_bets]
            bets = {"ramp": parse_ramp(read.ramp, system, decks=first.decks or 1, side=codes)}
        settle(read, bets or {"spread": read.spread or DEFAULT_SPREAD})
        folder = None if output is None else Path(output)
        return cls(
            system=system,
            plays=_read_plays(indices, system),
            terms=read,
            seed=_choose_seed(seed, folder),
            rounds=None if rounds is None else read_rounds(rounds),
            folder=folder,
            workers=workers,
        )

    def prepare(self, entry: GameUnderWay, left_out: list[LeftOutGame]) -> bool:
        """Make the job of a game; False if it is left out."""
        plays, chart, rules = self.plays, entry.chart, entry.rules
        if isinstance(plays, Deviations) and rules.surrender is Surrender.NONE:
            kept = tuple(play for play in plays.plays if play.action is not Action.SURRENDER)
            entry.has_plays_left_out = kept != plays.plays
            plays = replace(plays, plays=kept)
        try:
            if isinstance(plays, int):
                plays = self._find_plays(entry, plays)
            job = make_job(rules, chart, seed=self.seed, count=self.system, indices=plays)
            if is_kernel := job.engine is Engine.KERNEL:
                lower(job)  # refuses a count that the kernel cannot honour
        except errors.BlackjackError as error:
            leave_out(entry.name, rules, error, left_out)
            return False
        entry.job = job.replace(chunk_rounds=BLOCK) if is_kernel else job
        return True

    def _find_plays(self, entry: GameUnderWay, number: int) -> Deviations:
        """Find the plays that gain most in a game, exactly, at bets of the spread or ramp."""
        from upcard.analysis.indices.search import indices

        most = self.terms.spread or DEFAULT_SPREAD
        found = indices(
            *(entry.rules, entry.chart),
            count=self.system,
            method="exact",
            ramp=self.terms.ramp or f"1-{most:g}",
            learn=number,
            saves=True,
        )
        return replace(found.deviations, name=f"that gain most ({number})")

    def play(self, entry: GameUnderWay, watch: Watch | None) -> Run:
        """Play the run of a game, or continue that in the folder."""
        if (job := entry.job) is None:
            raise ValueError(entry.name)
        path = None
        if self.folder is not None:
            self.folder.mkdir(parents=True, exist_ok=True)
            path = find_place(self.folder / f"{entry.name.lower()}.json")
        run = Run(job, Goal(rounds=self.rounds or ROUNDS[job.engine]), keeps_blocks=True)
        watching = None if watch is None else partial(watch, entry.name)
        with runner.hire("cpu", watching, count=self.workers) as crew:
            return runner.start_run(run, crew, output=path)


def compare_games(  # noqa: PLR0913 (each is named in the call)
    games: Sequence[RulesLike],
    *,
    strategy: Strategy | str | None = None,
    count: str | CountSystem | None = None,
    indices: str | int | Deviations | None = None,
    ramp: str | None = None,
    spread: str | float | None = None,
    rounds: str | float | None = None,
    seed: int | None = None,
    workers: int | None = None,
    output: str | Path | None = None,
    watch: Watch | None = None,
    early: Callable[[GameComparison], object] | None = None,
    **bets: Any,
) -> GameComparison:
    """Compare two to eight games, exactly, and with a `count` by what its bets win an hour.

    `strategy` is the chart that the player knows (default: the best one of the first game). `ramp`
    or `spread` and `bets` are the terms of `Run.ramp`: `chip`, `levels`, `wong`, `bankroll`,
    `unit`, `risk`, `kelly`, `goal`, `hours`, `rounds_per_hour`. The games are simulated for
    `rounds` rounds each (default: 40 million) from one `seed`; `output` is a folder that saves the
    runs, and continues them. `watch` gets the letter of a game and its progress, and `early` the
    exact values before the first round is played.

    Raises: RulesError for other numbers of games, and if fewer than two can be compared;
    ComparisonInterruptedError, a KeyboardInterrupt, on Ctrl-C.

    >>> compare_games(["6D S17", "6D H17"]).sentences[0]
    'Play A: it costs 0.2125% of the bet less than B, and your chart stays as it is.'
    """
    wanted = [as_rules(one) for one in games]
    if not 2 <= len(wanted) <= len(NAMES):
        raise errors.RulesError(
            f"{numbers.count_of(len(wanted), 'game')} to compare: name two to {len(NAMES)}; upcard"
            " edge has the value of one"
        )
    known = None if strategy is None else load_strategy(strategy)
    counting: dict[str, Any] = {
        "ramp": ramp,
        "spread": spread,
        **bets,
        "indices": indices,
        "rounds": rounds,
        "seed": seed,
        "output": output,
        "workers": workers,
    }
    if count is None:
        _refuse_without_count(counting)
    left_out: list[LeftOutGame] = []
    entries = list(value_games(zip(NAMES, wanted, strict=False), known, left_out))
    if count is None:
        return _conclude(entries, left_out, known)
    play = CountedPlay.read(wanted[0], count=count, **counting)
    entries = [one for one in entries if play.prepare(one, left_out)]
    _require_two(entries, left_out)
    if early is not None:
        early(_conclude(entries, left_out, known))
    return _play_all([(one, play) for one in entries], left_out, known, watch)


def compare_counts(
    game: RulesLike,
    counts: Sequence[str | CountSystem],
    *,
    watch: Watch | None = None,
    **terms: Any,
) -> GameComparison:
    """Compare two to twelve counts in one game, on the same shoes: which one to learn.

    The terms are those of `compare_games` with a count; `indices` as a number finds that many plays
    for each count, those that gain most. Each count bets its own best ramp of the spread.

    Raises: RulesError for other numbers of counts, and if fewer than two can be compared;
    ComparisonInterruptedError, a KeyboardInterrupt, on Ctrl-C.
    """
    rules, systems = as_rules(game), [load_system(one) for one in counts]
    if not 2 <= len({one.name for one in systems}) == len(systems) <= MOST_COUNTS:
        msg = f"{numbers.count_of(len(systems), 'count')} to compare: name two to {MOST_COUNTS}"
        raise errors.RulesError(f"{msg}, each once")
    plays = [CountedPlay.read(rules, count=one, **terms) for one in systems]
    left_out: list[LeftOutGame] = []
    valued = next(value_games([("it", rules)], None, left_out), None)
    if valued is None:
        raise errors.RulesError(str(left_out[0]))
    entries = []
    for system, one in zip(systems, plays, strict=True):
        ranked = replace(valued.game, name=system.name, title=system.title)
        entry = replace(valued, name=system.name, game=ranked)
        play = replace(one, seed=plays[0].seed)
        if play.prepare(entry, left_out):
            entries.append((entry, play))
    _require_two(entries, left_out, "count")
    return _play_all(entries, left_out, None, watch, noun="count")


def _play_all(
    pairs: Sequence[tuple[GameUnderWay, CountedPlay]],
    left_out: list[LeftOutGame],
    known: Strategy | None,
    watch: Watch | None,
    noun: str = "game",
) -> GameComparison:
    """Simulate the games and bet in them; Ctrl-C leaves out those that are not finished."""
    interrupted = False
    try:
        for one, play in pairs:
            one.run = play.play(one, watch)
    except KeyboardInterrupt:
        interrupted = True
    for one, play in pairs:
        if one.run is None or not one.run.is_complete:
            leave_out(one.name, one.rules, "interrupted", left_out)
        else:
            bet_on(one, play.terms)
    entries = [one for one, _ in pairs if one.run is not None and one.run.is_complete]
    if interrupted:
        found = _conclude(entries, left_out, known, noun) if len(entries) > 1 else None
        raise ComparisonInterruptedError(found)
    return _conclude(entries, left_out, known, noun)


def _read_plays(
    indices: str | int | Deviations | None, system: CountSystem
) -> Deviations | int | None:
    if isinstance(indices, str):
        number = whole_of(indices)
        indices = indices if number is None else number
    if isinstance(indices, int) and indices < 1:
        raise errors.RulesError(f"indices {indices}: a number of plays, such as 18, or a set")
    if indices is None or isinstance(indices, int):
        return indices
    return load_deviations(indices, system)


def _refuse_without_count(given: dict[str, object]) -> None:
    named = next((name for name, value in given.items() if value is not None), None)
    if named is not None:
        option = named.replace("_", " ")
        raise errors.RulesError(f"{option} is for counting: give a count too, such as hi-lo")


def leave_out(name: str, rules: Rules, reason: object, left_out: list[LeftOutGame]) -> None:
    """Note that a game is not compared, and why."""
    left_out.append(LeftOutGame(name=name, rules=str(rules), reason=str(reason)))


def _require_two(
    entries: Sequence[object], left_out: Sequence[LeftOutGame], noun: str = "game"
) -> None:
    if len(entries) < 2:
        reasons = "; ".join(map(str, left_out))
        raise errors.RulesError(f"two {noun}s or more can be compared, and here not: {reasons}")


def value_games(
    wanted: Iterable[tuple[str, Rules]], known: Strategy | None, left_out: list[LeftOutGame]
) -> Iterator[GameUnderWay]:
    """Value each game exactly; the chart of the first one is that of the player by default."""
    for name, rules in wanted:
        try:
            best = exact.basic_strategy(rules)
            known = best if known is None else known
            yield _value(name, rules, best, known)
        except errors.BlackjackError as error:
            leave_out(name, rules, error, left_out)


def _value(name: str, rules: Rules, best: Strategy, known: Strategy) -> GameUnderWay:
    value = exact.expected_value(rules)
    cost: float | None = None
    cells: tuple[CellCost, ...] = ()
    why = ""
    try:
        known_ev = exact.expected_value(rules, strategy=known)
        cells = _price_cells(rules, best, known)
        cost = difference(exact.expected_value(rules, strategy=best), known_ev)
    except errors.UnsupportedRuleError as error:  # it has charts of another kind
        why = str(error)
    game = RankedGame(
        name=name,
        title=name_game(rules),
        rules=str(rules),
        edge=answer_edge(value, has_bets=rules.betting),
        house_edge=-value,
        chart_cost=0.0 if cost is not None and abs(cost) < SAME else cost,
        cells_changed=None if cost is None else len(cells),
        cells=cells,
        why_no_cost=why,
    )
    return GameUnderWay(name=name, rules=rules, chart=best, game=game)


def _price_cells(rules: Rules, best: Strategy, known: Strategy) -> tuple[CellCost, ...]:
    """Return the cells of the known chart that cost something, the costliest first."""
    if not rules.is_infinite:
        return tuple(exact.costliest_cells(rules, known))
    ev, found = solver.expected_value(rules, strategy=known), []
    for row, hand in enumerate(known.labels):
        for column, upcard in enumerate(known.columns):
            cell, better = known.cells[row][column], best.cells[row][column]
            if cell == better:
                continue
            cells = [list(line) for line in known.cells]
            cells[row][column] = better
            mended = replace(known, cells=tuple(map(tuple, cells)))
            cost = solver.expected_value(rules, strategy=mended) - ev
            if cost > SAME:
                found.append(
                    CellCost(hand=hand, upcard=upcard, cell=cell, better=better, cost=cost)
                )
    return tuple(sorted(found, key=lambda one: -one.cost))


def _choose_seed(seed: int | None, folder: Path | None) -> int:
    """Return the given seed, or that of the runs in the folder, or a random one."""
    if seed is not None:
        return numbers.read_seed(seed)
    saved = [] if folder is None else sorted(folder.glob("*.json"))
    return read_job(load_run_document(saved[0])).seed if saved else draw_seed()


def bet_on(entry: GameUnderWay, terms: BetTerms) -> None:
    """Find what the bets win in a game, or why none do."""
    if entry.run is None:
        return
    try:
        answer = answer_ramp(read_document(make_document(entry.run)), terms)
    except AnalysisError as error:
        entry.game = replace(entry.game, why_no_plan=str(error))
        return
    entry.answer, plan = answer, answer.plan_answers[-1]
    ev, score = plan.figures["ev_per_hour"], plan.figures["score"]
    risk = plan.figures.get("risk_of_ruin")
    entry.game = replace(
        entry.game,
        plan=plan,
        ev_per_hour=ev.value,
        ev_per_hour_standard_error=ev.standard_error,
        sd_per_hour=plan.figures["sd_per_hour"].value,
        score=score.value,
        score_standard_error=score.standard_error,
        n0=plan.figures["n0"].value,
        ruin=1.0 if risk is None else risk.value,  # no bank is enough
    )


def _measure_behind(best: GameUnderWay, other: GameUnderWay) -> tuple[float, float, bool]:
    """Return the EV an hour of the best game less that of another, its error, and if it is paired.

    Source of the paired error: the difference of two means over the same blocks, block by block,
    each with what the bets move that were found from them.
    """
    one, two = best.game, other.game
    behind = (one.ev_per_hour or 0.0) - (two.ev_per_hour or 0.0)
    errors_of = [each.ev_per_hour_standard_error or 0.0 for each in (one, two)]
    nets = [
        np.empty(0)
        if each.run is None or each.answer is None
        else block_evs(each.run, each.answer, each.answer.plans[-1].ev_slope)
        for each in (best, other)
    ]
    is_paired = _deals_same_shoes(best, other) and len(nets[0]) == len(nets[1]) >= _FEWEST_BLOCKS
    if not is_paired:
        return behind, math.hypot(*errors_of), False
    each = nets[0] - nets[1]
    return behind, float(each.std(ddof=1)) / math.sqrt(len(each)), True


def block_evs(
    run: Run, answer: RampAnswer, weights: Sequence[float]
) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Return the EV an hour in each whole block, by the weight of a unit's win at each count.

    Weights are by row of the game: the bets, or a plan's slopes. Empty where the blocks do not say
    it.
    """
    if run.blocks is None or answer.plans[-1].ramp.side:
        return np.empty(0)
    tally, rows = run.tally, answer.run.game.rows
    by_count = dict(zip((row.count for row in rows), weights, strict=True))
    counts = range(tally.least_count, tally.least_count + tally.rounds.shape[2])
    amounts = np.array([by_count.get(count, 0.0) for count in counts])
    sums = np.array(run.blocks[: run.full], float).reshape(-1, len(counts))
    pace = answer.question.rounds_per_hour / (run.job.chunk_rounds * tally.unit)
    evs: np.ndarray[Any, np.dtype[np.float64]] = sums @ amounts * pace
    return evs


def _deals_same_shoes(one: GameUnderWay, other: GameUnderWay) -> bool:
    """Whether the same seed deals both games from the same shuffles."""
    cards = ("decks", "deck_size", "ten_probability", "shuffle", "min_spots")
    jobs = [each.job for each in (one, other)]
    return all(job is not None and job.engine is Engine.KERNEL for job in jobs) and all(
        getattr(one.rules, name) == getattr(other.rules, name) for name in cards
    )


def _conclude(
    entries: Sequence[GameUnderWay],
    left_out: list[LeftOutGame],
    known: Strategy | None,
    noun: str = "game",
) -> GameComparison:
    """Order the games, and say which one to play."""
    _require_two(entries, left_out)

    def rank(entry: GameUnderWay) -> tuple[bool, float]:
        game = entry.game
        if game.ev_per_hour is None:
            return True, game.house_edge
        return False, -game.ev_per_hour

    order = sorted(entries, key=rank)
    best = order[0]
    for one in order:
        if one.game.ev_per_hour is not None:
            behind, error, is_paired = (0.0, 0.0, False)
            if one is not best:
                behind, error, is_paired = _measure_behind(best, one)
            one.game = replace(
                one.game,
                ev_behind=behind,
                ev_behind_standard_error=error,
                same_shoes=is_paired,
            )
    ranked, job = [one.game for one in order], best.job
    systems = [one.job.system.name for one in entries if one.job and one.job.system]
    question = None if best.answer is None else best.answer.question
    return GameComparison(
        games=tuple(one.game for one in entries),
        best=list(entries).index(best),
        noun=noun,
        sentences=tuple(word_choice(ranked, question, noun)),
        notes=tuple(_list_notes(entries, known, noun)),
        left_out=tuple(sorted(left_out, key=lambda one: one.name)),
        count=", ".join(dict.fromkeys(systems)) or None,
        indices=None if job is None or job.deviations is None else job.deviations.name,
        seed=None if job is None else job.seed,
        rounds_per_hour=None if question is None else question.rounds_per_hour,
    )


def _list_rounds(entries: Sequence[GameUnderWay]) -> Iterator[str]:
    for rounds in dict.fromkeys(one.run.rounds for one in entries if one.run is not None):
        of = [one.name for one in entries if one.run is not None and one.run.rounds == rounds]
        yield f"{rounds:,} rounds of {join(of)}."


def _list_notes(
    entries: Sequence[GameUnderWay], known: Strategy | None, noun: str
) -> Iterator[str]:
    chart = f"the best chart of {entries[0].name}"
    if known is not None:
        chart = (known.title.splitlines() or ["the given one"])[0]
    if noun == "game":
        yield f"The chart that you know is {chart}; edges are those of the best play."
    for one in entries:
        if one.game.why_no_cost:
            yield errors.as_sentence(f"Your chart is not for {one.name}: {one.game.why_no_cost}")
    jobs = [(one, one.job) for one in entries if one.job is not None]
    if not jobs:
        return
    named = f" and the index plays {jobs[0][1].deviations.name}" if jobs[0][1].deviations else ""
    whose = "its own" if noun == "game" else "the"
    yield f"Every {noun} is simulated by {whose} best chart{named}, seed {jobs[0][1].seed}."
    yield from _list_rounds(entries)
    if fewer := [one.name for one in entries if one.has_plays_left_out]:
        yield f"Without surrender the index plays that surrender are left out: {join(fewer)}."
    for one, job in jobs:
        if job.engine is Engine.TABLE:
            yield f"{one.name} is played at the table, as the simulator cannot honour its rules."
        if one.game.why_no_plan:
            yield errors.as_sentence(f"{one.name}: {one.game.why_no_plan}")
        elif one.answer is not None:
            yield from (f"{one.name}: {note}" for note in one.answer.notes())
    where = "this game"
    yield from note_plays([(where if noun == "count" else one.name, job) for one, job in jobs])
    yield from _note_errors(entries, noun)


def note_plays(jobs: Iterable[tuple[str, Job]]) -> Iterator[str]:
    """Say in which games the index plays are those of others, and for whom they are made."""
    found: dict[Deviations, list[str]] = {}
    for name, job in jobs:
        if job.deviations is not None and job.deviations.note_game(job.rules):
            found.setdefault(job.deviations, []).append(name)
    names = list(dict.fromkeys(name for some in found.values() for name in some))
    if found:
        plays = next(iter(found))
        yield (
            f"The index plays {plays.name} are made for {plays.games}: some are wrong in"
            f" {join(names)}. A number instead of a set (--indices 18) finds those of each game."
        )


def _note_errors(entries: Sequence[GameUnderWay], noun: str) -> Iterator[str]:
    """Say what the errors are of."""
    shoes = [one.name for one in entries if one.game.same_shoes]
    words = "Behind ± is one standard error"
    if any(one.answer is not None and one.answer.note_errors() for one in entries):
        words += ", which counts that the bets were found from the same rounds"
    if shoes:
        both = "in both games" if noun == "game" else "with both counts"
        words += f": that of {join(shoes)} behind the best is of the same shoes {both}"
    yield f"{words}."
    if len(shoes) < len(entries) - 1:
        yield "Differences of games with other shoes have the errors of both, combined."
