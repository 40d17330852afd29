"""How a drill goes, as its page shows it: the tally, and what is asked next."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from upcard.analysis.grades import write_grades
from upcard.drills.feedback import write_expected, write_share, write_tally

if TYPE_CHECKING:
    from upcard.drills.desk import DrillDesk

_MOST_EXPECTED: Final = 6
_MOST_MARKS: Final = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class TallyView:
    """How it goes so far."""

    rows: tuple[tuple[str, str], ...]
    """The tally to show: label and text."""
    asked: int
    """Number of answers."""
    right: int
    """Number of right answers."""
    streak: int
    """Right answers in a row, up to now."""
    best_streak: int
    """The most right answers in a row."""
    questions: int
    """Number of finished questions; one of a whole hand has several answers."""
    of: int | None
    """After how many questions it ends; None for never."""
    grades: dict[str, int]
    """Number of the answers of each grade: `right`, `slip`, `mistake`, `blunder`."""
    marks: tuple[str, ...]
    """The grades of the last answers."""

    @property
    def words(self) -> str:
        """The right answers, and the wrong ones by their grades."""
        return ", ".join(filter(None, (f"{self.right} right", write_grades(self.grades))))


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpectedView:
    """An item that comes next most often, and why: `bar` in percent of the likeliest."""

    item: str
    """The question in words."""
    share: str
    """Its share of the next questions, as text, or `soon again`."""
    why: str
    """How often the hand occurs, the error rate and the cost, multiplied."""
    bar: float
    """Its share in percent of the likeliest."""
    is_due: bool
    """Whether it comes again soon because it was answered wrong."""


def look_at_tally(desk: DrillDesk) -> TallyView:
    """Return how many answers were right, and the last ones one by one."""
    run, tally = desk.run, desk.run.tally
    return TallyView(
        rows=tuple(write_tally(run, desk.setup)),
        asked=tally.asked,
        right=tally.right,
        streak=tally.streak,
        best_streak=tally.best_streak,
        questions=run.questions,
        of=desk.setup.questions,
        grades=tally.grades,
        marks=tuple(one.feedback.grade.value for one in desk.answered[-_MOST_MARKS:]),
    )


def look_at_expected(desk: DrillDesk) -> tuple[ExpectedView, ...]:
    """Return what is asked most often next, the likeliest first."""
    found = desk.run.expect(_MOST_EXPECTED)
    most = max((one.share for one in found), default=0.0) or 1.0
    return tuple(
        ExpectedView(
            item=one.name,
            share=write_share(one),
            why=write_expected(one),
            bar=100 * one.share / most,
            is_due=one.is_due,
        )
        for one in found
    )
