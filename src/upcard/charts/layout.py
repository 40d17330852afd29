"""The layout of a chart: blocks, rows, cells, legend, captions; and two charts compared."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from upcard.charts.facts import ChartFacts, Dealer, printable
from upcard.core import errors
from upcard.core.actions import LETTERS, Action
from upcard.core.cards import ACE
from upcard.core.numbers import with_minus
from upcard.rules.describe import describe_rules
from upcard.strategy import chart

_ACTION_OF_LETTER: Final = {letter.upper(): action for action, letter in LETTERS.items()}
_NOISE: Final = 1e-9
"""Smaller differences are rounding errors of the solver."""


class Numbers(StrEnum):
    """The number that every cell shows."""

    EV = "ev"
    COST = "cost"


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """The letters of a cell: the action, and the one where the first is not allowed."""

    text: str
    """All letters of the mark: `H`, `Dh`, `Rs`."""
    first: Action
    """The best action."""
    second: Action | None
    """The action to take where the first is not allowed, if the letters include one."""
    words: str
    """The mark in words: `double, else hit`."""


def _read_mark(text: str) -> Mark:
    first, second = _ACTION_OF_LETTER[text[0]], _ACTION_OF_LETTER.get(text[1:].upper())
    words = f"{first}, else {second}" if second else str(first)
    return Mark(text=text, first=first, second=second, words=words)


MARKS: Final = {text: _read_mark(text) for text in chart.CELLS}
DOUBLED_MARKS: Final = {
    "S": MARKS["S"],
    "Rs": replace(MARKS["Rs"], words="rescue"),
    "Ds": replace(MARKS["Ds"], words="double again, else stand"),
    "Dr": replace(_read_mark("Dr"), words="double again, else rescue"),
}
"""Those of hands that have doubled."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChartCell:
    """One hand against one upcard, or one total of both dealer cards."""

    mark: Mark
    """The best action; in a mistake map, that of the chart."""
    hint: str
    """The cell in words, with the EV of every action where known."""
    upcard: str
    """The column as the chart writes it: `2` to `10` or `A`; with both cards `4` to `20`, `AA`."""
    place: str
    """The hand and the upcard as an address has them: `16 v T`."""
    figure: str
    """A number in small type; empty where there is none."""
    was: str = ""
    """The mark of another chart, in words; empty if it is the same, or there is none."""
    level: int | None = None
    """The shade in a heat map, 0 where nothing was lost; None where the play was never asked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChartRow:
    """One hand against the dealer's cards."""

    name: str
    """The hand as the chart writes it: `16`, `A,7`, `8,8`."""
    cells: tuple[ChartCell, ...]
    """A cell for each column, in the order of `upcards` of the chart."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChartBlock:
    """Hard totals, soft totals or pairs."""

    name: str
    """Heading of the block."""
    rows: tuple[ChartRow, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ChartList:
    """Plays that need a line each."""

    heading: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """A chart, ready to be drawn."""

    heading: str
    subheadings: tuple[str, ...]
    """Further lines of the title; the rules in notation."""
    upcards: tuple[str, ...]
    """The columns: upcards, or totals of both dealer cards where these are seen."""
    upcards_are: str
    """The meaning of the columns."""
    blocks: tuple[ChartBlock, ChartBlock, ChartBlock]
    """Hard totals, soft totals, pairs."""
    legend: tuple[Mark, ...]
    captions: tuple[str, ...]
    """Sentences below the chart; its EV comes first."""
    rules_in_words: tuple[tuple[str, str], ...]
    """A topic and a sentence each; empty if the rules are not given."""
    has_figures: bool
    lists: tuple[ChartList, ...] = ()
    """Plays that no cell shows, listed below the sentences."""
    below: "tuple[Layout, ...]" = ()
    """Charts drawn below this one: other hands of the dealer, hands that have doubled or that the
    house has paid for."""
    is_apart: bool = False
    """Whether it is for hands that have doubled, or that the house has paid for."""

    @property
    def marks(self) -> tuple[Mark, ...]:
        """The marks of this chart and those below it."""
        return tuple(dict.fromkeys(mark for one in (self, *self.below) for mark in one.legend))

    @property
    def letters(self) -> str:
        """The meaning of the letters, in one line."""
        return "; ".join(f"{mark.text} {mark.words}" for mark in self.legend)


def lay_out(facts: ChartFacts, *, numbers: str | None = None) -> Layout:
    """Arrange a chart; `numbers` puts a figure into every cell that has values."""
    kind = _read_numbers(facts, numbers)
    first, *others = _split_columns(facts.strategy)
    rules = facts.rules
    title = [text for line in facts.strategy.title.splitlines() if (text := printable(line))]
    title = title or ["Strategy chart"]
    heading, *subheadings = title
    written = () if rules is None else (str(rules), rules.notation)
    if rules is not None and not any(text in line for text in written for line in title):
        subheadings.append(f"Rules: {rules}")
    below = (*(_lay_out_columns(facts, kind, *part) for part in others), *_lay_out_doubled(facts))
    return replace(
        _lay_out_columns(facts, kind, *first),
        heading=heading,
        subheadings=tuple(subheadings),
        captions=tuple(_captions(facts, kind)),
        rules_in_words=tuple(describe_rules(rules)) if rules is not None else (),
        lists=tuple(_list_bonus_plays(facts)),
        below=(*below, *(() if facts.free is None else _lay_out_free(facts.free))),
    )


def _split_columns(strategy: chart.Strategy) -> Iterator[tuple[str, tuple[Dealer, ...]]]:
    """Separate the columns of both dealer cards, which are too many to be read side by side."""
    dealers = strategy.dealers
    if not dealers[0][1]:  # the hole card is not seen
        yield "dealer's upcard", dealers
        return
    hard = [dealer for dealer in dealers if ACE not in dealer]
    yield "dealer's hard 4 to 11", tuple(one for one in hard if sum(one) <= _LAST_OF_FIRST)
    yield "dealer's hard 12 to 20", tuple(one for one in hard if sum(one) > _LAST_OF_FIRST)
    yield "dealer's soft hand", tuple(one for one in dealers if ACE in one)


_LAST_OF_FIRST: Final = 11


def _lay_out_columns(
    facts: ChartFacts, numbers: Numbers | None, are: str, dealers: tuple[Dealer, ...]
) -> Layout:
    """Arrange some columns of a chart; `are` is their meaning."""
    labels = facts.strategy.labels
    hard = labels[: labels.index(chart.SOFT_LABELS[0])]
    named = {"Hard totals": hard, "Soft totals": chart.SOFT_LABELS, "Pairs": chart.PAIR_LABELS}
    blocks = (_block(name, rows, dealers, facts, numbers) for name, rows in named.items())
    hard_block, soft_block, pairs = blocks
    every = (hard_block, soft_block, pairs)
    used = {cell.mark.text for block in every for row in block.rows for cell in row.cells}
    return Layout(
        heading=f"Against the {are}",
        subheadings=(),
        upcards=tuple(chart.column_label(*dealer) for dealer in dealers),
        upcards_are=are,
        blocks=every,
        legend=tuple(MARKS[text] for text in chart.CELLS if text in used),
        captions=(),
        rules_in_words=(),
        has_figures=numbers is not None,
    )


def _lay_out_free(strategy: chart.Strategy) -> tuple[Layout, ...]:
    """Arrange the chart for hands that the house has paid for; the rules are with the other."""
    named = replace(strategy, title="Hands that the house has paid for")
    captions = ("A loss costs nothing here, so they risk more.",)
    layout = replace(lay_out(ChartFacts(strategy=named)), captions=captions)
    return tuple(replace(one, below=(), is_apart=True) for one in (layout, *layout.below))


def _lay_out_doubled(facts: ChartFacts) -> Iterator[Layout]:
    """Arrange the rows of hands that have doubled, but those that stand against everything."""
    strategy = facts.strategy
    rows = {
        label.removeprefix("x"): dict(zip(strategy.dealers, row, strict=True))
        for label, row in zip(chart.DOUBLED_LABELS, strategy.doubled, strict=False)
        if set(row) != {"S"}
    }
    if not rows:
        return
    for are, dealers in _split_columns(strategy):
        hard, soft = (
            ChartBlock(
                name=name,
                rows=tuple(
                    ChartRow(
                        name=write_hand(label),
                        cells=tuple(_doubled_cell(label, one, row[one]) for one in dealers),
                    )
                    for label, row in rows.items()
                    if is_two_cards(label) is is_soft
                ),
            )
            for name, is_soft in (("Hard totals", False), ("Soft totals", True))
        )
        used = {text for row in rows.values() for dealer, text in row.items() if dealer in dealers}
        against = f", against the {are}" if len(dealers) < len(strategy.dealers) else ""
        yield Layout(
            heading=f"After a double{against}",
            subheadings=(),
            upcards=tuple(chart.column_label(*dealer) for dealer in dealers),
            upcards_are=are,
            blocks=(hard, soft, ChartBlock(name="Pairs", rows=())),
            legend=tuple(mark for text, mark in DOUBLED_MARKS.items() if text in used),
            captions=("Other totals stand.",),
            rules_in_words=(),
            has_figures=False,
            is_apart=True,
        )


def _doubled_cell(label: str, dealer: Dealer, text: str) -> ChartCell:
    mark, up = DOUBLED_MARKS[text], chart.column_label(*dealer)
    hint = f"{write_hand(label)} v {up} after a double: {mark.words}"
    place = f"x{label} v {chart.column_key(*dealer)}"
    return ChartCell(mark=mark, hint=hint, upcard=up, place=place, figure="")


def _list_bonus_plays(facts: ChartFacts) -> Iterator[ChartList]:
    """List the hits that bonuses are for, a line for each hand and number of cards or suits."""
    upcards: dict[tuple[str, str], list[str]] = {}
    for play in facts.bonus_plays:
        upcards.setdefault((play.hand, play.when), []).append(play.upcard)
    rows = {label: place for place, label in enumerate(facts.strategy.labels)}
    order = sorted(upcards, key=lambda key: (rows.get(key[0], len(rows)), key))
    if order:
        lines = tuple(f"{hand} {when} v {' '.join(upcards[hand, when])}" for hand, when in order)
        heading = "For a bonus, hit where the chart stands or doubles:"
        yield ChartList(heading=heading, lines=lines)


def _read_numbers(facts: ChartFacts, numbers: str | None) -> Numbers | None:
    if numbers is None:
        return None
    if numbers not in tuple(Numbers):
        raise errors.NotationError(f"numbers={numbers!r}: one of {', '.join(Numbers)}, or none")
    if not facts.values:
        raise errors.NotationError(f"numbers={numbers!r}: the values of the cells are not given")
    return Numbers(numbers)


def _block(
    name: str,
    labels: tuple[str, ...],
    dealers: tuple[Dealer, ...],
    facts: ChartFacts,
    numbers: Numbers | None,
) -> ChartBlock:
    rows = []
    for label in labels:
        cells = tuple(_cell(label, dealer, facts, numbers) for dealer in dealers)
        rows.append(ChartRow(name=write_hand(label), cells=cells))
    return ChartBlock(name=name, rows=tuple(rows))


def write_hand(label: str) -> str:
    """Write a row's label as a hand: a total, or two cards with a comma."""
    if not is_two_cards(label):
        return label
    half = len(label) // 2
    return f"{label[:half]},{label[half:]}"


