"""Document 000, "BLACK JACK": chips, hit and stand, one softened ace, a dealer who looks.

Cards are written in deal order: two to the player, the dealer's hidden card, his card shown, then
what is drawn. Every bet is 10 chips.
"""

from __future__ import annotations

from fractions import Fraction

import pytest

import upcard
from upcard import Outcome
from upcard.table.events import DealerDealt

BET = 10


def play(cards: str, *decisions: str) -> upcard.RoundResult:
    """Play one round of the house with a bet of 10."""
    return upcard.play_round(
        upcard.house("deshmukh"), cards=cards, decisions=list(decisions), bets=[BET]
    )


def ranks(hand: object) -> list[int]:
    """Return the ranks of a hand's cards, in the order they came."""
    return [card.rank for card in hand.cards]


def is_dealers(event: object) -> bool:
    """Whether an event is a card dealt to the dealer."""
    return isinstance(event, DealerDealt)


# Scenarios a to s.


def test_000_a_natural_wins_at_once() -> None:
    """Naturals: ace and ten-card in the first two cards is a natural win; it is paid 1:1."""
    result = play("A K 9 8")
    hand = result.hands[0]
    assert hand.outcome == Outcome.NATURAL
    assert hand.is_natural
    assert hand.total == 21
    assert hand.net == 10
    assert result.net == 10
    assert ranks(result.dealer) == [9, 8]
    assert result.dealer.total == 17


def test_000_b_two_naturals_push() -> None:
    """Naturals: if the dealer and player both have ace and ten-card then it is a tie."""
    result = play("A K A K")
    assert result.hands[0].outcome == Outcome.PUSH
    assert result.hands[0].is_natural
    assert result.dealer.is_natural
    assert result.net == 0


def test_000_c_dealer_natural_beats_19() -> None:
    """Naturals: a dealer's first two cards that make 21 are a natural winner."""
    result = play("T 9 A K", "stand")
    assert result.hands[0].outcome == Outcome.LOSE
    assert result.hands[0].total == 19
    assert ranks(result.dealer) == [1, 10]
    assert result.dealer.total == 21
    assert result.dealer.is_natural
    assert result.net == -10


def test_000_d_dealer_draws_from_12_to_18_and_stands() -> None:
    """Dealer's conditions, case 1: 2 and king are 12, a six makes 18, and he stands."""
    result = play("TD 9S 2C KH 6C", "stand")
    assert result.hands[0].total == 19
    assert ranks(result.dealer) == [2, 10, 6]
    assert result.dealer.total == 18
    assert result.hands[0].outcome == Outcome.WIN
    assert result.net == 10


def test_000_e_dealer_wins_with_16_against_15() -> None:
    """Dealer's conditions, case 2: 10 and 4, then 2, make 16, and the dealer wins."""
    result = play("TH 5D TC 4H 2C", "stand")
    assert result.hands[0].total == 15
    assert ranks(result.dealer) == [10, 4, 2]
    assert result.dealer.total == 16
    assert result.hands[0].outcome == Outcome.LOSE
    assert result.net == -10


def test_000_f_only_one_of_two_aces_is_counted_1() -> None:
    """Ace conditions, case 2: 3 A 2 6 A counts 23, since one ace only may be 1."""
    result = play("3C AH 9S 7D 2C 6D AD", "hit", "hit", "hit")
    assert ranks(result.hands[0]) == [3, 1, 2, 6, 1]
    assert result.hands[0].total == 23
    assert result.hands[0].outcome == Outcome.BUST
    assert ranks(result.dealer) == [9, 7]
    assert result.net == -10


@pytest.mark.parametrize(("hits", "total"), [(0, 14), (1, 16), (2, 12)])
def test_000_f_totals_on_the_way(hits: int, total: int) -> None:
    """Ace conditions, case 2: the hand shows 14, then 16, then 12."""
    result = play("3C AH TS 9D 2C 6D", *["hit"] * hits, "stand")
    assert result.hands[0].total == total
    assert result.hands[0].outcome == Outcome.LOSE


