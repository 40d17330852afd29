"""`upcard bankroll`: paths of a bank with bets by the count, compared with the formulas."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import click

from upcard._version import __version__
from upcard.answers.run_results import describe_seat
from upcard.charts import plot_data
from upcard.cli import options, output, progress
from upcard.cli.simulate.command import amount_option, check_files, draw_plot
from upcard.core import figure, numbers
from upcard.core.errors import RulesError
from upcard.core.number_texts import read_number
from upcard.simulation.job import KERNEL_VERSION, Engine, Job, make_job, read_ramp
from upcard.simulation.run_state import load_run_document, naming_file, read_job, read_own_ramp
from upcard.store.money import load_pace
from upcard.strategy.ramp import BetRamp

if TYPE_CHECKING:
    from upcard.analysis.ruin_paths import PathsAnswer
    from upcard.simulation.bank_paths import BankPlan


_BAR: Final = 44
_GAME: Final = ("house", "rules", "count", "indices", "spots", "enter", "leave")


_money_option = partial(
    click.option, callback=options.reading(partial(read_number, over=0)), metavar="N"
)


@click.command(
    "bankroll",
    epilog="\b\nExamples:\n"
    "  upcard bankroll --count hi-lo --ramp 1-8 --unit 10 --bankroll 5000 --seed 1\n"
    "  upcard bankroll --count hi-lo --ramp 1-12 --bankroll 400 --goal 400 --paths 5000\n"
    "  upcard bankroll RUN.json --ramp 1-8 --bankroll 500 --hours 200 --plot paths.svg\n"
    '  upcard bankroll --rules "6D" --bankroll 100 --rounds 1k --plot -',
)
@click.argument("file", metavar="[RUN.json]", required=False)
@options.rules_options
@options.count_option
@options.ramp_option
@options.indices_option
@options.seat_options
@_money_option("--unit", default="1", help="Value of a unit (default: 1).")
@_money_option("--bankroll", required=True, help="Starting bankroll.")
@_money_option("--goal", help="Stop after winning this amount.")
@amount_option("--rounds", help="Stop after N rounds, sat out or not (default: 100,000).")
@_money_option("--hours", help="Stop after N hours.")
@_money_option("--rounds-per-hour", help="With --hours (default: as in upcard money).")
@amount_option("--paths", default="1000", help="Number of paths (default: 1,000).")
@options.seed_option
@options.workers_option
@options.file_option("--csv", help="Write a line per path as CSV; - is the screen.")
@options.file_option(
    "--plot", help="Draw the paths: a file .svg, .png or .txt, or - for the screen."
)
@options.cache_option
@options.json_option
def bankroll_command(  # noqa: PLR0913 (one parameter an option)
    file: str | None,
    *,
    ramp: str | None,
    unit: Fraction,
    bankroll: Fraction,
    goal: Fraction | None,
    rounds: int | None,
    hours: Fraction | None,
    rounds_per_hour: Fraction | None,
    paths: int,
    seed: int | None,
    workers: int | None,
    csv: str | None,
    plot: str | None,
    as_json: bool,
    **game: Any,
) -> None:
    """Simulate a bankroll round by round, and compare the risk of ruin with the formulas.

    A path ends when it is ruined, at the goal or after its time. It is ruined when the bankroll
    does not cover the bets that the count requires before the deal. Bets are never resized. Amounts
    are in the money of --unit, or in units. The game is that of the options, or that of RUN.json
    with its ramp and seed; path K plays the rounds of chunk K of a run with the same seed. The
    formulas get EV and variance from the same rounds.
    """
    from upcard.analysis.ruin_paths import PathsAnswer
    from upcard.simulation.bank_paths import BankPlan

    check_files(csv, plot, as_json=as_json)
    time = _choose_rounds(rounds, hours, rounds_per_hour)
    job, own = (_make_job(seed, game), None) if file is None else _read_game(file, seed, game)
    plan = BankPlan(
        job=job,
        ramp=own if ramp is None else read_ramp(ramp, job),
        bankroll=bankroll,
        unit=unit,
        goal=goal,
        paths=paths,
        **({} if time is None else {"rounds": time}),
    )
    answer = PathsAnswer(paths=_play(plan, workers))
    if as_json:
        output.echo_json(answer.to_json())
    elif csv != "-":
        pace = load_pace().hands_per_hour if rounds_per_hour is None else rounds_per_hour
        words = f"{float(hours):,.10g} hours of {float(pace):,.10g}" if hours is not None else None
        _echo_answer(answer, hours=words)
    _write_files(answer, csv, plot)


def _choose_rounds(
    rounds: int | None, hours: Fraction | None, rounds_per_hour: Fraction | None
) -> int | None:
    if rounds_per_hour is not None and hours is None:
        raise click.UsageError("--rounds-per-hour says how long --hours are: give --hours too")
    if hours is None:
        return rounds
    if rounds is not None:
        raise click.UsageError("--rounds and --hours: each is the limit of time, give one of them")
    number = hours * (load_pace().hands_per_hour if rounds_per_hour is None else rounds_per_hour)
    if number < 1:
        raise RulesError(f"{float(hours):g} hours are not one round: play longer")
    return int(number)


def _make_job(seed: int | None, game: dict[str, Any]) -> Job:
    settings = {name: game[name] for name in ("count", "indices", "enter", "leave")}
    rules = options.choose_rules(game["house"], game["rules"])
    return make_job(rules, seed=seed, spots=game["spots"], engine=Engine.KERNEL, **settings)


def _read_game(path: str, seed: int | None, game: dict[str, Any]) -> tuple[Job, BetRamp | None]:
    given = [name for name in _GAME if game[name] is not None]
    if given:
        msg = f"--{given[0]} with {path}: the run says which game is played; leave one of them out"
        raise click.UsageError(msg)
    document = load_run_document(path)
    # No round of the run is reused, so its version does not matter.
    with naming_file(path):
        job = read_job(document)
        ramp = read_own_ramp(document, job)
    changes = {} if seed is None else {"seed": seed}
    return job.replace(version=__version__, kernel_version=KERNEL_VERSION, **changes), ramp


def _play(plan: BankPlan, workers: int | None) -> Any:  # noqa: ANN401 (typed where it is heavy)
    from upcard.simulation.bank_paths import play_paths

    with progress.show_steps("Paths", plan.paths) as watch:
        return play_paths(plan, workers=workers, watch=watch)


def _echo_answer(answer: PathsAnswer, *, hours: str | None) -> None:
    from upcard.answers.bank_report import count_ends, tabulate_spreads

    system = answer.paths.plan.job.system
    title = "flat bets" if system is None else system.title
    output.echo_heading(output.describe(answer.paths.plan.job.rules), title)
    output.echo_topics(_describe(answer, hours))
    comparisons = answer.table()
    click.echo(output.plain(f"\n{comparisons.title}:"))
    output.echo_table(comparisons)
    low, high = answer.ruined.interval
    click.echo()
    risk = f"the simulated risk of ruin is between {low:.3%} and {high:.3%}"
    output.echo_topic("95% interval", risk)
    unlimited = (f"{each.text} {each.title}" for each in answer.unlimited)
    output.echo_topic("Without a limit", f"the formulas say {', '.join(unlimited)}")
    output.echo_topics(("Note", note) for note in answer.notes())
    click.echo()
    output.echo_table(tabulate_spreads(answer))
    ends, of = count_ends(answer), answer.paths.plan.paths
    most = max(number for _, number in ends)
    click.echo("\nPaths by the bank at the end:")
    lines = [
        (label, f"{number / of:.1%}", "█" * math.ceil(_BAR * number / most))
        for label, number in ends
    ]
    output.echo_columns(lines, left=(2,))


def _describe(answer: PathsAnswer, hours: str | None) -> Iterator[tuple[str, str]]:
    plan, betting = answer.paths.plan, answer.betting
    job = plan.job
    if job.deviations is not None:
        note = job.deviations.note_game(job.rules)
        yield "Index plays", (job.deviations.name or "of your own") + (f". {note}" if note else "")
    if seat := describe_seat(job):
        yield "Wonging", seat
    ramp = "1 unit in every round" if plan.ramp is None else f"{plan.ramp} (count:units)"
    spots = "" if job.spots == 1 else f" on each of {job.spots} spots"
    yield "Bets", f"{ramp}, a unit of {float(plan.unit):,.10g}{spots}"
    goal = "" if plan.goal is None else f"; the goal is to win {float(plan.goal):,.10g}"
    yield "Bank", f"{float(plan.bankroll):,.10g}{goal}"
    rounds = f"{plan.rounds:,} rounds" + ("" if hours is None else f" ({hours})")
    yield "Paths", f"{plan.paths:,} of at most {rounds}, seed {job.seed}"
    ev = numbers.with_error(betting.ev, betting.standard_error)
    average = f"average bet {betting.average_bet.value:,.4g}"
    yield "Rounds dealt", f"{betting.rounds:,}: EV {ev} and SD {betting.sd:,.4g} a round, {average}"
    later = "doubles, splits and insurance are always paid, so that it may end under 0"
    short = "the bank does not cover the bets before the deal that the count asks for"
    yield "Ruined means", f"{short}; {later}"


def _write_files(answer: PathsAnswer, csv: str | None, plot: str | None) -> None:
    if csv is not None:
        from upcard.answers.bank_report import list_paths

        output.write_file(csv, figure.write_csv(list_paths(answer)))
    if plot is not None:
        draw_plot(plot_data.read_paths_plot(answer), plot)
