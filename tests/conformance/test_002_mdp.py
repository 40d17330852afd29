"""Document 002, BlackJack(p): an infinite deck in which a card is worth ten with probability p.

Cards are written in deal order: two to the player, the dealer's upcard, his hole card, then what is
drawn. The policy tables stand in `data/`, one file for each p.
"""

from __future__ import annotations

import math
from fractions import Fraction
from pathlib import Path

import pytest

import upcard
from upcard import Outcome

DATA = Path(__file__).parent / "data"
UPCARDS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "A")
LABELS = (
    *map(str, range(5, 20)),
    *(f"A{rank}" for rank in range(2, 10)),
    *(f"{rank}{rank}" for rank in range(2, 11)),
    "AA",
)


def play(cards: str, *decisions: str) -> upcard.RoundResult:
    """Play one round of the house with a bet of 1."""
    return upcard.play_round(upcard.house("mdp"), cards=cards, decisions=list(decisions))


def ranks(hand: object) -> list[int]:
    """Return the ranks of a hand's cards, in the order they came."""
    return [card.rank for card in hand.cards]


def letter(p: str, label: str, upcard_label: str) -> str:
    """Look one cell up in the policy for p."""
    return dict(upcard.policy(p))[label][UPCARDS.index(upcard_label)]


# Rules 1 to 8, by playing rounds.


def test_002_rule_1_cards_never_run_out() -> None:
    """Terminology: the pack is an infinite number of decks, so one rank may come endlessly."""
    result = play("2 3" + " 2" * 14 + " T", *["hit"] * 6, "stand")
    assert ranks(result.hands[0]) == [2, 3, 2, 2, 2, 2, 2, 2]
    assert result.hands[0].total == 17
    assert ranks(result.dealer) == [2, 2, 2, 2, 2, 2, 2, 2, 10]
    assert result.dealer.total == 26
    assert result.net == 1


@pytest.mark.parametrize("decision", ["insurance", "surrender"])
def test_002_rule_2_no_insurance_and_no_surrender(decision: str) -> None:
    """Rules of play: insurance and surrender are not used."""
    with pytest.raises(upcard.IllegalActionError):
        play("T 6 A 9", decision)


def test_002_rule_2_an_ace_up_asks_nothing_first() -> None:
    """Rules of play: with an ace up the hand is played right away."""
    result = play("T 9 A K", "stand")
    assert result.hands[0].outcome == Outcome.LOSE
    assert result.dealer.is_natural
    assert result.net == -1
    assert play("A K A 9").net == Fraction(3, 2)


@pytest.mark.parametrize("dealer", ["T A", "A T"])
def test_002_rule_2_no_peek_so_doubles_are_lost(dealer: str) -> None:
    """Rules of play: the dealer does not peek; the face-down card is turned afterwards."""
    result = play(f"6 5 {dealer} 9", "double")
    assert ranks(result.hands[0]) == [6, 5, 9]
    assert result.hands[0].bet == 2
    assert result.hands[0].outcome == Outcome.LOSE
    assert result.dealer.is_natural
    assert result.net == -2


@pytest.mark.parametrize("dealer", ["T A", "A T"])
def test_002_rule_2_no_peek_so_splits_are_lost(dealer: str) -> None:
    """Rules of play: both halves of a split lose to a blackjack."""
    result = play(f"8 8 {dealer} 2 3", "split", "stand", "stand")
    assert [ranks(hand) for hand in result.hands] == [[8, 2], [8, 3]]
    assert [hand.net for hand in result.hands] == [-1, -1]
    assert result.net == -2


def test_002_rule_3_dealer_stands_on_soft_17() -> None:
    """Rule 5: the dealer stands on A 2 4, because that is a soft 17."""
    result = play("T 8 A 2 4 T", "stand")
    assert ranks(result.dealer) == [1, 2, 4]
    assert result.dealer.total == 17
    assert len(result.cards_left) == 1
    assert result.net == 1
    two_cards = play("T 8 6 A T", "stand")
    assert ranks(two_cards.dealer) == [6, 1]
    assert two_cards.net == 1


