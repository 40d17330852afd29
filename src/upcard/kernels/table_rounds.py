"""Rounds of many tables: begun, dealt from shoes of their own, and played to a question."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from upcard.kernels import codes, desk_codes
from upcard.kernels.desk import Desk
from upcard.kernels.game import LoweredGame
from upcard.kernels.jit import kernel
from upcard.kernels.randomness import STATE_WORDS, at, draw_independently, seed_state, whole
from upcard.kernels.resuming import open_round
from upcard.kernels.shoes import fill_shoe
from upcard.kernels.simulator import simulate
from upcard.kernels.terms import RANKS, TableTerms

SHOES_CHUNK: Final = np.uint64(2**63)
"""The chunk of an environment's shoes; no simulation has one with this number."""


@kernel
def play_due(
    game: LoweredGame,
    desk: Desk,
    terms: TableTerms,
    first: int,
    due: int,
    many: NDArray[np.int64] | None,
    flat: NDArray[np.int64] | None,
) -> int:
    """Play the tables `todo[first:due]` up to their next question."""
    if due == first:
        return codes.DONE
    ending = simulate(
        game, np.uint64(0), np.uint64(0), np.uint64(first), due - first,
        desk.nothing, desk.nothing, np.zeros(3, np.int64),
        None, None, None, many, None, flat, desk,
    )  # fmt: skip
    if len(terms.stakes) > 1 or ending != codes.DONE:
        return ending
    fields, todo = desk.fields, desk.todo
    for place in range(first, due):
        fields_at = whole(todo[at(place)]) * desk_codes.FIELDS
        if (
            fields[at(fields_at + desk_codes.STATUS)] == desk_codes.ENDED
            and fields[at(fields_at + desk_codes.GIVEN)] == 0
        ):
            fields[at(fields_at + desk_codes.STATUS)] = desk_codes.SETTLED
    return ending


@kernel
def begin_rounds(
    game: LoweredGame,
    desk: Desk,
    terms: TableTerms,
    first: int,
    stop: int,
    due: int,
    ends_shoe: int,
    flat: NDArray[np.int64] | None,
) -> int:
    """Begin a round at the tables `tables[first:stop]`; add to `todo` those that deal at once.

    A table whose episode is over gets another shoe with `ends_shoe`. Returns the end of `todo`.
    """
    fields, runnings, todo, tables = desk.fields, desk.running, desk.todo, desk.tables
    levels = desk.levels
    deck, weights, cards, states = game.deck, game.weights, desk.cards, desk.states
    seeds, is_fresh, cut, has_bets = terms.seeds, terms.is_fresh, game.cut, len(terms.stakes) > 1
    if terms.has_composition:
        for place in range(first, stop):
            see_round(game, desk, tables[place], terms.seen, tables[place] * RANKS)
    for place in range(first, stop):
        table = whole(tables[at(place)])
        fields_at = table * desk_codes.FIELDS
        position = whole(fields[at(fields_at + desk_codes.POSITION)])
        shoes = whole(fields[at(fields_at + desk_codes.SHOES)])
        status = fields[at(fields_at + desk_codes.STATUS)]
        running = runnings[at(2 * table + 1)]
        is_due = position > 0 if is_fresh else position >= cut
        if shoes == 0 or is_due or (ends_shoe and status == desk_codes.OVER):
            base = table * desk.width
            ready = shuffle_shoe(
                deck, weights, game.is_infinite, game.shuffled_ahead,
                cards[base : base + desk.width],
                states[table * STATE_WORDS : (table + 1) * STATE_WORDS],
                seeds[table], shoes,
            )  # fmt: skip
            fields[at(fields_at + desk_codes.READY)] = ready
            fields[at(fields_at + desk_codes.SIZE)] = len(deck)
            fields[at(fields_at + desk_codes.SHOES)] = shoes + 1
            position, running = 0, whole(game.start_count)
            if terms.has_composition:
                for rank in range(RANKS):
                    terms.seen[table * RANKS + rank] = 0
        fields[at(fields_at + desk_codes.BEGIN)] = position
        fields[at(fields_at + desk_codes.POSITION)] = position
        fields[at(fields_at + desk_codes.GIVEN)] = 0
        fields[at(fields_at + desk_codes.HIDES)] = 0
        for spot in range(game.spots):
            levels[at(table * desk.most_hands + spot)] = 0
        runnings[at(2 * table)] = running
        runnings[at(2 * table + 1)] = running
        if has_bets:
            fields[at(fields_at + desk_codes.STATUS)] = desk_codes.BETTING
        else:
            status = open_round(game, desk, table, flat)
            if status == desk_codes.ENDED:
                status = desk_codes.SETTLED
            elif status == desk_codes.DUE:
                todo[at(due)] = table
                due += 1
            fields[at(fields_at + desk_codes.STATUS)] = status
    return due


@kernel
def shuffle_shoe(
    deck: NDArray[np.uint8],
    weights: NDArray[np.int64],
    is_infinite: int,
    shuffled_ahead: int,
    cards: NDArray[np.uint8],
    state: NDArray[np.uint64],
    seed: np.uint64,
    shoe: int,
) -> int:
    """Fill one of the shoes of a seed; return the number of cards that are ready to be dealt."""
    seed_state(state, seed, SHOES_CHUNK, np.uint64(shoe))
    if is_infinite:
        draw_independently(cards, 0, shuffled_ahead, weights, state)
        return shuffled_ahead
    return fill_shoe(deck, weights, 0, shuffled_ahead, cards, state)


@kernel
def see_round(
    game: LoweredGame, desk: Desk, table: int, seen: NDArray[np.int64], place: int
) -> None:
    """Add the cards of the round that have been seen, by rank."""
    fields_at = table * desk_codes.FIELDS
    base = table * desk.width
    begin = whole(desk.fields[fields_at + desk_codes.BEGIN])
    hidden = -1
    if desk.fields[fields_at + desk_codes.HIDES]:
        hidden = begin + game.hole_at
    for position in range(begin, whole(desk.fields[fields_at + desk_codes.POSITION])):
        kind = whole(desk.cards[base + position])
        if position != hidden:
            seen[place + (6 if kind == codes.RED_7 else kind)] += 1


@kernel
def show_hole_cards(game: LoweredGame, desk: Desk, first: int, stop: int) -> None:
    """Count the hole cards of rounds that are over where they have not been seen."""
    fields = desk.fields
    for place in range(first, stop):
        table = desk.tables[place]
        fields_at = table * desk_codes.FIELDS
        if fields[fields_at + desk_codes.HIDES]:
            fields[fields_at + desk_codes.HIDES] = 0
            begin = fields[fields_at + desk_codes.BEGIN]
            kind = desk.cards[table * desk.width + begin + game.hole_at]
            desk.running[2 * table + 1] += game.tags[kind]
