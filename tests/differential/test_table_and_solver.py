"""Three ways to the value of a round: the table's every card, the naive twin, the exact solver.

The table is walked and the twin played in exact fractions, so these two must be equal.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import cycle

import naive_exact as naive
import naive_insurance
import pytest
from engine_walk import Walk, ranks_of
from naive_chart import follow_chart
from naive_dealer import shoe_of

import upcard
from upcard.core.actions import Action
from upcard.players.bots import ChartPlayer
from upcard.rules.model import Rules
from upcard.strategy.chart import DEALER_LABELS, PAIR_LABELS, ROWS, UPCARD_LABELS, Strategy
from upcard.table import Phase, view

ACTIONS = {
    "stand": Action.STAND,
    "hit": Action.HIT,
    "double": Action.DOUBLE,
    "split": Action.SPLIT,
    "surrender": Action.SURRENDER,
}
SHOES = {
    "fives": {1: 3, 5: 4, 8: 5, 10: 5},
    "sixes": {1: 4, 6: 5, 9: 4, 10: 6},
    "sevens": {4: 3, 7: 5, 10: 6},
    "aces": {1: 5, 7: 4, 10: 6},
    "lows": {1: 3, 2: 3, 4: 3, 10: 7},
    "poor": {1: 3, 6: 5, 9: 5, 10: 6},
}
NO_HOLE = {"hole_card": "none"}
ORIGINAL = {"hole_card": "none", "natural_takes": "original"}
SHOWN = {"shows_hole": True}
TWO = {"max_hands": 2}
THREE = {"max_hands": 3}
CASES = (
    ("SP2", TWO, "fives"),
    ("SP2 ENHC H17", TWO | NO_HOLE | {"soft_17": "hit"}, "sixes"),
    ("SP2 ENHC", TWO | NO_HOLE, "fives"),
    ("SP2 OBO", TWO | ORIGINAL, "fives"),
    ("SP2 hole_card=no-peek", TWO | {"hole_card": "no peek"}, "sevens"),
    ("SP2 LS", TWO | {"surrender": "late"}, "aces"),
    ("SP2 ES", TWO | {"surrender": "early"}, "aces"),
    ("SP2 ENHC LS", TWO | NO_HOLE | {"surrender": "late"}, "sixes"),
    ("SP2 ENHC ES", TWO | NO_HOLE | {"surrender": "early"}, "fives"),
    ("SP2 OBO LS", TWO | ORIGINAL | {"surrender": "late"}, "sixes"),
    ("SP2 ENHC D9", TWO | NO_HOLE | {"double_on": "9 to 11"}, "sixes"),
    ("SP2 ENHC D10", TWO | NO_HOLE | {"double_on": "10 to 11"}, "fives"),
    ("SP2 ENHC DANY", TWO | NO_HOLE | {"double_on": "any number"}, "fives"),
    ("SP2 ENHC ND", TWO | NO_HOLE | {"double_on": "never"}, "fives"),
    ("SP2 NDAS", TWO | {"das": False}, "sevens"),
    ("SP1", {"max_hands": 1}, "sixes"),
    ("SP3", THREE, "sevens"),
    ("SP4", {}, "sevens"),
    ("SP3 OBO", THREE | ORIGINAL, "fives"),
    ("SP3 RSA", THREE | {"rsa": True}, "aces"),
    ("SP2 HSA", TWO | {"hsa": True}, "aces"),
    ("SP3 ENHC RSA HSA", THREE | NO_HOLE | {"rsa": True, "hsa": True}, "fives"),
    (
        "SP2 HSA double_split_aces=true",
        TWO | {"hsa": True, "double_split_aces": True},
        "aces",
    ),
    ("SP2 split_naturals=on-tens", TWO | {"split_naturals": "on tens"}, "aces"),
    (
        "SP3 ENHC RSA split_naturals=always",
        THREE | NO_HOLE | {"rsa": True, "split_naturals": "always"},
        "aces",
    ),
    ("SP2 6:5", TWO | {"natural_pays": Fraction(6, 5)}, "aces"),
    ("SP2 ENHC natural_ties_21=true", TWO | NO_HOLE | {"natural_ties_21": True}, "fives"),
    ("SP1 charlie=5", {"max_hands": 1, "charlie": 5}, "lows"),
    (
        "SP2 ENHC DANY charlie=5",
        TWO | NO_HOLE | {"double_on": "any number", "charlie": 5},
        "lows",
    ),
    ("SP2 ENHC T17-19", TWO | NO_HOLE | {"lost_ties": 19}, "fives"),
    ("SP2 TALL", TWO | {"lost_ties": 21}, "sevens"),
    ("SP2 UP2 TALL BJW", TWO | SHOWN | {"lost_ties": 21, "natural_tie": "win"}, "fives"),
    ("SP2 UP2 LS H17", TWO | SHOWN | {"surrender": "late", "soft_17": "hit"}, "sixes"),
    ("SP1 BJL", {"max_hands": 1, "natural_tie": "lose"}, "sixes"),
    (
        "SP2 ENHC BJW split_naturals=always",
        TWO | NO_HOLE | {"natural_tie": "win", "split_naturals": "always"},
        "aces",
    ),
    ("SP2 ENHC W21", TWO | NO_HOLE | {"player_21": "always wins"}, "fives"),
    (
        "SP2 ENHC DANY charlie=4 charlie_pays=2",
        TWO | NO_HOLE | {"double_on": "any number", "charlie": 4, "charlie_pays": Fraction(2)},
        "lows",
    ),
    ("SP2 ENHC DH", TWO | NO_HOLE | {"double_on": "hard"}, "aces"),
    ("SP2 OBO D3X", TWO | ORIGINAL | {"double_stake": 3}, "fives"),
    ("SP1 ES10", {"max_hands": 1, "surrender": "early-v-ten"}, "poor"),
    ("SP2 ENHC LSX", TWO | NO_HOLE | {"surrender": "any-cards"}, "poor"),
    ("SP2 LSX", TWO | {"surrender": "any-cards"}, "aces"),
    ("SP2 ENHC MS16 HSA", TWO | NO_HOLE | {"min_stand": 16, "hsa": True}, "fives"),
    (
        "SP1 BB1 D3X",
        {"max_hands": 1, "natural_takes": "busted-and-one", "double_stake": 3} | NO_HOLE,
        "fives",
    ),
    (
        "SP1 OBBO DANY",
        {"max_hands": 1, "natural_takes": "original-and-busted", "double_on": "any number"}
        | NO_HOLE,
        "sixes",
    ),
    ("SP2 BB1", TWO | NO_HOLE | {"natural_takes": "busted-and-one"}, "fives"),
    ("SP3 BB1", THREE | NO_HOLE | {"natural_takes": "busted-and-one"}, "sevens"),
    ("SP3 OBBO", THREE | NO_HOLE | {"natural_takes": "original-and-busted"}, "fives"),
    ("SP2 P22", TWO | {"pushes_22": True}, "aces"),
    ("SP2 ENHC FSNT", TWO | NO_HOLE | {"free_splits": range(1, 10)}, "fives"),
    (
        "SP3 FSNT FD9-11",
        THREE | {"free_splits": range(1, 10), "free_double": "two cards"},
        "sevens",
    ),
    ("SP3 FSANY RSA HSA", THREE | {"free_splits": range(1, 11), "rsa": True, "hsa": True}, "aces"),
    (
        "SP2 OBO FSN4T FDANY P22",
        TWO | ORIGINAL | {"free_splits": (1, 5, 8), "free_double": "any number", "pushes_22": True},
        "fives",
    ),
    (
        "SP2 H17 ENHC FDANY D3X charlie=4 charlie_pays=2",
        TWO
        | NO_HOLE
        | {"soft_17": "hit", "free_double": "any number", "double_stake": 3}
        | {"charlie": 4, "charlie_pays": Fraction(2)},
        "lows",
    ),
)


class BestPlay:
    """Answers the table's questions as the naive twin would, by the cards."""

    def __init__(self, facts, shoe, splits="CDZ-"):
        self.facts = facts
        self.shoe = shoe
        self.splits = splits
        self.games = {}
        self.words = {}

    def __call__(self, state):
        hand = state.hands[state.active]
        cards, up = ranks_of(hand.cards), state.upcard.rank
        hole = state.dealer[1].rank if state.rules.shows_hole else None
        if (up, hole) not in self.games:
            game = naive.Game(self.facts, self.shoe, up, splits=self.splits, hole=hole)
            self.games[up, hole] = game
        game = self.games[up, hole]
        if not hand.is_split and len(cards) == 2:
            word = self.open(game, cards)
        elif Action.SPLIT in state.legal:
            word = "split"
        elif Action.HIT not in state.legal:
            word = "stand"
        else:
            out = known_pair_cards(state) if self.splits == "CDP" else ()
            word = game.choose(cards, out, hand.split_rank or None, int(hand.stake))
        return say(word, state)

    def open(self, game, cards):
        """Return the best first answer, with the dealer's natural still to come."""
        if (game, cards) not in self.words:
            values = {word: game.before_look(cards, word) for word in game.values(cards)}
            self.words[game, cards] = max(values, key=values.get)
        return self.words[game, cards]


