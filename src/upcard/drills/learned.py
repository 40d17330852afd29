"""Mastery of a chart: the state of each question, the cost of mistakes, answers by day, a goal.

Decisions at the table count, and answers to the drills of strategy and of hands.
"""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from enum import StrEnum
from operator import add
from typing import TYPE_CHECKING, Final, NamedTuple

from upcard.core.errors import NotationError, quote
from upcard.core.number_texts import number_of
from upcard.drills import drill_run, strategy_drills
from upcard.drills.drill import NOT_OBSERVED, DrillProgress, Observed, Scheduler
from upcard.store import bankroll, learning, records

if TYPE_CHECKING:
    from upcard.rules.model import Rules
    from upcard.store.database import Store


_SETTING: Final = "goal"
_KNOWN_RATE: Final = 0.15
_WEAK_RATE: Final = 0.4
_DAY_NAMES: Final = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")


class Known(StrEnum):
    """The state of a cell, by the expected chance that the next answer is wrong."""

    NEW = "new"
    """Never asked."""
    WEAK = "weak"
    """Wrong in more than 4 of 10."""
    LEARNING = "learning"
    KNOWN = "known"
    """Wrong in fewer than 15 of 100."""


class DayOfPlay(NamedTuple):
    """The judged answers of a day, at the table and in the drills."""

    answers: int = 0
    right: int = 0
    lost: float = 0.0
    """Cost of the wrong ones, in initial bets."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mastery:
    """Knowledge of the chart of some rules."""

    states: dict[str, Known]
    """State of each question of the chart, by its name: `hard 16 v T`."""
    shares: dict[Known, float]
    """Share of the hands dealt with a question, by state."""
    cost: float
    """Expected cost of mistakes, as a share of the bet."""
    cost_of_new: float
    """The part of it for questions never asked, where the chance of a mistake is a guess."""
    days: dict[date, DayOfPlay]
    """The answers by day, the oldest first."""


def find_mastery(store: Store, rules: Rules) -> Mastery:
    """Find what is known of the chart of these rules; it solves the game, which takes seconds.

    Raises: BlackjackError if the rules have no drill of basic strategy.
    """
    drill, memory = strategy_drills.StrategyDrill(rules), drill_run.DrillMemory(store)
    progress = memory.load(drill.name, drill.about)
    hands = memory.load(strategy_drills.HandDrill.name, drill.about)
    observed = dict(memory.observe(drill))
    for key, record in hands.records.items():
        made = record.asked, record.errors, record.lost
        observed[key] = Observed(*map(add, observed.get(key, NOT_OBSERVED), made))
    scheduler = Scheduler(drill=drill, progress=progress, observed=observed)
    states: dict[str, Known] = {}
    shares = dict.fromkeys(Known, 0.0)
    new = 0.0
    for item in scheduler.items():
        seen = observed.get(item.key, NOT_OBSERVED)
        is_new = not (progress.record(item.key).asked or seen.asked)
        rate = scheduler.error_rate(item)
        state = Known.WEAK if rate > _WEAK_RATE else Known.LEARNING
        state = Known.NEW if is_new else Known.KNOWN if rate <= _KNOWN_RATE else state
        states[item.key] = state
        shares[state] += item.frequency
        new += scheduler.weight(item) if is_new else 0.0
    return Mastery(
        states=states,
        shares=shares,
        cost=(drill_run.price_of(drill, progress, observed) or 0.0) / 100,
        cost_of_new=drill.share * new,
        days=_add_days(store, rules, progress, hands),
    )


def _add_days(store: Store, rules: Rules, *drilled: DrillProgress) -> dict[date, DayOfPlay]:
    found: dict[date, DayOfPlay] = defaultdict(DayOfPlay)
    answers = [
        (datetime.fromisoformat(moment).astimezone().date(), (1, int(not wrong), lost))
        for moment, wrong, lost in learning.read_days(store, rules)
    ]
    answers += [
        (date.fromisoformat(day), made) for one in drilled for day, made in one.days.items()
    ]
    for day, made in answers:
        found[day] = DayOfPlay(*map(add, found[day], made))
    return dict(sorted(found.items()))


class LearningGoal(NamedTuple):
    """A cost of mistakes to get under, and the day by which."""

    share: float
    """Share of the bet."""
    by: date | None

    def days_left(self) -> int | None:
        """Return the days up to its day, 0 on it, fewer after it; None without one."""
        return None if self.by is None else (self.by - records.today()).days


def read_goal(text: str) -> LearningGoal:
    """Read a goal: `0.1%`, `0.1% by friday`, `0.1% by 2026-12-24`.

    Raises: NotationError for anything else, and for a day that is over.
    """
    share, _, when = text.strip().lower().partition(" by ")
    number = number_of(share.strip().removesuffix("%"))
    if number is None or not 0 < number < 100:
        msg = f"goal {quote(text)}: write what mistakes may cost, such as 0.1%, or 0.1% by friday"
        raise NotationError(msg)
    return LearningGoal(float(number) / 100, _read_day(when.strip(), text) if when else None)


def _read_day(word: str, text: str) -> date:
    today = records.today()
    if word in _DAY_NAMES:
        return today + timedelta(days=(_DAY_NAMES.index(word) - today.weekday()) % 7)
    try:
        day = date.fromisoformat(word)
    except ValueError:
        msg = f"goal {quote(text)}: write the day as a day of the week, or as 2026-12-24"
        raise NotationError(msg) from None
    if day < today:
        raise NotationError(f"goal {quote(text)}: that day is over")
    return day


def load_goal(store: Store) -> LearningGoal | None:
    """Return the goal that was set; None if none was, or it cannot be read."""
    saved = bankroll.load_setting(store, _SETTING)
    try:
        share, day = (saved or {})["share"], (saved or {})["by"]
        return LearningGoal(float(share), None if day is None else date.fromisoformat(day))
    except (KeyError, TypeError, ValueError):
        return None


def save_goal(store: Store, goal: LearningGoal) -> None:
    """Save a goal."""
    if not math.isfinite(goal.share):
        raise NotationError(f"goal {goal.share}: write a number")
    day = None if goal.by is None else goal.by.isoformat()
    bankroll.save_setting(store, _SETTING, {"share": goal.share, "by": day})
