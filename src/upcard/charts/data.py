"""A chart as JSON, for programs; `read_json` reads the strategy back."""

from __future__ import annotations

import json
import math
from typing import Any

from upcard.charts.facts import ChartFacts
from upcard.core.cards import UPCARD_ORDER
from upcard.core.errors import NotationError
from upcard.core.user_files import parse_json
from upcard.strategy.chart import UPCARD_LABELS, Strategy


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
                for upcard in UPCARD_ORDER
            ]
    return json.dumps(document, indent=2, allow_nan=False) + "\n"


def read_json(text: str) -> Strategy:
    """Read the strategy that `write_json` wrote.

    Raises: NotationError if the text is not JSON, or not a chart; it lists every faulty row.
    """
    document = parse_json(text, "the chart")
    try:
        lines = ["\t".join(("hand", *document["upcards"]))]
        lines.extend("\t".join((row["hand"], *row["cells"])) for row in document["rows"])
        title, takes_insurance = document["title"], document["takes_insurance"]
    except (KeyError, TypeError):
        lines, title, takes_insurance = [], None, None
    if not isinstance(title, str) or not isinstance(takes_insurance, bool):
        raise NotationError(
            "the JSON is not a chart: it needs a title, takes_insurance (true or false), upcards,"
            " and rows, each with its hand and its cells"
        )
    cells = Strategy.parse("\n".join(lines)).cells
    return Strategy(cells=cells, title=title, takes_insurance=takes_insurance)


def _number(ev: float) -> float | str:
    if math.isfinite(ev):
        return ev
    return "infinite" if ev > 0 else "-infinite"