def test_000_g_two_aces_show_12_and_a_nine_makes_21() -> None:
    """Two aces are 12 because the first is softened; 21 after a hit wins at once."""
    result = play("A A 9 7 9", "hit")
    assert ranks(result.hands[0]) == [1, 1, 9]
    assert result.hands[0].total == 21
    assert result.hands[0].outcome == Outcome.WIN
    assert not result.hands[0].is_natural
    assert ranks(result.dealer) == [9, 7]
    assert result.net == 10


def test_000_h_an_ace_drawn_third_stays_11() -> None:
    """Only an ace among the first two cards is softened: 5 4 A 5 is 25."""
    result = play("5 4 9 7 A 5", "hit", "hit")
    assert ranks(result.hands[0]) == [5, 4, 1, 5]
    assert result.hands[0].total == 25
    assert result.hands[0].outcome == Outcome.BUST
    assert result.net == -10


def test_000_h_the_third_card_ace_counts_11_first() -> None:
    """The same hand stands at 20 before the five comes."""
    result = play("5 4 9 7 A T", "hit", "stand")
    assert result.hands[0].total == 20
    assert ranks(result.dealer) == [9, 7, 10]
    assert result.net == 10


def test_000_i_dealer_draws_16_to_18_and_wins() -> None:
    """Dealer's conditions: with a total of 16 or under the dealer must take a card."""
    result = play("T 7 T 6 2", "stand")
    assert ranks(result.dealer) == [10, 6, 2]
    assert result.dealer.total == 18
    assert result.hands[0].total == 17
    assert result.hands[0].outcome == Outcome.LOSE
    assert result.net == -10


def test_000_j_equal_totals_of_17_push() -> None:
    """Betting: if there is a tie the bet is returned."""
    result = play("T 7 T 7", "stand")
    assert ranks(result.dealer) == [10, 7]
    assert result.hands[0].outcome == Outcome.PUSH
    assert result.net == 0


def test_000_k_dealer_ahead_with_13_takes_no_card() -> None:
    """Basic strategy: against less than 17 the dealer stands as soon as he has more."""
    result = play("T 2 T 3", "stand")
    assert ranks(result.dealer) == [10, 3]
    assert result.dealer.total == 13
    assert result.hands[0].total == 12
    assert result.hands[0].outcome == Outcome.LOSE
    assert result.net == -10


def test_000_l_a_tie_at_16_is_drawn_to() -> None:
    """Dealer's conditions: 16 against 16 is not a push; he draws, and the ace counts 1."""
    result = play("T 6 T 6 A", "stand")
    assert ranks(result.dealer) == [10, 6, 1]
    assert result.dealer.total == 17
    assert result.hands[0].outcome == Outcome.LOSE
    assert result.net == -10


def test_000_m_dealer_bursts_from_a_tie_at_15() -> None:
    """Dealer's conditions: 15 against 15 draws, and 22 is a burst."""
    result = play("T 5 T 5 7", "stand")
    assert ranks(result.dealer) == [10, 5, 7]
    assert result.dealer.total == 22
    assert result.hands[0].outcome == Outcome.WIN
    assert result.net == 10


def test_000_n_21_after_a_hit_wins_at_once() -> None:
    """A 21 after a hit wins without the dealer drawing; he stays on 16."""
    result = play("T 5 9 7 6", "hit")
    assert result.hands[0].total == 21
    assert result.hands[0].outcome == Outcome.WIN
    assert ranks(result.dealer) == [9, 7]
    assert result.dealer.total == 16
    assert result.net == 10


def test_000_o_dealer_natural_beats_a_three_card_21() -> None:
    """Naturals: a dealer's two-card 21 is the natural winner; only a natural ties it."""
    result = play("T 5 A K 6", "hit", "stand")
    assert result.hands[0].total == 21
    assert result.hands[0].outcome == Outcome.LOSE
    assert result.dealer.is_natural
    assert ranks(result.dealer) == [1, 10]
    assert result.net == -10


