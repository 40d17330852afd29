"""A reviewed round in words and as JSON."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from itertools import zip_longest
from typing import TYPE_CHECKING, Any, NamedTuple

from upcard.analysis.grades import count_grades
from upcard.coach.judgement import Advice, write_chips, write_outcome, write_verdict
from upcard.core.actions import Action
from upcard.core.cards import Card
from upcard.core.numbers import signed, to_json
from upcard.session.narration import Narrator
from upcard.session.review import Given, Review, Reviewed, Source
from upcard.store.sessions import write_rules

if TYPE_CHECKING:
    from upcard.table.state import RoundState


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


def write_reviews(found: Source, played: Review, other: Review | None) -> dict[str, Any]:
    """Return the round as played and, if requested, with other answers."""
    rules, stored = found.record.rules, found.stored
    document: dict[str, Any] = to_json(
        {
            "round": None if stored is None else stored.id,
            "code": found.code,
            "house": rules.name or None,
            "rules": write_rules(rules),
            "company": None if stored is None else stored.session.company or None,
            "bets": list(found.record.bets),
            "own": list(played.player_spots),
            "cards_known": "fresh" if found.before is None else "seen",
            "played": _write_review(played),
            "instead": None if other is None else _write_review(other),
        }
    )
    return document


def _write_review(review: Review) -> dict[str, Any]:
    state, judged = review.state, review.judged
    narrator = Narrator(review.record.rules)
    has_bets = review.record.rules.betting
    document: dict[str, Any] = {
        "steps": [
            _write_question(step, has_bets=has_bets)
            if isinstance(step, Reviewed)
            else narrator.hear(step).to_json()
            for step in review.steps
        ],
        "is_over": state.is_over,
        "not_asked": list(review.unasked),
        "judged": len(judged),
        "mistakes": sum(not judgement.is_right for judgement in judged),
        "cost_ev": math.fsum(judgement.cost for judgement in judged),
        "cost_chips": math.fsum(judgement.chips for judgement in judged) if has_bets else None,
        "net": review.net,
    }
    if not state.is_over:  # the hole card is still secret
        return document
    return document | write_hands(state)


def write_hands(state: RoundState, *, write_card: Callable[[Card], str] = str) -> dict[str, Any]:
    """Return the hands of a round that is over, the dealer's cards and what insurance won."""
    return {
        "hands": [
            {
                "spot": hand.spot,
                "cards": list(map(write_card, hand.cards)),
                "total": hand.total,
                "outcome": outcome,
                "bet": hand.bet,
                "net": net,
            }
            for hand, (outcome, net) in zip(state.hands, state.results, strict=True)
        ],
        "dealer": list(map(write_card, state.dealer)),
        "insurance_net": state.insurance.net,
    }


def _write_question(question: Reviewed, *, has_bets: bool) -> dict[str, Any]:
    view, advice, judgement = question.view, question.advice, question.judgement
    document: dict[str, Any] = {
        "type": "question",
        "answer": question.number or None,
        "hand": view.active,
        "spot": view.hand.spot,
        "cards": list(view.hand.cards),
        "total": view.hand.total,
        "upcard": view.upcard,
        "legal": list(question.legal),
        "action": question.action,
        "given": question.given,
    }
    if not question.number:
        return document
    document["reason"] = question.reason
    if judgement is not None:
        document["cost_ev"] = judgement.cost
        document["cost_chips"] = judgement.chips if has_bets else None
        document["grade"] = judgement.grade
        document["text"] = write_verdict(judgement, has_bets=has_bets)
    if advice is not None:
        document |= {
            "situation": advice.question.key,
            "ev": {str(action): ev for action, ev in advice.ev.items()},
            "best": advice.best,
            "is_exact": advice.is_exact,
            "assumptions": list(advice.assumptions),
            "approximations": list(advice.approximations),
            "no_value": {str(action): why for action, why in advice.missing.items()},
        }
    return document
