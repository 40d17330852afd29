"""Deviations as text: reading reports every fault of a set with its line; and writing."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from upcard.core.cards import UPCARD_ORDER
from upcard.core.errors import NotationError, RulesError, quote
from upcard.strategy.chart import HAND_LABELS, UPCARD_LABELS
from upcard.strategy.deviation import ACTION_LETTERS, Deviation, find_set_faults

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from upcard.strategy.deviations import Deviations

_HEADERS: Final = ("name", "source", "system")
_INSURANCE: Final = re.compile(r"insurance\s*>=\s*([+-]?[0-9]{1,9})", re.IGNORECASE)
_PLAY: Final = re.compile(
    r"(?P<hand>\w+(?:,\w+)?)\s+v\s+(?P<up>\w+)\s+(?P<action>[A-Z])\s*(?P<sign>>=|<)\s*"
    r"(?P<index>[+-]?[0-9]{1,9})(?:\s+else\s+(?P<otherwise>[A-Z]))?",
    re.IGNORECASE,
)
_FORM: Final = "write a play as in '16 v T S >= 0 else H', or insurance as in 'insurance >= 3'"
_UPCARDS: Final = {
    **dict(zip(UPCARD_LABELS, UPCARD_ORDER, strict=True)),
    **dict.fromkeys("TJQK", 10),
}


def read_settings(text: str, *, name: str) -> dict[str, Any]:
    """Return the settings of the `Deviations` in a text.

    Raises: NotationError listing all the faults, each with its line.
    """
    title: list[str] = []
    headers: dict[str, str] = {}
    insurance: list[int] = []
    plays: list[tuple[int, Deviation]] = []
    faults: list[str] = []
    for number, line in enumerate(str(text).removeprefix("\ufeff").splitlines(), start=1):
        where = f"line {number}"
        written, _, comment = line.partition("#")
        written = written.strip()
        if not written:
            faults += (f"{where}: {fault}" for fault in _read_comment(comment, title, headers))
        elif match := _INSURANCE.fullmatch(written):
            if insurance:
                faults.append(f"{where}: insurance is decided twice")
            insurance.append(int(match[1]))
        else:
            read, wrong = _read_play(written)
            faults += (f"{where}: {fault}" for fault in wrong)
            plays += [(number, play) for play in read]
    taken = insurance[0] if insurance else None
    faults += _find_clashes(plays)
    if not faults and not plays and not insurance:
        faults.append(f"no play and no insurance: {_FORM}")
    faults += find_set_faults((), taken)
    if faults:
        raise NotationError(*faults)
    return {
        "name": headers.get("name", name),
        "title": "\n".join(title),
        "source": headers.get("source", ""),
        "system": headers.get("system", ""),
        "plays": tuple(play for _, play in plays),
        "insurance": taken,
    }


def _read_comment(comment: str, title: list[str], headers: dict[str, str]) -> Iterator[str]:
    """Store a comment where it belongs; yield a sentence if its key occurs twice."""
    key, colon, value = comment.partition(":")
    key = key.strip().lower()
    if not colon or key not in _HEADERS:
        if comment.strip():
            title.append(comment.strip())
    elif key in headers:
        yield f"{key!r} is there already"
    elif value.strip():
        headers[key] = value.strip()


def _read_play(written: str) -> tuple[list[Deviation], list[str]]:
    """Return the play of a line, or its faults."""
    match = _PLAY.fullmatch(written)
    if match is None:
        return [], [f"{quote(written)}: {_FORM}"]
    faults: list[str] = []
    hand = match["hand"].upper().replace(",", "").replace("T", "10")
    if hand not in HAND_LABELS:
        faults.append(f"no row is called {quote(match['hand'])}: one of {', '.join(HAND_LABELS)}")
    up = match["up"].upper()
    if up not in _UPCARDS:
        faults.append(f"no upcard is called {quote(match['up'])}: one of {', '.join(_UPCARDS)}")
    letters = [match["action"].upper(), (match["otherwise"] or "H").upper()]
    faults += (
        f"no action is called {letter!r}: one of {', '.join(ACTION_LETTERS)}"
        for letter in letters
        if letter not in ACTION_LETTERS
    )
    if faults:
        return [], faults
    try:
        play = Deviation(
            hand=hand,
            upcard=_UPCARDS[up],
            action=ACTION_LETTERS[letters[0]],
            index=int(match["index"]),
            at_or_above=match["sign"] == ">=",
            otherwise=ACTION_LETTERS[letters[1]] if match["otherwise"] else None,
        )
    except RulesError as error:
        return [], list(error.faults)
    return [play], []


def _find_clashes(plays: list[tuple[int, Deviation]]) -> Iterator[str]:
    """Report the line of every play that clashes with an earlier one."""
    kept: list[Deviation] = []
    for number, play in plays:
        faults = list(find_set_faults((*kept, play), None))
        yield from (f"line {number}: {fault}" for fault in faults)
        if not faults:
            kept.append(play)


def write_deviations(deviations: Deviations) -> str:
    """Write a set in the form that `read_settings` reads."""
    lines = [f"# {line}" for line in deviations.title.splitlines()]
    lines += [
        f"# {header}: {getattr(deviations, header)}"
        for header in _HEADERS
        if getattr(deviations, header)
    ]
    if deviations.insurance is not None:
        lines.append(f"insurance >= {deviations.insurance}")
    lines += map(str, deviations.plays)
    return "\n".join(lines) + "\n"
