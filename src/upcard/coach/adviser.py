"""`Coach`: advice for any question of the table, and the values of all opening hands."""

import math
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import lru_cache
from typing import Final, NamedTuple

from upcard.cache.exact import opening_values
from upcard.coach import judgement
from upcard.core.actions import Action
from upcard.core.cards import ACE, RANKS, TEN, Card, Rank, rank_name
from upcard.core.errors import RulesError, UnsupportedRuleError
from upcard.core.hands import BUST_LIMIT, hand_table
from upcard.core.wager import read_bet
from upcard.exact.composition import TWO_CARD_HANDS, natural_rank
from upcard.exact.infinite_hands import rank_odds
from upcard.exact.position import check_rules, limit_splits, lower_rules
from upcard.exact.solve import Values, read_split_play
from upcard.exact.solver_results import BEFORE_LOOK, best_action, cost_of
from upcard.exact.supported_rules import QUICK_PLAYS, SplitPlay
from upcard.players import evaluation
from upcard.players.question import (
    HandClass,
    Question,
    may_double_now,
    may_stand_now,
    read_question,
)
from upcard.players.seen_cards import CardsSeen, Composition, Knowledge, compose, require_upcard
from upcard.rules import predicates, settings
from upcard.rules.model import Rules
from upcard.table.state import Phase, TableView

_BET = read_bet(1)


class OpeningHand(NamedTuple):
    """One opening hand against one upcard, from a freshly shuffled shoe."""

    cards: tuple[Card, Card]
    upcard: Card
    frequency: float
    """Share of the rounds, or of all the opening questions of a house."""
    hole: Card | None = None
    """The hole card, where the house shows it: of two ranks the higher, as their order is one."""

    @property
    def ranks(self) -> tuple[Rank, Rank]:
        """The ranks of the two cards."""
        return self.cards[0].rank, self.cards[1].rank


@lru_cache(maxsize=16)
def list_dealt(rules: Rules) -> tuple[OpeningHand, ...]:
    """Return every two-card hand by upcard, with the share of rounds in which it is played.

    The rounds that end with a dealer's natural found by a peek are not in these shares.
    """
    check_rules(rules)
    require_upcard(rules, "list of opening hands", reads_hole=True)
    starts = TWO_CARD_HANDS if rules.shows_hole else [(up,) for up in RANKS]
    dealt = []
    for dealer in starts:
        up, *hole = (Card(rank_name(rank)) for rank in dealer)
        for ranks in TWO_CARD_HANDS:
            if chance := _chance(rules, dealer, ranks):
                for cards, share in _faces(rules, *ranks):
                    dealt.append(OpeningHand(cards, up, chance * share, *hole))
    return tuple(dealt)


@lru_cache(maxsize=16)
def list_situations(rules: Rules) -> tuple[OpeningHand, ...]:
    """Return the opening situations in which the player decides, with exact frequencies.

    A player's natural needs no decision, and a dealer's natural found by a peek ends the round.
    """
    table = hand_table(rules.ace_rule)
    found = [
        one for one in list_dealt(rules) if table.total[table.state_of(one.ranks)] < BUST_LIMIT
    ]
    total = math.fsum(situation.frequency for situation in found)
    return tuple(situation._replace(frequency=situation.frequency / total) for situation in found)


def _chance(rules: Rules, dealer: tuple[Rank, ...], ranks: tuple[Rank, Rank]) -> float:
    """Return the chance of the dealer's shown cards and two cards with which the player decides."""
    if {*dealer} == {ACE, TEN}:
        return 0.0  # a natural that is seen ends the round
    up = dealer[0]
    looks = predicates.dealer_peeks(rules, up) and not predicates.surrenders_before_look(rules, up)
    matching = natural_rank(up) if looks and len(dealer) == 1 else 0
    chance = float(len({*ranks}) * len({*dealer}))  # in any order
    if rules.is_infinite:
        odds = rank_odds(rules)
        return chance * math.prod(odds[rank] for rank in (*dealer, *ranks)) * (1 - odds[matching])
    left = list(rules.full_shoe.counts)
    for rank in (*dealer, *ranks):
        chance *= left[rank] / sum(left)
        left[rank] -= 1
    return chance * (1 - left[matching] / sum(left)) if matching else chance


