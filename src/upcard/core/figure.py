"""Numbers and tables of answers: names, values, errors and units, and how they are written.

A result is `Displayed`: it has a table, and shows itself in notebooks, whose HTML and pictures are
made by packages above this one, see `upcard.core.above`. The columns of a table of rows stand in
the class of its rows: `ev: Annotated[float, figure.ev(title="EV")]`, read by `columns_of`.
"""

from __future__ import annotations

import csv
import io
import math
import re
import textwrap
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from enum import StrEnum
from fractions import Fraction
from functools import cache
from types import SimpleNamespace
from typing import Any, Final, TypeAlias, get_type_hints

from upcard._version import __version__
from upcard.core import above, numbers

_NARROW: Final = 79


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
    return Figure(name=name, title=title, value=numbers.finite(value), unit=unit, text=text)


def write_ev(ev: float, digits: int = 6, *, sign: str = "+") -> str:
    """Write an EV in initial bets: `−0.535400`; an infinite one in words."""
    if math.isinf(ev):
        return "infinite" if ev > 0 else "−infinite"
    return numbers.with_minus(f"{round(ev, digits) + 0.0:{sign}.{digits}f}")  # + 0.0: no -0.0


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


def shorten(text: str, most: int = 16) -> str:
    """Return a text of at most `most` characters: a longer one ends in three dots."""
    return text if len(text) <= most else f"{text[: most - 3]}..."


def _wrap(rows: Sequence[Sequence[str]], room: int) -> Iterator[Sequence[str]]:
    """Yield rows with the texts of their last column continued below it, at least 20 wide."""
    *columns, _ = zip(*rows, strict=True)
    left = max(20, room - sum(2 + max(map(len, cells)) for cells in columns))
    for *cells, words in rows:
        first, *more = textwrap.wrap(words, left, break_on_hyphens=False) or [""]
        yield (*cells, first)
        yield from ((*[""] * len(cells), line) for line in more)


Value: TypeAlias = "str | float | int | Fraction | None"
Caption: TypeAlias = "tuple[tuple[str, str], ...]"


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
    """Expected values in initial bets; written with their signs."""
    REAL = "real"
    """Numbers of any other unit."""
    SIGNED = "signed"
    """Numbers of any other unit, which people read with their signs."""
    NUMBER = "number"
    """Whole numbers."""
    AMOUNT = "amount"
    """Exact amounts of chips, as fractions."""
    TAG = "tag"
    """Tags of counts, as fractions; written with their signs."""
    MARK = "mark"
    """States of what is learned: `known`, `learning`, `weak`, `new`; written as signs."""


