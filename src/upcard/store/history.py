"""Reading of saved rounds, shoes and reveals, and replay. Nothing of an open shoe is revealed."""

from __future__ import annotations

import json
from datetime import MAXYEAR, datetime
from typing import TYPE_CHECKING, Any, Final

from upcard.core.actions import Outcome
from upcard.fair.fair_shoe import KeyedCards, Place
from upcard.fair.seeds import Commitment, Reveal, shoe_key
from upcard.store.amounts import read_actions, read_amount, read_amounts, read_cards, read_numbers
from upcard.store.database import Store
from upcard.store.errors import StoreError, damaged, reading
from upcard.store.records import SessionRecord, SettledRound, StoredHand, StoredShoe
from upcard.store.sessions import SESSION_COLUMNS, read_session
from upcard.table.events import Event
from upcard.table.rounds import CardList, CardSource, RoundRecord
from upcard.table.settle import net_of_spots
from upcard.table.state import RoundState, prepare

if TYPE_CHECKING:
    from collections.abc import Iterator


ROUNDS: Final = (
    f"SELECT {SESSION_COLUMNS}, rounds.id, rounds.number, shoe_id, method, commitment, server_seed,"  # noqa: S608
    " player_seed, shoes.ended_at, shuffle, dealt, bets, own, actions, own_answers, cards,"
    " hands, dealer, insurance_net, net, rounds.bankroll, rounds.started_at, settled_at FROM rounds"
    " JOIN sessions ON sessions.id = rounds.session_id JOIN profiles ON profiles.id = profile_id"
    " JOIN shoes ON shoes.id = shoe_id"
)
"""Selects rounds in the columns that `read_row` reads."""
_SHOES: Final = (
    f"SELECT {SESSION_COLUMNS}, shoes.id, shoes.number, method, commitment, server_seed,"  # noqa: S608
    " player_seed, chain_number, committed_rules, shoes.started_at, shoes.ended_at FROM shoes"
    " JOIN sessions ON sessions.id = session_id JOIN profiles ON profiles.id = profile_id"
)
_PAGE: Final = 1000
_FIRST_YEAR: Final = 1900
_NUMBERS: Final = "SELECT id FROM rounds"
_MISTAKES: Final = (
    "EXISTS (SELECT 1 FROM judgements WHERE judgements.session_id = rounds.session_id"
    " AND judgements.number = rounds.number AND cost_chips > 0)"
)


def read_rounds(
    store: Store, *, last: int | None = None, with_mistakes: bool = False
) -> Iterator[SettledRound]:
    """Read the settled rounds, oldest first; `last` limits them to the newest.

    `with_mistakes` selects rounds in which the coach found a mistake.

    Raises: StoreDamagedError.
    """
    after, which = 0, _MISTAKES if with_mistakes else "1"
    if last is not None:
        row = store.row(f"{_NUMBERS} WHERE {which} ORDER BY id DESC LIMIT 1 OFFSET ?", last)
        after = row[0] if row else 0
        if last <= 0:
            return
    while page := store.rows(
        f"{ROUNDS} WHERE rounds.id > ? AND {which} ORDER BY rounds.id LIMIT {_PAGE}", after
    ):
        for row in page:
            yield read_row(row)
        after = page[-1][6]


def read_round(store: Store, number: int) -> SettledRound:
    """Read a settled round by its number in the store.

    Raises: StoreError if it does not exist; StoreDamagedError.
    """
    row = store.row(f"{ROUNDS} WHERE rounds.id = ?", number)
    if row is None:
        raise _refuse(store, "round", number, "no round has been played yet")
    return read_row(row)


def _refuse(store: Store, what: str, number: int, none: str) -> StoreError:
    last = store.row(f"SELECT max(id) FROM {what}s")  # noqa: S608
    known = f"1 to {last[0]}" if last and last[0] else none
    return StoreError(f"there is no {what} {number}: {known}")


