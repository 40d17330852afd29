"""Ways to drive the screens of the drills: open one, press keys, read what is on it."""

from __future__ import annotations

import asyncio
import weakref
from contextlib import asynccontextmanager

from upcard.answers.drill_report import judge_answer
from upcard.drills.catalogue import DrillOptions
from upcard.drills.drill_run import DrillMemory, DrillSetup
from upcard.rules.model import Rules
from upcard.store.database import open_in_memory
from upcard.tui.app import ScreenOptions, UpcardApp
from upcard.tui.appearance import Appearance

RULES = "6D LS"


class Clock:
    """A clock that stands still until it is set."""

    def __init__(self):
        self.now = 100.0

    def __call__(self):
        return self.now


class Driver:
    """The app under test."""

    def __init__(self, app, pilot):
        self.app = app
        self.pilot = pilot

    @property
    def screen(self):
        return self.app.screen

    @property
    def run(self):
        return self.screen.trainer.run

    @property
    def prompt(self):
        return self.run.prompt

    @property
    def verdict(self):
        """The last answer, judged."""
        trainer = self.screen.trainer
        return judge_answer(trainer.answered[-1], trainer.setup.options.rules)

    @property
    def text(self):
        """All that is on the screen, line by line."""
        strips = self.screen._compositor.render_strips()
        return "\n".join("".join(segment.text for segment in strip) for strip in strips)

    @property
    def words(self):
        """The same without line breaks, panel included."""
        return " ".join(self.text.split())

    def part(self, name):
        """What one widget shows."""
        return str(self.screen.query_one(f"#drill-{name}").render())

    async def press(self, *keys):
        for key in keys:
            await self.pilot.press(key)
            await self.calm()

    async def click(self, name, words):
        """Click on words of a widget."""
        widget = self.screen.query_one(f"#drill-{name}")
        at = self.part(name).index(words)
        await self.pilot.click(widget, offset=(at + widget.styles.padding.left, 0))
        await self.calm()

    async def calm(self):
        """Wait until nothing is being worked out."""
        await self.pilot.pause()
        screens = [one for one in self.app.screen_stack if hasattr(one, "background")]
        while any(screen.background.jobs for screen in screens):
            await self.pilot.pause(0.005)
        await self.pilot.pause()


def in_memory():
    """Return a memory whose store is closed with it: Python 3.13 warns of those that never are."""
    store = open_in_memory()
    memory = DrillMemory(store)
    weakref.finalize(memory, store.close)
    return memory


@asynccontextmanager
async def opened(drill, *, rules=RULES, size=(80, 24), calm=True, **options):
    """Open a drill, or with None the menu; `limit` is the seconds an answer; others are options."""
    names = ("classes", "system", "indices", "ramp", "group")
    drill_options = DrillOptions(
        rules=Rules.parse(rules),
        clock=options.pop("limit", None),
        sound=options.pop("sound", False),
        **{name: options.pop(name, None) for name in names},
    )
    options.setdefault("seed", 3)
    look = options.pop("look", Appearance())
    memory = options.pop("memory", None) or in_memory()
    setup = DrillSetup(options=drill_options, memory=memory, **options)
    app = UpcardApp(ScreenOptions(train=setup, drill=drill), None)
    app.look = look
    async with app.run_test(size=size) as pilot:
        driver = Driver(app, pilot)
        if calm:
            await driver.calm()
        yield driver


def drive(scene):
    """Run a scene to its end."""
    return asyncio.run(scene())