def test_000_p_dealers_two_aces_are_12_and_draw_to_20() -> None:
    """Dealer with two aces: 22 becomes 12, an eight makes 20."""
    result = play("T 9 A A 8", "stand")
    assert ranks(result.dealer) == [1, 1, 8]
    assert result.dealer.total == 20
    assert result.hands[0].outcome == Outcome.LOSE
    assert result.net == -10


def test_000_q_dealers_second_drawn_ace_counts_11_and_bursts() -> None:
    """Ace conditions: of two drawn aces the first counts 1 and the second 11."""
    result = play("T 9 T 5 A A", "stand")
    assert ranks(result.dealer) == [10, 5, 1, 1]
    assert result.dealer.total == 27
    assert result.hands[0].outcome == Outcome.WIN
    assert result.net == 10


def test_000_r_dealers_drawn_ace_counts_11() -> None:
    """Ace conditions: an ace counts 11 where that does not exceed 21."""
    result = play("T 9 5 4 A", "stand")
    assert ranks(result.dealer) == [5, 4, 1]
    assert result.dealer.total == 20
    assert result.hands[0].outcome == Outcome.LOSE
    assert result.net == -10


def test_000_s_dealer_stands_on_soft_17() -> None:
    """Dealer's conditions: an ace that brings the total to 17 is counted 11, and he stands."""
    result = play("T 9 6 A", "stand")
    assert ranks(result.dealer) == [6, 1]
    assert result.dealer.total == 17
    assert result.hands[0].outcome == Outcome.WIN
    assert result.net == 10


# Numbered behaviours.


def test_000_behaviour_2_dealers_first_card_is_hidden() -> None:
    """The deck: the dealer's one card is faced down; here it is the first of his two."""
    dealt = [event for event in play("T 7 2C KH 9", "stand").events if is_dealers(event)]
    assert dealt[0].card is None
    assert str(dealt[1].card) == "KH"


def test_000_behaviour_2_player_takes_the_first_two_cards() -> None:
    """The deck: cards come from the top of the deck, two to each."""
    result = play("2 3 T 9", "stand")
    assert ranks(result.hands[0]) == [2, 3]
    assert ranks(result.dealer) == [10, 9]


@pytest.mark.parametrize(
    ("cards", "total"),
    [("J 2 T 9", 12), ("Q 3 T 9", 13), ("K 4 T 9", 14), ("9 8 T 9", 17), ("A 6 T 9", 17)],
)
def test_000_behaviour_3_card_values(cards: str, total: int) -> None:
    """Card values: faces are worth 10, an ace 11 or 1, the rest their pips."""
    assert play(cards, "stand").hands[0].total == total


@pytest.mark.parametrize("bet", [0, -10])
def test_000_behaviour_4_bets_must_be_positive(bet: int) -> None:
    """Betting: the player places a bet; nothing and less than nothing are not bets."""
    with pytest.raises(upcard.BlackjackError):
        upcard.play_round(
            upcard.house("deshmukh"), cards="T 9 T 8", decisions=["stand"], bets=[bet]
        )


@pytest.mark.parametrize(("cards", "net"), [("T 9 T 8", 7), ("T 8 T 9", -7), ("T 8 T 8", 0)])
def test_000_behaviour_5_payouts(cards: str, net: int) -> None:
    """Betting: the stake comes back doubled, is taken away, or is returned."""
    result = upcard.play_round(upcard.house("deshmukh"), cards=cards, decisions=["stand"], bets=[7])
    assert result.net == net
    assert isinstance(result.net, Fraction)


@pytest.mark.parametrize("cards", ["A K 9 8", "K A 9 8", "A T 9 8", "A J 9 A", "Q A A 8"])
def test_000_behaviour_6_a_natural_pays_one_to_one(cards: str) -> None:
    """Naturals: no payout of their own is named, so they win what any win does."""
    result = play(cards)
    assert result.hands[0].outcome == Outcome.NATURAL
    assert result.net == 10


