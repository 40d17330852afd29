"""The best chart of a game as a question, in every format, and what differs from another chart."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Annotated, Any, Final

from upcard.answers.questions import QUESTIONS, SHOE, Asking, Sheet
from upcard.cache import exact
from upcard.charts.facts import ChartFacts, explain_marks, write_json
from upcard.charts.layout import (
    ChangedCell,
    ChartBlock,
    ChartList,
    Layout,
    Mark,
    compare_charts,
    lay_out,
)
from upcard.charts.render import FORMATS, draw_html, draw_svg, draw_text
from upcard.core import figure
from upcard.core.errors import BlackjackError
from upcard.core.fields import Field, FieldClashError, choice
from upcard.core.numbers import count_of, fields_of
from upcard.exact.solver_results import CompositionException
from upcard.rules.describe import name_game
from upcard.rules.model import Rules
from upcard.rules.predicates import makes_free_hands
from upcard.strategy.chart import (
    UPCARD_LABELS,
    WORTH_LABELS,
    WORTH_OF_BET,
    Strategy,
    tabulate_cells,
)

_LIST_EXCEPTIONS: Final = ("text", "json")
_MISSED: Final = ("Hands better", "Hands that you pay for, better")
"""By whether the house pays for some hands, which have a chart of their own."""
_FORMATS: Final = "Format (default: by the ending of -o, or text)."
_FORMAT: Final = choice(FORMATS, _FORMATS, is_format=True, is_for_pages=False)
_FIGURES: Final = "In every cell: its EV, or what the second-best play would lose."
_NUMBERS: Final = choice(("ev", "cost"), _FIGURES, is_for_pages=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class OtherChart:
    """A chart below the first: for other hands of the dealer, or those that the house paid for."""

    heading: str
    """Heading of the chart."""
    upcards: tuple[str, ...]
    """Its columns."""
    blocks: tuple[ChartBlock, ...]
    legend: tuple[Mark, ...]
    """Its marks."""
    captions: tuple[str, ...]
    """Sentences about the chart."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChartAnswer:
    """A chart; `changed` compares it with another one."""

    upcards: tuple[str, ...] = ()
    """Its columns."""
    upcards_are: str = ""
    """The meaning of the columns."""
    blocks: tuple[ChartBlock, ...] = ()
    legend: tuple[Mark, ...] = ()
    """The marks that the chart uses."""
    captions: tuple[str, ...] = ()
    """Assumptions of the chart, a sentence each."""
    lists: tuple[ChartList, ...] = ()
    """Plays that no cell shows: the hits that bonuses are for."""
    below: tuple[OtherChart, ...] = ()
    """Charts below it: for other hands of the dealer, for hands that the house has paid for."""
    changed: tuple[ChangedCell, ...] = ()
    """The cells that differ from the other chart; empty without one."""
    changed_words: str = ""
    """The number of changed cells as a sentence; empty without another chart."""
    why_none: str = ""


def as_other_chart(part: Layout, *, blocks: tuple[ChartBlock, ...] | None = None) -> OtherChart:
    """Return a chart below another one."""
    return OtherChart(
        blocks=blocks or part.blocks, **fields_of(part, "heading", "upcards", "legend", "captions")
    )


def answer_chart(
    facts: ChartFacts | BlackjackError,
    other: ChartFacts | BlackjackError | None = None,
    *,
    is_before: bool = False,
) -> ChartAnswer:
    """Return a chart, compared with an `other` one if given.

    `is_before` says that the other one was shown before.
    """
    if isinstance(facts, BlackjackError):
        return ChartAnswer(why_none=str(facts))
    layout = lay_out(facts)
    changed: tuple[ChangedCell, ...] = ()
    words = ""
    if not isinstance(other, ChartFacts):
        pass
    elif other.strategy.columns != facts.strategy.columns:
        words = "The charts do not compare: one goes by the upcard, the other by both dealer cards."
    else:
        changed = compare_charts(other.strategy, facts.strategy)
        words = _count(len(changed), is_before=is_before)
    return ChartAnswer(
        **fields_of(layout, "upcards", "upcards_are", "legend", "captions", "lists"),
        blocks=_note_changes(layout.blocks, changed),
        below=tuple(
            as_other_chart(one, blocks=_note_changes(one.blocks, () if one.is_apart else changed))
            for one in layout.below
        ),
        changed=changed,
        changed_words=words,
    )


