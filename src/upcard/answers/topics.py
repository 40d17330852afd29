"""Questions that need no front-end of their own: one function each is a command, a page, a screen.

A topic is a module of this package with a function `answer`. Its parameters are the fields that a
person fills in; the help, the reader and the default of each are in its signature. The function
returns a `Sheet`, which every front-end paints in the same way.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import EnumType, Flag
from functools import cached_property, partial
from importlib import import_module
from inspect import Parameter, signature
from typing import TYPE_CHECKING, Any, Final, get_type_hints

from upcard.core.errors import BlackjackError, NotationError, as_sentence, quote

if TYPE_CHECKING:
    from upcard.core.figure import AnswerTable, Figure
    from upcard.rules.model import Rules

RULES: Final = "rules"
"""The parameter with the game, which every front-end has a way of its own to choose."""
GIVEN: Final = "is_given"
"""The parameter that says whether that game was chosen for the question, for a question that has a
game of its own; else it is the one on the screen."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """An answer as sentences, figures and tables."""

    title: str
    """The question in words."""
    rules: str = ""
    """The game, in notation; empty without one."""
    findings: tuple[str, ...] = ()
    """The answer in words, a sentence each."""
    sentences: tuple[str, ...] = ()
    """Assumptions, and facts worth knowing, a sentence each."""
    figures: tuple[Figure, ...] = ()
    """Numbers that stand alone."""
    tables: tuple[AnswerTable, ...] = ()


@dataclass(frozen=True, slots=True)
class Field:
    """A field: its reader, and its help.

    The reader is any function or type: `int`, `Fraction`, an enumeration, which is read by the
    values or names of its members. What it raises is a NotationError with the text and the help; an
    error of upcard stays as it is.
    """

    read: Callable[[str], Any]
    """Returns the value of a text. Raises: BlackjackError for a text that it refuses."""
    help: str
    metavar: str = "TEXT"
    """The value in the help of a command."""
    choices: tuple[str, ...] = ()
    """The texts to choose from; empty where any is read."""
    no_choice: str = "not known"
    """Name of the empty text among the choices."""
    typed: str = ""
    """The text that the full screen shows to be changed; empty where it does not ask."""
    save: Callable[[Any], None] | None = None
    """Saves a value, which a page sends by a form of its own; None for any other field."""

    def __post_init__(self) -> None:
        """Let whatever the reader raises be a refusal."""
        object.__setattr__(self, "read", partial(_read_safely, self.read, self.help))


# By name: the modules of Decimal and Fraction are not loaded for the help of a command.
_KINDS: Final = {
    "int": "a whole number",
    **dict.fromkeys(("float", "complex", "Decimal"), "a number"),
    "Fraction": "a number or a fraction",
}
_YES_NO: Final = {"yes": True, "no": False, "true": True, "false": False, "1": True, "0": False}


def _read_safely(read: Callable[[str], Any], about: str, text: str) -> Any:  # noqa: ANN401 (any)
    """Return what a reader returns. Raises: NotationError for all that it raises."""
    shown, wanted = quote(text), f" {as_sentence(about)}"
    if isinstance(read, EnumType):
        members: dict[str, Any] = dict(read.__members__)
        is_named = any(not isinstance(one.value, int | str) for one in members.values())
        names = {
            (name if is_named or issubclass(read, Flag) else str(one.value)).lower(): one
            for name, one in members.items()
        }
        return _choose(text, {name.lower(): one for name, one in members.items()}, names, wanted)
    if read is bool:  # which takes every text for true
        return _choose(text, _YES_NO, {"yes": True, "no": False}, wanted)
    try:
        value = read(text)
    except BlackjackError:
        raise
    except Exception as error:
        kind = _KINDS.get(read.__name__) if isinstance(read, type) else None
        why = f"{type(error).__name__}: {quote(str(error))[1:-1]}"
        reason = f" cannot be read ({why})." if kind is None else f" is not {kind}."
        raise NotationError(f"{shown}{reason}{wanted}") from error
    if (isinstance(value, float) or type(value).__name__ == "Decimal") and not math.isfinite(value):
        raise NotationError(f"{shown} is not a number.{wanted}")
    return value


def _choose(text: str, known: dict[str, Any], names: dict[str, Any], wanted: str) -> Any:  # noqa: ANN401 (any)
    word = text.strip().lower()
    if word not in known and word not in names:
        raise NotationError(f"{quote(text)}: choose one of {', '.join(names)}.{wanted}")
    return names[word] if word in names else known[word]


def choice(choices: Iterable[str], help: str) -> Field:  # noqa: A002 (the field's own name)
    """Return a field that takes one of some texts, in any case."""
    known = {text.lower(): text for text in choices}

    def read(text: str) -> str:
        found = known.get(text.strip().lower())
        if found is None:
            raise NotationError(f"{quote(text)}: choose one of {', '.join(known.values())}")
        return found

    return Field(read, help, "NAME", tuple(known.values()))


SHOE: Final = Field(
    str, 'Cards before the deal, such as "6D less T T 5", or ten numbers, ace to ten.'
)
"""The shoe of a question."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedField:
    """A field as a question asks it."""

    name: str
    field: Field
    default: Any
    """Value of an empty text; `Parameter.empty` where there must be a text."""

    def read(self, text: str) -> Any:  # noqa: ANN401 (what the function takes)
        """Return the value of a text; an empty one is the default.

        Raises: BlackjackError for a text that its reader refuses, or an empty one without default.
        """
        if text:
            return self.field.read(text)
        if self.default is Parameter.empty:
            raise NotationError(f"{self.name} is empty. {as_sentence(self.field.help)}")
        return self.default


