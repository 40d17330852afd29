"""Take the pictures of the pages of `upcard web`, in docs/img/web.

    python tools/pages.py            all pictures
    python tools/pages.py table      those whose name begins so
    python tools/pages.py --png .    into a folder of yours, without loss, to look at

The program runs with a folder and a port of its own, and its shuffles follow from a number, so
that the same cards come again. Pictures are not golden files: fonts differ between machines.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import subprocess
import sys
import tempfile
from base64 import b64decode
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from unittest import mock
from urllib.parse import urlencode
from urllib.request import Request, urlopen

from find_chromium import FLAGS, MISSING, find_file

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

FOLDER: Final = Path(__file__).resolve().parent.parent / "docs" / "img" / "web"
LAPTOP: Final = (1280, 800)
PHONE: Final = (360, 740)
_QUALITY: Final = 70
_SHUFFLE: Final = 3
_ROUNDS: Final = 150
_PATIENCE_MS: Final = 120_000
_RULES: Final = "6D H17 LS"


class Server(NamedTuple):
    """The running program: its addresses, and the key for programs."""

    origin: str
    key: str

    def ask(self, path: str, **form: str) -> dict[str, Any]:
        """Return the JSON of an address, posted with a form if there is one."""
        headers = {"Accept": "application/json", "Authorization": f"Bearer {self.key}"}
        data = urlencode(form).encode() if form else None
        with urlopen(Request(self.origin + path, data, headers)) as answer:  # noqa: S310 (our own)
            return json.loads(answer.read()) | {"path": answer.url.removeprefix(self.origin)}


class Shot(NamedTuple):
    """A picture: what is prepared, where it is taken, and how."""

    prepare: Callable[[Server], str]
    """Returns the address of the page."""
    looks: tuple[tuple[tuple[int, int], str], ...]
    act: Callable[[Any], object] = lambda _: None
    """Does with the page what it takes to see it."""


def play_to_a_hard_hand(server: Server) -> str:
    """Sit down with the coach and play by their answers until 15 or 16 meets a 9 or 10."""
    table = server.ask("/tables", rules=_RULES, bet="10", coach="before", chips="500")
    while True:
        at, version = table["path"], {"v": str(table["version"])}
        asked = table["session"]["asked"]
        if asked is None:
            table = server.ask(f"{at}/bet", bet="10", **version) | {"path": at}
            continue
        table = server.ask(f"{at}/coach") | {"path": at}
        session = table["session"]
        is_hard = asked["total"] in ("15", "16") and len(asked["cards"]) == 2
        if is_hard and asked["upcard"][0] in "9TJQK" and Fraction(session["net"]) > 0:
            return at
        best = next(one["action"] for one in table["coach"]["values"] if one["is_best"])
        table = server.ask(f"{at}/act", do=best, **version) | {"path": at}


def play_with_mistakes(server: Server) -> str:
    """Play rounds as the dealer would, which is wrong in many cells; return the results' page."""
    table = server.ask("/tables", rules=_RULES, bet="10", coach="after", chips="5000")
    at = table["path"]
    for _ in range(_ROUNDS):
        table = server.ask(f"{at}/bet", bet="10", v=str(table["version"]))
        while asked := table["session"]["asked"]:
            totals = re.findall(r"\d+", asked["total"])  # none in a natural
            wish = "hit" if totals and int(totals[-1]) < 17 else "stand"
            answers = list(asked["answers"])
            do = next(one for one in (wish, "no insurance", "no even money") if one in answers)
            table = server.ask(f"{at}/act", do=do, v=str(table["version"]))
    server.ask(f"{at}/coach")
    return f"/stats?{urlencode({'house': table['session']['rules']})}"


def begin_drill(server: Server) -> str:
    """Begin a drill of soft hands, and give a wrong answer."""
    fields = {"r": _RULES, "classes": "soft", "questions": "20"}
    drill = server.ask("/drills/strategy", **fields)
    server.ask(f"{drill['path']}/answer", v=str(drill["version"]), text="stand")
    return drill["path"]


def run_simulation(server: Server) -> str:
    """Simulate a count, and return the page of its bet ramps."""
    fields = {"r": _RULES, "count": "hi-lo", "indices": "i18", "rounds": "50M", "seed": "1"}
    run = server.ask("/runs", **fields)
    with urlopen(_events(server, run["path"])) as events:  # noqa: S310 (our own)
        events.read()  # until it ends
    return f"{run['path']}/ramp?spread=1-12&bankroll=10000&hours=100"


def _events(server: Server, path: str) -> Request:
    return Request(  # noqa: S310 (our own)
        f"{server.origin}{path}/events", headers={"Authorization": f"Bearer {server.key}"}
    )


