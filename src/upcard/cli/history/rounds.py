"""`upcard history`: your rounds, on the screen, as JSON lines or as CSV."""

from collections.abc import Iterable
from fractions import Fraction

import click

from upcard.analysis.grades import count_grades
from upcard.cli import options, output
from upcard.core.numbers import format_chips, signed
from upcard.session.narration import HEADINGS, LEFT, row_of, write_settled_hand
from upcard.store import database, history, learning, records, round_codes
from upcard.store.bankroll import bankroll_of, chips_on_tables

_SHOWN = 20


@click.command(
    "history",
    epilog="\b\nExamples:\n  upcard history --last 5\n  upcard history --last 3 --codes\n"
    "  upcard history --mistakes\n"
    "  upcard history --csv rounds.csv\n  upcard history --jsonl - | head",
)
@options.positive_option(
    "--last",
    callback=options.read_row,
    help=f"Only the newest N rounds (default: {_SHOWN} on the screen, all in files).",
)
@options.flag("--mistakes", "Only rounds in which you made a mistake.")
@options.flag("--codes", "Show each round's code, for others to replay.")
@options.file_option("--csv", help="Write a CSV file; - is standard output.")
@options.file_option("--jsonl", help="Write a JSON line per round; - is standard output.")
@options.json_option
def history_command(  # noqa: PLR0913 (one parameter an option)
    *,
    last: int | None,
    mistakes: bool,
    codes: bool,
    csv: str | None,
    jsonl: str | None,
    as_json: bool,
) -> None:
    """Show the rounds that you have played, newest last.

    To move the database, see docs/saved-games.md.
    """
    _refuse_two_outputs(csv, jsonl, codes=codes, as_json=as_json)
    search = history.RoundSearch(with_mistakes=mistakes)
    with database.open_for_reading() as store:
        if csv is not None or jsonl is not None:
            for path, write in ((csv, history.write_csv), (jsonl, history.write_json_lines)):
                if path is not None:
                    rounds = history.read_rounds(store, search, last=last)
                    output.write_file(path, write(store, rounds))
            return
        rounds = history.read_rounds(store, search, last=last or _SHOWN)
        with store.reading() as state:
            count = state.rows("SELECT count(*) FROM rounds")[0][0]
            bankroll, on_tables = bankroll_of(state), chips_on_tables(state)
        if as_json:
            rest = {"rounds_played": count, "bankroll": bankroll, "on_tables": on_tables}
            output.write_file("-", history.write_json(store, rounds, rest))
            return
        pairs = ((stored, learning.cost_of_round(store, stored)) for stored in rounds)
        is_shown = _show(pairs, count, codes=codes)
    if is_shown:
        on = f", of which {format_chips(on_tables)} on a table" if on_tables else ""
        click.echo(f" Bankroll {format_chips(bankroll)}{on}.")
    elif count:
        click.echo("The coach has found no mistake in your rounds.")
    else:
        click.echo("No round has been saved yet. Play some: upcard play")


def _refuse_two_outputs(csv: str | None, jsonl: str | None, *, codes: bool, as_json: bool) -> None:
    files = [name for name, path in (("--csv", csv), ("--jsonl", jsonl)) if path is not None]
    if as_json and files:
        raise click.UsageError(f"--json with {files[0]}: give one of them")
    if csv == jsonl and csv is not None:
        raise click.UsageError("--csv and --jsonl name the same file")
    if codes and (as_json or files):
        msg = f"--codes with {'--json' if as_json else files[0]}: every row there has its code"
        raise click.UsageError(msg)


def _show(
    rounds: Iterable[tuple[records.SettledRound, learning.RoundCost]], count: int, *, codes: bool
) -> bool:
    """Write a table of rounds; False if there are none."""
    net, wrong = Fraction(0), list[float]()
    rows: list[tuple[str, ...]] = [("round", "hand", "code", "net") if codes else HEADINGS]
    for stored, cost in rounds:
        net += stored.net
        wrong += cost.wrong
        if codes:
            code = round_codes.encode_round(stored.record)
            rows.append((str(stored.id), write_settled_hand(stored), code, signed(stored.net)))
        else:
            rows.append(row_of(stored, cost))
    shown = len(rows) - 1
    if not shown:
        return False
    output.echo_columns(rows, left=range(3 if codes else LEFT))
    of = "" if shown == count else f" of {count}"
    plural = "" if count == 1 else "s"
    grades = f"; {count_grades(wrong)}" if wrong else ""
    click.echo(f"\n{shown}{of} round{plural}, net {signed(net)}{grades}.", nl=False)
    return True
