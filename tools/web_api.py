"""The rest of docs/web-api.md: every address of `upcard web`, its fields, and the JSON it answers.

Addresses come from the routes of the server, fields from the signatures of their endpoints, shapes
from the dataclasses of the view models; a test asks every address and compares what comes with this
page.
"""

from __future__ import annotations

import inspect
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple

from view_shapes import (
    describe_fields,
    find_result,
    list_fields,
    list_inside,
    list_views,
    write_type,
)

from upcard.answers.questions import QUESTIONS
from upcard.core.errors import as_sentence
from upcard.core.fields import Field
from upcard.web import endpoints, showing
from upcard.web.drills.page import GoneView
from upcard.web.endpoints import Endpoint, Others
from upcard.web.page_routes import ROUTES, first_part

if TYPE_CHECKING:
    from collections.abc import Iterator

    from starlette.routing import Route

_USUAL: Final = {
    "rules": "the rules: notation, or the name of a house",
    "notation": "the rules as notation",
    "in_words": "a topic of the rules and its sentence, each",
    "problem": "the sentence about what is wrong; empty if nothing is",
    "faults": "a sentence for each faulty field",
    "permalink": "address of exactly this",
    "version": "the version; a change sends it as `v`",
    "why_none": "why there is nothing; empty if there is something",
    "standard_error": "standard error of the figure; None if it is not known",
    "houses": "the houses to choose from: name and title",
    "is_practice": "whether nothing is saved",
    "cell_words": "the cell in words; empty for all",
    "has_bets": "whether the house plays for chips",
    "voices": "the moments to choose from: value and words",
    "voice": "when the coach speaks: `before`, `after` or `silent`",
    "edge": "the exact edge; None until it is computed",
    "field": "name of the field",
    "outcome": "how it ended: `win`, `lose`, `push`, `natural`, `bust`, `surrender`",
    "name": "its name, as addresses and fields take it",
    "title": "its name for people",
    "text": "the same as text",
    "words": "the same in words",
    "sentence": "the same as a sentence",
    "explanation": "its lesson, in a few sentences",
    "is_chosen": "whether it is chosen now",
    "is_ready": "False while it is computed; then the rest is empty",
    "why_not": "why it cannot be chosen; empty if it can",
    "status": "the status as a word for programs",
    "status_words": "the status in words",
    "before": "address of the one before; empty at the first",
    "after": "address of the one after; empty at the last",
    "href": "its address",
    "house": "name of the house, or `own rules`",
    "game": "the rules in notation and in words",
    "table": "name of the table",
    "when": "local date and time; empty for a code",
    "code": "the round as text: `/h/{code}` and `upcard replay` read it",
    "hands": "your hands at the end",
    "tone": "`good`, `bad` or empty for even",
    "net": "net with its sign",
    "rounds": "number of rounds",
    "coached_rounds": "rounds of the sessions with any judgement, the base of rates",
    "rounds_per_hour": "the pace of the figures per hour",
    "judged": "number of decisions that the coach judged",
    "mistakes": "number of mistakes",
    "grades": "number of mistakes of each grade",
    "cost": "cost of the mistakes in chips; empty or 0 without one",
    "ev": "EV per round of a bet, or of a unit with a ramp; None without rounds",
    "label": "the count, with ≤ or ≥ where it includes those beyond it",
    "answers": "the value of each answer, the best first",
    "splits": "how split hands are played",
    "story": "the round so far, as sentences",
    "notes": "assumptions, a sentence each",
    "upcards": "headings of the columns",
    "blocks": "hard totals, soft totals and pairs",
    "chart": "the best chart",
    "house_edge": "the edge for the house",
}
"""Fields that mean the same in every object, where a view model does not say more.

A field that is in neither has a name that says all.
"""
_USUAL_OF_RESULTS: Final = {"version": "version of upcard", "seed": "the seed of the rounds"}
_JSON_CONSTANTS: Final = {"None": "null", "True": "true", "False": "false"}
_CONSTANT: Final = re.compile(r"\b(None|True|False)\b")


def list_addresses() -> dict[str, Route]:
    """Return the addresses of the server, such as `GET /rules`, with their routes."""
    pages = [
        route
        for page in ROUTES
        for route in page.router.routes
        if first_part(route.path) == page.begins
    ]
    return {
        f"{method} {route.path}": route
        for route in (*pages, *endpoints.ROUTES[showing.__name__])
        for method in (route.methods or {"GET"}) - {"HEAD"}
    }


@cache
def list_pages() -> dict[str, type]:
    """Return the view model of every page by the name that its JSON has in `page`."""
    found = {}
    for route in list_addresses().values():
        one = route.endpoint.endpoint
        if one.view is not None:
            found[one.page] = one.view
            if one.page == "drill":  # also of a drill that is no longer open
                found["drill_gone"] = GoneView
    return found


class AskedField(NamedTuple):
    """A field of an address: its name, its help, and the names it stands for."""

    name: str
    help: str
    names: frozenset[str]


