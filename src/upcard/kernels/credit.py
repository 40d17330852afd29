"""Credit of each answer of a round that is over."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from upcard.kernels import codes, desk_codes
from upcard.kernels.desk import Desk
from upcard.kernels.game import KINDS, LoweredGame
from upcard.kernels.jit import inner_kernel, lean_kernel
from upcard.kernels.randomness import at, whole
from upcard.kernels.terms import TableTerms


@inner_kernel
def write_credit(game: LoweredGame, desk: Desk, terms: TableTerms, first: int, stop: int) -> None:
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
                if is_offer:  # about all hands of a spot; the last has level 0
                    level, begin = 0, find_first_hand(levels, hand_at, begin)
                net = whole(nets[at(hand_at + begin)])
                if is_offer or code == codes.SPLIT:
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
    numbers: NDArray[np.int64], values: NDArray[np.float64], width: int, packed: NDArray[np.float64]
) -> None:
    """Copy the first `numbers[i]` values of each row of `width` into the rows of an array."""
    columns = packed.shape[1]
    for row in range(len(numbers)):
        for column in range(min(numbers[row], columns)):
            packed[row, column] = values[row * width + column]
