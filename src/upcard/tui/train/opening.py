"""Which screen a drill has."""

from __future__ import annotations

from typing import TYPE_CHECKING

from upcard.drills.catalogue import DEVIATIONS, HANDS, STRATEGY
from upcard.drills.counting import CountingKind
from upcard.tui.train.actions import ActionScreen
from upcard.tui.train.hands import HandsScreen
from upcard.tui.train.numbers import DecksScreen, NumberScreen
from upcard.tui.train.showing import ShowingScreen

if TYPE_CHECKING:
    from upcard.tui.train.context import TrainContext
    from upcard.tui.train.screen import DrillScreen

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