def _faces(rules: Rules, first: Rank, second: Rank) -> Iterator[tuple[tuple[Card, Card], float]]:
    """Return the cards of a hand: two tens with equal and other faces, if faces matter."""
    one, two = Card(rank_name(first)), Card(rank_name(second))
    if first != second or not predicates.needs_equal_faces(rules, first):
        yield (one, two), 1.0
        return
    tens, faces = rules.full_shoe.counts[TEN], rules.full_deck.ten_faces
    same = 1 / faces if rules.is_infinite else (tens / faces - 1) / (tens - 1)
    yield (Card("K"), Card("K")), same
    yield (Card("K"), Card("Q")), 1 - same


def pose(  # noqa: PLR0913 (each is named in the call)
    rules: Rules,
    cards: tuple[Card, ...],
    upcard: Card,
    *,
    hole: Card | None = None,
    has_offers: bool = True,
    split_rank: Rank = 0,
    is_free: bool = False,
) -> Question:
    """Return the table's question about a hand, with insurance declined.

    Without offers it is about all answers at once, as `upcard.solve` values them; a table may offer
    surrender or a split first. With a `split_rank` the hand is the first of a split pair, or the
    second if the house has paid for it (`is_free`).
    """
    require_upcard(rules, "question about a hand", reads_hole=hole is not None)
    table = hand_table(rules.ace_rule)
    state = table.state_of(card.rank for card in cards)
    if table.total[state] >= BUST_LIMIT:
        raise RulesError(f"{' '.join(map(str, cards))} is not asked about")
    dealt = len(cards) + bool(split_rank)  # surrender and the look come before a split
    hands = 1 + bool(split_rank)
    room = predicates.hands_left(rules, spot_hands=hands, all_hands=hands, rank=cards[0].rank)
    no_split = predicates.why_not_split(rules, cards, split_rank=split_rank)
    pair = cards[0].rank if no_split is None and room != 0 else 0
    phase = Phase.PLAY
    if has_offers and dealt == 2 and predicates.offers_surrender_first(rules, upcard.rank):
        phase = Phase.SURRENDER
    elif has_offers and pair and rules.turn_order is settings.TurnOrder.SPLITS_FIRST:
        phase = Phase.SPLIT
    may_look = hole is None and predicates.may_complete_natural(upcard.rank)
    question = Question(
        rules=rules,
        phase=phase,
        legal=(),
        cards=cards,
        total=table.total[state],
        is_soft=table.is_soft[state],
        upcard=upcard,
        hole=hole,
        bet=_BET,
        split_rank=split_rank,
        is_free=is_free,
        pair=pair,
        most_hands=(None if room is None else room + 1) if pair else 1,
        waiting_pairs=0,
        has_looked=may_look
        and predicates.looks_before_answer(rules, upcard=upcard.rank, cards=dealt),
        must_be_natural=False,
        is_insured=False,
        spots=1,
    )
    if phase is Phase.SURRENDER:
        return replace(question, legal=(Action.SURRENDER, Action.NO_SURRENDER))
    if phase is Phase.SPLIT:
        return replace(question, legal=(Action.SPLIT, Action.NO_SPLIT))
    may_surrender = predicates.may_surrender(
        rules, upcard=upcard.rank, cards=len(cards), split_rank=split_rank
    )
    extra = {
        Action.STAND: may_stand_now(question),
        Action.DOUBLE: may_double_now(question),
        Action.SPLIT: bool(question.pair),
        Action.SURRENDER: may_surrender,
    }
    possible = (action for action, may in extra.items() if may)
    return replace(question, legal=(Action.HIT, *possible))


def compose_fresh(rules: Rules, cards: tuple[Card, ...], *dealer: Card) -> Composition:
    """Return the unseen cards of a full shoe after dealing the hand and the dealer's cards."""
    if rules.is_infinite:
        return compose(rules, CardsSeen.of(()), "composition: infinite deck, always the same")
    shown = "upcard" if len(dealer) == 1 else "dealer's cards"
    told = f"composition: a fresh shoe, less the hand and the {shown}"
    return compose(rules, CardsSeen.of((*cards, *dealer)), told)


