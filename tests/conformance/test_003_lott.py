"""Document 003, the Blackjack game class of a book on object-oriented design.

Cards are written in deal order: two to the player, the dealer's upcard, his hole card, then what is
drawn. Everything is an offer: even money, insurance, splits until none is wanted, then a double or
a hit for each hand.
"""

from __future__ import annotations

from fractions import Fraction

import pytest

import upcard
from upcard import Outcome

HALF = Fraction(1, 2)


def play(cards: str, *decisions: str, **changes: object) -> upcard.RoundResult:
    """Play one round of the house, with some of its rules changed."""
    rules = upcard.house("lott")
    if changes:
        rules = rules.replace(**changes)
    return upcard.play_round(rules, cards=cards, decisions=list(decisions))


def ranks(hand: object) -> list[int]:
    """Return the ranks of a hand's cards, in the order they came."""
    return [card.rank for card in hand.cards]


# Scenarios a to n.


def test_003_a_even_money_is_paid_at_once() -> None:
    """Insurance step 1: accepted even money is resolved as a winner at 1:1; game over."""
    result = play("A K A 9", "even money")
    assert result.hands[0].outcome == Outcome.NATURAL
    assert result.hands[0].net == 1
    assert ranks(result.dealer) == [1, 9]
    assert result.insurance_net == 0
    assert result.net == 1


def test_003_b_two_naturals_push() -> None:
    """Cycle step 8: even money and insurance declined, two blackjacks push."""
    result = play("A K A K", "no even money", "no insurance")
    assert result.hands[0].outcome == Outcome.PUSH
    assert result.dealer.is_natural
    assert result.net == 0


def test_003_c_a_push_with_insurance_wins_the_insurance() -> None:
    """Insurance steps 1 to 3: the hand pushes, half a bet of insurance pays 2:1."""
    result = play("A K A K", "no even money", "insurance")
    assert result.hands[0].outcome == Outcome.PUSH
    assert result.hands[0].net == 0
    assert result.insurance_net == 1
    assert result.net == 1


def test_003_d_a_natural_with_lost_insurance() -> None:
    """Insurance step 3: no blackjack, the insurance is lost, the natural is paid 3:2."""
    result = play("A K A 9", "no even money", "insurance")
    assert result.hands[0].outcome == Outcome.NATURAL
    assert result.hands[0].net == Fraction(3, 2)
    assert result.insurance_net == -HALF
    assert ranks(result.dealer) == [1, 9]
    assert result.net == 1


def test_003_e_insurance_wins_and_the_round_is_over() -> None:
    """Insurance step 3: insurance wins, the ante loses, the game is over before any play."""
    result = play("T 9 A K", "insurance")
    assert result.hands[0].outcome == Outcome.LOSE
    assert result.hands[0].net == -1
    assert result.insurance_net == 1
    assert result.dealer.is_natural
    assert result.net == 0
    assert list(play("T 9 A K", "insurance", "stand").unasked) == ["stand"]


def test_003_f_insurance_declined_loses_the_ante() -> None:
    """Insurance step 2: declined, nothing is done; the player stands into a blackjack."""
    result = play("T 9 A K", "no insurance", "stand")
    assert result.hands[0].outcome == Outcome.LOSE
    assert result.insurance_net == 0
    assert result.dealer.is_natural
    assert result.net == -1


def test_003_g_insurance_declined_a_double_is_lost() -> None:
    """Insurance step 2: nothing is checked, so the doubled bet goes to the blackjack."""
    result = play("6 5 A K T", "no insurance", "double")
    assert ranks(result.hands[0]) == [6, 5, 10]
    assert result.hands[0].total == 21
    assert result.hands[0].bet == 2
    assert result.hands[0].outcome == Outcome.LOSE
    assert result.net == -2


def test_003_h_all_splits_come_before_any_filling() -> None:
    """Cycle step 4: the second half is a pair and is offered a split, then hands are filled."""
    cards = "9 9 7 T 2 9 3 8 T 8"
    result = play(cards, "split", "split", "hit", "hit", "stand", "stand")
    first, second, third = result.hands
    assert ranks(first) == [9, 2, 10]
    assert first.total == 21
    assert ranks(second) == [9, 3, 8]
    assert second.total == 20
    assert ranks(third) == [9, 8]
    assert third.total == 17
    assert ranks(result.dealer) == [7, 10]
    assert [hand.outcome for hand in result.hands] == [Outcome.WIN, Outcome.WIN, Outcome.PUSH]
    assert [hand.bet for hand in result.hands] == [1, 1, 1]
    assert result.net == 2


