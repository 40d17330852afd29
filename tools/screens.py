"""Draw the pictures of the full screen, or check that they are what it shows.

python tools/screens.py            write docs/img/screen-*.svg
python tools/screens.py --check    change nothing, fail if one is stale
"""

from __future__ import annotations

import asyncio
import os
import random
import sys
import tempfile
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from unittest import mock

from screen_driver import LARGE, SMALL, drive, picture_of, plan_for, press, text_of, wait_for

from upcard.core.actions import Action
from upcard.core.cards import parse_cards
from upcard.drills.catalogue import DrillOptions
from upcard.drills.drill_run import DrillMemory, DrillSetup
from upcard.rules.model import Rules
from upcard.session.review import find_source
from upcard.session.table_view import KEYS
from upcard.store.database import open_in_memory
from upcard.store.round_codes import encode_round
from upcard.table.rounds import CardList, RoundRecord
from upcard.tui.app import ScreenOptions, UpcardApp
from upcard.tui.appearance import Appearance

if TYPE_CHECKING:
    from collections.abc import Callable

FOLDER: Final = Path(__file__).resolve().parent.parent / "docs" / "img"
_TITLE: Final = "upcard"
_ROUNDS_BEFORE: Final = 3
_MOST_ROUNDS: Final = 40


class Scene(NamedTuple):
    """One picture: how the program opens, the keys that lead there, and how it looks."""

    opening: ScreenOptions
    keys: tuple[str, ...]
    shuffle: int = 0
    """The number that the shuffles of a saved game follow from."""
    hand: tuple[range, range] | None = None
    """Hard totals of two cards, and upcards, that the game is played up to."""
    size: tuple[int, int] = SMALL
    theme: str = "dark"
    is_ready: Callable[[Any], bool] = lambda _: True
    ascii_only: bool = False


def _says_change(app: Any) -> bool:  # noqa: ANN401 (the app, with whatever screen)
    return "This change" in text_of(app)


def _explains(app: Any) -> bool:  # noqa: ANN401 (as above)
    page = app.screen.query("#page-text")
    return bool(page) and "What would change it" in str(page.first().render())


def _has_values(app: Any) -> bool:  # noqa: ANN401 (as above)
    return app.screen.replaying is not None


def _has_sat_down(app: Any) -> bool:  # noqa: ANN401 (as above)
    return app.seat is not None


_CHIPS: Final = Fraction(200)
_HAND: Final = ScreenOptions(plan=plan_for("6D"), chips=_CHIPS, coach="before")
_AFTER: Final = ScreenOptions(plan=plan_for("6D"), chips=_CHIPS, coach="after")
_COMPANY: Final = ScreenOptions(
    plan=plan_for("6D", hands=2, company="basic; you; mimic martingale; counter"),
    chips=Fraction(500),
    coach="before",
)
_SEVEN: Final = ScreenOptions(
    plan=plan_for("seven-hands", hands=7), chips=Fraction(500), coach="before"
)
_HARD_TO_PLAY: Final = (range(15, 17), range(9, 11))
_NOT_TO_DOUBLE: Final = (range(12, 14), range(2, 7))
_ROUND: Final = RoundRecord(
    rules=Rules.parse("6D LS"),
    bets=(Fraction(10),),
    actions=(Action.HIT, Action.STAND),
    source=CardList(parse_cards("TS 9H 2D TC 4C 5H")),
)
_AGAIN: Final = ScreenOptions(replay=find_source(encode_round(_ROUND)), keep="practice")
SCENES: Final[dict[str, Scene]] = {
    "start": Scene(ScreenOptions(), ("down", "down", "right"), is_ready=_says_change),
    "table": Scene(_HAND, (), hand=_HARD_TO_PLAY, shuffle=1),
    "after": Scene(_AFTER, ("d",), hand=_NOT_TO_DOUBLE),
    "company": Scene(_COMPANY, (), hand=_HARD_TO_PLAY, size=LARGE),
    "seven": Scene(_SEVEN, ("enter", "s", "s"), theme="four-colour", shuffle=4),
    "why": Scene(
        _HAND, ("w",), hand=_HARD_TO_PLAY, shuffle=1, size=LARGE, theme="light", is_ready=_explains
    ),
    "replay": Scene(_AGAIN, ("right",), is_ready=_has_values),
    "ascii": Scene(
        _HAND, (), hand=_HARD_TO_PLAY, shuffle=1, theme="high-contrast", ascii_only=True
    ),
}


