"""Results of a search for indices: a row per play, as a table, as deviations, as a document."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final, NamedTuple

from upcard.analysis.indices.plays import Gain, Index, IndexQuestion
from upcard.core import figure
from upcard.core.numbers import count_of, fields_of
from upcard.rules.model import Rules
from upcard.strategy.chart import Strategy
from upcard.strategy.count_system import CountBy, CountSystem
from upcard.strategy.deviations import Deviation, Deviations
from upcard.strategy.ramp import BetRamp

MOST_ERRORS: Final = 3.5
"""Standard errors by which exact and simulated gain may differ: of a hundred rows that agree, one
table in twenty marks one."""
MODEL_ERROR: Final = 0.4
"""Standard error of an exact index in one deck, in Hi-Lo true counts, from its approximate shoes.

It is the scatter of simulated indices beyond their own errors; with more decks it is
proportionally less."""


class Missing(NamedTuple):
    """A requested question without an index."""

    question: IndexQuestion
    is_asked: bool
    """Whether the game asks it at all."""


class Learned(NamedTuple):
    """The plays to learn, in the order of what each adds to those before it."""

    plays: tuple[IndexQuestion, ...]
    shares: tuple[float, ...]
    """Share of what all plays gain together, with each play and all before it."""
    gain: float
    """The gain of all plays together, in units per 100 rounds, at the bets of the ramp."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Simulated:
    """Simulated result of one play."""

    index: Index | None
    """None if the simulation is too short to decide."""
    errors_apart: float | None
    """Standard errors between exact and simulated gain at the exact crossing; see `Fit`."""
    rounds: int
    """Rounds in which the question came up."""
    gain: Gain
    ramp_gain: Gain | None
    added_square: float
    """Mean that the action adds to the square of a round's net where the question comes up, at a
    bet of one: 3 or so for a double."""


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexRow:
    """One play and its index. Gains are units per 100 rounds over the chart, at flat bets."""

    question: IndexQuestion
    chart_acts: bool
    """Whether the chart takes the action itself."""
    exact: Index
    exact_gain: float
    share: float
    """Share of the rounds in which the question comes up, by the exact values."""
    tolerance: float
    """Standard error allowed to the exact crossing."""
    exact_ramp_gain: float | None = None
    """The exact gain at the bets of the ramp; None without one."""
    rounded: dict[str, int] = field(default_factory=dict)
    """The index by each rounding of the true count, of a play to learn; else empty."""
    simulated: Simulated | None = None
    risk_averse: Index | None = None
    """The index at which the play is worth its risk; None if at none, or without a bankroll."""

    @property
    def agrees(self) -> bool | None:
        """Whether exact and simulated gains agree within their errors; None if one is unknown."""
        if self.simulated is None or self.simulated.errors_apart is None:
            return None
        return abs(self.simulated.errors_apart) <= MOST_ERRORS


