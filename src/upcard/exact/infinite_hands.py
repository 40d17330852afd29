"""Hands on an infinite deck: the dealer's totals, every first action, and splits.

On an infinite deck the halves are independent, and all pairs of one rank are alike: a resplit is
worth as much now as later, so the order of the halves and the cards of the others do not matter.
Two numbers remain: halves that wait for a second card, and splits allowed.

A result has two parts: its value if the dealer has no natural, weighted by the odds of that, and
the loss to a natural. Doubling doubles the first; how much of the second counts depends on the
house (`Stake`). Once the dealer has looked, only the first part remains, with odds of 1.

Where a number of cards wins (a charlie), hands of each number have values of their own.

A bet that the house adds (free doubles and splits) is won and not lost: where the player stakes s
and is paid on p, a win is worth p and a loss -s. So the odds of a win stand beside each score. A
free hand, without a stake, has a best play of its own, and so have all hands of a split but the
first if a natural takes the bet of the first. The order of the halves does matter then: the first
is asked first, and the splits that are left are for all of them.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from enum import Enum, auto
from fractions import Fraction
from functools import cache, lru_cache
from typing import Final, NamedTuple, TypeAlias

from upcard.core import errors, hands
from upcard.core.actions import Action
from upcard.core.cards import ACE, RANKS, TEN, Rank
from upcard.core.long_work import check
from upcard.exact.solver_results import ROUNDING_ERROR
from upcard.exact.supported_rules import drawing_states
from upcard.rules import predicates, settings
from upcard.rules.model import Rules
from upcard.rules.payoffs import DealerEnd, Special, natural_ev, payoffs_of
from upcard.strategy.chart import Strategy

BUST: Final = hands.BUST_LIMIT + 1
_PARTNER: Final = {ACE: TEN, TEN: ACE}


class DealerProbabilities(NamedTuple):
    """Probabilities of the dealer's result; they sum to 1."""

    totals: tuple[float, ...]
    """By final total, 0 to 21, without naturals."""
    bust: float
    natural: float
    """0 once the dealer has looked and has no natural."""
    twenty_two: float
    """A part of `bust`."""


def rank_odds(rules: Rules) -> tuple[float, ...]:
    """Return the probability of drawing each rank, 1 to 10 (entry 0 is unused)."""
    share = float(_low_share(rules))
    return (0.0, *(share for _ in range(ACE, TEN)), float(rules.ten_probability))


def natural_odds(rules: Rules, upcard: Rank) -> float:
    """Return the probability that the dealer's second card makes a natural, before any look."""
    partner = _PARTNER.get(upcard)
    return rank_odds(rules)[partner] if partner else 0.0


def dealer_outcomes(
    rules: Rules, upcard: Rank, hole: Rank = 0, *, player_total: int | None = None
) -> DealerProbabilities:
    """Return the probabilities of the dealer's result, without naturals once the dealer has looked.

    `hole` is 0 unless it is known. Only a dealer who stops when ahead needs `player_total`.

    Raises: RulesError if it is needed and missing.
    """
    if rules.dealer_rule is not settings.DealerRule.UNTIL_AHEAD:
        player_total = None
    elif player_total is None:
        raise errors.RulesError("the odds of a dealer who stops when ahead: player_total is needed")
    table = hands.hand_table(rules.ace_rule)
    odds = rank_odds(rules)
    reached = [0.0] * len(table.total)
    first = table.next_state[hands.EMPTY_HAND][upcard]
    for rank, share in [(hole, 1.0)] if hole else _second_card(rules, upcard):
        reached[table.next_state[first][rank]] += share
    finals = [0.0] * (BUST + 1)
    twenty_two = 0.0
    draws = drawing_states(rules, player_total)
    for state in growth_order(rules.ace_rule):
        share = reached[state]
        if not share:
            continue
        if draws[state]:
            for rank, after in enumerate(table.next_state[state][1:], start=1):
                reached[after] += share * odds[rank]
        else:
            finals[min(table.total[state], BUST)] += share
            twenty_two += share * (table.total[state] == BUST)
    natural = 0.0 if predicates.dealer_peeks(rules, upcard) else natural_odds(rules, upcard)
    return DealerProbabilities(tuple(finals[:BUST]), finals[BUST], natural, twenty_two)


