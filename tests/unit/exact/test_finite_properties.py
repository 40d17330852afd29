"""What must hold of exact values on a shoe, whatever the rules."""

import random

import pytest
from marks import slow_except

from upcard import (
    Rules,
    Strategy,
    basic_strategy,
    dealer_outcomes,
    effects_of_removal,
    expected_value,
    solve,
    solve_game,
)
from upcard.core.actions import Action
from upcard.core.cards import RANKS, rank_name
from upcard.core.errors import UnsupportedRuleError
from upcard.exact.finite import FiniteSolver
from upcard.exact.finite_hands import UpcardSolution
from upcard.exact.finite_shoe import PreparedShoe
from upcard.exact.nonstandard import NonstandardSolver
from upcard.exact.solve import composition_exceptions, costliest_cells
from upcard.exact.solver_results import AskedHand
from upcard.rules.deck import full_shoe
from upcard.strategy.chart import HAND_LABELS, PAIR_LABELS, UPCARD_LABELS

RULES = Rules.parse("6D S17 DAS")
UPCARDS = [rank_name(rank) for rank in RANKS]


def depleted(seed, decks=6, dealt=150):
    """Return a shoe less cards dealt at random."""
    rng = random.Random(seed)
    cards = [rank for rank in RANKS for _ in range(full_shoe(decks).counts[rank])]
    rng.shuffle(cards)
    left = cards[dealt:]
    return [left.count(rank) for rank in RANKS]


@pytest.mark.parametrize("rules", ["1D S17", "6D H17", "2D ENHC", "8D hole_card=no-peek"])
@pytest.mark.parametrize("upcard", UPCARDS)
def test_dealer_outcomes_sum_to_1(rules, upcard):
    outcomes = dealer_outcomes(Rules.parse(rules), upcard)
    assert sum(outcomes) == pytest.approx(1, abs=1e-14)
    assert min(outcomes) >= 0


@pytest.mark.slow
@pytest.mark.parametrize(
    "rules", slow_except(["1D S17 NDAS"], ["1D S17 NDAS", "6D H17 LS", "2D ENHC D9"])
)
def test_removal_effects_of_a_fixed_chart_sum_to_0_by_count(rules):
    rules = Rules.parse(rules)
    effects = effects_of_removal(rules, strategy=basic_strategy(rules))
    weighted = sum((16 if rank == "T" else 4) * effect for rank, effect in effects.items())
    assert weighted == pytest.approx(0, abs=1e-12)


@pytest.mark.fast_cases(3)
@pytest.mark.parametrize(
    ("poorer", "richer"),
    [
        ("6D NS", "6D LS"),
        ("6D LS", "6D ES"),
        ("6D NDAS", "6D DAS"),
        ("6D ND", "6D D10"),
        ("6D D10", "6D D9"),
        ("6D D9", "6D DOA"),
        ("6D DOA", "6D DANY"),
        ("6D SP1", "6D SP2"),
        ("6D SP2", "6D SP3"),
        ("6D SP3", "6D SP4"),
        ("6D SP4 NRSA", "6D SP4 RSA"),
        ("6D RSA", "6D RSA HSA"),
        ("6D RSA HSA", "6D RSA HSA double_split_aces=true"),
        ("6D 6:5", "6D 3:2"),
        ("6D ENHC", "6D OBO"),
        ("6D", "6D charlie=6"),
        ("6D", "6D split_naturals=on-tens"),
        ("6D split_naturals=on-tens", "6D split_naturals=always"),
        ("6D ENHC", "6D ENHC natural_ties_21=true"),
        ("6D TALL", "6D T17-20"),
        ("6D T17-20", "6D T17"),
        ("6D T17", "6D"),
        ("6D BJL", "6D"),
        ("6D", "6D BJW"),
        ("6D", "6D BJS(2:1)"),
        ("6D", "6D W21"),
        ("6D charlie=6", "6D charlie=6 charlie_pays=2"),
        ("6D MS15", "6D MS12"),
        ("6D MS12", "6D"),
        ("6D D9", "6D DH"),
        ("6D DH", "6D"),
        ("6D", "6D D3X"),
        ("6D", "6D ES10"),
        ("6D ES10", "6D ES"),
        ("6D LS", "6D LSX"),
        ("6D", "6D INS(5:2)"),
        ("6D P22", "6D"),
        ("6D", "6D FD9-11"),
        ("6D FD9-11", "6D FDANY"),
        ("6D ND", "6D ND FD9-11"),
        ("6D", "6D FSN4T"),
        ("6D FSN4T", "6D FSNT"),
        ("6D FSNT", "6D FSANY"),
        ("6D FSNT SP3", "6D FSNT SP4"),
        ("6D NS4T", "6D"),
        ("6D RSA SPA3", "6D RSA"),
        ("6D SP1 ENHC", "6D SP1 BB1"),
        ("6D SP1 BB1", "6D SP1 OBO"),
    ],
)
def test_a_better_rule_never_lowers_the_value(poorer, richer):
    assert expected_value(Rules.parse(poorer)) <= expected_value(Rules.parse(richer)) + 1e-13


