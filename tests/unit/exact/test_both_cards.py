"""Both dealer cards are known: houses that show them, a hole card that is seen, and its worth."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction

import naive_exact
import pytest
from naive_dealer import draws, shoe_of

import upcard
from upcard.coach.adviser import Coach
from upcard.core.errors import NoExactValueError, NotationError, RulesError, UnsupportedRuleError
from upcard.exact import solve
from upcard.rules.model import Rules
from upcard.strategy.chart import CELLS, DEALER_LABELS, PAIR_LABELS
from upcard.table import ScriptedShoe, Table

COUNTS = {1: 4, 6: 5, 9: 4, 10: 6}


def value_seen(facts, shoe, *, even_money):
    """Return the value of a round whose player sees the hole card, and insures a ten under an ace.

    A natural then wins its insurance, or takes even money: both are worth 1.
    """
    value = Fraction(0)
    for up, chance, left in draws(shoe):
        for hole, then, rest in draws(left):
            gain = Fraction(0)
            if (up, hole) == (1, 10):
                hands = [(a, b, p * q) for a, p, more in draws(rest) for b, q, _ in draws(more)]
                natural = sum(p for a, b, p in hands if {a, b} == {1, 10})
                gain = facts["insurance_pays"] / 2 * (1 - natural) + even_money * natural
            game = naive_exact.Game(facts, shoe, up, hole=hole)
            value += chance * then * (game.value() + gain)
    return value


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "facts", "even_money"),
    [
        ("6D SP2", {"insurance_pays": Fraction(2)}, 1),
        ("6D SP2 INS(5:2) 1:1", {"insurance_pays": Fraction(5, 2), "natural_pays": 1}, 5 / 4),
    ],
)
def test_what_a_hole_card_is_worth_that_is_always_seen(text, facts, even_money):
    shoe = shoe_of(COUNTS)
    expected = value_seen({"max_hands": 2} | facts, shoe, even_money=Fraction(even_money))
    found = solve.expected_value(text, shoe=shoe, sees_hole=1)
    assert found == pytest.approx(float(expected), rel=0, abs=1e-12)


@pytest.mark.parametrize("text", ["2D H17 LS", "INF"])
def test_a_share_of_the_rounds_mixes_both_values(text):
    never, half, always = (solve.solve_game(text, sees_hole=share) for share in (0, 0.5, 1))
    assert half.ev == pytest.approx((never.ev + always.ev) / 2, abs=1e-15)
    assert half.insurance_ev == pytest.approx((never.insurance_ev + always.insurance_ev) / 2)
    assert always.ev > never.ev + 0.1
    assert "seen in 50% of the rounds" in half.notes[-1]


def test_no_insurance_nothing_more_to_gain():
    plain, offered = (
        solve.solve_game(f"2D {words}", sees_hole=1) for words in ("NOINS", "INS even_money=never")
    )
    assert plain.insurance_ev == 0
    assert offered.ev == pytest.approx(plain.ev + offered.insurance_ev, abs=1e-15)


@pytest.mark.parametrize("deck", ["2D", "INF"])
def test_which_dealer_card_is_the_upcard_does_not_matter(deck):
    rules = Rules.parse(f"{deck} H17 LS UP2 TALL")
    one, other = (solve.solve(rules, "88", up, hole=hole) for up, hole in ("9T", "T9"))
    assert one.ev == pytest.approx(other.ev)
    assert one.natural_probability == 0
    assert not one.is_conditional


@pytest.mark.parametrize("text", ["6D", "6D LS", "1D ES", "INF"])
def test_a_seen_hole_card_is_worth_what_a_house_that_shows_it_pays(text):
    plain = Rules.parse(text)
    seen = solve.solve(plain, "T 6", "T", hole="6")
    shown = plain.replace(shows_hole=True, surrender="none" if "S" not in text else "late")
    assert seen.ev == solve.solve(shown, "T 6", "T", hole="6").ev
    assert (seen.rules, seen.hole, seen.insurance_ev) == (plain, "6", None)
    assert seen.best == "stand"


def test_early_surrender_against_tens_is_offered_against_tens():
    ten, six = (solve.solve("6D ES10", "T 6", up, hole=hole).ev for up, hole in ("T6", "6T"))
    assert ten.pop("surrender") == -0.5
    assert ten == pytest.approx(six)


@pytest.mark.parametrize("deck", ["6D", "INF"])
def test_a_natural_that_is_seen_is_never_played_against(deck):
    with pytest.raises(NoExactValueError, match="natural for certain"):
        solve.solve(f"{deck} UP2", "T 6", "A", hole="T")


@pytest.mark.parametrize(
    ("ask", "match"),
    [
        (lambda: solve.solve("6D UP2", "T 6", "9"), "name the hole card"),
        (lambda: solve.solve("6D ENHC", "T 6", "9", hole="6"), "hole_card=none"),
        (lambda: solve.solve("1D", "9 9", "9", hole="9 9"), "unknown card"),
        (lambda: solve.solve("1D", "9 9", "9", hole="T", shoe="1D less 9 9"), "9"),
        (lambda: solve.solve("6D UP2 split_by=rank", "T 6", "9", hole="6"), "split_by=rank"),
        (lambda: solve.solve("6D UP2", "8 8", "9", hole="6", splits="full"), "splits=full"),
        (lambda: solve.solve_game("1D UP2 SP2", splits="full"), "splits=full"),
        (lambda: solve.solve_game("6D UP2", sees_hole=0.1), "sees_hole"),
        (lambda: solve.solve_game("6D ES", sees_hole=0.1), "surrender=early"),
        (lambda: solve.solve_game("6D", sees_hole=1.5), "sees_hole=1.5"),
        (lambda: solve.solve_game("european", sees_hole=0.1), "hole_card=none"),
        (lambda: solve.solve("deshmukh hole_card=peek", "T 6", "9", hole="6"), "shows_hole=true"),
    ],
)
def test_what_is_not_known_is_refused(ask, match):
    with pytest.raises((RulesError, NotationError), match=match):
        ask()


@pytest.mark.parametrize("deck", ["6D", "INF"])
@pytest.mark.parametrize(
    "ask",
    [
        lambda rules: solve.solve_game(rules, strategy=solve.basic_strategy("6D")),
        lambda rules: solve.opening_values(rules, (((10, 6), (9, 0), 0),)),
    ],
)
def test_a_chart_by_upcard_is_refused(deck, ask):
    with pytest.raises(UnsupportedRuleError, match="shows_hole=true"):
        ask(Rules.parse(f"{deck} UP2"))


@pytest.mark.parametrize("deck", ["6D", "INF"])
def test_a_chart_by_both_dealer_cards_is_refused_where_one_is_seen(deck):
    chart = solve.basic_strategy(f"{deck} UP2 TALL")
    with pytest.raises(UnsupportedRuleError, match="shows_hole=false: players see the upcard"):
        solve.solve_game(deck, strategy=chart)


def test_the_chart_of_both_dealer_cards_draws_to_what_the_dealer_shows():
    """A dealer who wins ties is drawn against with the same total, even a 20."""
    chart = solve.basic_strategy("double-exposure")
    assert chart.columns == DEALER_LABELS
    for total in range(17, 21):
        assert chart.cell(str(total), str(total)) == "H"
        assert chart.cell(str(total), str(total - 1)) == "S"
    assert chart.cell("TT", "20") == "H"
    assert chart.cell("TT", "15") == "P"


def test_many_decks_have_the_cells_of_an_infinite_one():
    many, endless = (solve.basic_strategy(f"{deck} H17 D9 UP2 TALL BJW") for deck in ("8D", "INF"))
    one, other = (sum((cells for _, cells in chart), ()) for chart in (many, endless))
    cells = [ours == theirs for ours, theirs in zip(one, other, strict=True)]
    assert sum(cells) > 0.98 * len(cells)


@pytest.mark.slow
@pytest.mark.parametrize("text", ["6D H17 D9 1:1 UP2 TALL BJW", "1D LS UP2"])
def test_no_cell_of_the_best_chart_can_be_changed_for_the_better(text):
    rng, best = random.Random(text), solve.basic_strategy(text)
    value = solve.expected_value(text, strategy=best)
    for _ in range(60):
        row, column = rng.randrange(len(best.cells)), rng.randrange(len(best.columns))
        rows = [list(cells) for cells in best.cells]
        is_pair = best.labels[row] in PAIR_LABELS
        rows[row][column] = rng.choice(
            [cell for cell in CELLS if is_pair or "p" not in cell.lower()]
        )
        changed = replace(best, cells=tuple(map(tuple, rows)))
        assert solve.expected_value(text, strategy=changed) <= value + 1e-12


@pytest.mark.slow
def test_the_costs_of_a_chart_are_those_of_its_cells():
    """Both ways to weigh the dealer's hands of a column: by the cell, and by the whole chart."""
    text = Rules.parse("2D H17 UP2 TALL")
    best = solve.basic_strategy(text)
    row, column = best.labels.index("13"), best.columns.index("12")
    rows = [list(cells) for cells in best.cells]
    rows[row][column] = "H"
    worse = replace(best, cells=tuple(map(tuple, rows)))
    (cost,) = solve.costliest_cells(text, worse)
    assert (cost.hand, cost.upcard, cost.cell, cost.better) == ("13", "12", "H", "S")
    lost = solve.expected_value(text, strategy=best) - solve.expected_value(text, strategy=worse)
    assert cost.cost == pytest.approx(lost, abs=1e-14)


@pytest.mark.parametrize("deck", ["1D", "INF"])
def test_the_coach_knows_both_dealer_cards(deck):
    rules = Rules.parse(f"{deck} H17 LS UP2 TALL")
    table = Table(rules, ScriptedShoe.stack(rules, hand="8 8", upcard="T", hole="6"))
    table.start([10])
    advice = Coach(rules).advise(table.view(), table.legal_actions())
    assert advice.ev == pytest.approx(solve.solve(rules, "8 8", "T", hole="6").ev)
    assert advice.natural_probability == 0
    assert "both dealer cards are seen" in advice.assumptions
    assert advice.question.key == "pair 88 v T 6"
    assert str(advice.judge(upcard.Action.HIT)).startswith("You hit 8,8 v 10 6.")
