"""The coach behind the screen: asked in a thread, and heard when the answer is in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from upcard.core.errors import NoExactValueError
from upcard.tui.coach_words import Judged

if TYPE_CHECKING:
    from collections.abc import Callable

    from upcard.coach.advice import Advice
    from upcard.core.actions import Action
    from upcard.session.coaching import AdviceRequest
    from upcard.session.game_session import GameSession
    from upcard.tui.background import Background


@dataclass(slots=True, kw_only=True)
class _Question:
    """A question of the table, its advice once it is in, and the person's answer."""

    asked: AdviceRequest
    advice: Advice | None = None
    answer: Action | None = None
    judged: Judged | None = None
    why_none: str = ""


class Coaching:
    """Follows one session. `changed` is called whenever there is something new to show."""

    def __init__(
        self, session: GameSession, background: Background, changed: Callable[[], None]
    ) -> None:
        """Ask the coach of `session` in `background`."""
        self._session = session
        self._background = background
        self._changed = changed
        self._questions: list[_Question] = []
        self._due: list[_Question] = []
        self._thinking = 0

    @property
    def _now(self) -> _Question | None:
        """The question at hand."""
        last = self._questions[-1] if self._questions else None
        return None if last is None or last.answer is not None else last

    @property
    def advice(self) -> Advice | None:
        """What the answers to the question at hand are worth; None until it is known."""
        return None if self._now is None else self._now.advice

    @property
    def to_explain(self) -> tuple[Advice, Action | None] | None:
        """The advice that `W` explains, and the answer that was given; None before there is any.

        It is the question at hand, or the one before it; after the hand the dearest mistake.
        """
        known = [one for one in self._questions if one.advice is not None]
        if not known:
            return None
        chosen = known[-1]
        wrong = [one for one in known if one.judged and not one.judged.judgement.is_right]
        if self._now is None and wrong:
            chosen = max(wrong, key=lambda one: one.judged.judgement.cost if one.judged else 0)
        return (chosen.advice, chosen.answer) if chosen.advice is not None else None

    @property
    def why_none(self) -> str:
        """Why there is no value of the question at hand; empty if there is one, or not yet."""
        return "" if self._now is None else self._now.why_none

    @property
    def said(self) -> list[Judged]:
        """What was said of the decisions of this round."""
        return [one.judged for one in self._questions if one.judged is not None]

    @property
    def mistakes(self) -> list[Judged]:
        """What was said of the decisions of this round that were mistakes."""
        return [judged for judged in self.said if not judged.judgement.is_right]

    @property
    def is_thinking(self) -> bool:
        """Whether something asked of the coach is not answered yet, or not judged."""
        return self._thinking > 0 or bool(self._due)

    def start_round(self) -> None:
        """Forget the last round; what is still to be judged of it, is."""
        self._questions = []

    def ask(self) -> None:
        """Ask about the question that the table asks now, if it asks one."""
        asked, desk = self._session.ask(), self._session.desk
        if asked is None or desk is None:
            return
        question = _Question(asked=asked)
        self._questions.append(question)
        self._thinking += 1
        self._background.submit(
            lambda: desk.advise(asked),
            lambda advice: self._learn(question, advice),
            lambda error: self._miss(question, error),
        )

    def note(self, action: Action) -> None:
        """Note the answer that is given to the question at hand."""
        question = self._now
        if question is not None:
            question.answer = action
            self._due.append(question)

    def judge_due(self) -> bool:
        """Judge the answers whose advice is in, and keep what they cost; whether there were any."""
        due, self._due = self._due, []
        for question in due:
            if question.advice is None:
                if not question.why_none:
                    self._due.append(question)
            else:
                self._judge(question, question.advice)
        return len(self._due) < len(due)

    def ask_again(self) -> None:
        """Ask once more about the question at hand, as the coach now goes by other cards."""
        if self._now is not None:
            self._questions.pop()
            self.ask()

    def undo(self) -> None:
        """Forget the question at hand and the answer before it, and ask once more."""
        if self._now is not None:
            self._questions.pop()
        if self._questions:
            undone = self._questions.pop()
            self._due = [one for one in self._due if one is not undone]
        self.ask()

    def _learn(self, question: _Question, advice: Advice) -> None:
        self._thinking -= 1
        question.advice = advice
        self.judge_due()
        self._changed()

    def _miss(self, question: _Question, error: Exception) -> None:
        self._thinking -= 1
        question.why_none = str(error)
        self.judge_due()
        self._changed()

    def _judge(self, question: _Question, advice: Advice) -> None:
        from upcard.coach.explanation import explain

        answer = question.answer
        if answer is None:
            return
        try:
            judgement = self._session.judge(question.asked, advice, answer)
        except NoExactValueError:
            return
        sentence = explain(advice, answer).sentence
        question.judged = Judged(advice.question, judgement, sentence)
