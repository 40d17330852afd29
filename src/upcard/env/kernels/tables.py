"""A step of many tables: answers in; rewards, masks, observations and credit out.

Each function plays the tables `first` to `stop`; threads may play others meanwhile.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from upcard.env.kernels import table_rounds
from upcard.env.kernels.replays import replay_tables
from upcard.env.kernels.table_rounds import FIRST_BET, HAND_COLUMNS, RANKS, StepResult, TableTerms
from upcard.kernels.jit import Integers, inner_kernel, lean_kernel
from upcard.simulation.kernels import loop_codes
from upcard.simulation.kernels.game import KINDS, LoweredGame
from upcard.simulation.kernels.paused_rounds import PausedRounds
from upcard.simulation.kernels.randomness import at, whole
from upcard.simulation.kernels.round_steps import convert_bet, count_play
from upcard.simulation.kernels.shoes import Room


@inner_kernel
def write_credit(
    game: LoweredGame, paused: PausedRounds, terms: TableTerms, first: int, stop: int
) -> None:
    """Write the net of each hand of rounds that ended, and what each answer decided about."""
    fields, trail, answers, levels = paused.fields, paused.trail, paused.answers, paused.levels
    nets, divisor, has_bets = paused.nets, terms.divisor, len(terms.stakes) > 1
    credit, hand_nets = terms.credit, terms.nets
    first_offer = loop_codes.EARLY * game.rows * KINDS
    for place in range(first, stop):
        table = whole(paused.tables[place])
        fields_at = table * loop_codes.FIELDS
        bet = whole(fields[at(fields_at + loop_codes.BET)])
        stake = terms.stakes[bet]
        given = whole(fields[at(fields_at + loop_codes.GIVEN)])
        hands = 0 if paused.sits_out[bet] else whole(fields[at(fields_at + loop_codes.HANDS)])
        hand_at, answer_at = table * paused.most_hands, table * paused.most_answers
        credit_at = table * (paused.most_answers + 1)
        for hand in range(hands):
            hand_nets[at(hand_at + hand)] = nets[at(hand_at + hand)] * stake / divisor
        terms.hand_numbers[table] = hands
        terms.credits[table] = given
        if given == 0 or has_bets:
            net = whole(fields[at(fields_at + loop_codes.NET)])
            credit[at(credit_at)] = net * stake / divisor
            terms.credits[table] = given + 1
            credit_at += 1
        insured = 0
        for answer in range(given):
            entry = whole(trail[at(answer_at + answer)])
            is_insurance = entry & loop_codes.CELL_MASK >= first_offer
            if entry >> loop_codes.LEVEL_SHIFT == 0 and is_insurance:
                insured += int(answers[at(answer_at + answer)] == loop_codes.INSURE)
        for answer in range(given):
            entry = whole(trail[at(answer_at + answer)])
            code = whole(answers[at(answer_at + answer)])
            cell = entry & loop_codes.CELL_MASK
            begin = (entry >> loop_codes.PLACE_SHIFT) & 255
            level = entry >> loop_codes.LEVEL_SHIFT
            is_offer = cell >= first_offer
            net = whole(0)
            if is_offer and cell % KINDS == loop_codes.INSURANCE_KIND and level == 0:
                if code == loop_codes.INSURE:
                    net = whole(fields[at(fields_at + loop_codes.INSURED)]) // insured
            else:
                if is_offer:  # about all hands of a spot; the last has level 0
                    level, begin = 0, find_first_hand(levels, hand_at, begin)
                net = whole(nets[at(hand_at + begin)])
                if is_offer or code == loop_codes.SPLIT:
                    while levels[at(hand_at + begin)] > level:
                        begin += 1
                        net += nets[at(hand_at + begin)]
            credit[at(credit_at + answer)] = net * stake / divisor


@inner_kernel
def find_first_hand(levels: NDArray[np.int8], first: int, spot: int) -> int:
    """Return the number of a spot's first hand; the levels of a table begin at `first`."""
    hand = 0
    for _ in range(spot):
        while levels[at(first + hand)] > 0:
            hand += 1
        hand += 1
    return hand


