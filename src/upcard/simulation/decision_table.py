"""Lower chart and deviations: the answer for every context and hand, by upcard and count.

Legal actions come from `rules/predicates.py`, as at the table; `tests/differential` compares the
two, answer by answer.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from upcard.core.actions import Action
from upcard.core.cards import ACE, RANKS
from upcard.core.errors import UnsupportedRuleError
from upcard.core.hands import BUST_LIMIT, EMPTY_HAND, AceRule, hand_table
from upcard.kernels import codes
from upcard.kernels.game import KINDS
from upcard.rules.model import Rules
from upcard.rules.predicates import (
    gets_one_card,
    may_double,
    may_resplit,
    may_surrender,
    most_hands,
    surrenders_before_look,
)
from upcard.simulation.job import Job
from upcard.simulation.support import ENGINE
from upcard.strategy.chart import ChartHand
from upcard.strategy.deviations import Deviations

HANDS: Final = hand_table(AceRule.BEST)
PAIR_ROWS: Final = len(HANDS.total)
"""Rows from here on are pairs, aces first."""
ROWS: Final = PAIR_ROWS + len(RANKS)
ACTION_CODES: Final = {
    Action.STAND: codes.STAND,
    Action.HIT: codes.HIT,
    Action.DOUBLE: codes.DOUBLE,
    Action.SPLIT: codes.SPLIT,
    Action.SURRENDER: codes.SURRENDER,
    Action.NO_SURRENDER: codes.STAND,
}
"""The kernel's codes for actions."""
_OTHER: Final = 2
"""Stands for all pairs but aces: they have the same rules."""
_CONTEXTS: Final = {
    codes.FIRST_TWO: (2, 0, True),
    codes.LATER: (3, 0, False),
    codes.SPLIT_MORE: (2, _OTHER, True),
    codes.SPLIT_FULL: (2, _OTHER, False),
    codes.SPLIT_LATER: (3, _OTHER, False),
    codes.ACES_MORE: (2, ACE, True),
    codes.ACES_FULL: (2, ACE, False),
    codes.ACES_LATER: (3, ACE, False),
}
"""Context of a hand: cards, the rank it was split from, room for one more hand."""
_CONTEXT_OF: Final = {facts: context for context, facts in _CONTEXTS.items()}


class Decisions(NamedTuple):
    """A strategy for the kernel; the fields are those of `kernels.game.Game`."""

    choice: NDArray[np.uint16]
    by_count: NDArray[np.uint8]
    insures: NDArray[np.uint8]


class DecisionCell(NamedTuple):
    """One question that the kernel may have to answer."""

    number: int
    """Index in `Game.choice`."""
    total: int
    is_soft: bool
    pair_rank: int
    upcard: int
    legal: tuple[Action, ...]

    @property
    def hand(self) -> ChartHand:
        """The keyword arguments for a chart."""
        total, is_soft, pair_rank, upcard = self[1:5]
        return ChartHand(total=total, is_soft=is_soft, pair_rank=pair_rank, upcard=upcard)


def lower_decisions(job: Job, least_count: int, most_count: int) -> Decisions:
    """Lower a job's chart and deviations for counts from `least_count` to `most_count`.

    Raises: UnsupportedRuleError for a deviation at a count that has no row of its own.
    """
    counts = range(least_count, most_count + 1)
    if job.deviations is not None:
        _check_indices(job.deviations, least_count, most_count)
    choice = np.full(codes.CONTEXTS * ROWS * KINDS, codes.NOT_ASKED, np.uint16)
    numbers: dict[tuple[int, ...], int] = {}
    for cell in find_cells(job.rules):
        answers = tuple(ACTION_CODES[answer] for answer in _answers(job, cell, counts))
        if len(set(answers)) == 1:
            choice[cell.number] = answers[0]
        else:
            number = numbers.setdefault(answers, len(numbers))
            choice[cell.number] = codes.FIRST_DEVIATION + number
    fill_red_7(choice)
    rows = list(numbers) or [(codes.NOT_ASKED,) * len(counts)]
    return Decisions(choice, np.array(rows, np.uint8).ravel(), _insures(job, counts))


