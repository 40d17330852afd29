"""Runs of a made-up game whose figures are known: tallies, jobs and documents."""

from __future__ import annotations

import math

import numpy as np

from upcard.analysis.count_rows import CountedGame, CountRow, read_rows
from upcard.simulation.tally import Tally

LEAST, MOST = -10, 10
UNIT = 2
NETS = (-4, -2, -1, 0, 2, 3, 4)
"""In half units: a lost double, a loss, a surrender, a push, a win, a natural, a won double."""
CHANCES = (0.05, 0.42, 0.03, 0.09, 0.31, 0.045, 0.055)
"""At count 0, where a round wins -0.5025 % of a unit less or more by where the rest goes."""


def make_tally(rounds=10_000_000, *, slope=0.005, edge=-0.005, unseated=0, spots=1, shoes=None):
    """A six-deck game as it comes: EV `edge` + `slope` x count, variance near 1.3, most at 0."""
    width = MOST - LEAST + 1
    lowest = min(NETS)
    cells = np.zeros((2, 2, width, max(NETS) - lowest + 1), np.int64)
    added = np.zeros((2, 2, width), np.int64)
    for row in range(width):
        count = LEAST + row
        weight = math.exp(-abs(count) / 1.6)
        total = round(
            rounds * weight / sum(math.exp(-abs(c) / 1.6) for c in range(LEAST, MOST + 1))
        )
        wins = chances(edge + slope * count)
        for seat, share in ((1, 1 - unseated), (0, unseated)):
            for net, chance in zip(NETS, wins, strict=True):
                number = round(total * share * chance)
                cells[0, seat, row, net - lowest] = number // 2
                cells[1, seat, row, net - lowest] = number - number // 2
            added[0, seat, row] = round(total * share * 0.21)
    return Tally(
        unit=UNIT,
        least_net=lowest,
        least_count=LEAST,
        spots=spots,
        rounds=cells,
        added=added,
        shoes=rounds // 45 if shoes is None else shoes,
        cards=rounds * 5,
    )


def chances(ev):
    """The chances of `NETS` with a mean of `ev` units: wins for losses at the same push rate."""
    base = sum(net * chance for net, chance in zip(NETS, CHANCES, strict=True)) / UNIT
    moved = (ev - base) / 2
    return tuple(
        chance + {-2: -moved, 2: moved}.get(net, 0)
        for net, chance in zip(NETS, CHANCES, strict=True)
    )


def make_game(**options):
    return read_rows(make_tally(**options))


def game_of(rows, *, spots=1, shoes=1000, most_added=None):
    """A game of (rounds, ev, mean square) by count, from count 0 on."""
    made = tuple(
        CountRow(
            label=str(count),
            count=count,
            seen=rounds,
            rounds=rounds,
            moments=(ev, square, 0.0, 3 * square**2),
            added=0.1,
        )
        for count, (rounds, ev, square) in enumerate(rows)
    )
    return CountedGame(
        rows=made, spots=spots, shoes=shoes, flat_ev=0.0, flat_error=0.0, most_added=most_added
    )


def make_document(tally=None, *, ramp=None, rules="6D S17", system="hi-lo", **job):
    """A run's document, as `upcard simulate -o` writes it; None for `system`: nothing counted."""
    import hashlib
    import json

    from upcard.exact.solve import basic_strategy
    from upcard.rules.model import Rules
    from upcard.simulation.job import Job
    from upcard.strategy.count_system import load_system

    parsed = Rules.parse(rules)
    counted = None if system is None else load_system(system)
    made = Job(rules=parsed, strategy=basic_strategy(parsed), seed=1, system=counted, **job)
    document = {
        "format": "upcard run",
        "format_version": 2,
        "ramp": ramp,
        "job": made.to_json(),
        "tally": (make_tally() if tally is None else tally).to_json(),
    }
    text = json.dumps(document, sort_keys=True, separators=(",", ":"))
    return document | {"checksum": hashlib.sha256(text.encode()).hexdigest()}
