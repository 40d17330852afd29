"""Any round by its code, or one's own by number: every question, what if, two ends side by side."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from http import HTTPStatus
from typing import Annotated, Any, Final

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from upcard.answers.hand import AnswerValue
from upcard.coach.judgement import write_answer, write_outcome
from upcard.core.actions import Action, parse_answers
from upcard.core.errors import BlackjackError, NotationError, as_sentence
from upcard.core.numbers import digits_of, format_chips, with_minus
from upcard.rules.payoffs import suits_decide
from upcard.services import not_found
from upcard.session import narration, plan, table_view
from upcard.session import review as review_words
from upcard.session.review import Given, Replaying, Review, Reviewed, Source, source_of
from upcard.store import files, history, round_codes
from upcard.web import endpoints, reading, site
from upcard.web.history import rounds
from upcard.web.showing import address, patience_of, show


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionView:
    """The question at this place."""

    number: int
    """Its number in the round, from 1."""
    words: str
    """The hand and the upcard: `16 v 10`."""
    action: str
    """The answer; empty where the round breaks off."""
    given: str
    """Origin of the answer: `played`, `instead` for what if, `best` for the coach's."""
    verdict: str
    """The verdict as a sentence; empty without values."""
    tone: str
    """The grade of the answer: `right`, `slip`, `mistake` or `blunder`; empty without values."""
    reason: str
    """Why the best answer is best; empty where there is nothing to explain."""
    answers: tuple[AnswerValue, ...]
    unknown: tuple[str, ...]
    """The legal answers without a value."""
    chips: dict[str, str]
    """Cost in chips, by answer; empty for the best, and in a house without bets."""
    instead: dict[str, str]
    """Address of the round with another answer, by answer."""
    missing: tuple[tuple[str, str], ...]
    """Answers without an exact value, each with the reason."""
    analyse: str
    """Address of the hand in the analyser; empty if it has none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StepPlace:
    """A place in a round, as an address names it."""

    path: str
    at: int | None = None
    """The question that is answered differently."""
    instead: str = ""
    cards: str = ""

    def link(self, place: int | str) -> str:
        """Return the address of a question of the round, or of its `end`."""
        if self.at is None:
            return address(self.path, at=str(place), cards=self.cards)
        at, place = str(self.at), str(place)
        return address(self.path, at=at, instead=self.instead, place=place, cards=self.cards)

    def branch(self, replaying: Replaying, action: Action) -> str:
        """Return the address of the round with another answer to the question shown."""
        at, answers = replaying.branch(action)
        instead = ", ".join(map(str, answers))
        return address(self.path, at=str(at), instead=instead, cards=self.cards)


def find_tone(question: Reviewed) -> str:
    """Return the grade of the answer, or nothing without values."""
    return "" if question.judgement is None else question.judgement.grade.value


def view_question(replaying: Replaying, question: Reviewed, here: StepPlace) -> QuestionView:
    """Return a question with its values, each with the address of what if."""
    judgement, view = question.judgement, question.view
    has_bets = replaying.review.record.rules.betting
    verdict = ""
    if judgement is not None and question.given is Given.COACH:
        verdict = f"The coach plays on: {judgement.chosen}."
    elif judgement is not None:
        verdict = f"{write_answer(judgement)} {write_outcome(judgement, has_bets=has_bets)}"
    analyse = ""
    if view.upcard is not None and view.hole is None and len(view.hand.cards) > 1:
        house, hand = replaying.review.record.rules, view.hand.cards
        is_by_suit = suits_decide(house, [card.rank for card in hand])
        cards = ".".join(str(card) if is_by_suit else card.face for card in hand)
        rules = str(house)
        analyse = address("/hand", r=rules, c=cards, u=view.upcard.face)
    values = question.values
    known = {value.action for value in values}
    missing = {} if question.advice is None else question.advice.missing
    return QuestionView(
        number=question.number,
        words=review_words.name_question(question),
        action="" if question.action is None else str(question.action),
        given=str(question.given),
        verdict=verdict,
        tone=find_tone(question),
        reason=question.reason,
        answers=values,
        unknown=tuple(str(action) for action in question.legal if action not in known),
        chips={
            value.action: review_words.write_lost_chips(question, value, has_bets=has_bets)
            for value in values
        },
        instead={
            str(action): here.branch(replaying, action)
            for action in question.legal
            if action is not question.action
        },
        missing=tuple((str(action), why) for action, why in missing.items()),
        analyse=analyse,
    )


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
    is_here: bool
    """Whether it is the place that is shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EndView:
    """The end of the round."""

    words: str
    """How it ended: `You win 10`."""
    tone: str
    errors: str
    """Cost of the mistakes in words; empty if no answer was judged."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SideView:
    """One of two ends."""

    answers: str
    """Your answers in a line."""
    hands: tuple[rounds.FinalHand, ...]
    dealer: rounds.FinalHand | None
    """None where the round breaks off."""
    net: str
    """How it ended: `You win 10`."""
    tone: str


@dataclass(frozen=True, slots=True, kw_only=True)
class WhatIfView:
    """The end as played and instead."""

    at: int
    """The question that was answered differently."""
    played: SideView
    instead: SideView
    difference: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewView:
    """A place in a round. `review` is the object of `upcard replay --json`."""

    path: str
    """Address of the round, without a place."""
    round: int | None
    """Its number in the history; None for a code."""
    code: str
    when: str
    house: str
    rules: str
    notation: str
    company: str
    """The bots, such as `basic; you`; empty without company, and for a code."""
    cards_known: str
    """`seen` if the coach goes by the cards seen of the shoe, else `fresh`."""
    other_cards: str
    """Address by the other cards; empty for a code."""
    problem: str = ""
    is_ready: bool
    place: int = 0
    """The question, from 1; the last one is the end."""
    steps: tuple[StepView, ...] = ()
    """The questions and the end, in order."""
    before: str = ""
    after: str = ""
    as_played: str = ""
    """Address of the round as it was played; empty if that is shown."""
    dealer: table_view.DealerView | None = None
    """The dealer's cards at this place; None until the review is ready."""
    hands: tuple[table_view.HandView, ...] = ()
    """All hands at this place."""
    question: QuestionView | None = None
    """The question at this place; None at the end."""
    end: EndView
    compared: WhatIfView | None = None
    """As played against what if; None if the round is shown as played."""
    story: tuple[str, ...] = ()
    terms: str = ""
    """Unit and assumptions of the values; empty without values."""
    inexact: str = ""
    """Approximations in the values; empty if all are exact."""
    review: dict[str, Any] | None = None


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
    terms, inexact = review_words.describe_terms(review)
    other = review if replaying.is_otherwise else None
    compared = None
    if other is not None:
        compared = WhatIfView(
            at=replaying.at or 1,
            played=_view_side(played),
            instead=_view_side(other),
            difference=with_minus(review_words.write_difference(played, other)),
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
        dealer=table_view.view_dealer(board),
        hands=table_view.view_hands(
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
        review=review_words.write_reviews(source, played, other),
    )


def _head(source: Source, here: StepPlace) -> dict[str, Any]:
    """Return what is known of a round without reviewing it."""
    rules, stored = source.record.rules, source.stored
    other = address(here.path, cards="" if here.cards else "seen")
    return {
        "path": here.path,
        "round": None if stored is None else stored.id,
        "code": source.code,
        "when": "" if stored is None else rounds.write_local(stored.settled_at),
        "house": plan.name_of(rules),
        "rules": str(rules),
        "notation": rules.notation,
        "company": "" if stored is None else stored.session.company,
        "cards_known": "fresh" if source.before is None else "seen",
        "other_cards": "" if stored is None else other,
    }


def _list_steps(replaying: Replaying, here: StepPlace) -> Iterator[StepView]:
    for place, question in enumerate(replaying.review.answers):
        yield StepView(
            words=review_words.name_question(question),
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
    net, errors = review.net, review_words.describe_errors(review)
    if net is None:
        return EndView(words="It breaks off here", tone="", errors=errors)
    if not net:
        return EndView(words="Even", tone="", errors=errors)
    amount = f" {format_chips(abs(net))}" if review.record.rules.betting else ""
    won, tone = ("win", "good") if net > 0 else ("lose", "bad")
    return EndView(words=f"You {won}{amount}", tone=tone, errors=errors)


def _view_side(review: Review) -> SideView:
    state, end = review.state, _view_end(review)
    hands = rounds.view_final_hands(state, has_bets=review.record.rules.betting)
    return SideView(
        answers=review_words.write_answers(review),
        hands=tuple(
            shown
            for hand, shown in zip(state.hands, hands, strict=False)
            if hand.spot in review.player_spots
        ),
        dealer=rounds.view_final_dealer(state) if state.is_over else None,
        net=end.words,
        tone=end.tone,
    )


def _tell(replaying: Replaying) -> Iterator[str]:
    review = replaying.review
    spots = range(len(review.record.bets))
    company = [None if spot in review.player_spots else f"Place {spot + 1}" for spot in spots]
    narrator = narration.Narrator(review.record.rules, company=company)
    for event in replaying.events:
        yield narrator.hear(event).text


_END: Final = "end"


@dataclass(frozen=True, slots=True, kw_only=True)
class StepTexts:
    """The place in a round that an address names."""

    at: Annotated[str, "number of a question, or `end`"] = ""
    instead: Annotated[str, "other answers from there, such as `stand`"] = ""
    place: Annotated[str, "number of a question of what if, or `end`"] = ""


@endpoints.endpoint("GET /h/{code}", page="review", view=ReviewView)
async def show_code(request: Request, *, step: StepTexts) -> Response:
    """Show a round by its code."""
    code = "".join(request.path_params["code"].split())
    try:
        record = await run_in_threadpool(round_codes.decode_round, code)
    except NotationError as error:
        raise not_found(as_sentence(str(error))) from None
    source, here = Source(record=record, code=code), StepPlace(path=f"/h/{code}")
    return await _show(request, source, here, step)


@endpoints.endpoint("GET /history/{number}", page="review", view=ReviewView)
async def show_round(
    request: Request,
    *,
    step: StepTexts,
    cards: Annotated[str, "`seen` for values by all the cards that were seen before"] = "",
) -> Response:
    """Show a round of the history."""
    number = request.path_params["number"]
    store = site.site_of(request).store
    if store is None:
        raise not_found(site.PRACTICE)
    if (known_as := digits_of(number)) is None:
        raise not_found(f"A round of the history has a number, not {number[:40]!r}.")
    known = "seen" if cards == "seen" else ""

    def find() -> Source:
        return source_of(store, history.read_round(store, known_as), cards=known or "fresh")

    try:
        source = await run_in_threadpool(find)
    except (files.StoreBusyError, files.StoreDamagedError):
        raise
    except files.StoreError as error:
        raise not_found(as_sentence(str(error))) from None
    here = StepPlace(path=f"/history/{int(number)}", cards=known)
    return await _show(request, source, here, step)


async def _show(request: Request, source: Source, here: StepPlace, step: StepTexts) -> Response:
    title = f"Round {source.stored.id}" if source.stored is not None else "A round"
    rules = str(source.record.rules)
    try:
        played = await _review(request, source, here)
    except BlackjackError as error:
        words = as_sentence(str(error))
        raise reading.RefusedError(HTTPStatus.UNPROCESSABLE_ENTITY, "not-a-round", words) from None
    if played is None:
        nothing = EndView(words="", tone="", errors="")
        view = ReviewView(**_head(source, here), is_ready=False, end=nothing)
        return show(request, "review", view, title=title, rules=rules)
    replaying, problem = await _follow(request, source, here, played, step)
    if replaying.at is not None:
        here = replace(here, at=replaying.at, instead=step.instead)
    view = view_review(source, here, replaying, problem=problem)
    said, asked = f"{view.end.words}.", view.question
    if asked is not None:
        said = f"Question {asked.number}: {asked.words}. {asked.verdict}"
    return show(request, "review", view, title=title, say=said, rules=rules, fault=problem)


async def _review(
    request: Request, source: Source, here: StepPlace, *, at: int | None = None, instead: str = ""
) -> Review | None:
    """Review a round, as played or with other answers; None if that takes too long for a page."""
    answers = parse_answers(instead) if instead else ()
    key = ("review", source.code, source.player_spots, here.cards, at, answers)
    return await site.site_of(request).solver.ask(
        key, lambda: source.review(at, answers), part="review", patience=patience_of(request)
    )


async def _follow(
    request: Request, source: Source, here: StepPlace, played: Review, step: StepTexts
) -> tuple[Replaying, str]:
    """Go to the place that an address names; return what is wrong with it too."""
    try:
        at = _read_place(step.at, len(played.answers))
        if not step.instead:
            return Replaying(played, played, place=at - 1), ""
        _check_other(played, at)
        other = await _review(request, source, here, at=at, instead=step.instead)
        if other is None:
            waits = "The coach is still working it out. Ask again."
            return Replaying(played, played, place=at - 1), waits
        place = _read_place(step.place or _END, len(other.answers))
        return Replaying(played, other, at=at, place=place - 1), ""
    except BlackjackError as error:
        return Replaying(played, played), as_sentence(str(error))


def _read_place(text: str, questions: int) -> int:
    """Return the number of a question, or one more for the end."""
    if not text:
        return 1
    if text == _END:
        return questions + 1
    number = digits_of(text) or 0
    if not 1 <= number <= questions + 1:
        which = f"questions 1 to {questions} and its end" if questions else "no question"
        raise NotationError(f"there is no question {text[:40]!r}: the round has {which}")
    return number


def _check_other(played: Review, at: int) -> None:
    """Refuse other answers where none can be given, or where they would show a hidden card."""
    if played.net is None:
        msg = "this round is not finished: other answers would show cards that are face down"
        raise NotationError(msg)
    if at > len(played.answers):
        raise NotationError("nothing is asked at the end: say before which question, such as at=1")
