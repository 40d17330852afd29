"""Rounds of tables played again from their first card, with the answers given so far."""

import numpy as np
from numpy.typing import NDArray

from upcard.kernels.jit import inlined_kernel, inner_kernel
from upcard.simulation.kernels import loop_codes, paused_rounds, round_play, round_steps
from upcard.simulation.kernels.game import KINDS, LoweredGame
from upcard.simulation.kernels.paused_rounds import PausedRounds
from upcard.simulation.kernels.randomness import STATE_WORDS, at, whole
from upcard.simulation.kernels.shoes import Room, make_ready


@inner_kernel
def replay_tables(
    game: LoweredGame,
    room: Room,
    paused: PausedRounds,
    first: int,
    stop: int,
    many: NDArray[np.int64] | None,
    flat: NDArray[np.int64] | None,
) -> int:
    """Play the tables `todo[first:stop]` to their question or end; return DONE or the failure.

    A round that needs more cards than are ready is played again when they are.
    """
    for number in range(first, stop):
        table = whole(paused.todo[at(number)])
        size = whole(paused.shoes[at(2 * table + 1)])
        ready = whole(paused.fields[at(table * loop_codes.FIELDS + loop_codes.READY)])
        while True:
            ending, position = _replay(game, room, paused, table, ready, many, flat)
            if position <= ready:
                break
            ready, size = _make_table_ready(game, paused, table, position, ready, size)
            if ready < 0:
                return loop_codes.TOO_FEW_CARDS
        if ending != loop_codes.DONE:
            return ending
    return loop_codes.DONE


@inlined_kernel
def _replay(
    game: LoweredGame,
    room: Room,
    paused: PausedRounds,
    table: int,
    ready: int,
    many: NDArray[np.int64] | None,
    flat: NDArray[np.int64] | None,
) -> tuple[int, int]:
    """Play a round to its question or end, and write it if no card was missing.

    Returns DONE or the failure, and the number of cards of the shoe that it needs.
    """
    fields, cards, spot_rows = paused.fields, paused.cards, room.spot_rows
    fields_at, base = table * loop_codes.FIELDS, table * paused.width
    first_hand, first_answer = table * paused.most_hands, table * paused.most_answers
    sits_out = whole(paused.sits_out[at(fields[at(fields_at + loop_codes.BET)])])
    place = (fields_at, first_answer, first_hand, sits_out)
    begin, before = whole(fields[at(fields_at + loop_codes.BEGIN)]), whole(0)
    if flat is None:
        before = whole(paused.running[at(2 * table)])
    spots = round_steps.count_spots(game.spots, many)
    up, hole, running = round_play.deal_round(
        game, cards, base + begin, before, spot_rows, spots, flat
    )
    position = begin + game.dealt
    dealer_row = whole(game.opening[at(up * KINDS + hole)])

    fields[at(fields_at + loop_codes.WAITING)] = 0
    fields[at(fields_at + loop_codes.HANDS)] = 1
    opening_cell = (loop_codes.FIRST_TWO * game.rows + spot_rows[at(spots - 1)]) * KINDS + up
    fields[at(fields_at + loop_codes.CELL)] = opening_cell
    begun, net, insured_net = 0, whole(0), 0
    asked, stopped, shown, insured, takes_even_money, surrendered = _answer_offers(
        game, spot_rows, paused, place, up, spots
    )
    pair = begin + shown * game.first_step + game.second_at
    paused_rounds.show_hand(paused, place, pair, position)

    so_far = round_play.SoFar(position, running, 0, surrendered, 0, 0, 0, 0)
    last = position
    if not stopped and game.has_hole and game.total[at(dealer_row)] == 21:
        net, _ = round_steps.settle_at_look(
            game, spot_rows, insured, takes_even_money, paused.nets, first_hand, None, 0
        )
        fields[at(fields_at + loop_codes.HANDS)] = spots
        insured_net = insured * game.insurance_pays
    elif not stopped:
        start = round_play.RoundStart(base, begin, before, ready, up, hole, takes_even_money, 0)
        for spot in range(spots):
            if many is not None:
                shown, begun = spot, spot + 1
                pair = begin + spot * game.first_step + game.second_at
                fields[at(fields_at + loop_codes.CELL)] = opening_cell
                paused_rounds.show_hand(paused, place, pair, so_far.position)
                paused.levels[at(first_hand + so_far.done)] = 0
            ending, so_far, asked = round_play.play_spot(
                game, room, cards, start, so_far, spot, 0,
                None, None, flat, None, None, paused, place, asked,
            )  # fmt: skip
            if ending == loop_codes.TOO_MANY_HANDS:
                return ending, begin
            stopped = int(ending == loop_codes.ASKED)
            if stopped:
                break
        last = so_far.position
        if not stopped:
            fields[at(fields_at + loop_codes.HANDS)] = so_far.done
            so_far, dealer_row, net, insured_net = round_play.meet_dealer(
                game, room, cards, start, so_far, dealer_row, insured,
                None, None, flat, paused.nets, first_hand, None,
            )  # fmt: skip
    position, running = so_far.position, so_far.running
    if position > ready:
        return loop_codes.DONE, position

    # The dealer shows a natural that ended the round; else the hole card stays down.
    hides = int(game.has_hole and (stopped or game.total[at(dealer_row)] != 21))
    if flat is None:
        is_seen = game.has_hole and not hides
        paused.running[at(2 * table + 1)] = running + (game.tags[at(hole)] if is_seen else 0)
    if many is not None:
        idle = paused_rounds.count_waiting(game.total, spot_rows, begun, spots, shown)
        fields[at(fields_at + loop_codes.WAITING)] += idle
        fields[at(fields_at + loop_codes.SPOT)] = shown
    result = insured if stopped else insured_net
    _write_round(paused, fields_at, position, last, stopped, hides, net, result)
    return loop_codes.DONE, position


