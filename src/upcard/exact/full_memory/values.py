"""Values of splits with full memory: each is computed once, and its progress is reported.

A value is remembered as soon as it is known, so that a game that is interrupted continues where it
stopped.
"""

from __future__ import annotations

import math
import time
from typing import Final

from upcard.core.cards import Rank, rank_name
from upcard.core.long_work import FULL_MEMORY, Report, tell
from upcard.exact.full_memory.cost import check_all, check_one, estimate
from upcard.exact.full_memory.optimum import SplitQuestion, solve_split
from upcard.exact.prepared_shoe import PreparedShoe
from upcard.exact.solver_results import find_split, save_split
from upcard.exact.supported_rules import SplitPlay

_PAIR: Final = 2
_MOST_KNOWN: Final = 4096
_PROGRESS_SECONDS: Final = 1.0

_known: dict[SplitQuestion, float] = {}


def value_split(prepared: PreparedShoe, upcard: Rank, rank: Rank) -> float:
    """Return the kernel value of splitting a pair with full memory.

    Raises: UnsupportedRuleError; EmptyShoeError if cards could run out; TooMuchWorkError.
    """
    question = _ask(prepared, upcard, rank)
    value = _find(question)
    if value is None:
        (value,) = _solve({question: check_one(question, name=_name(question)).seconds})
    return value


def value_splits(shoes: dict[Rank, list[PreparedShoe]]) -> None:
    """Compute the splits of all pairs, against each upcard for each shoe that asks.

    Raises: as `value_split` does, before any work is begun.
    """
    wanted = [
        _ask(prepared, upcard, rank)
        for upcard, asking in shoes.items()
        for prepared in asking
        for rank in prepared.splits_of
        if prepared.shoe[rank] - (rank == upcard) >= _PAIR
    ]
    missing = [question for question in dict.fromkeys(wanted) if _find(question) is None]
    costs = [estimate(question) for question in missing]
    check_all(costs)
    _solve({question: cost.seconds for question, cost in zip(missing, costs, strict=True)})


def _ask(prepared: PreparedShoe, upcard: Rank, rank: Rank) -> SplitQuestion:
    question = SplitQuestion(
        rules=prepared.rules,
        shoe=tuple(prepared.shoe),
        upcard=upcard,
        rank=rank,
        most_hands=prepared.most_hands(rank),
        at_once=prepared.splits is SplitPlay.FULL_AT_ONCE,
    )
    question.check()
    return question


def _solve(seconds: dict[SplitQuestion, float]) -> list[float]:
    """Solve splits of which the durations are estimated."""
    progress = _Progress(seconds)
    values = []
    try:
        for question in seconds:
            progress.begin(question)
            value = solve_split(question, progress.tell)
            save_split(question.rules, _asked(question), value)
            _note(question, value)
            values.append(value)
    finally:
        progress.end()
    return values


def _find(question: SplitQuestion) -> float | None:
    value = _known.get(question)
    if value is None:
        value = find_split(question.rules, _asked(question))
        if value is not None:
            _note(question, value)
    return value


def _note(question: SplitQuestion, value: float) -> None:
    while len(_known) >= _MOST_KNOWN:
        _known.pop(next(iter(_known)))
    _known[question] = value


def _asked(question: SplitQuestion) -> tuple[object, ...]:
    return ([int(count) for count in question.shoe], *question[2:])


def _name(question: SplitQuestion) -> str:
    rank = rank_name(question.rank)
    return f"{rank} {rank} v {rank_name(question.upcard)}"


class _Progress:
    """Reports, once a second: which split, the share of all that is done, and the time left."""

    def __init__(self, seconds: dict[SplitQuestion, float]) -> None:
        self._seconds = seconds
        self._estimated = math.fsum(seconds.values())
        self._number = 0
        self._about = ""
        self._before = self._share = 0.0
        self._begun = self._told = time.monotonic()
        self._is_told = False

    def begin(self, question: SplitQuestion) -> None:
        """Begin the next split; the one before is done."""
        self._number += 1
        of_all = f" ({self._number} of {len(self._seconds)})" if len(self._seconds) > 1 else ""
        self._about = f"{_name(question)}{of_all}"
        self._before += self._share
        self._share = self._seconds[question] / self._estimated

    def tell(self, share: float) -> None:
        """Report that a share of this split is done, if the last report is old enough."""
        now = time.monotonic()
        if now - self._told < _PROGRESS_SECONDS:
            return
        self._told, self._is_told = now, True
        done = min(self._before + share * self._share, 1.0)
        passed = now - self._begun
        left = passed / done - passed if done > 0 else self._estimated
        tell(Report(FULL_MEMORY, self._about, done, left))

    def end(self) -> None:
        """Report the end, if anything was reported."""
        if self._is_told:
            tell(Report(FULL_MEMORY, is_over=True))
