"""More than the server can hold is refused with a sentence, and held again later."""

import asyncio
import socket
import subprocess
import sys
from contextlib import closing, suppress
from http.client import HTTPConnection
from threading import Event
from urllib.parse import urlsplit

import pytest
from asgi_request import ask
from html_check import find_faults
from web_server import HOST, KEY, make_site

from upcard.web import gate, serving
from upcard.web.app import make_app
from upcard.web.serving import Server
from upcard.web.showing import asset_url


@pytest.fixture
def site():
    found = make_site()
    yield found
    found.solver.close()


def get(site, path="/settings", accept="application/json"):
    return ask(make_app(site), path, key=KEY, host=HOST, accept=accept)


def test_more_requests_than_fit_are_refused_with_a_sentence_until_one_is_answered(
    site, monkeypatch
):
    monkeypatch.setattr(gate, "MOST_REQUESTS", 3)
    free = Event()

    async def play():
        held = asyncio.create_task(site.solver.ask("held", lambda: free.wait(10)))
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
    site.traffic.count_connections = lambda: 497
    status, body = asyncio.run(get(site))
    assert (status, b"496 connections are open" in body) == (503, True)
    assert site.traffic.requests == 0  # what is refused is not under way


def test_a_busy_server_says_when_to_ask_again(bare, client):
    counted = bare.app.state.site.traffic
    counted.requests = gate.MOST_REQUESTS
    try:
        answer = client.get("/settings")
    finally:
        counted.requests = 0
    assert (answer.status_code, answer.headers["retry-after"]) == (503, "1")


# --- a server on a socket ---

ASK = f"GET /settings HTTP/1.1\r\nHost: {HOST}\r\n".encode()
KNOWN = ASK + f"Authorization: Bearer {KEY}\r\n\r\n".encode()
POST = (
    f"POST /settings HTTP/1.1\r\nHost: {HOST}\r\nAuthorization: Bearer {KEY}\r\n"
    "Content-Type: application/x-www-form-urlencoded\r\n"
).encode()


def run_server(site, client):
    """Run a server of the site, and a client that is given a function to connect with."""

    async def live():
        listener = socket.create_server(("127.0.0.1", 0))
        server = Server(site)
        running = asyncio.create_task(server.serve(sockets=[listener]))
        while not server.started:  # noqa: ASYNC110 (uvicorn has no event for it)
            await asyncio.sleep(0.01)
        writers = []

        async def connect(sent=b""):
            reader, writer = await asyncio.open_connection(*listener.getsockname())
            writers.append(writer)
            writer.write(sent)
            return reader, writer

        try:
            async with asyncio.timeout(60):
                await client(connect)
        finally:
            server.should_exit = server.force_exit = True
            for writer in writers:
                writer.close()
            await running
            listener.close()

    asyncio.run(live())


def test_connections_without_the_key_never_keep_out_one_with_it(site):
    site.traffic.most_connections = 40

    async def play(connect):
        idle = [await connect() for _ in range(60)]
        slow = [await connect(ASK) for _ in range(60)]  # never finished
        friends = [await connect(KNOWN) for _ in range(20)]
        for reader, _ in friends:
            assert b" 200 " in await reader.readline()
        more = [await connect() for _ in range(60)]
        for reader, writer in friends:
            await reader.readuntil(b"\r\n\r\n")
            writer.write(KNOWN)
            while b" 200 " not in await reader.readline():
                pass
        for reader, _ in (*idle, *slow):
            with suppress(ConnectionError):
                assert await reader.read() == b""
        assert not more[-1][0].at_eof()

    run_server(site, play)


def test_a_connection_with_a_wrong_key_stays_one_without(site):
    async def play(connect):
        for key, status, known in ((KEY[1:], b" 403 ", 0), (KEY, b" 200 ", 1)):
            reader, _ = await connect(KNOWN.replace(KEY.encode(), key.encode()))
            assert status in await reader.readline()
            assert site.traffic.count_connections() == known

    run_server(site, play)


def test_a_connection_with_the_key_too_many_is_told_so(site):
    site.traffic.most_connections = 20

    async def play(connect):
        lines = [await (await connect(KNOWN))[0].readline() for _ in range(6)]
        assert [b" 200 " in line for line in lines] == [True] * 4 + [False] * 2
        assert b" 503 " in lines[-1]

    run_server(site, play)


