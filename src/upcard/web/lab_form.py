"""The form of a new run: its texts, what is wrong with them, and the run that they ask for."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Final, TypeVar

from upcard.core.errors import BlackjackError, NotationError, as_sentence
from upcard.core.numbers import whole_number
from upcard.rules.describe import name_game
from upcard.rules.model import Rules
from upcard.web.field_reader import FieldReader

if TYPE_CHECKING:
    from upcard.simulation.job import Job
    from upcard.simulation.run_state import Goal, Run
    from upcard.strategy.chart import Strategy
    from upcard.strategy.ramp import BetRamp
    from upcard.web.reading import Fields

    Read = TypeVar("Read")

MOST_ROUNDS: Final = 10**10
"""A run of the lab ends within a day; longer ones are for the command line."""
BEST: Final = ""
PASTED: Final = "pasted"


@dataclass(frozen=True, slots=True, kw_only=True)
class RunForm:
    """The texts of the form; empty ones stand for the defaults."""

    r: str = ""
    """The rules."""
    plays: str = BEST
    """`pasted` for the chart of the form, the name of a player, or empty for the best chart."""
    chart: str = ""
    """A strategy chart as text, for `pasted`."""
    count: str = "hi-lo"
    """Name of the counting system; empty for none."""
    indices: str = ""
    """The set of index plays; empty for none."""
    ramp: str = ""
    """The bet ramp, such as `1-8`; empty for flat bets."""
    spots: str = ""
    """Number of hands each round."""
    enter: str = ""
    """Count at which it sits down; empty for seated from the start."""
    leave: str = ""
    """Count under which it gets up; empty for never."""
    seed: str = ""
    """The seed; empty for a random one."""
    rounds: str = "100M"
    """Number of rounds: `100M`."""
    until: str = ""
    """Standard error at which it ends: `0.01%`."""

    def with_seed(self) -> RunForm:
        """Return the form with a random seed if it has none."""
        from upcard.simulation.job import MOST_DRAWN_SEED

        drawn = str(secrets.randbelow(MOST_DRAWN_SEED + 1))
        return self if self.seed else replace(self, seed=drawn)


def read_run_form(sent: Fields, rules: Rules) -> RunForm:
    """Read the form; `rules` are those of a form without any.

    A form that was not sent has the defaults; in one that was, an empty field is empty.
    """
    is_sent = "count" in sent or "rounds" in sent
    texts = {
        one.name: sent.text(one.name, "" if is_sent else str(one.default))
        for one in fields(RunForm)
    }
    return RunForm(**{**texts, "r": texts["r"] or str(rules)})


@dataclass(frozen=True, slots=True, kw_only=True)
class PreparedRun:
    """A run that can be started, and what is worth knowing about it before."""

    job: Job
    goal: Goal
    ramp: BetRamp | None
    words: tuple[str, ...]

    def make_state(self) -> Run:
        """Return the run before its first round."""
        from upcard.simulation.run_state import Run

        return Run(self.job, self.goal, self.ramp)


@dataclass(frozen=True, slots=True, kw_only=True)
class RunFaults:
    """Why a run cannot be started: a sentence for each faulty field, and one for all."""

    fields: dict[str, str]
    words: str


def prepare_run(form: RunForm) -> PreparedRun | RunFaults:
    """Read every field and make the run, or find what is wrong. It may solve a game."""
    from upcard.simulation.job import Engine, make_job, read_ramp
    from upcard.simulation.run import DEFAULT_ROUNDS
    from upcard.simulation.run_state import Goal, read_rounds, read_share
    from upcard.strategy.count_system import load_system
    from upcard.strategy.deviations import load_deviations

    reader = FieldReader(form)
    rules = reader.read("r", Rules.parse)
    system = reader.read("count", load_system)
    indices = reader.read("indices", lambda text: load_deviations(text, system))
    whole = {name: reader.read(name, _read_whole) for name in ("spots", "enter", "leave", "seed")}
    rounds = reader.read("rounds", lambda text: check_rounds(read_rounds(text)))
    until = reader.read("until", read_share)
    strategy = reader.read("chart", _read_chart) if form.plays == PASTED else None
    if form.plays == PASTED and not form.chart:
        reader.faults["chart"] = "Paste a chart, or choose the best one."
    if reader.faults or rules is None:
        return RunFaults(fields=reader.faults, words="This run cannot be started yet.")
    try:
        job = make_job(
            rules,
            strategy,
            count=system,
            indices=indices,
            spots=1 if whole["spots"] is None else whole["spots"],
            enter=whole["enter"],
            leave=whole["leave"],
            seed=whole["seed"] or 0,
            player=None if form.plays in (BEST, PASTED) else form.plays,
        )
        if rounds is None and until is None:
            rounds = DEFAULT_ROUNDS[Engine(job.engine)]
        goal = Goal(rounds=rounds, until=until)
        ramp = reader.read("ramp", lambda text: read_ramp(text, job))
    except BlackjackError as error:
        return RunFaults(fields={}, words=as_sentence(str(error)))
    if reader.faults:
        return RunFaults(fields=reader.faults, words="This run cannot be started yet.")
    return PreparedRun(job=job, goal=goal, ramp=ramp, words=tuple(_describe(job, ramp)))


def _describe(job: Job, ramp: BetRamp | None) -> list[str]:
    from upcard.simulation.job import Engine, find_unsupported

    words = [f"{name_game(job.rules)}, ready to run."]
    if job.engine is Engine.TABLE:
        reasons = "; ".join(f"{rule}: {reason}" for rule, reason in find_unsupported(job.rules))
        why = f"it cannot honour {reasons}" if reasons else f"player {job.player} sits at a table"
        words.append(
            f"The compiled engine does not play this: {why}. The table engine does, at some 20,000"
            " rounds a second and core instead of millions."
        )
    if ramp is not None:
        words.append(f"The ramp by count: {ramp}.")
    elif job.system is not None:
        words.append("Bets do not move cards: every ramp can be tried on the finished run.")
    else:
        words.append("Without a count there is nothing to bet by: the run gives the house edge.")
    return words


def _read_whole(text: str) -> int:
    number = whole_number(text)
    if number is None:
        msg = "write a whole number"
        raise NotationError(msg)
    return number


def check_rounds(rounds: int) -> int:
    """Return a number of rounds unless it is too large here."""
    if rounds > MOST_ROUNDS:
        msg = f"at most {MOST_ROUNDS:,} rounds here; `upcard simulate` plays more"
        raise NotationError(msg)
    return rounds


def _read_chart(text: str) -> Strategy:
    from upcard.strategy.chart import Strategy

    # A form sends CRLF.
    return Strategy.parse(text.replace("\r\n", "\n"))


def list_players() -> tuple[tuple[str, str], ...]:
    """Return the players that can be chosen by name, with a line about each."""
    from upcard.simulation.registry import player_names

    return tuple(
        (name, about)
        for name, about in player_names().items()
        if name not in ("basic", "counter") and ":" not in name
    )
