"""`upcard ramp`: bets by count, the best ramp and its risk, from one simulation; its tables."""

import math
from collections.abc import Iterator
from typing import Any

import click

from upcard.analysis import count_rows
from upcard.answers import ramp_report, run_results
from upcard.answers.asked.bets.bet_terms import BetTerms
from upcard.cli import options, output
from upcard.cli.questions import form_options, read_form
from upcard.core.numbers import with_error


@click.command(
    "ramp",
    epilog="\b\nExamples:\n"
    "  upcard simulate --rounds 100M --count hi-lo -o run.json\n"
    "  upcard ramp run.json --spread 1-12 --bankroll 10000 --risk 5%\n"
    "  upcard ramp run.json --spread 1-12 --wong best --bankroll 10000 --chip 5\n"
    "  upcard ramp run.json --ramp 1-8 --unit 10 --bankroll 5000 --hours 20 --goal 2000",
)
@click.argument("path", metavar="RUN.json")
@form_options(BetTerms)
@options.flag("--explain", "Show every formula with its inputs and source.")
@options.table_options
def ramp_command(path: str, *, explain: bool, form: output.Form, **given: Any) -> None:
    """Compute from one run, without simulating, what bets by count win and risk.

    The default is the run's own ramp, or else the best ramp with a spread of 1-8. Two of bankroll,
    unit and risk (or Kelly fraction) determine the third; if only one is given, the risk is that of
    full Kelly bets, 13.5 %. Amounts are in the money of --unit or --bankroll, or in units if
    neither is given.
    """
    if explain and form.as_json:
        msg = "--explain with --json: the JSON has every formula, its numbers and its source"
        raise click.UsageError(msg)
    run = count_rows.read_run(path)
    terms = read_form(BetTerms, given).given()
    is_best = "chip" in terms or "levels" in terms
    bets = run.choose_bets(
        ramp=terms.pop("ramp", None), spread=terms.pop("spread", None), is_best=is_best
    )
    question = ramp_report.read_question(**bets, **terms)
    answer = ramp_report.answer_ramp(run, question)

    def write() -> None:
        echo_answer(answer)
        if explain:
            echo_explanations(answer)

    form.write(write, answer.to_json, lambda: [answer.table()])


def echo_answer(answer: ramp_report.RampAnswer) -> None:
    """Write the run, the table by count, the ramp and its figures."""
    run, game = answer.run, answer.run.game
    job, deviations = run.job, run.job.deviations
    indices = "none" if deviations is None else (deviations.name or "of your own")
    output.echo_heading(output.describe(job.rules), run.system.title)
    spots = "" if job.spots == 1 else f" on {job.spots} spots"
    seat = run_results.describe_seat(job)
    rounds = f"{game.seen:,} rounds{spots} of {game.shoes:,} shoes, seed {job.seed}"
    output.echo_topic("Run", f"{rounds}, indices {indices}{'; ' if seat else ''}{seat}")
    edge = with_error(-100 * game.flat_ev, 100 * game.flat_error, "%")
    title, plays = "House edge", ""
    if deviations is not None:  # they are part of what the player wins, not of the game
        title, plays = "Edge with plays", f" by the index plays {indices}"
    words = f"{edge} of the first bets{plays}, betting the same in every round"
    output.echo_topic(title, words)
    output.echo_topics(_tell_plans(answer))
    output.echo_topics(("Note", note) for note in answer.all_notes())
    table = ramp_report.tabulate_counts(answer)
    click.echo(f"\n{table.title}:")
    output.echo_table(table)
    _echo_figures(answer)


def _tell_plans(answer: ramp_report.RampAnswer) -> Iterator[tuple[str, str]]:
    question = answer.question
    for plan in answer.told:
        yield "Ramp", f"{plan.choice}: {plan.words}"
        yield "For --ramp", plan.ramp
    plan, *in_chips = answer.told
    if ramp_report.has_money(question):
        reason = "" if question.unit is not None else f", which begins as {plan.kelly_text}"
        for other in in_chips:
            if other.unit != plan.unit:
                reason += f"; in whole chips {other.unit_text} (--unit)"
        yield "Unit", f"{plan.unit_text}{reason}"
    else:
        yield "Unit", "amounts are in units; --unit or --bankroll makes them money"
    if math.isfinite(plan.bankroll):
        reason = f", for which the bets are {plan.kelly_text}"
        yield "Bank", plan.bankroll_text + ("" if question.bankroll is not None else reason)
    yield "Pace", f"{question.rounds_per_hour:,g} rounds seen an hour, those sat out counted too"


def _echo_figures(answer: ramp_report.RampAnswer) -> None:
    click.echo("\nResults of the ramp (± is one standard error):")
    rows = []
    if len(answer.told) > 1:
        rows.append(["", *(plan.title for plan in answer.told)])
    for name in answer.told[0].shown:
        title = answer.told[0].figures[name].title
        rows.append([title, *(plan.text(name) for plan in answer.told)])
    output.echo_columns(rows)


def echo_explanations(answer: ramp_report.RampAnswer) -> None:
    """Write each formula, its inputs, the result and the source."""
    for plan in answer.told:
        many = f", {plan.title}" if len(answer.told) > 1 else ""
        click.echo(f"\nHow the figures are found{many} (N is the normal distribution function):")
        for figure in map(plan.figures.__getitem__, plan.shown):
            output.echo_text(f"\n{figure.title}: {figure.text}\n")
            output.echo_topic("  formula", figure.formula)
            if figure.inputs:
                inputs = (f"{name} = {value:.8g}" for name, value in figure.inputs.items())
                output.echo_topic("  put in", ", ".join(inputs))
            output.echo_topic("  source", figure.source)
