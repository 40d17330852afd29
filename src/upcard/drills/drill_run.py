"""`DrillRun`: one person at one drill, without any toolkit; `DrillMemory`: the saved answers."""

from __future__ import annotations

import math
import random
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from functools import lru_cache, partial
from operator import add
from typing import TYPE_CHECKING, Annotated, Any, Final

from upcard.core.errors import BlackjackError
from upcard.core.fields import Field, list_fields
from upcard.core.number_texts import read_number, read_whole
from upcard.core.numbers import read_seed
from upcard.drills import catalogue
from upcard.drills.drill import (
    LATE,
    NOT_OBSERVED,
    REPEAT_AFTER,
    Drill,
    DrillError,
    DrillProgress,
    Feedback,
    Observed,
    Prompt,
    Record,
    Scheduler,
)
from upcard.drills.session_plan import READY, Judged, read_judged
from upcard.players.question import place_in_chart
from upcard.rules.model import Rules
from upcard.store import bankroll, learning
from upcard.store.records import now, today, write_moment

if TYPE_CHECKING:
    from upcard.drills import ready, strategy_drills
    from upcard.store.database import Store

_LEAST_COST = 1e-9
"""The cost saved for a mistake of negligible cost: it is still a mistake."""
_KIND: Final = "drill"
NEWEST: Final = 20
"""Number of newest decisions of each situation at the table that count: habits change."""


@lru_cache(maxsize=1024)
def write_meaning(about: str) -> str:
    """Write the subject of a drill with its rules in full, if it begins with rules.

    `six-to-five hi-lo i18` and `6D H17 6:5 hi-lo i18` are one subject.
    """
    words = about.split()
    for number in range(len(words), 0, -1):
        try:
            rules = Rules.parse(" ".join(words[:number]))
        except BlackjackError:
            continue
        return " ".join((rules.notation, *words[number:]))
    return about


