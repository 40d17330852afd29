"""Drills by name: their descriptions, their options, and one function that creates each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from upcard.drills.counting import CountingDrill, CountingKind
from upcard.drills.drill import Drill, DrillError
from upcard.rules.model import Rules

STRATEGY: Final = "strategy"
HANDS: Final = "hands"
DEVIATIONS: Final = "deviations"


class DrillEntry(NamedTuple):
    """A drill as front-ends list and explain it."""

    about: str
    """One line."""
    explanation: str
    options: Mapping[str, bool]
    """The options of `make_drill` that it takes, and whether it needs them."""


CATALOGUE: Final[Mapping[str, DrillEntry]] = {
    STRATEGY: DrillEntry(
        "What to do with two cards, by class of hand",
        "Play the hand that you see. What is best is worked out exactly, for these rules.",
        {"classes": False},
    ),
    HANDS: DrillEntry(
        "Whole hands, every decision to the end",
        "Play hands to their end; every decision is judged, and the hand goes on as you played"
        " it. Insurance is declined for you.",
        {"classes": False},
    ),
    DEVIATIONS: DrillEntry(
        "When the count says to leave the chart",
        "Play the hand at the count. What is right is what the index plays say; what a"
        " mistake costs is worked out for the shoe to be expected at that count.",
        {"system": True, "deviations": True, "strategy": True},
    ),
    CountingKind.COUNTDOWN: DrillEntry(
        "A deck against the clock, by one, two or three cards",
        "Count a deck down against the clock. One card stays hidden, so the count at the end is"
        " not known beforehand. The time runs from the first cards to Enter; the best time of"
        " each group size is saved, of right answers only.",
        {"system": True, "group": False},
    ),
    CountingKind.RUNNING: DrillEntry(
        "The count after some rounds from a shoe",
        "Count on from the running count, through some rounds from a shoe.",
        {"system": True},
    ),
    CountingKind.TRUE: DrillEntry(
        "Running count and cards left: the count that decides",
        "Turn the running count into the count that decides, as your system does: the decks left"
        " as it estimates them, rounded as it rounds.",
        {"system": True},
    ),
    CountingKind.DECKS: DrillEntry(
        "A look at the discard tray: how many decks are left",
        "Look at the tray and say how many decks are left in the shoe, to a half. The single deck"
        " beside it has the same width and scale; the scale changes with every question.",
        {"system": True},
    ),
    CountingKind.BET: DrillEntry(
        "From the count to the bet, by your ramp",
        "Say what the ramp bets at this count, in units; 0 is to sit the round out.",
        {"system": True, "ramp": True},
    ),
}
DRILL_NAMES: Final = tuple(map(str, CATALOGUE))


def find_drill(name: str) -> DrillEntry:
    """Return the entry of a drill. Raises: DrillError for an unknown name."""
    if name not in CATALOGUE:
        raise DrillError(f"no drill is called {name!r}: one of {', '.join(DRILL_NAMES)}")
    return CATALOGUE[name]


def make_drill(name: str, rules: Rules, **options: Any) -> Drill:
    """Create a drill by its name, one of `DRILL_NAMES`.

    Strategy and hands take `classes`; deviations take `system`, `deviations` and a chart,
    `strategy`; drills of counting take `system`, that of bets a `ramp`, and the countdown a
    `group`. An option that is None is not given.

    Raises: DrillError for an unknown name, an option missing or not taken; and the errors of
    drills.
    """
    takes = find_drill(name).options
    given = {option: value for option, value in options.items() if value is not None}
    for option in given:
        if option not in takes:
            raise DrillError(f"the drill of {name} takes no {option}: it takes {', '.join(takes)}")
    for option, is_needed in takes.items():
        if is_needed and option not in given:
            raise DrillError(f"the drill of {name} needs {option}")
    if name in (STRATEGY, HANDS):
        from upcard.drills.hands import HandDrill
        from upcard.drills.strategy import StrategyDrill

        return (StrategyDrill if name == STRATEGY else HandDrill)(rules, **given)
    if name == DEVIATIONS:
        from upcard.drills.deviations import DeviationDrill

        return DeviationDrill(rules, **given)
    return CountingDrill(rules, kind=name, **given)
