"""A field that a person fills in: its help, its reader, its default; all doors read it from here.

A form is the annotations of a function or a dataclass: `Annotated[int, Field(int, "Rounds.")]`. Its
options, pages and Python keywords follow from them.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import EnumType, Flag
from functools import cache, partial
from inspect import Parameter, signature
from types import FunctionType
from typing import Any, Final, TypeVar, get_type_hints

from upcard.core.errors import BlackjackError, NotationError, RulesError, as_sentence, quote


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
    no_choice: str = "by default"
    """Name of the empty text among the choices."""
    describe: Callable[[str], str] | None = None
    """Returns what a choice is, in words."""
    suggestions: tuple[str, ...] = ()
    """Texts that are offered, where others are read too."""
    typed: str = ""
    """The text that the full screen shows to be changed, and a page where there must be one or the
    default has a name; empty where the screen does not ask."""
    save: Callable[[Any], None] | None = None
    """Saves a value, which a page sends by a form of its own; None for any other field."""
    is_word: bool = False
    """Whether it is a word of the command, without the name of an option."""
    many: str = ""
    """The characters between several values on a page, such as `,;`, and of a command between some
    of its choices; empty for one value."""
    takes_minus: bool = False
    """Whether a word of the command may begin with a minus sign, as a number does."""
    takes_rest: bool = False
    """Whether words of the command that belong to nothing are more values of this field."""
    paste: Callable[[str], Any] | None = None
    """Reads what is pasted into a page, where `read` takes the name of a file."""
    is_for_pages: bool = True
    """Whether pages and the screen have it; else commands and Python alone, as of a file to save.
    """
    listed: tuple[str, Callable[[], Mapping[str, str]]] | None = None
    """A heading, and what returns texts with a line about each, for the help of the command."""
    is_format: bool = False
    """Whether it is the format of a text, the first choice for people; a file's ending says it."""
    option: str = ""
    """Name of the command's option, such as `-o`; empty where it is that of the field."""
    sets: str = ""
    """The text that the command's option sets, which has none itself; empty for any other."""
    title: str = ""
    """The name in words for people, where it is another one."""
    ruler: tuple[str, ...] = ()
    """Texts in order, through which a slider moves; any other is read too."""
    in_json: str = ""
    """The part that people alone see with it, as the answer for programs has it anyway: a command
    refuses both together."""
    is_mark: bool = field(init=False)
    """Whether it is set or not, without a text."""

    @property
    def is_pasted(self) -> bool:
        """Whether the text of a file is pasted into a page, as one value whatever is in it."""
        return self.paste is not None and self.metavar == "FILE"

    def __post_init__(self) -> None:
        """Let whatever the readers raise be a refusal."""
        object.__setattr__(self, "is_mark", (*getattr(self.read, "args", ()), self.read)[0] is bool)
        for name in ("read", "paste"):
            read = getattr(self, name)
            if read is not None and getattr(read, "func", None) is not _read_safely:
                object.__setattr__(self, name, partial(_read_safely, read, self.help))


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


