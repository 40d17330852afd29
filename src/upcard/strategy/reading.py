"""Reading of a chart's text: every fault at once, each with its line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from upcard.core.errors import NotationError
from upcard.strategy.chart import HAND_LABELS, UPCARD_LABELS, find_cell_fault

if TYPE_CHECKING:
    from collections.abc import Iterator

_SHORT_CELLS: Final = {"D": "Dh"}
_ANSWERS: Final = {"yes": True, "no": False}


def read_chart(text: str) -> dict[str, Any]:
    """Return the `cells`, `title` and `takes_insurance` of a text.

    Raises: NotationError listing all the faults.
    """
    title: list[str] = []
    insurance: list[bool] = []
    rows: dict[str, tuple[int, tuple[str, ...]]] = {}
    faults: list[str] = []
    has_table = False
    for number, line in enumerate(str(text).removeprefix("\ufeff").splitlines(), start=1):
        where = f"line {number}"
        words = line.split()
        if not words:
            continue
        if line.lstrip().startswith("#"):
            faults.extend(_read_comment(where, line.lstrip()[1:].strip(), title, insurance))
        elif words[0].lower() == "hand":
            faults.extend(_check_header(where, words[1:], has_table=has_table))
            has_table = True
        else:
            has_table = True
            faults.extend(_read_row(number, words, rows))
    faults.extend(f"row {label} is missing" for label in HAND_LABELS if label not in rows)
    if faults:
        raise NotationError(*faults)
    return {
        "cells": tuple(rows[label][1] for label in HAND_LABELS),
        "title": "\n".join(title),
        "takes_insurance": any(insurance),
    }


def _read_comment(
    where: str, comment: str, title: list[str], insurance: list[bool]
) -> Iterator[str]:
    key, colon, answer = comment.partition(":")
    if not colon or key.strip().lower() != "insurance":
        title.append(comment)
        return
    word = answer.strip().lower()
    if word not in _ANSWERS:
        yield f"{where}: insurance: {answer.strip()!r} is not yes or no"
    elif insurance:
        yield f"{where}: insurance is answered twice"
    else:
        insurance.append(_ANSWERS[word])


def _check_header(where: str, columns: list[str], *, has_table: bool) -> Iterator[str]:
    if has_table:
        yield f"{where}: the header is not the first row"
    elif tuple(column.upper() for column in columns) != UPCARD_LABELS:
        yield (
            f"{where}: columns {' '.join(columns) or '(none)'}:"
            f" they are {' '.join(UPCARD_LABELS)}, in this order"
        )


def _read_row(
    number: int, words: list[str], rows: dict[str, tuple[int, tuple[str, ...]]]
) -> Iterator[str]:
    """Add a row to `rows`; yield a sentence for each fault."""
    label, *written = words[0].upper(), *words[1:]
    where = f"line {number}"
    if label not in HAND_LABELS:
        yield f"{where}: unknown row {words[0]!r}: one of {', '.join(HAND_LABELS)}"
        return
    if label in rows:
        yield f"{where}: row {label} is there already, in line {rows[label][0]}"
        return
    cells = tuple(_read_cell(word) for word in written)
    rows[label] = (number, cells)
    if len(cells) != len(UPCARD_LABELS):
        yield f"{where}: row {label} has {len(cells)} cells, not {len(UPCARD_LABELS)}"
    for fault in dict.fromkeys(find_cell_fault(label, cell) for cell in cells):
        if fault is not None:
            yield f"{where}: row {label}: {fault}"


def _read_cell(word: str) -> str:
    cell = word[:1].upper() + word[1:].lower()
    return _SHORT_CELLS.get(cell, cell)
