"""One question of a reviewed round as a page shows it: the value of every answer, and what if."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from upcard.coach.judgement import decimals_for, name_hand, write_answer, write_chips, write_outcome
from upcard.core.cards import rank_name
from upcard.core.numbers import with_minus
from upcard.session.review import Given, Replaying, Reviewed
from upcard.session.review_words import list_values
from upcard.web.hand_values import draw_cost
from upcard.web.showing import address

if TYPE_CHECKING:
    from collections.abc import Iterator

    from upcard.core.actions import Action

_DECIMALS: Final = 4
_BAR: Final = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class ValueView:
    """An answer and its value."""

    action: str
    """The answer."""
    ev: float | None
    """None where no value is known."""
    figure: str
    """The EV per initial bet as text; empty if it is unknown."""
    cost: float
    """EV lost against the best answer; 0 for the best."""
    cost_figure: str
    """The cost as text; empty for the best."""
    chips: str
    """The cost in chips; empty for the best and in a house without bets."""
    bar: float
    """Length of its bar: 100 for a cost of half a bet or more, 0 for the best answer."""
    is_best: bool
    """Whether it is the best answer."""
    is_chosen: bool
    """Whether it is the answer that was given."""
    instead: str
    """Address of the round with this answer; empty for the one that was given."""


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
    values: tuple[ValueView, ...]
    """Every legal answer; the best first, those without a value last."""
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
        return address(
            self.path, at=str(self.at), instead=self.instead, place=str(place), cards=self.cards
        )

    def branch(self, replaying: Replaying, action: Action) -> str:
        """Return the address of the round with another answer to the question shown."""
        at, answers = replaying.branch(action)
        instead = ", ".join(map(str, answers))
        return address(self.path, at=str(at), instead=instead, cards=self.cards)


def find_tone(question: Reviewed) -> str:
    """Return the grade of the answer, or nothing without values."""
    return "" if question.judgement is None else question.judgement.grade.value


def name_question(question: Reviewed) -> str:
    """Name the hand and the upcard of a question."""
    if question.judgement is not None:
        return name_hand(question.judgement)
    view = question.view
    upcard = "" if view.upcard is None else f" v {_face(view.upcard.rank)}"
    hand = view.hand
    soft = "soft " if hand.is_soft else ""
    words = "blackjack" if hand.is_natural else f"{soft}{hand.total}"
    return f"{words}{upcard}"


def _face(rank: int) -> str:
    name = rank_name(rank)
    return "10" if name == "T" else name


def view_question(replaying: Replaying, question: Reviewed, here: StepPlace) -> QuestionView:
    """Return a question with its values, each with the address of what if."""
    judgement, view = question.judgement, question.view
    has_bets = replaying.review.record.rules.betting
    verdict = ""
    if judgement is not None:
        outcome = write_outcome(judgement, has_bets=has_bets)
        verdict = f"{write_answer(judgement)} {outcome}"
        if question.given is Given.COACH:
            verdict = f"The coach plays on: {judgement.chosen}."
    analyse = ""
    if view.upcard is not None and len(view.hand.cards) > 1:
        cards = ".".join(card.face for card in view.hand.cards)
        rules = str(replaying.review.record.rules)
        analyse = address("/hand", r=rules, c=cards, u=view.upcard.face)
    return QuestionView(
        number=question.number,
        words=name_question(question),
        action="" if question.action is None else str(question.action),
        given=str(question.given),
        verdict=verdict,
        tone=find_tone(question),
        reason=question.reason,
        values=tuple(_list_values(replaying, question, here)),
        missing=()
        if question.advice is None
        else tuple((str(action), why) for action, why in question.advice.missing.items()),
        analyse=analyse,
    )


def _list_values(replaying: Replaying, question: Reviewed, here: StepPlace) -> Iterator[ValueView]:
    advice = question.advice
    known: set[Action] = set()
    if advice is not None:
        has_bets = replaying.review.record.rules.betting
        for value in list_values(advice, question.action):
            known.add(value.action)
            digits = decimals_for(value.cost, least=_DECIMALS)
            yield ValueView(
                action=str(value.action),
                ev=value.ev,
                figure=with_minus(f"{value.ev + 0.0:+.{digits}f}"),
                cost=value.cost,
                cost_figure=f"{value.cost:.{digits}f}" if value.cost else "",
                chips=write_chips(value.chips) if value.cost and has_bets else "",
                bar=draw_cost(value.cost),
                is_best=value.is_best,
                is_chosen=value.is_chosen,
                instead="" if value.is_chosen else here.branch(replaying, value.action),
            )
    for action in question.legal:
        if action not in known:
            is_chosen = action is question.action
            yield ValueView(
                action=str(action),
                ev=None,
                figure="",
                cost=0.0,
                cost_figure="",
                chips="",
                bar=0.0,
                is_best=False,
                is_chosen=is_chosen,
                instead="" if is_chosen else here.branch(replaying, action),
            )
