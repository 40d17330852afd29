"""`indices`: the counts from which to deviate from the chart, for given rules.

Every index is found twice: exactly, on the shoes that the count leaves on average, and by
simulation, with every affected round played both ways on the same cards.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final, TypeAlias

from upcard._version import __version__
from upcard.analysis.indices import plays as index_plays
from upcard.analysis.indices.exact_gains import CountedShoes, Curves, work_out_curves
from upcard.analysis.indices.plays import INSURANCE, Curve, Index, IndexQuestion, Wanted, chart_says
from upcard.analysis.indices.rows import MODEL_ERROR, ExactIndex, FoundIndices, IndexRow, Indices
from upcard.analysis.indices.simulated_gains import simulate_plays
from upcard.cache.entry import SavedQuestion
from upcard.cache.recall import program_stamp, recall
from upcard.core import cards, long_work, numbers
from upcard.core.actions import Action
from upcard.core.errors import AnalysisError
from upcard.core.number_texts import read_rounds
from upcard.rules.engines import check
from upcard.rules.house import reads_rules
from upcard.rules.model import Rules
from upcard.rules.settings import EngineName
from upcard.simulation import job
from upcard.simulation.lower import MOST_TRUE, count_range
from upcard.strategy.chart import ChartHand, Strategy, load_strategy
from upcard.strategy.count_system import CountBy, CountSystem, Rounding, load_system
from upcard.strategy.deviations import Deviations
from upcard.strategy.ramp import BetRamp, parse_ramp

DEFAULT_ROUNDS: Final = 50_000_000
LEAST_GAIN: Final = 1e-4
"""Units per 100 rounds that a play must gain to be listed, if none was requested."""
_LEAST_OF_HALF: Final = 1e-7
"""Units per 100 rounds that the other half of a play must gain."""
FITTED: Final = 4
"""Range of a fitted line to either side of an index, in Hi-Lo true counts."""
WIDEST: Final = 10
"""Indices are searched from -10 to +10 true counts of Hi-Lo."""
_ENGINE: Final = "indices"
_HI_LO_SPREAD: Final = (10 / 13) ** 0.5
_MARGIN: Final = 2
_SOURCES: Final = ("analysis", "documents", "players", "simulation", "table")
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
    learn: int | None
    """Number of plays to learn, in the order of what each adds; None for all plays."""
    bankroll: float | None
    """In units, for risk-averse indices; None without these."""

    def key(self) -> tuple[object, ...]:
        """Return all but the rules as JSON values, with a stamp of the sources that compute."""
        texts = (repr(self.system), str(self.chart), repr(self.wanted), str(self.method))
        ramp = None if self.ramp is None else str(self.ramp)
        numbers = (self.rounds, self.seed, ramp, self.learn, self.bankroll)
        return (program_stamp(_SOURCES), *texts, *numbers)


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
    learn: int | None = None,
    bankroll: float | None = None,
    workers: int | None = None,
    watch: Callable[[str, float], None] | None = None,
    saves: bool = False,
) -> Indices:
    """Find the indices of a count for these rules, those that gain most first.

    `learn` keeps that many plays: first the one that gains most, then each that adds most to those
    before it, by exact gains at the bets of the ramp; they come with the share that they have of
    what all plays gain together, and with their indices by other roundings.

    `bankroll`, in units of the ramp, makes them risk-averse: each is the count from which the play
    raises the certainty equivalent of full Kelly bets. What it adds to the variance is simulated.

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
    number = None if rounds is None else read_rounds(rounds)
    _check(rules, system, chosen, rounds=number, seed=seed)
    asked = _AskedIndices(
        rules=rules,
        system=system,
        chart=basic_chart(rules) if strategy is None else load_strategy(strategy),
        wanted=wanted,
        method=chosen,
        rounds=0 if chosen is Method.EXACT else number or DEFAULT_ROUNDS,
        seed=seed,
        ramp=None if ramp is None else parse_ramp(ramp, system, decks=rules.decks or 1),
        learn=None if learn is None else _read_learn(learn, chosen),
        bankroll=_read_bankroll(bankroll, chosen, has_ramp=ramp is not None),
    )

    def find() -> FoundIndices:
        with long_work.following(long_work.INDICES) as tell:
            found = _find(asked, workers, watch or tell)
        if found.rounds < asked.rounds:
            raise IndicesInterruptedError(_report(asked, found), asked.rounds)
        return found

    question = SavedQuestion("indices", rules, asked.key(), FoundIndices, find)
    return _report(asked, recall(question) if saves else find())


