"""The history: saved rounds and shoes, read, searched and exported, and the reveals of shoes."""

import json
import math
import textwrap
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import MAXYEAR, datetime
from fractions import Fraction
from itertools import islice
from typing import Any, Final, NamedTuple

from upcard.analysis.grades import grades_of, write_grades
from upcard.core import errors, figure
from upcard.core.actions import Outcome
from upcard.core.numbers import format_chips, to_json
from upcard.fair import fair_shoe, seeds
from upcard.store import files, records, round_codes
from upcard.store.database import Store, open_for_reading
from upcard.store.learning import RoundCost, cost_of_round
from upcard.store.sessions import SESSION_COLUMNS, read_rules, read_session, write_rules
from upcard.table import events, side_stakes, state
from upcard.table.rounds import CardList, CardSource, RoundRecord

_ROUNDS: Final = (
    f"SELECT {SESSION_COLUMNS}, rounds.id, rounds.number, shoe_id, commitment, server_seed,"  # noqa: S608
    " player_seed, shoes.ended_at, shuffle, dealt, bets, own, actions, own_answers, cards,"
    " hands, dealer, insurance_net, net, rounds.bankroll, rounds.started_at, settled_at FROM rounds"
    " JOIN sessions ON sessions.id = rounds.session_id"
    " JOIN shoes ON shoes.id = shoe_id"
)
"""Selects rounds in the columns that `_read_row` reads."""
_SHOES: Final = (
    f"SELECT {SESSION_COLUMNS}, shoes.id, shoes.number, commitment, server_seed,"  # noqa: S608
    " player_seed, chain_number, committed_rules, shoes.started_at, shoes.ended_at FROM shoes"
    " JOIN sessions ON sessions.id = session_id"
)
_PAGE: Final = 500
_FIRST_YEAR: Final = 1900


def read_round(store: Store, number: int) -> records.SettledRound:
    """Read a settled round by its number in the store."""
    return _read_row(_find(store, "round", number, "no round has been played yet"))


def _find(store: Store, what: str, number: int, none: str) -> tuple[Any, ...]:
    columns = _ROUNDS if what == "round" else _SHOES
    if (row := store.row(f"{columns} WHERE {what}s.id = ?", number)) is None:
        last = store.row(f"SELECT max(id) FROM {what}s")  # noqa: S608
        known = f"1 to {last[0]}" if last and last[0] else none
        raise files.StoreError(f"there is no {what} {number}: {known}")
    return row


def find_round(store: Store, session: records.SessionRecord, number: int) -> int | None:
    """Return the number in the store of a settled round of a session; None if there is none."""
    row = store.row("SELECT id FROM rounds WHERE session_id = ? AND number = ?", session.id, number)
    return None if row is None else int(row[0])


def _read_row(row: tuple[Any, ...]) -> records.SettledRound:
    with files.reading(f"round {row[5]}"):
        stored = _make_round(row)
        _check_round(stored)
        return stored


def _check_round(stored: records.SettledRound) -> None:
    """Refuse readable but impossible values, on which viewers and replays rely."""
    spots, cards = len(stored.record.bets), len(stored.dealer)
    every, answers = set(range(spots)), set(range(len(stored.record.actions)))
    faults = {
        f"it begins at card {stored.place.dealt} of shuffle {stored.place.shuffle}": (
            any(type(number) is not int for number in stored.place) or min(stored.place) < 0
        ),
        "it has no bets": not spots,
        f"its own spots are {stored.player_spots}": not every >= {*stored.player_spots},
        f"its own answers are {stored.own_answers}": not answers >= {*stored.own_answers},
        "a hand is at no spot": not every >= {hand.spot for hand in stored.hands},
        "it has no hand of the person's": not stored.own_hands,
    }
    wrong = next((fault for fault, is_so in faults.items() if is_so), "")
    if not wrong and cards <= state.prepare(stored.session.rules, spots).up_index:
        wrong = f"the dealer has {cards} cards"
    if wrong:
        raise files.damaged(wrong)


