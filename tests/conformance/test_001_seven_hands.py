"""Document 001, terminal blackjack for one to seven hands.

Cards are written in deal order: two to each hand in turn, the dealer's upcard, his hole card, then
what is drawn. Play goes round-robin: one decision for each live hand a turn.
"""

from __future__ import annotations

from fractions import Fraction

import pytest

import upcard
from upcard import Outcome

HALF = Fraction(1, 2)


def play(cards: str, *decisions: str, hands: int = 1) -> upcard.RoundResult:
    """Play one round of the house with a bet of 1 on each hand."""
    return upcard.play_round(
        upcard.house("seven-hands"), cards=cards, decisions=list(decisions), bets=[1] * hands
    )


def ranks(hand: object) -> list[int]:
    """Return the ranks of a hand's cards, in the order they came."""
    return [card.rank for card in hand.cards]


# Scenarios a to m.


def test_001_a_blackjack_is_not_asked_and_wins() -> None:
    """About: an opening 21 is a blackjack, the most valuable hand; 3:2 is this house's choice."""
    result = play("T A 9 8")
    assert result.hands[0].outcome == Outcome.NATURAL
    assert result.hands[0].is_natural
    assert result.hands[0].total == 21
    assert ranks(result.dealer) == [9, 8]
    assert result.net == Fraction(3, 2)


def test_001_b_two_blackjacks_push() -> None:
    """After the players: in the case of a tie, bets are returned."""
    result = play("T A A K")
    assert result.hands[0].outcome == Outcome.PUSH
    assert result.dealer.is_natural
    assert result.net == 0


def test_001_c_dealer_blackjack_beats_21() -> None:
    """After the players: a blackjack beats any hand that is not one, even a 21."""
    result = play("7 7 A K 7", "hit")
    assert ranks(result.hands[0]) == [7, 7, 7]
    assert result.hands[0].total == 21
    assert result.hands[0].outcome == Outcome.LOSE
    assert result.dealer.is_natural
    assert result.net == -1


def test_001_d_split_tens_make_plain_21s() -> None:
    """Special rules: a ten and an ace from a split are not blackjack, so they win 1:1."""
    result = play("K Q 9 T A 5 6", "split", "hit")
    first, second = result.hands
    assert ranks(first) == [10, 1]
    assert first.total == 21
    assert not first.is_natural
    assert first.outcome == Outcome.WIN
    assert first.net == 1
    assert ranks(second) == [10, 5, 6]
    assert second.total == 21
    assert second.outcome == Outcome.WIN
    assert second.net == 1
    assert ranks(result.dealer) == [9, 10]
    assert result.net == 2


def test_001_e_split_aces_take_no_more_cards() -> None:
    """Special rules: split aces cannot be hit; with a king they are 21, no blackjack."""
    result = play("A A T 7 K 5", "split")
    first, second = result.hands
    assert ranks(first) == [1, 10]
    assert first.outcome == Outcome.WIN
    assert first.net == 1
    assert ranks(second) == [1, 5]
    assert second.total == 16
    assert second.outcome == Outcome.LOSE
    assert second.net == -1
    assert ranks(result.dealer) == [10, 7]
    assert result.net == 0


def test_001_e_a_hit_on_split_aces_is_never_asked_for() -> None:
    """Special rules: an answer for the 16 is left over, because nobody asked."""
    result = play("A A T 7 K 5 2", "split", "hit")
    assert list(result.unasked) == ["hit"]
    assert ranks(result.hands[1]) == [1, 5]


def test_001_f_surrender_loses_half() -> None:
    """Player options: surrender forfeits half the bet and stops drawing."""
    result = play("T 6 9 8", "surrender")
    assert result.hands[0].outcome == Outcome.SURRENDER
    assert ranks(result.hands[0]) == [10, 6]
    assert result.net == -HALF


def test_001_g_double_draws_one_card_for_twice_the_bet() -> None:
    """Player options: double the bet and draw a card, no more."""
    result = play("5 6 T T T", "double")
    assert ranks(result.hands[0]) == [5, 6, 10]
    assert result.hands[0].total == 21
    assert result.hands[0].bet == 2
    assert result.hands[0].outcome == Outcome.WIN
    assert ranks(result.dealer) == [10, 10]
    assert result.net == 2


def test_001_h_hands_take_turns() -> None:
    """About: on each turn the player decides what to do with each hand."""
    result = play("9 2 T T 8 9 3 5", "hit", "stand", "hit", "stand", hands=2)
    first, second = result.hands
    assert ranks(first) == [9, 2, 3, 5]
    assert first.total == 19
    assert ranks(second) == [10, 10]
    assert second.total == 20
    assert ranks(result.dealer) == [8, 9]
    assert [first.net, second.net] == [1, 1]
    assert result.net == 2


