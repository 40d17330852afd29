"""The solver's values are those of the table engine, walked card by card and answer by answer."""

import pytest
from engine_tree import Tree

from upcard import Rules, house
from upcard.core.actions import Action
from upcard.core.cards import TEN
from upcard.core.hands import AceRule, hand_table
from upcard.exact.infinite import InfiniteSolver, as_infinite
from upcard.exact.infinite_hands import UpcardValues

HAND_88 = hand_table(AceRule.BEST).state_of((8, 8))
HANDS = ("T6", "A7", "54", "A6", "92", "32", "T9")


def assert_as_at_the_table(rules, hand, up):
    expected = Tree(rules).first_values(hand, up)
    found = InfiniteSolver(rules).values(hand, up)
    assert found == pytest.approx(expected, abs=1e-12), (str(rules), hand, up)


@pytest.mark.fast_cases(11)
@pytest.mark.parametrize(
    "tokens",
    [
        "LS",
        "ES",
        "H17 ENHC LS",
        "OBO LS DANY",
        "OBO SP1 natural_ties_21=true",
        "OBO SP1 DANY player_21=asked natural_ties_21=true",
        "ENHC ES DANY player_21=asked",
        "SP1 player_21=wins",
        "SP1 DANY hole_card=no-peek player_21=wins",
        "SP1 DANY hole_card=no-peek player_21=wins natural_ties_21=true",
        "hole_card=no-peek natural_takes=original LS",
        "SP1 ace_rule=one-softened player_21=asked LS",
        "SP1 H17 ace_rule=one-softened dealer_rule=until-ahead max_spots=1 LS",
        "SP1 H17 dealer_rule=until-ahead max_spots=1 hole_card=no-peek DANY",
        "SP1 max_spots=1 dealer_rule=until-ahead OBO natural_ties_21=true",
        "D9 turn_order=splits-first LS",
        "turn_order=splits-first ES",
        "T17-19 LSX DH",
        "SP1 OBO W21 D3X DANY",
        "SP1 OBBO 4CC(2:1) DANY",
        "SP1 BB1 D3X LSX",
        "OBBO SP3 RSA",
        "ZOMBIE P22 4CC(2:1)",
        "ES10 turn_order=splits-first MS15",
        "SP1 ENHC 3CC(1:2) W21",
        "SP1 H17 dealer_rule=until-ahead max_spots=1 T17-18 W21 4CC",
        "SP1 ace_rule=one-softened 4CC(2:1) LSX player_21=asked MS17",
        "SP1 dealer_rule=until-ahead max_spots=1 ace_rule=one-softened OBBO D3X ES10 TALL",
        "P22 FD9-11 LSX",
        "SP1 OBO P22 FDANY T17-19 W21",
        "SP1 BB1 FD9-11 DANY D3X",
        "ENHC ND FDANY P22 5CC(2:1)",
        "SP1 P22 dealer_rule=until-ahead max_spots=1 ace_rule=one-softened FDANY H17",
    ],
)
@pytest.mark.parametrize("up", ["6", "T", "A"])
def test_values_of_single_hands_are_those_of_the_table(tokens, up):
    rules = Rules.parse(f"INF {tokens}")
    tree, solution = Tree(rules), InfiniteSolver(rules)
    for hand in HANDS:
        expected = tree.first_values(hand, up)
        assert solution.values(hand, up) == pytest.approx(expected, abs=1e-12), hand


@pytest.mark.fast_cases(4)
@pytest.mark.parametrize("name", ["deshmukh", "roanoke", "mdp", "lott", "seven-hands"])
@pytest.mark.parametrize("up", ["6", "T", "A"])
def test_each_documents_house_is_solved_as_it_is_played(name, up):
    rules = as_infinite(house(name))
    tree, solution = Tree(rules), InfiniteSolver(rules)
    for hand in HANDS:
        expected = tree.first_values(hand, up)
        assert solution.values(hand, up) == pytest.approx(expected, abs=1e-12), hand


