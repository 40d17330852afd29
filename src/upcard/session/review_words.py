"""A reviewed round in words: answers, values, the end, and two ends side by side."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from itertools import zip_longest
from typing import NamedTuple

from upcard.analysis.grades import count_grades
from upcard.coach.judgement import Advice, write_chips, write_outcome
from upcard.core.actions import Action
from upcard.core.cards import Card
from upcard.core.numbers import signed
from upcard.session.review import Given, Review, Reviewed


class AnswerValue(NamedTuple):
    """The value of one answer. Units: EV per initial bet, chips."""

    action: Action
    ev: float
    cost: float
    """EV lost, 0 for the best answer."""
    chips: float
    """The cost in chips."""
    is_best: bool
    is_chosen: bool


def list_values(advice: Advice, chosen: Action | None) -> list[AnswerValue]:
    """Return the values of all answers, the best first."""
    costs, bet = advice.costs, float(advice.question.bet)
    return [
        AnswerValue(
            action,
            advice.ev[action],
            costs[action],
            costs[action] * bet,
            action is advice.best,
            action is chosen,
        )
        for action in sorted(
            advice.ev, key=lambda action: (-advice.ev[action], action != advice.best)
        )
    ]


def describe_answer(question: Reviewed, *, has_bets: bool) -> str:
    """Write what was answered, and the verdict on it."""
    if question.action is None:
        return "what would you do?"
    if question.given is Given.COACH:
        return f"{question.action}: the coach's best, as no more answers were given"
    text = str(question.action)
    if question.given is Given.INSTEAD:
        text += ", instead"
    judgement = question.judgement
    if judgement is None:
        return text
    return f"{text}. {write_outcome(judgement, has_bets=has_bets)}"


def describe_errors(review: Review) -> str:
    """Write what the mistakes of a round cost; empty if no answer was judged."""
    judged = review.judged
    if not judged:
        return ""
    wrong = count_grades(item.cost for item in judged)
    answers = f"{len(judged)} answer{'s' * (len(judged) != 1)}"
    if not wrong:
        return f"nothing: {answers}, all best"
    cost = math.fsum(item.cost for item in judged)
    chips = math.fsum(item.chips for item in judged)
    in_chips = f" = {write_chips(chips)} chips" if review.record.rules.betting else ""
    return f"{cost:.5f} EV{in_chips}, by {wrong} in {answers}"


def compare_ends(played: Review, other: Review) -> list[tuple[str, str, str]]:
    """Return the end as played and instead, as rows with a name; hands have one row each."""
    hands = zip_longest(_write_hands(played), _write_hands(other), fillvalue="")
    return [
        ("answers", write_answers(played), write_answers(other)),
        *(("" if number else "your hands", *both) for number, both in enumerate(hands)),
        ("dealer", _write_dealer(played), _write_dealer(other)),
        ("net", _write_net(played), _write_net(other)),
    ]


def write_difference(played: Review, other: Review) -> str:
    """Write the difference of two ends in chips; empty if one of them is not known."""
    if played.net is None or other.net is None:
        return ""
    return f"{signed(other.net - played.net)}: with these cards, not on average"


def describe_terms(review: Review) -> tuple[str, str]:
    """Return what the values are and assume, and what is not exact in them; empty if nothing."""
    known = [answer.advice for answer in review.answers if answer.advice is not None]
    if not known:
        return "", ""
    assumptions = dict.fromkeys(text for advice in known for text in advice.assumptions)
    inexact = dict.fromkeys(text for advice in known for text in advice.approximations)
    exact = "per initial bet" if inexact else "exact, per initial bet"
    return "; ".join((exact, *assumptions)), "; ".join(inexact)


def write_answers(review: Review) -> str:
    """Write the person's answers in a line; `(best)` marks those of the coach."""
    words = [
        f"{answer.action}{' (best)' if answer.given is Given.COACH else ''}"
        for answer in review.answers
        if answer.action is not None
    ]
    return ", ".join(words) or "none"


def _write_hands(review: Review) -> Iterator[str]:
    state = review.state
    for hand, (outcome, net) in zip(state.hands, state.results, strict=False):
        if hand.spot in review.player_spots:
            yield f"{_write(hand.cards)} ({hand.total}) {outcome} {signed(net)}"


def _write_dealer(review: Review) -> str:
    state = review.state
    return f"{_write(state.dealer)} ({state.dealer_total})" if state.is_over else "-"


def _write_net(review: Review) -> str:
    return "not known: it breaks off" if review.net is None else signed(review.net)


def _write(cards: Iterable[Card]) -> str:
    return " ".join(map(str, cards))