def test_001_h_second_turn_asks_only_the_live_hand() -> None:
    """About: a hand that stands is not asked again; the 14 alone is."""
    result = play("9 2 T T 8 9 3", "hit", "stand", "stand", hands=2)
    assert result.hands[0].total == 14
    assert result.hands[0].outcome == Outcome.LOSE
    assert result.hands[1].total == 20
    assert result.hands[1].outcome == Outcome.WIN
    assert result.unasked == ()


def test_001_i_a_half_may_split_again() -> None:
    """Player options: a split gives two starting hands, and a starting pair may split.

    Turn 2 splits the first half and hits the second, turn 3 asks the two new halves.
    """
    result = play("8 8 T 7 8 3 2 9 T 9", "split", "split", "hit", "hit", "stand", "stand")
    first, second, third = result.hands
    assert ranks(first) == [8, 2, 9]
    assert first.total == 19
    assert ranks(second) == [8, 9]
    assert second.total == 17
    assert ranks(third) == [8, 3, 10]
    assert third.total == 21
    assert ranks(result.dealer) == [10, 7]
    assert [hand.outcome for hand in result.hands] == [Outcome.WIN, Outcome.PUSH, Outcome.WIN]
    assert [hand.net for hand in result.hands] == [1, 0, 1]
    assert result.net == 2


def test_001_i_no_surrender_after_a_split() -> None:
    """Special rules: you cannot surrender after splitting."""
    with pytest.raises(upcard.IllegalActionError):
        play("8 8 T 7 8 3", "split", "surrender")


def test_001_j_a_bust_loses() -> None:
    """After the players: only those who have not busted can win."""
    result = play("T 6 T 7 K", "hit")
    assert ranks(result.hands[0]) == [10, 6, 10]
    assert result.hands[0].total == 26
    assert result.hands[0].outcome == Outcome.BUST
    assert result.net == -1


def test_001_k_dealer_stands_on_soft_17() -> None:
    """After the players: with 17 and an ace at 11, the dealer stops drawing cards."""
    result = play("T 8 A 6 4", "stand")
    assert ranks(result.dealer) == [1, 6]
    assert result.dealer.total == 17
    assert len(result.cards_left) == 1
    assert result.hands[0].outcome == Outcome.WIN
    assert result.net == 1


def test_001_l_seven_hands_leave_no_room_for_a_split() -> None:
    """About: one to seven hands; a pair among seven hands is not split."""
    hands = "8 8 T 9 T 9 T 9 T 9 T 9 T 9"
    with pytest.raises(upcard.IllegalActionError):
        play(f"{hands} T 7 2 3", "split", hands=7)


def test_001_l_six_hands_leave_room_for_one_split() -> None:
    """About: six hands and one split make seven, and then no more."""
    hands = "8 8 T 9 T 9 T 9 T 9 T 9"
    decisions = ["split", *["stand"] * 5, "stand", "stand"]
    result = play(f"{hands} T 7 8 T", *decisions, hands=6)
    assert len(result.hands) == 7
    assert ranks(result.hands[0]) == [8, 8]
    assert ranks(result.hands[1]) == [8, 10]
    assert [hand.net for hand in result.hands] == [-1, 1, 1, 1, 1, 1, 1]
    assert result.net == 5
    with pytest.raises(upcard.IllegalActionError):
        play(f"{hands} T 7 8 T 2 3", "split", *["stand"] * 5, "split", hands=6)


def test_001_m_sample_hands() -> None:
    """Card values: the four sample hands count 8, 20, 14 and 18."""
    result = play(
        "3H 5S 9S AH 6C 7C 3D JD TC 7S AS 5D",
        *("stand", "stand", "hit", "hit", "stand", "stand"),
        hands=4,
    )
    assert [hand.total for hand in result.hands] == [8, 20, 14, 18]
    assert ranks(result.hands[2]) == [6, 7, 1]
    assert ranks(result.hands[3]) == [3, 10, 5]
    assert [hand.net for hand in result.hands] == [-1, 1, -1, 1]


# Numbered behaviours.


@pytest.mark.parametrize("hands", [0, 8])
def test_001_behaviour_1_one_to_seven_hands(hands: int) -> None:
    """About: the program allows one to seven hands."""
    with pytest.raises(upcard.BlackjackError):
        play("T 9 T 9 T 9 T 9 T 9 T 9 T 9 T 9 T 8", *["stand"] * hands, hands=hands)