def _note_changes(
    blocks: tuple[ChartBlock, ...], changed: tuple[ChangedCell, ...]
) -> tuple[ChartBlock, ...]:
    """Return the blocks with the mark of the other chart in the cells that changed."""
    before = {(one.hand, one.upcard): one.before for one in changed}
    return tuple(
        replace(
            block,
            rows=tuple(
                replace(
                    row,
                    cells=tuple(
                        replace(cell, was=before.get((row.name, cell.upcard), ""))
                        for cell in row.cells
                    ),
                )
                for row in block.rows
            ),
        )
        for block in blocks
    )


def _count(changed: int, *, is_before: bool) -> str:
    if not changed:
        return "The chart stays the same." if is_before else "The charts are the same."
    cells = f"{count_of(changed, 'cell')} of the chart"
    return f"{cells} {'change' if is_before else 'differ'}{'s' * (changed == 1)}."


def find_chart(rules: Rules, shoe: str | None = None, *, has_values: bool = True) -> ChartFacts:
    """Return the best chart, with the values of its cells if they are wanted."""
    strategy = exact.basic_strategy(rules, shoe=shoe)
    return ChartFacts(
        strategy=strategy,
        rules=rules,
        values=exact.cell_values(rules, shoe=shoe) if has_values else {},
        notes=explain_marks(strategy.cells),
        free=exact.free_strategy(rules, shoe=shoe) if makes_free_hands(rules) else None,
        bonus_plays=() if rules.bonuses is None else exact.bonus_plays(rules, strategy, shoe=shoe),
    )


def _find(rules: Rules, shoe: str | None, *, has_values: bool, is_whole: bool) -> ChartFacts:
    """Return the best chart with its exact EV, that of the best play, and what is between them."""
    facts = find_chart(rules, shoe, has_values=has_values)
    chart, is_finite = facts.strategy, not rules.is_infinite
    ev = exact.expected_value(rules, strategy=chart, shoe=shoe)
    best_ev = exact.expected_value(rules, shoe=shoe)
    exceptions = None
    if is_whole:
        exceptions = exact.composition_exceptions(rules, chart, shoe=shoe) if is_finite else ()
    notes = [] if shoe is None else [f"Cards before the deal: {shoe}."]
    if is_finite:
        behind = figure.write_percent(best_ev - ev, sign="")
        more = f"play by a hand's cards is worth {behind} more"
        notes.append(f"By this chart it is exactly {figure.write_percent(ev)}; {more}.")
    notes.extend(facts.notes)
    if has_values:
        notes.append("Cells are valued by two-card hands, played best afterwards.")
    title = f"{name_game(rules)}: best chart\nRules: {rules.notation}"
    titled = replace(facts, strategy=replace(chart, title=title), notes=tuple(notes))
    return replace(titled, ev=ev, best_ev=best_ev, exceptions=exceptions)


def write_chart(  # noqa: PLR0913 (each is named in the call)
    rules: Rules,
    kind: str,
    *,
    shoe: str | None = None,
    numbers: str | None = None,
    color: bool = False,
    is_whole: bool = True,
) -> str:
    """Compute the best chart and write it in one of FORMATS; a whole one lists its exceptions."""
    if kind == "tsv":
        return str(exact.basic_strategy(rules, shoe=shoe))
    # Text has no tooltips to put all values into.
    has_values = numbers is not None or kind != "text"
    is_whole &= kind in _LIST_EXCEPTIONS
    facts = _find(rules, shoe, has_values=has_values, is_whole=is_whole)
    if kind == "json":
        return write_json(facts)
    layout = lay_out(facts, numbers=numbers)
    if kind != "text":
        return draw_svg(layout) if kind == "svg" else draw_html(layout)
    parts = [draw_text(layout, color=color)]
    parts += (f"{table}\n" for table in _tabulate_worths(facts.strategy))
    if facts.exceptions is not None and not rules.is_infinite:
        parts.append("\n".join((*_list_exceptions(facts.exceptions, rules), "")))
    return "\n".join(parts)