def is_two_cards(label: str) -> bool:
    """Whether a row's label is that of two cards, not of a hard total."""
    return label in chart.SOFT_LABELS or label in chart.PAIR_LABELS


def _cell(label: str, dealer: Dealer, facts: ChartFacts, numbers: Numbers | None) -> ChartCell:
    up = chart.column_label(*dealer)
    mark = MARKS[facts.strategy.cell(label, up)]
    hand = write_hand(label) if is_two_cards(label) else f"Hard {label}"
    hint = f"{hand} v {up}: {mark.words}"
    evs = facts.evs(label, dealer)
    if evs:
        hint += ". " + ", ".join(f"{action} {_write(ev, '+.4f')}" for action, ev in evs.items())
    return ChartCell(
        mark=mark,
        hint=hint,
        upcard=up,
        place=f"{label} v {chart.column_key(*dealer)}",
        figure=_figure(label, dealer, facts, numbers),
    )


def _figure(label: str, dealer: Dealer, facts: ChartFacts, numbers: Numbers | None) -> str:
    if numbers is None:
        return ""
    is_ev = numbers is Numbers.EV
    number = (facts.ev_of_play if is_ev else facts.cost_of_second_best)(label, dealer)
    return "" if number is None else _write(number, "+.3f" if is_ev else ".3f")


