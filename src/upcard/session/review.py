"""A reviewed round: found, valued question by question, and gone through with a cursor.

A review plays the round again at the table and hears the events that the players heard. The coach
is asked at each of the person's questions.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from itertools import zip_longest
from typing import Any

from upcard.analysis.grades import count_grades
from upcard.answers.hand import AnswerValue, list_values
from upcard.coach.judgement import (
    Advice,
    Judgement,
    name_hand,
    write_chips,
    write_outcome,
    write_verdict,
)
from upcard.core.actions import Action
from upcard.core.cards import Card, write_face
from upcard.core.errors import EmptyShoeError, IllegalActionError, NoExactValueError, NotationError
from upcard.core.numbers import count_of, digits_of, signed, to_json
from upcard.players.seen_cards import Knowledge
from upcard.session.coaching import TableCoach
from upcard.session.narration import Narrator
from upcard.session.table_view import name_spots
from upcard.store.database import Store, open_for_reading
from upcard.store.history import hear_shoe_before, read_round
from upcard.store.records import SettledRound
from upcard.store.round_codes import decode_round, encode_round
from upcard.store.sessions import write_rules
from upcard.table.events import Board, Event, Revealed
from upcard.table.rounds import CardList, RoundRecord, Table
from upcard.table.settle import net_of_spots
from upcard.table.state import Phase, RoundState, TableView, view


class Given(StrEnum):
    """The origin of an answer."""

    PLAYED = "played"
    INSTEAD = "instead"
    """Asked for in its place."""
    COACH = "best"
    """The coach's best, where nothing else says what was answered."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reviewed:
    """One question of a round and its answer."""

    number: int
    """1 for the first question of the person's; 0 for those of the company."""
    step: int
    """How many answers of the round, of all players, came before it."""
    state: RoundState
    """The round as it was then."""
    action: Action | None
    """The answer; None where the round was stopped before it, or breaks off."""
    given: Given
    advice: Advice | None
    """The value of each answer; None for the company, and where no value is known."""
    reason: str
    """Why the best answer is best, or why no value is known; empty for the company."""

    @property
    def view(self) -> TableView:
        """The public part of the round."""
        return view(self.state)

    @property
    def legal(self) -> tuple[Action, ...]:
        """The answers that the rules allow."""
        return self.state.legal

    @property
    def values(self) -> tuple[AnswerValue, ...]:
        """The values of the answers, the best first; none without the coach's advice."""
        return () if self.advice is None else list_values(self.advice.ev, self.advice.best)

    @property
    def judgement(self) -> Judgement | None:
        """The verdict on the answer; None if there is none, or no value of it."""
        if self.advice is None or self.action not in self.advice.ev:
            return None
        return self.advice.judge(self.action)


@dataclass(frozen=True, slots=True, kw_only=True)
class Review:
    """A reviewed round, as far as it was played."""

    record: RoundRecord
    player_spots: tuple[int, ...]
    """The person's spots, from 0."""
    steps: tuple[Event | Reviewed, ...]
    """All that happened, in order; a question stands before its answer's events."""
    state: RoundState
    """The round as it ended, or where it was left."""
    unasked: tuple[Action, ...] = ()
    """Answers asked for that no question was left for."""

    @property
    def answers(self) -> tuple[Reviewed, ...]:
        """The person's questions."""
        return tuple(step for step in self.steps if isinstance(step, Reviewed) and step.number)

    @property
    def has_company(self) -> bool:
        """Whether some spots are not the person's."""
        return len(self.player_spots) < len(self.record.bets)

    @property
    def net(self) -> Fraction | None:
        """The net of the person's spots; None if the round is not over."""
        if not self.state.is_over:
            return None
        nets = net_of_spots(self.state)
        return sum((nets[spot] for spot in self.player_spots), start=nets[0] * 0)

    @property
    def judged(self) -> tuple[Judgement, ...]:
        """The verdicts on the person's answers."""
        found = (answer.judgement for answer in self.answers)
        return tuple(judgement for judgement in found if judgement is not None)


