"""`upcard simulate`: play many rounds, by a chart, a count and a ramp, with the errors."""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass, replace
from typing import Any, Final

import click

from upcard.answers import run_results
from upcard.answers.shared_fields import RunTerms
from upcard.cli import options, output, progress
from upcard.core.errors import RulesError
from upcard.core.fields import FieldClashError, list_fields
from upcard.core.figure import AnswerTable, write_percent
from upcard.core.number_texts import read_rounds
from upcard.core.numbers import fields_of
from upcard.core.user_files import expand_user
from upcard.simulation import executors, run_state
from upcard.simulation import run as runner
from upcard.simulation.job import PERFECT, Engine, Job, find_unsupported
from upcard.simulation.run_state import Goal, Run


@dataclass(frozen=True, slots=True, kw_only=True)
class SimulateOptions:
    """The options as given; None if not given."""

    house: str | None
    rules: str | None
    terms: RunTerms
    output: str | None
    resume: str | None
    extend: int | None
    workers: int | None
    executor: str | None
    cluster: str | None
    device: str | None

    def __post_init__(self) -> None:
        if self.house is not None and self.rules is not None:
            options.choose_rules(self.house, self.rules)  # raises
        if self.extend is not None and self.resume is None:
            msg = "--extend needs the run to extend: --resume RUN.json, or RUN.json behind it"
            raise RulesError(msg)
        if self.extend is not None and self.terms.rounds is not None:
            msg = "--extend adds rounds and --rounds says how many in all: give one of them"
            raise RulesError(msg)
        if self.resume is not None and self.output is not None:
            there, here = (expand_user(path).resolve() for path in (self.resume, self.output))
            if there != here:
                msg = "--resume continues in its own file; -o names another: give one of them"
                raise RulesError(msg)
        if self.device == "cuda":
            for name in ("workers", "executor", "cluster"):
                if getattr(self, name) is not None:
                    raise RulesError(f"--{name} is for the cores; --device cuda plays on the GPU")
        if self.cluster is not None:
            for name in ("workers", "executor"):
                if getattr(self, name) is not None:
                    msg = f"--{name} is for this machine; --cluster brings its own workers"
                    raise RulesError(msg)

    @property
    def names_game(self) -> bool:
        """Whether anything is given that a run has once and for all."""
        given = fields_of(self) | fields_of(self.terms)
        names = {"house", "rules", *fields_of(self.terms)} - {"rounds", "until"}
        return any(given[name] not in (None, False) for name in names)

    def make_state(self, there: Run | None = None) -> Run:
        """Make the run; options not given are those of the run `there`, or the defaults."""
        known = None if there is None else there.job.rules
        rules = options.choose_rules(self.house, self.rules, known)
        return self.terms.make_run(rules, there, extend=self.extend)


def play(asked: SimulateOptions, workers: runner.Workers) -> Run:
    """Start, resume or extend the run."""
    path = asked.resume
    if path is None:
        return runner.start_run(asked.make_state(), workers, output=asked.output)
    if not run_state.find_place(path, needs_folder=False).exists() and asked.extend is None:
        if (asked.terms.rounds, asked.terms.until) == (None, None):
            msg = f"there is no run {path!r} to continue with; with --rounds or --until it is begun"
            raise RulesError(msg)
        click.echo(f"upcard simulate: {path!r} is not there yet: the run begins", err=True)
        return runner.start_run(asked.make_state(), workers, output=path)

    def choose_goal(there: Run) -> Goal:
        state = asked.make_state(there)
        if asked.names_game:
            run_state.check_same_run(path, there, state)
        runner.refuse_fewer_rounds(path, there, state.goal)
        return state.goal

    return runner.resume_run(path, workers, choose_goal)


_RARE: Final = 0.0005
"""Counts at the ends with a smaller share of the rounds are shown together."""


