"""Probes of the simulator's loop: a round is replayed with another answer in each cell it met."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from upcard.kernels import codes
from upcard.kernels.counting import count_play, deviate
from upcard.kernels.game import MOST_HITS, LoweredGame, Probe
from upcard.kernels.jit import lean_kernel
from upcard.kernels.randomness import at, whole
from upcard.kernels.room import Met


@lean_kernel
def meet_insurance(met: Met, count: int, unseen: int, unit: int) -> None:
    """Note the gain of insurance if the hole card were `unseen`."""
    met.insurance[0] = count
    met.insurance[1] = unit if unseen == codes.TEN else -(unit // 2)


@lean_kernel
def meet_probe(
    game: LoweredGame,
    probe: Probe,
    met: Met,
    cell: int,
    action: int,
    probing: int,
    running: int,
    before: int,
    position: int,
    begin: int,
) -> int:
    """Note that a round met a probed cell; return the action, the other one if it is replayed."""
    number = whole(probe.number[cell])
    if probing == 0:
        index = count_play(game, running, before, position, begin)
        met.cells[0] = note_hit(met.numbers, met.counts, met.cells[0], number, index)
    elif number == probing:
        action = whole(probe.choice[at(cell)])
        if action >= codes.FIRST_DEVIATION:
            action = deviate(game, action, running, before, position, begin)
    return action


@lean_kernel
def compare(
    probe: Probe,
    met: Met,
    probing: int,
    ended: tuple[int, int, int, int],
    count: int,
) -> int:
    """Add the gain of a round that was replayed; return the number of the next cell to replay.

    `ended` is as `Met.round`; `count` is that of the bet. The number is 0 after the last cell.
    """
    if probing == 0:
        for place in range(4):
            met.round[place] = ended[place]
        if met.insurance[0] >= 0:
            add_gain(probe, 0, met.insurance[0], met.insurance[1], count)
    else:
        gain = ended[0] - met.round[0]
        add_gain(probe, probing, met.counts[met.cells[1] - 1], gain, count)
    if met.cells[1] < met.cells[0]:
        met.cells[1] += 1
        return whole(met.numbers[met.cells[1] - 1])
    met.cells[0] = met.cells[1] = 0
    return 0


@lean_kernel
def note_hit(
    numbers: NDArray[np.int64], counts: NDArray[np.int64], hits: int, number: int, count: int
) -> int:
    """Record that a round met a probed cell, once, and its count; return the number of cells."""
    for hit in range(hits):
        if numbers[hit] == number:
            return hits
    if hits == MOST_HITS:
        return hits
    numbers[hits] = number
    counts[hits] = count
    return hits + 1


@lean_kernel
def add_gain(probe: Probe, number: int, count: int, gain: int, bet_count: int) -> None:
    """Add the gain of another choice to its sums, at unit bet and at the bet of the round."""
    won = gain * probe.bets[bet_count]
    sums = probe.sums
    sums[number, count, 0] += 1
    sums[number, count, 1] += gain
    sums[number, count, 2] += gain * gain
    sums[number, count, 3] += won
    sums[number, count, 4] += won * won
