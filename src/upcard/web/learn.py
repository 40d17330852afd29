"""The documents of `docs/`, offline, as HTML, with a search, and links to try what they print."""

from __future__ import annotations

import re
import shlex
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from html import escape
from itertools import count, islice, pairwise
from pathlib import Path, PurePosixPath
from posixpath import normpath
from typing import Annotated, Final, NamedTuple

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from upcard.answers.questions import QUESTIONS
from upcard.answers.shared_fields import RunTerms
from upcard.core.cards import Card, parse_cards
from upcard.core.errors import BlackjackError
from upcard.core.fields import AskedField, list_fields
from upcard.core.numbers import count_of
from upcard.rules.model import Rules
from upcard.services import not_found
from upcard.strategy.count_system import load_system
from upcard.web import endpoints
from upcard.web.showing import address, address_of, show

_COMMAND: Final = re.compile(r"^(?:\$ | *)upcard ([\w-]+)((?: .*)?)$", re.MULTILINE)
_RULES: Final = {"--rules": "r", "--house": "r"}
_OF_RUN: Final = {
    one.option: one for one in list_fields(RunTerms) if one.field.paste or one.field.is_for_pages
}
_FIELDS: Final = {
    "solve": {**_RULES, "--shoe": "shoe"},
    "edge": _RULES,
    "chart": _RULES,
    "rules": {},
    "simulate": _RULES | {key: one.name for key, one in _OF_RUN.items()} | {"--player": "plays"},
    "play": {**_RULES, "--coach": "coach"},
    "train": _RULES,
    "stats": {"--chart": ""},
    "history": {},
    "basics": {"--play": "", "--line": ""},
}
"""The options of each command that an address has a field for."""
_OF_OUTPUT: Final = {
    "--json": 0,
    "--ascii": 0,
    "--format": 1,
    "--numbers": 1,
    "-o": 1,
    "--output": 1,
    "--compare": sys.maxsize,
}
"""Options that a page has no field for, with the number of texts that follow each."""
_PLACES: Final = {
    ("stats",): ("your results", "/stats"),
    ("stats", "chart"): ("where your mistakes are", "/stats#map"),
    ("history",): ("your rounds", "/history"),
    ("basics",): ("blackjack in five minutes", "/learn/blackjack"),
    ("basics", "play"): ("your first hands", "/first-hands"),
    ("basics", "play", "line"): ("your first hands", "/first-hands"),
}
"""Pages of commands without a game, by the command and its marks."""
_DEFAULT: Final = "6D"
"""The rules of a command that names none."""
_LESS: Final = re.compile(r"(\w+) less (.+)")
_MOST_FOUND_CHARS: Final = 80


class TryIt(NamedTuple):
    """A link to the page that answers a command."""

    words: str
    address: str


def list_pages(block: str) -> list[TryIt]:
    """Return the pages for the commands of a block; commands without a page are left out."""
    return list(dict.fromkeys(_find(block)))


def _find(block: str) -> Iterator[TryIt]:
    for name, rest in _COMMAND.findall(block):
        if name not in _FIELDS and name not in QUESTIONS:
            continue
        try:
            texts, fields = _read_command(name, shlex.split(rest, comments=True))
            yield _lead(name, texts, fields)
        except (BlackjackError, LookupError, ValueError):
            continue  # a file, a placeholder, or an option without a field