def test_002_rule_3_dealer_hits_under_17() -> None:
    """Rule 5: less than 17 must hit; a soft hand turns hard."""
    result = play("T 8 A 3 T 2 A", "stand")
    assert ranks(result.dealer) == [1, 3, 10, 2, 1]
    assert result.dealer.total == 17
    assert result.net == 1


@pytest.mark.parametrize(("cards", "total"), [("2 3", 9), ("A 9", 14), ("T 9", 23), ("6 6", 16)])
def test_002_rule_4_double_on_any_two_cards(cards: str, total: int) -> None:
    """Rule 3, D: the bet is doubled, and exactly one card follows."""
    result = play(f"{cards} T 9 4", "double")
    assert result.hands[0].total == total
    assert len(result.hands[0].cards) == 3
    assert result.hands[0].bet == 2
    assert result.net == -2


def test_002_rule_4_no_double_on_three_cards() -> None:
    """Rule 3, D: only before any additional card."""
    with pytest.raises(upcard.IllegalActionError):
        play("2 3 T 7 4 T", "hit", "double")


def test_002_rule_4_no_split_on_three_cards() -> None:
    """Rule 3, P: only the original pair, before any additional card."""
    with pytest.raises(upcard.IllegalActionError):
        play("4 4 T 7 4 T T", "hit", "split")


def test_002_rule_4_double_after_split() -> None:
    """Rule 7a: after splitting, either or both hands may double."""
    result = play("8 8 T 7 3 2 T 9", "split", "double", "double")
    assert [ranks(hand) for hand in result.hands] == [[8, 3, 10], [8, 2, 9]]
    assert [hand.bet for hand in result.hands] == [2, 2]
    assert [hand.net for hand in result.hands] == [2, 2]


def test_002_rule_5_any_pair_of_equal_value_splits() -> None:
    """Terminology: a pair is two cards of the same value, faces being all alike."""
    result = play("K Q T 7 9 8", "split", "stand", "stand")
    assert [ranks(hand) for hand in result.hands] == [[10, 9], [10, 8]]
    assert [hand.net for hand in result.hands] == [1, 1]
    with pytest.raises(upcard.IllegalActionError):
        play("K 9 T 7 9 8", "split")


def test_002_rule_5_endless_resplits() -> None:
    """Rule 3, P: endless resplits; here five, which make six hands."""
    cards = "2 2 6 T 2 9 2 9 2 9 2 9 8 9 T"
    result = play(cards, *["split"] * 5, *["stand"] * 6)
    assert [ranks(hand) for hand in result.hands] == [[2, 8], *[[2, 9]] * 5]
    assert ranks(result.dealer) == [6, 10, 10]
    assert [hand.net for hand in result.hands] == [1] * 6
    assert result.net == 6


def test_002_rule_5_split_aces_get_one_card_each() -> None:
    """Rule 7c: one additional card per split ace, and no resplit of two aces."""
    result = play("A A 9 8 A 5 T T", "split", "split")
    assert [ranks(hand) for hand in result.hands] == [[1, 1], [1, 5]]
    assert [hand.total for hand in result.hands] == [12, 16]
    assert list(result.unasked) == ["split"]
    assert [hand.net for hand in result.hands] == [-1, -1]


def test_002_rule_6_a_blackjack_pays_3_to_2() -> None:
    """Payoff a: a profit of 1.5, against a dealer's plain 21 too."""
    assert play("A T 9 8").net == Fraction(3, 2)
    against_21 = play("A T 7 8 6")
    assert against_21.hands[0].outcome == Outcome.NATURAL
    assert against_21.net == Fraction(3, 2)


@pytest.mark.parametrize("dealer", ["A T", "T A"])
def test_002_rule_6_two_blackjacks_push(dealer: str) -> None:
    """Payoff a: the only exception is a dealer's blackjack, a push."""
    result = play(f"A T {dealer}")
    assert result.hands[0].outcome == Outcome.PUSH
    assert result.net == 0


