"""Drills: items, questions, feedback, a learner's answers, the choice of the next question.

The weight of an item is its frequency, times the learner's error rate, times the cost of an error:
its expected cost in EV per round. Items are drawn in proportion to it. One that was answered wrong
is asked again soon, whatever its weight.
"""

from __future__ import annotations

import math
import random
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from enum import StrEnum
from fractions import Fraction
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Final, Generic, NamedTuple, Self, TypeVar

from upcard.analysis.grades import Grade, grade_of
from upcard.coach.judgement import Judgement
from upcard.core.cards import Card
from upcard.core.errors import BlackjackError, UserFileError
from upcard.core.figure import Figure, make_figure
from upcard.core.number_texts import number_of
from upcard.core.numbers import with_minus_signs
from upcard.core.user_files import parse_json
from upcard.players.question import HandClass
from upcard.rules.model import Rules

if TYPE_CHECKING:
    from upcard.drills.catalogue import DrillOptions
    from upcard.drills.hand_prompts import DrawnHand
    from upcard.drills.ready import Session
    from upcard.drills.strategy_drills import PlayedHand

CLASSES: Final = (HandClass.HARD, HandClass.SOFT, HandClass.PAIR, HandClass.SURRENDER)
"""Classes of opening hands that are drilled."""
REPEAT_AFTER: Final = 4
"""The number of answers after a mistake before its item is asked again."""
LATE: Final = "late"
"""Grade of an answer that was not given in time, beside those of `Grade`."""
CLOSE: Final = "close"
"""Grade of an answer that a slightly different estimate of the decks left makes right."""
_REST: Final = 2
"""Answers for which an item rests, if there are others."""


class DrillError(BlackjackError):
    """A drill that cannot be made, or an answer that cannot be read."""


def read_class(name: str) -> HandClass:
    """Read a class of opening hands."""
    if name not in CLASSES:
        raise DrillError(f"no class of hands is called {name!r}: one of {', '.join(CLASSES)}")
    return HandClass(name)


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """Something that is learnt and forgotten independently of other items.

    Units: `frequency` is a share of all questions of the drill, `cost` the cost of the likeliest
    mistake (EV per initial bet; 1 where a drill is not about money), `prior` the expected error
    rate of a learner without any answers.
    """

    key: str
    frequency: float
    cost: float
    prior: float = 0.5
    name: str = ""
    """The item as a question, which does not say what is best; empty where that is its key."""
    cell: str = ""
    """Its cell of the chart, such as `16 v T`; empty for any other item."""


