"""What the infinite-deck solver offers: values, charts, refusals."""

import math

import pytest

import upcard
from upcard import Action, NotationError, Rules, UnsupportedRuleError, house, house_names
from upcard.core.cards import RANKS, UPCARD_ORDER
from upcard.exact.infinite import InfiniteSolver, as_infinite
from upcard.exact.solver_results import AskedHand, best_action
from upcard.strategy.chart import HAND_LABELS, Strategy


@pytest.mark.parametrize(
    ("tokens", "ev"),
    [
        # The first agrees with Wizard of Odds, blackjack appendix 1 (-0.511734 %).
        ("S17 PEEK DOA DAS SP4 NRSA NS 3:2", -0.00511733637),
        ("H17 PEEK DOA DAS SP4 NRSA NS 3:2", -0.00731095772),
        ("S17 PEEK DOA NDAS SP4 NRSA NS 3:2", -0.00652538254),
        ("S17 PEEK DOA DAS SP4 NRSA LS 3:2", -0.00426223165),
    ],
)
def test_the_value_of_the_game_is_the_known_one(tokens, ev):
    assert InfiniteSolver(Rules.parse(f"INF {tokens}")).game_ev == pytest.approx(ev, abs=1e-11)


@pytest.mark.fast_cases(14)
@pytest.mark.parametrize("base", ["INF", "INF ENHC", "INF OBO H17", "INF(9/20) ENHC LS"])
@pytest.mark.parametrize(
    ("less", "more"),
    [
        ("ND", "D10"),
        ("D10", "D9"),
        ("D9", "DOA"),
        ("DOA", "DANY"),
        ("NDAS", "DAS"),
        ("SP1", "SP2"),
        ("SP2", "SP3"),
        ("SP3", "SP8"),
        ("SP8", "SPINF"),
        ("NRSA", "RSA"),
        ("NHSA", "HSA"),
        ("HSA", "HSA double_split_aces=true"),
        ("split_by=rank", "split_by=value"),
        ("player_21=stands", "player_21=asked"),
        ("D9", "DH"),
        ("DH", "DOA"),
        ("SP1 6CC", "SP1 5CC"),
        ("SP1 5CC", "SP1 5CC(2:1)"),
        ("MS16", "MS15"),
        ("TALL", "T17"),
        ("BJL", "natural_tie=push"),
        ("natural_tie=push", "BJW"),
        ("3:2", "BJS(2:1)"),
        ("INS(1:1)", "INS(5:2)"),
        ("6:5", "3:2"),
        ("P22", "pushes_22=false"),
        ("free_double=none", "FD9-11"),
        ("P22 FD9-11", "P22 FDANY"),
        ("free_split=none", "FSN4T"),
        ("FSN4T", "FSNT"),
        ("P22 FSNT", "P22 FSANY"),
        ("FSNT SP2", "FSNT SP3"),
        ("FSNT SP8", "FSNT SPINF"),
        ("FSNT NS8", "FSNT"),
        ("RSA SPA2", "RSA SPA3"),
    ],
)
def test_one_more_option_never_costs_anything(base, less, more):
    without = InfiniteSolver(Rules.parse(f"{base} {less}"))
    with_it = InfiniteSolver(Rules.parse(f"{base} {more}"))
    assert with_it.game_ev >= without.game_ev - 1e-14
    for up in RANKS:
        assert with_it.value_round(up).ev >= without.value_round(up).ev - 1e-14


def test_surrender_never_costs_anything():
    for base in ("INF", "INF ENHC"):
        none, late, any_cards, v_ten, early = (
            InfiniteSolver(Rules.parse(f"{base} {token}")).game_ev
            for token in ("NS", "LS", "LSX", "ES10", "ES")
        )
        assert none < late < any_cards < early
        assert none < v_ten < early


