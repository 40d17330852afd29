"""The compiled simulator against the table: every decision, bet and settlement, card for card."""

from __future__ import annotations

import os
import random
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given, settings
from marks import slow_except
from random_jobs import SENSIBLE, any_job, choose_job
from scripted_kernel import record_script
from without_compiler import run_without_compiler

from upcard.core.cards import DECK, Card
from upcard.players.bots import ChartPlayer, CountingPlayer
from upcard.rules.model import Rules
from upcard.rules.side_bet_files import shipped_side_bets
from upcard.rules.side_bets import NEXT
from upcard.simulation.job import Job
from upcard.simulation.lower import count_range, lower
from upcard.strategy.chart import (
    DOUBLED_LABELS,
    HAND_LABELS,
    PAIR_LABELS,
    WORTH_LABELS,
    Strategy,
)
from upcard.strategy.count_system import load_system
from upcard.table.rounds import Table
from upcard.table.shoe import ScriptedShoe

JIT = os.environ.get("NUMBA_DISABLE_JIT", "0") in ("", "0")
EXAMPLES = 180 if JIT else 24
SHOES = 8


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
    unit = Fraction(1, lower(job).game.unit)
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
        return rng.choices(DECK, k=1024)
    cards = list(job.rules.full_shoe.cards)
    rng.shuffle(cards)
    return cards


DRAWING = Strategy(cells=tuple(("H",) * 10 for _ in HAND_LABELS), takes_insurance=True)


def compare_shoes(job: Job) -> None:
    for number in range(SHOES):
        compare(job, shuffle_cards(job, number))


VARIANTS = (
    "3CC(2:1) DANY D3X SP8 RSA",
    *("T17", "T17-18", "TALL", "BJW", "BJL", "W21", "DH", "D3X DANY", "ES10", "LSX", "MS15"),
    *("INS(5:2)", "INS(1:1)", "NS8T", "BJW ENHC", "BJL ENHC", "BJL OBO", "LSX ENHC", "ES10 ENHC"),
    *("SP8 RSA SPA2", "SPINF RSA SPA3", "W21 OBO SP8", "W21 OBBO SP8", "W21 BB1 SP8"),
    *("OBBO D3X SP8", "BB1 D3X SP8", "BB1 TALL DANY SP8", "INS(5:2) OBBO SP8"),
    *("P22", "P22 TALL", "P22 ENHC W21", "FD9-11", "FDANY D3X", "FDANY DANY SP8", "FD9-11 D10"),
    *("FSNT", "FSN4T SP8 RSA", "FSANY SP8 RSA D3X", "FSNT NS8T", "P22 FD9-11 FSNT RSA"),
    *("FDANY FSANY D3X OBO SP8", "FDANY FSANY OBBO SP8", "FD9-11 FSNT BB1 SP8"),
    *("7CC DANY", "5CC RE RD2 DANY", "5CC(1:2) DANY OBBO SP8", "4CC DANY BB1 FDANY FSANY SP8"),
    *("21CC", "4CC(3:2) DANY OBO W21 SP8"),
    *("ZOMBIE", "ZOMBIE P22 DANY D3X SP8", "ZOMBIE ENHC W21 LS", "ZOMBIE BON W21 RE RD2 P22"),
)


