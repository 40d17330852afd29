"""`upcard chart`: the optimal chart as a picture, page or file."""

import json
from collections.abc import Sequence
from math import isinf
from pathlib import PurePath
from typing import Any, Final, NamedTuple

import click

from upcard.cache import exact
from upcard.charts import facts, render
from upcard.cli import options, output
from upcard.core import cards, errors, figure
from upcard.core.numbers import fields_of
from upcard.exact.solver_results import CompositionException, difference
from upcard.rules.describe import name_game
from upcard.rules.model import Rules
from upcard.rules.predicates import makes_free_hands
from upcard.strategy.chart import UPCARD_LABELS, WORTH_LABELS, WORTH_OF_BET, Strategy

_LISTS_EXCEPTIONS: Final = ("text", "json")
_PICTURES: Final = ("svg", "html", "json", "tsv")
_ENDINGS: Final = {"": "text", ".txt": "text", **{f".{kind}": kind for kind in _PICTURES}}


class _Found(NamedTuple):
    strategy: Strategy
    ev: float
    best_ev: float
    """EV of composition-dependent play."""
    exceptions: tuple[CompositionException, ...]


@click.command(
    "chart",
    epilog="\b\nExamples:\n  upcard chart\n  upcard chart --house european --numbers cost\n"
    '  upcard chart --rules "6D H17 LS" -o chart.svg\n'
    "  upcard chart --rules 1D --format tsv > mine.tsv",
)
@options.rules_options
@options.shoe_option
@options.value(
    "--format",
    "NAME",
    "text, svg, html, json or tsv (default: by the ending of -o, or text).",
    to="kind",
)
@options.flag("--json", "The same as --format json.", to="as_json")
@options.value(
    "--numbers",
    "NAME",
    "In every cell: its EV (ev), or what the second-best play would lose (cost).",
)
@options.file_option("-o", "--output", "path", help="Write to this file instead of the screen.")
@options.csv_option
@output.ascii_option
@options.cache_option
@options.flag("--no-exceptions", "Leave out hands whose best play depends on their cards.")
def chart_command(  # noqa: PLR0913 (one parameter an option)
    *,
    house: str | None,
    rules: str | None,
    shoe: str | None,
    kind: str | None,
    as_json: bool,
    numbers: str | None,
    path: str | None,
    csv: str | None,
    no_exceptions: bool,
) -> None:
    """Compute the optimal chart by totals for these rules and cards, and draw it.

    Below it are its exact EV, the gain from playing by a hand's cards, and the two-card hands where
    the cards matter. --format tsv writes the format that upcard edge --strategy reads.
    """
    chosen = _choose_format(kind, path, as_json=as_json)
    if no_exceptions and chosen not in _LISTS_EXCEPTIONS:
        msg = f"--no-exceptions with format {chosen!r}: they are listed in text and json only"
        raise click.UsageError(msg)
    if output.asked_for_ascii() and chosen != "text":
        raise click.UsageError(f"--ascii with format {chosen!r}: it is for text")
    wanted = options.choose_rules(house, rules)
    form = output.Form(csv, as_json)
    if form.write_tables(lambda: [exact.basic_strategy(wanted, shoe=shoe).table()]):
        return
    text = draw(
        wanted,
        shoe=shoe,
        kind=chosen,
        numbers=numbers,
        color=chosen == "text" and path is None and output.wants_color(),
        with_exceptions=not no_exceptions,
    )
    if path is not None:
        output.write_file(path, cards.to_ascii(text) if output.asked_for_ascii() else text)
    elif chosen == "text":
        output.echo_text(text)
    else:
        click.echo(text, nl=False)


def _choose_format(kind: str | None, path: str | None, *, as_json: bool) -> str:
    if as_json:
        if kind not in (None, "json"):
            raise errors.NotationError(f"--json with --format {kind}: give one of them")
        return "json"
    if kind is None:
        ending = PurePath(path or "").suffix.lower()
        if ending not in _ENDINGS:
            raise errors.NotationError(
                f"-o {path!r}: no chart is written as {ending}; the name ends with"
                f" {', '.join(filter(None, _ENDINGS))}, or --format says how"
            )
        return _ENDINGS[ending]
    if kind not in render.FORMATS:
        raise errors.NotationError(f"--format {kind!r}: one of {', '.join(render.FORMATS)}")
    return kind


