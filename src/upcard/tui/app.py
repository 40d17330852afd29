"""The full screen as a program: what is kept of it, and which screen comes when."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar, Final

from textual.app import App
from textual.binding import Binding

from upcard.coach.knowledge import Knowledge
from upcard.core.errors import BlackjackError, RulesError
from upcard.sitting.buying_in import buy_in
from upcard.sitting.coaching import CoachDesk, Voice
from upcard.sitting.company import seat_companion
from upcard.sitting.plan import DEFAULT_CHIPS, plan_of
from upcard.sitting.practice import make_practice_shoe, make_stream
from upcard.sitting.sitting import Sitting
from upcard.store.errors import StoreError
from upcard.store.sessions import find_open_rounds
from upcard.store.settings import load_setting, save_setting
from upcard.tui.background import Background
from upcard.tui.look import needs_ascii, read_look
from upcard.tui.pages import Page
from upcard.tui.picture import Styles
from upcard.tui.themes import register_themes

if TYPE_CHECKING:
    from collections.abc import Callable
    from fractions import Fraction

    from textual.binding import BindingType
    from textual.screen import Screen

    from upcard.rules.model import Rules
    from upcard.sitting.plan import Plan
    from upcard.sitting.review_source import Source
    from upcard.store.database import Store
    from upcard.store.records import OpenRound
    from upcard.tui.look import Look
    from upcard.tui.opening import Opening

LOOK: Final = "look"
COACH: Final = "coach"


class UpcardApp(App[None]):
    """The program. It holds what outlives a table: look, coach, chips."""

    TITLE = "upcard"
    CSS_PATH = "upcard.tcss"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+c,ctrl+q", "quit", "quit", priority=True),
    ]

    def __init__(self, opening: Opening, store: Store | None) -> None:
        """Open with a table or the start screen; without a `store` nothing is kept."""
        super().__init__()
        self.opening = opening
        self.store = store
        kept = self.load(LOOK)
        self.look: Look = read_look(kept)
        if opening.ascii_only:
            self.look = replace(self.look, ascii_only=True)
        coach = self.load(COACH) or {}
        self.voice = opening.voice or _read_voice(coach.get("voice"))
        self.knows = opening.knows or _read_knowledge(coach.get("knows"))
        self.coach_work = Background(self, "coach")
        self.edge_work = Background(self, "edges")
        self.sitting: Sitting | None = None
        self._was_found = False
        """Whether one sits at a hand that was left unfinished."""
        self.farewell: list[str] = []
        """What is said when the screen has gone."""

    def on_mount(self) -> None:
        """Open an unfinished hand first, then what was asked for."""
        register_themes(self)
        self.theme = self.look.theme
        self._open_next()

    @property
    def inks(self) -> Styles:
        """The styles of words, in the colours of the theme."""
        theme = self.current_theme
        ink = theme.foreground or ""
        return Styles(
            ink=ink,
            muted=f"{ink} dim" if self.look.theme != "high-contrast" else ink,
            active=f"bold {theme.accent}",
            good=f"{theme.success}",
            bad=f"{theme.error}",
        )

    # ---- tables

    def _open_next(self) -> None:
        if self.opening.replay is not None:
            self.open_replay(self.opening.replay)
            return
        left = self._find_left()
        if left is not None:
            try:
                self.sit_down(plan_of(left), keeps=True, left=left)
            except RulesError as error:
                self.open_start(f"A hand was left unfinished that cannot go on: {error}")
        elif self.opening.plan is not None:
            self.sit_down(self.opening.plan, keeps=self.opening.keeps)
        else:
            self.open_start()

    def _find_left(self) -> OpenRound | None:
        if self.store is None or not self.opening.keeps:
            return None
        return next(iter(find_open_rounds(self.store)), None)

    def open_start(self, note: str = "") -> None:
        """Show the start screen."""
        from upcard.tui.start import StartScreen

        self.switch_or_push(StartScreen(note))

    def switch_or_push(self, screen: Screen[None]) -> None:
        """Put a screen in the place of the one there is; the first one goes on top of none."""
        if len(self.screen_stack) > 1:
            self.switch_screen(screen)
        else:
            self.push_screen(screen)

    def sit_down(self, plan: Plan, *, keeps: bool, left: OpenRound | None = None) -> None:
        """Sit down at a table; company that needs charts works them out first, in a thread."""
        bots = [seat for seat in plan.seats if seat is not None]

        def prepare() -> None:
            for seat in bots:
                seat_companion(seat, plan.rules, unit=plan.bet)

        def seat() -> None:
            self._seat(plan, keeps=keeps, left=left)

        if not bots:
            seat()
            return
        self._wait("The company is sitting down", prepare, seat)

    def _wait(self, title: str, work: Callable[[], None], then: Callable[[], None]) -> None:
        page = Page(
            title, ["The first time on a machine this takes up to half a minute.", "", "Esc: back"]
        )
        self.push_screen(page)

        def done(_: None) -> None:
            if page in self.screen_stack:  # nobody has gone back in the meantime
                self.pop_screen()
                self.call_after_refresh(then)

        def failed(error: Exception) -> None:
            if page in self.screen_stack:
                self.pop_screen()
            if isinstance(error, BlackjackError):
                self.call_after_refresh(self.open_start, str(error))
                return
            raise error

        self.edge_work.submit(work, done, failed)

    def _seat(self, plan: Plan, *, keeps: bool, left: OpenRound | None) -> None:
        from upcard.tui.table import TableScreen

        desk = CoachDesk(plan.rules, knows=self.knows)
        notes: list[str] = []
        try:
            if left is not None and self.store is not None:
                sitting = Sitting.resume(self.store, left, plan, desk=desk)
                self._was_found = True
                notes.append("This hand was left unfinished; it goes on where it stood.")
            elif keeps and self.store is not None:
                notes += self._buy_in(plan)
                sitting = Sitting.keep(self.store, plan, desk=desk)
                if sitting.kept is not None and self.opening.player_seed:
                    sitting.kept.fair_shoe.add_player_seed(self.opening.player_seed)
            else:
                sitting = self._practise(plan, desk)
        except BlackjackError as error:
            self.open_start(str(error))
            return
        self.sitting = sitting
        note = " ".join(notes)
        self.switch_or_push(TableScreen(sitting, rounds=self.opening.rounds, note=note))

    def _practise(self, plan: Plan, desk: CoachDesk) -> Sitting:
        seed = self.opening.seed
        return Sitting.practise(
            plan,
            chips=self.opening.chips or DEFAULT_CHIPS,
            shoe=make_practice_shoe(plan.rules, seed=seed, cards=self.opening.cards),
            desk=desk,
            rng=make_stream(seed, "company"),
        )

    def _buy_in(self, plan: Plan) -> list[str]:
        from upcard.sitting.chips import format_chips

        if self.store is None or not plan.rules.betting:
            return []
        brought = buy_in(self.store, self.opening.chips)
        self.opening = replace(self.opening, chips=None)  # once, not at every table
        if not brought:
            return []
        verb = "bring" if brought > 0 else "take home"
        return [f"You {verb} {format_chips(abs(brought))} chips."]

    def bring_chips(self, sitting: Sitting) -> Fraction:
        """Bring chips to a table at which there are none left; return how many."""
        chips = DEFAULT_CHIPS
        if sitting.kept is not None and self.store is not None:
            buy_in(self.store)
            chips = sitting.kept.free_chips
        sitting.bank.bring(chips)
        return chips

    def leave_table(self, sitting: Sitting) -> None:
        """Leave a table: back to the start screen, or out, if that is how one came."""
        asked = self.opening.plan
        is_other = asked is not None and not asked.is_same_table(sitting.plan)
        goes_on = self._was_found and is_other and not sitting.is_playing
        words = self._say_goodbye(sitting)
        self.sitting = None
        self._was_found = False
        if goes_on:
            self._open_next()  # the table that was asked for comes after the hand that was left
        elif asked is not None:
            self.farewell.append(words)
            self.exit()
        else:
            self.open_start(words)

    def _say_goodbye(self, sitting: Sitting) -> str:
        words = sitting.bank.summarize("round")
        if sitting.is_playing:
            is_kept = sitting.kept is not None
            words += " The hand is kept: it goes on at the next start." if is_kept else ""
        sitting.close()
        return words

    def close(self) -> None:
        """Leave the table that one still sits at, when the program ends."""
        if self.sitting is not None:
            self.farewell.append(self._say_goodbye(self.sitting))
            self.sitting = None

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

    def _change_look(self, look: Look) -> None:
        self.look = look
        self.theme = look.theme
        kept = replace(look, ascii_only=False) if self.opening.ascii_only else look
        self.save(LOOK, kept.to_json())
        draw = getattr(self.screen, "draw", None)
        if draw is not None:
            self.call_after_refresh(draw)

    def turn_voice(self) -> None:
        """Let the coach speak at the next occasion there is: silent, after, before."""
        self.voice = self.voice.next()
        self._save_coach()

    def turn_knowledge(self, desk: CoachDesk | None = None) -> None:
        """Let the coach go by the cards seen, or by a fresh shoe."""
        is_fresh = self.knows is Knowledge.FRESH
        self.knows = Knowledge.SEEN if is_fresh else Knowledge.FRESH
        if desk is not None:
            desk.know(self.knows)
        self._save_coach()

    def _save_coach(self) -> None:
        self.save(COACH, {"voice": str(self.voice), "knows": str(self.knows)})

    def action_open_history(self) -> None:
        """List the rounds of memory."""
        from upcard.tui.history import HistoryScreen

        if self.store is not None:
            self.push_screen(HistoryScreen(self.store))

    def open_replay(self, source: Source) -> None:
        """Look a round over."""
        from upcard.tui.replay import ReplayScreen

        self.push_screen(ReplayScreen(source))

    def leave_replay(self) -> None:
        """Go back to where a round was chosen, or out."""
        if self.opening.replay is not None:
            self.exit()
        else:
            self.pop_screen()

    def open_drills(self, rules: Rules) -> None:
        """Show the drills for these rules; leaving them comes back here."""
        from upcard.tui.train.opening import open_menu

        self.push_screen(open_menu(rules, store=self.store, look=self.look))

    def load(self, name: str) -> dict[str, object] | None:
        """Return a setting of the memory; None if there is none."""
        return None if self.store is None else load_setting(self.store, name)

    def save(self, name: str, value: dict[str, object]) -> None:
        """Keep a setting, if there is a memory."""
        if self.store is not None:
            save_setting(self.store, name, value)


def _read_voice(kept: object) -> Voice:
    return next((one for one in Voice if one == kept), Voice.AFTER)


def _read_knowledge(kept: object) -> Knowledge:
    return next((one for one in Knowledge if one == kept), Knowledge.FRESH)


def run_table(opening: Opening) -> None:
    """Open the full screen; return when it has been left, with the balance told.

    Raises: StoreError if memory cannot be opened, unless it is practice.
    """
    from contextlib import nullcontext

    from upcard.store.database import open_store

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
    with memory or nullcontext() as store:
        app = UpcardApp(opening, store)
        try:
            app.run()
        finally:
            app.close()
    for words in app.farewell:
        print(words)  # noqa: T201 (the terminal is a plain one again)