@pytest.mark.slow
@pytest.mark.parametrize("shoe", [None, *(depleted(seed) for seed in range(3))])
def test_knowing_more_never_lowers_the_value(shoe):
    """A chart, then the cards, then one pair card, then all pair cards that are out."""
    values = [
        expected_value(RULES, strategy=basic_strategy(RULES, shoe=shoe), shoe=shoe),
        *(
            expected_value(RULES, splits=splits, shoe=shoe)
            for splits in ("CDZ-", "CDP1", "CDP-exact")
        ),
    ]
    assert values == sorted(values)


def test_obo_is_worth_what_a_peek_is():
    assert expected_value(Rules.parse("6D OBO")) == pytest.approx(
        expected_value(Rules.parse("6D PEEK")), abs=1e-14
    )


@pytest.mark.parametrize("tokens", ["S17 DAS SP4", "H17 NDAS SP2 LS", "S17 ENHC DANY SP3 RSA HSA"])
def test_the_infinite_deck_is_the_limit_of_many_decks(tokens):
    """The difference falls as 1 / decks, so two values point at the limit."""
    four, eight = (expected_value(Rules.parse(f"{decks}D {tokens}")) for decks in (4, 8))
    limit = expected_value(Rules.parse(f"INF {tokens}"))
    assert 2 * eight - four == pytest.approx(limit, abs=4e-5)
    assert abs(eight - limit) < abs(four - limit)


