"""Rounds that go on from where they stand: those of one hand whose dealer offers nothing.

All other rounds are played again from their first card (`kernels.simulator`), which writes the same
numbers. A round that takes more cards than are ready is one of these.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from upcard.kernels import codes, desk_codes
from upcard.kernels.desk import Desk
from upcard.kernels.game import KINDS, LoweredGame
from upcard.kernels.jit import inlined_kernel
from upcard.kernels.randomness import at, whole
from upcard.kernels.round_steps import settle_hand


@inlined_kernel
def open_round(game: LoweredGame, desk: Desk, table: int, flat: NDArray[np.int64] | None) -> int:
    """Deal a table that has a bet; return its status, which is DUE if it must be replayed."""
    fields, cards, opening, total = desk.fields, desk.cards, game.opening, game.total
    fields_at, base = table * desk_codes.FIELDS, table * desk.width
    begin = whole(fields[at(fields_at + desk_codes.BEGIN)])
    position = begin + game.dealt
    bet = whole(fields[at(fields_at + desk_codes.BET)])
    is_ready = position <= fields[at(fields_at + desk_codes.READY)]
    if not is_ready or desk.sits_out[at(bet)] or game.spots > 1:
        return desk_codes.DUE
    up = whole(cards[at(base + begin + game.up_at)])
    first = whole(cards[at(base + begin)])
    second = whole(cards[at(base + begin + game.second_at)])
    hole = whole(cards[at(base + begin + game.hole_at)])
    if up == codes.ACE or up == codes.TEN:  # noqa: PLR1714 (a tuple is slower here)
        may_offer = game.early_surrender or (up == codes.ACE and game.insurance)
        if may_offer or not game.has_hole:
            return desk_codes.DUE
    row = whole(opening[at(first * KINDS + second)])
    cell = (codes.FIRST_TWO * game.rows + row) * KINDS + up
    running = whole(0)
    if flat is None:
        running = desk.running[at(2 * table)]
        running += game.tags[at(up)] + game.tags[at(first)] + game.tags[at(second)]
    fields[at(fields_at + desk_codes.PAIR)] = begin + game.second_at
    fields[at(fields_at + desk_codes.DRAWN)] = position
    has_natural = whole(0)
    if game.has_hole:
        has_natural = whole(total[at(opening[at(up * KINDS + hole)])] == 21)
    if has_natural or total[at(row)] == 21:
        net = whole(0)
        if total[at(row)] != 21:
            net = whole(-game.unit)
        elif not has_natural:
            net = whole(game.natural_pays)
        end_round(
            game, desk, table, cell, position, position, net, running, hole, has_natural, flat
        )
        return desk_codes.ENDED
    if game.choice[at(cell)] == 0:
        return desk_codes.DUE
    fields[at(fields_at + desk_codes.POSITION)] = position
    fields[at(fields_at + desk_codes.CELL)] = cell
    fields[at(fields_at + desk_codes.WAITING)] = 0
    fields[at(fields_at + desk_codes.INSURED)] = 0
    fields[at(fields_at + desk_codes.LAST)] = position
    fields[at(fields_at + desk_codes.HIDES)] = game.has_hole
    if desk.keeps_credit:
        desk.trail[at(table * desk.most_answers)] = cell
    if flat is None:
        desk.running[at(2 * table + 1)] = running
    return desk_codes.ASKED


@inlined_kernel
def end_round(
    game: LoweredGame,
    desk: Desk,
    table: int,
    cell: int,
    position: int,
    last: int,
    net: int,
    running: int,
    hole: int,
    is_shown: int,
    flat: NDArray[np.int64] | None,
) -> None:
    """Write the result of a round of one hand; a dealer who `is_shown` to have 21 has no secret."""
    fields, fields_at = desk.fields, table * desk_codes.FIELDS
    fields[at(fields_at + desk_codes.POSITION)] = position
    fields[at(fields_at + desk_codes.CELL)] = cell
    fields[at(fields_at + desk_codes.WAITING)] = 0
    fields[at(fields_at + desk_codes.HIDES)] = game.has_hole and not is_shown
    fields[at(fields_at + desk_codes.LAST)] = last
    fields[at(fields_at + desk_codes.HANDS)] = 1
    fields[at(fields_at + desk_codes.NET)] = net
    fields[at(fields_at + desk_codes.INSURED)] = 0
    if desk.keeps_credit:
        desk.nets[at(table * desk.most_hands)] = net
    if flat is None:
        if game.has_hole and is_shown:
            running += game.tags[at(hole)]
        desk.running[at(2 * table + 1)] = running


@inlined_kernel
def resume(
    game: LoweredGame, desk: Desk, table: int, action: int, flat: NDArray[np.int64] | None
) -> int:
    """Play a table on after an answer; return its status, which is DUE if it must be replayed."""
    fields, cards, total = desk.fields, desk.cards, game.total
    fields_at, base = table * desk_codes.FIELDS, table * desk.width
    cell = whole(fields[at(fields_at + desk_codes.CELL)])
    rows = game.rows
    state, up = cell // KINDS, cell % KINDS
    looks = up == codes.ACE or up == codes.TEN  # noqa: PLR1714 (a tuple is slower here)
    if (
        state >= (codes.LATER + 1) * rows
        or action >= codes.SPLIT
        or fields[at(fields_at + desk_codes.INSURED)] != 0
        or (looks and not game.has_hole)
        or game.spots > 1
    ):
        return desk_codes.DUE
    position = whole(fields[at(fields_at + desk_codes.POSITION)])
    ready = whole(fields[at(fields_at + desk_codes.READY)])
    running = whole(0)
    if flat is None:
        running = desk.running[at(2 * table + 1)]
    row, stake = state - rows if state >= rows else state, game.unit
    if action != codes.STAND:
        if position >= ready:
            return desk_codes.DUE
        card = whole(cards[at(base + position)])
        position += 1
        if flat is None:
            running += game.tags[at(card)]
        row = whole(game.next_row[at(row * KINDS + card)])
        cell = (codes.LATER * rows + row) * KINDS + up
        if action == codes.HIT and game.choice[at(cell)] != 0:
            fields[at(fields_at + desk_codes.POSITION)] = position
            fields[at(fields_at + desk_codes.LAST)] = position
            fields[at(fields_at + desk_codes.CELL)] = cell
            if desk.keeps_credit:
                given = whole(fields[at(fields_at + desk_codes.GIVEN)])
                desk.trail[at(table * desk.most_answers + given)] = cell
            if flat is None:
                desk.running[at(2 * table + 1)] = running
            return desk_codes.ASKED
        if action == codes.DOUBLE:
            stake *= 2
    last, result = position, whole(total[at(row)])

    begin = whole(fields[at(fields_at + desk_codes.BEGIN)])
    hole = whole(cards[at(base + begin + game.hole_at)])
    if result > 0 and not game.has_hole:
        if position >= ready:
            return desk_codes.DUE
        hole = whole(cards[at(base + position)])
        position += 1
        if flat is None:
            running += game.tags[at(hole)]
    dealer_row = whole(game.opening[at(up * KINDS + hole)])
    if result > 0:
        while game.stops[at(dealer_row)] == 0:
            if position >= ready:
                return desk_codes.DUE
            card = whole(cards[at(base + position)])
            position += 1
            if flat is None:
                running += game.tags[at(card)]
            dealer_row = whole(game.next_row[at(dealer_row * KINDS + card)])
    dealer_total = max(whole(total[at(dealer_row)]), 1)
    net = settle_hand(result, stake, dealer_total, whole(0), (whole(game.unit), whole(0), whole(0)))
    is_shown = whole(total[at(dealer_row)] == 21)
    end_round(game, desk, table, cell, position, last, net, running, hole, is_shown, flat)
    return desk_codes.ENDED
