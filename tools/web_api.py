"""The page docs/web-api.md: every address of `upcard web`, its fields, and the JSON it answers.

Addresses come from the routes of the server, shapes from the dataclasses of the view models; a test
asks every address and compares what comes with this page.
"""

from __future__ import annotations

import inspect
import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Final

from view_shapes import describe_fields, list_fields, list_views, write_type

from upcard.answers.topics import TOPICS
from upcard.core.errors import as_sentence
from upcard.drills.drill import CLASSES
from upcard.rules.model import Rules
from upcard.web.ask import SheetView
from upcard.web.drills.page import DrillsView, GoneView
from upcard.web.drills.view import DrillView
from upcard.web.hand.page import AnalysedHandView
from upcard.web.history.results import StatsView
from upcard.web.history.review import ReviewView
from upcard.web.history.rounds import HistoryView
from upcard.web.lab.page import LabView
from upcard.web.lab.ramps import RampView
from upcard.web.lab.run_page import DeleteView, RunView
from upcard.web.lab.run_rounds import RunRoundView
from upcard.web.learn import LearnView
from upcard.web.page_routes import ROUTES, first_part
from upcard.web.reading import list_switches
from upcard.web.rules.houses import HousesView, OneHouseView
from upcard.web.rules.page import RulesView
from upcard.web.settings import SettingsView
from upcard.web.showing import API_VERSION
from upcard.web.showing import ROUTES as FILES
from upcard.web.table.page import LeftView, WhyView
from upcard.web.table.start import StartView
from upcard.web.table.view import TablePage

if TYPE_CHECKING:
    from collections.abc import Iterator

    from starlette.routing import Route