def test_001_behaviour_1_seven_hands_are_dealt_in_turn() -> None:
    """About: hand 1 gets the first two cards, hand 2 the next two, and so on."""
    result = play("2 3 4 5 6 7 8 9 T 2 3 4 5 6 T 9", *["stand"] * 7, hands=7)
    assert [ranks(hand) for hand in result.hands] == [
        [2, 3],
        [4, 5],
        [6, 7],
        [8, 9],
        [10, 2],
        [3, 4],
        [5, 6],
    ]
    assert ranks(result.dealer) == [10, 9]
    assert result.net == -7


@pytest.mark.parametrize(("drawn", "total"), [("5", 18), ("9", 12), ("A", 14)])
def test_001_behaviour_2_an_ace_is_11_unless_that_busts(drawn: str, total: int) -> None:
    """Card values: aces are 11 by default, unless this would result in a bust."""
    assert play(f"A 2 T 9 {drawn}", "hit", "stand").hands[0].total == total


@pytest.mark.parametrize("decision", ["double", "split", "surrender"])
def test_001_behaviour_3_three_cards_only_hit_or_stand(decision: str) -> None:
    """Player options: once a hand has more than two cards, only hit and stand are left."""
    with pytest.raises(upcard.IllegalActionError):
        play("5 5 T 7 5 T", "hit", decision)


def test_001_behaviour_4_a_doubled_hand_is_not_asked_again() -> None:
    """Player options: no more cards can be drawn for a doubled hand."""
    result = play("5 6 T 7 2 T", "double", "hit")
    assert ranks(result.hands[0]) == [5, 6, 2]
    assert result.hands[0].total == 13
    assert list(result.unasked) == ["hit"]
    assert result.net == -2


def test_001_behaviour_5_a_split_needs_equal_values() -> None:
    """Player options: two cards of the same value split, a king and a ten among them."""
    result = play("K T 9 9 8 9", "split", "stand", "stand")
    assert [ranks(hand) for hand in result.hands] == [[10, 8], [10, 9]]
    assert [hand.bet for hand in result.hands] == [1, 1]
    assert [hand.outcome for hand in result.hands] == [Outcome.PUSH, Outcome.WIN]
    assert result.net == 1
    with pytest.raises(upcard.IllegalActionError):
        play("K 9 9 9 8 9", "split")


def test_001_behaviour_5_halves_are_played_in_turns() -> None:
    """Player options: the two hands are played independently, a decision each a turn."""
    result = play("8 8 T 7 2 3 5 T 4", "split", "hit", "hit", "hit", "stand")
    first, second = result.hands
    assert ranks(first) == [8, 2, 5, 4]
    assert first.total == 19
    assert ranks(second) == [8, 3, 10]
    assert second.total == 21
    assert result.net == 2


def test_001_behaviour_6_surrender_is_half_against_a_dealer_blackjack() -> None:
    """Player options: surrender forfeits half, whatever the dealer has."""
    for dealer in ("A K", "K A"):
        result = play(f"T 6 {dealer}", "surrender")
        assert result.hands[0].outcome == Outcome.SURRENDER
        assert result.net == -HALF


def test_001_behaviour_7_no_blackjack_from_split_aces_or_tens() -> None:
    """Special rules: a split 21 loses to a dealer's blackjack and ties his plain 21."""
    against_natural = play("A A A K K Q", "split")
    assert [hand.outcome for hand in against_natural.hands] == [Outcome.LOSE, Outcome.LOSE]
    assert against_natural.net == -2
    against_21 = play("A A 7 8 K Q 6", "split")
    assert ranks(against_21.dealer) == [7, 8, 6]
    assert [hand.outcome for hand in against_21.hands] == [Outcome.PUSH, Outcome.PUSH]
    assert against_21.net == 0


def test_001_behaviour_7_double_after_a_split() -> None:
    """Special rules: only hitting aces and surrender are ruled out, so halves may double."""
    result = play("8 8 T 7 3 2 T 9", "split", "double", "double")
    first, second = result.hands
    assert ranks(first) == [8, 3, 10]
    assert ranks(second) == [8, 2, 9]
    assert [hand.bet for hand in result.hands] == [2, 2]
    assert [hand.net for hand in result.hands] == [2, 2]
    assert result.net == 4


def test_001_behaviour_7_split_aces_may_split_again_or_stand() -> None:
    """Special rules: a pair of aces from a split is asked, but not for a hit or a double."""
    stood = play("A A T 7 A 9", "split", "stand")
    assert [ranks(hand) for hand in stood.hands] == [[1, 1], [1, 9]]
    assert [hand.net for hand in stood.hands] == [-1, 1]
    again = play("A A T 7 A 9 8 6", "split", "split")
    assert [ranks(hand) for hand in again.hands] == [[1, 8], [1, 6], [1, 9]]
    assert [hand.net for hand in again.hands] == [1, 0, 1]
    for decision in ("hit", "double", "surrender"):
        with pytest.raises(upcard.IllegalActionError):
            play("A A T 7 A 9 8 6", "split", decision)