def find_round(store: Store, session: SessionRecord, number: int) -> int | None:
    """Return the number in the store of a settled round of a session; None if there is none."""
    row = store.row("SELECT id FROM rounds WHERE session_id = ? AND number = ?", session.id, number)
    return None if row is None else int(row[0])


def read_row(row: tuple[Any, ...]) -> SettledRound:
    """Make a round of a row that `ROUNDS` selects. Raises: StoreDamagedError."""
    with reading(f"round {row[6]}"):
        stored = _make_round(row)
        _check_round(stored)
        return stored


def _check_round(stored: SettledRound) -> None:
    """Refuse readable but impossible values, on which viewers and replays rely.

    Raises: StoreDamagedError.
    """
    spots, cards = len(stored.bets), len(stored.dealer)
    faults = {
        f"it begins at card {stored.place.dealt} of shuffle {stored.place.shuffle}": (
            any(type(number) is not int for number in stored.place) or min(stored.place) < 0
        ),
        "it has no bets": not spots,
        f"its own spots are {stored.player_spots}": not set(stored.player_spots)
        <= set(range(spots)),
        f"its own answers are {stored.own_answers}": (
            not set(stored.own_answers) <= set(range(len(stored.actions)))
        ),
        "a hand is at no spot": not {hand.spot for hand in stored.hands} <= set(range(spots)),
        "it has no hand of the person's": not stored.own_hands,
    }
    wrong = next((fault for fault, is_so in faults.items() if is_so), "")
    if not wrong and cards <= prepare(stored.session.rules, spots).up_index:
        wrong = f"the dealer has {cards} cards"
    if wrong:
        raise damaged(wrong)


def _make_round(row: tuple[Any, ...]) -> SettledRound:
    number, in_session, shoe, method, commitment, seed, player_seed = row[6:13]
    ended, shuffle, dealt = row[13:16]
    bets, player_spots, actions, own_answers, cards, hands, dealer = row[16:23]
    insurance_net, net, bankroll, started, settled = row[23:]
    laid, answers, dealt_cards = read_amounts(bets), read_actions(actions), read_cards(cards)
    session, place = read_session(row[:6]), Place(shuffle, dealt)
    source: CardSource = CardList(dealt_cards)
    if ended:  # until then the key is secret
        source = KeyedCards(shoe_key(bytes.fromhex(seed), player_seed, method=method), place)
    return SettledRound(
        id=number,
        session=session,
        number=in_session,
        shoe_id=shoe,
        commitment=Commitment.parse(commitment, method=method),
        place=place,
        player_spots=read_numbers(player_spots) or tuple(range(len(laid))),
        record=RoundRecord(rules=session.rules, bets=laid, source=source, actions=answers),
        own_answers=read_numbers(own_answers) if player_spots else tuple(range(len(answers))),
        cards=dealt_cards,
        hands=_read_hands(hands),
        dealer=read_cards(dealer),
        insurance_net=read_amount(insurance_net),
        net=read_amount(net),
        bankroll=read_amount(bankroll),
        started_at=_read_time(started),
        settled_at=_read_time(settled),
    )


def _read_hands(text: str) -> tuple[StoredHand, ...]:
    try:
        return tuple(
            StoredHand(
                spot=hand["spot"],
                cards=read_cards(hand["cards"]),
                total=hand["total"],
                outcome=Outcome(hand["outcome"]),
                bet=read_amount(hand["bet"]),
                net=read_amount(hand["net"]),
            )
            for hand in json.loads(text)
        )
    except (ValueError, TypeError, KeyError):
        raise damaged(f"{text!r} are no hands") from None


def _read_time(text: str) -> datetime:
    moment = datetime.fromisoformat(text)
    if not _FIRST_YEAR <= moment.year < MAXYEAR:  # else it is no time in every zone
        raise damaged(f"{text!r} is no time")
    return moment


