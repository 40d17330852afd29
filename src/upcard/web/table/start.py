"""The start page: choose a game, see its exact edge, open a table or continue with a hand."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, replace
from http import HTTPStatus
from typing import Annotated, Final

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from upcard.answers.edge import EdgeAnswer
from upcard.answers.rules import RulesAnswer, answer_rules
from upcard.core.fields import attempt, quote_names, read_asked
from upcard.rules.house import house_names, load_house
from upcard.rules.model import Rules
from upcard.rules.side_bet_files import shipped_side_bets
from upcard.session import choice
from upcard.session.plan import PlayTerms, TablePlan
from upcard.web.endpoints import Game, endpoint
from upcard.web.reading import SheetFieldView, try_rules, view_field
from upcard.web.rules.edge import find_edge
from upcard.web.showing import address, patience_of, show
from upcard.web.site import site_of

FIELDS: Final = tuple(one for one in choice.FIELDS.values() if one.field.is_for_pages)
TEXTS: Final = {
    "rules": "rules of the table",
    "side_bets": "side bets of the table, by name or token: `+PP(25/12/6) buster`",
    **{one.name: one.field.help for one in FIELDS},
}
"""The form of a table as it is sent: its game, and the fields that every door has."""


def read_table(
    sent: Mapping[str, str], default: Rules, *, saves: bool
) -> tuple[TablePlan, PlayTerms]:
    """Read the table of the form; `saves` says whether rounds can be saved.

    Raises: FieldFaultsError, with a sentence for each faulty field.
    """
    rules, faults = read_game(sent, default)
    values, unread = read_asked(FIELDS, {one.name: sent.get(one.name, "") for one in FIELDS})
    terms = PlayTerms(**values)
    if terms.keep == "saved" and not saves:
        unread["keep"] = "Practice saves nothing."
    others = {name: quote_names(words) for name, words in (faults | unread).items()}
    plan = choice.make_plan(terms, rules, others=others)
    choice.check_count(plan, terms.cards)
    return plan, terms


def read_game(sent: Mapping[str, str], default: Rules) -> tuple[Rules, dict[str, str]]:
    """Return the rules of the form with its side bets, and the sentences of what is faulty."""
    rules, words = attempt(Rules.parse, sent["rules"]) if sent.get("rules") else (default, "")
    if rules is None:
        return default, {"rules": words}
    typed = sent.get("side_bets")
    if typed is None or not (typed or rules.side_bets):
        return rules, {}
    if not rules.betting:
        return rules, {"side_bets": f"There are no bets in {rules.name or 'these rules'}."}
    codes = typed.replace(",", " ").split()
    changed, words = attempt(lambda: rules.replace(side_bets=codes))
    return changed or rules, {"side_bets": words} if words else {}


async def view_fields(
    request: Request, rules: Rules, sent: Mapping[str, str], faults: Mapping[str, str]
) -> tuple[SheetFieldView, ...]:
    """Return the fields of the form for these rules, with the last choices as far as they fit.

    Those of a form that was refused come back as they were sent.
    """
    site = site_of(request)
    plan = choice.fit_rules(await asyncio.to_thread(choice.load_last_plan, site.store), rules)
    texts = choice.write_texts(await asyncio.to_thread(choice.fit_all, plan))
    texts |= {"coach": site.tables.voice.value, "knows": site.tables.knows.value, **sent}
    hands = tuple(map(str, range(rules.min_spots, rules.max_spots + 1)))
    found = []
    for one in FIELDS:
        is_shown = choice.fits(one.name, rules) and (one.name != "keep" or site.store is not None)
        if is_shown or one.name in faults:
            view = view_field(one, texts.get(one.name, ""), faults.get(one.name, ""))
            choices = hands if one.name == "hands" else view.choices
            kind = "number" if one.field.metavar == "N" else view.kind
            kind = "choice" if choices else kind
            offered = view.suggestions or one.field.ruler
            found.append(
                replace(view, kind=kind, choices=choices, no_choice="", suggestions=offered)
            )
    return tuple(found)


@dataclass(frozen=True, slots=True, kw_only=True)
class StartView:
    """The game that the other pages go by."""

    game: RulesAnswer
    is_default: bool
    """Whether these are the rules that upcard uses by default."""
    houses: tuple[tuple[str, str], ...]
    edge: EdgeAnswer | None
    side_bets: str
    """The side bets of the table in notation, as they were typed; empty if it has none."""
    all_side_bets: tuple[tuple[str, str], ...]
    """Token and title of each side bet that ships; empty where there are no bets."""
    fields: tuple[SheetFieldView, ...]
    """The fields of the form that opens a table."""
    faults: dict[str, str]
    """Faults of fields, by their names."""
    unfinished: tuple[tuple[str, str], ...]
    """Address and title of each hand that continues."""
    problem: str


@endpoint("GET /", page="start", view=StartView)
async def show_start(
    request: Request,
    *,
    r: Game = None,
    house: Annotated[str | None, "a house"] = None,
    form: Annotated[dict[str, str], TEXTS],
) -> Response:
    """Show the start page for the game of the address."""
    if house is not None:  # the form without a script
        return RedirectResponse(address("/", r=house), HTTPStatus.SEE_OTHER)
    site = site_of(request)
    if r is None:
        await asyncio.to_thread(site.follow_last_game)
    read, problem = try_rules(r)
    rules = read or site.rules
    return await answer_start(request, rules, form, problem=problem, is_named=r is not None)


async def answer_start(  # noqa: PLR0913 (each is named in the call)
    request: Request,
    rules: Rules,
    form: Mapping[str, str],
    *,
    problem: str = "",
    faults: Mapping[str, str] | None = None,
    is_named: bool = False,
) -> Response:
    """Answer with the start page; `problem` is the fault of the rules, `faults` are of the form."""
    site = site_of(request)
    edge = await find_edge(request, rules, patience=patience_of(request))
    known = {} if faults is None else dict(faults)
    fields = await view_fields(request, rules, form, known)
    hidden = (
        known.keys() - {one.name for one in fields} - ({"side_bets"} if rules.betting else set())
    )
    view = StartView(
        game=answer_rules(rules),
        is_default=rules == Rules(),
        houses=tuple((name, load_house(name).title) for name in house_names()),
        edge=edge,
        side_bets=form.get("side_bets", " ".join(map(str, rules.side_bets))),
        all_side_bets=tuple((str(one), one.title) for one in shipped_side_bets() if not one.after)
        if rules.betting
        else (),
        fields=fields,
        faults=known,
        unfinished=tuple((f"/t/{name}", title) for name, title in await site.tables.unfinished()),
        problem=" ".join(filter(None, (problem, *(known[name] for name in sorted(hidden))))),
    )
    say = f"{view.game.name}. {edge.title} {edge.text}." if edge else ""
    named = view.game.rules if is_named and not problem else ""
    fault = " ".join(filter(None, (problem, *known.values())))
    return show(request, "start", view, title="upcard", say=say, fault=fault, rules=named)
