"""Every opening hand against every upcard: how often it is asked, and what answers are worth."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from upcard.coach.coach import Coach
from upcard.coach.lowering import check_rules, may_double_now
from upcard.coach.question import Question, asks_surrender_first
from upcard.coach.seen import CardsSeen, compose
from upcard.core.actions import Action
from upcard.core.cards import ACE, FACES, RANKS, TEN, Card, rank_name
from upcard.core.errors import RulesError
from upcard.core.hands import BUST_LIMIT, hand_table
from upcard.exact.dealer import rank_odds
from upcard.exact.game import TWO_CARD_HANDS
from upcard.exact.shoe import full_decks
from upcard.kernels.dealer_tree import natural_rank
from upcard.rules.settings import HoleCard, SplitBy, Surrender, TurnOrder
from upcard.table.state import Phase, read_bet

if TYPE_CHECKING:
    from collections.abc import Iterator

    from upcard.coach.advice import Advice
    from upcard.coach.seen import Composition
    from upcard.core.cards import Rank
    from upcard.rules.model import Rules

_BET = read_bet(1)
_TEN_FACES = 4


class Situation(NamedTuple):
    """One opening hand against one upcard, on a freshly shuffled shoe."""

    cards: tuple[Card, Card]
    upcard: Card
    frequency: float
    """How often it is asked, of all the opening questions; those of a house sum to 1."""

    @property
    def ranks(self) -> tuple[Rank, Rank]:
        """The ranks of the two cards."""
        return self.cards[0].rank, self.cards[1].rank


@lru_cache(maxsize=16)
def list_situations(rules: Rules) -> tuple[Situation, ...]:
    """Return the opening situations that are asked about, with their exact frequencies.

    A player's natural is not asked, and a dealer's that a peek finds ends the round.

    Raises: UnsupportedRuleError for rules without exact values.
    """
    check_rules(rules)
    found = [situation for situation in _deal_all(rules) if situation.frequency > 0]
    total = sum(situation.frequency for situation in found)
    return tuple(situation._replace(frequency=situation.frequency / total) for situation in found)


def _deal_all(rules: Rules) -> Iterator[Situation]:
    table = hand_table(rules.ace_rule)
    for up in RANKS:
        for first, second in TWO_CARD_HANDS:
            if table.total[table.state_of((first, second))] >= BUST_LIMIT:
                continue
            chance = _chance(rules, up, (first, second))
            for cards, share in _faces(rules, first, second):
                yield Situation(cards, Card(rank_name(up)), chance * share)


def _chance(rules: Rules, up: Rank, ranks: tuple[Rank, Rank]) -> float:
    """Return the chance of an upcard and two cards with which the player is asked to play."""
    looks = rules.hole_card is HoleCard.PEEK and not (
        rules.surrender is Surrender.EARLY and asks_surrender_first(rules, up)
    )
    matching = natural_rank(up) if looks else 0
    orders = 1 if ranks[0] == ranks[1] else 2
    if rules.is_infinite:
        odds = rank_odds(rules)
        return odds[up] * orders * odds[ranks[0]] * odds[ranks[1]] * (1 - odds[matching])
    left = list(full_decks(rules.decks or 1))
    chance = float(orders)
    for rank in (up, *ranks):
        chance *= left[rank] / sum(left)
        left[rank] -= 1
    return chance * (1 - left[matching] / sum(left)) if matching else chance


def _faces(rules: Rules, first: Rank, second: Rank) -> Iterator[tuple[tuple[Card, Card], float]]:
    """Return the cards of a hand: two tens, where their faces matter, alike or not."""
    one, two = Card(rank_name(first)), Card(rank_name(second))
    if first != TEN or second != TEN or rules.split_by is not SplitBy.RANK:
        yield (one, two), 1.0
        return
    tens = _TEN_FACES * (rules.decks or 1) * _TEN_FACES
    same = 1 / _TEN_FACES if rules.is_infinite else (tens / _TEN_FACES - 1) / (tens - 1)
    yield (Card("K"), Card("K")), same
    yield (Card("K"), Card("Q")), 1 - same


def pose(rules: Rules, cards: tuple[Card, ...], upcard: Card) -> Question:
    """Return the question that a table asks about an opening hand, insurance declined.

    Raises: RulesError for a natural, which is not asked.
    """
    table = hand_table(rules.ace_rule)
    state = table.state_of(card.rank for card in cards)
    if table.total[state] >= BUST_LIMIT:
        msg = f"{' '.join(map(str, cards))} is not asked about"
        raise RulesError(msg)
    first = asks_surrender_first(rules, upcard.rank)
    is_early = first and rules.surrender is Surrender.EARLY
    pair = _pair(rules, cards)
    offers_split = bool(pair) and rules.turn_order is TurnOrder.SPLITS_FIRST
    phase = Phase.SURRENDER if first else Phase.SPLIT if offers_split else Phase.PLAY
    limits = [most for most in (rules.max_hands, rules.max_total_hands) if most is not None]
    question = Question(
        rules=rules,
        phase=phase,
        legal=(),
        cards=cards,
        total=table.total[state],
        is_soft=table.is_soft[state],
        upcard=upcard,
        bet=_BET,
        split_rank=0,
        pair=pair,
        most_hands=min(limits, default=None) if pair else 1,
        waiting_pairs=0,
        has_looked=(
            rules.hole_card is HoleCard.PEEK and upcard.rank in (ACE, TEN) and not is_early
        ),
        must_be_natural=False,
        is_insured=False,
        spots=1,
    )
    return _with_legal(question)


def _with_legal(question: Question) -> Question:
    match question.phase:
        case Phase.SURRENDER:
            return replace(question, legal=(Action.SURRENDER, Action.NO_SURRENDER))
        case Phase.SPLIT:
            return replace(question, legal=(Action.SPLIT, Action.NO_SPLIT))
    may_surrender = question.rules.surrender is not Surrender.NONE
    legal = (
        Action.HIT,
        Action.STAND,
        *((Action.DOUBLE,) if may_double_now(question) else ()),
        *((Action.SPLIT,) if question.pair else ()),
        *((Action.SURRENDER,) if may_surrender else ()),
    )
    return replace(question, legal=legal)


def _pair(rules: Rules, cards: tuple[Card, ...]) -> Rank:
    first, second = cards[:2]
    if rules.max_hands == 1 or len(cards) != 2 or first.rank != second.rank:
        return 0
    if rules.split_by is SplitBy.RANK and first.face != second.face:
        return 0
    return first.rank


def compose_fresh(rules: Rules, cards: tuple[Card, ...], upcard: Card) -> Composition:
    """Return what is unseen of a full shoe once the hand and the upcard lie there."""
    if rules.is_infinite:
        nothing = CardsSeen((0,) * len(FACES))
        return compose(rules, nothing, "composition: infinite deck, always the same")
    faces = [0] * len(FACES)
    for card in (*cards, upcard):
        faces[FACES.index(card.face)] += 1
    told = "composition: a fresh shoe, less the hand and the upcard"
    return compose(rules, CardsSeen(tuple(faces)), told)


@lru_cache(maxsize=4096)
def advise_opening(rules: Rules, cards: tuple[Card, ...], upcard: Card) -> Advice:
    """Return the advice for an opening hand of a fresh shoe; kept, as drills ask again.

    Raises: as `Coach.advise` does.
    """
    question = pose(rules, cards, upcard)
    return Coach(rules).advise_on(question, compose_fresh(rules, cards, upcard))
