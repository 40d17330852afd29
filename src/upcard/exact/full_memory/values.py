"""Values of splits with full memory: each is computed once, with its progress on a terminal.

A value is remembered as soon as it is known, so that a game that is interrupted goes on where it
stopped.
"""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final, Self

from upcard.core.cards import Rank, rank_name
from upcard.exact.full_memory.cost import check_all, check_one, estimate, write_duration
from upcard.exact.full_memory.optimum import SplitQuestion, solve_split
from upcard.exact.prepared_shoe import PreparedShoe
from upcard.exact.solver_results import find_split, save_split
from upcard.exact.supported_rules import SplitPlay

_PAIR: Final = 2
_MOST_KNOWN: Final = 4096
_PROGRESS_SECONDS: Final = 1.0
_CLEAR_LINE: Final = "\r\033[K"

_known: dict[SplitQuestion, float] = {}


def value_split(prepared: PreparedShoe, upcard: Rank, rank: Rank) -> float:
    """Return the kernel value of splitting a pair with full memory.

    Raises: UnsupportedRuleError; EmptyShoeError if cards could run out; TooMuchWorkError.
    """
    question = _ask(prepared, upcard, rank)
    value = _find(question)
    if value is None:
        seconds = check_one(question, name=_name(question)).seconds
        with _Progress(1, seconds) as progress:
            value = _solve(question, seconds, progress)
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
    with _Progress(len(missing), math.fsum(cost.seconds for cost in costs)) as progress:
        for question, cost in zip(missing, costs, strict=True):
            _solve(question, cost.seconds, progress)


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


def _solve(question: SplitQuestion, seconds: float, progress: _Progress) -> float:
    with progress.split(_name(question), seconds):
        value = solve_split(question, progress.tell)
    save_split(question.rules, _asked(question), value)
    _note(question, value)
    return value


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
    """A line on a terminal's standard error: which split, how many of all, and the time left."""

    def __init__(self, splits: int, seconds: float) -> None:
        self._splits = splits
        self._estimated = seconds
        self._number = 0
        self._name = ""
        self._begun = self._told = time.monotonic()
        self._done = self._share = 0.0
        self._is_shown = sys.stderr is not None and sys.stderr.isatty()
        self._is_written = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._is_written:
            sys.stderr.write(_CLEAR_LINE)
            sys.stderr.flush()

    @contextmanager
    def split(self, name: str, seconds: float) -> Iterator[None]:
        """Begin the next split, estimated at this number of seconds; end it."""
        self._number += 1
        self._name = name
        self._share = seconds / self._estimated
        yield
        self._done += self._share

    def tell(self, share: float) -> None:
        """Show the line, if the last is old enough; `share` of this split is done."""
        now = time.monotonic()
        if not self._is_shown or now - self._told < _PROGRESS_SECONDS:
            return
        self._told = now
        self._is_written = True
        done = min(self._done + share * self._share, 1.0)
        passed = now - self._begun
        left = passed / done - passed if done > 0 else self._estimated
        of_all = f" ({self._number} of {self._splits})" if self._splits > 1 else ""
        sys.stderr.write(
            f"{_CLEAR_LINE}Full memory: {self._name}{of_all}, {done:.0%} done,"
            f" {write_duration(left)} left"
        )
        sys.stderr.flush()
