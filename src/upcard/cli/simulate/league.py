"""`upcard league`: players in the files of a folder, ranked by what their decisions lose."""

import secrets

import click

from upcard.answers.league import player_process, priced_play
from upcard.cli import options, output, progress, streams

_ROUNDS = 2000
_SEEDS = 2**32
_LIMITS = player_process.Limits()
_PERCENT = 100


@click.command(
    "league",
    epilog="\b\nExamples:\n"
    "  upcard league players\n"
    "  upcard league players --house lott --rounds 5000 --seed 1\n"
    '  upcard league players --rules "6D H17 LS" --csv league.csv --html league.html',
)
@click.argument("folder")
@options.rules_options
@options.positive_option(
    "--rounds",
    type=options.Whole(1, 10**6),
    default=_ROUNDS,
    help=f"Rounds per player (default: {_ROUNDS}).",
)
@options.seed_option
@options.value(
    "--time-limit",
    "S",
    "Seconds for an answer or for loading (default: 5); 60 times as much for all answers.",
    type=options.Whole(1, 3600),
    default=int(_LIMITS.seconds),
)
@options.value(
    "--memory-limit",
    "MB",
    f"Memory of a player, where the system limits it (default: {_LIMITS.memory}).",
    type=options.Whole(128, 2**20),
    default=_LIMITS.memory,
)
@options.flag("--show-output", "Show on standard error what players print.")
@options.file_option("--html", help="Write the table as a page to this file.")
@options.cache_option
@options.table_options
def league_command(  # noqa: PLR0913 (one parameter an option)
    *,
    folder: str,
    house: str | None,
    rules: str | None,
    rounds: int,
    seed: int | None,
    time_limit: int,
    memory_limit: int,
    show_output: bool,
    html: str | None,
    form: output.Form,
) -> None:
    """Rank the players in the *.py files of FOLDER by what their decisions lose.

    Each plays the same shoes in a process of its own; one that fails loses its rounds and disturbs
    no other. All code in the files runs, with your rights.
    """
    player_process.hide_option("--seed")
    for option, path in (("--csv", form.csv), ("--html", html)):
        options.check_writable(option, path)
    with progress.show_steps("Players", _PERCENT, is_shown=not show_output) as show:
        league = priced_play.play_league(
            folder,
            options.choose_rules(house, rules),
            rounds=rounds,
            seed=secrets.randbelow(_SEEDS) if seed is None else seed,
            limits=player_process.Limits(seconds=time_limit, memory=memory_limit),
            shows_output=show_output,
            watch=lambda share: show(int(_PERCENT * share)),
        )
    form.write(lambda: _write(league), league.to_json, lambda: [league.players])
    if html is not None:
        output.write_file(html, priced_play.draw_page(league))
    if not league.is_complete:
        raise click.exceptions.Exit(streams.INTERRUPTED)


def _write(league: priced_play.League) -> None:
    output.echo_heading(output.describe(league.rules))
    output.echo_topic("League", league.terms)
    output.echo_topic("Ranked by", league.ranked_by)
    click.echo()
    output.echo_table(league.players)
    click.echo()
    for topics in (league.remarks, priced_play.LEGEND.items()):
        for topic, text in topics:
            output.echo_topic(output.shorten(topic, output.TOPIC_WIDTH - 2), text)
        if topics:
            click.echo()