def test_003_h_a_declined_split_is_not_offered_again() -> None:
    """Hand rework: once declined, the pair is filled like any other hand."""
    result = play("9 9 7 T 2 9 T", "split", "no split", "hit", "stand")
    assert [ranks(hand) for hand in result.hands] == [[9, 2, 10], [9, 9]]
    assert [hand.net for hand in result.hands] == [1, 1]
    with pytest.raises(upcard.IllegalActionError):
        play("9 9 7 T 2 9 T 5 5", "no split", "split")


def test_003_h_another_answer_declines_the_split_and_is_kept() -> None:
    """Hand-specific decisions: stand at a split offer is no split, and then the answer."""
    result = play("9 9 7 T", "stand")
    assert ranks(result.hands[0]) == [9, 9]
    assert result.unasked == ()
    assert result.net == 1


def test_003_i_king_and_queen_are_no_pair() -> None:
    """Hand: splittable are two cards of the same rank, which king and queen are not."""
    assert play("K Q 7 T", "stand").net == 1
    with pytest.raises(upcard.IllegalActionError):
        play("K Q 7 T 5 6", "split")


def test_003_j_double_on_three_cards() -> None:
    """Filling the hands: while under 21, a double is offered before every hit."""
    result = play("2 3 6 T 4 T T", "hit", "double")
    assert ranks(result.hands[0]) == [2, 3, 4, 10]
    assert result.hands[0].total == 19
    assert result.hands[0].bet == 2
    assert ranks(result.dealer) == [6, 10, 10]
    assert result.hands[0].outcome == Outcome.WIN
    assert result.net == 2


def test_003_k_21_gets_no_further_offer() -> None:
    """Filling the hands: offers are made while points are less than 21."""
    result = play("T 6 T 6 5 T", "hit")
    assert result.hands[0].total == 21
    assert ranks(result.dealer) == [10, 6, 10]
    assert result.dealer.total == 26
    assert result.hands[0].outcome == Outcome.WIN
    assert result.net == 1


def test_003_n_dealer_stands_on_ace_and_six() -> None:
    """Cycle step 6: he draws while his value is 16 or less, and A 6 is 17."""
    result = play("T 8 A 6 4", "no insurance", "stand")
    assert ranks(result.dealer) == [1, 6]
    assert result.dealer.total == 17
    assert len(result.cards_left) == 1
    assert result.net == 1


# Numbered behaviours.


def test_003_behaviour_1_the_dealers_first_card_is_the_upcard() -> None:
    """Hand: the upcard is the first from the list of cards; a second-card ace offers nothing."""
    result = play("T 9 7 A", "stand")
    assert ranks(result.dealer) == [7, 1]
    assert result.dealer.total == 18
    assert result.net == 1
    with pytest.raises(upcard.IllegalActionError):
        play("T 9 7 A", "insurance")


@pytest.mark.parametrize("decision", ["insurance", "even money"])
def test_003_behaviour_2_the_offer_fits_the_hand(decision: str) -> None:
    """Insurance collaboration: even money is for a blackjack only, insurance for the rest."""
    cards = "A K A 9" if decision == "insurance" else "T 9 A 9"
    with pytest.raises(upcard.IllegalActionError):
        play(cards, decision)


def test_003_behaviour_2_lost_insurance_leaves_the_ante() -> None:
    """Insurance step 3: without a blackjack the insurance loses and the ante remains."""
    result = play("T 9 A 8", "insurance", "stand")
    assert ranks(result.dealer) == [1, 8]
    assert result.hands[0].outcome == Outcome.PUSH
    assert result.insurance_net == -HALF
    assert result.net == -HALF


def test_003_behaviour_3_a_ten_up_is_not_looked_under() -> None:
    """Card rework: ten-cards offer no insurance, and nothing is checked before the play."""
    result = play("6 5 K A T", "double")
    assert result.hands[0].total == 21
    assert result.dealer.is_natural
    assert result.hands[0].outcome == Outcome.LOSE
    assert result.net == -2
    with pytest.raises(upcard.IllegalActionError):
        play("6 5 K A T", "insurance")


def test_003_behaviour_4_splits_have_no_limit() -> None:
    """Cycle step 4: a split is offered until every hand is not splittable or has declined."""
    cards = "9 9 7 T 9 2 9 2 9 2 9 2 8 2"
    result = play(cards, *["split"] * 5, *["stand"] * 6)
    assert [ranks(hand) for hand in result.hands] == [[9, 8], *[[9, 2]] * 5]
    assert [hand.net for hand in result.hands] == [0, -1, -1, -1, -1, -1]
    assert result.net == -5


