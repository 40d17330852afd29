import copy
import pickle

import pytest

from upcard import Card, NotationError
from upcard.core.cards import DECK, parse_cards


@pytest.mark.parametrize(
    ("text", "face", "suit", "rank"),
    [
        ("8D", "8", "D", 8),
        ("10H", "T", "H", 10),
        ("th", "T", "H", 10),
        ("T", "T", "", 10),
        ("10", "T", "", 10),
        (" as ", "A", "S", 1),
        ("K♥", "K", "H", 10),
    ],
)
def test_a_card_is_written_as_face_and_suit(text, face, suit, rank):
    card = Card(text)
    assert (card.face, card.suit, card.rank) == (face, suit, rank)


@pytest.mark.parametrize("text", ["", "1", "11", "0", "X", "8X", "DD", "AKQ", "101", "8 D", None])
def test_a_text_that_is_no_card_is_refused_with_what_is_possible(text):
    with pytest.raises(NotationError, match=r"unknown card .* write a face"):
        Card(text)


def test_equal_cards_are_the_same_object():
    card = Card("8D")
    assert card is Card("8d") is copy.deepcopy(card) is pickle.loads(pickle.dumps(card))  # noqa: S301


def test_a_card_cannot_be_changed():
    with pytest.raises(AttributeError, match="cannot be changed"):
        Card("8D").rank = 9


def test_a_deck_has_52_cards_16_of_them_worth_ten():
    assert len(set(DECK)) == 52
    assert sum(card.rank == 10 for card in DECK) == 16


def test_cards_are_read_from_text_or_list():
    expected = (Card("AC"), Card("T"), Card("9H"))
    assert parse_cards("AC, 10 9H") == parse_cards(["AC", Card("T"), "9H"]) == expected
