"""Output of `upcard ramp`: figures, tables and formulas."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

import click

from upcard.analysis.count_rows import merge_rows
from upcard.analysis.measures import risk_of_kelly
from upcard.analysis.metrics import Kind
from upcard.analysis.report import BY_COUNT, HUNDRED, tell_count
from upcard.cli.output import describe, echo_columns, echo_heading, echo_topic, write_csv

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction

    from upcard.analysis.count_rows import CountedGame, CountRow
    from upcard.analysis.metrics import Figure
    from upcard.analysis.plan import RampPlan
    from upcard.analysis.report import RampAnswer

_MOST_DIGITS: Final = 8
_TABLE_DIGITS: Final = 3
_RARE: Final = 0.001
"""Share of all rounds below which counts are shown together; the files have all counts."""
_THOUSANDS: Final = 10_000
_LEAST_SHARE: Final = 1e-8
"""Smaller chances are shown as less than this."""


def echo_answer(answer: RampAnswer) -> None:
    """Write the run, the table by count, the ramp and its figures."""
    run, game = answer.run, answer.run.game
    job = run.job
    echo_heading(describe(job.rules), run.system.title)
    spots = "" if job.spots == 1 else f" on {job.spots} spots"
    echo_topic(
        "Run",
        f"{game.seen:,} rounds{spots} of {game.shoes:,} shoes, seed {job.seed}, indices"
        f" {_name_deviations(answer)}{_name_seat(answer)}",
    )
    edge = _with_error(-100 * game.flat_ev, 100 * game.flat_error, "%")
    echo_topic("House edge", f"{edge} of the first bets, betting the same in every round")
    _echo_plans(answer)
    echo_topic(
        "Pace",
        f"{answer.question.rounds_per_hour:,g} rounds seen an hour, those sat out counted too",
    )
    for note in answer.notes():
        echo_topic("Note", note)
    _echo_counts(answer)
    _echo_figures(answer)


def _name_deviations(answer: RampAnswer) -> str:
    deviations = answer.run.job.deviations
    return "none" if deviations is None else (deviations.name or "of your own")


def _name_seat(answer: RampAnswer) -> str:
    job = answer.run.job
    words = []
    if job.enter is not None:
        words.append(f"sits down at {job.enter}")
    if job.leave is not None:
        words.append(f"gets up below {job.leave}")
    return f"; {' and '.join(words)}" if words else ""


def _echo_plans(answer: RampAnswer) -> None:
    question, game = answer.question, answer.run.game
    for plan in answer.plans:
        best = "" if question.ramp is not None else f"best for a spread of 1-{question.spread:g}"
        if best and plan.title == "whole chips":
            best += f" in chips of {plan.unit:,.10g}"
        best = best or "as given"
        where = f", played at {game.rows[plan.first].count} and more" if plan.first else ""
        echo_topic("Ramp", f"{best}{where}: {write_ramp(plan)}")
    plan = answer.plans[0]
    if question.unit is not None or question.bankroll is not None:
        reason = "" if question.unit is not None else f", which begins as {_name_kelly(plan.kelly)}"
        echo_topic("Unit", f"{plan.unit:,.6g}{reason}")
    else:
        echo_topic("Unit", "amounts are in units; --unit or --bankroll makes them money")
    if math.isfinite(plan.bankroll):
        reason = f", for which the bets are {_name_kelly(plan.kelly)}"
        reason = "" if question.bankroll is not None else reason
        echo_topic("Bank", f"{plan.bankroll:,.10g}{reason}")


def _name_kelly(kelly: float) -> str:
    fraction = "full Kelly" if kelly == 1 else f"{kelly:.4g} of full Kelly"
    return f"{fraction}: a risk of ruin of {100 * risk_of_kelly(kelly=kelly):.4g}%"


def write_ramp(plan: RampPlan) -> str:
    """Write a ramp as `--ramp` reads it, in decimals where they are exact."""
    ramp = plan.ramp
    pairs = [(ramp.least, ramp.bets[0])]
    for count, bet in enumerate(ramp.bets[1:], start=ramp.least + 1):
        if bet != pairs[-1][1]:
            pairs.append((count, bet))
    return " ".join(f"{count}:{_write_bet(bet)}" for count, bet in pairs)


def _write_bet(bet: Fraction) -> str:
    text = f"{float(bet):.10g}"
    return text if float(text) == bet or 1000 % bet.denominator == 0 else str(bet)


def _echo_counts(answer: RampAnswer) -> None:
    game, plans = answer.run.game, answer.plans
    has_money = plans[0].unit != 1
    many = answer.run.job.spots > 1
    bets = f"a unit on each of {answer.run.job.spots} spots" if many else "at one unit a spot"
    error = "± a standard error" if many else "± is one standard error"
    click.echo(f"\nBy count before the deal, {bets} ({error}):")
    # Cents do not matter for bets of thousands, and the table is 80 columns wide.
    decimals = 2 if max(plans[0].betting.bets) < _THOUSANDS else 0
    # Of a unit, over all spots: `upcard simulate` shows percent of a bet.
    of = ", all spots" if many else ""
    header = ["count", "rounds %", f"EV %{of}", f"SD{of}", "bet"]
    if has_money:
        header.append("money")
    header += ["in chips"] * (len(plans) - 1)
    rows = [header]
    for place, row in _gather_rare(answer):
        share = 100 * game.frequency(row)
        cells = [
            row.label,
            _with_error(share, 100 * game.frequency_error(row), most=_TABLE_DIGITS),
            _with_error(100 * row.ev, 100 * row.standard_error, most=_TABLE_DIGITS)
            if row.rounds
            else "-",
            f"{row.sd:.3f}" if row.rounds else "-",
            f"{plans[0].betting.bets[place] / plans[0].unit:.4g}",
        ]
        if has_money:
            cells.append(f"{plans[0].betting.bets[place]:,.{decimals}f}")
        cells += [f"{plan.betting.bets[place]:,.10g}" for plan in plans[1:]]
        rows.append(cells)
    echo_columns(rows)


def _gather_rare(answer: RampAnswer) -> list[tuple[int, CountRow]]:
    """Merge the rare counts of both ends, as far as their bets are the same."""
    game, rows = answer.run.game, answer.run.game.rows
    bets = list(zip(*(plan.betting.bets for plan in answer.plans), strict=True))
    low, high = _count_rare(game, rows, bets), _count_rare(game, rows[::-1], bets[::-1])
    if low + high >= len(rows):
        return list(enumerate(rows))
    last = len(rows) - high
    shown = list(enumerate(rows))[low:last]
    if low:
        shown[0] = (low, merge_rows(rows[: low + 1], f"<= {rows[low].count}"))
    if high:
        count = rows[last - 1].count
        shown[-1] = (last - 1, merge_rows(rows[last - 1 :], f">= {count}"))
    return shown


def _count_rare(
    game: CountedGame, rows: Sequence[CountRow], bets: Sequence[tuple[float, ...]]
) -> int:
    """Count the rows of an end that are merged into the next one."""
    share, number = 0.0, 0
    for place, row in enumerate(rows[:-1]):
        share += game.frequency(row)
        if share >= _RARE or bets[place + 1] != bets[0]:
            break
        number = place + 1
    return number


def _echo_figures(answer: RampAnswer) -> None:
    click.echo("\nResults of the ramp (± is one standard error):")
    rows = []
    named = [
        {figure.name: figure for figure in _shown(answer, place)}
        for place in range(len(answer.plans))
    ]
    if len(answer.plans) > 1:
        rows.append(["", *(plan.title for plan in answer.plans)])
    for figure in named[0].values():
        cells = [write_figure(each[figure.name]) if figure.name in each else "-" for each in named]
        rows.append([figure.title, *cells])
    echo_columns(rows)


def _shown(answer: RampAnswer, place: int) -> list[Figure]:
    """Leave out the figures of an hour of 100 rounds, which equal those of 100 rounds."""
    same = answer.question.rounds_per_hour == HUNDRED
    left_out = ("ev_per_hour", "sd_per_hour") if same else ()
    return [figure for figure in answer.figures[place] if figure.name not in left_out]


def echo_explanations(answer: RampAnswer) -> None:
    """Write each formula, its inputs, the result and the source."""
    for place, plan in enumerate(answer.plans):
        many = f", {plan.title}" if len(answer.plans) > 1 else ""
        click.echo(f"\nHow the figures are found{many} (N is the normal distribution function):")
        for figure in _shown(answer, place):
            click.echo(f"\n{figure.title}: {write_figure(figure)}")
            echo_topic("  formula", figure.text)
            if figure.inputs:
                inputs = (f"{name} = {value:.8g}" for name, value in figure.inputs)
                echo_topic("  put in", ", ".join(inputs))
            echo_topic("  source", figure.source)


def write_figure(figure: Figure) -> str:
    """Write a figure with its error."""
    return write_value(figure.kind, figure.value, figure.standard_error)


def write_value(kind: Kind, value: float, error: float | None) -> str:
    """Write a value of a kind with its error."""
    if math.isinf(value):
        return "never" if kind is Kind.ROUNDS else "no bank is enough"
    if kind is not Kind.SHARE:
        return _with_error(value, error)
    if 0 < value < _LEAST_SHARE:
        return f"< {100 * _LEAST_SHARE:.6f}%"
    return _with_error(100 * value, None if error is None else 100 * error, "%")


def _with_error(
    value: float, error: float | None, suffix: str = "", *, most: int = _MOST_DIGITS
) -> str:
    """Write a value to the second digit of its error, or to the `most` digits."""
    if error is None or not math.isfinite(error) or error < 10**-_MOST_DIGITS:
        return f"{value:,.4g}{suffix}"
    digits = min(max(1 - math.floor(math.log10(error)), 0), most)
    if error < 10**-most / 2:
        return f"{round(value, digits) + 0.0:,.{digits}f}{suffix}"
    return f"{round(value, digits) + 0.0:,.{digits}f}{suffix} ± {error:,.{digits}f}{suffix}"


def write_counts(answer: RampAnswer) -> str:
    """Write the table by count as CSV, a line per count, with each ramp's bets."""
    game = answer.run.game
    lines: list[Sequence[str]] = [
        (
            *("count", "rounds", "rounds_played", "frequency", "frequency_standard_error"),
            *BY_COUNT,
            *["bet", "bet_in_chips"][: len(answer.plans)],
        )
    ]
    for place, row in enumerate(game.rows):
        numbers = (
            *(game.frequency(row), game.frequency_error(row)),
            *tell_count(row).values(),
            *(plan.betting.bets[place] for plan in answer.plans),
        )
        whole = (row.count, row.seen, row.rounds)
        lines.append([*map(str, whole), *(f"{number:.12g}" for number in numbers)])
    return write_csv(lines)