def _report(asked: _AskedIndices, found: FoundIndices) -> Indices:
    return Indices(
        method=str(asked.method),
        version=__version__,
        **numbers.fields_of(asked, "rules", "system", "chart", "ramp", "bankroll"),
        **numbers.fields_of(found),
    )


def _find(
    asked: _AskedIndices, workers: int | None, watch: Callable[[str, float], None]
) -> FoundIndices:
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
        ramp=asked.ramp,
        roundings=_other_roundings(asked.system) if asked.learn else (),
        watch=lambda share: watch("exact values", share),
    )
    found, missing = _choose(curves.questions, chart, wanted, least=least, most=most)
    halves = _find_other_halves(curves, found, chart, wanted)
    found |= halves
    missing = [one for one in missing if one not in halves]
    by_bets = None if asked.ramp is None else PlayGains(curves.at_bets(), chart)
    flat = PlayGains(curves, chart)
    learned, gain_of_all = dict[IndexQuestion, float](), None
    if asked.learn:
        learned, gain_of_all = choose_to_learn(by_bets or flat, found, asked.learn, halves)
        found = {question: found[question] for question in learned}
    # The range of a fitted line is FITTED true counts of Hi-Lo.
    by_running = shoes.system.by is CountBy.RUNNING
    true_count = _middle_of_running(shoes)[1] if by_running else shoes.spread / _HI_LO_SPREAD
    width = FITTED * true_count
    tolerance = MODEL_ERROR / shoes.decks * width / FITTED
    gains = flat.of(found)
    ramp_gains = {} if by_bets is None else by_bets.of(found)
    rows = [
        IndexRow(
            question=question,
            chart_acts=chart_says(chart, question),
            exact=ExactIndex(
                **numbers.fields_of(index),
                gain=gains[question],
                ramp_gain=ramp_gains.get(question),
                share=float(curves.questions[question].share.sum()),
                rounded=_round(curves, question, index),
            ),
            tolerance=tolerance,
            share_so_far=learned.get(question),
            by_simulation=asked.method is Method.SIMULATION,
            is_averse=asked.bankroll is not None,
        )
        for question, index in found.items()
    ]
    if gain_of_all is None:
        ordered_by = gains if by_bets is None else ramp_gains
        rows.sort(key=lambda row: -ordered_by[row.question])
    seed, rounds = None, 0
    if asked.method is not Method.EXACT:
        seed = job.draw_seed() if asked.seed is None else asked.seed
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
    if asked.bankroll is not None and (ramp := asked.ramp) is not None:
        for place, row in enumerate(rows):
            if row.simulated is not None:
                averse = index_plays.find_risk_averse(
                    curves.questions[row.question],
                    ramp,
                    bankroll=asked.bankroll,
                    added_square=row.simulated.added_square,
                )
                rows[place] = replace(row, risk_averse=averse)
    return FoundIndices(
        least=least,
        most=most,
        seed=seed,
        rounds=rounds,
        rows=tuple(rows),
        missing=tuple(missing),
        gain_of_all=gain_of_all,
    )


def _other_roundings(system: CountSystem) -> tuple[Rounding, ...]:
    """Return the roundings that a player of a true count may use instead."""
    others = tuple(one for one in Rounding if one is not system.rounding)
    return others if system.by is CountBy.TRUE else ()


def _round(curves: Curves, question: IndexQuestion, index: Index) -> dict[str, int]:
    """Return the index of a play by each rounding that was worked out."""
    if not curves.rounded:
        return {}
    found = {
        rounding: index_plays.find_index(of[question]) for rounding, of in curves.rounded.items()
    }
    others = {str(rounding): one.index for rounding, one in found.items() if one is not None}
    return {str(rounding): others.get(str(rounding), index.index) for rounding in Rounding}


def _read_learn(learn: int, method: Method) -> int:
    if (number := numbers.as_whole(learn)) is None or number < 1:
        raise AnalysisError(f"learn={learn}: a number of plays, 1 or more")
    if method is Method.SIMULATION:
        raise AnalysisError("learn goes by exact gains: method both or exact")
    return number


def _read_bankroll(bankroll: float | None, method: Method, *, has_ramp: bool) -> float | None:
    if bankroll is None:
        return None
    if method is not Method.BOTH or not has_ramp:
        raise AnalysisError("bankroll: risk-averse indices need a ramp, and the method both")
    if not 0 < bankroll < math.inf:
        raise AnalysisError(f"bankroll {bankroll:g}: units of the ramp, over 0")
    return float(bankroll)


