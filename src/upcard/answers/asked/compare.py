"""Games side by side as a question: the game that was chosen and some others, and the charts.

The chart that the player knows is the best one of the chosen game. The chart of every other game is
placed over it: a row for each hand that changes there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Annotated, Any, Final

from upcard.answers.games.comparison import GameComparison, RankedGame
from upcard.answers.games.side_by_side import NAMES, compare_counts, compare_games
from upcard.answers.games.sweep import GameSweep, Sweep, read_sweep, sweep_games
from upcard.answers.ramp_report import read_spread, read_wong
from upcard.answers.topics import TOPICS, Field, Sheet, choice
from upcard.cache import exact
from upcard.core import errors, figure
from upcard.core.number_texts import read_number, read_share, read_whole
from upcard.rules.model import Rules
from upcard.strategy.chart import UPCARD_LABELS, Strategy
from upcard.strategy.count_system import system_names
from upcard.strategy.deviations import deviation_names

ROUNDS: Final = 4_000_000
"""Rounds of each game: eight games take some seconds; `upcard compare` plays ten times as many."""
_SEED: Final = 1
_OTHERS: Final = ("vegas-strip", "downtown", "six-to-five")
_NO_COUNT: Final = "no count"
_NO_PLAYS: Final = "none"
_FOUND: Final = "18 that gain most"
_GAMES: Final = "The games"


def _read_games(text: str) -> tuple[str, ...]:
    return tuple(filter(None, map(str.strip, re.split(r"[,;\n]", text))))


def _choice(choices: tuple[str, ...], help: str) -> Field:  # noqa: A002 (the field's own name)
    return replace(choice(choices, help), no_choice="choose")


def _amount(help: str, name: str) -> Field:  # noqa: A002 (the field's own name)
    return Field(lambda text: float(read_number(text, name, over=0)), help, "N")


def answer(  # noqa: PLR0913 (one parameter a field)
    rules: Rules,
    *,
    games: Annotated[
        tuple[str, ...],
        Field(
            _read_games,
            "The other games, such as: 6D H17, downtown.",
            "GAMES",
            typed=", ".join(_OTHERS),
        ),
    ] = _OTHERS,
    count: Annotated[
        str, _choice((_NO_COUNT, *system_names()), "Counting system by which you bet.")
    ] = _NO_COUNT,
    indices: Annotated[
        str,
        _choice((_NO_PLAYS, _FOUND, *deviation_names(), "i18+fab4"), "Index plays that you know."),
    ] = _NO_PLAYS,
    spread: Annotated[
        float | None, Field(read_spread, "Least and largest bet, such as 1-12.", "A-B")
    ] = None,
    wong: Annotated[
        int | str | None, Field(read_wong, "Count from which you bet, or best.", "N|best")
    ] = None,
    bankroll: Annotated[float | None, _amount("Your bankroll.", "bankroll")] = None,
    risk: Annotated[
        float | None,
        Field(lambda text: float(read_share(text, "risk")), "Risk of ruin.", "P"),
    ] = None,
    unit: Annotated[float | None, _amount("Your smallest bet.", "unit")] = None,
    chip: Annotated[float | None, _amount("Smallest chip: bets in whole chips.", "chip")] = None,
    counts: Annotated[
        tuple[str, ...],
        Field(_read_games, "Counts to compare in this game alone: hi-lo, ko, zen.", "COUNTS"),
    ] = (),
    levels: Annotated[
        int | None,
        Field(partial(read_whole, what="levels", least=1), "Most different bets, such as 4.", "N"),
    ] = None,
    sweep: Annotated[
        Sweep | None,
        Field(read_sweep, "Vary the share dealt and the spread: pen=60..85 spread=8,12,16."),
    ] = None,
) -> Sheet:
    """Return the games side by side; with a count, each is simulated for some seconds."""
    counting: dict[str, Any] = {
        "spread": spread,
        "wong": wong,
        "bankroll": bankroll,
        "risk": risk,
        "unit": unit,
        "chip": chip,
        "levels": levels,
        "indices": {_NO_PLAYS: None, _FOUND: _FOUND.split()[0]}.get(indices, indices),
    }
    if counts:
        if sweep is not None:
            raise errors.RulesError("a sweep is by one count: leave out the counts to compare")
        if count != _NO_COUNT:
            raise errors.RulesError(f"counts to compare, and the count {count}: give one of them")
        best = compare_counts(rules, counts, rounds=ROUNDS, seed=_SEED, **counting)
        return _show(rules, best.sentences, tuple(best.tables()), best)
    if count != _NO_COUNT:
        counting |= {"count": count, "rounds": ROUNDS, "seed": _SEED}
    columns = (figure.text("name", "game"), figure.text("rules"), figure.text("title", "in words"))
    if sweep is not None:
        if count == _NO_COUNT:
            raise errors.RulesError("a sweep varies what a count wins: choose a count")
        swept = sweep_games([rules, *games], sweep, **counting)
        named = figure.make_table(
            _GAMES, columns[:2], zip(NAMES, (str(rules), *games), strict=False)
        )
        return _show(rules, (swept.sentence,), (named, swept.table()), swept)
    found = compare_games([rules, *games], **counting)
    tables = (
        figure.tabulate_fields(_GAMES, columns, found.games),
        *(table for table in found.tables() if table.rows),
        *_lay_over(found, rules),
    )
    return _show(rules, found.sentences, tables, found)


def _show(
    rules: Rules,
    findings: tuple[str, ...],
    tables: tuple[figure.AnswerTable, ...],
    found: GameComparison | GameSweep,
) -> Sheet:
    left_out = (f"{one.name} ({one.rules}) is left out: {one.reason}." for one in found.left_out)
    return Sheet(
        title=TOPICS["compare"].title,
        rules=str(rules),
        findings=findings,
        tables=tables,
        sentences=(*left_out, *found.notes),
    )


def _lay_over(found: GameComparison, rules: Rules) -> Iterator[figure.AnswerTable]:
    """Lay the chart of each other game over the known one."""
    try:
        known = exact.basic_strategy(rules)
    except errors.BlackjackError:  # the chosen game is left out, with the reason
        return
    for game in found.games:
        if game.cells:
            yield _draw_changes(game, known)


def _draw_changes(game: RankedGame, known: Strategy) -> figure.AnswerTable:
    """Return the rows that change; of a chart for both dealer cards, the columns that change."""
    better = {(one.hand, one.upcard): f"{one.cell} → {one.better}" for one in game.cells}
    hands, ups = ({pair[place] for pair in better} for place in (0, 1))
    shown = [up for up in known.columns if len(known.columns) == len(UPCARD_LABELS) or up in ups]
    rows = (
        (hand, *(better.get((hand, up)) or known.cell(hand, up) for up in shown))
        for hand in known.labels
        if hand in hands
    )
    title = f"Your chart, and what changes in {game.name}"
    return figure.make_table(title, map(figure.text, ("hand", *shown)), rows)
