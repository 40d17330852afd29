"""Countdown and running count: cards shown group by group, by a key or by a timer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rich.text import Text
from textual.content import Content
from textual.timer import Timer
from textual.widgets import Static

from upcard.core.cards import Card
from upcard.drills.catalogue import DEVIATIONS, HANDS, STRATEGY
from upcard.drills.counting import CountingKind
from upcard.drills.drill import Feedback, Prompt
from upcard.drills.feedback_text import write_seconds
from upcard.tui.action_bar import Key
from upcard.tui.cards import draw_fan
from upcard.tui.themes import MUTED
from upcard.tui.train.actions import ActionScreen, HandsScreen
from upcard.tui.train.modals import TrainContext
from upcard.tui.train.numbers import DecksScreen, NumberScreen
from upcard.tui.train.screen import DrillScreen, Step

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
        self.place: int | None = None
        """The group that is shown: -1 before the first, None when all were."""
        self.tenths = 10
        self.has_timer = False
        self._timer: Timer | None = None
        self._shown_at = 0.0
        super().on_mount()

    @property
    def groups(self) -> tuple[tuple[Card, ...], ...]:
        """The groups of cards of the present question."""
        prompt = self.drill_run.prompt
        return () if prompt is None else prompt.groups

    def draw_question(self, prompt: Prompt) -> None:
        """Wait for the key that begins."""
        self.place = -1
        super().draw_question(prompt)

    def draw_picture(self, prompt: Prompt) -> Text:
        """Draw the group that is shown, or the backs of the first."""
        cards: Sequence[Card | None] = ()
        if self.place == -1:
            cards = [None] * len(prompt.groups[0])
        elif self.place is not None:
            cards = prompt.groups[self.place]
        lines = draw_fan(cards, self.look, self.card_size)
        return Text("\n").join(lines)

    def show_entry(self) -> None:
        """Show what has been typed, or how far the cards are."""
        if self.place is None:
            super().show_entry()
            return
        self.query_one("#drill-pad").display = False
        number, whole = self.place + 1, len(self.groups)
        size = len(self.groups[0]) if self.groups else 0
        if number:
            what = f"{number} of {whole}"
        else:
            cards = sum(map(len, self.groups))
            how = f"by {_words(size)}" if self.is_countdown else f"in {whole} groups"
            what = f"{cards} cards {how}. Space begins."
        pace = f"{self.tenths / 10:.1f} s a group" if self.has_timer else "Space turns"
        best = self._best()
        record = f", best {write_seconds(best)}" if best is not None else ""
        self.query_one("#drill-entry", Static).update(
            Content.assemble((what, "bold"), (f"\n{pace}{record}", MUTED))
        )

    def keys(self, prompt: Prompt) -> Sequence[Key]:
        """Return the keys of the cards while they are shown, then those of the number."""
        if self.place is None:
            return super().keys(prompt)
        turn = "begin" if self.place == -1 else "next"
        timer = "by key" if self.has_timer else "by timer"
        speed = (Key("drill.faster", "+", "faster"), Key("drill.slower", "-", "slower"))
        return (Key("drill.next", "Space", turn), Key("drill.timer", "T", timer), *speed)

    def read_key(self, key: str, character: str | None) -> None:
        """Take the number once all cards were shown."""
        if self.place is None:
            super().read_key(key, character)
        elif character and character.isprintable():
            self.say_of_key(f"{character!r} does nothing while cards are shown: Space turns them.")
        else:
            self.say_of_key(self.write_unknown(key))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Return whether an action is possible: the cards' own while they are shown."""
        if action in ("turn", "toggle_timer", "change_pace"):
            return self.step is Step.ASKING and self.place is not None
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
        prompt = self.drill_run.prompt
        if prompt is None or self.place is None:
            return
        if self.place == -1:
            self._shown_at = self.setup.clock()
        self.place = self.place + 1 if self.place + 1 < len(prompt.groups) else None
        self.query_one("#drill-cards", Static).update(self.draw_picture(prompt))
        self.show_entry()
        self.show_keys()
        self._wait()

    def seconds_taken(self) -> float | None:
        """Return the time from the first cards to the answer, where the best is saved."""
        self._seconds = self.setup.clock() - self._shown_at
        prompt = self.drill_run.prompt
        self._before = self._best()
        return self._seconds if prompt is not None and self.is_countdown else None

    def draw_answered(self, feedback: Feedback) -> str:
        """Say how long it took, and whether that is the best."""
        took = f"It took {write_seconds(self._seconds)}"
        if not self.is_countdown:
            return f"{took}."
        if feedback.is_right and (self._before is None or self._seconds < self._before):
            return f"{took}: your best."
        if self._before is not None:
            return f"{took}; your best is {write_seconds(self._before)}."
        return f"{took}."

    @property
    def is_countdown(self) -> bool:
        """Whether this is the countdown, whose best times are saved."""
        return self.drill_name == CountingKind.COUNTDOWN

    def _best(self) -> float | None:
        prompt = self.drill_run.prompt
        return None if prompt is None else self.drill_run.best_seconds(prompt.item)

    def _wait(self) -> None:
        """Start the timer for the group that is shown, or stop it."""
        if self._timer is not None:
            self._timer.stop()
            self._timer = None
        if self.has_timer and self.place is not None and self.place >= 0:
            self._timer = self.set_timer(self.tenths / 10, self.action_turn)


def _words(size: int) -> str:
    return {1: "one", 2: "two", 3: "three"}.get(size, str(size))


_SCREENS: dict[str, type[DrillScreen]] = {
    STRATEGY: ActionScreen,
    DEVIATIONS: ActionScreen,
    HANDS: HandsScreen,
    CountingKind.COUNTDOWN: ShowingScreen,
    CountingKind.RUNNING: ShowingScreen,
    CountingKind.TRUE: NumberScreen,
    CountingKind.DECKS: DecksScreen,
    CountingKind.BET: NumberScreen,
}


def open_drill(name: str, setup: TrainContext) -> DrillScreen:
    """Return the screen of a drill; push it, and get an `Ended` back.

    Raises: DrillError for options that it does not take.
    """
    return _SCREENS[name](name, setup)
