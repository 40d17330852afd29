"""Your knowledge of a chart: a map, the cost of what is not known, the answers by day, a goal."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Final

from upcard.answers import edge, played
from upcard.answers.questions import QUESTIONS, Sheet
from upcard.charts import layout
from upcard.core import figure
from upcard.core.fields import Field
from upcard.core.numbers import count_of
from upcard.drills import learned
from upcard.rules.model import Rules
from upcard.store.database import open_for_reading, open_store
from upcard.strategy.chart import COLUMN_KEYS, ROWS, columns_of


def _save(goal: learned.LearningGoal) -> None:
    with open_store() as store:
        learned.save_goal(store, goal)


_GOAL: Final = Field(
    learned.read_goal,
    'Goal for the cost of your mistakes, such as "0.1% by friday"; it is saved.',
    "GOAL",
    save=_save,
)
_ORDER: Final = (learned.Known.WEAK, learned.Known.LEARNING, learned.Known.NEW, learned.Known.KNOWN)
"""States of the questions of one cell: the first one decides."""
_MOST_DAYS: Final = 14
_WIDTH: Final = 13
"""Columns of a map; a chart by the upcard has 10, one by both dealer cards 26."""
_TITLE: Final = "What you know: + known, ~ not sure yet, ! weak, . not asked"


def answer(rules: Rules, *, goal: Annotated[learned.LearningGoal | None, _GOAL] = None) -> Sheet:
    """Return what is known of the chart of these rules, and set a goal if one is given."""
    if goal is not None:
        _save(goal)
    with open_for_reading() as store:
        found, aim = learned.find_mastery(store, rules), learned.load_goal(store)
    cost = figure.write_percent(found.cost, 2, sign="")
    return Sheet(
        title=QUESTIONS["mastery"].title,
        rules=str(rules),
        findings=tuple(_tell(found, aim, rules)),
        figures=(figure.make_figure("cost", "Mistakes cost", found.cost, cost, "of the bet"),),
        tables=(*_draw_map(found, rules), *([_list_days(found)] if found.days else [])),
        sentences=(
            "The last 20 decisions of a hand at saved tables count.",
            "The answers to the drills of strategy and hands count with them.",
            "Known: expected to be wrong fewer than 15 times in 100; weak: more than 40 times.",
        ),
    )


def _tell(found: learned.Mastery, goal: learned.LearningGoal | None, rules: Rules) -> Iterator[str]:
    if rules.betting and found.cost > 0:
        yield edge.word_money(-found.cost, begin="Your mistakes are expected to cost")
    if found.cost_of_new > 0:
        share = f"{100 * found.cost_of_new:.2f}"
        yield f"{share} of it is a guess, about hands that you have not been asked."
    known = found.shares[learned.Known.KNOWN]
    weak = found.shares[learned.Known.WEAK] + found.shares[learned.Known.LEARNING]
    yield (
        f"You know {known:.0%} of the hands that need a decision; {weak:.0%} are not sure yet, and"
        f" {found.shares[learned.Known.NEW]:.0%} have not been asked."
    )
    if goal is not None:
        yield _tell_goal(found, goal)


def _tell_goal(found: learned.Mastery, goal: learned.LearningGoal) -> str:
    day = "" if goal.by is None else f" by {goal.by:%A}, {goal.by.day} {goal.by:%B}"
    words = f"Goal: under {figure.write_percent(goal.share, 2, sign='')}{day}"
    if found.cost < goal.share:
        return f"{words}. It is reached."
    gap = figure.write_percent(found.cost - goal.share, 2, sign="")
    left = goal.days_left()
    if left is None:
        return f"{words}. {gap} to go."
    if left < 0:
        return f"{words}. The day is over, with {gap} to go."
    days = "today is the day" if not left else f"{count_of(left, 'day')} left"
    return f"{words}. {gap} to go, {days}."


def _draw_map(found: learned.Mastery, rules: Rules) -> Iterator[figure.AnswerTable]:
    """Return the chart with the state of each cell; the least known question of a cell decides.

    The columns of both dealer cards are too many for one table.
    """
    columns = columns_of(rules)
    cells: dict[tuple[str, str], learned.Known] = {}
    for key, state in found.states.items():
        cell = played.find_cell(key, columns)
        if cell is not None:
            cells[cell] = min(cells.get(cell, learned.Known.KNOWN), state, key=_ORDER.index)
    mark = figure.make_maker(figure.ColumnKind.MARK)
    hands = [one for one in ROWS[columns] if any(label == one for label, _ in cells)]
    for start in range(0, len(columns), _WIDTH):
        keys = COLUMN_KEYS[columns][start : start + _WIDTH]
        states = ((label, [cells.get((label, key)) for key in keys]) for label in hands)
        yield figure.make_table(
            _TITLE if not start else "Against the other cards of the dealer",
            (figure.text("hand"), *map(mark, keys)),
            (
                (layout.write_hand(label), *(None if one is None else str(one) for one in row))
                for label, row in states
            ),
        )


def _list_days(found: learned.Mastery) -> figure.AnswerTable:
    days = list(found.days.items())[-_MOST_DAYS:]
    columns = (
        *(figure.text("day"), figure.number("answers"), figure.share("right", digits=0)),
        figure.share("cost", "cost an answer", digits=2),
    )
    rows = (
        (day.isoformat(), one.answers, one.right / one.answers, one.lost / one.answers)
        for day, one in days
    )
    return figure.make_table("Your answers by day, the last 14 days with any", columns, rows)
