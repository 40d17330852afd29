"""Results of the saved rounds: the net in parts, leaks, houses, and the mistake map."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Annotated, Final

from upcard.analysis.grades import WRONG, count_grades, grades_of, write_grades
from upcard.charts import heat_map, layout
from upcard.charts.facts import ChartFacts
from upcard.core import cards, figure
from upcard.core.errors import NotationError
from upcard.core.numbers import fields_of, format_chips, signed, with_minus
from upcard.players.question import HandClass, place_in_chart
from upcard.rules.describe import DEFAULT_NAME
from upcard.rules.model import Rules
from upcard.store import sessions, statistics
from upcard.store.statistics import Leak, Mistakes, Results, SideBetResults, Statistics
from upcard.strategy import chart

_LEAST_TOTAL: Final = int(chart.HARD_LABELS[0])


@dataclass(frozen=True, slots=True, kw_only=True)
class NetPart:
    """A part of the net, in chips."""

    name: str
    """`best_play`, `side_bets`, `errors`, `luck` or `net`."""
    title: str
    value: float
    text: str
    note: str
    """A note on the part; empty if there is nothing to add."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HouseResults:
    """The results of a house as texts, in chips; `-` where they cannot be split."""

    name: str
    """Name of the house, or notation of your own rules."""
    house: str
    """The same as the history searches for it."""
    rounds: int
    best_play: str
    """Worth of best play for the same bets."""
    errors: str
    """Cost of the mistakes, with a minus."""
    luck: str
    """The rest of the net."""
    deviation: str
    """Standard deviation of the luck."""
    side_bets: str
    """Worth of the side bets; empty if none was placed."""
    net: str


_PARTS: Final = ("best_play", "errors", "luck")
_SIDE_COLUMNS: Final = ("title", "bet", "rounds", "bets", "won", "staked", "expected", "net")


@dataclass(frozen=True, slots=True, kw_only=True)
class StatsAnswer(figure.Displayed):
    """All results, in chips."""

    why_none: str
    summary: tuple[tuple[str, str], ...]
    """The numbers of rounds and the sum of the bets: label and text."""
    parts: tuple[NetPart, ...]
    """The net, split into best play, mistakes and luck."""
    luck: float | None
    """The luck in standard deviations; None if it is not known."""
    total: Results
    """The sums of all rounds."""
    by_house: dict[str, Results]
    houses: tuple[HouseResults, ...]
    """The results of each house as texts, the most played first."""
    side_bets: tuple[SideBetResults, ...]
    """The results of each side bet, the most chips placed first, then those of all; may be empty.
    """
    leaks: tuple[Leak, ...]
    """The classes of decisions, the costliest first."""
    rounds_per_hour: float
    why_no_rate: str
    """Why there are no figures per hour; empty if there are."""
    rounds_without_bets: int
    """Rounds in houses without bets, which are not included elsewhere."""
    coached_rounds: int
    method: str
    """How the worth of best play is computed."""
    notes: tuple[tuple[str, str], ...]
    """Notes on what the figures rest on and leave out: topic and text."""

    def table(self) -> figure.AnswerTable:
        """Return the results of each house, the most played first."""
        return self.tables()[0]

    def tables(self) -> tuple[figure.AnswerTable, ...]:
        """Return the results of each house, the leaks, and the side bets where some were placed.

        The most played house comes first, the costliest leak, and the side bet with most chips.
        `errors` is what the mistakes won, below 0; SD is that of the luck.
        """
        chips = partial(figure.signed, digits=1, unit="chips")
        lost = partial(figure.real, digits=2, unit="chips")
        houses = [(one.name, self.by_house[one.house]) for one in self.houses]
        name, asked = figure.text("house"), figure.number("decisions", "asked")
        hourly = {"is_shown": not self.why_no_rate}
        side = (chips("side_bets"),) if self.side_bets else ()
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
                for leak in self.costly
            ),
        )
        side_table = figure.tabulate_fields(
            "Side bets, in chips", SideBetResults, self.side_bets, names=_SIDE_COLUMNS
        )
        side_bets = (side_table,) * bool(self.side_bets)
        return (results, leaks, *side_bets)

    @property
    def costly(self) -> tuple[Leak, ...]:
        """The classes of decisions with mistakes."""
        return tuple(leak for leak in self.leaks if leak.mistakes)


