"""The app of the full screen: its state, and the order of its screens."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import nullcontext, suppress
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path
from traceback import walk_tb
from typing import TYPE_CHECKING, Any, ClassVar, Final

from textual.app import App, SystemCommand
from textual.binding import Binding, BindingType
from textual.command import CommandPalette
from textual.css.query import NoMatches
from textual.driver import Driver
from textual.filter import LineFilter
from textual.screen import Screen
from textual.worker import WorkerFailed

from upcard.answers.questions import QUESTIONS, Asking, NamedQuestion
from upcard.charts.palette import THEME_NAMES
from upcard.core.errors import BlackjackError
from upcard.core.fields import AskedField
from upcard.core.numbers import to_json
from upcard.players.seen_cards import Knowledge
from upcard.rules.model import Rules
from upcard.session.coaching import COACH_SETTING, TableCoach, read_coach, write_coach
from upcard.session.first_hand import ABOUT
from upcard.session.first_hand import TITLE as FIRST_HANDS
from upcard.session.machine_code import compile_soon
from upcard.session.plan import PlayTerms, TablePlan
from upcard.session.report import make_report
from upcard.session.seat import Seat
from upcard.store.bankroll import load_setting, save_setting
from upcard.store.database import Store, open_in_memory, open_store
from upcard.store.files import StoreError
from upcard.tui.appearance import Appearance, AsciiFilter, needs_ascii, read_look, register_themes
from upcard.tui.background import Background
from upcard.tui.drawing import Styles
from upcard.tui.keys import Keymap, read_keymap, to_textual, write_caps
from upcard.tui.pages import ChoicePage, QuestionPage, ReportPage, TextPrompt
from upcard.tui.seating import Seating

if TYPE_CHECKING:
    from upcard.drills.drill_run import DrillSetup
    from upcard.session import review
    from upcard.tui.terminal import Watch
    from upcard.tui.train.screen import Ended

LOOK: Final = "look"


@dataclass(frozen=True, slots=True, kw_only=True)
class ScreenOptions(PlayTerms):
    """Options of the full screen: the form of a table, and what to open."""

    replay: review.Source | None = None
    """A round to review, and nothing else."""
    following: tuple[Callable[[], review.Source], ...] = ()
    """The rounds whose mistakes are reviewed after it."""
    asks_first: bool = False
    """Whether mistakes are asked again before the answer is shown."""
    plan: TablePlan | None = None
    """The table to sit down at; None opens the start screen."""
    ascii_only: bool = False
    first_hands: bool = False
    """Whether the led first hands open."""
    train: DrillSetup | None = None
    """The drills to open, and nothing else."""
    drill: str | None = None
    """The drill of `train`; None opens the menu."""


class ScreenError(BlackjackError):
    """The full screen failed by a fault of its own."""


class UpcardApp(App[None]):
    """The program: it holds the look, the coach's settings and the open table."""

    TITLE = "upcard"
    CSS_PATH = "upcard.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+c,ctrl+q", "quit", "quit", priority=True),
        Binding("ctrl+z", "suspend_process", "suspend", priority=True),
    ]

    def __init__(
        self, opening: ScreenOptions, store: Store | None, keymap: Keymap | None = None
    ) -> None:
        """Open with a table or the start screen; without a `store` nothing is saved."""
        super().__init__()
        self.opening = opening
        self.store = store
        self.look = read_look(load_setting(self.store, LOOK))
        self.set_keymap(to_textual(keymap or {}))
        self.caps = write_caps(keymap or {})
        """How the keys that the keymap changes are written, by the ids of their bindings."""
        if opening.ascii_only:
            self.look = replace(self.look, ascii_only=True)
        asked = {"voice": opening.coach, "knows": opening.knows}
        given = {name: one for name, one in asked.items() if one is not None}
        self.voice, self.knows = read_coach((load_setting(self.store, COACH_SETTING) or {}) | given)
        self.coach_work = Background(self, "coach")
        self.edge_work = Background(self, "edges")
        self.seating = Seating(self)
        self.ended: Ended | None = None
        """How the drill of `upcard train` ended."""
        self.farewell: list[str] = []
        """Lines printed after the screen has closed."""
        self.failure: Exception | None = None
        self.ended_by: int | None = None
        self.guard: Watch | None = None

    def get_line_filters(self) -> Sequence[LineFilter]:
        """Return the filters of all lines; with 7 bits, minus signs are hyphens."""
        found = super().get_line_filters()
        return [*found, AsciiFilter()] if self.look.ascii_only else found

    def get_driver_class(self) -> type[Driver]:
        """Return the driver of the terminal, one that no byte can end."""
        found = super().get_driver_class()
        if os.name == "nt":
            return found
        from textual.drivers.linux_driver import LinuxDriver

        from upcard.tui.terminal import TerminalDriver

        return TerminalDriver if found is LinuxDriver else found

    async def run_async(self, **options: Any) -> None:
        """Run the program; signals end it, and the terminal is given back in any case."""
        if os.name == "nt":
            await super().run_async(**options)
            return
        from upcard.tui.terminal import watched_terminal

        with watched_terminal(self, asyncio.get_running_loop()):
            await super().run_async(**options)

    def _handle_exception(self, error: Exception) -> None:
        """Note what ends the program: `run_table` says it in a sentence."""
        lost = error.error if isinstance(error, WorkerFailed) else None
        if isinstance(lost, NoMatches) and CommandPalette.__name__ in str(lost):
            return  # it was closed before the search for what was typed in it had begun
        self.failure = self.failure or error
        if self.guard is not None:
            self.guard.fail()
        super()._handle_exception(error)

    def _fatal_error(self) -> None:
        """End without the pages of traceback that Textual prints."""
        self._close_messages_no_wait()

    def on_mount(self) -> None:
        """Open an unfinished hand first, then the screen of the options."""
        register_themes(self)
        self.theme = self.look.theme
        opening = self.opening
        if opening.train is not None:
            self._open_training(opening.train)
        elif opening.first_hands:
            self.open_start()
            self.call_after_refresh(self.open_first_hands)
        elif opening.replay is not None:
            source = opening.replay
            rounds = [lambda: source, *opening.following]
            self.open_replay(rounds, asks_first=opening.asks_first)
        else:
            plan = opening.plan and replace(opening.plan, keeps=opening.keeps)
            self.seating.open_table(plan)

    @property
    def inks(self) -> Styles:
        """The styles of words, in the colours of the theme."""
        theme = self.current_theme
        ink = theme.foreground or ""
        muted = f"{ink} dim" if self.look.theme != "high-contrast" else ink
        good, bad, warn = f"{theme.success}", f"{theme.error}", f"{theme.warning}"
        active = f"bold {theme.accent}"
        return Styles(ink=ink, muted=muted, active=active, good=good, bad=bad, warn=warn)

    # ---- screens

    @property
    def seat(self) -> Seat | None:
        """The seat at the table that is open."""
        return self.seating.seat

    def open_start(self, note: str = "") -> None:
        """Show the start screen."""
        from upcard.tui.start import StartScreen

        self._switch_or_push(StartScreen(note))

    @property
    def is_at_start(self) -> bool:
        """Whether the start screen is shown."""
        from upcard.tui.start import StartScreen

        return isinstance(self.screen, StartScreen)

    def show_table(self, seat: Seat, note: str = "") -> None:
        """Show a seat; `note` is the first message."""
        from upcard.tui.table import TableScreen

        self._switch_or_push(TableScreen(seat, note=note))

    def show_report(self, seat: Seat, then: Callable[[], None], *, is_thinking: bool) -> None:
        """Show the report of a seat that has been left, if it has a round, and continue."""
        report = make_report(seat)
        if report.rounds and (report.judged or report.counts_asked or is_thinking):
            self.push_screen(ReportPage(seat, self.inks), lambda _: then())
        else:
            then()

    def open_table(self, plan: TablePlan) -> None:
        """Sit down; a second press of the key comes too late."""
        if self.seat is None:
            self.seating.open_table(plan)

    def open_first_hands(self) -> None:
        """Sit down for the first hands, if no table is open."""
        if self.seat is None:
            self.seating.open_first_hands()

    def open_replay(
        self, rounds: Sequence[Callable[[], review.Source]], *, asks_first: bool
    ) -> None:
        """Review the first of some rounds; with `asks_first` the mistakes of all of them.

        A replay that the program began with ends it.
        """
        from upcard.tui.replay import ReplayScreen

        first, *following = rounds
        screen = ReplayScreen(first(), following=following, asks_first=asks_first)
        ends = self.opening.replay is not None
        self.push_screen(screen, lambda _: self.exit() if ends else None)

    def open_drills(self, rules: Rules) -> None:
        """Show the drills for some rules; leaving them comes back here."""
        from upcard.drills import catalogue, drill_run
        from upcard.tui.train.menu import DrillMenu

        memory = drill_run.DrillMemory(self.store or self._practice)
        options = catalogue.DrillOptions(rules=rules)
        self.push_screen(DrillMenu(drill_run.DrillSetup(options=options, memory=memory)))

    def _switch_or_push(self, screen: Screen[None]) -> None:
        if len(self.screen_stack) > 1:
            self.switch_screen(screen)
        else:
            self.push_screen(screen)

    def close(self) -> None:
        """Leave the table that is still open when the program ends."""
        self.seating.close()
        if "_practice" in self.__dict__:
            self._practice.close()

    @cached_property
    def _practice(self) -> Store:
        """The store of drills in practice, closed when the program ends."""
        return open_in_memory()

    def show(self) -> None:
        """Run the program on the terminal, until it is left."""
        try:
            self.run()
        finally:
            with suppress(Exception) if self.failure else nullcontext():
                self.close()
        if self.ended_by is not None:
            signal.raise_signal(self.ended_by)
        failure = self.tell_failure()
        if failure is not None:
            raise failure from self.failure

    def tell_failure(self) -> Exception | None:
        """Return the error that ends the command in a sentence; a fault names its place."""
        error = self.failure
        if error is None or isinstance(error, BlackjackError | OSError):
            return error
        place = ""
        for frame, line in walk_tb(error.__traceback__):
            path = Path(frame.f_code.co_filename)
            if "upcard" in path.parts:
                place = f" in {path.name}, line {line}"
        return ScreenError(
            f"the full screen failed{place}: {type(error).__name__}: {error}."
            " Nothing saved is lost: start again to continue"
        )

    def get_system_commands(self, screen: Screen[Any]) -> Iterable[SystemCommand]:
        """Yield what the command palette lists: what can be done here, then the themes."""
        listed = set()
        for found in screen.active_bindings.values():
            binding = found.binding
            if found.enabled and binding.tooltip and binding.action not in listed:
                listed.add(binding.action)
                run = partial(self.run_action, binding.action, found.node)
                yield SystemCommand(binding.description, f"{binding.tooltip}.", run)
        seat = self.seat
        if seat is not None and self.screen_stack[1] is screen:
            if self.store is not None:
                yield SystemCommand("History", "List your rounds.", self.action_open_history)
            drills = partial(self.open_drills, seat.session.rules)
            yield SystemCommand("Drills", "Open the drills for these rules.", drills)
        plan = getattr(screen, "choice", None)  # the start screen's
        rules = plan.rules if plan else seat.session.rules if seat else Rules()
        if self.store is not None:
            yield SystemCommand("Goal", "Set a goal for the cost of your mistakes.", self._ask_goal)
        if self.is_at_start:
            yield SystemCommand(FIRST_HANDS, ABOUT, self.open_first_hands)
        for question in QUESTIONS.values():
            yield SystemCommand(question.title, question.about, partial(self.ask, question, rules))
        for name in THEME_NAMES:
            theme = partial(self._change_look, replace(self.look, theme=name))
            yield SystemCommand(f"Theme {name}", f"Use the theme {name}.", theme)
        yield SystemCommand("Quit", "End the program.", self.action_quit)

    def _ask_field(
        self,
        asked: AskedField,
        go_on: Callable[[str], None],
        text: str = "",
        *,
        is_change: bool = False,
    ) -> None:
        """Ask for a field of a question, then call `go_on` with its text; Escape ends it all.

        To change a field, any text may be typed where some are suggested.
        """
        field = asked.field
        choices = ("yes", "no") if field.is_mark else field.choices
        if not is_change:
            choices = choices or field.suggestions
        if choices:
            page = ChoicePage(field.help, choices, none="" if field.is_mark else field.no_choice)
            self.push_screen(page, lambda text: None if text is None else go_on(text))
            return
        texts: list[str] = []

        def take(text: str) -> None:
            asked.read(text)
            texts.append(text)

        prompt = TextPrompt(field.help, text or field.typed, take)
        self.push_screen(prompt, lambda _: go_on(texts[-1]) if texts else None)

    def ask(
        self,
        question: NamedQuestion,
        rules: Rules,
        *values: str,
        changed: Mapping[str, str] | None = None,
    ) -> None:
        """Answer a question on a page; what it chooses from, and what is typed, is asked first.

        `changed` has the texts of other fields by their names.
        """
        fields = [one for one in question.fields if one.field.is_for_pages and not one.field.save]
        first = [
            one for one in fields if one.field.choices or one.field.suggestions or one.field.typed
        ]
        if len(values) < len(first):
            ask_next = partial(self.ask, question, rules, *values)
            self._ask_field(first[len(values)], lambda text: ask_next(text, changed=changed))
            return
        texts = {one.name: text for one, text in zip(first, values, strict=True)}
        texts.update(changed or {})
        change = partial(self._change_field, question, rules, values, texts)
        page = QuestionPage(question, change if fields else None)
        self.push_screen(page)
        try:
            chosen = {one.name: one.read(texts[one.name]) for one in fields if one.name in texts}
        except BlackjackError as error:
            self.call_later(page.show_fault, error)
            return
        asking = Asking(is_patient=False)
        page.work = self.edge_work.submit(
            partial(question.ask, rules, is_given=False, asking=asking, **chosen),
            lambda sheet: page.show_answer(sheet, self.inks),
            page.show_fault,
        )

    def _change_field(
        self,
        question: NamedQuestion,
        rules: Rules,
        values: tuple[str, ...],
        texts: Mapping[str, str],
    ) -> None:
        """Ask for a field to change, and for its text; then answer the question again."""
        fields = [one for one in question.fields if one.field.is_for_pages and not one.field.save]
        lines = {f"{one.title}: {texts.get(one.name) or '-'}": one for one in fields}

        def take(line: str | None) -> None:
            if line is None:
                return
            one = lines[line]
            self._ask_field(
                one,
                lambda text: self.ask(question, rules, *values, changed={**texts, one.name: text}),
                texts.get(one.name, ""),
                is_change=True,
            )

        self.push_screen(ChoicePage(f"{question.title}: what to change", [*lines], none=""), take)

    def _ask_goal(self) -> None:
        from upcard.drills.learned import read_goal, save_goal

        def take(text: str) -> None:
            if self.store is not None:
                save_goal(self.store, read_goal(text))

        self.push_screen(TextPrompt("Goal: what your mistakes may cost", "0.1% by friday", take))

    def take_rules(self, rules: Rules) -> None:
        """Take rules to the start screen, if it is shown."""
        from upcard.tui.start import StartScreen

        if isinstance(self.screen, StartScreen):
            self.screen.take_rules(rules)

    # ---- look and coach

    def action_turn_theme(self) -> None:
        """Take the next theme."""
        self._change_look(self.look.next_theme())

    def action_turn_letters(self) -> None:
        """Write suits as letters, or as glyphs."""
        self._change_look(replace(self.look, letters=not self.look.letters))

    def action_turn_animation(self) -> None:
        """Deal cards one by one, or all at once."""
        self._change_look(replace(self.look, animate=not self.look.animate))

    def _change_look(self, look: Appearance) -> None:
        self.look = look
        self.theme = look.theme
        kept = replace(look, ascii_only=False) if self.opening.ascii_only else look
        save_setting(self.store, LOOK, to_json(kept))
        draw = getattr(self.screen, "draw", None)
        if draw is not None:
            self.call_after_refresh(draw)

    def turn_voice(self) -> None:
        """Change when the coach speaks: never, after the hand, before an answer."""
        self.voice = self.voice.next()
        self._save_coach()

    def turn_knowledge(self, coach: TableCoach | None = None) -> None:
        """Let the coach use the cards seen, or a fresh shoe."""
        self.knows = Knowledge.SEEN if self.knows is Knowledge.FRESH else Knowledge.FRESH
        if coach is not None:
            coach.knows = self.knows
        self._save_coach()

    def _save_coach(self) -> None:
        save_setting(self.store, COACH_SETTING, write_coach(self.voice, self.knows))

    def action_open_history(self) -> None:
        """List the saved rounds."""
        from upcard.tui.replay import HistoryScreen

        if self.store is not None:
            self.push_screen(HistoryScreen(self.store))

    def _open_training(self, setup: DrillSetup) -> None:
        from upcard.tui.train import menu, questions

        name = self.opening.drill
        screen = menu.DrillMenu(setup) if name is None else questions.QuestionScreen(name, setup)
        self.push_screen(screen, self._end_training)

    def _end_training(self, ended: Ended | None) -> None:
        self.ended = ended
        self.exit()

    async def action_quit(self) -> None:
        """End the program; a drill ends with its summary."""
        if self.opening.train is not None and hasattr(self.screen, "action_leave"):
            await self.screen.run_action("screen.leave")
        else:
            self.exit()


def run_table(opening: ScreenOptions) -> None:
    """Open the full screen; print the balance when it has been left."""
    keymap = read_keymap()
    # A key comes before the solver: its thread gives way after a millisecond, not five.
    sys.setswitchinterval(0.001)
    if needs_ascii(sys.stdout.encoding):
        opening = replace(opening, ascii_only=True)
    try:
        memory = open_store()
    except StoreError:
        if opening.keeps:
            raise
        memory = None
    compile_soon()
    with memory or nullcontext() as store:
        app = UpcardApp(opening, store, keymap)
        app.show()
    for words in app.farewell:
        print(words)  # noqa: T201 (the terminal is a plain one again)
