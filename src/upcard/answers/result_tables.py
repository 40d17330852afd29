"""Results as tables: what `.table()` of a result returns, and what commands print and write.

`tabulate` finds the function by the name of the result's class.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from upcard._version import __version__
from upcard.core import figure, numbers
from upcard.rules.house import RulesLike, as_rules
from upcard.rules.model import Rules

if TYPE_CHECKING:
    from upcard.analysis.indices.rows import IndexRow, Indices
    from upcard.analysis.ruin_paths import PathsAnswer
    from upcard.answers.edge import RemovalAnswer
    from upcard.answers.hand import HandAnswer
    from upcard.answers.played import StatsAnswer
    from upcard.answers.ramp_report import RampAnswer
    from upcard.answers.rules import HouseAnswer
    from upcard.documents.mdp import Policy
    from upcard.exact import solver_results
    from upcard.exact.composition import ShoeLike
    from upcard.simulation.betting_sessions import SessionsSummary
    from upcard.simulation.run_state import Run
    from upcard.store.statistics import SideBetResults
    from upcard.strategy.chart import Strategy
    from upcard.strategy.count_system import CountSystem
    from upcard.table.rounds import RoundResult

_UPCARDS: Final = (*"23456789T", "A")


def tabulate(value: figure.Displayed) -> figure.AnswerTable:
    """Return a result as a table."""
    return _TABLES[type(value).__name__](value)


def write_table(value: figure.Displayed) -> str:
    """Return a result as the text of its table."""
    return str(tabulate(value))


def _caption(rules: Rules | str, **more: object) -> tuple[tuple[str, str], ...]:
    """Return what a table depends on; what is None is left out."""
    names = {"rules": rules, **more, "upcard": __version__}
    return tuple((name, str(text)) for name, text in names.items() if text is not None)


def tabulate_hand(value: solver_results.HandValue) -> figure.AnswerTable:
    """Return the answers to a hand, the best first."""
    from upcard.answers.hand import answer_hand

    return tabulate_answers(answer_hand(value))


def tabulate_answers(found: HandAnswer) -> figure.AnswerTable:
    """Return the answers to a hand, the best first; of a total those of its hands, its own last."""
    from upcard.answers.hand import TotalAnswer

    columns: tuple[figure.TableColumn, ...]
    rows: Iterable[tuple[figure.Value, ...]]
    if isinstance(found, TotalAnswer):
        lines = (*found.hands, found)
        named = (one.action for each in (found, *found.hands) for one in each.answers)
        actions = dict.fromkeys(named)
        evs = [{one.action: one.ev for one in line.answers} for line in lines]
        columns = (*map(figure.text, ("hand", "best")), *map(figure.ev, actions))
        rows = (
            (line.hand, str(line.best), *map(ev.get, actions))
            for line, ev in zip(lines, evs, strict=True)
        )
    else:
        columns = (
            figure.text("answer"),
            figure.ev("ev", "EV"),
            figure.label("cost_text", "cost"),
            figure.ev("cost", is_shown=False),
        )
        rows = ((str(one.action), one.ev, one.cost_text, one.cost) for one in found.answers)
    title = f"{found.hand} v {found.dealer_cards}"
    return figure.make_table(title, columns, rows, _caption(found.rules, shoe=found.shoe))


def tabulate_dealer(found: solver_results.DealerOutcomes) -> figure.AnswerTable:
    """Return the chances of the dealer's results."""
    columns = (figure.label("result"), figure.share("chance"))
    return figure.make_table("Dealer ends with", columns, found.as_dict().items())


def tabulate_upcards(evs: dict[str, float]) -> figure.AnswerTable:
    """Return the EV of a round given each upcard."""
    columns = (figure.label("upcard"), figure.percent("ev", "EV", digits=2))
    rows = ((upcard, evs[upcard]) for upcard in _UPCARDS if upcard in evs)
    return figure.make_table("By upcard", columns, rows)


