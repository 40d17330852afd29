"""`ChartFacts`: a strategy with the data that a picture or a file of it can show, and its JSON."""

from __future__ import annotations

import json
import math
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

from upcard.core import cards, errors
from upcard.core.actions import LETTERS, Action
from upcard.rules.model import Rules
from upcard.strategy.chart import HAND_LABELS, UPCARD_LABELS, Strategy, hand_of_row

Values: TypeAlias = Mapping[tuple[str, str], Mapping[Action, float]]
"""EV of each legal action, by a row's label and the upcard's letter (`A`, `2` to `9`, `T`)."""

UPCARD_LETTERS: Final = tuple(cards.rank_name(rank) for rank in cards.UPCARD_ORDER)


@dataclass(frozen=True, slots=True, kw_only=True)
class ChartFacts:
    """A strategy, the rules it is for, and its values; EVs are per initial bet."""

    strategy: Strategy
    rules: Rules | None = None
    ev: float | None = None
    """EV of the whole game, played by this chart."""
    values: Values = field(default_factory=dict)
    """For all the cells or for some."""
    notes: tuple[str, ...] = ()
    """The assumptions behind the numbers, one sentence each."""
    free: Strategy | None = None
    """Chart for hands that the house has paid for, if there are any."""

    def __post_init__(self) -> None:
        faults = [
            f"values for {key!r}: a cell is a row ({HAND_LABELS[0]} to {HAND_LABELS[-1]})"
            f" and an upcard ({' '.join(UPCARD_LETTERS)})"
            for key in self.values
            if key not in _CELL_KEYS
        ]
        faults += [
            f"values for {' v '.join(key)}: none of the actions {', '.join(map(repr, odd))} is in"
            f" a chart; these are: {', '.join(LETTERS)}"
            for key, evs in self.values.items()
            if key in _CELL_KEYS and (odd := [action for action in evs if action not in LETTERS])
        ]
        if faults:
            raise errors.NotationError(*faults)

    def evs(self, label: str, upcard: cards.Rank) -> dict[Action, float]:
        """Return the EV of each legal action, best first; empty where it is not known."""
        evs = self.values.get((label, cards.rank_name(upcard)), {})
        return dict(sorted(evs.items(), key=lambda pair: -pair[1]))

    def ev_of_play(self, label: str, upcard: cards.Rank) -> float | None:
        """Return the EV of the chart's play in a cell; None where it is not known."""
        evs = self.evs(label, upcard)
        return evs[self._play(label, upcard, evs)] if evs else None

    def cost_of_second_best(self, label: str, upcard: cards.Rank) -> float | None:
        """Return the loss of the best other action against the chart's; None where there is none.

        Negative where the chart's play is not the best: the chart then loses that much.
        """
        evs = self.evs(label, upcard)
        if len(evs) < 2:
            return None
        play = self._play(label, upcard, evs)
        second = max(ev for action, ev in evs.items() if action != play)
        # The difference between two infinite values is zero.
        return 0.0 if evs[play] == second else evs[play] - second

    def _play(self, label: str, upcard: cards.Rank, evs: Mapping[Action, float]) -> Action:
        total, is_soft, pair_rank = hand_of_row(label)
        return self.strategy.decide(
            total=total, is_soft=is_soft, pair_rank=pair_rank, upcard=upcard, legal=evs
        )


def explain_marks(rows: Iterable[Collection[str]]) -> tuple[str, ...]:
    """Return what the marks in the rows of a chart do not tell, one sentence each."""
    if any("Rs" in row for row in rows):
        return ("Rs: after a hit or a split there is no surrender; then stand.",)
    return ()


def printable(text: str) -> str:
    """Return a text without control characters, which a terminal executes and XML refuses."""
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())


_CELL_KEYS: Final = frozenset((label, letter) for label in HAND_LABELS for letter in UPCARD_LETTERS)


def write_json(facts: ChartFacts) -> str:
    """Write all data of a chart, numbers in full; an infinite number is the text "infinite"."""
    strategy = facts.strategy
    document: dict[str, Any] = {
        "title": strategy.title,
        "rules": None if facts.rules is None else str(facts.rules),
        "ev": None if facts.ev is None else _number(facts.ev),
        "notes": list(facts.notes),
        "takes_insurance": strategy.takes_insurance,
        "upcards": list(UPCARD_LABELS),
        "rows": [{"hand": label, "cells": list(cells)} for label, cells in strategy],
    }
    if facts.values:
        for row in document["rows"]:
            row["values"] = [
                {str(action): _number(ev) for action, ev in facts.evs(row["hand"], upcard).items()}
                for upcard in cards.UPCARD_ORDER
            ]
    if facts.free is not None:
        document["free_hands"] = dict(facts.free)
    return json.dumps(document, indent=2, allow_nan=False) + "\n"


def _number(ev: float) -> float | str:
    if math.isfinite(ev):
        return ev
    return "infinite" if ev > 0 else "-infinite"
