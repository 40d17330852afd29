"""`DrillScreen`: what all drills on the screen share: preparing, asking, judging, leaving."""

from __future__ import annotations

from enum import StrEnum
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Static

from upcard.core.errors import BlackjackError
from upcard.drills.catalogue import CATALOGUE
from upcard.drills.drill import DrillError, Feedback, Prompt
from upcard.drills.feedback_text import summarize
from upcard.tui.action_bar import HELP_KEY, LEAVE_KEY, SELDOM, ActionBar, Key
from upcard.tui.background import Background
from upcard.tui.bindings import DRILL
from upcard.tui.cards import LARGE, SMALL, CardSize
from upcard.tui.keys import Keyed
from upcard.tui.train.modals import Ended, TrainContext, make_help
from upcard.tui.train.panel import TALL, ProgressPanel, VerdictPanel

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from textual import events
    from textual.app import ComposeResult

    from upcard.drills.run import DrillRun
    from upcard.tui.app import UpcardApp

PREPARING_TEXT = (
    "Working out every question exactly, for these rules. The first time on a machine this takes"
    " up to twenty seconds; after that, a second or two."
)


_GO_ON = Key("drill.go_on", "any key", "goes on")
_ALWAYS = ("leave", "help", "toggle_auto", "app.focus_next", "app.focus_previous")
"""Actions that are possible while a verdict is shown; any other key continues."""


class Step(StrEnum):
    """The steps of a drill."""

    PREPARING = "preparing"
    ASKING = "asking"
    JUDGING = "judging"
    JUDGED = "judged"
    """A verdict is on the screen, and any key continues."""


