"""The hand analyser: click cards, take cards out of the shoe, and see the value of every answer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from http import HTTPStatus
from typing import Annotated, Final

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from upcard.answers import hand
from upcard.answers.questions import SPLITS, read_quick_splits
from upcard.core.cards import RANKS, Card, rank_name, write_face
from upcard.core.errors import BlackjackError, NotationError, as_sentence
from upcard.core.numbers import count_of
from upcard.players.seen_cards import CardsSeen, Composition, compose
from upcard.rules.describe import name_game
from upcard.rules.model import Rules
from upcard.web import endpoints, site
from upcard.web.hand.shoe import ShoeCountsView, count_shoe
from upcard.web.showing import address, patience_of, show, wants

_SPLITS: Final = "CDZ-"
"""The split play that is not named in an address."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HandQuestion:
    """A hand against an upcard, the cards out of the shoe, and how split hands are played."""

    rules: Rules
    cards: tuple[str, ...] = ()
    upcard: str = ""
    removed: tuple[str, ...] = ()
    splits: str = _SPLITS

    @property
    def seen(self) -> tuple[Card, ...]:
        """All cards that are not in the shoe, except a hole card."""
        return tuple(map(Card, filter(None, (*self.cards, self.upcard, *self.removed))))

    def link(self, **more: str) -> str:
        """Return its address."""
        fields = {
            "r": str(self.rules),
            "c": ".".join(self.cards),
            "u": self.upcard,
            "less": ".".join(self.removed),
            "splits": "" if self.splits == _SPLITS else self.splits,
        }
        return address("/hand", **(fields | more))

    def put(self, place: str, rank: str) -> HandQuestion:
        """Return the question with one more card."""
        if place == "upcard":  # a second click takes it back
            return replace(self, upcard="" if self.upcard == rank else rank)
        if place == "less":
            return replace(self, removed=(*self.removed, rank))
        return replace(self, cards=(*self.cards, rank))


@dataclass(frozen=True, slots=True, kw_only=True)
class HandTexts:
    """The texts of a question."""

    r: Annotated[str, "rules: a house or notation, such as `6D H17 LS`"] = ""
    c: Annotated[str, "cards of the hand, such as `T.6`"] = ""
    u: Annotated[str, "the upcard"] = ""
    less: Annotated[str, "cards out of the shoe, such as `T.T.5`"] = ""
    splits: Annotated[str, SPLITS.help] = ""


def read_question(form: HandTexts, default: Rules) -> tuple[HandQuestion, str]:
    """Read the question of an address, and what is wrong with it."""
    asked = HandQuestion(rules=default)
    try:
        rules = Rules.parse(form.r) if form.r else default
        asked = HandQuestion(rules=rules)
        cards, upcard, removed = hand.read_on_table(rules, form.c, form.u, form.less)
        shown = replace(asked, cards=cards, upcard="".join(upcard), removed=removed)
        compose_shown(rules, shown.seen, 0)
        splits = read_quick_splits(form.splits) if form.splits else asked.splits
        asked = replace(shown, splits=splits)
    except BlackjackError as error:
        return asked, as_sentence(str(error))
    return asked, ""


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
    """The rank as a field has it: `A`, `2` to `9`, `T`."""
    words: str
    """The rank in words: `ace`, `10`."""
    left: int | None
    """Cards of this rank that are not part of the question."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CardView:
    """A card of the question; `without` is the address of the question without it."""

    name: str
    """The rank as players write it: `10`, `A`."""
    suit: str
    """`C`, `D`, `H` or `S` in a house that pays the hand by its suits, if it was given."""
    words: str
    without: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SplitPlayView:
    """A split play that can be chosen."""

    name: str
    words: str
    is_chosen: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class AnalysedHandView:
    """A hand against an upcard, and the value of every answer."""

    rules: str
    name: str
    """The game in words: the title of its house, or its main rules."""
    cards: tuple[CardView, ...]
    upcard: tuple[CardView, ...]
    """The dealer's upcard, as a list of at most one."""
    removed: tuple[CardView, ...]
    """Cards that are out of the shoe beside the hand and the upcard."""
    place: str
    """Place of the next clicked card: `hand`, `upcard` or `less`."""
    places: tuple[tuple[str, str], ...]
    """The places to choose from: value and words."""
    ranks: tuple[RankView, ...]
    """The ranks that can be added, each with the cards left."""
    question: str
    """The question in words, empty until hand and upcard are there."""
    values: hand.HandAnswer | None
    """The object of `upcard solve --json`; None until it is asked for and computed."""
    is_asked: bool
    """Whether values belong here: hand and upcard are there."""
    wants_changes: bool
    """Whether what would change the answer was asked for."""
    splits: str
    split_plays: tuple[SplitPlayView, ...]
    """The split plays to choose from, if they affect the hand."""
    counts: ShoeCountsView | None
    """The counts by every system; None before a card is seen, and for an infinite deck."""
    permalink: str
    with_changes: str
    """Address of the same question with what would change the answer."""
    examples: tuple[tuple[str, str], ...]
    """Questions to try: words and address."""
    problem: str


