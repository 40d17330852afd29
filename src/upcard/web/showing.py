"""Answers: a page, its parts that changed, or JSON; style sheets, scripts, compiled templates."""

from __future__ import annotations

import hashlib
import json
import os
import pickle
import sys
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from http import HTTPStatus
from importlib.util import cache_from_source
from pathlib import Path
from string import Formatter
from types import ModuleType
from typing import Any, Final
from urllib.parse import quote, urlencode

import jinja2
from jinja2 import BytecodeCache, Environment, FileSystemLoader, StrictUndefined
from jinja2.bccache import Bucket
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from upcard._version import __version__
from upcard.answers.questions import QUESTIONS, NamedQuestion
from upcard.core.numbers import fields_of, format_chips, signed, to_json, with_minus
from upcard.core.shared_files import replace
from upcard.rules.model import Rules
from upcard.services import not_found
from upcard.web import endpoints, reading, site

API_VERSION: Final = 1
"""Grows when a name of the JSON changes its meaning or goes; new names may come at any time."""

_TYPES: Final = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}
_FOREVER: Final = "public, max-age=31536000, immutable"
_CHART: Final = "chart-colors.css"


def list_folders(shared: str) -> list[Path]:
    """Return the folder of files that all pages share, and the folders of the features."""
    here = Path(__file__).parent
    return [here / shared, *sorted(file.parent for file in here.glob("*/__init__.py"))]


@cache
def _load_folder() -> dict[str, bytes]:
    files = {file.name: file for folder in list_folders("static") for file in folder.iterdir()}
    return {
        name: files[name].read_bytes() for name in sorted(files) if files[name].suffix in _TYPES
    }


@cache
def _load_colors() -> dict[str, bytes]:
    """Return the colours of charts, which are those of their pictures; few pages need them."""
    from upcard.charts.heat_map import write_heat_colors
    from upcard.charts.layout import DOUBLED_MARKS, MARKS
    from upcard.charts.render import write_mark_colors

    return {
        _CHART: "".join(
            [*write_mark_colors((MARKS | DOUBLED_MARKS).values()), *write_heat_colors()]
        ).encode()
    }


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


@endpoints.endpoint("GET /static/{version}/{name}", answer="a file of the pages")
async def show_asset(request: Request) -> Response:
    """Answer with a file of the present version."""
    name = request.path_params["name"]
    data = _files_with(name).get(name)
    if data is None or request.path_params["version"] != _version(name):
        raise not_found("There is no such file; load the page again.")
    kind = _TYPES[Path(name).suffix]
    return Response(data, media_type=kind, headers={"Cache-Control": _FOREVER})


@endpoints.endpoint("GET /favicon.ico", answer="the icon")
async def show_icon(_: Request) -> Response:
    """Answer with the icon, for browsers that ask for it by its usual name."""
    return Response(_load_folder()["icon.svg"], media_type=_TYPES[".svg"])


_OPTIONS = ("trim_blocks", "lstrip_blocks", "autoescape", "optimized", "is_async")
"""The options of an environment that change what a template is compiled to."""


