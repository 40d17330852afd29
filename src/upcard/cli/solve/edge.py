"""`upcard edge`: the value of a game, rule by rule; `upcard removal`: card by card."""

import math
from typing import Any, Final, NamedTuple

import click

from upcard.cache import exact
from upcard.cli import options, output
from upcard.core.errors import NotationError, RulesError, UnsupportedRuleError
from upcard.core.numbers import fields_of
from upcard.exact.composition import full_decks
from upcard.exact.solve import read_split_play
from upcard.exact.solver_results import SPLIT_PLAYS, CellCost, GameValue, difference
from upcard.rules.model import Rules
from upcard.rules.tokens import merge_changes, read_tokens
from upcard.strategy.chart import Strategy

_UPCARDS: Final = (*"23456789T", "A")
_CELLS_SHOWN: Final = 12
_AS_MUCH: Final = 1e-12
"""Largest rounding error between two equal values."""


class _Chart(NamedTuple):
    """Value of the optimal total-dependent chart, or the reason for having none."""

    ev: float | None
    reason: str = ""


class _Switched(NamedTuple):
    tokens: str
    rules: Rules
    ev: float


class _Answer(NamedTuple):
    game: GameValue
    """Value with the chart of --strategy, if given."""
    best_ev: float
    chart: _Chart
    strategy: Strategy | None
    costs: tuple[CellCost, ...]
    switched: list[_Switched]


@click.command(
    "edge",
    epilog="\b\nExamples:\n  upcard edge\n  upcard edge --house european\n"
    '  upcard edge --rules "6D H17" --compare S17 LS 6:5 "RSA HSA"\n'
    '  upcard edge --rules "1D SP2" --splits full\n'
    "  upcard chart --rules 1D -o mine.tsv && upcard edge --strategy mine.tsv",
)
@click.argument("more", metavar="", nargs=-1)
@options.rules_options
@options.strategy_option
@options.shoe_option
@options.splits_option
@click.option(
    "--compare",
    metavar="TOKENS...",
    multiple=True,
    help="Compare the edge with other rules: each text switches rules, one after another.",
)
@options.cache_option
@options.json_option
def edge_command(  # noqa: PLR0913 (one parameter an option)
    more: tuple[str, ...],
    *,
    house: str | None,
    rules: str | None,
    strategy: str | None,
    shoe: str | None,
    splits: str | None,
    compare: tuple[str, ...],
    as_json: bool,
) -> None:
    """Compute the exact value of a round: the player's EV and the house edge.

    Shows the best play and the optimal chart. With --strategy it is the value of your chart, and
    the cells that cost most are listed. EV is per initial bet, of the first round of the shoe.
    """
    if more and not compare:
        msg = f"unexpected {' '.join(more)!r}: rules go behind --rules or --compare"
        raise click.UsageError(msg)
    wanted = options.choose_rules(house, rules)
    switches = [(tokens, switch_rules(wanted, tokens)) for tokens in (*compare, *more)]
    chart = None if strategy is None else options.read_strategy_file(strategy)
    answer = _work_out(wanted, chart, shoe, splits or "CDZ-", switches)
    if as_json:
        output.echo_json(_to_json(answer))
        return
    _write(answer, strategy, asks_for_shoe=shoe is not None)


def switch_rules(rules: Rules, tokens: str) -> Rules:
    """Return rules with the settings that `tokens` change."""
    read, faults = read_tokens(tokens.replace(",", " ").split())
    if not read and not faults:
        faults = ["no token"]
    if faults:
        raise NotationError(f"--compare {tokens!r}: {'; '.join(faults)}")
    try:
        return rules.replace(**merge_changes(read))
    except RulesError as error:
        raise RulesError(f"--compare {tokens!r}: {error}") from None


def _work_out(
    rules: Rules,
    strategy: Strategy | None,
    shoe: str | None,
    splits: str,
    switches: list[tuple[str, Rules]],
) -> _Answer:
    game = exact.solve_game(rules, splits=splits, strategy=strategy, shoe=shoe)
    best_ev = game.ev
    costs: tuple[CellCost, ...] = ()
    if strategy is not None:
        best_ev = exact.expected_value(rules, splits=splits, shoe=shoe)
        costs = exact.costliest_cells(rules, strategy, shoe=shoe)
    switched = []
    for tokens, other in switches:
        # A given shoe stays the same, so the number of decks must not change.
        if shoe is not None and other.decks != rules.decks:
            msg = f"--compare {tokens!r} with --shoe {shoe!r}: the cards are those of the shoe"
            raise RulesError(msg)
        ev = exact.expected_value(other, splits=splits, strategy=strategy, shoe=shoe)
        switched.append(_Switched(tokens, other, ev))
    chart = _value_best_chart(rules, shoe, best_ev)
    return _Answer(game, best_ev, chart, strategy, costs, switched)


