"""The worth of a game: its exact edge, with other rules beside it, rule by rule, card by card."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from upcard.cache import exact
from upcard.cache.recall import peek
from upcard.core import errors, figure, numbers
from upcard.core.figure import make_table
from upcard.exact import solver_results
from upcard.exact.composition import ShoeLike
from upcard.exact.solve import read_split_play
from upcard.exact.solver_results import SPLIT_PLAYS, CellCost, GameValue, difference
from upcard.rules.house import RulesLike, as_rules
from upcard.rules.model import Rules
from upcard.store.money import load_pace
from upcard.strategy.chart import Strategy

_SAME: Final = 1e-9
"""Smaller differences of two games are rounding errors of the solver."""
_AS_MUCH: Final = 1e-12
"""Largest rounding error between two equal values of a game."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EdgeAnswer:
    """The edge of a game by best play, or why it is not known."""

    ev: float | None
    """EV of a round per initial bet, for the player; None if it is not known."""
    house_edge: float | None
    title: str
    """`House edge`, or `Your edge` if the player wins."""
    text: str
    """The edge in percent of the initial bet, or `not known`."""
    sentence: str
    """The edge as money, or the reason why it is not known."""
    hour: str
    """The edge as money of an hour, with its sign for you; empty where there is none."""

    @property
    def ev_text(self) -> str:
        """The player's EV in percent of the bet, with its sign."""
        return self.text if self.ev is None else figure.write_percent(self.ev)

    @property
    def house_text(self) -> str:
        """The edge of the house in percent of the bet; a minus is the player's favour."""
        return self.text if self.ev is None else figure.write_percent(-self.ev, sign="")


def answer_edge(ev: float | None, why_none: str = "", *, has_bets: bool = True) -> EdgeAnswer:
    """Return the answer of a game that is worth `ev`; `why_none` says why that is not known.

    In a game without bets a round counts 1.
    """
    is_lost = ev is None or ev <= 0
    return EdgeAnswer(
        ev=ev,
        house_edge=None if ev is None else 0.0 - ev,
        title="House edge" if is_lost else "Your edge",
        text="not known" if ev is None else figure.write_percent(abs(ev), sign=""),
        sentence=errors.as_sentence(why_none) if ev is None else word_money(ev, has_bets=has_bets),
        hour=_write_hour(ev) if has_bets else "",
    )


_CENT: Final = 1e-4
_UNIT: Final = 1e-2


def _write_hour(ev: float | None) -> str:
    """Write the value of an hour of play for you: `−2.82 an hour`."""
    if ev is None or not math.isfinite(ev):
        return ""
    return numbers.with_minus(f"{load_pace().value_hour(ev) + 0.0:+,.2f} an hour")


def word_money(ev: float, *, has_bets: bool = True, begin: str = "") -> str:
    """Say an EV as money: of every 100 that is bet, and an hour of play.

    `begin` are the words before it, instead of `You lose` or `You win`.
    """
    size, verb = abs(ev), "lose" if ev < 0 else "win"
    if math.isinf(size):
        return f"You {verb} without end."
    if not has_bets:
        other = "win" if ev < 0 else "lose"
        return f"You {verb} {100 * size:.1f} rounds in 100 more than you {other}."
    if size < _CENT / 2:
        return "You get back what you bet, to less than a cent of every 100."
    cents = f"{size / _CENT:.0f}"
    share = f"{cents} cent{'' if cents == '1' else 's'}"
    if size >= _UNIT:
        share = f"{100 * size:.2f}"
    words = begin or f"You {verb}"
    return f"{words} {share} of every 100 bet: {load_pace().say_hour(size)}."


def find_edge(rules: Rules) -> EdgeAnswer:
    """Compute the edge of a game; this can take seconds."""
    try:
        return answer_edge(exact.expected_value(rules), has_bets=rules.betting)
    except errors.BlackjackError as error:
        return answer_edge(None, str(error))


def peek_edge(rules: Rules) -> EdgeAnswer | None:
    """Return the edge of a game at once if its value is saved; None if it would be computed."""
    return peek(lambda: find_edge(rules))


@dataclass(frozen=True, slots=True, kw_only=True)
class EdgeChange:
    """Worth of a change of rules to the player."""

    ev: float
    """Change of the EV of a round per initial bet; above 0 is better for the player."""
    text: str
    """The change in percent with its sign, `−0.21730%`, or `no change`."""
    sentence: str
    tone: str
    """`good`, `bad` or `same`, for the player."""