CLOSE_SURRENDER = 0.15
"""Hands whose surrender is within this of the best answer are a separate class."""


class ValuedOpening(NamedTuple):
    """An opening situation with its exact values."""

    situation: OpeningHand
    question: Question
    ev: dict[Action, float]
    hand_class: HandClass
    """Class for drills: surrender where it is close, best, or a separate offer."""
    slip: float
    """Cost of the likeliest mistake, the second best answer; EV per initial bet."""

    @property
    def cell(self) -> str:
        """The situation as a cell of a chart: `16 v T`."""
        return f"{self.question.label} v {self.question.column}"


@lru_cache(maxsize=8)
def list_openings(rules: Rules) -> tuple[ValuedOpening, ...]:
    """Return every opening situation with a decision, its frequency and exact values."""
    situations = list_situations(rules)
    questions = [pose(rules, one.cards, one.upcard, hole=one.hole) for one in situations]
    openings = []
    valued = zip(situations, questions, _value_all(rules, questions), strict=True)
    for situation, question, values in valued:
        ev = _offer(question, values)
        costs = (cost_of(max(ev.values()), one) for one in ev.values())
        slip = min((cost for cost in costs if cost > 0), default=0.0)
        openings.append(ValuedOpening(situation, question, ev, _classify(question, ev), slip))
    return tuple(openings)


def _value_all(rules: Rules, questions: Iterable[Question]) -> tuple[Values, ...]:
    try:
        solvable = limit_splits(rules)[0]
    except UnsupportedRuleError:
        solvable = lower_rules(rules, most=1)  # only the splits have no exact method
    asked = tuple((one.ranks, one.dealer_ranks, one.pair) for one in questions)
    return opening_values(solvable, asked)


def _offer(question: Question, values: Values) -> Values:
    """Return the values for the question: a separate offer leaves the best of the others."""
    match question.phase:
        case Phase.SURRENDER:
            offered, declined = Action.SURRENDER, Action.NO_SURRENDER
        case Phase.SPLIT:
            offered, declined = Action.SPLIT, Action.NO_SPLIT
        case _:
            return {action: values[action] for action in question.legal if action in values}
    found = {declined: max(value for action, value in values.items() if action is not offered)}
    return {offered: values[offered], **found} if offered in values else found


def _classify(question: Question, ev: Values) -> HandClass:
    if Action.SURRENDER in ev:
        others = max(value for action, value in ev.items() if action is not Action.SURRENDER)
        if question.phase is Phase.SURRENDER or ev[Action.SURRENDER] - others >= -CLOSE_SURRENDER:
            return HandClass.SURRENDER
    if question.pair:
        return HandClass.PAIR
    return HandClass.SOFT if question.is_soft else HandClass.HARD


_NO_CARDS: Final = CardsSeen.of(())


