"""How to sit down: titles, seats, and what there is no room for."""

from __future__ import annotations

import pytest

from upcard import Rules, RulesError, house
from upcard.session.plan import DEFAULT_TITLE, TablePlan, choose_table, title_of


def plan(**changes) -> TablePlan:
    return TablePlan(**({"rules": Rules(), "title": "T"} | changes))


def test_tables_have_titles() -> None:
    assert choose_table() == (Rules(), DEFAULT_TITLE)
    assert choose_table(rules="6D H17")[1] == "Blackjack by rules of your own"
    assert choose_table(house="european")[1].endswith("(european)")
    assert choose_table(rules="european LS")[1].endswith("(european, changed)")
    assert title_of(house("european")) == choose_table(house="european")[1]


def test_house_and_rules_are_not_both_given() -> None:
    with pytest.raises(RulesError, match="not both"):
        choose_table("european", "6D")


def test_seats_stand_in_the_order_of_dealing() -> None:
    sat = plan(company="basic; you; mimic martingale", hands=2)
    assert [str(seat) for seat in sat.seats] == ["basic", "None", "None", "mimic martingale"]
    assert sat.player_spots == (1, 2)


def test_alone_all_spots_are_ones_own() -> None:
    assert plan(hands=3).player_spots == (0, 1, 2)


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"hands": 0}, "0 hands: in these rules it is 1 to 7 hands a round"),
        ({"hands": 8}, "8 hands: in these rules"),
        ({"hands": 6, "company": "basic; mimic"}, "6 hands beside 2 of the company"),
        ({"rules": house("lott"), "company": "mimic"}, "1 hand beside 1 of the company: in lott"),
    ],
)
def test_what_there_is_no_room_for_is_refused(changes, reason) -> None:
    with pytest.raises(RulesError, match=reason):
        plan(**changes)