def _make_round(row: tuple[Any, ...]) -> records.SettledRound:
    number, in_session, shoe, commitment, seed, player_seed = row[5:11]
    ended, shuffle, dealt = row[11:14]
    bets, player_spots, actions, own_answers, cards, hands, dealer = row[14:21]
    insurance_net, net, bankroll, started, settled = row[21:]
    laid, answers = records.read_bets(bets), records.read_actions(actions)
    dealt_cards = records.read_cards(cards)
    played, side = _read_hands(hands)
    session, place = read_session(row[:5]), fair_shoe.Place(shuffle, dealt)
    source: CardSource = CardList(dealt_cards)
    if ended:  # until then the key is secret
        source = fair_shoe.KeyedCards(seeds.shoe_key(bytes.fromhex(seed), player_seed), place)
    return records.SettledRound(
        id=number,
        session=session,
        number=in_session,
        shoe_id=shoe,
        commitment=seeds.Commitment.parse(commitment),
        place=place,
        player_spots=records.read_numbers(player_spots) or tuple(range(len(laid))),
        record=RoundRecord(rules=session.rules, bets=laid, source=source, actions=answers),
        own_answers=records.read_numbers(own_answers)
        if player_spots
        else tuple(range(len(answers))),
        cards=dealt_cards,
        hands=played,
        side=side,
        dealer=records.read_cards(dealer),
        insurance_net=records.read_amount(insurance_net),
        net=records.read_amount(net),
        bankroll=records.read_amount(bankroll),
        started_at=_read_time(started),
        settled_at=_read_time(settled),
    )


def _read_hands(
    text: str,
) -> tuple[tuple[records.StoredHand, ...], tuple[side_stakes.SideResult, ...]]:
    """Read the hands of a round and, among them, its side bets."""
    try:
        data = json.loads(text)
        hands = tuple(
            records.StoredHand(
                spot=hand["spot"],
                cards=records.read_cards(hand["cards"]),
                total=hand["total"],
                outcome=Outcome(hand["outcome"]),
                bet=records.read_amount(hand["bet"]),
                net=records.read_amount(hand["net"]),
            )
            for hand in data
            if "side" not in hand
        )
        return hands, records.read_side(data)
    except (ValueError, TypeError, KeyError):
        raise files.damaged(f"{text!r} are not hands") from None


def _read_time(text: str) -> datetime:
    moment = datetime.fromisoformat(text)
    if not _FIRST_YEAR <= moment.year < MAXYEAR:  # else it is not a time in every zone
        raise files.damaged(f"{text!r} is not a time")
    return moment


def read_shoes(store: Store) -> list[records.StoredShoe]:
    """Read all the shoes, oldest first; the seeds of a shoe in play are left out."""
    return [_read_shoe(row) for row in store.rows(f"{_SHOES} ORDER BY shoes.id")]


def read_shoe(store: Store, number: int) -> records.StoredShoe:
    """Read a shoe by its number in the store."""
    return _read_shoe(_find(store, "shoe", number, "none has been dealt yet"))


def find_shoe(
    store: Store, session: records.SessionRecord, commitment: seeds.Commitment, number: int = 1
) -> int | None:
    """Return the number in the store of shoe `number` of a commitment.

    Returns None if no round was dealt from it.
    """
    query = (
        "SELECT id FROM shoes WHERE session_id = ? AND commitment = ? AND chain_number = ?"
        " ORDER BY number DESC LIMIT 1"
    )
    row = store.row(query, session.id, str(commitment), number)
    return None if row is None else int(row[0])


def read_rounds_of_shoe(store: Store, number: int) -> list[records.SettledRound]:
    """Read the settled rounds of one shoe, in the order played."""
    rows = store.rows(f"{_ROUNDS} WHERE shoe_id = ? ORDER BY rounds.id", number)
    return [_read_row(row) for row in rows]


