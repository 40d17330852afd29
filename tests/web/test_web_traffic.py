"""More than the server can hold is refused with a sentence, and held again later."""

import asyncio
from threading import Event

import pytest
from asgi_request import ask
from html_check import find_faults
from web_server import HOST, KEY, make_site

from upcard.web import traffic
from upcard.web.app import make_app
from upcard.web.assets import asset_url


@pytest.fixture
def site():
    found = make_site()
    yield found
    found.desk.close()


def get(site, path="/settings", accept="application/json"):
    return ask(make_app(site), path, key=KEY, host=HOST, accept=accept)


def test_more_requests_than_fit_are_refused_with_a_sentence_until_one_is_answered(
    site, monkeypatch
):
    monkeypatch.setattr(traffic, "MOST_REQUESTS", 3)
    free = Event()

    async def play():
        held = asyncio.create_task(site.desk.ask("held", lambda: free.wait(10)))
        await asyncio.sleep(0)
        waiting = [asyncio.create_task(get(site, f"/rules?r={n}D")) for n in (1, 2, 4)]
        await asyncio.sleep(0)
        assert site.traffic.requests == 3
        status, body = await get(site)
        assert status == 503
        assert b'"error": "busy"' in body
        assert b"3 requests wait for an answer; ask again in a moment." in body
        status, page = await get(site, accept="text/html")
        assert status == 503
        assert find_faults(page.decode()) == []
        assert b"3 requests wait for an answer" in page
        assert (await get(site, asset_url("upcard.css")))[0] == 200  # the page has its style
        for task in waiting:
            task.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)
        assert (await get(site))[0] == 200
        free.set()
        await held

    asyncio.run(play())
    assert site.traffic.requests == 0


def test_too_many_connections_are_refused_with_a_sentence(site):
    site.traffic.count_connections = lambda: traffic.MOST_CONNECTIONS + 1
    status, body = asyncio.run(get(site))
    assert (status, b"512 connections are open" in body) == (503, True)
    assert site.traffic.requests == 0  # what is refused is not under way


def test_a_busy_server_says_when_to_ask_again(bare, client):
    counted = bare.app.state.site.traffic
    counted.requests = traffic.MOST_REQUESTS
    try:
        answer = client.get("/settings")
    finally:
        counted.requests = 0
    assert (answer.status_code, answer.headers["retry-after"]) == (503, "1")
