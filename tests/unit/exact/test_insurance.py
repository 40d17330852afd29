"""What insurance and even money add to a game: against cards counted one by one, and the simulator.

The table and the naive twin, who play it all out, are in `tests/differential`: no-peek too, which
the simulator does not know.
"""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product

import pytest

import upcard
from upcard.core.actions import Action
from upcard.core.cards import ACE, TEN, UPCARD_ORDER
from upcard.exact.infinite import InfiniteSolver
from upcard.exact.insurance import InsuranceHand, Taking, answer_offers, gain_of_taking
from upcard.exact.nonstandard import NonstandardSolver
from upcard.simulation.job import Job
from upcard.simulation.kernel_rounds import play_chunk

RICH = (0, 20, 14, 14, 14, 14, 14, 20, 20, 24, 96)
"""Six decks with most low cards gone: insurance gains."""
POOR = (0, 24, 24, 24, 24, 24, 24, 24, 24, 24, 60)
EDGE = (0, 4, 4, 4, 4, 3, 3, 4, 4, 4, 16)
"""One deck in which insurance gains by some hands and loses by others."""
OFFERS = [
    "",
    "2:1",
    "6:5",
    "even_money=never",
    "even_money=first",
    "2:1 even_money=first",
    "6:5 ENHC",
    "OBO",
    "1:1",
    "NOINS",
]


def insured(strategy, *, takes=True):
    return upcard.Strategy(cells=strategy.cells, title="", takes_insurance=takes)


def count_gain(rules, counts):
    """Return what taking everything gains, over every four cards: an ace up, two own, the hole."""
    total = Fraction(0)
    cards = sum(counts)
    for own, second, hole in product(range(1, 11), repeat=3):
        left, chance = list(counts), Fraction(1)
        for number, rank in enumerate((ACE, own, second, hole)):
            chance *= Fraction(left[rank], cards - number)
            left[rank] -= 1
        if not chance:
            continue
        if {own, second} == {ACE, TEN} and rules.even_money != "never":
            gain = 1 - (0 if hole == TEN else rules.natural_pays)
        else:
            gain = Fraction(1) if hole == TEN else Fraction(-1, 2)
        total += chance * gain
    return total if rules.insurance else Fraction(0)


@pytest.mark.fast_cases(6)
@pytest.mark.parametrize("shoe", [RICH, POOR, EDGE])
@pytest.mark.parametrize("tokens", OFFERS)
def test_taking_it_gains_what_counting_every_four_cards_gives(tokens, shoe):
    rules = upcard.Rules.parse(f"6D SP1 {tokens}")
    expected = pytest.approx(float(count_gain(rules, shoe)), rel=0, abs=1e-15)
    chart = insured(upcard.basic_strategy(rules))
    taken = upcard.solve_game(rules, strategy=chart, shoe=shoe[1:])
    declined = upcard.solve_game(rules, strategy=insured(chart, takes=False), shoe=shoe[1:])
    assert taken.insurance_ev == expected
    assert declined.insurance_ev == 0
    assert taken.ev - declined.ev == pytest.approx(taken.insurance_ev, rel=0, abs=1e-15)
    assert shoe[ACE] / sum(shoe) * gain_of_taking(rules, shoe) == expected
    for up in "23456789T":
        assert taken.by_upcard[up] == declined.by_upcard[up]


@pytest.mark.parametrize("p", ["4/13", "1/2", "1/3"])
@pytest.mark.parametrize("tokens", OFFERS)
def test_on_an_infinite_deck_it_is_the_same_for_every_hand(tokens, p):
    rules = upcard.Rules.parse(f"INF({p}) SP1 {tokens}")
    ten = Fraction(p)
    ace = (1 - ten) / 9
    natural = 2 * ace * ten
    side = (3 * ten - 1) / 2
    even = side if rules.even_money == "never" else 1 - (1 - ten) * rules.natural_pays
    expected = ((1 - natural) * side + natural * even) * bool(rules.insurance)
    assert gain_of_taking(rules) == pytest.approx(float(expected), rel=0, abs=1e-15)
    assert InfiniteSolver(rules).offers(Taking.ALWAYS).gain == pytest.approx(
        float(expected), rel=0, abs=1e-15
    )
    chart = insured(upcard.basic_strategy(rules))
    game = upcard.solve_game(rules, strategy=chart)
    assert game.insurance_ev == pytest.approx(float(ace * expected), rel=0, abs=1e-15)