def tabulate_costs(cells: Iterable[solver_results.CellCost]) -> figure.AnswerTable:
    """Return cells of a chart with their costs."""
    columns = (
        *(*map(figure.text, ("hand", "upcard")), figure.text("cell", "played")),
        *(figure.text("better"), figure.share("cost", "cost a round", digits=5)),
    )
    title = "Cells that cost most, each corrected alone, in percent of the bet"
    return figure.tabulate_fields(title, columns, cells)


def tabulate_game(game: solver_results.GameValue) -> figure.AnswerTable:
    """Return the EV of a round given each upcard, and of all rounds in the last row."""
    found = tabulate_upcards(game.by_upcard)
    caption = _caption(game.rules, shoe=game.shoe, splits=game.splits)
    return replace(found, rows=(*found.rows, ("all", game.ev)), caption=caption)


def tabulate_removal(found: RemovalAnswer) -> figure.AnswerTable:
    """Return the change of the EV as a card of each rank leaves, and the weighted sum last."""
    counts, effects = found.counts, found.effects.items()
    columns = (
        *(figure.text("card"), figure.percent("change"), figure.number("cards")),
        figure.percent("change_of_all", "change x cards", digits=4),
    )
    rows = ((card, each, counts[card], counts[card] * each) for card, each in effects)
    total = ("sum", None, sum(counts.values()), found.weighted_sum)
    caption = _caption(found.rules, splits=found.splits)
    return figure.make_table(figure.REMOVAL, columns, (*rows, total), caption)


def tabulate_effects(effects: solver_results.EffectsOfRemoval) -> figure.AnswerTable:
    """Return the change of the EV as a card of each rank leaves."""
    columns = (figure.text("card"), figure.percent("change"))
    return figure.make_table(figure.REMOVAL, columns, effects.items(), _caption(effects.rules))


def tabulate_chart(chart: Strategy) -> figure.AnswerTable:
    """Return a chart, a row per hand and a column per upcard, or per total of the dealer."""
    title, *about = chart.title.splitlines() or [""]
    rows = ((hand, *cells) for hand, cells in chart)
    return _tabulate_cells(title, chart.columns, rows, tuple(("", line) for line in about))


def _tabulate_cells(
    title: str,
    labels: tuple[str, ...],
    rows: Iterable[tuple[str, ...]],
    caption: tuple[tuple[str, str], ...],
) -> figure.AnswerTable:
    columns = (figure.label(f"v_{label}", label) for label in labels)
    return figure.make_table(title, (figure.text("hand"), *columns), rows, caption)


def ev_table(rules: RulesLike, *, shoe: ShoeLike = None) -> figure.AnswerTable:
    """Return the EV of every answer in every cell of the chart, with the best play afterwards.

    A row is one answer. Values are per initial bet; once the dealer has looked they assume that
    there is no natural. A cell of the chart stands for its two-card hands by their chances.

    Raises: as `solve` does.
    """
    from upcard.cache.exact import cell_values

    game = as_rules(rules)
    rows: list[tuple[figure.Value, ...]] = []
    for (hand, upcard), evs in cell_values(game, shoe=shoe).items():
        best = max(evs.values())
        rows += ((hand, upcard, str(one), ev, best - ev) for one, ev in evs.items())
    columns = (
        *(figure.text("hand"), figure.label("upcard"), figure.text("answer")),
        *(figure.ev("ev", "EV"), figure.ev("cost")),
    )
    return figure.make_table("EV of every answer", columns, rows, _caption(game))


def tabulate_round(found: RoundResult) -> figure.AnswerTable:
    """Return the hands of a round, the dealer's last."""
    dealer = found.dealer
    rows: list[tuple[figure.Value, ...]] = [
        (f"hand {place}", _write(hand.cards), hand.total, str(hand.outcome), hand.bet, hand.net)
        for place, hand in enumerate(found.hands, start=1)
    ]
    if found.insurance_net:
        rows.append(("insurance", "", None, "", None, found.insurance_net))
    rows.append(("dealer", _write(dealer.cards), dealer.total, "", None, None))
    columns = (
        *(*map(figure.text, ("hand", "cards")), figure.number("total"), figure.text("outcome")),
        *map(figure.amount, ("bet", "net")),
    )
    return figure.make_table(
        "Round", columns, rows, (("net", figure.amount("net").write(found.net)),)
    )