@lru_cache(maxsize=4)
def growth_order(ace_rule: hands.AceRule) -> tuple[int, ...]:
    """Return all states in an order in which every card leads to a later one."""
    table = hands.hand_table(ace_rule)

    def least(state: int) -> int:
        """Return the total with a soft ace as 1: every card increases it."""
        return table.total[state] - 10 * table.is_soft[state]

    return tuple(sorted(range(len(table.total)), key=least))


def _low_share(rules: Rules) -> Fraction:
    return (1 - rules.ten_probability) / 9


def _second_card(rules: Rules, upcard: Rank) -> list[tuple[Rank, float]]:
    """Return the odds of each second card that makes no natural, given so after a look.

    Computed in fractions, so that an ace up has its limit if all cards are tens.
    """
    low = _low_share(rules)
    shares = dict.fromkeys(RANKS, low) | {TEN: rules.ten_probability}
    partner = _PARTNER.get(upcard)
    if partner:
        del shares[partner]
    if predicates.dealer_peeks(rules, upcard):
        if upcard == ACE:
            shares = dict.fromkeys(shares, Fraction(1, 9))
        else:
            shares = {rank: share / (1 - low) for rank, share in shares.items()}
    return [(rank, float(share)) for rank, share in shares.items()]


class Half(NamedTuple):
    """One half of a split pair, before its second card."""

    others: float
    """Value if the second card makes no pair that may be split again, times its odds."""
    pair: float
    """Value of a new pair that is not split again."""
    pair_odds: Fraction
    """Odds that the second card makes a new pair."""


def split_value(half: Half, *, splits_left: int | None, always: bool = False) -> float:
    """Return the value of the two halves of a pair just split; infinite where resplits diverge.

    `splits_left` counts the splits still allowed after this one; None for no limit. New pairs are
    split if that is better, or `always`.
    """
    if splits_left is None:
        return 2 * _endless(half, alike=2, always=always)
    odds = float(half.pair_odds)
    # values[f] is the value of f halves that wait for a card, with the splits left.
    plain = half.others + odds * half.pair
    values = [waiting * plain for waiting in range(splits_left + 3)]
    for left in range(1, splits_left + 1):
        resplit, values = values, [0.0]
        for waiting in range(1, splits_left + 3 - left):
            rest = values[waiting - 1]
            again = resplit[waiting + 1]
            paired = again if always else max(half.pair + rest, again)
            values.append(half.others + (1 - odds) * rest + odds * paired)
    return values[2]


def split_first(
    first: Half, others: Half, *, splits_left: int | None, always: bool = False
) -> float:
    """Return the value of a pair just split if the first half is not alike, as `split_value`."""
    if splits_left is None:
        rest = _endless(others, alike=2, always=always)
        return _endless(first, alike=1, rest=rest, always=always) + rest
    odds = float(first.pair_odds)

    @cache
    def split(*, is_first: bool, waiting: int, left: int) -> float:
        """Return the value of two halves that get a card each, next to other pairs that wait."""
        value = (first if is_first else others).others + others.others
        for paired, share in ((0, 1 - odds), (1, odds)):
            for second, its_share in ((0, 1 - odds), (1, odds)):
                pairs = waiting + second + (0 if is_first else paired)
                after = ask(is_first=is_first and paired == 1, waiting=pairs, left=left)
                value += share * its_share * after
        return value

    @cache
    def ask(*, is_first: bool, waiting: int, left: int) -> float:
        """Return the value of pairs that may be split, one after the other, the first first."""
        if not is_first and not waiting:
            return 0.0
        waiting -= not is_first
        played = (first if is_first else others).pair + ask(
            is_first=False, waiting=waiting, left=left
        )
        if not left:
            return played
        again = split(is_first=is_first, waiting=waiting, left=left - 1)
        return again if always else max(played, again)

    return split(is_first=True, waiting=0, left=splits_left)


