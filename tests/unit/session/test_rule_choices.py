"""Rules as switches: every rule of the notation can be turned, and only to what can be."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from upcard.rules.house import house, house_names
from upcard.rules.model import Rules
from upcard.session.choice import RULE_CHOICES, turn

BY_NAME = {switch.name: switch for switch in RULE_CHOICES}


@pytest.mark.parametrize("switch", RULE_CHOICES, ids=lambda switch: switch.name)
def test_a_switch_goes_through_all_its_positions_and_back(switch):
    rules = Rules.parse("6D SP4")
    seen = []
    for _ in switch.options:
        seen.append(switch.words(rules))
        rules = turn(switch, rules, 1)[0]
    passed = set(turn(switch, Rules(), 1)[1])
    assert len(set(seen)) == len(switch.options) - len(passed)
    assert turn(switch, turn(switch, Rules(), 1)[0], -1)[0] == Rules()


@pytest.mark.parametrize(
    ("name", "turns", "notation"),
    [
        ("Decks", 1, "8D"),
        ("Decks", -1, "5D"),
        ("Dealer on soft 17", 1, "H17"),
        ("Hole card", 1, "ENHC"),
        ("Hole card", 2, "OBO"),
        ("A natural pays", 1, "6:5"),
        ("Double", 1, "D9"),
        ("Double", -1, "ND"),
        ("Double after a split", 1, "NDAS"),
        ("Hands from a split", 1, "SP5"),
        ("Resplit aces", 1, "RSA"),
        ("Hit split aces", 1, "HSA"),
        ("Surrender", 1, "LS"),
        ("Surrender", 2, "ES"),
        ("Insurance", 1, "NOINS"),
        ("Shuffle", 1, "PEN80"),
    ],
)
def test_a_turn_is_a_token_of_the_notation(name, turns, notation):
    rules = Rules()
    for _ in range(abs(turns)):
        rules = turn(BY_NAME[name], rules, 1 if turns > 0 else -1)[0]
    assert rules == Rules.parse(notation)


def test_what_clashes_is_passed_over_with_the_reason():
    rules = Rules.parse("SP3 RSA")
    turned, passed = turn(BY_NAME["Hands from a split"], rules, -1)
    assert turned == Rules.parse("SPINF RSA")
    assert any("resplit" in reason for reason in passed)


def test_what_is_void_cannot_be_turned():
    rules = Rules.parse("ND")
    turned, passed = turn(BY_NAME["Double after a split"], rules, 1)
    assert turned == rules
    assert "no effect with the other rules" in passed[0]


def test_a_house_says_where_it_has_no_position():
    assert BY_NAME["Hole card"].words(house("lott")) == "of the house"
    assert BY_NAME["Shuffle"].words(house("lott")) == "of the house"


@pytest.mark.slow
@given(
    name=st.sampled_from(["", *house_names()]),
    turns=st.lists(st.tuples(st.sampled_from(RULE_CHOICES), st.sampled_from([1, -1])), max_size=12),
)
def test_whatever_is_turned_the_rules_are_rules(name, turns):
    rules = house(name) if name else Rules()
    for switch, step in turns:
        rules = turn(switch, rules, step)[0]
        assert Rules.parse(str(rules.replace(name=""))) == rules