def _write(cards: Iterable[object]) -> str:
    return " ".join(map(str, cards))


def tabulate_run(run: Run) -> figure.AnswerTable:
    """Return a run by count; without a count its figures."""
    if run.job.system is not None:
        return by_count(run)
    from upcard.answers.run_results import answer_run

    # Without the exact value, which may not be known yet.
    found = answer_run(run.job, run.tally, run.own_ramp, None).figures if run.rounds else ()
    columns = (
        *(figure.text("figure"), figure.label("text", "")),
        *(figure.real("value", is_shown=False), figure.real("standard_error", "±", is_shown=False)),
        figure.text("unit"),
    )
    rows = ((one.title, one.text, one.value, one.error, one.unit) for one in found)
    return figure.make_table("Results", columns, rows, _caption(run.rules, seed=run.seed))


def by_count(run: Run) -> figure.AnswerTable:
    """Return EV, share and deviation by the count before the deal, a row per count that occurred.

    Raises: AnalysisError for a run that counted nothing.
    """
    from upcard.analysis.figures import AnalysisError

    if run.job.system is None:
        raise AnalysisError("this run counted nothing: simulate with count='hi-lo'")
    return tabulate_counts(run)


def tabulate_counts(run: Run) -> figure.AnswerTable:
    """Return a run by count; one that counted nothing has one row."""
    from upcard.answers.run_results import list_counts
    from upcard.simulation.tally import estimate_counts

    rows = estimate_counts(run.tally) if run.rounds else []
    count = None if run.job.system is None else run.job.system.name
    caption = _caption(run.rules, count=count, seed=run.seed, rounds=run.rounds)
    return replace(list_counts(rows, run.own_ramp), caption=caption)


def tabulate_ramp(answer: RampAnswer) -> figure.AnswerTable:
    """Return the counts of a run with the bets of the ramp, a row per count."""
    from upcard.answers.ramp_report import BY_COUNT, has_money, tell_count

    money = ", money" if has_money(answer.question) else ""
    game, job = answer.run.game, answer.run.job
    bets = {"bet": answer.plans[0].betting.bets}
    if len(answer.plans) > 1:
        bets["bet_in_chips"] = answer.plans[1].betting.bets
    titles = ("EV", "±", "variance", "added")
    return figure.AnswerTable(
        title="By count before the deal",
        columns=(
            figure.number("count"),
            *(figure.number(name, is_shown=False) for name in ("rounds", "rounds_played")),
            figure.share("frequency", "rounds", error="frequency_standard_error"),
            figure.share("frequency_standard_error", "±", is_shown=False),
            *(
                figure.real(name, title, digits=5, unit="units")
                for name, title in zip(BY_COUNT, titles, strict=True)
            ),
            *(figure.real(name, f"{name.replace('_', ' ')}{money}", digits=2) for name in bets),
        ),
        rows=tuple(
            (
                *(row.count, row.seen, row.rounds, game.frequency(row), game.frequency_error(row)),
                *map(numbers.finite, tell_count(row).values()),
                *(float(each[place]) for each in bets.values()),
            )
            for place, row in enumerate(game.rows)
        ),
        caption=_caption(job.rules, count=answer.run.system.name, seed=job.seed),
    )


def tabulate_bank(answer: PathsAnswer) -> figure.AnswerTable:
    """Return the share of each ending of the paths beside the formula."""
    from upcard.answers.bank_report import tabulate_comparisons

    job = answer.paths.plan.job
    caption = _caption(job.rules, seed=job.seed, paths=answer.paths.plan.paths)
    return replace(tabulate_comparisons(answer), caption=caption)


