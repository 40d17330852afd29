"""A reviewed round as a page shows it: one question at a time, and two ends side by side."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from upcard.core.numbers import signed, with_minus
from upcard.session.narration import Narrator
from upcard.session.plan import name_of
from upcard.session.review_words import (
    describe_errors,
    describe_terms,
    write_answers,
    write_difference,
    write_reviews,
)
from upcard.session.table_view import DealerView, HandView, view_dealer, view_hands
from upcard.web.final_hand import FinalHand, view_final_dealer, view_final_hands
from upcard.web.question_view import (
    QuestionView,
    StepPlace,
    find_tone,
    name_question,
    view_question,
)
from upcard.web.showing import address

if TYPE_CHECKING:
    from collections.abc import Iterator

    from upcard.session.review import Replaying, Review, Source


@dataclass(frozen=True, slots=True, kw_only=True)
class StepView:
    """A question of the round, or its end, as a link."""

    words: str
    """The hand and the upcard: `16 v 10`; `The end` for the end."""
    action: str
    """The answer; for the end, how it ended."""
    tone: str
    """The grade of the answer: `right`, `slip`, `mistake` or `blunder`; else empty."""
    href: str
    """Address of this place."""
    is_here: bool
    """Whether it is the place that is shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EndView:
    """The end of the round."""

    words: str
    """How it ended: `You win 10`."""
    tone: str
    """`good`, `bad` or empty for even."""
    errors: str
    """Cost of the mistakes in words; empty if no answer was judged."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SideView:
    """One of two ends."""

    answers: str
    """Your answers in a line."""
    hands: tuple[FinalHand, ...]
    """Your hands at the end."""
    dealer: FinalHand | None
    """None where the round breaks off."""
    net: str
    """How it ended: `You win 10`."""
    tone: str
    """`good`, `bad` or empty for even."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WhatIfView:
    """The end as played and instead."""

    at: int
    """The question that was answered differently."""
    played: SideView
    """The end as played."""
    instead: SideView
    """The end with the other answers."""
    difference: str
    """The difference between the two in words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewView:
    """A place in a round. `review` is the object of `upcard replay --json`."""

    path: str
    """Address of the round, without a place."""
    round: int | None
    """Its number in the history; None for a code."""
    code: str
    """The round as text: `/h/{code}` and `upcard replay` read it."""
    when: str
    """Local date and time; empty for a code."""
    house: str
    """Name of the house, or `own rules`."""
    rules: str
    notation: str
    company: str
    """The bots, such as `basic; you`; empty without company, and for a code."""
    cards_known: str
    """`seen` if the coach goes by the cards seen of the shoe, else `fresh`."""
    other_cards: str
    """Address by the other cards; empty for a code."""
    problem: str
    """Why the address cannot be followed; empty if it is."""
    is_ready: bool
    """False while the coach reviews it; then the rest is empty."""
    place: int
    """The question, from 1; the last one is the end."""
    steps: tuple[StepView, ...]
    """The questions and the end, in order."""
    before: str
    """Address of the place before; empty at the first."""
    after: str
    """Address of the place after; empty at the end."""
    as_played: str
    """Address of the round as it was played; empty if that is shown."""
    dealer: DealerView | None
    """The dealer's cards at this place; None until the review is ready."""
    hands: tuple[HandView, ...]
    """All hands at this place."""
    question: QuestionView | None
    """The question at this place; None at the end."""
    end: EndView
    """How the round ended."""
    compared: WhatIfView | None
    """As played against what if; None if the round is shown as played."""
    story: tuple[str, ...]
    """The round up to this place, as sentences."""
    terms: str
    """Unit and assumptions of the values; empty without values."""
    inexact: str
    """Approximations in the values; empty if all are exact."""
    review: dict[str, Any] | None
    """The whole review; None until it is ready."""


def view_waiting(source: Source, here: StepPlace) -> ReviewView:
    """Return the page while the coach is reviewing the round."""
    return ReviewView(
        **_head(source, here),
        problem="",
        is_ready=False,
        place=0,
        steps=(),
        before="",
        after="",
        as_played="",
        dealer=None,
        hands=(),
        question=None,
        end=EndView(words="", tone="", errors=""),
        compared=None,
        story=(),
        terms="",
        inexact="",
        review=None,
    )


