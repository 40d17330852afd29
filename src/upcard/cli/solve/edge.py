"""`upcard edge`: the value of a game, rule by rule; `upcard removal`: card by card."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import click

from upcard.answers import edge
from upcard.cli import options, output, progress, streams
from upcard.core import errors, figure
from upcard.core.number_texts import read_share
from upcard.rules.model import Rules
from upcard.rules.tokens import merge_changes, read_tokens
from upcard.store.money import MoneyPace, load_pace, money_path, read_pace, save_pace
from upcard.strategy.chart import load_strategy

_ROWS_SHOWN: Final = 12


@click.command(
    "edge",
    epilog="\b\nExamples:\n  upcard edge\n  upcard edge --house european\n"
    '  upcard edge --rules "6D H17" --compare S17 LS 6:5 "RSA HSA"\n'
    '  upcard edge --rules "1D SP2" --splits full\n'
    "  upcard edge --sees-hole 10%\n"
    "  upcard chart --rules 1D -o mine.tsv && upcard edge --strategy mine.tsv",
)
@click.argument("more", metavar="", nargs=-1)
@options.rules_options
@options.strategy_option
@options.shoe_option
@options.splits_option
@options.value(
    "--sees-hole", "SHARE", "See the hole card in this share of the rounds, such as 10%."
)
@options.value(
    "--compare",
    "TOKENS...",
    "Compare the edge with other rules: each text switches rules, one after another.",
    multiple=True,
)
@options.cache_option
@options.table_options
def edge_command(  # noqa: PLR0913 (one parameter an option)
    more: tuple[str, ...],
    *,
    house: str | None,
    rules: str | None,
    strategy: str | None,
    shoe: str | None,
    splits: str | None,
    sees_hole: str | None,
    compare: tuple[str, ...],
    form: output.Form,
) -> None:
    """Compute the exact value of a round: the player's EV and the house edge.

    Shows the best play and the optimal chart. With --strategy it is the value of your chart, and
    the cells that cost most are listed. EV is per initial bet, of the first round of the shoe.
    """
    if more and not compare:
        msg = f"unexpected {' '.join(more)!r}: rules go behind --rules or --compare"
        raise click.UsageError(msg)
    if strategy is not None and sees_hole is not None:
        raise click.UsageError("--sees-hole with --strategy: a chart does not know the hole card")
    share = 0.0
    if sees_hole:
        share = float(read_share(sees_hole, "--sees-hole", example="10%"))
    wanted = options.choose_rules(house, rules)
    answer = edge.answer_game(
        wanted,
        splits=splits or "CDZ-",
        shoe=shoe,
        strategy=None if strategy is None else load_strategy(strategy),
        strategy_name=strategy or "",
        sees_hole=share,
        switches=[(tokens, switch_rules(wanted, tokens, shoe)) for tokens in (*compare, *more)],
    )
    tables = [answer.tabulate_upcards()]
    if answer.strategy is not None:
        tables.append(answer.tabulate_costs())
    if answer.compare:
        tables.append(answer.tabulate_compared())

    def write() -> None:
        output.echo_heading(output.describe(wanted))
        _write(answer, tables)

    form.write(write, lambda: answer, lambda: tables)


def switch_rules(rules: Rules, tokens: str, shoe: str | None = None) -> Rules:
    """Return rules with the settings that `tokens` change; a given shoe keeps its decks."""
    read, faults = read_tokens(tokens.replace(",", " ").split())
    if not read and not faults:
        faults = ["no token"]
    if faults:
        raise errors.NotationError(f"--compare {tokens!r}: {'; '.join(faults)}")
    try:
        switched = rules.replace(**merge_changes(read))
    except errors.RulesError as error:
        raise errors.RulesError(f"--compare {tokens!r}: {error}") from None
    cards = ("decks", "deck_size")
    if shoe is not None and any(getattr(switched, one) != getattr(rules, one) for one in cards):
        msg = f"--compare {tokens!r} with --shoe {shoe!r}: the cards are those of the shoe"
        raise errors.RulesError(msg)
    return switched


def _write(answer: edge.GameAnswer, tables: Sequence[figure.AnswerTable]) -> None:
    output.echo_topics(answer.in_words)
    output.echo_topic("Time", f"{answer.seconds:.3f} s")
    upcards, *others = tables
    click.echo("\nBy upcard, in percent of the bet:")
    for line in upcards.lines_across():
        output.echo_text(f"  {line}\n")
    for table in others:
        if table.rows:
            click.echo(f"\n{table.title}:")
            output.echo_table(replace(table, rows=table.rows[:_ROWS_SHOWN]))
        if len(table.rows) > _ROWS_SHOWN:
            click.echo(f"  and {len(table.rows) - _ROWS_SHOWN} more: --csv has all of them.")


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
        output.echo_json(pace)
        return
    output.echo_topic("Money", f"{pace}".removeprefix("at "))
    output.echo_topic("File", str(money_path()))


@click.command(
    "removal",
    epilog="\b\nExamples:\n  upcard removal\n  upcard removal --rules 1D --splits CDP\n"
    "  upcard chart -o mine.tsv && upcard removal --strategy mine.tsv\n"
    "  upcard removal --by-cards --rules 2D --plot gone.svg",
)
@options.rules_options
@options.strategy_option
@options.splits_option
@options.flag("--by-cards", "Show the EV by the number of cards gone, by perfect play.")
@options.place_option(
    "--exact", help="With --by-cards: value all shoes up to this many cards gone (default: 4)."
)
@options.positive_option(
    "--shoes", help="With --by-cards: shuffled shoes for each number beyond (default: 200)."
)
@options.seed_option
@options.workers_option
@options.file_option(
    "--plot", help="With --by-cards: draw a file .svg, .png or .txt, or - for the screen."
)
@options.cache_option
@options.table_options
def removal_command(  # noqa: PLR0913 (one parameter an option)
    *,
    house: str | None,
    rules: str | None,
    strategy: str | None,
    splits: str | None,
    by_cards: bool,
    plot: str | None,
    form: output.Form,
    **terms: int | None,
) -> None:
    """Compute the exact effect of removing one card of each rank on the player's EV.

    The play is the best for every shoe, so the effects need not cancel out; with a fixed chart
    (--strategy) their sum, weighted by the number of cards, is 0.

    With --by-cards it is the EV by the number of cards gone, for a player who knows them all: over
    all shoes with few cards gone, beyond over shuffled ones to the cut card.
    """
    wanted = options.choose_rules(house, rules)
    if by_cards:
        if strategy is not None or splits is not None:
            raise click.UsageError("--by-cards is perfect play: without --strategy and --splits")
        _show_by_cards(wanted, plot, form, **terms)
        return
    given = [f"--{name}" for name, term in {**terms, "plot": plot}.items() if term is not None]
    if given:
        raise click.UsageError(f"{given[0]} is for --by-cards")
    if strategy is not None and splits is not None:
        msg = "--strategy with --splits: a chart says itself how split hands are played"
        raise click.UsageError(msg)
    answer = edge.answer_removal(
        wanted,
        splits=splits or "CDZ-",
        strategy=None if strategy is None else load_strategy(strategy),
    )
    table = answer.table()

    def write() -> None:
        output.echo_heading(output.describe(wanted))
        click.echo(f"{table.title}, in percent of the bet:\n")
        output.echo_table(table)
        click.echo()
        output.echo_topic("Play", answer.play)

    form.write(write, lambda: answer, lambda: [table])


def _show_by_cards(rules: Rules, plot: str | None, form: output.Form, **terms: int | None) -> None:
    from upcard.analysis.cards_gone import DEFAULT_SHOES, EXACT_TO, find_cards_gone
    from upcard.charts.plot_data import read_depth_plot
    from upcard.cli.simulate.command import check_files, draw_plot
    from upcard.simulation.job import draw_seed

    check_files(form.csv, plot, as_json=form.as_json)
    seed = draw_seed() if terms["seed"] is None else terms["seed"]
    exact_to = EXACT_TO if terms["exact"] is None else terms["exact"]
    with progress.LiveTask() as live:
        found = find_cards_gone(
            rules,
            exact_to=exact_to,
            shoes=terms["shoes"] or DEFAULT_SHOES,
            seed=seed,
            workers=terms["workers"],
            watch=live.move,
        )

    def write() -> None:
        output.echo_heading("EV by cards gone", output.describe(rules))
        output.echo_table(found.table())
        click.echo()
        output.echo_topics(found.sentences())

    form.write(write, found.to_json, lambda: [found.table()])
    if plot is not None:
        draw_plot(read_depth_plot(found), plot)
    if not found.is_whole:
        words = f"the same command with --seed {seed} continues"
        click.echo(f"upcard removal: interrupted; {words}", err=True)
        raise click.exceptions.Exit(streams.INTERRUPTED)
