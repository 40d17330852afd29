"""Options of the page of drills, read from a form or an address."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Final, TypeVar

from upcard.core.errors import BlackjackError, as_sentence
from upcard.core.numbers import exact_number, whole_number
from upcard.drills.catalogue import MISTAKE_PERIODS, DrillOptions
from upcard.drills.drill import CLASSES, DrillError
from upcard.rules.house import house_names, load_house
from upcard.rules.model import Rules
from upcard.web.showing import address
from upcard.web.switches import read_switches

if TYPE_CHECKING:
    from collections.abc import Callable

    from upcard.web.reading import Fields

Found = TypeVar("Found")
QUESTIONS: Final = ("10", "20", "50", "100", "")
"""After how many questions a drill ends; the empty text is never."""
MINUTES: Final = ("", "1", "5", "10", "30")
SPEEDS: Final = ("", "3", "2", "1.5", "1", "0.7", "0.5", "0.3", "0.2")
"""Seconds for a group of cards; the empty text turns by the button."""
_DEFAULT_QUESTIONS: Final = "20"
_MOST_QUESTIONS: Final = 1000
_MOST_MINUTES: Final = 600
_SPEEDS_SECONDS: Final = (Fraction(1, 5), Fraction(5))
_TEXTS: Final = ("classes", "system", "indices", "ramp", "group")


@dataclass(frozen=True, slots=True, kw_only=True)
class DrillForm:
    """The options of drills, and when a drill ends. Empty texts are the defaults."""

    options: DrillOptions
    questions: str = _DEFAULT_QUESTIONS
    minutes: str = ""
    speed: str = ""
    mistakes: str = ""
    pause: str = ""
    """`always` to stop at every verdict, empty for mistakes only."""

    def fields(self, **changed: str) -> dict[str, str]:
        """Return the fields of an address or a form, without those that are the default."""
        options = self.options
        every = {
            "r": str(options.rules),
            "classes": options.classes or "",
            "system": options.system or "",
            "indices": options.indices or "",
            "ramp": options.ramp or "",
            "group": "" if options.group is None else str(options.group),
            "questions": self.questions or "none",
            "minutes": self.minutes,
            "speed": self.speed,
            "mistakes": self.mistakes,
            "cell": options.place or "",
            "pause": self.pause,
        } | changed
        if every["questions"] == _DEFAULT_QUESTIONS:
            del every["questions"]
        return {name: text for name, text in every.items() if text}

    def link(self, **changed: str) -> str:
        """Return the address of the drills with these options."""
        return address("/drills", **self.fields(**changed))


def read_drill_form(fields: Fields, default: Rules) -> tuple[DrillForm, dict[str, str]]:
    """Read the options, and the sentence of each faulty field, which then has its default."""
    faults: dict[str, str] = {}

    def attempt(name: str, read: Callable[[], Found], otherwise: Found) -> Found:
        try:
            return read()
        except BlackjackError as error:
            faults[name] = as_sentence(str(error))
            return otherwise

    rules = attempt("r", lambda: _read_rules(fields, default), default)
    options = DrillOptions(rules=rules)
    for name in _TEXTS:
        text = _read_classes(fields) if name == "classes" else fields.text(name)
        if text:
            options = attempt(name, partial(options.with_text, name, text), options)
    if cell := fields.text("cell"):
        options = attempt("cell", partial(options.with_text, "place", cell), options)
    mistakes = attempt("mistakes", lambda: _one_of(fields, "mistakes", tuple(MISTAKE_PERIODS)), "")
    form = DrillForm(
        options=replace(options, mistakes=mistakes == "ever"),
        questions=attempt("questions", lambda: _read_questions(fields), _DEFAULT_QUESTIONS),
        minutes=attempt("minutes", lambda: _read_minutes(fields), ""),
        speed=attempt("speed", lambda: _read_speed(fields), ""),
        mistakes=mistakes,
        pause=attempt("pause", lambda: _one_of(fields, "pause", ("", "always")), ""),
    )
    return form, faults


def _read_rules(fields: Fields, default: Rules) -> Rules:
    """Read the rules, then a house or a number of decks chosen in the form."""
    rules = Rules.parse(fields.text("r")) if fields.text("r") else default
    house = fields.text("house")
    if house and house != rules.name and house in house_names():
        return load_house(house).rules
    return read_switches(fields, rules) or rules


def _read_classes(fields: Fields) -> str:
    """Return the classes that are ticked, or written in one text; empty for all."""
    ticked = [name for name in CLASSES if fields.text(f"class-{name}")]
    if ticked:
        return "" if len(ticked) == len(CLASSES) else ",".join(ticked)
    return fields.text("classes")


def _one_of(fields: Fields, name: str, known: tuple[str, ...]) -> str:
    text = fields.text(name)
    if text not in known:
        msg = f"{text!r} is not one of {', '.join(filter(None, known))}"
        raise DrillError(msg)
    return text


def _read_questions(fields: Fields) -> str:
    text = fields.text("questions", _DEFAULT_QUESTIONS)
    return "" if text == "none" else _read_whole(text, "questions", _MOST_QUESTIONS)


def _read_minutes(fields: Fields) -> str:
    return _read_whole(fields.text("minutes"), "minutes", _MOST_MINUTES)


def _read_whole(text: str, name: str, most: int) -> str:
    number = whole_number(text) if text else 0
    if number is None or not (0 <= number <= most) or (text and not number):
        msg = f"{text!r} are no {name}: a whole number from 1 to {most}"
        raise DrillError(msg)
    return text


def _read_speed(fields: Fields) -> str:
    text = fields.text("speed")
    seconds = exact_number(text) if text else None
    least, most = _SPEEDS_SECONDS
    if text and (seconds is None or not least <= seconds <= most):
        msg = f"{text!r} are no seconds for a group: a number from {float(least):g} to {most}"
        raise DrillError(msg)
    return text