def read_rounds_in_play(store: Store, session: records.SessionRecord) -> list[records.SettledRound]:
    """Read the settled rounds of the shoe in play of a session, in the order played."""
    row = store.row("SELECT id FROM shoes WHERE session_id = ? AND ended_at IS NULL", session.id)
    return [] if row is None else read_rounds_of_shoe(store, row[0])


def _read_shoe(row: tuple[Any, ...]) -> records.StoredShoe:
    number, in_session, commitment, seed, player_seed = row[5:10]
    in_chain, rules, started, ended = row[10:]
    with files.reading(f"shoe {number}"):
        reveal = seeds.Reveal(
            server_seed=bytes.fromhex(seed), player_seed=player_seed, number=in_chain, rules=rules
        )
        return records.StoredShoe(
            id=number,
            session=read_session(row[:5]),
            number=in_session,
            commitment=seeds.Commitment.parse(commitment),
            reveal=reveal if ended else None,
            started_at=_read_time(started),
            ended_at=_read_time(ended) if ended else None,
        )


def hear_shoe_before(store: Store, stored: records.SettledRound) -> tuple[events.Event, ...]:
    """Return the events of the same shuffle before a round."""
    if stored.session.rules.is_infinite:
        return ()
    earlier = [
        other
        for other in read_rounds_of_shoe(store, stored.shoe_id)
        if other.place.shuffle == stored.place.shuffle and other.place.dealt < stored.place.dealt
    ]
    known = sum(len(other.cards) for other in earlier)
    if known != stored.place.dealt:
        raise files.StoreError(
            f"round {stored.id} began after {stored.place.dealt} cards of its shuffle, and"
            f" {known} of them are on record: the cards seen are not known"
        )
    return tuple(event for other in earlier for event in other.record.events)


def make_reveal(shoe: records.StoredShoe, rounds: Sequence[records.SettledRound]) -> dict[str, Any]:
    """Make the reveal file of a finished shoe, with its rounds in the order played."""
    if shoe.reveal is None:
        raise files.StoreError(f"shoe {shoe.id} is in play: its seeds are shown when it is over")
    rules = shoe.session.rules
    return {
        "method": seeds.METHOD,
        "commitment": str(shoe.commitment),
        "number": shoe.reveal.number,
        "server_seed": shoe.reveal.server_seed.hex(),
        "player_seed": shoe.reveal.player_seed,
        "rules": shoe.reveal.rules,
        "decks": rules.decks,
        "ten_probability": str(rules.ten_probability),
        "shuffle": str(rules.shuffle),
        "penetration": str(rules.penetration),
        "rounds": [
            {
                "shuffle": stored.place.shuffle,
                "dealt": stored.place.dealt,
                "cards": records.write_cards(stored.cards),
            }
            for stored in rounds
        ],
    }


def check_reveal(document: object) -> int:
    """Check a reveal file with `upcard.fair.verify_shuffle`; return its rounds."""
    from upcard.fair.verify_shuffle import InputError, MismatchError, check_file

    try:
        return check_file(document)
    except MismatchError as error:
        raise seeds.FairnessError(str(error)) from None
    except InputError as error:
        raise errors.NotationError(f"no reveal file: {error}") from None


_JUDGED: Final = "judgements.session_id = rounds.session_id AND judgements.number = rounds.number"
_COST: Final = f"(SELECT sum(cost_chips) FROM judgements WHERE {_JUDGED})"  # noqa: S608
_FROM: Final = " FROM rounds JOIN sessions ON sessions.id = rounds.session_id"


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundSearch:
    """A search for rounds; by default it finds all."""

    house: str = ""
    """Name of a house, or the notation of custom rules."""
    with_mistakes: bool = False
    category: str = ""
    """Class of a mistake in the round, as leaks name it."""
    situations: tuple[str, ...] | None = None
    """Situations of a decision in the round, as the coach names them; None for any."""
    cost_over: Fraction = Fraction(0)
    """The mistakes of the round cost more chips than this."""
    since: datetime | None = None
    before: datetime | None = None