def test_the_chart_of_an_infinite_deck_of_tens_is_worth_its_insurance():
    """The fault that this was written for. Half of all cards are tens: insurance gains 1/4."""
    rules = upcard.Rules.parse("INF(1/2) S17 DAS")
    chart = upcard.basic_strategy(rules)
    assert chart.takes_insurance
    without = upcard.expected_value(rules, strategy=insured(chart, takes=False))
    assert upcard.expected_value(rules, strategy=chart) - without == pytest.approx(1 / 18 / 4)


def test_in_six_full_decks_insurance_costs_what_everybody_says():
    """96 of the 311 other cards are tens: 7.4 % of the insurance, which is half a bet."""
    rules = upcard.Rules.parse("6D")
    game = upcard.solve_game(rules, strategy=insured(upcard.basic_strategy(rules)))
    assert game.insurance_ev == pytest.approx(-23 / 311 / 2 / 13)
    assert game.notes[1:] == (
        "Insurance is taken, as the chart says.",
        "Even money is taken, as the chart says.",
    )


@pytest.mark.parametrize("even_money", ["instead", "first", "never"])
@pytest.mark.parametrize("words", ["", "6:5", "2:1", "INS(5:2)", "INS(1:1)", "BJL"])
def test_a_natural_takes_the_best_of_what_the_house_offers_and_nothing_else(words, even_money):
    """Even money is offered instead of insurance, before it, or never."""
    rules = upcard.Rules.parse(f"6D {words}")
    if even_money != rules.even_money:
        rules = rules.replace(even_money=even_money)
    for natural in (0.0, 0.2, 0.3, 0.4, 0.6, 1.0):
        tied = {"push": 0.0, "win": float(rules.natural_pays), "lose": -1.0}[rules.natural_tie]
        waits = (1 - natural) * float(rules.natural_pays) + natural * tied
        insurance = 0.5 * (natural * float(rules.insurance_pays) - (1 - natural))
        offered = {"instead": [1 - waits], "never": [insurance]}
        gain = max([0.0, *offered.get(even_money, [1 - waits, insurance])])
        hand = InsuranceHand(1.0, natural, is_natural=True, ev=waits, insured_ev=waits)
        found = answer_offers(rules, [hand], Taking.BEST)
        assert found.gain == pytest.approx(gain, abs=1e-12), (words, natural)
        if even_money != "first":
            assert found.takes_even_money is (gain > 1e-9 and even_money == "instead")
            assert found.takes_insurance is (gain > 1e-9 and even_money == "never")


@pytest.mark.parametrize("decks", [1, 2, 6, 8])
@pytest.mark.parametrize("tokens", ["", "ENHC", "2:1", "even_money=first"])
def test_best_play_takes_none_of_it_in_full_decks(decks, tokens):
    game = upcard.solve_game(upcard.Rules.parse(f"{decks}D SP1 {tokens}"))
    assert game.insurance_ev == 0
    assert game.notes[1:] == ("Insurance is not taken.", "Even money is not taken.")


