"""Hits for a bonus: found by their values, hand by hand."""

import pytest

import upcard
from upcard.cache import exact
from upcard.core.actions import Action
from upcard.core.errors import UnsupportedRuleError
from upcard.exact.solve import bonus_plays

RULES = upcard.Rules.parse("spanish-21")


@pytest.fixture(scope="module")
def plays():
    return bonus_plays(RULES, upcard.basic_strategy(RULES))


def upcards_of(plays, hand, when):
    return [play.upcard for play in plays if (play.hand, play.when) == (hand, when)]


def test_a_15_of_four_cards_is_hit_against_a_2(plays):
    assert upcards_of(plays, "15", "with 4 or more cards") == ["2"]
    for hand in ("2 3 4 6", "A 2 4 8", "3 3 4 5"):
        found = upcard.solve(RULES, hand, "2")
        assert found.best is Action.HIT
    assert upcard.solve(RULES, "T 5", "2").best is Action.STAND


def test_number_of_cards_is_the_least(plays):
    assert upcards_of(plays, "15", "with 5 or more cards") == ["3", "4"]
    assert upcard.solve(RULES, "2 3 4 6", "3").best is Action.STAND
    assert upcard.solve(RULES, "2 2 3 4 4", "3").best is Action.HIT


def test_a_double_gives_way_to_a_bonus(plays):
    assert upcards_of(plays, "11", "with 5 or more cards") == ["3", "4", "5", "6"]
    (play,) = [one for one in plays if (one.hand, one.upcard) == ("11", "6")]
    assert play.charted is Action.DOUBLE
    assert upcard.solve(RULES, "2 2 3 4", "6").best is Action.DOUBLE
    assert upcard.solve(RULES, "2 2 2 2 3", "6").best is Action.HIT


@pytest.mark.parametrize(
    ("hand", "upcard_", "best"),
    [("7S 8S", "4", Action.HIT), ("7H 8H", "4", Action.STAND), ("7H 8S", "4", Action.STAND)],
)
def test_suits_decide_where_a_bonus_goes_by_them(plays, hand, upcard_, best):
    assert upcards_of(plays, "7 8", "of spades") == [upcard_]
    assert upcard.solve(RULES, hand, upcard_).best is best


def test_the_mean_over_suits_is_the_value_of_unknown_ones():
    hit = {
        hand: upcard.solve(RULES, hand, "2").ev[Action.HIT]
        for hand in ("6 7", "6H 7S", "6H 7H", "6S 7S")
    }
    mean = (12 * hit["6H 7S"] + 3 * hit["6H 7H"] + hit["6S 7S"]) / 16
    assert hit["6 7"] == pytest.approx(mean, abs=1e-14)


def test_saved_values_distinguish_suits(tmp_path, monkeypatch):
    monkeypatch.setenv("UPCARD_CACHE", str(tmp_path))
    values = [exact.solve(RULES, hand, "2").ev[Action.HIT] for hand in ("6H 7S", "6S 7S")] * 2
    assert values[0] < values[1]
    assert values[:2] == values[2:]


def test_a_house_without_bonuses_has_none():
    rules = upcard.Rules.parse("6D")
    assert bonus_plays(rules, upcard.basic_strategy(rules)) == ()


def test_full_memory_refuses_bonuses():
    with pytest.raises(UnsupportedRuleError, match="bonuses"):
        upcard.solve("6D SP2 W21 BON", "77", "2", splits="full")
