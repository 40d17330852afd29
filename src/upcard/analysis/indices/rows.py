"""Results of a search for indices: a row per play, as a table, as deviations, as a document."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import ClassVar, Final, Literal

from upcard.analysis.indices.plays import Gain, Index, IndexQuestion
from upcard.core import figure
from upcard.core.numbers import count_of
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


@dataclass(frozen=True, slots=True, kw_only=True)
class ExactIndex(Index):
    """Exact result of one play. Gains are units per 100 rounds over the chart."""

    gain: float
    """The gain at flat bets."""
    ramp_gain: float | None = None
    """The gain at the bets of the ramp; None without one."""
    share: float
    """Share of the rounds in which the question comes up."""
    rounded: dict[str, int] = field(default_factory=dict)
    """The index by each rounding of the true count, of a play to learn; else empty."""
    json_keys = """
        index crossing gain_per_100=gain ramp_gain_per_100=ramp_gain share_of_rounds=share
        rounded?rounded
    """


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
    json_keys = """
        index=index.index crossing=index.crossing crossing_error=index.error rounds
        gain_per_100=gain.value gain_error=gain.standard_error
        ramp_gain_per_100=ramp_gain.value ramp_gain_error=ramp_gain.standard_error
    """


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexRow:
    """One play and its index. Gains are units per 100 rounds over the chart, at flat bets."""

    question: IndexQuestion
    chart_acts: bool
    """Whether the chart takes the action itself."""
    exact: ExactIndex
    tolerance: float
    """Standard error allowed to the exact crossing."""
    share_so_far: float | None = None
    """Share of what all plays gain together, with this play to learn and all before it."""
    by_simulation: bool
    """Whether the simulation alone was requested."""
    simulated: Simulated | None = None
    is_averse: bool
    """Whether risk-averse indices were requested, for a bankroll."""
    risk_averse: Index | None = None
    """The index at which the play is worth its risk; None if at none, or without a bankroll."""
    json_keys = """
        play=__str__ cell=question.__str__ action=question.action index=index.index
        at_or_above=index.at_or_above chart_takes_action=chart_acts exact=exact_if_asked simulated
        agrees risk_averse?risk_averse errors_apart=simulated.errors_apart?simulated
        share_so_far?share_so_far
    """

    def __str__(self) -> str:
        """Write the play, `16 v T  S >= 0 else H` or `insurance >= 3`; without one the cell."""
        if (index := self.index) is None:
            return str(self.question)
        play = self.play()
        return f"insurance >= {index.index}" if play is None else str(play)

    @property
    def exact_if_asked(self) -> ExactIndex | None:
        """The exact result; None if the simulation alone was requested."""
        return None if self.by_simulation else self.exact

    @property
    def agrees(self) -> bool | None:
        """Whether exact and simulated gains agree within their errors; None if one is unknown."""
        if self.simulated is None or self.simulated.errors_apart is None:
            return None
        return abs(self.simulated.errors_apart) <= MOST_ERRORS

    @property
    def index(self) -> Index | None:
        """The index to play by; None if only a simulation was requested and is undecided.

        It is the exact one, unless the simulation contradicts it or was requested alone; with a
        bankroll the risk-averse one.
        """
        simulated = None if self.simulated is None else self.simulated.index
        if self.is_averse and self.agrees is not False:
            return self.risk_averse
        if self.by_simulation:
            return simulated
        return simulated if simulated is not None and self.agrees is False else self.exact

    def play(self) -> Deviation | None:
        """Return the play at its index; None for insurance or without an index."""
        if (index := self.index) is None or not self.question.hand:
            return None
        return self.question.make_play(index.index, at_or_above=index.at_or_above)


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundIndices:
    """The plays that a search found, and the range it searched."""

    least: int
    """Indices are above this."""
    most: int
    """And at most this."""
    seed: int | None
    rounds: int
    """Rounds that were simulated; 0 for none."""
    rows: tuple[IndexRow, ...]
    missing: tuple[IndexQuestion, ...]
    """Requested questions without an index."""
    gain_of_all: float | None = None
    """If the rows are plays to learn, the gain of all plays together, at the bets of the ramp."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Indices(FoundIndices, figure.Displayed):
    """The indices of a count for a set of rules, those that gain most first."""

    rules: Rules
    system: CountSystem
    chart: Strategy
    method: str
    ramp: BetRamp | None
    version: str
    bankroll: float | None = None
    """Bankroll in units for risk-averse indices; None for those of the highest gain."""
    json_keys = """
        format format_version version rules=notation house=rules.name count=system.name by=system.by
        rounding=system.rounding decks_left=system.decks_left method rounds seed bankroll ramp
        gain_of_all_per_100=gain_of_all rows missing deviations=__str__
    """
    format: ClassVar[Literal["upcard indices"]] = "upcard indices"
    """The kind of document."""
    format_version: ClassVar[Literal[1]] = 1
    """Version of its keys."""

    @property
    def notation(self) -> str:
        """The rules, without the name of a house."""
        return self.rules.notation

    @property
    def deviations(self) -> Deviations:
        """The plays as a set for `upcard simulate --indices` and `Deviations.parse`."""
        insurance = [
            row.index.index for row in self.rows if not row.question.hand and row.index is not None
        ]
        return Deviations(
            title="\n".join(self._title()),
            source=f"upcard {self.version}, method {self.method}",
            system=self.system.name,
            plays=tuple(play for row in self.rows if (play := row.play()) is not None),
            insurance=insurance[0] if insurance else None,
        )

    def _title(self) -> list[str]:
        lines = [f"Indices for {self.notation}", self.describe_count()]
        if self.seed is not None:
            lines.append(f"{self.rounds:,} rounds simulated, seed {self.seed}")
        if self.bankroll is not None:
            lines.append(f"risk-averse: bets {self.ramp}, a bankroll of {self.bankroll:,g} units")
        if self.gain_of_all is not None:
            shares = [f"{row.share_so_far:.1%} of the gain of all plays" for row in self.rows[-1:]]
            share = "".join(shares)
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

        add(figure.text("play"), str)
        add(
            figure.number("index", is_shown=False),
            lambda row: None if row.index is None else row.index.index,
        )
        if self.method != "simulation":
            add(figure.signed("exact"), lambda row: row.exact.crossing)
        if self.bankroll is not None:
            add(figure.signed("risk_averse", "risk-averse"), _read_averse)
        for rounding in self.rows[0].exact.rounded if self.rows else ():
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
            add(column, lambda row: row.exact.gain)
            if self.ramp is not None:
                is_shown = self.method == "exact"
                column = figure.real("ramp_gain", "with ramp", digits=5, is_shown=is_shown)
                add(column, lambda row: row.exact.ramp_gain)
        if self.method != "exact":
            title = "gain, simulated" if self.ramp is None else "gain flat"
            add_gain("gain_simulated", title, "gain", is_shown=self.bankroll is None)
        if self.ramp is not None and self.method != "exact":
            add_gain("gain_with_ramp", "with ramp", "ramp_gain")
        if self.gain_of_all is not None:
            add(figure.share("share_so_far", "so far", digits=1), lambda row: row.share_so_far)
        add(figure.text("doubt", ""), _mark_doubt)
        rows = (tuple(read(row) for _, read in columns) for row in self.rows)
        caption = figure.caption(self.rules, seed=self.seed, rounds=self.rounds or None)
        title = f"Indices for {self.describe_count()[6:]}"
        return figure.make_table(title, (column for column, _ in columns), rows, caption)

    def __str__(self) -> str:
        """Write the deviations, as `Deviations.parse` reads them."""
        return str(self.deviations)


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
    return row.exact.rounded[rounding]
