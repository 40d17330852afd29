"""A second, naive settlement, written without `core`, agrees on 100,000 random rounds."""

import random
from fractions import Fraction

import naive
import pytest
from marks import slow_except
from random_rules import choose_rules

from upcard import EmptyShoeError
from upcard.core.hands import AceRule
from upcard.rules.settings import DealerRule, HoleCard, SplitNaturals
from upcard.table import HandStatus, Table, make_shoe

BATCHES, RULES, ROUNDS = 8, 250, 50
HOLE_CARD = {HoleCard.PEEK: "peek", HoleCard.NO_PEEK: "no peek", HoleCard.NONE: "none"}
SPLIT_NATURALS = {
    SplitNaturals.NEVER: "never",
    SplitNaturals.ON_TENS: "on tens",
    SplitNaturals.ALWAYS: "always",
}


def facts_of(rules):
    return {
        "natural_pays": rules.natural_pays,
        "natural_ties_21": rules.natural_ties_21,
        "split_naturals": SPLIT_NATURALS[rules.split_naturals],
        "hole_card": HOLE_CARD[rules.hole_card],
        "natural_takes": str(rules.natural_takes),
        "surrender": str(rules.surrender),
        "ace_rule": "best" if rules.ace_rule is AceRule.BEST else "one softened",
        "dealer_rule": "to 17" if rules.dealer_rule is DealerRule.TO_17 else "until ahead",
        "soft_17": str(rules.soft_17),
        "charlie": rules.charlie,
    }


def describe(hand):
    return {
        "cards": [card.rank for card in hand.cards],
        "bet": hand.bet,
        "initial_bet": hand.initial_bet,
        "spot": hand.spot,
        "split_from": hand.split_rank or None,
        "doubled": hand.bet != hand.initial_bet,
        "surrendered": hand.status is HandStatus.SURRENDERED,
        "even_money": hand.status is HandStatus.EVEN_MONEY,
        "won_at_once": hand.status is HandStatus.WON,
    }


@pytest.mark.parametrize("batch", slow_except(range(2), range(BATCHES)))
def test_naive_settlement_agrees(batch):
    rng = random.Random(batch)
    played = 0
    for _ in range(RULES):
        rules = choose_rules(rng.choice)
        facts = facts_of(rules)
        table = Table(rules, make_shoe(rules, rng))
        text = str(rules)
        for _ in range(ROUNDS):
            bets = [Fraction(rng.randint(1, 9), 2) for _ in range(rng.randint(1, rules.max_spots))]
            try:
                state = table.start(bets)
                while not state.is_over:
                    state = table.act(rng.choice(state.legal))
            except EmptyShoeError:
                continue
            played += 1
            dealer = [card.rank for card in state.dealer]
            insurance = [bet for bet in state.insurance.bets if bet]
            nets, insured = naive.settle_round(
                facts, [describe(hand) for hand in state.hands], dealer, insurance
            )
            situation = f"{text}: {[str(hand) for hand in state.hands]} v {dealer}"
            assert [net for _, net in state.results] == nets, situation
            assert state.insurance.net == insured, situation
            assert state.net == sum(nets) + insured, situation
            for hand in state.hands:
                total = naive.hand_total([card.rank for card in hand.cards], facts["ace_rule"])
                assert hand.total == total, situation
            if any(hand.status in COMPARED for hand in state.hands):
                expected = naive.dealer_hand(facts, dealer[:2], dealer[2:], state.hands[0].total)
                assert dealer == expected, situation
    assert played > 0.99 * RULES * ROUNDS


COMPARED = (HandStatus.STOOD, HandStatus.DOUBLED, HandStatus.TWENTY_ONE)
