"""Settlement: winners and payments in exact fractions, decided here only."""

from fractions import Fraction
from typing import Final

from upcard.core.actions import Outcome
from upcard.core.errors import IllegalActionError
from upcard.core.hands import BUST_LIMIT
from upcard.rules.model import Rules
from upcard.rules.predicates import natural_beats_surrender
from upcard.rules.settings import NaturalTakes
from upcard.table.state import Hand, HandStatus, RoundState

NOTHING: Final = Fraction(0)
INSURANCE_PAYS: Final = 2
_DECIDED: Final = {
    HandStatus.BUST: Outcome.BUST,
    HandStatus.EVEN_MONEY: Outcome.NATURAL,
    HandStatus.WON: Outcome.WIN,
}
"""Outcomes that do not depend on the dealer's final hand."""


def settle_hands(
    rules: Rules, hands: tuple[Hand, ...], *, dealer_total: int, dealer_has_natural: bool
) -> tuple[tuple[Outcome, Fraction], ...]:
    """Settle every hand: its outcome and its net, in chips.

    `dealer_total` is the dealer's total, final if any hand is compared with it.
    """
    results = tuple(
        _settle_hand(rules, hand, dealer_total, dealer_has_natural=dealer_has_natural)
        for hand in hands
    )
    if dealer_has_natural and rules.natural_takes is NaturalTakes.ORIGINAL:
        return _return_added_bets(hands, results)
    return results


def settle_insurance(bet: Fraction, *, dealer_has_natural: bool) -> Fraction:
    """Settle an insurance bet: 2:1 if the dealer has a natural."""
    return bet * INSURANCE_PAYS if dealer_has_natural else -bet


def net_of_spots(state: RoundState) -> tuple[Fraction, ...]:
    """Return what each spot won or lost in all; they sum to the round's net."""
    nets = [net + state.side.net_of(spot) for spot, net in enumerate(insurance_of_spots(state))]
    for hand, (_, won) in zip(state.hands, state.results, strict=True):
        nets[hand.spot] += won
    return tuple(nets)


def insurance_of_spots(state: RoundState) -> tuple[Fraction, ...]:
    """Return what the insurance bet of each spot won or lost, 0 where there was none."""
    if not state.is_over:
        raise IllegalActionError("a round is settled when it is over: finish it first")
    has_natural = state.dealer_has_natural
    return tuple(
        settle_insurance(bet, dealer_has_natural=has_natural) if bet else NOTHING
        for bet in state.insurance.bets
    )


def _settle_hand(
    rules: Rules, hand: Hand, dealer_total: int, *, dealer_has_natural: bool
) -> tuple[Outcome, Fraction]:
    outcome = _outcome(rules, hand, dealer_total, dealer_has_natural=dealer_has_natural)
    if outcome is Outcome.NATURAL:
        pays = Fraction(1) if hand.status is HandStatus.EVEN_MONEY else rules.natural_pays
        return outcome, hand.bet * pays
    if outcome is Outcome.SURRENDER:
        return outcome, -hand.bet / 2
    if outcome is Outcome.PUSH:
        return outcome, NOTHING
    return outcome, hand.bet if outcome is Outcome.WIN else -hand.bet


def _outcome(rules: Rules, hand: Hand, dealer_total: int, *, dealer_has_natural: bool) -> Outcome:
    if hand.status in _DECIDED:
        return _DECIDED[hand.status]
    if hand.status is HandStatus.SURRENDERED:
        loses_all = dealer_has_natural and natural_beats_surrender(rules)
        return Outcome.LOSE if loses_all else Outcome.SURRENDER
    if hand.status is HandStatus.NATURAL:
        return Outcome.PUSH if dealer_has_natural else Outcome.NATURAL
    if dealer_has_natural:
        ties = rules.natural_ties_21 and hand.total == BUST_LIMIT
        return Outcome.PUSH if ties else Outcome.LOSE
    if dealer_total > BUST_LIMIT or hand.total > dealer_total:
        return Outcome.WIN
    return Outcome.PUSH if hand.total == dealer_total else Outcome.LOSE


def _return_added_bets(
    hands: tuple[Hand, ...], results: tuple[tuple[Outcome, Fraction], ...]
) -> tuple[tuple[Outcome, Fraction], ...]:
    """Limit what a natural takes to one original bet a spot (OBO).

    The first losing hand of a spot counts as the original bet; the other stakes, those of busted
    hands too, are returned: after a peek they would never have been placed.
    """
    settled = list(results)
    charged: set[int] = set()
    for index, hand in enumerate(hands):
        outcome, _ = results[index]
        if outcome not in (Outcome.LOSE, Outcome.BUST):
            continue
        if hand.spot in charged:
            settled[index] = (Outcome.PUSH, NOTHING)
        else:
            charged.add(hand.spot)
            settled[index] = (outcome, -hand.initial_bet)
    return tuple(settled)