def answer(  # noqa: PLR0913 (one parameter a field)
    rules: Rules,
    *,
    shoe: Annotated[str | None, SHOE] = None,
    format: Annotated[str, _FORMAT] = FORMATS[0],  # noqa: A002 (the option's name)
    numbers: Annotated[str | None, _NUMBERS] = None,
    no_exceptions: Annotated[
        bool,
        Field(bool, "Leave out hands whose best play depends on their cards.", is_for_pages=False),
    ] = False,
    asking: Asking,
) -> Sheet[ChartFacts]:
    """Return the optimal chart by totals for rules and cards, drawn.

    Below it are its exact EV, the gain from playing by a hand's cards, and the two-card hands where
    the cards matter. --format tsv writes the format that upcard edge --strategy reads.
    """
    given = f"with {{format}} {format}"
    if no_exceptions and format not in _LIST_EXCEPTIONS:
        raise FieldClashError(f"{{no_exceptions}} {given}: they are listed in text and json only")
    if numbers is not None and format in ("json", "tsv"):
        raise FieldClashError(f"{{numbers}} {given}: figures are drawn in text, svg and html")
    terms: dict[str, Any] = {"shoe": shoe, "numbers": numbers, "is_whole": not no_exceptions}
    chart = exact.basic_strategy(rules, shoe=shoe).table()
    sheet = Sheet(
        title=QUESTIONS["chart"].title,
        rules=str(rules),
        tables=(chart,),
        data=(chart,),
        text=partial(write_chart, rules, format, color=asking.has_color, **terms),
        card=partial(write_chart, rules, "html", **terms),
    )
    if not asking.wants_result:  # people read the text alone
        return sheet
    facts = _find(rules, shoe, has_values=True, is_whole=not no_exceptions)
    layout, title = lay_out(facts), f"{_MISSED[makes_free_hands(rules)]} played by their cards"
    parts = (layout, *layout.below)
    alike, apart = ([one for one in parts if one.is_apart is kind] for kind in (False, True))
    missed = figure.tabulate_fields(title, CompositionException, facts.exceptions or ())
    return replace(
        sheet,
        tables=(chart, *map(_tabulate, apart), *_tabulate_worths(facts.strategy), missed),
        notes=(
            *dict.fromkeys((mark.text, mark.words) for one in alike for mark in one.legend),
            *((one.heading, " ".join((f"{one.letters}.", *one.captions))) for one in apart),
            *((one.heading, "; ".join(one.lines)) for one in layout.lists),
        ),
        sentences=layout.captions,
        result=facts,
    )


def _tabulate(part: Layout) -> figure.AnswerTable:
    rows = (row for block in part.blocks for row in block.rows)
    cells = ((row.name, *(cell.mark.text for cell in row.cells)) for row in rows)
    return tabulate_cells(part.heading, part.upcards, cells, ())


def _tabulate_worths(strategy: Strategy) -> Iterator[figure.AnswerTable]:
    """Yield what two cards are worth, in percent of a bet, if they may be swapped."""
    if strategy.worths:
        rows: list[tuple[figure.Value, ...]] = [
            (label[1:], *(100 * worth / WORTH_OF_BET for worth in row))
            for label, row in zip(WORTH_LABELS, strategy.worths, strict=True)
        ]
        columns = (figure.signed(f"v_{label}", label, digits=1) for label in UPCARD_LABELS)
        title = "Swap the second cards if both hands are worth more then, in percent"
        yield figure.make_table(title, (figure.text("hand", "two cards"), *columns), rows)


def _list_exceptions(exceptions: Sequence[CompositionException], rules: Rules) -> Iterator[str]:
    """List the exceptions with their gains, in three columns, most valuable first."""
    if not exceptions:
        yield "No two-card hand is better played by its cards than by its total."
        return
    yield f"{_MISSED[makes_free_hands(rules)]} played by their cards, and the gain when they come:"
    entries = [
        f"{item.hand.replace(' ', ',')} v {item.upcard} {item.better}"
        f" {figure.write_percent(item.gain, 3, sign='')}"
        for item in exceptions
    ]
    width = max(26, 2 + max(map(len, entries)))
    across = 78 // width
    for start in range(0, len(entries), across):
        line = "".join(f"{entry:<{width}}" for entry in entries[start : start + across])
        yield f"  {line}".rstrip()
