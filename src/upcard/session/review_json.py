"""A reviewed round as JSON."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from upcard.coach.judgement import write_verdict
from upcard.core.numbers import to_json
from upcard.session.narration import Narrator
from upcard.session.review import Review, Reviewed
from upcard.store.sessions import write_rules

if TYPE_CHECKING:
    from collections.abc import Callable

    from upcard.core.cards import Card
    from upcard.session.review_source import Source
    from upcard.table.state import RoundState


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
            "played": _write(played),
            "instead": None if other is None else _write(other),
        }
    )
    return document


def _write(review: Review) -> dict[str, Any]:
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
