"""Hands whose suits are known: each kind of suits against the naive twin, and naturals by suit."""

from fractions import Fraction

import pytest
from naive_dealer import shoe_of
from naive_insurance import Game
from test_variant_twin import ALWAYS, NAMES, SPANISH, VARIANTS, about, check_house

import upcard
from upcard.core.actions import Action
from upcard.core.errors import UnsupportedRuleError
from upcard.exact.solve import choose_solver
from upcard.exact.solver_results import AskedHand
from upcard.rules.model import Rules

KINDS = ("mixed", "one suit", "spades")
SUITS = ("HS", "HH", "SS")
SHOE = {1: 3, 6: 3, 7: 5, 8: 3, 10: 4}
HANDS = ((6, 7), (6, 8), (7, 8), (7, 7))
BONUSES = [
    ("BON", ALWAYS | {"bonuses": SPANISH}),
    ("BON(usual/777v7=100:1)", ALWAYS | {"bonuses": SPANISH, "super_777": Fraction(100)}),
]
LATE = {"hole_card": "none"}
HOLE_CARDS = [
    ("PEEK", {}),
    ("UP2", {"shows_hole": True}),
    ("ENHC", LATE),
    ("hole_card=no-peek", {"hole_card": "no peek"}),
    ("OBO", LATE | {"natural_takes": "original"}),
    ("BB1", LATE | {"natural_takes": "busted-and-one"}),
    ("OBBO", LATE | {"natural_takes": "original-and-busted"}),
]


def name_cards(hand, suits):
    return " ".join(f"{NAMES[rank]}{suit}" for rank, suit in zip(hand, suits, strict=True))


@pytest.mark.fast_cases(20)
@pytest.mark.parametrize("up", SHOE)
@pytest.mark.parametrize(("bonus", "paid"), BONUSES)
@pytest.mark.parametrize(("takes", "taken"), HOLE_CARDS)
def test_a_hit_with_known_suits_is_worth_what_playing_it_out_gives(takes, taken, bonus, paid, up):
    rules = Rules.parse(f"6D SP1 W21 {takes} {bonus}")
    if rules.shows_hole and "777v7" in bonus:
        with pytest.raises(UnsupportedRuleError, match="which of them is up matters"):
            upcard.solve(rules, "7S 8S", NAMES[up], hole="6")
        return
    facts = {"max_hands": 1} | taken | paid
    twin = Game(facts, shoe_of(SHOE), up, hole=6 if rules.shows_hole else None)
    hole = NAMES[6] if rules.shows_hole else None
    for hand in HANDS:
        for kind, suits in zip(twin.kinds_of(hand), SUITS, strict=True):
            cards = name_cards(hand, suits)
            found = upcard.solve(rules, cards, NAMES[up], hole=hole, shoe=shoe_of(SHOE)).ev
            expected = twin.values_of_kind(hand, kind)
            assert found[Action.HIT] == about(expected["hit"]), f"{rules}: {cards} v {NAMES[up]}"


@pytest.mark.fast_cases(2)
@pytest.mark.parametrize("up", [1, 10])
@pytest.mark.parametrize("surrender", ["ES", "ES10", "LSX"])
@pytest.mark.parametrize(("takes", "taken"), HOLE_CARDS[4:])
def test_a_game_where_suits_decide_is_worth_what_playing_it_out_gives(takes, taken, surrender, up):
    words = {"ES": "early", "ES10": "early-v-ten", "LSX": "any-cards"}
    bonus, paid = VARIANTS["bonuses"][-1]  # so much for a suit that it decides
    facts = {"max_hands": 1, "surrender": words[surrender]} | taken | paid
    rules = Rules.parse(f"2D48 DANY SP1 {bonus} {surrender} {takes}")
    check_house(rules, facts | {"double_on": "any number", "decks": 2}, SHOE, up)


@pytest.mark.parametrize("up", [1, 10])
@pytest.mark.parametrize(("takes", "taken"), HOLE_CARDS[2:])
def test_a_doubled_21_keeps_what_it_won(takes, taken, up):
    facts = {"max_hands": 1, "max_doubles": 2} | taken | BONUSES[0][1]
    twin = Game(facts, shoe_of(SHOE), up)
    rules = Rules.parse(f"6D SP1 W21 BON RD2 {takes}")
    solver = choose_solver(rules, (0, *shoe_of(SHOE)), upcards=(up,))
    for hand in ((6, 7, 8), (7, 7, 7)):
        asked = AskedHand(hand, up, has_looked=rules.hole_card == "peek", doubles=1)
        expected = twin.doubled_values(hand, (), 1)["stand"]
        found = solver.value_answer(asked, Action.STAND)
        assert found == about(expected), f"{rules}: {hand} v {NAMES[up]}"


def test_a_bonus_where_a_natural_takes_one_bet_is_worth_its_chance():
    """The suits of 7 and 8 matter if the next card is one of 24 sixes of 285, of that suit."""
    hits = [upcard.solve("pontoon-au", cards, "A").ev[Action.HIT] for cards in ("7S 8S", "7S 8H")]
    assert hits[0] - hits[1] == pytest.approx(24 / 285 / 4 * (3 - 1.5), abs=1e-14)