@dataclass(frozen=True, kw_only=True)
class Topic:
    """A question, by the name of its module."""

    name: str
    title: str
    """The question in words."""
    about: str
    """The same as an instruction, for lists of commands."""
    changes: bool = False
    """Whether the answer changes with what is saved, so that it is remembered only for seconds."""
    simulates: bool = False
    """Whether the answer may need a simulation, which takes seconds."""

    @cached_property
    def answer(self) -> Callable[..., Sheet]:
        """The function that answers it."""
        function: Callable[..., Sheet] = import_module(f"upcard.answers.asked.{self.name}").answer
        return function

    @cached_property
    def takes_rules(self) -> bool:
        """Whether it is about a game that is chosen before; else it finds one."""
        return RULES in signature(self.answer).parameters

    @cached_property
    def has_own_game(self) -> bool:
        """Whether what it is about may have a game of its own, used where none is given."""
        return GIVEN in signature(self.answer).parameters

    def ask(self, rules: Rules, *, is_given: bool = True, **values: Any) -> Sheet:
        """Answer it, for a game if it takes one, which was given or is the one on the screen.

        A field that is not given has its default. Raises: NotationError without one that has none.
        """
        for one in self.fields:
            if one.name not in values:
                values[one.name] = one.read("")
        if not self.takes_rules:
            return self.answer(**values)
        if self.has_own_game:
            values[GIVEN] = is_given
        return self.answer(rules, **values)

    @cached_property
    def fields(self) -> tuple[AskedField, ...]:
        """The fields of the question beside the game, from the signature."""
        hints = get_type_hints(self.answer, include_extras=True)
        return tuple(
            AskedField(name=name, field=hints[name].__metadata__[0], default=one.default)
            for name, one in signature(self.answer).parameters.items()
            if name not in (RULES, GIVEN)
        )


TOPICS: Final = {
    topic.name: topic
    for topic in (
        Topic(
            name="dealer",
            title="How the dealer ends",
            about="Show how often the dealer ends with each total, by upcard.",
        ),
        Topic(
            name="sidebet",
            title="Side bets",
            about="Show what a side bet costs in this game or in any shoe, and a count for it.",
        ),
        Topic(
            name="mastery",
            title="What you know",
            about="Show the chart as a map of what you know, its cost, your days and your goal.",
            changes=True,
        ),
        Topic(
            name="find",
            title="Find your game",
            about="Find the rules of a table from its place, its decks and the signs on the felt.",
        ),
        Topic(
            name="compare",
            title="Which game to play",
            about="Compare games: what each costs or earns, what changes, which one to play.",
            simulates=True,
        ),
    )
}
"""The questions; a new one is a module, and a row here."""
