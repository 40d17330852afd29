"""Insurance and even money: their value in a round that faces an ace.

The side bet is settled on the dealer's two cards, whether the dealer peeks, looks later or has no
hole card yet: it adds to the value of the hand, and the hand is played as without it. Only if the
dealer looks because a player insured (`hole_card=no-peek`) is the hand played differently, with a
natural ruled out before it is doubled or split.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from enum import StrEnum
from fractions import Fraction
from typing import Final, NamedTuple

from upcard.core.cards import ACE, TEN, Rank
from upcard.exact import infinite_hands, solver_results
from upcard.rules.model import Rules
from upcard.rules.payoffs import natural_ev, natural_pays
from upcard.rules.predicates import offers_insurance
from upcard.rules.settings import EvenMoney, HoleCard, NaturalTakes, Surrender, TurnOrder
from upcard.strategy.chart import Strategy

_INSURED: Final = 0.5
"""Insurance costs half a bet."""


class Taking(StrEnum):
    """Answers to offers of insurance and even money."""

    BEST = "best"
    """Each hand takes the offers that gain."""
    ALWAYS = "always"
    """Every hand takes its first offer, as a chart that takes insurance does."""
    NEVER = "never"


class InsuranceHand(NamedTuple):
    """A two-card hand that faces an ace, before insurance is answered."""

    chance: float
    """Chance given the ace."""
    natural: float
    """Chance of a dealer's natural, given the hand."""
    is_natural: bool
    ev: float
    """EV with no offer taken, naturals included."""
    insured_ev: float
    """The same if insured, without the side bet: differs only if the dealer then looks."""


class Offers(NamedTuple):
    """Effect of insurance and even money on a round that faces an ace."""

    gain: float = 0.0
    """Gain over declining, per initial bet, given the ace."""
    takes_insurance: bool = False
    """Whether any hand takes insurance."""
    takes_even_money: bool = False


class RoundValue(NamedTuple):
    """EV of a round given the upcard, before the dealer looks, and the part due to offers."""

    ev: float
    offers: Offers

    def mix(self, other: RoundValue, share: float) -> RoundValue:
        """Return the value of rounds of which a share is the other."""
        offers = Offers(
            (1 - share) * self.offers.gain + share * other.offers.gain,
            self.offers.takes_insurance or other.offers.takes_insurance,
            self.offers.takes_even_money or other.offers.takes_even_money,
        )
        return RoundValue((1 - share) * self.ev + share * other.ev, offers)


def taking_of(strategy: Strategy | None) -> Taking:
    """Return how the best play (no chart) or a chart answers offers."""
    if strategy is None:
        return Taking.BEST
    return Taking.ALWAYS if strategy.takes_insurance else Taking.NEVER


def looks_for_insurance(rules: Rules) -> bool:
    """Whether the dealer looks at the hole card because a player insured."""
    return rules.insurance and rules.hole_card is HoleCard.NO_PEEK


def rules_after_look(rules: Rules) -> Rules:
    """Return the rules for an insured hand if the dealer looks for insurance.

    A natural ends the round at once, so it takes original bets only. Early surrender comes before
    the look only if it is offered before the splits; if not, it has become a late one.
    """
    surrender = rules.surrender
    if surrender is Surrender.EARLY and rules.turn_order is not TurnOrder.SPLITS_FIRST:
        surrender = Surrender.LATE
    return rules.replace(
        hole_card=HoleCard.PEEK, natural_takes=NaturalTakes.ALL, surrender=surrender
    )


def insurance_ev(rules: Rules, natural: float) -> float:
    """Return the EV of insurance per initial bet, given the chance of a dealer's natural."""
    return _INSURED * (float(rules.insurance_pays) * natural - (1 - natural))


def even_money_ev(rules: Rules, natural: float, pays: Fraction | None = None) -> float:
    """Return the gain of even money over waiting, given the chance of a dealer's natural.

    `pays` is that of the natural's suits, if they are known.
    """
    return 1 - natural_ev(rules, natural, pays)


