"""Games side by side as a question: the game that was chosen and some others, and the charts.

The chart that the player knows is the best one of the chosen game. The chart of every other game is
placed over it: a row for each hand that changes there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, Final

from upcard.analysis.bet_terms import BetTerms
from upcard.answers.questions import QUESTIONS, AnswerInterruptedError, Asking, Sheet
from upcard.answers.shared_fields import CHART, RUN_ROUNDS, SEED, WORKERS, load_shipped, read_set
from upcard.core import errors, figure, numbers
from upcard.core.fields import Field, FieldClashError, FormTerms, refuse_given
from upcard.core.number_texts import whole_of
from upcard.rules.house import RulesLike, as_rules
from upcard.rules.model import Rules
from upcard.strategy.chart import UPCARD_LABELS, Strategy, load_strategy
from upcard.strategy.count_system import CountSystem, load_system, system_names
from upcard.strategy.deviations import deviation_names

if TYPE_CHECKING:
    from upcard.answers.games.comparison import GameComparison, RankedGame
    from upcard.answers.games.sweep import GameSweep
    from upcard.simulation.run_state import RunProgress

# What simulates is imported when it is asked for: it loads NumPy and the compiled kernels.
ROUNDS: Final = 4_000_000
"""Rounds of each game where an answer is awaited in seconds; else there are ten times as many."""
_OTHERS: Final = ("vegas-strip", "downtown", "six-to-five")


def _read_counts(text: str, load: Any = load_system) -> tuple[CountSystem, ...]:  # noqa: ANN401
    return tuple(map(load, filter(None, map(str.strip, text.split(",")))))


def _read_plays(text: str) -> str:
    """Return the name of a set, or a number of plays: a page reads no file of the server."""
    is_number = whole_of(text) is not None
    return text if is_number else read_set(text, "a number of plays, or a set")


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparisonTerms(FormTerms):
    """How games are simulated."""

    rounds: Annotated[int | None, RUN_ROUNDS] = None
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


@dataclass(frozen=True, slots=True, kw_only=True)
class CountTerms(FormTerms):
    """By what is counted, and what is played by it."""

    count: Annotated[
        tuple[CountSystem, ...],
        Field(
            _read_counts,
            "Count cards: hi-lo, ko ...; or compare several: hi-lo,ko,zen.",
            "NAME|FILE",
            no_choice="no count",
            suggestions=system_names(),
            paste=partial(_read_counts, load=load_shipped),
        ),
    ] = ()
    indices: Annotated[
        str | None,
        Field(
            str,
            "Index plays: i18, i18+fab4, a file, or how many to find.",
            "NAME|FILE|N",
            no_choice="none",
            suggestions=("18", *deviation_names(), "i18+fab4"),
            paste=_read_plays,
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
        replace(
            CHART,
            help="Chart that you know, a file (default: the best one of the first game).",
        ),
    ] = None,
    counting: CountTerms,
    bets: BetTerms,
    run: ComparisonTerms,
    asking: Asking,
) -> Sheet[GameComparison | GameSweep]:
    """Compare two to eight games: houses, rules in notation, or files of houses.

    Each has its exact house edge, the cost of the chart that you know, and the cells of that chart
    that change, each with its price. With a count every game is simulated from the same seed, and
    its bets are those of upcard ramp: what they win an hour, SD, SCORE, N0 and risk of ruin, in the
    money of the bankroll or unit. With several counts they are compared in one game, on the same
    shoes: which one to learn. With a sweep each is simulated once for every share of the shoe that
    is dealt, and bet in every spread, as one table.
    """
    from upcard.answers.games.comparison import ComparisonInterruptedError
    from upcard.answers.games.sweep import VARIED

    is_quick = not asking.is_patient
    terms = _choose_terms(counting, bets, run, asking)
    named = [one for one in games if one.partition("=")[0] in VARIED]
    others: list[RulesLike] = [one for one in games if one not in named]
    if not games and is_quick and len(counting.count) < 2:
        others = [*_OTHERS]
    if is_given or is_quick:
        others.insert(0, rules)
    how = "nothing is saved without -o FOLDER"
    if run.output is not None:
        how = f"the same command continues with the runs in {run.output}"
    try:
        if sweep is not None:
            return _sweep(others, " ".join([sweep, *named]), strategy, counting.count, terms)
        if len(counting.count) > 1:
            return _compare_counts([*others, *named], strategy, counting.count, terms)
        found = _compare_games([*others, *named], strategy, counting.count, terms, asking)
        return _show_games(found, _find_known(others[0], strategy) if is_quick else None)
    except ComparisonInterruptedError as interruption:
        if interruption.found is None:
            raise AnswerInterruptedError(how) from None
        return replace(_show_games(interruption.found), interrupted=how)
    except KeyboardInterrupt:
        raise AnswerInterruptedError(how) from None


def _choose_terms(
    counting: CountTerms, bets: BetTerms, run: ComparisonTerms, asking: Asking
) -> dict[str, Any]:
    """Return the terms of `compare_games`, with fewer rounds where an answer is awaited."""
    from upcard.simulation.run_state import describe, measure_progress

    def watch(name: str, there: RunProgress) -> None:
        asking.watch(f"{name}: {describe(there)}", measure_progress(there))

    terms = {**bets.given(), **numbers.fields_of(run), "indices": counting.indices}
    if counting.count and not asking.is_patient:
        terms |= {"rounds": ROUNDS, "seed": asking.choose_seed(run.seed)}
    return terms | {"watch": watch}


def _compare_games(
    games: Sequence[RulesLike],
    strategy: Strategy | str | None,
    counts: tuple[CountSystem, ...],
    terms: dict[str, Any],
    asking: Asking,
) -> GameComparison:
    from upcard.answers.games.side_by_side import compare_games

    def show_early(found: GameComparison) -> None:
        sheet = _show_games(found)
        if asking.early is not None:
            games = tuple(one for one in sheet.facts if one[0].startswith("Game"))
            asking.early(Sheet(title=sheet.title, facts=games, tables=sheet.tables[:2]))

    count = counts[0] if counts else None
    return compare_games(games, strategy=strategy, count=count, early=show_early, **terms)


def _compare_counts(
    games: Sequence[RulesLike],
    strategy: Strategy | str | None,
    counts: tuple[CountSystem, ...],
    terms: dict[str, Any],
) -> Sheet[GameComparison]:
    from upcard.answers.games.side_by_side import compare_counts

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
) -> Sheet[GameSweep]:
    from upcard.answers.games.side_by_side import NAMES
    from upcard.answers.games.sweep import read_sweep, sweep_games

    refuse_given("{} with {sweep}: every game is played by its best chart", strategy=strategy)
    sweep = read_sweep(text)
    if not count:
        raise FieldClashError("{sweep} is for counting: give a count too, such as {count} hi-lo")
    if len(count) > 1:
        raise FieldClashError("{sweep} is by one count: give one of those of {count}")
    found = sweep_games(games, sweep, count=count[0], **terms)
    named = ((f"Game {name}", str(game)) for name, game in zip(NAMES, games, strict=False))
    left_out = (f"{one.name} ({one.rules}) is left out: {one.reason}." for one in found.left_out)
    return Sheet(
        title=QUESTIONS["compare"].title,
        findings=(found.sentence,),
        facts=tuple(named),
        tables=(found.table(),),
        sentences=(*left_out, *found.notes),
        result=found,
    )


def _show_games(found: GameComparison, known: Strategy | None = None) -> Sheet[GameComparison]:
    """Return the games, with the cells of the known chart that change, if it is given."""
    games = ((f"Game {one.name}", f"{one.rules}: {one.title}") for one in found.games)
    laid = () if known is None else tuple(_lay_over(found, known))
    return _show(found, (*found.tables(), *laid), (*games, *_tell_bets(found)))


def _tell_bets(found: GameComparison) -> Iterator[tuple[str, str]]:
    where = "in" if found.noun == "game" else "by"
    for one in found.games:
        if one.plan is not None:
            yield f"Bets {where} {one.name}", f"{one.plan.choice}: {one.plan.words}"


def _show(
    found: GameComparison,
    tables: tuple[figure.AnswerTable, ...],
    facts: tuple[tuple[str, str], ...],
) -> Sheet[GameComparison]:
    left_out = (f"{one.name} ({one.rules}) is left out: {one.reason}." for one in found.left_out)
    return Sheet(
        title=QUESTIONS["compare"].title,
        findings=found.sentences,
        facts=facts,
        tables=tuple(table for table in tables if table.rows),
        data=tuple(found.tables()),
        sentences=(*left_out, *found.notes),
        result=found,
    )


def _find_known(first: RulesLike, strategy: Strategy | str | None) -> Strategy | None:
    """Return the chart that the player knows; None where the first game has none."""
    from upcard.cache import exact

    if strategy is not None:
        return load_strategy(strategy)
    try:
        return exact.basic_strategy(as_rules(first))
    except errors.BlackjackError:  # the chosen game is left out, with the reason
        return None


def _lay_over(found: GameComparison, known: Strategy) -> Iterator[figure.AnswerTable]:
    """Lay the chart of each other game over the known one."""
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
