"""Rounds of many tables in flat arrays: begun, dealt, and played on to a question.

A round of one hand, whose dealer offers nothing, continues from its question. All other rounds are
played again from their first card (`env.kernels.replays`), which writes the same numbers; so is a
round that takes more cards than are ready.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from upcard.kernels.jit import Bytes, Integers, Words, inlined_kernel, inner_kernel
from upcard.simulation.kernels import loop_codes, randomness
from upcard.simulation.kernels.game import KINDS, LoweredGame
from upcard.simulation.kernels.randomness import at, whole
from upcard.simulation.kernels.round_steps import settle_hand
from upcard.simulation.kernels.shoes import fill_shoe

if TYPE_CHECKING:
    from upcard.simulation.kernels.paused_rounds import PausedRounds


@inlined_kernel
def open_round(game: LoweredGame, paused: PausedRounds, table: int, flat: Integers | None) -> int:
    """Deal a table that has a bet; return its status, which is DUE if it must be replayed."""
    fields, cards, opening, total = paused.fields, paused.cards, game.opening, game.total
    fields_at, base = table * loop_codes.FIELDS, table * paused.width
    begin = whole(fields[at(fields_at + loop_codes.BEGIN)])
    position = begin + game.dealt
    bet = whole(fields[at(fields_at + loop_codes.BET)])
    is_ready = position <= fields[at(fields_at + loop_codes.READY)]
    if not is_ready or paused.sits_out[at(bet)] or game.spots > 1:
        return loop_codes.DUE
    up = whole(cards[at(base + begin + game.up_at)])
    first = whole(cards[at(base + begin)])
    second = whole(cards[at(base + begin + game.second_at)])
    hole = whole(cards[at(base + begin + game.hole_at)])
    if up == loop_codes.ACE or up == loop_codes.TEN:  # noqa: PLR1714 (a tuple is slower here)
        may_offer = (game.early_surrender >> up) & 1 or (up == loop_codes.ACE and game.insurance)
        if may_offer or not game.has_hole:
            return loop_codes.DUE
    row = whole(opening[at(first * KINDS + second)])
    cell = (loop_codes.FIRST_TWO * game.rows + row) * KINDS + up
    running = whole(0)
    if flat is None:
        running = paused.running[at(2 * table)]
        running += game.tags[at(up)] + game.tags[at(first)] + game.tags[at(second)]
    fields[at(fields_at + loop_codes.PAIR)] = begin + game.second_at
    fields[at(fields_at + loop_codes.DRAWN)] = position
    has_natural = whole(0)
    if game.has_hole:
        has_natural = whole(total[at(opening[at(up * KINDS + hole)])] == 21)
    if has_natural or total[at(row)] == 21:
        result = loop_codes.NATURAL if total[at(row)] == 21 else 0
        net = settle_hand(game.net_of, result, 0, has_natural * loop_codes.DEALER_NATURAL)
        end_round(
            game, paused, table, cell, position, position, net, running, hole, has_natural, flat
        )
        return loop_codes.ENDED
    if game.choice[at(cell)] == 0:
        return loop_codes.DUE
    fields[at(fields_at + loop_codes.POSITION)] = position
    fields[at(fields_at + loop_codes.CELL)] = cell
    fields[at(fields_at + loop_codes.WAITING)] = 0
    fields[at(fields_at + loop_codes.INSURED)] = 0
    fields[at(fields_at + loop_codes.LAST)] = position
    fields[at(fields_at + loop_codes.HIDES)] = game.has_hole
    if paused.keeps_credit:
        paused.trail[at(table * paused.most_answers)] = cell
    if flat is None:
        paused.running[at(2 * table + 1)] = running
    return loop_codes.ASKED


@inlined_kernel
def end_round(
    game: LoweredGame,
    paused: PausedRounds,
    table: int,
    cell: int,
    position: int,
    last: int,
    net: int,
    running: int,
    hole: int,
    is_shown: int,
    flat: Integers | None,
) -> None:
    """Write the result of a round of one hand; a dealer who `is_shown` to have 21 has no secret."""
    fields, fields_at = paused.fields, table * loop_codes.FIELDS
    fields[at(fields_at + loop_codes.POSITION)] = position
    fields[at(fields_at + loop_codes.CELL)] = cell
    fields[at(fields_at + loop_codes.WAITING)] = 0
    fields[at(fields_at + loop_codes.HIDES)] = game.has_hole and not is_shown
    fields[at(fields_at + loop_codes.LAST)] = last
    fields[at(fields_at + loop_codes.HANDS)] = 1
    fields[at(fields_at + loop_codes.NET)] = net
    fields[at(fields_at + loop_codes.INSURED)] = 0
    if paused.keeps_credit:
        paused.nets[at(table * paused.most_hands)] = net
    if flat is None:
        if game.has_hole and is_shown:
            running += game.tags[at(hole)]
        paused.running[at(2 * table + 1)] = running


@inlined_kernel
def resume(
    game: LoweredGame, paused: PausedRounds, table: int, action: int, flat: Integers | None
) -> int:
    """Play a table on after an answer; return its status, which is DUE if it must be replayed."""
    fields, cards, total = paused.fields, paused.cards, game.total
    fields_at, base = table * loop_codes.FIELDS, table * paused.width
    cell = whole(fields[at(fields_at + loop_codes.CELL)])
    rows = game.rows
    state, up = cell // KINDS, cell % KINDS
    looks = up == loop_codes.ACE or up == loop_codes.TEN  # noqa: PLR1714 (a tuple is slower here)
    if (
        state >= (loop_codes.LATER + 1) * rows
        or action >= loop_codes.SPLIT
        or fields[at(fields_at + loop_codes.INSURED)] != 0
        or (looks and not game.has_hole)
        or game.spots > 1
    ):
        return loop_codes.DUE
    position = whole(fields[at(fields_at + loop_codes.POSITION)])
    ready = whole(fields[at(fields_at + loop_codes.READY)])
    running = whole(0)
    if flat is None:
        running = paused.running[at(2 * table + 1)]
    row, wager = state - rows if state >= rows else state, whole(0)
    if action != loop_codes.STAND:
        if position >= ready:
            return loop_codes.DUE
        card = whole(cards[at(base + position)])
        position += 1
        if flat is None:
            running += game.tags[at(card)]
        row = whole(game.next_row[at(row * KINDS + card)])
        cell = (loop_codes.LATER * rows + row) * KINDS + up
        if action == loop_codes.HIT and game.choice[at(cell)] != 0:
            fields[at(fields_at + loop_codes.POSITION)] = position
            fields[at(fields_at + loop_codes.LAST)] = position
            fields[at(fields_at + loop_codes.CELL)] = cell
            if paused.keeps_credit:
                given = whole(fields[at(fields_at + loop_codes.GIVEN)])
                paused.trail[at(table * paused.most_answers + given)] = cell
            if flat is None:
                paused.running[at(2 * table + 1)] = running
            return loop_codes.ASKED
        if action == loop_codes.DOUBLE:
            wager = whole(game.doubling[at(state)])
    last, result = position, whole(game.result_of[at(row)])
    is_live = 0 < result < loop_codes.NATURAL

    begin = whole(fields[at(fields_at + loop_codes.BEGIN)])
    hole = whole(cards[at(base + begin + game.hole_at)])
    if is_live and not game.has_hole:
        if position >= ready:
            return loop_codes.DUE
        hole = whole(cards[at(base + position)])
        position += 1
        if flat is None:
            running += game.tags[at(hole)]
    dealer_row = whole(game.opening[at(up * KINDS + hole)])
    if is_live:
        while game.stops[at(dealer_row)] == 0:
            if position >= ready:
                return loop_codes.DUE
            card = whole(cards[at(base + position)])
            position += 1
            if flat is None:
                running += game.tags[at(card)]
            dealer_row = whole(game.next_row[at(dealer_row * KINDS + card)])
    net = settle_hand(game.net_of, result, wager, whole(game.dealer_result_of[at(dealer_row)]))
    is_shown = whole(total[at(dealer_row)] == 21)
    end_round(game, paused, table, cell, position, last, net, running, hole, is_shown, flat)
    return loop_codes.ENDED


NEXT_STEP, SAME_STEP, DISABLED = range(3)
"""When a table begins its next episode."""
FIRST_BET: Final = 6
RANKS: Final = 10
HAND_COLUMNS: Final = 8


class TableTerms(NamedTuple):
    """How the tables are played, and what of them is observed."""

    seeds: Words
    """By table."""
    stakes: Integers
    """By choice of bet: times a net in 1/unit, and divided by `divisor`, the reward."""
    divisor: int
    mode: int
    """NEXT_STEP, SAME_STEP or DISABLED."""
    is_fresh: int
    """Whether every round has a shoe of its own."""
    by_shoe: int
    """Whether an episode lasts until the cut card."""
    actions: int
    hands: NDArray[np.float32]
    """By cell * HAND_COLUMNS: what is observed of a hand and its question."""
    columns: int
    """Numbers in a row of an observation."""
    most_waiting: int
    has_cards: int
    has_spot: int
    has_count: int
    has_composition: int
    full: Integers
    """Cards of each rank in a full shoe."""
    deck_size: int
    seen: Integers
    """n * RANKS: cards seen before the round since the shuffle; for the composition only."""
    credit: NDArray[np.float64]
    """n * (most_answers + 1): what each answer of a round that ended is credited with."""
    credits: Integers
    """n: the number of these."""
    hand_numbers: Integers
    nets: NDArray[np.float64]
    """n * most_hands: the net of each hand."""


class StepResult(NamedTuple):
    """Arrays that a step fills: one row or entry for each table."""

    rewards: NDArray[np.float64]
    over: NDArray[np.bool_]
    ended: NDArray[np.bool_]
    """Whether a round has ended."""
    masks: NDArray[np.int8]
    cells: Integers
    """Empty if cells are not observed."""
    rows: NDArray[np.float32]
    """Empty if cells are observed."""
    final_masks: NDArray[np.int8]
    """As above, but before the next episode; for SAME_STEP only, as the next two."""
    final_cells: Integers
    final_rows: NDArray[np.float32]


SHOES_CHUNK: Final = np.uint64(2**63)
"""The chunk of an environment's shoes; no simulation has one with this number."""


