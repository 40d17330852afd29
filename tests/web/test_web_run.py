"""`upcard web`: the port is bound first, the key is private, Ctrl-C ends it."""

import os
import re
import signal
import socket
import stat
import subprocess
import sys
import time
import urllib.request
from contextlib import closing
from http.client import HTTPConnection
from urllib.parse import urlsplit

import pytest

from upcard.cli.app import run
from upcard.store.files import data_folder
from upcard.web.door import KEY_NAME, load_key

ANY = "0.0.0.0"  # noqa: S104 (refused, or asked for)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--port", "70000"], "'70000': write a whole number from 0 to 65,535"),
        (["--host", "192.0.2.1"], "cannot listen on 192.0.2.1"),
        (["--host", "no such host"], "is not an address of this machine"),
        (["--host", ANY], "add --name"),
        (["--name", "laptop"], "--name is for --host"),
        (["--host", ANY, "--name", "laptop/x"], "write a name such as laptop.local"),
        (["--rules", "NOPE"], "NOPE"),
        (["--house", "european", "--rules", "6D"], "not both"),
        (["--new-key", "--practice"], "a practice server has a new key at each start"),
    ],
)
def test_what_cannot_be_served_is_refused_with_a_sentence(arguments, words, capsys):
    assert run(["web", "--no-open", *arguments]) == 2
    printed = capsys.readouterr()
    assert words in printed.err
    assert printed.out == ""


def test_a_port_in_use_is_refused_with_what_to_do(capsys):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert run(["web", "--no-open", "--port", str(port)]) == 2
    assert f"port {port}: Address already in use; --port 0 chooses" in capsys.readouterr().err


def test_the_key_is_private_and_stays_the_same():
    key = load_key()
    file = data_folder() / KEY_NAME
    assert len(key) >= 43
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700
    assert load_key() == key
    file.write_text("short")
    assert len(load_key()) >= 43


def test_a_new_key_replaces_the_old_one():
    key = load_key()
    fresh = load_key(makes_new=True)
    assert fresh != key
    assert load_key() == fresh
    assert stat.S_IMODE((data_folder() / KEY_NAME).stat().st_mode) == 0o600


@pytest.mark.slow
@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 0), (signal.SIGTERM, 143)])
def test_a_server_answers_its_link_and_ends_at_a_signal(number, status):
    command = [sys.executable, "-m", "upcard", "web", "--port", "0", "--no-open"]
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as server:
        try:
            assert server.stdout.readline() == "upcard runs at\n"
            link = server.stdout.readline().strip()
            assert re.fullmatch(r"http://127\.0\.0\.1:\d+/open\?key=[\w-]{43}", link)
            opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
            with opener.open(link, timeout=60) as answer:
                assert "House edge" in answer.read().decode()
        finally:
            server.send_signal(number)
            printed, errors = server.communicate(timeout=60)
    assert (server.returncode, errors) == (status, "")
    assert printed.endswith("Stopped.\n")


LONG_PAGE = """
import asyncio, sys, time
from starlette.routing import Route
from upcard.cli.app import run
from upcard.web import endpoints
from upcard.web.rules import houses
from upcard.web.site import site_of

async def wait(request):
    print("asked", flush=True)
    await {}

endpoints.ROUTES[houses.__name__] = [Route("/houses", wait)]
sys.exit(run(["web", "--port", "0", "--no-open"]))
"""


COMPUTING = "site_of(request).solver.ask('long', lambda: time.sleep(600))"
"""It cannot be interrupted, as the solver cannot."""


@pytest.mark.slow
@pytest.mark.parametrize("times", [1, 2])
@pytest.mark.parametrize("long", ["asyncio.sleep(600)", COMPUTING], ids=["waiting", "computing"])
def test_a_server_stopped_during_a_long_request_answers_it_and_ends_without_a_traceback(
    long, times
):
    with subprocess.Popen(
        [sys.executable, "-c", LONG_PAGE.format(long)],
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as server:
        try:
            assert server.stdout.readline() == "upcard runs at\n"
            link = urlsplit(server.stdout.readline().strip())
            key = link.query.removeprefix("key=")
            with closing(HTTPConnection(link.netloc, timeout=60)) as client:
                client.request("GET", "/houses", headers={"Authorization": f"Bearer {key}"})
                assert "Ctrl-C" in server.stdout.readline()
                assert server.stdout.readline() == "asked\n"
                for _ in range(times):
                    server.send_signal(signal.SIGINT)
                    time.sleep(0.3)  # two that are pending at once are one
                answer = client.getresponse()
                assert (answer.status, answer.read()) == (503, b"upcard has been stopped.\n")
        finally:
            printed, errors = server.communicate(timeout=60)
    assert (server.returncode, printed, errors) == (0, "Stopped.\n", "")
