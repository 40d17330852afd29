"""`ProgressPanel`: how a drill goes, and what comes next most often, and why."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Static

from upcard.analysis.grades import Grade
from upcard.drills.desk import Answered, DrillDesk
from upcard.drills.drill import Feedback
from upcard.drills.drill_run import Expected
from upcard.drills.feedback import (
    RankedAnswer,
    rank_answers,
    write_expected,
    write_lost,
    write_share,
    write_tally,
    write_verdict,
)
from upcard.tui.themes import MUTED

if TYPE_CHECKING:
    from upcard.tui.app import UpcardApp

_MOST_ITEMS: Final = 12
_LEGEND_LINES: Final = 4


class ProgressPanel(Static):
    """Updated after every answer, and every second for the time."""

    _desk: DrillDesk | None = None
    app: UpcardApp

    def watch_desk(self, desk: DrillDesk) -> None:
        """Follow a drill from now on."""
        self._desk = desk
        self.show()
        self.set_interval(1.0, self.show)

    def on_resize(self) -> None:
        """Use the lines that there are."""
        self.show()

    def show(self) -> None:
        """Write how it goes now."""
        desk = self._desk
        if desk is None:
            return
        width = max(self.size.width, 20)
        lines = [_row(label, text, width) for label, text in write_tally(desk.run, desk.setup)]
        room = self.size.height - len(lines) - 2 - _LEGEND_LINES
        expected = desk.run.expect(min(room // 2, _MOST_ITEMS)) if room > 1 else []
        self.update(Content("\n").join([*lines, Content(""), *self._write(expected, width)]))

    def _write(self, expected: Sequence[Expected], width: int) -> list[Content]:
        if not expected:
            return []
        times = "x" if self.app.look.ascii_only else "×"
        lines = [Content.styled("Comes most often", "bold $primary")]
        for one in expected:
            lines.append(_row(one.name, write_share(one), width))
            why = f"  {write_expected(one, times=times)}"
            lines.append(Content.styled(why, MUTED))
        legend = f"frequency {times} your errors {times} what an error costs"
        return [*lines, Content(""), Content.styled(legend, MUTED)]


def _row(label: str, text: str, width: int) -> Content:
    """Return a line: a label on the left, a text on the right."""
    gap = max(width - len(label) - len(text), 1)
    return Content.assemble((label, MUTED), " " * gap, (text, "bold"))


_NARROW: Final = 45
TALL: Final = 30
"""Lines of a screen from which on every value has a line of its own."""


class VerdictPanel(Vertical):
    """Shows the feedback to the last answer until the next one."""

    def compose(self) -> ComposeResult:
        """Lay out the three parts."""
        yield Static(id="drill-verdict")
        yield Static(id="drill-reason")
        yield Static(id="drill-values")

    def clear(self) -> None:
        """Say nothing."""
        for part in self.query(Static):
            part.update("")
            part.display = False

    def tell(self, answered: Answered, about: str) -> None:
        """Say what an answer was worth; `about` is the question in a few words."""
        feedback = answered.feedback
        time = answered.after if answered.prompt.groups else ""
        verdict = self.query_one("#drill-verdict", Static)
        for grade in Grade:
            verdict.set_class(feedback.grade is grade, grade)
        head = f"{about}: " if about and not feedback.verdict else ""
        self._put("#drill-verdict", Content(head + _uncapital(write_verdict(feedback), head)))
        self._put("#drill-reason", Content(" ".join(filter(None, (feedback.reason, time)))))
        width = None if self.screen.size.height >= TALL else self.size.width or _NARROW
        self._put("#drill-values", write_values(feedback, width=width))

    def _put(self, place: str, content: Content) -> None:
        part = self.query_one(place, Static)
        part.update(content)
        part.display = bool(content.plain)


def write_values(feedback: Feedback, *, width: int | None) -> Content:
    """Write the EV of every answer, the best first: a line each, or all in lines of a width."""
    if not feedback.ev:
        return Content("")
    if width is not None:
        return _write_dense(feedback, width)
    rows = [Content.styled("EV per initial bet", MUTED)]
    for one in rank_answers(feedback):
        mine = "your answer" if one.is_given else ""
        row = f"{one.answer:<14}{one.ev:>+8.4f}   {write_lost(one.lost):<10}{mine}".rstrip()
        rows.append(Content.styled(row, _style(one)))
    return Content("\n").join(rows)


def _write_dense(feedback: Feedback, width: int) -> Content:
    lines = [Content.styled("EV", MUTED)]
    for one in rank_answers(feedback):
        part = Content.styled(f"{one.answer} {one.ev:+.4f}", _style(one))
        if lines[-1].cell_length + part.cell_length + 2 > width:
            lines.append(Content("    ") + part)
        else:
            lines[-1] += Content("  ") + part
    return Content("\n").join(lines)


def _style(one: RankedAnswer) -> str:
    if one.is_right:
        return "bold $success"
    return "bold $error" if one.is_given else ""


def _uncapital(text: str, head: str) -> str:
    return text[:1].lower() + text[1:] if head else text
