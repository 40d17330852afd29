"""The documents, offline: the same files as on disk, with a search in them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from markupsafe import Markup
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from upcard.web.documents import find_documents, render_document, search_documents
from upcard.web.errors import not_found
from upcard.web.reading import read_query
from upcard.web.showing import show

if TYPE_CHECKING:
    from starlette.requests import Request

_INDEX: Final = "index"
_MOST_CHARS: Final = 80


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundView:
    """A page with the words that were searched, and the first line that has them."""

    page: str
    """Name of the document: `/learn/{page}` shows it."""
    title: str
    """Title of the document."""
    line: str
    """The first line with the words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LearnView:
    """A document as HTML, or what a search found."""

    document: str
    """Name of the document; empty for a search."""
    title: str
    """Title of the document, or of the search."""
    html: str
    """The document; empty for a search."""
    headings: tuple[tuple[str, str], ...]
    """Anchor and words of each section."""
    query: str
    """The words that were searched; empty for a document."""
    found: tuple[FoundView, ...]
    """The pages that the search found."""

    @property
    def markup(self) -> Markup:
        """The document, for the template: rendered by us from our own files."""
        return Markup(self.html)  # noqa: S704 (HTML in a document is escaped)


async def show_document(request: Request) -> Response:
    """Show a document."""
    name = request.path_params.get("page") or _INDEX
    if name.endswith(".md"):
        return RedirectResponse(f"/learn/{name.removesuffix('.md')}")
    query = read_query(request).text("q")[:_MOST_CHARS]
    if query:
        return _show_found(request, query)
    if name not in find_documents():
        raise not_found("No document has this name; the list of all is under Learn.")
    document = render_document(name)
    view = LearnView(
        document=name,
        title=document.title,
        html=document.html,
        headings=document.headings,
        query="",
        found=(),
    )
    return show(request, "learn", view, title=document.title)


def _show_found(request: Request, query: str) -> Response:
    found = tuple(
        FoundView(page=name, title=title, line=line)
        for name, title, line in search_documents(query)
    )
    title = f"Search: {query}"
    view = LearnView(document="", title=title, html="", headings=(), query=query, found=found)
    count = f"{len(found)} page{'s' * (len(found) != 1)} found."
    return show(request, "learn", view, title=title, say=count)


async def add_slash(_: Request) -> Response:
    """Send to the index: links in documents are relative to it."""
    return RedirectResponse("/learn/")


ROUTES: Final = (Route("/learn", add_slash), Route("/learn/{page:path}", show_document))
