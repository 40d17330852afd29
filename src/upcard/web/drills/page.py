"""The drills: what each teaches and how far one is, their options, and one drill at every step."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from http import HTTPStatus
from typing import Annotated, Final

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from upcard.answers import drill_question, drill_report, played
from upcard.core import figure
from upcard.core.errors import BlackjackError, as_sentence
from upcard.core.fields import attempt, fill_each, list_fields
from upcard.drills import catalogue
from upcard.drills.catalogue import CATALOGUE, DRILL_NAMES, list_takers
from upcard.drills.drill import CLASSES
from upcard.drills.drill_run import DrillMemory, DrillTerms
from upcard.drills.trainer import DrillStep, DrillTrainer
from upcard.rules.describe import name_game
from upcard.rules.house import house_names, load_house
from upcard.rules.model import Rules
from upcard.services import not_found
from upcard.services.open_drills import RunningDrill, slug_of
from upcard.store.files import StoreBusyError
from upcard.web import reading
from upcard.web.drills.view import AgainView, DrillView, link_drills, look_at_drill
from upcard.web.endpoints import SWITCHES, Others, Version, endpoint
from upcard.web.reading import ChoiceView, Fields
from upcard.web.showing import parts_of, patience_of, show, wants, wants_json
from upcard.web.site import site_of

_TICKS: Final = Others(
    "a switch, or a class",
    "a switch by its `field`, and `class-NAME=1` for each class of hands",
    lambda: {*SWITCHES.names(), *(f"class-{name}" for name in CLASSES)},
)


_FIELDS: Final = list_fields(DrillTerms)
_TEXTS: Final = {
    "r": "rules: a house or notation, such as `6D H17 LS`",
    "house": "a house",
    **{one.name: one.hint for one in _FIELDS},
}


def read_drill_terms(
    sent: Mapping[str, str], ticks: Fields, default: Rules
) -> tuple[DrillTerms, dict[str, str]]:
    """Read the options, and the sentence of each faulty field, which then has its default."""
    rules, fault = attempt(_read_rules, sent, ticks, default)
    form, others = fill_each(DrillTerms(rules=rules or default), {**sent, **_read_ticks(ticks)})
    faults = {name: as_sentence(str(error)) for name, error in others.items()}
    return form, {"r": fault} | faults if fault else faults


def _read_rules(sent: Mapping[str, str], ticks: Fields, default: Rules) -> Rules:
    rules, house = Rules.parse(sent["r"]) if sent.get("r") else default, sent.get("house")
    if house and house != rules.name and house in house_names():
        return load_house(house).rules
    return reading.read_switches(ticks, rules) or rules


def _read_ticks(ticks: Fields) -> dict[str, str]:
    """Return the classes that are ticked, in one text; empty for all of them."""
    ticked = [name for name in CLASSES if ticks.text(f"class-{name}")]
    text = "" if len(ticked) == len(CLASSES) else ",".join(ticked)
    return {"classes": text} if ticked else {}


_OF_FORM: Final = ("house", "decks", *(f"class-{name}" for name in CLASSES))


@dataclass(frozen=True, slots=True, kw_only=True)
class DrillsView:
    """The drills and their options."""

    rules: str
    name: str
    """The game in words: the title of its house, or its main rules."""
    house: str
    """Name of the house; empty for rules of your own."""
    houses: tuple[tuple[str, str], ...]
    decks: reading.SwitchView
    """The switch for the number of decks."""
    classes: tuple[tuple[str, bool], ...]
    """The classes of hands, and whether each is asked."""
    cell: str
    """A cell of the chart, such as `16 v T`, whose hands alone are asked; empty for all."""
    cell_words: str
    without_cell: str
    """Address of the same options without the cell."""
    choices: tuple[ChoiceView, ...]
    """The other options."""
    ramp: str
    """The bet ramp of the drill of bets, and of a session."""
    bankroll: str
    """The bankroll of a session, in money; empty for the default."""
    drills: tuple[drill_report.DrillStanding, ...]
    is_practice: bool
    faults: dict[str, str]
    permalink: str


@endpoint("GET /drills", page="drills", view=DrillsView)
async def show_drills(
    request: Request,
    *,
    texts: Annotated[dict[str, str], _TEXTS],
    ticks: Annotated[reading.Fields, _TICKS],
) -> Response:
    """Show the drills with the options of the address."""
    site = site_of(request)
    form, faults = read_drill_terms(texts, ticks, site.rules)
    if not faults and any(field in ticks for field in _OF_FORM):
        return RedirectResponse(link_drills(form), HTTPStatus.SEE_OTHER)
    memory = site.drills.memory
    prices = await _find_prices(request, form, memory) if wants(request, "drills") else None
    rows = await site.drills.work(lambda: drill_report.list_standings(form, memory, prices))
    rules = form.rules
    view = DrillsView(
        rules=str(rules),
        name=name_game(rules),
        house=rules.name if rules.name in house_names() else "",
        houses=tuple((name, load_house(name).title) for name in house_names()),
        decks=next(one for one in reading.list_switches(rules) if one.field == "decks"),
        classes=tuple((name, name in (form.classes or CLASSES)) for name in map(str, CLASSES)),
        cell=form.cell or "",
        cell_words=played.name_cell(form.cell or ""),
        without_cell=link_drills(form, cell=""),
        choices=_list_choices(form, {name: texts.get(name, "") for name in faults}),
        ramp=form.ramp or catalogue.DEFAULT_RAMP,
        bankroll=catalogue.OPTIONS["bankroll"].write(form.bankroll),
        drills=rows,
        is_practice=site.store is None,
        faults=faults,
        permalink=link_drills(form),
    )
    say, fault = f"Drills for {view.name}.", " ".join(faults.values())
    return show(request, "drills", view, title="Drills", say=say, fault=fault, rules=view.rules)


async def _find_prices(
    request: Request, form: DrillTerms, memory: DrillMemory
) -> dict[str, figure.Figure] | None:
    site = site_of(request)
    begun = await site.drills.work(lambda: drill_report.find_begun(form, memory))
    if not begun:
        return {}
    return await site.solver.ask(
        ("prices", object()),  # they change with every answer: never remembered
        lambda: drill_report.find_prices(form, memory, begun),
        part="prices",
        patience=patience_of(request),
    )


def _list_choices(form: DrillTerms, typed: Mapping[str, str]) -> tuple[ChoiceView, ...]:
    found = []
    for one in _FIELDS:
        if one.field.many:  # which are ticked
            continue
        text, words = typed.get(one.name) or one.write(getattr(form, one.name)), one.offered
        value = text or one.field.typed
        about = ", ".join(list_takers(one.name)) or one.field.help.removesuffix(".")
        if not (words or one.field.typed):
            about += f"; {one.field.no_choice}"
        options = tuple((words | {value: words.get(value, value)}).items()) if words else ()
        found.append(
            ChoiceView(field=one.name, name=one.title, about=about, value=value, options=options)
        )
    return tuple(found)


_NAMES: Final = {slug_of(name): name for name in DRILL_NAMES}
_OLD: Final = "That was answered already: this is what is asked now."


@dataclass(frozen=True, slots=True, kw_only=True)
class GoneView:
    """A drill that is no longer open."""

    name: str
    """Name of the drill in words."""
    words: str
    """Why it is no longer open, and what became of its answers."""


@endpoint("POST /drills/{name}", answer="303 to the drill")
async def begin_drill(
    request: Request,
    *,
    texts: Annotated[dict[str, str], _TEXTS],
    ticks: Annotated[reading.Fields, _TICKS],
) -> Response:
    """Begin a drill with the options of the form."""
    name = _NAMES.get(request.path_params["name"])
    if name is None:
        raise not_found(f"There is no drill of that name: one of {', '.join(_NAMES)}.")
    site = site_of(request)
    terms, faults = read_drill_terms(texts, ticks, site.rules)
    if not faults:
        fault = await site.drills.work(lambda: terms.why_not(name))
        faults = {"drill": as_sentence(fault)} if fault else {}
    if faults:
        words = " ".join(faults.values())
        raise reading.RefusedError(HTTPStatus.UNPROCESSABLE_ENTITY, "invalid", words, faults)
    drill = site.drills.open(name, terms)
    return RedirectResponse(f"/d/{drill.id}", HTTPStatus.SEE_OTHER)


@endpoint("GET /d/{id}", page="drill", view=DrillView)
async def show_drill(request: Request) -> Response:
    """Show a drill at its present step."""
    drill = _find(request)
    if drill is None:
        return _show_gone(request)
    return await _show(request, drill, patience=patience_of(request))


@endpoint("POST /d/{id}/answer", page="drill", view=DrillView)
async def answer_drill(
    request: Request, *, v: Version = None, text: Annotated[str, "the answer in a drill"] = ""
) -> Response:
    """Judge the answer of the form, and continue as the drill does."""
    return await _change(request, v, lambda trainer: trainer.answer(text), typed=text)


@endpoint("POST /d/{id}/next", page="drill", view=DrillView)
async def go_on_with_drill(request: Request, *, v: Version = None) -> Response:
    """Turn to the next cards, or continue after a verdict."""

    def go_on(trainer: DrillTrainer) -> None:
        if trainer.step is DrillStep.SHOWING:
            trainer.turn()
        else:
            trainer.go_on()

    return await _change(request, v, go_on)


@endpoint("POST /d/{id}/pause", page="drill", view=DrillView)
async def pause_drill(request: Request, *, v: Version = None) -> Response:
    """Stop at right verdicts too, or continue at once."""

    def toggle(trainer: DrillTrainer) -> None:
        trainer.goes_on_at_once = not trainer.goes_on_at_once

    return await _change(request, v, toggle)


@endpoint("POST /d/{id}/end", page="drill", view=DrillView)
async def end_drill(request: Request, *, v: Version = None) -> Response:
    """End the drill with its report."""
    return await _change(request, v, lambda trainer: trainer.end())


async def _change(
    request: Request,
    version: str | None,
    make: Callable[[DrillTrainer], object],
    *,
    typed: str = "",
) -> Response:
    drill = _find(request)
    if drill is None:
        return _show_gone(request)
    status, problem = HTTPStatus.OK, ""
    try:
        if not await drill.change(version or "", make):
            status, problem = HTTPStatus.CONFLICT, _OLD
    except StoreBusyError:
        raise
    except BlackjackError as error:
        status, problem = HTTPStatus.UNPROCESSABLE_ENTITY, as_sentence(str(error))
    if status is HTTPStatus.OK and not wants_json(request) and not parts_of(request):
        return RedirectResponse(f"/d/{drill.id}", HTTPStatus.SEE_OTHER)
    typed = typed if status is HTTPStatus.UNPROCESSABLE_ENTITY else ""
    return await _show(request, drill, status=status, problem=problem, typed=typed)


async def _show(  # noqa: PLR0913 (each is named in the call)
    request: Request,
    drill: RunningDrill,
    *,
    patience: float | None = None,
    status: HTTPStatus = HTTPStatus.OK,
    problem: str = "",
    typed: str = "",
) -> Response:
    trainer = await drill.trainer(patience)
    again: tuple[AgainView, ...] = ()
    if trainer is not None and (trainer.step is DrillStep.OVER or drill.fault):
        again = await site_of(request).drills.work(lambda: _find_again(drill, trainer))
    view = look_at_drill(drill, trainer, again=again, problem=problem, typed=typed)
    title, rules = f"{_title(view)} ({view.name})", str(drill.terms.rules)
    return show(request, "drill", view, title=title, say=_say(view), rules=rules, status=status)


def _find(request: Request) -> RunningDrill | None:
    return site_of(request).drills.find(request.path_params["id"])


def _show_gone(request: Request) -> Response:
    slug = request.path_params["id"].rpartition("-")[0]
    if slug not in _NAMES:
        raise not_found("There is no drill at this address.")
    words = (
        "This drill is no longer open: the server was started again, or many drills were opened"
        " since. Every answer is saved."
        if site_of(request).store is not None
        else "This drill is no longer open. This is practice: its answers were not saved."
    )
    if wants_json(request):
        raise reading.RefusedError(HTTPStatus.GONE, "gone", words)
    view, status = GoneView(name=_NAMES[slug], words=words), HTTPStatus.GONE
    return show(request, "drill_gone", view, title="No longer open", say=words, status=status)


def _find_again(drill: RunningDrill, trainer: DrillTrainer) -> tuple[AgainView, ...]:
    """Return the drills that may follow: mistakes of today, of 30 days, and the same again."""
    found = []
    is_session = CATALOGUE[drill.name].is_session
    for mistakes, words in catalogue.MISTAKE_PERIODS.items():
        since = replace(drill.terms, mistakes=mistakes).find_start()
        if since is not None and not is_session:
            count = len(trainer.run.memory.find_mistakes(trainer.run.drill, since))
            fields = drill.terms.fields(mistakes=mistakes)
            found.append(AgainView(words=words.capitalize(), mistakes=count, fields=fields))
    same = AgainView(words="The same drill again", mistakes=None, fields=drill.terms.fields())
    return (*found, same)


def _title(view: DrillView) -> str:
    if view.step == DrillStep.PREPARING:
        return "Preparing the drill"
    return "How it went" if view.question is None else view.question.ask


def _say(view: DrillView) -> str:
    """Say what happened and what is asked, for the status line."""
    if view.problem:
        return view.problem
    words = []
    if view.verdict is not None and view.step in (DrillStep.ASKING, DrillStep.JUDGED):
        words += [view.verdict.text, view.verdict.after]
    if view.step == DrillStep.OVER and view.report is not None:
        words += view.report.lines[1:2]
    elif view.step == DrillStep.JUDGED and view.score is not None:
        words.append(view.score.ending)
    elif view.question is not None:
        words += _say_question(view.question)
    return " ".join(filter(None, words))


def _say_question(asked: drill_question.QuestionAnswer) -> Iterator[str]:
    showing = asked.showing
    if showing is not None:
        cards = [card.in_words for card in showing.cards if card is not None]
        yield ", ".join(cards) or f"{drill_question.capital(asked.text)}. {showing.text}."
        return
    if asked.dealer is not None:
        yield from (f"{hand.name}: {hand.text}." for hand in (asked.dealer, *asked.hands))
    else:
        yield from (f"{one.title} {one.text}." for one in asked.facts)
    yield asked.ask
