"""`upcard play`: a table, a player and a dialogue."""

from __future__ import annotations

from typing import Any

import click

from upcard.cli.line.options import PlayOptions, check_seats, plan_table
from upcard.cli.options import any_seed_option, chips_option, positive_option, rules_options
from upcard.cli.output import fields_of
from upcard.cli.streams import can_show_screen
from upcard.coach.seen_cards import Knowledge
from upcard.players.betting_systems import betting_names
from upcard.session.coaching import CoachVoice
from upcard.simulation.registry import player_names


class PlayCommand(click.Command):
    """A command whose help page lists the bots and the betting systems."""

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the lists, then the examples."""
        with formatter.section("Players"):
            formatter.write_dl(list(player_names().items()))
        with formatter.section("Betting systems"):
            formatter.write_dl(list(betting_names().items()))
        super().format_epilog(ctx, formatter)


@click.command(
    "play",
    cls=PlayCommand,
    epilog="\b\nExamples:\n"
    "  upcard play --house european --chips 200\n"
    '  upcard play --rules "6D H17 LS" --hands 2\n'
    '  upcard play --line --coach after --company "basic; you; mimic martingale"\n'
    "  upcard play --house lott --player lott-simple --betting martingale --rounds 20\n"
    '  upcard play --house roanoke --cards "8D 5H 4D TC 6C 3S"',
)
@rules_options
@click.option("--hands", type=int, metavar="N", help="Hands to play in each round.")
@chips_option(
    "--chips",
    help="Start with N chips: the difference is brought or taken home (default: your saved chips,"
    " 100 at first).",
)
@chips_option("--bet", help="Bet N on every hand without asking.")
@chips_option("--unit", help="Smallest bet; every bet is a multiple of it (default: 1).")
@chips_option("--limit", help="Largest bet on a hand.")
@positive_option("--rounds", help="Rounds to play (a bot: 10).")
@click.option(
    "--coach",
    type=click.Choice(["silent", "after", "before"]),
    help="When the coach speaks: never, after each round, or before each answer.",
)
@click.option(
    "--knows",
    type=click.Choice(["fresh", "seen"]),
    help="Cards the coach knows: those of a fresh shoe, or all the cards seen.",
)
@click.option(
    "--ask-count",
    metavar="SYSTEM[:N]",
    help="Ask for the running count after N rounds (default: 3). hi-lo, ko:5 ...",
)
@click.option(
    "--check-bets",
    metavar="RAMP",
    help="Compare your bets with a ramp, 1-8 or 1,1,2,4,8, by --ask-count or hi-lo.",
)
@click.option(
    "--company", metavar="TEXT", help='Players at the table: "basic; you; mimic martingale".'
)
@click.option("--player-seed", metavar="TEXT", help="Mix your own words into the shuffle.")
@click.option("--practice", is_flag=True, help="Save nothing; answers can be undone.")
@any_seed_option("--seed", help="Shuffle with this seed, as practice.")
@click.option("--cards", metavar="TEXT", help='Deal these cards, as practice: "8D 5H 4D TC".')
@click.option(
    "--player", metavar="NAME", help="Let a bot play, such as basic, mimic or ann.py:Ann."
)
@click.option("--betting", metavar="NAME", help="The bot's betting system, such as martingale.")
@click.option("--line", is_flag=True, help="Play line by line instead of on a full screen.")
@click.option("--ascii", "ascii_only", is_flag=True, help="Write 7-bit characters only.")
@click.option(
    "--words",
    is_flag=True,
    help="Write cards and choices as words, line by line: for screen readers.",
)
@click.option("--json", "as_json", is_flag=True, help="Write every event as a line of JSON.")
def command(**options: Any) -> None:
    """Play blackjack on a full screen or line by line, or let a bot play.

    The default is a six-deck game: 6D S17 PEEK DOA DAS SP4 NRSA NS 3:2. On a terminal it opens a
    full screen; --line, --json, --player, a pipe and TERM=dumb select the line game, in which the
    end of input and Ctrl-C end the game with the balance shown.

    Your games and chips are saved; an unfinished hand continues at the next start. Practice is not
    saved.
    """
    is_line = options.pop("line")
    play_options: PlayOptions = PlayOptions(**options)
    if (
        is_line
        or play_options.words
        or play_options.as_json
        or play_options.player is not None
        or not can_show_screen()
    ):
        from upcard.cli.line.launch import play

        play(play_options)
        return
    _open_screen(play_options)


def _open_screen(play_options: PlayOptions) -> None:
    from upcard.tui.app import run_table
    from upcard.tui.screen_options import ScreenOptions

    plan = plan_table(play_options, is_screen=True)
    check_seats(play_options, plan)
    play_options.counting.make(plan, cards=play_options.cards)  # refused before the screen opens
    names = ("chips", "seed", "cards", "rounds", "ascii_only", "counting")
    run_table(
        ScreenOptions(
            **fields_of(play_options, *names),
            plan=plan,
            is_practice=play_options.practice,
            voice=None if play_options.coach is None else CoachVoice(play_options.coach),
            knows=None if play_options.knows is None else Knowledge(play_options.knows),
            player_seed=play_options.player_seed or "",
        )
    )
