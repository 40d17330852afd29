"""Shoes as people write them, and one clear line for what cannot be."""

import pytest

from upcard import (
    EmptyShoeError,
    NotationError,
    Rules,
    RulesError,
    UnsupportedRuleError,
    basic_strategy,
    dealer_outcomes,
    effects_of_removal,
    expected_value,
    house,
    solve,
    solve_game,
)
from upcard.core.actions import Action
from upcard.core.errors import NoExactValueError
from upcard.exact.composition import describe_shoe, read_shoe
from upcard.exact.solve import choose_solver, costliest_cells
from upcard.exact.solver_results import AskedHand
from upcard.rules.deck import full_shoe

RULES = Rules.parse("6D S17 DAS")
LESS = (0, 24, 24, 24, 24, 23, 24, 24, 24, 24, 94)


@pytest.mark.parametrize(
    "shoe",
    [
        "6D less T T 5",
        "6d LESS KH, 10 5C",
        "24 24 24 24 23 24 24 24 24 94",
        [24, 24, 24, 24, 23, 24, 24, 24, 24, 94],
        {"A": 24, "2": 24, "3": 24, "4": 24, 5: 23, 6: 24, 7: 24, 8: 24, 9: 24, "T": 94},
    ],
)
def test_a_shoe_is_written_in_many_ways(shoe):
    assert read_shoe(shoe, RULES) == LESS


def test_a_shoe_reads_back_from_its_description():
    for counts in (full_shoe(1).counts, LESS, (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 40)):
        assert read_shoe(describe_shoe(counts), RULES) == counts


@pytest.mark.parametrize(
    "shoe",
    [
        *("", "9D", "0D", "6D less X", "1D less 5 5 5 5 5", "six"),
        *([1, 2], [4] * 9 + [-1], [4.0] * 10, [0] * 10, [100] * 10),
        *({"X": 4}, {0: 4}, {11: 4}),
    ],
)
def test_what_is_no_shoe_is_refused(shoe):
    with pytest.raises(NotationError):
        read_shoe(shoe, RULES)


NO_CARD = (
    "unknown card '{}': write a face (A 2 3 4 5 6 7 8 9 T J Q K, ten as T or 10) and, if it"
    " matters, a suit (C D H S), as in 8D"
)
NOT_ASKED = "the dealer has a natural for certain: you are not asked"
FEW = [0] * 7 + [3, 0, 5]
SOFTENED = "6D SP1 NDAS NRSA ace_rule=one-softened"
CERTAIN = (1, 0, 0, 0, 0, 0, 0, 1, 0, 11)  # of a natural: values were a division by zero (A2)


def ask(hand="T6", upcard="9", shoe=None, *, rules="1D", **options):
    return solve(Rules.parse(rules), hand, upcard, shoe=shoe, **options)


@pytest.mark.parametrize(
    ("question", "kind", "sentence"),
    [
        (lambda: ask("TTT", "5"), NotationError, "hand 'TTT' counts 30: it is bust"),
        (lambda: ask("T 9 3", "5"), NotationError, "hand 'T 9 3' counts 22: it is bust"),
        (lambda: ask("16"), NotationError, "hand '16' is a total: name its cards, as T6 for a 16"),
        (
            lambda: ask("T"),
            NotationError,
            "hand 'T': write two or more cards, as T6, or a row of a chart, as 16 or 88",
        ),
        (lambda: ask("XY"), NotationError, NO_CARD.format("XY")),
        (lambda: ask("T6", "X"), NotationError, NO_CARD.format("X")),
        (lambda: ask("T6", ""), NotationError, NO_CARD.format("")),
        (
            lambda: ask("AAA", "A", "1D less A"),
            RulesError,
            "hand 'AAA' v 'A': the shoe has 3 cards of rank A, and more are asked for",
        ),
        (
            lambda: ask("AAAA", "A", "1D"),
            RulesError,
            "hand 'AAAA' v 'A': the shoe has 4 cards of rank A, and more are asked for",
        ),
        (
            lambda: ask(shoe="1D less 9 9 9 9"),
            RulesError,
            "hand 'T6' v '9': the shoe has 0 cards of rank 9, and more are asked for",
        ),
        (
            lambda: ask(shoe="9D"),
            NotationError,
            (
                "a shoe of '9D': write '6D', '6D48', '6D less T T 5', ten numbers of cards (ace,"
                " 2 to 9, ten-valued), or a mapping of ranks to numbers"
            ),
        ),
        (
            lambda: ask("88", "T", splits="CDX"),
            NotationError,
            "no split play is called 'CDX': one of CDZ-, CDP1, CDP, CDP-exact, full, full-at-once",
        ),
        (
            lambda: expected_value(RULES, shoe=[2, 2, 2, 2, 1, 0, 0, 0, 0, 1]),
            EmptyShoeError,
            (
                "a shoe of 10 cards that count 35: the cards could run out before the dealer is "
                "done; with 2 hands of 21 on the table they must count 59"
            ),
        ),
        (
            lambda: ask("TT", "8", FEW, rules="1D SP2", splits="full"),
            EmptyShoeError,
            (
                "a shoe of 8 cards that count 74: the cards could run out before the dealer is "
                "done; with full memory and 2 hands they must count 78"
            ),
        ),
        (
            lambda: dealer_outcomes(house("deshmukh"), "T"),
            UnsupportedRuleError,
            (
                "the non-standard solver cannot honour dealer_outcomes: with a non-standard ace "
                "or dealer rule they depend on the player's hand"
            ),
        ),
        (lambda: ask("8T", "A", CERTAIN, rules="6D"), NoExactValueError, NOT_ASKED),
        (lambda: ask("8T", "A", CERTAIN, rules="6D LS"), NoExactValueError, NOT_ASKED),
        (lambda: ask("8T", "A", CERTAIN, rules=SOFTENED), NoExactValueError, NOT_ASKED),
        (lambda: dealer_outcomes(RULES, "A", shoe=[1, *[0] * 8, 11]), NoExactValueError, NOT_ASKED),
    ],
)
def test_impossible_questions_get_one_clear_line(question, kind, sentence):
    with pytest.raises(kind) as caught:
        question()
    assert str(caught.value) == sentence