def answer_statistics(found: Statistics, rounds_per_hour: float) -> StatsAnswer:
    """Return the results of all rounds."""
    total, why_none, luck = found.total, "", None
    if not total.rounds:
        why_none = "No round has been saved yet."
        if left := found.without_bets:
            why_none = f"{left} rounds, all in houses without bets: no chips to split up."
    if total.luck is not None and total.luck_deviation:
        luck = total.luck / total.luck_deviation
    return StatsAnswer(
        why_none=why_none,
        summary=(
            ("Rounds", f"{total.rounds}"),
            ("Won", f"{total.won}"),
            ("Lost", f"{total.lost}"),
            ("Even", f"{total.rounds - total.won - total.lost}"),
            ("Bet", format_chips(total.initial_bets)),
        ),
        parts=tuple(_split_net(found)),
        luck=luck,
        total=total,
        houses=tuple(_list_houses(found)),
        side_bets=(*total.side_bets, total.side) if total.side_bets else (),
        **fields_of(found, "by_house", "leaks", "coached_rounds"),
        rounds_per_hour=rounds_per_hour,
        why_no_rate=statistics.why_no_rate(found.coached_rounds),
        rounds_without_bets=found.without_bets,
        method=statistics.METHOD,
        notes=tuple(_list_notes(found)),
    )


def _split_net(found: Statistics) -> Iterator[NetPart]:
    total = found.total
    is_known = total.best_play is not None and total.luck is not None
    if is_known:
        yield _part("best_play", "Best play was worth", total.best_play)
    if is_known and total.side_bets:
        staked = f"{format_chips(total.side.staked)} chips placed on them"
        yield _part("side_bets", "Side bets were worth", total.side.expected, staked)
    yield _part("errors", "Errors", -total.error_cost + 0.0, _describe_judged(found))
    if is_known:
        yield _part("luck", "Luck", total.luck, _describe_luck(total))
    net = signed(total.net)
    yield NetPart(name="net", title="Net", value=float(total.net), text=net, note="chips")


def _part(name: str, title: str, value: float | None, note: str = "") -> NetPart:
    value = value or 0.0
    return NetPart(name=name, title=title, value=value, text=with_minus(f"{value:+.2f}"), note=note)


def _describe_judged(found: Statistics) -> str:
    """Write how many decisions were judged, and the wrong ones among them by their grades."""
    total = found.total
    if not total.judged:
        return "no decision was judged: switch the coach on"
    wrong = write_grades(total.grades) or "no mistake"
    return f"{wrong} in {total.judged} of {total.decisions} decisions"


def _describe_luck(total: Results) -> str:
    """Write one standard deviation of the luck, and how many of it this is; empty if unknown."""
    deviation = total.luck_deviation
    if deviation is None:
        return ""
    if not deviation:
        return "one SD is ± 0.00"
    share = with_minus(f"{(total.luck or 0.0) / deviation:+.1f}")
    return f"one SD is ± {deviation:.2f}; this is {share} of it"


def name_played(house: str) -> str:
    """Return the name under which the results of a house are shown."""
    return DEFAULT_NAME if house == str(Rules()) else house


def _list_notes(found: Statistics) -> Iterator[tuple[str, str]]:
    """Iterate over what the figures rest on and leave out: topics and texts."""
    total = found.total
    if total.best_play is None:
        unknown = [one.title for one in total.side_bets if one.expected is None] or [
            name for name, results in found.by_house.items() if results.best_play is None
        ]
        yield "Not split up", f"no exact method values {'; '.join(unknown)}"
    else:
        yield "Best play", f"the bets times the value of each house: {statistics.METHOD}"
        if total.side_bets:
            yield "Side bets", "the chips on each times its exact value in a fresh shoe"
    if any(leak.mistakes for leak in found.leaks):
        yield "±", "one standard deviation: what chance alone does to it, from your rounds"
    if total.judged < total.decisions and total.best_play is not None:
        left = total.decisions - total.judged
        yield "Not judged", f"{left} decisions: what they cost is in the luck"
    if found.without_bets:
        yield "Left out", f"{found.without_bets} rounds in houses without bets"


def _list_houses(found: Statistics) -> Iterator[HouseResults]:
    for house, results in sorted(found.by_house.items(), key=lambda item: -item[1].rounds):
        deviation = results.luck_deviation
        yield HouseResults(
            name=name_played(house),
            house=house,
            rounds=results.rounds,
            best_play=_write_amount(results.best_play),
            errors=_write_amount(-results.error_cost),
            luck=_write_amount(results.luck),
            deviation="-" if deviation is None else f"{deviation:.1f}",
            side_bets=_write_amount(results.side.expected) if results.side_bets else "",
            net=signed(results.net),
        )


