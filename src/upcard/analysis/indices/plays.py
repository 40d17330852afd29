"""Questions that indices answer, the gain of a play by count, and the index that follows.

A cell has four questions, in the order of the layers of deviations: surrender against the rest;
split against the rest without surrender; double against hit and stand; stand against hit. Each is
a separate play of `Deviations`.
"""

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from upcard.core.actions import Action
from upcard.core.cards import ACE, UPCARD_ORDER, Rank, rank_name
from upcard.core.errors import AnalysisError, quote
from upcard.core.numbers import as_object
from upcard.core.user_files import could_be_file
from upcard.strategy.chart import HAND_LABELS, PAIR_LABELS, UPCARD_LABELS, Strategy
from upcard.strategy.deviations import Deviation, deviation_names, load_deviations
from upcard.strategy.ramp import BetRamp

ASKED: Final = (Action.SURRENDER, Action.SPLIT, Action.DOUBLE, Action.STAND)
"""Actions of questions, in the order in which they are asked."""
_CELL: Final = re.compile(r"([0-9AT,]+)\s*v\s*([0-9AT]+)", re.IGNORECASE)
_INSURANCE: Final = "insurance"
_ALL: Final = "all"


@as_object("cell=__str__ action")
class IndexQuestion(NamedTuple):
    """Whether to take an action with the hands of a row against an upcard."""

    hand: str
    """Row of the chart; empty for insurance."""
    upcard: Rank
    action: Action

    def __str__(self) -> str:
        """Write the cell: `16 v T`."""
        if self.action is Action.INSURANCE:
            return _INSURANCE
        return f"{'TT' if self.hand == '1010' else self.hand} v {rank_name(self.upcard)}"

    def make_play(self, index: int, *, at_or_above: bool) -> Deviation:
        """Return the play that takes the action on one side of an index."""
        action, otherwise = self.action, None
        if action is Action.STAND:
            # One play for both, which is written with the action at high counts first.
            action, otherwise = (action, Action.HIT) if at_or_above else (Action.HIT, action)
            at_or_above = True
        return Deviation(
            hand=self.hand,
            upcard=self.upcard,
            action=action,
            index=index,
            at_or_above=at_or_above,
            otherwise=otherwise,
        )


INSURANCE: Final = IndexQuestion("", ACE, Action.INSURANCE)


class IndexAnswer(NamedTuple):
    """An answer that hands of a row may give, among their legal actions.

    Hands of two cards and of more are distinguished by what is legal.
    """

    hand: str
    upcard: Rank
    legal: frozenset[Action]
    action: Action


class Wanted(NamedTuple):
    """Requested questions, by name or as cells."""

    text: str
    questions: tuple[IndexQuestion, ...]
    cells: tuple[tuple[str, Rank], ...]
    """Cells of which every question is requested."""

    @property
    def upcards(self) -> tuple[Rank, ...]:
        """Upcards of the requested questions."""
        if self.text == _ALL:
            return UPCARD_ORDER
        asked = {question.upcard for question in self.questions}
        asked |= {upcard for _, upcard in self.cells}
        return tuple(upcard for upcard in UPCARD_ORDER if upcard in asked)

    def holds(self, question: IndexQuestion) -> bool:
        """Whether a question is requested."""
        cell = question.hand, question.upcard
        return self.text == _ALL or question in self.questions or cell in self.cells


def read_wanted(text: str) -> Wanted:
    """Read the requested plays: `all`, a set's name or file, or `16 v T, 12 v 3, insurance`."""
    written = str(text).strip()
    if written.lower() == _ALL:
        return Wanted(_ALL, (), ())
    cells: list[tuple[str, Rank]] = []
    questions: list[IndexQuestion] = []
    for part in (part.strip() for part in written.split(",") if part.strip()):
        if part.lower() == _INSURANCE:
            questions.append(INSURANCE)
        elif match := _CELL.fullmatch(part):
            cells.append(_read_cell(part, match[1], match[2]))
        elif "," not in written:
            return _read_set(written)
        else:
            raise AnalysisError(_explain(part))
    if not cells and not questions:
        raise AnalysisError(_explain(text))
    return Wanted(written, tuple(questions), tuple(cells))


def _read_set(name: str) -> Wanted:
    known = all(part.lower() in deviation_names() for part in name.split("+"))
    if not known and not could_be_file(name):
        raise AnalysisError(_explain(name))
    loaded = load_deviations(name)
    # To hit belongs to the question of standing.
    asked = (
        (play, Action.STAND if play.action is Action.HIT else play.action) for play in loaded.plays
    )
    questions = [IndexQuestion(play.hand, play.upcard, action) for play, action in asked]
    if loaded.insurance is not None:
        questions.insert(0, INSURANCE)
    return Wanted(name, tuple(questions), ())


