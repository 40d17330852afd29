"""Gain of each play of a set over the chart, such that the gains add up.

A hand that the plays answer differently from the chart is credited to one of them, the first asked
of those that differ: see `Deviations.find_used`.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from upcard.analysis.indices.curves import PER, Curve, Index, gain_over_chart
from upcard.analysis.indices.questions import INSURANCE, IndexAnswer, IndexQuestion, chart_says
from upcard.core.actions import Action
from upcard.strategy.chart import ChartHand, Strategy
from upcard.strategy.deviations import Deviations

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import TypeAlias

    from upcard.analysis.indices.exact import Curves
    from upcard.core.cards import Rank

    Hands: TypeAlias = tuple[str, Rank, frozenset[Action]]  # row, upcard, legal actions


def gains_over_chart(
    curves: Curves, chart: Strategy, found: Mapping[IndexQuestion, Index]
) -> dict[IndexQuestion, float]:
    """Return the gain of each play over the chart, in units per 100 rounds, with all in use."""
    gains = dict.fromkeys(found, 0.0)
    if insurance := found.get(INSURANCE):
        curve, chart_acts = curves.questions[INSURANCE], chart_says(chart, INSURANCE)
        gains[INSURANCE] = gain_over_chart(curve, insurance, chart_acts=chart_acts).value
    plays = {
        question.make_play(index.index, at_or_above=index.at_or_above): question
        for question, index in found.items()
        if question != INSURANCE
    }
    deviations = Deviations(plays=tuple(plays))
    rows = {(play.hand, play.upcard): play.rows[-1] for play in plays}
    for (hand, upcard, legal), worth in _by_hands(curves.answers).items():
        if (hand, upcard) not in rows:
            continue
        total, is_soft, pair_rank = rows[hand, upcard]
        asked = ChartHand(total=total, is_soft=is_soft, pair_rank=pair_rank, upcard=upcard)
        as_chart = chart.decide(**asked, legal=legal)
        for place, count in enumerate(worth[Action.STAND].counts.tolist()):
            used = deviations.find_used(chart, **asked, count=count, legal=legal)
            if used is not None:
                answer = deviations.decide(chart, **asked, count=count, legal=legal)
                gained = _worth(worth, answer, place) - _worth(worth, as_chart, place)
                gains[plays[used]] += PER * gained
    return gains


def _by_hands(answers: Mapping[IndexAnswer, Curve]) -> dict[Hands, dict[Action, Curve]]:
    """Group the curves of answers by the hands that may give them."""
    by_hands: dict[Hands, dict[Action, Curve]] = defaultdict(dict)
    for answer, curve in answers.items():
        by_hands[answer.hand, answer.upcard, answer.legal][answer.action] = curve
    return by_hands


def _worth(worth: Mapping[Action, Curve], action: Action, place: int) -> float:
    """Return the value per round of an answer at one count, over hitting."""
    return 0.0 if action is Action.HIT else float(worth[action].gain[place])
