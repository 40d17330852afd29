"""Saving of rounds: start, each answer, settlement. A transaction for each."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from upcard.core.actions import Action
from upcard.core.cards import Card
from upcard.fair.fair_shoe import FairState
from upcard.fair.seeds import SeedPair
from upcard.store.amounts import (
    write_actions,
    write_amount,
    write_amounts,
    write_cards,
    write_numbers,
)
from upcard.store.bankroll import change_bankroll, free_chips_of
from upcard.store.database import Store
from upcard.store.errors import NotCoveredError, StoreError
from upcard.store.records import SessionRecord
from upcard.store.results import add_round
from upcard.store.schema import now
from upcard.store.sessions import end_shoe_in_play
from upcard.table.settle import insurance_of_spots, net_of_spots
from upcard.table.state import RoundState


class Begun(NamedTuple):
    """A started round: its number in the session, and the person's spots."""

    number: int
    player_spots: tuple[int, ...]


def begin_round(
    store: Store,
    session: SessionRecord,
    state: FairState,
    bets: Sequence[Fraction],
    *,
    player_spots: Sequence[int],
) -> Begun:
    """Place the bets of a round, before its first card is dealt.

    Those of `player_spots` are at risk; the others are the company's, whose chips are not tracked.

    Raises: NotCoveredError if the free chips do not cover them; StoreError if a round of the
    session is open.
    """
    player_spots = tuple(player_spots)
    has_bets = session.rules.betting
    at_risk = sum((bets[spot] for spot in player_spots if has_bets), start=Fraction(0))
    with store.change():
        if store.row("SELECT 1 FROM open_rounds WHERE session_id = ?", session.id):
            raise StoreError(f"session {session.id} has an open round: finish it first")
        free = free_chips_of(store, session.profile)
        if at_risk > free:
            raise NotCoveredError(f"bets of {at_risk} chips: {free} are free")
        shoe_id = _find_shoe(store, session, state)
        last = store.row("SELECT max(number) FROM rounds WHERE session_id = ?", session.id)
        number = 1 + ((last and last[0]) or 0)
        store.insert(
            "open_rounds",
            session_id=session.id,
            number=number,
            shoe_id=shoe_id,
            shuffle=state.place.shuffle,
            dealt=state.place.dealt,
            bets=write_amounts(bets),
            own="" if len(player_spots) == len(bets) else write_numbers(player_spots),
            actions="",
            at_risk=write_amount(at_risk),
            started_at=now(),
        )
    return Begun(number, player_spots)


def _find_shoe(store: Store, session: SessionRecord, state: FairState) -> int:
    """Return the number of the shoe in play; a new one ends the last."""
    seeds = state.seeds
    server_seed = seeds.seed(state.number).hex()
    query = "SELECT id, number, server_seed FROM shoes WHERE session_id = ? ORDER BY number DESC"
    last = store.row(query, session.id)
    if last and last[2] == server_seed:
        statement = "UPDATE shoes SET next_player_seed = ? WHERE id = ?"
        store.run(statement, state.next_player_seed, last[0])
        return int(last[0])
    moment = now()
    end_shoe_in_play(store, session.id, moment)
    secrets: dict[str, Any]
    if isinstance(seeds, SeedPair):
        secrets = {"next_server_seed": "".join(seed.hex() for seed in seeds.seeds[state.number :])}
    else:
        secrets = {"next_server_seed": "", "chain_seed": seeds.secret.hex()}
        secrets |= {"chain_number": state.number, "committed_rules": seeds.rules}
    return store.insert(
        "shoes",
        session_id=session.id,
        number=1 + (last[1] if last else 0),
        method=seeds.method,
        commitment=str(seeds.commitment(state.number)),
        server_seed=server_seed,
        player_seed=state.player_seed,
        next_player_seed=state.next_player_seed,
        started_at=moment,
        **secrets,
    )