def _read_cell(written: str, hand: str, upcard: str) -> tuple[str, Rank]:
    label = hand.upper().replace("T", "10")
    letter = upcard.upper().replace("T", "10")
    if label not in HAND_LABELS or letter not in UPCARD_LABELS:
        raise AnalysisError(_explain(written))
    return label, UPCARD_ORDER[UPCARD_LABELS.index(letter)]


def _explain(part: str) -> str:
    names = ", ".join(deviation_names())
    return (
        f"plays {quote(part)}: write all, a set ({names}, joined by +, or a file), or cells of the"
        " chart with commas between them: 16 v T, A7 v 2, 88 v T, insurance"
    )


def find_questions() -> Iterator[IndexQuestion]:
    """Iterate over all questions of all cells, insurance first."""
    yield INSURANCE
    for upcard in UPCARD_ORDER:
        for hand in HAND_LABELS:
            for action in asked_of(hand):
                yield IndexQuestion(hand, upcard, action)


def asked_of(hand: str) -> tuple[Action, ...]:
    """Return the questions about a row of the chart; only pairs are split."""
    return tuple(action for action in ASKED if action is not Action.SPLIT or hand in PAIR_LABELS)


def chart_says(chart: Strategy, question: IndexQuestion) -> bool:
    """Whether the chart takes the action, as far as this layer decides."""
    if question.action is Action.INSURANCE:
        return chart.takes_insurance
    total, is_soft, pair_rank = question.make_play(0, at_or_above=True).rows[-1]
    options = chart.options(
        total=total, is_soft=is_soft, pair_rank=pair_rank, upcard=question.upcard
    )
    if question.action is Action.STAND:
        plain = [action for action in options if action in (Action.HIT, Action.STAND)]
        return plain[0] is Action.STAND
    if question.action is Action.SURRENDER:
        return options[0] is Action.SURRENDER
    return question.action in options


def chart_moves_first(chart: Strategy, question: IndexQuestion) -> tuple[Action, ...]:
    """Return the split or double of the chart that a play to hit or stand removes."""
    if question.action is not Action.STAND:
        return ()
    return tuple(
        action
        for action in (Action.SPLIT, Action.DOUBLE)
        if (action is not Action.SPLIT or question.hand in PAIR_LABELS)
        and chart_says(chart, question._replace(action=action))
    )


Floats = NDArray[np.float64]
PER: Final = 100.0
"""Gains are given per this number of rounds."""
LEAST_SLOPE: Final = 3.0
"""Standard errors by which the slope of a fitted line must differ from 0."""


class Curve(NamedTuple):
    """Gain of an action over its alternative, by whole count. One entry per count."""

    counts: NDArray[np.int64]
    """The whole counts; the first and the last include counts beyond."""
    exact_counts: Floats
    """Mean of the count before rounding; NaN if none came up."""
    share: Floats
    """Share of the rounds in which the question comes up at this count."""
    gain: Floats
    """Gain a round: mean gain where the question comes up, times `share`; units of a bet."""
    variance: Floats
    """Square of the standard error of `gain`; 0 in an exact curve."""
    ramp_gain: Floats | None = None
    """Gain a round at the bets of a ramp; None without one."""

    @property
    def mean(self) -> Floats:
        """Mean gain where the question comes up; NaN if it does not."""
        mean = np.full(len(self.gain), np.nan)
        np.divide(self.gain, self.share, out=mean, where=self.share > 0)
        return mean


@dataclass(frozen=True, slots=True)
class Index:
    """Count from which an action gains, with its error."""

    index: int
    at_or_above: bool
    """Whether the action gains from the index up; if not, below it."""
    crossing: float
    """Count at which the gain changes its sign, before rounding."""
    error: float
    """Standard error of `crossing`; 0 if it is exact."""
    json_keys = "index crossing"


class Gain(NamedTuple):
    """Gain of a play over the chart, per 100 rounds, in units."""

    value: float
    standard_error: float


def find_index(curve: Curve) -> Index | None:
    """Return the index that gains most; None if one action is better at every count."""
    known = np.flatnonzero(curve.share > 0)
    if len(known) < 2:
        return None
    gain, counts = curve.gain[known], curve.counts[known]
    above = np.cumsum(gain[::-1])[::-1]
    below = np.cumsum(gain)
    # Act from place i up, or below place i.
    up, down = int(np.argmax(above)), int(np.argmax(below)) + 1
    best = max(above[up], below[down - 1], 0.0)
    if up > 0 and above[up] == best:
        place, at_or_above = up, True
    elif down < len(known) and below[down - 1] == best:
        place, at_or_above = down, False
    else:
        return None
    means, exact = curve.mean[known], curve.exact_counts[known]
    step = means[place] - means[place - 1]
    share = -means[place - 1] / step if step else 0.5
    crossing = exact[place - 1] + min(max(share, 0.0), 1.0) * (exact[place] - exact[place - 1])
    return Index(int(counts[place]), at_or_above, float(crossing), error=0.0)