@pytest.mark.parametrize(
    ("rules", "rule"),
    [
        ("6D", "6D"),
        ("INF ENHC NOINS shows_upcard=false", "shows_upcard=false"),
        ("INF hole_card=no-peek player_21=wins", "player_21=wins"),
        ("INF OBO natural_ties_21=true", "natural_ties_21=true"),
        ("INF OBO split_naturals=always", "split_naturals=always"),
        ("INF OBO split_naturals=on-tens", "split_naturals=on-tens"),
        ("INF OBO 5CC", "charlie=5"),
        ("INF OBO W21", "player_21=always-wins"),
        ("INF OBBO turn_order=round-robin", "turn_order=round-robin"),
        ("INF BB1", "natural_takes=busted-and-one"),
        ("INF ZOMBIE UP2", "busts_live=true"),
        ("INF FSNT turn_order=round-robin", "turn_order=round-robin"),
    ],
)
def test_a_rule_that_is_not_honoured_is_refused_by_name(rules, rule):
    with pytest.raises(UnsupportedRuleError) as caught:
        InfiniteSolver(Rules.parse(rules))
    assert caught.value.rule == rule
    assert str(caught.value).startswith(f"the infinite-deck solver cannot honour {rule}: ")


@pytest.mark.parametrize(
    "tokens",
    [
        "SP1 hole_card=no-peek player_21=wins",
        "player_21=wins",
        "OBO SP1 natural_ties_21=true",
        "OBO SP1 split_naturals=always",
        "OBO SP1 5CC",
        "OBO SP1 W21",
        "OBBO SP1",
        "BB1 SP1",
        "FSNT SP2 turn_order=round-robin",
        "FDANY turn_order=round-robin",
    ],
)
def test_what_is_refused_with_splits_or_without_a_peek_is_solved_otherwise(tokens):
    assert math.isfinite(InfiniteSolver(Rules.parse(f"INF {tokens}")).game_ev)


BY_CARDS = {
    "sydney": "natural_takes=busted-and-one",
    "spanish-21": "rescue=true",
    "pontoon-au": "bonuses",
    "switch": "switch=true",
}
"""Houses whose values depend on the cards of hands or on all hands of a split: the first rule."""


@pytest.mark.parametrize(("name", "rule"), BY_CARDS.items())
def test_houses_that_need_cards_are_refused_by_name(name, rule):
    with pytest.raises(UnsupportedRuleError, match=rule):
        InfiniteSolver(as_infinite(house(name)))


@pytest.mark.parametrize("name", sorted(set(house_names()) - set(BY_CARDS)))
def test_every_house_is_solved_on_an_infinite_deck(name):
    rules = house(name)
    solution = InfiniteSolver(as_infinite(rules))
    assert -0.15 < solution.game_ev < 0.05
    chart = solution.chart()
    assert Strategy.parse(str(chart)) == chart
    assert "infinite deck" in chart.title


def test_an_infinite_deck_keeps_the_other_rules():
    rules = Rules.parse("6D H17 LS PEN80")
    assert as_infinite(rules) == Rules.parse("INF H17 LS")
    infinite = Rules.parse("INF(1/2)")
    assert as_infinite(infinite) is infinite


def test_values_are_of_the_legal_answers():
    solution = InfiniteSolver(Rules.parse("INF D9 LS"))
    hit, stand = Action.HIT, Action.STAND
    assert set(solution.values("T6", "9")) == {hit, stand, Action.SURRENDER}
    assert set(solution.values("11", 9)) == {hit, stand, Action.DOUBLE, Action.SURRENDER}
    assert set(solution.values("88", "A")) == {hit, stand, Action.SPLIT, Action.SURRENDER}
    assert set(solution.values("8 5 3", "T")) == {hit, stand}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("16", "T6"),
        ("16", "97"),
        ("16", (9, 7)),
        ("A7", "7A"),
        ("1010", "TT"),
        ("1010", "K♠ Q♥"),
        ("AA", "A A"),
        ("5", "2D3H"),
        ("19", "10 9"),
        ("12", "10 2"),
        ("8", "62"),
    ],
)
def test_hands_are_read_as_people_write_them(one, other):
    solution = InfiniteSolver(Rules.parse("INF"))
    assert solution.values(one, "10") == solution.values(other, 10)