@pytest.mark.slow
@pytest.mark.parametrize(
    ("tokens", "hand", "up"),
    [
        ("SP2 ENHC", "88", "T"),
        ("SP2 OBO NDAS", "88", "A"),
        ("SP2 ND ENHC natural_ties_21=true", "88", "A"),
        ("SP2 ND ENHC HSA", "AA", "T"),
        ("SP3 ENHC RSA split_naturals=always", "AA", "T"),
        ("SP2 ND ENHC split_by=rank", "KK", "6"),
        pytest.param("SP2 ND player_21=wins", "99", "A", marks=pytest.mark.slow),
        ("SP2 ND ENHC player_21=asked", "77", "6"),
        ("SP2 ND ENHC turn_order=splits-first", "99", "7"),
        ("SP3 ND ENHC max_total_hands=2 max_spots=1", "99", "7"),
        ("SP2 ND ENHC 4CC(2:1) W21", "88", "T"),
        ("SP2 D3X 4CC(3:1) LSX T17", "22", "6"),
        ("SP2 ND HSA MS17 ENHC", "AA", "6"),
        ("SP2 DH OBO LSX MS15 TALL", "66", "A"),
        ("SP2 ND ENHC MS17 W21", "AA", "T"),
        ("SP2 ENHC split_naturals=always natural_tie=lose DH", "AA", "T"),
        ("SP2 ND ENHC P22 FD9-11 FSNT", "88", "T"),
        ("SP2 P22 FDANY FSNT", "55", "6"),
        ("SP2 OBO DANY FD9-11 FSNT", "33", "A"),
        ("SP2 ENHC split_naturals=always natural_tie=lose DH FSANY", "AA", "T"),
        ("SP2 ENHC HSA D3X FSANY T17 double_split_aces=true", "AA", "T"),
    ],
)
def test_splits_are_worth_what_they_are_at_the_table(tokens, hand, up):
    assert_as_at_the_table(Rules.parse(f"INF {tokens}"), hand, up)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("tokens", "hand", "up"),
    [
        ("SP2", "88", "T"),
        ("SP2 HSA double_split_aces=true", "AA", "T"),
        ("SP2 ND split_naturals=on-tens", "TT", "A"),
        ("SP3 ND RSA", "AA", "A"),
        ("SP2 ND ENHC turn_order=round-robin", "99", "T"),
        ("SP2 ENHC", "TT", "6"),
        ("SP3 ND ENHC", "77", "3"),
        ("SP3 ND", "99", "7"),
        ("SP3 ND split_by=rank ENHC", "KK", "6"),
        ("SP3 ND ENHC turn_order=splits-first RSA HSA", "AA", "6"),
        ("SP3 ND ENHC split_naturals=on-tens", "TT", "6"),
        ("SP3 ND ENHC P22 FSANY", "TT", "6"),
        ("SP3 ND ENHC P22 FSANY turn_order=splits-first", "TT", "9"),
        ("SP3 ND ENHC FSANY RSA", "AA", "7"),
    ],
)
def test_resplits_are_worth_what_they_are_at_the_table(tokens, hand, up):
    assert_as_at_the_table(Rules.parse(f"INF(9/20) {tokens}"), hand, up)


@pytest.mark.slow
def test_the_table_tells_a_natural_by_a_half_that_does_not_win_at_once():
    """Why the solver refuses player_21=wins with splits and no peek: halves are no longer alike."""
    rules = Rules.parse("INF SP2 hole_card=no-peek player_21=wins")
    halves_are_alike = UpcardValues(rules, TEN).first_values(HAND_88, pair_rank=8)
    walked = Tree(rules).first_values("88", "T")
    assert walked[Action.STAND] == pytest.approx(halves_are_alike[Action.STAND], abs=1e-12)
    assert walked[Action.SPLIT] > halves_are_alike[Action.SPLIT] + 1e-6
