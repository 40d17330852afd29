"""Rules of real tables, one a test; what each setting means at the table, in cards and chips.

Deal order of the standard houses: a card to each hand, the upcard, a second card to each hand, the
hole card (none under ENHC and OBO).
"""

from fractions import Fraction

import pytest

from upcard import (
    Action,
    EmptyShoeError,
    IllegalActionError,
    OutOfDecisionsError,
    Rules,
    RulesError,
    play_round,
)
from upcard.rules.describe import describe_rules

HALF = Fraction(1, 2)
THREE_SPLITS = ("8 6 8 T 8 8 T T", "split", "split", "stand", "stand", "split")


def play(rules, cards, *decisions, bets=(1,)):
    return play_round(Rules.parse(rules), cards, decisions=decisions, bets=bets)


def outcomes(result):
    return [str(hand.outcome) for hand in result.hands]


def test_cards_are_dealt_as_in_a_casino():
    result = play("6D", "2C 3C 4C 5C 6C 7C 8C 9C", *["stand"] * 2, bets=[1, 1])
    assert [str(card) for card in result.hands[0].cards] == ["2C", "5C"]
    assert [str(card) for card in result.hands[1].cards] == ["3C", "6C"]
    assert [str(card) for card in result.dealer.cards] == ["4C", "7C", "8C"]


@pytest.mark.parametrize(
    ("pays", "net"), [("3:2", 15), ("6:5", 12), ("1:1", 10), ("2:1", 20), ("7:5", 14)]
)
def test_a_natural_pays_what_the_house_says(pays, net):
    assert play(pays, "A 9 K 8", bets=[10]).net == net


def test_half_chips_are_exact():
    assert play("3:2", "A 9 K 8", bets=["2.5"]).net == Fraction(15, 4)
    assert play("LS", "T 9 6 8", "surrender", bets=[1]).net == -HALF


def test_peek_ends_the_round_before_any_decision():
    result = play("6D NOINS", "T A 6 K")
    assert (result.net, result.dealer.is_natural) == (-1, True)


def test_peek_at_a_ten_finds_a_natural_without_offering_insurance():
    assert play("6D", "T T 6 A").net == -1


def test_insurance_pays_2_to_1():
    result = play("6D", "T A 6 K", "insurance", bets=[10])
    assert (result.insurance_net, result.hands[0].net, result.net) == (10, -10, 0)
    result = play("6D", "T A 6 9", "insurance", "stand", bets=[10])
    assert (result.insurance_net, result.net) == (-5, -15)


def test_every_spot_is_asked_for_insurance_by_itself():
    result = play("6D", "T T A 9 9 K", "insurance", "no insurance", bets=[10, 20])
    assert (result.insurance_net, result.net) == (10, 10 - 30)


def test_even_money_pays_at_once_and_is_the_insurance_of_a_natural():
    assert play("6D", "A A K K", "even money", bets=[10]).net == 10
    assert play("6D", "A A K K", "no even money", bets=[10]).net == 0
    assert play("6D", "A A K 9", "no even money", bets=[10]).net == 15


def test_even_money_is_not_offered_where_a_natural_pays_no_more():
    assert play("6D 1:1", "A A K K", "insurance", bets=[10]).net == 10


def test_no_insurance_without_an_ace_up_or_where_the_house_has_none():
    assert play("6D NOINS", "T A 9 9", "stand").net == -1


def test_h17_hits_a_soft_17_and_s17_stands():
    assert play("6D S17", "T 6 8 A", "stand").net == 1
    assert play("6D H17", "T 6 8 A 4", "stand").net == -1
    assert play("6D H17", "T 6 8 T 2", "stand").net == 0  # hard 18


def test_a_dealer_natural_beats_a_21_of_three_cards():
    assert play("6D ENHC", "7 T 7 7 A", "hit").net == -1


def test_enhc_takes_doubled_and_split_bets():
    assert play("6D ENHC", "6 T 5 9 A", "double").net == -2
    assert play("6D ENHC", "8 T 8 T 9 A", "split", "stand", "stand").net == -2


def test_obo_takes_one_original_bet():
    result = play("6D OBO", "6 T 5 9 A", "double")
    assert (result.net, result.hands[0].bet) == (-1, 2)
    result = play("6D OBO", "8 T 8 T 9 A", "split", "stand", "stand")
    assert [hand.net for hand in result.hands] == [-1, 0]


def test_obo_returns_what_a_busted_double_added():
    """As if the dealer had peeked: then the double would not have been made."""
    assert play("6D OBO", "7 T 5 T A", "double").net == -1
    assert play("6D OBO", "7 T 5 T 9", "double").net == -2


