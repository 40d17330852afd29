"""Drills by name: the list for front-ends, and one function that creates each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from upcard.drills.counting import CountingDrill, CountingKind
from upcard.drills.errors import DrillError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from upcard.coach.question import HandClass
    from upcard.drills.drill import Drill
    from upcard.rules.model import Rules
    from upcard.strategy.chart import Strategy
    from upcard.strategy.counting import CountSystem
    from upcard.strategy.deviations import Deviations
    from upcard.strategy.ramp import BetRamp

STRATEGY: Final = "strategy"
HANDS: Final = "hands"
DEVIATIONS: Final = "deviations"
DRILL_NAMES: Final = (STRATEGY, HANDS, DEVIATIONS, *map(str, CountingKind))


def make_drill(  # noqa: PLR0913 (each is named in the call)
    name: str,
    rules: Rules,
    *,
    classes: Iterable[HandClass | str] | None = None,
    system: CountSystem | None = None,
    deviations: Deviations | None = None,
    strategy: Strategy | None = None,
    ramp: BetRamp | None = None,
    group: int | None = None,
) -> Drill:
    """Create a drill by its name, one of `DRILL_NAMES`.

    Strategy and hands take `classes`; deviations take `system`, `deviations` and a chart; drills of
    counting take `system`, that of bets a `ramp`, and the countdown a `group`. Options that a drill
    does not take are refused.

    Raises: DrillError for an unknown name, an option missing or not taken; and the errors of
    drills.
    """
    given = {
        "classes": classes,
        "system": system,
        "deviations": deviations,
        "strategy": strategy,
        "ramp": ramp,
        "group": group,
    }
    if name not in DRILL_NAMES:
        msg = f"no drill is called {name!r}: one of {', '.join(DRILL_NAMES)}"
        raise DrillError(msg)
    takes = options_of(name)
    for option, value in given.items():
        if value is not None and option not in takes:
            msg = f"the drill of {name} takes no {option}: it takes {', '.join(takes)}"
            raise DrillError(msg)
        if value is None and takes.get(option):
            msg = f"the drill of {name} needs {option}"
            raise DrillError(msg)
    if name in (STRATEGY, HANDS):
        from upcard.drills.hands import HandDrill
        from upcard.drills.strategy import CLASSES, StrategyDrill

        kind = StrategyDrill if name == STRATEGY else HandDrill
        return kind(rules, CLASSES if classes is None else classes)
    if system is None:  # refused above; this line is for the type checker
        msg = f"the drill of {name} needs system"
        raise DrillError(msg)
    if deviations is not None and strategy is not None:
        from upcard.drills.deviations import DeviationDrill

        return DeviationDrill(rules, system=system, deviations=deviations, strategy=strategy)
    return CountingDrill(rules, kind=name, system=system, ramp=ramp, group=group)


def options_of(name: str) -> dict[str, bool]:
    """Return the options of `make_drill` that a drill takes, and whether it needs them."""
    if name in (STRATEGY, HANDS):
        return {"classes": False}
    if name == DEVIATIONS:
        return {"system": True, "deviations": True, "strategy": True}
    if name == CountingKind.BET:
        return {"system": True, "ramp": True}
    return {"system": True} | ({"group": False} if name == CountingKind.COUNTDOWN else {})
