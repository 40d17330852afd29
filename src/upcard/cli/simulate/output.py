"""Output of `upcard simulate`: the headline, the table by count, the CSV."""

from __future__ import annotations

import math
import sys
from typing import Final

import click

from upcard.cli.output import (
    describe,
    echo_columns,
    echo_heading,
    echo_topic,
    write_csv,
    write_percent,
)
from upcard.simulation.executors import Device
from upcard.simulation.job import Engine
from upcard.simulation.run_state import Run, write_amount
from upcard.simulation.tally import CountEstimate, Estimate, estimate_counts

_RARE: Final = 0.0005
"""Counts at the ends with a smaller share of the rounds are shown together."""
_CSV_COLUMNS: Final = (
    *("count", "label", "rounds", "frequency", "ev", "standard_error", "standard_deviation"),
    *("added", "bet"),
)


def write_run(run: Run, *, chart: str, played: int, seconds: float, device: str | None) -> None:
    """Write the results of a run.

    `chart` names the player; this process `played` rounds in `seconds`.
    """
    echo_heading(describe(run.rules))
    _write_game(run, chart)
    if not run.rounds:
        echo_topic("Rounds", f"none yet, seed {run.seed}")
        return
    tally = run.tally
    sat_out = "" if tally.played == tally.seen else f", {tally.played:,} of them played"
    echo_topic("Rounds", f"{run.rounds:,}{sat_out}, seed {run.seed}")
    _write_values(run)
    flat = run.flat
    spots = "" if run.job.spots == 1 else f" over {run.job.spots} spots"
    echo_topic("SD of a round", f"{flat.standard_deviation:.4f} of a bet{spots}, bet flat")
    if run.ramp is not None:
        echo_topic("", f"{run.standard_deviation:.4f} units with the ramp")
    shoes = f"{tally.cards / run.rounds:.3f} a round"
    if tally.shoes and tally.shoes < run.rounds:
        shoes += f", {run.rounds / tally.shoes:.1f} rounds a shoe"
    echo_topic("Cards", shoes)
    _write_check(run)
    # Without a terminal the same run writes the same text.
    if seconds and sys.stdout.isatty():
        rate = write_amount(played / seconds)
        echo_topic(
            "Time", f"{seconds:.1f} s, {rate} rounds a second{_write_loop(run, played, device)}"
        )
    if run.job.system is not None:
        _write_counts(run)


def _write_loop(run: Run, played: int, device: str | None) -> str:
    """Write how the kernel played the rounds of this process, which changes no result."""
    if device == Device.CUDA:
        return ", on a CUDA device"
    if run.job.engine is Engine.TABLE:
        return ""
    from upcard.simulation.kernel_rounds import describe_loop

    before = run.rounds - played
    return ", " + describe_loop(run.job, run.goal.expected_rounds - before)


def _write_game(run: Run, chart: str) -> None:
    job = run.job
    indices = "" if job.deviations is None else f", with index plays {job.deviations.name or ''}"
    spots = "" if job.spots == 1 else f", at {job.spots} spots"
    echo_topic("Played by", f"{chart}{indices.rstrip()}{spots}")
    if job.system is not None:
        how = f"{job.system.by} count"
        if job.system.by == "true":
            how += f", {job.system.rounding}, decks left {job.system.decks_left}"
        echo_topic("Count", f"{job.system.title} ({how})")
    if job.enter is not None or job.leave is not None:
        enter = "seated from the start" if job.enter is None else f"sits down at {job.enter:+d}"
        leave = "stays" if job.leave is None else f"gets up under {job.leave:+d}"
        echo_topic("Wonging", f"{enter}, {leave}")
    if run.ramp is not None:
        echo_topic("Ramp", f"{run.ramp} (count:units)")
    if not run.is_complete:
        echo_topic("Unfinished", "these are the rounds so far")


