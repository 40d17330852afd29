"""Random rounds at the table, settled again by `naive`, which shares no code with upcard."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

import naive

from upcard.core.errors import EmptyShoeError
from upcard.core.hands import AceRule
from upcard.rules.settings import DealerRule, HoleCard, Player21, SplitNaturals
from upcard.table.rounds import Table
from upcard.table.shoe import make_shoe
from upcard.table.state import HandStatus

if TYPE_CHECKING:
    import random
    from collections.abc import Iterator

    from upcard.rules.model import Rules
    from upcard.table.shoe import Shoe
    from upcard.table.state import Hand, RoundState

HOLE_CARD = {HoleCard.PEEK: "peek", HoleCard.NO_PEEK: "no peek", HoleCard.NONE: "none"}
SPLIT_NATURALS = {
    SplitNaturals.NEVER: "never",
    SplitNaturals.ON_TENS: "on tens",
    SplitNaturals.ALWAYS: "always",
}
PLAYER_21 = {
    Player21.STANDS: "stands",
    Player21.ASKED: "asked",
    Player21.WINS: "wins",
    Player21.ALWAYS_WINS: "always wins",
}
COMPARED = (HandStatus.STOOD, HandStatus.DOUBLED, HandStatus.TWENTY_ONE)
"""What the dealer must draw against."""


def settle_twice(
    rng: random.Random, rules: Rules, rounds: int, shoe: Shoe | None = None
) -> Iterator[tuple[dict[str, Any], dict[str, Any], RoundState]]:
    """Play rounds by random answers; yield what each came to, what `naive` says, and its state.

    Rounds that run out of cards are left out. Without `shoe` the cards are shuffled.
    """
    facts = facts_of(rules)
    table = Table(rules, shoe or make_shoe(rules, rng))
    for _ in range(rounds):
        bets = [Fraction(rng.randint(1, 9), 2) for _ in range(rng.randint(1, rules.max_spots))]
        try:
            state = table.start(bets)
            while not state.is_over:
                state = table.act(rng.choice(state.legal))
        except EmptyShoeError:
            continue
        dealer = [card.rank for card in state.dealer]
        yield describe_round(state, dealer), settle_naively(facts, state, dealer), state


def describe_round(state: RoundState, dealer: list[int]) -> dict[str, Any]:
    """Describe what a round came to."""
    return {
        "nets": [net for _, net in state.results],
        "insurance": state.insurance.net,
        "net": state.net,
        "totals": [hand.total for hand in state.hands],
        "dealer": dealer,
    }


def settle_naively(facts: dict[str, Any], state: RoundState, dealer: list[int]) -> dict[str, Any]:
    """Describe what the same round comes to by `naive`."""
    insurance = [bet for bet in state.insurance.bets if bet]
    nets, insured = naive.settle_round(
        facts,
        [describe_hand(hand) for hand in state.hands],
        dealer,
        insurance,
        state.upcard.rank,
    )
    compared = COMPARED
    if naive.lives_bust(facts, state.upcard.rank):
        compared = (*COMPARED, HandStatus.BUST)
    if any(hand.status in compared for hand in state.hands):
        dealer = naive.dealer_hand(facts, dealer[:2], dealer[2:], state.hands[0].total)
    return {
        "nets": nets,
        "insurance": insured,
        "net": sum(nets) + insured,
        "totals": [
            naive.hand_total([card.rank for card in hand.cards], facts["ace_rule"])
            for hand in state.hands
        ],
        "dealer": dealer,
    }


def facts_of(rules: Rules) -> dict[str, Any]:
    """Describe the rules as `naive` reads them."""
    return {
        "natural_pays": rules.natural_pays,
        "suited_pays": rules.suited_natural_pays,
        "natural_tie": str(rules.natural_tie),
        "natural_ties_21": rules.natural_ties_21,
        "lost_ties": rules.dealer_wins_ties,
        "pushes_22": rules.pushes_22,
        "split_naturals": SPLIT_NATURALS[rules.split_naturals],
        "hole_card": HOLE_CARD[rules.hole_card],
        "natural_takes": str(rules.natural_takes),
        "surrender": str(rules.surrender),
        "ace_rule": "best" if rules.ace_rule is AceRule.BEST else "one softened",
        "dealer_rule": "to 17" if rules.dealer_rule is DealerRule.TO_17 else "until ahead",
        "soft_17": str(rules.soft_17),
        "charlie": rules.charlie,
        "charlie_pays": rules.charlie_pays,
        "player_21": PLAYER_21[rules.player_21],
        "bonuses": describe_bonuses(rules),
        "super_777": rules.bonuses and rules.bonuses.suited_777_v_7,
        "busts_live": rules.busts_live,
        "insurance_pays": rules.insurance_pays,
    }


def describe_bonuses(rules: Rules) -> dict[str, Any] | None:
    """Describe the bonuses of a 21 as `naive` reads them."""
    bonuses = rules.bonuses
    if bonuses is None:
        return None
    by_cards = {str(number): pay for number, pay in bonuses.by_cards}
    return by_cards | {"678": tuple(bonuses.of_678), "777": tuple(bonuses.of_777)}


def describe_hand(hand: Hand) -> dict[str, Any]:
    """Describe a hand as `naive` reads it."""
    return {
        "cards": [card.rank for card in hand.cards],
        "bet": hand.bet,
        "pays_on": hand.pays_on,
        "initial_bet": hand.initial_bet,
        "spot": hand.spot,
        "split_from": hand.split_rank or None,
        "doubled": hand.doubles > 0,
        "surrendered": hand.status is HandStatus.SURRENDERED,
        "even_money": hand.status is HandStatus.EVEN_MONEY,
        "won_at_once": hand.status is HandStatus.WON,
        "suits": [card.suit for card in hand.cards],
    }
