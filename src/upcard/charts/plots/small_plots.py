"""Small plots as geometry without style: lines with bands, and bars with whiskers.

A plot is a box of 100 by 100 that is stretched to its place; the page draws the paths with strokes
that do not scale, and writes the ticks beside it, so that no text is stretched.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from upcard.charts.small_svg import choose_step

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

_BOX: Final = 100.0
_STEPS: Final = (1, 2, 2.5, 5)
_TICKS: Final = 4
_LONG: Final = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class CurvePlot:
    """Lines and bands as paths in the box, by their names."""

    lines: dict[str, str]
    bands: dict[str, str]
    y_ticks: tuple[str, ...]
    """From the top to the bottom, at equal distances."""
    grid: tuple[float, ...]
    """The heights of the ticks in the box, from the top."""
    zero: float | None
    """The height of zero; None if it is outside."""
    x_ticks: tuple[str, ...]
    """From left to right, at equal distances."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WhiskerBar:
    """A bar with its error, in the box: lengths from the left."""

    length: float
    low: float
    high: float


def plot_lines(
    xs: Sequence[float],
    lines: Mapping[str, Sequence[float]],
    bands: Mapping[str, tuple[Sequence[float], Sequence[float]]],
) -> CurvePlot:
    """Arrange lines, and bands between a low and a high line, over at least two values of x."""
    values = [*lines.values(), *(line for band in bands.values() for line in band)]
    low, high, step = _choose_range(
        min(map(min, values), default=0.0), max(map(max, values), default=0.0)
    )
    count = round((high - low) / step)
    across = [_BOX * (x - xs[0]) / ((xs[-1] - xs[0]) or 1.0) for x in xs]

    def up(y: float) -> float:
        return _BOX * (high - y) / (high - low)

    def draw(ys: Iterable[float]) -> list[str]:
        return [f"{x:.2f} {up(y):.2f}" for x, y in zip(across, ys, strict=True)]

    ticks = [high - step * number for number in range(count + 1)]
    return CurvePlot(
        lines={name: f"M{'L'.join(draw(ys))}" for name, ys in lines.items()},
        bands={
            name: f"M{'L'.join([*draw(top), *reversed(draw(bottom))])}Z"
            for name, (bottom, top) in bands.items()
        },
        y_ticks=tuple(_write_tick(tick) for tick in ticks),
        grid=tuple(round(up(tick), 2) for tick in ticks),
        zero=round(up(0.0), 2) if low < 0 < high else None,
        x_ticks=tuple(_write_tick(x) for x in (xs[0], _find_middle(xs[0], xs[-1]), xs[-1])),
    )


def plot_bars(values: Sequence[float], deviations: Sequence[float]) -> list[WhiskerBar]:
    """Arrange bars of values of 0 or more, with one deviation to both sides."""
    pairs = list(zip(values, deviations, strict=True))
    most = max((value + deviation for value, deviation in pairs), default=0.0) or 1.0
    return [
        WhiskerBar(
            length=round(_BOX * value / most, 2),
            low=round(_BOX * max(value - deviation, 0.0) / most, 2),
            high=round(_BOX * (value + deviation) / most, 2),
        )
        for value, deviation in pairs
    ]


def _choose_range(low: float, high: float) -> tuple[float, float, float]:
    """Return the limits of an axis around two values, and a round step between its ticks."""
    rough = (high - low) / _TICKS or 1.0
    step = choose_step(rough * (1 - 1e-9), _STEPS)
    bottom, top = math.floor(low / step) * step, math.ceil(high / step) * step
    return bottom, top if top > bottom else bottom + step, step


def _find_middle(first: float, last: float) -> float:
    """Return the value in the middle of an axis, a whole number on a long one."""
    middle = (first + last) / 2
    return round(middle) if last - first > _LONG else middle


def _write_tick(value: float) -> str:
    return f"{value + 0.0:.10g}".replace("-", "−")
