"""PayoffTable of hands: one table of a player's result and the dealer's, made from `Rules`.

The table asks it for every hand; the simulator's loops have it as an array of whole numbers, and
the exact solver takes its parameters from it. A new rule about ties, bonuses or pushes changes
`payoffs_of`, and nothing else says who wins.

The dealer's 22 is a result of its own beside other busts, which some houses pay otherwise; see
`PayoffTable.splits_22`.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from fractions import Fraction
from functools import lru_cache
from typing import Final, NamedTuple

from upcard.core.actions import Outcome
from upcard.core.cards import ACE, TEN, Card, Rank
from upcard.core.hands import BUST_LIMIT
from upcard.rules import bonuses as bonus_cards
from upcard.rules.model import Rules
from upcard.rules.predicates import DEALER_STANDS_ON, natural_beats_surrender
from upcard.rules.settings import NaturalTie

TOTALS: Final = range(BUST_LIMIT + 1)
"""Totals that are compared: 0 to 21."""
_ONE: Final = Fraction(1)
_NOTHING: Final = Fraction(0)
_CARDS_OF_21: Final = 3
"""Cards that a bonus pays by their suits."""


class Special(IntEnum):
    """Results of a player's hand beside its totals; the numbers follow those of totals."""

    NATURAL = 22
    EVEN_MONEY = 23
    SURRENDERED = 24
    WON = 25
    """Won at once, before the dealer plays."""
    BUST = 26
    CHARLIE = 27
    """Won at once by its number of cards."""
    SUITED_NATURAL = 28
    LIVING_BUST = 29
    """Bust, and compared with the dealer all the same."""


class DealerEnd(IntEnum):
    """Results of the dealer's hand beside the totals up to 21."""

    TWENTY_TWO = 22
    BUST = 23
    """Over 22."""
    NATURAL = 24


HAND_RESULTS: Final = (*TOTALS, *Special)
DEALER_RESULTS: Final = (*TOTALS, *DealerEnd)


class Payoff(NamedTuple):
    """The end of a hand: `won` times what it pays on, less `lost` times its stake."""

    outcome: Outcome
    won: Fraction = Fraction(0)
    lost: Fraction = Fraction(0)

    def net(self, stake: Fraction, pays_on: Fraction) -> Fraction:
        """Return the net of a hand, in chips."""
        if self.won is _ONE:  # quicker than a product of fractions, here and below
            return pays_on
        if self.lost is _ONE:
            return -stake
        return pays_on * self.won - stake * self.lost if self.won or self.lost else _NOTHING


class PayoffTable(NamedTuple):
    """The payoffs of a house, by `HAND_RESULTS` and `DEALER_RESULTS`."""

    rows: tuple[tuple[Payoff, ...], ...]

    @property
    def splits_22(self) -> bool:
        """Whether some hand is paid differently against 22 than against another bust."""
        return any(row[DealerEnd.TWENTY_TWO] != row[DealerEnd.BUST] for row in self.rows)

    def net_of(self, hand: int, dealer: int) -> float:
        """Return the net of a hand of one unit."""
        payoff = self.rows[hand][dealer]
        return float(payoff.won - payoff.lost)


def natural_pays(rules: Rules) -> tuple[tuple[Fraction, Fraction], ...]:
    """Return what naturals pay by their suits, each after its share of all naturals.

    Two cards have one suit in a quarter of all cases, whatever ranks have left the shoe.
    """
    suited = rules.suited_natural_pays
    if suited is None:
        return ((_ONE, rules.natural_pays),)
    return (Fraction(3, 4), rules.natural_pays), (Fraction(1, 4), suited)


def average_natural_pay(rules: Rules) -> Fraction:
    """Return what a natural of unknown suits pays on average."""
    return sum((share * pays for share, pays in natural_pays(rules)), _NOTHING)


def natural_ev(rules: Rules, natural: float, pays: Fraction | None = None) -> float:
    """Return the EV of a player's natural, given the chance of a dealer's.

    `pays` is that of its suits, if they are known.
    """
    won = float(average_natural_pay(rules) if pays is None else pays)
    tied = {NaturalTie.PUSH: 0.0, NaturalTie.WIN: won, NaturalTie.LOSE: -1.0}[rules.natural_tie]
    return (1 - natural) * won + natural * tied


def result_of_natural(cards: Sequence[Card]) -> Special:
    """Return the result of a natural; cards without a suit do not count as suited."""
    one, other = cards
    is_suited = one.suit and one.suit == other.suit
    return Special.SUITED_NATURAL if is_suited else Special.NATURAL


def suited_natural_pay(rules: Rules, suits: Sequence[str]) -> Fraction:
    """Return what a natural of cards with these suits pays, on average if they are not known."""
    if not suits or not all(suits):
        return average_natural_pay(rules)
    is_suited = len(set(suits)) == 1 and rules.suited_natural_pays is not None
    return natural_pays(rules)[is_suited][1]


