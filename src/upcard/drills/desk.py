"""`DrillDesk`: a drill from its first question to its report, for any front-end.

A front-end shows what the desk says is asked, hands over answers, and goes on.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from upcard.drills.counting import CountingKind
from upcard.drills.drill import DrillError
from upcard.drills.feedback_text import write_end, write_seconds

if TYPE_CHECKING:
    from upcard.drills.drill import Feedback, Prompt
    from upcard.drills.run import DrillRun, DrillSetup


class DrillStep(StrEnum):
    """Steps of a drill: each waits for something else."""

    PREPARING = "preparing"
    """There is no desk yet."""
    SHOWING = "showing"
    """The next group of cards is to be shown."""
    ASKING = "asking"
    JUDGING = "judging"
    """An answer is being judged in a thread."""
    JUDGED = "judged"
    """The verdict is to be read before the next question."""
    OVER = "over"


class Answered(NamedTuple):
    """A question and what its answer was worth."""

    prompt: Prompt
    feedback: Feedback
    after: str
    """The words after the reason: the end of a hand, or the time taken."""


class DrillDesk:
    """A drill that is asked; `goes_on_at_once` after right answers, or stops at every verdict.

    Calls may come from several threads, one at a time. Raises: as `DrillSetup.start` does.
    """

    def __init__(self, name: str, setup: DrillSetup, *, goes_on_at_once: bool = True) -> None:
        """Prepare the drill, which may solve a game, and ask the first question."""
        self.setup = setup
        self.run: DrillRun = setup.start(name)
        self.run.rehearse()
        self.goes_on_at_once = goes_on_at_once
        self.step = DrillStep.ASKING
        self.answered: list[Answered] = []
        self.verdict: Answered | None = None
        """The last answer, until it was read: after going on there is none."""
        self.ending = ""
        """Why no further question is asked; empty while there is one."""
        self.place: int | None = None
        """The group of cards that is shown: -1 before the first, None when all were."""
        self._shown_at = 0.0
        self.ask()

    @property
    def prompt(self) -> Prompt:
        """The question that is asked, or whose verdict is shown."""
        return self.run.prompt or self.answered[-1].prompt

    @property
    def is_countdown(self) -> bool:
        """Whether best times are saved."""
        return self.run.drill.name == CountingKind.COUNTDOWN

    def ask(self) -> None:
        """Ask the next question."""
        prompt = self.run.ask()
        self.place = -1 if prompt.groups else None
        self.step = DrillStep.SHOWING if prompt.groups else DrillStep.ASKING

    def turn(self) -> None:
        """Show the next group of cards, or ask for the number after the last.

        Raises: DrillError if no cards are being shown.
        """
        if self.place is None:
            raise DrillError("no cards are being shown")
        if self.place == -1:
            self._shown_at = self.setup.clock()
        self.place = self.place + 1 if self.place + 1 < len(self.prompt.groups) else None
        if self.place is None:
            self.step = DrillStep.ASKING

    def answer(self, text: str) -> Answered:
        """Judge an answer and save it; go on at once if that is wished.

        Raises: DrillError for an invalid answer, then nothing has changed; as the store does.
        """
        run, prompt = self.run, self.run.prompt
        if prompt is None or self.step is not DrillStep.ASKING:
            raise DrillError(f"{text!r} answers nothing: no question is open")
        seconds = self.setup.clock() - self._shown_at if prompt.groups else None
        best = run.best_seconds(prompt.item)
        feedback = run.answer(text, seconds=seconds if self.is_countdown else None)
        after = ""
        if seconds is not None:
            after = self._write_time(seconds, best, is_right=feedback.is_right)
        elif run.hand is not None:
            after = "The hand goes on." if run.is_hand_open else write_end(run.hand)
        self.verdict = Answered(prompt, feedback, after)
        self.answered.append(self.verdict)
        self.ending = self.setup.why_over(run)
        self.step = DrillStep.JUDGED
        if self.goes_on_at_once and self.may_go_on:
            self.ask()
        return self.verdict

    @property
    def may_go_on(self) -> bool:
        """Whether the verdict may be passed over: it is right, and nothing ends with it."""
        # The end of a hand is looked at.
        is_end = bool(self.ending) or (self.run.hand is not None and not self.run.is_hand_open)
        return self.verdict is not None and self.verdict.feedback.is_right and not is_end

    def go_on(self) -> None:
        """Ask the next question after a verdict, or end. Raises: DrillError without a verdict."""
        if self.step is not DrillStep.JUDGED:
            raise DrillError("no verdict is shown: answer the question first")
        self.verdict = None
        if self.ending:
            self.end()
        else:
            self.ask()

    def end(self) -> None:
        """End the drill; all answers are saved already."""
        self.step = DrillStep.OVER

    def _write_time(self, seconds: float, best: float | None, *, is_right: bool) -> str:
        took = f"It took {write_seconds(seconds)}"
        if not self.is_countdown:
            return f"{took}."
        if is_right and (best is None or seconds < best):
            return f"{took}: your best."
        return f"{took}." if best is None else f"{took}; your best is {write_seconds(best)}."
