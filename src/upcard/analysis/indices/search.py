"""`indices`: the counts from which to deviate from the chart, for given rules.

Every index is found twice: exactly, on the shoes that the count leaves on average, and by
simulation, with every affected round played both ways on the same cards.
"""

from __future__ import annotations

import secrets
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final, TypeAlias

from upcard._version import __version__
from upcard.analysis.figures import AnalysisError
from upcard.analysis.indices import plays as index_plays
from upcard.analysis.indices.exact_gains import CountedShoes, Curves, work_out_curves
from upcard.analysis.indices.plays import INSURANCE, Curve, Index, IndexQuestion, Wanted, chart_says
from upcard.analysis.indices.rows import MODEL_ERROR, IndexRow, Indices, Missing
from upcard.analysis.indices.simulated_gains import simulate_plays
from upcard.cache.entry import SavedQuestion
from upcard.cache.recall import program_stamp, recall
from upcard.core import cards, errors, long_work, numbers
from upcard.core.actions import Action
from upcard.rules.house import reads_rules
from upcard.rules.model import Rules
from upcard.rules.predicates import may_act_doubled, may_double_later
from upcard.rules.settings import FreeDouble, Shuffle
from upcard.simulation import job, run_state
from upcard.simulation.lower import count_range
from upcard.strategy.chart import ChartHand, Strategy, load_strategy
from upcard.strategy.count_system import CountBy, CountSystem, load_system
from upcard.strategy.deviations import Deviations
from upcard.strategy.ramp import BetRamp, parse_ramp

DEFAULT_ROUNDS: Final = 50_000_000
LEAST_GAIN: Final = 1e-4
"""Units per 100 rounds that a play must gain to be listed, if none was requested."""
FITTED: Final = 4
"""Range of a fitted line to either side of an index, in Hi-Lo true counts."""
WIDEST: Final = 10
"""Indices are searched from -10 to +10 true counts."""
_ENGINE: Final = "indices"
_HI_LO_SPREAD: Final = (10 / 13) ** 0.5
_MARGIN: Final = 2
_SOURCES: Final = (
    *("analysis", "analysis/indices", "players", "simulation"),
    *("kernels/lockstep", "kernels/rounds"),
)
"""The folders that compute indices, besides those of every saved value."""
Hands: TypeAlias = tuple[str, cards.Rank, frozenset[Action]]  # row, upcard, legal actions


class Method(StrEnum):
    """Method to find indices."""

    BOTH = "both"
    EXACT = "exact"
    SIMULATION = "simulation"


@dataclass(frozen=True, slots=True, kw_only=True)
class _AskedIndices:
    """All that indices follow from, read and checked."""

    rules: Rules
    system: CountSystem
    chart: Strategy
    wanted: Wanted | None
    method: Method
    rounds: int
    """0 without a simulation."""
    seed: int | None
    """None draws one."""
    ramp: BetRamp | None

    def key(self) -> tuple[object, ...]:
        """Return all but the rules as JSON values, with a stamp of the sources that compute."""
        texts = (repr(self.system), str(self.chart), repr(self.wanted), str(self.method))
        ramp = None if self.ramp is None else str(self.ramp)
        return (program_stamp(_SOURCES), *texts, self.rounds, self.seed, ramp)


@dataclass(frozen=True, slots=True, kw_only=True)
class _FoundIndices:
    least: int
    most: int
    seed: int | None
    rounds: int
    """Those played: fewer than requested after Ctrl-C."""
    rows: tuple[IndexRow, ...]
    missing: tuple[Missing, ...]


class IndicesInterruptedError(KeyboardInterrupt):
    """Ctrl-C ended the simulation; `indices` is the result of the rounds so far."""

    def __init__(self, found: Indices, rounds: int) -> None:
        self.indices = found
        super().__init__(
            f"interrupted after {found.rounds:,} of {rounds:,} rounds of seed {found.seed}, so far:"
            " import sys; found = sys.last_value.indices. The same call begins again"
        )