def _mark_doubt(row: IndexRow) -> str:
    """Mark gains that differ, and a play with too few rounds to decide."""
    if row.agrees is False:
        return "!"
    return "?" if row.simulated is not None and row.simulated.index is None else ""


def _read_simulated(part: str, row: IndexRow) -> float | None:
    index = None if row.simulated is None else row.simulated.index
    return None if index is None else float(getattr(index, part))


def _read_averse(row: IndexRow) -> float | None:
    return None if row.risk_averse is None else row.risk_averse.crossing


def _read_rounded(rounding: str, row: IndexRow) -> int:
    return row.rounded[rounding]


def tabulate_indices(found: Indices) -> figure.AnswerTable:
    """Return the plays with their indices, those that gain most first.

    `exact` and `simulated` are the counts at which the gain is 0; gains are units per 100 rounds.
    """
    columns: list[tuple[figure.TableColumn, Callable[[IndexRow], figure.Value]]] = []

    def add(column: figure.TableColumn, read: Callable[[IndexRow], figure.Value]) -> None:
        columns.append((column, read))

    def add_gain(name: str, title: str, which: str, *, is_shown: bool = True) -> None:
        def read(part: int, row: IndexRow) -> float | None:
            gain = None if row.simulated is None else getattr(row.simulated, which)
            return None if gain is None else float(gain[part])

        error = f"{name}_error"
        column = figure.real(name, title, digits=5, error=error, is_shown=is_shown)
        add(column, partial(read, 0))
        add(figure.real(error, "±", is_shown=False), partial(read, 1))

    def read_index(row: IndexRow) -> int | None:
        index = found.index(row)
        return None if index is None else index.index

    add(figure.text("play"), found.describe)
    add(figure.number("index", is_shown=False), read_index)
    if found.method != "simulation":
        add(figure.signed("exact"), lambda row: row.exact.crossing)
    if found.bankroll is not None:
        add(figure.signed("risk_averse", "risk-averse"), _read_averse)
    for rounding in found.rows[0].rounded if found.rows else ():
        column = figure.number(rounding, is_shown=found.method == "exact")
        add(column, partial(_read_rounded, rounding))
    if found.method != "exact":
        add(
            figure.signed("simulated", error="simulated_error"),
            partial(_read_simulated, "crossing"),
        )
        add(figure.real("simulated_error", "±", is_shown=False), partial(_read_simulated, "error"))
    if found.method != "simulation":
        column = figure.real("gain", digits=5, is_shown=found.ramp is None)
        add(column, lambda row: row.exact_gain)
        if found.ramp is not None:
            is_shown = found.method == "exact"
            column = figure.real("ramp_gain", "with ramp", digits=5, is_shown=is_shown)
            add(column, lambda row: row.exact_ramp_gain)
    if found.method != "exact":
        title = "gain, simulated" if found.ramp is None else "gain flat"
        add_gain("gain_simulated", title, "gain", is_shown=found.bankroll is None)
    if found.ramp is not None and found.method != "exact":
        add_gain("gain_with_ramp", "with ramp", "ramp_gain")
    if found.learned is not None:
        shares = dict(zip(found.learned.plays, found.learned.shares, strict=True))
        add(figure.share("share_so_far", "so far", digits=1), lambda row: shares[row.question])
    add(figure.text("doubt", ""), _mark_doubt)
    rows = (tuple(read(row) for _, read in columns) for row in found.rows)
    caption = _caption(found.rules, seed=found.seed, rounds=found.rounds or None)
    title = f"Indices for {found.describe_count()[6:]}"
    return figure.make_table(title, (column for column, _ in columns), rows, caption)


