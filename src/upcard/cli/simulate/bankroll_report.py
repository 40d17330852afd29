"""Output of `upcard bankroll`: tables, a histogram and CSV."""

import math
from collections.abc import Iterator
from typing import Final

import click
import numpy as np

from upcard.analysis.figures import Kind, write_value
from upcard.analysis.ruin_paths import PathsAnswer, Share
from upcard.answers.run_results import describe_seat
from upcard.charts.palette import choose_step
from upcard.cli import output
from upcard.core.numbers import with_error
from upcard.kernels.rounds.bank_walk import AT_GOAL, PLAYING, RUINED

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
    title = "flat bets" if job.system is None else job.system.title
    output.echo_heading(output.describe(job.rules), title)
    if job.deviations is not None:
        output.echo_topic("Index plays", job.deviations.name or "of your own")
    if seat := describe_seat(job):
        output.echo_topic("Wonging", seat)
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
        f"{betting.rounds:,}: EV {with_error(betting.ev, betting.standard_error)} and SD"
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
            moved, z = each.moved.text, f"{each.moved_z:+.1f}"
        cells = (write_share(each.simulated), each.formula.text, f"{each.z:+.1f}")
        rows.append((each.title, *cells, moved, z))
    rows.append(("Neither" if len(rows) > 2 else "Not ruined", write_share(answer.undecided)))
    output.echo_columns([(*row, "", "", "", "")[:6] for row in rows])
    low, high = answer.ruined.interval
    click.echo()
    output.echo_topic(
        "95% interval", f"the simulated risk of ruin is between {low:.3%} and {high:.3%}"
    )
    unlimited = (f"{each.text} {each.title}" for each in answer.unlimited)
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
