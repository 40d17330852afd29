"""Document 004, "Blackjack with Classes": hit or stick, no bets, counts compared.

Cards are written in deal order: two to the player, the dealer's bottom card (hidden), his top card
(shown), then what is drawn. A round counts +1, 0 or -1.
"""

from __future__ import annotations

import pytest

import upcard
from upcard import Outcome
from upcard.table.events import DealerDealt


def play(cards: str, *decisions: str) -> upcard.RoundResult:
    """Play one round of the house."""
    return upcard.play_round(upcard.house("roanoke"), cards=cards, decisions=list(decisions))


def ranks(hand: object) -> list[int]:
    """Return the ranks of a hand's cards, in the order they came."""
    return [card.rank for card in hand.cards]


# Scenarios a to i.


def test_004_a_first_sample_output() -> None:
    """Sample output: 13 hits to 19; the dealer's 14 hits to 17 and sticks; 19 wins."""
    result = play("8D 5H 4D TC 6C 3S", "hit", "stand")
    assert ranks(result.hands[0]) == [8, 5, 6]
    assert result.hands[0].total == 19
    assert ranks(result.dealer) == [4, 10, 3]
    assert result.dealer.total == 17
    assert result.hands[0].outcome == Outcome.WIN
    assert result.net == 1


def test_004_b_second_sample_output() -> None:
    """Sample output: 11 hits to 16, hits to 25, and the dealer wins."""
    result = play("6D 5H 7D TC 5C 9S", "hit", "hit")
    assert ranks(result.hands[0]) == [6, 5, 5, 9]
    assert result.hands[0].total == 25
    assert result.hands[0].outcome == Outcome.BUST
    assert ranks(result.dealer) == [7, 10]
    assert result.net == -1


def test_004_c_blackjack_wins_at_once() -> None:
    """Rules: if the player was dealt blackjack but the dealer was not, the player wins."""
    result = play("A K 9 8")
    assert result.hands[0].outcome == Outcome.NATURAL
    assert result.hands[0].is_natural
    assert ranks(result.dealer) == [9, 8]
    assert result.net == 1


def test_004_d_two_blackjacks_tie() -> None:
    """Rules: if both are dealt blackjack, the game is a tie."""
    result = play("A K A K")
    assert result.hands[0].outcome == Outcome.PUSH
    assert result.dealer.is_natural
    assert result.net == 0


def test_004_e_21_ties_a_dealer_blackjack() -> None:
    """Rules: the two counts are compared, and equal counts are a tie."""
    result = play("T 5 A K 6", "hit", "stand")
    assert result.hands[0].total == 21
    assert ranks(result.dealer) == [1, 10]
    assert result.dealer.total == 21
    assert result.hands[0].outcome == Outcome.PUSH
    assert result.net == 0


def test_004_f_a_soft_count_drops_by_ten() -> None:
    """Counting the ace: soft 17 and a nine are 16, no bust."""
    result = play("A 6 T 7 9", "hit", "stand")
    assert ranks(result.hands[0]) == [1, 6, 9]
    assert result.hands[0].total == 16
    assert result.hands[0].outcome == Outcome.LOSE
    assert ranks(result.dealer) == [10, 7]
    assert result.net == -1


def test_004_g_two_aces_are_12_and_a_nine_makes_21() -> None:
    """Counting the ace: at most one ace is 11."""
    result = play("A A T 7 9", "hit", "stand")
    assert ranks(result.hands[0]) == [1, 1, 9]
    assert result.hands[0].total == 21
    assert result.hands[0].outcome == Outcome.WIN
    assert result.net == 1
    two_aces = play("A A T 7", "stand")
    assert two_aces.hands[0].total == 12
    assert two_aces.net == -1


def test_004_h_dealer_sticks_on_soft_17() -> None:
    """Rules: on a count of 17 or more, the dealer sticks."""
    result = play("T 8 A 6 4", "stand")
    assert ranks(result.dealer) == [1, 6]
    assert result.dealer.total == 17
    assert len(result.cards_left) == 1
    assert result.hands[0].outcome == Outcome.WIN
    assert result.net == 1


def test_004_i_three_rounds_count_one_win_one_loss_one_tie() -> None:
    """Program structure: player wins, dealer wins and ties are counted."""
    rounds = [play(f"T {card} T 8", "stand") for card in ("9", "7", "8")]
    assert [result.net for result in rounds] == [1, -1, 0]
    assert [result.hands[0].outcome for result in rounds] == [
        Outcome.WIN,
        Outcome.LOSE,
        Outcome.PUSH,
    ]


