"""`DrillScreen`: what all drills on the screen share: preparing, asking, judging, leaving."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Static

from upcard.core.errors import BlackjackError
from upcard.drills.catalogue import CATALOGUE
from upcard.drills.desk import Answered, DrillDesk, DrillStep
from upcard.drills.drill import DrillError, Prompt
from upcard.drills.drill_run import DrillSetup
from upcard.drills.feedback import summarize
from upcard.tui.action_bar import HELP_KEY, LEAVE_KEY, SELDOM, ActionBar, Key
from upcard.tui.background import Background
from upcard.tui.bindings import DRILL
from upcard.tui.cards import LARGE, SMALL, CardSize
from upcard.tui.keys import Keyed
from upcard.tui.train.modals import Ended, make_help
from upcard.tui.train.panel import TALL, ProgressPanel, VerdictPanel

if TYPE_CHECKING:
    from upcard.tui.app import UpcardApp

PREPARING_TEXT = (
    "Working out every question exactly, for these rules. The first time on a machine this takes"
    " up to twenty seconds; after that, a second or two."
)
_GO_ON = Key("drill.go_on", "any key", "goes on")
_ALWAYS = ("leave", "help", "toggle_auto", "app.focus_next", "app.focus_previous")
"""Actions that are possible while a verdict is shown; any other key continues."""


class DrillScreen(Keyed, Screen[Ended]):
    """One drill, from its preparation to its summary; subclasses draw and read their questions."""

    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (110, "-wide")]  # noqa: RUF012 (as Textual has it)
    VERTICAL_BREAKPOINTS = [(0, "-short"), (TALL, "-tall")]  # noqa: RUF012 (as above)
    BINDINGS: ClassVar = [*DRILL]
    app: UpcardApp
    KEYS: tuple[tuple[str, str], ...] = ()
    """Its keys, for the help page."""

    def __init__(self, drill_name: str, setup: DrillSetup) -> None:
        super().__init__()
        self.drill_name = drill_name
        self.setup = setup
        self.prepared: DrillDesk | None = None
        self.goes_on_at_once = True
        self._is_judging = False
        self._ended: Ended | None = None
        self.background = Background(self, "drill")

    @property
    def desk(self) -> DrillDesk:
        """The drill, once it is prepared."""
        if self.prepared is None:
            raise DrillError(f"the drill of {self.drill_name} is not prepared yet")
        return self.prepared

    @property
    def step(self) -> DrillStep:
        """The step that the screen is at."""
        if self.prepared is None:
            return DrillStep.PREPARING
        return DrillStep.JUDGING if self._is_judging else self.prepared.step

    @property
    def card_size(self) -> CardSize:
        """How large cards are drawn: as large as the screen lets them."""
        return LARGE if self.app.size.height >= TALL else SMALL

    def picture(self) -> ComposeResult:
        """Yield the widgets that show a question."""
        yield Static(id="drill-cards")

    def draw_question(self) -> None:
        """Show the question."""
        raise NotImplementedError

    def draw_answered(self) -> None:
        """Show what an answer changed."""

    def keys(self) -> Sequence[Key]:
        """Return the keys that answer the question."""
        raise NotImplementedError

    def read_key(self, key: str, character: str | None) -> None:
        """Take a key while a question is open."""
        raise NotImplementedError

    def name_question(self, prompt: Prompt) -> str:
        """Name a question in a few words, for a verdict that does not; empty if the reason does."""
        raise NotImplementedError

    # What all have.

    def compose(self) -> ComposeResult:
        """Lay out the top line, the stage, the panel and the keys."""
        yield Static(id="drill-top")
        with Horizontal(id="drill-middle"):
            with VerticalScroll(id="drill-stage", can_focus=False), Vertical(id="drill-column"):
                yield Static(id="drill-ask")
                yield from self.picture()
                yield Static(id="drill-notice")
                yield VerdictPanel()
            yield ProgressPanel()
        yield ActionBar(id="drill-foot")

    def on_mount(self) -> None:
        """Say that it is being prepared, and prepare it beside the screen."""
        self.set_class(self.app.look.ascii_only, "ascii")
        self._write_top(str(self.setup.options.rules))
        self.query_one(VerdictPanel).clear()
        self.query_one("#drill-ask", Static).update("Preparing the drill")
        self.say_of_key(PREPARING_TEXT)
        self.query_one(ActionBar).show((), (LEAVE_KEY,))
        self._work(self._prepare)

    def on_screen_resume(self) -> None:
        """Leave, if the drill ended under another page."""
        if self._ended is not None:
            self.call_later(self.dismiss, self._ended)

    def _prepare(self) -> Callable[[], None]:
        desk = DrillDesk(self.drill_name, self.setup, goes_on_at_once=False)
        return lambda: self._begin(desk)

    def _begin(self, desk: DrillDesk) -> None:
        self.prepared = desk
        self._write_top(desk.run.drill.about)
        self._show_question()
        self.query_one(ProgressPanel).watch_desk(desk)

    def _write_top(self, about: str) -> None:
        self.query_one("#drill-top", Static).update(
            Content.assemble((self.drill_name, "bold $accent"), f"  {about}")
        )

    def _show_question(self) -> None:
        self.say_of_key("")
        self.draw_question()
        self.query_one(ProgressPanel).show()
        self.query_one("#drill-stage").scroll_home(animate=False)
        self.show_keys()
        if self.desk.prompt.choices:
            self._work(self._warm)

    def _warm(self) -> Callable[[], None]:
        self.desk.run.warm()
        return _do_nothing

    def show_keys(self) -> None:
        """Show the keys that do something now."""
        pause = "pause: errors" if self.goes_on_at_once else "pause: always"
        rest = (Key("drill.auto", "A", pause, SELDOM), HELP_KEY, LEAVE_KEY)
        keys = (_GO_ON,) if self.step is DrillStep.JUDGED else self.keys()
        self.query_one(ActionBar).show(keys, rest)

    def answer(self, text: str) -> None:
        """Judge an answer beside the screen; keys wait until it is judged."""
        self._is_judging = True
        self.say_of_key("")
        self._work(partial(self._judge, text))

    def _judge(self, text: str) -> Callable[[], None]:
        try:
            answered = self.desk.answer(text)
        except BlackjackError as error:
            if self.desk.run.prompt is None:  # judged, but not saved
                raise
            return partial(self._refuse, str(error))
        return partial(self._tell, answered)

    def _refuse(self, reason: str) -> None:
        self._is_judging = False
        self.say_of_key(reason)

    def _tell(self, answered: Answered) -> None:
        self._is_judging = False
        about = self.name_question(answered.prompt)
        self.query_one(VerdictPanel).tell(answered, about)
        self.query_one(ProgressPanel).show()
        if self.goes_on_at_once and self.desk.may_go_on:
            self.desk.ask()
            self._show_question()
        else:
            self.draw_answered()
            self.show_keys()
            self.say_of_key(self.desk.ending)

    def say_of_key(self, words: str) -> None:
        """Say something about the last key."""
        notice = self.query_one("#drill-notice", Static)
        notice.update(Content(words))
        notice.display = bool(words)

    def on_key(self, event: events.Key) -> None:
        """Go on after a verdict, or give a key without a binding to the question."""
        found = self.active_bindings.get(event.key)
        is_judged = self.step is DrillStep.JUDGED
        is_asking = self.step in (DrillStep.ASKING, DrillStep.SHOWING)
        if is_asking:
            self.say_of_key("")
        if found is not None and (not is_judged or found.binding.action in _ALWAYS):
            return
        event.stop()
        event.prevent_default()
        key = event.key.lower() if len(event.key) == 1 else event.key
        character = event.character or (key if len(key) == 1 else None)
        if is_judged:
            self.action_go_on()
        elif is_asking:
            self.read_key(key, character and character.lower())

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Return whether an action is possible: `go_on` after a verdict; a subject adds its own."""
        del parameters
        if action == "go_on":
            return self.step is DrillStep.JUDGED
        return action not in ("answer", "turn", "toggle_timer", "change_pace")

    def action_go_on(self) -> None:
        """Ask the next question, or leave after the last."""
        self.desk.go_on()
        if self.step is DrillStep.OVER:
            self.action_leave()
        else:
            self.query_one(VerdictPanel).clear()
            self._show_question()

    def action_toggle_auto(self) -> None:
        """Go on at once after right answers, or stop there too."""
        self.goes_on_at_once = not self.goes_on_at_once
        if self.prepared is not None:
            self.show_keys()

    def action_help(self) -> None:
        """Show the keys, and why what comes comes."""
        title = f"The drill: {self.drill_name}"
        self.app.push_screen(make_help(title, CATALOGUE[self.drill_name].explanation, self.KEYS))

    def action_leave(self) -> None:
        """End the drill with its summary; all answers are saved."""
        self._end()

    def _end(self, fault: str | None = None) -> None:
        summary = () if self.prepared is None else summarize(self.prepared.run)
        self._ended = Ended(summary=summary, fault=fault)
        if self.is_current:
            self.dismiss(self._ended)

    def _work(self, work: Callable[[], Callable[[], None]]) -> None:
        """Do something in a thread, and what it returns on the screen."""

        def failed(error: Exception) -> None:
            if not isinstance(error, BlackjackError):
                raise error
            self._deliver(partial(self._end, str(error)))

        self.background.submit(work, self._deliver, failed)

    def _deliver(self, then: Callable[[], None]) -> None:
        if self._ended is None:
            then()


def _do_nothing() -> None:
    return
