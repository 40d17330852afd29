"""`upcard cache`: the saved exact values; `upcard money`: the bet and pace that are saved."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

import click

from upcard.cache import recall
from upcard.cli import options
from upcard.cli.output import Formats, echo_json, echo_table, echo_topic, echo_topics
from upcard.core import errors, figure
from upcard.core.figure import make_table
from upcard.store.money import MoneyPace, load_pace, money_path, read_pace, save_pace


@click.command("cache", epilog="\b\nExamples:\n  upcard cache\n  upcard cache --clear")
@options.flag("--clear", "Delete the saved values.")
@options.flag("--compile", "Compile the solver and the simulator now.", to="compiles")
@options.table_options
def cache_command(*, clear: bool, compiles: bool, formats: Formats) -> None:
    """Show or clear the saved exact values.

    Exact values and charts are saved when they are first computed, so that the same question is
    answered at once; those of the built-in houses come with upcard. Values of other versions of
    upcard are not read. --no-cache with a command computes; UPCARD_CACHE names another folder, or
    is "off".

    The machine code of the solver and the simulator is compiled once on a machine: in the
    background when the game is first played, or by the first command that needs it, or with
    --compile.
    """
    if compiles:
        if clear or formats.as_json or formats.csv is not None:
            raise click.UsageError("--compile goes with no other option.")
        from upcard.session.machine_code import compile_now

        if compile_now(lambda name: click.echo(f"Getting ready: {name}", err=True)):
            click.echo("The solver and the simulator are compiled.")
        else:
            click.echo("Another process is compiling them.")
        return
    folder = recall.open_folder()
    if clear:
        if formats.csv is not None:
            raise click.UsageError("--csv with --clear: there is no table then")
        cleared = folder.clear()
        count, size = len(cleared), sum(file.size for file in cleared)
        if formats.as_json:
            echo_json({"folder": str(folder.path), "cleared": count, "bytes": size})
        else:
            click.echo(f"Deleted {_count(count)}, {_write_size(size)}, from {folder.path}.")
        return
    found = _look(folder)
    table = _tabulate(found["kinds"])
    formats.write(lambda: _write(found, table), lambda: found, lambda: [table])


def _look(folder: recall.CacheFolder) -> dict[str, Any]:
    files = folder.list_files()
    stamp = recall.program_stamp()
    current = [file for file in files if file.stamp == stamp]
    counts = Counter(file.kind for file in current)
    sizes: Counter[str] = Counter()
    for file in current:
        sizes[file.kind] += file.size
    return {
        "folder": str(folder.path),
        "is_off": recall.is_off(),
        "values": len(files),
        "bytes": sum(file.size for file in files),
        "room": sum(file.room for file in files),
        "most_room": recall.MOST_BYTES,
        "of_other_versions": len(files) - len(current),
        "shipped": recall.count_shipped(),
        "kinds": [
            {"kind": kind, "values": counts[kind], "bytes": sizes[kind]}
            for kind in recall.KINDS
            if counts[kind]
        ],
    }


def _tabulate(kinds: list[dict[str, Any]]) -> figure.AnswerTable:
    columns = (
        *(figure.text("what"), figure.number("values"), figure.label("size")),
        figure.number("bytes", is_shown=False),
    )
    rows = (
        (recall.KINDS[row["kind"]], row["values"], _write_size(row["bytes"]), row["bytes"])
        for row in kinds
    )
    return make_table("Saved values", columns, rows)


def _write(found: dict[str, Any], table: figure.AnswerTable) -> None:
    if found["is_off"]:
        echo_topic("Off", f"{recall.VARIABLE} is {recall.OFF!r}: every value is computed.")
        return
    echo_topics(_describe(found))
    if table.rows:
        click.echo()
        echo_table(table)


def _describe(found: dict[str, Any]) -> Iterator[tuple[str, str]]:
    yield "Folder", found["folder"]
    yield "Saved", f"{_count(found['values'])}, {_write_size(found['bytes'])}"
    room = f"{_write_size(found['room'])} of {_write_size(found['most_room'])}"
    yield "Room", f"{room}; the values not used for longest leave first"
    if found["of_other_versions"]:
        yield "Not read", f"{found['of_other_versions']:,} of another version of upcard"
    yield "With upcard", _count(found["shipped"])


def _count(values: int) -> str:
    return f"{values:,} value{'' if values == 1 else 's'}"


def _write_size(size: int) -> str:
    return f"{size / 1e6:.1f} MB" if size >= 1e6 else f"{size / 1e3:.1f} kB"


@click.command(
    "money", epilog="\b\nExamples:\n  upcard money\n  upcard money --bet 25 --hands-per-hour 80"
)
@options.value("--bet", "N", "Bet on each hand.")
@options.value("--hands-per-hour", "N", "Hands an hour.")
@options.json_option
def money_command(*, bet: str | None, hands_per_hour: str | None, as_json: bool) -> None:
    """Show or set the bet and the speed by which costs are written as money.

    Every front-end uses them. Without options they are shown.
    """
    given = {"bet": bet, "hands_per_hour": hands_per_hour}
    pace = MoneyPace()
    try:
        pace = load_pace()
    except errors.UserFileError:
        if None in given.values():  # only both numbers replace a faulty file
            raise
    words = {name: text or str(getattr(pace, name)) for name, text in given.items()}
    if any(given.values()):
        pace = read_pace(**words)
        save_pace(pace)
    if as_json:
        echo_json(pace)
        return
    echo_topic("Money", f"{pace}".removeprefix("at "))
    echo_topic("File", str(money_path()))
