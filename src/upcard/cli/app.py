"""The command `upcard`: a group that imports a command only when it is called."""

import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from typing import Final

import click

from upcard._version import __version__
from upcard.answers.questions import QUESTIONS
from upcard.cli import streams
from upcard.core.errors import BlackjackError, shorten

BAD_INPUT: Final = 2

_HELP: Final = {
    "play": "Play blackjack on the full screen or line by line, or let a bot play.",
    "web": "Open upcard in the browser: the table, drills, rules, the lab, history.",
    "train": "Practise: basic strategy, whole hands, deviations, counting.",
    "edge": QUESTIONS["edge"].about,
    "chart": QUESTIONS["chart"].about,
    "solve": QUESTIONS["solve"].about,
    "money": "Show or set the bet and speed by which costs are money.",
    **{name: question.about for name, question in QUESTIONS.items()},
    "simulate": "Play millions of rounds a second, by a chart, a count and a ramp.",
    "replay": "Replay a round of a run, a code or your history, and try other plays.",
    "history": "Show or export the rounds that you have played.",
    "verify": "Check that a shoe was dealt as committed to.",
    "cache": "Show or clear the saved exact values.",
    "basics": "Explain blackjack in five minutes.",
}
"""Short help of each command: `upcard --help` need not import them."""
_MODULES: Final = {
    **dict.fromkeys(("play", "web", "basics"), "play.command"),
    **dict.fromkeys(("cache", "money"), "saved"),
    "train": "play.train",
    "history": "history.rounds",
    **{name: f"history.{name}" for name in ("replay", "verify")},
}
"""Module of each command that has not its name; the other questions have none."""


def import_command(name: str) -> click.Command:
    """Import the command `name` from its module, or make it of its question."""
    if name in QUESTIONS and name not in _MODULES:
        from upcard.cli.questions import make_command

        return make_command(QUESTIONS[name])
    module = import_module(f"upcard.cli.{_MODULES.get(name, name)}")
    command: click.Command = getattr(module, f"{name}_command")
    return command


class LazyGroup(click.Group):
    """A group of commands that are imported when they run."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 (click's signature)
        """Return the names of the commands, in the order of the help page."""
        return list(_HELP)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Import a command."""
        if cmd_name not in _HELP:
            return None
        return import_command(cmd_name)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command for the first word; suggest similar names if there is none."""
        name = args[0]
        if name not in _HELP and not name.startswith("-") and not ctx.resilient_parsing:
            ctx.fail(f"There is no command {name!r}. {_suggest(name)}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """Write the list of commands without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl(list(_HELP.items()))


def _suggest(name: str) -> str:
    from difflib import get_close_matches

    close = [f"'{other}'" for other in get_close_matches(name.lower(), _HELP, n=2)]
    if not close:
        return "upcard --help lists them."
    return f"Did you mean {' or '.join(close)}?"


@click.group(
    cls=LazyGroup,
    invoke_without_command=True,
    subcommand_metavar="[COMMAND] [ARGS]...",  # as click says from 8.2; with 8.1 too
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 88},
    epilog="\b\nExamples:\n  upcard\n  upcard play --house european\n"
    "  upcard edge --house european\n  upcard chart\n  upcard solve T6 v 9\n  upcard policy 4/13",
)
@click.version_option(__version__, prog_name="upcard", message="%(prog)s %(version)s")
@click.pass_context
def cli(ctx: click.Context) -> None:
    """Play, learn and solve blackjack under any house rules: the open workbench.

    Without a command, upcard starts a game on a terminal; elsewhere it prints the default game's
    rules, edge and chart.
    """
    if ctx.invoked_subcommand is None:
        from upcard.cli.play.command import start

        start()


def run(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; return its exit code. Faults become one line on stderr."""
    streams.open_closed_streams()
    streams.turn_on_colors()
    words = list(sys.argv[1:] if arguments is None else arguments)
    with streams.end_on_signals() as ending:
        status = _run(words)
    if ending.signal is not None:
        streams.abandon_output()  # the terminal may be gone
    return ending.status(status)


def _run(words: list[str]) -> int:
    command = "upcard"
    try:
        # Not `cli.main`, which exits when the reader of its output has gone.
        with cli.make_context("upcard", words) as context:
            try:
                cli.invoke(context)
            finally:
                command = f"upcard {context.invoked_subcommand or ''}".rstrip()
        sys.stdout.flush()
    except click.exceptions.Exit as leave:
        return leave.exit_code
    except click.ClickException as error:
        where = getattr(error, "ctx", None)
        told = _name_new_command(error) or error.format_message()
        return _refuse(where.command_path if where else "upcard", told)
    except BlackjackError as error:
        return _refuse("upcard", str(error))
    except OSError as error:
        return _explain_system_error(error, command)
    except (KeyboardInterrupt, click.Abort):
        return streams.INTERRUPTED
    return 0


def _name_new_command(error: click.ClickException) -> str:
    """Say which commands have an option now that a question had."""
    if not isinstance(error, click.NoSuchOption) or error.ctx is None:
        return ""
    parts = getattr(QUESTIONS.get(error.ctx.info_name or ""), "parts", ())
    own = {name: [one.option for one in QUESTIONS[name].fields] for name in parts}
    option = error.option_name
    found = [f"upcard {one}" for one in own if option in (f"--{one.split('-')[0]}", *own[one])]
    return f"{option} is an option of {' and '.join(found)} now" if found else ""


def _explain_system_error(error: OSError, command: str) -> int:
    """Report an error of the system: output that cannot be written, or a file, by its name."""
    is_output = error.filename is None and not streams.can_still_write()
    streams.abandon_output()
    if isinstance(error, BrokenPipeError):  # the reader has gone
        return 0
    reason = error.strerror or str(error)
    if is_output:
        return _refuse("upcard", f"cannot write the output: {reason}")
    if error.filename is not None:
        return _refuse(command, f"cannot use the file {os.fsdecode(error.filename)!r}: {reason}")
    return _refuse(command, f"the system refused: {reason}")


def _refuse(command: str, message: str) -> int:
    with suppress(OSError):  # standard error may be gone too
        click.echo(f"{command}: {' '.join(shorten(message).split())}", err=True)
    return BAD_INPUT