class DamagedRound(NamedTuple):
    """A round that cannot be read."""

    id: int
    reason: str


class Found(NamedTuple):
    """Sums of the rounds that a search finds. Units: chips."""

    rounds: int
    net: Fraction
    mistakes: int
    """Rounds with a mistake."""
    cost: float
    first: int
    """Number of the oldest one; 0 if there are none."""
    last: int


def find_page(
    store: Store, search: RoundSearch, count: int, *, below: int = 0, above: int = 0
) -> list[records.SettledRound | DamagedRound]:
    """Return at most `count` rounds, newest first: the newest ones, or next to a round's number.

    With `below` they are older than that round, with `above` newer. A damaged row is a
    `DamagedRound`.
    """
    which, values = _where(store, search)
    order = "DESC"
    if above:
        which, order = f"{which} AND rounds.id > ?", "ASC"
        values.append(above)
    elif below:
        which = f"{which} AND rounds.id < ?"
        values.append(below)
    rows = store.rows(f"{_ROUNDS} WHERE {which} ORDER BY rounds.id {order} LIMIT ?", *values, count)
    found: list[records.SettledRound | DamagedRound] = []
    for row in rows:
        try:
            found.append(_read_row(row))
        except files.StoreDamagedError as error:
            found.append(DamagedRound(row[5], str(error)))
    return found[::-1] if above else found


def read_rounds(
    store: Store, search: RoundSearch = RoundSearch(), *, last: int | None = None
) -> Iterator[records.SettledRound]:
    """Read the settled rounds a search finds, oldest first; `last` limits them to the newest."""
    above = -1  # before the first: 0 would be the newest page
    if last is not None:
        which, values = _where(store, search)
        query = f"SELECT rounds.id{_FROM} WHERE {which} ORDER BY rounds.id DESC LIMIT 1 OFFSET ?"
        row = store.row(query, *values, last)
        above = row[0] if row else above
    while page := find_page(store, search, _PAGE, above=above):
        for one in reversed(page):
            if isinstance(one, DamagedRound):
                raise files.StoreDamagedError(one.reason)
            yield one
        above = page[0].id


def count_found(store: Store, search: RoundSearch) -> Found:
    """Add up the rounds that a search finds."""
    which, values = _where(store, search)
    net, rounds = Fraction(0), 0
    query = f"SELECT net, count(*), min(rounds.id){_FROM} WHERE {which} GROUP BY net"
    rows = store.rows(query, *values)
    for text, times, number in rows:
        with files.reading(f"round {number}"):
            net += records.read_amount(text) * times
        rounds += times
    row = store.row(f"SELECT min(rounds.id), max(rounds.id){_FROM} WHERE {which}", *values)
    first, last = row or (0, 0)
    costs = store.rows(  # added up here, since each SQLite rounds a sum in its own way
        f"SELECT rounds.id, cost_chips{_FROM} JOIN judgements ON {_JUDGED}"
        f" WHERE {which} AND cost_chips > 0",
        *values,
    )
    mistakes = len({number for number, _ in costs})
    cost = math.fsum(cost for _, cost in costs)
    return Found(rounds, net, mistakes, cost, first or 0, last or 0)


def list_houses(store: Store) -> list[str]:
    """Return the houses and custom rules that were played, most rounds first."""
    rounds: dict[str, int] = defaultdict(int)
    query = f"SELECT count(*){_FROM} WHERE sessions.house = ? AND sessions.rules = ?"
    for name, house, rules in _name_houses(store):
        row = store.row(query, house, rules)
        rounds[name] += row[0] if row else 0
    return sorted((name for name, count in rounds.items() if count), key=lambda name: -rounds[name])


def list_categories(store: Store) -> list[str]:
    """Return the classes of decisions in which a mistake was made, in alphabetical order."""
    rows = store.rows("SELECT DISTINCT category FROM judgements WHERE cost_chips > 0 ORDER BY 1")
    return [text for (text,) in rows]


