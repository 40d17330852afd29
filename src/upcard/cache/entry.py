"""One saved value as text: a checksum, the question, and the value, read back by its types.

Nothing is unpickled, so that a file of another person can give a wrong number and nothing worse.
Python writes a float with as many digits as it takes to read back the same bits.
"""

import dataclasses
import hashlib
import json
import math
import typing
from collections.abc import Callable
from contextlib import suppress
from enum import Enum
from functools import cache
from types import NoneType, UnionType
from typing import Any, Final, Generic, NamedTuple, TypeAlias, TypeVar, Union

from upcard.core import errors
from upcard.core.user_files import parse_json
from upcard.rules.model import RULE_NAMES, Rules

ValueType: TypeAlias = Any
"""A type: of numbers and texts, of dataclasses, or a tuple, dictionary or union of such types."""

_INFINITE: Final = {"inf": math.inf, "-inf": -math.inf}
_PLAIN: Final = (bool, int, str)


class MalformedError(ValueError):
    """Saved text that is not a value of the expected type."""


def write_value(value: Any, of: ValueType) -> Any:  # noqa: ANN401 (JSON)
    """Return a value as JSON; rules are left out, since the caller has them."""
    if of is float:
        if math.isnan(value):
            raise MalformedError("not a number")
        return float(value) if math.isfinite(value) else ("inf" if value > 0 else "-inf")
    if of in _PLAIN:
        return of(value)
    if of in (Rules, NoneType):
        return None
    if (parts := _parts_of(of)) is not None:
        return [write_value(getattr(value, name), part) for name, part in parts.items()]
    if isinstance(of, type) and issubclass(of, Enum):
        return value.value
    origin, inner = _split(of)
    if origin is tuple:
        types = _item_types(inner, value)
        return [write_value(item, each) for item, each in zip(value, types, strict=True)]
    if origin is dict:
        key, item = inner
        return [[write_value(one, key), write_value(other, item)] for one, other in value.items()]
    choices = _types_of_union(origin, inner)
    if value is None:
        return None
    fitting = (one for one in choices[:-1] if isinstance(value, one))
    return write_value(value, next(fitting, choices[-1]))


def read_value(written: Any, of: ValueType, rules: Rules) -> Any:  # noqa: ANN401 (of the type `of`)
    """Return the value that `write_value` wrote, with the `rules` of the caller."""
    if of is float:
        if isinstance(written, float):
            return written
        try:
            return _INFINITE[_expect(written, str)]
        except KeyError:
            raise MalformedError(f"{written!r} is not a number") from None
    if of in _PLAIN:
        return _expect(written, of)
    if of is Rules:
        return rules
    if (parts := _parts_of(of)) is not None:
        fields = _expect(written, list)
        if len(fields) != len(parts):
            raise MalformedError(f"{len(fields)} fields of {of.__name__}")
        read = {
            name: read_value(field, part, rules)
            for (name, part), field in zip(parts.items(), fields, strict=True)
        }
        return of(**read)
    if isinstance(of, type) and issubclass(of, Enum):
        return of(written)
    origin, inner = _split(of)
    if origin is tuple:
        items = _expect(written, list)
        types = _item_types(inner, items)
        return tuple(read_value(item, each, rules) for item, each in zip(items, types, strict=True))
    if origin is dict:
        pairs = [_expect(pair, list) for pair in _expect(written, list)]
        key, item = inner
        return {read_value(one, key, rules): read_value(other, item, rules) for one, other in pairs}
    choices = _types_of_union(origin, inner)
    if written is None and NoneType in inner:
        return None
    for one in choices[:-1]:
        with suppress(ValueError):
            return read_value(written, one, rules)
    return read_value(written, choices[-1], rules)


def _expect(written: Any, kind: type) -> Any:  # noqa: ANN401 (of the type `kind`)
    if type(written) is not kind:
        raise MalformedError(f"{written!r} is no {kind.__name__}")
    return written


@cache
def _parts_of(of: ValueType) -> dict[str, ValueType] | None:
    """Return the types of the fields of a dataclass or a named tuple; None for another type."""
    if not isinstance(of, type) or of is Rules:
        return None
    if issubclass(of, tuple) and hasattr(of, "_fields"):
        return typing.get_type_hints(of)
    if not dataclasses.is_dataclass(of):
        return None
    hints = typing.get_type_hints(of)
    return {field.name: hints[field.name] for field in dataclasses.fields(of) if field.init}


