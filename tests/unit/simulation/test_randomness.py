"""The generator: published streams, and shuffles in which every order is equally likely."""

from __future__ import annotations

from collections import Counter
from math import factorial

import numpy as np
import pytest

from upcard.simulation.kernels.randomness import (
    draw_independently,
    mix,
    next_word,
    pick,
    seed_state,
    shuffle,
)

WORD = (1 << 64) - 1


@pytest.fixture(autouse=True)
def let_words_wrap():
    with np.errstate(over="ignore"):  # only without the compiler do they warn
        yield


def state_for(number):
    state = np.zeros(4, np.uint64)
    seed_state(state, np.uint64(number), np.uint64(0), np.uint64(0))
    return state


def test_splitmix_gives_the_published_stream():
    """SplitMix64 from 1234567: the five numbers of the test of its Java original (JDK 8)."""
    golden, word = 0x9E3779B97F4A7C15, 1234567
    stream = []
    for _ in range(5):
        word = (word + golden) & WORD
        stream.append(int(mix(np.uint64(word))))
    assert stream == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]


def naive_xoshiro(s):
    """xoshiro256++ as its authors write it, on Python's numbers."""

    def rotate(word, bits):
        return ((word << bits) | (word >> (64 - bits))) & WORD

    result = (rotate((s[0] + s[3]) & WORD, 23) + s[0]) & WORD
    shifted = (s[1] << 17) & WORD
    s[2] ^= s[0]
    s[3] ^= s[1]
    s[1] ^= s[2]
    s[0] ^= s[3]
    s[2] ^= shifted
    s[3] = rotate(s[3], 45)
    return result


def test_words_are_those_of_xoshiro():
    state = state_for(7)
    naive = [int(word) for word in state]
    assert [int(next_word(state)) for _ in range(1000)] == [
        naive_xoshiro(naive) for _ in range(1000)
    ]


def test_words_from_the_state_1_2_3_4_are_the_published_ones():
    """The first outputs of the reference program seeded 1, 2, 3, 4 (rand_xoshiro's test)."""
    state = np.array([1, 2, 3, 4], np.uint64)
    assert [int(next_word(state)) for _ in range(4)] == [
        41943041,
        58720359,
        3588806011781223,
        3591011842654386,
    ]


def test_a_pick_takes_every_number_equally_often():
    """All 2**32 halves would be: the numbers below the least are thrown away."""
    state = state_for(1)
    size = 3 << 30  # a third of all halves must be rejected
    picks = [
        int(pick(np.uint64(half), np.uint64(size), state)) for half in range(0, 1 << 32, 99991)
    ]
    thirds = Counter(number // (1 << 30) for number in picks)
    assert sorted(thirds) == [0, 1, 2]
    assert max(thirds.values()) - min(thirds.values()) < 5 * len(picks) ** 0.5


@pytest.mark.fast_cases(4)
@pytest.mark.parametrize("size", [2, 3, 4, 5, 6])
def test_every_order_is_equally_likely(size):
    """Chi-square over all orders; the bound is beyond five standard deviations."""
    state = state_for(size)
    tries = 400 * factorial(size)
    seen = Counter()
    for _ in range(tries):
        cards = np.arange(size, dtype=np.uint8)
        assert shuffle(cards, 0, size, size, state) == size
        seen[bytes(cards)] += 1
    freedom = factorial(size) - 1
    expected = tries / factorial(size)
    chi = sum((count - expected) ** 2 / expected for count in seen.values())
    assert len(seen) == factorial(size)
    assert abs(chi - freedom) < 5 * (2 * freedom) ** 0.5 + 5


def test_a_shuffle_in_parts_keeps_what_is_fixed_and_loses_no_card():
    state = state_for(3)
    cards = np.arange(52, dtype=np.uint8)
    ready = shuffle(cards, 0, 10, 52, state)
    assert 10 <= ready <= 15
    fixed = bytes(cards[:ready])
    assert shuffle(cards, ready, 52, 52, state) == 52
    assert bytes(cards[:ready]) == fixed
    assert sorted(cards) == list(range(52))


def test_each_place_of_a_full_shoe_gets_each_card():
    """Expected 200 of each card at each place; six standard deviations of a count are 85."""
    state = state_for(4)
    seen = np.zeros((52, 52), int)
    for _ in range(10_400):
        cards = np.arange(52, dtype=np.uint8)
        shuffle(cards, 0, 52, 52, state)
        seen[np.arange(52), cards] += 1
    assert abs(seen - 200).max() < 85


@pytest.mark.parametrize(("ten", "other", "share"), [(36, 9, 4 / 13), (9, 0, 1), (0, 1, 0)])
def test_an_infinite_deck_has_tens_by_their_weight(ten, other, share):
    cards = np.zeros(100_000, np.uint8)
    draw_independently(cards, 0, len(cards), np.array([ten, other]), state_for(5))
    counts = np.bincount(cards, minlength=10)
    assert abs(counts[9] / len(cards) - share) < 0.008
    assert np.ptp(counts[:9]) < 700


def test_shoes_differ_by_seed_chunk_and_number():
    states = set()
    for key in [(1, 0, 0), (0, 1, 0), (0, 0, 1), (0, 0, 0), (2**64 - 1, 0, 0)]:
        state = np.zeros(4, np.uint64)
        seed_state(state, *map(np.uint64, key))
        states.add(bytes(state))
    assert len(states) == 5