class InputKind(StrEnum):
    """Ways to answer, which front-ends have buttons and keys for."""

    PLAY = "play"
    """Choose an action, as at the table."""
    CHOICE = "choice"
    """Choose one of some words."""
    NUMBER = "number"
    """Write a number."""
    CARDS = "cards"
    """Turn through groups of cards; another kind of answer follows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """One question to a learner, self-contained: asking does not change the drill.

    Each drill has its own class of them, with the facts by which it judges the answer; the question
    says itself in words, figures and cards, so that a front-end needs to know no drill.
    """

    short: ClassVar[str] = "What is your answer?"
    """The question in a few words."""
    item: str
    """The key of the item that the question is about."""
    choices: tuple[str, ...] = ()
    """The answers to choose from; none if a number is asked for."""
    cards: tuple[Card, ...] = ()
    """The cards to show, in the order of dealing."""
    groups: tuple[tuple[Card, ...], ...] = ()
    """The groups of cards to show one after another, for counting."""
    upcard: Card | None = None
    hole: Card | None = None
    """The dealer's hole card; None unless the house shows it."""
    system: str = ""
    """The counting system; empty without one."""
    count: int | None = None
    """The count at which it is asked; None without one."""
    discards: int | None = None
    """The number of cards in the discard tray that is drawn; None without one."""

    @property
    def dealer(self) -> tuple[Card, ...]:
        """The dealer's cards that are shown; none if a number is asked for."""
        return tuple(card for card in (self.upcard, self.hole) if card is not None)

    @property
    def input(self) -> InputKind:
        """The way to answer, once all groups of cards were shown."""
        return InputKind.CHOICE if self.choices else InputKind.NUMBER

    @property
    def ask(self) -> str:
        """The question in a few words."""
        return self.short

    @property
    def at(self) -> str:
        """The count at which it is asked, `hi-lo +2`; empty without one."""
        return "" if self.count is None else with_minus_signs(f"{self.system} {self.count:+d}")

    @property
    def facts(self) -> tuple[Figure, ...]:
        """The numbers of the question, such as the running count."""
        if self.count is None:
            return ()
        return (make_figure("count", "Count", float(self.count), self.at),)

    @property
    def shows(self) -> str:
        """The cards that are shown group by group, in words."""
        return f"{sum(map(len, self.groups))} cards in {len(self.groups)} groups"

    def write(self, rules: Rules) -> str:
        """Write the whole question in one line."""
        del rules
        return self.ask

    def write_undrawn(self, rules: Rules) -> str:
        """Write the whole question in one line, with what a picture of it would show."""
        return self.write(rules)

    def draw(self, rules: Rules) -> tuple[DrawnHand, ...]:
        """Return the cards to draw, the dealer's first, then your hand; empty for none."""
        del rules
        return ()

    def explain(self, feedback: Feedback) -> str:
        """Say why the right answer is right."""
        return feedback.reason


@dataclass(frozen=True, slots=True, kw_only=True)
class NumberPrompt(Prompt):
    """A question for a number that is known exactly."""

    right: tuple[Fraction, ...]
    """The right answers."""


def read_number(
    answer: str, example: str = "a number, such as 3, -1.5 or 1/2", *, unit: str = ""
) -> Fraction:
    """Read a number that answers a question. Raises: DrillError for anything else."""
    number = number_of(answer.strip().removesuffix(unit))
    if number is None:
        raise DrillError(f"{answer!r} is not an answer: write {example}")
    return number


def read_choice(prompt: Prompt, answer: str) -> str:
    """Read one of the words that a question offers, by its place or the letters it begins with.

    Raises: DrillError for anything else.
    """
    word, choices = answer.strip().lower(), prompt.choices
    found = [one for one in choices if one.lower() == word]
    found = found or [one for place, one in enumerate(choices, start=1) if str(place) == word]
    found = found or [one for one in choices if word and one.lower().startswith(word)]
    if len(found) != 1:
        raise DrillError(f"{answer!r} is not an answer here: write one of {', '.join(choices)}")
    return found[0]


@dataclass(frozen=True, slots=True, kw_only=True)
class Feedback:
    """The value of an answer. Units: `cost` is EV per initial bet unless `unit` names another."""

    is_right: bool
    answer: str
    right: str
    """The best answer."""
    cost: float
    """The loss of the answer, 0 or more; 0 if it was right."""
    reason: str = ""
    """The coach's reason; empty if a number or an index play was asked for."""
    note: str = ""
    """Answer of the set of index plays, where it is not right, and why."""
    unit: str = "EV"
    ev: tuple[tuple[str, float], ...] = ()
    """The value of every answer, per initial bet, in the order of the choices; none for counts."""
    judgement: Judgement | None = None
    """The coach's judgement of a hand; None if a number or an index play was asked for."""
    neither: str = ""
    """`late` or `close`, for an answer that is neither right nor wrong; empty for others."""

    @property
    def is_wrong(self) -> bool:
        """Whether the answer was wrong: not right, in time, and not a close call."""
        return not (self.is_right or self.neither)

    @property
    def grade(self) -> str:
        """The grade of a wrong answer by its cost, or `right`, `late` or `close`."""
        if not self.is_wrong:
            return self.neither or Grade.RIGHT.value
        if self.unit != "EV":  # a count has no cost
            return Grade.MISTAKE.value
        return (grade_of(self.cost) if self.cost else Grade.SLIP).value


