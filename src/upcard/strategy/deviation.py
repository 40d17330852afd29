"""`Deviation`: one play that the count changes; and sets of plays as text.

Reading reports every fault of a set with its line.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from upcard.core.actions import Action
from upcard.core.cards import ACE, UPCARD_ORDER, Rank, rank_name
from upcard.core.errors import NotationError, RulesError, quote
from upcard.strategy.chart import HAND_LABELS, HARD_LABELS, PAIR_LABELS, UPCARD_LABELS
from upcard.strategy.layers import PLAIN

if TYPE_CHECKING:
    from upcard.strategy.deviations import Deviations

Row: TypeAlias = tuple[int, bool, Rank]  # total, is_soft, pair_rank

_ACTIONS: Final = (Action.HIT, Action.STAND, Action.DOUBLE, Action.SPLIT, Action.SURRENDER)
ACTION_LETTERS: Final = dict(zip("HSDPR", _ACTIONS, strict=True))
_LETTERS: Final = {action: letter for letter, action in ACTION_LETTERS.items()}
_MOST_INDEX: Final = 1000
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Deviation:
    """One play: an action for a row of the chart and an upcard, on one side of an index.

    Raises: RulesError naming every fault.
    """

    hand: str
    """A row of the chart, one of `HAND_LABELS`."""
    upcard: Rank
    action: Action
    index: int
    at_or_above: bool = True
    """Whether the action is for counts from the index up; False for those below it."""
    otherwise: Action | None = None
    """Hit or stand on the other side of the index; None: the chart's play without `action`."""

    def __post_init__(self) -> None:
        """Check every part."""
        faults = list(_find_play_faults(self))
        if faults:
            raise RulesError(*faults)

    def __str__(self) -> str:
        """Write the play in the form that `Deviations.parse` reads."""
        sign = ">=" if self.at_or_above else "<"
        rest = f" else {_LETTERS[self.otherwise]}" if self.otherwise else ""
        return f"{self.cell}  {_LETTERS[self.action]} {sign} {self.index}{rest}"

    @property
    def cell(self) -> str:
        """The hand and the upcard: `16 v T`."""
        hand = "TT" if self.hand == "1010" else self.hand
        return f"{hand} v {rank_name(self.upcard)}"

    def holds(self, count: int) -> bool:
        """Whether the count is on the side of the index that the action is for."""
        return (count >= self.index) is self.at_or_above

    @property
    def rows(self) -> tuple[Row, ...]:
        """The rows that the play acts on, as total, softness and the rank of the pair."""
        if self.hand in PAIR_LABELS:
            return (
                (0, False, ACE if self.hand == "AA" else int(self.hand[: len(self.hand) // 2])),
            )
        if self.hand in HARD_LABELS:
            # The chart's first row includes all lower totals.
            return tuple(
                (total, False, 0) for total in range(22) if max(total, 5) == int(self.hand)
            )
        return ((11 + int(self.hand[1:]), True, 0),)


def _find_play_faults(play: Deviation) -> Iterator[str]:
    if play.hand not in HAND_LABELS:
        yield f"no row is called {play.hand!r}: one of {', '.join(HAND_LABELS)}"
    if play.upcard not in UPCARD_ORDER:
        yield f"no upcard has the rank {play.upcard!r}: 1 (ace) to 10"
    if play.action not in _LETTERS:
        yield f"no play is to {play.action!r}: {', '.join(_LETTERS)}"
    elif play.action is Action.SPLIT and play.hand not in PAIR_LABELS:
        yield f"{play.hand} cannot be split: it is not a pair"
    yield from _find_index_faults(play.index)
    if play.otherwise is not None and play.otherwise not in PLAIN:
        yield f"the play on the other side is hit or stand, not {play.otherwise}"
    elif play.otherwise is not None and play.otherwise is play.action:
        yield f"{play.action} on both sides of an index is not a deviation"


def find_set_faults(plays: Iterable[Deviation], insurance: int | None) -> Iterator[str]:
    """Find the plays that clash with one another, and a faulty index of insurance."""
    seen: dict[tuple[str, Rank, Action], Deviation] = {}
    for play in plays:
        # Hitting from one count on and standing from another is one play, with an else.
        kind = Action.STAND if play.action in PLAIN else play.action
        other = seen.setdefault((play.hand, play.upcard, kind), play)
        if other is not play:
            yield f"{str(play)!r} clashes with {str(other)!r}: one play of a kind for each cell"
    if insurance is not None:
        yield from _find_index_faults(insurance)


def _find_index_faults(index: int) -> Iterator[str]:
    if type(index) is not int or abs(index) > _MOST_INDEX:
        yield f"an index is a whole count from -{_MOST_INDEX} to {_MOST_INDEX}, not {index!r}"


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