def test_000_behaviour_6_a_natural_beats_the_dealers_two_aces() -> None:
    """Naturals: two aces are not natural, so the player's ace and ten-card wins at once."""
    result = play("A K A A")
    assert result.hands[0].outcome == Outcome.NATURAL
    assert ranks(result.dealer) == [1, 1]
    assert result.net == 10


@pytest.mark.parametrize("decision", ["double", "split", "surrender", "insurance"])
def test_000_behaviour_7_only_hit_and_stand(decision: str) -> None:
    """The player's play: splitting, doubling down and insurance are not in this game."""
    with pytest.raises(upcard.IllegalActionError):
        play("8 8 9 A T T T T", decision)


def test_000_behaviour_7_no_insurance_question_with_an_ace_up() -> None:
    """The player's play: with an ace shown the first question is already hit or stand."""
    result = play("T 9 7 A", "stand")
    assert result.dealer.total == 18
    assert result.insurance_net == 0
    assert result.net == 10


def test_000_behaviour_8_a_bust_loses_and_the_dealer_does_not_draw() -> None:
    """The player's play: over 21 the player loses; the dealer's 12 is left alone."""
    result = play("T 6 T 2 K 5", "hit")
    assert result.hands[0].total == 26
    assert result.hands[0].outcome == Outcome.BUST
    assert ranks(result.dealer) == [10, 2]
    assert len(result.cards_left) == 1
    assert result.net == -10


def test_000_behaviour_9_a_softened_21_wins_at_once_too() -> None:
    """A hand of A 5 T 5 passes 16 and reaches 21 with the ace at 1."""
    result = play("A 5 9 7 T 5", "hit", "hit")
    assert result.hands[0].total == 21
    assert result.hands[0].outcome == Outcome.WIN
    assert ranks(result.dealer) == [9, 7]
    assert result.net == 10


def test_000_behaviour_9_against_two_card_21_the_player_is_asked_again() -> None:
    """A 21 against a dealer's 21 does not win at once: one more decision is needed."""
    with pytest.raises(upcard.OutOfDecisionsError):
        play("T 5 A K 6", "hit")


def test_000_behaviour_10_a_dealer_natural_is_not_announced() -> None:
    """The player may hit into a dealer's natural, and bust."""
    result = play("T 6 K A T", "hit")
    assert result.hands[0].outcome == Outcome.BUST
    assert result.net == -10


@pytest.mark.parametrize(
    ("drawn", "total"),
    [("T", 16), ("4", 20), ("A", 17), ("T 5", 21)],
)
def test_000_behaviour_14_15_an_ace_in_the_opening_hand(drawn: str, total: int) -> None:
    """Ace conditions: an ace in A 5 becomes 1 when another card exceeds 21."""
    hits = ["hit"] * len(drawn.split())
    end = [] if total == 21 else ["stand"]
    result = play(f"A 5 T 8 {drawn} T T", *hits, *end)
    assert result.hands[0].total == total


def test_000_behaviour_14_a_third_ace_that_busts_as_11_counts_1() -> None:
    """Ace conditions, the example: 9 and 10 with an ace make 20."""
    result = play("9C TH T 9 AC", "hit", "stand")
    assert result.hands[0].total == 20
    assert result.hands[0].outcome == Outcome.WIN
    assert ranks(result.dealer) == [10, 9]


def test_000_behaviour_14_a_second_ace_counts_11_once_one_counts_1() -> None:
    """Ace conditions: the second ace is not counted 1 if that needs a second soft ace."""
    result = play("9 T T 9 A A", "hit", "hit")
    assert result.hands[0].total == 31
    assert result.hands[0].outcome == Outcome.BUST
    assert result.net == -10


def test_000_behaviour_15_a_single_ace_is_softened_by_a_ten() -> None:
    """Ace conditions, case 1: 6 and ace are 17, and a ten leaves 17 with the ace at 1."""
    result = play("6C AH T 6 TC A", "hit", "stand")
    assert result.hands[0].total == 17
    assert ranks(result.dealer) == [10, 6, 1]
    assert result.hands[0].outcome == Outcome.PUSH
    assert result.net == 0