def _read_command(name: str, words: list[str]) -> tuple[list[str], dict[str, str]]:
    known = _FIELDS.get(name, {})
    asked: dict[str, AskedField] = _OF_RUN if name == "simulate" else {}
    if name not in _FIELDS:
        question = QUESTIONS[name]
        asked = {one.option: one for one in question.fields if one.field.is_for_pages}
        own = {key: "" if one.field.is_mark else one.name for key, one in asked.items()}
        known = own | _RULES if question.takes_rules else own
    texts: list[str] = []
    fields: dict[str, str] = {}
    left = iter(words)
    for word in left:
        if word in _OF_OUTPUT:
            _ = list(islice(left, _OF_OUTPUT[word]))
        elif word.startswith("-") and not known[word]:  # a mark
            fields[word.removeprefix("--")] = ""
            fields |= {asked[word].name: "yes"} if word in asked else {}
        elif word.startswith("-"):
            text, many = next(left, ""), asked[word].field.many if word in asked else ""
            before = [fields[known[word]]] if many and known[word] in fields else []
            fields[known[word]] = f"{many[-1:]} ".join((*before, text))
            if word in asked:
                asked[word].read(fields[known[word]])  # a page reads no file of the server
        else:
            texts.append(word)
    for one in () if name in _FIELDS else QUESTIONS[name].fields:
        if one.field.is_word and texts and not QUESTIONS[name].is_by_games:
            if not one.field.is_for_pages:
                raise LookupError(texts[0])  # a file
            fields[one.name], texts = " ".join(texts), []
            one.read(fields[one.name])  # nor a file here
    return texts, fields


def _lead(name: str, texts: list[str], fields: dict[str, str]) -> TryIt:
    if (name,) in _PLACES and not texts:
        words, path = _PLACES[name, *fields]
        return TryIt(words, path)
    has_game = "decks" not in fields or "r" in fields
    if name in QUESTIONS and not texts and not (has_game and QUESTIONS[name].takes_rules):
        return TryIt(QUESTIONS[name].title, address_of(QUESTIONS[name], **fields))
    if name == "rules":
        fields, texts = {"r": " ".join(texts)}, []
    if name in QUESTIONS and name not in _FIELDS and texts:
        game = {"r": texts.pop(0)} if QUESTIONS[name].is_by_games else {}
        (word,) = (one for one in QUESTIONS[name].fields if one.field.is_word)
        word.read(", ".join(texts))  # a page reads no file of the server
        fields, texts = {**game, word.name: ", ".join(texts), **fields}, []
    rules = Rules.parse(fields.setdefault("r", _DEFAULT))
    if name == "solve":
        return _lead_to_hand(texts, fields, rules)
    if name == "train" and len(texts) <= 1:
        drill = f"drill {texts[0]}" if texts else "the drills"
        return TryIt(f"{drill}, {fields['r']}", address("/drills", **fields))
    if texts:
        raise LookupError(texts[0])
    if name == "play":
        return TryIt(f"a table, {fields['r']}", address("/", **fields))
    if name == "chart":
        path = address("/rules/chart.html", **fields, show="1")
        return TryIt(f"the chart of {fields['r']}", path)
    if name in QUESTIONS and name not in _FIELDS:
        question = QUESTIONS[name]
        return TryIt(f"{question.title}, {fields['r']}", address_of(question, **fields))
    if name != "simulate":
        return TryIt(f"the rules {fields['r']}", address("/rules", **fields))
    if "rounds" not in fields and "until" not in fields:
        raise LookupError(name)
    count = f", {load_system(fields['count'])}" if "count" in fields else ""  # no file
    return TryIt(f"a run of {fields['r']}{count}", address("/lab", **fields))


def _lead_to_hand(texts: list[str], fields: dict[str, str], rules: Rules) -> TryIt:
    from upcard.answers.hand import list_faces  # few pages lead there

    hand, _, upcard = " ".join(texts).partition(" v ")
    cards, dealer = list_faces(hand), Card(upcard).face
    if not cards:
        raise LookupError(hand)  # a total has no page of its own
    less = ""
    if shoe := fields.pop("shoe", ""):
        match = _LESS.fullmatch(shoe)
        if match is None or Rules.parse(match[1]).decks != rules.decks:
            raise LookupError(shoe)
        less = ".".join(card.face for card in parse_cards(match[2]))
    words = f"{' '.join(cards)} v {dealer}, {fields['r']}"
    return TryIt(words, address("/hand", **fields, c=".".join(cards), u=dealer, less=less))


