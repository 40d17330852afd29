"""A learner's standing in each drill, and what their mistakes are expected to cost."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from upcard.core.errors import BlackjackError
from upcard.drills.catalogue import HANDS, STRATEGY
from upcard.drills.feedback_text import NOT_BEGUN, write_price, write_standing
from upcard.drills.run import price_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from upcard.drills.memory import DrillMemory
    from upcard.drills.options import DrillOptions

PRICED: Final = (STRATEGY, HANDS)
"""The drills whose mistakes have a price."""


def read_standing(options: DrillOptions, memory: DrillMemory, name: str) -> str:
    """Return the standing in a drill, or why it cannot be read."""
    try:
        about = options.about(name)
        return write_standing(memory.load(name, about).progress)
    except BlackjackError as error:
        return str(error)


def find_begun(options: DrillOptions, memory: DrillMemory) -> list[str]:
    """Return the drills with a price that have been begun."""
    return [name for name in PRICED if read_standing(options, memory, name) != NOT_BEGUN]


def find_prices(options: DrillOptions, memory: DrillMemory, names: Iterable[str]) -> dict[str, str]:
    """Return what mistakes are expected to cost in some drills, over all classes of hands.

    It solves the game, which may take seconds.
    """
    whole = replace(options, classes=None)
    prices = {}
    for name in names:
        with suppress(BlackjackError):  # a drill that cannot be has no price
            drill = whole.make(name)
            progress = memory.load(name, drill.about).progress
            price = price_of(drill, progress, memory.observe(drill))
            if price is not None:
                prices[name] = write_price(price)
    return prices
