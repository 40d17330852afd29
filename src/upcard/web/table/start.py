"""The start page: choose a game, see its exact edge, open a table or continue with a hand."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from fractions import Fraction
from http import HTTPStatus
from typing import Annotated, Final

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from upcard.answers.edge import EdgeAnswer
from upcard.answers.rules import RulesAnswer, answer_rules
from upcard.core.number_texts import read_chips, read_whole, whole_of
from upcard.core.numbers import format_chips
from upcard.players.seen_cards import Knowledge
from upcard.players.shoe_tracker import countable_decks
from upcard.rules.house import house_names, load_house
from upcard.rules.model import Rules
from upcard.rules.side_bet_files import shipped_side_bets
from upcard.session import coaching, count_check
from upcard.session.choice import COMPANY, COUNTS, asked_count, load_last_plan, read_count_question
from upcard.session.plan import FEWEST, TablePlan, read_company
from upcard.strategy.count_system import load_system
from upcard.web.endpoints import Game, endpoint
from upcard.web.reading import try_rules
from upcard.web.rules.edge import find_edge
from upcard.web.showing import address, patience_of, show
from upcard.web.site import site_of

VOICES: Final = {
    coaching.CoachVoice.BEFORE: "before you answer",
    coaching.CoachVoice.AFTER: "after the hand",
    coaching.CoachVoice.SILENT: "not at all",
}
_PRACTICE: Final = "practice"
KNOWN: Final = {Knowledge.FRESH: "a fresh shoe", Knowledge.SEEN: "the cards seen"}


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayForm:
    """The form of a table as it was sent; None for a field that was not."""

    rules: Annotated[str | None, "rules of the table"] = None
    hands: Annotated[str | None, "the number of hands that you play"] = None
    bet: Annotated[str | None, "chips on each hand"] = None
    unit: Annotated[str | None, "the smallest bet of a table"] = None
    side_bets: Annotated[
        str | None, "side bets of the table, by name or token: `+PP(25/12/6) buster`"
    ] = None
    chips: Annotated[str | None, "chips to sit down with"] = None
    company: Annotated[str | None, "bots, such as `basic; you; mimic martingale`"] = None
    count: Annotated[
        str | None,
        "the counting system of the question about the count, with the rounds between: `hi-lo:1`",
    ] = None
    coach: Annotated[str | None, "when the coach speaks: `silent`, `before` or `after`"] = None
    knows: Annotated[str | None, "the cards that the coach takes as known: `fresh` or `seen`"] = (
        None
    )
    keep: Annotated[str | None, "`saved` or `practice`"] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayFormView:
    """The choices about a table, and the present ones."""

    rules: str
    hands: int
    """Number of hands to play."""
    fewest_hands: int
    """Least number of hands that the rules allow."""
    most_hands: int
    """Number of hands that the rules allow."""
    has_bets: bool
    bet: str
    """Bet on each hand in chips, as it was typed or last played."""
    side_bets: str
    """The side bets of the table in notation, as they were typed; empty if it has none."""
    all_side_bets: tuple[tuple[str, str], ...]
    """Token and title of each side bet that ships."""
    chips: str
    """The chips to sit down with, as they were typed; empty for those you have."""
    company: str
    """The bots, such as `basic; you; mimic martingale`; empty without company."""
    companies: tuple[tuple[str, str], ...]
    """The company to choose from: value and words."""
    count: str
    """The count question, as `upcard play --ask-count` writes it; empty if none is asked."""
    counts: tuple[tuple[str, str], ...]
    """The count questions to choose from; empty if there is nothing to count."""
    voice: str
    voices: tuple[tuple[str, str], ...]
    can_save: bool
    """Whether rounds can be saved; False in practice."""
    saves: bool
    """Whether the rounds of this table will be saved."""
    unfinished: tuple[tuple[str, str], ...]
    """Address and title of each hand that continues."""


async def view_play_form(request: Request, rules: Rules, form: PlayForm) -> PlayFormView:
    """Return the form for these rules, with the last choices as far as they fit.

    A `form` that was refused comes back as it was sent.
    """
    site = site_of(request)
    choice = await asyncio.to_thread(load_last_plan, site.store)
    companies = {
        text: name for name, text in COMPANY.items() if len(read_company(text)) <= rules.max_spots
    }
    company = choice.company if choice.company in companies else ""
    asked = TablePlan(rules=rules, count=choice.count)
    free = rules.max_spots - sum(seat is not None for seat in read_company(company))
    if form.company:
        companies.setdefault(form.company, form.company)
    hands = whole_of(form.hands or "")
    keeps = choice.keeps if form.keep is None else form.keep != _PRACTICE
    return PlayFormView(
        rules=str(rules),
        hands=max(min(choice.hands, free), rules.min_spots) if hands is None else hands,
        fewest_hands=rules.min_spots,
        most_hands=rules.max_spots,
        has_bets=rules.betting,
        bet=format_chips(choice.bet) if form.bet is None else form.bet,
        side_bets=" ".join(map(str, rules.side_bets)) if form.side_bets is None else form.side_bets,
        all_side_bets=tuple((str(one), one.title) for one in shipped_side_bets() if not one.after),
        chips=form.chips or "",
        company=company if form.company is None else form.company,
        companies=tuple(companies.items()),
        count=(asked_count(asked) or "") if form.count is None else form.count,
        counts=_list_counts(asked),
        voice=form.coach if form.coach in tuple(VOICES) else site.tables.voice.value,
        voices=tuple((voice.value, words) for voice, words in VOICES.items()),
        can_save=site.store is not None,
        saves=site.store is not None and keeps,
        unfinished=tuple(await site.tables.unfinished()),
    )


def read_play(form: PlayForm, default: Rules) -> tuple[TablePlan, Fraction | None]:
    """Read the table of the form, and the chips to sit down with."""
    from upcard.session.game_session import check_company

    rules = Rules.parse(form.rules) if form.rules else default
    if form.side_bets is not None and rules.betting:
        rules = rules.replace(side_bets=form.side_bets.replace(",", " ").split())
    hands = FEWEST if form.hands is None else read_whole(form.hands, "hands", example="1")
    count = read_count_question(form.count or "")
    if count:
        system, _ = count_check.read_ask_count(count)
        countable_decks(rules, load_system(system))
    company = form.company or ""
    check_company(company, rules)
    plan = TablePlan(
        rules=rules,
        hands=hands,
        bet=read_chips("10" if form.bet is None else form.bet),
        unit=read_chips("1" if form.unit is None else form.unit, "smallest bet"),
        company=company,
        keeps=form.keep != _PRACTICE,
        count=count,
    )
    chips = read_chips(form.chips, "chips") if form.chips else None
    return plan, chips


def _list_counts(plan: TablePlan) -> tuple[tuple[str, str], ...]:
    """Return the count questions to choose from, with that of the last choice."""
    if asked_count(TablePlan(rules=plan.rules, count=COUNTS[1])) is None:
        return ()
    found = []
    for count in dict.fromkeys((*COUNTS, plan.count)):
        system, every = count_check.read_ask_count(count)
        rounds = "every round" if every == 1 else f"every {every} rounds"
        found.append((count, f"{system}, {rounds}" if count else "not asked for"))
    return tuple(found)


@dataclass(frozen=True, slots=True, kw_only=True)
class StartView:
    """The game that the other pages go by."""

    game: RulesAnswer
    is_default: bool
    """Whether these are the rules that upcard uses by default."""
    houses: tuple[tuple[str, str], ...]
    edge: EdgeAnswer | None
    play: PlayFormView
    """The form that opens a table."""
    problem: str


@endpoint("GET /", page="start", view=StartView)
async def show_start(
    request: Request,
    *,
    r: Game = None,
    house: Annotated[str | None, "a house"] = None,
    form: PlayForm,
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


async def answer_start(
    request: Request, rules: Rules, form: PlayForm, *, problem: str, is_named: bool = False
) -> Response:
    """Answer with the start page; `problem` is the fault of the form or of the rules."""
    edge = await find_edge(request, rules, patience=patience_of(request))
    view = StartView(
        game=answer_rules(rules),
        is_default=rules == Rules(),
        houses=tuple((name, load_house(name).title) for name in house_names()),
        edge=edge,
        play=await view_play_form(request, rules, form),
        problem=problem,
    )
    say = f"{view.game.name}. {edge.title} {edge.text}." if edge else ""
    named = view.game.rules if is_named and not problem else ""
    return show(request, "start", view, title="upcard", say=say, fault=problem, rules=named)
