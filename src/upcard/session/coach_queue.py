"""The coach beside a game: each question is valued in the background, each answer judged."""

from __future__ import annotations

from concurrent.futures import Future, wait
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

from upcard.coach.judgement import Advice, Judgement, write_verdict
from upcard.core.errors import NoExactValueError
from upcard.session.worker import Worker

if TYPE_CHECKING:
    from collections.abc import Callable

    from upcard.core.actions import Action
    from upcard.session.coaching import AdviceRequest, CoachDesk
    from upcard.session.game_session import GameSession

_NO_COACH: Final = "there is no coach at this table"
_LONGEST_WAIT: Final = 10.0
"""Seconds that a game which ends waits for the coach to judge the last answers."""


class Verdict(NamedTuple):
    """The coach's verdict on one answer."""

    situation: str
    action: Action
    judgement: Judgement | None
    """None if no value is known; then `sentence` says why."""
    sentence: str
    """Why the best answer is best, or why nothing is known."""
    has_bets: bool = True

    @property
    def is_mistake(self) -> bool:
        """Whether another answer is better."""
        return self.judgement is not None and not self.judgement.is_right

    @property
    def text(self) -> str:
        """The verdict as a sentence; empty if no value is known."""
        if self.judgement is None:
            return ""
        return write_verdict(self.judgement, has_bets=self.has_bets)


@dataclass(slots=True, kw_only=True, eq=False)
class _Question:
    """A question of the table, its advice in the making, and the answer to it."""

    asked: AdviceRequest
    future: Future[Advice] | None = None
    is_heard: bool = False
    """Whether `collect` has found the future done."""
    answer: Action | None = None
    verdict: Verdict | None = None

    @property
    def error(self) -> BaseException | None:
        """Why there is no advice; None if there is, or not yet."""
        return self.future.exception() if self.is_heard and self.future else None

    @property
    def advice(self) -> Advice | None:
        """The advice; None if there is none, or not yet."""
        if self.future is None or not self.is_heard or self.error is not None:
            return None
        return self.future.result()

    @property
    def cost(self) -> float:
        """Cost of the answer; 0 until it is judged."""
        judgement = None if self.verdict is None else self.verdict.judgement
        return 0.0 if judgement is None else judgement.cost