REMOVAL: Final = "Change of the player's EV when one card leaves"
"""Title of the tables of effects of removal."""
MARKS: Final = {"known": "+", "learning": "~", "weak": "!", "new": "."}
"""The sign of each state."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableColumn:
    """A column of a table."""

    name: str
    """Key in JSON and data frames, and heading in CSV."""
    title: str
    """Heading for people."""
    kind: ColumnKind = ColumnKind.TEXT
    """Kind of its values."""
    digits: int = 3
    """Digits after the point of a number that is not whole, for people."""
    least_digits: int = 1
    """The same where there is little room."""
    unit: str = ""
    """Unit of the values: `of a bet`, `chips`; empty where they have none."""
    error: str = ""
    """Name of the column with the standard errors, which people read beside the values."""
    is_shown: bool = True
    """Whether people see the column; programs see all."""

    def write(self, value: Value, error: Value = None, *, fewer: int = 0) -> str:
        """Write a value of this column for people, with `fewer` digits if there is little room.

        An `error` is written behind it, and determines the digits. An unknown value is empty.
        """
        if value is None:
            return ""
        if self.kind is ColumnKind.MARK:
            return MARKS[str(value)]
        if isinstance(value, str):
            return numbers.with_minus_signs(value)
        if isinstance(value, Fraction):
            if self.kind is ColumnKind.TAG:
                return numbers.with_minus(f"{float(value):+g}") if value else "0"
            if self.kind is ColumnKind.SIGNED:
                return numbers.signed(value)
            return numbers.with_minus(numbers.format_chips(value))
        digits = max(self.digits - fewer, min(self.digits, self.least_digits))
        if isinstance(error, float):
            is_share = self.kind in (ColumnKind.SHARE, ColumnKind.PERCENT)
            factor, suffix = (100, "%") if is_share else (1, "")
            return numbers.with_error(factor * value, factor * error, suffix, most=digits)
        match self.kind:
            case ColumnKind.SHARE:
                return write_percent(value, digits, sign="")
            case ColumnKind.PERCENT:
                return write_percent(value, digits)
            case ColumnKind.EV | ColumnKind.SIGNED:
                return write_ev(value, digits)
            case ColumnKind.REAL:
                return write_ev(value, max(self.digits - fewer, 0), sign="")
        return numbers.with_minus(f"{value:,}")


def make_maker(kind: ColumnKind, digits: int = 3, unit: str = "") -> Callable[..., TableColumn]:
    """Return what makes columns of a kind; their title is the name by default.

    In an annotation the name is that of the attribute by default.
    """

    def make(name: str = "", title: str | None = None, **more: Any) -> TableColumn:
        words = name.replace("_", " ") if title is None else title
        column = {"kind": kind, "digits": digits, "unit": unit, **more}
        return TableColumn(name=name, title=words, **column)

    return make


BET: Final = "of a bet"
"""Unit of values per initial bet."""
text: Final = make_maker(ColumnKind.TEXT)
label: Final = make_maker(ColumnKind.LABEL)
ev: Final = make_maker(ColumnKind.EV, 6, BET)
percent: Final = make_maker(ColumnKind.PERCENT, 5, BET)
share: Final = make_maker(ColumnKind.SHARE)
number: Final = make_maker(ColumnKind.NUMBER)
real: Final = make_maker(ColumnKind.REAL)
signed: Final = make_maker(ColumnKind.SIGNED, 2)
amount: Final = make_maker(ColumnKind.AMOUNT, unit="chips")


class Displayed:
    """A result that has a table, and shows itself in notebooks.

    An error there would hide the result: notebooks show its text where HTML or table fail.
    """

    __slots__ = ()

    def table(self) -> AnswerTable:
        """Return the result as a table, for `print`, CSV, dictionaries and data frames."""
        raise NotImplementedError(f"{type(self).__name__} has no table of its own")

    def to_json(self) -> Any:  # noqa: ANN401 (what json.dumps takes)
        """Return the result as JSON values, as `--json` and the pages write it."""
        return numbers.to_json(self)

    def _repr_html_(self) -> str | None:
        """Return HTML for notebooks; None, for which they show text, where that fails."""
        with suppress(Exception):
            return above().write_html(self)
        return None

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:  # noqa: ANN401, FBT001
        """Write the table where IPython shows text."""
        shown = None
        if not cycle:
            with suppress(Exception):
                shown = str(self.table())
        printer.text(repr(self) if shown is None else shown)


class Pictured:
    """A result with a picture."""

    __slots__ = ()

    def _repr_svg_(self) -> str | None:
        """Return the picture as SVG for notebooks; None where there is none."""
        with suppress(Exception):
            return above().draw_picture(self) or None
        return None


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerTable(Displayed):
    """Rows of values under named columns."""

    title: str
    """Heading of the table."""
    columns: tuple[TableColumn, ...]
    """The columns, from left to right."""
    rows: tuple[tuple[Value, ...], ...]
    """The rows, each with a value for every column; None where a value is not known."""
    caption: Caption = ()
    """Name and text of what the rows depend on: rules, seed, version, meaning of errors."""
    is_across: bool = field(default=False, metadata={"json": False})
    """Whether text has it on its side, without headings and percent signs."""

    @property
    def shown(self) -> tuple[TableColumn, ...]:
        """The columns that people see."""
        return tuple(column for column in self.columns if column.is_shown)

    @property
    def headings(self) -> tuple[str, ...]:
        """The headings for people."""
        return tuple(column.title for column in self.shown)

    @property
    def cells(self) -> list[list[tuple[str, str]]]:
        """The rows for people, each cell in full and with one digit, for a narrow page."""
        return [
            list(zip(full, short, strict=True))
            for full, short in zip(self.texts(), self.texts(self._digits), strict=True)
        ]

    @property
    def _digits(self) -> int:
        return max(column.digits for column in self.shown)

    def texts(self, fewer: int = 0) -> tuple[tuple[str, ...], ...]:
        """Return the rows for people, with `fewer` digits if there is little room."""
        return tuple(
            tuple(one.write(row[one.name], row.get(one.error), fewer=fewer) for one in self.shown)
            for row in self.to_dicts()
        )

    def lines(self, room: int, spell: Callable[[str], str] = str) -> list[str]:
        """Return the table as lines of text as `spell` writes it, headings first, texts flush left.

        Where it is wider than `room` characters, it has fewer digits, down to one, or to none where
        the kind of the values allows it; then the texts of its last column are wrapped.
        """
        if self.is_across:
            return self.lines_across(spell)
        left = {place for place, one in enumerate(self.shown) if one.kind is ColumnKind.TEXT}
        for fewer in range(self._digits + 1):
            rows = [[*map(spell, cells)] for cells in (self.headings, *self.texts(fewer))]
            if max(map(len, lines := align(rows, left))) <= room:
                return lines
        return align(list(_wrap(rows, room)), left) if len(rows[0]) - 1 in left else lines

    def lines_across(self, spell: Callable[[str], str] = str) -> list[str]:
        """Return the table on its side, a line per column, without headings and percent signs."""
        columns = zip(*self.texts(), strict=True)
        return align([[spell(cell.removesuffix("%")) for cell in cells] for cells in columns], ())

    def write_caption(self) -> str:
        """Write the caption as one line; empty without one."""
        return "; ".join(f"{name} {text}".strip() for name, text in self.caption)

    def __str__(self) -> str:
        """Write the table with its title and caption, as the commands do."""
        title = [f"{self.title}:"] if self.title else []
        return "\n".join([*title, *self.lines(_NARROW), *filter(None, [self.write_caption()])])

    def table(self) -> AnswerTable:
        """Return this table, as every result returns its own."""
        return self

    def to_dicts(self) -> list[dict[str, Value]]:
        """Return the rows as dictionaries by the names of the columns, with unrounded values."""
        names = [column.name for column in self.columns]
        return [dict(zip(names, row, strict=True)) for row in self.rows]

    def to_csv(self) -> str:
        """Return the rows as CSV under the names of the columns, with unrounded values."""
        return write_csv([[column.name for column in self.columns], *self.rows])

    def batches(self) -> Iterator[Sequence[Sequence[Value]]]:
        """Iterate over the rows in parts, for data frames: one part."""
        yield self.rows

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """Return the rows as a stream of Arrow, which data frames read: `polars.DataFrame(table)`.

        An amount has a column of numbers and one of exact texts. `requested_schema` is not used, as
        its protocol allows.

        Raises: MissingExtraError without the extra `data`.
        """
        del requested_schema
        return above().export_arrow(self.columns, self.batches())


@dataclass(frozen=True, slots=True, kw_only=True)
class RowStream:
    """Rows that may be too many for memory, under named columns."""

    columns: tuple[TableColumn, ...]
    batches: Callable[[], Iterator[Sequence[Sequence[Value]]]]
    """Begins a reading at the first row: an iterator over parts of the rows."""

    def __iter__(self) -> Iterator[dict[str, Value]]:
        """Iterate over the rows as dictionaries by the names of the columns."""
        names = [column.name for column in self.columns]
        for rows in self.batches():
            for row in rows:
                yield dict(zip(names, row, strict=True))

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """Return the rows as a stream of Arrow, read part by part; see `AnswerTable`."""
        del requested_schema
        return above().export_arrow(self.columns, self.batches())


_FORMULA: Final = re.compile(r"'*[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]")
_NUMERIC: Final = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+|/\d+)?%?|[+-]?(inf|nan)|[+-]")


def _guard(cell: object) -> object:
    """Return a cell so that no spreadsheet runs it: texts may come from other people.

    A text that a spreadsheet would take for a formula gets an apostrophe, as typed there for a
    text; so does one that has it already, and `read_csv` takes one away. Numbers stay numbers.
    """
    if isinstance(cell, Fraction):
        return numbers.format_chips(cell)
    if isinstance(cell, str) and _FORMULA.match(cell) and not _NUMERIC.fullmatch(cell):
        return f"'{cell}"
    return cell


_LINE_END: Final = "\r\n"


def write_csv(rows: Iterable[Iterable[object]]) -> str:
    """Write rows as CSV; an exact amount is `2.5` or `10/3`, what is not known is empty.

    A text that a spreadsheet would run as a formula begins with an apostrophe.
    Source: owasp.org/www-community/attacks/CSV_Injection.
    """
    lines: list[str] = []
    # Only characters of the line's end are quoted before Python 3.13: a reader ends lines at both.
    writer = csv.writer(SimpleNamespace(write=lines.append), lineterminator=_LINE_END)
    writer.writerows(map(_guard, row) for row in rows)
    return "".join(f"{line.removesuffix(_LINE_END)}\n" for line in lines)


def read_csv(text: str) -> list[list[str]]:
    """Return the cells of CSV that `write_csv` wrote, texts as they were before."""
    return [
        [cell[1:] if cell.startswith("'") and _FORMULA.match(cell) else cell for cell in row]
        for row in csv.reader(io.StringIO(text, newline=""))
    ]


def join_tables(tables: Sequence[AnswerTable]) -> AnswerTable:
    """Return several tables as one, for files that hold one table, such as CSV.

    The first column, `table`, has the title of the table that a row is from; then come the columns
    of all, and what a table does not have is not known there.
    """
    columns = {one.name: one for table in tables for one in table.columns}
    rows = ((table.title, *map(row.get, columns)) for table in tables for row in table.to_dicts())
    return make_table("", (text("table"), *columns.values()), rows)


def make_table(
    title: str,
    columns: Iterable[TableColumn],
    rows: Iterable[tuple[Value, ...]],
    caption: Caption = (),
) -> AnswerTable:
    """Return a table of columns and rows."""
    return AnswerTable(title=title, columns=tuple(columns), rows=tuple(rows), caption=caption)


def caption(rules: object, **more: object) -> Caption:
    """Return what a table depends on, with the version; what is None is left out."""
    names = {"rules": rules, **more, "upcard": __version__}
    return tuple((name, str(text)) for name, text in names.items() if text is not None)


@cache
def columns_of(kind: type) -> Mapping[str, TableColumn]:
    """Return the columns of a class of rows by its attributes, as it annotates them, in order.

    Fields come first, then properties, whose column is in the annotation of what they return.
    """
    hints = dict(get_type_hints(kind, include_extras=True))
    for name, one in vars(kind).items():
        if isinstance(one, property) and "Annotated" in str(one.fget.__annotations__.get("return")):
            hints[name] = get_type_hints(one.fget, include_extras=True)["return"]
    columns = {}
    for name, hint in hints.items():
        for column in getattr(hint, "__metadata__", ()):
            if isinstance(column, TableColumn):
                title = column.title if column.name else column.title or name.replace("_", " ")
                columns[name] = replace(column, name=column.name or name, title=title)
    return columns


def tabulate_fields(
    title: str,
    columns: type | Iterable[TableColumn],
    found: Iterable[object],
    caption: Caption = (),
    names: Sequence[str] = (),
) -> AnswerTable:
    """Return objects, a row for each, with their attributes by the names of the columns.

    A class has the `columns` that it annotates (default: all; `names` are attributes to choose).
    """
    if isinstance(columns, type):
        chosen = columns_of(columns)
        chosen = {name: chosen[name] for name in names} if names else chosen
    else:
        chosen = {one.name: one for one in columns}
    rows = (tuple(getattr(one, name) for name in chosen) for one in found)
    return make_table(title, chosen.values(), rows, caption)
