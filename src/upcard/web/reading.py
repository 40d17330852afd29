"""Fields of queries and forms, the switches of rules among them; refusals of a page."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from http import HTTPStatus
from typing import Final
from urllib.parse import parse_qsl

from starlette.requests import Request

from upcard.core.errors import BlackjackError, RulesError, as_sentence
from upcard.core.fields import AskedField
from upcard.core.numbers import fields_of
from upcard.rules.model import Rules
from upcard.services import UnavailableError
from upcard.session.choice import RULE_CHOICES, RuleChoice, choose


class RefusedError(UnavailableError):
    """A request that a page cannot answer, with its status."""

    def __init__(
        self,
        status: HTTPStatus,
        error: str,
        words: str,
        fields: dict[str, str] | None = None,
        *,
        headers: dict[str, str] | None = None,
    ) -> None:
        """Refuse it; `fields` has the sentence of each faulty field."""
        super().__init__(error, words)
        self.status = status
        self.fields = fields or {}
        self.headers = headers or {}
        self.rules = ""
        """Rules of a practice table that is gone; empty if they are not known."""


_STATUS: Final = {
    "not-found": HTTPStatus.NOT_FOUND,
    "gone": HTTPStatus.GONE,
    "queue-full": HTTPStatus.TOO_MANY_REQUESTS,
    **dict.fromkeys(("running", "replaced", "left"), HTTPStatus.CONFLICT),
    **dict.fromkeys(("full", "busy"), HTTPStatus.SERVICE_UNAVAILABLE),
}


def refuse(error: UnavailableError) -> RefusedError:
    """Return the refusal of what cannot be had now."""
    if isinstance(error, RefusedError):
        return error
    return RefusedError(_STATUS[error.error], error.error, error.words)


def busy(words: str) -> RefusedError:
    """Return the refusal of a request that changed nothing and can be sent again."""
    headers = {"Retry-After": "1", "Connection": "close"}
    return RefusedError(HTTPStatus.SERVICE_UNAVAILABLE, "busy", words, headers=headers)


MOST_FIELDS: Final = 64
MOST_CHARS: Final = 2000
"""Characters of one text; the longest rules in notation have some 400."""
_FORM: Final = "application/x-www-form-urlencoded"


class Fields:
    """The texts of a request by name; of a repeated name the last counts, as for hidden fields."""

    def __init__(self, pairs: list[tuple[str, str]]) -> None:
        if len(pairs) > MOST_FIELDS:
            words = f"A form has at most {MOST_FIELDS} fields."
            raise RefusedError(HTTPStatus.BAD_REQUEST, "too-many-fields", words)
        for name, text in pairs:
            if len(text) > MOST_CHARS:
                words = f"This text has more than {MOST_CHARS} characters."
                raise RefusedError(
                    HTTPStatus.UNPROCESSABLE_ENTITY, "too-long", words, {name[:64]: words}
                )
        self._pairs = pairs
        self._texts = dict(pairs)

    def text(self, name: str, default: str = "") -> str:
        """Return a text without blanks around it."""
        return self._texts.get(name, default).strip()

    def texts(self, name: str) -> tuple[str, ...]:
        """Return all texts of a name, as those of ticked boxes, each once."""
        found = (text.strip() for known, text in self._pairs if known == name)
        return tuple(dict.fromkeys(filter(None, found)))

    def __contains__(self, name: str) -> bool:
        """Whether a field of this name came with the request."""
        return name in self._texts


def read_query(request: Request) -> Fields:
    """Return the fields of the address."""
    return Fields(request.query_params.multi_items())


async def read_form(request: Request) -> Fields:
    """Return the fields of a posted form."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != _FORM:
        words = f"A form is sent as {_FORM}."
        raise RefusedError(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "not-a-form", words)
    body = await request.body()
    try:
        pairs = parse_qsl(
            body.decode(), keep_blank_values=True, max_num_fields=MOST_FIELDS, errors="strict"
        )
    except ValueError:
        words = f"This is not a form of at most {MOST_FIELDS} fields in UTF-8."
        raise RefusedError(HTTPStatus.BAD_REQUEST, "not-a-form", words) from None
    return Fields(pairs)