class DrillMemory:
    """Loads and saves drills in a store; by name and by subject."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def load(self, name: str, about: str) -> DrillProgress:
        """Return the progress of a drill, empty if it was never begun.

        Rules that are equal have one progress, however they were written.
        """
        progress = DrillProgress(drill=name, about=about)
        for _, saved in self._find(_KIND, f"{name}: ", about):
            try:
                found = DrillProgress.from_json(saved)
            except DrillError as error:
                msg = f"the saved drill of {name} about {about!r} cannot be read: {error}"
                raise DrillError(msg) from None
            progress = progress.then(found) if progress.answers else found
        return replace(progress, about=about)

    def _find(self, kind: str, begin: str, about: str) -> list[tuple[str, dict[str, Any]]]:
        """Return what is saved about equal rules, by name, the last saved at the end."""
        meant = write_meaning(about)
        found = []
        for name in bankroll.list_objects(self._store, kind):
            if name.startswith(begin) and write_meaning(name.removeprefix(begin)) == meant:
                saved = bankroll.load_object(self._store, kind, name)
                if saved is not None:
                    found.append((name, saved))
        return found

    def _save(self, kind: str, begin: str, about: str, saved: dict[str, Any]) -> None:
        """Save something about rules, in place of all that is saved about equal ones."""
        new = f"{begin}{write_meaning(about)}"
        for name, _ in self._find(kind, begin, about):
            if name != new:
                bankroll.delete_object(self._store, kind, name)
        bankroll.save_object(self._store, kind, new, saved)

    def change(
        self, name: str, about: str, change: Callable[[DrillProgress], DrillProgress]
    ) -> DrillProgress:
        """Change the saved progress, and return the result; another terminal's answers stay."""
        with self._store.change():
            progress = change(self.load(name, about))
            self._save(_KIND, f"{name}: ", about, progress.to_json())
        return progress

    def save_session(self, about: str, seed: int, judged: Sequence[Judged]) -> None:
        """Save a session of ready with its newest answer.

        Raises: DrillError if another terminal has continued it.
        """
        with self._store.change():
            found = self.load_session(about)
            known = 0 if found is None or found[0] != seed else len(found[1])
            if known != len(judged) - 1:
                raise DrillError("this session was continued on another terminal: begin it again")
            saved = {"seed": seed, "answers": [list(one) for one in judged]}
            self._save(READY, "", about, saved)

    def load_session(self, about: str) -> tuple[int, list[Judged]] | None:
        """Return the seed and the answers of the saved session; None if there is none."""
        saved = self._find(READY, "", about)
        if not saved:
            return None
        _, found = saved[-1]
        try:
            return int(found["seed"]), [read_judged(one) for one in found["answers"]]
        except (KeyError, TypeError, ValueError):
            raise DrillError(f"the saved session about {about!r} cannot be read") from None

    def find_mistakes(self, drill: Drill[Any], since: datetime) -> frozenset[str]:
        """Return the items answered wrong after a time, at the table or in the drill."""
        moment = write_moment(since)
        records = self.load(drill.name, drill.about).records
        drilled = {item for item, record in records.items() if record.wrong_at >= moment}
        seen = self.observe(drill, since=moment).items()
        wrong = drilled | {item for item, observed in seen if observed.wrong}
        return frozenset(wrong & {item.key for item in drill.items()})

    def observe(self, drill: Drill[Any], *, since: str = "") -> dict[str, Observed]:
        """Return the decisions at the table that belong to the items of a drill.

        They are read from the judged rounds of the drill's rules each time, so that none counts
        twice; the answers to the drill are separate. Drills of counting have none.
        """
        rules = drill.chart_rules
        if rules is None:
            return {}
        keys = {item.key for item in drill.items()}
        found: dict[str, Observed] = {}
        made_of = learning.read_decisions(self._store, rules, newest=NEWEST, since=since)
        for situation, made in made_of.items():
            # Drills ask a hand whose surrender is close in a class of its own.
            cell = place_in_chart(situation)
            surrender = f"surrender {cell.split(' ', 1)[-1]}"
            key = next((key for key in (cell, surrender) if key in keys), None)
            if key is not None:
                found[key] = Observed(*map(add, found.get(key, NOT_OBSERVED), made))
        return found


@dataclass(frozen=True, slots=True, kw_only=True)
class DrillTally:
    """How a session goes."""

    asked: int = 0
    """Number of answers."""
    right: int = 0
    streak: int = 0
    """Right answers in a row, up to now."""
    best_streak: int = 0
    cost: float = 0.0
    """Cost of the wrong answers, in `unit`."""
    unit: str = "EV"
    """The unit of the cost: `EV` per initial bet, `counts off`, `decks off`, `units off`."""
    grades: dict[str, int] = field(default_factory=dict)
    """Number of the answers by grade: `right`, `late`, `close`, `slip`, `mistake`, `blunder`."""

    def add(self, feedback: Feedback) -> DrillTally:
        """Return the tally with one more answer."""
        streak = self.streak + 1 if feedback.is_right else 0
        grade = feedback.grade
        return DrillTally(
            asked=self.asked + 1,
            right=self.right + feedback.is_right,
            streak=streak,
            best_streak=max(streak, self.best_streak),
            cost=self.cost + feedback.cost * (feedback.unit == self.unit),
            unit=self.unit,
            grades={**self.grades, grade: self.grades.get(grade, 0) + 1},
        )