Posed = TypeVar("Posed", bound=Prompt)


class Drill(ABC, Generic[Posed]):
    """A source of questions about items."""

    name: str
    """The name of the drill; progress is saved under it."""
    about: str
    """The rules, counting system or indices of the drill; its progress is for these only."""
    unit: str = "EV"
    """The unit of mistakes."""
    share: float | None = None
    """The share of all opening hands with a question that it asks; None: mistakes have no price."""
    is_timed: bool = False
    """Whether the best time of each item is saved, from the first cards shown to the answer."""
    note: str = ""
    """A remark before the first question; may be empty."""
    chart_rules: Rules | None = None
    """The rules of the chart whose cells its items are, so that decisions at the table count; None
    for any other."""

    @abstractmethod
    def items(self) -> tuple[Item, ...]:
        """Return the items of the drill; frequencies sum to 1."""

    @abstractmethod
    def ask(self, item: str, rng: random.Random) -> Posed:
        """Create a question about an item. Raises: DrillError if there is no such item."""

    @abstractmethod
    def check(self, prompt: Posed, answer: str) -> Feedback:
        """Judge an answer. Raises: DrillError for an invalid answer."""

    def begin(self, prompt: Posed) -> PlayedHand | Session | None:
        """Begin the hand or session that a question opens; None if it is a single question."""
        del prompt
        return None


@dataclass(frozen=True, slots=True, kw_only=True)
class DrillEntry:
    """A drill as front-ends list, explain and draw it; making it may solve a game."""

    name: str
    about: str
    """Its question, in a line."""
    explanation: str
    make: Callable[..., Drill[Any]]
    """Makes it for some rules, with its options by their names."""
    inputs: tuple[InputKind, ...]
    """The ways in which its questions are answered."""
    options: Mapping[str, bool] = field(default_factory=lambda: MappingProxyType({}))
    """The options of `make` that it takes, and whether it needs them: those of `DrillOptions`, and
    the chart, `strategy`."""
    icon: str = "cards"
    """Its picture in lists, one of those that `drills.html` draws."""
    subject: Callable[[DrillOptions], str] | None = None
    """Returns what its progress is about without making it; None if making it is quick."""
    has_cells: bool = False
    """Whether its items are cells of the chart: one of them can be asked alone, and decisions at
    the table count, so that mistakes have a price."""
    has_one_bet: bool = False
    """Whether it deals rounds with one bet, so that a game with two is refused."""
    is_session: bool = False
    """Whether it is a session as in a casino: it asks what comes, and judges at its end."""

    @property
    def takes(self) -> tuple[str, ...]:
        """The fields of `DrillOptions` that it takes, beside those that all drills have."""
        return (*(one for one in self.options if one != "strategy"), *("cell",) * self.has_cells)


FORMAT: Final = "upcard drill progress"
FORMAT_VERSION: Final = 2
_REMEMBERED: Final = 0.25
"""A wrong answer whose weight has faded below this share is forgotten."""
HALF_LIFE: Final = 300
"""Number of answers after which an answer counts half as much: learners forget."""

_PRIOR_ANSWERS: Final = 2
_SPACING: Final = (1, 3)
"""Days after which a wrong answer is asked again, and again after a right one then."""


class Observed(NamedTuple):
    """Decisions at the table that belong to an item, in addition to the answers to the drill."""

    asked: int = 0
    wrong: int = 0
    lost: float = 0.0
    """The cost of the wrong ones, per initial bet."""


