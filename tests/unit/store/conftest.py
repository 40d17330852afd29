"""A store of its own for each test, and ways to play in it."""

import pytest

from upcard import Rules
from upcard.fair.fair_shoe import FairShoe
from upcard.store.bankroll import deposit
from upcard.store.database import open_in_memory, open_store
from upcard.store.kept_table import KeptTable


def counted_seeds():
    number = iter(range(1, 1000))
    return lambda: next(number).to_bytes(32, "big")


@pytest.fixture
def path(tmp_path):
    return tmp_path / "data" / "upcard.db"


@pytest.fixture
def store(path):
    """An empty store in a file."""
    with open_store(path) as store:
        yield store


@pytest.fixture
def quick_store():
    """A store that is not kept: no disk to wait for."""
    with open_in_memory() as store:
        yield store


@pytest.fixture
def sit(request):
    """Return a function that sits down at a table with the same cards every time."""

    def sit_down(store, notation="6D", chips=1000, **options):
        if chips:
            deposit(store, chips)
        rules = Rules.parse(notation)
        shoe = FairShoe(rules, seeds=counted_seeds())
        return KeptTable.sit_down(store, rules, shoe=shoe, **options)

    return sit_down


@pytest.fixture
def play():
    """Return a function that plays rounds, the first legal answer but two chosen each time."""

    def play_rounds(
        table, rounds=1, bets=(10,), choose=lambda legal: legal[min(1, len(legal) - 1)]
    ):
        for _ in range(rounds):
            state = table.start(bets)
            while not state.is_over:
                state = table.act(state.legal[:2][-1])
        return table

    return play_rounds