def _write_amount(amount: float | None) -> str:
    return "-" if amount is None else with_minus(f"{amount + 0.0:+.1f}")


def find_cell(situation: str, columns: tuple[str, ...] | None = None) -> tuple[str, str] | None:
    """Return the cell of the chart for a situation of the coach; None if it has none.

    `hard 16 v T` and `surrender 16 v T` are the cell 16 v T, `hard 16 v T 6` is 16 v 16; free hands
    have another chart. An item of a drill names the column already, one of `columns`.
    """
    placed = place_in_chart(situation)
    columns = columns or (chart.UPCARD_LABELS if placed == situation else chart.DEALER_LABELS)
    name, _, key = placed.rpartition(" v ")
    kinds = (HandClass.HARD, HandClass.SOFT, HandClass.PAIR, HandClass.SURRENDER)
    label = next((name.removeprefix(f"{kind} ") for kind in kinds if name.startswith(kind)), "")
    if key not in chart.COLUMN_KEYS[columns]:
        return None
    if label == "TT":
        return "1010", key
    if label.isdecimal() and label not in chart.ROWS[columns]:
        total = int(label)
        return (chart.HARD_LABELS[0], key) if total < _LEAST_TOTAL else None
    return (label, key) if label in chart.ROWS[columns] else None


def situations_of(cell: str, situations: Iterable[str]) -> tuple[str, ...]:
    """Return those situations that belong to a cell of the chart, written `16 v T`."""
    label, _, letter = cell.partition(" v ")
    if not any(
        label in rows and letter in chart.COLUMN_KEYS[columns]
        for columns, rows in chart.ROWS.items()
    ):
        msg = f"no cell {cell[:40]!r} of the chart: write one such as '16 v T' or 'A7 v 9'"
        raise NotationError(msg)
    return tuple(one for one in situations if find_cell(one) == (label, letter))


def name_cell(cell: str) -> str:
    """Write a cell of the chart as players do: `hard 16 v 10`, `A7 v 9`; empty if there is none."""
    label, _, letter = cell.partition(" v ")
    kind = "" if layout.is_two_cards(label) else "hard "
    return f"{kind}{layout.write_hand(label)} v {cards.write_face(letter)}" if letter else ""


def _name_other(situation: str) -> str:
    """Name a situation outside the chart; insurance and a switch are one for all hands."""
    name, _, letter = situation.rpartition(" v ")
    for kind in (HandClass.INSURANCE, HandClass.EVEN_MONEY, HandClass.SWITCH):
        if name.startswith(kind):
            return f"{kind} v {cards.write_face(letter)}"
    return f"{name} v {' '.join(map(cards.write_face, letter.split()))}"


def sort_places(
    situations: Iterable[statistics.AnsweredQuestions],
) -> tuple[dict[tuple[str, str], heat_map.Heat], dict[str, heat_map.Heat]]:
    """Add up situations by the chart's cells, and those outside the chart by name."""
    cells: dict[tuple[str, str], heat_map.Heat] = {}
    others: dict[str, heat_map.Heat] = {}
    for item in situations:
        heat = heat_map.Heat(item.asked, [*item.wrong], item.cost, item.deviation**2)
        cell = find_cell(item.name)
        if cell is not None:
            cells[cell] = cells.get(cell, heat_map.Heat(0, [], 0.0)) + heat
        else:
            name = _name_other(item.name)
            others[name] = others.get(name, heat_map.Heat(0, [], 0.0)) + heat
    return cells, others


def find_strategy(rules: Rules) -> chart.Strategy:
    """Return the best chart of the rules."""
    from upcard.cache.exact import basic_strategy  # the help of the command needs no solver

    return basic_strategy(rules)


def lay_out_mistakes(rules: Rules, strategy: chart.Strategy, found: Mistakes) -> heat_map.HeatMap:
    """Arrange the mistakes on the best chart of the rules."""
    cells, others = sort_places(found.situations)
    name, notation = str(rules), rules.notation
    title = f"{name}: where mistakes cost chips" + ("" if name == notation else f"\n{notation}")
    facts = ChartFacts(
        strategy=replace(strategy, title=title), rules=rules, notes=tuple(note_mistakes(found))
    )
    return heat_map.lay_out_heat(facts, cells, others=others)


