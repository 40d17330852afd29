"""The history: your rounds, newest first, with filters and downloads; rounds as rows of a page."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, fields, replace
from datetime import MAXYEAR, date, datetime, time, timedelta
from http import HTTPStatus
from tempfile import SpooledTemporaryFile
from typing import IO, Annotated, Final

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response, StreamingResponse

from upcard.answers.played import name_cell, name_played, situations_of
from upcard.coach.judgement import write_chips
from upcard.core.cards import Card, write_face
from upcard.core.errors import BlackjackError, as_sentence
from upcard.core.number_texts import read_chips
from upcard.core.numbers import count_of, format_chips, signed, whole_number, with_minus
from upcard.services import not_found
from upcard.session.narration import write_initial_bets
from upcard.session.plan import name_of
from upcard.store import history, learning, records, round_codes
from upcard.store.database import Store
from upcard.table.state import RoundState, prepare
from upcard.web.endpoints import endpoint
from upcard.web.reading import RefusedError
from upcard.web.showing import address, show
from upcard.web.site import PRACTICE, site_of


@dataclass(frozen=True, slots=True, kw_only=True)
class CardName:
    """A card by its letters and in words."""

    name: str
    """`TH`; without a suit `T`."""
    words: str
    """`ten of hearts`."""

    @property
    def face(self) -> str:
        """The rank as players write it."""
        return write_face(self.name[0])

    @property
    def suit(self) -> str:
        """The letter of the suit; empty without one."""
        return self.name[1:].lower()


@dataclass(frozen=True, slots=True, kw_only=True)
class HandRow:
    """One of the person's hands."""

    cards: tuple[CardName, ...]
    outcome: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundRow:
    """A settled round. Units: chips."""

    round: int
    """Its number in the history: `/history/{number}` reviews it."""
    settled_at: str = ""
    """Date and time with the zone, in ISO 8601."""
    when: str = ""
    house: str = ""
    rules: str = ""
    hands: tuple[HandRow, ...] = ()
    upcard: CardName | None = None
    """The dealer's upcard; None if the round cannot be read."""
    bet: str = ""
    """The initial bets; `10+3` with 3 chips on side bets."""
    net: str = ""
    tone: str = "even"
    """`good`, `bad` or `even`."""
    bankroll: str = ""
    """Your chips after the round."""
    judged: int = 0
    mistakes: int = 0
    cost: str = ""
    grade: str = ""
    """The worst of them: `slip`, `mistake` or `blunder`; empty without one."""
    code: str = ""
    problem: str = ""
    """Why the round cannot be read; then all the rest is empty."""


def name_card(card: Card) -> CardName:
    """Return a card as a page shows it."""
    return CardName(name=str(card), words=card.in_words)


def write_local(moment: datetime) -> str:
    """Write a moment as local date and time."""
    return f"{moment.astimezone():%Y-%m-%d %H:%M}"


def list_round(store: Store, stored: records.SettledRound | history.DamagedRound) -> RoundRow:
    """Return a round as a row."""
    if isinstance(stored, history.DamagedRound):
        return RoundRow(round=stored.id, problem=as_sentence(stored.reason))
    cost = learning.cost_of_round(store, stored)
    rules = stored.session.rules
    up = prepare(rules, len(stored.record.bets)).up_index
    return RoundRow(
        round=stored.id,
        settled_at=stored.settled_at.isoformat(),
        when=write_local(stored.settled_at),
        house=name_of(rules),
        rules=str(rules),
        hands=tuple(
            HandRow(cards=tuple(map(name_card, hand.cards)), outcome=str(hand.outcome))
            for hand in stored.own_hands
        ),
        upcard=name_card(stored.dealer[up]),
        bet=write_initial_bets(stored),
        net=signed(stored.net),
        tone="good" if stored.net > 0 else "bad" if stored.net < 0 else "even",
        bankroll=format_chips(stored.bankroll),
        judged=cost.judged,
        mistakes=cost.mistakes,
        cost=write_chips(cost.cost) if cost.mistakes else "",
        grade=cost.grade,
        code=round_codes.encode_round(stored.record),
    )