def known_pair_cards(state):
    """Return the cards of the pair that other hands hold, once all splits are done."""
    pair = state.hands[state.active].split_rank
    others = (hand for number, hand in enumerate(state.hands) if number != state.active)
    return (pair,) * sum(card.rank == pair for hand in others for card in hand.cards[:2])


def say(word, state):
    """Turn a word into an answer; offers made by themselves are accepted or declined."""
    if state.phase is Phase.SPLIT:
        return Action.SPLIT if word == "split" else Action.NO_SPLIT
    if state.phase is Phase.SURRENDER:
        return Action.SURRENDER if word == "surrender" else Action.NO_SURRENDER
    return ACTIONS[word]


LONG_CASES = (
    "SP2",
    "SP2 ENHC ES",
    "SP2 ENHC LS",
    "SP2 OBO LS",
    "SP2 ENHC D10",
    "SP2 ENHC DANY charlie=5",
    "SP3",
    "SP3 OBO",
    "SP3 ENHC RSA HSA",
    "SP4",
    "SP3 FSNT FD9-11",
    "SP3 FSANY RSA HSA",
)


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize(
    ("text", "facts", "shoe_name"),
    [pytest.param(*case, marks=[pytest.mark.slow] * (case[0] in LONG_CASES)) for case in CASES],
)
def test_best_play_wins_at_the_table_what_twin_and_solver_say(text, facts, shoe_name):
    rules, shoe = Rules.parse(f"6D {text}"), shoe_of(SHOES[shoe_name])
    at_the_table = Walk(rules, BestPlay(facts, shoe)).game_value(shoe)
    assert naive.value_game(facts, shoe) == at_the_table
    game = upcard.solve_game(rules, shoe=shoe)
    solved = game.ev - game.insurance_ev
    assert solved == pytest.approx(float(at_the_table), rel=0, abs=1e-12)


