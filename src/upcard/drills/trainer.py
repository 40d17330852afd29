"""`DrillTrainer`: asks a drill, from its first question to its report, as front-ends show it.

A front-end shows the trainer's question, passes answers on, and continues.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Final, NamedTuple

from upcard.drills import catalogue
from upcard.drills.drill import LATE, DrillError, Feedback, Prompt
from upcard.drills.drill_run import DrillEnding, DrillRun, DrillSetup

if TYPE_CHECKING:
    from upcard.drills.strategy_drills import PlayedHand

_TEN: Final = 10
_HELD: Final = 8
"""Right answers of ten after which a rising clock gives less time."""
_LOST: Final = 5
"""Right answers of ten up to which it gives more."""


class DrillStep(StrEnum):
    """Steps of a drill: each waits for something else."""

    PREPARING = "preparing"
    """There is no trainer yet."""
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
    seconds: float | None
    """The time taken for cards that were shown; None if it was not measured."""
    best_seconds: float | None
    """The best time before; None if there is none, or none is saved."""
    is_best: bool
    """Whether the time is the best so far."""
    hand: PlayedHand | None
    """The whole hand that the question is of; None in other drills."""
    is_hand_over: bool
    """Whether the hand is over with this answer."""


class DrillTrainer:
    """Asks a drill; `goes_on_at_once` after right answers, or stops at every verdict.

    Calls may come from several threads, one at a time.
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
        """The last answer, until it was read: after continuing there is none."""
        self.ending: DrillEnding | None = None
        """Why no further question is asked; None while there is one."""
        self.place: int | None = None
        """The group of cards that is shown: -1 before the first, None when all were."""
        self._shown_at: float | None = None
        self._faced_at: float | None = None
        self._level = 0
        """Place of the present time in `CLOCKS`, if the clock rises."""
        self._in_time: list[bool] = []
        """Whether the answers at this time were right, if the clock rises."""
        self.ask()

    @property
    def prompt(self) -> Prompt:
        """The question that is asked, or whose verdict is shown."""
        return self.run.prompt or self.answered[-1].prompt

    def ask(self) -> None:
        """Ask the next question."""
        prompt = self.run.ask()
        self.place = -1 if prompt.groups else None
        self._shown_at = self._faced_at = None
        self.step = DrillStep.SHOWING if prompt.groups else DrillStep.ASKING

    def turn(self) -> None:
        """Show the next group of cards, or ask for the number after the last."""
        if self.place is None:
            raise DrillError("no cards are being shown")
        if self.place == -1:
            self._shown_at = self.setup.clock()
        self.place = self.place + 1 if self.place + 1 < len(self.prompt.groups) else None
        if self.place is None:
            self.step = DrillStep.ASKING

    def show_all(self) -> None:
        """Show all groups of cards at once, without a clock."""
        self.place = None
        self.step = DrillStep.ASKING

    @property
    def limit(self) -> int | None:
        """Seconds for an answer; None without a clock."""
        clock = self.setup.options.clock
        if clock == catalogue.RISING:
            return catalogue.CLOCKS[self._level]
        return None if clock is None else int(clock)

    def start_clock(self) -> None:
        """Start the clock of a question, once it is shown; showing it again changes nothing."""
        if self.step is DrillStep.ASKING and self._faced_at is None:
            self._faced_at = self.setup.clock()

    @property
    def seconds_left(self) -> float | None:
        """Seconds left for the answer, 0 if it is late; None if no clock runs."""
        limit = self.limit
        if limit is None or self._faced_at is None or self.step is not DrillStep.ASKING:
            return None
        return max(self._faced_at + limit - self.setup.clock(), 0.0)

    def _raise_clock(self, *, is_right: bool) -> None:
        """Shorten the time after eight right answers of ten, lengthen it after five or fewer."""
        if self.setup.options.clock != catalogue.RISING:
            return
        self._in_time.append(is_right)
        if len(self._in_time) == _TEN:
            right = sum(self._in_time)
            step = (right >= _HELD) - (right <= _LOST)
            self._level = min(max(self._level + step, 0), len(catalogue.CLOCKS) - 1)
            self._in_time.clear()

    def answer(self, text: str) -> Answered:
        """Judge an answer and save it; continue at once if that is wished."""
        run, prompt = self.run, self.run.prompt
        if prompt is None or self.step is not DrillStep.ASKING:
            raise DrillError(f"{text!r} answers nothing: no question is open")
        seconds = None if self._shown_at is None else self.setup.clock() - self._shown_at
        is_timed = run.drill.is_timed
        best = run.progress.record(prompt.item).best_seconds if is_timed else None
        feedback = run.answer(
            text, seconds=seconds if is_timed else None, is_late=self.seconds_left == 0
        )
        self._raise_clock(is_right=feedback.is_right)
        is_new = is_timed and seconds is not None and feedback.is_right
        self.verdict = Answered(
            prompt=prompt,
            feedback=feedback,
            seconds=seconds,
            best_seconds=best,
            is_best=is_new and (best is None or (seconds or 0.0) < best),
            hand=run.hand if run.hand is not None and not run.hand.is_session else None,
            is_hand_over=run.hand is not None and not run.is_hand_open,
        )
        self.answered.append(self.verdict)
        self.ending = self.setup.find_ending(run)
        self.step = DrillStep.JUDGED
        answered = self.verdict
        if run.is_session and self.ending is None:  # a casino does not judge
            self.verdict = None
            self.ask()
        elif self.goes_on_at_once and self.may_go_on:
            self.ask()
        return answered

    @property
    def is_silent(self) -> bool:
        """Whether it is not shown yet what was right: in a session before its end."""
        return self.run.is_session and self.step is not DrillStep.OVER

    def rings(self, answered: Answered) -> bool:
        """Return whether a bell rings: with sound, where an answer is late or is judged wrong."""
        feedback = answered.feedback
        is_heard = feedback.neither == LATE or not (self.is_silent or feedback.is_right)
        return self.setup.options.sound and is_heard

    @property
    def may_go_on(self) -> bool:
        """Whether the verdict may be passed over: it is right, and nothing ends with it."""
        # The end of a hand is looked at.
        last = self.verdict
        is_end = self.ending is not None or (last is not None and last.is_hand_over)
        return last is not None and last.feedback.is_right and not is_end

    def go_on(self) -> None:
        """Ask the next question after a verdict, or end."""
        if self.step is not DrillStep.JUDGED:
            raise DrillError("no verdict is shown: answer the question first")
        self.verdict = None
        if self.ending:
            self.end()
        else:
            self.ask()

    def end(self) -> None:
        """End the drill; all answers are saved already."""
        self.run.end()
        self.step = DrillStep.OVER
