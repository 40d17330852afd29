"""Counts in the kernel are those of `CountSystem.convert`, to the last one."""

from __future__ import annotations

import random
from fractions import Fraction

import numpy as np
import pytest

from upcard.core.cards import Card
from upcard.core.errors import UnsupportedRuleError
from upcard.simulation.kernels.round_steps import convert_count
from upcard.simulation.lower import CARD_OF_KIND, lower_count
from upcard.strategy.count_system import (
    CountBy,
    CountSystem,
    DeckEstimate,
    Rounding,
    load_system,
    system_names,
)


def systems():
    for name in system_names():
        system = load_system(name)
        if system.by is CountBy.RUNNING:
            yield system
            continue
        for rounding in Rounding:
            for estimate in DeckEstimate:
                yield system.replace(rounding=rounding, decks_left=estimate)


@pytest.mark.fast_cases(29)
@pytest.mark.parametrize(
    "system", list(systems()), ids=lambda s: f"{s}-{s.rounding}-{s.decks_left}"
)
@pytest.mark.parametrize("decks", [1, 6])
def test_every_running_count_becomes_the_systems_count(system, decks):
    cards = 52 * decks
    table = lower_count(system, decks, cards)
    rng = random.Random(f"{system}{system.rounding}{system.decks_left}{decks}")
    for dealt in (0, 1, cards // 2, cards - 26, cards - 1, *rng.sample(range(cards), 12)):
        whole = (left := cards - dealt) * system.scale // 52  # makes counts of 1, 2, 3 and so on
        for count in (0, whole, -whole, 3 * whole, *rng.sample(range(-40 * left, 40 * left), 12)):
            exact = system.convert(Fraction(count, system.scale), left)
            ours = convert_count(count, dealt, table.factor, table.add_positive, table.add_negative)
            assert ours == exact, (count, dealt)


@pytest.mark.parametrize("name", system_names())
def test_tags_hold_both_counts(name):
    system = load_system(name)
    table = lower_count(system, 6, 312)
    for kind, written in enumerate(CARD_OF_KIND):
        tag = int(table.tags[kind])
        bet = ((tag + (1 << 31)) & 0xFFFFFFFF) - (1 << 31)
        play = (tag + (1 << 31)) >> 32
        assert Fraction(play, system.scale) == system.tag(Card(written))
        assert Fraction(bet, system.scale) == system.betting_tag(Card(written))


def test_an_infinite_deck_cannot_be_counted():
    with pytest.raises(UnsupportedRuleError, match="nothing to count"):
        lower_count(load_system("hi-lo"), None, 1024)


def test_tags_too_fine_for_the_kernel_are_refused():
    tags = (0, Fraction(1, 997), *(Fraction(0),) * 9)
    system = CountSystem(name="fine", title="Fine", source="here", tags=tags)
    with pytest.raises(UnsupportedRuleError, match="1/997"):
        lower_count(system, 6, 312)


def test_the_table_is_whole_numbers():
    table = lower_count(load_system("zen"), 8, 416)
    assert table.factor.dtype == table.tags.dtype == np.int64
