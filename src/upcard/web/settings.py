"""The settings: theme, motion, keys."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import asdict, dataclass
from http import HTTPStatus
from typing import Annotated, Final

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from upcard.core.errors import NotationError, UserFileError, as_sentence
from upcard.core.numbers import format_chips
from upcard.store.bankroll import save_setting
from upcard.store.money import MoneyPace, load_pace, read_pace, save_pace
from upcard.web import endpoints, reading, showing
from upcard.web.site import CHOICES, SETTING, Preferences, site_of

_NAMES: Final = {
    "theme": ("Theme", "Colours of the pages."),
    "motion": ("Motion", "Whether anything on the pages moves."),
    "keys": ("Letter keys", "Keys without Ctrl or Alt, such as G then R for the rules."),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingsView:
    """All settings; `is_saved` after a change."""

    settings: tuple[reading.ChoiceView, ...]
    bet: str
    """Bet by which costs are written as money."""
    hands_per_hour: str
    """Hands an hour of these costs."""
    problem: str
    is_saved: bool
    """Whether a change was just saved."""
    is_practice: bool
    folder: str
    """Folder of the saved data; empty in practice."""


@endpoints.endpoint("GET /settings", page="settings", view=SettingsView)
async def show_settings(
    request: Request,
    *,
    saved: Annotated[bool, "`1` after a change, for the sentence that it is saved"] = False,
) -> Response:
    """Show the settings."""
    return await _show(request, is_saved=saved)


async def _show(request: Request, *, is_saved: bool = False, problem: str = "") -> Response:
    site = site_of(request)
    pace = MoneyPace()
    try:
        pace = await run_in_threadpool(load_pace)
    except UserFileError as error:  # what is saved here replaces the file
        problem = problem or as_sentence(str(error))
    values = asdict(site.preferences)
    view = SettingsView(
        settings=tuple(
            reading.ChoiceView(
                field=field,
                name=name,
                about=about,
                value=values[field],
                options=tuple(CHOICES[field].items()),
            )
            for field, (name, about) in _NAMES.items()
        ),
        bet=format_chips(pace.bet),
        hands_per_hour=format_chips(pace.hands_per_hour),
        problem=problem,
        is_saved=is_saved,
        is_practice=site.store is None,
        folder="" if site.store is None else str(site.store.folder),
    )
    say = "The settings are saved." if is_saved else ""
    return showing.show(request, "settings", view, title="Settings", say=say, fault=problem)


@endpoints.endpoint("POST /settings", answer="303 to the settings")
async def change_settings(  # noqa: PLR0913 (one parameter a field)
    request: Request,
    *,
    theme: Annotated[str | None, "colours of the pages"] = None,
    motion: Annotated[str | None, "whether the pages move"] = None,
    keys: Annotated[str | None, "letter keys `on` or `off`"] = None,
    bet: Annotated[str, "bet by which costs are written as money"] = "",
    hands: Annotated[str, "hands an hour of these costs"] = "",
) -> Response:
    """Save the settings of the form."""
    site = site_of(request)
    if bet or hands:
        try:
            await run_in_threadpool(_save_pace, bet, hands, keeps=site.store is not None)
        except NotationError as error:
            return await _show(request, problem=as_sentence(str(error)))
        site.solver.forget()  # its answers name the old bet
    sent = {"theme": theme, "motion": motion, "keys": keys}
    changed = Preferences(
        **asdict(site.preferences) | {name: one for name, one in sent.items() if one is not None}
    )
    await run_in_threadpool(save_setting, site.store, SETTING, asdict(changed))
    site.preferences = changed
    return RedirectResponse("/settings?saved=1", HTTPStatus.SEE_OTHER)


def _save_pace(bet: str, hands: str, *, keeps: bool) -> None:
    before = MoneyPace()  # an empty text stays as it is
    with suppress(UserFileError):
        before = load_pace()
    pace = read_pace(bet or str(before.bet), hands or str(before.hands_per_hour))
    save_pace(pace, keeps=keeps)
