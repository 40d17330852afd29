"""`Coach`: advice for any question of the table, from public information only."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from upcard.coach.evaluation import Valued, value_question
from upcard.coach.judgement import Advice
from upcard.coach.opening_hands import compose_fresh, pose
from upcard.coach.question import HandClass, Question, read_question
from upcard.coach.seen_cards import CardsSeen, Composition, Knowledge, compose
from upcard.core.actions import Action
from upcard.core.cards import Card, parse_cards
from upcard.core.errors import RulesError
from upcard.exact.position import check_rules
from upcard.exact.solve import read_split_play
from upcard.exact.solver_results import BEFORE_LOOK, best_action
from upcard.exact.supported_rules import FULL_MEMORY, SplitPlay
from upcard.rules.model import Rules
from upcard.rules.predicates import may_complete_natural
from upcard.rules.settings import HoleCard, NaturalTakes, Surrender
from upcard.table.state import Phase, TableView

_NO_CARDS: Final = CardsSeen.of(())


class Coach:
    """Advises on every question a house asks.

    It gets views and cards seen, so it cannot know the hole card or the order of the shoe. Calls
    are pure and may run in a thread: the solver's kernels release the interpreter's lock.

    Raises: UnsupportedRuleError for rules without an exact method; NotationError for an unknown
    split play; RulesError for an unknown kind of knowledge.

    >>> from upcard.rules.model import Rules
    >>> from upcard.table import ScriptedShoe, Table
    >>> rules = Rules.parse("6D S17 LS")
    >>> table = Table(rules, ScriptedShoe("T T 6 8"))
    >>> _ = table.start([10])
    >>> advice = Coach(rules).advise(table.view(), table.legal_actions())
    >>> print(advice.judge(Action.STAND))
    You stood on 16 v 10. Surrender was better: a mistake, 0.041 of a bet, 0.41 chips.
    """

    def __init__(
        self,
        rules: Rules,
        *,
        cards: Knowledge | str = Knowledge.FRESH,
        splits: SplitPlay | str = SplitPlay.CDZ,
    ) -> None:
        """Prepare for a house; `splits` names how split hands are assumed to be played."""
        if cards not in list(Knowledge):
            raise RulesError(f"cards={cards!r}: the coach knows {' or '.join(Knowledge)} cards")
        check_rules(rules)
        self.rules = rules
        self.cards = Knowledge(cards)
        self.splits = read_split_play(splits)
        if self.splits in FULL_MEMORY:
            raise RulesError(
                f"splits={self.splits}: full memory takes seconds; the coach knows "
                + ", ".join(play for play in SplitPlay if play not in FULL_MEMORY)
            )

    def advise(
        self, view: TableView, legal: tuple[Action, ...], seen: CardsSeen | None = None
    ) -> Advice:
        """Return the value of each of the `legal` actions for the active hand of `view`.

        `seen` is the state of a `SeenCards` counter that has followed this shoe; a coach for fresh
        shoes does not need it.

        Raises: RulesError for a view of other rules or without the cards seen; IllegalActionError
        if there is no question; NoExactValueError for a state without known values.
        """
        if view.rules != self.rules:
            raise RulesError(f"the coach knows {self.rules}, and the table plays {view.rules}")
        question = read_question(view, legal)
        return self.advise_on(question, self._compose(view, seen))

    def advise_on(self, question: Question, cards: Composition) -> Advice:
        """Return the value of each answer to a question, given the unseen cards.

        Raises: NoExactValueError, UnsupportedRuleError.
        """
        found = value_question(question, cards, splits=self.splits)
        ev = {action: found.ev[action] for action in question.legal if action in found.ev}
        is_natural_known = question.has_looked or question.must_be_natural
        is_split = Action.SPLIT in ev or (question.pair and question.phase is not Phase.INSURANCE)
        split_class = None
        if is_split:
            split_class = "infinite deck" if question.rules.is_infinite else str(self.splits)
        return Advice(
            question=question,
            ev=ev,
            best=best_action(ev),
            split_class=split_class,
            assumptions=tuple(_assume(question, cards, found, split_class)),
            approximations=found.notes,
            missing=found.missing,
            natural_probability=float(question.must_be_natural)
            if is_natural_known
            else found.natural,
            splits=self.splits,
            cards=cards,
            position=found.position,
        )

    def warm_up(self) -> None:
        """Load the solver's machine code, or compile it, which takes seconds on the first call.

        Front-ends call it in a thread before the first hand.
        """
        hand, upcard = parse_cards("8 8"), Card("6")
        self.advise_on(pose(self.rules, hand, upcard), compose_fresh(self.rules, hand, upcard))

    def _compose(self, view: TableView, seen: CardsSeen | None) -> Composition:
        if self.rules.is_infinite:
            return compose(self.rules, _NO_CARDS, "composition: infinite deck, always the same")
        decks = f"{self.rules.decks} deck{'s' * (self.rules.decks != 1)}"
        if self.cards is Knowledge.SEEN:
            if seen is None:
                raise RulesError(
                    "a coach for the cards seen needs them: advise(view, legal, counter.look())"
                )
            told = f"composition: {decks} less the {seen.cards} cards seen"
            return compose(self.rules, seen, told)
        spot = view.hand.spot
        own = [card for hand in view.hands if hand.spot == spot for card in hand.cards]
        told = f"composition: {decks}, fresh, less this spot's cards and the upcard"
        return compose(self.rules, CardsSeen.of([*own, *view.dealer]), told)


def _assume(
    question: Question, cards: Composition, found: Valued, split_class: str | None
) -> Iterator[str]:
    """Yield the assumptions behind the values, one sentence each."""
    rules = question.rules
    yield cards.told
    if cards.never_shown:
        yield f"{cards.never_shown} cards of earlier rounds were never shown: taken as not seen"
    yield from _assume_natural(question, found)
    if split_class is not None:
        yield f"splits: {split_class}, split again whenever the rules allow it"
    if question.split_rank:
        yield "the other hands of the split are valued separately"
    if question.spots > 1:
        yield "each spot is valued separately"
    if question.phase is Phase.INSURANCE:
        yield "the side bet is valued separately from the hand"
        insured = question.hand_class is HandClass.INSURANCE and not question.is_insured
        if rules.hole_card is HoleCard.NO_PEEK and insured and question.total != 21:
            yield "insured, the dealer looks before you play: the value includes what that saves"


def _assume_natural(question: Question, found: Valued) -> Iterator[str]:
    rules = question.rules
    if question.must_be_natural:
        yield "the dealer has a natural: if not, this 21 would have won at once"
    elif question.has_looked:
        yield "no natural after the look"
    elif may_complete_natural(question.upcard.rank):
        chance = f"a dealer natural ({found.natural:.1%})"
        if question.phase is Phase.INSURANCE:
            yield f"{chance}: not looked for yet"
        elif rules.hole_card is HoleCard.PEEK:
            yield f"{chance} ends the round before you play: it costs one bet"
            yield BEFORE_LOOK
        elif rules.natural_takes is NaturalTakes.ORIGINAL:
            yield f"{chance} takes one original bet of this spot, counted here"
        else:
            yield f"{chance} takes all bets"
        if Action.SURRENDER in question.legal and rules.surrender is Surrender.LATE:
            yield "a surrendered bet is lost whole to a dealer natural"


@lru_cache(maxsize=4096)
def advise_opening(rules: Rules, cards: tuple[Card, ...], upcard: Card) -> Advice:
    """Return the advice for an opening hand of a fresh shoe, cached for drills.

    Raises: as `Coach.advise` does.
    """
    question = pose(rules, cards, upcard)
    return Coach(rules).advise_on(question, compose_fresh(rules, cards, upcard))
