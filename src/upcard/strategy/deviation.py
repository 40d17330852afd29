"""`Deviation`: one play that the count changes, and which plays of a set clash."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from upcard.core.actions import Action
from upcard.core.cards import ACE, UPCARD_ORDER, rank_name
from upcard.core.errors import RulesError
from upcard.strategy.chart import HAND_LABELS, HARD_LABELS, PAIR_LABELS
from upcard.strategy.layers import PLAIN

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import TypeAlias

    from upcard.core.cards import Rank

    Row: TypeAlias = tuple[int, bool, Rank]  # total, is_soft, pair_rank

ACTION_LETTERS: Final = {
    "H": Action.HIT,
    "S": Action.STAND,
    "D": Action.DOUBLE,
    "P": Action.SPLIT,
    "R": Action.SURRENDER,
}
_LETTERS: Final = {action: letter for letter, action in ACTION_LETTERS.items()}
_MOST_INDEX: Final = 1000


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
