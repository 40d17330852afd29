"""Ways to change one field of an immutable value of 13 fields; see decision 0002."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

from benchmarks.timing import Figure, measure

if TYPE_CHECKING:
    from collections.abc import Callable

_CHANGES: Final = 20_000


class _Named(NamedTuple):
    a: int
    b: int
    c: int
    d: int
    e: int
    f: int
    g: int
    h: int
    i: int
    j: int
    k: int
    m: int
    n: int


@dataclass(frozen=True, slots=True)
class _Frozen:
    a: int
    b: int
    c: int
    d: int
    e: int
    f: int
    g: int
    h: int
    i: int
    j: int
    k: int
    m: int
    n: int


def measure_values(runs: int) -> dict[str, Figure]:
    """Time each way; the figures are for one change."""
    x = _Named(*range(13))
    y = _Frozen(*range(13))
    ways: dict[str, Callable[[], object]] = {
        "named tuple, written out": lambda: _Named(
            x.a, x.b, 7, x.d, x.e, x.f, x.g, x.h, x.i, x.j, x.k, x.m, x.n
        ),
        "named tuple, _replace": lambda: x._replace(c=7),
        "frozen dataclass, written out": lambda: _Frozen(
            y.a, y.b, 7, y.d, y.e, y.f, y.g, y.h, y.i, y.j, y.k, y.m, y.n
        ),
        "frozen dataclass, replace": lambda: dataclasses.replace(y, c=7),
    }
    return {name: _measure_change(change, runs) for name, change in ways.items()}


def _measure_change(change: Callable[[], object], runs: int) -> Figure:
    def job() -> None:
        for _ in range(_CHANGES):
            change()

    total = measure(job, runs=runs)
    return Figure(total.seconds / _CHANGES, total.yardsticks / _CHANGES)
