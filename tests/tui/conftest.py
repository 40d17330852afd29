"""Screens are driven as fast as they answer."""

import asyncio

import pytest
from textual._context import active_app

FRAME_SECONDS = 0.02  # Textual repaints and resizes within less
LONGEST_SECONDS = 1.0  # where a clock never stops


async def come_to_rest(*_args):
    """Wait until the event loop waits too: for keys, for threads, or for a clock far off.

    Textual's own way is to sleep until the process uses little time, which takes 20 ms where
    nothing happens, and a second while a thread computes.
    """
    loop = asyncio.get_running_loop()
    end = loop.time() + LONGEST_SECONDS
    while loop.time() < end:
        await asyncio.sleep(0)
        if loop._ready:
            continue
        soon = loop.time() + FRAME_SECONDS
        due = [one.when() for one in loop._scheduled if not one.cancelled() and one.when() < soon]
        if not due or has_ended():
            return
        await asyncio.sleep(max(due) - loop.time())


def has_ended():
    """Whether the app is over: its clocks continue for as long as the test."""
    app = active_app.get(None)
    return app is not None and not app.is_running


@pytest.fixture(autouse=True)
def do_not_sleep_between_keys(monkeypatch):
    for module in ("textual.app", "textual.pilot"):
        monkeypatch.setattr(f"{module}.wait_for_idle", come_to_rest)
