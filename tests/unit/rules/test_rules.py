from fractions import Fraction

import pytest

from upcard import NotationError, Rules, RulesError
from upcard.rules.house import load_house
from upcard.rules.settings import (
    DoubleOn,
    EvenMoney,
    HoleCard,
    NaturalTakes,
    Shuffle,
    Soft17,
    Surrender,
)


def test_unset_rules_are_a_common_six_deck_game():
    assert str(Rules()) == str(Rules.parse("")) == "6D S17 PEEK DOA DAS SP4 NRSA NS 3:2"


@pytest.mark.parametrize(
    ("text", "settings"),
    [
        ("H17", {"soft_17": Soft17.HIT}),
        ("8d", {"decks": 8}),
        ("INF(1/3)", {"decks": None, "ten_probability": Fraction(1, 3)}),
        ("ENHC", {"hole_card": HoleCard.NONE}),
        ("OBO", {"hole_card": HoleCard.NONE, "natural_takes": NaturalTakes.ORIGINAL}),
        ("DANY", {"double_on": DoubleOn.ANY_NUMBER}),
        ("D9,NDAS", {"double_on": DoubleOn.HARD_9_TO_11, "double_after_split": False}),
        ("SPINF RSA HSA", {"max_hands": None, "resplit_aces": True, "hit_split_aces": True}),
        ("ES 7:5", {"surrender": Surrender.EARLY, "natural_pays": Fraction(7, 5)}),
        ("NOINS PEN60", {"insurance": False, "penetration": Fraction(3, 5)}),
        ("CSM", {"shuffle": Shuffle.EVERY_ROUND}),
        ("split_by = rank", {"split_by": "rank"}),
        ("charlie=5", {"charlie": 5}),
    ],
)
def test_a_token_sets_what_it_says(text, settings):
    assert Rules.parse(text) == Rules(**settings)


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("6D XYZ", ["XYZ"]),
        ("6D 6D", ["'6D' is repeated"]),
        ("S17 h17", ["'h17' contradicts 'S17'"]),
        ("2D INF", ["'INF' contradicts '2D'"]),
        ("ND DAS", ["'DAS' contradicts 'ND'"]),
        ("SP2 RSA", ["'RSA' contradicts 'SP2'"]),
        ("CSM PEN50", ["'PEN50' contradicts 'CSM'"]),
        ("INF PEN50", ["'PEN50' contradicts 'INF'"]),
        ("9D", ["'9D': from 1 to 8"]),
        ("SP0", ["'SP0': from 1 to 8"]),
        ("INF(1.5)", ["probability from 0 to 1"]),
        ("0:1", ["must pay something"]),
        ("PEN0", ["PEN1 to PEN100"]),
        ("soft_17=maybe", ["one of stand, hit"]),
        ("foo H17 bar S17", ["foo", "bar", "'S17' contradicts 'H17'"]),
    ],
)
def test_a_bad_token_is_named_and_all_are_reported_at_once(text, named):
    with pytest.raises(NotationError) as error:
        Rules.parse(text)
    for part in named:
        assert part in str(error.value)


@pytest.mark.parametrize(
    ("settings", "both"),
    [
        (
            {"hole_card": HoleCard.PEEK, "natural_takes": NaturalTakes.ORIGINAL},
            ("natural_takes=original", "hole_card=peek"),
        ),
        ({"shows_upcard": False}, ("insurance", "shows_upcard=false")),
        ({"resplit_aces": True, "max_hands": 2}, ("resplit_aces", "max_hands=2")),
        ({"double_split_aces": True}, ("double_split_aces", "hit_split_aces")),
        ({"dealer_rule": "until-ahead"}, ("dealer_rule=until-ahead", "max_spots=7")),
        ({"player_21": "wins", "hole_card": "none"}, ("player_21=wins", "hole_card=none")),
        ({"even_money": "first", "insurance": False}, ("even_money=first", "insurance=false")),
        ({"shuffle": "every-round", "penetration": Fraction(1, 2)}, ("penetration", "every-round")),
        ({"max_total_hands": 3}, ("max_total_hands=3", "max_spots=7")),
    ],
)
def test_settings_that_clash_are_both_named(settings, both):
    with pytest.raises(RulesError) as error:
        Rules(**settings)
    for part in both:
        assert part in str(error.value)


@pytest.mark.parametrize(
    "settings",
    [
        {"decks": 0},
        {"decks": 9},
        {"decks": 1.5},
        {"decks": True},
        {"soft_17": "sometimes"},
        {"natural_pays": Fraction(0)},
        {"natural_pays": 1.5},
        {"penetration": Fraction(2)},
        {"max_spots": 8},
        {"insurance": "yes"},
        {"ten_probability": Fraction(-1, 2)},
    ],
)
def test_a_value_of_the_wrong_kind_or_range_is_named(settings):
    with pytest.raises(RulesError, match=next(iter(settings))):
        Rules(**settings)


def test_all_bad_values_are_reported_at_once():
    with pytest.raises(RulesError) as error:
        Rules(decks=0, soft_17="?", max_spots=99)
    assert len(error.value.faults) == 3


def test_void_settings_make_equal_games_compare_equal():
    assert Rules.parse("ND") == Rules.parse("ND NDAS")
    assert Rules.parse("1:1").even_money is EvenMoney.NEVER
    assert Rules(decks=None).shuffle is Shuffle.EVERY_ROUND


def test_csm_takes_the_cut_card_of_a_house_away():
    assert Rules.parse("single-deck CSM") == Rules.parse("1D H17 D10 NDAS CSM")


def test_the_name_does_not_make_a_different_game():
    assert Rules.parse("european") == Rules.parse("6D S17 ENHC D9 DAS SP4 NRSA NS 3:2")
    assert Rules.parse("european LS").name == "european"


def test_replace_refuses_unknown_settings():
    with pytest.raises(RulesError, match="no such setting: colour"):
        Rules().replace(colour="red")


def test_equal_rules_are_written_by_the_name_of_each():
    house = load_house("european").rules
    plain = house.replace(name="")
    assert plain == house
    assert str(house) != str(plain)
    assert str(house) == "european"