def list_asked(endpoint: Endpoint) -> list[AskedField]:
    """Return the fields of an endpoint, from its signature; those of a form from its fields."""
    found = []
    for one in endpoint.parameters:
        if isinstance(one.about, Others):
            found.append(AskedField(one.about.name, one.about.help, frozenset(one.about.names())))
        elif isinstance(one.about, Mapping):
            for name, help_ in one.about.items():
                words = help_[0].lower() + help_[1:].removesuffix(".")
                found.append(AskedField(f"`{name}`", words, frozenset({name})))
        elif one.about is None and is_dataclass(one.kind):
            about = describe_fields(one.kind)
            for field in fields(one.kind):
                sent = field.name.removesuffix("_")
                text = about[field.name].removesuffix(".")
                words = text if text.startswith("`") else text[0].lower() + text[1:]
                found.append(AskedField(f"`{sent}`", words, frozenset({sent})))
        else:
            words = one.about.help if isinstance(one.about, Field) else one.about
            found.append(AskedField(f"`{one.name}`", words, frozenset({one.name})))
    return found


def write_reference() -> str:
    """Return the addresses, their fields and the objects."""
    lines = ["| address | fields | answer | what it does |", "|---|---|---|---|"]
    helps: dict[tuple[str, str], list[str]] = {}
    for key, route in list_addresses().items():
        endpoint = route.endpoint.endpoint
        asked = list_asked(endpoint)
        lines.append(_write_row(key, route, endpoint, asked))
        for one in asked:
            helps.setdefault((one.name, one.help), []).append(key.replace(":path", ""))
    names = Counter(name for name, _ in helps)
    lines += ["", "## Fields of addresses and forms", "", "| field | what it is |", "|---|---|"]
    for (name, words), places in sorted(helps.items(), key=lambda one: one[0][0].lower()):
        where = f" ({', '.join(f'`{place}`' for place in places)})" if names[name] > 1 else ""
        lines.append(f"| {name} | {words}{where} |")
    lines += ["", "## Objects", ""]
    for page, view in list_pages().items():
        lines += [f"- [`{page}`](#{_anchor(view)})"]
    lines += ["", "## Results of questions", "", *_write_results()]
    for view in _all_views():
        lines += ["", *_write_object(view)]
    return "\n".join(lines) + "\n"


def _write_results() -> Iterator[str]:
    yield "The `result` of the answer of a question, which `--json` of its command writes too."
    yield ""
    yield "| question | result |"
    yield "|---|---|"
    for name, question in QUESTIONS.items():
        yield f"| `{name}` | {write_type(find_result(question), _link)} |"


def _write_row(key: str, route: Route, endpoint: Endpoint, asked: list[AskedField]) -> str:
    names = ", ".join(one.name for one in asked)
    answer = endpoint.answer
    if endpoint.view is not None:
        answer = f"[`{endpoint.page}`](#{_anchor(endpoint.view)})"
    sentence = (inspect.getdoc(route.endpoint) or "").split("\n\n")[0].replace("\n", " ")
    return f"| `{key.replace(':path', '')}` | {names} | {answer} | {sentence} |"


def _write_object(view: type) -> Iterator[str]:
    doc = _as_json(" ".join((view.__doc__ or "").split()))
    yield f"### {_title(view)}"
    yield ""
    yield doc
    yield ""
    yield "| field | type | what it is |"
    yield "|---|---|---|"
    usual = _USUAL if view.__name__.endswith("View") else _USUAL | _USUAL_OF_RESULTS
    about = usual | describe_fields(view)
    for name, hint in list_fields(view).items():
        words = _as_json(as_sentence(about.get(name, "")).removesuffix("."))
        yield f"| `{name}` | {write_type(hint, _link)} | {words} |"


def _as_json(words: str) -> str:
    """Write the constants of Python in a docstring as JSON has them."""
    return _CONSTANT.sub(lambda found: f"`{_JSON_CONSTANTS[found[0]]}`", words)


@cache
def _all_views() -> tuple[type, ...]:
    """Return all view models in the order of the pages, each once."""
    results = (one for asked in QUESTIONS.values() for one in list_inside(find_result(asked)))
    found = dict.fromkeys(
        one for view in (*list_pages().values(), *results) for one in list_views(view)
    )
    return tuple(found)


def _title(view: type) -> str:
    """Return the heading of a view model; of two with one name, with its module."""
    twins = [one for one in _all_views() if one.__name__ == view.__name__]
    module = view.__module__.rpartition(".")[2]
    return view.__name__ if len(twins) == 1 else f"{view.__name__} ({module})"


def _anchor(view: type) -> str:
    kept = [sign for sign in _title(view).lower() if sign.isalnum() or sign in "_- "]
    return "".join(kept).replace(" ", "-")


def _link(view: type) -> str:
    return f"[{_title(view)}](#{_anchor(view)})"
