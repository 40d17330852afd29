"""`upcard web`: the workbench in the browser."""

from __future__ import annotations

from typing import Any

import click

from upcard.cli.options import choose_rules, rules_options


@click.command(
    "web",
    epilog="\b\nExamples:\n  upcard web\n  upcard web --house european --practice\n"
    "  upcard web --port 0 --no-open\n  upcard web --host 0.0.0.0 --name laptop.local",
)
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=8121,
    show_default=True,
    metavar="N",
    help="Port to listen on; 0 chooses a free one.",
)
@click.option(
    "--host",
    metavar="ADDRESS",
    help="Listen on this address, for your other devices (default: this machine only).",
)
@click.option(
    "--name", metavar="HOST", help="Name or address by which your other devices reach --host."
)
@click.option(
    "--new-key",
    is_flag=True,
    help="Make a new key: links and programs with the old one are refused from now on.",
)
@click.option("--no-open", is_flag=True, help="Print the link without opening the browser.")
@click.option("--practice", is_flag=True, help="Save nothing.")
@rules_options
def command(
    *, no_open: bool, practice: bool, house: str | None, rules: str | None, **address: Any
) -> None:
    """Open upcard in the browser: rules with their exact edge and chart, hands, the documents.

    Prints a link with a key and opens it. The server answers this machine only, and only with the
    key; --host lets other devices of your network in, over a connection that is not encrypted.
    Ctrl-C stops it.
    """
    wanted = choose_rules(house, rules)
    from upcard.web.run import ServeOptions, serve

    options = ServeOptions(rules=wanted, opens_browser=not no_open, is_practice=practice, **address)
    try:
        serve(options, click.echo)
    except KeyboardInterrupt:
        click.echo("Stopped.")
