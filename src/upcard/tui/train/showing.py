"""Countdown and running count: cards shown group by group, by a key or by a timer."""

from __future__ import annotations

from typing import Final

from rich.text import Text
from textual.content import Content
from textual.timer import Timer
from textual.widgets import Static

from upcard.drills.catalogue import DEVIATIONS, HANDS, STRATEGY
from upcard.drills.counting_drills import CountingKind
from upcard.drills.desk import DrillStep, view_showing
from upcard.drills.drill_run import DrillSetup
from upcard.tui.action_bar import Key
from upcard.tui.cards import draw_fan
from upcard.tui.themes import MUTED
from upcard.tui.train.actions import ActionScreen
from upcard.tui.train.numbers import DecksScreen, NumberScreen
from upcard.tui.train.screen import DrillScreen

_TENTHS: Final = (2, 50)
"""The shortest and the longest time for a group, in tenths of a second."""


class ShowingScreen(NumberScreen):
    """Waits, shows the groups one after another, then asks for the count."""

    KEYS: tuple[tuple[str, str], ...] = (
        ("Space, Enter", "begin, and turn to the next cards"),
        ("T", "turn by a timer, or by the key"),
        ("+ -", "less or more time for a group"),
        *NumberScreen.KEYS,
    )

    def on_mount(self) -> None:
        """Begin with the key turning the cards."""
        self.tenths = 10
        self.has_timer = False
        self._timer: Timer | None = None
        super().on_mount()

    def draw_picture(self) -> Text:
        """Draw the group that is shown, or the backs of the first."""
        shown = view_showing(self.desk)
        cards = () if shown is None else shown.cards
        return Text("\n").join(draw_fan(cards, self.app.look, self.card_size))

    def show_entry(self) -> None:
        """Show what has been typed, or how far the cards are."""
        shown = view_showing(self.desk)
        if shown is None:
            super().show_entry()
            return
        self.query_one("#drill-pad").display = False
        what = f"{shown.words}. Space begins."
        if shown.place:
            what = f"{shown.place} of {shown.of}"
        pace = f"{self.tenths / 10:.1f} s a group" if self.has_timer else "Space turns"
        record = f", best {shown.best}" if shown.best else ""
        self.query_one("#drill-entry", Static).update(
            Content.assemble((what, "bold"), (f"\n{pace}{record}", MUTED))
        )

    def keys(self) -> tuple[Key, ...]:
        """Return the keys of the cards while they are shown, then those of the number."""
        if self.desk.place is None:
            return super().keys()
        turn = "begin" if self.desk.place == -1 else "next"
        timer = "by key" if self.has_timer else "by timer"
        speed = (Key("drill.faster", "+", "faster"), Key("drill.slower", "-", "slower"))
        return (Key("drill.next", "Space", turn), Key("drill.timer", "T", timer), *speed)

    def read_key(self, key: str, character: str | None) -> None:
        """Take the number once all cards were shown."""
        if self.desk.place is None:
            super().read_key(key, character)
        elif character and character.isprintable():
            self.say_of_key(f"{character!r} does nothing while cards are shown: Space turns them.")
        else:
            self.say_of_key(self.write_unknown(key))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Return whether an action is possible: the cards' own while they are shown."""
        if action in ("turn", "toggle_timer", "change_pace"):
            return self.step is DrillStep.SHOWING
        return super().check_action(action, parameters)

    def action_toggle_timer(self) -> None:
        """Turn the cards by a timer, or by the key."""
        self.has_timer = not self.has_timer
        self._show_pace()

    def action_change_pace(self, tenths: int) -> None:
        """Turn the cards by a timer, with more or less time for a group."""
        self.has_timer = True
        self.tenths = min(max(self.tenths + tenths, _TENTHS[0]), _TENTHS[1])
        self._show_pace()

    def _show_pace(self) -> None:
        self._wait()
        self.show_entry()
        self.show_keys()

    def action_turn(self) -> None:
        """Show the next group, or ask for the count after the last."""
        self.desk.turn()
        self.query_one("#drill-cards", Static).update(self.draw_picture())
        self._show_pace()

    def _wait(self) -> None:
        """Start the timer for the group that is shown, or stop it."""
        if self._timer is not None:
            self._timer.stop()
            self._timer = None
        if self.has_timer and (self.desk.place or 0) >= 0 and self.step is DrillStep.SHOWING:
            self._timer = self.set_timer(self.tenths / 10, self.action_turn)


_SCREENS: dict[str, type[DrillScreen]] = {
    STRATEGY: ActionScreen,
    DEVIATIONS: ActionScreen,
    HANDS: ActionScreen,
    CountingKind.COUNTDOWN: ShowingScreen,
    CountingKind.RUNNING: ShowingScreen,
    CountingKind.TRUE: NumberScreen,
    CountingKind.DECKS: DecksScreen,
    CountingKind.BET: NumberScreen,
}


def open_drill(name: str, setup: DrillSetup) -> DrillScreen:
    """Return the screen of a drill; push it, and get an `Ended` back."""
    return _SCREENS[name](name, setup)
