"""What is chosen on the start screen, apart from the screen."""

from fractions import Fraction

import pytest

from upcard.core.errors import BlackjackError
from upcard.rules.model import Rules
from upcard.session.choice import list_rows, read_plan, read_row, turn_row, write_plan
from upcard.session.plan import COMPANY, TablePlan


def row_of(choice, name):
    return next(row for row in list_rows(choice, voice="after", knows="fresh") if row.name == name)


def turned(choice, name, step=1):
    return turn_row(choice, row_of(choice, name), step)[0]


def test_a_choice_goes_to_json_and_back():
    choice = TablePlan(rules=Rules.parse("european LS"), hands=2, company="you; mimic", keeps=False)
    assert read_plan(write_plan(choice)) == choice
    assert read_plan(write_plan(choice)).rules.name == "european"


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
    assert read_plan(kept) == TablePlan()


@pytest.mark.parametrize("hands", [float("inf"), float("nan"), 1e300, "9" * 5000, 2.5, None])
def test_odd_numbers_in_what_was_saved_are_as_if_nothing_had_been_chosen(hands):
    """S4-5: `hands: Infinity` was an OverflowError at every start."""
    kept = write_plan(TablePlan(hands=2)) | {"hands": hands}
    assert read_plan(kept) == TablePlan()


@pytest.mark.parametrize("bet", ["0", "-3", "1e999999999", "ten", None, "1/0"])
def test_an_odd_bet_in_what_was_saved_is_as_if_nothing_had_been_chosen(bet):
    assert read_plan(write_plan(TablePlan(hands=2)) | {"bet": bet}) == TablePlan()


def test_a_saved_bet_of_half_chips_becomes_one_that_the_table_takes():
    """F6: a bet such as 2.5 was saved without a smallest bet."""
    kept = write_plan(TablePlan()) | {"bet": "5/2"}
    del kept["unit"]
    assert read_plan(kept).bet == 2
    assert read_plan(kept | {"unit": "1/2"}).bet == Fraction(5, 2)


def test_the_bet_is_a_multiple_of_the_smallest_bet():
    choice = TablePlan()
    with pytest.raises(BlackjackError, match="bets are multiples of smallest bet 1"):
        read_row(choice, row_of(choice, "Bet"), "2.5")
    halves = turned(choice, "Smallest bet", -1)
    assert read_row(halves, row_of(halves, "Bet"), "2.5").bet == Fraction(5, 2)
    fives = turned(turned(choice, "Smallest bet"), "Bet")
    assert (fives.unit, fives.bet) == (5, 25)
    assert turned(turned(turned(choice, "Bet", -1), "Bet", -1), "Smallest bet").bet == 5


def test_a_house_with_one_spot_sends_the_company_away():
    choice = TablePlan(hands=3, company="you; mimic")
    for _ in range(2):
        choice = turned(choice, "House")
    assert choice.rules.name == "deshmukh"
    assert (choice.hands, choice.company) == (1, "")


def test_company_that_has_no_room_is_passed_over():
    choice = TablePlan(hands=6)
    seen = set()
    for _ in COMPANY:
        choice = turned(choice, "Other players")
        seen.add(choice.company)
        assert len(choice.seats) <= choice.rules.max_spots
    assert COMPANY["a full table"] not in seen


def test_hands_stop_where_the_house_stops():
    choice = TablePlan()
    for _ in range(10):
        choice = turned(choice, "Hands you play")
    assert choice.hands == 7
    assert turn_row(choice, row_of(choice, "Hands you play"), 1)[1]
    for _ in range(10):
        choice = turned(choice, "Hands you play", -1)
    assert choice.hands == 1


def test_bets_go_up_and_down_within_their_list():
    choice = TablePlan()
    for _ in range(10):
        choice = turned(choice, "Bet", -1)
    assert choice.bet == 1


def test_a_house_without_bets_has_no_row_for_them():
    choice = TablePlan(rules=Rules.parse("roanoke"))
    assert all(row.name != "Bet" for row in list_rows(choice, voice="after", knows="fresh"))


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("House", "6X"),
        ("Bet", "-3"),
        ("Hands you play", "nine"),
        ("Hands you play", "9"),
        ("Other players", "you; you"),
        ("Other players", "basic;;mimic"),
    ],
)
def test_what_is_typed_wrong_is_refused(name, text):
    choice = TablePlan()
    with pytest.raises(BlackjackError):
        read_row(choice, row_of(choice, name), text)


def test_company_of_ones_own_is_shown_as_typed():
    choice = read_row(TablePlan(), row_of(TablePlan(), "Other players"), "counter:zen; you")
    assert row_of(choice, "Other players").words == "counter:zen; you"
