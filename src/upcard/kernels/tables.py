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
from upcard.kernels.jit import kernel
from upcard.kernels.observing import observe
from upcard.kernels.randomness import at, whole
from upcard.kernels.resuming import open_round, resume
from upcard.kernels.table_rounds import begin_rounds, play_due, show_hole_cards
from upcard.kernels.terms import FIRST_BET, NEXT_STEP, SAME_STEP, StepResult, TableTerms


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
    terms: TableTerms,
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
            status = resume(game, desk, table, whole(actions[at(table)]), flat)
        elif status == desk_codes.SETTLED:
            fields[at(fields_at + desk_codes.STATUS)] = desk_codes.ENDED
            continue
        elif status == desk_codes.BETTING:
            fields[at(fields_at + desk_codes.BET)] = actions[at(table)] - FIRST_BET
            status = open_round(game, desk, table, flat)
        else:
            tables[at(overs)] = table
            overs += 1
            continue
        fields[at(fields_at + desk_codes.STATUS)] = status
        if status == desk_codes.DUE:
            todo[at(due)] = table
            due += 1
    due = begin_rounds(game, desk, terms, first, overs, due, terms.by_shoe, flat)
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
        due = begin_rounds(game, desk, terms, first, rounds, first, terms.by_shoe, flat)
        ending = play_due(game, desk, terms, first, due, many, flat)
    for table in range(first, stop):
        tables[at(table)] = table
    observe(game, desk, terms, tables, first, stop, result.masks, result.cells, result.rows)
    return ending


@kernel
def reset_tables(
    game: LoweredGame,
    desk: Desk,
    terms: TableTerms,
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
    due = begin_rounds(game, desk, terms, first, marked, first, ends_shoe, flat)
    ending = play_due(game, desk, terms, first, due, many, flat)
    for table in range(first, stop):
        desk.tables[table] = table
    observe(game, desk, terms, desk.tables, first, stop, result.masks, result.cells, result.rows)
    return ending
