"""The documents of `docs/` as HTML: links stay inside, pictures are left out, commands lead on."""

from __future__ import annotations

import re
from functools import cache
from itertools import pairwise
from pathlib import Path, PurePosixPath
from posixpath import normpath
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from markdown_it import MarkdownIt

from upcard.web.try_it import list_pages

if TYPE_CHECKING:
    from collections.abc import Sequence

    from markdown_it.renderer import RendererHTML
    from markdown_it.token import Token

_PACKAGE: Final = Path(__file__).parent
_FOLDERS: Final = (_PACKAGE / "docs", _PACKAGE.parents[2] / "docs")
"""In an installed package, and in a checkout."""
_COMMENT: Final = re.compile(r"<!--.*?-->", re.DOTALL)
_PICTURE: Final = re.compile(r"<img\b[^>]*\balt=\"([^\"]*)\"[^>]*>")
_LINK: Final = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")
_CELLS: Final = re.compile(r"[ \t]+\|[ \t]+")
_SCHEMES: Final = re.compile(r"[ \t]*(?:</?picture>|<source\b[^>]*>)[ \t]*\n?")
"""A picture in two colour schemes is described once."""
_EXTERNAL: Final = ("http://", "https://")
_MOST_FOUND: Final = 40
_MOST_CHARS: Final = 200
"""Characters of a line that a search shows."""
_SCROLLS: Final = 'class="scroll" tabindex="0" role="group" aria-label='


class FoundPage(NamedTuple):
    """A document with the words of a search, and a line that has them."""

    name: str
    title: str
    line: str


class Document(NamedTuple):
    """A document, rendered."""

    title: str
    html: str
    headings: tuple[tuple[str, str], ...]


@cache
def find_documents() -> dict[str, Path]:
    """Return the files by name: `play`, `decisions/0011-...`."""
    for folder in _FOLDERS:
        if (folder / "index.md").exists():
            return {
                file.relative_to(folder).with_suffix("").as_posix(): file
                for file in sorted(folder.rglob("*.md"))
            }
    return {}


@cache
def render_document(name: str) -> Document:
    """Return a document as HTML."""
    parser = _parser()
    tokens = parser.parse(_read(name))
    headings: list[tuple[str, str]] = []
    title = name
    used: set[str] = set()
    for token, inline in pairwise(tokens):
        if token.type != "heading_open":
            continue
        words = _plain(inline)
        anchor = _slug(words, used)
        token.attrSet("id", anchor)
        if token.tag == "h1":
            title = words
        elif token.tag == "h2":
            headings.append((anchor, words))
    for token in tokens:
        _turn_links(token.children or (), name)
        _align_by_class(token)
    html = parser.renderer.render(tokens, parser.options, {})
    return Document(title, html, tuple(headings))


def search_documents(query: str) -> list[FoundPage]:
    """Return the documents with all words of a query, those with most of them first."""
    words = query.lower().split()
    if not words:
        return []
    patterns = [re.compile(rf"\b{re.escape(word)}", re.IGNORECASE) for word in words]
    phrase = re.compile(r"\s+".join(one.pattern for one in patterns), re.IGNORECASE)
    ranked = []
    for name in find_documents():
        text = _unmark(_read(name))
        if not all(pattern.search(text) for pattern in patterns):
            continue
        hits = len(phrase.findall(text))
        lines = [line.strip(" #|-*>") for line in text.splitlines()]
        line, match = next(
            (line, match)
            for pattern in (phrase, *patterns)
            for line in lines
            if (match := pattern.search(line))
        )
        is_decision = name.startswith("decisions/")
        title = next(line for line in lines if line)
        ranked.append((is_decision, -hits, name, FoundPage(name, title, _cut(line, match.start()))))
    return [found for *_, found in sorted(ranked)[:_MOST_FOUND]]


def _unmark(text: str) -> str:
    """Return Markdown as a reader sees it in a line: links and code are their words."""
    words = _LINK.sub(r"\1", text).replace("`", "").replace("**", "")
    return _CELLS.sub(" · ", words.replace("\n| ", "\n"))