def add_curves(curves: Sequence[Curve]) -> Curve:
    """Return the curve of all hands of some exact curves, without the bets of a ramp."""
    share = np.sum([one.share for one in curves], axis=0)
    known = [np.where(one.share > 0, one.exact_counts, 0.0) * one.share for one in curves]
    exact = np.full(len(share), np.nan)
    np.divide(np.sum(known, axis=0), share, out=exact, where=share > 0)
    gain, none = np.sum([one.gain for one in curves], axis=0), np.zeros(len(share))
    return Curve(curves[0].counts, exact, share, gain, none)


def at_every_count(curve: Curve, *, acts: bool) -> Index:
    """Return an index beyond all counts of a curve, with the action taken at all or none."""
    first, last = int(curve.counts[0]), int(curve.counts[-1])
    index = first if acts else last
    return Index(index, at_or_above=True, crossing=float(index), error=0.0)


def find_risk_averse(
    curve: Curve, ramp: BetRamp, *, bankroll: float, added_square: float
) -> Index | None:
    """Return the index at which a play raises the certainty equivalent, bet by a ramp in units.

    At a bet b an action is worth its risk if its gain is above b added_square / (2 bankroll), as a
    certainty equivalent is EV less variance / (2 bankroll) for full Kelly bets; the bet is that of
    the count at the decision. Source: Kelly; as in `figures.certainty_equivalent`.
    """
    bets = np.array([float(ramp.bet(int(count))) for count in curve.counts])
    risk = bets * added_square / (2 * bankroll)
    return find_index(curve._replace(gain=curve.gain - curve.share * risk))


class Fit(NamedTuple):
    """A straight line fitted to a simulated curve."""

    found: Index | None
    """Count at which it crosses zero; None if its slope is too uncertain."""
    errors_apart: float
    """Its distance from zero at the exact crossing, in standard errors; above 0 if the simulated
    index is the higher one."""


def fit_index(curve: Curve, exact: Index, *, width: float, tolerance: float) -> Fit | None:
    """Fit a line to a simulated curve, by weighted least squares, within `width` of an exact index.

    `tolerance` is the standard error allowed to the exact crossing. None if there are too few
    counts to fit. The two are compared in gains at the exact crossing, because a quotient of two
    estimates, as the crossing of the line is, has no good standard error if the slope is small.
    """
    is_near = np.abs(curve.exact_counts - exact.crossing) <= width
    used = np.flatnonzero((curve.variance > 0) & is_near & (curve.share > 0))
    if len(used) < 3:
        return None
    x, y = curve.exact_counts[used], curve.mean[used]
    weights = curve.share[used] ** 2 / curve.variance[used]
    total = weights.sum()
    middle = (weights @ x) / total
    spread = weights @ (x - middle) ** 2
    slope = (weights @ ((x - middle) * y)) / spread
    level = (weights @ y) / total
    direction = 1.0 if exact.at_or_above else -1.0
    away = exact.crossing - middle
    error = math.sqrt(1 / total + away**2 / spread + (slope * tolerance) ** 2)
    apart = float(-direction * (level + slope * away) / error)
    steepness = float(direction * slope * math.sqrt(spread))
    if steepness < LEAST_SLOPE:
        # A line that falls where the exact gain rises disagrees too, wherever it crosses zero.
        return Fit(None, steepness if -steepness > abs(apart) else apart)
    crossing = middle - level / slope
    crossing_error = math.sqrt(1 / total + (crossing - middle) ** 2 / spread) / abs(slope)
    # Whole counts beyond the crossing gain on average.
    beyond = curve.counts[curve.exact_counts > crossing]
    index = int(beyond[0]) if len(beyond) else int(curve.counts[-1]) + 1
    return Fit(Index(index, exact.at_or_above, float(crossing), float(crossing_error)), apart)


def gain_over_chart(curve: Curve, index: Index, *, chart_acts: bool) -> Gain:
    """Return the gain of a play per 100 rounds, where it differs from the chart."""
    acts = (curve.counts >= index.index) == index.at_or_above
    changed = acts != chart_acts
    sign = -1.0 if chart_acts else 1.0
    gain = sign * curve.gain[changed].sum()
    return Gain(float(PER * gain), float(PER * math.sqrt(curve.variance[changed].sum())))