class DrillRun:
    """Asks, judges and saves every answer at once. Calls may come from a thread, one at a time.

    A hand of the drill of hands is one question of several decisions; it counts as one answer of
    its cell, wrong if any decision was, and costs the sum of their costs.
    """

    def __init__(  # noqa: PLR0913 (each is named in the call)
        self,
        drill: Drill[Any],
        memory: DrillMemory,
        *,
        seed: int | None = None,
        clock: Callable[[], float] = time.monotonic,
        only_mistakes: datetime | bool = False,
        place: str | None = None,
    ) -> None:
        """Resume the drill where it was left; without a seed questions are drawn at random.

        With `only_mistakes` only items answered wrong are asked, at the table or in the drill; with
        a time exactly those answered wrong after it; with a `place` of the chart only its hands.
        """
        self.drill = drill
        self.memory = memory
        self.tally = DrillTally(unit=drill.unit)
        self.questions = 0
        """The number of questions asked; a hand is one."""
        self.hand: strategy_drills.PlayedHand | ready.Session | None = None
        """The hand or session that is played; None in other drills."""
        self.last_item = ""
        """The item answered last."""
        self.prompt: Prompt | None = None
        """The question that waits for an answer."""
        self._rng = random.Random(None if seed is None else read_seed(seed))
        self._clock = clock
        self._begun: float | None = None
        self._ended: float | None = None
        self._is_wrong = False
        self._turn = threading.Lock()
        self.progress = memory.load(drill.name, drill.about)
        """The learner's progress, with other terminals' answers up to the last own answer."""
        self._observed = memory.observe(drill)
        self._only: frozenset[str] | None = None
        if not isinstance(only_mistakes, bool):
            self._only = memory.find_mistakes(drill, only_mistakes)
            if not self._only:
                raise DrillError(
                    f"no mistake to drill in {drill.name} ({drill.about}): you have made none since"
                    f" {only_mistakes:%Y-%m-%d %H:%M}, at the table or in the drill"
                )
        if place is not None:
            here = {item.key for item in drill.items() if item.cell == place}
            self._only = frozenset(here if self._only is None else here & self._only)
            if not self._only:
                raise DrillError(f"nothing to drill at {place} in {drill.name} ({drill.about})")
        # A place is asked whether or not there are mistakes.
        self._only_mistakes = only_mistakes is True and place is None
        self.scheduler()

    @property
    def seconds(self) -> float:
        """Seconds since the first question, until the drill ended."""
        if self._begun is None:
            return 0.0
        return (self._clock() if self._ended is None else self._ended) - self._begun

    def end(self) -> None:
        """Stop the clock."""
        if self._ended is None:
            self._ended = self._clock()

    @property
    def per_minute(self) -> float:
        """Answers per minute, 0 before there are any."""
        seconds = self.seconds
        return 60 * self.tally.asked / seconds if seconds > 0 else 0.0

    @property
    def is_session(self) -> bool:
        """Whether it is a session as in a casino."""
        return self.hand is not None and self.hand.is_session

    @property
    def is_hand_open(self) -> bool:
        """Whether a hand has been begun and is not over."""
        return self.hand is not None and not self.hand.is_over

    def ask(self) -> Prompt:
        """Return the next question: the next decision of a hand, or something new."""
        if self._begun is None:
            self._begun = self._clock()
        if self.is_hand_open and self.hand is not None:
            self.prompt = self.hand.prompt()
            self.questions += self.hand.is_session
            return self.prompt
        self.prompt = self.scheduler().pick(self._rng)
        self.questions += 1
        self._is_wrong = False
        hand = self.drill.begin(self.prompt)
        if hand is not None:
            self.hand = hand
            if hand.is_session:
                hand.resume(self.memory)
            self.prompt = hand.prompt()
        return self.prompt

    def rehearse(self) -> None:
        """Judge a question that is not asked, so that all code is compiled in advance."""
        prompt = self.drill.ask(self.drill.items()[0].key, random.Random(0))
        hand = self.drill.begin(prompt)
        if hand is not None:
            hand.answer((prompt.choices or ("1",))[0])
        elif prompt.choices:
            self.drill.check(prompt, prompt.choices[0])

    def warm(self) -> None:
        """Compute the values of the answers to the present question in advance."""
        prompt, hand = self.prompt, self.hand
        with self._turn:
            if hand is not None:
                if not hand.is_session and not hand.is_over:
                    hand.advice()
            elif prompt is not None and prompt.choices:
                self.drill.check(prompt, prompt.choices[0])

    def answer(self, text: str, *, seconds: float | None = None, is_late: bool = False) -> Feedback:
        """Judge the answer to the present question and save it; `seconds` is its time, if timed.

        Instead of a late answer the best one is played in a hand; its item is asked again soon.
        """
        prompt = self.prompt
        if prompt is None:
            raise DrillError(f"{text!r} answers nothing: no question is open")
        is_first = self.hand is None or self.hand.is_session or not self.hand.judgements
        with self._turn:
            hand = self.hand
            if is_late:
                text = (prompt.choices or ("0",))[0] if hand is None else hand.best
            feedback = self.drill.check(prompt, text) if hand is None else hand.answer(text)
            if is_late:
                late: dict[str, Any] = {"is_right": False, "answer": "", "cost": 0.0}
                feedback = replace(feedback, neither=LATE, judgement=None, **late)
            if hand is not None and hand.is_session:
                hand.save(feedback, self.memory)
        self.prompt = None
        self.last_item = prompt.item
        self.tally = self.tally.add(feedback)
        cost = max(feedback.cost, _LEAST_COST) if feedback.is_wrong else 0.0
        was_wrong = self._is_wrong

        def change(progress: DrillProgress) -> DrillProgress:
            if is_late:
                record = progress.record(prompt.item)
                record = replace(record, again_at=progress.answers + REPEAT_AFTER)
                return progress.with_record(prompt.item, record)
            if is_first:
                progress = progress.add(prompt.item, cost, repeat_after=REPEAT_AFTER)
            record = progress.record(prompt.item)
            if cost and not is_first:
                record = _add_to_last(record, cost, is_first_mistake=not was_wrong)
            if cost:
                record = replace(record, wrong_at=now())
            best = record.best_seconds
            if seconds is not None and feedback.is_right and (best is None or seconds < best):
                record = replace(record, best_seconds=seconds)
            record = record.space(today(), is_wrong=cost > 0)
            return progress.with_record(prompt.item, record).on_day(today().isoformat(), cost)

        self._is_wrong = was_wrong or cost > 0
        self.progress = self.memory.change(self.drill.name, self.drill.about, change)
        return feedback

    def scheduler(self) -> Scheduler:
        """Return what chooses the next question."""
        scheduler = Scheduler(
            drill=self.drill,
            progress=self.progress,
            observed=self._observed,
            only=self._only,
            day=today().isoformat(),
        )
        return scheduler.with_mistakes() if self._only_mistakes else scheduler