# Numbered behaviours.


def test_004_behaviour_3_only_the_top_card_is_shown() -> None:
    """Rules: one of the dealer's cards is shown; the bottom card is the first dealt."""
    events = play("T 9 8D 9C", "stand").events
    dealt = [event for event in events if isinstance(event, DealerDealt)]
    assert dealt[0].card is None
    assert str(dealt[1].card) == "9C"


def test_004_behaviour_4_a_dealer_blackjack_is_not_announced() -> None:
    """Rules: only the player's blackjack ends the game; against the dealer's he plays."""
    result = play("T 9 K A", "stand")
    assert result.dealer.is_natural
    assert result.hands[0].outcome == Outcome.LOSE
    assert result.net == -1
    busted = play("T 6 K A T", "hit")
    assert busted.hands[0].outcome == Outcome.BUST
    assert busted.net == -1


def test_004_behaviour_5_a_bust_ends_the_game() -> None:
    """Rules: if the player busts he loses, and the dealer does not play."""
    result = play("T 6 T 2 K 5", "hit")
    assert result.hands[0].total == 26
    assert result.hands[0].outcome == Outcome.BUST
    assert ranks(result.dealer) == [10, 2]
    assert len(result.cards_left) == 1
    assert result.net == -1


def test_004_behaviour_5_the_bottom_card_stays_hidden_after_a_bust() -> None:
    """Sample output: after the bust there is no line for the bottom card."""
    public = " ".join(map(str, play("T 6 2D TC K", "hit").events))
    assert "TC" in public
    assert "2D" not in public


@pytest.mark.parametrize("decision", ["double", "split", "surrender", "insurance"])
def test_004_behaviour_5_only_hit_or_stick(decision: str) -> None:
    """Rules: the player decides whether to hit or stick."""
    with pytest.raises(upcard.IllegalActionError):
        play("8 8 9 A T T T T", decision)


@pytest.mark.parametrize(
    ("drawn", "total"),
    [("5", 21), ("A", 17), ("A 4", 17), ("6", 22)],
)
def test_004_behaviour_6_dealer_hits_16_or_less(drawn: str, total: int) -> None:
    """Rules: on 16 or less the dealer hits, on 17 or more he sticks."""
    cards = "T 8 T 6" if drawn != "A 4" else "T 8 T 2"
    result = play(f"{cards} {drawn}", "stand")
    assert result.dealer.total == total
    assert len(result.cards_left) == 0


def test_004_behaviour_6_dealer_bust_wins_for_the_player() -> None:
    """Rules: if the dealer busts, the player wins, whatever his count."""
    result = play("2 3 T 6 K", "stand")
    assert result.dealer.total == 26
    assert result.hands[0].outcome == Outcome.WIN
    assert result.net == 1


@pytest.mark.parametrize(("cards", "net"), [("T 9 T 8", 1), ("T 8 T 9", -1), ("T 8 T 8", 0)])
def test_004_behaviour_7_the_highest_count_wins(cards: str, net: int) -> None:
    """Rules: the counts are compared, the highest wins, equal counts tie."""
    assert play(cards, "stand").net == net


@pytest.mark.parametrize(("drawn", "total"), [("A", 13), ("A T", 13), ("9", 21), ("A 8", 21)])
def test_004_behaviour_10_several_aces(drawn: str, total: int) -> None:
    """Counting the ace: it is 11 unless that takes the count over 21."""
    hits = ["hit"] * len(drawn.split())
    assert play(f"A A T 9 {drawn}", *hits, "stand").hands[0].total == total


def test_004_behaviour_11_the_player_is_asked_at_21() -> None:
    """Rules: the player can keep hitting until he decides to stay or busts, 21 included."""
    with pytest.raises(upcard.OutOfDecisionsError):
        play("7 7 T 9 7", "hit")
    result = play("7 7 T 9 7 2", "hit", "hit")
    assert result.hands[0].total == 23
    assert result.hands[0].outcome == Outcome.BUST


def test_004_behaviour_14_dealers_drawn_ace_is_11_where_it_fits() -> None:
    """Counting the ace: the dealer uses a soft count, and sticks on it from 17."""
    result = play("T 9 5 4 A", "stand")
    assert ranks(result.dealer) == [5, 4, 1]
    assert result.dealer.total == 20
    assert result.net == -1
