"""The finite exact solver against its naive twin, on shoes small enough to play out."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement

import naive_dealer
import naive_exact as naive
import naive_insurance
import pytest
from marks import slow_except
from naive_dealer import draws, shoe_of, take

import upcard
from upcard.core.actions import Action
from upcard.rules.model import Rules

NAMES = "?A23456789T"
SHOES = {
    "fives": {1: 3, 5: 4, 8: 5, 10: 5},
    "sixes": {1: 4, 6: 5, 9: 4, 10: 6},
    "nines": {1: 3, 4: 3, 5: 4, 10: 5},
    "lows": {1: 3, 2: 3, 4: 3, 10: 7},
    "sevens": {4: 3, 7: 5, 10: 6},
    "no tens": {1: 4, 4: 4, 5: 2, 9: 5},
    "aces": {1: 5, 7: 4, 10: 6},
    "twos": {2: 5, 7: 5, 10: 5},
}
# What the table says, what the naive solver is told, the shoe. The last fact is the rule tested.
CASES = {
    "S17": ("SP2", {"max_hands": 2}, "sixes"),
    "H17": ("SP2 H17", {"max_hands": 2, "soft_17": "hit"}, "sixes"),
    "ENHC": ("SP2 ENHC", {"max_hands": 2, "hole_card": "none"}, "fives"),
    "OBO": (
        "SP2 OBO",
        {"max_hands": 2, "hole_card": "none", "natural_takes": "original"},
        "fives",
    ),
    "no peek": ("SP2 hole_card=no-peek", {"max_hands": 2, "hole_card": "no peek"}, "fives"),
    "no peek, original bets": (
        "SP2 hole_card=no-peek natural_takes=original",
        {"max_hands": 2, "hole_card": "no peek", "natural_takes": "original"},
        "sixes",
    ),
    "LS": ("SP2 LS", {"max_hands": 2, "surrender": "late"}, "sixes"),
    "ES": ("SP2 ES", {"max_hands": 2, "surrender": "early"}, "sixes"),
    "ENHC LS": ("SP2 ENHC LS", {"max_hands": 2, "hole_card": "none", "surrender": "late"}, "sixes"),
    "ENHC ES": (
        "SP2 ENHC ES",
        {"max_hands": 2, "hole_card": "none", "surrender": "early"},
        "sixes",
    ),
    "OBO LS": (
        "SP2 OBO LS",
        {"max_hands": 2, "hole_card": "none", "natural_takes": "original", "surrender": "late"},
        "sixes",
    ),
    "OBO ES": (
        "SP2 OBO ES",
        {"max_hands": 2, "hole_card": "none", "natural_takes": "original", "surrender": "early"},
        "fives",
    ),
    "ENHC D9": (
        "SP2 ENHC D9",
        {"max_hands": 2, "hole_card": "none", "double_on": "9 to 11"},
        "no tens",
    ),
    "D9": ("SP1 D9", {"max_hands": 1, "double_on": "9 to 11"}, "no tens"),
    "D10": ("SP2 D10", {"max_hands": 2, "double_on": "10 to 11"}, "fives"),
    "DANY": ("SP2 DANY", {"max_hands": 2, "double_on": "any number"}, "fives"),
    "ND": ("SP2 ND", {"max_hands": 2, "double_on": "never"}, "fives"),
    "ENHC DANY": (
        "SP2 ENHC DANY",
        {"max_hands": 2, "hole_card": "none", "double_on": "any number"},
        "nines",
    ),
    "NDAS": ("SP2 NDAS", {"max_hands": 2, "das": False}, "fives"),
    "ENHC DANY NDAS": (
        "SP2 ENHC DANY NDAS",
        {"max_hands": 2, "hole_card": "none", "double_on": "any number", "das": False},
        "nines",
    ),
    "SP1": ("SP1", {"max_hands": 1}, "fives"),
    "SP2": ("SP2", {"max_hands": 2}, "sevens"),
    "SP3": ("SP3", {"max_hands": 3}, "sevens"),
    "SP4": ("SP4", {"max_hands": 4}, "sevens"),
    "SP3 ENHC": ("SP3 ENHC", {"hole_card": "none", "max_hands": 3}, "sevens"),
    "SP3 OBO": (
        "SP3 OBO",
        {"hole_card": "none", "natural_takes": "original", "max_hands": 3},
        "fives",
    ),
    "SP3 RSA": ("SP3 RSA", {"max_hands": 3, "rsa": True}, "aces"),
    "SP2 HSA": ("SP2 HSA", {"max_hands": 2, "hsa": True}, "fives"),
    "SP3 RSA HSA": ("SP3 RSA HSA", {"max_hands": 3, "rsa": True, "hsa": True}, "aces"),
    "doubled split aces": (
        "SP2 HSA double_split_aces=true",
        {"max_hands": 2, "hsa": True, "double_split_aces": True},
        "sixes",
    ),
    "doubled split aces, ENHC RSA": (
        "SP3 ENHC RSA HSA double_split_aces=true",
        {
            "max_hands": 3,
            "hole_card": "none",
            "rsa": True,
            "hsa": True,
            "double_split_aces": True,
        },
        "fives",
    ),
    "naturals on split tens": (
        "SP2 split_naturals=on-tens",
        {"max_hands": 2, "split_naturals": "on tens"},
        "fives",
    ),
    "naturals on all splits": (
        "SP2 split_naturals=always",
        {"max_hands": 2, "split_naturals": "always"},
        "fives",
    ),
    "naturals on split tens, ENHC": (
        "SP2 ENHC split_naturals=on-tens",
        {"max_hands": 2, "hole_card": "none", "split_naturals": "on tens"},
        "sixes",
    ),
    "naturals on all splits, ENHC RSA HSA": (
        "SP3 ENHC RSA HSA split_naturals=always",
        {
            "max_hands": 3,
            "hole_card": "none",
            "rsa": True,
            "hsa": True,
            "split_naturals": "always",
        },
        "fives",
    ),
    "6:5": ("SP2 6:5", {"max_hands": 2, "natural_pays": Fraction(6, 5)}, "fives"),
    "ties 21": (
        "SP2 ENHC natural_ties_21=true",
        {"max_hands": 2, "hole_card": "none", "natural_ties_21": True},
        "fives",
    ),
    "five-card charlie": ("SP2 charlie=5", {"max_hands": 2, "charlie": 5}, "lows"),
    "five-card charlie, ENHC DANY": (
        "SP2 ENHC DANY charlie=5",
        {"max_hands": 2, "hole_card": "none", "double_on": "any number", "charlie": 5},
        "lows",
    ),
    "many": (
        "SP3 H17 ENHC D10 NDAS RSA HSA LS 6:5",
        {
            "max_hands": 3,
            "soft_17": "hit",
            "hole_card": "none",
            "double_on": "10 to 11",
            "das": False,
            "rsa": True,
            "hsa": True,
            "surrender": "late",
            "natural_pays": Fraction(6, 5),
        },
        "sixes",
    ),
}


@cache
def remembered_game(facts, shoe, up):
    """Return the twin; it remembers what it has worked out, and cases share it."""
    return naive_insurance.Game(dict(facts), shoe_of(SHOES[shoe]), up)


def game(name, up):
    _, facts, shoe = CASES[name]
    return remembered_game(frozenset(facts.items()), shoe, up)


def round_value(facts, shoe, taking="never"):
    """Return what the twin makes of a whole round."""
    cards = draws(shoe_of(SHOES[shoe]))
    items = frozenset(facts.items())
    return sum(chance * remembered_game(items, shoe, up).value(taking) for up, chance, _ in cards)


def read(text, shoe):
    return Rules.parse(f"6D {text}"), shoe_of(SHOES[shoe])


def openings(counts):
    """Go through the two-card hands, pairs first, and upcards that a shoe holds."""
    hands = combinations_with_replacement(sorted(counts), 2)
    for hand in sorted(hands, key=lambda hand: hand[0] != hand[1]):
        for up in counts:
            if all((up, *hand).count(rank) <= counts[rank] for rank in hand):
                yield hand, up


def write(hand):
    return " ".join(NAMES[rank] for rank in hand)


def about(value):
    return pytest.approx(float(value), rel=0, abs=1e-12)


def expected_answers(twin, hand):
    """Return the twin's values as `solve` gives them.

    They are given that there is no natural after a peek, unless surrender is offered before it.
    """
    values = twin.values(hand)
    if twin.peeks and twin.facts["surrender"] == "early":
        return {word: twin.before_look(hand, word) for word in values}
    return values


# The value of a round, below, rests on every answer: it is compared for all rules.
QUICK = ("SP1", "SP2", "SP3", "D9", "LS", "ENHC", "ENHC ES", "OBO", "OBO LS", "no peek", "ties 21")


@pytest.mark.fast_cases(2)
@pytest.mark.parametrize("name", slow_except(QUICK, CASES))
def test_every_answer_is_worth_what_playing_it_out_gives(name):
    text, _, shoe_name = CASES[name]
    rules, shoe = read(text, shoe_name)
    for hand, up in openings(SHOES[shoe_name]):
        expected = expected_answers(game(name, up), hand)
        found = upcard.solve(rules, write(hand), NAMES[up], shoe=shoe).ev
        if hand == (1, 10):  # what else a natural would be worth is told, but never played
            found = {Action.STAND: found[Action.STAND]}
        where = f"{write(hand)} v {NAMES[up]}"
        assert found == {word: about(value) for word, value in expected.items()}, where


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_a_round_is_worth_what_playing_it_out_gives(name):
    text, facts, shoe_name = CASES[name]
    rules, shoe = read(text, shoe_name)
    found = upcard.solve_game(rules, shoe=shoe)
    assert not any(game(name, up).ties for up in SHOES[shoe_name])
    assert found.ev - found.insurance_ev == about(round_value(facts, shoe_name))
    assert found.ev == about(round_value(facts, shoe_name, "best"))


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in CASES if name not in ("S17", "SP2")])
def test_the_tested_rule_makes_a_difference(name):
    _, facts, shoe = CASES[name]
    *others, (last, _) = facts.items()
    usual = dict(others) | ({"max_hands": 2} if last == "max_hands" else {})
    assert round_value(facts, shoe) != round_value(usual, shoe)


def split_against(text, facts, shoe_name, splits):
    """Go through the splits: where, the twin's value and the solver's.

    Where two plays of a hand are equally good it is anybody's choice, and the split depends on it.
    """
    rules, shoe = read(text, shoe_name)
    for hand, up in openings(SHOES[shoe_name]):
        if hand[0] == hand[1]:
            twin = naive.Game(facts, shoe, up, splits=splits.removesuffix("-exact"))
            expected = twin.split(hand)
            if twin.ties:
                continue
            found = upcard.solve(rules, write(hand), NAMES[up], shoe=shoe, splits=splits)
            yield f"{write(hand)} v {NAMES[up]}", expected, found.ev[Action.SPLIT]


SPLIT_CASES = (
    ("SP2", {"max_hands": 2}, "twos"),
    ("SP3 RSA HSA", {"max_hands": 3, "rsa": True, "hsa": True}, "aces"),
    ("SP3 ENHC", {"max_hands": 3, "hole_card": "none"}, "fives"),
)


@pytest.mark.slow
@pytest.mark.parametrize(("text", "facts", "shoe_name"), SPLIT_CASES)
def test_cdp1_knows_one_card_of_the_pair(text, facts, shoe_name):
    for where, expected, found in split_against(text, facts, shoe_name, "CDP1"):
        assert found == about(expected), where


@pytest.mark.slow
@pytest.mark.parametrize(("text", "facts", "shoe_name"), SPLIT_CASES)
def test_cdp_exact_knows_all_cards_of_the_pair(text, facts, shoe_name):
    for where, expected, found in split_against(text, facts, shoe_name, "CDP-exact"):
        assert found == about(expected), where


def test_cdp_as_published_is_not_the_value_of_a_play():
    """Its recurrence runs over rows that are played in different ways."""
    rules, shoe = Rules.parse("6D SP2"), {2: 5, 7: 5, 10: 5}
    values = {
        splits: upcard.solve(rules, "77", "2", splits=splits, shoe=shoe).ev["split"]
        for splits in ("CDP", "CDP-exact")
    }
    assert values["CDP-exact"] == pytest.approx(2153 / 13860, abs=1e-12)
    assert values["CDP"] == pytest.approx(0.128499, abs=1e-6)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "facts", "shoe_name"),
    [
        ("SP4", {}, "fives"),
        ("SP4 ENHC RSA HSA", {"hole_card": "none", "rsa": True, "hsa": True}, "sixes"),
        ("SP4 OBO", {"hole_card": "none", "natural_takes": "original"}, "fives"),
        ("SP3 H17", {"max_hands": 3, "soft_17": "hit"}, "sixes"),
        ("SP2 DANY", {"max_hands": 2, "double_on": "any number"}, "lows"),
    ],
)
def test_splits_to_many_hands_are_worth_what_playing_them_out_gives(text, facts, shoe_name):
    for where, expected, found in split_against(text, facts, shoe_name, "CDZ-"):
        assert found == about(expected), where


@pytest.mark.fast_cases(23)
@pytest.mark.parametrize("text", ["S17", "H17", "ENHC S17", "ENHC H17"])
@pytest.mark.parametrize("counts", [*SHOES.values(), dict.fromkeys(range(1, 11), 2)])
def test_the_dealer_ends_as_drawing_card_by_card_gives(text, counts):
    facts = {
        "soft_17": "hit" if "H17" in text else "stand",
        "hole_card": "none" if "ENHC" in text else "peek",
    }
    shoe = shoe_of(counts)
    for up in counts:
        expected = naive_dealer.dealer_outcomes(facts, shoe, up)
        assert sum(expected.values()) == 1
        found = upcard.dealer_outcomes(Rules.parse(f"6D {text}"), NAMES[up], shoe=shoe)
        assert tuple(found) == tuple(about(expected[end]) for end in naive_dealer.DEALER_ENDS)


def test_hands_of_more_cards_are_worth_what_playing_them_out_gives():
    for text, facts in (
        ("SP1", {"max_hands": 1}),
        ("SP1 ENHC DANY H17", {"hole_card": "none", "double_on": "any number", "soft_17": "hit"}),
    ):
        rules, shoe = read(text, "nines")
        for hand in ((4, 4, 5), (1, 4, 5), (1, 1, 4), (1, 1, 5, 5), (4, 5, 10)):
            for up in (1, 5, 10):
                twin = naive.Game(facts, shoe, up)
                found = upcard.solve(rules, write(hand), NAMES[up], shoe=shoe).ev
                expected = twin.playing_values(hand)
                assert found == {word: about(value) for word, value in expected.items()}


def test_insurance_is_worth_twice_a_natural_less_the_rest():
    rules, shoe = read("SP1", "fives")
    for hand in ((8, 8), (10, 10), (5, 10), (1, 5)):
        natural = naive.Game({}, shoe, 1).natural_chance(take(shoe, 1, *hand))
        found = upcard.solve(rules, write(hand), "A", shoe=shoe)
        assert found.natural_probability == about(natural)
        assert found.insurance_ev == about((3 * natural - 1) / 2)


# The twin itself.


def test_twin_agrees_with_a_split_counted_by_hand():
    """Tens against a ten; two sixes and six tens in all.

    Each hand becomes 20 (3 in 5), then wins half the time against a 16 that must bust and else
    ties; or 16 (2 in 5), then wins 1 time in 4 and else loses: 3/10 - 2/10 a hand.
    """
    counts = {6: 2, 10: 6}
    twin = naive.Game({"max_hands": 2}, shoe_of(counts), 10)
    assert twin.values((10, 10)) == {
        "stand": Fraction(2, 5),
        "hit": -1,
        "double": -2,
        "split": Fraction(1, 5),
    }
    rules = Rules.parse("6D SP2")
    found = upcard.solve(rules, "T T", "T", shoe=shoe_of(counts)).ev
    assert found[Action.SPLIT] == about(Fraction(1, 5))


def test_twin_ties_everything_where_all_cards_are_tens():
    twin = naive.Game({"surrender": "late"}, shoe_of({10: 12}), 10)
    assert twin.values((10, 10)) == {
        "stand": 0,
        "hit": -1,
        "double": -2,
        "split": 0,
        "surrender": Fraction(-1, 2),
    }


def test_twin_finds_the_hole_card_worth_the_same_dealt_first_or_last():
    shoe = shoe_of(SHOES["twos"])
    last, first = (
        naive.value_game({"max_hands": 2, "hole_card": hole_card}, shoe)
        for hole_card in ("none", "no peek")
    )
    assert last == first
