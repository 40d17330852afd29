"""A step of many tables: answers in; rewards, masks, observations and credit out.

Each function plays the tables `first` to `stop` of a desk; threads may play others meanwhile.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from upcard.kernels import codes, desk_codes
from upcard.kernels.credit import write_credit
from upcard.kernels.desk import Desk
from upcard.kernels.game import LoweredGame
from upcard.kernels.jit import lean_kernel
from upcard.kernels.observing import observe
from upcard.kernels.randomness import at, whole
from upcard.kernels.resuming import open_round, resume
from upcard.kernels.room import Room
from upcard.kernels.simulator import simulate
from upcard.kernels.table_rounds import begin_rounds, show_hole_cards
from upcard.kernels.terms import FIRST_BET, NEXT_STEP, SAME_STEP, StepResult, TableTerms


@lean_kernel
def find_illegal(
    choice: NDArray[np.uint16],
    fields: NDArray[np.int32],
    legal: NDArray[np.uint8],
    actions: NDArray[np.int64],
    bets: int,
    mode: int,
    illegal: NDArray[np.bool_],
) -> int:
    """Mark the tables whose action is not legal; return the first, or -1.

    `legal` is `Desk.legal`, which knows no bets: where all are legal by it, no table is looked at.
    """
    is_doubtful = whole(0)
    for table in range(len(actions)):
        action = actions[at(table)]
        is_doubtful |= (action & ~7) | (((whole(legal[at(table)]) >> (action & 7)) & 1) ^ 1)
    first = -1
    if is_doubtful == 0:
        return first
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


@lean_kernel
def play_tables(
    game: LoweredGame,
    desk: Desk,
    terms: TableTerms,
    room: Room,
    given: NDArray[np.int64],
    is_reset: int,
    ends_shoe: int,
    first: int,
    stop: int,
    result: StepResult,
    many: NDArray[np.int64] | None,
    flat: NDArray[np.int64] | None,
) -> int:
    """Give each table its answer, and play on to the next question; return DONE or the failure.

    If it `is_reset`, an episode begins instead at the tables to which not 0 is given. The table
    that failed has the status DUE, and so have all after it.
    """
    fields, answers, todo, tables = desk.fields, desk.answers, desk.todo, desk.tables
    rewards, over, ended = result.rewards, result.over, result.ended
    stakes, divisor, most_answers = terms.stakes, terms.divisor, desk.most_answers
    zero, has_one_bet = np.uint64(0), len(terms.stakes) == 1
    due, begins, is_last = first, first, is_reset
    for table in range(first, stop):
        fields_at = table * desk_codes.FIELDS
        status = whole(fields[at(fields_at + desk_codes.STATUS)])
        action = whole(given[at(table)])
        if is_reset:
            if action == 0:
                continue
            status = desk_codes.OVER
            tables[at(begins)] = table
            begins += 1
        elif status == desk_codes.ASKED:
            number = whole(fields[at(fields_at + desk_codes.GIVEN)])
            answers[at(table * most_answers + number)] = action
            fields[at(fields_at + desk_codes.GIVEN)] = number + 1
            status = resume(game, desk, table, action, flat)
        elif status == desk_codes.SETTLED:
            status = desk_codes.ENDED
        elif status == desk_codes.BETTING:
            fields[at(fields_at + desk_codes.BET)] = action - FIRST_BET
            status = open_round(game, desk, table, flat)
        else:
            tables[at(begins)] = table
            begins += 1
            continue
        fields[at(fields_at + desk_codes.STATUS)] = status
        if status == desk_codes.DUE:
            todo[at(due)] = table
            due += 1

    while True:
        due = begin_rounds(game, desk, terms, first, begins, due, ends_shoe, flat)
        if due > first:
            ending = simulate(
                game, room, zero, zero, np.uint64(first), due - first,
                None, None, None, None, None, None, many, None, flat, desk,
            )  # fmt: skip
            if ending != codes.DONE:
                return ending
            for place in range(first, due if has_one_bet else first):
                fields_at = whole(todo[at(place)]) * desk_codes.FIELDS
                if (
                    fields[at(fields_at + desk_codes.STATUS)] == desk_codes.ENDED
                    and fields[at(fields_at + desk_codes.GIVEN)] == 0
                ):
                    fields[at(fields_at + desk_codes.STATUS)] = desk_codes.SETTLED
        if is_last:
            break
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
        if desk.keeps_credit:
            write_credit(game, desk, terms, first, rounds)
        if terms.mode != SAME_STEP and not terms.by_shoe:
            break
        begins = rounds
        if terms.mode == SAME_STEP:
            observe(
                game, desk, terms, todo, first, finals,
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
    observe(game, desk, terms, tables, first, stop, result.masks, result.cells, result.rows)
    return codes.DONE
