"""`upcard` alone: the game on a terminal, elsewhere what the default game is worth."""

from __future__ import annotations

import sys

import click

_HINT = "For another house: upcard houses, then upcard play --house NAME."


def start() -> None:
    """Start the line game on a terminal, or print the default game's page."""
    if sys.stdin.isatty() and sys.stdout.isatty():
        from upcard.cli.line.seat import Wishes, play

        play(Wishes(hint=_HINT))
        return
    _print_page()


def _print_page() -> None:
    from upcard._version import __version__
    from upcard.cli.commands.rules import write_description
    from upcard.exact.infinite import as_infinite, solve_infinite
    from upcard.rules.model import Rules

    rules = Rules()
    solution = solve_infinite(as_infinite(rules))
    ev = solution.game_ev
    click.echo(f"upcard {__version__}: the open blackjack workbench.\n")
    click.echo(f"The default game: {rules}\n")
    write_description(rules)
    click.echo(
        f"\nWorth, best play, on an infinite deck instead of {rules.decks} decks:"
        f" {ev:+.4%} of every bet\n(house edge {-ev:.4%}). The chart, on an infinite deck too:\n"
    )
    click.echo(str(solution.chart()).expandtabs(6))
    click.echo(
        "H hit, S stand, D double, P split, R surrender; the small letter is what to do\n"
        "where the first is not allowed.\n\n"
        "Where to go next:\n"
        "  upcard play                    play this game line by line\n"
        "  upcard play --house european   play another house (upcard houses lists them)\n"
        '  upcard rules "6D H17 LS"       rules in plain words\n'
        "  upcard policy 4/13             solve BlackJack(p)\n"
        "  upcard --help                  all commands"
    )