@lean_kernel
def pack_rows(
    numbers: Integers, values: NDArray[np.float64], width: int, packed: NDArray[np.float64]
) -> None:
    """Copy the first `numbers[i]` values of each row of `width` into the rows of an array."""
    columns = packed.shape[1]
    for row in range(len(numbers)):
        for column in range(min(numbers[row], columns)):
            packed[row, column] = values[row * width + column]


SETTLED_CELL, BET_CELL = 0, 1
"""No hand has these cells."""
PAIR_COLUMN, WAITING_COLUMN, STAGE_COLUMN = 3, 6, 7
SETTLED_STAGE: Final = 5
ANY_ACTION: Final = 255


@inner_kernel
def observe(
    game: LoweredGame,
    paused: PausedRounds,
    terms: TableTerms,
    tables: Integers,
    first: int,
    stop: int,
    masks: NDArray[np.int8],
    cells: Integers,
    rows: NDArray[np.float32],
) -> None:
    """Write masks and observations of the tables `tables[first:stop]`."""
    fields, choice, hands = paused.fields, game.choice, terms.hands
    actions, columns = terms.actions, terms.columns
    has_cells, has_cards = len(cells) > 0, terms.has_cards
    most_waiting = terms.most_waiting
    if_over = ANY_ACTION if terms.mode == table_rounds.NEXT_STEP else 0
    for number in range(first, stop):
        table = whole(tables[at(number)])
        fields_at = table * loop_codes.FIELDS
        status = whole(fields[at(fields_at + loop_codes.STATUS)])
        cell = whole(fields[at(fields_at + loop_codes.CELL)])
        if cell % KINDS == loop_codes.RED_7:
            cell += 6 - loop_codes.RED_7
        is_asked, is_bet = status == loop_codes.ASKED, status == loop_codes.BETTING
        bits = whole(choice[at(cell)]) if is_asked else whole(not is_bet)
        paused.legal[at(table)] = if_over if status == loop_codes.OVER else bits
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
                waiting = whole(fields[at(fields_at + loop_codes.WAITING)])
                rows[at(row + WAITING_COLUMN)] = min(waiting, most_waiting)
            else:
                rows[at(row + PAIR_COLUMN)] = 0
                rows[at(row + STAGE_COLUMN)] = SETTLED_STAGE
            if has_cards:
                write_cards(game, paused.cards, fields, fields_at, table * paused.width, rows, row)
    column = HAND_COLUMNS + RANKS * has_cards
    if terms.has_spot:
        for number in range(first, stop):
            table = whole(tables[at(number)])
            fields_at = table * loop_codes.FIELDS
            is_bet = fields[at(fields_at + loop_codes.STATUS)] == loop_codes.BETTING
            spot = 0 if is_bet else whole(fields[at(fields_at + loop_codes.SPOT)])
            rows[at(table * columns + column)] = spot
        column += 1
    if terms.has_count:
        write_counts(game, paused, terms, tables, first, stop, rows, column)
        column += 2
    if terms.has_composition:
        for number in range(first, stop):
            table = whole(tables[at(number)])
            write_composition(game, paused, terms, table, rows, table * columns + column)


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
    spot = whole(fields[at(fields_at + loop_codes.SPOT)])
    begin = whole(fields[at(fields_at + loop_codes.BEGIN)]) + spot * game.first_step
    drawn = whole(fields[at(fields_at + loop_codes.DRAWN)])
    for number in range(-2, whole(fields[at(fields_at + loop_codes.LAST)]) - drawn):
        place = drawn + number
        if number == -2:
            place = begin
        elif number == -1:
            place = whole(fields[at(fields_at + loop_codes.PAIR)])
        kind = whole(cards[at(base + place)])
        rows[at(row + (6 if kind == loop_codes.RED_7 else kind))] += 1