def try_rules(text: str | None) -> tuple[Rules | None, str]:
    """Read rules; return None with a sentence if they are faulty, and alone if there are none."""
    if not text:
        return None, ""
    try:
        return Rules.parse(text), ""
    except BlackjackError as error:
        return None, as_sentence(str(error))


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetFieldView:
    """A field of a form."""

    name: str
    title: str
    """The name in words."""
    about: str
    """Help for the field."""
    choices: tuple[str, ...]
    """The texts to choose from; empty where any can be typed."""
    no_choice: str
    """Name of the empty text among the choices; empty where one is always chosen."""
    words: dict[str, str]
    """Choices and suggestions in words, where they have some."""
    suggestions: tuple[str, ...]
    """Texts that are offered, where others are read too."""
    kind: str
    """`choice`; `mark`, which is set by `yes`; `long`, a text that may be pasted; `number`; or
    `text`."""
    is_saved: bool
    """Whether `POST` saves it; `GET` does not read it."""
    text: str
    """The text as it was typed."""
    problem: str


def view_field(one: AskedField, text: str, problem: str = "") -> SheetFieldView:
    """Return a field with the text that was typed, and why it cannot be."""
    field = one.field
    offered = (*field.choices, *field.suggestions, *field.ruler)
    return SheetFieldView(
        **fields_of(one, "name", "title"),
        about=field.help,
        **fields_of(field, "choices", "no_choice", "suggestions"),
        words={} if field.describe is None else {text: field.describe(text) for text in offered},
        kind=_kind_of(one),
        is_saved=field.save is not None,
        text=text,
        problem=problem,
    )


def _kind_of(one: AskedField) -> str:
    if one.field.choices:
        return "choice"
    if one.field.is_mark and one.default is False:
        return "mark"
    return "long" if one.field.is_pasted else "text"


@dataclass(frozen=True, slots=True, kw_only=True)
class ChoiceView:
    """A field with its values and their words."""

    field: str
    name: str
    """The field in words."""
    about: str = ""
    """The effect of the field, or where it is used; may be empty."""
    value: str
    options: tuple[tuple[str, str], ...]
    """The values to choose from: value and words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OptionView:
    """One position of a switch."""

    words: str
    """The option in words; a form sends it as the value of the switch."""
    is_chosen: bool
    why_not: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SwitchView:
    """A rule that can be turned; `field` is its name in the form."""

    field: str
    name: str
    """The rule in words."""
    options: tuple[OptionView, ...]
    """The options, of which at most one is chosen."""
    is_known: bool
    """Whether one of the options is that of the house."""


@lru_cache(maxsize=64)
def list_switches(rules: Rules) -> tuple[SwitchView, ...]:
    """Return the switches as they stand by these rules."""
    return tuple(_look_at(switch, rules) for switch in RULE_CHOICES)


def list_turned(rules: Rules) -> tuple[tuple[str, str, Rules], ...]:
    """Return every game that is one switch away: the switch, its option, the rules."""
    return tuple(
        (switch.name, option.words, choose(switch, rules, position))
        for switch in RULE_CHOICES
        for position, option in enumerate(switch.options)
        if position != switch.position(rules) and not _why_not(switch, rules, position)
    )


def read_switches(fields: Fields, rules: Rules) -> Rules | None:
    """Return the rules with the switches of a form; None if the form has none."""
    asked = [switch for switch in RULE_CHOICES if _field(switch) in fields]
    for switch in asked:
        words = [option.words for option in switch.options]
        chosen = fields.text(_field(switch))
        if chosen not in words:
            raise RulesError(f"{switch.name} is one of {', '.join(words)}")
        position = words.index(chosen)
        if switch.position(rules) != position:
            rules = choose(switch, rules, position)
    return rules if asked else None


def _field(switch: RuleChoice) -> str:
    return next(iter(switch.options[0].changes))


def _look_at(switch: RuleChoice, rules: Rules) -> SwitchView:
    position = switch.position(rules)
    options = tuple(
        OptionView(
            words=option.words,
            is_chosen=index == position,
            why_not="" if index == position else _why_not(switch, rules, index),
        )
        for index, option in enumerate(switch.options)
    )
    return SwitchView(
        field=_field(switch), name=switch.name, options=options, is_known=position is not None
    )


def _why_not(switch: RuleChoice, rules: Rules, position: int) -> str:
    try:
        choose(switch, rules, position)
    except RulesError as error:
        return as_sentence(str(error))
    return ""
