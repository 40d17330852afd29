"""`upcard bankroll`: paths of a bank with bets by the count, compared with the formulas."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import click
import numpy as np

from upcard._version import __version__
from upcard.analysis.figures import Kind
from upcard.analysis.ramp_report import write_figure, write_value
from upcard.analysis.ruin_paths import PathsAnswer, Share
from upcard.charts.palette import choose_step
from upcard.cli import options, output
from upcard.cli.progress import show_steps
from upcard.cli.simulate.command import amount_option, check_files
from upcard.core.errors import NotationError, RulesError, quote
from upcard.core.numbers import exact_number
from upcard.kernels.rounds.bank_walk import AT_GOAL, PLAYING, RUINED
from upcard.simulation.job import KERNEL_VERSION, Engine, Job, make_job, read_ramp

if TYPE_CHECKING:
    from upcard.simulation.bank_paths import BankPlan
    from upcard.strategy.ramp import BetRamp


_BINS: Final = 10
_BAR: Final = 44
_TAIL: Final = 0.01
"""Share of the banks at each end that is shown together."""
_ENDINGS: Final = {PLAYING: "time", RUINED: "ruined", AT_GOAL: "goal"}
_CSV_COLUMNS: Final = ("path", "ending", "rounds", "final", "lowest", "highest")
_SPREADS: Final = {
    "final": "Bank at the end",
    "lowest": "Lowest point",
    "highest": "Highest point",
    "rounds": "Rounds",
    "rounds_to_ruin": "Rounds to ruin",
    "rounds_to_goal": "Rounds to the goal",
}


def echo_answer(answer: PathsAnswer, *, hours: str | None) -> None:
    """Write the plan, the simulated risk and the formulas, the spreads and a histogram."""
    _echo_plan(answer, hours)
    _echo_comparisons(answer)
    _echo_spreads(answer)
    _echo_histogram(answer)


def _echo_plan(answer: PathsAnswer, hours: str | None) -> None:
    plan = answer.paths.plan
    job, betting = plan.job, answer.betting
    title = "bet flat" if job.system is None else job.system.title
    output.echo_heading(output.describe(job.rules), title)
    if job.deviations is not None:
        output.echo_topic("Index plays", job.deviations.name or "of your own")
    if job.enter is not None or job.leave is not None:
        enter = "seated from the start" if job.enter is None else f"sits down at {job.enter}"
        leave = "stays" if job.leave is None else f"gets up below {job.leave}"
        output.echo_topic("Wonging", f"{enter}, {leave}")
    ramp = "1 unit in every round" if plan.ramp is None else f"{plan.ramp} (count:units)"
    spots = "" if job.spots == 1 else f" on each of {job.spots} spots"
    output.echo_topic("Bets", f"{ramp}, a unit of {float(plan.unit):,.10g}{spots}")
    goal = "" if plan.goal is None else f"; the goal is to win {float(plan.goal):,.10g}"
    output.echo_topic("Bank", f"{float(plan.bankroll):,.10g}{goal}")
    time = "" if hours is None else f" ({hours})"
    output.echo_topic(
        "Paths", f"{plan.paths:,} of at most {plan.rounds:,} rounds{time}, seed {job.seed}"
    )
    output.echo_topic(
        "Rounds dealt",
        f"{betting.rounds:,}: EV {_with_error(betting.ev, betting.standard_error)} and SD"
        f" {betting.sd:,.4g} a round, average bet {betting.average_bet.value:,.4g}",
    )
    output.echo_topic(
        "Ruined means",
        "the bank does not cover the bets before the deal that the count asks for; doubles, splits"
        " and insurance are always paid, so that it may end under 0",
    )


def _echo_comparisons(answer: PathsAnswer) -> None:
    click.echo(
        output.plain("\nSimulated, and by formula (± is one standard error, z their difference):")
    )
    rows: list[tuple[str, ...]] = [("", "simulated", "formula", "z", "barriers moved", "z")]
    for each in answer.comparisons:
        moved, z = ("-", "-")
        if each.moved is not None and each.moved_z is not None:
            moved, z = write_figure(each.moved), f"{each.moved_z:+.1f}"
        cells = (write_share(each.simulated), write_figure(each.formula), f"{each.z:+.1f}")
        rows.append((each.title, *cells, moved, z))
    rows.append(("Neither" if len(rows) > 2 else "Not ruined", write_share(answer.undecided)))
    output.echo_columns([(*row, "", "", "", "")[:6] for row in rows])
    low, high = answer.ruined.interval
    click.echo()
    output.echo_topic(
        "95% interval", f"the simulated risk of ruin is between {low:.3%} and {high:.3%}"
    )
    unlimited = (f"{write_figure(each)} {each.title}" for each in answer.unlimited)
    output.echo_topic("Without a limit", f"the formulas say {', '.join(unlimited)}")
    for note in answer.notes():
        output.echo_topic("Note", note)


def _echo_spreads(answer: PathsAnswer) -> None:
    click.echo()
    rows: list[tuple[str, ...]] = [("", "mean", "5%", "25%", "median", "75%", "95%")]
    for name, spread in answer.spreads.items():
        numbers = (spread.mean, *spread.quantiles)
        rows.append((_SPREADS[name], *(_write_amount(number) for number in numbers)))
    output.echo_columns(rows)


def _echo_histogram(answer: PathsAnswer) -> None:
    """Draw the number of paths by final bank, with separate rows for ruin and goal."""
    paths = answer.paths
    of = paths.plan.paths
    rows = [("ruined", answer.ruined.number)]
    left = paths.money(paths.final[paths.ending == PLAYING])
    if len(left):
        rows += list(_gather(left))
    if paths.plan.goal is not None:
        rows.append(("at the goal", answer.at_goal.number))
    most = max(number for _, number in rows)
    click.echo("\nPaths by the bank at the end:")
    lines = [
        (label, f"{number / of:.1%}", "█" * math.ceil(_BAR * number / most))
        for label, number in rows
    ]
    output.echo_columns(lines, left=(2,))


def _gather(banks: np.ndarray[tuple[int], np.dtype[np.float64]]) -> Iterator[tuple[str, int]]:
    """Count banks in steps of 1, 2 or 5 with zeros; outliers go into the last steps."""
    low, high = (float(each) for each in np.quantile(banks, (_TAIL, 1 - _TAIL)))
    step = choose_step((high - low) / _BINS)
    first, last = math.floor(low / step), max(math.floor(high / step), math.floor(low / step))
    places = np.clip(np.floor(banks / step).astype(int), first, last)
    for place in range(first, last + 1):
        start, end = f"{place * step:,.10g}", f"{(place + 1) * step:,.10g}"
        label = f"{start} to {end}"
        if place == first and float(banks.min()) < place * step:
            label = f"under {end}"
        elif place == last and float(banks.max()) >= (place + 1) * step:
            label = f"{start} and more"
        yield label, int((places == place).sum())


def write_share(share: Share) -> str:
    """Write a share of the paths with its binomial error, like other figures."""
    return write_value(Kind.SHARE, share.value, share.standard_error)


def write_paths(answer: PathsAnswer) -> str:
    """Write a CSV line per path."""
    paths = answer.paths
    columns = (paths.money(each) for each in (paths.final, paths.lowest, paths.highest))
    rows = enumerate(zip(paths.ending, paths.rounds, *columns, strict=True))
    return output.write_csv(
        [
            _CSV_COLUMNS,
            *(
                (number, _ENDINGS[int(ending)], int(rounds), *(f"{each:.12g}" for each in amounts))
                for number, (ending, rounds, *amounts) in rows
            ),
        ]
    )


def _write_amount(amount: float) -> str:
    return f"{amount + 0.0:,.0f}" if abs(amount) >= 1000 else f"{amount + 0.0:,.4g}"


def _with_error(value: float, error: float) -> str:
    digits = max(1 - math.floor(math.log10(error)), 0) if error > 0 else 6
    return f"{value:+,.{digits}f} ± {error:,.{digits}f}"


ROUNDS: Final = 100_000
_PACE: Final = Fraction(100)
_GAME: Final = ("house", "rules", "count", "indices", "spots", "enter", "leave")


def _read_money(written: str) -> Fraction:
    """Read an amount exactly."""
    number = exact_number(written.strip().replace(",", "").replace("_", ""))
    if number is None or number <= 0:
        raise NotationError(f"{quote(written)}: write a number over 0, such as 5000 or 2.5")
    return number


_money_option = partial(click.option, callback=options.reading(_read_money), metavar="N")


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
@_money_option("--rounds-per-hour", help="With --hours (default: 100).")
@amount_option("--paths", default="1000", help="Number of paths (default: 1,000).")
@options.seed_option
@options.workers_option
@options.file_option("--csv", help="Write a line per path to this file.")
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
        rounds=time,
        paths=paths,
    )
    answer = PathsAnswer(paths=_play(plan, workers))
    if as_json:
        output.echo_json(answer.to_json())
    else:
        pace = _PACE if rounds_per_hour is None else rounds_per_hour
        words = f"{float(hours):,.10g} hours of {float(pace):,.10g}" if hours is not None else None
        echo_answer(answer, hours=words)
    _write_files(answer, csv, plot)


def _choose_rounds(
    rounds: int | None, hours: Fraction | None, rounds_per_hour: Fraction | None
) -> int:
    if rounds_per_hour is not None and hours is None:
        raise click.UsageError("--rounds-per-hour says how long --hours are: give --hours too")
    if hours is None:
        return ROUNDS if rounds is None else rounds
    if rounds is not None:
        raise click.UsageError("--rounds and --hours: each is the limit of time, give one of them")
    number = hours * (_PACE if rounds_per_hour is None else rounds_per_hour)
    if number < 1:
        raise RulesError(f"{float(hours):g} hours are not one round: play longer")
    return int(number)


def _make_job(seed: int | None, game: dict[str, Any]) -> Job:
    settings = {name: game[name] for name in ("count", "indices", "enter", "leave")}
    rules, spots = options.choose_rules(game["house"], game["rules"]), game["spots"] or 1
    return make_job(rules, seed=seed, spots=spots, engine=Engine.KERNEL, **settings)


def _read_game(path: str, seed: int | None, game: dict[str, Any]) -> tuple[Job, BetRamp | None]:
    from upcard.simulation.run_state import load_run_document, naming_file, read_job, read_own_ramp

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
    """Play the paths; show the progress on a terminal."""
    from upcard.simulation.bank_paths import play_paths

    with show_steps("Paths", plan.paths) as watch:
        return play_paths(plan, workers=workers, watch=watch)


def _write_files(answer: PathsAnswer, csv: str | None, plot: str | None) -> None:
    if csv is not None:
        output.write_file(csv, write_paths(answer))
    if plot is None:
        return
    from upcard.charts.plot_data import read_paths_plot
    from upcard.charts.plots import draw_text, write_plot

    if plot != "-":
        write_plot(read_paths_plot(answer), plot)
        return
    click.echo()
    output.echo_text(draw_text(read_paths_plot(answer)))
