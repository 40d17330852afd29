"""The first page is there soon: it waits for no solver, and loads no other page."""

import asyncio
import importlib
import subprocess
import sys
from pathlib import Path

import pytest
from web_server import make_site

from upcard.answers.edge import answer_edge
from upcard.services.answer_queue import AnswerQueue
from upcard.web.endpoints import ROUTES
from upcard.web.page_routes import MODULES, LoadAhead, first_part

FIRST_PAGE = """
import asyncio, sys
sys.path.insert(0, {folder!r})
from asgi_request import ask
from upcard.web.app import make_app
from upcard.web.door import Door
from upcard.web.page_routes import LoadAhead
from upcard.web.run import serve
from upcard.web.site import Site
from upcard.store.database import open_store

site = Site(door=Door(hosts=frozenset({{"h:1"}}), key="k" * 43, port=1), store=open_store())
status, body = asyncio.run(ask(LoadAhead(make_app(site), site), "/", key="k" * 43, host="h:1"))
heavy = [m for m in {heavy!r} if m in sys.modules]
pages = [name for name in {pages!r} if f"upcard.web.{{name}}" in sys.modules]
print(status, b"House edge" in body, heavy, pages)
"""

HEAVY = (
    *("numpy", "numba", "rich", "textual", "markdown_it"),
    *("upcard.charts.layout", "upcard.players.question", "upcard.players.bots"),
    *("upcard.session.game_session", "upcard.store.sessions", "upcard.table.engine"),
    "upcard.services.run_queue",
)
PAGES = sorted({name for names in MODULES.values() for name in names})
ANNOUNCE = """
import sys
from upcard.rules.model import Rules
from upcard.web.door import ServeOptions
from upcard.web.run import serve

def say(line):
    loaded = [m for m in ("jinja2", "starlette", "uvicorn") if m in sys.modules]
    print(line.partition("\\n")[0], loaded)
    raise KeyboardInterrupt

try:
    serve(ServeOptions(rules=Rules(), port=0, opens_browser=False), say)
except KeyboardInterrupt:
    pass
"""


def test_the_link_is_there_before_the_pages_are_loaded_so_that_the_browser_starts_meanwhile():
    done = subprocess.run(
        [sys.executable, "-c", ANNOUNCE], capture_output=True, text=True, check=False
    )
    assert (done.stdout, done.stderr) == ("upcard runs at []\n", "")


def test_the_first_page_is_sent_without_a_number_library_and_without_other_pages():
    code = FIRST_PAGE.format(folder=str(Path(__file__).parent), heavy=HEAVY, pages=PAGES)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("200 True [] ['table.start']\n", "")


@pytest.mark.parametrize("module", PAGES)
def test_every_address_of_a_page_leads_to_its_module(module):
    routes = ROUTES[importlib.import_module(f"upcard.web.{module}").__name__]
    assert routes
    for route in routes:
        assert module in MODULES[first_part(route.path)]


def test_a_page_that_does_not_wait_leaves_the_solver_alone_until_it_is_loaded():
    async def play():
        queue = AnswerQueue()
        queue.is_loaded = False
        assert await queue.ask("edge", lambda: 1, patience=0) is None
        assert not queue._running
        assert await queue.ask("edge", lambda: 2) == 2  # a program waits
        queue.close()

    asyncio.run(play())


def test_the_solver_is_loaded_after_the_first_page(monkeypatch):
    asked, loaded = [], []
    for name, value in {
        "_PAINT_SECONDS": 0,
        "find_edge": lambda _: answer_edge(-0.005),
        "load_pages": lambda: loaded.append("pages"),
        "_load_coach": lambda _: loaded.append("coach"),
    }.items():
        monkeypatch.setattr(f"upcard.web.page_routes.{name}", value)

    async def app(scope, _receive, send):
        asked.append(site.solver.is_loaded)
        status = 200 if scope["path"] == "/" else 303
        await send({"type": "http.response.start", "status": status, "headers": []})

    async def play():
        async def send(_):
            pass

        for path in ("/open", "/", "/"):
            await loading({"type": "http", "path": path}, None, send)
            if loading._task is not None:
                await loading._task

    site = make_site()
    loading = LoadAhead(app, site)
    asyncio.run(play())
    assert asked == [False, False, True]
    assert ("edge", site.rules) in site.solver._known
    assert loaded == ["pages", "coach"]
    site.solver.close()