def test_002_rule_6_dealer_blackjack_beats_21() -> None:
    """Payoff f: a dealer's blackjack wins against a 21 that is none."""
    result = play("7 7 T A 7", "hit")
    assert result.hands[0].total == 21
    assert result.hands[0].outcome == Outcome.LOSE
    assert result.net == -1


def test_002_rule_7_a_face_on_a_split_ace_is_plain_21() -> None:
    """Rule 7c: it is a regular 21: wins 1:1, ties a 21, loses to a blackjack."""
    won = play("A A 9 8 T K", "split")
    assert [hand.total for hand in won.hands] == [21, 21]
    assert [hand.is_natural for hand in won.hands] == [False, False]
    assert [hand.net for hand in won.hands] == [1, 1]
    tied = play("A A 7 8 T K 6", "split")
    assert [hand.outcome for hand in tied.hands] == [Outcome.PUSH, Outcome.PUSH]
    lost = play("A A T A T K", "split")
    assert [hand.net for hand in lost.hands] == [-1, -1]


def test_002_rule_7_an_ace_on_a_split_ten_is_a_blackjack() -> None:
    """Terminology: a two-card hand of an ace and a face card; 7c excepts split aces only."""
    won = play("T T 9 8 A 9", "split", "stand")
    assert [ranks(hand) for hand in won.hands] == [[10, 1], [10, 9]]
    assert [hand.is_natural for hand in won.hands] == [True, False]
    assert [hand.outcome for hand in won.hands] == [Outcome.NATURAL, Outcome.WIN]
    assert [hand.net for hand in won.hands] == [Fraction(3, 2), 1]
    tied = play("T T A K A 9", "split", "stand")
    assert [hand.outcome for hand in tied.hands] == [Outcome.PUSH, Outcome.LOSE]
    assert tied.net == -1


def test_002_rule_8_a_bust_comes_before_the_dealers() -> None:
    """Payoffs b and c: a busted player has lost whatever the dealer would do."""
    result = play("T 6 T 6 K K", "hit")
    assert result.hands[0].outcome == Outcome.BUST
    assert result.net == -1


@pytest.mark.parametrize(
    ("cards", "outcome", "net"),
    [
        ("T 2 T 6 T", Outcome.WIN, 1),
        ("T 8 T 9", Outcome.LOSE, -1),
        ("T 9 T 8", Outcome.WIN, 1),
        ("T 8 T 8", Outcome.PUSH, 0),
    ],
)
def test_002_rule_8_payoffs_in_order(cards: str, outcome: Outcome, net: int) -> None:
    """Payoffs c, d, e and g: dealer's bust, lower, higher and equal totals."""
    result = play(cards, "stand")
    assert result.hands[0].outcome == outcome
    assert result.net == net


# Items 9 to 19: the policy.


def test_002_output_format() -> None:
    """Output format: 33 rows, a label, a tab, ten letters one blank apart, a final newline."""
    text = str(upcard.policy("4/13"))
    assert text.endswith("\n")
    lines = text.removesuffix("\n").split("\n")
    assert len(lines) == 33
    assert tuple(line.split("\t")[0] for line in lines) == LABELS
    for line in lines:
        letters = line.split("\t")[1]
        assert len(letters) == 19
        assert len(letters.split(" ")) == 10
        assert set(letters.split(" ")) <= set("HSDP")


def test_002_policy_is_rows_of_label_and_letters() -> None:
    """Output format: the rows as pairs are the text's lines."""
    policy = upcard.policy("4/13")
    rows = list(policy)
    assert "".join(f"{label}\t{' '.join(letters)}\n" for label, letters in rows) == str(policy)
    assert rows[0] == ("5", "HHHHHHHHHH")
    assert rows[-1] == ("AA", "PPPPPPPPPH")


