"""`upcard sessions`: a player with a stake and a betting system, session after session."""

import random
from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Any, Final, NamedTuple

import click

from upcard._version import __version__
from upcard.charts import plot_data
from upcard.cli import options, output, progress, streams
from upcard.cli.play.command import PlayCommand
from upcard.cli.simulate.command import check_files, draw_plot
from upcard.core.figure import write_csv
from upcard.core.numbers import fields_of, to_json, write_chips
from upcard.simulation import betting_sessions, registry

_SEEDS: Final = 2**32
_LONG: Final = 20_000
"""Rounds from which a terminal shows the progress: about a second of work."""
_LONGEST_NAME: Final = 16


_FIGURES: Final = (
    *("rounds", "peak", "final", "net", "is_ruined", "largest_bet", "losing_streak"),
    *("initial_bets", "total_action"),
)


class _Series(NamedTuple):
    plan: betting_sessions.SessionPlan
    sessions: list[betting_sessions.BettingSession]
    summary: betting_sessions.SessionsSummary


@click.command(
    "sessions",
    cls=PlayCommand,
    epilog="\b\nExamples:\n"
    "  upcard sessions --betting martingale --sessions 50 --rounds 250 --stake 100\n"
    "  upcard sessions --betting flat --betting martingale --limit 500 --seed 1\n"
    "  upcard sessions --house lott --player lott-simple --betting 1-3-2-6\n"
    "  upcard sessions --betting martingale --seed 1 --plot martingale.svg",
)
@options.rules_options
@options.value("--player", "NAME", "Player (default: basic).", default="basic")
@options.value(
    "--betting",
    "NAME",
    "Betting system (default: flat); several are compared on the same shoes.",
    multiple=True,
)
@options.positive_option("--sessions", default=50, help="Number of sessions (default: 50).")
@options.positive_option("--rounds", default=250, help="Most rounds of a session (default: 250).")
@options.chips_option("--stake", help="Chips per session (default: 100 units).")
@options.chips_option("--unit", help="Chips per unit (default: 1).")
@options.chips_option("--limit", help="Largest bet on a hand.")
@options.value(
    "--seed", "N", "Shuffle with this seed, to reproduce the cards.", callback=options.any_whole
)
@options.file_option("--csv", help="Write a line per session to this file.")
@options.file_option(
    "--plot", help="Draw the chips over time: a file .svg, .png or .txt, or - for the screen."
)
@output.ascii_option
@options.cache_option
@options.json_option
def sessions_command(  # noqa: PLR0913 (one parameter an option)
    *,
    house: str | None,
    rules: str | None,
    betting: tuple[str, ...],
    sessions: int,
    stake: Fraction | None,
    unit: Fraction | None,
    seed: int | None,
    csv: str | None,
    plot: str | None,
    as_json: bool,
    **terms: Any,
) -> None:
    """Play sessions with a stake: how long they last, how high they get, and what is left.

    A session ends after --rounds rounds, or is ruined when the chips do not cover the next bet.
    Session K has the same shoes with every betting system. Amounts are in chips.
    """
    if as_json and output.asked_for_ascii():
        raise click.UsageError("--ascii with --json: it is for text")
    check_files(csv, plot, as_json=as_json)
    terms["player"] = registry.load_player(terms["player"])
    wanted = options.choose_rules(house, rules)
    one = betting_sessions.UNIT if unit is None else unit
    chosen = betting_sessions.STAKE * one if stake is None else stake
    if seed is None:
        seed = random.SystemRandom().randrange(_SEEDS)
    plans = [
        betting_sessions.SessionPlan(
            rules=wanted, betting=name, stake=chosen, unit=one, seed=seed, **terms
        )
        for name in betting or ("flat",)
    ]
    played = _play(plans, sessions, keep_paths=plot is not None)
    series = [
        _Series(*pair, betting_sessions.summarize_sessions(pair[1]))
        for pair in zip(plans, played, strict=True)
    ]
    if as_json:
        output.echo_json(_to_json(series, sessions))
    elif csv != "-":
        _write(series, sessions)
    if plot is not None:
        runs = [(item.plan, item.sessions) for item in series]
        draw_plot(plot_data.read_bankroll_plot(runs), plot)
    if csv is not None:
        output.write_file(csv, write_csv(_csv_rows(series)))
    if len(series[0].sessions) < sessions:
        raise click.exceptions.Exit(streams.INTERRUPTED)