@pytest.mark.parametrize(
    ("hand", "message"),
    [
        ("", "write two or more cards"),
        ("T", "write two or more cards"),
        ("TTT", "it is over 21"),
        ("XY", "unknown card"),
        ((10,), "two or more ranks"),
        ((10, 11), "two or more ranks"),
    ],
)
def test_what_is_no_hand_is_refused(hand, message):
    with pytest.raises(NotationError, match=message):
        InfiniteSolver(Rules.parse("INF")).values(hand, "6")


@pytest.mark.parametrize("upcard", ["1", "", "X", 0, 11])
def test_what_is_no_upcard_is_refused(upcard):
    with pytest.raises(NotationError, match=r"unknown card|upcard \d+: a rank"):
        InfiniteSolver(Rules.parse("INF")).values("16", upcard)


def test_hands_that_are_not_asked_have_the_value_of_standing():
    solution = InfiniteSolver(Rules.parse("INF ENHC"))
    assert solution.values("AT", "6") == {Action.STAND: 1.5}
    assert solution.values("AK", "A") == {Action.STAND: pytest.approx(1.5 * 9 / 13)}
    assert set(solution.values("777", "6")) == {Action.STAND}
    asked = InfiniteSolver(Rules.parse("INF player_21=asked"))
    assert set(asked.values("777", "6")) == {Action.STAND, Action.HIT}


def test_early_surrender_is_weighed_before_the_dealer_looks():
    """14 v A: standing in a peek game is about -0.4 once he has none, but he may have one."""
    early = InfiniteSolver(Rules.parse("INF ES"))
    no_surrender = InfiniteSolver(Rules.parse("INF"))
    values = early.values("14", "A")
    assert values[Action.SURRENDER] == -0.5
    for action, ev in no_surrender.values("14", "A").items():
        assert values[action] == pytest.approx(ev * 9 / 13 - 4 / 13, abs=1e-14)
    assert early.best("14", "A") is Action.SURRENDER
    assert early.values("AT", "A") == {Action.STAND: pytest.approx(1.5 * 9 / 13)}
    assert early.values("14", "9") == no_surrender.values("14", "9") | {Action.SURRENDER: -0.5}


def test_the_offer_of_early_surrender_is_past_when_a_hand_has_three_cards():
    """A1: they counted the natural, as the two cards do to which it is offered before the look."""
    early = InfiniteSolver(Rules.parse("INF ES"))
    no_surrender = InfiniteSolver(Rules.parse("INF"))
    for up, natural in (("A", 4 / 13), ("T", 1 / 13), ("9", 0.0)):
        for hand in ("8 5 3", "7 7 7", "A 2 3"):
            assert early.values(hand, up) == no_surrender.values(hand, up)
        given_none = no_surrender.values("T 6", up)
        expected = {action: ev * (1 - natural) - natural for action, ev in given_none.items()}
        expected[Action.SURRENDER] = -0.5
        assert early.values("T 6", up) == pytest.approx(expected, abs=1e-14)


def test_surrender_against_tens_only_is_early_there_and_not_offered_elsewhere():
    tens, early, none = (
        InfiniteSolver(Rules.parse(f"INF {word}")) for word in ("ES10", "ES", "NS")
    )
    for hand in ("16", "88", "12"):
        assert tens.values(hand, "T") == early.values(hand, "T")
        assert tens.values(hand, "9") == none.values(hand, "9")
        assert tens.values(hand, "A") == none.values(hand, "A")
    assert tens.value_round(1) == none.value_round(1)


def test_surrender_on_any_number_of_cards_is_offered_on_three_and_not_after_a_split():
    late, any_cards = (InfiniteSolver(Rules.parse(f"INF {word}")) for word in ("LS", "LSX"))
    values = any_cards.values("8 5 3", "T")
    assert values[Action.SURRENDER] == -0.5
    assert (
        any_cards.values("2 3 4", "T")[Action.HIT] > late.values("2 3 4", "T")[Action.HIT] + 0.004
    )
    assert any_cards.values("88", "T")[Action.SPLIT] == late.values("88", "T")[Action.SPLIT]
    assert any_cards.chart().cells == late.chart().cells  # of two cards
    hit = any_cards.outcome_probabilities(AskedHand((2, 3), 10, 0, True), Action.HIT)
    assert hit.win + hit.push + hit.lose == pytest.approx(1, abs=1e-14)


