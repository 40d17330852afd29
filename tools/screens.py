"""Draw the pictures of the full screen, or check that they are what it shows.

python tools/screens.py            write docs/img/screen-*.svg
python tools/screens.py --check    change nothing, fail if one is stale
"""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from screen_driver import LARGE, SMALL, drive, picture_of, plan_for, press, wait_for

from upcard.coach.drill_memory import DrillMemory
from upcard.coach.drill_wishes import DrillWishes
from upcard.core.actions import Action
from upcard.core.cards import parse_cards
from upcard.rules.model import Rules
from upcard.sitting.coaching import Voice
from upcard.sitting.review_source import find_source
from upcard.store.codes import CodedRound, encode_round
from upcard.store.database import open_in_memory
from upcard.tui.look import Look
from upcard.tui.opening import Opening
from upcard.tui.train.app import TrainApp
from upcard.tui.train.setup import TrainSetup

if TYPE_CHECKING:
    from collections.abc import Callable

FOLDER: Final = Path(__file__).resolve().parent.parent / "docs" / "img"
_TITLE: Final = "upcard"


class Scene(NamedTuple):
    """One picture: how the program opens, the keys that lead there, and how it looks."""

    opening: Opening
    keys: tuple[str, ...]
    size: tuple[int, int] = SMALL
    theme: str = "dark"
    is_ready: Callable[[Any], bool] = lambda _: True
    ascii_only: bool = False


def _knows_edge(app: Any) -> bool:  # noqa: ANN401 (the app, with whatever screen)
    screen = app.screen
    return screen.edges.find(screen.choice.rules) is not None


def _explains(app: Any) -> bool:  # noqa: ANN401 (as above)
    page = app.screen.query("#page-text")
    return bool(page) and "What would change it" in str(page.first().render())


def _has_values(app: Any) -> bool:  # noqa: ANN401 (as above)
    return app.screen.replaying is not None


def _has_sat_down(app: Any) -> bool:  # noqa: ANN401 (as above)
    return app.sitting is not None


_HAND: Final = Opening(
    plan=plan_for("6D LS"),
    cards="TS 9H 6D TC 5C",
    chips=Fraction(500),
    voice=Voice.BEFORE,
    is_practice=True,
)
_COMPANY: Final = Opening(
    plan=plan_for("6D LS", hands=2, company="basic; you; mimic martingale; counter"),
    seed=11,
    chips=Fraction(500),
    voice=Voice.BEFORE,
)
_SEVEN: Final = Opening(
    plan=plan_for("seven-hands", hands=7),
    seed=4,
    chips=Fraction(500),
    voice=Voice.BEFORE,
)
_ROUND: Final = CodedRound(
    rules=_HAND.plan.rules if _HAND.plan else Rules(),
    bets=(Fraction(10),),
    actions=(Action.HIT, Action.STAND),
    cards=tuple(parse_cards("TS 9H 2D TC 4C 5H")),
)
_AGAIN: Final = Opening(replay=find_source(encode_round(_ROUND)), is_practice=True)
SCENES: Final[dict[str, Scene]] = {
    "start": Scene(Opening(), ("down", "down", "right"), is_ready=_knows_edge),
    "table": Scene(_HAND, ("enter",)),
    "after": Scene(_HAND, ("c", "c", "enter", "s")),
    "company": Scene(_COMPANY, ("enter", "s"), size=LARGE),
    "seven": Scene(_SEVEN, ("enter", "s", "s"), theme="four-colour"),
    "why": Scene(_HAND, ("enter", "w"), size=LARGE, theme="light", is_ready=_explains),
    "replay": Scene(_AGAIN, ("right",), is_ready=_has_values),
    "ascii": Scene(_HAND, ("enter",), theme="high-contrast", ascii_only=True),
}


def draw(scene: Scene) -> str:
    """Return a scene as SVG."""
    drawn: list[str] = []

    async def script(pilot: Any, app: Any) -> None:  # noqa: ANN401 (as `drive` has them)
        if scene.opening.plan is not None:
            await wait_for(pilot, lambda: _has_sat_down(app))
        if scene.opening.replay is not None:
            await wait_for(pilot, lambda: _has_values(app))
        await press(pilot, *scene.keys)
        await wait_for(pilot, lambda: scene.is_ready(app))
        await pilot.pause()
        drawn.append(picture_of(app, _TITLE))

    look = Look(theme=scene.theme, animate=False, ascii_only=scene.ascii_only)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "upcard.db"
        drive(script, scene.opening, size=scene.size, look=look, path=path)
    return drawn[0]


def draw_drill() -> str:
    """Return a drill of basic strategy as SVG: a mistake, with its cost and reason."""
    setup = TrainSetup(
        wishes=DrillWishes(rules=Rules.parse("6D LS"), classes="soft"),
        memory=DrillMemory(open_in_memory()),
        seed=3,
        clock=lambda: 0.0,
    )

    async def run() -> str:
        app = TrainApp(setup, drill="strategy")
        async with app.run_test(size=SMALL) as pilot:

            def is_calm() -> bool:
                return not getattr(app.screen, "is_busy", False)

            for key in ("", "s", "h", "s"):
                if key:
                    await pilot.press(key)
                await wait_for(pilot, is_calm)
            await pilot.pause()
            return picture_of(app, _TITLE)

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
