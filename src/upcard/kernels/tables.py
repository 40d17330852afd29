"""A step of many tables: answers in; rewards, masks, observations and credit out.

Each function plays the tables `first` to `stop` of a desk; threads may play others meanwhile.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from upcard.kernels import codes, desk_codes
from upcard.kernels.desk import Desk
from upcard.kernels.game import KINDS, LoweredGame, convert_count, count_play, unpack_bet
from upcard.kernels.jit import kernel
from upcard.kernels.randomness import (
    STATE_WORDS,
    at,
    draw_independently,
    seed_state,
    whole,
)
from upcard.kernels.shoes import fill_shoe
from upcard.kernels.simulator import simulate

SHOES_CHUNK: Final = np.uint64(2**63)
"""The chunk of an environment's shoes; no simulation has one with this number."""
NEXT_STEP, SAME_STEP, DISABLED = range(3)
"""When a table begins its next episode."""
FIRST_BET: Final = 6
SETTLED_CELL, BET_CELL = 0, 1
"""No hand has these cells."""
RANKS: Final = 10
HAND_COLUMNS: Final = 8
PAIR_COLUMN, WAITING_COLUMN, STAGE_COLUMN = 3, 6, 7
SETTLED_STAGE: Final = 5


class Terms(NamedTuple):
    """How the tables are played, and what of them is observed."""

    seeds: NDArray[np.uint64]
    """By table."""
    stakes: NDArray[np.int64]
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
    has_count: int
    has_composition: int
    decks: int
    seen: NDArray[np.int64]
    """n * RANKS: cards seen before the round since the shuffle; for the composition only."""
    keeps_credit: int
    credit: NDArray[np.float64]
    """n * (most_answers + 1): what each answer of a round that ended is credited with."""
    credits: NDArray[np.int64]
    """n: the number of these."""
    hand_numbers: NDArray[np.int64]
    nets: NDArray[np.float64]
    """n * most_hands: the net of each hand."""


class StepResult(NamedTuple):
    """Arrays that a step fills: one row or entry for each table."""

    rewards: NDArray[np.float64]
    over: NDArray[np.bool_]
    ended: NDArray[np.bool_]
    """Whether a round has ended."""
    masks: NDArray[np.int8]
    cells: NDArray[np.int64]
    """Empty if cells are not observed."""
    rows: NDArray[np.float32]
    """Empty if cells are observed."""
    final_masks: NDArray[np.int8]
    """As above, but before the next episode; for SAME_STEP only, as the next two."""
    final_cells: NDArray[np.int64]
    final_rows: NDArray[np.float32]


@kernel
def find_illegal(
    choice: NDArray[np.uint16],
    fields: NDArray[np.int32],
    actions: NDArray[np.int64],
    bets: int,
    mode: int,
    illegal: NDArray[np.bool_],
) -> int:
    """Mark the tables whose action is not legal; return the first, or -1."""
    first = -1
    for table in range(len(actions)):
        fields_at = table * desk_codes.FIELDS
        status = whole(fields[at(fields_at + desk_codes.STATUS)])
        action = actions[at(table)]
        if status == desk_codes.ASKED:
            bits = whole(choice[at(fields[at(fields_at + desk_codes.CELL)])])
            is_legal = 0 <= action < FIRST_BET and (bits >> action) & 1 == 1
        elif status == desk_codes.SETTLED:
            is_legal = action == 0
        elif status == desk_codes.BETTING:
            is_legal = FIRST_BET <= action < FIRST_BET + bets
        else:
            is_legal = mode == NEXT_STEP
        illegal[at(table)] = not is_legal
        if not is_legal and first < 0:
            first = table
    return first