def review_round(
    record: RoundRecord,
    *,
    player_spots: Collection[int] | None = None,
    before: Iterable[Event] | None = None,
    at: int | None = None,
    instead: Sequence[Action] = (),
) -> Review:
    """Play a round again and ask the coach at each question of `player_spots`, all if None.

    With `before`, what was heard of the shoe before the round, the coach goes by the cards seen,
    else by a fresh shoe. `at` stops before that answer of the person's, from 1; with `instead` the
    round goes another way from there: by these answers, then by the coach's best.
    """
    if instead and at is None:
        raise IllegalActionError("say before which answer the round is to be played differently")
    states = record.play()
    mine = tuple(range(len(record.bets))) if player_spots is None else tuple(sorted(player_spots))
    company = {
        _key(state): action
        for state, action in zip(states, record.actions, strict=False)
        if state.hands[state.active].spot not in mine
    }
    script = _Script(record.actions, at, list(instead), company)
    if at is not None:
        asked = [state.hands[state.active].spot for state in states if not state.is_over]
        count = sum(spot in mine for spot in asked)
        if not 1 <= at <= count:
            which = f"answers 1 to {count}" if count > 1 else "answer 1 only" if count else "none"
            raise NotationError(f"there is no answer {at}: the round has {which}")
    knows = Knowledge.FRESH if before is None else Knowledge.SEEN
    coach = TableCoach(record.rules, knows=knows)
    for event in before or ():
        coach.hear(event)
    return _play(record, mine, script, coach)


@dataclass(slots=True)
class _Script:
    """Says what is answered: as played, then as asked for, then by the coach."""

    played: tuple[Action, ...]
    at: int | None
    left: list[Action]
    """The answers asked for, from question `at` on; without any the round stops there."""
    company: dict[tuple[Phase, int, tuple[Card, ...]], Action]
    is_otherwise: bool = False

    def choose(self, state: RoundState, step: int, number: int) -> tuple[Action | None, Given]:
        """Return the answer and where it comes from; None for the coach's, or for none at all."""
        if number and number == self.at:
            if not self.left:
                return None, Given.PLAYED
            self.is_otherwise = True
        if not self.is_otherwise:
            return (self.played[step] if step < len(self.played) else None), Given.PLAYED
        if number:
            return (self.left.pop(0), Given.INSTEAD) if self.left else (None, Given.COACH)
        # The company answers as it did as long as it holds the cards that it held.
        known = self.company.get(_key(state))
        return (known, Given.PLAYED) if known in state.legal else (None, Given.COACH)


def _key(state: RoundState) -> tuple[Phase, int, tuple[Card, ...]]:
    hand = state.hands[state.active]
    return state.phase, hand.spot, hand.cards


def _play(
    record: RoundRecord, player_spots: tuple[int, ...], script: _Script, coach: TableCoach
) -> Review:
    table = Table(record.rules, record.make_shoe())
    steps: list[Event | Reviewed] = []
    table.listeners += [steps.append, coach.hear]
    state = table.start(record.bets)
    step = number = 0
    while not state.is_over:
        is_own = state.hands[state.active].spot in player_spots
        number += is_own
        question = _ask(table, script, coach, step=step, number=number if is_own else 0)
        steps.append(question)
        if question.action is None:
            break
        try:
            state = table.act(question.action)
        except EmptyShoeError as error:
            raise NotationError(_explain_empty(record, question.action, error)) from None
        step += 1
    return Review(
        record=record,
        player_spots=player_spots,
        steps=tuple(steps),
        state=state,
        unasked=tuple(script.left),
    )


def _ask(table: Table, script: _Script, coach: TableCoach, *, step: int, number: int) -> Reviewed:
    state = table.state
    action, given = script.choose(state, step, number)
    advice, reason = None, ""
    if number or given is Given.COACH:
        try:
            advice = coach.advise(coach.ask(table.view(), table.legal_actions(), step=step))
        except NoExactValueError as error:
            if given is Given.COACH:
                left = f"no answer is left for {state.hands[state.active]}"
                raise NoExactValueError(f"{left}, and the coach has none: {error}") from None
            reason = str(error)
    if advice is not None and given is Given.COACH:
        action = advice.best
    if advice is not None and number:
        from upcard.coach.reasons import explain

        reason = explain(advice, action).sentence
    return Reviewed(
        number=number,
        step=step,
        state=state,
        action=action,
        given=given,
        advice=advice if number else None,
        reason=reason,
    )


