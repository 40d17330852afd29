"""`DrillMenu`: all drills, how far one is with each, and their options."""

from dataclasses import replace
from typing import ClassVar, Final

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.events import Click
from textual.screen import Screen
from textual.widgets import Input, Static

from upcard.answers import drill_report
from upcard.core import figure
from upcard.core.errors import BlackjackError, as_sentence
from upcard.core.fields import fill_each
from upcard.drills.catalogue import DRILL_NAMES, MISTAKE_PERIODS, OPTIONS, DrillOptions
from upcard.drills.drill_run import DrillSetup
from upcard.rules.model import Rules
from upcard.tui import appearance, background, pages
from upcard.tui.keys import HELP_KEY, LEAVE_KEY, MENU, ActionBar, Key, Keyed
from upcard.tui.train.questions import QuestionScreen
from upcard.tui.train.screen import TALL, Ended, write_keys

_HINTS: Final = {
    "rules": "A house or notation: 6D H17 LS.",
    **{name: one.hint for name, one in OPTIONS.items()},
}


class OptionsPage(pages.Page[DrillOptions | None]):
    """Fields to type in; Enter takes them all, Esc none."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down", "app.focus_next", show=False),
        Binding("up", "app.focus_previous", show=False),
    ]

    def __init__(self, options: DrillOptions) -> None:
        super().__init__("Options of the drills")
        self._options = options

    def compose(self) -> ComposeResult:
        """Lay out a field a line, each with what may stand there."""
        with self.frame():
            for name, hint in _HINTS.items():
                value = getattr(self._options, name)
                text = OPTIONS[name].write(value) if name in OPTIONS else str(value)
                with Horizontal():
                    yield Static(
                        OPTIONS[name].title if name in OPTIONS else "Rules", classes="label"
                    )
                    with Vertical(classes="field", id=f"{name}-field"):
                        yield Input(text, id=name)
                        yield Static(Content(hint), classes="hint", id=f"{name}-hint")
            yield Static("Enter takes them all, Esc none; Tab continues", id="drill-close")

    def on_mount(self) -> None:
        """Begin with the rules."""
        self.query_one("#rules", Input).focus()

    def on_input_submitted(self) -> None:
        """Take what is typed, or say at each field what is wrong with it."""
        typed = {name: self.query_one(f"#{name}", Input).value.strip() for name in _HINTS}
        options, faults = self._options, {}
        try:
            options = DrillOptions(rules=Rules.parse(typed.pop("rules")))
        except BlackjackError as error:
            faults["rules"] = error
        options, others = fill_each(options, typed)
        faults |= others
        if not faults:
            self.dismiss(options)
        for name, hint in _HINTS.items():
            shown = self.query_one(f"#{name}-hint", Static)
            shown.set_class(name in faults, "fault")
            shown.update(Content(as_sentence(str(faults[name])) if name in faults else hint))
        for name in list(faults)[:1]:
            self.query_one(f"#{name}", Input).focus(scroll_visible=False)
            # Its sentence may take more lines than the hint did.
            field = self.query_one(f"#{name}-field")
            self.call_after_refresh(field.scroll_visible, animate=False)

    def on_click(self, event: Click) -> None:
        """Take a click on the last line for Enter."""
        if event.widget is not None and event.widget.id == "drill-close":
            self.on_input_submitted()


_KEYS: Final = (
    ("Up, Down, 0-9", "choose a drill; 0 is the tenth"),
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
        self._prices: dict[str, figure.Figure] = {}
        self.background = background.Background(self, "prices")

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
        begin, choose = Key("menu.begin", "Enter", "begins"), Key("down", "0-9", "choose")
        turn = (Key("menu.options", "O", "options"), Key("menu.mistakes", "M", which))
        self.query_one(ActionBar).show((begin, choose, *turn), (HELP_KEY, LEAVE_KEY))

    def _renew(self) -> None:
        self._prices.clear()
        self._write()
        setup = self.setup
        begun = drill_report.find_begun(setup.options, setup.memory)
        if begun:
            self.background.submit(
                lambda: drill_report.find_prices(setup.options, setup.memory, begun),
                lambda prices: self._show_prices(setup, prices),
            )

    def _write(self) -> None:
        options = self.setup.options
        all_drills = "drills by what mistakes cost"
        which = MISTAKE_PERIODS[options.mistakes] if options.mistakes else all_drills
        lines = [Content.assemble(("Train", "bold $accent"), f"  {which}")]
        summary = dict(options.summary())
        lines.append(Content.assemble(("rules ", appearance.MUTED), summary.pop("rules")))
        heads = [((f"{name} ", appearance.MUTED), text) for name, text in summary.items()]
        rest = [Content.assemble(*head) for head in heads]
        lines += [Content("   ").join(rest[:3]), rest[3]]
        self.query_one("#drill-top", Static).update(Content("\n").join(lines))
        standings = drill_report.list_standings(options, self.setup.memory, self._prices)
        for row, standing in zip(self.query(DrillRow), standings, strict=True):
            row.set_class(row.place == self.chosen, "chosen")
            row.update(_write_row(row.place, standing))

    def _show_prices(self, setup: DrillSetup, prices: dict[str, figure.Figure]) -> None:
        if setup is self.setup:
            self._prices |= prices
            self._write()

    def on_key(self, event: events.Key) -> None:
        """Choose by a number."""
        self.query_one("#drill-notice", Static).update("")
        if event.character and event.character in "1234567890":
            event.stop()
            event.prevent_default()
            self._choose((int(event.character) - 1) % 10)
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
            self.app.push_screen(pages.AnyKeyPage(f"No drill of {name}", [as_sentence(fault)]))
            return
        self.app.push_screen(QuestionScreen(name, self.setup), self._come_back)

    def _come_back(self, ended: Ended | None) -> None:
        self._renew()
        if ended is None:
            return
        if ended.fault is not None:
            self.app.push_screen(pages.AnyKeyPage("The drill could not continue", [ended.fault]))
        elif ended.summary:
            title, *rest = ended.summary
            self.app.push_screen(pages.AnyKeyPage(title, rest))

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
        mistakes = "" if options.mistakes else "ever"
        self.setup = replace(self.setup, options=replace(options, mistakes=mistakes))
        self._show_keys()
        self._renew()

    def action_help(self) -> None:
        """Show the keys."""
        self.app.push_screen(pages.AnyKeyPage("Drills", [write_keys(_KEYS), "", _TEXT]))


def _write_row(place: int, standing: drill_report.DrillStanding) -> Content:
    number, name = (f"{place + 1}  ", "bold $accent"), (f"{standing.name:<17}", "bold")
    head = Content.assemble(number, name, standing.about)
    if standing.why_not:
        return head + Content.assemble("\n", " " * 20, (standing.why_not, "$warning"))
    text = standing.text + (f"; {standing.price.text}" if standing.price else "")
    return head + Content.assemble("\n", " " * 20, (text, appearance.MUTED))