@pytest.mark.parametrize("written", ["even_money=instead", "even_money=first"])
def test_best_play_takes_even_money_where_a_house_that_pays_six_to_five_says_it_offers_it(written):
    """F1: it gains 0.06 % of a bet; unless the rules say so it is not offered at 6:5."""
    rules = upcard.Rules.parse(f"6D SP1 6:5 {written}")
    game = upcard.solve_game(rules)
    usual = upcard.solve_game(upcard.Rules.parse("6D SP1 6:5"))
    assert usual.insurance_ev == 0
    assert usual.notes[1:] == ("Insurance is not taken.",)
    assert game.ev - usual.ev == pytest.approx(game.insurance_ev, rel=0, abs=1e-14)
    waits = upcard.solve(rules, "AT", "A").even_money_ev
    chance = Fraction(24, 312) * 2 * Fraction(23, 311) * Fraction(96, 310)
    assert (
        game.insurance_ev
        == pytest.approx(float(chance) * waits)
        == pytest.approx(5.95e-4, abs=2e-6)
    )
    assert game.notes[1:] == ("Insurance is not taken.", "Even money is taken where it gains.")


def test_a_chart_that_takes_even_money_at_six_to_five_has_the_gain():
    rules = upcard.Rules.parse("6D SP1 6:5 even_money=instead")
    chart = upcard.basic_strategy(rules)
    assert not chart.takes_insurance
    natural = Fraction(2 * 23 * 96, 311 * 310)
    even = natural * (1 - Fraction(214, 309) * Fraction(6, 5))
    side = Fraction(1, 2) * (3 * Fraction(96, 311) - 1)
    inside = natural * Fraction(1, 2) * (3 * Fraction(95, 309) - 1)
    taken = upcard.solve_game(rules, strategy=insured(chart, takes=True))
    assert taken.insurance_ev == pytest.approx(float((even + side - inside) / 13))


def test_best_play_insures_by_the_cards_in_its_hand():
    rules = upcard.Rules.parse("1D SP1 even_money=never")
    cards = sum(EDGE) - 3
    by_tens = [(3 * (16 - tens) / cards - 1) / 2 for tens in range(3)]
    assert by_tens[0] > 0 > by_tens[1]
    others = sum(EDGE) - 1 - 16
    chance = others * (others - 1) / ((cards + 2) * (cards + 1))
    game = upcard.solve_game(rules, shoe=EDGE[1:])
    assert game.insurance_ev == pytest.approx(EDGE[ACE] / sum(EDGE) * chance * by_tens[0])
    assert game.notes[1:] == ("Insurance is taken where it gains.",)


@pytest.mark.fast_cases(2)
@pytest.mark.parametrize("tokens", ["SP1", "SP2 ENHC", "SP1 2:1", "SP1 6:5"])
@pytest.mark.parametrize("shoe", [RICH, POOR, EDGE])
def test_the_best_chart_takes_insurance_exactly_where_that_gains(tokens, shoe):
    rules = upcard.Rules.parse(f"6D {tokens}")
    chart = upcard.basic_strategy(rules, shoe=shoe[1:])
    ev, other = (
        upcard.expected_value(rules, strategy=insured(chart, takes=takes), shoe=shoe[1:])
        for takes in (chart.takes_insurance, not chart.takes_insurance)
    )
    assert ev > other
    assert chart.takes_insurance == (shoe is RICH)
    assert upcard.expected_value(rules, shoe=shoe[1:]) >= ev - 1e-12


@pytest.mark.slow
def test_where_the_dealer_looks_for_insurance_an_insured_hand_plays_as_after_a_peek():
    rules = upcard.Rules.parse("6D hole_card=no-peek")
    peek = upcard.Rules.parse("6D")
    chart = insured(upcard.basic_strategy(peek))
    taken, after_peek = (upcard.solve_game(one, strategy=chart) for one in (rules, peek))
    assert taken.by_upcard["A"] == pytest.approx(after_peek.by_upcard["A"], rel=0, abs=1e-14)
    assert taken.by_upcard["T"] < after_peek.by_upcard["T"] - 0.001
    assert "Insurance makes the dealer look" in taken.notes[-1]
    best = upcard.solve_game(rules)
    assert best.insurance_ev > 0  # it saves a split of eights
    assert best.ev > upcard.expected_value(rules.replace(insurance=False)) + 1e-6