def _endless(half: Half, *, alike: int, rest: float = 0.0, always: bool) -> float:
    """Return the value of one half with unlimited resplits.

    A split makes `alike` halves like this one, each a pair again with probability q, and others
    worth `rest`: the number of hands is a branching process, and v = others + q (alike v + rest).
    From q = 1 / alike on it grows without end, and so does the value, if one more split is an
    advantage; the equation's own solution has the wrong sign there.
    """
    odds = float(half.pair_odds)
    plain = half.others + odds * half.pair
    gain = alike * plain + rest - half.pair
    if gain <= ROUNDING_ERROR and not always:
        return plain
    shrinking = 1 - alike * half.pair_odds
    if shrinking <= 0:
        return plain if abs(gain) <= ROUNDING_ERROR else math.copysign(math.inf, gain)
    return (half.others + odds * rest) / float(shrinking)


_FACES_WORTH_TEN = 4
_NOT_ACES: Final = 2
"""A rank whose split hands are played as those of all but aces."""


class FacedUpcard(NamedTuple):
    """One upcard as the player's hands face it, and the odds that follow from it."""

    upcard: Rank
    natural: float
    """Odds of a dealer's natural that has not been ruled out."""
    scores: tuple[float, ...]
    """Net of a unit bet by total 0 to 21, but for losses to a natural; times its odds.

    The total of a busted hand is 22, here only if it may win.
    """
    wins: tuple[float, ...]
    """Odds of a win by total, as `scores`."""
    natural_scores: tuple[float, ...]
    """Loss of a unit bet by total 0 to 22 to a dealer's natural; times its odds."""

    @property
    def no_natural(self) -> float:
        """Odds that the dealer has no natural."""
        return 1 - self.natural


class Stake(NamedTuple):
    """The player's bet on a hand, and what of it a dealer's natural takes."""

    paid: int
    """The bet before a double: 0 in a free hand, else 1."""
    single: int
    """Bets that a natural takes undoubled, or after a free double."""
    bust: int
    """The same of a hand that is bust."""
    doubled: int
    doubled_bust: int


def stake_of(
    rules: Rules, *, is_split: bool, is_free: bool = False, is_added: bool = False
) -> Stake:
    """Return the stake of a hand; `is_added` if it is not the first of its spot.

    If a natural takes one original bet a spot, its part is settled for all halves at once.
    """
    paid = 0 if is_free else 1
    raised = paid + rules.double_stake - 1
    if rules.natural_takes is settings.NaturalTakes.ALL:
        return Stake(paid, paid, paid, raised, raised)
    if rules.natural_takes is settings.NaturalTakes.ORIGINAL:
        return Stake(paid, *(int(not is_split and not is_free),) * 4)
    original = int(not is_added)
    return Stake(paid, original, paid, original, raised)


def face(rules: Rules, upcard: Rank, hole: Rank = 0) -> FacedUpcard:
    """Compute the values of all final totals against an upcard, and a hole card that is known."""
    looks_at_player = rules.dealer_rule is settings.DealerRule.UNTIL_AHEAD
    outcomes = dealer_outcomes(rules, upcard, hole, player_total=0 if looks_at_player else None)
    rows = payoffs_of(rules).rows
    scores, wins = [], []
    for total in range(hands.BUST_LIMIT + 1):
        if looks_at_player:
            outcomes = dealer_outcomes(rules, upcard, hole, player_total=total)
        losing = total if rows[total][total].lost else total + 1
        lower, higher = math.fsum(outcomes.totals[:total]), math.fsum(outcomes.totals[losing:])
        won = outcomes.bust
        if not rows[total][DealerEnd.TWENTY_TWO].won:
            won -= outcomes.twenty_two
        wins.append(won + lower)
        scores.append(won + lower - higher)
    row_of_21 = rows[hands.BUST_LIMIT]
    if rules.player_21 is settings.Player21.ALWAYS_WINS:
        scores[hands.BUST_LIMIT] = wins[hands.BUST_LIMIT] = 1.0
        row_of_21 = rows[Special.WON]
    if predicates.busts_live(rules, upcard):
        wins.append(outcomes.bust - outcomes.twenty_two)
        scores.append(2 * wins[BUST] - (1 - outcomes.natural))
    lost = [-outcomes.natural] * hands.BUST_LIMIT
    at_21 = -outcomes.natural if row_of_21[DealerEnd.NATURAL].lost else 0.0
    return FacedUpcard(
        upcard, outcomes.natural, tuple(scores), tuple(wins), (*lost, at_21, lost[0])
    )


