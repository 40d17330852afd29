"""`upcard ramp`: the value of bets by count, the best ramp and its risk, from one simulation."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Literal

import click

from upcard.analysis.plan import ROUNDS_PER_HOUR, RampQuestion, make_plans
from upcard.analysis.ramp_words import read_fraction, read_spread, read_wong
from upcard.analysis.report import RampAnswer, list_figures
from upcard.cli.bets import ramp_report
from upcard.cli.options import file_option, json_option
from upcard.cli.output import echo_json, write_file

if TYPE_CHECKING:
    from upcard.analysis.run_file import CountedRun

_number_option = partial(click.option, type=float, metavar="N")


def _read_wong(
    ctx: click.Context,  # noqa: ARG001 (click's signature)
    param: click.Parameter,  # noqa: ARG001
    text: str | None,
) -> int | Literal["best"] | None:
    return None if text is None else read_wong(text, "--wong")


def _read_share(
    ctx: click.Context,  # noqa: ARG001 (click's signature)
    param: click.Parameter,
    text: str | None,
) -> float | None:
    example = "5%" if param.name == "risk" else "1/2"
    return None if text is None else read_fraction(text, f"--{param.name}", example=example)


@click.command(
    "ramp",
    epilog="\b\nExamples:\n"
    "  upcard simulate --rounds 100M --count hi-lo -o run.json\n"
    "  upcard ramp run.json --spread 1-12 --bankroll 10000 --risk 5%\n"
    "  upcard ramp run.json --spread 1-12 --wong best --bankroll 10000 --chip 5\n"
    "  upcard ramp run.json --ramp 1-8 --unit 10 --bankroll 5000 --hours 20 --goal 2000",
)
@click.argument("path", metavar="RUN.json")
@click.option("--spread", metavar="A-B", help="Find the best ramp with this spread, such as 1-12.")
@click.option("--ramp", metavar="TEXT", help="Take this ramp: 1-8, 1,1,2,4,8, 1:1 2:4, or a file.")
@click.option(
    "--wong", callback=_read_wong, metavar="N|best", help="Bet only at counts of N or more."
)
@_number_option("--bankroll", help="Bankroll for the bets.")
@click.option("--risk", callback=_read_share, metavar="P", help="Target risk of ruin, such as 5%.")
@click.option(
    "--kelly", callback=_read_share, metavar="F", help="Target fraction of full Kelly, such as 1/2."
)
@_number_option("--unit", help="Value of a unit, the smallest bet.")
@_number_option("--chip", help="Find the best ramp in whole chips too.")
@_number_option("--goal", help="Stop after winning this amount.")
@_number_option("--hours", help="Stop after N hours.")
@_number_option(
    "--rounds-per-hour",
    default=ROUNDS_PER_HOUR,
    help="Rounds per hour, sat out or not (default: 100).",
)
@click.option("--explain", is_flag=True, help="Show every formula with its inputs and source.")
@file_option("--csv", help="Write the table by count to a file.")
@json_option
def command(  # noqa: PLR0913 (one parameter an option)
    path: str,
    *,
    spread: str | None,
    ramp: str | None,
    chip: float | None,
    explain: bool,
    csv: str | None,
    as_json: bool,
    **terms: Any,
) -> None:
    """Compute from one run, without simulating, what bets by count win and risk.

    The default is the run's own ramp, or else the best ramp with a spread of 1-8. Two of bankroll,
    unit and risk (or Kelly fraction) determine the third; if only one is given, the risk is that of
    full Kelly bets, 13.5 %. Amounts are in the money of --unit or --bankroll, or in units if
    neither is given.
    """
    from upcard.analysis.run_file import read_run

    if explain and as_json:
        msg = "--explain with --json: the JSON has every formula, its numbers and its source"
        raise click.UsageError(msg)
    run = read_run(path)
    question = RampQuestion(**_choose_bets(run, ramp, spread, chip), chip=chip, **terms)
    plans = make_plans(run.game, question)
    answer = RampAnswer(
        run=run,
        question=question,
        plans=tuple(plans),
        figures=tuple(tuple(list_figures(plan, question)) for plan in plans),
    )
    if csv is not None:
        write_file(csv, ramp_report.write_counts(answer))
    if as_json:
        echo_json(answer.to_json())
        return
    ramp_report.echo_answer(answer)
    if explain:
        ramp_report.echo_explanations(answer)


def _choose_bets(
    run: CountedRun, ramp: str | None, spread: str | None, chip: float | None
) -> dict[str, Any]:
    if ramp is not None and spread is not None:
        raise click.UsageError("give --ramp or --spread: a ramp as it is, or the best ramp")
    given = None if spread is None else read_spread(spread, "--spread")
    return run.choose_bets(ramp=ramp, spread=given, chip=chip)
