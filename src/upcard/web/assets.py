"""Style sheets, scripts and the icon: served under a hash of them, to be cached for ever."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from starlette.responses import Response
from starlette.routing import Route

from upcard.web.errors import not_found

if TYPE_CHECKING:
    from starlette.requests import Request

_TYPES: Final = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}
_FOREVER: Final = "public, max-age=31536000, immutable"
_CHART: Final = "chart-colors.css"


@cache
def _load_folder() -> dict[str, bytes]:
    folder = Path(__file__).parent / "static"
    return {
        file.name: file.read_bytes() for file in sorted(folder.iterdir()) if file.suffix in _TYPES
    }


@cache
def _load_colors() -> dict[str, bytes]:
    """Return the colours of charts, which are those of their pictures; few pages need them."""
    from upcard.charts.heat_map import write_heat_colors
    from upcard.charts.layout import MARKS
    from upcard.charts.render import write_mark_colors

    return {_CHART: "".join([*write_mark_colors(MARKS.values()), *write_heat_colors()]).encode()}


def _files_with(name: str) -> dict[str, bytes]:
    """Return the files that change their address together with this one."""
    return _load_colors() if name == _CHART else _load_folder()


@cache
def _version(name: str) -> str:
    digest = hashlib.sha256()
    for other, data in _files_with(name).items():
        digest.update(other.encode())
        digest.update(data)
    return digest.hexdigest()[:16]


def asset_url(name: str) -> str:
    """Return the address of a file."""
    _files_with(name)[name]
    return f"/static/{_version(name)}/{name}"


async def show_asset(request: Request) -> Response:
    """Answer with a file of the present version."""
    name = request.path_params["name"]
    data = _files_with(name).get(name)
    if data is None or request.path_params["version"] != _version(name):
        raise not_found("There is no such file; load the page again.")
    kind = _TYPES[Path(name).suffix]
    return Response(data, media_type=kind, headers={"Cache-Control": _FOREVER})


async def show_icon(_: Request) -> Response:
    """Answer with the icon, for browsers that ask for it by its usual name."""
    return Response(_load_folder()["icon.svg"], media_type=_TYPES[".svg"])


ROUTES: Final = (
    Route("/static/{version}/{name}", show_asset),
    Route("/favicon.ico", show_icon),
)