def read_shoes(store: Store) -> list[StoredShoe]:
    """Read all the shoes, oldest first; the seeds of a shoe in play are left out."""
    return [_read_shoe(row) for row in store.rows(f"{_SHOES} ORDER BY shoes.id")]


def read_shoe(store: Store, number: int) -> StoredShoe:
    """Read a shoe by its number in the store. Raises: StoreError if it does not exist."""
    row = store.row(f"{_SHOES} WHERE shoes.id = ?", number)
    if row is None:
        raise _refuse(store, "shoe", number, "none has been dealt yet")
    return _read_shoe(row)


def find_shoe(
    store: Store, session: SessionRecord, commitment: Commitment, number: int = 1
) -> int | None:
    """Return the number in the store of shoe `number` of a commitment.

    Returns None if no round was dealt from it. With the first method a commitment has one shoe.
    """
    query = (
        "SELECT id FROM shoes WHERE session_id = ? AND commitment = ? AND chain_number IN (0, ?)"
        " ORDER BY number DESC LIMIT 1"
    )
    row = store.row(query, session.id, str(commitment), number)
    return None if row is None else int(row[0])


def read_rounds_of_shoe(store: Store, number: int) -> list[SettledRound]:
    """Read the settled rounds of one shoe, in the order played."""
    rows = store.rows(f"{ROUNDS} WHERE shoe_id = ? ORDER BY rounds.id", number)
    return [read_row(row) for row in rows]


def read_rounds_in_play(store: Store, session: SessionRecord) -> list[SettledRound]:
    """Read the settled rounds of the shoe in play of a session, in the order played."""
    row = store.row("SELECT id FROM shoes WHERE session_id = ? AND ended_at IS NULL", session.id)
    return [] if row is None else read_rounds_of_shoe(store, row[0])


def _read_shoe(row: tuple[Any, ...]) -> StoredShoe:
    number, in_session, method, commitment, seed, player_seed = row[6:12]
    in_chain, rules, started, ended = row[12:]
    with reading(f"shoe {number}"):
        reveal = Reveal(
            server_seed=bytes.fromhex(seed),
            player_seed=player_seed,
            number=in_chain,
            rules=rules,
            method=method,
        )
        return StoredShoe(
            id=number,
            session=read_session(row[:6]),
            number=in_session,
            method=method,
            commitment=Commitment.parse(commitment, method=method),
            reveal=reveal if ended else None,
            started_at=_read_time(started),
            ended_at=_read_time(ended) if ended else None,
        )


def replay_stored(stored: SettledRound) -> tuple[RoundState, ...]:
    """Replay a settled round as `RoundRecord.play` does, and compare it with the booked result.

    Raises: StoreError if they differ.
    """
    states = stored.record.play()
    state = states[-1]
    dealt = sorted([*state.dealer, *(card for hand in state.hands for card in hand.cards)], key=str)
    nets = net_of_spots(state) if state.is_over else ()
    net = sum((nets[spot] for spot in stored.player_spots if nets), start=stored.net * 0)
    if not state.is_over or net != stored.net or dealt != sorted(stored.cards, key=str):
        raise StoreError(
            f"round {stored.id} does not replay: its cards and answers give"
            f" {net if state.is_over else 'no end'}, {stored.net} was booked"
        )
    return states


def hear_shoe_before(store: Store, stored: SettledRound) -> tuple[Event, ...]:
    """Return the events of the same shuffle before a round.

    Raises: StoreError if some of those cards are not on record.
    """
    if stored.session.rules.is_infinite:
        return ()
    earlier = [
        other
        for other in read_rounds_of_shoe(store, stored.shoe_id)
        if other.place.shuffle == stored.place.shuffle and other.place.dealt < stored.place.dealt
    ]
    known = sum(len(other.cards) for other in earlier)
    if known != stored.place.dealt:
        raise StoreError(
            f"round {stored.id} began after {stored.place.dealt} cards of its shuffle, and"
            f" {known} of them are on record: the cards seen are not known"
        )
    return tuple(event for other in earlier for event in other.record.events)
