"""Every random test here draws the same examples on every machine; failures still shrink."""

import gc
from itertools import count

import pytest
from hypothesis import settings

settings.register_profile("upcard", derandomize=True, deadline=None, print_blob=True)
settings.load_profile("upcard")


def pytest_collection_finish():
    """Look for garbage in what tests make only: the tests themselves stay until the end."""
    gc.freeze()


@pytest.fixture(scope="session")
def data_folders(tmp_path_factory):
    """Name a folder after the other; none is made before somebody plays there."""
    place = tmp_path_factory.mktemp("upcard-data")
    return (place / str(number) for number in count())


@pytest.fixture(autouse=True)
def keep_away_from_the_users_games(data_folders, monkeypatch):
    """Every test has a memory of its own, and none plays for the chips of whoever runs it."""
    monkeypatch.setenv("UPCARD_DATA", str(next(data_folders)))