@inner_kernel
def _answer_offers(
    game: LoweredGame,
    spot_rows: NDArray[np.int64],
    paused: PausedRounds,
    place: tuple[int, int, int, int],
    up: int,
    spots: int,
) -> tuple[int, int, int, int, int, int]:
    """Take the answers to what is offered before the dealer looks at the hole card.

    The row of a spot that surrenders becomes -1. Returns how many questions were answered, whether
    another was met, whose cell it notes, and the spot of that one; then how many spots are insured,
    a bit for each that takes even money, and how many surrender.
    """
    fields_at, first, _, sits_out = place
    given = paused.fields[at(fields_at + loop_codes.GIVEN)]
    early = loop_codes.EARLY * game.rows
    asked, insured, takes, surrendered = 0, 0, 0, 0
    if up == loop_codes.ACE and game.insurance and not sits_out:
        for spot in range(spots):
            row = whole(spot_rows[at(spot)])
            is_natural = game.total[at(row)] == 21
            cell = (early + row) * KINDS + loop_codes.INSURANCE_KIND
            for is_even_money in range(1, -1, -1):
                if is_even_money == 1:
                    is_asked = is_natural and game.even_money > 0
                elif is_natural:
                    is_declined = game.even_money == 2 and (takes >> spot) & 1 == 0
                    is_asked = game.even_money == 0 or is_declined
                else:
                    is_asked = True
                if not is_asked:
                    continue
                paused.trail[at(first + asked)] = paused_rounds.describe(cell, spot, is_even_money)
                if asked == given:
                    paused.fields[at(fields_at + loop_codes.CELL)] = cell
                    return asked, 1, spot, insured, takes, 0
                if paused.answers[at(first + asked)] == loop_codes.INSURE:
                    takes += is_even_money << spot
                    insured += 1 - is_even_money
                asked += 1
    if (game.early_surrender >> up) & 1 and not sits_out:
        for spot in range(spots):
            row = whole(spot_rows[at(spot)])
            if game.total[at(row)] == 21:
                continue
            cell = (early + row) * KINDS + up
            paused.trail[at(first + asked)] = paused_rounds.describe(cell, spot, 0)
            if asked == given:
                paused.fields[at(fields_at + loop_codes.CELL)] = cell
                return asked, 1, spot, insured, takes, surrendered
            if paused.answers[at(first + asked)] == loop_codes.SURRENDER:
                surrendered += 1
                spot_rows[at(spot)] = -1
            asked += 1
    return asked, 0, spots - 1, insured, takes, surrendered


@inlined_kernel
def _write_round(
    paused: PausedRounds,
    fields_at: int,
    position: int,
    last: int,
    stopped: int,
    hides: int,
    net: int,
    insured: int,
) -> None:
    """Write the fields of a table that was played; no net if it `stopped` at a question."""
    fields = paused.fields
    fields[at(fields_at + loop_codes.STATUS)] = loop_codes.ASKED if stopped else loop_codes.ENDED
    fields[at(fields_at + loop_codes.POSITION)] = position
    fields[at(fields_at + loop_codes.LAST)] = last
    fields[at(fields_at + loop_codes.HIDES)] = hides
    fields[at(fields_at + loop_codes.INSURED)] = insured
    if not stopped:
        fields[at(fields_at + loop_codes.WAITING)] = 0
        fields[at(fields_at + loop_codes.NET)] = net


@inner_kernel
def _make_table_ready(
    game: LoweredGame, paused: PausedRounds, table: int, position: int, ready: int, size: int
) -> tuple[int, int]:
    """Make cards of a table ready, as `make_ready` does."""
    base = table * paused.width
    ready, size = make_ready(
        game,
        paused.cards[base : base + paused.width],
        paused.fields[table * loop_codes.FIELDS + loop_codes.BEGIN],
        position,
        ready,
        size,
        paused.states[table * STATE_WORDS : (table + 1) * STATE_WORDS],
    )
    paused.fields[table * loop_codes.FIELDS + loop_codes.READY] = ready
    paused.shoes[2 * table + 1] = size
    return ready, size
