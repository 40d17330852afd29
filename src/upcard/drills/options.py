"""`DrillOptions`: the options of drills as text, and a drill created from them.

Reading them is quick and finds the faults; creating a drill solves a game, and may take seconds.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from upcard.charts.facts import UPCARD_LETTERS
from upcard.core.errors import BlackjackError, RulesError, UnsupportedRuleError, quote
from upcard.core.numbers import whole_number
from upcard.drills.catalogue import DEVIATIONS, DRILL_NAMES, HANDS, STRATEGY, find_drill, make_drill
from upcard.drills.counting import GROUPS
from upcard.drills.drill import Drill, DrillError, read_class
from upcard.rules.model import Rules
from upcard.rules.settings import Surrender
from upcard.strategy.chart import HAND_LABELS, Strategy
from upcard.strategy.count_system import CountBy, CountSystem, load_system
from upcard.strategy.deviations import Deviations, deviation_names, load_deviations
from upcard.strategy.ramp import BetRamp, parse_ramp

DEFAULT_SYSTEM: Final = "hi-lo"
DEFAULT_RAMP: Final = "1-8"
INDEX_SETS: Final = {
    "": "the published set",
    "i18": "Illustrious 18",
    "fab4": "Fab 4 surrenders",
    "i18+fab4": "Illustrious 18 and Fab 4",
}
"""Index plays to choose from, as `indices` names them."""
MISTAKE_PERIODS: Final = {
    "": "everything, by what mistakes cost",
    "ever": "only your mistakes",
    "today": "only your mistakes of today",
    "month": "only your mistakes of the last 30 days",
}
"""Questions to choose from: all, or the mistakes of a period."""
_MONTH_DAYS: Final = 30

_OPTIONS: Final = {
    "--class": ("classes", "classes"),
    "--system": ("system", "system"),
    "--indices": ("indices", "deviations"),
    "--ramp": ("ramp", "ramp"),
    "--group": ("group", "group"),
}
"""Names on the command line, with the field of `DrillOptions` and the option of `make_drill`."""


def find_start(period: str) -> datetime | None:
    """Return when a period of `MISTAKE_PERIODS` began; None if it has no beginning."""
    now = datetime.now(tz=UTC).astimezone()
    if period == "today":
        return now.replace(hour=0, minute=0, second=0, microsecond=0)
    return now - timedelta(days=_MONTH_DAYS) if period == "month" else None


def read_name(text: str) -> str:
    """Read the name of a drill, in any case; hyphens and underscores count as blanks.

    Raises: DrillError listing the drills.
    """
    name = " ".join(text.lower().replace("-", " ").replace("_", " ").split())
    if name not in DRILL_NAMES:
        raise DrillError(f"no drill is called {text!r}: one of {', '.join(DRILL_NAMES)}")
    return name


def read_classes(text: str) -> tuple[str, ...]:
    """Read classes of hands with commas between: `hard,soft`.

    Raises: DrillError naming the first invalid class.
    """
    found = dict.fromkeys(read_class(word.strip().lower()) for word in text.split(","))
    return tuple(map(str, found))


def check_place(text: str) -> None:
    """Refuse text that is no cell of the chart. Raises: DrillError."""
    label, _, letter = text.partition(" v ")
    if label not in HAND_LABELS or letter not in tuple(UPCARD_LETTERS):
        raise DrillError(f"no hand {text[:40]!r} of the chart: write one such as '16 v T'")


@dataclass(frozen=True, slots=True, kw_only=True)
class DrillOptions:
    """The options given, each as its text; None selects a drill's default.

    Raises: DrillError, NotationError or RulesError for invalid options.
    """

    rules: Rules
    classes: str | None = None
    system: str | None = None
    indices: str | None = None
    ramp: str | None = None
    group: int | None = None
    place: str | None = None
    """A cell of the chart, such as `16 v T`: only its hands are asked."""
    mistakes: bool = False
    """Whether only items answered wrong, at the table or in the drill, are asked."""

    def __post_init__(self) -> None:
        if self.classes is not None:
            read_classes(self.classes)
        if self.place is not None:
            check_place(self.place)
        if self.group is not None and self.group not in GROUPS:
            raise DrillError(f"--group {self.group}: cards are shown in groups of 1, 2 or 3")
        system = self.read_system()
        if self.indices is not None:
            self.read_indices(system)
        if self.ramp is not None:
            self.read_ramp(system)

    def with_text(self, name: str, text: str) -> DrillOptions:
        """Return the same with one option from its text, empty for the default.

        Raises: as creating options does.
        """
        value: str | int | None = text or None
        if name == "group" and text:
            value = whole_number(text)
            if value is None:
                raise DrillError(
                    f"{quote(text)} is no group: cards are shown in groups of 1, 2 or 3"
                )
        changed: dict[str, Any] = {name: value}
        return replace(self, **changed)

    def check(self, name: str) -> None:
        """Refuse options that a drill does not take, by their names on the command line.

        Raises: DrillError.
        """
        takes = find_drill(name).options
        its = [option for option, (_, meant) in _OPTIONS.items() if meant in takes]
        for option, (field, meant) in _OPTIONS.items():
            if getattr(self, field) is not None and meant not in takes:
                raise DrillError(
                    f"the drill of {name} takes no {option}: it takes {', '.join(its)}"
                )

    def why_not(self, name: str) -> str | None:
        """Return why a drill is impossible, as far as that is known without solving a game."""
        try:
            self.about(name)
        except BlackjackError as error:
            return str(error)
        return None

    def about(self, name: str) -> str:
        """Return the subject of a drill with these options, without creating it.

        Raises: as `make` does, for faulty options.
        """
        if name in (STRATEGY, HANDS):
            return str(self.rules)
        if self.place is not None:
            raise DrillError(f"{self.place}: the drills of strategy and of hands ask single hands")
        system = self.read_system()
        if name == DEVIATIONS:
            if self.rules.is_infinite:
                reason = "cards that never run out leave nothing to count"
                raise UnsupportedRuleError("drill of deviations", "INF", reason)
            return f"{self.rules} {system} {self.read_indices(system).name}"
        return self.make(name).about

    def make(self, name: str) -> Drill:
        """Create a drill; options that it does not take are ignored here, and refused by `check`.

        Raises: as `make_drill` does.
        """
        takes = find_drill(name).options
        system = self.read_system()
        read: dict[str, Callable[[], object]] = {
            "classes": lambda: read_classes(self.classes) if self.classes else None,
            "system": lambda: system,
            "deviations": lambda: self.read_indices(system),
            "strategy": lambda: _solve_chart(self.rules),
            "ramp": lambda: self.read_ramp(system),
            "group": lambda: self.group,
        }
        return make_drill(name, self.rules, **{option: read[option]() for option in takes})

    def read_system(self) -> CountSystem:
        """Return the counting system."""
        return load_system(self.system or DEFAULT_SYSTEM)

    def read_indices(self, system: CountSystem) -> Deviations:
        """Return the set of index plays (default: the published one for the rules).

        Raises: RulesError if there is none for the system.
        """
        if self.indices is not None:
            return load_deviations(self.indices, system)
        may_surrender = self.rules.surrender is not Surrender.NONE
        wanted = "i18+fab4" if may_surrender else "i18"
        try:
            return load_deviations(wanted, system)
        except RulesError:
            known = ", ".join(deviation_names())
            raise RulesError(
                f"no index plays for the count {system} come with upcard ({known} are for hi-lo):"
                f" make them by 'upcard indices --count {system} -o FILE' and give --indices FILE"
            ) from None

    def read_ramp(self, system: CountSystem) -> BetRamp:
        """Return the bets by the count."""
        return parse_ramp(self.ramp or DEFAULT_RAMP, system, decks=self.rules.decks or 1)

    def summary(self) -> tuple[tuple[str, str], ...]:
        """Return the settings in force, by topic."""
        system = self.read_system()
        decides = "running" if system.by is CountBy.RUNNING else "true"
        try:
            plays = self.read_indices(system).name
        except RulesError:
            plays = "none for this count"
        return (
            ("rules", str(self.rules)),
            ("classes", ", ".join(read_classes(self.classes)) if self.classes else "all"),
            ("count", f"{system}, {decides} count"),
            ("indices", plays),
            ("ramp", str(self.read_ramp(system))),
        )


def _solve_chart(rules: Rules) -> Strategy:
    from upcard.cache.exact import basic_strategy

    return basic_strategy(rules)