def _value_best_chart(rules: Rules, shoe: str | None, best_ev: float) -> _Chart:
    try:
        best = exact.basic_strategy(rules, shoe=shoe)
    except UnsupportedRuleError as error:
        return _Chart(None, str(error))
    ev = exact.expected_value(rules, strategy=best, shoe=shoe)
    if rules.is_infinite and (ev == best_ev or best_ev - ev < _AS_MUCH):
        return _Chart(best_ev)  # totals say everything where cards do not run out
    return _Chart(ev)


def _write(answer: _Answer, path: str | None, *, asks_for_shoe: bool) -> None:
    game = answer.game
    output.echo_heading(output.describe(game.rules))
    if answer.strategy is not None:
        title = answer.strategy.title.splitlines()
        output.echo_topic("Played by", f"the chart {path}" + (f" ({title[0]})" if title else ""))
    if asks_for_shoe:
        output.echo_topic("Shoe", game.shoe)
    output.echo_topic("Expected value", f"{output.write_percent(game.ev)} of the bet")
    whose = ", in the player's favour" if game.ev > 0 else ""
    output.echo_topic("House edge", f"{output.write_percent(-game.ev, sign='')}{whose}")
    if game.insurance_ev:
        without = output.write_percent(difference(game.ev, game.insurance_ev))
        output.echo_topic(
            "Insurance",
            f"{output.write_percent(game.insurance_ev)} of that, even money with it;"
            f" without them it is {without}",
        )
    splits = "no splits" if game.rules.max_hands == 1 else game.splits
    output.echo_topic("Splits", f"{splits}: {SPLIT_PLAYS[splits]}")
    if answer.strategy is not None:
        output.echo_topic("Best play", _distance(answer.best_ev, game.ev))
    chart = answer.chart
    if chart.ev is None:
        output.echo_topic("Best chart", f"none: {chart.reason}")
    elif game.rules.is_infinite and chart.ev == answer.best_ev:
        output.echo_topic("Best chart", "worth as much: totals say everything on an infinite deck")
    elif answer.strategy is not None:
        output.echo_topic("Best chart", _distance(chart.ev, game.ev))
    else:
        behind = output.write_percent(game.ev - chart.ev, sign="")
        output.echo_topic(
            "Best chart",
            f"{output.write_percent(chart.ev)}, by totals alone: {behind} behind the best play",
        )
    output.echo_topic("Assumed", " ".join(_notes(game)))
    output.echo_topic("Time", f"{game.seconds:.3f} s")
    _write_upcards(game)
    if answer.strategy is not None:
        _write_costs(answer.costs)
    if answer.switched:
        _write_switched(answer)


def _distance(better: float, ev: float) -> str:
    return f"{output.write_percent(better)}, {output.write_percent(better - ev)} against this chart"


def _notes(game: GameValue) -> list[str]:
    notes = list(game.notes)
    if not game.rules.betting:
        notes.append("There are no bets: a round won counts 1, a round lost -1.")
    return notes


def _write_upcards(game: GameValue) -> None:
    ups = [up for up in _UPCARDS if up in game.by_upcard]
    click.echo("\nBy upcard, in percent of the bet:")
    shown = [output.write_percent(game.by_upcard[up], 2).rstrip("%") for up in ups]
    output.echo_columns([tuple(ups), tuple(shown)], left=())


def _write_costs(costs: tuple[CellCost, ...]) -> None:
    if not costs:
        click.echo("\nNo cell of the chart costs anything against the best chart.")
        return
    click.echo("\nCells that cost most, each corrected alone, in percent of the bet:")
    rows = [("hand", "upcard", "played", "better", "cost a round")]
    rows += [
        (cost.hand, cost.upcard, cost.cell, cost.better, output.write_percent(cost.cost, sign=""))
        for cost in costs[:_CELLS_SHOWN]
    ]
    output.echo_columns(rows, left=range(4))
    if len(costs) > _CELLS_SHOWN:
        click.echo(f"  and {len(costs) - _CELLS_SHOWN} more: --json has all of them.")


