"""`ChartFacts`: a strategy with the data that a picture or a file of it can show, and its JSON."""

from __future__ import annotations

import json
import math
from collections.abc import Collection, Iterable, Mapping
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from upcard.core import cards, errors
from upcard.core.actions import LETTERS, Action
from upcard.rules.model import Rules
from upcard.strategy import chart

if TYPE_CHECKING:
    from upcard.exact.solver_results import BonusPlay, CompositionException

Values: TypeAlias = Mapping[tuple[str, str], Mapping[Action, float]]
"""EV of each legal action, by a row's label and `column_key` of the dealer's cards."""
Dealer: TypeAlias = tuple[cards.Rank, cards.Rank]
"""The upcard, and the hole card or 0."""

UPCARD_LETTERS: Final = chart.COLUMN_KEYS[chart.UPCARD_LABELS]


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
    return json.dumps(tell_chart(facts), indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def tell_chart(facts: ChartFacts) -> dict[str, Any]:
    """Return all data of a chart for programs; an infinite number is the text "infinite"."""
    strategy = facts.strategy
    document: dict[str, Any] = {
        "title": strategy.title,
        "rules": None if facts.rules is None else str(facts.rules),
        "ev": None if facts.ev is None else _number(facts.ev),
        "notes": list(facts.notes),
        "takes_insurance": strategy.takes_insurance,
        "dealer_hands" if strategy.dealers[0][1] else "upcards": list(strategy.columns),
        "rows": [{"hand": label, "cells": list(cells)} for label, cells in strategy],
    }
    if facts.values:
        for row in document["rows"]:
            row["values"] = [
                {str(action): _number(ev) for action, ev in facts.evs(row["hand"], dealer).items()}
                for dealer in strategy.dealers
            ]
    if strategy.doubled:
        rows = zip(chart.DOUBLED_LABELS, strategy.doubled, strict=True)
        document["doubled_hands"] = {label[1:]: row for label, row in rows}
    if facts.bonus_plays:
        document["bonus_plays"] = [asdict(play) for play in facts.bonus_plays]
    if facts.free is not None:
        document["free_hands"] = dict(facts.free)
    if (best := facts.best_ev) is not None and (ev := facts.ev) is not None:  # both may be infinite
        document |= {"best_ev": _number(best), "distance_to_best": 0.0 if best == ev else best - ev}
    if facts.exceptions is not None:
        document["exceptions"] = [asdict(one) for one in facts.exceptions]
    if strategy.worths:
        worths = zip(chart.WORTH_LABELS, strategy.worths, strict=True)
        document["worths"] = {label[1:]: row for label, row in worths}
    return document


def _number(ev: float) -> float | str:
    if math.isfinite(ev):
        return ev
    return "infinite" if ev > 0 else "-infinite"
