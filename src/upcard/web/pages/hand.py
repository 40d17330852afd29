"""The hand analyser: click cards, take cards out of the shoe, and see the value of every answer."""

from __future__ import annotations

from dataclasses import dataclass
from http import HTTPStatus
from typing import TYPE_CHECKING, Final

from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from upcard.core.cards import RANKS, Card, parse_cards, rank_name
from upcard.core.errors import BlackjackError, NotationError
from upcard.core.sentences import as_sentence
from upcard.exact.shoe import full_decks
from upcard.rules.describe import name_game
from upcard.rules.model import Rules
from upcard.web.hand_values import HandValues, value_hand
from upcard.web.reading import Fields, read_query
from upcard.web.showing import address, patience_of, show, topic_of, wants
from upcard.web.site import site_of

if TYPE_CHECKING:
    from starlette.requests import Request

_MOST_IN_HAND: Final = 12
_MOST_REMOVED: Final = 400
PLACES: Final = {"hand": "Your hand", "upcard": "Dealer's upcard", "less": "Out of the shoe"}
"""Places of a clicked card."""
_EXAMPLES: Final = (
    ("16 against a 10", "T.6", "T"),
    ("8,8 against a 10", "8.8", "T"),
    ("Soft 18 against a 9", "A.7", "9"),
    ("12 against a 3", "T.2", "3"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class RankView:
    """A rank that can be clicked, and how many of its cards are left; None without an end."""

    name: str
    words: str
    left: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class CardView:
    """A card of the question; `without` is the address of the question without it."""

    name: str
    words: str
    without: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AnalysedHandView:
    """A hand against an upcard, and the value of every answer."""

    rules: str
    name: str
    cards: tuple[CardView, ...]
    upcard: tuple[CardView, ...]
    removed: tuple[CardView, ...]
    place: str
    places: tuple[tuple[str, str], ...]
    ranks: tuple[RankView, ...]
    question: str
    """The question in words, empty until hand and upcard are there."""
    values: HandValues | None
    is_asked: bool
    """Whether values belong here: hand and upcard are there."""
    wants_changes: bool
    permalink: str
    with_changes: str
    """Address of the same question with what would change the answer."""
    examples: tuple[tuple[str, str], ...]
    problem: str


@dataclass(frozen=True, slots=True, kw_only=True)
class _AskedHand:
    """The question of an address."""

    rules: Rules
    cards: tuple[str, ...] = ()
    upcard: str = ""
    removed: tuple[str, ...] = ()

    def link(self, **more: str) -> str:
        """Return its address."""
        return address(
            "/hand",
            r=str(self.rules),
            c=".".join(self.cards),
            u=self.upcard,
            less=".".join(self.removed),
            **more,
        )

    def put(self, place: str, rank: str) -> _AskedHand:
        """Return the question with one more card."""
        cards, upcard, removed = self.cards, self.upcard, self.removed
        if place == "upcard":
            upcard = "" if upcard == rank else rank  # a second click takes it back
        elif place == "less":
            removed = (*removed, rank)
        else:
            cards = (*cards, rank)
        return _AskedHand(rules=self.rules, cards=cards, upcard=upcard, removed=removed)

    def drop(self, place: str, index: int) -> _AskedHand:
        """Return the question without one of its cards."""
        cards, removed = list(self.cards), list(self.removed)
        if place == "hand":
            del cards[index]
        elif place == "less":
            del removed[index]
        upcard = "" if place == "upcard" else self.upcard
        return _AskedHand(
            rules=self.rules, cards=tuple(cards), upcard=upcard, removed=tuple(removed)
        )


async def show_hand(request: Request) -> Response:
    """Show a question and its values; a clicked card is added first."""
    fields = read_query(request)
    asked, problem = _read(fields, site_of(request).rules)
    place = fields.text("to") if fields.text("to") in PLACES else _next_place(asked)
    if "add" in fields and not problem:
        added = asked.put(place, _read_rank(fields.text("add")))
        # Two cards, the upcard, then further cards: only removing stays where it is.
        stays = {"to": place} if place == "less" else {}
        return RedirectResponse(added.link(**stays), HTTPStatus.SEE_OTHER)
    wants_changes = fields.text("changes") == "1"
    values: HandValues | None = None
    is_asked = bool(len(asked.cards) >= 2 and asked.upcard and not problem)
    if is_asked and wants(request, "values"):
        try:
            values = await _find_values(request, asked, wants_changes=wants_changes)
        except BlackjackError as error:
            problem, is_asked = as_sentence(str(error)), False
    view = AnalysedHandView(
        rules=str(asked.rules),
        name=name_game(asked.rules),
        cards=_cards(asked, "hand", asked.cards),
        upcard=_cards(asked, "upcard", (asked.upcard,) if asked.upcard else ()),
        removed=_cards(asked, "less", asked.removed),
        place=place,
        places=tuple(PLACES.items()),
        ranks=_ranks(asked),
        question="" if values is None else values.question,
        values=values,
        is_asked=is_asked,
        wants_changes=wants_changes,
        permalink=asked.link(),
        with_changes=asked.link(changes="1"),
        examples=tuple(
            (words, address("/hand", r=str(asked.rules), c=cards, u=up))
            for words, cards, up in _EXAMPLES
        ),
        problem=problem,
    )
    status = HTTPStatus.UNPROCESSABLE_ENTITY if problem else HTTPStatus.OK
    return show(
        request,
        "hand",
        view,
        title=view.question or "Hand",
        say=problem or ("" if values is None else values.summary),
        rules=view.rules,
        status=status,
    )


async def _find_values(
    request: Request, asked: _AskedHand, *, wants_changes: bool
) -> HandValues | None:
    cards = tuple(map(Card, asked.cards))
    removed = tuple(sorted(map(Card, asked.removed), key=lambda card: card.rank))
    key = ("hand", asked.rules, asked.cards, asked.upcard, tuple(map(str, removed)), wants_changes)
    return await site_of(request).desk.ask(
        key,
        lambda: value_hand(
            asked.rules, cards, Card(asked.upcard), removed, wants_changes=wants_changes
        ),
        topic=topic_of(request, "hand"),
        patience=patience_of(request),
    )


def _read(fields: Fields, default: Rules) -> tuple[_AskedHand, str]:
    """Read the question of an address, and what is wrong with it."""
    asked = _AskedHand(rules=default)
    try:
        text = fields.text("r")
        rules = Rules.parse(text) if text else default
        asked = _AskedHand(rules=rules)
        cards = _read_cards(fields.text("c"), "hand", _MOST_IN_HAND)
        upcard = _read_cards(fields.text("u"), "upcard", 1)
        removed = _read_cards(fields.text("less"), "removed cards", _MOST_REMOVED)
        asked = _AskedHand(
            rules=rules, cards=cards, upcard=upcard[0] if upcard else "", removed=removed
        )
    except BlackjackError as error:
        return asked, as_sentence(str(error))
    return asked, ""


def _read_cards(text: str, what: str, most: int) -> tuple[str, ...]:
    """Read cards with dots between them, by their face. Raises: NotationError for too many."""
    cards = parse_cards(text.replace(".", " ")) if text else ()
    if len(cards) > most:
        raise NotationError(f"{what}: {most} card{'s' * (most != 1)} at most, not {len(cards)}")
    return tuple(card.face for card in cards)


def _read_rank(text: str) -> str:
    (rank,) = _read_cards(text, "a click", 1) or ("",)
    if not rank:
        raise NotationError("no card was named")
    return rank


def _next_place(asked: _AskedHand) -> str:
    return "upcard" if len(asked.cards) >= 2 and not asked.upcard else "hand"


def _cards(asked: _AskedHand, place: str, faces: tuple[str, ...]) -> tuple[CardView, ...]:
    return tuple(
        CardView(name=_name(face), words=_words(face), without=asked.drop(place, index).link())
        for index, face in enumerate(faces)
    )


def _ranks(asked: _AskedHand) -> tuple[RankView, ...]:
    used = [Card(face).rank for face in (*asked.cards, asked.upcard, *asked.removed) if face]
    full = None if asked.rules.is_infinite else full_decks(asked.rules.decks or 1)
    return tuple(
        RankView(
            name=rank_name(rank),
            words=_words(rank_name(rank)),
            left=None if full is None else full[rank] - used.count(rank),
        )
        for rank in RANKS
    )


def _name(face: str) -> str:
    return "10" if face == "T" else face


def _words(face: str) -> str:
    return {"A": "ace", "T": "10", "J": "jack", "Q": "queen", "K": "king"}.get(face, face)


ROUTES: Final = (Route("/hand", show_hand),)