def note_mistakes(found: Mistakes) -> Iterable[str]:
    """Iterate over what the map rests on, in sentences."""
    wrong = count_grades(found.wrong) or "no mistake"
    yield (
        f"{found.judged} of {found.decisions} decisions in {found.rounds} rounds were judged:"
        f" {wrong}, {found.cost:.2f} chips lost."
    )
    if not found.judged:
        yield "Switch the coach on to have your decisions judged."
    elif found.wrong:
        yield statistics.why_no_rate(found.coached_rounds) or (
            f"Rates are over {found.coached_rounds} rounds; SD is one standard deviation of a rate."
        )
    yield "The letters are the best chart by totals; the coach judges by the hand's cards."


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceMistakes:
    """The mistakes at a cell of the chart, or in a situation outside it."""

    name: Annotated[str, figure.text(title="place")]
    """The place in words: `hard 16 v 10`."""
    hand: Annotated[str, figure.text(is_shown=False)]
    """Row of the chart; empty outside the chart."""
    upcard: Annotated[str, figure.text(is_shown=False)]
    """Letter of the column; empty outside the chart."""
    asked: Annotated[int, figure.number()]
    """Number of decisions that were judged."""
    mistakes: Annotated[int, figure.number()]
    grades: dict[str, int]
    cost: Annotated[float, figure.real(digits=2, unit="chips")]
    cost_deviation: Annotated[float, figure.real(title="±", digits=2, unit="chips")]
    """Standard deviation of that cost."""
    per_hour: Annotated[float, figure.real(unit="chips", is_shown=False)]
    """Chips an hour."""
    per_hour_deviation: Annotated[float, figure.real(unit="chips", is_shown=False)]
    """Standard deviation of `per_hour`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MistakesAnswer:
    """The judged decisions by one set of rules."""

    house: str | None = None
    """Name of the house; None for rules of your own."""
    rules: str | None = None
    """The rules, as they are saved; None before the first round for chips."""
    rounds: int = 0
    """Rounds for chips."""
    coached_rounds: int = 0
    decisions: int = 0
    judged: int = 0
    mistakes: int = 0
    grades: dict[str, int] = field(default_factory=dict)
    cost: float = 0.0
    cells: tuple[PlaceMistakes, ...] = ()
    """The cells of the chart, the costliest first."""
    others: tuple[PlaceMistakes, ...] = ()
    """The situations outside the chart, such as insurance, the costliest first."""
    rounds_per_hour: float = 0.0
    json_keys = """
        house?rules rules rounds coached_rounds?rules decisions?rules judged?rules mistakes?rules
        grades?rules cost?rules cells others rounds_per_hour?rules
    """


def tabulate_places(places: Iterable[PlaceMistakes]) -> figure.AnswerTable:
    """Return places where decisions were judged, the costliest first."""
    ordered = sorted(places, key=lambda one: -one.cost)
    return figure.tabulate_fields("Mistakes by place, in chips", PlaceMistakes, ordered)


def answer_mistakes(rules: Rules, found: Mistakes, rounds_per_hour: float) -> MistakesAnswer:
    """Return the figures of the mistake map."""
    cells, others = sort_places(found.situations)
    per_hour = rounds_per_hour / found.coached_rounds if found.coached_rounds else 0.0

    def tell(heats: Iterable[tuple[str, str, str, heat_map.Heat]]) -> tuple[PlaceMistakes, ...]:
        return tuple(
            PlaceMistakes(
                name=name,
                hand=hand,
                upcard=upcard,
                asked=heat.asked,
                mistakes=len(heat.wrong),
                grades=grades_of(heat.wrong),
                cost=heat.cost,
                cost_deviation=heat.deviation,
                per_hour=heat.cost * per_hour,
                per_hour_deviation=heat.deviation * per_hour,
            )
            for name, hand, upcard, heat in sorted(heats, key=lambda item: -item[-1].cost)
        )

    return MistakesAnswer(
        house=rules.name or None,
        rules=sessions.write_rules(rules),
        **fields_of(found, "rounds", "coached_rounds", "decisions", "judged", "cost"),
        mistakes=len(found.wrong),
        grades=grades_of(found.wrong),
        cells=tell(
            (name_cell(f"{row} v {up}"), row, up, heat) for (row, up), heat in cells.items()
        ),
        others=tell((name, "", "", heat) for name, heat in others.items()),
        rounds_per_hour=rounds_per_hour,
    )