@kernel
def step_tables(
    game: LoweredGame,
    desk: Desk,
    terms: Terms,
    actions: NDArray[np.int64],
    first: int,
    stop: int,
    result: StepResult,
    many: NDArray[np.int64] | None,
    flat: NDArray[np.int64] | None,
) -> int:
    """Give each table its answer, and play on to the next question; return DONE or the failure.

    The table that failed has the status DUE, and so have all after it.
    """
    fields, answers, todo, tables = desk.fields, desk.answers, desk.todo, desk.tables
    rewards, over, ended = result.rewards, result.over, result.ended
    stakes, divisor, most_answers = terms.stakes, terms.divisor, desk.most_answers
    due, overs = first, first
    for table in range(first, stop):
        fields_at = table * desk_codes.FIELDS
        status = whole(fields[at(fields_at + desk_codes.STATUS)])
        if status == desk_codes.ASKED:
            given = whole(fields[at(fields_at + desk_codes.GIVEN)])
            answers[at(table * most_answers + given)] = actions[at(table)]
            fields[at(fields_at + desk_codes.GIVEN)] = given + 1
        elif status == desk_codes.SETTLED:
            fields[at(fields_at + desk_codes.STATUS)] = desk_codes.ENDED
            continue
        elif status == desk_codes.BETTING:
            fields[at(fields_at + desk_codes.BET)] = actions[at(table)] - FIRST_BET
        else:
            tables[at(overs)] = table
            overs += 1
            continue
        fields[at(fields_at + desk_codes.STATUS)] = desk_codes.DUE
        todo[at(due)] = table
        due += 1
    due = begin_rounds(game, desk, terms, first, overs, due, terms.by_shoe)
    ending = play_due(game, desk, terms, first, due, many, flat)
    if ending != codes.DONE:
        return ending

    rounds, finals = first, first
    for table in range(first, stop):
        fields_at = table * desk_codes.FIELDS
        is_ended = fields[at(fields_at + desk_codes.STATUS)] == desk_codes.ENDED
        ended[at(table)] = is_ended
        reward, is_over = 0.0, False
        if is_ended:
            bet = whole(fields[at(fields_at + desk_codes.BET)])
            reward = fields[at(fields_at + desk_codes.NET)] * stakes[at(bet)] / divisor
            position = whole(fields[at(fields_at + desk_codes.POSITION)])
            if terms.by_shoe:
                is_over = position > 0 if terms.is_fresh else position >= game.cut
            else:
                is_over = True
            if is_over:
                fields[at(fields_at + desk_codes.STATUS)] = desk_codes.OVER
                todo[at(finals)] = table
                finals += 1
            tables[at(rounds)] = table
            rounds += 1
        rewards[at(table)] = reward
        over[at(table)] = is_over
    if terms.has_count or terms.has_composition:
        show_hole_cards(game, desk, first, rounds)
    if terms.keeps_credit:
        write_credit(game, desk, terms, first, rounds)

    if terms.mode == SAME_STEP or terms.by_shoe:
        if terms.mode == SAME_STEP:
            observe(
                game, desk, terms, todo, first, finals,
                result.final_masks, result.final_cells, result.final_rows,
            )  # fmt: skip
        else:  # tables whose shoe goes on
            rounds = first
            for table in range(first, stop):
                if ended[at(table)] and not over[at(table)]:
                    tables[at(rounds)] = table
                    rounds += 1
        due = begin_rounds(game, desk, terms, first, rounds, first, terms.by_shoe)
        ending = play_due(game, desk, terms, first, due, many, flat)
    for table in range(first, stop):
        tables[at(table)] = table
    observe(game, desk, terms, tables, first, stop, result.masks, result.cells, result.rows)
    return ending


@kernel
def reset_tables(
    game: LoweredGame,
    desk: Desk,
    terms: Terms,
    resets: NDArray[np.bool_],
    ends_shoe: int,
    first: int,
    stop: int,
    result: StepResult,
    many: NDArray[np.int64] | None,
    flat: NDArray[np.int64] | None,
) -> int:
    """Begin an episode at the tables of `resets`, and observe all; return DONE or the failure."""
    marked = first
    for table in range(first, stop):
        if resets[table]:
            desk.fields[table * desk_codes.FIELDS + desk_codes.STATUS] = desk_codes.OVER
            desk.tables[marked] = table
            marked += 1
    due = begin_rounds(game, desk, terms, first, marked, first, ends_shoe)
    ending = play_due(game, desk, terms, first, due, many, flat)
    for table in range(first, stop):
        desk.tables[table] = table
    observe(game, desk, terms, desk.tables, first, stop, result.masks, result.cells, result.rows)
    return ending


