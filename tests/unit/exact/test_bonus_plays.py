"""Hits for a bonus: found by their values, hand by hand; suits counted card by card."""

from collections import Counter
from itertools import permutations, product

import pytest

import upcard
from upcard.cache import exact
from upcard.core.actions import Action
from upcard.core.errors import UnsupportedRuleError
from upcard.exact.kernels.hand_sets import player_hands
from upcard.exact.solve import bonus_plays
from upcard.exact.supported_rules import payoffs_of

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


PAYS = {"mixed": 2, "suited": 5, "spades": 9, "super": 40}
BONUSES = "W21 BON(678=2:1-5:1-9:1/777=2:1-5:1-9:1/777v7=40:1)"


def kind_of(suits):
    """Name the suits of some cards."""
    if len(set(suits)) > 1:
        return "mixed"
    return "spades" if suits[0] == "S" else "suited"


def count_suits(deals, *, is_super):
    """Return the chance of each kind of two cards, and what a third pays over mixed suits."""
    times, paid = Counter(), Counter()
    for first, second, third in deals:
        kind, then = kind_of(first + second), kind_of(first + second + third)
        times[kind] += 1
        paid[kind] += PAYS["super" if is_super and then != "mixed" else then] - PAYS["mixed"]
    kinds = ("mixed", "suited", "spades")
    return (
        [times[kind] / times.total() for kind in kinds],
        [paid[kind] / times[kind] if times[kind] else 0 for kind in kinds],
    )


@pytest.mark.parametrize("decks", [1, 2, 6])
@pytest.mark.parametrize("up", [2, 7])
def test_suits_are_those_of_real_cards(decks, up):
    cards = "CDHS" * decks
    payoffs = payoffs_of(upcard.Rules.parse(f"{decks}D {BONUSES}"), up)
    hands = player_hands()
    third_card = {(6, 7): 8, (6, 8): 7, (7, 8): 6, (7, 7): 7}
    assert payoffs.suited.tolist() == [hands.find(ranks) for ranks in third_card]
    assert payoffs.suited_needs.tolist() == list(third_card.values())
    for place, ranks in enumerate(third_card):
        sevens = ranks == (7, 7)
        deals = permutations(cards, 3) if sevens else product(cards, repeat=3)
        chances, extras = count_suits(deals, is_super=sevens and up == 7)
        assert payoffs.suited_chances[place].tolist() == pytest.approx(chances, abs=1e-15)
        if decks == 1 and sevens:  # two of one suit do not meet
            assert chances[0] == 1
            continue
        assert payoffs.suited_extras[place].tolist() == pytest.approx(extras, abs=1e-15)


def test_an_upcard_whose_suit_is_not_looked_at_changes_no_chance():
    """Of four sevens in a row, one may as well be the dealer's, three the player's."""
    without = count_suits(permutations("CDHS" * 2, 3), is_super=True)
    beside = count_suits((deal[1:] for deal in permutations("CDHS" * 2, 4)), is_super=True)
    assert beside == without


def test_bonuses_that_pay_all_suits_alike_distinguish_no_hands():
    assert len(payoffs_of(upcard.Rules.parse("6D W21 BON(678=2:1-2:1-2:1)"), 2).suited) == 0
    sevens = upcard.Rules.parse("6D W21 BON(5=3:2/777v7=40:1)")
    assert [len(payoffs_of(sevens, up).suited) for up in (2, 7)] == [0, 1]


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
