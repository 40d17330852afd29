"""One suite for every `Solver`: an infinite deck, a finite shoe and non-standard houses."""

from __future__ import annotations

import pytest

import upcard
from upcard.core.actions import Action
from upcard.core.cards import ACE, TEN, rank_name
from upcard.core.errors import NoExactValueError, UnsupportedRuleError
from upcard.exact.finite import FiniteSolver
from upcard.exact.infinite import InfiniteSolver
from upcard.exact.nonstandard import NonstandardSolver
from upcard.exact.position import lower_rules
from upcard.exact.solve import choose_solver
from upcard.exact.solver_results import AskedHand
from upcard.exact.supported_rules import choose_engine
from upcard.rules.engines import find_refusals
from upcard.rules.model import Rules
from upcard.rules.predicates import looks_before_answer
from upcard.rules.settings import EngineName, HoleCard, NaturalTakes

HOUSES = {
    "INF LS": InfiniteSolver,
    "INF ENHC H17": InfiniteSolver,
    "1D H17 LS": FiniteSolver,
    "2D ENHC NDAS": FiniteSolver,
    "2D ES": FiniteSolver,
    "INF ES": InfiniteSolver,
    "INF ES10": InfiniteSolver,
    "INF ENHC T17-19 W21 D3X 5CC": InfiniteSolver,
    "1D SP1 NDAS NRSA LS ace_rule=one-softened": NonstandardSolver,
    "1D ENHC T17-19 W21 D3X": FiniteSolver,
    "1D SP1 ENHC T17-19 W21 D3X ace_rule=one-softened": NonstandardSolver,
    "deshmukh": NonstandardSolver,
}
HANDS = (((TEN, 6), 9), ((5, 6), 6), ((TEN, 7), ACE), ((8, 3), TEN), ((2, 4, TEN), TEN))
ANSWERS = (Action.STAND, Action.HIT, Action.DOUBLE)
ODD_RULES = (
    "1D",
    "8D SPINF",
    "INF SPINF",
    "INF charlie=5",
    "1D charlie=6 OBO",
    "1D natural_ties_21=true OBO",
    "2D NOINS shows_upcard=false hole_card=no-peek",
    "1D ace_rule=one-softened",
    "1D SP1 NDAS NRSA dealer_rule=until-ahead max_spots=1",
    "INF player_21=wins hole_card=no-peek",
    "1D player_21=wins hole_card=no-peek",
    "1D BB1",
    "1D OBO W21",
    "1D charlie=5 player_21=asked",
    "1D D3X player_21=asked",
    "1D SP1 NDAS NRSA OBO natural_ties_21=true ace_rule=one-softened",
)
BUILD = {
    EngineName.INFINITE: InfiniteSolver,
    EngineName.FINITE: lambda rules: FiniteSolver(
        rules, rules.full_shoe.counts, upcards=(9,), pairs=()
    ),
    EngineName.NONSTANDARD: lambda rules: NonstandardSolver(rules, rules.full_shoe.counts),
}


def shoe_of(rules):
    return None if rules.is_infinite else rules.full_shoe.counts


@pytest.fixture(scope="module", params=HOUSES)
def solver(request):
    rules = Rules.parse(request.param)
    found = choose_solver(rules, shoe_of(rules), pairs=())
    assert type(found) is HOUSES[request.param]
    return found


def looks(solver):
    """Whether a question of play is given that the dealer has looked, and before that."""
    return (False, True) if solver.rules.hole_card is HoleCard.PEEK else (False,)


def test_probabilities_sum_to_one(solver):
    assert sum(solver.upcard_probabilities().values()) == pytest.approx(1)
    for ranks, up in HANDS:
        for has_looked in looks(solver):
            asked = AskedHand(ranks, up, has_looked=has_looked)
            dealer = solver.dealer_outcomes(asked)
            assert sum(dealer) + dealer.below == pytest.approx(1)
            assert dealer.natural == pytest.approx(
                0 if has_looked else solver.natural_probability(ranks, up)
            )
            for action in ANSWERS:
                found = solver.outcome_probabilities(asked, action)
                if found is not None:
                    assert found.win + found.push + found.lose == pytest.approx(1)