def compare_edges(before: EdgeAnswer | None, after: EdgeAnswer | None) -> EdgeChange | None:
    """Return the difference between two edges; None if one of them is not known."""
    if before is None or after is None or before.ev is None or after.ev is None:
        return None
    if before.ev == after.ev or abs(after.ev - before.ev) < _SAME:
        return EdgeChange(ev=0.0, text="no change", sentence="It changes nothing.", tone="same")
    change = after.ev - before.ev
    hour = ""
    with suppress(errors.UserFileError):  # the edges say what is wrong with the file
        hour = f": about {abs(load_pace().value_hour(change)):,.2f} an hour"
    whom = "better" if change > 0 else "worse"
    return EdgeChange(
        ev=change,
        text=figure.write_percent(change),
        sentence=f"{figure.write_percent(abs(change), sign='')} {whom} for you{hour}.",
        tone="good" if change > 0 else "bad",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedGame:
    """Another game beside one: its edge, and its worth to the player."""

    name: str
    """The game, the house or the rules that were switched, in words."""
    rules: str
    edge: EdgeAnswer | None
    change: EdgeChange | None
    """Worth of the difference; None where it is not known, or not yet."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EffectsAnswer:
    """The worth of every switch of the rules; those not computed yet are left out."""

    games: tuple[ComparedGame, ...]
    """Each game that is one switch away, the best for the player first."""
    of: int
    """Number of games that are one switch away."""

    @property
    def is_complete(self) -> bool:
        """Whether every game is computed."""
        return len(self.games) == self.of

    @property
    def idle(self) -> tuple[str, ...]:
        """The switches that change nothing."""
        return tuple(one.name for one in self.games if one.change and not one.change.ev)


def answer_effects(
    present: EdgeAnswer | None, turned: Iterable[tuple[str, Rules, EdgeAnswer]], *, of: int
) -> EffectsAnswer:
    """Return the effects of switches on the `present` game; `of` is their number."""
    games = [
        ComparedGame(name=name, rules=str(rules), edge=edge, change=compare_edges(present, edge))
        for name, rules, edge in turned
    ]
    games.sort(key=lambda one: -one.change.ev if one.change else 1)
    return EffectsAnswer(games=tuple(games), of=of)


@dataclass(frozen=True, slots=True, kw_only=True)
class ChartValue:
    """Value of the best chart of a game, by totals alone."""

    ev: float | None
    """None if there is no chart."""
    distance_to_best: float | None
    """Gain of the best play over it."""
    why_none: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedChart:
    """A chart whose value was asked."""

    name: str
    """File of the chart."""
    title: str
    distance_to_best: float
    """Gain of the best play over this chart."""
    distance_to_best_chart: float | None
    """Gain of the best chart over this one; None if there is no best chart."""
    costliest_cells: tuple[CellCost, ...]
    """The cells that cost something, the costliest first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GameAnswer(EdgeAnswer, figure.Displayed):
    """All that a game is worth: by the best play or a chart, by upcard, with other rules."""

    rules: str
    shoe: str
    """Cards before the deal."""
    splits: str
    insurance_ev: float
    """Part of `ev` due to insurance and even money."""
    hole_ev: float
    """Part of `ev` due to rounds in which the hole card is seen."""
    by_upcard: dict[str, float]
    """EV given each upcard, `A`, `2` to `9`, `T`."""
    best_ev: float
    best_chart: ChartValue
    notes: tuple[str, ...]
    seconds: float
    strategy: PlayedChart | None
    """The chart that was asked; None for the best play."""
    compare: tuple[ComparedGame, ...]
    """The game with rules switched, as asked."""
    in_words: tuple[tuple[str, str], ...]
    """The answer in words: topic and text."""

    def tabulate_upcards(self) -> figure.AnswerTable:
        """Return the EV given each upcard."""
        return solver_results.tabulate_upcards(self.by_upcard)

    def tabulate_costs(self) -> figure.AnswerTable:
        """Return the cells of the chart that cost something, the costliest first."""
        return solver_results.tabulate_costs(
            () if self.strategy is None else self.strategy.costliest_cells
        )

    def table(self) -> figure.AnswerTable:
        """Return the rules that were switched, or else the upcards."""
        return self.tabulate_compared() if self.compare else self.tabulate_upcards()

    def tabulate_compared(self) -> figure.AnswerTable:
        """Return the game and its switched rules."""
        columns = (
            figure.text("rule"),
            figure.percent("ev", "player's EV", unit=""),
            figure.share("house_edge", digits=5),
            figure.percent("change", "", digits=3, unit="", is_shown=False),
            figure.label("change_text", "change of EV"),
            figure.label("money", "in money"),
        )
        rows: list[tuple[figure.Value, ...]] = [
            ("as it is", self.ev, self.house_edge, None, "", self.hour)
        ]
        for one in self.compare:
            if (edge := one.edge) is not None and (change := one.change) is not None:
                worth = (edge.ev, edge.house_edge, change.ev, change.text, edge.hour)
                rows.append((one.name, *worth))
        played = "" if self.strategy is None else ", played by the same chart"
        title = f"With one rule switched{played}"
        return make_table(title, columns, rows)


def answer_game(  # noqa: PLR0913 (each is named in the call)
    rules: Rules,
    *,
    splits: str = "CDZ-",
    shoe: str | None = None,
    strategy: Strategy | None = None,
    strategy_name: str = "",
    switches: Sequence[tuple[str, Rules]] = (),
    sees_hole: float = 0.0,
) -> GameAnswer:
    """Compute the value of a game, by the best play or by a chart, and with other rules.

    `switches` has the other rules, each with the text that switched them. `sees_hole` is the share
    of the rounds in which the hole card is seen; only the best play knows what to do then.
    """
    game = exact.solve_game(rules, splits=splits, strategy=strategy, shoe=shoe, sees_hole=sees_hole)
    edge = answer_edge(game.ev, has_bets=rules.betting)
    hole_ev = 0.0
    if sees_hole:
        unseen = exact.expected_value(rules, splits=splits, strategy=strategy, shoe=shoe)
        hole_ev = difference(game.ev, unseen)
    best_ev, played = game.ev, None
    if strategy is not None:
        best_ev = exact.expected_value(rules, splits=splits, shoe=shoe)
    chart = _value_best_chart(rules, shoe, best_ev, sees_hole)
    if strategy is not None:
        played = PlayedChart(
            name=strategy_name,
            title=strategy.title,
            distance_to_best=difference(best_ev, game.ev),
            distance_to_best_chart=None if chart.ev is None else difference(chart.ev, game.ev),
            costliest_cells=tuple(exact.costliest_cells(rules, strategy, shoe=shoe)),
        )
    compared = []
    for name, other in switches:
        ev = exact.expected_value(
            other, splits=splits, strategy=strategy, shoe=shoe, sees_hole=sees_hole
        )
        there = answer_edge(ev, has_bets=other.betting)
        change = compare_edges(edge, there)
        compared.append(ComparedGame(name=name, rules=str(other), edge=there, change=change))
    return GameAnswer(
        rules=str(rules),
        **numbers.fields_of(edge),
        **numbers.fields_of(game, "shoe", "splits", "insurance_ev", "by_upcard", "seconds"),
        hole_ev=hole_ev,
        best_ev=best_ev,
        best_chart=chart,
        notes=tuple(_list_notes(game)),
        strategy=played,
        compare=tuple(compared),
        in_words=tuple(
            _word_game(
                *(game, edge, chart, played),
                best_ev=best_ev,
                hole_ev=hole_ev,
                asks_for_shoe=shoe is not None,
            )
        ),
    )


def _value_best_chart(
    rules: Rules, shoe: str | None, best_ev: float, sees_hole: float
) -> ChartValue:
    try:
        best = exact.basic_strategy(rules, shoe=shoe)
    except errors.UnsupportedRuleError as error:
        return ChartValue(ev=None, distance_to_best=None, why_none=str(error))
    ev = exact.expected_value(rules, strategy=best, shoe=shoe, sees_hole=sees_hole)
    if rules.is_infinite and (ev == best_ev or best_ev - ev < _AS_MUCH):
        ev = best_ev  # totals say everything where cards do not run out
    return ChartValue(ev=ev, distance_to_best=difference(best_ev, ev), why_none="")


def _list_notes(game: GameValue) -> Iterator[str]:
    yield from game.notes
    if not game.rules.betting:
        yield "There are no bets: a round won counts 1, a round lost −1."


def _word_game(  # noqa: PLR0913 (each is named in the call)
    game: GameValue,
    edge: EdgeAnswer,
    chart: ChartValue,
    played: PlayedChart | None,
    *,
    best_ev: float,
    hole_ev: float,
    asks_for_shoe: bool,
) -> Iterator[tuple[str, str]]:
    if played is not None:
        title = played.title.splitlines()
        yield "Played by", f"the chart {played.name}" + (f" ({title[0]})" if title else "")
    if asks_for_shoe:
        yield "Shoe", game.shoe
    yield "Expected value", f"{edge.ev_text} of the bet"
    yield edge.title, edge.text
    if game.rules.betting:
        yield "In money", edge.sentence
    if game.insurance_ev:
        without = figure.write_percent(difference(game.ev, game.insurance_ev))
        part = figure.write_percent(game.insurance_ev)
        yield "Insurance", f"{part} of that, even money with it; without them it is {without}"
    if hole_ev:
        without = figure.write_percent(difference(game.ev, hole_ev))
        part = figure.write_percent(hole_ev)
        yield "Hole card", f"{part} of that, where it is seen; without those rounds it is {without}"
    splits = "no splits" if game.rules.max_hands == 1 else game.splits
    yield "Splits", f"{splits}: {SPLIT_PLAYS[splits]}"
    if played is not None:
        yield "Best play", _write_distance(best_ev, game.ev)
    yield "Best chart", _word_chart(game, chart, best_ev, is_played=played is not None)
    if played is not None and not played.costliest_cells:
        yield "Cells", "none costs anything against the best chart"
    yield "Assumed", " ".join(_list_notes(game))


def _word_chart(game: GameValue, chart: ChartValue, best_ev: float, *, is_played: bool) -> str:
    if chart.ev is None:
        return f"none: {chart.why_none}"
    if game.rules.is_infinite and chart.ev == best_ev:
        return "worth as much: totals say everything on an infinite deck"
    if is_played:
        return _write_distance(chart.ev, game.ev)
    behind = figure.write_percent(game.ev - chart.ev, sign="")
    return f"{figure.write_percent(chart.ev)}, by totals alone: {behind} behind the best play"


def _write_distance(better: float, ev: float) -> str:
    return f"{figure.write_percent(better)}, {figure.write_percent(better - ev)} against this chart"


@dataclass(frozen=True, slots=True, kw_only=True)
class RemovalAnswer(figure.Displayed):
    """Change of the EV when one card of a rank leaves the shoe."""

    rules: str
    splits: str
    is_fixed_strategy: bool
    """Whether a chart is followed; else the play is the best for every shoe."""
    ev: float
    """EV of a round per initial bet, with all cards."""
    effects: dict[str, float]
    """Change of the EV by rank."""
    counts: dict[str, int]
    """Number of cards by rank."""
    weighted_sum: float
    """Sum of the effects, each times its number of cards."""
    play: str
    """The play, and why the sum is 0 or not."""

    def table(self) -> figure.AnswerTable:
        """Return the change of the EV as a card of each rank leaves, and the weighted sum last."""
        counts, effects = self.counts, self.effects.items()
        columns = (
            *(figure.text("card"), figure.percent("change"), figure.number("cards")),
            figure.percent("change_of_all", "change x cards", digits=4),
        )
        rows = ((card, each, counts[card], counts[card] * each) for card, each in effects)
        total = ("sum", None, sum(counts.values()), self.weighted_sum)
        about = figure.caption(self.rules, splits=self.splits)
        return make_table(figure.REMOVAL, columns, (*rows, total), about)


def answer_removal(
    rules: Rules, *, splits: str = "CDZ-", strategy: Strategy | None = None
) -> RemovalAnswer:
    """Compute the effect of removing one card of each rank, by the best play or by a chart."""
    if rules.decks is None:
        reason = "no card can leave an infinite deck; name 1D to 8D"
        raise errors.UnsupportedRuleError("count of effects of removal", "INF", reason)
    effects = exact.effects_of_removal(rules, splits=splits, strategy=strategy)
    counts = dict(zip(effects, rules.full_shoe.counts[1:], strict=True))
    return RemovalAnswer(
        rules=str(rules),
        splits="chart" if strategy else splits,
        is_fixed_strategy=strategy is not None,
        ev=exact.expected_value(rules, splits=splits, strategy=strategy),
        effects=effects,
        counts=counts,
        weighted_sum=math.fsum(counts[rank] * effect for rank, effect in effects.items()),
        play=_word_play(rules, strategy, splits),
    )


def _word_play(rules: Rules, chart: Strategy | None, splits: str) -> str:
    if chart is not None:
        title = (chart.title.splitlines() or ["a chart without a title"])[0]
        return f"fixed: {title}. Weighed by the cards there are, the changes sum to 0."
    name = "no splits" if rules.max_hands == 1 else read_split_play(splits)
    return (
        "the best for every shoe, so the sum is not 0: what is left of it is gained by playing"
        f" the shorter shoe its own way. Splits: {name}, {SPLIT_PLAYS[name]}."
    )


def ev_table(rules: RulesLike, *, shoe: ShoeLike = None) -> figure.AnswerTable:
    """Return the EV of every answer in every cell of the chart, with the best play afterwards.

    A row is one answer. Values are per initial bet; once the dealer has looked they assume that
    there is no natural. A cell of the chart stands for its two-card hands by their chances.

    Raises: as `solve` does.
    """
    game = as_rules(rules)
    rows: list[tuple[figure.Value, ...]] = []
    for (hand, upcard), evs in exact.cell_values(game, shoe=shoe).items():
        best = max(evs.values())
        rows += ((hand, upcard, str(one), ev, best - ev) for one, ev in evs.items())
    columns = (
        *(figure.text("hand"), figure.label("upcard"), figure.text("answer")),
        *(figure.ev("ev", "EV"), figure.ev("cost")),
    )
    return make_table("EV of every answer", columns, rows, figure.caption(game))