@pytest.mark.parametrize("order", ["round-robin", "splits-first"])
def test_the_order_of_turns_makes_no_difference(order):
    facts, shoe = THREE | NO_HOLE, shoe_of(SHOES["sevens"])
    rules = Rules.parse(f"6D SP3 ENHC turn_order={order}")
    assert naive.value_game(facts, shoe) == Walk(rules, BestPlay(facts, shoe)).game_value(shoe)


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize(
    ("text", "facts", "shoe_name"),
    [("SP3 ENHC", THREE | NO_HOLE, "sevens"), ("SP2", TWO, "aces")],
)
def test_play_that_knows_all_cards_of_the_pair_wins_what_the_twin_says(text, facts, shoe_name):
    rules = Rules.parse(f"6D {text} turn_order=splits-first")
    shoe = shoe_of(SHOES[shoe_name])
    at_the_table = Walk(rules, BestPlay(facts, shoe, "CDP"), sees_pair_cards=True).game_value(shoe)
    assert naive.value_game(facts, shoe, splits="CDP") == at_the_table


# Fixed charts, read by the package at the table and in the solver, by the twin on its own.


def chart_text(pick, columns=UPCARD_LABELS):
    """Write a chart whose cell in row r and column c is `pick(label, r, c)`."""
    lines = ["\t".join(("hand", *columns))]
    for row, label in enumerate(ROWS[columns]):
        cells = (pick(label, row, column) for column, _ in enumerate(columns))
        lines.append("\t".join((label, *cells)))
    return "\n".join(lines) + "\n"


def mimic_cell(label, row, column):
    """Play like the dealer, but split every pair and double every other eleven."""
    if label in PAIR_LABELS:
        return "P"
    if label == "11":
        return "Dh" if column % 2 else "H"
    total = 11 + int(label[1]) if label.startswith("A") else int(label)
    return "S" if total >= 17 else "H"


def odd_cell(label, row, column):
    """Play anything, differently in every cell; a 20 draws in every other column."""
    if label == "20":
        return "H" if column % 2 else "S"
    if label not in PAIR_LABELS and not label.startswith("A") and int(label) >= 17:
        return "S"
    cells = ("H", "S", "Dh", "Ds", "Rh", "Rs", "P", "Rp")
    return cells[(3 * row + 5 * column + row * column) % (8 if label in PAIR_LABELS else 6)]