VIEWS: Final[dict[str, type]] = {
    "start": StartView,
    "table": TablePage,
    "left": LeftView,
    "why": WhyView,
    "rules": RulesView,
    "hand": AnalysedHandView,
    "drills": DrillsView,
    "drill": DrillView,
    "drill_gone": GoneView,
    "history": HistoryView,
    "review": ReviewView,
    "stats": StatsView,
    "lab": LabView,
    "run": RunView,
    "run_delete": DeleteView,
    "run_round": RunRoundView,
    "ramp": RampView,
    "houses": HousesView,
    "house": OneHouseView,
    "learn": LearnView,
    "settings": SettingsView,
    "topic": SheetView,
}
"""The view model of every page by the name that its JSON has in `page`."""
SWITCH: Final = "SWITCH"
"""Stands for the fields of all switches of the rules."""
ASKED: Final = "ASKED"
"""Stands for the fields of a question."""
FIELDS: Final = {
    "r": "rules: a house or notation, such as `6D H17 LS`",
    "was": "rules before the last change; changed cells are marked",
    "with": "a second game, or a second ramp, beside the first",
    "effects": "`1` for the worth of every switch",
    "house": "a house",
    SWITCH: "a switch by its `field`, such as `soft_17=hits`; leads to the changed game",
    ASKED: "a field of the question by its `name`, such as `shoe=6D less 5`",
    "compare": "a house to compare with others; once for each",
    "c": "cards of the hand, such as `T.6`",
    "u": "the upcard",
    "less": "cards out of the shoe, such as `T.T.5`",
    "add": "a card to add; leads to the question with it",
    "to": "where `add` puts the card, `hand`, `upcard` or `less`; in the history the last day",
    "splits": "how split hands are played, by the name of its class",
    "changes": "`1` for what would change the answer",
    "q": "words to search for",
    "v": "the version that was seen",
    "rules": "rules of the table",
    "hands": "the number of hands that you play",
    "bet": "chips on each hand",
    "unit": "the smallest bet of a table or a ramp",
    "chips": "chips to sit down with",
    "company": "bots, such as `basic; you; mimic martingale`",
    "coach": "when the coach speaks: `silent`, `before` or `after`",
    "knows": "the cards that the coach takes as known: `fresh` or `seen`",
    "keep": "`saved` or `practice`",
    "do": "one of `session.asked.answers`",
    "text": "a seed, or the answer in a drill",
    "sure": "`1` to lose an unfinished practice hand",
    "classes": "classes of hands with commas between them; or `class-NAME=1` for each",
    "system": "counting system of a drill",
    "indices": "index plays",
    "ramp": "bet ramp, such as `1-8` or `1:1 2:4`",
    "group": "cards that are shown at a time, 1 to 3",
    "questions": "number of questions, or `none` for no end",
    "minutes": "minutes of a drill",
    "speed": "seconds for a group of cards",
    "mistakes": "in a drill `ever`, `today` or `month`; in the history `1`",
    "pause": "`always` to stop after right answers too",
    "class": "class of mistakes",
    "cell": "a cell of the chart, such as `16 v T`",
    "over": "least cost of the mistakes, exclusive, in chips",
    "from": "first day, such as 2026-11-22",
    "before": "a round: the page with older ones",
    "after": "a round: the page with newer ones",
    "at": "number of a question, or `end`",
    "instead": "other answers from there, such as `stand`",
    "place": "number of a question of what if, or `end`",
    "cards": "`seen` for values by all the cards that were seen before",
    "pace": "rounds an hour",
    "plays": "a player, or `pasted` for the text in `chart`",
    "chart": "a chart as text",
    "count": "counting system of a run; of a table with the rounds between questions, `hi-lo:1`;"
    " the running count that you answer",
    "skip": "skips the question about the count",
    "spots": "hands a round of a run",
    "enter": "count at which a run sits down",
    "leave": "count under which it gets up",
    "seed": "seed of a run",
    "rounds": "rounds, such as `100M`",
    "until": "standard error to reach, such as `0.01%`",
    "shoe": "number of a shoe of a run, from 0",
    "round": "number of a round of the shoe, from 1",
    "chunk": "number of a part of the run, from 0",
    "spread": "the best ramp of this spread, such as `1-8`",
    "wong": "lowest count to play at, or `best`",
    "bankroll": "bankroll in money",
    "risk": "risk of ruin, such as `5%`",
    "kelly": "fraction of Kelly, such as `1/2`",
    "chip": "bets are whole multiples of it",
    "goal": "win after which a trip ends",
    "hours": "hours of a trip",
    "saved": "`1` after a change, for the sentence that it is saved",
    "theme": "colours of the pages",
    "motion": "whether the pages move",
    "keys": "letter keys `on` or `off`",
}
"""What a field of an address or a form means."""
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
}
"""Fields that mean the same in every object, where a view model does not say more."""
_JSON_CONSTANTS: Final = {"None": "null", "True": "true", "False": "false"}
_CONSTANT: Final = re.compile(r"\b(None|True|False)\b")
_DRILL: Final = ("r", "classes", "system", "indices", "ramp", "group", "questions", "minutes")
_DRILL_FORM: Final = (*_DRILL, "cell", "speed", "mistakes", "pause", "house", SWITCH)
_FILTERS: Final = ("house", "mistakes", "class", "cell", "over", "from", "to")
_RAMP: Final = ("spread", "ramp", "wong", "bankroll", "risk", "kelly", "unit", "chip", "goal")
_RUN: Final = ("r", "plays", "chart", "count", "indices", "ramp", "spots", "enter", "leave")
_RUN_FORM: Final = (*_RUN, "seed", "rounds", "until")
_TABLE_FORM: Final = (
    "rules",
    "hands",
    "bet",
    "unit",
    "chips",
    "company",
    "count",
    "coach",
    "knows",
    "keep",
)


@dataclass(frozen=True, slots=True)
class Address:
    """The fields of an address, and what it answers: a page of `VIEWS`, or words."""

    fields: tuple[str, ...] = ()
    page: str = ""
    answer: str = ""
    does: str = ""
    """A sentence, where the handler is made for many addresses."""


