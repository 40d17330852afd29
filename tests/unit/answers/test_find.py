"""The finder: the rules of a table from its place, its decks and the signs on the felt."""

from __future__ import annotations

import pytest
from marks import slow_except

from upcard.answers.asked.find import answer
from upcard.answers.questions import QUESTIONS
from upcard.cache.exact import expected_value
from upcard.core.errors import NotationError
from upcard.rules.house import house_names, load_house
from upcard.rules.model import Rules

FIELDS = {one.name: one for one in QUESTIONS["find"].fields}


@pytest.mark.fast_cases(4)
@pytest.mark.parametrize(
    ("asked", "rules"),
    [
        ({"place": "Las Vegas", "decks": "6", "natural": "3:2", "soft_17": "hits"}, "las-vegas"),
        ({"place": "Las Vegas", "natural": "6:5"}, "six-to-five"),
        ({"place": "Las Vegas", "natural": "6:5", "decks": "8"}, "six-to-five 8D"),
        ({"place": "Las Vegas", "surrender": "no", "decks": "6"}, "six-to-five"),
        ({"place": "Europe", "soft_17": "hits"}, "european H17"),
        ({"place": "Finland", "surrender": "yes"}, "helsinki"),
        ({"place": "Australia"}, "sydney"),
        ({"place": "elsewhere", "decks": "1"}, "single-deck"),
        ({"decks": "4", "soft_17": "stands"}, "vegas-strip"),
    ],
)
def test_the_nearest_house_of_the_place_gives_all_other_rules(asked, rules):
    found = answer(**asked)
    assert Rules.parse(found.rules) == Rules.parse(rules)
    (edge,) = found.figures
    assert edge.value == abs(expected_value(Rules.parse(rules)))


def test_without_an_answer_no_game_is_found_and_all_are_listed():
    found = answer()
    assert (found.rules, found.figures) == ("", ())
    placed = [name for name in house_names() if load_house(name).place]
    assert [row[0] for row in found.tables[0].rows] == placed


def test_the_house_that_fits_is_listed_first_and_the_others_with_their_differences():
    rows = answer(place="Las Vegas", decks="2", soft_17="stands").tables[0].rows
    assert (rows[0][0], rows[0][3]) == ("double-deck", "")
    assert {row[0]: row[3] for row in rows}["las-vegas"] == "6D H17"


def test_choices_are_read_in_any_case_and_others_are_refused():
    assert FIELDS["place"].read("las vegas") == "Las Vegas"
    with pytest.raises(NotationError):
        FIELDS["place"].read("the moon")


@pytest.mark.parametrize("place", slow_except(["Las Vegas"], FIELDS["place"].field.choices))
def test_every_combination_of_a_place_has_a_game(place):
    for natural in FIELDS["natural"].field.choices:
        for surrender in FIELDS["surrender"].field.choices:
            rules = Rules.parse(answer(place=place, natural=natural, surrender=surrender).rules)
            assert rules.natural_pays == Rules.parse(natural).natural_pays
            assert (rules.surrender == "none") == (surrender == "no")