@pytest.mark.parametrize(
    ("p", "file"),
    [
        ("4/13", "policy_4_13.txt"),
        ("0.1", "policy_0.1.txt"),
        ("0.2", "policy_0.2.txt"),
        ("0.5", "policy_0.5.txt"),
    ],
)
def test_002_policy_tables(p: str, file: str) -> None:
    """Sample output at 4/13, and the tables of two other solvers at 0.1, 0.2 and 0.5."""
    assert str(upcard.policy(p)) == (DATA / file).read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("p", "value", "tolerance"),
    [
        ("4/13", -0.006230, 5e-7),
        ("0.1", -0.019057, 5e-7),
        ("0.2", -0.033162, 5e-7),
        ("0.345", 0.009975, 5e-7),
        ("0.40", 0.0559, 5e-5),
        ("0.45", 0.1769, 5e-5),
        ("0.49", 1.0926, 5e-5),
        ("0.4999", 114.08, 5e-3),
    ],
)
def test_002_game_values(p: str, value: float, tolerance: float) -> None:
    """The best play's value for each unit bet."""
    assert float(upcard.policy(p).ev) == pytest.approx(value, abs=tolerance)


def test_002_game_value_is_infinite_from_one_half() -> None:
    """At p = 0.5 the expected number of hands of split tens is infinite, at a profit."""
    assert upcard.policy("0.5").ev == math.inf
    assert upcard.policy("0.6").ev == math.inf


@pytest.mark.parametrize(
    ("p", "label", "up", "expected"),
    [
        ("4/13", "16", "10", {"H": -0.575224, "S": -0.575782}),
        ("4/13", "88", "10", {"H": -0.575224, "S": -0.575782, "P": -0.614231}),
        ("4/13", "A4", "4", {"H": 0.059285, "D": 0.058427}),
        ("4/13", "A7", "2", {"S": 0.121742, "D": 0.119750}),
        ("4/13", "12", "4", {"S": -0.211063, "H": -0.213537}),
        ("4/13", "33", "2", {"P": -0.137692, "H": -0.140759}),
        ("0.2", "99", "9", {"S": -0.101360, "P": -0.103122}),
        ("0.5", "16", "7", {"S": -0.551858, "H": -0.550546}),
    ],
)
def test_002_close_cells(p: str, label: str, up: str, expected: dict[str, float]) -> None:
    """Cells whose best two actions are within 0.005 are right to the sixth place."""
    values = upcard.policy(p).values(label, up)
    assert {key: values[key] for key in expected} == pytest.approx(expected, abs=6e-7)


def test_002_values_of_a_hand_that_is_no_pair_have_no_split() -> None:
    """Rule 3, P: a split has a value for pairs only."""
    policy = upcard.policy("4/13")
    assert set(policy.values("16", "10")) == {"H", "S", "D"}
    assert set(policy.values("88", "10")) == {"H", "S", "D", "P"}


@pytest.mark.parametrize(
    ("p", "policy_cells"),
    [
        ("0.2", {"2": "H", "3": "H", "4": "P", "5": "P", "6": "P", "7": "H", "8": "H"}),
        ("4/13", dict.fromkeys(UPCARDS[:9], "P") | {"A": "H"}),
    ],
)
def test_002_item_15_split_aces_are_not_resplit(p: str, policy_cells: dict[str, str]) -> None:
    """Rule 7c: resplitting aces would show at p = 0.2; a face on an ace shows at 4/13 v A."""
    assert {up: letter(p, "AA", up) for up in policy_cells} == policy_cells


@pytest.mark.parametrize(
    ("label", "up", "expected"),
    [
        ("A4", "4", "H"),
        ("A7", "2", "S"),
        ("A8", "6", "S"),
        ("11", "10", "H"),
        ("88", "10", "H"),
        ("88", "A", "H"),
        ("AA", "A", "H"),
        ("22", "2", "P"),
        ("33", "3", "P"),
        ("44", "5", "P"),
        ("66", "2", "P"),
    ],
)
def test_002_item_15_cells_that_pin_the_rules_down(label: str, up: str, expected: str) -> None:
    """Sample output: another dealer, a peek or no double after a split changes these cells."""
    assert letter("4/13", label, up) == expected