def draw(  # noqa: PLR0913 (each is named in the call)
    rules: Rules,
    *,
    shoe: str | None = None,
    kind: str = "text",
    numbers: str | None = None,
    color: bool = False,
    with_exceptions: bool = True,
) -> str:
    """Compute the optimal chart and write it in a format."""
    lists_exceptions = with_exceptions and kind in _LISTS_EXCEPTIONS
    found = _find(rules, shoe, with_exceptions=lists_exceptions)
    # Text has no tooltips to put all values into.
    needs_values = numbers is not None or kind not in ("text", "tsv")
    has_free = kind != "tsv" and makes_free_hands(rules)
    has_bonuses = kind != "tsv" and rules.bonuses is not None
    text = render.render_chart(
        found.strategy,
        format=kind,
        title=f"{name_game(rules)}: best chart\nRules: {rules.replace(name='')}",
        rules=rules,
        ev=found.ev,
        values=exact.cell_values(rules, shoe=shoe) if needs_values else None,
        numbers=numbers,
        notes=_notes(found, rules, shoe, has_values=needs_values),
        free=exact.free_strategy(rules, shoe=shoe) if has_free else None,
        bonus_plays=exact.bonus_plays(rules, found.strategy, shoe=shoe) if has_bonuses else (),
        color=color,
    )
    if kind == "json":
        document = json.loads(text) | _to_json(found, with_exceptions=with_exceptions)
        if found.strategy.worths:
            worths = zip(WORTH_LABELS, found.strategy.worths, strict=True)
            document["worths"] = {label[1:]: row for label, row in worths}
        return json.dumps(document, indent=2, ensure_ascii=False) + "\n"
    if kind == "text" and found.strategy.worths:
        text += "\n".join(("", *_worth_lines(found.strategy), ""))
    if kind == "text" and lists_exceptions and not rules.is_infinite:
        text += "\n".join(("", *_exception_lines(found.exceptions, rules), ""))
    return text


def _find(rules: Rules, shoe: str | None, *, with_exceptions: bool) -> _Found:
    strategy = exact.basic_strategy(rules, shoe=shoe)
    best_ev = exact.expected_value(rules, shoe=shoe)
    has_exceptions = with_exceptions and not rules.is_infinite
    return _Found(
        strategy,
        exact.expected_value(rules, strategy=strategy, shoe=shoe),
        best_ev,
        exact.composition_exceptions(rules, strategy, shoe=shoe) if has_exceptions else (),
    )


def _worth_lines(strategy: Strategy) -> list[str]:
    """List what two cards are worth, in percent of a bet."""
    percent = WORTH_OF_BET // 100
    rows = zip(WORTH_LABELS, strategy.worths, strict=True)
    lines = [
        f"{label[1:]:>14}  {''.join(f'{worth / percent:<+6.1f}' for worth in row)}".rstrip()
        for label, row in rows
    ]
    header = f"{'Two cards':>14}  {''.join(f'{label:<6}' for label in UPCARD_LABELS)}".rstrip()
    return ["Swap the second cards if both hands are worth more then, in percent:", header, *lines]


def _notes(found: _Found, rules: Rules, shoe: str | None, *, has_values: bool) -> list[str]:
    notes = [] if shoe is None else [f"Cards before the deal: {shoe}."]
    if not rules.is_infinite:
        exactly = figure.write_percent(found.ev)
        behind = figure.write_percent(found.best_ev - found.ev, sign="")
        more = f"play by a hand's cards is worth {behind} more"
        notes.append(f"By this chart it is exactly {exactly}; {more}.")
    notes.extend(facts.explain_marks(found.strategy.cells))
    if has_values:
        notes.append("Cells are valued by two-card hands, played best afterwards.")
    return notes


def _exception_lines(exceptions: Sequence[CompositionException], rules: Rules) -> list[str]:
    """List the exceptions with their gains, in three columns, most valuable first."""
    hands = "Hands that you pay for, better" if makes_free_hands(rules) else "Hands better"
    if not exceptions:
        return ["No two-card hand is better played by its cards than by its total."]
    entries = [
        f"{item.hand.replace(' ', ',')} v {item.upcard} {item.better}"
        f" {figure.write_percent(item.gain, 3, sign='')}"
        for item in exceptions
    ]
    width = max(26, 2 + max(map(len, entries)))
    across = 78 // width
    lines = [f"{hands} played by their cards, and the gain when they come:"]
    for start in range(0, len(entries), across):
        line = "".join(f"{entry:<{width}}" for entry in entries[start : start + across])
        lines.append(f"  {line}".rstrip())
    return lines


def _to_json(found: _Found, *, with_exceptions: bool) -> dict[str, Any]:
    best = "infinite" if isinf(found.best_ev) else found.best_ev
    document: dict[str, Any] = {
        "best_ev": best,
        "distance_to_best": difference(found.best_ev, found.ev),
    }
    if with_exceptions:
        document["exceptions"] = [
            fields_of(item, "hand", "upcard", "charted", "better", "gain", "gain_per_round")
            for item in found.exceptions
        ]
    return document
