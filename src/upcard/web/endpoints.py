"""Endpoints: typed functions, whose keyword parameters are the fields of an address or a form.

    @endpoint("GET /learn", page="learn", view=LearnView)
    async def show_page(request: Request, *, q: Annotated[str, "words to search for"] = "") -> ...

The signature is all that a field needs: from it come the reader, the refusal of what cannot be
read, and the page of the documents. A parameter is one of these:

- a text, `Annotated[str, help]`, without blanks around it; its default if it was not sent;
- a mark, `Annotated[bool, help]`, which is set by the text `1`;
- several texts of one name, `Annotated[tuple[str, ...], help]`, each once;
- a value, `Annotated[T, Field(read, help)]`, whose fault is refused with the sentence;
- a form: a dataclass of such texts;
- texts by their names, `Annotated[dict[str, str], helps]`, of those of the helps that were sent;
- all that was sent, `Annotated[Fields, Others(...)]`, where the names depend on the game.
"""

from __future__ import annotations

import dataclasses
import inspect
import sys
from collections import defaultdict
from collections.abc import Awaitable, Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, wraps
from http import HTTPStatus
from typing import Annotated, Any, Final, get_args, get_origin

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from upcard.core.errors import BlackjackError, as_sentence
from upcard.core.fields import Field
from upcard.rules.model import Rules
from upcard.web.reading import Fields, RefusedError, list_switches, read_form, read_query

Handler = Callable[..., Awaitable[Response]]


@dataclass(frozen=True, slots=True)
class Others:
    """Fields whose names depend on the game, or on the question."""

    name: str
    """The fields in words: `a switch`."""
    help: str
    names: Callable[[], Collection[str]]
    """Returns the names that are possible."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """A parameter of an endpoint, as its signature has it."""

    keyword: str
    """Its name in the signature."""
    kind: Any
    """Its type: `str`, `bool`, `tuple[str, ...]`, a dataclass or `Fields`."""
    about: Any
    """Its help, `Field`, helps by name or `Others`; None for a form."""
    default: Any

    @property
    def name(self) -> str:
        """Its name as a field; `with_` and `from_` are words of Python."""
        return self.keyword.removesuffix("_")

    def read(self, sent: Fields) -> Any:  # noqa: ANN401 (its type)
        """Return the value. Raises: BlackjackError for a text that cannot be read."""
        if isinstance(self.about, Field):
            text = sent.text(self.name)
            return self.about.read(text) if text else self.default
        if isinstance(self.about, Mapping):
            return {name: sent.text(name) for name in self.about if name in sent}
        if self.kind is Fields:
            return sent
        if isinstance(self.kind, type) and dataclasses.is_dataclass(self.kind):
            return read_texts(self.kind, sent)
        if self.kind is bool:
            return sent.text(self.name) == "1"
        if get_origin(self.kind) is tuple:
            return sent.texts(self.name)
        return sent.text(self.name) if self.name in sent else self.default


class Endpoint:
    """The fields of an endpoint, and its answer."""

    def __init__(self, function: Handler, *, page: str, view: type | None, answer: str) -> None:
        self._function = function
        self.page = page
        self.view = view
        self.answer = answer
        """The answer in words, where it is not a page."""

    @cached_property
    def parameters(self) -> tuple[Parameter, ...]:
        """The fields, from the signature."""
        names = vars(sys.modules[self._function.__module__])
        found = []
        for name, one in inspect.signature(self._function).parameters.items():
            if one.kind is not one.KEYWORD_ONLY:
                continue
            hint: Any = eval(one.annotation, names)  # noqa: S307 (our own source)
            is_annotated = get_origin(hint) is Annotated
            kind, about = get_args(hint)[:2] if is_annotated else (hint, None)
            found.append(Parameter(keyword=name, kind=kind, about=about, default=one.default))
        return tuple(found)

    def read(self, sent: Fields) -> Iterator[tuple[str, Any]]:
        """Iterate over the values of the parameters. Raises: RefusedError for faulty fields."""
        faults: dict[str, str] = {}
        for one in self.parameters:
            try:
                yield one.keyword, one.read(sent)
            except BlackjackError as error:
                faults[one.name] = as_sentence(str(error))
        if faults:
            words = " ".join(faults.values())
            raise RefusedError(HTTPStatus.UNPROCESSABLE_ENTITY, "invalid", words, faults)


def read_texts(form: type, sent: Fields) -> Any:  # noqa: ANN401 (the form)
    """Return a form, a dataclass of texts; a field that was not sent has its default."""
    names = {one.name: one.name.removesuffix("_") for one in dataclasses.fields(form)}
    return form(**{name: sent.text(of) for name, of in names.items() if of in sent})


ROUTES: Final[defaultdict[str, list[Route]]] = defaultdict(list)
"""The routes of each module by its name, in the order of its endpoints."""


def endpoint(
    place: str, *, page: str = "", view: type | None = None, answer: str = ""
) -> Callable[[Handler], Handler]:
    """Make the handler of a place, such as `POST /runs`.

    It answers a `page` whose JSON is `view`, or an `answer`.
    """
    method, path = place.split()

    def decorate(function: Handler) -> Handler:
        asked = Endpoint(function, page=page, view=view, answer=answer)

        @wraps(function)
        async def handle(request: Request) -> Response:
            if not asked.parameters:
                return await function(request)
            sent = await read_form(request) if method == "POST" else read_query(request)
            return await function(request, **dict(asked.read(sent)))

        handle.endpoint = asked  # type: ignore[attr-defined]
        ROUTES[function.__module__].append(Route(path, handle, methods=[method]))
        return handle

    return decorate


Game = Annotated[str | None, "rules: a house or notation, such as `6D H17 LS`"]
"""The game of an address."""
SWITCHES: Final = Others(
    "a switch",
    "a switch by its `field`, such as `soft_17=hits`; leads to the changed game",
    lambda: {switch.field for switch in list_switches(Rules())},
)
"""The switches of the rules."""
Version = Annotated[str | None, "the version that was seen"]
"""The version of a table or a drill that a move answers."""
