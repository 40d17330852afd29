"""`upcard indices`: the counts from which to deviate from the chart, for any rules."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final

import click

from upcard.cli import options, output, progress, streams
from upcard.cli.simulate.command import amount_option, choose_rounding
from upcard.strategy.count_system import CountBy, load_system

if TYPE_CHECKING:
    from upcard.analysis.indices.plays import Gain
    from upcard.analysis.indices.rows import Indices

_UNKNOWN: Final = "?"


@click.command(
    "indices",
    epilog='\b\nExamples:\n  upcard indices --rules "6D LS" --count hi-lo -o mine.txt\n'
    "  upcard indices --rules 2D --plays i18 --ramp 1-8\n"
    "  upcard indices --method exact --ramp 1-12 --learn 10 --card card.html\n"
    "  upcard indices --ramp 1-12 --bankroll 1000 --plays i18\n"
    '  upcard indices --method exact --plays "16 v T, insurance"\n'
    "  upcard simulate --count hi-lo --indices mine.txt",
)
@options.rules_options
@options.value("--count", "NAME|FILE", "Counting system (default: hi-lo).", default="hi-lo")
@options.rounding_options
@options.value(
    "--plays",
    "WHICH",
    'all, i18, fab4, i18+fab4, a file, or cells such as "16 v T, 12 v 3" (default: the strongest).',
)
@options.value("--ramp", "TEXT", "Gains at these bets too: 1-8, 1,1,2,4,8 or a file.")
@options.value(
    "--learn",
    "N",
    "Only the N plays that gain most, with the share of all gain so far.",
    type=options.Whole(1),
)
@options.value(
    "--bankroll",
    "N",
    "Risk-averse indices, with this bankroll in units of the ramp.",
    callback=options.any_number,
)
@options.choice(
    "--method",
    ("both", "exact", "simulation"),
    "Method to find indices (default: both).",
    default="both",
)
@amount_option("--rounds", help="Rounds to simulate, such as 1e8 (default: 50M).")
@options.seed_option
@options.workers_option
@options.file_option("-o", "--output", "path", help="Write the plays for simulate --indices.")
@options.file_option("--card", help="Write the plays as a page to print (HTML).")
@options.cache_option
@options.table_options
def indices_command(  # noqa: PLR0913 (one parameter an option)
    *,
    house: str | None,
    rules: str | None,
    count: str,
    rounding: str | None,
    decks_left: str | None,
    method: str,
    workers: int | None,
    path: str | None,
    card: str | None,
    form: output.Form,
    **terms: Any,
) -> None:
    """Find the counts from which to deviate from the chart, for these rules.

    Each index is found exactly, on the shoes that the count leaves on average, and by simulating
    every affected round both ways on the same cards. Both are shown; if they differ by more than
    their errors the row is marked, and the simulated one is used.
    """
    from upcard.analysis.indices import search

    system = choose_rounding(load_system(count), rounding, decks_left)
    wanted = options.choose_rules(house, rules)
    if workers is not None and method.lower() == "exact":
        raise click.UsageError("--workers is for the simulation, and --method exact has none")
    options.check_writable("-o", path)
    options.check_writable("--card", card)
    is_whole = True
    with progress.LiveTask() as live:
        try:
            found = search.indices(
                wanted,
                count=system,
                method=method,
                workers=workers,
                watch=live.move,
                saves=True,
                **terms,
            )
        except search.IndicesInterruptedError as interruption:
            found, is_whole = interruption.indices, False
    form.write(lambda: _write(found), found.document, lambda: [found.table()])
    if path is not None:
        output.write_file(path, str(found))
    if card is not None:
        from upcard.charts.render import draw_index_card

        output.write_file(card, draw_index_card(found))
    if not is_whole:
        click.echo(f"upcard indices: interrupted after {found.rounds:,} rounds", err=True)
        raise click.exceptions.Exit(streams.INTERRUPTED)


def _write(found: Indices) -> None:
    output.echo_heading(f"Indices for {found.describe_count()[6:]}", output.describe(found.rules))
    if not found.rows:
        click.echo("None of these plays has an index.")
    else:
        output.echo_table(found.table())
        click.echo()
        _write_sums(found)
    output.echo_topic("Index", _explain_index(found))
    if found.method != "exact":
        seed = f"{found.rounds:,} rounds, seed {found.seed}."
        output.echo_topic("Simulated", f"{seed} Behind ± stands one standard error.")
    if found.bankroll is not None:
        bank = f"with a bankroll of {found.bankroll:,g} units at bets {found.ramp}"
        output.echo_topic("Risk-averse", f"the count from which a play is worth its risk {bank}.")
    if any(row.agrees is False for row in found.rows):
        gains = "exact and simulated gains differ by over 3.5 errors"
        output.echo_topic("!", f"{gains}; the simulated index is used.")
    if found.method != "exact":
        _write_unknown(found)
    if found.missing:
        cells = ", ".join(dict.fromkeys(str(one.question) for one in found.missing))
        output.echo_topic("No index", f"from {found.least:+d} to {found.most:+d}: {cells}.")


def _write_unknown(found: Indices) -> None:
    without = [row for row in found.rows if row.simulated is None or row.simulated.index is None]
    if any(row.simulated is not None for row in without):
        left_out = " and the play is left out" if found.method == "simulation" else ""
        output.echo_topic(_UNKNOWN, f"too few rounds to decide{left_out}.")
    unasked = [str(row.question) for row in without if row.simulated is None]
    if unasked:
        what = ", ".join(dict.fromkeys(unasked))
        output.echo_topic("Not simulated", f"surrender before the look, or never came up: {what}.")


def _write_sums(found: Indices) -> None:
    parts = []
    if found.method != "simulation":
        parts.append(f"{math.fsum(row.exact_gain for row in found.rows):.4f} exact")
    if found.method == "exact" and found.ramp is not None:
        at_bets = math.fsum(row.exact_ramp_gain or 0.0 for row in found.rows)
        parts.append(f"{at_bets:.4f} with the ramp {found.ramp}")
    simulated = [row.simulated for row in found.rows if row.simulated is not None]
    if simulated:
        parts.append(f"{_write_gain(_add([one.gain for one in simulated]))} simulated")
    ramped = [one.ramp_gain for one in simulated if one.ramp_gain is not None]
    if ramped:
        parts.append(f"{_write_gain(_add(ramped))} with the ramp {found.ramp}")
    which = "all plays" if found.learned is None else "these plays"
    gains = f"over the chart, in units per 100 rounds; {which}: {', '.join(parts)}."
    output.echo_topic("Gain", gains)
    if (learned := found.learned) is not None:
        bets = "" if found.ramp is None else ", at the bets of the ramp"
        whole = f"of the {learned.gain:.4f} that all plays gain together{bets}."
        output.echo_topic("So far", f"share {whole} Each play adds most to those above it.")
        output.echo_topic(
            "Practise", "with -o PLAYS.txt: upcard train deviations --indices PLAYS.txt"
        )


def _add(gains: list[Gain]) -> tuple[float, float]:
    """Add gains, which come from mostly different rounds."""
    value = math.fsum(gain.value for gain in gains)
    return value, math.fsum(gain.standard_error**2 for gain in gains) ** 0.5


def _explain_index(found: Indices) -> str:
    what = "running count" if found.system.by is CountBy.RUNNING else "true count"
    return (
        f"the least whole count whose gain is above 0 on average. Columns: the {what} at which"
        " the gain is 0, before it is made whole."
    )


def _write_gain(gain: tuple[float, float] | None) -> str:
    return _UNKNOWN if gain is None else f"{gain[0]:.5f} ±{gain[1]:.5f}"
