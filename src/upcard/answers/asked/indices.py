"""Index plays as a question: the counts from which to deviate from the chart, for any rules."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, Final

from upcard.answers.questions import Asking, Sheet
from upcard.answers.shared_fields import (
    DECKS_LEFT,
    HI_LO,
    ROUNDING,
    SEED,
    WORKERS,
    ask_text,
)
from upcard.core.fields import Field, FieldClashError, FormTerms, choice
from upcard.core.number_texts import read_float, read_rounds, read_whole
from upcard.core.numbers import fields_of
from upcard.rules.model import Rules
from upcard.strategy.count_system import CountBy, CountSystem, load_system

if TYPE_CHECKING:
    from upcard.analysis.indices.plays import Gain
    from upcard.analysis.indices.rows import Indices

# What searches is imported when it is asked for: it loads NumPy and the simulator.
_EXACT: Final = "exact"
_QUICK_ROUNDS: Final = 4_000_000
"""Rounds that are simulated where an answer is awaited in seconds."""
_UNKNOWN: Final = "?"


PLAYS: Final = ask_text(
    'all, i18, fab4, i18+fab4, a file, or cells such as "16 v T, 12 v 3" (default: the strongest).',
    "WHICH",
    "plays",
    "cells, such as 16 v T, or a set",
)
RAMP: Final = ask_text(
    "Gains at these bets too: 1-8, 1,1,2,4,8 or a file.",
    "TEXT",
    "ramp",
    "its pairs, such as 1:1 2:4",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchTerms(FormTerms):
    """Which plays are looked for, and how."""

    plays: Annotated[str | None, PLAYS] = None
    ramp: Annotated[str | None, RAMP] = None
    learn: Annotated[
        int | None,
        Field(
            partial(read_whole, what="plays to learn", least=1, example="18"),
            "Only the N plays that gain most, with the share of all gain so far.",
            "N",
        ),
    ] = None
    bankroll: Annotated[
        float | None,
        Field(
            partial(read_float, what="bankroll", over=0),
            "Risk-averse indices, with this bankroll in units of the ramp.",
            "N",
        ),
    ] = None
    method: Annotated[
        str | None,
        choice(
            ("both", _EXACT, "simulation"),
            f"Method to find indices (default: both; on a page {_EXACT}, or"
            f" {_QUICK_ROUNDS // 10**6}M rounds are simulated).",
        ),
    ] = None
    rounds: Annotated[
        int | None,
        Field(
            read_rounds,
            "Rounds to simulate, such as 1e8 (default: 50M).",
            "N",
            is_for_pages=False,
        ),
    ] = None
    seed: Annotated[int | None, SEED] = None
    workers: Annotated[int | None, WORKERS] = None

    def given(self, asking: Asking) -> dict[str, Any]:
        """Return the terms as `indices` takes them, with less work where an answer is awaited."""
        terms = fields_of(self)
        if asking.is_patient:
            return terms | {"method": self.method or "both"}
        method = self.method or (_EXACT if self.bankroll is None else "both")
        if method != _EXACT:
            terms |= {"rounds": self.rounds or _QUICK_ROUNDS, "seed": asking.choose_seed(self.seed)}
        return terms | {"method": method}


def answer(  # noqa: PLR0913 (one parameter a field)
    rules: Rules,
    *,
    count: Annotated[CountSystem | None, HI_LO] = None,
    rounding: Annotated[str | None, ROUNDING] = None,
    decks_left: Annotated[str | None, DECKS_LEFT] = None,
    search: SearchTerms,
    asking: Asking,
) -> Sheet[Indices]:
    """Return the counts from which to deviate from the chart, for these rules.

    Each index is found exactly, on the shoes that the count leaves on average, and by simulating
    every affected round both ways on the same cards. Both are shown; if they differ by more than
    their errors the row is marked, and the simulated one is used.
    """
    if search.workers is not None and search.method == _EXACT:
        raise FieldClashError("{workers} is for the simulation, and {method} exact has none")
    from upcard.analysis.indices.search import IndicesInterruptedError, indices

    read = {"rounding": rounding, "decks_left": decks_left}
    system = (count or load_system("hi-lo")).replace(**{k: v for k, v in read.items() if v})
    terms = search.given(asking)
    interrupted = ""
    try:
        found = indices(rules, count=system, watch=asking.watch, saves=True, **terms)
    except IndicesInterruptedError as interruption:
        found = interruption.indices
        interrupted = f"these are the plays of {found.rounds:,} rounds"

    def draw() -> str:
        from upcard.charts.render import draw_index_card

        return draw_index_card(found)

    table = found.table()
    return Sheet(
        title=table.title,
        rules=str(found.rules),
        findings=() if found.rows else ("None of these plays has an index.",),
        tables=(table,),
        notes=tuple(_tell(found)),
        result=found,
        card=draw,
        text=lambda: str(found),
        interrupted=interrupted,
    )


def _tell(found: Indices) -> Iterator[tuple[str, str]]:
    if found.rows:
        yield from _tell_sums(found)
    yield "Index", _explain_index(found)
    if found.method != _EXACT:
        seed = f"{found.rounds:,} rounds, seed {found.seed}."
        yield "Simulated", f"{seed} Behind ± stands one standard error."
    if found.bankroll is not None:
        bank = f"with a bankroll of {found.bankroll:,g} units at bets {found.ramp}"
        yield "Risk-averse", f"the count from which a play is worth its risk {bank}."
    if any(row.agrees is False for row in found.rows):
        gains = "exact and simulated gains differ by over 3.5 errors"
        yield "!", f"{gains}; the simulated index is used."
    if found.method != _EXACT:
        yield from _tell_unknown(found)
    if found.missing:
        cells = ", ".join(dict.fromkeys(map(str, found.missing)))
        yield "No index", f"from {found.least:+d} to {found.most:+d}: {cells}."


def _tell_unknown(found: Indices) -> Iterator[tuple[str, str]]:
    without = [row for row in found.rows if row.simulated is None or row.simulated.index is None]
    if any(row.simulated is not None for row in without):
        left_out = " and the play is left out" if found.method == "simulation" else ""
        yield _UNKNOWN, f"too few rounds to decide{left_out}."
    unasked = [str(row.question) for row in without if row.simulated is None]
    if unasked:
        what = ", ".join(dict.fromkeys(unasked))
        yield "Not simulated", f"surrender before the look, or never came up: {what}."


def _tell_sums(found: Indices) -> Iterator[tuple[str, str]]:
    parts = []
    if found.method != "simulation":
        parts.append(f"{math.fsum(row.exact.gain for row in found.rows):.4f} exact")
    if found.method == _EXACT and found.ramp is not None:
        at_bets = math.fsum(row.exact.ramp_gain or 0.0 for row in found.rows)
        parts.append(f"{at_bets:.4f} with the ramp {found.ramp}")
    simulated = [row.simulated for row in found.rows if row.simulated is not None]
    if simulated:
        parts.append(f"{_add([one.gain for one in simulated])} simulated")
    ramped = [one.ramp_gain for one in simulated if one.ramp_gain is not None]
    if ramped:
        parts.append(f"{_add(ramped)} with the ramp {found.ramp}")
    which = "all plays" if found.gain_of_all is None else "these plays"
    yield "Gain", f"over the chart, in units per 100 rounds; {which}: {', '.join(parts)}."
    if found.gain_of_all is not None:
        bets = "" if found.ramp is None else ", at the bets of the ramp"
        whole = f"of the {found.gain_of_all:.4f} that all plays gain together{bets}."
        yield "So far", f"share {whole} Each play adds most to those above it."
        yield "Practise", "with -o PLAYS.txt: upcard train deviations --indices PLAYS.txt"


def _add(gains: list[Gain]) -> str:
    """Write the sum of gains, which come from mostly different rounds."""
    value = math.fsum(gain.value for gain in gains)
    error = math.fsum(gain.standard_error**2 for gain in gains) ** 0.5
    return f"{value:.5f} ±{error:.5f}"


def _explain_index(found: Indices) -> str:
    what = "running count" if found.system.by is CountBy.RUNNING else "true count"
    return (
        f"the least whole count whose gain is above 0 on average. Columns: the {what} at which"
        " the gain is 0, before it is made whole."
    )