class TemplateCache(BytecodeCache):
    """Saves each compiled template in `__pycache__`, so that only the first start compiles it.

    A file counts only for the same source, Python, Jinja and options. Without the right to write
    there, or with `PYTHONDONTWRITEBYTECODE`, nothing is saved.
    """

    def load_bytecode(self, bucket: Bucket) -> None:
        """Fill the bucket if the template is there."""
        with suppress(OSError, EOFError, pickle.UnpicklingError), _place(bucket).open("rb") as file:
            bucket.load_bytecode(file)

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Save the template; another process that reads it sees all of it, or nothing."""
        if sys.dont_write_bytecode:
            return
        place = _place(bucket)
        fresh = place.with_name(f"{place.name}.{os.getpid()}")
        with suppress(OSError):
            place.parent.mkdir(parents=True, exist_ok=True)
            fresh.write_bytes(bucket.bytecode_to_string())
            replace(fresh, place)

    def get_cache_key(self, name: str, filename: str | None = None) -> str:
        """Return the path of the template, as the name says nothing about its folder."""
        return filename or name


def _place(bucket: Bucket) -> Path:
    options = [str(getattr(bucket.environment, name)) for name in _OPTIONS]
    made_by = hashlib.sha256(" ".join((jinja2.__version__, *options)).encode()).hexdigest()[:8]
    module = Path(cache_from_source(bucket.key))  # start.cpython-311.pyc of start.html
    return module.with_name(f"{module.stem}.{made_by}.html")


FILE_POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
"""A file that an answer is saved as carries its colours, is looked at, and runs nothing."""
PAGE_HEADER: Final = "Upcard-Page"
"""Header with the name that an open page gave itself; newer questions replace its older ones."""
PARTS_HEADER: Final = "Upcard-Parts"
"""Header by which a page asks for some of its parts only."""
_JSON: Final = "application/json"
_HTML: Final = "text/html"
_PATIENCE_SECONDS: Final = 0.4
NAVIGATION: Final = (
    ("/", "Start"),
    ("/rules", "Rules"),
    ("/hand", "Hand"),
    ("/drills", "Drills"),
    ("/lab", "Lab"),
    ("/history", "History"),
    ("/houses", "Houses"),
    ("/learn/", "Learn"),
)
"""The links of the header; `?r=` travels along them all."""


def wants_json(request: Request) -> bool:
    """Whether JSON was asked for, and HTML was not."""
    accepted = request.headers.get("accept", "")
    return _JSON in accepted and _HTML not in accepted


def parts_of(request: Request) -> tuple[str, ...]:
    """Return the parts of the page that are asked for; empty for the whole page."""
    return tuple(request.headers.get(PARTS_HEADER, "").split())


def wants(request: Request, part: str) -> bool:
    """Whether a part has to be computed for this request."""
    return part in (parts_of(request) or (part,))


def patience_of(request: Request) -> float | None:
    """Return the seconds for which an answer may be waited for; None for any time.

    A whole page comes soon, and asks for what is missing afterwards; a file cannot. Before the
    solver is loaded a page does not wait at all.
    """
    if wants_json(request) or parts_of(request) or "file" in request.path_params:
        return None
    return _PATIENCE_SECONDS if site.site_of(request).solver.is_loaded else 0


def list_questions(rules: str) -> list[NamedQuestion]:
    """Return the questions that a game can be asked."""
    game = Rules.parse(rules)
    return [one for one in QUESTIONS.values() if one.suits(game)]


def address(path: str, **fields: str) -> str:
    """Return an address with those of the fields that are not empty."""
    query = urlencode({name: text for name, text in fields.items() if text})
    return f"{path}?{query}" if query else path


def address_of(question: NamedQuestion, **fields: str) -> str:
    """Return the address of the page of a question: one of its own, if it has one.

    Where the page is about something that is not named, only the game goes there.
    """
    for page in question.pages:
        names = [name for _, name, _, _ in Formatter().parse(page) if name]
        if all(map(fields.get, names)):
            path = page.format(**{name: quote(fields.pop(name), safe="") for name in names})
            is_less = question.is_elsewhere and not names
            return address(path, **({"r": fields.get("r", "")} if is_less else fields))
    return address(f"/ask/{question.name}", **fields)


def show(  # noqa: PLR0913 (each is named in the call)
    request: Request,
    page: str,
    view: object,
    *,
    title: str,
    say: str = "",
    fault: str = "",
    rules: str = "",
    status: HTTPStatus = HTTPStatus.OK,
) -> Response:
    """Answer with a view model: JSON, or the template of the `page`, whole or in parts.

    `say` is the sentence of the status line; a `fault` of the request is shown instead, with the
    status for it. `rules` travel along to the other pages (default: those of the address).
    """
    if fault:
        say, status = fault, HTTPStatus.UNPROCESSABLE_ENTITY
    headers = {"Vary": f"Accept, {PARTS_HEADER}"}
    if wants_json(request):
        document = {"api": API_VERSION, "page": page, **to_json(view)}
        text = json.dumps(document, allow_nan=False) + "\n"
        return Response(text, status, headers, _JSON)
    if not rules:
        rules = str(reading.try_rules(request.query_params.get("r"))[0] or "")
    context = {
        "view": view,
        "page": page,
        "title": title,
        "say": say,
        "rules": rules,
        "here": request.url.path,
        "preferences": site.site_of(request).preferences,
        "is_practice": site.site_of(request).store is None,
    }
    template = _environment().get_template(f"{page}.html")
    parts = parts_of(request)
    if parts and template.blocks.keys() >= set(parts):
        made = template.new_context(context)
        html = "".join("".join(template.blocks[part](made)) for part in parts)
        html += _environment().get_template("say.html").render(context)
    else:
        html = template.render(context)
    return HTMLResponse(html, status, headers)


def show_refusal(request: Request, refusal: reading.RefusedError) -> Response:
    """Answer with what is wrong, in the form that was asked for."""
    if wants_json(request):
        document = {"api": API_VERSION, **fields_of(refusal, "error", "words", "fields")}
        if refusal.rules:
            document["rules"] = refusal.rules
        text = json.dumps(document) + "\n"
        return Response(text, refusal.status, refusal.headers, _JSON)
    request.scope.setdefault("headers", [])
    answer = show(
        request, "error", refusal, title=HTTPStatus(refusal.status).phrase, status=refusal.status
    )
    answer.headers.update(refusal.headers)
    return answer


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(list_folders("templates")),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
        bytecode_cache=TemplateCache(),
    )
    shared: Mapping[str, Any] = {
        "asset": asset_url,
        "drill_words": _load_drill_words,
        "address": address,
        "address_of": address_of,
        "chips": format_chips,
        "signed": lambda amount: with_minus(signed(amount)),
        "navigation": NAVIGATION,
        "list_questions": list_questions,
        "version": __version__,
    }
    environment.globals.update(shared)
    environment.filters["with_minus"] = with_minus
    # Jinja's own would write `12 v a`.
    environment.filters["capitalize"] = lambda text: text[:1].upper() + text[1:]
    for name, file in (("edge", "edge"), ("draw", "drawing"), ("cards", "cards")):
        environment.globals[name] = _Macros(environment, f"{file}.html")
    return environment


def _load_drill_words() -> ModuleType:
    """Return the words about drills; what the sentences need is loaded now."""
    from upcard.answers import drill_report

    return drill_report


class _Macros:
    """The macros of a template, which is compiled when one of them is first called."""

    def __init__(self, environment: Environment, name: str) -> None:
        self._environment = environment
        self._name = name

    def __getattr__(self, macro: str) -> object:
        return getattr(self._environment.get_template(self._name).module, macro)