@endpoints.endpoint("GET /hand", page="hand", view=AnalysedHandView)
async def show_hand(
    request: Request,
    *,
    form: HandTexts,
    add: Annotated[str | None, "a card to add; leads to the question with it"] = None,
    to: Annotated[str, "where `add` puts the card: `hand`, `upcard` or `less`"] = "",
    changes: Annotated[bool, "`1` for what would change the answer"] = False,
) -> Response:
    """Show a question and its values; a clicked card is added first."""
    asked, problem = read_question(form, site.site_of(request).rules)
    is_upcard_next = len(asked.cards) >= 2 and not asked.upcard
    place = to if to in PLACES else "upcard" if is_upcard_next else "hand"
    if add is not None and not problem:
        clicked = hand.read_cards(add, "a click", 1)
        if not clicked:
            raise NotationError("no card was named")
        added = asked.put(place, Card(clicked[0]).face)
        # Two cards, the upcard, then further cards: only removing stays where it is.
        stays = {"to": place} if place == "less" else {}
        return RedirectResponse(added.link(**stays), HTTPStatus.SEE_OTHER)
    values: hand.HandAnswer | None = None
    is_asked = bool(len(asked.cards) >= 2 and asked.upcard and not problem)
    if is_asked and wants(request, "values"):
        try:
            values = await _find_values(request, asked, wants_changes=changes)
        except BlackjackError as error:
            problem, is_asked = as_sentence(str(error)), False
    has_dealer = bool(asked.upcard)
    counts = None if problem else count_shoe(asked.rules, asked.seen, has_dealer=has_dealer)
    view = AnalysedHandView(
        rules=str(asked.rules),
        name=name_game(asked.rules),
        cards=_cards(asked.cards, lambda rest: replace(asked, cards=rest)),
        upcard=_cards(tuple(asked.upcard), lambda _: replace(asked, upcard="")),
        removed=_cards(asked.removed, lambda rest: replace(asked, removed=rest)),
        place=place,
        places=tuple(PLACES.items()),
        ranks=_ranks(asked),
        question="" if values is None else values.question,
        values=values,
        is_asked=is_asked,
        wants_changes=changes,
        splits=asked.splits,
        split_plays=tuple(
            SplitPlayView(name=name, words=words, is_chosen=name == asked.splits)
            for name, words in hand.list_split_plays(asked.rules, tuple(map(Card, asked.cards)))
        ),
        counts=counts,
        permalink=asked.link(),
        with_changes=asked.link(changes="1"),
        examples=tuple(
            (words, address("/hand", r=str(asked.rules), c=cards, u=up))
            for words, cards, up in _EXAMPLES
        ),
        problem=problem,
    )
    say, title = "" if values is None else values.sentence, view.question or "Hand"
    return show(request, "hand", view, title=title, say=say, fault=problem, rules=view.rules)


async def _find_values(
    request: Request, asked: HandQuestion, *, wants_changes: bool
) -> hand.HandAnswer | None:
    from upcard.coach.adviser import pose

    cards = tuple(map(Card, asked.cards))
    question = pose(asked.rules, cards, Card(asked.upcard), has_offers=False)
    composition = compose_shown(asked.rules, asked.seen, len(asked.removed))
    removed = tuple(sorted(asked.removed))
    key = ("hand", asked.rules, asked.cards, asked.upcard, removed, asked.splits, wants_changes)
    return await site.site_of(request).solver.ask(
        key,
        lambda: hand.answer_question(
            question, composition, splits=asked.splits, has_changes=wants_changes
        ),
        part="hand",
        patience=patience_of(request),
    )


def compose_shown(rules: Rules, seen: tuple[Card, ...], removed: int) -> Composition:
    """Return the shoe without the cards `seen`; `removed` of them are neither hand nor upcard."""
    if rules.is_infinite:
        return compose(rules, CardsSeen.of(()), "composition: infinite deck, always the same")
    left_out = ["the hand", "the upcard"]
    if removed:
        left_out.append(count_of(removed, "removed card"))
    decks = rules.full_shoe.in_words
    told = f"composition: {decks} without {', '.join(left_out[:-1])} and {left_out[-1]}"
    return compose(rules, CardsSeen.of(seen), told)


def _cards(
    faces: tuple[str, ...], keep: Callable[[tuple[str, ...]], HandQuestion]
) -> tuple[CardView, ...]:
    """Return the cards of a place; `keep` returns the question with only some of them there."""
    rests = [faces[:index] + faces[index + 1 :] for index in range(len(faces))]
    return tuple(
        CardView(
            name=write_face(card.face),
            suit=card.suit,
            words=card.in_words if card.suit else _words(card.face),
            without=keep(rest).link(),
        )
        for card, rest in zip(map(Card, faces), rests, strict=True)
    )


def _ranks(asked: HandQuestion) -> tuple[RankView, ...]:
    used = [Card(face).rank for face in (*asked.cards, asked.upcard, *asked.removed) if face]
    full = None if asked.rules.is_infinite else asked.rules.full_shoe.counts
    return tuple(
        RankView(
            name=rank_name(rank),
            words=_words(rank_name(rank)),
            left=None if full is None else full[rank] - used.count(rank),
        )
        for rank in RANKS
    )


def _words(face: str) -> str:
    return {"A": "ace", "T": "10", "J": "jack", "Q": "queen", "K": "king"}.get(face, face)
