"""`upcard compare`: games side by side, exactly and with a count, and which one to play."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import click

from upcard.cli import options, output, progress
from upcard.cli.simulate.command import amount_option
from upcard.cli.simulate.ramp import bet_options, choose_spread

if TYPE_CHECKING:
    from upcard.answers.games.comparison import GameComparison
    from upcard.answers.games.sweep import GameSweep
    from upcard.core.figure import AnswerTable
    from upcard.simulation.run_state import RunProgress

_CELLS_SHOWN: Final = 20


@click.command(
    "compare",
    epilog='\b\nExamples:\n  upcard compare "6D S17" "6D H17 LS" "2D H17 D10"\n'
    "  upcard compare las-vegas downtown --strategy mine.tsv\n"
    '  upcard compare "6D S17" "2D H17" --count hi-lo --indices i18 --spread 1-8\n'
    "    --bankroll 10000 --chip 5\n"
    '  upcard compare "6D PEN75" "6D PEN85" --count hi-lo -o games\n'
    '  upcard compare "6D S17" --count hi-lo,ko,zen --indices 18 --spread 1-8',
)
@click.argument("games", nargs=-1, metavar="GAME GAME...")
@options.value(
    "--sweep",
    "TEXT",
    "Vary the share dealt and the spread: pen=60..85 spread=8,12,16; a game or more.",
)
@options.value(
    "--strategy", "FILE", "Strategy chart that you know (default: the best one of the first game)."
)
@options.value(
    "--count", "NAME|FILE", "Count cards: hi-lo, ko ...; or compare several: hi-lo,ko,zen."
)
@options.value(
    "--indices", "NAME|FILE|N", "Index plays: i18, i18+fab4, a file, or how many to find."
)
@bet_options
@amount_option("--rounds", help="Rounds of each game (default: 40M).")
@options.seed_option
@options.workers_option
@options.value("-o", "FOLDER", "Save the runs in this folder, and continue them.", to="folder")
@options.cache_option
@options.table_options
def compare_command(  # noqa: PLR0913 (one parameter an option)
    games: tuple[str, ...],
    *,
    sweep: str | None,
    ramp: str | None,
    spread: str | None,
    folder: str | None,
    form: output.Form,
    **terms: Any,
) -> None:
    """Compare two to eight games: houses, rules in notation, or files of houses.

    Each has its exact house edge, the cost of the chart that you know, and the cells of that chart
    that change, each with its price. With --count every game is simulated from the same seed, and
    its bets are those of upcard ramp: what they win an hour, SD, SCORE, N0 and risk of ruin, in the
    money of --bankroll or --unit. With several counts they are compared in one GAME, on the same
    shoes: which one to learn. With --sweep each is simulated once for every share of the shoe
    that is dealt, and bet in every spread, as one table.
    """
    from upcard.answers.games.comparison import ComparisonInterruptedError
    from upcard.answers.games.side_by_side import compare_games

    terms |= {"ramp": ramp, "spread": choose_spread(ramp, spread), "output": folder}
    is_whole = True
    with progress.LiveProgress() as live:

        def watch(name: str, there: RunProgress) -> None:
            live.about = f"{name}: "
            live(there)

        try:
            if sweep is not None:
                _sweep(games, sweep, form, terms | {"watch": watch})
                return
            if "," in (terms["count"] or ""):
                found = _compare_counts(games, terms | {"watch": watch})
            else:
                early = None if form.csv or form.as_json else _write_exact
                found = compare_games(games, watch=watch, early=early, **terms)
        except ComparisonInterruptedError as interruption:
            is_whole = False
            if interruption.found is None:
                _say_how_to_go_on(folder)
                raise KeyboardInterrupt from None
            found = interruption.found
        except KeyboardInterrupt:
            _say_how_to_go_on(folder)
            raise
    form.write(lambda: _write(found), found.to_json, found.tables)
    if not is_whole:
        _say_how_to_go_on(folder)
        raise KeyboardInterrupt


def _compare_counts(games: tuple[str, ...], terms: dict[str, Any]) -> GameComparison:
    from upcard.answers.games.side_by_side import compare_counts

    if len(games) != 1:
        raise click.UsageError("several counts are compared in one game: name one GAME")
    if terms.pop("strategy") is not None:
        raise click.UsageError("--strategy with several counts: they play by the best chart")
    counts = [one.strip() for one in terms.pop("count").split(",")]
    return compare_counts(games[0], counts, **terms)


def _sweep(games: tuple[str, ...], sweep: str, form: output.Form, terms: dict[str, Any]) -> None:
    """Write the sweep; words such as spread=8,12 among the games belong to it."""
    from upcard.answers.games.sweep import VARIED, sweep_games

    if terms["strategy"] is not None:
        raise click.UsageError("--strategy with --sweep: every game is played by its best chart")
    if terms["count"] is None:
        raise click.UsageError("--sweep is for counting: give a count too, such as --count hi-lo")
    named = [one for one in games if one.partition("=")[0] in VARIED]
    others = [one for one in games if one not in named]
    del terms["strategy"]
    found = sweep_games(others, " ".join([sweep, *named]), **terms)
    form.write(lambda: _write_sweep(found, others), found.to_json, lambda: [found.table()])


def _write_sweep(found: GameSweep, games: list[str]) -> None:
    for letter, game in zip("ABCDEFGH", games, strict=False):
        output.echo_topic(letter, game, width=3)
    for other in found.left_out:
        output.echo_topic(other.name, f"{other.rules}: left out: {other.reason}", width=5)
    click.echo()
    _write_tables([found.table()])
    output.echo_topic("", found.sentence, width=0)
    output.echo_topic("Assumed", " ".join(found.notes), width=11)


def _say_how_to_go_on(folder: str | None) -> None:
    how = "nothing is saved without -o FOLDER"
    if folder is not None:
        how = f"the same command continues with the runs in {folder}"
    click.echo(f"upcard compare: interrupted; {how}", err=True)


def _write(found: GameComparison) -> None:
    if found.count is None:
        _write_exact(found)
    else:
        _write_tables(found.tables()[-1:])
        of = "in" if found.noun == "game" else "by"
        width = 10 + max(len(one.name) for one in found.games)
        for one in found.games:
            if one.plan is not None:
                words = f"{one.plan.choice}: {one.plan.words}"
                output.echo_topic(f"Bets {of} {one.name}", words, width=width)
        click.echo()
    for sentence in found.sentences:
        output.echo_topic("", sentence, width=0)
    output.echo_topic("Assumed", " ".join(found.notes), width=11)


def _write_exact(found: GameComparison) -> None:
    for one in found.games:
        output.echo_topic(one.name, f"{one.rules}: {one.title}", width=3)
    for other in found.left_out:
        output.echo_topic(other.name, f"{other.rules}: left out: {other.reason}", width=3)
    click.echo()
    _write_tables(found.tables()[:2])


def _write_tables(tables: Iterable[AnswerTable]) -> None:
    for table in filter(lambda one: one.rows, tables):
        click.echo(f"{output.plain(table.title)}:")
        output.echo_table(replace(table, rows=table.rows[:_CELLS_SHOWN]))
        if (more := len(table.rows) - _CELLS_SHOWN) > 0:
            click.echo(f"  and {more} more: --csv has all of them.")
        click.echo()