@pytest.mark.parametrize(
    ("rules", "named"),
    [
        ("6D SPINF", "SPINF"),
        ("1D shows_upcard=false NOINS hole_card=no-peek", "shows_upcard=false"),
        ("6D OBO charlie=6", "charlie=6"),
        ("6D OBO natural_ties_21=true", "natural_ties_21=true"),
        ("6D OBO split_naturals=always", "split_naturals=always"),
        ("6D ace_rule=one-softened", "SP4"),
    ],
)
def test_a_rule_without_an_exact_method_is_refused_by_name(rules, named):
    with pytest.raises(UnsupportedRuleError) as error:
        expected_value(Rules.parse(rules))
    assert error.value.rule == named


def test_full_memory_refuses_what_it_cannot_follow():
    for text in ("1D SP2 charlie=6", "1D SP2 player_21=wins", "1D SP3 split_by=rank"):
        with pytest.raises(UnsupportedRuleError, match="splits=full"):
            solve(Rules.parse(text), "TT", "6", splits="full")
    assert solve(Rules.parse("1D SP2 split_by=rank"), "KK", "6", splits="full").ev["split"]


def test_an_infinite_deck_has_no_shoe_to_take_cards_from():
    with pytest.raises(UnsupportedRuleError, match="shoe="):
        solve(Rules.parse("INF"), "T6", "9", shoe="6D")
    with pytest.raises(RulesError):
        solve_game(Rules.parse("INF"), shoe="6D")
    with pytest.raises(UnsupportedRuleError, match="effects_of_removal"):
        effects_of_removal(Rules.parse("INF"))
    with pytest.raises(UnsupportedRuleError, match="INF"):
        costliest_cells(Rules.parse("INF"), basic_strategy(Rules.parse("INF")))


@pytest.mark.parametrize("name", ["lott", "seven-hands", "roanoke", "european"])
def test_every_ordinary_house_has_dealer_outcomes(name):
    assert sum(dealer_outcomes(house(name), "T")) == pytest.approx(1, abs=1e-14)


@pytest.mark.parametrize(
    "name", ["deshmukh", "seven-hands", "mdp", "lott", "roanoke", "european", "helsinki"]
)
def test_every_house_has_an_exact_value(name):
    game = solve_game(house(name))
    assert -0.08 < game.ev < 0.02
    assert game.notes


@pytest.mark.parametrize(
    ("hand", "shoe"),
    [
        ((7, 9), (1, 0, 0, 0, 0, 3, 8, 2, 5, 7)),
        ((6, 6), (1, 0, 0, 0, 0, 7, 6, 2, 3, 2)),
        ((7, 7), (1, 0, 0, 0, 0, 0, 4, 0, 4, 7)),
    ],
)
@pytest.mark.parametrize("has_looked", [False, True])
def test_a_dealer_who_cannot_bust_has_no_chance_below_0(hand, shoe, has_looked):
    """A2: what is left of 1 was -1e-16, and so was the chance to win by standing."""
    solver = choose_solver(Rules.parse("6D SP1"), (0, *shoe), upcards=(1,), pairs=())
    asked = AskedHand(hand, 1, has_looked=has_looked)
    assert min(solver.dealer_outcomes(asked)) == 0.0
    chances = solver.outcome_probabilities(asked, Action.STAND)
    assert min(chances.win, chances.push, chances.lose) == 0.0


def test_a_natural_that_is_certain_has_a_value_where_the_dealer_has_not_looked():
    early = ask("8T", "A", CERTAIN, rules="6D ES")
    assert (early.ev["stand"], early.ev["surrender"], early.dealer.natural) == (-1.0, -0.5, 1.0)
    assert ask("8T", "A", CERTAIN, rules="6D ENHC").ev["double"] == -2.0
