"""The drills: what each teaches, how far one is, what mistakes cost, and the options."""

from __future__ import annotations

from dataclasses import dataclass
from http import HTTPStatus
from typing import TYPE_CHECKING, Final

from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from upcard.core.errors import BlackjackError, as_sentence
from upcard.drills.catalogue import (
    CATALOGUE,
    DEFAULT_RAMP,
    DEFAULT_SYSTEM,
    INDEX_SETS,
    MISTAKE_PERIODS,
    DrillMemory,
)
from upcard.drills.drill import CLASSES
from upcard.drills.feedback import find_begun, find_prices, read_standing
from upcard.rules.describe import name_game
from upcard.rules.house import house_names, load_house
from upcard.session.mistake_map import name_cell
from upcard.strategy.count_system import system_names
from upcard.web.drill_book import slug_of
from upcard.web.drill_form import MINUTES, QUESTIONS, SPEEDS, DrillForm, read_drill_form
from upcard.web.reading import read_query
from upcard.web.showing import patience_of, show, topic_of, wants
from upcard.web.site import site_of
from upcard.web.switches import SwitchView, list_switches

if TYPE_CHECKING:
    from collections.abc import Iterable

    from starlette.requests import Request


_OF_FORM: Final = ("house", "decks", *(f"class-{name}" for name in CLASSES))
_OPTION_WORDS: Final = {
    "classes": "classes",
    "system": "count",
    "deviations": "index plays",
    "ramp": "ramp",
    "group": "group",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class DrillOfferView:
    """A drill that can be begun."""

    name: str
    """Name of the drill in words."""
    slug: str
    """Name of the drill in addresses: `POST /drills/{name}`."""
    about: str
    """Its question, in a line."""
    explanation: str
    """Its lesson, in a few sentences."""
    standing: str
    """The answers so far and the share that was wrong."""
    asked: int
    """Number of answers ever given to it with these options."""
    right: float
    """The share of right answers in percent, of those ever given."""
    price: str | None
    """Expected cost of the mistakes; None while it is worked out, empty without a price."""
    takes: tuple[str, ...]
    """The options that it uses, in words."""
    why_not: str
    """Why it cannot be begun; empty if it can."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChoiceView:
    """A field with its values and their words."""

    field: str
    """Name of the field."""
    name: str
    """The option in words."""
    about: str
    """The drills that use it; empty for all."""
    value: str
    """The present value."""
    options: tuple[tuple[str, str], ...]
    """The values to choose from: value and words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DrillsView:
    """The drills and their options."""

    rules: str
    name: str
    """The game in words: the title of its house, or its main rules."""
    house: str
    """Name of the house; empty for rules of your own."""
    houses: tuple[tuple[str, str], ...]
    decks: SwitchView
    """The switch for the number of decks."""
    classes: tuple[tuple[str, bool], ...]
    """The classes of hands, and whether each is asked."""
    cell: str
    """A cell of the chart, such as `16 v T`, whose hands alone are asked; empty for all."""
    cell_words: str
    """The cell in words; empty for all."""
    without_cell: str
    """Address of the same options without the cell."""
    choices: tuple[ChoiceView, ...]
    """The other options."""
    ramp: str
    """The bet ramp of the drill of bets."""
    drills: tuple[DrillOfferView, ...]
    """All drills."""
    is_practice: bool
    """Whether nothing is saved."""
    faults: dict[str, str]
    permalink: str


async def show_drills(request: Request) -> Response:
    """Show the drills with the options of the address."""
    site = site_of(request)
    fields = read_query(request)
    form, faults = read_drill_form(fields, site.rules)
    if not faults and any(field in fields for field in _OF_FORM):
        return RedirectResponse(form.link(), HTTPStatus.SEE_OTHER)
    memory = site.drills.memory
    prices = None
    if wants(request, "drills"):
        prices = await _find_prices(request, form, memory)
    rows = await site.drills.work(lambda: _list_drills(form, memory, prices))
    rules = form.options.rules
    view = DrillsView(
        rules=str(rules),
        name=name_game(rules),
        house=rules.name if rules.name in house_names() else "",
        houses=tuple((name, load_house(name).title) for name in house_names()),
        decks=next(one for one in list_switches(rules) if one.field == "decks"),
        classes=tuple(
            (name, name in (form.options.classes or ",".join(CLASSES)).split(","))
            for name in map(str, CLASSES)
        ),
        cell=form.options.place or "",
        cell_words=name_cell(form.options.place or ""),
        without_cell=form.link(cell=""),
        choices=_list_choices(form),
        ramp=form.options.ramp or DEFAULT_RAMP,
        drills=rows,
        is_practice=site.store is None,
        faults=faults,
        permalink=form.link(),
    )
    return show(
        request,
        "drills",
        view,
        title="Drills",
        say=" ".join(faults.values()) or f"Drills for {view.name}.",
        rules=view.rules,
        status=HTTPStatus.UNPROCESSABLE_ENTITY if faults else HTTPStatus.OK,
    )


async def _find_prices(
    request: Request, form: DrillForm, memory: DrillMemory
) -> dict[str, str] | None:
    site = site_of(request)
    begun = await site.drills.work(lambda: find_begun(form.options, memory))
    if not begun:
        return {}
    return await site.desk.ask(
        ("prices", object()),  # they change with every answer: never remembered
        lambda: find_prices(form.options, memory, begun),
        topic=topic_of(request, "prices"),
        patience=patience_of(request),
    )


def _list_drills(
    form: DrillForm, memory: DrillMemory, prices: dict[str, str] | None
) -> tuple[DrillOfferView, ...]:
    options = form.options
    begun = find_begun(options, memory)
    rows = []
    for name, entry in CATALOGUE.items():
        fault = options.why_not(name)
        asked, wrong = (0, 0) if fault else _count(form, memory, name)
        price: str | None = ""
        if not fault and name in begun:
            price = None if prices is None else prices.get(name, "")
        rows.append(
            DrillOfferView(
                name=str(name),
                slug=slug_of(name),
                about=entry.about,
                explanation=entry.explanation,
                standing="" if fault else read_standing(options, memory, name),
                asked=asked,
                right=100 * (1 - wrong / asked) if asked else 0.0,
                price=price,
                takes=tuple(_OPTION_WORDS[one] for one in entry.options if one in _OPTION_WORDS),
                why_not="" if fault is None else as_sentence(fault),
            )
        )
    return tuple(rows)


def _count(form: DrillForm, memory: DrillMemory, name: str) -> tuple[int, int]:
    """Return the answers to a drill, and the wrong ones; none if they cannot be read."""
    try:
        progress = memory.load(name, form.options.about(name))
    except BlackjackError:
        return 0, 0
    records = progress.records.values()
    return sum(one.asked for one in records), sum(one.errors for one in records)


def _list_choices(form: DrillForm) -> tuple[ChoiceView, ...]:
    options = form.options
    group = "" if options.group is None else str(options.group)
    return (
        ChoiceView(
            field="system",
            name="Count",
            about="Drills of counting and of index plays",
            value=options.system or DEFAULT_SYSTEM,
            options=_with(options.system, ((name, name) for name in system_names())),
        ),
        ChoiceView(
            field="indices",
            name="Index plays",
            about="Deviations",
            value=options.indices or "",
            options=_with(
                options.indices,
                INDEX_SETS.items(),
            ),
        ),
        ChoiceView(
            field="group",
            name="Cards at a time",
            about="Countdown",
            value=group,
            options=(("", "1, 2 and 3 in turn"), ("1", "1"), ("2", "2"), ("3", "3")),
        ),
        ChoiceView(
            field="speed",
            name="Turn the cards",
            about="Countdown, running count",
            value=form.speed,
            options=_with(
                form.speed,
                ((one, f"every {one} s" if one else "by the button") for one in SPEEDS),
            ),
        ),
        ChoiceView(
            field="questions",
            name="Questions",
            about="",
            value=form.questions or "none",
            options=_with(
                form.questions or "none",
                ((one or "none", one or "until you stop") for one in QUESTIONS),
            ),
        ),
        ChoiceView(
            field="minutes",
            name="Time",
            about="",
            value=form.minutes,
            options=_with(
                form.minutes, ((one, f"{one} min" if one else "no limit") for one in MINUTES)
            ),
        ),
        ChoiceView(
            field="mistakes",
            name="Ask",
            about="",
            value=form.mistakes,
            options=tuple(MISTAKE_PERIODS.items()),
        ),
        ChoiceView(
            field="pause",
            name="After a right answer",
            about="",
            value=form.pause,
            options=(("", "go on at once"), ("always", "stop at the verdict")),
        ),
    )


def _with(value: str | None, options: Iterable[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    """Return the options, and the present value if it is not among them."""
    found = tuple(options)
    if value is None or value in dict(found):
        return found
    return (*found, (value, value))


ROUTES: Final = (Route("/drills", show_drills, methods=["GET"]),)