def test_003_behaviour_4_split_aces_play_on() -> None:
    """Cycle steps 4 and 5: nothing is said of aces, so they resplit, hit and double."""
    cards = "A A 9 8 A 5 2 3 T 4 6"
    result = play(cards, "split", "split", "hit", "stand", "double", "hit", "stand")
    first, second, third = result.hands
    assert ranks(first) == [1, 2, 10]
    assert first.total == 13
    assert ranks(second) == [1, 3, 4]
    assert second.total == 18
    assert second.bet == 2
    assert ranks(third) == [1, 5, 6]
    assert third.total == 12
    assert ranks(result.dealer) == [9, 8]
    assert [hand.net for hand in result.hands] == [-1, 2, -1]
    assert result.net == 0


def test_003_behaviour_5_a_double_gives_one_card_and_ends_the_hand() -> None:
    """Filling the hands: an accepted double deals one card, and filling is done."""
    result = play("6 5 9 8 2 T", "double", "hit")
    assert ranks(result.hands[0]) == [6, 5, 2]
    assert list(result.unasked) == ["hit"]
    assert result.net == -2


def test_003_behaviour_5_double_after_a_split() -> None:
    """Filling the hands: the same offers go to each hand, split or not."""
    result = play("8 8 7 T 3 2 T T", "split", "double", "double")
    assert [ranks(hand) for hand in result.hands] == [[8, 3, 10], [8, 2, 10]]
    assert [hand.bet for hand in result.hands] == [2, 2]
    assert [hand.total for hand in result.hands] == [21, 20]
    assert result.net == 4


def test_003_behaviour_6_a_bust_loses_at_once_and_only_that_hand() -> None:
    """Filling the hands: over 21 the ante of this hand is lost; the other plays on."""
    result = play("8 8 7 T 6 9 T T", "split", "hit", "hit")
    assert [ranks(hand) for hand in result.hands] == [[8, 6, 10], [8, 9, 10]]
    assert [hand.outcome for hand in result.hands] == [Outcome.BUST, Outcome.BUST]
    mixed = play("8 8 7 T 6 T T", "split", "hit", "stand")
    assert [hand.outcome for hand in mixed.hands] == [Outcome.BUST, Outcome.WIN]
    assert [hand.net for hand in mixed.hands] == [-1, 1]


def test_003_behaviour_6_a_bust_loses_though_the_dealer_would_bust() -> None:
    """Filling the hands: the bet of a busted hand is gone before the dealer fills his."""
    result = play("T 6 T 6 K T", "hit")
    assert result.hands[0].outcome == Outcome.BUST
    assert result.net == -1
    assert ranks(result.dealer) == [10, 6]


def test_003_behaviour_7_dealer_draws_on_16() -> None:
    """Cycle step 6: while the dealer's value is 16 or less, he is dealt another card."""
    result = play("T 8 T 2 4 A", "stand")
    assert ranks(result.dealer) == [10, 2, 4, 1]
    assert result.dealer.total == 17
    assert result.net == 1


@pytest.mark.parametrize(
    ("cards", "outcome", "net"),
    [
        ("T 2 T 6 T", Outcome.WIN, 1),
        ("T 9 T 8", Outcome.WIN, 1),
        ("T 8 T 9", Outcome.LOSE, -1),
        ("T 8 T 8", Outcome.PUSH, 0),
    ],
)
def test_003_behaviour_8_bust_then_totals(cards: str, outcome: Outcome, net: int) -> None:
    """Cycle steps 7 and 8: a dealer's bust pays all; otherwise totals are compared."""
    result = play(cards, "stand")
    assert result.hands[0].outcome == outcome
    assert result.net == net


def test_003_behaviour_9_a_natural_pays_3_to_2() -> None:
    """Filling the hands: a blackjack is resolved without any offer."""
    result = play("A K 9 8")
    assert result.hands[0].outcome == Outcome.NATURAL
    assert result.net == Fraction(3, 2)


def test_003_behaviour_9_a_natural_against_a_ten_waits_for_the_hole_card() -> None:
    """A natural is settled at the end: a dealer's natural makes it a push."""
    result = play("A K T A")
    assert result.hands[0].outcome == Outcome.PUSH
    assert result.net == 0


@pytest.mark.parametrize(
    ("cards", "decisions", "total"),
    [
        ("A 5 T 9", ("stand",), 16),
        ("A 5 T 9 A", ("hit", "stand"), 17),
        ("A 5 T 9 T", ("hit", "stand"), 16),
        ("A 5 T 9 T A", ("hit", "hit", "stand"), 17),
    ],
)
def test_003_behaviour_14_at_most_one_ace_is_11(
    cards: str, decisions: tuple[str, ...], total: int
) -> None:
    """Hand: the soft total if that is 21 or less, else the hard total."""
    assert play(cards, *decisions).hands[0].total == total