def test_without_a_hole_card_the_dealer_draws_only_if_somebody_needs_it():
    result = play("6D ENHC", "T T 6 T", "hit")
    assert len(result.dealer.cards) == 1
    result = play("6D ENHC", "A T K A")
    assert (result.net, len(result.dealer.cards)) == (0, 2)
    result = play("6D ENHC", "A 9 K")
    assert (result.net, len(result.dealer.cards)) == (Fraction(3, 2), 1)


def test_insurance_without_a_hole_card_waits_for_the_second_card():
    result = play("6D ENHC", "T A 6 T K", "insurance", "hit", bets=[10])
    assert (result.insurance_net, result.net) == (10, 0)


def test_late_surrender_loses_half_after_the_peek():
    assert play("6D LS", "T T 6 9", "surrender").net == -HALF
    assert play("6D LS", "T T 6 A").net == -1


def test_late_surrender_without_a_peek_loses_all_to_a_natural():
    result = play("6D ENHC LS", "T T 6 A", "surrender")
    assert (result.net, outcomes(result)) == (-1, ["lose"])
    assert play("6D ENHC LS", "T T 6 9", "surrender").net == -HALF


def test_early_surrender_loses_half_whatever_the_dealer_has():
    assert play("6D ES NOINS", "T A 6 K", "surrender").net == -HALF
    assert play("6D ENHC ES NOINS", "T A 6", "surrender").net == -HALF
    assert play("6D ES", "T 9 6 9", "surrender").net == -HALF


def test_early_surrender_comes_after_insurance_and_before_the_peek():
    result = play("6D ES", "T A 6 K", "insurance", "surrender", bets=[10])
    assert (result.insurance_net, result.net) == (10, 5)


def test_playing_on_declines_an_early_surrender():
    result = play("6D ES NOINS", "T A 6 9 5", "hit")
    assert (result.net, result.unasked) == (1, ())
    assert play("6D ES NOINS", "T A 6 K", "hit").unasked == (Action.HIT,)


@pytest.mark.parametrize("cards", ["8 6 8 T T 2 9 3", "T 6 6 T 2 9"])
def test_surrender_is_for_the_first_two_cards_only(cards):
    first = "split" if cards.startswith("8") else "hit"
    with pytest.raises(IllegalActionError, match=r"cannot surrender .* \(rules: "):
        play("6D LS", cards, first, "surrender")


@pytest.mark.parametrize(
    ("rules", "cards", "may"),
    [
        ("DOA", "9 6 4 T", True),
        ("D9", "5 6 4 T", True),
        ("D9", "5 6 3 T", False),
        ("D9", "A 6 8 T", False),
        ("D10", "5 6 4 T", False),
        ("D10", "5 6 5 T", True),
        ("ND", "6 6 5 T", False),
    ],
)
def test_which_hands_may_double(rules, cards, may):
    if may:
        assert play(f"6D {rules}", f"{cards} 5 T T T", "double").hands[0].bet == 2
    else:
        with pytest.raises(IllegalActionError, match="cannot double"):
            play(f"6D {rules}", f"{cards} 5 T T T", "double")


def test_double_at_any_number_of_cards_where_the_house_has_it():
    assert play("6D DANY", "2 6 3 T 4 T T", "hit", "double").net == 2


def test_das_doubles_a_split_hand_and_ndas_does_not():
    cards = "8 6 8 T 3 2 T T 9"
    assert play("6D DAS", cards, "split", "double", "stand").hands[0].bet == 2


def test_pairs_split_to_the_limit():
    answers = ["split", "split", "stand", "stand", "split", "stand", "stand"]
    four = play("6D SP4", "8 6 8 T 8 8 T T T T T", *answers)
    assert len(four.hands) == 4


def test_each_half_gets_a_card_at_once_first_half_first():
    result = play("6D", "8C 6C 8D TC 2H 3H TS TD TH", "split", "stand", "stand")
    assert [[str(card) for card in hand.cards] for hand in result.hands] == [
        ["8C", "2H"],
        ["8D", "3H"],
    ]


def test_split_aces_get_one_card_each():
    result = play("6D", "A 6 A T 5 K T", "split")
    assert [hand.total for hand in result.hands] == [16, 21]
    assert outcomes(result) == ["win", "win"]
    assert result.net == 2  # A K after a split is 21, not a natural


def test_rsa_resplits_aces_and_nrsa_does_not():
    cards = "A 6 A T A 5 9 8 T"
    assert len(play("6D RSA", cards, "split", "split").hands) == 3
    assert len(play("6D NRSA", cards, "split").hands) == 2