@pytest.mark.parametrize("seed", range(3))
def test_the_value_of_a_game_is_that_of_its_upcards(seed):
    shoe = depleted(seed)
    game = solve_game(RULES, shoe=shoe)
    weighted = sum(shoe[rank - 1] * game.by_upcard[rank_name(rank)] for rank in RANKS) / sum(shoe)
    assert game.ev == pytest.approx(weighted, abs=1e-14)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("turn", "rules"),
    [
        *[(0, "1D S17 DAS"), (1, "1D H17 NDAS LS"), (0, "6D H17 DAS LS"), (1, "2D ENHC D9 ES")],
        *[(0, "1D LSX DANY"), (1, "1D MS15 LS"), (0, "1D FDANY P22"), (1, "2D H17 ND FD9-11")],
    ],
)
def test_no_cell_of_the_best_chart_can_be_changed_for_the_better(turn, rules):
    """A hand against one upcard never meets another column, so a row is changed in all at once.

    Every other row in turn: four houses have each. The cells come from values that the naive twins
    of `tests/unit/exact` and `tests/differential` have too.
    """
    rules = Rules.parse(rules)
    best = basic_strategy(rules)
    values = solve_game(rules, strategy=best).by_upcard
    for row, label in [*enumerate(HAND_LABELS)][turn::2]:
        for cell in ("H", "S", "Dh", "Ds", "Rh", "Rs", "P", "Rp"):
            if cell in ("P", "Rp") and label not in PAIR_LABELS:
                continue
            cells = (*best.cells[:row], (cell,) * len(UPCARD_LABELS), *best.cells[row + 1 :])
            changed = solve_game(rules, strategy=Strategy(cells=cells)).by_upcard
            better = {upcard for upcard in UPCARDS if changed[upcard] > values[upcard] + 1e-12}
            assert not better, (label, cell)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("turn", "rules"),
    [(0, "1D FSNT FDANY"), (1, "2D FSANY RSA HSA DANY"), (0, "6D P22 FSNT FD9-11")],
)
def test_no_row_of_the_best_chart_for_free_hands_can_be_changed_for_the_better(turn, rules):
    """Every other row in turn; a naive twin has the values that the cells come from."""
    rules = Rules.parse(rules)
    shoe = PreparedShoe(rules, rules.full_shoe.counts)

    def values(chart):
        prepared = shoe.with_strategy(None, chart)
        against = (UpcardSolution(prepared, upcard) for upcard in RANKS)
        return [
            sum(one.split_value(rank) * weigh(one, rank) for rank in prepared.free_splits)
            for one in against
        ]

    def weigh(solution, rank):
        there, cards = solution.shoe[rank], solution.shoe.sum()
        return there * (there - 1) / cards / (cards - 1)

    best = FiniteSolver(rules, rules.full_shoe.counts).free_chart()
    known = values(best)
    assert sum(values(basic_strategy(rules))) < sum(known) < sum(values(None))
    for row, label in [*enumerate(HAND_LABELS)][turn::2]:
        for cell in () if label in PAIR_LABELS else ("H", "S", "Dh", "Ds"):
            cells = (*best.cells[:row], (cell,) * len(UPCARD_LABELS), *best.cells[row + 1 :])
            for changed, value in zip(values(Strategy(cells=cells)), known, strict=True):
                assert changed <= value + 1e-12, (label, cell)


def test_a_house_without_free_splits_has_no_chart_for_free_hands():
    for text in ("6D FDANY", "6D FSNT SP1"):
        rules = Rules.parse(text)
        with pytest.raises(UnsupportedRuleError, match="no hand of this house is free"):
            FiniteSolver(rules, rules.full_shoe.counts).free_chart()


@pytest.mark.parametrize(
    ("text", "splits", "reason"),
    [
        ("6D FSNT turn_order=round-robin", "CDZ-", "the first hand, whose bet is the original"),
        ("1D FSNT SP2", "full", "bets that the house pays for"),
        ("1D FD9-11 SP2", "full-at-once", "bets that the house pays for"),
        ("1D SP1 FDANY ace_rule=one-softened", "CDZ-", "doubles that the player pays for"),
    ],
)
def test_free_bets_that_it_does_not_value_are_refused(text, splits, reason):
    with pytest.raises(UnsupportedRuleError, match=reason):
        solve(Rules.parse(text), "88", "6", splits=splits)


def test_a_dealers_22_is_a_push():
    plain, pushing = (solve(Rules.parse(f"6D SP1 {text}"), "T T", "6") for text in ("", "P22"))
    assert tuple(pushing.dealer) == pytest.approx(tuple(plain.dealer), abs=1e-14)
    rules = Rules.parse("6D SP1 P22")
    asked = AskedHand((10, 10), 6)
    ends = FiniteSolver(rules, rules.full_shoe.counts).outcome_probabilities(asked, Action.STAND)
    assert ends.win - ends.lose == pytest.approx(pushing.ev["stand"], abs=1e-14)
    assert ends.win + ends.push + ends.lose == pytest.approx(1, abs=1e-14)
    lost = plain.ev["stand"] - pushing.ev["stand"]
    assert lost == pytest.approx(ends.push - plain.dealer.twenty, abs=1e-14)


