"""What is chosen on the start screen, apart from the screen."""

import pytest

from upcard.core.errors import BlackjackError
from upcard.rules.model import Rules
from upcard.tui.start_choice import COMPANY, Choice, read_choice


def row_of(choice, name):
    return next(row for row in choice.rows(voice="after", knows="fresh") if row.name == name)


def turned(choice, name, step=1):
    return choice.turn(row_of(choice, name), step)[0]


def test_a_choice_goes_to_json_and_back():
    choice = Choice(rules=Rules.parse("european LS"), hands=2, company="you; mimic", keeps=False)
    assert read_choice(choice.to_json()) == choice
    assert read_choice(choice.to_json()).rules.name == "european"


@pytest.mark.parametrize(
    "kept",
    [
        None,
        {},
        {"rules": "6X"},
        {"rules": "6D", "house": "", "hands": 99, "bet": "1", "company": "", "keeps": True},
    ],
)
def test_what_cannot_be_read_is_as_if_nothing_had_been_chosen(kept):
    assert read_choice(kept) == Choice()


def test_a_house_with_one_spot_sends_the_company_away():
    choice = Choice(hands=3, company="you; mimic")
    for _ in range(2):
        choice = turned(choice, "House")
    assert choice.rules.name == "deshmukh"
    assert (choice.hands, choice.company) == (1, "")


def test_company_that_has_no_room_is_passed_over():
    choice = Choice(hands=6)
    seen = set()
    for _ in COMPANY:
        choice = turned(choice, "Company")
        seen.add(choice.company)
        _ = choice.plan
    assert COMPANY["a full table"] not in seen


def test_hands_stop_where_the_house_stops():
    choice = Choice()
    for _ in range(10):
        choice = turned(choice, "Hands you play")
    assert choice.hands == 7
    assert choice.turn(row_of(choice, "Hands you play"), 1)[1]
    for _ in range(10):
        choice = turned(choice, "Hands you play", -1)
    assert choice.hands == 1


def test_bets_go_up_and_down_within_their_list():
    choice = Choice()
    for _ in range(10):
        choice = turned(choice, "Bet", -1)
    assert choice.bet == 1


def test_a_house_without_bets_has_no_row_for_them():
    choice = Choice(rules=Rules.parse("roanoke"))
    assert all(row.name != "Bet" for row in choice.rows(voice="after", knows="fresh"))


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("House", "6X"),
        ("Bet", "-3"),
        ("Hands you play", "nine"),
        ("Hands you play", "9"),
        ("Company", "you; you"),
        ("Company", "basic;;mimic"),
    ],
)
def test_what_is_typed_wrong_is_refused(name, text):
    choice = Choice()
    with pytest.raises(BlackjackError):
        choice.read(row_of(choice, name), text)


def test_company_of_ones_own_is_shown_as_typed():
    choice = Choice().read(row_of(Choice(), "Company"), "counter:zen; you")
    assert row_of(choice, "Company").words == "counter:zen; you"
