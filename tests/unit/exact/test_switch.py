"""Blackjack Switch: both hands of small shoes, played out card by card."""

import random
from dataclasses import replace
from fractions import Fraction
from itertools import permutations, product

import naive_exact
import pytest
from naive_dealer import shoe_of, take

import upcard
from upcard.core.actions import Action
from upcard.core.errors import EmptyShoeError, RulesError, UnsupportedRuleError
from upcard.exact.solve import value_swap
from upcard.exact.switch import SwitchSolver
from upcard.strategy.chart import WORTH_LABELS

NAMES = "?A23456789T"
FACTS = {"natural_pays": Fraction(1), "insurance": False}
GAMES = [
    ("SP1", {"max_hands": 1}, {1: 3, 5: 3, 8: 3, 10: 4}),
    (
        "SP1 P22 H17",
        {"max_hands": 1, "pushes_22": True, "soft_17": "hit"},
        {1: 3, 6: 3, 9: 3, 10: 4},
    ),
    ("SP2 3:2", {"max_hands": 2, "natural_pays": Fraction(3, 2)}, {1: 3, 4: 3, 7: 4, 10: 6}),
]


def rules_of(text):
    return upcard.Rules.parse(
        f"6D 1:1 SWITCH NOINS {text}" if "3:2" not in text else f"6D SWITCH NOINS {text}"
    )


class Pairings:
    """Values of hands that know two cards of another, by the naive solver."""

    def __init__(self, facts, shoe, up):
        self.facts, self.shoe, self.up = FACTS | facts, shoe, up
        self.games = {}

    def game(self, other):
        key = tuple(sorted(other))
        if key not in self.games:
            shoe = take(self.shoe, *key)
            self.games[key] = naive_exact.Game(self.facts, shoe, self.up)
        return self.games[key]

    def value(self, hand, other, *, is_swapped):
        """Return the value of a hand, given that the dealer has no natural."""
        hand, game = tuple(sorted(hand)), self.game(other)
        if hand == (1, 10) and is_swapped:  # 21 with three cards, as it were
            return game.settled(((21, (1, 1)),), game.unseen(hand, ()), None)
        return max(game.values(hand).values())

    def both(self, first, second, *, is_swapped):
        return self.value(first, second, is_swapped=is_swapped) + self.value(
            second, first, is_swapped=is_swapped
        )

    def natural(self, cards):
        """Return the chance of the dealer's natural beside four cards."""
        game = self.game(cards[:2])
        return game.natural_chance(take(game.shoe, *cards[2:]))

    def round(self, cards):
        a, b, c, d = cards
        keep = self.both((a, b), (c, d), is_swapped=False)
        swap = self.both((a, d), (c, b), is_swapped=True)
        natural = self.natural(cards)
        dealt = ((a, b), (c, d))
        lost = sum(0 if sorted(hand) == [1, 10] else -1 for hand in dealt)
        return (1 - natural) * max(keep, swap) + natural * lost


def deals(shoe):
    """Yield each four cards in order, with their chance."""
    ranks = [rank for rank in range(1, 11) for _ in range(shoe[rank - 1])]
    cards = sum(shoe)
    every = cards * (cards - 1) * (cards - 2) * (cards - 3)
    counts = {}
    for four in permutations(ranks, 4):
        counts[four] = counts.get(four, 0) + 1
    for four, count in counts.items():
        yield four, Fraction(count, every)


@pytest.mark.fast_cases(2)
@pytest.mark.parametrize(
    ("text", "facts", "counts", "up"), [(*game, up) for game in GAMES for up in game[2]]
)
def test_a_round_is_worth_what_playing_both_hands_out_gives(text, facts, counts, up):
    shoe = shoe_of(counts)
    twin = Pairings(facts, shoe, up)
    expected = sum(chance * twin.round(four) for four, chance in deals(take(shoe, up))) / 2
    found = upcard.solve_game(rules_of(text), shoe=shoe).by_upcard[NAMES[up]]
    assert found == pytest.approx(float(expected), abs=1e-12)


@pytest.mark.parametrize("pays", ["1:1", "3:2", "2:1"])
def test_the_solver_swaps_what_a_player_by_the_chart_swaps_at_the_table(pays):
    """A natural is worth its payment as it was dealt, and 21 of two cards after a swap."""
    rules = upcard.Rules.parse(f"2D SWITCH NOINS SP1 {pays}")
    rng = random.Random(pays)
    worths = tuple(tuple(rng.randrange(-9999, 15000) for _ in range(10)) for _ in WORTH_LABELS)
    chart = replace(upcard.basic_strategy("6D SP1"), worths=worths)
    solver = SwitchSolver(rules, rules.full_shoe.counts, strategy=chart)
    swapped = 0
    for up in (1, 6, 10):
        found = solver._find_swaps(chart, up)
        for a, b, c, d in product((1, 2, 5, 9, 10), repeat=4):
            answer = chart.answer_swap((a, b), (c, d), up, rules.natural_pays)
            assert bool(found[a, b, c, d]) is (answer is Action.SWITCH), (a, b, c, d, up)
            swapped += answer is Action.SWITCH
    assert swapped > 200


