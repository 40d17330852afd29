"""The compiled simulator against the table: every decision, bet and settlement, card for card."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_rules import choose_rules
from scripted_kernel import record_script

from upcard.core.actions import Action
from upcard.core.cards import DECK, Card
from upcard.players.chart import ChartPlayer
from upcard.players.counting import CountingPlayer
from upcard.rules.settings import HoleCard, Surrender
from upcard.simulation.count_table import count_range
from upcard.simulation.job import Job
from upcard.simulation.support import find_unsupported
from upcard.strategy.chart import CELLS, HAND_LABELS, PAIR_LABELS, Strategy
from upcard.strategy.counting import CountBy, DeckEstimate, Rounding, load_system, system_names
from upcard.strategy.deviation import Deviation
from upcard.strategy.deviations import Deviations
from upcard.table.shoe import ScriptedShoe
from upcard.table.table import Table

JIT = os.environ.get("NUMBA_DISABLE_JIT", "0") in ("", "0")
EXAMPLES = 180 if JIT else 24
SHOES = 8
SUPPORTED = {
    "ace_rule": "best",
    "dealer_rule": "to-17",
    "shows_upcard": True,
    "natural_ties_21": False,
    "player_21": "stands",
    "charlie": None,
    "split_by": "value",
    "split_naturals": "never",
    "max_total_hands": None,
    "turn_order": "hand-by-hand",
    "betting": True,
    "max_spots": 7,
}
LETTERS = (Action.HIT, Action.STAND, Action.DOUBLE, Action.SPLIT, Action.SURRENDER)


def choose_supported_rules(choose):
    """Choose rules that the simulator honours; every rule of the notation is among them."""
    rules = choose_rules(choose)
    if rules.hole_card is HoleCard.NO_PEEK:
        hole_card = choose(("peek", "none"))
        rules = rules.replace(hole_card=hole_card, natural_takes="all", **SUPPORTED)
    rules = rules.replace(**SUPPORTED)
    assert not find_unsupported(rules)
    return rules


def choose_chart(choose, sensible: Strategy) -> Strategy:
    """Choose a chart: a sensible one with some cells changed at random."""
    rows = [list(row) for row in sensible.cells]
    for _ in range(choose((0, 3, 30))):
        row = choose(range(len(HAND_LABELS)))
        cells = (
            CELLS if HAND_LABELS[row] in PAIR_LABELS else [c for c in CELLS if "p" not in c.lower()]
        )
        rows[row][choose(range(10))] = choose(cells)
    insures = choose((False, True))
    return Strategy(cells=tuple(map(tuple, rows)), takes_insurance=insures)


def choose_system(choose):
    """Choose a count, and how exactly it is kept."""
    system = load_system(choose(system_names()))
    if system.by is CountBy.RUNNING:
        return system
    return system.replace(rounding=choose(tuple(Rounding)), decks_left=choose(tuple(DeckEstimate)))


def choose_deviations(choose, rules):
    """Choose plays at low indices, one of a kind for each cell."""
    plays = {}
    for _ in range(choose((0, 5, 40))):
        hand, upcard, action = choose(HAND_LABELS), choose(range(1, 11)), choose(LETTERS)
        if action is Action.SPLIT and hand not in PAIR_LABELS:
            continue
        if action is Action.SURRENDER and rules.surrender is Surrender.NONE:
            continue
        others = [o for o in (None, Action.HIT, Action.STAND) if o is not action]
        kind = Action.STAND if action is Action.HIT else action
        plays[hand, upcard, kind] = Deviation(
            hand=hand,
            upcard=upcard,
            action=action,
            index=choose(range(-5, 6)),
            at_or_above=choose((True, False)),
            otherwise=choose(others),
        )
    return Deviations(plays=tuple(plays.values()), insurance=choose((None, -2, 0, 1, 3)))


@st.composite
def any_job(draw, *, is_counted):
    def choose(options):
        return draw(st.sampled_from(tuple(options)))

    rules = choose_supported_rules(choose)
    if is_counted and rules.decks is None:
        rules = rules.replace(decks=choose((1, 2, 6)), ten_probability=Fraction(4, 13))
    return Job(
        rules=rules,
        strategy=choose_chart(choose, SENSIBLE),
        seed=draw(st.integers(0, 2**64 - 1)),
        spots=choose((1, 1, 1, 2, 3, 7)),
        system=choose_system(choose) if is_counted else None,
        deviations=choose_deviations(choose, rules) if is_counted else None,
        enter=choose((None, 0, 1)) if is_counted else None,
        leave=choose((None, -1, 0)) if is_counted else None,
    )


SENSIBLE = Strategy.parse(
    "\n".join(
        [
            *(f"{total} H H H H H H H H H H" for total in range(5, 9)),
            "9 H Dh Dh Dh Dh H H H H H",
            "10 Dh Dh Dh Dh Dh Dh Dh Dh H H",
            "11 Dh Dh Dh Dh Dh Dh Dh Dh Dh H",
            "12 H H S S S H H H H H",
            *(f"{total} S S S S S H H H H H" for total in (13, 14)),
            "15 S S S S S H H H Rh H",
            "16 S S S S S H H Rh Rh Rh",
            *(f"{total} S S S S S S S S S S" for total in range(17, 20)),
            *(f"A{rank} H H Dh Dh Dh H H H H H" for rank in range(2, 7)),
            "A7 S Ds Ds Ds Ds S S H H H",
            *(f"A{rank} S S S S S S S S S S" for rank in (8, 9)),
            *(f"{rank}{rank} P P P P P P H H H H" for rank in (2, 3)),
            "44 H H H P P H H H H H",
            "55 Dh Dh Dh Dh Dh Dh Dh Dh H H",
            "66 P P P P P H H H H H",
            "77 P P P P P P H H H H",
            "88 P P P P P P P P P Rp",
            "99 P P P P P S P P S S",
            "1010 S S S S S S S S S S",
            "AA P P P P P P P P P P",
        ]
    )
)


class Watcher:
    """Sits between table and player and writes down every question and answer."""

    def __init__(self, job: Job, cards) -> None:
        self.table = Table(job.rules, ScriptedShoe(cards))
        self.job = job
        self.answers = []
        if job.system is None:
            self.player = ChartPlayer(job.strategy)
        else:
            self.player = CountingPlayer(
                job.strategy, job.system, rules=job.rules, deviations=job.deviations
            )
            self.player.watch(self.table)

    def count(self) -> int:
        if self.job.system is None:
            return 0
        least, most = count_range(self.job.system, self.job.rules.decks)
        return min(max(self.player.bet_count(), least), most)

    def play(self):
        self.answers.clear()
        state = self.table.start([1] * self.job.spots)
        while state.legal:
            action = self.player.decide(self.table.view(), state.legal)
            self.answers.append((state.phase, state.active, action))
            state = self.table.act(action)
        return state


def compare(job: Job, cards) -> int:
    """Hold one shoe of the simulator against the table; return its number of rounds."""
    watcher = Watcher(job, cards)
    recorded = record_script(job, cards)
    unit = Fraction(1, 2 if job.rules.natural_pays.denominator <= 2 else 10)
    is_seated = job.enter is None
    dealt = 0
    for one in recorded:
        count = watcher.count()
        assert count == one.count
        if is_seated and job.leave is not None and count < job.leave:
            is_seated = False
        elif not is_seated and job.enter is not None and count >= job.enter:
            is_seated = True
        assert is_seated == one.is_seated
        assert dealt == one.dealt
        state = watcher.play()
        dealt = len(cards) - watcher.table.shoe.cards_left
        assert watcher.answers == [tuple(answer[:3]) for answer in one.answers]
        assert [
            (hand.spot, net) for hand, (_, net) in zip(state.hands, state.results, strict=True)
        ] == [(hand.spot, hand.net * unit) for hand in one.hands]
        assert [hand.bet for hand in state.hands] == [hand.bets for hand in one.hands]
        assert state.insurance.net == one.insurance_net * unit
        assert state.net == one.net * unit
        assert [card.rank for card in cards[one.dealt : dealt]] == [c.rank for c in one.cards]
        insured = sum(bet or 0 for bet in state.insurance.bets)
        added = sum(hand.bet for hand in state.hands) - job.spots + insured
        assert added * 2 == one.added
    return len(recorded)


def shuffle_cards(job: Job, number: int) -> list[Card]:
    rng = random.Random(job.seed + number)
    if job.rules.decks is None:
        return rng.choices([Card(card.face + "S") for card in DECK], k=1024)
    cards = list(DECK) * job.rules.decks
    rng.shuffle(cards)
    return cards


def compare_shoes(job: Job) -> None:
    for number in range(SHOES):
        compare(job, shuffle_cards(job, number))


@pytest.mark.slow
@settings(max_examples=EXAMPLES // 9)
@given(any_job(is_counted=True))
def test_every_decision_bet_and_settlement_of_a_counter_is_the_tables(job):
    compare_shoes(job)


@pytest.mark.slow
@settings(max_examples=EXAMPLES // 18)
@given(any_job(is_counted=False))
def test_every_decision_and_settlement_of_a_chart_is_the_tables(job):
    compare_shoes(job)


@pytest.mark.slow
@settings(max_examples=EXAMPLES)
@given(any_job(is_counted=True))
def test_every_decision_bet_and_settlement_of_many_counters_is_the_tables(job):
    compare_shoes(job)


@pytest.mark.slow
@settings(max_examples=EXAMPLES // 2)
@given(any_job(is_counted=False))
def test_every_decision_and_settlement_of_many_charts_is_the_tables(job):
    compare_shoes(job)


@pytest.mark.slow
@pytest.mark.skipif(not JIT, reason="this is that run")
def test_the_same_code_agrees_without_the_compiler():
    here = [sys.executable, "-m", "pytest", "-n", "0", "-q", "-p", "no:cacheprovider", __file__]
    both = ["-m", "slow or not slow"]
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    run = subprocess.run(
        [*here, *both], env=environment, capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stdout
    assert "4 passed, 1 skipped" in run.stdout