class CoachQueue:
    """Asks the coach of a session in the background, and judges and saves the answers.

    All methods belong to the thread of the game. `heard` is called when an advice is in, in the
    worker's thread: let it have `collect` called in the game's own. A game that waits for input
    anyway needs no `heard`, and calls `collect` between its questions.
    """

    def __init__(
        self,
        session: GameSession,
        *,
        worker: Worker | None = None,
        heard: Callable[[], object] | None = None,
        is_eager: bool = True,
    ) -> None:
        """Follow `session`; unless `is_eager`, only `advise` asks, and nothing is judged."""
        self._session = session
        self._worker = worker or Worker("coach")
        self.heard = heard
        self._is_eager = is_eager
        self._questions: list[_Question] = []
        self._due: list[tuple[_Question, Action]] = []
        """Answers that are not judged yet."""
        session.when_void.append(self._forget)

    @property
    def _now(self) -> _Question | None:
        """The question that waits for its answer."""
        last = self._questions[-1] if self._questions else None
        return None if last is None or last.answer is not None else last

    @property
    def advice(self) -> Advice | None:
        """The value of each answer to the open question; None until it is known."""
        return None if self._now is None else self._now.advice

    @property
    def why_no_value(self) -> str:
        """Why the open question has no value; empty if it has one, or not yet."""
        error = None if self._now is None else self._now.error
        return "" if error is None else str(error)

    @property
    def verdicts(self) -> list[Verdict]:
        """The verdicts on the answers of this round whose value is known."""
        found = [one.verdict for one in self._questions if one.verdict is not None]
        return [verdict for verdict in found if verdict.judgement is not None]

    @property
    def to_explain(self) -> tuple[Advice, Action | None] | None:
        """The advice to explain, and the answer that was given; None before there is any.

        It is the open question, or the one before it; after the hand the most expensive mistake.
        """
        known = [one for one in self._questions if one.advice is not None]
        if not known:
            return None
        chosen = known[-1]
        wrong = [one for one in known if one.cost > 0]
        if self._now is None and wrong:
            chosen = max(wrong, key=lambda one: one.cost)
        return None if chosen.advice is None else (chosen.advice, chosen.answer)

    @property
    def is_thinking(self) -> bool:
        """Whether an advice is not in yet, or an answer not judged."""
        waiting = any(one.future is not None and not one.is_heard for one in self._questions)
        return waiting or bool(self._due)

    def start_round(self) -> None:
        """Forget the last round; its answers are judged all the same."""
        self._questions = []

    def ask(self) -> None:
        """Ask about the question at the table, if there is one, in place of an open one."""
        if self._now is not None:
            self._drop_last()
        asked = self._session.ask()
        if asked is not None:
            question = _Question(asked=asked)
            self._questions.append(question)
            if self._is_eager:
                self._submit(question)

    def advise(self) -> Advice:
        """Wait for the value of each answer to the open question."""
        if self._now is None:
            raise NoExactValueError(_NO_COACH)
        return self._submit(self._now).result()

    def note(self, action: Action) -> None:
        """Note the answer to the open question."""
        question = self._now
        if question is not None:
            question.answer = action
            if self._is_eager:
                self._submit(question)
                self._due.append((question, action))

    def collect(self) -> list[Verdict]:
        """Judge and save the answers whose advice is in, and return the verdicts."""
        for question in self._questions:
            question.is_heard = question.future is not None and question.future.done()
        due = [one for one in self._due if self._submit(one[0]).done()]
        self._due = [one for one in self._due if one not in due]
        return [self._judge(*one) for one in due]

    def judge(self, *, seconds: float | None = None) -> list[Verdict]:
        """Wait for the coach, for at most `seconds`, then `collect`."""
        wait([self._submit(question) for question, _ in self._due], timeout=seconds)
        return self.collect()

    def finish(self) -> None:
        """Judge what is left, with a short wait; an answer that is not judged counts as such."""
        self.judge(seconds=_LONGEST_WAIT)

    def take_back(self) -> None:
        """Forget the open question and the answer before it."""
        if self._now is not None:
            self._drop_last()
        if self._questions:
            self._drop_last()

    def _forget(self) -> None:
        """Forget the round, which is void."""
        while self._questions:
            self._drop_last()

    def _drop_last(self) -> None:
        """Forget a question, and cancel the work on it."""
        dropped = self._questions.pop()
        self._due = [one for one in self._due if one[0] is not dropped]
        if dropped.future is not None:
            dropped.future.cancel()

    def _submit(self, question: _Question) -> Future[Advice]:
        if question.future is None:
            desk, asked, heard = self._session.desk, question.asked, self.heard
            question.future = self._worker.submit(lambda: _advise(desk, asked))
            if heard is not None:
                question.future.add_done_callback(lambda _: heard())
        return question.future

    def _judge(self, question: _Question, action: Action) -> Verdict:
        from upcard.coach.reasons import explain

        future = self._submit(question)
        judgement, has_bets = None, self._session.rules.betting
        situation = " ".join(map(str, question.asked.view.hand.cards))
        reason = str(future.exception())
        if future.exception() is None:
            advice = future.result()
            try:
                judgement = self._session.judge(question.asked, advice, action)
                situation, reason = judgement.key, explain(advice, action).sentence
            except NoExactValueError as error:
                reason = str(error)
        question.verdict = Verdict(situation, action, judgement, reason, has_bets)
        return question.verdict


def _advise(desk: CoachDesk | None, asked: AdviceRequest) -> Advice:
    if desk is None:
        raise NoExactValueError(_NO_COACH)
    return desk.advise(asked)