def test_a_chart_for_a_rich_shoe_looks_before_it_doubles():
    rules = upcard.Rules.parse("6D SP1 hole_card=no-peek")
    chart = upcard.basic_strategy(rules, shoe=RICH[1:])
    peek = upcard.basic_strategy(upcard.Rules.parse("6D SP1"), shoe=RICH[1:])
    assert chart.takes_insurance
    column = UPCARD_ORDER.index(ACE)
    assert [row[column] for row in chart.cells] == [row[column] for row in peek.cells]
    declining = upcard.basic_strategy(rules.replace(insurance=False), shoe=RICH[1:])
    assert [row[column] for row in chart.cells] != [row[column] for row in declining.cells]


def test_an_infinite_deck_is_the_limit_where_the_dealer_looks_for_insurance():
    tokens = "hole_card=no-peek SP2"
    four, eight, infinite = (
        upcard.solve_game(upcard.Rules.parse(f"{decks} {tokens}")).insurance_ev
        for decks in ("4D", "8D", "INF")
    )
    assert infinite > 0
    assert 2 * eight - four == pytest.approx(infinite, rel=0.1)


@pytest.mark.parametrize("tokens", ["", "6:5 ES", "hole_card=no-peek LS", "OBO even_money=never"])
def test_the_solver_for_odd_houses_agrees(tokens):
    rules = upcard.Rules.parse(f"1D SP1 {tokens}")
    shoe = (0, 4, 1, 1, 1, 1, 4, 4, 4, 4, 16)
    game = upcard.solve_game(rules, shoe=shoe[1:])
    odd = NonstandardSolver(rules, shoe).value_round(ACE)
    assert odd.offers.gain * shoe[ACE] / sum(shoe) == pytest.approx(game.insurance_ev, abs=1e-14)
    assert odd.offers.gain > 0.01
    assert odd.ev == pytest.approx(game.by_upcard["A"], abs=1e-13)


@pytest.mark.parametrize("tokens", ["", "6:5", "BJL", "BJW", "ENHC", "hole_card=no-peek", "OBO"])
def test_every_hand_even_a_natural_is_worth_the_same_to_the_solver_for_odd_houses(tokens):
    """After a look that found no natural, before one, and where no one looks."""
    rules = upcard.Rules.parse(f"1D SP1 {tokens}")
    odd = NonstandardSolver(rules, rules.full_shoe.counts)
    for hand, ranks in (("A T", (1, 10)), ("T A", (10, 1)), ("T 9", (10, 9)), ("T 6", (10, 6))):
        for up, rank in (("A", 1), ("T", 10), ("6", 6)):
            found = odd.values(ranks, rank)[Action.STAND]
            assert found == pytest.approx(
                upcard.solve(rules, hand, up).ev[Action.STAND], abs=1e-12
            ), (hand, up)


def test_an_infinite_value_stays_one():
    rules = upcard.Rules.parse("INF(3/4) ENHC SPINF")
    game = upcard.solve_game(rules)
    assert game.ev == math.inf
    assert game.insurance_ev == pytest.approx(0.25 / 9 * (3 * 0.75 - 1) / 2)


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    [
        "INF(1/2) S17 DAS",
        "INF(2/5) 6:5 ENHC LS",
        "6D S17 DAS CSM",
        "1D H17 6:5 NDAS CSM",
        "2D 2:1 even_money=first LS CSM",
        "4D OBO even_money=never CSM",
    ],
)
def test_the_simulator_wins_as_much_with_a_chart_that_takes_insurance(text):
    rules = upcard.Rules.parse(text)
    chart = insured(upcard.basic_strategy(rules))
    rounds = 8_000_000
    tally = play_chunk(Job(rules=rules, strategy=chart, seed=1), 0, rounds)
    rows = tally.by_count()
    mean = int(rows.net_sum.sum()) / rounds / tally.unit
    square = int(rows.square_sum.sum()) / rounds / tally.unit**2
    error = math.sqrt((square - mean**2) / rounds)
    exact = upcard.expected_value(rules, strategy=chart)
    assert abs(mean - exact) < 4 * error, (mean, exact, (mean - exact) / error)