def _write_switched(answer: _Answer) -> None:
    played = ", played by the same chart" if answer.strategy is not None else ""
    click.echo(f"\nWith one rule switched{played}:")
    game = answer.game
    rows = [("rule", "player's EV", "house edge", "change of EV")]
    rows.append(
        ("as it is", output.write_percent(game.ev), output.write_percent(-game.ev, sign=""), "")
    )
    rows += [
        (
            switch.tokens,
            output.write_percent(switch.ev),
            output.write_percent(-switch.ev, sign=""),
            "no change"
            if switch.rules == game.rules
            else output.write_percent(switch.ev - game.ev),
        )
        for switch in answer.switched
    ]
    output.echo_columns(rows)


def _to_json(answer: _Answer) -> dict[str, Any]:
    game, chart = answer.game, answer.chart
    names = ("shoe", "splits", "ev", "insurance_ev", "house_edge", "by_upcard")
    document: dict[str, Any] = {
        "rules": str(game.rules),
        **fields_of(game, *names),
        "best_ev": answer.best_ev,
        "best_chart": {
            "ev": chart.ev,
            "distance_to_best": None if chart.ev is None else difference(answer.best_ev, chart.ev),
            "reason": chart.reason or None,
        },
        "notes": _notes(game),
        "seconds": game.seconds,
    }
    if answer.strategy is not None:
        document["strategy"] = {
            "title": answer.strategy.title,
            "distance_to_best": difference(answer.best_ev, game.ev),
            "distance_to_best_chart": (None if chart.ev is None else difference(chart.ev, game.ev)),
            "costliest_cells": [
                fields_of(cost, "hand", "upcard", "cell", "better", "cost") for cost in answer.costs
            ],
        }
    if answer.switched:
        document["compare"] = [
            {
                "tokens": switch.tokens,
                "rules": str(switch.rules),
                "ev": switch.ev,
                "house_edge": -switch.ev,
                "change": difference(switch.ev, game.ev),
            }
            for switch in answer.switched
        ]
    return document


_ENGINE: Final = "count of effects of removal"


@click.command(
    "removal",
    epilog="\b\nExamples:\n  upcard removal\n  upcard removal --rules 1D --splits CDP\n"
    "  upcard chart -o mine.tsv && upcard removal --strategy mine.tsv",
)
@options.rules_options
@options.strategy_option
@options.splits_option
@options.cache_option
@options.json_option
def removal_command(
    *, house: str | None, rules: str | None, strategy: str | None, splits: str | None, as_json: bool
) -> None:
    """Compute the exact effect of removing one card of each rank on the player's EV.

    The play is the best for every shoe, so the effects need not cancel out; with a fixed chart
    (--strategy) their sum, weighted by the number of cards, is 0.
    """
    wanted = options.choose_rules(house, rules)
    if wanted.decks is None:
        reason = "no card can leave an infinite deck; name 1D to 8D"
        raise UnsupportedRuleError(_ENGINE, "INF", reason)
    if strategy is not None and splits is not None:
        raise click.UsageError(
            "--strategy with --splits: a chart says itself how split hands are played"
        )
    chart = None if strategy is None else options.read_strategy_file(strategy)
    play = splits or "CDZ-"
    effects = exact.effects_of_removal(wanted, splits=play, strategy=chart)
    counts = dict(zip(effects, full_decks(wanted.decks)[1:], strict=True))
    weighed = math.fsum(counts[rank] * effect for rank, effect in effects.items())
    if as_json:
        ev = exact.expected_value(wanted, splits=play, strategy=chart)
        output.echo_json(
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
    output.echo_heading(output.describe(wanted))
    click.echo("Change of the player's EV, in percent of the bet, when one card leaves:\n")
    rows = [("card", "change", "cards", "change x cards")]
    rows += [
        (
            rank,
            output.write_percent(effect),
            str(counts[rank]),
            output.write_percent(counts[rank] * effect, 4),
        )
        for rank, effect in effects.items()
    ]
    rows.append(("sum", "", str(sum(counts.values())), output.write_percent(weighed, 4)))
    output.echo_columns(rows)
    click.echo()
    output.echo_topic("Play", _describe_play(wanted, chart, play))


def _describe_play(rules: Rules, chart: Strategy | None, splits: str) -> str:
    if chart is not None:
        title = (chart.title.splitlines() or ["a chart without a title"])[0]
        return f"fixed: {title}. Weighed by the cards there are, the changes sum to 0."
    name = "no splits" if rules.max_hands == 1 else read_split_play(splits)
    return (
        "the best for every shoe, so the sum is no 0: what is left of it is gained by playing"
        f" the shorter shoe its own way. Splits: {name}, {SPLIT_PLAYS[name]}."
    )