def test_a_connection_that_sends_no_whole_request_is_closed(site, monkeypatch):
    monkeypatch.setattr(serving, "_REQUEST_SECONDS", 0.2)

    async def play(connect):
        begun = (b"", ASK, POST + b"Content-Length: 9\r\n\r\ntheme")
        for reader, _ in [await connect(part) for part in begun]:
            with suppress(ConnectionError):
                assert await reader.read() == b""

    run_server(site, play)


def test_what_a_client_does_wrong_prints_nothing(site, capfd):
    """S8: it was 58 lines of traceback, a warning, and advice to install a library."""

    async def play(connect):
        _, writer = await connect(POST + b"Content-Length: 9\r\n\r\ntheme")
        writer.close()
        reader, _ = await connect(b"\x16\x03\x01\x02\x00 no HTTP\r\n\r\n")
        assert b" 400 " in await reader.readline()
        reader, _ = await connect(KNOWN[:-2] + b"Connection: upgrade\r\nUpgrade: h2c\r\n\r\n")
        assert b" 200 " in await reader.readline()
        reader, _ = await connect(ASK + b"Transfer-Encoding: chunked\r\n\r\n1\r\nx\r\n")
        assert b" 403 " in await reader.readline()
        _, writer = await connect(ASK + b"Transfer-Encoding: chunked\r\n\r\n")
        await asyncio.sleep(0.1)
        writer.write(b"no number\r\n")
        await writer.drain()
        await asyncio.sleep(0.1)

    run_server(site, play)
    assert capfd.readouterr().err == ""


def test_a_body_in_very_many_pieces_is_refused(site):
    async def play(connect):
        reader, _ = await connect(
            POST + b"Transfer-Encoding: chunked\r\n\r\n" + 2000 * b"1\r\nx\r\n"
        )
        assert b" 400 " in await reader.readline()
        for pieces in (1, 900):
            reader, _ = await connect(
                POST + b"Transfer-Encoding: chunked\r\n\r\n" + pieces * b"1\r\na\r\n" + b"0\r\n\r\n"
            )
            assert b" 303 " in await reader.readline()

    run_server(site, play)


HOLD = """
import resource, socket, sys
port, count = map(int, sys.argv[1:])
_, most = resource.getrlimit(resource.RLIMIT_NOFILE)
resource.setrlimit(resource.RLIMIT_NOFILE, (count + 100, most))
sockets = [socket.create_connection(("127.0.0.1", port)) for _ in range(count)]
print("held", flush=True)
sys.stdin.read()
"""


@pytest.mark.slow
@pytest.mark.parametrize("files", [256, 1024, 4096])
@pytest.mark.parametrize("kind", ["-n", "-Sn"], ids=["hard", "soft"])
def test_no_number_of_sockets_keeps_out_the_key_or_fills_the_terminal(files, kind, tmp_path):
    resource = pytest.importorskip("resource")
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    if 0 < most < 4096 + 1000:
        pytest.skip(f"this machine allows {most} open files")

    errors = tmp_path / "errors"
    limited = ["sh", "-c", f'ulimit {kind} {files}; exec "$@"', "sh"]
    web = [sys.executable, "-m", "upcard", "web", "--no-open", "--port", "0", "--practice"]
    with (
        errors.open("w") as err,
        subprocess.Popen([*limited, *web], stdout=subprocess.PIPE, stderr=err, text=True) as server,
    ):
        try:
            server.stdout.readline()
            link = urlsplit(server.stdout.readline().strip())
            key = {"Authorization": f"Bearer {link.query.removeprefix('key=')}"}

            def ask():
                with closing(HTTPConnection(link.netloc, timeout=60)) as client:
                    client.request("GET", "/settings", headers=key)
                    return client.getresponse().status

            assert ask() == 200
            hold = [sys.executable, "-c", HOLD, str(link.port), str(files + 500)]
            with subprocess.Popen(
                hold, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
            ) as holder:
                try:
                    holder.stdout.readline()
                    assert [ask() for _ in range(20)] == [200] * 20
                finally:
                    holder.kill()
            assert ask() == 200
        finally:
            server.terminate()
    assert errors.read_text() == ""
    assert server.returncode == 143