Choose: TypeAlias = "Callable[[int, tuple[Action, ...]], Action]"
"""A fixed chart's action for a hand's state, among the legal actions."""


class Playing(NamedTuple):
    """Values of playing on, by the hand's state; 0 for a bust or unreachable state."""

    stand: tuple[float, ...]
    hit: tuple[float, ...]
    double: tuple[float, ...]
    """Values of doubles that the player pays for."""
    free_double: dict[int, float]
    """Values of doubles on hands whose double may be free."""
    reached: tuple[float, ...]
    """Values of a hand that a hit has led to this state, also if it is bust."""
    doubled: tuple[float, ...]
    """Values of a hand that a double has led to this state."""
    doubled_free: tuple[float, ...]
    finished_21: float
    """Value of a finished 21."""
    choose: Choose | None = None
    """The chart that is followed; None for the best play."""


def _play(values: dict[Action, float], state: int, choose: Choose | None) -> float:
    return max(values.values()) if choose is None else values[choose(state, tuple(values))]


_DOUBLED_IF_ANY: Final = 10
"""A hard total that may double wherever some may."""


class Later(NamedTuple):
    """Actions of a hand of more than two cards beside hitting and standing."""

    doubles: bool
    """Whether it may double on some total."""
    surrenders: bool


def _finished_21(rules: Rules, facing: FacedUpcard, stake: Stake) -> float:
    """Return the value of a 21 that stands automatically or wins at once.

    If it wins at once when the dealer's two cards are under 21, a later decision implies a natural,
    against which standing is best.
    """
    natural_part = stake.single * facing.natural_scores[hands.BUST_LIMIT]
    if rules.player_21 is settings.Player21.WINS:
        return facing.no_natural + natural_part
    return (facing.scores if stake.paid else facing.wins)[hands.BUST_LIMIT] + natural_part


class Bet(Enum):
    """The bet on a hand."""

    ORIGINAL = auto()
    ADDED = auto()
    """That of a hand of a split but the first, paid for by the player."""
    FREE = auto()
    """The same, paid for by the house."""