def view_review(
    source: Source, here: StepPlace, replaying: Replaying, *, problem: str = ""
) -> ReviewView:
    """Return a place in a reviewed round."""
    played, review = replaying.played, replaying.review
    question = replaying.question
    has_bets = review.record.rules.betting
    steps = tuple(_list_steps(replaying, here))
    place = replaying.place + 1
    board = replaying.board
    terms, inexact = describe_terms(review)
    other = review if replaying.is_otherwise else None
    compared = None
    if other is not None:
        compared = WhatIfView(
            at=replaying.at or 1,
            played=_view_side(played),
            instead=_view_side(other),
            difference=with_minus(write_difference(played, other)),
        )
    return ReviewView(
        **_head(source, here),
        problem=problem,
        is_ready=True,
        place=place,
        steps=steps,
        before=steps[place - 2].href if place > 1 else "",
        after=steps[place].href if place < len(steps) else "",
        as_played=address(here.path, at=str(here.at), cards=here.cards) if other else "",
        dealer=view_dealer(board),
        hands=view_hands(
            board,
            replaying.names,
            active=-1 if question is None else question.view.active,
            own=review.player_spots,
            has_bets=has_bets,
        ),
        question=None if question is None else view_question(replaying, question, here),
        end=_view_end(review),
        compared=compared,
        story=tuple(_tell(replaying)),
        terms=terms,
        inexact=inexact,
        review=write_reviews(source, played, other),
    )


def _head(source: Source, here: StepPlace) -> dict[str, Any]:
    """Return what is known of a round without reviewing it."""
    rules, stored = source.record.rules, source.stored
    other = ""
    if stored is not None:
        other = address(here.path, cards="" if here.cards else "seen")
    return {
        "path": here.path,
        "round": None if stored is None else stored.id,
        "code": source.code,
        "when": "" if stored is None else f"{stored.settled_at.astimezone():%Y-%m-%d %H:%M}",
        "house": name_of(rules),
        "rules": str(rules),
        "notation": str(rules.replace(name="")),
        "company": "" if stored is None else stored.session.company,
        "cards_known": "fresh" if source.before is None else "seen",
        "other_cards": other,
    }


def _list_steps(replaying: Replaying, here: StepPlace) -> Iterator[StepView]:
    for place, question in enumerate(replaying.review.answers):
        yield StepView(
            words=name_question(question),
            action="" if question.action is None else str(question.action),
            tone=find_tone(question),
            href=here.link(question.number),
            is_here=place == replaying.place,
        )
    yield StepView(
        words="The end",
        action=_view_end(replaying.review).words,
        tone="",
        href=here.link("end"),
        is_here=replaying.question is None,
    )


def _view_end(review: Review) -> EndView:
    net = review.net
    if net is None:
        return EndView(words="It breaks off here", tone="", errors=describe_errors(review))
    amount = f" {signed(net).lstrip('+-')}" if review.record.rules.betting else ""
    words = f"You {'win' if net > 0 else 'lose'}{amount}" if net else "Even"
    return EndView(
        words=words,
        tone="good" if net > 0 else "bad" if net < 0 else "",
        errors=describe_errors(review),
    )


def _view_side(review: Review) -> SideView:
    state, end = review.state, _view_end(review)
    hands = view_final_hands(state, has_bets=review.record.rules.betting)
    return SideView(
        answers=write_answers(review),
        hands=tuple(
            shown
            for hand, shown in zip(state.hands, hands, strict=False)
            if hand.spot in review.player_spots
        ),
        dealer=view_final_dealer(state) if state.is_over else None,
        net=end.words,
        tone=end.tone,
    )


def _tell(replaying: Replaying) -> Iterator[str]:
    """Iterate over what happened before this place, in sentences."""
    review = replaying.review
    spots = range(len(review.record.bets))
    company = [None if spot in review.player_spots else f"Place {spot + 1}" for spot in spots]
    narrator = Narrator(review.record.rules, company=company)
    for event in replaying.events:
        yield narrator.hear(event).text
