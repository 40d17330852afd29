"""A server in this process, with the key, for rules that are solved in an instant."""

import re
from importlib.resources import files

import pytest
from chromium import PATIENCE_MS, find_chromium, serve
from find_chromium import FLAGS
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


@pytest.fixture(scope="module")
def browser():
    file = find_chromium()
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        found = playwright.chromium.launch(
            executable_path=file, args=FLAGS, timeout=PATIENCE_MS, chromium_sandbox=False
        )
        yield found
        found.close()


@pytest.fixture(scope="module")
def link(tmp_path_factory):
    with serve(tmp_path_factory.mktemp("web"), "--port", "0") as (found, _):
        yield found


@pytest.fixture
def open_page(browser, link):
    """Open addresses in a fresh context; in the end nothing may have been complained about."""
    contexts, complaints = [], []
    origin = re.match(r"http://[^/]+", link)[0]

    def open_in(path, **options):
        is_allowed = options.pop("may_fail", False)
        context = browser.new_context(reduced_motion="reduce", **options)
        context.set_default_timeout(PATIENCE_MS)
        contexts.append(context)
        page = context.new_page()
        page.on("request", lambda one: one.url.startswith(origin) or complaints.append(one.url))
        page.goto(link)
        if not is_allowed:
            page.on("console", lambda one: complaints.append(one.text))
            page.on("pageerror", lambda one: complaints.append(str(one)))
        page.goto(origin + path)
        return page

    yield open_in
    for context in contexts:
        context.close()
    assert complaints == []


@pytest.fixture(scope="module")
def axe():
    return (files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8")