_PACKAGE: Final = Path(__file__).parent
_FOLDERS: Final = (_PACKAGE / "docs", _PACKAGE.parents[2] / "docs")
"""In an installed package, and in a checkout."""
REFERENCE_FOLDER: Final = _PACKAGE / "reference"
"""Pages as a whole, written from the program by `make docs` and `make dist`; git has them short."""
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


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundView:
    """A page with the words that were searched, and the first line that has them."""

    page: str
    """Name of the document: `/learn/{page}` shows it."""
    title: str
    line: str
    """The first line with the words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LearnView:
    """A document as HTML, or what a search found."""

    document: str = ""
    """Name of the document; empty for a search."""
    title: str
    html: str = ""
    """The document; empty for a search."""
    headings: tuple[tuple[str, str], ...] = ()
    """Anchor and words of each section."""
    query: str = ""
    """The words that were searched; empty for a document."""
    found: tuple[FoundView, ...] = ()

    @property
    def markup(self) -> Markup:
        """The document, for the template: rendered by us from our own files."""
        return Markup(self.html)  # noqa: S704 (HTML in a document is escaped)


@cache
def find_documents() -> dict[str, Path]:
    """Return the files by name: `play`, `decisions/0011-...`."""
    folder = next((one for one in _FOLDERS if (one / "index.md").exists()), _FOLDERS[0])
    files = sorted(folder.rglob("*.md"))
    found = {file.relative_to(folder).with_suffix("").as_posix(): file for file in files}
    return found | {file.stem: file for file in REFERENCE_FOLDER.glob("*.md")}


@cache
def render_document(name: str) -> LearnView:
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
        if token.attrs.pop("style", "") == "text-align:right":
            token.attrSet("class", "number")
    html = parser.renderer.render(tokens, parser.options, {})
    return LearnView(document=name, title=title, html=html, headings=tuple(headings))


def search_documents(query: str) -> list[FoundView]:
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
        found = FoundView(page=name, title=title, line=_cut(line, match.start()))
        ranked.append((is_decision, -hits, name, found))
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
    parser.add_render_rule("table_open", lambda *_: f'<div {_SCROLLS}"Table"><table>\n')
    parser.add_render_rule("table_close", lambda *_: "</table></div>\n")
    parser.add_render_rule("fence", _fence)
    parser.add_render_rule("code_block", _fence)
    return parser


def _leave_out(_: object, tokens: Sequence[Token], index: int, *_others: object) -> str:
    """Write a picture's text: the pictures show the screen, not these pages."""
    words = tokens[index].content
    return f'<span class="left-out">{escape(words)}</span>' if words else ""


def _fence(_: object, tokens: Sequence[Token], index: int, *_others: object) -> str:
    block = tokens[index].content
    links = [
        f'<a class="button is-quiet" href="{escape(page.address)}">'
        f"{escape(page.words[0].upper() + page.words[1:])}</a>"
        for page in list_pages(block)
    ]
    tries = f'<p class="try-it buttons">{" ".join(links)}</p>\n' if links else ""
    return f'<pre {_SCROLLS}"Example"><code>{escape(block)}</code></pre>\n{tries}'


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
    numbers = count(1)
    while slug in used:
        slug = f"{base}-{next(numbers)}"
    used.add(slug)
    return slug


@endpoints.endpoint("GET /learn/{page:path}", page="learn", view=LearnView)
async def show_document(
    request: Request, *, q: Annotated[str, "words to search for"] = ""
) -> Response:
    """Show a document."""
    name = request.path_params.get("page") or "index"
    if name.endswith(".md"):
        return RedirectResponse(f"/learn/{name.removesuffix('.md')}")
    if q:
        query = q[:_MOST_FOUND_CHARS]
        found = tuple(search_documents(query))
        view = LearnView(title=f"Search: {query}", query=query, found=found)
        said = f"{count_of(len(found), 'page')} found."
        return show(request, "learn", view, title=view.title, say=said)
    if name not in find_documents():
        raise not_found("No document has this name; the list of all is under Learn.")
    view = render_document(name)
    return show(request, "learn", view, title=view.title)


@endpoints.endpoint("GET /learn", answer="307 to `/learn/`")
async def add_slash(_: Request) -> Response:
    """Send to the index: links in documents are relative to it."""
    return RedirectResponse("/learn/")