def test_an_answers_value_is_what_its_outcomes_win_and_lose(solver):
    known = 0
    for ranks, up in HANDS:
        for has_looked in looks(solver):
            for action in ANSWERS:
                asked = AskedHand(ranks, up, has_looked=has_looked)
                found = solver.outcome_probabilities(asked, action)
                legal = action in solver.values(ranks, up)
                if found is None or not legal:
                    continue
                natural = 0.0 if has_looked else solver.natural_probability(ranks, up)
                value = solver.value_answer(asked, action)
                if action is Action.DOUBLE and solver.rules.hole_card is HoleCard.PEEK:
                    # A peek takes the original bet only.
                    assert value == pytest.approx(2 * (found.win - found.lose) + natural)
                else:
                    bets = solver.rules.double_stake if action is Action.DOUBLE else 1
                    assert value == pytest.approx(bets * (found.win - found.lose))
                known += 1
    assert known >= len(HANDS)


def test_values_are_those_of_the_answers_and_the_best_is_worth_most(solver):
    for ranks, up in HANDS:
        values = solver.values(ranks, up)
        has_looked = looks_before_answer(solver.rules, upcard=up, cards=len(ranks))
        asked = AskedHand(ranks, up, has_looked=has_looked)
        for action, value in values.items():
            answer = solver.value_answer(asked, action)
            if action is not Action.SURRENDER:
                assert value == pytest.approx(answer, abs=1e-12)
        shown = upcard.solve(
            solver.rules, " ".join("A" if r == 1 else str(r) for r in ranks), rank_name(up)
        )
        assert shown.ev == values
        assert values[shown.best] == pytest.approx(max(values.values()), abs=1e-9)
        assert solver.value_answer(AskedHand(ranks, up), Action.INSURANCE) is None


@pytest.mark.slow
def test_a_game_is_its_rounds_weighed_by_the_upcard(solver):
    solver = choose_solver(solver.rules, shoe_of(solver.rules))
    rounds, chances = solver.value_rounds(), solver.upcard_probabilities()
    assert rounds.keys() == chances.keys()
    ev = sum(chances[up] * rounds[up].ev for up in rounds)
    assert upcard.expected_value(solver.rules) == pytest.approx(ev, abs=1e-15)


@pytest.mark.slow
def test_a_chart_is_given_or_refused_by_name(solver):
    if isinstance(solver, NonstandardSolver):
        with pytest.raises(UnsupportedRuleError, match="a chart by totals"):
            solver.chart()
    else:
        solver = choose_solver(solver.rules, shoe_of(solver.rules))
        assert solver.chart().cells == upcard.basic_strategy(solver.rules).cells


@pytest.mark.parametrize("text", ODD_RULES)
def test_every_solver_refuses_what_it_says_it_does_not_support(text):
    rules = Rules.parse(text)
    for engine, build in BUILD.items():
        refusals = tuple(find_refusals(rules, engine))
        if not refusals:
            build(rules)
            continue
        with pytest.raises(UnsupportedRuleError) as caught:
            build(rules)
        assert (caught.value.engine, caught.value.rule, caught.value.reason) == (
            engine,
            *refusals[0],
        )
    chosen = choose_engine(rules)
    if next(find_refusals(rules, chosen), None):
        with pytest.raises(UnsupportedRuleError, match=chosen):
            choose_solver(rules, shoe_of(rules))


def test_a_later_surrender_is_a_loss_among_the_outcomes_of_a_hit():
    rules = Rules.parse("1D LSX")
    asked = AskedHand((TEN, 2), TEN, has_looked=True)
    late, any_cards = (
        choose_solver(one, shoe_of(one), pairs=()).outcome_probabilities(asked, Action.HIT)
        for one in (rules.replace(surrender="late"), rules)
    )
    assert any_cards.win + any_cards.push + any_cards.lose == pytest.approx(1)
    assert any_cards.lose > late.lose


@pytest.mark.parametrize("decks", ["1D", "INF"])
def test_a_split_hand_is_refused_where_a_natural_takes_busted_bets(decks):
    rules = Rules.parse(f"{decks} BB1")
    with pytest.raises(NoExactValueError, match=r"busted-and-one.*after a split"):
        lower_rules(rules, most=1, split_rank=8)
    lowered = lower_rules(rules, most=1, split_rank=8, has_looked=True)
    assert lowered.natural_takes is NaturalTakes.ALL
