"""The coach at a table: `TableCoach` values questions, `CoachQueue` asks and judges meanwhile."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import Future, wait
from dataclasses import dataclass
from enum import StrEnum
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any, Final, TypeAlias, TypeVar

from upcard.core import long_work
from upcard.core.actions import Action
from upcard.core.cards import Card
from upcard.core.errors import BlackjackError, IllegalActionError, NoExactValueError
from upcard.players.seen_cards import CardsSeen, Knowledge, SeenCards
from upcard.rules.model import Rules
from upcard.table import events, state

if TYPE_CHECKING:
    from upcard.answers.asked.sidebet import SideBetAnswer
    from upcard.answers.hand import HandAnswer, Verdict
    from upcard.coach.adviser import Coach
    from upcard.coach.judgement import Advice, Judgement
    from upcard.session.game_session import GameSession
    from upcard.store.kept_table import KeptTable


class CoachVoice(StrEnum):
    """The moment the coach speaks; every decision is judged in any case, for `upcard stats`."""

    SILENT = "silent"
    AFTER = "after"
    """After the hand: what each decision cost."""
    BEFORE = "before"
    """Before acting: what each answer is worth."""

    def next(self) -> CoachVoice:
        """Return the one after this, as a key goes round."""
        order = list(CoachVoice)
        return order[(order.index(self) + 1) % len(order)]

    @property
    def sentence(self) -> str:
        """When the coach speaks, as a sentence."""
        return {
            CoachVoice.SILENT: "The coach is silent, and still counts your mistakes.",
            CoachVoice.AFTER: "The coach speaks after the hand.",
            CoachVoice.BEFORE: "The coach speaks before you act.",
        }[self]


COACH_SETTING: Final = "coach"
"""Name of the setting that says when the coach speaks and what they go by."""


def read_coach(saved: Mapping[str, object] | None) -> tuple[CoachVoice, Knowledge]:
    """Read the setting; an invalid value means the default."""
    found = saved or {}
    voice = next((one for one in CoachVoice if one == found.get("voice")), CoachVoice.AFTER)
    return voice, next((one for one in Knowledge if one == found.get("knows")), Knowledge.FRESH)


def write_coach(voice: CoachVoice, knows: Knowledge) -> dict[str, object]:
    """Return the setting; `read_coach` reads it back."""
    return {"voice": voice.value, "knows": knows.value}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class AdviceRequest:
    """One question of the table as it was put to the person: all that an advice needs.

    No two are equal: the same hand may be asked about again.
    """

    view: state.TableView
    legal: tuple[Action, ...]
    seen: CardsSeen
    step: int
    """How many answers of the round, of all players, came before it."""
    round_number: int = 0
    """The number of the round in its session."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SideBetAdvice:
    """Advice of the coach about a side bet before it is placed."""

    code: str
    """Short name of the bet."""
    title: str
    answer: SideBetAnswer
    """Its price with the cards that the coach knows."""
    sentences: tuple[str, ...]
    """The price in words, and when a count of the bet pays."""


def price_side_bets(session: GameSession) -> tuple[SideBetAdvice, ...]:
    """Price the side bets of a table, at this shoe if the coach goes by the cards seen."""
    from upcard.answers.asked import sidebet as side_bet

    rules, coach, shoe = session.rules, session.coach, None
    if coach is not None and coach.knows is Knowledge.SEEN and not rules.is_infinite:
        seen = " ".join(coach.seen.by_card.elements())
        shoe = f"{rules.full_shoe} less {seen}" if seen else None
    found = []
    for bet in rules.side_bets:
        try:
            answer = side_bet.price(bet, rules, shoe)
        except BlackjackError:  # a bet whose cards depend on the play has no exact price
            continue
        words = (*answer.sentences, *side_bet.tell_when_it_pays(bet, rules))
        found.append(SideBetAdvice(code=bet.code, title=bet.title, answer=answer, sentences=words))
    return tuple(found)


