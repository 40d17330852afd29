"""Values of splits with full memory: each is computed once, and its progress is reported.

A value is remembered as soon as it is known, so that a game that is interrupted continues where it
stopped.
"""

import math
from typing import Final

from upcard.core.cards import Rank, rank_name
from upcard.core.long_work import FULL_MEMORY, PartedWork
from upcard.exact import finite_shoe, solver_results, supported_rules
from upcard.exact.full_memory.cost import check_all, check_one, estimate
from upcard.exact.full_memory.optimum import SplitQuestion, solve_split

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
