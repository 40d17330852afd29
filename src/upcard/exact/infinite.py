"""Exact values on an infinite deck: every draw has the same odds, so plain recursion is exact.

Values are per initial bet, for the player, for one spot played alone. Values of games and
rounds include insurance and even money; those of hands do not.
"""

import math
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from functools import cached_property
from typing import Final, TypeAlias

from upcard.core.actions import Action
from upcard.core.cards import ACE, RANKS, TEN, UPCARD_ORDER, Rank, read_rank
from upcard.core.errors import NotationError, UnsupportedRuleError
from upcard.core.hands import BUST_LIMIT, hand_table
from upcard.exact import composition, infinite_hands, insurance, solver_results, supported_rules
from upcard.exact.infinite_hands import BUST, DealerProbabilities, UpcardValues
from upcard.rules.deck import DECK_SIZE
from upcard.rules.model import Rules
from upcard.rules.payoffs import natural_ev
from upcard.rules.predicates import (
    busts_live,
    dealer_peeks,
    find_pair,
    makes_free_hands,
    needs_equal_faces,
)
from upcard.rules.settings import EngineName, Player21
from upcard.strategy.chart import (
    DEALER_LABELS,
    DEALERS,
    HAND_LABELS,
    PAIR_LABELS,
    ROWS,
    Strategy,
    column_key,
    columns_of,
)

_RowHand: TypeAlias = str | Iterable[Rank]
_THREE_CARDS: Final = {"20": (2, 8, TEN)}
"""Hands of rows that no two cards make but a pair."""
_SMALL: Final = {Action.HIT: "h", Action.STAND: "s", Action.SPLIT: "p"}


class InfiniteOutcomes(solver_results.HandOutcomes):
    """Results of hands, after the dealer looked and has no natural, or before the look.

    A hand is numbered by its cards, as far as their number matters, and its state.
    """

    def __init__(self, against: UpcardValues, *, has_looked: bool) -> None:
        super().__init__()
        self.against = against
        self.rules = against.rules
        self.table = hand_table(self.rules.ace_rule)
        self.has_looked = has_looked

    def number(self, cards: int, state: int) -> int:
        """Return the number of a hand."""
        return min(cards, self.rules.charlie or 3) * len(self.table.total) + state

    def dealer(self, total: int) -> DealerProbabilities:
        """Return the dealer's totals as parts of the whole, including a natural."""
        upcard = self.against.upcard
        found = infinite_hands.dealer_outcomes(
            self.rules, upcard, self.against.hole, player_total=total
        )
        if self.has_looked or not dealer_peeks(self.rules, upcard):
            return found
        natural = self.against.natural
        parts = tuple((1 - natural) * chance for chance in found.totals)
        bust, twenty_two = (1 - natural) * found.bust, (1 - natural) * found.twenty_two
        return DealerProbabilities(parts, bust, natural, twenty_two)

    def stand(self, hand: int) -> solver_results.Ending:
        """Return the result of a hand that stands, or that won at once."""
        cards, state = divmod(hand, len(self.table.total))
        total = self.table.total[state]
        found = self.dealer(total)
        if total > BUST_LIMIT:
            won, natural = found.bust - found.twenty_two, found.natural
            return solver_results.Ending(win=won, lose=1 - won - natural, natural=natural)
        if wins_by_cards(self.rules, cards):
            return solver_results.win_at_once(self.rules, found.natural)
        pushed = found.twenty_two if self.rules.pushes_22 else 0.0
        by_total = (*enumerate(found.totals), (BUST, pushed))
        return solver_results.compare(
            self.rules, total, by_total, bust=found.bust - pushed, natural=found.natural
        )

    def next_action(self, hand: int) -> Action:
        """Return the best action."""
        cards, state = divmod(hand, len(self.table.total))
        is_finished = self.rules.player_21 is not Player21.ASKED
        is_finished &= self.table.total[state] == BUST_LIMIT
        is_finished |= self.table.total[state] > BUST_LIMIT
        if is_finished or wins_by_cards(self.rules, cards):
            return Action.STAND
        return solver_results.best_action(self.against.first_values(state, cards=cards))

    def next_cards(self, hand: int) -> Iterator[tuple[float, int, float]]:
        """Iterate over one more card: chance, hand (-1 for a bust), then a natural's chance."""
        odds, upcard = infinite_hands.rank_odds(self.rules), self.against.upcard
        cards, state = divmod(hand, len(self.table.total))
        for rank in RANKS:
            after = self.table.next_state[state][rank]
            if self.table.total[after] > BUST_LIMIT and not busts_live(self.rules, upcard):
                yield odds[rank], -1, self.dealer(0).natural
            else:
                yield odds[rank], self.number(cards + 1, after), 0.0