@dataclass(frozen=True, slots=True, kw_only=True)
class Indices(figure.Displayed):
    """The indices of a count for a set of rules, those that gain most first."""

    rules: Rules
    system: CountSystem
    chart: Strategy
    method: str
    rounds: int
    """Rounds that were simulated; 0 for none."""
    seed: int | None
    ramp: BetRamp | None
    least: int
    """Indices are above this."""
    most: int
    """And at most this."""
    rows: tuple[IndexRow, ...]
    missing: tuple[Missing, ...]
    """Requested questions without an index."""
    version: str
    learned: Learned | None = None
    """The share of the gain that the rows have, if they are plays to learn."""
    bankroll: float | None = None
    """Bankroll in units for risk-averse indices; None for those of the highest gain."""

    def index(self, row: IndexRow) -> Index | None:
        """Return the index to play by; None if only a simulation was requested and is undecided.

        It is the exact one, unless the simulation contradicts it or was requested alone; with a
        bankroll the risk-averse one.
        """
        simulated = None if row.simulated is None else row.simulated.index
        if self.bankroll is not None and row.agrees is not False:
            return row.risk_averse
        if self.method == "simulation":
            return simulated
        return simulated if simulated is not None and row.agrees is False else row.exact

    def play(self, row: IndexRow) -> Deviation | None:
        """Return a row's play at its index; None for insurance or without an index."""
        index = self.index(row)
        if index is None or not row.question.hand:
            return None
        return row.question.make_play(index.index, at_or_above=index.at_or_above)

    def describe(self, row: IndexRow) -> str:
        """Write a row's play, `16 v T  S >= 0 else H` or `insurance >= 3`; without one the cell."""
        if (index := self.index(row)) is None:
            return str(row.question)
        play = self.play(row)
        return f"insurance >= {index.index}" if play is None else str(play)

    @property
    def deviations(self) -> Deviations:
        """The plays as a set for `upcard simulate --indices` and `Deviations.parse`."""
        insurance = [
            index.index
            for row in self.rows
            if not row.question.hand and (index := self.index(row)) is not None
        ]
        return Deviations(
            title="\n".join(self._title()),
            source=f"upcard {self.version}, method {self.method}",
            system=self.system.name,
            plays=tuple(play for row in self.rows if (play := self.play(row)) is not None),
            insurance=insurance[0] if insurance else None,
        )

    def _title(self) -> list[str]:
        lines = [f"Indices for {self.rules.replace(name='')}", self.describe_count()]
        if self.seed is not None:
            lines.append(f"{self.rounds:,} rounds simulated, seed {self.seed}")
        if self.bankroll is not None:
            lines.append(f"risk-averse: bets {self.ramp}, a bankroll of {self.bankroll:,g} units")
        if (learned := self.learned) is not None:
            share = f"{learned.shares[-1]:.1%} of the gain of all plays" if learned.shares else ""
            lines.append(f"the {count_of(len(self.rows), 'play')} to learn first: {share}")
        if doubtful := [str(row.question) for row in self.rows if row.agrees is False]:
            lines.append(f"exact and simulated disagree, simulated taken - {', '.join(doubtful)}")
        return lines

    def describe_count(self) -> str:
        """Write the count and its rounding."""
        if self.system.by is CountBy.RUNNING:
            return f"Count {self.system.name}, running"
        rounding, decks = self.system.rounding, self.system.decks_left
        return f"Count {self.system.name}, true count by {rounding}, decks left {decks}"

    def table(self) -> figure.AnswerTable:
        """Return the plays with their indices, those that gain most first.

        `exact` and `simulated` are counts at which the gain is 0; gains are units per 100 rounds.
        """
        columns: list[tuple[figure.TableColumn, Callable[[IndexRow], figure.Value]]] = []

        def add(column: figure.TableColumn, read: Callable[[IndexRow], figure.Value]) -> None:
            columns.append((column, read))

        def add_gain(name: str, title: str, which: str, *, is_shown: bool = True) -> None:
            error = f"{name}_error"
            column = figure.real(name, title, digits=5, error=error, is_shown=is_shown)
            add(column, partial(_read_gain, which, 0))
            add(figure.real(error, "±", is_shown=False), partial(_read_gain, which, 1))

        def read_index(row: IndexRow) -> int | None:
            index = self.index(row)
            return None if index is None else index.index

        add(figure.text("play"), self.describe)
        add(figure.number("index", is_shown=False), read_index)
        if self.method != "simulation":
            add(figure.signed("exact"), lambda row: row.exact.crossing)
        if self.bankroll is not None:
            add(figure.signed("risk_averse", "risk-averse"), _read_averse)
        for rounding in self.rows[0].rounded if self.rows else ():
            column = figure.number(rounding, is_shown=self.method == "exact")
            add(column, partial(_read_rounded, rounding))
        if self.method != "exact":
            add(
                figure.signed("simulated", error="simulated_error"),
                partial(_read_simulated, "crossing"),
            )
            add(
                figure.real("simulated_error", "±", is_shown=False),
                partial(_read_simulated, "error"),
            )
        if self.method != "simulation":
            column = figure.real("gain", digits=5, is_shown=self.ramp is None)
            add(column, lambda row: row.exact_gain)
            if self.ramp is not None:
                is_shown = self.method == "exact"
                column = figure.real("ramp_gain", "with ramp", digits=5, is_shown=is_shown)
                add(column, lambda row: row.exact_ramp_gain)
        if self.method != "exact":
            title = "gain, simulated" if self.ramp is None else "gain flat"
            add_gain("gain_simulated", title, "gain", is_shown=self.bankroll is None)
        if self.ramp is not None and self.method != "exact":
            add_gain("gain_with_ramp", "with ramp", "ramp_gain")
        if self.learned is not None:
            shares = dict(zip(self.learned.plays, self.learned.shares, strict=True))
            add(figure.share("share_so_far", "so far", digits=1), lambda row: shares[row.question])
        add(figure.text("doubt", ""), _mark_doubt)
        rows = (tuple(read(row) for _, read in columns) for row in self.rows)
        caption = figure.caption(self.rules, seed=self.seed, rounds=self.rounds or None)
        title = f"Indices for {self.describe_count()[6:]}"
        return figure.make_table(title, (column for column, _ in columns), rows, caption)

    def __str__(self) -> str:
        """Write the deviations, as `Deviations.parse` reads them."""
        return str(self.deviations)

    def document(self) -> dict[str, Any]:
        """Return everything as one document, numbers in full."""
        return {
            "format": "upcard indices",
            "format_version": 1,
            "version": self.version,
            "rules": str(self.rules.replace(name="")),
            "house": self.rules.name,
            "count": self.system.name,
            "by": str(self.system.by),
            "rounding": str(self.system.rounding),
            "decks_left": str(self.system.decks_left),
            **fields_of(self, "method", "rounds", "seed", "bankroll"),
            "ramp": None if self.ramp is None else str(self.ramp),
            "gain_of_all_per_100": None if self.learned is None else self.learned.gain,
            "rows": [
                self._document_row(row)
                | ({} if self.learned is None else {"share_so_far": self.learned.shares[place]})
                for place, row in enumerate(self.rows)
            ],
            "missing": [
                {"cell": str(one.question), "action": str(one.question.action)}
                for one in self.missing
            ],
            "deviations": str(self.deviations),
        }

    def _document_row(self, row: IndexRow) -> dict[str, Any]:
        index = self.index(row)
        document: dict[str, Any] = {
            "play": self.describe(row),
            "cell": str(row.question),
            "action": str(row.question.action),
            "index": None if index is None else index.index,
            "at_or_above": None if index is None else index.at_or_above,
            "chart_takes_action": row.chart_acts,
            "exact": None,
            "simulated": None,
            "agrees": row.agrees,
        }
        if self.bankroll is not None and row.risk_averse is not None:
            document["risk_averse"] = fields_of(row.risk_averse, "index", "crossing")
        if self.method != "simulation":
            document["exact"] = {
                **fields_of(row.exact, "index", "crossing"),
                "gain_per_100": row.exact_gain,
                "ramp_gain_per_100": row.exact_ramp_gain,
                "share_of_rounds": row.share,
                **({"rounded": row.rounded} if row.rounded else {}),
            }
        if row.simulated is not None:
            found, gain, ramp = row.simulated.index, row.simulated.gain, row.simulated.ramp_gain
            document["simulated"] = {
                "index": None if found is None else found.index,
                "crossing": None if found is None else found.crossing,
                "crossing_error": None if found is None else found.error,
                "rounds": row.simulated.rounds,
                "gain_per_100": gain.value,
                "gain_error": gain.standard_error,
                "ramp_gain_per_100": None if ramp is None else ramp.value,
                "ramp_gain_error": None if ramp is None else ramp.standard_error,
            }
            document["errors_apart"] = row.simulated.errors_apart
        return document


def _mark_doubt(row: IndexRow) -> str:
    """Mark gains that differ, and a play with too few rounds to decide."""
    if row.agrees is False:
        return "!"
    return "?" if row.simulated is not None and row.simulated.index is None else ""


def _read_simulated(part: str, row: IndexRow) -> float | None:
    index = None if row.simulated is None else row.simulated.index
    return None if index is None else float(getattr(index, part))


def _read_gain(which: str, part: int, row: IndexRow) -> float | None:
    gain = None if row.simulated is None else getattr(row.simulated, which)
    return None if gain is None else float(gain[part])


def _read_averse(row: IndexRow) -> float | None:
    return None if row.risk_averse is None else row.risk_averse.crossing


def _read_rounded(rounding: str, row: IndexRow) -> int:
    return row.rounded[rounding]
