"""The browsers of the campaigns: an idle connection that a server closes is no end of a server."""

import asyncio
from types import SimpleNamespace

import pytest

from campaign.browsers import AwayError, Browser

ANSWER = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"


class Closing:
    """A server that answers, and closes a connection as it is told to."""

    def __init__(self, *, when):
        self.when = when
        self.connections = 0
        self.requests = []
        self.closed = asyncio.Event()

    async def answer(self, reader, writer):
        self.connections += 1
        try:
            await self._answer_on(reader, writer, is_first=self.connections == 1)
        except asyncio.IncompleteReadError:
            pass
        finally:
            writer.close()
            self.closed.set()

    async def _answer_on(self, reader, writer, *, is_first):
        while True:
            head = await reader.readuntil(b"\r\n\r\n")
            self.requests.append(head.split(None, 2)[1].decode())
            if is_first and self.when == "asked" and len(self.requests) > 1:
                return  # it closes the connection as the request is on its way
            writer.write(ANSWER)
            await writer.drain()
            if is_first and self.when == "idle":
                return


def talk(when, *asked, is_alive=True):
    """Ask for these pages one after the other; return how the server saw it."""

    async def run():
        closing = Closing(when=when)
        async with await asyncio.start_server(closing.answer, "127.0.0.1", 0) as server:
            port = server.sockets[0].getsockname()[1]
            known = SimpleNamespace(port=port, host="x", is_alive=is_alive, printed="")
            browser = Browser(known, [])
            try:
                for path, form in asked:
                    assert (await browser.ask(path, form)).status == 200
                    if when == "idle":
                        await closing.closed.wait()
                        await asyncio.sleep(0.05)
            finally:
                await browser.close()
                await asyncio.sleep(0.05)
        return closing

    return asyncio.run(asyncio.wait_for(run(), 20))


@pytest.mark.parametrize("form", [None, {"rules": "6D"}], ids=["page", "form"])
def test_nothing_was_sent_on_a_connection_that_was_closed_while_it_was_idle(form):
    closing = talk("idle", ("/1", None), ("/2", form))
    assert (closing.requests, closing.connections) == (["/1", "/2"], 2)


@pytest.mark.parametrize("form", [None, {"v": "3", "do": "hit"}], ids=["page", "move"])
def test_what_changes_nothing_when_it_is_repeated_is_sent_again(form):
    closing = talk("asked", ("/1", None), ("/2", form))
    assert (closing.requests, closing.connections) == (["/1", "/2", "/2"], 2)


def test_what_may_have_been_done_is_not_sent_again():
    with pytest.raises(AwayError):
        talk("asked", ("/1", None), ("/tables", {"rules": "6D"}))


def test_a_server_that_was_killed_is_not_asked_again():
    with pytest.raises(AwayError):
        talk("asked", ("/1", None), ("/2", None), is_alive=False)
