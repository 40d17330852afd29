"""Shoes that are shuffled together: what shuffling them one by one gives."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from upcard.simulation.kernels.lockstep.lanes import BATCH, make_batch, shuffle_batch, take_shoe
from upcard.simulation.kernels.randomness import seed_state, shuffle
from upcard.simulation.kernels.shoes import fill_shoe

NUMBER = st.integers(0, 2**64 - 1 - BATCH)


@pytest.fixture(autouse=True)
def let_words_wrap():
    with np.errstate(over="ignore"):  # only without the compiler do they warn
        yield


def check_batch(deck, stop, seed, chunk, shoe):
    """Compare a batch with its shoes one by one; return the numbers of ready cards."""
    size = len(deck)
    seed, chunk = np.uint64(seed), np.uint64(chunk)
    batch = make_batch(size)
    shuffle_batch(batch, deck, stop, seed, chunk, np.uint64(shoe))
    numbers = []
    for slot in range(BATCH):
        alone, together = np.zeros((2, size), np.uint8)
        alone_state, together_state = np.zeros((2, 4), np.uint64)
        seed_state(alone_state, seed, chunk, np.uint64(shoe + slot))
        ready = fill_shoe(deck, np.zeros(2, np.int64), 0, stop, alone, alone_state)
        fixed = take_shoe(batch, slot, size, together, together_state)
        assert shuffle(together, fixed, stop, size, together_state) == ready
        assert together.tolist() == alone.tolist()
        assert together_state.tolist() == alone_state.tolist()
        numbers.append(ready)
    return numbers


@given(st.integers(2, 500), st.floats(0, 1), NUMBER, NUMBER, NUMBER)
def test_shoes_shuffled_together_are_those_shuffled_one_by_one(size, share, seed, chunk, shoe):
    check_batch(
        np.arange(size, dtype=np.uint16).astype(np.uint8), int(share * size), seed, chunk, shoe
    )


def test_biased_picks_are_drawn_again_for_their_shoe_only():
    """Of shoes of eight decks, one in five throws half a word away before its card 330."""
    deck = np.tile(np.arange(52, dtype=np.uint8), 8)
    numbers = [n for shoe in range(0, 4 * BATCH, BATCH) for n in check_batch(deck, 330, 1, 0, shoe)]
    fallen_behind = [number for number in numbers if number == 333]
    assert 4 <= len(fallen_behind) <= 24
    assert set(numbers) <= {330, 333}
