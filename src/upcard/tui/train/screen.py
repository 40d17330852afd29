"""`DrillScreen`: what all drills on the screen share: asking, judging, progress, pages over it."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, ClassVar, Final

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Static

from upcard.analysis.grades import Grade
from upcard.answers import drill_report
from upcard.answers.hand import AnswerValue
from upcard.core.errors import BlackjackError
from upcard.drills.catalogue import CATALOGUE
from upcard.drills.drill import DrillError, InputKind
from upcard.drills.drill_run import DrillSetup
from upcard.drills.trainer import Answered, DrillStep, DrillTrainer
from upcard.tui.appearance import MUTED
from upcard.tui.background import Background
from upcard.tui.drawing import LARGE, SMALL, CardSize
from upcard.tui.keys import DRILL, HELP_KEY, LEAVE_KEY, SELDOM, ActionBar, Key, Keyed
from upcard.tui.pages import AnyKeyPage

if TYPE_CHECKING:
    from upcard.tui.app import UpcardApp

_MOST_ITEMS: Final = 12
_LEGEND_LINES: Final = 4
_NARROW: Final = 45
_TICK: Final = 0.2
"""Seconds between two looks at the clock of a question."""
TALL: Final = 30
"""Lines of a screen from which on every value has a line of its own."""


class ProgressPanel(Static):
    """Updated after every answer, and every second for the time."""

    _trainer: DrillTrainer | None = None
    app: UpcardApp

    def watch_trainer(self, trainer: DrillTrainer) -> None:
        """Follow a drill from now on."""
        self._trainer = trainer
        self.show()
        self.set_interval(1.0, self.show)

    def on_resize(self) -> None:
        """Use the lines that there are."""
        self.show()

    def show(self) -> None:
        """Write how it goes now."""
        trainer = self._trainer
        if trainer is None:
            return
        width = max(self.size.width, 20)
        score = drill_report.score_drill(trainer).figures
        lines = [_row(one.title.lower(), one.text, width) for one in score]
        most = min((self.size.height - len(lines) - 2 - _LEGEND_LINES) // 2, _MOST_ITEMS)
        expected = drill_report.list_expected(trainer.run, most) if most > 0 else ()
        self.update(Content("\n").join([*lines, Content(""), *self._write(expected, width)]))

    def _write(self, expected: Sequence[drill_report.ExpectedItem], width: int) -> list[Content]:
        if not expected:
            return []
        times = "x" if self.app.look.ascii_only else "×"
        lines = [Content.styled("Asked most often", "bold $primary")]
        for one in expected:
            lines.append(_row(one.name, one.share_text, width))
            lines.append(Content.styled(f"  {one.text.replace('×', times)}", MUTED))
        legend = f"frequency {times} your errors {times} what an error costs"
        return [*lines, Content(""), Content.styled(legend, MUTED)]


def _row(label: str, text: str, width: int) -> Content:
    gap = max(width - len(label) - len(text), 1)
    return Content.assemble((label, MUTED), " " * gap, (text, "bold"))


class VerdictPanel(Vertical):
    """Shows the feedback to the last answer until the next one."""

    def compose(self) -> ComposeResult:
        """Lay out the three parts."""
        yield Static(id="drill-verdict")
        yield Static(id="drill-reason")
        yield Static(id="drill-values")

    def clear(self) -> None:
        """Say nothing."""
        for part in self.query(Static):
            part.update("")
            part.display = False

    def tell(self, answer: drill_report.DrillVerdict) -> None:
        """Say what an answer was worth."""
        verdict = self.query_one("#drill-verdict", Static)
        for grade in Grade:
            verdict.set_class(answer.grade == grade, grade)
        text = answer.text
        if answer.answers and not answer.names_hand:
            text = f"{answer.question}: {text[:1].lower()}{text[1:]}"
        self._put("#drill-verdict", Content(text))
        time = "" if answer.seconds is None else answer.after
        self._put("#drill-reason", Content(" ".join(filter(None, (answer.reason, time)))))
        width = None if self.screen.size.height >= TALL else self.size.width or _NARROW
        self._put("#drill-values", write_values(answer, width=width))

    def _put(self, place: str, content: Content) -> None:
        part = self.query_one(place, Static)
        part.update(content)
        part.display = bool(content.plain)


def write_values(verdict: drill_report.DrillVerdict, *, width: int | None) -> Content:
    """Write the EV of every answer, the best first: a line each, or all in lines of a width."""
    if not verdict.answers:
        return Content("")
    if width is not None:
        return _write_dense(verdict, width)
    rows = [Content.styled("EV per initial bet", MUTED)]
    for one in verdict.answers:
        mine = "your answer" if one.action == verdict.answer else ""
        row = f"{one.action:<14}{one.short:>8}   {one.short_cost:<10}{mine}".rstrip()
        rows.append(Content.styled(row, _style(one, verdict)))
    return Content("\n").join(rows)


def _write_dense(verdict: drill_report.DrillVerdict, width: int) -> Content:
    lines = [Content.styled("EV", MUTED)]
    for one in verdict.answers:
        part = Content.styled(f"{one.action} {one.short}", _style(one, verdict))
        if lines[-1].cell_length + part.cell_length + 2 > width:
            lines.append(Content("    ") + part)
        else:
            lines[-1] += Content("  ") + part
    return Content("\n").join(lines)


def _style(one: AnswerValue, verdict: drill_report.DrillVerdict) -> str:
    if one.action == verdict.right:
        return "bold $success"
    return "bold $error" if one.action == verdict.answer else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """How a drill ended."""

    summary: tuple[str, ...] = ()
    fault: str | None = None
    """Why it could not continue; None if it was left."""


_KEYS: Final[Mapping[InputKind, tuple[tuple[str, str], ...]]] = {
    InputKind.PLAY: (
        ("H S D", "hit, stand, double"),
        ("P R", "split, surrender"),
        ("I N", "insurance; no: decline what is offered"),
    ),
    InputKind.CHOICE: (("1-9", "the answer at that place"),),
    InputKind.NUMBER: (
        ("0-9 - . /", "the number: 3, -1.5 or 1/2"),
        ("Backspace", "take the last digit back"),
        ("Enter", "answer"),
    ),
    InputKind.CARDS: (
        ("Space, Enter", "begin, and turn to the next cards"),
        ("T", "turn by a timer, or by the key"),
        ("+ -", "less or more time for a group"),
    ),
}
"""The keys of each kind of answer, for the help page."""
HELP: tuple[tuple[str, str], ...] = (
    ("?", "this page"),
    ("Q, Esc, Ctrl-C", "leave; every answer is saved already"),
    ("A", "stop after right answers too, or continue at once"),
    ("any key", "after a mistake: the next question"),
)


def write_keys(keys: Sequence[tuple[str, str]]) -> Content:
    """Write keys and what they do in two columns."""
    width = max(len(key) for key, _ in keys) + 2
    caps = (((f"{key:<{width}}", "bold $accent"), what) for key, what in keys)
    return Content("\n").join(Content.assemble(*each) for each in caps)


_GO_ON = Key("drill.go_on", "any key", "continues")
_ALWAYS = ("leave", "help", "toggle_auto", "app.focus_next", "app.focus_previous")
"""Actions that are possible while a verdict is shown; any other key continues."""


class DrillScreen(Keyed, Screen[Ended]):
    """One drill, from its preparation to its summary; subclasses draw and read their questions."""

    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (110, "-wide")]  # noqa: RUF012 (as Textual has it)
    VERTICAL_BREAKPOINTS = [(0, "-short"), (TALL, "-tall")]  # noqa: RUF012 (as above)
    BINDINGS: ClassVar = [*DRILL]
    app: UpcardApp

    def __init__(self, drill_name: str, setup: DrillSetup) -> None:
        super().__init__()
        self.drill_name = drill_name
        self.entry = CATALOGUE[drill_name]
        self.setup = setup
        self.prepared: DrillTrainer | None = None
        self.goes_on_at_once = True
        self._is_judging = False
        self._ended: Ended | None = None
        self.background = Background(self, "drill")

    @property
    def trainer(self) -> DrillTrainer:
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
    def verdict(self) -> drill_report.DrillVerdict | None:
        """The verdict on the last answer, until it was read."""
        last = self.trainer.verdict
        return None if last is None else drill_report.judge_answer(last, self.setup.options.rules)

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
        self.say_of_key(drill_report.PREPARING)
        self.query_one(ActionBar).show((), (LEAVE_KEY,))
        self._work(self._prepare)

    def on_screen_resume(self) -> None:
        """Leave, if the drill ended under another page."""
        if self._ended is not None:
            self.call_later(self.dismiss, self._ended)

    def _prepare(self) -> Callable[[], None]:
        trainer = DrillTrainer(self.drill_name, self.setup, goes_on_at_once=False)
        return lambda: self._begin(trainer)

    def _begin(self, trainer: DrillTrainer) -> None:
        self.prepared = trainer
        self._write_top(trainer.run.drill.about)
        self._show_question()
        self.query_one(ProgressPanel).watch_trainer(trainer)
        if trainer.limit is not None:
            self.set_interval(_TICK, self._watch_clock)

    def _watch_clock(self) -> None:
        """Show the seconds left for the answer; at the end of them it is late."""
        left = None if self._is_judging else self.trainer.seconds_left
        clock = "" if left is None else f"  {math.ceil(left)} s"
        self._write_top(self.trainer.run.drill.about, clock)
        if left == 0:
            self.answer("")

    def _write_top(self, about: str, clock: str = "") -> None:
        name = (self.drill_name, "bold $accent")
        top = Content.assemble(name, (clock, "bold $warning"), f"  {about}")
        self.query_one("#drill-top", Static).update(top)

    def _show_question(self) -> None:
        self.say_of_key("")
        self.draw_question()
        self.trainer.start_clock()
        self.query_one(ProgressPanel).show()
        self.query_one("#drill-stage").scroll_home(animate=False)
        self.show_keys()
        if self.trainer.prompt.choices:
            self._work(self._warm)

    def _warm(self) -> Callable[[], None]:
        self.trainer.run.warm()
        return lambda: None

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
            answered = self.trainer.answer(text)
        except BlackjackError as error:
            if self.trainer.run.prompt is None:  # judged, but not saved
                raise
            return partial(self._refuse, str(error))
        return partial(self._tell, answered)

    def _refuse(self, reason: str) -> None:
        self._is_judging = False
        self.say_of_key(reason)

    def _tell(self, answered: Answered) -> None:
        self._is_judging = False
        if self.trainer.rings(answered):
            self.app.bell()
        if not self.trainer.is_silent:
            verdict = drill_report.judge_answer(answered, self.setup.options.rules)
            self.query_one(VerdictPanel).tell(verdict)
        self.query_one(ProgressPanel).show()
        if self.step is not DrillStep.JUDGED:
            self._show_question()
        elif self.goes_on_at_once and self.trainer.may_go_on:
            self.trainer.ask()
            self._show_question()
        else:
            self.draw_answered()
            self.show_keys()
            self.say_of_key(drill_report.score_drill(self.trainer).ending)

    def say_of_key(self, words: str) -> None:
        """Say something about the last key."""
        notice = self.query_one("#drill-notice", Static)
        notice.update(Content(words))
        notice.display = bool(words)

    def on_key(self, event: events.Key) -> None:
        """Continue after a verdict, or give a key without a binding to the question."""
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
        self.trainer.go_on()
        if self.step is DrillStep.OVER:
            self.action_leave()
        else:
            self.query_one(VerdictPanel).clear()
            self._show_question()

    def action_toggle_auto(self) -> None:
        """Continue at once after right answers, or stop there too."""
        self.goes_on_at_once = not self.goes_on_at_once
        if self.prepared is not None:
            self.show_keys()

    def action_help(self) -> None:
        """Show the keys, and why what comes comes."""
        weights = "" if self.entry.is_session else drill_report.ABOUT_WEIGHTS
        own = (key for kind in self.entry.inputs for key in _KEYS[kind])
        keys = write_keys((*own, *HELP))
        lines = (self.entry.explanation, "", keys, "", weights)
        self.app.push_screen(AnyKeyPage(f"The drill: {self.drill_name}", lines))

    def action_leave(self) -> None:
        """End the drill with its summary; all answers are saved."""
        self._end()

    def _end(self, fault: str | None = None) -> None:
        summary = () if self.prepared is None else drill_report.report_drill(self.prepared).lines
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
