"""Chromium for the browser tests, and a server of our own for it."""

import os
import subprocess
import sys
from contextlib import contextmanager

import pytest
from find_chromium import MISSING, find_file

PATIENCE_MS = 90_000


def find_chromium():
    """Return the browser's file, or skip; `UPCARD_NEEDS_BROWSER` turns that into a failure."""
    pytest.importorskip("playwright")
    found = find_file()
    if found is None:
        if os.environ.get("UPCARD_NEEDS_BROWSER"):
            pytest.fail(MISSING)
        pytest.skip(MISSING)
    return found


@contextmanager
def serve(folder, *options):
    """Run a server of our own; yield its link and the process."""
    command = [sys.executable, "-m", "upcard", "web", "--no-open", "--rules", "INF", *options]
    environment = {**os.environ, "UPCARD_DATA": str(folder), "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as server:
        try:
            server.stdout.readline()
            yield server.stdout.readline().strip(), server
        finally:
            server.terminate()


def settle(page):
    """Wait until every part is there."""
    page.locator("[data-later]").first.wait_for(state="detached")


def follow(page, control):
    """Click what leads to another page, and wait until all of that page is there.

    A click may return before the page it leads to has arrived, and what is read or counted
    then is that of the page before, or of half a page.
    """
    with page.expect_navigation():
        control.click()


def check_every_look(page, axe):
    """Check a page with axe and for overflow, at both sizes, light and dark."""
    page.evaluate(axe)
    tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
    for width in (360, 1280):
        for scheme in ("light", "dark"):
            page.set_viewport_size({"width": width, "height": 740})
            page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            found = page.evaluate("tags => axe.run({runOnly: tags})", tags)
            faults = [
                (one["id"], [node["html"][:200] for node in one["nodes"]])
                for one in found["violations"]
            ]
            assert (width, scheme, faults) == (width, scheme, [])
            assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