def read_method(method: str) -> Method:
    """Read the name of a method."""
    try:
        return Method(str(method).lower())
    except ValueError:
        raise AnalysisError(f"no method is called {method!r}: one of {', '.join(Method)}") from None


def _check(
    rules: Rules,
    system: CountSystem,
    method: Method,
    *,
    rounds: int | None,
    seed: int | None,
) -> None:
    job.check_supported(rules)
    check(rules, EngineName.INDICES)
    system.require_deck(rules)
    count_range(system, rules.decks or 1)
    if not any(system.tags):
        msg = f"count {system.name}: its tags are all 0, so it says nothing about the cards"
        raise AnalysisError(msg)
    if method is Method.EXACT:
        for name, value in (("rounds", rounds), ("seed", seed)):
            if value is not None:
                raise AnalysisError(f"{name} is for the simulation, and method exact has none")
    if rounds is not None and rounds < 1:
        raise AnalysisError(f"{rounds} rounds: 1 or more")
    if seed is not None:
        numbers.read_seed(seed)


def find_window(shoes: CountedShoes) -> tuple[int, int]:
    """Return the least and the greatest index of the search.

    They are -10 and 10 for a true count, or counts as rare as these in Hi-Lo; for a running count
    they are as rare half-way to the cut card.
    """
    if shoes.system.by is CountBy.TRUE:
        widest = round(WIDEST * max(shoes.spread / _HI_LO_SPREAD, 1.0))
        widest = min(widest, MOST_TRUE - _MARGIN - 1)
        return -widest, widest
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
) -> tuple[dict[IndexQuestion, Index], list[IndexQuestion]]:
    """Return the questions with an index, and requested ones without."""
    found: dict[IndexQuestion, Index] = {}
    missing: list[IndexQuestion] = []
    for question in index_plays.find_questions():
        if wanted is not None and not wanted.holds(question):
            continue
        curve = curves.get(question)
        index = None if curve is None else index_plays.find_index(curve)
        if curve is None or index is None or not least < index.index <= most:
            missing.append(question)
            continue
        acts = chart_says(chart, question)
        gain = index_plays.gain_over_chart(curve, index, chart_acts=acts)
        if gain.value > (LEAST_GAIN if wanted is None else 0.0):
            found[question] = index
        else:
            missing.append(question)
    for question in list(found):
        # A play to hit or stand removes split and double from its cell.
        first = index_plays.chart_moves_first(chart, question)
        if any(question._replace(action=one) not in found for one in first):
            del found[question]
            missing.append(question)
    return found, _explain_missing(missing, found, wanted)


def _find_other_halves(
    curves: Curves,
    found: Mapping[IndexQuestion, Index],
    chart: Strategy,
    wanted: Wanted | None,
) -> dict[IndexQuestion, Index]:
    """Find the plays of what follows where a play lets go of the chart's first action.

    At those counts what the chart does next can be wrong at every count, so that no sign changes
    there. The index is that of all hands then, whether or not they are asked.
    """
    found, halves = dict(found), dict[IndexQuestion, Index]()
    for play in found:
        if play == INSURANCE:
            continue
        for action in index_plays.ASKED[index_plays.ASKED.index(play.action) + 1 :]:
            question = play._replace(action=action)
            curve = curves.questions.get(question)
            if curve is None or question in found or question in halves:
                continue
            if wanted is not None and not wanted.holds(question):
                continue  # it is played by the chart, and the gains of the others know that
            # A play to hit or stand removes split and double from its cell.
            first = index_plays.chart_moves_first(chart, question)
            if any(question._replace(action=one) not in found | halves for one in first):
                continue
            acts = chart_says(chart, question)
            alike = [
                one
                for asked, one in curves.answers.items()
                if (asked.hand, asked.upcard, asked.action) == question
            ]
            indices = (
                index_plays.find_index(index_plays.add_curves(alike)),
                index_plays.find_index(curve),
                index_plays.at_every_count(curve, acts=not acts),
            )
            gains = {
                index: index_plays.gain_over_chart(curve, index, chart_acts=acts).value
                for index in indices
                if index is not None
            }
            best = max(gains.values())
            if best > _LEAST_OF_HALF:
                almost = (one for one in gains if gains[one] > best - _LEAST_OF_HALF)
                halves[question] = next(almost)
    return halves


