"""Chromium on this machine, for the tests of the pages and their pictures."""

from __future__ import annotations

import os
import shutil
from typing import Final

NAMES: Final = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "msedge")
FLAGS: Final = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
MISSING: Final = "no Chromium: install it, or name its file in UPCARD_CHROMIUM"


def find_file() -> str | None:
    """Return the browser's file: that of UPCARD_CHROMIUM, or one on the PATH."""
    return os.environ.get("UPCARD_CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