class DrillScreen(Keyed, Screen[Ended]):
    """One drill, from its preparation to its summary; subclasses draw and read their questions."""

    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (110, "-wide")]  # noqa: RUF012 (as Textual has it)
    VERTICAL_BREAKPOINTS = [(0, "-short"), (TALL, "-tall")]  # noqa: RUF012 (as above)
    BINDINGS: ClassVar = [*DRILL]
    app: UpcardApp
    KEYS: tuple[tuple[str, str], ...] = ()
    """Its keys, for the help page."""

    def __init__(self, drill_name: str, setup: TrainContext) -> None:
        super().__init__()
        self.drill_name = drill_name
        self.setup = setup
        self.look = setup.look
        self.step = Step.PREPARING
        self.run_of_drill: DrillRun | None = None
        self.goes_on_at_once = True
        self._is_last = False
        self._ended: Ended | None = None
        self.background = Background(self, "drill")

    @property
    def card_size(self) -> CardSize:
        """How large cards are drawn: as large as the screen lets them."""
        return LARGE if self.app.size.height >= TALL else SMALL

    def picture(self) -> ComposeResult:
        """Yield the widgets that show a question."""
        yield Static(id="drill-cards")

    def draw_question(self, prompt: Prompt) -> None:
        """Show a question."""

    def keys(self, prompt: Prompt) -> Sequence[Key]:
        """Return the keys that answer it."""
        raise NotImplementedError

    def read_key(self, key: str, character: str | None) -> None:
        """Take a key while a question is open."""

    def name_question(self, prompt: Prompt) -> str:
        """Name a question in a few words, for the verdict."""
        return prompt.text.partition(":")[0]

    def draw_answered(self, feedback: Feedback) -> str:
        """Show what an answer changed; return the words that follow the reason."""
        del feedback
        return ""

    def seconds_taken(self) -> float | None:
        """Return how long the answer took, where it is saved."""
        return None

    # What all have.

    @property
    def drill_run(self) -> DrillRun:
        """The session at the drill, once it is prepared."""
        if self.run_of_drill is None:
            raise DrillError(f"the drill of {self.drill_name} is not prepared yet")
        return self.run_of_drill

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
        self.set_class(self.look.ascii_only, "ascii")
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
        run = self.setup.start(self.drill_name)
        run.rehearse()
        return lambda: self._begin(run)

    def _begin(self, run: DrillRun) -> None:
        self.run_of_drill = run
        self._write_top(run.drill.about)
        self.say_of_key("")
        self.next_question()
        self.query_one(ProgressPanel).watch_run(run, self.setup)

    def _write_top(self, about: str) -> None:
        self.query_one("#drill-top", Static).update(
            Content.assemble((self.drill_name, "bold $accent"), f"  {about}")
        )

    def next_question(self) -> None:
        """Ask what comes next."""
        prompt = self.drill_run.ask()
        self.step = Step.ASKING
        self.draw_question(prompt)
        self.query_one("#drill-stage").scroll_home(animate=False)
        self.show_keys()
        if prompt.choices:
            self._work(self._warm)

    def _warm(self) -> Callable[[], None]:
        self.drill_run.warm()
        return _do_nothing

    def show_keys(self) -> None:
        """Show the keys that do something now."""
        foot = self.query_one(ActionBar)
        prompt = self.drill_run.prompt
        if self.step is Step.JUDGED:
            foot.show((_GO_ON,), self._rest())
        elif prompt is not None:
            foot.show(self.keys(prompt), self._rest())

    def _rest(self) -> tuple[Key, ...]:
        pause = "pause: errors" if self.goes_on_at_once else "pause: always"
        return (Key("drill.auto", "A", pause, SELDOM), HELP_KEY, LEAVE_KEY)

    def answer(self, text: str) -> None:
        """Judge an answer beside the screen; keys wait until it is judged."""
        self.step = Step.JUDGING
        self.say_of_key("")
        self._work(partial(self._judge, text, self.seconds_taken()))

    def _judge(self, text: str, seconds: float | None) -> Callable[[], None]:
        run = self.drill_run
        prompt = run.prompt
        try:
            feedback = run.answer(text, seconds=seconds)
        except BlackjackError as error:
            if run.prompt is None:  # judged, but not saved
                raise
            return partial(self._refuse, str(error))
        return _do_nothing if prompt is None else partial(self._tell, feedback, prompt)

    def _refuse(self, reason: str) -> None:
        self.step = Step.ASKING
        self.say_of_key(reason)

    def _tell(self, feedback: Feedback, prompt: Prompt) -> None:
        extra = self.draw_answered(feedback)
        self.query_one(VerdictPanel).tell(feedback, self.name_question(prompt), extra=extra)
        self.query_one(ProgressPanel).show()
        ending = self.setup.why_over(self.drill_run)
        self._is_last = bool(ending)
        if self._may_go_on(feedback):
            self.next_question()
            return
        self.step = Step.JUDGED
        self.show_keys()
        if ending:
            self.say_of_key(ending)

    def _may_go_on(self, feedback: Feedback) -> bool:
        return self.goes_on_at_once and feedback.is_right and not self._is_last

    def say_of_key(self, words: str) -> None:
        """Say something about the last key."""
        notice = self.query_one("#drill-notice", Static)
        notice.update(Content(words))
        notice.display = bool(words)

    def on_key(self, event: events.Key) -> None:
        """Go on after a verdict, or give a key without a binding to the question."""
        found = self.active_bindings.get(event.key)
        if found is not None and (self.step is not Step.JUDGED or found.binding.action in _ALWAYS):
            if self.step is Step.ASKING:
                self.say_of_key("")
            return
        event.stop()
        event.prevent_default()
        key = event.key.lower() if len(event.key) == 1 else event.key
        character = event.character or (key if len(key) == 1 else None)
        if self.step is Step.JUDGED:
            self.action_go_on()
        elif self.step is Step.ASKING:
            self.say_of_key("")
            self.read_key(key, character and character.lower())

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Return whether an action is possible: `go_on` after a verdict; a subject adds its own."""
        del parameters
        if action == "go_on":
            return self.step is Step.JUDGED
        return action not in ("answer", "turn", "toggle_timer", "change_pace")

    def action_go_on(self) -> None:
        """Ask the next question, or leave after the last."""
        if self._is_last:
            self.action_leave()
        else:
            self.query_one(VerdictPanel).clear()
            self.say_of_key("")
            self.next_question()

    def action_toggle_auto(self) -> None:
        """Go on at once after right answers, or stop there too."""
        self.goes_on_at_once = not self.goes_on_at_once
        if self.run_of_drill is not None:
            self.show_keys()

    def action_help(self) -> None:
        """Show the keys, and why what comes comes."""
        title = f"The drill: {self.drill_name}"
        self.app.push_screen(make_help(title, CATALOGUE[self.drill_name].explanation, self.KEYS))

    def action_leave(self) -> None:
        """End the drill with its summary; all answers are saved."""
        self._end()

    def _end(self, fault: str | None = None) -> None:
        run = self.run_of_drill
        self._ended = Ended(summary=() if run is None else summarize(run), fault=fault)
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