def _explain_missing(
    missing: list[IndexQuestion], found: Iterable[IndexQuestion], wanted: Wanted | None
) -> list[IndexQuestion]:
    """Filter missing questions to requested ones, a cell once and only if it has no index."""
    if wanted is None or wanted.text == "all":
        return []
    there = {(question.hand, question.upcard) for question in found}
    kept: dict[object, IndexQuestion] = {}
    for one in missing:
        cell = (one.hand, one.upcard)
        if one in wanted.questions:
            kept[one] = one
        elif cell not in there:
            kept.setdefault(cell, one)
    return list(kept.values())


_Answers: TypeAlias = dict[Action, Curve]


class PlayGains:
    """Gains of plays over a chart, in units per 100 rounds, with all plays of a set in use."""

    def __init__(self, curves: Curves, chart: Strategy) -> None:
        self.curves = curves
        self.chart = chart
        by_hands: dict[Hands, dict[Action, Curve]] = defaultdict(dict)
        for one, curve in curves.answers.items():
            by_hands[one.hand, one.upcard, one.legal][one.action] = curve
        self._cells: dict[tuple[str, cards.Rank], list[tuple[frozenset[Action], _Answers]]]
        self._cells = defaultdict(list)
        for (hand, upcard, legal), worth in by_hands.items():
            self._cells[hand, upcard].append((legal, worth))

    def of(self, found: Mapping[IndexQuestion, Index]) -> dict[IndexQuestion, float]:
        """Return the gain of each play."""
        chart = self.chart
        gains = dict.fromkeys(found, 0.0)
        if insurance := found.get(INSURANCE):
            curve, acts = self.curves.questions[INSURANCE], chart_says(chart, INSURANCE)
            gain = index_plays.gain_over_chart(curve, insurance, chart_acts=acts)
            gains[INSURANCE] = gain.value
        plays = {
            question.make_play(index.index, at_or_above=index.at_or_above): question
            for question, index in found.items()
            if question != INSURANCE
        }
        deviations = Deviations(plays=tuple(plays))
        rows = {(play.hand, play.upcard): play.rows[-1] for play in plays}
        for (hand, upcard), (total, is_soft, pair_rank) in rows.items():
            asked = ChartHand(total=total, is_soft=is_soft, pair_rank=pair_rank, upcard=upcard)
            for legal, worth in self._cells[hand, upcard]:
                as_chart = chart.decide(**asked, legal=legal)
                counts = next(iter(worth.values())).counts  # hands that may not stand have others
                for place, count in enumerate(counts.tolist()):
                    used = deviations.find_used(chart, **asked, count=count, legal=legal)
                    if used is not None:
                        answer = deviations.decide(chart, **asked, count=count, legal=legal)
                        gained = _worth(worth, answer, place) - _worth(worth, as_chart, place)
                        gains[plays[used]] += index_plays.PER * gained
        return gains


def choose_to_learn(
    gains: PlayGains,
    found: Mapping[IndexQuestion, Index],
    number: int,
    halves: Collection[IndexQuestion] = (),
) -> tuple[dict[IndexQuestion, float], float]:
    """Choose the plays that gain most, one by one: each adds most to those before it.

    Return them in that order, each with the share of what all plays gain together that it and all
    before it have; and that gain, in units per 100 rounds.

    Only plays of one cell change what another of them adds. `halves` gain nothing alone: each is
    chosen with the play of its cell that needs it, before it.
    """

    def gain(plays: Iterable[IndexQuestion]) -> float:
        return math.fsum(gains.of({one: found[one] for one in plays}).values())

    whole = gain(found)
    chosen: dict[IndexQuestion, float] = {}

    def needs(play: IndexQuestion) -> list[IndexQuestion]:
        return [one for one in halves if one[:2] == play[:2] and one not in chosen]

    added = {play: gain([*needs(play), play]) for play in found if play not in halves}
    so_far = 0.0
    while added and len(chosen) < number:
        best = max(added, key=added.__getitem__)
        if (more := added.pop(best)) <= 0:
            break
        if len(chosen) + len(needs(best)) >= number:
            continue  # the play and its other half are more than are wanted
        for half in needs(best):
            chosen[half] = so_far / whole
        so_far += more
        chosen[best] = so_far / whole
        cell = [one for one in chosen if one[:2] == best[:2]]
        worth = gain(cell)
        added |= {
            one: gain([*cell, *needs(one), one]) - worth for one in added if one[:2] == best[:2]
        }
    return chosen, whole


def _worth(worth: Mapping[Action, Curve], action: Action, place: int) -> float:
    """Return the value per round of an answer at one count, over hitting."""
    return 0.0 if action is Action.HIT else float(worth[action].gain[place])
