"""Grades of wrong answers by what they cost, and their counts, for every place that shows them."""

from collections import Counter
from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Final

from upcard.core.numbers import count_of


class Grade(StrEnum):
    """How bad an answer is, by what it costs."""

    RIGHT = "right"
    SLIP = "slip"
    MISTAKE = "mistake"
    BLUNDER = "blunder"


LEAST_COST: Final = {Grade.BLUNDER: 0.1, Grade.MISTAKE: 0.01}
"""Cost from which an answer has a grade, in initial bets; a wrong one below is a slip.

Best play loses about 0.005 of a bet a hand: a mistake costs two hands of that or more, a blunder
twenty. Slips are close calls, such as those that turn on one card: 16 v 10, or 12 v 4.
"""
WRONG: Final = (Grade.BLUNDER, Grade.MISTAKE, Grade.SLIP)
"""The grades of wrong answers, the worst first."""


def grade_of(cost: float) -> Grade:
    """Return the grade of an answer that costs this part of an initial bet.

    >>> [str(grade_of(cost)) for cost in (0, 0.0002, 0.01, 0.45)]
    ['right', 'slip', 'mistake', 'blunder']
    """
    if not cost > 0:
        return Grade.RIGHT
    return next((grade for grade, least in LEAST_COST.items() if cost >= least), Grade.SLIP)


def grades_of(costs: Iterable[float]) -> dict[str, int]:
    """Count wrong answers by their grades, the worst first; grades that do not occur are left out.

    >>> grades_of([0.0002, 0, 0.45, 0.0003])
    {'blunder': 1, 'slip': 2}
    """
    found = Counter(map(grade_of, costs))
    return {grade.value: found[grade] for grade in WRONG if found[grade]}


def write_grades(grades: Mapping[str, int]) -> str:
    """Write numbers of wrong answers by their grades, the worst first; empty if there is none."""
    counts = [(grades.get(grade, 0), grade) for grade in WRONG]
    return ", ".join(count_of(count, grade) for count, grade in counts if count)


def count_grades(costs: Iterable[float]) -> str:
    """Count wrong answers by their grades, as text.

    >>> count_grades([0.45, 0, 0.0002, 0.0003])
    '1 blunder, 2 slips'
    """
    return write_grades(grades_of(costs))
