"""`upcard play`: a table, somebody to play, a voice to tell it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from upcard.core.errors import BlackjackError

if TYPE_CHECKING:
    from fractions import Fraction

    from upcard.cli.line.seat import Wishes


class PlayCommand(click.Command):
    """A command whose help page lists the bots and the betting systems there are."""

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the lists, then the examples."""
        from upcard.players.betting import betting_names
        from upcard.players.registry import player_names

        with formatter.section("Players"):
            formatter.write_dl(list(player_names().items()))
        with formatter.section("Betting systems"):
            formatter.write_dl(list(betting_names().items()))
        super().format_epilog(ctx, formatter)


def _read_amount(
    ctx: click.Context, param: click.Parameter, written: str | None
) -> Fraction | None:
    """Read an amount of chips exactly.

    Raises: click.BadParameter if it is none.
    """
    from upcard.cli.line.console import read_chips

    if written is None:
        return None
    try:
        return read_chips(written, "the amount")
    except BlackjackError as error:
        raise click.BadParameter(str(error), ctx, param) from None


@click.command(
    "play",
    cls=PlayCommand,
    epilog="\b\nExamples:\n"
    "  upcard play --house european --chips 200\n"
    '  upcard play --rules "6D H17 LS" --hands 2\n'
    "  upcard play --house lott --player lott-simple --betting martingale --rounds 20\n"
    '  upcard play --house roanoke --cards "8D 5H 4D TC 6C 3S"',
)
@click.option("--house", metavar="NAME", help="A house (see upcard houses) or a TOML file of one.")
@click.option("--rules", metavar="TEXT", help='Rules in notation, such as "6D H17 LS".')
@click.option("--hands", type=int, metavar="N", help="Hands to play in each round.")
@click.option("--chips", callback=_read_amount, metavar="N", help="Chips to start with (100).")
@click.option("--bet", callback=_read_amount, metavar="N", help="Bet on every hand, not asked for.")
@click.option("--limit", callback=_read_amount, metavar="N", help="The most that a hand may bet.")
@click.option("--rounds", type=click.IntRange(1), metavar="N", help="Rounds to play (a bot: 10).")
@click.option("--seed", type=int, metavar="N", help="Shuffle by this seed: the same cards again.")
@click.option("--cards", metavar="TEXT", help='Deal these cards, in order: "8D 5H 4D TC".')
@click.option("--player", metavar="NAME", help="Let a bot play, such as basic or mimic.")
@click.option("--betting", metavar="NAME", help="The bot's betting system, such as martingale.")
@click.option("--line", is_flag=True, help="Stay with the line game where a full screen could be.")
@click.option("--ascii", "ascii_only", is_flag=True, help="Write 7-bit characters only.")
@click.option("--json", "as_json", is_flag=True, help="Write every event as a line of JSON.")
def command(**options: Any) -> None:
    """Play blackjack line by line, or let a bot play.

    Without --house or --rules it is a six-deck game: 6D S17 PEEK DOA DAS SP4 NRSA NS 3:2. The end
    of input and Ctrl-C end the game with the balance shown. Answers may come from a pipe.

    Today every game is the line game; --line keeps it so once there is a full screen.
    """
    from upcard.cli.line.seat import Wishes, play

    options.pop("line")  # the line game is what starts in any case
    wishes: Wishes = Wishes(**options)
    play(wishes)