def test_rsa_may_also_stand():
    assert len(play("6D RSA", "A 6 A T A 5 T", "split", "stand").hands) == 2


def test_hsa_hits_but_never_doubles_split_aces():
    assert play("6D HSA", "A 6 A T 5 K 3 T", "split", "hit", "stand").hands[0].total == 19


def test_tens_split_by_value_unless_the_house_says_rank():
    assert len(play("6D", "K 6 Q T T T T", "split", "stand", "stand").hands) == 2


def test_a_charlie_wins_at_once():
    result = play("6D charlie=5", "2 T 3 9 2 3 4", "hit", "hit", "hit")
    assert (result.net, result.hands[0].total) == (1, 14)


def test_the_dealer_does_not_draw_for_hands_that_are_settled():
    result = play("6D", "T 6 6 T T", "hit")
    assert (outcomes(result), len(result.dealer.cards)) == (["bust"], 2)


def test_21_is_never_asked():
    assert play("6D", "T 6 5 T 6 T", "hit").net == 1


def test_decisions_that_were_never_asked_for_are_reported():
    assert play("6D", "T 6 5 T 6 T", "hit", "stand").unasked == (Action.STAND,)


@pytest.mark.parametrize("bet", [0, -1, "nan", "inf", "x", float("nan"), float("inf"), None])
def test_a_bet_must_be_a_positive_number(bet):
    with pytest.raises(Exception, match=r"a bet of .*: (write a number|bets are over 0)"):
        play("6D", "T 6 5 T", bets=[bet])


@pytest.mark.parametrize(
    ("ask", "kind", "sentence"),
    [
        (
            lambda: play("6D", "T 9 9 9", "insurance"),
            IllegalActionError,
            (
                "cannot take insurance T 9 (19) v 9: insurance is not being offered. Legal: hit, "
                "stand, double"
            ),
        ),
        (
            lambda: play("6D DOA", "2 6 3 T 4 T T", "hit", "double"),
            IllegalActionError,
            (
                "cannot double 2 3 4 (9) v 6: 3 cards (rules: double on the first two). Legal: "
                "hit, stand"
            ),
        ),
        (
            lambda: play("6D NDAS", "8 6 8 T 3 2 T", "split", "double"),
            IllegalActionError,
            (
                "cannot double 8 3 (11) v 6: the hand was split (rules: no double after a split)."
                " Legal: hit, stand"
            ),
        ),
        (
            lambda: play("6D SP3", *THREE_SPLITS),
            IllegalActionError,
            (
                "cannot split 8 8 (16) v 6: there are 3 hands from this one (rules: 3 at most). "
                "Legal: hit, stand, double"
            ),
        ),
        (
            lambda: play("6D HSA", "A 6 A T 5 K 3 T", "split", "double"),
            IllegalActionError,
            "cannot double A 5 (soft 16) v 6: split aces cannot be doubled. Legal: hit, stand",
        ),
        (
            lambda: play("6D split_by=rank", "K 6 Q T", "split"),
            IllegalActionError,
            (
                "cannot split K Q (20) v 6: the cards differ (rules: split cards of the same rank"
                " only). Legal: hit, stand, double"
            ),
        ),
        (
            lambda: play("6D", "T 6 2 T", "hit"),
            EmptyShoeError,
            "card 5 was needed, the script has 4",
        ),
        (
            lambda: play("6D", "T 7 6 T"),
            OutOfDecisionsError,
            "the table asks about T 6 (16) and no decision is left. Legal: hit, stand, double",
        ),
        (
            lambda: play("6D", "T 6 5 T", bets=[1] * 8),
            RulesError,
            "8 spots: these rules take 1 to 7",
        ),
        (lambda: play("lott", "T 6 5 T", bets=[1, 1]), RulesError, "2 spots: lott take 1"),
    ],
)
def test_what_the_rules_do_not_allow_is_refused_with_the_rule(ask, kind, sentence):
    with pytest.raises(kind) as caught:
        ask()
    assert str(caught.value) == sentence


def test_a_hand_that_doubles_to_21_waits_for_the_dealer_where_a_21_wins_at_once():
    """A4: document 000 has no double, so its win at once is of hits; the sentence says it."""
    rules = "6D hole_card=no-peek player_21=wins"
    cards = "6 6 5 5 T T"  # 11 against 11: either makes 21 with the next ten
    assert outcomes(play(rules, cards, "hit")) == ["win"]
    assert outcomes(play(rules, cards, "double")) == ["push"]
    told = " ".join(sentence for _, sentence in describe_rules(Rules.parse(rules)))
    assert "One that doubles to 21 waits for the dealer." in told