def wins_by_cards(rules: Rules, cards: int) -> bool:
    """Whether a hand of this number of cards has won at once."""
    return rules.charlie is not None and cards >= rules.charlie


def as_infinite(rules: Rules) -> Rules:
    """Return the same rules on an infinite deck with the odds of one of their full decks.

    An approximation of a finite deck, which must be shown as one.
    """
    if rules.is_infinite:
        return rules
    deck = rules.full_deck
    tens = Fraction(deck.counts[TEN], deck.size)
    return rules.replace(decks=None, deck_size=DECK_SIZE, ten_probability=tens)


class InfiniteSolver:
    """Values of every hand under `rules`, with the best play or by a fixed chart.

    With a peek, values assume that the dealer has no natural, except those of two cards to which
    early surrender is offered before the look: they count the natural. Values of games and rounds
    always count naturals.
    """

    def __init__(self, rules: Rules, strategy: Strategy | None = None, *, hole: Rank = 0) -> None:
        """Check the rules; `hole` is the dealer's hole card, 0 unless it is known."""
        supported_rules.check_solvable(rules, EngineName.INFINITE)
        if strategy is not None:
            strategy.require_dealer(shows_hole=rules.shows_hole, who=EngineName.INFINITE)
        self.rules = rules
        self.hole = hole
        self.strategy = strategy
        self.shoe_name = "infinite deck"
        self.splits_name = self.shoe_name if strategy is None else "chart"
        self._table = hand_table(rules.ace_rule)
        self._against: dict[Rank, UpcardValues] = {}

    def against(self, upcard: Rank) -> UpcardValues:
        """Return the values against one upcard."""
        supported_rules.check_hole(self.rules, self.hole)
        if upcard not in self._against:
            values = UpcardValues(self.rules, upcard, self.strategy, hole=self.hole)
            self._against[upcard] = values
        return self._against[upcard]

    @cached_property
    def _insured(self) -> UpcardValues:
        if insurance.looks_for_insurance(self.rules):
            return UpcardValues(insurance.rules_after_look(self.rules), ACE, self.strategy)
        return self.against(ACE)

    def values(
        self, hand: str | Iterable[Rank], upcard: str | Rank, *, pair: Rank | None = None
    ) -> dict[Action, float]:
        """Return the value of each legal action as the first of a hand.

        `hand` is a chart's row ("16", "A7", "88"), cards ("T6", "8 5 3") or ranks. A pair of tens
        is two equal faces, unless its cards are named (K Q) or `pair` is 0. A hand without a
        decision has the value of standing.
        """
        return self._row_values(hand, self.against(read_rank(upcard, "upcard")), pair)

    def value_answer(self, asked: solver_results.AskedHand, action: Action) -> float | None:
        """Return the value of one answer, in the middle of a round."""
        against = self._facing(asked)
        pair = asked.pair if action is Action.SPLIT else 0
        state = self._state(asked.ranks)
        values = against.first_values(state, pair_rank=pair, cards=len(asked.ranks))
        if action not in values:
            return None
        return values[action] if asked.has_looked else against.before_look(values[action])

    def outcome_probabilities(
        self, asked: solver_results.AskedHand, action: Action
    ) -> solver_results.OutcomeProbabilities | None:
        """Return win, push and lose by an action."""
        outcomes = InfiniteOutcomes(self._facing(asked), has_looked=asked.has_looked)
        hand = outcomes.number(len(asked.ranks), self._state(asked.ranks))
        return outcomes.answer(hand, action, has_looked=asked.has_looked)

    def dealer_outcomes(self, asked: solver_results.AskedHand) -> solver_results.DealerOutcomes:
        """Return the probabilities of the dealer's result."""
        outcomes = InfiniteOutcomes(self.against(asked.upcard), has_looked=asked.has_looked)
        found = outcomes.dealer(self._table.total[self._table.state_of(asked.ranks)])
        return solver_results.DealerOutcomes.of(
            found.totals[17:],
            natural=found.natural,
            bust=found.bust,
            below=math.fsum(found.totals[:17]),
        )

    def _facing(self, asked: solver_results.AskedHand) -> UpcardValues:
        against = self.against(asked.upcard)
        return against.free if asked.is_free else against

    def natural_probability(self, _ranks: tuple[Rank, ...], upcard: Rank) -> float:
        """Return the chance of a dealer's natural, which does not depend on the hand."""
        return self.against(upcard).natural

    def upcard_probabilities(self) -> dict[Rank, float]:
        """Return the chance of each upcard."""
        odds = infinite_hands.rank_odds(self.rules)
        return {upcard: odds[upcard] for upcard in RANKS}

    def value_rounds(self) -> dict[Rank, insurance.RoundValue]:
        """Return the value of a round by upcard, with insurance and even money answered."""
        if self.rules.shows_hole:
            return self._value_seen_rounds()
        return {up: self.value_round(up) for up in RANKS}

    def _value_seen_rounds(self) -> dict[Rank, insurance.RoundValue]:
        odds = infinite_hands.rank_odds(self.rules)
        rounds = {}
        for up in RANKS:
            evs = {hole: self._seeing(up, hole).value_round(up).ev for hole in RANKS if odds[hole]}
            ev = solver_results.weigh_upcards(odds, evs)
            rounds[up] = insurance.RoundValue(ev, insurance.Offers())
        return rounds

    def _seeing(self, upcard: Rank, hole: Rank) -> "InfiniteSolver":
        """Return the same solver for a hole card that is seen; no hand is played at a natural."""
        is_natural = {upcard, hole} == {ACE, TEN}
        return InfiniteSolver(self.rules, None if is_natural else self.strategy, hole=hole)

    @cached_property
    def _columns(self) -> dict[str, UpcardValues]:
        """The values of each column of a chart: the dealer's hands of one total are alike."""
        if not self.rules.shows_hole:
            return {column_key(up): self.against(up) for up in UPCARD_ORDER}
        return {
            label: self._seeing(up, hole).against(up)
            for label, (up, hole) in zip(DEALER_LABELS, DEALERS[DEALER_LABELS], strict=True)
        }

    def cell_values(self) -> dict[tuple[str, str], dict[Action, float]]:
        """Return the values of a chart's cells; see `solve.cell_values`."""
        return {
            (label, column): self._row_values(label, against)
            for label in HAND_LABELS
            for column, against in self._columns.items()
        }

    def value_round(
        self, upcard: Rank, taking: insurance.Taking | None = None
    ) -> insurance.RoundValue:
        """Return the value of a round given the upcard, before the dealer looks.

        By default insurance and even money are taken if that gains, or as the followed chart says.
        """
        against = self.against(upcard)
        insured = self._insured if upcard == ACE else against
        natural = against.natural
        hands = []
        for share, ranks, pair in self._openings():
            ev = insured_ev = self._opening_ev(against, ranks, pair)
            if insured is not against:
                insured_ev = self._opening_ev(insured, ranks, pair)
            hands.append(
                insurance.InsuranceHand(share, natural, set(ranks) == {ACE, TEN}, ev, insured_ev)
            )
        taking = taking or insurance.taking_of(self.strategy)
        return insurance.value_round(self.rules, upcard, hands, taking)

    def describe_assumptions(self, offers: insurance.Offers) -> tuple[str, ...]:
        """Return the assumptions behind the value of a game, one sentence each."""
        follows = self.strategy is not None and makes_free_hands(self.rules)
        return (
            "Cards never run out, so every round is the same.",
            *(("Free hands follow the chart too.",) if follows else ()),
            *(() if self.strategy is None else self.strategy.left_open),
            *insurance.describe_offers(self.rules, self.strategy, offers),
        )

    def best(self, hand: str | Iterable[Rank], upcard: str | Rank) -> Action:
        """Return the best action; ties go to stand, hit, double, split, surrender."""
        return solver_results.best_action(self.values(hand, upcard))

    @property
    def game_ev(self) -> float:
        """EV of a round per initial bet with the best play; it may be infinite."""
        odds = infinite_hands.rank_odds(self.rules)
        rounds = {up: one.ev for up, one in self.value_rounds().items() if odds[up]}
        return solver_results.weigh_upcards(odds, rounds)

    def offers(self, taking: insurance.Taking | None = None) -> insurance.Offers:
        """Return the effect of insurance and even money on a round with an ace up."""
        return self.value_round(ACE, taking).offers

    def chart(self) -> Strategy:
        """Return the best chart; it takes both insurance and even money if together they gain.

        Where the number of cards matters (a charlie), its cells are those of two cards. Where
        splits may be free, they are those of hands that the player pays for; see `free_chart`.
        """
        takes_insurance = (
            not self.rules.shows_hole
            and self.offers(insurance.Taking.ALWAYS).gain > solver_results.ROUNDING_ERROR
        )
        paid = " for paid hands" if makes_free_hands(self.rules) else ""
        return self._write_chart(self._row_values, paid, takes_insurance=takes_insurance)

    def free_chart(self) -> Strategy:
        """Return the best chart for free hands after a split: only what they win counts.

        Raises: UnsupportedRuleError if the house has no free splits.
        """
        if not makes_free_hands(self.rules):
            raise UnsupportedRuleError(
                EngineName.INFINITE, "free_chart", "no hand of this house is free"
            )

        def find_values(hand: _RowHand, against: UpcardValues) -> dict[Action, float]:
            ranks, _ = composition.read_hand(hand)
            return against.free_values(self._state(ranks), ranks[0] if hand in PAIR_LABELS else 0)

        return self._write_chart(find_values, " for free hands", takes_insurance=False)

    def _write_chart(
        self,
        find_values: Callable[[_RowHand, UpcardValues], dict[Action, float]],
        of_hands: str,
        *,
        takes_insurance: bool,
    ) -> Strategy:
        against, columns = dict(self._columns), columns_of(self.rules)
        if takes_insurance:
            against["A"] = self._insured
        if self.rules.charlie is not None:
            of_hands += " of two cards" if of_hands else " for two cards"
        return Strategy(
            cells=tuple(
                tuple(
                    _write_cell(find_values(_THREE_CARDS.get(label, label), values))
                    for values in against.values()
                )
                for label in ROWS[columns]
            ),
            title=f"{self.rules}: the best chart{of_hands} on an infinite deck",
            takes_insurance=takes_insurance,
            columns=columns,
        )

    def _row_values(
        self, hand: _RowHand, against: UpcardValues, pair: Rank | None = None
    ) -> dict[Action, float]:
        ranks, may_be_pair = composition.read_hand(hand)
        state = self._state(ranks)
        if pair is None:
            pair = find_pair(self.rules, ranks, are_equal_faces=may_be_pair)
        return self._values(against, state, pair, len(ranks))

    def _state(self, ranks: tuple[Rank, ...]) -> int:
        state = self._table.state_of(ranks)
        if state < 0 or self._table.total[state] > BUST_LIMIT:
            msg = f"hand {' '.join(map(str, ranks))}: it is over {BUST_LIMIT}: there is no decision"
            raise NotationError(msg)
        return state

    def _values(
        self, against: UpcardValues, state: int, pair_rank: Rank, cards: int
    ) -> dict[Action, float]:
        is_21 = self._table.total[state] == BUST_LIMIT
        if wins_by_cards(self.rules, cards):
            return {Action.STAND: float(self.rules.charlie_pays)}
        if is_21 and cards == 2:
            natural = against.natural_value()
            if against.surrenders_before_look:
                natural = natural_ev(self.rules, against.natural)
            return {Action.STAND: natural}
        if is_21 and self.rules.player_21 is not Player21.ASKED:
            values = {Action.STAND: against.finished_21()}
        else:
            values = against.first_values(state, pair_rank=pair_rank, cards=cards)
        if against.surrenders_before_look and cards == 2:
            values = {action: against.before_look(ev) for action, ev in values.items()}
            values[Action.SURRENDER] = -0.5
        return values

    def _openings(self) -> Iterator[tuple[float, tuple[Rank, Rank], Rank]]:
        """Iterate over two-card hands: chance, ranks, and the rank if they are a pair.

        Hands that never occur are left out, so that their infinite values do not count.
        """
        odds = infinite_hands.rank_odds(self.rules)
        for first in RANKS:
            for second in range(first, TEN + 1):
                ranks = (first, second)
                share = odds[first] * odds[second] * (1 if first == second else 2)
                if not share:
                    continue
                if first == second and needs_equal_faces(self.rules, first):
                    yield share / 4, ranks, TEN  # four faces are worth ten, all equally likely
                    yield share * 3 / 4, ranks, 0
                else:
                    yield share, ranks, find_pair(self.rules, ranks, are_equal_faces=True)

    def _opening_ev(
        self, against: UpcardValues, ranks: tuple[Rank, Rank], pair_rank: Rank
    ) -> float:
        """Return the value of a two-card hand before the dealer looks, without insurance."""
        state = self._state(ranks)
        if self._table.total[state] == BUST_LIMIT:
            return natural_ev(self.rules, against.natural)
        values = self._values(against, state, pair_rank, 2)
        if self.strategy is None:
            value = max(values.values())
        else:
            action = self.strategy.decide(
                total=self._table.total[state],
                is_soft=self._table.is_soft[state],
                pair_rank=pair_rank if Action.SPLIT in values else 0,
                upcard=against.upcard,
                hole=against.hole,
                legal=values,
            )
            value = values[action]
        return value if against.surrenders_before_look else against.before_look(value)


def _write_cell(values: dict[Action, float]) -> str:
    best = solver_results.best_action(values)
    if best is Action.DOUBLE:
        return "D" + _SMALL[solver_results.best_action(values, (Action.STAND, Action.HIT))]
    if best is Action.SURRENDER:
        others = (Action.STAND, Action.HIT, Action.SPLIT)
        return "R" + _SMALL[solver_results.best_action(values, others)]
    return _SMALL[best].upper()
