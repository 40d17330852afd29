"""Numbers and tables of answers: names, values, errors and units, and how they are written."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, TypeAlias

from upcard.core.numbers import finite, with_minus, with_minus_signs


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A number with its name and error, as programs read it and as people do."""

    name: str
    """Name for programs: `ev`, `house_edge`."""
    title: str
    """The name in words."""
    value: float | None
    """The number; None if it is not known."""
    error: float | None = None
    """Its standard error; None if it is exact, or the error is not known."""
    unit: str = ""
    """Unit of the number: `of a bet`, `units an hour`; may be empty."""
    text: str
    """The number with its error, written."""


def make_figure(name: str, title: str, value: float, text: str, unit: str = "") -> Figure:
    """Return a number without an error; one that is not finite is not known."""
    return Figure(name=name, title=title, value=finite(value), unit=unit, text=text)


def write_ev(ev: float, digits: int = 6, *, sign: str = "+") -> str:
    """Write an EV in initial bets: `−0.535400`; an infinite one in words."""
    if math.isinf(ev):
        return "infinite" if ev > 0 else "−infinite"
    return with_minus(f"{round(ev, digits) + 0.0:{sign}.{digits}f}")  # + 0.0: no -0.0


def write_percent(share: float, digits: int = 5, *, sign: str = "+") -> str:
    """Write a share of a bet in percent: `−0.50000%`."""
    return write_ev(100 * share, digits, sign=sign) + ("%" if math.isfinite(share) else "")


def align(rows: Sequence[Sequence[str]], left: Collection[int]) -> list[str]:
    """Return rows of cells as lines: the columns `left` are flush left, the others flush right."""
    widths = [max(map(len, cells)) for cells in zip(*rows, strict=True)]
    return [
        "  ".join(
            cell.ljust(width) if place in left else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]


Value: TypeAlias = "str | float | int | None"


class ColumnKind(StrEnum):
    """Kind of the values of a column, which says how they are written."""

    TEXT = "text"
    LABEL = "label"
    """Short texts, such as counts; written flush right."""
    PERCENT = "percent"
    """Expected values in initial bets; written in percent with their signs."""
    SHARE = "share"
    """Chances or shares, 0 to 1; written in percent."""
    EV = "ev"
    """Expected values in initial bets."""
    NUMBER = "number"
    """Whole numbers."""
    DECIMAL = "decimal"
    """Other numbers of 0 or more."""
    MARK = "mark"
    """States of what is learned: `known`, `learning`, `weak`, `new`; written as signs."""


MARKS: Final = {"known": "+", "learning": "~", "weak": "!", "new": "."}
"""The sign of each state."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableColumn:
    """A column of a table."""

    name: str
    """Key in JSON, and heading in CSV."""
    title: str
    """Heading for people."""
    kind: ColumnKind = ColumnKind.TEXT
    """Kind of its values."""
    digits: int = 3
    """Digits after the point, for people."""

    def write(self, value: Value, *, fewer: int = 0) -> str:
        """Write a value of this column for people, with `fewer` digits if there is little room.

        An unknown value is empty.
        """
        if value is None:
            return ""
        if self.kind is ColumnKind.MARK:
            return MARKS[str(value)]
        if isinstance(value, str):
            return with_minus_signs(value)
        digits = max(self.digits - fewer, min(self.digits, 1))
        match self.kind:
            case ColumnKind.SHARE:
                return write_percent(value, digits, sign="")
            case ColumnKind.PERCENT:
                return write_percent(value, digits)
            case ColumnKind.EV:
                return write_ev(value, digits)
            case ColumnKind.DECIMAL:
                return write_ev(value, digits, sign="")
        return f"{value:,}"


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerTable:
    """Rows of values under named columns."""

    title: str
    """Heading of the table."""
    columns: tuple[TableColumn, ...]
    """The columns, from left to right."""
    rows: tuple[tuple[Value, ...], ...]
    """The rows, each with a value for every column; None where a value is not known."""

    @property
    def headings(self) -> tuple[str, ...]:
        """The headings for people."""
        return tuple(column.title for column in self.columns)

    @property
    def cells(self) -> list[list[tuple[str, str]]]:
        """The rows for people, each cell in full and with one digit, for a narrow page."""
        return [
            list(zip(full, short, strict=True))
            for full, short in zip(self._write(0), self._write(self._digits), strict=True)
        ]

    @property
    def _digits(self) -> int:
        return max(column.digits for column in self.columns)

    def _write(self, fewer: int) -> tuple[tuple[str, ...], ...]:
        return tuple(
            tuple(
                column.write(value, fewer=fewer)
                for column, value in zip(self.columns, row, strict=True)
            )
            for row in self.rows
        )

    def lines(self, room: int) -> list[str]:
        """Return the table as lines of text, the headings first, texts flush left.

        Where it is wider than `room` characters, it has fewer digits, down to one.
        """
        lines: list[str] = []
        left = {place for place, one in enumerate(self.columns) if one.kind is ColumnKind.TEXT}
        for fewer in range(max(self._digits, 1)):
            lines = align((self.headings, *self._write(fewer)), left)
            if max(map(len, lines)) <= room:
                break
        return lines

    def to_csv_rows(self) -> list[tuple[Value, ...]]:
        """Return the names of the columns, and the rows with unrounded values."""
        return [tuple(column.name for column in self.columns), *self.rows]
