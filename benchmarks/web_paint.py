"""The first paint of the first page, in Chromium."""

from __future__ import annotations

import os
import shutil
import tempfile
from typing import Final

from benchmarks.web_client import serve

_NAMES: Final = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "msedge")
_PAINTED: Final = """
() => new Promise((resolve) => new PerformanceObserver((list) => {
  const paint = list.getEntriesByName("first-contentful-paint")[0];
  if (paint) resolve((performance.timeOrigin + paint.startTime) / 1000);
}).observe({type: "paint", buffered: true}))
"""


def measure_paint() -> float | None:
    """Return the seconds from the start of the server to the first paint; None without a browser.

    The browser is open already, with an empty page.
    """
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        return None
    file = os.environ.get("UPCARD_CHROMIUM") or next(filter(None, map(shutil.which, _NAMES)), None)
    if file is None:
        return None
    flags = ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run"]
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        browser = playwright.chromium.launch(
            executable_path=file, args=flags, chromium_sandbox=False
        )
        page = browser.new_page()
        page.goto("about:blank")
        with serve(folder) as server:
            page.goto(server.link)
            painted = float(page.evaluate(_PAINTED))
        browser.close()
        return painted - server.started