@pytest.mark.parametrize("up", ["5", "6"])
def test_002_item_16_split_tens_by_the_letter_at_0_345(up: str) -> None:
    """Rule 7c by the letter: an ace on a split ten is a blackjack, so tens split at 0.345."""
    assert letter("0.345", "1010", up) == "P"


@pytest.mark.parametrize(
    ("p", "diverging"),
    [
        ("0.5", ("2", "3", "4", "5", "6", "7")),
        ("0.6", ("2", "3", "4", "5", "6", "7", "8")),
        ("0.75", ("2", "3", "4", "5", "6", "7", "8", "9")),
        ("0.99", ("2", "3", "4", "5", "6", "7", "8", "9")),
    ],
)
def test_002_item_17_split_tens_diverge(p: str, diverging: tuple[str, ...]) -> None:
    """From p = 0.5 a split that is an advantage once is worth infinitely much."""
    policy = upcard.policy(p)
    infinite = tuple(up for up in UPCARDS if policy.values("1010", up)["P"] == math.inf)
    assert infinite == diverging
    assert tuple(up for up in UPCARDS if letter(p, "1010", up) == "P") == diverging


def test_002_item_17_standing_is_right_where_splitting_loses() -> None:
    """At p = 0.5 tens stand against 8, 9, ten and ace."""
    assert [letter("0.5", "1010", up) for up in ("8", "9", "10", "A")] == ["S"] * 4


@pytest.mark.parametrize("p", ["0", "1", "0.6"])
def test_002_item_17_the_ends_of_the_range_work(p: str) -> None:
    """Every p from 0 to 1 gives 33 rows of ten letters and a value that is a number."""
    policy = upcard.policy(p)
    rows = list(policy)
    assert tuple(label for label, _ in rows) == LABELS
    assert all(len(letters) == 10 for _, letters in rows)
    assert not math.isnan(policy.ev)


def test_002_item_17_all_tens_push() -> None:
    """At p = 1 every hand is 20 against 20."""
    policy = upcard.policy("1")
    assert policy.ev == pytest.approx(0, abs=1e-12)
    assert policy.values("1010", "10")["S"] == pytest.approx(0, abs=1e-12)
    assert letter("1", "1010", "10") == "S"


def test_002_item_17_without_tens_nobody_has_a_natural() -> None:
    """At p = 0 the nine other ranks are equally likely, and the player is ahead a little."""
    assert float(upcard.policy("0").ev) == pytest.approx(0.019072, abs=6e-7)


@pytest.mark.parametrize(
    ("up", "below", "above"),
    [
        ("6", "0.3232", "0.3234"),
        ("5", "0.3349", "0.3351"),
        ("4", "0.3517", "0.3519"),
        ("3", "0.3674", "0.3676"),
        ("2", "0.3826", "0.3828"),
        ("7", "0.4717", "0.4719"),
    ],
)
def test_002_item_18_first_p_at_which_tens_are_split(up: str, below: str, above: str) -> None:
    """Split tens become right at 0.3233 v 6 and so on, to four digits."""
    assert letter(below, "1010", up) == "S"
    assert letter(above, "1010", up) == "P"


@pytest.mark.parametrize(
    "p", ["-0.1", "-1/13", "1.1", "14/13", "nan", "inf", "-inf", "ten", "", "1/0", "4/13/2"]
)
def test_002_item_19_refuses_what_is_no_probability(p: str) -> None:
    """p is a probability: anything outside 0 to 1 and any other text is refused."""
    with pytest.raises(upcard.RulesError) as caught:
        upcard.policy(p)
    assert isinstance(caught.value, upcard.BlackjackError)
    assert str(caught.value)


@pytest.mark.parametrize(("fraction", "decimal"), [("1/2", "0.5"), ("1/5", "0.2"), ("2/20", "0.1")])
def test_002_item_10_p_is_a_decimal_or_a_fraction(fraction: str, decimal: str) -> None:
    """The two ways of writing p give the same policy."""
    assert str(upcard.policy(fraction)) == str(upcard.policy(decimal))