@reads_rules
def indices(  # noqa: PLR0913 (each is named in the call)
    rules: Rules,
    strategy: Strategy | str | None = None,
    *,
    count: str | CountSystem = "hi-lo",
    plays: str | None = None,
    method: str = Method.BOTH,
    rounds: str | float | None = None,
    seed: int | None = None,
    ramp: str | BetRamp | None = None,
    workers: int | None = None,
    watch: Callable[[str, float], None] | None = None,
    saves: bool = False,
) -> Indices:
    """Find the indices of a count for these rules, those that gain most first.

    `plays` are `all`, a set's name or file, or cells such as `16 v T, insurance` (default: those
    that gain `LEAST_GAIN` or more). `strategy` is the chart they deviate from (default: the optimal
    chart), or its file. `ramp` adds their gains at its bets. The simulation plays `rounds` rounds
    from `seed` on `workers` threads. `watch` is called with the task in progress and its share done
    (default: a line on a terminal or in a notebook). If it `saves`, a saved answer is returned:
    without a `seed`, the one whose seed was drawn before.

    Raises: AnalysisError for invalid plays or numbers; UnsupportedRuleError for rules without a
    count to go by, or that solver or simulator cannot honour; RulesError for an unknown count or
    an invalid seed; NotationError for an invalid ramp; IndicesInterruptedError, a
    KeyboardInterrupt, on Ctrl-C in the simulation.
    """
    from upcard.players.bots import basic_chart

    system, chosen = load_system(count), read_method(method)
    wanted = None if plays is None else index_plays.read_wanted(plays)
    number = None if rounds is None else run_state.read_rounds(rounds)
    _check(rules, system, chosen, rounds=number, seed=seed, ramp=ramp)
    asked = _AskedIndices(
        rules=rules,
        system=system,
        chart=basic_chart(rules) if strategy is None else load_strategy(strategy),
        wanted=wanted,
        method=chosen,
        rounds=0 if chosen is Method.EXACT else number or DEFAULT_ROUNDS,
        seed=seed,
        ramp=None if ramp is None else parse_ramp(ramp, system, decks=rules.decks or 1),
    )

    def find() -> _FoundIndices:
        with long_work.following(long_work.INDICES) as tell:
            found = _find(asked, workers, watch or tell)
        if found.rounds < asked.rounds:
            raise IndicesInterruptedError(_report(asked, found), asked.rounds)
        return found

    question = SavedQuestion("indices", rules, asked.key(), _FoundIndices, find)
    return _report(asked, recall(question) if saves else find())


def _report(asked: _AskedIndices, found: _FoundIndices) -> Indices:
    return Indices(
        method=str(asked.method),
        version=__version__,
        **numbers.fields_of(asked, "rules", "system", "chart", "ramp"),
        **numbers.fields_of(found),
    )


def _find(
    asked: _AskedIndices, workers: int | None, watch: Callable[[str, float], None]
) -> _FoundIndices:
    rules, chart, wanted = asked.rules, asked.chart, asked.wanted
    shoes = CountedShoes(rules, asked.system)
    least, most = find_window(shoes)

    def decide(question: IndexQuestion) -> bool | None:
        """Return the answer at every count: the chart's, if no play is requested."""
        return None if wanted is None or wanted.holds(question) else chart_says(chart, question)

    curves = work_out_curves(
        shoes,
        least - _MARGIN,
        most + _MARGIN,
        upcards=cards.UPCARD_ORDER if wanted is None else wanted.upcards,
        decided=decide,
        watch=lambda share: watch("exact values", share),
    )
    found, missing = _choose(curves.questions, chart, wanted, least=least, most=most)
    # The range of a fitted line is FITTED true counts of Hi-Lo.
    by_running = shoes.system.by is CountBy.RUNNING
    true_count = _middle_of_running(shoes)[1] if by_running else shoes.spread / _HI_LO_SPREAD
    width = FITTED * true_count
    tolerance = MODEL_ERROR / shoes.decks * width / FITTED
    gains = gains_over_chart(curves, chart, dict(found))
    rows = [
        IndexRow(
            question=question,
            chart_acts=chart_says(chart, question),
            exact=index,
            exact_gain=gains[question],
            share=float(curves.questions[question].share.sum()),
            tolerance=tolerance,
        )
        for question, index in found
    ]
    rows.sort(key=lambda row: -row.exact_gain)
    seed, rounds = None, 0
    if asked.method is not Method.EXACT:
        seed = secrets.randbelow(job.MOST_DRAWN_SEED + 1) if asked.seed is None else asked.seed
        simulated, rounds = simulate_plays(
            rules,
            chart,
            asked.system,
            rows,
            curves.questions,
            rounds=asked.rounds,
            seed=seed,
            ramp=asked.ramp,
            width=width,
            prefers=asked.method is Method.SIMULATION,
            workers=workers,
            watch=lambda share: watch("simulation", share),
        )
        rows = [replace(row, simulated=one) for row, one in zip(rows, simulated, strict=True)]
    return _FoundIndices(
        least=least, most=most, seed=seed, rounds=rounds, rows=tuple(rows), missing=tuple(missing)
    )