class TableCoach:
    """The coach as a session asks it; only `advise` may run in another thread than the table.

    The solver is loaded by the first advice. Without an exact method for the rules there is no
    coach; `why_none` says so from then on.
    """

    def __init__(self, rules: Rules, *, knows: Knowledge | str = Knowledge.FRESH) -> None:
        """Sit down at a freshly shuffled shoe; let it `hear` the events of the table."""
        self.rules = rules
        self.seen = SeenCards(rules)
        self.why_none = ""
        self.knows = Knowledge(knows)
        """Cards that the coach takes as known from now on."""
        self._coach: Coach | None = None
        """The coach who was asked last."""

    def hear(self, event: events.Event) -> None:
        """Take in what happened at the table."""
        self.seen.hear(event)

    def finish_round(self, dealer: Iterable[Card]) -> None:
        """See all the dealer's cards of a round that is over, where the table shows them."""
        self.seen.finish_round(dealer)

    def ask(
        self, view: state.TableView, legal: tuple[Action, ...], *, step: int, round_number: int = 0
    ) -> AdviceRequest:
        """Write down a question and what is known of the shoe at this moment."""
        return AdviceRequest(
            view=view, legal=legal, seen=self.seen.look(), step=step, round_number=round_number
        )

    def advise(self, asked: AdviceRequest) -> Advice:
        """Return what each answer is worth."""
        from upcard.coach.adviser import Coach

        if self.why_none:
            raise NoExactValueError(self.why_none)
        coach = self._coach
        if coach is None or coach.cards is not self.knows:
            try:
                coach = self._coach = Coach(self.rules, cards=self.knows)
            except BlackjackError as error:
                self.why_none = str(error)
                raise NoExactValueError(self.why_none) from None
        try:
            return coach.advise(asked.view, asked.legal, asked.seen)
        except IllegalActionError as error:  # a hidden upcard
            raise NoExactValueError(str(error)) from None


def keep_judgement(
    table: KeptTable, asked: AdviceRequest, advice: Advice, judgement: Judgement
) -> None:
    """Save the judgement of an answer at a saved table."""
    from upcard.store import learning, records

    kept = records.JudgementRecord(
        step=asked.step,
        situation=judgement.key,
        category=leak_class(judgement),
        chosen=judgement.chosen,
        best=judgement.best,
        cost_ev=judgement.cost,
        cost_chips=judgement.chips,
        method="; ".join(advice.assumptions),
    )
    learning.record_judgement(table.store, table.session, asked.round_number, kept)


def leak_class(judgement: Judgement) -> str:
    """Return the class of decisions that a mistake is counted in: `soft doubles`, `insurance`."""
    from upcard.players.question import HandClass

    if judgement.hand_class in (HandClass.INSURANCE, HandClass.EVEN_MONEY, HandClass.SWITCH):
        return str(judgement.hand_class)
    kind = "" if judgement.best is Action.SURRENDER else f"{judgement.hand_class} "
    return f"{kind}{judgement.best}s"


Result = TypeVar("Result")


class Task(Future[Result]):
    """A job of a worker, which ends early if it is abandoned."""

    def __init__(self) -> None:
        super().__init__()
        self.stop: Final = threading.Event()

    def abandon(self) -> None:
        """Skip the work, or end it at its next `long_work.check` if it has begun."""
        self.stop.set()
        self.cancel()

    @property
    def is_abandoned(self) -> bool:
        """Whether the result is not wanted any more."""
        return self.stop.is_set()


_Job: TypeAlias = tuple[Task[Any], Callable[[], Any]]
_unfinished: Final[set[Future[Any]]] = set()
"""Jobs of all workers that are not done or cancelled."""


