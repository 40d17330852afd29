"""Reveal files: made from the store, checked by upcard and by the program that stands alone."""

import json

import pytest

from upcard import NotationError
from upcard.fair import verify_shuffle
from upcard.fair.seeds import FairnessError
from upcard.store.files import StoreError
from upcard.store.history import (
    check_reveal,
    make_reveal,
    read_rounds_of_shoe,
    read_shoe,
    read_shoes,
)


@pytest.fixture
def documents(quick_store, sit, play):
    """Reveal files of shoes in several houses."""
    for notation in ("1D PEN50", "2D CSM", "INF(1/3)", "roanoke"):
        with sit(quick_store, notation) as table:
            play(table, rounds=12)
    return [
        make_reveal(shoe, read_rounds_of_shoe(quick_store, shoe.id))
        for shoe in read_shoes(quick_store)
    ]


def test_both_programs_find_that_everything_fits(documents):
    assert len(documents) > 4
    for document in documents:
        assert check_reveal(document) == len(document["rounds"]) > 0
        assert verify_shuffle.check_file(json.loads(json.dumps(document))) == check_reveal(document)


def damage(document, how):
    changed = json.loads(json.dumps(document))
    first = changed["rounds"][0]
    match how:
        case "a card":
            other = "AC" if first["cards"][:2] != "AC" else "2C"
            first["cards"] = other + first["cards"][2:]
        case "a round left out":
            del changed["rounds"][0]
        case "commitment":
            changed["commitment"] = "00" * 32
        case "server seed":
            changed["server_seed"] = "00" * 32
        case "player seed":
            changed["player_seed"] += "x"
        case "number":
            changed["number"] += 1
        case "rules":
            changed["rules"] = changed["rules"].replace("S17", "H17")
        case "place":
            first["shuffle"] = 1
    return changed


@pytest.mark.parametrize(
    "how",
    [
        "a card",
        "a round left out",
        "commitment",
        "server seed",
        "player seed",
        "place",
        "number",
        "rules",
    ],
)
def test_both_programs_find_what_does_not_fit(documents, how):
    for document in documents:
        if how == "a round left out" and len(document["rounds"]) == 1:
            continue
        changed = damage(document, how)
        with pytest.raises(FairnessError):
            check_reveal(changed)
        with pytest.raises(verify_shuffle.MismatchError):
            verify_shuffle.check_file(changed)


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"method": "another-1"}, "the method is 'another-1'; this program knows upcard-shuffle-2"),
        ({"server_seed": "xyz"}, "64 hexadecimal digits"),
        ({"server_seed": "00"}, "64 hexadecimal digits"),
        ({"rounds": 5}, "not of the kind it must be"),
        ({"rounds": [{"shuffle": 0, "dealt": 0}]}, "'cards' is missing"),
        ({"number": 5000}, "number is 5000: it is a whole number from 1 to 4096"),
        ({"number": "1"}, "number is '1': it is a whole number from 1 to 4096"),
        (
            {"rounds": [{"shuffle": "1e9", "dealt": 0, "cards": ""}]},
            "'1e9': it is a whole number",
        ),
        ({"rules": "XYZ"}, "do not name the decks"),
        ({"player_seed": 7}, "not of the kind it must be"),
    ],
)
def test_what_is_no_reveal_file_is_refused(documents, changes, fault):
    with pytest.raises(NotationError, match=fault):
        check_reveal(documents[0] | changes)
    with pytest.raises(NotationError, match="'method' is missing"):
        check_reveal({})
    for nothing in ([], None, "text"):
        with pytest.raises(NotationError, match="no reveal file"):
            check_reveal(nothing)


def test_a_round_without_cards_is_no_round(documents):
    """Found by `make campaign ARGS=damage`: "Everything fits: the cards of 1 round"."""
    emptied = documents[0] | {"rounds": [{"shuffle": 0, "dealt": 0, "cards": ""}]}
    with pytest.raises(NotationError, match="number of cards of round 1 is 0"):
        check_reveal(emptied)
    with pytest.raises(verify_shuffle.InputError, match="number of cards of round 1 is 0"):
        verify_shuffle.check_file(emptied)


def test_settings_that_contradict_the_rules_are_found(documents):
    with pytest.raises(FairnessError, match="decks is 7 in the file, and 1 by its rules"):
        check_reveal(documents[0] | {"decks": 7})


def test_a_shoe_that_does_not_exist_is_refused(quick_store, documents):
    with pytest.raises(StoreError, match=f"there is no shoe 99: 1 to {len(documents)}"):
        read_shoe(quick_store, 99)