def test_a_hand_that_wins_by_its_cards_needs_no_decision():
    """Four small cards under a 5-card charlie are hit that stand with three."""
    charlie = InfiniteSolver(Rules.parse("INF 5CC(3:2)"))
    assert charlie.values("2 2 3 3 4", "T") == {Action.STAND: 1.5}
    assert charlie.best("2 3 3 7", "6") is Action.HIT
    assert charlie.best("2 6 7", "6") is Action.STAND
    doubled = charlie.values("2 3 3 2", "6")
    assert Action.DOUBLE not in doubled
    any_number = InfiniteSolver(Rules.parse("INF 5CC(3:2) DANY"))
    doubled = any_number.values("2 3 3 2", "6")
    assert doubled[Action.DOUBLE] == pytest.approx(3.0, abs=1e-14)  # no card busts a hard 10
    assert doubled[Action.HIT] == pytest.approx(1.5, abs=1e-14)
    looked = AskedHand((2, 3, 3, 2), 10, 0, True)
    assert charlie.outcome_probabilities(looked, Action.HIT).win == pytest.approx(1, abs=1e-14)
    assert charlie.chart().title.endswith("the best chart for two cards on an infinite deck")


def test_a_hand_under_the_least_total_may_not_stand():
    solution = InfiniteSolver(Rules.parse("INF MS15"))
    assert Action.STAND not in solution.values("14", "6")
    assert Action.STAND not in solution.values("A3", "6")
    assert Action.STAND in solution.values("15", "6")
    chart = solution.chart()
    assert {chart.cell(label, 6)[-1] for label in ("12", "13", "14")} == {"H"}
    assert chart.cell("15", 6) == "S"


FREE_BETS = "INF H17 P22 FD9-11 FSNT RSA"


def test_free_hands_have_a_chart_of_their_own():
    """A free hand has nothing to lose: it hits where a paid one stands, and doubles soft hands."""
    solution = InfiniteSolver(Rules.parse(FREE_BETS))
    paid, free = solution.chart(), solution.free_chart()
    assert paid.title.endswith("the best chart for paid hands on an infinite deck")
    assert free.title.endswith("the best chart for free hands on an infinite deck")
    assert Strategy.parse(str(free)) == free
    cells = {("17", 9): "SH", ("14", 2): "SH", ("A8", 6): "SDs", ("55", 6): "DhP", ("44", 10): "PP"}
    assert {key: paid.cell(*key) + free.cell(*key) for key in cells} == cells
    assert free.cell("1010", 6) == "S"  # they are never free
    no_fours = InfiniteSolver(Rules.parse("INF P22 FD9-11 FSN4T 5CC")).free_chart()
    assert no_fours.cell("44", 6) == no_fours.cell("8", 6)
    assert no_fours.cell("AA", 6) == "S"  # split aces get one card
    assert "for free hands of two cards" in no_fours.title


@pytest.mark.parametrize("tokens", ["", "FD9-11", "FSNT SP1", "FSN4T never_split=23456789A"])
def test_a_house_without_free_hands_has_no_chart_for_them(tokens):
    solution = InfiniteSolver(Rules.parse(f"INF {tokens}"))
    with pytest.raises(UnsupportedRuleError, match="no hand of this house is free"):
        solution.free_chart()
    assert "paid" not in solution.chart().title


def test_a_chart_is_followed_by_free_hands_too():
    """It costs what they would gain by a chart of their own."""
    rules = Rules.parse(FREE_BETS)
    best = upcard.solve_game(rules)
    followed = upcard.solve_game(rules, strategy=upcard.basic_strategy(rules))
    assert best.ev - 1e-4 < followed.ev < best.ev - 1e-5
    assert "Free hands follow the chart too." in followed.notes
    assert "Free hands follow the chart too." not in best.notes