@kernel
def play_due(
    game: LoweredGame,
    desk: Desk,
    terms: Terms,
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
    terms: Terms,
    first: int,
    stop: int,
    due: int,
    ends_shoe: int,
) -> int:
    """Begin a round at the tables `tables[first:stop]`; add to `todo` those that deal at once.

    A table whose episode is over gets another shoe with `ends_shoe`. Returns the end of `todo`.
    """
    fields, runnings, todo, tables = desk.fields, desk.running, desk.todo, desk.tables
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
        runnings[at(2 * table)] = running
        runnings[at(2 * table + 1)] = running
        if has_bets:
            fields[at(fields_at + desk_codes.STATUS)] = desk_codes.BETTING
        else:
            fields[at(fields_at + desk_codes.STATUS)] = desk_codes.DUE
            todo[at(due)] = table
            due += 1
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


@kernel
def observe(
    game: LoweredGame,
    desk: Desk,
    terms: Terms,
    tables: NDArray[np.int64],
    first: int,
    stop: int,
    masks: NDArray[np.int8],
    cells: NDArray[np.int64],
    rows: NDArray[np.float32],
) -> None:
    """Write masks and observations of the tables `tables[first:stop]`."""
    fields, choice, hands = desk.fields, game.choice, terms.hands
    held, actions, columns = desk.held, terms.actions, terms.columns
    has_cells, has_cards = len(cells) > 0, terms.has_cards
    most_waiting = terms.most_waiting
    for number in range(first, stop):
        table = whole(tables[at(number)])
        fields_at = table * desk_codes.FIELDS
        status = whole(fields[at(fields_at + desk_codes.STATUS)])
        cell = whole(fields[at(fields_at + desk_codes.CELL)])
        if cell % KINDS == codes.RED_7:
            cell += 6 - codes.RED_7
        is_asked, is_bet = status == desk_codes.ASKED, status == desk_codes.BETTING
        bits = whole(choice[at(cell)]) if is_asked else whole(not is_bet)
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
                cards = held[at(table)]
                mask = (1 << desk_codes.CARD_BITS) - 1
                for kind in range(RANKS):
                    rows[at(row + HAND_COLUMNS + kind)] = (
                        cards >> (desk_codes.CARD_BITS * kind)
                    ) & mask
                sevens = (cards >> (desk_codes.CARD_BITS * codes.RED_7)) & mask
                rows[at(row + HAND_COLUMNS + 6)] += sevens
    column = HAND_COLUMNS + RANKS * has_cards
    if terms.has_count:
        write_counts(game, desk, terms, tables, first, stop, rows, column)
        column += 2
    if terms.has_composition:
        for number in range(first, stop):
            table = whole(tables[at(number)])
            write_composition(game, desk, terms, table, rows, table * columns + column)


@kernel
def write_counts(
    game: LoweredGame,
    desk: Desk,
    terms: Terms,
    tables: NDArray[np.int64],
    first: int,
    stop: int,
    rows: NDArray[np.float32],
    column: int,
) -> None:
    """Write the counts that decide the next bets or answers, and the numbers of decks left."""
    fields, runnings, factor, size = desk.fields, desk.running, game.factor, len(game.deck)
    for number in range(first, stop):
        table = whole(tables[at(number)])
        fields_at = table * desk_codes.FIELDS
        begin = whole(fields[at(fields_at + desk_codes.BEGIN)])
        position = whole(fields[at(fields_at + desk_codes.POSITION)])
        before, running = runnings[at(2 * table)], runnings[at(2 * table + 1)]
        if fields[at(fields_at + desk_codes.STATUS)] == desk_codes.BETTING:
            count = convert_count(
                unpack_bet(running), begin, factor, game.add_positive, game.add_negative
            )
            count = min(max(count, game.least_count), game.most_count)
        else:
            count = count_play(game, running, before, position, begin) + game.least_count
        row = table * terms.columns + column
        rows[at(row)] = count
        rows[at(row + 1)] = (size - (position - begin if position > size else position)) / 52


