"""The settings: theme, motion, keys."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from http import HTTPStatus
from typing import TYPE_CHECKING, Annotated, Final

from starlette.concurrency import run_in_threadpool
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from upcard.web.endpoints import endpoint
from upcard.web.reading import ChoiceView
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


@endpoint(page="settings", view=SettingsView)
async def show_settings(
    request: Request,
    *,
    saved: Annotated[bool, "`1` after a change, for the sentence that it is saved"] = False,
) -> Response:
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
        is_saved=saved,
        is_practice=site.store is None,
        folder="" if site.store is None else str(site.store.folder),
    )
    say = "The settings are saved." if view.is_saved else ""
    return show(request, "settings", view, title="Settings", say=say)


@endpoint(answer="303 to the settings")
async def change_settings(
    request: Request,
    *,
    theme: Annotated[str | None, "colours of the pages"] = None,
    motion: Annotated[str | None, "whether the pages move"] = None,
    keys: Annotated[str | None, "letter keys `on` or `off`"] = None,
) -> Response:
    """Save the settings of the form."""
    site = site_of(request)
    sent = {"theme": theme, "motion": motion, "keys": keys}
    changed = Preferences(
        **asdict(site.preferences) | {name: one for name, one in sent.items() if one is not None}
    )
    await run_in_threadpool(save_preferences, site.store, changed)
    site.preferences = changed
    return RedirectResponse("/settings?saved=1", HTTPStatus.SEE_OTHER)


ROUTES: Final = (
    Route("/settings", show_settings, methods=["GET"]),
    Route("/settings", change_settings, methods=["POST"]),
)