def answer_offers(rules: Rules, hands: Iterable[InsuranceHand], taking: Taking) -> Offers:
    """Answer insurance and even money for every hand that faces an ace, and weight the gains."""
    if taking is Taking.NEVER:
        return Offers()
    gain = 0.0
    takes_insurance = takes_even_money = False
    for hand in hands:
        side = insurance_ev(rules, hand.natural)
        insured = solver_results.difference(hand.insured_ev, hand.ev) + side
        # Players see the suits of a natural, by which it may be paid.
        offers: list[tuple[float, float, bool]] = [(1.0, insured, False)]
        if hand.is_natural and rules.even_money is not EvenMoney.NEVER:
            offers = [
                (float(share), even_money_ev(rules, hand.natural, pays), True)
                for share, pays in natural_pays(rules)
            ]
        for share, offered, is_even_money in offers:
            gained, takes_even = offered, is_even_money
            is_first = is_even_money and rules.even_money is EvenMoney.FIRST
            if is_first and taking is Taking.BEST and insured > offered:
                gained, takes_even = insured, False
            if taking is Taking.ALWAYS or gained > solver_results.ROUNDING_ERROR:
                gain += hand.chance * share * gained
                takes_insurance |= not takes_even
                takes_even_money |= takes_even
    return Offers(gain, takes_insurance, takes_even_money)


def value_round(
    rules: Rules, upcard: Rank, hands: Iterable[InsuranceHand], taking: Taking
) -> RoundValue:
    """Return the value of a round given the upcard, with insurance and even money answered."""
    openings = tuple(hands)
    ev = math.fsum(hand.chance * hand.ev for hand in openings)
    offers = Offers()
    if offers_insurance(rules, upcard):
        offers = answer_offers(rules, openings, taking)
    return RoundValue(ev + offers.gain, offers)


def gain_of_taking(rules: Rules, shoe: tuple[float, ...] | None = None) -> float:
    """Return the gain of taking insurance and even money with every hand, given an ace up.

    Per initial bet and in closed form. `shoe` holds the cards before the deal, an ace among them;
    None is an infinite deck. The value of a look for insurance is not included.
    """
    if not rules.insurance:
        return 0.0
    if shoe is None:
        odds = infinite_hands.rank_odds(rules)
        ten = given_natural = odds[TEN]
        natural = 2 * odds[ACE] * ten
    else:
        aces, tens, cards = shoe[ACE] - 1, shoe[TEN], math.fsum(shoe) - 1
        ten = tens / cards
        natural = 2 * aces * tens / (cards * (cards - 1))
        given_natural = (tens - 1) / (cards - 2)
    # An unseen card that leaves changes nothing on average: the hands' own cards cancel out.
    gain = insurance_ev(rules, ten)
    if natural and rules.even_money is not EvenMoney.NEVER:
        side = insurance_ev(rules, given_natural)
        gain += natural * (even_money_ev(rules, given_natural) - side)
    return gain


def answer_seeing(rules: Rules, shoe: tuple[float, ...] | None) -> Offers:
    """Answer insurance and even money with the hole card seen, given an ace up.

    Only a hole card worth ten is insured. `shoe` is as in `gain_of_taking`.
    """
    if not rules.insurance:
        return Offers()
    if shoe is None:
        odds = infinite_hands.rank_odds(rules)
        ten, natural = odds[TEN], 2 * odds[ACE] * odds[TEN]
    else:
        cards = math.fsum(shoe) - 1
        ten = shoe[TEN] / cards
        natural = 2 * (shoe[ACE] - 1) * (shoe[TEN] - 1) / ((cards - 1) * (cards - 2))
    tied = natural_ev(rules, 1.0)
    hands = (
        InsuranceHand(1 - natural, 1.0, is_natural=False, ev=-1.0, insured_ev=-1.0),
        InsuranceHand(natural, 1.0, is_natural=True, ev=tied, insured_ev=tied),
    )
    offers = answer_offers(rules, hands, Taking.BEST)
    return offers._replace(gain=ten * offers.gain)


def describe_offers(rules: Rules, strategy: Strategy | None, offers: Offers) -> tuple[str, ...]:
    """Describe the answers to insurance and even money, one sentence each; empty if not offered."""
    if not rules.insurance:
        return ()
    how = " where it gains" if strategy is None else ", as the chart says"
    taken = {True: f"is taken{how}.", False: "is not taken."}
    notes = [f"Insurance {taken[offers.takes_insurance]}"]
    if rules.even_money is not EvenMoney.NEVER:
        notes.append(f"Even money {taken[offers.takes_even_money]}")
    if looks_for_insurance(rules) and offers.takes_insurance:
        notes.append("Insurance makes the dealer look before doubles and splits; that is counted.")
    return tuple(notes)
