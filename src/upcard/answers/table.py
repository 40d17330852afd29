"""A table in an answer: columns of one kind each, rows of values, and how they are written."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from upcard.answers.figure import write_ev, write_percent

Value: TypeAlias = "str | float | int | None"


class ColumnKind(StrEnum):
    """Kind of the values of a column, which says how they are written."""

    TEXT = "text"
    SHARE = "share"
    """Chances or shares, 0 to 1; written in percent."""
    EV = "ev"
    """Expected values in initial bets."""
    NUMBER = "number"
    """Whole numbers."""


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
    """Digits after the point of a share or an EV, for people."""

    def write(self, value: Value, *, fewer: int = 0) -> str:
        """Write a value of this column for people, with `fewer` digits if there is little room.

        An unknown value is empty.
        """
        if value is None or isinstance(value, str):
            return value or ""
        digits = max(self.digits - fewer, min(self.digits, 1))
        match self.kind:
            case ColumnKind.SHARE:
                return write_percent(value, digits, sign="")
            case ColumnKind.EV:
                return write_ev(value, digits)
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
        for fewer in range(max(self._digits, 1)):
            rows = (self.headings, *self._write(fewer))
            widths = [max(map(len, cells)) for cells in zip(*rows, strict=True)]
            lines = [
                "  ".join(
                    cell.ljust(width) if column.kind is ColumnKind.TEXT else cell.rjust(width)
                    for cell, width, column in zip(row, widths, self.columns, strict=True)
                ).rstrip()
                for row in rows
            ]
            if max(map(len, lines)) <= room:
                break
        return lines

    def to_csv_rows(self) -> list[tuple[Value, ...]]:
        """Return the names of the columns, and the rows with unrounded values."""
        return [tuple(column.name for column in self.columns), *self.rows]