def record_action(
    store: Store, session: SessionRecord, actions: Sequence[Action], *, extra: Fraction
) -> None:
    """Save an answer, the last of `actions`, before it is carried out; it adds `extra` chips.

    Raises: NotCoveredError if the free chips do not cover them; StoreError if earlier answers are
    missing in the store.
    """
    with store.change():
        before = write_actions(actions[:-1])
        query = "SELECT at_risk FROM open_rounds WHERE session_id = ? AND actions = ?"
        row = store.row(query, session.id, before)
        if row is None:
            msg = f"session {session.id} has no open round with the answers {before or 'none'!r}"
            raise StoreError(msg)
        at_risk = Fraction(row[0])
        if session.rules.betting:
            free = free_chips_of(store, session.profile) - extra
            at_risk += extra
            if extra and free < 0:
                verb, free = actions[-1].verb, free + extra
                msg = f"cannot {verb}: it takes {extra} more chips, {free} are free"
                raise NotCoveredError(msg)
        statement = "UPDATE open_rounds SET actions = ?, at_risk = ? WHERE session_id = ?"
        store.run(statement, write_actions(actions), write_amount(at_risk), session.id)


def settle_round(  # noqa: PLR0913 (each is named in the call)
    store: Store,
    session: SessionRecord,
    state: RoundState,
    *,
    cards: Iterable[Card],
    player_spots: Sequence[int],
    own_answers: Iterable[int],
) -> int:
    """Book a finished round: history and bankroll in one transaction; return its number.

    The net of `player_spots` is booked; `own_answers` are the answers for them, by their number in
    the round. The result is the number of the round in the store, as in `upcard history`.

    Raises: StoreError if the session has no open round.
    """
    hands = [
        {
            "spot": hand.spot,
            "cards": write_cards(hand.cards),
            "total": hand.total,
            "outcome": str(outcome),
            "bet": write_amount(hand.bet),
            "net": write_amount(net),
        }
        for hand, (outcome, net) in zip(state.hands, state.results, strict=True)
    ]
    nets, side_bets = net_of_spots(state), insurance_of_spots(state)
    net = sum((nets[spot] for spot in player_spots), start=Fraction(0))
    insurance_net = sum((side_bets[spot] for spot in player_spots), start=Fraction(0))
    is_alone = len(player_spots) == len(nets)
    booked = net if session.rules.betting else Fraction(0)
    with store.change():
        row = store.row(
            "SELECT profile_id, number FROM open_rounds JOIN sessions ON sessions.id = session_id"
            " WHERE session_id = ?",
            session.id,
        )
        if row is None:
            raise StoreError(f"session {session.id} has no open round to settle")
        left = change_bankroll(store, row[0], booked)
        number = store.run(
            "INSERT INTO rounds (session_id, number, shoe_id, shuffle, dealt, bets, own, actions,"
            " started_at, own_answers, cards, hands, dealer, insurance_net, net, booked, bankroll,"
            " settled_at) SELECT session_id, number, shoe_id, shuffle, dealt, bets, own, actions,"
            " started_at, ?, ?, ?, ?, ?, ?, ?, ?, ? FROM open_rounds WHERE session_id = ?",
            "" if is_alone else write_numbers(own_answers),
            write_cards(cards),
            json.dumps(hands),
            write_cards(state.dealer),
            write_amount(insurance_net),
            write_amount(net),
            write_amount(booked),
            write_amount(left),
            now(),
            session.id,
        )
        store.run("DELETE FROM open_rounds WHERE session_id = ?", session.id)
        add_round(store, session.id, row[1])
    return number


def void_round(store: Store, session: SessionRecord) -> None:
    """Delete a round that cannot continue, with all cards on the table: no bet was settled."""
    with store.change():
        row = store.row("SELECT number FROM open_rounds WHERE session_id = ?", session.id)
        if row:
            statement = "DELETE FROM judgements WHERE session_id = ? AND number = ?"
            store.run(statement, session.id, row[0])
            store.run("DELETE FROM open_rounds WHERE session_id = ?", session.id)


def end_shoe(store: Store, session: SessionRecord) -> None:
    """Record the end of the shoe in play, so that its seeds may be shown."""
    with store.change():
        end_shoe_in_play(store, session.id, now())