NOT_OBSERVED: Final = Observed()


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """The answers to one item. `right` and `wrong` fade with each further answer."""

    right: float = 0.0
    wrong: float = 0.0
    asked: int = 0
    errors: int = 0
    lost: float = 0.0
    """The cost of all the errors."""
    last: int = 0
    """The number of the last answer to this item."""
    again_at: int | None = None
    """When it is asked again after an error; None if nothing is due."""
    best_seconds: float | None = None
    """The best time of a right answer; None if the drill takes no times."""
    wrong_at: str = ""
    """The moment of the last wrong answer; empty if there was none."""
    due: str = ""
    """The day on which it is asked again, `2026-11-25`; empty if none is set."""
    held: int = 0
    """Right answers on such days since the last wrong one."""

    def error_rate(
        self, now: int, *, prior: float = 0.5, observed: Observed = NOT_OBSERVED
    ) -> float:
        """Return the expected probability that the next answer is wrong.

        Bayes: a Beta distribution with the mean `prior` that weighs as much as two answers, then
        the answers, faded by their age, and the decisions `observed` at the table.
        """
        share = _fade(now - self.last)
        known = (self.right + self.wrong) * share + observed.asked
        wrong = self.wrong * share + observed.wrong
        return (wrong + _PRIOR_ANSWERS * prior) / (known + _PRIOR_ANSWERS)

    def then(self, later: Record, *, before: int) -> Record:
        """Return the record with later answers, whose numbers begin after `before` others."""
        last = later.last + before
        share = _fade(last - self.last)
        seconds = [one for one in (self.best_seconds, later.best_seconds) if one is not None]
        return replace(
            later if later.due or not self.due else self,
            right=self.right * share + later.right,
            wrong=self.wrong * share + later.wrong,
            asked=self.asked + later.asked,
            errors=self.errors + later.errors,
            lost=self.lost + later.lost,
            last=last,
            again_at=None if later.again_at is None else later.again_at + before,
            best_seconds=min(seconds, default=None),
            wrong_at=max(self.wrong_at, later.wrong_at),
        )

    def has_mistakes(self, now: int) -> bool:
        """Whether a wrong answer is not yet outweighed by time."""
        return self.wrong * _fade(now - self.last) >= _REMEMBERED

    def is_due(self, day: str) -> bool:
        """Whether it is to be asked again on a day, `2026-11-25`."""
        return "" < self.due <= day

    def space(self, day: date, *, is_wrong: bool) -> Record:
        """Return the record with the day on which it is asked again after an answer.

        A wrong one comes back tomorrow, and if it is right then, three days later.
        """
        if not is_wrong and not self.is_due(day.isoformat()):
            return self
        held = 0 if is_wrong else self.held + 1
        days = _SPACING[held] if held < len(_SPACING) else None
        due = "" if days is None else (day + timedelta(days=days)).isoformat()
        return replace(self, due=due, held=held)

    def add(self, now: int, cost: float, *, repeat_after: int) -> Record:
        """Return the record with one more answer; a `cost` of 0 is a right one."""
        share = _fade(now - self.last)
        is_wrong = cost > 0
        return replace(
            self,
            right=self.right * share + (not is_wrong),
            wrong=self.wrong * share + is_wrong,
            asked=self.asked + 1,
            errors=self.errors + is_wrong,
            lost=self.lost + cost,
            last=now,
            again_at=now + repeat_after if is_wrong else None,
        )


def _fade(age: int) -> float:
    return float(0.5 ** (age / HALF_LIFE))