def _write_values(run: Run) -> None:
    flat, dealt = run.flat, run.dealt
    if not flat.rounds:
        echo_topic("Expected value", "none: no round was played at these counts")
    else:
        echo_topic("Expected value", f"{_with_error(flat)} of the bet, bet flat")
    if run.tally.played == run.tally.seen:
        echo_topic("House edge", f"{write_percent(-flat.ev, sign='')}")
    else:
        edge = write_percent(-dealt.ev, sign="")
        error = write_percent(dealt.standard_error, sign="")
        echo_topic("House edge", f"{edge} ± {error} over all rounds dealt")
    if run.ramp is not None:
        echo_topic("With the ramp", f"{_with_error(run.quoted)} of a unit for each round dealt")


def _with_error(estimate: Estimate) -> str:
    return f"{write_percent(estimate.ev)} ± {_write_error(estimate)}"


def _write_error(estimate: Estimate, digits: int = 5) -> str:
    error = estimate.standard_error
    return "?" if math.isnan(error) else write_percent(error, digits, sign="")


def _write_check(run: Run) -> None:
    if not run.is_complete:
        return
    check = run.check
    if check.exact_ev is None:
        echo_topic("Exact value", f"none to check by: {check.reason}")
        return
    exact = write_percent(check.exact_ev)
    if check.difference is None or check.standard_error is None:
        echo_topic("Exact value", exact)
        return
    gap = f"{write_percent(check.difference)} ± " + write_percent(check.standard_error, sign="")
    if not check.is_fresh:
        echo_topic("Exact value", f"{exact} for the first round of a shoe")
        what = (
            "what playing on until the cut card changes"
            if check.is_told_from_chance
            else "under two standard errors, so not distinguishable from chance"
        )
        echo_topic("Cut-card effect", f"{gap}: {what}")
        return
    z = "" if check.z is None else f", z = {check.z:+.2f}"
    echo_topic("Exact value", f"{exact}; simulated less exact {gap}{z}")
    if check.is_suspicious:
        echo_topic(
            "WARNING",
            "the two differ by more than 4 standard errors: chance does that once in 16,000"
            " runs, so one of the two is probably wrong. Please report it.",
        )


def _write_counts(run: Run) -> None:
    rows = estimate_counts(run.tally)
    if not rows:
        return
    click.echo("\nBy count before the deal, in percent of the bet, bet flat:")
    lines = [("count", "rounds", "EV", "±", *(() if run.ramp is None else ("bet",)))]
    first, last = _shown_range(rows)
    lines.extend(
        (
            row.label,
            write_percent(row.share, 3, sign=""),
            write_percent(row.flat.ev, 3).rstrip("%"),
            _write_error(row.flat, 3).rstrip("%"),
            *(() if run.ramp is None else (str(run.ramp.bet(row.count)),)),
        )
        for row in rows[first:last]
    )
    echo_columns(lines, left=())
    low = math.fsum(row.share for row in rows[:first])
    high = math.fsum(row.share for row in rows[last:])
    if low or high:
        click.echo(
            f"  and {write_percent(low, 3, sign='')} at lower counts,"
            f" {write_percent(high, 3, sign='')} at higher ones: --csv has all of them."
        )


def _shown_range(rows: list[CountEstimate]) -> tuple[int, int]:
    common = [place for place, row in enumerate(rows) if row.share >= _RARE]
    return (common[0], common[-1] + 1) if common else (0, len(rows))


def format_counts(run: Run) -> str:
    """Write the table by count as CSV, a row per count that occurred, with unrounded shares."""
    rows = estimate_counts(run.tally) if run.rounds else ()
    return write_csv([_CSV_COLUMNS, *(_csv_row(run, row) for row in rows)])


def _csv_row(run: Run, row: CountEstimate) -> tuple[object, ...]:
    error, deviation = (
        "" if math.isnan(number) else repr(number)
        for number in (row.flat.standard_error, row.flat.standard_deviation)
    )
    bet = 1 if run.ramp is None else run.ramp.bet(row.count)
    known = (row.count, row.label, row.flat.rounds, repr(row.share), repr(row.flat.ev))
    return (*known, error, deviation, repr(row.added), bet)
