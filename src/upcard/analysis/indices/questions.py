"""Questions that indices answer: in a cell of the chart, one action against all that follow.

A cell has four questions, in the order of the layers of deviations: surrender against the rest;
split against the rest without surrender; double against hit and stand; stand against hit. Each is
a separate play of `Deviations`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from upcard.analysis.errors import AnalysisError
from upcard.core.actions import Action
from upcard.core.cards import ACE, UPCARD_ORDER, Rank, rank_name
from upcard.core.errors import quote
from upcard.core.user_files import could_be_file
from upcard.strategy.chart import HAND_LABELS, PAIR_LABELS, UPCARD_LABELS, Strategy
from upcard.strategy.deviations import Deviation, deviation_names, load_deviations

ASKED: Final = (Action.SURRENDER, Action.SPLIT, Action.DOUBLE, Action.STAND)
"""Actions of questions, in the order in which they are asked."""
_CELL: Final = re.compile(r"([0-9AT,]+)\s*v\s*([0-9AT]+)", re.IGNORECASE)
_INSURANCE: Final = "insurance"
_ALL: Final = "all"


class IndexQuestion(NamedTuple):
    """Whether to take an action with the hands of a row against an upcard."""

    hand: str
    """Row of the chart; empty for insurance."""
    upcard: Rank
    action: Action

    def __str__(self) -> str:
        """Write the cell: `16 v T`."""
        if self.action is Action.INSURANCE:
            return _INSURANCE
        return f"{'TT' if self.hand == '1010' else self.hand} v {rank_name(self.upcard)}"

    def make_play(self, index: int, *, at_or_above: bool) -> Deviation:
        """Return the play that takes the action on one side of an index."""
        action, otherwise = self.action, None
        if action is Action.STAND:
            # One play for both, which is written with the action at high counts first.
            action, otherwise = (action, Action.HIT) if at_or_above else (Action.HIT, action)
            at_or_above = True
        return Deviation(
            hand=self.hand,
            upcard=self.upcard,
            action=action,
            index=index,
            at_or_above=at_or_above,
            otherwise=otherwise,
        )


INSURANCE: Final = IndexQuestion("", ACE, Action.INSURANCE)


class IndexAnswer(NamedTuple):
    """An answer that hands of a row may give, among their legal actions.

    Hands of two cards and of more are distinguished by what is legal.
    """

    hand: str
    upcard: Rank
    legal: frozenset[Action]
    action: Action


class Wanted(NamedTuple):
    """Requested questions, by name or as cells."""

    text: str
    questions: tuple[IndexQuestion, ...]
    cells: tuple[tuple[str, Rank], ...]
    """Cells of which every question is requested."""

    @property
    def upcards(self) -> tuple[Rank, ...]:
        """Upcards of the requested questions."""
        if self.text == _ALL:
            return UPCARD_ORDER
        asked = {question.upcard for question in self.questions}
        asked |= {upcard for _, upcard in self.cells}
        return tuple(upcard for upcard in UPCARD_ORDER if upcard in asked)

    def holds(self, question: IndexQuestion) -> bool:
        """Whether a question is requested."""
        if self.text == _ALL:
            return True
        return question in self.questions or (question.hand, question.upcard) in self.cells


def read_wanted(text: str) -> Wanted:
    """Read the requested plays: `all`, a set's name or file, or `16 v T, 12 v 3, insurance`.

    Raises: AnalysisError for anything else; as `load_deviations` does.
    """
    written = text.strip()
    if written.lower() == _ALL:
        return Wanted(_ALL, (), ())
    cells: list[tuple[str, Rank]] = []
    questions: list[IndexQuestion] = []
    for part in (part.strip() for part in written.split(",") if part.strip()):
        if part.lower() == _INSURANCE:
            questions.append(INSURANCE)
        elif match := _CELL.fullmatch(part):
            cells.append(_read_cell(part, match[1], match[2]))
        elif "," not in written:
            return _read_set(written)
        else:
            raise AnalysisError(_explain(part))
    if not cells and not questions:
        raise AnalysisError(_explain(text))
    return Wanted(written, tuple(questions), tuple(cells))


def _read_set(name: str) -> Wanted:
    known = all(part.lower() in deviation_names() for part in name.split("+"))
    if not known and not could_be_file(name):
        raise AnalysisError(_explain(name))
    loaded = load_deviations(name)
    questions = [
        IndexQuestion(play.hand, play.upcard, _layer_of(play.action)) for play in loaded.plays
    ]
    if loaded.insurance is not None:
        questions.insert(0, INSURANCE)
    return Wanted(name, tuple(questions), ())


def _layer_of(action: Action) -> Action:
    """Return the action in the question of a play: to hit belongs to the question of standing."""
    return Action.STAND if action is Action.HIT else action


def _read_cell(written: str, hand: str, upcard: str) -> tuple[str, Rank]:
    label = hand.upper().replace("T", "10")
    letter = upcard.upper().replace("T", "10")
    if label not in HAND_LABELS or letter not in UPCARD_LABELS:
        raise AnalysisError(_explain(written))
    return label, UPCARD_ORDER[UPCARD_LABELS.index(letter)]


def _explain(part: str) -> str:
    names = ", ".join(deviation_names())
    return (
        f"plays {quote(part)}: write all, a set ({names}, joined by +, or a file), or cells of the"
        " chart with commas between them: 16 v T, A7 v 2, 88 v T, insurance"
    )


def find_questions() -> Iterator[IndexQuestion]:
    """Iterate over all questions of all cells, insurance first."""
    yield INSURANCE
    for upcard in UPCARD_ORDER:
        for hand in HAND_LABELS:
            for action in asked_of(hand):
                yield IndexQuestion(hand, upcard, action)


def asked_of(hand: str) -> tuple[Action, ...]:
    """Return the questions about a row of the chart; only pairs are split."""
    return tuple(action for action in ASKED if action is not Action.SPLIT or hand in PAIR_LABELS)


def chart_says(chart: Strategy, question: IndexQuestion) -> bool:
    """Whether the chart takes the action, as far as this layer decides."""
    if question.action is Action.INSURANCE:
        return chart.takes_insurance
    total, is_soft, pair_rank = question.make_play(0, at_or_above=True).rows[-1]
    options = chart.options(
        total=total, is_soft=is_soft, pair_rank=pair_rank, upcard=question.upcard
    )
    if question.action is Action.STAND:
        plain = [action for action in options if action in (Action.HIT, Action.STAND)]
        return plain[0] is Action.STAND
    if question.action is Action.SURRENDER:
        return options[0] is Action.SURRENDER
    return question.action in options


def chart_moves_first(chart: Strategy, question: IndexQuestion) -> tuple[Action, ...]:
    """Return the split or double of the chart that a play to hit or stand removes."""
    if question.action is not Action.STAND:
        return ()
    return tuple(
        action
        for action in (Action.SPLIT, Action.DOUBLE)
        if (action is not Action.SPLIT or question.hand in PAIR_LABELS)
        and chart_says(chart, question._replace(action=action))
    )