def list_situations(store: Store) -> list[str]:
    """Return the situations of all judged decisions, as the coach names them."""
    return [text for (text,) in store.rows("SELECT DISTINCT situation FROM judgements")]


def _name_houses(store: Store) -> Iterator[tuple[str, str, str]]:
    """Iterate over the rules of all sessions: their name, and the house and rules as saved."""
    for house, rules in store.rows("SELECT DISTINCT house, rules FROM sessions"):
        try:
            with files.reading("a session"):
                yield str(read_rules(rules, house)), house, rules
        except files.StoreDamagedError:
            continue  # its rounds report the damage


def _where(store: Store, search: RoundSearch) -> tuple[str, list[object]]:
    parts, values = ["1"], list[object]()
    if search.house:
        pairs = [pair for name, *pair in _name_houses(store) if name == search.house]
        either = " OR ".join(["(sessions.house = ? AND sessions.rules = ?)"] * len(pairs))
        parts.append(f"({either or '0'})")
        values += [text for pair in pairs for text in pair]
    if search.with_mistakes or search.category or search.situations is not None:
        condition, more = _judged(search)
        parts.append(condition)
        values += more
    if search.cost_over:
        parts.append(f"{_COST} > ?")
        values.append(float(search.cost_over))
    for moment, sign in ((search.since, ">="), (search.before, "<")):
        if moment is not None:
            parts.append(f"settled_at {sign} ?")
            values.append(records.write_moment(moment))
    return " AND ".join(parts), values


def _judged(search: RoundSearch) -> tuple[str, list[object]]:
    """Return the condition that one decision of the round fulfils."""
    parts, values = [_JUDGED], list[object]()
    if search.with_mistakes or search.category:
        parts.append("cost_chips > 0")
    if search.category:
        parts.append("category = ?")
        values.append(search.category)
    if search.situations is not None:
        parts.append(f"situation IN ({', '.join('?' * len(search.situations))})")
        values += search.situations
    return f"EXISTS (SELECT 1 FROM judgements WHERE {' AND '.join(parts)})", values  # noqa: S608


COLUMNS: Final = (
    *("round", "session", "player", "company", "house", "rules", "shoe", "commitment"),
    *("started_at", "settled_at", "bets", "own", "cards", "actions", "hands", "others", "dealer"),
    *("insurance_net", "side_bets", "net", "bankroll", "code", "mistakes", "cost", "grades"),
)


def row_of(stored: records.SettledRound, cost: RoundCost | None = None) -> dict[str, Any]:
    """Return a round as JSON values; chips are exact text.

    Without `cost`, or with no judged decision, `mistakes`, `cost` and `grades` are null.
    """
    session = stored.session
    found = cost if cost is not None and cost.judged else None
    return {
        "round": stored.id,
        "session": session.id,
        "player": session.player,
        "company": session.company or None,
        "house": session.house or None,
        "rules": write_rules(session.rules),
        "shoe": stored.shoe_id,
        "commitment": str(stored.commitment),
        "started_at": stored.started_at.isoformat(),
        "settled_at": stored.settled_at.isoformat(),
        "bets": [format_chips(bet.main) for bet in stored.record.bets],
        "own": list(stored.player_spots),
        "cards": records.write_cards(stored.cards),
        "actions": list(map(str, stored.record.actions)),
        "hands": [_hand_of(hand) for hand in stored.own_hands],
        "others": [_hand_of(hand) for hand in stored.hands if hand.spot not in stored.player_spots],
        "dealer": records.write_cards(stored.dealer),
        "insurance_net": format_chips(stored.insurance_net),
        "side_bets": [to_json(one._asdict()) for one in stored.own_side],
        "net": format_chips(stored.net),
        "bankroll": format_chips(stored.bankroll),
        "code": round_codes.encode_round(stored.record),
        "mistakes": None if found is None else found.mistakes,
        "cost": None if found is None else found.cost,
        "grades": None if found is None else grades_of(found.wrong),
    }


