"""Faults of a built site: dead links and anchors, foreign resources, parts that were lost."""

from __future__ import annotations

import os
import re
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path
from typing import TYPE_CHECKING, Final
from urllib.parse import unquote, urlsplit

from upcard.web.learn import find_documents, render_document

if TYPE_CHECKING:
    from collections.abc import Iterable

_RESOURCES: Final = ("link", "script", "img", "source", "iframe", "object", "embed", "video")
"""Elements whose address is loaded with the page; the link of an `a` waits for a click."""
_PARTS: Final = ("h1", "h2", "h3", "h4", "li", "pre", "td", "th", "blockquote")
_CSS_ADDRESS: Final = re.compile(r"(?:url\(|@import)\s*['\"]?([^'\")\s;]+)")
_NUMBERED: Final = re.compile(r"_(\d+)$")
_IS_FOREIGN: Final = re.compile(r"(?:[a-z][a-z0-9+.-]*:)?//", re.IGNORECASE)


class SitePage(HTMLParser):
    """Reads a page: its ids, addresses and, inside the article, its parts."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.ids: set[str] = set()
        self.links: list[str] = []
        self.resources: list[str] = []
        self.parts: Counter[str] = Counter()
        self._depth = 0
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = {name: value or "" for name, value in attrs}
        if "id" in found:
            self.ids.add(found["id"])
        if tag == "article":
            self._depth += 1
        if self._depth and tag in _PARTS:
            self.parts[tag] += 1
        for name in ("href", "src", "srcset", "data"):
            if name not in found or tag == "meta":
                continue
            is_loaded = tag in _RESOURCES and found.get("rel") not in ("prev", "next", "canonical")
            addresses = [found[name]]
            if name == "srcset":
                addresses = [one.split()[0] for one in found[name].split(",") if one.strip()]
            (self.resources if is_loaded else self.links).extend(addresses)
        self.resources += _CSS_ADDRESS.findall(found.get("style", ""))

    def handle_endtag(self, tag: str) -> None:
        self._depth -= tag == "article"


def find_faults(folder: Path) -> list[str]:
    """Return a sentence for every fault of a site."""
    pages = {
        page: SitePage(page.read_text(encoding="utf-8")) for page in sorted(folder.rglob("*.html"))
    }
    faults = []
    for page, read in pages.items():
        name = page.relative_to(folder).as_posix()
        if name == "404.html":  # its links begin at the root of wherever the site will be
            continue
        faults += [f"{name}: {fault}" for fault in _find_dead(folder, page, read, pages)]
        foreign = [one for one in read.resources if _IS_FOREIGN.match(one)]
        faults += [f"{name}: loads {one} from another server" for one in foreign]
        faults += [f"{name}: {fault}" for fault in _find_lost(name.removesuffix(".html"), read)]
    for sheet in sorted(folder.rglob("*.css")):
        addresses = _CSS_ADDRESS.findall(sheet.read_text(encoding="utf-8"))
        name = sheet.relative_to(folder).as_posix()
        faults += [f"{name}: loads {one}" for one in addresses if _IS_FOREIGN.match(one)]
    missing = [name for name in find_documents() if folder / f"{name}.html" not in pages]
    return faults + [f"{name}.md is not a page of the site" for name in missing]


def _find_dead(
    folder: Path, page: Path, read: SitePage, pages: dict[Path, SitePage]
) -> Iterable[str]:
    for address in (*read.links, *read.resources):
        split = urlsplit(address)
        if split.scheme or split.netloc:
            continue
        target = page
        if split.path:
            target = Path(os.path.normpath(page.parent / unquote(split.path)))
        if target.is_dir():
            target /= "index.html"
        if not target.is_file() or not target.is_relative_to(folder):
            yield f"nothing is at {address}"
        elif split.fragment and target in pages:
            ids = pages[target].ids
            if unquote(split.fragment) not in ids:
                yield f"{address} names no part of that page"


def _find_lost(name: str, read: SitePage) -> Iterable[str]:
    """Say what a page lacks, or has too much, of what CommonMark makes of its document."""
    if name not in find_documents():
        return
    shown = SitePage(f"<article>{render_document(name).html}</article>")
    for part in _PARTS:
        if read.parts[part] != shown.parts[part]:
            yield f"{read.parts[part]} <{part}>, and {shown.parts[part]} under /learn/"
    # The second of two headings with the same words has another sign before its number.
    lost = shown.ids - {_NUMBERED.sub(r"-\1", one) for one in read.ids}
    if lost:
        yield f"no part has the anchors {', '.join(sorted(lost))}"