def _scroll_to(selector: str) -> Callable[[Any], object]:
    return lambda page: page.locator(selector).first.evaluate(
        "one => one.scrollIntoView({block: 'start'})"
    )


SHOTS: Final[dict[str, Shot]] = {
    "table": Shot(
        play_to_a_hard_hand,
        ((LAPTOP, "light"), (LAPTOP, "dark"), (PHONE, "light"), (PHONE, "dark")),
        lambda page: page.locator("[data-coach=ready]").wait_for(),
    ),
    "hand": Shot(
        lambda _: f"/hand?{urlencode({'r': _RULES, 'c': 'T.6', 'u': 'T', 'less': '5.5.6'})}",
        ((LAPTOP, "light"), (LAPTOP, "dark"), (PHONE, "dark")),
    ),
    "rules": Shot(
        lambda _: f"/rules?{urlencode({'r': _RULES, 'was': '6D LS'})}",
        ((LAPTOP, "light"), (PHONE, "dark")),
    ),
    "drill": Shot(begin_drill, ((LAPTOP, "dark"), (PHONE, "light"))),
    "ramp": Shot(run_simulation, ((LAPTOP, "light"), (PHONE, "dark"))),
    "mistakes": Shot(play_with_mistakes, ((LAPTOP, "dark"), (PHONE, "light")), _scroll_to("#map")),
}


def serve() -> None:
    """Be the program, with shuffles that follow from a number."""
    from upcard.cli.app import run
    from upcard.drills import drill_run as drills
    from upcard.fair import seeds

    shuffles, questions = random.Random(_SHUFFLE), random.Random(_SHUFFLE)
    with (
        mock.patch.object(seeds, "secrets", mock.Mock(token_bytes=shuffles.randbytes)),
        mock.patch.object(drills, "random", mock.Mock(Random=lambda _: questions)),
    ):
        sys.exit(run(["web", "--no-open", "--port", "0"]))


@contextmanager
def start() -> Iterator[tuple[str, Server]]:
    """Start the program in a folder of its own; yield its link and the server."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {
            **os.environ,
            "UPCARD_DATA": folder,
            "UPCARD_CACHE": "off",
            "PYTHONUNBUFFERED": "1",
            "PYTHONHASHSEED": "0",
        }
        command = [sys.executable, __file__, "--serve"]
        with subprocess.Popen(
            command, env=environment, stdout=subprocess.PIPE, text=True
        ) as process:
            try:
                assert process.stdout is not None  # noqa: S101 (it is a pipe)
                process.stdout.readline()
                link = process.stdout.readline().strip()
                origin, _, key = link.partition("/open?key=")
                yield link, Server(origin, key)
            finally:
                process.terminate()


def open_page(browser: Any, link: str, size: tuple[int, int], scheme: str) -> Any:  # noqa: ANN401
    """Open a window of a size and scheme in which nothing moves, and let it in."""
    context = browser.new_context(
        viewport={"width": size[0], "height": size[1]}, color_scheme=scheme, reduced_motion="reduce"
    )
    context.set_default_timeout(_PATIENCE_MS)
    page = context.new_page()
    page.goto(link)
    return page


def take(page: Any, file: Path) -> None:  # noqa: ANN401 (Playwright's)
    """Write what the window shows."""
    if file.suffix == ".png":
        page.screenshot(path=file)
        return
    session = page.context.new_cdp_session(page)
    wish = {"format": "webp", "quality": _QUALITY}
    file.write_bytes(b64decode(session.send("Page.captureScreenshot", wish)["data"]))


def main() -> None:
    """Take the pictures that are asked for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("names", nargs="*", help="only pictures whose name begins so")
    parser.add_argument("--png", type=Path, metavar="FOLDER", help="write PNG files there")
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.serve:
        serve()
    browser_file = find_file()
    if browser_file is None:
        sys.exit(MISSING)
    from playwright.sync_api import sync_playwright

    folder = options.png or FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    kind = "png" if options.png else "webp"
    shots = {
        name: shot
        for name, shot in SHOTS.items()
        if not options.names or name.startswith(tuple(options.names))
    }
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=browser_file, args=FLAGS)
        for name, shot in shots.items():
            with start() as (link, server):  # one each: the cards do not depend on the others
                path = shot.prepare(server)
                for size, scheme in shot.looks:
                    device = "phone" if size == PHONE else "laptop"
                    file = folder / f"{name}-{device}-{scheme}.{kind}"
                    page = open_page(browser, link, size, scheme)
                    page.goto(server.origin + path)
                    page.locator("[data-later]").first.wait_for(state="detached")
                    shot.act(page)
                    page.evaluate("document.fonts.ready")
                    take(page, file)
                    page.context.close()
                    print(f"wrote {file} ({file.stat().st_size / 1000:.0f} kB)")
        browser.close()


if __name__ == "__main__":
    main()