class DrillEnding(StrEnum):
    """Why a drill ends."""

    QUESTIONS = "questions"
    """All its questions were asked."""
    TIME = "time"
    """Its time is up."""
    SESSION = "session"
    """The rounds of its session were played."""


def _read_minutes(text: str) -> float:
    return float(read_number(text, "minutes", over=0, example="5 or 2.5"))


QUESTIONS: Final = Field(
    partial(read_whole, what="questions", least=1, example="50"), "Stop after N questions.", "N"
)
MINUTES: Final = Field(_read_minutes, "Minutes after which the drill ends.", "M", title="time")


@dataclass(frozen=True, slots=True, kw_only=True)
class DrillSetup:
    """The options of drills, the store of their answers, and when a drill ends."""

    options: catalogue.DrillOptions
    memory: DrillMemory
    seed: int | None = None
    """Of the questions; None draws them by chance."""
    questions: Annotated[int | None, QUESTIONS] = None
    """After how many questions a drill ends; a hand is one."""
    minutes: Annotated[float | None, MINUTES] = None
    """After how many minutes it ends, with the answer that is due then."""
    clock: Callable[[], float] = time.monotonic

    def start(self, name: str) -> DrillRun:
        """Make a drill and resume it."""
        options = self.options
        options.about(name)  # refuses what cannot be
        return DrillRun(
            options.make(name),
            self.memory,
            seed=self.seed,
            clock=self.clock,
            only_mistakes=options.find_start() or bool(options.mistakes),
            place=options.cell,
        )

    def find_ending(self, run: DrillRun) -> DrillEnding | None:
        """Return why no further question is asked; None if one is."""
        if run.hand is not None and run.hand.is_session and run.hand.is_over:
            return DrillEnding.SESSION
        if self.questions is not None and run.questions >= self.questions and not run.is_hand_open:
            return DrillEnding.QUESTIONS
        is_late = self.minutes is not None and run.seconds >= 60 * self.minutes
        return DrillEnding.TIME if is_late else None


