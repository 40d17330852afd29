"""Blackjack in five minutes: its hands are what the text beside them says."""

import pytest

from upcard.coach.primer import SECTIONS

HANDS = {hand.name: hand for section in SECTIONS for hand in section.hands}


@pytest.mark.parametrize(
    ("name", "remark"),
    [
        ("soft", "soft 17"),
        ("the same, with a 9", "16"),
        ("you", "16"),
        ("a pair to split", "16"),
        ("a hand to double", "11"),
        ("you hit 16", "24, bust"),
        ("blackjack!", "21, a natural"),
    ],
)
def test_a_hand_of_the_page_has_the_total_that_its_name_promises(name, remark):
    assert HANDS[name].remark == remark


def test_the_page_explains_every_word_that_the_table_greets_a_newcomer_with():
    # D1 (a): the aim, hit, stand and bust stood nowhere.
    text = " ".join(
        " ".join((section.heading, *section.paragraphs)) for section in SECTIONS
    ).lower()
    words = (
        *("aim", "hit", "stand", "double", "split", "surrender", "bust", "dealer", "natural"),
        *("upcard", "hole card", "soft", "hard", "push", "insurance", "even money", "s17", "3:2"),
    )
    assert [word for word in words if word not in text] == []
