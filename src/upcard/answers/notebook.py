"""Results in notebooks and data frames: HTML and pictures of them, and streams of Arrow.

The HTML needs no script and no other file, and is scoped by one class. Nothing is computed for it
that the result does not have.
"""

from __future__ import annotations

import ctypes
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from html import escape
from itertools import count
from typing import Any, Final, TypeAlias

from upcard.core.errors import BlackjackError, MissingExtraError
from upcard.core.figure import AnswerTable, ColumnKind, Displayed, Pictured, TableColumn, Value
from upcard.core.numbers import format_chips

Rows: TypeAlias = "Sequence[Sequence[Value]]"
_MOST_ROWS: Final = 30
"""Rows of a table that are shown; programs have all."""
_STYLE: Final = """\
<style>
.upcard { max-width: 100%; overflow-x: auto; font: 14px system-ui, sans-serif; }
.upcard table { border-collapse: collapse; margin: .4em 0; overflow-wrap: normal; }
.upcard caption { caption-side: top; text-align: left; font-weight: 600; color: inherit; }
.upcard th, .upcard td { padding: .15em .7em; text-align: right; background: none;
  font-variant-numeric: tabular-nums; white-space: nowrap; }
.upcard th { border-bottom: 1px solid #8886; font-weight: 600; }
.upcard .is-text { text-align: left; white-space: normal; }
.upcard p { margin: .3em 0; opacity: .75; }
</style>
"""
"""The colours are those around it, so that it is legible in every theme."""


def write_html(value: Displayed, most: int | None = _MOST_ROWS) -> str:
    """Write a result as HTML: its picture if it has one, and its table.

    `most` rows are shown; None shows all, as a page has to whose reader has nothing else.
    """
    table = value.table()
    parts = [_STYLE, *_write_facts(value), _write_table(table, most)]
    if (picture := _PICTURES.get(type(value).__name__)) is not None and (drawn := picture(value)):
        # The picture of a chart is its table.
        is_chart = type(value).__name__ == "Strategy"
        folded = f"<details><summary>The table</summary>{parts.pop()}</details>"
        parts += [drawn] if is_chart else [drawn, folded]
    return f'<div class="upcard">{"".join(parts)}</div>'


def write_page(title: str, parts: Iterable[str]) -> str:
    """Write parts of HTML as a page that needs no other file, light or dark."""
    return (
        '<!DOCTYPE html>\n<html lang="en" xmlns="http://www.w3.org/1999/xhtml">\n'
        '<head><meta charset="utf-8"/>'
        '<meta name="viewport" content="width=device-width, initial-scale=1"/>'
        f'<meta name="color-scheme" content="light dark"/><title>{escape(title)}</title></head>\n'
        '<body style="max-width: 62rem; margin: 1rem auto; padding: 0 1rem;'
        ' font: 16px/1.45 system-ui, sans-serif; overflow-wrap: anywhere">\n'
        f"<h1>{escape(title)}</h1>\n{''.join(parts)}\n</body></html>\n"
    )


def _write_facts(value: Any) -> Iterator[str]:  # noqa: ANN401 (by the name of its class)
    """Write the figures that a table by count or upcard does not have."""
    facts: Iterable[tuple[str, str]] = ()
    match type(value).__name__:
        case "GameValue":
            from upcard.answers.edge import answer_edge

            edge = answer_edge(value.ev, has_bets=value.rules.betting)
            facts = [(edge.title, edge.text), ("In money", edge.sentence)]
        case "Run" if value.rounds and value.job.system is not None:
            from upcard.answers.run_results import answer_run

            found = answer_run(value.job, value.tally, value.own_ramp, None)
            facts = ((one.title, f"{one.text} {one.unit}") for one in found.figures)
        case "RampAnswer":
            plan = value.plan_answers[-1]
            facts = [("Ramp", f"{plan.choice}: {plan.words}")]
            facts += ((plan.figures[name].title, plan.figures[name].text) for name in plan.main)
    for topic, text in facts:
        yield f"<p><b>{escape(topic)}</b> {escape(text)}</p>"


def _write_table(table: AnswerTable, most: int | None) -> str:
    kinds = [' class="is-text"' if one.kind is ColumnKind.TEXT else "" for one in table.shown]

    def write_row(tag: str, cells: Iterable[str]) -> str:
        pairs = zip(cells, kinds, strict=True)
        written = (f"<{tag}{kind}>{escape(cell)}</{tag}>" for cell, kind in pairs)
        return f"<tr>{''.join(written)}</tr>"

    shown = replace(table, rows=table.rows[:most])
    rows = [write_row("td", cells) for cells in shown.texts()]
    more = len(table.rows) - len(rows)
    notes = [f"and {more:,} rows more"] if more > 0 else []
    notes += filter(None, [table.write_caption()])
    return (
        f"<table><caption>{escape(table.title)}</caption>"
        f"<thead>{write_row('th', table.headings)}</thead><tbody>{''.join(rows)}</tbody></table>"
        + "".join(f"<p>{escape(note)}</p>" for note in notes)
    )