@inner_kernel
def begin_rounds(
    game: LoweredGame,
    paused: PausedRounds,
    terms: TableTerms,
    first: int,
    stop: int,
    due: int,
    ends_shoe: int,
    flat: Integers | None,
) -> int:
    """Begin a round at the tables `tables[first:stop]`; add to `todo` those that deal at once.

    A table whose episode is over gets another shoe with `ends_shoe`. Returns the end of `todo`.
    """
    fields, runnings, todo, tables = paused.fields, paused.running, paused.todo, paused.tables
    levels = paused.levels
    deck, weights, cards, states = game.deck, game.weights, paused.cards, paused.states
    seeds, is_fresh, cut, has_bets = terms.seeds, terms.is_fresh, game.cut, len(terms.stakes) > 1
    if terms.has_composition:
        for place in range(first, stop):
            see_round(game, paused, tables[place], terms.seen, tables[place] * RANKS)
    for place in range(first, stop):
        table = whole(tables[at(place)])
        fields_at = table * loop_codes.FIELDS
        position = whole(fields[at(fields_at + loop_codes.POSITION)])
        status = fields[at(fields_at + loop_codes.STATUS)]
        is_over = ends_shoe == 1 and status == loop_codes.OVER
        is_due = is_over or (position > 0 if is_fresh else position >= cut)
        if is_due:
            base = table * paused.width
            shoes = whole(paused.shoes[at(2 * table)])
            ready = shuffle_shoe(
                deck, weights, game.is_infinite, game.shuffled_ahead,
                cards[base : base + paused.width],
                states[table * randomness.STATE_WORDS : (table + 1) * randomness.STATE_WORDS],
                seeds[table], shoes,
            )  # fmt: skip
            fields[at(fields_at + loop_codes.READY)] = ready
            paused.shoes[at(2 * table)] = shoes + 1
            paused.shoes[at(2 * table + 1)] = len(deck)
            position = 0
            if terms.has_composition:
                for rank in range(RANKS):
                    terms.seen[table * RANKS + rank] = 0
        fields[at(fields_at + loop_codes.BEGIN)] = position
        fields[at(fields_at + loop_codes.POSITION)] = position
        fields[at(fields_at + loop_codes.GIVEN)] = 0
        fields[at(fields_at + loop_codes.HIDES)] = 0
        if paused.keeps_credit:
            for spot in range(game.spots):
                levels[at(table * paused.most_hands + spot)] = 0
        if flat is None:
            running = whole(game.start_count) if is_due else runnings[at(2 * table + 1)]
            runnings[at(2 * table)] = running
            runnings[at(2 * table + 1)] = running
        if has_bets:
            fields[at(fields_at + loop_codes.STATUS)] = loop_codes.BETTING
        else:
            status = open_round(game, paused, table, flat)
            if status == loop_codes.ENDED:
                status = loop_codes.SETTLED
            elif status == loop_codes.DUE:
                todo[at(due)] = table
                due += 1
            fields[at(fields_at + loop_codes.STATUS)] = status
    return due


