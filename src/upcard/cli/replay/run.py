"""`upcard replay RUN.json`: rounds of a run as a list, or one with reasons for each decision."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from upcard.cli.output import describe, echo_heading, echo_json, echo_topic
from upcard.core.errors import RulesError
from upcard.session.run_replay import RunShoe, replay_run
from upcard.simulation.run_rounds import choose_round, count_rounds, count_shoes
from upcard.simulation.run_state import load_run_document, naming_file, restore_run

if TYPE_CHECKING:
    from upcard.simulation.table_engine import SimulatedRound

_WIDTH = 79


def show_run(
    source: str, *, shoe: int | None, chunk: int, number: int | None, as_json: bool
) -> None:
    """Show a shoe of a run, or one round of it."""
    document = load_run_document(source)
    with naming_file(source):
        state = restore_run(document)
    if shoe is None:
        shoes = count_shoes(state.job, chunk, count_rounds(state, chunk))
        raise RulesError(f"say which shoe of chunk {chunk}: --shoe 0 to --shoe {shoes - 1}")
    found = replay_run(state, chunk, shoe)
    shown = found.rounds if number is None else (choose_round(found.rounds, number),)
    if as_json:
        echo_json(found.to_json(shown, is_whole=number is not None))
    elif number is None:
        _write_list(found)
    else:
        _write_round(found, shown[0])


def _write_list(found: RunShoe) -> None:
    echo_heading(describe(found.job.rules))
    echo_topic("Shoe", found.describe())
    echo_topic("Rounds", f"{len(found.rounds)}; what one of them was like: --round J")
    click.echo()
    lines = [found.list_columns(), *map(found.list_round, found.rounds)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)][:-1]
    for *cells, cards in lines:
        row = "  ".join(f"{cell:>{width}}" for width, cell in zip(widths, cells, strict=True))
        indent = f"  {row}  "
        room = _WIDTH - len(indent)
        for start in range(0, max(len(cards), 1), room):
            click.echo(((" " * len(indent) if start else indent) + cards[start:][:room]).rstrip())


def _write_round(found: RunShoe, one: SimulatedRound) -> None:
    echo_heading(describe(found.job.rules))
    echo_topic("Round", f"{one.number} of shoe {found.describe()}")
    for topic, text in found.describe_round(one):
        echo_topic(topic, text)
    click.echo()
    for who, text in found.tell(one):
        echo_topic(f"  {who}", text)
    click.echo()
    echo_topic("Net", found.describe_net(one))
    echo_topic("Checked", found.check)