def test_003_behaviour_14_ace_and_ten_after_a_split_are_a_natural() -> None:
    """Hand: blackjack is two cards and soft 21, a split hand's too."""
    aces = play("A A 9 8 K 5", "split", "stand")
    assert aces.hands[0].is_natural
    assert aces.hands[0].outcome == Outcome.NATURAL
    assert [hand.net for hand in aces.hands] == [Fraction(3, 2), -1]
    kings = play("K K 9 8 A 9", "split", "stand")
    assert kings.hands[0].outcome == Outcome.NATURAL
    assert [hand.net for hand in kings.hands] == [Fraction(3, 2), 1]


def test_003_behaviour_16_insurance_is_half_the_ante() -> None:
    """Insurance: half of a 10-chip ante is 5 chips, won at 2:1 or lost."""
    rules = upcard.house("lott")
    won = upcard.play_round(rules, cards="T 9 A K", decisions=["insurance"], bets=[10])
    assert won.insurance_net == 10
    assert won.net == 0
    lost = upcard.play_round(rules, cards="T 9 A 7", decisions=["insurance", "stand"], bets=[10])
    assert lost.insurance_net == -5
    assert lost.net == 5


def test_003_behaviour_16_declined_even_money_still_asks_insurance() -> None:
    """Insurance steps 1 and 2: after declined even money comes the insurance offer."""
    with pytest.raises(upcard.OutOfDecisionsError):
        play("A K A 9", "no even money")


def test_003_a_three_card_21_against_a_dealer_natural() -> None:
    """The dealer's natural beats 21; by the letter of the totals, a flag makes it a push."""
    default = play("5 6 T A T", "hit")
    assert default.hands[0].total == 21
    assert default.hands[0].outcome == Outcome.LOSE
    assert default.net == -1
    letter = play("5 6 T A T", "hit", natural_ties_21=True)
    assert letter.hands[0].outcome == Outcome.PUSH
    assert letter.net == 0


def test_003_natural_ties_21_leaves_lower_totals_lost() -> None:
    """The flag compares totals: 20 is under the dealer's 21."""
    assert play("T K T A", "stand", natural_ties_21=True).net == -1


# Variants that the document names.


@pytest.mark.parametrize(
    ("charlie", "cards", "hits"),
    [(5, "2 3 T 9 2 3 4", 3), (6, "2 3 T 9 2 3 4 A", 4)],
)
def test_003_variant_18_charlie_wins_one_to_one(charlie: int, cards: str, hits: int) -> None:
    """Variant rules: five or six cards without a bust win 1:1, 14 against 19 too."""
    result = play(cards, *["hit"] * hits, charlie=charlie)
    assert len(result.hands[0].cards) == charlie
    assert result.hands[0].outcome == Outcome.WIN
    assert result.net == 1


def test_003_variant_18_charlie_counts_cards_without_a_bust() -> None:
    """Variant rules: four cards are none, and five over 21 are a bust."""
    assert play("2 3 T 9 2 3", "hit", "hit", "stand", charlie=5).net == -1
    busted = play("2 3 T 9 8 3 9", "hit", "hit", "hit", charlie=5)
    assert busted.hands[0].outcome == Outcome.BUST


def test_003_variant_18_surrender() -> None:
    """Variant rules: after insurance half the ante may be given up."""
    result = play("T 6 9 8", "surrender", surrender="late")
    assert result.hands[0].outcome == Outcome.SURRENDER
    assert result.net == -HALF
    insured = play("T 6 A 8", "insurance", "surrender", surrender="late")
    assert insured.insurance_net == -HALF
    assert insured.net == -1


def test_003_variant_18_no_resplit() -> None:
    """Variant rules: a split hand is not split again."""
    rules = {"max_hands": 2, "resplit_aces": False}
    result = play("9 9 7 T 9 8", "split", "stand", "stand", **rules)
    assert [ranks(hand) for hand in result.hands] == [[9, 9], [9, 8]]
    with pytest.raises(upcard.IllegalActionError):
        play("9 9 7 T 9 8 2 3", "split", "split", **rules)


def test_003_variant_18_no_double_after_split() -> None:
    """Variant rules: split hands may not double, others may."""
    rules = {"double_after_split": False, "double_split_aces": False}
    with pytest.raises(upcard.IllegalActionError):
        play("8 8 7 T 3 2 T T", "split", "double", **rules)
    assert play("6 5 7 T T", "double", **rules).net == 2


def test_003_variant_18_dealer_hits_soft_17() -> None:
    """Variant rules: the dealer takes a card on A 6."""
    result = play("T 8 A 6 3", "no insurance", "stand", soft_17="hit")
    assert ranks(result.dealer) == [1, 6, 3]
    assert result.dealer.total == 20
    assert result.net == -1


def test_003_variant_18_one_deck_with_6_to_5() -> None:
    """Variant rules: one deck, and a blackjack that pays 6:5."""
    result = play("A K 9 8", decks=1, natural_pays="6:5")
    assert result.net == Fraction(6, 5)