def _explain_empty(record: RoundRecord, action: Action, error: EmptyShoeError) -> str:
    if not isinstance(record.source, CardList):
        return f"the round cannot be played on: {error}"
    return (
        f"after {action} an unknown card is needed: this code lists the"
        f" {len(record.source.cards)} cards that were dealt and no more, as its shoe was in play;"
        " once that is over, the round has a code that can be played on"
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A round to review, and what is known of it besides its code."""

    record: RoundRecord
    code: str
    stored: SettledRound | None = None
    before: tuple[Event, ...] | None = None
    """The cards seen of its shoe before it; None where the coach goes by a fresh shoe."""

    @property
    def player_spots(self) -> tuple[int, ...] | None:
        """The person's spots; None for a code, which does not tell them."""
        return None if self.stored is None else self.stored.player_spots

    def review(self, at: int | None = None, instead: Sequence[Action] = ()) -> Review:
        """Look the round over, as `review_round` does."""
        return review_round(
            self.record, player_spots=self.player_spots, before=self.before, at=at, instead=instead
        )


def find_source(text: str, *, cards: str = "fresh") -> Source:
    """Find the round that a code or a number of one's own memory names.

    With `cards="seen"` the coach goes by all the cards of its shoe that were seen before it.
    """
    if (number := digits_of(text)) is not None:
        with open_for_reading() as store:
            return source_of(store, read_round(store, number), cards=cards)
    try:
        record = decode_round(text)
    except NotationError as error:
        raise NotationError(f"{error}; there is no file of that name either") from None
    if cards == "seen":
        raise NotationError("--cards seen with a code: it does not tell what came before the round")
    return Source(record=record, code="".join(text.split()))


def source_of(store: Store, stored: SettledRound, *, cards: str = "fresh") -> Source:
    """Return the source of a stored round."""
    before = hear_shoe_before(store, stored) if cards == "seen" else None
    code = encode_round(stored.record)
    return Source(record=stored.record, code=code, stored=stored, before=before)


@dataclass(slots=True)
class Replaying:
    """A place in a round: one of the person's questions, or the end.

    `played` is the round as it was; `review` the one that is shown, which may have been played
    differently from question `at` on.
    """

    played: Review
    review: Review
    at: int | None = None
    place: int = 0
    """The question, from 0."""

    @property
    def is_otherwise(self) -> bool:
        """Whether what is shown is not the round as it was played."""
        return self.at is not None

    @property
    def question(self) -> Reviewed | None:
        """The question at this place; None at the end."""
        answers = self.review.answers
        return answers[self.place] if self.place < len(answers) else None

    @property
    def events(self) -> tuple[Event, ...]:
        """All that had happened at this place."""
        happened: list[Event] = []
        for step in self.review.steps:
            if step is self.question:
                break
            if not isinstance(step, Reviewed):
                happened.append(step)
        return tuple(happened)

    @property
    def board(self) -> Board:
        """The table at this place, the dealer's cards turned up at the end of a round."""
        board = Board(self.review.record.rules)
        for event in self.events:
            board.hear(event)
        state = self.review.state
        if self.question is None and state.is_over and None in board.dealer:
            board.hear(Revealed(state.dealer, state.dealer_total))
        return board

    @property
    def names(self) -> tuple[str, ...]:
        """A short name for each spot."""
        spots, count = self.review.player_spots, len(self.review.record.bets)
        return name_spots([None if spot in spots else "other" for spot in range(count)], spots)

    def step(self, by: int) -> None:
        """Step forward or back, not beyond the ends."""
        self.place = min(max(self.place + by, 0), len(self.review.answers))

    def go_to(self, place: int) -> None:
        """Go to a question, from 0; -1 is the end."""
        last = len(self.review.answers)
        self.place = last if place < 0 else min(place, last)

    def find_mistake(self, after: int) -> int | None:
        """Return the place of the next mistake after a place, as played; None if there is none."""
        for place, answer in enumerate(self.played.answers):
            judgement = answer.judgement
            if place > after and judgement is not None and not judgement.is_right:
                return place
        return None

    def branch(self, action: Action) -> tuple[int, tuple[Action, ...]]:
        """Return the question and the answers that give this one another answer.

        Other answers to earlier questions stay.
        """
        number = self.place + 1
        if self.at is None or number <= self.at:
            return number, (action,)
        between = [answer.action for answer in self.review.answers[self.at - 1 : self.place]]
        return self.at, (*(one for one in between if one is not None), action)

    def otherwise(self, review: Review) -> Replaying:
        """Return the place after the question with another answer, in the round that follows."""
        at = self.place + 1 if self.at is None else min(self.at, self.place + 1)
        return Replaying(self.played, review, at=at, place=self.place + 1)

    def as_played(self) -> Replaying:
        """Return the same place in the round as it was played."""
        place = min(self.place, len(self.played.answers))
        return Replaying(self.played, self.played, place=place)


def describe_answer(question: Reviewed, *, has_bets: bool) -> str:
    """Write what was answered, and the verdict on it."""
    if question.action is None:
        return "what would you do?"
    if question.given is Given.COACH:
        return f"{question.action}: the coach's best, as no more answers were given"
    text = str(question.action)
    if question.given is Given.INSTEAD:
        text += ", instead"
    if question.judgement is None:
        return text
    return f"{text}. {write_outcome(question.judgement, has_bets=has_bets)}"


def write_lost_chips(question: Reviewed, value: AnswerValue, *, has_bets: bool) -> str:
    """Write the cost of an answer in chips; empty for the best, and in a house without bets."""
    if question.advice is None or not (value.cost and has_bets):
        return ""
    return write_chips(value.cost * float(question.advice.question.bet))


def name_question(question: Reviewed) -> str:
    """Name the hand and the upcard of a question: `16 v 10`."""
    if question.judgement is not None:
        return name_hand(question.judgement)
    view = question.view
    hand, dealer = view.hand, " ".join(write_face(card.rank) for card in view.dealer)
    words = "blackjack" if hand.is_natural else f"{'soft ' * hand.is_soft}{hand.total}"
    return f"{words} v {dealer}" if dealer else words


def describe_errors(review: Review) -> str:
    """Write what the mistakes of a round cost; empty if no answer was judged."""
    judged = review.judged
    if not judged:
        return ""
    wrong = count_grades(item.cost for item in judged)
    answers = count_of(len(judged), "answer")
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
    # Until the end the hole card is secret.
    return document | write_hands(state) if state.is_over else document


def write_hands(state: RoundState, *, write_card: Callable[[Card], str] = str) -> dict[str, Any]:
    """Return the hands of a round that is over, the dealer's cards and what insurance won."""
    return {
        "hands": [
            {
                "spot": hand.spot,
                "cards": list(map(write_card, hand.cards)),
                "total": hand.total,
                "outcome": outcome,
                "bet": hand.stake,
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
        "hole": view.hole,
        "legal": list(question.legal),
        "action": question.action,
        "given": question.given,
    }
    if not question.number:
        return document
    document["reason"] = question.reason
    if judgement is not None:
        document["cost"] = judgement.cost
        document["cost_chips"] = judgement.chips if has_bets else None
        document["grade"] = judgement.grade
        document["text"] = write_verdict(judgement, has_bets=has_bets)
    if advice is not None:
        document |= {
            "situation": advice.question.key,
            "answers": question.values,
            "best": advice.best,
            "is_exact": advice.is_exact,
            "assumptions": list(advice.assumptions),
            "approximations": list(advice.approximations),
            "no_value": {str(action): why for action, why in advice.missing.items()},
        }
    return document