def test_000_behaviour_15_no_second_softening() -> None:
    """Ace conditions: A 5 and a third-card ace at 1 make 17, and a ten then busts at 27."""
    result = play("A 5 T 8 A T", "hit", "hit")
    assert ranks(result.hands[0]) == [1, 5, 1, 10]
    assert result.hands[0].total == 27
    assert result.hands[0].outcome == Outcome.BUST


def test_000_behaviour_16_a_late_ace_counts_1_only_when_it_comes() -> None:
    """An ace drawn third at 11 stays 11: 2 3 A is 16, and 2 3 A 6 is 22."""
    result = play("2 3 T 8 A 6", "hit", "hit")
    assert result.hands[0].total == 22
    assert result.hands[0].outcome == Outcome.BUST


def test_000_behaviour_17_two_aces_are_12() -> None:
    """Two aces in the first two cards: 11 + 11 is 22, and one becomes 1."""
    result = play("A A T 7", "stand")
    assert result.hands[0].total == 12
    assert result.hands[0].outcome == Outcome.LOSE
    assert ranks(result.dealer) == [10, 7]


# The dealer's decision table, row by row.


def test_000_dealer_softens_an_opening_ace_and_draws_on() -> None:
    """Over 21 with an opening ace at 11 he softens it, and draws if that is under 21."""
    result = play("T 9 A 5 9 4", "stand")
    assert ranks(result.dealer) == [1, 5, 9, 4]
    assert result.dealer.total == 19
    assert result.hands[0].outcome == Outcome.PUSH
    assert result.net == 0


def test_000_dealer_softens_two_aces_and_draws_before_comparing() -> None:
    """Two aces are 22: softened, he draws before comparing; 12 is not held against 9."""
    result = play("5 4 A A T", "stand")
    assert ranks(result.dealer) == [1, 1, 10]
    assert result.dealer.total == 22
    assert result.hands[0].total == 9
    assert result.hands[0].outcome == Outcome.WIN
    assert result.net == 10


def test_000_dealer_over_21_without_an_ace_to_soften_bursts() -> None:
    """Over 21 with no opening ace at 11 is a burst."""
    result = play("T 9 6 9 7", "stand")
    assert ranks(result.dealer) == [6, 9, 7]
    assert result.dealer.total == 22
    assert result.hands[0].outcome == Outcome.WIN


def test_000_dealer_softens_once_only() -> None:
    """Softened already, a second excess is a burst: A 5 T is 16, with T it is 26."""
    result = play("T 9 A 5 T T", "stand")
    assert ranks(result.dealer) == [1, 5, 10, 10]
    assert result.dealer.total == 26
    assert result.hands[0].outcome == Outcome.WIN


def test_000_dealer_stands_behind_at_17() -> None:
    """At 17 or more and behind, he stands and the player wins."""
    result = play("T 8 T 7 4", "stand")
    assert ranks(result.dealer) == [10, 7]
    assert len(result.cards_left) == 1
    assert result.hands[0].outcome == Outcome.WIN
    assert result.net == 10


def test_000_dealer_draws_from_a_low_tie() -> None:
    """Under 17 a tie is never a push: 12 against 12 draws until he is ahead."""
    result = play("T 2 T 2 A", "stand")
    assert ranks(result.dealer) == [10, 2, 1]
    assert result.dealer.total == 13
    assert result.hands[0].outcome == Outcome.LOSE
    assert result.net == -10


def test_000_one_spot_only() -> None:
    """The game is one player's against the dealer: a second bet is refused."""
    with pytest.raises(upcard.BlackjackError):
        upcard.play_round(
            upcard.house("deshmukh"),
            cards="T 9 T 8 T 7",
            decisions=["stand", "stand"],
            bets=[10, 10],
        )
