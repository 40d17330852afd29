"""Every random test here draws the same examples on every machine; failures still shrink."""

import os

import pytest
from hypothesis import settings

settings.register_profile("upcard", derandomize=True, deadline=None, print_blob=True)
settings.load_profile("upcard")


@pytest.fixture(autouse=True, scope="session")
def keep_away_from_the_users_games(tmp_path_factory):
    """Tests play for no chips of whoever runs them."""
    before = os.environ.get("UPCARD_DATA")
    os.environ["UPCARD_DATA"] = str(tmp_path_factory.mktemp("upcard-data"))
    yield
    if before is None:
        del os.environ["UPCARD_DATA"]
    else:
        os.environ["UPCARD_DATA"] = before
