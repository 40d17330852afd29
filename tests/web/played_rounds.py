"""Rounds in a store, without a solver: one stands, and every fifth round costs 2.5 chips."""

from upcard import Action
from upcard.fair.fair_shoe import FairShoe
from upcard.store.kept_table import KeptTable
from upcard.store.learning import record_judgement
from upcard.store.records import JudgementRecord


def sit_down(store, rules, *, seed):
    numbers = iter(range(seed, 10**6))
    shoe = FairShoe(rules, seeds=lambda: next(numbers).to_bytes(32, "big"))
    return KeptTable.sit_down(store, rules, shoe=shoe)


def play(store, rules, rounds, *, seed=0):
    with sit_down(store, rules, seed=seed) as table:
        for number in range(rounds):
            play_round(store, table, number)
        table.end_shoe()


def play_round(store, table, number, *, spots=1):
    state = table.start((10 if table.rules.betting else 1,) * spots)
    while not state.is_over:
        state = table.act(Action.STAND if Action.STAND in state.legal else state.legal[-1])
        judgement = JudgementRecord(
            step=len(table.actions) - 1,
            situation="hard 16 v T" if number % 2 else "insurance v A",
            category="hard hits" if number % 2 else "insurance",
            chosen=table.actions[-1],
            best=table.actions[-1],
            cost_ev=0.25 * (number % 5 == 0),
            cost_chips=2.5 * (number % 5 == 0),
            method="made up",
        )
        record_judgement(store, table.session, table.round_number, judgement)