class Coach:
    """Advises on every question a house asks.

    It gets views and cards seen, so it cannot know the hole card or the order of the shoe. Calls
    are pure and may run in a thread: the solver's kernels release the interpreter's lock.

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
        if self.splits not in QUICK_PLAYS:
            known = ", ".join(QUICK_PLAYS)
            msg = f"splits={self.splits}: full memory takes seconds; the coach knows {known}"
            raise RulesError(msg)

    def advise(
        self, view: TableView, legal: tuple[Action, ...], seen: CardsSeen | None = None
    ) -> judgement.Advice:
        """Return the value of each of the `legal` actions for the active hand of `view`.

        `seen` is the state of a `SeenCards` counter that has followed this shoe; a coach for fresh
        shoes does not need it.
        """
        if view.rules != self.rules:
            raise RulesError(f"the coach knows {self.rules}, and the table plays {view.rules}")
        return self.advise_on(read_question(view, legal), self.compose(view, seen))

    def advise_on(self, question: Question, cards: Composition) -> judgement.Advice:
        """Return the value of each answer to a question, given the unseen cards."""
        found = evaluation.value_question(question, cards, splits=self.splits)
        ev = {action: found.ev[action] for action in question.legal if action in found.ev}
        is_natural_known = question.has_looked or question.must_be_natural
        natural = float(question.must_be_natural) if is_natural_known else found.natural
        split_class = None
        if Action.SPLIT in ev or (question.pair and question.phase is not Phase.INSURANCE):
            split_class = "infinite deck" if question.rules.is_infinite else str(self.splits)
        return judgement.Advice(
            question=question,
            ev=ev,
            best=best_action(ev),
            split_class=split_class,
            assumptions=tuple(_assume(question, cards, found, split_class)),
            approximations=found.notes,
            missing=found.missing,
            natural_probability=natural,
            splits=self.splits,
            cards=cards,
            position=found.position,
        )

    def compose(self, view: TableView, seen: CardsSeen | None = None) -> Composition:
        """Return the cards that are unseen for this coach."""
        if self.rules.is_infinite:
            return compose(self.rules, _NO_CARDS, "composition: infinite deck, always the same")
        decks = self.rules.full_shoe.in_words
        if self.cards is Knowledge.SEEN:
            if seen is None:
                msg = "a coach for the cards seen needs them: advise(view, legal, counter.look())"
                raise RulesError(msg)
            told = f"composition: {decks} less the {seen.cards} cards seen"
            return compose(self.rules, seen, told)
        spot = view.hand.spot
        own = [
            card
            for hand in view.hands
            if hand.spot == spot or self.rules.switch
            for card in hand.cards
        ]
        whose = "both hands'" if self.rules.switch else "this spot's"
        seen_cards = "dealer's" if self.rules.shows_hole else "upcard"
        told = f"composition: {decks}, fresh, less {whose} cards and the {seen_cards}"
        return compose(self.rules, CardsSeen.of([*own, *view.dealer]), told)


def _assume(
    question: Question, cards: Composition, found: evaluation.Valued, split_class: str | None
) -> Iterator[str]:
    rules = question.rules
    yield cards.told
    if cards.never_shown:
        yield f"{cards.never_shown} cards of earlier rounds were never shown: taken as not seen"
    yield from _assume_natural(question, found)
    if split_class is not None:
        yield f"splits: {split_class}, split again whenever the rules allow it"
    if question.split_rank:
        yield "the other hands of the split are valued separately"
    if question.is_free:
        yield "the house has paid for this hand: a loss costs nothing"
    if question.phase is Phase.SWITCH:
        yield "both hands together, for a bet on one of them"
        yield "each hand knows the two starting cards of the other"
    elif question.spots > 1:
        yield "each spot is valued separately"
    if question.phase is Phase.INSURANCE:
        yield "the side bet is valued separately from the hand"
        insured = question.hand_class is HandClass.INSURANCE and not question.is_insured
        if rules.hole_card is settings.HoleCard.NO_PEEK and insured and question.total != 21:
            yield "insured, the dealer looks before you play: the value includes what that saves"


def _assume_natural(question: Question, found: evaluation.Valued) -> Iterator[str]:
    rules = question.rules
    if question.hole is not None:
        yield "both dealer cards are seen"
    elif question.must_be_natural:
        yield "the dealer has a natural: if not, this 21 would have won at once"
    elif question.has_looked:
        yield "no natural after the look"
    elif predicates.may_complete_natural(question.upcard.rank):
        chance = f"a dealer natural ({found.natural:.1%})"
        if question.phase is Phase.INSURANCE:
            yield f"{chance}: not looked for yet"
        elif rules.hole_card is settings.HoleCard.PEEK:
            yield f"{chance} ends the round before you play: it costs one bet"
            yield BEFORE_LOOK
        elif rules.natural_takes is settings.NaturalTakes.ORIGINAL:
            yield f"{chance} takes one original bet of this spot, counted here"
        elif rules.natural_takes is not settings.NaturalTakes.ALL:
            yield f"{chance} takes busted bets and one original bet of this spot, counted here"
        else:
            yield f"{chance} takes all bets"
        if Action.SURRENDER in question.legal and predicates.natural_beats_surrender(rules):
            yield "a surrendered bet is lost whole to a dealer natural"


@lru_cache(maxsize=4096)
def advise_opening(
    rules: Rules, cards: tuple[Card, ...], upcard: Card, hole: Card | None = None
) -> judgement.Advice:
    """Return the advice for an opening hand of a fresh shoe, cached for drills."""
    question = pose(rules, cards, upcard, hole=hole)
    return Coach(rules).advise_on(question, compose_fresh(rules, cards, *question.dealer))
