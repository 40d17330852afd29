"""`DrillMenu`: all drills, and how far one is with each."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar, Final

from textual import events
from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Static

from upcard.drills.catalogue import CATALOGUE, DRILL_NAMES, MISTAKE_PERIODS, DrillOptions
from upcard.drills.drill_run import DrillSetup
from upcard.drills.feedback import find_begun, find_prices, read_standing
from upcard.tui.action_bar import HELP_KEY, LEAVE_KEY, ActionBar, Key
from upcard.tui.background import Background
from upcard.tui.bindings import MENU
from upcard.tui.keys import Keyed
from upcard.tui.pages import AnyKeyPage
from upcard.tui.requests import OpenDrill
from upcard.tui.themes import MUTED
from upcard.tui.train.modals import Ended, make_summary, write_keys
from upcard.tui.train.options import OptionsPage
from upcard.tui.train.panel import TALL

_KEYS: Final = (
    ("Up, Down, 1-8", "choose a drill"),
    ("Enter", "begin it"),
    ("O", "options: rules, classes, count, indices, ramp"),
    ("M", "ask only what you answered wrong, at the table or in the drill; or everything"),
    ("?", "this page"),
    ("Q, Esc, Ctrl-C", "leave"),
)
_TEXT: Final = (
    "The questions of a drill are drawn by what they would cost you. Answers are saved for each set"
    " of rules, count and ramp; several terminals may drill at once. What mistakes are expected to"
    " cost is worked out for the drills of opening hands: how often a hand comes, times how often"
    " you answer it wrong, times what that costs. The others have no price, as how often their"
    " counts come is not in them."
)


class DrillRow(Static):
    """One drill of the menu; a click begins it."""

    def __init__(self, place: int) -> None:
        super().__init__(id=f"drill-{place}")
        self.place = place


class DrillMenu(Keyed, Screen[None]):
    """Lists the drills; Enter begins one, and its summary comes back here."""

    VERTICAL_BREAKPOINTS = [(0, "-short"), (TALL, "-tall")]  # noqa: RUF012 (as below)
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (110, "-wide")]  # noqa: RUF012 (as Textual has it)
    BINDINGS: ClassVar = [*MENU]

    def __init__(self, setup: DrillSetup) -> None:
        super().__init__()
        self.setup = setup
        self.chosen = 0
        self._prices: dict[str, str] = {}
        self.background = Background(self, "prices")

    def compose(self) -> ComposeResult:
        """Lay out what is in force, the drills and the keys."""
        yield Static(id="drill-top")
        with VerticalScroll(id="drill-drills", can_focus=False):
            for place in range(len(DRILL_NAMES)):
                yield DrillRow(place)
        yield Static(id="drill-notice")
        yield ActionBar(id="drill-foot")

    def on_mount(self) -> None:
        """Write everything, and work out the prices beside the screen."""
        self._show_keys()
        self._renew()

    def _show_keys(self) -> None:
        which = "all questions" if self.setup.options.mistakes else "only mistakes"
        keys = (
            Key("menu.begin", "Enter", "begins"),
            Key("down", "1-8", "choose"),
            Key("menu.options", "O", "options"),
            Key("menu.mistakes", "M", which),
        )
        self.query_one(ActionBar).show(keys, (HELP_KEY, LEAVE_KEY))

    def _renew(self) -> None:
        self._prices.clear()
        self._write()
        setup = self.setup
        begun = find_begun(setup.options, setup.memory)
        if begun:
            self.background.submit(
                lambda: find_prices(setup.options, setup.memory, begun),
                lambda prices: self._show_prices(setup, prices),
            )

    def _write(self) -> None:
        options = self.setup.options
        which = MISTAKE_PERIODS["ever"] if options.mistakes else "drills by what mistakes cost"
        lines = [Content.assemble(("Train", "bold $accent"), f"  {which}")]
        summary = dict(options.summary())
        lines.append(Content.assemble(("rules ", MUTED), summary.pop("rules")))
        rest = [Content.assemble((f"{name} ", MUTED), text) for name, text in summary.items()]
        lines.append(Content("   ").join(rest[:3]))
        lines.append(rest[3])
        self.query_one("#drill-top", Static).update(Content("\n").join(lines))
        for row in self.query(DrillRow):
            row.set_class(row.place == self.chosen, "chosen")
            row.update(self._write_row(row.place))

    def _write_row(self, place: int) -> Content:
        name = DRILL_NAMES[place]
        fault = self.setup.options.why_not(name)
        head = Content.assemble(
            (f"{place + 1}  ", "bold $accent"), (f"{name:<17}", "bold"), CATALOGUE[name].about
        )
        if fault is not None:
            return head + Content.assemble("\n", " " * 20, (fault, "$warning"))
        standing = read_standing(self.setup.options, self.setup.memory, name)
        price = self._prices.get(name)
        text = standing + (f"; {price}" if price else "")
        return head + Content.assemble("\n", " " * 20, (text, MUTED))

    def _show_prices(self, setup: DrillSetup, prices: dict[str, str]) -> None:
        if setup is self.setup:
            self._prices |= prices
            self._write()

    def on_key(self, event: events.Key) -> None:
        """Choose by a number."""
        self.query_one("#drill-notice", Static).update("")
        if event.character and event.character in "12345678":
            event.stop()
            event.prevent_default()
            self._choose(int(event.character) - 1)
            self.action_begin()

    def on_click(self, event: events.Click) -> None:
        """Begin the drill that was clicked."""
        if isinstance(event.widget, DrillRow):
            self._choose(event.widget.place)
            self.action_begin()

    def say_of_key(self, words: str) -> None:
        """Say something about the last key."""
        self.query_one("#drill-notice", Static).update(Content(words))

    def action_move(self, step: int) -> None:
        """Choose the next drill, or the one before."""
        self._choose((self.chosen + step) % len(DRILL_NAMES))

    def _choose(self, place: int) -> None:
        self.chosen = place
        self._write()
        self.query_one(f"#drill-{place}").scroll_visible(animate=False)

    def action_begin(self) -> None:
        """Begin the chosen drill."""
        name = DRILL_NAMES[self.chosen]
        fault = self.setup.options.why_not(name)
        if fault is not None:
            self.app.push_screen(AnyKeyPage(f"No drill of {name}", [fault]))
            return
        self.post_message(OpenDrill(name, self.setup, self._come_back))

    def _come_back(self, ended: Ended | None) -> None:
        self._renew()
        if ended is None:
            return
        if ended.fault is not None:
            self.app.push_screen(AnyKeyPage("The drill could not go on", [ended.fault]))
        elif ended.summary:
            self.app.push_screen(make_summary(ended.summary))

    def action_options(self) -> None:
        """Change rules, classes, count, indices and ramp."""
        self.app.push_screen(OptionsPage(self.setup.options), self._take_options)

    def _take_options(self, options: DrillOptions | None) -> None:
        if options is not None:
            self.setup = replace(self.setup, options=options)
            self._renew()

    def action_turn_mistakes(self) -> None:
        """Ask only what was answered wrong, or everything."""
        options = self.setup.options
        self.setup = replace(self.setup, options=replace(options, mistakes=not options.mistakes))
        self._show_keys()
        self._renew()

    def action_help(self) -> None:
        """Show the keys."""
        self.app.push_screen(AnyKeyPage("Drills", [write_keys(_KEYS), "", _TEXT]))

    def action_leave(self) -> None:
        """Leave the drills."""
        self.dismiss(None)