def _read_few_questions(text: str) -> int | None:
    if text == "none":
        return None
    return read_whole(text, "questions", least=1, most=1000, example="500")


def _read_few_minutes(text: str) -> float:
    return float(read_number(text, "minutes", over=0, most=600, example="300"))


def _read_speed(text: str) -> float:
    return float(read_number(text, "seconds", least=0.2, most=5, example="1.5"))


@dataclass(frozen=True, slots=True, kw_only=True)
class DrillTerms(catalogue.DrillOptions):
    """The options of drills, when a drill ends, and how it continues where it is shown."""

    speed: Annotated[
        float | None,
        Field(
            _read_speed,
            "Seconds for a group of cards.",
            "SECONDS",
            suggestions=("3", "2", "1.5", "1", "0.7", "0.5", "0.3", "0.2"),
            no_choice="by the button",
            describe="every {} s".format,
            title="turn the cards",
        ),
    ] = None
    questions: Annotated[
        int | None,
        replace(
            QUESTIONS,
            read=_read_few_questions,
            help="Number of questions of any drill but ready, or none for no end.",
            suggestions=("10", "20", "50", "100", "none"),
            describe=lambda text: {"none": "until you stop"}.get(text, text),
            typed="20",
        ),
    ] = 20
    minutes: Annotated[
        float | None,
        replace(
            MINUTES,
            read=_read_few_minutes,
            suggestions=("1", "5", "10", "30"),
            no_choice="no limit",
            describe="{} min".format,
        ),
    ] = None
    pause: Annotated[
        str,
        catalogue.choose_text(
            {"": "continue at once", "always": "stop at the verdict"},
            "Whether it stops after right answers too.",
            title="after a right answer",
        ),
    ] = ""

    def fields(self, **changed: str) -> dict[str, str]:
        """Return the texts of the fields, `r` for the rules, without those that are the default."""
        every = {one.name: one.write(getattr(self, one.name)) for one in list_fields(DrillTerms)}
        every = {"r": str(self.rules), **every, **changed}
        return {name: text for name, text in every.items() if text}

    def make_setup(self, name: str, memory: DrillMemory) -> DrillSetup:
        """Return how a drill is begun with these options; a session ends after its rounds."""
        questions = None if catalogue.CATALOGUE[name].is_session else self.questions
        return DrillSetup(options=self, memory=memory, questions=questions, minutes=self.minutes)


def price_of(
    drill: Drill[Any], progress: DrillProgress, observed: Mapping[str, Observed] | None = None
) -> float | None:
    """Return the expected cost of mistakes in 100 opening hands, in EV; None without a price.

    Units: initial bets per 100 hands of the drill, by its weights. Deviations have none here: how
    often their counts occur is not in the weights.
    """
    if drill.share is None:
        return None
    weights = Scheduler(drill=drill, progress=progress, observed=observed or {}).weights()
    return 100 * drill.share * math.fsum(weights.values())


def _add_to_last(last: Record, cost: float, *, is_first_mistake: bool) -> Record:
    """Return the record with a later mistake of a hand added to its answer."""
    changed = replace(last, lost=last.lost + cost)
    if not is_first_mistake:
        return changed
    return replace(
        changed,
        right=max(last.right - 1, 0.0),
        wrong=last.wrong + 1,
        errors=last.errors + 1,
        again_at=last.last + REPEAT_AFTER,
    )
