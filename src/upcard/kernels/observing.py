"""Observations of many tables, as rows of numbers or as cells, and masks of legal answers."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from upcard.kernels import codes, desk_codes
from upcard.kernels.counting import convert_bet, count_play
from upcard.kernels.desk import Desk
from upcard.kernels.game import KINDS, LoweredGame
from upcard.kernels.jit import inner_kernel
from upcard.kernels.randomness import at, whole
from upcard.kernels.table_rounds import see_round
from upcard.kernels.terms import FIRST_BET, HAND_COLUMNS, NEXT_STEP, RANKS, TableTerms

SETTLED_CELL, BET_CELL = 0, 1
"""No hand has these cells."""
PAIR_COLUMN, WAITING_COLUMN, STAGE_COLUMN = 3, 6, 7
SETTLED_STAGE: Final = 5
ANY_ACTION: Final = 255


@inner_kernel
def observe(
    game: LoweredGame,
    desk: Desk,
    terms: TableTerms,
    tables: NDArray[np.int64],
    first: int,
    stop: int,
    masks: NDArray[np.int8],
    cells: NDArray[np.int64],
    rows: NDArray[np.float32],
) -> None:
    """Write masks and observations of the tables `tables[first:stop]`."""
    fields, choice, hands = desk.fields, game.choice, terms.hands
    actions, columns = terms.actions, terms.columns
    has_cells, has_cards = len(cells) > 0, terms.has_cards
    most_waiting = terms.most_waiting
    if_over = ANY_ACTION if terms.mode == NEXT_STEP else 0
    for number in range(first, stop):
        table = whole(tables[at(number)])
        fields_at = table * desk_codes.FIELDS
        status = whole(fields[at(fields_at + desk_codes.STATUS)])
        cell = whole(fields[at(fields_at + desk_codes.CELL)])
        if cell % KINDS == codes.RED_7:
            cell += 6 - codes.RED_7
        is_asked, is_bet = status == desk_codes.ASKED, status == desk_codes.BETTING
        bits = whole(choice[at(cell)]) if is_asked else whole(not is_bet)
        desk.legal[at(table)] = if_over if status == desk_codes.OVER else bits
        for action in range(FIRST_BET):
            masks[at(table * actions + action)] = (bits >> action) & 1
        for action in range(FIRST_BET, actions):
            masks[at(table * actions + action)] = is_bet
        if has_cells:
            if not is_asked:
                cell = BET_CELL if is_bet else SETTLED_CELL
            cells[at(table)] = cell
            continue
        row = table * columns
        if is_bet:
            for column in range(columns):
                rows[at(row + column)] = 0
        else:
            for column in range(HAND_COLUMNS):
                rows[at(row + column)] = hands[at(cell * HAND_COLUMNS + column)]
            if is_asked:
                waiting = whole(fields[at(fields_at + desk_codes.WAITING)])
                rows[at(row + WAITING_COLUMN)] = min(waiting, most_waiting)
            else:
                rows[at(row + PAIR_COLUMN)] = 0
                rows[at(row + STAGE_COLUMN)] = SETTLED_STAGE
            if has_cards:
                write_cards(game, desk.cards, fields, fields_at, table * desk.width, rows, row)
    column = HAND_COLUMNS + RANKS * has_cards
    if terms.has_spot:
        for number in range(first, stop):
            table = whole(tables[at(number)])
            fields_at = table * desk_codes.FIELDS
            is_bet = fields[at(fields_at + desk_codes.STATUS)] == desk_codes.BETTING
            spot = 0 if is_bet else whole(fields[at(fields_at + desk_codes.SPOT)])
            rows[at(table * columns + column)] = spot
        column += 1
    if terms.has_count:
        write_counts(game, desk, terms, tables, first, stop, rows, column)
        column += 2
    if terms.has_composition:
        for number in range(first, stop):
            table = whole(tables[at(number)])
            write_composition(game, desk, terms, table, rows, table * columns + column)


@inner_kernel
def write_cards(
    game: LoweredGame,
    cards: NDArray[np.uint8],
    fields: NDArray[np.int32],
    fields_at: int,
    base: int,
    rows: NDArray[np.float32],
    row: int,
) -> None:
    """Write how many cards of each rank the hand has."""
    row += HAND_COLUMNS
    for rank in range(RANKS):
        rows[at(row + rank)] = 0
    spot = whole(fields[at(fields_at + desk_codes.SPOT)])
    begin = whole(fields[at(fields_at + desk_codes.BEGIN)]) + spot * game.first_step
    drawn = whole(fields[at(fields_at + desk_codes.DRAWN)])
    for number in range(-2, whole(fields[at(fields_at + desk_codes.LAST)]) - drawn):
        place = drawn + number
        if number == -2:
            place = begin
        elif number == -1:
            place = whole(fields[at(fields_at + desk_codes.PAIR)])
        kind = whole(cards[at(base + place)])
        rows[at(row + (6 if kind == codes.RED_7 else kind))] += 1


@inner_kernel
def write_counts(
    game: LoweredGame,
    desk: Desk,
    terms: TableTerms,
    tables: NDArray[np.int64],
    first: int,
    stop: int,
    rows: NDArray[np.float32],
    column: int,
) -> None:
    """Write the counts that decide the next bets or answers, and the numbers of decks left."""
    fields, runnings, factor, size = desk.fields, desk.running, game.factor, len(game.deck)
    limits = (game.add_positive, game.add_negative, game.least_count, game.most_count)
    for number in range(first, stop):
        table = whole(tables[at(number)])
        fields_at = table * desk_codes.FIELDS
        begin = whole(fields[at(fields_at + desk_codes.BEGIN)])
        position = whole(fields[at(fields_at + desk_codes.POSITION)])
        before, running = runnings[at(2 * table)], runnings[at(2 * table + 1)]
        if fields[at(fields_at + desk_codes.STATUS)] == desk_codes.BETTING:
            count = convert_bet(running, begin, factor, limits)
        else:
            count = count_play(game, running, before, position, begin) + game.least_count
        row = table * terms.columns + column
        rows[at(row)] = count
        rows[at(row + 1)] = (size - (position - begin if position > size else position)) / 52


@inner_kernel
def write_composition(
    game: LoweredGame,
    desk: Desk,
    terms: TableTerms,
    table: int,
    rows: NDArray[np.float32],
    row: int,
) -> None:
    """Write the share of each rank among the cards that were not seen."""
    has_run_out = desk.fields[table * desk_codes.FIELDS + desk_codes.POSITION] > len(game.deck)
    for rank in range(RANKS):
        rows[row + rank] = 0
    see_round(game, desk, table, rows, row)
    cards = 0
    for rank in range(RANKS):
        seen = whole(rows[row + rank]) + (0 if has_run_out else terms.seen[table * RANKS + rank])
        unseen = 4 * terms.decks * (4 if rank == codes.TEN else 1) - seen
        cards += unseen
        rows[row + rank] = unseen
    for rank in range(RANKS):
        rows[row + rank] = whole(rows[row + rank]) / max(cards, 1)
