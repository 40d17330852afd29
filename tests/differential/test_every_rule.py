"""Each setting at each other value: the simulator does as the table does, or refuses it by its row.

With its check turned off, it must be wrong about a rule that it refuses: it plays or pays
another round than the table, or none. So a row that calls a refused rule honoured is found, and one
that refuses an honoured rule.
"""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from engine_walk import Walk
from naive_dealer import OutOfCardsError, shoe_of
from random_jobs import SENSIBLE, choose_chart
from random_rules import ODD_VALUES, vary
from test_simulator_and_table import compare, shuffle_cards
from test_table_and_solver import CHARTS, SHOES, SHOWN_CHARTS, ChartPlay

import upcard
from upcard.core.cards import DECK, Card
from upcard.core.errors import BlackjackError
from upcard.rules import engines
from upcard.rules.payoffs import pays_by_suit
from upcard.rules.settings import (
    SETTINGS,
    EngineName,
    FreeDouble,
    FreeSplit,
    HoleCard,
    NaturalTakes,
)
from upcard.simulation import lower
from upcard.simulation.job import Job, find_unsupported
from upcard.strategy.chart import PAIR_LABELS, ROWS, Strategy

NO_HOLE = {"hole_card": HoleCard.NONE}
ACES_AND_TENS = [Card(name) for name in ("AS", "TS", "KH", "QD")]


def test_each_setting_has_a_value_off_its_default():
    unseen = set(SETTINGS) - {name for name, _ in ODD_VALUES}
    assert unseen == {"switch", "side_bets"}  # they have tests of their own beside these


def compare_many(job, shoes):
    """Compare shuffled shoes, and as many with naturals, pairs and splits everywhere."""
    for number in range(shoes):
        cards = shuffle_cards(job, number)
        compare(job, cards)
        rare = random.Random(number).choices([*ACES_AND_TENS, *DECK[:4]], k=52)
        compare(job, (rare * len(cards))[: len(cards)])


@pytest.mark.fast_cases(12)
@pytest.mark.parametrize(
    ("name", "value"), ODD_VALUES, ids=[f"{name}={value}" for name, value in ODD_VALUES]
)
def test_the_simulator_plays_each_rule_as_the_table_or_refuses_it(name, value, monkeypatch):
    rules = vary(name, value, decks=2)
    rng = random.Random(7)
    chart = choose_chart(lambda options: rng.choice(tuple(options)), SENSIBLE, rules)
    labels = ROWS[chart.columns]
    cells = [
        ("P",) * len(row) if label in PAIR_LABELS else row
        for label, row in zip(labels, chart.cells, strict=True)
    ]
    chart = replace(chart, cells=tuple(cells), takes_insurance=rules.insurance)
    job = Job(rules=rules, strategy=chart, seed=7, spots=min(3, rules.max_spots))
    refusals = find_unsupported(rules)
    if not refusals:
        compare_many(job, shoes=12)
        return
    assert {rule.partition("=")[0] for rule, _ in refusals} == {name}
    if name == "betting":  # it is played alike: what is refused is to report money
        return
    monkeypatch.setattr(lower, "check_supported", lambda _: None)
    lower.lower.cache_clear()
    with pytest.raises((AssertionError, BlackjackError, KeyError)):
        compare_many(job, shoes=200)
    lower.lower.cache_clear()


KINDS = {
    "": {},
    "OBO": NO_HOLE | {"natural_takes": NaturalTakes.ORIGINAL},
    "UP2": {"shows_hole": True, "insurance": False},
    "free": {"free_split": FreeSplit.ANY, "free_double": FreeDouble.TWO_CARDS},
}
"""Games in which a solver may refuse what it honours elsewhere."""
LEFT_OUT = ("decks", "ace_rule", "dealer_rule", "split_by", "max_doubles", "rescue")
"""Rules of other solvers; faces that ranks do not show; a chart of doubled hands."""


IN = {kind: {"decks": 6, "max_hands": 2} | base for kind, base in KINDS.items()}


def is_solved(name, value, kind):
    """Whether such a game can have the rule, and a small shoe has cards for it, without suits."""
    if name in KINDS[kind] or name in LEFT_OUT or (name, value) == ("max_hands", 8):
        return False
    rules = vary(name, value, **IN[kind])
    return getattr(rules, name) == value and not pays_by_suit(rules)


SOLVED = [(*case, kind) for kind in KINDS for case in ODD_VALUES if is_solved(*case, kind)]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "value", "kind"),
    SOLVED,
    ids=[f"{kind} {name}={value}" for name, value, kind in SOLVED],
)
def test_the_solver_values_each_rule_as_the_table_or_refuses_it(name, value, kind, monkeypatch):
    rules = vary(name, value, **IN[kind])
    charts = SHOWN_CHARTS if rules.shows_hole else CHARTS

    def agree():
        for chart, cards in (("mimic", "aces"), ("odd", "lows")):
            strategy, shoe = Strategy.parse(charts[chart]), shoe_of(SHOES[cards])
            walked = float(Walk(rules, ChartPlay(strategy)).game_value(shoe))
            solved = upcard.expected_value(rules, strategy=strategy, shoe=shoe)
            assert solved == pytest.approx(walked, rel=0, abs=1e-12)

    if not list(engines.find_refusals(rules, EngineName.FINITE)):
        agree()
        return
    monkeypatch.setattr(engines, "check", lambda *_: None)
    with pytest.raises((AssertionError, BlackjackError, OutOfCardsError)):
        agree()