def _write(number: float, form: str) -> str:
    """Write a number with a true minus sign; a loss too small to show keeps it, noise has none."""
    if math.isinf(number):
        return "∞" if number > 0 else "−∞"
    shown = 0.0 if abs(number) < _NOISE else number
    return with_minus(format(shown, form))


def _captions(facts: ChartFacts, numbers: Numbers | None) -> Iterator[str]:
    if facts.ev is not None:
        yield _ev_caption(facts.ev)
    if facts.free is not None:
        played = "; the EV is that of playing free hands by it too" if facts.ev is not None else ""
        yield f"This chart is for hands that you pay for{played}."
    if facts.rules is None or facts.rules.insurance:
        yield "Take insurance." if facts.strategy.takes_insurance else "Decline insurance."
    if numbers is Numbers.EV:
        yield "Small figures: EV of the play shown, per initial bet."
    if numbers is Numbers.COST:
        yield "Small figures: cost of the second-best play, per initial bet."
        if _has_mistakes(facts):
            yield "A minus: the play shown is not the best, and loses that much."
    yield from (text for note in facts.notes if (text := printable(note)))


def _ev_caption(ev: float) -> str:
    if math.isinf(ev):
        return f"Expected value {_write(ev, '+.5f')} per initial bet."
    edge, share = "house edge" if ev <= 0 else "player's edge", 100 * ev
    words = f"{edge} {_write(abs(share), '.3f')}%"
    return f"Expected value {_write(share, '+.3f')}% of the first bet: {words}."


def _has_mistakes(facts: ChartFacts) -> bool:
    rows, dealers = facts.strategy.labels, facts.strategy.dealers
    costs = (facts.cost_of_second_best(row, dealer) for row in rows for dealer in dealers)
    return any(cost is not None and cost < -_NOISE for cost in costs)


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangedCell:
    """A cell that differs from the other chart."""

    hand: str
    """The hand as the chart writes it."""
    upcard: str
    """The upcard as the chart writes it."""
    before: str
    """The mark of the other chart, in words."""
    after: str
    """The mark of this chart, in words."""


def compare_charts(before: chart.Strategy, after: chart.Strategy) -> tuple[ChangedCell, ...]:
    """Return the cells that differ, in the order of the chart; both have the same columns."""
    return tuple(
        ChangedCell(
            hand=write_hand(hand), upcard=upcard, before=MARKS[old].words, after=MARKS[new].words
        )
        for hand, old_row, new_row in zip(after.labels, before.cells, after.cells, strict=True)
        for upcard, old, new in zip(after.columns, old_row, new_row, strict=True)
        if old != new
    )