@inner_kernel
def write_counts(
    game: LoweredGame,
    paused: PausedRounds,
    terms: TableTerms,
    tables: Integers,
    first: int,
    stop: int,
    rows: NDArray[np.float32],
    column: int,
) -> None:
    """Write the counts that decide the next bets or answers, and the numbers of decks left."""
    fields, runnings, factor, size = paused.fields, paused.running, game.factor, len(game.deck)
    limits = (game.add_positive, game.add_negative, game.least_count, game.most_count)
    for number in range(first, stop):
        table = whole(tables[at(number)])
        fields_at = table * loop_codes.FIELDS
        begin = whole(fields[at(fields_at + loop_codes.BEGIN)])
        position = whole(fields[at(fields_at + loop_codes.POSITION)])
        before, running = runnings[at(2 * table)], runnings[at(2 * table + 1)]
        if fields[at(fields_at + loop_codes.STATUS)] == loop_codes.BETTING:
            count = convert_bet(running, begin, factor, limits)
        else:
            count = count_play(game, running, before, position, begin) + game.least_count
        row = table * terms.columns + column
        rows[at(row)] = count
        rows[at(row + 1)] = (
            size - (position - begin if position > size else position)
        ) / terms.deck_size


@inner_kernel
def write_composition(
    game: LoweredGame,
    paused: PausedRounds,
    terms: TableTerms,
    table: int,
    rows: NDArray[np.float32],
    row: int,
) -> None:
    """Write the share of each rank among the cards that were not seen."""
    has_run_out = paused.fields[table * loop_codes.FIELDS + loop_codes.POSITION] > len(game.deck)
    for rank in range(RANKS):
        rows[row + rank] = 0
    table_rounds.see_round(game, paused, table, rows, row)
    cards = 0
    for rank in range(RANKS):
        seen = whole(rows[row + rank]) + (0 if has_run_out else terms.seen[table * RANKS + rank])
        unseen = whole(terms.full[at(rank)]) - seen
        cards += unseen
        rows[row + rank] = unseen
    for rank in range(RANKS):
        rows[row + rank] = whole(rows[row + rank]) / max(cards, 1)


@lean_kernel
def find_illegal(
    choice: NDArray[np.uint16],
    fields: NDArray[np.int32],
    legal: NDArray[np.uint8],
    actions: Integers,
    bets: int,
    mode: int,
    illegal: NDArray[np.bool_],
) -> int:
    """Mark the tables whose action is not legal; return the first, or -1.

    `legal` is `PausedRounds.legal`, which knows no bets: where all are legal by it, no table is
    looked at.
    """
    is_doubtful = whole(0)
    for table in range(len(actions)):
        action = actions[at(table)]
        is_doubtful |= (action & ~7) | (((whole(legal[at(table)]) >> (action & 7)) & 1) ^ 1)
    first = -1
    if is_doubtful == 0:
        return first
    for table in range(len(actions)):
        fields_at = table * loop_codes.FIELDS
        status = whole(fields[at(fields_at + loop_codes.STATUS)])
        action = actions[at(table)]
        if status == loop_codes.ASKED:
            bits = whole(choice[at(fields[at(fields_at + loop_codes.CELL)])])
            is_legal = 0 <= action < FIRST_BET and (bits >> action) & 1 == 1
        elif status == loop_codes.SETTLED:
            is_legal = action == 0
        elif status == loop_codes.BETTING:
            is_legal = FIRST_BET <= action < FIRST_BET + bets
        else:
            is_legal = mode == table_rounds.NEXT_STEP
        illegal[at(table)] = not is_legal
        if not is_legal and first < 0:
            first = table
    return first


