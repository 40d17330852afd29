"""The dealer's odds on an infinite deck."""

from fractions import Fraction

import pytest
from naive_infinite import Game

from upcard import Rules, RulesError
from upcard.core.cards import RANKS
from upcard.core.hands import AceRule, hand_table
from upcard.exact.infinite_hands import dealer_outcomes, growth_order, rank_odds
from upcard.rules.settings import DealerRule

ODDS = ("0", "1/100", "4/13", "1/2", "1")
HOUSES = ("", "H17", "ENHC", "OBO H17", "ace_rule=one-softened", "H17 ace_rule=one-softened ENHC")


@pytest.mark.parametrize("p", ODDS)
@pytest.mark.parametrize("tokens", HOUSES)
def test_outcomes_sum_to_1(p, tokens):
    rules = Rules.parse(f"INF({p}) {tokens}")
    assert sum(rank_odds(rules)) == pytest.approx(1, abs=1e-15)
    for up in RANKS:
        outcomes = dealer_outcomes(rules, up)
        total = sum(outcomes.totals) + outcomes.bust + outcomes.natural
        assert total == pytest.approx(1, abs=1e-14)
        assert sum(outcomes.totals[:17]) == 0
        assert min(*outcomes.totals, outcomes.bust, outcomes.natural) >= 0


@pytest.mark.parametrize("player_total", [4, 12, 16, 17, 20, 21])
@pytest.mark.parametrize("ace_rule", AceRule)
def test_outcomes_of_a_dealer_who_stops_when_ahead_sum_to_1(player_total, ace_rule):
    rules = Rules(
        decks=None, dealer_rule=DealerRule.UNTIL_AHEAD, ace_rule=ace_rule, max_spots=1, max_hands=1
    )
    for up in RANKS:
        outcomes = dealer_outcomes(rules, up, player_total=player_total)
        assert sum(outcomes.totals) + outcomes.bust == pytest.approx(1, abs=1e-14)


def test_the_dealer_who_stops_when_ahead_must_see_a_total():
    rules = Rules(decks=None, dealer_rule=DealerRule.UNTIL_AHEAD, max_spots=1, max_hands=1)
    with pytest.raises(RulesError, match="player_total is needed"):
        dealer_outcomes(rules, 6)


@pytest.mark.parametrize("hits_soft_17", [False, True])
def test_outcomes_are_those_of_plain_recursion(hits_soft_17):
    naive = Game(hits_soft_17=hits_soft_17)
    rules = Rules.parse("INF ENHC " + ("H17" if hits_soft_17 else "S17"))
    for up in RANKS:
        outcomes = dealer_outcomes(rules, up)
        expected = naive.dealer((up,))
        bust = sum(share for (total, _), share in expected.items() if total > 21)
        assert outcomes.bust == pytest.approx(bust, abs=1e-14)
        assert outcomes.natural == pytest.approx(expected.get((21, True), 0), abs=1e-14)
        for total in range(17, 22):
            share = expected.get((total, False), 0)
            assert outcomes.totals[total] == pytest.approx(share, abs=1e-14)


def test_a_peek_rules_the_natural_out_and_keeps_the_other_odds():
    peeked = dealer_outcomes(Rules.parse("INF"), 1)
    unpeeked = dealer_outcomes(Rules.parse("INF ENHC"), 1)
    assert peeked.natural == 0
    assert unpeeked.natural == pytest.approx(4 / 13, abs=1e-15)
    for total in range(17, 22):
        assert peeked.totals[total] == pytest.approx(unpeeked.totals[total] * 13 / 9, abs=1e-14)


def test_an_ace_up_where_all_cards_are_tens_has_its_limit():
    at_the_end = dealer_outcomes(Rules.parse("INF(1)"), 1)
    near = dealer_outcomes(Rules(decks=None, ten_probability=1 - Fraction(1, 10**9)), 1)
    assert at_the_end.totals == pytest.approx(near.totals, abs=1e-8)


@pytest.mark.parametrize("ace_rule", AceRule)
def test_a_card_leads_to_a_later_state_only(ace_rule):
    """What lets values be worked out backwards in one pass."""
    table = hand_table(ace_rule)
    order = {state: place for place, state in enumerate(growth_order(ace_rule))}
    for state, row in enumerate(table.next_state):
        assert all(order[after] > order[state] for after in row[1:] if after >= 0)


@pytest.mark.parametrize("ace_rule", AceRule)
def test_the_order_of_two_cards_does_not_matter(ace_rule):
    """The solver deals the upcard first, some houses the hole card."""
    table = hand_table(ace_rule)
    for first in RANKS:
        for second in RANKS:
            assert table.state_of((first, second)) == table.state_of((second, first))
