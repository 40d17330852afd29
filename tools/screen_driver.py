"""Drives the full screen as a person does, by keys, for tests and pictures."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from terminal_svg import write_svg

from upcard.rules.model import Rules
from upcard.session.plan import TablePlan, title_of
from upcard.store.database import open_store
from upcard.tui.app import ScreenOptions, UpcardApp

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from pathlib import Path

    from textual.pilot import Pilot

    from upcard.tui.appearance import Appearance
    from upcard.tui.keys import Keymap

    Script = Callable[[Pilot[None], UpcardApp], Awaitable[None]]

SMALL: Final = (80, 24)
LARGE: Final = (140, 45)
_PATIENCE: Final = 6000
_PAUSE_SECONDS: Final = 0.005


def plan_for(rules: str = "6D LS", **options: Any) -> TablePlan:
    """Return the plan of a table with these rules."""
    found = Rules.parse(rules)
    return TablePlan(rules=found, title=title_of(found), **options)


def drive(  # noqa: PLR0913 (all but the first two are named)
    script: Script,
    opening: ScreenOptions | None = None,
    *,
    size: tuple[int, int] = SMALL,
    look: Appearance | None = None,
    path: Path | None = None,
    keymap: Keymap | None = None,
) -> UpcardApp:
    """Run `script(pilot, app)` in the program; return the program as it was left."""

    async def run() -> UpcardApp:
        with open_store(path) as store:
            app = UpcardApp(opening or ScreenOptions(), store, keymap)
            app.look = replace(app.look, animate=False) if look is None else look
            async with app.run_test(size=size) as pilot:
                await pilot.pause()
                await script(pilot, app)
            app.seating.close()
            return app

    return asyncio.run(run())


async def press(pilot: Pilot[None], *keys: str) -> None:
    """Press keys, each when the one before has been seen to."""
    for key in keys:
        await pilot.press(key)
        await settle(pilot)


async def settle(pilot: Pilot[None]) -> None:
    """Wait until all cards lie and the coach has answered."""

    def is_at_rest() -> bool:
        screen = pilot.app.screen
        dealing, coaching = getattr(screen, "dealing", None), getattr(screen, "coaching", None)
        is_dealing = dealing is not None and dealing.is_going_on
        return not is_dealing and not (coaching is not None and coaching.is_thinking)

    await wait_for(pilot, is_at_rest)


async def wait_for(pilot: Pilot[None], condition: Callable[[], bool]) -> None:
    """Wait until something is so.

    Raises: TimeoutError.
    """
    for _ in range(_PATIENCE):
        await pilot.pause()
        if condition():
            return
        await asyncio.sleep(_PAUSE_SECONDS)
    msg = f"it does not come; the screen shows:\n{text_of(pilot.app)}"
    raise TimeoutError(msg)


def text_of(app: Any) -> str:  # noqa: ANN401 (any Textual app)
    """Return the text on the screen, line by line, as a reader of the terminal sees it."""
    return "\n".join("".join(part.text for part in row).rstrip() for row in _rows_of(app))


def flat(app: Any) -> str:  # noqa: ANN401 (any Textual app)
    """Return the text on the screen without line breaks and runs of blanks."""
    return " ".join(text_of(app).split())


def picture_of(app: Any, title: str) -> str:  # noqa: ANN401 (any Textual app)
    """Return the screen as SVG: the same for the same screen, drawn alike by every program."""
    return write_svg(_rows_of(app), title)


def _rows_of(app: Any) -> Any:  # noqa: ANN401 (strips of a Textual app)
    return app.screen._compositor.render_strips()  # noqa: SLF001 (Textual has no public way)
