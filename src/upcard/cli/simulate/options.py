"""Options of `upcard simulate`: their values, and clashes between them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import click

from upcard.charts.plots import check_plot_file
from upcard.cli.options import (
    check_writable,
    choose_rules,
    read_strategy_file,
    reading,
)
from upcard.core.errors import RulesError
from upcard.core.user_files import expand_user
from upcard.simulation.job import Engine, make_job, read_ramp
from upcard.simulation.registry import load_player
from upcard.simulation.run_state import Goal, Run, read_rounds, read_share
from upcard.strategy.count_system import CountSystem, load_system

if TYPE_CHECKING:
    from upcard.rules.model import Rules
    from upcard.simulation.run import Workers

_GAME: Final = (
    *("house", "rules", "strategy", "count", "rounding", "decks_left", "indices", "ramp"),
    *("spots", "enter", "leave", "player", "engine", "seed"),
)


amount_option = partial(click.option, callback=reading(read_rounds), metavar="N")
"""Return an option with a number of rounds."""
share_option = partial(click.option, callback=reading(read_share), metavar="P")
"""Return an option with a share of a bet."""


def choose_rounding(
    system: CountSystem, rounding: str | None, decks_left: str | None
) -> CountSystem:
    """Return a counting system with the given rounding."""
    given = {"rounding": rounding, "decks_left": decks_left}
    changes = {name: value for name, value in given.items() if value is not None}
    return system.replace(**changes)


def check_files(csv: str | None, plot: str | None, *, as_json: bool) -> None:
    """Refuse output that could not be written, before playing; `-` draws on the screen."""
    if as_json and plot == "-":
        raise click.UsageError("--plot - with --json: both want the screen; name a file")
    check_writable("--csv", csv)
    if plot not in (None, "-"):
        check_plot_file(plot)


@dataclass(frozen=True, slots=True, kw_only=True)
class SimulateOptions:
    """The options as given; None if not given."""

    house: str | None
    rules: str | None
    strategy: str | None
    count: str | None
    rounding: str | None
    decks_left: str | None
    ramp: str | None
    indices: str | None
    spots: int | None
    enter: int | None
    leave: int | None
    player: str | None
    engine: str | None
    seed: int | None
    rounds: int | None
    until: float | None
    output: str | None
    resume: str | None
    extend: int | None
    workers: int | None
    executor: str | None
    cluster: str | None
    device: str | None

    def __post_init__(self) -> None:
        """Refuse options that clash."""
        if self.house is not None and self.rules is not None:
            choose_rules(self.house, self.rules)  # raises
        if self.extend is not None and self.resume is None:
            msg = "--extend needs the run to extend: --resume RUN.json, or RUN.json behind it"
            raise RulesError(msg)
        if self.extend is not None and self.rounds is not None:
            msg = "--extend adds rounds and --rounds says how many in all: give one of them"
            raise RulesError(msg)
        if self.resume is not None and self.output is not None:
            there, here = (expand_user(path).resolve() for path in (self.resume, self.output))
            if there != here:
                msg = "--resume goes on in its own file; -o names another: give one of them"
                raise RulesError(msg)
        if self.device == "cuda":
            cores = {
                "--workers": self.workers,
                "--executor": self.executor,
                "--cluster": self.cluster,
            }
            for name, value in cores.items():
                if value is not None:
                    raise RulesError(f"{name} is for the cores; --device cuda plays on the GPU")
        if self.cluster is not None:
            for name, value in (("--workers", self.workers), ("--executor", self.executor)):
                if value is not None:
                    msg = f"{name} is for this machine; --cluster brings its own workers"
                    raise RulesError(msg)

    @property
    def asks_for_game(self) -> bool:
        """Whether any option determines the game or its player."""
        return any(getattr(self, name) is not None for name in _GAME)

    def make_state(self, there: Run | None = None) -> Run:
        """Make the run; options not given are those of the run `there`, or the defaults."""
        from upcard.simulation.run_state import Run

        job = None if there is None else there.job

        def choose(name: str) -> Any:  # noqa: ANN401 (the type of the option)
            given = getattr(self, name)
            return getattr(job, name, None) if given is None else given

        player = None if self.player is None else load_player(self.player)
        strategy = None
        if self.strategy is not None:
            strategy = read_strategy_file(self.strategy)
        elif job is not None and player is None:
            player, strategy = job.player, job.strategy
        made = make_job(
            self._choose_rules(None if job is None else job.rules),
            strategy,
            seed=choose("seed"),
            count=self._choose_system(None if job is None else job.system),
            indices=job.deviations if job is not None and self.indices is None else self.indices,
            spots=choose("spots") or 1,
            enter=choose("enter"),
            leave=choose("leave"),
            player=player,
            engine=choose("engine"),
        )
        ramp = there.ramp if there is not None and self.ramp is None else self.ramp
        return Run(made, self._choose_goal(there, made.engine), read_ramp(ramp, made))

    def _choose_rules(self, there: Rules | None) -> Rules:
        if there is not None and self.house is None and self.rules is None:
            return there
        return choose_rules(self.house, self.rules)

    def _choose_system(self, there: CountSystem | None) -> CountSystem | None:
        system = there if self.count is None else load_system(self.count)
        if system is None and (self.rounding or self.decks_left) is not None:
            option = "--rounding" if self.rounding is not None else "--decks-left"
            msg = f"{option} says how a count is read: give --count too, such as --count hi-lo"
            raise RulesError(msg)
        return system and choose_rounding(system, self.rounding, self.decks_left)

    def _choose_goal(self, there: Run | None, engine: str) -> Goal:
        from upcard.simulation.run import DEFAULT_ROUNDS, extend_goal

        if self.rounds is not None:
            return Goal(rounds=self.rounds, until=self.until)
        if there is not None:
            return extend_goal(there, extend=self.extend, until=self.until)
        if self.until is not None:
            return Goal(until=self.until)
        return Goal(rounds=DEFAULT_ROUNDS[Engine(engine)])


def play(asked: SimulateOptions, workers: Workers) -> Run:
    """Start, resume or extend the run."""
    from upcard.simulation.run import refuse_fewer_rounds, resume_run, start_run
    from upcard.simulation.run_state import check_same_run, find_place

    path = asked.resume
    if path is None:
        return start_run(asked.make_state(), workers, output=asked.output)
    if not find_place(path, needs_folder=False).exists() and asked.extend is None:
        if asked.rounds is None and asked.until is None:
            msg = f"there is no run {path!r} to go on with; with --rounds or --until it is begun"
            raise RulesError(msg)
        click.echo(f"upcard simulate: {path!r} is not there yet: the run begins", err=True)
        return start_run(asked.make_state(), workers, output=path)

    def choose_goal(there: Run) -> Goal:
        state = asked.make_state(there)
        if asked.asks_for_game:
            check_same_run(path, there, state)
        refuse_fewer_rounds(path, there, state.goal)
        return state.goal

    return resume_run(path, workers, choose_goal)
