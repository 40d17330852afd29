"""`upcard counts` and `upcard insurance`: counting systems, what they are worth, insurance."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from typing import Any, Final

import click

from upcard.analysis.count_rows import DEFAULT_SPREAD
from upcard.answers.ramp_report import read_spread
from upcard.cli import options, output, progress, streams
from upcard.core import errors, figure, numbers
from upcard.core.numbers import count_of
from upcard.rules.model import Rules
from upcard.simulation.job import draw_seed
from upcard.simulation.run_state import read_rounds
from upcard.strategy import count_system, ramp
from upcard.strategy.count_system import tabulate_systems
from upcard.strategy.deviations import Deviations, deviation_names, load_deviations

_SHOWN: Final = 20
"""Rows of the table of decisions for people; files have all."""
_RANK_KEYS: Final = tuple("A23456789T")


@click.command(
    "counts",
    epilog="\b\nExamples:\n  upcard counts\n  upcard counts hi-lo\n"
    "  upcard counts ko --rules 8D --json\n  upcard counts hi-lo --toml > mine.toml\n"
    "  upcard counts hi-lo --indices i18 > mine.txt\n"
    '  upcard counts hi-lo --decisions --rules "6D ES"\n'
    '  upcard counts hi-lo --rules "6D S17" --ceiling --rounds 20k\n'
    '  upcard counts --best growth --level 2 --rules "6D H17"\n'
    "  upcard counts --best playing --toml > mine.toml",
)
@click.argument("name", required=False)
@options.rules_options
@options.flag("--toml", "Write the system as a TOML file, to edit.", to="as_toml")
@options.value("--indices", "NAME", "Write a set of its index plays, such as i18.")
@options.flag("--decisions", "Show how well the count follows each decision.")
@options.flag("--ceiling", "Compare with a player who knows every card gone.")
@click.option(
    "--rounds",
    callback=options.reading(read_rounds),
    metavar="N",
    help="Rounds of --ceiling (default: 40k), or of each system of --best (default: 100M).",
)
@options.choice("--best", ("betting", "playing", "growth"), "Find the best tags for this.")
@options.choice("--level", ("1", "2", "3", "free"), "Largest tag of --best (default: 1).")
@options.flag("--unbalanced", "With --best: also tags that do not add up to 0 over a deck.")
@options.flag("--all", "With --best: simulate all systems of the level.", to="every")
@options.value("--spread", "TEXT", "With --best: least and largest bet (default: 1-8).")
@options.seed_option
@options.workers_option
@options.table_options
def counts_command(  # noqa: PLR0913 (one parameter an option)
    *,
    name: str | None,
    house: str | None,
    rules: str | None,
    as_toml: bool,
    indices: str | None,
    decisions: bool,
    ceiling: bool,
    form: output.Form,
    best: str | None,
    level: str | None,
    unbalanced: bool,
    every: bool,
    spread: str | None,
    **terms: int | None,
) -> None:
    """List the counting systems, or show the system NAME: a name or your own TOML file.

    Betting correlation shows how well the count follows the edge of the rules (default: the default
    game), insurance correlation how well it follows the tens; 1 is perfect. Playing efficiency is
    Peter Griffin's: the share of the gain of perfect play that the count gains in one deck.

    With --ceiling rounds are simulated to find what share of the gain of a perfect player the
    system has, or all systems on the same shoes.

    With --best the best tags of a level are found for the rules: for bets, for plays, or for
    growth, the SCORE of both. They are then simulated, beside Hi-Lo and the best other system of
    the level, or with --all beside all of them.
    """
    if best is not None:
        if name or ceiling or decisions or indices is not None:
            msg = "--best finds a system: without NAME, --ceiling, --decisions and --indices"
            raise click.UsageError(msg)
        wanted = options.choose_rules(house, rules)
        bets = DEFAULT_SPREAD if spread is None else read_spread(spread, "--spread")
        asked = {"level": level or "1", "sums": unbalanced, "every": every, "spread": bets}
        _find_best(wanted, best, form, as_toml=as_toml, **asked, **terms)
        return
    for key, value in (
        ("level", level),
        ("unbalanced", unbalanced),
        ("all", every),
        ("spread", spread),
    ):
        if value:
            raise click.UsageError(f"--{key} is for --best")
    if ceiling:
        if as_toml or decisions or indices is not None:
            msg = "--ceiling compares systems; --toml, --indices and --decisions are about one"
            raise click.UsageError(msg)
        _compare_with_perfect(name, options.choose_rules(house, rules), form, terms)
        return
    if given := [f"--{key}" for key, number in terms.items() if number is not None]:
        raise click.UsageError(f"{given[0]} is for the rounds of --ceiling and --best")
    _refuse_clashes(name, [house or rules or decisions, as_toml, indices, form.as_json and name])
    if name is None:
        systems = [count_system.load_system(known) for known in count_system.system_names()]
        table = tabulate_systems(systems, _RANK_KEYS)
        form.write(lambda: _echo_list(table), lambda: list(map(_to_json, systems)), lambda: [table])
        return
    if form.csv is not None and not decisions:
        raise click.UsageError(f"--csv with {name}: it writes the list of the systems")
    system = count_system.load_system(name)
    if as_toml:
        click.echo(system.to_toml(), nl=False)
    elif indices is not None:
        click.echo(str(load_deviations(indices, system)), nl=False)
    else:
        _show(system, options.choose_rules(house, rules), form, decisions=decisions)


def _show(
    system: count_system.CountSystem, rules: Rules, form: output.Form, *, decisions: bool
) -> None:
    from upcard.analysis import efficiencies

    correlation = efficiencies.betting_correlation(system, rules)
    document = _to_json(system, rules) | {"betting_correlation": correlation}
    if not decisions:
        form.write(lambda: _echo_system(system, rules, document), lambda: document, tuple)
        return
    table = efficiencies.tabulate_decisions(system, rules)
    form.write(
        lambda: _echo_decisions(system, rules, table),
        lambda: document | {"decisions": table.to_dicts()},
        lambda: [table],
    )


def _echo_decisions(
    system: count_system.CountSystem, rules: Rules, table: figure.AnswerTable
) -> None:
    output.echo_heading(system.title, output.describe(rules))
    output.echo_table(replace(table, rows=table.rows[:_SHOWN]))
    click.echo()
    output.echo_topics(
        (
            ("Correlation", "of the tags with the effects of removal on the gain of the action."),
            (
                "Perfect",
                "gain of knowing every card, half-way, in units per 100 rounds; most first.",
            ),
            ("Gain", "over the best other action, from the full shoe."),
            ("More", f"--csv and --json have all {len(table.rows):,} decisions and their effects."),
        )
    )


def _compare_with_perfect(
    name: str | None, rules: Rules, form: output.Form, terms: dict[str, int | None]
) -> None:
    from upcard.analysis.ceiling import DEFAULT_ROUNDS, find_ceiling

    names = count_system.system_names() if name is None else (name,)
    systems = [count_system.load_system(one) for one in names]
    rounds, seed = terms["rounds"] or DEFAULT_ROUNDS, terms["seed"]
    with progress.LiveTask() as live:
        found = find_ceiling(
            *(rules, systems),
            rounds=rounds,
            seed=draw_seed() if seed is None else seed,
            workers=terms["workers"],
            watch=live.move,
        )

    def write() -> None:
        output.echo_heading("How far from perfect", output.describe(rules))
        output.echo_table(found.table())
        click.echo()
        output.echo_topics(found.sentences())

    def document() -> Any:  # noqa: ANN401 (JSON)
        shares = zip(systems, found.documents(), strict=True)
        both = [_to_json(one) | {"rules": str(rules)} | share for one, share in shares]
        return both if name is None else both[0]

    form.write(write, document, lambda: [found.table()])
    if found.rounds < rounds:
        click.echo(f"upcard counts: interrupted after {found.rounds:,} rounds", err=True)
        raise click.exceptions.Exit(streams.INTERRUPTED)


def _find_best(rules: Rules, goal: str, form: output.Form, *, as_toml: bool, **terms: Any) -> None:
    from upcard.answers.games.best_count import find_best_count

    if as_toml:
        given = [f"--{key}" for key in ("rounds", "seed", "workers") if terms[key] is not None]
        given += (
            ["--all"] * terms["every"]
            + ["--json"] * form.as_json
            + ["--csv"] * (form.csv is not None)
        )
        if given:
            raise click.UsageError(f"--toml with {given[0]}: it writes the system, unsimulated")
        terms["rounds"] = 0
    terms["seed"] = draw_seed() if terms["seed"] is None else terms["seed"]
    with progress.LiveTask() as live:
        found = find_best_count(rules, goal, **terms, watch=live.move)
    if as_toml:
        click.echo(found.best.system.to_toml(), nl=False)
        return

    def write() -> None:
        output.echo_heading(found.best.system.title, output.describe(rules))
        for table in found.tables():
            output.echo_table(table)
            click.echo()
        output.echo_topics(found.sentences())

    form.write(write, found.to_json, lambda: [found.table()])
    if not found.is_whole:
        click.echo("upcard counts: interrupted before every system was simulated", err=True)
        raise click.exceptions.Exit(streams.INTERRUPTED)


def _refuse_clashes(name: str | None, outputs: Sequence[object]) -> None:
    rules, as_toml, indices, as_json = outputs
    if name is None and (rules or as_toml or indices is not None):
        msg = "--house, --rules, --decisions, --toml and --indices are about one system: name it"
        raise click.UsageError(msg)
    if sum(bool(one) for one in (as_toml, indices is not None, as_json)) > 1 or (
        rules and (as_toml or indices is not None)
    ):
        msg = "--toml, --indices and --json each write something else, the first two by no rules"
        raise click.UsageError(msg)


def _echo_list(table: figure.AnswerTable) -> None:
    output.echo_table(table)
    click.echo("\nTags by rank; red-7 counts the red sevens 1, the others 0.")
    click.echo("deck: what the tags of a deck add up to, 0 in a balanced system.")
    click.echo("More about one: upcard counts NAME.")


def _echo_system(system: count_system.CountSystem, rules: Rules, worth: dict[str, Any]) -> None:
    output.echo_heading(system.title, output.describe(rules))
    rows = [("card", *_RANK_KEYS)]
    rows.append(("tag", *(_write_tag(system.mean_tag(key)) for key in _RANK_KEYS)))
    output.echo_columns(rows)
    click.echo()
    output.echo_topics(_describe(system, rules.decks or 0))
    effects, tens = "with these rules' effects of removal.", "with the tens and the others."
    output.echo_topics(
        (
            ("For bets", f"correlation {worth['betting_correlation']:.3f} {effects}"),
            ("For insurance", f"correlation {worth['insurance_correlation']:.3f} {tens}"),
            ("For plays", f"efficiency {worth['playing_efficiency']:.3f}, by Griffin's method."),
        )
    )


def _describe(system: count_system.CountSystem, decks: int) -> Iterator[tuple[str, str]]:
    if system.red_7 is not None:
        yield "Red sevens", f"{_write_tag(system.red_7)}; the tag above is their mean."
    if system.about:
        yield "About", " ".join(system.about.split())
    yield "Source", system.source
    yield "Decides", _describe_count(system)
    if system.side_aces:
        ace = f"{_write_tag(system.side_aces)} for each ace left"
        yield "Aces aside", f"bets: {ace} above a {system.suit}th of the cards left."
    total, start = system.deck_sum, _write_tag(system.initial_count(decks))
    balance = "balanced" if total == 0 else f"unbalanced, {_write_tag(total)} a deck"
    yield "Start", f"{start} with {count_of(decks, 'deck')}; {balance}."
    yield "Ramp 1-8", f"{ramp.parse_ramp('1-8', system, decks=decks)} (count:bet)."
    titles = {one.name: one.title.partition("\n")[0] for one in _deviations_for(system)}
    known = "; ".join(f"{name} ({title})" for name, title in titles.items())
    yield "Deviations", f"{known}." if titles else "none come with upcard."


def _describe_count(system: count_system.CountSystem) -> str:
    if system.by is count_system.CountBy.RUNNING:
        return "the running count."
    rounded = {
        count_system.Rounding.FLOOR: "rounded down",
        count_system.Rounding.TRUNCATE: "its fraction cut off",
        count_system.Rounding.ROUND: "rounded to the nearest",
    }[system.rounding]
    known = {
        count_system.DeckEstimate.EXACT: "known to the card",
        count_system.DeckEstimate.HALF: "estimated to the half deck",
        count_system.DeckEstimate.WHOLE: "estimated to the deck",
    }[system.decks_left]
    return f"the true count: running count / decks left, {rounded}; decks {known}."


def _deviations_for(system: count_system.CountSystem) -> list[Deviations]:
    sets = []
    for name in deviation_names():
        with suppress(errors.RulesError):  # for another count
            sets.append(load_deviations(name, system))
    return sets


def _write_tag(tag: Fraction) -> str:
    return f"{float(tag):+g}" if tag else "0"


def _to_json(system: count_system.CountSystem, rules: Rules | None = None) -> dict[str, Any]:
    from upcard.analysis import efficiencies

    document: dict[str, Any] = {
        **numbers.fields_of(system, "name", "title", "source"),
        "about": " ".join(system.about.split()),
        "by": str(system.by),
        "rounding": str(system.rounding),
        "decks_left": str(system.decks_left),
        "tags": {key: system.tags[rank] for rank, key in enumerate(_RANK_KEYS, start=1)},
        **numbers.fields_of(system, "red_7", "side_aces", "deck_size", "deck_sum"),
        "insurance_correlation": efficiencies.insurance_correlation(system),
        "playing_efficiency": efficiencies.playing_efficiency(system),
        "deviations": [one.name for one in _deviations_for(system)],
    }
    if rules is not None and rules.decks is not None:
        document |= {
            "rules": str(rules),
            "start": system.initial_count(rules.decks),
            "ramp_from": system.ramp_start(rules.decks),
            "ramp_step": system.ramp_stride(rules.decks),
        }
    return document