def test_chances_of_a_free_double_and_of_a_push_with_22():
    """What is lost is one bet, what is won two; all chances sum to 1."""
    solution = InfiniteSolver(Rules.parse("INF ENHC P22 FD9-11"))
    for up in (1, 6, 10):
        values = solution.values("9 2", up)
        asked = AskedHand((9, 2), up, 0, False)
        double = solution.outcome_probabilities(asked, Action.DOUBLE)
        assert 2 * double.win - double.lose == pytest.approx(values[Action.DOUBLE], abs=1e-14)
        stand = solution.outcome_probabilities(asked, Action.STAND)
        assert stand.win - stand.lose == pytest.approx(values[Action.STAND], abs=1e-14)
        assert stand.push > 0
        for chances in (double, stand):
            assert chances.win + chances.push + chances.lose == pytest.approx(1, abs=1e-14)


def test_hands_that_won_at_once_are_paid_against_a_22():
    push, plain = (InfiniteSolver(Rules.parse(f"INF 5CC W21 {word}")) for word in ("P22", ""))
    for hand in ("AT", "7 7 7", "2 2 3 3 4"):
        assert push.values(hand, 6) == plain.values(hand, 6)
    assert push.values("T T", 6)[Action.STAND] < plain.values("T T", 6)[Action.STAND] - 0.06


def test_late_surrender_loses_all_to_a_natural_without_a_peek():
    late = InfiniteSolver(Rules.parse("INF ENHC LS"))
    assert late.values("16", "T")[Action.SURRENDER] == pytest.approx(-0.5 - 1 / 26)
    assert late.values("16", "9")[Action.SURRENDER] == -0.5
    peek = InfiniteSolver(Rules.parse("INF LS"))
    assert peek.values("16", "T")[Action.SURRENDER] == -0.5


def test_insurance_and_even_money_have_values_where_they_are_offered():
    fair = Rules.parse("INF")
    assert upcard.solve(fair, "88", "A").insurance_ev == pytest.approx(-1 / 26)
    natural = upcard.solve(fair, "AT", "A")
    assert natural.even_money_ev == pytest.approx(1 - 1.5 * 9 / 13)
    assert not InfiniteSolver(fair).chart().takes_insurance
    rich = Rules.parse("INF(2/5)")
    assert upcard.solve(rich, "88", "A").insurance_ev == pytest.approx(1 / 10)
    assert InfiniteSolver(rich).chart().takes_insurance
    none = Rules.parse("INF(2/5) NOINS")
    natural = upcard.solve(none, "AT", "A")
    assert (natural.insurance_ev, natural.even_money_ev) == (None, None)
    assert not InfiniteSolver(none).chart().takes_insurance


def test_the_chart_holds_the_best_answers_and_what_else():
    solution = InfiniteSolver(Rules.parse("INF ES"))
    chart = solution.chart()
    letters = {
        Action.HIT: "H",
        Action.STAND: "S",
        Action.DOUBLE: "D",
        Action.SPLIT: "P",
        Action.SURRENDER: "R",
    }
    for label in HAND_LABELS:
        for up in UPCARD_ORDER:
            assert chart.cell(label, up)[0] == letters[solution.best(label, up)]
    known = {("16", 9): "Rh", ("A7", 4): "Ds", ("11", 6): "Dh", ("88", 1): "Rp", ("77", 1): "Rh"}
    assert {key: chart.cell(*key) for key in known} == known
    assert chart.cell("17", 1) == "Rs"


@pytest.mark.parametrize(
    ("values", "best"),
    [
        ((0.1, 0.1, 0.1, 0.1, 0.1), Action.STAND),
        ((0.1, 0.1 + 1e-10, 0.0, 0.0, 0.0), Action.STAND),
        ((0.1, 0.1 + 1e-8, 0.0, 0.0, 0.0), Action.HIT),
        ((-1.0, -1.0, -0.5, -0.5, -0.5), Action.DOUBLE),
        ((0.0, 0.0, 0.0, math.inf, 0.0), Action.SPLIT),
        ((-1.0, -1.0, -1.0, -1.0, -0.5), Action.SURRENDER),
    ],
)
def test_of_equals_the_simplest_is_best(values, best):
    order = (Action.STAND, Action.HIT, Action.DOUBLE, Action.SPLIT, Action.SURRENDER)
    assert best_action(dict(zip(order, values, strict=True))) is best


