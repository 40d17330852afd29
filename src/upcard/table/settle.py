"""Settlement: what each bet of a round wins or loses, in exact fractions, by `rules.payoffs`."""

from fractions import Fraction
from typing import Final

from upcard.core.actions import Outcome
from upcard.core.errors import IllegalActionError
from upcard.rules.model import Rules
from upcard.rules.payoffs import INSURANCE_PAYS, PayoffTable, Special, dealer_result, payoffs_of
from upcard.rules.settings import NaturalTakes
from upcard.table.state import Hand, HandStatus, RoundState

NOTHING: Final = Fraction(0)
_SPECIAL: Final[dict[HandStatus, int]] = {
    HandStatus.BUST: Special.BUST,
    HandStatus.EVEN_MONEY: Special.EVEN_MONEY,
    HandStatus.NATURAL: Special.NATURAL,
    HandStatus.SURRENDERED: Special.SURRENDERED,
    HandStatus.WON: Special.WON,
}
"""Results of hands that are not their totals."""


def settle_hands(
    rules: Rules, hands: tuple[Hand, ...], *, dealer_total: int, dealer_has_natural: bool
) -> tuple[tuple[Outcome, Fraction], ...]:
    """Settle every hand: its outcome and its net, in chips.

    `dealer_total` is the dealer's total, final if any hand is compared with it.
    """
    table = payoffs_of(rules)
    dealer = dealer_result(dealer_total, has_natural=dealer_has_natural)
    results = tuple(_settle_hand(table, hand, dealer) for hand in hands)
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


def _settle_hand(rows: PayoffTable, hand: Hand, dealer: int) -> tuple[Outcome, Fraction]:
    payoff = rows.rows[_SPECIAL.get(hand.status, hand.total)][dealer]
    return payoff.outcome, payoff.net(hand.stake, hand.pays_on)


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
