"""A server in this process, with the key, for rules that are solved in an instant."""

import pytest
from starlette.testclient import TestClient
from web_server import KEY, ORIGIN, make_site

from upcard.web.app import make_app


@pytest.fixture(scope="session")
def bare():
    """A client without the key."""
    with TestClient(make_app(make_site()), base_url=ORIGIN, follow_redirects=False) as client:
        yield client


@pytest.fixture
def client(bare):
    """A client that sends the key as programs do."""
    bare.headers["Authorization"] = f"Bearer {KEY}"
    yield bare
    del bare.headers["Authorization"]
    bare.cookies.clear()