ADDRESSES: Final[dict[str, Address]] = {
    "GET /": Address(
        ("r", "house", "hands", "bet", "chips", "company", "count", "coach", "keep"), "start"
    ),
    "POST /tables": Address(_TABLE_FORM, answer="303 to the table"),
    "GET /t/{table}": Address((), "table"),
    "GET /t/{table}/left": Address((), "left"),
    "GET /t/{table}/coach": Address(("v",), "table"),
    "POST /t/{table}/coach": Address(("coach", "knows"), "table"),
    "GET /t/{table}/why": Address(("v",), "why"),
    "GET /t/{table}/changes": Address(("v",), "why"),
    "POST /t/{table}/leave": Address(("v", "sure"), "left"),
    "POST /t/{table}/bet": Address(("v", "bet"), "table", does="Bet and deal."),
    "POST /t/{table}/act": Address(("v", "do"), "table", does="Answer the question."),
    "POST /t/{table}/count": Address(
        ("v", "count", "skip"), "table", does="Answer the question about the running count."
    ),
    "POST /t/{table}/undo": Address(("v",), "table", does="Take an answer back, in practice."),
    "POST /t/{table}/hands": Address(("v", "hands"), "table", does="Play this number of hands."),
    "POST /t/{table}/chips": Address(("v",), "table", does="Bring chips when they run out."),
    "POST /t/{table}/seed": Address(("v", "text"), "table", does="Add a seed of your own."),
    "POST /t/{table}/end-shoe": Address(("v",), "table", does="End the shoe and reveal its seed."),
    "GET /houses": Address(("compare",), "houses"),
    "GET /houses/{name}": Address((), "house"),
    "GET /rules": Address(("r", "was", "with", "effects", "house", SWITCH), "rules"),
    "GET /rules/chart.{kind}": Address(("r",), answer="a file: svg, html, tsv or json"),
    "GET /ask/{topic}": Address(("r", ASKED), "topic"),
    "GET /hand": Address(("r", "c", "u", "less", "add", "to", "splits", "changes"), "hand"),
    "GET /drills": Address(_DRILL_FORM, "drills"),
    "POST /drills/{name}": Address(_DRILL_FORM, answer="303 to the drill"),
    "GET /d/{id}": Address((), "drill"),
    "POST /d/{id}/answer": Address(("v", "text"), "drill"),
    "POST /d/{id}/next": Address(("v",), "drill"),
    "POST /d/{id}/pause": Address(("v",), "drill"),
    "POST /d/{id}/end": Address(("v",), "drill"),
    "GET /history": Address((*_FILTERS, "before", "after"), "history"),
    "GET /history.{kind}": Address(_FILTERS, answer="a file: csv or jsonl"),
    "GET /h/{code}": Address(("at", "instead", "place"), "review"),
    "GET /history/{number}": Address(("at", "instead", "place", "cards"), "review"),
    "GET /stats": Address(("pace", "house"), "stats"),
    "GET /lab": Address(_RUN_FORM, "lab"),
    "POST /runs": Address(_RUN_FORM, answer="303 to the run"),
    "GET /runs/{name}": Address((), "run"),
    "GET /runs/{name}/events": Address((), answer="server-sent events"),
    "POST /runs/{name}/stop": Address((), answer="303 to the run"),
    "POST /runs/{name}/go-on": Address((), answer="303 to the run"),
    "GET /runs/{name}/delete": Address((), "run_delete"),
    "POST /runs/{name}/delete": Address((), answer="303 to the lab"),
    "POST /runs/{name}/extend": Address(("rounds",), answer="303 to the run"),
    "GET /runs/{name}/round": Address(("shoe", "round", "chunk"), answer="303 to the round"),
    "GET /runs/{name}/{shoe}/{number}": Address(("chunk",), "run_round"),
    "GET /runs/{name}/ramp": Address((*_RAMP, "hours", "pace", "with"), "ramp"),
    "GET /learn": Address((), answer="307 to `/learn/`"),
    "GET /learn/{page:path}": Address(("q",), "learn"),
    "GET /settings": Address(("saved",), "settings"),
    "POST /settings": Address(("theme", "motion", "keys"), answer="303 to the settings"),
    "GET /static/{version}/{name}": Address((), answer="a file of the pages"),
    "GET /favicon.ico": Address((), answer="the icon"),
}
"""Every address of the server, in the order of the page."""
_HEAD: Final = """\
# The JSON of the pages

Every page of [`upcard web`](web.md) answers JSON at its own address.
Send `Accept: application/json` and the key:

```sh
curl -H "Accept: application/json" -H "Authorization: Bearer $KEY" \\
    "http://127.0.0.1:8121/hand?r=6D&c=T.6&u=T"
```

This page is written from the program, by `make docs`.

## What every answer has

| field | type | what it is |
|---|---|---|
| `api` | whole number | the version of the JSON, now {version} |
| `page` | text | the name of the page, such as `rules`; the object below has its fields |

The version grows when a field changes its meaning or goes; new fields can be added at any time.

A refusal has `api`, `error` (a word for programs), `words` (the sentence) and `fields`, which has a
sentence for each faulty field.
[In the browser](web.md#json) lists the statuses.

Values are written as [`--json` of the commands writes them](commands.md#json); a card face down is
`null`, as is a part that is not known yet, or was not asked for.

## Addresses

`GET` reads; its fields are those of the query.
`POST` changes something; its fields are those of a form, `application/x-www-form-urlencoded`.

"""


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
        for route in (*pages, *FILES)
        for method in (route.methods or {"GET"}) - {"HEAD"}
    }


