"""The notation and the house files: what is printed reads back as the same rules."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st
from random_rules import DECKS, NATURAL_PAYS, YES_NO, any_rules

from upcard import BlackjackError, Card, NotationError, Rules
from upcard.core.cards import FACES, SUITS
from upcard.rules.house import house_names, load_house
from upcard.rules.settings import Soft17


@pytest.mark.slow
@given(any_rules())
def test_rules_read_back_from_what_they_print(rules):
    assert Rules.parse(str(rules)) == rules


@pytest.mark.slow
@given(any_rules(), st.randoms(use_true_random=False))
def test_tokens_may_come_in_any_order_and_case(rules, random):
    tokens = str(rules).split()
    random.shuffle(tokens)
    if tokens[0].lower() in house_names():  # the first word would be the house
        tokens.append(tokens.pop(0))
    assert Rules.parse(", ".join(tokens).lower()) == rules


CHANGES = {
    "soft_17": Soft17,
    "decks": DECKS,
    "natural_pays": NATURAL_PAYS,
    "insurance": YES_NO,
}


@pytest.mark.parametrize("name", house_names())
def test_a_changed_house_reads_back(name):
    house = load_house(name).rules
    read = 0
    for changed, options in CHANGES.items():
        for option in options:
            try:
                rules = house.replace(**{changed: option})
            except BlackjackError:
                continue
            assert Rules.parse(str(rules)) == rules
            read += 1
    assert read >= 4, name


@pytest.mark.parametrize("name", house_names())
def test_a_house_prints_as_its_name(name):
    assert str(load_house(name).rules) == name


@given(st.text(max_size=40))
def test_no_text_crashes_the_notation(text):
    with suppress(BlackjackError):
        Rules.parse(text)


@given(st.text(max_size=6))
def test_no_text_crashes_a_card(text):
    try:
        card = Card(text)
    except NotationError:
        return
    assert card.face in FACES
    assert card.suit in ("", *SUITS)


def test_every_card_reads_back():
    for face in FACES:
        for suit in ("", *SUITS):
            card = Card(face + suit)
            assert Card(str(card)) is card
