"""Commands that start a game: `upcard`, `upcard play`, `upcard web`, and `upcard basics`."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

import click

from upcard._version import __version__
from upcard.cli import options, output
from upcard.cli.streams import can_show_screen, open_screen
from upcard.core.fields import list_fields
from upcard.core.numbers import fields_of
from upcard.rules.model import Rules
from upcard.session.plan import PlayTerms

if TYPE_CHECKING:
    from upcard.line.options import PlayOptions


def _list_bots() -> dict[str, Mapping[str, str]]:
    from upcard.players.betting_systems import betting_names
    from upcard.simulation.registry import player_names

    return {"Players": player_names(), "Betting systems": betting_names()}


@click.command(
    "play",
    cls=options.ListingCommand,
    lists=_list_bots,
    epilog="\b\nExamples:\n"
    "  upcard play --house european --chips 200\n"
    '  upcard play --rules "6D H17 LS" --hands 2\n'
    '  upcard play --line --coach after --company "basic; you; mimic martingale"\n'
    "  upcard play --house lott --player lott-simple --betting martingale --rounds 20\n"
    '  upcard play --house roanoke --cards "8D 5H 4D TC 6C 3S"',
)
@options.rules_options
@options.form_options(PlayTerms)
@options.value("--player", "NAME", "Let a bot play, such as basic, mimic or ann.py:Ann.")
@options.value("--betting", "NAME", "The bot's betting system, such as martingale.")
@options.flag("--line", "Play line by line instead of on a full screen.")
@options.flag("--ascii", "Write 7-bit characters only.", to="ascii_only")
@options.flag("--words", "Write cards and choices as words, line by line: for screen readers.")
@options.flag("--json", "Write every event as a line of JSON.", to="as_json")
def play_command(**given: Any) -> None:
    """Play blackjack on a full screen or line by line, or let a bot play.

    The default is a six-deck game: 6D S17 PEEK DOA DAS SP4 NRSA NS 3:2. On a terminal it opens a
    full screen; --line, --json, --player, a pipe and TERM=dumb select the line game, in which the
    end of input and Ctrl-C end the game with the balance shown.

    Your games and chips are saved; an unfinished hand continues at the next start. Practice is not
    saved.
    """
    from upcard.line.launch import play
    from upcard.line.options import PlayOptions

    is_line = given.pop("line")
    play_options = PlayOptions(**given)
    if (
        is_line
        or play_options.words
        or play_options.as_json
        or play_options.player is not None
        or not can_show_screen()
    ):
        _get_ready()
        play(play_options)
        return
    _open_screen(play_options)


def _open_screen(play_options: PlayOptions) -> None:
    from upcard.line.options import naming_options, plan_table
    from upcard.session.choice import check_count
    from upcard.session.seat import prepare_company

    plan = plan_table(play_options, is_screen=True)
    prepare_company(plan)
    with naming_options():
        check_count(plan, play_options.cards)  # refused before the screen opens
    given = fields_of(play_options, *(one.name for one in list_fields(PlayTerms)))
    open_screen(**given, plan=plan, ascii_only=play_options.ascii_only)


def _get_ready() -> None:
    """Compile for a person who will ask for values, and say so."""
    from upcard.session import machine_code

    if sys.stdout.isatty() and (told := machine_code.compile_soon()):
        click.echo(told, err=True)


def start() -> None:
    """Open the full screen on a terminal, the line game on a dumb one, or print a page."""
    if can_show_screen():
        open_screen()
    elif sys.stdin.isatty() and sys.stdout.isatty():
        from upcard.line.launch import play
        from upcard.line.options import PlayOptions

        _get_ready()
        play(PlayOptions(hint="For another house: upcard houses, then upcard play --house NAME."))
    else:
        _print_page()


def _print_page() -> None:
    from upcard.answers.best_chart import write_chart
    from upcard.answers.edge import find_edge
    from upcard.rules.describe import describe_rules

    rules = Rules()
    edge = find_edge(rules)
    click.echo(f"upcard {__version__}: the open blackjack workbench.\n")
    click.echo(f"The default game: {rules}\n")
    output.echo_topics(describe_rules(rules))
    click.echo()
    worth = f"{edge.ev_text} of every bet by the best play, exactly"
    output.echo_topics((("Worth", worth), (edge.title, edge.text), ("In money", edge.sentence)))
    click.echo()
    output.echo_text(write_chart(rules, "text", color=output.wants_color(), is_whole=False))
    click.echo(
        "\nWhere to go next:\n"
        "  upcard play                    play this game\n"
        "  upcard play --house european   play another house (upcard houses lists them)\n"
        "  upcard solve T6 v 9            what every answer to a hand is worth\n"
        "  upcard edge --compare H17 6:5  what the game is worth, and what rules change\n"
        "  upcard chart -o chart.svg      the chart as a picture, for any rules\n"
        '  upcard rules "6D H17 LS"       rules in plain words\n'
        "  upcard --help                  all commands"
    )


_COLUMNS: Final = 76


def _play_first_hands(*, is_line: bool) -> None:
    is_ascii = output.asked_for_ascii()
    if is_line or not can_show_screen():
        from upcard.line.launch import play_first_hands
        from upcard.line.options import PlayOptions

        _get_ready()
        play_first_hands(PlayOptions(ascii_only=is_ascii))
        return
    open_screen(first_hands=True, ascii_only=is_ascii)


@click.command(
    "basics",
    epilog="\b\nExamples:\n  upcard basics\n  upcard basics --play\n  upcard basics --ascii",
)
@options.flag(
    "--play", "Play your first hands: seven steps, then ten hands with the coach.", to="plays"
)
@options.flag("--line", "With --play: line by line.", to="is_line")
@output.ascii_option
def basics_command(*, plays: bool, is_line: bool) -> None:
    """Explain blackjack in five minutes: the aim, the cards, your answers, the dealer."""
    if is_line and not plays:
        raise click.UsageError("--line: the first hands are played line by line; give --play too")
    if plays:
        _play_first_hands(is_line=is_line)
        return
    from rich.console import Console

    from upcard.tui.appearance import Appearance, needs_ascii
    from upcard.tui.drawing import Styles
    from upcard.tui.pages import write_primer

    look = Appearance(ascii_only=output.asked_for_ascii() or needs_ascii(sys.stdout.encoding))
    console = Console(highlight=False, soft_wrap=False)
    console.width = min(console.width, _COLUMNS)
    for line in write_primer(look, Styles()):
        console.print(line)


@click.command(
    "web",
    epilog="\b\nExamples:\n  upcard web\n  upcard web --house european --practice\n"
    "  upcard web --port 0 --no-open\n  upcard web --host 0.0.0.0 --name laptop.local",
)
@options.value(
    "--port",
    "N",
    "Port to listen on; 0 chooses a free one.",
    type=str,
    callback=options.read_from(0, 65535),
    default=8121,
    show_default=True,
)
@options.value(
    "--host",
    "ADDRESS",
    "Listen on this address, for your other devices (default: this machine only).",
)
@options.value("--name", "HOST", "Name or address by which your other devices reach --host.")
@options.flag(
    "--new-key", "Make a new key: links and programs with the old one are refused from now on."
)
@options.flag("--no-open", "Print the link without opening the browser.")
@options.flag("--practice", "Save nothing.")
@options.rules_options
def web_command(
    *, no_open: bool, practice: bool, house: str | None, rules: str | None, **address: Any
) -> None:
    """Open upcard in the browser: rules with their exact edge and chart, hands, the documents.

    Prints a link with a key and opens it. The server answers this machine only, and only with the
    key; --host lets other devices of your network in, over a connection that is not encrypted.
    Ctrl-C stops it.
    """
    wanted = None if house is None and rules is None else options.choose_rules(house, rules)
    from upcard.web.door import ServeOptions
    from upcard.web.run import serve

    asked = ServeOptions(rules=wanted, opens_browser=not no_open, is_practice=practice, **address)
    try:
        serve(asked, click.echo)
    except KeyboardInterrupt:
        click.echo("Stopped.")