def _split(of: ValueType) -> tuple[Any, tuple[ValueType, ...]]:
    """Return a generic type and its parameters; of a class those of its base."""
    if isinstance(of, type) and issubclass(of, dict):
        of = of.__dict__["__orig_bases__"][0]
    return typing.get_origin(of), typing.get_args(of)


def _item_types(inner: tuple[ValueType, ...], items: Any) -> tuple[ValueType, ...]:  # noqa: ANN401
    if len(inner) == 2 and inner[1] is Ellipsis:
        return (inner[0],) * len(items)
    if len(inner) != len(items):
        raise MalformedError(f"{len(items)} items instead of {len(inner)}")
    return inner


def _types_of_union(origin: object, inner: tuple[ValueType, ...]) -> list[ValueType]:
    """Return the types of a union but None; a value is of the first of them that reads it."""
    types = [one for one in inner if one is not NoneType]
    if origin not in (Union, UnionType) or not types:
        raise TypeError(f"no type is known for {origin}{inner}")
    return types


Result = TypeVar("Result")

REFUSALS: Final = (errors.UnsupportedRuleError, errors.NoExactValueError, errors.EmptyShoeError)
"""Errors that are answers: with the same rules the solver raises them again."""
_HEAD: Final = "upcard saved value 1"
_BY_NAME: Final[dict[str, type[errors.BlackjackError]]] = {kind.__name__: kind for kind in REFUSALS}
_ID_DIGITS: Final = 40


class SavedQuestion(NamedTuple, Generic[Result]):
    """A question to a solver."""

    kind: str
    """Kind of the result, one of `recall.KINDS`."""
    rules: Rules
    asked: tuple[Any, ...]
    """All that the result depends on besides the rules, as JSON values."""
    value_type: ValueType
    """Type of the result."""
    compute: Callable[[], Result]

    @property
    def key(self) -> str:
        """The question as a line of text: equal questions have equal keys.

        No value of the main game depends on its side bets.
        """
        names = [name for name in RULE_NAMES if name != "side_bets"]
        rules = {name: str(getattr(self.rules, name)) for name in names}
        return json.dumps([self.kind, rules, *self.asked], separators=(",", ":"))

    @property
    def name(self) -> str:
        """The kind and a hash of the key."""
        return f"{self.kind}-{hashlib.sha256(self.key.encode()).hexdigest()[:_ID_DIGITS]}"


class SavedRefusal(NamedTuple):
    """An error that was the answer to a question."""

    error: errors.BlackjackError


def write_content(question: SavedQuestion[Result], outcome: Result | SavedRefusal) -> str:
    """Return a result or a refusal as a line of JSON."""
    if isinstance(outcome, SavedRefusal):
        error = outcome.error
        is_about_rule = isinstance(error, errors.UnsupportedRuleError)
        words = error.__reduce__()[1] if is_about_rule else error.args
        content = {"refusal": [type(error).__name__, *words]}
    else:
        content = {"value": write_value(outcome, question.value_type)}
    return json.dumps(content, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def read_content(question: SavedQuestion[Result], content: str) -> Result | SavedRefusal:
    """Read what `write_content` wrote."""
    try:
        document = parse_json(content, "saved value")
        if "refusal" in document:
            name, *words = document["refusal"]
            if not all(isinstance(word, str) for word in words):
                raise MalformedError(f"{words!r} are not words")
            return SavedRefusal(_BY_NAME[name](*words))
        value: Result = read_value(document["value"], question.value_type, question.rules)
    except (KeyError, TypeError, ValueError, errors.BlackjackError) as error:
        raise MalformedError(str(error)) from None
    return value


def write_entry(question: SavedQuestion[Result], content: str) -> bytes:
    """Return the bytes of a file with a saved value."""
    body = f"{question.key}\n{content}\n"
    return f"{_HEAD} {_checksum(body)}\n{body}".encode()


def read_entry(question: SavedQuestion[Result], data: bytes) -> Result | SavedRefusal:
    """Read the bytes of a file."""
    try:
        head, _, body = data.decode().partition("\n")
    except UnicodeDecodeError:
        raise MalformedError("not UTF-8") from None
    key, _, content = body.partition("\n")
    if head != f"{_HEAD} {_checksum(body)}" or key != question.key:
        raise MalformedError("damaged, or another question's")
    return read_content(question, content)


def _checksum(body: str) -> str:
    return hashlib.sha256(body.encode()).hexdigest()