class UpcardValues:
    """Values of all actions against one upcard, per unit bet.

    Once the dealer has looked, they assume that there is no natural (`facing.natural` is 0).
    """

    __slots__ = (
        "_added",
        "_free",
        "_played",
        "_playing",
        "_splits",
        "_table",
        "facing",
        "hole",
        "is_added",
        "is_free",
        "rules",
        "strategy",
        "upcard",
    )

    def __init__(
        self,
        rules: Rules,
        upcard: Rank,
        strategy: Strategy | None = None,
        *,
        hole: Rank = 0,
        bet: Bet = Bet.ORIGINAL,
    ) -> None:
        """Compute the values of final totals; the others follow on demand.

        Hands are played best from their second decision on, or by `strategy`. `hole` is 0 unless
        it is known.
        """
        check()
        self.is_free = bet is Bet.FREE
        self.is_added = bet is not Bet.ORIGINAL
        self.strategy = strategy
        self.rules = rules
        self.upcard = upcard
        self.hole = hole
        self.facing = face(rules, upcard, hole)
        self._table = hands.hand_table(rules.ace_rule)
        self._playing: dict[tuple[Stake, Later, int], Playing] = {}
        self._played: dict[tuple[Rank, int], Playing] = {}
        self._splits: dict[Rank, float] = {}
        self._free: UpcardValues | None = None
        self._added: UpcardValues | None = None

    @property
    def free(self) -> UpcardValues:
        """The same for the free hands of a split."""
        if self._free is None:
            self._free = UpcardValues(
                self.rules, self.upcard, self.strategy, hole=self.hole, bet=Bet.FREE
            )
        return self._free

    @property
    def added(self) -> UpcardValues:
        """The same for the hands of a split but the first, if they are paid for."""
        if self._added is None:
            self._added = UpcardValues(
                self.rules, self.upcard, self.strategy, hole=self.hole, bet=Bet.ADDED
            )
        return self._added

    def first_values(
        self, state: int, *, pair_rank: Rank = 0, cards: int = 2
    ) -> dict[Action, float]:
        """Return the value of each answer to a hand that was not split, nor has won at once.

        `pair_rank` is 0 unless the hand may be split. Surrender before the dealer looks is not
        included (`surrenders_before_look`).
        """
        rules, playing = self.rules, self._play(0, cards)
        values = {Action.HIT: playing.hit[state]}
        if predicates.may_stand(rules, total=self._table.total[state]):
            values[Action.STAND] = playing.stand[state]
        double = self._double(playing, state, cards=cards)
        if double is not None:
            values[Action.DOUBLE] = double
        if pair_rank and predicates.most_hands_of(rules, pair_rank) != 1:
            values[Action.SPLIT] = self._split(pair_rank)
        may = predicates.may_surrender(rules, upcard=self.upcard, cards=cards)
        if may and not self.surrenders_before_look:
            values[Action.SURRENDER] = predicates.surrender_ev(rules, self.facing.natural)
        return values

    @property
    def surrenders_before_look(self) -> bool:
        """Whether surrender is offered before the dealer looks for a natural."""
        return predicates.surrenders_before_look(self.rules, self.upcard)

    @property
    def natural(self) -> float:
        """The odds of a dealer's natural, before any look."""
        if self.hole:
            return float({self.upcard, self.hole} == {ACE, TEN})
        return natural_odds(self.rules, self.upcard)

    def before_look(self, value: float) -> float:
        """Convert a value after the dealer's look to one before it."""
        if not predicates.dealer_peeks(self.rules, self.upcard):
            return value
        natural = self.natural
        lost = 0.0 if self.is_free else natural
        return (1 - natural) * value - lost if natural < 1 else -lost

    def natural_value(self) -> float:
        """Return the value of the player's natural."""
        return natural_ev(self.rules, self.facing.natural)

    def finished_21(self) -> float:
        """Return the value of a finished 21, in a hand that was not split."""
        return self._play(0).finished_21

    def _play(self, split_rank: Rank, cards: int = 2) -> Playing:
        """Return the values of playing on in a hand split from `split_rank` (0: unsplit)."""
        hand = (split_rank, cards)
        if hand not in self._played:
            self._played[hand] = self._find_playing(*hand)
        return self._played[hand]

    def _find_playing(self, split_rank: Rank, cards: int) -> Playing:
        """Find or compute the values of playing on, which many kinds of hands share."""
        rules = self.rules
        stake = stake_of(
            rules, is_split=bool(split_rank), is_free=self.is_free, is_added=self.is_added
        )
        later = Later(
            predicates.may_double(
                rules, cards=3, total=_DOUBLED_IF_ANY, is_soft=False, split_rank=split_rank
            ),
            predicates.may_surrender(rules, upcard=self.upcard, cards=3, split_rank=split_rank),
        )
        cards = min(cards, rules.charlie or 0)
        key = (stake, later, cards)
        if key not in self._playing:
            is_charlie = cards == rules.charlie
            counts_cards = rules.charlie is not None and not is_charlie
            self._playing[key] = self._work_out(
                stake,
                later,
                after_hit=self._play(split_rank, cards + 1) if counts_cards else None,
                is_charlie=is_charlie,
            )
        return self._playing[key]

    def _work_out(
        self, stake: Stake, later: Later, *, after_hit: Playing | None, is_charlie: bool
    ) -> Playing:
        """Compute backwards from the highest totals; `later` holds for any number of cards.

        `after_hit` are the values with one card more, if the number of cards matters; `is_charlie`
        if this number wins.
        """
        rules, facing = self.rules, self.facing
        choose = None if self.strategy is None else self._follow
        table = hands.hand_table(rules.ace_rule)
        odds, pays = rank_odds(rules), rules.double_stake
        paid, raised = stake.paid, stake.paid + pays - 1
        has_free = rules.free_double is not settings.FreeDouble.NONE
        count = len(table.total)
        stand, hit, double = [0.0] * count, [0.0] * count, [0.0] * count
        hit_to, double_to, free_to = [0.0] * count, [0.0] * count, [0.0] * count
        free_double: dict[int, float] = {}
        after_hits = hit_to if after_hit is None else after_hit.reached
        after_doubles = double_to if after_hit is None else after_hit.doubled
        after_free = free_to if after_hit is None else after_hit.doubled_free
        finished_21 = _finished_21(rules, facing, stake)
        surrender = predicates.surrender_ev(rules, facing.natural)
        for state in reversed(growth_order(rules.ace_rule)):
            total = min(table.total[state], BUST)
            if total == len(facing.scores):
                hit_to[state] = -paid * facing.no_natural - stake.bust * facing.natural
                double_to[state] = -raised * facing.no_natural - stake.doubled_bust * facing.natural
                free_to[state] = hit_to[state]
                continue
            if is_charlie and total != BUST:
                hit_to[state] = float(rules.charlie_pays)
                double_to[state] = free_to[state] = pays * hit_to[state]
                continue
            score, natural_score = facing.scores[total], facing.natural_scores[total]
            won = (1 - paid) * facing.wins[total]
            stand[state] = paid * score + won + stake.single * natural_score
            double_to[state] = raised * score + won + stake.doubled * natural_score
            free_to[state] = stand[state] + (pays - 1) * facing.wins[total]
            if total == BUST:
                hit_to[state] = stand[state]
                continue
            for rank, after in enumerate(table.next_state[state][1:], start=1):
                hit[state] += odds[rank] * after_hits[after]
                double[state] += odds[rank] * after_doubles[after]
            if has_free and self._doubles_free(state):
                free_double[state] = math.fsum(
                    odds[rank] * after_free[table.next_state[state][rank]] for rank in RANKS
                )
            if total == hands.BUST_LIMIT and rules.player_21 is not settings.Player21.ASKED:
                hit_to[state] = finished_21
            else:
                may_stand = predicates.may_stand(rules, total=total)
                values = {Action.STAND: stand[state]} if may_stand else {}
                values[Action.HIT] = hit[state]
                if later.doubles and self._may_double(state, 0, cards=3):
                    is_free = has_free and self._doubles_free(state, cards=3)
                    values[Action.DOUBLE] = (free_double if is_free else double)[state]
                if later.surrenders:
                    values[Action.SURRENDER] = surrender
                hit_to[state] = _play(values, state, choose)
        return Playing(
            *(tuple(stand), tuple(hit), tuple(double), free_double),
            *(tuple(hit_to), tuple(double_to), tuple(free_to)),
            finished_21=finished_21,
            choose=choose,
        )

    def _follow(self, state: int, legal: tuple[Action, ...]) -> Action:
        """Return the chart's action for a hand that is not split now."""
        if self.strategy is None:
            return Action.STAND
        return self.strategy.decide(
            total=self._table.total[state],
            is_soft=self._table.is_soft[state],
            pair_rank=0,
            upcard=self.upcard,
            hole=self.hole,
            legal=legal,
        )

    def _may_double(self, state: int, split_rank: Rank, cards: int = 2) -> bool:
        return predicates.may_double(
            self.rules,
            cards=cards,
            total=self._table.total[state],
            is_soft=self._table.is_soft[state],
            split_rank=split_rank,
        )

    def _doubles_free(self, state: int, cards: int = 2) -> bool:
        total, is_soft = self._table.total[state], self._table.is_soft[state]
        return predicates.doubles_free(self.rules, cards=cards, total=total, is_soft=is_soft)

    def _double(
        self, playing: Playing, state: int, split_rank: Rank = 0, cards: int = 2
    ) -> float | None:
        """Return the value of a double, None if the hand may not double."""
        if not self._may_double(state, split_rank, cards):
            return None
        is_free = playing.free_double and self._doubles_free(state, cards)
        return playing.free_double[state] if is_free else playing.double[state]

    def _split(self, rank: Rank) -> float:
        if rank not in self._splits:
            self._splits[rank] = self._work_out_split(rank)
        return self._splits[rank]

    def _work_out_split(self, rank: Rank) -> float:
        rules = self.rules
        always = self.strategy is not None
        most = predicates.most_hands_of(rules, rank)
        left = None if most is None else most - 2
        half = self.half(rank)
        is_free = predicates.splits_free(rules, rank)
        if not self.is_added and (is_free or predicates.takes_first(rules)):
            others = (self.free if is_free else self.added).half(rank)
            value = split_first(half, others, splits_left=left, always=always)
        else:
            value = split_value(half, splits_left=left, always=always)
        if rules.natural_takes is settings.NaturalTakes.ORIGINAL and not self.is_free:
            value -= self.facing.natural  # one original bet, for any number of hands
        return value

    def half(self, rank: Rank) -> Half:
        """Return what one of the hands of a split pair is worth."""
        rules = self.rules
        odds = rank_odds(rules)
        second = {other: self._half_value(rank, other) for other in RANKS}
        pair_odds = _low_share(rules)
        if rank == TEN:
            pair_odds = rules.ten_probability
            if predicates.needs_equal_faces(rules, rank):
                pair_odds /= _FACES_WORTH_TEN
        others = math.fsum(odds[other] * second[other] for other in RANKS if other != rank)
        others += (odds[rank] - float(pair_odds)) * second[rank]
        return Half(others, second[rank], Fraction(pair_odds))

    def free_values(self, state: int, pair_rank: Rank = 0) -> dict[Action, float]:
        """Return the value of each answer to a free hand of two cards, after a split.

        A pair may become as many hands as two leave it. Other hands are not those of split aces.
        """
        split_rank, free = pair_rank or _NOT_ACES, self.free
        values = free.values_after_split(split_rank, state)
        most = predicates.most_hands_of(self.rules, pair_rank) if pair_rank else 1
        if pair_rank and predicates.splits_free(self.rules, pair_rank) and most not in (1, 2):
            half, left = free.half(pair_rank), None if most is None else most - 3
            always = self.strategy is not None
            values[Action.SPLIT] = split_value(half, splits_left=left, always=always)
        return values

    def _half_value(self, split_rank: Rank, rank: Rank) -> float:
        """Return the value of a half whose second card is `rank`, if it is not split again."""
        rules, table = self.rules, self._table
        state = table.next_state[table.next_state[hands.EMPTY_HAND][split_rank]][rank]
        playing = self._play(split_rank)
        if table.total[state] == hands.BUST_LIMIT:
            if predicates.makes_natural(rules, split_rank):
                loses = self.is_added and rules.natural_tie is settings.NaturalTie.LOSE
                return self.natural_value() + loses * self.facing.natural
            if rules.player_21 is not settings.Player21.ASKED:
                return playing.finished_21
        return _play(self.values_after_split(split_rank, state), state, playing.choose)

    def values_after_split(self, split_rank: Rank, state: int) -> dict[Action, float]:
        """Return the value of each answer to a half of two cards, if it is not split again."""
        rules, playing = self.rules, self._play(split_rank)
        total = self._table.total[state]
        may_stand = predicates.may_stand(rules, total=total, split_rank=split_rank)
        values = {Action.STAND: playing.stand[state]} if may_stand else {}
        if not predicates.gets_one_card(rules, split_rank):
            values[Action.HIT] = playing.hit[state]
        if (double := self._double(playing, state, split_rank)) is not None:
            values[Action.DOUBLE] = double
        return values