@inner_kernel
def shuffle_shoe(
    deck: Bytes,
    weights: Integers,
    is_infinite: int,
    shuffled_ahead: int,
    cards: Bytes,
    state: Words,
    seed: np.uint64,
    shoe: int,
) -> int:
    """Fill one of the shoes of a seed; return the number of cards that are ready to be dealt."""
    randomness.seed_state(state, seed, SHOES_CHUNK, np.uint64(shoe))
    if is_infinite:
        randomness.draw_independently(cards, whole(0), shuffled_ahead, weights, state)
        return shuffled_ahead
    return fill_shoe(deck, weights, whole(0), shuffled_ahead, cards, state)


@inner_kernel
def see_round(
    game: LoweredGame,
    paused: PausedRounds,
    table: int,
    seen: Integers | NDArray[np.float32],
    place: int,
) -> None:
    """Add the cards of the round that have been seen, by rank, from `seen[place]` on."""
    fields_at = table * loop_codes.FIELDS
    base = table * paused.width
    begin = whole(paused.fields[fields_at + loop_codes.BEGIN])
    hidden = -1
    if paused.fields[fields_at + loop_codes.HIDES]:
        hidden = begin + game.hole_at
    for position in range(begin, whole(paused.fields[fields_at + loop_codes.POSITION])):
        kind = whole(paused.cards[base + position])
        if position != hidden:
            seen[place + (6 if kind == loop_codes.RED_7 else kind)] += 1


@inner_kernel
def show_hole_cards(game: LoweredGame, paused: PausedRounds, first: int, stop: int) -> None:
    """Count the hole cards of rounds that are over where they have not been seen."""
    fields = paused.fields
    for place in range(first, stop):
        table = paused.tables[place]
        fields_at = table * loop_codes.FIELDS
        if fields[fields_at + loop_codes.HIDES]:
            fields[fields_at + loop_codes.HIDES] = 0
            begin = fields[fields_at + loop_codes.BEGIN]
            kind = paused.cards[table * paused.width + begin + game.hole_at]
            paused.running[2 * table + 1] += game.tags[kind]