def read_method(method: str) -> Method:
    """Read the name of a method."""
    try:
        return Method(str(method).lower())
    except ValueError:
        raise AnalysisError(f"no method is called {method!r}: one of {', '.join(Method)}") from None


def _check(  # noqa: PLR0913 (each is named in the call)
    rules: Rules,
    system: CountSystem,
    method: Method,
    *,
    rounds: int | None,
    seed: int | None,
    ramp: str | BetRamp | None,
) -> None:
    job.check_supported(rules)
    if rules.decks is None or rules.shuffle is Shuffle.EVERY_ROUND:
        rule = "CSM" if rules.decks else "INF"
        reason = "every round begins with all cards, so there is no count to go by"
        raise errors.UnsupportedRuleError(_ENGINE, rule, reason)
    if rules.free_double is FreeDouble.ANY_NUMBER and not may_double_later(rules):
        rule = f"free_double={rules.free_double}"
        reason = "it asks no hand of three cards about a double that others may not make"
        raise errors.UnsupportedRuleError(_ENGINE, rule, reason)
    if may_act_doubled(rules, 1):
        rule = "rescue=true" if rules.rescue else f"max_doubles={rules.max_doubles}"
        raise errors.UnsupportedRuleError(_ENGINE, rule, "it asks no hand that has doubled")
    if rules.bonuses is not None:
        rule = f"bonuses={rules.bonuses}"
        reason = "it weighs a hand by its total, and not by its number of cards"
        raise errors.UnsupportedRuleError(_ENGINE, rule, reason)
    if rules.busts_live:
        reason = "it weighs no hand that is bust"
        raise errors.UnsupportedRuleError(_ENGINE, "busts_live=true", reason)
    if rules.switch:
        raise errors.UnsupportedRuleError(_ENGINE, "switch=true", "it weighs one hand alone")
    system.require_deck(rules)
    if not any(system.tags):
        msg = f"count {system.name}: its tags are all 0, so it says nothing about the cards"
        raise AnalysisError(msg)
    if method is Method.EXACT:
        for name, value in (("rounds", rounds), ("seed", seed), ("ramp", ramp)):
            if value is not None:
                raise AnalysisError(f"{name} is for the simulation, and method exact has none")
    if rounds is not None and rounds < 1:
        raise AnalysisError(f"{rounds} rounds: 1 or more")
    if seed is not None:
        numbers.read_seed(seed)


def find_window(shoes: CountedShoes) -> tuple[int, int]:
    """Return the least and the greatest index of the search.

    They are -10 and 10 for a true count; for a running count they are as rare as these in Hi-Lo,
    half-way to the cut card.
    """
    if shoes.system.by is CountBy.TRUE:
        return -WIDEST, WIDEST
    middle, reach = _middle_of_running(shoes)
    low, high = count_range(shoes.system, shoes.decks)
    least = max(round(middle - WIDEST * reach), low + 1 + _MARGIN)
    return least, min(round(middle + WIDEST * reach), high - _MARGIN)


