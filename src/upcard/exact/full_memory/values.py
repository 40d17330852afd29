"""Values of splits with full memory, and estimates of the time and the memory that they take.

The work is a fixed number of steps for each set of cards and each stage; their duration is measured
by a small sample on this machine. A value is computed once, and remembered as soon as it is known,
so that a game that is interrupted continues where it stopped.
"""

import math
import time
from functools import cache
from typing import Final, NamedTuple

import numpy as np

from upcard.core import cards, errors
from upcard.core.cards import Rank, rank_name
from upcard.core.long_work import FULL_MEMORY, PartedWork
from upcard.exact import finite_shoe, solver_results, supported_rules
from upcard.exact.full_memory import states
from upcard.exact.full_memory.optimum import SplitQuestion, solve_split
from upcard.exact.kernels import dealer_hands, hand_sets, split_memory

MOST_SECONDS: Final = 3600.0
MOST_BYTES: Final = 8 * 10**9
_MOST_STAGES: Final = 2_000
_BYTES: Final = 8
# Microseconds on the machine where they were measured; see `_slowness`.
_PER_SET: Final = 0.72
_PER_SUM: Final = 0.0012
_PER_ROW: Final = 0.67
_PER_KIND: Final = 0.0133
_SAMPLE: Final = 960
_SAMPLE_UPCARD: Final = 2
_SAMPLE_SECONDS: Final = 0.00059
"""Duration of the sample on that machine."""


class Cost(NamedTuple):
    """Time and memory that a split takes."""

    seconds: float
    bytes: float

    @property
    def is_too_much(self) -> bool:
        """Whether it is refused."""
        return self.seconds > MOST_SECONDS or self.bytes > MOST_BYTES

    def __str__(self) -> str:
        return f"{write_duration(self.seconds)} and {write_size(self.bytes)} of memory"


def estimate(question: SplitQuestion) -> Cost:
    """Estimate the cost of a split."""
    shape = question.shape
    if states.count_stages(shape) > _MOST_STAGES:
        return Cost(np.inf, np.inf)
    kinds = len(states.list_totals(question.rules, question.rank).total)
    stages = states.list_stages(shape, kinds)
    sets = split_memory.count_sets(question.drawn_from, shape.most_sum)
    up_to = np.cumsum(sets, axis=1)
    sums = np.minimum(stages.limit - 2 * question.rank, sets.shape[1] - 1)
    rows = np.where(sums >= 0, up_to[:, sums], 0.0)  # layers x stages
    tree = question.dealer_tree
    every = float(sets.sum())
    steps = every * (_PER_SET + _PER_SUM * len(tree.sum_high))
    steps += float(rows.sum()) * (_PER_ROW + _PER_KIND * kinds)
    layers = _BYTES * (rows @ stages.width + split_memory.STANDING * up_to[:, -1])
    largest = float((layers[1:] + layers[:-1]).max())
    deepest = float(max(question.drawn_from[rank] for rank in cards.RANKS)) + 2
    return Cost(steps * 1e-6 * _slowness(), largest + _BYTES * 10 * sets.size * deepest)


def check_one(question: SplitQuestion, *, name: str) -> Cost:
    """Return the cost of a split."""
    cost = estimate(question)
    if not cost.is_too_much:
        return cost
    fewer = (question._replace(most_hands=hands) for hands in range(question.most_hands - 1, 1, -1))
    fits = next((one.most_hands for one in fewer if not estimate(one).is_too_much), None)
    possible = "" if fits is None else f"at most SP{fits}, or "
    raise errors.TooMuchWorkError(
        f"{name} into {question.most_hands} hands with full memory would take {cost}; the limits"
        f" are {_LIMITS}. Possible: {possible}--splits CDP-exact"
    )


def check_all(costs: list[Cost]) -> None:
    """Refuse the splits of a game that take too long or too much memory together."""
    if not costs:
        return
    cost = Cost(math.fsum(cost.seconds for cost in costs), max(cost.bytes for cost in costs))
    if cost.is_too_much:
        raise errors.TooMuchWorkError(
            f"a whole game with full memory would take {cost}, for {len(costs)} splits; the limits"
            f" are {_LIMITS}. Possible: single hands (upcard solve 88 v T --splits full), fewer"
            " hands or decks (1D SP2 takes seconds), or --splits CDP-exact"
        )