_PAGE_ROUNDS: Final = 40
_FIRST_YEAR: Final = 1900
_MOST_DIGITS: Final = 12
_MOST_IN_MEMORY: Final = 4 * 1024 * 1024
_CHUNK: Final = 64 * 1024
_DOWNLOADS: Final = {
    "csv": ("text/csv; charset=utf-8", history.write_csv),
    "jsonl": ("application/jsonl; charset=utf-8", history.write_json_lines),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Filters:
    """The filters of an address, by the names of its fields."""

    house: Annotated[str | None, "rules that were played"] = None
    mistakes: Annotated[str | None, "`1` for rounds with a mistake"] = None
    class_: Annotated[str | None, "class of mistakes"] = None
    cell: Annotated[str | None, "a cell of the chart, such as `16 v T`"] = None
    over: Annotated[str | None, "least cost of the mistakes, exclusive, in chips"] = None
    from_: Annotated[str | None, "first day, such as 2026-11-22"] = None
    to: Annotated[str | None, "last day"] = None

    @property
    def chosen(self) -> dict[str, str]:
        """The filters that are set, by the names of their fields."""
        texts = ((one.name, getattr(self, one.name)) for one in fields(self))
        return {name.removesuffix("_"): text for name, text in texts if text}


@dataclass(frozen=True, slots=True, kw_only=True)
class FilterView:
    """The filters of an address, and what can be chosen."""

    house: str = ""
    """The rules to list, as `houses` has them; empty for all."""
    houses: tuple[tuple[str, str], ...] = ()
    """The rules that were played: the value of the field and words."""
    category: str = ""
    """The class of mistakes to list; empty for all."""
    categories: tuple[str, ...] = ()
    """The classes of mistakes that were judged."""
    with_mistakes: bool = False
    """Whether only rounds with a mistake are listed."""
    over: str = ""
    """Least cost of the mistakes in chips, exclusive; empty for any."""
    since: str = ""
    """First day, such as 2026-11-22; empty for no limit."""
    until: str = ""
    """Last day; empty for no limit."""
    cell: str = ""
    """A cell of the chart, such as `16 v T`; empty for all."""
    cell_words: str = ""
    without_cell: str = ""
    """Address of the same filters without the cell."""
    is_any: bool = False
    """Whether any filter is set."""
    problems: dict[str, str] = field(default_factory=dict)
    """A sentence for each faulty field."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryView:
    """A page of the history. Units: chips."""

    why_none: str
    filters: FilterView
    found: int = 0
    """Number of rounds that the filters find, on all pages."""
    net: str = "0"
    """Net of those rounds."""
    mistakes: int = 0
    """Rounds with a mistake."""
    cost: str = ""
    rounds: tuple[RoundRow, ...] = ()
    """The rounds of this page, the newest first."""
    newer: str = ""
    """Address of the page with newer rounds; empty on the first."""
    older: str = ""
    """Address of the page with older rounds; empty on the last."""
    csv: str = ""
    """Address of all found rounds as a CSV file."""
    jsonl: str = ""
    """Address of all found rounds as JSON lines."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Asked:
    search: history.RoundSearch
    fields: dict[str, str]
    problems: dict[str, str]


@endpoint("GET /history", page="history", view=HistoryView)
async def show_history(
    request: Request,
    *,
    filters: Filters,
    before: Annotated[str, "a round: the page with older ones"] = "",
    after: Annotated[str, "a round: the page with newer ones"] = "",
) -> Response:
    """Show a page of rounds."""
    if "" in (getattr(filters, one.name) for one in fields(filters)):  # a form sent them all
        return RedirectResponse(address("/history", **filters.chosen), HTTPStatus.SEE_OTHER)
    store = site_of(request).store
    if store is None:
        view = HistoryView(why_none=PRACTICE, filters=FilterView())
    else:
        below, above = (max(whole_number(text) or 0, 0) for text in (before, after))

        def look() -> HistoryView:
            with store.reading() as state:
                return _look_at(state, filters, below=below, above=above)

        view = await run_in_threadpool(look)
    said, fault = view.why_none or _sum_up(view), " ".join(view.filters.problems.values())
    return show(request, "history", view, title="History", say=said, fault=fault)


@endpoint("GET /history.{kind}", answer="a file: csv or jsonl")
async def download(request: Request, *, filters: Filters) -> Response:
    """Answer with all rounds that the filters find, as a file."""
    kind = request.path_params["kind"]
    if kind not in _DOWNLOADS:
        raise not_found(f"The history is saved as {' or '.join(_DOWNLOADS)}.")
    store = site_of(request).store
    if store is None:
        raise not_found(PRACTICE)
    asked = await run_in_threadpool(_read, store, filters)
    if asked.problems:
        words = " ".join(asked.problems.values())
        raise RefusedError(HTTPStatus.UNPROCESSABLE_ENTITY, "invalid", words, asked.problems)
    file = await run_in_threadpool(_write, store, asked.search, kind)
    headers = {"Content-Disposition": f'attachment; filename="upcard-history.{kind}"'}
    return StreamingResponse(_read_chunks(file), headers=headers, media_type=_DOWNLOADS[kind][0])


def _write(store: Store, search: history.RoundSearch, kind: str) -> IO[bytes]:
    """Write all rounds into a temporary file, so that damage is found before the answer begins."""
    file = SpooledTemporaryFile(_MOST_IN_MEMORY)  # noqa: SIM115 (closed at the end of the answer)
    try:
        for line in _DOWNLOADS[kind][1](store, history.read_rounds(store, search)):
            file.write(line.encode())
    except BaseException:
        file.close()
        raise
    file.seek(0)
    return file


def _read_chunks(file: IO[bytes]) -> Iterator[bytes]:
    with file:
        while chunk := file.read(_CHUNK):
            yield chunk


# --- the address ---


def _read(store: Store, filters: Filters) -> _Asked:
    """Read the filters; faulty ones are left out, with a sentence each."""
    texts = filters.chosen
    problems: dict[str, str] = {}
    search = history.RoundSearch(with_mistakes=texts.get("mistakes") == "1")
    for name, text in texts.items():
        try:
            search = _add(store, search, name, text)
        except (BlackjackError, ValueError) as error:
            problems[name] = as_sentence(str(error))
    return _Asked(search=search, fields=texts, problems=problems)


def _add(store: Store, search: history.RoundSearch, name: str, text: str) -> history.RoundSearch:
    match name:
        case "house":
            found = _choose(text, history.list_houses(store), "house or rules")
            return replace(search, house=found)
        case "class":
            found = _choose(text, history.list_categories(store), "class of mistakes")
            return replace(search, category=found)
        case "cell":
            return replace(search, situations=situations_of(text, history.list_situations(store)))
        case "over":
            return replace(search, cost_over=read_chips(text, "a cost"))
        case "from":
            return replace(search, since=_read_day(text))
        case "to":
            return replace(search, before=_read_day(text) + timedelta(days=1))
    return search


def _choose(text: str, known: list[str], what: str) -> str:
    if text not in known:
        msg = f"no rounds of the {what} {text[:80]!r}: there are {', '.join(known) or 'none yet'}"
        raise ValueError(msg)
    return text


def _read_day(text: str) -> datetime:
    """Return the start of a day, in local time."""
    try:
        day = date.fromisoformat(text)
        if _FIRST_YEAR <= day.year < MAXYEAR:  # else it is not a time in every zone
            return datetime.combine(day, time()).astimezone()
    except ValueError:
        pass
    raise ValueError(f"{text[:40]!r} is not a date: write one such as 2026-11-22")


# --- the view ---


def _look_at(store: Store, filters: Filters, *, below: int, above: int) -> HistoryView:
    asked = _read(store, filters)
    sums = history.count_found(store, asked.search)
    page = history.find_page(store, asked.search, _PAGE_ROUNDS, below=below, above=above)
    why_none = "" if page else "There are no more rounds."
    if not sums.rounds:
        nothing = "No round has been saved yet. Play some, and they will be here."
        why_none = "No round fits these filters." if asked.fields else nothing
    newer = older = ""
    if page and page[0].id < sums.last:
        newer = address("/history", **asked.fields, after=str(page[0].id))
    if page and page[-1].id > sums.first:
        older = address("/history", **asked.fields, before=str(page[-1].id))
    return HistoryView(
        why_none=why_none,
        filters=_view_filters(store, asked),
        found=sums.rounds,
        net=signed(sums.net),
        mistakes=sums.mistakes,
        cost=write_chips(sums.cost) if sums.mistakes else "",
        rounds=tuple(list_round(store, one) for one in page),
        newer=newer,
        older=older,
        csv=address("/history.csv", **asked.fields),
        jsonl=address("/history.jsonl", **asked.fields),
    )


def _view_filters(store: Store, asked: _Asked) -> FilterView:
    texts = asked.fields
    cell = texts.get("cell", "")
    return FilterView(
        house=texts.get("house", ""),
        houses=tuple((name, name_played(name)) for name in history.list_houses(store)),
        category=texts.get("class", ""),
        categories=tuple(history.list_categories(store)),
        with_mistakes=asked.search.with_mistakes,
        over=texts.get("over", ""),
        since=texts.get("from", ""),
        until=texts.get("to", ""),
        cell=cell,
        cell_words="" if "cell" in asked.problems else name_cell(cell),
        without_cell=address("/history", **texts | {"cell": ""}),
        is_any=bool(texts),
        problems=asked.problems,
    )


def _sum_up(view: HistoryView) -> str:
    rounds = f"{count_of(view.found, 'round')}, net {view.net}"
    if not view.mistakes:
        return f"{rounds}."
    return f"{rounds}; mistakes in {view.mistakes} cost {view.cost} chips."


@dataclass(frozen=True, slots=True, kw_only=True)
class FinalHand:
    """A hand at the end, the dealer's without outcome and net."""

    cards: tuple[CardName, ...]
    """The cards in the order in which they came."""
    total: int
    """The final total; above 21 is a bust."""
    outcome: str
    net: str
    """Net with its sign, in chips, or in units in a run; empty without bets."""


def view_final_hands(
    state: RoundState, show: Callable[[Card], CardName] = name_card, *, has_bets: bool = True
) -> Iterator[FinalHand]:
    """Iterate over the players' hands that have a result, in order."""
    for hand, (outcome, net) in zip(state.hands, state.results, strict=state.is_over):
        yield FinalHand(
            cards=tuple(map(show, hand.cards)),
            total=hand.total,
            outcome=str(outcome),
            net=with_minus(signed(net)) if has_bets else "",
        )


def view_final_dealer(state: RoundState, show: Callable[[Card], CardName] = name_card) -> FinalHand:
    """Return the dealer's hand."""
    cards = tuple(map(show, state.dealer))
    return FinalHand(cards=cards, total=state.dealer_total, outcome="", net="")