def _hand_of(hand: records.StoredHand) -> dict[str, Any]:
    return {
        "spot": hand.spot,
        "cards": records.write_cards(hand.cards),
        "total": hand.total,
        "outcome": str(hand.outcome),
        "bet": format_chips(hand.bet),
        "net": format_chips(hand.net),
    }


def write_json_lines(store: Store, rounds: Iterable[records.SettledRound]) -> Iterator[str]:
    """Write each round of a store as a line of JSON."""
    for stored in rounds:
        yield json.dumps(row_of(stored, cost_of_round(store, stored))) + "\n"


def write_json(
    store: Store, rounds: Iterable[records.SettledRound], rest: dict[str, Any]
) -> Iterator[str]:
    """Write one JSON object: the rounds, one at a time, then the other keys."""
    yield '{\n  "rounds": ['
    before = "\n"
    for stored in rounds:
        yield before + textwrap.indent(_dump(row_of(stored, cost_of_round(store, stored))), "    ")
        before = ",\n"
    yield "]" if before == "\n" else "\n  ]"
    for name, value in rest.items():
        yield f",\n  {json.dumps(name)}: {textwrap.indent(_dump(value), '  ').lstrip()}"
    yield "\n}\n"


def _dump(value: object) -> str:
    return json.dumps(to_json(value), indent=2, ensure_ascii=False, allow_nan=False)


def write_csv(store: Store, rounds: Iterable[records.SettledRound]) -> Iterator[str]:
    """Write a line of column names, then one for each round; hands are `cards: outcome net`."""
    yield figure.write_csv([COLUMNS])
    for stored in rounds:
        yield figure.write_csv([_cells_of(store, stored)])


def _cells_of(store: Store, stored: records.SettledRound) -> list[Any]:
    row = row_of(stored, cost_of_round(store, stored))
    row |= {
        "bets": records.write_bets(stored.record.bets),
        "actions": records.write_actions(stored.record.actions),
        "own": " ".join(str(spot) for spot in row["own"]),
        "hands": _write_hands(row["hands"]),
        "others": _write_hands(row["others"]),
        "grades": write_grades(row["grades"] or {}),
        "insurance_net": stored.insurance_net,
        "side_bets": "; ".join(
            f"{one.code} {format_chips(one.stake)}: {one.row} {format_chips(one.net)}"
            for one in stored.own_side
        ),
        "net": stored.net,
        "bankroll": stored.bankroll,
    }
    return [row[name] for name in COLUMNS]


def history() -> figure.RowStream:
    """Return the rounds that you have played, oldest first, for a data frame.

    They are read in parts, so that there may be more than memory holds. Chips are exact; the
    columns are those of `upcard history --csv`.

    >>> [column.name for column in history().columns][:3]
    ['round', 'session', 'player']
    """

    def read() -> Iterator[list[list[Any]]]:
        with open_for_reading() as store:
            rounds = read_rounds(store)
            while part := [_cells_of(store, one) for one in islice(rounds, _PART)]:
                yield part

    columns = (
        figure.TableColumn(name=name, title=name, kind=_KINDS.get(name, figure.ColumnKind.TEXT))
        for name in COLUMNS
    )
    return figure.RowStream(columns=tuple(columns), batches=read)


_PART: Final = 10_000
_KINDS: Final = {
    **dict.fromkeys(("round", "session", "shoe", "mistakes"), figure.ColumnKind.NUMBER),
    **dict.fromkeys(("insurance_net", "net", "bankroll"), figure.ColumnKind.AMOUNT),
    "cost": figure.ColumnKind.REAL,
}


def _write_hands(hands: Iterable[dict[str, Any]]) -> str:
    return "; ".join(f"{hand['cards']}: {hand['outcome']} {hand['net']}" for hand in hands)
