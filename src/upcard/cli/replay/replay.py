"""`upcard replay`: a round of a run, of a code or of your history, replayed at the table."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import click

from upcard.cli.options import json_option, limit_row, place_option, positive_option
from upcard.cli.replay.run import show_run
from upcard.cli.streams import can_show_screen
from upcard.core.user_files import could_be_file

if TYPE_CHECKING:
    from collections.abc import Mapping

    from upcard.session.review import Source


@click.command(
    "replay",
    epilog="\b\nExamples:\n"
    "  upcard replay 17\n"
    "  upcard replay 17 --at 2\n"
    '  upcard replay 17 --at 1 --instead "hit stand"\n'
    "  upcard replay CODE\n"
    "  upcard replay --mistakes --last 5\n"
    "  upcard simulate --rounds 1M --seed 1 --count hi-lo --indices i18 -o RUN.json\n"
    "  upcard replay RUN.json --shoe 0\n"
    "  upcard replay RUN.json --shoe 0 --round 7",
)
@click.argument("source", required=False)
@click.option(
    "--mistakes", is_flag=True, help="Review the mistakes of your rounds, instead of SOURCE."
)
@positive_option(
    "--last",
    callback=limit_row,
    help="With --mistakes: the newest N rounds with mistakes (default: 10).",
)
@positive_option(
    "--at", metavar="K", help="For a code or a round of yours: stop before answer K, from 1."
)
@click.option(
    "--instead", metavar="TEXT", help='With --at: answers from there on, such as "hit stand".'
)
@click.option(
    "--cards",
    type=click.Choice(["fresh", "seen"]),
    metavar="NAME",
    help="Cards the coach knows: those of a fresh shoe (default), or all cards seen.",
)
@place_option("--shoe", metavar="K", help="For a run: the shoe, from 0.")
@place_option("--chunk", metavar="C", help="For a run: the chunk of the shoe, from 0 (default: 0).")
@positive_option("--round", "number", metavar="J", help="For a run: the round of the shoe, from 1.")
@click.option("--line", is_flag=True, help="Print instead of showing a full screen.")
@json_option
def command(  # noqa: PLR0913 (one parameter an option)
    *,
    source: str | None,
    mistakes: bool,
    last: int | None,
    at: int | None,
    instead: str | None,
    cards: str | None,
    shoe: int | None,
    chunk: int | None,
    number: int | None,
    line: bool,
    as_json: bool,
) -> None:
    """Replay a round. SOURCE is the file of a run, a code, or a round's number.

    A code, or the number of a round that you have played (upcard history shows both), shows every
    card, and at each question the exact value of each answer, your answer, its cost and the reason.
    On a terminal it is a full screen: arrows step, and the key of another answer tries it. In
    print,
    --at and --instead do that, and show both results side by side.

    --mistakes reviews the mistakes of your newest rounds. On a terminal each question is asked
    again before the answer is shown, and M goes to the next; in print each has its verdict and
    reason.

    The file of a run, RUN.json: without --round, it lists a shoe's rounds; with it, it shows every
    card, decision, reason and payment of that round. The table replays the shoe from its cards, and
    a result that differs from the run's is an error.
    """
    of_rounds = {"--at": at, "--instead": instead, "--cards": cards}
    of_runs = {"--shoe": shoe, "--chunk": chunk, "--round": number}
    if mistakes:
        of_one = {"SOURCE": source, "--at": at, "--instead": instead, **of_runs}
        _refuse(of_one, "--mistakes: it is for one round")
        _review_mistakes(last, cards or "fresh", line=line, as_json=as_json)
        return
    if last is not None:
        msg = "--last without --mistakes: one round is replayed, or the mistakes of several"
        raise click.UsageError(msg)
    if source is None:
        msg = "say what to replay: a round's number, a code, the file of a run, or --mistakes"
        raise click.UsageError(msg)
    if _is_file(source):
        _refuse(of_rounds, "the file of a run: it is for a code or a round of yours")
        show_run(source, shoe=shoe, chunk=chunk or 0, number=number, as_json=as_json)
        return
    _refuse(of_runs, f"{source!r}, which is no file: it is for the file of a run")
    if instead is not None and at is None:
        raise click.UsageError("--instead without --at: say before which answer, such as --at 1")
    if at is None and not line and not as_json and can_show_screen():
        from upcard.session.review import find_source
        from upcard.tui.app import run_table
        from upcard.tui.screen_options import ScreenOptions

        run_table(
            ScreenOptions(replay=find_source(source, cards=cards or "fresh"), is_practice=True)
        )
        return
    from upcard.cli.replay.round import show_round

    show_round(source, at=at, instead=instead, cards=cards or "fresh", as_json=as_json)


def _review_mistakes(last: int | None, cards: str, *, line: bool, as_json: bool) -> None:
    """Review the mistakes of the newest rounds, on the screen or in print."""
    from upcard.cli.replay.round import find_mistakes, show_mistakes

    if not line and not as_json and can_show_screen():
        found = find_mistakes(last, cards=cards)
        if found:
            from upcard.tui.app import run_table
            from upcard.tui.screen_options import ScreenOptions

            first, *others = found
            following = tuple(partial(_same, source) for source in others)
            run_table(
                ScreenOptions(replay=first, following=following, asks_first=True, is_practice=True)
            )
            return
    show_mistakes(last, cards=cards, as_json=as_json)


def _same(source: Source) -> Source:
    return source


def _is_file(source: str) -> bool:
    """Whether this is, or looks like, the name of a file; no code has a dot or a slash."""
    return could_be_file(source) or "." in source or "\\" in source


def _refuse(options: Mapping[str, object], where: str) -> None:
    given = [name for name, value in options.items() if value is not None]
    if given:
        raise click.UsageError(f"{given[0]} with {where}")
