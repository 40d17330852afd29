"""`upcard sidebet`: the side bets, and what one is worth in any shoe."""

from __future__ import annotations

from functools import partial
from typing import Any

import click
from click.shell_completion import CompletionItem

from upcard.answers.asked import sidebet as side_bet
from upcard.cli import options, output
from upcard.core import errors, numbers
from upcard.exact.side.bet_counts import SideBetCount
from upcard.exact.side.bet_values import RowChance, SideBetRemoval, choose_game
from upcard.rules import side_bet_files
from upcard.rules.settings import MOST_DECKS


def _complete(_: click.Context, __: click.Parameter, begun: str) -> list[CompletionItem]:
    """Return the names that begin so; a file is completed by the shell."""
    found = [
        CompletionItem(bet.name, help=bet.title)
        for bet in side_bet_files.shipped_side_bets()
        if bet.name.startswith(begun.lower())
    ]
    return found or [CompletionItem(begun, type="file")]


@click.command(
    "sidebet",
    epilog="\b\nExamples:\n  upcard sidebet\n  upcard sidebet 21+3 flat --removal\n"
    '  upcard sidebet "PP(25/12/6)" --shoe "6D less QH QH T 5"\n'
    '  upcard sidebet buster --rules "8D H17" --count --pen 80%\n'
    "  upcard sidebet mine.toml --decks 8 --json",
)
@click.argument("name", nargs=-1, metavar="[NAME|FILE]", shell_complete=_complete)
@options.value("--decks", "N", "Number of decks, 1 to 8.", type=options.Whole(1, MOST_DECKS))
@options.rules_options
@options.shoe_option
@options.flag("--removal", "Show the effect of each card that leaves.")
@options.flag("--count", "Show the best count for it, and what it earns.")
@options.value(
    "--pen",
    "SHARE",
    "Share of the shoe dealt, for --count: 75% or 3/4 (default: that of the rules).",
)
@options.table_options
def sidebet_command(  # noqa: PLR0913 (one parameter an option)
    *,
    name: tuple[str, ...],
    decks: int | None,
    house: str | None,
    rules: str | None,
    shoe: str | None,
    removal: bool,
    count: bool,
    pen: str | None,
    form: output.Form,
) -> None:
    """List the side bets, or show what the side bet NAME is worth: a name, token or TOML file.

    A bet whose pay table is made for one game is priced in that game by default, another one in
    six decks.

    All values are exact, from a full shoe or from the cards of --shoe, in which suits count: "6D
    less QH QH AS T". A card without a suit is one of any suit, a T without a suit any ten-valued
    card. Suits that are not known are averaged over.
    """
    if not name:
        if any((decks, house, rules, shoe, removal, count, pen)):
            raise click.UsageError("options about one side bet: name it")
        _list(form)
        return
    if pen is not None and not count:
        raise click.UsageError("--pen is about --count, which is not given")
    if decks is not None and (house is not None or rules is not None):
        raise click.UsageError("--decks with --house or --rules: the rules name the decks")
    share = None if pen is None else _read_share(pen)
    bet = side_bet_files.load_side_bet(" ".join(name))
    is_given = house is not None or rules is not None
    wanted = options.choose_rules(house, rules) if is_given else None
    if decks is not None:
        wanted = choose_game(bet).replace(decks=decks)
    answer = side_bet.price(bet, wanted, shoe)
    effects = bet.removal(shoe, wanted) if removal else None
    counted = bet.count(shoe, wanted, penetration=share) if count else None
    make_sheet = partial(side_bet.make_sheet, answer, removal=effects, count=counted)
    form.write(
        lambda: options.write_sheet(make_sheet()),
        lambda: _to_json(answer, effects, counted),
        lambda: make_sheet().tables,
    )


def _read_share(text: str) -> Any:  # noqa: ANN401 (a fraction)
    """Read `75%`, `0.75` or `3/4`."""
    number = numbers.exact_number(text.strip().removesuffix("%"))
    if number is not None and text.strip().endswith("%"):
        number /= 100
    if number is None or not 0 < number <= 1:
        msg = f"--pen {errors.quote(text)}: over 0 and at most 1, as 75% or 3/4"
        raise errors.NotationError(msg)
    return number


def _list(form: output.Form) -> None:
    found = side_bet.list_side_bets()
    table = side_bet.tabulate_side_bets(found)

    def write() -> None:
        output.echo_table(table)
        click.echo("\nhouse edge: exact, in the game of its pay table, or else in six decks.")
        click.echo("More about one: upcard sidebet NAME. Token: upcard play --rules '6D +21+3(9)'.")

    form.write(write, lambda: found, lambda: [table])


def _to_json(
    answer: side_bet.SideBetAnswer, removal: SideBetRemoval | None, count: SideBetCount | None
) -> dict[str, Any]:
    names = ("name", "title", "token", "source", "rules", "shoe", "edge", "fresh_edge", "hit")
    document: dict[str, Any] = {
        **numbers.fields_of(answer, *names, "standard_deviation", "cost_per_hour"),
        "rows": _rows(answer.rows),
        "decks": {
            str(n): edge for n, edge in side_bet.edges_by_decks(answer.bet, answer.rules).items()
        },
    }
    if answer.bet.for_each:
        document["outcomes"] = _rows(answer.outcomes)
    if removal is not None:
        document["removal"] = removal.by_card
        document["removal_by_suit"] = removal.by_suit
    if count is not None:
        kept = ("tags", "exact_tags", "correlation", "best_correlation", "slope", "begins", "share")
        document["count"] = {
            **numbers.fields_of(count, *kept, "per_100", "best_per_100"),
            "penetration": float(count.penetration),
        }
    return document


def _rows(rows: tuple[RowChance, ...]) -> list[dict[str, Any]]:
    return [row._asdict() for row in rows]
