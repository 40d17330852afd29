"""Computations of pages: they end with their request, and what cannot be had has a status."""

import ast
import asyncio
import time
from pathlib import Path
from threading import Event

from asgi_request import ask
from web_server import HOST, KEY, make_site

from upcard import services
from upcard.core import long_work
from upcard.services import UnavailableError
from upcard.web.app import make_app
from upcard.web.reading import refuse

JSON = "application/json"


def test_every_error_of_a_service_has_a_status():
    words = {"not-found"}
    for file in Path(services.__file__).parent.glob("*.py"):
        for one in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(one, ast.Call) and getattr(one.func, "id", "") == "UnavailableError":
                words |= {word.value for word in one.args[:1]}
    assert len(words) == 8
    assert {refuse(UnavailableError(word, "")).error for word in words} == words


def test_a_request_that_is_left_ends_its_computation(monkeypatch):
    """The whole way: a client asks for the values of a hand, and closes the connection."""
    begun, ended, site = Event(), Event(), make_site()

    def work(*_, **__):
        begun.set()
        try:
            while True:
                long_work.check()
                time.sleep(0.001)
        finally:
            ended.set()

    monkeypatch.setattr("upcard.answers.hand.answer_question", work)

    async def play():
        gone = asyncio.Event()
        messages = iter([{"type": "http.request", "body": b"", "more_body": False}])

        async def receive():
            for message in messages:
                return message
            await gone.wait()
            return {"type": "http.disconnect"}

        asked = asyncio.create_task(
            ask(
                make_app(site),
                "/hand?r=6D&c=8.8&u=T",
                key=KEY,
                host=HOST,
                accept=JSON,
                receive=receive,
            )
        )
        assert await asyncio.to_thread(begun.wait, 30)
        gone.set()
        status, _ = await asked
        assert await asyncio.to_thread(ended.wait, 30)
        return status

    assert asyncio.run(play()) == 409