def fill_red_7(choice: NDArray[np.unsignedinteger]) -> None:
    """Treat a red seven like any seven, in a table with the layout of `Game.choice`."""
    by_upcard = choice.reshape(-1, KINDS)
    by_upcard[:, codes.RED_7] = by_upcard[:, 6]


def _answers(job: Job, cell: DecisionCell, counts: range) -> Iterator[Action]:
    strategy = job.chart
    hand = cell.hand
    if job.deviations is None or not job.deviations.in_cell(**hand):
        yield strategy.decide(**hand, legal=cell.legal)
        return
    for count in counts:
        yield job.deviations.decide(strategy, **hand, count=count, legal=cell.legal)


def _insures(job: Job, counts: range) -> NDArray[np.uint8]:
    strategy = job.chart
    if job.deviations is None:
        return np.full(len(counts), strategy.takes_insurance, np.uint8)
    takes = [job.deviations.takes_insurance(strategy, count) for count in counts]
    return np.array(takes, np.uint8)


def _check_indices(deviations: Deviations, least_count: int, most_count: int) -> None:
    indices = [play.index for play in deviations.plays]
    if deviations.insurance is not None:
        indices.append(deviations.insurance)
    for index in indices:
        if not least_count < index <= most_count:
            reason = f"counts are distinguished from {least_count} to {most_count}"
            raise UnsupportedRuleError(ENGINE, f"an index of {index}", reason)


def find_context(cards: int, split_rank: int, *, has_room: bool) -> int:
    """Return the context of a hand; room for one more hand counts with two cards only."""
    from_rank = split_rank if split_rank in (0, ACE) else _OTHER
    return _CONTEXT_OF[min(cards, 3), from_rank, cards == 2 and has_room]


def number_cell(context: int, row: int, kind: int) -> int:
    """Return the index in `Game.choice` of a row in a context, against a kind of upcard."""
    return (context * ROWS + row) * KINDS + kind


def find_cells(rules: Rules) -> Iterator[DecisionCell]:
    """Iterate over the questions that a house may ask."""
    for context in range(codes.CONTEXTS):
        for row in range(ROWS):
            is_pair = row >= PAIR_ROWS
            rank = row - PAIR_ROWS + 1 if is_pair else 0
            state = row
            if is_pair:
                state = HANDS.next_state[HANDS.next_state[EMPTY_HAND][rank]][rank]
            total = HANDS.total[state]
            if total >= BUST_LIMIT or row == EMPTY_HAND:
                continue
            is_soft = HANDS.is_soft[state]
            for up in RANKS:
                legal = find_legal(rules, context, total, rank, up, is_soft=is_soft)
                if legal:
                    may_split = Action.SPLIT in legal or (
                        context == codes.EARLY and is_pair and rules.max_hands != 1
                    )
                    number = number_cell(context, row, up - 1)
                    yield DecisionCell(number, total, is_soft, rank if may_split else 0, up, legal)


def find_legal(  # noqa: PLR0913 (a question has that many sides)
    rules: Rules, context: int, total: int, pair_rank: int, upcard: int, *, is_soft: bool
) -> tuple[Action, ...]:
    """Return the legal actions of a hand in a context; empty if there is no question."""
    if context == codes.EARLY:
        is_asked = surrenders_before_look(rules, upcard)
        return (Action.SURRENDER, Action.NO_SURRENDER) if is_asked else ()
    cards, split_rank, has_room = _CONTEXTS[context]
    splits = (
        has_room and bool(pair_rank) and most_hands(rules) != 1 and may_resplit(rules, split_rank)
    )
    if gets_one_card(rules, split_rank):
        return (Action.STAND, Action.SPLIT) if splits else ()
    legal = [Action.HIT, Action.STAND]
    if may_double(rules, cards=cards, total=total, is_soft=is_soft, split_rank=split_rank):
        legal.append(Action.DOUBLE)
    if splits:
        legal.append(Action.SPLIT)
    if may_surrender(rules, cards=cards, split_rank=split_rank) and not surrenders_before_look(
        rules, upcard
    ):
        legal.append(Action.SURRENDER)
    return tuple(legal)