@kernel
def write_composition(
    game: LoweredGame, desk: Desk, terms: Terms, table: int, rows: NDArray[np.float32], row: int
) -> None:
    """Write the share of each rank among the cards that were not seen."""
    has_run_out = desk.fields[table * desk_codes.FIELDS + desk_codes.POSITION] > len(game.deck)
    unseen = np.zeros(RANKS, np.int64)
    see_round(game, desk, table, unseen, 0)
    cards = 0
    for rank in range(RANKS):
        seen = unseen[rank] + (0 if has_run_out else terms.seen[table * RANKS + rank])
        unseen[rank] = 4 * terms.decks * (4 if rank == codes.TEN else 1) - seen
        cards += unseen[rank]
    for rank in range(RANKS):
        rows[row + rank] = unseen[rank] / max(cards, 1)


@kernel
def write_credit(game: LoweredGame, desk: Desk, terms: Terms, first: int, stop: int) -> None:
    """Write the net of each hand of rounds that ended, and what each answer decided about."""
    fields, trail, answers, levels = desk.fields, desk.trail, desk.answers, desk.levels
    nets, divisor, has_bets = desk.nets, terms.divisor, len(terms.stakes) > 1
    credit, hand_nets = terms.credit, terms.nets
    first_offer = codes.EARLY * game.rows * KINDS
    for place in range(first, stop):
        table = whole(desk.tables[place])
        fields_at = table * desk_codes.FIELDS
        bet = whole(fields[at(fields_at + desk_codes.BET)])
        stake = terms.stakes[bet]
        given = whole(fields[at(fields_at + desk_codes.GIVEN)])
        hands = 0 if desk.sits_out[bet] else whole(fields[at(fields_at + desk_codes.HANDS)])
        hand_at, answer_at = table * desk.most_hands, table * desk.most_answers
        credit_at = table * (desk.most_answers + 1)
        for hand in range(hands):
            hand_nets[at(hand_at + hand)] = nets[at(hand_at + hand)] * stake / divisor
        terms.hand_numbers[table] = hands
        terms.credits[table] = given
        if given == 0 or has_bets:
            net = whole(fields[at(fields_at + desk_codes.NET)])
            credit[at(credit_at)] = net * stake / divisor
            terms.credits[table] = given + 1
            credit_at += 1
        insured = 0
        for answer in range(given):
            entry = whole(trail[at(answer_at + answer)])
            is_insurance = entry & desk_codes.CELL_MASK >= first_offer
            if entry >> desk_codes.LEVEL_SHIFT == 0 and is_insurance:
                insured += int(answers[at(answer_at + answer)] == codes.INSURE)
        for answer in range(given):
            entry = whole(trail[at(answer_at + answer)])
            code = whole(answers[at(answer_at + answer)])
            cell = entry & desk_codes.CELL_MASK
            begin = (entry >> desk_codes.PLACE_SHIFT) & 255
            level = entry >> desk_codes.LEVEL_SHIFT
            is_offer = cell >= first_offer
            net = whole(0)
            if is_offer and cell % KINDS == desk_codes.INSURANCE_KIND and level == 0:
                if code == codes.INSURE:
                    net = whole(fields[at(fields_at + desk_codes.INSURED)]) // insured
            else:
                if is_offer:  # about all hands of a spot, and the last of each spot has level 0
                    spot, begin, level = begin, 0, 0
                    for _ in range(spot):
                        while levels[at(hand_at + begin)] > 0:
                            begin += 1
                        begin += 1
                net = whole(nets[at(hand_at + begin)])
                if is_offer or code == codes.SPLIT:
                    while levels[at(hand_at + begin)] > level:
                        begin += 1
                        net += nets[at(hand_at + begin)]
            credit[at(credit_at + answer)] = net * stake / divisor


@kernel
def pack_rows(
    numbers: NDArray[np.int64], values: NDArray[np.float64], width: int, packed: NDArray[np.float64]
) -> None:
    """Copy the first `numbers[i]` values of each row of `width` into the rows of an array."""
    columns = packed.shape[1]
    for row in range(len(numbers)):
        for column in range(min(numbers[row], columns)):
            packed[row, column] = values[row * width + column]
