"""`upcard removal`: how the edge changes when a card of each rank leaves the shoe."""

from __future__ import annotations

import math
from typing import Final

import click

from upcard.cache.exact import effects_of_removal, expected_value
from upcard.cli.options import (
    cache_option,
    choose_rules,
    json_option,
    read_strategy_file,
    rules_options,
    splits_option,
    strategy_option,
)
from upcard.cli.output import (
    describe,
    echo_columns,
    echo_heading,
    echo_json,
    echo_topic,
    write_percent,
)
from upcard.core.errors import UnsupportedRuleError
from upcard.exact.composition import full_decks
from upcard.exact.solve import read_split_play
from upcard.exact.solver_results import SPLIT_PLAYS
from upcard.rules.model import Rules
from upcard.strategy.chart import Strategy

_ENGINE: Final = "count of effects of removal"


@click.command(
    "removal",
    epilog="\b\nExamples:\n  upcard removal\n  upcard removal --rules 1D --splits CDP\n"
    "  upcard chart -o mine.tsv && upcard removal --strategy mine.tsv",
)
@rules_options
@strategy_option
@splits_option
@cache_option
@json_option
def command(
    *, house: str | None, rules: str | None, strategy: str | None, splits: str | None, as_json: bool
) -> None:
    """Compute the exact effect of removing one card of each rank on the player's EV.

    The play is the best for every shoe, so the effects need not cancel out; with a fixed chart
    (--strategy) their sum, weighted by the number of cards, is 0.
    """
    wanted = choose_rules(house, rules)
    if wanted.decks is None:
        reason = "no card can leave an infinite deck; name 1D to 8D"
        raise UnsupportedRuleError(_ENGINE, "INF", reason)
    if strategy is not None and splits is not None:
        raise click.UsageError(
            "--strategy with --splits: a chart says itself how split hands are played"
        )
    chart = None if strategy is None else read_strategy_file(strategy)
    play = splits or "CDZ-"
    effects = effects_of_removal(wanted, splits=play, strategy=chart)
    counts = dict(zip(effects, full_decks(wanted.decks)[1:], strict=True))
    weighed = math.fsum(counts[rank] * effect for rank, effect in effects.items())
    if as_json:
        ev = expected_value(wanted, splits=play, strategy=chart)
        echo_json(
            {
                "rules": str(wanted),
                "splits": "chart" if chart else play,
                "is_fixed_strategy": chart is not None,
                "ev": ev,
                "effects": effects,
                "counts": counts,
                "weighted_sum": weighed,
            }
        )
        return
    echo_heading(describe(wanted))
    click.echo("Change of the player's EV, in percent of the bet, when one card leaves:\n")
    rows = [("card", "change", "cards", "change x cards")]
    rows += [
        (rank, write_percent(effect), str(counts[rank]), write_percent(counts[rank] * effect, 4))
        for rank, effect in effects.items()
    ]
    rows.append(("sum", "", str(sum(counts.values())), write_percent(weighed, 4)))
    echo_columns(rows)
    click.echo()
    echo_topic("Play", _describe_play(wanted, chart, play))


def _describe_play(rules: Rules, chart: Strategy | None, splits: str) -> str:
    if chart is not None:
        title = (chart.title.splitlines() or ["a chart without a title"])[0]
        return f"fixed: {title}. Weighed by the cards there are, the changes sum to 0."
    name = "no splits" if rules.max_hands == 1 else read_split_play(splits)
    return (
        "the best for every shoe, so the sum is no 0: what is left of it is gained by playing"
        f" the shorter shoe its own way. Splits: {name}, {SPLIT_PLAYS[name]}."
    )