def _middle_of_running(shoes: CountedShoes) -> tuple[float, float]:
    """Return the mean running count half-way to the cut card, and that of a Hi-Lo true count."""
    left = round(shoes.cards * (1 - float(shoes.rules.penetration) / 2))
    true_count = left / shoes.system.deck_size * shoes.spread / _HI_LO_SPREAD
    return shoes.expected_running(left), true_count


def _choose(
    curves: dict[IndexQuestion, Curve],
    chart: Strategy,
    wanted: Wanted | None,
    *,
    least: int,
    most: int,
) -> tuple[list[tuple[IndexQuestion, Index]], list[Missing]]:
    """Return the questions with an index, and requested ones without."""
    found: dict[IndexQuestion, Index] = {}
    missing: list[Missing] = []
    for question in index_plays.find_questions():
        if wanted is not None and not wanted.holds(question):
            continue
        curve = curves.get(question)
        index = None if curve is None else index_plays.find_index(curve)
        if curve is None or index is None or not least < index.index <= most:
            missing.append(Missing(question, curve is not None))
            continue
        acts = chart_says(chart, question)
        gain = index_plays.gain_over_chart(curve, index, chart_acts=acts)
        if gain.value > (LEAST_GAIN if wanted is None else 0.0):
            found[question] = index
        else:
            missing.append(Missing(question, is_asked=True))
    for question in list(found):
        # A play to hit or stand removes split and double from its cell.
        first = index_plays.chart_moves_first(chart, question)
        if any(question._replace(action=one) not in found for one in first):
            del found[question]
            missing.append(Missing(question, is_asked=True))
    return list(found.items()), _explain_missing(missing, found, wanted)


def _explain_missing(
    missing: list[Missing], found: Iterable[IndexQuestion], wanted: Wanted | None
) -> list[Missing]:
    """Filter missing questions to requested ones, a cell once and only if it has no index."""
    if wanted is None or wanted.text == "all":
        return []
    there = {(question.hand, question.upcard) for question in found}
    kept: dict[object, Missing] = {}
    for one in missing:
        cell = (one.question.hand, one.question.upcard)
        if one.question in wanted.questions:
            kept[one.question] = one
        elif cell not in there:
            kept.setdefault(cell, one)
    return list(kept.values())


def gains_over_chart(
    curves: Curves, chart: Strategy, found: Mapping[IndexQuestion, Index]
) -> dict[IndexQuestion, float]:
    """Return the gain of each play over the chart, in units per 100 rounds, with all in use."""
    gains = dict.fromkeys(found, 0.0)
    if insurance := found.get(INSURANCE):
        curve, acts = curves.questions[INSURANCE], chart_says(chart, INSURANCE)
        gains[INSURANCE] = index_plays.gain_over_chart(curve, insurance, chart_acts=acts).value
    plays = {
        question.make_play(index.index, at_or_above=index.at_or_above): question
        for question, index in found.items()
        if question != INSURANCE
    }
    deviations = Deviations(plays=tuple(plays))
    rows = {(play.hand, play.upcard): play.rows[-1] for play in plays}
    by_hands: dict[Hands, dict[Action, Curve]] = defaultdict(dict)
    for one, curve in curves.answers.items():
        by_hands[one.hand, one.upcard, one.legal][one.action] = curve
    for (hand, upcard, legal), worth in by_hands.items():
        if (hand, upcard) not in rows:
            continue
        total, is_soft, pair_rank = rows[hand, upcard]
        asked = ChartHand(total=total, is_soft=is_soft, pair_rank=pair_rank, upcard=upcard)
        as_chart = chart.decide(**asked, legal=legal)
        for place, count in enumerate(worth[Action.STAND].counts.tolist()):
            if (used := deviations.find_used(chart, **asked, count=count, legal=legal)) is not None:
                answer = deviations.decide(chart, **asked, count=count, legal=legal)
                gained = _worth(worth, answer, place) - _worth(worth, as_chart, place)
                gains[plays[used]] += index_plays.PER * gained
    return gains


def _worth(worth: Mapping[Action, Curve], action: Action, place: int) -> float:
    """Return the value per round of an answer at one count, over hitting."""
    return 0.0 if action is Action.HIT else float(worth[action].gain[place])