@pytest.mark.slow
@pytest.mark.parametrize(("text", "facts", "counts"), GAMES)
def test_a_chart_is_worth_what_its_own_swaps_give(text, facts, counts):
    shoe, rules = shoe_of(counts), rules_of(text)
    chart = upcard.basic_strategy(rules, shoe=shoe)
    found = upcard.solve_game(rules, strategy=chart, shoe=shoe).by_upcard
    for up in counts:
        twin = Pairings(facts, shoe, up)
        solver = SwitchSolver(rules, (0, *shoe), strategy=chart, upcards=(up,))
        expected = 0
        for (a, b, c, d), chance in deals(take(shoe, up)):
            values = solver.value_pairings((a, b), (c, d), up)
            answer = chart.answer_swap((a, b), (c, d), up, rules.natural_pays)
            value = values[answer]
            natural = twin.natural((a, b, c, d))
            lost = sum(0 if sorted(hand) == [1, 10] else -1 for hand in ((a, b), (c, d)))
            expected += float(chance) * float((1 - natural) * value + natural * lost)
        assert found[NAMES[up]] == pytest.approx(expected / 2, abs=1e-12)


@pytest.mark.slow
def test_swaps_by_what_two_cards_are_worth_cost_next_to_nothing():
    best, chart = upcard.expected_value("switch"), upcard.basic_strategy("switch")
    assert best - 0.0001 < upcard.expected_value("switch", strategy=chart) < best
    keeps = replace(chart, worths=())
    assert upcard.expected_value("switch", strategy=keeps) == pytest.approx(-0.0984, abs=0.0001)


def test_values_of_a_swap():
    shoe = shoe_of(GAMES[1][2])
    twin = Pairings(GAMES[1][1], shoe, 10)
    found = value_swap(rules_of(GAMES[1][0]), (0, *shoe), ((1, 6), (9, 10)), 10)
    assert found == {
        Action.SWITCH: pytest.approx(float(twin.both((1, 10), (9, 6), is_swapped=True)), abs=1e-12),
        Action.NO_SWITCH: pytest.approx(
            float(twin.both((1, 6), (9, 10), is_swapped=False)), abs=1e-12
        ),
    }


@pytest.mark.slow
def test_published_edge():
    """Printed is 0.58 for six decks; the best play with both hands' cards is a little below."""
    assert -100 * upcard.expected_value("switch") == pytest.approx(0.58, abs=0.05)


@pytest.mark.parametrize(
    ("text", "rule"),
    [("switch INF", "INF"), ("switch split_by=rank", "split_by=rank")],
)
def test_other_rules_are_refused_by_name(text, rule):
    with pytest.raises(UnsupportedRuleError, match=rule):
        upcard.expected_value(text)


def test_full_memory_is_refused():
    with pytest.raises(UnsupportedRuleError, match="splits=full"):
        upcard.expected_value("switch", splits="full")


def test_a_game_without_a_swap_has_no_value_of_one():
    with pytest.raises(UnsupportedRuleError, match="switch=false"):
        value_swap(upcard.Rules.parse("6D"), (0, *shoe_of(GAMES[0][2])), ((1, 5), (8, 10)), 10)


def test_cards_that_are_not_there():
    with pytest.raises(EmptyShoeError):
        value_swap(rules_of("SP1"), (0, *shoe_of({1: 3, 10: 8})), ((1, 5), (8, 10)), 10)


def test_clashes_are_named():
    with pytest.raises(RulesError) as error:
        upcard.Rules.parse("6D ENHC ES SWITCH max_spots=3")
    text = str(error.value)
    for name in ("max_spots=3", "hole_card=none", "insurance=true", "surrender=early"):
        assert f"switch clashes with {name}" in text


def test_a_hand_alone_is_that_of_the_game_without_a_swap():
    plain = upcard.Rules.parse("6D H17 P22 1:1 NOINS")
    assert upcard.solve("switch", "T6", "9").ev == upcard.solve(plain, "T6", "9").ev
    assert replace(upcard.basic_strategy("switch"), worths=()) == upcard.basic_strategy(plain)
