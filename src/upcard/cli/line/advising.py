"""The coach beside the line game: asked in a thread at each question, so that nobody waits."""

from __future__ import annotations

import time
from concurrent.futures import Future
from typing import TYPE_CHECKING, Final, NamedTuple

from upcard.cli.line.messages import Verdict
from upcard.core.errors import BlackjackError, NoExactValueError
from upcard.session.worker import Worker
from upcard.store.errors import StoreError

if TYPE_CHECKING:
    from upcard.coach.advice import Advice
    from upcard.core.actions import Action
    from upcard.session.coaching import AdviceRequest, CoachDesk
    from upcard.session.game_session import GameSession

_LONGEST_WAIT: Final = 10.0
"""Seconds that a game which ends waits for the coach to judge its last answers."""


class _Answered(NamedTuple):
    """An answer of the person's that is still to be judged."""

    asked: AdviceRequest
    advice: Future[Advice]
    action: Action


class Adviser:
    """Asks the coach of a session, and judges the answers once it has spoken."""

    def __init__(self, session: GameSession, *, is_eager: bool) -> None:
        """Follow `session`; unless `is_eager`, the coach is asked only when somebody asks why."""
        self._session = session
        self._is_eager = is_eager
        self._worker = Worker("coach")
        self._asked: AdviceRequest | None = None
        self._thought: Future[Advice] | None = None
        self._answered: list[_Answered] = []

    def ask(self) -> None:
        """Take note of the question that the table asks now."""
        self._asked = self._session.ask()
        self._thought = None
        if self._is_eager and self._asked is not None:
            self._think(self._asked)

    def advise(self) -> Advice:
        """Return what each answer to the question at hand is worth.

        Raises: NoExactValueError and other BlackjackErrors if no value is known.
        """
        if self._asked is None:
            msg = "there is no coach at this table"
            raise NoExactValueError(msg)
        return (self._thought or self._think(self._asked)).result()

    def note(self, action: Action) -> None:
        """Take note of the answer that was given."""
        if self._is_eager and self._asked is not None and self._thought is not None:
            self._answered.append(_Answered(self._asked, self._thought, action))
        self._asked = self._thought = None

    def take_back(self) -> None:
        """Forget the last answer."""
        self._asked = self._thought = None
        if self._answered:
            self._answered.pop()

    def forget(self) -> None:
        """Forget the answers of a round that is void."""
        self._asked = self._thought = None
        self._answered.clear()

    def judge(self) -> list[Verdict]:
        """Judge the answers not judged yet, in their order, and wait for the coach where he thinks.

        Raises: StoreError.
        """
        found = [self._judge_one(answered) for answered in self._answered]
        self._answered.clear()
        return found

    def judge_what_is_known(self) -> None:
        """Judge the answers that the coach has finished thinking about.

        Raises: StoreError.
        """
        waiting = []
        for answered in self._answered:
            if answered.advice.done():
                self._judge_one(answered)
            else:
                waiting.append(answered)
        self._answered = waiting

    def finish(self) -> None:
        """Judge what is left, and wait a little for the coach.

        Raises: StoreError.
        """
        end = time.monotonic() + _LONGEST_WAIT
        for answered in self._answered:
            # A decision that is not judged is counted as such; nothing else is lost.
            left = max(end - time.monotonic(), 0)
            try:
                answered.advice.exception(timeout=left)
            except TimeoutError:
                break
        self.judge_what_is_known()

    def _judge_one(self, answered: _Answered) -> Verdict:
        from upcard.coach.explanation import explain

        asked, thought, action = answered
        try:
            advice = thought.result()
            judgement = self._session.judge(asked, advice, action)
        except StoreError:
            raise
        except BlackjackError as error:
            return Verdict(_name(asked), action, None, str(error))
        sentence = explain(advice, action).sentence
        has_bets = self._session.rules.betting
        return Verdict(judgement.key, action, judgement, sentence, has_bets)

    def _think(self, asked: AdviceRequest) -> Future[Advice]:
        thought: Future[Advice] = Future()
        self._thought = thought
        desk = self._session.desk
        if desk is not None:
            self._worker.submit(lambda: _advise(desk, asked, thought))
        return thought


def _advise(desk: CoachDesk, asked: AdviceRequest, thought: Future[Advice]) -> None:
    try:
        advice = desk.advise(asked)
    except Exception as error:  # noqa: BLE001 (told to whoever waits for it)
        thought.set_exception(error)
    else:
        thought.set_result(advice)


def _name(asked: AdviceRequest) -> str:
    return " ".join(map(str, asked.view.hand.cards))
