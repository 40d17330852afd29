"""Fields that several questions ask for: a shoe, a chart, a count, a seed.

Their readers load what they need when they read.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from upcard.core.fields import Field
from upcard.core.number_texts import read_whole, whole_of
from upcard.core.numbers import read_seed
from upcard.core.user_files import read_typed

if TYPE_CHECKING:
    from upcard.strategy.chart import Strategy
    from upcard.strategy.count_system import CountSystem


def read_rounds(text: str) -> int:
    """Read a number of rounds."""
    from upcard.simulation.run_state import read_rounds as read

    return read(text)


def ask_text(help: str, metavar: str, what: str, example: str, **more: Any) -> Field:  # noqa: A002 (a field's name)
    """Return a field with a text or, for a command, a file; on a page `example` is typed."""
    return Field(str, help, metavar, paste=partial(read_typed, what=what, example=example), **more)


def _parse_chart(text: str) -> Strategy:
    from upcard.strategy.chart import Strategy

    return Strategy.parse(text)


def _load_count(name: str) -> CountSystem:
    from upcard.strategy.count_system import load_system

    return load_system(name)


def load_shipped(name: str) -> CountSystem:
    """Return a count that comes with upcard: a page reads no file of the server."""
    from upcard.core.errors import RulesError, quote
    from upcard.strategy.count_system import system_names

    if name.strip().lower() not in (names := system_names()):
        raise RulesError(f"{quote(name)} is not one of the counts: {', '.join(names)}")
    return _load_count(name)


def read_set(text: str, what: str = "a set of index plays") -> str:
    """Return index plays by the name of a set: a page reads no file of the server."""
    from upcard.core.errors import RulesError, quote
    from upcard.strategy.deviations import deviation_names

    known = deviation_names()
    if not {one.strip().lower() for one in text.split("+")} <= {*known}:
        raise RulesError(f"{quote(text)}: {what}: {', '.join(known)}")
    return text


CHART: Final = Field(
    str,
    "Strategy chart, a file in the format that upcard prints; on a page pasted.",
    "FILE",
    paste=_parse_chart,
)
COUNT: Final = Field(
    _load_count, "Count cards: hi-lo, ko ... (upcard counts).", "NAME|FILE", paste=load_shipped
)
RUN_ROUNDS: Final = Field(
    read_rounds, "Rounds of each game (default: 40M).", "N", is_for_pages=False
)
HI_LO: Final = replace(COUNT, help="Counting system (default: hi-lo).")
SEED: Final = Field(
    lambda text: read_seed(text if (seed := whole_of(text)) is None else seed),
    "Seed of the random numbers (default: a random one; on a page 1).",
    "N",
)
WORKERS: Final = Field(
    lambda text: read_whole(text, "the number of workers", least=1),
    "Number of workers (default: all cores).",
    "N",
    is_for_pages=False,
)
