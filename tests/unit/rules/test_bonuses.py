"""Bonuses of a 21: their text, what they pay, and what they say."""

from fractions import Fraction

import pytest

from upcard import Rules
from upcard.core.cards import parse_cards
from upcard.rules.bonuses import Bonuses
from upcard.rules.describe import describe_rules, name_game
from upcard.rules.house import read_house

USUAL = "5=3:2/6=2:1/7=3:1/678=3:2-2:1-3:1/777=3:2-2:1-3:1"
ALL = Bonuses.parse(f"{USUAL}/777v7=100:1")


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("usual", "usual"),
        (USUAL, "usual"),
        ("USUAL/777V7=100:1", "usual/777v7=100:1"),
        ("777v7=100:1 / usual", "usual/777v7=100:1"),
        ("4=5:4/usual", "4=5:4/usual"),
        ("7=6:2/5=3:2", "5=3:2/7=3:1"),
        ("10=5:1/6=2:1", "6=2:1/10=5:1"),
        ("678=3:2-2:1-3:1", "678=3:2-2:1-3:1"),
        ("777v7=50:1", "777v7=50:1"),
        # Three cards pay by their number unless they are named.
        ("3=2:1/678=2:1-2:1-2:1", "3=2:1"),
        ("3=2:1/777=1:1-1:1-1:1", "3=2:1/777=1:1-1:1-1:1"),
        (USUAL + "0", "5=3:2/6=2:1/7=3:1/678=3:2-2:1-3:1/777=3:2-2:1-3:10"),
    ],
)
def test_text_is_read_and_written(text, written):
    bonuses = Bonuses.parse(text)
    assert str(bonuses) == f"{bonuses}" == written
    assert Bonuses.parse(written) == bonuses


@pytest.mark.parametrize(
    "text",
    [
        *("", "5", "5=2", "5=0:1", "5=1:0", "5=10001:1", "5=3:2-2:1", "2=3:2", "22=3:2", "05=3:2"),
        *("678=3:2", "678=3:2-2:1", "678=3:2-x-3:1", "777v7=3:2-2:1-3:1", "888=3:2-2:1-3:1"),
        *("5=3:2-99999:1", "5=0:1-3:2", "678=0:1-3:2-2:1-3:1", "777v7=100:1-99999:1"),
        *("5=3:2/5=2:1", "usual/5=2:1", "usual0", "5=3:2/", "/usual", "a five"),
    ],
)
def test_text_in_another_form_is_not_read(text):
    assert Bonuses.parse(text) is None


@pytest.mark.parametrize(
    ("cards", "pay"),
    [
        ("T 9 2", 1),
        ("T 5 4 2", 1),
        ("8 4 4 3 2", Fraction(3, 2)),
        ("6 7 2 3 3", Fraction(3, 2)),
        ("6 4 4 3 2 2", 2),
        ("5 4 4 3 2 2 A", 3),
        ("4 4 3 2 2 A A 3 A", 3),
        ("7H 8S 6H", Fraction(3, 2)),
        ("7H 8H 6H", 2),
        ("7S 8S 6S", 3),
        ("7S 8 6S", Fraction(3, 2)),
        ("7H 7S 7H", Fraction(3, 2)),
        ("7H 7H 7H", 2),
        ("7S 7S 7S", 3),
    ],
)
def test_pay_of_a_21(cards, pay):
    assert ALL.pay_of(parse_cards(cards), upcard=8, is_split=False) == pay


def test_three_sevens_of_one_suit_against_a_seven():
    sevens = parse_cards("7D 7D 7D")
    assert ALL.pay_of(sevens, upcard=7, is_split=False) == 100
    assert ALL.pay_of(sevens, upcard=7, is_split=True) == 2
    assert ALL.pay_of(parse_cards("7 7 7"), upcard=7, is_split=False) == Fraction(3, 2)
    assert ALL.pay_of(parse_cards("6D 7D 8D"), upcard=7, is_split=False) == 2
    assert Bonuses.parse("usual").pay_of(sevens, upcard=7, is_split=False) == 2