async def play_up_to(pilot: Any, app: Any, hand: tuple[range, range]) -> None:  # noqa: ANN401
    """Play a real game by the coach's answers until a hand comes up, a few rounds into it."""
    totals, upcards = hand
    for _ in range(_MOST_ROUNDS):
        await press(pilot, "enter")
        while app.seat.session.options:
            view = app.seat.session.table.view()
            is_wanted = view.hand.total in totals and view.upcard.rank in upcards
            is_opening = len(view.hand.cards) == 2 and not view.hand.is_soft
            bank = app.seat.session.bank
            has_won = bank.rounds >= _ROUNDS_BEFORE and bank.net > 0
            if is_wanted and is_opening and has_won:
                return
            await wait_for(pilot, lambda: app.screen.coaching.advice is not None)
            await press(pilot, KEYS[app.screen.coaching.advice.best])
    msg = f"no such hand in {_MOST_ROUNDS} rounds: give the scene another shuffle"
    raise LookupError(msg)


def draw(scene: Scene) -> str:
    """Return a scene as SVG."""
    drawn: list[str] = []

    async def script(pilot: Any, app: Any) -> None:  # noqa: ANN401 (as `drive` has them)
        if scene.opening.plan is not None:
            await wait_for(pilot, lambda: _has_sat_down(app))
        if scene.opening.replay is not None:
            await wait_for(pilot, lambda: _has_values(app))
        if scene.hand is not None:
            await play_up_to(pilot, app, scene.hand)
        await press(pilot, *scene.keys)
        await wait_for(pilot, lambda: scene.is_ready(app))
        await pilot.pause()
        drawn.append(picture_of(app, _TITLE))

    look = Appearance(theme=scene.theme, animate=False, ascii_only=scene.ascii_only)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "upcard.db"
        rng = random.Random(scene.shuffle)
        with mock.patch("secrets.token_bytes", rng.randbytes):
            drive(script, scene.opening, size=scene.size, look=look, path=path)
    return drawn[0]


def draw_drill() -> str:
    """Return a drill of basic strategy as SVG: a mistake, with its cost and reason."""
    store = open_in_memory()
    setup = DrillSetup(
        options=DrillOptions(rules=Rules.parse("6D LS"), classes="soft"),
        memory=DrillMemory(store),
        seed=3,
        clock=lambda: 0.0,
    )

    async def run() -> str:
        app = UpcardApp(ScreenOptions(train=setup, drill="strategy"), None)
        async with app.run_test(size=SMALL) as pilot:

            def is_calm() -> bool:
                # Before the first question is there, a key would be lost.
                return "Your play?" in text_of(app) and not app.screen.background.jobs

            for key in ("", "s", "h", "s"):
                if key:
                    await pilot.press(key)
                await wait_for(pilot, is_calm)
            await pilot.pause()
            return picture_of(app, _TITLE)

    with store:
        return asyncio.run(run())


PICTURES: Final[dict[str, Callable[[], str]]] = {
    **{name: partial(draw, scene) for name, scene in SCENES.items()},
    "drill": draw_drill,
}


def place_of(name: str) -> Path:
    """Return the file of a scene."""
    return FOLDER / f"screen-{name}.svg"


def main() -> None:
    """Write the pictures, or check them."""
    is_check = "--check" in sys.argv[1:]
    stale = []
    with tempfile.TemporaryDirectory() as folder:
        os.environ["UPCARD_DATA"] = folder
        os.environ["UPCARD_CACHE"] = "off"
        for name, draw_it in PICTURES.items():
            svg, place = draw_it(), place_of(name)
            if is_check:
                if not place.exists() or place.read_text(encoding="utf-8") != svg:
                    stale.append(place.name)
            else:
                place.write_text(svg, encoding="utf-8")
                print(f"wrote {place.name}")
    if stale:
        sys.exit(f"stale: {', '.join(stale)}: make docs draws them anew")


if __name__ == "__main__":
    main()