def choice(
    choices: Iterable[str],
    help: str,  # noqa: A002 (the field's own name)
    no_choice: str = "by default",
    **more: Any,
) -> Field:
    """Return a field that takes one of some texts, in any case; `more` is about the field."""
    known = {text.lower(): text for text in choices}

    def read(text: str) -> str:
        found = known.get(text.strip().lower())
        if found is None:
            raise NotationError(f"{quote(text)}: choose one of {', '.join(known.values())}")
        return found

    return Field(read, help, "NAME", tuple(known.values()), no_choice, **more)


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedField:
    """A field as a form asks it."""

    name: str
    field: Field
    default: Any
    """Value of an empty text; `Parameter.empty` where there must be a text."""

    @property
    def needs_text(self) -> bool:
        """Whether there must be a text."""
        return self.default is Parameter.empty

    @property
    def title(self) -> str:
        """The name in words."""
        words = self.field.title or self.name.replace("_", " ")
        return words[:1].upper() + words[1:]

    @property
    def option(self) -> str:
        """The option of the command."""
        return self.field.option or f"--{self.name.replace('_', '-')}"

    @property
    def hint(self) -> str:
        """The help where a text is typed, with the texts to choose from."""
        words, texts = self.field.help, ", ".join(self.field.choices)
        if self.field.is_mark:
            return f"yes: {words[:1].lower()}{words[1:]}"
        return f"{words.removesuffix('.')}: {texts}." if texts else words

    @property
    def offered(self) -> dict[str, str]:
        """The texts to choose from with their words, the empty one first; none if any is typed."""
        field = self.field
        texts = field.choices or field.suggestions or ("yes",) * field.is_mark
        words = {text: field.describe(text) if field.describe else text for text in texts}
        return words if field.typed or not texts else {"": field.no_choice, **words}

    def read(self, text: str) -> Any:  # noqa: ANN401 (what the function takes)
        """Return the value of a text of a page; an empty one is the default.

        Raises: BlackjackError for a text that its reader refuses, or an empty one without default.
        """
        if not text.strip():
            return self._take_default()
        read = self.field.paste or self.field.read
        if not self.field.many:
            return read(text)
        parts = [text]
        if not self.field.is_pasted:
            parts = re.split(f"[{re.escape(self.field.many)}\n]", text)
        return tuple(read(part.strip()) for part in parts if part.strip()) or self._take_default()

    def read_words(self, words: Sequence[str]) -> Any:  # noqa: ANN401 (what the function takes)
        """Return the value of the words of a command: each is a value where there are several.

        Raises: as `read` does.
        """
        if not words:
            return self._take_default()
        if self.field.many:
            return tuple(value for word in words for value in self.read_word(word))
        return self.field.read(" ".join(words))

    def read_word(self, word: str) -> tuple[Any, ...]:
        """Return the values of a word of a command; choices have no characters between them."""
        parts = re.split(f"[{re.escape(self.field.many)}]", word) if self.field.choices else [word]
        return tuple(map(self.field.read, parts))

    def take(self, value: Any) -> Any:  # noqa: ANN401 (what the function takes)
        """Return the value of what Python gives: texts and numbers are read as a command's are.

        Raises: as `read` does; NotationError for True and False where nothing is only set or not,
        for None as a part or where a text is needed, and for an object where a text is read.
        """
        if self.field.is_mark and isinstance(value, bool):
            return value
        if self.field.many and isinstance(value, tuple | list):
            return tuple(one for part in value for one in self._take_part(part))
        if value is None and not self.needs_text:
            return None
        self._refuse_other(value)
        return self.read_words([str(value)]) if isinstance(value, str | int | float) else value

    def _take_part(self, part: Any) -> tuple[Any, ...]:  # noqa: ANN401 (what the function takes)
        self._refuse_other(part)
        return self.read_word(str(part)) if isinstance(part, str | int | float) else (part,)

    def _refuse_other(self, value: Any) -> None:  # noqa: ANN401 (what the function takes)
        is_text = isinstance(value, str | int | float)
        if value is None or isinstance(value, bool) or (self.field.read is str and not is_text):
            given = f"{self.name}={value!r:.40}"
            raise NotationError(f"{given} is not a value here. {as_sentence(self.field.help)}")

    def write(self, value: Any) -> str:  # noqa: ANN401 (what the function takes)
        """Return the text of a value, which a page reads; that of the default is empty."""
        if value == self.default:
            return ""
        if isinstance(value, tuple):
            return self.field.many[:1].join(map(str, value))
        if value is None or value is True:
            return "none" if value is None else "yes"
        from upcard.core.numbers import exact_number, format_chips

        number = None if isinstance(value, str) else exact_number(value)
        return str(value) if number is None else format_chips(number)

    def _take_default(self) -> Any:  # noqa: ANN401 (what the function takes)
        if self.needs_text:
            raise NotationError(f"{self.name} is empty. {as_sentence(self.field.help)}")
        return self.default


class FieldClashError(RulesError):
    """Fields that do not go together; the text has their names in braces."""

    def __init__(self, text: str) -> None:
        self.text = text
        super().__init__(self.write(lambda name: name.replace("_", " ")))

    def write(self, name: Callable[[str], str]) -> str:
        """Return the text with the fields as a door names them: `--by-cards`."""
        return _name_fields(self.text, name)


class FieldFaultsError(RulesError):
    """Faults of a form, each at its field; the texts have names of fields in braces."""

    def __init__(self, fields: Mapping[str, str]) -> None:
        self.fields = dict(fields)
        super().__init__(*self.write(lambda name: name.replace("_", " ")).values())

    def write(self, name: Callable[[str], str]) -> dict[str, str]:
        """Return the texts by their fields, with the fields as a door names them."""
        return {field: _name_fields(text, name) for field, text in self.fields.items()}


def _name_fields(text: str, name: Callable[[str], str]) -> str:
    return re.sub(r"\{(?:\{|(\w+)\})", lambda found: name(found[1]) if found[1] else "{", text)


def refuse_fields(faults: Mapping[str, str]) -> FieldFaultsError:
    """Return the error of fields and their sentences, in which no field has its name in braces."""
    return FieldFaultsError({name: quote_names(words) for name, words in faults.items()})


