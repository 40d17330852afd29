"""Rounds of many tables: begun, dealt from shoes of their own, and played to a question."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from upcard.kernels import codes, desk_codes
from upcard.kernels.desk import Desk
from upcard.kernels.game import LoweredGame
from upcard.kernels.jit import inner_kernel
from upcard.kernels.randomness import STATE_WORDS, at, draw_independently, seed_state, whole
from upcard.kernels.resuming import open_round
from upcard.kernels.shoes import fill_shoe
from upcard.kernels.terms import RANKS, TableTerms

SHOES_CHUNK: Final = np.uint64(2**63)
"""The chunk of an environment's shoes; no simulation has one with this number."""


@inner_kernel
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
        status = fields[at(fields_at + desk_codes.STATUS)]
        is_over = ends_shoe == 1 and status == desk_codes.OVER
        is_due = is_over or (position > 0 if is_fresh else position >= cut)
        if is_due:
            base = table * desk.width
            shoes = whole(desk.shoes[at(2 * table)])
            ready = shuffle_shoe(
                deck, weights, game.is_infinite, game.shuffled_ahead,
                cards[base : base + desk.width],
                states[table * STATE_WORDS : (table + 1) * STATE_WORDS],
                seeds[table], shoes,
            )  # fmt: skip
            fields[at(fields_at + desk_codes.READY)] = ready
            desk.shoes[at(2 * table)] = shoes + 1
            desk.shoes[at(2 * table + 1)] = len(deck)
            position = 0
            if terms.has_composition:
                for rank in range(RANKS):
                    terms.seen[table * RANKS + rank] = 0
        fields[at(fields_at + desk_codes.BEGIN)] = position
        fields[at(fields_at + desk_codes.POSITION)] = position
        fields[at(fields_at + desk_codes.GIVEN)] = 0
        fields[at(fields_at + desk_codes.HIDES)] = 0
        if desk.keeps_credit:
            for spot in range(game.spots):
                levels[at(table * desk.most_hands + spot)] = 0
        if flat is None:
            running = whole(game.start_count) if is_due else runnings[at(2 * table + 1)]
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


@inner_kernel
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
        draw_independently(cards, whole(0), shuffled_ahead, weights, state)
        return shuffled_ahead
    return fill_shoe(deck, weights, whole(0), shuffled_ahead, cards, state)


@inner_kernel
def see_round(
    game: LoweredGame,
    desk: Desk,
    table: int,
    seen: NDArray[np.int64] | NDArray[np.float32],
    place: int,
) -> None:
    """Add the cards of the round that have been seen, by rank, from `seen[place]` on."""
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


@inner_kernel
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
