"""The settings: theme, motion, keys."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from http import HTTPStatus
from typing import TYPE_CHECKING, Final

from starlette.concurrency import run_in_threadpool
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from upcard.web.reading import ChoiceView, read_form, read_query
from upcard.web.showing import show
from upcard.web.site import CHOICES, Preferences, save_preferences, site_of

if TYPE_CHECKING:
    from starlette.requests import Request

_NAMES: Final = {
    "theme": ("Theme", "Colours of the pages."),
    "motion": ("Motion", "Whether anything on the pages moves."),
    "keys": ("Letter keys", "Keys without Ctrl or Alt, such as G then R for the rules."),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingsView:
    """All settings; `is_saved` after a change."""

    settings: tuple[ChoiceView, ...]
    """All settings."""
    is_saved: bool
    """Whether a change was just saved."""
    is_practice: bool
    """Whether nothing is saved."""
    folder: str
    """Folder of the saved data; empty in practice."""


async def show_settings(request: Request) -> Response:
    """Show the settings."""
    site = site_of(request)
    values = asdict(site.preferences)
    view = SettingsView(
        settings=tuple(
            ChoiceView(
                field=field,
                name=name,
                about=about,
                value=values[field],
                options=tuple(CHOICES[field].items()),
            )
            for field, (name, about) in _NAMES.items()
        ),
        is_saved="saved" in read_query(request),
        is_practice=site.store is None,
        folder="" if site.store is None else str(site.store.folder),
    )
    say = "The settings are saved." if view.is_saved else ""
    return show(request, "settings", view, title="Settings", say=say)


async def change_settings(request: Request) -> Response:
    """Save the settings of the form."""
    site = site_of(request)
    fields = await read_form(request)
    before = asdict(site.preferences)
    changed = Preferences(**{name: fields.text(name, text) for name, text in before.items()})
    await run_in_threadpool(save_preferences, site.store, changed)
    site.preferences = changed
    return RedirectResponse("/settings?saved=1", HTTPStatus.SEE_OTHER)


ROUTES: Final = (
    Route("/settings", show_settings, methods=["GET"]),
    Route("/settings", change_settings, methods=["POST"]),
)