def write_duration(seconds: float) -> str:
    """Write about how long something takes."""
    if seconds == np.inf:
        return "more than a year"
    for unit, size in (("year", 31_536_000), ("day", 86_400), ("hour", 3_600), ("minute", 60)):
        if seconds >= 1.5 * size:
            return f"about {seconds / size:,.0f} {unit}s"
    return f"about {max(round(seconds), 1)} second{'s' * (round(seconds) > 1)}"


def write_size(size: float) -> str:
    """Write about how much memory something takes."""
    if size == np.inf:
        return "more than a terabyte"
    return f"{size / 1e9:,.1f} GB" if size >= 1e8 else f"{size / 1e6:,.0f} MB"


_LIMITS: Final = (
    f"{write_duration(MOST_SECONDS).replace('about ', '')} and {write_size(MOST_BYTES)}"
)


@cache
def _slowness() -> float:
    """Return how many times longer than on the measured machine the work takes here."""
    tree = dealer_hands.dealer_tree(hits_soft_17=False, start=(_SAMPLE_UPCARD,))
    shoe = np.array([0.0, *(24.0 for _ in range(9)), 96.0])
    removed = np.zeros((_SAMPLE, 11))
    removed[:, 1:10] = np.arange(_SAMPLE)[:, None] % np.arange(2, 11)
    sets, every = hand_sets.group_sets(removed), np.arange(_SAMPLE)
    outcomes = np.zeros((_SAMPLE, dealer_hands.COLUMNS))
    seconds = []
    for _ in range(4):  # the first may have to load the machine code
        begun = time.thread_time()
        start = np.array([_SAMPLE_UPCARD])
        dealer_hands.fill_dealer_totals(shoe, sets, every, start, tree, outcomes)
        seconds.append(time.thread_time() - begun)
    return min(seconds) / _SAMPLE_SECONDS


_PAIR: Final = 2
_MOST_KNOWN: Final = 4096

_known: dict[SplitQuestion, float] = {}


def value_split(prepared: finite_shoe.PreparedShoe, upcard: Rank, rank: Rank) -> float:
    """Return the kernel value of splitting a pair with full memory."""
    question = _ask(prepared, upcard, rank)
    value = _find(question)
    if value is None:
        (value,) = _solve({question: check_one(question, name=_name(question)).seconds})
    return value


def value_splits(shoes: dict[Rank, list[finite_shoe.PreparedShoe]]) -> None:
    """Compute the splits of all pairs, against each upcard for each shoe that asks."""
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


def _ask(prepared: finite_shoe.PreparedShoe, upcard: Rank, rank: Rank) -> SplitQuestion:
    question = SplitQuestion(
        rules=prepared.rules,
        shoe=tuple(prepared.shoe),
        upcard=upcard,
        rank=rank,
        most_hands=prepared.most_hands(rank),
        at_once=prepared.splits is supported_rules.SplitPlay.FULL_AT_ONCE,
    )
    question.check()
    return question


def _solve(seconds: dict[SplitQuestion, float]) -> list[float]:
    work = PartedWork(FULL_MEMORY, parts=len(seconds), seconds=math.fsum(seconds.values()))
    values = []
    try:
        for question, estimated in seconds.items():
            work.begin(_name(question), estimated)
            value = solve_split(question, work.tell)
            solver_results.save_split(question.rules, _asked(question), value)
            _note(question, value)
            values.append(value)
    except KeyboardInterrupt:
        done = f"interrupted after {len(values)} of {len(seconds)} splits"
        how = "in this process the same call continues with the others"
        raise KeyboardInterrupt(f"{done}; {how}") from None
    finally:
        work.end()
    return values


def _find(question: SplitQuestion) -> float | None:
    value = _known.get(question)
    if value is None:
        value = solver_results.find_split(question.rules, _asked(question))
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
