"""`upcard simulate`: play many rounds, by a chart, a count and a ramp, with the errors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import click

from upcard.charts.plot_data import read_convergence_plot, read_count_plot
from upcard.charts.plots import check_plot_file, write_plot
from upcard.cli.options import (
    cache_option,
    check_writable,
    count_option,
    file_option,
    indices_option,
    json_option,
    ramp_option,
    rounding_options,
    rules_options,
    seat_options,
    seed_option,
    workers_option,
)
from upcard.cli.output import write_file
from upcard.cli.progress import LiveProgress
from upcard.cli.simulate.options import SimulateOptions, amount_option, play, share_option
from upcard.cli.simulate.output import format_counts, write_run
from upcard.simulation.job import Engine, Job, find_unsupported

if TYPE_CHECKING:
    from upcard.simulation.run_state import Run

_TABLE_RATE: Final = "some 20,000 rounds a second and core"


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
@rules_options
@amount_option("--rounds", help="Number of rounds: 1000000, 1e8, 100M.")
@share_option("--until", help="Stop at this standard error of the EV: 0.01%.")
@seed_option
@click.option("--strategy", metavar="FILE", help="Strategy chart (default: the optimal chart).")
@count_option
@rounding_options
@ramp_option
@indices_option
@seat_options
@click.option("--player", metavar="NAME", help="Player such as mimic or ann.py:Ann, at the table.")
@click.option(
    "--engine",
    type=click.Choice(["kernel", "table"], case_sensitive=False),
    help="Engine (default: the kernel, or the table if it cannot).",
)
@workers_option
@click.option(
    "--executor",
    type=click.Choice(["threads", "processes"], case_sensitive=False),
    help="Kind of workers.",
)
@click.option("--cluster", metavar="ADDRESS", help="Play on a Dask cluster: tcp://host:8786.")
@click.option(
    "--device",
    type=click.Choice(["cpu", "cuda"], case_sensitive=False),
    help="Play on the cores (default), or on an NVIDIA GPU.",
)
@file_option("-o", "--output", help="Save the run to this file while it plays.")
@click.option("--resume", metavar="FILE", help="Continue the run in this file.")
@amount_option("--extend", help="Add rounds to the run in a file.")
@file_option("--csv", help="Write the results by count as CSV.")
@file_option(
    "--plot", help="Draw EV by count, or EV over time without a count: .svg, .png or .txt."
)
@cache_option
@json_option
def command(  # noqa: PLR0913 (one parameter an option)
    file: str | None,
    *,
    csv: str | None,
    plot: str | None,
    as_json: bool,
    resume: str | None,
    extend: int | None,
    **options: Any,
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
    asked = SimulateOptions(resume=resume if file is None else file, extend=extend, **options)
    check_writable("--csv", csv)
    if plot is not None:
        check_plot_file(plot)
    _simulate(asked, csv=csv, plot=plot, as_json=as_json)


def _simulate(asked: SimulateOptions, *, csv: str | None, plot: str | None, as_json: bool) -> None:
    from upcard.simulation.executors import Device, ExecutorKind, read_device
    from upcard.simulation.run import RunInterruptedError, Workers

    with LiveProgress() as live:
        workers = Workers(
            count=asked.workers,
            executor=asked.executor,
            cluster=asked.cluster,
            device=read_device(asked.device or Device.CPU),
            watch=live,
            table_executor=ExecutorKind.PROCESSES,
            announce=_announce_engine,
        )
        try:
            run = play(asked, workers)
            interruption = None
        except RunInterruptedError as error:
            run, interruption = error.run, error
    if csv is not None and run.job.system is None:
        click.echo("upcard simulate: nothing was counted: the CSV has one row", err=True)
    _write(run, asked, live, as_json=as_json)
    _write_files(run, csv=csv, plot=plot)
    if interruption is not None:
        _say_how_to_go_on(run, asked)
        raise KeyboardInterrupt from None


def _write(run: Run, asked: SimulateOptions, live: LiveProgress, *, as_json: bool) -> None:
    if as_json:
        click.echo(run.to_json(), nl=False)
        return
    chart = _describe_player(run.job, asked)
    write_run(
        run,
        chart=chart,
        played=live.played,
        seconds=live.seconds,
        device=asked.device,
    )


def _write_files(run: Run, *, csv: str | None, plot: str | None) -> None:
    if csv is not None:
        write_file(csv, format_counts(run))
    if plot is not None and run.rounds:
        read = read_convergence_plot if run.job.system is None else read_count_plot
        write_plot(read(run.document()), plot)


def _announce_engine(job: Job) -> None:
    """Report on standard error why the run will be slow."""
    if job.engine is not Engine.TABLE:
        return
    reasons = "; ".join(f"{rule}: {reason}" for rule, reason in find_unsupported(job.rules))
    if job.player is not None:
        why = f"player {job.player} sits at the table itself"
    elif reasons:
        why = f"the kernel cannot honour {reasons}. The table plays instead"
    else:
        why = "the table plays, as asked"
    click.echo(f"upcard simulate: {why}: {_TABLE_RATE}", err=True)


def _describe_player(job: Job, asked: SimulateOptions) -> str:
    if job.player is not None:
        return f"player {job.player}"
    if asked.strategy is not None:
        return f"the chart {asked.strategy}"
    if asked.resume is not None:
        return "the chart saved in the run"
    return "the best chart by totals"


def _say_how_to_go_on(run: Run, asked: SimulateOptions) -> None:
    path = asked.resume or asked.output
    if path is None:
        how = "nothing is saved without -o FILE"
    else:
        how = f"go on with: upcard simulate --resume {path}"
    click.echo(f"interrupted after {run.rounds:,} rounds; {how}", err=True)
