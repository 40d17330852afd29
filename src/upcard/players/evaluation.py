"""Exact EV of every answer to a question, given the known cards."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import replace
from fractions import Fraction
from functools import cache, lru_cache
from typing import TYPE_CHECKING, NamedTuple

from upcard.core import errors, hands
from upcard.core.actions import Action
from upcard.core.cards import TEN, Card, rank_name
from upcard.exact import insurance, supported_rules
from upcard.exact.position import Position, limit_splits, lower_rules
from upcard.exact.solve import value_swap
from upcard.players.question import Question, may_double_now, may_stand_now
from upcard.rules import predicates
from upcard.rules.payoffs import natural_ev, natural_pay_of
from upcard.rules.settings import EvenMoney, HoleCard, NaturalTakes, SplitBy
from upcard.table.state import Phase

if TYPE_CHECKING:
    from upcard.players.seen_cards import Composition


class Valued(NamedTuple):
    """Values of the answers, with their limits."""

    ev: dict[Action, float]
    natural: float
    """Chance of a dealer's natural, before any look."""
    position: Position
    notes: tuple[str, ...]
    """Approximations in the values, one sentence each; empty if all are exact."""
    missing: dict[Action, str]
    """Answers without an exact value, with the reason."""


def value_question(question: Question, cards: Composition, *, splits: str) -> Valued:
    """Return the EV of every legal answer.

    Insurance and even money are valued separately: declining is worth 0, or the value of an offer
    that follows.
    """
    return _Valuer(question, cards, splits).value()


class AnswerValues(NamedTuple):
    """Values of the legal answers, without the solution that they come from."""

    ev: dict[Action, float]
    """EV of each answer for an initial bet of 1."""
    notes: tuple[str, ...]
    """Approximations in the values."""
    missing: tuple[str, ...]
    """Why an answer has no value, a sentence each."""


def value_answers(question: Question, cards: Composition, *, splits: str) -> AnswerValues:
    """Return the values of the legal answers; equal questions are valued once.

    Raises: NoExactValueError if none of them has an exact value.
    """
    rules, ranks = question.rules, question.ranks
    if rules.split_by is not SplitBy.RANK:
        # Leave out what the values do not depend on.
        if rules.ace_rule is hands.AceRule.BEST:
            ranks = tuple(sorted(ranks))
        hand = tuple(Card(rank_name(rank)) for rank in ranks)
        is_natural = rules.suited_natural_pays is not None and question.phase is Phase.INSURANCE
        if is_natural or rules.bonuses is not None or question.other:
            hand = question.cards
        upcard, *holes = (Card(rank_name(card.rank)) for card in question.dealer)
        hole = holes[0] if holes else None
        question = replace(question, cards=hand, upcard=upcard, hole=hole, bet=Fraction(1))
        cards = replace(cards, tens=None, told="")
    return _value_once(question, cards, splits)


@lru_cache(maxsize=2**16)
def _value_once(question: Question, cards: Composition, splits: str) -> AnswerValues:
    found = value_question(question, cards, splits=splits)  # its solution is large
    ev = {action: found.ev[action] for action in question.legal if action in found.ev}
    return AnswerValues(ev, found.notes, tuple(found.missing.values()))


