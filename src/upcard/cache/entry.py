"""One saved value as text: a checksum, the question, and the value or the refusal."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any, Final, Generic, NamedTuple, TypeVar

from upcard.cache.form import MalformedError, from_form, to_form
from upcard.core.errors import (
    BlackjackError,
    EmptyShoeError,
    NoExactValueError,
    UnsupportedRuleError,
)
from upcard.core.user_files import parse_json
from upcard.rules.model import RULE_NAMES

if TYPE_CHECKING:
    from collections.abc import Callable

    from upcard.cache.form import Form
    from upcard.rules.model import Rules

Result = TypeVar("Result")

REFUSALS: Final = (UnsupportedRuleError, NoExactValueError, EmptyShoeError)
"""Errors that are answers: with the same rules the solver raises them again."""
_HEAD: Final = "upcard saved value 1"
_BY_NAME: Final[dict[str, type[BlackjackError]]] = {kind.__name__: kind for kind in REFUSALS}
_ID_DIGITS: Final = 40


class SavedQuestion(NamedTuple, Generic[Result]):
    """A question to a solver."""

    kind: str
    """Kind of the result, a short word: part of a file's name."""
    rules: Rules
    asked: tuple[Any, ...]
    """All that the result depends on besides the rules, as JSON values."""
    form: Form
    """Type of the result."""
    compute: Callable[[], Result]

    @property
    def key(self) -> str:
        """The question as a line of text: equal questions have equal keys."""
        rules = {name: str(getattr(self.rules, name)) for name in RULE_NAMES}
        return json.dumps([self.kind, rules, *self.asked], separators=(",", ":"))

    @property
    def name(self) -> str:
        """The kind and a hash of the key."""
        return f"{self.kind}-{hashlib.sha256(self.key.encode()).hexdigest()[:_ID_DIGITS]}"


class SavedRefusal(NamedTuple):
    """An error that was the answer to a question."""

    error: BlackjackError


def write_content(question: SavedQuestion[Result], outcome: Result | SavedRefusal) -> str:
    """Return a result or a refusal as a line of JSON.

    Raises: MalformedError for a value that would not be read back.
    """
    if isinstance(outcome, SavedRefusal):
        error = outcome.error
        words = error.__reduce__()[1] if isinstance(error, UnsupportedRuleError) else error.args
        content = {"refusal": [type(error).__name__, *words]}
    else:
        content = {"value": to_form(outcome, question.form)}
    return json.dumps(content, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def read_content(question: SavedQuestion[Result], content: str) -> Result | SavedRefusal:
    """Read what `write_content` wrote. Raises: MalformedError for anything else."""
    try:
        document = parse_json(content, "saved value")
        if "refusal" in document:
            name, *words = document["refusal"]
            if not all(isinstance(word, str) for word in words):
                raise MalformedError(f"{words!r} are no words")
            return SavedRefusal(_BY_NAME[name](*words))
        value: Result = from_form(document["value"], question.form, question.rules)
    except (KeyError, TypeError, ValueError, BlackjackError) as error:
        raise MalformedError(str(error)) from None
    return value


def write_entry(question: SavedQuestion[Result], content: str) -> bytes:
    """Return the bytes of a file with a saved value."""
    body = f"{question.key}\n{content}\n"
    return f"{_HEAD} {_checksum(body)}\n{body}".encode()


def read_entry(question: SavedQuestion[Result], data: bytes) -> Result | SavedRefusal:
    """Read the bytes of a file. Raises: MalformedError if it is damaged or of another question."""
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