def draw_picture(value: Pictured) -> str:
    """Draw the picture of a result as SVG; empty where it has none yet."""
    return _PICTURES[type(value).__name__](value)


_HINT: Final = re.compile("(?<=<g>)<title>[^<]*</title>")


def _draw_chart(chart: Any) -> str:  # noqa: ANN401 (by the name of its class)
    from upcard.charts.facts import ChartFacts
    from upcard.charts.layout import lay_out
    from upcard.charts.render import draw_svg

    drawn = draw_svg(lay_out(ChartFacts(strategy=chart)))
    return _HINT.sub("", drawn)  # a third of the picture, which says what the letters say


def _draw_run(run: Any) -> str:  # noqa: ANN401 (by the name of its class)
    from upcard.charts import plot_data
    from upcard.simulation.run_state import make_document

    document = make_document(run)  # without the exact value, which may not be known yet
    for read in (plot_data.read_count_plot, plot_data.read_convergence_plot):
        try:
            return _draw_plot(read(document))
        except BlackjackError:  # without a count, or too early
            continue
    return ""


def _draw_bank(answer: Any) -> str:  # noqa: ANN401 (by the name of its class)
    from upcard.charts.plot_data import read_paths_plot

    return _draw_plot(read_paths_plot(answer))


def _draw_ramp(answer: Any) -> str:  # noqa: ANN401 (by the name of its class)
    from upcard.analysis.count_rows import gather_rare
    from upcard.charts.panels import list_ramp
    from upcard.charts.plot_data import SIGMAS, typeset_count
    from upcard.charts.svg_plots import draw_for_notebook

    game, bets = answer.run.game, answer.plans[0].betting.bets
    rows = [(bets[place], row) for place, row in gather_rare(game, [bets])]
    panels = list_ramp(
        [typeset_count(row.label) for _, row in rows],
        bets=[bet for bet, _ in rows],
        evs=[(row.ev if row.rounds else None, SIGMAS * row.standard_error) for _, row in rows],
        shares=[(game.frequency(row), SIGMAS * game.frequency_error(row)) for _, row in rows],
    )
    return draw_for_notebook(panels)


def _draw_plot(plot: Any) -> str:  # noqa: ANN401 (by the name of its class)
    from upcard.charts.panels import list_panels
    from upcard.charts.svg_plots import draw_for_notebook

    return draw_for_notebook(list_panels(plot, has_paths=False))


_PICTURES: Final[dict[str, Callable[[Any], str]]] = {
    "BankrollPlot": _draw_plot,
    "ConvergencePlot": _draw_plot,
    "CountPlot": _draw_plot,
    "PathsAnswer": _draw_bank,
    "PathsPlot": _draw_plot,
    "RampAnswer": _draw_ramp,
    "Run": _draw_run,
    "Strategy": _draw_chart,
}


_EXACT: Final = (ColumnKind.AMOUNT, ColumnKind.TAG)
_REAL: Final = (
    *(ColumnKind.PERCENT, ColumnKind.SHARE, ColumnKind.EV),
    *(ColumnKind.REAL, ColumnKind.SIGNED),
)
_SCHEMA_SIZE: Final = 72
_ARRAY_SIZE: Final = 80
_RELEASE_FROM_END: Final = 16
"""Place of the function that releases a schema or an array, from the end of its structure."""
_IO_ERROR: Final = 5


class _Stream(ctypes.Structure):
    """The structure of Arrow's C stream interface; `number` is its private data."""

    _fields_ = (
        *((name, ctypes.c_void_p) for name in ("get_schema", "get_next", "get_last_error")),
        *((name, ctypes.c_void_p) for name in ("release", "number")),
    )


def _convert(column: TableColumn) -> dict[str, Callable[[Any], object]]:
    """Return what makes the values of a column in a data frame, by their names there."""
    if column.kind in _EXACT:
        return {column.name: float, f"{column.name}_exact": format_chips}
    is_real, is_whole = column.kind in _REAL, column.kind is ColumnKind.NUMBER
    return {column.name: float if is_real else int if is_whole else str}