class _Valuer:
    def __init__(self, question: Question, cards: Composition, splits: str) -> None:
        self.question = question
        self.cards = cards
        self.splits = splits
        self.position = self._open(has_looked=question.has_looked)
        self.notes: list[str] = []
        self.missing: dict[Action, str] = {}

    def value(self) -> Valued:
        question = self.question
        match question.phase:
            case Phase.INSURANCE:
                ev = self._value_insurance()
            case Phase.SURRENDER:
                looked = question.has_looked
                natural = 0.0 if looked else self.position.natural
                ev = {
                    Action.SURRENDER: predicates.surrender_ev(question.rules, natural),
                    Action.NO_SURRENDER: self._play_ev(self.position, has_looked=looked),
                }
            case Phase.SPLIT:
                ev = self._value_split_offer()
            case Phase.SWITCH:
                ev = self._value_swap()
            case _ if question.must_be_natural:
                ev = self._value_lost_21()
            case _ if question.doubles:
                ev = {action: self.position.value(action) for action in question.legal}
            case _:
                ev = self._value_actions(self.position, question.legal)
        return Valued(ev, self.position.natural, self.position, tuple(self.notes), self.missing)

    def _open(self, *, has_looked: bool) -> Position:
        question = self.question
        return Position(
            name=str(question),
            rules=question.rules,
            ranks=question.ranks,
            upcard=question.dealer_ranks[0],
            hole=question.dealer_ranks[1],
            unseen=self.cards.unseen,
            has_looked=has_looked,
            splits=supported_rules.SplitPlay(self.splits),
            split_rank=question.split_rank,
            is_free=question.is_free,
            pair=question.pair,
            most_hands=question.most_hands,
            further_pairs=self._count_further_pairs(),
            doubles=question.doubles,
            suits=tuple(card.suit for card in question.cards),
        )

    def _count_further_pairs(self) -> float:
        """Return the expected number of unseen cards that make another pair of the hand."""
        rank = self.question.pair
        if not predicates.needs_equal_faces(self.question.rules, rank):
            return self.cards.unseen[rank]
        of_face = self.cards.tens_like(self.question.cards[0].face)
        if of_face is not None:
            return float(of_face)
        return self.cards.unseen[TEN] / self.question.rules.full_deck.ten_faces

    def _value_actions(
        self, position: Position, actions: Iterable[Action], *, has_looked: bool | None = None
    ) -> dict[Action, float]:
        question = self.question
        looked = question.has_looked if has_looked is None else has_looked
        ev: dict[Action, float] = {}
        for action in actions:
            match action:
                case Action.STAND | Action.HIT | Action.DOUBLE:
                    ev[action] = position.value(action)
                case Action.SURRENDER:
                    natural = 0.0 if looked else position.natural
                    ev[action] = predicates.surrender_ev(question.rules, natural)
                case Action.SPLIT:
                    self._add_split(position, ev, looked=looked)
                case _:
                    raise errors.NoExactValueError(f"{question}: no value is known of {action}")
        return ev

    def _add_split(self, position: Position, ev: dict[Action, float], *, looked: bool) -> None:
        """Value a split, after all other actions, or record why it has no exact value."""
        question = self.question
        try:
            ev[Action.SPLIT] = self._value_split(position, ev)
        except (errors.UnsupportedRuleError, errors.NoExactValueError) as error:
            self.missing[Action.SPLIT] = str(error)
            return
        most, split_rank = question.most_hands, question.split_rank
        rules = lower_rules(question.rules, most=most, split_rank=split_rank, has_looked=looked)
        self.notes += [note for note in limit_splits(rules)[1] if note not in self.notes]

    def _value_split(self, position: Position, ev: dict[Action, float]) -> float:
        question, most = self.question, self.question.most_hands
        if not question.waiting_pairs or most is None:
            return position.value_split(most)
        self.notes.append(
            f"{question.waiting_pairs} more such pair(s) want the same room: what this split takes"
            " from them is weighed by chance, not by every card"
        )
        # After a free split only the first hand, which is asked first, has a stake.
        is_free = question.is_free or predicates.splits_free(question.rules, question.pair)
        other = replace(position, is_free=is_free)
        return value_with_waiting(
            position.value_split,
            other.value_split,
            max(other.value(action) for action in ev if action is not Action.SURRENDER),
            room=most - 1,
            waiting=question.waiting_pairs,
            pair_cards=position.further_pairs,
            cards=math.fsum(self.cards.unseen),
        )

    def _opening_actions(self) -> tuple[Action, ...]:
        """Return the actions of the hand in its turn, except surrender offers."""
        question = self.question
        hits = not predicates.gets_one_card(question.rules, question.split_rank)
        # A split comes last: it is compared with the others.
        return (
            *((Action.HIT,) if hits else ()),
            *((Action.STAND,) if may_stand_now(question) else ()),
            *((Action.DOUBLE,) if may_double_now(question) else ()),
            *((Action.SPLIT,) if question.pair else ()),
        )

    def _play_ev(self, position: Position, *, has_looked: bool) -> float:
        ev = self._value_actions(position, self._opening_actions(), has_looked=has_looked)
        return max(ev.values())

    def _value_split_offer(self) -> dict[Action, float]:
        actions = [action for action in self._opening_actions() if action is not Action.SPLIT]
        ev = self._value_actions(self.position, actions)
        declined = {Action.NO_SPLIT: max(ev.values())}
        self._add_split(self.position, ev, looked=self.question.has_looked)
        return {Action.SPLIT: ev[Action.SPLIT], **declined} if Action.SPLIT in ev else declined

    def _value_swap(self) -> dict[Action, float]:
        """Value both hands together, as they are and with their second cards swapped."""
        question = self.question
        hand, other = question.cards, question.other
        (one, two), (three, four) = ((card.rank for card in cards) for cards in (hand, other))
        shoe = list(self.cards.unseen)
        for rank in (one, two, three, four, question.upcard.rank):
            shoe[rank] += 1
        hands = (one, two), (three, four)
        return value_swap(question.rules, tuple(shoe), hands, question.upcard.rank, self.splits)

    def _value_insurance(self) -> dict[Action, float]:
        natural = self.position.natural
        side = insurance.insurance_ev(self.question.rules, natural)
        rules = self.question.rules
        if Action.EVEN_MONEY in self.question.legal:
            waiting = natural_ev(rules, natural, natural_pay_of(rules, self.question.cards))
            if rules.even_money is EvenMoney.FIRST:
                waiting += max(side, 0.0)  # insurance is still offered then
            return {Action.EVEN_MONEY: 1.0, Action.NO_EVEN_MONEY: waiting}
        return {Action.INSURANCE: side + self._gain_of_look(), Action.NO_INSURANCE: 0.0}

    def _gain_of_look(self) -> float:
        """Return the hand's gain from the dealer's look, if insurance causes it."""
        question, rules = self.question, self.question.rules
        is_natural = question.total == hands.BUST_LIMIT
        if rules.hole_card is not HoleCard.NO_PEEK or question.is_insured or is_natural:
            return 0.0
        natural = self.position.natural
        blind = self._before_play(self.position, has_looked=False)
        looking = self._before_play(self._open(has_looked=True), has_looked=True)
        looking = (1 - natural) * looking - natural
        first = predicates.offers_surrender_first(rules, question.upcard.rank)
        if first and predicates.is_early_surrender(rules):
            blind, looking = max(blind, -0.5), max(looking, -0.5)
        return looking - blind

    def _before_play(self, position: Position, *, has_looked: bool) -> float:
        """Return the EV of the hand after the point where the dealer would look."""
        rules = self.question.rules
        best = self._play_ev(position, has_looked=has_looked)
        upcard = self.question.upcard.rank
        first = predicates.offers_surrender_first(rules, upcard)
        may = predicates.may_surrender(rules, upcard=upcard, cards=2)
        if not may or (first and predicates.is_early_surrender(rules)):
            return best
        return max(best, predicates.surrender_ev(rules, 0.0 if has_looked else position.natural))

    def _value_lost_21(self) -> dict[Action, float]:
        """Value a 21 that did not win at once: the dealer has a natural."""
        question, rules = self.question, self.question.rules
        if rules.natural_ties_21 and len(question.legal) > 1:
            raise errors.NoExactValueError(
                f"{question}: the dealer has a natural, or this 21 would have won; what a"
                " card makes of the tie is not computed. Stand"
            )
        stake = 0.0 if question.is_free else 1.0
        raised = rules.double_stake - 1 if rules.natural_takes is NaturalTakes.ALL else 0
        lost = {Action.DOUBLE: stake + raised}
        return {
            action: 0.0 if rules.natural_ties_21 else 0.0 - lost.get(action, stake)
            for action in question.legal
        }