@lean_kernel
def play_tables(
    game: LoweredGame,
    paused: PausedRounds,
    terms: TableTerms,
    room: Room,
    given: Integers,
    is_reset: int,
    ends_shoe: int,
    first: int,
    stop: int,
    result: StepResult,
    many: Integers | None,
    flat: Integers | None,
) -> int:
    """Give each table its answer, and play on to the next question; return DONE or the failure.

    If it `is_reset`, an episode begins instead at the tables to which not 0 is given. The table
    that failed has the status DUE, and so have all after it.
    """
    fields, answers, todo, tables = paused.fields, paused.answers, paused.todo, paused.tables
    rewards, over, ended = result.rewards, result.over, result.ended
    stakes, divisor, most_answers = terms.stakes, terms.divisor, paused.most_answers
    has_one_bet = len(terms.stakes) == 1
    due, begins, is_last = first, first, is_reset
    for table in range(first, stop):
        fields_at = table * loop_codes.FIELDS
        status = whole(fields[at(fields_at + loop_codes.STATUS)])
        action = whole(given[at(table)])
        if is_reset:
            if action == 0:
                continue
            status = loop_codes.OVER
            tables[at(begins)] = table
            begins += 1
        elif status == loop_codes.ASKED:
            number = whole(fields[at(fields_at + loop_codes.GIVEN)])
            answers[at(table * most_answers + number)] = action
            fields[at(fields_at + loop_codes.GIVEN)] = number + 1
            status = table_rounds.resume(game, paused, table, action, flat)
        elif status == loop_codes.SETTLED:
            status = loop_codes.ENDED
        elif status == loop_codes.BETTING:
            fields[at(fields_at + loop_codes.BET)] = action - FIRST_BET
            status = table_rounds.open_round(game, paused, table, flat)
        else:
            tables[at(begins)] = table
            begins += 1
            continue
        fields[at(fields_at + loop_codes.STATUS)] = status
        if status == loop_codes.DUE:
            todo[at(due)] = table
            due += 1

    while True:
        due = table_rounds.begin_rounds(game, paused, terms, first, begins, due, ends_shoe, flat)
        if due > first:
            ending = replay_tables(game, room, paused, first, due, many, flat)
            if ending != loop_codes.DONE:
                return ending
            for place in range(first, due if has_one_bet else first):
                fields_at = whole(todo[at(place)]) * loop_codes.FIELDS
                if (
                    fields[at(fields_at + loop_codes.STATUS)] == loop_codes.ENDED
                    and fields[at(fields_at + loop_codes.GIVEN)] == 0
                ):
                    fields[at(fields_at + loop_codes.STATUS)] = loop_codes.SETTLED
        if is_last:
            break
        rounds, finals = first, first
        for table in range(first, stop):
            fields_at = table * loop_codes.FIELDS
            is_ended = fields[at(fields_at + loop_codes.STATUS)] == loop_codes.ENDED
            ended[at(table)] = is_ended
            reward, is_over = 0.0, False
            if is_ended:
                bet = whole(fields[at(fields_at + loop_codes.BET)])
                reward = fields[at(fields_at + loop_codes.NET)] * stakes[at(bet)] / divisor
                position = whole(fields[at(fields_at + loop_codes.POSITION)])
                if terms.by_shoe:
                    is_over = position > 0 if terms.is_fresh else position >= game.cut
                else:
                    is_over = True
                if is_over:
                    fields[at(fields_at + loop_codes.STATUS)] = loop_codes.OVER
                    todo[at(finals)] = table
                    finals += 1
                tables[at(rounds)] = table
                rounds += 1
            rewards[at(table)] = reward
            over[at(table)] = is_over
        if terms.has_count or terms.has_composition:
            table_rounds.show_hole_cards(game, paused, first, rounds)
        if paused.keeps_credit:
            write_credit(game, paused, terms, first, rounds)
        if terms.mode != table_rounds.SAME_STEP and not terms.by_shoe:
            break
        begins = rounds
        if terms.mode == table_rounds.SAME_STEP:
            observe(
                game, paused, terms, todo, first, finals,
                result.final_masks, result.final_cells, result.final_rows,
            )  # fmt: skip
        else:  # tables whose shoe goes on
            begins = first
            for table in range(first, stop):
                if ended[at(table)] and not over[at(table)]:
                    tables[at(begins)] = table
                    begins += 1
        due, is_last = first, 1
    for table in range(first, stop):
        tables[at(table)] = table
    observe(game, paused, terms, tables, first, stop, result.masks, result.cells, result.rows)
    return loop_codes.DONE