class _Reading:
    """Rows that are being read by a data frame."""

    def __init__(self, columns: Sequence[TableColumn], batches: Iterator[Rows]) -> None:
        import nanoarrow as na

        kinds = {float: na.float64(), int: na.int64(), str: na.string(), format_chips: na.string()}
        self.batches = batches
        self.error = b""
        self._na = na
        self._columns = [
            [(make, kinds[make]) for make in _convert(column).values()] for column in columns
        ]
        names = (name for column in columns for name in _convert(column))
        types = (kind for made in self._columns for _, kind in made)
        self.schema = na.c_schema(na.struct(dict(zip(names, types, strict=True))))

    def next(self) -> Any:  # noqa: ANN401 (an array of nanoarrow)
        """Return the next part as an array; None at the end."""
        rows = next(self.batches, None)
        if rows is None:
            return None
        cells = zip(*rows, strict=True) if rows else ((),) * len(self._columns)
        parts = [
            self._na.c_array([None if one is None else make(one) for one in values], kind)
            for values, made in zip(cells, self._columns, strict=True)
            for make, kind in made
        ]
        return self._na.c_array_from_buffers(self.schema, len(rows), [None], children=parts)


_readings: Final[dict[int, _Reading]] = {}
"""Readings by the number of their stream, until it is released."""
_streams: Final[dict[int, _Stream]] = {}
"""Streams by their address, until their capsule goes."""
_numbers: Final = count(1)


def _find(stream: int) -> _Reading:
    return _readings[_Stream.from_address(stream).number]


def _move(capsule: object, name: bytes, size: int, out: int) -> None:
    """Move the structure of a capsule to an address; the capsule has none to release then."""
    address = _GET(capsule, name)
    ctypes.memmove(out, address, size)
    ctypes.memset(address + size - _RELEASE_FROM_END, 0, 8)


def _give_schema(stream: int, out: int) -> int:
    schema = _find(stream).schema
    _move(schema.__arrow_c_schema__(), b"arrow_schema", _SCHEMA_SIZE, out)
    return 0


def _give_next(stream: int, out: int) -> int:
    reading = _find(stream)
    try:
        array = reading.next()
    except Exception as error:  # noqa: BLE001 (the interface passes a text on)
        reading.error = str(error).encode()
        return _IO_ERROR
    if array is None:
        ctypes.memset(out, 0, _ARRAY_SIZE)
    else:
        _move(array.__arrow_c_array__()[1], b"arrow_array", _ARRAY_SIZE, out)
    return 0


def _give_error(stream: int) -> int | None:
    error = _find(stream).error
    return ctypes.cast(ctypes.c_char_p(error), ctypes.c_void_p).value if error else None


def _release(stream: int) -> None:
    found = _Stream.from_address(stream)
    number, found.release = found.number, None
    _readings.pop(number, None)


def _drop(capsule: int) -> None:
    """Release a stream that was not read, as its capsule goes."""
    address = _GET_FROM_ADDRESS(capsule, _NAME)
    stream = _streams.pop(address)
    if stream.release:
        _release(address)


_NAME: Final = b"arrow_array_stream"
_FIND = ("PyCapsule_GetPointer", ctypes.pythonapi)
_GET: Final = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)(_FIND)
_GET_FROM_ADDRESS: Final = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_char_p)(
    _FIND
)
_DROP_TYPE: Final = ctypes.PYFUNCTYPE(None, ctypes.c_void_p)
_DROP: Final = _DROP_TYPE(_drop)
_NEW: Final = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_void_p, ctypes.c_char_p, _DROP_TYPE)(
    ("PyCapsule_New", ctypes.pythonapi)
)
_GIVE: Final = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)
_CALLS: Final = {
    "get_schema": _GIVE(_give_schema),
    "get_next": _GIVE(_give_next),
    "get_last_error": ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p)(_give_error),
    "release": ctypes.CFUNCTYPE(None, ctypes.c_void_p)(_release),
}


def export_arrow(columns: Sequence[TableColumn], batches: Iterator[Rows]) -> object:
    """Return rows as a stream of Arrow, in a capsule; each part is read when it is asked for.

    nanoarrow makes the arrays, but has no stream that asks Python for the next one.

    Raises: MissingExtraError without nanoarrow.
    Source: arrow.apache.org/docs/format/CStreamInterface.html.
    """
    try:
        reading = _Reading(columns, batches)
    except ImportError:
        raise MissingExtraError("data frames need nanoarrow: pip install 'upcard[data]'") from None
    stream = _Stream(number=next(_numbers))
    for name, call in _CALLS.items():
        setattr(stream, name, ctypes.cast(call, ctypes.c_void_p).value)
    address = ctypes.addressof(stream)
    _readings[stream.number], _streams[address] = reading, stream
    return _NEW(address, _NAME, _DROP)