def value_with_waiting(  # noqa: PLR0913 (each is named in the call)
    split: Callable[[int], float],
    split_later: Callable[[int], float],
    unsplit_later: float,
    *,
    room: int,
    waiting: int,
    pair_cards: float,
    cards: float,
) -> float:
    """Return the EV of splitting now, less what it takes from `waiting` pairs like this one.

    `split(most)` is the EV of this pair if it may become `most` hands, `split_later` that of one
    that waits, and `unsplit_later` its best other EV; `room` splits are left, this one included.
    The room that a split leaves is weighted by its chance, ignoring that the same cards also change
    the later values a little.
    """

    @cache
    def later(pairs: int, left: int) -> float:
        """Return the EV of the waiting pairs, with `left` splits left."""
        if not pairs:
            return 0.0
        declined = unsplit_later + later(pairs - 1, left)
        if not left:
            return declined
        return max(declined, split_later(left + 1) + rest(pairs - 1, left - 1))

    def rest(pairs: int, left: int) -> float:
        """Return the EV of those that still wait after a split that leaves so much room."""
        chances = room_after(pair_cards, cards, room=left)
        return math.fsum(share * later(pairs, n) for n, share in chances.items())

    return split(room + 1) + rest(waiting, room - 1) - later(waiting, room)


def room_after(pair_cards: float, cards: float, *, room: int) -> dict[int, float]:
    """Return the chances of the splits left once two halves are played, with resplits."""
    chances: dict[int, float] = {}

    def play(halves: int, left: int, pairs: float, unseen: float, share: float) -> None:
        if not halves or not left:
            chances[left] = chances.get(left, 0.0) + share
            return
        again = min(max(pairs, 0.0) / unseen, 1.0) if unseen > 0 else 0.0
        if again:
            play(halves + 1, left - 1, pairs - 1, unseen - 1, share * again)
        if again < 1:
            play(halves - 1, left, pairs, unseen - 1, share * (1 - again))

    play(2, room, pair_cards, cards, 1.0)
    return chances