@pytest.mark.parametrize(("cards", "decision"), [("7 7 T 8 7", "hit"), ("5 6 T 8 T", "double")])
def test_001_behaviour_9_any_21_ends_the_hand(cards: str, decision: str) -> None:
    """About: a hand takes no more cards once it has a total of 21."""
    result = play(cards, decision)
    assert result.hands[0].total == 21
    assert result.hands[0].outcome == Outcome.WIN


def test_001_behaviour_10_dealer_draws_to_17_after_all_hands() -> None:
    """After the players: the dealer draws until he has 17 or higher."""
    result = play("T 8 2 3 4 5 2 A", "stand")
    assert ranks(result.dealer) == [2, 3, 4, 5, 2, 1]
    assert result.dealer.total == 17
    assert result.net == 1


def test_001_behaviour_11_dealer_bust_pays_all_who_have_not_busted() -> None:
    """After the players: if the dealer busts, all who have not busted win."""
    result = play("T 6 T 2 T 6 K K", "hit", "stand", hands=2)
    assert ranks(result.hands[0]) == [10, 6, 10]
    assert result.dealer.total == 26
    assert [hand.outcome for hand in result.hands] == [Outcome.BUST, Outcome.WIN]
    assert [hand.net for hand in result.hands] == [-1, 1]


def test_001_behaviour_11_higher_wins_lower_loses_equal_pushes() -> None:
    """After the players: each bet is decided by its own hand."""
    result = play("T 9 T 8 T 7 T 8", "stand", "stand", "stand", hands=3)
    assert [hand.outcome for hand in result.hands] == [Outcome.WIN, Outcome.PUSH, Outcome.LOSE]
    assert [hand.net for hand in result.hands] == [1, 0, -1]


def test_001_behaviour_12_a_blackjack_beats_a_dealers_21() -> None:
    """After the players: a blackjack beats a 21 that is none, and the other 21 ties it."""
    result = play("T A 7 7 7 8 7 6", "hit", hands=2)
    assert ranks(result.dealer) == [7, 8, 6]
    assert [hand.outcome for hand in result.hands] == [Outcome.NATURAL, Outcome.PUSH]
    assert [hand.net for hand in result.hands] == [Fraction(3, 2), 0]


def test_001_no_insurance_is_offered() -> None:
    """Player options: there are five, and insurance is none of them."""
    result = play("T 9 A 7", "stand")
    assert result.insurance_net == 0
    assert result.net == 1
    with pytest.raises(upcard.IllegalActionError):
        play("T 9 A 7", "insurance")


# Defects of the original program that must not come back.


def test_001_defect_22_a_busted_hand_does_not_win() -> None:
    """After the players: 26 against a standing 17 has lost, though 26 is higher."""
    result = play("T 6 8 9 K", "hit")
    assert result.hands[0].total == 26
    assert result.hands[0].outcome == Outcome.BUST
    assert result.net == -1


def test_001_defect_23_two_aces_and_a_ten_are_12() -> None:
    """Card values: each ace gives way, so that ten and two aces are 12 and not 22."""
    result = play("A A T 7 T", "hit", "stand")
    assert ranks(result.hands[0]) == [1, 1, 10]
    assert result.hands[0].total == 12
    assert result.hands[0].outcome == Outcome.LOSE


def test_001_defect_23_dealers_aces_give_way_too() -> None:
    """Card values: the dealer's A A T is 12, so he draws again."""
    result = play("T 9 A A T 6", "stand")
    assert ranks(result.dealer) == [1, 1, 10, 6]
    assert result.dealer.total == 18
    assert result.net == 1


def test_001_defect_24_the_last_card_can_be_drawn() -> None:
    """The last card there is can be drawn, and the round is settled."""
    result = play("T 2 T 6 9 5", "hit")
    assert result.hands[0].total == 21
    assert ranks(result.dealer) == [10, 6, 5]
    assert len(result.cards_left) == 0
    assert result.hands[0].outcome == Outcome.PUSH


def test_001_defect_24_running_out_of_cards_is_a_named_error() -> None:
    """One card fewer is an error of its own, not an accident."""
    with pytest.raises(upcard.EmptyShoeError):
        play("T 2 T 6 9", "hit")


def test_001_defect_25_nothing_left_to_compare() -> None:
    """All hands surrendered or busted: the dealer's cards change nothing."""
    result = play("T 6 T 6 T 6 K T", "hit", "surrender", hands=2)
    assert [hand.outcome for hand in result.hands] == [Outcome.BUST, Outcome.SURRENDER]
    assert [hand.net for hand in result.hands] == [-1, -HALF]
    assert result.net == Fraction(-3, 2)