def test_three_cards_that_are_not_named_pay_by_their_number():
    bonuses = Bonuses.parse("3=5:4/777=2:1-3:1-4:1")
    assert bonuses.pay_of(parse_cards("6S 7S 8S"), upcard=2, is_split=False) == Fraction(5, 4)
    assert bonuses.pay_of(parse_cards("7S 7S 7S"), upcard=2, is_split=False) == 4


@pytest.mark.parametrize(
    ("cards", "name"),
    [
        ("8 4 4 3 2", "21 of 5 cards"),
        ("8H 6S 7H", "6 7 8"),
        ("8S 6S 7S", "6 7 8 of spades"),
        ("7D 7D 7D", "7 7 7 of diamonds"),
        ("7D 7 7D", "7 7 7"),
    ],
)
def test_name_of_what_is_paid(cards, name):
    assert ALL.name_of(parse_cards(cards)) == name


def test_description_has_what_is_paid():
    told = dict(describe_rules(Rules.parse("6D W21 BON(6=2:1/678=3:2-2:1-3:1/777v7=40:1)")))
    assert told["Bonuses"] == (
        "A 21 that was not doubled pays 2:1 for a 21 of 6 or more cards; 3:2 for 6 7 8, 2:1 of one"
        " suit, 3:1 of spades; 40:1 for 7 7 7 of one suit against a 7 in a hand that was not split;"
        " others pay 1:1."
    )
    assert "Bonuses" not in dict(describe_rules(Rules.parse("6D W21")))


def test_descriptions_have_redoubling_rescue_and_living_busts():
    told = dict(describe_rules(Rules.parse("6D RD3 RE")))
    assert "A doubled hand may double what it stakes again: 3 times in all." in told["Double"]
    assert told["Double"].endswith("surrendered: it loses half of what it stakes.")
    assert "a busted hand lives" in dict(describe_rules(Rules.parse("6D ZOMBIE")))["Bets"]
    for text, name in (
        ("RD2", "redoubling"),
        ("RE", "rescue after a double"),
        ("W21 BON", "bonuses for 21"),
        ("ZOMBIE", "busted hands live"),
    ):
        assert name_game(Rules.parse(f"6D {text}")).endswith(name)
        assert name not in name_game(Rules())


@pytest.mark.parametrize("text", ["678=1:1-1:1-1:1", "5=1:1", "3=1:1/777v7=1:1"])
def test_bonuses_of_even_money_are_none(text):
    rules = Rules.parse(f"W21 BON({text})")
    assert rules == Rules.parse("W21") == Rules.parse(str(rules))


def test_settings_of_a_house_file_are_those_of_the_notation():
    text = """title = "A table"
source = "The felt, read on a Tuesday."
about = "A test."
rules = "6D W21"

[settings]
max_doubles = 3
rescue = true
bonuses = "usual / 777v7=100:1"
"""
    rules = read_house(text, name="mine", where="mine.toml").rules
    assert rules == Rules.parse("6D W21 RD3 RE BON(usual/777v7=100:1)")
    assert str(rules.replace(name="")) == (
        "6D S17 PEEK DOA DAS SP4 NRSA NS 3:2 W21 RD3 RE BON(usual/777v7=100:1)"
    )
    assert Rules.parse(str(rules.replace(name=""))) == rules
    living = text.replace("max_doubles = 3\nrescue = true\n", "busts_live = true\n")
    assert read_house(living, name="mine", where="mine.toml").rules == Rules.parse(
        "6D W21 BON(usual/777v7=100:1) ZOMBIE"
    )


@pytest.mark.parametrize("ranks", ["678", "777"])
@pytest.mark.parametrize("suits", ["", "S", "H", "SH", "S-", "-S-"])
def test_three_cards_are_named_with_the_suit_that_all_have_and_no_other(ranks, suits):
    """`-` is a card of an unknown suit, as cards may be typed."""
    known = [suits[place % len(suits)].strip("-") if suits else "" for place in range(3)]
    cards = parse_cards(" ".join(map("".join, zip(ranks, known, strict=True))))
    word = {("S",) * 3: " of spades", ("H",) * 3: " of hearts"}.get(tuple(known), "")
    assert ALL.name_of(cards) == f"{' '.join(ranks)}{word}"
