"""Games side by side as a question: the game that was chosen and some others, and the charts.

The chart that the player knows is the best one of the chosen game. The chart of every other game is
placed over it: a row for each hand that changes there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, Final

from upcard.answers.bet_terms import BetTerms
from upcard.answers.games.comparison import ComparisonInterruptedError, GameComparison, RankedGame
from upcard.answers.games.side_by_side import NAMES, compare_counts, compare_games
from upcard.answers.games.sweep import VARIED, read_sweep, sweep_games
from upcard.answers.questions import QUESTIONS, AnswerInterruptedError, Asking, Sheet
from upcard.answers.shared_fields import CHART, SEED, WORKERS, load_shipped
from upcard.cache import exact
from upcard.core import errors, figure, numbers
from upcard.core.fields import Field, FieldClashError, FormTerms, refuse_given
from upcard.rules.house import RulesLike
from upcard.rules.model import Rules
from upcard.simulation.run_state import RunProgress, describe, measure_progress, read_rounds
from upcard.strategy.chart import UPCARD_LABELS, Strategy
from upcard.strategy.count_system import CountSystem, load_system, system_names
from upcard.strategy.deviations import deviation_names

ROUNDS: Final = 4_000_000
"""Rounds of each game where an answer is awaited in seconds; else there are ten times as many."""
_SEED: Final = 1
_OTHERS: Final = ("vegas-strip", "downtown", "six-to-five")
_GAMES: Final = "The games"


def _read_counts(text: str) -> tuple[CountSystem, ...]:
    return tuple(map(load_system, filter(None, map(str.strip, text.split(",")))))


def _read_shipped(text: str) -> tuple[CountSystem, ...]:
    return tuple(map(load_shipped, filter(None, map(str.strip, text.split(",")))))


def _read_plays(text: str) -> str:
    """Return the name of a set, or a number of plays: a page reads no file of the server."""
    if numbers.whole_number(text) is None and text not in (*deviation_names(), "i18+fab4"):
        known = ", ".join(deviation_names())
        raise errors.RulesError(f"{errors.quote(text)}: a number of plays, or a set: {known}")
    return text


@dataclass(frozen=True, slots=True, kw_only=True)
class RunTerms(FormTerms):
    """How games are simulated."""

    rounds: Annotated[
        int | None,
        Field(read_rounds, "Rounds of each game (default: 40M).", "N", is_for_pages=False),
    ] = None
    seed: Annotated[int | None, SEED] = None
    workers: Annotated[int | None, WORKERS] = None
    output: Annotated[
        str | None,
        Field(
            str,
            "Save the runs in this folder, and continue them.",
            "FOLDER",
            option="-o",
            is_for_pages=False,
        ),
    ] = None


def answer(  # noqa: PLR0913 (one parameter a field)
    rules: Rules,
    *,
    is_given: bool = True,
    games: Annotated[
        tuple[str, ...],
        Field(
            str,
            "The other games, such as: 6D H17, downtown.",
            "GAME GAME...",
            typed=", ".join(_OTHERS),
            is_word=True,
            many=",;",
        ),
    ] = (),
    sweep: Annotated[
        str | None,
        Field(
            str, "Vary the share dealt and the spread: pen=60..85 spread=8,12,16; a game or more."
        ),
    ] = None,
    strategy: Annotated[
        Strategy | str | None,
        replace(CHART, help="Strategy chart that you know (default: the best of the first game)."),
    ] = None,
    count: Annotated[
        tuple[CountSystem, ...],
        Field(
            _read_counts,
            "Count cards: hi-lo, ko ...; or compare several: hi-lo,ko,zen.",
            "NAME|FILE",
            suggestions=system_names(),
            paste=_read_shipped,
        ),
    ] = (),
    indices: Annotated[
        str | None,
        Field(
            str,
            "Index plays: i18, i18+fab4, a file, or how many to find.",
            "NAME|FILE|N",
            suggestions=("18", *deviation_names(), "i18+fab4"),
            paste=_read_plays,
        ),
    ] = None,
    bets: BetTerms,
    run: RunTerms,
    asking: Asking,
) -> Sheet:
    """Compare two to eight games: houses, rules in notation, or files of houses.

    Each has its exact house edge, the cost of the chart that you know, and the cells of that chart
    that change, each with its price. With a count every game is simulated from the same seed, and
    its bets are those of upcard ramp: what they win an hour, SD, SCORE, N0 and risk of ruin, in the
    money of the bankroll or unit. With several counts they are compared in one game, on the same
    shoes: which one to learn. With a sweep each is simulated once for every share of the shoe that
    is dealt, and bet in every spread, as one table.
    """
    is_quick = not asking.is_patient
    given: list[RulesLike] = [rules] if is_given or is_quick else []
    terms = {**bets.given(), "indices": indices, **numbers.fields_of(run)}
    if count and is_quick:
        terms |= {"rounds": ROUNDS, "seed": _SEED if run.seed is None else run.seed}

    def watch(name: str, there: RunProgress) -> None:
        asking.watch(f"{name}: {describe(there)}", measure_progress(there))

    terms["watch"] = watch
    named = [one for one in games if one.partition("=")[0] in VARIED]
    others = [one for one in games if one not in named]
    if not games and is_quick and len(count) < 2:
        others = [*_OTHERS]
    how = "nothing is saved without -o FOLDER"
    if run.output is not None:
        how = f"the same command continues with the runs in {run.output}"
    try:
        if sweep is not None:
            return _sweep([*given, *others], " ".join([sweep, *named]), strategy, count, terms)
        games_asked = [*given, *others, *named]
        if len(count) > 1:
            return _compare_counts(games_asked, strategy, count, terms)
        early: Callable[[GameComparison], object] | None = None
        if asking.early is not None:
            tell = asking.early

            def early(found: GameComparison) -> object:
                sheet = _show_games(found, rules, is_quick=False)
                return tell(Sheet(title=sheet.title, tables=sheet.tables[:3]))

        found = compare_games(
            games_asked,
            strategy=strategy,
            count=count[0] if count else None,
            early=early,
            **terms,
        )
        return _show_games(found, rules, is_quick=is_quick)
    except ComparisonInterruptedError as interruption:
        if interruption.found is None:
            raise AnswerInterruptedError(how) from None
        sheet = _show_games(interruption.found, rules, is_quick=is_quick)
        return replace(sheet, interrupted=how)
    except KeyboardInterrupt:
        raise AnswerInterruptedError(how) from None


def _compare_counts(
    games: Sequence[RulesLike],
    strategy: Strategy | str | None,
    counts: tuple[CountSystem, ...],
    terms: dict[str, Any],
) -> Sheet:
    if len(games) != 1:
        raise errors.RulesError("several counts are compared in one game: name one GAME")
    refuse_given("{} with several counts: they play by the best chart", strategy=strategy)
    found = compare_counts(games[0], counts, **terms)
    return _show(found, tuple(found.tables()), tuple(_tell_bets(found)))


def _sweep(
    games: Sequence[RulesLike],
    text: str,
    strategy: Strategy | str | None,
    count: tuple[CountSystem, ...],
    terms: dict[str, Any],
) -> Sheet:
    refuse_given("{} with {sweep}: every game is played by its best chart", strategy=strategy)
    sweep = read_sweep(text)
    if not count:
        raise FieldClashError("{sweep} is for counting: give a count too, such as {count} hi-lo")
    if len(count) > 1:
        raise FieldClashError("{sweep} is by one count: give one of those of {count}")
    found = sweep_games(games, sweep, count=count[0], **terms)
    rows = zip(NAMES, map(str, games), strict=False)
    named = figure.make_table(_GAMES, map(figure.text, ("name", "rules")), rows)
    left_out = (f"{one.name} ({one.rules}) is left out: {one.reason}." for one in found.left_out)
    return Sheet(
        title=QUESTIONS["compare"].title,
        findings=(found.sentence,),
        tables=(named, found.table()),
        data=(found.table(),),
        sentences=(*left_out, *found.notes),
        result=found.to_json(),
    )


def _show_games(found: GameComparison, rules: Rules, *, is_quick: bool) -> Sheet:
    columns = (figure.text("name", "game"), figure.text("rules"), figure.text("title", "in words"))
    tables = (figure.tabulate_fields(_GAMES, columns, found.games), *found.tables())
    laid = tuple(_lay_over(found, rules)) if is_quick else ()
    return _show(found, (*tables, *laid), tuple(_tell_bets(found)))


def _tell_bets(found: GameComparison) -> Iterator[tuple[str, str]]:
    where = "in" if found.noun == "game" else "by"
    for one in found.games:
        if one.plan is not None:
            yield f"Bets {where} {one.name}", f"{one.plan.choice}: {one.plan.words}"


def _show(
    found: GameComparison,
    tables: tuple[figure.AnswerTable, ...],
    facts: tuple[tuple[str, str], ...],
) -> Sheet:
    left_out = (f"{one.name} ({one.rules}) is left out: {one.reason}." for one in found.left_out)
    return Sheet(
        title=QUESTIONS["compare"].title,
        findings=found.sentences,
        facts=facts,
        tables=tuple(table for table in tables if table.rows),
        data=tuple(found.tables()),
        sentences=(*left_out, *found.notes),
        result=found.to_json(),
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