@dataclass(frozen=True, slots=True, kw_only=True)
class SeriesSummary:
    """The sessions of one betting system."""

    betting: str
    summary: SessionsSummary
    most: float
    """Most chips that a session ended with."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionsAnswer(figure.Displayed):
    """The sessions of several betting systems on the same shoes."""

    series: tuple[SeriesSummary, ...]


def tabulate_sessions(played: SessionsAnswer) -> tuple[figure.AnswerTable, ...]:
    """Return lengths and nets, chips at the end and bets of betting systems, a row for each."""
    from upcard.simulation.betting_sessions import QUANTILES

    name = figure.text("betting")
    chips = partial(figure.real, digits=2, unit="chips")
    rounds = partial(figure.real, digits=2, unit="rounds")
    found = [(one.betting, one.summary) for one in played.series]
    lengths = figure.make_table(
        "Sessions",
        (
            *(name, rounds("length"), rounds("length_deviation", "SD")),
            *(chips("peak"), chips("peak_deviation", "SD"), chips("net")),
            *(chips("net_standard_error", "±"), figure.share("ruined", digits=1)),
        ),
        (
            (
                *(betting, one.length.mean, one.length.deviation, one.peak.mean),
                *(one.peak.deviation, one.net.mean, one.net.standard_error, one.ruined.mean),
            )
            for betting, one in found
        ),
    )
    shares = (chips(f"below_{each:g}", f"{each:.0%}") for each in QUANTILES)
    ends = figure.make_table(
        "Chips at the end: the share of the sessions that ended with less",
        (name, *shares, chips("most")),
        (
            (one.betting, *map(float, one.summary.final_quantiles), one.most)
            for one in played.series
        ),
    )
    bets = figure.make_table(
        "Bets",
        (
            *(name, figure.number("rounds")),
            figure.number("longest_losing_streak", "losses in a row"),
            *(figure.amount("largest_bet", "largest"), figure.amount("initial_bets", "in all")),
            figure.percent("ev", "EV", digits=2),
            figure.share("standard_error", "±", digits=2),
        ),
        (
            (
                *(betting, one.rounds, one.longest_losing_streak, one.largest_bet),
                *(one.initial_bets, one.ev, numbers.finite(one.standard_error)),
            )
            for betting, one in found
        ),
    )
    return lengths, ends, bets


def tabulate_houses(houses: Sequence[HouseAnswer]) -> figure.AnswerTable:
    """Return houses, a row for each."""
    columns = map(figure.text, ("name", "title", "rules", "source"))
    return figure.tabulate_fields("Houses", columns, houses)


def tabulate_policy(solved: Policy) -> figure.AnswerTable:
    """Return the best first action of each hand against each upcard."""
    from upcard.strategy.chart import UPCARD_LABELS

    rows = ((hand, *letters) for hand, letters in solved)
    caption = _caption(f"a card is worth ten with probability {solved.p}")
    return _tabulate_cells(f"BlackJack({solved.p})", UPCARD_LABELS, rows, caption)


def tabulate_systems(systems: Sequence[CountSystem], keys: Sequence[str]) -> figure.AnswerTable:
    """Return counting systems with the tag of each rank, the mean of its colours."""
    tag = figure.make_maker(figure.ColumnKind.TAG)
    columns = (figure.text("system"), *map(tag, keys), tag("deck"), figure.label("decides"))
    rows: Iterable[tuple[figure.Value, ...]] = (
        (one.name, *map(one.mean_tag, keys), one.deck_sum, one.by + " + aces" * bool(one.side_aces))
        for one in systems
    )
    return figure.make_table("Counting systems", columns, rows)


def tabulate_statistics(found: StatsAnswer) -> tuple[figure.AnswerTable, ...]:
    """Return the results of each house, the leaks, and the side bets where some were placed.

    The most played house comes first, the costliest leak, and the side bet with most chips.
    `errors` is what the mistakes won, below 0; SD is that of the luck.
    """
    from upcard.analysis.grades import WRONG

    chips = partial(figure.signed, digits=1, unit="chips")
    lost = partial(figure.real, digits=2, unit="chips")
    houses = [(one.name, found.by_house[one.house]) for one in found.houses]
    name, asked = figure.text("house"), figure.number("decisions", "asked")
    hourly = {"is_shown": not found.why_no_rate}
    side = (chips("side_bets"),) if found.side_bets else ()
    results = figure.make_table(
        "Results by house, in chips",
        (
            *(name, figure.number("rounds"), *map(chips, _PARTS), *side),
            figure.real("luck_deviation", "SD", digits=1, unit="chips"),
            chips("net"),
        ),
        (
            (
                *(house, each.rounds, each.best_play, -each.error_cost + 0.0, each.luck),
                *((each.side.expected,) if side else ()),
                *(each.luck_deviation, each.net),
            )
            for house, each in houses
        ),
    )
    leaks = figure.make_table(
        "Leaks, in chips",
        (
            *(figure.text("category", "decisions"), asked),
            *(figure.number(f"{grade}s") for grade in WRONG),
            *(lost("cost"), lost("cost_deviation", "±"), lost("per_hour", "an hour", **hourly)),
            lost("per_hour_deviation", "±", **hourly),
        ),
        (
            (
                leak.category,
                leak.decisions,
                *(leak.grades.get(one, 0) for one in WRONG),
                *(leak.cost, leak.cost_deviation, leak.per_hour, leak.per_hour_deviation),
            )
            for leak in found.costly
        ),
    )
    side_bets = (tabulate_played_side(found.side_bets),) if found.side_bets else ()
    return (results, leaks, *side_bets)


def tabulate_played_side(found: Iterable[SideBetResults]) -> figure.AnswerTable:
    """Return the results of side bets, a row for each, and one for all."""
    columns = (
        *(figure.text("title", "bet"), figure.text("bet", "token", is_shown=False)),
        *map(figure.number, ("rounds", "bets", "won")),
        figure.amount("staked"),
        figure.signed("expected", unit="chips"),
        figure.signed("net", digits=1, unit="chips"),
    )
    return figure.tabulate_fields("Side bets, in chips", columns, found)


def _of_side_bet(name: str, value: figure.Displayed) -> figure.AnswerTable:
    """Return the table of a result about a side bet, by the function of its module."""
    from upcard.answers.asked import sidebet as side_bet

    table: figure.AnswerTable = getattr(side_bet, name)(value)
    return table


_PARTS: Final = ("best_play", "errors", "luck")
_TABLES: Final[dict[str, Callable[[Any], figure.AnswerTable]]] = {
    "BenchScore": lambda score: score.tabulate(),
    "DealerOutcomes": tabulate_dealer,
    "EffectsOfRemoval": tabulate_effects,
    "GameValue": tabulate_game,
    "Evaluation": lambda found: tabulate_costs(found.costliest or ()),
    "GameAnswer": lambda found: found.tabulate(),
    "HandAnswer": tabulate_answers,
    "HandValue": tabulate_hand,
    "Indices": tabulate_indices,
    "League": lambda league: league.players,
    "PathsAnswer": tabulate_bank,
    "Policy": tabulate_policy,
    "RemovalAnswer": tabulate_removal,
    "RampAnswer": tabulate_ramp,
    "RoundResult": tabulate_round,
    "Run": tabulate_run,
    "SideBet": lambda bet: _of_side_bet("tabulate_bet", bet),
    "SideBetAnswer": lambda found: _of_side_bet("tabulate_value", found),
    "SideBetCount": lambda found: _of_side_bet("tabulate_count", found),
    "SideBetRemoval": lambda found: _of_side_bet("tabulate_removal", found),
    "SideBetValue": lambda found: _of_side_bet("tabulate_value", found),
    "SessionsAnswer": lambda found: tabulate_sessions(found)[0],
    "StatsAnswer": lambda found: tabulate_statistics(found)[0],
    "Strategy": tabulate_chart,
    "TotalAnswer": tabulate_answers,
}
"""By the name of a result's class: its module need not be imported."""