def test_the_best_chart_of_six_decks_is_the_known_one():
    """Spot checks of the published multi-deck chart (S17 DAS LS)."""
    chart = basic_strategy(Rules.parse("6D S17 DAS LS"))
    expected = {
        ("9", 2): "H",
        ("9", 3): "Dh",
        ("11", 10): "Dh",
        ("11", 1): "H",
        ("12", 3): "H",
        ("12", 4): "S",
        ("15", 10): "Rh",
        ("16", 9): "Rh",
        ("A7", 2): "S",
        ("A7", 3): "Ds",
        ("A7", 9): "H",
        ("A8", 6): "S",
        ("22", 2): "P",
        ("44", 5): "P",
        ("88", 10): "P",
        ("99", 7): "S",
        ("1010", 6): "S",
        ("AA", 1): "P",
    }
    assert {key: chart.cell(*key) for key in expected} == expected


def test_known_exceptions_of_one_deck_are_found():
    """Published for one deck: 10,2 v 4 and 10,3 v 2 hit, 6,2 v 6 does not double."""
    rules = Rules.parse("1D S17 NDAS")
    found = {
        (exception.hand, exception.upcard): str(exception.better)
        for exception in composition_exceptions(rules, basic_strategy(rules))
    }
    assert found["T 2", "4"] == found["T 3", "2"] == "hit"
    assert found["6 2", "6"] == "hit"


@pytest.mark.slow
def test_what_a_wrong_cell_costs_is_the_difference_of_two_exact_values():
    rules = Rules.parse("6D S17 DAS")
    best = basic_strategy(rules)
    cells = [list(row) for row in best.cells]
    cells[HAND_LABELS.index("11")][UPCARD_LABELS.index("6")] = "H"
    cells[HAND_LABELS.index("A8")][UPCARD_LABELS.index("2")] = "H"
    wrong = Strategy(cells=tuple(map(tuple, cells)))
    costs = costliest_cells(rules, wrong)
    assert [(cost.hand, cost.upcard, cost.cell, cost.better) for cost in costs] == [
        ("11", "6", "H", "Dh"),
        ("A8", "2", "H", "S"),
    ]
    lost = expected_value(rules, strategy=best) - expected_value(rules, strategy=wrong)
    assert sum(cost.cost for cost in costs) == pytest.approx(lost, abs=1e-12)
    assert costliest_cells(rules, best) == ()


@pytest.mark.slow
@pytest.mark.parametrize(
    "tokens",
    [
        *("S17 SP1", "H17 SP1 ENHC LS", "S17 SP1 OBO ES D10"),
        *("SP1 ND natural_ties_21=true ENHC 1:1", "SP1 ENHC T17-19 BJW D3X W21 LSX"),
        *("SP1 P22 H17", "SP1 P22 ENHC MS15 W21 LSX"),
        *("SP1 BJL ES10 MS15 DH", "SP1 OBBO DANY D3X BJS(2:1) INS(5:2)", "SP1 LSX MS17 TALL"),
    ],
)
def test_two_solvers_agree_where_both_know_the_rules(tokens):
    rules = Rules.parse(f"1D {tokens}")
    shoe = full_shoe(1).counts
    odd = NonstandardSolver(rules, shoe)
    value = sum(shoe[up] / 52 * odd.value_round(up).ev for up in RANKS)
    assert value == pytest.approx(expected_value(rules), abs=1e-13)


def test_insurance_is_even_where_a_third_of_the_cards_are_tens():
    shoe = [12, *[12] * 8, 60]
    shoe[0], shoe[1] = 13, 13  # less T, 2 and the ace up: 60 - 1 of 177 are tens
    value = solve(Rules.parse("6D"), "T 2", "A", shoe=shoe)
    assert value.insurance_ev == pytest.approx((3 * 59 / 167 - 1) / 2)


def test_even_money_gains_nothing_where_insurance_is_even():
    value = solve(Rules.parse("6D"), "A T", "A")
    assert value.even_money_ev == pytest.approx(1 - 1.5 * (1 - value.natural_probability))
    assert value.ev["stand"] == 1.5
