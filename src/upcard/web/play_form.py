"""The form of the start page that opens a table, and the hands to go on with."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from upcard.core.chip_format import format_chips
from upcard.core.errors import BlackjackError
from upcard.session.choice import COMPANY, Choice, read_choice
from upcard.session.plan import read_company
from upcard.store.settings import load_setting
from upcard.web.coach_words import VOICES
from upcard.web.site import site_of

if TYPE_CHECKING:
    from starlette.requests import Request

    from upcard.rules.model import Rules
    from upcard.store.database import Store

START_CHOICE: Final = "start"
"""Name of the setting with the last choice of a table; the screen saves it too."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayView:
    """The choices about a table, and the present ones."""

    rules: str
    hands: int
    most_hands: int
    has_bets: bool
    bet: str
    company: str
    companies: tuple[tuple[str, str], ...]
    voice: str
    voices: tuple[tuple[str, str], ...]
    can_save: bool
    saves: bool
    unfinished: tuple[tuple[str, str], ...]
    """Address and title of each hand that goes on."""


async def view_play(request: Request, rules: Rules) -> PlayView:
    """Return the form for these rules, with the last choices as far as they fit."""
    site = site_of(request)
    choice = Choice() if site.store is None else await asyncio.to_thread(_load, site.store)
    companies = tuple(
        (text, name) for name, text in COMPANY.items() if _has_room(text, rules.max_spots)
    )
    company = choice.company if any(choice.company == text for text, _ in companies) else ""
    free = rules.max_spots - sum(seat is not None for seat in read_company(company))
    return PlayView(
        rules=str(rules),
        hands=min(choice.hands, free),
        most_hands=rules.max_spots,
        has_bets=rules.betting,
        bet=format_chips(choice.bet),
        company=company,
        companies=companies,
        voice=site.tables.voice.value,
        voices=tuple((voice.value, words) for voice, words in VOICES.items()),
        can_save=site.store is not None,
        saves=site.store is not None and choice.keeps,
        unfinished=tuple(await site.tables.unfinished()),
    )


def _has_room(company: str, spots: int) -> bool:
    return len(read_company(company)) <= spots


def _load(store: Store) -> Choice:
    try:
        return read_choice(load_setting(store, START_CHOICE))
    except BlackjackError:
        return Choice()