def _play(
    plans: list[betting_sessions.SessionPlan], sessions: int, *, keep_paths: bool
) -> list[list[betting_sessions.BettingSession]]:
    """Play session 1 with every betting system, then session 2; Ctrl-C saves complete ones."""
    series = [
        betting_sessions.play_sessions(plan, sessions=sessions, keep_paths=keep_paths)
        for plan in plans
    ]
    played: list[list[betting_sessions.BettingSession]] = [[] for _ in plans]
    is_long = plans[0].rounds * sessions * len(plans) >= _LONG
    try:
        with progress.show_steps("Sessions", sessions, is_shown=is_long) as watch:
            for done, step in enumerate(zip(*series, strict=True), start=1):
                for kept, session in zip(played, step, strict=True):
                    kept.append(session)
                watch(done)
    except KeyboardInterrupt:
        if not played[-1]:
            raise
    return played


def _write(series: list[_Series], asked: int) -> None:
    plan, sessions, _ = series[0]
    output.echo_heading(output.describe(plan.rules))
    limit = "no limit" if plan.limit is None else f"a limit of {write_chips(plan.limit)}"
    done = str(asked) if len(sessions) == asked else f"{len(sessions)} of {asked}"
    stake = f"{write_chips(plan.stake)} chips; a unit of {write_chips(plan.unit)}, {limit}"
    output.echo_topic("Sessions", f"{done}, of at most {plan.rounds} rounds")
    output.echo_topics((("Stake", stake), ("Player", plan.player), ("Seed", str(plan.seed))))
    click.echo()
    summaries = (
        betting_sessions.SeriesSummary(
            betting=output.shorten(item.plan.betting, _LONGEST_NAME),
            summary=item.summary,
            most=float(max(session.final for session in item.sessions)),
        )
        for item in series
    )
    lengths, ends, bets = betting_sessions.SessionsAnswer(series=tuple(summaries)).tables()
    output.echo_table(lengths)
    for table in (ends, bets):
        click.echo(f"\n{table.title}")
        output.echo_table(table)
    click.echo()
    output.echo_topic("Peak", "the most chips after a round")
    output.echo_topic("Ruined", "ended early, because the chips did not cover the next bet")
    output.echo_topic("EV", "won or lost per chip bet before the deal; ± is one standard error")


def _csv_rows(series: list[_Series]) -> Iterator[Iterable[object]]:
    yield ("betting", *_session_to_json(series[0].sessions[0]))
    for item in series:
        for session in item.sessions:
            yield (item.plan.betting, *_session_to_json(session).values())


def _to_json(series: list[_Series], asked: int) -> dict[str, Any]:
    plan = series[0].plan
    return {
        "rules": str(plan.rules),
        **fields_of(plan, "player", "seed"),
        "version": __version__,
        "rounds": plan.rounds,
        "sessions": len(series[0].sessions),
        "sessions_asked": asked,
        **fields_of(plan, "stake", "unit", "limit"),
        "series": [
            {
                "betting": item.plan.betting,
                "summary": item.summary.to_json(),
                "sessions": [_session_to_json(session) for session in item.sessions],
            }
            for item in series
        ],
    }


def _session_to_json(session: betting_sessions.BettingSession) -> dict[str, Any]:
    found: dict[str, Any] = to_json({"session": session.number, **fields_of(session, *_FIGURES)})
    return found
