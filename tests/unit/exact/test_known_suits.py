"""Hands whose suits are known: each kind of suits against the naive twin, and naturals by suit."""

from fractions import Fraction

import pytest
from naive_dealer import shoe_of
from naive_insurance import Game
from test_variant_twin import ALWAYS, NAMES, SPANISH, VARIANTS, about, check_house

import upcard
import upcard.cache.exact
from upcard.core.actions import Action
from upcard.core.errors import RulesError, UnsupportedRuleError
from upcard.exact.solve import cell_values, choose_solver
from upcard.exact.solver_results import AskedHand
from upcard.rules.house import as_rules
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


NATURALS = [
    ("BJS(2:1)", {"suited_pays": Fraction(2)}),
    ("6:5 BJS(2:1)", {"natural_pays": Fraction(6, 5), "suited_pays": Fraction(2)}),
    ("2:1 BJS(1:1)", {"natural_pays": Fraction(2), "suited_pays": Fraction(1)}),
    ("BJS(2:1) BJL", {"suited_pays": Fraction(2), "natural_tie": "lose"}),
]


@pytest.mark.fast_cases(8)
@pytest.mark.parametrize("tens", [3, 5, 8])
@pytest.mark.parametrize("even_money", ["instead", "first", "never"])
@pytest.mark.parametrize(("takes", "taken"), [*HOLE_CARDS[:1], *HOLE_CARDS[2:5]])
@pytest.mark.parametrize(("pays", "paid"), NATURALS)
def test_even_money_is_answered_by_the_suits_of_the_natural(  # noqa: PLR0917 (a house)
    pays, paid, takes, taken, even_money, tens
):
    facts = {"max_hands": 1, "even_money": even_money} | paid | taken
    rules = Rules.parse(f"6D SP1 {pays} {takes} even_money={even_money}")
    check_house(rules, facts, {1: 3, 6: 5, 10: tens}, 1)


def test_even_money_of_a_natural_of_mixed_suits_alone_is_worth_what_a_sum_gives():
    """One of 13 upcards is an ace; 3 of 4 naturals pay 6:5, and 95 of 309 cards are tens then."""
    game = upcard.solve_game("6D 6:5 BJS(2:1) even_money=instead SP1")
    naturals = 2 * 23 * 96 / (311 * 310)
    gain = 1 - 1.2 * (1 - 95 / 309)
    assert game.insurance_ev == pytest.approx(naturals / 13 * 3 / 4 * gain, abs=1e-14)


@pytest.mark.parametrize("game", ["6D", "INF", "6D ENHC", "6D ES ENHC", "deshmukh"])
@pytest.mark.parametrize("up", ["9", "T", "A"])
def test_a_natural_with_known_suits_is_paid_by_them(game, up):
    rules = Rules.parse(f"{game} 3:2 BJS(2:1)")
    averaged = upcard.solve(rules, "A T", up)
    for hand, pays in (("AS TS", 2), ("AH KH", 2), ("ASKS", 2), ("AS TH", 1.5)):
        found = upcard.solve(rules, hand, up)
        natural = 0 if found.is_conditional else found.natural_probability
        assert found.ev[Action.STAND] == pytest.approx(pays * (1 - natural), abs=1e-14)
        if found.even_money_ev is not None:
            waiting = 1 - pays * (1 - found.natural_probability)
            assert found.even_money_ev == pytest.approx(waiting, abs=1e-14)
        assert {**found.ev, Action.STAND: 0} == {**averaged.ev, Action.STAND: 0}


def test_a_21_with_known_suits_is_paid_by_them():
    pays = {"6S 7S 8S": 3, "6H 8H 7H": 2, "6S 7H 8S": 1.5, "6 7 8": 1.5, "7S 7S 7S": 3}
    for hand, paid in pays.items():
        found = upcard.solve("spanish-21", hand, "9").ev
        assert found == {Action.STAND: paid}, hand
    super_777 = "spanish-21 BON(usual/777v7=100:1)"
    assert upcard.solve(super_777, "7H 7H 7H", "7").ev == {Action.STAND: 100}
    assert upcard.solve(super_777, "7H 7H 7H", "8").ev == {Action.STAND: 2}


@pytest.mark.parametrize("hand", ["7S 8S", "7S8S", "7s,8s", "8S 7S"])
def test_suits_count_however_they_are_written(hand):
    assert upcard.solve("spanish-21", hand, "4").best is Action.HIT
    assert upcard.cache.exact.solve("spanish-21", hand, "4").best is Action.HIT


SUITED = "6D 3:2 BJS(2:1)"
REFUSED = [
    (SUITED, "AS T", "9", None, "write the suit of every card"),
    ("spanish-21", "7S 8", "9", None, "write the suit of every card"),
    ("spanish-21", "6S 7S 8", "9", None, "write the suit of every card"),
    ("spanish-21", "7S 8S", "6S", None, "write 6"),
    ("spanish-21", "7S 7S", "7H", None, "write 7"),
    ("1D48 W21 BON", "7S 7S", "9", None, "have no 2 of 7S"),
    (SUITED, "AS TS", "9", "6D less AS", "write A for AS"),
    ("spanish-21", "T 6", "9", "6D48 less 6S 6", "write 6 for 6S"),
    ("spanish-21", "T 6", "9", {"6S": 8, "TS": 20, "A": 4}, "write 6 for 6S"),
]


@pytest.mark.parametrize(("rules", "hand", "up", "shoe", "words"), REFUSED)
def test_suits_that_would_matter_and_are_not_looked_at_are_refused(rules, hand, up, shoe, words):
    for solve in (upcard.solve, upcard.cache.exact.solve):
        upcard.cache.exact.solve(rules, "T 6", "9")  # one that is saved does not answer it
        with pytest.raises(RulesError, match=words):
            solve(rules, hand, up, shoe=shoe)
    if shoe is not None:
        for ask in (upcard.solve_game, upcard.basic_strategy, cell_values):
            with pytest.raises(RulesError, match=words):
                ask(as_rules(rules), shoe=shoe)


@pytest.mark.parametrize(
    ("rules", "hand", "up", "shoe"),
    [
        ("6D", "AS T", "9S", "6D less AS"),
        (SUITED, "8S 8", "9H", None),
        ("spanish-21", "7S 8S", "4S", None),
        ("spanish-21", "9S 8", "4S", None),
        ("6D W21 BON(5=3:2)", "7S 8", "6S", "6D less 6S"),
    ],
)
def test_suits_that_decide_nothing_are_read(rules, hand, up, shoe):
    assert upcard.solve(rules, hand, up, shoe=shoe).ev