class Worker:
    """Do jobs one after another in one daemon thread, which the first job starts.

    The thread ends with the worker, after the jobs it has, or with the process: a solver that is
    compiling does not delay your leaving, as a `ThreadPoolExecutor` would. A process that ends then
    must use `os._exit` (see `is_at_work`).
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._jobs: SimpleQueue[_Job | None] = SimpleQueue()
        self._thread: threading.Thread | None = None

    def submit(self, work: Callable[[], Result]) -> Task[Result]:
        """Do `work` after the jobs before it; cancel it to skip what has not begun."""
        future: Task[Result] = Task()
        _unfinished.add(future)
        future.add_done_callback(_unfinished.discard)
        self._jobs.put((future, work))
        if self._thread is None:
            # The thread knows the jobs only: a reference to the worker would keep both for ever.
            self._thread = threading.Thread(
                target=_run, args=(self._jobs,), name=self._name, daemon=True
            )
            weakref.finalize(self, self._jobs.put, None).atexit = False
            self._thread.start()
        return future


def is_at_work() -> bool:
    """Whether any worker has a job to do.

    Ending the interpreter takes the compiler down, which aborts the process if a thread uses it.
    """
    return bool(_unfinished)


def _run(jobs: SimpleQueue[_Job | None]) -> None:
    while (job := jobs.get()) is not None:
        _carry_out(*job)
        del job  # it may hold the worker


def _carry_out(future: Task[Result], work: Callable[[], Result]) -> None:
    if not future.set_running_or_notify_cancel():
        return
    try:
        with long_work.until(future.stop):
            result = work()
    except BaseException as error:  # noqa: BLE001 (raised where the result is asked for)
        future.set_exception(error)
    else:
        future.set_result(result)


_NO_COACH: Final = "there is no coach at this table"
_LONGEST_WAIT: Final = 10.0
"""Seconds that a game which ends waits for the coach to judge the last answers."""


@dataclass(slots=True, kw_only=True, eq=False)
class _Question:
    """A question of the table, its advice in the making, and the answer to it."""

    asked: AdviceRequest
    future: Future[Advice] | None = None
    is_heard: bool = False
    """Whether `collect` has found the future done."""
    answer: Action | None = None
    verdict: Verdict | None = None
    told: HandAnswer | None = None
    """The advice with its reason, once it was asked for."""

    @property
    def error(self) -> BaseException | None:
        """Why there is no advice; None if there is, or not yet."""
        return self.future.exception() if self.is_heard and self.future else None

    @property
    def advice(self) -> Advice | None:
        if self.future is None or not self.is_heard or self.error is not None:
            return None
        return self.future.result()

    @property
    def cost(self) -> float:
        """Cost of the answer; 0 until it is judged."""
        return (self.verdict.cost or 0.0) if self.verdict is not None else 0.0


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
    def told(self) -> HandAnswer | None:
        """The values of the answers to the open question and their reason; None until known."""
        question, advice = self._now, self.advice
        if question is None or advice is None:
            return None
        if question.told is None:
            from upcard.answers.hand import explain_advice

            question.told = explain_advice(advice)
        return question.told

    @property
    def why_no_value(self) -> str:
        """Why the open question has no value; empty if it has one, or not yet."""
        error = None if self._now is None else self._now.error
        return "" if error is None else str(error)

    @property
    def verdicts(self) -> list[Verdict]:
        """The verdicts on the answers of this round whose value is known."""
        found = [one.verdict for one in self._questions if one.verdict is not None]
        return [verdict for verdict in found if verdict.is_known]

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
        dropped = self._questions.pop()
        self._due = [one for one in self._due if one[0] is not dropped]
        if dropped.future is not None:
            dropped.future.cancel()

    def _submit(self, question: _Question) -> Future[Advice]:
        if question.future is None:
            coach, asked, heard = self._session.coach, question.asked, self.heard
            question.future = self._worker.submit(lambda: _advise(coach, asked))
            if heard is not None:
                question.future.add_done_callback(lambda _: heard())
        return question.future

    def _judge(self, question: _Question, action: Action) -> Verdict:
        from upcard.answers.hand import answer_verdict, no_verdict
        from upcard.coach.reasons import explain

        future, cards = self._submit(question), question.asked.view.hand.cards
        error = future.exception()
        verdict = no_verdict(cards, action, str(error))
        if error is None:
            advice = future.result()
            try:
                judgement = self._session.judge(question.asked, advice, action)
                reason = explain(advice, action).sentence
                has_bets = self._session.rules.betting
                verdict = answer_verdict(judgement, reason, has_bets=has_bets)
            except NoExactValueError as refusal:
                verdict = no_verdict(cards, action, str(refusal))
        question.verdict = verdict
        return verdict


def _advise(coach: TableCoach | None, asked: AdviceRequest) -> Advice:
    if coach is None:
        raise NoExactValueError(_NO_COACH)
    return coach.advise(asked)