@pytest.mark.parametrize(("p", "diverges"), [("49/100", False), ("1/2", True), ("3/4", True)])
def test_endless_splits_diverge_only_where_they_pay(p, diverges):
    solution = InfiniteSolver(Rules.parse(f"INF({p}) ENHC SPINF"))
    assert (solution.values("1010", "6")[Action.SPLIT] == math.inf) is diverges
    assert solution.best("1010", "6") is Action.SPLIT
    assert (solution.game_ev == math.inf) is diverges
    assert math.isfinite(solution.values("1010", "A")[Action.SPLIT])
    assert solution.best("1010", "A") is Action.STAND
    assert math.isfinite(solution.values("88", "6")[Action.SPLIT])


def test_tens_of_unequal_faces_stop_the_divergence():
    """With four faces a ten is split again one time in four: 0.6/4 is far under one half."""
    solution = InfiniteSolver(Rules.parse("INF(3/5) ENHC SPINF split_by=rank"))
    assert math.isfinite(solution.game_ev)
    assert solution.best("KK", "6") is Action.SPLIT


@pytest.mark.parametrize(
    "tokens",
    [
        "S17 DAS SP4",
        "H17 LS NDAS SP2",
        "ENHC D9 RSA HSA SP3",
        "ES SPINF",
        "DANY OBO SP4",
        "INF(1/3)",
    ],
)
def test_the_best_chart_followed_is_worth_the_best_play(tokens):
    """On an infinite deck totals are all there is to know."""
    rules = upcard.Rules.parse(tokens if "INF(" in tokens else f"INF {tokens}")
    chart = upcard.basic_strategy(rules)
    followed = upcard.expected_value(rules, strategy=chart)
    assert followed == pytest.approx(upcard.expected_value(rules), abs=1e-12)


def test_a_worse_chart_followed_is_worth_less_and_many_decks_come_near_it():
    stands = ("17", "18", "19", "A6", "A7", "A8", "A9", "99", "1010")
    rows = "\n".join(
        f"{label}\t{' '.join(('S' if label in stands else 'H') * 10)}" for label in HAND_LABELS
    )
    mimic = upcard.Strategy.parse(rows)
    infinite = upcard.expected_value(upcard.Rules.parse("INF NOINS"), strategy=mimic)
    four, eight = (
        upcard.expected_value(upcard.Rules.parse(f"{decks}D NOINS"), strategy=mimic)
        for decks in (4, 8)
    )
    assert infinite < upcard.expected_value(upcard.Rules.parse("INF NOINS")) - 0.02
    assert 2 * eight - four == pytest.approx(infinite, abs=4e-5)


def test_a_chart_that_splits_tens_without_end_may_lose_without_end():
    rules = upcard.house("mdp").replace(ten_probability="1/2")
    chart = upcard.policy("1/2")
    always = upcard.Strategy.parse(
        "\n".join(
            f"{label}\t" + " ".join("P" * 10 if label == "1010" else letters)
            for label, letters in chart
        )
    )
    assert upcard.expected_value(rules, strategy=upcard.Strategy.parse(str(chart))) == float("inf")
    game = upcard.solve_game(rules, strategy=always)
    assert game.by_upcard["T"] == float("-inf")
    assert game.by_upcard["6"] == float("inf")


def test_dealer_outcomes_of_an_infinite_deck_sum_to_1():
    for up in ("A", "6", "T"):
        for tokens in ("INF", "INF ENHC H17"):
            outcomes = upcard.dealer_outcomes(upcard.Rules.parse(tokens), up)
            assert sum(outcomes) == pytest.approx(1, abs=1e-14)