PICKS = {"mimic": mimic_cell, "odd": odd_cell}
CHARTS = {name: chart_text(pick) for name, pick in PICKS.items()}
SHOWN_CHARTS = {name: chart_text(pick, DEALER_LABELS) for name, pick in PICKS.items()}
CHART_CASES = [
    *(case for case in CASES if case[0] not in ("SP3", "SP4", "SP3 RSA")),
    ("SP4 ENHC", NO_HOLE, "sixes"),
    ("SP3 OBO RSA HSA", ORIGINAL | THREE | {"rsa": True, "hsa": True}, "aces"),
]


class ChartPlay:
    """Answers the table's questions as the player does who follows a chart."""

    def __init__(self, strategy):
        self.player = ChartPlayer(strategy)

    def __call__(self, state):
        return self.player.decide(view(state), state.legal)


@pytest.mark.slow
@pytest.mark.parametrize(("case", "chart"), [*zip(CHART_CASES, cycle(CHARTS), strict=False)])
def test_a_chart_wins_at_the_table_what_twin_and_solver_say(case, chart):
    text, facts, shoe_name = case
    rules, shoe = Rules.parse(f"6D {text}"), shoe_of(SHOES[shoe_name])
    written = (SHOWN_CHARTS if rules.shows_hole else CHARTS)[chart]
    strategy = Strategy.parse(written)
    at_the_table = Walk(rules, ChartPlay(strategy)).game_value(shoe)
    twin = naive.value_game(facts, shoe, strategy=follow_chart(written))
    assert twin == at_the_table
    solved = upcard.expected_value(rules, strategy=strategy, shoe=shoe)
    assert solved == pytest.approx(float(at_the_table), rel=0, abs=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("chart", CHARTS)
@pytest.mark.parametrize(
    ("text", "facts", "shoe_name"),
    [
        ("SP2 ENHC", TWO | NO_HOLE, "fives"),
        ("SP2 ENHC LS", TWO | NO_HOLE | {"surrender": "late"}, "sixes"),
        ("SP2 ES", TWO | {"surrender": "early"}, "aces"),
        ("SP3 ENHC RSA HSA", THREE | NO_HOLE | {"rsa": True, "hsa": True}, "aces"),
    ],
)
def test_a_pair_that_was_not_split_when_that_was_asked_is_still_played_by_its_row(
    text, facts, shoe_name, chart
):
    """Where splits come first, the rest of a pair's row holds once a split was declined."""
    rules, shoe = Rules.parse(f"6D {text} turn_order=splits-first"), shoe_of(SHOES[shoe_name])
    strategy = Strategy.parse(CHARTS[chart])
    at_the_table = Walk(rules, ChartPlay(strategy)).game_value(shoe)
    assert naive.value_game(facts, shoe, strategy=follow_chart(CHARTS[chart])) == at_the_table
    solved = upcard.expected_value(rules, strategy=strategy, shoe=shoe)
    assert solved == pytest.approx(float(at_the_table), rel=0, abs=1e-12)


@pytest.mark.parametrize(
    "text",
    [
        "SP2 HSA player_21=wins",
        "SP2 HSA player_21=asked",
        "SP2 player_21=wins",
    ],
)
def test_what_21_is_to_the_table_it_is_to_the_solver(text):
    rules, shoe = Rules.parse(f"6D {text}"), shoe_of(SHOES["aces"])
    strategy = Strategy.parse(CHARTS["mimic"])
    at_the_table = Walk(rules, ChartPlay(strategy)).game_value(shoe)
    solved = upcard.expected_value(rules, strategy=strategy, shoe=shoe)
    assert solved == pytest.approx(float(at_the_table), rel=0, abs=1e-12)


# Insurance and even money, answered hand by hand and by a chart.


class BestPlayWithOffers(BestPlay):
    """Answers insurance and even money too, each hand as it is best off."""

    def __call__(self, state):
        up = state.upcard.rank
        insured = bool(state.insurance.bets[0])
        whole = self.games.setdefault(
            (up, "whole"), naive_insurance.Game(self.facts, self.shoe, up)
        )
        self.games[up, None] = whole.insured if insured else whole
        if state.phase is not Phase.INSURANCE:
            return super().__call__(state)
        values = whole.answers(ranks_of(state.hands[0].cards))
        wanted = {"insurance": Action.INSURANCE, "even money": Action.EVEN_MONEY}.get(
            max(values, key=values.get)
        )
        return wanted if wanted in state.legal else state.legal[-1]


NO_PEEK = {"hole_card": "no peek"}
FIRST = {"even_money": "first"}
OFFER_CASES = [
    ("SP1", {"max_hands": 1}, "fives"),
    ("SP1 6:5", {"max_hands": 1, "natural_pays": Fraction(6, 5)}, "poor"),
    (
        "SP1 6:5 even_money=instead",
        {"max_hands": 1, "natural_pays": Fraction(6, 5), "even_money": "instead"},
        "poor",
    ),
    ("SP1 2:1 ENHC", {"max_hands": 1, "natural_pays": Fraction(2)} | NO_HOLE, "fives"),
    ("SP1 2:1 even_money=first", {"max_hands": 1, "natural_pays": Fraction(2)} | FIRST, "aces"),
    ("SP1 even_money=never OBO", {"max_hands": 1, "even_money": "never"} | ORIGINAL, "fives"),
    ("SP1 ES", {"max_hands": 1, "surrender": "early"}, "poor"),
    ("SP2 hole_card=no-peek", TWO | NO_PEEK, "fives"),
    ("SP1 hole_card=no-peek ES", {"max_hands": 1, "surrender": "early"} | NO_PEEK, "poor"),
    (
        "SP2 hole_card=no-peek ES turn_order=splits-first",
        TWO | {"surrender": "early", "surrender_first": True} | NO_PEEK,
        "poor",
    ),
    ("SP1 hole_card=no-peek LS", {"max_hands": 1, "surrender": "late"} | NO_PEEK, "poor"),
    (
        "SP1 hole_card=no-peek natural_takes=original even_money=first",
        {"max_hands": 1, "natural_takes": "original"} | NO_PEEK | FIRST,
        "fives",
    ),
    ("SP1 NOINS", {"max_hands": 1, "insurance": False}, "fives"),
    ("SP1 insurance_pays=5/2", {"max_hands": 1, "insurance_pays": Fraction(5, 2)}, "fives"),
    ("SP1 BJW", {"max_hands": 1, "natural_tie": "win"}, "fives"),
    ("SP1 BJL even_money=first", {"max_hands": 1, "natural_tie": "lose"} | FIRST, "aces"),
    (
        "SP1 hole_card=no-peek LSX insurance_pays=3",
        {"max_hands": 1, "surrender": "any-cards", "insurance_pays": Fraction(3)} | NO_PEEK,
        "poor",
    ),
]


LONG_OFFER = "SP2 hole_card=no-peek ES turn_order=splits-first"


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize(
    ("text", "facts", "shoe_name"),
    [
        pytest.param(*case, marks=[pytest.mark.slow] * (case[0] == LONG_OFFER))
        for case in OFFER_CASES
    ],
)
def test_insurance_wins_at_the_table_what_twin_and_solver_say(text, facts, shoe_name):
    rules, shoe = Rules.parse(f"6D {text}"), shoe_of(SHOES[shoe_name])
    play = BestPlayWithOffers(facts, shoe)
    at_the_table = Walk(rules, play, asked_offers=True).game_value(shoe)
    assert naive_insurance.value_game(facts, shoe) == at_the_table
    game = upcard.solve_game(rules, shoe=shoe)
    assert game.ev == pytest.approx(float(at_the_table), rel=0, abs=1e-12)
    assert (game.insurance_ev > 1e-9) == rules.insurance


@pytest.mark.fast_cases(3)
@pytest.mark.parametrize(("text", "facts", "shoe_name"), OFFER_CASES)
def test_a_chart_that_takes_insurance_wins_at_the_table_what_twin_and_solver_say(
    text, facts, shoe_name
):
    rules, shoe = Rules.parse(f"6D {text}"), shoe_of(SHOES[shoe_name])
    chart = CHARTS["odd"]
    strategy = Strategy.parse("# insurance: yes\n" + chart)
    assert strategy.takes_insurance
    at_the_table = Walk(rules, ChartPlay(strategy), asked_offers=True).game_value(shoe)
    follow = follow_chart(chart)
    twin = naive_insurance.value_game(facts, shoe, taking="always", strategy=follow)
    assert twin == at_the_table
    game = upcard.solve_game(rules, strategy=strategy, shoe=shoe)
    assert game.ev == pytest.approx(float(at_the_table), rel=0, abs=1e-12)
    declining = Walk(rules, ChartPlay(strategy)).game_value(shoe)
    part = pytest.approx(float(at_the_table - declining), rel=0, abs=1e-12)
    assert game.insurance_ev == part