def quote_names(text: object) -> str:
    """Return a text that was typed so that nothing in it is the name of a field."""
    return str(text).replace("{", "{{")


def refuse_given(text: str, **given: object) -> None:
    """Refuse the first of some fields that is given: not None, False or empty.

    Raises: FieldClashError with the text, in which `{}` is that field.
    """
    for name, value in given.items():
        if value is not None and value is not False and value != ():
            raise FieldClashError(text.replace("{}", f"{{{name}}}"))


Form = TypeVar("Form", bound="FormTerms")
Read = TypeVar("Read")


class FormTerms:
    """A base of dataclasses that are filled in: the fields of a form that several forms share.

    No reader in their annotations is a lambda: `get_type_hints` evaluates those of a class where
    a lambda does not see the names of its module.
    """

    __slots__ = ()


@cache
def list_fields(form: Callable[..., Any]) -> tuple[AskedField, ...]:
    """Return the fields of a function or a dataclass; those of `FormTerms` in it are its own.

    Other parameters have no `Field`.
    """
    return tuple(_iterate(form))


def _iterate(form: Callable[..., Any]) -> Iterator[AskedField]:
    for name, hint, default in _read_hints(form):
        notes = getattr(hint, "__metadata__", ())
        found = next((one for one in notes if isinstance(one, Field)), None)
        if found is not None:
            yield AskedField(name=name, field=found, default=default)
        elif is_form(hint):
            yield from list_fields(hint)


@cache
def _read_hints(form: Callable[..., Any]) -> tuple[tuple[str, Any, Any], ...]:
    asked = form
    if isinstance(form, FunctionType):  # what it returns may be a type that nothing has loaded yet
        asked = FunctionType(form.__code__, form.__globals__)
        notes = form.__annotations__.items()
        asked.__annotations__ = {name: one for name, one in notes if name != "return"}
    hints = get_type_hints(asked, include_extras=True)
    parameters = signature(form).parameters.values()
    return tuple((one.name, hints.get(one.name), one.default) for one in parameters)


def is_form(hint: object) -> bool:
    """Whether an annotation is a form, whose fields are among those of what takes it."""
    return isinstance(hint, type) and issubclass(hint, FormTerms)


def fill(form: Callable[..., Any], values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments of a function or dataclass, its forms made of the values by name.

    Raises: what the dataclasses raise for values that do not go together.
    """
    own = {one.name for one in list_fields(form)}
    filled = {name: value for name, value in values.items() if name not in own}
    for name, hint, _ in _read_hints(form):
        if is_form(hint):
            names = {one.name for one in list_fields(hint)} & values.keys()
            filled[name] = hint(**fill(hint, {one: values[one] for one in names}))
        elif name in values:
            filled[name] = values[name]
    return filled


def fill_each(form: Form, values: Mapping[str, Any]) -> tuple[Form, dict[str, BlackjackError]]:
    """Return a form with values, or texts of a page, and the fault of each field that is refused.

    They are taken in the order of the form: a field that is refused, alone or with those before it,
    keeps its value.
    """
    made: Callable[..., Any] = type(form)
    faults = {}
    for one in list_fields(made):
        if one.name in values:
            given = values[one.name]
            try:
                value = one.read(given) if isinstance(given, str) else given
                form = replace(form, **{one.name: value})  # type: ignore[type-var]
            except BlackjackError as error:
                faults[one.name] = error
    return form, faults


def read_asked(
    asked: Iterable[AskedField], texts: Mapping[str, str]
) -> tuple[dict[str, Any], dict[str, str]]:
    """Return the values of fields by their names, and the sentence of each faulty one."""
    read = {one.name: attempt(one.read, texts[one.name]) for one in asked}
    faults = {name: words for name, (_, words) in read.items() if words}
    return {name: value for name, (value, _) in read.items() if name not in faults}, faults


_MOST_FAULTS: Final = 3


def attempt(read: Callable[..., Read], *given: Any) -> tuple[Read | None, str]:
    """Return what a reader returns, and an empty text; None with a sentence for what it refuses."""
    try:
        return read(*given), ""
    except BlackjackError as error:
        return None, shorten(error)


def shorten(error: BlackjackError) -> str:
    """Write the first faults of a text as a sentence; a chart can have one a line."""
    faults = getattr(error, "faults", None) or (str(error),)
    more = len(faults) - _MOST_FAULTS
    shown = "; ".join(faults[:_MOST_FAULTS])
    return as_sentence(f"{shown}; and {more} more" if more > 0 else shown)
