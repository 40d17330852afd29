"""A drill as its page shows it: its answers, and what the page adds: a tray, keys, forms."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

from upcard.answers import drill_report
from upcard.answers.drill_question import QuestionAnswer, answer_drill
from upcard.core.actions import Action
from upcard.drills.catalogue import CATALOGUE
from upcard.drills.drill import InputKind, Prompt
from upcard.drills.drill_run import DrillTerms
from upcard.drills.trainer import DrillStep, DrillTrainer
from upcard.rules.model import Rules
from upcard.services.open_drills import RunningDrill
from upcard.session.table_view import KEYS, YES
from upcard.web.showing import address

_TRAY_HEIGHT: Final = 100
_LEAST_SCALE: Final = 0.62
_QUARTERS: Final = 4
_STEPS: Final = 6
"""Heights with words of their own between two quarters of the tray."""
_MARKS: Final = ("the floor", "a quarter", "half", "three quarters", "the top")
_PARTS: Final = ("half", "a third", "a quarter", "a fifth", "a sixth", "a seventh", "an eighth")
_MOST_EXPECTED: Final = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class TrayView:
    """A discard tray with one deck beside it: heights in percent of a full tray's picture."""

    height: float
    pile: float
    """Height of the discarded cards in the tray."""
    deck: float
    """Height of the single deck beside the tray."""
    words: str
    """The picture in words: as much as an eye sees of it, and not the number of cards."""


def draw_tray(discards: int, rules: Rules) -> TrayView:
    """Return the picture of a tray, at another scale for every pile.

    So that its height does not become a measure: the deck beside the tray is the only one.
    """
    full = rules.full_shoe.size
    scale = Random(discards).uniform(_LEAST_SCALE, 1.0) * _TRAY_HEIGHT
    return TrayView(
        height=round(scale, 2),
        pile=round(scale * discards / full, 2),
        deck=round(scale * rules.deck_size / full, 2),
        words=describe_tray(discards / full, rules.decks or 1),
    )


def describe_tray(share: float, decks: int) -> str:
    """Describe a pile that fills a `share` of the tray, to about a twenty-fourth of its height."""
    steps = round(share * _STEPS * _QUARTERS)
    passed, step = divmod(min(max(steps, 1), _STEPS * _QUARTERS), _STEPS)
    below, above = _MARKS[passed], _MARKS[min(passed + 1, _QUARTERS)]
    reaches = {
        0: f"{below}",
        1: f"just above {below}",
        2: f"a third of the way from {below} to {above}",
        3: f"midway between {below} and {above}",
        4: f"two thirds of the way from {below} to {above}",
        5: f"just below {above}",
    }[step]
    beside = "as high as the tray" if decks == 1 else f"{_PARTS[decks - 2]} as high as the tray"
    return (
        f"A discard tray. The pile in it reaches {reaches} of the tray. The deck beside it is"
        f" {beside}."
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class AgainView:
    """A drill that may follow: its words, and the fields of its form."""

    words: str
    mistakes: int | None
    """Number of items that it has; None for the same drill again."""
    fields: dict[str, str]
    """The fields of the form for `POST /drills/{name}`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DrillView:
    """A drill at its present step. While it is prepared there is no question yet."""

    drill: str
    """Name of this drill, as its address has it."""
    version: int
    name: str
    """Name of the drill in words."""
    slug: str
    """Name of its kind, as `POST /drills/{name}` has it."""
    about: str
    """The rules and options that it is about."""
    explanation: str
    step: str
    """`preparing`, `showing`, `asking`, `judged` or `over`."""
    question: QuestionAnswer | None
    """The question; None while the drill is prepared and once it is over."""
    tray: TrayView | None
    """The discard tray, in the drill of decks; else None."""
    keys: dict[str, str]
    """The keys for each answer, with blanks between; empty if a number is asked for."""
    verdict: drill_report.DrillVerdict | None
    """Verdict on the last answer; None before the first."""
    score: drill_report.DrillScore | None
    """How it goes so far; None while the drill is prepared."""
    expected: tuple[drill_report.ExpectedItem, ...]
    """The items that come next most often, the likeliest first."""
    report: drill_report.DrillReport | None
    """The result; None until the drill is over."""
    again: tuple[AgainView, ...]
    """The drills that may follow; empty until the drill is over."""
    pauses: bool
    """Whether it stops at right verdicts too."""
    seconds_left: float | None
    """Seconds left for the answer; None if no clock runs."""
    sounds: bool
    """Whether answers and the last seconds of a clock are heard."""
    speed: str
    """Seconds for each group of cards, as text; empty to turn them by the button."""
    problem: str
    typed: str
    """The answer that could not be read; empty if there is none."""
    options: str
    """Address of the drills with the same options."""


def look_at_drill(
    drill: RunningDrill,
    trainer: DrillTrainer | None,
    *,
    again: Sequence[AgainView] = (),
    problem: str = "",
    typed: str = "",
) -> DrillView:
    """Return the page of a drill; `again` are the drills that may follow its report."""
    wishes = drill.terms
    step = DrillStep.PREPARING if trainer is None else trainer.step
    if drill.fault:
        step = DrillStep.OVER
    asking = None if step is DrillStep.OVER else trainer
    if asking is not None:
        asking.start_clock()
    verdict = None if trainer is None else trainer.verdict
    rules, discards = wishes.rules, None if asking is None else asking.prompt.discards
    return DrillView(
        drill=drill.id,
        version=drill.version,
        name=drill.name,
        slug=drill.id.rpartition("-")[0],
        about=str(rules) if trainer is None else trainer.run.drill.about,
        explanation=CATALOGUE[drill.name].explanation,
        step=str(step),
        question=None if asking is None else answer_drill(asking),
        tray=None if discards is None else draw_tray(discards, rules),
        keys=_list_keys(asking.prompt) if asking and step is DrillStep.ASKING else {},
        verdict=None if verdict is None else drill_report.judge_answer(verdict, rules),
        score=None if trainer is None else drill_report.score_drill(trainer),
        expected=() if trainer is None else drill_report.list_expected(trainer.run, _MOST_EXPECTED),
        report=drill_report.report_drill(trainer) if trainer and step is DrillStep.OVER else None,
        again=tuple(again),
        pauses=trainer is not None and not trainer.goes_on_at_once,
        seconds_left=None if trainer is None else trainer.seconds_left,
        sounds=wishes.sound,
        speed="" if wishes.speed is None else f"{wishes.speed:g}",
        problem=drill.fault or problem,
        typed=typed,
        options=link_drills(wishes),
    )


def link_drills(terms: DrillTerms, **changed: str) -> str:
    """Return the address of the drills with these options."""
    return address("/drills", **terms.fields(**changed))


def _list_keys(prompt: Prompt) -> dict[str, str]:
    if prompt.input is not InputKind.PLAY:
        return {choice: str(place) for place, choice in enumerate(prompt.choices, start=1)}
    actions = tuple(map(Action, prompt.choices))
    is_offer = bool(actions) and actions[-1].declines
    return {
        str(action): KEYS[action] + (f" {YES.key}" if is_offer and not place else "")
        for place, action in enumerate(actions)
    }