def write_page() -> str:
    """Return the page. Raises: LookupError if it lacks an address of the server."""
    rows = list_addresses()
    if set(rows) != set(ADDRESSES):
        lacking = ", ".join(sorted(set(rows) ^ set(ADDRESSES)))
        msg = f"the routes differ from ADDRESSES of tools/web_api.py: {lacking}"
        raise LookupError(msg)
    lines = ["| address | fields | answer | what it does |", "|---|---|---|---|"]
    lines += [_write_row(key, rows[key]) for key in ADDRESSES]
    used = {name for address in ADDRESSES.values() for name in address.fields}
    lines += ["", "## Fields of addresses and forms", "", "| field | what it is |", "|---|---|"]
    lines += [f"| {_name(name)} | {text} |" for name, text in FIELDS.items() if name in used]
    lines += ["", "## Objects", ""]
    for page, view in VIEWS.items():
        lines += [f"- [`{page}`](#{_anchor(view)})"]
    for view in _all_views():
        lines += ["", *_write_object(view)]
    return _HEAD.format(version=API_VERSION) + "\n".join(lines) + "\n"


def _write_row(key: str, route: Route) -> str:
    address = ADDRESSES[key]
    fields = ", ".join(map(_name, address.fields))
    answer = address.answer
    if address.page:
        answer = f"[`{address.page}`](#{_anchor(VIEWS[address.page])})"
    does = address.does or inspect.getdoc(route.endpoint) or ""
    sentence = does.split("\n\n")[0].partition(" Raises:")[0].replace("\n", " ")
    return f"| `{key.replace(':path', '')}` | {fields} | {answer} | {sentence} |"


def _name(field: str) -> str:
    return {SWITCH: "a switch", ASKED: "those of the question"}.get(field, f"`{field}`")


def _write_object(view: type) -> Iterator[str]:
    doc = _as_json(inspect.cleandoc(view.__doc__ or "").replace("\n", " "))
    yield f"### {_title(view)}"
    yield ""
    yield doc
    yield ""
    yield "| field | type | what it is |"
    yield "|---|---|---|"
    about = describe_fields(view)
    for name, hint in list_fields(view).items():
        words = _as_json(as_sentence(about.get(name, _USUAL.get(name, ""))).removesuffix("."))
        yield f"| `{name}` | {write_type(hint, _link)} | {words} |"


def _as_json(words: str) -> str:
    """Write the constants of Python in a docstring as JSON has them."""
    return _CONSTANT.sub(lambda found: f"`{_JSON_CONSTANTS[found[0]]}`", words)


@cache
def _all_views() -> tuple[type, ...]:
    """Return all view models in the order of the pages, each once."""
    found = dict.fromkeys(one for view in VIEWS.values() for one in list_views(view))
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


def known_fields(address: Address) -> set[str]:
    """Return the fields of an address by name, with those of the switches and of the ticks."""
    names = set(address.fields)
    if SWITCH in names:
        names = names - {SWITCH} | {switch.field for switch in list_switches(Rules())}
    if ASKED in names:
        asked = {one.name for topic in TOPICS.values() for one in topic.fields}
        names = names - {ASKED} | asked
    if "classes" in names:
        names |= {f"class-{name}" for name in CLASSES}
    return names