def write_run(run: Run, *, chart: str, played: int, seconds: float, device: str | None) -> None:
    """Write the results of a run.

    `chart` names the player; this process `played` rounds in `seconds`.
    """
    output.echo_heading(output.describe(run.rules))
    output.echo_topics(run_results.describe_settings(run.job, run.own_ramp, player=chart))
    if not run.is_complete:
        output.echo_topic("Unfinished", "these are the rounds so far")
    if not run.rounds:
        output.echo_topic("Rounds", f"none yet, seed {run.seed}")
        return
    answer = run_results.answer_state(run)
    output.echo_figures(answer.figures)
    output.echo_topic("Seed", str(run.seed))
    if answer.check is not None:
        text = f"{answer.check.text}. " if answer.check.text else ""
        output.echo_topic("Exact value", f"{text}{answer.check.sentence}".rstrip())
    # Without a terminal the same run writes the same text.
    if seconds and sys.stdout.isatty():
        rate = f"{run_state.write_amount(played / seconds)} rounds a second"
        loop = _write_loop(run, played, device)
        output.echo_topic("Time", f"{seconds:.1f} s, {rate}{loop}")
    if answer.by_count is not None:
        _write_counts(answer.by_count)


def _write_loop(run: Run, played: int, device: str | None) -> str:
    """Write how the kernel played the rounds of this process, which changes no result."""
    if device == executors.Device.CUDA:
        return ", on a CUDA device"
    if run.job.engine is Engine.TABLE:
        return ""
    from upcard.simulation.kernel_rounds import describe_loop

    before = run.rounds - played
    return ", " + describe_loop(run.job, run.expected_rounds - before)


def _write_counts(table: AnswerTable) -> None:
    """Write the counts that are common; rare ones at the ends are summed up."""
    shares = [float(row["frequency"] or 0) for row in table.to_dicts()]
    common = [place for place, share in enumerate(shares) if share >= _RARE]
    first, last = (common[0], common[-1] + 1) if common else (0, len(shares))
    shown = replace(table, rows=table.rows[first:last])
    if not shown.rows:
        return
    click.echo(f"\n{shown.title}:")
    output.echo_table(shown)
    low, high = math.fsum(shares[:first]), math.fsum(shares[last:])
    if low or high:
        click.echo(
            f"  and {write_percent(low, 3, sign='')} at lower counts,"
            f" {write_percent(high, 3, sign='')} at higher ones: --csv has all of them."
        )


_TABLE_RATE: Final = "some 20,000 rounds a second and core"
_PERFECT_RATE: Final = "some 1,000 rounds a second and core"
_BOTH_RATE: Final = "some 500 rounds a second and core"


@click.command(
    "simulate",
    epilog="\b\nExamples:\n"
    '  upcard simulate --rules "6D H17 LS" --rounds 100M\n'
    "  upcard simulate --count hi-lo --ramp 1-8 --indices i18 --seed 1 -o RUN.json\n"
    "  upcard simulate --until 0.01%\n"
    "  upcard simulate --resume RUN.json\n"
    "  upcard simulate --extend 1G RUN.json\n"
    "  upcard simulate --house deshmukh --player mimic --rounds 50k",
)
@click.argument("file", metavar="[RUN.json]", required=False)
@options.rules_options
@options.form_options(RunTerms)
@options.workers_option
@options.choice("--executor", ("threads", "processes"), "Kind of workers.")
@options.value("--cluster", "ADDRESS", "Play on a Dask cluster: tcp://host:8786.")
@options.choice("--device", ("cpu", "cuda"), "Play on the cores (default), or on an NVIDIA GPU.")
@options.file_option("-o", "--output", help="Save the run to this file while it plays.")
@options.value("--resume", "FILE", "Continue the run in this file.")
@options.value("--extend", "N", "Add rounds to a saved run.", callback=options.reading(read_rounds))
@options.file_option("--csv", help="Write the results by count as CSV.")
@options.file_option(
    "--plot", help="Draw EV by count, or EV over time without a count: .svg, .png or .txt."
)
@options.cache_option
@options.json_option
def simulate_command(  # noqa: PLR0913 (one parameter an option)
    file: str | None,
    *,
    csv: str | None,
    plot: str | None,
    as_json: bool,
    resume: str | None,
    extend: int | None,
    **given: Any,
) -> None:
    """Simulate rounds, to find the house edge and the gain from counting, with their errors.

    EV is per initial bet with flat bets; with --ramp also per round dealt, in units. The same seed
    gives the same result on any number of workers and any --device. Rules that the compiled kernel
    does not support are played at the table, which is slower. --resume continues after an
    interruption; --extend adds rounds to a finished run.
    """
    if file is not None and extend is None:
        raise click.UsageError(f"unexpected {file!r}: it goes behind --extend N, --resume or -o")
    if file is not None and resume is not None:
        raise click.UsageError(f"--resume {resume} and {file}: give one file to extend")
    names = {one.name: one.option for one in list_fields(RunTerms)}
    terms = RunTerms(**{name: given.pop(name) for name in names})
    path = resume if file is None else file
    asked = SimulateOptions(terms=terms, resume=path, extend=extend, **given)
    output.refuse_two_screens({"--csv": csv}, as_json=as_json)
    options.check_writable("--csv", csv)
    if plot is not None:
        from upcard.charts.plots import check_plot_file

        check_plot_file(plot)
    try:
        _simulate(asked, csv=csv, plot=plot, as_json=as_json)
    except FieldClashError as error:
        raise click.UsageError(error.write(names.__getitem__)) from None