def natural_pay_of(rules: Rules, cards: Sequence[Card]) -> Fraction:
    """Return what a natural of these two cards pays, on average if their suits are unknown."""
    return suited_natural_pay(rules, [card.suit for card in cards])


def pays_by_suit(rules: Rules) -> bool:
    """Whether the house pays some hand by its suits."""
    return rules.suited_natural_pays is not None or any(
        suits_decide(rules, ranks) for ranks in ((6, 7, 8), (bonus_cards.SEVEN,) * _CARDS_OF_21)
    )


def suits_decide(rules: Rules, ranks: Sequence[Rank]) -> bool:
    """Whether the suits of a hand decide what it is paid, or what one more card is paid."""
    if sorted(ranks) == [ACE, TEN]:
        return rules.suited_natural_pays is not None
    needed = needed_card(ranks)
    bonuses = rules.bonuses
    if bonuses is None or needed is None:
        return False
    cards = [*ranks, *needed]
    pays = bonuses.by_suit(cards)
    is_super = cards == [bonus_cards.SEVEN] * _CARDS_OF_21 and bonuses.suited_777_v_7 is not None
    return pays is not None and (len({*pays}) > 1 or is_super)


def needed_card(ranks: Sequence[Rank]) -> tuple[Rank, ...] | None:
    """Return the card that a hand needs for three cards of 21, none if it has them."""
    missing = BUST_LIMIT - sum(ranks)
    if len(ranks) == _CARDS_OF_21:
        return () if not missing else None
    is_near = len(ranks) == _CARDS_OF_21 - 1 and 0 < missing <= TEN
    return (missing,) if is_near else None


def dealer_result(total: int, *, has_natural: bool) -> int:
    """Return the dealer's result as a column of the table."""
    if has_natural:
        return DealerEnd.NATURAL
    return total if total <= BUST_LIMIT + 1 else DealerEnd.BUST


def _revive(rules: Rules, hand: int, dealer: int) -> int:
    """Return the result of a busted hand that may live; all others are their own."""
    if hand != Special.LIVING_BUST:
        return hand
    return Special.WON if rules.busts_live and dealer == DealerEnd.BUST else Special.BUST


@lru_cache(maxsize=64)
def payoffs_of(rules: Rules) -> PayoffTable:
    """Return the payoffs of a house."""
    suited_pays = rules.suited_natural_pays
    natural_pays = {
        Special.NATURAL: rules.natural_pays,
        Special.SUITED_NATURAL: rules.natural_pays if suited_pays is None else suited_pays,
    }
    lost_ties = range(DEALER_STANDS_ON, (rules.dealer_wins_ties or 0) + 1)

    def decide(hand: int, dealer: int) -> Payoff:
        match hand:
            case Special.BUST:
                return Payoff(Outcome.BUST, lost=_ONE)
            case Special.WON:
                return Payoff(Outcome.WIN, won=_ONE)
            case Special.CHARLIE:
                return Payoff(Outcome.WIN, won=rules.charlie_pays)
            case Special.EVEN_MONEY:
                return Payoff(Outcome.NATURAL, won=_ONE)
            case Special.SURRENDERED:
                if dealer == DealerEnd.NATURAL and natural_beats_surrender(rules):
                    return Payoff(Outcome.LOSE, lost=_ONE)
                return Payoff(Outcome.SURRENDER, lost=_ONE / 2)
            case Special.NATURAL | Special.SUITED_NATURAL:
                if dealer != DealerEnd.NATURAL or rules.natural_tie is NaturalTie.WIN:
                    return Payoff(Outcome.NATURAL, won=natural_pays[Special(hand)])
                if rules.natural_tie is NaturalTie.LOSE:
                    return Payoff(Outcome.LOSE, lost=_ONE)
                return Payoff(Outcome.PUSH)
        if dealer == DealerEnd.NATURAL:
            is_tie = rules.natural_ties_21 and hand == BUST_LIMIT
            return Payoff(Outcome.PUSH) if is_tie else Payoff(Outcome.LOSE, lost=_ONE)
        if dealer == DealerEnd.TWENTY_TWO and rules.pushes_22:
            return Payoff(Outcome.PUSH)
        if dealer > BUST_LIMIT or hand > dealer:
            return Payoff(Outcome.WIN, won=_ONE)
        is_push = hand == dealer and hand not in lost_ties
        return Payoff(Outcome.PUSH) if is_push else Payoff(Outcome.LOSE, lost=_ONE)

    rows = (
        tuple(decide(_revive(rules, hand, dealer), dealer) for dealer in DEALER_RESULTS)
        for hand in HAND_RESULTS
    )
    return PayoffTable(tuple(rows))