def _cut(line: str, place: int) -> str:
    """Return the part of a long line that is around a place."""
    if len(line) <= _MOST_CHARS:
        return line
    start = max(min(place - _MOST_CHARS // 3, len(line) - _MOST_CHARS), 0)
    before, after = "..." * (start > 0), "..." * (start + _MOST_CHARS < len(line))
    return f"{before}{line[start : start + _MOST_CHARS]}{after}"


@cache
def _read(name: str) -> str:
    text = find_documents()[name].read_text(encoding="utf-8")
    return describe_pictures(_COMMENT.sub("", text)).strip()


def describe_pictures(text: str) -> str:
    """Write the words that describe a picture in its place."""
    return _PICTURE.sub(r"![\1](picture)", _SCHEMES.sub("", text))


@cache
def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False}).enable("table")
    parser.add_render_rule("image", _leave_out)
    parser.add_render_rule("table_open", _open_table)
    parser.add_render_rule("table_close", _close_table)
    parser.add_render_rule("fence", _fence)
    return parser


def _leave_out(
    _renderer: RendererHTML,
    tokens: Sequence[Token],
    index: int,
    _options: Any,  # noqa: ANN401 (markdown-it's own)
    _env: Any,  # noqa: ANN401
) -> str:
    """Write a picture's text: the pictures show the screen, not these pages."""
    from html import escape

    words = tokens[index].content
    return f'<span class="left-out">{escape(words)}</span>' if words else ""


def _open_table(*_: object) -> str:
    return f'<div {_SCROLLS}"Table"><table>\n'


def _close_table(*_: object) -> str:
    return "</table></div>\n"


def _fence(
    _renderer: RendererHTML,
    tokens: Sequence[Token],
    index: int,
    _options: Any,  # noqa: ANN401
    _env: Any,  # noqa: ANN401
) -> str:
    from html import escape

    block = tokens[index].content
    links = [
        f'<a href="{escape(page.address)}">{escape(page.words)}</a>' for page in list_pages(block)
    ]
    tries = f'<p class="try-it">Try it here: {", ".join(links)}</p>\n' if links else ""
    return f'<pre {_SCROLLS}"Example"><code>{escape(block)}</code></pre>\n{tries}'


def _align_by_class(token: Token) -> None:
    """Say by a class how a column is aligned: pages may have no inline styles."""
    if token.attrs.pop("style", "") == "text-align:right":
        token.attrSet("class", "number")


def _turn_links(tokens: Sequence[Token], name: str) -> None:
    """Keep links to documents inside; mark those that leave; drop those to files of the project."""
    is_dropped = False
    for token in tokens:
        if token.type == "link_open":
            target = _find_target(str(token.attrGet("href") or ""), name)
            is_dropped = not target
            token.attrSet("href", target)
            if target.startswith(_EXTERNAL):
                token.attrSet("rel", "noreferrer")
        if is_dropped and token.type in ("link_open", "link_close"):
            token.tag = "span"
            token.attrs = {}


def _find_target(target: str, name: str) -> str:
    """Return the address that a link of a document leads to; empty if it is not among them."""
    if target.startswith((*_EXTERNAL, "#")):
        return target
    path, _, anchor = target.partition("#")
    place = normpath((PurePosixPath(name).parent / path).as_posix())
    page = place.removesuffix(".md")
    if page not in find_documents():
        return ""
    address = "/learn/" if page == "index" else f"/learn/{page}"
    return f"{address}#{anchor}" if anchor else address


def _plain(inline: Token) -> str:
    return "".join(
        token.content for token in inline.children or () if token.type in ("text", "code_inline")
    )


def _slug(words: str, used: set[str]) -> str:
    """Return the anchor of a heading, as GitHub makes it."""
    slug = base = re.sub(r"[^\w\- ]", "", words.lower()).replace(" ", "-")
    number = 0
    while slug in used:
        number += 1
        slug = f"{base}-{number}"
    used.add(slug)
    return slug