def _simulate(asked: SimulateOptions, *, csv: str | None, plot: str | None, as_json: bool) -> None:
    with progress.LiveProgress() as live:
        workers = runner.Workers(
            count=asked.workers,
            executor=asked.executor,
            cluster=asked.cluster,
            device=executors.read_device(asked.device or executors.Device.CPU),
            watch=live,
            table_executor=executors.ExecutorKind.PROCESSES,
            announce=_announce_engine,
        )
        is_whole = True
        try:
            run = play(asked, workers)
        except runner.RunInterruptedError as error:
            run, is_whole = error.run, False
    if csv is not None and run.job.system is None:
        click.echo("upcard simulate: nothing was counted: the CSV has one row", err=True)
    if csv != "-" and as_json:
        click.echo(run.to_json(), nl=False)
    elif csv != "-":
        chart = _describe_player(run.job, asked)
        write_run(run, chart=chart, played=live.played, seconds=live.seconds, device=asked.device)
    _write_files(run, csv=csv, plot=plot)
    if not is_whole:
        _say_how_to_go_on(run, asked)
        raise KeyboardInterrupt from None


def _write_files(run: Run, *, csv: str | None, plot: str | None) -> None:
    if csv is not None:
        output.write_file(csv, run.tabulate_counts().to_csv())
    if plot is not None and run.rounds:
        from upcard.charts.plot_data import read_convergence_plot, read_count_plot
        from upcard.charts.plots import write_plot

        read = read_convergence_plot if run.job.system is None else read_count_plot
        write_plot(read(run.document()), plot)


def _announce_engine(job: Job) -> None:
    """Report on standard error why the run will be slow."""
    if job.engine is not Engine.TABLE:
        return
    reasons = "; ".join(f"{rule}: {reason}" for rule, reason in find_unsupported(job.rules))
    why = "the table plays, as asked"
    if job.bets is not None:
        why = "500 shoes are valued first, unless they are saved; then the table plays"
    elif job.player is not None:
        why = f"player {job.player} sits at the table itself"
    elif reasons:
        why = f"the kernel cannot honour {reasons}. The table plays instead"
    rate = (_TABLE_RATE, _PERFECT_RATE, _BOTH_RATE)[(job.player, job.bets).count(PERFECT)]
    click.echo(f"upcard simulate: {why}: {rate}", err=True)


def _describe_player(job: Job, asked: SimulateOptions) -> str:
    if job.player is not None:
        return f"player {job.player}"
    if asked.terms.strategy is not None:
        return f"the chart {asked.terms.strategy}"
    if asked.resume is not None:
        return "the chart saved in the run"
    return "the best chart by totals"


def _say_how_to_go_on(run: Run, asked: SimulateOptions) -> None:
    path, how = asked.resume or asked.output, "nothing is saved without -o FILE"
    if path is not None:
        how = f"continue with: upcard simulate --resume {path}"
    click.echo(f"interrupted after {run.rounds:,} rounds; {how}", err=True)
