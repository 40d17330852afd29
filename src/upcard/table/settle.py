"""Settlement: what each bet of a round wins or loses, in exact fractions, by `rules.payoffs`."""

from fractions import Fraction
from typing import Final

from upcard.core.actions import Outcome
from upcard.core.cards import Rank
from upcard.core.errors import IllegalActionError
from upcard.rules.model import Rules
from upcard.rules.payoffs import Payoff, Special, dealer_result, payoffs_of, result_of_natural
from upcard.rules.predicates import busts_live
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
    rules: Rules,
    hands: tuple[Hand, ...],
    *,
    dealer_total: int,
    dealer_has_natural: bool,
    upcard: Rank,
) -> tuple[tuple[Outcome, Fraction], ...]:
    """Settle every hand: its outcome and its net, in chips.

    `dealer_total` is the dealer's total, final if any hand is compared with it.
    """
    rows = payoffs_of(rules).rows
    dealer = dealer_result(dealer_total, has_natural=dealer_has_natural)
    payoffs = ((hand, rows[find_result(rules, hand, upcard)][dealer]) for hand in hands)
    if rules.bonuses is not None:
        payoffs = ((hand, _add_bonus(rules, hand, end, upcard)) for hand, end in payoffs)
    results = tuple((end.outcome, end.net(hand.stake, hand.pays_on)) for hand, end in payoffs)
    if dealer_has_natural and rules.natural_takes is not NaturalTakes.ALL:
        return _return_added_bets(rules.natural_takes, hands, results)
    return results


def _add_bonus(rules: Rules, hand: Hand, end: Payoff, upcard: Rank) -> Payoff:
    """Return the end of a hand, with what its 21 pays."""
    if rules.bonuses is None or hand.status is not HandStatus.WON or hand.doubles:
        return end
    pay = rules.bonuses.pay_of(hand.cards, upcard=upcard, is_split=hand.is_split)
    return end._replace(won=pay)


def find_result(rules: Rules, hand: Hand, upcard: Rank) -> int:
    """Return the result of a finished hand, as a row of the payoff table."""
    result = _SPECIAL.get(hand.status, hand.total)
    if result == Special.BUST and busts_live(rules, upcard):
        return Special.LIVING_BUST
    if result == Special.WON and rules.charlie is not None and len(hand.cards) >= rules.charlie:
        return Special.CHARLIE
    if result == Special.NATURAL and rules.suited_natural_pays is not None:
        return result_of_natural(hand.cards)
    return result


def settle_insurance(rules: Rules, bet: Fraction, *, dealer_has_natural: bool) -> Fraction:
    """Settle an insurance bet."""
    return bet * rules.insurance_pays if dealer_has_natural else -bet


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
        settle_insurance(state.rules, bet, dealer_has_natural=has_natural) if bet else NOTHING
        for bet in state.insurance.bets
    )


def _return_added_bets(
    takes: NaturalTakes,
    hands: tuple[Hand, ...],
    results: tuple[tuple[Outcome, Fraction], ...],
) -> tuple[tuple[Outcome, Fraction], ...]:
    """Limit what a natural takes of a spot, to one original bet or to busted bets and one.

    OBO: the first losing hand of a spot counts as the original bet; the other stakes, those of
    busted hands too, are returned: after a peek they would never have been placed. OBBO: busted
    hands lose; the original bet is that of the spot's first hand. BB1: busted hands lose, and one
    original bet of the first hand that is not bust.
    """
    settled = list(results)
    charged: set[int] = set()
    for index, hand in enumerate(hands):
        outcome, _ = results[index]
        loses_all = outcome is Outcome.BUST and takes is not NaturalTakes.ORIGINAL
        if outcome in (Outcome.LOSE, Outcome.BUST) and not loses_all:
            is_first = hand.spot not in charged
            settled[index] = (
                (outcome, -min(hand.stake, hand.initial_bet))
                if is_first
                else (Outcome.PUSH, NOTHING)
            )
            charged.add(hand.spot)
        elif takes is NaturalTakes.ORIGINAL_AND_BUSTED:
            charged.add(hand.spot)
    return tuple(settled)
