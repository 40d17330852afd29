"""`ChartFacts`: a strategy with the data that a picture or a file of it can show, and its JSON."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from upcard.core import cards, errors
from upcard.core.actions import LETTERS, Action
from upcard.core.numbers import to_json
from upcard.rules.model import Rules
from upcard.strategy import chart

if TYPE_CHECKING:
    from upcard.exact.solver_results import BonusPlay, CompositionException


@dataclass(frozen=True, slots=True, kw_only=True)
class ChartedHand:
    """A row of a chart: a mark for each of its columns."""

    hand: str
    cells: tuple[str, ...]
    values: tuple[dict[Action, float], ...] = ()
    """The EV of each legal action by column, the best first; empty where none is known."""
    json_keys = "hand cells values?values"


Values: TypeAlias = Mapping[tuple[str, str], Mapping[Action, float]]
"""EV of each legal action, by a row's label and `column_key` of the dealer's cards."""
Dealer: TypeAlias = tuple[cards.Rank, cards.Rank]
"""The upcard, and the hole card or 0."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChartFacts:
    """A strategy, the rules it is for, and its values; EVs are per initial bet."""

    strategy: chart.Strategy
    rules: Rules | None = None
    ev: float | None = None
    """EV of the whole game, played by this chart."""
    values: Values = field(default_factory=dict)
    """For all the cells or for some."""
    notes: tuple[str, ...] = ()
    """The assumptions behind the numbers, one sentence each."""
    free: chart.Strategy | None = None
    """Chart for hands that the house has paid for, if there are any."""
    bonus_plays: tuple[BonusPlay, ...] = ()
    """Hits that bonuses are for."""
    best_ev: float | None = None
    """EV of the whole game, played by the cards of every hand."""
    exceptions: tuple[CompositionException, ...] | None = None
    """Hands of two cards that are better played by their cards; None where they are not known."""
    json_keys = """
        title=strategy.title rules ev notes takes_insurance=strategy.takes_insurance
        dealer_hands=strategy.columns?sees_hole upcards=strategy.columns?sees_upcard rows
        doubled_hands?doubled_hands bonus_plays?bonus_plays free_hands?free best_ev?has_evs
        distance_to_best?has_evs exceptions?has_exceptions worths?worths
    """

    def __post_init__(self) -> None:
        rows = self.strategy.labels
        columns = chart.COLUMN_KEYS[self.strategy.columns]
        keys = {(row, column) for row in rows for column in columns}
        faults = [
            f"values for {key!r}: a cell is a row ({rows[0]} to {rows[-1]})"
            f" and a column ({' '.join(columns)})"
            for key in self.values
            if key not in keys
        ]
        faults += [
            f"values for {' v '.join(key)}: none of the actions {', '.join(map(repr, odd))} is in"
            f" a chart; these are: {', '.join(LETTERS)}"
            for key, evs in self.values.items()
            if key in keys and (odd := [action for action in evs if action not in LETTERS])
        ]
        if faults:
            raise errors.NotationError(*faults)

    @property
    def sees_hole(self) -> bool:
        """Whether both cards of the dealer are seen."""
        return bool(self.strategy.dealers[0][1])

    @property
    def sees_upcard(self) -> bool:
        """Whether only one card of the dealer is seen."""
        return not self.sees_hole

    @property
    def rows(self) -> tuple[ChartedHand, ...]:
        """The rows of the chart, with their values where any are known."""
        dealers = self.strategy.dealers if self.values else ()
        return tuple(
            ChartedHand(
                hand=label, cells=cells, values=tuple(self.evs(label, one) for one in dealers)
            )
            for label, cells in self.strategy
        )

    @property
    def doubled_hands(self) -> dict[str, tuple[str, ...]]:
        """The marks of hands after a double, by hand; empty where they have none."""
        rows = zip(chart.DOUBLED_LABELS, self.strategy.doubled, strict=False)
        return {label[1:]: row for label, row in rows}

    @property
    def free_hands(self) -> dict[str, tuple[str, ...]]:
        """The chart of hands that the house has paid for, by hand; empty without any."""
        return dict(self.free or ())

    @property
    def worths(self) -> dict[str, tuple[int, ...]]:
        """Worth of two cards where they may be swapped, by hand; empty where they may not."""
        rows = zip(chart.WORTH_LABELS, self.strategy.worths, strict=False)
        return {label[1:]: row for label, row in rows}

    @property
    def has_evs(self) -> bool:
        """Whether the EV of the game is known by this chart and by the cards."""
        return self.ev is not None and self.best_ev is not None

    @property
    def distance_to_best(self) -> float:
        """The gain of playing by the cards; 0 where an EV is not known."""
        ev, best = self.ev or 0.0, self.best_ev or 0.0
        return 0.0 if best == ev else best - ev  # both may be infinite

    @property
    def has_exceptions(self) -> bool:
        """Whether the hands that are better played by their cards are known."""
        return self.exceptions is not None

    def evs(self, label: str, dealer: Dealer) -> dict[Action, float]:
        """Return the EV of each legal action, best first; empty where it is not known."""
        evs = self.values.get((label, chart.column_key(*dealer)), {})
        return dict(sorted(evs.items(), key=lambda pair: -pair[1]))

    def ev_of_play(self, label: str, dealer: Dealer) -> float | None:
        """Return the EV of the chart's play in a cell; None where it is not known."""
        evs = self.evs(label, dealer)
        return evs[self._play(label, dealer, evs)] if evs else None

    def cost_of_second_best(self, label: str, dealer: Dealer) -> float | None:
        """Return the loss of the best other action against the chart's; None where there is none.

        Negative where the chart's play is not the best: the chart then loses that much.
        """
        evs = self.evs(label, dealer)
        if len(evs) < 2:
            return None
        play = self._play(label, dealer, evs)
        second = max(ev for action, ev in evs.items() if action != play)
        # The difference between two infinite values is zero.
        return 0.0 if evs[play] == second else evs[play] - second

    def _play(self, label: str, dealer: Dealer, evs: Mapping[Action, float]) -> Action:
        total, is_soft, pair_rank = chart.hand_of_row(label)
        upcard, hole = dealer
        return self.strategy.decide(
            total=total, is_soft=is_soft, pair_rank=pair_rank, upcard=upcard, hole=hole, legal=evs
        )


def explain_marks(rows: Iterable[Collection[str]]) -> tuple[str, ...]:
    """Return what the marks in the rows of a chart do not tell, one sentence each."""
    if any("Rs" in row for row in rows):
        return ("Rs: after a hit or a split there is no surrender; then stand.",)
    return ()


def printable(text: str) -> str:
    """Return a text without control characters, which a terminal executes and XML refuses."""
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())


def write_json(facts: ChartFacts) -> str:
    """Write all data of a chart, numbers in full."""
    return json.dumps(to_json(facts), indent=2, ensure_ascii=False, allow_nan=False) + "\n"
