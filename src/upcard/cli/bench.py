"""`upcard bench`: the questions, and the exact scores of players."""

import json
from functools import partial

import click

from upcard.answers import bench
from upcard.cli import options, output, streams
from upcard.cli.questions import write_sheet
from upcard.core import figure
from upcard.core.numbers import fields_of
from upcard.store import database, statistics
from upcard.strategy.chart import load_strategy

_WHAT = "file of answers"
_SHOWN = 20
_FIGURES = (
    *("player", "regret_per_100", "most_regret_per_100", "money_per_hour"),
    *("shares", "faults"),
)


@click.command(
    "bench",
    epilog='\b\nExamples:\n  upcard bench --rules "6D H17 LS" > questions.jsonl\n'
    '  upcard bench score answers.jsonl --rules "6D H17 LS"\n'
    "  upcard bench score --player mimic --player never-bust --long --csv -\n"
    "  upcard bench score answers.jsonl --strategy my-chart.tsv\n  upcard bench score --history",
)
@click.argument("words", nargs=-1, metavar="[score [FILE]...]")
@options.rules_options
@options.flag("--long", "Ask about hands after hits and splits too.")
@options.value("--player", "NAME", "Score a bot, or a FILE.py of yours.", multiple=True)
@options.value("--strategy", "FILE", "Score a chart, a file as printed.", multiple=True)
@options.flag("--history", "Score the decisions of your rounds in the house.")
@options.positive_option("--worst", help="Number of answers shown (default: 20, all in files).")
@options.table_options
def bench_command(  # noqa: PLR0913 (one parameter an option)
    *,
    words: tuple[str, ...],
    house: str | None,
    rules: str | None,
    long: bool,
    player: tuple[str, ...],
    strategy: tuple[str, ...],
    history: bool,
    worst: int | None,
    form: output.Form,
) -> None:
    """Ask a player about every hand, and score the answers exactly.

    Without a word it prints the questions for a house, a line of JSON each, {"id", "prompt",
    "legal"}, for a language model or a person. With score it reads lines {"id", "answer"} from a
    FILE (- is standard input), or asks a bot or a chart, and prices each answer by its exact cost
    and the frequency of its hand. Of two players it shows the difference, hand by hand.
    """
    chosen = options.choose_rules(house, rules)
    count = len(words[1:]) + len(player) + len(strategy) + history
    if not words:
        if count or worst or any(form):
            raise click.UsageError("without score it prints questions, and takes only --long")
        for asked in bench.bench_questions(chosen, long=long):
            click.echo(json.dumps(fields_of(asked, "id", "prompt", "legal"), ensure_ascii=False))
        return
    if words[0] != "score":
        raise click.UsageError(f"{words[0]!r}: the only word here is score")
    if not 1 <= count <= 2:
        raise click.UsageError(
            f"{count} players: name one or two, each a FILE of answers (- is standard input),"
            " --player, --strategy or --history"
        )
    if history and (count > 1 or long):
        raise click.UsageError("--history has its own hands: it goes with no other player or set")
    scores = [
        bench.read_score(streams.read_input(file, _WHAT), chosen, name=file, long=long)
        for file in words[1:]
    ]
    score = partial(bench.score_player, chosen, long=long)
    scores += [*map(score, player), *(score(load_strategy(file), name=file) for file in strategy)]
    if history:
        with database.open_for_reading() as store:
            scores.append(bench.score_history(chosen, statistics.find_mistakes(store, chosen)))
    most = worst or (None if any(form) else _SHOWN)
    one, other = scores[0], scores[-1]
    sheet = bench.compare_scores(one, other, most) if count == 2 else one.sheet(most)

    def document() -> object:
        answers = [answer._asdict() for answer in one.answers[:worst]]
        figures = {"rules": str(chosen), **fields_of(one, *_FIGURES), **one.counts}
        return sheet if count == 2 else figures | {"answers": answers}

    def tables() -> list[figure.AnswerTable]:
        """Return the table, also where no answer is wrong."""
        return [bench.tabulate_differences(one, other, most) if count == 2 else one.table(most)]

    form.write(lambda: write_sheet(sheet), document, tables)
