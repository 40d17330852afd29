"""Answers: a page, the parts of a page that changed, or its view model as JSON."""

from __future__ import annotations

import json
from functools import cache
from http import HTTPStatus
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlencode

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.responses import HTMLResponse, Response

from upcard._version import __version__
from upcard.core.numbers import format_chips, signed, with_minus
from upcard.web.as_json import API_VERSION, as_json
from upcard.web.assets import asset_url
from upcard.web.site import site_of
from upcard.web.template_cache import TemplateCache

if TYPE_CHECKING:
    from collections.abc import Mapping
    from fractions import Fraction

    from starlette.requests import Request

    from upcard.web.errors import RefusedError

PARTS_HEADER: Final = "Upcard-Parts"
"""Header by which a page asks for some of its parts only."""
PAGE_HEADER: Final = "Upcard-Page"
"""Header with the name that an open page gave itself; newer questions replace its older ones."""
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
"""The links of the header; `?r=` is added to those that take rules."""
_TAKE_RULES: Final = ("/", "/rules", "/hand", "/drills", "/lab")


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

    A whole page comes soon, and asks for what is missing afterwards. Before the solver is loaded
    it does not wait at all.
    """
    if wants_json(request) or parts_of(request):
        return None
    return _PATIENCE_SECONDS if site_of(request).desk.is_loaded else 0


def topic_of(request: Request, what: str) -> str:
    """Name what an open page asks for, so that its newer question replaces the older one.

    Without a name nothing is replaced.
    """
    page = request.headers.get(PAGE_HEADER, "")
    return f"{page[:40]} {what}" if page and what else ""


def address(path: str, **fields: str) -> str:
    """Return an address with those of the fields that are not empty."""
    query = urlencode({name: text for name, text in fields.items() if text})
    return f"{path}?{query}" if query else path


def show(  # noqa: PLR0913 (each is named in the call)
    request: Request,
    page: str,
    view: object,
    *,
    title: str,
    say: str = "",
    rules: str = "",
    status: HTTPStatus = HTTPStatus.OK,
) -> Response:
    """Answer with a view model: JSON, or the template of the `page`, whole or in parts.

    `say` is the sentence of the status line. `rules` travel along to the other pages.
    """
    headers = {"Vary": f"Accept, {PARTS_HEADER}"}
    if wants_json(request):
        document = {"api": API_VERSION, "page": page, **as_json(view)}
        text = json.dumps(document, allow_nan=False) + "\n"
        return Response(text, status, headers, _JSON)
    context = {
        "view": view,
        "page": page,
        "title": title,
        "say": say,
        "rules": rules,
        "here": request.url.path,
        "preferences": site_of(request).preferences,
        "is_practice": site_of(request).store is None,
    }
    template = _environment().get_template(f"{page}.html")
    parts = parts_of(request)
    if parts and all(part in template.blocks for part in parts):
        made = template.new_context(context)
        html = "".join("".join(template.blocks[part](made)) for part in parts)
        html += _environment().get_template("say.html").render(context)
    else:
        html = template.render(context)
    return HTMLResponse(html, status, headers)


def show_refusal(request: Request, refusal: RefusedError) -> Response:
    """Answer with what is wrong, in the form that was asked for."""
    if wants_json(request):
        document = {
            "api": API_VERSION,
            "error": refusal.error,
            "words": refusal.words,
            "fields": refusal.fields,
        }
        if refusal.rules:
            document["rules"] = refusal.rules
        text = json.dumps(document) + "\n"
        return Response(text, refusal.status, refusal.headers, _JSON)
    request.scope.setdefault("headers", [])
    answer = show(
        request,
        "error",
        refusal,
        title=HTTPStatus(refusal.status).phrase,
        status=refusal.status,
    )
    answer.headers.update(refusal.headers)
    return answer


def _link(path: str, rules: str) -> str:
    return address(path, r=rules) if path in _TAKE_RULES else path


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
        bytecode_cache=TemplateCache(),
    )
    shared: Mapping[str, Any] = {
        "asset": asset_url,
        "about_weights": _about_weights,
        "address": address,
        "chips": format_chips,
        "signed": _write_signed,
        "link": _link,
        "navigation": NAVIGATION,
        "version": __version__,
    }
    environment.globals.update(shared)
    environment.filters["with_minus"] = with_minus
    environment.filters["capitalize"] = _capitalize  # Jinja's own would write `12 v a`
    for name, file in (("edge", "edge"), ("draw", "drawing"), ("cards", "cards")):
        environment.globals[name] = _Macros(environment, f"{file}.html")
    return environment


def _write_signed(amount: Fraction) -> str:
    return with_minus(signed(amount))


def _capitalize(text: str) -> str:
    return text[:1].upper() + text[1:]


def _about_weights() -> str:
    """Return how drills choose questions; what the sentences need is loaded now."""
    from upcard.drills.feedback import ABOUT_WEIGHTS

    return ABOUT_WEIGHTS


class _Macros:
    """The macros of a template, which is compiled when one of them is first called."""

    def __init__(self, environment: Environment, name: str) -> None:
        self._environment = environment
        self._name = name

    def __getattr__(self, macro: str) -> object:
        return getattr(self._environment.get_template(self._name).module, macro)