_NOTHING: Final = Record()
_READERS: Final[Mapping[str, Callable[[Any], Any]]] = {
    **dict.fromkeys(("right", "wrong", "lost"), float),
    **dict.fromkeys(("asked", "errors", "last"), int),
    "again_at": lambda number: None if number is None else int(number),
    "best_seconds": lambda seconds: None if seconds is None else float(seconds),
    "wrong_at": str,
    "due": str,
    "held": int,
}
_SINCE_TWO: Final = ("due", "held")
"""Fields that progress saved by earlier programs lacks."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DrillProgress:
    """All answers of a learner to one drill."""

    drill: str
    about: str
    answers: int = 0
    records: Mapping[str, Record] = field(default_factory=lambda: MappingProxyType({}))
    days: Mapping[str, tuple[int, int, float]] = field(default_factory=lambda: MappingProxyType({}))
    """Answers, right ones and the cost of the others by day, `2026-11-25`."""

    def record(self, item: str) -> Record:
        """Return the record of an item, an empty one if it was never asked."""
        return self.records.get(item, _NOTHING)

    def add(self, item: str, cost: float, *, repeat_after: int) -> DrillProgress:
        """Return the progress with one more answer."""
        now = self.answers + 1
        added = self.record(item).add(now, cost, repeat_after=repeat_after)
        return replace(self.with_record(item, added), answers=now)

    def on_day(self, day: str, cost: float) -> DrillProgress:
        """Return the progress with the cost of an answer added to its day; 0 for a right one."""
        asked, right, lost = self.days.get(day, (0, 0, 0.0))
        added = asked + 1, right + (cost == 0), lost + cost
        return replace(self, days=MappingProxyType({**self.days, day: added}))

    def then(self, later: DrillProgress) -> DrillProgress:
        """Return the progress with all answers of another one, as if they had come after these."""
        records = dict(self.records)
        for item, record in later.records.items():
            records[item] = self.record(item).then(record, before=self.answers)
        days = dict(self.days)
        for day, (asked, right, lost) in later.days.items():
            before = days.get(day, (0, 0, 0.0))
            days[day] = before[0] + asked, before[1] + right, before[2] + lost
        return replace(
            later,
            answers=self.answers + later.answers,
            records=MappingProxyType(records),
            days=MappingProxyType(days),
        )

    def with_record(self, item: str, record: Record) -> DrillProgress:
        """Return the progress with another record of an item."""
        return replace(self, records=MappingProxyType({**self.records, item: record}))

    def to_json(self) -> dict[str, Any]:
        """Return the progress as JSON data; `from_json` reads it back."""
        return {
            "format": FORMAT,
            "format_version": FORMAT_VERSION,
            "drill": self.drill,
            "about": self.about,
            "answers": self.answers,
            "records": {
                item: {name: getattr(record, name) for name in _READERS}
                for item, record in self.records.items()
            },
            "days": {day: list(one) for day, one in self.days.items()},
        }

    @classmethod
    def from_json(cls, data: dict[str, Any] | str) -> Self:
        """Read the data that `to_json` returned, or its text."""
        try:
            found = parse_json(data, "progress") if isinstance(data, str) else data
            if found["format"] != FORMAT or found["format_version"] != FORMAT_VERSION:
                kind = f"{found['format']} version {found['format_version']}"
                msg = f"progress is {kind}; this program reads {FORMAT} version {FORMAT_VERSION}"
                raise DrillError(msg)
            records = {str(item): _read_record(record) for item, record in found["records"].items()}
            return cls(
                drill=str(found["drill"]),
                about=str(found["about"]),
                answers=int(found["answers"]),
                records=MappingProxyType(records),
                days=MappingProxyType(dict(map(_read_day, found.get("days", {}).items()))),
            )
        except (UserFileError, KeyError, TypeError, ValueError, AttributeError) as error:
            raise DrillError(f"no progress of a drill: {error!r}") from None


def _read_record(saved: Mapping[str, Any]) -> Record:
    names = (name for name in _READERS if name in saved or name not in _SINCE_TWO)
    return Record(**{name: _READERS[name](saved[name]) for name in names})


def _read_day(day: tuple[str, Any]) -> tuple[str, tuple[int, int, float]]:
    text, (asked, right, lost) = day
    date.fromisoformat(text)
    return text, (int(asked), int(right), float(lost))


@dataclass(frozen=True, slots=True, kw_only=True)
class Scheduler:
    """A drill and a learner's progress in it."""

    drill: Drill[Any]
    progress: DrillProgress
    observed: Mapping[str, Observed] = field(default_factory=lambda: MappingProxyType({}))
    """Decisions at the table by item; they count in addition to the answers to the drill."""
    only: frozenset[str] | None = None
    """The items that alone are asked; None for all."""
    day: str = ""
    """The day, `2026-11-25`, by which items are due again; empty for none."""

    def __post_init__(self) -> None:
        mine = self.drill.name, self.drill.about
        other = self.progress.drill, self.progress.about
        if mine != other:
            raise DrillError(f"progress in {' '.join(other)!r} is not for {' '.join(mine)!r}")

    def items(self) -> tuple[Item, ...]:
        """Return the items in use."""
        items, only = self.drill.items(), self.only
        return items if only is None else tuple(item for item in items if item.key in only)

    def with_mistakes(self) -> Scheduler:
        """Return the same for the items with mistakes, made at the table or in the drill."""
        now = self.progress.answers
        wrong = frozenset(
            item.key
            for item in self.items()
            if self._observed(item.key).wrong or self.progress.record(item.key).has_mistakes(now)
        )
        if not wrong:
            raise DrillError(
                f"no mistake to drill in {self.drill.name} ({self.drill.about}): you have made"
                " none, at the table or in the drill; play some rounds, or drill everything"
            )
        return replace(self, only=wrong)

    def _observed(self, item: str) -> Observed:
        return self.observed.get(item, NOT_OBSERVED)

    def error_rate(self, item: Item) -> float:
        """Return the expected probability that the next answer to an item is wrong."""
        return self.progress.record(item.key).error_rate(
            self.progress.answers, prior=item.prior, observed=self._observed(item.key)
        )

    def weight(self, item: Item) -> float:
        """Return the EV that a question of an item is expected to cost this learner."""
        record = self.progress.record(item.key)
        # The cost of the likeliest mistake until there are mistakes, then their average cost.
        seen = self._observed(item.key)
        cost = (item.cost + record.lost + seen.lost) / (1 + record.errors + seen.wrong)
        return item.frequency * self.error_rate(item) * cost

    def weights(self) -> dict[str, float]:
        """Return the weight of every item, the heaviest first."""
        found = {item.key: self.weight(item) for item in self.items()}
        return dict(sorted(found.items(), key=lambda pair: -pair[1]))

    def pick(self, rng: random.Random) -> Prompt:
        """Return the next question."""
        prompt: Prompt = self.drill.ask(self._pick_item(rng), rng)
        return prompt

    def _is_rested(self, item: str, now: int) -> bool:
        """Whether an item may be asked: not just asked, and not before a mistake's repetition."""
        record = self.progress.record(item)
        return not record.asked or (record.again_at is None and now - record.last >= _REST)

    def _pick_item(self, rng: random.Random) -> str:
        items = self.items()
        now = self.progress.answers
        again = ((self.progress.record(item.key).again_at, item.key) for item in items)
        due = [(at, key) for at, key in again if at is not None and at <= now + 1]
        if due:
            return min(due)[1]
        records = [(self.progress.record(item.key), item.key) for item in items]
        today = [(record.due, key) for record, key in records if record.is_due(self.day)]
        today = [one for one in today if self._is_rested(one[1], now)]
        if today:
            return min(today)[1]
        rested = [item for item in items if self._is_rested(item.key, now)]
        open_to = rested or list(items)
        weights = [self.weight(item) for item in open_to]
        if not math.fsum(weights) > 0:
            return rng.choice(open_to).key
        return rng.choices(open_to, weights=weights)[0].key


def dress(card: Card, rules: Rules, rng: random.Random) -> Card:
    """Return a card of the deck that a card without a suit stands for."""
    return rng.choice([one for one in rules.full_deck.cards if stands_for(card, one)])


def stands_for(card: Card, one: Card) -> bool:
    """Whether a card of a question, which has no suit, stands for one of the deck."""
    if card.suit:
        return one is card
    # T without a suit is any ten-valued card; where faces matter the others are written.
    return one.rank == card.rank and card.face in ("T", one.face)