@pytest.mark.fast_cases(6)
@pytest.mark.parametrize("words", VARIANTS)
def test_each_variant_is_played_and_paid_as_at_the_table(words):
    insures = Strategy(cells=SENSIBLE.cells, takes_insurance=True)
    for base in ("2D S17 DAS", "1D H17 DAS HSA"):
        for spots in (1, 3):
            job = Job(rules=Rules.parse(f"{base} {words}"), strategy=insures, seed=3, spots=spots)
            for number in range(4):
                cards = shuffle_cards(job, number)
                compare(job, cards)
                rare = random.Random(number).choices([Card("AS"), Card("TS"), *DECK[:4]], k=52)
                compare(job, rare * (len(cards) // 52))  # many naturals, pairs and splits


DOUBLED = (
    *("RE", "RE DANY SP8", "RD2", "RD3 DANY SP8 RSA HSA double_split_aces=true", "RE RD2 LS"),
    *("RE RD3 DANY W21 SP8", "RD2 ENHC", "RD3 DANY OBO SP8", "RD2 OBBO", "RD3 DANY BB1 W21 SP8"),
)
BONUSES = (
    *("BON", "BON RE RD2", "BON(usual/777v7=100:1) ENHC", "BON(3=2:1) BJW", "BON(4=5:1/9=9:1) RD3"),
    *("BON(777=2:1-2:1-2:1/5=3:1) OBO", "BON(678=1:1-1:1-5:2)", "BON(777v7=7:2)", "BON OBBO RD2"),
)


def double_often(words):
    """Make a chart that doubles and splits a lot, with an answer of every kind after a double."""
    rng = random.Random(words)
    cells = [
        ["P" if label in PAIR_LABELS else rng.choice(("Dh", "Dh", "H", "S"))] * 10
        for label in HAND_LABELS
    ]
    doubled = [
        [rng.choice(("S", "Rs", "Ds", "Dr", "Dr")) for _ in range(10)] for _ in DOUBLED_LABELS
    ]
    return Strategy(cells=tuple(map(tuple, cells)), doubled=tuple(map(tuple, doubled)))


@pytest.mark.slow
@pytest.mark.parametrize("words", [*DOUBLED, *(f"DANY SP8 W21 {bonus}" for bonus in BONUSES)])
def test_hands_that_doubled_and_bonuses_are_played_and_paid_as_at_the_table(words):
    for base, chart in (("2D S17 DAS", double_often(words)), ("1D H17 DAS", DRAWING)):
        for spots in (1, 3):
            job = Job(rules=Rules.parse(f"{base} {words}"), strategy=chart, seed=3, spots=spots)
            for number in range(6):
                cards = shuffle_cards(job, number)
                compare(job, cards)
                few = [card for card in DECK if card.rank in (6, 7, 8) and card.suit in "SH"]
                few = random.Random(number).choices([*few, *DECK[:3]], k=52)
                compare(job, few * (len(cards) // 52))


@pytest.mark.slow
@pytest.mark.parametrize("words", ["", "LS RE RD2", "3:2 W21 BON DANY", "ZOMBIE H17 P22 SP8 RSA"])
def test_swapped_cards_are_played_and_paid_as_at_the_table(words):
    rng = random.Random(words)
    worths = tuple(tuple(rng.randrange(-9999, 15000) for _ in range(10)) for _ in WORTH_LABELS)
    for chart in (SENSIBLE, replace(SENSIBLE, worths=worths)):
        rules = Rules.parse(f"2D SWITCH NOINS {words}")
        job = Job(rules=rules, strategy=chart, seed=3, spots=2)
        for number in range(4):
            cards = shuffle_cards(job, number)
            compare(job, cards)
            rare = random.Random(number).choices([Card("AS"), Card("TS"), *DECK[:4]], k=52)
            compare(job, rare * (len(cards) // 52))


@pytest.mark.slow
def test_three_sevens_of_one_suit_against_a_seven_are_paid_best_if_the_hand_was_not_split():
    """Against 7 and 8: 7 7 drawing a 7; then, split, 7 7 drawing a 7 twice."""
    job = Job(rules=Rules.parse("1D SP2 W21 BON(777v7=100:1)"), strategy=DRAWING, seed=1)
    splits = job.replace(strategy=SENSIBLE)
    for player, faces, net in ((job, "77787T", 200), (splits, "77787777T", 4)):
        cards = [Card(f"{face}S") for face in faces]
        cards += shuffle_cards(job, 0)[len(cards) :]
        assert record_script(player, cards)[0].net == net
        compare(player, cards)


@pytest.mark.parametrize(
    "words", ["OBO", "OBBO", "BB1", "OBBO W21", "OBO FSNT", "BB1 FDANY FSANY", "OBBO FSANY P22"]
)
def test_a_natural_takes_of_busted_and_doubled_hands_what_it_does_at_the_table(words):
    """Its player splits and doubles whatever may be: few rounds in a hundred tell."""
    rules = Rules.parse(f"1D DANY D3X SP8 RSA HSA DAS PEN95 {words}")
    cells = tuple(("P" if label in PAIR_LABELS else "Dh",) * 10 for label in HAND_LABELS)
    job = Job(rules=rules, strategy=Strategy(cells=cells), seed=1, spots=2)
    for number in range(60):
        compare(job, shuffle_cards(job, number))


def test_a_natural_takes_nothing_of_a_free_hand():
    """The first 8 is bust with 8 7 T, the second has 8 T against A T."""
    job = Job(rules=Rules.parse("1D BB1 FSNT"), strategy=SENSIBLE, seed=1)
    cards = [Card(f"{face}S") for face in "8A87TTT"]
    compare(job, cards + shuffle_cards(job, 0)[len(cards) :])


@pytest.mark.slow
@pytest.mark.parametrize("bet", [bet for bet in shipped_side_bets() if NEXT in bet.names])
@pytest.mark.parametrize("system", ["hi-lo", "red-7"])
def test_a_card_turned_up_for_a_side_bet_is_counted_as_at_the_table(bet, system):
    """It is turned up in one round of nine, whatever is placed."""
    rules = Rules.parse("1D PEN95").replace(side_bets=[bet])
    job = Job(rules=rules, strategy=SENSIBLE, seed=5, system=load_system(system))
    rounds = sum(compare(job, shuffle_cards(job, number)) for number in range(12))
    assert rounds > 60


# The others need a simulator of their own, with side bets, which takes seconds to compile.
@pytest.mark.parametrize("seed", slow_except((4, 5, 6), range(8)))
def test_a_few_random_jobs_are_played_as_at_the_table(seed):
    rng = random.Random(seed)
    job = choose_job(lambda o: rng.choice(tuple(o)), is_counted=seed % 2 == 0, seed=seed)
    for number in range(3):
        compare(job, shuffle_cards(job, number))


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
    assert "2 passed, " in run_without_compiler(__file__, "-m", "slow", "-k", "many")
