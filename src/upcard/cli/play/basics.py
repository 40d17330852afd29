"""`upcard basics`: blackjack in five minutes, for a person who has never played."""

from __future__ import annotations

import sys
from typing import Final

import click

from upcard.cli.output import ascii_option, asked_for_ascii

_COLUMNS: Final = 76


@click.command("basics", epilog="\b\nExamples:\n  upcard basics\n  upcard basics --ascii")
@ascii_option
def command() -> None:
    """Explain blackjack in five minutes: the aim, the cards, your answers, the dealer."""
    from rich.console import Console

    from upcard.tui.appearance import Appearance, needs_ascii
    from upcard.tui.primer_page import write_primer
    from upcard.tui.table_drawing import Styles

    look = Appearance(ascii_only=asked_for_ascii() or needs_ascii(sys.stdout.encoding))
    console = Console(highlight=False, soft_wrap=False)
    console.width = min(console.width, _COLUMNS)
    for line in write_primer(look, Styles()):
        console.print(line)
